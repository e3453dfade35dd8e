"""What bodies touch with, and which pieces of two of them may meet.

A side of a contact is what a marker, or a body by its own frame, carries: a plane, a ball, a hole, a solid,
an outline or a curve. Kernels know a ball, or a rim, against each of these; a body with corners is one ball
of no radius for each corner.
"""

from math import cos, pi, sin
from typing import Any, NamedTuple

import numpy as np

from engine.errors import EngineError
from engine.kernels.acting import touching
from engine.model.bodies import Particle
from engine.model.connections import Nearness
from engine.model.elements import Id, Model
from engine.model.fields import plain
from engine.model.forces.curves import smooth_nodes
from engine.model.places import place
from engine.model.shapes import Box, Capsule, Cylinder, Disc, Mesh, Polygon, Rod, Sphere
from engine.model.solids import corners_of_hull

ON_RIM = 3  # points at which a rim may touch
MOST_CORNERS = 200  # of a body that touches with its corners
ROUND = (touching.BALL, touching.CAPSULE)

Point = tuple[float, ...]


class Side(NamedTuple):
    """What one body touches with, along the axes of its marker or of its own frame."""

    kind: float  # of engine.kernels.acting.touching
    marker: Id  # or a body: its frame
    radius: float = 0.0
    offset: Point = (0.0, 0.0, 0.0)  # of a ball or rim from the marker
    corners: tuple[Point, ...] = ()  # of an outline, a chain, a curve, or of a solid on a plane
    size: Point = (0.0, 0.0, 0.0)  # of a solid; of a rim cos and sin of its point
    axis: Point = (0.0, 0.0, 0.0)  # of a rim, as long as its radius
    rims: tuple["Side", ...] = ()  # of a cylinder, and the ends of a capsule, on a plane
    is_convex: bool = False  # of an outline


def side_of_frame(contact: Any, model: Model, body: Any) -> Side:
    """What a body touches with, along the axes of its own frame."""
    return _side_of_shape(contact, model, body, body.id, np.zeros(3), np.eye(3))


def side_of_marker(contact: Any, model: Model, marker: Id, shape: str, radius: Any) -> Side:
    """What the body of a marker touches with."""
    body = model.elements.get(model[marker].body)
    if shape == "plane" or (shape == "body" and body is None):
        return Side(touching.HALF_SPACE, marker)
    if shape in ("circle", "hole", "point"):
        kind = touching.HOLE if shape == "hole" else touching.BALL
        return Side(kind, marker, 0.0 if shape == "point" else float(radius or 0.0))
    if shape in ("chain", "curve"):
        return _side_of_curve(contact, marker, shape)
    if shape == "smooth":
        return _side_of_smooth_body(contact, model, marker, body)
    solid = getattr(body, "shape", None)
    if model.dim == 3 and isinstance(solid, Box | Rod | Cylinder | Capsule | Mesh | Polygon):
        return side_of_frame(contact, model, body)
    return _side_of_shape(contact, model, body, marker, *place(model[marker]))


def _side_of_curve(contact: Any, marker: Id, shape: str) -> Side:
    """A chain of lines or a smooth curve through points; an open one has its material to the right."""
    given = [(plain(x), plain(y)) for x, y in contact.points]
    if contact.closed:
        points = given if _area(given) > 0.0 else given[::-1]
        if shape == "chain":
            return Side(touching.OUTLINE, marker, corners=_in_space(points))
    else:
        points = given[::-1]
        if shape == "chain":
            return Side(touching.CHAIN, marker, corners=_in_space(points))
    nodes = _in_space(smooth_nodes(points, contact.closed))
    return Side(touching.CURVE, marker, float(contact.closed), corners=nodes)


def _side_of_smooth_body(contact: Any, model: Model, marker: Id, body: Any) -> Side:
    """The outline of a polygon as a smooth closed curve through its corners."""
    form = getattr(body, "shape", None)
    if model.dim == 3 or not isinstance(form, Polygon):
        raise EngineError(
            "'{name}' takes the outline of '{body}' as a smooth curve, but it is no polygon in the "
            "plane. Choose another shape for it.",
            contact.id,
            name=contact.label,
            body=marker if body is None else body.label,
        )
    P, axes = place(model[marker])
    corners = [_seen(P, axes, point)[:2] for point in form.points]
    nodes = smooth_nodes(corners if _area(corners) > 0.0 else corners[::-1], closed=True)
    return Side(touching.CURVE, marker, 1.0, corners=_in_space(nodes))


