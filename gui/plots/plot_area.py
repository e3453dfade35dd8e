"""The panel of plots: several side by side or stacked, with one row of commands."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QSplitter,
    QStackedLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.model.elements import Id, with_plots
from engine.model.views import MOST_PLOTS, Curves, Portrait
from engine.model.views import Plot as PlotContent
from gui.look.buttons import small_button
from gui.look.icons import icon
from gui.plots.base import IDS, Context, dropped_ids
from gui.plots.catalogue import Catalogue
from gui.plots.columns import Columns
from gui.plots.energy_bars import EnergyBars
from gui.plots.phase.phase_plot import PhasePlot
from gui.plots.time_plot import TimePlot
from gui.running.simulator import Simulator
from gui.state.document import Document
from gui.state.passing import open_menu
from gui.state.playback import Playback
from gui.state.preferences import Preferences
from gui.state.selection import Selection

STACKED = "plots/stacked"  # a setting of the window
AnyPlot = TimePlot | PhasePlot | EnergyBars


class PlotFrame(QFrame):
    """One plot with its legend and its buttons."""

    closed = Signal(object)

    def __init__(self, plot: AnyPlot) -> None:
        super().__init__()
        self.plot = plot
        plot.setWindowTitle(plot.title)
        plot.title_changed.connect(lambda: plot.setWindowTitle(plot.title))
        self.setObjectName("plot")
        row = QHBoxLayout()
        row.setContentsMargins(2, 1, 2, 0)
        row.setSpacing(0)
        if isinstance(plot, EnergyBars):
            row.addWidget(QLabel(plot.title), 1)
        else:
            row.addWidget(plot.legend, 1)
        for button in self._buttons(plot):
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(plot, 1)

    def _buttons(self, plot: AnyPlot) -> list[QToolButton]:
        """Fill the menu of a plot; energy bars can only be closed."""
        made = []
        if isinstance(plot, TimePlot):
            made.append(self._button("add", self.tr("Choose variables"), plot.choose_curves))
        if not isinstance(plot, EnergyBars):
            options = self._button(
                "options", self.tr("Options"), lambda: pop_up(options, plot.menu())
            )
            made.append(options)
        close = self._button("close", self.tr("Close the plot"), lambda: self.closed.emit(self))
        return [*made, close]

    def _button(self, name: str, text: str, do: Callable[[], object]) -> QToolButton:
        button = small_button(name, text, 14)
        button.setFixedSize(20, 20)
        button.clicked.connect(lambda: do())
        return button


def pop_up(button: QToolButton, menu: QMenu) -> None:
    """Show a menu below a button."""
    open_menu(menu, button.mapToGlobal(button.rect().bottomLeft()))


class PlotArea(QWidget):
    """The plots of the model: what is done here is a step of undo, and what is undone is seen here."""

    changed = Signal()  # which plots there are, and what they show

    def __init__(
        self,
        document: Document,
        selection: Selection,
        playback: Playback,
        preferences: Preferences | None = None,
        simulator: Simulator | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.columns = Columns(playback, self)
        preferences = preferences if preferences is not None else Preferences()
        self.context = Context(
            document,
            selection,
            playback,
            preferences,
            Catalogue(document, playback, preferences),
            self.columns,
            simulator,
        )
        self.setAcceptDrops(True)
        self.frames: list[PlotFrame] = []
        self.splitter = QSplitter(Qt.Orientation.Horizontal, childrenCollapsible=False)
        self.splitter.setHandleWidth(5)
        self._is_following = False  # the model is shown, not changed
        self._make_actions()
        self._lay_out()
        selection.changed.connect(self._refresh)
        document.committed.connect(self.follow)
        stacked = bool(preferences.settings.value(STACKED, False, bool))
        self._set_orientation(Qt.Orientation.Vertical if stacked else Qt.Orientation.Horizontal)
        self._refresh()
        self.follow()

    def _make_actions(self) -> None:
        tr = self.tr
        self.time_action = self._action("time_plot", tr("Time plot"), self._new_time_plot)
        self.phase_action = self._action("phase_plot", tr("Phase portrait"), self._new_phase_plot)
        self.energy_action = self._action("energy_bars", tr("Energy bars"), self.add_energy_bars)
        self.turn_action = self._action("stacked", tr("One above the other"), self.turn)

    def _action(self, name: str, text: str, do: Callable[[], object]) -> QAction:
        action = QAction(icon(name), text, self)
        action.setObjectName(name)
        action.triggered.connect(lambda: do())
        self.addAction(action)
        return action

    def _lay_out(self) -> None:
        strip = QVBoxLayout()
        strip.setContentsMargins(2, 2, 0, 2)
        strip.setSpacing(2)
        for action in self.actions():
            button = QToolButton(autoRaise=True)
            button.setIconSize(QSize(18, 18))
            button.setDefaultAction(action)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            strip.addWidget(button)
        strip.addStretch(1)
        self.empty = self._empty_card()
        stack_holder = QWidget()
        self.stack = QStackedLayout(stack_holder)
        self.stack.addWidget(self.empty)
        self.stack.addWidget(self.splitter)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        row.addLayout(strip)
        row.addWidget(stack_holder, 1)

    def _empty_card(self) -> QWidget:
        """The hint in an empty area."""
        card = QWidget()
        self.empty_words = QLabel(alignment=Qt.AlignmentFlag.AlignCenter, wordWrap=True)
        self.empty_words.setProperty("role", "quiet")
        self.empty_words.setText(
            self.tr(
                "Drag a body, joint or spring here to plot it,\nor right-click it and choose Plot."
            )
        )
        time_button = QPushButton(self.tr("Time plot"))
        time_button.clicked.connect(self._new_time_plot)
        phase_button = QPushButton(self.tr("Phase portrait"))
        phase_button.clicked.connect(self._new_phase_plot)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(time_button)
        buttons.addWidget(phase_button)
        buttons.addStretch(1)
        column = QVBoxLayout(card)
        column.addStretch(1)
        column.addWidget(self.empty_words)
        column.addLayout(buttons)
        column.addStretch(1)
        return card

    # --- requests of the window

    def plots(self) -> list[AnyPlot]:
        """The plots from left to right, or from above."""
        return [frame.plot for frame in self.frames]

    def shown_channels(self) -> list[str]:
        """The names of all channels in plots, x axes of phase portraits too, each once."""
        names: list[str] = []
        for plot in self.plots():
            names += plot.names if isinstance(plot, TimePlot) else []
            names += [plot.x_name, plot.y_name] if isinstance(plot, PhasePlot) else []
        return [name for name in dict.fromkeys(names) if name]

    def shown_span(self) -> tuple[float, float] | None:
        """The time that is visible in the first plot over time, if there is one."""
        first = next((plot for plot in self.plots() if isinstance(plot, TimePlot)), None)
        if first is None:
            return None
        low, high = first.canvas.viewRange()[0]
        return low, high

    def add_time_plot(self, channels: list[str]) -> TimePlot:
        """Open a plot of channels over time."""
        plot = TimePlot(self.context, Curves(channels=tuple(dict.fromkeys(channels))))
        self._add(plot)
        self._commit()
        return plot

    def add_phase_plot(self, x: str = "", y: str = "") -> PhasePlot:
        """Open a phase portrait of two channels; that of the selection if none are given."""
        if not x:
            x, y = self._usual_pair()
        plot = PhasePlot(self.context, Portrait(x=x, y=y))
        self._add(plot)
        self._commit()
        return plot

    def add_energy_bars(self) -> EnergyBars:
        """Open bars of kinetic, potential and total energy and of work."""
        plot = EnergyBars(self.context)
        self._add(plot)
        self._commit()
        return plot

    def plot_ids(self, ids: list[Id]) -> None:
        """Show the usual channels of elements in the first time plot, or in a new one."""
        first = next((plot for plot in self.plots() if isinstance(plot, TimePlot)), None)
        if first is not None:
            first.add_ids(ids)
        else:
            self.add_time_plot([name for id in ids for name in self.context.catalogue.usual(id)])

    def choices(self, id: Id) -> list[tuple[str, list[str]]]:
        """What a menu may offer to plot of an element: titles and channels."""
        return self.context.catalogue.choices(id)

    def turn(self) -> None:
        """Put plots one above the other, or side by side; changes the layout."""
        sideways = self.splitter.orientation() == Qt.Orientation.Horizontal
        self._set_orientation(Qt.Orientation.Vertical if sideways else Qt.Orientation.Horizontal)
        self.context.preferences.settings.setValue(STACKED, sideways)

    def stack_up(self) -> None:
        """Put plots one above the other, for this time; changes the layout."""
        self._set_orientation(Qt.Orientation.Vertical)

    def clear(self) -> None:
        """Close all plots, as one step of undo."""
        for frame in list(self.frames):
            self._remove(frame)
        self._commit()

    def shutdown(self) -> None:
        """End all threads before the window is destroyed."""
        self.columns.shutdown()
        for plot in self.plots():
            if isinstance(plot, PhasePlot):
                plot.shutdown()

    # --- the model

    def contents(self) -> tuple[PlotContent, ...]:
        """What all plots show, as the model keeps it."""
        return tuple(plot.content for plot in self.plots())

    def follow(self) -> None:
        """Show the plots of the model; changes the area, and as few plots as possible."""
        wanted, shown = self.context.document.model.view.plots, self.contents()
        if wanted == shown:
            return
        self._is_following = True
        try:
            first = 0
            while first < min(len(wanted), len(shown)) and wanted[first] == shown[first]:
                first += 1
            last = 0
            while (
                last < min(len(wanted), len(shown)) - first
                and wanted[-1 - last] == shown[-1 - last]
            ):
                last += 1
            old = self.frames[first : len(shown) - last]
            self._exchange(first, old, wanted[first : len(wanted) - last])
        finally:
            self._is_following = False
        self.changed.emit()

    def _exchange(self, at: int, old: list[PlotFrame], new: tuple[PlotContent, ...]) -> None:
        """Show other plots in the place of some neighbours; changes the area."""
        for n, content in enumerate(new):
            if n < len(old) and type(old[n].plot.content) is type(content):
                plot: Any = old[n].plot  # of the kind that takes it
                plot.take(content)
                continue
            if n < len(old):
                self._remove(old[n])
            self._add(self._made(content), at + n)
        for frame in old[len(new) :]:
            self._remove(frame)

    def _commit(self) -> None:
        """Make what is shown that of the model, as one step of undo; changes the document."""
        if self._is_following:
            return
        document = self.context.document
        before, after = document.model.view.plots, self.contents()
        if before != after:
            document.edit(self._words(before, after), with_plots(document.model, after))
        self.changed.emit()

    def _words(self, before: tuple[PlotContent, ...], after: tuple[PlotContent, ...]) -> str:
        """What a step of undo is called."""
        if len(after) != len(before):
            return self.tr("Add a plot") if len(after) > len(before) else self.tr("Close a plot")
        was, now = ([name for plot in plots for name in plot.names] for plots in (before, after))
        if len(now) != len(was):
            return self.tr("Add a curve") if len(now) > len(was) else self.tr("Remove a curve")
        return self.tr("Change a plot")

    # --- inside

    def _made(self, content: PlotContent) -> AnyPlot:
        """A plot that shows this."""
        if isinstance(content, Curves):
            return TimePlot(self.context, content)
        return (
            PhasePlot(self.context, content)
            if isinstance(content, Portrait)
            else EnergyBars(self.context)
        )

    def _add(self, plot: AnyPlot, at: int | None = None) -> None:
        """Put a plot into the area."""
        frame = PlotFrame(plot)
        frame.closed.connect(self._close)
        plot.closed.connect(lambda: self._close(frame))
        plot.replaced.connect(lambda content: self._replace(frame, content))
        plot.changed.connect(self._commit)
        plot.title_changed.connect(self.changed)
        at = len(self.frames) if at is None else at
        self.frames.insert(at, frame)
        self.splitter.insertWidget(at, frame)
        weights = [1 if isinstance(one, EnergyBars) else 3 for one in self.plots()]
        for place, weight in enumerate(weights):
            self.splitter.setStretchFactor(place, weight)
        self.splitter.setSizes([1000 * weight for weight in weights])
        self._refresh()

    def _replace(self, frame: PlotFrame, content: PlotContent) -> None:
        """Put another plot in the place of one."""
        if frame in self.frames:
            sizes, at = self.splitter.sizes(), self.frames.index(frame)
            self._remove(frame)
            self._add(self._made(content), at)
            self.splitter.setSizes(sizes)
            self._commit()

    def _close(self, frame: PlotFrame) -> None:
        """Close a plot, as one step of undo."""
        if frame in self.frames:
            self._remove(frame)
            self._commit()

    def _remove(self, frame: PlotFrame) -> None:
        if isinstance(frame.plot, PhasePlot):
            frame.plot.shutdown()
        self.frames.remove(frame)
        frame.setParent(None)
        frame.deleteLater()
        self._refresh()

    def _new_time_plot(self) -> None:
        """A time plot of the selection; without one the user chooses."""
        names = [n for id in self.context.selection.ids for n in self.context.catalogue.usual(id)]
        plot = self.add_time_plot(names)
        if not names:
            plot.choose_curves()

    def _new_phase_plot(self) -> None:
        self.add_phase_plot()

    def _usual_pair(self) -> tuple[str, str]:
        """The pair of the selection, or of the first joint or body that has one."""
        model, catalogue = self.context.document.model, self.context.catalogue
        first = [e.id for family in ("joint", "body") for e in model.of(family)]
        for id in (*self.context.selection.ids, *first):
            if pair := catalogue.usual_pair(id):
                return pair
        return "", ""

    def _set_orientation(self, orientation: Qt.Orientation) -> None:
        sideways = orientation == Qt.Orientation.Horizontal
        self.splitter.setOrientation(orientation)
        self.turn_action.setText(
            self.tr("One above the other") if sideways else self.tr("Side by side")
        )
        self.turn_action.setIcon(icon("stacked" if sideways else "side_by_side"))

    def _refresh(self) -> None:
        """Show the plots, or a hint if there are none; too many plots are refused with a reason."""
        self.stack.setCurrentWidget(self.splitter if self.frames else self.empty)
        is_full = len(self.frames) >= MOST_PLOTS
        reason = self.tr("There is room for {0} plots: close one first").format(MOST_PLOTS)
        for action in (self.time_action, self.phase_action, self.energy_action):
            action.setEnabled(not is_full)
            action.setToolTip(reason if is_full else action.text())
        self.turn_action.setEnabled(len(self.frames) > 1)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Elements may be dropped beside plots too."""
        if event.mimeData().hasFormat(IDS):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Plot what was dropped."""
        if ids := dropped_ids(event):
            event.acceptProposedAction()
            self.plot_ids(ids)
