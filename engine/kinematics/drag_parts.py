"""What moves when a body is dragged: everything connected to it, weighted by size instead of mass."""

from collections.abc import Sequence
from dataclasses import fields, replace
from math import hypot
from types import MappingProxyType
from typing import Any

import numpy as np

from engine.errors import EngineError
from engine.model.bodies import Particle
from engine.model.elements import GROUND, Id, Model, put, references
from engine.model.joints import Gear
from engine.model.shapes import Beam, Part, Polyline, Rod, Shape, body_mass_properties

PLACE = ("position", "angle", "orientation")


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
    if element.family in ("marker", "body"):
        return {element.body if element.family == "marker" else id}
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


def without_starts(model: Model, moved: Sequence[Any]) -> Model:
    """The model without start values of joints whose bodies were dragged: the drawing says them now."""
    ids = {body.id for body in moved}
    new: list[Any] = []
    for joint in model.of("joint"):
        names = [f.name for f in fields(joint) if f.name.endswith("_start")]
        typed = [name for name in names if getattr(joint, name) is not None]
        if typed and bodies_of(model, joint.id) & ids:
            new.append(replace(joint, **dict.fromkeys(typed, None)))
    return put(model, *new) if new else model


def unmarked(before: Model, after: Model) -> Model:
    """The model after a drag: places and angles that it changed are no longer marked as typed."""
    new: list[Any] = []
    for body in after.of("body"):
        old = before.elements.get(body.id)
        if old is not None and old is not body:
            names = [n for n in PLACE if getattr(body, f"{n}_typed", False)]
            moved = [f"{n}_typed" for n in names if getattr(body, n) != getattr(old, n)]
            if moved:
                new.append(replace(body, **dict.fromkeys(moved, False)))
    return put(after, *new) if new else after


def weightless(model: Model) -> Model:
    """The same with bodies weighted by their size: mass one, J the square of a radius, and no shape."""
    new: list[Any] = [_with_radii(model, e) for e in model if isinstance(e, Gear)]
    for body in model.of("body"):
        if isinstance(body, Particle):
            new.append(replace(body, mass=1.0))
            continue
        arms = [hypot(*m.position) for m in model.of("marker") if m.body == body.id]
        shape = None
        center, J = body.center or (0.0,) * model.dim, (max([*arms, 1e-6]) / 2) ** 2
        try:
            solid = body_mass_properties(replace(body, fixed=False))
            center, J = solid.center[: model.dim], _radius_squared(solid)
            shape = _rigid(body.shape)
        except EngineError:
            pass
        J = max(J, 1e-12)
        measured: dict[str, Any] = {"inertia": J}
        if model.dim == 3:
            measured = {"inertia": (J, J, J, 0.0, 0.0, 0.0), "parameters": "quaternion"}
        new.append(replace(body, shape=shape, mass=1.0, center=center, **measured))
    return put(model, *new)


def _rigid(shape: Shape | None) -> Shape | None:
    """What is rigid in place of what bends, which has no mass but its own; it is straight meanwhile."""
    if isinstance(shape, Part):
        return None
    if isinstance(shape, Polyline):
        return replace(shape, flexible=False)
    if not isinstance(shape, Beam):
        return shape
    return Rod(length=shape.length, width=shape.width, thickness=shape.thickness)


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
