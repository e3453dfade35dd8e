"""Pack where interactions need not be looked at, for lists of what is near."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.model.connections import Interaction

SKIN = 0.5  # of the size of what may touch: how much wider lists of near shapes are


def pack_nearness(record: np.void, one: Interaction) -> None:
    """Where it need not be looked at: the box and the reach are those of both sides together."""
    if one.near is not None:
        near = one.near
        record["middle"] = near.middle
        record["reach"] = near.reach + near.around
        record["box"] = np.array(near.low) - near.around, np.array(near.high) + near.around


def extents_of(
    interactions: Sequence[tuple[Any, Interaction]], packed: np.ndarray, n_carriers: int
) -> tuple[np.ndarray, np.ndarray]:
    """How far what is placed reaches from the mass centre of its body, and the skin of lists of them."""
    extents, reaches = np.zeros(n_carriers), []
    for record, (_, one) in zip(packed, interactions):
        if one.near is None:
            continue
        of_j = float(np.linalg.norm(one.near.middle)) + one.near.around
        for side, own in (("i", one.near.reach), ("j", of_j)):
            if record[side] < n_carriers:
                whole = float(np.linalg.norm(record[f"P_{side}"])) + own
                extents[record[side]] = max(extents[record[side]], whole)
                reaches.append(own)
    return extents, np.array([SKIN * float(np.median(reaches))] if reaches else [])
