"""How the columns of D change when bodies move: the geometric part of the stiffness.

A displacement delta is given like a velocity: dr in world axes, and a turn th about body axes. The
tangents are

    K = -df/d(delta) + d(D^T lam)/d(delta)            C = -df/dv

in blocks of two bodies that share a term. Every scalar coordinate has columns of one shape, those of a
force F on body j at the point r_j + arm_j, of -F on body i at the same point, and of a moment T on i
against j (world axes, then turned into body axes):

    D_i = [ -F   R_i^T m_i ],   m_i = T - arm_i x F         arm_i = e + c,     e = P_j - r_i
    D_j = [  F   R_j^T m_j ],   m_j = arm_j x F - T         arm_j = s_j + c

    ALONG        F = a                                      T = 0
    DIRECTION    F = (p y - s a) / (p^2 + s^2)              T = 0,   p = a.d,  s = y.d
    DISTANCE     F = u = d/|d|                              T = 0
    KNIFE        F = b                                      T = 0
    DISC_SLIP    F = a      c = -rho u,  u = (z_i - p z_j)/m,  m = sqrt(1 - p^2)
    DISC_HEIGHT  F = a                                      T = (rho p/m) a x b,  p = a.b
    DOT          F = 0                                      T = a x b
    ANGLE        F = 0                                      T = (p (y x b) - s (a x b)) / (p^2 + s^2)

So only the changes of F, T and c along a displacement are derived for each kind. With th in world
axes, vectors of a body change by th x, and

    (R^T m)' = R^T (m' - th x m)

One column of H, the derivative of (D_i, D_j), is such a change along one unit displacement. In the plane
the same equations are used with the bodies placed in space; only x, y and the rotation about z are written.

A point difference with the force lam has F constant and arms that turn with their bodies. There

    (R^T (s x F))' = R^T ((th x s) x F - th x (s x F)) = P x (F_b x th_b),      F_b = R^T F

The accelerations of a row, D a + g_ww, change with H too, since g_ww = v^T H v:

    d(D a + g_ww) = D da + v^T (H + H^T) dv + a^T H delta + ...

G collects these by given weights. The dots stand for one more derivative of H, which is left out.
"""

import math

from engine.kernels import kernel
from engine.kernels.layout import (
    ALONG,
    ANGLE,
    DIRECTION,
    DISC_HEIGHT,
    DISC_SLIP,
    DISTANCE,
    KNIFE,
    POINT,
)
from engine.kernels.spatial import cross, dot, minus, plus, times, to_body, to_world, vec


@kernel
def wrench(kind, rho, d, a, y, b):
    """F, T and c of a coordinate."""
    F = a
    T = (0.0, 0.0, 0.0)
    c = (0.0, 0.0, 0.0)
    if kind == DISTANCE:
        F = times(1.0 / max(math.sqrt(dot(d, d)), 1e-300), d)
    elif kind == DIRECTION:
        p = dot(a, d)
        s = dot(y, d)
        F = times(1.0 / max(p * p + s * s, 1e-300), minus(times(p, y), times(s, a)))
    elif kind == KNIFE:
        F = b
    elif kind == DISC_SLIP:
        p = dot(y, b)
        c = times(-rho / math.sqrt(max(1.0 - p * p, 1e-300)), minus(y, times(p, b)))
    elif kind != ALONG:
        p = dot(a, b)
        T = cross(a, b)
        if kind == DISC_HEIGHT:
            T = times(rho * p / math.sqrt(max(1.0 - p * p, 1e-300)), T)
        else:
            F = c
            if kind == ANGLE:
                s = dot(y, b)
                inv = 1.0 / max(p * p + s * s, 1e-300)
                T = times(inv, minus(times(p, cross(y, b)), times(s, T)))
    return F, T, c


