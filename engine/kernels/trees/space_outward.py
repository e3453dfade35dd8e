"""A tree in space from the ground to the leaves: axes, speeds, arms, and the inertia of each body.

A twist is (w, velocity of O), a wrench (moment about O, force), both in world axes. The inertia of a body
about O is [T H; H^T M] with T and M symmetric, six numbers each, and H = m rho~ full; rho leads from O to
the mass centre. c is the acceleration of the body for eta_dot = 0: (w_p x w_rel, w_p x (w_p x r + 2 u)).
"""

from engine.kernels import merged, nat
from engine.kernels.sines import cosine_and_sine
from engine.kernels.trees.layout import (
    A_AT,
    ALPHA,
    ARM,
    BALL,
    C_SLIDE,
    C_TURN,
    CENTER_AT,
    CROSS,
    H_AT,
    HINGE,
    INERTIA_AT,
    M_AT,
    OWN_AT,
    P_FORCE,
    P_MOMENT,
    SCREW,
    SLIDING,
    T_AT,
    V_AT,
    W_AT,
    X_AT,
)
from rotations import euler_angles, quaternion

ONE, TWO, THREE = nat(1), nat(2), nat(3)


@merged
def cross(a, b, c, x, y, z):
    """(a, b, c) x (x, y, z)."""
    return b * z - c * y, c * x - a * z, a * y - b * x


@merged
def turned(o, e, at):
    """Three constants of a body, from column `at` on, in world axes; o begins with its axes."""
    x, y, z = e[at], e[at + 1], e[at + 2]
    return (
        o[0] * x + o[1] * y + o[2] * z,
        o[3] * x + o[4] * y + o[5] * z,
        o[6] * x + o[7] * y + o[8] * z,
    )


@merged
def inertia_in_world(o, e, m, c0, c1, c2):
    """T of a body about O in world axes; (c0, c1, c2) leads to its mass centre."""
    x0, y0, z0, x1, y1, z1, x2, y2, z2 = o[0], o[1], o[2], o[3], o[4], o[5], o[6], o[7], o[8]
    j0, j1, j2 = e[INERTIA_AT], e[INERTIA_AT + 1], e[INERTIA_AT + 2]
    j3, j4, j5 = e[INERTIA_AT + 3], e[INERTIA_AT + 4], e[INERTIA_AT + 5]
    k0, k1, k2 = (
        x0 * j0 + y0 * j1 + z0 * j2,
        x0 * j1 + y0 * j3 + z0 * j4,
        x0 * j2 + y0 * j4 + z0 * j5,
    )
    l0, l1, l2 = (
        x1 * j0 + y1 * j1 + z1 * j2,
        x1 * j1 + y1 * j3 + z1 * j4,
        x1 * j2 + y1 * j4 + z1 * j5,
    )
    m0, m1, m2 = (
        x2 * j0 + y2 * j1 + z2 * j2,
        x2 * j1 + y2 * j3 + z2 * j4,
        x2 * j2 + y2 * j4 + z2 * j5,
    )
    return (
        k0 * x0 + k1 * y0 + k2 * z0 + m * (c1 * c1 + c2 * c2),
        k0 * x1 + k1 * y1 + k2 * z1 - m * c0 * c1,
        k0 * x2 + k1 * y2 + k2 * z2 - m * c0 * c2,
        l0 * x1 + l1 * y1 + l2 * z1 + m * (c0 * c0 + c2 * c2),
        l0 * x2 + l1 * y2 + l2 * z2 - m * c1 * c2,
        m0 * x2 + m1 * y2 + m2 * z2 + m * (c0 * c0 + c1 * c1),
    )


