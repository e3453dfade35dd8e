"""A size, an angle, a place or a parameter that is typed or dragged: the mechanism follows, joints closed.

Points that are tied to a shape follow its sizes. The body stays at the point that a joint holds on the
ground, else at any joint, else at its middle, and keeps its angle; engine.kinematics.reassembly closes
the joints. What cannot be assembled is kept as it was typed, and the gap is named: `is_closed` is False and
`sentence` says which joint is how far apart.

Every function starts from a model and is one step of undo. While something is dragged, call it with the
model before the drag for each new value, or use `Slide`: then the pose does not depend on the way there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import atan2, cos, dist, sin
from typing import Any

import numpy as np

from engine.editing.builder.drawing import turn_of_x_to
from engine.editing.edits.changing import with_fields
from engine.editing.edits.numbers import in_numbers
from engine.editing.edits.placing import bodies_of, body_frame, is_still, marker_place, space_frame
from engine.editing.edits.points import glued_to
from engine.errors import EngineError, say
from engine.formulas.resolve import resolved
from engine.kinematics.drag_parts import is_placed_by_numbers
from engine.kinematics.reassembly import Reassembly, reassembled
from engine.model.attachments import markers_of
from engine.model.bodies import placed_by_hand
from engine.model.elements import GROUND, Id, Model, Parameter, put
from engine.model.fields import Number, plain
from engine.model.joints.freedom import freedom
from engine.model.shapes import Rod
from rotations import quaternion

SHORTEST = 1e-6  # m: a rod whose end is dragged stays at least this long


def resized(model: Model, body: Id, field: str, value: Number) -> Reassembly:
    """A body with another size of its shape (`field` is "length", "radius", ...), joints closed again.

    The value is a number in SI units or a text: a formula, a parameter, a number with a unit. EngineError
    where it is no valid size; then nothing has changed.
    """
    after = with_fields(model, (body,), {f"shape.{field}": value})
    if after is model:
        return Reassembly(model)
    return reassembled(model, _kept_in_place(model, after, body), (body,))


def turned_to(model: Model, body: Id, angle: Number) -> Reassembly:
    """A planar body at another angle [rad], turned about the point that is held; the others follow."""
    after = with_fields(model, (body,), {"angle": angle, **_mark(model, body, "angle")})
    after = _kept_in_place(model, after, body)
    return reassembled(model, after, (body,), ((body, "angle"),))


def turned_to_orientation(model: Model, body: Id, orientation: Sequence[Number]) -> Reassembly:
    """A body in space with another orientation, about the point that is held; the others follow."""
    changes = {"orientation": list(orientation), **_mark(model, body, "orientation")}
    after = _kept_in_place(model, with_fields(model, (body,), changes), body)
    return reassembled(model, after, (body,), ((body, "orientation"),))


def placed_at(model: Model, body: Id, position: Sequence[Number]) -> Reassembly:
    """A body with its origin at another place; the others follow."""
    changes = {"position": list(position), **_mark(model, body, "position")}
    after = with_fields(model, (body,), changes)
    return reassembled(model, after, (body,), ((body, "position"),))


def point_placed(model: Model, marker: Id, position: Sequence[Number]) -> Reassembly:
    """A point at another place of its body; the body stays as in `resized`, the others follow."""
    after = with_fields(model, (marker,), {"position": list(position)})
    body = model[marker].body
    if body == GROUND:
        return reassembled(model, after)
    return reassembled(model, _kept_in_place(model, after, body), (body,))


def assembled(model: Model, before: Model | None = None) -> Reassembly:
    """The drawing with its joints closed: what was edited last, and what is typed, stays.

    `before` is the model before the last edit.
    """
    old = model if before is None else before
    values = [
        (body.id, name)
        for body in model.of("body")
        for name in ("position", "angle", "orientation")
        if body.id in old and getattr(body, name, None) != getattr(old[body.id], name, None)
    ]
    found = reassembled(None, model, list(dict.fromkeys(id for id, _ in values)), values)
    return found if found.is_closed or not values else reassembled(None, model)


def drives(model: Model, id: Id, field: str) -> bool:
    """Whether a value typed into a field moves the mechanism: see `value_typed`."""
    element = model[id]
    if field.startswith("shape."):
        return getattr(element, "shape", None) is not None
    if element.family == "joint":
        return field.endswith("_start")
    known = {"body": ("position", "angle", "orientation"), "marker": ("position", "body")}
    return field in known.get(element.family, ())


def value_typed(model: Model, id: Id, field: str, value: Any) -> Reassembly:
    """A value typed into a field that drives the mechanism, as one step of undo.

    These are sizes ("shape.length"), the place and the angle of a body, places of points and start values
    of joints. A point that gets another body stays where it is in the world.
    """
    family = model[id].family
    if field.startswith("shape."):
        return resized(model, id, field.removeprefix("shape."), value)
    if family == "joint":
        return reassembled(model, with_fields(model, (id,), {field: value}))
    if family == "marker":
        is_place = field == "position"
        return (
            point_placed(model, id, value) if is_place else Reassembly(glued_to(model, id, value))
        )
    turns = {"angle": turned_to, "orientation": turned_to_orientation, "position": placed_at}
    return turns[field](model, id, value)


def parameter_set(model: Model, values: Mapping[str, Number]) -> Reassembly:
    """Parameters with other values; every body whose sizes or points they change is held as in `resized`.

    EngineError for an unknown parameter, with the names of the known ones.
    """
    after = model
    for name, value in values.items():
        if name not in model or not isinstance(model[name], Parameter):
            known = ", ".join(p.id for p in model.of("parameter"))
            hint = say("it has {known}", known=known) if known else say("it has none")
            raise EngineError(
                "The model has no parameter '{name}'; {hint}.", name=str(name)[:40], hint=hint
            )
        after = with_fields(after, (name,), {"value": value})
    if after == model:
        return Reassembly(model)
    try:
        old = resolved(model)
    except EngineError:
        return Reassembly(after)  # it was wrong before: this may be the cure
    new = resolved(after)
    changed = [b.id for b in after.of("body") if _is_other(old, new, b.id)]
    for body in changed:
        after = _kept_in_place(model, after, body)
    return reassembled(model, after, changed)


def with_values(model: Model, /, **values: Number) -> Model:
    """The model with other values of parameters, as `parameter_set`; EngineError if it cannot be closed."""
    found = parameter_set(model, values)
    if not found.is_closed:
        given = ", ".join(f"{name} = {value}" for name, value in values.items())
        raise EngineError(
            "The mechanism cannot be assembled with {given}: {where}. Choose another value.",
            *found.ids,
            given=given,
            where=found.sentence,
        )
    return found.model


def variants(model: Model, asked: str) -> list[tuple[str, Model]]:
    """The model for each value of a parameter, with a title, by a text like mu=0.3,0.2."""
    name, equals, values = (part.strip() for part in asked.partition("="))
    if not (name and equals and values):
        raise EngineError(
            "'{asked}' cannot be read. Write a parameter and its values, as in mu=0.3,0.2.",
            asked=asked[:60],
        )
    each = [value.strip() for value in values.replace(";", ",").split(",") if value.strip()]
    return [(f"{name} = {value}", with_values(model, **{name: value})) for value in each]


def end_moved(model: Model, body: Id, side: int, target: Sequence[float]) -> Reassembly:
    """A rod whose end (side 1 or -1 along its x axis) goes to a point; the other end stays.

    Length and angle follow, and so do the others. EngineError if the length is a formula.
    """
    shape = getattr(model[body], "shape", None)
    if not isinstance(shape, Rod) or isinstance(shape.length, str):
        raise EngineError(
            "The length of '{body}' is a formula, or it is no rod; change the parameter instead.",
            body,
            body=model[body].label,
        )
    half = plain(in_numbers(model, model[body]).shape.length) / 2.0
    frame: Any = space_frame(model, body) if model.dim == 3 else body_frame(model, body)
    own = (-side * half, *(0.0,) * (model.dim - 1))
    other, end = np.array(frame.to_world(own)), np.array(target, dtype=float)
    length = max(dist(other, end), SHORTEST)
    way = side * (end - other) / length
    place: dict[str, Any] = {"position": tuple((other + side * way * length / 2.0).tolist())}
    if model.dim == 2:
        turn = atan2(way[1], way[0]) - frame.angle
        place["angle"] = frame.angle + atan2(sin(turn), cos(turn))
    else:
        turned = frame.R @ turn_of_x_to(frame.R.T @ way)
        place["orientation"] = tuple(quaternion.from_matrix(turned).tolist())
    new = replace(model[body], shape=replace(shape, length=length), **place)
    return reassembled(model, put(model, new), (body,))


class Slide:
    """A parameter whose slider is dragged: the last pose that closed is shown until it is released."""

    def __init__(self, model: Model) -> None:
        self.start, self.shown = model, Reassembly(model)
        self.asked: dict[str, Number] = {}

    def to(self, values: Mapping[str, Number]) -> Reassembly:
        """The model for these values; where it cannot be assembled, the last one that could.

        Its sentence then names the gap. Changes what is shown.
        """
        self.asked = dict(values)
        found = parameter_set(self.start, values)
        if found.is_closed:
            self.shown = found
            return found
        return self.shown._replace(sentence=found.sentence, ids=found.ids)

    def release(self) -> Reassembly:
        """The model for the last values that were asked for, closed or not."""
        return parameter_set(self.start, self.asked)


def _mark(model: Model, body: Id, field: str) -> dict[str, Any]:
    """The change that marks a field of a body as typed, where it has such a mark."""
    name = f"{field}_typed"
    return {name: True} if hasattr(model.elements.get(body), name) else {}


def _is_other(old: Model, new: Model, body: Id) -> bool:
    """Whether the shape, the place or a point of a body differs between two models in numbers."""
    points = [(old[m.id], m) for m in new.of("marker") if m.body == body]
    return old[body] != new[body] or any(a != b for a, b in points)


def _kept_in_place(before: Model, after: Model, body: Id) -> Model:
    """The body moved so that the point that is held stays where it was."""
    held = held_point(before, body)
    if not held or not is_placed_by_numbers(after[body]):
        return after
    try:
        was, now = marker_place(before, held), marker_place(after, held)
    except EngineError:
        return after  # what is wrong with the point is told elsewhere
    place = tuple(float(x) + a - b for x, a, b in zip(after[body].position, was, now))
    return put(after, placed_by_hand(after[body], position=place)) if was != now else after


def held_point(model: Model, body: Id) -> Id:
    """The marker of a body that stays where it is when the body changes; empty if no joint holds it.

    First a point that is pinned to the ground, then one that is guided there, then one pinned or guided
    by another body.
    """
    ranks: dict[Id, int] = {}
    for joint in model.of("joint"):
        ends = markers_of(joint)
        own = [m for m in ends if m in model and model[m].body == body]
        others = [b for b in bodies_of(model, joint.id) if b != body]
        if own and others:
            rank = 0 if any(is_still(model, b) for b in others) else 2
            ranks.setdefault(own[0], rank + (0 if freedom(joint, model.dim).holds_point else 1))
    return min(ranks, key=lambda marker: ranks[marker], default="")
