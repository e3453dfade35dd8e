"""From a rough drawing to a consistent start: close the joints with the least motion.

    minimise  |q - q_drawn|_M    subject to  Phi(q, t) = 0

by engine.kinematics.closing. Places and angles that were typed stay, the rest moves; where they contradict
the joints or each other they change as little as possible, and are named. Then follow the velocities
of engine.kinematics.speeds.
"""

from typing import Any, NamedTuple

import numpy as np

from engine.compiling.gates import all_open
from engine.compiling.geometry import Geometry
from engine.compiling.system import Compiled
from engine.errors import EngineError, Length, say
from engine.kernels.layout import ANGLE, DOT, POINT
from engine.kinematics.closing import (
    CLOSED,
    MAX_ITERATIONS,
    TIGHT,
    Conditions,
    Pose,
    closed,
    closed_in_strides,
    difference,
    nearest,
)
from engine.kinematics.holding import Hold, left_of, typed, unkept
from engine.kinematics.poses import unit_quaternion
from engine.kinematics.speeds import Unkept, start_speeds
from engine.model.attachments import markers_of
from engine.model.elements import Id
from engine.model.joints.freedom import freedom
from engine.model.limits import limits
from rotations import quaternion

NOTHING = Pose(np.zeros(0), np.inf)
UNTURNED = np.array([1.0, 0.0, 0.0, 0.0])


class Start(NamedTuple):
    """A consistent state."""

    q: np.ndarray
    v: np.ndarray
    drawn_gap: float  # largest |Phi| of the drawing                      [m, rad]
    gap: float  # largest |Phi| now
    moved: float  # largest change of a coordinate of the drawing
    unkept: tuple[Unkept, ...] = ()  # what was typed and contradicts the joints


def assemble(
    compiled: Compiled,
    t: float = 0.0,
    q: np.ndarray | None = None,
    patience: int = MAX_ITERATIONS,
) -> Start:
    """The consistent state nearest to the drawing, or to another pose that is given.

    EngineError names the joint that stays open.
    """
    (q, gap), drawn_gap, missed = _close(compiled, t, compiled.q0 if q is None else q, patience)
    refuse_turned_axes(compiled, q)
    speeds = start_speeds(all_open(compiled), t, q)
    moved = float(np.abs(difference(compiled, q, compiled.q0)).max(initial=0.0))
    return Start(q, speeds.v, drawn_gap, gap, moved, (*missed, *speeds.unkept))


class Gap(NamedTuple):
    """A joint that is open."""

    id: Id
    size: float  # the distance of its points, or the largest residual of another row    [m, rad]
    is_angle: bool
    where: str  # "joint 'pin_1' (crank - rod) is 54 mm apart"
    sentence: str


def open_joints(compiled: Compiled, Phi: np.ndarray, tolerance: float) -> tuple[Gap, ...]:
    """The joints and motions with a residual above the tolerance, the widest first."""
    apart = [id for id, rows in compiled.rows_of.items() if np.abs(Phi[rows]).max() > tolerance]
    return tuple(sorted((_gap(compiled, Phi, id) for id in apart), key=lambda gap: -gap.size))


def gap_sentence(compiled: Compiled, Phi: np.ndarray) -> tuple[str, str]:
    """Where the largest gap is, in words, and the id of that element."""
    widest = max((_gap(compiled, Phi, id) for id in compiled.rows_of), key=lambda gap: gap.size)
    return widest.where, widest.id


def _gap(compiled: Compiled, Phi: np.ndarray, id: Id) -> Gap:
    """How far a joint is open: points count by their distance, other rows one by one."""
    rows, dim = compiled.rows_of[id], compiled.system.dim
    first = compiled.resolved[id].rows(compiled.resolved)[0]
    n = dim if first.terms[0][1].kind == POINT else 0
    sizes = [float(np.linalg.norm(Phi[rows[:n]])), *np.abs(Phi[rows[n:]]).tolist()]
    worst = int(np.argmax(sizes))
    uses, kinds = compiled.system.uses, compiled.system.terms["kind"]
    used = uses["term"][uses["row"] == rows[n + worst - 1]]
    is_typed = rows[0] in compiled.system.formulas["row"]
    turns = not is_typed and worst > 0 and bool(np.isin(kinds[used], (ANGLE, DOT)).all())
    angle = float(np.degrees(sizes[worst]))
    apart = say("{angle:.3g} degrees", angle=angle) if turns else Length(sizes[worst])
    where = say("{joint} is {apart} apart", joint=joint_words(compiled, id), apart=apart)
    if is_typed:
        where = say(
            "{joint} is {size:.3g}, not zero", joint=joint_words(compiled, id), size=Phi[rows[0]]
        )
    sentence = say(
        "The drawing is open: {where}. A run begins by closing it with the least motion.",
        where=where,
    )
    return Gap(id, sizes[worst], turns, where, sentence)


