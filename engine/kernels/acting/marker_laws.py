"""The laws of interactions: what a force between two markers is, given what it sees.

A law is a compiled function of its own, found by its address. It reads one.param and what
engine.kernels.acting.interactions names in x, and fills F, T and z_dot in Q. Laws along one coordinate,
with states, are in engine.kernels.acting.line_laws. Where slopes are wanted it
also writes how Q changes with d, a turn, u, w and z:

    slope[row * width + column]           rows as Q, columns BY_D, BY_TURN, BY_U, BY_W, BY_Z

What it does not write is zero.
"""

import math

from engine.kernels.acting.cables import cable
from engine.kernels.acting.contact_laws import contact
from engine.kernels.acting.gates import gate_friction
from engine.kernels.acting.interactions import (
    AXES,
    BY_TURN,
    BY_TURN_I,
    BY_U,
    FORCE,
    GIVEN,
    ROW,
    TORQUE,
    WORLD,
    U,
    arguments,
)
from engine.kernels.acting.involute import gear_teeth
from engine.kernels.acting.joint_friction import joint_friction
from engine.kernels.acting.line_laws import LINE_LAWS
from engine.kernels.layout import OF_I, OF_J
from engine.kernels.linking import Entry
from engine.kernels.spatial import dot


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


@Entry
def given(table, t, seen, out, slopes, flag):
    """A force (param[0] = 0) or a torque (1) whose components g are given over time along chosen axes.

    Those (param[1]) of marker i:  F = g        of marker j:  F = R g,  F' = th x F
                                                of the world:  F = A^T g,  F' = -th_i x F

    where th and th_i are turns of R and of A about the axes of i.
    """
    one, x, Q, slope, width = arguments(table, seen, out, slopes, flag)
    at = FORCE if one.param[0] == 0.0 else TORQUE
    axes = AXES if one.param[1] == OF_J else WORLD
    for r in range(3):
        if one.param[1] == OF_I:
            Q[at + r] = x[GIVEN + r]
        else:
            for c in range(3):
                Q[at + r] += x[axes + ROW * r + c] * x[GIVEN + c]
    if slope.size > 0 and one.param[1] != OF_I:
        sign = 1.0 if one.param[1] == OF_J else -1.0
        by = BY_TURN if one.param[1] == OF_J else BY_TURN_I
        for k in range(3):  # e_k x F
            nxt, last = (k + 1) % 3, (k + 2) % 3
            slope[(at + nxt) * width + by + k] = -sign * Q[at + last]
            slope[(at + last) * width + by + k] = sign * Q[at + nxt]
    return 0


# an Interaction names one of them
LAWS = (
    *(air_drag, given, *LINE_LAWS, contact, cable, gear_teeth),
    *(joint_friction, gate_friction),
)
