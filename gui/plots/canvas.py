"""The area that curves are drawn on, its axes, and what the mouse does there.

Left drag scrubs, middle drag pans, wheel zooms, Ctrl with left drag zooms into a box, a double
click shows everything, and a right click opens a menu.
"""

from html import escape
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QLineF, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from gui.look.theme import Theme
from gui.look.translation import separated
from gui.plots.units import with_unit
from gui.state.preferences import Preferences

pg.setConfigOptions(antialias=True)

LEFT, MIDDLE, RIGHT = (
    Qt.MouseButton.LeftButton,
    Qt.MouseButton.MiddleButton,
    Qt.MouseButton.RightButton,
)
CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


MOST_LINES = 9  # of the finer ticks, for a grid that does not crowd


class Canvas(pg.ViewBox):
    """A view box with the mouse gestures of this program."""

    held = Signal(QPointF)  # a left press or drag, at a place of the data
    clicked = Signal(QPointF)
    shift_clicked = Signal(QPointF)
    doubled = Signal(QPointF)
    menu_wanted = Signal(QPointF, QPoint)  # place of the data, place on the screen

    def __init__(self, wheel_axis: int | None = None) -> None:
        super().__init__(enableMenu=False)
        self.wheel_axis = wheel_axis  # 0: the wheel zooms x alone

    def mouseDragEvent(self, event: Any, axis: int | None = None) -> None:
        """Scrub, pan, zoom into a box or stretch."""
        if event.button() == LEFT and axis is None:
            if event.modifiers() & CONTROL:
                self.setMouseMode(self.RectMode)
                super().mouseDragEvent(event, axis)
                self.setMouseMode(self.PanMode)
            else:
                event.accept()
                self.held.emit(self.mapSceneToView(event.scenePos()))
            return
        super().mouseDragEvent(event, axis)

    def mouseClickEvent(self, event: Any) -> None:
        """Emit clicks with their place in the data."""
        at = self.mapSceneToView(event.scenePos())
        event.accept()
        if event.button() == RIGHT:
            self.menu_wanted.emit(at, event.screenPos().toPoint())
        elif event.button() == LEFT and event.double():
            self.doubled.emit(at)
        elif event.button() == LEFT and event.modifiers() & SHIFT:
            self.shift_clicked.emit(at)
        elif event.button() == LEFT:
            self.clicked.emit(at)

    def wheelEvent(self, event: Any, axis: int | None = None) -> None:
        """Zoom about the mouse; with Ctrl the other way."""
        if axis is None and self.wheel_axis is not None:
            turned = bool(event.modifiers() & CONTROL)
            axis = 1 - self.wheel_axis if turned else self.wheel_axis
        super().wheelEvent(event, axis)


