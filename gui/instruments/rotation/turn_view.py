"""Draws a body before and after each of three turns, and the same turns in another order below."""

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
)
from PySide6.QtWidgets import QWidget

from gui.instruments.gimbal.ring_geometry import RINGS, body_alone
from gui.instruments.gimbal.ring_painting import Camera, Screen, base_colours, paint_faces
from gui.look.colors import outline_tone
from gui.look.theme import LIGHT, Theme
from gui.look.translation import separated

if TYPE_CHECKING:
    from engine.studies.turns import Turn, Turns

LETTERS, LINE = 12, 18.0  # px of letters and of a line of words
SIZE = 1.55  # of the body in its cell
REACH = 1.05  # of an axis, from the middle
MARGIN = 1.1  # of a cell around what is drawn
GHOST = 0.22  # how much of the body before a turn is seen
TURN = 0.01  # rad of the view for a pixel of a drag
ARC = 0.28  # radius of the arc about an axis
PRIMES = ("", "′", "″")  # of axes that have turned along


class TurnView(QWidget):
    """Two rows of four pictures; a drag turns the view of all of them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.turns: Turns | None = None
        self.theme: Theme = LIGHT
        self.camera = Camera()
        self.enlarged = 1.0
        self._painted: dict[bytes, QPixmap] = {}  # attitudes of this picture
        self._grabbed: QPointF | None = None
        self.setMinimumSize(320, 230)

    def sizeHint(self) -> QSize:
        """Wide enough for four pictures."""
        return QSize(720, 320)

    def show_turns(self, turns: "Turns") -> None:
        """Show these; changes the view."""
        self.turns = turns
        self.update()

    def enlarge(self, factor: float) -> None:
        """Have letters of this many times their usual size; changes the view."""
        self.enlarged = factor
        self.update()

    def tones(self) -> list[QColor]:
        """The colours of the three angles: those of the gimbal rings."""
        colours = base_colours(self.theme)
        return [outline_tone(colours[ring], self.theme) for ring in RINGS]

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw both rows."""
        self.draw(QPainter(self))

    def draw(self, painter: QPainter) -> None:
        """Draw both rows on the screen or into a file."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), QColor(self.theme.paper))
        found = self.turns
        if found is None:
            return
        font = QFont(self.font())
        font.setPixelSize(round(LETTERS * self.enlarged))
        painter.setFont(font)
        half = self.height() / 2
        self._painted.clear()
        self._draw_row(painter, 0.0, half, found.turns, found.steps, self.tr("in order"))
        self._draw_row(painter, half, half, found.others, found.other_steps, self.tr("other order"))
        painter.setPen(QPen(QColor(self.theme.line), 1.0))
        painter.drawLine(QPointF(0, half), QPointF(self.width(), half))

    def _draw_row(
        self,
        painter: QPainter,
        top: float,
        high: float,
        turns: "tuple[Turn, ...]",
        steps: np.ndarray,
        title: str,
    ) -> None:
        """The start and the three turns."""
        wide, line = self.width() / 4, LINE * self.enlarged
        scale = 0.5 * min(wide, high - line) / REACH / MARGIN
        for n, R in enumerate(steps):
            cell = QRectF(n * wide, top, wide, high)
            screen = Screen(self.camera, cell.center().x(), top + line + (high - line) / 2, scale)
            words, colour = title, QColor(self.theme.quiet)
            turn = turns[n - 1] if n else None
            if turn is not None:
                painter.setOpacity(GHOST)
                self._draw_body(painter, screen, steps[n - 1], cell)
                painter.setOpacity(1.0)
                colour = self.tones()["φθψ".index(turn.name)]
                axis = f"{turn.axis}{PRIMES[n - 1]}"
                tenths = round(float(np.degrees(turn.angle)), 1) + 0.0  # no minus before zero
                angle = separated(f"{tenths:.1f}").replace("-", "−")
                words = self.tr("{0} = {1}° about {2}").format(turn.name, angle, axis)
            self._draw_body(painter, screen, R, cell)
            if turn is not None:
                self._draw_axis(painter, screen, R[:, turn.axis - 1], turn.angle, colour)
            painter.setPen(colour)
            place = QRectF(cell.left() + 2, top + 3, wide - 4, line)
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, words)

    def _draw_body(self, painter: QPainter, screen: Screen, R: np.ndarray, cell: QRectF) -> None:
        """A body in its cell; on the screen each attitude is painted once and then copied."""
        if not isinstance(painter.device(), QWidget):
            self._paint_body(painter, screen, R)
            return
        key = R.tobytes()
        if key not in self._painted:
            ratio = self.devicePixelRatioF()
            picture = QPixmap((cell.size() * ratio).toSize())
            picture.setDevicePixelRatio(ratio)
            picture.fill(Qt.GlobalColor.transparent)
            own = QPainter(picture)
            own.setRenderHint(QPainter.RenderHint.Antialiasing)
            place = Screen(
                screen.camera, screen.x - cell.left(), screen.y - cell.top(), screen.scale
            )
            self._paint_body(own, place, R)
            own.end()
            self._painted[key] = picture
        painter.drawPixmap(cell.topLeft(), self._painted[key])

    def _paint_body(self, painter: QPainter, screen: Screen, R: np.ndarray) -> None:
        faces = body_alone(R, SIZE)
        paint_faces(painter, screen, faces, base_colours(self.theme), QColor(self.theme.paper))

    def _draw_axis(
        self, painter: QPainter, screen: Screen, axis: np.ndarray, angle: float, colour: QColor
    ) -> None:
        """The axis of a turn, and an arc about it as far as it turned."""
        painter.setPen(QPen(colour, 1.6, Qt.PenStyle.DashLine))
        painter.drawLine(screen.point(-REACH * axis), screen.point(REACH * axis))
        across = np.cross(axis, np.eye(3)[int(np.abs(axis).argmin())])
        across /= np.linalg.norm(across)
        other = np.cross(axis, across)
        turn = np.linspace(0.0, angle, 25)[:, None]
        ring = 0.9 * axis + ARC * (np.cos(turn) * across + np.sin(turn) * other)
        points = [QPointF(*p) for p in screen.project(ring)[0]]
        painter.setPen(QPen(colour, 2.0))
        painter.drawPolyline(QPolygonF(points))
        way = points[-1] - points[-3]
        long = (way.x() ** 2 + way.y() ** 2) ** 0.5
        if long > 1e-6 and abs(angle) > 0.02:
            u = way / long
            side = QPointF(-u.y(), u.x())
            tip = points[-1] + u * 4.0
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawPolygon(
                QPolygonF([tip, tip - u * 8.0 + side * 3.2, tip - u * 8.0 - side * 3.2])
            )

    # --- the mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of the view."""
        self._grabbed = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Turn the view."""
        if self._grabbed is not None:
            way = event.position() - self._grabbed
            self._grabbed = event.position()
            self.camera = self.camera.turned(TURN * way.x(), TURN * way.y())
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go of the view."""
        self._grabbed = None
