"""Involute teeth of two wheels that press and rub on each other.

Seen from wheel i, whose centre is the origin, wheel j has its centre at a e and is turned by phi. Both
have base circles r_b; a tooth spans the angle 2 psi on its base circle, its middle at the angle off. Teeth
touch on a common tangent of both base circles, the line of action: s = -1 where wheel i, turning
anticlockwise, drives, s = +1 for the flanks behind.

    cos(alpha) = (r_bi + r_bj) / a            L = a sin(alpha)             between the tangent points
    u = sin(alpha) e - s cos(alpha) perp(e)   along it, from wheel i to wheel j
    X = r_bi (psi_i - s (off_i - angle(e)) + alpha)                where a flank of i cuts it
    Y = r_bj (psi_j - s (phi + off_j - angle(e) - pi) + alpha)     a flank of j, counted from its own end
    depth = X + Y - L                         modulo the base pitch p: the nearest pair of flanks

All pairs on one line of action are equally deep, because involutes are parallel curves; they lie at X,
X + p ... within the part of the line that both tip circles cover. At both ends of this path the force of a
pair fades by a weight over a small length, as teeth bend. With the closing speed d_dot = -u.u_c each pair
presses and rubs as engine.kernels.acting.contact_laws says:

    N = weight (k depth^e + c d_dot S)        T = mu(|v|) N against sliding

Its branches are those of a contact for each side: 0 apart, 1 touching without force, 2 pressing, 3 with
full damping; those of s = -1 and four times those of s = +1 together. The slopes are central differences.
"""

import math

from engine.kernels import kernel
from engine.kernels.acting import contact_laws
from engine.kernels.acting.contact_laws import BY_VELOCITY, EXPONENT, RUBS, STIFFNESS, rows_of
from engine.kernels.acting.interactions import (
    BY_TURN_I,
    CLOSING,
    DEPTH,
    FORCE,
    FRICTION,
    LAG,
    LOSS,
    MODE,
    NORMAL,
    PAIRS,
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
    arguments,
)
from engine.kernels.layout import FREE
from engine.kernels.linking import Entry, unpack

# --- numbers of a pair of wheels, behind those of a contact: base and tip radii, angles of half a tooth and
# of the middle of a tooth; base pitch, length over which a pair takes up its load, and -1 where wheel j is
# seen from behind
RB_I, RA_I, PSI_I, OFF_I, RB_J, RA_J, PSI_J, OFF_J, PITCH, FADE, SEEN = range(20, 31)
SHIFT = 1e-9  # of a difference quotient: far less than teeth are pressed


@kernel
def number_of(part):
    """The number of a branch of engine.kernels.acting.contact_laws."""
    if part == 0.5:
        return 1.0
    return 2.0 if part == 1.0 else part


@kernel
def branch_by(number):
    """The branch that has a number."""
    if number == 1.0:
        return 0.5
    return 1.0 if number == 2.0 else number


@kernel
def weight_of(x, low, high, fade, x_dot, low_dot, high_dot):
    """How much of its load a pair carries at x on its path, and how fast that changes."""
    if x <= low or x >= high:
        return 0.0, 0.0
    is_entering = x - low < high - x
    r = (x - low if is_entering else high - x) / fade
    if r >= 1.0:
        return 1.0, 0.0
    r_dot = (x_dot - low_dot if is_entering else high_dot - x_dot) / fade
    return r * r * (3.0 - 2.0 * r), 6.0 * r * (1.0 - r) * r_dot


@kernel
def depth_of(param, s, alpha, L, way, phi):
    """How deep the flanks of one side are in each other, and where one of i cuts the line of action."""
    X = param[RB_I] * (param[PSI_I] - s * (param[OFF_I] - way) + alpha)
    Y = param[RB_J] * (param[PSI_J] - s * (phi - way - math.pi) + alpha)
    depth = X + Y - L
    return depth - param[PITCH] * math.floor(depth / param[PITCH] + 0.5), X


