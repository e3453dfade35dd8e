"""Rotations in space: matrices, quaternions, axis and angle, Euler angles of all twelve sequences.

    r_fixed = R r_body        q scalar first, Hamilton        angles intrinsic, in radians

Functions take one item or a stack of them and raise RotationError for input that is not a rotation.
Names ending in `_into` are compiled kernels for inner loops: unchecked, without allocation.
"""

from rotations import axis_angle, euler_angles, gimbal_lock, matrix, quaternion, vector
from rotations.checks import TOLERANCE, RotationError
from rotations.conversion import convert
from rotations.sequences import SEQUENCES

__all__ = [
    "SEQUENCES",
    "TOLERANCE",
    "RotationError",
    "axis_angle",
    "convert",
    "euler_angles",
    "gimbal_lock",
    "matrix",
    "quaternion",
    "vector",
]
