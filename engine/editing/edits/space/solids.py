"""The extents of bodies in space, which of them are at a point, and which a joint there would connect."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import dist, hypot
from typing import Any

import numpy as np

from engine.editing.edits.connecting import KINDS, Pair, pairs_at
from engine.editing.edits.numbers import in_numbers
from engine.editing.edits.placing import (
    Point3,
    floats,
    is_still,
    joint_point,
    space_frame,
)
from engine.errors import EngineError
from engine.model.attachments import markers_of
from engine.model.elements import GROUND, Id, Model
from engine.model.joints.freedom import freedom
from engine.model.shapes import Rod

BESIDE = 1.25  # of its smallest size: a body this close behind the clicked one is meant too
MANTLE = 0.02  # of its radius: a point this near to a round face is on it
UP = (0.0, 0.0, 1.0)


def shape_of(model: Model, body: Id) -> Any:
    """The shape of a body in numbers, or None."""
    return getattr(in_numbers(model, model[body]), "shape", None) if body in model else None


def is_round(shape: Any) -> bool:
    """Whether a shape is round about an axis of its own."""
    return shape is not None and shape.axle is not None


def half_sizes(shape: Any) -> np.ndarray:
    """Half the sizes along its own axes of the box around a shape; zero without a shape."""
    if shape is None:
        return np.zeros(3)
    low, high = shape.box()
    return (high - low) / 2


def box_middle(shape: Any) -> np.ndarray:
    """The middle of the box around a shape, in its own axes; the origin without a shape."""
    return np.zeros(3) if shape is None else sum(shape.box()) / 2


def distance_to(model: Model, body: Id, point: Iterable[float]) -> float:
    """How far a point is from a solid; zero inside. Of plates and meshes the box around counts."""
    shape = shape_of(model, body)
    p = np.array(space_frame(model, body).to_local(point))
    return float(np.linalg.norm(p) if shape is None else shape.distance(p))


def extent3(model: Model, body: Id) -> tuple[Point3, Point3]:
    """The least and the greatest x, y, z of a body as drawn."""
    shape, frame = shape_of(model, body), space_frame(model, body)
    if shape is None:
        return frame.place, frame.place
    low = [x - shape.reach(-n) for x, n in zip(frame.r, frame.R)]  # n: a world axis in the body
    return floats(low), floats(x + shape.reach(n) for x, n in zip(frame.r, frame.R))


def long_axis(model: Model, body: Id) -> Point3:
    """The natural axis of a body: of a round one its axle, else along its longest side; world axes."""
    frame, shape = space_frame(model, body), shape_of(model, body)
    axis = None if shape is None else shape.long_axis()
    return UP if axis is None else floats(frame.R[:, axis])


def bodies_at(model: Model, ids: Iterable[Id], at: Point3, near: float) -> list[Id]:
    """Those of these bodies that are at a point, or as near to it as that, in their order."""
    known = [id for id in dict.fromkeys(ids) if id in model and model[id].family == "body"]
    return [id for id in known if distance_to(model, id, at) <= near]


def touch(model: Model, one: Id, other: Id, near: float) -> bool:
    """Whether the middle of a face of the box around one of two bodies lies on the other."""
    return any(
        bodies_at(model, [b], at, near)
        for a, b in ((one, other), (other, one))
        for at in _face_middles(model, a)
    )


def _face_middles(model: Model, body: Id) -> list[Point3]:
    """The middles of the faces of the box around a body, in the world."""
    shape, frame = shape_of(model, body), space_frame(model, body)
    middle, half = box_middle(shape), np.diag(half_sizes(shape))
    return [frame.to_world(middle + side * way) for way in half for side in (1.0, -1.0)]


def axle_point(model: Model, body: Id, at: Point3, axis: Point3) -> Point3:
    """The point of a round body's axle beside a point of its round face; else the point itself."""
    shape, frame = shape_of(model, body), space_frame(model, body)
    z = frame.R[:, 2]
    if not is_round(shape) or abs(z @ np.array(axis)) < 1.0 - 1e-9:
        return at
    if not is_on_mantle(model, body, at):
        return at  # on an end face: exactly where it was clicked
    return frame.to_world((0.0, 0.0, frame.to_local(at)[2]))


