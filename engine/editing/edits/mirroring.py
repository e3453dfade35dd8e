"""The mirror image of one element of the plane, such that it moves as a mirror image.

With M = diag(-1, 1) for an upright mirror or diag(1, -1) for a level one, points p become M p, and a
frame with axes R becomes M R M: its angle changes sign. A marker keeps its place in the body up to M.
The axis a of a marker then lies along the image of the old one, times the sign M_aa. Therefore

    displacement along a                    changes its sign with M_aa
    angle (a, a2, b):  tan = a2.b / a.b     changes its sign with M_aa M_a2a2
    direction (a, a2): tan = a2.d / a.d     likewise
    cosine a.b                              changes its sign with M_aa M_bb
    distance                                stays

A beam has a first end, at which it may be clamped. In an upright mirror its frame turns by half a turn
more, so that x points from the image of the first end to that of the last.

A disc rolls on the left of its line. In a level mirror the frames of a rolling disc turn by half a
turn more, so that left stays left: both axes change their sign once more.
"""

from dataclasses import replace
from math import pi
from typing import Any

from engine.editing.edits.numbers import minus, negated, odd_image, uses, with_name
from engine.editing.edits.placing import resolved_alone
from engine.formulas.sizes import OWNER, sizes_used
from engine.kernels import layout
from engine.model.attachments import Attachment, attachment, markers_of
from engine.model.connections import Coordinate
from engine.model.elements import GROUND, Id, Model
from engine.model.fields import Vector
from engine.model.forces import (
    Actuator,
    Cable,
    Contact,
    ContactAll,
    GeneralForce,
    JointLimits,
    TorsionSpring,
)
from engine.model.forces.cable import WAYS
from engine.model.joints import Motion, RollingDisc
from engine.model.joints.tooth_contact import ToothedPair
from engine.model.shapes import Beam, Polygon, Polyline
from engine.model.triggers import Trigger

_OTHER_SUPPORT = {"above": "below", "below": "above"}
_OTHER_SIDE = {"both": "both", "tension": "compression", "compression": "tension"}


def mirrored_element(model: Model, e: Any, upright: bool, place: float) -> Any:
    """The image of an element in the mirror x = place (upright) or y = place (level)."""
    if e.family == "body":
        return _body(e, upright, place)
    if e.family == "marker":
        return _marker(model, e, upright, place)
    return mirrored_action(model, e, 0 if upright else 1)


def mirrored_action(model: Model, e: Any, axis: int) -> Any:
    """The image of a joint, or of what measures, drives or loads a coordinate, across an axis."""
    if isinstance(e, ToothedPair):
        return _with_phases(e, axis)
    if e.family == "joint":
        return _with_start(model, _on_its_side(model, _handed(model, e, axis), axis), axis)
    if isinstance(e, GeneralForce):
        return _mirrored_vectors(_mirrored_law(model, e, axis), axis)
    if isinstance(e, Cable) and axis < 2:
        return _mirrored_cable(e)
    if isinstance(e, Contact) and e.points:
        return _mirrored_curve(e)
    if e.family == "force" and (e.vector or e.axial):
        return _mirrored_vectors(e, axis)
    if isinstance(e, Trigger):
        turned = turns_round(model, e.watched(model), axis)
        return replace(e, value=minus(e.value)) if turned else e
    followed = _acted_on(model, e) if attachment(e) is Attachment.ON_JOINT else None
    if followed is not None and turns_round(model, followed, axis):
        return _on_turned_coordinate(e)
    return e


def _mirrored_law(model: Model, force: GeneralForce, axis: int) -> GeneralForce:
    """The image of a law of an angle, and of a torque, that turn round."""
    turn = replace(force, acts="torque").laws(model)[0].coordinate
    if not turns_round(model, turn, axis):
        return force
    law = force.law
    if isinstance(law, str):
        law = negated(odd_image(law, ("angle", "speed")))
    return replace(force, law=negated(law) if force.acts == "torque" else law)


def _mirrored_cable(cable: Cable) -> Cable:
    """The image of a cable: it goes round the other way, and so do the angle and spin of its muscle."""
    way = next(name for name in WAYS if name != cable.way)
    muscle = cable.muscle
    if isinstance(muscle, str):
        muscle = negated(odd_image(muscle, ("angle", "spin")))
    return replace(cable, way=way, muscle=muscle)


def _mirrored_curve(contact: Contact) -> Contact:
    """The image of a road or cam: x turns round, and so does the way along it."""
    turned = tuple((minus(x), y) for x, y in reversed(contact.points))
    return replace(contact, points=turned)


def _mirrored_vectors(force: Any, axis: int) -> Any:
    """The image of a force: a vector turns round along the axis, an axial one across it."""
    names = [name for k, name in enumerate(force.vector) if k == axis]
    names += [name for k, name in enumerate(force.axial) if k != axis]
    values = {name: getattr(force, name) for name in names}
    changes: dict[str, Any] = {name: negated(x) for name, x in values.items() if x != 0.0}
    return replace(force, **changes)


def _acted_on(model: Model, e: Any) -> Coordinate | None:
    """The coordinate of a joint that a motion drives or a force follows; None: it has no sign."""
    if isinstance(e, Motion):
        return e.rows(model)[0].terms[0][1]
    acting = e.laws(model) or e.interactions(model)
    return acting[0].coordinate


def turns_round(model: Model, coordinate: Coordinate, axis: int) -> bool:
    """Whether a coordinate changes its sign in the mirror across an axis of the world."""
    a, a2, b = (index == axis for index in coordinate.axes)
    if coordinate.is_angle:
        return a != a2
    if coordinate.kind == layout.DOT:
        return a != b
    return coordinate.kind == layout.ALONG and a != _is_half_turned(
        model, coordinate.marker_i, axis
    )


