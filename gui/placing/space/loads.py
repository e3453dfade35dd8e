"""Given forces and torques as vectors of the world."""

from typing import Any

import numpy as np

from engine.kernels.layout import FORCE, TORQUE
from gui.placing.space.placement import SpacePlacement


def force_in_space(p: SpacePlacement, force: Any, t: float = 0.0) -> np.ndarray:
    """The given force of an element at a moment [N]."""
    return _sum(p, force, FORCE, t)


def torque_in_space(p: SpacePlacement, torque: Any, t: float = 0.0) -> np.ndarray:
    """The given torque of an element at a moment [N m]."""
    return _sum(p, torque, TORQUE, t)


def _sum(p: SpacePlacement, element: Any, kind: int, t: float) -> np.ndarray:
    total = np.zeros(3)
    for given in p.given.of(element.id, kind):
        own = np.array(given.at(t))
        if given.load.in_body_axes and given.load.marker in p.marker_index:
            own = p.R[p.marker_body[p.marker_index[given.load.marker]]] @ own
        total += own
    return total
