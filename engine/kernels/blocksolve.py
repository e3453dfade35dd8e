"""Block-sparse elimination of S = D W D^T, the heart of the solver.

A node is one joint; S couples two nodes only if they share a body, so for chains and trees S is as
sparse as the mechanism and elimination in a good order costs O(n). The order, the fill and every index
are found once (engine/sparsity.py); here are only loops.

    S = L Delta L^T,   L unit lower triangular and Delta diagonal, both by blocks

A row that depends on earlier ones leaves a zero pivot. Its multiplier is set to zero ("dropped"),
which solves a consistent system exactly: singular poses are ordinary here. Where rows contradict each
other a little, as redundant ones do off the manifold, see dynamics.iterate_accelerations.
"""

from engine.kernels import inlined, kernel

DEPENDENT = 1e-11  # a pivot this small beside its diagonal is rounding: the row depends on others


@inlined
def invert_block(m, S, at, inv, scale, first, dropped):
    """Invert one symmetric diagonal block of S into inv, dropping dependent rows.

    Gauss-Jordan sweeps with the pivots in order; a dropped row and column become zero. Only the
    lower triangle of the block in S counts.
    """
    if m == 2:  # the planar pin in closed form: one division instead of two in a row
        s00 = S[at]
        s10 = S[at + 2]
        s11 = S[at + 3]
        det = s00 * s11 - s10 * s10
        if s00 > DEPENDENT * scale[first] and det > DEPENDENT * scale[first + 1] * s00:
            inv_det = 1.0 / det
            inv[at] = s11 * inv_det
            inv[at + 1] = -s10 * inv_det
            inv[at + 2] = -s10 * inv_det
            inv[at + 3] = s00 * inv_det
            dropped[first] = 0
            dropped[first + 1] = 0
            return
    for r in range(m):
        for c in range(r + 1):
            inv[at + r * m + c] = S[at + r * m + c]
            inv[at + c * m + r] = S[at + r * m + c]
    n_dropped = 0
    for p in range(m):
        pivot = inv[at + p * m + p]
        if pivot <= DEPENDENT * scale[first + p]:
            dropped[first + p] = 1
            n_dropped += 1
            continue
        dropped[first + p] = 0
        inv_pivot = 1.0 / pivot
        inv[at + p * m + p] = 1.0
        for c in range(m):
            inv[at + p * m + c] *= inv_pivot
        for r in range(m):
            if r != p:
                factor = inv[at + r * m + p]
                inv[at + r * m + p] = 0.0
                for c in range(m):
                    inv[at + r * m + c] -= factor * inv[at + p * m + c]
    if n_dropped > 0:
        for p in range(m):
            if dropped[first + p] == 1:
                for k in range(m):
                    inv[at + p * m + k] = 0.0
                    inv[at + k * m + p] = 0.0


@inlined
def couple(m, m_i, m_j, ik, jk, ij, L, S):
    """S_ij -= L_ik S_jk^T."""
    for r in range(m_i):
        for c in range(m_j):
            total = 0.0
            for s in range(m):
                total += L[ik + r * m + s] * S[jk + c * m + s]
            S[ij + r * m_j + c] -= total


@inlined
def eliminate(m, node, couplings, updates, S, L, inv, scale, dropped):
    """Eliminate one node of m rows.

    L_ik = S_ik Delta_k^-1,    S_ij -= L_ik S_jk^T    for all later i >= j coupled to k
    """
    at = node.diagonal
    invert_block(m, S, at, inv, scale, node.first, dropped)
    n = node.update
    for a in range(node.below, node.below_stop):
        m_i = couplings[a].size
        ik = couplings[a].offset
        for r in range(m_i):
            for c in range(m):
                total = 0.0
                for s in range(m):
                    total += S[ik + r * m + s] * inv[at + s * m + c]
                L[ik + r * m + c] = total
        for b in range(node.below, a + 1):
            m_j = couplings[b].size
            jk = couplings[b].offset
            ij = updates[n]
            n += 1
            if m_i == m and m_j == m:
                couple(m, m, m, ik, jk, ij, L, S)
            else:
                couple(m, m_i, m_j, ik, jk, ij, L, S)


@kernel
def factorise(nodes, couplings, updates, eps, compliance, S, L, inv, scale, dropped):
    """Add eps diag S + compliance to S and eliminate node after node; changes S, fills the arrays after it.

    The sizes of pins in the plane and hinges in space are written as constants: the compiler then
    unrolls their loops.
    """
    for k in range(nodes.size):
        m = nodes[k].size
        at = nodes[k].diagonal
        first = nodes[k].first
        for _ in range(m):
            scale[first] = S[at]
            S[at] += eps * S[at] + compliance
            first += 1
            at += m + 1
    for k in range(nodes.size):
        node = nodes[k]
        if node.size == 2:
            eliminate(2, node, couplings, updates, S, L, inv, scale, dropped)
        elif node.size == 5:
            eliminate(5, node, couplings, updates, S, L, inv, scale, dropped)
        else:
            eliminate(node.size, node, couplings, updates, S, L, inv, scale, dropped)


@inlined
def substitute_forward(m, node, couplings, L, b):
    """b_i -= L_ik b_k for all later nodes i."""
    for a in range(node.below, node.below_stop):
        ik = couplings[a].offset
        to = couplings[a].first
        for r in range(couplings[a].size):
            total = 0.0
            for c in range(m):
                total += L[ik + r * m + c] * b[node.first + c]
            b[to + r] -= total


@inlined
def substitute_back(m, node, couplings, L, inv, b, x):
    """x_k = Delta_k^-1 b_k - sum L_ik^T x_i over all later nodes i."""
    for r in range(m):
        total = 0.0
        for c in range(m):
            total += inv[node.diagonal + r * m + c] * b[node.first + c]
        x[node.first + r] = total
    for a in range(node.below, node.below_stop):
        ik = couplings[a].offset
        to = couplings[a].first
        for r in range(couplings[a].size):
            later = x[to + r]
            for c in range(m):
                x[node.first + c] -= L[ik + r * m + c] * later


@kernel
def solve(nodes, couplings, L, inv, b, x):
    """x = S^-1 b by the factors; changes b and x."""
    n = nodes.size
    for k in range(n):
        node = nodes[k]
        if node.size == 2:
            substitute_forward(2, node, couplings, L, b)
        elif node.size == 5:
            substitute_forward(5, node, couplings, L, b)
        else:
            substitute_forward(node.size, node, couplings, L, b)
    for back in range(n):
        node = nodes[n - 1 - back]
        if node.size == 2:
            substitute_back(2, node, couplings, L, inv, b, x)
        elif node.size == 5:
            substitute_back(5, node, couplings, L, inv, b, x)
        else:
            substitute_back(node.size, node, couplings, L, inv, b, x)
