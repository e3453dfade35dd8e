"""Axes of a plane are perpendicular unit vectors, however its normal lies."""

from math import cos, sin

import numpy as np
import pytest

from gui.tools.space import geometry as g

TILTS = (0.0, 1e-9, 1e-6, 4.9e-4, 1.4e-3, 2e-3, 0.5, np.pi / 2, np.pi - 4.9e-4)


@pytest.mark.parametrize("edges", [(), ((1.0, 5e-7, 0.0),)])
@pytest.mark.parametrize("tilt", TILTS)
def test_axes_are_a_right_handed_frame(tilt, edges):
    for turn in (0.0, 0.3, 2.0):
        normal = (sin(tilt) * cos(turn), sin(tilt) * sin(turn), cos(tilt))
        u, v = g.plane_axes(normal, tuple(g.unit(edge) for edge in edges))
        frame = np.array([u, v, normal])
        assert np.allclose(
            frame @ frame.T, np.eye(3), rtol=0.0, atol=1e-8
        )  # the worst that counts as a rotation is far more
        assert np.linalg.det(frame) == pytest.approx(1.0)
