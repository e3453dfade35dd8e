"""Picking and snapping without a window: what lies under the mouse, and what catches it first."""

from itertools import pairwise
from math import cos, pi, radians, sin

import numpy as np
import pytest

from assets.make_examples import crane_trolley, four_bar
from engine.editing.builder import Mechanism
from engine.formulas.lenient import PlainNumbers, lenient
from gui.placing.plane.picks import bodies_at, element_at, extent, in_box, pick_at
from gui.placing.plane.placement import Placement, between_frames
from gui.placing.plane.snapping import KINDS, Snap, anchors, grid_step, nice_step, snap

PIXEL = 0.005  # metres


def placed(mechanism):
    """The placement of a mechanism as drawn."""
    return Placement(lenient(mechanism.model))


def caught(mechanism, x, y, **more):
    """Where the mouse snaps to."""
    return snap(anchors(placed(mechanism)), x, y, PIXEL, **more)


def box_and_rod():
    """A box with a corner at (1, 1), and a rod that begins at the origin."""
    m = Mechanism()
    m.box((1.2, 1.1), 0.4, 0.2, id="box")
    m.rod((0, 0), (0, 2), mass=1.0, id="rod")
    return m


def test_a_joint_wins_over_a_nearer_body_point_centre_middle_and_grid():
    m = box_and_rod()
    m.rod((0, 0), (1, 0), mass=1.0, id="other")
    m.revolute("rod", "other", (0.02, 0.0), id="pin")
    found = caught(m, 0.001, 0.0, grid=0.1)  # nearer to the end of the rod, and to the grid
    assert (found.kind, found.joint) == ("joint", "pin")
    assert (found.x, found.y) == pytest.approx((0.02, 0.0))
    assert found.marker in (m.model["pin"].marker_i, m.model["pin"].marker_j)


def test_points_win_over_centres_centres_over_middles_and_middles_over_the_grid():
    m = box_and_rod()
    m.marker("box", (1.21, 1.1), id="spot")
    assert caught(m, 1.2, 1.1, grid=0.1).kind == "point"  # the marker, though the centre is nearer
    assert caught(m, 1.16, 1.1, grid=0.1).kind == "center"
    assert caught(m, 1.203, 1.199, grid=0.1)[:3] == (1.2, pytest.approx(1.2), "middle")
    assert caught(m, 0.501, 0.502, grid=0.1)[:3] == (0.5, 0.5, "grid")
    assert KINDS == ("joint", "point", "center", "middle")


def test_far_from_everything_the_mouse_is_aligned_with_other_points_or_left_alone():
    m = box_and_rod()
    found = caught(m, 0.62, 2.01)
    assert found.kind == "guide" and found.y == 2.0 and found.x == 0.62
    assert found.guides[0] == (pytest.approx((0.0, 2.0)), (0.62, 2.0))
    both = caught(m, 1.01, 2.01)
    assert (both.x, both.y) == (1.0, 2.0) and len(both.guides) == 2
    assert caught(m, 0.62, 1.61) == Snap(0.62, 1.61)


def test_the_nearest_of_several_joints_catches_the_mouse():
    m = four_bar()
    assert caught(m, 0.03, 0.01).joint == "A"
    assert caught(m, 2.98, 0.01).joint == "D"


def test_a_thing_does_not_snap_to_itself():
    m = four_bar()
    left = anchors(placed(m), without=("crank", "A", "B"))
    assert all(a.joint not in ("A", "B") or a.marker == m.model["B"].marker_j for a in left)
    assert snap(left, 0.0, 0.0, PIXEL).kind == "guide"  # level with the other pin on the ground


def test_snapped_places_carry_no_rounding_of_turned_bodies_or_of_the_grid():
    found = caught(box_and_rod(), 0.001, 0.002)  # the lower end of an upright rod
    assert (found.kind, found.x, found.y) == ("point", 0.0, 0.0)
    assert caught(Mechanism(), 0.301, 0.701, grid=0.1)[:2] == (0.3, 0.7)


def test_the_grid_follows_the_zoom_in_steps_of_one_two_and_five():
    assert nice_step(0.3) == pytest.approx(0.5) and nice_step(2.0) == pytest.approx(2.0)
    steps = [grid_step(10.0**-n) for n in range(1, 6)]
    assert all(a > 4 * b for a, b in pairwise(steps))
    for pixel in (1e-4, 2.3e-3, 0.7):
        assert 14.0 <= grid_step(pixel) / pixel <= 14.0 * 2.5


def test_a_click_on_a_pin_means_the_joint_and_beside_it_the_body():
    p = placed(four_bar())
    assert element_at(p, 0.0, 8 * PIXEL, PIXEL) == "A"
    x, y = 0.5 * cos(radians(60)), 0.5 * sin(radians(60))
    assert element_at(p, x, y, PIXEL) == "crank"
    assert element_at(p, 1.5, -0.5, PIXEL) == ""


def test_slender_links_can_be_hit_with_some_pixels_of_tolerance_at_every_zoom():
    p = placed(four_bar())
    along, across = (cos(radians(60)), sin(radians(60))), (-sin(radians(60)), cos(radians(60)))
    for pixel in (1e-4, 1e-3, 5e-3):
        inside = [0.5 * a + 5 * pixel * b for a, b in zip(along, across)]
        outside = [0.5 * a + 9 * pixel * b for a, b in zip(along, across)]
        assert element_at(p, *inside, pixel) == "crank"
        assert element_at(p, *outside, pixel) == ""