def _side_of_shape(
    contact: Any, model: Model, body: Any, frame: Id, P: np.ndarray, axes: np.ndarray
) -> Side:
    """What the shape of a body touches with, along given axes."""
    form: Any = None if isinstance(body, Particle) else getattr(body, "shape", None)
    middle = _seen(P, axes, ())
    if isinstance(body, Particle):
        return Side(touching.BALL, frame, 0.0, middle)
    if isinstance(form, Disc | Sphere):
        return Side(touching.BALL, frame, plain(form.radius), middle)
    if isinstance(form, Box | Rod):
        sizes = (
            (form.width, form.height, form.thickness)
            if isinstance(form, Box)
            else (form.length, form.width, form.thickness)
        )
        a, b, c = (plain(size) / 2 for size in sizes)
        flat = ((-a, -b), (a, -b), (a, b), (-a, b))
        if model.dim == 2:
            corners = tuple(_seen(P, axes, corner) for corner in flat)
            return Side(touching.OUTLINE, frame, corners=corners, is_convex=True)
        solid = tuple((x, y, z) for z in (-c, c) for x, y in flat)
        return Side(touching.BOX, frame, corners=solid, size=(a, b, c))
    if isinstance(form, Polygon):
        return _side_of_polygon(form, model, frame, P, axes)
    if isinstance(form, Cylinder | Capsule):
        return _side_of_bar(form, frame)
    if isinstance(form, Mesh):
        hull = corners_of_hull(np.array(form.vertices, dtype=float).reshape(-1, 3))
        if len(hull) <= MOST_CORNERS:
            return Side(touching.OUTLINE, frame, corners=tuple(map(tuple, hull.tolist())))
        raise EngineError(
            "'{name}': the mesh of '{body}' has {count} corners that may touch, and {most} are possible. "
            "Simplify the mesh, or choose balls and points of it.",
            contact.id,
            name=contact.label,
            body=body.label,
            count=len(hull),
            most=MOST_CORNERS,
        )
    raise EngineError(
        "'{name}' cannot use the shape of '{body}' for a contact. Choose a circle, a point or a plane "
        "for it.",
        contact.id,
        name=contact.label,
        body=body.label if body is not None else frame,
    )


def _side_of_polygon(
    form: Polygon, model: Model, frame: Id, P: np.ndarray, axes: np.ndarray
) -> Side:
    """The outline in the plane; in space the corners of the plate."""
    points = [(plain(x), plain(y)) for x, y in form.points]
    points = points if _area(points) > 0.0 else points[::-1]
    if model.dim == 3:
        half = plain(form.thickness) / 2
        solid = tuple((x, y, z) for z in (-half, half) for x, y in points)
        return Side(touching.OUTLINE, frame, corners=solid)
    corners = tuple(_seen(P, axes, point) for point in points)
    return Side(touching.OUTLINE, frame, corners=corners, is_convex=_is_convex(points))


def _side_of_bar(form: Cylinder | Capsule, frame: Id) -> Side:
    """A round bar along z of its frame: against a ball its surface, on a plane its rims or its ends."""
    radius, half = plain(form.radius), plain(form.length) / 2
    ends = ((0.0, 0.0, -half), (0.0, 0.0, half))
    if isinstance(form, Capsule):
        balls = tuple(Side(touching.BALL, frame, radius, end) for end in ends)
        return Side(touching.CAPSULE, frame, radius, size=(half, 0.0, 0.0), rims=balls)
    angles = [2.0 * pi * k / ON_RIM for k in range(ON_RIM)]
    rims = tuple(
        Side(touching.BALL, frame, 0.0, end, size=(cos(a), sin(a), 0.0), axis=(0.0, 0.0, radius))
        for end in ends
        for a in angles
    )
    return Side(touching.CYLINDER, frame, radius, size=(half, 0.0, 0.0), rims=rims)


