"""From the matrices of a part from outside to the record of a flexible body.

The shapes that are kept are those of Craig and Bampton for the rows B that joints and forces need of
their markers: static shapes of these rows, and the slowest shapes with B x = 0. The integrals of the
floating frame follow from M by nodal fields: places and shapes, turned by a quarter. They are exact
for solid elements; with turns, up to the square of an element's length and of its thickness, in terms
that are themselves of second order in the modes.
"""

from typing import Any, NamedTuple, Protocol

import numpy as np

from engine.compiling.elastic.reduction import HasMatrices, Modes, Shapes, slowest
from engine.errors import EngineError
from engine.model.elastic.matrices import Matrices, rigid_motions, turned_places
from engine.model.elements import Id

ON_NODE = 1e-6  # of the size of the part
NONE = 1e-9  # of the largest: smaller singular values are zero


class PartMesh:
    """The matrices of a part, as the reduction wants them, and rows of its markers."""

    def __init__(self, part: Matrices, patch: float) -> None:
        self.part, self.patch = part, patch
        self.dim, self.per_node, self.nodes = part.dim, part.per_node, part.nodes
        self.K, self.M, self.n = part.K, part.M, len(part.K)
        self.turns = 1 if part.dim == 2 else 3
        k, v = np.linalg.eigh(self.K)
        self.B = np.sqrt(np.maximum(k, 0.0))[:, None] * v.T

    def rigid(self) -> np.ndarray:
        """Shifts and turns about the mass centre."""
        return rigid_motions(self.nodes, self.per_node, self.part.center)

    def nearest(self, P: np.ndarray) -> int:
        """The node next to a point."""
        return int(np.linalg.norm(self.nodes - P, axis=1).argmin())

    def rows(self, P: np.ndarray, needs: frozenset[int]) -> np.ndarray:
        """Displacement and turn of a marker by nodal coordinates, (3 or 6, n).

        On a patch it is the rigid motion that fits its nodes best.
        """
        far = np.linalg.norm(self.nodes - P, axis=1)
        rows = np.zeros((self.dim + self.turns, self.n))
        if self.patch > 0.0:
            near = np.flatnonzero(far <= self.patch)
            A = np.zeros((len(near), self.dim, self.dim + self.turns))
            A[:, range(self.dim), range(self.dim)] = 1.0
            A[:, :, self.dim :] = turned_places(self.nodes[near] - P)
            flat = A.reshape(-1, self.dim + self.turns)
            if np.linalg.matrix_rank(flat, tol=NONE * max(self.patch, 1.0)) < flat.shape[1]:
                raise EngineError(
                    "a marker at {at} has {n} nodes within its patch of {patch:.4g} m, too few to say how "
                    "it turns; make the patch larger, or move the marker.",
                    at=_written(P),
                    n=len(near),
                    patch=self.patch,
                )
            columns = (self.per_node * near[:, None] + np.arange(self.dim)).ravel()
            rows[:, columns] = np.linalg.pinv(flat)
            return rows
        node = int(far.argmin())
        if far[node] > ON_NODE * float(np.ptp(self.nodes, axis=0).max()):
            raise EngineError(
                "a marker at {at} is on no node: the nearest, number {node}, is at {there}, {far:.4g} m "
                "away. Move the point there, or give the part a patch that reaches nodes.",
                at=_written(P),
                node=node + 1,
                there=_written(self.nodes[node]),
                far=float(far[node]),
            )
        if not self.part.has_turns and max(needs, default=0) >= self.dim:
            raise EngineError(
                "the marker at {at} is held against turning, but its node has no turns; give the part a "
                "patch, so that nodes around it turn the marker.",
                at=_written(P),
            )
        own = range(self.per_node)
        rows[own, [self.per_node * node + c for c in own]] = 1.0
        return rows


def _written(P: np.ndarray) -> str:
    """A place in a sentence."""
    return "({})".format(", ".join(f"{x:.4g}" for x in P))


class HasSize(HasMatrices, Protocol):
    """Matrices, and how many nodal coordinates they have."""

    n: int


def craig_bampton_of_rows(mesh: HasSize, B: np.ndarray, n_fixed: int, below: float) -> Shapes:
    """Static shapes of the rows B, and n_fixed shapes with B x = 0 that are slower than `below`."""
    size = np.linalg.norm(B, axis=1, keepdims=True)
    _, s, Vt = np.linalg.svd(B / size, full_matrices=True) if len(B) else (0, np.zeros(0), None)
    rank = int((s > NONE).sum())
    free = np.eye(mesh.n) if Vt is None else Vt[rank:].T
    K, M = free.T @ mesh.K @ free, free.T @ mesh.M @ free
    static = np.zeros((mesh.n, 0))
    if Vt is not None:
        given = Vt[:rank].T
        # a pin alone does not hold a part: K is singular then, and least squares finds a shape
        static = given - free @ np.linalg.lstsq(K, free.T @ mesh.K @ given, rcond=1e-12)[0]
    R = mesh.rigid()
    held = np.linalg.matrix_rank((B @ R) / size, tol=NONE * np.abs(R).max()) if len(B) else 0
    loose = R.shape[1] - int(held)
    n_fixed = min(n_fixed, free.shape[1] - loose)
    if n_fixed <= 0:
        return Shapes(static, np.zeros(0))
    w, v = slowest(K, M, loose, n_fixed)
    slow = w < below
    return Shapes(np.hstack([static, free @ v[:, slow]]), w[slow])


