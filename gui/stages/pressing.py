"""Which bodies press on another one, or on the ground, at the time that is shown."""

from bisect import bisect_right
from typing import NamedTuple

from engine.compiling.system import Compiled
from engine.model.connections import body_of, interactions_of
from engine.model.elements import GROUND, Id
from engine.model.forces import ContactAll
from engine.model.methods import BY_NAME
from engine.results.results import Results
from gui.stages.arrows import Reactions

GLANCE = 0.1  # s: between two pictures of a film that plays; a longer way is a jump
KINDS = ("touch", "leave", "stick", "slip")


class Meetings(NamedTuple):
    """When a contact changed, and whether it touches from then on."""

    times: list[float]
    touches: list[bool]
    at_first: bool  # before the first of these times


class Pressing:
    """Follows the contacts of a run from one picture to the next.

    By the events of the run where its method finds them, because a bounce is shorter than the time between
    two frames or pictures; else by the normal force in the frame.
    """

    def __init__(self) -> None:
        self._known: Compiled | None = None  # whose contacts are known
        self._solver: Reactions | None = None
        # what is lit for each contact: its bodies; none for one of many bodies, which is asked each time
        self._pairs: dict[Id, frozenset[Id]] = {}
        self._meetings: dict[Id, Meetings] = {}
        self._of: tuple[int, int] = (0, 0)  # the events that these are of
        self._last = 0.0  # time of the last picture

    def bodies(self, results: Results | None, time: float) -> frozenset[Id]:
        """The bodies that are pressed, or were since the last picture; remembers the time.

        With them joints that are contacts.
        """
        last, self._last = self._last, time
        if results is None or not self._contacts(results):
            return frozenset()
        since = last if 0.0 < time - last < GLANCE else time
        pressed = {id for id, met in self._meetings.items() if _touched(met, since, time)}
        lit = frozenset[Id]()
        if self._solver is not None and len(self._meetings) < len(self._pairs):
            self._solver.go_to(results, results.frame_at(time))
            acting, model = self._solver.contacts(), results.compiled.resolved
            pressed |= {one.id for one in acting} - self._meetings.keys()
            of_many = [one for one in acting if not self._pairs[one.id]]
            ends = (end for one in of_many for end in (one.marker, one.other))
            lit = frozenset(body_of(model, end) for end in ends) - {GROUND}
        return lit.union(*(self._pairs[id] for id in pressed))

    def _contacts(self, results: Results) -> bool:
        """Whether the run has contacts; remembers them and their events."""
        compiled, events = results.compiled, results.events
        if self._known is not compiled:
            self._known, self._pairs = compiled, {}
            for element, one in interactions_of(compiled.resolved):
                if isinstance(element, ContactAll):
                    self._pairs[element.id] = frozenset()
                elif one.touches:
                    frames = (one.marker_i, one.marker_j)
                    shown = frozenset(body_of(compiled.resolved, f) for f in frames) - {GROUND}
                    if element.family == "joint":  # the teeth of gears, the pin in its hole
                        shown |= {element.id}
                    self._pairs[element.id] = self._pairs.get(element.id, frozenset()) | shown
            self._solver, self._of = Reactions(compiled) if self._pairs else None, (0, 0)
        if self._of != (now := (id(events), len(events))):
            self._of, self._meetings = now, {}
            if not BY_NAME[results.settings.method].is_fixed:
                for contact in self._pairs:
                    mine = [e for e in events if contact in e.ids and e.kind in KINDS]
                    if mine and self._pairs[contact]:
                        self._meetings[contact] = Meetings(
                            [e.t for e in mine],
                            [e.kind != "leave" for e in mine],
                            mine[0].kind != "touch",
                        )
        return bool(self._pairs)


def _touched(met: Meetings, since: float, time: float) -> bool:
    """Whether shapes touch at a time, or have at any time since another one."""
    first, last = bisect_right(met.times, since), bisect_right(met.times, time)
    now = met.touches[last - 1] if last else met.at_first
    return now or any(met.touches[first:last])
