"""Numbers read off a curve: extremes, mean and root of the mean square over time, slope."""

from typing import NamedTuple

import numpy as np

from gui.plots.columns import Column

BLOCK = 1024  # frames


class Reading(NamedTuple):
    """The extremes of a curve and when they are reached, its mean and its effective value."""

    high: float
    t_high: float
    low: float
    t_low: float
    mean: float
    rms: float


class Curve:
    """A curve of which any part is read quickly, because it is summed up in blocks of frames.

    Between frames the curve is straight, as it is drawn:

        mean = int y dt / T        rms^2 = int y^2 dt / T = sum dt (y0^2 + y0 y1 + y1^2) / (3 T)
    """

    def __init__(self, t: np.ndarray, values: np.ndarray) -> None:
        if not (good := np.isfinite(values)).all():
            t, values = t[good], values[good]
        self.t, self.values = t, values
        peak = float(np.abs(values).max()) if len(values) else 0.0
        self.size = peak or 1.0  # so that no square overflows
        n_blocks = max(len(t) - 1, 0) // BLOCK
        rows = values[: n_blocks * BLOCK].reshape(n_blocks, BLOCK)
        starts = np.arange(n_blocks) * BLOCK
        self._tops = starts + rows.argmax(axis=1)
        self._bottoms = starts + rows.argmin(axis=1)
        self._areas = np.array([self._integrals(n, n + BLOCK) for n in starts.tolist()]).reshape(
            -1, 2
        )

    def reading(self, low: float = -np.inf, high: float = np.inf) -> Reading | None:
        """What is read off the frames from one time to another; None without two of them."""
        first = int(np.searchsorted(self.t, low))
        last = int(np.searchsorted(self.t, high, side="right")) - 1
        if last <= first or not self.t[last] > self.t[first]:
            return None
        begin, end = -(-first // BLOCK), min(last // BLOCK, len(self._areas))  # whole blocks
        if begin < end:
            before, behind = (first, begin * BLOCK), (end * BLOCK, last)
            areas = [self._integrals(*before), *self._areas[begin:end], self._integrals(*behind)]
            ends = [np.arange(before[0], before[1]), np.arange(behind[0], behind[1] + 1)]
            tops = np.concatenate([ends[0], self._tops[begin:end], ends[1]])
            bottoms = np.concatenate([ends[0], self._bottoms[begin:end], ends[1]])
        else:
            areas = [self._integrals(first, last)]
            tops = bottoms = np.arange(first, last + 1)
        y, t, span = self.values, self.t, float(self.t[last] - self.t[first])
        top, bottom = tops[y[tops].argmax()], bottoms[y[bottoms].argmin()]
        area, square = np.sum(areas, axis=0) / span
        return Reading(
            float(y[top]),
            float(t[top]),
            float(y[bottom]),
            float(t[bottom]),
            float(area) * self.size,
            float(np.sqrt(square)) * self.size,
        )

    def _integrals(self, first: int, last: int) -> tuple[float, float]:
        """The integrals of y and of y^2 from one frame to another, by the size of the curve."""
        y = self.values[first : last + 1] / self.size
        dt, a, b = np.diff(self.t[first : last + 1]), y[:-1], y[1:]
        both = a + b
        return 0.5 * float(dt @ both), float(dt @ (both * both - a * b)) / 3.0


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