class UnitAxis(pg.AxisItem):
    """An axis with its own range: it shows `low` where the view has 0 and `high` where it has 1."""

    label_clicked = Signal()
    stretched = Signal(float, float)  # a factor, and where the mouse is along the axis from 0 to 1

    def __init__(self, orientation: str, preferences: Preferences, stretches: bool = False) -> None:
        super().__init__(orientation, maxTickLength=-5)
        self.preferences, self.stretches = preferences, stretches
        self.low, self.high = 0.0, 1.0
        self.unit_at_ticks = ""  # beside the last number, where there is no room for a label
        self._look: tuple[Any, ...] = ()
        self._ticks: tuple[Any, list[float]] = ((), [])  # the last ticks, with their range
        self.enableAutoSIPrefix(False)
        self.setStyle(
            tickTextOffset=4, autoReduceTextSpace=True, hideOverlappingLabels=True, maxTickLevel=1
        )
        self.label.setCursor(Qt.CursorShape.PointingHandCursor)

    def set_span(self, low: float, high: float) -> None:
        """Show another range; changes the ticks."""
        self.low, self.high = low, high
        view = self.linkedView()
        if view is not None:
            self.linkedViewChanged(view)

    def linkedViewChanged(self, view: Any, newRange: Any = None) -> None:
        """Follow the view, stretched."""
        if not self.stretches:
            super().linkedViewChanged(view, newRange)
            return
        first, last = view.viewRange()[1] if newRange is None else newRange
        span = self.high - self.low
        self.setRange(self.low + span * first, self.low + span * last)

    def ticks(self) -> list[float]:
        """The values with numbers beside them, in the coordinates of the axis."""
        size = self.width() if self.orientation == "bottom" else self.height()
        key = (*self.range, size, self.logMode)
        if key == self._ticks[0]:
            return self._ticks[1]
        levels = self.tickValues(min(self.range), max(self.range), max(size, 1.0))
        values = [float(value) for value in levels[0][1]] if levels else []
        if len(levels) > 1 and len(levels[1][1]) <= MOST_LINES:
            values += [float(value) for value in levels[1][1]]
        self._ticks = (key, values)
        return values

    def mouseClickEvent(self, event: Any) -> None:
        """A click on the label asks for another variable."""
        if event.button() == LEFT and self.label.sceneBoundingRect().contains(event.scenePos()):
            event.accept()
            self.label_clicked.emit()
        else:
            super().mouseClickEvent(event)

    def wheelEvent(self, event: Any) -> None:
        """Over a stretched axis the wheel zooms this unit alone."""
        view = self.linkedView()
        if (
            not self.stretches
            or view is None
            or view.sceneBoundingRect().contains(event.scenePos())
        ):
            super().wheelEvent(event)
            return
        event.accept()
        part = 1.0 - (event.pos().y() / max(self.height(), 1.0))
        first, last = view.viewRange()[1]
        self.stretched.emit(1.02 ** (-event.delta() / 8.0), first + (last - first) * part)

    def tickStrings(self, values: Any, scale: float, spacing: float) -> list[str]:
        """Numbers with the separator of the preferences."""
        strings = super().tickStrings(values, scale, spacing)
        strings = [text.replace("-", "−") if "e" not in text else text for text in strings]
        if strings and self.unit_at_ticks:
            strings[-1] = with_unit(strings[-1], self.unit_at_ticks)
        return [separated(text) for text in strings]

    def name_variable(self, text: str, theme: Theme, font: QFont, colour: str = "") -> None:
        """Write the label, in the colours of the theme or in that of the only curve."""
        look = (text, theme, font.toString(), colour)
        if look == self._look:
            return
        self._look = look
        words = colour or theme.quiet
        self.setPen(QColor(theme.line))
        self.setTextPen(QColor(words))
        self.setTickFont(font)
        self.setLabel(escape(text), color=words, **{"font-size": f"{font.pointSizeF():.1f}pt"})
        self.resizeEvent(None)  # a text of another length has another middle
        self.label.setToolTip(self.tr("Click to change the variable"))
        self._fit_height()

    def put_unit_at_ticks(self, unit: str) -> None:
        """Write a unit beside the last number in the place of a label; none: the label again."""
        if unit != self.unit_at_ticks:
            self.unit_at_ticks = unit
            self._fit_height()

    def _fit_height(self) -> None:
        """An axis below has one line of numbers, and one for its label."""
        if self.orientation != "bottom":
            return
        font = self.style["tickFont"] or QFont()
        line = QFontMetricsF(font).height()
        self.showLabel(not self.unit_at_ticks)
        self.setHeight(round(line + 8.0 if self.unit_at_ticks else 2.0 * line + 8.0))


class Grid(pg.GraphicsObject):
    """Faint lines at the ticks of axes; much cheaper than those that axes draw themselves."""

    def __init__(self, bottom: UnitAxis, left: UnitAxis) -> None:
        super().__init__()
        self.bottom, self.left = bottom, left
        self.colour = QColor("grey")
        self.setZValue(-20)

    def boundingRect(self) -> QRectF:
        """All that is seen."""
        return self.viewRect()

    def viewRangeChanged(self) -> None:
        """Redraw when the view moves."""
        self.prepareGeometryChange()
        self.update()

    def paint(self, painter: QPainter, *_: Any) -> None:
        """Draw the lines."""
        box = self.viewRect()
        x0, x1, y0, y1 = box.left(), box.right(), box.top(), box.bottom()
        span = self.left.high - self.left.low if self.left.stretches else 1.0
        low = self.left.low if self.left.stretches else 0.0
        lines = [QLineF(x, y0, x, y1) for x in self.bottom.ticks()]
        lines += [QLineF(x0, (y - low) / span, x1, (y - low) / span) for y in self.left.ticks()]
        pen = QPen(self.colour, 1.0)
        pen.setCosmetic(True)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(pen)
        painter.drawLines(lines)


def small(font: QFont) -> QFont:
    """The font of ticks."""
    reduced = QFont(font)
    reduced.setPointSizeF(max(font.pointSizeF() * 0.88, 7.0))
    return reduced


def faded(colour: str, alpha: int) -> QColor:
    """A partly transparent colour."""
    result = QColor(colour)
    result.setAlpha(alpha)
    return result


def spread(low: float, high: float, margin: float = 0.05) -> tuple[float, float]:
    """A range a little wider than the values; wide enough where they are all equal."""
    if not (low <= high):
        return 0.0, 1.0
    width = high - low
    least = max(abs(low), abs(high)) * 1e-9
    if width <= least:  # a constant, perhaps with rounding noise: a line in the middle
        half = max(abs(high) * 0.1, least, 1e-12 if high else 0.5)
        return low - half, high + half
    return low - margin * width, high + margin * width
