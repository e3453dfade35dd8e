"""The stage during runs: poses, trails, ghosts, arrows, and how quickly it draws."""

from dataclasses import replace
from math import hypot

import numpy as np
import pytest
from PySide6.QtGui import QColor

from assets.make_examples import (
    crane_trolley,
    double_pendulum,
    four_bar,
    gear_train,
    pendulum_in_the_wind,
)
from bench.window import lazy_tongs
from engine.editing.builder import Mechanism
from engine.files.model_files import load
from engine.model.elements import put
from engine.model.tracers import Tracer
from engine.running.simulate import run
from gui.look.theme import LIGHT
from gui.stages.plane.graphics.inks import Inks
from tests.gui.stage_events import Hand
from tests.gui.stage_models import example


@pytest.fixture
def hand(qtbot):
    """A stage with the four-bar."""
    return Hand(qtbot, four_bar().model)


def test_a_run_moves_the_drawing_and_leaving_it_brings_the_design_back(hand):
    results = run(hand.model, t_end=0.5)
    hand.playback.start(results, None)
    hand.playback.set_time(0.3)
    assert hand.view.is_playing()
    scene = hand.view.stage_scene
    x, y, phi = scene.placement.pose.bodies[scene.placement.body_index["crank"]]
    k = results.frame_at(0.3)
    assert (x, y, phi) == pytest.approx(tuple(results.q[k][:3]), abs=1e-9)
    item = scene.graphics["crank"].items[0]
    assert (item.pos().x(), item.pos().y()) == pytest.approx((x, y))
    hand.playback.leave()
    assert not hand.view.is_playing()
    assert scene.placement.pose.bodies[0] == pytest.approx(
        [*hand.model["crank"].position, hand.model["crank"].angle]
    )


def test_an_edit_during_a_run_shows_the_edited_design(hand):
    hand.playback.start(run(hand.model, t_end=0.5), None)
    hand.playback.set_time(0.4)
    hand.document.edit("paint", put(hand.model, replace(hand.model["crank"], color="#00ff00")))
    assert not hand.view.is_playing()


def test_a_run_that_leaves_the_view_widens_it_until_the_user_zooms(qtbot):
    m = Mechanism()
    m.box((0, 0), 0.1, 0.1, velocity=(1.0, 0.0))
    model = replace(m.model, gravity=(0.0, 0.0))
    hand = Hand(qtbot, model)
    hand.view.is_fitted = True
    near = hand.view.scale_of_pixel()
    hand.playback.start(run(model, t_end=0.5), None)
    assert hand.view.scale_of_pixel() > near
    hand.playback.leave()
    hand.view.fit()
    hand.view.zoom(1.1)
    mine = hand.view.scale_of_pixel()
    hand.playback.start(run(model, t_end=0.5), None)
    assert hand.view.scale_of_pixel() == mine


def test_a_run_that_ends_at_the_very_edge_moves_the_view(qtbot):
    m = Mechanism()
    m.box((0, 0), 1.0, 1.0, velocity=(1.0, 0.0))
    model = replace(m.model, gravity=(0.0, 0.0))
    view = (hand := Hand(qtbot, model)).view
    view.is_fitted = True
    near = view.scale_of_pixel()
    edge = view.to_world(view.viewport().rect().topRight())[0]  # the box stops 3 pixels before it
    hand.playback.start(run(model, t_end=edge - 0.5 - 3.0 * near), None)
    assert view.to_pixels(edge, 0.0).x() < view.viewport().width() - 20.0


def test_the_arrow_of_drag_is_its_force_in_the_channels(qtbot):
    model = pendulum_in_the_wind().model
    results = run(model, t_end=3.0, output_step=0.1)
    hand = Hand(qtbot, model)
    hand.playback.start(results, None)
    hand.view.show_arrows("forces", True)
    hand.playback.set_time(2.0)
    k = results.frame_at(2.0)
    (arrow,) = (a for a in hand.view.arrows.now["forces"] if a.id == "drag")
    force = results["drag.force_x"][k], results["drag.force_y"][k]
    assert hypot(*force) > 1.0
    assert arrow.value == pytest.approx(force, rel=1e-12)  # the same kernel at the same state


def test_reaction_arrows_are_the_reactions_of_the_channels(qtbot):
    model = crane_trolley().model
    results = run(model, t_end=0.5)
    hand = Hand(qtbot, model)
    hand.playback.start(results, None)
    hand.view.show_arrows("reactions", True)
    hand.view.show_arrows("forces", True)
    hand.view.show_arrows("accelerations", True)
    hand.playback.set_time(0.4)
    k = results.frame_at(0.4)
    arrows = {a.id: a.value for a in hand.view.arrows.now["reactions"]}
    for joint in ("rail", "hinge"):
        expected = (results[f"{joint}.force_x"][k], results[f"{joint}.force_y"][k])
        assert arrows[joint] == pytest.approx(expected, abs=1e-9 * hypot(*expected) + 1e-12)
    pulls = [a.value for a in hand.view.arrows.now["forces"] if a.id == "wall"]
    tension = results["wall.force"][k]
    assert sorted(p[0] for p in pulls) == pytest.approx(sorted((tension, -tension)))
    load = next(a for a in hand.view.arrows.now["accelerations"] if a.id == "load")
    assert load.value == pytest.approx((results["load.center_ax"][k], results["load.center_ay"][k]))
    hand.view.arrow_scale = 2.0
    twice = hand.view.arrows.pixels_per_unit("reactions")
    hand.view.arrow_scale = 1.0
    assert twice == pytest.approx(2 * hand.view.arrows.pixels_per_unit("reactions"))
    assert QColor(Inks(LIGHT).arrows["reactions"]).name() in hand.colors()


