"""Block-sparse elimination of S = D W D^T, the heart of the solver.

A node is one joint; S couples two nodes only if they share a body, so for chains and trees S is as
sparse as the mechanism and elimination in a good order costs O(n). The order, the fill and every index
are found once (engine/compiling/sparsity.py); here are only loops.

    S = U^T Delta U,   U upper triangular with ones on its diagonal, Delta diagonal

Of S and U the blocks above the diagonal are stored, S_ki with the rows of the earlier node k and the
columns of the later one i, row after row: every inner loop then runs along a row. In the diagonal block of
a node U_kk^T = L and Delta_k = diag(d), so that S_ki = L diag(d) U_ki. Pins are small enough to be inverted
whole: for them Delta_k is the block itself and L is 1.

A row that depends on earlier ones leaves a zero pivot. Its multiplier is set to zero ("dropped"),
which solves a consistent system exactly: singular poses need no special treatment. Rows that are redundant
all the time need eps, which makes every pivot positive: off the manifold they are slightly inconsistent
(see dynamics.iterate_accelerations), and no threshold decides which of two small pivots is zero.
"""

from engine.kernels import inlined, kernel, nat

DEPENDENT = 1e-11  # relative to its diagonal: a smaller pivot is rounding, the row is dependent
PIN, HINGE = 2, 5  # rows of a pin in the plane and of a hinge in space


@inlined
def factorise_block(m, S, at, F, scale, first, dropped):
    """S_kk = L diag(d) L^T: L below the diagonal of the block of F, 1/d on it; dependent rows dropped.

    A pivot that is dropped has 1/d = 0 and no L below it: its multiplier then comes out as zero.
    """
    for r in range(m):
        for c in range(r + 1):
            F[nat(at + r * m + c)] = S[nat(at + r * m + c)]
    for p in range(m):
        pivot = F[nat(at + p * m + p)]
        inv_pivot = 1.0 / pivot if pivot > DEPENDENT * scale[nat(first + p)] else 0.0
        F[nat(at + p * m + p)] = inv_pivot
        for r in range(p + 1, m):
            for c in range(p + 1, r + 1):
                both = F[nat(at + r * m + p)] * F[nat(at + c * m + p)]  # while 1/d is on its way
                F[nat(at + r * m + c)] -= inv_pivot * both
        for r in range(p + 1, m):
            F[nat(at + r * m + p)] *= inv_pivot
    for p in range(m):
        dropped[nat(first + p)] = 1 if F[nat(at + p * m + p)] == 0.0 else 0


@inlined
def divide(m, width, at, F, X, block):
    """X <- L^-1 X for a block of m rows, in place."""
    for r in range(1, m):
        for p in range(r):
            l = F[nat(at + r * m + p)]
            for c in range(width):
                X[nat(block + r * width + c)] -= l * X[nat(block + p * width + c)]


@inlined
def divide_by_pivots(m, width, at, F, X, block, U):
    """U <- diag(d)^-1 X for a block of m rows."""
    for r in range(m):
        inv_d = F[nat(at + r * m + r)]
        for c in range(width):
            U[nat(block + r * width + c)] = inv_d * X[nat(block + r * width + c)]


@inlined
def carry(m, m_i, ki, first, to, U, b):
    """b_i -= U_ki^T b_k."""
    for c in range(m_i):
        total = 0.0
        for s in range(m):
            total += U[nat(ki + s * m_i + c)] * b[nat(first + s)]
        b[nat(to + c)] -= total


@inlined
def couple(m, m_j, m_i, kj, ki, ji, S, U):
    """S_ji -= S_kj^T U_ki."""
    for r in range(m_j):
        for c in range(m_i):
            total = 0.0
            for s in range(m):
                total += S[nat(kj + s * m_j + r)] * U[nat(ki + s * m_i + c)]
            S[nat(ji + r * m_i + c)] -= total


