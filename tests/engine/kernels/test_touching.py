"""Where shapes touch: distances as geometry says, and normals that are their gradients."""

from math import cos, hypot, pi, sin

import numpy as np
import pytest

from engine.kernels.acting import curves, overlap, touching
from engine.model.forces.curves import smooth_nodes
from engine.model.shapes import Box, Capsule, Cylinder

UPRIGHT = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
SIZES = {  # kind, number, sizes of the kernels; the shape whose distance is computed elsewhere
    "box": (touching.BOX, 0.0, (0.3, 0.2, 0.1), Box(width=0.6, height=0.4, thickness=0.2)),
    "cylinder": (touching.CYLINDER, 0.2, (0.25, 0.0, 0.0), Cylinder(radius=0.2, length=0.5)),
    "capsule": (touching.CAPSULE, 0.2, (0.25, 0.0, 0.0), Capsule(radius=0.2, length=0.5)),
}


def met(kind, number, size, p, r_j=0.0, points=(), R=UPRIGHT):
    """Depth, normal and point of contact of a ball at p."""
    param = np.zeros(32)
    param[[touching.SHAPE, touching.NUMBER, touching.R_J]] = kind, number, r_j
    param[touching.SIZE : touching.SIZE + 3] = size
    flat = np.array(points, dtype=float).ravel()
    return touching.meet(param, flat, len(flat) // 2, tuple(map(float, p)), R)


@pytest.mark.parametrize("name", SIZES)
def test_balls_are_as_far_from_solids_as_shapes_say_and_normals_are_gradients(name):
    kind, number, size, shape = SIZES[name]
    rng = np.random.default_rng(3)
    for p in rng.uniform(-0.6, 0.6, (200, 3)):
        depth, n, c = met(kind, number, size, p, r_j=0.05)
        assert max(shape.distance(p), 0.0) == pytest.approx(max(0.05 - depth, 0.0), abs=1e-12)
        assert np.linalg.norm(n) == pytest.approx(1.0, abs=1e-12)
        # differences of a distance, whose error is h times a curvature of some 1/m
        h = 1e-6
        slope = [
            (met(kind, number, size, p + e)[0] - met(kind, number, size, p - e)[0]) / (2 * h)
            for e in h * np.eye(3)
        ]
        if np.linalg.norm(slope) > 0.99:  # else p is within h of an edge between two faces
            assert -np.array(slope) == pytest.approx(n, abs=1e-5)
        # the point lies on the normal through the middle of the ball
        assert np.cross(np.subtract(p, c), n) == pytest.approx((0.0, 0.0, 0.0), abs=1e-12)


def test_a_rim_touches_a_plane_at_its_lowest_point_and_two_more():
    # an axis that leans by 0.3 from the vertical: the lowest point is rho sin 0.3 below the middle
    axis, param = 0.2 * np.array([sin(0.3), 0.0, cos(0.3)]), np.zeros(32)
    param[touching.NUMBER] = 2.0
    param[touching.RIM : touching.RIM + 3] = axis
    depths = []
    for turn in (0.0, 2 * pi / 3, -2 * pi / 3):
        param[touching.SIZE : touching.SIZE + 2] = cos(turn), sin(turn)
        depth, n, c = touching.meet(param, np.zeros(0), 0, (0.0, 0.0, 0.1), UPRIGHT)
        assert n == (0.0, 0.0, 1.0)
        assert np.dot(np.subtract(c, (0.0, 0.0, 0.1)), axis) == pytest.approx(0.0, abs=1e-15)
        depths.append(depth)
    assert depths[0] == pytest.approx(0.2 * sin(0.3) - 0.1, abs=1e-15)
    assert depths[1:] == pytest.approx([-0.1 * sin(0.3) - 0.1] * 2, abs=1e-15)


def test_a_flat_rim_touches_at_three_points_around_its_middle():
    param, points = np.zeros(32), []
    param[touching.NUMBER] = 2.0
    param[touching.RIM + 2] = 0.2
    for turn in (0.0, 2 * pi / 3, -2 * pi / 3):
        param[touching.SIZE : touching.SIZE + 2] = cos(turn), sin(turn)
        points.append(touching.meet(param, np.zeros(0), 0, (0.3, 0.0, 0.0), UPRIGHT)[2])
    assert np.mean(points, axis=0) == pytest.approx((0.3, 0.0, 0.0), abs=1e-15)


def test_a_smooth_curve_through_points_of_a_circle_is_that_circle():
    angles = np.linspace(0.0, 2 * pi, 48, endpoint=False)
    nodes = smooth_nodes(np.column_stack([np.cos(angles), np.sin(angles)]).tolist(), closed=True)
    flat = np.array(nodes).ravel()
    rng = np.random.default_rng(5)
    for p in rng.uniform(-1.6, 1.6, (100, 2)):
        away = hypot(*p)
        if away < 0.2:  # near the middle every point of the circle is nearest
            continue
        s, n = curves.from_curve(flat, 48, True, (*p, 0.0))
        # a spline is true to h^4 times a fourth derivative: (2 pi/48)^4/384 = 8e-7
        assert s == pytest.approx(away - 1.0, abs=2e-6)
        assert n == pytest.approx((*(p / away), 0.0), abs=2e-4)


def test_roads_go_on_straight_beyond_their_ends():
    flat = np.array(smooth_nodes([(2.0, 0.0), (1.0, 0.3), (0.0, 0.0)], closed=False)).ravel()
    _, n = curves.from_curve(flat, 3, False, (4.0, 1.0, 0.0))
    s, m = curves.from_curve(flat, 3, False, (5.0, 1.0, 0.0))
    assert n == pytest.approx(m, abs=1e-12) and s > 0.0
    chain = np.array([(2.0, 0.0), (1.0, 0.0), (0.0, 1.0)]).ravel()
    assert curves.from_chain(chain, 3, (9.0, 0.5, 0.0))[0] == pytest.approx(0.5)
    assert curves.from_chain(chain, 3, (1.0, -0.5, 0.0))[0] < 0.0
    assert curves.from_chain(chain, 3, (-1.0, 2.5, 0.0))[0] == pytest.approx(0.5**0.5 / 2)


SQUARE = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))


