"""Drawing bodies: links that join what they touch, boxes, discs, polygons, point masses.

Every function returns the new model and the id of what it made.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import floor, hypot, log10

from engine.editing.builder import Mechanism
from engine.editing.edits.numbers import in_numbers
from engine.editing.edits.placing import Point, body_frame, built, is_still, label
from engine.editing.ties import tied_anew
from engine.errors import EngineError
from engine.model.attachments import markers_of
from engine.model.bodies import PlanarBody
from engine.model.elastic.bars import bars_of, check_corners
from engine.model.elements import GROUND, Id, Model, fresh_id, put
from engine.model.fields import plain
from engine.model.shapes import Polygon, Rod, Shape

SLENDERNESS = 25.0  # length of a first link per width, so that a metre is 40 mm wide
FLATNESS = 4.0  # width of a link per thickness
STOUTEST = 3.0  # a link is at least this many times as long as it is wide
ROUNDING = 1e-9  # of the longer side of a box: a shorter one than this is nothing
FLAT = 1e-6  # points whose triangle is flatter than this, relative to its length, lie on a line

Join = Id  # the body, or the ground, that a point of a link is pinned to; empty: it stays free


def link(
    model: Model, points: Sequence[Point], joins: Sequence[Join] = ()
) -> tuple[Model, Id, tuple[Id, ...]]:
    """A link through two or more points, pinned where `joins` names a body; with the pins' ids.

    Two points, or points on a line, make a bar; more make a plate with these corners.
    """
    corners = _distinct(points)
    if len(corners) < 2:
        raise EngineError("A link needs two different points; move further before you click.")
    outline = hull(corners)
    id = fresh_id(model, "link")

    def build(m: Mechanism) -> tuple[Id, ...]:
        if len(outline) < 3:
            a, b = farthest(corners)
            width = link_width(model, hypot(b[0] - a[0], b[1] - a[1]))
            m.rod(a, b, width=width, thickness=width / FLATNESS, id=id)
        else:
            length = max(hypot(a[0] - b[0], a[1] - b[1]) for a in outline for b in outline)
            thickness = link_width(model, length) / FLATNESS
            m.polygon(outline, thickness=thickness, id=id)
        return tuple(m.revolute(join, id, at) for at, join in zip(points, joins) if join)

    after, pins = built(model, build)
    return after, id, pins


def with_corner(model: Model, id: Id, at: Point, join: Join = "") -> tuple[Model, tuple[Id, ...]]:
    """A link with one more point, pinned where `join` names a body; its frame and joints stay."""
    body = model[id]
    if not isinstance(body, PlanarBody) or not isinstance(body.shape, Rod | Polygon):
        raise EngineError(
            "'{id}' is no link, so it cannot get another point.", id, id=label(model, id)
        )
    if join == id:
        raise EngineError(
            "This point lies on '{body}' itself; choose another.", id, body=body.label
        )
    shape = _grown(model, body, at)
    after = tied_anew(model, put(model, replace(body, shape=shape)), id)
    if not join:
        return after, ()
    after, pin = built(after, lambda m: m.revolute(join, id, at))
    return after, (pin,)


def box(model: Model, corner: Point, opposite: Point) -> tuple[Model, Id]:
    """A box between two opposite corners."""
    width, height = abs(opposite[0] - corner[0]), abs(opposite[1] - corner[1])
    if not min(width, height) > ROUNDING * max(width, height):
        raise EngineError("A box needs a width and a height; drag to the opposite corner.")
    at = ((corner[0] + opposite[0]) / 2, (corner[1] + opposite[1]) / 2)
    thickness = rounded(min(width, height) / 3.0)
    return built(model, lambda m: m.box(at, width, height, thickness))


def disc(model: Model, center: Point, radius: float) -> tuple[Model, Id]:
    """A disc by its middle and its radius."""
    if not radius > 0.0:
        raise EngineError("A disc needs a radius; drag from its middle to its rim.")
    return built(model, lambda m: m.disc(center, radius, thickness=rounded(radius / 10.0)))


def polygon(model: Model, corners: Sequence[Point]) -> tuple[Model, Id]:
    """A plate by its corners in order."""
    distinct = _distinct(corners)
    if len(distinct) < 3:
        raise EngineError("A polygon needs at least three different corners; click some more.")
    reach = max(hypot(a[0] - b[0], a[1] - b[1]) for a in distinct for b in distinct)
    Polygon(points=tuple(distinct)).check()
    return built(model, lambda m: m.polygon(distinct, thickness=rounded(reach / 20.0)))


def polyline(model: Model, corners: Sequence[Sequence[float]]) -> tuple[Model, Id]:
    """Bars from corner to corner, a fortieth of their length wide."""
    points = tuple(tuple(map(float, corner)) for corner in corners)
    check_corners(points)
    width = rounded(float(bars_of(points).lengths.sum()) / 40.0)
    return built(model, lambda m: m.polyline(points, width=width, thickness=width))


def point_mass(model: Model, at: Point) -> tuple[Model, Id]:
    """A point mass of one kilogram."""
    return built(model, lambda m: m.particle(at))


def marker(model: Model, body: Id, at: Sequence[float], angle: float = 0.0) -> tuple[Model, Id]:
    """A named point on a body, to measure or to attach to."""
    return built(model, lambda m: m.marker(body, at, angle=angle))


def with_ground_toggled(model: Model, ids: Sequence[Id]) -> Model:
    """The chosen bodies fixed to the ground, or set free if all of them were fixed."""
    chosen = [model[id] for id in ids if id in model and model[id].family == "body"]
    if not chosen:
        raise EngineError("Select the bodies that shall become part of the ground.")
    fixed = not all(body.fixed for body in chosen)
    after = put(model, *(replace(body, fixed=fixed) for body in chosen))
    for joint in after.of("joint"):
        ends = [after[end].body for end in markers_of(joint)]
        if fixed and len(ends) == 2 and all(is_still(after, end) for end in ends):
            raise EngineError(
                "'{joint}' would connect nothing that moves; delete it before '{body}' is fixed.",
                joint.id,
                joint=joint.label,
                body=label(model, next(e for e in reversed(ends) if e != GROUND)),
            )
    return after


def link_width(model: Model, length: float) -> float:
    """The width of a new link: that of the last one, unless that is too wide for the length."""
    for body in reversed(model.of("body")):
        shape = getattr(body, "shape", None)
        if isinstance(shape, Rod) and isinstance(shape.width, float):
            if 0.0 < shape.width <= length / STOUTEST:
                return shape.width
            break
    return rounded(length / SLENDERNESS)


def rounded(length: float) -> float:
    """The length with one digit, for sizes that were not given."""
    digits = -floor(log10(length)) if length > 0.0 else 0
    return round(length, digits)


def hull(points: Sequence[Point]) -> list[Point]:
    """The convex outline of points, counter-clockwise; two points where all lie on a line."""
    a, b = farthest(points)
    length = hypot(b[0] - a[0], b[1] - a[1])
    if all(abs(_turn(a, b, p)) <= FLAT * length * length for p in points):
        return [a, b]

    def half(ordered: Sequence[Point]) -> list[Point]:
        chain: list[Point] = []
        for p in ordered:
            while len(chain) > 1 and _turn(chain[-2], chain[-1], p) <= FLAT * length * length:
                chain.pop()
            chain.append(p)
        return chain[:-1]

    ordered = sorted(points)
    return half(ordered) + half(ordered[::-1])


def farthest(points: Sequence[Point]) -> tuple[Point, Point]:
    """The two points that are farthest apart, in their order."""
    pairs = [(a, b) for n, a in enumerate(points) for b in points[n + 1 :]]
    return max(pairs, key=lambda pair: hypot(pair[1][0] - pair[0][0], pair[1][1] - pair[0][1]))


def _grown(model: Model, body: PlanarBody, at: Point) -> Shape:
    """The shape of a link with one more corner, in the frame of the body as it is."""
    local = body_frame(model, body.id).to_local(at)
    shape = body.shape
    sizes = shape.points if isinstance(shape, Polygon) else ((shape.length, 0.0),)
    if any(isinstance(number, str) for point in sizes for number in point):
        raise EngineError(
            "The size of '{body}' is an expression; replace it by a number before it gets "
            "another point.",
            body.id,
            body=body.label,
        )
    if isinstance(shape, Polygon):
        corners = [(plain(x), plain(y)) for x, y in shape.points]
    else:
        half = plain(shape.length) / 2
        corners = [(-half, 0.0), (half, 0.0)]
    outline = hull([*corners, local])
    if len(outline) > 2:
        return Polygon(points=tuple(outline), thickness=shape.thickness)
    if abs(local[0]) > corners[1][0] * (1.0 + FLAT):
        raise EngineError(
            "This point lies in line with '{body}', beyond its end; draw a longer link instead.",
            body.id,
            body=body.label,
        )
    return shape


def _distinct(points: Sequence[Point]) -> list[Point]:
    """The points without immediate repetitions and without a last one equal to the first."""
    found: list[Point] = []
    for p in points:
        if tuple(p) not in found:
            found.append((float(p[0]), float(p[1])))
    return found


def _turn(a: Point, b: Point, c: Point) -> float:
    """Twice the area of a triangle, positive if it turns to the left."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def radius_of(model: Model, body: Id) -> float | None:
    """The radius of a body that is a disc, or in space a cylinder."""
    shape = getattr(in_numbers(model, model[body]), "shape", None) if body in model else None
    return plain(shape.radius) if shape is not None and shape.axle is not None else None
