"""How a run ends, what is worth marking on its time line, and everything reported about it."""

from typing import NamedTuple

from engine.errors import say
from engine.model.elements import Id
from engine.results.blocks import Statistics


class Ending(NamedTuple):
    """How a run ended."""

    reason: str  # done, cancelled, stopped, diverged, open joint, dead point, jammed, gimbal lock or stuck
    sentence: str  # for the user; empty when done
    ids: tuple[Id, ...]  # the elements involved
    lock: tuple[float, float] | None = None  # that ended it: time [s] and measure s


CANCELLED = Ending("cancelled", say("The run was stopped before its end."), ())


class Event(NamedTuple):
    """Something worth marking on the time line."""

    t: float
    kind: str  # "gimbal ...", of contacts "touch", "leave", "stick", "slip", or that of the element
    sentence: str
    ids: tuple[Id, ...]


class Account(NamedTuple):
    """What is reported about a run besides its frames."""

    ending: Ending | None  # None while the run continues
    events: list[Event]
    notes: list[str]  # advice, and what was decided for the user
    not_unique: frozenset[Id]  # whose reactions the model does not determine
    statistics: Statistics | None  # None if not counted


def nothing_told() -> Account:
    """The report of a run about which nothing is known yet."""
    return Account(None, [], [], frozenset(), None)
