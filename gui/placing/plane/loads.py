"""The arrows of given forces and torques as numbers: which way, how long."""

from math import cos, hypot, log10, sin
from typing import Any

from engine.errors import EngineError
from engine.formulas.expressions import value
from engine.formulas.functions import table
from gui.placing.plane.placement import Placement, Point

SHORTEST, PER_DECADE, LONGEST = 34.0, 26.0, 150.0  # pixels


def function_value(function: Any, t: float, constants: dict[str, float] | None = None) -> float:
    """A function of time at a moment; zero where it has no value."""
    if isinstance(function, int | float):
        return float(function)
    try:
        if isinstance(function, str):
            return value(function, {**(constants or {}), "t": t})
        knots, pieces = table(function, spline=True)
    except EngineError:
        return 0.0
    k = max(int((knots <= t).sum()) - 1, 0)
    x = t - float(knots[k])
    a = pieces[k]
    return float(a[0] + x * (a[1] + x * (a[2] + x * a[3])))


def constants_of(placement: Placement) -> dict[str, float]:
    """The parameters of a plain model by name."""
    return {p.id: float(p.value) for p in placement.model.of("parameter")}


def force_vector(placement: Placement, force: Any, t: float = 0.0) -> Point:
    """A given force at a moment, world axes [N]."""
    constants = (
        constants_of(placement) if isinstance(force.f_x, str) or isinstance(force.f_y, str) else {}
    )
    fx, fy = (function_value(f, t, constants) for f in (force.f_x, force.f_y))
    if force.axes == "body" and force.marker_i in placement.marker_index:
        body = placement.body_index[placement.body_of(force.marker_i)]
        phi = placement.pose.bodies[body][2]
        fx, fy = cos(phi) * fx - sin(phi) * fy, sin(phi) * fx + cos(phi) * fy
    return fx, fy


def arrow_length(size: float) -> float:
    """Pixels of the arrow of a force: longer by the same for each power of ten."""
    return min(SHORTEST + PER_DECADE * log10(1.0 + size), LONGEST)


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