@kernel
def wrench_change(kind, rho, d, a, y, b, F, T, dd, da, dy, db):
    """The changes of F, T and c when d, a, y and b change."""
    dF = da
    dT = (0.0, 0.0, 0.0)
    dc = (0.0, 0.0, 0.0)
    if kind == DISTANCE:
        across = minus(dd, times(dot(F, dd), F))
        dF = times(1.0 / max(math.sqrt(dot(d, d)), 1e-300), across)
    elif kind == DIRECTION:
        # F (p^2 + s^2) = p y - s a
        p = dot(a, d)
        s = dot(y, d)
        dp = dot(da, d) + dot(a, dd)
        ds = dot(dy, d) + dot(y, dd)
        change = minus(plus(times(dp, y), times(p, dy)), plus(times(ds, a), times(s, da)))
        change = minus(change, times(2.0 * (p * dp + s * ds), F))
        dF = times(1.0 / max(p * p + s * s, 1e-300), change)
    elif kind == KNIFE:
        dF = db
    elif kind == DISC_SLIP:
        # u = x/m with x = z_i - p z_j:   du = dx/m + u p dp/m^2
        p = dot(y, b)
        dp = dot(dy, b) + dot(y, db)
        m2 = max(1.0 - p * p, 1e-300)
        x = minus(y, times(p, b))
        dx = minus(dy, plus(times(dp, b), times(p, db)))
        dc = times(-rho / math.sqrt(m2), plus(dx, times(p * dp / m2, x)))
    elif kind != ALONG:
        p = dot(a, b)
        dp = dot(da, b) + dot(a, db)
        n = cross(a, b)
        dn = plus(cross(da, b), cross(a, db))
        dT = dn
        if kind == DISC_HEIGHT:
            # h' = rho p/m,  h'' = rho/m^3
            m2 = max(1.0 - p * p, 1e-300)
            slope = rho / math.sqrt(m2)
            dT = plus(times(slope * p, dn), times(slope / m2 * dp, n))
        else:
            dF = dc
            if kind == ANGLE:
                # T (p^2 + s^2) = p o - s n,  o = y x b
                s = dot(y, b)
                ds = dot(dy, b) + dot(y, db)
                o = cross(y, b)
                do = plus(cross(dy, b), cross(y, db))
                change = minus(plus(times(dp, o), times(p, do)), plus(times(ds, n), times(s, dn)))
                change = minus(change, times(2.0 * (p * dp + s * ds), T))
                dT = times(1.0 / max(p * p + s * s, 1e-300), change)
    return dF, dT, dc


@kernel
def bend(n_d, term, frames, H):
    """Fill H = d(D_i, D_j)/d(delta_i, delta_j) of one scalar term, (2 n_d, 2 n_d)."""
    kind = term.kind
    rho = term.param
    R_i = frames[term.i].R
    R_j = frames[term.j].R
    s_i = to_world(R_i, term.P_i)
    s_j = to_world(R_j, term.P_j)
    e = minus(plus(vec(frames[term.j].r), s_j), vec(frames[term.i].r))
    d = minus(e, s_i)
    a = to_world(R_i, term.a)
    y = to_world(R_i, term.a2)
    b = to_world(R_j, term.b)
    F, T, c = wrench(kind, rho, d, a, y, b)
    arm_i = plus(e, c)
    arm_j = plus(s_j, c)
    m_i = minus(T, cross(arm_i, F))
    m_j = minus(cross(arm_j, F), T)
    dim = 2 if n_d == 3 else 3
    turns = n_d - dim  # about z, or about all axes
    for n in range(n_d + turns):  # the displacements of j, then the turns of i
        dr = (0.0, 0.0, 0.0)
        th_i = dr
        th_j = dr
        at = n_d + n
        if n < dim:
            dr = (1.0 if n == 0 else 0.0, 1.0 if n == 1 else 0.0, 1.0 if n == 2 else 0.0)
        elif n < n_d:
            axis = 3 - turns + n - dim
            th_j = (R_j[0, axis], R_j[1, axis], R_j[2, axis])
        else:
            axis = 3 - turns + n - n_d
            th_i = (R_i[0, axis], R_i[1, axis], R_i[2, axis])
            at = dim + n - n_d
        ds_j = cross(th_j, s_j)
        de = plus(dr, ds_j)
        dd = minus(de, cross(th_i, s_i))
        da = cross(th_i, a)
        dy = cross(th_i, y)
        db = cross(th_j, b)
        dF, dT, dc = wrench_change(kind, rho, d, a, y, b, F, T, dd, da, dy, db)
        dm_i = minus(dT, plus(cross(plus(de, dc), F), cross(arm_i, dF)))
        dm_j = minus(plus(cross(plus(ds_j, dc), F), cross(arm_j, dF)), dT)
        turn_i = to_body(R_i, minus(dm_i, cross(th_i, m_i)))
        turn_j = to_body(R_j, minus(dm_j, cross(th_j, m_j)))
        for r in range(dim):
            H[r, at] = -dF[r]
            H[n_d + r, at] = dF[r]
        for r in range(turns):
            H[dim + r, at] = turn_i[3 - turns + r]
            H[n_d + dim + r, at] = turn_j[3 - turns + r]
        if n < dim:  # moving i back is the same as moving j
            for r in range(2 * n_d):
                H[r, n] = -H[r, at]


@kernel
def add_turned_arm(n_d, factor, P, F, block, K):
    """K += factor P~ F~ = factor (F P^T - (P.F) 1) in the turns of one body; P, F in body axes."""
    PF = P[0] * F[0] + P[1] * F[1] + P[2] * F[2]
    if n_d == 3:
        K[block.at + 2 * block.n_j + 2] -= factor * PF
        return
    for r in range(3):
        at = block.at + (3 + r) * block.n_j + 3
        for c in range(3):
            K[at + c] += factor * F[r] * P[c]
        K[at + r] -= factor * PF