def joint_words(compiled: Compiled, id: Id) -> str:
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


def _close(
    compiled: Compiled, t: float, q_drawn: np.ndarray, patience: int
) -> tuple[Pose, float, tuple[Unkept, ...]]:
    """The nearest pose with Phi = 0, the residual of the drawing, and what was typed and is not kept."""
    size, free = compiled.length, Conditions(compiled, t)
    Phi = free.Phi(q_drawn)
    _refuse_impossible(compiled, Phi, t)
    drawn_gap = float(np.abs(Phi).max(initial=0.0))
    holds = typed(compiled) if q_drawn is compiled.q0 else []
    left = np.abs(left_of(compiled, holds, q_drawn, free.values)).max(initial=0.0)
    if max(drawn_gap, left) <= TIGHT * size:
        return Pose(q_drawn.copy(), drawn_gap), drawn_gap, ()
    found = closed_in_strides(Conditions(compiled, t, holds), q_drawn) if holds else NOTHING
    missed: tuple[Unkept, ...] = ()
    if not found.gap <= CLOSED * size:
        found = closed(free, q_drawn, patience)
        if holds and found.gap <= CLOSED * size:
            found, missed = _least_changed(free, found.q, q_drawn, holds)
    if not found.gap <= CLOSED * size:
        is_drawn_open = drawn_gap > CLOSED * size
        where, id = gap_sentence(compiled, free.Phi(q_drawn if is_drawn_open else found.q))
        raise EngineError(
            "The mechanism cannot be assembled: {where}, and no pose that closes it was found. Move "
            "the bodies closer together, or change a length so that the joint can close.",
            id,
            where=where,
        )
    return found, drawn_gap, missed


def _refuse_impossible(compiled: Compiled, Phi: np.ndarray, t: float) -> None:
    """Raise EngineError for a motion whose law gives no number, or one that no pose can reach."""
    most = (
        4.0 * limits("m or rad").most
    )  # two coordinates at their limits, and the turn between them
    for id, rows in compiled.rows_of.items():
        beyond = ~(np.abs(Phi[rows]) <= most)
        if beyond.any():
            size = float(np.abs(Phi[rows][beyond][0]))
            raise EngineError(
                "The mechanism cannot be assembled: {joint} asks for {what} at t = {t:g} s. Change its "
                "formula so that it gives a moderate number there.",
                id,
                joint=joint_words(compiled, id),
                what=say("no number") if np.isnan(size) else say("{size:.3g} m or rad", size=size),
                t=t,
            )


def _least_changed(
    free: Conditions, q: np.ndarray, q_drawn: np.ndarray, holds: list[Hold]
) -> tuple[Pose, tuple[Unkept, ...]]:
    """The pose that changes typed values the least, from one that is closed; those that are not kept."""
    compiled = free.compiled
    found = nearest(free, q, q_drawn, holds)
    lost = {hold[:2] for hold, _ in _missed(free, found.q, holds)}
    kept = [hold for hold in holds if hold[:2] not in lost]
    exact = closed(Conditions(compiled, free.t, kept), found.q)
    found = exact if exact.gap <= CLOSED * compiled.length else found
    return found, tuple(one for _, one in _missed(free, found.q, holds))


def _missed(free: Conditions, q: np.ndarray, holds: list[Hold]) -> list[tuple[Hold, Unkept]]:
    """The values that a pose does not keep."""
    free.C(q)
    return list(unkept(free.compiled, holds, q, free.values))


def refuse_turned_axes(compiled: Compiled, q: np.ndarray) -> None:
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
            unit = unit_quaternion(compiled, k, q) if moving else UNTURNED
            axes.append(quaternion.matrix(unit) @ own)
        if any(axes[0][:, axis] @ axes[1][:, axis] < 0.5 for axis in aligned):
            raise EngineError(
                "The mechanism cannot be assembled: {kind} '{joint}' is drawn with its "
                "bodies turned too far from where they belong. Turn one of them nearer.",
                joint.id,
                kind=joint.kind,
                joint=joint.label,
            )
