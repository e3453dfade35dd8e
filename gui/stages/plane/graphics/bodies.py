"""Graphics of bodies and particles."""

from dataclasses import replace
from math import degrees
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QPainterPath
from PySide6.QtWidgets import QGraphicsPathItem

from engine.model.bodies import PlanarBody, PlanarParticle
from engine.model.elements import Element
from engine.model.fields import plain
from engine.model.shapes import Disc, Rod
from gui.placing.plane import silhouettes
from gui.placing.plane.placement import Point, Pose
from gui.stages.plane.graphics import symbols
from gui.stages.plane.graphics.graphic import (
    BODIES,
    CENTERS,
    FIXED,
    IN_PIXELS,
    PINS,
    Context,
    Graphic,
    View,
)


def _rigid(body: Any, c: Context) -> Graphic:
    """The shape of a body with the arms to its markers, its free ends and its mass centre."""
    g, k, color = c.graphic(body.id), c.placement.body_index[body.id], c.color_of(body.id)
    shape, inks = body.shape, c.inks
    layer = (FIXED if body.fixed else BODIES) + 1e-4 * min(k, 4000)
    outline = QPainterPath()
    if shape is not None:
        outline = symbols.body_outline(_within_teeth(shape, k, c), c.pixel)
    g.is_link = silhouettes.is_link(shape, c.pixel)
    if g.is_link:
        solid = _link(g, outline, color, layer, c, body.fixed)
    elif body.fixed:
        solid = g.add(outline, inks.line(1.6, inks.hatch), _hatched(c), layer, main=True)
    else:
        edge = inks.body_edge(color, 1.0 if g.is_crowded else 1.6)
        solid = g.add(outline, edge, inks.body_fill(color), layer, main=True)
    g.places.append(_follow(solid, k))
    _add_details(g, solid, body, k, color, c)
    for x, y in free_ends(body, c):
        dot = QGraphicsPathItem(symbols.circle(4.2), solid)
        dot.setFlag(IN_PIXELS)
        dot.setPen(inks.line(1.5))
        dot.setBrush(inks.paper)
        dot.setPos(x, y)
        g.keep_picture(dot)
    if not body.fixed and c.show_centers and not g.is_crowded:
        _add_center(g, k, c)
    return g


def _within_teeth(shape: Any, k: int, c: Context) -> Any:
    """A disc whose rim is a toothed wheel, without the gaps between the teeth."""
    wheels = [w for of_gear in c.wheels.values() for w in of_gear]
    for wheel in wheels:
        mine = isinstance(shape, Disc) and int(c.placement.marker_body[wheel.marker]) == k
        if mine and abs(wheel.radius - shape.radius) <= 1e-6 * shape.radius:
            return replace(shape, radius=shape.radius - 1.1 * wheel.module)
    return shape


def _link(
    g: Graphic, axis: QPainterPath, color: QColor, layer: float, c: Context, fixed: bool
) -> QGraphicsPathItem:
    """A slender rod: a bar with round ends of the same width at every zoom; hatched if fixed."""
    width = 2.0 * silhouettes.LINK
    if g.is_crowded:  # one stroke instead of two
        pen = c.inks.line(0.6 * width, c.inks.body_fill(color).color())
        return g.add(axis, pen, layer=layer, main=True)
    edge = c.inks.hatch if fixed else c.inks.body_edge(color).color()
    bar = g.add(axis, c.inks.line(width, edge), layer=layer, main=True)
    inside = QGraphicsPathItem(axis, bar)
    fill = c.inks.paper if fixed else c.inks.body_fill(color).color()
    inside.setPen(c.inks.line(width - 3.2, fill))
    g.insides.append(inside)
    if fixed:
        hatching = c.inks.line(width - 3.2)
        hatching.setBrush(_hatched(c))
        QGraphicsPathItem(axis, inside).setPen(hatching)
    return bar


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


def _add_center(g: Graphic, k: int, c: Context) -> None:
    """The quartered circle at the mass centre."""
    mark = g.add(symbols.mass_center_mark(), c.inks.line(1.1), c.inks.ink, CENTERS, pixels=True)
    g.keep_picture(mark)
    g.places.append(lambda pose: mark.setPos(pose.centers[k][0], pose.centers[k][1]))


def free_ends(body: Any, c: Context) -> list[Point]:
    """Ends of a rod, in its frame, at which nothing is joined."""
    shape = body.shape
    if not isinstance(shape, Rod):
        return []
    joined = c.joined.get(body.id, [])
    near = 1e-6 * max(plain(shape.length), 1e-9)
    return [
        end
        for end in silhouettes.corners(shape)
        if not any(abs(x - end[0]) <= near and abs(y - end[1]) <= near for x, y in joined)
    ]


def _hatched(c: Context) -> QBrush:
    """The hatching of fixed parts."""
    return QBrush(c.inks.hatch, Qt.BrushStyle.BDiagPattern)


BODY_VIEWS: dict[type[Element], View] = {PlanarBody: _rigid, PlanarParticle: _particle}
