"""The drawing of a body with mass and inertia but no shape: a cage with equivalent inertia.

A solid box of mass m with the sides a, b, c along its principal axes has

    J_a = m (b^2 + c^2) / 12   and so on,   hence   a^2 = 6 (J_b + J_c - J_a) / m
"""

from typing import Any

import numpy as np

from engine.errors import EngineError
from engine.model.shapes import body_mass_properties
from gui.placing.space import solids
from gui.placing.space.solids import Solid, merged

BAR = 0.035  # thickness of a bar of the cage, in its longest side
THINNEST = 0.06  # shortest side, in the longest one
SMALLEST, LARGEST = 0.02, 0.6  # longest side, in sizes of the model
UNKNOWN = 0.06  # of the model's size: the sides where mass or inertia are not known


def inertia_box(body: Any, scene: Any) -> tuple[Solid, Solid] | None:
    """The box that the mouse hits and the cage of its edges, in body axes.

    None for a body whose inertia is not known in space, if it has arms that are visible.
    """
    sides, R, center = principal_box(body)
    longest = float(sides.max())
    if longest <= 0.0:
        if scene.arms_of(body):
            return None
        sides, longest = np.full(3, UNKNOWN * scene.size), UNKNOWN * scene.size
    fits = np.clip(longest, SMALLEST * scene.size, LARGEST * scene.size)
    sides = np.maximum(sides * (fits / longest), THINNEST * fits)
    wide = BAR * float(fits)
    return solids.box(*sides).moved(R, center), cage(sides, wide).moved(R, center)


def principal_box(body: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Sides of the equivalent box, its axes as columns and its middle; sides of 0 if not known."""
    try:
        known = body_mass_properties(body)
    except EngineError:
        return np.zeros(3), np.eye(3), np.zeros(3)
    J = np.asarray(known.inertia, dtype=float)
    center = np.zeros(3)
    center[: len(known.center)] = known.center
    if J.shape != (3, 3) or not np.isfinite(J).all() or not known.mass > 0.0:
        return np.zeros(3), np.eye(3), center
    moments, R = np.linalg.eigh(J)
    square = 6.0 * (moments.sum() - 2.0 * moments) / float(known.mass)
    R[:, 2] *= np.sign(np.linalg.det(R)) or 1.0
    return np.sqrt(np.maximum(square, 0.0)), R, center


def cage(sides: np.ndarray, wide: float) -> Solid:
    """Twelve bars along the edges of a box."""
    bars = []
    for axis in range(3):
        others = [n for n in range(3) if n != axis]
        size = np.full(3, wide)
        size[axis] = sides[axis] + wide
        for a in (-0.5, 0.5):
            for b in (-0.5, 0.5):
                at = np.zeros(3)
                at[others] = a * sides[others[0]], b * sides[others[1]]
                bars.append(solids.box(*size).moved(np.eye(3), at))
    whole = merged(bars)
    whole.edges = []
    return whole
