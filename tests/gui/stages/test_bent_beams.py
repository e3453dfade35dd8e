"""Beams that bend, on both stages: bent as the run says, magnified, coloured, with a legend."""

import numpy as np
import pytest
from vtkmodules.util.numpy_support import vtk_to_numpy

from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from gui.placing.space.bends import bends_of_row
from tests.gui.space_hand import SpaceHand


def cantilever(dim=3):
    """A clamped beam that is pushed at its end, upwards and sideways in space."""
    m = Mechanism(dim=dim, gravity=(0.0, 0.0, 0.0)[:dim])
    fields = {"width": 0.04, "thickness": 0.03, "youngs_modulus": 1e9, "damping_ratio": 0.3}
    beam = m.beam((0, 0, 0)[:dim], (1, 0, 0)[:dim], **fields)
    m.weld("ground", beam, (0, 0, 0)[:dim])
    m.force(beam, (1, 0, 0)[:dim], components=(0.0, 5.0, 8.0)[:dim])
    return m, beam, m.marker(beam, (1, 0, 0)[:dim])


@pytest.fixture(scope="module")
def bent():
    m, beam, tip = cantilever()
    return m.model, m.run(t_end=0.3, output_step=0.01, method="radau"), beam, tip


def points_of(scene, id):
    data = scene.graphics[id].body_actors[0][0].GetMapper().GetInput()
    return vtk_to_numpy(data.GetPoints().GetData()).copy(), data.GetPointData().GetScalars()


def test_the_surface_of_a_beam_bends_with_the_run_and_is_straight_as_designed(qtbot, bent):
    model, run, beam, tip = bent
    hand = SpaceHand(qtbot, model)
    stage, scene = hand.view, hand.view.scene
    straight, _ = points_of(scene, beam)
    hand.playback.start(run, None)
    hand.playback.set_time(float(run.t[-1]))
    moved, shades = points_of(scene, beam)
    at_end = straight[:, 0] > 0.49
    p, n = scene.placement, scene.placement.body_index[beam]
    middle = p.r[n] + p.R[n] @ moved[at_end].mean(axis=0)
    true = [run[f"{tip}.{c}"][-1] for c in "xyz"]
    assert np.linalg.norm(true - np.array([1.0, 0.0, 0.0])) > 0.01
    # of second order the end is nearer, which the picture leaves out
    np.testing.assert_allclose(middle, true, atol=2e-3)
    np.testing.assert_allclose(p.marker_at(tip), true, atol=1e-9)
    assert shades is None
    stage.magnify_beams(5.0)
    far, _ = points_of(scene, beam)
    # the clamp stays where it is, in its direction: what is magnified is the deflection from there
    at_root = straight[:, 0] < -0.49
    np.testing.assert_allclose(far[at_root], moved[at_root], atol=2e-4)
    root = (moved - straight)[at_root].mean(axis=0)
    slope = (moved - straight)[at_root & (straight[:, 1] > 0)].mean(axis=0)[0] - root[0]
    lean = (
        -slope / np.abs(straight[at_root, 1]).max()
    )  # by how much the clamp leans in the mean axis
    from_clamp = (moved - straight)[at_end].mean(axis=0)[1] - root[1] - lean
    more = (far - moved)[at_end].mean(axis=0)[1]
    assert from_clamp > 0.01 and more == pytest.approx(4.0 * from_clamp, rel=0.02)
    (pin,) = [m.id for m in p.markers if m.body == beam and m.position[0] < 0.0]
    assert np.linalg.norm(p.marker_at(pin)) < 1e-9
    stage.colour_beams("stress")
    assert points_of(scene, beam)[1] is not None
    stage.selection.set([beam])  # its outline bends too
    picture = hand.picture()
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 100
    hand.playback.leave()
    np.testing.assert_array_equal(points_of(scene, beam)[0], straight)
    assert points_of(scene, beam)[1] is None


def test_points_of_a_bent_beam_follow_its_sections():
    m, beam, tip = cantilever()
    compiled = compile_model(m.model)
    q = compiled.q0.copy()
    q[compiled.layout.modes(0)] = 0.002
    bend = bends_of_row(compiled, q)[beam]
    shift, turn = bend.markers[tip]
    half = 0.5
    ends = bend.moved(np.array([[half, 0.0, 0.0], [half, 0.01, 0.0], [-half, 0.0, 0.0]]))
    np.testing.assert_allclose(ends[0] - (half, 0, 0), shift, atol=1e-4)
    np.testing.assert_allclose(np.linalg.norm(ends[1] - ends[0]), 0.01)
    along = ends[1] - ends[0]
    np.testing.assert_allclose(np.cross(turn, (0.0, 0.01, 0.0)), along - (0, 0.01, 0), atol=1e-4)
