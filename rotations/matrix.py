"""Rotation matrices: R takes body components to fixed ones, r_fixed = R r_body.

The columns of R are the body's unit vectors in the fixed frame; R^T R = 1, det R = +1.
"""

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rotations import axis_angle
from rotations.checks import (
    TOLERANCE,
    Array,
    RotationError,
    orthogonality_error,
    over_rows,
    polar_factor,
    refuse,
    rotation_matrices,
    rows,
)
from rotations.jit import kernel

_FLATTEST = 1e-12  # least ratio of smallest to largest singular value of a matrix with a rotation


@kernel
def angle_between(P, R):
    """The angle of the rotation E = P^T R, between 0 and pi, accurate at both ends.

    |P - R|^2 =  8 sin^2(angle/2)                   sum of squares of all entries
    trace E   =  4 cos^2(angle/2) - 1               used up to 120 degrees
    |vector of E - E^T| = 4 sin(angle/2) cos(angle/2)        used beyond, where 1 + trace cancels
    """
    apart = trace = 0.0
    for i in range(3):
        for j in range(3):
            apart += (P[i, j] - R[i, j]) * (P[i, j] - R[i, j])
            trace += P[i, j] * R[i, j]
    squares = 0.0
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        twist = 0.0
        for m in range(3):
            twist += P[m, k] * R[m, j] - P[m, j] * R[m, k]
        squares += twist * twist
    sin_half = math.sqrt(apart / 8.0)
    if trace > 0.0:
        cos_half = math.sqrt((1.0 + trace) / 4.0)
    else:
        cos_half = math.sqrt(squares) / (4.0 * sin_half)
    return 2.0 * math.atan2(sin_half, cos_half)


@kernel
def _angle_rows(P, R, out):
    for r in range(len(out)):
        out[r] = angle_between(P[r], R[r])


def elementary(axis: int, angle: ArrayLike) -> Array:
    """The rotation R_1, R_2 or R_3 by an angle about coordinate axis 1, 2 or 3."""
    if axis not in (1, 2, 3):
        raise RotationError(f"There is no coordinate axis {axis!r}. Choose 1, 2 or 3.")
    return axis_angle.matrix(np.eye(3)[axis - 1], angle)


def is_rotation(M: ArrayLike, tolerance: float = TOLERANCE) -> bool | NDArray[np.bool_]:
    """Whether a matrix is a rotation: no entry of M^T M - 1 above the tolerance, and det M > 0."""
    given = rows("matrix", M, 3, 3)
    good = orthogonality_error(given.values) <= tolerance
    good[good] = np.linalg.det(given.values[good]) > 0.0
    return bool(good[0]) if given.single else good


def nearest_rotation(M: ArrayLike) -> Array:
    """The rotation R that makes the sum of squares of M - R least: M = R S with S symmetric.

    M may be inaccurate or stretched but neither singular nor mirrored.
    """
    given = rows("matrix", M, 3, 3)
    size = np.abs(given.values).max(axis=(1, 2), keepdims=True, initial=0.0)
    scaled = given.values / np.where(size > 0.0, size, 1.0)
    stretches = np.linalg.svd(scaled, compute_uv=False)
    refuse(
        given,
        stretches[:, 2] <= _FLATTEST * stretches[:, 0],
        "is singular and has no nearest rotation",
        "Its columns must be three independent directions",
    )
    refuse(
        given,
        np.linalg.det(scaled) < 0.0,
        "is mirrored, its determinant is negative",
        "Reverse one of its columns so that they form a right-handed frame",
    )
    R = polar_factor(scaled)
    return R[0] if given.single else R


def angle_between_rotations(P: ArrayLike, R: ArrayLike) -> Array:
    """The angle of the single turn that carries P to R, in 0..pi, accurate at both ends."""
    given = rotation_matrices("matrix P", P), rotation_matrices("matrix R", R)
    return over_rows(_angle_rows, (), *given)
