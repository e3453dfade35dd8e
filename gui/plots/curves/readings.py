"""Numbers read off a curve: extremes, mean and root of the mean square over time, slope."""

from typing import NamedTuple

import numpy as np

from gui.plots.columns import Column


class Reading(NamedTuple):
    """The extremes of a curve and when they are reached, its mean and its effective value."""

    high: float
    t_high: float
    low: float
    t_low: float
    mean: float
    rms: float


def reading(t: np.ndarray, values: np.ndarray) -> Reading | None:
    """What is read off a curve; None without two values.

    Between frames the curve is straight, as it is drawn:

        mean = int y dt / T        rms^2 = int y^2 dt / T = sum dt (y0^2 + y0 y1 + y1^2) / (3 T)
    """
    y = values
    if not (good := np.isfinite(y)).all():
        t, y = t[good], y[good]
    if len(t) < 2 or not t[-1] > t[0]:
        return None
    dt, span = np.diff(t), t[-1] - t[0]
    top, bottom = int(np.argmax(y)), int(np.argmin(y))
    size = max(abs(float(y[top])), abs(float(y[bottom]))) or 1.0  # so that no square overflows
    shares = y / size
    a, b = shares[:-1], shares[1:]
    both = a + b
    mean = float((dt * both).sum() / (2.0 * span)) * size
    rms = float(np.sqrt((dt * (both * both - a * b)).sum() / (3.0 * span))) * size
    return Reading(float(y[top]), float(t[top]), float(y[bottom]), float(t[bottom]), mean, rms)


def slope(column: Column, n: int) -> float:
    """The rate of a column at a frame, by the frames beside it."""
    first, last = max(n - 1, 0), min(n + 1, len(column.t) - 1)
    dt = column.t[last] - column.t[first]
    return float((column.values[last] - column.values[first]) / dt) if dt > 0.0 else 0.0


def frame_near(column: Column, t: float) -> int:
    """The number of the frame that is nearest to a time."""
    n = int(np.clip(np.searchsorted(column.t, t), 0, len(column.t) - 1))
    return n - 1 if n and t - column.t[n - 1] < column.t[n] - t else n


def difference(column: Column, other: Column) -> Column:
    """One run less another, at the times of the first that both reach."""
    both = (column.t >= other.t[0]) & (column.t <= other.t[-1])
    t = column.t[both]
    values = column.values[both] - np.interp(t, other.t, other.values)
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (np.nan, np.nan)
    positive = finite[finite > 0.0]
    least = float(positive.min()) if len(positive) else np.nan
    return Column(t, values, low, high, least, column.token)
