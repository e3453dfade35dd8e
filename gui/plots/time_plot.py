"""Curves over time: several variables, an axis for each unit, the clock as a line to drag."""

from typing import Any, NamedTuple

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtWidgets import QMenu

from engine.model.elements import Id
from engine.model.views import Curves, Portrait
from gui.plots.base import GHOST, CanvasPlot, Context, rows, seen_end
from gui.plots.canvas import Canvas, UnitAxis, faded, small, spread
from gui.plots.catalogue import Entry, tip_of
from gui.plots.chooser import choose
from gui.plots.columns import Column
from gui.plots.decimation import min_max, visible_part
from gui.plots.labels import fitting, of_axis, title_of
from gui.plots.legend import Item, Legend, Mark
from gui.plots.plot_menus import curve_menu, time_menu
from gui.plots.readings import Reading, difference, frame_near, reading, slope
from gui.plots.tones import Tone, tones
from gui.plots.units import Shown
from gui.running.live import SECONDS_KEPT
from gui.state.passing import open_menu
from gui.state.playback import RunRecord

MAX_READOUT = 10  # curves
LABEL_ROOM = 7  # px that the label of an axis reaches beyond it
NEAR = 14.0  # px: a click this near to a curve chooses it


class Line(NamedTuple):
    """One curve to be drawn."""

    record: RunRecord
    name: str
    entry: Entry
    column: Column


