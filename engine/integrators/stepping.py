"""Advance a run in blocks of a given wall time, with any method."""

import math
import time
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from engine.integrators.fixed_steps import (
    BEGUN,
    CHANGED,
    COINCIDE,
    EVALUATIONS,
    FULL,
    N_PLACES,
    Plan,
)
from engine.integrators.problem import Frames, Problem, Room, behind
from engine.kernels import merged
from engine.kernels.entries import DONE

Change = tuple[float, int, float]  # time, which mode, what it became
UNCOUNTED = 10  # evaluations in a step of a method that counts them as it goes, before any is known
MOST_FIRST = 10**6  # steps in the first block
BEFORE, NEAR = 2e-15, 1e-12  # of its time: a step ends so much before a kink; no step is so short


@dataclass(slots=True)
class Counts:
    """What a run has cost so far."""

    steps: int = 0
    rejected: int = 0
    evaluations: int = 0  # of y_dot
    solves: int = 0  # of linear systems by implicit methods
    halved: int = 0  # fixed steps that were taken in parts, because their equations were not solved
    error: float = 0.0  # the largest estimate of the error of a step, in units of the tolerance


class Grid(NamedTuple):
    """The frames of a run, and the step of methods that take equal ones."""

    t_end: float
    n_frames: int  # after the first one
    h: float  # the step
    t0: float = 0.0  # where time begins; t_end is counted from here

    @property
    def between(self) -> float:
        """The time between two frames."""
        return self.t_end / self.n_frames

    @property
    def every(self) -> int:
        """Steps from frame to frame; 0 where that is no whole number: then frames lie within steps."""
        every = max(1, round(self.between / self.h))
        return every if abs(every * self.h / self.between - 1.0) <= COINCIDE else 0

    @property
    def n_steps(self) -> int:
        """Steps of the whole run, one at least; the last one may pass its end."""
        return self.n_frames * self.every or max(math.ceil(self.t_end / self.h - COINCIDE), 1)


def grid_of(t_end: float, n_frames: int, step: float, t0: float = 0.0) -> Grid:
    """Frames and steps; a step that divides the time between frames does so to the last digit."""
    grid = Grid(t_end, n_frames, step, t0)
    return grid._replace(h=t_end / grid.n_steps) if grid.every else grid


class Stepper(Protocol):
    """A run of one method in progress: its interface."""

    counts: Counts
    y: np.ndarray  # the state that was reached
    is_finished: bool  # the last frame is written

    @property
    def t(self) -> float:
        """The time that was reached."""

    @property
    def fraction(self) -> float:
        """How much of the run is done."""

    def advance(self, work: float) -> tuple[int, Frames]:
        """Advance for about the given wall time; returns how it ended, and the new frames."""

    def changes_seen(self) -> list[Change] | None:
        """The changes of mode within its steps since the last call; None if it does not detect them."""

    def rest_of_step(self) -> Frames:
        """The frames within the last step that were not written yet; brings y to the end of that step."""

    def states(self) -> list[np.ndarray]:
        """The states it continues from, the newest first: after a change call `restarted`."""

    def restarted(self) -> "Stepper":
        """The stepper to continue with after the states were changed from outside."""


class Method(Protocol):
    """A running method of fixed step."""

    evaluations: int  # of y_dot in each step, besides those that it counts itself

    def take(self, stepper: "FixedStepper", first: int, n: int) -> tuple[int, int, int]:
        """Take n steps from number `first` on; returns how it ended, the steps and the frames."""

    def past(self) -> list[np.ndarray]:
        """The states before the last one that it continues from, the newest first."""

    def forget(self) -> None:
        """Drop what was computed from the last states: they were changed from outside."""


class OneStep:
    """The base of methods that continue from the last state alone and keep nothing else."""

    def past(self) -> list[np.ndarray]:
        """No states."""
        return []

    def forget(self) -> None:
        """There is nothing to drop."""


