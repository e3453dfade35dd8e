"""Where bodies and markers are, computed in plain numpy, independently of the kernels."""

from typing import NamedTuple

import numpy as np

from engine.compiling.system import Compiled
from engine.kernels import dynamics
from engine.model.elements import GROUND
from engine.model.shapes import body_mass_properties
from rotations import SEQUENCES, convert, quaternion


class Pose(NamedTuple):
    """A frame in the world; in the plane z and the third axis are included."""

    P: np.ndarray  # (3,)
    axes: np.ndarray  # (3, 3), columns


def about_z(angle: float) -> np.ndarray:
    """The rotation about z."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def in_space(vector) -> np.ndarray:
    """A vector of the plane or of space with three components."""
    return np.array([*vector, 0.0, 0.0][:3], dtype=float)


def body_pose(compiled: Compiled, q: np.ndarray, id: str) -> Pose:
    """The mass centre and the axes of a body at q; those of the world for the ground."""
    if id == GROUND:
        return Pose(np.zeros(3), np.eye(3))
    k, dim = compiled.body_ids.index(id), compiled.system.dim
    P, turn = q[compiled.layout.position(k)], q[compiled.layout.orientation(k)]
    if dim == 2:
        return Pose(in_space(P), about_z(turn[0]))
    code = int(compiled.system.bodies["orientation"][k])
    unit = turn if code < 0 else convert(turn[:3], SEQUENCES[code], "quaternion")
    return Pose(P.copy(), quaternion.matrix(unit))


def marker_pose(compiled: Compiled, q: np.ndarray, id: str) -> Pose:
    """The origin and the axes of a marker at q."""
    marker = compiled.resolved[id]
    body = body_pose(compiled, q, marker.body)
    s = in_space(marker.position)
    if marker.body != GROUND:
        s = s - in_space(body_mass_properties(compiled.resolved[marker.body]).center)
    own = (
        about_z(marker.angle) if compiled.system.dim == 2 else quaternion.matrix(marker.orientation)
    )
    return Pose(body.P + body.axes @ s, body.axes @ own)


def moved(compiled: Compiled, q: np.ndarray, dv: np.ndarray) -> np.ndarray:
    """The pose after a small displacement, given like a velocity."""
    q, system = q.copy(), compiled.system
    dynamics.move(system.dim, system.bodies, q, dv, np.zeros_like(q))
    return q


def slope(of, h: float = 1e-3):
    """The derivative of a function at zero by central differences of sixth order.

    For functions of order one: truncation near h^6 = 1e-18, rounding near 1e-16 / h = 1e-13.
    """
    near, middle, far = (of(n * h) - of(-n * h) for n in (1, 2, 3))
    return (45 * near - 9 * middle + far) / (60 * h)
