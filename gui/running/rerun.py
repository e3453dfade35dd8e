"""Runs the model again when a slider is released, so that curves follow the hand.

The run before the first drag stays as a ghost; the run of a drag takes the place of the run of the drag
before. Time and play state are kept, and a newer value cancels a run that is under way.
"""

from typing import NamedTuple

from PySide6.QtCore import QObject

from engine.model.elements import same_mechanism
from gui.running.simulator import Simulator
from gui.running.transport import Transport
from gui.state.document import Document
from gui.state.playback import Playback, RunRecord


class Shown(NamedTuple):
    """What was seen when a slider was taken: the run, its time, and whether time ran."""

    record: RunRecord
    time: float
    is_playing: bool


class Rerun(QObject):
    """Follows the sliders of parameters; changes playback and simulator."""

    def __init__(
        self, document: Document, playback: Playback, simulator: Simulator, transport: Transport
    ) -> None:
        super().__init__(transport)
        self.document, self.playback = document, playback
        self.simulator, self.transport = simulator, transport
        self.is_dragging = False
        self._own: RunRecord | None = None  # the run of the last drag
        self._before: Shown | None = None  # what was seen when the slider was taken
        self._wanted: Shown | None = None  # to what the run under way leads
        playback.run_changed.connect(self._on_run)
        playback.frames_grew.connect(self._on_growth)
        playback.scrubbed.connect(self._forget_time)
        simulator.finished.connect(self._on_finished)
        document.opened.connect(self._on_opened)

    @property
    def is_quiet(self) -> bool:
        """Whether runs come and go because of a slider, about which nothing need be said."""
        return self.is_dragging or self._wanted is not None

    def begin(self) -> None:
        """A slider is taken: remember the run that is shown."""
        record, wanted = self.playback.current, self._wanted
        self.is_dragging, self._before, self._wanted = True, None, None
        if record is not None and same_mechanism(record.results.model, self.document.model):
            time = wanted.time if wanted is not None else self.playback.time
            plays = wanted.is_playing if wanted is not None else self.transport.is_playing
            self._before = Shown(record, time, plays)
        elif wanted is not None:
            self._before = wanted  # its run was not prepared yet

    def end(self, is_changed: bool, is_assembled: bool) -> None:
        """A slider is released: run the model again, if a run was shown before and it can run."""
        before, self._before = self._before, None
        if before is None:
            self.is_dragging = False
            return
        if not is_changed:
            self.playback.promote(before.record)
            self.playback.set_time(before.time)
            self.is_dragging = False
            return
        if before.record is self._own:
            self.playback.forget(before.record)
        self.is_dragging = False
        if is_assembled:
            self._wanted = before
            self.simulator.run()

    def _on_run(self) -> None:
        """The run that was asked for has begun."""
        record = self.playback.current
        if self._wanted is not None and record is not None:
            if same_mechanism(record.results.model, self.document.model):
                self._own = record

    def _on_growth(self) -> None:
        """Lead the time to where it was."""
        wanted = self._wanted
        if wanted is None or self.playback.current is not self._own or self._own is None:
            return
        self.playback.set_time(wanted.time)
        if self.playback.t_last >= wanted.time:
            self._arrive(wanted)

    def _on_finished(self, record: RunRecord) -> None:
        if self._wanted is not None and record is self._own:
            self.playback.set_time(self._wanted.time)
            self._arrive(self._wanted)

    def _arrive(self, wanted: Shown) -> None:
        """The time of before is reached: go on as before."""
        self._wanted = None
        if wanted.is_playing:
            self.transport.play()

    def _forget_time(self) -> None:
        """The user chose a time."""
        self._wanted = None

    def _on_opened(self) -> None:
        self._own = self._before = self._wanted = None
        self.is_dragging = False