def _handed(model: Model, joint: Any, axis: int) -> Any:
    """A joint that couples sliding and rotation, by a field with a sign."""
    if not joint.handed:
        return joint
    alone = resolved_alone(model, joint.id)
    (row,) = (row for row in alone[joint.id].rows(alone) if len(row.terms) > 1)
    turned = {turns_round(model, coordinate, axis) for _, coordinate in row.terms}
    if len(turned) == 1:
        return joint
    return replace(joint, **{joint.handed: minus(getattr(joint, joint.handed))})


def _on_its_side(model: Model, joint: Any, axis: int) -> Any:
    """A support whose axis the mirror turns round holds from the other side of it."""
    if getattr(joint, "acts", "") not in _OTHER_SUPPORT:
        return joint
    normal = joint.rows(resolved_alone(model, joint.id))[0].terms[0][1]
    return (
        replace(joint, acts=_OTHER_SUPPORT[joint.acts])
        if turns_round(model, normal, axis)
        else joint
    )


def _with_phases(gear: ToothedPair, axis: int) -> ToothedPair:
    """Gears whose typed phases are those of the mirrored wheels: an angle from the x axis of a marker."""
    typed = {name: getattr(gear, name) for name in ("phase_1", "phase_2")}
    if axis == 2:  # they lie in the mirror
        return gear
    half = 0.5 * pi if axis == 0 else 0.0
    changes: dict[str, Any] = {n: minus(x, half) for n, x in typed.items() if x is not None}
    return replace(gear, **changes)


def _with_start(model: Model, joint: Any, axis: int) -> Any:
    """A joint with the start values and rates of coordinates that change their sign reversed."""
    changes = {}
    for name, coordinate in joint.coordinates(model).items():
        for field in (f"{name}_start", f"{name}_rate"):
            typed = getattr(joint, field, None)
            if typed is not None and turns_round(model, coordinate, axis):
                changes[field] = minus(typed)
    return replace(joint, **changes) if changes else joint


def _is_half_turned(model: Model, marker: Id, axis: int) -> bool:
    """Whether a marker turns by half a turn in a level mirror of the plane: something lies on it."""
    if model.dim == 3 or axis == 0:
        return False
    carried = [m for e in model.of("joint") if isinstance(e, RollingDisc) for m in markers_of(e)]
    lying = (e for e in model.of("force") if isinstance(e, Contact | ContactAll))
    carried += [m for e in lying for m in e.surfaces(model)]
    return marker in carried


def has_a_first_end(body: Any) -> bool:
    """Whether the two ends of a body differ: a beam is clamped, or seen from, its first one."""
    return isinstance(getattr(body, "shape", None), Beam)


def _body(body: Any, upright: bool, place: float) -> Any:
    changes: dict[str, Any] = {
        "position": _flipped(body.position, upright, place),
    }
    turns = upright and has_a_first_end(body)
    if body.velocity is not None:
        changes["velocity"] = _flipped(body.velocity, upright)
    if hasattr(body, "angle"):
        changes["angle"] = minus(body.angle, pi / 2 if turns else 0.0)
        if body.spin is not None:
            changes["spin"] = minus(body.spin)
        if body.center is not None:
            changes["center"] = _flipped(body.center, upright and not turns)
        if isinstance(body.shape, Polygon | Polyline):
            corners = tuple(_flipped(p, upright) for p in body.shape.points)
            changes["shape"] = replace(body.shape, points=corners)
    return replace(body, **changes)


def _marker(model: Model, marker: Any, upright: bool, place: float) -> Any:
    on_ground = marker.body == GROUND
    axis = 0 if upright else 1
    turns = upright and not on_ground and has_a_first_end(model[marker.body])
    own = with_corners_turned(marker.position, axis)
    position = _flipped(own, upright and not turns, place if on_ground else 0.0)
    half_turn = pi / 2 if turns or _is_half_turned(model, marker.id, axis) else 0.0
    return replace(marker, position=position, angle=minus(marker.angle, half_turn))


def with_corners_turned(position: Vector, axis: int) -> Vector:
    """The place of a marker with the opposite sign for corners of its plate, whose axis is mirrored too."""
    corners = f"{OWNER}.{'xyz'[axis]}"
    turned = [name for name in sizes_used(position) if name.startswith(corners)]

    def change(entry: Any) -> Any:
        for name in turned:
            entry = with_name(entry, name, f"-{name}") if uses(entry, name) else entry
        return entry

    return tuple(map(change, position)) if turned else position


def _turned_torsion_spring(e: TorsionSpring) -> TorsionSpring:
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


def _on_turned_coordinate(e: Any) -> Any:
    """A motion, motor, spring or stops on a coordinate that changes its sign; damping has no sign."""
    if isinstance(e, TorsionSpring):
        return _turned_torsion_spring(e)
    if isinstance(e, JointLimits):
        return replace(e, low=minus(e.high), high=minus(e.low))
    if e.family == "force" and e.signed:
        return replace(e, **{name: negated(getattr(e, name)) for name in e.signed})
    if isinstance(e, Actuator) and isinstance(e.law, str):
        return replace(e, law=odd_image(e.law, ("distance", "rate", "angle", "speed")))
    return replace(e, law=negated(e.law)) if isinstance(e, Motion | Actuator) else e


def _flipped(v: Vector, upright: bool, place: float = 0.0) -> Vector:
    """A vector or a point with one component mirrored."""
    x, y = v
    return (minus(x, place), y) if upright else (x, minus(y, place))