@kernel
def add_blocks(n_d, factor, H, four, blocks, K):
    """K += factor H in the four blocks of the bodies of one term."""
    for side in range(4):
        block = blocks[four[side]]
        row = 0 if side < 2 else n_d
        column = 0 if side % 2 == 0 else n_d
        for r in range(n_d):
            for c in range(n_d):
                K[block.at + r * block.n_j + c] += factor * H[row + r, column + c]


@kernel
def add_point_rows(dim, P, R, sign, w, u, by_v_left, by_v_right, row, G):
    """G += sign (by_v_left (w x P) x e_b + by_v_right P x (e_b x w) + u x e_b) for all axes e."""
    turned = plus(times(by_v_left, cross(w, P)), u)
    for axis in range(dim):
        e_b = (R[axis, 0], R[axis, 1], R[axis, 2])
        value = plus(cross(turned, e_b), times(by_v_right, cross(P, cross(e_b, w))))
        if dim == 2:
            G[row + axis, 2] += sign * value[2]
        else:
            for c in range(3):
                G[row + axis, 3 + c] += sign * value[c]


@kernel
def add_row(n_d, bodies, term, weight, H, v, a, by, D_i, D_j, G):
    """G += weight (by_0 v^T H + by_1 (H v)^T + by_2 a^T H) in the rows of one term."""
    for c in range(2 * n_d):
        total = 0.0
        for r in range(2 * n_d):
            body = term.i if r < n_d else term.j
            if body < bodies.size:
                at = bodies[body].v_at + r % n_d
                total += (by[0] * v[at] + by[2] * a[at]) * H[r, c] + by[1] * v[at] * H[c, r]
        if c < n_d:
            G[D_i, c] += weight * total
        else:
            G[D_j, c - n_d] += weight * total


@kernel
def turn_of(n_d, bodies, body, v):
    """The angular velocity of a body in v, or that of an acceleration; zero for the ground."""
    if body == bodies.size:
        return (0.0, 0.0, 0.0)
    at = bodies[body].v_at
    if n_d == 3:
        return (0.0, 0.0, v[at + 2])
    return (v[at + 3], v[at + 4], v[at + 5])


@kernel
def bend_row(n_d, bodies, use, term, frames, v, a, by, H, G):
    """Add one use of a term to G, see above; H must be filled unless the term is a point."""
    if term.kind != POINT:
        add_row(n_d, bodies, term, use.weight, H, v, a, by, use.D_i, use.D_j, G)
        return
    for side in range(2):
        body = term.i if side == 0 else term.j
        P = vec(term.P_i) if side == 0 else vec(term.P_j)
        row = use.D_i if side == 0 else use.D_j
        w = turn_of(n_d, bodies, body, v)
        u = times(by[2], cross(turn_of(n_d, bodies, body, a), P))
        sign = -1.0 if side == 0 else 1.0
        dim = 2 if n_d == 3 else 3
        add_point_rows(dim, P, frames[body].R, sign, w, u, by[0], by[1], row, G)


@kernel
def bend_rows(n_d, bodies, terms, uses, frames, v, a, by, by_pose, H, G, G_pose):
    """Fill G with the weights by_0 of v^T H, by_1 of (H v)^T and by_2 of a^T H; G_pose by others."""
    for k in range(G.shape[0]):
        for c in range(n_d):
            G[k, c] = 0.0
            G_pose[k, c] = 0.0
    for k in range(uses.size):
        term = terms[uses[k].term]
        if n_d == 3 and term.kind == ANGLE:
            continue
        if term.kind != POINT:
            bend(n_d, term, frames, H)
        bend_row(n_d, bodies, uses[k], term, frames, v, a, by, H, G)
        bend_row(n_d, bodies, uses[k], term, frames, v, a, by_pose, H, G_pose)


@kernel
def add_constraints(n_d, terms, uses, lam, frames, of_term, blocks, H, K):
    """K += d(D^T lam)/d(delta)."""
    for k in range(uses.size):
        use = uses[k]
        term = terms[use.term]
        at = use.row
        if term.kind == POINT:
            F = (lam[at], lam[at + 1], lam[at + 2] if n_d == 6 else 0.0)
            F_i = to_body(frames[term.i].R, F)
            F_j = to_body(frames[term.j].R, F)
            add_turned_arm(n_d, -1.0, term.P_i, F_i, blocks[of_term[use.term, 0]], K)
            add_turned_arm(n_d, 1.0, term.P_j, F_j, blocks[of_term[use.term, 3]], K)
        elif not (n_d == 3 and term.kind == ANGLE):  # an angle in the plane is linear
            bend(n_d, term, frames, H)
            add_blocks(n_d, use.weight * lam[at], H, of_term[use.term], blocks, K)