class PartIntegrals(NamedTuple):
    """What the floating frame needs of a part; s = 1 product of inertia, or 6."""

    J: Any  # a float, or (3, 3)
    Theta1: np.ndarray  # (s, n_f)
    Theta2: np.ndarray  # (s, n_f, n_f)
    A: np.ndarray  # (t, n_f, n_f)


def integrals_of_part(
    mesh: PartMesh, modes: Modes, products: tuple[tuple[int, int], ...]
) -> PartIntegrals:
    """The integrals of engine.compiling.elastic.records over nodal fields X_kl = x_k e_l, Z_k = e_k x S.

    first_kl = (X_kl + X_lk)^T M Phi / 2      Theta2_kl = Z_k^T M Z_l      A_k = Z_k^T M Phi

    Theta2 and A are products in one metric, so the mass matrix stays positive, however thin the part. In
    the plane Theta2 is 1, the mass of the modes.
    """
    release, MPhi = _release(mesh), mesh.M @ modes.Phi
    n_f = MPhi.shape[1]
    axes = (2,) if mesh.dim == 2 else (0, 1, 2)
    Z = [_turned(mesh, release, modes.Phi, axis) for axis in axes]
    x, dims = mesh.nodes - mesh.part.center, range(mesh.dim)
    X = {(k, l): _linear(mesh, release, x[:, k], l) for k in dims for l in dims}
    first = {(k, l): 0.5 * (X[k, l] + X[l, k]) @ MPhi for k, l in X}
    trace = np.sum([first[k, k] for k in dims], axis=0)
    A = np.stack([0.5 * (Z_k.T @ MPhi - MPhi.T @ Z_k) for Z_k in Z])
    if mesh.dim == 2:
        J: Any = float(mesh.part.J[0, 0])
        return PartIntegrals(J, 2.0 * trace[None], np.eye(n_f)[None], A)
    Theta1 = np.stack([2.0 * ((trace if k == l else 0.0) - first[k, l]) for k, l in products])
    Theta2 = np.stack([Z[k].T @ mesh.M @ Z[l] for k, l in products])
    return PartIntegrals(mesh.part.J, Theta1, 0.5 * (Theta2 + np.swapaxes(Theta2, 1, 2)), A)


def _release(mesh: PartMesh) -> np.ndarray:
    """The turns of all nodes that cost least energy for given displacements, (turns, displacements)."""
    is_turn = np.arange(mesh.n) % mesh.per_node >= mesh.dim
    if not is_turn.any():
        return np.zeros((0, mesh.n))
    K_tt, K_tu = mesh.K[np.ix_(is_turn, is_turn)], mesh.K[np.ix_(is_turn, ~is_turn)]
    return np.asarray(-np.linalg.lstsq(K_tt, K_tu, rcond=1e-12)[0])


def _turned(mesh: PartMesh, release: np.ndarray, Phi: np.ndarray, axis: int) -> np.ndarray:
    """The displacements of all nodes times e_axis x, with the turns that cost least energy."""
    nodal = Phi.reshape(len(mesh.nodes), mesh.per_node, -1)
    a, b = (axis + 1) % 3, (axis + 2) % 3
    moved = np.zeros((len(mesh.nodes), mesh.dim, Phi.shape[1]))
    moved[:, b], moved[:, a] = nodal[:, a], -nodal[:, b]
    return _with_turns(mesh, release, moved)


def _linear(mesh: PartMesh, release: np.ndarray, values: np.ndarray, axis: int) -> np.ndarray:
    """Values at the nodes as a displacement along an axis, with the turns that cost least energy, (n,)."""
    moved = np.zeros((len(mesh.nodes), mesh.dim, 1))
    moved[:, axis, 0] = values
    return _with_turns(mesh, release, moved)[:, 0]


def _with_turns(mesh: PartMesh, release: np.ndarray, moved: np.ndarray) -> np.ndarray:
    """Displacements of nodes (k, dim, m) as nodal coordinates (n, m)."""
    flat = moved.reshape(-1, moved.shape[2])
    field = np.zeros((mesh.n, moved.shape[2]))
    is_turn = np.arange(mesh.n) % mesh.per_node >= mesh.dim
    field[~is_turn] = flat
    if len(release):
        field[is_turn] = release @ flat
    return field


def rows_of_markers(
    mesh: PartMesh,
    places: tuple[tuple[Id, tuple[float, ...]], ...],
    needs: dict[Id, frozenset[int]],
) -> tuple[dict[Id, np.ndarray], np.ndarray]:
    """The rows of every marker, and those of them that are held, below each other."""
    rows = {id: mesh.rows(np.array(P), needs.get(id, frozenset())) for id, P in places}
    return rows, chosen_rows(rows, needs, mesh.n)


def chosen_rows(rows: dict[Id, np.ndarray], needs: dict[Id, frozenset[int]], n: int) -> np.ndarray:
    """Those rows of markers that are needed, below each other, (k, n)."""
    held = [rows[id][c] for id in rows for c in sorted(needs.get(id, ()))]
    return np.array(held).reshape(-1, n)
