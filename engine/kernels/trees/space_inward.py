"""The articulated recursion of a tree in space, about what space_outward has found.

The equations are those of engine.kernels.trees.plane with six numbers in the place of three. All axes are
those of the world, so an inertia moves to O of the predecessor, the arm r away, by a shift alone:

    H' = H + r~ M            T' = T - H r~ + r~ H'^T            moment' = moment + r x force

A ball, a cross or a free body needs no inverse of a block: its axes are eliminated one after the other.
"""

from engine.kernels import merged, nat
from engine.kernels.trees.layout import (
    A_AT,
    ALPHA,
    ARM,
    AXES_AT,
    BALL,
    C_SLIDE,
    C_TURN,
    CENTER_AT,
    F_FORCE,
    F_MOMENT,
    H_AT,
    INV_D,
    INVERSE_AT,
    M_AT,
    P_FORCE,
    P_MOMENT,
    SCREW,
    T_AT,
    U_FORCE,
    U_LEFT,
    U_MOMENT,
)
from engine.kernels.trees.space_outward import cross, turned

ONE, TWO, THREE = nat(1), nat(2), nat(3)


@merged
def hand_on(o, q, T, H, M, p):
    """Add what is left of a body's inertia and wrench to its predecessor, shifted to its O."""
    t0, t1, t2, t3, t4, t5 = T
    h0, h1, h2, h3, h4, h5, h6, h7, h8 = H
    m0, m1, m2, m3, m4, m5 = M
    n0, n1, n2, f0, f1, f2 = p
    x, y, z = o[ARM], o[ARM + 1], o[ARM + 2]
    k0, k1, k2 = h0 + y * m2 - z * m1, h1 + y * m4 - z * m3, h2 + y * m5 - z * m4
    k3, k4, k5 = h3 + z * m0 - x * m2, h4 + z * m1 - x * m4, h5 + z * m2 - x * m5
    k6, k7, k8 = h6 + x * m1 - y * m0, h7 + x * m3 - y * m1, h8 + x * m4 - y * m2
    q[T_AT] += t0 - (h1 * z - h2 * y) + y * k2 - z * k1
    q[T_AT + 1] += t1 - (h2 * x - h0 * z) + y * k5 - z * k4
    q[T_AT + 2] += t2 - (h0 * y - h1 * x) + y * k8 - z * k7
    q[T_AT + 3] += t3 - (h5 * x - h3 * z) + z * k3 - x * k5
    q[T_AT + 4] += t4 - (h3 * y - h4 * x) + z * k6 - x * k8
    q[T_AT + 5] += t5 - (h6 * y - h7 * x) + x * k7 - y * k6
    q[H_AT] += k0
    q[H_AT + 1] += k1
    q[H_AT + 2] += k2
    q[H_AT + 3] += k3
    q[H_AT + 4] += k4
    q[H_AT + 5] += k5
    q[H_AT + 6] += k6
    q[H_AT + 7] += k7
    q[H_AT + 8] += k8
    q[M_AT] += m0
    q[M_AT + 1] += m1
    q[M_AT + 2] += m2
    q[M_AT + 3] += m3
    q[M_AT + 4] += m4
    q[M_AT + 5] += m5
    q[P_MOMENT] += n0 + y * f2 - z * f1
    q[P_MOMENT + 1] += n1 + z * f0 - x * f2
    q[P_MOMENT + 2] += n2 + x * f1 - y * f0
    q[P_FORCE] += f0
    q[P_FORCE + 1] += f1
    q[P_FORCE + 2] += f2


