"""How beams are bent at a moment of a run, as numbers for the stage: magnified shapes, markers, values.

The rigid frame of a beam is its mean axis. What is drawn is x + magnification u(x), the pins at the ends
included; the true shape is kept beside it.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from engine.compiling.elastic.beams import PER_NODE, TURN, U, V, hermite
from engine.compiling.elastic.records import Elastic, arm_of
from engine.compiling.system import Compiled
from engine.model.elements import Id
from engine.results.channels.beams import deflected, stresses_in_frame
from engine.results.results import Results

NOTHING, DEFLECTION, STRESS = "nothing", "deflection", "stress"
COLOURINGS = (NOTHING, DEFLECTION, STRESS)
WITHIN = (0.0, 0.25, 0.5, 0.75)  # places within an element that are drawn


class Bend(NamedTuple):
    """One bent beam, in the frame of its body."""

    rest: np.ndarray  # (n,) places along it while it is straight    [m]
    axis: np.ndarray  # (n, 2) its middle line, magnified            [m]
    true: np.ndarray  # (n, 2) as it is                              [m]
    values: np.ndarray  # (n,) what it is coloured by; empty: by nothing
    markers: dict[
        Id, tuple[float, float, float]
    ]  # how far each marker is moved and turned, magnified


def bends_of_row(
    compiled: Compiled, q_row: np.ndarray, magnification: float = 1.0
) -> dict[Id, Bend]:
    """The beams of a row of q, without values."""
    found = {}
    for id, record in compiled.elastic.items():
        if not record.is_beam:
            continue
        q = np.asarray(q_row)[compiled.layout.modes(compiled.body_ids.index(id))]
        found[id] = bent(record, q, magnification)
    return found


def bent(record: Elastic, q: np.ndarray, magnification: float) -> Bend:
    """A beam with the modal coordinates q."""
    nodal, x = record.modes.Phi @ q, record.mesh.stations
    moved = np.array(list(_along(x, nodal)))
    rest, u = moved[:, 0], moved[:, 1:]
    straight = np.column_stack([rest, np.zeros_like(rest)])
    markers = {}
    for id, one in record.followers.items():
        shift = magnification * (one.Phi - 0.5 * one.G @ q) @ q
        markers[id] = (float(shift[0]), float(shift[1]), magnification * float(one.Psi[0] @ q))
    return Bend(rest, straight + magnification * u, straight + u, np.zeros(0), markers)


def shaped(record: Elastic, nodal: np.ndarray) -> Bend:
    """A beam with given nodal coordinates, as a shape that is shown by itself."""
    moved = np.array(list(_along(record.mesh.stations, nodal)))
    rest, u = moved[:, 0], moved[:, 1:]
    axis = np.column_stack([rest, np.zeros_like(rest)]) + u
    markers = {}
    for id, node in record.nodes.items():
        rows, turn = record.mesh.rows_at(
            node, arm_of(record.mesh, node, record.followers[id].P.copy())
        )
        x, y = (rows @ nodal).tolist()
        markers[id] = (x, y, float(turn[0] @ nodal))
    return Bend(rest, axis, axis, np.zeros(0), markers)


def with_values(bend: Bend, record: Elastic, values: np.ndarray) -> Bend:
    """A bend that is coloured by values at its stations."""
    return bend._replace(values=np.interp(bend.rest, record.mesh.stations, values))


def values_at(results: Results, id: Id, frame: int, colouring: str) -> np.ndarray:
    """Deflection or stress at the stations of a beam in a frame; empty for nothing."""
    record = results.compiled.elastic[id]
    if colouring == STRESS:
        return stresses_in_frame(results, id, frame)
    q = results.q[frame, results.compiled.layout.modes(results.compiled.body_ids.index(id))]
    return np.asarray(np.linalg.norm(deflected(record, q[None])[0], axis=1))


def _along(x: np.ndarray, nodal: np.ndarray) -> Iterator[tuple[float, float, float]]:
    """Places along a beam and their displacement: (x, u, v), by the shape functions of its elements."""
    for e, l in enumerate(np.diff(x)):
        near, far = (nodal[PER_NODE * n : PER_NODE * (n + 1)] for n in (e, e + 1))
        for xi in (*WITHIN, 1.0) if e == len(x) - 2 else WITHIN:
            H = hermite(xi, l)[0]
            v = H @ (near[V], near[TURN], far[V], far[TURN])
            yield float(x[e] + xi * l), float((1 - xi) * near[U] + xi * far[U]), float(v)
