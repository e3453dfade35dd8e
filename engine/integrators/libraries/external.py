"""External solvers as steppers: they choose their steps; frames and changes of law are interpolated.

A step is never longer than the time between two frames, so that a short load is not missed.
"""

import ctypes
import time

import numpy as np

from engine.integrators.adaptive import LOCATED, STOPPED
from engine.integrators.problem import Frames, Problem, judge, room_for_frames, write_frame
from engine.integrators.stepping import Change, Counts, Grid, next_kink
from engine.kernels.entries import AFTER_CORRECTION, DONE, LOCKED
from engine.kernels.linking import CORRECT, DERIVE, MODES, NOTHING

in_c = ctypes.CFUNCTYPE(  # what an entry is, by its address
    ctypes.c_int64,
    *(ctypes.c_void_p, ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p),
    ctypes.c_int64,
)
NOT_YET = -1  # the time for this block was over before the next frame was reached
MAX_CHANGES = 100  # changes of law that are searched in one step


class External:
    """A run whose steps are taken by an external solver; see engine.integrators.stepping.Stepper.

    Frames are corrected and judged by the entries of the problem, as with every other method.
    """

    def __init__(self, problem: Problem, y: np.ndarray, grid: Grid, tolerance: float) -> None:
        self.problem, self.y, self.tolerance = problem, y, tolerance
        self.counts, self.is_finished = Counts(), False
        self._changes: list[Change] = []
        self.times = grid.t0 + np.linspace(0.0, grid.t_end, grid.n_frames + 1)
        self.t = grid.t0  # reached by the solver
        self._next_frame = 0
        self._stopped_at = np.inf
        self._frames = room_for_frames(len(y), len(problem.lam), len(problem.since))
        self._y_dot, self._mode = np.zeros(len(y)), np.zeros(len(problem.stops))
        self._entries = {
            which: in_c(int(problem.table[which]))
            for which in (DERIVE, CORRECT, MODES)
            if problem.table[which]
        }
        self.call(CORRECT, self.t, self.y)
        if len(self._mode):
            self.call(MODES, self.t, self.y, self._mode)

    @property
    def fraction(self) -> float:
        """How much of the run is done."""
        first, last = float(self.times[0]), float(self.times[-1])
        return min((self.t - first) / (last - first), 1.0)

    @property
    def longest_step(self) -> float:
        """The time between two frames."""
        return float(self.times[1] - self.times[0])

    @property
    def bound(self) -> float:
        """The time that the next step does not pass: a kink, or the end of the run."""
        return min(next_kink(self.problem.kinks, self.t), float(self.times[-1]))

    def take_step(self) -> int:
        """Take one step of the solver; changes t. Returns DONE, NOT_YET if none was taken, or a failure."""
        raise NotImplementedError

    def state_at(self, t: float) -> np.ndarray:
        """The state at a time within the last step."""
        raise NotImplementedError

    def advance(self, work: float) -> tuple[int, Frames]:
        """Advance for about the given wall time; returns how it ended, and the new frames."""
        deadline, n, status = time.perf_counter() + work, 0, DONE
        while status == DONE and n < len(self._frames.t) and not self.is_finished:
            status = self._reach(float(self.times[self._next_frame]), deadline)
            if status == DONE:
                status = self._write(float(self.times[self._next_frame]), n)
            if status == DONE:
                n += 1
                self._next_frame += 1
                self.is_finished = self._next_frame == len(self.times)
                if time.perf_counter() > deadline:
                    break
        written = Frames(*(column[:n].copy() for column in self._frames))
        return DONE if status == NOT_YET else status, written

    def rest_of_step(self) -> Frames:
        """The frames within the last step that were not written yet; brings y to the end of that step.

        It is for a step that ended near gimbal lock, whose results are still valid.
        """
        n = 0
        while self._next_frame < len(self.times) and self.times[self._next_frame] <= self.t:
            t = float(self.times[self._next_frame])
            self.y[:] = self.state_at(t)
            if self._write(t, n, LOCKED) != DONE:
                break
            n += 1
            self._next_frame += 1
        self.is_finished = self._next_frame == len(self.times)
        self.y[:] = self.state_at(self.t)
        self.call(CORRECT, self.t, self.y)
        return Frames(*(column[:n].copy() for column in self._frames))

    def changes_seen(self) -> list[Change]:
        """The changes of mode found within steps since this was last asked; forgets them."""
        found, self._changes = self._changes, []
        return found

    def states(self) -> list[np.ndarray]:
        """The state alone."""
        return [self.y]

    def restarted(self) -> "External":
        """The same run from y on, by a fresh solver; counts continue."""
        if self.is_finished:
            return self
        left = len(self.times) - self._next_frame
        grid = Grid(self.longest_step * left, left, 1, self.t)
        other = type(self)(self.problem, self.y, grid, self.tolerance)
        other.times, other._next_frame, other.counts = self.times, self._next_frame, self.counts
        other._changes, other._stopped_at = self._changes, self._stopped_at
        return other

    def call(
        self, which: int, t: float, y: np.ndarray, out: np.ndarray = NOTHING, flag: int = 0
    ) -> int:
        """Call an entry of the problem; arrays must be contiguous."""
        data = [a.ctypes.data for a in (self.problem.table, y, out)]
        return int(self._entries[which](data[0], t, data[1], data[2], NOTHING.ctypes.data, flag))

    def _reach(self, t: float, deadline: float) -> int:
        """Bring y to the time t; returns DONE, NOT_YET after the deadline, or how the run ended."""
        while self.t < t:
            before = self.t
            status = self.take_step()
            if status != DONE:
                return status
            if len(self._mode):
                self._look_for_changes(before)
            if self.t < t and time.perf_counter() > deadline:
                return NOT_YET
        if t > self._stopped_at:
            return STOPPED
        self.y[:] = self.state_at(t)
        return DONE

    def _write(self, t: float, n: int, allowed: int = DONE) -> int:
        """Correct the state, judge it and write frame number n of this block; changes y."""
        status = self.call(CORRECT, t, self.y)
        if status in (DONE, allowed):
            self.call(DERIVE, t, self.y, self._y_dot, AFTER_CORRECTION)
            status = judge(self._y_dot)
        if status == DONE:
            problem = self.problem
            write_frame(self._frames, n, t, self.y, self._y_dot, problem.lam, problem.since)
        return int(status)

    def _look_for_changes(self, before: float) -> None:
        """Find when modes changed within the last step, one after the other; records them."""
        for _ in range(MAX_CHANGES):
            if not self._differs(self.t).any():
                return
            low, high = before, self.t
            while high - low > LOCATED and high - low > 1e-15 * abs(self.t):
                middle = 0.5 * (low + high)
                if self._differs(middle).any():
                    high = middle
                else:
                    low = middle
            for m in np.flatnonzero(self._differs(high)):
                self._mode[m] = self._seen[m]
                self._changes.append((high, int(m), float(self._seen[m])))
                if self.problem.stops[m] == 1.0:
                    self._stopped_at = min(self._stopped_at, high)
            before = high

    def _differs(self, t: float) -> np.ndarray:
        """Which modes at a time within the last step differ from the known ones; changes `_seen`."""
        self._seen = np.zeros(len(self._mode))
        self.call(MODES, t, np.ascontiguousarray(self.state_at(t)), self._seen)
        return self._seen != self._mode
