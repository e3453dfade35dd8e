"""How near a set of Euler angles is to gimbal lock, and which sequence is farthest from it.

In the lock the first and the last axis of a sequence coincide: two angles do the work of one, and
one direction of turning is missing. The body itself can turn as before; the angles cannot follow.

    s = |sin theta|  Euler type        s = |cos theta|  Cardan type        singularity measure

s = 1 is perfect, s = 0 the lock. The axes of phi_dot and psi_dot enclose an angle whose cosine is
u, u^2 + s^2 = 1, and theta_dot turns about their common perpendicular. Therefore B^T B has the
eigenvalues 1 + |u|, 1, 1 - |u|, and the condition number of the rate matrices A and B is

    cond = sqrt((1 + |u|) / (1 - |u|)) = (1 + |u|) / s        1 at best, about 2/s near the lock
"""

import enum
import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rotations.checks import Array, RotationError, rotation_matrices, rows
from rotations.jit import kernel
from rotations.quaternion_algebra import matrix as quaternion_matrix
from rotations.sequences import N_EULER_TYPE, SEQUENCES, code_of

AMBER_BELOW = 0.1  # about 6 degrees from the lock: rates are up to ten times the angular velocity
RED_BELOW = 0.01  # about 0.6 degrees: rates are up to a hundred times the angular velocity
TIE = 1e-9  # measures this near to each other count as equal: orientations are rarely exact


class Level(enum.IntEnum):
    """How urgent a warning is: fine, amber (s < 0.1) or red (s < 0.01)."""

    FINE = 0
    AMBER = 1
    RED = 2


@kernel
def measure_of(code, angles):
    """The singularity measure s of one set of angles: 0 in the lock, 1 farthest from it."""
    if code < N_EULER_TYPE:
        return abs(math.sin(angles[1]))
    return abs(math.cos(angles[1]))


def measure(sequence: str, angles: ArrayLike) -> Array:
    """The singularity measure s: 0 in the lock, 1 farthest from it."""
    return _measure_and_cosine(sequence, angles)[0]


def condition(sequence: str, angles: ArrayLike) -> Array:
    """The condition number (2-norm) of the rate matrices A and B: 1 at best, inf in the lock."""
    s, u = _measure_and_cosine(sequence, angles)
    with np.errstate(divide="ignore"):
        return (1.0 + u) / s


def degrees_to_lock(sequence: str, angles: ArrayLike) -> Array:
    """How many degrees theta is away from the nearest lock, 0..90."""
    return np.degrees(np.arctan2(*_measure_and_cosine(sequence, angles)))


def level(sequence: str, angles: ArrayLike) -> Level | NDArray[np.int64]:
    """The warning level; for a stack an array of integers that equal the levels."""
    return level_at(measure(sequence, angles))


def level_at(measure: ArrayLike) -> Level | NDArray[np.int64]:
    """The warning level of a singularity measure, or of a stack of them."""
    s = np.asarray(measure)
    found = (s < AMBER_BELOW).astype(np.int64) + (s < RED_BELOW)
    return Level(int(found)) if np.ndim(s) == 0 else found


def measures(orientation: ArrayLike) -> Array:
    """The singularity measures (12,) of all sequences, as in SEQUENCES, for one orientation.

    The orientation is a matrix (3, 3) or a quaternion (4,). For the sequence i-j-k the cosine
    between first and last axis is R_ik, whatever j is; s is the length of the rest of row i.
    """
    if np.shape(orientation) not in ((3, 3), (4,)):
        raise RotationError(
            f"The orientation has shape {np.shape(orientation)}; "
            "give one matrix (3, 3) or one quaternion (4,)."
        )
    if np.shape(orientation) == (4,):
        orientation = quaternion_matrix(orientation)
    R = rotation_matrices("matrix", orientation).values[0]
    ends = ((int(name[0]) - 1, int(name[-1]) - 1) for name in SEQUENCES)
    rest = (np.delete(R[i], k) for i, k in ends)
    return np.array([min(1.0, math.hypot(*pair)) for pair in rest])


def best_sequence(orientation: ArrayLike, current: str | None = None) -> str:
    """The sequence with the largest singularity measure for a matrix (3, 3) or quaternion (4,).

    Of sequences that tie within 1e-9 the current one is kept, else the first in SEQUENCES is taken.
    """
    s = measures(orientation)
    best = s >= s.max() - TIE
    if current is not None and best[code_of(current)]:
        return SEQUENCES[code_of(current)]
    return SEQUENCES[int(np.argmax(best))]


def _measure_and_cosine(sequence: str, angles: ArrayLike) -> tuple[Array, Array]:
    """The measure s, and the cosine |u| between the axes of phi_dot and psi_dot."""
    given = rows("Euler angles", angles, 3)
    theta = given.values[0, 1] if given.single else given.values[:, 1]
    sine, cosine = np.abs(np.sin(theta)), np.abs(np.cos(theta))
    return (sine, cosine) if code_of(sequence) < N_EULER_TYPE else (cosine, sine)
