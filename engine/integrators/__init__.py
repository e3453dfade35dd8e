"""Integrators: a method is its tableau or its step; engine.model.methods is the catalogue."""

import numpy as np

from engine.errors import EngineError
from engine.integrators.controlled.steppers import AdaptiveStepper, RadauStepper
from engine.integrators.cromer import Cromer
from engine.integrators.direct import FAMILY, Direct
from engine.integrators.explicit import Explicit
from engine.integrators.implicit import STAGES, Implicit
from engine.integrators.libraries.sundials import Ida
from engine.integrators.multistep import Multistep
from engine.integrators.pairs import dormand_prince, dormand_prince_8
from engine.integrators.problem import Problem
from engine.integrators.stepping import FixedStepper, Grid, Stepper
from engine.kernels.linking import STEP
from engine.model.elements import Settings
from engine.model.fields import plain
from engine.model.methods import BY_NAME


def stepper_for(settings: Settings, problem: Problem, y: np.ndarray, grid: Grid) -> Stepper:
    """A run of the method in the settings, ready to advance."""
    name = settings.method
    if name in ("dopri5", "dop853"):
        pair = dormand_prince() if name == "dopri5" else dormand_prince_8()
        return AdaptiveStepper(problem, y, grid, pair, plain(settings.tolerance))
    if name == "radau":
        return RadauStepper(problem, y, grid, plain(settings.tolerance))
    if name == "ida":
        return Ida(problem, y, grid, plain(settings.tolerance))
    if name in FAMILY:
        if problem.table[STEP] == 0:
            raise EngineError(
                "'{full}' needs the constrained equations of a mechanism. Use 'bdf2' or "
                "'trapezoid' for other equations.",
                full=BY_NAME[name].full,
            )
        direct = Direct(name, len(y), problem.n_q, plain(settings.damping))
        return FixedStepper(problem, y, grid, direct)
    if name in STAGES:
        return FixedStepper(problem, y, grid, Implicit(name, len(y)))
    if name.startswith("bdf"):
        return FixedStepper(problem, y, grid, Multistep(int(name.removeprefix("bdf")), len(y)))
    if name == "euler_cromer":
        return FixedStepper(problem, y, grid, Cromer(problem, len(y)))
    return FixedStepper(problem, y, grid, Explicit(name, len(y)))
