"""The rank of D and the rows that others repeat, by a QR decomposition that goes from body to body.

Bodies are eliminated one by one, those with few neighbours first. The front of a body holds the rows of its
joints that were not yet used, and what the fronts before it left over:

    [ A_b  A_others ] = Q [ R  * ]     rows of R: as many as the body's columns have rank
                          [ 0  B ]     B: what the joints still say about the other bodies

B is brought to full rank by a second QR and passed on; a row of it that vanishes repeats others. Everything
is orthogonal, so a tolerance means the same as in one large QR of the scaled D. For chains, trees and rows
of loops the work grows with the number of bodies, not with its cube.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.linalg.lapack import dgeqp3, dormqr

from engine.compiling.sparsity import minimum_degree
from engine.compiling.system import Compiled
from engine.kernels.layout import Workspace
from engine.kinematics.evaluate import rows_of_follower


@dataclass(slots=True)
class Rows:
    """Rows of the scaled D over some bodies, side by side in this order."""

    bodies: tuple[int, ...]
    A: np.ndarray
    of: "np.ndarray | list[Rows]"  # the numbers of the rows, or what the rows were made of


@dataclass(slots=True)
class Rank:
    """The rank of the scaled D."""

    rank: int = 0
    repeated: list[Rows] = field(default_factory=list)  # fronts in which rows vanished


def scaled_rows(
    compiled: Compiled, ws: Workspace, W_half: Sequence[np.ndarray]
) -> tuple[list[Rows], np.ndarray]:
    """The rows of D W^1/2 with unit length, by joint, and those that have no length at all.

    `W_half` holds a root of the inverse mass of each body; a particle has the columns of its place only.
    """
    system, nodes = compiled.system, compiled.system.nodes
    node_of, square = np.zeros(compiled.n_rows, dtype=int), np.zeros(compiled.n_rows)
    for n, node in enumerate(nodes):
        node_of[node["first"] : node["first"] + node["size"]] = n
    pieces: list[list[tuple[int, np.ndarray]]] = [[] for _ in nodes]
    owner = [*range(system.n_bodies), *system.followers["body"].tolist()]
    for carrier, record in enumerate(system.carriers):
        part = slice(record["start"], record["stop"])
        k, D = owner[carrier], ws.D[part]
        if carrier >= system.n_bodies:
            D = rows_of_follower(compiled, ws, system.followers[carrier - system.n_bodies])
        block, rows = D[:, : len(W_half[k])] @ W_half[k], system.row_of[part]
        square[rows] += np.einsum("ij,ij->i", block, block)
        joint, at = node_of[rows], 0
        while at < len(rows):  # all rows of a joint lie together
            n = int(joint[at])
            end = at + int(nodes["size"][n])
            pieces[n].append((k, block[at:end]))
            at = end
    length, joints = np.sqrt(square), []
    for node, of_bodies in zip(nodes, pieces):
        numbers = node["first"] + np.arange(node["size"])
        moves = length[numbers] > 0.0
        if moves.any():
            A = np.hstack([block for _, block in of_bodies])[moves]
            bodies, numbers = tuple(k for k, _ in of_bodies), numbers[moves]
            joints.append(Rows(bodies, A / length[numbers, None], numbers))
    return joints, np.flatnonzero(length == 0.0)


def rank_of(joints: Sequence[Rows], widths: Sequence[int], tolerance: float) -> Rank:
    """The rank of rows of unit length over bodies with so many columns each."""
    place = _elimination_order(joints, len(widths))
    waiting: list[list[Rows]] = [[] for _ in widths]  # what is used when a body is eliminated
    for rows in joints:
        waiting[min(rows.bodies, key=place.__getitem__)].append(rows)
    found = Rank()
    for body in sorted(range(len(widths)), key=place.__getitem__):
        if not waiting[body]:
            continue
        others = sorted(
            {b for r in waiting[body] for b in r.bodies if b != body}, key=place.__getitem__
        )
        front = joined(waiting[body], [body, *others], widths)
        rank, rest = _eliminated(front, widths[body], tolerance)
        found.rank += rank
        left = Rows(tuple(others), rest, waiting[body])
        if rank + len(rest) < len(front):
            found.repeated.append(left)
        if len(rest):
            waiting[others[0]].append(left)
        waiting[body] = []
    return found


def numbers_of(rows: Rows) -> set[int]:
    """The numbers of all rows of D that went into these."""
    found, to_see = set[int](), [rows]
    while to_see:
        one = to_see.pop()
        if isinstance(one.of, list):
            to_see += one.of
        else:
            found.update(one.of.tolist())
    return found


def without_loose_ends(
    joints: Sequence[Rows], widths: Sequence[int], tolerance: float
) -> list[Rows]:
    """The joints that can take part in a redundancy: not those of bodies at the end of a chain.

    Where all rows of a body are independent in its own columns, no combination of rows leaves it in peace.
    """
    kept = dict(enumerate(joints))
    of_body: list[set[int]] = [set() for _ in widths]
    for n, rows in kept.items():
        for body in rows.bodies:
            of_body[body].add(n)
    to_see = list(range(len(widths)))
    while to_see:
        body = to_see.pop()
        own = [kept[n] for n in of_body[body]]
        if not own or sum(len(rows.A) for rows in own) > widths[body]:
            continue
        front = joined(own, [body], widths)
        if _eliminated(front, widths[body], tolerance)[0] < len(front):
            continue
        for n in tuple(of_body[body]):
            for other in kept.pop(n).bodies:
                of_body[other].discard(n)
                to_see.append(other)
    return list(kept.values())


def joined(parts: Sequence[Rows], bodies: Sequence[int], widths: Sequence[int]) -> np.ndarray:
    """The rows of all parts below each other, over the columns of some bodies in this order."""
    at, n = {}, 0
    for body in bodies:
        at[body] = n
        n += widths[body]
    front = np.zeros((sum(len(part.A) for part in parts), n), order="F")
    row = 0
    for part in parts:
        column, end = 0, row + len(part.A)
        for body in part.bodies:
            if body in at:
                to = slice(at[body], at[body] + widths[body])
                front[row:end, to] = part.A[:, column : column + widths[body]]
            column += widths[body]
        row = end
    return front


def _eliminated(front: np.ndarray, width: int, tolerance: float) -> tuple[int, np.ndarray]:
    """The rank of the first columns, and what is left of the others with full rank."""
    rank, factors, _, tau = _pivoted(front[:, :width], tolerance)
    n_others = front.shape[1] - width
    if rank == len(front) or n_others == 0:
        return rank, np.zeros((0, n_others))
    room = max(1, 64 * n_others)
    rest = dormqr("L", "T", factors[:, : len(tau)], tau, front[:, width:], room)[0][rank:]
    kept, factors, order, _ = _pivoted(rest, tolerance)
    left = np.zeros((kept, n_others), order="F")
    left[:, order] = np.triu(factors[:kept])
    return rank, left


def _pivoted(A: np.ndarray, tolerance: float) -> tuple[int, np.ndarray, np.ndarray, np.ndarray]:
    """The rank of A, its factors, the order of its columns and the lengths of the reflections."""
    factors, order, tau, _, _ = dgeqp3(A)
    return int((np.abs(np.diag(factors)) > tolerance).sum()), factors, order - 1, tau


def _elimination_order(joints: Sequence[Rows], n_bodies: int) -> list[int]:
    """The place of each body: always the one with the fewest neighbours is next."""
    neighbours: list[set[int]] = [set() for _ in range(n_bodies)]
    for rows in joints:
        for body in rows.bodies:
            neighbours[body].update(rows.bodies)
    for body, near in enumerate(neighbours):
        near.discard(body)
    place = [0] * n_bodies
    for n, body in enumerate(minimum_degree(neighbours)):
        place[body] = n
    return place
