"""A sheet of formulas under headings: it lights up what the mouse is over, and tells whose it is.

Formulas that are wider than the paper are broken at their signs; what cannot be broken, as a matrix, is
drawn smaller as far as it can be read, and beyond that the paper scrolls.
"""

from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal, SignalInstance
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from gui.instruments.formula.boxes import Box, Colours
from gui.instruments.formula.wrapping import wrapped

MARGIN, GAP, HEADING = 18.0, 14.0, 30.0
SMALLEST, LARGEST = 10.0, 40.0  # px of letters
SHRUNK = 0.62  # of its size, that a formula is drawn at least
WORDS_AWAY = 28.0  # px between a formula and its words
BESIDE = 0.3  # of the room, that words beside a long formula may take; else they stand below it


class Line(NamedTuple):
    """A heading, or a formula with words behind it, and its part."""

    box: Box | None
    words: str = ""
    part: str = ""
    scale: float = 1.0
    is_below: bool = False  # the words, under the formula

    @property
    def up(self) -> float:
        """How far it reaches above its origin."""
        return self.box.up * self.scale if self.box else HEADING - GAP

    def down(self, letters: float) -> float:
        """How far it reaches below its origin."""
        if self.box is None:
            return 0.0
        return self.box.down * self.scale + (1.4 * letters if self.is_below else 0.0)


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
        self._given: list[Line] = []
        self._room = 0
        self._letters = SMALLEST
        self.setMouseTracking(True)

    def show_lines(self, lines: list[Line], letters: float) -> None:
        """Show these, in letters of this size; changes the sheet and its size."""
        self._given, self._letters = lines, letters
        self._fit()

    def set_room(self, width: int) -> None:
        """Fit into this width as well as may be; changes the size."""
        if width != self._room:
            self._room = width
            self._fit()

    def _fit(self) -> None:
        """Break and shrink what is too wide."""
        room = self._room - 2 * MARGIN
        fits = [self._fitted(line, room) if room > 0 else [line] for line in self._given]
        self.lines = [line for lines in fits for line in lines]
        self.setFixedSize(self.sizeHint())
        self.update()

    def _fitted(self, line: Line, room: float) -> list[Line]:
        """A line, or words as several lines, that need no more than the room, if that can be."""
        if self._width(line) <= room:
            return [line]
        if line.box is None:
            return [line._replace(words=words) for words in self._broken(line.words, room)]
        beside = self._words_width(line)
        is_below = bool(line.words) and line.box.width + beside > room and beside > BESIDE * room
        box = wrapped(line.box, room - (0.0 if is_below else beside), self._letters)
        least = max(SHRUNK, min(1.0, SMALLEST / self._letters))
        scale = min(1.0, max(least, (room - (0.0 if is_below else beside)) / box.width))
        return [line._replace(box=box, scale=scale, is_below=is_below)]

    def _broken(self, words: str, room: float) -> list[str]:
        """Words on several lines."""
        lines: list[str] = []
        for word in words.split():
            longer = f"{lines[-1]} {word}" if lines else word
            if lines and self.fontMetrics().horizontalAdvance(longer) <= room:
                lines[-1] = longer
            else:
                lines.append(word)
        return lines

    def light(self, parts: frozenset[str]) -> None:
        """Light up the formulas of these parts; changes how the sheet looks."""
        if parts != self.lit:
            self.lit = parts
            self.update()

    def sizeHint(self) -> QSize:
        """As large as what is on it."""
        width = max((self._width(line) for line in self.lines), default=0.0)
        height = sum(self._height(line) for line in self.lines)
        return QSize(int(width + 2 * MARGIN), int(height + 2 * MARGIN))

    def _words_width(self, line: Line) -> float:
        away = WORDS_AWAY if line.box else 0.0
        return away + self.fontMetrics().horizontalAdvance(line.words) if line.words else 0.0

    def _width(self, line: Line) -> float:
        box, words = line.box.width * line.scale if line.box else 0.0, self._words_width(line)
        return max(box, words) if line.is_below else box + words

    def _height(self, line: Line) -> float:
        return line.up + line.down(self._letters) + GAP

    def places(self) -> list[tuple[QPointF, Line]]:
        """Where each line stands: the origin of its box, or the lower left of its heading."""
        found, y = [], MARGIN
        for line in self.lines:
            found.append((QPointF(MARGIN, y + line.up), line))
            y += self._height(line)
        return found

    def draw(self, painter: QPainter, seen: QRectF | None = None) -> None:
        """Draw everything that is seen, on the screen or into a file."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect() if seen is None else seen, self.paper)
        for at, line in self.places():
            if line.box is not None:
                self._draw_formula(painter, at, line, seen)
            if line.words:
                painter.setFont(self.font())
                painter.setPen(self.colours.get(line.part, self.quiet) if line.box else self.quiet)
                painter.drawText(self._words_at(at, line), line.words)

    def _draw_formula(
        self, painter: QPainter, at: QPointF, line: Line, seen: QRectF | None
    ) -> None:
        assert line.box is not None
        painter.save()
        painter.translate(at)
        painter.scale(line.scale, line.scale)
        if seen is not None:
            corner, size = (seen.topLeft() - at) / line.scale, seen.size() / line.scale
            seen = QRectF(corner, size)
        line.box.paint(painter, 0.0, 0.0, self.colours, self.lit, seen)
        painter.restore()

    def _words_at(self, at: QPointF, line: Line) -> QPointF:
        """Where the words of a line begin: behind its formula, or below it."""
        if line.box is None:
            return at
        if line.is_below:
            return QPointF(at.x(), at.y() + line.down(self._letters))
        return QPointF(at.x() + line.box.width * line.scale + WORDS_AWAY, at.y())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw what has to be drawn again."""
        self.draw(QPainter(self), QRectF(event.rect()))

    def part_at(self, where: QPointF) -> str:
        """The part of the formula there, else of its line."""
        for at, line in self.places():
            down = line.down(self._letters)
            if line.box is not None and at.y() - line.up <= where.y() <= at.y() + down:
                inside = (where - at) / line.scale
                return line.box.part_at(inside.x(), inside.y()) or line.part
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
        zoom_by(event, self.zoomed)


def zoom_by(event: QWheelEvent, zoomed: SignalInstance) -> None:
    """Tell by what letters grow, if Ctrl is held; else the wheel is for the area around."""
    if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
        zoomed.emit(1.1 if event.angleDelta().y() > 0 else 1 / 1.1)
        event.accept()
    else:
        event.ignore()
