"""Slots in bars: they lie on the axis of the bar, and the mechanism closes on them.

A pin that is drawn beside the axis of a bar, but within what is seen of it, is meant to be on the axis: the
slot is put there and the bodies move by the least amount. Where they cannot, the slot stays under the pin.
"""

from math import cos, sin

from engine.editing.edits.connecting import Pair, joint, natural_angle
from engine.editing.edits.placing import body_frame
from engine.editing.edits.sizing import point_placed
from engine.model.elements import GROUND, Id, Model
from engine.model.shapes import Rod

LEAST = 1e-9  # m: nearer to the axis nothing is moved


def beside_axis(model: Model, body: Id, at: tuple[float, ...]) -> float | None:
    """How far a place lies beside the axis of a bar, to its left [m]; None if the body is no bar."""
    if body == GROUND or not isinstance(getattr(model[body], "shape", None), Rod):
        return None
    frame = body_frame(model, body)
    x, y = at[0] - frame.x, at[1] - frame.y
    return y * cos(frame.angle) - x * sin(frame.angle)


def slot_on_axis(
    model: Model, kind: str, pair: Pair, at: tuple[float, ...]
) -> tuple[Model, Id] | None:
    """A joint that slides along the axis of bar i, with the bodies moved onto it; None if they cannot."""
    beside = beside_axis(model, pair.body_i, at)
    made, id = joint(model, kind, pair, at, natural_angle(model, pair))
    if beside is None or abs(beside) <= LEAST:
        return made, id
    slot = made[id].marker_i
    closed = point_placed(made, slot, (made[slot].position[0], 0.0))
    return (closed.model, id) if closed.is_closed else None
