"""Where bodies and markers of a resolved model are, as drawn."""

from math import cos, sin
from typing import Any

import numpy as np

from engine.model.elements import GROUND, Id, Model
from rotations import quaternion


def about_z(angle: float) -> np.ndarray:
    """The rotation about z."""
    c, s = cos(angle), sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def place(element: Any) -> tuple[np.ndarray, np.ndarray]:
    """Origin and axes (3x3, columns) of a body in the world, or of a marker in its body."""
    r = np.zeros(3)
    r[: len(element.position)] = element.position
    if hasattr(element, "angle"):
        return r, about_z(element.angle)
    if hasattr(element, "orientation"):
        return r, quaternion.matrix(np.array(element.orientation, dtype=float))
    return r, np.eye(3)  # a point mass


def place_in_world(model: Model, marker: Id) -> tuple[np.ndarray, np.ndarray]:
    """Origin and axes (3x3, columns) of a marker in the world."""
    P, axes = place(model[marker])
    if model[marker].body == GROUND:
        return P, axes
    r, R = place(model[model[marker].body])
    return r + R @ P, R @ axes
