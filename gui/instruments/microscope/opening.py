"""Steps that are opened in a thread: the last one that was asked for wins."""

from typing import Any, NamedTuple

from engine.errors import EngineError
from engine.model.elements import Model


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


def seen_of(asked: Asked) -> Seen:
    """A step opened; what cannot be opened has a sentence instead."""
    from engine.studies.microscope import open_step

    try:
        opened = open_step(
            asked.model, time=asked.time, method=asked.method, step=asked.step, state=asked.state
        )
    except EngineError as error:
        return Seen(asked, sentence=error.sentence)
    return Seen(asked, opened)
