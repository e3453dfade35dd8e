"""How flexible bodies are bent at a moment of a run, for the stage: magnified shapes, markers, values.

The rigid frame of such a body is its mean axis. What is drawn is x + u(x), magnified from what its joints
hold (`engine.compiling.elastic.anchoring`): clamps and the pins at both ends stay where they are; the true
shape is kept beside it.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from engine.compiling.elastic.beams import PER_NODE, TURN, U, V, hermite
from engine.compiling.elastic.records import Elastic
from engine.compiling.elastic.stresses import stresses_of_bars
from engine.compiling.system import Compiled
from engine.model.elements import Id
from engine.results.channels.beams import deflected, deflected_nodes, stresses_in_frame
from engine.results.results import Results
from gui.placing.bent_parts import carried, nodal_shift

PIECES = 32  # straight pieces along a bent body
LINE = 5  # points of a line between two nodes of a part
NOTHING, DEFLECTION, STRESS = "nothing", "deflection", "stress"
COLOURINGS = (NOTHING, DEFLECTION, STRESS)
WITHIN = (0.0, 0.25, 0.5, 0.75)  # places within an element that are drawn


class Line(NamedTuple):
    """A line of a bent body, in the frame of the body."""

    points: np.ndarray  # (n, 2) magnified    [m]
    true: np.ndarray  # (n, 2) as it is       [m]
    values: np.ndarray  # (n,) what it is coloured by, or empty


class Bend(NamedTuple):
    """One bent beam, in the frame of its body."""

    rest: np.ndarray  # (n,) places along it while it is straight    [m]
    axis: np.ndarray  # (n, 2) its middle line, magnified            [m]
    true: np.ndarray  # (n, 2) as it is                              [m]
    values: np.ndarray  # (n,) what it is coloured by; empty: by nothing
    markers: dict[
        Id, tuple[float, float, float]
    ]  # how far each marker is moved and turned, magnified

    @property
    def piece(self) -> float:
        """How long straight lines may be that bend with it  [m]."""
        return float(self.rest[-1] - self.rest[0]) / PIECES

    def moved(self, points: np.ndarray) -> np.ndarray:
        """Points (n, 2) of the straight beam where they are when it is bent; beyond its ends in line."""
        along = np.gradient(self.axis, axis=0)
        along /= np.linalg.norm(along, axis=1, keepdims=True)
        x, y = points.T
        axis, t = (
            np.column_stack([np.interp(x, self.rest, a[:, c]) for c in range(2)])
            for a in (self.axis, along)
        )
        over = x - np.clip(x, self.rest[0], self.rest[-1])
        return np.asarray(
            axis + over[:, None] * t + y[:, None] * np.column_stack([-t[:, 1], t[:, 0]])
        )

    def lines(self) -> Iterator[Line]:
        """What is coloured: its middle line."""
        yield Line(self.axis, self.true, self.values)


class PartBend(NamedTuple):
    """One bent part by its matrices, in the frame of its body."""

    nodes: np.ndarray  # (k, 2) at rest   [m]
    shift: np.ndarray  # (k, 2) magnified
    true: np.ndarray  # (k, 2) as it is
    joined: list[tuple[int, int]]  # nodes between which lines are drawn
    values: np.ndarray  # (k,) what it is coloured by; empty: by nothing
    markers: dict[Id, tuple[float, float, float]]

    @property
    def piece(self) -> float:
        """How long straight lines may be that bend with it  [m]."""
        return float(np.ptp(self.nodes, axis=0).max()) / PIECES

    def moved(self, points: np.ndarray) -> np.ndarray:
        """Points (n, 2) where they are when it is bent."""
        return np.asarray(points + carried(self.nodes, self.shift, points))

    def lines(self) -> Iterator[Line]:
        """What is coloured: lines between joined nodes."""
        share = np.linspace(0.0, 1.0, LINE)[:, None]
        for i, j in self.joined:
            ends = self.nodes[[i, j]]
            there = (1.0 - share) * ends[0] + share * ends[1]
            values = self.values
            if values.size:
                values = np.interp(share[:, 0], (0.0, 1.0), values[[i, j]])
            true = there + carried(self.nodes, self.true, there)
            yield Line(self.moved(there), true, values)


AnyBend = Bend | PartBend


def bends_of_row(
    compiled: Compiled, q_row: np.ndarray, magnification: float = 1.0
) -> dict[Id, AnyBend]:
    """The flexible bodies of a row of q, without values."""
    found = {}
    for id, record in compiled.elastic.items():
        q = np.asarray(q_row)[compiled.layout.modes(compiled.body_ids.index(id))]
        found[id] = bent(record, q, magnification)
    return found


def bent(record: Elastic, q: np.ndarray, magnification: float) -> AnyBend:
    """A flexible body with the modal coordinates q."""
    true, more = record.modes.Phi @ q, beyond(record, q, magnification)
    r, turn = more[:2], more[2]
    markers = {}
    for id, one in record.followers.items():
        (x, y), spin = (one.Phi - 0.5 * one.G @ q) @ q, float(one.Psi[0] @ q)
        far = (magnification - 1.0) * one.Phi @ q - r - turn * np.array([-one.P[1], one.P[0]])
        markers[id] = (
            *(float(x + far[0]), float(y + far[1])),
            magnification * spin - turn,
        )
    return _shown(record, true, magnification * true - record.mesh.rigid() @ more, markers)


def beyond(record: Elastic, q: np.ndarray, magnification: float) -> np.ndarray:
    """The rigid motion (3 or 6,) that a magnified picture must not take part in."""
    return np.asarray((magnification - 1.0) * record.anchor @ q)


def shaped(record: Elastic, nodal: np.ndarray) -> AnyBend:
    """A flexible body with given nodal coordinates, as a shape that is shown by itself."""
    markers = {}
    for id, (moved, turned) in markers_of_shape(record, nodal).items():
        markers[id] = (float(moved[0]), float(moved[1]), float(turned[0]))
    return _shown(record, nodal, nodal, markers)


def markers_of_shape(record: Elastic, nodal: np.ndarray) -> dict[Id, tuple[np.ndarray, np.ndarray]]:
    """How nodal coordinates move and turn the markers of a body."""
    found = {}
    for id, rows in record.rows.items():
        moved, turned = np.split(rows @ nodal, [record.mesh.dim])
        found[id] = moved, turned
    return found


def _shown(record: Elastic, true: np.ndarray, drawn: np.ndarray, markers: dict[Id, Any]) -> AnyBend:
    """A body with nodal coordinates as they are, and as they are drawn."""
    if not record.is_beam:
        shift, still = (nodal_shift(record, x) for x in (drawn, true))
        nodes, joined = record.places, record.joined_nodes
        return PartBend(nodes, shift, still, joined, np.zeros(0), markers)
    x = record.mesh.stations
    moved, shown = (np.array(list(_along(x, nodal))) for nodal in (true, drawn))
    straight = np.column_stack([moved[:, 0], np.zeros(len(moved))])
    axis, as_it_is = (straight + u[:, 1:] for u in (shown, moved))
    return Bend(moved[:, 0], axis, as_it_is, np.zeros(0), markers)


def with_values(bend: AnyBend, record: Elastic, values: np.ndarray) -> AnyBend:
    """A bend that is coloured by values at its stations or nodes."""
    if isinstance(bend, PartBend):
        return bend._replace(values=values)
    return bend._replace(values=np.interp(bend.rest, record.mesh.stations, values))


def values_at(results: Results, id: Id, frame: int, colouring: str) -> np.ndarray:
    """Deflection or stress of a beam at stations, of others at nodes, in a frame; empty for nothing.

    Nodes are seen from what joints hold. Of the stress of a part its matrices say nothing.
    """
    record = results.compiled.elastic[id]
    if colouring == STRESS and record.is_beam:
        return stresses_in_frame(results, id, frame)
    q = results.q[frame, results.compiled.layout.modes(results.compiled.body_ids.index(id))]
    if colouring == STRESS:
        return stresses_of_bars(record, q[None])[0] if record.has_sections else np.zeros(0)
    if not record.is_beam:
        return deflected_nodes(record, q[None])[0]
    return np.asarray(np.linalg.norm(deflected(record, q[None])[0], axis=1))


def _along(x: np.ndarray, nodal: np.ndarray) -> Iterator[tuple[float, float, float]]:
    """Places along a beam and their displacement: (x, u, v), by the shape functions of its elements."""
    for e, l in enumerate(np.diff(x)):
        near, far = (nodal[PER_NODE * n : PER_NODE * (n + 1)] for n in (e, e + 1))
        for xi in (*WITHIN, 1.0) if e == len(x) - 2 else WITHIN:
            H = hermite(xi, l)[0]
            v = H @ (near[V], near[TURN], far[V], far[TURN])
            yield float(x[e] + xi * l), float((1 - xi) * near[U] + xi * far[U]), float(v)
