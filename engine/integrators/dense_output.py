"""The polynomial of a Runge-Kutta step, and quadratures over it.

    y(t + theta h) = y + h sum_j k_j sum_m P_jm theta^(m+1)

Quadratures do not feed back into y', so they may be summed by the formula of Gauss once the step is known.
"""

import numpy as np

from engine.kernels import kernel
from engine.kernels.entries import EVERYTHING
from engine.kernels.linking import DERIVE, call

NODES, WEIGHTS = np.polynomial.legendre.leggauss(5)


@kernel
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
def sum_quadratures(table, P, k, t, h, theta, y, node, y_dot, first, out):
    """Write the quadratures, the numbers from `first` on, at t + theta h; node and y_dot are scratch."""
    for c in range(first, y.size):
        out[c] = y[c]
    if first == y.size:
        return
    for n in range(NODES.size):
        at = 0.5 * theta * (1.0 + NODES[n])
        interpolate(P, k, h, at, y, node)
        call(DERIVE, table, t + at * h, node, y_dot, node, EVERYTHING)
        for c in range(first, y.size):
            out[c] += 0.5 * theta * h * WEIGHTS[n] * y_dot[c]