@inlined
def eliminate(m, node, couplings, updates, S, U, F, scale, dropped, b):
    """Eliminate one node of m rows, and carry the right-hand side forward.

    S_ki <- L^-1 S_ki,   U_ki = diag(d)^-1 S_ki,   S_ji -= S_kj^T U_ki   for all later j <= i coupled to k
    b_k <- L^-1 b_k,     b_i -= U_ki^T b_k
    """
    factorise_block(m, S, node.diagonal, F, scale, node.first, dropped)
    divide(m, 1, node.diagonal, F, b, node.first)
    n_update = node.update
    for k in range(node.below, node.below_stop):
        i = couplings[nat(k)]
        divide(m, i.size, node.diagonal, F, S, i.offset)
        divide_by_pivots(m, i.size, node.diagonal, F, S, i.offset, U)
        carry(m, i.size, i.offset, node.first, i.first, U, b)
        for l in range(node.below, k + 1):
            j = couplings[nat(l)]
            couple(m, j.size, i.size, j.offset, i.offset, updates[nat(n_update)], S, U)
            n_update += 1


# --- pins in the plane, number by number


@inlined
def invert_pin(s00, s01, s11, scale_0, scale_1):
    """The inverse of a symmetric block of two rows; a dependent row is left out of it."""
    det = s00 * s11 - s01 * s01
    if s00 > DEPENDENT * scale_0 and det > DEPENDENT * scale_1 * s00:
        inv_det = 1.0 / det
        return s11 * inv_det, -s01 * inv_det, s00 * inv_det
    if s00 > DEPENDENT * scale_0:
        return 1.0 / s00, 0.0, 0.0
    return 0.0, 0.0, 1.0 / s11 if s11 > DEPENDENT * scale_1 else 0.0


@inlined
def eliminate_pin(node, couplings, updates, S, U, F, scale, dropped, b):
    """Eliminate a pin coupled to pins only; its block of F is Delta_k^-1 itself."""
    at, first = node.diagonal, node.first
    i00, i01, i11 = invert_pin(
        S[nat(at)], S[nat(at + 1)], S[nat(at + 3)], scale[nat(first)], scale[nat(first + 1)]
    )
    F[nat(at)], F[nat(at + 1)], F[nat(at + 3)] = i00, i01, i11
    dropped[nat(first)] = 1 if i00 == 0.0 else 0
    dropped[nat(first + 1)] = 1 if i11 == 0.0 else 0
    b0, b1 = b[nat(first)], b[nat(first + 1)]
    n = node.update
    for k in range(node.below, node.below_stop):
        ki, to = couplings[nat(k)].offset, couplings[nat(k)].first
        s00, s01, s10, s11 = S[nat(ki)], S[nat(ki + 1)], S[nat(ki + 2)], S[nat(ki + 3)]
        u00, u01 = i00 * s00 + i01 * s10, i00 * s01 + i01 * s11
        u10, u11 = i01 * s00 + i11 * s10, i01 * s01 + i11 * s11
        U[nat(ki)], U[nat(ki + 1)], U[nat(ki + 2)], U[nat(ki + 3)] = u00, u01, u10, u11
        b[nat(to)] -= u00 * b0 + u10 * b1
        b[nat(to + 1)] -= u01 * b0 + u11 * b1
        for l in range(node.below, k + 1):
            kj, ji = couplings[nat(l)].offset, updates[nat(n)]
            n += 1
            s00, s01, s10, s11 = S[nat(kj)], S[nat(kj + 1)], S[nat(kj + 2)], S[nat(kj + 3)]
            S[nat(ji)] -= s00 * u00 + s10 * u10
            S[nat(ji + 1)] -= s00 * u01 + s10 * u11
            S[nat(ji + 2)] -= s01 * u00 + s11 * u10
            S[nat(ji + 3)] -= s01 * u01 + s11 * u11


@inlined
def solve_pin(node, couplings, U, F, b, x):
    """x_k of a pin coupled to pins only."""
    at, first = node.diagonal, node.first
    b0, b1 = b[nat(first)], b[nat(first + 1)]
    x0 = F[nat(at)] * b0 + F[nat(at + 1)] * b1
    x1 = F[nat(at + 1)] * b0 + F[nat(at + 3)] * b1
    for k in range(node.below, node.below_stop):
        ki, to = couplings[nat(k)].offset, couplings[nat(k)].first
        y0, y1 = x[nat(to)], x[nat(to + 1)]
        x0 -= U[nat(ki)] * y0 + U[nat(ki + 1)] * y1
        x1 -= U[nat(ki + 2)] * y0 + U[nat(ki + 3)] * y1
    x[nat(first)], x[nat(first + 1)] = x0, x1


