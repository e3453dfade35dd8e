"""Explicit Runge-Kutta methods of fixed step on y' = f(t, y).

Y_i = y + h sum_j A_ij k_j,     k_i = f(t + c_i h, Y_i),     y <- y + h sum_i b_i k_i
"""

from typing import NamedTuple

import numpy as np

from engine.integrators.fixed_steps import Plan, begin_step
from engine.integrators.problem import Frames
from engine.integrators.stepping import FixedStepper, OneStep
from engine.kernels import kernel, merged, nat
from engine.kernels.entries import DONE, EVERYTHING
from engine.kernels.linking import DERIVE, call

FEW = 8  # numbers of a state: loops over its few numbers would cost more than the work


class Tableau(NamedTuple):
    """The coefficients that are the method."""

    A: np.ndarray  # (n_stages, n_stages) strictly lower triangular
    b: np.ndarray  # (n_stages,)
    c: np.ndarray  # (n_stages,)


def tableau(A: list[list[float]], b: list[float]) -> Tableau:
    """A tableau from its rows; c is the sum of each row."""
    n = len(b)
    full = np.array([row + [0.0] * (n - len(row)) for row in A])
    return Tableau(full, np.array(b), full.sum(axis=1))


TABLEAUS = {
    "euler": tableau([[]], [1.0]),
    "heun": tableau([[], [1.0]], [0.5, 0.5]),
    "rk4": tableau([[], [0.5], [0.0, 0.5], [0.0, 0.0, 1.0]], [1 / 6, 1 / 3, 1 / 3, 1 / 6]),
}


@merged
def combine(n, h, weights, k, y, out):
    """out = y + h sum w_j k_j over the first n stages."""
    if y.size <= FEW:
        combine_few(n, h, weights, k, y, out)
        return
    for c in range(y.size):
        out[c] = y[c]
    for j in range(n):
        w = h * weights[j]
        if w != 0.0:
            for c in range(y.size):
                out[c] += w * k[j, c]


@merged
def combine_few(n, h, weights, k, y, out):
    """The same to the last digit for few numbers, two at a time: their sums stay in registers."""
    for pair in range(y.size // 2):
        c, d = nat(2 * pair), nat(2 * pair + 1)
        a, b = y[c], y[d]
        for j in range(n):
            w = h * weights[nat(j)]
            a += w * k[nat(j), c]
            b += w * k[nat(j), d]
        out[c] = a
        out[d] = b
    if y.size % 2 == 1:
        c = nat(y.size - 1)
        a = y[c]
        for j in range(n):
            a += h * weights[nat(j)] * k[nat(j), c]
        out[c] = a


@kernel
def advance(
    table,
    lam,
    since,
    method: Tableau,
    k,
    Y,
    frames: Frames,
    plan: Plan,
    first_step,
    n_steps,
    y,
):
    """Take n_steps from step number first_step on; changes y and the frames. k and Y are scratch.

    The frames that are due at the start of a step are written, see `begin_step`; with
    n_steps = 0 only that is done. Returns how it ended, the steps taken and the frames written.
    """
    n_frames = 0
    h = plan.h
    for n in range(max(n_steps, 1)):
        step = first_step + n
        status, t, n_frames = begin_step(
            table, step, plan, y, k[0], Y, lam, since, frames, n_frames
        )
        if status != DONE or n_steps == 0:
            return status, n, n_frames
        for i in range(1, method.b.size):
            combine(i, h, method.A[i], k, y, Y)
            call(DERIVE, table, t + method.c[i] * h, Y, k[i], Y, EVERYTHING)
        combine(method.b.size, h, method.b, k, y, Y)
        for c in range(y.size):
            y[c] = Y[c]
    return DONE, n_steps, n_frames


class Explicit(OneStep):
    """A running explicit method: its tableau and its scratch memory."""

    def __init__(self, name: str, n_y: int) -> None:
        self.tableau = TABLEAUS[name]
        self.evaluations = len(self.tableau.b)
        self.k, self.Y = np.zeros((self.evaluations, n_y)), np.zeros(n_y)

    def take(self, stepper: FixedStepper, first: int, n: int) -> tuple[int, int, int]:
        """Take n steps; changes the state and the frames of the stepper."""
        problem = stepper.problem
        return advance(
            problem.table,
            problem.lam,
            problem.since,
            self.tableau,
            self.k,
            self.Y,
            stepper.frames,
            stepper.plan,
            first,
            n,
            stepper.y,
        )
