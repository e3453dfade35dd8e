"""Kinematics, constraints and inverse mass in the plane.

A body has q = (x, y, phi) and v = (x_dot, y_dot, w). For a vector turning with the body

    perp(a) = (-a_y, a_x),      a_dot = w perp(a),      a_ww = -w^2 a

so a point P = r + s has P_dot = r_dot + w perp(s), and every coordinate g(q) of two markers gives

    g_dot = D_i v_i + D_j v_j           g_ddot = D a + g_ww          gamma = -g_ww + c_ddot
"""

import math

from engine.kernels import inlined, kernel, nat
from engine.kernels.blocksolve import PIN
from engine.kernels.layout import ALONG, ANGLE, DIRECTION, FIRST, KNIFE, ONLY, POINT, RIGID
from engine.kernels.sines import cosine_and_sine

N_Q, N_V = RIGID[2]
ONE, TURN = nat(1), nat(2)  # offsets from the first number of a body: y and phi


@kernel
def place_bodies(bodies, q, v, frames):
    """Fill the frame of each body; the ground's stays.

    Bodies of the plane are stored one after the other: a fixed stride lets the processor place several at
    once. Flexible bodies come last; their frames are filled again where their coordinates are known.
    """
    if bodies.size == 0:
        return
    q_at = bodies[0].q_at
    v_at = bodies[0].v_at
    for k in range(bodies.size):
        at = nat(q_at + N_Q * k)
        x = q[at + TURN]
        frames[k].c, frames[k].s = cosine_and_sine(x)
        frames[k].x = q[at]
        frames[k].y = q[at + ONE]
        frames[k].phi = x
        at = nat(v_at + N_V * k)
        frames[k].ux = v[at]
        frames[k].uy = v[at + ONE]
        frames[k].w = v[at + TURN]


@kernel
def direction_rates(dx, dy, ddx, ddy, dwx, dwy):
    """For the direction of d: t = perp(d) / |d|^2, and g_ww = t.d_ww - 2 (t.d_dot) (d.d_dot) / |d|^2."""
    inv = 1.0 / max(dx * dx + dy * dy, 1e-300)
    tx = -dy * inv
    ty = dx * inv
    g_ww = tx * dwx + ty * dwy - 2.0 * inv * (tx * ddx + ty * ddy) * (dx * ddx + dy * ddy)
    return tx, ty, g_ww


