"""Channels of laws of markers: the force on the marker that is seen, and its power."""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.compiling.system import linked, workspace
from engine.kernels import histories
from engine.results.channels.channel import WORLD, Channel, magnitude, vector

if TYPE_CHECKING:
    from engine.results.results import Results


def channels_of_interactions(results: "Results", force: Any) -> Iterator[Channel]:
    """The force of an element on its marker in world axes, its size, and its power."""
    id, who, dim = force.id, force.label, results.compiled.system.dim
    for k, owner in enumerate(results.compiled.interaction_ids):
        if owner == id:
            push = partial(_force, results, k)
            yield from vector(f"{id}.force_*", f"{who}: force", "N", WORLD, dim, push)
            yield magnitude(f"{id}.force", f"{who}: size of the force", "N", push)
            label = f"{who}: power given to the bodies"
            yield Channel(f"{id}.power", label, "W", "", partial(_power, results, k))


def wrench_history(results: "Results", which: int) -> np.ndarray:
    """Force, torque and power of one interaction in every frame, (n, 7); world axes."""
    compiled = results.compiled
    out, ws = np.zeros((len(results), 7)), workspace(compiled.system)
    y = compiled.layout.y(results.q, results.v, results.z)
    histories.wrenches(linked(compiled.system, ws), results.t, y, which, out)
    return out


def _force(results: "Results", which: int) -> np.ndarray:
    return wrench_history(results, which)[:, :3]


def _power(results: "Results", which: int) -> np.ndarray:
    return wrench_history(results, which)[:, 6]
