"""Laws of markers that act along one coordinate x, most of them with states of their own.

The coordinate is a distance, a displacement along an axis of marker i or an angle about one. With p its
gradient by a displacement and a turn of marker j seen from i,

    x_dot = p.(u, w)            (F, T) = -N p            power -N x_dot

    distance      n = d/|d|             p = (n, 0)             n' = (1 - n n^T) d' / |d|
    along axis a                        p = (e_a, 0)           p' = 0
    angle         b: an axis of j       p = (0, (c (b x e_2) - s (b x e_1)) / (c^2 + s^2))
                  in axes of i          b' = th x b          c = b_1, s = b_2

A law gives N and its slopes by x, x_dot and z; forces and slopes along the axes of marker i follow:

    dN = N_x p + N_v (u, w).p'              (F, T)' = -dN p - N p'
"""

import math

from engine.kernels import functions, kernel
from engine.kernels.acting.interactions import (
    AXES,
    BY_D,
    BY_U,
    BY_Z,
    COORDINATE,
    FORCE,
    GIVEN,
    ROW,
    STORED,
    STORING,
    Z_DOT,
    D,
    U,
    Z,
    arguments,
)
from engine.kernels.layout import ALONG, DISTANCE
from engine.kernels.linking import Entry, unpack
from engine.kernels.spatial import cross, dot, minus, plus, times

# --- the first numbers of each law: the coordinate, by its kind and axes
KIND, AXIS_1, AXIS_2, AXIS_J, OWN = 0, 1, 2, 3, 4  # and where the numbers of the law itself start
SLIGHT_DROP = 1e-4  # of the rated pressure drop: below it flow grows in proportion


@kernel
def unit(axis):
    """The unit vector along an axis of a marker."""
    return (
        1.0 if axis == 0.0 else 0.0,
        1.0 if axis == 1.0 else 0.0,
        1.0 if axis == 2.0 else 0.0,
    )


@kernel
def displacement(x):
    """d, where marker j is."""
    return (x[D], x[D + 1], x[D + 2])


@kernel
def axis_of_j(param, x):
    """b: an axis of marker j, along the axes of i."""
    c = int(param[AXIS_J])
    return (x[AXES + c], x[AXES + ROW + c], x[AXES + ROW + ROW + c])


@kernel
def turning(param, b):
    """The gradient of an angle by a turn: (c (b x e_2) - s (b x e_1)) / (c^2 + s^2)."""
    e_1, e_2 = unit(param[AXIS_1]), unit(param[AXIS_2])
    c, s = dot(b, e_1), dot(b, e_2)
    inv = 1.0 / max(c * c + s * s, 1e-300)
    return times(inv, minus(times(c, cross(b, e_2)), times(s, cross(b, e_1))))


@kernel
def gradient(param, x):
    """p, as six numbers."""
    if param[KIND] == DISTANCE:
        d = displacement(x)
        n = times(1.0 / max(math.sqrt(dot(d, d)), 1e-300), d)
        return (n[0], n[1], n[2], 0.0, 0.0, 0.0)
    if param[KIND] == ALONG:
        e = unit(param[AXIS_1])
        return (e[0], e[1], e[2], 0.0, 0.0, 0.0)
    p = turning(param, axis_of_j(param, x))
    return (0.0, 0.0, 0.0, p[0], p[1], p[2])


