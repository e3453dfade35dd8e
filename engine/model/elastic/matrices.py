"""Mass and stiffness matrices of a part from outside: what they must fulfil, and what follows from them.

A node has 2 (u, v) or 3 coordinates (u, v, turn) in the plane, 3 (u, v, w) or 6 (u, v, w and three turns)
in space, one node after the other. With R the shifts and the turns of the whole part, one column each,

    K R = 0      R^T M R = [m, m c x; ., J]      (mass, centre and inertia about the origin)
"""

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from engine.errors import EngineError

MOST = 300  # coordinates: their matrices are kept in the model
MOST_FACES = 100_000  # triangles of a surface, which is for pictures alone
WIDTHS = {2: (2, 3), 3: (3, 6)}  # coordinates of a node
UNEVEN = 1e-6  # of the geometric mean of two diagonal entries: what differs by less is rounding
STIFF = 1e-5  # of its own stiffness: the most that a part may resist a rigid motion
INDEFINITE = 1e-9  # of the largest: eigenvalues above minus this are not negative
LOOSE = 1e-13  # of the largest: slower shapes are motions of loose pieces


class Matrices(NamedTuple):
    """A part in numbers."""

    dim: int
    per_node: int
    nodes: np.ndarray  # (k, dim)   [m]
    K: np.ndarray  # (n, n)
    M: np.ndarray  # (n, n)
    mass: float  # [kg]
    center: np.ndarray  # (dim,)   [m]
    J: np.ndarray  # (1, 1) or (3, 3) about the centre   [kg m^2]

    @property
    def has_turns(self) -> bool:
        """Whether its nodes have turns of their own."""
        return self.per_node > self.dim

    @property
    def spread(self) -> np.ndarray:
        """S of engine.model.shapes; in the plane alike along x and y."""
        if self.dim == 2:
            return np.diag([self.J[0, 0] / 2, self.J[0, 0] / 2, 0.0]) / self.mass
        return np.asarray(np.trace(self.J) / 2 * np.eye(3) - self.J) / self.mass

    def joined(self) -> list[tuple[int, int]]:
        """The pairs of nodes that its stiffness joins."""
        k = len(self.nodes)
        blocks = np.abs(self.K.reshape(k, self.per_node, k, -1)).max(axis=(1, 3)) > 0.0
        return [(int(i), int(j)) for i, j in np.argwhere(np.triu(blocks, 1))]


@lru_cache(maxsize=32)
def matrices_of(nodes: Any, stiffness: Any, mass: Any) -> Matrices:
    """The matrices of a part, checked; tuples of rows."""
    x = _table(nodes, "node coordinates")
    if x.ndim != 2 or x.shape[1] not in WIDTHS or len(x) < 2:
        raise EngineError("A part needs two nodes or more, each with two or three coordinates.")
    dim = x.shape[1]
    K, M = _square(stiffness, "stiffness"), _square(mass, "mass")
    if len(K) != len(M):
        raise EngineError(
            "The stiffness matrix has {k} rows and the mass matrix {m}; both need the same coordinates.",
            k=len(K),
            m=len(M),
        )
    per_node = len(K) / len(x)
    if per_node not in WIDTHS[dim]:
        few, many = WIDTHS[dim]
        raise EngineError(
            "The matrices have {n} rows for {k} nodes, but a node has {few} or {many} coordinates "
            "{there}; give all nodes, and no other rows.",
            n=len(K),
            k=len(x),
            few=few,
            many=many,
            there="in the plane" if dim == 2 else "in space",
        )
    K, M = _even(K, "stiffness"), _even(M, "mass")
    if _eigenvalues(M).min() <= INDEFINITE:
        raise EngineError(
            "The mass matrix is not positive: some motion would have no mass. Give every coordinate "
            "a mass, or condense those without."
        )
    found = _eigenvalues(K)
    if found.min() < -INDEFINITE * found.max():
        raise EngineError(
            "The stiffness matrix is not positive: some shape would release energy. Export it without "
            "loads and without contact."
        )
    return _weighed(dim, int(per_node), x, K, M)


def check_surface(part: Matrices, skin: Any, faces: Any) -> None:
    """Raise EngineError unless a part has no surface, or triangles between corners in space."""
    if not (skin or faces):
        return
    x, corners = _table(skin, "corners of the surface"), _table(faces, "triangles of the surface")
    good = part.dim == 3 and x.ndim == 2 and x.shape[1:] == (3,)
    good = good and corners.ndim == 2 and corners.shape[1:] == (3,) and len(corners) <= MOST_FACES
    if not good or (corners % 1.0).any() or corners.min() < 0 or corners.max() >= len(x):
        raise EngineError(
            "The surface of the part is not made of triangles between its corners; leave it empty."
        )


def rigid_motions(nodes: np.ndarray, per_node: int, about: np.ndarray) -> np.ndarray:
    """Shifts along the axes and turns about a point as nodal coordinates, (n, 3 or 6)."""
    dim = nodes.shape[1]
    n_turns = 1 if dim == 2 else 3
    R = np.zeros((len(nodes), per_node, dim + n_turns))
    R[:, range(dim), range(dim)] = 1.0
    R[:, :dim, dim:] = turned_places(nodes - about)
    if per_node > dim:
        R[:, range(dim, dim + n_turns), range(dim, dim + n_turns)] = 1.0
    return R.reshape(len(nodes) * per_node, -1)


