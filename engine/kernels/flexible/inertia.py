"""Inertia, elastic forces and quadratic velocity terms of flexible bodies.

The frame of a flexible body is its mean axis, and its modes are mass-normalised. Its velocities are
(r_dot, w, q_dot) with q the modal coordinates, its mass matrix is

    M = [ m 1   0     0 ]         Theta = J + Theta1.q + q.(Theta2 q)
        [  0  Theta   B ]         B_k   = q^T A_k,    A_k antisymmetric
        [  0   B^T    1 ]

and W = M^-1 needs J* = Theta - B B^T alone, one number in the plane and 3x3 in space:

    W (F, T, Q):     F/m,      alpha = J*^-1 (T - B Q),      q_ddot = Q - B^T alpha

The forces that belong to no element are, with the rates of change of Theta by q_dot,

    f_w = -Theta_dot w - w x (Theta w + B q_dot)        the cross product in space alone
    f_q = -w2 q - C q_dot + 2 w A q_dot + w^2 (Theta1/2 + Theta2 q)

In `shapes` a body has

    w2 (n)   C (n, n)   Theta1 (s, n)   Theta2 (s, n, n)   A (t, n, n)

with t = 1 turn and s = 1 product of inertia in the plane, t = 3 and s = 6 (xx, yy, zz, xy, xz, yz) in
space. What depends on the state is in ws.elastic: Theta (t, t), J*^-1 (t, t), B (t, n), n_v numbers of
scratch, and n shares.

A projection by W moves a stiff mode as readily as a body, and it rings: w2 times a closed gap is a large
force. Steps that are far longer than its period would have to follow that. For them joints are closed by
another W, in which modes count by their energy too, with w_1 the slowest:

    B = 0,    q_ddot = share Q,    share = w_1^2/(w_1^2 + w^2)        share = 1 in W itself
"""

from engine.kernels import kernel


@kernel
def n_turns(dim):
    """How many axes a body turns about."""
    return 1 if dim == 2 else 3


@kernel
def n_products(dim):
    """How many products of inertia a body has."""
    return 1 if dim == 2 else 6


@kernel
def row_of_product(e):
    """The row in Theta of product number e of xx, yy, zz, xy, xz, yz."""
    return e if e < 3 else (0 if e < 5 else 1)


@kernel
def column_of_product(e):
    """Its column."""
    return e if e < 3 else (1 if e == 3 else 2)


@kernel
def scratch_at(dim, one):
    """Where the scratch memory of a flexible body starts in ws.elastic."""
    t = n_turns(dim)
    return one.now + 2 * t * t + t * one.n_f


@kernel
def shares_at(dim, one):
    """Where the shares of the modes of a flexible body start in ws.elastic."""
    return scratch_at(dim, one) + one.n_v


@kernel
def fill(dim, bodies, flexibles, shapes, q, elastic):
    """Fill Theta, J*^-1 and B of every flexible body at the pose q; changes elastic."""
    t, s = n_turns(dim), n_products(dim)
    for k in range(flexibles.size):
        one = flexibles[k]
        n = one.n_f
        body = bodies[one.body]
        at = body.q_at + body.n_q - n
        Theta, B = one.now, one.now + 2 * t * t
        linear = one.at + n + n * n
        square = linear + s * n
        A = square + s * n * n
        for e in range(s):
            r, c = row_of_product(e), column_of_product(e)
            total = body.J[r, c]
            for a in range(n):
                by_a = shapes[linear + e * n + a]
                for b in range(n):
                    by_a += shapes[square + (e * n + a) * n + b] * q[at + b]
                total += by_a * q[at + a]
            elastic[Theta + r * t + c] = total
            elastic[Theta + c * t + r] = total
        for r in range(t):
            for a in range(n):
                total = 0.0
                for b in range(n):
                    total += q[at + b] * shapes[A + (r * n + b) * n + a]
                elastic[B + r * n + a] = total
        invert_relieved(t, n, one.now, elastic)
        shares = shares_at(dim, one)
        for a in range(n):
            elastic[shares + a] = 1.0


@kernel
def let_modes_stay(dim, flexibles, shapes, elastic):
    """Turn W to that of a projection that moves fast modes little, until `fill`; changes elastic."""
    t = n_turns(dim)
    for k in range(flexibles.size):
        one = flexibles[k]
        n, B, shares = one.n_f, one.now + 2 * t * t, shares_at(dim, one)
        for c in range(t * n):
            elastic[B + c] = 0.0
        invert_relieved(t, n, one.now, elastic)
        for a in range(n):
            elastic[shares + a] = shapes[one.at] / (shapes[one.at] + shapes[one.at + a])


@kernel
def invert_relieved(t, n, at, elastic):
    """Fill J*^-1 = (Theta - B B^T)^-1 of the body whose numbers start at `at`; changes elastic."""
    inv, B = at + t * t, at + 2 * t * t
    for r in range(t):
        for c in range(t):
            total = elastic[at + r * t + c]
            for a in range(n):
                total -= elastic[B + r * n + a] * elastic[B + c * n + a]
            elastic[inv + r * t + c] = total
    if t == 1:
        elastic[inv] = 1.0 / elastic[inv]
        return
    xx, xy, xz = elastic[inv], elastic[inv + 1], elastic[inv + 2]
    yy, yz, zz = elastic[inv + 4], elastic[inv + 5], elastic[inv + 8]
    a, b, c = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
    scale = 1.0 / (xx * a + xy * b + xz * c)
    elastic[inv] = scale * a
    elastic[inv + 1] = elastic[inv + 3] = scale * b
    elastic[inv + 2] = elastic[inv + 6] = scale * c
    elastic[inv + 4] = scale * (xx * zz - xz * xz)
    elastic[inv + 5] = elastic[inv + 7] = scale * (xy * xz - xx * yz)
    elastic[inv + 8] = scale * (xx * yy - xy * xy)


