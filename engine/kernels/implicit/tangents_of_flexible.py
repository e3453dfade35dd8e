"""Tangents of flexible bodies: their inertia and elasticity, and what their followers feel.

With r = M a + D^T lam - f, K = dr/d(delta) and C = dr/dv of one body in the plane, where
Theta = J + c.q + q.Q q,

    K_phi,q = alpha (c + 2 Q q) + A q_ddot + 2 w Q q_dot        K_q,q = diag(w2) + alpha A^T - w^2 Q
    C_phi,w = Theta_dot      C_phi,q = w (c + 2 Q q)
    C_q,w = -2 A q_dot - w (c + 2 Q q)                          C_q,q = C - 2 w A

Other tangents know followers only. Their blocks X between two carriers are brought to the bodies, and the
columns of L change with the pose while F = D^T lam - f acts on the follower:

    K += L_i^T X L_j + d(L^T F)/d(delta)

    d(L^T F):    phi,phi: -s.F      phi,q and q,phi: perp(R J_P).F      q,q: -(R^T F)_d G_d   (buckling)
"""

from engine.kernels import inlined, kernel
from engine.kernels.flexible.inertia import n_turns
from engine.kernels.implicit import tangents_of_flexible_in_space as in_space
from engine.kernels.implicit.tangent_layout import Elimination, Tangents
from engine.kernels.layout import System, Workspace


@kernel
def add_bodies_in_plane(bodies, flexibles, shapes, q, v, a, blocks, K, C):
    """Add inertia, elasticity and damping of flexible bodies to their own blocks."""
    for k in range(flexibles.size):
        one = flexibles[k]
        n, body, block = one.n_f, bodies[one.body], blocks[one.body]
        q_at, at = body.q_at + 3, body.v_at
        w, alpha = v[at + 2], a[at + 2]
        damping = one.at + n
        linear = damping + n * n
        square, A = linear + n, linear + n + n * n
        turn = block.at + 2 * block.n_j
        for r in range(n):
            own = block.at + (3 + r) * block.n_j
            slope, bent, swung, pushed = shapes[linear + r], 0.0, 0.0, 0.0
            for c in range(n):
                Q = shapes[square + r * n + c]
                skew = shapes[A + r * n + c]
                slope += 2.0 * Q * q[q_at + c]
                bent += Q * v[at + 3 + c]
                swung += skew * v[at + 3 + c]
                pushed += skew * a[at + 3 + c]
                K[own + 3 + c] -= alpha * skew + w * w * Q
                C[own + 3 + c] += shapes[damping + r * n + c] - 2.0 * w * skew
            K[own + 3 + r] += shapes[one.at + r]
            K[turn + 3 + r] += alpha * slope + pushed + 2.0 * w * bent
            C[turn + 2] += slope * v[at + 3 + r]
            C[turn + 3 + r] += w * slope
            C[own + 2] -= 2.0 * swung + w * slope


@kernel
def add_followers_in_plane(
    flexibles, followers, shapes, row_of, D, lam, frames, elastic, blocks, K
):
    """K += d(L^T F)/d(delta) for the force F = D^T lam - f on every follower."""
    for m in range(followers.size):
        one = followers[m]
        n, n_v = flexibles[one.flexible].n_f, flexibles[one.flexible].n_v
        noted = one.now + 3 * (n_v + 1)
        Fx, Fy = -elastic[noted], -elastic[noted + 1]
        for row in range(one.start, one.stop):
            Fx += D[row, 0] * lam[row_of[row]]
            Fy += D[row, 1] * lam[row_of[row]]
        block = blocks[one.body]
        L, G = one.now, one.at + 3 * n
        turn = block.at + 2 * block.n_j
        K[turn + 2] -= elastic[L + n_v + 2] * Fx - elastic[L + 2] * Fy
        b = frames[one.body]
        fx, fy = b.c * Fx + b.s * Fy, b.c * Fy - b.s * Fx
        for r in range(n):
            own = block.at + (3 + r) * block.n_j
            across = elastic[L + 3 + r] * Fy - elastic[L + n_v + 3 + r] * Fx
            K[turn + 3 + r] += across
            K[own + 2] += across
            for c in range(n):
                K[own + 3 + c] -= fx * shapes[G + r * n + c] + fy * shapes[G + (n + r) * n + c]


@kernel
def condense(dim, n_bodies, flexibles, followers, elastic, blocks, onto, X):
    """Bring the blocks of followers to those of their bodies: X_body += L_i^T X L_j; changes X."""
    n_d = dim + n_turns(dim)
    for k in range(onto.size):
        if onto[k] < 0:
            continue
        block, to = blocks[k], blocks[onto[k]]
        for r in range(n_d):
            for c in range(n_d):
                value = X[block.at + r * block.n_j + c]
                if value == 0.0:
                    continue
                L_i, n_i = -1, 1
                if block.i >= n_bodies:
                    L_i = followers[block.i - n_bodies].now
                    n_i = flexibles[followers[block.i - n_bodies].flexible].n_v
                L_j, n_j = -1, 1
                if block.j >= n_bodies:
                    L_j = followers[block.j - n_bodies].now
                    n_j = flexibles[followers[block.j - n_bodies].flexible].n_v
                for a in range(n_i):
                    left = value if L_i < 0 else value * elastic[L_i + r * n_i + a]
                    row = to.at + (r if L_i < 0 else a) * to.n_j
                    if L_j < 0:
                        X[row + c] += left
                        continue
                    for b in range(n_j):
                        X[row + b] += left * elastic[L_j + c * n_j + b]


