"""How well a run kept its energy: what T + V - W leaves open, beside the energy that was exchanged.

The initial energy says nothing about the size of an error: it may be zero, and potential energy has any
zero. The largest of the kinetic energy, the change of the potential energy and the work of each element is
what the motion is about.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.errors import say
from engine.model.methods import BY_NAME

if TYPE_CHECKING:
    from engine.results.results import Results

PLAUSIBLE = 1e-3  # of the energy exchanged: an error that a method of fixed step should not exceed
WRONG = 0.05  # of the energy exchanged: a motion with such an error is another one
REST = 1e-9  # [1/s] speed, in lengths of the model, of something that is at rest
ROUNDING = 1e-10  # of the potential energy: a smaller change of it is at rest too


class Balance(NamedTuple):
    """The work balance of a run."""

    error: float  # the largest |T + V - W| less its value at the start    [J]
    exchanged: float  # the largest energy that was moved; 0 at rest       [J]
    promised: float  # the share of it that the method may lose

    @property
    def share(self) -> float:
        """The error relative to the energy exchanged; 0 at rest."""
        return self.error / self.exchanged if self.exchanged > 0.0 else 0.0

    @property
    def sentence(self) -> str:
        """How well the balance closes, in words."""
        if self.exchanged == 0.0:
            return say("nothing moves")
        return say(
            "error {error:.2g} J of {exchanged:.3g} J exchanged ({share:.2g})",
            error=self.error,
            exchanged=self.exchanged,
            share=self.share,
        )


def balance_of(results: "Results") -> Balance:
    """The work balance over all frames."""
    if not len(results):
        return Balance(0.0, 0.0, PLAUSIBLE)
    compiled = results.compiled
    works = np.column_stack([results.work, results.hand])
    with np.errstate(invalid="ignore", over="ignore"):  # a run that diverged
        T, V = results["kinetic_energy"], results["potential_energy"]
        error = np.abs(results["energy_drift"]).max()
        moved = max(T.max(), np.ptp(V), np.abs(works - works[0]).max())
        least = compiled.mass.sum() * (REST * compiled.length) ** 2 + ROUNDING * np.abs(V).max()
    return Balance(float(error), 0.0 if moved <= least else float(moved), _promised(results))


def _promised(results: "Results") -> float:
    """The share that a method may lose: with step control a tolerance in every step."""
    method, counted = BY_NAME.get(results.settings.method), results.statistics
    if method is None or method.is_fixed or counted is None:
        return PLAUSIBLE
    return min(PLAUSIBLE, float(results.settings.tolerance) * max(counted.steps, 1))
