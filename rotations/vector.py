"""Vectors of three numbers: skew matrices and a frame around one axis."""

import math

import numpy as np
from numpy.typing import ArrayLike

from rotations.checks import Array, directions, over_rows, refuse, rows
from rotations.jit import kernel

_SKEW_TOLERANCE = 1e-9  # of the largest entry: M + M^T of a skew matrix is rounding only
_NEXT, _AFTER = [1, 2, 0], [2, 0, 1]  # the two axes that follow 0, 1, 2 in cyclic order


@kernel
def length(x):
    """The Euclidean length of a vector."""
    squares = 0.0
    for i in range(len(x)):
        squares += x[i] * x[i]
    return math.sqrt(squares)


@kernel
def cross_into(a, b, out):
    """Write a x b into out; out may be a or b."""
    x = a[1] * b[2] - a[2] * b[1]
    y = a[2] * b[0] - a[0] * b[2]
    z = a[0] * b[1] - a[1] * b[0]
    out[0], out[1], out[2] = x, y, z


@kernel
def frame_into(n, R):
    """Write a right-handed frame with z = n into R; n must have unit length.

    The frame is the fixed frame after the shortest turn that carries e_z to n:

                   [ n1 ]        x = e_x - n1 (n1, n2, 0) / (1 + n3) - (0, 0, n1)
        z = n =    [ n2 ]        y = e_y - n2 (n1, n2, 0) / (1 + n3) - (0, 0, n2)
                   [ n3 ]

    It varies continuously with n except at n = -e_z, where x = e_x, y = -e_y is taken: no choice is
    continuous on the whole sphere. For n3 < 0 the divisor 1 + n3 would cancel; there it is written
    (n1^2 + n2^2) / (1 - n3).
    """
    across = n[0] * n[0] + n[1] * n[1]
    if n[2] >= 0.0:
        f = 1.0 / (1.0 + n[2])
        xx, xy, yy = f * n[0] * n[0], f * n[0] * n[1], f * n[1] * n[1]
    elif across > 1e-300:
        f = (1.0 - n[2]) / across
        xx, xy, yy = f * n[0] * n[0], f * n[0] * n[1], f * n[1] * n[1]
    else:
        xx, xy, yy = 0.0, 0.0, 2.0
    R[0, 0], R[0, 1], R[0, 2] = 1.0 - xx, -xy, n[0]
    R[1, 0], R[1, 1], R[1, 2] = -xy, 1.0 - yy, n[1]
    R[2, 0], R[2, 1], R[2, 2] = -n[0], -n[1], n[2]


@kernel
def _frame_rows(n, out):
    for r in range(len(out)):
        frame_into(n[r], out[r])


def skew(a: ArrayLike) -> Array:
    """The matrix a~ with a~ b = a x b.

    [  0   -a3   a2 ]
    [  a3   0   -a1 ]
    [ -a2   a1   0  ]
    """
    given = rows("vector", a, 3)
    out = np.zeros((len(given.values), 3, 3))
    out[:, _AFTER, _NEXT] = given.values
    out[:, _NEXT, _AFTER] = -given.values
    return out[0] if given.single else out


def unskew(matrix: ArrayLike) -> Array:
    """The vector a of a skew matrix a~."""
    given = rows("skew matrix", matrix, 3, 3)
    M = given.values
    off = np.abs(M / 2 + np.swapaxes(M, 1, 2) / 2).max(axis=(1, 2), initial=0.0)
    scale = np.abs(M).max(axis=(1, 2), initial=0.0)
    refuse(
        given,
        off > _SKEW_TOLERANCE * scale,
        "is not skew, M^T is not -M",
        "Pass its skew part (M - M^T) / 2",
    )
    a = M[:, _AFTER, _NEXT] / 2 - M[:, _NEXT, _AFTER] / 2
    return a[0] if given.single else a


def frame_from_axis(n: ArrayLike) -> Array:
    """A right-handed frame whose z axis points along n: the shortest turn of e_z to n.

    Continuous in n except at n = -e_z, where x = e_x and y = -e_y.
    """
    return over_rows(_frame_rows, (3, 3), directions("axis", n))
