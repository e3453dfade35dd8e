"""Channels of work: what elements give to the mechanism or take from it, beside what they store.

Work is integrated along with the motion by the method of the run (engine.kernels.acting.powers), from its
start on. It is positive where the element gives energy to the mechanism.
"""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.kernels.layout import EXPRESSION, LAW_WORK
from engine.results.channels.channel import Channel, component, doubt
from engine.results.channels.forces import law_history

if TYPE_CHECKING:
    from engine.results.results import Results


def work_of_element(results: "Results", element: Any) -> Iterator[Channel]:
    """The work of an element that does any, and its power where another part of it is stored."""
    compiled, id, who = results.compiled, element.id, element.label
    if id not in compiled.work_ids:
        return
    k = compiled.work_ids.index(id)
    doing = compiled.system.works[compiled.system.works["to"] == k]
    laws = doing["which"][doing["kind"] == LAW_WORK]
    if (compiled.system.laws["kind"][laws] != EXPRESSION).any():
        label = f"{who}: power given to the mechanism, stored energy apart"
        yield Channel(f"{id}.net_power", label, "W", "", partial(_net_power, results, laws))
    label = f"{who}: work done on the mechanism{doubt(results, id)}"
    yield Channel(f"{id}.work", label, "J", "", component(lambda: results.work, k))


def total_work(results: "Results") -> np.ndarray:
    """The work of all elements since the start, and of the hand in live mode."""
    return results.work.sum(axis=1) + results.hand


def _net_power(results: "Results", laws: np.ndarray) -> np.ndarray:
    """-sum (N - N_0) x_dot of some laws."""
    found = law_history(results, laws)
    return -((found.N - found.N_stored) * found.rate).sum(axis=1)
