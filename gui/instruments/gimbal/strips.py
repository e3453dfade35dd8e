"""Small plots over time, one above the other: an axis, curves, levels and the clock."""

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import Qt

from gui.instruments.gimbal.rings import AMBER, RED
from gui.plots.canvas import Canvas, Grid, UnitAxis, faded
from gui.plots.decimation import min_max
from gui.state.preferences import Preferences

BINS = 600  # of a curve: more points would not be seen
MOST_TICKS = 5  # of a logarithmic axis
LEFT = 62  # px for the numbers, so that the strips line up


class PowerAxis(UnitAxis):
    """An axis whose values are decimal logarithms: ticks at powers of ten, or 1, 2 and 5 of them."""

    def tickValues(self, low: float, high: float, size: float) -> list[tuple[float, list[float]]]:
        """Places of ticks, as many as remain readable."""
        first, last = int(np.floor(low)), int(np.ceil(high))
        stride = max(1, -(-(last - first) // MOST_TICKS))
        powers = [float(p) for p in range(first, last + 1, stride) if low <= p <= high]
        if len(powers) < 2:
            digits = np.log10([1.0, 2.0, 5.0])
            fine = [p + float(d) for p in range(first, last + 1) for d in digits]
            powers = [value for value in fine if low <= value <= high]
        return [(1.0, powers)]

    def tickStrings(self, values: Any, scale: float, spacing: float) -> list[str]:
        """The numbers themselves, not their logarithms."""
        return [self.preferences.digits(10.0**value, 3) for value in values]


class TimeAxis(UnitAxis):
    """An axis of time whose numbers carry their unit, so that it needs no line of its own."""

    def tickStrings(self, values: Any, scale: float, spacing: float) -> list[str]:
        """The numbers with their unit."""
        return [f"{text} s" for text in super().tickStrings(values, scale, spacing)]


class Strip:
    """One plot in a layout of several."""

    def __init__(self, layout: Any, row: int, preferences: Preferences, is_log: bool) -> None:
        self.left = (PowerAxis if is_log else UnitAxis)("left", preferences)
        self.bottom = TimeAxis("bottom", preferences)
        self.canvas = Canvas(0)
        self.is_log = is_log
        axes = {"left": self.left, "bottom": self.bottom}
        self.item = layout.addPlot(row=row, col=0, viewBox=self.canvas, axisItems=axes)
        self.item.hideButtons()
        self.item.setMenuEnabled(False)
        self.left.setWidth(LEFT)
        self.grid = Grid(self.bottom, self.left)
        self.canvas.addItem(self.grid, ignoreBounds=True)
        self.curves: list[pg.PlotCurveItem] = []
        self.levels = [pg.InfiniteLine(angle=0) for _ in range(2)]
        self.time_line = pg.InfiniteLine(angle=90)
        for item in (*self.levels, self.time_line):
            self.canvas.addItem(item, ignoreBounds=True)
        self.canvas.disableAutoRange()

    def put(self, n: int, t: np.ndarray, values: np.ndarray) -> None:
        """Draw the n-th curve, on a logarithmic axis if the strip has one; changes the plot."""
        while len(self.curves) <= n:
            self.curves.append(pg.PlotCurveItem(connect="finite"))
            self.canvas.addItem(self.curves[-1], ignoreBounds=True)
        t, values = min_max(t, values, BINS)
        self.curves[n].setData(t, powers(values) if self.is_log else values)

    def dress(self, theme: Any, font: Any, words: str, colours: list[str], last: bool) -> None:
        """Give everything the colours of the theme and its words; changes the plot."""
        self.left.name_variable(words, theme, font)
        self.left.label.setToolTip("")
        self.bottom.name_variable("", theme, font)
        self.bottom.showLabel(False)
        self.bottom.setStyle(showValues=last)
        self.bottom.setHeight(round(2.0 * font.pointSizeF()) + 6 if last else 5)
        self.grid.colour = faded(theme.faint, 45)
        self.time_line.setPen(pg.mkPen(theme.accent, width=1))
        for line, colour in zip(self.levels, (AMBER, RED)):
            line.setPen(pg.mkPen(colour, width=1, style=Qt.PenStyle.DashLine))
        for curve, colour in zip(self.curves, colours):
            curve.setPen(pg.mkPen(colour, width=1))


def powers(values: np.ndarray) -> np.ndarray:
    """Decimal logarithms; what is not above zero is left out."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(values > 0.0, np.log10(values), np.nan)