@kernel
def rubbing(param, N, v):
    """T of one pair that slides with v across the line of action."""
    if param[RUBS] != BY_VELOCITY:
        return 0.0
    speed = abs(v)
    rise = contact_laws.smooth_step(0.5 + 0.5 * speed / param[contact_laws.V_S])
    return math.copysign((2.0 * rise - 1.0) * contact_laws.coefficient(param, speed) * N, v)


@kernel
def press(param, line, s, depth, X, closing, part, d, u, w):
    """What all pairs of one side do: F, M, what they store, N, |T|; sliding and place by size; N u, T v."""
    a, ex, ey, ca, sa, low, high = line
    ux, uy = sa * ex + s * ca * ey, sa * ey - s * ca * ex
    tx, ty = param[RB_I] * (ca * ex - s * sa * ey), param[RB_I] * (ca * ey + s * sa * ex)
    N = contact_laws.pressing(param, depth, closing, 0.0, part)
    elastic = param[STIFFNESS] * contact_laws.power_of(depth, param[EXPONENT])
    V = elastic * depth / (param[EXPONENT] + 1.0)
    turns, grows = (ex * u[1] - ey * u[0]) / a, ex * u[0] + ey * u[1]  # rates of angle(e) and a
    L_dot = grows / sa
    low_dot, high_dot = L_dot if low > 0.0 else 0.0, L_dot if high == a * sa else 0.0
    fade = min(param[FADE], 0.5 * (high - low))
    x = X - param[PITCH] * math.floor((X - low) / param[PITCH])
    x_dot = param[RB_I] * (s * turns + ca * grows / (a * sa))
    Fx = Fy = M = stored = storing = pressure = rubbed = size = slid = cx = cy = pairs = lost = 0.0
    while x < high:
        share, share_dot = weight_of(x, low, high, fade, x_dot, low_dot, high_dot)
        px, py = tx + ux * (x - 0.5 * depth), ty + uy * (x - 0.5 * depth)
        v = (u[1] + w[2] * (px - d[0])) * ux - (u[0] - w[2] * (py - d[1])) * uy
        T = rubbing(param, share * N, v)
        fx, fy = share * N * ux + T * uy, share * N * uy - T * ux
        Fx, Fy = Fx + fx, Fy + fy
        M += (px - d[0]) * fy - (py - d[1]) * fx
        of_pair = math.sqrt(fx * fx + fy * fy)
        size, slid = size + of_pair, slid + of_pair * abs(v)
        cx, cy = cx + of_pair * px, cy + of_pair * py
        pressure, rubbed, pairs = pressure + share * N, rubbed + abs(T), pairs + 1.0
        lost += T * v
        stored += share * V
        storing += share * elastic * closing + share_dot * V
        x += param[PITCH]
    along = (pressure * ux, pressure * uy)
    return Fx, Fy, M, stored, storing, pressure, rubbed, size, slid, cx, cy, pairs, *along, lost


@kernel
def plus_all(a, b):
    """The sum of what two sides do."""
    return (
        *(a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5]),
        *(a[6] + b[6], a[7] + b[7], a[8] + b[8], a[9] + b[9], a[10] + b[10], a[11] + b[11]),
        *(a[12] + b[12], a[13] + b[13], a[14] + b[14]),
    )


