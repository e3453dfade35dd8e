"""Euler-Bernoulli elements along a straight beam in the plane: stiffness, mass, and the points of both.

A node has three coordinates: u along the beam, v across it, and the turn v'. Within an element of
length l, with xi from 0 to 1,

    u = (1 - xi) u_i + xi u_j                                        stretch u'
    v = H_1 v_i + H_2 th_i + H_3 v_j + H_4 th_j    (Hermite)         curvature v''

Every integral over the beam is a sum over the same Gauss points: mass, stiffness and what the floating
frame needs therefore fit each other exactly. A section with rotary inertia counts as two fibres at +-r,
r^2 = I/A.
"""

from dataclasses import dataclass

import numpy as np

GAUSS = tuple((x + 1.0) / 2.0 for x in np.polynomial.legendre.leggauss(4)[0])  # exact to degree 7
SHARES = tuple(w / 2.0 for w in np.polynomial.legendre.leggauss(4)[1])
PER_NODE = 3  # u, v, turn
U, V, TURN = range(PER_NODE)


@dataclass(frozen=True, slots=True)
class Material:
    """Stiffness and mass per length of a beam."""

    EA: float  # [N]
    EI: float  # [N m^2]
    rhoA: float  # [kg/m]
    rhoI: float  # rotary inertia per length; zero: a line   [kg m]


def hermite(xi: float, l: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """H, H' and H'' of v over (v_i, th_i, v_j, th_j)."""
    s, c = xi**2, xi**3
    H = (1 - 3 * s + 2 * c, l * (xi - 2 * s + c), 3 * s - 2 * c, l * (c - s))
    slope = ((6 * s - 6 * xi) / l, 1 - 4 * xi + 3 * s, (6 * xi - 6 * s) / l, 3 * s - 2 * xi)
    bend = ((12 * xi - 6) / l**2, (6 * xi - 4) / l, (6 - 12 * xi) / l**2, (6 * xi - 2) / l)
    return np.array(H), np.array(slope), np.array(bend)


class BeamMesh:
    """Elements between stations along x, with everything that is integrated over them."""

    dim, per_node = 2, PER_NODE

    def __init__(self, stations: np.ndarray, material: Material) -> None:
        self.stations, self.material = stations, material
        self.n = PER_NODE * len(stations)
        x, N, slopes, stretches, bends, lengths = [], [], [], [], [], []
        for e, l in enumerate(np.diff(stations)):
            first = PER_NODE * e
            along = [first + U, first + PER_NODE + U]
            across = [first + V, first + TURN, first + PER_NODE + V, first + PER_NODE + TURN]
            for xi, share in zip(GAUSS, SHARES):
                H, slope, bend = hermite(xi, l)
                rows = np.zeros((5, self.n))
                rows[0, along], rows[1, across], rows[2, across] = (1 - xi, xi), H, slope
                rows[3, along], rows[4, across] = (-1 / l, 1 / l), bend
                x.append(stations[e] + xi * l)
                N.append(rows[:2])
                slopes.append(rows[2])
                stretches.append(rows[3])
                bends.append(rows[4])
                lengths.append(share * l)
        self.x, self.lengths = np.array(x), np.array(lengths)
        self.N, self.slopes = np.array(N), np.array(slopes)  # (points, 2, n) and (points, n)
        self.stretches, self.bends = np.array(stretches), np.array(bends)
        root = np.sqrt(self.lengths)[:, None]
        stretched = np.sqrt(material.EA) * root * self.stretches
        self.B = np.concatenate([stretched, np.sqrt(material.EI) * root * self.bends])
        self.K = self.B.T @ self.B
        m, _, S = self.cloud()
        self.M = np.einsum("p,pdi,pdj->ij", m, S, S)

    def cloud(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The beam as mass points: masses (p,), places (p, 2) and rows of their displacement (p, 2, n)."""
        m, zero = self.material.rhoA * self.lengths, np.zeros_like(self.x)
        if self.material.rhoI == 0.0:
            return m, np.stack([self.x, zero], axis=1), self.N
        r = np.sqrt(self.material.rhoI / self.material.rhoA)
        places, rows = [], []
        for y in (-r, r):
            moved = self.N.copy()
            moved[:, 0] -= y * self.slopes
            places.append(np.stack([self.x, zero + y], axis=1))
            rows.append(moved)
        return np.tile(m / 2, 2), np.concatenate(places), np.concatenate(rows)

    def rigid(self) -> np.ndarray:
        """Shifts along x and y and a turn about the origin as nodal coordinates, (n, 3)."""
        R = np.zeros((self.n, 3))
        R[U::PER_NODE, 0] = R[V::PER_NODE, 1] = R[TURN::PER_NODE, 2] = 1.0
        R[V::PER_NODE, 2] = self.stations
        return R

    def rows_at(self, node: int, arm: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Displacement (2, n) and turn (1, n) of a point on a rigid arm from the section at a node."""
        rows = np.zeros((PER_NODE, self.n))
        rows[:, PER_NODE * node : PER_NODE * (node + 1)] = np.eye(PER_NODE)
        turn = rows[TURN]
        return np.stack([rows[U] - arm[1] * turn, rows[V] + arm[0] * turn]), rows[TURN:]

    def tensions(self, u: np.ndarray) -> np.ndarray:
        """The axial force at every Gauss point for nodal coordinates u (n, ...)."""
        return self.material.EA * np.tensordot(self.stretches, u, axes=1)

    def stress_stiffness(self, N: np.ndarray) -> np.ndarray:
        """integral N v' v'^T for axial forces N at the points."""
        return (self.slopes.T * (N * self.lengths)) @ self.slopes
