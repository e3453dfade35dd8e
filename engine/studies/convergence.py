"""Is the step short enough? The 5 % rule, what it does not say, and error bands by Richardson.

    Delta = (x(h1) / x(h2) - 1) 100 %          accepted if |Delta| < 5 %          h1 > h2 > h3

The rule is a convention with three pitfalls, and a warning is given for each that applies:

1. Delta is not a bound of the error. With r = h1/h2 the error left in x(h2) is about Delta / (r^p - 1): for
   a method of first order and halving that is Delta itself, and with nearly equal steps many times more.
2. Where x passes through zero the ratio is meaningless. Then |x(h1) - x(h2)| / max |x| is used instead.
3. The time of comparison must be a whole multiple of every step, or values are interpolated.

With x(h) = x + C h^p the order p follows from three steps, and the error of the finest run from

    x(h3) - x = (x(h2) - x(h3)) h3^p / (h2^p - h3^p)              in every frame: a band
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from engine.compiling.system import Compiled
from engine.errors import EngineError
from engine.model.elements import Model
from engine.results.results import Results
from engine.studies.pictures import COLOURS, Area, Chart, Curve, figure
from engine.studies.runs import (
    ROUNDING,
    Cancelled,
    Progress,
    Quantity,
    Series,
    history,
    in_steps,
    must_succeed,
    quantities,
    refuse_adaptive,
)
from engine.studies.tables import text_table, write_table

LIMIT = 5.0  # [%] of the rule
NEAR_ZERO = 0.05  # of the largest value: smaller ones are near a zero crossing
STRANGE = 0.5  # how far an order may be from the stated one before it is distrusted
ORDERS = (0.05, 14.0)  # bounds for the order


@dataclass(frozen=True, slots=True)
class Band:
    """A channel of the finest run, and how far it may be off by Richardson's estimate."""

    t: np.ndarray  # (n,)           [s]
    value: np.ndarray  # (n,)
    error: np.ndarray  # (n,)       estimated |error| of the value


@dataclass(frozen=True, slots=True)
class ConvergenceRow:
    """How one channel converges at one time."""

    name: str
    unit: str
    t: float  # [s]
    values: tuple[float, ...]  # at t, of each step
    deltas: tuple[float, ...]  # [%] of each pair of steps
    shares: tuple[float, ...]  # [%] |change| of each pair, of the largest value of the run
    order: float  # seen at this time, or the stated one
    error: float  # estimated |error| of the finest value
    is_accepted: bool  # by the rule
    warnings: tuple[str, ...]
    band: Band


@dataclass(frozen=True, slots=True)
class Convergence:
    """How the channels of a model converge as the step shrinks."""

    method: str
    stabilisation: str
    steps: tuple[float, ...]  # [s]
    limit: float  # [%]
    rows: tuple[ConvergenceRow, ...]
    warnings: tuple[str, ...]  # that concern all channels
    is_complete: bool  # False: cancelled

    @property
    def is_accepted(self) -> bool:
        """Whether all channels pass the rule."""
        return self.is_complete and all(row.is_accepted for row in self.rows)

    def head(self) -> list[str]:
        """The titles of the columns."""
        pairs = pairwise(self.steps)
        titles = [f"Delta {a:.3g}/{b:.3g} s [%]" for a, b in pairs]
        values = [f"h = {h:.3g} s" for h in self.steps]
        return ["channel", "unit", "t [s]", *values, *titles, "order", "error left", "accepted"]

    def lines(self) -> list[list[Any]]:
        """The rows of the table."""
        return [
            [r.name, r.unit, r.t, *r.values, *r.deltas, r.order, r.error, r.is_accepted]
            for r in self.rows
        ]

    def table(self) -> str:
        """The table as text, with the warnings below."""
        lines = self.lines()
        for line in lines:
            n = len(self.steps)
            line[3 : 3 + n] = [f"{value:.6g}" for value in line[3 : 3 + n]]
            line[-3] = f"{line[-3]:.2f}"
        about = (
            f"Method {self.method}, joints kept by {self.stabilisation}, limit {self.limit:g} %."
        )
        told = [f"{row.name}: {warning}" for row in self.rows for warning in row.warnings]
        return "\n".join([about, text_table(self.head(), lines), *self.warnings, *told])

    def picture(self) -> str:
        """The channels of the finest run with their error bands, as SVG."""
        charts = []
        for row in self.rows:
            band = row.band
            low, high = band.value - band.error, band.value + band.error
            there_and_back = (
                np.concatenate([band.t, band.t[::-1]]),
                np.concatenate([low, high[::-1]]),
            )
            areas = [Area("estimated error", [np.column_stack(there_and_back)], COLOURS[1])]
            values = Curve("finest run", band.t, band.value, has_markers=False, colour=COLOURS[0])
            error = Curve(
                "estimated error", band.t, band.error, has_markers=False, colour=COLOURS[1]
            )
            unit = f" [{row.unit}]" if row.unit else ""
            charts.append(Chart("t [s]", f"{row.name}{unit}", [values], areas))
            charts.append(Chart("t [s]", f"error of {row.name}{unit}", [error], log_y=True))
        return figure(
            charts, f"Error bands by Richardson: {self.method}, h = {self.steps[-1]:.3g} s"
        )

    def write_csv(self, path: str | Path) -> None:
        """Write the table with all digits."""
        write_table(path, self.head(), self.lines())