class FixedStepper:
    """A method of fixed step: it learns how many steps fit into a block."""

    def __init__(self, problem: Problem, y: np.ndarray, grid: Grid, method: Method) -> None:
        self.problem, self.y, self.grid, self.method = problem, y, grid, method
        self.counts = Counts()
        self.step = 0  # number of the next one
        self.is_finished = self._is_full = False  # full: a step waits for room for its frames
        self.room = Room(problem, len(y), grid.n_frames)
        self.frames = self.room.free  # where the method writes
        self.plan = self._plan()
        self._steps = 0  # of the next block; 0: not known yet

    @property
    def t(self) -> float:
        """The time that was reached."""
        return self.grid.t0 + self.step * self.grid.h

    @property
    def fraction(self) -> float:
        """How much of the run is done."""
        return self.step / self.grid.n_steps

    def advance(self, work: float) -> tuple[int, Frames]:
        """Take the steps that fit into the given wall time; the last ones write the last frame."""
        first, began = self.step, time.perf_counter()
        n_evaluations = self.method.evaluations or UNCOUNTED
        steps = self._steps or first_steps(work, n_evaluations * self.problem.cost)
        status, n = self._go_on(steps)
        if status == DONE and self.step >= self.grid.n_steps and not self._is_full:
            self.frames = behind(self.frames, n)
            status, more = self._go_on(0)
            n += more
            self.is_finished = status == DONE and not self._is_full
        took = max(time.perf_counter() - began, 1e-6)
        self._steps = max(1, int(min(2 * steps, (self.step - first) / took * work)))
        return status, self._handed_over(n)

    def changes_seen(self) -> list[Change] | None:
        """None: a fixed step is not cut where a law changes."""
        return None

    def rest_of_step(self) -> Frames:
        """No frames: they are written at the start of steps."""
        return Frames(*(column[:0] for column in self.frames))

    def states(self) -> list[np.ndarray]:
        """The state, the one before where frames lie between them, and the memory of the method."""
        before = [] if self.plan.every else [self.plan.y]
        return [self.y, *before, *self.method.past()]

    def restarted(self) -> "FixedStepper":
        """Itself, without what was computed before."""
        self.plan.place[[BEGUN, CHANGED]] = -1.0, 1.0
        self.method.forget()
        return self

    def take(self, steps: int) -> tuple[int, Frames]:
        """Take n steps, or as many as there is room for their frames; returns the frames."""
        status, n = self._go_on(steps)
        return status, self._handed_over(n)

    def _go_on(self, steps: int) -> tuple[int, int]:
        """Take n steps, or as many as there is room for; returns how it ended and the frames written."""
        every, place = self.plan.every, self.plan.place
        steps = min(steps, self.grid.n_steps - self.step)
        if every:
            steps = min(steps, every * (len(self.frames.t) - 1))
        status, taken, n = self.method.take(self, self.step, steps)
        self._is_full = status == FULL
        self.step += taken
        self.counts.steps += taken
        self.counts.evaluations += taken * self.method.evaluations + int(place[EVALUATIONS])
        place[EVALUATIONS] = 0.0
        return DONE if self._is_full else status, n

    def _handed_over(self, n: int) -> Frames:
        """The n frames that were written."""
        found = self.room.taken(n)
        self.frames = self.room.free
        return found

    def _plan(self) -> Plan:
        """What the kernels need of the grid, with nothing begun."""
        problem, grid, y = self.problem, self.grid, self.y
        place = np.zeros(N_PLACES)
        place[BEGUN] = -1.0
        return Plan(
            *(grid.t0, grid.h, grid.every, grid.between, grid.n_frames, place),
            *(y.copy(), np.zeros_like(y), np.zeros_like(y), np.zeros_like(y)),
            *(np.zeros_like(problem.lam), np.zeros_like(problem.since)),
            np.zeros_like(problem.since),
        )


def first_steps(work: float, cost: float) -> int:
    """How many steps fit into a wall time if each takes `cost` seconds, before any was taken."""
    return max(1, min(int(work / cost), MOST_FIRST))


@merged
def next_kink(kinks, t):
    """The first of these ascending times that is after t; infinite if there is none."""
    low, high = 0, kinks.size
    while low < high:
        middle = (low + high) // 2
        if kinks[middle] <= t:
            low = middle + 1
        else:
            high = middle
    return kinks[low] if low < kinks.size else math.inf


@merged
def next_goal(kinks, t, last):
    """The time that a step must not pass, just before a kink or the end; and where the next one starts.

    So all stages of a step are on the same side of a kink. One that is nearer than rounding is passed.
    """
    kink = next_kink(kinks, t + NEAR * max(abs(t), 1e-3))
    goal = kink - BEFORE * abs(kink)
    return (goal, kink) if goal < last else (last, last)
