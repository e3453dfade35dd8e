"""The articulated recursion of a tree in the plane.

A wrench is (moment about O, fx, fy), an acceleration (alpha, ax, ay) of O; gravity is the acceleration -g
of the ground.

    outward   phi, w, arms r = O_p -> O, and c = the acceleration of O for eta_dot = 0
    inward    I = own + successors,   p = own + successors - forces + I c;   for each axis S, last first:
                  U = I S,   d = S.U,   u = -S.p,   I <- I - U U^T / d,   p <- p + U u / d
              then shifted by r to the predecessor
    outward   a = shift(a_p);   for each axis, first first:  eta_dot = (u - U.a) / d,   a <- a + S eta_dot
              at last a <- a + c

A hinge leaves a matrix of 2 x 2 alone. What goes to the body before stays in registers: memory is for
branches and forces. A row of a cut joint is a wrench f on bodies; each axis on its way to the ground takes

    y = S.f,   f <- f - U y / d,   shifted by r
"""

import math

import numpy as np

from engine.kernels import merged, nat
from engine.kernels.sines import cosine_and_sine
from engine.kernels.trees.layout import HINGE, RIGID

ONE = nat(1)


@merged
def find_sines(n, angle):
    """cos and sin of n angles in a row; without branches, so that several are found at once."""
    for k in range(n):
        i = nat(k)
        angle[1, i], angle[2, i] = cosine_and_sine(angle[0, i])


@merged
def turn(links, plane, angle, n_q, y):
    """Angles and angular velocities of all bodies, then all sines."""
    for k in range(links.size):
        i = nat(k)
        link = links[i]
        o, p = plane[i], plane[link.parent]
        if link.turn != RIGID:
            at = link.v_at + nat(link.n_slides)
            angle[0, i] = angle[0, link.parent] + y[at]
            o.w = p.w + y[nat(n_q) + at]
        elif link.is_particle == 1:
            angle[0, i] = link.phi
            o.w = 0.0
        else:
            angle[0, i] = angle[0, link.parent] + link.phi
            o.w = p.w
        if link.is_met == 1:
            o.J = o.hx = o.hy = o.mxx = o.mxy = o.myy = o.pm = o.p1 = o.p2 = 0.0
    find_sines(links.size, angle)


@merged
def reach(link, o, w, c, s, n_q, y):
    """The arm from the predecessor, and the acceleration for eta_dot = 0; writes them to o."""
    rx = c * link.px - s * link.py
    ry = s * link.px + c * link.py
    if link.n_slides == 0:
        o.rx = rx
        o.ry = ry
        o.c1 = -w * w * rx
        o.c2 = -w * w * ry
        return
    sx = c * link.ax - s * link.ay
    sy = s * link.ax + c * link.ay
    at = link.v_at
    along, rate = y[at], y[nat(n_q) + at]
    across = across_rate = 0.0
    if link.n_slides == 2:
        across, across_rate = y[at + ONE], y[nat(n_q) + at + ONE]
    rx += along * sx - across * sy
    ry += along * sy + across * sx
    ux = rate * sx - across_rate * sy
    uy = rate * sy + across_rate * sx
    o.rx, o.ry, o.sx, o.sy, o.ux, o.uy = rx, ry, sx, sy, ux, uy
    o.c1 = -w * w * rx - 2.0 * w * uy
    o.c2 = -w * w * ry + 2.0 * w * ux


@merged
def place(links, plane, angle, n_q, y):
    """Place and velocity of every O; needed by forces, cut joints and frames alone."""
    for k in range(links.size):
        i = nat(k)
        link = links[i]
        o, p = plane[i], plane[link.parent]
        reach(link, o, p.w, angle[1, link.parent], angle[2, link.parent], n_q, y)
        o.x = p.x + o.rx
        o.y = p.y + o.ry
        o.vx = p.vx - p.w * o.ry
        o.vy = p.vy + p.w * o.rx
        if link.n_slides > 0:
            o.vx += o.ux
            o.vy += o.uy


