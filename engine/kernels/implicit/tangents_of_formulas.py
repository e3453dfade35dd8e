"""How the columns of rows that are typed as a formula change when bodies move.

With the arguments of engine.kernels.formulas, of which b are those that make D (the rates, or where there
are none the coordinates) and c the coordinates,

    d(D^T lam) = lam (sum_b F_b H_b + sum_bc F_bc D_b^T D_c) delta

    d(D v - nu) by the pose    = v^T sum_b F_b H_b + sum_c w_c D_c      w_c = F_c,  or F_cu without rates
    D_dot                      = sum_b (F_b H_b v + F_bu D_b)
    d(D a) by the pose         = a^T sum_b F_b H_b + sum_bc F_bc (D_b a) D_c

F_bc is a second derivative by polarisation, (F''(e_b + e_c) - F''(e_b - e_c)) / 4, and F_bu one along u.
"""

from engine.kernels import formulas, functions, kernel
from engine.kernels.implicit.tangents import add_blocks, add_row, bend
from engine.kernels.layout import ANGLE, OF_RATE, VELOCITY


@kernel
def mixed(functions_of, which, b, c, args, rates, stack, jet):
    """F_bc; rates must be zero, and are again."""
    rates[b] += 1.0
    rates[c] += 1.0
    functions.jet(functions_of, which, args, rates, stack, jet)
    both = jet[2]
    rates[c] -= 2.0
    functions.jet(functions_of, which, args, rates, stack, jet)
    rates[b] = 0.0
    rates[c] = 0.0
    return 0.25 * (both - jet[2])


@kernel
def along(functions_of, which, b, args, rates, stack, jet):
    """F_bu; rates must be u, and are again."""
    kept = rates[b]
    rates[b] = kept + 1.0
    functions.jet(functions_of, which, args, rates, stack, jet)
    both = jet[2]
    rates[b] = kept - 1.0
    functions.jet(functions_of, which, args, rates, stack, jet)
    rates[b] = kept
    return 0.25 * (both - jet[2])


@kernel
def add_products(n_d, factor, first, second, four, blocks, K):
    """K += factor D_b^T D_c in the four blocks of the bodies of two terms."""
    for side in range(4):
        block = blocks[four[side]]
        row = 0 if side < 2 else n_d
        column = 0 if side % 2 == 0 else n_d
        for r in range(n_d):
            for c in range(n_d):
                K[block.at + r * block.n_j + c] += factor * first[row + r] * second[column + c]


@kernel
def add_columns(n_d, factor, columns, use, G):
    """G += factor D_c in the rows of one argument."""
    for c in range(n_d):
        G[use.D_i, c] += factor * columns[c]
        G[use.D_j, c] += factor * columns[n_d + c]


@kernel
def rate_of(n_d, bodies, term, columns, a):
    """D_b a."""
    total = 0.0
    for side in range(2):
        body = term.i if side == 0 else term.j
        own = 0 if side == 0 else n_d
        if body < bodies.size:
            at = bodies[body].v_at
            for c in range(n_d):
                total += columns[own + c] * a[at + c]
    return total


@kernel
def add(
    n_d,
    bodies,
    terms,
    table,
    arguments,
    rows,
    functions_of,
    t,
    planar_frames,
    spatial_frames,
    angle,
    row,
    args,
    rates,
    stack,
    jet,
    v,
    a,
    lam,
    by,
    by_pose,
    of_term,
    of_pair,
    blocks,
    H,
    columns,
    K,
    G,
    G_pose,
):
    """Add what typed rows have in K, G and G_pose; by and by_pose as in `tangents.bend_rows`."""
    dim = 2 if n_d == 3 else 3
    for f in range(table.size):
        formula = table[f]
        which = formula.function
        n = formula.stop - formula.start
        is_late = rows[formula.row].level == VELOCITY
        formulas.gather(
            dim,
            terms,
            formula,
            arguments,
            t,
            planar_frames,
            spatial_frames,
            angle,
            row,
            args,
            rates,
        )
        for k in range(n):
            use = arguments[formula.start + k]
            formulas.measure(
                dim, terms[use.term], planar_frames, spatial_frames, angle[use.term], row
            )
            for c in range(2 * n_d):
                columns[k, c] = row[2 + c]
            if use.part == OF_RATE or not is_late:  # one of b
                F_bu = along(functions_of, which, k, args, rates, stack, jet)
                left = 0.0 if is_late else 1.0
                add_columns(n_d, (left * by[0] + by[1]) * F_bu, columns[k], use, G)
                add_columns(n_d, (left * by_pose[0] + by_pose[1]) * F_bu, columns[k], use, G_pose)
        for k in range(n + 1):
            rates[k] = 0.0
        for k in range(n):
            use = arguments[formula.start + k]
            term = terms[use.term]
            F_k = formulas.slope(functions_of, which, k, args, rates, stack, jet)
            if is_late and use.part != OF_RATE:
                add_columns(n_d, by[0] * F_k, columns[k], use, G)
                add_columns(n_d, by_pose[0] * F_k, columns[k], use, G_pose)
                continue
            if not (n_d == 3 and term.kind == ANGLE):
                bend(n_d, term, spatial_frames, H)
                add_blocks(n_d, F_k * lam[formula.row], H, of_term[use.term], blocks, K)
                add_row(n_d, bodies, term, F_k, H, v, a, by, use.D_i, use.D_j, G)
                add_row(n_d, bodies, term, F_k, H, v, a, by_pose, use.D_i, use.D_j, G_pose)
            turned = rate_of(n_d, bodies, term, columns[k], a)
            for c in range(n):
                other = arguments[formula.start + c]
                if other.part == OF_RATE:
                    continue
                F_bc = mixed(functions_of, which, k, c, args, rates, stack, jet)
                four = of_pair[formula.pairs + k * n + c]
                factor = lam[formula.row] * F_bc
                add_products(n_d, factor, columns[k], columns[c], four, blocks, K)
                add_columns(n_d, by[2] * turned * F_bc, columns[c], other, G)
                add_columns(n_d, by_pose[2] * turned * F_bc, columns[c], other, G_pose)
