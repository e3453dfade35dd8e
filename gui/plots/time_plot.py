"""Curves over time in the hands of the user: clicks, drags, menus, and the clock as a line to drag."""

from typing import Any

import numpy as np
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtWidgets import QMenu

from engine.model.elements import Id
from engine.model.views import Portrait
from gui.plots.base import rows
from gui.plots.canvas import UnitAxis
from gui.plots.chooser import choose
from gui.plots.curves.drawing import CurveDrawing
from gui.plots.curves.readings import frame_near, slope
from gui.plots.plot_menus import curve_menu, time_menu
from gui.plots.units import with_unit
from gui.state.passing import open_menu
from gui.state.playback import RunRecord

MAX_READOUT = 10  # curves
NEAR = 14.0  # px: a click this near to a curve chooses it


class TimePlot(CurveDrawing):
    """Channels over time, to be chosen, read and zoomed."""

    def wire(self) -> None:
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
        self.wire_axis(self.left)
        self.legend.pressed.connect(self._on_legend)
        self.legend.removed.connect(self.remove)
        self.legend.went.connect(playback.scrub)

    def wire_axis(self, axis: UnitAxis) -> None:
        """Connect the mouse on one axis; once."""
        axis.label_clicked.connect(lambda: self.choose_curves(self._unit_of(axis)))
        axis.stretched.connect(lambda factor, at: self._stretch(self._unit_of(axis), factor, at))

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

    def hover(self, at: QPointF) -> str:
        """The time, and the value and slope of each curve of the current run there."""
        digits, dots, found = self.context.preferences.digits, [], []
        current = self.context.playback.current
        looks, t_read = self.tones(), None
        for line in self.lines(self.entries()):
            if line.record is not current or not len(line.column.t):
                continue
            column, shown = line.column, self.shown(line.entry.unit)
            n = frame_near(column, at.x())
            t_read = float(column.t[n])
            value, rate = column.values[n] / shown.factor, slope(column, n) / shown.factor
            scale = max(abs(column.low), abs(column.high)) / shown.factor
            text, per_second = (
                with_unit(digits(value, 5, scale), shown.text),
                f"{shown.text or 1}/s",
            )
            colour = looks[line.name].colour
            found.append((colour, line.entry.label, text, f"{digits(rate, 3)} {per_second}"))
            axis = self.axes.get(line.entry.unit, self.left)
            y = float(self.across(np.array([column.values[n]]), line.entry.unit, axis)[0])
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
        for line in self.lines(self.entries()):
            if line.record is current and len(line.column.t):
                value = line.column.values[[frame_near(line.column, at.x())]]
                y = float(self.across(value, line.entry.unit, self.axes[line.entry.unit])[0])
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
