"""Drag a point of a mechanism as far as its joints allow, with the least motion of everything.

    minimise  |dq|^2_M    such that  D dq = -Phi   and   J dq = (target - P) as nearly as possible

in many short steps. After each the joints are closed again by Newton's method. With A = D W^1/2 and
B = J W^1/2, B~ = B (1 - A^+ A), a step is

    dq = W^1/2 ( -A^+ Phi + B~^T (B~ B~^T + lambda 1)^-1 (wish + B A^+ Phi) )

M measures displacement, not mass: a heavy body follows as easily as a light one. Short steps, and a
direction that turns only gradually where there is only one, keep the branch of the mechanism.

In space dq is given like a velocity, with turns in body axes. There the mouse defines a line of sight, and
P is to lie on it: J and the wish are taken across that line. A body may also be asked to turn.
"""

from typing import Any, NamedTuple, Protocol

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from engine.compiling.system import compile_model, linked, workspace
from engine.errors import EngineError, say
from engine.formulas.resolve import resolved
from engine.kernels import dynamics
from engine.kernels.layout import POSITION
from engine.kinematics.drag_parts import (
    bodies_of,
    connected,
    is_placed_by_numbers,
    part,
    weightless,
    without_starts,
)
from engine.kinematics.evaluate import dense_D, fill
from engine.kinematics.freedom.fronts import rank_of, scaled_rows
from engine.kinematics.freedom.sparse_rows import SparseRows, solved
from engine.kinematics.poses import body_frames, point_rows
from engine.model.bodies import placed_by_hand
from engine.model.elements import Id, Model, put
from rotations import axis_angle, quaternion
from rotations.vector import frame_from_axis

Point = tuple[float, ...]

TIGHT = 1e-13  # of the size: joints are closed to rounding
OPEN = 1e-6  # of the size: a joint drawn wider open is not enforced yet
DUST = 2e-16  # of the size: a coordinate this small is rounding
REACHED = 1e-10  # of the size
GAIN = 1e-6  # of the size: a step that gains less is the last one
MOST_STEPS, MOST_CLOSING, MOST_HALVINGS = 60, 15, 7
STEP = 0.12  # [rad], and of the size: the longest step, which keeps the branch
SOFT = 1e-11  # makes repeated rows harmless; Newton's method removes what it leaves
WEAK = 1e-9  # singular values below this share of the largest are zero
STEADY = 0.8  # least cosine between the only possible directions before and after a step
WATCHED = 150  # unknowns up to which that direction is checked, and up to which matrices are dense


class Dragged(NamedTuple):
    """The outcome of a drag."""

    model: Model  # the same object if nothing moved
    distance: float  # from the point to its target [m], or what is left of a turn [rad]
    reason: str = ""  # why nothing can move; empty if something can


def dragged(model: Model, body: Id, point_in_body: Point, target: Point) -> Dragged:
    """The model with a point of a body dragged towards a target, joints closed, same branch."""
    return Grip(model, body, point_in_body).to(target)


class Aim(Protocol):
    """The goal of a drag: how much is left, and how that changes with v."""

    def left(self, grip: "Grip", q: np.ndarray) -> np.ndarray:
        """The remaining displacement in a pose [m]."""

    def rows(self, grip: "Grip", q: np.ndarray) -> np.ndarray:
        """J: the rate of the goal is J v."""


class PointAim(NamedTuple):
    """The held point is to reach a target; along the line of sight it may be anywhere."""

    target: np.ndarray
    across: np.ndarray  # (n, dim) directions that count

    def left(self, grip: "Grip", q: np.ndarray) -> np.ndarray:
        """The remaining displacement."""
        return self.across @ (self.target - grip.point(q))

    def rows(self, grip: "Grip", q: np.ndarray) -> np.ndarray:
        """How the point moves."""
        return self.across @ point_rows(grip.compiled, q, grip.k, grip.arm)


class TurnAim(NamedTuple):
    """The held body is to reach an orientation, in space."""

    R: np.ndarray

    def left(self, grip: "Grip", q: np.ndarray) -> np.ndarray:
        """The remaining rotation, world axes, times the size of the mechanism."""
        return grip.size * np.asarray(axis_angle.logarithm(self.R @ grip.axes(q).T))

    def rows(self, grip: "Grip", q: np.ndarray) -> np.ndarray:
        """Its angular velocity in world axes, times the same."""
        J = np.zeros((3, len(grip.w)))
        J[:, grip.compiled.layout.spin(grip.k)] = grip.size * grip.axes(q)
        return J


