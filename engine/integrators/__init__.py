"""Integrators: a method is its tableau or its step; this is the catalogue of them all."""

from typing import NamedTuple

import numpy as np

from engine.fields import plain
from engine.integrators.adaptive import AdaptiveStepper, dormand_prince, dormand_prince_8
from engine.integrators.explicit import Explicit
from engine.integrators.problem import Problem
from engine.integrators.radau import Radau
from engine.integrators.stepping import FixedStepper, Grid, Stepper
from engine.integrators.sundials import Ida
from engine.model import Settings

EXTERNAL = {"ida": Ida, "radau": Radau}


class Method(NamedTuple):
    """What is known of a method."""

    name: str
    title: str
    order: int
    is_fixed: bool = True  # of fixed step
    is_stiff: bool = False  # stable with steps longer than the fastest motion


METHODS = (
    Method("rk4", "Runge-Kutta 4", 4),
    Method("heun", "Heun (Runge-Kutta 2)", 2),
    Method("euler", "explicit Euler", 1),
    Method("euler_cromer", "Euler-Cromer (semi-implicit Euler)", 1),
    Method("dopri5", "Dormand-Prince 5(4)", 5, is_fixed=False),
    Method("dop853", "Dormand-Prince 8(5,3)", 8, is_fixed=False),
    Method("ida", "IDA, BDF of variable order", 5, is_fixed=False, is_stiff=True),
    Method("radau", "Radau IIA", 5, is_fixed=False, is_stiff=True),
)
BY_NAME = {method.name: method for method in METHODS}


def stepper_for(settings: Settings, problem: Problem, y: np.ndarray, grid: Grid) -> Stepper:
    """A run of the method in the settings, ready to advance."""
    name = settings.method
    if name in ("dopri5", "dop853"):
        pair = dormand_prince() if name == "dopri5" else dormand_prince_8()
        return AdaptiveStepper(problem, y, grid, pair, plain(settings.tolerance))
    if name in EXTERNAL:
        return EXTERNAL[name](problem, y, grid, plain(settings.tolerance))
    return FixedStepper(problem, y, grid, Explicit(name, len(y), problem.n_q))
