"""External solvers as steppers: they choose their steps; frames and changes of law are interpolated.

A step is never longer than the time between two frames, so that a short load is not missed. As in
engine.integrators.changes, laws are held on their branches within a step; where one changes, the
step ends and the solver starts again from there. Solvers know nothing of quadratures: these are summed
over the polynomial of each step by the formula of Gauss, piece by piece between kinks of tables.
"""

import ctypes
import time
from itertools import pairwise

import numpy as np

from engine.integrators.changes import LOCATED, STOPPED, TURNED
from engine.integrators.problem import (
    Frames,
    Problem,
    Schedule,
    due,
    judge,
    room_for_frames,
    write_frame,
)
from engine.integrators.stepping import Change, Counts, Grid, next_kink
from engine.kernels.entries import AFTER_CORRECTION, DONE, EVERYTHING, HOLD, LOCKED, WITH_SLOPES
from engine.kernels.linking import CORRECT, DERIVE, MODES, NOTHING

in_c = ctypes.CFUNCTYPE(  # what an entry is, by its address
    ctypes.c_int64,
    *(ctypes.c_void_p, ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p),
    ctypes.c_int64,
)
NOT_YET = -1  # the time for this block was over before the next frame was reached
MAX_CHANGES = 100  # changes of law that are searched in one step
LOOKS = 2  # checks of the modes in a step: those of these solvers are short, for they look back
NODES, WEIGHTS = np.polynomial.legendre.leggauss(4)


