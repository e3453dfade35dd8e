"""The coefficients of explicit Runge-Kutta pairs with dense output.

y_1 = y + h sum_i b_i k_i            error estimate  e = h sum_i d_i k_i
y(t + theta h) = y + h sum_j k_j sum_m P_jm theta^(m+1)

Quadratures do not feed back into y', so they may be summed by the formula of Gauss once the step is known.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from engine.integrators.controlled import coefficients
from engine.kernels import kernel, merged
from engine.kernels.entries import EVERYTHING
from engine.kernels.linking import DERIVE, call

NODES, WEIGHTS = np.polynomial.legendre.leggauss(5)


class Pair(NamedTuple):
    """The coefficients that are the method; stages beyond those of b are for the dense output."""

    A: np.ndarray  # (n_all, n_all)
    c: np.ndarray  # (n_all,)
    b: np.ndarray  # (n_stages,)
    d: np.ndarray  # (n_stages + 1,)       of the error estimate
    d_other: np.ndarray  # (n_stages + 1,) of a second one, or zeros
    P: np.ndarray  # (n_all, degree)
    order: int  # of the error estimate


@cache
def dormand_prince() -> Pair:
    """The pair of order 5(4) of Dormand and Prince with its interpolant of order 4."""
    A = coefficients.table(coefficients.A_5, 7)
    error = coefficients.table(coefficients.ERROR_5, 7)[0]
    P = np.array(coefficients.BETWEEN_5)
    return Pair(A, np.array(coefficients.C_5), A[6, :6].copy(), error, np.zeros(7), P, 4)


@cache
def dormand_prince_8() -> Pair:
    """The method of order 8 of Dormand and Prince, with two error estimates and order 7 in between.

    Hairer's dense output is  y + sum_i F_i phi_i(theta)  with  phi = theta, theta (1 - theta),
    theta^2 (1 - theta), theta^2 (1 - theta)^2, ...;  here it is multiplied out.
    """
    n = 12
    A, c = coefficients.table(coefficients.A_8, 16), np.array(coefficients.C_8)
    errors, b = coefficients.table(coefficients.ERRORS_8, n + 1), A[n, :n].copy()
    F = np.zeros((7, 16))  # F_i = h sum_j F_ij k_j
    F[0, :n] = b
    F[1] = -F[0]
    F[1, 0] += 1.0
    F[2] = 2.0 * F[0]
    F[2, 0] -= 1.0
    F[2, n] -= 1.0
    F[3:] = coefficients.table(coefficients.BETWEEN_8, 16)
    P, phi = np.zeros((16, 7)), np.poly1d([1.0])
    theta = np.poly1d([1.0, 0.0])
    for i in range(7):
        phi = phi * (theta if i % 2 == 0 else 1.0 - theta)
        powers = phi.coeffs[::-1][1:]  # of theta^1, theta^2, ...
        P[:, : len(powers)] += F[i][:, None] * powers
    return Pair(A, c, b, errors[0].copy(), errors[1].copy(), P, 7)


@merged
def interpolate(P, k, h, theta, y, out):
    """out = y(t + theta h) on the dense output."""
    for c in range(y.size):
        out[c] = y[c]
    for j in range(P.shape[0]):
        w = 0.0
        for m in range(P.shape[1]):
            w = (w + P[j, P.shape[1] - 1 - m]) * theta
        w *= h
        for c in range(y.size):
            out[c] += w * k[j, c]


@kernel
def interpolate_rates(P, k, theta, out):
    """out = y'(t + theta h) on the dense output:  sum_j k_j sum_m (m + 1) P_jm theta^m."""
    for c in range(out.size):
        out[c] = 0.0
    for j in range(P.shape[0]):
        w = 0.0
        for m in range(P.shape[1], 0, -1):
            w = w * theta + m * P[j, m - 1]
        for c in range(out.size):
            out[c] += w * k[j, c]


@merged
def sum_quadratures(pair: Pair, table, t, h, theta, y, k, node, y_dot, first, out):
    """Write the quadratures, the numbers from `first` on, at t + theta h; node and y_dot are scratch."""
    for c in range(first, y.size):
        out[c] = y[c]
    if first == y.size:
        return
    for n in range(NODES.size):
        at = 0.5 * theta * (1.0 + NODES[n])
        interpolate(pair.P, k, h, at, y, node)
        call(DERIVE, table, t + at * h, node, y_dot, node, EVERYTHING)
        for c in range(first, y.size):
            out[c] += 0.5 * theta * h * WEIGHTS[n] * y_dot[c]
