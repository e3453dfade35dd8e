"""A rotation as one turn: an axis n and an angle phi, or both in one rotation vector phi n.

The map from axis and angle to rotation is smooth everywhere. Its inverse has no unique axis at phi = 0,
where (0, 0, 1) is returned, and two at phi = pi, where the one is returned whose first number
other than zero is positive. The angle returned lies in 0..pi.
"""

import math

from numpy.typing import ArrayLike

from rotations import quaternion_algebra
from rotations.checks import Array, directions, over_rows, rows, unit_quaternions
from rotations.jit import kernel
from rotations.quaternion_algebra import canonical_into
from rotations.quaternion_motion import half_turn
from rotations.vector import length


@kernel
def matrix_into(n, phi, R):
    """Write the rotation by phi about the unit vector n into R (Rodrigues).

        R = 1 + sin(phi) n~ + (1 - cos(phi)) n~ n~

    where n~ n~ = n n^T - 1 and, without cancellation, 1 - cos(phi) = 2 sin^2(phi/2).
    """
    half = math.sin(0.5 * phi)
    a, b = math.sin(phi), 2.0 * half * half
    x, y, z = n[0], n[1], n[2]
    R[0, 0] = 1.0 - b * (y * y + z * z)
    R[1, 1] = 1.0 - b * (z * z + x * x)
    R[2, 2] = 1.0 - b * (x * x + y * y)
    R[0, 1], R[1, 0] = b * x * y - a * z, b * x * y + a * z
    R[2, 0], R[0, 2] = b * x * z - a * y, b * x * z + a * y
    R[1, 2], R[2, 1] = b * y * z - a * x, b * y * z + a * x


@kernel
def quaternion_into(n, phi, q):
    """Write (cos phi/2, n sin phi/2) into q; n must have unit length."""
    s = math.sin(0.5 * phi)
    q[0], q[1], q[2], q[3] = math.cos(0.5 * phi), s * n[0], s * n[1], s * n[2]


@kernel
def exponential_into(v, q):
    """Write the quaternion (cos phi/2, v sin(phi/2) / phi) of the rotation vector v into q."""
    c, f = half_turn(v, 1.0)
    q[0], q[1], q[2], q[3] = c, f * v[0], f * v[1], f * v[2]


@kernel
def from_quaternion_into(q, n_phi):
    """Write axis and angle of the unit quaternion q into n_phi = (n1, n2, n3, phi).

        phi = 2 atan2(|vector part|, q0)        with the sign of q that makes q0 >= 0

    The arc tangent is as accurate at phi = 0 as at phi = pi, where arc cosine and sine fail.
    """
    canonical_into(q, n_phi)
    q0 = n_phi[0]
    n_phi[0], n_phi[1], n_phi[2], n_phi[3] = n_phi[1], n_phi[2], n_phi[3], 0.0
    sine = length(n_phi)
    if sine < 1e-150:  # the squares underflow: no turn
        n_phi[0], n_phi[1], n_phi[2] = 0.0, 0.0, 1.0
        return
    for i in range(3):
        n_phi[i] /= sine
    n_phi[3] = 2.0 * math.atan2(sine, q0)


@kernel
def _matrix_rows(n, phi, out):
    for r in range(len(out)):
        matrix_into(n[r], phi[r], out[r])


@kernel
def _quaternion_rows(n, phi, out):
    for r in range(len(out)):
        quaternion_into(n[r], phi[r], out[r])


@kernel
def _exponential_rows(v, out):
    for r in range(len(out)):
        exponential_into(v[r], out[r])


@kernel
def _from_quaternion_rows(q, out):
    for r in range(len(out)):
        from_quaternion_into(q[r], out[r])


def matrix(n: ArrayLike, phi: ArrayLike) -> Array:
    """The rotation matrix of a turn by phi about the axis n (any length but zero)."""
    return over_rows(_matrix_rows, (3, 3), directions("axis", n), rows("angle", phi))


def quaternion(n: ArrayLike, phi: ArrayLike) -> Array:
    """The quaternion of a turn by phi about the axis n (any length but zero)."""
    return over_rows(_quaternion_rows, (4,), directions("axis", n), rows("angle", phi))


def from_quaternion(q: ArrayLike) -> tuple[Array, Array]:
    """The axis and the angle, in 0..pi, of a unit quaternion."""
    n_phi = over_rows(_from_quaternion_rows, (4,), unit_quaternions("quaternion", q))
    return n_phi[..., :3], n_phi[..., 3]


def from_matrix(R: ArrayLike) -> tuple[Array, Array]:
    """The axis and the angle, in 0..pi, of a rotation matrix."""
    return from_quaternion(quaternion_algebra.from_matrix(R))


def exponential(v: ArrayLike) -> Array:
    """The rotation matrix exp(v~) of a rotation vector v = phi n."""
    return quaternion_algebra.matrix(exponential_quaternion(v))


def exponential_quaternion(v: ArrayLike) -> Array:
    """The quaternion of a rotation vector v = phi n."""
    return over_rows(_exponential_rows, (4,), rows("rotation vector", v, 3))


def logarithm(R: ArrayLike) -> Array:
    """The rotation vector phi n, no longer than pi, of a rotation matrix."""
    n, phi = from_matrix(R)
    return n * phi[..., None]


def logarithm_quaternion(q: ArrayLike) -> Array:
    """The rotation vector phi n, no longer than pi, of a unit quaternion."""
    n, phi = from_quaternion(q)
    return n * phi[..., None]
