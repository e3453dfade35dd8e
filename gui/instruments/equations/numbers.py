"""The whole system in numbers at one frame: [M Dᵀ; D 0] [a; λ] = [f; γ], with names at its sides.

Only cells that are seen are drawn, so that large models follow playback as well. Names of rows and
columns stay in sight when the paper is scrolled.
"""

from typing import Any, NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from gui.instruments.formula.boxes import INK, LIT, Colours, font_of
from gui.instruments.formula.sheet import zoom_by
from gui.instruments.formula.typesetter import ZERO, Typesetter, minus
from gui.look.translation import separated

LETTER, LEAST = 14.0, 10.0  # px of letters: usual ones, and the smallest that fit a narrow paper
CELL = QSize(66, 24)
SIDE, TOP = 86, 30  # px for the names of rows and of columns
APART = 14  # px between the matrix, the unknowns and the right side


class System(NamedTuple):
    """A block matrix with its solution and its right side, and the names and parts of its rows."""

    A: np.ndarray
    x: np.ndarray
    b: np.ndarray
    symbols: tuple[Any, ...]  # of the unknowns
    parts: tuple[str, ...]
    n_v: int  # accelerations; the rest are multipliers


def system_at(views: Any, t: float, q: np.ndarray, v: np.ndarray, z: np.ndarray | None) -> System:
    """The system of a model at a state, rows in the order of the model."""
    from engine.kinematics.evaluate import equations

    compiled = views.equations.compiled
    here = equations(compiled, t, q, v, z=z)
    columns, rows = views.columns, views.order
    n, m = len(columns), len(rows)
    A = np.zeros((n + m, n + m))
    A[:n, :n] = here.M[np.ix_(columns, columns)]
    A[n:, :n] = here.D[np.ix_(rows, columns)]
    A[:n, n:] = A[n:, :n].T
    symbols = (*views.chosen(views.a), *(views.equations.lam[k] for k in rows))
    return System(
        A,
        np.concatenate([here.a[columns], here.lam[rows]]),
        np.concatenate([here.f[columns], here.gamma[rows]]),
        symbols,
        tuple(views.owners.get(s, "") for s in symbols),
        n,
    )


def shown_number(x: float) -> str:
    """A number in a cell, as long as it has room for; zero is a dot."""
    if x == 0.0:
        return ZERO
    text = f"{x:.4g}"
    return minus(separated(f"{x:.2e}" if "e" in text else text))


