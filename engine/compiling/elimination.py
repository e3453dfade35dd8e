"""The symbolic half of implicit methods: the blocks of the tangents, and an order of elimination.

The matrix is

    [ A  D^T ]       A = M + c1 C + c2 K
    [ D  -e  ]

Its nodes are bodies and joints. Two bodies are coupled if they share a coordinate that a
law or a row uses, a body and a joint if the joint has columns for it. Done once for a model; the kernels of
engine.kernels.implicit.blocklu then only follow the indices.

The order takes the node with the least rows among its neighbours. A joint has no entry of its own on the
diagonal before bodies are eliminated, so it must come later. Consider a connected set of eliminated bodies
and joints, with all other bodies held fixed. A joint may be eliminated next if the rows of all these joints
stay independent. That is certain

- where they form a tree and at most one joint leads out of it: seen from that joint every joint has a
  body of its own, in which its rows are independent, or
- where no joint leads out: holding the other bodies fixed then changes nothing, and rows that depend on
  each other do so in the whole model.

A chain is eliminated from its ends at a cost that grows with its length, and a loop link by link.
"""

import heapq
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from engine.compiling.elastic.packing import n_carried
from engine.compiling.system import most_states
from engine.kernels.acting.interactions import BY_Z, Z_DOT
from engine.kernels.implicit import entries as implicit_entries
from engine.kernels.implicit.tangent_layout import (
    BLOCK,
    KKT_COUPLING,
    KKT_NODE,
    N_FACTORS,
    Elimination,
    Tangents,
)
from engine.kernels.layout import ALONG, DISTANCE, KNIFE, POINT, RIGID, System
from engine.kernels.linking import NEWTON, STEP, TANGENT, words
from engine.kernels.state import layout_of

ON_A_PARTICLE = (POINT, ALONG, DISTANCE, KNIFE)  # rows that can act on a body without rotation


class _Group(NamedTuple):
    """A connected set of eliminated bodies and joints."""

    bodies: set[int]
    joints: set[int]


class _Eliminated:
    """What is already eliminated, and which joints may follow."""

    def __init__(self, touching: list[set[int]], bound: set[int]) -> None:
        self.touching = touching  # bodies of each joint
        self.bound = bound  # joints that need all their bodies
        self.group: dict[int, _Group] = {}  # of every eliminated body
        self.joints: set[int] = set()

    def around(self, bodies: Iterable[int]) -> _Group:
        """The connected set of these bodies, as far as they are eliminated."""
        joined = _Group(set(), set())
        for body in bodies:
            if body in self.group:
                joined.bodies.update(self.group[body].bodies)
                joined.joints.update(self.group[body].joints)
        return joined

    def may_follow(self, joint: int) -> bool:
        """Whether the rows of a joint, and of the set it connects, stay independent."""
        if not self.touching[joint] & self.group.keys():
            return False
        joined = self.around(self.touching[joint])
        joints = joined.joints | {joint}
        if all(self.touching[other] <= self.group.keys() for other in joints):
            return True
        return len(joints) <= len(joined.bodies) and not joints & self.bound

    def add_joint(self, joint: int) -> None:
        """Note that a joint is eliminated."""
        self.joints.add(joint)
        joined = self.around(self.touching[joint])
        joined.joints.add(joint)
        self.group.update(dict.fromkeys(joined.bodies, joined))

    def add_body(self, body: int) -> _Group:
        """Note that a body is eliminated; returns the set it now belongs to."""
        met = [joint for joint in self.joints if body in self.touching[joint]]
        joined = self.around(other for joint in met for other in self.touching[joint])
        joined.bodies.add(body)
        self.group.update(dict.fromkeys(joined.bodies, joined))
        return joined


