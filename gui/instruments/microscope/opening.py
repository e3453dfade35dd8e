"""Opens steps in a thread: the last one that was asked for wins."""

from typing import Any, NamedTuple

from PySide6.QtCore import QObject, Signal

from engine.errors import EngineError
from engine.model.elements import Model
from gui.state.threads import BackgroundThread


class Asked(NamedTuple):
    """A step that is to be opened; without a state it starts from that of the drawing."""

    model: Model
    method: str
    step: float
    time: float = 0.0
    frame: int = -1  # of the run that is shown; -1: there is none
    state: Any = None

    def is_same(self, other: "Asked | None") -> bool:
        """Whether the same step is asked for."""
        return other is not None and self.model is other.model and self[1:5] == other[1:5]


class Seen(NamedTuple):
    """A step that was opened, or why it was not."""

    asked: Asked
    opened: Any = None  # engine.studies.microscope.Opened
    sentence: str = ""


class OpeningThread(BackgroundThread):
    """Opens one step."""

    seen = Signal(object)

    def __init__(self, asked: Asked, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.asked = asked

    def run(self) -> None:
        """Open it; what cannot be opened has a sentence instead."""
        self.seen.emit(seen_of(self.asked))


def seen_of(asked: Asked) -> Seen:
    """A step opened."""
    from engine.studies.microscope import open_step

    try:
        opened = open_step(
            asked.model, time=asked.time, method=asked.method, step=asked.step, state=asked.state
        )
    except EngineError as error:
        return Seen(asked, sentence=error.sentence)
    return Seen(asked, opened)