@kernel
def coordinate(term, frames, row):
    """Fill `row` with g, g_ww, D_i (3), D_j (3) of one scalar term."""
    i = frames[term.i]
    j = frames[term.j]
    if term.kind == ANGLE:
        # g = phi_j - phi_i + offset
        row[0] = j.phi - i.phi + term.param
        for c in range(1, 8):
            row[c] = 0.0
        row[4] = -1.0
        row[7] = 1.0
        return
    six = i.c * term.P_i[0] - i.s * term.P_i[1]
    siy = i.s * term.P_i[0] + i.c * term.P_i[1]
    sjx = j.c * term.P_j[0] - j.s * term.P_j[1]
    sjy = j.s * term.P_j[0] + j.c * term.P_j[1]
    dx = j.x + sjx - i.x - six
    dy = j.y + sjy - i.y - siy
    if term.kind == KNIFE:
        # row = b . u,  u = P_j_dot - r_i_dot - w_i perp(e)  the velocity of P_j seen from body i
        #   D_i = [ -b  -b.perp(e) ]    D_j = [ b  b.perp(s_j) ]    e = P_j - r_i,  b turns with j
        bx = j.c * term.b[0] - j.s * term.b[1]
        by = j.s * term.b[0] + j.c * term.b[1]
        ex = dx + six
        ey = dy + siy
        pvx = j.ux - j.w * sjy - i.ux
        pvy = j.uy + j.w * sjx - i.uy
        ux = pvx + i.w * ey
        uy = pvy - i.w * ex
        row[0] = 0.0
        row[1] = (
            j.w * (bx * uy - by * ux)
            - j.w * j.w * (bx * sjx + by * sjy)
            - i.w * (by * pvx - bx * pvy)
        )
        row[2] = -bx
        row[3] = -by
        row[4] = bx * ey - by * ex
        row[5] = bx
        row[6] = by
        row[7] = by * sjx - bx * sjy
        return
    ddx = j.ux - j.w * sjy - i.ux + i.w * siy
    ddy = j.uy + j.w * sjx - i.uy - i.w * six
    dwx = i.w * i.w * six - j.w * j.w * sjx
    dwy = i.w * i.w * siy - j.w * j.w * sjy
    if term.kind == DIRECTION:
        # g = (direction of d) - phi_i + offset, turns not counted        t = perp(d) / |d|^2
        #   D_i = [ -t  -1 - t.perp(s_i) ]    D_j = [ t  t.perp(s_j) ]
        ax, ay, row[1] = direction_rates(dx, dy, ddx, ddy, dwx, dwy)
        row[0] = math.atan2(dy, dx) - i.phi + term.param
        turn = -1.0
    elif term.kind == ALONG:
        # g = a . d      D_i = [ -a  perp(a).d - a.perp(s_i) ]    D_j = [ a  a.perp(s_j) ]
        # g_ww = a_ww.d + 2 a_dot.d_dot + a.d_ww
        ax = i.c * term.a[0] - i.s * term.a[1]
        ay = i.s * term.a[0] + i.c * term.a[1]
        g = ax * dx + ay * dy
        row[0] = g
        row[1] = -i.w * i.w * g + 2.0 * i.w * (ax * ddy - ay * ddx) + ax * dwx + ay * dwy
        turn = ax * dy - ay * dx
    else:
        # DISTANCE  g = |d|   D_i = [ -u  -u.perp(s_i) ]    D_j = [ u  u.perp(s_j) ]   u = d / |d|
        # g_ww = u.d_ww + (u x d_dot)^2 / |d|
        g = math.sqrt(dx * dx + dy * dy)
        inv_g = 1.0 / max(g, 1e-300)
        ax = dx * inv_g
        ay = dy * inv_g
        across = ax * ddy - ay * ddx
        row[0] = g
        row[1] = ax * dwx + ay * dwy + across * across * inv_g
        turn = 0.0
    row[2] = -ax
    row[3] = -ay
    row[4] = turn - (ay * six - ax * siy)
    row[5] = ax
    row[6] = ay
    row[7] = ay * sjx - ax * sjy


@kernel
def fill_rows(terms, uses, shared, rows, frames, row, Phi, gamma, D):
    """Fill Phi = g - constant, gamma = -g_ww and D of all rows."""
    for k in range(shared.size):
        for c in range(3):
            D[shared[k], c] = 0.0
    for k in range(uses.size):
        use = uses[k]
        term = terms[use.term]
        at = use.row
        D_i = use.D_i
        D_j = use.D_j
        if term.kind == POINT:
            # P_j - P_i     D_i = [ -1  -perp(s_i) ]   D_j = [ 1  perp(s_j) ]
            # g_ww = -w_j^2 s_j + w_i^2 s_i
            i = frames[term.i]
            j = frames[term.j]
            six = i.c * term.P_i[0] - i.s * term.P_i[1]
            siy = i.s * term.P_i[0] + i.c * term.P_i[1]
            sjx = j.c * term.P_j[0] - j.s * term.P_j[1]
            sjy = j.s * term.P_j[0] + j.c * term.P_j[1]
            wi2 = i.w * i.w
            wj2 = j.w * j.w
            Phi[at] = j.x + sjx - i.x - six
            Phi[at + 1] = j.y + sjy - i.y - siy
            gamma[at] = wj2 * sjx - wi2 * six
            gamma[at + 1] = wj2 * sjy - wi2 * siy
            D[D_i, 0] = -1.0
            D[D_i, 1] = 0.0
            D[D_i, 2] = siy
            D[D_i + 1, 0] = 0.0
            D[D_i + 1, 1] = -1.0
            D[D_i + 1, 2] = -six
            D[D_j, 0] = 1.0
            D[D_j, 1] = 0.0
            D[D_j, 2] = -sjy
            D[D_j + 1, 0] = 0.0
            D[D_j + 1, 1] = 1.0
            D[D_j + 1, 2] = sjx
        else:
            coordinate(term, frames, row)
            if use.part == ONLY:
                Phi[at] = row[0] - rows[at].constant
                gamma[at] = -row[1]
                for c in range(3):
                    D[D_i, c] = row[2 + c]
                    D[D_j, c] = row[5 + c]
                continue
            if use.part == FIRST:
                Phi[at] = -rows[at].constant
                gamma[at] = 0.0
            Phi[at] += use.weight * row[0]
            gamma[at] -= use.weight * row[1]
            period = rows[at].period
            if period > 0.0:
                Phi[at] -= period * math.floor(Phi[at] / period + 0.5)
            for c in range(3):
                D[D_i, c] += use.weight * row[2 + c]
                D[D_j, c] += use.weight * row[5 + c]


