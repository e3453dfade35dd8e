"""Newton's method that closes joints with the least motion, while chosen values hold.

    minimise  |q - q_drawn|_M    subject to  C(q) = 0,      C = (Phi, h) - offset

h are values that are to hold: places of bodies, angles, coordinates of joints (engine.kinematics.holding).
With J the Jacobian of C and e = q_drawn - q, a step is

    dq = e - W J^T S^-1 (C + J e)          S = J W J^T

S is inverted in the sense of least squares, so redundant joints and singular poses are ordinary. Only
rows that hold at position level are closed: a knife edge never moves the drawing.

Values that contradict the joints or each other become springs, far stiffer than the wish to stay near the
drawing: `nearest` walks along closed poses towards the least of

    h^T s h + e^T M e / B          s = 1/(A W A^T)_kk,  A the Jacobian of h,  B large

by steps of Gauss and Newton in the metric M' = M + B A^T s A, closing the joints after each.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from engine.compiling.system import Compiled, linked, workspace
from engine.kernels import dynamics
from engine.kernels.layout import POSITION
from engine.kinematics.evaluate import dense_D, fill, inverse_mass
from engine.kinematics.holding import Hold, left_of, rows_of, scales_of
from engine.kinematics.poses import unit_quaternion
from rotations import axis_angle, quaternion

MAX_ITERATIONS = 60
MAX_TURN = 0.5  # [rad] largest rotation in one iteration: keeps the branch
MAX_SHIFT = 0.3  # of the size of the drawing
SMALLEST_STEP = 1e-4
TIGHT = 1e-13  # of the size of the drawing: rounding
CAUTION = 3.0  # times the residual: how short a row may be to count as dependent
CLOSED = 1e-9  # of the size of the drawing: a residual this small counts as closed
STIFF = 1e8  # B: how much more the values count than the drawing, where they contradict the joints
FLAT = 1e-12  # of the cost: a step that gains less is the last one
MOST_IDLE = 2  # iterations without progress where values are held: they contradict the joints
FAR = 1e3  # times the size of the drawing: a residual this large is hopeless
IN_VAIN = 4  # steps of Newton in a row that do not halve the residual
STRIDE = 0.05  # of the size: how far joints close at once, which keeps the branch
LONG_STRIDE = 1.0  # of the size, or of a radian: for what is very far apart
STRIDES, LONG_STRIDES = 40, 200  # at most: an angle may be drawn thousands of turns away


class Pose(NamedTuple):
    """A pose and the largest residual that is left in it."""

    q: np.ndarray
    gap: float  # [m, rad]


class Conditions:
    """What is to hold in a pose: rows of joints, perhaps still apart by an offset, and values."""

    def __init__(
        self,
        compiled: Compiled,
        t: float = 0.0,
        holds: Sequence[Hold] = (),
        *,
        without: Sequence[str] = (),
    ) -> None:
        self.compiled, self.t, self.holds = compiled, t, tuple(holds)
        self.ws = workspace(compiled.system)
        self.table = linked(compiled.system, self.ws)
        self.rows = compiled.system.rows["level"] == POSITION
        self.rows &= np.array([id not in without for id in compiled.row_ids], dtype=bool)
        self.offset: np.ndarray | float = 0.0
        self.size = compiled.length

    @cached_property
    def W(self) -> np.ndarray:
        """The inverse of the mass matrix."""
        return inverse_mass(self.compiled)

    def Phi(self, q: np.ndarray) -> np.ndarray:
        """The residuals of all rows of joints; fills the workspace."""
        rest = np.zeros_like(self.compiled.v0)
        self.values, _ = fill(self.compiled, self.ws, self.t, q, rest, table=self.table)
        return self.ws.Phi.copy()

    def C(self, q: np.ndarray) -> np.ndarray:
        """What is left in a pose; fills the workspace."""
        apart = self.Phi(q)[self.rows]
        if self.holds:
            left = left_of(self.compiled, self.holds, q, self.values)
            apart = np.concatenate([apart, left])
        return apart - self.offset

    def J(self, q: np.ndarray) -> np.ndarray:
        """The Jacobian in the pose of the last call of C."""
        D = dense_D(self.compiled, self.ws)[self.rows]
        if not self.holds:
            return D
        return np.concatenate([D, rows_of(self.compiled, self.holds, q)])


def closed(conditions: Conditions, q_drawn: np.ndarray, patience: int = MAX_ITERATIONS) -> Pose:
    """The nearest pose that fulfils the conditions, or the best that was found."""
    found = _iterate(conditions, q_drawn, q_drawn, patience)
    if not found.gap <= TIGHT * conditions.size and not conditions.holds:
        # near a singular pose only plain Newton steps, without the term of the drawing, converge
        again = _iterate(conditions, found.q, None, patience)
        found = min(found, again, key=lambda pose: pose.gap)
    return found


def closed_near(
    conditions: Conditions,
    q: np.ndarray,
    given: Sequence[tuple[int, int, float]] = (),
    patience: int = 24,
) -> np.ndarray | None:
    """A pose near q that fulfils the conditions, by a few plain Newton steps; None if they fail.

    `given` are rows that start at a later level, the coordinate of each and the value it shall have.
    """
    compiled, size, W = conditions.compiled, conditions.size, conditions.W
    rows = [row for row, _, _ in given]
    best, in_vain, caution, step = np.inf, 0, CAUTION, 1.0
    for _ in range(patience):
        C = conditions.C(q)
        C = np.concatenate([C, [conditions.values[term] - value for _, term, value in given]])
        gap = float(np.abs(C).max(initial=0.0))
        # a step that was cut short gets nearer, and need not halve what is left
        if gap < (0.5 if step == 1.0 else 1.0) * best:
            best, in_vain = gap, 0
        else:
            in_vain, caution = in_vain + 1, 0.1 * caution
        if not CLOSED * size < gap < FAR * size or in_vain > IN_VAIN:
            break
        J = np.concatenate([conditions.J(q), dense_D(compiled, conditions.ws)[rows]])
        dq = -W @ J.T @ _solve(J, W, C, min(caution * gap / size, 0.1))
        step = _damped(compiled, dq)
        q = _moved(compiled, q, step * dq)
    return q if gap <= CLOSED * size and np.isfinite(q).all() else None


def strides(apart: float) -> int:
    """In how many strides what is so far apart, in sizes, comes together."""
    n = min(np.ceil(apart / STRIDE), STRIDES)
    return int(np.clip(np.ceil(apart / LONG_STRIDE), max(n, 1), LONG_STRIDES))


def closed_in_strides(
    conditions: Conditions, q: np.ndarray, patience: int = MAX_ITERATIONS
) -> Pose:
    """As `closed`, where what is far apart comes together in short steps: the branch is kept."""
    apart, scale = conditions.C(q), np.full(int(conditions.rows.sum()), conditions.size)
    scale = np.concatenate([scale, scales_of(conditions.compiled, conditions.holds)])
    n = strides((np.abs(apart) / scale).max(initial=0.0))
    found = Pose(q, 0.0)
    for k in range(1, n + 1):
        conditions.offset = (1.0 - k / n) * apart
        found = closed(conditions, found.q, patience)
        if not found.gap <= CLOSED * conditions.size:
            break
    conditions.offset = 0.0
    return found


def nearest(free: Conditions, q: np.ndarray, q_drawn: np.ndarray, wishes: Sequence[Hold]) -> Pose:
    """The pose that fulfils the conditions and misses the wishes by the least, from one that is closed."""
    compiled, limit = free.compiled, CLOSED * free.size
    here = Pose(q, float(np.abs(free.C(q)).max(initial=0.0)))
    cost, e_stiff, W = _wished(free, here.q, q_drawn, wishes)
    for _ in range(MAX_ITERATIONS):
        J = free.J(here.q)
        dq = e_stiff - W @ J.T @ _solve(J, W, J @ e_stiff)
        step = _damped(compiled, dq)
        while step > SMALLEST_STEP:
            trial = _iterate(free, _moved(compiled, here.q, step * dq), None, MAX_ITERATIONS)
            found = _wished(free, trial.q, q_drawn, wishes)
            if trial.gap <= limit and found[0] < cost:
                break
            step *= 0.5
        else:
            break
        gained = cost - found[0]
        here, (cost, e_stiff, W) = trial, found
        if gained <= FLAT * cost:
            break
    return here


def _wished(
    free: Conditions, q: np.ndarray, q_drawn: np.ndarray, wishes: Sequence[Hold]
) -> tuple[float, np.ndarray, np.ndarray]:
    """What wishes and drawing cost in a pose, the displacement that would lower it most, and M'^-1."""
    free.C(q)
    h, A = left_of(free.compiled, wishes, q, free.values), rows_of(free.compiled, wishes, q)
    e = difference(free.compiled, q_drawn, q)
    movable = free.W.diagonal() > 0.0
    A, W, e = A[:, movable], free.W[np.ix_(movable, movable)], e[movable]
    s = 1.0 / np.maximum(np.einsum("ki,ij,kj->k", A, W, A), 1e-300)
    M = np.linalg.inv(W)
    stiff = np.linalg.inv(M + STIFF * (A.T * s) @ A)
    e_all, W_all = np.zeros(len(movable)), np.zeros_like(free.W)
    e_all[movable] = stiff @ (M @ e - STIFF * (A.T * s) @ h)
    W_all[np.ix_(movable, movable)] = stiff
    return float(h @ (s * h) + e @ M @ e / STIFF), e_all, W_all


