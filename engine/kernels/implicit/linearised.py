"""The equations of motion, linearised at one state: tangents, and the solution of linear systems.

    [ A   D^T ] [ x ]   [ b ]
    [ D'  -e  ] [ y ] = [ c ]         A = M + c1 C + c2 K,   D' = row D + G

Every function takes the poses of bodies and D, lam and f from the workspace.
"""

from engine.kernels import dynamics, inlined, kernel
from engine.kernels.acting import interactions
from engine.kernels.flexible import inertia
from engine.kernels.flexible.followers import accelerations_of, speeds_of
from engine.kernels.implicit import (
    blocklu,
    tangents,
    tangents_of_flexible,
    tangents_of_forces,
    tangents_of_formulas,
    tangents_of_friction,
    tangents_of_interactions,
)
from engine.kernels.implicit.tangent_layout import (
    BY,
    BY_POSE,
    C1,
    C2,
    ROW,
    E,
    Elimination,
    Tangents,
)
from engine.kernels.layout import System, Workspace

MAX_REFINEMENTS = 8
EXACT = 1e-13  # tolerated residual of a right-hand side
STALLED = 0.5  # reduction of the residual that justifies another refinement


@kernel
def clear(x):
    """Set all entries to zero."""
    for k in range(x.size):
        x[k] = 0.0


@inlined
def linearise(
    table, system: System, ws: Workspace, order: Elimination, tan: Tangents, t, q, v, z, a
):
    """Fill K, C and G at time t with the multipliers ws.lam and accelerations a; bodies must be placed."""
    n_d = 3 if system.dim == 2 else 6
    clear(tan.K)
    clear(tan.C)
    if n_d == 3:
        interactions.stand_in_space(system.carriers.size, ws.planar, ws.spatial)
    else:
        tangents_of_forces.add_gyroscopic(system.bodies, v, order.blocks, tan.C)
    tangents.add_constraints(
        n_d,
        system.terms,
        system.uses,
        ws.lam,
        ws.spatial,
        order.of_term,
        order.blocks,
        tan.H,
        tan.K,
    )
    tangents.bend_rows(
        n_d,
        system.carriers,
        system.terms,
        system.uses,
        ws.spatial,
        speeds_of(system, ws, v),
        accelerations_of(system, ws, ws.a),
        tan.factors[BY:],
        tan.factors[BY_POSE:],
        tan.H,
        tan.G,
        tan.G_pose,
    )
    if system.formulas.size > 0:
        tangents_of_formulas.add(
            n_d,
            system.carriers,
            system.terms,
            system.formulas,
            system.arguments,
            system.rows,
            system.functions,
            t,
            ws.planar,
            ws.spatial,
            ws.angle,
            ws.row,
            ws.args,
            ws.rates,
            ws.stack,
            ws.jet,
            speeds_of(system, ws, v),
            accelerations_of(system, ws, ws.a),
            ws.lam,
            tan.factors[BY:],
            tan.factors[BY_POSE:],
            order.of_term,
            order.of_pair,
            order.blocks,
            tan.H,
            tan.columns,
            tan.K,
            tan.G,
            tan.G_pose,
        )
    if system.loads.size > 0:
        tangents_of_forces.add_loads(
            n_d,
            system.carriers,
            system.loads,
            system.functions,
            ws.spatial,
            t,
            ws.args,
            ws.stack,
            order.blocks,
            tan.K,
        )
    if system.laws.size > 0:
        tangents_of_forces.add_laws(
            n_d,
            system.carriers,
            system.laws,
            system.terms,
            system.functions,
            ws.planar,
            ws.spatial,
            ws.angle,
            t,
            speeds_of(system, ws, v),
            order.of_term,
            order.of_law,
            order.blocks,
            tan.scratch,
            ws.args,
            ws.rates,
            ws.stack,
            ws.jet,
            tan.H,
            tan.K,
            tan.C,
        )
    if system.interactions.size > 0:
        tangents_of_interactions.add(table, system, ws, order, tan, t, z)
    if system.rubbings.size > 0:
        tangents_of_friction.fill(table, system, ws, tan, t)
    if system.flexibles.size > 0:
        tangents_of_flexible.add(system, ws, order, tan, q, v, a)


