"""Dragging in space keeps joints closed and the branch, reaches what can be reached, and says why not."""

import numpy as np
import pytest

from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from engine.editing.edits import space_frame
from engine.kernels.layout import POSITION
from engine.kinematics.assemble import assemble
from engine.kinematics.dragging import Grip
from engine.kinematics.evaluate import equations
from rotations import axis_angle
from tests.engine.space_models import everything_in_space, spatial_four_bar

CLOSED = 1e-9  # metres: what a joint may be open after a drag


def gap(model):
    """The largest |Phi| of all rows that hold positions."""
    compiled = compile_model(model)
    held = compiled.system.rows["level"] == POSITION
    found = equations(compiled, 0.0, compiled.q0, compiled.v0).Phi[held]
    return float(np.abs(found).max(initial=0.0))


def tip(model, body="crank", x=0.25):
    """The end of a rod."""
    return np.array(space_frame(model, body).to_world((x, 0.0, 0.0)))


def test_a_crank_in_space_follows_the_mouse_round_and_comes_back_to_the_same_branch():
    model = spatial_four_bar()
    grip = Grip(model, "crank", (0.25, 0.0, 0.0))
    assert not grip.reason
    start = np.arctan2(0.4, 0.3)
    for turn in np.linspace(0.0, 2 * np.pi, 25)[1:]:
        target = (0.0, 0.5 * np.cos(start + turn), 0.5 * np.sin(start + turn))
        found = grip.to(target)
        assert found.distance < 1e-7, turn
        assert gap(found.model) < CLOSED
    for body in ("crank", "rocker"):
        before, after = space_frame(model, body), space_frame(found.model, body)
        assert after.r == pytest.approx(before.r, abs=1e-6)
        assert pytest.approx(before.R, abs=1e-6) == after.R


def test_along_the_line_of_sight_the_point_may_be_anywhere():
    model = spatial_four_bar()
    sight = np.array([0.6, 0.64, -0.48])
    goal = np.array([0.0, 0.5 * np.cos(2.0), 0.5 * np.sin(2.0)])  # on the circle of the tip
    found = Grip(model, "crank", (0.25, 0.0, 0.0)).to(goal + 3.0 * sight, sight=tuple(sight))
    assert tip(found.model) == pytest.approx(goal, abs=1e-6)
    assert gap(found.model) < CLOSED


def test_what_cannot_be_reached_is_approached_as_near_as_joints_allow():
    model = spatial_four_bar()
    found = Grip(model, "crank", (0.25, 0.0, 0.0)).to((5.0, 5.0, 0.0))
    assert tip(found.model) == pytest.approx((0.0, 0.5, 0.0), abs=1e-3)
    assert gap(found.model) < CLOSED


def test_a_body_may_be_asked_to_turn_and_the_rest_follows():
    model = spatial_four_bar()
    R = space_frame(model, "crank").R
    wanted = axis_angle.matrix(np.array([1.0, 0.0, 0.0]), 0.7) @ R
    found = Grip(model, "crank", (0.0, 0.0, 0.0)).turn_to(wanted)
    assert pytest.approx(wanted, abs=1e-8) == space_frame(found.model, "crank").R
    assert found.distance < 1e-8 and gap(found.model) < CLOSED
    across = axis_angle.matrix(np.array([0.0, 1.0, 0.0]), 0.7) @ R
    stuck = Grip(model, "crank", (0.0, 0.0, 0.0)).turn_to(across)
    assert stuck.distance > 0.3 and gap(stuck.model) < CLOSED


def test_nothing_moves_further_than_it_must():
    m = Mechanism(dim=3)
    first = m.box((0, 0, 0), 1, 1, 1)
    other = m.box((3, 0, 0), 1, 1, 1)
    m.spherical(first, other, (1.5, 0, 0))
    lone = m.box((0, 5, 0), 1, 1, 1)
    found = Grip(m.model, first, (0.0, 0.0, 0.0)).to((0.0, 0.3, 0.2))
    assert space_frame(found.model, first).place == pytest.approx((0.0, 0.3, 0.2), abs=1e-9)
    assert found.model[lone] is m.model[lone]
    assert gap(found.model) < CLOSED


def test_a_body_without_freedom_says_which_joints_hold_it():
    m = Mechanism(dim=3)
    box = m.box((0, 0, 0), 1, 1, 1)
    m.weld("ground", box, (0, 0, 0), id="glue")
    grip = Grip(m.model, box, (0.0, 0.0, 0.0))
    assert "'glue'" in grip.reason
    assert grip.to((1.0, 0.0, 0.0)).model is m.model


def test_a_body_placed_by_an_expression_stays():
    m = Mechanism(dim=3)
    m.parameter("a", 1.0)
    box = m.box((0, 0, 0), 1, 1, 1, position=("a", 0.0, 0.0))
    assert "expression" in Grip(m.model, box, (0.0, 0.0, 0.0)).reason


@pytest.mark.parametrize("body", ["box_1", "rod_1", "cylinder_1", "cylinder_2", "particle_1"])
def test_every_joint_stays_closed_whatever_is_dragged(body):
    model = everything_in_space()
    start = np.array(space_frame(model, body).place)
    found = Grip(model, body, (0.0, 0.0, 0.0)).to(tuple(start + np.array([0.2, -0.1, 0.15])))
    assert found.distance < 0.2
    assert gap(found.model) < CLOSED
    assemble(compile_model(found.model))  # and it can still be run