def turned_places(x: np.ndarray) -> np.ndarray:
    """How places x (k, dim) are moved by a unit turn about each axis, (k, dim, 1 or 3)."""
    if x.shape[1] == 2:
        return np.stack([-x[:, 1], x[:, 0]], axis=1)[:, :, None]
    return np.stack([np.cross(e, x) for e in np.eye(3)], axis=2)


def _weighed(dim: int, per_node: int, x: np.ndarray, K: np.ndarray, M: np.ndarray) -> Matrices:
    """The part with its mass, centre and inertia, after its rigid motions were tested."""
    R = rigid_motions(x, per_node, np.zeros(dim))
    scale = np.sqrt(np.where(np.diag(K) > 0.0, np.diag(K), 1.0))[:, None]
    resisted = np.linalg.norm((K @ R) / scale, axis=0) / np.linalg.norm(scale * R, axis=0)
    if resisted.max() > STIFF:
        kind = "shifted" if resisted[:dim].max() > STIFF else "turned"
        raise EngineError(
            "The part resists being {kind} as a whole ({share:.1g} of its stiffness): export it without "
            "supports, and with the coordinates in the order of the nodes.",
            kind=kind,
            share=float(resisted.max()),
        )
    whole = R.T @ M @ R
    masses = np.diag(whole)[:dim]
    if np.ptp(masses) > UNEVEN * masses.max():
        raise EngineError(
            "The part has another mass along x than along other axes; give the coordinates in the order "
            "u, v (and w, turns) of each node."
        )
    mass = float(masses.mean())
    turned = whole[:dim, dim:] / mass  # of the centre, by unit turns
    center = (
        np.array([turned[1, 0], -turned[0, 0]])
        if dim == 2
        else 0.5
        * np.array(
            [
                turned[1, 2] - turned[2, 1],
                turned[2, 0] - turned[0, 2],
                turned[0, 1] - turned[1, 0],
            ]
        )
    )
    R = rigid_motions(x, per_node, center)
    whole = R.T @ M @ R
    J = whole[dim:, dim:]
    if np.linalg.matrix_rank(J, tol=1e-12 * np.abs(J).max()) < len(J):
        raise EngineError("The part has no inertia about a line; its nodes lie on it.")
    R = R @ np.linalg.inv(np.linalg.cholesky(whole)).T
    MR = M @ R
    # rigid motions are lifted above all others, so that what is left near zero is loose
    L = np.linalg.inv(np.linalg.cholesky(M))
    most = float(np.linalg.eigvalsh(L @ K @ L.T).max())
    if np.linalg.eigvalsh(L @ (K + most * MR @ MR.T) @ L.T).min() < LOOSE * most:
        raise EngineError(
            "The part has pieces that move without resistance; join them, or leave them out."
        )
    return Matrices(dim, per_node, x, K, M, mass, center, J)


def _table(rows: Any, what: str) -> np.ndarray:
    """Rows as an array of finite numbers."""
    try:
        found = np.array(rows, dtype=float)
    except (TypeError, ValueError):
        raise EngineError(
            "The {what} of the part are not rows of equal length; correct them.", what=what
        ) from None
    if not np.isfinite(found).all():
        raise EngineError("The {what} of the part must be finite numbers.", what=what)
    return found


def _square(rows: Any, what: str) -> np.ndarray:
    """A square matrix of a size that a model can keep."""
    A = _table(rows, f"{what} matrix")
    if A.ndim != 2 or A.shape[0] != A.shape[1]:
        raise EngineError("The {what} matrix is not square; export all its rows.", what=what)
    if len(A) > MOST:
        raise EngineError(
            "The {what} matrix has {n} rows, and {most} are the most; condense the part to fewer nodes.",
            what=what,
            n=len(A),
            most=MOST,
        )
    return A


def _even(A: np.ndarray, what: str) -> np.ndarray:
    """The symmetric part of a matrix that is symmetric but for rounding."""
    d = np.sqrt(np.abs(np.diag(A)))
    size = np.outer(d, d)
    apart = np.abs(A - A.T) > UNEVEN * np.where(size > 0.0, size, 1.0)
    if apart.any():
        i, j = (int(k) + 1 for k in np.argwhere(apart)[0])
        raise EngineError(
            "The {what} matrix is not symmetric: row {i}, column {j} differs from its mirror image. "
            "Export the whole matrix, not one half.",
            what=what,
            i=i,
            j=j,
        )
    return 0.5 * (A + A.T)


def _eigenvalues(A: np.ndarray) -> np.ndarray:
    """Of a symmetric matrix whose diagonal was scaled to 1."""
    d = np.sqrt(np.where(np.diag(A) > 0.0, np.diag(A), 1.0))
    return np.asarray(np.linalg.eigvalsh(A / np.outer(d, d)))
