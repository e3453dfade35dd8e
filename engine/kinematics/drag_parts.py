"""What moves when a body is dragged: everything connected to it, weighted by size instead of mass."""

from dataclasses import replace
from math import hypot
from types import MappingProxyType
from typing import Any

import numpy as np

from engine.errors import EngineError
from engine.model.bodies import Particle
from engine.model.elements import GROUND, Id, Model, put, references
from engine.model.joints import Gear
from engine.model.shapes import body_mass_properties


def connected(model: Model, body: Id) -> frozenset[Id]:
    """The moving bodies that joints connect to a body, directly or through others, and the body itself."""
    ties = [bodies_of(model, joint.id) for joint in model.of("joint")]
    moving = {b.id for b in model.of("body") if not b.fixed}
    found, border = {body}, {body}
    while border:
        border = {b for tie in ties if tie & border for b in tie if b in moving} - found
        found |= border
    return frozenset(found)


def bodies_of(model: Model, id: Id) -> set[Id]:
    """The bodies that a joint, force or motion attaches to, through markers and other joints."""
    element = model.elements.get(id)
    if element is None:
        return set()
    if element.family == "marker":
        return {element.body}
    found: set[Id] = set()
    for ref in references(element):
        found |= bodies_of(model, ref)
    return found


def part(model: Model, ids: frozenset[Id]) -> Model:
    """The parameters, these bodies, and the joints and motions on them; the rest is left out."""
    ties = [e for e in model if e.family in ("joint", "motion") and bodies_of(model, e.id) & ids]
    needed = {e.id for e in model.of("parameter")} | ids | {e.id for e in ties}
    while more := {r for id in needed if id in model for r in references(model[id])} - needed:
        needed |= more - {GROUND}
        if not more - {GROUND}:
            break
    kept = {id: e for id, e in model.elements.items() if id in needed}
    return replace(model, elements=MappingProxyType(kept))


def weightless(model: Model) -> Model:
    """The same with bodies weighted by their size: mass one, J the square of a radius, and no shape."""
    new: list[Any] = [_with_radii(model, e) for e in model if isinstance(e, Gear)]
    for body in model.of("body"):
        if isinstance(body, Particle):
            new.append(replace(body, mass=1.0))
            continue
        arms = [hypot(*m.position) for m in model.of("marker") if m.body == body.id]
        center, J = body.center or (0.0,) * model.dim, (max([*arms, 1e-6]) / 2) ** 2
        try:
            solid = body_mass_properties(replace(body, fixed=False))
            center, J = solid.center[: model.dim], _radius_squared(solid)
        except EngineError:
            pass
        J = max(J, 1e-12)
        measured: dict[str, Any] = {"inertia": J}
        if model.dim == 3:
            measured = {"inertia": (J, J, J, 0.0, 0.0, 0.0), "parameters": "quaternion"}
        new.append(replace(body, shape=None, mass=1.0, center=center, **measured))
    return put(model, *new)


def _with_radii(model: Model, gear: Gear) -> Gear:
    """A gear that needs no disc to take its radii from."""
    try:
        first, second = gear.radii(model)
    except EngineError:
        return gear
    return replace(gear, radius_1=first, radius_2=second)


def _radius_squared(solid: Any) -> float:
    """J per mass; in space the mean over all axes."""
    J = np.array(solid.inertia)
    return float(J if J.ndim == 0 else np.trace(J) / 3.0) / solid.mass


def is_placed_by_numbers(body: Any) -> bool:
    """Whether a body may be moved without losing an expression."""
    turn = getattr(body, "orientation", (getattr(body, "angle", 0.0),))
    return not any(isinstance(n, str) for n in (*body.position, *turn))
