"""How flexible bodies are bent in space at a moment of a run: what moves their solids and their markers.

The section of a beam at x is moved by u(x) and turned by theta(x), so that a point (x, y, z) of the
straight beam is at

    (x, 0, 0) + u(x) + exp(theta~(x)) (0, y, z)

with u and theta magnified as wanted. A beam of the plane is bent in its plane. The points of a part follow
its nodes (`gui.placing.bent_parts`).
"""

from typing import NamedTuple

import numpy as np

from engine.compiling.elastic.beams import hermite
from engine.compiling.elastic.records import Elastic
from engine.compiling.system import Compiled
from engine.model.elastic.matrices import turned_places
from engine.model.elements import Id
from gui.placing.bent_parts import carried, nodal_shift
from gui.placing.plane.bends import beyond, markers_of_shape
from rotations import axis_angle

WITHIN = 4  # places of an element at which its shape is taken


class SolidBend(NamedTuple):
    """One bent beam, in the frame of its body."""

    rest: np.ndarray  # (n,) places along it while it is straight              [m]
    shift: np.ndarray  # (n, 3) displacement of its sections, magnified        [m]
    turn: np.ndarray  # (n, 3) their turns as rotation vectors, magnified      [rad]
    values: np.ndarray  # (n,) what it is coloured by; empty: by nothing
    markers: dict[Id, tuple[np.ndarray, np.ndarray]]  # shift and turn of each marker

    def moved(self, points: np.ndarray) -> np.ndarray:
        """Points (n, 3) of the straight beam where they are when it is bent."""
        shift, turn = (
            np.column_stack([np.interp(points[:, 0], self.rest, column) for column in part.T])
            for part in (self.shift, self.turn)
        )
        inside = np.clip(points[:, 0], self.rest[0], self.rest[-1])
        arms = points.copy()
        arms[:, 0] -= inside
        there = np.einsum("nij,nj->ni", axis_angle.exponential(turn), arms) + shift
        there[:, 0] += inside
        return np.asarray(there)

    def values_on(self, points: np.ndarray) -> np.ndarray:
        """What its points are coloured by."""
        return np.interp(points[:, 0], self.rest, self.values)


class SolidPartBend(NamedTuple):
    """One bent part by its matrices, in the frame of its body."""

    nodes: np.ndarray  # (k, 3) at rest           [m]
    shift: np.ndarray  # (k, 3) magnified         [m]
    values: np.ndarray  # (k,) what it is coloured by; empty: by nothing
    markers: dict[Id, tuple[np.ndarray, np.ndarray]]

    def moved(self, points: np.ndarray) -> np.ndarray:
        """Points (n, 3) where they are when it is bent."""
        return np.asarray(points + carried(self.nodes, self.shift, points))

    def values_on(self, points: np.ndarray) -> np.ndarray:
        """What its points are coloured by."""
        return np.maximum(carried(self.nodes, self.values[:, None], points)[:, 0], 0.0)


AnySolidBend = SolidBend | SolidPartBend


def bends_of_row(
    compiled: Compiled, q_row: np.ndarray, magnification: float = 1.0
) -> dict[Id, AnySolidBend]:
    """The flexible bodies of a row of q, without values."""
    q_row = np.asarray(q_row)
    return {
        id: bent(record, q_row[compiled.layout.modes(compiled.body_ids.index(id))], magnification)
        for id, record in compiled.elastic.items()
    }


def bent(record: Elastic, q: np.ndarray, magnification: float) -> AnySolidBend:
    """A flexible body with the modal coordinates q, magnified from what holds it."""
    more, dim = beyond(record, q, magnification), record.mesh.dim
    markers = {}
    for id, one in record.followers.items():
        rigid = more[:dim] + turned_places(one.P[None])[0] @ more[dim:]
        moved = (magnification * one.Phi - 0.5 * one.G @ q) @ q - rigid
        markers[id] = _in_space(moved, magnification * one.Psi @ q - more[dim:])
    nodal = magnification * record.modes.Phi @ q - record.mesh.rigid() @ more
    return _shown(record, nodal, markers)


def shaped(record: Elastic, nodal: np.ndarray) -> AnySolidBend:
    """A flexible body with given nodal coordinates, as a shape that is shown by itself."""
    markers = {id: _in_space(*both) for id, both in markers_of_shape(record, nodal).items()}
    return _shown(record, nodal, markers)


def _shown(
    record: Elastic, nodal: np.ndarray, markers: dict[Id, tuple[np.ndarray, np.ndarray]]
) -> AnySolidBend:
    """A body with the nodal coordinates that are drawn."""
    if record.is_beam:
        return SolidBend(*_along(record, nodal), np.zeros(0), markers)
    flat = ((0, 0), (0, 3 - record.mesh.dim))
    nodes, shift = (np.pad(x, flat) for x in (record.places, nodal_shift(record, nodal)))
    return SolidPartBend(nodes, shift, np.zeros(0), markers)


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


def with_values(bend: AnySolidBend, record: Elastic, values: np.ndarray) -> AnySolidBend:
    """A bend that is coloured by values at its stations or nodes."""
    if isinstance(bend, SolidPartBend):
        return bend._replace(values=values)
    return bend._replace(values=np.interp(bend.rest, record.mesh.stations, values))
