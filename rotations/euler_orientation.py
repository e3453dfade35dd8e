"""Euler angles of all twelve sequences to and from matrices and quaternions.

Let e_i x e_j = e e_o (e = +1 or -1), k the last axis: k = i for Euler type, k = o for Cardan type.
With half angles f = phi/2, t = theta/2, p = psi/2 the product of three elementary quaternions is

    Euler type                          Cardan type
    q0 =   cos t cos(f + p)             q0 + q_j   = (cos t + sin t) cos(f + e p)
    qi =   cos t sin(f + p)             qi + e q_o = (cos t + sin t) sin(f + e p)
    qj =   sin t cos(f - p)             q0 - q_j   = (cos t - sin t) cos(f - e p)
    qo = e sin t sin(f - p)             qi - e q_o = (cos t - sin t) sin(f - e p)

Both columns are two points in polar coordinates: (a, f + p) and (b, f - p). The angles follow from
two arc tangents that are accurate right up to the lock, where one radius, a or b, is zero and its angle is
undefined: there only phi + psi or phi - psi is defined.
"""

import math

from numpy.typing import ArrayLike

from rotations import quaternion_algebra
from rotations.checks import Array, over_rows, rows, unit_quaternions
from rotations.jit import kernel
from rotations.sequences import N_EULER_TYPE, axes_of, code_of

# Nearer to the lock than this [rad], phi and psi are lost in rounding: a quaternion is good to about
# 2e-16, the difference phi - psi then to 2e-16 / 1e-13 = 0.002 rad. Merging them there changes the
# rotation by less than 2e-13.
LOCK_ANGLE = 1e-13


@kernel
def matrix_into(code, angles, R):
    """Write R_i(phi) R_j(theta) R_k(psi) into R.

    The first two turns give the columns (c, s of phi and theta; e_i x e_j = e e_o)

        P e_i =   c_theta e_i +   s_theta m        n = c_phi e_j + e s_phi e_o
        P e_j =   n                                m = s_phi e_j - e c_phi e_o
        P e_o = e s_theta e_i - e c_theta m

    and the third mixes the two columns across axis k by the angle psi.
    """
    i, j, o, e = axes_of(code)
    c, s = math.cos(angles[0]), math.sin(angles[0])
    u, v = math.cos(angles[1]), math.sin(angles[1])
    R[i, i], R[j, i], R[o, i] = u, v * s, -e * v * c
    R[i, j], R[j, j], R[o, j] = 0.0, c, e * s
    R[i, o], R[j, o], R[o, o] = e * v, -e * u * s, u * c
    across, sign = (o, e) if code < N_EULER_TYPE else (i, -e)
    c, s = math.cos(angles[2]), sign * math.sin(angles[2])
    for row in range(3):
        x, y = R[row, j], R[row, across]
        R[row, j], R[row, across] = c * x + s * y, c * y - s * x


@kernel
def quaternion_into(code, angles, q):
    """Write the quaternion of the angles into q: the product of three elementary ones.

    It varies continuously with the angles, so q0 may be negative.
    """
    i, j, o, e = axes_of(code)
    c, s = math.cos(0.5 * angles[1]), math.sin(0.5 * angles[1])
    if code < N_EULER_TYPE:
        plus, minus = 0.5 * (angles[0] + angles[2]), 0.5 * (angles[0] - angles[2])
        q[0], q[1 + i] = c * math.cos(plus), c * math.sin(plus)
        q[1 + j], q[1 + o] = s * math.cos(minus), e * s * math.sin(minus)
    else:
        c1, s1 = math.cos(0.5 * angles[0]), math.sin(0.5 * angles[0])
        c3, s3 = math.cos(0.5 * angles[2]), math.sin(0.5 * angles[2])
        q[0], q[1 + i] = c1 * c * c3 - e * s1 * s * s3, s1 * c * c3 + e * c1 * s * s3
        q[1 + j], q[1 + o] = c1 * s * c3 - e * s1 * c * s3, c1 * c * s3 + e * s1 * s * c3


