"""Curves over time: several variables, an axis for each unit, the clock as a line to drag."""

from typing import TYPE_CHECKING, Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtGui import QFont, QFontMetricsF
from PySide6.QtWidgets import QMenu

from engine.model.elements import Id
from gui.plots.base import CanvasPlot, Context, rows
from gui.plots.canvas import Canvas, UnitAxis, faded, small, spread
from gui.plots.catalogue import Entry, tip_of
from gui.plots.chooser import choose
from gui.plots.columns import Column
from gui.plots.decimation import min_max, visible_part
from gui.plots.legend import Item, Legend
from gui.plots.plot_menus import curve_menu, time_menu
from gui.plots.units import Shown
from gui.running.live import SECONDS_KEPT
from gui.state.passing import open_menu
from gui.state.playback import RunRecord

if TYPE_CHECKING:
    from engine.results.results import Results

GHOST = 70  # of 255: how much of an earlier run is seen
MAX_READOUT = 10  # curves
FEWEST = 100  # frames that the view has room for while a run grows
LABEL_ROOM = 7  # px that the label of an axis reaches beyond it


class TimePlot(CanvasPlot):
    """Channels over time. The view goes from 0 to 1; each axis maps this to its own range."""

    kind = "time"

    def __init__(self, context: Context, names: list[str] | None = None) -> None:
        preferences = context.preferences
        self.left = UnitAxis("left", preferences, stretches=True)
        self.bottom = UnitAxis("bottom", preferences)
        super().__init__(context, Canvas(0), {"left": self.left, "bottom": self.bottom})
        self.names: list[str] = []
        self.hidden: set[str] = set()
        self.is_log = False
        self.follows = True  # the view shows the whole run
        self.spans: dict[str, tuple[float, float]] = {}  # of units that the user has zoomed
        self.axes: dict[str, UnitAxis] = {}  # by unit, in the order of their first curve
        self._extra: list[UnitAxis] = []  # axes at the right
        self._curves: dict[tuple[RunRecord, str], pg.PlotCurveItem] = {}
        self._last_span = (0.0, 0.0)
        self.legend = Legend()
        self.time_line = pg.InfiniteLine(angle=90, movable=False)
        self.dots = pg.ScatterPlotItem(size=7)
        for item in (self.time_line, self.dots):
            item.setZValue(20)
            self.canvas.addItem(item, ignoreBounds=True)
        self._wire()
        self.recolour()
        self.add(names or [])
        self.redraw()

    def _wire(self) -> None:
        """Connect the mouse."""
        canvas, playback = self.canvas, self.context.playback
        canvas.disableAutoRange()
        canvas.setYRange(0.0, 1.0, padding=0.0)
        canvas.held.connect(lambda at: playback.scrub(at.x()))
        canvas.clicked.connect(lambda at: playback.scrub(at.x()))
        canvas.doubled.connect(lambda _: self.autoscale())
        canvas.sigXRangeChanged.connect(lambda *_: self.schedule())
        canvas.sigRangeChangedManually.connect(self._on_zoomed)
        self.bottom.label_clicked.connect(self.choose_x)
        self._wire_axis(self.left)
        self.legend.pressed.connect(lambda name, place: open_menu(curve_menu(self, name), place))
        self.legend.removed.connect(self.remove)

    def _wire_axis(self, axis: UnitAxis) -> None:
        axis.label_clicked.connect(lambda: self.choose_curves(self._unit_of(axis)))
        axis.stretched.connect(lambda factor, at: self._stretch(self._unit_of(axis), factor, at))

    # --- what is shown

    @property
    def title(self) -> str:
        """The names of the curves."""
        return ", ".join(self.names) or self.tr("Time plot")

    def add(self, names: list[str]) -> None:
        """Show more channels; changes the plot."""
        new = [name for name in dict.fromkeys(names) if name not in self.names]
        if new:
            self.names += new
            self._tell()

    def remove(self, name: str) -> None:
        """Remove a channel; changes the plot."""
        if name in self.names:
            self.names.remove(name)
            self.hidden.discard(name)
            self._tell()

    def set_names(self, names: list[str]) -> None:
        """Show exactly these channels; changes the plot."""
        kept = [name for name in self.names if name in names]
        self.names = [*kept, *(name for name in names if name not in kept)]
        self.hidden &= set(self.names)
        self._tell()

    def add_ids(self, ids: list[Id]) -> None:
        """Show the usual channels of these elements."""
        self.add([name for id in ids for name in self.context.catalogue.usual(id)])

    def autoscale(self) -> None:
        """Show the whole run and all values; changes the view."""
        self.follows, self._last_span = True, (0.0, 0.0)
        self.spans.clear()
        self.canvas.setYRange(0.0, 1.0, padding=0.0)
        self.schedule()

    def set_log(self, is_log: bool) -> None:
        """Show values on logarithmic axes, or not; changes the plot."""
        self.is_log = is_log
        self.spans.clear()
        self._tell()

    def state(self) -> dict[str, Any]:
        """Channels and scale, for the next start."""
        return {"kind": self.kind, "channels": list(self.names), "log": self.is_log}

    def colour(self, name: str) -> str:
        """The colour of a channel: that of its place in the list."""
        bodies = self.theme.bodies
        return bodies[self.names.index(name) % len(bodies)]

    def _tell(self) -> None:
        self.schedule()
        self.title_changed.emit()
        self.changed.emit()

    # --- drawing

    def entries(self) -> dict[str, Entry | None]:
        """What is known of each channel; None if the model has none of that name."""
        results = self.context.playback.results
        return {name: self.context.catalogue.find(name, results) for name in self.names}

    def redraw(self) -> None:
        """Draw all curves of all runs that are shown."""
        entries = self.entries()
        self._follow()
        units = list(dict.fromkeys(entry.unit for entry in entries.values() if entry))
        self._set_axes(units, entries)
        low, high = self.canvas.viewRange()[0]
        used = set()
        for record in self.records():
            is_ghost = record is not self.context.playback.current
            for name, entry in entries.items():
                column = self.context.columns.get(record, name)
                if entry is None or column is None or name in self.hidden:
                    continue
                used.add((record, name))
                self._draw(record, name, entry, column, low, high, is_ghost)
        for key in [key for key in self._curves if key not in used]:
            self.canvas.removeItem(self._curves.pop(key))
        self._fill_legend(entries)
        self._show_hint(bool(used))
        self.show_time()

    def _draw(
        self,
        record: RunRecord,
        name: str,
        entry: Entry,
        column: Column,
        low: float,
        high: float,
        is_ghost: bool,
    ) -> None:
        """Bring one curve up to date."""
        curve = self._curves.get((record, name))
        if curve is None:
            curve = self._curves[record, name] = pg.PlotCurveItem(connect="finite")
            self.canvas.addItem(curve, ignoreBounds=True)
        curve.setZValue(1 if is_ghost else 5)
        curve.setPen(pg.mkPen(faded(self.colour(name), GHOST if is_ghost else 255), width=1))
        part = visible_part(column.t, low, high)
        bins = max(int(self.canvas.width()), 100)
        t, values = min_max(column.t[part], column.values[part], bins)
        axis = self.axes[entry.unit]
        curve.setData(t, (self._scaled(values, entry.unit) - axis.low) / (axis.high - axis.low))

    def _scaled(self, values: np.ndarray, unit: str) -> np.ndarray:
        """Values in the unit of the axis, logarithms if asked for."""
        scaled = values / self.shown(unit).factor
        if not self.is_log:
            return scaled
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(scaled > 0.0, np.log10(scaled), np.nan)

    def shown(self, unit: str) -> Shown:
        """How a unit is shown."""
        return self.unit(unit)

    def _follow(self) -> None:
        """Keep the whole run in view unless the user has zoomed."""
        record = self.context.playback.current
        if not self.follows:
            return
        span = (0.0, 10.0)
        if record is not None and record.is_live:
            last = self.context.playback.t_last
            span = (max(last - SECONDS_KEPT, self.context.playback.t_first), last)
        elif self.records():
            span = (0.0, max(seen_end(one.results) for one in self.records()))
        if span != self._last_span and span[1] > span[0]:
            self._last_span = span
            self.canvas.setXRange(*span, padding=0.0)

    def _set_axes(self, units: list[str], entries: dict[str, Entry | None]) -> None:
        """One axis for each unit: the first at the left, others at the right."""
        while len(self._extra) < len(units) - 1:
            self._add_axis()
        chosen = [self.left, *self._extra]
        self.axes = dict(zip(units, chosen))
        for number, axis in enumerate(chosen):
            is_used = number < max(len(units), 1)
            axis.setVisible(is_used)
            axis.setWidth(None if is_used else 0)
        font = small(self.font())
        for unit, axis in self.axes.items():
            axis.set_span(*self._span(unit, entries))
            axis.logMode = self.is_log
            own = [e for e in entries.values() if e is not None and e.unit == unit]
            same = {entry.quantity for entry in own}
            words = same.pop().partition(" on ")[0] if len(same) == 1 else self.tr("values")
            text = self.shown(unit).text
            colour = self.colour(own[0].name) if len(own) == 1 and len(units) > 1 else ""
            label = fitting(short(words), text, font, self.canvas.height())
            axis.name_variable(label, self.theme, font, colour)
        if not units:
            self.left.name_variable(self.tr("choose a variable"), self.theme, font)

    def _add_axis(self) -> None:
        """One more axis at the right."""
        axis = UnitAxis("right", self.context.preferences, stretches=True)
        column = 3 + len(self._extra)
        self.item.layout.addItem(axis, 2, column)
        self.item.layout.setColumnSpacing(column, LABEL_ROOM)
        axis.linkToView(self.canvas)
        self._wire_axis(axis)
        self._extra.append(axis)

    def _span(self, unit: str, entries: dict[str, Entry | None]) -> tuple[float, float]:
        """The range of an axis: what the user has set, or all values of its curves."""
        if unit in self.spans:
            return self.spans[unit]
        lows, highs = [], []
        for record in self.records():
            for name, entry in entries.items():
                column = self.context.columns.get(record, name)
                if entry is None or entry.unit != unit or column is None or name in self.hidden:
                    continue
                lows.append(column.least_positive if self.is_log else column.low)
                highs.append(column.high)
        known = np.array([*lows, *highs])
        known = known[np.isfinite(known)] / self.shown(unit).factor
        if self.is_log:
            known = np.log10(known[known > 0.0])
        return spread(float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)

    def _fill_legend(self, entries: dict[str, Entry | None]) -> None:
        """Update the legend."""
        current = self.context.playback.current
        items = []
        for name, entry in entries.items():
            reason = self.context.columns.reason(current, name) if current is not None else ""
            if entry is None:
                reason = reason or self.tr("The model has no channel of this name.")
            text = entry.label if entry else name
            tip = "\n".join(filter(None, (tip_of(entry) if entry else name, reason)))
            items.append(
                Item(name, text, self.colour(name), tip, bool(reason) or name in self.hidden)
            )
        self.legend.set_items(items)

    def _show_hint(self, has_curves: bool) -> None:
        """Show a hint in an empty plot."""
        if not self.names:
            words = self.tr("Drop a body, joint or spring here, or choose variables with +")
        elif not self.records():
            words = self.tr("Press Space to run the model and see the curves")
        else:
            words = ""
        self.show_hint("" if has_curves else words)

    def recolour(self) -> None:
        """Give axes, cursor and hint the colours of the theme."""
        super().recolour()
        theme, font = self.theme, small(self.font())
        self.time_line.setPen(pg.mkPen(theme.accent, width=1))
        self.bottom.name_variable(self.tr("time [s]"), theme, font)

    # --- the clock and the mouse

    def show_time(self) -> None:
        """Move the line that marks the present time."""
        self.time_line.setVisible(self.context.playback.current is not None)
        self.time_line.setPos(self.context.playback.time)

    def hover(self, at: QPointF) -> str:
        """The time, and the value and slope of each curve of the current run there."""
        record = self.context.playback.current
        if record is None or not self.names:
            return ""
        digits, lines, dots = self.context.preferences.digits, [], []
        t_read = None
        for name, entry in self.entries().items():
            column = self.context.columns.get(record, name)
            if entry is None or column is None or name in self.hidden or not len(column.t):
                continue
            n = int(np.clip(np.searchsorted(column.t, at.x()), 0, len(column.t) - 1))
            if n and at.x() - column.t[n - 1] < column.t[n] - at.x():
                n -= 1
            t_read, shown = float(column.t[n]), self.shown(entry.unit)
            value, rate = column.values[n] / shown.factor, slope(column, n) / shown.factor
            colour, axis = self.colour(name), self.axes.get(entry.unit, self.left)
            text, per_second = f"{digits(value, 5)} {shown.text}", f"{shown.text or 1}/s"
            lines.append((colour, short(entry.label, 26), text, f"{digits(rate, 3)} {per_second}"))
            y = (float(self._scaled(np.array([column.values[n]]), entry.unit)[0]) - axis.low) / (
                axis.high - axis.low
            )
            dots.append({"pos": (t_read, y), "brush": colour, "pen": self.theme.paper})
        self.dots.setData(dots)
        if t_read is None:
            return ""
        head = ("", f"<b>t = {digits(t_read, 5)} s</b>", "", self.tr("slope"))
        return rows([head, *lines[:MAX_READOUT]])

    def unhover(self) -> None:
        """Hide the dots."""
        self.dots.setData([])

    def _on_zoomed(self, *_: Any) -> None:
        self.follows = False
        self.schedule()

    def _unit_of(self, axis: UnitAxis) -> str:
        return next((unit for unit, one in self.axes.items() if one is axis), "")

    def _stretch(self, unit: str, factor: float, at: float) -> None:
        """Zoom one axis about a place; changes its range."""
        axis = self.axes.get(unit)
        if axis is not None:
            center = axis.low + at * (axis.high - axis.low)
            self.spans[unit] = (
                center + (axis.low - center) * factor,
                center + (axis.high - center) * factor,
            )
            self.schedule()

    # --- menus

    def open_menu(self, at: QPointF, on_screen: QPoint) -> None:
        """Offer what can be done with the plot."""
        open_menu(self.menu(), on_screen)

    def menu(self) -> QMenu:
        """What can be done with the plot."""
        return time_menu(self)

    def pair(self) -> tuple[str, str] | None:
        """Axes of the phase portrait that fits the curves."""
        for name in self.names:
            if rate := self.context.catalogue.rate_of(name):
                return name, rate
        return (self.names[0], self.names[1]) if len(self.names) > 1 else None

    def flip_hidden(self, name: str) -> None:
        """Hide a curve, or show it again; changes the plot."""
        self.hidden ^= {name}
        self.schedule()

    def choose_instead(self, name: str) -> None:
        """Let the user choose another channel in the place of one."""

        def replace(chosen: list[str]) -> None:
            at = self.names.index(name) if name in self.names else len(self.names)
            self.names[at : at + 1] = [c for c in chosen if c not in self.names or c == name]
            self._tell()

        choose(self, self.context.catalogue, replace, chosen=[name], several=False)

    def choose_curves(self, unit: str = "") -> None:
        """Let the user choose the channels of the plot, or those on the axis of a unit."""
        choose(self, self.context.catalogue, self.set_names, chosen=self.names, unit=unit)

    def choose_x(self) -> None:
        """Let the user choose another variable than time for x: a phase portrait."""

        def replace(chosen: list[str]) -> None:
            others = [name for name in self.names if name not in chosen]
            y = self.context.catalogue.rate_of(chosen[0]) or (others or chosen)[0]
            y = others[0] if others else y
            self.replaced.emit({"kind": "phase", "x": chosen[0], "y": y})

        choose(self, self.context.catalogue, replace, several=False)


def slope(column: Column, n: int) -> float:
    """The rate of a column at a frame, by the frames beside it."""
    first, last = max(n - 1, 0), min(n + 1, len(column.t) - 1)
    dt = column.t[last] - column.t[first]
    return float((column.values[last] - column.values[first]) / dt) if dt > 0.0 else 0.0


def seen_end(results: "Results") -> float:
    """Up to where a run is shown: its end, or only a part while little of it is computed."""
    end = float(results.settings.t_end)
    reached = float(results.t[-1]) if len(results) else 0.0
    if results.ending is None:
        least = max(1.02 * reached, FEWEST * float(results.settings.output_step))
        while 0.5 * end > least:
            end *= 0.5
        return end
    return end if results.ending.reason == "done" or not reached > 0.0 else reached


def fitting(words: str, unit: str, font: QFont, room: float) -> str:
    """The label of an axis; where there is little room, its unit alone."""
    label = f"{words} [{unit}]" if unit else words
    is_long = QFontMetricsF(font).horizontalAdvance(label) > room
    return f"[{unit}]" if unit and is_long else label


def short(words: str, most: int = 34) -> str:
    """A label that fits beside an axis."""
    return words if len(words) <= most else words[: most - 1] + "…"
