"""Where the frames of all moving bodies are in a row of q."""

from typing import NamedTuple

import numpy as np

from engine.system import Compiled
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