@inlined
def rows_of_bodies(system: System):
    """How many rows of D belong to bodies; those of followers come behind them."""
    return system.followers[0].start if system.followers.size > 0 else system.row_of.size


@inlined
def factorise(system: System, ws: Workspace, order: Elimination, tan: Tangents, eps):
    """Factorise by the weights in tan.factors, softened by eps where rows are redundant."""
    n_d = 3 if system.dim == 2 else 6
    blocklu.fill(
        n_d,
        system.bodies,
        system.row_of[: rows_of_bodies(system)],
        order.blocks,
        order.D_at,
        tan.factors[C1],
        tan.factors[C2],
        tan.C,
        tan.K,
        tan.factors[ROW],
        ws.D,
        tan.G,
        tan.lu,
    )
    if system.rubbings.size > 0:
        n_rows = rows_of_bodies(system)
        blocklu.add_to_transposed(n_d, system.row_of[:n_rows], order.D_at, tan.rubbed, tan.lu)
    if system.flexibles.size > 0:
        tangents_of_flexible.fill_mass(
            system.dim, system.bodies, system.flexibles, ws.elastic, order.blocks, tan.lu
        )
        tangents_of_flexible.fill_rows(
            system.flexibles,
            system.followers,
            order.D_at,
            tan.factors[ROW],
            ws.E,
            tan.GE,
            tan.rubbed_E,
            tan.lu,
        )
    blocklu.factorise(
        order.nodes,
        order.couplings,
        order.updates,
        tan.factors[E],
        eps,
        tan.lu,
        tan.scale,
        tan.dropped,
        tan.temporary,
    )


@kernel
def add_product(factor, bodies, blocks, X, x, out):
    """out += factor X x for the blocks X = K or C."""
    for n in range(blocks.size - 1):
        block = blocks[n]
        if block.lu < 0:
            continue
        to = bodies[block.i].v_at
        of = bodies[block.j].v_at
        for r in range(block.n_i):
            total = 0.0
            for c in range(block.n_j):
                total += X[block.at + r * block.n_j + c] * x[of + c]
            out[to + r] += factor * total


@kernel
def add_mass_times(n_d, bodies, factor, x, out):
    """out += factor M x; a particle has no inertia."""
    dim = 2 if n_d == 3 else 3
    for k in range(bodies.size):
        at = bodies[k].v_at
        for r in range(dim):
            out[at + r] += factor / bodies[k].inv_mass * x[at + r]
        for r in range(n_d - dim):
            total = 0.0
            for c in range(n_d - dim):
                total += bodies[k].J[r, c] * x[at + dim + c]
            out[at + dim + r] += factor * total


@inlined
def add_M_times(system: System, ws: Workspace, factor, x, out):
    """out += factor M x of all bodies."""
    add_mass_times(3 if system.dim == 2 else 6, system.bodies, factor, x, out)
    if system.flexibles.size > 0:
        inertia.add_mass_times(
            system.dim, system.bodies, system.flexibles, ws.elastic, factor, x, out
        )


@inlined
def take_rows(system: System, ws: Workspace, tan: Tangents, factor, e, x, y, b, c):
    """b -= D^T y,  c -= (factor D + G) x - e y, with rows of followers."""
    n_d = 3 if system.dim == 2 else 6
    subtract_rows(n_d, system.bodies, system.row_of, factor, ws.D, tan.G, e, x, y, b, c)
    if system.followers.size > 0:
        tangents_of_flexible.subtract_rows(
            system.bodies,
            system.flexibles,
            system.followers,
            system.row_of,
            factor,
            ws.E,
            tan.GE,
            x,
            y,
            b,
            c,
        )


@kernel
def hold_particles(n_d, bodies, b):
    """Remove the moments on particles from b: they do not rotate."""
    dim = 2 if n_d == 3 else 3
    for k in range(bodies.size):
        if bodies[k].J[0, 0] == 0.0:
            for r in range(dim, n_d):
                b[bodies[k].v_at + r] = 0.0