def elimination(system: System) -> Elimination:
    """All indices that the kernels need."""
    n_bodies = system.n_bodies
    pairs, of_term, of_law, of_interaction, of_pair = _pairs(system)
    owner = [*range(n_bodies), *system.followers["body"].tolist()]
    joint_of_row = np.repeat(np.arange(len(system.nodes)), system.nodes["size"])
    touching: list[set[int]] = [set() for _ in system.nodes]
    for carrier, record in enumerate(system.carriers):
        for row in system.row_of[record["start"] : record["stop"]]:
            touching[joint_of_row[row]].add(owner[carrier])

    neighbours: list[set[int]] = [set() for _ in range(n_bodies + len(touching))]
    for i, j in pairs:
        if owner[i] != owner[j]:
            neighbours[owner[i]].add(owner[j])
    for joint, bodies in enumerate(touching):
        neighbours[n_bodies + joint] |= bodies
        for body in bodies:
            neighbours[body].add(n_bodies + joint)
    sizes = system.bodies["n_v"].tolist() + system.nodes["size"].tolist()
    order = _order(neighbours, sizes, n_bodies, touching, _bound_to_wait(system, joint_of_row))
    found = _indices(system, order, neighbours, sizes, pairs, owner, joint_of_row)
    return found._replace(
        of_term=of_term, of_law=of_law, of_interaction=of_interaction, of_pair=of_pair
    )


