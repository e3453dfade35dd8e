"""Phase portraits: one channel against another, with the present state, its past and directions."""

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtWidgets import QMenu

from engine.errors import EngineError
from engine.model.elements import Id
from engine.model.views import Portrait, Section
from gui.plots.base import GHOST, CanvasPlot, Context, rows
from gui.plots.canvas import Canvas, UnitAxis, faded, small, spread
from gui.plots.catalogue import Entry, tip_of
from gui.plots.chooser import choose
from gui.plots.curves.tones import tones
from gui.plots.decimation import path_in_view
from gui.plots.labels import fitting, of_axis
from gui.plots.legend import Item, Legend
from gui.plots.phase.direction_field import DirectionField, Request
from gui.plots.phase.phase_items import Arrows, Field, Tail, present
from gui.plots.phase.section_dialog import SectionDialog
from gui.plots.phase.sections import at_times, moments
from gui.plots.plot_menus import phase_menu
from gui.plots.units import Shown, with_unit
from gui.state.passing import open_dialog, open_menu
from gui.state.playback import RunRecord

MAX_POINTS = 5000  # of one path: more makes drawing slow
N_ARROWS = 9
Path = tuple[np.ndarray, np.ndarray, np.ndarray]  # times and both columns
NEAR = 40.0  # px: a click this near to the path jumps to it