@merged
def load_inertia(link, o, e):
    """The inertia of a body about O, and the wrench that its speed alone asks for."""
    w0, w1, w2 = o[W_AT], o[W_AT + 1], o[W_AT + 2]
    m = link.mass
    c0, c1, c2 = turned(o, e, CENTER_AT)
    i0, i1, i2, i3, i4, i5 = inertia_in_world(o, e, m, c0, c1, c2)
    o[T_AT], o[T_AT + 1], o[T_AT + 2], o[T_AT + 3], o[T_AT + 4], o[T_AT + 5] = (
        i0,
        i1,
        i2,
        i3,
        i4,
        i5,
    )
    h0, h1, h2 = m * c0, m * c1, m * c2
    o[H_AT], o[H_AT + 1], o[H_AT + 2] = 0.0, -h2, h1
    o[H_AT + 3], o[H_AT + 4], o[H_AT + 5] = h2, 0.0, -h0
    o[H_AT + 6], o[H_AT + 7], o[H_AT + 8] = -h1, h0, 0.0
    o[M_AT], o[M_AT + 1], o[M_AT + 2], o[M_AT + 3], o[M_AT + 4], o[M_AT + 5] = (
        m,
        0.0,
        0.0,
        m,
        0.0,
        m,
    )
    L0 = i0 * w0 + i1 * w1 + i2 * w2
    L1 = i1 * w0 + i3 * w1 + i4 * w2
    L2 = i2 * w0 + i4 * w1 + i5 * w2
    o[P_MOMENT], o[P_MOMENT + 1], o[P_MOMENT + 2] = cross(w0, w1, w2, L0, L1, L2)
    h0, h1, h2 = cross(w0, w1, w2, h0, h1, h2)
    o[P_FORCE], o[P_FORCE + 1], o[P_FORCE + 2] = cross(w0, w1, w2, h0, h1, h2)


@merged
def spin_alone(o, e, w0, w1, w2):
    """w x (J w) about the mass centre, along axes of the body: all that a free body needs."""
    j0, j1, j2 = e[INERTIA_AT], e[INERTIA_AT + 1], e[INERTIA_AT + 2]
    j3, j4, j5 = e[INERTIA_AT + 3], e[INERTIA_AT + 4], e[INERTIA_AT + 5]
    L0 = j0 * w0 + j1 * w1 + j2 * w2
    L1 = j1 * w0 + j3 * w1 + j4 * w2
    L2 = j2 * w0 + j4 * w1 + j5 * w2
    o[T_AT], o[T_AT + 1], o[T_AT + 2] = cross(w0, w1, w2, L0, L1, L2)
    o[P_MOMENT] = o[P_MOMENT + 1] = o[P_MOMENT + 2] = 0.0
    o[P_FORCE] = o[P_FORCE + 1] = o[P_FORCE + 2] = 0.0


@merged
def point_axis(axes, at, s0, s1, s2):
    """Write the direction of one axis."""
    axes[at, 0], axes[at, 1], axes[at, 2] = s0, s1, s2


@merged
def note_motion(o, w, r, u, t, g):
    """The arm r, and what follows from the predecessor's w, the slides' u and the turning t."""
    o[ARM], o[ARM + 1], o[ARM + 2] = r
    o[SLIDING], o[SLIDING + 1], o[SLIDING + 2] = u
    h0, h1, h2 = cross(w[0], w[1], w[2], r[0], r[1], r[2])
    h0, h1, h2 = h0 + 2.0 * u[0], h1 + 2.0 * u[1], h2 + 2.0 * u[2]
    o[C_SLIDE], o[C_SLIDE + 1], o[C_SLIDE + 2] = cross(w[0], w[1], w[2], h0, h1, h2)
    o[C_TURN], o[C_TURN + 1], o[C_TURN + 2] = g
    o[W_AT], o[W_AT + 1], o[W_AT + 2] = w[0] + t[0], w[1] + t[1], w[2] + t[2]


@merged
def weigh(link, o, e, y, eta):
    """The inertia of a body; a particle keeps the axes of the world."""
    if link.is_particle == 1:
        for c in range(9):
            o[c] = 1.0 if c % 4 == 0 else 0.0
        o[W_AT] = o[W_AT + 1] = o[W_AT + 2] = 0.0
    if link.is_alone == 1:
        spin_alone(o, e, y[eta], y[eta + ONE], y[eta + TWO])
    else:
        load_inertia(link, o, e)


@merged
def ball_matrix(y, q):
    """The rotation of a quaternion, which need not be of length 1."""
    p0, p1, p2, p3 = y[q], y[q + ONE], y[q + TWO], y[q + THREE]
    n = 2.0 / (p0 * p0 + p1 * p1 + p2 * p2 + p3 * p3)
    return (
        1.0 - n * (p2 * p2 + p3 * p3),
        n * (p1 * p2 - p0 * p3),
        n * (p1 * p3 + p0 * p2),
        n * (p1 * p2 + p0 * p3),
        1.0 - n * (p1 * p1 + p3 * p3),
        n * (p2 * p3 - p0 * p1),
        n * (p1 * p3 - p0 * p2),
        n * (p2 * p3 + p0 * p1),
        1.0 - n * (p1 * p1 + p2 * p2),
    )