# --- hinges in space, row of five by row of five


@inlined
def five(weights, start, step, M, at):
    """sum_s weight_s M_s over the five rows of a block M with five columns."""
    a0, a1, a2, a3, a4 = 0.0, 0.0, 0.0, 0.0, 0.0
    for s in range(HINGE):
        w = weights[nat(start + s * step)]
        row = at + s * HINGE
        a0 += w * M[nat(row)]
        a1 += w * M[nat(row + 1)]
        a2 += w * M[nat(row + 2)]
        a3 += w * M[nat(row + 3)]
        a4 += w * M[nat(row + 4)]
    return a0, a1, a2, a3, a4


@inlined
def take_away(a, x, at):
    """x -= a for five numbers."""
    x[nat(at)] -= a[0]
    x[nat(at + 1)] -= a[1]
    x[nat(at + 2)] -= a[2]
    x[nat(at + 3)] -= a[3]
    x[nat(at + 4)] -= a[4]


@inlined
def divide_hinge(at, F, b, first):
    """b_k <- L^-1 b_k, as `divide`."""
    b0 = b[nat(first)]
    b1 = b[nat(first + 1)] - F[nat(at + 5)] * b0
    b2 = b[nat(first + 2)] - F[nat(at + 10)] * b0 - F[nat(at + 11)] * b1
    b3 = b[nat(first + 3)] - F[nat(at + 15)] * b0 - F[nat(at + 16)] * b1 - F[nat(at + 17)] * b2
    b4 = b[nat(first + 4)] - F[nat(at + 20)] * b0 - F[nat(at + 21)] * b1 - F[nat(at + 22)] * b2
    b4 -= F[nat(at + 23)] * b3
    b[nat(first + 1)], b[nat(first + 2)] = b1, b2
    b[nat(first + 3)], b[nat(first + 4)] = b3, b4


@inlined
def eliminate_hinge(node, couplings, updates, S, U, F, scale, dropped, b):
    """Eliminate a hinge coupled to hinges only; as `eliminate`."""
    factorise_block(HINGE, S, node.diagonal, F, scale, node.first, dropped)
    divide_hinge(node.diagonal, F, b, node.first)
    n = node.update
    for k in range(node.below, node.below_stop):
        ki = couplings[nat(k)].offset
        divide(HINGE, HINGE, node.diagonal, F, S, ki)
        divide_by_pivots(HINGE, HINGE, node.diagonal, F, S, ki, U)
        take_away(five(b, node.first, 1, U, ki), b, couplings[nat(k)].first)
        for l in range(node.below, k + 1):
            kj, ji = couplings[nat(l)].offset, updates[nat(n)]
            n += 1
            for r in range(HINGE):
                take_away(five(S, kj + r, HINGE, U, ki), S, ji + r * HINGE)


@kernel
def factorise(nodes, couplings, updates, eps, compliance, S, U, F, scale, dropped, b):
    """Add eps diag S + compliance to S and eliminate node after node; changes S, fills U to dropped.

    The right-hand side b is carried forward on the way: `substitute_back` then finishes S x = b. The
    sizes of pins in the plane and hinges in space are written as constants: the compiler then
    unrolls their loops.
    """
    for k in range(nodes.size):
        m = nodes[k].size
        at = nodes[k].diagonal
        first = nodes[k].first
        for _ in range(m):
            scale[nat(first)] = S[nat(at)]
            S[nat(at)] += eps * S[nat(at)] + compliance
            first += 1
            at += m + 1
    for k in range(nodes.size):
        node = nodes[k]
        if node.size == PIN and node.alike == 1:
            eliminate_pin(node, couplings, updates, S, U, F, scale, dropped, b)
        elif node.size == HINGE and node.alike == 1:
            eliminate_hinge(node, couplings, updates, S, U, F, scale, dropped, b)
        else:
            eliminate(node.size, node, couplings, updates, S, U, F, scale, dropped, b)