@pytest.mark.parametrize(
    "d, turn, depth, normal, point",
    [
        ((0.0, 0.9), 0.0, 0.1, (0.0, 1.0), (0.0, 0.45)),  # a face on a face, flush at both sides
        # beside each other the shared area, 0.8 x 0.1, also shrinks if the upper one moves on
        ((0.2, 0.9), 0.0, 0.08 / 0.65**0.5, (0.1 / 0.65**0.5, 0.8 / 0.65**0.5), (0.1, 0.45)),
        ((0.0, 0.5 + 0.5 * 2**0.5 - 0.1), pi / 4, 0.05, (0.0, 1.0), (0.0, 0.5 - 0.1 / 3)),  # a tip
        ((0.3, 1.3), 0.0, -0.3, (0.0, 1.0), None),  # apart
    ],
)
def test_squares_press_by_the_area_they_share(d, turn, depth, normal, point):
    R = ((cos(turn), -sin(turn), 0.0), (sin(turn), cos(turn), 0.0), (0.0, 0.0, 1.0))
    flat = np.array([*SQUARE, *SQUARE]).ravel()
    found, n, c = overlap.meet(flat, 4, 4, (*d, 0.0), R)
    assert found == pytest.approx(depth, abs=1e-12)
    assert n[:2] == pytest.approx(normal, abs=1e-12)
    if point is not None:
        assert c[:2] == pytest.approx(point, abs=1e-12)


def test_the_shared_area_changes_with_its_normal_and_width():
    # depth = A/|L| and dA = -|L| n.dd, by differences of A = depth |L| for a turned square
    turn = 0.4
    R = ((cos(turn), -sin(turn), 0.0), (sin(turn), cos(turn), 0.0), (0.0, 0.0, 1.0))
    flat, d, h = np.array([*SQUARE, *SQUARE]).ravel(), np.array([0.15, 1.05, 0.0]), 1e-6

    def area(at):
        return sum(
            overlap.sums(flat, a, 4, moved, b, 4, 0.0, 0.0, tuple(at), R)[0] / 2
            for a, moved, b in ((0, False, 4), (4, True, 0))
        )

    _, n, _ = overlap.meet(flat, 4, 4, tuple(d), R)
    *_, lx, ly = overlap.sums(flat, 4, 4, True, 0, 4, 0.0, 0.0, tuple(d), R)
    slope = [(area(d + e) - area(d - e)) / (2 * h) for e in h * np.eye(3)[:2]]
    assert -hypot(lx, ly) * np.array(n[:2]) == pytest.approx(slope, abs=1e-8)
