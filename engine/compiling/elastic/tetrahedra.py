"""Quadratic tetrahedra: stiffness and mass of a solid, and how they are condensed onto a few nodes.

A tetrahedron has ten nodes, its corners and the middles of its straight edges. With L_i the barycentric
coordinates,

    N_i = L_i (2 L_i - 1)      N_ij = 4 L_i L_j      u = sum N u_node

    K = integral lambda (div u)^2 + 2 mu e:e        M = integral rho u.u

both integrated exactly: gradients are linear in L, products of N follow from

    integral L_1^a L_2^b L_3^c L_4^d = 6 V a! b! c! d! / (a + b + c + d + 3)!

Kept nodes k carry the others i by static shapes and the inertia that these leave (improved reduction):

    T = [-K_ii^-1 K_ik; 1]      T += K_ii^-1 (M T)_i M_r^-1 K_r      M_r, K_r: of the first T

Rigid motions stay exact, with mass, centre and inertia.
"""

from dataclasses import dataclass
from itertools import combinations
from math import factorial
from typing import Any

import numpy as np

CORNERS = 4
EDGES = tuple(combinations(range(CORNERS), 2))  # of the middle nodes, in their order
NODES = CORNERS + len(EDGES)
_G = (5.0 + 3.0 * 5.0**0.5) / 20.0  # quadrature of degree 2
GAUSS = np.full((4, 4), (1.0 - _G) / 3.0) + np.eye(4) * (_G - (1.0 - _G) / 3.0)
FLAT = 1e-9  # of the cube of its longest edge: a tetrahedron with less volume is flat


@dataclass(frozen=True, slots=True)
class Solid:
    """An elastic material."""

    youngs_modulus: float  # [Pa]
    poisson_ratio: float
    density: float  # [kg/m^3]


@dataclass(frozen=True, eq=False, slots=True)
class QuadraticMesh:
    """Quadratic tetrahedra with their matrices."""

    nodes: np.ndarray  # (k, 3) corners, then middles of edges   [m]
    cells: np.ndarray  # (c, 10)
    K: Any  # (3 k, 3 k) sparse
    M: Any  # (3 k, 3 k) sparse


def quadratic_mesh(corners: np.ndarray, cells: np.ndarray, material: Solid) -> QuadraticMesh:
    """The mesh of linear tetrahedra (c, 4) over corners (k, 3), with a node in the middle of every edge."""
    ends = np.sort(cells[:, EDGES].reshape(-1, 2), axis=1)
    edges, which = np.unique(ends, axis=0, return_inverse=True)
    nodes = np.concatenate([corners, corners[edges].mean(axis=1)])
    whole = np.hstack([cells, len(corners) + which.reshape(len(cells), len(EDGES))])
    volumes, grad = _gradients(corners[cells])
    stiff = _stiffness(volumes, grad, material)
    mass = material.density * volumes[:, None, None] * MASS
    return QuadraticMesh(
        nodes, whole, _assembled(stiff, whole, len(nodes)), _by_axes(mass, whole, len(nodes))
    )