def test_the_tooth_force_is_an_arrow_at_the_pitch_point(qtbot):
    model = gear_train().model
    results = run(model, t_end=0.5)
    hand = Hand(qtbot, model)
    hand.playback.start(results, None)
    hand.view.show_arrows("reactions", True)
    hand.playback.set_time(0.4)
    k = results.frame_at(0.4)
    arrows = {a.id: a for a in hand.view.arrows.now["reactions"]}
    for mesh, x in (("mesh_12", 0.1), ("mesh_23", 0.5)):
        expected = (results[f"{mesh}.tooth_force_x"][k], results[f"{mesh}.tooth_force_y"][k])
        assert hypot(*expected) > 1.0
        assert arrows[mesh].value == pytest.approx(expected, rel=1e-9)
        assert arrows[mesh].at == pytest.approx((x, 0.0), abs=1e-12)


def test_velocities_of_the_design_are_those_of_the_mass_centres(hand):
    hand.view.show_arrows("velocities", True)
    moving = {arrow.id for arrow in hand.view.arrows.now["velocities"]}
    assert "crank" not in moving  # it spins about its own origin
    with pytest.raises(ValueError, match="reactions"):
        hand.view.show_arrows("smells", True)


def test_the_trail_of_a_tracer_follows_its_marker_up_to_now(hand):
    m = Mechanism()
    m.model = hand.model
    marker = m.marker("coupler", (1.0, 2.0))
    hand.document.edit("pen", put(m.model, Tracer(id="pen", marker=marker)))
    results = run(hand.model, t_end=1.0)
    hand.playback.start(results, None)
    hand.playback.set_time(0.5)
    (trail,) = hand.view.trails.lines
    path = trail.past.item.path()
    end = path.elementAt(path.elementCount() - 1)
    k = results.frame_at(0.5)
    assert (end.x, end.y) == pytest.approx((results[f"{marker}.x"][k], results[f"{marker}.y"][k]))
    assert trail.whole.item.path().elementCount() > path.elementCount() > 40
    hand.view.show_trails(False)
    assert not trail.past.item.isVisible()
    hand.view.show_trails(True)
    hand.view.show_center_trails(True)
    assert len(hand.view.trails.lines) == 4


def test_earlier_runs_are_ghosts_behind_the_current_one(qtbot):
    model = double_pendulum().model
    hand = Hand(qtbot, model)
    hand.playback.start(run(model, t_end=0.4), None)
    hand.playback.start(run(replace(model, gravity=(0.0, -2.0)), t_end=0.2), None)
    hand.playback.set_time(0.2)
    (ghost,) = hand.view.ghosts.ghosts
    old = ghost.record.results
    k = old.frame_at(0.2)
    item, _ = ghost.items[0]
    place = ghost.placement.frames_of_row(old.compiled, old.q[k])[0]
    assert (item.pos().x(), item.pos().y()) == pytest.approx(tuple(place[:2]), abs=1e-9)
    hand.playback.ghosts[0].is_shown = False
    hand.playback.run_changed.emit()
    assert not hand.view.ghosts.ghosts


def test_a_spatial_model_is_shown_from_the_front_and_not_dragged(qtbot):
    model = load(example("spinning_top"))
    hand = Hand(qtbot, model)
    body = model.of("body")[0]
    assert hand.view.stage_scene.graphics[body.id].items
    results = run(model, t_end=0.05)
    hand.playback.start(results, None)
    hand.playback.set_time(0.05)
    x, y = hand.view.stage_scene.placement.pose.centers[0]
    assert (x, y) == pytest.approx((results.q[-1][0], results.q[-1][2]), abs=1e-9)
    hand.playback.leave()
    hand.drag((x, y), (x + 0.02, y))
    assert hand.model is model and hand.said


def test_of_two_hundred_bodies_a_frame_makes_nothing_and_an_edit_only_what_it_changes(qtbot):
    # how many frames that gives in a second is shown by `python -m bench window`
    model = lazy_tongs()
    assert len(model.of("body")) >= 200 and len(model.of("joint")) >= 300
    hand = Hand(qtbot, model, (1280, 720))
    scene = hand.view.stage_scene
    made = dict(scene.graphics)

    def made_anew():
        return {id for id, graphic in scene.graphics.items() if graphic is not made[id]}

    scene.put(scene.placement.drawn + 0.01, 0.0)
    hand.view.viewport().repaint()
    assert not made_anew()
    body = model.of("body")[7]
    hand.document.preview(put(model, replace(body, angle=body.angle + 0.1)))
    assert not made_anew()
    wider = replace(body, shape=replace(body.shape, width=2 * body.shape.width + 0.01))
    hand.document.preview(put(model, wider))
    assert body.id in made_anew() and len(made_anew()) < 20  # its markers and joints too


def test_a_diverged_run_is_drawn_where_it_is_known(hand):
    scene = hand.view.stage_scene
    frames = scene.placement.drawn.copy()
    frames[0] = np.nan
    scene.put(frames)
    assert scene.placement.pose.bodies[0] == pytest.approx(scene.placement.drawn[0].tolist())