@kernel
def carry_forward(nodes, couplings, U, F, b):
    """b <- U^-T b, what `factorise` does on its way; changes b."""
    for k in range(nodes.size):
        node = nodes[k]
        is_pin = node.alike == 1 and node.size == PIN
        if node.size == HINGE:
            divide_hinge(node.diagonal, F, b, node.first)
        elif not is_pin:
            divide(node.size, 1, node.diagonal, F, b, node.first)
        for n in range(node.below, node.below_stop):
            i = couplings[nat(n)]
            if is_pin:
                carry(PIN, PIN, i.offset, node.first, i.first, U, b)
            elif node.alike == 1 and node.size == HINGE:
                take_away(five(b, node.first, 1, U, i.offset), b, i.first)
            else:
                carry(node.size, i.size, i.offset, node.first, i.first, U, b)


@inlined
def solve_node(m, node, couplings, U, F, b, x):
    """x_k = L^-T (diag(d)^-1 b_k - sum U_ki x_i) over all later nodes i."""
    at, first = node.diagonal, node.first
    for r in range(m):
        x[nat(first + r)] = F[nat(at + r * m + r)] * b[nat(first + r)]
    for n in range(node.below, node.below_stop):
        i = couplings[nat(n)]
        for r in range(m):
            total = 0.0
            for c in range(i.size):
                total += U[nat(i.offset + r * i.size + c)] * x[nat(i.first + c)]
            x[nat(first + r)] -= total
    for back in range(1, m):
        r = m - 1 - back
        for p in range(r + 1, m):
            x[nat(first + r)] -= F[nat(at + p * m + r)] * x[nat(first + p)]


@inlined
def times_row(U, at, y):
    """A row of five times a column."""
    total = U[nat(at)] * y[0] + U[nat(at + 1)] * y[1] + U[nat(at + 2)] * y[2]
    return total + U[nat(at + 3)] * y[3] + U[nat(at + 4)] * y[4]


@inlined
def solve_hinge(node, couplings, U, F, b, x):
    """x_k of a hinge coupled to hinges only; as `solve_node`."""
    at, first = node.diagonal, node.first
    x0, x1 = F[nat(at)] * b[nat(first)], F[nat(at + 6)] * b[nat(first + 1)]
    x2, x3 = F[nat(at + 12)] * b[nat(first + 2)], F[nat(at + 18)] * b[nat(first + 3)]
    x4 = F[nat(at + 24)] * b[nat(first + 4)]
    for n in range(node.below, node.below_stop):
        ki, to = couplings[nat(n)].offset, couplings[nat(n)].first
        y = (x[nat(to)], x[nat(to + 1)], x[nat(to + 2)], x[nat(to + 3)], x[nat(to + 4)])
        x0 -= times_row(U, ki, y)
        x1 -= times_row(U, ki + 5, y)
        x2 -= times_row(U, ki + 10, y)
        x3 -= times_row(U, ki + 15, y)
        x4 -= times_row(U, ki + 20, y)
    x3 -= F[nat(at + 23)] * x4
    x2 -= F[nat(at + 22)] * x4 + F[nat(at + 17)] * x3
    x1 -= F[nat(at + 21)] * x4 + F[nat(at + 16)] * x3 + F[nat(at + 11)] * x2
    x0 -= F[nat(at + 20)] * x4 + F[nat(at + 15)] * x3 + F[nat(at + 10)] * x2 + F[nat(at + 5)] * x1
    x[nat(first)], x[nat(first + 1)], x[nat(first + 2)] = x0, x1, x2
    x[nat(first + 3)], x[nat(first + 4)] = x3, x4


@kernel
def substitute_back(nodes, couplings, U, F, b, x):
    """x = U^-1 Delta^-1 b: the solution of S x = b once b was carried forward; fills x."""
    n = nodes.size
    for back in range(n):
        node = nodes[nat(n - 1 - back)]
        if node.size == PIN and node.alike == 1:
            solve_pin(node, couplings, U, F, b, x)
        elif node.size == HINGE and node.alike == 1:
            solve_hinge(node, couplings, U, F, b, x)
        else:
            solve_node(node.size, node, couplings, U, F, b, x)
