"""Kinematics, constraints and inverse mass in space.

A body has its mass centre r and axes R (body -> world), v = (r_dot, w) with w in body axes. Below, w is
the angular velocity in world axes; a vector turning with the body has

    a_dot = w x a,     a_ww = w x (w x a)

A row that is n . (velocity of the point at arm s) has the columns [ n^T  (R^T (s x n))^T ], because
n . (w x s) = w . (s x n) and the columns belong to w in body axes.

    g_dot = D_i v_i + D_j v_j           g_ddot = D a + g_ww          gamma = -g_ww + c_ddot
"""

import math

from engine.kernels import kernel
from engine.kernels.layout import (
    ANGLE,
    DIRECTION,
    DISC_HEIGHT,
    DISC_SLIP,
    DISTANCE,
    DOT,
    FIRST,
    KNIFE,
    ONLY,
    POINT,
)
from rotations import euler_angles, quaternion


@kernel
def place_bodies(bodies, q, v, frames):
    """Fill r, R, u = r_dot and w (world axes) of each body; the ground's frame stays."""
    for k in range(bodies.size):
        frame = frames[k]
        R = frame.R
        q_at = bodies[k].q_at
        v_at = bodies[k].v_at
        if bodies[k].orientation < 0:
            quaternion.matrix_into(q[q_at + 3 : q_at + 7], R)
        else:
            euler_angles.matrix_into(bodies[k].orientation, q[q_at + 3 : q_at + 6], R)
        w = to_world(R, v[v_at + 3 : v_at + 6])
        for c in range(3):
            frame.r[c] = q[q_at + c]
            frame.u[c] = v[v_at + c]
            frame.w[c] = w[c]


@kernel
def cross(a, b):
    """a x b."""
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


@kernel
def dot(a, b):
    """a . b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def plus(a, b):
    """a + b."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@kernel
