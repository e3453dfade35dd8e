"""The silhouettes of spatial bodies in the plane of the picture."""

import numpy as np

from engine.model.shapes import Mesh, Sphere
from engine.model.solids import hull
from gui.placing.plane.shadow import corners

TIP_DOWN = Mesh(
    vertices=((-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, -2.0)),
    faces=((0, 1, 2), (1, 0, 3), (2, 1, 3), (0, 2, 3)),
)


def test_a_ball_is_round_on_all_sides():
    outline = hull(corners(Sphere(radius=0.5))[:, [0, 2]])
    assert np.hypot(*outline.T).min() > 0.49 and np.ptp(outline, axis=0).min() > 0.99


def test_a_mesh_keeps_its_lowest_point():
    outline = hull(corners(TIP_DOWN)[:, [0, 2]])
    assert outline[:, 1].min() == -2.0 and outline[:, 1].max() == 0.0