@kernel
def bent(param, x, k):
    """How p changes with unit number k of the displacement (k < 3) and the turn of marker j."""
    zero = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    if param[KIND] == DISTANCE and k < 3:
        d = displacement(x)
        inv = 1.0 / max(math.sqrt(dot(d, d)), 1e-300)
        n = times(inv, d)
        way = unit(float(k))
        change = times(inv, minus(way, times(dot(n, way), n)))
        return (change[0], change[1], change[2], 0.0, 0.0, 0.0)
    if param[KIND] == DISTANCE or param[KIND] == ALONG or k < 3:
        return zero
    b = axis_of_j(param, x)
    b_ = cross(unit(float(k - 3)), b)
    e_1, e_2 = unit(param[AXIS_1]), unit(param[AXIS_2])
    c, s = dot(b, e_1), dot(b, e_2)
    c_, s_ = dot(b_, e_1), dot(b_, e_2)
    inv = 1.0 / max(c * c + s * s, 1e-300)
    top = minus(times(c_, cross(b, e_2)), times(s_, cross(b, e_1)))
    top = plus(top, minus(times(c, cross(b_, e_2)), times(s, cross(b_, e_1))))
    change = times(inv, minus(top, times(2.0 * (c * c_ + s * s_), turning(param, b))))
    return (0.0, 0.0, 0.0, change[0], change[1], change[2])


@kernel
def rate_along(p, x):
    """p.(u, w)."""
    total = 0.0
    for k in range(6):
        total += p[k] * x[U + k]
    return total


@kernel
def pull(param, x, p, N, by_x, by_rate, Q, slope, width):
    """Write (F, T) = -N p, and its slopes by the motion where they are wanted."""
    for r in range(6):
        Q[FORCE + r] = -N * p[r]
    if slope.size == 0:
        return
    for k in range(6):
        change = bent(param, x, k)
        dN = by_x * p[k] + by_rate * rate_along(change, x)
        for r in range(6):
            slope[(FORCE + r) * width + BY_D + k] = -dN * p[r] - N * change[r]
            slope[(FORCE + r) * width + BY_U + k] = -by_rate * p[k] * p[r]


@kernel
def pull_by_state(p, n, by_z, slope, width):
    """Write how (F, T) changes with state n, where N changes by by_z."""
    if slope.size > 0:
        for r in range(6):
            slope[(FORCE + r) * width + BY_Z + n] = -by_z * p[r]


@kernel
def change_state(param, x, p, n, by_x, by_rate, slope, width):
    """Write how the rate of state n changes with the motion."""
    if slope.size > 0:
        for k in range(6):
            along = by_x * p[k] + by_rate * rate_along(bent(param, x, k), x)
            slope[(Z_DOT + n) * width + BY_D + k] = along
            slope[(Z_DOT + n) * width + BY_U + k] = by_rate * p[k]


@Entry
def maxwell(table, t, seen, out, slopes, flag):
    """A spring k and a damper c in series, beside them k_2 and c_2; z: the stretch of the damper.

    e = x - x0 - z       N = k e + k_2 (x - x0) + c_2 x_dot       z_dot = k e / c
    V = (k e^2 + k_2 (x - x0)^2) / 2
    """
    one, x, Q, slope, width = arguments(table, seen, out, slopes, flag)
    k, c, x0 = one.param[OWN], one.param[OWN + 1], one.param[OWN + 2]
    k_2, c_2 = one.param[OWN + 3], one.param[OWN + 4]
    p = gradient(one.param, x)
    rate = rate_along(p, x)
    stretch = x[COORDINATE] - x0
    e = stretch - x[Z]
    z_dot = k * e / c
    N = k * e + k_2 * stretch + c_2 * rate
    pull(one.param, x, p, N, k + k_2, c_2, Q, slope, width)
    Q[Z_DOT] = z_dot
    told = Z_DOT + one.n_z
    Q[told + STORED] = 0.5 * (k * e * e + k_2 * stretch * stretch)
    Q[told + STORING] = k * e * (rate - z_dot) + k_2 * stretch * rate
    pull_by_state(p, 0, -k, slope, width)
    change_state(one.param, x, p, 0, k / c, 0.0, slope, width)
    if slope.size > 0:
        slope[Z_DOT * width + BY_Z] = -k / c
    return 0


