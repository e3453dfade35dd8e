"""From the elements of a beam to a few modes in the mean-axis frame, and to the integrals of them.

Shapes are found with the coordinates held that joints hold (Craig-Bampton): static shapes of these
coordinates, and the slowest shapes with them held. Whatever they are, they end in one form,

    Phi^T M Phi = 1,    Phi^T K Phi = diag(w^2),    Phi^T M (rigid motions) = 0

in which the frame of the body sits in the mass centre (mean axis, Tisserand). Rigid motions are removed by
projection, never by frequency: an eigenvalue that should be zero is rounding.

A bent beam is shorter. The second-order displacement -(q.G q)/2 is kept free of rigid motion too, so that
it changes the inertia and the markers and nothing else. By virtual work, with N the axial force that a load
makes in equilibrium with rigid accelerations,

    G_d = integral N_d v' v'^T          N_d: unit force along d at the marker
    Theta2 -= integral N v' v'^T        N: centrifugal load of w = 1
"""

from typing import NamedTuple, Protocol

import numpy as np
from scipy.linalg import eigh, lu_factor, lu_solve

from engine.compiling.elastic.beams import TURN, BeamMesh, U, V
from engine.compiling.elastic.frames import FrameMesh

Mesh = BeamMesh | FrameMesh
HELD = 1e-9  # of the largest: smaller singular values of what is held are zero
ROUNDING = 1e-15  # of the largest
RIGID_SHARE = 1e-10  # of the mass of a shape: below this it was a rigid motion, or that of others


class HasMatrices(Protocol):
    """What has a mass, a stiffness and rigid motions."""

    K: np.ndarray  # (n, n), B^T B
    M: np.ndarray  # (n, n)
    B: np.ndarray  # (k, n) strains, each times the root of its stiffness

    def rigid(self) -> np.ndarray:
        """Shifts and turns as nodal coordinates, (n, 3 or 6)."""


class Shapes(NamedTuple):
    """Shapes that are kept, before they become modes."""

    V: np.ndarray  # (n, m) nodal coordinates
    held: np.ndarray  # (k,) frequencies of those with the interface held  [rad/s]


class Modes(NamedTuple):
    """Modes in the mean-axis frame."""

    Phi: np.ndarray  # (n, n_f) nodal coordinates
    w2: np.ndarray  # (n_f,) squares of their frequencies   [rad^2/s^2]


def family(mesh: Mesh, coordinates: tuple[int, ...]) -> np.ndarray:
    """All nodal coordinates of some kinds."""
    return np.flatnonzero(np.isin(np.arange(mesh.n) % mesh.per_node, coordinates))


BENDING, STRETCH = (V, TURN), (U,)


def craig_bampton(
    mesh: Mesh, kind: tuple[int, ...], interface: set[int], n_fixed: int, below: float
) -> Shapes:
    """Static shapes of the interface, and n_fixed shapes with it held that are slower than `below`."""
    own = family(mesh, kind)
    held = np.array([k for k in own if k in interface], dtype=int)
    inner = np.setdiff1d(own, held)
    K, M = mesh.K, mesh.M
    static = np.zeros((mesh.n, len(held)))
    static[held, np.arange(len(held))] = 1.0
    if len(inner) and len(held):
        # a pin alone does not hold a beam: K_ii is singular then, and least squares finds a shape
        right = K[np.ix_(inner, held)]
        static[inner] = -np.linalg.lstsq(K[np.ix_(inner, inner)], right, rcond=1e-12)[0]
    loose = loose_motions(mesh, own, held)
    n_fixed = min(n_fixed, len(inner) - loose)
    if n_fixed <= 0:
        return Shapes(static, np.zeros(0))
    w, v = slowest(K[np.ix_(inner, inner)], M[np.ix_(inner, inner)], loose, n_fixed)
    slow = w < below
    found = np.zeros((mesh.n, int(slow.sum())))
    found[inner] = v[:, slow]
    return Shapes(np.hstack([static, found]), w[slow])


def loose_motions(mesh: Mesh, own: np.ndarray, held: np.ndarray) -> int:
    """How many rigid motions within some nodal coordinates are left when some of them are held."""
    rigid = mesh.rigid()
    possible = np.abs(rigid[own]).max(axis=0) > 0.0
    fixed = rigid[held][:, possible]
    return int(possible.sum()) - (int(np.linalg.matrix_rank(fixed)) if len(held) else 0)