@kernel
def respond(param, d, R, u, w, held):
    """What both sides do to wheel j at its centre, along the axes of i in its xy plane, and what is told.

    The first as `press` gives it; depth, rate of the depth, branch, and how far wheel j lags behind.
    """
    total = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    deepest, closing_at, mode, lag = -0.5 * param[PITCH], 0.0, 0.0, 0.0
    a = math.sqrt(d[0] * d[0] + d[1] * d[1])
    ca = (param[RB_I] + param[RB_J]) / max(a, 1e-300)
    if ca >= 1.0:
        return total, deepest, closing_at, mode, lag
    ex, ey = d[0] / a, d[1] / a
    way, alpha, sa = math.atan2(ey, ex), math.acos(ca), math.sqrt(1.0 - ca * ca)
    phi = math.atan2(R[1][0], R[0][0]) + param[SEEN] * param[OFF_J]
    L = a * sa
    low = max(0.0, L - math.sqrt(param[RA_J] * param[RA_J] - param[RB_J] * param[RB_J]))
    high = min(L, math.sqrt(param[RA_I] * param[RA_I] - param[RB_I] * param[RB_I]))
    for side in range(2):  # what touches without force still gives back what it stores
        s = 2.0 * side - 1.0
        depth, X = depth_of(param, s, alpha, L, way, phi)
        lag -= 0.5 * s * depth
        if high <= low:
            continue
        # -u.(u + w x (c - d)), which is the same for all points c of a line; its arm from wheel j is r_bj
        ux, uy = sa * ex + s * ca * ey, sa * ey - s * ca * ex
        closing = -(ux * u[0] + uy * u[1] + s * param[RB_J] * w[2])
        part = contact_laws.branch_of(param, depth, closing, 0.0)
        mode += number_of(part) * (1.0 if side == 0 else 4.0)
        if depth > deepest:
            deepest, closing_at = depth, closing
        if held != FREE:
            behind = math.floor(held / 4.0)
            part = branch_by(behind if side == 1 else held - 4.0 * behind)
        if part != 0.0:
            line = (a, ex, ey, ca, sa, low, high)
            total = plus_all(total, press(param, line, s, depth, X, closing, part, d, u, w))
    return total, deepest, closing_at, mode, lag


@kernel
def shifted(param, x, held, column, by):
    """The force of `respond` with one of the things it sees, by its column of slopes, shifted a little."""
    d, u, w = (x[D], x[D + 1], x[D + 2]), (x[U], x[U + 1], x[U + 2]), (x[W], x[W + 1], x[W + 2])
    R = rows_of(x)
    if column < 3:
        d = contact_laws.moved(d, column, by)
    elif column == 5:  # a turn about z, which alone counts: R' = th x R
        R = (
            (R[0][0] - by * R[1][0], R[0][1], R[0][2]),
            (R[1][0] + by * R[0][0], R[1][1], R[1][2]),
            R[2],
        )
    elif column >= 6 and column < 9:
        u = contact_laws.moved(u, column - 6, by)
    elif column >= 9:
        w = contact_laws.moved(w, column - 9, by)
    total, _, _, _, _ = respond(param, d, R, u, w, held)
    return total[0], total[1], total[2]


@Entry
def gear_teeth(table, t, seen, out, slopes, flag):
    """Two wheels whose teeth press and rub on each other."""
    one, x, Q, slope, width = arguments(table, seen, out, slopes, flag)
    _, ws = unpack(table)
    held = ws.touching[flag // 2]
    d, u, w = (x[D], x[D + 1], x[D + 2]), (x[U], x[U + 1], x[U + 2]), (x[W], x[W + 1], x[W + 2])
    total, deepest, closing, mode, lag = respond(one.param, d, rows_of(x), u, w, held)
    Q[FORCE] = total[0]
    Q[FORCE + 1] = total[1]
    Q[TORQUE + 2] = total[2]
    at = Z_DOT + one.n_z
    inv = 1.0 / total[7] if total[7] > 0.0 else 0.0
    Q[at + STORED] = total[3]
    Q[at + STORING] = total[4]
    Q[at + DEPTH] = deepest
    Q[at + PRESSURE] = total[5]
    Q[at + FRICTION] = total[6]
    Q[at + SLIDING] = total[8] * inv
    Q[at + MODE] = mode
    Q[at + CLOSING] = closing
    Q[at + SPOT] = total[9] * inv
    Q[at + SPOT + 1] = total[10] * inv
    Q[at + NORMAL] = total[12]
    Q[at + NORMAL + 1] = total[13]
    Q[at + LOSS] = total[14]
    Q[at + PAIRS] = total[11]
    Q[at + LAG] = lag
    if slope.size > 0:
        for column in range(BY_TURN_I):
            more = shifted(one.param, x, held, column, SHIFT)
            less = shifted(one.param, x, held, column, -SHIFT)
            for r in range(2):
                slope[(FORCE + r) * width + column] = (more[r] - less[r]) / (2.0 * SHIFT)
            slope[(TORQUE + 2) * width + column] = (more[2] - less[2]) / (2.0 * SHIFT)
    return 0