@merged
def write_bodies(links, plane, angle, bodies, frames, n_q, Y):
    """The frames of bodies and their q and v, behind n_q; bodies of the tree must be placed."""
    for k in range(links.size):
        link, o = links[k], plane[k]
        body = bodies[link.body]
        frame = frames[link.body]
        c, s = angle[1, k], angle[2, k]
        x = c * link.cx - s * link.cy
        y = s * link.cx + c * link.cy
        frame.c, frame.s, frame.phi, frame.w = c, s, angle[0, k], o.w
        if link.is_particle == 1 and link.turn == HINGE:  # its rod turns, but it does not
            frame.c, frame.s = math.cos(link.phi), math.sin(link.phi)
            frame.phi, frame.w = link.phi, 0.0
        frame.x, frame.y = o.x + x, o.y + y
        frame.ux, frame.uy = o.vx - o.w * y, o.vy + o.w * x
        at = body.q_at
        Y[at], Y[at + 1], Y[at + 2] = frame.x, frame.y, frame.phi
        at = n_q + body.v_at
        Y[at], Y[at + 1], Y[at + 2] = frame.ux, frame.uy, frame.w


@merged
def take_forces(links, plane, angle, bodies, f):
    """p -= the forces on each body, about O."""
    for k in range(links.size):
        link, o = links[k], plane[k]
        at = bodies[link.body].v_at
        c, s = angle[1, k], angle[2, k]
        x = c * link.cx - s * link.cy
        y = s * link.cx + c * link.cy
        o.p1 -= f[at]
        o.p2 -= f[at + 1]
        o.pm -= x * f[at + 1] - y * f[at]
        if link.is_particle == 0:
            o.pm -= f[at + 2]


@merged
def inward(links, plane, angle, n_q, y):
    """Articulated inertia from the leaves to the ground, and what each axis needs of it."""
    n = links.size
    kJ = kx = ky = kxx = kxy = kyy = km = k1 = k2 = 0.0
    for k in range(n):
        i = nat(n - 1 - k)
        link = links[i]
        o, q = plane[i], plane[link.parent]
        reach(link, o, q.w, angle[1, link.parent], angle[2, link.parent], n_q, y)
        c, s, m = angle[1, i], angle[2, i], link.mass
        cx = m * (c * link.cx - s * link.cy)
        cy = m * (s * link.cx + c * link.cy)
        w2 = o.w * o.w
        J, hx, hy, mxx, mxy, myy = kJ + link.J, kx - cy, ky + cx, kxx + m, kxy, kyy + m
        pm, p1, p2 = km, k1 - w2 * cx, k2 - w2 * cy
        if link.is_met == 1:
            J, hx, hy = J + o.J, hx + o.hx, hy + o.hy
            mxx, mxy, myy = mxx + o.mxx, mxy + o.mxy, myy + o.myy
            pm, p1, p2 = pm + o.pm, p1 + o.p1, p2 + o.p2
        c1, c2 = o.c1, o.c2
        pm += hx * c1 + hy * c2
        p1 += mxx * c1 + mxy * c2
        p2 += mxy * c1 + myy * c2
        if link.turn != RIGID:
            d = 1.0 / J
            u = -pm
            o.d[0], o.u[0], o.um[0], o.u1[0], o.u2[0] = d, u, J, hx, hy
            p1 += hx * u * d
            p2 += hy * u * d
            fx, fy = hx * d, hy * d
            mxx -= hx * fx
            mxy -= hx * fy
            myy -= hy * fy
            pm = J = hx = hy = 0.0
        elif link.is_particle == 1:
            pm = J = hx = hy = 0.0
        for slide in range(link.n_slides):
            a = nat(link.n_slides - 1 - slide)
            sx, sy = (o.sx, o.sy) if a == nat(0) else (-o.sy, o.sx)
            um = hx * sx + hy * sy
            u1 = mxx * sx + mxy * sy
            u2 = mxy * sx + myy * sy
            d = 1.0 / (sx * u1 + sy * u2)
            u = -sx * p1 - sy * p2
            at = ONE + a
            o.d[at], o.u[at], o.um[at], o.u1[at], o.u2[at] = d, u, um, u1, u2
            e = u * d
            pm, p1, p2 = pm + um * e, p1 + u1 * e, p2 + u2 * e
            J, hx, hy = J - um * um * d, hx - um * u1 * d, hy - um * u2 * d
            mxx, mxy, myy = mxx - u1 * u1 * d, mxy - u1 * u2 * d, myy - u2 * u2 * d
        nx, ny = -o.ry, o.rx
        kx, ky = mxx * nx + mxy * ny, mxy * nx + myy * ny
        kJ = J + 2.0 * (hx * nx + hy * ny) + nx * kx + ny * ky
        kx, ky = kx + hx, ky + hy
        kxx, kxy, kyy = mxx, mxy, myy
        km, k1, k2 = pm + nx * p1 + ny * p2, p1, p2
        if link.is_branch == 1:
            q.J, q.hx, q.hy = q.J + kJ, q.hx + kx, q.hy + ky
            q.mxx, q.mxy, q.myy = q.mxx + kxx, q.mxy + kxy, q.myy + kyy
            q.pm, q.p1, q.p2 = q.pm + km, q.p1 + k1, q.p2 + k2
            kJ = kx = ky = kxx = kxy = kyy = km = k1 = k2 = 0.0


