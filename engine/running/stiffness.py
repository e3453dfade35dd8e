"""While a run goes on: whether the model has become stiff, and the method that suits it then.

`auto` begins with Dormand-Prince 8. Where h |lam| is above 1.5 in most of 30 steps, stability keeps its
steps short: Radau IIA goes on from there. A law that changes its branch, as a contact does, may end that:
then Dormand-Prince goes on.
"""

import numpy as np

from engine.integrators.controlled.steppers import (
    AdaptiveStepper,
    ControlledStepper,
    RadauStepper,
)
from engine.integrators.pairs import dormand_prince_8
from engine.integrators.problem import Problem
from engine.integrators.stepping import Grid, Stepper
from engine.model.elements import Settings
from engine.model.fields import plain
from engine.results.blocks import Statistics

MOST_UNKNOWNS = 120  # of Radau, whose matrices are dense
COARSER, COARSEST = (
    1e4,
    1e-3,
)  # its tolerance over that of Dormand-Prince, for errors of the same size


def tolerance_of_radau(tolerance: float) -> float:
    """The tolerance at which Radau ends with about the error of Dormand-Prince 8 at this one."""
    return max(tolerance, min(COARSER * tolerance, COARSEST))


class StiffWatch:
    """Exchanges the method of a run that was left to the program."""

    def __init__(self, settings: Settings, problem: Problem, grid: Grid, stepper: Stepper) -> None:
        self._settings, self._problem, self._grid = settings, problem, grid
        self._tolerance = plain(settings.tolerance)
        self._watches = settings.method == "dop853" and len(problem.floor) <= MOST_UNKNOWNS
        if self._watches and isinstance(stepper, ControlledStepper):
            stepper.watch_stiffness()

    def follow(self, stepper: Stepper, statistics: Statistics) -> Stepper:
        """The method to go on with; changes the statistics where it is another one."""
        if not self._watches or stepper.is_finished:
            return stepper
        other: ControlledStepper | None = None
        if isinstance(stepper, AdaptiveStepper) and stepper.has_become_stiff:
            tolerance = tolerance_of_radau(self._tolerance)
            other = RadauStepper(self._problem, stepper.y, self._grid, tolerance, stepper)
            if np.isnan(statistics.stiff_since):
                statistics.stiff_since = stepper.t
        elif isinstance(stepper, RadauStepper) and stepper.has_changed:
            pair = dormand_prince_8()
            other = AdaptiveStepper(
                self._problem, stepper.y, self._grid, pair, self._tolerance, stepper
            )
        if other is None:
            return stepper
        other.watch_stiffness()
        return other
