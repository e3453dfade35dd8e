"""Lines, planes and lines of sight in space, as plain tuples, to turn the mouse into a place."""

from collections.abc import Sequence
from math import atan2, cos, hypot, sin

from gui.placing.space.picks import Ray, SpacePick, Vec3
from gui.state.numbers import listed, written

X: Vec3 = (1.0, 0.0, 0.0)
Y: Vec3 = (0.0, 1.0, 0.0)
Z: Vec3 = (0.0, 0.0, 1.0)
AXES = {"x": X, "y": Y, "z": Z}
EDGE_ON = 0.05  # sine of the angle below which a plane is seen edge-on, or a line end-on
EXACT = 1e-9


def plus(a: Vec3, b: Vec3, times: float = 1.0) -> Vec3:
    """a + times b."""
    return a[0] + times * b[0], a[1] + times * b[1], a[2] + times * b[2]


def minus(a: Vec3, b: Vec3) -> Vec3:
    """a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def scaled(a: Vec3, factor: float) -> Vec3:
    """factor a."""
    return factor * a[0], factor * a[1], factor * a[2]


def dot(a: Vec3, b: Vec3) -> float:
    """a . b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vec3, b: Vec3) -> Vec3:
    """a x b."""
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


def norm(a: Vec3) -> float:
    """The length of a."""
    return hypot(*a)


def unit(a: Vec3) -> Vec3:
    """The direction of a, without rounding errors near an axis of the world."""
    size = norm(a)
    clean = [0.0 if abs(c) < EXACT * size else c / size for c in a]
    again = hypot(*clean)
    return clean[0] / again, clean[1] / again, clean[2] / again


def middle(a: Vec3, b: Vec3) -> Vec3:
    """Half way from a to b."""
    return scaled(plus(a, b), 0.5)


def on_plane(ray: Ray, at: Vec3, normal: Vec3) -> Vec3 | None:
    """Where the line of sight meets a plane; None where it is seen edge-on."""
    slope = dot(ray.direction, normal)
    if abs(slope) < EDGE_ON:
        return None
    t = dot(minus(at, ray.origin), normal) / slope
    return plus(ray.origin, ray.direction, t) if t > 0.0 else None


def on_line(ray: Ray, at: Vec3, axis: Vec3) -> tuple[float, float] | None:
    """How far along a line it is nearest to the line of sight, and how far apart they are there.

    None where the view is along the line.
    """
    c = dot(ray.direction, axis)
    square = 1.0 - c * c
    if square < EDGE_ON**2:
        return None
    way = minus(at, ray.origin)
    t = (c * dot(way, ray.direction) - dot(way, axis)) / square
    point = plus(at, axis, t)
    return t, off_sight(ray, point)


def off_sight(ray: Ray, point: Vec3) -> float:
    """The distance of a point from the line of sight."""
    way = minus(point, ray.origin)
    return norm(minus(way, scaled(ray.direction, dot(way, ray.direction))))


def facing(pick: SpacePick, start: SpacePick) -> Vec3:
    """Where the mouse is in the plane through its first place that faced the camera there."""
    return on_plane(pick.ray, start.point, start.ray.direction) or pick.point


def way_seen(start: SpacePick, end: SpacePick) -> float:
    """The displacement of the mouse at the depth where it began [m]."""
    depth = dot(minus(start.point, start.ray.origin), start.ray.direction)
    return off_sight(end.ray, plus(start.ray.origin, start.ray.direction, depth))


def plane_axes(normal: Vec3, along: Sequence[Vec3] = ()) -> tuple[Vec3, Vec3]:
    """Two axes u, v of a plane with u x v = normal: along a given direction, else level and upward."""
    lying = next((d for d in along if abs(dot(d, normal)) < 1e-6), None)
    if lying is None and abs(normal[2]) > 1.0 - 1e-6:
        lying = X
    if lying is not None:
        u = unit(minus(lying, scaled(normal, dot(lying, normal))))
        return u, cross(normal, u)
    v = unit(minus(Z, scaled(normal, normal[2])))
    return cross(v, normal), v


def angle_about(axis: Vec3, a: Vec3, b: Vec3) -> float:
    """The angle from a to b, both across the axis, about it."""
    return atan2(dot(cross(a, b), axis), dot(a, b))


def rotated(a: Vec3, axis: Vec3, angle: float) -> Vec3:
    """A vector turned about a unit axis."""
    across, along = cross(axis, a), scaled(axis, dot(axis, a))
    still = minus(a, along)
    return plus(plus(along, still, cos(angle)), across, sin(angle))


def axis_name(axis: Vec3) -> str:
    """A direction in a few letters: +x, -z, or its components."""
    for name, direction in AXES.items():
        c = dot(axis, direction)
        if abs(c) > 1.0 - 1e-6:
            return f"{'+' if c > 0.0 else '−'}{name}"
    return listed(written(c, 2, scale=1.0) for c in axis)


def rounded_to(value: float, step: float) -> float:
    """The nearest multiple of a step; the value itself for step 0."""
    return float(f"{round(value / step) * step:.12g}") + 0.0 if step else value


def nearest_axis(direction: Vec3) -> Vec3:
    """The axis of the world, with its sign, that is nearest to a direction."""
    k = max(range(3), key=lambda n: abs(direction[n]))
    signed = [0.0, 0.0, 0.0]
    signed[k] = 1.0 if direction[k] > 0.0 else -1.0
    return signed[0], signed[1], signed[2]


def view_axes(ray: Ray) -> tuple[Vec3, Vec3]:
    """The axes of the world that point most nearly to the right and upward on the screen."""
    d = ray.direction
    side = cross(d, Z)
    right = nearest_axis(side if norm(side) > EDGE_ON else X)
    up = cross(right, d)
    rest = minus(up, scaled(right, dot(up, right)))
    return right, nearest_axis(rest)
