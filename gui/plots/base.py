"""What all plots share: the canvas in its colours, the clock, the runs, menus and drops."""

import json
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from engine.model.elements import Id
from engine.model.views import Plot as PlotContent
from gui.look.theme import Theme, theme_of
from gui.plots.canvas import Canvas, Grid, faded
from gui.plots.catalogue import Catalogue
from gui.plots.columns import Columns
from gui.plots.units import Shown, shown_unit
from gui.running.simulator import Simulator
from gui.state.document import Document
from gui.state.playback import Playback, RunRecord
from gui.state.preferences import Preferences
from gui.state.selection import Selection

if TYPE_CHECKING:
    from engine.results.results import Results

IDS = "application/x-kardan-ids"
LOW = 165  # px of height with the legend: in a lower plot words give way to curves
REDRAW = 25  # ms, at least, between two redraws
SHARE = 3.0  # pause after a redraw, as a multiple of its cost
FEWEST = 100  # frames that the view has room for while a run grows
GHOST = 110  # of 255: how much of an earlier run is seen
SLOWEST = 400.0  # ms, at most, between two redraws


class Context(NamedTuple):
    """Everything a plot may read or act on."""

    document: Document
    selection: Selection
    playback: Playback
    preferences: Preferences
    catalogue: Catalogue
    columns: Columns
    simulator: Simulator | None = None  # if runs can be started from plots


