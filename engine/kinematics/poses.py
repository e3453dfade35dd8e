"""Where the frames of all moving bodies are in a row of q, and how their points move."""

from typing import NamedTuple

import numpy as np

from engine.compiling.system import Compiled
from rotations import SEQUENCES, convert, euler_angles, quaternion


class Frames(NamedTuple):
    """Origins and axes of body frames, in the order of `Compiled.body_ids`, world axes."""

    r: np.ndarray  # (n_bodies, 3)      origins [m]
    R: np.ndarray  # (n_bodies, 3, 3)   body -> world


def body_frames(compiled: Compiled, q: np.ndarray) -> Frames:
    """The frames of the bodies in a row of q; of a planar model in the plane z = 0.

    q holds mass centres P, the drawing body frames:  r = P - R c
    """
    q, layout = np.asarray(q, dtype=float), compiled.layout
    n, turn = layout.n_bodies, q[layout.orientations]
    P, R = np.zeros((n, 3)), np.zeros((n, 3, 3))
    P[:, : layout.dim] = q[layout.positions]
    if layout.dim == 2:
        cos, sin = np.cos(turn[:, 0]), np.sin(turn[:, 0])
        R[:, 0, 0], R[:, 0, 1], R[:, 1, 0], R[:, 1, 1] = cos, -sin, sin, cos
        R[:, 2, 2] = 1.0
    else:
        codes = compiled.system.bodies["orientation"]
        for code in np.unique(codes):
            of = codes == code
            if code < 0:
                unit = turn[of] / np.linalg.norm(turn[of], axis=1, keepdims=True)
                R[of] = quaternion.matrix(unit)
            else:
                R[of] = euler_angles.matrix(SEQUENCES[code], turn[of, :3])
    return Frames(P - np.einsum("nij,nj->ni", R, compiled.center), R)


def unit_quaternion(compiled: Compiled, k: int, q: np.ndarray) -> np.ndarray:
    """The orientation of body k in a row of q as a quaternion, for any parameters."""
    code = int(compiled.system.bodies["orientation"][k])
    if code < 0:
        return quaternion.normalise(q[compiled.layout.orientation(k)])
    return convert(q[compiled.layout.angles(k)], SEQUENCES[code], "quaternion")


def point_rows(compiled: Compiled, q: np.ndarray, k: int, s_loc: np.ndarray) -> np.ndarray:
    """J with P_dot = J v for a point of body k, given from its mass centre in body axes."""
    layout = compiled.layout
    J = np.zeros((layout.dim, layout.n_v))
    J[:, layout.velocity(k)] = np.eye(layout.dim)
    turn = q[layout.orientation(k)]
    if layout.dim == 2:
        c, s = np.cos(turn[0]), np.sin(turn[0])
        x, y = c * s_loc[0] - s * s_loc[1], s * s_loc[0] + c * s_loc[1]
        J[:, layout.spin(k)] = [[-y], [x]]
        return J
    code = int(compiled.system.bodies["orientation"][k])
    unit = turn if code < 0 else euler_angles.quaternion(SEQUENCES[code], turn[:3])
    R = quaternion.matrix(quaternion.normalise(unit))
    x, y, z = s_loc
    across = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    J[:, layout.spin(k)] = -R @ across
    return J