@kernel
def subtract_bend(n_d, bodies, row_of, factor, G, x, c):
    """c -= factor G x."""
    for k in range(bodies.size):
        at = bodies[k].v_at
        for a in range(bodies[k].start, bodies[k].stop):
            total = 0.0
            for n in range(n_d):
                total += G[a, n] * x[at + n]
            c[row_of[a]] -= factor * total


@kernel
def subtract_rows(n_d, bodies, row_of, factor, D, G, e, x, y, b, c):
    """b -= D^T y,  c -= (factor D + G) x - e y."""
    for k in range(bodies.size):
        at = bodies[k].v_at
        for a in range(bodies[k].start, bodies[k].stop):
            total = 0.0
            value = y[row_of[a]]
            for n in range(n_d):
                total += (factor * D[a, n] + G[a, n]) * x[at + n]
                b[at + n] -= D[a, n] * value
            c[row_of[a]] -= total
    for k in range(c.size):
        c[k] += e * y[k]


@kernel
def subtract_rubbed(n_d, bodies, row_of, rubbed, y, b):
    """b -= rubbed^T y."""
    for k in range(bodies.size):
        at = bodies[k].v_at
        for a in range(bodies[k].start, bodies[k].stop):
            for n in range(n_d):
                b[at + n] -= rubbed[a, n] * y[row_of[a]]


@kernel
def solve_once(bodies, body_at, row_at, nodes, couplings, lu, temporary, ordered, b, c, x, y):
    """x += and y += the solution for (b, c); returns the largest of (b, c)."""
    size = 0.0
    for k in range(body_at.size):
        at = bodies[k].v_at
        for r in range(bodies[k].n_v):
            ordered[body_at[k] + r] = b[at + r]
            size = max(size, abs(b[at + r]))
    for k in range(c.size):
        ordered[row_at[k]] = c[k]
        size = max(size, abs(c[k]))
    blocklu.solve(nodes, couplings, lu, ordered, temporary)
    for k in range(body_at.size):
        at = bodies[k].v_at
        for r in range(bodies[k].n_v):
            x[at + r] += ordered[body_at[k] + r]
    for k in range(c.size):
        y[k] += ordered[row_at[k]]
    return size


@inlined
def solve(system: System, ws: Workspace, order: Elimination, tan: Tangents):
    """Fill tan.x and tan.y from the right-hand sides tan.b and tan.c.

    The residual of the solution is solved for again as long as that helps: this removes the rounding errors
    of the factors, and the softening of redundant rows.
    """
    n_d = 3 if system.dim == 2 else 6
    clear(tan.x)
    clear(tan.y)
    before = 0.0
    first = 0.0
    for n in range(MAX_REFINEMENTS + 1):
        for k in range(tan.b.size):
            tan.b_left[k] = tan.b[k]
        for k in range(tan.c.size):
            tan.c_left[k] = tan.c[k]
        if n > 0:
            add_M_times(system, ws, -1.0, tan.x, tan.b_left)
            add_product(-tan.factors[C1], system.bodies, order.blocks, tan.C, tan.x, tan.b_left)
            add_product(-tan.factors[C2], system.bodies, order.blocks, tan.K, tan.x, tan.b_left)
            take_rows(
                system,
                ws,
                tan,
                tan.factors[ROW],
                tan.factors[E],
                tan.x,
                tan.y,
                tan.b_left,
                tan.c_left,
            )
            if system.rubbings.size > 0:
                subtract_rubbed(n_d, system.bodies, system.row_of, tan.rubbed, tan.y, tan.b_left)
                if system.followers.size > 0:
                    tangents_of_flexible.subtract_transposed(
                        system.bodies,
                        system.flexibles,
                        system.followers,
                        system.row_of,
                        tan.rubbed_E,
                        tan.y,
                        tan.b_left,
                    )
            hold_particles(n_d, system.bodies, tan.b_left)
            left = max(dynamics.largest(tan.b_left), dynamics.largest(tan.c_left))
            if left <= EXACT * first or (n > 1 and not left < STALLED * before):
                break
            before = left
        size = solve_once(
            system.bodies,
            order.body_at,
            order.row_at,
            order.nodes,
            order.couplings,
            tan.lu,
            tan.temporary,
            tan.ordered,
            tan.b_left,
            tan.c_left,
            tan.x,
            tan.y,
        )
        if n == 0:
            first = size
