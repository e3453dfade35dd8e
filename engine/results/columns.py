"""Several channels side by side: those of points are found in one pass over all frames.

Which points a list of names is about follows from the model alone. It is remembered with the compiled
model, so that the next run of it finds the numbers at once.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.results.channels import find
from engine.results.channels.motion import points_of

if TYPE_CHECKING:
    from engine.results.results import Results


class Asked(NamedTuple):
    """What a list of names asks for."""

    bodies: np.ndarray  # (n,) of the points
    arms: np.ndarray  # (n, 3) from the mass centre, body axes
    picks: tuple[np.ndarray, np.ndarray, np.ndarray]  # of each column: point, derivative, axis
    at: np.ndarray  # the number of that column among all
    others: tuple[tuple[int, str], ...]  # the columns that are not of points


def table(results: "Results", names: Sequence[str]) -> np.ndarray:
    """The channels of these names, (n_frames, n_names)."""
    known, key = results.compiled.asked, tuple(names)
    asked = known.get(key)
    if asked is None:
        asked = known[key] = _asked(results, key)
    if not len(asked.at):
        found = np.empty((len(results), len(key)))
    else:
        motions = points_of(results, asked.bodies, asked.arms)
        found = motions[asked.picks].T
        if not asked.others:
            return found
        every = np.empty((len(results), len(key)))
        every[:, asked.at] = found
        found = every
    for k, name in asked.others:
        found[:, k] = find(results, name).values
    return found


def _asked(results: "Results", names: tuple[str, ...]) -> Asked:
    """Which points are asked for; the loop over them knows rigid bodies only."""
    points = [find(results, name).point for name in names]
    if results.compiled.elastic:
        points = [None] * len(names)
    moving = [(k, point) for k, point in enumerate(points) if point is not None]
    arms = list(dict.fromkeys((point.body, point.s_loc) for _, point in moving))
    picks = [(arms.index((p.body, p.s_loc)), p.derivative, p.axis) for _, p in moving]
    point, derivative, axis = np.array(picks, dtype=np.int64).reshape(-1, 3).T
    return Asked(
        np.array([body for body, _ in arms], dtype=np.int64),
        np.array([arm for _, arm in arms]).reshape(-1, 3),
        (point, derivative, axis),
        np.array([k for k, _ in moving], dtype=np.int64),
        tuple((k, name) for k, name in enumerate(names) if points[k] is None),
    )
