"""The law of a contact: how hard two shapes press and rub, and where.

With the depth d of engine.kernels.acting.touching, its rate d_dot = -n.u_c and the sliding velocity
v = u_c + d_dot n of j against i, where u_c is the relative velocity at the point of contact,

    restitution   N = k d^(3/2) (1 + s d_dot / v_in)         ln((1 + s)/(1 - s r)) = s (1 + r)
    impact        N = k d^e + c d_dot S(d/depth)             S(x) = x^2 (3 - 2 x), then 1

never less than zero. s gives exactly the restitution r, whatever k and the masses are; v_in is a state: the
speed with which the shapes met, noted at that moment, and not less than a floor. Friction on j is -T:

    by velocity   T = mu(|v|) N v/|v|         mu rises by S from 0 to mu_s at v_s, and falls to mu_d at v_d
    sticking      T = k_t z + c_t v while that is at most mu N, else it slides with T = mu N along it; and
                  z_dot = (T - k_t z)/c_t, which is v while it sticks, but z grows no faster than by v: a
                  spring that is not overstretched, stores no more than the motion puts in, and is smooth
                  where sticking and sliding meet
    LuGre         T = N (k_t z + c_t z_dot)           z_dot = v - |v| k_t z / mu(|v|)

In the plane z is one number along the tangent (-n_y, n_x), in space a vector along the axes of i. A contact
stores k d^(e+1)/(e+1), and sticking friction k_t z^2/2. The bristles of LuGre, whose k_t and c_t are those
of a normal force of 1 N, give back nothing: what they do is work.

Its branches: 0 apart, 0.5 touching without force, 1 pressing, 3 with full damping; and 4 times a number for
friction that sticks (1) or slides forwards (2) or backwards (3) in the plane. The slopes are central
differences: each shape would need second derivatives of its own.
"""

import math

from engine.kernels import kernel
from engine.kernels.acting import touching
from engine.kernels.acting.interactions import (
    AXES,
    BY_TURN_I,
    BY_Z,
    CLOSING,
    DEPTH,
    FORCE,
    FRICTION,
    LOSS,
    MODE,
    NORMAL,
    PRESSURE,
    SLIDING,
    SPOT,
    STORED,
    STORING,
    TORQUE,
    Z_DOT,
    D,
    U,
    W,
    Z,
    arguments,
)
from engine.kernels.layout import FREE
from engine.kernels.linking import Entry, unpack
from engine.kernels.spatial import cross, dot, minus, plus, times

# --- numbers of a contact, besides those of its shapes in engine.kernels.acting.touching
LAW, STIFFNESS, EXPONENT, DAMPING, FULL = (
    6,
    7,
    8,
    9,
    10,
)  # damping: s of restitution; depth of full damping
RUBS, MU_S, MU_D, V_S, V_D, K_T, C_T = 11, 12, 13, 14, 15, 16, 17
LEAST_SPEED, IN_PLANE = 18, 19
RESTITUTION, IMPACT = 0.0, 1.0
SMOOTH, BY_VELOCITY, STICKING, LUGRE = 0.0, 1.0, 2.0, 3.0
SETTLING = (
    1e-4  # [s] within which the spring of friction follows without damping, and when shapes part
)
FARTHEST = -0.5  # of the depth of full damping: damping beyond the end of its branch stays as there
SHIFT = 1e-7  # of a difference quotient, of the size of what is moved


@kernel
def smooth_step(x):
    """0 to 1 between 0 and 1."""
    x = min(max(x, 0.0), 1.0)
    return x * x * (3.0 - 2.0 * x)


@kernel
def power_of(d, e):
    """|d|^e with the sign of d."""
    if e == 1.0:
        return d
    if e == 1.5:
        return d * math.sqrt(abs(d))
    return math.copysign(abs(d) ** e, d)


@kernel
def pressing(param, d, d_dot, v_in, part):
    """N on one branch; smooth beyond its ends."""
    if part % 2.0 == 0.0 or part == 0.5:
        return 0.0
    elastic = param[STIFFNESS] * power_of(d, param[EXPONENT])
    if param[LAW] == RESTITUTION:
        return elastic * (1.0 + param[DAMPING] * d_dot / max(v_in, param[LEAST_SPEED]))
    full = 1.0
    if part % 4.0 == 1.0:
        x = min(max(d / param[FULL], FARTHEST), 1.0)
        full = x * x * (3.0 - 2.0 * x)
    return elastic + param[DAMPING] * full * d_dot


@kernel
def branch_of(param, d, d_dot, v_in):
    """0 apart, 0.5 touching without force, 1 pressing, 3 with full damping."""
    if d <= 0.0:
        return 0.0
    damped = param[LAW] == IMPACT and param[DAMPING] > 0.0
    part = 3.0 if damped and d > param[FULL] else 1.0
    return part if pressing(param, d, d_dot, v_in, part) > 0.0 else 0.5


