"""The symbolic half of elimination: an order of the joints, the fill it makes, and every index.

Done once for a model; the kernels of engine.kernels.blocksolve then only follow the indices.
"""

import heapq
from typing import NamedTuple

import numpy as np

from engine.kernels.layout import COUPLING, NODE


class Structure(NamedTuple):
    """Where everything of a node lives, by the node's number in the model."""

    position: list[int]  # place of the node in elimination order
    first_row: list[int]  # its first row
    D_at: dict[tuple[int, int], int]  # (node, body) -> its first row in D
    nodes: np.ndarray  # NODE
    couplings: np.ndarray  # COUPLING
    updates: np.ndarray
    row_of: np.ndarray
    entries: np.ndarray
    body_ranges: np.ndarray  # (n_bodies, 3) rows of D from, to; first of `entries`


def minimum_degree(neighbours: list[set[int]]) -> list[int]:
    """An elimination order: always a node with the fewest neighbours left, the one waiting longest.

    Leaves go first, so chains and trees make no fill at all. Taking turns among equals eliminates a
    chain from both ends at once: neighbouring steps then do not wait for each other's results.
    """
    left = [set(n) for n in neighbours]
    heap = [(len(n), k, k) for k, n in enumerate(left)]
    heapq.heapify(heap)
    done = [False] * len(left)
    order = []
    turn = len(left)
    while heap:
        degree, _, k = heapq.heappop(heap)
        if done[k] or degree != len(left[k]):
            continue
        done[k] = True
        order.append(k)
        for a in sorted(left[k]):
            left[a] |= left[k]
            left[a] -= {a, k}
            heapq.heappush(heap, (len(left[a]), turn, a))
            turn += 1
    return order


def structure(sizes: list[int], bodies_of: list[list[int]], n_bodies: int) -> Structure:
    """Everything that elimination needs to know.

    `sizes` are the rows of each node, `bodies_of` the moving bodies it touches.
    """
    touching: list[list[int]] = [[] for _ in range(n_bodies)]
    for node, bodies in enumerate(bodies_of):
        for body in bodies:
            touching[body].append(node)
    neighbours: list[set[int]] = [set() for _ in sizes]
    for nodes in touching:
        for node in nodes:
            neighbours[node].update(nodes)
    for node, near in enumerate(neighbours):
        near.discard(node)
    order = minimum_degree(neighbours)
    position = [0] * len(sizes)
    for place, node in enumerate(order):
        position[node] = place

    size = [sizes[node] for node in order]
    first = [0, *np.cumsum(size).tolist()]
    later = _fill(neighbours, order, position)
    start = _block_starts(size, later)

    D_at: dict[tuple[int, int], int] = {}
    row_of: list[int] = []
    entries: list[int] = []
    ranges = []
    for body, touchers in enumerate(touching):
        begin, first_entry = len(row_of), len(entries)
        places = []  # (node in order, row in node) of each row of D of this body
        for node in touchers:
            D_at[node, body] = len(row_of)
            p = position[node]
            row_of += range(first[p], first[p] + size[p])
            places += [(p, r) for r in range(size[p])]
        for n, one in enumerate(places):
            for other in places[: n + 1]:
                (i, r), (j, c) = (one, other) if one > other else (other, one)
                entries.append(start[i, j] + r * size[j] + c)
        ranges.append((begin, len(row_of), first_entry))

    records: list[tuple[int, ...]] = []
    couplings: list[tuple[int, ...]] = []
    updates: list[int] = []
    for k, after in enumerate(later):
        below, stop = len(couplings), len(couplings) + len(after)
        records.append((size[k], first[k], start[k, k], below, stop, len(updates)))
        couplings += [(size[i], first[i], start[i, k]) for i in after]
        updates += [start[after[a], after[b]] for a in range(len(after)) for b in range(a + 1)]

    return Structure(
        position=position,
        first_row=[first[position[node]] for node in range(len(sizes))],
        D_at=D_at,
        nodes=np.array(records, dtype=NODE),
        couplings=np.array(couplings, dtype=COUPLING),
        updates=np.array(updates, dtype=np.int64),
        row_of=np.array(row_of, dtype=np.int64),
        entries=np.array(entries, dtype=np.int64),
        body_ranges=np.array(ranges, dtype=np.int64).reshape(-1, 3),
    )


def _fill(neighbours: list[set[int]], order: list[int], position: list[int]) -> list[list[int]]:
    """For each node in order, the later nodes its column of L touches, fill included."""
    pattern: list[set[int]] = [set() for _ in order]
    for node, near in enumerate(neighbours):
        p = position[node]
        pattern[p].update(position[a] for a in near if position[a] > p)
    for later in pattern:
        if later:
            parent = min(later)  # the column of the parent in the elimination tree holds the rest
            pattern[parent] |= later - {parent}
    return [sorted(later) for later in pattern]


def _block_starts(size: list[int], later: list[list[int]]) -> dict[tuple[int, int], int]:
    """Where each block of the lower triangle starts in one flat array, column after column."""
    start: dict[tuple[int, int], int] = {}
    n = 0
    for k, near in enumerate(later):
        for i in (k, *near):
            start[i, k] = n
            n += size[i] * size[k]
    return start
