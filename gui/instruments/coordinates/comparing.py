"""Compares kinds of coordinates in a thread; a comparison that nobody wants any more ends soon."""

from typing import Any, NamedTuple

from engine.errors import EngineError
from engine.model.elements import Model
from gui.instruments.page import Finding


class Found(NamedTuple):
    """The comparison of a model over a time, or why there is none."""

    model: Model
    t_end: float
    compared: Any = None  # engine.studies.coordinates.Compared
    sentence: str = ""
    is_over: bool = True  # False: motions are still to come


def found_of(model: Model, t_end: float, thread: Finding) -> Found:
    """Compare a model; what is there first is told by the thread, and ends when nobody waits for it.

    What cannot be compared has a sentence instead.
    """
    from engine.studies.coordinates import compare_coordinates

    try:
        compared = compare_coordinates(
            model,
            t_end=t_end,
            wanted=lambda: thread.is_wanted,
            so_far=lambda one: thread.tell(Found(model, t_end, one, is_over=False)),
        )
    except EngineError as error:
        return Found(model, t_end, sentence=error.sentence)
    return Found(model, t_end, compared)
