"""Tangents of flexible bodies in space: their own inertia, and the pose of the forces on their followers.

With D = Theta1 + 2 Theta2 q (rates of Theta by q), h = Theta w + B q_dot and

    r_w = Theta alpha + B q_ddot + w x h + Theta_dot w - T
    r_q = B^T alpha + q_ddot + w2 q + C q_dot - 2 w A q_dot - w.D w / 2      (D of half the square of q)

the tangents of one body are, with A_a the row of mode a in A_1, A_2, A_3,

    K_w,a = D_a alpha + A_a q_ddot + w x (D_a w + A_a q_dot) + 2 Theta2_a q_dot w
    K_a,b = w2 + alpha.A_ba - w.Theta2_ab w
    C_w,w = w~ Theta - h~ + Theta_dot          C_w,a = w x B_a + D_a w
    C_a,w = -2 A_a q_dot - D_a w               C_a,b = C - 2 w.A_ab

and of a follower with the force F, f = R^T F, and the torque T in axes of the marker, for which L^T is
p x f + E T on the turns and J_a.f + Psi_a.(T(theta) T) on the modes:

    w,w: p~ f~      w,a: J_a x f + (T Psi_a) x (E T)      a,w: J_a x f      a,b: -f.G_ab + Psi_a.dT/dq_b T
"""

from engine.kernels import kernel
from engine.kernels.flexible.followers_in_space import (
    by_modes,
    coefficients,
    turn_by_modes,
    turned_by,
    unit,
)
from engine.kernels.flexible.inertia import column_of_product, row_of_product
from engine.kernels.spatial import cross, dot, minus, plus, times, to_body, vec


@kernel
def symmetric_times(shapes, at, step, w):
    """X w for a symmetric matrix whose six numbers start at `at` in shapes, one every `step`."""
    xx, yy, zz = shapes[at], shapes[at + step], shapes[at + 2 * step]
    off = at + 3 * step
    xy, xz, yz = shapes[off], shapes[off + step], shapes[off + 2 * step]
    return (
        xx * w[0] + xy * w[1] + xz * w[2],
        xy * w[0] + yy * w[1] + yz * w[2],
        xz * w[0] + yz * w[1] + zz * w[2],
    )


@kernel
def add_bodies_in_space(bodies, flexibles, shapes, q, v, a, elastic, blocks, K, C):
    """Add inertia, elasticity and damping of flexible bodies to their own blocks."""
    for k in range(flexibles.size):
        one = flexibles[k]
        n, body, block = one.n_f, bodies[one.body], blocks[one.body]
        q_at, at = body.q_at + 7, body.v_at
        w = (v[at + 3], v[at + 4], v[at + 5])
        alpha = (a[at + 3], a[at + 4], a[at + 5])
        damping = one.at + n
        linear = damping + n * n
        square = linear + 6 * n
        A = square + 6 * n * n
        B = one.now + 18
        h = (0.0, 0.0, 0.0)  # beyond J w
        for r in range(n):
            own = block.at + (6 + r) * block.n_j
            Dw = symmetric_times(shapes, linear + r, n, w)
            Dalpha = symmetric_times(shapes, linear + r, n, alpha)
            bent, swung, pushed = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
            for c in range(n):
                Qw = symmetric_times(shapes, square + r * n + c, n * n, w)
                Qalpha = symmetric_times(shapes, square + r * n + c, n * n, alpha)
                skew = by_modes(shapes, A + r * n, n * n, c)
                Dw = plus(Dw, times(2.0 * q[q_at + c], Qw))
                Dalpha = plus(Dalpha, times(2.0 * q[q_at + c], Qalpha))
                bent = plus(bent, times(2.0 * v[at + 6 + c], Qw))
                swung = plus(swung, times(v[at + 6 + c], skew))
                pushed = plus(pushed, times(a[at + 6 + c], skew))
                K[own + 6 + c] -= dot(alpha, skew) + dot(w, Qw)
                C[own + 6 + c] += shapes[damping + r * n + c] - 2.0 * dot(w, skew)
            K[own + 6 + r] += shapes[one.at + r]
            h = plus(h, times(v[at + 6 + r], by_modes(elastic, B, n, r)))
            column = plus(Dalpha, plus(pushed, plus(cross(w, plus(Dw, swung)), bent)))
            slope = plus(cross(w, by_modes(elastic, B, n, r)), Dw)
            for c in range(3):
                K[block.at + (3 + c) * block.n_j + 6 + r] += column[c]
                C[block.at + (3 + c) * block.n_j + 6 + r] += slope[c]
                C[own + 3 + c] -= 2.0 * swung[c] + Dw[c]
        for c in range(3):
            J, Theta = bodies[one.body].J, one.now
            more = (
                elastic[Theta + c] - J[0, c],
                elastic[Theta + 3 + c] - J[1, c],
                elastic[Theta + 6 + c] - J[2, c],
            )
            h = plus(h, times(w[c], more))
        for c in range(3):
            J, Theta = bodies[one.body].J, one.now
            more = (
                elastic[Theta + c] - J[0, c],
                elastic[Theta + 3 + c] - J[1, c],
                elastic[Theta + 6 + c] - J[2, c],
            )
            column = minus(cross(w, more), cross(h, unit(c)))
            for r in range(3):
                C[block.at + (3 + r) * block.n_j + 3 + c] += column[r]
        for e in range(6):
            r, c = row_of_product(e), column_of_product(e)
            rate = 0.0
            for f in range(n):
                by_f = shapes[linear + e * n + f]
                for g in range(n):
                    by_f += 2.0 * shapes[square + (e * n + f) * n + g] * q[q_at + g]
                rate += by_f * v[at + 6 + f]
            C[block.at + (3 + r) * block.n_j + 3 + c] += rate
            if r != c:
                C[block.at + (3 + c) * block.n_j + 3 + r] += rate