class PhasePlot(CanvasPlot):
    """One channel against another."""

    def __init__(self, context: Context, content: Portrait | None = None) -> None:
        self.bottom = UnitAxis("bottom", context.preferences)
        self.left = UnitAxis("left", context.preferences)
        super().__init__(context, Canvas(), {"left": self.left, "bottom": self.bottom})
        content = content or Portrait()
        self.x_name, self.y_name = content.x, content.y
        self.wraps = content.wraps  # angles between -180 and 180 degrees
        self.as_frequency = content.as_frequency  # angular velocity as turns per second
        self.shows_field = content.shows_field
        self.section: Section | None = content.section
        self.follows = True
        self._curves: dict[RunRecord, pg.PlotCurveItem] = {}
        self._paths: dict[RunRecord, tuple[Any, Path]] = {}  # the last ones, with their key
        self.legend = Legend()
        self._add_items()
        self.field = DirectionField(self.field_item, self._wanted_field, self)
        self._wire()
        self.recolour()
        self.redraw()

    def _add_items(self) -> None:
        """What is drawn besides the paths, from below to above."""
        self.field_item, self.arrows, self.tail = Field(), Arrows(), Tail()
        self.points = pg.ScatterPlotItem(size=4, pen=None)
        self.dot = pg.ScatterPlotItem(size=11)
        for depth, item in enumerate(
            (self.field_item, self.arrows, self.points, self.tail, self.dot)
        ):
            item.setZValue(-10 if item is self.field_item else 10 + depth)
            self.canvas.addItem(item, ignoreBounds=True)

    def _wire(self) -> None:
        """Connect the mouse."""
        self.canvas.disableAutoRange()
        self.canvas.held.connect(self.scrub)
        self.canvas.clicked.connect(self.scrub)
        self.canvas.shift_clicked.connect(self.restart_from)
        self.canvas.doubled.connect(lambda _: self.autoscale())
        self.canvas.sigRangeChanged.connect(lambda *_: self.schedule())
        self.canvas.sigRangeChangedManually.connect(self._on_zoomed)
        self.bottom.label_clicked.connect(lambda: self.choose_axis("x"))
        self.left.label_clicked.connect(lambda: self.choose_axis("y"))
        self.legend.pressed.connect(lambda _, place: open_menu(self.menu(), place))

    # --- what is shown

    @property
    def title(self) -> str:
        """Both channels in words."""
        x, y = self.entries()
        if x is None or y is None:
            return self.tr("Phase portrait")
        return self.tr("{0} against {1}").format(
            y.label, x.label if x.owner != y.owner else x.quantity
        )

    def set_axes(self, x: str, y: str) -> None:
        """Show another pair; changes the plot."""
        self.x_name, self.y_name, self.section = x, y, None
        self.autoscale()
        self.title_changed.emit()
        self.changed.emit()

    def add_ids(self, ids: list[Id]) -> None:
        """Show the usual portrait of the first element that has one."""
        for id in ids:
            if pair := self.context.catalogue.usual_pair(id):
                self.set_axes(*pair)
                return

    def autoscale(self) -> None:
        """Show the whole path; changes the view."""
        self.follows = True
        self.schedule()

    @property
    def content(self) -> Portrait:
        """Axes and options, as the model keeps them."""
        return Portrait(
            x=self.x_name,
            y=self.y_name,
            wraps=self.wraps,
            as_frequency=self.as_frequency,
            shows_field=self.shows_field,
            section=self.section,
        )

    def take(self, content: Portrait) -> None:
        """Show what the model says; changes the plot, not the model."""
        if (content.x, content.y, content.wraps) != (self.x_name, self.y_name, self.wraps):
            self.follows = True
        self.x_name, self.y_name, self.section = content.x, content.y, content.section
        for name in ("wraps", "as_frequency", "shows_field"):
            setattr(self, name, getattr(content, name))
        self.schedule()
        self.title_changed.emit()

    def delete_chosen(self) -> None:
        """Close the portrait, whose only curve this is."""
        self.closed.emit()

    @property
    def colour(self) -> str:
        """The tone of the body whose portrait it is."""
        return tones([self.y_name], self.context.document.model, self.theme)[self.y_name].colour

    def entries(self) -> tuple[Entry | None, Entry | None]:
        """What is known of both channels."""
        results = self.context.playback.results
        find = self.context.catalogue.find
        return find(self.x_name, results) if self.x_name else None, find(
            self.y_name, results
        ) if self.y_name else None

    def shown(self, entry: Entry) -> Shown:
        """How the unit of a channel is shown."""
        return self.unit(entry.unit, self.as_frequency)

    def path(self, record: RunRecord) -> Path | None:
        """Times and both columns in the units of the axes; None while they are not known."""
        x_entry, y_entry = self.entries()
        if x_entry is None or y_entry is None:
            return None
        x, y = (self.context.columns.get(record, name) for name in (self.x_name, self.y_name))
        if x is None or y is None or x.token[1] != y.token[1]:
            return None
        factors = self.shown(x_entry).factor, self.shown(y_entry).factor
        key = (self.x_name, self.y_name, x.token, y.token, factors, self.wraps)
        if record not in self._paths or self._paths[record][0] != key:
            n = min(len(x.t), len(y.t))
            across = self._wrapped(x.values[:n]) if x_entry.unit == "rad" else x.values[:n]
            self._paths[record] = (key, (x.t[:n], across / factors[0], y.values[:n] / factors[1]))
        return self._paths[record][1]

    def _wrapped(self, angles: np.ndarray) -> np.ndarray:
        """Angles as they are, or between -pi and pi."""
        return np.pi - np.remainder(np.pi - angles, 2.0 * np.pi) if self.wraps else angles

    # --- drawing

    def redraw(self) -> None:
        """Draw the paths of all runs that are shown, and what goes with them."""
        self.arrows.colour = faded(self.colour, 255)
        self._label_axes()
        records, used = self.records(), set()
        paths = {record: path for record in records if (path := self.path(record)) is not None}
        self._follow(list(paths.values()))
        for record, (_, x, y) in paths.items():
            if len(x) > 1:
                used.add(record)
                self._draw(record, x, y)
        for record in [record for record in self._curves if record not in used]:
            self.canvas.removeItem(self._curves.pop(record))
            self._paths.pop(record, None)
        current = self.context.playback.current
        if current is None or current not in used:
            self.arrows.set_pairs(np.zeros((0, 2, 2)))
        self._draw_section(paths.get(current) if current is not None else None)
        self._show_hint(bool(used))
        self.show_time()
        self.field.schedule()

    def _draw(self, record: RunRecord, x: np.ndarray, y: np.ndarray) -> None:
        """Bring one path up to date."""
        is_ghost = record is not self.context.playback.current
        curve = self._curves.get(record)
        if curve is None:
            curve = self._curves[record] = pg.PlotCurveItem(connect="finite")
            self.canvas.addItem(curve, ignoreBounds=True)
        curve.setZValue(1 if is_ghost else 5)
        curve.setPen(pg.mkPen(faded(self.colour, GHOST if is_ghost else 200), width=1))
        jump = self._half_turn() if self.wraps else np.inf
        px, py, chosen = path_in_view(x, y, self.canvas.viewRange(), MAX_POINTS, jump)
        curve.setData(px, py)
        if not is_ghost:
            self._put_arrows(x, y, chosen)

    def _put_arrows(self, x: np.ndarray, y: np.ndarray, chosen: np.ndarray) -> None:
        """Arrow heads evenly along what is drawn of a path."""
        places = np.linspace(0, len(chosen) - 1, N_ARROWS + 2).astype(int)[1:-1]
        tips = np.unique(chosen[places[places > 0]])
        tips = tips[tips > 0]
        points = np.stack([x, y], axis=1)
        self.arrows.set_pairs(np.stack([points[tips - 1], points[tips]], axis=1))

    def _half_turn(self) -> float:
        """180 degrees in the unit of the x axis."""
        entry = self.entries()[0]
        return np.pi / self.shown(entry).factor if entry is not None else np.inf

    def _follow(self, paths: list[Path]) -> None:
        """Keep the paths in view unless the user has zoomed."""
        paths = [path for path in paths if len(path[0])]
        if not self.follows or not paths:
            return
        spans = []
        for column in (1, 2):
            low = min(float(np.nanmin(path[column])) for path in paths)
            high = max(float(np.nanmax(path[column])) for path in paths)
            spans.append(spread(low, high, 0.08))
        if self.wraps and np.isfinite(half := self._half_turn()):
            spans[0] = (-half, half)
        before = self.canvas.viewRange()
        if not np.allclose(before, spans, rtol=1e-9, atol=0.0):
            self.canvas.setRange(xRange=spans[0], yRange=spans[1], padding=0.0)

    def _label_axes(self) -> None:
        """Name both axes and the curve."""
        font = small(self.font())
        words = []
        for axis, name, entry in zip(
            (self.bottom, self.left), (self.x_name, self.y_name), self.entries()
        ):
            if entry is None:
                axis.name_variable(name or self.tr("choose a variable"), self.theme, font)
                continue
            unit = self.shown(entry).text
            room = self.canvas.height() if axis is self.left else self.canvas.width()
            label = fitting(of_axis([entry], unit), font, room)
            axis.name_variable(label, self.theme, font)
            words.append(entry)
        if len(words) == 2:
            text = self.title
            tip = "\n".join(tip_of(entry) for entry in words)
            self.legend.set_items([Item(self.y_name, text, self.colour, tip)])
        else:
            self.legend.set_items([])

    def _draw_section(self, path: Path | None) -> None:
        """Draw the points of the Poincaré section."""
        moments = self.section_times() if path is not None else np.zeros(0)
        if path is None or not len(moments):
            self.points.setData([], [])
            return
        t, _, y = path
        record = self.context.playback.current
        x_column = self.context.columns.get(record, self.x_name) if record is not None else None
        x_entry = self.entries()[0]
        if x_column is None or x_entry is None:
            return
        x = at_times(x_column.t, x_column.values, moments)
        x = (self._wrapped(x) if x_entry.unit == "rad" else x) / self.shown(x_entry).factor
        self.points.setData(x, at_times(t, y, moments))

    def section_times(self) -> np.ndarray:
        """The moments of the Poincaré section in the current run."""
        record = self.context.playback.current
        if self.section is None or record is None:
            return np.zeros(0)
        column = None
        if not self.section.period > 0.0:
            column = self.context.columns.get(record, self.section.channel)
        return moments(self.section, record.results.t, column)

    def _show_hint(self, has_path: bool) -> None:
        if not (self.x_name and self.y_name):
            words = self.tr("Drop a body or joint here, or click an axis to choose a variable")
        elif not has_path and not self.records():
            words = self.tr("Press Space to run the model and see its path")
        else:
            words = ""
        self.show_hint(words)

    def recolour(self) -> None:
        """Give everything the colours of the theme."""
        super().recolour()
        theme = self.theme
        self.dot.setBrush(theme.accent)
        self.dot.setPen(theme.paper)
        self.points.setBrush(theme.problem)
        self.tail.colour = faded(theme.accent, 255)
        self.arrows.colour = faded(self.colour, 255)
        self.field_item.colour = faded(theme.faint, 150)

    # --- the clock and the mouse

    def show_time(self) -> None:
        """Move the point of the present and its tail."""
        record = self.context.playback.current
        path = self.path(record) if record is not None else None
        if path is None or not len(path[0]):
            self.dot.setData([], [])
            self.tail.set_points(np.zeros((0, 2)))
            return
        now = self.context.playback.time
        at, tail = present(path, now, self._half_turn() if self.wraps else np.inf)
        self.tail.set_points(tail)
        self.dot.setData([at[0]], [at[1]])

    def nearest(self, at: QPointF) -> tuple[int, float] | None:
        """The frame whose point is nearest to a place, and its distance in pixels."""
        record = self.context.playback.current
        path = self.path(record) if record is not None else None
        if path is None or not len(path[0]):
            return None
        px, py = self.canvas.viewPixelSize()
        distance = np.hypot((path[1] - at.x()) / px, (path[2] - at.y()) / py)
        n = int(np.nanargmin(distance))
        return n, float(distance[n])

    def scrub(self, at: QPointF) -> None:
        """Go to the moment of the path that is nearest to a place, if it is near."""
        found = self.nearest(at)
        record = self.context.playback.current
        if found is not None and record is not None and found[1] < NEAR:
            self.context.playback.scrub(float(record.results.t[found[0]]))

    def hover(self, at: QPointF) -> str:
        """The place under the mouse, or the point of the path that is near."""
        x_entry, y_entry = self.entries()
        if x_entry is None or y_entry is None:
            return ""
        found, digits = self.nearest(at), self.context.preferences.digits
        record = self.context.playback.current
        x, y, head = at.x(), at.y(), ""
        if found is not None and record is not None and found[1] < NEAR / 2:
            path = self.path(record)
            if path is not None:
                t, x, y = (float(column[found[0]]) for column in path)
                head = f"<b>t = {digits(t, 5)} s</b>"
        lines = [
            (
                self.colour,
                entry.quantity,
                with_unit(digits(value, 5), self.shown(entry).text),
            )
            for entry, value in ((x_entry, x), (y_entry, y))
        ]
        can_restart = (
            not head and self.field.plane is not None and self.context.simulator is not None
        )
        hint = self.tr("Shift+click restarts from here") if can_restart else ""
        return head + rows(lines) + hint

    def _on_zoomed(self, *_: Any) -> None:
        self.follows = False

    # --- the direction field

    def _wanted_field(self) -> Request | None:
        """The field of what is seen."""
        record, (x, y) = self.context.playback.current, self.entries()
        if not self.shows_field or record is None or x is None or y is None:
            return None
        fx, fy = self.shown(x).factor, self.shown(y).factor
        (x0, x1), (y0, y1) = self.canvas.viewRange()
        return Request(
            record, (self.x_name, self.y_name), (x0 * fx, x1 * fx, y0 * fy, y1 * fy), (fx, fy)
        )

    def restart_from(self, at: QPointF) -> None:
        """Start a run from a point of the phase plane."""
        x_entry, y_entry = self.entries()
        plane, simulator = self.field.plane, self.context.simulator
        if plane is None or simulator is None or x_entry is None or y_entry is None:
            return
        x, y = at.x() * self.shown(x_entry).factor, at.y() * self.shown(y_entry).factor
        try:
            state = plane.state(x, y)
        except EngineError as error:
            self.field.reason = error.sentence
            return
        simulator.run(state)

    def shutdown(self) -> None:
        """End the thread before the plot is destroyed."""
        self.field.shutdown()

    # --- menus

    def open_menu(self, at: QPointF, on_screen: QPoint) -> None:
        """Offer what can be done here."""
        open_menu(phase_menu(self, at), on_screen)

    def menu(self) -> QMenu:
        """Fill the menu of the plot."""
        return phase_menu(self)

    def flip(self, option: str) -> None:
        """Turn an option on or off; changes the plot."""
        setattr(self, option, not getattr(self, option))
        if option != "shows_field":
            self.follows = True
        self.schedule()
        self.changed.emit()

    def choose_axis(self, which: str) -> None:
        """Let the user choose the variable of one axis."""

        def take(chosen: list[str]) -> None:
            x, y = (chosen[0], self.y_name) if which == "x" else (self.x_name, chosen[0])
            if which == "x" and not self.y_name:
                y = self.context.catalogue.rate_of(x)
            self.set_axes(x, y)

        chosen = [self.x_name if which == "x" else self.y_name]
        choose(self, self.context.catalogue, take, chosen=chosen, several=False)

    def choose_section(self) -> None:
        """Let the user choose when the points of a Poincaré section are taken."""
        dialog = SectionDialog(self, self.context, self.section, self.x_name)
        dialog.accepted.connect(lambda: self.set_section(dialog.section()))
        open_dialog(dialog)

    def set_section(self, section: Section | None) -> None:
        """Show the points of a section, or none; changes the plot."""
        self.section = section
        self.schedule()
        self.changed.emit()