@merged
def inward(links, space, axes):
    """Articulated inertia from the leaves to the ground, and what each axis needs of it."""
    n = links.size
    for k in range(n):
        i = nat(n - 1 - k)
        link = links[i]
        if link.is_alone == 1:
            continue
        o, q = space[i], space[link.parent]
        t0, t1, t2, t3, t4, t5 = (
            o[T_AT],
            o[T_AT + 1],
            o[T_AT + 2],
            o[T_AT + 3],
            o[T_AT + 4],
            o[T_AT + 5],
        )
        h0, h1, h2, h3, h4 = o[H_AT], o[H_AT + 1], o[H_AT + 2], o[H_AT + 3], o[H_AT + 4]
        h5, h6, h7, h8 = o[H_AT + 5], o[H_AT + 6], o[H_AT + 7], o[H_AT + 8]
        m0, m1, m2, m3, m4, m5 = (
            o[M_AT],
            o[M_AT + 1],
            o[M_AT + 2],
            o[M_AT + 3],
            o[M_AT + 4],
            o[M_AT + 5],
        )
        g0, g1, g2 = o[C_TURN], o[C_TURN + 1], o[C_TURN + 2]
        c0, c1, c2 = o[C_SLIDE], o[C_SLIDE + 1], o[C_SLIDE + 2]
        if link.is_particle == 1:  # it takes no moment, so none goes on
            t0 = t1 = t2 = t3 = t4 = t5 = h0 = h1 = h2 = h3 = h4 = h5 = h6 = h7 = h8 = 0.0
            o[P_MOMENT] = o[P_MOMENT + 1] = o[P_MOMENT + 2] = 0.0
        n0 = o[P_MOMENT] + t0 * g0 + t1 * g1 + t2 * g2 + h0 * c0 + h1 * c1 + h2 * c2
        n1 = o[P_MOMENT + 1] + t1 * g0 + t3 * g1 + t4 * g2 + h3 * c0 + h4 * c1 + h5 * c2
        n2 = o[P_MOMENT + 2] + t2 * g0 + t4 * g1 + t5 * g2 + h6 * c0 + h7 * c1 + h8 * c2
        f0 = o[P_FORCE] + h0 * g0 + h3 * g1 + h6 * g2 + m0 * c0 + m1 * c1 + m2 * c2
        f1 = o[P_FORCE + 1] + h1 * g0 + h4 * g1 + h7 * g2 + m1 * c0 + m3 * c1 + m4 * c2
        f2 = o[P_FORCE + 2] + h2 * g0 + h5 * g1 + h8 * g2 + m2 * c0 + m4 * c1 + m5 * c2
        for c in range(link.n_v):
            axis = link.n_v - 1 - c
            s = axes[link.v_at + nat(axis)]
            s0, s1, s2 = s[0], s[1], s[2]
            slide = 1.0
            a0 = a1 = a2 = e0 = e1 = e2 = d = u = 0.0
            if axis >= link.n_slides:
                a0, a1, a2 = (
                    t0 * s0 + t1 * s1 + t2 * s2,
                    t1 * s0 + t3 * s1 + t4 * s2,
                    t2 * s0 + t4 * s1 + t5 * s2,
                )
                e0, e1, e2 = (
                    h0 * s0 + h3 * s1 + h6 * s2,
                    h1 * s0 + h4 * s1 + h7 * s2,
                    h2 * s0 + h5 * s1 + h8 * s2,
                )
                u = -(s0 * n0 + s1 * n1 + s2 * n2)
                slide = link.lead if link.turn == SCREW else 0.0
            if slide != 0.0:
                a0 += slide * (h0 * s0 + h1 * s1 + h2 * s2)
                a1 += slide * (h3 * s0 + h4 * s1 + h5 * s2)
                a2 += slide * (h6 * s0 + h7 * s1 + h8 * s2)
                e0 += slide * (m0 * s0 + m1 * s1 + m2 * s2)
                e1 += slide * (m1 * s0 + m3 * s1 + m4 * s2)
                e2 += slide * (m2 * s0 + m4 * s1 + m5 * s2)
                u -= slide * (s0 * f0 + s1 * f1 + s2 * f2)
                d = slide * (s0 * e0 + s1 * e1 + s2 * e2)
            if axis >= link.n_slides:
                d += s0 * a0 + s1 * a1 + s2 * a2
            d = 1.0 / d
            s[U_MOMENT], s[U_MOMENT + 1], s[U_MOMENT + 2] = a0, a1, a2
            s[U_FORCE], s[U_FORCE + 1], s[U_FORCE + 2] = e0, e1, e2
            s[INV_D], s[U_LEFT] = d, u
            x = u * d
            n0, n1, n2, f0, f1, f2 = (
                n0 + x * a0,
                n1 + x * a1,
                n2 + x * a2,
                f0 + x * e0,
                f1 + x * e1,
                f2 + x * e2,
            )
            b0, b1, b2, d0, d1, d2 = a0 * d, a1 * d, a2 * d, e0 * d, e1 * d, e2 * d
            t0, t1, t2, t3, t4, t5 = (
                t0 - a0 * b0,
                t1 - a0 * b1,
                t2 - a0 * b2,
                t3 - a1 * b1,
                t4 - a1 * b2,
                t5 - a2 * b2,
            )
            h0, h1, h2 = h0 - a0 * d0, h1 - a0 * d1, h2 - a0 * d2
            h3, h4, h5 = h3 - a1 * d0, h4 - a1 * d1, h5 - a1 * d2
            h6, h7, h8 = h6 - a2 * d0, h7 - a2 * d1, h8 - a2 * d2
            m0, m1, m2, m3, m4, m5 = (
                m0 - e0 * d0,
                m1 - e0 * d1,
                m2 - e0 * d2,
                m3 - e1 * d1,
                m4 - e1 * d2,
                m5 - e2 * d2,
            )
        if link.parent == nat(n):  # nobody asks what the ground carries
            continue
        hand_on(
            o,
            q,
            (t0, t1, t2, t3, t4, t5),
            (h0, h1, h2, h3, h4, h5, h6, h7, h8),
            (m0, m1, m2, m3, m4, m5),
            (n0, n1, n2, f0, f1, f2),
        )


