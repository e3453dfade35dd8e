"""The observed order of a method: halve the step and see how fast the results converge.

    x(h) = x + C h^p + ...        p = log2 |x(h) - x(h/2)| / |x(h/2) - x(h/4)|

Measured against a reference instead,  p = log2 |x(h) - x| / |x(h/2) - x|.  Of several halvings p is the
slope of a straight line through the logarithms. Differences that are rounding are left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf, log2, nan
from pathlib import Path
from typing import Any

import numpy as np

from engine.compiling.system import Compiled
from engine.errors import EngineError
from engine.model.elements import Model
from engine.results.results import Results
from engine.studies.runs import (
    ROUNDING,
    Cancelled,
    Progress,
    Quantity,
    Series,
    history,
    in_steps,
    largest_difference,
    must_succeed,
    quantities,
    refuse_adaptive,
)
from engine.studies.tables import text_table, write_table

NEAR = 0.25  # an order this near to the stated one is the stated one
SETTLED = 0.5  # if the orders of two halvings differ by more, the step is still too long


@dataclass(frozen=True, slots=True)
class OrderRow:
    """The order of one quantity."""

    name: str
    unit: str
    differences: tuple[float, ...]  # between two steps, or from the reference
    orders: tuple[float, ...]  # of each halving; not a number where only rounding is left
    order: float  # of all together
    verdict: str


@dataclass(frozen=True, slots=True)
class Order:
    """The observed orders of a method on a model."""

    method: str
    stabilisation: str
    stated: int
    steps: tuple[float, ...]  # [s]
    against_reference: bool
    rows: tuple[OrderRow, ...]
    is_complete: bool  # False: cancelled

    def __getitem__(self, name: str) -> OrderRow:
        for row in self.rows:
            if row.name == name:
                return row
        raise EngineError(
            "'{name}' was not compared; there are {listed}.",
            name=name,
            listed=[r.name for r in self.rows],
        )

    def head(self) -> list[str]:
        """The titles of the columns."""
        n = len(self.rows[0].differences) if self.rows else 0
        what = "error at" if self.against_reference else "change from"
        titles = [f"{what} {h:.3g} s" for h in self.steps[:n]]
        return ["quantity", "unit", *titles, "order", "stated", "verdict"]

    def lines(self) -> list[list[Any]]:
        """The rows of the table."""
        return [
            [r.name, r.unit, *r.differences, round(r.order, 2), self.stated, r.verdict]
            for r in self.rows
        ]

    def table(self) -> str:
        """The orders as text."""
        about = f"Method {self.method}, joints kept by {self.stabilisation}."
        if not self.is_complete:
            about += " Cancelled before the end."
        return f"{about}\n{text_table(self.head(), self.lines())}"

    def write_csv(self, path: str | Path) -> None:
        """Write the table with all digits."""
        exact = [
            [r.name, r.unit, *r.differences, r.order, self.stated, r.verdict] for r in self.rows
        ]
        write_table(path, self.head(), exact)


def order(
    model: Model | Compiled,
    channels: Sequence[str] | None = None,
    *,
    steps: int = 4,
    reference: Results | None = None,
    progress: Progress | None = None,
    **changes: Any,
) -> Order:
    """Run with h, h/2, h/4 ... and fit the order of every chosen quantity.

    `channels` are names or patterns of channels, or positions, velocities, accelerations, multipliers;
    these four by default. `steps` is how many runs there are. `reference` is a far more accurate run with
    the same frames. `changes` replace settings of the model, such as `method` and `step`. Without a
    reference, runs are compared at the ends of steps alone: where the frames of the model lie within steps,
    the frames of this study do not.
    """
    series = Series(model, progress, **in_steps(model, changes))
    refuse_adaptive(series.method, "it has no order in h")
    if steps < (2 if reference is not None else 3):
        raise EngineError("An order needs three runs, or two and a reference. Ask for more steps.")
    chosen = quantities(series.compiled, channels)
    h = [series.first_step / 2**k for k in range(steps)]
    frames = series.at_ends_of_steps(h[0]) if reference is None else {}
    series.expect(2.0**steps - 1.0)
    found: list[list[np.ndarray]] = []
    try:
        for k, step in enumerate(h):
            results = series.run(2.0**k, step=step, **frames)
            must_succeed(results, f"The run with h = {step:.4g} s failed")
            found.append([history(results, one.name) for one in chosen])
    except Cancelled:
        pass
    rows = []
    for c, one in enumerate(chosen):
        values = [of_run[c] for of_run in found]
        exact = None if reference is None else history(reference, one.name)
        if exact is not None and values and len(exact) != len(values[0]):
            raise EngineError("The reference has other frames. Run it with the same output step.")
        rows.append(_row(one, values, exact, series.method.order))
    settings = series.settings
    return Order(
        *(settings.method, settings.stabilisation, series.method.order, tuple(h)),
        *(reference is not None, tuple(rows), len(found) == steps),
    )


def _row(one: Quantity, runs: list[np.ndarray], exact: np.ndarray | None, stated: int) -> OrderRow:
    """The order of one quantity."""
    if exact is None:
        differences = [largest_difference(a, b) for a, b in pairwise(runs)]
    else:
        differences = [largest_difference(a, exact) for a in runs]
    size = max((float(np.abs(a).max(initial=0.0)) for a in runs), default=0.0)
    orders = observed_orders(differences, ROUNDING * size)
    fitted = fitted_order(differences, ROUNDING * size)
    verdict = _verdict(orders, fitted, stated)
    return OrderRow(one.name, one.unit, tuple(differences), tuple(orders), fitted, verdict)


def observed_orders(differences: Sequence[float], floor: float = 0.0) -> list[float]:
    """log2 of each ratio of neighbours; not a number where one is below the floor."""
    return [log2(a / b) if min(a, b) > floor else nan for a, b in pairwise(differences)]


def fitted_order(differences: Sequence[float], floor: float = 0.0) -> float:
    """The slope of log2 differences over the halvings; not a number if fewer than two are left."""
    kept = [(k, log2(d)) for k, d in enumerate(differences) if d > floor]
    if len(kept) < 2:
        return nan
    k, logarithm = np.array(kept).T
    return float(-np.polyfit(k, logarithm, 1)[0])


def _verdict(orders: list[float], fitted: float, stated: int) -> str:
    """What the numbers say, in words."""
    seen = [p for p in orders if p == p]
    if not seen:
        return "only rounding is left: exact for this model, or use a longer step"
    if max(seen, default=inf) - min(seen) > SETTLED:
        return "not settled: use a shorter step"
    if abs(fitted - stated) <= NEAR:
        return "as stated"
    return "higher than stated" if fitted > stated else "lower than stated"
