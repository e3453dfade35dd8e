"""Smooth curves through given points, for cams and roads.

A curve is given to the kernels as nodes with their derivatives, x, y and x', y' by turns, with the way
from node to node as the parameter: cubics whose second derivatives are continuous (a spline). Ends of an
open one are not bent, and a closed one has none.
"""

from collections.abc import Sequence

import numpy as np

from engine.errors import EngineError

FEWEST = {True: 3, False: 2}  # points of a closed and an open curve


def smooth_nodes(points: Sequence[Sequence[float]], closed: bool) -> list[tuple[float, float]]:
    """(x, y) and (x', y') of each node, one after the other.

    With steps of length 1 the slopes D of a spline fulfil  D[k-1] + 4 D[k] + D[k+1] = 3 (p[k+1] - p[k-1]),
    and at a free end  2 D[0] + D[1] = 3 (p[1] - p[0]).
    """
    p = np.array(points, dtype=float).reshape(-1, 2)
    n = len(p)
    if n < FEWEST[closed]:
        raise EngineError(
            "A curve needs at least {fewest} points; give it more.", fewest=FEWEST[closed]
        )
    A = 4.0 * np.eye(n) + np.eye(n, k=1) + np.eye(n, k=-1)
    right = 3.0 * (np.roll(p, -1, axis=0) - np.roll(p, 1, axis=0))
    if closed:
        A[0, -1] += 1.0
        A[-1, 0] += 1.0
    else:
        A[0, 0] = A[-1, -1] = 2.0
        right[0], right[-1] = 3.0 * (p[1] - p[0]), 3.0 * (p[-1] - p[-2])
    slopes = np.linalg.solve(A, right)
    return [(float(x), float(y)) for pair in zip(p, slopes) for x, y in pair]


def way_along(nodes: Sequence[tuple[float, float]], closed: bool, between: int) -> np.ndarray:
    """Places along a smooth curve, with `between` steps from node to node, (n, 2)."""
    p, slope = np.array(nodes[::2]), np.array(nodes[1::2])
    q, after = np.roll(p, -1, axis=0), np.roll(slope, -1, axis=0)
    if not closed:
        p, slope, q, after = p[:-1], slope[:-1], q[:-1], after[:-1]
    x = np.arange(between)[:, None, None] / between
    places = (
        (1 - x) ** 2 * (1 + 2 * x) * p
        + x**2 * (3 - 2 * x) * q
        + x * (1 - x) ** 2 * slope
        - x**2 * (1 - x) * after
    )
    return np.concatenate([places.transpose(1, 0, 2).reshape(-1, 2), q[-1:]])


def check_points(points: Sequence[Sequence[float]], closed: bool) -> None:
    """Raise EngineError unless each point differs from the next one, and there are enough of them."""
    if len(points) < FEWEST[closed]:
        raise EngineError(
            "A curve needs at least {fewest} points; give it more.", fewest=FEWEST[closed]
        )
    if any(len(p) != 2 for p in points):
        raise EngineError("A point of a curve has two coordinates, x and y; correct its points.")
    p = np.array(points, dtype=float)
    after = np.roll(p, -1, axis=0) if closed else p[1:]
    same = np.flatnonzero(np.all(p[: len(after)] == after, axis=1))
    if len(same):
        raise EngineError(
            "Points {k} and {next} of a curve are the same; delete one of them.",
            k=int(same[0]) + 1,
            next=(int(same[0]) + 1) % len(p) + 1,
        )