@merged
def outward(links, constants, space, axes, n_q, y):
    """Axes, angular velocities, arms, products of speeds and inertia of all bodies."""
    for k in range(links.size):
        i = nat(k)
        link = links[i]
        o, p, e = space[i], space[link.parent], constants[i]
        # the axes of the marker on the predecessor
        x0, x1, x2 = (
            p[0] * e[3] + p[1] * e[6] + p[2] * e[9],
            p[3] * e[3] + p[4] * e[6] + p[5] * e[9],
            p[6] * e[3] + p[7] * e[6] + p[8] * e[9],
        )
        y0, y1, y2 = (
            p[0] * e[4] + p[1] * e[7] + p[2] * e[10],
            p[3] * e[4] + p[4] * e[7] + p[5] * e[10],
            p[6] * e[4] + p[7] * e[7] + p[8] * e[10],
        )
        z0, z1, z2 = (
            p[0] * e[5] + p[1] * e[8] + p[2] * e[11],
            p[3] * e[5] + p[4] * e[8] + p[5] * e[11],
            p[6] * e[5] + p[7] * e[8] + p[8] * e[11],
        )
        r0, r1, r2 = turned(p, e, 0)
        w0, w1, w2 = p[W_AT], p[W_AT + 1], p[W_AT + 2]
        u0 = u1 = u2 = 0.0  # velocity of slides
        q, v, eta = link.q_at, link.v_at, nat(n_q) + link.v_at
        if link.slides > 0:
            for c in range(3):
                if link.slides & (1 << c):
                    s0, s1, s2 = (
                        (x0, x1, x2) if c == 0 else ((y0, y1, y2) if c == 1 else (z0, z1, z2))
                    )
                    point_axis(axes, v, s0, s1, s2)
                    r0, r1, r2 = r0 + y[q] * s0, r1 + y[q] * s1, r2 + y[q] * s2
                    u0, u1, u2 = u0 + y[eta] * s0, u1 + y[eta] * s1, u2 + y[eta] * s2
                    q, v, eta = q + ONE, v + ONE, eta + ONE
        g0 = g1 = g2 = t0 = t1 = t2 = 0.0  # angular part of c, relative angular velocity
        if link.turn == HINGE or link.turn == SCREW:
            cs, sn = cosine_and_sine(y[q])
            x0, y0 = cs * x0 + sn * y0, cs * y0 - sn * x0
            x1, y1 = cs * x1 + sn * y1, cs * y1 - sn * x1
            x2, y2 = cs * x2 + sn * y2, cs * y2 - sn * x2
            t0, t1, t2 = y[eta] * z0, y[eta] * z1, y[eta] * z2
            point_axis(axes, v, z0, z1, z2)
            g0, g1, g2 = cross(w0, w1, w2, t0, t1, t2)
            if link.turn == SCREW:
                s = link.lead * y[q]
                r0, r1, r2 = r0 + s * z0, r1 + s * z1, r2 + s * z2
                u0, u1, u2 = link.lead * t0, link.lead * t1, link.lead * t2
        elif link.turn == CROSS:
            cs, sn = cosine_and_sine(y[q])
            y0, z0 = cs * y0 + sn * z0, cs * z0 - sn * y0
            y1, z1 = cs * y1 + sn * z1, cs * z1 - sn * y1
            y2, z2 = cs * y2 + sn * z2, cs * z2 - sn * y2
            point_axis(axes, v, x0, x1, x2)
            t0, t1, t2 = y[eta] * x0, y[eta] * x1, y[eta] * x2
            g0, g1, g2 = cross(w0, w1, w2, t0, t1, t2)
            q, v, eta = q + ONE, v + ONE, eta + ONE
            cs, sn = cosine_and_sine(y[q])
            z0, x0 = cs * z0 + sn * x0, cs * x0 - sn * z0
            z1, x1 = cs * z1 + sn * x1, cs * x1 - sn * z1
            z2, x2 = cs * z2 + sn * x2, cs * x2 - sn * z2
            point_axis(axes, v, y0, y1, y2)
            s0, s1, s2 = y[eta] * y0, y[eta] * y1, y[eta] * y2
            h0, h1, h2 = cross(w0 + t0, w1 + t1, w2 + t2, s0, s1, s2)
            g0, g1, g2 = g0 + h0, g1 + h1, g2 + h2
            t0, t1, t2 = t0 + s0, t1 + s1, t2 + s2
        elif link.turn == BALL:
            c00, c01, c02, c10, c11, c12, c20, c21, c22 = ball_matrix(y, q)
            x0, y0, z0 = (
                x0 * c00 + y0 * c10 + z0 * c20,
                x0 * c01 + y0 * c11 + z0 * c21,
                x0 * c02 + y0 * c12 + z0 * c22,
            )
            x1, y1, z1 = (
                x1 * c00 + y1 * c10 + z1 * c20,
                x1 * c01 + y1 * c11 + z1 * c21,
                x1 * c02 + y1 * c12 + z1 * c22,
            )
            x2, y2, z2 = (
                x2 * c00 + y2 * c10 + z2 * c20,
                x2 * c01 + y2 * c11 + z2 * c21,
                x2 * c02 + y2 * c12 + z2 * c22,
            )
            point_axis(axes, v, x0, x1, x2)
            point_axis(axes, v + ONE, y0, y1, y2)
            point_axis(axes, v + TWO, z0, z1, z2)
            e0, e1, e2 = y[eta], y[eta + ONE], y[eta + TWO]
            t0, t1, t2 = (
                x0 * e0 + y0 * e1 + z0 * e2,
                x1 * e0 + y1 * e1 + z1 * e2,
                x2 * e0 + y2 * e1 + z2 * e2,
            )
            g0, g1, g2 = cross(w0, w1, w2, t0, t1, t2)
        o[0], o[1], o[2], o[3], o[4], o[5], o[6], o[7], o[8] = x0, y0, z0, x1, y1, z1, x2, y2, z2
        note_motion(o, (w0, w1, w2), (r0, r1, r2), (u0, u1, u2), (t0, t1, t2), (g0, g1, g2))
        weigh(link, o, e, y, eta)


