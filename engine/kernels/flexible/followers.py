"""Followers: the frames of markers on flexible bodies.

A marker at P moves with its body and with the modes q. With the shortening of bent beams (G, of second
order)

    p = P + Phi q - (q.G q)/2,     J_P = Phi - G q,     s = R p

its velocity is L v of the body, and L a + bias its acceleration. In the plane

    L = [ 1  perp(s)  R J_P ]       bias = -w^2 s + 2 w perp(R J_P q_dot) - R (q_dot.G q_dot)
        [ 0     1      psi  ]               0

Rows, laws, loads and interactions know followers only, as bodies like any other. A force on a follower is
brought to its body by L^T. In `shapes` a follower has Phi (dim, n), Psi (t, n), G (dim, n, n), and in
ws.elastic L (n_d, n_v), bias (n_d) and the applied force on it (n_d).
"""

import math

from engine.kernels import inlined, kernel
from engine.kernels.flexible.inertia import n_turns
from engine.kernels.layout import System, Workspace


@kernel
def place_in_plane(bodies, flexibles, followers, shapes, q, v, frames, elastic):
    """Place flexible bodies and their followers, and fill L and bias; changes frames and elastic."""
    for k in range(flexibles.size):
        body = bodies[flexibles[k].body]
        frame = frames[flexibles[k].body]
        at, v_at = body.q_at, body.v_at
        frame.x, frame.y, frame.phi = q[at], q[at + 1], q[at + 2]
        frame.c, frame.s = math.cos(q[at + 2]), math.sin(q[at + 2])
        frame.ux, frame.uy, frame.w = v[v_at], v[v_at + 1], v[v_at + 2]
    for m in range(followers.size):
        one = followers[m]
        n, n_v = flexibles[one.flexible].n_f, flexibles[one.flexible].n_v
        modes, rates = bodies[one.body].q_at + 3, bodies[one.body].v_at + 3
        b = frames[one.body]
        Psi, G = one.at + 2 * n, one.at + 3 * n
        L = one.now
        px, py, angle, rate = one.P[0], one.P[1], b.phi, b.w
        sx, sy, gx, gy = 0.0, 0.0, 0.0, 0.0
        for a in range(n):
            jx, jy, dx, dy = shapes[one.at + a], shapes[one.at + n + a], 0.0, 0.0
            hx, hy = jx, jy
            for c in range(n):
                g0, g1 = shapes[G + a * n + c], shapes[G + (n + a) * n + c]
                jx -= g0 * q[modes + c]
                jy -= g1 * q[modes + c]
                dx += g0 * v[rates + c]
                dy += g1 * v[rates + c]
            px += 0.5 * (hx + jx) * q[modes + a]  # Phi q - (q.G q)/2
            py += 0.5 * (hy + jy) * q[modes + a]
            gx += dx * v[rates + a]
            gy += dy * v[rates + a]
            ox, oy = b.c * jx - b.s * jy, b.s * jx + b.c * jy
            elastic[L + 3 + a] = ox
            elastic[L + n_v + 3 + a] = oy
            elastic[L + 2 * n_v + 3 + a] = shapes[Psi + a]
            sx += ox * v[rates + a]
            sy += oy * v[rates + a]
            angle += shapes[Psi + a] * q[modes + a]
            rate += shapes[Psi + a] * v[rates + a]
        ax, ay = b.c * px - b.s * py, b.s * px + b.c * py
        elastic[L], elastic[L + 1], elastic[L + 2] = 1.0, 0.0, -ay
        elastic[L + n_v], elastic[L + n_v + 1], elastic[L + n_v + 2] = 0.0, 1.0, ax
        row = L + 2 * n_v
        elastic[row], elastic[row + 1], elastic[row + 2] = 0.0, 0.0, 1.0
        bias = L + 3 * n_v
        elastic[bias] = -b.w * b.w * ax - 2.0 * b.w * sy - (b.c * gx - b.s * gy)
        elastic[bias + 1] = -b.w * b.w * ay + 2.0 * b.w * sx - (b.s * gx + b.c * gy)
        elastic[bias + 2] = 0.0
        frame = frames[one.carrier]
        frame.x, frame.y, frame.phi = b.x + ax, b.y + ay, angle
        frame.c, frame.s = math.cos(angle), math.sin(angle)
        frame.ux, frame.uy, frame.w = b.ux - b.w * ay + sx, b.uy + b.w * ax + sy, rate