@Entry
def dc_motor(table, t, seen, out, slopes, flag):
    """A motor with the current I as its state:  N = -k I,  I_dot = (U - R I - k x_dot) / L."""
    one, x, Q, slope, width = arguments(table, seen, out, slopes, flag)
    k, R, L = one.param[OWN], one.param[OWN + 1], one.param[OWN + 2]
    p = gradient(one.param, x)
    I = x[Z]
    pull(one.param, x, p, -k * I, 0.0, 0.0, Q, slope, width)
    Q[Z_DOT] = (x[GIVEN] - R * I - k * rate_along(p, x)) / L
    pull_by_state(p, 0, -k, slope, width)
    change_state(one.param, x, p, 0, 0.0, -k / L, slope, width)
    if slope.size > 0:
        slope[Z_DOT * width + BY_Z] = -R / L
    return 0


@Entry
def controller(table, t, seen, out, slopes, flag):
    """e = target - x,  force k_p e + k_i z_0 - k_d y,  within +-limit;  z_0_dot = e.

    y is x_dot or, through a filter of the time T, a second state:  T y_dot = x_dot - y. At the limit the
    integral stands still unless the error leads back.
    """
    one, x, Q, slope, width = arguments(table, seen, out, slopes, flag)
    k_p, k_i, k_d = one.param[OWN], one.param[OWN + 1], one.param[OWN + 2]
    T, limit = one.param[OWN + 3], one.param[OWN + 4]
    p = gradient(one.param, x)
    rate = rate_along(p, x)
    e = x[GIVEN] - x[COORDINATE]
    is_filtered = one.n_z == 2
    force = k_p * e + k_i * x[Z] - k_d * (x[Z + 1] if is_filtered else rate)
    is_free = abs(force) <= limit
    integrates = is_free or e * force < 0.0
    if not is_free:
        force = math.copysign(limit, force)
    free = 1.0 if is_free else 0.0
    by_rate = 0.0 if is_filtered else free * k_d
    pull(one.param, x, p, -force, free * k_p, by_rate, Q, slope, width)
    pull_by_state(p, 0, -free * k_i, slope, width)
    if integrates:
        Q[Z_DOT] = e
        change_state(one.param, x, p, 0, -1.0, 0.0, slope, width)
    if is_filtered:
        Q[Z_DOT + 1] = (rate - x[Z + 1]) / T
        pull_by_state(p, 1, free * k_d, slope, width)
        change_state(one.param, x, p, 1, 0.0, 1.0 / T, slope, width)
        if slope.size > 0:
            slope[(Z_DOT + 1) * width + BY_Z + 1] = -1.0 / T
    return 0


@kernel
def through_orifice(drop, least):
    """The root of a pressure drop with its sign, smooth about zero, and its slope.

    y = drop / (drop^2 + least^2)^(1/4)       y' = (drop^2 / 2 + least^2) / (drop^2 + least^2)^(5/4)
    """
    square = drop * drop + least * least
    root = math.sqrt(math.sqrt(square))
    return drop / root, (0.5 * drop * drop + least * least) / (square * root)