def converge(
    model: Model | Compiled,
    channels: Sequence[str],
    *,
    steps: Sequence[float] | int = 3,
    at: float | None = None,
    limit: float = LIMIT,
    progress: Progress | None = None,
    **changes: Any,
) -> Convergence:
    """Run with ever shorter steps and judge the chosen channels by the 5 % rule and by Richardson.

    `steps` is how often h is tried, each time halved, or the steps themselves. `at` is the time of
    comparison; by default, for each channel, the frame where it changes fastest. `changes` replace settings
    of the model.
    """
    series = Series(model, progress, **in_steps(model, changes))
    refuse_adaptive(series.method, "its step cannot be shortened")
    _refuse_nonsense(at, limit, float(series.settings.t_end))
    if not channels:
        raise EngineError("Choose the channels that shall be judged, such as '*.angle'.")
    chosen = quantities(series.compiled, channels)
    h = _steps(series, steps)
    series.expect(sum(1.0 / step for step in h))
    runs: list[Results] = []
    try:
        for step in h:
            results = series.run(1.0 / step, step=step)
            must_succeed(results, f"The run with h = {step:.4g} s failed")
            runs.append(results)
    except Cancelled:
        pass
    rows = []
    if len(runs) > 1:
        for one in chosen:
            found = [history(results, one.name) for results in runs]
            if found[0].shape[1] > 1:
                raise EngineError(
                    "'{one}' is many numbers. Choose channels, one by one.", one=one.name
                )
            histories = np.array([values[:, 0] for values in found])
            rows.append(_row(one, runs[0].t, histories, h, at, limit, series.method.order))
    settings = series.settings
    return Convergence(
        *(settings.method, settings.stabilisation, h, limit, tuple(rows)),
        *(_misfits(series, h, at, runs), len(runs) == len(h)),
    )


def _refuse_nonsense(at: float | None, limit: float, t_end: float) -> None:
    """Raise for a time outside the run, and for a limit that nothing can meet."""
    if at is not None and not 0.0 <= at <= t_end:
        raise EngineError(
            "The run goes from 0 to {t_end:g} s and cannot be compared at t = {at:g} s. Choose a time "
            "within it.",
            t_end=t_end,
            at=at,
        )
    if not 0.0 < limit < np.inf:
        raise EngineError(
            "The limit of {limit:g} % can never be met. Choose a number above 0.", limit=limit
        )


def _steps(series: Series, steps: Sequence[float] | int) -> tuple[float, ...]:
    """The steps that are asked for, the longest first."""
    if isinstance(steps, int):
        asked = tuple(series.first_step / 2**k for k in range(steps))
    else:
        asked = tuple(sorted((float(step) for step in steps), reverse=True))
    if len(asked) < 2 or not min(asked) > 0.0:
        raise EngineError("Two steps or more are needed, all longer than zero.")
    if len(set(asked)) < len(asked):
        raise EngineError("Two of these steps are the same. Give each of them once.")
    return asked


