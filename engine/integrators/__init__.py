"""Integrators: a method is its tableau or its step; this is the catalogue of them all."""

from typing import NamedTuple

import numpy as np

from engine.errors import EngineError
from engine.fields import plain
from engine.integrators.adaptive import AdaptiveStepper, dormand_prince, dormand_prince_8
from engine.integrators.direct import FAMILY, Direct
from engine.integrators.explicit import Explicit
from engine.integrators.implicit import STAGES, Implicit
from engine.integrators.multistep import Multistep
from engine.integrators.problem import Problem
from engine.integrators.radau import Radau
from engine.integrators.stepping import FixedStepper, Grid, Stepper
from engine.integrators.sundials import Ida
from engine.kernels.linking import STEP
from engine.model import Settings

EXTERNAL = {"ida": Ida, "radau": Radau}


class Method(NamedTuple):
    """What is known of a method."""

    name: str
    title: str
    order: int
    is_fixed: bool = True  # of fixed step
    is_stiff: bool = False  # implicit: stable with steps longer than the fastest motion
    is_direct: bool = False  # on the constrained equations themselves, not on an ODE made of them

    @property
    def has_tangents(self) -> bool:
        """Whether it needs the tangents of engine.elimination."""
        return self.is_fixed and self.is_stiff


METHODS = (
    Method("rk4", "Runge-Kutta 4", 4),
    Method("heun", "Heun (Runge-Kutta 2)", 2),
    Method("euler", "explicit Euler", 1),
    Method("euler_cromer", "Euler-Cromer (semi-implicit Euler)", 1),
    Method("implicit_euler", "implicit Euler", 1, is_stiff=True),
    Method("trapezoid", "implicit trapezoid", 2, is_stiff=True),
    Method("bdf1", "Gear 1", 1, is_stiff=True),
    Method("bdf2", "Gear 2", 2, is_stiff=True),
    Method("bdf3", "Gear 3", 3, is_stiff=True),
    Method("bdf4", "Gear 4", 4, is_stiff=True),
    Method("bdf5", "Gear 5", 5, is_stiff=True),
    Method("trapezoid_index3", "trapezoid of index 3", 2, is_stiff=True, is_direct=True),
    Method("generalised_alpha", "generalised-alpha", 2, is_stiff=True, is_direct=True),
    Method(
        "generalised_alpha_index2", "generalised-alpha of index 2", 2, is_stiff=True, is_direct=True
    ),
    Method("hht", "HHT-alpha", 2, is_stiff=True, is_direct=True),
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
    if name in FAMILY:
        if problem.table[STEP] == 0:
            raise EngineError(
                f"'{BY_NAME[name].title}' needs the constrained equations of a mechanism. Use 'bdf2' or "
                "'trapezoid' for other equations."
            )
        direct = Direct(name, len(y), problem.n_q, plain(settings.damping))
        return FixedStepper(problem, y, grid, direct)
    if name in STAGES:
        return FixedStepper(problem, y, grid, Implicit(name, len(y)))
    if name.startswith("bdf"):
        return FixedStepper(problem, y, grid, Multistep(int(name.removeprefix("bdf")), len(y)))
    return FixedStepper(problem, y, grid, Explicit(name, len(y), problem.n_q))
