"""Turning chosen parts of a spatial model, and putting bodies upright or on the ground plane.

A turn by the rotation Q about a point P carries places r to P + Q (r - P), axes R to Q R and velocities
u to Q u. Angular velocities are kept in body axes and stay as they are.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations, product
from typing import Any

import numpy as np

from engine.editing.edits.arranging import (
    acted_on,
    closed_or_refused,
    is_along_world_axes,
    part,
    refuse_table,
    translated,
)
from engine.editing.edits.numbers import plus_product, refuse_expression
from engine.editing.edits.placing import Point3, floats, label, space_frame
from engine.editing.edits.space.solids import box_middle, extent3, shape_of
from engine.errors import say
from engine.model.elements import Id, Model, put
from engine.model.fields import Number
from rotations import axis_angle, quaternion


def turned(
    model: Model, ids: Sequence[Id], axis: Point3, angle: float, about: Point3 | None = None
) -> Model:
    """The chosen parts turned about an axis, through the middle of them all unless a point is given."""
    return turned_by(model, ids, axis_angle.matrix(np.array(axis, dtype=float), angle), about)


def turned_by(model: Model, ids: Sequence[Id], Q: Any, about: Point3 | None = None) -> Model:
    """The chosen parts turned by a rotation matrix about a point."""
    bodies, anchors = part(model, ids)
    Q = np.asarray(Q, dtype=float)
    P = np.array(middle_of(model, [b.id for b in bodies]) if about is None else about)
    unit = quaternion.from_matrix(Q)
    changed: list[Any] = []
    for e in (*bodies, *anchors):
        axes = getattr(e, "orientation", ())
        refuse_expression(axes, say("orientation of '{element}'", element=label(model, e.id)), e.id)
        fields: dict[str, Any] = {"position": _image(Q, e.position, P - Q @ P)}
        if hasattr(e, "orientation"):
            own = quaternion.product(unit, np.array(e.orientation, dtype=float))
            fields["orientation"] = floats(quaternion.normalise(own))
        if any(getattr(e, "velocity", None) or ()):
            fields["velocity"] = _image(Q, e.velocity)
        changed.append(replace(e, **fields))
    inside = {b.id for b in bodies}
    for e in model.of("force"):
        if is_along_world_axes(e):
            if model[acted_on(e)].body in inside:
                changed.append(_turned_load(e, Q))
    return closed_or_refused(model, put(model, *changed), bodies)


def middle_of(model: Model, bodies: Sequence[Id]) -> Point3:
    """The middle of the box around bodies as drawn."""
    boxes = np.array([extent3(model, id) for id in bodies])
    return floats((boxes[:, 0].min(axis=0) + boxes[:, 1].max(axis=0)) / 2)


def along_world_axes(model: Model, body: Id) -> Model:
    """A body turned, about its middle, by the smallest rotation that aligns its axes with the world."""
    frame = space_frame(model, body)
    best = max(_axis_frames(), key=lambda R: float(np.trace(R.T @ frame.R)))
    return turned_by(model, [body], best @ frame.R.T, _middle(model, body))


def on_ground_plane(model: Model, ids: Sequence[Id]) -> Model:
    """The chosen parts moved up or down until the lowest point of them all is at z = 0."""
    bodies, _ = part(model, ids)
    lowest = min(extent3(model, body.id)[0][2] for body in bodies)
    return translated(model, ids, (0.0, 0.0, -lowest)) if lowest else model


def _middle(model: Model, body: Id) -> Point3:
    """The middle of the shape of a body, or its origin."""
    return space_frame(model, body).to_world(box_middle(shape_of(model, body)))


def _axis_frames() -> list[np.ndarray]:
    """The 24 frames whose axes are axes of the world."""
    found = []
    for order, signs in product(permutations(range(3)), product((1.0, -1.0), repeat=3)):
        R = np.zeros((3, 3))
        R[list(order), range(3)] = signs
        if np.linalg.det(R) > 0.0:
            found.append(R)
    return found


def _turned_load(load: Any, Q: np.ndarray) -> Any:
    """A force or torque in world axes, turned."""
    refuse_table(load)
    changes: dict[str, Any] = {}
    for names in (load.vector, load.axial):
        old = [getattr(load, name) for name in names]
        changes |= dict(zip(names, _image(Q, old))) if names else {}
    return replace(load, **changes)


def _image(
    Q: np.ndarray, vector: Sequence[Any], shift: Any = (0.0, 0.0, 0.0)
) -> tuple[Number, ...]:
    """shift + Q vector; entries that are expressions, and results that contain them, stay expressions."""
    if not any(isinstance(entry, str) for entry in vector):
        return floats(np.asarray(shift) + Q @ np.array(vector, dtype=float))
    image: list[Number] = []
    for row, start in zip(Q, shift):
        total: Number = float(start)
        for factor, entry in zip(row, vector):
            total = plus_product(total, float(factor), entry)
        image.append(total)
    return tuple(image)