@kernel
def wrapped(angle):
    """The angle plus the multiple of 2 pi that brings it into (-pi, pi]."""
    if -math.pi < angle <= math.pi:
        return angle
    angle -= 2.0 * math.pi * round(angle / (2.0 * math.pi))
    return math.pi if angle <= -math.pi else angle


@kernel
def from_quaternion_into(code, q, psi_at_lock, angles):
    """Write the angles of the unit quaternion q into angles, as derived at the top of this file.

        theta = 2 atan2(b, a)                          Euler type,  0..pi
        theta = atan2(2 (q0 qj + e qi qo), a b)        Cardan type, -pi/2..pi/2

    phi and psi lie in (-pi, pi]. In the lock psi is psi_at_lock and phi takes up the rest.
    """
    i, j, o, e = axes_of(code)
    q0, qi, qj, qo = q[0], q[1 + i], q[1 + j], e * q[1 + o]
    if code < N_EULER_TYPE:
        e = 1.0
        a, b = math.hypot(q0, qi), math.hypot(qj, qo)
        plus, minus = math.atan2(qi, q0), math.atan2(qo, qj)
        angles[1] = 2.0 * math.atan2(b, a)
    else:
        a, b = math.hypot(q0 + qj, qi + qo), math.hypot(q0 - qj, qi - qo)
        plus, minus = math.atan2(qi + qo, q0 + qj), math.atan2(qi - qo, q0 - qj)
        angles[1] = math.atan2(2.0 * (q0 * qj + qi * qo), a * b)
    phi, psi = plus + minus, psi_at_lock
    if 2.0 * b < LOCK_ANGLE * a:
        phi = 2.0 * plus - e * psi
    elif 2.0 * a < LOCK_ANGLE * b:
        phi = 2.0 * minus + e * psi
    else:
        psi = wrapped(e * (plus - minus))
    angles[0], angles[2] = wrapped(phi), psi


@kernel
def _matrix_rows(code, angles, out):
    for r in range(len(out)):
        matrix_into(code, angles[r], out[r])


@kernel
def _quaternion_rows(code, angles, out):
    for r in range(len(out)):
        quaternion_into(code, angles[r], out[r])


@kernel
def _from_quaternion_rows(code, q, psi_at_lock, out):
    for r in range(len(out)):
        from_quaternion_into(code, q[r], psi_at_lock[r], out[r])


def matrix(sequence: str, angles: ArrayLike) -> Array:
    """The rotation matrix of Euler angles (phi, theta, psi)."""
    given = rows("Euler angles", angles, 3)
    return over_rows(_matrix_rows, (3, 3), given, settings=(code_of(sequence),))


def quaternion(sequence: str, angles: ArrayLike) -> Array:
    """The quaternion of Euler angles, continuous in the angles (q0 may be negative)."""
    given = rows("Euler angles", angles, 3)
    return over_rows(_quaternion_rows, (4,), given, settings=(code_of(sequence),))


def from_matrix(sequence: str, R: ArrayLike, psi_at_lock: ArrayLike = 0.0) -> Array:
    """The Euler angles of a rotation matrix, with theta in 0..pi or -pi/2..pi/2.

    In gimbal lock, where only the sum or difference of phi and psi is defined, psi takes the value
    psi_at_lock. To make a history continuous see `continuous`.
    """
    return from_quaternion(sequence, quaternion_algebra.from_matrix(R), psi_at_lock)


def from_quaternion(sequence: str, q: ArrayLike, psi_at_lock: ArrayLike = 0.0) -> Array:
    """The Euler angles of a unit quaternion, with the same choices as `from_matrix`."""
    given = unit_quaternions("quaternion", q), rows("psi at lock", psi_at_lock)
    return over_rows(_from_quaternion_rows, (3,), *given, settings=(code_of(sequence),))


def change_sequence(sequence: str, angles: ArrayLike, new_sequence: str) -> Array:
    """The angles of a new sequence that describe the same orientation."""
    return from_quaternion(new_sequence, quaternion(sequence, angles))
