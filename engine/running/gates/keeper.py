"""Opens and closes one-sided rows on the way of a run, and lets bodies bounce.

Within a step nothing changes: a step ends where a gate is met, where its load vanishes, or where what
sticks slips and what slides stops (engine.kernels.acting.gates). Then, between two steps, the keeper

1. closes what touches, exactly,
2. lets it bounce where it still comes nearer,
3. finds which gates carry load from there on, and how they rub.

Of several that could have done so at the start of what follows, those win that the step has told of.
"""

from collections import deque
from typing import Any, NamedTuple

import numpy as np

from engine.compiling.gates import gates_of
from engine.compiling.system import Compiled
from engine.errors import say
from engine.integrators.changes import PAUSED
from engine.kernels import entries
from engine.kernels.acting.gates import FREED, SLIPS, TOWARDS
from engine.kernels.entries import DONE, JAMMED
from engine.kernels.layout import JAMMED_AT, System, Workspace
from engine.kinematics.evaluate import dense_D, mass_matrix, movable
from engine.results.endings import Ending, Event
from engine.running.gates import modes
from engine.running.gates.modes import (
    OPEN,
    SLIDE_DOWN,
    SLIDE_UP,
    STICK,
    WAYS,
    Rows,
    Solution,
    Touching,
)
from engine.trees.translation import Translation

NO_WAY = 11  # a further status value: no combination of one-sided rows fits
NEAR = 100.0  # times the slack of a gate: what is nearer is at its bound
STILL = 1e-9  # of the size of the model in a second: a slower approach is none
MANY = 1000  # changes ...
AT_ONCE = 1e-4  # ... within this part of the run do not end


class _Beginning(NamedTuple):
    """How a run begins from a state as drawn: what it becomes, and what holds."""

    drawn: np.ndarray
    y: np.ndarray
    gates: np.ndarray
    rows: np.ndarray
    interactions: np.ndarray
    events: tuple[Event, ...]


