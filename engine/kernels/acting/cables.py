"""The law of a cable over a pulley or a cylinder: massless, without friction, and it only pulls.

Seen along the axle, z of the marker on the pulley, an end E at the distance D in the direction psi has the
length l = sqrt(D^2 - r^2) to the point T where the cable touches, and T lies by a = acos(r/D) farther. From
end 1 the cable goes on round the pulley in the way w = +1 (anticlockwise) or -1, to end 2:

    wrapped   th = w (psi_2 - psi_1) - a_1 - a_2         between -90 and 270 degrees, and whole turns
    s = l_1 + r th + l_2                                 where th < 0 it hangs free:  s = |E_2 - E_1|
    L = sqrt(s^2 + (z_2 - z_1)^2)                        on a cylinder it lies in a helix

    N = preload + k (L - L_0) + c L_dot + f(t, L, L_dot, angle, spin),  not less than zero

The force on an end is N along the cable, e = (s/L t, dz/L) with t from E to T. Its line touches the pulley,
so the opposite force on the pulley, at the same place, is the one of the cable that lies on it. Each end is
a law of its own that looks at the other one; how it changes when the other end moves is left out of its
slopes. `angle` is that of x of the marker at end 2 about the axle, and spin its rate.
"""

import math

from engine.kernels import functions, kernel
from engine.kernels.acting.interactions import (
    AXES,
    BY_D,
    BY_TURN,
    BY_U,
    BY_W,
    DEPTH,
    FORCE,
    LAG,
    PRESSURE,
    ROW,
    SLIDING,
    STORED,
    STORING,
    Z_DOT,
    D,
    U,
    W,
    along,
    apart,
    arguments,
    arms,
    marker_axes,
)
from engine.kernels.linking import Entry, unpack
from engine.kernels.spatial import dot, minus, to_world

RADIUS, WAY, TURNS, STIFFNESS, DAMPING, FREE_LENGTH, PRELOAD, OTHER = range(8)
SHIFT = 1e-7  # of a difference quotient


@kernel
def tangent(r, x, y):
    """Length and angle from the direction of an end to where the cable touches a circle of radius r."""
    D = math.sqrt(x * x + y * y)
    if r >= D:  # an end within the pulley
        return 0.0, 0.0
    return math.sqrt((D - r) * (D + r)), math.acos(r / D)


@kernel
def path(param, d, o):
    """L, th, and at end d the direction of the cable; o: the other end. d is end 1 where OTHER is 1."""
    r, first = param[RADIUS], param[OTHER] > 0.0
    w = param[WAY] if first else -param[WAY]  # seen from end 2 it goes round the other way
    l_d, a_d = tangent(r, d[0], d[1])
    l_o, a_o = tangent(r, o[0], o[1])
    psi = math.atan2(d[1], d[0])
    th = w * (math.atan2(o[1], o[0]) - psi) - a_d - a_o
    th -= 2.0 * math.pi * math.floor(th / (2.0 * math.pi) + 0.25)
    th += 2.0 * math.pi * param[TURNS]
    dz = o[2] - d[2]
    if th < 0.0:
        tx, ty = o[0] - d[0], o[1] - d[1]
        s = math.sqrt(tx * tx + ty * ty)
        tx, ty = tx / max(s, 1e-300), ty / max(s, 1e-300)
    else:
        s = l_d + r * th + l_o
        at = psi + w * a_d
        # the way along the circle at T
        tx, ty = -w * math.sin(at), w * math.cos(at)
    L = math.sqrt(s * s + dz * dz)
    share = s / max(L, 1e-300)
    return L, th, (share * tx, share * ty, dz / max(L, 1e-300))


@kernel
def pull(system, ws, one, t, d, u, angle, spin, o, uo, eo_param):
    """Tension, length and its rate, wrapped angle, force on this end, and the stretch."""
    L, th, e = path(one.param, d, o)
    _, _, e_o = path(eo_param, o, d)
    rate = -dot(e, u) - dot(e_o, uo)
    stretch = L - one.param[FREE_LENGTH]
    N = one.param[PRELOAD] + one.param[STIFFNESS] * stretch + one.param[DAMPING] * rate
    if one.function[0] >= 0:
        ws.args[0], ws.args[1], ws.args[2], ws.args[3], ws.args[4] = t, L, rate, angle, spin
        N += functions.value(system.functions, one.function[0], ws.args, ws.stack)
    N = max(N, 0.0)
    return N, L, rate, th, (N * e[0], N * e[1], N * e[2]), stretch


