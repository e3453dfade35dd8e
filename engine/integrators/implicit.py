"""Implicit methods of fixed step on y' = f(t, y), and the equation that all of them solve.

    implicit Euler    y1 = y + h f(t1, y1)
    trapezoid         y1 = y + h/2 f(t, y) + h/2 f(t1, y1)
    SDIRK4            five stages of this kind; L-stable, order 4

Each repeatedly needs the solution of Y = g + c f(t, Y). A residual r = g + c f(t, Y) - Y is
corrected by delta with (1 - c J) delta = r, which `newton` of the problem finds: for a mechanism through
one sparse elimination, for any other equation with the matrix df/dy. The matrix is kept as long as few
corrections are enough. Quadratures, the numbers of Y behind those that have a floor, follow at the end.

Steep friction makes Newton's method jump to and fro across it. So after many corrections, one after which
the next, by a fresh matrix, is nearly as large is halved. A step that is not solved so is taken in parts.
"""

import math

import numpy as np

from engine.integrators.fixed_steps import Plan, begin_step
from engine.integrators.problem import Frames
from engine.integrators.stepping import FixedStepper, OneStep
from engine.kernels import kernel
from engine.kernels.entries import DONE, EVERYTHING
from engine.kernels.implicit.entries import FACTORISE, LINEARISE, NOT_CONVERGED, SOLVE
from engine.kernels.linking import DERIVE, NEWTON, call

MAX_ITERATIONS = 90
MAX_WHOLE = 30  # iterations with whole corrections
MAX_HALVINGS = 12  # of one correction
GAINS = 0.9  # of a correction: the next one must be smaller than this
MOST_PARTS = 256  # of a step
CONVERGED = 1e-13  # of floor + |y|: the error that may be left
ROUNDING = 1e-11  # of floor + |y|: a correction this small that no longer shrinks is rounding
SHARE = 1e-4  # of the error of a step that the iteration may leave
SLOW = 0.2  # corrections that shrink by less than this require a new matrix
FEW = 2  # with at most this many corrections the matrix is kept for the next step

# --- counters and data kept between steps
EVALUATIONS, SOLVES, MATRICES, KEPT_C, HALVED = range(5)
N_MEMORY = 5


@kernel
def solve_stage(table, t, c, g, Y, k, r, last, weight, floor, share, memory):
    """Find Y = g + c f(t, Y) from a first guess Y; changes Y, k = f(t, Y) of nearly that Y, and scratch.

    Corrections that shrink from d0 to d leave an error of d^2 / (d0 - d). It may be this share of the first
    correction: of the error of the guess, which for a good one is like that of the step.
    Returns whether it converged.
    """
    weight[0] = c
    tasks = SOLVE
    if memory[KEPT_C] != c:
        tasks = LINEARISE | FACTORISE | SOLVE
    before = math.inf
    enough = CONVERGED
    halvings = 0
    for n in range(MAX_ITERATIONS):
        status = call(DERIVE, table, t, Y, k, Y, EVERYTHING)
        memory[EVALUATIONS] += 1.0
        if status != DONE:
            return status
        for i in range(Y.size):
            r[i] = g[i] + c * k[i] - Y[i]
        status = call(NEWTON, table, t, Y, r, weight, tasks)
        memory[SOLVES] += 1.0
        if tasks != SOLVE:
            memory[MATRICES] += 1.0
        if status != DONE:
            return status
        size = 0.0
        for i in range(floor.size):
            part = abs(r[i]) / (floor[i] + abs(Y[i] + r[i]))
            if not part <= size:
                size = part
        is_worse = not size < GAINS * before and size > ROUNDING and tasks != SOLVE
        if is_worse and n >= MAX_WHOLE and halvings < MAX_HALVINGS:
            halvings += 1
            for i in range(Y.size):
                last[i] *= 0.5
                Y[i] -= last[i]
            continue
        if not math.isfinite(size):
            memory[KEPT_C] = 0.0
            return NOT_CONVERGED
        halvings = 0
        for i in range(Y.size):
            last[i] = r[i]
            Y[i] += r[i]
        left = size
        if n == 0:
            enough = max(CONVERGED, share * size)
        else:
            left = size * size / max(before - size, 1e-300)
        if size <= CONVERGED or (size < before and left <= enough):
            memory[KEPT_C] = c if n < FEW else 0.0
            return add_quadratures(table, t, c, g, Y, k, floor.size, memory)
        if size <= ROUNDING and size > 0.5 * before:
            memory[KEPT_C] = c
            return add_quadratures(table, t, c, g, Y, k, floor.size, memory)
        tasks = SOLVE
        if size > SLOW * before:
            tasks = LINEARISE | FACTORISE | SOLVE
        before = size
    memory[KEPT_C] = 0.0
    return NOT_CONVERGED


@kernel
def add_quadratures(table, t, c, g, Y, k, first, memory):
    """Y = g + c f(t, Y) for the numbers from `first` on, with f at the Y that was found; changes k."""
    if first < Y.size:
        status = call(DERIVE, table, t, Y, k, Y, EVERYTHING)
        memory[EVALUATIONS] += 1.0
        if status != DONE:
            return status
        for i in range(first, Y.size):
            Y[i] = g[i] + c * k[i]
    return DONE


