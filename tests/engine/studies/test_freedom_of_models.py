"""Free motions by name, the poses they lead through, and what joints constrain twice."""

import numpy as np
import pytest

from assets import example_paths
from engine.cli.commands import main
from engine.editing.builder import Mechanism
from engine.files.model_files import load
from engine.kinematics.evaluate import equations
from engine.kinematics.freedom.motions import STEPS, wiggled
from engine.kinematics.poses import body_frames
from engine.running.simulate import run
from engine.studies.freedom import freedom_of

NAMES = {  # empty: more than one choice is good
    "four_bar": ["angle of 'A'"],
    "double_pendulum": ["angle of 'A'", "angle of 'B'"],
    "spatial_four_bar": ["angle of 'A'"],
    "crane_trolley": [],
    "knife_edge_sled": [],
    "point_pendulum": ["y of 'bob'"],
    "spherical_pendulum": [],
}


def example(name):
    return load(example_paths()[name])


@pytest.mark.parametrize("name", NAMES)
def test_every_free_motion_is_allowed_and_has_a_name(name):
    found = freedom_of(example(name), without_drives=True)
    e = equations(found.compiled, 0.0, found.q, np.zeros(found.compiled.layout.n_v))
    assert len(found.motions) == found.mobility.dof > 0
    for _, _, motion in found.motions:
        size = np.abs(motion.v).max()
        np.testing.assert_allclose(e.D @ motion.v, 0.0, atol=1e-9 * size)
    motions = np.array([m.motion.v for m in found.motions])
    assert np.linalg.matrix_rank(motions) == found.mobility.dof
    labels = [m.label for m in found.motions]
    assert len(set(labels)) == len(labels)
    assert not NAMES[name] or labels == NAMES[name]


@pytest.mark.parametrize("name", ["four_bar", "double_pendulum", "spatial_four_bar"])
def test_a_wiggle_keeps_the_joints_closed_and_moves_its_coordinate_evenly(name):
    found = freedom_of(example(name), without_drives=True)
    compiled, motion = found.compiled, found.motions[0].motion
    poses = wiggled(compiled, found.q, motion)
    assert len(poses) == 2 * STEPS + 1
    for q in poses:
        e = equations(compiled, 0.0, q, np.zeros(compiled.layout.n_v))
        assert np.abs(e.Phi).max() < 1e-8 * compiled.length
    ends = [body_frames(compiled, q).R[0] for q in (poses[0], poses[-1])]
    turned = np.arccos(np.clip((np.trace(ends[0].T @ ends[1]) - 1) / 2, -1, 1))
    assert turned == pytest.approx(2 * motion.reach, rel=0.02)  # the crank hangs on A


def parallel_bars():
    """A beam on three parallel bars: it moves, although counting says that it cannot."""
    m = Mechanism("three bars")
    beam = m.rod((0, 1), (2, 1), id="beam")
    for n, x in enumerate((0.0, 1.0, 2.0)):
        bar = m.rod((x, 0), (x, 1), id=f"bar_{n}")
        m.revolute("ground", bar, at=(x, 0), id=f"low_{n}")
        m.revolute(bar, beam, at=(x, 1), id=f"high_{n}")
    return m.model


def test_what_is_constrained_twice_is_told_by_the_fewest_joints():
    found = freedom_of(parallel_bars())
    assert (found.mobility.dof, found.mobility.gruebler, found.mobility.redundant) == (1, 0, 1)
    assert len(found.circuit) == 6 and "constrain something twice" in found.why
    left = {one.id: (one.dof, one.redundant) for one in found.left}
    assert left["high_1"] == (2, 0) and set(left) == set(found.circuit)


def test_two_welds_are_the_fewest_that_clash():
    m = Mechanism("welded twice")
    box = m.box((0, 0), 1, 1)
    rod = m.rod((0.5, 0), (2, 0))
    m.weld("ground", box, at=(0, 0), id="one")
    m.weld("ground", box, at=(0.3, 0), id="two")
    m.revolute(box, rod, at=(0.5, 0), id="pin")
    found = freedom_of(m.model)
    assert set(found.circuit) == {"one", "two"} and found.mobility.dof == 1


def test_classes_are_told_with_reasons():
    kinds = {
        name: {c.kind for c in freedom_of(example(name)).constraints}
        for name in ("knife_edge_sled", "rheonomic_pendulum", "car_driven_by_a_steering_law")
    }
    assert kinds["knife_edge_sled"] == {"non-holonomic, scleronomic, bilateral"}
    assert "holonomic, rheonomic, bilateral" in kinds["rheonomic_pendulum"]
    assert "non-holonomic, rheonomic, bilateral" in kinds["car_driven_by_a_steering_law"]
    assert "unilateral" in {c.kind for c in freedom_of(example("bouncing_balls")).constraints}


def test_the_command_prints_it(capsys):
    assert main(["freedom", "four_bar", "--without-drives"]) == 0
    told = capsys.readouterr().out
    assert "angle of 'A'" in told and "9 velocities - 8 constraints = 1" in told


TABLE_1_1 = {  # of the lecture: one example for each class of constraint
    "four_bar": ("holonomic, scleronomic, bilateral", "equation of positions"),
    "rheonomic_pendulum": ("holonomic, rheonomic, bilateral", "equation of positions"),
    "disc_that_rolls_by_a_law_of_speed": ("holonomic, scleronomic, bilateral", "in disguise"),
    "slider_crank": ("holonomic, rheonomic, bilateral", "in disguise"),
    "knife_edge_sled": ("non-holonomic, scleronomic, bilateral", "does not integrate"),
    "car_driven_by_a_steering_law": ("non-holonomic, rheonomic, bilateral", "does not integrate"),
    "rope_that_goes_slack": ("holonomic, scleronomic, unilateral", "on one side only"),
    "block_on_a_slope": ("unilateral", "in one direction only"),
}


@pytest.mark.parametrize("name", TABLE_1_1)
def test_every_class_of_the_table_has_an_example(name):
    kind, why = TABLE_1_1[name]
    found = freedom_of(load(example_paths()[name])).constraints
    assert any(one.kind == kind and why in one.why for one in found)


def test_a_constraint_of_one_side_is_listed_once_and_not_as_a_force():
    (rope,) = freedom_of(load(example_paths()["rope_that_goes_slack"])).constraints
    assert rope.equation == "|d| <= 1" and "by a force" not in rope.why


def test_a_disc_that_rolls_by_speeds_gains_two_thirds_of_what_a_sliding_one_does():
    results = run(load(example_paths()["disc_that_rolls_by_a_law_of_speed"]))
    g = 3.355217606  # along the slope
    np.testing.assert_allclose(results["disc.x"], g / 3 * results.t**2, atol=1e-8)
    np.testing.assert_allclose(results["rolling.lam_1"], 2.0 * g / 3, atol=1e-8)