class External:
    """A run whose steps are taken by an external solver; see engine.integrators.stepping.Stepper.

    Frames are corrected and judged by the entries of the problem, as with every other method.
    """

    def __init__(self, problem: Problem, y: np.ndarray, grid: Grid, tolerance: float) -> None:
        self.problem, self.y, self.tolerance = problem, y, tolerance
        self.counts, self.is_finished = Counts(), False
        self._changes: list[Change] = []
        self.n_motion = len(problem.floor)  # quadratures stand behind
        self._pieces = [grid.t0]  # where the last step began and where laws changed in it
        self._sums = y[self.n_motion :].copy()  # the quadratures where it began
        self._known = grid.t0, self._sums  # those that were found last
        self.t0, self.times = grid.t0, Schedule(grid.t_end, grid.n_frames + 1)
        self.t = grid.t0  # reached by the solver
        self._next_frame = 0
        self._stopped_at = np.inf
        self._frames = room_for_frames(
            problem.n_shown or len(y), len(problem.lam), len(problem.since)
        )
        self._y_dot, self._mode = np.zeros(len(y)), np.zeros(len(problem.stops))
        self._is_cut = False  # the last step ends where a law changed: the solver is ahead of t
        self._entries = {
            which: in_c(int(problem.table[which]))
            for which in (DERIVE, CORRECT, MODES)
            if problem.table[which]
        }
        self.call(CORRECT, self.t, self.y)
        if len(self._mode):
            self.call(MODES, self.t, self.y, self._mode)
            self.call(MODES, self.t, self.y, self._mode, HOLD)

    @property
    def fraction(self) -> float:
        """How much of the run is done."""
        return min((self.t - self.t0) / self.times.t_end, 1.0)

    @property
    def t_last(self) -> float:
        """The time of the last frame."""
        return self.t0 + self.times.t_end

    def _due(self, k: int) -> float:
        """The time of frame k."""
        return self.t0 + float(due(self.times, k))

    @property
    def longest_step(self) -> float:
        """The time between two frames."""
        return self._due(1) - self.t0

    @property
    def bound(self) -> float:
        """The time that the next step does not pass: a kink, or the end of the run."""
        return min(next_kink(self.problem.kinks, self.t), self.t_last)

    def take_step(self) -> int:
        """Take one step of the solver; changes t. Returns DONE, NOT_YET if none was taken, or a failure."""
        raise NotImplementedError

    def state_at(self, t: float) -> np.ndarray:
        """The state at a time within the last step, without quadratures."""
        raise NotImplementedError

    def start(self) -> None:
        """Start the solver at (t, y), without what it knows of the past."""
        raise NotImplementedError

    def advance(self, work: float) -> tuple[int, Frames]:
        """Advance for about the given wall time; returns how it ended, and the new frames."""
        deadline, n, status = time.perf_counter() + work, 0, DONE
        while status == DONE and n < len(self._frames.t) and not self.is_finished:
            status = self._reach(self._due(self._next_frame), deadline)
            if status == DONE:
                status = self._write(self._due(self._next_frame), n)
            if status == DONE:
                n += 1
                self._next_frame += 1
                self.is_finished = self._next_frame == self.times.n
                if time.perf_counter() > deadline:
                    break
        written = Frames(*(column[:n].copy() for column in self._frames))
        return DONE if status == NOT_YET else status, written

    def rest_of_step(self) -> Frames:
        """The frames within the last step that were not written yet; brings y to the end of that step.

        It is for a step that ended near gimbal lock, whose results are still valid.
        """
        n = 0
        while self._next_frame < self.times.n and (t := self._due(self._next_frame)) <= self.t:
            self._go_to(t)
            if self._write(t, n, LOCKED) != DONE:
                break
            n += 1
            self._next_frame += 1
        self.is_finished = self._next_frame == self.times.n
        self._go_to(self.t)
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
        left = self.times.n - self._next_frame
        grid = Grid(self.longest_step * left, left, self.longest_step, self.t)
        other = type(self)(self.problem, self.y, grid, self.tolerance)
        other.t0, other.times = self.t0, self.times
        other._next_frame, other.counts = self._next_frame, self.counts
        other._changes, other._stopped_at = self._changes, self._stopped_at
        return other

    def call(
        self,
        which: int,
        t: float,
        y: np.ndarray,
        out: np.ndarray = NOTHING,
        flag: int = 0,
        more: np.ndarray = NOTHING,
    ) -> int:
        """Call an entry of the problem; arrays must be contiguous."""
        table, *data = (a.ctypes.data for a in (self.problem.table, y, out, more))
        return int(self._entries[which](table, t, *data, flag))

    def _reach(self, t: float, deadline: float) -> int:
        """Bring y to the time t; returns DONE, NOT_YET after the deadline, or how the run ended."""
        while self.t < t:
            before = self.t
            self._sums, self._pieces = self._quadratures(before), [before]
            if self._is_cut:
                self._start_on_new_modes()
            status = self.take_step()
            if status != DONE:
                return status
            if len(self._mode):
                self._cut_at_change(before)
            if self.t < t and time.perf_counter() > deadline:
                return NOT_YET
        if t > self._stopped_at:
            return STOPPED
        self._go_to(t)
        return DONE

    def _go_to(self, t: float) -> None:
        """Bring y to a time within the last step."""
        self.y[self.n_motion :] = self._quadratures(t)
        self.y[: self.n_motion] = self.state_at(t)

    def _quadratures(self, t: float) -> np.ndarray:
        """The quadratures at a time within the last step."""
        if t == self._known[0] or not len(self._sums):
            return self._known[1]
        sums = self._sums.copy()
        for start, stop in pairwise([*(piece for piece in self._pieces if piece < t), t]):
            for node, weight in zip(NODES, WEIGHTS):
                at = 0.5 * (start + stop + node * (stop - start))
                y = np.ascontiguousarray(self.state_at(at))
                self.call(DERIVE, at, y, self._y_dot, EVERYTHING)
                sums += 0.5 * weight * (stop - start) * self._y_dot[self.n_motion :]
        self._known = t, sums
        return sums

    def _write(self, t: float, n: int, allowed: int = DONE) -> int:
        """Correct the state, judge it and write frame number n of this block; changes y."""
        status = self.call(CORRECT, t, self.y)
        if status in (DONE, allowed):
            self.call(DERIVE, t, self.y, self._y_dot, AFTER_CORRECTION)
            status = judge(self._y_dot)
        if status == DONE:
            problem = self.problem
            write_frame(
                problem.table,
                self._frames,
                n,
                t,
                self.y,
                self._y_dot,
                problem.lam,
                problem.since,
            )
        return int(status)

    def _start_on_new_modes(self) -> None:
        """Start the solver again where a law changed; changes y."""
        self._is_cut = False
        self._go_to(self.t)
        self.call(CORRECT, self.t, self.y)
        self.call(MODES, self.t, self.y, self._mode, HOLD)
        self.start()

    def _cut_at_change(self, before: float) -> None:
        """Record when modes changed within the last step, and end it where a law did; changes t."""
        end, n = self.t, len(self._mode)
        for _ in range(MAX_CHANGES):
            low, high = self._first_change(before, end)
            if not high > low:
                return
            while high - low > LOCATED and high - low > 1e-15 * abs(high):
                middle = 0.5 * (low + high)
                low, high = (low, middle) if self._differs(middle).any() else (middle, high)
            changed = np.flatnonzero(self._differs(high))
            self._mode[changed] = self._seen[:n][changed]
            for m in map(int, changed):
                self._changes.append((high, m, float(self._mode[m])))
                if self.problem.stops[m] == 1.0:
                    self._stopped_at = min(self._stopped_at, high)
            if np.isfinite(self.problem.contacts[changed]).any():
                self.t, self._is_cut = high, True
                return
            before = high
            self._pieces.append(high)

    def _first_change(self, before: float, end: float) -> tuple[float, float]:
        """Two times between which a mode changes first, by looks and turning points; equal: none does."""
        n = len(self._mode)
        times = np.linspace(before, end, LOOKS + 1)
        self._differs(float(times[0]))
        slopes = self._seen[n:].copy()
        for low, high in pairwise(times):
            found = [float(high)] if self._differs(float(high)).any() else []
            now = self._seen[n:].copy()
            for m in np.flatnonzero(slopes * now < 0.0):
                turn = self._turn(float(low), float(high), int(m), float(slopes[m]))
                found += [turn] if self._differs(turn).any() else []
            if found:
                return float(low), min(found)
            slopes = now
        return end, end

    def _turn(self, low: float, high: float, which: int, slope: float) -> float:
        """The time between two at which the slope of a watched value, given at the first, vanishes."""
        n, width = len(self._mode), TURNED * (high - low)
        while high - low > width:
            middle = 0.5 * (low + high)
            self._differs(middle)
            low, high = (middle, high) if self._seen[n + which] * slope > 0.0 else (low, middle)
        return high

    def _differs(self, t: float) -> np.ndarray:
        """Which modes at a time within the last step differ from the known ones; changes `_seen`."""
        y = np.ascontiguousarray(self.state_at(t))
        self.call(DERIVE, t, y, self._y_dot, EVERYTHING)
        self._seen = np.zeros(2 * len(self._mode))
        self.call(MODES, t, y, self._seen, WITH_SLOPES, self._y_dot)
        return self._seen[: len(self._mode)] != self._mode
