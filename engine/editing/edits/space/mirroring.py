"""The mirror image of one element of space, such that it moves as a mirror image.

With M = diag(-1, 1, 1) for a mirror across x, or diag(1, 1, -1) across z, places r become M r and axes R
become M R M, which is a rotation again: the quaternion (s, v) becomes (s, -M v). Turns and torques are
pseudovectors, w becomes -M w. What a body or marker has in its own axes changes in the same way.

The frame of a beam turns by half a turn about its z more where M turns its x round, so that its first
end stays its first: R becomes M R M K with K = diag(-1, -1, 1), and what is in its own axes changes by K M.

The effect on the coordinates of joints is derived in engine/editing/edits/mirroring.py.
"""

from dataclasses import replace
from typing import Any

from engine.editing.edits.mirroring import (
    has_a_first_end,
    mirrored_action,
    with_corners_turned,
)
from engine.editing.edits.numbers import minus
from engine.errors import EngineError
from engine.model.elements import GROUND, Model
from engine.model.fields import Vector
from engine.model.forces import Contact, ContactAll
from engine.model.joints import RollingDisc
from engine.model.shapes import Mesh, Polygon, Polyline

PRODUCTS = ((0, 1), (0, 2), (1, 2))  # the axes of Jxy, Jxz, Jyz


def mirrored_in_space(model: Model, e: Any, axis: int, place: float) -> Any:
    """The image of an element in the mirror across an axis of the world (0: x, 2: z) at a place."""
    if e.family == "body":
        return _body(e, axis, place)
    if e.family == "marker":
        return _marker(model, e, axis, place)
    surfaces = e.surfaces(model) if isinstance(e, Contact | ContactAll) else []
    lies = isinstance(e, RollingDisc) or surfaces
    if lies and axis == 2:
        raise EngineError(
            "'{element}' is on a floor, which cannot be turned upside down.",
            e.id,
            element=e.label,
        )
    return mirrored_action(model, e, axis)


def _body(body: Any, axis: int, place: float) -> Any:
    changes: dict[str, Any] = {
        "position": _flipped(body.position, axis, place),
    }
    if body.velocity is not None:
        changes["velocity"] = _flipped(body.velocity, axis)
    if hasattr(body, "orientation"):
        turns = axis == 0 and has_a_first_end(body)
        unit = _turned(body.orientation, axis)
        changes["orientation"] = _half_turned(unit) if turns else unit
        if body.angular_velocity is not None:
            changes["angular_velocity"] = _pseudo(body.angular_velocity, axis)
        if body.center is not None:
            changes["center"] = _flipped(body.center, 1 if turns else axis)
        if body.inertia is not None:
            crossed = [minus(J) if axis in p else J for J, p in zip(body.inertia[3:], PRODUCTS)]
            changes["inertia"] = (*body.inertia[:3], *crossed)
        if isinstance(body.shape, Polygon | Polyline):
            corners = tuple(_flipped(p, axis) for p in body.shape.points)
            changes["shape"] = replace(body.shape, points=corners)
        if isinstance(body.shape, Mesh):
            vertices: Any = tuple(_flipped(v, axis) for v in body.shape.vertices)
            faces = tuple((a, c, b) for a, b, c in body.shape.faces)
            changes["shape"] = replace(body.shape, vertices=vertices, faces=faces)
    return replace(body, **changes)


def _marker(model: Model, marker: Any, axis: int, place: float) -> Any:
    own = with_corners_turned(marker.position, axis)
    unit = _turned(marker.orientation, axis)
    if marker.body == GROUND:
        return replace(marker, position=_flipped(own, axis, place), orientation=unit)
    if axis == 0 and has_a_first_end(model[marker.body]):
        return replace(marker, position=_flipped(own, 1), orientation=_half_turned_before(unit))
    return replace(marker, position=_flipped(own, axis), orientation=unit)


def _half_turned(unit: Vector) -> Vector:
    """The quaternion of R K."""
    s, x, y, z = unit
    return (minus(z), y, minus(x), s)


def _half_turned_before(unit: Vector) -> Vector:
    """The quaternion of K R."""
    s, x, y, z = unit
    return (z, y, minus(x), minus(s))


def _flipped(v: Vector, axis: int, place: float = 0.0) -> Vector:
    """A vector or a place with one component mirrored."""
    return tuple(minus(c, place) if k == axis else c for k, c in enumerate(v))


def _pseudo(w: Vector, axis: int) -> Vector:
    """A pseudovector in the mirror: the other components change their sign."""
    return tuple(c if k == axis else minus(c) for k, c in enumerate(w))


def _turned(unit: Vector, axis: int) -> Vector:
    """The quaternion of M R M."""
    return (unit[0], *_pseudo(unit[1:], axis))
