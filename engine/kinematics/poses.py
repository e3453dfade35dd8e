"""Where the frames of all moving bodies are in a row of q, and how their points move."""

from typing import NamedTuple

import numpy as np

from engine.compiling.system import Compiled
from rotations import SEQUENCES, euler_angles, quaternion


class Frames(NamedTuple):
    """Origins and axes of body frames, in the order of `Compiled.body_ids`, world axes."""

    r: np.ndarray  # (n_bodies, 3)      origins [m]
    R: np.ndarray  # (n_bodies, 3, 3)   body -> world


def body_frames(compiled: Compiled, q: np.ndarray) -> Frames:
    """The frames of the bodies in a row of q; of a planar model in the plane z = 0.

    q holds mass centres P, the drawing body frames:  r = P - R c
    """
    q = np.asarray(q, dtype=float).reshape(-1, compiled.n_q)
    P, R = np.zeros((len(q), 3)), np.zeros((len(q), 3, 3))
    P[:, : compiled.system.dim] = q[:, : compiled.system.dim]
    if compiled.system.dim == 2:
        cos, sin = np.cos(q[:, 2]), np.sin(q[:, 2])
        R[:, 0, 0], R[:, 0, 1], R[:, 1, 0], R[:, 1, 1] = cos, -sin, sin, cos
        R[:, 2, 2] = 1.0
    else:
        codes = compiled.system.bodies["orientation"][: len(q)]
        for code in np.unique(codes):
            of = codes == code
            if code < 0:
                unit = q[of, 3:] / np.linalg.norm(q[of, 3:], axis=1, keepdims=True)
                R[of] = quaternion.matrix(unit)
            else:
                R[of] = euler_angles.matrix(SEQUENCES[code], q[of, 3:6])
    return Frames(P - np.einsum("nij,nj->ni", R, compiled.center), R)


def point_rows(compiled: Compiled, q: np.ndarray, k: int, s_loc: np.ndarray) -> np.ndarray:
    """J with P_dot = J v for a point of body k, given from its mass centre in body axes."""
    dim, n_d, n_q = compiled.system.dim, compiled.n_d, compiled.n_q
    J = np.zeros((dim, len(compiled.v0)))
    at, own = n_d * k, q[n_q * k : n_q * (k + 1)]
    J[range(dim), range(at, at + dim)] = 1.0
    if dim == 2:
        c, s = np.cos(own[2]), np.sin(own[2])
        x, y = c * s_loc[0] - s * s_loc[1], s * s_loc[0] + c * s_loc[1]
        J[:, at + 2] = -y, x
        return J
    code = int(compiled.system.bodies["orientation"][k])
    unit = own[3:] if code < 0 else euler_angles.quaternion(SEQUENCES[code], own[3:6])
    R = quaternion.matrix(quaternion.normalise(unit))
    x, y, z = s_loc
    across = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    J[:, at + 3 : at + 6] = -R @ across
    return J