def minus(a, b):
    """a - b."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@kernel
def times(factor, a):
    """factor a."""
    return (factor * a[0], factor * a[1], factor * a[2])


@kernel
def vec(a):
    """The three entries of an array as a tuple, which lives in registers."""
    return (a[0], a[1], a[2])


@kernel
def to_world(R, a):
    """R a."""
    return (
        R[0, 0] * a[0] + R[0, 1] * a[1] + R[0, 2] * a[2],
        R[1, 0] * a[0] + R[1, 1] * a[1] + R[1, 2] * a[2],
        R[2, 0] * a[0] + R[2, 1] * a[1] + R[2, 2] * a[2],
    )


product = to_world  # A a, for any 3x3 matrix


@kernel
def to_body(R, a):
    """R^T a."""
    return (
        R[0, 0] * a[0] + R[1, 0] * a[1] + R[2, 0] * a[2],
        R[0, 1] * a[0] + R[1, 1] * a[1] + R[2, 1] * a[2],
        R[0, 2] * a[0] + R[1, 2] * a[1] + R[2, 2] * a[2],
    )


@kernel
def put_columns(row, at, n, R, turn):
    """Write the columns [ n^T  (R^T turn)^T ] of one body into `row`."""
    m = to_body(R, turn)
    row[at] = n[0]
    row[at + 1] = n[1]
    row[at + 2] = n[2]
    row[at + 3] = m[0]
    row[at + 4] = m[1]
    row[at + 5] = m[2]


@kernel
def dot_rates(a, b, w_i, w_j):
    """For g = a_i . b_j: its rate and its g_ww = a_ww.b + 2 a_dot.b_dot + a.b_ww."""
    a_dot = cross(w_i, a)
    b_dot = cross(w_j, b)
    rate = dot(a_dot, b) + dot(a, b_dot)
    g_ww = dot(cross(w_i, a_dot), b) + 2.0 * dot(a_dot, b_dot) + dot(a, cross(w_j, b_dot))
    return rate, g_ww


@kernel
def along_rates(a, w_i, d, d_dot, d_ww):
    """For g = a_i . d: its rate and its g_ww = a_ww.d + 2 a_dot.d_dot + a.d_ww."""
    a_dot = cross(w_i, a)
    g_ww = dot(cross(w_i, a_dot), d) + 2.0 * dot(a_dot, d_dot) + dot(a, d_ww)
    return dot(a_dot, d) + dot(a, d_dot), g_ww


@kernel
def direction(a, y, w_i, d, d_dot, d_ww):
    """The angle of d from a_i to y_i, its g_ww, and its gradient F over d.

    g = atan2(s, p),  p = a.d,  s = y.d        F = (p y - s a) / (p^2 + s^2)
    g_dot = (p s_dot - s p_dot) / (p^2 + s^2),   g_ww as that of an angle
    """
    p = dot(a, d)
    s = dot(y, d)
    inv = 1.0 / max(p * p + s * s, 1e-300)
    p_dot, p_ww = along_rates(a, w_i, d, d_dot, d_ww)
    s_dot, s_ww = along_rates(y, w_i, d, d_dot, d_ww)
    rate = (p * s_dot - s * p_dot) * inv
    g_ww = (p * s_ww - s * p_ww) * inv - 2.0 * rate * (p * p_dot + s * s_dot) * inv
    return math.atan2(s, p), g_ww, times(inv, minus(times(p, y), times(s, a)))


@kernel
def nearest_turn(angle, turns_at):
    """An angle on the turn nearest to `turns_at`."""
    return angle + 2.0 * math.pi * math.floor((turns_at - angle) / (2.0 * math.pi) + 0.5)


@kernel
def counts_turns(kind):
    """Whether a coordinate in space is an angle whose turns are counted."""
    return kind == ANGLE or kind == DIRECTION


@kernel
def turning(term, i, j, turns_at, row):
    """Fill `row` for the terms of directions only: DOT and ANGLE."""
    w_i = vec(i.w)
    w_j = vec(j.w)
    zero = (0.0, 0.0, 0.0)
    a = to_world(i.R, term.a)
    b = to_world(j.R, term.b)
    if term.kind == DOT:
        # g = a.b     g_dot = (w_i - w_j).(a x b)
        n = cross(a, b)
        row[0] = dot(a, b)
        row[1] = dot_rates(a, b, w_i, w_j)[1]
    else:
        # ANGLE  g = atan2(s, p),  p = x_i.x_j,  s = y_i.x_j;  exact also when the z axes are not parallel
        #   g_dot = (p s_dot - s p_dot) / (p^2 + s^2)
        #   g_ww  = (p s_ww - s p_ww) / (p^2 + s^2) - 2 g_dot (p p_dot + s s_dot) / (p^2 + s^2)
        y = to_world(i.R, term.a2)
        p = dot(a, b)
        s = dot(y, b)
        inv = 1.0 / max(p * p + s * s, 1e-300)
        n = times(inv, minus(times(p, cross(y, b)), times(s, cross(a, b))))
        p_dot, p_ww = dot_rates(a, b, w_i, w_j)
        s_dot, s_ww = dot_rates(y, b, w_i, w_j)
        rate = (p * s_dot - s * p_dot) * inv
        row[0] = nearest_turn(math.atan2(s, p) + term.param, turns_at)
        row[1] = (p * s_ww - s * p_ww) * inv - 2.0 * rate * (p * p_dot + s * s_dot) * inv
    put_columns(row, 2, zero, i.R, n)
    put_columns(row, 8, zero, j.R, times(-1.0, n))


@kernel
def coordinate(term, frames, turns_at, row):
    """Fill `row` with g, g_ww, D_i (6), D_j (6) of one scalar term.

    An angle is given on the turn nearest to `turns_at`.
    """
    kind = term.kind
    i = frames[term.i]
    j = frames[term.j]
    if kind == DOT or kind == ANGLE:
        turning(term, i, j, turns_at, row)
        return
    R_i = i.R
    R_j = j.R
    w_i = vec(i.w)
    w_j = vec(j.w)
    s_i = to_world(R_i, term.P_i)
    s_j = to_world(R_j, term.P_j)
    e = minus(plus(vec(j.r), s_j), vec(i.r))  # P_j - r_i
    P_dot = minus(plus(vec(j.u), cross(w_j, s_j)), vec(i.u))  # P_j_dot - r_i_dot
    s_j_ww = cross(w_j, cross(w_j, s_j))
    if kind == KNIFE:
        # row = b.u,  u = P_j_dot - r_i_dot - w_i x e   the velocity of P_j seen from body i
        b = to_world(R_j, term.b)
        u = minus(P_dot, cross(w_i, e))
        row[0] = 0.0
        row[1] = dot(cross(w_j, b), u) + dot(b, minus(s_j_ww, cross(w_i, P_dot)))
        put_columns(row, 2, times(-1.0, b), R_i, cross(b, e))
        put_columns(row, 8, b, R_j, cross(s_j, b))
        return
    a = to_world(R_i, term.a)
    if kind == DISC_SLIP:
        disc_slip(term, i, j, row, a, s_j, s_j_ww, e, P_dot)
        return
    d = minus(e, s_i)
    d_dot = minus(P_dot, cross(w_i, s_i))
    d_ww = minus(s_j_ww, cross(w_i, cross(w_i, s_i)))
    if kind == DIRECTION:
        # D_i = [ -F  R_i^T (F x e) ]    D_j = [ F  R_j^T (s_j x F) ]
        g, row[1], F = direction(a, to_world(R_i, term.a2), w_i, d, d_dot, d_ww)
        row[0] = nearest_turn(g, turns_at)
        put_columns(row, 2, times(-1.0, F), R_i, cross(F, e))
        put_columns(row, 8, F, R_j, cross(s_j, F))
        return
    if kind == DISTANCE:
        # g = |d|,  u = d/|d|      g_ww = u.d_ww + |u x d_dot|^2 / |d|
        g = math.sqrt(dot(d, d))
        inv = 1.0 / max(g, 1e-300)
        u = times(inv, d)
        across = cross(u, d_dot)
        row[0] = g
        row[1] = dot(u, d_ww) + dot(across, across) * inv
        put_columns(row, 2, times(-1.0, u), R_i, cross(u, s_i))
        put_columns(row, 8, u, R_j, cross(s_j, u))
        return
    # ALONG  g = a.d      D_i = [ -a  R_i^T (a x (d + s_i)) ]    D_j = [ a  R_j^T (s_j x a) ]
    row[0] = dot(a, d)
    row[1] = along_rates(a, w_i, d, d_dot, d_ww)[1]
    put_columns(row, 2, times(-1.0, a), R_i, cross(a, e))
    put_columns(row, 8, a, R_j, cross(s_j, a))
    if kind == DISC_HEIGHT:
        # g = z_i.d - rho sqrt(1 - p^2),  p = z_i.z_j, the cosine of the lean
        #   the added h(p) has h' = rho p / c,  h'' = rho / c^3,  c = sqrt(1 - p^2)
        z = to_world(R_j, term.b)
        p = dot(a, z)
        c = math.sqrt(max(1.0 - p * p, 1e-300))
        p_dot, p_ww = dot_rates(a, z, w_i, w_j)
        slope = term.param * p / c
        n = times(slope, cross(a, z))
        n_i = to_body(R_i, n)
        n_j = to_body(R_j, n)
        row[0] -= term.param * c
        row[1] += slope * p_ww + term.param / (c * c * c) * p_dot * p_dot
        for m in range(3):
            row[5 + m] += n_i[m]
            row[11 + m] -= n_j[m]


@kernel
def disc_slip(term, i, j, row, a, s_j, s_j_ww, e, P_dot):
    """Velocity along a_i of the disc's material point that touches the plane of marker i.

    The contact lies at c = -rho u from the centre, u = (z_i - p z_j)/m, p = z_i.z_j, m = sqrt(1 - p^2).
    row = a.(P_j_dot + w_j x c - r_i_dot - w_i x (e + c))
    """
    w_i = vec(i.w)
    w_j = vec(j.w)
    z_i = to_world(i.R, term.a2)
    z_j = to_world(j.R, term.b)
    rho = term.param
    p = dot(z_i, z_j)
    m = math.sqrt(max(1.0 - p * p, 1e-300))
    p_dot = dot_rates(z_i, z_j, w_i, w_j)[0]
    u = times(1.0 / m, minus(z_i, times(p, z_j)))
    # u_dot = (z_i_dot - p_dot z_j - p z_j_dot)/m - u m_dot/m,   m_dot = -p p_dot/m
    moved = minus(minus(cross(w_i, z_i), times(p_dot, z_j)), times(p, cross(w_j, z_j)))
    u_dot = plus(times(1.0 / m, moved), times(p * p_dot / (m * m), u))
    c = times(-rho, u)
    c_dot = times(-rho, u_dot)
    arm_i = plus(e, c)
    arm_j = plus(s_j, c)
    velocity = minus(plus(P_dot, cross(w_j, c)), cross(w_i, arm_i))
    change = minus(plus(s_j_ww, cross(w_j, c_dot)), cross(w_i, plus(P_dot, c_dot)))
    row[0] = 0.0
    row[1] = dot(cross(w_i, a), velocity) + dot(a, change)
    put_columns(row, 2, times(-1.0, a), i.R, cross(a, arm_i))
    put_columns(row, 8, a, j.R, cross(arm_j, a))


@kernel
def fill_point(term, i, j, Phi, gamma, D, at, D_i, D_j):
    """Fill the rows P_j - P_i, world axes, of Phi, gamma and D.

    D_j = [ 1  -R_j P~_j ]:  its row for world axis e is (e, P_j x R_j^T e), and R^T e is row e of R
    """
    s_i = to_world(i.R, term.P_i)
    s_j = to_world(j.R, term.P_j)
    w_i = vec(i.w)
    w_j = vec(j.w)
    s_i_ww = cross(w_i, cross(w_i, s_i))
    s_j_ww = cross(w_j, cross(w_j, s_j))
    for e in range(3):
        Phi[at + e] = j.r[e] + s_j[e] - i.r[e] - s_i[e]
        gamma[at + e] = s_i_ww[e] - s_j_ww[e]
        m_i = cross(term.P_i, (i.R[e, 0], i.R[e, 1], i.R[e, 2]))
        m_j = cross(term.P_j, (j.R[e, 0], j.R[e, 1], j.R[e, 2]))
        for c in range(3):
            D[D_i + e, c] = 0.0
            D[D_j + e, c] = 0.0
            D[D_i + e, 3 + c] = -m_i[c]
            D[D_j + e, 3 + c] = m_j[c]
        D[D_i + e, e] = -1.0
        D[D_j + e, e] = 1.0


@kernel
def fill_dot(term, i, j, Phi, gamma, D, at, D_i, D_j):
    """Fill the row of a single DOT: like `turning`, directly in its place."""
    a = to_world(i.R, term.a)
    b = to_world(j.R, term.b)
    n = cross(a, b)
    m_i = to_body(i.R, n)
    m_j = to_body(j.R, n)
    Phi[at] = dot(a, b)
    gamma[at] = -dot_rates(a, b, vec(i.w), vec(j.w))[1]
    for c in range(3):
        D[D_i, c] = 0.0
        D[D_j, c] = 0.0
        D[D_i, 3 + c] = m_i[c]
        D[D_j, 3 + c] = -m_j[c]


@kernel
def fill_rows(terms, uses, shared, rows, frames, angle, row, Phi, gamma, D):
    """Fill Phi = g - constant, gamma = -g_ww and D of all rows."""
    for k in range(shared.size):
        for c in range(6):
            D[shared[k], c] = 0.0
    for k in range(uses.size):
        use = uses[k]
        term = terms[use.term]
        at = use.row
        D_i = use.D_i
        D_j = use.D_j
        if term.kind == POINT:
            fill_point(term, frames[term.i], frames[term.j], Phi, gamma, D, at, D_i, D_j)
            continue
        if term.kind == DOT and use.part == ONLY:
            fill_dot(term, frames[term.i], frames[term.j], Phi, gamma, D, at, D_i, D_j)
            Phi[at] -= rows[at].constant
            continue
        coordinate(term, frames, angle[use.term], row)
        if use.part == ONLY:
            Phi[at] = row[0] - rows[at].constant
            gamma[at] = -row[1]
            for c in range(6):
                D[D_i, c] = row[2 + c]
                D[D_j, c] = row[8 + c]
            continue
        if use.part == FIRST:
            Phi[at] = -rows[at].constant
            gamma[at] = 0.0
        Phi[at] += use.weight * row[0]
        gamma[at] -= use.weight * row[1]
        for c in range(6):
            D[D_i, c] += use.weight * row[2 + c]
            D[D_j, c] += use.weight * row[8 + c]
