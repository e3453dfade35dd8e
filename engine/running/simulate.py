"""Run a model as an iterator over blocks of frames.

    for block in simulate(model):      # about 20 ms of work each
        results.append(block)

The engine knows nothing of threads or progress bars: to cancel, stop iterating.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from engine.compiling.checks import remarks_in_numbers
from engine.compiling.elastic.remarks import remarks_on_beams, remarks_on_slopes, steepened
from engine.compiling.elimination import with_tangents
from engine.compiling.system import Compiled, compile_model, linked, workspace
from engine.compiling.typed_rows import rows_of_time
from engine.errors import EngineError, say
from engine.formulas.resolve import parameter_values, resolved_settings
from engine.integrators import stepper_for
from engine.integrators.changes import PAUSES, STOPPED
from engine.integrators.problem import Frames, Problem
from engine.integrators.stepping import Change, Grid, Stepper, grid_of
from engine.kernels.entries import DONE, LOCKED
from engine.kernels.functions import CONSTANT
from engine.kernels.layout import (
    EXPRESSION,
    GAP,
    LENGTHS,
    LOCK,
    LOCK_BODY,
    System,
    Workspace,
)
from engine.kernels.state import Layout
from engine.kinematics.assemble import Start
from engine.kinematics.dead_points import remarks_on_locked_beams
from engine.kinematics.evaluate import fill
from engine.kinematics.limits import beyond_limits
from engine.kinematics.mobility import Mobility, mobility
from engine.model.elements import AS_DRAWN, EQUILIBRIUM, NEAR_LOCK, Id, Model, Settings
from engine.model.methods import (
    AUTO,
    BY_NAME,
    COORDINATE_NAMES,
    JOINT,
    METHOD_NAMES,
    STABILISATION_NAMES,
)
from engine.results.blocks import Block, Statistics
from engine.results.endings import CANCELLED, Account, Ending, Event
from engine.results.results import Results
from engine.running import advice, formulation
from engine.running.advice import Advice
from engine.running.choosing.choice import decide
from engine.running.choosing.coordinates import by_euler_angles
from engine.running.equilibrium import begun
from engine.running.failures import Progress
from engine.running.gates.keeper import NO_WAY
from engine.running.gimbal.lock_watch import LockWatch
from engine.running.readiness import Ready
from engine.running.room import check_memory
from engine.running.stiffness import StiffWatch
from engine.running.telling import Teller
from engine.running.watching import Watch

_CHOICES = {
    "method": METHOD_NAMES,
    "stabilisation": STABILISATION_NAMES,
    "coordinates": COORDINATE_NAMES,
    "near_lock": NEAR_LOCK,
    "flexible_start": (AS_DRAWN, EQUILIBRIUM),
}
WORK = 0.02  # [s] of wall time in one block
MAX_STEPS = 10**10
_loaded: set[str] = set()  # methods that have run in this process
FEW_EVALUATIONS = 28  # in the first block of a run that may come near gimbal lock
PER_NUMBER, PER_EVALUATION = (
    1e-7,
    1e-6,
)  # [s] of an evaluation, before one is known: no less than most


@dataclass(slots=True)
class Run:
    """A run in progress: iterate it for blocks; `ending`, `events` and `statistics` fill up."""

    compiled: Compiled
    settings: Settings
    start: Start
    mobility: Mobility
    advice: list[Advice] = field(default_factory=list)  # advice given before the run
    notes: list[str] = field(default_factory=list)  # what was decided for the user
    is_auto: bool = False  # the method was left to the program, which may take another on the way
    changes: dict[str, Any] = field(default_factory=dict)  # of the settings of the model
    ending: Ending = CANCELLED
    events: list[Event] = field(default_factory=list)
    statistics: Statistics = field(default_factory=Statistics)
    fraction: float = 0.0  # fraction of the run that is done
    _ready: Ready | None = field(init=False, default=None, repr=False, compare=False)

    def __iter__(self) -> Iterator[Block]:
        """Advance in blocks until the end or a failure; each iteration starts again."""
        self.ending, self.events, self.fraction = CANCELLED, [], 0.0
        self.statistics = Statistics(drawn_gap=self.start.drawn_gap)
        ready = self._made_ready()
        problem, ws, y = ready.start()
        stepper = stepper_for(self.settings, problem, y, ready.grid)
        watch = None
        if ready.has_triggers:
            watch = Watch(self.compiled, self.start.q, self.start.v, ready.grid.t_end)
        locks = LockWatch(self.compiled, self.settings, problem) if ready.may_lock else None
        stiff = StiffWatch(self.settings, problem, ready.grid, stepper) if self.is_auto else None
        progress = self.progress(ws)
        teller = Teller(self.compiled, ready.touching, ready.grid.t_end)
        if not ready.begins(y):
            self.ending = self._ended(NO_WAY, stepper, locks, progress, ready)
            return
        began = time.perf_counter()
        work = WORK if self.settings.method in _loaded else 0.0
        while not stepper.is_finished:
            status, frames = stepper.advance(work)
            if not work:  # the first steps of a method load its machine code
                self.statistics.preparation = time.perf_counter() - began
                began, work = time.perf_counter(), WORK
                _loaded.add(self.settings.method)
            status = self._settled(ready, stepper, status)
            if locks is not None:
                stepper, status, frames = locks.follow(stepper, status, frames)
            status, frames = progress.follow(stepper, status, frames)
            self.statistics.record(stepper.counts, time.perf_counter() - began)
            self.fraction = stepper.fraction
            status, frames, changes = _changes(stepper, watch, status, frames, problem.stops)
            block = steepened(
                self.compiled, block_of(frames, self.compiled.layout), self.statistics
            )
            if locks is not None:
                is_cut = status == STOPPED and len(block.t) > 0
                self.events += locks.told(block.t[-1] if is_cut else np.inf)
            self.events += teller.told(changes)
            if stiff is not None and status == DONE:
                stepper = stiff.follow(stepper, self.statistics)
            if status != DONE or stepper.is_finished:
                self.ending = self._ended(status, stepper, locks, progress, ready)
                ready.learn(self.statistics)
                self._ready = ready
            yield block
            if status != DONE:
                return

    def _settled(self, ready: Ready, stepper: Stepper, status: int) -> int:
        """How the run stands after one-sided rows were settled; notes their events."""
        if ready.keeper is None:
            return status
        status = ready.keeper.follow(stepper, status)
        self.events += ready.keeper.taken()
        return status

    def again(self, **parameters: float) -> "Run":
        """The same run of the model with other values of its parameters; starts as `prepare` does."""
        return prepare(compile_model(self.with_parameters(**parameters)), **self.changes)

    def with_parameters(self, **parameters: float) -> Model:
        """The model with other values of its parameters; joints are closed when it is run."""
        model = self.compiled.model
        for name in parameters:
            if name not in model or model[name].family != "parameter":
                raise EngineError(
                    "The model has no parameter '{name}'; it has {listed}.",
                    name=name,
                    listed=", ".join(p.id for p in model.of("parameter")) or say("none"),
                )
        changed = {name: replace(model[name], value=float(x)) for name, x in parameters.items()}
        return replace(model, elements=MappingProxyType({**model.elements, **changed}))

    def _ended(
        self,
        status: int,
        stepper: Stepper,
        locks: LockWatch | None,
        progress: Progress,
        ready: Ready,
    ) -> Ending:
        """How the run has ended."""
        if status == DONE:
            return Ending("done", "", ())
        if status == STOPPED:
            last = next(e for e in reversed(self.events) if any(map(self._is_stop, e.ids)))
            return Ending("stopped", last.sentence, last.ids)
        if ready.keeper is not None and ready.keeper.ending is not None:
            return ready.keeper.ending
        if status == LOCKED and locks is not None:
            return locks.ending(stepper.t, stepper.y)
        y = ready.shown(stepper.t, stepper.y)
        y = y if locks is None else locks.parameters.state_of_model(y)
        return progress.ending(status, stepper.t, ready.ws, y)

    def _made_ready(self) -> Ready:
        """What the last iteration has left, or anew: two iterations at once have a memory each."""
        ready, self._ready = self._ready, None
        return ready if ready is not None and ready.fits(self) else Ready(self)

    def progress(self, ws: Workspace) -> Progress:
        """What watches whether the run gets on; ws is the one in which it runs."""
        return Progress(self.compiled, self.settings, self.start, self.mobility.redundant, ws)

    def account(self, is_over: bool = True) -> Account:
        """What is known about the run now; one that is broken off counts as cancelled."""
        bent = remarks_on_slopes(self.compiled, self.statistics.slopes)
        return Account(
            ending=self.ending if is_over else None,
            events=list(self.events),
            notes=[*self.notes, *advice.sentences(self.advice, self.statistics), *bent],
            not_unique=self.mobility.not_unique,
            statistics=self.statistics,
        )

    def grid(self) -> Grid:
        """Frames that divide the run, and the step that is asked for.

        For a method that chooses its steps h is only how far ahead it watches for gimbal lock.
        """
        s = self.settings
        t_end, step, output = float(s.t_end), float(s.step), float(s.output_step)
        n_frames = max(1, round(t_end / output))
        is_fixed = BY_NAME[s.method].is_fixed
        grid = grid_of(t_end, n_frames, step if is_fixed else min(step, t_end / n_frames))
        if grid.n_steps > MAX_STEPS:
            raise EngineError(
                "The run would take {n_steps:.1e} steps. Use a longer step or a shorter end time.",
                n_steps=grid.n_steps,
            )
        return grid

    def problem(self, h: float, system: System | None = None) -> tuple[Problem, Workspace]:
        """The mechanism as integrators see it, at its start; or one with more laws behind its own."""
        compiled, size = self.compiled, self.compiled.length
        system = compiled.system if system is None else system
        system = system._replace(  # what a run changes
            bodies=system.bodies.copy(),
            rows=system.rows.copy(),
            gates=system.gates.copy(),
            interactions=system.interactions.copy(),
        )
        ws = workspace(system)
        values, _ = fill(compiled, workspace(compiled.system), 0.0, self.start.q, self.start.v)
        ws.angle[: len(values)] = values  # full turns are counted from here
        redundant = self.mobility.redundant > 0 or len(system.gates) > 1
        for which, value in formulation.options(self.settings, h, redundant, size).items():
            ws.options[which] = value
        ws.since[LOCK], ws.since[LOCK_BODY] = 1.0, -1.0
        table, more = linked(system, ws), None
        if BY_NAME[self.settings.method].has_tangents:
            table, more = with_tangents(table, system)
        problem = Problem(
            table=table,
            n_q=len(self.start.q),
            lam=ws.lam,
            since=ws.since,
            floor=_sizes(compiled),
            h_most=self._longest_step(),
            kinks=compiled.kinks,
            stops=np.array([self._is_stop(id) for id in compiled.switch_ids], dtype=float)
            + PAUSES * (compiled.system.switches["gate"] >= 0),
            contacts=advice.longest_steps_in_contact(compiled, self.start, self.mobility),
            keep=(system, ws, more),
            cost=self._likely_cost(),
        )
        return problem, ws

    @property
    def may_lock(self) -> bool:
        """Whether a body turns by Euler angles: in joint coordinates they are those of frames alone."""
        return self.settings.coordinates != JOINT and bool(by_euler_angles(self.compiled))

    def _likely_cost(self) -> float:
        """What an evaluation may cost before one is known; much near gimbal lock, for short blocks.

        A crossing of the lock is acted upon between blocks only.
        """
        system = self.compiled.system
        n = len(system.rows) + self.compiled.layout.n_v
        return WORK / FEW_EVALUATIONS if self.may_lock else PER_NUMBER * n + PER_EVALUATION

    def _longest_step(self) -> float:
        """The time between two frames where something is given over time, else no limit."""
        system = self.compiled.system
        varied = system.functions.kind != CONSTANT
        given = (system.loads["function"], system.interactions["function"])
        of_loads = np.concatenate([functions.ravel() for functions in given])
        has_loads = varied[of_loads[of_loads >= 0]].any()
        has_laws = (system.laws["kind"] == EXPRESSION).any()
        has_rows = len(system.driven) > 0 or len(rows_of_time(system)) > 0
        is_given = has_rows or has_loads or has_laws
        return float(self.settings.output_step) if is_given else np.inf

    def _is_stop(self, id: Id) -> bool:
        """Whether an element ends the run when it is met."""
        return getattr(self.compiled.resolved.elements.get(id), "action", "") == "stop"


def prepare(model: Model | Compiled, **changes: Any) -> Run:
    """A run, assembled and ready; `changes` replace settings of the model."""
    compiled = model if isinstance(model, Compiled) else compile_model(model)
    other = changes.get("orientation", compiled.model.settings.orientation)
    if (
        other != compiled.model.settings.orientation
    ):  # the only setting that is packed with the bodies
        settings = replace(compiled.model.settings, orientation=other)
        compiled = compile_model(replace(compiled.model, settings=settings))
    known = [f.name for f in fields(Settings)]
    if unknown := sorted(changes.keys() - set(known)):
        raise EngineError(
            "There is no setting '{unknown}'; there are {listed}.",
            unknown=unknown[0],
            listed=", ".join(known),
        )
    asked = replace(compiled.model, settings=replace(compiled.model.settings, **changes))
    settings = resolved_settings(asked, parameter_values(asked))
    for name, choices in _CHOICES.items():
        if getattr(settings, name) not in choices:
            raise EngineError(
                "There is no {name} '{choice}'. Choose one of {listed}.",
                name=name,
                choice=getattr(settings, name),
                listed=", ".join(choices),
            )
    if compiled.system.n_bodies == 0:
        raise EngineError("There is nothing to simulate: the model has no moving body. Draw one.")
    if compiled.elastic and settings.method == "euler_cromer":
        raise EngineError(
            "Euler-Cromer does not know beams that bend; choose another method.",
            *compiled.elastic,
        )
    start, notes = begun(compiled, settings)
    found = mobility(compiled, start.q, start.v)
    swings = advice.swings(compiled, start, found)
    notes += [one.sentence for one in start.unkept]
    notes += [one.sentence for one in beyond_limits(compiled, start)]
    notes += [one.sentence for one in remarks_in_numbers(compiled.resolved)]
    notes += [*remarks_on_beams(compiled), *remarks_on_locked_beams(compiled, start.q)]
    is_auto = settings.method == AUTO
    settings, told = decide(compiled, settings, swings, changes)
    notes += told
    notes += advice.note_contacts(compiled, settings, swings)
    notes += advice.note_frames(settings)
    advised = advice.advise(compiled, settings, swings)
    advised += [] if advised else advice.brief_contacts(compiled, settings, swings)
    advised += advice.near_lock(compiled, settings, start)
    return Run(compiled, settings, start, found, advised, notes, is_auto, changes)


def simulate(model: Model | Compiled, **changes: Any) -> Iterator[Block]:
    """The frames of a run in blocks; `changes` replace settings of the model."""
    return iter(prepare(model, **changes))


def run(
    model: Model | Compiled,
    *,
    progress: Callable[[float], bool | None] | None = None,
    **changes: Any,
) -> Results:
    """All frames of a run. `progress` gets the fraction done and may return False to cancel.

    A run that fails keeps its frames; `results.ending` says why.
    """
    running = prepare(model, **changes)
    check_memory(running.compiled, running.settings)
    results = Results(running.compiled, running.settings)
    for block in running:
        results.append(block)
        if progress is not None and progress(running.fraction) is False:
            break
    results.tell(running.account())
    return results


def glimpse(model: Model | Compiled, **changes: Any) -> Results:
    """The first frames of a run, at least two: enough to see what begins to move."""
    running = prepare(model, **changes)
    results = Results(running.compiled, running.settings)
    for block in running:
        results.append(block)
        if len(results) > 1:
            break
    return results


def _sizes(compiled: Compiled) -> np.ndarray:
    """The size below which each number of (q, v, z) counts as zero: that of the model, or a radian."""
    layout = compiled.layout
    in_q, in_v = np.ones(layout.n_q), np.ones(layout.n_v)
    in_q[layout.positions] = in_v[layout.velocities] = compiled.length
    return np.concatenate([in_q, in_v, compiled.system.states["size"]])


def _changes(
    stepper: Stepper, watch: Watch | None, status: int, frames: Frames, stops: np.ndarray
) -> tuple[int, Frames, list[Change]]:
    """How the run stands, its frames and the changes in them, up to the first that stops it."""
    changes = stepper.changes_seen()
    if changes is not None or watch is None:
        return status, frames, changes or []
    frames, changes, is_stopped = _up_to_a_stop(frames, watch.look(frames), stops)
    return (STOPPED if is_stopped else status), frames, changes


def _up_to_a_stop(
    frames: Frames, changes: list[Change], stops: np.ndarray
) -> tuple[Frames, list[Change], bool]:
    """Frames up to the one at or after the first stop, the events so far, and whether there is one."""
    end = min((t for t, which, _ in changes if stops[which] == 1.0), default=None)
    if end is None:
        return frames, changes, False
    n = int(np.searchsorted(frames.t, end)) + 1
    return Frames(*(c[:n] for c in frames)), [c for c in changes if c[0] <= end], True


def block_of(frames: Frames, layout: Layout) -> Block:
    """Frames of an integrator with the parts of y and of the watched values by name."""
    q, v, z = layout.parts(frames.y)
    works = layout.work(frames.y)
    by_hand = works[:, layout.n_work :]
    return Block(
        t=frames.t,
        q=q,
        v=v,
        a=layout.parts(frames.y_dot)[1],
        lam=frames.lam,
        gap=frames.since[:, GAP],
        lock=frames.since[:, LOCK],
        lock_body=frames.since[:, LOCK_BODY].astype(np.int64),
        norm=frames.since[:, LENGTHS:],
        z=z,
        work=works[:, : layout.n_work],
        hand=by_hand.sum(axis=1) if by_hand.shape[1] else np.zeros(len(frames.t)),
    )
