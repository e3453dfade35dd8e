"""What changes on the way of a run, told as events: stops, contacts, laws with kinks, and triggers.

A contact is one event where the first of its corners touches and one where the last has left; between
them, where friction that can stick begins to slip and where it sticks again; of a contact with all the
first touch of each two bodies. Its branches are those of engine.kernels.acting.contact_laws; of teeth,
which have no friction that sticks, only touching is told.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from engine.compiling.system import Compiled
from engine.errors import say
from engine.integrators.changes import LEAVING
from engine.integrators.stepping import Change
from engine.model.elements import Id
from engine.model.forces import ContactAll
from engine.model.forces.contact import meeting_of_shapes
from engine.model.forces.joint_forces import JointLimits, meeting
from engine.model.joints.tooth_contact import ToothedPair
from engine.results.endings import Event

STICKS = 1.0  # of the numbers of friction; 2 and 3 slide, 0 is not known


class Teller:
    """Tells changes of modes as events, from the modes of the contacts at the start on."""

    def __init__(self, compiled: Compiled, first: dict[int, float], t_end: float) -> None:
        self._compiled, self._soon = compiled, LEAVING * t_end
        self._sides: dict[int, float] = {}  # of stops and laws
        self._contacts: dict[Id, Touch] = {}
        self._met: set[tuple[Id, frozenset[Id]]] = set()  # two bodies of a contact with all
        for which, mode in first.items():
            element = compiled.resolved[compiled.switch_ids[which]]
            if isinstance(element, ContactAll):
                if mode != 0.0:
                    self._met.add((element.id, self._two(which)))
                continue
            rubs = not isinstance(element, ToothedPair)
            self._contacts.setdefault(element.id, Touch(rubs)).change(which, mode)

    def told(self, changes: Iterable[Change]) -> list[Event]:
        """The events of some changes, in their order; remembers what is the case after them."""
        events = []
        for t, which, mode in changes:
            element = self._compiled.resolved[self._compiled.switch_ids[which]]
            if self._compiled.system.switches["gate"][which] >= 0:
                continue  # the keeper of the gates tells of them
            for kind, words in self._words(element, which, mode):
                if t <= self._soon:  # it was on its limit at the start
                    continue
                sentence = say("{words} at t = {t:.9g} s.", words=words, t=t)
                events.append(Event(t, kind, sentence, (element.id,)))
        return events

    def _two(self, which: int) -> frozenset[Id]:
        """The bodies of the contact of a switch; the ground is the empty name."""
        compiled = self._compiled
        one = compiled.system.interactions[_contact(compiled, which)]
        return frozenset(_body_id(compiled, int(one[side])) for side in "ij")

    def _first_meeting(self, element: Any, which: int, mode: float) -> list[tuple[str, str]]:
        """That two bodies touch, where they have not before."""
        two = self._two(which)
        if mode == 0.0 or (element.id, two) in self._met:
            return []
        self._met.add((element.id, two))
        a, b = sorted(two) if len(two) == 2 else ("", *two)
        model = self._compiled.resolved
        first = model[a].label if a in model else say("the ground")
        return [("touch", say("{a} and {b} touch", a=first, b=model[b].label))]

    def _words(self, element: Any, which: int, mode: float) -> list[tuple[str, str]]:
        """Kind and words of what happens; nothing where a law changes only within itself.

        A stop that ceases to press while the joint is still beyond it is not an event.
        """
        if isinstance(element, ContactAll):
            return self._first_meeting(element, which, mode)
        if element.id in self._contacts:
            kind = self._contacts[element.id].change(which, mode)
            return [(kind, meeting_of_shapes(element.label, kind))] if kind else []
        before, self._sides[which] = self._sides.get(which, 0.0), float(np.sign(mode))
        if element.family == "trigger":
            return [(element.kind, _crossing(element, is_above=mode > 0.5))]
        if isinstance(element, JointLimits):
            if self._sides[which] == before:
                return []
            joint = self._compiled.resolved[element.joint].label
            return [(element.kind, meeting(joint, self._sides[which]))]
        return [(element.kind, say("Force '{element}' changes its law", element=element.label))]


class Touch:
    """Whether the shapes of a contact touch, and whether they stick or slide."""

    def __init__(self, rubs: bool) -> None:
        self._rubs = rubs  # whether its branches tell of friction
        self._modes: dict[int, float] = {}  # of its corners
        self._sticks: bool | None = None  # None: not known since it touches

    def change(self, corner: int, mode: float) -> str:
        """What happens when a corner changes: 'touch', 'leave', 'stick', 'slip' or nothing."""
        was = any(self._modes.values())
        self._modes[corner] = mode
        if not any(self._modes.values()):
            self._sticks = None
            return "leave" if was else ""
        before, frictions = self._sticks, {m // 4.0 for m in self._modes.values()} - {0.0}
        if self._rubs and frictions:
            self._sticks = STICKS in frictions  # one corner that sticks holds the others
        if not was:
            return "touch"
        if before is None or before == self._sticks:
            return ""
        return "stick" if self._sticks else "slip"


def _crossing(trigger: Any, is_above: bool) -> str:
    """A trigger that is met, in words."""
    what = trigger.quantity
    if trigger.of != "value":
        what = say("rate of {quantity}", quantity=trigger.quantity)
    return say(
        "Trigger '{element}': the {what} goes {way} its limit",
        element=trigger.label,
        what=what,
        way="above" if is_above else "below",
    )


def _contact(compiled: Compiled, which: int) -> int:
    """The interaction that a switch is about; negative: none."""
    return int(compiled.system.switches["contact"][which])


def _body_id(compiled: Compiled, carrier: int) -> Id:
    """The body of a carrier; empty for the ground."""
    n = len(compiled.body_ids)
    if carrier < n:
        return compiled.body_ids[carrier]
    followers = compiled.system.followers["body"]
    return compiled.body_ids[followers[carrier - n]] if carrier - n < len(followers) else ""