@merged
def accelerate(links, plane, n_q, y, y_dot):
    """Accelerations from the ground to the leaves; y_dot begins with (eta, eta_dot)."""
    for k in range(links.size):
        i = nat(k)
        link = links[i]
        o, q = plane[i], plane[link.parent]
        al = q.al
        a1 = q.a1 - al * o.ry  # c is in u already and comes last
        a2 = q.a2 + al * o.rx
        if link.is_particle == 1 and link.turn == RIGID:
            al = 0.0
        for slide in range(link.n_slides):
            a = nat(slide)
            at = a + ONE
            rate = (o.u[at] - o.um[at] * al - o.u1[at] * a1 - o.u2[at] * a2) * o.d[at]
            sx, sy = (o.sx, o.sy) if slide == 0 else (-o.sy, o.sx)
            a1 += sx * rate
            a2 += sy * rate
            y_dot[nat(n_q) + link.v_at + a] = rate
            y_dot[link.v_at + a] = y[nat(n_q) + link.v_at + a]
        if link.turn != RIGID:
            at = link.v_at + nat(link.n_slides)
            al = (o.u[0] - o.u1[0] * a1 - o.u2[0] * a2) * o.d[0]
            y_dot[nat(n_q) + at] = al - q.al
            y_dot[at] = y[nat(n_q) + at]
        o.al = al
        o.a1 = a1 + o.c1
        o.a2 = a2 + o.c2


@merged
def follow(links, plane, n_q, y_dot):
    """Accelerations of every O from given eta_dot; bodies must be placed."""
    for k in range(links.size):
        link = links[k]
        o, q = plane[k], plane[link.parent]
        o.a1 = q.a1 - q.al * o.ry + o.c1
        o.a2 = q.a2 + q.al * o.rx + o.c2
        o.al = 0.0 if link.is_particle == 1 and link.turn == RIGID else q.al
        for slide in range(link.n_slides):
            rate = y_dot[n_q + np.int64(link.v_at) + slide]
            sx, sy = (o.sx, o.sy) if slide == 0 else (-o.sy, o.sx)
            o.a1 += sx * rate
            o.a2 += sy * rate
        if link.turn != RIGID:
            o.al += y_dot[n_q + np.int64(link.v_at) + link.n_slides]


@merged
def write_accelerations(links, plane, angle, bodies, gravity, a):
    """Accelerations of all mass centres, in the layout of v."""
    for k in range(links.size):
        link, o = links[k], plane[k]
        at = bodies[link.body].v_at
        c, s = angle[1, k], angle[2, k]
        x = c * link.cx - s * link.cy
        y = s * link.cx + c * link.cy
        w2 = o.w * o.w
        a[at] = o.a1 + gravity[0] - o.al * y - w2 * x
        a[at + 1] = o.a2 + gravity[1] + o.al * x - w2 * y
        a[at + 2] = 0.0 if link.is_particle == 1 else o.al