@kernel
def spread_into(dim, carriers, flexibles, followers, elastic, x, out):
    """out = x of all bodies, and behind it L x of every follower; changes out."""
    n_d = dim + n_turns(dim)
    for k in range(x.size):
        if k < out.size - n_d * followers.size:
            out[k] = x[k]
    for m in range(followers.size):
        one = followers[m]
        n_v, of = flexibles[one.flexible].n_v, carriers[one.body].v_at
        to = carriers[one.carrier].v_at
        for r in range(n_d):
            total = 0.0
            for c in range(n_v):
                total += elastic[one.now + r * n_v + c] * out[of + c]
            out[to + r] = total


@inlined
def speeds_of(system: System, ws: Workspace, v):
    """The velocities of all carriers: v itself without followers; bodies must be placed."""
    if system.followers.size == 0:
        return v
    spread_into(
        system.dim, system.carriers, system.flexibles, system.followers, ws.elastic, v, ws.speeds
    )
    return ws.speeds


@inlined
def accelerations_of(system: System, ws: Workspace, a):
    """The accelerations of all carriers in ws.push, without what rows know themselves; a without followers.

    A coordinate of two rigid frames has x_ddot = D a + g_ww; a follower adds its bias to a.
    """
    if system.followers.size == 0:
        return a
    spread_into(
        system.dim, system.carriers, system.flexibles, system.followers, ws.elastic, a, ws.push
    )
    n_d = 3 if system.dim == 2 else 6
    for m in range(system.followers.size):
        one = system.followers[m]
        bias = one.now + n_d * system.flexibles[one.flexible].n_v
        for r in range(n_d):
            ws.push[system.carriers[one.carrier].v_at + r] += ws.elastic[bias + r]
    return ws.push


@kernel
def forget_forces(dim, flexibles, followers, elastic):
    """Set the noted forces on followers to zero; changes elastic."""
    n_d = dim + n_turns(dim)
    for m in range(followers.size):
        at = followers[m].now + n_d * (flexibles[followers[m].flexible].n_v + 1)
        for r in range(n_d):
            elastic[at + r] = 0.0


@kernel
def gather_into(dim, carriers, flexibles, followers, elastic, f, out):
    """out += f of all bodies, and L^T f of every follower; changes out."""
    n_d = dim + n_turns(dim)
    for k in range(out.size):
        out[k] += f[k]
    for m in range(followers.size):
        one = followers[m]
        n_v, to = flexibles[one.flexible].n_v, carriers[one.body].v_at
        of = carriers[one.carrier].v_at
        for r in range(n_d):
            for c in range(n_v):
                out[to + c] += elastic[one.now + r * n_v + c] * f[of + r]


@kernel
def gather(dim, carriers, flexibles, followers, elastic, f):
    """Bring the forces on followers to their bodies by L^T and note them; changes f and elastic."""
    n_d = dim + n_turns(dim)
    for m in range(followers.size):
        one = followers[m]
        n_v, to = flexibles[one.flexible].n_v, carriers[one.body].v_at
        of = carriers[one.carrier].v_at
        noted = one.now + n_d * (n_v + 1)
        for r in range(n_d):
            push = f[of + r]
            if push != 0.0:
                for c in range(n_v):
                    f[to + c] += elastic[one.now + r * n_v + c] * push
                elastic[noted + r] += push
                f[of + r] = 0.0
