"""The outlines of bodies as numbers: is a point on one, which points can be snapped to, how far it goes.

All in the body frame, in metres. The same rules give what is drawn.
"""

from math import hypot
from typing import Any

Point = tuple[float, float]

SLENDER = 0.02  # width of a rod per length: a thinner one is drawn as a link, in pixels
LINK = 7.0  # half the width of such a link in pixels, and of any rod at least


def is_link(shape: Any, pixel: float = 0.0) -> bool:
    """Whether a shape is a rod so slender that it is drawn with a fixed width on the screen.

    That depends on the zoom: no rod is drawn thinner than a link.
    """
    if shape is None or shape.kind != "rod":
        return False
    return bool(shape.width < max(SLENDER * shape.length, 2.0 * LINK * pixel))


def half_width(rod: Any) -> float:
    """Half of the width with which a rod is drawn in metres; zero for a link."""
    return 0.0 if is_link(rod) else float(rod.width) / 2


def contains(shape: Any, x: float, y: float, tolerance: float = 0.0) -> bool:
    """Whether a point lies on the shape, or no further from it than the tolerance."""
    if shape.kind == "disc":
        return hypot(x, y) <= shape.radius + tolerance
    if shape.kind == "rod":
        beyond = max(abs(x) - shape.length / 2, 0.0)
        return hypot(beyond, y) <= half_width(shape) + tolerance
    if shape.kind == "box":
        dx, dy = abs(x) - shape.width / 2, abs(y) - shape.height / 2
        return hypot(max(dx, 0.0), max(dy, 0.0)) <= tolerance
    corners = list(shape.points)
    if not corners:
        return False
    inside = False
    for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1]):
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) / (y1 - y0) * (x1 - x0):
            inside = not inside
        if distance_to_line((x, y), (x0, y0), (x1, y1)) <= tolerance:
            return True
    return inside


def corners(shape: Any) -> list[Point]:
    """The points of a shape that people join at: ends of a rod, corners, nothing on a disc."""
    if shape.kind == "rod":
        return [(-shape.length / 2, 0.0), (shape.length / 2, 0.0)]
    if shape.kind == "box":
        w, h = shape.width / 2, shape.height / 2
        return [(-w, -h), (w, -h), (w, h), (-w, h)]
    return [] if shape.kind == "disc" else [(float(x), float(y)) for x, y in shape.points]


def middles(shape: Any) -> list[Point]:
    """The middles of straight edges, and the four outermost points of a disc."""
    if shape.kind == "disc":
        r = shape.radius
        return [(r, 0.0), (0.0, r), (-r, 0.0), (0.0, -r)]
    if shape.kind == "rod":
        return []
    c = corners(shape)
    return [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in zip(c, c[1:] + c[:1])]


def reach(shape: Any) -> tuple[float, float, float, float]:
    """The rectangle around a shape: left, bottom, right, top."""
    if shape.kind == "disc":
        r = shape.radius
        return -r, -r, r, r
    if shape.kind == "rod":
        w = half_width(shape)
        return -shape.length / 2 - w, -w, shape.length / 2 + w, w
    around = corners(shape) or [(0.0, 0.0)]
    xs, ys = zip(*around)
    return min(xs), min(ys), max(xs), max(ys)


def distance_to_line(p: Point, a: Point, b: Point) -> float:
    """How far a point is from the straight piece between two others."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    u = 0.0
    if square > 0.0:
        u = min(max(((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square, 0.0), 1.0)
    return hypot(p[0] - a[0] - u * dx, p[1] - a[1] - u * dy)