@kernel
def add_followers_in_space(
    bodies, flexibles, followers, shapes, q, row_of, D, lam, frames, elastic, blocks, K
):
    """K += d(L^T F)/d(delta) for the force and torque F = D^T lam - f on every follower."""
    for m in range(followers.size):
        one = followers[m]
        n, n_v = flexibles[one.flexible].n_f, flexibles[one.flexible].n_v
        noted = one.now + 6 * (n_v + 1)
        F = (-elastic[noted], -elastic[noted + 1], -elastic[noted + 2])
        T = (-elastic[noted + 3], -elastic[noted + 4], -elastic[noted + 5])
        for row in range(one.start, one.stop):
            push = lam[row_of[row]]
            F = plus(F, times(push, (D[row, 0], D[row, 1], D[row, 2])))
            T = plus(T, times(push, (D[row, 3], D[row, 4], D[row, 5])))
        b, block, L = frames[one.body], blocks[one.body], one.now
        Psi, G = one.at + 3 * n, one.at + 6 * n
        f = to_body(b.R, F)
        p = to_body(b.R, minus(vec(frames[one.carrier].r), vec(b.r)))
        theta = turn_by_modes(shapes, Psi, n, q, bodies[one.body].q_at + 7)
        c0, c1, c2, d1, d2 = coefficients(dot(theta, theta))
        turned, once = turned_by(theta, c0, c1, T), cross(theta, T)
        twice = cross(theta, once)
        for c in range(3):
            column = cross(p, cross(f, unit(c)))
            for r in range(3):
                K[block.at + (3 + r) * block.n_j + 3 + c] += column[r]
        for c in range(n):
            psi = by_modes(shapes, Psi, n, c)
            across = cross(to_body(b.R, by_modes(elastic, L + 6, n_v, c)), f)
            twist = plus(across, cross(turned_by(theta, c1, c2, psi), turned))
            for r in range(3):
                K[block.at + (3 + r) * block.n_j + 6 + c] += twist[r]
                K[block.at + (6 + c) * block.n_j + 3 + r] += across[r]
            along = dot(theta, psi)
            change = plus(times(c1, cross(psi, T)), times(d1 * along, once))
            change = plus(change, times(c2, plus(cross(psi, once), cross(theta, cross(psi, T)))))
            change = plus(change, times(d2 * along, twice))
            for r in range(n):
                stiff = dot(f, by_modes(shapes, G + r * n, n * n, c))
                value = dot(by_modes(shapes, Psi, n, r), change) - stiff
                K[block.at + (6 + r) * block.n_j + 6 + c] += value