def _misfits(
    series: Series, h: tuple[float, ...], at: float | None, runs: list[Results]
) -> tuple[str, ...]:
    """The third pitfall: steps and times that do not match."""
    told = []
    for step in h:
        if series.at_ends_of_steps(step):
            told.append(
                f"The time between frames is no whole multiple of h = {step:g} s: values between the ends "
                "of its steps are those of a cubic through them, with an error of its own like h^4."
            )
    if at is not None and runs:
        nearest = float(runs[0].t[runs[0].frame_at(at)])
        if abs(nearest - at) > 1e-9 * max(abs(at), 1.0):
            told.append(
                f"There is no frame at t = {at:g} s: t = {nearest:g} s was taken. Choose an output step "
                "of which it is a whole multiple."
            )
    return tuple(told)


def _row(
    one: Quantity,
    t: np.ndarray,
    x: np.ndarray,
    h: tuple[float, ...],
    at: float | None,
    limit: float,
    stated: int,
) -> ConvergenceRow:
    """Judge one channel, x (n_steps, n_frames)."""
    h = h[: len(x)]
    n = _fastest(t, x[-1]) if at is None else int(np.abs(t - at).argmin())
    size = float(np.abs(x[-1]).max())
    values = tuple(map(float, x[:, n]))
    deltas = tuple(100.0 * (a / b - 1.0) if b else np.inf for a, b in pairwise(values))
    shares = tuple(100.0 * abs(a - b) / size if size else 0.0 for a, b in pairwise(values))
    p, is_seen = seen_order(values, h, stated, ROUNDING * size)
    factor = left_over(h[-2], h[-1], p)
    error = abs(values[-2] - values[-1]) * factor
    near_zero = abs(values[-1]) <= NEAR_ZERO * size
    judged = shares[-1] if near_zero else abs(deltas[-1])
    warnings = _warnings(judged, error, size if near_zero else abs(values[-1]), near_zero, limit)
    if not is_seen and len(x) > 2:
        warnings.append(
            f"No order can be seen at t = {t[n]:g} s, so the stated {stated} is assumed: the steps are too "
            "long for one, or only rounding is left."
        )
    band = Band(t, x[-1], np.abs(x[-2] - x[-1]) * factor)
    return ConvergenceRow(
        *(one.name, one.unit, float(t[n]), values, deltas, shares, p, error),
        *(judged < limit, tuple(warnings), band),
    )


def _warnings(judged: float, error: float, size: float, near_zero: bool, limit: float) -> list[str]:
    """The first and the second pitfall, where they apply."""
    told = []
    if near_zero and size:
        told.append(
            "the value is near a zero crossing, where Delta means nothing. It was judged by its change "
            f"of {judged:.2g} % of the largest value instead."
        )
    left = 100.0 * error / size if size else 0.0
    if left > 0.8 * judged and left > 1e-3:
        told.append(
            f"the rule is no error bound. The last change is {judged:.2g} %, the error left is about "
            f"{left:.2g} %" + (", which is beyond the limit." if left >= limit > judged else ".")
        )
    return told


def _fastest(t: np.ndarray, x: np.ndarray) -> int:
    """The frame in which x changes fastest; never the first, where all runs agree."""
    if len(t) < 3:
        return len(t) - 1
    return 1 + int(np.abs(np.gradient(x, t))[1:].argmax())


def seen_order(
    x: Sequence[float], h: Sequence[float], stated: int, floor: float = 0.0
) -> tuple[float, bool]:
    """p of x(h) = x + C h^p through the last three values, and True; else the stated one, and False.

    (h1^p - h2^p) / (h2^p - h3^p) = (x1 - x2) / (x2 - x3)
    """
    if len(x) < 3:
        return float(stated), False
    (x1, x2, x3), (h1, h2, h3) = x[-3:], h[-3:]
    if min(abs(x1 - x2), abs(x2 - x3)) <= floor:
        return float(stated), False
    ratio = (x1 - x2) / (x2 - x3)

    def misfit(p: float) -> float:
        return float((h1**p - h2**p) / (h2**p - h3**p)) - ratio

    if misfit(ORDERS[0]) * misfit(ORDERS[1]) > 0.0:
        return float(stated), False
    from scipy.optimize import brentq  # a tenth of a second to import

    p = float(brentq(misfit, *ORDERS))
    is_believed = abs(p - stated) < max(STRANGE, 0.5 * stated)
    return (p, True) if is_believed else (float(stated), False)


def left_over(h1: float, h2: float, p: float) -> float:
    """The error left in x(h2), relative to |x(h1) - x(h2)|."""
    return float(1.0 / ((h1 / h2) ** p - 1.0))
