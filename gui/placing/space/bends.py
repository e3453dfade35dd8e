"""How beams are bent in space at a moment of a run: what moves their solids and their markers.

The section of a beam at x is moved by u(x) and turned by theta(x), so that a point (x, y, z) of the
straight beam is at

    (x, 0, 0) + u(x) + exp(theta~(x)) (0, y, z)

with u and theta magnified as wanted. A beam of the plane is bent in its plane.
"""

from typing import NamedTuple

import numpy as np

from engine.compiling.elastic.beams import hermite
from engine.compiling.elastic.records import Elastic, arm_of
from engine.compiling.system import Compiled
from engine.model.elements import Id
from rotations import axis_angle

WITHIN = 4  # places of an element at which its shape is taken


class SolidBend(NamedTuple):
    """One bent beam, in the frame of its body."""

    rest: np.ndarray  # (n,) places along it while it is straight              [m]
    shift: np.ndarray  # (n, 3) displacement of its sections, magnified        [m]
    turn: np.ndarray  # (n, 3) their turns as rotation vectors, magnified      [rad]
    values: np.ndarray  # (n,) what it is coloured by; empty: by nothing
    markers: dict[Id, tuple[np.ndarray, np.ndarray]]  # shift and turn of each marker


def bends_of_row(
    compiled: Compiled, q_row: np.ndarray, magnification: float = 1.0
) -> dict[Id, SolidBend]:
    """The beams of a row of q, without values."""
    q_row = np.asarray(q_row)
    return {
        id: bent(record, q_row[compiled.layout.modes(compiled.body_ids.index(id))], magnification)
        for id, record in compiled.elastic.items()
        if record.is_beam
    }


def bent(record: Elastic, q: np.ndarray, magnification: float) -> SolidBend:
    """A beam with the modal coordinates q."""
    rest, shift, turn = _along(record, magnification * record.modes.Phi @ q)
    markers = {}
    for id, one in record.followers.items():
        moved = magnification * (one.Phi - 0.5 * one.G @ q) @ q
        markers[id] = _in_space(moved, magnification * one.Psi @ q)
    return SolidBend(rest, shift, turn, np.zeros(0), markers)


def shaped(record: Elastic, nodal: np.ndarray) -> SolidBend:
    """A beam with given nodal coordinates, as a shape that is shown by itself."""
    rest, shift, turn = _along(record, nodal)
    markers = {}
    for id, node in record.nodes.items():
        arm = arm_of(record.mesh, node, record.followers[id].P.copy())
        rows, turns = record.mesh.rows_at(node, arm)
        markers[id] = _in_space(rows @ nodal, turns @ nodal)
    return SolidBend(rest, shift, turn, np.zeros(0), markers)


def _in_space(moved: np.ndarray, turned: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A displacement and a turn with three components each."""
    shift, turn = np.zeros(3), np.zeros(3)
    shift[: len(moved)], turn[3 - len(turned) :] = moved, turned
    return shift, turn


def _along(record: Elastic, values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Places along a beam, and the displacement and the turn of its sections there."""
    mesh, x = record.mesh, record.mesh.stations
    nodal = np.zeros((len(x), 6))  # u, v, w and three turns
    kept = (0, 1, 5) if mesh.dim == 2 else tuple(range(6))
    nodal[:, kept] = values.reshape(-1, mesh.per_node)
    rest, rows = [], []
    for e, l in enumerate(np.diff(x)):
        near, far = nodal[e], nodal[e + 1]
        last = e == len(x) - 2
        for xi in np.arange(WITHIN + (1 if last else 0)) / WITHIN:
            H, slope, _ = hermite(float(xi), float(l))
            row = (1.0 - xi) * near + xi * far
            sideways = (near[1], near[5], far[1], far[5])
            upwards = (near[2], -near[4], far[2], -far[4])
            row[1], row[5] = H @ sideways, slope @ sideways
            row[2], row[4] = H @ upwards, -(slope @ upwards)
            rest.append(float(x[e] + xi * l))
            rows.append(row)
    moved = np.array(rows)
    return np.array(rest), moved[:, :3], moved[:, 3:]


def warped(bend: SolidBend, points: np.ndarray) -> np.ndarray:
    """Points (n, 3) of the straight beam where they are when it is bent; beyond its ends in line."""
    shift, turn = (
        np.column_stack([np.interp(points[:, 0], bend.rest, column) for column in part.T])
        for part in (bend.shift, bend.turn)
    )
    inside = np.clip(points[:, 0], bend.rest[0], bend.rest[-1])
    arms = points.copy()
    arms[:, 0] -= inside
    there = np.einsum("nij,nj->ni", axis_angle.exponential(turn), arms) + shift
    there[:, 0] += inside
    return np.asarray(there)


def with_values(bend: SolidBend, record: Elastic, values: np.ndarray) -> SolidBend:
    """A bend that is coloured by values at its stations."""
    return bend._replace(values=np.interp(bend.rest, record.mesh.stations, values))
