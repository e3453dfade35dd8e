"""Advance a run in blocks of a given wall time, with any method."""

import math
import time
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from engine.integrators.problem import Frames, Problem, room_for_frames
from engine.kernels import kernel
from engine.kernels.entries import DONE

Change = tuple[float, int, float]  # time, which mode, what it became
FIRST_STEPS = 64  # of the first block, before the speed is known
BEFORE, NEAR = 2e-15, 1e-12  # of its time: a step ends so much before a kink; no step is so short


@dataclass(slots=True)
class Counts:
    """What a run has cost so far."""

    steps: int = 0
    rejected: int = 0
    evaluations: int = 0  # of y_dot
    solves: int = 0  # of linear systems by implicit methods
    error: float = 0.0  # the largest estimate of the error of a step, in units of the tolerance


class Grid(NamedTuple):
    """The frames of a run, and for fixed steps the steps between them."""

    t_end: float
    n_frames: int  # after the first one
    every: int  # steps from frame to frame
    t0: float = 0.0  # where time begins; t_end is counted from here

    @property
    def n_steps(self) -> int:
        """Steps of the whole run."""
        return self.n_frames * self.every

    @property
    def h(self) -> float:
        """The step."""
        return self.t_end / self.n_steps


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
        self.is_finished = False
        self.frames = room_for_frames(len(y), len(problem.lam), len(problem.since))
        self._steps = min(grid.every, FIRST_STEPS)  # of the next block

    @property
    def t(self) -> float:
        """The time that was reached."""
        return self.grid.t0 + self.step * self.grid.h

    @property
    def fraction(self) -> float:
        """How much of the run is done."""
        return self.step / self.grid.n_steps

    def advance(self, work: float) -> tuple[int, Frames]:
        """Take the steps that fit into the given wall time; the last call writes the last frame."""
        first, began = self.step, time.perf_counter()
        is_last = first >= self.grid.n_steps
        status, found = self.take(self._steps)
        self.is_finished = status == DONE and is_last
        took = max(time.perf_counter() - began, 1e-6)
        self._steps = max(1, int(min(2 * self._steps, (self.step - first) / took * work)))
        return status, found

    def changes_seen(self) -> list[Change] | None:
        """None: a fixed step is not cut where a law changes."""
        return None

    def rest_of_step(self) -> Frames:
        """No frames: they are written at the start of steps."""
        return Frames(*(column[:0] for column in self.frames))

    def states(self) -> list[np.ndarray]:
        """The state, and the memory of the method."""
        return [self.y, *self.method.past()]

    def restarted(self) -> "FixedStepper":
        """Itself, without what was computed before."""
        self.method.forget()
        return self

    def take(self, steps: int) -> tuple[int, Frames]:
        """Take n steps, or as many as there is room for their frames; returns the frames."""
        room = self.grid.every * (len(self.frames.t) - 1)
        steps = min(steps, room, self.grid.n_steps - self.step)
        status, taken, n = self.method.take(self, self.step, steps)
        self.step += taken
        self.counts.steps += taken
        self.counts.evaluations += taken * self.method.evaluations
        return status, Frames(*(column[:n].copy() for column in self.frames))


@kernel
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


@kernel
def next_goal(kinks, t, last):
    """The time that a step must not pass, just before a kink or the end; and where the next one starts.

    So all stages of a step are on the same side of a kink. One that is nearer than rounding is passed.
    """
    kink = next_kink(kinks, t + NEAR * max(abs(t), 1e-3))
    goal = kink - BEFORE * abs(kink)
    return (goal, kink) if goal < last else (last, last)