class Grip:
    """A point of a body that is held with the mouse; compiled once, dragged many times."""

    def __init__(
        self, model: Model, body: Id, point_in_body: Point, *, open_joints_hold: bool = False
    ) -> None:
        self.model, self.body, self.open_joints_hold = model, body, open_joints_hold
        self.ids = connected(model, body)
        self.reason = ""
        self.q = np.zeros(0)
        self.is_watched = False  # whether the only direction of motion must not jump
        try:
            self._prepare(point_in_body)
        except EngineError as error:
            self.reason = error.sentence
        if not self.reason:
            self.reason = self._stuck()

    def to(self, target: Point, patience: int = MOST_STEPS, sight: Point | None = None) -> Dragged:
        """Drag the point from where it is now towards a target; changes where the grip is.

        `patience` is the number of steps after which it may stop short of the target. With a line of sight
        the point may lie anywhere on the line through the target.
        """
        across = np.eye(len(target))
        if sight is not None:
            across = frame_from_axis(np.array(sight, dtype=float))[:, :2].T
        return self._follow(PointAim(np.array(target, dtype=float), across), patience)

    def turn_to(self, R: np.ndarray, patience: int = MOST_STEPS) -> Dragged:
        """Turn the body towards an orientation (3x3), in space; changes where the grip is."""
        found = self._follow(TurnAim(np.asarray(R, dtype=float)), patience)
        return found._replace(distance=0.0 if self.reason else found.distance / self.size)

    def _follow(self, aim: Aim, patience: int) -> Dragged:
        """Step towards the goal as far as possible; changes the pose."""
        if self.reason:
            return Dragged(self.model, 0.0, self.reason)
        for _ in range(patience):
            before = self._left(aim, self.q)
            if before <= REACHED * self.size or not self._step(aim, before):
                break
        return Dragged(self._moved_model(), self._left(aim, self.q))

    def _left(self, aim: Aim, q: np.ndarray) -> float:
        return float(np.linalg.norm(aim.left(self, q)))

    def close(self) -> bool:
        """Close all joints with the least motion; False if they cannot be. Changes the pose."""
        closed = None if self.reason else self._closed(self.q)
        if closed is not None:
            self.q = closed
        return closed is not None

    @property
    def moved_model(self) -> Model:
        """The model in the pose of the grip; the same object if nothing moved."""
        return self._moved_model()

    # --- what is dragged, in numbers

    def _prepare(self, point_in_body: Point) -> None:
        whole = resolved(part(self.model, self.ids))
        if self.body not in whole or whole[self.body].fixed:
            label = self.model[self.body].label if self.body in self.model else self.body
            raise EngineError(
                "'{label}' is fixed to the ground. Release it to move it.", label=label
            )
        self.places = {b.id: b for b in whole.of("body")}
        self.compiled = compile_model(weightless(whole))
        self.ws = workspace(self.compiled.system)
        self.size = self.compiled.length
        self.table = linked(self.compiled.system, self.ws)
        self.k = self.compiled.body_ids.index(self.body)
        self.arm = -self.compiled.center[self.k]
        self.arm[: len(point_in_body)] += np.array(point_in_body, dtype=float)
        self.w = self._weights()
        self.q = self.compiled.q0.copy()
        held = self.compiled.system.rows["level"] == POSITION
        self._fill(self.q)
        open_rows = np.flatnonzero(held & (np.abs(self.ws.Phi) > OPEN * self.size))
        opened = {self.compiled.row_ids[row] for row in open_rows}
        closed = np.array([id not in opened for id in self.compiled.row_ids], dtype=bool)
        self.held = held if self.open_joints_hold else held & closed
        self.way: np.ndarray | None = None
        is_long = len(self.w) > WATCHED and not self.compiled.elastic
        self.rows = SparseRows(self.compiled) if is_long else None

    def _weights(self) -> np.ndarray:
        """How easily each coordinate follows: W of the displacement; zero where it must not move."""
        layout = self.compiled.layout
        w = np.zeros(layout.n_v)
        for k, id in enumerate(self.compiled.body_ids):
            if is_placed_by_numbers(self.model[id]):
                w[layout.velocity(k)] = 1.0
                if not self.compiled.is_particle[k]:
                    w[layout.spin(k)] = 1.0 / float(self.compiled.system.bodies["J"][k][0, 0])
        return w

    def _stuck(self) -> str:
        """Why nothing can move, or an empty text."""
        label = self.model[self.body].label
        if not is_placed_by_numbers(self.model[self.body]):
            return say(
                "'{label}' is placed by an expression; give its place and direction in numbers to "
                "drag it.",
                label=label,
            )
        Phi, A = self._scaled(self.q)
        free = int((self.w > 0.0).sum()) - (self._rank(A) if len(Phi) else 0)
        self.is_watched = free == 1 and len(self.w) <= WATCHED
        self.way = self._only_way(self.q)
        if free > 0:
            return ""
        joints = dict.fromkeys(
            id for id, held in zip(self.compiled.row_ids, self.held) if held and self._touches(id)
        )
        names = [f"'{self.model[id].label}'" for id in list(joints)[:4]]
        return say(
            "'{label}' cannot move: {listed} leave it no degree of freedom.",
            label=label,
            listed=", ".join(names),
        )

    def _rank(self, A: Any) -> int:
        """The number of independent rows that hold, in the pose that was filled last."""
        if self.rows is None:
            return _rank(A)
        if not self.held.all():
            return _rank(A.toarray())
        roots = [np.diag(np.sqrt(w)) for w in self.w.reshape(self.compiled.system.n_bodies, -1)]
        joints, _ = scaled_rows(self.compiled, self.ws, roots)
        return rank_of(joints, [len(root) for root in roots], WEAK).rank

    def _touches(self, id: Id) -> bool:
        """Whether a joint or motion holds the body that is dragged."""
        return self.body in bodies_of(self.model, id)

    def point(self, q: np.ndarray) -> np.ndarray:
        """Where the grip is."""
        frames, center = body_frames(self.compiled, q), self.compiled.center[self.k]
        place = frames.r[self.k] + frames.R[self.k] @ (center + self.arm)
        return place[: self.compiled.system.dim]

    def axes(self, q: np.ndarray) -> np.ndarray:
        """The axes of the body that is held."""
        return body_frames(self.compiled, q).R[self.k]

    def _moved(self, q: np.ndarray, dq: np.ndarray) -> np.ndarray:
        """The pose after a small displacement, given like a velocity."""
        system, new = self.compiled.system, q.copy()
        dynamics.move(system.dim, system.bodies, new, dq, np.zeros_like(q))
        return new

    def _apart(self, q: np.ndarray, other: np.ndarray) -> float:
        """The largest shift or turn between two poses that are near to each other."""
        if self.compiled.system.dim == 2:
            return float(np.abs(q - other).max())
        layout = self.compiled.layout
        a, b = q[layout.orientations], other[layout.orientations]
        turns = quaternion.product(quaternion.conjugate(a), b)
        shift = np.abs(q - other)[layout.positions].max()
        return float(max(shift, 2.0 * np.abs(turns[:, 1:]).max()))

    def _fill(self, q: np.ndarray) -> None:
        """Phi and D in a pose; changes the workspace."""
        fill(self.compiled, self.ws, 0.0, q, np.zeros_like(self.compiled.v0), table=self.table)

    def _scaled(self, q: np.ndarray) -> tuple[np.ndarray, Any]:
        """Phi and A = D W^1/2 of the rows that hold, scaled to rows of length one; A may be sparse."""
        self._fill(q)
        Phi, root, held = self.ws.Phi[self.held], np.sqrt(self.w), self.held
        if self.rows is not None:
            A, length = self.rows.scaled(self.ws, root)
            return Phi / length[held], A if held.all() else A[np.flatnonzero(held)]
        A = dense_D(self.compiled, self.ws)[held] * root
        length = np.linalg.norm(A, axis=1)
        length[length == 0.0] = 1.0
        return Phi / length, A / length[:, None]

    # --- one step

    def _step(self, aim: Aim, before: float) -> bool:
        """Bring the grip closer by one step; False if that is impossible. Changes the pose."""
        dq = self._direction(aim)
        if self._try(dq, aim, before):
            return True
        if self.way is None:
            return False
        short = 0.02 * np.sqrt(self.w) * self.way  # leave a dead point towards the better side
        return any(self._try(side * short, aim, before) for side in (1.0, -1.0))

    def _direction(self, aim: Aim) -> np.ndarray:
        """The displacement that carries the grip towards its target."""
        root = np.sqrt(self.w)
        Phi, A = self._scaled(self.q)
        wish = aim.left(self, self.q)
        far = float(np.linalg.norm(wish))
        wish = wish * min(1.0, STEP * self.size / far)
        B = aim.rows(self, self.q) * root
        z = np.zeros_like(self.w)
        if len(Phi):
            back = A.T @ _solve(A, np.column_stack([Phi, A @ B.T]))
            z, tied = -back[:, 0], B - back[:, 1:].T
        else:
            tied = B
        G = tied @ tied.T
        soft = 1e-8 * float(np.trace(B @ B.T))
        z = z + tied.T @ np.linalg.solve(G + soft * np.eye(len(G)), wish - B @ z)
        dq = root * z
        layout, parts = self.compiled.layout, np.abs(dq)
        longest = max(parts[layout.velocities].max() / self.size, parts[layout.spins].max())
        return dq * min(1.0, STEP / longest) if longest > 0.0 else dq

    def _try(self, dq: np.ndarray, aim: Aim, before: float) -> bool:
        """Take the first of ever shorter steps that closes again, is nearer and keeps the branch."""
        share = 1.0
        for _ in range(MOST_HALVINGS):
            wanted = self._moved(self.q, share * dq)
            trial = self._closed(wanted)
            shorter = 0.5 * share
            if trial is not None:
                after = self._left(aim, trial)
                strayed = self._apart(trial, wanted)
                if after >= before - 1e-12 * self.size:
                    shorter = self._best_share(dq, aim, share, before, after)
                elif strayed <= STEP * max(self.size, 1.0) and self._goes_on(trial):
                    self.q = trial
                    return before - after > GAIN * self.size or after <= REACHED * self.size
            share = shorter
        return False

    def _best_share(
        self, dq: np.ndarray, aim: Aim, share: float, before: float, after: float
    ) -> float:
        """The minimum of the parabola through the squares of both distances and the initial slope."""
        slope = -2.0 * float(aim.left(self, self.q) @ (aim.rows(self, self.q) @ dq))
        bend = after**2 - before**2 - slope * share
        best = -0.5 * slope * share**2 / bend if bend > 0.0 else 0.5 * share
        return min(max(best, 0.02 * share), 0.6 * share)

    def _goes_on(self, q: np.ndarray) -> bool:
        """Whether a pose is on the same branch: its direction of motion differs little. Remembers it."""
        way = self._only_way(q)
        if way is None:
            return True
        if self.way is not None and abs(way @ self.way) < STEADY:
            return False
        self.way = way
        return True

    def _closed(self, q: np.ndarray) -> np.ndarray | None:
        """The pose nearest to q in which all joints are closed, or None."""
        root = np.sqrt(self.w)
        gap = np.inf
        for _ in range(MOST_CLOSING):
            Phi, A = self._scaled(q)
            Phi_size = float(np.abs(self.ws.Phi[self.held]).max(initial=0.0))
            if Phi_size <= TIGHT * self.size:
                return q
            if Phi_size > 0.9 * gap and gap <= 100 * TIGHT * self.size:
                return q  # rounding
            gap = Phi_size
            if not np.isfinite(Phi_size):
                return None
            q = self._moved(q, -root * (A.T @ _solve(A, Phi)))
        return q if gap <= 1e-11 * self.size else None

    def _only_way(self, q: np.ndarray) -> np.ndarray | None:
        """The direction z in which the mechanism can move, where there is exactly one."""
        movable = self.w > 0.0
        if not self.is_watched:
            return None
        _, A = self._scaled(q)
        _, sizes, rows = np.linalg.svd(A[:, movable])
        rank = int((sizes > 1e-6 * sizes[0]).sum())
        if rank != int(movable.sum()) - 1:
            return None
        way = np.zeros_like(self.w)
        way[movable] = rows[-1]
        return way

    def _moved_model(self) -> Model:
        """The model in the pose of the grip; the same object if nothing moved."""
        q, q0, layout = self.q, self.compiled.q0, self.compiled.layout
        frames, dim = body_frames(self.compiled, self.q), self.compiled.system.dim
        new = []
        for k in np.unique(layout.body_of_q[q != q0]):
            place: dict[str, Any] = {"position": _clean(frames.r[k, :dim], self.size)}
            if not self.compiled.is_particle[k]:
                turn = q[layout.orientation(k)]
                if dim == 2:
                    place["angle"] = float(turn[0])
                else:
                    place["orientation"] = _clean(turn, 1.0)
            new.append(placed_by_hand(self.model[self.compiled.body_ids[k]], **place))
        return without_starts(put(self.model, *new), new) if new else self.model


def _clean(numbers: np.ndarray, size: float) -> tuple[float, ...]:
    """The numbers, with zeros for those that are rounding errors relative to this size."""
    return tuple(0.0 if abs(x) < DUST * size else float(x) for x in numbers)


def _solve(A: Any, b: np.ndarray) -> np.ndarray:
    """(A A^T)^-1 b; repeated rows share their load."""
    if not isinstance(A, np.ndarray):
        return solved(A, b, SOFT)
    S = A @ A.T
    S[np.diag_indices(len(S))] += SOFT
    return cho_solve(cho_factor(S, check_finite=False), b, check_finite=False)


def _rank(A: np.ndarray) -> int:
    """The number of independent rows."""
    if not A.size:
        return 0
    sizes = np.linalg.svd(A, compute_uv=False)
    return int((sizes > WEAK * sizes[0]).sum()) if sizes[0] > 0.0 else 0
