"""The transport bar: play, pause, step, loop, speed, time; progress of a run and Cancel."""

import time
from collections.abc import Callable
from math import isfinite
from typing import Any

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QToolButton,
    QWidget,
)

from engine.errors import EngineError
from engine.model.elements import same_mechanism
from gui.forms.lines import Line
from gui.look.icons import icon
from gui.look.translation import separated
from gui.running.durations import duration_words
from gui.running.simulator import COMPILING, LIVE, RUNNING, Simulator
from gui.running.timeline import TimeLine
from gui.state.document import Document
from gui.state.playback import Playback
from gui.state.preferences import Preferences

TICK = 16  # ms between two pictures
SPEEDS = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0)
SHOW_PROGRESS_AFTER = 250  # ms: shorter runs would only flicker
FAR = 10  # frames of a long step


class Transport(QWidget):
    """Everything about time in one bar; `actions()` are used in menus too."""

    playing_changed = Signal(bool)
    complained = Signal(str)  # about a time that cannot be read

    def __init__(
        self,
        playback: Playback,
        simulator: Simulator,
        document: Document,
        preferences: Preferences | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.playback, self.simulator, self.document = playback, simulator, document
        self.preferences = preferences if preferences is not None else Preferences()
        self.clock = time.monotonic
        self._last = 0.0  # when the clock was read last
        self.timer = QTimer(self, interval=TICK, timerType=Qt.TimerType.PreciseTimer)
        self.timer.timeout.connect(self.tick)
        self._late = QTimer(self, singleShot=True, interval=SHOW_PROGRESS_AFTER)
        self._late.timeout.connect(self._show_progress)
        self._make_actions()
        self._lay_out()
        playback.run_changed.connect(self._refresh)
        playback.frames_grew.connect(self._show_time)
        playback.time_changed.connect(self._show_time)
        playback.scrubbed.connect(self._on_scrubbed)
        simulator.state_changed.connect(self._refresh)
        simulator.state_changed.connect(self._on_state)
        simulator.progressed.connect(self._on_progress)
        simulator.failed.connect(lambda *_: self.pause())
        document.changed.connect(self._refresh)
        self._refresh()
        self._on_state(simulator.state)

    # --- building

    def _make_actions(self) -> None:
        tr = self.tr
        self.run_action = self._action("run", tr("Run again"), "Ctrl+R", self.run_again)
        self.reset_action = self._action("reset", tr("To the start"), "Home", self.reset)
        self.back_action = self._action("step_back", tr("Step back"), "Left", lambda: self.step(-1))
        self.play_action = self._action("play", tr("Play"), "Space", self.toggle)
        self.step_action = self._action("step", tr("Step"), "Right", lambda: self.step(1))
        self.end_action = self._action("go_end", tr("To the end"), "End", self.go_to_end)
        self.far_back_action = self._action(
            "step_back", tr("Ten steps back"), "Shift+Left", lambda: self.step(-FAR)
        )
        self.far_action = self._action(
            "step", tr("Ten steps"), "Shift+Right", lambda: self.step(FAR)
        )
        self.loop_action = self._action("loop", tr("Repeat from the start at the end"), "", None)
        self.live_action = self._action(
            "live", tr("Live: follow the clock and pull bodies with the mouse"), "", self._on_live
        )
        self.faster_action = self._action("faster", tr("Faster"), "+", lambda: self.change_speed(1))
        self.slower_action = self._action(
            "slower", tr("Slower"), "-", lambda: self.change_speed(-1)
        )
        self.play_action.setAutoRepeat(False)
        self.faster_action.setShortcuts([QKeySequence("+"), QKeySequence("=")])
        self.cancel_action = self._action("cancel", tr("Cancel the run"), "", self.simulator.cancel)
        self.loop_action.setCheckable(True)
        self.live_action.setCheckable(True)

    def _action(self, name: str, text: str, key: str, do: Callable[[], Any] | None) -> QAction:
        """A command with its icon and key."""
        action = QAction(icon(name), text, self)
        action.setObjectName(name)
        action.setToolTip(f"{text} ({key})" if key else text)
        if key:
            action.setShortcut(QKeySequence(key))
        if do is not None:
            action.triggered.connect(lambda: do())
        self.addAction(action)
        return action

    def _lay_out(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 3, 8, 3)
        row.setSpacing(2)
        for action in (self.reset_action, self.back_action, self.play_action, self.step_action):
            row.addWidget(self._button(action))
        row.addSpacing(4)
        for action in (self.loop_action, self.live_action):
            row.addWidget(self._button(action))
        self.speed_box = QComboBox()
        self.speed_box.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.speed_box.setToolTip(self.tr("Speed (+ faster, - slower)"))
        for speed in SPEEDS:
            self.speed_box.addItem(f"{self.preferences.digits(speed)}×", speed)
        self.speed_box.setCurrentIndex(SPEEDS.index(1.0))
        self.speed_box.currentIndexChanged.connect(self._on_speed)
        row.addSpacing(4)
        row.addWidget(self.speed_box)
        self.time_line = TimeLine(self.playback)
        row.addSpacing(4)
        row.addWidget(self.time_line, 1)
        self.time_field = Line()
        self.time_field.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.time_field.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.time_field.setToolTip(self.tr("The time that is shown; type another one"))
        self.time_field.setAccessibleName(self.tr("Time"))
        self.time_field.setFixedWidth(self.fontMetrics().horizontalAdvance("0000.0000 s") + 14)
        self.time_field.meant.connect(self._on_time_typed)
        self.time_field.given_up.connect(self._forget_typed)
        self.time_field.textEdited.connect(lambda _: self.time_field.mark(False))
        self.end_label = QLabel()
        row.addSpacing(4)
        row.addWidget(self.time_field)
        row.addWidget(self.end_label)
        self._lay_out_progress(row)

    def _lay_out_progress(self, row: QHBoxLayout) -> None:
        """What is shown during a run."""
        self.progress = QProgressBar(textVisible=False)
        self.progress.hide()
        self.progress.setFixedWidth(90)
        self.progress.setMaximumHeight(8)
        self.progress_words = QLabel()
        self.progress_words.hide()
        widest = self.fontMetrics().horizontalAdvance("100 %, 00 min left")
        self.progress_words.setMinimumWidth(widest + 6)
        self.cancel_button = self._button(self.cancel_action)
        self.cancel_button.hide()
        row.addSpacing(4)
        row.addWidget(self.progress)
        row.addSpacing(4)
        row.addWidget(self.progress_words)
        row.addWidget(self.cancel_button)

    def _button(self, action: QAction) -> QToolButton:
        button = QToolButton(autoRaise=True)
        button.setIconSize(QSize(20, 20))
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setDefaultAction(action)
        return button

    # --- commands of the user

    @property
    def is_playing(self) -> bool:
        """Whether time is running."""
        return self.timer.isActive()

    @property
    def speed(self) -> float:
        """Simulated seconds in one second."""
        return float(self.speed_box.currentData())

    def toggle(self) -> None:
        """Play or pause; without a run of this model, run it. Live mode pauses."""
        if self.simulator.state == LIVE:
            self.simulator.stop_live()
        elif self.is_playing:
            self.pause()
        else:
            self.play()

    def play(self) -> None:
        """Start playing; from the start if it was at the end."""
        if not self._has_own_run():
            self.simulator.run()
        elif self.playback.time >= self.playback.t_last and not self._is_growing():
            self.playback.set_time(self.playback.t_first)
        self._last = self.clock()
        self.timer.start()
        self._label_play()

    def pause(self) -> None:
        """Pause."""
        if self.is_playing:
            self.timer.stop()
            self._label_play()

    def run_again(self) -> None:
        """Simulate the model again and show it; the previous run is kept as a ghost."""
        self.pause()
        self.simulator.run()
        self._last = self.clock()
        self.timer.start()
        self._label_play()

    def reset(self) -> None:
        """To the first frame, paused."""
        self.playback.scrub(self.playback.t_first)

    def go_to_end(self) -> None:
        """To the last frame so far, paused."""
        self.playback.scrub(self.playback.t_last)

    def step(self, frames: int) -> None:
        """Some frames further or back, paused; without a run of this model, run it first."""
        results = self.playback.results
        if results is None or not len(results):
            if frames > 0:
                self.simulator.run()
            return
        n = min(max(self.playback.frame() + frames, 0), len(results) - 1)
        self.playback.scrub(float(results.t[n]))

    def change_speed(self, places: int) -> None:
        """The next faster or slower speed."""
        place = self.speed_box.currentIndex() + places
        self.speed_box.setCurrentIndex(min(max(place, 0), len(SPEEDS) - 1))

    def _on_speed(self) -> None:
        self.simulator.speed = self.speed

    def _on_live(self) -> None:
        self.pause()
        if self.live_action.isChecked():
            self.simulator.speed = self.speed
            self.simulator.start_live()
        else:
            self.simulator.stop_live()
        self._refresh()

    def _on_scrubbed(self) -> None:
        self.pause()
        self.simulator.stop_live()

    def _on_time_typed(self) -> None:
        if not self.time_field.isModified():
            self._forget_typed()
            return
        try:
            t = self.preferences.parse(self.time_field.text(), "s", self.document.model)
            if not isinstance(t, float | int) or not isfinite(t):
                raise EngineError(self.tr("Give a time as a number, such as 2.5."))
        except EngineError as error:
            self.time_field.mark(True)
            self.complained.emit(error.sentence)
        else:
            self.playback.scrub(float(t))
            self._forget_typed()

    def _forget_typed(self) -> None:
        """Show the time of the clock in its field again."""
        self.time_field.mark(False)
        self.time_field.setModified(False)
        self._show_time()

    # --- the clock

    def tick(self) -> None:
        """Advance to the time of the clock, but never beyond the frames computed so far."""
        now = self.clock()
        passed, self._last = now - self._last, now
        if not self._has_own_run():
            if self.simulator.state not in (RUNNING, COMPILING):
                self.pause()
            return
        first, last = self.playback.t_first, self.playback.t_last
        t = self.playback.time + passed * self.speed
        if t < last:
            self.playback.set_time(t)
        elif self._is_growing():
            self.playback.set_time(last)
        elif self.loop_action.isChecked() and last > first:
            self.playback.set_time(first + (t - last) % (last - first))
        else:
            self.playback.set_time(last)
            self.pause()

    def _has_own_run(self) -> bool:
        """Whether the run that is shown is one of the open model."""
        results = self.playback.results
        return results is not None and same_mechanism(results.model, self.document.model)

    def _is_growing(self) -> bool:
        """Whether the run that is shown gets more frames."""
        record = self.playback.current
        return record is not None and self.simulator.record is record

    # --- display

    def _refresh(self) -> None:
        """Enable what applies; the rest says why not."""
        has_run = self.playback.current is not None
        reason = self.tr("There is no run yet: press play")
        for action in (
            self.reset_action,
            self.back_action,
            self.end_action,
            self.far_back_action,
            self.far_action,
        ):
            action.setEnabled(has_run)
            action.setProperty("reason", "" if has_run else reason)
            key = action.shortcut().toString()
            words = f"{action.text()} ({key})"
            action.setToolTip(words if has_run else f"{words}. {reason}")
        self.time_field.setEnabled(has_run)
        is_live = self.simulator.state == LIVE
        if self.live_action.isChecked() != is_live:
            self.live_action.setChecked(is_live)
        self._label_play()
        self._show_time()

    def _label_play(self) -> None:
        """Show on the button what it will do."""
        going = self.is_playing or self.simulator.state == LIVE
        text = self.tr("Pause") if going else self.tr("Play")
        if self.play_action.text() != text:
            self.play_action.setText(text)
            self.play_action.setIcon(icon("pause" if going else "play"))
            self.playback.set_playing(going)
            self.playing_changed.emit(going)
        self.play_action.setToolTip(f"{text} ({self.tr('Space')})")

    def _show_time(self) -> None:
        """The time in its field and the length of the run beside it."""
        if not self.time_field.isModified():
            time_text = separated(f"{self.playback.time:.3f}")
            if self.time_field.text() != (shown := self.tr("{0} s").format(time_text)):
                self.time_field.setText(shown)
        end = self.time_line.span[1] if self.playback.current is not None else 0.0
        is_live = self.playback.current is not None and self.playback.current.is_live
        number = self.preferences.digits(end, 4)
        words = "" if is_live or end == 0.0 else self.tr("of {0} s").format(number)
        if self.end_label.text() != words:
            self.end_label.setText(words)

    def _on_state(self, state: str) -> None:
        """Show progress while something is solved or compiled."""
        if state == COMPILING:
            self._show_progress()
            self.cancel_button.setVisible(self.simulator.is_queued)
        elif state == RUNNING:
            self.progress.setRange(0, 1000)
            self.progress.setValue(0)
            self.progress_words.setText(self.tr("Preparing ..."))
            self._late.start()
        else:
            self._late.stop()
            for widget in (self.progress, self.progress_words, self.cancel_button):
                widget.hide()

    def _show_progress(self) -> None:
        self.progress.show()
        self.progress_words.show()
        self.cancel_button.setVisible(self.simulator.state == RUNNING or self.simulator.is_queued)
        if self.simulator.state == COMPILING:
            self.progress.setRange(0, 1000)
            self._on_compiling(self.simulator.warm_up.fraction, self.simulator.warm_up.left)

    def _on_compiling(self, fraction: float, left: float) -> None:
        """Say what is waited for, and how long."""
        self.progress.setValue(round(1000.0 * fraction))
        self.progress_words.setText(self.simulator.compiling_words(fraction, left))
        self.progress_words.setToolTip(self.simulator.warm_up.why())

    def _on_progress(self, fraction: float, left: float) -> None:
        if self.simulator.state == COMPILING:
            self._on_compiling(fraction, left)
            return
        self.progress.setValue(round(1000.0 * fraction))
        self.progress_words.setToolTip("")
        percent = f"{100.0 * fraction:.0f} %"
        if isfinite(left):
            words = self.tr("{0}, {1} left").format(percent, duration_words(left))
            self.progress_words.setText(words)
        else:
            self.progress_words.setText(self.tr("Preparing ..."))