@merged
def place(links, space):
    """Place and velocity of every O."""
    for k in range(links.size):
        o, p = space[k], space[links[k].parent]
        v0, v1, v2 = cross(p[W_AT], p[W_AT + 1], p[W_AT + 2], o[ARM], o[ARM + 1], o[ARM + 2])
        o[X_AT], o[X_AT + 1], o[X_AT + 2] = (
            p[X_AT] + o[ARM],
            p[X_AT + 1] + o[ARM + 1],
            p[X_AT + 2] + o[ARM + 2],
        )
        o[V_AT] = p[V_AT] + v0 + o[SLIDING]
        o[V_AT + 1] = p[V_AT + 1] + v1 + o[SLIDING + 1]
        o[V_AT + 2] = p[V_AT + 2] + v2 + o[SLIDING + 2]


@merged
def write_bodies(links, constants, space, bodies, frames, n_q, Y):
    """The frames of bodies, their places and v, behind n_q; bodies of the tree must be placed."""
    for k in range(links.size):
        o, e = space[k], constants[k]
        body, frame = bodies[links[k].body], frames[links[k].body]
        c0, c1, c2 = turned(o, e, CENTER_AT)
        w0, w1, w2 = o[W_AT], o[W_AT + 1], o[W_AT + 2]
        u0, u1, u2 = cross(w0, w1, w2, c0, c1, c2)
        frame.r[0], frame.r[1], frame.r[2] = o[X_AT] + c0, o[X_AT + 1] + c1, o[X_AT + 2] + c2
        frame.u[0], frame.u[1], frame.u[2] = o[V_AT] + u0, o[V_AT + 1] + u1, o[V_AT + 2] + u2
        frame.w[0], frame.w[1], frame.w[2] = w0, w1, w2
        for c in range(3):  # R_body = R R_own^T
            at = OWN_AT + 3 * c
            frame.R[0, c], frame.R[1, c], frame.R[2, c] = turned(o, e, at)
        v = n_q + body.v_at
        for c in range(3):
            Y[body.q_at + c] = frame.r[c]
            Y[v + c] = frame.u[c]
            Y[v + 3 + c] = frame.R[0, c] * w0 + frame.R[1, c] * w1 + frame.R[2, c] * w2