@merged
def fly(link, o, ground, e, n_q, y, y_dot):
    """A free body that carries nothing: Newton and Euler about its mass centre, which is O."""
    n0 = -o[P_MOMENT]
    n1 = -o[P_MOMENT + 1]
    n2 = -o[P_MOMENT + 2]
    m0 = o[0] * n0 + o[3] * n1 + o[6] * n2 - o[T_AT]
    m1 = o[1] * n0 + o[4] * n1 + o[7] * n2 - o[T_AT + 1]
    m2 = o[2] * n0 + o[5] * n1 + o[8] * n2 - o[T_AT + 2]
    j0, j1, j2 = e[INVERSE_AT], e[INVERSE_AT + 1], e[INVERSE_AT + 2]
    j3, j4, j5 = e[INVERSE_AT + 3], e[INVERSE_AT + 4], e[INVERSE_AT + 5]
    a0, a1, a2 = (
        j0 * m0 + j1 * m1 + j2 * m2,
        j1 * m0 + j3 * m1 + j4 * m2,
        j2 * m0 + j4 * m1 + j5 * m2,
    )
    at = nat(n_q) + link.v_at
    y_dot[at + THREE], y_dot[at + nat(4)], y_dot[at + nat(5)] = a0, a1, a2
    o[ALPHA] = o[0] * a0 + o[1] * a1 + o[2] * a2
    o[ALPHA + 1] = o[3] * a0 + o[4] * a1 + o[5] * a2
    o[ALPHA + 2] = o[6] * a0 + o[7] * a1 + o[8] * a2
    for c in range(3):
        o[A_AT + c] = -o[P_FORCE + c] / link.mass
    r0, r1, r2 = (
        o[A_AT] - ground[A_AT],
        o[A_AT + 1] - ground[A_AT + 1],
        o[A_AT + 2] - ground[A_AT + 2],
    )
    for c in range(3):
        s = nat(c)
        y_dot[at + s] = e[AXES_AT + c] * r0 + e[AXES_AT + 3 + c] * r1 + e[AXES_AT + 6 + c] * r2
        y_dot[link.q_at + s] = y[at + s]


@merged
def turn_ball(q, eta, y, y_dot):
    """The rates of a quaternion from the speeds about the axes of the body."""
    p0, p1, p2, p3 = y[q], y[q + ONE], y[q + TWO], y[q + THREE]
    w0, w1, w2 = 0.5 * y[eta], 0.5 * y[eta + ONE], 0.5 * y[eta + TWO]
    y_dot[q] = -p1 * w0 - p2 * w1 - p3 * w2
    y_dot[q + ONE] = p0 * w0 + p2 * w2 - p3 * w1
    y_dot[q + TWO] = p0 * w1 + p3 * w0 - p1 * w2
    y_dot[q + THREE] = p0 * w2 + p1 * w1 - p2 * w0


