"""Given forces and torques as vectors of the world."""

from typing import Any

import numpy as np

from gui.placing.plane.loads import function_value
from gui.placing.space.placement import SpacePlacement


def force_in_space(p: SpacePlacement, force: Any, t: float = 0.0) -> np.ndarray:
    """A given force at a moment [N]."""
    return _vector(p, force, t, ("f_x", "f_y", "f_z"))


def torque_in_space(p: SpacePlacement, torque: Any, t: float = 0.0) -> np.ndarray:
    """A given torque at a moment [N m]."""
    return _vector(p, torque, t, ("t_x", "t_y", "t_z"))


def _vector(p: SpacePlacement, load: Any, t: float, names: tuple[str, ...]) -> np.ndarray:
    laws = [getattr(load, name, 0.0) for name in names]
    known: dict[str, float] = {}
    if any(isinstance(law, str) for law in laws):
        known = {e.id: float(e.value) for e in p.model.of("parameter")}
    value = np.array([function_value(law, t, known) for law in laws])
    if load.axes == "body" and load.marker_i in p.marker_index:
        value = p.R[p.marker_body[p.marker_index[load.marker_i]]] @ value
    return value