class Plot(QWidget):
    """A plot in its frame; subclasses draw."""

    title_changed = Signal()
    closed = Signal()  # it asks to be closed
    replaced = Signal(object)  # what another plot shows that takes this place
    changed = Signal()  # what is shown, as `content` tells it

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.context = context
        self.setAcceptDrops(True)
        self._redraw = QTimer(self, singleShot=True, interval=REDRAW)
        self._redraw.timeout.connect(self._draw_in_time)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(0)
        playback = context.playback
        playback.run_changed.connect(self.schedule)
        playback.frames_grew.connect(self.schedule)
        playback.time_changed.connect(self.show_time)
        context.columns.arrived.connect(self.schedule)
        context.document.committed.connect(self.schedule)
        context.preferences.changed.connect(self._on_preference)
        self._units: dict[tuple[str, bool], Shown] = {}
        self._told = ""  # the last title

    # --- for subclasses

    @property
    def title(self) -> str:
        """The title above the plot."""
        return ""

    def redraw(self) -> None:
        """Draw everything that may have changed."""

    def show_time(self) -> None:
        """Move what marks the present time."""

    def recolour(self) -> None:
        """Follow a change of the theme."""

    @property
    def content(self) -> PlotContent:
        """What is shown, as the model keeps it."""
        raise NotImplementedError

    def take(self, content: Any) -> None:
        """Show what the model says; changes the plot, not the model."""

    def add_ids(self, ids: list[Id]) -> None:
        """Show the usual channels of these elements."""

    # --- shared

    @property
    def theme(self) -> Theme:
        """The colours in use."""
        return theme_of(self.palette())

    def schedule(self) -> None:
        """Redraw soon, once."""
        if not self._redraw.isActive():
            self._redraw.start()

    def _draw_in_time(self) -> None:
        """Redraw, then pause in proportion to the cost."""
        if not self.isVisible():
            return
        began = time.perf_counter()
        self.redraw()
        if self.title != self._told:  # a body was renamed, or the channels are known only now
            self._told = self.title
            self.title_changed.emit()
        cost = 1e3 * (time.perf_counter() - began)
        self._redraw.setInterval(round(min(max(REDRAW, SHARE * cost), SLOWEST)))

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what happened while hidden."""
        super().showEvent(event)
        self.schedule()

    def unit(self, unit: str, as_frequency: bool = False) -> Shown:
        """How a unit is shown, cached until a preference changes."""
        key = (unit, as_frequency)
        if key not in self._units:
            self._units[key] = shown_unit(self.context.preferences, unit, as_frequency)
        return self._units[key]

    def _on_preference(self) -> None:
        self._units.clear()
        self.schedule()

    @property
    def is_stale(self) -> bool:
        """Whether something changed that is not drawn yet."""
        return self._redraw.isActive()

    def records(self) -> list[RunRecord]:
        """The runs to draw: ghosts from the oldest on, then the current one."""
        playback = self.context.playback
        ghosts = [ghost for ghost in reversed(playback.ghosts) if ghost.is_shown]
        return [*ghosts, playback.current] if playback.current is not None else ghosts

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change between light and dark."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.recolour()
            self.schedule()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Elements may be dropped."""
        if event.mimeData().hasFormat(IDS):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Show what was dropped."""
        ids = dropped_ids(event)
        if ids:
            event.acceptProposedAction()
            self.add_ids(ids)


class CanvasPlot(Plot):
    """A plot with axes and a readout beside the mouse."""

    def __init__(self, context: Context, canvas: Canvas, axes: dict[str, Any]) -> None:
        super().__init__(context)
        self.canvas = canvas
        self.widget = pg.PlotWidget(viewBox=canvas, axisItems=axes)
        self.widget.setMinimumSize(60, 40)
        self.widget.setProperty("is_plot", True)  # the owner of the keyboard asks
        self.widget.setAcceptDrops(False)  # the plot itself takes drops
        self.widget.viewport().setAcceptDrops(False)
        self.item = self.widget.getPlotItem()
        self.item.hideButtons()
        self.item.layout.setContentsMargins(0, 3, 10, 0)
        self.item.setMenuEnabled(False)
        self.grid = Grid(axes["bottom"], axes["left"])
        canvas.addItem(self.grid, ignoreBounds=True)
        self.readout = QLabel(self.widget)
        self.readout.hide()
        self.readout.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.readout.setTextFormat(Qt.TextFormat.RichText)
        self.hint = QLabel(self.widget, alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True)
        self.hint.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.column.addWidget(self.widget, 1)
        self.widget.scene().sigMouseMoved.connect(self._on_mouse_moved)
        for watched in (self.widget, self.widget.viewport()):
            watched.installEventFilter(self)
        canvas.menu_wanted.connect(self.open_menu)
        canvas.sigResized.connect(self._place_hint)

    def show_hint(self, words: str) -> None:
        """Show a hint in the middle of the plot, or none."""
        self.hint.setText(words)
        self.hint.setVisible(bool(words))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Draw for the new size."""
        super().resizeEvent(event)
        frame = self.parentWidget()  # with the legend: what that takes changes nothing
        self.stand_low((frame.height() if frame is not None else self.height()) < LOW)
        self.schedule()

    def stand_low(self, is_low: bool) -> None:
        """Leave the room of a low plot to its curves; changes the plot."""

    def _place_hint(self) -> None:
        """Keep the hint in the middle between the axes."""
        room = self.widget.mapFromScene(self.canvas.sceneBoundingRect()).boundingRect()
        self.hint.setGeometry(room.adjusted(4, 4, -4, -4))

    def open_menu(self, at: QPointF, on_screen: QPoint) -> None:
        """Open the context menu."""

    def delete_chosen(self) -> None:
        """Remove the chosen curve; changes the plot."""

    def hover(self, at: QPointF) -> str:
        """What the readout says at a place of the data, as rich text; empty: nothing."""
        return ""

    def unhover(self) -> None:
        """The mouse has gone."""

    def _on_mouse_moved(self, scene_pos: QPointF) -> None:
        if not self.canvas.sceneBoundingRect().contains(scene_pos):
            self._hide_readout()
            return
        text = self.hover(self.canvas.mapSceneToView(scene_pos))
        if not text:
            self._hide_readout()
            return
        self.readout.setText(text)
        self.readout.adjustSize()
        place = self.widget.mapFromScene(scene_pos)
        x = place.x() + 16
        if x + self.readout.width() > self.widget.width():
            x = place.x() - 12 - self.readout.width()
        y = min(max(place.y() - self.readout.height() - 8, 2), self.widget.height())
        self.readout.move(max(int(x), 0), int(y))
        self.readout.show()
        self.readout.raise_()

    def _hide_readout(self) -> None:
        self.readout.hide()
        self.unhover()

    def eventFilter(self, watched: Any, event: QEvent) -> bool:
        """Hide the readout when the mouse leaves; Del removes what is chosen."""
        if event.type() == QEvent.Type.Leave:
            self._hide_readout()
        elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
                self.delete_chosen()
                return True
        return super().eventFilter(watched, event)

    def recolour(self) -> None:
        """Give the paper and the readout the colours of the theme."""
        theme = self.theme
        self.widget.setBackground(theme.paper)
        self.grid.colour = faded(theme.faint, 45)
        self.hint.setStyleSheet(f"color: {theme.quiet}; background: transparent;")
        self.readout.setStyleSheet(
            f"QLabel {{ background: {theme.card}; color: {theme.ink}; padding: 3px 6px;"
            f" border: 1px solid {theme.line}; border-radius: 4px; }}"
        )


def dropped_ids(event: QDropEvent | QDragEnterEvent) -> list[Id]:
    """The ids in a drop; none if it is something else."""
    raw = bytes(event.mimeData().data(IDS).data())
    try:
        found = json.loads(raw.decode())
    except ValueError:
        return []
    return [id for id in found if isinstance(id, str)] if isinstance(found, list) else []


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


def rows(lines: Iterable[tuple[str, ...]]) -> str:
    """A small table as rich text: in each row a colour, a name and values."""
    text = ""
    for colour, name, *values in lines:
        cells = "".join(f"<td align='right'>&nbsp;&nbsp;{value}</td>" for value in values)
        square = f"<span style='color:{colour}'>■</span>&nbsp;" if colour else ""
        text += f"<tr><td>{square}{name}</td>{cells}</tr>"
    return f"<table cellspacing='0' cellpadding='0'>{text}</table>"
