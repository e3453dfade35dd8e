"""All shapes, in the order of forms."""

from engine.model.shapes.bending import Beam, Part, Polyline
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

SHAPES: tuple[type[Shape], ...] = (
    *(Rod, Beam, Box, Disc, Cylinder, Sphere, Capsule, Polygon, Polyline, Mesh, Part),
)
