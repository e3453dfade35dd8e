"""A sheet of formulas under headings: it lights up what the mouse is over, and tells whose it is."""

from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from gui.instruments.formula.boxes import Box, Colours

MARGIN, GAP, HEADING = 18.0, 14.0, 30.0
SMALLEST, LARGEST = 10.0, 40.0  # px of letters
WORDS_AWAY = 28.0  # px between a formula and its words


class Line(NamedTuple):
    """A heading, or a formula with words behind it, and its part."""

    box: Box | None
    words: str = ""
    part: str = ""


class Sheet(QWidget):
    """Lines under each other, as large as they are; the area around it scrolls."""

    hovered = Signal(str)
    clicked = Signal(str)
    zoomed = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lines: list[Line] = []
        self.colours: Colours = {}
        self.paper, self.quiet = QColor("white"), QColor("grey")
        self.lit: frozenset[str] = frozenset()
        self._under = ""
        self.setMouseTracking(True)

    def show_lines(self, lines: list[Line]) -> None:
        """Show these; changes the sheet and its size."""
        self.lines = lines
        self.setFixedSize(self.sizeHint())
        self.update()

    def light(self, parts: frozenset[str]) -> None:
        """Light up the formulas of these parts; changes how the sheet looks."""
        if parts != self.lit:
            self.lit = parts
            self.update()

    def sizeHint(self) -> QSize:
        """As large as what is on it."""
        width = max((self._width(line) for line in self.lines), default=0.0)
        height = sum(_height(line) for line in self.lines)
        return QSize(int(width + 2 * MARGIN), int(height + 2 * MARGIN))

    def _width(self, line: Line) -> float:
        words = self.fontMetrics().horizontalAdvance(line.words) if line.words else 0
        return words + (line.box.width + WORDS_AWAY if line.box else 0.0)

    def places(self) -> list[tuple[QPointF, Line]]:
        """Where each line stands: the origin of its box, or the lower left of its heading."""
        found, y = [], MARGIN
        for line in self.lines:
            up = line.box.up if line.box else HEADING - GAP
            found.append((QPointF(MARGIN, y + up), line))
            y += _height(line)
        return found

    def draw(self, painter: QPainter, seen: QRectF | None = None) -> None:
        """Draw everything that is seen, on the screen or into a file."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect() if seen is None else seen, self.paper)
        for at, line in self.places():
            if line.box is None:
                painter.setFont(self.font())
                painter.setPen(self.quiet)
                painter.drawText(at, line.words)
                continue
            line.box.paint(painter, at.x(), at.y(), self.colours, self.lit, seen)
            if line.words:
                painter.setFont(self.font())
                painter.setPen(self.colours.get(line.part, self.quiet))
                painter.drawText(QPointF(at.x() + line.box.width + WORDS_AWAY, at.y()), line.words)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw what has to be drawn again."""
        self.draw(QPainter(self), QRectF(event.rect()))

    def part_at(self, where: QPointF) -> str:
        """The part of the formula there, else of its line."""
        for at, line in self.places():
            if line.box is not None and at.y() - line.box.up <= where.y() <= at.y() + line.box.down:
                found = line.box.part_at(where.x() - at.x(), where.y() - at.y())
                return found or line.part
        return ""

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell what the mouse is over."""
        part = self.part_at(event.position())
        if part != self._under:
            self._under = part
            self.hovered.emit(part)

    def leaveEvent(self, event: object) -> None:
        """Nothing is under the mouse any more."""
        if self._under:
            self._under = ""
            self.hovered.emit("")

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Tell what was clicked."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit(self.part_at(event.position()))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """With Ctrl the letters grow and shrink; else the area scrolls."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoomed.emit(1.1 if event.angleDelta().y() > 0 else 1 / 1.1)
            event.accept()
        else:
            event.ignore()


def _height(line: Line) -> float:
    return HEADING if line.box is None else line.box.up + line.box.down + GAP
