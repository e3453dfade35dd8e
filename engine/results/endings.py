"""How a run ends, and what is worth marking on its time line."""

from typing import NamedTuple

from engine.errors import say
from engine.model.elements import Id


class Ending(NamedTuple):
    """How a run ended."""

    reason: str  # "done", "cancelled", "stopped", "diverged", "open joint", "gimbal lock", "stuck"
    sentence: str  # for the user; empty when done
    ids: tuple[Id, ...]  # the elements involved


CANCELLED = Ending("cancelled", say("The run was stopped before its end."), ())


class Event(NamedTuple):
    """Something worth marking on the time line."""

    t: float
    kind: str  # "gimbal amber", "gimbal red", "gimbal crossed", "gimbal switch", or that of the element
    sentence: str
    ids: tuple[Id, ...]
