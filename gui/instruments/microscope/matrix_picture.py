"""A matrix by blocks as a picture: its size by shade, bodies and joints at its sides, fill hatched.

Nodes stand in the order of elimination; the darker a cell, the larger the number, by powers of ten.
"""

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui.look.theme import Theme, theme_of

if TYPE_CHECKING:
    from engine.studies.microscope.matrices import Matrix

DECADES = 12.0  # from the largest number to the palest cell
PALEST, DARKEST = 45, 235  # of 255
LARGEST_CELL, SMALLEST_CELL = 26.0, 2.0  # px
ROOM, GAP = 150.0, 8.0  # px for labels at most, and beside them
LEAST = QSize(260, 220)


class MatrixPicture(QWidget):
    """Draws a matrix; the rows and columns of a part light up."""

    hovered = Signal(str)
    clicked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.matrix: Matrix | None = None
        self.theme: Theme = theme_of(self.palette())
        self.tones: dict[str, QColor] = {}  # of bodies
        self.lit: frozenset[str] = frozenset()
        self._under = ""
        self.setMouseTracking(True)
        self.setMinimumSize(LEAST)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def show_matrix(self, matrix: "Matrix | None") -> None:
        """Show this one; changes what is drawn."""
        self.matrix = matrix
        self.update()

    def light(self, parts: frozenset[str]) -> None:
        """Light up the rows and columns of these parts; changes what is drawn."""
        if parts != self.lit:
            self.lit = parts
            self.update()

    # --- places

    def side(self) -> float:
        """The width of the labels at the left, and the height of those above."""
        if self.matrix is None:
            return 0.0
        metrics = QFontMetricsF(self.font())
        widest = max((metrics.horizontalAdvance(t) for t in self.labels()), default=0.0)
        return min(widest, ROOM) + 2 * GAP

    def labels(self) -> list[str]:
        """The number of every node in the order of elimination, and its name."""
        nodes = self.matrix.nodes if self.matrix is not None else ()
        return [f"{n}  {node.label}" for n, node in enumerate(nodes, 1)]

    def cell(self) -> float:
        """The size of a number."""
        n = max(1, 0 if self.matrix is None else len(self.matrix.values))
        room = min(self.width() - self.side() - GAP, self.height() - 2 * GAP - self.top())
        return float(np.clip(room / n, SMALLEST_CELL, LARGEST_CELL))

    def top(self) -> float:
        """The height of the numbers above the columns."""
        return QFontMetricsF(self.font()).height() + GAP

    def place(self, row: float, column: float, rows: float, columns: float) -> QRectF:
        """Where a block is."""
        cell = self.cell()
        return QRectF(
            self.side() + column * cell, self.top() + row * cell, columns * cell, rows * cell
        )

    def part_at(self, where: QPointF) -> str:
        """The body or joint of the row there; above the rows, of the column."""
        if self.matrix is None:
            return ""
        cell = self.cell()
        row, column = (where.y() - self.top()) / cell, (where.x() - self.side()) / cell
        at = column if row < 0 else row
        for node in self.matrix.nodes:
            if node.first <= at < node.first + node.size:
                return node.id
        return ""

    # --- drawing

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw it."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(self.theme.paper))
        if self.matrix is None or not len(self.matrix.values):
            return
        self._draw_bands(painter)
        self._draw_numbers(painter)
        self._draw_fill(painter)
        self._draw_lines(painter)
        self._draw_labels(painter)

    def _draw_bands(self, painter: QPainter) -> None:
        assert self.matrix is not None
        n = len(self.matrix.values)
        for node in self.matrix.nodes:
            if node.id in self.lit:
                for band in (
                    self.place(node.first, 0, node.size, n),
                    self.place(0, node.first, n, node.size),
                ):
                    painter.fillRect(band, QColor(self.theme.accent_soft))

    def _draw_numbers(self, painter: QPainter) -> None:
        """Every number that is not zero, as dark as it is large."""
        assert self.matrix is not None
        size = np.abs(self.matrix.values)
        most = size.max()
        if most == 0.0:
            return
        for i, j in zip(*np.nonzero(size > most * 10.0**-DECADES)):
            share = 1.0 + np.log10(size[i, j] / most) / DECADES
            tone = QColor(self.theme.ink)
            tone.setAlpha(int(PALEST + (DARKEST - PALEST) * share))
            painter.fillRect(self.place(i, j, 1, 1).adjusted(0.5, 0.5, -0.5, -0.5), tone)

    def _draw_fill(self, painter: QPainter) -> None:
        """Blocks that are filled while others are eliminated."""
        assert self.matrix is not None
        nodes, accent = self.matrix.nodes, QColor(self.theme.accent)
        brush = QBrush(accent, Qt.BrushStyle.BDiagPattern)
        for i, j in self.matrix.fill:
            for one, other in ((nodes[i], nodes[j]), (nodes[j], nodes[i])):
                block = self.place(one.first, other.first, one.size, other.size)
                painter.fillRect(block, brush)

    def _draw_lines(self, painter: QPainter) -> None:
        assert self.matrix is not None
        n = len(self.matrix.values)
        painter.setPen(QPen(QColor(self.theme.line), 1))
        for at in (*(node.first for node in self.matrix.nodes), n):
            across, down = self.place(at, 0, 0, n), self.place(0, at, n, 0)
            painter.drawLine(across.topLeft(), across.topRight())
            painter.drawLine(down.topLeft(), down.bottomLeft())

    def _draw_labels(self, painter: QPainter) -> None:
        """Names at the left in the colours of bodies, and their numbers above."""
        assert self.matrix is not None
        metrics, room = QFontMetricsF(painter.font()), self.side() - 2 * GAP
        n, below = len(self.matrix.values), -1.0
        for number, (node, label) in enumerate(zip(self.matrix.nodes, self.labels()), 1):
            painter.setPen(self.tones.get(node.id, QColor(self.theme.ink)))
            row = self.place(node.first, 0, node.size, n)
            text = metrics.elidedText(label, Qt.TextElideMode.ElideRight, room)
            height = metrics.height()
            if row.center().y() - height / 2 >= below:  # else it would lie on the one before
                place = QRectF(GAP, row.center().y() - height / 2, room, height)
                painter.drawText(
                    place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text
                )
                below = place.bottom()
            column = self.place(0, node.first, 0, node.size)
            if column.width() >= metrics.horizontalAdvance(str(number)) + 2:
                above = QRectF(column.left(), 0, column.width(), self.top())
                painter.drawText(above, Qt.AlignmentFlag.AlignCenter, str(number))

    # --- the mouse

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell whose row the mouse is over."""
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
        self.clicked.emit(self.part_at(event.position()))
