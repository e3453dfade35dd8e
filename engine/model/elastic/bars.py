"""Bars from corner to corner, rigidly joined: which corners are one, what runs between them, their moments.

A bar of length l along e, with y and z of its section, has about its middle

    S = l^2/12 e e^T + I_z/A y y^T + I_y/A z z^T          I_z = integral y^2 dA,  I_y = integral z^2 dA
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from engine.errors import EngineError
from engine.model.elastic.sections import Section
from engine.model.solids import Moments, plain

SAME = 1e-6  # of the size: corners nearer than this are one
MOST = 60  # corners
UP = np.array([0.0, 0.0, 1.0])


class Bars(NamedTuple):
    """Corners that differ, and the bars between them."""

    corners: np.ndarray  # (k, 3)   [m]
    bars: tuple[tuple[int, int], ...]

    @property
    def lengths(self) -> np.ndarray:
        """Of all bars."""
        ends = self.corners[np.array(self.bars)]
        return np.asarray(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1))


def axes_along(way: np.ndarray, up: np.ndarray = UP) -> np.ndarray:
    """Axes of a bar as columns: x along it, z as near to `up` as can be."""
    x = way / np.linalg.norm(way)
    if abs(up @ x) > 0.99:
        up = np.array([0.0, 1.0, 0.0])
    y = np.cross(up, x)
    y /= np.linalg.norm(y)
    return np.column_stack([x, y, np.cross(x, y)])


def in_space(points: Any) -> np.ndarray:
    """Corners with three components each; those of the plane lie in z = 0."""
    return np.array([(*map(float, p), 0.0)[:3] for p in points], dtype=float).reshape(-1, 3)


@lru_cache(maxsize=64)
def bars_of(points: tuple[tuple[float, ...], ...]) -> Bars:
    """The bars of a line from corner to corner.

    A corner that comes again is the same one: so lines close and branch. A piece that is run through twice
    is one bar, and a corner within a bar cuts it in two.
    """
    check_corners(points)
    x = in_space(points)
    near = SAME * float(np.ptp(x, axis=0).max())
    corners: list[np.ndarray] = []
    numbers = [_number_of(p, corners, near) for p in x]
    found: dict[tuple[int, int], None] = {}
    for a, b in pairwise(numbers):
        for i, j in pairwise(_on_the_way(a, b, corners, near)):
            found[min(i, j), max(i, j)] = None
    return Bars(np.array(corners), tuple(found))


def check_corners(points: Any) -> None:
    """Raise EngineError unless the corners of a line of bars are numbers, and two of them differ."""
    if len(points) > MOST:
        raise EngineError(
            "A line of bars has at most {most} corners, and this one has {n}. Make two bodies of it.",
            most=MOST,
            n=len(points),
        )
    widths = {len(p) for p in points}
    if not widths <= {2, 3} or len(widths) > 1:
        raise EngineError("Every corner of a line of bars needs the same two or three coordinates.")
    x = in_space(points)
    if not np.isfinite(x).all():
        raise EngineError("A corner of the line of bars is not a finite point.")
    if len(x) < 2 or not np.ptp(x, axis=0).max() > 0.0:
        raise EngineError("A line of bars needs at least two different corners; add one.")


def moments_of(bars: Bars, one: Section) -> Moments:
    """Volume, centroid and spread; where bars meet they overlap, which is not taken off."""
    ends = bars.corners[np.array(bars.bars)]
    middles, share = ends.mean(axis=1), bars.lengths / bars.lengths.sum()
    center = share @ middles
    S = np.zeros((3, 3))
    for part, middle, way, l in zip(share, middles, ends[:, 1] - ends[:, 0], bars.lengths):
        R, arm = axes_along(way), middle - center
        own = np.diag([l * l / 12.0, one.I_z / one.A, one.I_y / one.A])
        S += part * (np.outer(arm, arm) + R @ own @ R.T)
    x, y, z = center.tolist()
    return Moments(float(one.A * bars.lengths.sum()), (x, y, z), plain(S))


def _number_of(p: np.ndarray, corners: list[np.ndarray], near: float) -> int:
    """The number of a corner; one that is new is added."""
    for n, other in enumerate(corners):
        if np.linalg.norm(p - other) <= near:
            return n
    corners.append(p)
    return len(corners) - 1


def _on_the_way(a: int, b: int, corners: Sequence[np.ndarray], near: float) -> list[int]:
    """The corners on the straight way from one to another, both included."""
    way = corners[b] - corners[a]
    length = float(np.linalg.norm(way))
    if not length > near:
        return [a]
    met = []
    for n, p in enumerate(corners):
        along = float((p - corners[a]) @ way) / length
        aside = float(np.linalg.norm(p - corners[a] - along / length * way))
        if -near <= along <= length + near and aside <= near:
            met.append((along, n))
    return [n for _, n in sorted(met)]