@merged
def accelerate(links, constants, space, axes, n_q, y, y_dot):
    """Accelerations from the ground to the leaves; y_dot begins with (beta_dot, eta_dot)."""
    for k in range(links.size):
        i = nat(k)
        link = links[i]
        o, p = space[i], space[link.parent]
        if link.is_alone == 1:
            fly(link, o, p, constants[i], n_q, y, y_dot)
            turn_ball(link.q_at + THREE, nat(n_q) + link.v_at + THREE, y, y_dot)
            continue
        g0, g1, g2 = p[ALPHA], p[ALPHA + 1], p[ALPHA + 2]
        r0, r1, r2 = cross(g0, g1, g2, o[ARM], o[ARM + 1], o[ARM + 2])
        a0, a1, a2 = (
            p[A_AT] + r0,
            p[A_AT + 1] + r1,
            p[A_AT + 2] + r2,
        )  # c is in u already and comes last
        if link.is_particle == 1:
            g0 = g1 = g2 = 0.0
        for axis in range(link.n_v):
            at = link.v_at + nat(axis)
            s = axes[at]
            x = s[U_LEFT] - s[U_MOMENT] * g0 - s[U_MOMENT + 1] * g1 - s[U_MOMENT + 2] * g2
            x = (x - s[U_FORCE] * a0 - s[U_FORCE + 1] * a1 - s[U_FORCE + 2] * a2) * s[INV_D]
            y_dot[nat(n_q) + at] = x
            if link.turn != BALL or axis < link.n_slides:
                y_dot[link.q_at + nat(axis)] = y[nat(n_q) + at]
            if axis >= link.n_slides:
                g0, g1, g2 = g0 + x * s[0], g1 + x * s[1], g2 + x * s[2]
                x *= link.lead
            a0, a1, a2 = a0 + x * s[0], a1 + x * s[1], a2 + x * s[2]
        if link.turn == BALL:
            slides = nat(link.n_slides)
            turn_ball(link.q_at + slides, nat(n_q) + link.v_at + slides, y, y_dot)
        o[ALPHA], o[ALPHA + 1], o[ALPHA + 2] = (
            g0 + o[C_TURN],
            g1 + o[C_TURN + 1],
            g2 + o[C_TURN + 2],
        )
        o[A_AT], o[A_AT + 1], o[A_AT + 2] = (
            a0 + o[C_SLIDE],
            a1 + o[C_SLIDE + 1],
            a2 + o[C_SLIDE + 2],
        )
        if link.is_particle == 1:
            o[ALPHA] = o[ALPHA + 1] = o[ALPHA + 2] = 0.0


@merged
def respond(links, constants, space, axes, rows, parts, path, bodies, frames, D, G):
    """G: what each row of a cut joint does at each axis, on its way to the ground."""
    for n in range(rows.size):
        row = rows[n]
        for k in range(G.shape[1]):
            G[n, k] = 0.0
        for k in range(row.path, row.path_stop):
            o = space[path[k]]
            for c in range(6):
                o[F_MOMENT + c] = 0.0
        for k in range(row.start, row.stop):
            part = parts[k]
            link, o = links[part.link], space[part.link]
            R = frames[link.body].R
            c0, c1, c2 = turned(o, constants[part.link], CENTER_AT)
            f0, f1, f2 = D[part.D, 0], D[part.D, 1], D[part.D, 2]
            n0, n1, n2 = D[part.D, 3], D[part.D, 4], D[part.D, 5]
            m0, m1, m2 = cross(c0, c1, c2, f0, f1, f2)
            o[F_FORCE] += f0
            o[F_FORCE + 1] += f1
            o[F_FORCE + 2] += f2
            o[F_MOMENT] += m0 + R[0, 0] * n0 + R[0, 1] * n1 + R[0, 2] * n2
            o[F_MOMENT + 1] += m1 + R[1, 0] * n0 + R[1, 1] * n1 + R[1, 2] * n2
            o[F_MOMENT + 2] += m2 + R[2, 0] * n0 + R[2, 1] * n1 + R[2, 2] * n2
        for k in range(row.path, row.path_stop):
            link, o = links[path[k]], space[path[k]]
            n0, n1, n2 = o[F_MOMENT], o[F_MOMENT + 1], o[F_MOMENT + 2]
            f0, f1, f2 = o[F_FORCE], o[F_FORCE + 1], o[F_FORCE + 2]
            if link.is_particle == 1:
                n0 = n1 = n2 = 0.0
            for c in range(link.n_v):
                axis = link.n_v - 1 - c
                at = link.v_at + nat(axis)
                s = axes[at]
                y = s[0] * f0 + s[1] * f1 + s[2] * f2
                if axis >= link.n_slides:
                    y = y * link.lead + s[0] * n0 + s[1] * n1 + s[2] * n2
                G[n, at] = y
                y *= s[INV_D]
                n0, n1, n2 = (
                    n0 - s[U_MOMENT] * y,
                    n1 - s[U_MOMENT + 1] * y,
                    n2 - s[U_MOMENT + 2] * y,
                )
                f0, f1, f2 = f0 - s[U_FORCE] * y, f1 - s[U_FORCE + 1] * y, f2 - s[U_FORCE + 2] * y
            if link.parent < nat(links.size):
                q = space[link.parent]
                m0, m1, m2 = cross(o[ARM], o[ARM + 1], o[ARM + 2], f0, f1, f2)
                q[F_MOMENT] += n0 + m0
                q[F_MOMENT + 1] += n1 + m1
                q[F_MOMENT + 2] += n2 + m2
                q[F_FORCE] += f0
                q[F_FORCE + 1] += f1
                q[F_FORCE + 2] += f2