@kernel
def carry_rows(dim, flexibles, followers, elastic, D, E):
    """E = D L for rows stored like D: those of followers, for their bodies."""
    n_d = dim + n_turns(dim)
    for m in range(followers.size):
        one = followers[m]
        n_v, at = flexibles[one.flexible].n_v, followers[m].rows
        for row in range(one.start, one.stop):
            for c in range(n_v):
                total = 0.0
                for r in range(n_d):
                    total += D[row, r] * elastic[one.now + r * n_v + c]
                E[at + c] = total
            at += n_v


@inlined
def add(system: System, ws: Workspace, order: Elimination, tan: Tangents, q, v, a):
    """Add flexible bodies to K and C, condense what followers have there, and carry G to the bodies."""
    if system.dim == 2:
        add_bodies_in_plane(
            system.bodies,
            system.flexibles,
            system.shapes,
            q,
            v,
            a,
            order.blocks,
            tan.K,
            tan.C,
        )
        add_followers_in_plane(
            system.flexibles,
            system.followers,
            system.shapes,
            system.row_of,
            ws.D,
            ws.lam,
            ws.planar,
            ws.elastic,
            order.blocks,
            tan.K,
        )
    else:
        in_space.add_bodies_in_space(
            system.bodies,
            system.flexibles,
            system.shapes,
            q,
            v,
            a,
            ws.elastic,
            order.blocks,
            tan.K,
            tan.C,
        )
        in_space.add_followers_in_space(
            system.bodies,
            system.flexibles,
            system.followers,
            system.shapes,
            q,
            system.row_of,
            ws.D,
            ws.lam,
            ws.spatial,
            ws.elastic,
            order.blocks,
            tan.K,
        )
    n = system.n_bodies
    flexibles, followers = system.flexibles, system.followers
    condense(system.dim, n, flexibles, followers, ws.elastic, order.blocks, order.onto, tan.K)
    condense(system.dim, n, flexibles, followers, ws.elastic, order.blocks, order.onto, tan.C)
    carry_rows(system.dim, flexibles, followers, ws.elastic, tan.G, tan.GE)
    carry_rows(system.dim, flexibles, followers, ws.elastic, tan.G_pose, tan.GE_pose)
    if system.rubbings.size > 0:
        carry_rows(system.dim, flexibles, followers, ws.elastic, tan.rubbed, tan.rubbed_E)


@kernel
def fill_rows(flexibles, followers, D_at, factor, E, GE, X, lu):
    """Put (E + X)^T and factor E + GE of followers into lu; X may be empty."""
    for m in range(followers.size):
        one = followers[m]
        n_v, at = flexibles[one.flexible].n_v, one.rows
        for row in range(one.start, one.stop):
            lower, upper, step = D_at[row, 0], D_at[row, 1], D_at[row, 2]
            for c in range(n_v):
                lu[lower + c] += factor * E[at + c] + GE[at + c]
                lu[upper + c * step] += E[at + c] + (X[at + c] if X.size > 0 else 0.0)
            at += n_v


@kernel
def fill_mass(dim, bodies, flexibles, elastic, blocks, lu):
    """Add M - M_rigid of flexible bodies to their blocks in lu."""
    t = n_turns(dim)
    n_d = dim + t
    for k in range(flexibles.size):
        one = flexibles[k]
        n, block = one.n_f, blocks[one.body]
        B = one.now + 2 * t * t
        for r in range(t):
            row = block.lu + (dim + r) * block.n_j
            for c in range(t):
                lu[row + dim + c] += elastic[one.now + r * t + c] - bodies[one.body].J[r, c]
            for a in range(n):
                lu[row + n_d + a] += elastic[B + r * n + a]
                lu[block.lu + (n_d + a) * block.n_j + dim + r] += elastic[B + r * n + a]
        for a in range(n):
            lu[block.lu + (n_d + a) * (block.n_j + 1)] += 1.0


@kernel
def subtract_transposed(bodies, flexibles, followers, row_of, X, y, b):
    """b -= X^T y for rows X of followers."""
    for m in range(followers.size):
        one = followers[m]
        n_v, at, of = flexibles[one.flexible].n_v, one.rows, bodies[one.body].v_at
        for row in range(one.start, one.stop):
            for n in range(n_v):
                b[of + n] -= X[at + n] * y[row_of[row]]
            at += n_v


@kernel
def subtract_rows(bodies, flexibles, followers, row_of, factor, E, GE, x, y, b, c):
    """b -= E^T y,  c -= (factor E + GE) x for the rows of followers."""
    for m in range(followers.size):
        one = followers[m]
        n_v, at, of = flexibles[one.flexible].n_v, one.rows, bodies[one.body].v_at
        for row in range(one.start, one.stop):
            total = 0.0
            value = y[row_of[row]]
            for n in range(n_v):
                total += (factor * E[at + n] + GE[at + n]) * x[of + n]
                b[of + n] -= E[at + n] * value
            c[row_of[row]] -= total
            at += n_v


@kernel
def subtract_bend(bodies, flexibles, followers, row_of, factor, GE, x, c):
    """c -= factor GE x for the rows of followers."""
    for m in range(followers.size):
        one = followers[m]
        n_v, at, of = flexibles[one.flexible].n_v, one.rows, bodies[one.body].v_at
        for row in range(one.start, one.stop):
            total = 0.0
            for n in range(n_v):
                total += GE[at + n] * x[of + n]
            c[row_of[row]] -= factor * total
            at += n_v
