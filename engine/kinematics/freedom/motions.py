"""The free motions of a mechanism by name, the way they lead, and what each joint takes away.

A basis of the null space of D mixes everything that can move. Here the coordinates C of the joints give
names: the first that are independent on the null space N, and behind them places and angles of bodies,
so that

    motions = N (C N)^-1

where each motion changes one named coordinate at unit rate and leaves the other named ones alone.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from scipy.linalg import null_space

from engine.compiling.system import Compiled, workspace
from engine.errors import EngineError, say
from engine.kernels import dynamics
from engine.kernels.layout import ANGLE, DIRECTION
from engine.kinematics.evaluate import coordinate_rows, dense_D, fill, inverse_mass, movable
from engine.model.elements import Id

RANK = 1e-8  # relative size of a singular value that is rounding
INDEPENDENT = 1e-7  # of a coordinate that names a motion of its own
TURN, SHIFT = 0.35, 0.12  # how far a wiggle goes: an angle [rad], a length in sizes of the model
STEPS = 12  # from the middle of a wiggle to its end
CLOSED = 1e-9  # of the size of the model: a gap that is rounding
MOST_CORRECTIONS = 20
PLACES = {
    2: ("x", "y", "angle"),
    3: ("x", "y", "z", "turn about x", "turn about y", "turn about z"),
}


class FreeMotion(NamedTuple):
    """One way to move: a coordinate changes at unit rate while the other named ones rest."""

    id: Id  # of the joint or body whose coordinate it is
    name: str  # of the coordinate
    label: str  # both, as the user knows them
    v: np.ndarray  # velocities of all bodies
    reach: float  # how far a wiggle takes the coordinate      [m, rad]


class Left(NamedTuple):
    """What is free and what is constrained twice without one element."""

    id: Id
    dof: int
    redundant: int


def free_motions(compiled: Compiled, q: np.ndarray) -> tuple[FreeMotion, ...]:
    """All free motions at a pose, each named after a coordinate."""
    N = _null_space(compiled, q)
    if not N.shape[1]:
        return ()
    C, names = _coordinates(compiled, q)
    seen = C @ N
    scale = np.maximum(np.abs(seen).max(axis=1, keepdims=True), 1e-300)
    chosen: list[int] = []
    for k in range(len(seen)):
        if np.abs(seen[k]).max() > INDEPENDENT and len(chosen) < N.shape[1]:
            rows = seen[[*chosen, k]] / scale[[*chosen, k]]
            if np.linalg.matrix_rank(rows, tol=INDEPENDENT) > len(chosen):
                chosen.append(k)
    motions = N @ np.linalg.inv(seen[chosen])
    return tuple(_motion(compiled, names[k], motions[:, n]) for n, k in enumerate(chosen))


def wiggled(compiled: Compiled, q: np.ndarray, motion: FreeMotion) -> list[np.ndarray]:
    """Poses from one end of a wiggle to the other, with closed joints; shorter where it cannot go on."""
    ways = [_followed(compiled, q, motion, sign) for sign in (-1.0, 1.0)]
    return [*reversed(ways[0]), q.copy(), *ways[1]]


def without_each(compiled: Compiled, q: np.ndarray) -> tuple[Left, ...]:
    """For every element with rows: the degrees of freedom and the redundant rows left without it."""
    D = _unit_rows(compiled, q)
    return tuple(
        Left(id, *_counts(np.delete(D, rows, axis=0))) for id, rows in compiled.rows_of.items()
    )


def smallest_circuit(compiled: Compiled, q: np.ndarray, ids: Iterable[Id]) -> tuple[Id, ...]:
    """The fewest elements, among these, that together constrain something twice.

    From the whole set one element after the other is left out as long as the rest is still dependent; every
    element is tried as the first to go, since the result depends on the order.
    """
    D, known = _unit_rows(compiled, q), [id for id in ids if id in compiled.rows_of]

    def is_dependent(some: Sequence[Id]) -> bool:
        rows = np.concatenate([compiled.rows_of[id] for id in some]).astype(int)
        return bool(some) and _counts(D[rows])[1] > 0

    if not known or not is_dependent(known):
        return ()
    best = tuple(known)
    for first in known:
        left = list(known)
        for id in [first, *(other for other in known if other != first)]:
            fewer = [other for other in left if other != id]
            if fewer and is_dependent(fewer):
                left = fewer
        if len(left) < len(best):
            best = tuple(left)
    return best


def _motion(compiled: Compiled, name: tuple[Id, str, bool], v: np.ndarray) -> FreeMotion:
    id, coordinate, is_angle = name
    reach = TURN if is_angle else SHIFT * compiled.length
    label = say(
        "{coordinate} of '{element}'",
        coordinate=coordinate.replace("_", " "),
        element=compiled.resolved[id].label,
    )
    return FreeMotion(id, coordinate, label, v, reach)


def _followed(
    compiled: Compiled, q: np.ndarray, motion: FreeMotion, sign: float
) -> list[np.ndarray]:
    """Poses along a motion in one direction: a step along it as it is there, then closed again."""
    found, pose, v = list[np.ndarray](), q.copy(), motion.v
    for _ in range(STEPS):
        pose = _moved(compiled, pose, sign * motion.reach / STEPS * v)
        try:
            pose = _closed(compiled, pose)
            again = {(m.id, m.name): m for m in free_motions(compiled, pose)}
        except EngineError:
            break
        if (motion.id, motion.name) not in again:
            break  # a dead centre: the coordinate no longer names a motion
        found.append(pose)
        v = again[motion.id, motion.name].v
        if np.abs(v).max() > 10.0 * np.abs(motion.v).max():
            break  # it comes near one
    return found


def _closed(compiled: Compiled, q: np.ndarray) -> np.ndarray:
    """The nearest pose that closes the joints, by Newton."""
    ws, W = workspace(compiled.system), inverse_mass(compiled)
    ws.angle[:] = compiled.system.terms["drawn"]
    for _ in range(MOST_CORRECTIONS):
        fill(compiled, ws, 0.0, q, np.zeros(compiled.layout.n_v))
        if np.abs(ws.Phi).max(initial=0.0) <= CLOSED * compiled.length:
            return q
        DW = dense_D(compiled, ws) @ W
        left = np.linalg.lstsq(DW @ dense_D(compiled, ws).T, ws.Phi, rcond=1e-10)[0]
        q = _moved(compiled, q, -DW.T @ left)
    raise EngineError("The joints cannot be closed there.")


def _moved(compiled: Compiled, q: np.ndarray, delta: np.ndarray) -> np.ndarray:
    """A pose after a small displacement."""
    moved = q.copy()
    system = compiled.system
    dynamics.move(system.dim, system.bodies, moved, delta, np.zeros_like(q))
    return moved


def _rows(compiled: Compiled, q: np.ndarray) -> np.ndarray:
    ws = workspace(compiled.system)
    fill(compiled, ws, 0.0, q, np.zeros(compiled.layout.n_v))
    return dense_D(compiled, ws)


def _unit_rows(compiled: Compiled, q: np.ndarray) -> np.ndarray:
    """D over what can move, in the metric of W, with rows of unit length."""
    free = movable(compiled)
    root = np.linalg.cholesky(inverse_mass(compiled)[np.ix_(free, free)])
    D = _rows(compiled, q)[:, free] @ root
    lengths = np.linalg.norm(D, axis=1)
    return D / np.where(lengths > 0.0, lengths, 1.0)[:, None]


def _counts(D: np.ndarray) -> tuple[int, int]:
    """Degrees of freedom and redundant rows of unit rows."""
    rank = int(np.linalg.matrix_rank(D, tol=RANK * max(D.shape))) if len(D) else 0
    return D.shape[1] - rank, len(D) - rank


def _null_space(compiled: Compiled, q: np.ndarray) -> np.ndarray:
    """What the joints let move, as velocities of all bodies, (n_v, dof)."""
    free = movable(compiled)
    root = np.linalg.cholesky(inverse_mass(compiled)[np.ix_(free, free)])
    A = _unit_rows(compiled, q)
    N = null_space(A, rcond=RANK * max(A.shape)) if len(A) else np.eye(int(free.sum()))
    motions = np.zeros((len(free), N.shape[1]))
    motions[free] = root @ N
    return motions


def _coordinates(
    compiled: Compiled, q: np.ndarray
) -> tuple[np.ndarray, list[tuple[Id, str, bool]]]:
    """Gradients of the coordinates of joints, then of places of bodies; with owner, name and kind."""
    terms = list(compiled.coordinates.values())
    kinds = compiled.system.terms["kind"]
    names = [
        (id, name, bool(kinds[term] in (ANGLE, DIRECTION)))
        for (id, name), term in compiled.coordinates.items()
    ]
    layout = compiled.layout
    rows = [coordinate_rows(compiled, q, terms)] if terms else []
    own = np.eye(layout.n_v)
    for k, id in enumerate(compiled.body_ids):
        at = layout.v(k)
        places = PLACES[layout.dim]
        rows.append(own[at][: len(places)])
        names += [(id, name, n >= layout.dim) for n, name in enumerate(places)]
    return np.concatenate(rows), names