@kernel
def coefficient(param, speed):
    """mu from mu_s below v_s to mu_d above v_d."""
    over = smooth_step((speed - param[V_S]) / (param[V_D] - param[V_S]))
    return param[MU_S] + (param[MU_D] - param[MU_S]) * over


@kernel
def friction(param, N, v, n, z, held):
    """T, z_dot, and whether it sticks (1) or slides forwards (2) or backwards (3).

    `held`: the one of these on which it is held, or 0.
    """
    zero = (0.0, 0.0, 0.0)
    speed = math.sqrt(dot(v, v))
    if param[RUBS] == BY_VELOCITY:
        rise = smooth_step(0.5 + 0.5 * speed / param[V_S]) * 2.0 - 1.0
        mu = rise * coefficient(param, speed)
        return times(mu * N / max(speed, 1e-300), v), zero, 0.0
    if param[RUBS] == SMOOTH:
        return zero, zero, 0.0
    if param[RUBS] == LUGRE:
        mu = max(coefficient(param, speed), 1e-300)
        z_dot = minus(v, times(speed * param[K_T] / mu, z))
        return times(N, plus(times(param[K_T], z), times(param[C_T], z_dot))), z_dot, 0.0
    T = plus(times(param[K_T], z), times(param[C_T], v))
    size = math.sqrt(dot(T, T))
    most = coefficient(param, speed) * N
    forwards = T[1] * n[0] - T[0] * n[1] >= 0.0  # along the tangent (-n_y, n_x)
    now = 1.0 if size <= most else (2.0 if forwards else 3.0)
    part = now if held == 0.0 else held
    if part == 1.0:
        return T, v, now
    way = times(1.0 / max(size, 1e-300), T)
    if held != 0.0 and param[IN_PLANE] == 1.0:
        sign = 1.0 if held == 2.0 else -1.0
        way = (-sign * n[1], sign * n[0], 0.0)
    pace = param[K_T] / param[C_T] if param[C_T] > 0.0 else 1.0 / SETTLING
    along = dot(z, way)
    rate = (most / param[K_T] - along) * pace
    if rate > 0.0:  # no spring is stretched by more than the motion
        rate = min(rate, max(dot(v, way), 0.0))
    across = minus(z, times(along, way))
    return times(most, way), minus(times(rate, way), times(pace, across)), now


@kernel
def respond(param, corners, n_corners, d, R, u, w, v_in, z, held):
    """Force and torque at P_j, rates of states, what is told, place and normal force of a contact."""
    depth, n, c = touching.meet(param, corners, n_corners, d, R)
    arm = minus(c, d)
    u_c = plus(u, cross(w, arm))
    closing = -dot(n, u_c)
    v = plus(u_c, times(closing, n))
    if param[IN_PLANE] == 1.0:
        spring = (-z[0] * n[1], z[0] * n[0], 0.0)
    else:
        spring = minus(z, times(dot(z, n), n))
    part = branch_of(param, depth, closing, v_in)
    base = part
    held_friction = 0.0
    if held != FREE:
        held_friction = math.floor(held / 4.0)
        base = held - 4.0 * held_friction
    N = pressing(param, depth, closing, v_in, base)
    T = (0.0, 0.0, 0.0)
    z_dot = times(-1.0 / SETTLING, spring)
    mode = part
    if base % 2.0 == 1.0:
        T, z_dot, now = friction(param, N, v, n, spring, held_friction)
        if part % 2.0 == 1.0:
            mode = part + 4.0 * now
    elif part % 2.0 == 1.0:
        N_now = pressing(param, depth, closing, v_in, part)
        _, _, now = friction(param, N_now, v, n, spring, 0.0)
        mode = part + 4.0 * now
    F = minus(times(N, n), T)
    k, e = param[STIFFNESS], param[EXPONENT]
    stored = 0.0
    storing = 0.0
    if base != 0.0:  # what touches without force still gives back what it stores, to nobody
        stored = k * abs(power_of(depth, e + 1.0)) / (e + 1.0)
        storing = k * power_of(depth, e) * closing
    if param[RUBS] == STICKING:
        stored += 0.5 * param[K_T] * dot(spring, spring)
        storing += param[K_T] * dot(spring, z_dot)
    if param[IN_PLANE] == 1.0:
        z_dot = (z_dot[1] * n[0] - z_dot[0] * n[1], 0.0, 0.0)
        along = v[1] * n[0] - v[0] * n[1]
        rubbed = T[1] * n[0] - T[0] * n[1]
    else:
        along = math.sqrt(dot(v, v))
        rubbed = math.sqrt(dot(T, T))
    told = (stored, storing, depth, N, rubbed, along, mode, closing, dot(T, v))
    return F, cross(arm, F), z_dot, told, c, times(N, n)


@kernel
def rows_of(x):
    """The axes of marker j along those of i, row by row."""
    return (
        (x[AXES], x[AXES + 1], x[AXES + 2]),
        (x[AXES + 3], x[AXES + 4], x[AXES + 5]),
        (x[AXES + 6], x[AXES + 7], x[AXES + 8]),
    )


