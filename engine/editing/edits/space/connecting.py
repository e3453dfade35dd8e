"""Joints in space that need more than a point and an axis, and what can be done to joints there.

Every function that makes something returns the new model and the id of what it made.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from engine.editing.edits.connecting import KINDS, Pair
from engine.editing.edits.on_joints import open_joints
from engine.editing.edits.placing import (
    CLOSED,
    Point3,
    SpaceFrame,
    built,
    element,
    floats,
    label,
    size,
    space_frame,
    space_marker,
)
from engine.editing.edits.space.solids import refuse_no_wheel, shaft_of, shape_of
from engine.editing.ties import with_points_tied
from engine.errors import EngineError
from engine.model.attachments import markers_of, reads_axes
from engine.model.elements import Id, Model, put
from engine.model.joints.freedom import freedom
from rotations import axis_angle
from rotations.vector import frame_from_axis

FLAT = 1e-6  # a disc that leans less than this from its plane cannot roll on it


def on_shafts(model: Model, kind: str, pair: Pair, at: Point3, axis: Point3) -> tuple[Model, Id]:
    """A joint of two shafts: each lies along its rod or cylinder, else along the axis."""
    shafts = [shaft_of(model, body) for body in pair]
    first = shafts[0] or shafts[1] or axis
    second = shafts[1] or first
    if np.dot(first, second) < 0.0:
        second = floats(-np.array(second))
    return built(model, lambda m: m.on_shafts(KINDS[kind], *pair, at, first, second))


def wheel_contact(model: Model, wheel: Id, normal: Point3) -> Point3:
    """Where a wheel touches the plane below it that has this normal."""
    refuse_no_wheel(model, wheel)
    frame, radius = space_frame(model, wheel), shape_of(model, wheel).radius
    axle, n = frame.R[:, 2], np.array(normal, dtype=float)
    down = -(n - axle * (axle @ n))
    away = float(np.linalg.norm(down))
    if not away > FLAT:
        raise EngineError(
            "'{wheel}' lies flat on this plane; turn it upright before it rolls.",
            wheel,
            wheel=label(model, wheel),
        )
    return floats(frame.r + radius * down / away)


def rolling_wheel(
    model: Model, body: Id, wheel: Id, normal: Point3 = (0.0, 0.0, 1.0)
) -> tuple[Model, Id]:
    """A cylinder that rolls, without slipping, on the plane of a body that touches it from below."""
    on = wheel_contact(model, wheel, normal)
    frame = space_frame(model, wheel)
    radius, axle = shape_of(model, wheel).radius, frame.R[:, 2]
    return built(
        model,
        lambda m: m.rolling_disc(
            body, wheel, on, frame.r, radius=radius, axis=normal, axle=floats(axle)
        ),
    )


def joint_frame(model: Model, joint: Id) -> SpaceFrame:
    """Place and axes of a joint as drawn: those of its first marker at the point of its second."""
    ends = _ends(model, joint)
    first, second = (space_marker(model, marker) for marker in ends)
    return SpaceFrame(second.r, first.R)


def axis_along(model: Model, joint: Id, axis: Point3) -> Model:
    """A joint whose axis has another direction; its bodies stay where they are."""
    old, new = joint_frame(model, joint).R, np.array(axis, dtype=float)
    new = new / np.linalg.norm(new)
    z = old[:, 2]
    if z @ new < -1.0 + 1e-12:
        turn = axis_angle.matrix(old[:, 0], np.pi)
    else:  # the shortest turn from z to the new axis, seen in the frame with this z
        own = frame_from_axis(z)
        turn = own @ frame_from_axis(own.T @ new) @ own.T
    return joint_turned(model, joint, turn)


def axis_flipped(model: Model, joint: Id) -> Model:
    """A joint with its axis reversed: its coordinates change their sign."""
    x = joint_frame(model, joint).R[:, 0]
    return joint_turned(model, joint, axis_angle.matrix(x, np.pi))


def joint_turned(model: Model, joint: Id, turn: Any) -> Model:
    """A joint with its axes turned in the world, about its own point; its bodies stay."""
    free = freedom(model[joint], 3)
    if free.is_apart:
        what = model[joint].kind.replace("_", " ")
        raise EngineError(
            "'{joint}' is a {what}, whose direction follows from its bodies.",
            joint,
            joint=label(model, joint),
            what=what,
        )
    i, j = _ends(model, joint)
    at = space_marker(model, j).r
    for marker in (i, j):
        frame = space_marker(model, marker)
        place = at if free.guides else frame.r
        model = _glued(model, marker, SpaceFrame(place, np.asarray(turn) @ frame.R))
    return model


def joint_shifted(model: Model, joint: Id, shift: Point3) -> Model:
    """A joint moved on both its bodies, which stay where they are."""
    for marker in _ends(model, joint):
        model = marker_shifted(model, marker, shift)
    return model


def marker_shifted(model: Model, marker: Id, shift: Point3) -> Model:
    """A marker moved on its body."""
    frame = space_marker(model, marker)
    return _glued(model, marker, SpaceFrame(frame.r + np.array(shift), frame.R))


def bodies_swapped(model: Model, joint: Id) -> Model:
    """A joint with its bodies swapped: coordinates change their sign."""
    i, j = _ends(model, joint)
    after = put(model, replace(model[joint], marker_i=j, marker_j=i))
    one_way = freedom(model[joint], 3).is_apart and any(reads_axes(model[joint], 3))
    if one_way or open_joints(after, [joint], CLOSED * size(model)):
        raise EngineError(
            "'{joint}' would open if its bodies were exchanged; delete it and make it anew.",
            joint,
            joint=label(model, joint),
        )
    return after


def _glued(model: Model, marker: Id, frame: SpaceFrame) -> Model:
    """A marker at a frame of the world, on its own body, tied to its shape where a tie fits."""
    body = space_frame(model, model[marker].body)
    own = SpaceFrame(np.array(body.to_local(frame.r)), body.R.T @ frame.R)
    moved = replace(model[marker], position=own.place, orientation=own.orientation)
    return with_points_tied(put(model, moved), (marker,))


def _ends(model: Model, joint: Id) -> tuple[Id, Id]:
    """The two markers of a joint."""
    ends = markers_of(element(model, joint, "joint"))
    if len(ends) != 2:
        raise EngineError("'{joint}' has no place of its own.", joint, joint=label(model, joint))
    return ends[0], ends[1]
