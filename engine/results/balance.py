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


class Exchange(NamedTuple):
    """What some frames of a run in a row have moved; those of further frames can be joined to it."""

    error: float = 0.0  # the largest |T + V - W| less its value at the start   [J]
    T: float = 0.0  # the largest kinetic energy                              [J]
    V: tuple[float, float] = (np.inf, -np.inf)  # the range of potential energy [J]
    work: float = 0.0  # the largest work of an element                        [J]

    def joined(self, other: "Exchange") -> "Exchange":
        """That of the frames of both."""
        return Exchange(
            float(np.maximum(self.error, other.error)),  # a number that is none stays
            float(np.maximum(self.T, other.T)),
            (
                float(np.minimum(self.V[0], other.V[0])),
                float(np.maximum(self.V[1], other.V[1])),
            ),
            float(np.maximum(self.work, other.work)),
        )


def exchange_of(results: "Results", start: np.ndarray | None = None) -> Exchange:
    """What the frames have moved since the works were `start`: those of the first frame unless given."""
    works = works_of(results)
    with np.errstate(invalid="ignore", over="ignore"):  # a run that diverged
        T, V = results["kinetic_energy"], results["potential_energy"]
        return Exchange(
            float(np.abs(results["energy_drift"]).max()),
            float(T.max()),
            (float(V.min()), float(V.max())),
            float(np.abs(works - (works[0] if start is None else start)).max()),
        )


def works_of(results: "Results") -> np.ndarray:
    """The works of the elements and of the hand, (n, n_work + 1)."""
    return np.column_stack([results.work, results.hand])


def balance_of(results: "Results", exchange: Exchange | None = None) -> Balance:
    """The work balance over all frames, or from what was measured of them piece by piece."""
    if exchange is None:
        if not len(results):
            return Balance(0.0, 0.0, PLAUSIBLE)
        exchange = exchange_of(results)
    compiled, (low, high) = results.compiled, exchange.V
    with np.errstate(invalid="ignore", over="ignore"):
        moved = max(exchange.T, high - low, exchange.work)
        rest = compiled.mass.sum() * (REST * compiled.length) ** 2
        least = rest + ROUNDING * max(abs(low), abs(high))
    exchanged = 0.0 if moved <= least else float(moved)
    return Balance(exchange.error, exchanged, _promised(results))


def _promised(results: "Results") -> float:
    """The share that a method may lose: with step control a tolerance in every step."""
    method, counted = BY_NAME.get(results.settings.method), results.statistics
    if method is None or method.is_fixed or counted is None:
        return PLAUSIBLE
    return min(PLAUSIBLE, float(results.settings.tolerance) * max(counted.steps, 1))