@merged
def respond(links, plane, rows, parts, path, bodies_angle, D, G):
    """G: what each row of a cut joint does at each axis, on its way to the ground."""
    for n in range(rows.size):
        row = rows[n]
        for k in range(G.shape[1]):
            G[n, k] = 0.0
        for k in range(row.path, row.path_stop):
            o = plane[path[k]]
            o.fm = o.f1 = o.f2 = 0.0
        for k in range(row.start, row.stop):
            part = parts[k]
            link, o = links[part.link], plane[part.link]
            c, s = bodies_angle[1, part.link], bodies_angle[2, part.link]
            x = c * link.cx - s * link.cy
            y = s * link.cx + c * link.cy
            o.f1 += D[part.D, 0]
            o.f2 += D[part.D, 1]
            o.fm += x * D[part.D, 1] - y * D[part.D, 0]
            if link.is_particle == 0:
                o.fm += D[part.D, 2]
        for k in range(row.path, row.path_stop):
            link, o = links[path[k]], plane[path[k]]
            fm, f1, f2 = o.fm, o.f1, o.f2
            if link.turn != RIGID:
                G[n, link.v_at + nat(link.n_slides)] = fm
                e = fm * o.d[0]
                f1 -= o.u1[0] * e
                f2 -= o.u2[0] * e
                fm = 0.0
            elif link.is_particle == 1:
                fm = 0.0
            for slide in range(link.n_slides):
                a = link.n_slides - 1 - slide
                sx, sy = (o.sx, o.sy) if a == 0 else (-o.sy, o.sx)
                e = sx * f1 + sy * f2
                G[n, link.v_at + nat(a)] = e
                e *= o.d[a + 1]
                fm -= o.um[a + 1] * e
                f1 -= o.u1[a + 1] * e
                f2 -= o.u2[a + 1] * e
            if link.parent < nat(links.size):
                q = plane[link.parent]
                q.fm += fm + o.rx * f2 - o.ry * f1
                q.f1 += f1
                q.f2 += f2


@merged
def load_axes(links, plane, G, lam):
    """u -= G^T lam: the cut joints act on the axes."""
    for k in range(links.size):
        link, o = links[k], plane[k]
        for axis in range(link.n_v):
            total = 0.0
            for n in range(lam.size):
                total += G[n, link.v_at + nat(axis)] * lam[n]
            o.u[axis + 1 if axis < link.n_slides else 0] -= total


@merged
def yield_to(links, plane, G, lam, change):
    """change = -Mhat^-1 G^T lam: how the axes give way to the cut joints, at rest and without weight."""
    n = links.size
    ground = plane[n]
    a1, a2 = ground.a1, ground.a2
    ground.a1 = ground.a2 = 0.0
    for k in range(n):
        link = links[k]
        o, q = plane[k], plane[link.parent]
        o.al = 0.0 if link.is_particle == 1 and link.turn == RIGID else q.al
        o.a1 = q.a1 - q.al * o.ry
        o.a2 = q.a2 + q.al * o.rx
        for axis in range(link.n_v):
            at = axis + 1 if axis < link.n_slides else 0
            u = 0.0
            for row in range(lam.size):
                u -= G[row, link.v_at + nat(axis)] * lam[row]
            rate = (u - o.um[at] * o.al - o.u1[at] * o.a1 - o.u2[at] * o.a2) * o.d[at]
            change[link.v_at + nat(axis)] = rate
            if at == 0:
                o.al += rate
            elif at == 1:
                o.a1 += o.sx * rate
                o.a2 += o.sy * rate
            else:
                o.a1 -= o.sy * rate
                o.a2 += o.sx * rate
    ground.a1, ground.a2 = a1, a2


@merged
def inverse_pivots(links, plane, out):
    """1/d of every axis."""
    for k in range(links.size):
        for axis in range(links[k].n_v):
            at = axis + 1 if axis < links[k].n_slides else 0
            out[links[k].v_at + nat(axis)] = plane[k].d[at]
