"""Graphics of bodies and particles."""

from dataclasses import replace
from math import degrees, hypot
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QPainterPath
from PySide6.QtWidgets import QGraphicsPathItem

from engine.model.bodies import PlanarBody, PlanarParticle
from engine.model.elements import Element
from engine.model.fields import plain
from engine.model.shapes import Beam, Disc, Part, Polygon, Polyline
from gui.look.colors import mixed
from gui.placing.plane import silhouettes
from gui.placing.plane.placement import Point, Pose
from gui.stages.plane.graphics import symbols
from gui.stages.plane.graphics.beams import bending
from gui.stages.plane.graphics.graphic import (
    BODIES,
    CENTERS,
    FIXED,
    PINS,
    Context,
    Graphic,
    View,
)

LINE, NODE = 1.6, 5.0  # of a part: between its nodes, and a node; pixels
EYE = 9.0  # radius of the joined ends of a link, pixels
RIM, GAP, SHINE = (
    1.4,
    1.5,
    2.2,
)  # of an outline, of the paper around it, of the light on a bar; pixels


def _rigid(body: Any, c: Context) -> Graphic:
    """The shape of a body with the arms to its markers and its mass centre."""
    g, k, color = c.graphic(body.id), c.placement.body_index[body.id], c.color_of(body.id)
    shape, inks = body.shape, c.inks
    layer = (FIXED if body.fixed else BODIES) + 1e-4 * min(k, 4000)
    outline = QPainterPath()
    if shape is not None:
        outline = symbols.body_outline(_within_teeth(shape, k, c), c.pixel)
    g.is_link = silhouettes.is_link(shape, c.pixel)
    if g.is_link:
        solid = _link(g, outline, color, layer, c, body)
    elif body.fixed:
        solid = g.add(outline, inks.line(1.6, inks.hatch), _hatched(c), layer, main=True)
    elif isinstance(shape, Polygon) and not g.is_crowded and _holds_pins(body, c):
        solid = _plate(g, outline, color, layer, c)
    else:
        edge = inks.body_edge(color, 1.0 if g.is_crowded else 1.6)
        solid = g.add(outline, edge, inks.body_fill(color), layer, main=True)
    g.places.append(_follow(solid, k))
    if isinstance(shape, Part):
        _add_nodes(solid, shape, color, c)
    if isinstance(shape, Beam | Part | Polyline):
        g.places.append(bending(g, solid, body))
    _add_details(g, solid, body, k, color, c)
    if not body.fixed and c.show_centers and not g.is_crowded:
        _add_center(g, k, c)
    return g


def _within_teeth(shape: Any, k: int, c: Context) -> Any:
    """A disc whose rim is a toothed wheel, without the gaps between the teeth."""
    wheels = [w for of_gear in c.wheels.values() for w in of_gear]
    for wheel in wheels:
        mine = isinstance(shape, Disc) and int(c.placement.marker_body[wheel.marker]) == k
        if mine and abs(wheel.radius - shape.radius) <= 1e-6 * shape.radius:
            inner = shape.radius - 1.1 * wheel.module
            return replace(shape, radius=inner if wheel.flanks is None else wheel.flanks.root)
    return shape


def _link(
    g: Graphic, axis: QPainterPath, color: QColor, layer: float, c: Context, body: Any
) -> QGraphicsPathItem:
    """A slender rod: a bar of the same width at every zoom, with an eye at each joined end.

    A free end is round; a fixed bar is hatched. Around it a little paper is left, so that crossing bars
    can be told apart.
    """
    inks, width = c.inks, 2.0 * silhouettes.LINK
    if g.is_crowded:  # one stroke instead of many
        pen = inks.line(0.6 * width, inks.body_fill(color).color())
        return g.add(axis, pen, layer=layer, main=True)
    edge = inks.hatch if body.fixed else inks.body_edge(color).color()
    fill = inks.paper if body.fixed else inks.body_fill(color).color()
    bar = g.add(axis, inks.line(width, edge), layer=layer, main=True)
    eyes = symbols.dots(joined_ends(body, c), 1e-6 * c.size)
    for path, wide in ((axis, width), (eyes, 2.0 * EYE)):
        g.add_gap(path, inks.line(wide + 2.0 * GAP, inks.paper), bar)
    g.add_child(eyes, inks.line(2.0 * EYE, edge), bar)
    inside = g.add_child(axis, inks.line(width - 2.0 * RIM, fill), bar, over=True)
    if body.fixed:
        hatching = inks.line(width - 2.0 * RIM)
        hatching.setBrush(_hatched(c))
        g.add_child(axis, hatching, inside)
    else:
        shine = inks.line(SHINE, mixed(fill, QColor("#ffffff"), 0.72))
        g.add_child(axis, shine, bar, over=True)
    g.add_child(eyes, inks.line(2.0 * (EYE - RIM), fill), bar, over=True)
    return bar


