"""Graphics of events: a thin dashed line between the two points, and a small flag in its middle."""

from typing import Any

from PySide6.QtGui import QPainterPath
from PySide6.QtWidgets import QGraphicsPathItem

from gui.placing.plane.placement import Pose
from gui.stages.plane.graphics import symbols
from gui.stages.plane.graphics.graphic import LINES, PINS, Context, Graphic
from gui.stages.plane.graphics.inks import NO_PEN

RADIUS = 9.0  # px of the disc that carries the flag


def trigger_graphic(trigger: Any, c: Context) -> Graphic:
    """The sign of an event; nothing if what it measures between does not exist."""
    g = c.graphic(trigger.id)
    i, j = (c.marker(getattr(trigger, name)) for name in ("marker_i", "marker_j"))
    if min(i, j) < 0:
        return g
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
    return g


def _add_flag(disc: QGraphicsPathItem, c: Context, *, ends_run: bool) -> None:
    """A flag on the disc: an outline where it is only marked, filled where it ends the run."""
    pole = QGraphicsPathItem(symbols.polyline([(-3.0, -5.0), (-3.0, 5.2)]), disc)
    cloth = symbols.polyline([(-3.0, -5.0), (4.2, -2.6), (-3.0, 0.2)], closed=True)
    flag = QGraphicsPathItem(cloth, disc)
    for part in (pole, flag):
        part.setPen(c.inks.line(1.3, c.inks.ink))
    if ends_run:
        flag.setBrush(c.inks.ink)
