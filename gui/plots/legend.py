"""The line above a plot that names its curves; a click on one opens its menu."""

from typing import NamedTuple

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gui.look.theme import theme_of

HEIGHT = 20  # px of a line
SWATCH = 10  # px
GAP = 6  # px
MAX_LINES = 3


class Item(NamedTuple):
    """One curve of the legend."""

    name: str  # of the channel
    text: str
    colour: str
    tip: str
    is_faint: bool = False  # hidden, or without values


class Legend(QWidget):
    """Names with coloured squares, in as many lines as they need."""

    pressed = Signal(str, QPoint)  # name of the channel, place on the screen
    removed = Signal(str)  # by a middle click

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.items: tuple[Item, ...] = ()
        self._hovered = ""
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_items(self, items: list[Item]) -> None:
        """Show these; changes the legend."""
        if tuple(items) != self.items:
            self.items = tuple(items)
            self._fit()
            self.update()

    def places(self) -> list[tuple[Item, QRectF]]:
        """Each item with its place."""
        x, line, width, found = 0.0, 0, float(self.width()), []
        for item in self.items:
            needed = self.fontMetrics().horizontalAdvance(item.text) + SWATCH + 3 * GAP
            wide = min(float(needed), max(width, 60.0))
            if x > 0.0 and x + wide > width and line < MAX_LINES - 1:
                x, line = 0.0, line + 1
            found.append((item, QRectF(x, line * HEIGHT, wide, HEIGHT)))
            x += wide
        return found

    def sizeHint(self) -> QSize:
        """As high as its lines."""
        return QSize(120, self._lines() * HEIGHT)

    def _lines(self) -> int:
        places = self.places()
        return round(places[-1][1].top() / HEIGHT) + 1 if places else 1

    def _fit(self) -> None:
        self.setFixedHeight(self._lines() * HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out the lines again."""
        super().resizeEvent(event)
        self._fit()

    def _item_at(self, place: QPoint) -> Item | None:
        return next((item for item, rect in self.places() if rect.contains(place)), None)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw squares and names."""
        theme = theme_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for item, rect in self.places():
            painter.setPen(Qt.PenStyle.NoPen)
            if item.name == self._hovered:
                painter.setBrush(QColor(theme.accent_soft))
                painter.drawRoundedRect(rect.adjusted(0, 1, -2, -1), 4, 4)
            colour = QColor(item.colour)
            colour.setAlpha(90 if item.is_faint else 255)
            painter.setBrush(colour)
            top = rect.center().y() - SWATCH / 2 + 0.5
            painter.drawRoundedRect(QRectF(rect.left() + GAP, top, SWATCH, SWATCH), 2, 2)
            painter.setPen(QColor(theme.faint if item.is_faint else theme.ink))
            words = rect.adjusted(2 * GAP + SWATCH, 0, -GAP + 2, 0)
            elided = self.fontMetrics().elidedText(
                item.text, Qt.TextElideMode.ElideRight, int(words.width()) + 1
            )
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, elided)
        painter.end()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Highlight the item under the mouse."""
        item = self._item_at(event.position().toPoint())
        self._hover(item.name if item else "")

    def leaveEvent(self, event: QEvent) -> None:
        """Remove the highlight."""
        self._hover("")

    def _hover(self, name: str) -> None:
        if name != self._hovered:
            self._hovered = name
            self.setCursor(
                Qt.CursorShape.PointingHandCursor if name else Qt.CursorShape.ArrowCursor
            )
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Ask for the menu of a curve, or remove it with the middle button."""
        item = self._item_at(event.position().toPoint())
        if item is None:
            super().mousePressEvent(event)
        elif event.button() == Qt.MouseButton.MiddleButton:
            self.removed.emit(item.name)
        else:
            self.pressed.emit(item.name, event.globalPosition().toPoint())

    def event(self, event: QEvent) -> bool:
        """Show the full name, unit and frame of the item under the mouse."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            item = self._item_at(event.pos())
            QToolTip.showText(event.globalPos(), item.tip if item else "", self)
            return True
        return super().event(event)
