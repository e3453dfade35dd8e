"""Run a model: blocks of frames that whoever iterates may use, show or stop.

    for block in simulate(model):      # about 20 ms of work each
        results.append(block)

The engine knows nothing of threads or progress bars: to cancel, stop iterating.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, replace
from math import ceil
from typing import Any, NamedTuple

import numpy as np

from engine.assemble import Start, assemble, gap_sentence
from engine.errors import EngineError
from engine.evaluate import fill
from engine.integrators import runge_kutta
from engine.integrators.runge_kutta import (
    DIVERGED,
    DONE,
    LOCKED,
    OPEN_JOINT,
    TABLEAUS,
    Frames,
    Plan,
    Stages,
)
from engine.kernels.layout import Workspace
from engine.mobility import Mobility, mobility
from engine.model import Id, Model, Settings
from engine.resolve import resolved
from engine.results import Results
from engine.system import Compiled, compile_model, workspace
from rotations import SEQUENCES, gimbal_lock

WORK = 0.02  # [s] of wall time in one block
FIRST_STEPS = 64  # in the first block, before the speed is known
MAX_FRAMES = 4096  # in one block
TOLERANCE = 1e-12  # of the size of the model: how well joints are closed
OPEN = 1e-6  # of the size of the model: a gap that counts as open
LOCK_LIMIT = 1e-3  # singularity measure at which Euler angles stop
MAX_STEPS = 10**10


class Block(NamedTuple):
    """Some frames in a row; none where the steps of one frame take longer than a block."""

    t: np.ndarray  # (n,)             [s]
    q: np.ndarray  # (n, n_q)
    v: np.ndarray  # (n, n_v)
    a: np.ndarray  # (n, n_v)
    lam: np.ndarray  # (n, n_rows)
    gap: np.ndarray  # (n,)           largest |Phi| since the frame before   [m, rad]
    lock: np.ndarray  # (n,)          smallest singularity measure since the frame before
    lock_body: np.ndarray  # (n,)     the body that had it, or -1


class Ending(NamedTuple):
    """How a run ended."""

    reason: str  # "done", "cancelled", "diverged", "open joint" or "gimbal lock"
    sentence: str  # for the user; empty when done
    ids: tuple[Id, ...]  # the guilty elements


CANCELLED = Ending("cancelled", "The run was stopped before its end.", ())


class Event(NamedTuple):
    """Something worth marking on the time line."""

    t: float
    kind: str  # "gimbal amber", "gimbal red"
    sentence: str
    ids: tuple[Id, ...]


@dataclass(slots=True)
class Statistics:
    """What a run cost."""

    steps: int = 0
    evaluations: int = 0  # of accelerations
    wall_time: float = 0.0  # [s]
    drawn_gap: float = 0.0  # largest |Phi| of the drawing, before it was assembled   [m, rad]


@dataclass(slots=True)
class Run:
    """A run in progress: iterate it for blocks; `ending`, `events` and `statistics` fill up."""

    compiled: Compiled
    settings: Settings
    start: Start
    mobility: Mobility
    ending: Ending = CANCELLED
    events: list[Event] = field(default_factory=list)
    statistics: Statistics = field(default_factory=Statistics)
    fraction: float = 0.0  # of the run that is done

    def __iter__(self) -> Iterator[Block]:
        """Advance in blocks until the end, a failure, or until nobody asks for more; starts anew."""
        compiled, system = self.compiled, self.compiled.system
        self.ending, self.events, self.fraction = CANCELLED, [], 0.0
        self.statistics = Statistics(drawn_gap=self.start.drawn_gap)
        ws = workspace(system)
        q, v = self.start.q.copy(), self.start.v.copy()
        values, _ = fill(compiled, ws, 0.0, q, v)
        ws.angle[:] = values  # turns are counted from here
        plan, n_steps = self.plan()
        method = TABLEAUS[self.settings.method]
        stages = room_for_stages(len(method.b), q, v)
        frames = room_for_frames(compiled)
        step, steps, began = 0, min(plan.every, FIRST_STEPS), time.perf_counter()
        levels: dict[int, int] = {}
        while True:
            steps = min(steps, n_steps - step)
            before = time.perf_counter()
            status, taken, n = runge_kutta.advance(
                system, ws, method, stages, frames, plan, step, steps, q, v
            )
            now = time.perf_counter()
            self.statistics.steps += taken
            self.statistics.evaluations += taken * len(method.b)
            self.statistics.wall_time = now - began
            block = Block(*(column[:n].copy() for column in frames))
            self._watch_lock(block, levels)
            last = step >= n_steps
            step += taken
            self.fraction = step / n_steps
            if status != DONE:
                self.ending = self.failure(status, plan.t0 + step * plan.h, ws, q, v)
            elif last:
                self.ending = Ending("done", "", ())
            yield block
            if status != DONE or last:
                return
            rate = taken / max(now - before, 1e-6)
            room = plan.every * (len(frames.t) - 1)
            steps = max(1, int(min(2 * steps, rate * WORK, room)))

    def plan(self) -> tuple[Plan, int]:
        """Steps that divide the output step, which divides the run; never longer than asked."""
        s = self.settings
        t_end, step, output = float(s.t_end), float(s.step), float(s.output_step)
        n_frames = max(1, round(t_end / output))
        every = max(1, ceil(t_end / n_frames / step * (1 - 1e-12)))
        n_steps = n_frames * every
        if n_steps > MAX_STEPS:
            raise EngineError(
                f"The run would take {n_steps:.1e} steps. Use a longer step or a shorter end time."
            )
        size = self.compiled.length
        plan = Plan(
            t0=0.0,
            h=t_end / n_steps,
            every=every,
            projected=s.stabilisation == "projection" and self.compiled.n_rows > 0,
            tolerance=TOLERANCE * size,
            open_gap=OPEN * size,
            redundant=self.mobility.redundant > 0,
            lock_limit=LOCK_LIMIT,
        )
        return plan, n_steps

    def _watch_lock(self, block: Block, levels: dict[int, int]) -> None:
        """Note when a body on Euler angles enters a warning level of gimbal lock."""
        for t, measure, body in zip(block.t, block.lock, block.lock_body):
            if body < 0:
                continue
            level = int(gimbal_lock.level_at(measure))
            if level > levels.get(int(body), 0):
                self.events.append(self._lock_event(float(t), float(measure), int(body), level))
            levels[int(body)] = level

    def _lock_event(self, t: float, measure: float, body: int, level: int) -> Event:
        id = self.compiled.body_ids[body]
        label = self.compiled.resolved[id].label
        sequence = SEQUENCES[self.compiled.system.bodies["orientation"][body]]
        degrees = np.degrees(np.arcsin(min(measure, 1.0)))
        return Event(
            t,
            f"gimbal {gimbal_lock.Level(level).name.lower()}",
            f"Body '{label}' is {degrees:.2g} degrees from gimbal lock of the sequence {sequence} at "
            f"t = {t:.4g} s: its angle rates grow without bound there. Use quaternions or another "
            "sequence for it.",
            (id,),
        )

    def failure(self, status: int, t: float, ws: Workspace, q: np.ndarray, v: np.ndarray) -> Ending:
        """Why the run stopped, in words with the guilty element, the time and the remedy."""
        compiled, h = self.compiled, float(self.settings.step)
        if status == OPEN_JOINT:
            where, id = gap_sentence(compiled, ws.Phi)
            return Ending(
                "open joint",
                f"The run stopped at t = {t:.6g} s: {where} and cannot be closed. The mechanism locks "
                f"up there, a motion asks for the impossible, or the step of {h:g} s is too long. "
                "Change the motion or the lengths, or use a shorter step.",
                (id,),
            )
        if status == LOCKED:
            measure, body = runge_kutta.nearest_lock(
                compiled.system.dim, compiled.system.n_bodies, compiled.system.bodies, q
            )
            event = self._lock_event(t, measure, body, int(gimbal_lock.Level.RED))
            return Ending("gimbal lock", f"The run stopped. {event.sentence}", event.ids)
        assert status == DIVERGED
        speeds = np.nan_to_num(np.abs(v), nan=np.inf).reshape(-1, compiled.n_d).max(axis=1)
        id = compiled.body_ids[int(speeds.argmax())]
        label = compiled.resolved[id].label
        return Ending(
            "diverged",
            f"The run diverged at t = {t:.6g} s: the speed of body '{label}' grew without bound. Use a "
            f"shorter step than {h:g} s, softer springs, or check the forces on it.",
            (id,),
        )


def prepare(model: Model | Compiled, **changes: Any) -> Run:
    """A run, assembled and ready; `changes` replace settings of the model."""
    compiled = model if isinstance(model, Compiled) else compile_model(model)
    known = [f.name for f in fields(Settings)]
    if unknown := sorted(changes.keys() - set(known)):
        raise EngineError(f"There is no setting '{unknown[0]}'; there are {', '.join(known)}.")
    settings = resolved(
        replace(compiled.model, settings=replace(compiled.model.settings, **changes))
    ).settings
    if settings.method not in TABLEAUS:
        raise EngineError(
            f"There is no method '{settings.method}'. Choose one of {', '.join(TABLEAUS)}."
        )
    if compiled.system.n_bodies == 0:
        raise EngineError("There is nothing to simulate: the model has no moving body. Draw one.")
    start = assemble(compiled)
    return Run(compiled, settings, start, mobility(compiled, start.q, start.v))


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
    results = Results(running.compiled, running.settings)
    for block in running:
        results.append(block)
        if progress is not None and progress(running.fraction) is False:
            break
    results.ending = running.ending
    results.events = running.events
    results.not_unique = running.mobility.not_unique
    results.statistics = running.statistics
    return results


def room_for_frames(compiled: Compiled) -> Frames:
    """Room for the frames of one block."""
    n_q, n_v = len(compiled.q0), len(compiled.v0)
    n = min(MAX_FRAMES, max(64, 4_000_000 // max(n_q + 2 * n_v + compiled.n_rows, 1)))
    return Frames(
        t=np.zeros(n),
        q=np.zeros((n, n_q)),
        v=np.zeros((n, n_v)),
        a=np.zeros((n, n_v)),
        lam=np.zeros((n, compiled.n_rows)),
        gap=np.zeros(n),
        lock=np.zeros(n),
        lock_body=np.zeros(n, dtype=np.int64),
    )


def room_for_stages(n: int, q: np.ndarray, v: np.ndarray) -> Stages:
    """Scratch memory of a method with n stages."""
    return Stages(
        q_dot=np.zeros((n, len(q))),
        a=np.zeros((n, len(v))),
        q=np.zeros(len(q)),
        v=np.zeros(len(v)),
        since=np.array([0.0, 1.0, -1.0]),
    )
