"""The closed loop of Bricard: six hinges that counting calls rigid, and that moves all the same."""

from math import acos, cos, pi

import numpy as np

from engine import Mechanism
from engine.model import Model

ANGLE = 1.7  # [rad] of every other hinge, in the drawing
SPIN = 1.0  # [rad/s] rough start: the assembly finds the nearest speeds that the hinges allow


def orthogonal_bricard() -> Model:
    """Six links of one metre whose hinges stand at right angles, the twist alternating +-90 degrees.

    With every other hinge angle equal, theta and phi, the loop closes for

        cos(theta) + cos(phi) + cos(theta) cos(phi) = 0:

    one equation for two angles, so one degree of freedom, where counting gives 5 * 6 - 6 * 5 = 0.
    """
    m = Mechanism("orthogonal Bricard loop", 3, gravity=(0.0, 0.0, -9.81))
    points, axes = hinges()
    links = [
        m.rod(points[k], points[k + 1], mass=1, angular_velocity=(SPIN, 0, 0), id=f"link_{k}")
        for k in range(5)
    ]
    around = ["ground", *links, "ground"]
    for k in range(6):
        m.revolute(around[k], around[k + 1], at=points[k], axis=axes[k], id=f"hinge_{k}")
    return m.model


def hinges() -> tuple[np.ndarray, np.ndarray]:
    """The point and the direction of each hinge, from one to the next: turn, go along x, twist."""
    theta = ANGLE
    phi = acos(-cos(theta) / (1 + cos(theta)))
    R, p = np.eye(3), np.zeros(3)
    points, axes = [], []
    for k in range(6):
        points.append(p)
        axes.append(R[:, 2])
        R = R @ _turn(2, theta if k % 2 == 0 else phi)
        p = p + R[:, 0]
        R = R @ _turn(0, pi / 2 if k % 2 == 0 else -pi / 2)
    gap = np.abs(p).max() + np.abs(R - np.eye(3)).max()
    if gap > 1e-12:
        raise RuntimeError(f"The loop of Bricard does not close: {gap:g}.")
    return np.array(points), np.array(axes)


def _turn(axis: int, angle: float) -> np.ndarray:
    """The rotation about a coordinate axis."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    R = np.eye(3)
    R[i, i] = R[j, j] = cos(angle)
    R[j, i] = np.sin(angle)
    R[i, j] = -R[j, i]
    return R
