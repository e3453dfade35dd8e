"""The first window: choose an example, press play, watch it move."""

import time
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QSizePolicy,
    QSlider,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from assets import example_paths
from engine.errors import EngineError
from engine.files import load
from gui.health import health_line
from gui.outlines import transport_symbols
from gui.stage import Stage
from gui.theme import icon, theme_of
from gui.view import StageView
from gui.worker import Worker

TICK = 16  # ms between two pictures


class Viewer(QMainWindow):
    """Shows one model: its stage, a transport bar and a line about its health."""

    def __init__(self) -> None:
        super().__init__()
        self.setWindowTitle("Kardan")
        self.resize(1280, 720)
        self.setMinimumSize(640, 420)
        self.worker: Worker | None = None
        self.running: Any = None  # engine.simulate.Run, once it is prepared
        self.results: Any = None
        self.time = 0.0
        self.timer = QTimer(self, interval=TICK)
        self.timer.timeout.connect(self._tick)
        self._build()

    @property
    def playing(self) -> bool:
        """Whether time is running."""
        return self.timer.isActive()

    @property
    def frame_step(self) -> float:
        """Time between two frames."""
        return float(self.running.settings.t_end) / self.slider.maximum()

    def _build(self) -> None:
        """Make and lay out the widgets."""
        self.choice = QComboBox(minimumWidth=220, focusPolicy=Qt.FocusPolicy.TabFocus)
        for name, path in example_paths().items():
            self.choice.addItem(name.replace("_", " ").capitalize(), str(path))
        self.choice.activated.connect(lambda: self.open_file(self.choice.currentData()))
        self.about = QLabel()
        self.about.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.error = QLabel(visible=False, wordWrap=True, margin=10)
        self.error.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.view = StageView()
        self.health = QLabel(margin=4)
        self.statusBar().addWidget(self.health, 1)
        column = QVBoxLayout(spacing=0)
        column.setContentsMargins(0, 0, 0, 0)
        top = _row(QLabel("Example"), self.choice, self.about, wide=self.about)
        for widget in (top, self.error, self.view, self._transport()):
            column.addWidget(widget, 1 if widget is self.view else 0)
        center = QWidget()
        center.setLayout(column)
        self.setCentralWidget(center)
        self._colour()

    def _transport(self) -> QWidget:
        """Reset, play, slider and time."""
        self.reset_action = self._action("Reset", "Home", self.reset)
        self.play_action = self._action("Play", "Space", self.toggle)
        self.slider = QSlider(Qt.Orientation.Horizontal, focusPolicy=Qt.FocusPolicy.NoFocus)
        self.slider.setEnabled(False)
        self.slider.sliderMoved.connect(lambda frame: self.go_to(frame * self.frame_step))
        self.clock = QLabel()
        self.clock.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        widest = self.clock.fontMetrics().horizontalAdvance("t = 000.00 s / 000 s")
        self.clock.setMinimumWidth(widest)
        buttons = []
        for action in (self.reset_action, self.play_action):
            button = QToolButton(autoRaise=True, iconSize=QSize(22, 22))
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.setDefaultAction(action)
            buttons.append(button)
        return _row(*buttons, self.slider, self.clock, wide=self.slider)

    def _action(self, text: str, key: str, do: Any) -> QAction:
        """A command with its key."""
        action = QAction(text, self, enabled=False)
        action.setShortcut(QKeySequence(key))
        action.triggered.connect(lambda: do())
        self.addAction(action)
        return action

    def open_first_example(self) -> None:
        """Open the double pendulum, or the first example there is; changes the window."""
        if self.choice.count() == 0:
            self.show_error("This installation has no examples. Start kardan with a model file.")
            return
        self.choice.setCurrentIndex(max(self.choice.findText("Double pendulum"), 0))
        self.open_file(self.choice.currentData())

    def open_file(self, path: str | Path) -> None:
        """Read a model and simulate it; errors are shown in the window."""
        self._stop_worker()
        self.pause()
        self.error.hide()
        self.choice.setCurrentIndex(self.choice.findData(str(path)))
        try:
            model = load(path)
        except EngineError as error:
            self.show_error(error.sentence)
            return
        self.about.setText(model.description)
        self.about.setToolTip(model.description)
        self.setWindowTitle(f"{model.name or Path(path).stem} - Kardan")
        self.health.setText("Preparing the solver; the first time takes a minute or two ...")
        self.worker = Worker(model)
        self.worker.prepared.connect(self._on_prepared)
        self.worker.advanced.connect(self._on_advanced)
        self.worker.ended.connect(self._on_ended)
        self.worker.start()

    def show_error(self, sentence: str) -> None:
        """Show a sentence in the red bar above the stage."""
        self.error.setText(sentence)
        self.error.show()

    def _stop_worker(self) -> None:
        """End the simulation that is going on, if there is one."""
        if self.worker is not None:
            for signal in (self.worker.prepared, self.worker.advanced, self.worker.ended):
                signal.disconnect()
            self.worker.stop()
            self.worker = None

    def _on_prepared(self, running: Any) -> None:
        """Draw the model at its start."""
        from engine.results import Results

        self.running, self.time = running, 0.0
        self.results = Results(running.compiled, running.settings)
        settings = running.settings
        self.slider.setRange(0, max(1, round(settings.t_end / settings.output_step)))
        self.view.show_stage(Stage(running.compiled, theme_of(self.palette())))
        for control in (self.slider, self.reset_action, self.play_action):
            control.setEnabled(True)
        self._show_time()

    def _on_advanced(self, blocks: list[Any]) -> None:
        """Take over new frames; the stage widens to hold them."""
        before = len(self.results)
        for block in blocks:
            self.results.append(block)
        new = self.results.q[before:]
        self.view.enclose(new[:: max(len(new) // 60, 1)])
        self.health.setText(f"Computing ... {100.0 * self.running.fraction:.0f} %")

    def _on_ended(self, sentence: str) -> None:
        """Say how the run went."""
        if sentence:
            self.show_error(sentence)
        self.health.setText(
            health_line(self.running.mobility, self.results) if self.running else ""
        )

    def toggle(self) -> None:
        """Play, or pause; at the end play again from the start."""
        if self.playing:
            self.pause()
        elif self.running is not None:
            self.go_to(0.0 if self.slider.value() >= len(self.results) - 1 else self.time)
            self.timer.start()
            self._label_buttons()

    def pause(self) -> None:
        """Stop the clock."""
        self.timer.stop()
        self._label_buttons()

    def reset(self) -> None:
        """Back to t = 0, paused."""
        self.pause()
        self.go_to(0.0)

    def go_to(self, t: float) -> None:
        """Show the mechanism at this time."""
        self.time = t
        self.started = time.monotonic() - t
        self._show_time()

    def _label_buttons(self) -> None:
        """Each button shows and says what it will do."""
        symbols = transport_symbols()
        self.play_action.setText("Pause" if self.playing else "Play")
        for action in (self.play_action, self.reset_action):
            action.setIcon(icon(symbols[action.text()], self.palette()))
            action.setToolTip(f"{action.text()} ({action.shortcut().toString()})")

    def _tick(self) -> None:
        """Go on to the present moment, but not beyond what is computed."""
        now = time.monotonic() - self.started
        known = max(len(self.results) - 1, 0) * self.frame_step
        if now <= known:
            self.time = now
            self._show_time()
            return
        self.go_to(known)
        if self.worker is None or self.worker.isFinished():
            self.pause()

    def _show_time(self) -> None:
        """Show the frame at the present time, and the time."""
        frame = min(round(self.time / self.frame_step), max(len(self.results) - 1, 0))
        self.slider.setValue(frame)
        self.clock.setText(f"t = {self.time:.2f} s / {float(self.running.settings.t_end):g} s")
        if len(self.results):
            self.view.stage.pose(self.results.q[frame])

    def _colour(self) -> None:
        """Give the buttons and the error bar the colours of the theme."""
        self._label_buttons()
        theme = theme_of(self.palette())
        self.error.setStyleSheet(f"background: {theme.alarm}; color: {theme.ink};")

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change between light and dark."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "clock"):
            self._colour()
            if self.running is not None:
                self.view.show_stage(Stage(self.running.compiled, theme_of(self.palette())))
                self.view.enclose(self.results.q[:: max(len(self.results) // 60, 1)])
                self._show_time()

    def closeEvent(self, event: Any) -> None:
        """End the simulation before the window goes."""
        self.timer.stop()
        self._stop_worker()
        super().closeEvent(event)


def _row(*widgets: QWidget, wide: QWidget) -> QWidget:
    """Widgets side by side, one of them as wide as can be."""
    layout = QHBoxLayout(spacing=8)
    layout.setContentsMargins(10, 6, 10, 6)
    for widget in widgets:
        layout.addWidget(widget, 1 if widget is wide else 0)
    whole = QWidget()
    whole.setLayout(layout)
    return whole