def test_of_bodies_on_each_other_the_one_made_last_is_on_top_and_fixed_ones_are_below():
    m = Mechanism()
    m.box((0, 0), 1.0, 1.0, id="lowest")
    m.box((0, 0), 1.0, 1.0, id="middle")
    m.box((0, 0), 1.0, 1.0, id="wall", fixed=True)
    assert bodies_at(placed(m), 0.1, 0.1, PIXEL) == ("middle", "lowest", "wall")
    assert bodies_at(placed(m), 0.1, 0.1, PIXEL, hidden=("middle",)) == ("lowest", "wall")


@pytest.mark.parametrize(
    ("place", "on"), [((0.0, 0.44), True), ((0.0, 0.52), False), ((0.95, 0.02), True)]
)
def test_the_outline_of_a_plate_counts_not_its_rectangle(place, on):
    m = Mechanism()
    m.polygon([(-1, 0), (1, 0), (0, 0.5)], id="plate")
    assert (bodies_at(placed(m), *place, 1e-3) == ("plate",)) is on


def test_springs_motors_and_arrows_can_be_picked():
    m = crane_trolley()
    m.motion("hinge", "t", id="motor")
    m.force("load", (0.366, -0.5), (10.0, 0.0), id="push")
    p = placed(m)
    assert element_at(p, -1.4, 0.02, PIXEL) == "wall"
    assert element_at(p, -0.5, 17 * PIXEL, PIXEL) == "motor"
    assert element_at(p, 0.366 + 40 * PIXEL, -0.5, PIXEL) == "push"


def test_a_pick_names_the_bodies_under_the_point_it_snapped_to():
    m = four_bar()
    p = placed(m)
    near = anchors(p)
    x, y = cos(radians(60)), sin(radians(60))
    found = pick_at(p, x + 6 * PIXEL, y, PIXEL, snap(near, x + 6 * PIXEL, y, PIXEL))
    assert found.snapped and found.snap_kind == "joint" and found.joint == "B"
    assert set(found.bodies) == {"crank", "coupler"} and found.bodies[0] == "coupler"
    assert (found.x, found.y) == pytest.approx((x, y))


def test_a_box_takes_what_lies_wholly_inside():
    p = placed(four_bar())
    found = in_box(p, (-0.2, 1.2), (0.7, -0.2))
    assert found == ("crank", "A", "B")
    assert set(in_box(p, (-9, -9), (9, 9))) == {"crank", "coupler", "rocker", "A", "B", "C", "D"}
    assert in_box(p, (-9, -9), (9, 9), hidden=("A",)) == (
        "crank",
        "coupler",
        "rocker",
        "B",
        "C",
        "D",
    )


def test_expressions_without_a_value_are_drawn_with_defaults():
    m = Mechanism()
    m.parameter("l", 2.0)
    m.rod((0, 0), (1, 0), mass=1.0, id="good", width="l/20")
    m.box((0, 1), id="bad", width="no_such_name", mass="l*2")
    plain = lenient(m.model)
    assert plain["good"].shape.width == pytest.approx(0.1)
    assert plain["bad"].shape.width == 0.2  # the default of a box
    Placement(plain)


def test_only_what_changed_is_resolved_again():
    m = four_bar()
    numbers = PlainNumbers()
    first = numbers.of(m.model)
    m.rod((0, -1), (1, -1), mass="1+1", id="new")
    second = numbers.of(m.model)
    assert second["new"].mass == 2.0
    assert all(second[id] is first[id] for id in first.elements)


def test_between_two_frames_a_pose_follows_the_velocities():
    t = np.array([0.0, 0.5, 1.0])
    q, v = np.sin(2 * t)[:, None], 2 * np.cos(2 * t)[:, None]
    for time in (0.0, 0.13, 0.5, 0.77, 1.0, 1.5):
        row = between_frames(time, t, q, v)
        # cubic pieces over h = 0.5 of sin 2t:  h^4 / 384 max |x''''| = 0.0026
        assert row[0] == pytest.approx(np.sin(2 * min(time, 1.0)), abs=3e-3)


def test_a_body_without_shape_is_picked_on_its_arms():
    m = Mechanism()
    m.body((0, 0), mass=1.0, inertia=1.0, id="star")
    m.marker("star", (1.0, 0.0))
    assert bodies_at(placed(m), 0.5, 0.01, 4 * PIXEL) == ("star",)
    assert bodies_at(placed(m), -0.5, 0.01, 4 * PIXEL) == ()


def test_turned_bodies_are_hit_where_they_are():
    m = Mechanism()
    m.box((1, 1), 2.0, 0.1, angle=pi / 2, id="post")
    assert bodies_at(placed(m), 1.0, 1.9, 0.0) == ("post",)
    assert bodies_at(placed(m), 1.9, 1.0, 0.0) == ()


def test_a_joint_of_one_point_is_where_its_point_is():
    m = box_and_rod()
    id = m.constraint("rod", (0.0, 2.0), formula="y - 2")
    here = placed(m)
    assert extent(here, here.model[id]) == [pytest.approx((0.0, 2.0))]


def test_beside_the_drawing_of_a_motor_its_crank_is_meant():
    m = Mechanism()
    m.rod((0, 0), (0.24, 0), mass=1.0, id="crank")  # 48 pixels long
    m.motion(m.revolute("ground", "crank", (0, 0), id="pin"), "t", id="motor")
    where = {x: element_at(placed(m), x * PIXEL, 0.0, PIXEL) for x in (0, 16, 25, 40)}
    assert where == {0: "pin", 16: "motor", 25: "crank", 40: "crank"}