def end_point(model: Model, body: Id, at: Point3) -> Point3:
    """The middle of the end face of a cylinder that is nearer to a point of its round face."""
    shape, frame = shape_of(model, body), space_frame(model, body)
    if not is_round(shape) or not is_on_mantle(model, body, at):
        return at
    height = frame.to_local(at)[2]
    return frame.to_world((0.0, 0.0, shape.length / 2 if height > 0.0 else -shape.length / 2))


def is_on_mantle(model: Model, body: Id, at: Point3) -> bool:
    """Whether a point lies on the round face of a cylinder."""
    shape = shape_of(model, body)
    x, y, height = space_frame(model, body).to_local(at)
    near = abs(hypot(x, y) - shape.radius) <= MANTLE * shape.radius
    return near and abs(height) < (1.0 - 1e-9) * shape.length / 2


def line_point(model: Model, body: Id, at: Point3, near: float) -> Point3:
    """The point of the centre line of a slender rod beside a point of it: its end, if that is near."""
    shape, frame = shape_of(model, body), space_frame(model, body)
    if not isinstance(shape, Rod):
        return at
    half, *across = half_sizes(shape)
    width = 2 * max(across)
    if width > half / 2:
        return at  # a block: exactly where it was clicked
    x = min(max(frame.to_local(at)[0], -half), half)
    if half - abs(x) <= max(width, near):
        x = half if x > 0.0 else -half
    return frame.to_world((x, 0.0, 0.0))


def shaft_of(model: Model, body: Id) -> Point3 | None:
    """The direction of a body that is a shaft."""
    shape = shape_of(model, body)
    return long_axis(model, body) if shape is not None and shape.shaft is not None else None


def pairs_in_space(
    model: Model, sight: Sequence[Id], joint: Id, at: Point3, kind: str, near: float
) -> list[Pair]:
    """Which bodies a joint of this kind could connect at a point, the likeliest pair first.

    First come bodies that touch each other there, then the body that is seen with the one close
    behind it, then the ground, then the others along the line of sight. A joint that leaves no
    motion needs no point of its own: it also takes the body behind that touches the one that is seen.
    """
    touching = bodies_at(model, [*sight, *(b.id for b in model.of("body"))], at, near)
    if joint in model and len(markers := markers_of(model[joint])) == 2:
        ends = [model[m].body for m in markers]
        if dist(joint_point(model, joint), at) <= near:
            touching += [b for b in ends if b != GROUND and b not in touching]
    here = touching or list(sight[:1])
    if not here:
        return []
    seen = here[0]
    close = near + BESIDE * 2.0 * float(half_sizes(shape_of(model, seen)).min())
    behind = bodies_at(model, [b for b in sight if b not in here], at, close)
    if kind in KINDS and not freedom(KINDS[kind], 3).motions:
        behind += [b for b in sight if b not in (*here, *behind) and touch(model, seen, b, near)]
    rank = {frozenset(pair): 0 for pair in combinations(touching, 2)}
    rank |= {frozenset((seen, b)): 1 for b in behind}
    rank |= {frozenset((GROUND, b)): 2 + n for n, b in enumerate(here)}
    found = pairs_at(model, [*here, *(b for b in sight if b not in here)], at, kind)
    return sorted(found, key=lambda pair: rank.get(frozenset(pair), 99))


def refuse_no_wheel(model: Model, body: Id) -> None:
    """Raise EngineError unless a body is a cylinder that can move."""
    if not is_round(shape_of(model, body)):
        raise EngineError("Only a cylinder can roll here; click on one.")
    if is_still(model, body):
        raise EngineError(
            "'{body}' is part of the ground and cannot roll.", body, body=model[body].label
        )
