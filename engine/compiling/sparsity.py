"""The symbolic half of elimination: an order of the joints, its fill, and every index.

Done once for a model; the kernels of engine.kernels.blocksolve then only follow the indices.
"""

import heapq
from typing import NamedTuple

import numpy as np

from engine.kernels.layout import COUPLING, NODE, PRODUCT


class Structure(NamedTuple):
    """Where the data of each node are, by the node's number in the model."""

    position: list[int]  # place of the node in elimination order
    first_row: list[int]  # its first row
    D_at: dict[tuple[int, int], int]  # (node, carrier) -> its first row in D
    nodes: np.ndarray  # NODE
    couplings: np.ndarray  # COUPLING
    updates: np.ndarray
    row_of: np.ndarray
    products: np.ndarray  # PRODUCT
    shared: list[tuple[int, ...]]  # products of followers, see `_products`
    blank: np.ndarray
    ranges: np.ndarray  # (n_carriers, 2) rows of D from, to


def minimum_degree(neighbours: list[set[int]]) -> list[int]:
    """An elimination order: always a node with the fewest neighbours left, the one that has waited longest.

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


def structure(
    sizes: list[int],
    carriers_of: list[list[int]],
    owner: list[int],
    n_bodies: int,
    pins: list[dict[int, float]],
) -> Structure:
    """Everything that elimination needs.

    `sizes` are the rows of each node, `carriers_of` the moving carriers it touches, `owner` the body of
    each carrier: itself for a body. `pins` says of nodes that hold a point and shift bodies by nothing else
    whether P_j (+1) or P_i (-1) is on a body.
    """
    touching: list[list[int]] = [[] for _ in owner]
    together: list[set[int]] = [set() for _ in range(n_bodies)]
    for node, carriers in enumerate(carriers_of):
        for carrier in carriers:
            touching[carrier].append(node)
            together[owner[carrier]].add(node)
    neighbours: list[set[int]] = [set() for _ in sizes]
    for of_body in together:
        for node in of_body:
            neighbours[node].update(of_body)
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
    ranges = []
    for body, touchers in enumerate(touching):
        ranges.append((len(row_of), len(row_of) + sum(sizes[node] for node in touchers)))
        for node in touchers:
            D_at[node, body] = len(row_of)
            p = position[node]
            row_of += range(first[p], first[p] + size[p])
    products, shared, blank = _products(
        touching, owner, n_bodies, position, sizes, pins, D_at, start
    )

    records: list[tuple[int, ...]] = []
    couplings: list[tuple[int, ...]] = []
    updates: list[int] = []
    for k, after in enumerate(later):
        below, stop = len(couplings), len(couplings) + len(after)
        alike = all(size[i] == size[k] for i in after)
        records.append((size[k], first[k], start[k, k], below, stop, len(updates), alike))
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
        products=np.array(products, dtype=PRODUCT),
        shared=shared,
        blank=np.array(blank, dtype=np.int64),
        ranges=np.array(ranges, dtype=np.int64).reshape(-1, 2),
    )


def _fill(neighbours: list[set[int]], order: list[int], position: list[int]) -> list[list[int]]:
    """For each node in order, the later nodes its row of U touches, fill included."""
    pattern: list[set[int]] = [set() for _ in order]
    for node, near in enumerate(neighbours):
        p = position[node]
        pattern[p].update(position[a] for a in near if position[a] > p)
    for later in pattern:
        if later:
            parent = min(later)  # the row of the parent in the elimination tree holds the rest
            pattern[parent] |= later - {parent}
    return [sorted(later) for later in pattern]


def _products(
    touching: list[list[int]],
    owner: list[int],
    n_bodies: int,
    position: list[int],
    sizes: list[int],
    pins: list[dict[int, float]],
    D_at: dict[tuple[int, int], int],
    start: dict[tuple[int, int], int],
) -> tuple[list[tuple[float, ...]], list[tuple[int, ...]], list[int]]:
    """What bodies add to which blocks of S, and the places of blocks without contributions.

    Those of a flexible body come from two of its followers, which may be one: (earlier follower, later
    follower, their first rows in D, rows of both nodes, block, is_first). Rigid bodies write first.
    """
    products: list[tuple[float, ...]] = []
    width = {position[node]: size for node, size in enumerate(sizes)}
    written: set[tuple[int, int]] = set()
    for body, touchers in enumerate(touching[:n_bodies]):
        of_body = sorted((position[node], node) for node in touchers)
        for n, (i, node_i) in enumerate(of_body):
            for j, node_j in of_body[: n + 1]:
                shift = pins[node_j].get(body, 0.0) * pins[node_i].get(body, 0.0)
                rows = D_at[node_j, body], D_at[node_i, body], width[j], width[i]
                products.append((body, *rows, start[i, j], (i, j) not in written, shift))
                written.add((i, j))
    shared: list[tuple[int, ...]] = []
    node_at = {place: node for node, place in enumerate(position)}
    for body in sorted(set(owner[n_bodies:])):
        ends = sorted(
            (position[node], carrier)
            for carrier in range(n_bodies, len(owner))
            if owner[carrier] == body
            for node in touching[carrier]
        )
        for j, first in ends:
            for i, second in ends:
                if i < j:
                    continue
                ends_in_D = D_at[node_at[j], first], D_at[node_at[i], second]
                is_first = (i, j) not in written
                shared.append(
                    (first, second, *ends_in_D, width[j], width[i], start[i, j], is_first)
                )
                written.add((i, j))
    filled = [(at, width[i] * width[j]) for (i, j), at in start.items() if (i, j) not in written]
    return products, shared, [place for at, size in filled for place in range(at, at + size)]


def _block_starts(size: list[int], later: list[list[int]]) -> dict[tuple[int, int], int]:
    """Where each block of the upper triangle starts in one flat array, block row after block row."""
    start: dict[tuple[int, int], int] = {}
    n = 0
    for k, near in enumerate(later):
        for i in (k, *near):
            start[i, k] = n
            n += size[i] * size[k]
    return start
