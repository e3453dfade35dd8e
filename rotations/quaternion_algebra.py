"""Quaternions as numbers and as rotations: products, lengths, turning vectors, matrices.

q = (q0, q1, q2, q3) = (cos phi/2, n sin phi/2)        Hamilton, scalar first
"""

import math

from numpy.typing import ArrayLike

from rotations.checks import Array, nonzero, over_rows, rotation_matrices, rows, unit_quaternions
from rotations.jit import kernel
from rotations.vector import length


@kernel
def times_into(q, sense, scalar, x, y, z, out):
    """Write q o p (sense = 1) or p o q (sense = -1) into out, p = (scalar, x, y, z).

        q o p = (q0 p0 - q.p,  q0 p + p0 q + q x p)

    The order changes the sign of the cross product alone. out may be q.
    """
    a = q[0] * scalar - q[1] * x - q[2] * y - q[3] * z
    b = q[1] * scalar + q[0] * x + sense * (q[2] * z - q[3] * y)
    c = q[2] * scalar + q[0] * y + sense * (q[3] * x - q[1] * z)
    d = q[3] * scalar + q[0] * z + sense * (q[1] * y - q[2] * x)
    out[0], out[1], out[2], out[3] = a, b, c, d


@kernel
def product_into(p, q, out):
    """Write the product p o q into out; out may be p or q."""
    times_into(p, 1.0, q[0], q[1], q[2], q[3], out)


@kernel
def normalise_into(q, out):
    """Write q / |q| into out; out may be q."""
    size = length(q)
    for i in range(4):
        out[i] = q[i] / size


@kernel
def canonical_into(q, out):
    """Write q or -q into out: the one whose first number other than zero is positive."""
    sign = 1.0
    for i in range(4):
        if q[i] != 0.0:
            sign = math.copysign(1.0, q[i])
            break
    for i in range(4):
        out[i] = sign * q[i]


@kernel
def _turn_into(q, sense, x, out):
    """Write q o x o conj(q) into out for sense = 1, conj(q) o x o q for sense = -1.

    q o x o conj(q) = x + 2 q0 (q x x) + 2 q x (q x x)        |q| = 1
    """
    a = 2.0 * (q[2] * x[2] - q[3] * x[1])
    b = 2.0 * (q[3] * x[0] - q[1] * x[2])
    c = 2.0 * (q[1] * x[1] - q[2] * x[0])
    q0 = sense * q[0]
    u = x[0] + q0 * a + q[2] * c - q[3] * b
    v = x[1] + q0 * b + q[3] * a - q[1] * c
    w = x[2] + q0 * c + q[1] * b - q[2] * a
    out[0], out[1], out[2] = u, v, w


@kernel
def to_fixed_into(q, x, out):
    """Write q o x o conj(q) into out: body components x become fixed ones; out may be x."""
    _turn_into(q, 1.0, x, out)


@kernel
def to_body_into(q, x, out):
    """Write conj(q) o x o q into out: fixed components x become body ones; out may be x."""
    _turn_into(q, -1.0, x, out)


@kernel
def matrix_into(q, R):
    """Write the rotation matrix of the unit quaternion q into R.

    R = (q0^2 - q.q) 1 + 2 q q^T + 2 q0 q~
    """
    s, x, y, z = q[0], q[1], q[2], q[3]
    R[0, 0] = s * s + x * x - y * y - z * z
    R[1, 1] = s * s - x * x + y * y - z * z
    R[2, 2] = s * s - x * x - y * y + z * z
    R[0, 1], R[1, 0] = 2.0 * (x * y - s * z), 2.0 * (x * y + s * z)
    R[0, 2], R[2, 0] = 2.0 * (x * z + s * y), 2.0 * (x * z - s * y)
    R[1, 2], R[2, 1] = 2.0 * (y * z - s * x), 2.0 * (y * z + s * x)


