"""Dragging keeps joints closed and the branch, reaches what can be reached, and says why it cannot."""

from dataclasses import replace
from math import atan2, cos, hypot, pi, radians, sin

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assets import example_paths
from assets.make_examples import four_bar
from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from engine.editing.edits.placing import body_frame, marker_frame
from engine.editing.edits.points import ground_joint_moved, joint_relocated, marker_moved
from engine.files.model_files import load
from engine.kernels.layout import POSITION
from engine.kinematics import dragging
from engine.kinematics.drag_parts import connected
from engine.kinematics.dragging import Grip, dragged
from engine.kinematics.evaluate import equations
from engine.model.elements import put

CLOSED = 1e-9  # metres: what a joint may be open after a drag
HIT = 1e-8  # metres: rounding of many short steps

PLANAR = [p for p in example_paths().values() if load(p).dim == 2]


def gap(model):
    """The largest |Phi| of all rows that hold positions."""
    compiled = compile_model(model)
    held = compiled.system.rows["level"] == POSITION
    found = equations(compiled, 0.0, compiled.q0, compiled.v0).Phi[held]
    return float(np.abs(found).max(initial=0.0))


def place(model, body, point):
    """Where a point of a body is."""
    return body_frame(model, body).to_world(point)


def parallelogram():
    """Two equal cranks and a coupler as long as the ground: it can change its branch when flat."""
    m = Mechanism("Parallelogram")
    ends = [(0.6 * cos(1.0) + x, 0.6 * sin(1.0)) for x in (0.0, 2.0)]
    left, right = (
        m.rod((0, 0), ends[0], mass=1.0, id="left"),
        m.rod((2, 0), ends[1], mass=1.0, id="right"),
    )
    bar = m.rod(*ends, mass=1.0, id="bar")
    m.revolute("ground", left, (0, 0), id="A")
    m.revolute("ground", right, (2, 0), id="B")
    m.revolute(left, bar, ends[0], id="C")
    m.revolute(right, bar, ends[1], id="D")
    return m.model


def test_a_crank_follows_the_mouse_round_with_all_joints_closed():
    model = four_bar().model
    grip = Grip(model, "crank", (0.5, 0.0))
    for degrees in range(60, 420, 12):
        target = (cos(radians(degrees)), sin(radians(degrees)))
        found = grip.to(target)
        assert found.distance < HIT
        assert place(found.model, "crank", (0.5, 0.0)) == pytest.approx(target, abs=HIT)
        assert gap(found.model) < CLOSED
    start, end = (model["rocker"].angle, found.model["rocker"].angle)
    assert grip.to((cos(radians(60)), sin(radians(60)))).model["rocker"].angle == pytest.approx(
        start
    )
    assert start - 0.2 < end < start + 0.2  # back where it began, on the same branch


def test_a_target_out_of_reach_is_approached_as_far_as_the_joints_allow():
    model = four_bar().model
    found = dragged(model, "crank", (0.5, 0.0), (5.0, 5.0))
    assert gap(found.model) < CLOSED
    # The crank pin goes round a circle of radius 1, so the nearest point is towards the target.
    assert place(found.model, "crank", (0.5, 0.0)) == pytest.approx(
        (cos(pi / 4), sin(pi / 4)), abs=1e-3
    )
    assert found.distance == pytest.approx(hypot(5.0, 5.0) - 1.0, abs=1e-5)


