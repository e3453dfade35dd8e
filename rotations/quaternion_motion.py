"""Quaternions that change in time: rates, angular velocity, steps, interpolation, histories.

Body axes and fixed axes differ by the order of a product, q o w or w o q, that is by the sign of
its cross product. The kernels below carry that sign as `sense`: +1 for body, -1 for fixed axes.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from rotations.checks import (
    Array,
    Axes,
    RotationError,
    in_body_axes,
    over_rows,
    rows,
    unit_quaternions,
)
from rotations.jit import kernel
from rotations.quaternion_algebra import conjugate, normalise_into, product_rows, times_into
from rotations.vector import length

BODY, FIXED = 1.0, -1.0


@kernel
def rate_body_into(q, w, q_dot):
    """Write q_dot = 1/2 q o w into q_dot, w in body axes; q_dot may be q."""
    times_into(q, BODY, 0.0, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2], q_dot)


@kernel
def rate_fixed_into(q, w, q_dot):
    """Write q_dot = 1/2 w o q into q_dot, w in fixed axes; q_dot may be q."""
    times_into(q, FIXED, 0.0, 0.5 * w[0], 0.5 * w[1], 0.5 * w[2], q_dot)


@kernel
def half_turn(w, h):
    """The scalar part of exp(h w / 2), and the factor of w in its vector part.

    exp(h w / 2) = (cos a, (sin a / a) h w / 2)        a = |w| h / 2
    """
    a = 0.5 * h * length(w)
    if a == 0.0:
        return 1.0, 0.5 * h
    return math.cos(a), 0.5 * h * (math.sin(a) / a)


@kernel
def _step_into(q, sense, w, h, out):
    """Write q o exp(h w / 2) (body) or exp(h w / 2) o q (fixed), normalised, into out."""
    c, f = half_turn(w, h)
    times_into(q, sense, c, f * w[0], f * w[1], f * w[2], out)
    normalise_into(out, out)


@kernel
def step_into(q, w, h, out):
    """Write q after h seconds of constant w in body axes into out; out may be q.

    q o exp(h w / 2) is exact for constant w and any h, tiny or large; it is normalised.
    """
    _step_into(q, BODY, w, h, out)


@kernel
def step_fixed_into(q, w, h, out):
    """Write q after h seconds of constant w in fixed axes, exp(h w / 2) o q, into out."""
    _step_into(q, FIXED, w, h, out)


@kernel
def nearest_sign_into(q, reference, out):
    """Write q or -q into out, whichever is nearer to the reference; out may be q."""
    along = 0.0
    for i in range(4):
        along += q[i] * reference[i]
    sign = -1.0 if along < 0.0 else 1.0
    for i in range(4):
        out[i] = sign * q[i]


@kernel
def slerp_into(p, q, u, out):
    """Write the rotation a share u of the way from p to q into out, along the shorter arc.

        out = [ sin((1-u) a) p + sin(u a) q' ] / sin a        q' = q or -q, the nearer to p
        a   = angle between p and q' in four dimensions, at most 90 degrees

    For tiny a the weights tend to 1-u and u. out may be neither p nor q.
    """
    nearest_sign_into(q, p, out)
    apart = together = 0.0
    for i in range(4):
        apart += (out[i] - p[i]) * (out[i] - p[i])
        together += (out[i] + p[i]) * (out[i] + p[i])
    a = 2.0 * math.atan2(math.sqrt(apart), math.sqrt(together))
    weight_p, weight_q = 1.0 - u, u
    if a > 1e-9:  # below, the weights differ from their limits by less than rounding
        f = 1.0 / math.sin(a)
        weight_p, weight_q = f * math.sin((1.0 - u) * a), f * math.sin(u * a)
    for i in range(4):
        out[i] = weight_p * p[i] + weight_q * out[i]


@kernel
def _step_rows(sense, q, w, h, out):
    for r in range(len(out)):
        _step_into(q[r], sense, w[r], h[r], out[r])


@kernel
def _slerp_rows(p, q, u, out):
    for r in range(len(out)):
        slerp_into(p[r], q[r], u[r], out[r])


@kernel
def _nearest_sign_rows(q, reference, out):
    for r in range(len(out)):
        nearest_sign_into(q[r], reference[r], out[r])


@kernel
def _continuous_rows(q, out):
    for r in range(len(out)):
        nearest_sign_into(q[r], out[r - 1] if r > 0 else q[r], out[r])


def rate(q: ArrayLike, w: ArrayLike, axes: Axes = "body") -> Array:
    """The rate q_dot of a quaternion under angular velocity w, given in body or fixed axes.

    q_dot = 1/2 q o w_body = 1/2 w_fixed o q
    """
    given = unit_quaternions("quaternion", q)
    velocity = rows("angular velocity", w, 3)
    half = velocity._replace(values=np.insert(0.5 * velocity.values, 0, 0.0, axis=1))
    factors = (given, half) if in_body_axes(axes) else (half, given)
    return over_rows(product_rows, (4,), *factors)


def angular_velocity(q: ArrayLike, q_dot: ArrayLike, axes: Axes = "body") -> Array:
    """The angular velocity, in body or fixed axes, of a quaternion with rate q_dot.

        w_body = 2 conj(q) o q_dot        w_fixed = 2 q_dot o conj(q)        (vector parts)

    The scalar part is q . q_dot, zero while |q| = 1: a drift along q does not enter w.
    """
    given = unit_quaternions("quaternion", q)
    given = given._replace(values=2.0 * conjugate(given.values))
    change = rows("quaternion rate", q_dot, 4)
    factors = (given, change) if in_body_axes(axes) else (change, given)
    return over_rows(product_rows, (4,), *factors)[..., 1:]


def step(q: ArrayLike, w: ArrayLike, h: ArrayLike, axes: Axes = "body") -> Array:
    """The quaternion after h seconds of constant angular velocity w in body or fixed axes."""
    given = unit_quaternions("quaternion", q), rows("angular velocity", w, 3), rows("step", h)
    return over_rows(_step_rows, (4,), *given, settings=(BODY if in_body_axes(axes) else FIXED,))


def slerp(p: ArrayLike, q: ArrayLike, u: ArrayLike) -> Array:
    """The rotation a share u of the way from p (u = 0) to q (u = 1) at constant angular velocity.

    The shorter arc is taken; the result has the sign of p.
    """
    given = unit_quaternions("quaternion p", p), unit_quaternions("quaternion q", q)
    return over_rows(_slerp_rows, (4,), *given, rows("share u", u))


def nearest_sign(q: ArrayLike, reference: ArrayLike) -> Array:
    """Of q and -q the one nearer to the reference; q itself when both are equally near."""
    given = unit_quaternions("quaternion", q), unit_quaternions("reference", reference)
    return over_rows(_nearest_sign_rows, (4,), *given)


def continuous(history: ArrayLike) -> Array:
    """The same rotations (n, 4) with signs such that no sample is far from the one before."""
    given = unit_quaternions("quaternion", history)
    if given.single:
        raise RotationError("A history needs a stack (n, 4) of quaternions in order of time.")
    return over_rows(_continuous_rows, (4,), given)
