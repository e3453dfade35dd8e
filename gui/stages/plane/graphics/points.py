"""Graphics of tracers, bare markers and events.

An event is a thin dashed line between its two points, with a small flag in its middle.
"""

from typing import Any

from PySide6.QtGui import QPainterPath
from PySide6.QtWidgets import QGraphicsPathItem

from engine.model.bodies import PlanarMarker
from engine.model.elements import Element
from engine.model.tracers import Tracer
from engine.model.triggers import Trigger
from gui.placing.plane.placement import Pose
from gui.stages.plane.graphics import symbols
from gui.stages.plane.graphics.graphic import LINES, PINS, Context, Graphic, View, between_markers
from gui.stages.plane.graphics.inks import NO_BRUSH, NO_PEN

RADIUS = 9.0  # px of the disc that carries the flag


def _tracer(tracer: Any, c: Context) -> Graphic:
    """A small target where the trail is drawn."""
    g, n = c.graphic(tracer.id), c.marker(tracer.marker)
    if n >= 0:
        color = c.color_of(c.placement.markers[n].body)
        edge = c.inks.body_edge(color, 1.4)
        g.at_marker(
            g.add(symbols.circle(6.5), edge, NO_BRUSH, PINS + 0.1, pixels=True, main=True), n
        )
        g.at_marker(g.add(symbols.circle(2.4), NO_PEN, edge.color(), PINS + 0.2, pixels=True), n)
    return g


def _marker(marker: Any, c: Context) -> Graphic:
    """A hollow point for a marker that nothing uses."""
    g, n = c.graphic(marker.id), c.marker(marker.id)
    if n >= 0:
        dot = g.add(
            symbols.circle(3.6), c.inks.line(1.3), c.inks.paper, PINS, pixels=True, main=True
        )
        g.at_marker(dot, n)
    return g


def _trigger(g: Graphic, trigger: Any, i: int, j: int, c: Context) -> None:
    """The symbol of an event."""
    color = c.inks.quiet
    line = g.add(QPainterPath(), c.inks.dashed(1.1, color), layer=LINES, main=True)
    disc = g.add(
        symbols.circle(RADIUS), c.inks.line(1.3, color), c.inks.paper, PINS + 0.3, pixels=True
    )
    g.mains.append(disc)
    _add_flag(disc, c, ends_run=trigger.action == "stop")
    for n in (i, j):
        dot = g.add(symbols.circle(2.6), NO_PEN, color, PINS, pixels=True)
        g.at_marker(dot, n)

    def place(pose: Pose) -> None:
        (x, y, _), (px, py, _) = pose.markers[i], pose.markers[j]
        g.set_path(line, symbols.polyline([(x, y), (px, py)]))
        disc.setPos((x + px) / 2, (y + py) / 2)

    g.places.append(place)


def _add_flag(disc: QGraphicsPathItem, c: Context, *, ends_run: bool) -> None:
    """A flag on the disc: an outline where it is only marked, filled where it ends the run."""
    pole = QGraphicsPathItem(symbols.polyline([(-3.0, -5.0), (-3.0, 5.2)]), disc)
    cloth = symbols.polyline([(-3.0, -5.0), (4.2, -2.6), (-3.0, 0.2)], closed=True)
    flag = QGraphicsPathItem(cloth, disc)
    for part in (pole, flag):
        part.setPen(c.inks.line(1.3, c.inks.ink))
    if ends_run:
        flag.setBrush(c.inks.ink)


POINT_VIEWS: dict[type[Element], View] = {
    PlanarMarker: _marker,
    Tracer: _tracer,
    Trigger: between_markers(_trigger),
}
