"""What the choice of shapes costs: frequencies and static deflections against all elements.

With the joints held, B x = 0, both models have shapes and yield to forces:

    all elements      x = N y,    N spans B x = 0
    what is kept      x = S y,    S = [modes, rigid motions] with B S y = 0

    w: (X^T K X) y = w^2 (X^T M X) y        deflection along a unit force f: sum over w > 0 of (f.X y)^2/w^2

Where the joints leave rigid motions, a force is balanced by the acceleration that it makes.
"""

from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy.linalg import eigh

from engine.compiling.elastic.records import Elastic
from engine.compiling.elastic.reduction import HasMatrices, slowest
from engine.model.elements import Id

NONE = 1e-9  # of the largest: smaller singular values are zero
SMALL = 1e-14  # of the largest: smaller stiffnesses are zero
YIELDS = 1e-9  # of the most that any place yields: what is less is held


class Frequency(NamedTuple):
    """A frequency with the joints held [rad/s]."""

    full: float
    kept: float | None  # None: not among those that are kept

    @property
    def off(self) -> float | None:
        """By which share it is wrong."""
        return None if self.kept is None else self.kept / self.full - 1.0


class Deflection(NamedTuple):
    """How far a place yields to a force there, along the axis of the body along which it yields most."""

    marker: Id  # empty: the node that is farthest from all joints
    axis: int
    full: float  # [m/N]
    kept: float

    @property
    def off(self) -> float:
        """By which share it is wrong."""
        return self.kept / self.full - 1.0


class Quality(NamedTuple):
    """What is kept, against all elements."""

    frequencies: list[Frequency]
    deflections: list[Deflection]


def quality(record: Elastic, most: int = 6) -> Quality:
    """The slowest frequencies, and the deflections of all markers that joints do not hold."""
    mesh, B = record.mesh, record.joined
    R = _normal_rigid(mesh)
    full = _Held(mesh, _null_space(B, np.eye(mesh.n)))
    S = np.hstack([record.modes.Phi, R])
    kept = _Held(mesh, S @ _null_space(B @ S, np.eye(S.shape[1])))
    w, w_kept = full.frequencies(most), kept.frequencies(most)
    frequencies = [
        Frequency(float(one), float(w_kept[n]) if n < len(w_kept) else None)
        for n, one in enumerate(w)
    ]
    return Quality(frequencies, _deflections(record, full, kept))


def full_shapes(mesh: HasMatrices, B: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Frequencies and nodal coordinates of the slowest shapes with B x = 0, of all elements."""
    N = _null_space(B, np.eye(len(mesh.K)))
    held = _Held(mesh, N)
    count = min(most, N.shape[1] - held.loose)
    if count <= 0:
        return np.zeros(0), np.zeros((len(mesh.K), 0))
    w, v = slowest(held.K, held.M, held.loose, count)
    return w, N @ v


def _deflections(record: Elastic, full: "_Held", kept: "_Held") -> list[Deflection]:
    """Those of all markers, and of the farthest node if none of them yields."""
    dim = record.mesh.dim
    places: dict[Id, np.ndarray] = {"": _farthest(record)}
    places |= {id: rows[:dim] for id, rows in record.rows.items()}
    yielding = {id: full.compliance(rows) for id, rows in places.items()}
    most = max(float(c.max()) for c in yielding.values())
    free = {id: c for id, c in yielding.items() if id and c.max() > YIELDS * most}
    free = free or {"": yielding[""]}
    found = []
    for id, yields in free.items():
        axis = int(yields.argmax())
        if yields[axis] > 0.0:
            there = float(kept.compliance(places[id])[axis])
            found.append(Deflection(id, axis, float(yields[axis]), there))
    return found


def _farthest(record: Elastic) -> np.ndarray:
    """The displacement rows (dim, n) of the node that is farthest from what joints hold."""
    mesh = record.mesh
    per_node, dim = mesh.per_node, mesh.dim
    x = nodes_of(record)
    held = np.unique(np.nonzero(record.joined)[1] // per_node)
    from_there = x[held] if len(held) else x.mean(axis=0)[None]
    node = int(np.linalg.norm(x[:, None] - from_there, axis=2).min(axis=1).argmax())
    rows = np.zeros((dim, mesh.n))
    rows[range(dim), range(per_node * node, per_node * node + dim)] = 1.0
    return rows


def nodes_of(record: Elastic) -> np.ndarray:
    """The places of the nodes of a flexible body, (k, dim)."""
    if not record.is_beam:
        return record.places
    x = np.zeros((len(record.mesh.stations), record.mesh.dim))
    x[:, 0] = record.mesh.stations
    return x


class _Held:
    """A model whose motions are x = X y."""

    def __init__(self, mesh: HasMatrices, X: np.ndarray) -> None:
        self.X = X
        self.K, self.M = X.T @ mesh.K @ X, X.T @ mesh.M @ X
        R = _normal_rigid(mesh)
        # a rigid motion is left where all of it lies among the motions
        inside = np.linalg.lstsq(X, R, rcond=None)[0] if X.shape[1] else np.zeros((0, R.shape[1]))
        missing = R - X @ inside
        _, s, turn = np.linalg.svd(missing, full_matrices=True)
        s = np.pad(s, (0, len(turn) - len(s)))
        left = turn[s <= NONE * np.abs(R).max() * np.sqrt(len(R))].T
        self.rigid = inside @ left
        self.loose = left.shape[1]

    def frequencies(self, most: int) -> np.ndarray:
        """The slowest, without rigid motions."""
        count = min(most, len(self.K) - self.loose)
        if count <= 0:
            return np.zeros(0)
        return slowest(self.K, self.M, self.loose, count)[0]

    def compliance(self, rows: np.ndarray) -> np.ndarray:
        """How far places yield to a unit force along each of their displacement rows."""
        if not len(self.K):
            return np.zeros(len(rows))
        f, R = (rows @ self.X).T, self.rigid
        if self.loose:
            f = f - self.M @ R @ np.linalg.solve(R.T @ self.M @ R, R.T @ f)
        k, v = self._stiff
        share = v.T @ f
        return np.asarray((share**2 / k[:, None]).sum(axis=0))

    @cached_property
    def _stiff(self) -> tuple[np.ndarray, np.ndarray]:
        """The eigenvalues and vectors of K, with rigid motions lifted above zero."""
        K = self.K
        if self.loose:
            lift = self.M @ self.rigid
            K = K + float(np.abs(K).max() / np.abs(lift).max() ** 2) * lift @ lift.T
        k, v = eigh(K)
        good = k > SMALL * k.max()
        return k[good], v[:, good]


def _normal_rigid(mesh: HasMatrices) -> np.ndarray:
    """Rigid motions that are normal to each other in M."""
    R = mesh.rigid()
    return np.asarray(R @ np.linalg.inv(np.linalg.cholesky(R.T @ mesh.M @ R)).T)


def _null_space(B: np.ndarray, all: np.ndarray) -> np.ndarray:
    """The combinations of coordinates with B x = 0, orthonormal."""
    size = np.linalg.norm(B, axis=1) if len(B) else np.zeros(0)
    rows = B[size > 0.0] / size[size > 0.0, None] if len(B) else B
    if not len(rows):
        return all
    _, s, Vt = np.linalg.svd(rows, full_matrices=True)
    return np.asarray(Vt[int((s > NONE * s.max(initial=0.0)).sum()) :].T)
