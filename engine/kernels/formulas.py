"""Rows that are typed as a formula of coordinates, differentiated exactly.

A formula F(x, t) has one argument for each of its names: a coordinate g of a term, or the rate of one. With
u = (x_dot, 1) the way its coordinates and the time go, and rates standing still,

    without rates    Phi = F    D = sum_k F_k D_k    nu = -F_t       gamma = -sum_k F_k g_ww,k - F''
    linear in rates  Phi = 0    D = sum_k F_k D_k    nu = D v - F    gamma = -sum_k F_k g_ww,k - F'

where F_k is the derivative by argument k, the sums go over the rates if there are any, and F', F'' are the
first two derivatives along u. All are jets of engine.kernels.functions: nothing is done by differences.
"""

from engine.kernels import functions, kernel, planar, spatial
from engine.kernels.layout import OF_RATE, VELOCITY


@kernel
def measure(dim, term, planar_frames, spatial_frames, turns_at, row):
    """Fill `row` with one scalar coordinate and return its rate; bodies must be placed."""
    if dim == 2:
        planar.coordinate(term, planar_frames, row)
        i = planar_frames[term.i]
        j = planar_frames[term.j]
        of_i = row[2] * i.ux + row[3] * i.uy + row[4] * i.w
        return of_i + row[5] * j.ux + row[6] * j.uy + row[7] * j.w
    spatial.coordinate(term, spatial_frames, turns_at, row)
    rate = 0.0
    for side in range(2):
        frame = spatial_frames[term.i if side == 0 else term.j]
        w = spatial.to_body(frame.R, frame.w)
        at = 2 if side == 0 else 8
        for c in range(3):
            rate += row[at + c] * frame.u[c] + row[at + 3 + c] * w[c]
    return rate


@kernel
def gather(
    dim, terms, formula, arguments, t, planar_frames, spatial_frames, angle, row, args, rates
):
    """Fill args = (x, t) and rates = u of a formula."""
    n = formula.stop - formula.start
    for k in range(n):
        use = arguments[formula.start + k]
        rate = measure(dim, terms[use.term], planar_frames, spatial_frames, angle[use.term], row)
        if use.part == OF_RATE:
            args[k] = rate
            rates[k] = 0.0
        else:
            args[k] = row[0]
            rates[k] = rate
    args[n] = t
    rates[n] = 1.0


@kernel
def slope(functions_of, which, k, args, rates, stack, jet):
    """The derivative of a formula by one of its arguments; rates must be zero, and are again."""
    rates[k] = 1.0
    functions.jet(functions_of, which, args, rates, stack, jet)
    rates[k] = 0.0
    return jet[1]


@kernel
def fill(
    dim,
    terms,
    formulas,
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
    Phi,
    nu,
    gamma,
    D,
):
    """Fill Phi, nu, gamma and D of all typed rows; their rows of D must be zero."""
    n_d = 3 if dim == 2 else 6
    for f in range(formulas.size):
        formula = formulas[f]
        at = formula.row
        n = formula.stop - formula.start
        is_late = rows[at].level == VELOCITY
        gather(
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
        functions.jet(functions_of, formula.function, args, rates, stack, jet)
        Phi[at] = 0.0 if is_late else jet[0]
        nu[at] = -jet[0]
        gamma[at] = -jet[1] if is_late else -jet[2]
        for k in range(n + 1):
            rates[k] = 0.0
        if not is_late:
            nu[at] = -slope(functions_of, formula.function, n, args, rates, stack, jet)
        for k in range(n):
            use = arguments[formula.start + k]
            if is_late and use.part != OF_RATE:
                continue
            F_k = slope(functions_of, formula.function, k, args, rates, stack, jet)
            measure(dim, terms[use.term], planar_frames, spatial_frames, angle[use.term], row)
            gamma[at] -= F_k * row[1]
            if is_late:
                nu[at] += F_k * args[k]
            for c in range(n_d):
                D[use.D_i, c] += F_k * row[2 + c]
                D[use.D_j, c] += F_k * row[2 + n_d + c]
