"""What sits on a joint: motors, torsion springs, dampers, stops; gears and racks between two joints.

Every function that makes something returns the new model and the id of what it made.
"""

from collections.abc import Iterable
from dataclasses import replace
from math import dist, pi
from typing import Any

import numpy as np

from engine.editing.edits.bodies import radius_of
from engine.editing.edits.connecting import KINDS
from engine.editing.edits.placing import (
    bodies_of,
    built,
    drawn_value,
    element,
    gap,
    joint_point,
    label,
    marker_frame,
    size,
    space_marker,
)
from engine.errors import EngineError, say
from engine.kernels import layout
from engine.model.attachments import markers_of
from engine.model.connections import Coordinate
from engine.model.elements import Element, Id, Model, put, references
from engine.model.fields import Function, declared
from engine.model.forces import TorsionSpring
from engine.model.joints import Joint, Prismatic
from engine.model.joints.freedom import freedom

LITTLE_DAMPING = 0.1  # N m s/rad, of a new torsion spring with a damper
STOP_ANGLE = pi / 4  # of new joint limits, to either side
NEARLY = 0.05  # relative tolerance of the radii of drawn wheels against their distance
STOP_SHARE = 0.2  # the same for a displacement, of the size of the drawing


def coordinates(model: Model, joint: Id) -> dict[str, Coordinate]:
    """The coordinates of a joint by name; the main one first."""
    return element(model, joint, "joint").coordinates(model)


def coordinate_value(model: Model, joint: Id, name: str = "") -> float:
    """A coordinate of a joint as drawn."""
    known = coordinates(model, joint)
    return drawn_value(model, known[name] if name else next(iter(known.values())))


def is_driven(model: Model, joint: Id, name: str) -> bool:
    """Whether a motion prescribes this coordinate already."""
    first = next(iter(coordinates(model, joint)), "")
    driven = [m for m in model.of("motion") if m.joint == joint]
    return any((m.coordinate or first) == name for m in driven)


def motion(
    model: Model, joint: Id, law: Function, quantity: str = "position", coordinate: str = ""
) -> tuple[Model, Id]:
    """Drive a coordinate of a joint along a law."""
    name = _known(model, joint, coordinate, "motion")
    if is_driven(model, joint, name):
        raise EngineError(
            "The {name} of '{joint}' is driven already; edit that motion instead.",
            joint,
            name=name,
            joint=label(model, joint),
        )
    extra = {"coordinate": coordinate} if coordinate else {}
    return built(model, lambda m: m.motion(joint, law, quantity, **extra))


def actuator(model: Model, joint: Id, law: Function, coordinate: str = "") -> tuple[Model, Id]:
    """A motor in a joint that gives a force or torque by a law."""
    _known(model, joint, coordinate, "motor")
    extra = {"coordinate": coordinate} if coordinate else {}
    return built(model, lambda m: m.actuator(joint, law, **extra))


def has_coordinate(kind: str) -> bool:
    """Whether what a kind does in a joint goes along one of its coordinates."""
    return any(field.name == "coordinate" for field in declared(KINDS[kind]))


def in_joint(model: Model, kind: str, joint: Id, coordinate: str = "") -> tuple[Model, Id]:
    """Anything that acts in a joint or along a coordinate of it, with its usual numbers."""
    if has_coordinate(kind):
        _known(model, joint, coordinate, kind.replace("_", " "))
    extra = {"coordinate": coordinate} if coordinate else {}
    return built(model, lambda m: m.on_joint(KINDS[kind], joint, **extra))


def torsional(model: Model, kind: str, joint: Id) -> tuple[Model, Id]:
    """A spring, damper or both that act in a joint: on its angle, a damper on any coordinate."""
    known, twin = coordinates(model, joint), _in_joint(kind)
    if twin is TorsionSpring and "angle" not in known:
        raise EngineError(
            "'{joint}' has no angle, so it takes no torsion spring; draw the spring "
            "between two bodies.",
            joint,
            joint=label(model, joint),
        )
    _known(model, joint, "", kind.replace("_", " "))
    damped = twin is TorsionSpring and KINDS[kind](id=kind).damping  # type: ignore[attr-defined]
    fields = {"damping": LITTLE_DAMPING} if damped else {}
    return built(model, lambda m: m.on_joint(twin, joint, **fields))


