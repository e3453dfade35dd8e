"""The arrows of given forces and torques in the plane: direction and length."""

from math import cos, hypot, sin
from typing import Any

from engine.kernels.layout import FORCE, TORQUE
from gui.placing.loads import arrow_length
from gui.placing.plane.placement import Placement, Point


def force_vector(placement: Placement, force: Any, t: float = 0.0) -> Point:
    """The given force of an element at a moment, world axes [N]."""
    x, y = 0.0, 0.0
    for given in placement.given.of(force.id, FORCE):
        fx, fy, _ = given.at(t)
        if given.load.in_body_axes and given.load.marker in placement.marker_index:
            body = placement.body_index[placement.body_of(given.load.marker)]
            phi = placement.pose.bodies[body][2]
            fx, fy = cos(phi) * fx - sin(phi) * fy, sin(phi) * fx + cos(phi) * fy
        x, y = x + fx, y + fy
    return x, y


def torque_value(placement: Placement, torque: Any, t: float = 0.0) -> float:
    """The given torque of an element about z at a moment [N m]."""
    return sum(given.at(t)[2] for given in placement.given.of(torque.id, TORQUE))


def load_arrow(
    placement: Placement, force: Any, pixel: float, t: float = 0.0
) -> tuple[Point, Point] | None:
    """Tail and head of the arrow of a force, in the world; along x while the force is zero."""
    if force.marker_i not in placement.marker_index:
        return None
    x, y, _ = placement.marker_at(force.marker_i)
    fx, fy = force_vector(placement, force, t)
    size = hypot(fx, fy)
    length = arrow_length(size) * pixel
    e = (fx / size, fy / size) if size > 0.0 else (1.0, 0.0)
    return (x, y), (x + length * e[0], y + length * e[1])
