"""Threads that simulate, so that the window never waits."""

import time
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal

from engine.errors import EngineError
from engine.model.elements import Model
from gui.state.playback import Quality, RunRecord
from gui.state.threads import BackgroundThread

if TYPE_CHECKING:
    from engine.results.blocks import Block
    from engine.running.simulate import Run

PAUSE = 0.034  # s, at least, between two messages to the window


class Worker(BackgroundThread):
    """A thread that ends with a sentence: empty if all went well, else what went wrong."""

    ended = Signal(object, str, list)  # the worker, the sentence, ids of the elements involved

    def run(self) -> None:
        """Do the work; any failure is reported as a sentence."""
        try:
            sentence, ids = self.work()
        except EngineError as error:
            sentence, ids = error.sentence, list(error.ids)
        except MemoryError:
            sentence, ids = self.tr("There is not enough memory. Use a longer output step."), []
        except Exception as error:  # a fault of the program must be seen in the window too
            sentence, ids = self.tr("The simulation met a fault of the program: %r.") % error, []
        self.ended.emit(self, sentence, ids)

    def work(self) -> tuple[str, list[str]]:
        """What the thread does; returns how it ended."""
        return "", []

    def stop(self) -> bool:
        """Ask the thread to end and emit nothing more; returns whether it ended at once."""
        self.blockSignals(True)
        return self.let_go()


class SolveWorker(Worker):
    """One simulation to its end: emits the prepared run, then lists of blocks.

    There is never more than one message on its way: a slow window gets longer lists, not more.
    """

    prepared = Signal(object, object)  # the worker, engine.running.simulate.Run
    advanced = Signal(object, list)  # the worker, engine.running.simulate.Block ...

    def __init__(self, model: Model, state: tuple[Any, Any] | None = None) -> None:
        super().__init__()
        self.model, self.state = model, state
        self.running: Run | None = None
        self._is_unread = False

    def was_read(self) -> None:
        """The window has taken over the last message and may get another one."""
        self._is_unread = False

    def work(self) -> tuple[str, list[str]]:
        """Prepare and simulate until the end or until an interruption is requested."""
        from engine.running.room import check_memory  # here: loading the kernels takes a moment
        from engine.running.simulate import prepare

        running = prepare(self.model)
        if self.state is not None:
            q, v = self.state
            running.start = running.start._replace(q=q.copy(), v=v.copy())
        check_memory(running.compiled, running.settings)
        self.running = running
        self.prepared.emit(self, running)
        waiting: list[Block] = []
        sent = 0.0
        for block in running:
            waiting.append(block)
            if time.monotonic() - sent > PAUSE and not self._is_unread:
                self._is_unread = True
                self.advanced.emit(self, waiting)
                waiting, sent = [], time.monotonic()
            if self.isInterruptionRequested():
                break
        self.advanced.emit(self, waiting)
        return running.ending.sentence, list(running.ending.ids)


class MeasureWorker(Worker):
    """Measures how well a finished run kept its work balance and its joints; emits what it found."""

    measured = Signal(
        object, object, list
    )  # the worker, gui.state.playback.Quality, further events

    def __init__(self, record: RunRecord) -> None:
        super().__init__()
        self.record, self.results = record, record.results.so_far()

    def work(self) -> tuple[str, list[str]]:
        """Read the energies of all frames, and where stops were met and shapes touched."""
        from engine.results.balance import balance_of
        from engine.running.stops import events_of_frames

        results = self.results
        quality = Quality(balance_of(results), float(results.gap.max()))
        self.measured.emit(self, quality, events_of_frames(results))
        return "", []