def _moved(compiled: Compiled, q: np.ndarray, dq: np.ndarray) -> np.ndarray:
    """The pose after a displacement."""
    new = q.copy()
    dynamics.move(compiled.system.dim, compiled.system.bodies, new, dq, np.zeros_like(q))
    return new


def _iterate(
    conditions: Conditions, q: np.ndarray, q_drawn: np.ndarray | None, patience: int
) -> Pose:
    """Newton steps from q towards C = 0, and towards the drawing if one is given; the best found.

    While joints are open, redundant rows disagree by about the residual squared and are independent by
    about the residual: following them would not converge. Directions weaker than `caution` times the
    residual are therefore left out, until a lack of progress shows that they matter.
    """
    compiled, size, caution, W = conditions.compiled, conditions.size, CAUTION, conditions.W
    C = conditions.C(q)
    gap = float(np.abs(C).max(initial=0.0))
    best, idle = Pose(q, gap), 0
    for _ in range(patience):
        if not np.isfinite(gap):
            break  # numbers so large that no step leads on
        e = np.zeros_like(compiled.v0) if q_drawn is None else difference(compiled, q_drawn, q)
        weakest, J = min(caution * gap / size, 0.1), conditions.J(q)
        dq = e - W @ J.T @ _solve(J, W, C + J @ e, weakest)
        if gap <= TIGHT * size and np.abs(dq).max(initial=0.0) <= 1e-10 * size:
            break
        q, C, trial_gap = _search(conditions, q, dq, gap)
        if not trial_gap <= 0.5 * gap:
            caution *= 0.1
        idle = 0 if trial_gap <= 0.9 * gap else idle + 1
        gap = trial_gap
        if gap < best.gap:
            best = Pose(q, gap)
        elif best.gap <= TIGHT * size:
            break
        if conditions.holds and idle > MOST_IDLE:
            break  # what is held leaves no pose that closes
    return best


