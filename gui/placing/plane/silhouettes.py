"""The outlines of bodies as numbers: containment, points to snap to, extents.

All in the body frame, in metres. The drawing follows the same rules.
"""

from collections.abc import Callable
from itertools import pairwise
from math import hypot, sqrt
from typing import Any, NamedTuple

import numpy as np

from engine.model.fields import plain
from engine.model.shapes import Beam, Box, Disc, Part, Polygon, Polyline, Rod, Shape
from engine.model.solids import hull

Point = tuple[float, float]

SLENDER = 0.02  # width of a rod per length: a thinner one is drawn as a link, in pixels
LINK = 6.0  # half the width of such a link in pixels, and of any rod at least


def is_link(shape: Any, pixel: float = 0.0) -> bool:
    """Whether a shape is a rod so slender that it is drawn with a fixed width on the screen.

    That depends on the zoom: no rod is drawn thinner than a link.
    """
    if not isinstance(shape, Rod):
        return False
    return plain(shape.width) < max(SLENDER * plain(shape.length), 2.0 * LINK * pixel)


def half_width(rod: Any) -> float:
    """Half of the width with which a rod is drawn in metres; zero for a link."""
    return 0.0 if is_link(rod) else float(rod.width) / 2


class Silhouette(NamedTuple):
    """The numbers of one planar shape."""

    reach: tuple[float, float, float, float]  # the rectangle around it: left, bottom, right, top
    away: Callable[[float, float], float]  # how far a point lies off it; 0 on it
    corners: tuple[Point, ...] = ()  # points that people join at
    middles: tuple[Point, ...] = ()  # middles of straight edges, outermost points of a round one


def _rod(shape: Any) -> Silhouette:
    """A bar with round ends; people join at both ends."""
    end, w = float(shape.length) / 2, half_width(shape)

    def away(x: float, y: float) -> float:
        return max(hypot(max(abs(x) - end, 0.0), y) - w, 0.0)

    return Silhouette((-end - w, -w, end + w, w), away, ((-end, 0.0), (end, 0.0)))


def _box(shape: Any) -> Silhouette:
    """A rectangle; people join at its corners."""
    w, h = float(shape.width) / 2, float(shape.height) / 2

    def away(x: float, y: float) -> float:
        return hypot(max(abs(x) - w, 0.0), max(abs(y) - h, 0.0))

    corners = ((-w, -h), (w, -h), (w, h), (-w, h))
    return Silhouette((-w, -h, w, h), away, corners, _between(corners))


def _disc(shape: Any) -> Silhouette:
    """A circle; it has no corners."""
    r = float(shape.radius)

    def away(x: float, y: float) -> float:
        return max(hypot(x, y) - r, 0.0)

    return Silhouette((-r, -r, r, r), away, (), ((r, 0.0), (0.0, r), (-r, 0.0), (0.0, -r)))


def _polygon(shape: Any) -> Silhouette:
    """Any outline; people join at its corners."""
    corners = tuple((float(x), float(y)) for x, y in shape.points)
    xs, ys = zip(*(corners or ((0.0, 0.0),)))

    def away(x: float, y: float) -> float:
        return _away_from_polygon(corners, x, y)

    return Silhouette((min(xs), min(ys), max(xs), max(ys)), away, corners, _between(corners))


def _polyline(shape: Any) -> Silhouette:
    """Bars from corner to corner; people join at the corners, and at the middles of bars."""
    w = float(shape.width) / 2
    points = tuple((float(p[0]), float(p[1])) for p in shape.points)
    pieces = [(a, b) for a, b in pairwise(points) if a != b]
    xs, ys = zip(*(points or ((0.0, 0.0),)))

    def away(x: float, y: float) -> float:
        gaps = (distance_to_line((x, y), a, b) for a, b in pieces)
        return max(min(gaps, default=hypot(x, y)) - w, 0.0)

    middles = ((((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)) for a, b in pieces)
    around = (min(xs) - w, min(ys) - w, max(xs) + w, max(ys) + w)
    return Silhouette(around, away, tuple(dict.fromkeys(points)), tuple(dict.fromkeys(middles)))


def _part(shape: Any) -> Silhouette:
    """The convex outline of its nodes; people join at any node."""
    ring = tuple(map(tuple, hull(np.array(shape.nodes, dtype=float).reshape(-1, 2)).tolist()))
    xs, ys = zip(*(ring or ((0.0, 0.0),)))

    def away(x: float, y: float) -> float:
        return _away_from_polygon(ring, x, y)

    corners = tuple((float(x), float(y)) for x, y in shape.nodes)
    return Silhouette((min(xs), min(ys), max(xs), max(ys)), away, corners, ())


def _away_from_polygon(corners: tuple[Point, ...], x: float, y: float) -> float:
    """How far a point lies off a polygon: a ray from inside crosses its sides an odd number of times."""
    inside, nearest = False, float("inf")
    for (x0, y0), (x1, y1) in zip(corners, corners[1:] + corners[:1]):
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) / (y1 - y0) * (x1 - x0):
            inside = not inside
        nearest = min(nearest, distance_to_line((x, y), (x0, y0), (x1, y1)))
    return 0.0 if inside else nearest


def _between(corners: tuple[Point, ...]) -> tuple[Point, ...]:
    """The middles of the sides between corners."""
    sides = zip(corners, corners[1:] + corners[:1])
    return tuple(((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in sides)


SILHOUETTES: dict[type[Shape], Callable[[Any], Silhouette]] = {
    Rod: _rod,
    Beam: _rod,
    Box: _box,
    Disc: _disc,
    Polygon: _polygon,
    Polyline: _polyline,
    Part: _part,
}


def silhouette(shape: Any) -> Silhouette:
    """The numbers of a shape; those of a point for a shape that is not drawn in the plane."""
    find = SILHOUETTES.get(type(shape))
    return Silhouette((0.0, 0.0, 0.0, 0.0), hypot) if find is None else find(shape)


def contains(shape: Any, x: float, y: float, tolerance: float = 0.0) -> bool:
    """Whether a point lies on the shape, or no further from it than the tolerance."""
    return silhouette(shape).away(x, y) <= tolerance


def corners(shape: Any) -> tuple[Point, ...]:
    """The natural connection points of a shape: ends of a rod, corners, nothing on a disc."""
    return silhouette(shape).corners


def middles(shape: Any) -> tuple[Point, ...]:
    """The middles of straight edges, and the four outermost points of a disc."""
    return silhouette(shape).middles


def reach(shape: Any) -> tuple[float, float, float, float]:
    """The rectangle around a shape: left, bottom, right, top."""
    return silhouette(shape).reach


def outermost(shape: Any) -> tuple[Point, ...]:
    """The corners of a shape, or eight points around a round one: what it needs to be seen whole."""
    found = silhouette(shape)
    if found.corners:
        return found.corners
    quarters = zip(found.middles, found.middles[1:] + found.middles[:1])
    between = tuple(((a[0] + b[0]) / sqrt(2.0), (a[1] + b[1]) / sqrt(2.0)) for a, b in quarters)
    return found.middles + between


def distance_to_line(p: Point, a: Point, b: Point) -> float:
    """How far a point is from the straight piece between two others."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    u = 0.0
    if square > 0.0:
        u = min(max(((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square, 0.0), 1.0)
    return hypot(p[0] - a[0] - u * dx, p[1] - a[1] - u * dy)
