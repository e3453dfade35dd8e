"""Moving, mirroring and aligning chosen parts of a model, and turning them in the plane.

Chosen bodies move with everything attached to them. A joint or force between chosen bodies and the ground
takes its points on the ground with it. A joint to a body that is not chosen would open: then the edit is
refused, unless the joint allows the motion, as a slider does along its rail.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from math import cos, sin
from typing import Any

import numpy as np

from engine.editing.edits.mirroring import mirrored_element
from engine.editing.edits.numbers import combined, in_numbers, moved, plus, refuse_expression
from engine.editing.edits.on_joints import open_joints
from engine.editing.edits.placing import (
    CLOSED,
    Place,
    Point,
    bodies_about,
    bodies_of,
    body_frame,
    label,
    size,
)
from engine.editing.edits.space.mirroring import mirrored_in_space
from engine.editing.edits.space.solids import extent3
from engine.errors import EngineError, say
from engine.model.attachments import markers_of
from engine.model.elements import GROUND, Id, Model, put, references

ALIGNMENTS = ("left", "right", "top", "bottom", "center_x", "center_y")
DISTRIBUTIONS = ("distribute_x", "distribute_y")

Box = tuple[float, float, float, float]  # left, bottom, right, top


def translated(model: Model, ids: Sequence[Id], shift: Place) -> Model:
    """The chosen parts moved, in the plane or in space."""
    bodies, anchors = part(model, ids)
    change = {e.id: replace(e, position=moved(e.position, shift)) for e in (*bodies, *anchors)}
    return closed_or_refused(model, put(model, *change.values()), bodies)


def rotated(model: Model, ids: Sequence[Id], angle: float, about: Point | None = None) -> Model:
    """The chosen parts turned, about the middle of them all unless a point is given."""
    _refuse_space(model)
    bodies, anchors = part(model, ids)
    x_0, y_0 = about or _middle(model, bodies)[:2]
    c, s = cos(angle), sin(angle)

    def turned(v: Any, id: Id, where: str, x: float = 0.0, y: float = 0.0) -> tuple[float, float]:
        refuse_expression(v, say("{where} of '{id}'", where=where, id=label(model, id)), id)
        dx, dy = v[0] - x, v[1] - y
        return x + c * dx - s * dy, y + s * dx + c * dy

    changed: list[Any] = []
    for e in (*bodies, *anchors):
        fields: dict[str, Any] = {"position": turned(e.position, e.id, "position", x_0, y_0)}
        if hasattr(e, "angle"):
            fields["angle"] = plus(e.angle, angle)
        if any(getattr(e, "velocity", None) or ()):
            fields["velocity"] = turned(e.velocity, e.id, "velocity")
        changed.append(replace(e, **fields))
    turned_bodies = {b.id for b in bodies}
    for e in model.of("force"):
        if is_along_world_axes(e) and e.vector:
            if model[acted_on(e)].body in turned_bodies:
                changed.append(_turned_force(e, c, s))
    return closed_or_refused(model, put(model, *changed), bodies)


def mirrored(
    model: Model, ids: Sequence[Id], direction: str = "left-right", about: Place | None = None
) -> Model:
    """The chosen parts in a mirror through their middle, or through a point.

    "left-right" has an upright mirror, across x, "top-bottom" a level one, across y or in space z.
    Motors, torques and springs on the parts are reversed too, so that the image moves as a mirror image.
    """
    bodies, anchors = part(model, ids)
    place = about or _middle(model, bodies)
    upright = direction == "left-right"
    axis = 0 if upright else model.dim - 1
    chosen = {b.id for b in bodies} | {a.id for a in anchors}
    inside = [e for e in model if e.id in chosen or _rests_within(model, e, chosen)]
    changed = [
        mirrored_element(model, e, upright, place[axis])
        if model.dim == 2
        else mirrored_in_space(model, e, axis, place[axis])
        for e in inside
    ]
    return closed_or_refused(model, put(model, *changed), bodies)


def aligned(model: Model, ids: Sequence[Id], how: str) -> Model:
    """The chosen bodies lined up, or distributed evenly; what is joined moves as one.

    In space that is as seen from the front: along x and z.
    """
    if how not in (*ALIGNMENTS, *DISTRIBUTIONS):
        raise EngineError("There is no alignment '{how}'.", how=how)
    bodies, _ = part(model, ids)
    groups = _groups(model, [b.id for b in bodies])
    needed = 3 if how in DISTRIBUTIONS else 2
    if len(groups) < needed:
        raise EngineError(
            "Select at least {needed} bodies, or groups of joined bodies, that can move against "
            "each other.",
            *(b.id for b in bodies),
            needed=needed,
        )
    boxes = [_around([_seen(model, id) for id in group]) for group in groups]
    for group, (across, up) in zip(groups, _shifts(boxes, how)):
        if across or up:
            model = translated(model, group, (across, *(0.0,) * (model.dim - 2), up))
    return model


def _seen(model: Model, id: Id) -> Box:
    """The rectangle around a body as drawn; in space as it is seen from the front."""
    if model.dim == 2:
        return extent(model, id)
    (left, _, low), (right, _, high) = extent3(model, id)
    return left, low, right, high


def extent(model: Model, id: Id) -> Box:
    """The rectangle around a body as drawn."""
    body, frame = in_numbers(model, model[id]), body_frame(model, id)
    shape: Any = getattr(body, "shape", None)
    if shape is None:
        return frame.x, frame.y, frame.x, frame.y
    c, s = cos(frame.angle), sin(frame.angle)
    right, up = np.array([c, -s, 0.0]), np.array([s, c, 0.0])  # of the world, in the body
    return (
        frame.x - float(shape.reach(-right)),
        frame.y - float(shape.reach(-up)),
        frame.x + float(shape.reach(right)),
        frame.y + float(shape.reach(up)),
    )


def _refuse_space(model: Model) -> None:
    if model.dim != 2:
        raise EngineError("This works in the plane only.")


def is_along_world_axes(e: Any) -> bool:
    """Whether a force has a vector that is given in world axes, and so must be turned with its body."""
    return bool(e.vector or e.axial) and getattr(e, "axes", "world") == "world"


def acted_on(force: Any) -> Id:
    """The marker of the body that a force acts on; the other one takes the opposite."""
    return getattr(force, "marker_j", force.marker_i)


def refuse_table(force: Any) -> None:
    """Raise if a component of a force is a table."""
    if any(isinstance(getattr(force, name), tuple) for name in (*force.vector, *force.axial)):
        raise EngineError(
            "A component of '{force}' is a table, which cannot be turned; replace the table, or let it "
            "turn with its body where it can.",
            force.id,
            force=force.label,
        )


def _turned_force(force: Any, c: float, s: float) -> Any:
    """A force whose vector is in world axes turned by the angle with this cosine and sine."""
    refuse_table(force)
    names = force.vector[:2]
    x, y = (getattr(force, name) for name in names)
    turned = combined(c, x, -s, y), combined(s, x, c, y)
    changes: dict[str, Any] = dict(zip(names, turned))
    return replace(force, **changes)


def part(model: Model, ids: Sequence[Id]) -> tuple[list[Any], list[Any]]:
    """The chosen bodies, with those of chosen joints, and the points on the ground that move with them."""
    known = [id for id in ids if id in model]
    bodies = {b for id in known for b in bodies_of(model, id) if b != GROUND}
    if not bodies:
        raise EngineError("Select at least one body.")
    anchors: dict[Id, Any] = {}
    for e in model:
        rests_on = bodies_about(model, e)
        if rests_on - {GROUND} and rests_on - {GROUND} <= bodies:
            grounded = [m for m in markers_of(e) if model[m].body == GROUND]
            anchors |= {m: model[m] for m in grounded}
    chosen = {m.id: m for m in model.of("marker") if m.id in known and m.body == GROUND}
    return [b for b in model.of("body") if b.id in bodies], list((anchors | chosen).values())


def closed_or_refused(before: Model, after: Model, bodies: list[Any]) -> Model:
    """The new model, unless a joint that was closed is open in it."""
    inside = {b.id for b in bodies}
    others_of = {}  # only a joint to bodies that stay where they are can open
    for joint in before.of("joint"):
        held = set(bodies_of(before, joint.id)) - {GROUND}
        if held & inside and held - inside:
            others_of[joint.id] = sorted(held - inside)
    tolerance = CLOSED * size(before)
    opened = open_joints(after, others_of, tolerance) - open_joints(before, others_of, tolerance)
    for id in sorted(opened):
        others = others_of[id]
        raise EngineError(
            "This would tear '{id}' apart; select '{others}' too.",
            id,
            *others,
            id=label(before, id),
            others=label(before, others[0]),
        )
    return after


def _rests_within(model: Model, e: Any, chosen: set[Id]) -> bool:
    """Whether all bodies and ground points of an element are among the chosen ones."""
    if e.family in ("body", "parameter") or not references(e):
        return False
    bodies = bodies_about(model, e) - {GROUND}
    return bool(bodies) and bodies <= chosen


def _middle(model: Model, bodies: list[Any]) -> Place:
    left, bottom, right, top = _around([_seen(model, b.id) for b in bodies])
    return ((left + right) / 2, *(0.0,) * (model.dim - 2), (bottom + top) / 2)


def _around(boxes: Sequence[Box]) -> Box:
    lefts, bottoms, rights, tops = zip(*boxes)
    return min(lefts), min(bottoms), max(rights), max(tops)


def _groups(model: Model, bodies: list[Id]) -> list[list[Id]]:
    """The bodies in groups that joints hold together, each in creation order."""
    group_of = {id: {id} for id in bodies}
    for joint in model.of("joint"):
        ends = [b for b in bodies_of(model, joint.id) if b in group_of]
        for a, b in pairwise(ends):
            merged = group_of[a] | group_of[b]
            for id in merged:
                group_of[id] = merged
    groups = {frozenset(group): None for group in group_of.values()}
    return [[id for id in bodies if id in group] for group in groups]


def _shifts(boxes: Sequence[Box], how: str) -> list[Point]:
    """How far each rectangle moves."""
    left, bottom, right, top = _around(boxes)
    rules: dict[str, Callable[[Box], Point]] = {
        "left": lambda b: (left - b[0], 0.0),
        "right": lambda b: (right - b[2], 0.0),
        "bottom": lambda b: (0.0, bottom - b[1]),
        "top": lambda b: (0.0, top - b[3]),
        "center_x": lambda b: ((left + right - b[0] - b[2]) / 2, 0.0),
        "center_y": lambda b: (0.0, (bottom + top - b[1] - b[3]) / 2),
    }
    if how in rules:
        return [rules[how](box) for box in boxes]
    axis = 0 if how == "distribute_x" else 1
    middles = [(box[axis] + box[axis + 2]) / 2 for box in boxes]
    order = sorted(range(len(boxes)), key=lambda k: middles[k])
    first, last = middles[order[0]], middles[order[-1]]
    shifts: list[Point] = [(0.0, 0.0)] * len(boxes)
    for rank, k in enumerate(order):
        by = first + (last - first) * rank / (len(boxes) - 1) - middles[k]
        shifts[k] = (by, 0.0) if axis == 0 else (0.0, by)
    return shifts
