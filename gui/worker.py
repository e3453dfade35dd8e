"""Simulate in a thread of its own, so that the window never waits."""

import time
from typing import Any

from PySide6.QtCore import QThread, Signal

from engine.errors import EngineError
from engine.model import Model

PAUSE = 0.03  # s, at least, between two messages to the window


class Worker(QThread):
    """One simulation: emits the prepared run, then lists of blocks, then how it ended."""

    prepared = Signal(object)  # engine.simulate.Run
    advanced = Signal(list)  # of engine.simulate.Block
    ended = Signal(str)  # what went wrong, in words; empty if nothing did

    def __init__(self, model: Model) -> None:
        super().__init__()
        self.model = model

    def run(self) -> None:
        """Prepare and simulate until the end or until an interruption is requested."""
        try:
            sentence = self._simulate()
        except EngineError as error:
            sentence = error.sentence
        except Exception as error:  # a fault of the program must be seen in the window too
            sentence = f"The simulation met a fault of the program: {error!r}."
        self.ended.emit(sentence)

    def _simulate(self) -> str:
        """Simulate and say how it ended."""
        from engine.simulate import prepare  # here, because loading the kernels takes a moment

        running = prepare(self.model)
        self.prepared.emit(running)
        waiting: list[Any] = []
        sent = time.monotonic()
        for block in running:
            if self.isInterruptionRequested():
                return running.ending.sentence
            waiting.append(block)
            if time.monotonic() - sent > PAUSE:
                self.advanced.emit(waiting)
                waiting, sent = [], time.monotonic()
        self.advanced.emit(waiting)
        return running.ending.sentence

    def stop(self) -> None:
        """Ask the simulation to end and wait until it has."""
        self.requestInterruption()
        self.wait()
