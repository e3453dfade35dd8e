"""Rates of Euler angles: angular velocity from angle rates and back, for all twelve sequences.

    w_fixed = A rates        w_body = B rates        A = R B        rates = (phi, theta, psi)_dot

Each rate turns about its own axis. Seen in fixed axes, with e_i x e_j = e e_o,

    phi_dot about   e_i                         n = c_phi e_j + e s_phi e_o
    theta_dot       n                           m = s_phi e_j - e c_phi e_o
    psi_dot         u e_i + v m

    Euler type   u =   c_theta   v =    s_theta
    Cardan type  u = e s_theta   v = -e c_theta

e_i, n, m are perpendicular unit vectors, so the inverse needs one division by v, where |v| is the
singularity measure s, which is the whole of gimbal lock:

    psi_dot = m.w / v        theta_dot = n.w        phi_dot = e_i.w - u psi_dot

Body axes need no new formula: R^T has the angles (-psi, -theta, -phi) of the reversed sequence
k-j-i, so B is A of those with its first and last column exchanged.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from rotations.checks import Array, Axes, Rows, in_body_axes, over_rows, refuse, rows
from rotations.euler_orientation import LOCK_ANGLE
from rotations.jit import kernel
from rotations.sequences import N_EULER_TYPE, SEQUENCES, axes_of, code_of


@kernel
def _rate_axes(code, angles, in_body):
    """The numbers i, j, o, e, c, s, u, v of the equations above, and the columns near and far.

    Column near holds e_i, column far u e_i + v m. For body axes all are those of the reversed
    sequence with reversed angles.
    """
    i, j, o, e = axes_of(code)
    near, far, sense = 0, 2, 1.0
    if in_body:
        near, far, sense = 2, 0, -1.0
        if code >= N_EULER_TYPE:
            i, o, e = o, i, -e
    c, s = math.cos(angles[near]), sense * math.sin(angles[near])
    c_theta, s_theta = math.cos(angles[1]), sense * math.sin(angles[1])
    if code < N_EULER_TYPE:
        u, v = c_theta, s_theta
    else:
        u, v = e * s_theta, -e * c_theta
    return i, j, o, e, c, s, u, v, near, far


@kernel
def _away_from_zero(v):
    """v, or the smallest divisor allowed: in the lock rates become huge, never inf or NaN."""
    return v if abs(v) > LOCK_ANGLE else math.copysign(LOCK_ANGLE, v)


@kernel
def rate_matrix_into(code, angles, in_body, out):
    """Write A (fixed axes) or B (body axes) into out: w = out rates."""
    i, j, o, e, c, s, u, v, near, far = _rate_axes(code, angles, in_body)
    out[i, near], out[j, near], out[o, near] = 1.0, 0.0, 0.0
    out[i, 1], out[j, 1], out[o, 1] = 0.0, c, e * s
    out[i, far], out[j, far], out[o, far] = u, v * s, -e * v * c


@kernel
def inverse_rate_matrix_into(code, angles, in_body, out):
    """Write A^-1 or B^-1 into out in closed form: rates = out w."""
    i, j, o, e, c, s, u, v, near, far = _rate_axes(code, angles, in_body)
    v = _away_from_zero(v)
    out[far, i], out[far, j], out[far, o] = 0.0, s / v, -e * c / v
    out[1, i], out[1, j], out[1, o] = 0.0, c, e * s
    out[near, i], out[near, j], out[near, o] = 1.0, -u * (s / v), u * (e * c / v)


@kernel
def _velocity_into(code, angles, in_body, rates, w):
    """Write the angular velocity of angle rates into w."""
    i, j, o, e, c, s, u, v, near, far = _rate_axes(code, angles, in_body)
    along_m = v * rates[far]
    w[i] = rates[near] + u * rates[far]
    w[j] = c * rates[1] + s * along_m
    w[o] = e * (s * rates[1] - c * along_m)


@kernel
def _rates_into(code, angles, in_body, w, rates):
    """Write the angle rates that give the angular velocity w into rates."""
    i, j, o, e, c, s, u, v, near, far = _rate_axes(code, angles, in_body)
    rates[far] = (s * w[j] - e * c * w[o]) / _away_from_zero(v)
    rates[1] = c * w[j] + e * s * w[o]
    rates[near] = w[i] - u * rates[far]


@kernel
def rates_body_into(code, angles, w_body, angles_dot):
    """Write the angle rates B^-1 w of an angular velocity in body axes into angles_dot.

    Finite even in the lock, where 1/s is limited to 1/LOCK_ANGLE; watch the singularity measure.
    """
    _rates_into(code, angles, True, w_body, angles_dot)


@kernel
def rates_fixed_into(code, angles, w_fixed, angles_dot):
    """Write the angle rates A^-1 w of an angular velocity in fixed axes into angles_dot."""
    _rates_into(code, angles, False, w_fixed, angles_dot)


@kernel
def velocity_body_into(code, angles, angles_dot, w_body):
    """Write the angular velocity B angles_dot in body axes into w_body."""
    _velocity_into(code, angles, True, angles_dot, w_body)


@kernel
def velocity_fixed_into(code, angles, angles_dot, w_fixed):
    """Write the angular velocity A angles_dot in fixed axes into w_fixed."""
    _velocity_into(code, angles, False, angles_dot, w_fixed)


@kernel
def _rate_matrix_rows(code, in_body, angles, out):
    for r in range(len(out)):
        rate_matrix_into(code, angles[r], in_body, out[r])


@kernel
def _inverse_rate_matrix_rows(code, in_body, angles, out):
    for r in range(len(out)):
        inverse_rate_matrix_into(code, angles[r], in_body, out[r])


@kernel
def _velocity_rows(code, in_body, angles, rates, out):
    for r in range(len(out)):
        _velocity_into(code, angles[r], in_body, rates[r], out[r])


@kernel
def _rates_rows(code, in_body, angles, w, out):
    for r in range(len(out)):
        _rates_into(code, angles[r], in_body, w[r], out[r])


def rate_matrix(sequence: str, angles: ArrayLike, axes: Axes = "body") -> Array:
    """The matrix B (body axes) or A (fixed axes) that takes angle rates to angular velocity."""
    settings = code_of(sequence), in_body_axes(axes)
    return over_rows(_rate_matrix_rows, (3, 3), rows("Euler angles", angles, 3), settings=settings)


def inverse_rate_matrix(sequence: str, angles: ArrayLike, axes: Axes = "body") -> Array:
    """The matrix B^-1 or A^-1 that takes angular velocity to angle rates; undefined at the lock."""
    settings = code_of(sequence), in_body_axes(axes)
    given = _unlocked(settings[0], rows("Euler angles", angles, 3))
    return over_rows(_inverse_rate_matrix_rows, (3, 3), given, settings=settings)


def angular_velocity(
    sequence: str, angles: ArrayLike, angle_rates: ArrayLike, axes: Axes = "body"
) -> Array:
    """The angular velocity, in body or fixed axes, of Euler angles that change at given rates."""
    settings = code_of(sequence), in_body_axes(axes)
    given = rows("Euler angles", angles, 3), rows("angle rates", angle_rates, 3)
    return over_rows(_velocity_rows, (3,), *given, settings=settings)


def rates(sequence: str, angles: ArrayLike, w: ArrayLike, axes: Axes = "body") -> Array:
    """The rates of Euler angles under angular velocity w; not defined in the lock."""
    settings = code_of(sequence), in_body_axes(axes)
    given = _unlocked(settings[0], rows("Euler angles", angles, 3))
    velocity = rows("angular velocity", w, 3)
    return over_rows(_rates_rows, (3,), given, velocity, settings=settings)


def _unlocked(code: int, angles: Rows) -> Rows:
    """The angles, none of which may be in gimbal lock."""
    theta = angles.values[:, 1]
    measure = np.abs(np.sin(theta) if code < N_EULER_TYPE else np.cos(theta))
    refuse(
        angles,
        measure <= LOCK_ANGLE,
        f"of sequence {SEQUENCES[code]} are in gimbal lock, where rates are not defined",
        "Use another sequence (gimbal_lock.best_sequence) or a quaternion",
    )
    return angles
