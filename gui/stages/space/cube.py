"""The cube in the corner that shows the direction of view and changes it on a click."""

from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen, QPolygonF, QTransform

from gui.look.colors import mixed
from gui.look.translation import QT_TRANSLATE_NOOP
from gui.placing.space.camera import TABLES, Eye
from gui.stages.space.graphics.inks import SpaceInks

SIZE, MARGIN = 74.0, 16.0  # pixels of its square, and from the corner of the stage
AWAY = (1.0, 1.06, 1.12, 1.18, 1.25)  # times the distance that would be enough without the cube
HALF = 21.0  # pixels of half an edge
NO_CARD = QSizeF(0.0, 0.0)
N = QT_TRANSLATE_NOOP
FACES = {  # in the axes of the turntable: outward, then right and up of the words on it
    "front": ((0, -1, 0), (1, 0, 0), (0, 0, 1), N("Space", "FRONT")),
    "back": ((0, 1, 0), (-1, 0, 0), (0, 0, 1), N("Space", "BACK")),
    "right": ((1, 0, 0), (0, 1, 0), (0, 0, 1), N("Space", "RIGHT")),
    "left": ((-1, 0, 0), (0, -1, 0), (0, 0, 1), N("Space", "LEFT")),
    "top": ((0, 0, 1), (1, 0, 0), (0, 1, 0), N("Space", "TOP")),
    "bottom": ((0, 0, -1), (1, 0, 0), (0, -1, 0), N("Space", "BOTTOM")),
}


def place_of(area: QRectF) -> QPointF:
    """The middle of the cube."""
    return QPointF(area.right() - MARGIN - SIZE / 2, area.top() + MARGIN + SIZE / 2)


def square_of(area: QRectF) -> QRectF:
    """The square in which the cube turns."""
    return QRectF(area.right() - MARGIN - SIZE, area.top() + MARGIN, SIZE, SIZE)


def beside_corners(
    eye: Eye, places: np.ndarray, width: float, height: float, card: QSizeF = NO_CARD
) -> Eye:
    """The camera slightly farther away where the cube, or a card at the upper left, would hide a place."""
    corner = (width - MARGIN - SIZE, MARGIN + SIZE)  # lower left of its square
    for share in AWAY:
        farther = replace(eye, height=share * eye.height)
        x, y = farther.project(places, width, height).T
        below_cube = (x > corner[0]) & (y < corner[1])
        below_card = (x < card.width()) & (y < card.height())
        if not (below_cube | below_card).any():
            return farther
    return eye


def faces_seen(eye: Any, area: QRectF) -> dict[str, QPolygonF]:
    """The faces that are turned to the camera, as polygons of the stage."""
    at, axes = place_of(area), eye.axes @ TABLES[eye.up]
    found = {}
    for name, (out, right, up, _) in FACES.items():
        if axes[2] @ np.array(out) > 0.06:
            middle = np.array(out, dtype=float)
            corners = [
                middle + a * np.array(right) + b * np.array(up)
                for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
            ]
            found[name] = QPolygonF([_seen(axes, c, at) for c in corners])
    return found


def _seen(axes: np.ndarray, place: np.ndarray, at: QPointF) -> QPointF:
    x, y, _ = axes @ place
    return QPointF(at.x() + HALF * float(x), at.y() - HALF * float(y))


def face_at(eye: Any, area: QRectF, place: QPointF) -> str:
    """The face under the mouse; 'home' beside the faces but near the cube; else nothing."""
    for name, polygon in faces_seen(eye, area).items():
        if polygon.containsPoint(place, Qt.FillRule.WindingFill):
            return name
    return ""


def paint_cube(painter: QPainter, eye: Any, area: QRectF, inks: SpaceInks, hovered: str) -> None:
    """Draw the cube, with the names of its faces and the axes of the world at its corner."""
    axes = eye.axes @ TABLES[eye.up]
    for name, polygon in faces_seen(eye, area).items():
        out, right, up, words = FACES[name]
        light = 0.5 + 0.5 * float(np.clip(axes[1] @ np.array(out) * 0.6 + 0.55, 0.0, 1.0))
        face = mixed(QColor(inks.theme.card), inks.faint, light)
        if name == hovered:
            face = mixed(inks.accent, face, 0.45)
        painter.setPen(QPen(inks.faint, 1.0))
        painter.setBrush(face)
        painter.drawPolygon(polygon)
        facing = float(axes[2] @ np.array(out))
        if facing > 0.28:
            _paint_words(painter, axes, place_of(area), (out, right, up), _tr(words), inks)
    _paint_axes(painter, eye, area, inks)


def _paint_words(
    painter: QPainter, axes: np.ndarray, at: QPointF, frame: Any, words: str, inks: SpaceInks
) -> None:
    """Text that lies on a face."""
    out, right, up = (np.array(v, dtype=float) for v in frame)
    x, y = axes @ right, axes @ up
    middle = _seen(axes, out, at)
    painter.save()
    turn = QTransform(float(x[0]), -float(x[1]), -float(y[0]), float(y[1]), middle.x(), middle.y())
    painter.setTransform(turn, True)
    font = QFont(painter.font())
    font.setPixelSize(9)
    font.setBold(True)
    painter.setFont(font)
    painter.setPen(inks.quiet)
    painter.drawText(QRectF(-HALF, -HALF, 2 * HALF, 2 * HALF), Qt.AlignmentFlag.AlignCenter, words)
    painter.restore()


def _paint_axes(painter: QPainter, eye: Any, area: QRectF, inks: SpaceInks) -> None:
    """The axes of the world in the lower left corner, those that point at the camera last."""
    at = QPointF(area.left() + 44.0, area.bottom() - 78.0)
    ends = {name: eye.axes[:, k] for k, name in enumerate("xyz")}
    for name, end in sorted(ends.items(), key=lambda item: item[1][2]):
        tip = QPointF(at.x() + 30.0 * float(end[0]), at.y() - 30.0 * float(end[1]))
        color = inks.roles[name]
        painter.setPen(QPen(color, 2.2, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawLine(at, tip)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        painter.drawEllipse(tip, 7.0, 7.0)
        font = QFont(painter.font())
        font.setPixelSize(10)
        font.setBold(True)
        painter.setFont(font)
        painter.setPen(QColor("#ffffff"))
        square = QRectF(tip.x() - 7.0, tip.y() - 7.5, 14.0, 14.0)
        painter.drawText(square, Qt.AlignmentFlag.AlignCenter, name)


def _tr(text: str) -> str:
    return QCoreApplication.translate("Space", text)