def takes_torsional(model: Model, kind: str, joint: Id) -> bool:
    """Whether a spring or damper of a kind may act in a joint."""
    known = coordinates(model, joint)
    return "angle" in known if _in_joint(kind) is TorsionSpring else bool(known)


def _in_joint(kind: str) -> type[Element]:
    """The class that does in a joint what a kind does between two points."""
    return KINDS[KINDS[kind].in_joint]  # type: ignore[attr-defined]


def limits(model: Model, joint: Id, coordinate: str = "") -> tuple[Model, Id]:
    """Stops to both sides of where a joint is drawn."""
    name = _known(model, joint, coordinate, "stop")
    known = coordinates(model, joint)[name]
    value = drawn_value(model, known)
    reach = STOP_ANGLE if known.is_angle else float(f"{STOP_SHARE * size(model):.1g}")
    extra = {"coordinate": coordinate} if coordinate else {}
    low, high = (float(f"{value + sign * reach:.12g}") for sign in (-1.0, 1.0))
    return built(model, lambda m: m.joint_limits(joint, low, high, **extra))


def gear(model: Model, joint_1: Id, joint_2: Id) -> tuple[Model, Id]:
    """Two gears on two revolute joints with one carrier; radii of discs, else half the distance."""
    for id in (joint_1, joint_2):
        _refuse_other_kind(model, id, "revolute", say("A gear turns in a revolute joint"))
    model, carrier = _with_one_carrier(model, joint_1, joint_2)
    apart = dist(joint_point(model, joint_1), joint_point(model, joint_2))
    wheels = [next(b for b in bodies_of(model, j) if b != carrier) for j in (joint_1, joint_2)]
    radii = [radius_of(model, wheel) for wheel in wheels]
    known = [radius for radius in radii if radius is not None]
    given: list[float | None] = [None, None]
    if len(known) == 2:
        inside = abs(abs(known[0] - known[1]) - apart) <= NEARLY * apart
    elif known:
        inside = known[0] > apart
        given = [abs(apart - known[0]) if radius is None else None for radius in radii]
    else:
        inside, given = False, [apart / 2, apart / 2]
    if not min(r for r in (*known, *given) if r is not None) > 0.0:
        raise EngineError("These gears have the same middle, so they cannot mesh.", *wheels)
    if model.dim == 3 and _axis(model, joint_1) @ _axis(model, joint_2) < 0.0:
        inside = not inside  # the angles are counted about opposite axes
    extra = {"inside": True} if inside else {}
    return built(model, lambda m: m.gear(joint_1, joint_2, *given, **extra))


def rack_and_pinion(model: Model, joint_1: Id, joint_2: Id) -> tuple[Model, Id]:
    """A pinion in a revolute joint drives a rack in a prismatic one; given in either order."""
    if isinstance(model[joint_1], Prismatic):
        joint_1, joint_2 = joint_2, joint_1
    _refuse_other_kind(model, joint_1, "revolute", say("A pinion turns in a revolute joint"))
    _refuse_other_kind(model, joint_2, "prismatic", say("A rack slides in a slider"))
    model, carrier = _with_one_carrier(model, joint_1, joint_2)
    height = _height_over_rail(model, joint_1, joint_2)
    pinion = next(b for b in bodies_of(model, joint_1) if b != carrier)
    radius = radius_of(model, pinion) or abs(height)
    if not radius > 0.0:
        raise EngineError(
            "'{joint_1}' lies on the rail and its body is no disc, so the pinion has "
            "no radius; draw a disc there.",
            joint_1,
            joint_1=label(model, joint_1),
        )
    signed = radius if height >= 0.0 else -radius
    return built(model, lambda m: m.rack_and_pinion(joint_1, joint_2, signed))


