"""From a rough drawing to a consistent start: close the joints with the least motion.

    minimise  |q - q_drawn|_M    subject to  Phi(q, t) = 0

by Newton steps on the nearest point: with e = q_drawn - q,

    dq = e - W D^T S^-1 (Phi + D e)          S = D W D^T

and then the velocities of engine.kinematics.speeds. S is inverted in the sense of least squares, so
redundant joints and singular poses are ordinary. Only rows that hold at a level are closed at that level: a
knife edge never moves the drawing.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from engine.compiling.geometry import Geometry
from engine.compiling.system import Compiled, workspace
from engine.errors import EngineError, say
from engine.kernels import dynamics
from engine.kernels.layout import ANGLE, DOT, POINT, POSITION, Workspace
from engine.kinematics.evaluate import dense_D, fill, inverse_mass
from engine.kinematics.speeds import Unkept, start_speeds
from engine.model.attachments import markers_of
from engine.model.joints.freedom import freedom
from rotations import SEQUENCES, axis_angle, convert, quaternion

MAX_ITERATIONS = 60
MAX_TURN = 0.5  # [rad] largest rotation in one iteration: keeps the branch
MAX_SHIFT = 0.3  # of the size of the drawing
SMALLEST_STEP = 1e-4
TIGHT = 1e-13  # of the size of the drawing: rounding
CAUTION = 3.0  # times the residual: how short a row may be to count as dependent
UNTURNED = np.array([1.0, 0.0, 0.0, 0.0])
FAR = 1e3  # times the size of the drawing: a residual this large is hopeless
IN_VAIN = 4  # steps of Newton in a row that do not halve the residual
CLOSED = 1e-9  # of the size of the drawing: a residual this small counts as closed


class Start(NamedTuple):
    """A consistent state."""

    q: np.ndarray
    v: np.ndarray
    drawn_gap: float  # largest |Phi| of the drawing                      [m, rad]
    gap: float  # largest |Phi| now
    moved: float  # largest change of a coordinate of the drawing
    unkept: tuple[Unkept, ...] = ()  # velocities that were typed and contradict the joints


def assemble(
    compiled: Compiled,
    t: float = 0.0,
    q: np.ndarray | None = None,
    patience: int = MAX_ITERATIONS,
) -> Start:
    """The consistent state nearest to the drawing, or to another pose that is given.

    EngineError names the joint that stays open.
    """
    ws = workspace(compiled.system)
    q, drawn_gap, gap = _close(compiled, ws, t, compiled.q0 if q is None else q, patience)
    _refuse_turned_axes(compiled, q)
    speeds = start_speeds(compiled, t, q)
    moved = float(np.abs(difference(compiled, q, compiled.q0)).max(initial=0.0))
    return Start(q, speeds.v, drawn_gap, gap, moved, speeds.unkept)


def gap_sentence(compiled: Compiled, Phi: np.ndarray) -> tuple[str, str]:
    """Where the largest gap is, in words, and the id of that element."""
    worst = int(np.abs(Phi).argmax())
    id = compiled.row_ids[worst]
    element = compiled.resolved[id]
    rows = compiled.rows_of[id]
    first = element.rows(compiled.resolved)[0]
    dim = compiled.system.dim
    if first.terms[0][1].kind == POINT and worst in rows[:dim]:
        size, turn = float(np.linalg.norm(Phi[rows[:dim]])), False
    else:
        kinds = compiled.system.terms["kind"]
        used = compiled.system.uses["term"][compiled.system.uses["row"] == worst]
        size, turn = float(abs(Phi[worst])), bool(np.isin(kinds[used], (ANGLE, DOT)).all())
    apart = say("{angle:.3g} degrees", angle=np.degrees(size)) if turn else _metric(size)
    return say("{joint} is {apart} apart", joint=joint_words(compiled, id), apart=apart), id


def joint_words(compiled: Compiled, id: str) -> str:
    """A joint or motion with its name and its bodies, in words."""
    element = compiled.resolved[id]
    return say(
        "{family} '{element}'{between}",
        family=element.family,
        element=element.label,
        between=_between(compiled, element),
    )


def _between(compiled: Compiled, element: Any) -> str:
    """The bodies that a joint connects, in brackets; nothing for an element without markers of its own."""
    model = compiled.resolved
    markers = markers_of(element)
    if len(markers) != 2:
        return ""
    bodies = [model[marker].body for marker in markers]
    return " ({} - {})".format(*(model[b].label if b in model else b for b in bodies))


def _metric(size: float) -> str:
    """A gap as text."""
    return f"{size * 1e3:.3g} mm" if size < 1.0 else f"{size:.3g} m"


def _close(
    compiled: Compiled, ws: Workspace, t: float, q_drawn: np.ndarray, patience: int
) -> tuple[np.ndarray, float, float]:
    """The nearest q with Phi = 0, the residual of the drawing and the one left."""
    size = compiled.length
    Phi, _ = _constraints(compiled, ws, t, q_drawn)
    drawn_gap = float(np.abs(Phi).max(initial=0.0))
    if drawn_gap <= TIGHT * size:
        return q_drawn.copy(), drawn_gap, drawn_gap
    q, gap = _iterate(compiled, ws, t, q_drawn, q_drawn, patience)
    if (
        not gap <= TIGHT * size
    ):  # near a singular pose only plain Newton steps, without the term of the drawing, converge
        again = _iterate(compiled, ws, t, q, None, patience)
        q, gap = min((q, gap), again, key=lambda found: found[1])
    if not gap <= CLOSED * size:
        Phi, _ = _constraints(compiled, ws, t, q)
        where, id = gap_sentence(compiled, Phi)
        raise EngineError(
            "The mechanism cannot be assembled: {where} after {patience} iterations. Move the "
            "bodies closer together, or change a length so that the joint can close.",
            id,
            where=where,
            patience=patience,
        )
    return q, drawn_gap, gap


def _refuse_turned_axes(compiled: Compiled, q: np.ndarray) -> None:
    """Raise for a joint in space that closed with an axis of j opposite, or normal, to that of i.

    The rows of a joint only see right angles: z_i.x_j = z_i.y_j = 0 also holds where z_j is reversed, and
    those of a weld hold where axes are permuted. From a drawing that is turned too far, such a pose may be
    nearer than the intended one.
    """
    geometry = Geometry(compiled.resolved)
    for joint in compiled.resolved.of("joint") if compiled.system.dim == 3 else ():
        aligned = freedom(joint, 3).aligned
        if not aligned:
            continue
        axes = []
        for marker in (joint.marker_i, joint.marker_j):
            k, _, own = geometry.marker(marker)
            moving = k < compiled.system.n_bodies
            unit = _unit_quaternion(compiled, k, q) if moving else UNTURNED
            axes.append(quaternion.matrix(unit) @ own)
        if any(axes[0][:, axis] @ axes[1][:, axis] < 0.5 for axis in aligned):
            raise EngineError(
                "The mechanism cannot be assembled: {kind} '{joint}' is drawn with its "
                "bodies turned too far from where they belong. Turn one of them nearer.",
                joint.id,
                kind=joint.kind,
                joint=joint.label,
            )


def _iterate(
    compiled: Compiled,
    ws: Workspace,
    t: float,
    q: np.ndarray,
    q_drawn: np.ndarray | None,
    patience: int,
) -> tuple[np.ndarray, float]:
    """Newton steps from q towards Phi = 0, and towards the drawing if one is given; the best found.

    While joints are open, redundant rows disagree by about the residual squared and are independent by
    about the residual: following them would not converge. Directions weaker than `caution` times the
    residual are therefore left out, until a lack of progress shows that they matter.
    """
    size, caution = compiled.length, CAUTION
    held = compiled.system.rows["level"] == POSITION
    W = inverse_mass(compiled)
    Phi, D = _constraints(compiled, ws, t, q)
    gap = float(np.abs(Phi).max(initial=0.0))
    best = (q, gap)
    for _ in range(patience):
        e = np.zeros_like(compiled.v0) if q_drawn is None else difference(compiled, q_drawn, q)
        weakest = min(caution * gap / size, 0.1)
        dq = e - W @ D[held].T @ _solve(D[held], W, Phi[held] + D[held] @ e, weakest)
        if gap <= TIGHT * size and np.abs(dq).max(initial=0.0) <= 1e-10 * size:
            break
        q, Phi, D, trial_gap = _search(compiled, ws, t, q, dq, gap)
        if not trial_gap <= 0.5 * gap:
            caution *= 0.1
        gap = trial_gap
        if gap < best[1]:
            best = (q, gap)
        elif best[1] <= TIGHT * size:
            break
    return best


def close_from(
    compiled: Compiled,
    ws: Workspace,
    t: float,
    q: np.ndarray,
    given: Sequence[tuple[int, int, float]] = (),
    patience: int = 24,
) -> np.ndarray | None:
    """A pose near q whose joints are closed, by a few plain Newton steps; None if they do not close.

    `given` are rows that start at a later level, the coordinate of each and the value it shall have.
    """
    held = compiled.system.rows["level"] == POSITION
    held[[row for row, _, _ in given]] = True
    W, size = inverse_mass(compiled), compiled.length
    best, in_vain = np.inf, 0
    for _ in range(patience):
        values, _ = fill(compiled, ws, t, q, np.zeros_like(compiled.v0))
        Phi, D = ws.Phi.copy(), dense_D(compiled, ws)
        for row, term, value in given:
            Phi[row] = values[term] - value
        gap = float(np.abs(Phi).max(initial=0.0))
        best, in_vain = (gap, 0) if gap < 0.5 * best else (best, in_vain + 1)
        if not CLOSED * size < gap < FAR * size or in_vain > IN_VAIN:
            break
        weakest = min(CAUTION * gap / size, 0.1)
        dq = -W @ D[held].T @ _solve(D[held], W, Phi[held], weakest)
        q = q.copy()
        dynamics.move(
            compiled.system.dim,
            compiled.system.bodies,
            q,
            _damped(compiled, dq) * dq,
            np.zeros_like(q),
        )
    return q if gap <= CLOSED * size and np.isfinite(q).all() else None


def _search(
    compiled: Compiled, ws: Workspace, t: float, q: np.ndarray, dq: np.ndarray, gap: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """The first of ever shorter steps along dq that reduces the residual: q, Phi, D and the residual."""
    step = _damped(compiled, dq)
    while True:
        trial = q.copy()
        dynamics.move(
            compiled.system.dim, compiled.system.bodies, trial, step * dq, np.zeros_like(q)
        )
        Phi, D = _constraints(compiled, ws, t, trial)
        trial_gap = float(np.abs(Phi).max(initial=0.0))
        if trial_gap <= max(0.999 * gap, 10 * TIGHT * compiled.length) or step < SMALLEST_STEP:
            return trial, Phi, D, trial_gap
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


def _constraints(
    compiled: Compiled, ws: Workspace, t: float, q: np.ndarray, v: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Phi and dense D at (t, q, v)."""
    v = np.zeros_like(compiled.v0) if v is None else v
    fill(compiled, ws, t, q, v)
    return ws.Phi.copy(), dense_D(compiled, ws)


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
        a, b = _unit_quaternion(compiled, k, q_from), _unit_quaternion(compiled, k, q_to)
        turn = quaternion.product(quaternion.conjugate(a), b)
        out[layout.spin(k)] = axis_angle.logarithm_quaternion(turn)
    return out


def _unit_quaternion(compiled: Compiled, k: int, q: np.ndarray) -> np.ndarray:
    """The orientation of body k in a row of q as a quaternion, for any parameters."""
    code = int(compiled.system.bodies["orientation"][k])
    if code < 0:
        return quaternion.normalise(q[compiled.layout.orientation(k)])
    return convert(q[compiled.layout.angles(k)], SEQUENCES[code], "quaternion")