@kernel
def moved(vector, k, by):
    """A vector with `by` added to its component k."""
    return (
        vector[0] + (by if k == 0 else 0.0),
        vector[1] + (by if k == 1 else 0.0),
        vector[2] + (by if k == 2 else 0.0),
    )


@kernel
def at_shifted(param, corners, n_corners, x, n_z, v_in_at, held, column, by):
    """`respond` with one of the things it sees, by its column of slopes, shifted a little."""
    d, u, w = (x[D], x[D + 1], x[D + 2]), (x[U], x[U + 1], x[U + 2]), (x[W], x[W + 1], x[W + 2])
    R = rows_of(x)
    v_in = x[Z + v_in_at] if v_in_at >= 0 else 0.0
    z = bristle(x, n_z, v_in_at)
    if column < 3:
        d = moved(d, column, by)
    elif column < 6:  # R' = th x R
        th = moved((0.0, 0.0, 0.0), column - 3, by)
        R = (
            plus(R[0], minus(times(th[1], R[2]), times(th[2], R[1]))),
            plus(R[1], minus(times(th[2], R[0]), times(th[0], R[2]))),
            plus(R[2], minus(times(th[0], R[1]), times(th[1], R[0]))),
        )
    elif column < 9:
        u = moved(u, column - 6, by)
    elif column < BY_TURN_I:
        w = moved(w, column - 9, by)
    else:
        which = column - BY_Z
        if which == v_in_at:
            v_in += by
        else:
            z = moved(z, which - (1 if v_in_at >= 0 else 0), by)
    return respond(param, corners, n_corners, d, R, u, w, v_in, z, held)


@kernel
def bristle(x, n_z, v_in_at):
    """The states of sticking friction; zero where there are none."""
    first = Z + (1 if v_in_at >= 0 else 0)
    left = n_z - (1 if v_in_at >= 0 else 0)
    if left == 0:
        return (0.0, 0.0, 0.0)
    if left == 1:
        return (x[first], 0.0, 0.0)
    return (x[first], x[first + 1], x[first + 2])


@kernel
def write_slopes(param, corners, n_corners, x, n_z, v_in_at, held, slope, width):
    """Fill the slopes by central differences."""
    rates = Z_DOT + (1 if v_in_at >= 0 else 0)
    for column in range(width):
        if column >= BY_TURN_I and column < BY_Z:
            continue
        h = SHIFT
        F1, M1, z1, _, _, _ = at_shifted(
            param, corners, n_corners, x, n_z, v_in_at, held, column, h
        )
        F0, M0, z0, _, _, _ = at_shifted(
            param, corners, n_corners, x, n_z, v_in_at, held, column, -h
        )
        for r in range(3):
            slope[(FORCE + r) * width + column] = (F1[r] - F0[r]) / (2.0 * h)
            slope[(TORQUE + r) * width + column] = (M1[r] - M0[r]) / (2.0 * h)
            if rates + r < Z_DOT + n_z:
                slope[(rates + r) * width + column] = (z1[r] - z0[r]) / (2.0 * h)


@Entry
def contact(table, t, seen, out, slopes, flag):
    """Two shapes that push each other apart where they overlap, and rub."""
    one, x, Q, slope, width = arguments(table, seen, out, slopes, flag)
    system, ws = unpack(table)
    held = ws.touching[flag // 2]
    corners = system.outlines[one.points_at : one.points_at + 2 * one.n_points]
    v_in_at = 0 if one.param[LAW] == RESTITUTION else -1
    v_in = x[Z] if v_in_at == 0 else 0.0
    F, M, z_dot, told, c, pressed = respond(
        one.param,
        corners,
        one.n_points,
        (x[D], x[D + 1], x[D + 2]),
        rows_of(x),
        (x[U], x[U + 1], x[U + 2]),
        (x[W], x[W + 1], x[W + 2]),
        v_in,
        bristle(x, one.n_z, v_in_at),
        held,
    )
    for r in range(3):
        Q[FORCE + r] = F[r]
        Q[TORQUE + r] = M[r]
    first = Z_DOT + (1 if v_in_at == 0 else 0)
    for n in range(Z_DOT + one.n_z - first):
        Q[first + n] = z_dot[n]
    at = Z_DOT + one.n_z
    Q[at + STORED] = told[0]
    Q[at + STORING] = told[1]
    Q[at + DEPTH] = told[2]
    Q[at + PRESSURE] = told[3]
    Q[at + FRICTION] = told[4]
    Q[at + SLIDING] = told[5]
    Q[at + MODE] = told[6]
    Q[at + CLOSING] = told[7]
    Q[at + LOSS] = told[8]
    for r in range(3):
        Q[at + SPOT + r] = c[r]
        Q[at + NORMAL + r] = pressed[r]
    if slope.size > 0:
        write_slopes(one.param, corners, one.n_points, x, one.n_z, v_in_at, held, slope, width)
    return 0
