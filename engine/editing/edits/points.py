"""Moving points: markers on their bodies, ends of springs, joints with the bodies they hold."""

from dataclasses import replace
from math import atan2, ceil, cos, dist, hypot, sin
from typing import Any

from engine.editing.edits.arranging import translated
from engine.editing.edits.numbers import in_numbers
from engine.editing.edits.placing import (
    Frame,
    Point,
    SpaceFrame,
    bodies_of,
    body_frame,
    element,
    is_still,
    marker_frame,
    size,
    space_frame,
    space_marker,
)
from engine.editing.ties import with_points_tied
from engine.errors import EngineError, say
from engine.kinematics.drag_parts import connected
from engine.kinematics.dragging import Dragged, Grip
from engine.model.attachments import markers_of
from engine.model.elements import GROUND, Id, Model, put
from engine.model.fields import plain
from engine.model.shapes import Polygon, Rod

SAME = 1e-7  # of the size of the drawing: two points this near are the same
STRIDE = 0.05  # of the size: how far a joint on the ground moves before all joints are closed again


def marker_moved(model: Model, id: Id, target: Point, body: Id | None = None) -> Model:
    """A marker moved to a point of the world, on its body or on another one; its angle stays.

    It is tied to the shape where it is now, if a tie fits there.
    """
    if body is not None:
        model = glued_to(model, id, body)
    place = body_frame(model, model[id].body).to_local(target)
    return with_points_tied(put(model, replace(model[id], position=place)), (id,))


def glued_to(model: Model, marker: Id, body: Id) -> Model:
    """A marker on another body, where it was in the world; tied to the shape if a tie fits there.

    EngineError if there is no such body.
    """
    if body != GROUND:
        element(model, body, "body")
    if body == model[marker].body:
        return model
    changes: dict[str, Any] = {"body": body}
    if model.dim == 2:
        own, on = marker_frame(model, marker), body_frame(model, body)
        changes |= {"position": on.to_local(own[:2]), "angle": own.angle - on.angle}
    else:
        place, frame = space_marker(model, marker), space_frame(model, body)
        turn = SpaceFrame(place.r, frame.R.T @ place.R).orientation
        changes |= {"position": frame.to_local(place.r), "orientation": turn}
    return with_points_tied(put(model, replace(model[marker], **changes)), (marker,))


def ground_joint_moved(model: Model, joint: Id, target: Point) -> Dragged:
    """A joint with the ground moved elsewhere; the bodies it holds follow, all joints closed.

    If nothing else connects the mechanism to the ground, it moves as a whole.
    """
    ends = markers_of(model[joint])
    ground = next(m for m in ends if model[m].body == GROUND)
    other = next(model[m].body for m in ends if m != ground)
    group = connected(model, other)
    start = marker_frame(model, ground)
    way = (target[0] - start.x, target[1] - start.y)
    if not any(j.id != joint and _is_anchor(model, j.id, group) for j in model.of("joint")):
        return Dragged(translated(model, sorted(group), way), 0.0)
    steps = max(ceil(hypot(*way) / (STRIDE * size(model))), 1)
    for n in range(1, steps + 1):
        place = (start.x + n / steps * way[0], start.y + n / steps * way[1])
        grip = Grip(marker_moved(model, ground, place), other, (0.0, 0.0), open_joints_hold=True)
        if not grip.close():
            left = hypot(*way) * (steps - n + 1) / steps
            sentence = say(
                "'{joint}' cannot go further: other joints hold it back.", joint=model[joint].label
            )
            return Dragged(model, left, sentence)
        model = grip.moved_model
    return Dragged(model, 0.0)


def joint_relocated(model: Model, joint: Id, target: Point) -> Model:
    """A pin moved on all bodies that meet there: rods and plates change their shape.

    Other points of these bodies stay where they are.
    """
    at = marker_frame(model, markers_of(model[joint])[-1])
    near = SAME * size(model)
    together = [m.id for m in model.of("marker") if _apart(marker_frame(model, m.id), at) <= near]
    for body in dict.fromkeys(model[m].body for m in together):
        if getattr(model.elements.get(body), "shape", None) is not None:
            model = _reshaped(model, body, (at.x, at.y), target, near)
    for id in together:
        model = marker_moved(model, id, target)
    return model


def _reshaped(model: Model, id: Id, here: Point, target: Point, near: float) -> Model:
    """A rod whose end, or a plate whose corner, was at a point and is at another now."""
    frame, shape = body_frame(model, id), in_numbers(model, model[id]).shape
    at = frame.to_local(here)
    if isinstance(shape, Polygon):
        new = frame.to_local(target)
        corners = tuple(new if dist(map(plain, p), at) <= near else p for p in shape.points)
        return put(model, replace(model[id], shape=replace(shape, points=corners)))
    if not isinstance(shape, Rod) or isinstance(model[id].shape.length, str):
        return model
    side = 1.0 if at[0] > 0.0 else -1.0
    if hypot(at[0] - side * plain(shape.length) / 2, at[1]) > near:
        return model
    start = frame.to_world((-side * plain(shape.length) / 2, 0.0))
    dx, dy = target[0] - start[0], target[1] - start[1]
    length = hypot(dx, dy)
    if not length > near:
        label = model[id].label
        raise EngineError(
            "'{label}' would have no length. Put the joint elsewhere.", id, label=label
        )
    turn = atan2(side * dy, side * dx) - frame.angle
    angle = frame.angle + atan2(sin(turn), cos(turn))
    middle = (start[0] + dx / 2, start[1] + dy / 2)
    places = {m.id: marker_frame(model, m.id) for m in model.of("marker") if m.body == id}
    new_shape = replace(model[id].shape, length=length)
    model = put(model, replace(model[id], position=middle, angle=angle, shape=new_shape))
    for marker, place in places.items():
        model = marker_moved(model, marker, (place.x, place.y))
        model = put(model, replace(model[marker], angle=place.angle - angle))
    return model


def _apart(a: Frame, b: Frame) -> float:
    return hypot(a.x - b.x, a.y - b.y)


def _is_anchor(model: Model, joint: Id, group: frozenset[Id]) -> bool:
    """Whether a joint connects one of these bodies to something fixed."""
    on = bodies_of(model, joint)
    return any(is_still(model, b) for b in on) and any(b in group for b in on)