@merged
def write_orientations(bodies, frames, unit, Y):
    """How placed bodies are turned, each as near as can be to what stood there before.

    A quaternion has two signs, and Euler angles two branches with full turns; in gimbal lock the last
    angle stays as it was.
    """
    for k in range(bodies.size):
        at = bodies[k].q_at + 3
        code = bodies[k].orientation
        quaternion.from_matrix_into(frames[k].R, unit)
        if code >= 0:
            angles, known = unit[4:7], Y[at : at + 3]
            euler_angles.from_quaternion_into(code, unit[:4], known[2], angles)
            euler_angles.nearest_branch_into(code, angles, known, angles)
            Y[at], Y[at + 1], Y[at + 2] = angles[0], angles[1], angles[2]
            continue
        same = 0.0
        for c in range(4):
            same += unit[c] * Y[at + c]
        for c in range(4):
            Y[at + c] = -unit[c] if same < 0.0 else unit[c]


@merged
def take_forces(links, constants, space, bodies, frames, f):
    """p -= the forces on each body, about O; torques are given along axes of the body."""
    for k in range(links.size):
        o = space[k]
        R = frames[links[k].body].R
        at = bodies[links[k].body].v_at
        c0, c1, c2 = turned(o, constants[k], CENTER_AT)
        m0, m1, m2 = cross(c0, c1, c2, f[at], f[at + 1], f[at + 2])
        n0, n1, n2 = f[at + 3], f[at + 4], f[at + 5]
        o[P_MOMENT] -= m0 + R[0, 0] * n0 + R[0, 1] * n1 + R[0, 2] * n2
        o[P_MOMENT + 1] -= m1 + R[1, 0] * n0 + R[1, 1] * n1 + R[1, 2] * n2
        o[P_MOMENT + 2] -= m2 + R[2, 0] * n0 + R[2, 1] * n1 + R[2, 2] * n2
        o[P_FORCE] -= f[at]
        o[P_FORCE + 1] -= f[at + 1]
        o[P_FORCE + 2] -= f[at + 2]


@merged
def follow(links, space, axes, n_q, y_dot):
    """Accelerations of every O from given eta_dot; axes must be known."""
    for k in range(links.size):
        link = links[k]
        o, p = space[k], space[link.parent]
        a0, a1, a2 = cross(p[ALPHA], p[ALPHA + 1], p[ALPHA + 2], o[ARM], o[ARM + 1], o[ARM + 2])
        for c in range(3):
            o[ALPHA + c] = p[ALPHA + c] + o[C_TURN + c]
            o[A_AT + c] = p[A_AT + c] + o[C_SLIDE + c]
        o[A_AT] += a0
        o[A_AT + 1] += a1
        o[A_AT + 2] += a2
        if link.is_particle == 1:
            o[ALPHA] = o[ALPHA + 1] = o[ALPHA + 2] = 0.0
        for axis in range(link.n_v):
            at = link.v_at + nat(axis)
            rate = y_dot[nat(n_q) + at]
            for c in range(3):
                if axis < link.n_slides:
                    o[A_AT + c] += rate * axes[at, c]
                else:
                    o[ALPHA + c] += rate * axes[at, c]
                    o[A_AT + c] += rate * link.lead * axes[at, c]


@merged
def write_accelerations(links, constants, space, bodies, frames, gravity, a):
    """Accelerations of all mass centres and along body axes the angular ones, in the layout of v."""
    for k in range(links.size):
        o = space[k]
        at = bodies[links[k].body].v_at
        R = frames[links[k].body].R
        c0, c1, c2 = turned(o, constants[k], CENTER_AT)
        g0, g1, g2 = o[ALPHA], o[ALPHA + 1], o[ALPHA + 2]
        w0, w1, w2 = o[W_AT], o[W_AT + 1], o[W_AT + 2]
        r0, r1, r2 = cross(g0, g1, g2, c0, c1, c2)
        u0, u1, u2 = cross(w0, w1, w2, c0, c1, c2)
        u0, u1, u2 = cross(w0, w1, w2, u0, u1, u2)
        a[at] = o[A_AT] + gravity[0] + r0 + u0
        a[at + 1] = o[A_AT + 1] + gravity[1] + r1 + u1
        a[at + 2] = o[A_AT + 2] + gravity[2] + r2 + u2
        for c in range(3):
            a[at + 3 + c] = R[0, c] * g0 + R[1, c] * g1 + R[2, c] * g2
