"""What acts in a joint, in the plane: motors, motions, springs, dampers, friction and stops."""

from math import atan2, cos, degrees, sin
from typing import Any

from PySide6.QtCore import QPointF
from PySide6.QtGui import QFont, QPainterPath
from PySide6.QtWidgets import QGraphicsPathItem

from engine.model.joints import Rod
from gui.placing.grips import is_along_length
from gui.placing.plane.placement import Pose
from gui.stages.plane.graphics import symbols
from gui.stages.plane.graphics.graphic import RINGS, Context, Graphic
from gui.stages.plane.graphics.inks import NO_PEN


def drive(g: Graphic, drive: Any, joint: Any, i: int, j: int, c: Context) -> None:
    """An arrow that turns around a pin or lies beside a slider."""
    color = c.inks.drive
    pen = c.inks.line(2.2, color)
    if is_along_length(c.model, drive):
        path = symbols.polyline([(-22, -24), (16, -24)])
        path.addPath(symbols.arrow_head(11.0).translated(24, -24))
        arrow = g.add(path, pen, color, RINGS, pixels=True, main=True)
        g.on_marker(arrow, i, -1.0)
        g.places[-1] = _beside(arrow, i, j, isinstance(joint, Rod))
    else:
        arrow = g.add(
            symbols.turning_arrow(16.0, -60.0, 285.0), pen, layer=RINGS, pixels=True, main=True
        )
        g.at_marker(arrow, j)


def motor(g: Graphic, motor: Any, joint: Any, i: int, j: int, c: Context) -> None:
    """The arrow of a drive, and the letter of a motor."""
    drive(g, motor, joint, i, j, c)
    _add_badge(g, "M", j, c)


def dc_motor(g: Graphic, motor: Any, joint: Any, i: int, j: int, c: Context) -> None:
    """The arrow of a drive, and the letter of a voltage."""
    drive(g, motor, joint, i, j, c)
    _add_badge(g, "U", j, c)


def controller(g: Graphic, controller: Any, joint: Any, i: int, j: int, c: Context) -> None:
    """The arrow of a drive, and the letter of a controller."""
    drive(g, controller, joint, i, j, c)
    _add_badge(g, "C", j, c)


def _add_badge(g: Graphic, letter: str, n: int, c: Context) -> None:
    """A letter in a circle, above and to the right of a marker."""
    at = QPointF(21.0, -21.0)
    ring = symbols.circle(8.5).translated(at)
    badge = g.add(ring, c.inks.line(1.6, c.inks.drive), c.inks.paper, RINGS + 0.1, pixels=True)
    font = QFont()
    font.setPixelSize(11)
    font.setBold(True)
    path = QPainterPath()
    path.addText(0.0, 0.0, font, letter)
    text = QGraphicsPathItem(path.translated(at - path.boundingRect().center()), badge)
    text.setPen(NO_PEN)
    text.setBrush(c.inks.drive)
    g.at_marker(badge, n)


def _beside(item: QGraphicsPathItem, i: int, j: int, between: bool) -> Any:
    """How an item in pixels lies at marker j along the axis of i, or between both."""

    def place(pose: Pose) -> None:
        (x, y, angle), (px, py, _) = pose.markers[i], pose.markers[j]
        if between:
            item.setPos((x + px) / 2, (y + py) / 2)
            angle = atan2(py - y, px - x)
        else:
            item.setPos(px, py)
        item.setRotation(-degrees(angle))

    return place


def torsion_spring(g: Graphic, force: Any, joint: Any, i: int, j: int, c: Context) -> None:
    """A spiral round the pin."""
    ring = g.add(symbols.spiral(), c.inks.line(1.7), layer=RINGS, pixels=True, main=True)
    g.on_marker(ring, j, -1.0)


def joint_damping(g: Graphic, force: Any, joint: Any, i: int, j: int, c: Context) -> None:
    """Two bows round the pin, and a piston between them."""
    path = symbols.arc(13.0, 25.0, 130.0)
    path.addPath(symbols.arc(18.0, 25.0, 130.0))
    path.addPath(symbols.polyline([(0.0, -13.0), (0.0, -18.0)]))
    ring = g.add(path, c.inks.line(1.6), layer=RINGS, pixels=True, main=True)
    g.at_marker(ring, j)


def joint_friction(g: Graphic, force: Any, joint: Any, i: int, j: int, c: Context) -> None:
    """A bow with teeth that face the pin."""
    path = symbols.arc(20.0, 205.0, 130.0)
    for angle in range(215, 335, 20):
        e = (cos(angle * 0.017453292519943295), -sin(angle * 0.017453292519943295))
        path.addPath(symbols.polyline([(20 * e[0], 20 * e[1]), (15 * e[0], 15 * e[1])]))
    g.at_marker(g.add(path, c.inks.line(1.6), layer=RINGS, pixels=True, main=True), j)


def joint_limits(g: Graphic, force: Any, joint: Any, i: int, j: int, c: Context) -> None:
    """Two stops: of an angle the bow between them, of a length a wall at each end."""
    low, high = float(force.low), float(force.high)
    pen = c.inks.line(1.6, c.inks.quiet)
    if not is_along_length(c.model, force):
        sweep = min(degrees(high - low), 359.0)
        path = symbols.arc(26.0, degrees(low), sweep)
        for angle in (low, high):
            e = (cos(angle), -sin(angle))
            path.addPath(symbols.polyline([(20 * e[0], 20 * e[1]), (32 * e[0], 32 * e[1])]))
        g.on_marker(g.add(path, pen, layer=RINGS, pixels=True, main=True), i, -1.0)
        return
    for stop, side in ((low, 90.0), (high, -90.0)):
        wall = g.add(
            symbols.wall(), c.inks.line(1.8, c.inks.hatch), layer=RINGS, pixels=True, main=True
        )

        def place(pose: Pose, wall: Any = wall, stop: float = stop, side: float = side) -> None:
            x, y, angle = pose.markers[i]
            wall.setPos(x + stop * cos(angle), y + stop * sin(angle))
            wall.setRotation(side - degrees(angle))

        g.places.append(place)
