"""The socket of a ball: a hollow ball, cut."""

from math import cos, pi

import numpy as np
import pytest

from gui.placing.space.solids import bowl


def test_a_bowl_is_a_closed_solid_whose_normals_point_out_of_its_wall():
    r, wall, opening = 0.045, 0.003, 0.6
    made = bowl(r, opening, wall, rings=40)
    a, b, c = (made.points[made.triangles[:, k]] for k in range(3))
    volume = np.sum(np.einsum("nc,nc->n", a, np.cross(b, c))) / 6.0
    expected = 2.0 * pi / 3.0 * ((r + wall) ** 3 - r**3) * (1.0 - cos(opening))
    assert volume == pytest.approx(expected, rel=1e-2)  # facets; positive: triangles face outwards
    far = np.linalg.norm(made.points, axis=1)
    assert np.allclose(far[far < r + 0.5 * wall], r) and far.max() == pytest.approx(r + wall)
    outward = np.einsum("nc,nc->n", made.points, made.normals) / far
    np.testing.assert_allclose(outward, np.where(far < r + 0.5 * wall, -1.0, 1.0))
    assert (made.points[:, 2] / far >= cos(opening) - 1e-12).all()
