"""The laws of interactions: what a force between two markers is, given what it sees.

A law is a compiled function of its own, found by its address. It reads one.param and what
engine.kernels.interactions names in x, and fills F, T and z_dot in Q. Where slopes are wanted it
also writes how Q changes with d, a turn, u, w and z:

    slope[row * width + column]           rows as Q, columns BY_D, BY_TURN, BY_U, BY_W, BY_Z

What it does not write is zero.
"""

import math

from engine.kernels import inlined
from engine.kernels.interactions import BY_U, BY_Z, FORCE, GIVEN, Z_DOT, U, Z
from engine.kernels.linking import Entry, unpack, vector
from engine.kernels.spatial import dot


@inlined
def arguments(table, seen, out, slopes, flag):
    """The record of a law, what it sees, where its results go, and the width of a row of slopes.

    `slope` is empty where slopes are not wanted; everything is zero to begin with.
    """
    system, _ = unpack(table)
    one = system.interactions[flag // 2]
    n_out = Z_DOT + one.n_z
    width = BY_Z + one.n_z
    Q = vector(out, n_out)
    slope = vector(slopes, n_out * width * (flag % 2))
    for k in range(Q.size):
        Q[k] = 0.0
    for k in range(slope.size):
        slope[k] = 0.0
    return one, vector(seen, Z + one.n_z), Q, slope, width


@Entry
def air_drag(table, t, seen, out, slopes, flag):
    """F = -c |v| v,  v = u - wind,  c = rho c_d A / 2:     dF/du = -c (|v| 1 + v v^T / |v|).

    Its numbers are rho and c_d A; what is given over time is the wind.
    """
    one, x, Q, slope, width = arguments(table, seen, out, slopes, flag)
    v = (x[U] - x[GIVEN], x[U + 1] - x[GIVEN + 1], x[U + 2] - x[GIVEN + 2])
    speed = math.sqrt(dot(v, v))
    c = 0.5 * one.param[0] * one.param[1]
    for r in range(3):
        Q[FORCE + r] = -c * speed * v[r]
    if slope.size > 0:
        for r in range(3):
            row = (FORCE + r) * width + BY_U
            for k in range(3):
                slope[row + k] = -c * v[r] * v[k] / max(speed, 1e-300)
            slope[row + r] -= c * speed
    return 0


LAWS = (air_drag,)  # by kind, see engine.kernels.layout
