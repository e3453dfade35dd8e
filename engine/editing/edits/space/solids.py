"""How far bodies in space reach, which of them are at a point, and whom a joint there would tie."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import dist, hypot
from typing import Any

import numpy as np

from engine.editing.edits.connecting import Pair, pairs_at
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

BESIDE = 1.25  # of its smallest size: a body so near behind the one that was clicked is meant too
MANTLE = 0.02  # of its radius: a point so near to a round face is on it
UP = (0.0, 0.0, 1.0)


def shape_of(model: Model, body: Id) -> Any:
    """The shape of a body in numbers, or None."""
    return getattr(in_numbers(model, model[body]), "shape", None) if body in model else None


def half_sizes(shape: Any) -> np.ndarray:
    """Half the sizes along its own axes of the box around a shape; zero without a shape."""
    kind = getattr(shape, "kind", "")
    if kind == "rod":
        return np.array([shape.length, shape.width, shape.thickness]) / 2
    if kind == "box":
        return np.array([shape.width, shape.height, shape.thickness]) / 2
    if kind == "cylinder":
        return np.array([shape.radius, shape.radius, shape.length / 2])
    if kind == "sphere":
        return np.full(3, shape.radius)
    if kind in ("mesh", "polygon"):
        return np.ptp(_corners(shape), axis=0) / 2
    return np.zeros(3)


def box_middle(shape: Any) -> np.ndarray:
    """The middle of the box around a shape, in its own axes."""
    if getattr(shape, "kind", "") not in ("mesh", "polygon"):
        return np.zeros(3)
    corners = _corners(shape)
    return (corners.min(axis=0) + corners.max(axis=0)) / 2


def distance_to(model: Model, body: Id, point: Iterable[float]) -> float:
    """How far a point is from a solid; zero inside. Of plates and meshes the box around counts."""
    shape = shape_of(model, body)
    p = np.array(space_frame(model, body).to_local(point))
    kind = getattr(shape, "kind", "")
    if kind == "sphere":
        return max(float(np.linalg.norm(p)) - shape.radius, 0.0)
    if kind == "cylinder":
        aside = max(hypot(p[0], p[1]) - shape.radius, 0.0)
        return hypot(aside, max(abs(p[2]) - shape.length / 2, 0.0))
    outside = np.maximum(np.abs(p - box_middle(shape)) - half_sizes(shape), 0.0)
    return float(np.linalg.norm(outside))


def extent3(model: Model, body: Id) -> tuple[Point3, Point3]:
    """The least and the greatest x, y, z of a body as drawn."""
    shape, frame = shape_of(model, body), space_frame(model, body)
    kind = getattr(shape, "kind", "")
    if kind in ("mesh", "polygon"):
        corners = frame.r + _corners(shape) @ frame.R.T
        return floats(corners.min(axis=0)), floats(corners.max(axis=0))
    half = half_sizes(shape)
    if kind == "sphere":
        reach = half
    elif kind == "cylinder":
        z = frame.R[:, 2]
        reach = np.abs(z) * half[2] + half[0] * np.sqrt(np.maximum(1.0 - z * z, 0.0))
    else:
        reach = np.abs(frame.R) @ half
    return floats(frame.r - reach), floats(frame.r + reach)


def long_axis(model: Model, body: Id) -> Point3:
    """The natural axis of a body: of a round one its axle, else along its longest side; world axes."""
    frame, shape = space_frame(model, body), shape_of(model, body)
    kind = getattr(shape, "kind", "")
    if kind == "cylinder":
        return floats(frame.R[:, 2])
    if kind in ("", "sphere"):
        return UP
    half = half_sizes(shape)
    return floats(frame.R[:, int(half.argmax())])


def bodies_at(model: Model, ids: Iterable[Id], at: Point3, near: float) -> list[Id]:
    """Those of these bodies that are at a point, or as near to it as that, in their order."""
    known = [id for id in dict.fromkeys(ids) if id in model and model[id].family == "body"]
    return [id for id in known if distance_to(model, id, at) <= near]


def axle_point(model: Model, body: Id, at: Point3, axis: Point3) -> Point3:
    """The point of a round body's axle beside a point of its round face; else the point itself."""
    shape, frame = shape_of(model, body), space_frame(model, body)
    z = frame.R[:, 2]
    if getattr(shape, "kind", "") != "cylinder" or abs(z @ np.array(axis)) < 1.0 - 1e-9:
        return at
    if not is_on_mantle(model, body, at):
        return at  # on an end face: exactly where it was clicked
    return frame.to_world((0.0, 0.0, frame.to_local(at)[2]))


def end_point(model: Model, body: Id, at: Point3) -> Point3:
    """The middle of the end face of a cylinder that is nearer to a point of its round face."""
    shape, frame = shape_of(model, body), space_frame(model, body)
    if getattr(shape, "kind", "") != "cylinder" or not is_on_mantle(model, body, at):
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
    if getattr(shape, "kind", "") != "rod":
        return at
    width, half = max(shape.width, shape.thickness), shape.length / 2
    if width > half / 2:
        return at  # a block: exactly where it was clicked
    x = min(max(frame.to_local(at)[0], -half), half)
    if half - abs(x) <= max(width, near):
        x = half if x > 0.0 else -half
    return frame.to_world((x, 0.0, 0.0))


def pairs_in_space(
    model: Model, sight: Sequence[Id], joint: Id, at: Point3, kind: str, near: float
) -> list[Pair]:
    """Whom a joint of this kind could connect at a point, the likeliest pair first.

    First come bodies that touch each other there, then the body that is seen with the one close
    behind it, then the ground, then the others along the line of sight.
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
    rank = {frozenset(pair): 0 for pair in combinations(touching, 2)}
    rank |= {frozenset((seen, b)): 1 for b in behind}
    rank |= {frozenset((GROUND, b)): 2 + n for n, b in enumerate(here)}
    found = pairs_at(model, [*here, *(b for b in sight if b not in here)], at, kind)
    return sorted(found, key=lambda pair: rank.get(frozenset(pair), 99))


def refuse_no_wheel(model: Model, body: Id) -> None:
    """Raise EngineError unless a body is a cylinder that can move."""
    if body not in model or getattr(shape_of(model, body), "kind", "") != "cylinder":
        raise EngineError("Only a cylinder can roll here; click on one.")
    if is_still(model, body):
        raise EngineError(
            "'{body}' is part of the ground and cannot roll.", body, body=model[body].label
        )


def _corners(shape: Any) -> np.ndarray:
    """The corners (n, 3) of a plate or a mesh."""
    if shape.kind == "mesh":
        return np.array(shape.vertices, dtype=float).reshape(-1, 3)
    outline = np.array(shape.points, dtype=float)
    ends = [np.column_stack([outline, np.full(len(outline), side)]) for side in (-0.5, 0.5)]
    return np.concatenate(ends) * (1.0, 1.0, shape.thickness)