@inlined
def pin_by_pin(one, im, iJ, D, S):
    """One product of two pins, whose rows are +-[ 1 0 z_0 ] and +-[ 0 1 z_1 ]."""
    a, b, at = one.earlier, one.later, one.offset
    a0, a1 = iJ * D[nat(a), 2], iJ * D[nat(a + 1), 2]
    b0, b1 = D[nat(b), 2], D[nat(b + 1), 2]
    s00, s01 = one.shift * im + a0 * b0, a0 * b1
    s10, s11 = a1 * b0, one.shift * im + a1 * b1
    if one.is_first == 0:
        s00 += S[nat(at)]
        s01 += S[nat(at + 1)]
        s10 += S[nat(at + 2)]
        s11 += S[nat(at + 3)]
    S[nat(at)], S[nat(at + 1)], S[nat(at + 2)], S[nat(at + 3)] = s00, s01, s10, s11


@kernel
def assemble_S(products, blank, bodies, D, S):
    """The upper triangle of S = D W D^T, product by product; W = diag(1/m, 1/m, 1/J)."""
    for k in range(blank.size):
        S[nat(blank[k])] = 0.0
    for k in range(products.size):
        one = products[k]
        im = bodies[nat(one.body)].inv_mass
        iJ = bodies[nat(one.body)].inv_J[0, 0]
        if one.shift != 0.0 and one.size == PIN and one.width == PIN:
            pin_by_pin(one, im, iJ, D, S)
            continue
        for r in range(one.size):
            a = nat(one.earlier + r)
            x, y, z = im * D[a, 0], im * D[a, 1], iJ * D[a, 2]
            for c in range(one.width):
                b = nat(one.later + c)
                at = nat(one.offset + r * one.width + c)
                total = x * D[b, 0] + y * D[b, 1] + z * D[b, 2]
                S[at] = total if one.is_first == 1 else S[at] + total


@kernel
def right_side(bodies, row_of, D, f, gamma, out):
    """out = D W f - gamma."""
    for k in range(out.size):
        out[k] = -gamma[k]
    for k in range(bodies.size):
        at = nat(bodies[k].v_at)
        x = bodies[k].inv_mass * f[at]
        y = bodies[k].inv_mass * f[at + ONE]
        z = bodies[k].inv_J[0, 0] * f[at + TURN]
        for n in range(bodies[k].start, bodies[k].stop):
            a = nat(n)
            out[nat(row_of[a])] += x * D[a, 0] + y * D[a, 1] + z * D[a, 2]


@kernel
def times_D(bodies, row_of, D, v, out):
    """out = D v."""
    for k in range(out.size):
        out[k] = 0.0
    for k in range(bodies.size):
        at = nat(bodies[k].v_at)
        x, y, z = v[at], v[at + ONE], v[at + TURN]
        for n in range(bodies[k].start, bodies[k].stop):
            a = nat(n)
            out[nat(row_of[a])] += x * D[a, 0] + y * D[a, 1] + z * D[a, 2]


@kernel
def times_W_without_D_transposed(bodies, row_of, D, f, lam, out):
    """out = W (f - D^T lam)."""
    for k in range(bodies.size):
        at = nat(bodies[k].v_at)
        im = bodies[k].inv_mass  # read before anything is written: they stay in registers
        iJ = bodies[k].inv_J[0, 0]
        x = f[at]
        y = f[at + ONE]
        z = f[at + TURN]
        for n in range(bodies[k].start, bodies[k].stop):
            a = nat(n)
            value = lam[nat(row_of[a])]
            x -= D[a, 0] * value
            y -= D[a, 1] * value
            z -= D[a, 2] * value
        out[at] = im * x
        out[at + ONE] = im * y
        out[at + TURN] = iJ * z
