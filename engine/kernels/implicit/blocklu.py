"""Block-sparse elimination of the equations of motion with tangents.

    [ A   D^T ] [ x ]   [ b ]
    [ D'  -e  ] [ y ] = [ c ]         A = M + c1 C + c2 K,   D' near D

With friction in joints, which follows from the multipliers, -df/dlam is added to D^T.

A is not symmetric, because of dampers and gyroscopic moments. The order, the fill and all indices come
from engine/compiling/elimination.py; lu holds the blocks of both triangles, and the inverses of the
diagonal blocks.

    L_ik = A_ik A_kk^-1,      A_ij -= L_ik A_kj          for all later i and j coupled to k

A row of D that depends on earlier ones leaves a pivot of rounding size relative to the largest value at its
place. Its multiplier is then zero, as in engine.kernels.blocksolve. A compliance e > 0 prevents that. The
rotation of a particle, which has no inertia and never turns, gets a huge inertia.
"""

from engine.kernels import kernel

DEPENDENT = 1e-11  # a pivot this small relative to the largest value at its place is rounding
ENDLESS = 1e30  # [kg m^2] inertia of a body without rotation


@kernel
def fill(n_d, bodies, row_of, blocks, D_at, c1, c2, C, K, factor, D, G, lu):
    """Put M + c1 C + c2 K, D^T and factor D + G into lu."""
    for k in range(lu.size):
        lu[k] = 0.0
    for n in range(blocks.size - 1):
        block = blocks[n]
        if block.lu < 0:
            continue
        for k in range(block.n_i * block.n_j):
            lu[block.lu + k] = c1 * C[block.at + k] + c2 * K[block.at + k]
    dim = 2 if n_d == 3 else 3
    for k in range(bodies.size):
        at = blocks[k].lu
        width = blocks[k].n_j
        for r in range(dim):
            lu[at + r * (width + 1)] += 1.0 / bodies[k].inv_mass
        turns = bodies[k].J
        for r in range(n_d - dim):
            for c in range(n_d - dim):
                lu[at + (dim + r) * width + dim + c] += turns[r, c]
            if turns[r, r] == 0.0:
                lu[at + (dim + r) * (width + 1)] += ENDLESS
    for a in range(row_of.size):
        lower = D_at[a, 0]
        upper = D_at[a, 1]
        for c in range(n_d):
            lu[lower + c] = factor * D[a, c] + G[a, c]
            lu[upper + c * D_at[a, 2]] = D[a, c]


@kernel
def add_to_transposed(n_d, row_of, D_at, X, lu):
    """Add rows of X, stored like D, to the columns of D^T in lu."""
    for a in range(row_of.size):
        upper = D_at[a, 1]
        for c in range(n_d):
            lu[upper + c * D_at[a, 2]] += X[a, c]


@kernel
def invert(m, at, first, lu, scale, dropped):
    """Invert a diagonal block in place; a dependent row and its column become zero.

    Gauss-Jordan sweeps on the diagonal, always with the pivot that lost least to cancellation.
    """
    for p in range(m):
        dropped[first + p] = -1
    for _ in range(m):
        p = -1
        best = -1.0
        for r in range(m):
            if dropped[first + r] < 0:
                share = abs(lu[at + r * (m + 1)]) / max(scale[first + r], 1e-300)
                if p < 0 or share > best:
                    p = r
                    best = share
        if not best > DEPENDENT:
            dropped[first + p] = 1
            continue
        dropped[first + p] = 0
        row = at + p * m
        inv_pivot = 1.0 / lu[row + p]
        lu[row + p] = 1.0
        for c in range(m):
            lu[row + c] *= inv_pivot
        for r in range(m):
            if r != p:
                factor = lu[at + r * m + p]
                lu[at + r * m + p] = 0.0
                for c in range(m):
                    lu[at + r * m + c] -= factor * lu[row + c]
    for p in range(m):
        if dropped[first + p] == 1:
            for k in range(m):
                lu[at + p * m + k] = 0.0
                lu[at + k * m + p] = 0.0


@kernel
def subtract_product(m_i, m, m_j, ik, kj, ij, lu):
    """A_ij -= L_ik A_kj."""
    for r in range(m_i):
        for s in range(m):
            factor = lu[ik + r * m + s]
            for c in range(m_j):
                lu[ij + r * m_j + c] -= factor * lu[kj + s * m_j + c]


@kernel
def factorise(nodes, couplings, updates, e, eps, lu, scale, dropped, temporary):
    """Eliminate node after node; changes lu and the arguments after it.

    eps > 0 softens every row by this share of its pivot, so that redundant rows share their load.
    """
    for k in range(nodes.size):
        node = nodes[k]
        for r in range(node.size):
            at = node.diagonal + r * (node.size + 1)
            if node.is_joint == 1:
                lu[at] -= e
            scale[node.first + r] = abs(lu[at])
    for k in range(nodes.size):
        node = nodes[k]
        m = node.size
        at = node.diagonal
        if node.is_joint == 1:
            for r in range(m):
                lu[at + r * (m + 1)] -= eps * scale[node.first + r]
        invert(m, at, node.first, lu, scale, dropped)
        n = node.update
        for a in range(node.below, node.below_stop):
            m_i = couplings[a].size
            ik = couplings[a].lower
            for r in range(m_i):
                for c in range(m):
                    temporary[c] = lu[ik + r * m + c]
                for c in range(m):
                    total = 0.0
                    for s in range(m):
                        total += temporary[s] * lu[at + s * m + c]
                    lu[ik + r * m + c] = total
            for b in range(node.below, node.below_stop):
                ij = updates[n]
                n += 1
                subtract_product(m_i, m, couplings[b].size, ik, couplings[b].upper, ij, lu)
                if a == b:
                    to = couplings[a].first
                    for r in range(m_i):
                        scale[to + r] = max(scale[to + r], abs(lu[ij + r * (m_i + 1)]))


@kernel
def solve(nodes, couplings, lu, x, temporary):
    """Solve for one right-hand side; x holds it, and then the solution."""
    n = nodes.size
    for k in range(n):
        node = nodes[k]
        m = node.size
        for a in range(node.below, node.below_stop):
            ik = couplings[a].lower
            for r in range(couplings[a].size):
                total = 0.0
                for c in range(m):
                    total += lu[ik + r * m + c] * x[node.first + c]
                x[couplings[a].first + r] -= total
    for back in range(n):
        node = nodes[n - 1 - back]
        m = node.size
        for r in range(m):
            total = x[node.first + r]
            for a in range(node.below, node.below_stop):
                m_j = couplings[a].size
                kj = couplings[a].upper + r * m_j
                for c in range(m_j):
                    total -= lu[kj + c] * x[couplings[a].first + c]
            temporary[r] = total
        for r in range(m):
            total = 0.0
            for c in range(m):
                total += lu[node.diagonal + r * m + c] * temporary[c]
            x[node.first + r] = total