def pairs(contact: Any, model: Model, i: Side, j: Side) -> list[tuple[Side, Side]]:
    """What is touched, and the ball, corner or rim that touches it."""
    if j.kind == touching.BALL and _takes_a_ball(model, i):
        return [(i, j)]
    if i.kind == touching.BALL and _takes_a_ball(model, j):
        return [(j, i)]
    outline = touching.OUTLINE
    if model.dim == 2 and i.kind == j.kind == outline:
        if getattr(contact, "faces", "corners") == "area" and i.is_convex and j.is_convex:
            return [(i._replace(kind=touching.AREA), j)]
        return _by_corners(i, j) + _by_corners(j, i)
    for host, other in ((i, j), (j, i)):
        if host.kind == touching.HALF_SPACE and (other.rims or other.corners):
            return [(host, rim) for rim in other.rims] or _by_corners(host, other)
        if model.dim == 2 and other.kind == outline and host.kind not in (outline, *ROUND):
            return _by_corners(host, other)
        if host.kind == touching.CAPSULE and other.kind == touching.CAPSULE:
            return [(host, end) for end in other.rims] + [(other, end) for end in host.rims]
        if host.kind == touching.HOLE and other.corners:
            return _by_corners(host, other)
    raise EngineError(
        "'{name}' is between two shapes that the program does not bring in contact. Let one of "
        "them be a circle, a point or a plane.",
        contact.id,
        name=contact.label,
    )


def nearness(model: Model, host: Side, ball: Side) -> Nearness | None:
    """Where a pair need not be looked at; None: always, as where one side has no end."""
    size = np.array(host.size)
    if host.kind == touching.HALF_SPACE and model[host.marker].body not in model:
        high = np.full(3, np.inf)
        high[1 if model.dim == 2 else 2] = 0.0
        low = np.full(3, -np.inf)
    elif host.kind == touching.BOX:
        low, high = -size, size
    elif host.kind in (touching.BALL, touching.CYLINDER, touching.CAPSULE):
        beyond = host.radius if host.kind != touching.CYLINDER else 0.0
        high = np.full(3, host.radius)
        if host.kind != touching.BALL:
            high[2] = size[0] + beyond
        low = -high
    elif host.kind in (touching.OUTLINE, touching.AREA):
        low, high = np.min(host.corners, axis=0), np.max(host.corners, axis=0)
    else:
        return None
    corners = np.array(ball.corners or (ball.offset,))
    middle = corners.mean(axis=0)
    around = float(np.linalg.norm(corners - middle, axis=1).max())
    around += ball.radius + float(np.linalg.norm(ball.axis))
    round_one = host.kind == touching.BALL
    farthest = host.radius if round_one else float(np.linalg.norm(np.maximum(-low, high)))
    place, first, last = (tuple(x.tolist()) for x in (middle, low, high))
    return Nearness(place, around, first, last, farthest)


def _takes_a_ball(model: Model, host: Side) -> bool:
    """Whether a ball can touch it: not a plate or a mesh in space."""
    return host.kind != touching.OUTLINE or model.dim == 2


def _by_corners(host: Side, other: Side) -> list[tuple[Side, Side]]:
    """One pair for each corner that may touch."""
    return [(host, Side(touching.BALL, other.marker, 0.0, corner)) for corner in other.corners]


def _seen(P: np.ndarray, axes: np.ndarray, point: Any) -> Point:
    """A point of a body along axes whose origin is at P."""
    p = np.zeros(3)
    p[: len(point)] = [plain(x) for x in point]
    return tuple((axes.T @ (p - P)).tolist())


def _area(points: Any) -> float:
    """Twice the area of an outline; negative where it goes round clockwise."""
    after = [*points[1:], points[0]] if points else []
    return float(sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(points, after)))


def _is_convex(points: list[tuple[float, float]]) -> bool:
    """Whether an outline that goes round anticlockwise turns to the left only."""
    p = np.array(points)
    e = np.roll(p, -1, axis=0) - p
    f = np.roll(e, -1, axis=0)
    return bool(np.all(e[:, 0] * f[:, 1] - e[:, 1] * f[:, 0] >= 0.0))


def _in_space(points: Any) -> tuple[Point, ...]:
    """Points of the plane as points of space."""
    return tuple((float(x), float(y), 0.0) for x, y in points)
