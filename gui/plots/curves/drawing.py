"""Curves over time as they are drawn: several variables, an axis for each unit, runs beside each other."""

from typing import Any, NamedTuple

import numpy as np
import pyqtgraph as pg

from engine.model.views import Curves
from gui.plots.base import GHOST, CanvasPlot, Context, seen_end
from gui.plots.canvas import Canvas, UnitAxis, faded, small, spread
from gui.plots.catalogue import Entry, tip_of
from gui.plots.columns import Column
from gui.plots.curves.readings import Curve, Reading, difference
from gui.plots.curves.tones import Tone, tones
from gui.plots.decimation import min_max, visible_part
from gui.plots.labels import fitting, of_axis, title_of
from gui.plots.legend import Item, Legend, Mark
from gui.plots.units import Shown, with_unit
from gui.running.live import SECONDS_KEPT
from gui.state.playback import RunRecord

LABEL_ROOM = 7  # px that the label of an axis reaches beyond it


class Line(NamedTuple):
    """One curve to be drawn."""

    record: RunRecord
    name: str
    entry: Entry
    column: Column


class CurveDrawing(CanvasPlot):
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
        self._read: dict[str, tuple[Any, Curve]] = {}  # each with its key
        self._last_span = (0.0, 0.0)
        self.legend = Legend()
        self.time_line = pg.InfiniteLine(angle=90, movable=False)
        self.dots = pg.ScatterPlotItem(size=7)
        for item in (self.time_line, self.dots):
            item.setZValue(20)
            self.canvas.addItem(item, ignoreBounds=True)
        self.wire()
        self.recolour()
        self.take(content or Curves())
        self.redraw()

    def wire(self) -> None:
        """Connect the mouse; once."""

    def wire_axis(self, axis: UnitAxis) -> None:
        """Connect the mouse on one axis; once."""

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

    def tones(self) -> dict[str, Tone]:
        """How each curve is drawn."""
        return tones(self.names, self.context.document.model, self.theme)

    def colour(self, name: str) -> str:
        """The colour of a channel: the tone of its body."""
        return self.tones()[name].colour

    def entries(self) -> dict[str, Entry | None]:
        """What is known of each channel; None if the model has none of that name."""
        results = self.context.playback.results
        return {name: self.context.catalogue.find(name, results) for name in self.names}

    def redraw(self) -> None:
        """Draw all curves of all runs that are shown."""
        entries = self.entries()
        self._follow()
        lines = self.lines(entries)
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

    def lines(self, entries: dict[str, Entry | None]) -> list[Line]:
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
        curve.setData(t, self.across(values, line.entry.unit, axis))

    def across(self, values: np.ndarray, unit: str, axis: UnitAxis) -> np.ndarray:
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
            height = float(self.across(end, unit, self.axes[unit])[0])
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
                *full, unit = labels
                labels = [self.tr("difference of {0}").format(label) for label in full]
                labels.append(self.tr("difference {0}").format(unit))
            label = fitting(labels, font, self.canvas.height())
            axis.name_variable(label, self.theme, font, colour)
        if not units:  # of curves that are not known before the solver is compiled nothing is said
            words = "" if self.names else self.tr("choose a variable")
            self.left.name_variable(words, self.theme, font)

    def _add_axis(self) -> None:
        """One more axis at the right."""
        axis = UnitAxis("right", self.context.preferences, stretches=True)
        column = 3 + len(self._extra)
        self.item.layout.addItem(axis, 2, column)
        self.item.layout.setColumnSpacing(column, LABEL_ROOM)
        axis.linkToView(self.canvas)
        self.wire_axis(axis)
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
        column = line.column
        key = (line.record, column.token, self.reference)
        if self._read.get(line.name, ((), None))[0] != key:
            self._read[line.name] = (key, Curve(column.t, column.values))
        return self._read[line.name][1].reading(*self.canvas.viewRange()[0])

    def _marks(self, line: Line) -> tuple[Mark, ...]:
        """The numbers of a curve in the legend."""
        found = self.reading(line)
        if found is None:
            return ()
        shown, digits = self.shown(line.entry.unit), self.context.preferences.digits
        scale = max(abs(found.high), abs(found.low)) / shown.factor

        def text(words: str, value: float) -> str:
            number = digits(value / shown.factor, 4, scale)
            return words.format(with_unit(number, shown.text))

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

    def stand_low(self, is_low: bool) -> None:
        """One line of names, and the unit of time beside its last number; changes the plot."""
        self.legend.set_low(is_low)
        self.bottom.put_unit_at_ticks("s" if is_low else "")

    def show_time(self) -> None:
        """Move the line that marks the present time."""
        self.time_line.setVisible(self.context.playback.current is not None)
        self.time_line.setPos(self.context.playback.time)
