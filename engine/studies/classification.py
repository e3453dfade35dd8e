"""Whether constraints integrate to positions: Frobenius' test in numbers, from the rows D alone.

The rows of D are one-forms a_k along the frame of v; in space the frame turns with its body, so that its
turns do not commute: [e_x, e_y] = e_z. With N a basis of the null space of D, a combination mu of rows is
integrable to first order if

    sum_k mu_k N^T (d a_k) N = 0        (d a)(e_c, e_d) = e_c(a_d) - e_d(a_c) - a([e_c, e_d])

Those that pass are the derived system, which is derived again until it stays. What is left is integrable:
velocity rows beyond the position rows in it are positions in disguise. The kind of a joint does not tell: a
knife edge on a table that cannot turn is a guide.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import null_space, qr

from engine.compiling.system import Compiled, workspace
from engine.compiling.typed_rows import rows_of_time
from engine.errors import EngineError, say
from engine.kernels import dynamics
from engine.kernels.layout import POSITION
from engine.kinematics.assemble import assemble
from engine.kinematics.evaluate import dense_D, fill, movable

STEP = 2e-3  # of differences of fourth order                               [m, rad]
ZERO = 1e-6  # what they leave of a zero, twice nested, relative
CURVED = 1e-5  # a form that changes by less is integrable
DEEPEST = 4  # derived systems
POSES = 3
AWAY = 0.3  # from pose to pose                                                    [m, rad]

Forms = Callable[[np.ndarray], np.ndarray]  # rows of D by the pose


@dataclass(frozen=True)
class Verdict:
    """What became of the constraints of a model at one pose."""

    n: int  # velocities
    rank: int  # independent rows
    flag: tuple[int, ...]  # dimensions of the derived systems
    hidden: int  # velocity rows that are positions in disguise

    @property
    def is_holonomic(self) -> bool:
        """Whether all rows integrate."""
        return self.flag[-1] == self.flag[0]

    @property
    def sentence(self) -> str:
        """The verdict with its reason."""
        if not self.is_holonomic:
            return say(
                "Non-holonomic: of {rank} independent constraints {left} integrate to positions.",
                rank=self.rank,
                left=self.flag[-1],
            )
        if self.hidden:
            return say(
                "Holonomic: what is given for velocities integrates, so that it is a position constraint "
                "in disguise ({hidden} of {rank}).",
                hidden=self.hidden,
                rank=self.rank,
            )
        return say(
            "Holonomic: all {rank} independent constraints are of positions.", rank=self.rank
        )


class Field:
    """A field of one-forms over poses, and how its frame moves and commutes."""

    def __init__(
        self, rows: Forms, n: int, move: Callable[[np.ndarray, np.ndarray], np.ndarray]
    ) -> None:
        self.rows, self.n, self.move = rows, n, move
        self.brackets = np.zeros((n, n, n))  # (a, b, c): the part c of [e_a, e_b]

    def slopes(self, forms: Forms, q: np.ndarray) -> np.ndarray:
        """e_c(a_k,d) for all c, (n, rows, n)."""
        found = []
        for step in STEP * np.eye(self.n):
            near = forms(self.move(q, step)) - forms(self.move(q, -step))
            far = forms(self.move(q, 2 * step)) - forms(self.move(q, -2 * step))
            found.append((8 * near - far) / (12 * STEP))
        return np.array(found)


def field_of(compiled: Compiled) -> Field:
    """The rows of D of a model over poses (q, t), by displacements of what can move.

    Where the time enters a typed row it is one more coordinate, and -nu its column: a row a(q, t) . v = nu
    may integrate at every moment and yet not over time.
    """
    ws, free, layout = workspace(compiled.system), movable(compiled), compiled.layout
    system, has_time = compiled.system, len(rows_of_time(compiled.system)) > 0

    def move(pose: np.ndarray, step: np.ndarray) -> np.ndarray:
        whole = np.zeros(layout.n_v)
        whole[free] = step[: int(free.sum())]
        moved = pose[:-1].copy()
        dynamics.move(system.dim, system.bodies, moved, whole, np.zeros_like(moved))
        return np.append(moved, pose[-1] + (step[-1] if has_time else 0.0))

    def rows(pose: np.ndarray) -> np.ndarray:
        fill(compiled, ws, pose[-1], pose[:-1], np.zeros(layout.n_v))
        D = dense_D(compiled, ws)[:, free]
        return np.column_stack([D, -ws.nu]) if has_time else D

    field = Field(rows, int(free.sum()) + has_time, move)
    if system.dim == 3:
        whole = np.zeros((layout.n_v,) * 3)
        for turns in layout.spins:
            for a, b, c in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
                whole[turns[a], turns[b], turns[c]] = 1.0
                whole[turns[b], turns[a], turns[c]] = -1.0
        n = int(free.sum())
        field.brackets[:n, :n, :n] = whole[np.ix_(free, free, free)]
    return field


def echelon(A: np.ndarray, pivots: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """A basis of the row space that is 1 at its pivot columns, so that it changes smoothly; and these."""
    if pivots is None:
        pivots = np.zeros(0, dtype=int)
        if A.size:
            _, R, order = qr(A, mode="economic", pivoting=True)
            size = np.abs(np.diag(R))
            pivots = np.sort(order[: int((size > ZERO * max(size[0], 1e-300)).sum())])
    if not len(pivots):
        return np.zeros((0, A.shape[1])), pivots
    return np.linalg.lstsq(A[:, pivots], A, rcond=1e-9)[0], pivots


def derived(forms: Forms, field: Field, q: np.ndarray) -> tuple[Forms, int]:
    """The next derived system as a function of the pose, and its dimension at q."""

    def at(pose: np.ndarray) -> np.ndarray:
        A = forms(pose)
        N = null_space(A, rcond=1e-9) if len(A) else np.eye(field.n)
        change = np.einsum("ckd->kcd", field.slopes(forms, pose))
        change = change - change.transpose(0, 2, 1)
        change -= np.einsum("cde,ke->kcd", field.brackets, A)
        pairs = np.triu_indices(N.shape[1], 1)
        T = np.array([(N.T @ one @ N)[pairs] for one in change])
        if T.size == 0:
            return A
        u, s, _ = np.linalg.svd(T, full_matrices=True)
        return u[:, int((s > CURVED).sum()) :].T @ A

    base, pivots = echelon(at(q))
    return (lambda pose: echelon(at(pose), pivots)[0]), len(base)


def flag_of(field: Field, q: np.ndarray, enough: int = 0) -> tuple[int, ...]:
    """The dimensions of the derived systems, until they stay or are no more than `enough`."""
    first, pivots = echelon(field.rows(q))
    flag = [len(first)]

    def forms(pose: np.ndarray) -> np.ndarray:
        return echelon(field.rows(pose), pivots)[0]

    system: Forms = forms
    for _ in range(DEEPEST):
        system, size = derived(system, field, q)
        flag.append(size)
        if size == flag[-2] or size <= enough:
            break
    return tuple(flag)


def classify(compiled: Compiled, q: np.ndarray | None = None, t: float = 0.0) -> Verdict:
    """The verdict at a pose that closes the joints, that of the drawing by default.

    Where all rows are of positions there is nothing to test.
    """
    q = np.append(compiled.q0 if q is None else q, t)
    field = field_of(compiled)
    rows, held = field.rows(q), compiled.system.rows["level"] == POSITION
    positions = len(echelon(rows[held])[0])
    rank = len(echelon(rows)[0])
    if held.all():
        return Verdict(field.n, rank, (rank, rank), 0)
    flag = flag_of(field, q, positions)
    return Verdict(field.n, rank, flag, flag[-1] - positions)


def classify_anywhere(compiled: Compiled, q: np.ndarray, motions: np.ndarray) -> Verdict:
    """The verdict at three poses that close the joints, the given one first; the least that integrates.

    A pose may be special: what integrates there alone does not integrate. `motions` are those of
    engine.kinematics.mobility.
    """
    found, rng = [classify(compiled, q)], np.random.default_rng(1)
    for _ in range(POSES - 1 if motions.shape[1] else 0):
        way = motions @ rng.normal(size=motions.shape[1])
        moved = q.copy()
        away = AWAY * way / max(np.abs(way).max(), 1e-300)
        dynamics.move(compiled.system.dim, compiled.system.bodies, moved, away, np.zeros_like(q))
        try:
            found.append(classify(compiled, assemble(compiled, q=moved).q))
        except EngineError:  # it cannot be closed from there
            continue
    return min(found, key=lambda one: (one.flag[-1] - one.rank, one.hidden))