@pytest.mark.parametrize("path", PLANAR, ids=lambda p: p.stem)
def test_every_example_can_be_dragged_or_says_why_not(path):
    model = load(path)
    moving = [b for b in model.of("body") if not b.fixed]
    for body in moving[:: 1 + len(moving) ** 2 // 300]:
        grip = Grip(model, body.id, (0.013, 0.004))
        before = grip.to(place(model, body.id, (0.013, 0.004))).model
        found = grip.to((0.31, 0.17))
        if found.reason:
            assert found.model is model and "'" in found.reason and found.reason.endswith(".")
            # nothing else in the gallery leaves a body no freedom
            assert model.of("motion") or any(joint.kind == "weld" for joint in model.of("joint"))
        else:
            assert gap(found.model) < CLOSED
            assert compile_model(found.model).length > 0.0
        assert before is model or gap(before) < CLOSED


def test_long_chains_are_dragged_by_sparse_matrices_as_short_ones_by_dense_ones(monkeypatch):
    m, last = Mechanism("chain"), "ground"
    for k in range(12):
        link = m.rod((0.1 * k, 0.0), (0.1 * k + 0.1, 0.01 * (k % 3)), mass=1.0, id=f"link_{k}")
        m.revolute(last, link, at=(0.1 * k, 0.0))
        last = link
    m.massless_rod(("ground", (0.5, 1.0)), ("link_5", (0.55, 0.0)))
    found = []
    for limit in (dragging.WATCHED, 0):
        monkeypatch.setattr(dragging, "WATCHED", limit)
        grip = Grip(m.model, "link_11", (0.05, 0.0))
        assert (grip.rows is not None) == (limit == 0)
        found.append(grip.to((0.6, 0.5)))
    dense, sparse = found
    assert gap(sparse.model) < CLOSED and sparse.distance == pytest.approx(0.0, abs=HIT)
    for one, other in zip(dense.model.of("body"), sparse.model.of("body")):
        assert one.position == pytest.approx(other.position, abs=1e-9)


def test_a_parallelogram_passes_its_flat_pose_without_changing_its_branch():
    model = parallelogram()
    grip = Grip(model, "left", (0.3, 0.0))
    for degrees in range(58, 400, 3):
        angle = radians(degrees)
        found = grip.to((0.6 * cos(angle), 0.6 * sin(angle)))
        left, right = found.model["left"].angle, found.model["right"].angle
        assert abs(atan2(sin(left - right), cos(left - right))) < 1e-6  # they stay parallel
        assert gap(found.model) < CLOSED


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(st.floats(-3.0, 5.0), st.floats(-3.0, 4.0)), min_size=1, max_size=4),
    st.sampled_from(["crank", "coupler", "rocker"]),
    st.tuples(st.floats(-0.4, 0.4), st.floats(-0.1, 0.1)),
)
def test_no_series_of_drags_opens_a_joint_or_flips_a_four_bar(targets, body, point):
    model = four_bar().model
    grip = Grip(model, body, point)
    for target in targets:
        found = grip.to(target).model
        assert gap(found) < CLOSED
        crank_pin, rocker_pin = (marker_frame(found, found[j].marker_j) for j in ("B", "C"))
        # The coupler triangle (crank pin, rocker pin, rocker foot) keeps its sense of turning.
        dx, dy = rocker_pin.x - crank_pin.x, rocker_pin.y - crank_pin.y
        assert dx * (0.0 - crank_pin.y) - dy * (3.0 - crank_pin.x) < 0.0


def test_a_structure_stays_and_the_joints_that_hold_it_are_named():
    m = Mechanism()
    rod = m.rod((0, 0), (1, 0), mass=1.0, id="beam")
    m.revolute("ground", rod, (0, 0), id="A")
    m.revolute("ground", rod, (1, 0), id="B")
    found = dragged(m.model, "beam", (0.0, 0.0), (0.5, 0.5))
    assert found.model is m.model
    assert "'A'" in found.reason and "'B'" in found.reason


def test_a_motion_of_position_holds_and_a_motion_of_speed_does_not():
    m = four_bar()
    m.motion("A", "2*t", "speed", id="drive")
    assert dragged(m.model, "crank", (0.5, 0.0), (0.0, 1.0)).distance < HIT
    held = four_bar()
    held.motion("A", "t", "position", id="drive")  # the angle of a joint is zero as drawn
    assert "'drive'" in dragged(held.model, "crank", (0.5, 0.0), (0.0, 1.0)).reason


def test_a_fixed_body_and_one_placed_by_an_expression_say_so():
    m = Mechanism()
    m.box((0, 0), id="wall", fixed=True)
    m.parameter("x0", 0.3)
    box = m.box((0, 0), id="block")
    model = put(m.model, replace(m.model[box], position=("x0", 0.0)))
    assert "fixed" in dragged(model, "wall", (0, 0), (1, 1)).reason
    assert "expression" in dragged(model, "block", (0, 0), (1, 1)).reason


