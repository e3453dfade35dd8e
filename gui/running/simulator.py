"""The simulator of the window: runs the model that is open, to its end or live."""

import time
from collections.abc import Callable, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QObject, Signal

from engine.model.elements import Id, same_mechanism
from gui.running.durations import duration_words
from gui.running.live import SECONDS_KEPT, Hand, LiveWorker
from gui.running.warm_up import WarmUp
from gui.running.worker import MeasureWorker, SolveWorker
from gui.state.document import Document
from gui.state.playback import Playback, Quality, RunRecord

if TYPE_CHECKING:  # they load the kernels
    from engine.results.blocks import Block
    from engine.running.live import Live
    from engine.running.simulate import Run

IDLE, COMPILING, RUNNING, LIVE = "idle", "compiling", "running", "live"


class Simulator(QObject):
    """Starts and stops simulations and feeds their frames to the playback."""

    state_changed = Signal(str)  # one of the four above
    progressed = Signal(float, float)  # fraction done, seconds left
    failed = Signal(str, list)  # what went wrong, in a sentence, and the ids involved
    advised = Signal(list)  # engine.running.advice.Advice ... about the run that begins
    stopped = Signal(str, list)  # a trigger has ended the run: the sentence, and its ids
    finished = Signal(object)  # the RunRecord of a run that has ended, in whatever way

    def __init__(
        self,
        document: Document,
        playback: Playback,
        parent: QObject | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(parent)
        self.document, self.playback, self.clock = document, playback, clock
        self.state = IDLE
        self.is_queued = False  # a run was asked for and waits until the kernels are compiled
        self.record: RunRecord | None = None  # the run that is being filled
        self._speed = 1.0
        self._worker: SolveWorker | LiveWorker | None = None
        self._measuring: list[MeasureWorker] = []
        self._began = 0.0
        self.warm_up = WarmUp(self)
        self.warm_up.ready.connect(self._on_compiled)
        self.warm_up.progressed.connect(self._on_compiling)
        if not self.warm_up.is_ready:
            self.state = COMPILING
        self.warm_up.start()
        document.changed.connect(self._on_model_changed)
        document.opened.connect(self._on_opened)
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self.shutdown)

    # --- requests of the window

    def run(self, state: tuple[Any, Any] | None = None) -> None:
        """Simulate the open model from its drawing, or from a given (q, v)."""
        self._stop_worker()
        if self.state == COMPILING:
            self.is_queued = True
            self.state_changed.emit(COMPILING)
            return
        worker = SolveWorker(self.document.model, state)
        worker.prepared.connect(self._on_prepared)
        self._start(worker, RUNNING)

    def cancel(self) -> None:
        """Stop the simulation; its frames so far are kept."""
        if self.is_queued:
            self.is_queued = False
            self.state_changed.emit(self.state)
        self._stop_worker()

    def start_live(self) -> None:
        """Follow the wall clock, from the state that is shown or else from the drawing."""
        if self.state == COMPILING:
            self.failed.emit(self.warm_up.reason(), [])
            self.state_changed.emit(COMPILING)
            return
        self._stop_worker()
        worker = LiveWorker(self.document.model, self._shown_state(), self._speed, self.clock)
        worker.prepared.connect(self._on_live_prepared)
        self._start(worker, LIVE)

    def stop_live(self) -> None:
        """Stop live mode; its last seconds are kept as a run."""
        if self.state == LIVE:
            self._stop_worker()

    def pull(self, body: Id, point_in_body: Sequence[float], target: Sequence[float]) -> None:
        """In live mode: hold a point of a body and pull it to a place in the world."""
        if isinstance(self._worker, LiveWorker):
            self._worker.hand = Hand(body, tuple(point_in_body), tuple(target))

    def release(self) -> None:
        """Let go of what is pulled."""
        if isinstance(self._worker, LiveWorker):
            self._worker.hand = None

    @property
    def speed(self) -> float:
        """Simulated seconds in one second of live mode."""
        return self._speed

    @speed.setter
    def speed(self, speed: float) -> None:
        """Follow the clock faster or slower; changes live mode."""
        self._speed = speed
        if isinstance(self._worker, LiveWorker):
            self._worker.speed = speed

    def compiling_words(self, fraction: float, left: float) -> str:
        """How far compiling is, and that a run waits for it if one does."""
        percent = f"{100.0 * fraction:.0f} %"
        if fraction >= 1.0:  # every kernel is there; they are tried once before they are used
            waits = self.tr("Play waits: the solver is being loaded")
            return waits if self.is_queued else self.tr("The solver is being loaded")
        if not isfinite(left):
            waits, goes_on = self.tr("Play waits for the solver: {0}"), self.tr("Compiling: {0}")
            return (waits if self.is_queued else goes_on).format(percent)
        waits = self.tr("Play waits for the solver: {0}, about {1} left")
        goes_on = self.tr("Compiling the solver: {0}, about {1} left")
        return (waits if self.is_queued else goes_on).format(percent, duration_words(left))

    def shutdown(self) -> None:
        """End all threads and processes before the window is destroyed."""
        self._stop_worker()
        self.warm_up.stop()
        for measuring in self._measuring:
            measuring.stop()
        self._measuring.clear()

    # --- signals of the threads

    def _start(self, worker: SolveWorker | LiveWorker, state: str) -> None:
        """Start a worker; changes the state."""
        self._worker, self.record, self._began = worker, None, time.monotonic()
        worker.advanced.connect(self._on_advanced)
        worker.ended.connect(self._on_ended)
        self._set_state(state)
        if state == RUNNING:
            self.progressed.emit(0.0, float("inf"))
        worker.start()

    def _on_prepared(self, worker: SolveWorker, running: "Run") -> None:
        from engine.results.results import Results

        if worker is self._worker:
            results = Results(running.compiled, running.settings)
            results.tell(running.account(is_over=False))
            self._began = time.monotonic()
            self.record = self.playback.start(results, running.mobility)
            self.record.notes += results.notes
            if running.advice:
                self.advised.emit(running.advice)
            if worker.state is not None:
                self.record.notes.append(self.tr("Started from a chosen state."))

    def _on_live_prepared(self, worker: LiveWorker, live: "Live") -> None:
        from engine.results.results import Results

        if worker is self._worker:
            results = Results(live.run.compiled, live.settings)
            results.tell(live.account())
            self.record = self.playback.start(results, live.run.mobility, is_live=True)
            self._kept = max(2, round(SECONDS_KEPT / (live.frame_step)))

    def _on_advanced(self, worker: SolveWorker | LiveWorker, blocks: "list[Block]") -> None:
        record = self.record
        if worker is not self._worker or record is None:
            return
        worker.was_read()
        self._append(blocks)
        if worker is not self._worker:
            return
        if isinstance(worker, SolveWorker) and worker.running is not None:
            record.results.tell(worker.running.account(is_over=False))
            fraction = worker.running.fraction
            spent = time.monotonic() - self._began
            left = spent * (1.0 - fraction) / fraction if fraction > 0.0 else float("inf")
            self.progressed.emit(fraction, left)
        elif isinstance(worker, LiveWorker) and worker.live is not None:
            record.results.tell(worker.live.account())

    def _append(self, blocks: "list[Block]") -> None:
        """Add frames to the run that is being filled."""
        record = self.record
        if record is None or not blocks:
            return
        for block in blocks:
            record.results.append(block)
        if record.is_live:
            record.results.keep_last(self._kept)
        if record is self.playback.current:
            self.playback.frames_grew.emit()
            if record.is_live:
                self.playback.set_time(self.playback.t_last)

    def _on_ended(self, worker: SolveWorker | LiveWorker, sentence: str, ids: list[Id]) -> None:
        """A simulation has ended by itself, or could not begin."""
        if worker is self._worker:
            self._worker = None
            worker.wait()
            record = self.record
            self._conclude(worker)
            self._set_state(IDLE)
            ending = record.results.ending if record is not None else None
            if ending is not None and ending.reason == "stopped":
                self.stopped.emit(sentence, ids)
            elif sentence:
                self.failed.emit(sentence, ids)

    def _conclude(self, worker: SolveWorker | LiveWorker) -> None:
        """Record how a run ended, and have it measured; changes the record."""
        record, self.record = self.record, None
        if record is None:
            return
        results = record.results
        if isinstance(worker, SolveWorker) and worker.running is not None:
            results.tell(worker.running.account())
        elif isinstance(worker, LiveWorker) and worker.live is not None:
            results.tell(worker.live.account(is_over=True))
        if len(results) and not record.is_live:
            self._measure(record)
        self.playback.frames_grew.emit()
        self.finished.emit(record)

    def _measure(self, record: RunRecord) -> None:
        """Measure a finished run in a thread; changes the record later."""
        measuring = MeasureWorker(record)
        measuring.measured.connect(self._on_measured)
        measuring.ended.connect(self._on_measuring_ended)
        self._measuring.append(measuring)
        measuring.start()

    def _on_measured(self, worker: MeasureWorker, quality: Quality, events: list[Any]) -> None:
        record = worker.record
        record.quality = quality
        account = record.results.account
        record.results.tell(account._replace(events=sorted([*account.events, *events])))
        self.playback.frames_grew.emit()

    def _on_measuring_ended(self, worker: MeasureWorker, sentence: str) -> None:
        worker.wait()
        if worker in self._measuring:
            self._measuring.remove(worker)
        if sentence:
            worker.record.notes.append(sentence)

    def _stop_worker(self) -> None:
        """End the simulation that is going on, keep its frames; changes the state."""
        worker, self._worker = self._worker, None
        if worker is None:
            return
        worker.stop()
        self._conclude(worker)
        self._set_state(IDLE)

    def _on_model_changed(self) -> None:
        """Stop showing frames of another model: they become a ghost."""
        model = self.document.shown
        if self._worker is not None and not same_mechanism(self._worker.model, model):
            self._stop_worker()
        current = self.playback.current
        if current is not None and not same_mechanism(current.results.model, model):
            self.playback.leave()

    def _on_opened(self) -> None:
        """Another file: discard all runs."""
        self.cancel()
        self.playback.forget()

    def _on_compiling(self, fraction: float, left: float) -> None:
        if self.state == COMPILING:
            self.progressed.emit(fraction, left)

    def _on_compiled(self) -> None:
        queued, self.is_queued = self.is_queued, False
        self._set_state(IDLE)
        if queued:
            self.run()

    def _shown_state(self) -> tuple[float, Any, Any] | None:
        """Time, q and v of the frame that is shown, if it is one of the open model."""
        results = self.playback.results
        if (
            results is None
            or not len(results)
            or not same_mechanism(results.model, self.document.model)
        ):
            return None
        n = self.playback.frame()
        return float(results.t[n]), results.q[n], results.v[n]

    def _set_state(self, state: str) -> None:
        if self.state != state:
            self.state = state
            self.state_changed.emit(state)
