"""Values that an assembly keeps: places and angles of bodies, and coordinates of joints.

Each is a condition h(q) = 0 with its Jacobian A over v:

    place of a body        h = r - r_typed                  A = the rows of its origin
    angle, orientation     h = phi - phi_typed, or the turn between both in body axes; A = 1
    coordinate of a joint  h = g - g_typed                  A = the gradient of g
"""

from collections.abc import Iterator, Sequence
from math import pi
from typing import NamedTuple

import numpy as np

from engine.compiling.system import Compiled
from engine.errors import say
from engine.kinematics.evaluate import coordinate_rows
from engine.kinematics.poses import body_frames, point_rows, unit_quaternion
from engine.kinematics.speeds import Unkept
from engine.model.bodies import Particle
from engine.model.elements import Id
from rotations import axis_angle, quaternion

KEPT = 1e-6  # of the size of the drawing, or a turn of it: a value this near is kept
TURN = 4.0  # rad: counts as much as the size of the drawing
START = "_start"  # ends the name of a field with the value of a coordinate at the start
TYPED = "_typed"  # ends the name of a field that marks another one as typed


class Hold(NamedTuple):
    """A value that is to hold."""

    id: Id  # of the body or the joint
    field: str
    value: np.ndarray  # [m, rad], or a quaternion
    at: int  # the index of the body, or of the term of the coordinate


def typed(compiled: Compiled) -> list[Hold]:
    """What was typed of the pose: marked places and angles, and start values of joints."""
    return [*_marked(compiled), *_started(compiled)]


def whole_bodies(compiled: Compiled, ids: Sequence[Id]) -> list[Hold]:
    """The places and angles of bodies as they are drawn."""
    found = []
    for id in ids:
        if id in compiled.body_ids:
            body = compiled.resolved[id]
            names = ("position", *(() if isinstance(body, Particle) else (turn_field(compiled),)))
            found += [drawn(compiled, id, name) for name in names]
    return found


def turn_field(compiled: Compiled) -> str:
    """The field of a body that says how it is turned."""
    return "angle" if compiled.system.dim == 2 else "orientation"


def left_of(
    compiled: Compiled, holds: Sequence[Hold], q: np.ndarray, values: np.ndarray
) -> np.ndarray:
    """h in a pose, in which the coordinates of joints have these values."""
    frames, found = body_frames(compiled, q), []
    for hold in holds:
        if hold.field == "position":
            found.append(frames.r[hold.at, : compiled.system.dim] - hold.value)
        elif hold.field == "angle" and compiled.system.dim == 2 and hold.id in compiled.body_ids:
            found.append(q[compiled.layout.orientation(hold.at)] - hold.value)
        elif hold.field == "orientation":
            now = unit_quaternion(compiled, hold.at, q)
            turn = quaternion.product(quaternion.conjugate(hold.value), now)
            found.append(axis_angle.logarithm_quaternion(turn))
        else:
            found.append(_coordinate_left(compiled, hold, values))
    return np.concatenate(found) if found else np.zeros(0)


def _coordinate_left(compiled: Compiled, hold: Hold, values: np.ndarray) -> np.ndarray:
    """How far a coordinate of a joint is from its value; in space angles count by the nearer way."""
    left = values[[hold.at]] - hold.value
    joint, name = compiled.resolved[hold.id], hold.field.removesuffix(START)
    if compiled.system.dim == 3 and joint.coordinates(compiled.resolved)[name].is_angle:
        left = (left + pi) % (2.0 * pi) - pi
    return left


def rows_of(compiled: Compiled, holds: Sequence[Hold], q: np.ndarray) -> np.ndarray:
    """A in a pose."""
    turns, found = np.eye(compiled.layout.n_v), []
    for hold in holds:
        if hold.field == "position":
            found.append(point_rows(compiled, q, hold.at, -compiled.center[hold.at]))
        elif hold.field in ("angle", "orientation"):
            found.append(turns[compiled.layout.spin(hold.at)])
        else:
            found.append(coordinate_rows(compiled, q, [hold.at]))
    return np.concatenate(found) if found else np.zeros((0, compiled.layout.n_v))