def slowest(K: np.ndarray, M: np.ndarray, loose: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Frequencies and shapes of the n slowest motions, where `loose` rigid ones are left; ascending.

    Short stiff elements make the largest w^2 up to 1e12 times the smallest, and K v = w^2 M v gives each
    to within the rounding of the largest. The slow ones are the large ones of

        M v = mu (K + s M) v,    w^2 = 1/mu - s,    s about the first w^2 that is not zero
    """
    w2 = eigh(K, M, eigvals_only=True)
    shift = max(float(w2[loose]), ROUNDING * float(w2[-1]))
    last = len(K) - loose
    mu, v = eigh(M, K + shift * M, subset_by_index=[last - n, last - 1])
    mu, v = mu[::-1], v[:, ::-1]
    return np.sqrt(np.maximum(1.0 / mu - shift, 0.0)), v / np.sqrt(mu)


def mean_axis(mesh: HasMatrices, shapes: np.ndarray) -> Modes:
    """The modes that span the shapes without rigid motion: mass-normalised, K diagonal.

    Their frequencies are the singular values of B V, which rounding spoils far less than K does.
    """
    M, R = mesh.M, mesh.rigid()
    R = R @ np.linalg.inv(np.linalg.cholesky(R.T @ M @ R)).T
    V = shapes / np.sqrt(np.einsum("ij,ik,kj->j", shapes, M, shapes))
    V = V - R @ (R.T @ M @ V)
    size, turn = np.linalg.eigh(V.T @ M @ V) if V.shape[1] else (np.zeros(0), np.zeros((0, 0)))
    good = size > RIGID_SHARE * size.max(initial=0.0)
    good &= size > RIGID_SHARE
    V = V @ (turn[:, good] / np.sqrt(size[good]))
    V = V - R @ (R.T @ M @ V)
    if V.shape[1]:  # once more: what was small has brought its rounding along
        V = V @ np.linalg.inv(np.linalg.cholesky(V.T @ M @ V)).T
    w, turn = np.zeros(0), np.zeros((0, 0))
    if V.shape[1]:
        _, w, turned = np.linalg.svd(mesh.B @ V, full_matrices=False)
        w, turn = w[::-1], turned[::-1].T
    V = V @ turn
    sign = np.sign(V[np.abs(V).argmax(axis=0), np.arange(V.shape[1])])
    return Modes(V * np.where(sign == 0.0, 1.0, sign), w**2)


def held_damping(mesh: HasMatrices, modes: Modes, B: np.ndarray, ratio: float) -> np.ndarray:
    """C (n_f, n_f) that gives every shape with B u = 0, what joints hold, this ratio of critical damping.

    A ratio of the modes themselves would reach a supported beam ten times too small. With S = [Phi, rigid],
    which are normal to each other in M, the supported shapes S y have these shares p in q:

        (B S) y = 0,    y^T S^T K S y' = w^2 delta,    p = y^T S^T K Phi q / w^2

    What they leave of Phi bends the interface: static shapes of the rows B and rigid motion, by least
    squares. Each static shape is damped by its own stiffness and mass.
    """
    R, n_f = mesh.rigid(), len(modes.w2)
    R = R @ np.linalg.inv(np.linalg.cholesky(R.T @ mesh.M @ R)).T
    S = np.hstack([modes.Phi, R])
    N = _null_space(B, S)
    loose = _null_space(B, R).shape[1]  # rigid motions that are left
    k = np.append(modes.w2, np.zeros(R.shape[1]))
    w2, y = np.linalg.eigh(N.T @ (k[:, None] * N))
    w2, y = w2[loose:], N @ y[:, loose:]
    T = (k[:, None] * y / w2)[:n_f].T
    C = T.T @ (2.0 * ratio * np.sqrt(w2)[:, None] * T)
    static = np.linalg.pinv(B @ S, rcond=HELD) if len(B) else np.zeros((S.shape[1], 0))
    static = S @ (static - y @ ((y.T @ (k[:, None] * static)) / w2[:, None]))
    both = np.hstack([static, R])
    scale = np.maximum(np.linalg.norm(both, axis=0), 1e-300)
    rest = np.linalg.lstsq(both / scale, modes.Phi - S @ (y @ T), rcond=1e-12)[0] / scale[:, None]
    T = rest[: static.shape[1]]
    k, m = (np.einsum("ij,ik,kj->j", static, X, static) for X in (mesh.K, mesh.M))
    return np.asarray(C + T.T @ (2.0 * ratio * np.sqrt(np.maximum(k, 0.0) * m)[:, None] * T))


def _null_space(B: np.ndarray, S: np.ndarray) -> np.ndarray:
    """The combinations y of columns of S with B S y = 0, orthonormal."""
    if not len(B) or not S.shape[1]:
        return np.eye(S.shape[1])
    rows = B @ S
    size = np.linalg.norm(rows, axis=1)
    rows = rows[size > 0.0] / size[size > 0.0, None]
    _, s, Vt = np.linalg.svd(rows, full_matrices=True)
    return np.asarray(Vt[int((s > HELD * s.max(initial=0.0)).sum()) :].T)


class Relief:
    """Displacements under loads that are balanced by rigid accelerations (inertia relief)."""

    def __init__(self, mesh: Mesh) -> None:
        self.rigid = mesh.rigid()
        MR = mesh.M @ self.rigid
        self.MR, self.gram = MR, self.rigid.T @ MR
        n, r = self.rigid.shape
        A = np.zeros((n + r, n + r))
        self.scale = float(np.abs(mesh.K).max() / np.abs(MR).max())
        A[:n, :n], A[:n, n:], A[n:, :n] = mesh.K, self.scale * MR, self.scale * MR.T
        self.factors = lu_factor(A)

    def displacement(self, F: np.ndarray) -> np.ndarray:
        """Nodal coordinates (n, k) under the loads F (n, k)."""
        F = F - self.MR @ np.linalg.solve(self.gram, self.rigid.T @ F)
        right = np.concatenate([F, np.zeros((len(self.gram), F.shape[1]))])
        return np.asarray(lu_solve(self.factors, right)[: len(F)])