class Keeper:
    """The gates of a run in progress; changes its system, and the state where shapes bounce."""

    def __init__(
        self,
        compiled: Compiled,
        system: System,
        ws: Workspace,
        table: np.ndarray,
        t_end: float,
        translation: Translation | None = None,
    ) -> None:
        self._compiled, self._system, self._ws, self._table = compiled, system, ws, table
        self._translation = translation  # of a run in joint coordinates, to states of bodies
        self._declared = [gate for _, gate in gates_of(compiled.resolved)]
        self._switches = np.flatnonzero(compiled.system.switches["gate"] >= 0)
        self._still, self._soon = STILL * compiled.length, AT_ONCE * t_end
        self._friction = [
            _friction_of(compiled, id) if gate.stick >= 0 else -1
            for gate, id in zip(self._declared, compiled.gate_ids)
        ]
        free = movable(compiled) | compiled.layout.is_modal
        self._free = np.ix_(free, free)
        self._changes: deque[float] = deque(maxlen=MANY)  # when the last ones were
        self.events: list[Event] = []
        self.ending: Ending | None = None
        self._begun: _Beginning | None = None

    def begin(self, y: np.ndarray) -> bool:
        """Put the gates to what they are in the drawing and settle them; False if no way is found.

        A run that is iterated again begins as it did before.
        """
        system, drawn = self._system, self._compiled.system
        self._changes.clear()
        self.ending = None
        known = self._begun
        if known is not None and np.array_equal(known.drawn, y):
            y[:] = known.y
            system.gates[:], system.rows[:] = known.gates, known.rows
            system.interactions[:] = known.interactions
            self.events = list(known.events)
            return True
        was = y.copy()
        system.gates[:], system.rows[:] = drawn.gates, drawn.rows
        system.interactions[:] = drawn.interactions
        if not self._settle(0.0, y, {}):
            return False
        packed = system.gates.copy(), system.rows.copy(), system.interactions.copy()
        self._begun = _Beginning(was, y.copy(), *packed, tuple(self.events))
        return True

    def follow(self, stepper: Any, status: int) -> int:
        """Settle the gates where a step has ended for their sake; how the run stands then."""
        if status == JAMMED:
            return self._jammed(stepper)
        if status != PAUSED:
            return status
        mode = stepper.switches.mode
        told = {k: int(mode[which]) for k, which in enumerate(self._switches)}
        t = float(stepper.t)
        self._changes.append(t)
        if len(self._changes) == MANY and t - self._changes[0] < self._soon:
            self.ending = self._crowd(t, told)
            return NO_WAY
        if not self._settle(t, stepper.y, told):
            return NO_WAY
        mode[self._switches] = 0.0
        return DONE

    def _jammed(self, stepper: Any) -> int:
        """How a run stands in which friction loads a gate by more than it follows from."""
        before = self._system.gates["side"].copy()
        if not self._settle(float(stepper.t), stepper.y, {}):
            return NO_WAY
        if (self._system.gates["side"] == before).all():
            return JAMMED
        self._ws.since[JAMMED_AT] = 0.0
        stepper.switches.mode[self._switches] = 0.0
        return DONE

    def taken(self) -> list[Event]:
        """The events since this was last asked; forgets them."""
        found, self.events = self.events, []
        return found

    def _settle(self, t: float, y: np.ndarray, told: dict[int, int]) -> bool:
        """Settle the gates in a state of the run, which may change; False: the run ends here."""
        if self._translation is None:
            return self._settle_bodies(t, y, told)
        shown = self._translation.shown(t, y)
        before = shown.copy()
        is_settled = self._settle_bodies(t, shown, told)
        if not np.array_equal(shown, before):
            self._translation.take(shown, y)
        return is_settled

    def _settle_bodies(self, t: float, y: np.ndarray, told: dict[int, int]) -> bool:
        """Let bodies bounce and choose which gates hold; changes the state. False: the run ends here."""
        gates = self._system.gates
        before = gates[["side", "slides"]].copy()
        touching = self._close(t, y)
        try:
            if not touching:
                return True
            rows = self._rows(t, y)
            self._ws.since[JAMMED_AT] = 0.0  # what jams with all closed is no matter
            speed = self._bounce(t, y, rows, touching)
            parted = self._part(t, y, rows, list(touching), told) if speed is not None else None
            if parted is None:
                self.ending = self._no_way(t, touching)
                return False
            self._tell(t, before, touching, speed)
            return True
        except modes.TooManyError:
            self.ending = self._too_many(t, touching)
            return False

    def _close(self, t: float, y: np.ndarray) -> list[int]:
        """Close all gates that are at their bounds, exactly; changes the state. Their numbers."""
        system, n = self._system, len(self._system.terms)
        values, speeds = np.zeros(n), np.zeros(n)
        entries.measure(self._table, t, y, values, speeds)
        touching = []
        for k, (gate, declared) in enumerate(zip(system.gates, self._declared)):
            bound = gate["high"] if declared.side > 0 else gate["low"]
            beyond = declared.side * (values[gate["term"]] - bound)
            gate["side"] = declared.side if beyond > -NEAR * gate["slack"] else 0
            if gate["side"]:
                touching.append(k)
            if gate["side"] and gate["stick"] >= 0:
                gate["slides"] = 0
                system.rows["constant"][gate["stick"]] = values[gate["along"]]
        if touching:
            n_q, placed = len(self._compiled.q0), y.copy()
            entries.correct(self._table, t, placed, placed.copy(), placed.copy())
            y[:n_q] = placed[:n_q]
        return touching

    def _rows(self, t: float, y: np.ndarray) -> Rows:
        """All rows with what touches closed and sticking, and the forces without their friction."""
        compiled, system, ws = self._compiled, self._system, self._ws
        scratch = np.zeros_like(y)
        entries.derive(self._table, t, y, scratch, scratch, entries.PLACE | entries.ROWS)
        D, nu = dense_D(compiled, ws), ws.nu.copy()
        entries.derive(self._table, t, y, scratch, scratch, entries.PLACE | entries.FORCES)
        n_v = len(compiled.v0)
        q, _, _ = compiled.layout.parts(y)
        W = np.zeros((n_v, n_v))
        W[self._free] = np.linalg.inv(mass_matrix(compiled, q)[self._free])
        always = np.ones(len(D), dtype=bool)
        always[
            [row for gate in system.gates for row in (gate["row"], gate["stick"]) if row >= 0]
        ] = False
        return Rows(W, ws.f[:n_v].copy(), D, nu, ws.gamma.copy(), always)

    def _touching(self, k: int) -> Touching:
        """A gate for the equations."""
        gate, declared = self._system.gates[k], self._declared[k]
        return Touching(
            *(int(gate["row"]), int(gate["stick"]), declared.side),
            *(float(declared.mu_s), float(declared.mu_d)),
        )

    def _bounce(self, t: float, y: np.ndarray, rows: Rows, touching: list[int]) -> float | None:
        """Let what comes nearer bounce: its speed, 0 if nothing does, None if there is no way."""
        gates = [self._touching(k) for k in touching]
        v = self._velocities(y)
        met = np.array([g.side * (rows.D[g.row] @ v - rows.nu[g.row]) for g in gates])
        if met.max() <= self._still:
            return 0.0
        of = [self._declared[k] for k in touching]
        pull = np.array(
            [g.side * (rows.D[g.row] @ rows.W @ rows.f - rows.gamma[g.row]) for g in gates]
        )
        slack = self._system.gates["slack"][touching]
        seen = np.sqrt(2.0 * NEAR * slack * np.maximum(pull, 0.0))  # lower bounces are within it
        rest = np.maximum([float(g.rest_speed) for g in of], seen)
        by_impulse = any(g.by_impulse for g, u in zip(of, met) if u > self._still)
        is_hit = met > rest
        if by_impulse:  # what rests is pressed too, and expands again
            is_hit[:] = is_hit.any()
        bounces = np.array([float(g.restitution) for g in of]) * is_hit
        found = modes.impact(rows, gates, v, bounces, by_impulse, self._still)
        if found is None:
            return None
        self._count_work(y, rows, v, found)
        v[:] = found.x
        return float(met.max())

    def _velocities(self, y: np.ndarray) -> np.ndarray:
        """v within a state, as a view."""
        n_q, n_v = len(self._compiled.q0), len(self._compiled.v0)
        return y[n_q : n_q + n_v]

    def _count_work(self, y: np.ndarray, rows: Rows, v: np.ndarray, found: Solution) -> None:
        """Add what an impact takes to the works of the rows:  -lam (u_before + u_after)/2  of each."""
        compiled = self._compiled
        given = -found.lam * (rows.D @ (v + found.x)) / 2.0
        works = y[len(y) - len(compiled.work_ids) :]
        for row, id in enumerate(compiled.row_ids):
            if given[row] != 0.0 and id in compiled.work_ids:
                works[compiled.work_ids.index(id)] += given[row]

    def _part(
        self, t: float, y: np.ndarray, rows: Rows, touching: list[int], told: dict[int, int]
    ) -> Solution | None:
        """Open what moves away or carries nothing, and let slide what cannot stick; None: no way."""
        system, v = self._system, self._velocities(y)
        for k in list(touching):
            one = self._touching(k)
            if one.side * (rows.D[one.row] @ v - rows.nu[one.row]) < -self._still:
                system.gates["side"][k] = 0
                touching.remove(k)
        gates = [self._touching(k) for k in touching]
        slip = np.array([rows.D[g.stick] @ v if g.stick >= 0 else 0.0 for g in gates])
        wanted = [_wanted(told.get(k, 0)) for k in touching]
        found, is_double = modes.accelerations(rows, gates, slip, self._still, wanted)
        if found is None:
            return None
        if is_double:
            self._tell_double(t, touching)
        for k, mode in zip(touching, found.modes):
            gate = system.gates[k]
            gate["side"] = 0 if mode == OPEN else self._declared[k].side
            gate["slides"] = WAYS.get(mode, 1)
            if self._friction[k] >= 0:
                system.interactions["param"][self._friction[k], TOWARDS] = WAYS.get(mode, 0)
        return found

    def _tell(
        self,
        t: float,
        before: np.ndarray,
        touching: list[int],
        speed: float | None,
    ) -> None:
        """Note what has changed, as events; nothing at the start, where all is as it was drawn."""
        if t <= 0.0:
            return
        for k in touching:
            was, now = before[k], self._system.gates[k]
            held, holds = was["side"] != 0, now["side"] != 0
            if not held and (holds or speed):
                self._note(t, k, "touch" if holds else "bounce")
            elif held and not holds:
                self._note(t, k, "leave")
            elif held and now["stick"] >= 0 and (was["slides"] == 0) != (now["slides"] == 0):
                self._note(t, k, "stick" if now["slides"] == 0 else "slip")

    def _note(self, t: float, k: int, kind: str) -> None:
        """Note one event of a gate."""
        label, id = self._label(k), self._compiled.gate_ids[k]
        words = {
            "touch": say("'{name}' is met and holds", name=label),
            "bounce": say("'{name}' is met and bounces", name=label),
            "leave": say("'{name}' lets go", name=label),
            "stick": say("'{name}' sticks", name=label),
            "slip": say("'{name}' begins to slip", name=label),
        }[kind]
        sentence = say("{words} at t = {t:.9g} s.", words=words, t=t)
        self.events.append(Event(t, "touch" if kind == "bounce" else kind, sentence, (id,)))

    def _label(self, k: int) -> str:
        """The name of the element of a gate."""
        return str(self._compiled.resolved[self._compiled.gate_ids[k]].label)

    def _names(self, which: list[int]) -> tuple[str, tuple[str, ...]]:
        """The names of some gates in words, and their elements."""
        ids = tuple(dict.fromkeys(self._compiled.gate_ids[k] for k in which))
        return ", ".join(f"'{self._compiled.resolved[id].label}'" for id in ids), ids

    def _tell_double(self, t: float, touching: list[int]) -> None:
        """Note that the motion is not unique from here on."""
        names, ids = self._names(touching)
        sentence = say(
            "Two solutions at t = {t:.9g} s: with its friction {names} may hold, or let go. The run goes "
            "on with what lets go. Lower mu_dynamic, or use a contact that gives way.",
            t=t,
            names=names,
        )
        self.events.append(Event(t, "two solutions", sentence, ids))

    def _no_way(self, t: float, touching: list[int]) -> Ending:
        """That nothing fits, and what to do."""
        names, ids = self._names(touching)
        words = say(
            "The run stopped at t = {t:.9g} s: no solution exists for {names}. Whether it holds, slides or "
            "lets go, its force contradicts the motion (Painleve's paradox). Lower mu_dynamic, or use a "
            "contact that gives way.",
            t=t,
            names=names,
        )
        return Ending("no solution", words, ids)

    def _too_many(self, t: float, touching: list[int]) -> Ending:
        """That so much meets at once that not all combinations are looked at."""
        names, ids = self._names(touching)
        words = say(
            "The run stopped at t = {t:.9g} s: {names} carry load at once, which are too many to find out "
            "which of them hold. Use contacts that give way for some of them.",
            t=t,
            names=names,
        )
        return Ending("no solution", words, ids)

    def _crowd(self, t: float, told: dict[int, int]) -> Ending:
        """That changes follow each other without end."""
        names, ids = self._names([k for k, mode in told.items() if mode] or list(told))
        words = say(
            "The run stopped at t = {t:.9g} s: {names} is met and left without end. Raise its rest speed, "
            "or use a contact that gives way.",
            t=t,
            names=names,
        )
        return Ending("stuck", words, ids)


def _wanted(told: int) -> tuple[int, ...]:
    """How a gate would behave if it could, by what its last step has told."""
    if told == FREED:
        return (OPEN,)
    return (SLIDE_UP, SLIDE_DOWN) if told == SLIPS else (STICK, SLIDE_UP, SLIDE_DOWN)


def _friction_of(compiled: Compiled, id: str) -> int:
    """The interaction that is the friction of a gate."""
    return compiled.interaction_ids.index(id)