@kernel
def from_matrix_into(R, q):
    """Write the quaternion of the rotation matrix R into q, with q0 >= 0.

    R determines the sixteen products of the four numbers, for instance

        4 q0 q0 = 1 + R11 + R22 + R33        4 q1 q1 = 1 + R11 - R22 - R33
        4 q0 q1 = R32 - R23                  4 q1 q2 = R21 + R12

    so that each column of 4 q q^T is a multiple of q. The column of the largest number is taken (at
    least 1/2 in size), which keeps every rotation, those near 180 degrees too, at full accuracy.
    """
    trace = R[0, 0] + R[1, 1] + R[2, 2]
    i = 0
    if R[1, 1] > R[0, 0]:
        i = 1
    if R[2, 2] > R[i, i]:
        i = 2
    if trace >= R[i, i]:
        largest = 1.0 + trace
        q[0] = largest
        q[1] = R[2, 1] - R[1, 2]
        q[2] = R[0, 2] - R[2, 0]
        q[3] = R[1, 0] - R[0, 1]
    else:
        j = i + 1 if i < 2 else 0
        k = 3 - i - j
        largest = 1.0 + R[i, i] - R[j, j] - R[k, k]
        q[0] = R[k, j] - R[j, k]
        q[1 + i] = largest
        q[1 + j] = R[j, i] + R[i, j]
        q[1 + k] = R[k, i] + R[i, k]
    f = 0.5 / math.sqrt(largest)
    for m in range(4):
        q[m] *= f
    canonical_into(q, q)


@kernel
def product_rows(p, q, out):
    """Write the products of the rows of p and q into the rows of out."""
    for r in range(len(out)):
        product_into(p[r], q[r], out[r])


@kernel
def _normalise_rows(q, out):
    for r in range(len(out)):
        normalise_into(q[r], out[r])


@kernel
def _canonical_rows(q, out):
    for r in range(len(out)):
        canonical_into(q[r], out[r])


@kernel
def _length_rows(q, out):
    for r in range(len(out)):
        out[r] = length(q[r])


@kernel
def _turn_rows(sense, q, x, out):
    for r in range(len(out)):
        _turn_into(q[r], sense, x[r], out[r])


@kernel
def _matrix_rows(q, out):
    for r in range(len(out)):
        matrix_into(q[r], out[r])


@kernel
def _from_matrix_rows(R, out):
    for r in range(len(out)):
        from_matrix_into(R[r], out[r])


def product(p: ArrayLike, q: ArrayLike) -> Array:
    """The product p o q: as rotations, q is done first and p about fixed axes after it."""
    return over_rows(product_rows, (4,), rows("quaternion p", p, 4), rows("quaternion q", q, 4))


def conjugate(q: ArrayLike) -> Array:
    """The quaternion (q0, -q1, -q2, -q3); the inverse only when |q| = 1."""
    given = rows("quaternion", q, 4)
    out = given.values * (1.0, -1.0, -1.0, -1.0)
    return out[0] if given.single else out


def inverse(q: ArrayLike) -> Array:
    """The quaternion with q o q^-1 = 1, for any q but zero."""
    given = nonzero("quaternion", q, 4)
    out = conjugate(given.values) / (given.values**2).sum(axis=1, keepdims=True)
    return out[0] if given.single else out


def norm(q: ArrayLike) -> Array:
    """The length |q|."""
    return over_rows(_length_rows, (), rows("quaternion", q, 4))


def normalise(q: ArrayLike) -> Array:
    """The quaternion q / |q|, for any q but zero."""
    return over_rows(_normalise_rows, (4,), nonzero("quaternion", q, 4))


def canonical(q: ArrayLike) -> Array:
    """Of q and -q, which are the same rotation, the one with q0 > 0."""
    return over_rows(_canonical_rows, (4,), unit_quaternions("quaternion", q))


def to_fixed(q: ArrayLike, x_body: ArrayLike) -> Array:
    """Components of vectors in fixed axes, from those in body axes: q o x o conj(q)."""
    given = unit_quaternions("quaternion", q), rows("vector", x_body, 3)
    return over_rows(_turn_rows, (3,), *given, settings=(1.0,))


def to_body(q: ArrayLike, x_fixed: ArrayLike) -> Array:
    """Components of vectors in body axes, from those in fixed axes: conj(q) o x o q."""
    given = unit_quaternions("quaternion", q), rows("vector", x_fixed, 3)
    return over_rows(_turn_rows, (3,), *given, settings=(-1.0,))


def matrix(q: ArrayLike) -> Array:
    """The rotation matrix R, which takes body components to fixed ones."""
    return over_rows(_matrix_rows, (3, 3), unit_quaternions("quaternion", q))


def from_matrix(R: ArrayLike) -> Array:
    """The unit quaternion of a rotation matrix, with q0 >= 0."""
    return over_rows(_from_matrix_rows, (4,), rotation_matrices("matrix", R))
