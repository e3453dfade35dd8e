"""Backward differentiation formulas (Gear) of order 1 to 5 with fixed step on y' = f(t, y).

    y1 = sum_i a_i y_(1-i) + c h f(t1, y1)          i = 1 ... order

from the derivative at t1 of the polynomial through y1 and the last values. The first values come from RK4,
for order 5 in four shorter steps each. Where RK4 would not be stable, that is where h times an estimate of
the fastest rate is not small, they come from SDIRK4 in eight shorter steps each, because its order drops on
stiff equations, the very first in steps that double from h/1024 on: fast components decay there, and the
formula does not use the value at t = 0, which still contains them.
"""

import numpy as np

from engine.integrators.fixed_steps import Plan, begin_step
from engine.integrators.implicit import (
    EVALUATIONS,
    KEPT_C,
    N_MEMORY,
    SHARE,
    STAGES,
    count,
    one_step,
    solve_stage,
)
from engine.integrators.problem import Frames
from engine.integrators.stepping import FixedStepper
from engine.kernels import kernel
from engine.kernels.entries import DONE, EVERYTHING
from engine.kernels.linking import DERIVE, call

EIGHTHS = 8  # parts of a step of a stiff start
DOUBLINGS = 7  # of the first of them
STIFF = N_MEMORY  # in the memory: 1 for a stiff start
FAST = 0.5  # h times the fastest rate beyond which the start is implicit; RK4 is stable up to 2.8

BDF = {  # a_1 ... a_order, c
    1: (1.0, 1.0),
    2: (4 / 3, -1 / 3, 2 / 3),
    3: (18 / 11, -9 / 11, 2 / 11, 6 / 11),
    4: (48 / 25, -36 / 25, 16 / 25, -3 / 25, 12 / 25),
    5: (300 / 137, -300 / 137, 200 / 137, -75 / 137, 12 / 137, 60 / 137),
}


@kernel
def rk4_step(table, t, h, y, k, Y, n_motion, memory):
    """Take a step of RK4 from y, with k[0] = f(t, y), into Y; returns h times the fastest rate seen.

    That is |k3 - k2| / |Y3 - Y2|, the stretch between two stages at the same time; without quadratures.
    """
    for i in range(1, 4):
        part = h if i == 3 else 0.5 * h
        for n in range(y.size):
            Y[n] = y[n] + part * k[i - 1, n]
        call(DERIVE, table, t + part, Y, k[i], Y, EVERYTHING)
        memory[EVALUATIONS] += 1.0
    change = 0.0
    apart = 1e-300
    for n in range(n_motion):
        change = max(change, abs(k[2, n] - k[1, n]))
        apart = max(apart, abs(k[1, n] - k[0, n]))
    for n in range(y.size):
        Y[n] = y[n] + h / 6.0 * (k[0, n] + 2.0 * (k[1, n] + k[2, n]) + k[3, n])
    return 2.0 * change / apart


@kernel
def start(table, A, c, h, n_parts, is_first, t, y, k, g, Y, r, last, weight, floor, memory):
    """Take one of the first steps, explicitly if it is short enough for that; changes y."""
    part = h / n_parts
    for n in range(y.size):
        g[n] = y[n]
    is_slow = True
    for i in range(n_parts):
        if i > 0:
            call(DERIVE, table, t + i * part, g, k[0], Y, EVERYTHING)
            memory[EVALUATIONS] += 1.0
        rate = rk4_step(table, t + i * part, part, g, k, Y, floor.size, memory)
        if not rate < FAST:
            is_slow = False
            break
        for n in range(y.size):
            g[n] = Y[n]
    if is_slow:
        for n in range(y.size):
            y[n] = g[n]
        return DONE
    memory[STIFF] = 1.0
    at = t
    begins = DOUBLINGS if is_first else 0
    for i in range(EIGHTHS + begins):
        part = h / EIGHTHS * 0.5 ** min(max(begins - i + 1, 0), begins)
        call(DERIVE, table, at, y, k[0], Y, EVERYTHING)
        memory[EVALUATIONS] += 1.0
        status = one_step(table, A, c, part, at, y, k, g, Y, r, last, weight, floor, 0.0, memory)
        if status != DONE:
            return status
        at += part
    return DONE


@kernel
def next_value(table, formula, h, t, y, n_past, past, k, g, Y, r, last, weight, floor, memory):
    """One step of the formula; the guess is the polynomial through the last n_past values."""
    order = formula.size - 1
    for n in range(y.size):
        g[n] = 0.0
        Y[n] = 0.0
    binomial = 1.0
    for i in range(n_past):
        binomial *= -(n_past - i) / (i + 1.0)
        of_formula = formula[i] if i < order else 0.0
        for n in range(y.size):
            g[n] += of_formula * past[i, n]
            Y[n] -= binomial * past[i, n]
    share = SHARE if n_past > order else 0.0
    c = formula[order] * h
    status = solve_stage(table, t + h, c, g, Y, k, r, last, weight, floor, share, memory)
    for n in range(y.size):
        y[n] = Y[n]
    return status


@kernel
def advance(
    table,
    lam,
    since,
    formula,
    n_parts,
    A,
    c,
    past,
    k,
    g,
    Y,
    r,
    last,
    weight,
    floor,
    memory,
    frames: Frames,
    plan: Plan,
    first_step,
    n_steps,
    y,
):
    """Take n_steps from step number first_step on; changes y, the past values, the frames and scratch.

    Returns how it ended, the steps taken and the frames written; frames as in implicit.advance.
    """
    n_frames = 0
    order = formula.size - 1
    h = plan.h
    for n in range(max(n_steps, 1)):
        step = first_step + n
        status, t, n_frames = begin_step(
            table, step, plan, y, k[0], Y, lam, since, frames, n_frames
        )
        memory[EVALUATIONS] += 1.0
        if status != DONE or n_steps == 0:
            return status, n, n_frames
        for i in range(order, 0, -1):
            for m in range(y.size):
                past[i, m] = past[i - 1, m]
        for m in range(y.size):
            past[0, m] = y[m]
        if step < order - 1 + int(memory[STIFF]):
            status = start(
                table, A, c, h, n_parts, step == 0, t, y, k, g, Y, r, last, weight, floor, memory
            )
        else:
            n_past = min(order, step - int(memory[STIFF])) + 1
            status = next_value(
                table, formula, h, t, y, n_past, past, k[1], g, Y, r, last, weight, floor, memory
            )
        if status != DONE:
            return status, n, n_frames
    return DONE, n_steps, n_frames


class Multistep:
    """A running backward differentiation formula: its past values and its scratch memory."""

    evaluations = 0  # counted in the steps

    def __init__(self, order: int, n_y: int) -> None:
        self.formula = np.array(BDF[order])
        self.n_parts = 4 if order == 5 else 1
        self.A = STAGES["sdirk4"]
        self.c = self.A.sum(axis=1)
        self.values, self.k = np.zeros((order + 1, n_y)), np.zeros((len(self.A), n_y))
        self.scratch = tuple(np.zeros(n_y) for _ in range(4))
        self.weight, self.memory = np.zeros(1), np.zeros(N_MEMORY + 1)

    def past(self) -> list[np.ndarray]:
        """The past values."""
        return list(self.values)

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
            self.formula,
            self.n_parts,
            self.A,
            self.c,
            self.values,
            self.k,
            *self.scratch,
            self.weight,
            problem.floor,
            self.memory,
            stepper.frames,
            stepper.plan,
            first,
            n,
            stepper.y,
        )
        count(stepper, self.memory)
        return ended