def scales_of(compiled: Compiled, holds: Sequence[Hold]) -> np.ndarray:
    """What counts as much as the size of the drawing in each row: itself, or most of a turn."""
    rows = [len(hold.value) - (hold.field == "orientation") for hold in holds]
    scale = [compiled.length if _is_length(compiled, hold) else TURN for hold in holds]
    return np.repeat(scale, rows) if holds else np.zeros(0)


def unkept(
    compiled: Compiled, holds: Sequence[Hold], q: np.ndarray, values: np.ndarray
) -> Iterator[tuple[Hold, Unkept]]:
    """The values that a pose does not keep, with sentences."""
    for hold in holds:
        left = left_of(compiled, (hold,), q, values)
        if np.abs(left).max() <= KEPT * (compiled.length if _is_length(compiled, hold) else 1.0):
            continue
        now = hold.value + left if len(left) == len(hold.value) else hold.value
        yield hold, Unkept(hold.id, hold.field, hold.value, now, _sentence(compiled, hold, left))


def _sentence(compiled: Compiled, hold: Hold, left: np.ndarray) -> str:
    """What could not be kept, and what to do."""
    label = compiled.resolved[hold.id].label
    if hold.field == "orientation":
        return say(
            "The orientation of '{label}' cannot be kept: the joints and the other typed values turn "
            "it by {angle:.4g} degrees. Change it, or drag the body to set it free.",
            label=label,
            angle=float(np.degrees(np.linalg.norm(left))),
        )
    is_length = _is_length(compiled, hold)
    factor, unit = (1.0, "m") if is_length else (180.0 / pi, "degrees")
    what = hold.field.removesuffix(START).replace("_", " ")
    return say(
        "The {what} of '{label}' cannot be kept: {typed} {unit} was typed, but the joints and the "
        "other typed values allow only {now} {unit}. Change it, or one of the others.",
        what=what,
        label=label,
        typed=_shown(hold.value * factor),
        now=_shown((hold.value + left) * factor),
        unit=unit,
    )


def _is_length(compiled: Compiled, hold: Hold) -> bool:
    """Whether a value is measured in metres."""
    if hold.field in ("position", "angle", "orientation"):
        return hold.field == "position"
    coordinates = compiled.resolved[hold.id].coordinates(compiled.resolved)
    return not coordinates[hold.field.removesuffix(START)].is_angle


def _marked(compiled: Compiled) -> Iterator[Hold]:
    """The places and angles of bodies that are marked as typed."""
    for id in compiled.body_ids:
        for name in ("position", turn_field(compiled)):
            if getattr(compiled.resolved[id], f"{name}{TYPED}", False):
                yield drawn(compiled, id, name)


def _started(compiled: Compiled) -> Iterator[Hold]:
    """The values of coordinates of joints at the start."""
    for (joint, name), term in compiled.coordinates.items():
        value = getattr(compiled.resolved[joint], f"{name}{START}", None)
        if value is not None:
            yield Hold(joint, f"{name}{START}", np.array([value], dtype=float), term)


def drawn(compiled: Compiled, id: Id, name: str) -> Hold:
    """The place or the angle of a body as it is drawn."""
    value = np.atleast_1d(np.array(getattr(compiled.resolved[id], name), dtype=float))
    if name == "orientation":
        value = quaternion.normalise(value)
    return Hold(id, name, value, compiled.body_ids.index(id))


def _shown(value: np.ndarray) -> str:
    """Numbers for people."""
    numbers = [f"{x:.4g}" if abs(x) > 1e-9 else "0" for x in value]
    return numbers[0] if len(numbers) == 1 else f"({', '.join(numbers)})"
