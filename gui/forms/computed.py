"""Values that the program computes where a field is left empty, shown in grey."""

from dataclasses import fields, replace
from math import hypot
from types import MappingProxyType
from typing import Any

import numpy as np

from engine.compiling.geometry import Geometry
from engine.errors import EngineError
from engine.formulas.resolve import resolved
from engine.kernels.acting import contact_laws
from engine.model.connections import joint_coordinate
from engine.model.elements import GROUND, Id, Model, references
from engine.model.fields import plain
from engine.model.forces import Contact
from engine.model.joints import Gear
from engine.model.shapes import body_mass_properties
from gui.forms.fields import tr
from gui.look.translation import QT_TRANSLATE_NOOP
from gui.state.preferences import Preferences, length_text

N = QT_TRANSLATE_NOOP

PRESSED = N("Forms", "The weight of the lighter body presses it in by {0}, on one point.")
FLOOR = N("Forms", "Below {0} it does not bounce.")
DUST = 1e-13  # of the size: rounding error of a number that should be zero


def computed_values(model: Model, id: Id) -> dict[str, Any]:
    """Values in SI units of those fields of an element that are left empty, as far as known."""
    try:
        part = resolved(_part(model, id))
        element = part[id]
        if element.family == "body":
            return _weights(element)
        if isinstance(element, Gear):
            return _of_gear(element, part)
        if isinstance(element, Contact):
            return _of_contact(element, part)
        if {"marker_i", "marker_j"} <= {f.name for f in fields(element)}:
            length = _distance(part, element.marker_i, element.marker_j)
            return {"free_length": length, "length": length}
    except (EngineError, KeyError):
        return {}
    return {}


def _of_gear(gear: Gear, part: Model) -> dict[str, Any]:
    """Radii of discs; of teeth in contact their number, stiffness and damping too."""
    found: dict[str, Any] = dict(zip(("radius_1", "radius_2"), gear.radii(part)))
    if not gear.is_in_contact:
        return found
    wheels = gear.wheels(part)
    found |= {"teeth_1": wheels[0].z, "teeth_2": wheels[1].z, "module": wheels[0].module}
    return found | {"stiffness": gear.stiffness_of(part), "damping": gear.damping_of(part)}


def _of_contact(contact: Contact, part: Model) -> dict[str, Any]:
    """The stiffness, and the spring of sticking friction."""
    param = contact.interactions(part)[0].param
    return {
        "stiffness": param[contact_laws.STIFFNESS],
        "stick_stiffness": param[contact_laws.K_T],
        "stick_damping": param[contact_laws.C_T],
    }


def remark(model: Model, id: Id, preferences: Preferences) -> str:
    """What follows from the numbers of an element, in words: how deep a contact is pressed in at rest.

    k d^e = m g of the lighter body.
    """
    element = model.elements.get(id)
    if not isinstance(element, Contact):
        return ""
    try:
        part = resolved(_part(model, id))
        contact: Any = part[id]
        param = contact.interactions(part)[0].param
        pull = contact.lighter(part)[0] * hypot(*map(plain, part.gravity))
    except (EngineError, KeyError):  # told elsewhere
        return ""
    told = []
    if pull > 0.0:
        depth = (pull / param[contact_laws.STIFFNESS]) ** (1.0 / param[contact_laws.EXPONENT])
        told.append(tr(PRESSED).format(length_text(depth, preferences)))
    if contact.law != "impact":
        speed = " ".join(preferences.shown(float(contact.least_speed), "m/s", 3))
        told.append(tr(FLOOR).format(speed))
    return " ".join(told)


def stabilising(model: Model) -> dict[str, float]:
    """Alpha and beta [1/s] that a run of the model would use; empty where that is not known yet."""
    from engine.running.formulation import (
        baumgarte,  # here, because loading the kernels takes a moment
    )

    try:
        settings = resolved(model).settings
        alpha, beta = baumgarte(settings, float(settings.step))
    except (EngineError, KeyError):  # they are unstable, or the method is chosen at the start
        return {}
    return {"alpha": alpha, "beta": beta}


def unit_of(metadata: Any, element: Any, model: Model) -> str:
    """The SI unit of a field; where it depends on the joint, that of the joint's coordinate."""
    unit = metadata.get("unit", "")
    if element is not None and element.family == "trigger" and metadata["role"] == "number":
        base = "rad" if element.quantity == "angle" else "m"
        return base if element.of == "value" else f"{base}/s"
    is_law = element is not None and element.family == "motion" and metadata["role"] == "function"
    if " or " not in unit and not is_law:
        return unit
    try:
        joint = element.joint
        part = resolved(_part(model, element.id))
        turns = joint_coordinate(part, joint, element.coordinate, element.id).is_angle
    except (EngineError, KeyError, AttributeError):
        if unit != "N or N m":
            return unit
        turns = getattr(element, "acts", "") == "torque"
    if is_law:
        base = "rad" if turns else "m"
        level = ("position", "speed", "acceleration").index(element.quantity)
        return base + ("", "/s", "/s^2")[level]
    return unit.split(" or ")[1 if turns else 0]


def _part(model: Model, id: Id) -> Model:
    """The element with everything it refers to, and the parameters."""
    wanted = {e.id for e in model.of("parameter")}
    todo = [id]
    while todo:
        one = todo.pop()
        if one not in wanted and one != GROUND:
            wanted.add(one)
            todo += [other for other in references(model[one]) if other in model]
    kept = {key: e for key, e in model.elements.items() if key in wanted}
    return replace(model, elements=MappingProxyType(kept))


def _weights(body: Any) -> dict[str, Any]:
    """Mass, centre and inertia; those of a part of the ground are computed as if it could move."""
    properties = body_mass_properties(replace(body, fixed=False))
    inertia = properties.inertia
    if len(body.position) == 3 and hasattr(body, "inertia"):
        J = np.array(inertia)
        dust = DUST * float(J.max(initial=0.0))
        inertia = tuple(
            float(J[k]) if abs(J[k]) > dust else 0.0
            for k in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
        )
    reach = float(np.sqrt(np.max(inertia) / properties.mass)) if properties.mass else 0.0
    center = tuple(c if abs(c) > DUST * reach else 0.0 for c in properties.center)
    return {"mass": properties.mass, "center": center, "inertia": inertia}


def _distance(part: Model, i: Id, j: Id) -> float:
    """The distance of two markers in the drawing."""
    fixed = {
        id: replace(e, fixed=True) if e.family == "body" else e for id, e in part.elements.items()
    }
    geometry = Geometry(replace(part, elements=MappingProxyType(fixed)))
    return float(np.linalg.norm(geometry.marker(j)[1] - geometry.marker(i)[1]))