@kernel
def one_step(table, A, c, h, t, y, k, g, Y, r, last, weight, floor, share, memory):
    """Take a step of a method with stages Y_i = y + h sum_j A_ij k_j, the last of which is the new y.

    k holds f(t, y) in its first row; a stage without diagonal entry is that. Changes y.
    """
    for i in range(A.shape[0]):
        if A[i, i] == 0.0:
            continue
        for n in range(y.size):
            total = 0.0
            for j in range(i):
                total += A[i, j] * k[j, n]
            g[n] = y[n] + h * total
            Y[n] = y[n] + h * c[i] * k[0, n] if i <= 1 else g[n] + h * A[i, i] * k[i - 1, n]
        status = solve_stage(
            table, t + c[i] * h, h * A[i, i], g, Y, k[i], r, last, weight, floor, share, memory
        )
        if status != DONE:
            return status
        for n in range(y.size):
            k[i, n] = (Y[n] - g[n]) / (h * A[i, i])
    for n in range(y.size):
        y[n] = Y[n]
    return DONE


@kernel
def in_parts(table, A, c, h, t, y, k, g, Y, r, last, weight, floor, share, memory):
    """Take a step in as few parts as its equation can be solved in; changes y. It is counted."""
    memory[HALVED] += 1.0
    part = 0.5 * h
    done = 0.0
    while done < h * (1.0 - 0.5 / MOST_PARTS):
        call(DERIVE, table, t + done, y, k[0], Y, EVERYTHING)
        memory[EVALUATIONS] += 1.0
        status = one_step(
            table, A, c, part, t + done, y, k, g, Y, r, last, weight, floor, share, memory
        )
        if status == DONE:
            done += part
        elif status != NOT_CONVERGED or part < 1.5 * h / MOST_PARTS:
            return status
        else:
            part *= 0.5
    return DONE


@kernel
def advance(
    table,
    lam,
    since,
    A,
    c,
    k,
    g,
    Y,
    r,
    last,
    weight,
    floor,
    share,
    memory,
    frames: Frames,
    plan: Plan,
    first_step,
    n_steps,
    y,
):
    """Take n_steps from step number first_step on; changes y and the frames, and scratch.

    The frames that are due at the start of a step are written, see `begin_step`; with
    n_steps = 0 only that is done. Returns how it ended, the steps taken and the frames written.
    """
    n_frames = 0
    for n in range(max(n_steps, 1)):
        step = first_step + n
        status, t, n_frames = begin_step(
            table, step, plan, y, k[0], Y, lam, since, frames, n_frames
        )
        memory[EVALUATIONS] += 1.0
        if status != DONE or n_steps == 0:
            return status, n, n_frames
        h = plan.h
        status = one_step(table, A, c, h, t, y, k, g, Y, r, last, weight, floor, share, memory)
        if status == NOT_CONVERGED:
            status = in_parts(table, A, c, h, t, y, k, g, Y, r, last, weight, floor, share, memory)
        if status != DONE:
            return status, n, n_frames
    return DONE, n_steps, n_frames


def _stages(*rows: tuple[float, ...]) -> np.ndarray:
    """The lower triangle A of a method; its last row gives the new y."""
    return np.array([[*row, *(0.0,) * (len(rows) - len(row))] for row in rows])


STAGES = {
    "implicit_euler": _stages((0.0,), (0.0, 1.0)),
    "trapezoid": _stages((0.0,), (0.5, 0.5)),
    "sdirk4": _stages(
        (0.0,),
        (0.0, 1 / 4),
        (0.0, 1 / 2, 1 / 4),
        (0.0, 17 / 50, -1 / 25, 1 / 4),
        (0.0, 371 / 1360, -137 / 2720, 15 / 544, 1 / 4),
        (0.0, 25 / 24, -49 / 48, 125 / 16, -85 / 12, 1 / 4),
    ),
}


class Implicit(OneStep):
    """A running implicit one-step method: its stages and its scratch memory."""

    evaluations = 0  # counted in the steps, see `count`

    def __init__(self, name: str, n_y: int) -> None:
        self.A = STAGES[name]
        self.share = SHARE if name == "implicit_euler" else 0.0  # for others the guess is too rough
        self.c = self.A.sum(axis=1)
        self.k = np.zeros((len(self.A), n_y))
        self.scratch = tuple(np.zeros(n_y) for _ in range(4))
        self.weight, self.memory = np.zeros(1), np.zeros(N_MEMORY)

    def forget(self) -> None:
        """Drop the matrix: it was linearised for other states."""
        self.memory[KEPT_C] = 0.0

    def take(self, stepper: FixedStepper, first: int, n: int) -> tuple[int, int, int]:
        """Take n steps; changes the state, the frames and the counts of the stepper."""
        problem = stepper.problem
        ended = advance(
            problem.table,
            problem.lam,
            problem.since,
            self.A,
            self.c,
            self.k,
            *self.scratch,
            self.weight,
            problem.floor,
            self.share,
            self.memory,
            stepper.frames,
            stepper.plan,
            first,
            n,
            stepper.y,
        )
        count(stepper, self.memory)
        return ended


def count(stepper: FixedStepper, memory: np.ndarray) -> None:
    """Pass the counts to the stepper and reset them; changes both."""
    stepper.counts.evaluations += int(memory[EVALUATIONS])
    stepper.counts.solves += int(memory[SOLVES])
    stepper.counts.halved += int(memory[HALVED])
    memory[EVALUATIONS] = memory[SOLVES] = memory[MATRICES] = memory[HALVED] = 0.0