def _holds_pins(body: Any, c: Context) -> bool:
    """Whether joints sit in at least two corners of a polygon: it is a plate between pins."""
    near = 1e-6 * c.size
    joined = c.joined.get(body.id, [])
    corners = [(plain(x), plain(y)) for x, y in body.shape.points]
    held = [p for p in corners if any(hypot(x - p[0], y - p[1]) <= near for x, y in joined)]
    return len(held) > 1


def _plate(
    g: Graphic, outline: QPainterPath, color: QColor, layer: float, c: Context
) -> QGraphicsPathItem:
    """A polygon as a plate with round corners, wide enough for the pins that sit in them."""
    edge, fill = c.inks.body_edge(color).color(), c.inks.body_fill(color).color()
    plate = g.add(outline, c.inks.line(2.0 * EYE, edge), edge, layer, main=True)
    g.add_gap(outline, c.inks.line(2.0 * (EYE + GAP), c.inks.paper), plate)
    inside = g.add_child(outline, c.inks.line(2.0 * (EYE - RIM), fill), plate, over=True)
    inside.setBrush(fill)
    return plate


def _follow(item: QGraphicsPathItem, k: int) -> Any:
    """How an item follows body number k."""

    def place(pose: Pose) -> None:
        x, y, angle = pose.bodies[k]
        item.setPos(x, y)
        item.setRotation(degrees(angle))

    return place


def _particle(body: Any, c: Context) -> Graphic:
    """A point mass: a ball of fixed size on the screen."""
    g, k, color = c.graphic(body.id), c.placement.body_index[body.id], c.color_of(body.id)
    layer = PINS - 0.5
    edge = c.inks.line(1.6) if body.fixed else c.inks.body_edge(color, 1.8)
    ball = g.add(symbols.circle(7.5), edge, color, layer, pixels=True, main=True)
    g.places.append(lambda pose: ball.setPos(pose.bodies[k][0], pose.bodies[k][1]))
    if body.fixed:
        wall = g.add(symbols.wall().translated(0, 9), c.inks.line(1.4, c.inks.hatch), pixels=True)
        g.places.append(lambda pose: wall.setPos(pose.bodies[k][0], pose.bodies[k][1]))
    return g


def _add_details(
    g: Graphic, solid: QGraphicsPathItem, body: Any, k: int, color: QColor, c: Context
) -> None:
    """Lines on the shape, and arms to markers that lie off it."""
    edge = c.inks.body_edge(color)
    if isinstance(body.shape, Disc) and not body.fixed:
        detail = QGraphicsPathItem(symbols.body_detail(body.shape), solid)
        detail.setPen(c.inks.body_edge(color, 1.0))
    ends = [tuple(c.placement.marker_local[n][:2]) for n in c.placement.arms[k]]
    if ends:
        center = tuple(c.placement.center[k])
        arms = QGraphicsPathItem(symbols.body_arms(center, ends), solid)
        wide = c.inks.line(1.0 if g.is_crowded else 5.0, edge.color())
        arms.setPen(wide)
        if not g.is_crowded:
            core = QGraphicsPathItem(arms.path(), arms)
            core.setPen(c.inks.line(2.6, c.inks.body_fill(color).color()))
            g.insides.append(core)
        if body.shape is None:
            g.mains.append(arms)


def _add_nodes(solid: QGraphicsPathItem, part: Part, color: QColor, c: Context) -> None:
    """The nodes of a part, and lines between those that push each other."""
    edge = c.inks.body_edge(color).color()
    for path, wide in zip(symbols.part_details(part, 1e-6 * c.size), (LINE, NODE)):
        item = QGraphicsPathItem(path, solid)
        item.setPen(c.inks.line(wide, edge))


def _add_center(g: Graphic, k: int, c: Context) -> None:
    """The quartered circle at the mass centre."""
    mark = g.add(symbols.mass_center_mark(), c.inks.line(1.1), c.inks.ink, CENTERS, pixels=True)
    g.keep_picture(mark)
    g.places.append(lambda pose: mark.setPos(pose.centers[k][0], pose.centers[k][1]))


def joined_ends(body: Any, c: Context) -> list[Point]:
    """Ends of a rod, in its frame, at which something is joined."""
    joined = c.joined.get(body.id, [])
    near = 1e-6 * max(plain(body.shape.length), 1e-9)
    return [
        end
        for end in silhouettes.corners(body.shape)
        if any(abs(x - end[0]) <= near and abs(y - end[1]) <= near for x, y in joined)
    ]


def _hatched(c: Context) -> QBrush:
    """The hatching of fixed parts."""
    return QBrush(c.inks.hatch, Qt.BrushStyle.BDiagPattern)


BODY_VIEWS: dict[type[Element], View] = {PlanarBody: _rigid, PlanarParticle: _particle}
