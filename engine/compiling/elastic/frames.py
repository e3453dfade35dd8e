"""Euler-Bernoulli elements in space: beams that bend in two planes, twist and stretch, straight or joined.

A node has six coordinates: the displacement (u, v, w) and the turn (about x, y, z), in axes of the body.
Within an element of length l along its own x, with xi from 0 to 1 and Hermite's H_1 ... H_4,

    u, twist     linear                          stretch u', twist per length
    v            H over v and the turn about z   curvature about z:  v''
    w            H over w and minus that about y curvature about y: -w''

As in the plane every integral is a sum over the same Gauss points. A section has inertia of its own: it
counts as four fibres at +-r_y and +-r_z, r_y^2 = 2 I_z/A and r_z^2 = 2 I_y/A. A mesh in the plane keeps
(u, v, turn about z) of every node.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.compiling.elastic.beams import GAUSS, SHARES, hermite
from engine.model.elastic.bars import axes_along

IN_PLANE = (0, 1, 5)  # of the six coordinates of a node
# --- coordinates of a node, by what they do along a straight beam
STRETCH, SIDEWAYS, UPWARDS, TWIST = (0,), (1, 5), (2, 4), (3,)


@dataclass(frozen=True, slots=True)
class Stiffness:
    """Stiffness and mass per length of a section; y and z are its own axes."""

    EA: float  # [N]
    EI_z: float  # bends along y   [N m^2]
    EI_y: float  # bends along z
    GJ: float  # twists
    rhoA: float  # [kg/m]
    rhoI_z: float  # rotary inertia per length   [kg m]
    rhoI_y: float

    @property
    def EI(self) -> float:
        """Of bending along y."""
        return self.EI_z


def skew(a: np.ndarray) -> np.ndarray:
    """The matrix of the cross product a x."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def rows_within(xi: float, l: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Displacement (3, 12), turn (3, 12) and strains (4, 12) at xi of an element, in its axes.

    The strains are stretch, twist, and the curvatures about y and z.
    """
    H, slope, bend = hermite(xi, l)
    N, turn, strain = np.zeros((3, 12)), np.zeros((3, 12)), np.zeros((4, 12))
    sideways, upwards = [1, 5, 7, 11], [2, 4, 8, 10]
    sign = np.array([1.0, -1.0, 1.0, -1.0])
    N[0, [0, 6]] = turn[0, [3, 9]] = (1.0 - xi, xi)
    N[1, sideways], N[2, upwards] = H, sign * H
    turn[2, sideways], turn[1, upwards] = slope, -sign * slope
    strain[0, [0, 6]] = strain[1, [3, 9]] = (-1.0 / l, 1.0 / l)
    strain[2, upwards], strain[3, sideways] = -sign * bend, bend
    return N, turn, strain


class FrameMesh:
    """Straight elements between nodes, rigidly joined, with everything that is integrated over them."""

    def __init__(
        self,
        dim: int,
        nodes: np.ndarray,
        elements: Sequence[tuple[int, int]],
        sections: Stiffness | Sequence[Stiffness],
    ) -> None:
        self.dim, self.nodes, self.elements = dim, np.asarray(nodes, dtype=float), list(elements)
        if isinstance(sections, Stiffness):
            sections = [sections] * len(self.elements)
        self.sections = tuple(sections)
        self.material = self.sections[0]
        kept = IN_PLANE if dim == 2 else tuple(range(6))
        self.per_node = len(kept)
        self.n = self.per_node * len(self.nodes)
        place, axes, N, turn, strain, lengths, of = [], [], [], [], [], [], []
        for e, (i, j) in enumerate(self.elements):
            way = self.nodes[j] - self.nodes[i]
            R, l = axes_along(way), float(np.linalg.norm(way))
            T = self._coordinates_of(e)
            for xi, share in zip(GAUSS, SHARES):
                own = rows_within(xi, l)
                place.append(self.nodes[i] + xi * way)
                axes.append(R)
                N.append(R @ own[0] @ T)
                turn.append(R @ own[1] @ T)
                strain.append(own[2] @ T)
                lengths.append(share * l)
                of.append(e)
        self.places, self.axes, self.lengths = np.array(place), np.array(axes), np.array(lengths)
        self.N, self.turns, self.strains = np.array(N), np.array(turn), np.array(strain)
        self.element_of = np.array(of)
        numbers = [(s.EA, s.GJ, s.EI_y, s.EI_z) for s in self.sections]
        self.stiffness = np.array(numbers)[self.element_of]
        weighed = np.sqrt(self.stiffness * self.lengths[:, None])
        self.B = weighed.reshape(-1, 1) * self.strains.reshape(-1, self.n)
        self.K = self.B.T @ self.B
        m, _, S = self.cloud()
        flat = S.reshape(-1, self.n)
        self.M = (flat.T * np.repeat(m, dim)) @ flat

    def _coordinates_of(self, e: int) -> np.ndarray:
        """The twelve coordinates of an element, along its axes, by those of all nodes, (12, n)."""
        i, j = self.elements[e]
        R = axes_along(self.nodes[j] - self.nodes[i])
        turned = np.zeros((4, 3, 2 * len(self.nodes), 3))
        for part, at in enumerate((2 * i, 2 * i + 1, 2 * j, 2 * j + 1)):
            turned[part, :, at] = R.T
        kept = IN_PLANE if self.dim == 2 else range(6)
        columns = [6 * k + c for k in range(len(self.nodes)) for c in kept]
        return turned.reshape(12, -1)[:, columns]

    @cached_property
    def strains_at_ends(self) -> np.ndarray:
        """Stretch, twist and curvatures about y and z at both ends of all elements, (e, 2, 4, n)."""
        lengths = [np.linalg.norm(self.nodes[j] - self.nodes[i]) for i, j in self.elements]
        return np.array(
            [
                [rows_within(xi, float(l))[2] @ self._coordinates_of(e) for xi in (0.0, 1.0)]
                for e, l in enumerate(lengths)
            ]
        )

    @property
    def stations(self) -> np.ndarray:
        """Where the nodes of a straight beam are along it."""
        return self.nodes[:, 0]

    def cloud(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Mass points: masses (p,), places (p, dim) and rows of their displacement (p, dim, n)."""
        masses, places, rows = [], [], []
        per_length = np.array([s.rhoA for s in self.sections])[self.element_of] * self.lengths
        for axis, name in ((1, "rhoI_z"), (2, "rhoI_y"))[: self.dim - 1]:
            I = np.array([getattr(s, name) / s.rhoA for s in self.sections])[self.element_of]
            r = np.sqrt((self.dim - 1) * I)
            for sign in (-1.0, 1.0):
                d = sign * r[:, None] * self.axes[:, :, axis]
                masses.append(per_length / (2 * (self.dim - 1)))
                places.append(self.places + d)
                arms = np.array([skew(one) for one in d])
                rows.append(self.N - arms @ self.turns)
        x, S = np.concatenate(places), np.concatenate(rows)
        return np.concatenate(masses), x[:, : self.dim], S[:, : self.dim]

    def rigid(self) -> np.ndarray:
        """Shifts along the axes and turns about the origin as nodal coordinates, (n, 3 or 6)."""
        R = np.zeros((len(self.nodes), 6, 6))
        R[:, range(6), range(6)] = 1.0
        for rows, x in zip(R, self.nodes):
            rows[:3, 3:] = -skew(x)
        kept = IN_PLANE if self.dim == 2 else range(6)
        return R[:, kept][:, :, kept].reshape(self.n, -1)

    def rows_at(self, node: int, arm: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Displacement (dim, n) and turn (1 or 3, n) of a point on a rigid arm from a section."""
        rows = np.zeros((self.per_node, self.n))
        rows[:, self.per_node * node : self.per_node * (node + 1)] = np.eye(self.per_node)
        if self.dim == 3:
            return rows[:3] - skew(arm) @ rows[3:], rows[3:]
        across = np.array([-arm[1], arm[0]])
        return rows[:2] + across[:, None] * rows[2], rows[2:]

    def tensions(self, u: np.ndarray) -> np.ndarray:
        """The axial force at every Gauss point for nodal coordinates u (n, ...)."""
        found = np.tensordot(self.strains[:, 0], u, axes=1)
        return (self.stiffness[:, 0] * found.T).T

    def stress_stiffness(self, N: np.ndarray) -> np.ndarray:
        """integral N (v' v'^T + w' w'^T) for axial forces N at the points."""
        across = np.swapaxes(self.axes[:, :, 1:], 1, 2) @ self.turns  # about y and z of the element
        flat = across.reshape(-1, self.n)
        return (flat.T * np.repeat(N * self.lengths, 2)) @ flat


def straight(stations: np.ndarray, section: Stiffness) -> FrameMesh:
    """A beam in space along the x axis of its body."""
    nodes = np.zeros((len(stations), 3))
    nodes[:, 0] = stations
    return FrameMesh(3, nodes, [(k, k + 1) for k in range(len(stations) - 1)], section)