def _gradients(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Volumes (c,), and the gradients of the barycentric coordinates (c, 4, 3), of cells with corners x."""
    sides = x[:, 1:] - x[:, :1]
    volumes = np.abs(np.linalg.det(sides)) / 6.0
    inner = np.swapaxes(np.linalg.inv(sides), 1, 2)
    return volumes, np.concatenate([-inner.sum(axis=1, keepdims=True), inner], axis=1)


def flat_cells(corners: np.ndarray, cells: np.ndarray) -> np.ndarray:
    """Which tetrahedra have no volume."""
    sides = corners[cells][:, 1:] - corners[cells][:, :1]
    longest = np.linalg.norm(sides, axis=2).max(axis=1)
    return np.asarray(np.abs(np.linalg.det(sides)) <= FLAT * longest**3)


def boundary(corners: np.ndarray, cells: np.ndarray) -> np.ndarray:
    """The triangles (t, 3) of tetrahedra that belong to one of them alone, anticlockwise from outside."""
    sides = cells[:, [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]]].reshape(-1, 3)
    opposite = cells.ravel()
    _, first, count = np.unique(
        np.sort(sides, axis=1), axis=0, return_index=True, return_counts=True
    )
    first = np.sort(first[count == 1])
    outer, (a, b, c) = sides[first], corners[sides[first]].swapaxes(0, 1)
    inward = np.einsum("ij,ij->i", np.cross(b - a, c - a), corners[opposite[first]] - a) > 0.0
    return np.where(inward[:, None], outer[:, ::-1], outer)


def shape_gradients(L: np.ndarray, grad: np.ndarray) -> np.ndarray:
    """The gradients of the ten shape functions (c, 10, 3) at barycentric coordinates L (4,)."""
    at_corners = (4.0 * L - 1.0)[:, None] * grad
    i, j = np.array(EDGES).T
    middle = 4.0 * (L[i, None] * grad[:, j] + L[j, None] * grad[:, i])
    return np.concatenate([at_corners, middle], axis=1)


def _stiffness(volumes: np.ndarray, grad: np.ndarray, material: Solid) -> np.ndarray:
    """K of every cell, (c, 10, 3, 10, 3)."""
    E, nu = material.youngs_modulus, material.poisson_ratio
    mu, lame = E / (2.0 + 2.0 * nu), E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu))
    K = np.zeros((len(volumes), NODES, 3, NODES, 3))
    for L in GAUSS:
        B = shape_gradients(L, grad)
        weighed = 0.25 * volumes[:, None, None] * B
        K += lame * np.einsum("cai,cbj->caibj", weighed, B)
        K += mu * np.einsum("caj,cbi->caibj", weighed, B)
        along = mu * np.einsum("cak,cbk->cab", weighed, B)
        for axis in range(3):
            K[:, :, axis, :, axis] += along
    return K


def _monomial(powers: np.ndarray) -> float:
    """integral L_1^a L_2^b L_3^c L_4^d over a tetrahedron of volume 1."""
    top = np.prod([factorial(int(p)) for p in powers])
    return float(6.0 * top / factorial(int(powers.sum()) + 3))


def _mass() -> np.ndarray:
    """integral N_a N_b over a tetrahedron of volume 1, (10, 10)."""
    one = np.eye(CORNERS, dtype=int)
    terms = [[(2.0, 2 * one[i]), (-1.0, one[i])] for i in range(CORNERS)]
    terms += [[(4.0, one[i] + one[j])] for i, j in EDGES]
    return np.array(
        [[sum(p * q * _monomial(a + b) for p, a in m for q, b in n) for n in terms] for m in terms]
    )


MASS = _mass()


def _assembled(blocks: np.ndarray, cells: np.ndarray, n_nodes: int) -> Any:
    """Blocks (c, 10, 3, 10, 3) in one sparse matrix."""
    from scipy.sparse import coo_matrix  # takes a moment, and few models have solids

    at = (3 * cells[:, :, None] + np.arange(3)).reshape(len(cells), -1)
    rows = np.repeat(at, at.shape[1], axis=1).ravel()
    columns = np.tile(at, (1, at.shape[1])).ravel()
    return coo_matrix((blocks.ravel(), (rows, columns)), shape=(3 * n_nodes,) * 2).tocsc()


def _by_axes(blocks: np.ndarray, cells: np.ndarray, n_nodes: int) -> Any:
    """Blocks (c, 10, 10) that are the same for all three axes, in one sparse matrix."""
    from scipy.sparse import coo_matrix, kron

    rows = np.repeat(cells, NODES, axis=1).ravel()
    columns = np.tile(cells, (1, NODES)).ravel()
    one = coo_matrix((blocks.ravel(), (rows, columns)), shape=(n_nodes,) * 2)
    return kron(one, np.eye(3)).tocsc()


def spread_nodes(nodes: np.ndarray, count: int) -> np.ndarray:
    """So many nodes, far from each other: each next one is the farthest from those before."""
    first = int(np.linalg.norm(nodes - nodes.mean(axis=0), axis=1).argmax())
    chosen, far = [first], np.linalg.norm(nodes - nodes[first], axis=1)
    while len(chosen) < min(count, len(nodes)):
        chosen.append(int(far.argmax()))
        far = np.minimum(far, np.linalg.norm(nodes - nodes[chosen[-1]], axis=1))
    return np.sort(np.array(chosen))


def condensed(mesh: QuadraticMesh, kept: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Stiffness and mass of the kept nodes, (3 k, 3 k) each."""
    from scipy.sparse.linalg import splu

    own = (3 * kept[:, None] + np.arange(3)).ravel()
    inner = np.setdiff1d(np.arange(mesh.K.shape[0]), own)
    K, M = mesh.K, mesh.M
    T = np.zeros((K.shape[0], len(own)))
    T[own, np.arange(len(own))] = 1.0
    if len(inner):
        solve = splu(K[inner][:, inner].tocsc()).solve
        T[inner] = -solve(K[inner][:, own].toarray())
        K_r, M_r = T.T @ (K @ T), T.T @ (M @ T)
        T[inner] += solve((M @ T)[inner] @ np.linalg.solve(M_r, K_r))
    K_r, M_r = T.T @ (K @ T), T.T @ (M @ T)
    return 0.5 * (K_r + K_r.T), 0.5 * (M_r + M_r.T)