def _search(
    conditions: Conditions, q: np.ndarray, dq: np.ndarray, gap: float
) -> tuple[np.ndarray, np.ndarray, float]:
    """The first of ever shorter steps along dq that reduces the residual: q, C and its largest entry."""
    compiled = conditions.compiled
    step = _damped(compiled, dq)
    while True:
        trial = _moved(compiled, q, step * dq)
        C = conditions.C(trial)
        trial_gap = float(np.abs(C).max(initial=0.0))
        if trial_gap <= max(0.999 * gap, 10 * TIGHT * conditions.size) or step < SMALLEST_STEP:
            return trial, C, trial_gap
        step *= 0.5


def _solve(D: np.ndarray, W: np.ndarray, b: np.ndarray, weakest: float = 0.0) -> np.ndarray:
    """S^-1 b in the sense of least squares, rows scaled to unit diagonal.

    Directions in which the scaled D is shorter than `weakest`, or than rounding, are left out.
    """
    if not len(b):
        return b
    S = D @ W @ D.T
    scale = np.sqrt(np.maximum(S.diagonal(), 1e-300))
    values, vectors = np.linalg.eigh(S / scale[:, None] / scale)
    kept = values > max(1e-11, weakest**2) * values[-1]
    inverse = vectors[:, kept] / values[kept] @ vectors[:, kept].T
    return inverse @ (b / scale) / scale


def _damped(compiled: Compiled, dq: np.ndarray) -> float:
    """The part of a step that keeps rotations and shifts moderate."""
    layout = compiled.layout
    shift = np.abs(dq[layout.velocities]).max(initial=0.0) / (MAX_SHIFT * compiled.length)
    turn = np.abs(dq[layout.spins]).max(initial=0.0) / MAX_TURN
    return 1.0 / max(1.0, shift, turn)


def difference(compiled: Compiled, q_to: np.ndarray, q_from: np.ndarray) -> np.ndarray:
    """The displacement from one pose to another, given like a velocity (turns in body axes)."""
    if compiled.system.dim == 2:
        return q_to - q_from
    layout = compiled.layout
    out = np.zeros(layout.n_v)
    out[layout.velocities] = q_to[layout.positions] - q_from[layout.positions]
    for k in range(layout.n_bodies):
        a, b = unit_quaternion(compiled, k, q_from), unit_quaternion(compiled, k, q_to)
        turn = quaternion.product(quaternion.conjugate(a), b)
        out[layout.spin(k)] = axis_angle.logarithm_quaternion(turn)
    return out