@kernel
def seen_from_pulley(one, i, j):
    """Place, velocity and angular velocity of an end, and the turn of its x axis about the axle."""
    A = marker_axes(i.R, one.axes_i)
    B = marker_axes(j.R, one.axes_j)
    _, e = arms(one, i, j)
    u, w = apart(one, i, j)
    d = along(A, minus(e, to_world(i.R, one.P_i)))
    x = along(A, B[0])
    return d, along(A, u), math.atan2(x[1], x[0]), dot(A[2], w)


@Entry
def cable(table, t, seen, out, slopes, flag):
    """One end of a cable over a pulley."""
    one, x, Q, slope, width = arguments(table, seen, out, slopes, flag)
    system, ws = unpack(table)
    which = flag // 2
    far = system.interactions[which + int(one.param[OTHER])]
    o, uo, angle_o, spin_o = seen_from_pulley(far, ws.spatial[far.i], ws.spatial[far.j])
    d, u = (x[D], x[D + 1], x[D + 2]), (x[U], x[U + 1], x[U + 2])
    is_first = one.param[OTHER] > 0.0
    angle = angle_o if is_first else math.atan2(x[AXES + ROW], x[AXES])
    spin = spin_o if is_first else x[W + 2]
    N, L, rate, th, F, stretch = pull(system, ws, one, t, d, u, angle, spin, o, uo, far.param)
    for r in range(3):
        Q[FORCE + r] = F[r]
    told = Z_DOT + one.n_z
    if is_first:
        taut = max(stretch, 0.0)
        Q[told + STORED] = 0.5 * one.param[STIFFNESS] * taut * taut
        Q[told + STORING] = one.param[STIFFNESS] * taut * rate
        Q[told + PRESSURE] = N
        Q[told + DEPTH] = L
        Q[told + SLIDING] = rate
        Q[told + LAG] = max(th, 0.0)
    if slope.size > 0:
        for c in range(8):
            h = SHIFT
            at = BY_D + c if c < 3 else (BY_U + c - 3 if c < 6 else (BY_TURN + 2, BY_W + 2)[c - 6])
            if c >= 6 and is_first:
                continue
            F1 = shifted(system, ws, one, t, d, u, angle, spin, o, uo, far.param, c, h)
            F0 = shifted(system, ws, one, t, d, u, angle, spin, o, uo, far.param, c, -h)
            for r in range(3):
                slope[(FORCE + r) * width + at] = (F1[r] - F0[r]) / (2.0 * h)
        if not is_first:
            slopes_by_turn(x, slope, width)
    return 0


@kernel
def slopes_by_turn(x, slope, width):
    """Slopes by the turns of the end about the other two axes, where its x axis b leans to the axle.

    With the turn th the angle atan2(b_y, b_x) changes by th_z - b_z (th_x b_x + th_y b_y)/(b_x^2 + b_y^2).
    """
    b_x, b_y, b_z = x[AXES], x[AXES + ROW], x[AXES + 2 * ROW]
    lean = b_z / max(b_x * b_x + b_y * b_y, 1e-300)
    for r in range(FORCE, FORCE + 3):
        by_angle = slope[r * width + BY_TURN + 2]
        slope[r * width + BY_TURN] = -lean * b_x * by_angle
        slope[r * width + BY_TURN + 1] = -lean * b_y * by_angle


@kernel
def shifted(system, ws, one, t, d, u, angle, spin, o, uo, eo_param, c, h):
    """The force on an end with one of the things it sees moved by h: d, u, then angle and spin."""
    d = (d[0] + h * (c == 0), d[1] + h * (c == 1), d[2] + h * (c == 2))
    u = (u[0] + h * (c == 3), u[1] + h * (c == 4), u[2] + h * (c == 5))
    angle += h * (c == 6)
    spin += h * (c == 7)
    return pull(system, ws, one, t, d, u, angle, spin, o, uo, eo_param)[4]