class NumberSheet(QWidget):
    """Draws a system; the row and the column of a part light up."""

    hovered = Signal(str)
    clicked = Signal(str)
    zoomed = Signal(float)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.system: System | None = None
        self.zoom, self.scale = 1.0, 1.0  # as asked for, and as it fits
        self._room = 0
        self.colours: Colours = {INK: QColor("black"), LIT: QColor("yellow")}
        self.paper, self.line = QColor("white"), QColor("grey")
        self.lit: frozenset[str] = frozenset()
        self._names: list[Any] = []
        self._under = ""
        self.setMouseTracking(True)

    def show_system(self, system: System) -> None:
        """Show these numbers; changes the sheet."""
        if self.system is None or self.system.symbols != system.symbols:
            parts = dict(zip(system.symbols, system.parts))
            typesetter = Typesetter(LETTER, lambda symbol: parts.get(symbol, ""))
            self._names = [typesetter.of(symbol) for symbol in system.symbols]
        self.system = system
        self._fit()
        self.update()

    def set_room(self, width: int) -> None:
        """Fit into this width as well as may be; changes the size."""
        self._room = width
        self._fit()

    def set_zoom(self, zoom: float) -> None:
        """Show letters larger or smaller than usual; changes the size."""
        self.zoom = zoom
        self._fit()
        self.update()

    def _fit(self) -> None:
        """As large as asked for, or smaller where that makes all of it seen."""
        fit = self._room / self._whole().width() if self._room else 1.0
        self.scale = self.zoom * min(1.0, max(fit, LEAST / LETTER))
        if self.size() != self.sizeHint():
            self.setFixedSize(self.sizeHint())

    def light(self, parts: frozenset[str]) -> None:
        """Light up the rows of these parts; changes how the sheet looks."""
        if parts != self.lit:
            self.lit = parts
            self.update()

    def sizeHint(self) -> QSize:
        """Names, the matrix, the unknowns and the right side."""
        return (self._whole() * self.scale).toSize()

    def _whole(self) -> QSizeF:
        n = 0 if self.system is None else len(self.system.x)
        width = SIDE + (n + 2) * CELL.width() + 3 * APART
        return QSizeF(width, TOP + n * CELL.height() + APART)

    def cell(self, row: int, column: int) -> QRectF:
        """Where a cell is; column n are the unknowns, n + 1 the right side."""
        n = 0 if self.system is None else len(self.system.x)
        beyond = APART * max(0, column - n + 1)
        x, y = SIDE + column * CELL.width() + beyond, TOP + row * CELL.height()
        return QRectF(x, y, CELL.width(), CELL.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the cells that are seen."""
        self.draw(QPainter(self), QRectF(event.rect()))

    def _in_sight(self) -> QRectF:
        """What the paper shows of it, in its own measures."""
        seen = QRectF(self.visibleRegion().boundingRect())
        return QRectF(seen.topLeft() / self.scale, seen.size() / self.scale)

    def draw(self, painter: QPainter, seen: QRectF | None = None) -> None:
        """Draw everything that is seen, on the screen or into a file."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(self.scale, self.scale)
        dirty = QRectF(self.rect()) if seen is None else seen
        whole = QRectF(dirty.topLeft() / self.scale, dirty.size() / self.scale)
        painter.fillRect(whole, self.paper)
        system = self.system
        if system is None:
            return
        n = len(system.x)
        rows = range(
            max(0, int((whole.top() - TOP) // CELL.height())),
            min(n, int((whole.bottom() - TOP) // CELL.height()) + 1),
        )
        self._draw_bands(painter, rows)
        painter.setFont(font_of(LETTER))
        for r in rows:
            painter.setPen(self.colours.get(system.parts[r], self.colours[INK]))
            for c in range(n + 2):
                place = self.cell(r, c)
                if place.right() < whole.left() or place.left() > whole.right():
                    continue
                value = system.A[r, c] if c < n else system.x[r] if c == n else system.b[r]
                painter.drawText(place, Qt.AlignmentFlag.AlignCenter, shown_number(float(value)))
        corner = QPointF(0.0, 0.0) if seen is None else self._in_sight().topLeft()
        self._draw_names(painter, corner, whole if seen is not None else None)

    def _draw_bands(self, painter: QPainter, rows: range) -> None:
        """Rows of lit parts, and lines between the blocks."""
        assert self.system is not None
        n, n_v = len(self.system.x), self.system.n_v
        for r in rows:
            if self.system.parts[r] and self.system.parts[r] in self.lit:
                painter.fillRect(
                    QRectF(0, self.cell(r, 0).top(), self.width(), CELL.height()), self.colours[LIT]
                )
        painter.setPen(self.line)
        left, right = self.cell(0, 0).left(), self.cell(0, n).left() - APART / 2
        if 0 < n_v < n:
            y, x = self.cell(n_v, 0).top(), self.cell(0, n_v).left()
            painter.drawLine(QPointF(0, y), QPointF(self.width(), y))
            painter.drawLine(QPointF(x, TOP), QPointF(x, self.cell(n - 1, 0).bottom()))
        for x in (left - 2, right, self.cell(0, n + 1).left() - APART / 2):
            painter.drawLine(QPointF(x, TOP), QPointF(x, self.cell(max(n - 1, 0), 0).bottom()))

    def _draw_names(self, painter: QPainter, corner: QPointF, seen: QRectF | None) -> None:
        """Names above and beside the numbers, at the corner that is in sight, on their own paper."""
        assert self.system is not None
        n, whole = len(self.system.x), self._whole()
        x, y = corner.x(), corner.y()
        if x > 0.0:
            painter.fillRect(QRectF(x, y, SIDE - 4, whole.height()), self.paper)
            self._draw_marks(painter, x)
        for k, box in enumerate(self._names):
            at = self.cell(k, 0).center().y() + 5
            box.paint(painter, x + SIDE - 12 - box.width, at, self.colours, seen=seen)
        if y > 0.0:
            painter.fillRect(QRectF(x, y, whole.width(), TOP - 2), self.paper)
        painter.save()
        painter.setClipRect(QRectF(x + SIDE - 6 if x > 0.0 else x, y, whole.width(), TOP))
        for k, box in enumerate(self._names):
            above = self.cell(0, k).center().x() - box.width / 2
            box.paint(painter, above, y + TOP - 10, self.colours, seen=seen)
        painter.setFont(font_of(LETTER))
        painter.setPen(self.colours[INK])
        for column, title in ((n, "a, λ"), (n + 1, "f, γ")):
            place = self.cell(0, column)
            heading = QRectF(place.left(), y, place.width(), TOP - 4)
            painter.drawText(heading, Qt.AlignmentFlag.AlignCenter, title)
        painter.restore()
        if y > 0.0 and x > 0.0:
            painter.fillRect(QRectF(x, y, SIDE - 6, TOP - 2), self.paper)

    def _draw_marks(self, painter: QPainter, x: float) -> None:
        """The bands of lit rows below names that moved."""
        assert self.system is not None
        for r, part in enumerate(self.system.parts):
            if part and part in self.lit:
                band = QRectF(x, self.cell(r, 0).top(), SIDE - 4, CELL.height())
                painter.fillRect(band, self.colours[LIT])

    def part_at(self, where: QPointF) -> str:
        """The part of the row there; above the rows, of the column."""
        if self.system is None:
            return ""
        count, seen = len(self.system.x), self._in_sight()
        at = where / self.scale
        r, c = int((at.y() - TOP) // CELL.height()), int((at.x() - SIDE) // CELL.width())
        is_above = (at.y() < TOP + max(seen.top(), 0.0) and seen.height() > 0.0) or at.y() < TOP
        which = c if is_above else r
        return self.system.parts[which] if 0 <= which < count else ""

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

    def wheelEvent(self, event: QWheelEvent) -> None:
        """With Ctrl the letters grow and shrink; else the area scrolls."""
        zoom_by(event, self.zoomed)