@Entry
def hydraulic_cylinder(table, t, seen, out, slopes, flag):
    """Oil on both sides of a piston: states p_A, p_B;  N = -(p_A A_A - p_B A_B).

    V_A = V_0 + A_A s      V_B = V_0 + A_B (stroke - s)      s = x - closed length
    p_A_dot = beta (Q_A - A_A x_dot - q) / V_A               p_B_dot = beta (Q_B + A_B x_dot + q) / V_B

    Q_A, Q_B: flow through the valve, |u| times the root of the pressure drop over the rated one. It joins A
    with the supply and B with the tank (u > 0), or the other way round. q = leak (p_A - p_B). Beyond its
    stroke a volume stays V_0.
    """
    one, x, Q, slope, width = arguments(table, seen, out, slopes, flag)
    half_out, stroke, V_0, beta = one.param[5], one.param[6], one.param[7], one.param[8]
    A_A, A_B, flow_at, drop_at = one.param[9], one.param[10], one.param[11], one.param[12]
    supply, tank, leak = one.param[13], one.param[14], one.param[15]
    least = SLIGHT_DROP * drop_at
    closed = one.param[OWN] - half_out * 0.5 * stroke
    p = gradient(one.param, x)
    rate = rate_along(p, x)
    s = x[COORDINATE] - closed
    p_A, p_B, u = x[Z], x[Z + 1], min(max(x[GIVEN], -1.0), 1.0)
    flow = flow_at / math.sqrt(drop_at) * abs(u)
    root_A, by_A = through_orifice((supply if u > 0.0 else tank) - p_A, least)
    root_B, by_B = through_orifice((tank if u > 0.0 else supply) - p_B, least)
    V_A = V_0 + A_A * max(s, 0.0)
    V_B = V_0 + A_B * max(stroke - s, 0.0)
    q = leak * (p_A - p_B)
    in_A = flow * root_A - A_A * rate - q
    in_B = flow * root_B + A_B * rate + q
    pull(one.param, x, p, A_B * p_B - A_A * p_A, 0.0, 0.0, Q, slope, width)
    Q[Z_DOT] = beta * in_A / V_A
    Q[Z_DOT + 1] = beta * in_B / V_B
    pull_by_state(p, 0, -A_A, slope, width)
    pull_by_state(p, 1, A_B, slope, width)
    by_s = -beta * in_A * A_A / (V_A * V_A) if s > 0.0 else 0.0
    change_state(one.param, x, p, 0, by_s, -beta * A_A / V_A, slope, width)
    by_s = beta * in_B * A_B / (V_B * V_B) if s < stroke else 0.0
    change_state(one.param, x, p, 1, by_s, beta * A_B / V_B, slope, width)
    if slope.size > 0:
        slope[Z_DOT * width + BY_Z] = -beta * (flow * by_A + leak) / V_A
        slope[Z_DOT * width + BY_Z + 1] = beta * leak / V_A
        slope[(Z_DOT + 1) * width + BY_Z] = beta * leak / V_B
        slope[(Z_DOT + 1) * width + BY_Z + 1] = -beta * (flow * by_B + leak) / V_B
    return 0


@Entry
def by_formula(table, t, seen, out, slopes, flag):
    """N = -f_0(t, x, x_dot, z_1, ...),  z_n_dot = f_n(t, x, x_dot, z_1, ...): functions of the user."""
    one, x, Q, slope, width = arguments(table, seen, out, slopes, flag)
    system, ws = unpack(table)
    p = gradient(one.param, x)
    n_args = 3 + one.n_z
    ws.args[0], ws.args[1], ws.args[2] = t, x[COORDINATE], rate_along(p, x)
    for n in range(one.n_z):
        ws.args[3 + n] = x[Z + n]
    for k in range(ws.rates.size):
        ws.rates[k] = 0.0
    for f in range(1 + one.n_z):
        which = one.function[f]
        value = 0.0
        by_x = 0.0
        by_rate = 0.0
        if which >= 0:
            value = functions.value(system.functions, which, ws.args, ws.stack)
            if slope.size > 0:
                for k in range(1, n_args):
                    ws.rates[k] = 1.0
                    functions.jet(system.functions, which, ws.args, ws.rates, ws.stack, ws.jet)
                    ws.rates[k] = 0.0
                    if k == 1:
                        by_x = ws.jet[1]
                    elif k == 2:
                        by_rate = ws.jet[1]
                    elif f == 0:
                        pull_by_state(p, k - 3, -ws.jet[1], slope, width)
                    else:
                        slope[(Z_DOT + f - 1) * width + BY_Z + k - 3] = ws.jet[1]
        if f == 0:
            pull(one.param, x, p, -value, -by_x, -by_rate, Q, slope, width)
        else:
            Q[Z_DOT + f - 1] = value
            change_state(one.param, x, p, f - 1, by_x, by_rate, slope, width)
    return 0


LINE_LAWS = (maxwell, dc_motor, controller, hydraulic_cylinder, by_formula)
