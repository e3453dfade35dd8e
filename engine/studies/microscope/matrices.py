"""The matrix of a step by blocks of bodies and joints, in its order of elimination, with its fill.

explicit methods        S = D W D^T                          nodes: joints
implicit methods        [ M + c1 C + c2 K   D^T ; D   0 ]    nodes: bodies and joints

Two nodes are coupled where their block is not zero; fill is a block that is zero at first and not
while the nodes before it are eliminated.
"""

from typing import Any, NamedTuple

import numpy as np

from engine.compiling.elimination import dense_blocks
from engine.compiling.system import Compiled
from engine.kernels.layout import System, Workspace
from engine.kinematics.evaluate import dense_D, inverse_mass
from engine.model.elements import Id


class Node(NamedTuple):
    """A body or a joint, and its rows in the matrix."""

    id: Id
    label: str
    first: int
    size: int
    is_joint: bool


class Matrix(NamedTuple):
    """A matrix whose nodes stand in the order of elimination."""

    title: str
    nodes: tuple[Node, ...]
    values: np.ndarray  # (n, n)
    coupled: frozenset[tuple[int, int]]  # pairs of nodes, the earlier first
    fill: frozenset[tuple[int, int]]

    def later(self, k: int) -> list[int]:
        """The nodes that node k is coupled to when it is eliminated."""
        return sorted(j for i, j in self.coupled | self.fill if i == k)


def schur(compiled: Compiled, ws: Workspace, M: np.ndarray) -> Matrix:
    """S of the last state in ws."""
    system, D = compiled.system, dense_D(compiled, ws)
    W = np.linalg.pinv(M) if compiled.elastic else inverse_mass(compiled)
    nodes = tuple(
        _joint(compiled, int(node["first"]), int(node["first"]), int(node["size"]))
        for node in system.nodes
    )
    of = _bodies_of(compiled)
    pairs = _pairs(system.nodes, system.couplings, nodes)
    coupled = frozenset(p for p in pairs if of[nodes[p[0]].id] & of[nodes[p[1]].id])
    return Matrix("S = D W Dᵀ", nodes, D @ W @ D.T, coupled, frozenset(pairs) - coupled)


def newton(
    compiled: Compiled, keep: tuple[System, Workspace, Any], A: np.ndarray, title: str
) -> Matrix:
    """[A D^T; D 0] in its order; A is given in the order of the engine."""
    system, _, (order, _) = keep
    layout, n_v = compiled.layout, compiled.layout.n_v
    nodes: list[Node] = []
    places: list[int] = []
    body_at = {int(first): k for k, first in enumerate(order.body_at)}
    row_at = {int(order.row_at[int(n["first"])]): int(n["first"]) for n in system.nodes}
    for node in order.nodes:
        first, size = int(node["first"]), int(node["size"])
        if first in body_at:
            k = body_at[first]
            id = compiled.body_ids[k]
            nodes.append(Node(id, compiled.resolved[id].label, first, size, False))
            places += range(*layout.v(k).indices(n_v))
        else:
            row = row_at[first]
            nodes.append(_joint(compiled, row, first, size))
            places += range(n_v + row, n_v + row + size)
    pairs = _pairs(order.nodes, order.couplings, tuple(nodes))
    body_of = [*range(system.n_bodies), *system.followers["body"].tolist()]
    bodies = {
        frozenset(compiled.body_ids[body_of[int(b[end])]] for end in ("i", "j"))
        for b in order.blocks[:-1]
    }
    of = _bodies_of(compiled)

    def is_coupled(i: int, j: int) -> bool:
        one, other = nodes[i], nodes[j]
        if one.is_joint != other.is_joint:
            joint, body = (one, other) if one.is_joint else (other, one)
            return body.id in of[joint.id]
        return not one.is_joint and frozenset((one.id, other.id)) in bodies

    coupled = frozenset(p for p in pairs if is_coupled(*p))
    values = A[np.ix_(places, places)]
    return Matrix(title, tuple(nodes), values, coupled, frozenset(pairs) - coupled)


def tangents(compiled: Compiled, keep: tuple[Any, Any, Any]) -> tuple[np.ndarray, np.ndarray]:
    """K and C as matrices, as they were linearised last."""
    system, _, (order, tan) = keep
    return dense_blocks(system, order, tan.K), dense_blocks(system, order, tan.C)


def _joint(compiled: Compiled, row: int, first: int, size: int) -> Node:
    id = compiled.row_ids[row]
    return Node(id, compiled.resolved[id].label, first, size, True)


def _bodies_of(compiled: Compiled) -> dict[Id, set[Id]]:
    """The moving bodies that the rows of each joint have columns for."""
    system = compiled.system
    owner = [*range(system.n_bodies), *system.followers["body"].tolist()]
    found: dict[Id, set[Id]] = {id: set() for id in compiled.rows_of}
    for carrier, record in enumerate(system.carriers):
        for row in system.row_of[record["start"] : record["stop"]]:
            found[compiled.row_ids[int(row)]].add(compiled.body_ids[owner[carrier]])
    return found


def _pairs(
    records: np.ndarray, couplings: np.ndarray, nodes: tuple[Node, ...]
) -> list[tuple[int, int]]:
    """The pairs of nodes that are coupled while the earlier one is eliminated."""
    place = {node.first: k for k, node in enumerate(nodes)}
    return [
        (k, place[int(other["first"])])
        for k, node in enumerate(records)
        for other in couplings[node["below"] : node["below_stop"]]
    ]
