"""Euler angles of the twelve sequences: the public names, functions for arrays, kernels for loops.

    R = R_i(phi) R_j(theta) R_k(psi)        angles = (phi, theta, psi) of the sequence i-j-k

The functions take the name of a sequence ("3-1-3", "313", "zxz") and check their input. The
kernels, whose names end in `_into`, take its code 0..11, check nothing, allocate nothing and write
into their last argument. This file adds the continuity of histories.
"""

import math

from numpy.typing import ArrayLike

from rotations.checks import Array, RotationError, over_rows, rows
from rotations.euler_orientation import (
    LOCK_ANGLE,
    change_sequence,
    from_matrix,
    from_quaternion,
    from_quaternion_into,
    matrix,
    matrix_into,
    quaternion,
    quaternion_into,
    wrapped,
)
from rotations.euler_rates import (
    angular_velocity,
    inverse_rate_matrix,
    inverse_rate_matrix_into,
    rate_matrix,
    rate_matrix_into,
    rates,
    rates_body_into,
    rates_fixed_into,
    velocity_body_into,
    velocity_fixed_into,
)
from rotations.jit import kernel
from rotations.sequences import N_EULER_TYPE, SEQUENCES, axes_of, code_of, is_euler_type, name_of

__all__ = [
    "LOCK_ANGLE",
    "SEQUENCES",
    "angular_velocity",
    "change_sequence",
    "code_of",
    "continuous",
    "from_matrix",
    "from_quaternion",
    "from_quaternion_into",
    "inverse_rate_matrix",
    "inverse_rate_matrix_into",
    "is_euler_type",
    "matrix",
    "matrix_into",
    "name_of",
    "nearest_branch_into",
    "quaternion",
    "quaternion_into",
    "rate_matrix",
    "rate_matrix_into",
    "rates",
    "rates_body_into",
    "rates_fixed_into",
    "velocity_body_into",
    "velocity_fixed_into",
    "wrapped",
]


@kernel
def nearest_branch_into(code, angles, previous, out):
    """Write the angles of the same orientation that lie nearest to previous into out.

    Every orientation has two sets of angles, each up to multiples of 2 pi:

        (phi, theta, psi)   and   (phi + pi, -theta, psi + pi)          Euler type
                                  (phi + pi, pi - theta, psi + pi)      Cardan type

    The one with the smaller sum of squared changes is taken, the first if they tie. In the lock
    psi stays as it was and phi takes up the rest. out may be angles.
    """
    phi, theta, psi = angles[0], angles[1], angles[2]
    _, _, _, e = axes_of(code)
    if code < N_EULER_TYPE:
        s, along, mirrored = math.sin(theta), math.cos(theta), -theta
    else:
        s, along, mirrored = math.cos(theta), e * math.sin(theta), math.pi - theta
    if abs(s) <= LOCK_ANGLE:  # only phi + psi (axes along each other) or phi - psi is defined
        phi += math.copysign(1.0, along) * (psi - previous[2])
        psi = previous[2]
    least = math.inf
    phi_0, theta_0, psi_0 = previous[0], previous[1], previous[2]
    for _ in range(2):
        a, b, c = wrapped(phi - phi_0), wrapped(theta - theta_0), wrapped(psi - psi_0)
        change = a * a + b * b + c * c
        if change < least:
            least = change
            out[0], out[1], out[2] = phi_0 + a, theta_0 + b, psi_0 + c
        phi, theta, psi = phi + math.pi, mirrored, psi + math.pi


@kernel
def _continuous_rows(code, angles, start, out):
    for r in range(len(out)):
        nearest_branch_into(code, angles[r], out[r - 1] if r > 0 else start[0], out[r])


def continuous(sequence: str, history: ArrayLike, start: ArrayLike | None = None) -> Array:
    """The same orientations (n, 3) by angles that do not jump from sample to sample.

    Each sample takes whichever of its two sets of angles, with whatever turns of 2 pi, lies nearest
    to the sample before; the first one lies nearest to `start`, or stays as it is.
    """
    given = rows("Euler angles", history, 3)
    if given.single:
        raise RotationError("A history needs a stack (n, 3) of angles in order of time.")
    if start is None:
        first = given._replace(values=given.values[:1].copy(), single=True)
    else:
        first = rows("start", start, 3)
        if not first.single:
            raise RotationError("The start of a history is one set of three angles.")
    return over_rows(_continuous_rows, (3,), given, first, settings=(code_of(sequence),))