def _pairs(
    system: System,
) -> tuple[list[tuple[int, int]], np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The blocks of K and C; for each term and interaction those of its carriers, for a law of both terms.

    For a formula those of any two of its arguments.

    The block of carrier k with itself is number k; the last number is for the ground and never read. Where
    there is a block of followers, there is one of their bodies.
    """
    ground = len(system.carriers)
    owner = [*range(system.n_bodies), *system.followers["body"].tolist()]
    index = {(k, k): k for k in range(ground)}
    acting = (system.uses, system.arguments, system.laws)
    used = sorted({k for table in acting for k in table["term"].tolist()})
    ends = [(int(t["i"]), int(t["j"])) for t in system.terms]
    wanted = [(ends[k], ends[k]) for k in used]
    wanted += [(ends[law["term"]], ends[law["other"]]) for law in system.laws]
    met = [
        (ends[b], ends[c])
        for formula in system.formulas
        for own in [system.arguments["term"][formula["start"] : formula["stop"]]]
        for b in own
        for c in own
    ]
    wanted += met
    between = [(int(one["i"]), int(one["j"])) for one in system.interactions]
    wanted += [(both, both) for both in between]
    for first, second in wanted:
        for i in first:
            for j in second:
                for pair in ((i, j), (j, i)):
                    if ground not in pair:
                        index.setdefault(pair, len(index))
                        index.setdefault((owner[pair[0]], owner[pair[1]]), len(index))
    nowhere = len(index)

    def four(first: tuple[int, int], second: tuple[int, int]) -> list[int]:
        return [index.get((i, j), nowhere) for i in first for j in second]

    of_term = [four(end, end) for end in ends]
    of_law = [four(ends[law["term"]], ends[law["other"]]) for law in system.laws]
    return (
        list(index),
        np.array(of_term, dtype=np.int64).reshape(-1, 4),
        np.array(of_law, dtype=np.int64).reshape(-1, 4),
        np.array([four(both, both) for both in between], dtype=np.int64).reshape(-1, 4),
        np.array([four(*pair) for pair in met], dtype=np.int64).reshape(-1, 4),
    )


def _bound_to_wait(system: System, joint_of_row: np.ndarray) -> set[int]:
    """Joints that constrain directions of a particle, which has none: they need their other body."""
    still = {k for k, body in enumerate(system.bodies) if not body["inv_J"].any()}
    found = set()
    for use in (*system.uses, *system.arguments):
        term = system.terms[use["term"]]
        if term["kind"] not in ON_A_PARTICLE and still & {int(term["i"]), int(term["j"])}:
            found.add(int(joint_of_row[use["row"]]))
    return found


def _order(
    neighbours: list[set[int]],
    sizes: list[int],
    n_bodies: int,
    touching: list[set[int]],
    bound: set[int],
) -> list[int]:
    """The order of elimination of all nodes: bodies first by number, then joints."""
    left = [set(near) for near in neighbours]
    eliminated = _Eliminated(touching, bound)
    waiting: set[int] = set()  # joints that came too early

    def cost(node: int) -> int:
        return sum(sizes[near] for near in left[node])

    heap = [(cost(k), k, k) for k in range(len(left))]
    heapq.heapify(heap)
    order: list[int] = []
    turn = len(left)
    done = [False] * len(left)
    while heap:
        degree, _, k = heapq.heappop(heap)
        if done[k] or degree != cost(k):
            continue
        if k >= n_bodies and not eliminated.may_follow(k - n_bodies):
            waiting.add(k)
            continue
        done[k] = True
        order.append(k)
        again: set[int] = set()
        if k < n_bodies:
            joined = eliminated.add_body(k)
            again = {w for w in waiting if touching[w - n_bodies] & joined.bodies}
        else:
            eliminated.add_joint(k - n_bodies)
        for a in left[k]:
            left[a] |= left[k]
            left[a] -= {a, k}
        for a in sorted(left[k] | again):
            waiting.discard(a)
            heapq.heappush(heap, (cost(a), turn, a))
            turn += 1
    return order


def _later(neighbours: list[set[int]], order: list[int], place: list[int]) -> list[list[int]]:
    """For each node in order, the later nodes it is coupled to when it is eliminated, fill included."""
    pattern: list[set[int]] = [set() for _ in order]
    for node, near in enumerate(neighbours):
        pattern[place[node]].update(place[a] for a in near if place[a] > place[node])
    for later in pattern:
        if later:
            parent = min(later)
            pattern[parent] |= later - {parent}
    return [sorted(later) for later in pattern]


def _indices(
    system: System,
    order: list[int],
    neighbours: list[set[int]],
    sizes: list[int],
    pairs: list[tuple[int, int]],
    owner: list[int],
    joint_of_row: np.ndarray,
) -> Elimination:
    """The records and index lists for an order."""
    n_bodies = system.n_bodies
    place = [0] * len(order)
    for p, node in enumerate(order):
        place[node] = p
    size = [sizes[node] for node in order]
    first = [0, *np.cumsum(size, dtype=int).tolist()]
    later = _later(neighbours, order, place)
    start: dict[tuple[int, int], int] = {}
    n_lu = 0
    for k, near in enumerate(later):
        for block in ((k, k), *((i, k) for i in near), *((k, i) for i in near)):
            start[block] = n_lu
            n_lu += size[block[0]] * size[block[1]]

    nodes: list[tuple[int, ...]] = []
    couplings: list[tuple[int, ...]] = []
    updates: list[int] = []
    for k, near in enumerate(later):
        below = len(couplings)
        stop = below + len(near)
        is_joint = int(order[k] >= n_bodies)
        nodes.append((size[k], first[k], start[k, k], below, stop, len(updates), is_joint))
        couplings += [(size[i], first[i], start[i, k], start[k, i]) for i in near]
        updates += [start[i, j] for i in near for j in near]

    D_at = np.zeros((len(system.row_of), 3), dtype=np.int64)
    for carrier, record in enumerate(system.carriers):
        body = owner[carrier]
        for a in range(record["start"], record["stop"]):
            joint = joint_of_row[system.row_of[a]]
            p, b, m = place[n_bodies + joint], place[body], sizes[n_bodies + joint]
            local = system.row_of[a] - system.nodes["first"][joint]
            D_at[a] = start[p, b] + local * sizes[body], start[b, p] + local, m
    rows = system.row_of.dtype.type
    row_at = np.array(
        [
            first[place[n_bodies + joint]] + row - system.nodes["first"][joint]
            for row, joint in enumerate(joint_of_row)
        ],
        dtype=rows,
    )
    return Elimination(
        nodes=np.array(nodes, dtype=KKT_NODE),
        couplings=np.array(couplings, dtype=KKT_COUPLING),
        updates=np.array(updates, dtype=np.int64),
        n_lu=n_lu,
        blocks=_blocks(
            system,
            pairs,
            [start[place[i], place[j]] if max(i, j) < n_bodies else -1 for i, j in pairs],
        ),
        onto=_onto(system, pairs, owner),
        of_term=np.zeros((0, 4), dtype=np.int64),
        of_law=np.zeros((0, 4), dtype=np.int64),
        of_pair=np.zeros((0, 4), dtype=np.int64),
        of_interaction=np.zeros((0, 4), dtype=np.int64),
        D_at=D_at,
        body_at=np.array([first[place[k]] for k in range(n_bodies)], dtype=np.int64),
        row_at=row_at,
    )


def _blocks(system: System, pairs: list[tuple[int, int]], in_lu: list[int]) -> np.ndarray:
    """The blocks of K and C one after the other, and behind them one for the ground."""
    blocks = np.zeros(len(pairs) + 1, dtype=BLOCK)
    for block, (i, j), lu in zip(blocks, pairs, in_lu):
        block["i"], block["j"], block["lu"] = i, j, lu
        block["n_i"], block["n_j"] = system.carriers["n_v"][[i, j]]
    blocks[-1]["n_i"] = blocks[-1]["n_j"] = RIGID[system.dim].n_v
    sizes = blocks["n_i"] * blocks["n_j"]
    blocks["at"] = np.cumsum(sizes) - sizes
    return blocks


def _onto(system: System, pairs: list[tuple[int, int]], owner: list[int]) -> np.ndarray:
    """The block of bodies that each block of followers adds to, -1 for those of bodies."""
    if not len(system.followers):
        return np.zeros(0, dtype=np.int64)
    index = {pair: k for k, pair in enumerate(pairs)}
    n = system.n_bodies
    onto = [-1 if max(i, j) < n else index[owner[i], owner[j]] for i, j in pairs]
    return np.array(onto, dtype=np.int64)


def tangent_space(system: System, order: Elimination) -> Tangents:
    """Fresh scratch memory for implicit methods."""
    layout, n_d, most = layout_of(system), RIGID[system.dim].n_v, most_states(system)
    n_v, n_rows = layout.n_v, len(system.rows)
    n_E = n_carried(system.flexibles, system.followers)
    lengths = {
        **dict.fromkeys(("K", "C"), int((order.blocks["n_i"] * order.blocks["n_j"]).sum())),
        **dict.fromkeys(("scale", "ordered"), n_v + n_rows),
        **dict.fromkeys(("b", "b_left", "x", "delta"), n_v),
        **dict.fromkeys(("c", "c_left", "y"), n_rows),
        "factors": N_FACTORS,
        "lu": order.n_lu,
        "temporary": int(order.nodes["size"].max(initial=1)),
        "q": layout.n_q,
        "slope": (Z_DOT + most) * (BY_Z + most),
        **dict.fromkeys(("GE", "GE_pose"), n_E),
        "rubbed_E": n_E if len(system.rubbings) else 0,
        **dict.fromkeys(("r_z", "dz", "z_rate"), layout.n_z),
    }
    as_D = len(system.row_of) + int(system.nodes["size"].max(initial=1)), n_d
    return Tangents(
        H=np.zeros((2 * n_d, 2 * n_d)),
        G=np.zeros(as_D),
        G_pose=np.zeros(as_D),
        rubbed=np.zeros(as_D if len(system.rubbings) else (0, n_d)),
        columns=np.zeros((_most_arguments(system), 2 * n_d)),
        scratch=np.zeros((4, 2 + 2 * n_d)),
        work=np.zeros((3, max(BY_Z + most, 2 * n_d))),
        by_z=np.zeros((3, layout.n_z, 2 * n_d)),
        Y=np.zeros((layout.n_z, max(most, 1))),
        dropped=np.zeros(n_v + n_rows, dtype=np.int64),
        **{name: np.zeros(length) for name, length in lengths.items()},
    )


def _most_arguments(system: System) -> int:
    """How many arguments a formula has at most."""
    return int((system.formulas["stop"] - system.formulas["start"]).max(initial=0))


def dense_blocks(system: System, order: Elimination, blocks: np.ndarray) -> np.ndarray:
    """K or C as one matrix."""
    layout = layout_of(system)
    matrix = np.zeros((layout.n_v, layout.n_v))
    for block in order.blocks[:-1]:
        if block["lu"] < 0:
            continue
        rows, columns = layout.v(block["i"]), layout.v(block["j"])
        part = blocks[block["at"] :][: block["n_i"] * block["n_j"]]
        matrix[rows, columns] = part.reshape(block["n_i"], block["n_j"])
    return matrix


def with_tangents(table: np.ndarray, system: System) -> tuple[np.ndarray, tuple[Any, ...]]:
    """The table of a system, extended for implicit methods, and the objects that must stay alive."""
    order = elimination(system)
    tan = tangent_space(system, order)
    longer = np.array([*table, *words(order), *words(tan)], dtype=np.int64)
    longer[NEWTON] = implicit_entries.newton.address
    longer[TANGENT] = implicit_entries.tangent.address
    longer[STEP] = implicit_entries.step.address
    return longer, (order, tan)
