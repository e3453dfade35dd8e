"""Methods that treat the constrained equations of a mechanism directly, without reducing them to an ODE.

    trapezoid of index 3, generalised-alpha of index 3 and of index 2, HHT-alpha

All are one family of four parameters, see `step` in engine.kernels.implicit.entries. After each step the
velocity is projected, and accelerations and multipliers are computed from the equations of motion, so they
do not ring. Quadratures follow the trapezoidal rule, which has the order of these methods.

Generalised-alpha after Chung and Hulbert, by the spectral radius rho at infinite frequency (1: no damping,
0: all high frequencies gone in one step):

    alpha_m = (2 rho - 1)/(rho + 1)    alpha_f = rho/(rho + 1)
    gamma = 1/2 + alpha_f - alpha_m    beta = (gamma + 1/2)^2 / 4

HHT-alpha after Hilber, Hughes and Taylor:  alpha_m = 0, alpha_f = alpha in 0 ... 1/3, gamma and beta alike.
"""

from collections.abc import Callable

import numpy as np

from engine.integrators.fixed_steps import Plan, begin_step
from engine.integrators.problem import Frames
from engine.integrators.stepping import FixedStepper, OneStep
from engine.kernels import kernel
from engine.kernels.entries import DONE, EVERYTHING
from engine.kernels.implicit.entries import (
    ALPHA_F,
    ALPHA_M,
    BETA,
    GAMMA,
    ITERATIONS,
    LEVEL,
    N_PARAMETERS,
    H,
)
from engine.kernels.layout import POSITION, VELOCITY
from engine.kernels.linking import DERIVE, STEP, call


@kernel
def advance(
    table,
    lam,
    since,
    n_q,
    n_motion,
    parameters,
    memory,
    y_dot,
    y_dot_end,
    frames: Frames,
    plan: Plan,
    first_step,
    n_steps,
    y,
):
    """Take n_steps from step number first_step on; changes y, the memory and the frames.

    Returns how it ended, the steps taken and the frames written; frames as in implicit.advance.
    """
    n_frames = 0
    for n in range(max(n_steps, 1)):
        step = first_step + n
        status, t, n_frames = begin_step(
            table, step, plan, y, y_dot, y_dot, lam, since, frames, n_frames
        )
        if status != DONE or n_steps == 0:
            return status, n, n_frames
        if step == 0:
            for k in range(n_motion - n_q):
                memory[k] = y_dot[n_q + k]
        status = call(STEP, table, t, y, memory, parameters, 0)
        if status != DONE:
            return status, n, n_frames
        if n_motion < y.size:
            call(DERIVE, table, t + plan.h, y, y_dot_end, y_dot_end, EVERYTHING)
            for k in range(n_motion, y.size):
                y[k] += 0.5 * plan.h * (y_dot[k] + y_dot_end[k])
    return DONE, n_steps, n_frames


def chung_hulbert(rho: float) -> tuple[float, float]:
    """alpha_m and alpha_f of the generalised-alpha method for a spectral radius rho."""
    return (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)


# alpha_m and alpha_f by the amount of damping, 0 ... 1, and the level at which constraints are kept
FAMILY: dict[str, tuple[Callable[[float], tuple[float, float]], int]] = {
    "trapezoid_index3": (lambda damping: (0.0, 0.0), POSITION),
    "generalised_alpha": (lambda damping: chung_hulbert(1.0 - damping), POSITION),
    "generalised_alpha_index2": (lambda damping: chung_hulbert(1.0 - damping), VELOCITY),
    "hht": (lambda damping: (0.0, damping / 3.0), POSITION),
}


class Direct(OneStep):
    """A running direct method: its parameters and its scratch memory.

    `damping` goes from 0, none, to 1: rho = 1 - damping, or alpha = damping/3 for HHT.
    """

    evaluations = 1  # after each step; those of its iterations are counted separately

    def __init__(self, name: str, n_y: int, n_q: int, damping: float = 0.2) -> None:
        of_damping, level = FAMILY[name]
        alpha_m, alpha_f = of_damping(damping)
        gamma = 0.5 + alpha_f - alpha_m
        self.parameters = np.zeros(N_PARAMETERS)
        self.parameters[[ALPHA_M, ALPHA_F]] = alpha_m, alpha_f
        self.parameters[[GAMMA, BETA]] = gamma, 0.25 * (gamma + 0.5) ** 2
        self.parameters[LEVEL] = level
        self.memory = np.zeros(4 * (n_y - n_q))
        self.y_dot, self.y_dot_end = np.zeros(n_y), np.zeros(n_y)

    def take(self, stepper: FixedStepper, first: int, n: int) -> tuple[int, int, int]:
        """Take n steps; changes the state, the frames and the counts of the stepper."""
        problem, parameters = stepper.problem, self.parameters
        parameters[H] = stepper.plan.h
        ended = advance(
            problem.table,
            problem.lam,
            problem.since,
            problem.n_q,
            len(problem.floor),
            parameters,
            self.memory,
            self.y_dot,
            self.y_dot_end,
            stepper.frames,
            stepper.plan,
            first,
            n,
            stepper.y,
        )
        stepper.counts.evaluations += int(parameters[ITERATIONS])
        stepper.counts.solves += int(parameters[ITERATIONS])
        parameters[ITERATIONS] = 0.0
        return ended
