"""Reduce long curves to few points that look the same."""

import numpy as np


def visible_part(t: np.ndarray, low: float, high: float) -> slice:
    """The frames of a sorted t that lie in a range, with one neighbour at each end."""
    first = max(int(np.searchsorted(t, low)) - 1, 0)
    stop = min(int(np.searchsorted(t, high, side="right")) + 1, len(t))
    return slice(first, max(stop, first))


def min_max(t: np.ndarray, y: np.ndarray, n_bins: int) -> tuple[np.ndarray, np.ndarray]:
    """At most about 2 n_bins points: the smallest and the largest value of each bin.

    Each bin is drawn as a vertical line between its minimum and its maximum, in order of time; a partial
    bin at the end counts as one more, and the last point is kept.
    """
    n = len(t)
    size = n // max(n_bins, 1)
    if size < 3:
        return t, y
    whole = n // size * size
    rows, rest = y[:whole].reshape(-1, size), y[whole:]
    low, high = rows.argmin(axis=1), rows.argmax(axis=1)
    starts = np.arange(0, whole, size)
    picked = np.stack([starts + np.minimum(low, high), starts + np.maximum(low, high)], axis=1)
    last = {whole + int(rest.argmin()), whole + int(rest.argmax()), n - 1} if len(rest) else {n - 1}
    more = np.array(sorted(last - {int(picked[-1, 1])}), dtype=np.int64)
    indices = np.concatenate([picked.ravel(), more])
    return t[indices], y[indices]


def thinned(x: np.ndarray, y: np.ndarray, most: int) -> np.ndarray:
    """Indices of at most `most` points of a path, spread evenly along its drawn length.

    Both directions count by their spans, so the result does not depend on units.
    """
    n = len(x)
    if n <= most:
        return np.arange(n)
    dx, dy = np.abs(np.diff(x)), np.abs(np.diff(y))
    steps = dx / max(float(np.ptp(x)), 1e-300) + dy / max(float(np.ptp(y)), 1e-300)
    steps[~np.isfinite(steps)] = 0.0
    along = np.concatenate([[0.0], np.cumsum(steps)])
    if not along[-1] > 0.0:
        return np.linspace(0, n - 1, 2).astype(np.int64)
    places = np.searchsorted(along, np.linspace(0.0, along[-1], most))
    return np.unique(np.minimum(places, n - 1))


def path_in_view(
    x: np.ndarray,
    y: np.ndarray,
    view: tuple[tuple[float, float], tuple[float, float]],
    most: int,
    longest: float = np.inf,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A path by few points: both columns with NaN at gaps, and the indices of the points.

    Only the visible part, with a margin, needs points. A step of x beyond `longest` is a jump.
    """
    (x0, x1), (y0, y1) = view
    mx, my = 0.5 * (x1 - x0), 0.5 * (y1 - y0)
    inside = np.arange(len(x))
    if len(x) > most:
        seen = np.flatnonzero((x > x0 - mx) & (x < x1 + mx) & (y > y0 - my) & (y < y1 + my))
        inside = seen if len(seen) > 1 else inside
    chosen = inside[thinned(x[inside], y[inside], most)]
    pieces = np.concatenate([[0], np.cumsum(np.diff(inside) > 1)])  # the path left the view between
    piece = pieces[np.searchsorted(inside, chosen)]
    px, py = x[chosen], y[chosen]
    cuts = np.flatnonzero((np.abs(np.diff(px)) > longest) | (np.diff(piece) > 0)) + 1
    return np.insert(px, cuts, np.nan), np.insert(py, cuts, np.nan), chosen
