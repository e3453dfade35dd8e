"""The lines above a plot that name its curves and tell their extremes, mean and effective value.

A click on a name opens its menu; a click on an extreme goes to its time.
"""

from typing import NamedTuple

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gui.look.theme import Theme, theme_of

HEIGHT = 20  # px of a line
SAMPLE = 18  # px of line before each name
GAP = 6  # px
MAX_LINES = 3  # of names without numbers
SHORTEST = 60.0  # px of a name with its sample


class Mark(NamedTuple):
    """A number of a curve, and the time to which a click on it goes; None: it has none."""

    text: str
    t: float | None = None


class Item(NamedTuple):
    """One curve of the legend."""

    name: str  # of the channel
    text: str
    colour: str
    tip: str
    is_faint: bool = False  # hidden, or without values
    dash: tuple[float, ...] = ()
    marks: tuple[Mark, ...] = ()
    is_chosen: bool = False  # Del removes it


class Legend(QWidget):
    """Names with samples of their lines: one line for each curve, or as many as fit beside each other."""

    pressed = Signal(str, QPoint)  # name of the channel, place on the screen
    removed = Signal(str)  # by a middle click
    went = Signal(float)  # to the time of an extreme

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.items: tuple[Item, ...] = ()
        self.is_low = False  # one line for all, for plots that have little height
        self._hovered: tuple[str, int] = ("", -1)  # a curve, and the number of one of its marks
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_items(self, items: list[Item]) -> None:
        """Show these; changes the legend."""
        if tuple(items) != self.items:
            self.items = tuple(items)
            self._fit()
            self.update()

    def set_low(self, is_low: bool) -> None:
        """Take one line for all names, or as many as they need; changes the legend."""
        if is_low != self.is_low:
            self.is_low = is_low
            self._fit()
            self.update()

    # --- places

    @property
    def has_rows(self) -> bool:
        """Whether each curve has a line of its own, with its numbers."""
        most = 1 if self.is_low else MAX_LINES
        return len(self.items) <= most and any(item.marks for item in self.items)

    def _widest(self) -> float:
        """The room of a name: the line, or its share of it where all are in one."""
        share = len(self.items) if self.is_low and self.items else 1
        return max(float(self.width()) / share, SHORTEST)

    def places(self) -> list[tuple[Item, QRectF]]:
        """Each item with the place of its name."""
        x, line, width, found = 0.0, 0, float(self.width()), []
        for item in self.items:
            needed = self.fontMetrics().horizontalAdvance(item.text) + SAMPLE + 3 * GAP
            wide = min(float(needed), self._widest())
            is_full = x + wide > width and line < MAX_LINES - 1
            if x > 0.0 and not self.is_low and (self.has_rows or is_full):
                x, line = 0.0, line + 1
            found.append((item, QRectF(x, line * HEIGHT, wide, HEIGHT)))
            x += wide
        return found

    def mark_places(self) -> list[tuple[Item, int, QRectF]]:
        """The numbers that there is room for, with their places: item, number of the mark, place."""
        found: list[tuple[Item, int, QRectF]] = []
        if not self.has_rows:
            return found
        column = max((rect.right() for _, rect in self.places()), default=0.0) + GAP
        widths = [
            max(
                self.fontMetrics().horizontalAdvance(item.marks[n].text)
                for item in self.items
                if item.marks
            )
            for n in range(min(len(item.marks) for item in self.items if item.marks))
        ]
        for n, width in enumerate(widths):
            wide = float(width + 2 * GAP)
            if column + wide > self.width():
                break
            for item, rect in self.places():
                if item.marks:
                    found.append((item, n, QRectF(column, rect.top(), wide, HEIGHT)))
            column += wide
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

    def _mark_at(self, place: QPoint) -> tuple[Item, int] | None:
        found = ((item, n) for item, n, rect in self.mark_places() if rect.contains(place))
        return next(found, None)

    # --- drawing

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw samples, names and numbers."""
        theme = theme_of(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for item, rect in self.places():
            self._paint_name(painter, theme, item, rect)
        for item, n, rect in self.mark_places():
            if self._hovered == (item.name, n):
                self._highlight(painter, theme, rect)
            painter.setPen(QColor(theme.quiet))
            words = rect.adjusted(GAP, 0, -GAP, 0)
            painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, item.marks[n].text)
        painter.end()

    def _paint_name(self, painter: QPainter, theme: Theme, item: Item, rect: QRectF) -> None:
        if self._hovered == (item.name, -1):
            self._highlight(painter, theme, rect)
        colour = QColor(item.colour)
        colour.setAlpha(90 if item.is_faint else 255)
        pen = QPen(colour, 3.0 if item.is_chosen else 2.0)
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        if item.dash:
            pen.setDashPattern([part / pen.widthF() for part in item.dash])
        painter.setPen(pen)
        middle = rect.center().y() + 0.5
        left = rect.left() + GAP
        painter.drawLine(QPointF(left, middle), QPointF(left + SAMPLE, middle))
        painter.setPen(QColor(theme.faint if item.is_faint else theme.ink))
        words = rect.adjusted(2 * GAP + SAMPLE, 0, -GAP + 2, 0)
        elided = self.fontMetrics().elidedText(
            item.text, Qt.TextElideMode.ElideRight, int(words.width()) + 1
        )
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, elided)

    def _highlight(self, painter: QPainter, theme: Theme, rect: QRectF) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.accent_soft))
        painter.drawRoundedRect(rect.adjusted(0, 1, -2, -1), 4, 4)

    # --- the mouse

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Highlight what a click would act on."""
        place = event.position().toPoint()
        item, mark = self._item_at(place), self._mark_at(place)
        if mark is not None and mark[0].marks[mark[1]].t is not None:
            self._hover((mark[0].name, mark[1]))
        else:
            self._hover((item.name if item else "", -1))

    def leaveEvent(self, event: QEvent) -> None:
        """Remove the highlight."""
        self._hover(("", -1))

    def _hover(self, what: tuple[str, int]) -> None:
        if what != self._hovered:
            self._hovered = what
            self.setCursor(
                Qt.CursorShape.PointingHandCursor if what[0] else Qt.CursorShape.ArrowCursor
            )
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to an extreme, ask for the menu of a curve, or remove it with the middle button."""
        place = event.position().toPoint()
        item, mark = self._item_at(place), self._mark_at(place)
        if mark is not None:
            t = mark[0].marks[mark[1]].t
            if t is not None:
                self.went.emit(t)
        elif item is None:
            super().mousePressEvent(event)
        elif event.button() == Qt.MouseButton.MiddleButton:
            self.removed.emit(item.name)
        else:
            self.pressed.emit(item.name, event.globalPosition().toPoint())

    def event(self, event: QEvent) -> bool:
        """Show the full name, unit and frame of the item under the mouse, and all its numbers."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            mark = self._mark_at(event.pos())
            item = mark[0] if mark is not None else self._item_at(event.pos())
            words = [item.tip, *(one.text for one in item.marks)] if item else []
            QToolTip.showText(event.globalPos(), "\n".join(words), self)
            return True
        return super().event(event)