@kernel
def times_W(dim, one, inv_mass, elastic, f, at, out, to):
    """out[to:] = W f[at:] for one flexible body; f and out are different arrays or places."""
    t, n = n_turns(dim), one.n_f
    n_d = dim + t
    inv, B = one.now + t * t, one.now + 2 * t * t
    for r in range(dim):
        out[to + r] = inv_mass * f[at + r]
    for r in range(t):
        total = f[at + dim + r]
        for a in range(n):
            total -= elastic[B + r * n + a] * f[at + n_d + a]
        out[to + dim + r] = total
    if t == 1:
        out[to + dim] *= elastic[inv]
    else:
        x, y, z = out[to + 3], out[to + 4], out[to + 5]
        for r in range(3):
            row = inv + 3 * r
            out[to + 3 + r] = elastic[row] * x + elastic[row + 1] * y + elastic[row + 2] * z
    shares = shares_at(dim, one)
    for a in range(n):
        total = elastic[shares + a] * f[at + n_d + a]
        for r in range(t):
            total -= elastic[B + r * n + a] * out[to + dim + r]
        out[to + n_d + a] = total


@kernel
def add_mass_times(dim, bodies, flexibles, elastic, factor, x, out):
    """out += factor (M - M_rigid) x: what flexible bodies have beyond the rigid m and J."""
    t = n_turns(dim)
    n_d = dim + t
    for k in range(flexibles.size):
        one = flexibles[k]
        n, B = one.n_f, one.now + 2 * t * t
        at = bodies[one.body].v_at
        for r in range(t):
            total = 0.0
            for c in range(t):
                more = elastic[one.now + r * t + c] - bodies[one.body].J[r, c]
                total += more * x[at + dim + c]
            for a in range(n):
                total += elastic[B + r * n + a] * x[at + n_d + a]
            out[at + dim + r] += factor * total
        for a in range(n):
            total = x[at + n_d + a]
            for r in range(t):
                total += elastic[B + r * n + a] * x[at + dim + r]
            out[at + n_d + a] += factor * total


@kernel
def add_forces(dim, bodies, flexibles, shapes, elastic, q, v, f):
    """Add elastic forces, damping and quadratic velocity terms; the rigid -w x (J w) is in f already."""
    t, s = n_turns(dim), n_products(dim)
    n_d = dim + t
    for k in range(flexibles.size):
        one = flexibles[k]
        n, body = one.n_f, bodies[one.body]
        q_at, at = body.q_at + body.n_q - n, body.v_at
        modes, spin = at + n_d, at + dim
        damping = one.at + n
        linear = damping + n * n
        square = linear + s * n
        A = square + s * n * n
        for a in range(n):
            total = -shapes[one.at + a] * q[q_at + a]
            for b in range(n):
                total -= shapes[damping + a * n + b] * v[modes + b]
                for r in range(t):
                    total += 2.0 * v[spin + r] * shapes[A + (r * n + a) * n + b] * v[modes + b]
            f[modes + a] += total
        for e in range(s):
            r, c = row_of_product(e), column_of_product(e)
            pair = v[spin + r] * v[spin + c] * (1.0 if r == c else 2.0)
            rate = 0.0  # of Theta
            for a in range(n):
                half = 0.5 * shapes[linear + e * n + a]
                for b in range(n):
                    half += shapes[square + (e * n + a) * n + b] * q[q_at + b]
                rate += 2.0 * half * v[modes + a]
                f[modes + a] += pair * half
            f[spin + r] -= rate * v[spin + c]
            if r != c:
                f[spin + c] -= rate * v[spin + r]
        if t == 3:
            add_swing(body, one, elastic, v, f)


@kernel
def add_swing(body, one, elastic, v, f):
    """f_w -= w x ((Theta - J) w + B q_dot) of one body in space; the rigid part is in f already."""
    n, spin, B = one.n_f, body.v_at + 3, one.now + 18
    h0, h1, h2 = 0.0, 0.0, 0.0
    for c in range(3):
        w_c = v[spin + c]
        h0 += (elastic[one.now + c] - body.J[0, c]) * w_c
        h1 += (elastic[one.now + 3 + c] - body.J[1, c]) * w_c
        h2 += (elastic[one.now + 6 + c] - body.J[2, c]) * w_c
    for a in range(n):
        h0 += elastic[B + a] * v[spin + 3 + a]
        h1 += elastic[B + n + a] * v[spin + 3 + a]
        h2 += elastic[B + 2 * n + a] * v[spin + 3 + a]
    f[spin] -= v[spin + 1] * h2 - v[spin + 2] * h1
    f[spin + 1] -= v[spin + 2] * h0 - v[spin] * h2
    f[spin + 2] -= v[spin] * h1 - v[spin + 1] * h0


@kernel
def power_of_damping(one, body, shapes, v):
    """-q_dot.C q_dot of one flexible body."""
    n = one.n_f
    at, damping = body.v_at + body.n_v - n, one.at + n
    total = 0.0
    for a in range(n):
        for b in range(n):
            total -= v[at + a] * shapes[damping + a * n + b] * v[at + b]
    return total