def _axis(model: Model, joint: Id) -> np.ndarray:
    """The axis of a joint in space as drawn."""
    return space_marker(model, markers_of(model[joint])[0]).R[:, 2]


def _height_over_rail(model: Model, joint_1: Id, joint_2: Id) -> float:
    """How far the middle of a pinion is from its rail; negative where it moves the rack backwards.

    In the plane that is to the left of the rail. In space, with a the vector from the pinion to the rail,
    the rim moves along z_1 x a, and the rack along z_2.
    """
    middle = joint_point(model, joint_1)
    rail = markers_of(model[joint_2])[0]
    if model.dim == 2:
        return marker_frame(model, rail).to_local(middle)[1]
    frame = space_marker(model, rail)
    z = frame.R[:, 2]
    a = frame.r - np.array(middle)
    a = a - z * (z @ a)
    return float(np.cross(_axis(model, joint_1), a) @ z)


def _known(model: Model, joint: Id, coordinate: str, what: str) -> str:
    """The name of a coordinate that a joint has, or an EngineError."""
    known = coordinates(model, joint)
    if not known:
        kind = model[joint].kind.replace("_", " ")
        raise EngineError(
            "'{joint}' is a {kind} and has nothing a {what} could act on; choose a "
            "joint that turns or slides.",
            joint,
            joint=label(model, joint),
            kind=kind,
            what=what,
        )
    if coordinate and coordinate not in known:
        raise EngineError(
            "'{joint}' has no {coordinate}.",
            joint,
            joint=label(model, joint),
            coordinate=coordinate,
        )
    return coordinate or next(iter(known))


def _refuse_other_kind(model: Model, id: Id, kind: str, sentence: str) -> None:
    if element(model, id, "joint").kind != kind:
        other = model[id].kind.replace("_", " ")
        raise EngineError(
            "{sentence}, but '{id}' is a {other}.",
            id,
            sentence=sentence,
            id=label(model, id),
            other=other,
        )


def _with_one_carrier(model: Model, joint_1: Id, joint_2: Id) -> tuple[Model, Id]:
    """The model with the body that both joints share on the side i of each, and that body.

    The angle is measured from there. A joint is reversed where nothing depends on its sense.
    """
    if joint_1 == joint_2:
        raise EngineError("Choose two different joints.", joint_1)
    shared = [b for b in bodies_of(model, joint_1) if b in bodies_of(model, joint_2)]
    if not shared:
        raise EngineError(
            "'{joint_1}' and '{joint_2}' sit on no body in common, so "
            "wheels in them cannot keep their distance; choose joints on the same body.",
            joint_1,
            joint_2,
            joint_1=label(model, joint_1),
            joint_2=label(model, joint_2),
        )
    starts = {model[markers_of(model[j])[0]].body for j in (joint_1, joint_2)}
    carrier = next((b for b in shared if starts == {b}), shared[0])
    for id in (joint_1, joint_2):
        joint: Joint = model[id]
        if model[joint.marker_i].body == carrier:
            continue
        users = [e.id for e in model if id in references(e)]
        if users:
            raise EngineError(
                "'{joint}' counts its angle from the wheel, and '{users}' "
                "depends on that; exchange its markers first.",
                id,
                *users,
                joint=joint.label,
                users=label(model, users[0]),
            )
        model = put(model, replace(joint, marker_i=joint.marker_j, marker_j=joint.marker_i))
    return model, carrier


def open_joints(model: Model, ids: Iterable[Id], tolerance: float) -> set[Id]:
    """Those of these joints that do not close as drawn."""
    joints: list[Any] = [model[id] for id in ids if len(markers_of(model[id])) == 2]
    meeting = [j for j in joints if not freedom(j, model.dim).spans]
    return {j.id for j in meeting if gap(model, j) > tolerance}


def is_angle(model: Model, joint: Id, coordinate: str) -> bool:
    """Whether a coordinate of a joint is an angle."""
    return coordinates(model, joint)[coordinate].kind == layout.ANGLE
