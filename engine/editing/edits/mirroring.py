"""The mirror image of one element of the plane, such that the image moves as the image.

With M = diag(-1, 1) for an upright mirror or diag(1, -1) for a level one, points p become M p, and a
frame with axes R becomes M R M: its angle changes sign. A marker keeps its place in the body up to M.
Then angles of joints change sign; displacements, along x of a marker, do so in an upright mirror.

A disc rolls on the left of its line. In a level mirror the frames of a rolling disc turn by half a
turn more, so that left stays left; its displacement then changes sign too.
"""

from dataclasses import replace
from math import pi
from typing import Any

from engine.editing.edits.numbers import minus, negated, odd_image
from engine.model.elements import GROUND, Id, Model
from engine.model.fields import Vector
from engine.model.forces import (
    Actuator,
    GeneralForce,
    JointLimits,
    PointForce,
    Torque,
    TorsionSpring,
)
from engine.model.joints import Motion, RackAndPinion, RollingDisc
from engine.model.shapes import Polygon
from engine.model.triggers import Trigger

_OTHER_SIDE = {"both": "both", "tension": "compression", "compression": "tension"}


def mirrored_element(model: Model, e: Any, upright: bool, place: float) -> Any:
    """The image of an element in the mirror x = place (upright) or y = place (level)."""
    if e.family == "body":
        return _body(e, upright, place)
    if e.family == "marker":
        return _marker(model, e, upright, place)
    if isinstance(e, PointForce):
        return replace(e, f_x=negated(e.f_x)) if upright else replace(e, f_y=negated(e.f_y))
    if isinstance(e, Torque):
        return replace(e, t_z=negated(e.t_z))
    if isinstance(e, RackAndPinion) and not upright:
        return replace(e, radius=minus(e.radius))
    if isinstance(e, GeneralForce):
        law = e.law
        if isinstance(law, str):
            law = negated(odd_image(law, ("angle", "speed")))
        return replace(e, law=negated(law) if e.acts == "torque" else law)
    if isinstance(e, TorsionSpring):
        return turned_torsion_spring(e)
    if isinstance(e, Trigger):
        turned = e.quantity in ("angle", "x" if upright else "y")
        return replace(e, value=minus(e.value)) if turned else e
    if isinstance(e, Motion | Actuator | JointLimits) and turns_round(
        model, e.joint, e.coordinate, upright
    ):
        return on_turned_coordinate(e)
    return e


def turns_round(model: Model, joint: Id, coordinate: str, upright: bool) -> bool:
    """Whether a coordinate of a joint changes its sign in the mirror."""
    name = coordinate or next(iter(model[joint].coordinates(model)))
    if name == "displacement":
        return upright or isinstance(model[joint], RollingDisc)
    return name == "angle"


def _body(body: Any, upright: bool, place: float) -> Any:
    changes: dict[str, Any] = {
        "position": _flipped(body.position, upright, place),
        "velocity": _flipped(body.velocity, upright),
    }
    if hasattr(body, "angle"):
        changes |= {"angle": minus(body.angle), "spin": minus(body.spin)}
        if body.center is not None:
            changes["center"] = _flipped(body.center, upright)
        if isinstance(body.shape, Polygon):
            corners = tuple(_flipped(p, upright) for p in body.shape.points)
            changes["shape"] = replace(body.shape, points=corners)
    return replace(body, **changes)


def _marker(model: Model, marker: Any, upright: bool, place: float) -> Any:
    on_ground = marker.body == GROUND
    position = _flipped(marker.position, upright, place if on_ground else 0.0)
    users = [e for e in model.of("joint") if isinstance(e, RollingDisc)]
    rolls = any(marker.id in (e.marker_i, e.marker_j) for e in users)
    half_turn = pi / 2 if rolls and not upright else 0.0
    return replace(marker, position=position, angle=minus(marker.angle, half_turn))


def turned_torsion_spring(e: TorsionSpring) -> TorsionSpring:
    """N = preload + k (angle - free_angle) + ... with the signs of N and of the angle changed."""
    spring, damper = e.spring_curve, e.damper_curve
    return replace(
        e,
        free_angle=None if e.free_angle is None else minus(e.free_angle),
        preload=minus(e.preload),
        acts=_OTHER_SIDE[e.acts],
        spring_curve=None if spring is None else odd_image(spring, ("x",)),
        damper_curve=None if damper is None else odd_image(damper, ("v",)),
    )


def on_turned_coordinate(e: Any) -> Any:
    """A motion, motor or stops on a coordinate that changes its sign."""
    if isinstance(e, JointLimits):
        return replace(e, low=minus(e.high), high=minus(e.low))
    if isinstance(e, Actuator) and isinstance(e.law, str):
        return replace(e, law=odd_image(e.law, ("distance", "rate", "angle", "speed")))
    return replace(e, law=negated(e.law))


def _flipped(v: Vector, upright: bool, place: float = 0.0) -> Vector:
    """A vector or a point with one component mirrored."""
    x, y = v
    return (minus(x, place), y) if upright else (x, minus(y, place))
