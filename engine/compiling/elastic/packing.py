"""Pack flexible bodies and their followers for the kernels."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from engine.compiling.elastic.records import Elastic
from engine.compiling.sparsity import Structure
from engine.kernels.layout import CARRIED, FLEXIBLE, FOLLOWER, RIGID
from engine.model.elements import Id


class PackedElastic(NamedTuple):
    """The tables of flexible bodies."""

    flexibles: np.ndarray  # FLEXIBLE
    followers: np.ndarray  # FOLLOWER
    carried: np.ndarray  # CARRIED
    shapes: np.ndarray


def pack_elastic(
    dim: int,
    elastic: Mapping[Id, Elastic],
    index: Mapping[Id, int],
    carriers: np.ndarray,
    tree: Structure,
) -> PackedElastic:
    """The records of flexible bodies, of their followers, and of what they add to S."""
    n_d, turns = RIGID[dim].n_v, RIGID[dim].n_v - dim
    n_bodies = len(index)
    flexibles: list[tuple[int, ...]] = []
    followers: list[tuple[Any, ...]] = []
    parts, now, rows = _Parts(), 0, 0
    for id, record in elastic.items():
        n = record.n_f
        flexibles.append((index[id], n, n_d + n, parts.add(record.numbers()), now))
        now += 2 * turns * turns + turns * n + n_d + 2 * n
    for k, (id, record) in enumerate(elastic.items()):
        n_v = n_d + record.n_f
        for one in record.followers.values():
            carrier = n_bodies + len(followers)
            start, stop = (int(carriers[carrier][name]) for name in ("start", "stop"))
            P = np.zeros(3)
            P[:dim] = one.P
            at = parts.add(*(np.ravel(part) for part in (one.Phi, one.Psi, one.G)))
            followers.append((k, index[id], carrier, P, at, now, start, stop, rows))
            now += n_d * (n_v + 2)
            rows += (stop - start) * n_v
    packed = np.array(followers, dtype=FOLLOWER)
    return PackedElastic(
        np.array(flexibles, dtype=FLEXIBLE),
        packed,
        _carried(tree.shared, packed, np.array(flexibles, dtype=FLEXIBLE), n_bodies),
        parts.joined(),
    )


def _carried(
    shared: Sequence[tuple[int, ...]], followers: np.ndarray, flexibles: np.ndarray, n_bodies: int
) -> np.ndarray:
    """What flexible bodies add to S, with the places of rows in ws.E."""
    found: list[tuple[int, ...]] = []
    for first, second, row, later, size, width, offset, is_first in shared:
        ends = []
        for carrier, at in ((first, row), (second, later)):
            one = followers[carrier - n_bodies]
            n_v = int(flexibles[one["flexible"]]["n_v"])
            ends.append(int(one["rows"]) + (at - int(one["start"])) * n_v)
        found.append((n_v, *ends, size, width, offset, is_first))
    return np.array(found, dtype=CARRIED)


class _Parts:
    """Numbers that are put one behind the other."""

    def __init__(self) -> None:
        self._parts: list[np.ndarray] = [np.zeros(0)]
        self._length = 0

    def add(self, *parts: Any) -> int:
        """Where these start."""
        at = self._length
        for part in parts:
            self._parts.append(part)
            self._length += len(part)
        return at

    def joined(self) -> np.ndarray:
        """All of them."""
        return np.concatenate(self._parts)


def n_elastic(dim: int, flexibles: np.ndarray, followers: np.ndarray) -> int:
    """How many numbers ws.elastic has."""
    n_d, turns = RIGID[dim].n_v, RIGID[dim].n_v - dim
    of_bodies = 2 * turns * turns + (turns + 1) * flexibles["n_f"] + flexibles["n_v"]
    of_followers = n_d * (flexibles["n_v"][followers["flexible"]] + 2)
    return int(of_bodies.sum() + of_followers.sum())


def n_carried(flexibles: np.ndarray, followers: np.ndarray) -> int:
    """How many numbers ws.E has."""
    return int(
        ((followers["stop"] - followers["start"]) * flexibles["n_v"][followers["flexible"]]).sum()
    )