class TimePlot(CanvasPlot):
    """Channels over time. The view goes from 0 to 1; each axis maps this to its own range."""

    def __init__(self, context: Context, content: Curves | None = None) -> None:
        preferences = context.preferences
        self.left = UnitAxis("left", preferences, stretches=True)
        self.bottom = UnitAxis("bottom", preferences)
        super().__init__(context, Canvas(0), {"left": self.left, "bottom": self.bottom})
        self.names: list[str] = []
        self.chosen = ""  # the curve that Del removes
        self.reference: RunRecord | None = None  # the run that is subtracted, if one is
        self.hidden: set[str] = set()
        self.is_log = False
        self.follows = True  # the view shows the whole run
        self.spans: dict[str, tuple[float, float]] = {}  # of units that the user has zoomed
        self.axes: dict[str, UnitAxis] = {}  # by unit, in the order of their first curve
        self._extra: list[UnitAxis] = []  # axes at the right
        self._curves: dict[tuple[RunRecord, str], pg.PlotCurveItem] = {}
        self._endings: dict[RunRecord, pg.TextItem] = {}  # names of earlier runs
        self._readings: dict[str, tuple[Any, Reading | None]] = {}  # the last ones, with their key
        self._last_span = (0.0, 0.0)
        self.legend = Legend()
        self.time_line = pg.InfiniteLine(angle=90, movable=False)
        self.dots = pg.ScatterPlotItem(size=7)
        for item in (self.time_line, self.dots):
            item.setZValue(20)
            self.canvas.addItem(item, ignoreBounds=True)
        self._wire()
        self.recolour()
        self.take(content or Curves())
        self.redraw()

    def _wire(self) -> None:
        """Connect the mouse."""
        canvas, playback = self.canvas, self.context.playback
        canvas.disableAutoRange()
        canvas.setYRange(0.0, 1.0, padding=0.0)
        canvas.held.connect(lambda at: playback.scrub(at.x()))
        canvas.clicked.connect(self._on_click)
        canvas.doubled.connect(lambda _: self.autoscale())
        canvas.sigXRangeChanged.connect(lambda *_: self.schedule())
        canvas.sigRangeChangedManually.connect(self._on_zoomed)
        self.bottom.label_clicked.connect(self.choose_x)
        self._wire_axis(self.left)
        self.legend.pressed.connect(self._on_legend)
        self.legend.removed.connect(self.remove)
        self.legend.went.connect(playback.scrub)

    def _wire_axis(self, axis: UnitAxis) -> None:
        axis.label_clicked.connect(lambda: self.choose_curves(self._unit_of(axis)))
        axis.stretched.connect(lambda factor, at: self._stretch(self._unit_of(axis), factor, at))

    # --- what is shown

    @property
    def title(self) -> str:
        """The curves in words."""
        known = [entry for entry in self.entries().values() if entry is not None]
        unknown = [name for name, entry in self.entries().items() if entry is None]
        return "; ".join(filter(None, (title_of(known), *unknown))) or self.tr("Time plot")

    @property
    def content(self) -> Curves:
        """Channels and scale, as the model keeps them."""
        return Curves(channels=tuple(self.names), log=self.is_log)

    def take(self, content: Curves) -> None:
        """Show what the model says; changes the plot, not the model."""
        self.names, self.is_log = list(content.channels), content.log
        self.hidden &= set(self.names)
        self.schedule()
        self.title_changed.emit()

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

    def tones(self) -> dict[str, Tone]:
        """How each curve is drawn."""
        return tones(self.names, self.context.document.model, self.theme)

    def colour(self, name: str) -> str:
        """The colour of a channel: the tone of its body."""
        return self.tones()[name].colour

    def subtract(self, record: RunRecord | None) -> None:
        """Show how the run differs from another one, or the run itself; changes the plot."""
        self.reference = record
        self.spans.clear()
        self.schedule()

    def delete_chosen(self) -> None:
        """Remove the chosen curve, the last one if none is; changes the plot."""
        if self.names:
            self.remove(self.chosen if self.chosen in self.names else self.names[-1])

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
        lines = self._lines(entries)
        units = list(dict.fromkeys(entry.unit for entry in entries.values() if entry))
        self._set_axes(units, entries, lines)
        low, high = self.canvas.viewRange()[0]
        looks = self.tones()
        for line in lines:
            self._draw(line, looks[line.name], low, high)
        used = {(line.record, line.name) for line in lines}
        for key in [key for key in self._curves if key not in used]:
            self.canvas.removeItem(self._curves.pop(key))
        self._name_runs(lines, looks, low, high)
        self._fill_legend(entries, lines, looks)
        self._show_hint(bool(used))
        self.show_time()

    def _lines(self, entries: dict[str, Entry | None]) -> list[Line]:
        """The curves to draw: those of all runs, or the differences of the current one from another."""
        current, columns = self.context.playback.current, self.context.columns
        records = self.records()
        if self.reference is not None and (self.reference not in records or current is None):
            self.reference = None
        if self.reference is not None and current is not None:
            records = [current]
        lines = []
        for record in records:
            for name, entry in entries.items():
                column = columns.get(record, name)
                if entry is None or column is None or name in self.hidden:
                    continue
                if self.reference is not None:
                    other = columns.get(self.reference, name)
                    if other is None or not len(other.t):
                        continue
                    column = difference(column, other)
                lines.append(Line(record, name, entry, column))
        return lines

    def _draw(self, line: Line, look: Tone, low: float, high: float) -> None:
        """Bring one curve up to date."""
        key, is_ghost = (line.record, line.name), self._is_ghost(line.record)
        curve = self._curves.get(key)
        if curve is None:
            curve = self._curves[key] = pg.PlotCurveItem(connect="finite")
            self.canvas.addItem(curve, ignoreBounds=True)
        curve.setZValue(1 if is_ghost else 5)
        pen = pg.mkPen(faded(look.colour, GHOST if is_ghost else 255), width=1)
        if look.dash:
            pen.setDashPattern(list(look.dash))
        curve.setPen(pen)
        column, axis = line.column, self.axes[line.entry.unit]
        part = visible_part(column.t, low, high)
        bins = max(int(self.canvas.width()), 100)
        t, values = min_max(column.t[part], column.values[part], bins)
        curve.setData(t, self._across(values, line.entry.unit, axis))

    def _across(self, values: np.ndarray, unit: str, axis: UnitAxis) -> np.ndarray:
        """Values as heights of the view, from 0 to 1."""
        return (self._scaled(values, unit) - axis.low) / (axis.high - axis.low)

    def _is_ghost(self, record: RunRecord) -> bool:
        return record is not self.context.playback.current

    def _name_runs(
        self, lines: list[Line], looks: dict[str, Tone], low: float, high: float
    ) -> None:
        """Write the name of each earlier run at the end of its first curve."""
        first: dict[RunRecord, Line] = {}
        for line in lines:
            if self._is_ghost(line.record) and len(line.column.t):
                first.setdefault(line.record, line)
        for record in [record for record in self._endings if record not in first]:
            self.canvas.removeItem(self._endings.pop(record))
        for record, line in first.items():
            words = self._endings.get(record)
            if words is None:
                words = self._endings[record] = pg.TextItem(anchor=(1.0, 1.0))
                words.setFont(small(self.font()))
                words.setZValue(6)
                self.canvas.addItem(words, ignoreBounds=True)
            seen = visible_part(line.column.t, low, high)
            t, values = line.column.t[seen], line.column.values[seen]
            words.setText(record.short_title, color=faded(looks[line.name].colour, 190))
            inside = t <= high
            if not inside.any():
                words.hide()
                continue
            end, unit = values[inside][-1:], line.entry.unit
            height = float(self._across(end, unit, self.axes[unit])[0])
            words.setVisible(bool(np.isfinite(height)))
            words.setPos(float(t[inside][-1]), height if np.isfinite(height) else 0.0)

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

    def _set_axes(
        self, units: list[str], entries: dict[str, Entry | None], lines: list[Line]
    ) -> None:
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
            axis.set_span(*self._span(unit, lines))
            axis.logMode = self.is_log
            own = [e for e in entries.values() if e is not None and e.unit == unit]
            colour = self.colour(own[0].name) if len(own) == 1 and len(units) > 1 else ""
            labels = of_axis(own, self.shown(unit).text)
            if self.reference is not None:
                labels = [self.tr("difference of {0}").format(label) for label in labels]
            label = fitting(labels, font, self.canvas.height())
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

    def _span(self, unit: str, lines: list[Line]) -> tuple[float, float]:
        """The range of an axis: what the user has set, or all values of its curves."""
        if unit in self.spans:
            return self.spans[unit]
        own = [line.column for line in lines if line.entry.unit == unit]
        lows = [column.least_positive if self.is_log else column.low for column in own]
        known = np.array([*lows, *(column.high for column in own)])
        known = known[np.isfinite(known)] / self.shown(unit).factor
        if self.is_log:
            known = np.log10(known[known > 0.0])
        return spread(float(known.min()), float(known.max())) if len(known) else (0.0, 1.0)

    def _fill_legend(
        self, entries: dict[str, Entry | None], lines: list[Line], looks: dict[str, Tone]
    ) -> None:
        """Update the legend."""
        current = self.context.playback.current
        drawn = {line.name: line for line in lines if line.record is current}
        items = []
        for name, entry in entries.items():
            reason = self.context.columns.reason(current, name) if current is not None else ""
            if entry is None:
                reason = reason or self.tr("The model has no channel of this name.")
            text = entry.label if entry else name
            if self.reference is not None:
                text = self.tr("{0}, less {1}").format(text, self.reference.short_title)
            tip = "\n".join(filter(None, (tip_of(entry) if entry else name, reason)))
            marks = self._marks(drawn[name]) if name in drawn else ()
            faint = bool(reason) or name in self.hidden
            look = looks[name]
            items.append(
                Item(name, text, look.colour, tip, faint, look.dash, marks, name == self.chosen)
            )
        self.legend.set_items(items)

    def reading(self, line: Line) -> Reading | None:
        """Extremes and means of what is seen of a curve."""
        low, high = self.canvas.viewRange()[0]
        key = (line.column.token, self.reference, low, high)
        if self._readings.get(line.name, ((), None))[0] != key:
            seen = (line.column.t >= low) & (line.column.t <= high)
            found = reading(line.column.t[seen], line.column.values[seen])
            self._readings[line.name] = (key, found)
        return self._readings[line.name][1]

    def _marks(self, line: Line) -> tuple[Mark, ...]:
        """The numbers of a curve in the legend."""
        found = self.reading(line)
        if found is None:
            return ()
        shown, digits = self.shown(line.entry.unit), self.context.preferences.digits
        scale = max(abs(found.high), abs(found.low)) / shown.factor

        def text(words: str, value: float) -> str:
            number = digits(value / shown.factor, 4, scale)
            return words.format(f"{number} {shown.text}".strip())

        return (
            Mark(text(self.tr("max {0}"), found.high), found.t_high),
            Mark(text(self.tr("min {0}"), found.low), found.t_low),
            Mark(text(self.tr("mean {0}"), found.mean)),
            Mark(text(self.tr("rms {0}"), found.rms)),
        )

    def marks(self, name: str) -> tuple[Mark, ...]:
        """The numbers of one curve, as the legend shows them."""
        return next((item.marks for item in self.legend.items if item.name == name), ())

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
        digits, dots, found = self.context.preferences.digits, [], []
        current = self.context.playback.current
        looks, t_read = self.tones(), None
        for line in self._lines(self.entries()):
            if line.record is not current or not len(line.column.t):
                continue
            column, shown = line.column, self.shown(line.entry.unit)
            n = frame_near(column, at.x())
            t_read = float(column.t[n])
            value, rate = column.values[n] / shown.factor, slope(column, n) / shown.factor
            scale = max(abs(column.low), abs(column.high)) / shown.factor
            text, per_second = f"{digits(value, 5, scale)} {shown.text}", f"{shown.text or 1}/s"
            colour = looks[line.name].colour
            found.append((colour, line.entry.label, text, f"{digits(rate, 3)} {per_second}"))
            axis = self.axes.get(line.entry.unit, self.left)
            y = float(self._across(np.array([column.values[n]]), line.entry.unit, axis)[0])
            dots.append({"pos": (t_read, y), "brush": colour, "pen": self.theme.paper})
        self.dots.setData(dots)
        if t_read is None:
            return ""
        head = ("", f"<b>t = {digits(t_read, 5)} s</b>", "", self.tr("slope"))
        return rows([head, *found[:MAX_READOUT]])

    def _on_click(self, at: QPointF) -> None:
        """Go to the time of a click, and choose the curve that it hits."""
        current, per_pixel = self.context.playback.current, self.canvas.viewPixelSize()[1]
        near: dict[str, float] = {}
        for line in self._lines(self.entries()):
            if line.record is current and len(line.column.t):
                value = line.column.values[[frame_near(line.column, at.x())]]
                y = float(self._across(value, line.entry.unit, self.axes[line.entry.unit])[0])
                near[line.name] = abs(y - at.y()) / per_pixel
        hit = min(near, key=lambda name: near[name], default="")
        self.choose(hit if hit and near[hit] < NEAR else "")
        self.context.playback.scrub(at.x())

    def _on_legend(self, name: str, place: QPoint) -> None:
        """Choose the curve of a name and open its menu."""
        self.choose(name)
        open_menu(curve_menu(self, name), place)

    def choose(self, name: str) -> None:
        """Make this the curve that Del removes; changes the plot."""
        if name != self.chosen:
            self.chosen = name
            self.schedule()

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
            self.replaced.emit(Portrait(x=chosen[0], y=y))

        choose(self, self.context.catalogue, replace, several=False)
