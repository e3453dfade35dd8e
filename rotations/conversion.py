"""Convert any description of a rotation to any other, through the quaternion.

"matrix"            R (3, 3)
"quaternion"        q (4,), scalar first
"rotation vector"   phi n (3,)
"axis-angle"        (n1, n2, n3, phi) (4,)
"3-1-3", "zyx" ...  (phi, theta, psi) (3,) of that sequence
"""

import numpy as np
from numpy.typing import ArrayLike

from rotations import axis_angle, euler_orientation, quaternion_algebra
from rotations.checks import Array, RotationError, rows
from rotations.sequences import SEQUENCES, name_of

NAMES = ("matrix", "quaternion", "rotation vector", "axis-angle", *SEQUENCES)


def convert(value: ArrayLike, source: str, target: str) -> Array:
    """The same rotation, or stack of rotations, in another description.

    Quaternions come with q0 >= 0, angles of turn in 0..pi, Euler angles with the choices of
    `euler_angles.from_matrix`. The conversion goes through the quaternion even if source and target agree.
    """
    source, target = _standard(source), _standard(target)
    q = _to_quaternion(value, source)
    if target == "quaternion":
        return quaternion_algebra.canonical(q)
    if target == "matrix":
        return quaternion_algebra.matrix(q)
    if target == "rotation vector":
        return axis_angle.logarithm_quaternion(q)
    if target == "axis-angle":
        n, phi = axis_angle.from_quaternion(q)
        return np.concatenate([n, phi[..., None]], axis=-1)
    return euler_orientation.from_quaternion(target, q)


def _to_quaternion(value: ArrayLike, source: str) -> Array:
    """The quaternion of a rotation in any description."""
    if source == "quaternion":
        return quaternion_algebra.canonical(value)
    if source == "matrix":
        return quaternion_algebra.from_matrix(value)
    if source == "rotation vector":
        return axis_angle.exponential_quaternion(value)
    if source == "axis-angle":
        given = rows("axis and angle", value, 4)
        n_phi = given.values[0] if given.single else given.values
        return axis_angle.quaternion(n_phi[..., :3], n_phi[..., 3])
    return euler_orientation.quaternion(source, value)


def _standard(name: str) -> str:
    """The name as in NAMES, from any spelling of a sequence."""
    if name in NAMES:
        return name
    try:
        return name_of(name)
    except RotationError:
        choices = ", ".join(NAMES)
        raise RotationError(f"Unknown description {name!r}. Choose one of {choices}.") from None
