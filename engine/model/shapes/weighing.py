"""Mass, centre and inertia of bodies, from their shapes and from what is given instead.

Every solid has three moments, independent of its density:

    V = integral dV      c = integral x dV / V      S = integral (x - c)(x - c)^T dV / V

and a body of mass m made of it has about its centre of mass

    J = m (Sxx + Syy)           in the plane
    J = m (tr(S) 1 - S)         in space, body axes
"""

from dataclasses import dataclass, replace
from math import isfinite
from typing import Any

import numpy as np

from engine.errors import EngineError
from engine.model.shapes.bending import Part, Polyline
from engine.model.shapes.kinds import SHAPES
from engine.model.shapes.shape import Shape
from engine.model.solids import (
    Moments,
    check_fields,
    check_inertia,
    check_number,
    check_weight,
    given_inertia,
    plain,
)

PLACES = {2: "in the plane", 3: "in space"}


@dataclass(frozen=True, slots=True)
class MassProperties:
    """Mass, centre of mass in the body frame, and inertia about it along body axes."""

    mass: float
    center: tuple[float, ...]
    inertia: Any  # a float in the plane, 3x3 nested tuples in space


def mass_properties(shape: Shape, density: float, dim: int) -> MassProperties:
    """Mass, centre and inertia of a solid of this density."""
    check_shape(shape, dim)
    moments = shape.moments()
    mass = moments.volume if isinstance(shape, Part) else density * moments.volume
    if not mass > 0.0:
        raise EngineError("The {kind} has no volume, so its mass must be given.", kind=shape.kind)
    if not isfinite(mass):
        raise EngineError(
            "The {kind} is too heavy to compute with; check its units.", kind=shape.kind
        )
    return with_mass(_per_kilogram(moments, dim), mass)


def with_mass(properties: MassProperties, mass: float) -> MassProperties:
    """The same solid with another mass: J grows as m."""
    ratio = mass / properties.mass
    if isinstance(properties.inertia, float):
        return MassProperties(mass, properties.center, properties.inertia * ratio)
    with np.errstate(over="ignore", invalid="ignore"):
        J = np.array(properties.inertia) * ratio  # beyond the range of floats it is inf or nan
    return replace(properties, mass=mass, inertia=plain(J))


def body_mass_properties(body: Any) -> MassProperties:
    """Mass, centre and inertia of a resolved body or particle; zeros for a fixed one.

    Given values take precedence; the rest comes from the shape: its inertia is scaled to a given mass, and
    is about a given centre. A body without an `inertia` field is a point.
    """
    try:
        return _weigh(body, len(body.position))
    except EngineError as error:
        sentence = error.sentence[:1].lower() + error.sentence[1:]
        where = f"{body.kind.capitalize()} '{body.label}'"
        raise EngineError("{where}: {sentence}", body.id, where=where, sentence=sentence) from None


def check_shape(shape: Shape, dim: int) -> None:
    """Raise EngineError unless the shape is possible here; an open mesh is possible, but has no volume."""
    if dim not in shape.dims:
        raise EngineError(
            "A {kind} exists {there} only; {here} there are {kinds}.",
            kind=shape.kind,
            there=PLACES[shape.dims[0]],
            here=PLACES[dim],
            kinds=", ".join(s.kind for s in SHAPES if dim in s.dims),
        )
    if isinstance(shape, Part) and any(len(x) != dim for x in shape.nodes):
        raise EngineError(
            "Every node of a part needs {dim} coordinates {here}.", dim=dim, here=PLACES[dim]
        )
    check_fields(shape)
    shape.check()
    if isinstance(shape, Polyline) and any(len(x) > dim for x in shape.points):
        raise EngineError(
            "In the plane every corner of a line of bars has two coordinates; leave out the third."
        )


def _per_kilogram(moments: Moments, dim: int) -> MassProperties:
    """The solid with mass 1."""
    if dim == 2:
        J_z = float(moments.spread[0][0] + moments.spread[1][1])
        return MassProperties(1.0, moments.center[:dim], J_z)
    S = np.array(moments.spread)
    J = np.trace(S) * np.eye(3) - S
    return MassProperties(1.0, moments.center[:dim], plain(np.array(J)))


def _weigh(body: Any, dim: int) -> MassProperties:
    """As body_mass_properties; sentences without the name of the body."""
    origin = (0.0,) * dim
    shape = getattr(body, "shape", None)
    if shape is not None:
        check_shape(shape, dim)
    if body.mass is not None:
        check_number("The mass", body.mass, {"above": 0.0})
    if body.fixed or not hasattr(body, "inertia"):
        no_inertia = plain(np.zeros((3, 3)) if dim == 3 else np.zeros(()))
        return MassProperties(0.0 if body.fixed else float(body.mass), origin, no_inertia)
    return _overridden(body, shape, dim, origin)


def _overridden(body: Any, shape: Shape | None, dim: int, origin: tuple[float, ...]) -> Any:
    """The mass properties of the shape, overridden by the values given on the body."""
    if shape is None and body.mass is None:
        raise EngineError("It has neither a shape nor a mass; give it one of them.")
    if shape is None and body.inertia is None:
        raise EngineError(
            "It has a mass but no shape and no inertia; give it a shape or an inertia, "
            "or make it a particle."
        )
    solid = MassProperties(1.0, origin, None)
    if shape is not None and None in (body.mass, body.center, body.inertia):
        if body.mass is None:
            check_number("The density", body.density, {"above": 0.0})
            solid = mass_properties(shape, body.density, dim)
        else:
            solid = with_mass(_per_kilogram(shape.moments(), dim), body.mass)
    center = solid.center if body.center is None else tuple(map(float, body.center))
    if not all(map(isfinite, center)):
        raise EngineError("Its centre of mass is not a finite point.")
    inertia = solid.inertia if body.inertia is None else given_inertia(body.inertia, dim)
    mass = solid.mass if body.mass is None else float(body.mass)
    if not (isfinite(mass) and mass > 0.0 and np.isfinite(inertia).all()):
        raise EngineError("Its mass or inertia is beyond the numbers a computer has; check units.")
    check_weight(mass, inertia)
    if dim == 3:
        check_inertia(np.array(inertia))
    elif not inertia > 0.0:
        raise EngineError("Its inertia is zero; give the shape a size, or give an inertia.")
    return MassProperties(mass, center, inertia)
