"""Mass properties of solids from their meshes, for tests."""

from engine.files.meshes import MeshData, mesh_shape
from engine.model.shapes import mass_properties


def mesh_mass_properties(vertices, faces, density):
    """Mass, centre and inertia of the solid inside a closed mesh."""
    return mass_properties(mesh_shape(MeshData(vertices, faces, ())), density, 3)
