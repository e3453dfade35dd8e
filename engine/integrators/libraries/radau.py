"""Radau IIA of order five: an implicit Runge-Kutta method of variable step, by scipy.

It works on the equations of index 1, y' = (q_dot, a, z_dot), and after every step the state
is corrected according to the stabilisation. It is meant for comparison: stiff springs are no problem, but
each of its steps costs a Jacobian of the whole mechanism or solves with an old one.
"""

from typing import Any

import numpy as np

from engine.integrators.adaptive import TOO_SMALL
from engine.integrators.libraries.external import NOT_YET, External
from engine.integrators.problem import Problem
from engine.integrators.stepping import Grid
from engine.kernels.entries import DONE, EVERYTHING
from engine.kernels.linking import CORRECT, DERIVE

FAILED = "failed"  # its name in scipy
N_STAGES = 3
SHORTER, SHORTEST = 0.1, 1e-9  # of the longest step, where a longer one could not be computed
FLOOR = 1e-13  # the smallest relative tolerance; below, scipy would warn of rounding


class Radau(External):
    """A run by scipy's Radau."""

    def __init__(self, problem: Problem, y: np.ndarray, grid: Grid, tolerance: float) -> None:
        super().__init__(problem, y, grid, tolerance)
        self._n_stages, self._first_stage = (
            0,
            -np.inf,
        )  # stages since the step began, time of the first
        self._longest = self.longest_step
        self.start()

    def start(self) -> None:
        """Start scipy's solver at (t, y)."""
        from scipy.integrate import Radau as Solver

        self._solver = Solver(
            self._right_side,
            self.t,
            self.y[: self.n_motion].copy(),
            float(self.times[-1]),
            rtol=max(self.tolerance, FLOOR),
            atol=self.tolerance * self.problem.floor,
            max_step=self._longest,
        )
        self._dense: Any = lambda _: self._solver.y

    def take_step(self) -> int:
        """Take one step and correct the state after it; one that cannot be computed is shortened."""
        solver = self._solver
        self._n_stages, self._first_stage = 0, -np.inf
        solver.t_bound = self.bound
        try:
            with np.errstate(all="ignore"):  # what is not finite is found below
                solver.step()
        except (
            ValueError,
            ArithmeticError,
        ):  # numbers that are not finite reach its linear algebra
            return self._shorten_or_give_up()
        if solver.status == FAILED:
            return self._give_up()
        self.counts.steps += 1
        self._longest = solver.max_step = min(self._longest / SHORTER, self.longest_step)
        self.t = float(solver.t)
        if self.t < self.times[-1]:
            solver.status = "running"  # it ended at a kink and goes on
        self._dense = solver.dense_output()
        corrected = solver.y.copy()
        status = self.call(CORRECT, self.t, corrected)
        if status != DONE:
            self.y[: self.n_motion] = corrected
        elif solver.status == "running":
            solver.y, solver.f = corrected, self._right_side(self.t, corrected)
        return status

    def _shorten_or_give_up(self) -> int:
        """Start again at the last state with shorter steps; give up where they are too short."""
        self.y[: self.n_motion] = self._solver.y
        self._longest *= SHORTER
        if self._longest < SHORTEST * self.longest_step:
            return self._give_up()
        self.counts.rejected += 1
        self.start()
        return NOT_YET

    def _give_up(self) -> int:
        """How the run ended at the last state; changes y."""
        self.y[: self.n_motion] = self._solver.y
        status = self.call(CORRECT, self.t, self.y)
        return TOO_SMALL if status == DONE else status

    def state_at(self, t: float) -> np.ndarray:
        """The state at a time within the last step, from the polynomial of its stages."""
        return np.asarray(self._solver.y if t == self._solver.t else self._dense(t))

    def _right_side(self, t: float, y: np.ndarray) -> np.ndarray:
        """y' = f(t, y). A first stage earlier than the one before means that a step was rejected."""
        self.counts.evaluations += 1
        if t > self.t:
            if self._n_stages % N_STAGES == 0:
                self.counts.rejected += int(t < self._first_stage)
                self._first_stage = t
            self._n_stages += 1
        y_dot = np.empty(len(self.y))
        self.call(DERIVE, t, np.ascontiguousarray(y), y_dot, EVERYTHING)
        return y_dot[: self.n_motion]