def test_a_joint_that_is_drawn_open_holds_nothing_until_it_is_closed():
    m = Mechanism()
    a, b = m.rod((0, 0), (1, 0), mass=1.0, id="a"), m.rod((2, 0), (3, 0), mass=1.0, id="b")
    m.revolute("ground", a, (0, 0))
    joint = m.revolute(a, b, (1, 0), id="J")
    model = marker_moved(m.model, m.model[joint].marker_j, (2.0, 0.0))
    found = dragged(model, "b", (-0.5, 0.0), (1.0, 0.0))
    assert found.distance < HIT and gap(found.model) < CLOSED


def test_only_what_is_tied_to_a_body_moves_with_it():
    model = four_bar().model
    m = Mechanism()
    m.model = model
    lone = m.rod((0, -2), (1, -2), mass=1.0, id="lone")
    assert connected(m.model, "crank") == {"crank", "coupler", "rocker"}
    assert connected(m.model, lone) == {lone}
    found = dragged(m.model, "crank", (0.5, 0.0), (0.0, 1.0)).model
    assert found["lone"] is m.model["lone"]


def test_a_model_with_a_fault_elsewhere_can_still_be_dragged():
    m = four_bar()
    m.spring(("ground", (0, 2)), ("rocker", (3, 1)), stiffness="no_such_name", id="bad")
    assert dragged(m.model, "crank", (0.5, 0.0), (0.0, 1.0)).distance < HIT


def test_the_pin_of_a_pendulum_carries_it_and_that_of_a_four_bar_bends_it():
    m = Mechanism()
    rod = m.rod((0, 0), (1, 0), mass=1.0, id="rod")
    m.revolute("ground", rod, (0, 0), id="A")
    moved = ground_joint_moved(m.model, "A", (0.2, 0.3)).model
    assert moved["rod"].position == pytest.approx((0.7, 0.3)) and moved["rod"].angle == 0.0
    bar = four_bar().model
    found = ground_joint_moved(bar, "A", (0.3, 0.2))
    assert not found.reason and gap(found.model) < CLOSED
    assert marker_frame(found.model, found.model["A"].marker_j)[:2] == pytest.approx((0.3, 0.2))
    far = ground_joint_moved(bar, "A", (-9.0, 0.0))
    assert far.reason and gap(far.model) < CLOSED and far.distance > 1.0


def test_a_relocated_joint_changes_its_rods_and_leaves_all_other_points():
    model = four_bar().model
    here = {j: marker_frame(model, model[j].marker_j)[:2] for j in "ACD"}
    new = joint_relocated(model, "B", (0.2, 1.4))
    assert gap(new) < CLOSED
    assert new["crank"].shape.length == pytest.approx(hypot(0.2, 1.4))
    assert marker_frame(new, new["B"].marker_j)[:2] == pytest.approx((0.2, 1.4))
    for joint, at in here.items():
        assert marker_frame(new, new[joint].marker_j)[:2] == pytest.approx(at)
    assert new["crank"].mass == 1.0  # what was given stays given


def test_a_corner_of_a_plate_moves_with_the_joint_in_it():
    m = Mechanism()
    plate = m.polygon([(0, 0), (1, 0), (0, 1)], id="plate")
    m.revolute("ground", plate, (1, 0), id="A")
    new = joint_relocated(m.model, "A", (1.5, 0.2))
    corners = [place(new, "plate", p) for p in new["plate"].shape.points]
    assert corners[1] == pytest.approx((1.5, 0.2)) and corners[0] == pytest.approx((0.0, 0.0))


def test_the_end_of_a_spring_can_be_hung_on_another_body():
    m = four_bar()
    spring = m.spring(("ground", (1, 2)), ("rocker", (3, 1)), id="spring")
    end = m.model[spring].marker_i
    new = marker_moved(m.model, end, (1.0, 1.5), "coupler")
    assert new[end].body == "coupler"
    assert marker_frame(new, end)[:2] == pytest.approx((1.0, 1.5))
    assert marker_frame(new, end).angle == pytest.approx(marker_frame(m.model, end).angle)
