"""Poincaré sections: the points of a path at chosen moments.

Between frames a cubic through the four frames around a moment is used, so that points do not lie on
the straight pieces of the drawn path.
"""

import numpy as np

from engine.model.views.plots import BOTH, FALLING, RISING, Section
from gui.plots.columns import Column


def moments(section: Section, t: np.ndarray, column: Column | None) -> np.ndarray:
    """The moments of a section in a run with frames at t; `column` is that of its channel."""
    if section.period > 0.0:
        return stroboscope(t, float(section.period))
    if column is None:
        return np.zeros(0)
    return crossings(column.t, column.values, float(section.value), section.direction)


def stroboscope(t: np.ndarray, period: float) -> np.ndarray:
    """The moments 0, period, 2 period ... that lie within the frames."""
    if not period > 0.0 or not len(t):
        return np.zeros(0)
    first, last = np.ceil(t[0] / period - 1e-9), np.floor(t[-1] / period + 1e-9)
    return np.clip(np.arange(first, last + 1.0) * period, t[0], t[-1])


def crossings(t: np.ndarray, c: np.ndarray, value: float, direction: str) -> np.ndarray:
    """The moments at which a column passes a value, refined by bisection on the cubic."""
    side = c - value
    below, above = side[:-1], side[1:]
    rises, falls = (below < 0.0) & (above >= 0.0), (below > 0.0) & (above <= 0.0)
    hits = {RISING: rises, FALLING: falls, BOTH: rises | falls}[direction]
    n = np.flatnonzero(hits)
    low, high = t[n].copy(), t[n + 1].copy()
    sign = np.where(rises[n], 1.0, -1.0)
    for _ in range(40):
        middle = 0.5 * (low + high)
        after = sign * (at_times(t, side, middle) - 0.0) >= 0.0
        high, low = np.where(after, middle, high), np.where(after, low, middle)
    return 0.5 * (low + high)


def at_times(t: np.ndarray, values: np.ndarray, times: np.ndarray) -> np.ndarray:
    """Values between frames, by the cubic through the four frames around each moment."""
    n = len(t)
    if n < 4:
        return np.interp(times, t, values)
    first = np.clip(np.searchsorted(t, times) - 2, 0, n - 4)
    result = np.zeros(len(times))
    for i in range(4):
        weight = np.ones(len(times))
        for j in range(4):
            if j != i:
                weight *= (times - t[first + j]) / (t[first + i] - t[first + j])
        result += weight * values[first + i]
    return result
