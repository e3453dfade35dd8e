"""The thread of live mode: the simulation follows the wall clock while the user pulls at bodies."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import Signal

from engine.model.elements import Id, Model
from gui.running.worker import Worker

if TYPE_CHECKING:  # they load the kernels
    from engine.results.blocks import Block
    from engine.running.live import Live

CHUNK = 0.008  # s of work in one piece: the mouse takes effect after at most this time
SEND = 0.016  # s between two messages to the window
LATE = 0.1  # s that the simulation may lag before its clock is set back
SECONDS_KEPT = 20.0  # of frames


class Hand(NamedTuple):
    """What the mouse holds: a point of a body, given in its frame, and where it is pulled to."""

    body: Id
    point: tuple[float, ...]
    target: tuple[float, ...]


class LiveWorker(Worker):
    """Live mode of one model: emits the prepared simulation, then lists of blocks."""

    prepared = Signal(object, object)  # the worker, engine.running.live.Live
    advanced = Signal(object, list)  # the worker, engine.running.simulate.Block ...

    def __init__(
        self,
        model: Model,
        state: tuple[float, Any, Any] | None = None,
        speed: float = 1.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self.model, self.state, self.speed, self.clock = model, state, speed, clock
        self.hand: Hand | None = None  # written by the window, read by the thread
        self.live: Live | None = None  # once it is prepared
        self._is_unread = False

    def was_read(self) -> None:
        """The window has taken over the last message and may get another one."""
        self._is_unread = False

    def work(self) -> tuple[str, list[str]]:
        """Follow the clock until an interruption is requested or the simulation cannot go on."""
        from engine.running.live import Live
        from engine.running.simulate import prepare

        running, t = prepare(self.model), 0.0
        if self.state is not None:
            t, q, v = self.state
            running.start = running.start._replace(q=q.copy(), v=v.copy())
        live, began = Live(running, t), self.clock()
        self.live = live
        self.prepared.emit(self, live)
        self._follow(live, began)
        if live.ending is None:
            return "", []
        return live.ending.sentence, list(live.ending.ids)

    def _follow(self, live: Any, began: float) -> None:
        """Advance to the time of the clock, which was at `began` when all was ready; repeatedly."""
        held: Hand | None = None
        waiting: list[Block] = []
        chunk = live.h  # s of simulated time, grown until it takes CHUNK of work
        before = sent = began
        target = live.t
        while not self.isInterruptionRequested() and live.ending is None:
            now = self.clock()
            target += (now - before) * self.speed
            before = now
            late = max(LATE * max(self.speed, 1.0), 2.0 * live.h)  # a long step is waited for
            if target - live.t > late:
                target = live.t + late
            if self.hand is not held:
                held = self.hand
                live.release() if held is None else live.pull(*held)
            if target - live.t < live.h:
                self.msleep(2)
                continue
            start, t = time.perf_counter(), live.t
            block = live.advance(min(target - live.t, chunk))
            spent = max(time.perf_counter() - start, 1e-6)
            chunk = max(live.h, min(2.0 * chunk, (live.t - t) / spent * CHUNK))
            if len(block.t):
                waiting.append(block)
            if waiting and now - sent > SEND and not self._is_unread:
                self._is_unread = True
                self.advanced.emit(self, waiting)
                waiting, sent = [], now
            elif len(waiting) > 200:  # the window does not answer: it will see only the end
                waiting = waiting[-100:]
        self.advanced.emit(self, waiting)