@merged
def load_axes(axes, G, lam):
    """u -= G^T lam: the cut joints act on the axes."""
    for k in range(axes.shape[0]):
        for n in range(lam.size):
            axes[k, U_LEFT] -= G[n, k] * lam[n]


@merged
def yield_to(links, space, axes, G, lam, change):
    """change = -Mhat^-1 G^T lam: how the axes give way to the cut joints, at rest and without weight."""
    ground = space[links.size]
    keep0, keep1, keep2 = ground[A_AT], ground[A_AT + 1], ground[A_AT + 2]
    ground[A_AT] = ground[A_AT + 1] = ground[A_AT + 2] = 0.0
    for k in range(links.size):
        link = links[k]
        o, p = space[k], space[link.parent]
        g0, g1, g2 = p[ALPHA], p[ALPHA + 1], p[ALPHA + 2]
        r0, r1, r2 = cross(g0, g1, g2, o[ARM], o[ARM + 1], o[ARM + 2])
        a0, a1, a2 = p[A_AT] + r0, p[A_AT + 1] + r1, p[A_AT + 2] + r2
        if link.is_particle == 1:
            g0 = g1 = g2 = 0.0
        for axis in range(link.n_v):
            at = link.v_at + nat(axis)
            s = axes[at]
            x = 0.0
            for n in range(lam.size):
                x -= G[n, at] * lam[n]
            x -= s[U_MOMENT] * g0 + s[U_MOMENT + 1] * g1 + s[U_MOMENT + 2] * g2
            x = (x - s[U_FORCE] * a0 - s[U_FORCE + 1] * a1 - s[U_FORCE + 2] * a2) * s[INV_D]
            change[at] = x
            if axis >= link.n_slides:
                g0, g1, g2 = g0 + x * s[0], g1 + x * s[1], g2 + x * s[2]
                x *= link.lead
            a0, a1, a2 = a0 + x * s[0], a1 + x * s[1], a2 + x * s[2]
        o[ALPHA], o[ALPHA + 1], o[ALPHA + 2] = g0, g1, g2
        o[A_AT], o[A_AT + 1], o[A_AT + 2] = a0, a1, a2
    ground[A_AT], ground[A_AT + 1], ground[A_AT + 2] = keep0, keep1, keep2


@merged
def move(links, n_q, change, y):
    """beta += change, given like speeds; a ball turns about the axes of its body."""
    for k in range(links.size):
        link = links[k]
        turns = link.n_v if link.turn != BALL else link.n_slides
        for axis in range(turns):
            y[link.q_at + nat(axis)] += change[link.v_at + nat(axis)]
        if link.turn == BALL:
            q, v = link.q_at + nat(link.n_slides), link.v_at + nat(link.n_slides)
            p0, p1, p2, p3 = y[q], y[q + ONE], y[q + TWO], y[q + THREE]
            w0, w1, w2 = 0.5 * change[v], 0.5 * change[v + ONE], 0.5 * change[v + TWO]
            y[q] += -p1 * w0 - p2 * w1 - p3 * w2
            y[q + ONE] += p0 * w0 + p2 * w2 - p3 * w1
            y[q + TWO] += p0 * w1 + p3 * w0 - p1 * w2
            y[q + THREE] += p0 * w2 + p1 * w1 - p2 * w0
