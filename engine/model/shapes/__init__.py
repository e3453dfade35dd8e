"""Shapes of bodies, and the mass, centre and inertia that follow from them."""

from engine.model.shapes.bending import Beam, Part, Polyline, bends
from engine.model.shapes.kinds import SHAPES
from engine.model.shapes.rigid import (
    Box,
    Capsule,
    Cylinder,
    Disc,
    Mesh,
    Polygon,
    Rod,
    Sphere,
)
from engine.model.shapes.shape import Shape
from engine.model.shapes.weighing import (
    PLACES,
    MassProperties,
    body_mass_properties,
    check_shape,
    mass_properties,
    with_mass,
)

__all__ = [
    "PLACES",
    "SHAPES",
    "Beam",
    "Box",
    "Capsule",
    "Cylinder",
    "Disc",
    "MassProperties",
    "Mesh",
    "Part",
    "Polygon",
    "Polyline",
    "Rod",
    "Shape",
    "Sphere",
    "bends",
    "body_mass_properties",
    "check_shape",
    "mass_properties",
    "with_mass",
]
