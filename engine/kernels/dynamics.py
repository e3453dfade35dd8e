"""Accelerations, multipliers and projections of one state, in the plane and in space.

    [ M  D^T ] [ a   ]   [ f     ]            S lam = D W f - gamma,      S = D W D^T,  W = M^-1
    [ D   0  ] [ lam ] = [ gamma ]            a     = W (f - D^T lam)

Every function changes the workspace (and q, v where it says so) and nothing else.
"""

import math

from engine.kernels import (
    blocksolve,
    formulas,
    functions,
    inlined,
    kernel,
    planar,
    spatial,
    spatial_products,
)
from engine.kernels.acting import gates
from engine.kernels.flexible import followers, followers_in_space, inertia
from engine.kernels.flexible import rows as rows_of_followers
from engine.kernels.layout import (
    ACCELERATION,
    BETA_SQUARED,
    COMPLIANCE,
    POSITION,
    TWO_ALPHA,
    VELOCITY,
    System,
    Workspace,
)
from rotations import euler_angles, quaternion

DUST = 1e-60  # in SI units: far below the rounding of anything that it is added to
STALLED = 0.9  # reduction of the error that justifies another iteration


@inlined
def place(system: System, ws: Workspace, q, v):
    """Place all bodies at the state (q, v)."""
    if system.dim == 2:
        planar.place_bodies(system.bodies, q, v, ws.planar)
    else:
        spatial.place_bodies(system.bodies, q, v, ws.spatial)
    if system.flexibles.size > 0:
        place_flexible(system, ws, q, v)


@inlined
def place_flexible(system: System, ws: Workspace, q, v):
    """Place flexible bodies and their followers; fill inertia, L, bias and the speeds of followers."""
    inertia.fill(system.dim, system.bodies, system.flexibles, system.shapes, q, ws.elastic)
    if system.dim == 2:
        followers.place_in_plane(
            system.bodies,
            system.flexibles,
            system.followers,
            system.shapes,
            q,
            v,
            ws.planar,
            ws.elastic,
        )
    else:
        followers_in_space.place_in_space(
            system.bodies,
            system.flexibles,
            system.followers,
            system.shapes,
            q,
            v,
            ws.spatial,
            ws.elastic,
        )
    followers.speeds_of(system, ws, v)


@inlined
def constrain(system: System, ws: Workspace, t):
    """Fill Phi, D, nu and gamma; bodies must be placed."""
    if system.dim == 2:
        planar.fill_rows(
            system.terms,
            system.uses,
            system.shared,
            system.rows,
            ws.planar,
            ws.row,
            ws.Phi,
            ws.gamma,
            ws.D,
        )
    else:
        spatial.fill_rows(
            system.terms,
            system.uses,
            system.shared,
            system.rows,
            ws.spatial,
            ws.angle,
            ws.row,
            ws.Phi,
            ws.gamma,
            ws.D,
        )
    if system.driven.size > 0:
        drive(
            system.rows,
            system.driven,
            system.functions,
            t,
            ws.args,
            ws.rates,
            ws.stack,
            ws.jet,
            ws.Phi,
            ws.nu,
            ws.gamma,
        )
    type_rows(system, ws, t)
    if system.gates.size > 0:
        gates.shut_off(system.gates, ws.Phi, ws.nu, ws.gamma, ws.D)
    if system.followers.size > 0:
        rows_of_followers.carry(
            system.dim,
            system.bodies,
            system.flexibles,
            system.followers,
            system.row_of,
            ws.D,
            ws.elastic,
            ws.gamma,
            ws.E,
            ws.WE,
        )
    if system.n_late > 0:
        for k in range(ws.Phi.size):
            if system.rows[k].level != POSITION:
                ws.Phi[k] = 0.0


@inlined
def type_rows(system: System, ws: Workspace, t):
    """Fill Phi, D, nu and gamma of the rows that are typed as formulas."""
    if system.formulas.size > 0:
        formulas.fill(
            system.dim,
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
            ws.Phi,
            ws.nu,
            ws.gamma,
            ws.D,
        )


@kernel
def drive(rows, driven, functions_of, t, args, rates, stack, jet, Phi, nu, gamma):
    """Put the targets c(t) into the driven rows.

    position level:      Phi = g - c     nu = c_dot     gamma = -g_ww + c_ddot
    velocity level:      Phi = 0         nu = c         gamma = -g_ww + c_dot
    acceleration level:  Phi = 0         nu : unused    gamma = -g_ww + c
    """
    args[0] = t
    rates[0] = 1.0
    for k in range(driven.size):
        row = driven[k].row
        functions.jet(functions_of, driven[k].function, args, rates, stack, jet)
        if rows[row].level == POSITION:
            Phi[row] -= jet[0]
            nu[row] = jet[1]
            gamma[row] += jet[2]
        elif rows[row].level == VELOCITY:
            nu[row] = jet[0]
            gamma[row] += jet[1]
        else:
            gamma[row] += jet[0]


@inlined
def factorise(system: System, ws: Workspace, eps):
    """Assemble S = D W D^T (+ eps diag S + compliance) and factorise it; D must be filled.

    The right-hand side ws.b is carried forward as well.
    """
    if system.dim == 2:
        planar.assemble_S(system.products, system.blank, system.bodies, ws.D, ws.S)
    else:
        spatial_products.assemble_S(system.products, system.blank, system.bodies, ws.D, ws.S)
    if system.carried.size > 0:
        rows_of_followers.add_products(system.carried, ws.E, ws.WE, ws.S)
    blocksolve.factorise(
        system.nodes,
        system.couplings,
        system.updates,
        eps,
        ws.options[COMPLIANCE],
        ws.S,
        ws.U,
        ws.F,
        ws.scale,
        ws.dropped,
        ws.b,
    )


@inlined
def right_side(system: System, ws: Workspace, f):
    """ws.b = D W f - gamma."""
    if system.dim == 2:
        planar.right_side(system.bodies, system.row_of, ws.D, f, ws.gamma, ws.b)
    else:
        spatial_products.right_side(system.bodies, system.row_of, ws.D, f, ws.gamma, ws.b)
    if system.followers.size > 0:
        rows_of_followers.add_right_side(
            system.dim,
            system.bodies,
            system.flexibles,
            system.followers,
            system.row_of,
            ws.elastic,
            ws.E,
            f,
            ws.b,
        )


@inlined
def times_D(system: System, ws: Workspace, v, out):
    """out = D v."""
    if system.dim == 2:
        planar.times_D(system.bodies, system.row_of, ws.D, v, out)
    else:
        spatial_products.times_D(system.bodies, system.row_of, ws.D, v, out)
    if system.followers.size > 0:
        rows_of_followers.add_times_E(
            system.bodies, system.flexibles, system.followers, system.row_of, ws.E, v, out
        )


@inlined
def times_W_without_D_transposed(system: System, ws: Workspace, f, lam, out):
    """out = W (f - D^T lam)."""
    if system.dim == 2:
        planar.times_W_without_D_transposed(system.bodies, system.row_of, ws.D, f, lam, out)
    else:
        spatial_products.times_W_without_D_transposed(
            system.bodies, system.row_of, ws.D, f, lam, out
        )
    if system.flexibles.size > 0:
        rows_of_followers.times_W_without_E_transposed(
            system.dim,
            system.bodies,
            system.flexibles,
            system.followers,
            system.row_of,
            ws.elastic,
            ws.E,
            f,
            lam,
            out,
        )


@inlined
def solve(system: System, ws: Workspace, x):
    """x = S^-1 ws.b; changes ws.b."""
    blocksolve.carry_forward(system.nodes, system.couplings, ws.U, ws.F, ws.b)
    blocksolve.substitute_back(system.nodes, system.couplings, ws.U, ws.F, ws.b, x)


@inlined
def solve_accelerations(system: System, ws: Workspace, factors_too):
    """Fill lam and a from f, D and gamma, and factorise S if it was not done before.

    lam = S^-1 (D W f - gamma),     a = W (f - D^T lam)
    """
    if ws.b.size > 0:
        right_side(system, ws, ws.f)
        if factors_too:
            factorise(system, ws, 0.0)
        else:
            blocksolve.carry_forward(system.nodes, system.couplings, ws.U, ws.F, ws.b)
        blocksolve.substitute_back(system.nodes, system.couplings, ws.U, ws.F, ws.b, ws.lam)
    times_W_without_D_transposed(system, ws, ws.f, ws.lam, ws.a)


@inlined
def iterate_accelerations(system: System, ws: Workspace, n_most):
    """Fill lam and a iteratively, from factors of S with eps diag S or a compliance added.

    Proximal iteration from lam = 0, with r = D a - gamma the error of the accelerations:
        (S + eps diag S) x = r,     lam <- lam + x
    until r stops shrinking. Away from Phi = 0, as in the stages of a step, redundant rows are slightly
    inconsistent; eps keeps this out of lam, whereas dropping rows would not. The resulting reactions are
    minimal in the norm weighted by the diagonal of S: evenly shared. With a compliance this is the
    augmented Lagrange iteration of the penalty method.
    """
    for k in range(ws.lam.size):
        ws.lam[k] = 0.0
    before = math.inf
    for n in range(n_most + 1):
        times_W_without_D_transposed(system, ws, ws.f, ws.lam, ws.a)
        times_D(system, ws, ws.a, ws.b)
        error = 0.0
        for k in range(ws.b.size):
            ws.b[k] -= ws.gamma[k]
            error = max(error, abs(ws.b[k]) / (1.0 + abs(ws.gamma[k])))
        if error < 1e-14 or not error < STALLED * before or n == n_most:
            break
        before = error
        solve(system, ws, ws.x)
        for k in range(ws.lam.size):
            ws.lam[k] += ws.x[k]


@inlined
def stabilise(system: System, ws: Workspace, v):
    """Baumgarte:  gamma -= 2 alpha (D v - nu) + beta^2 Phi,  as far as a row holds at each level."""
    if ws.options[TWO_ALPHA] != 0.0 or ws.options[BETA_SQUARED] != 0.0:
        velocity_residual(system, ws, v)
        for k in range(ws.gamma.size):
            ws.gamma[k] -= ws.options[TWO_ALPHA] * ws.b[k] + ws.options[BETA_SQUARED] * ws.Phi[k]


@kernel
def rates(dim, bodies, q, v, q_dot):
    """q_dot from v: the identity in the plane, the rates of the orientation parameters in space."""
    if dim == 2:
        for k in range(v.size):
            q_dot[k] = v[k]
        return
    for k in range(bodies.size):
        at = bodies[k].q_at
        v_at = bodies[k].v_at
        for c in range(3):
            q_dot[at + c] = v[v_at + c]
        w = v[v_at + 3 : v_at + 6]
        code = bodies[k].orientation
        if code < 0:
            quaternion.rate_body_into(q[at + 3 : at + 7], w, q_dot[at + 3 : at + 7])
        else:
            angles_dot = q_dot[at + 3 : at + 6]
            euler_angles.rates_body_into(code, q[at + 3 : at + 6], w, angles_dot)
            q_dot[at + 6] = 0.0
        for c in range(6, bodies[k].n_v):  # modes
            q_dot[at + 1 + c] = v[v_at + c]


@kernel
def note_lengths(dim, bodies, q, lengths):
    """Write |p| of every body's quaternion, 1 for Euler angles, into lengths; nothing in the plane."""
    if dim == 3:
        for k in range(bodies.size):
            at = bodies[k].q_at
            p = q[at + 3 : at + 7]
            length = math.sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3])
            lengths[k] = length if bodies[k].orientation < 0 else 1.0


@kernel
def normalise(dim, bodies, q):
    """Make every quaternion in q a unit one again."""
    if dim == 3:
        for k in range(bodies.size):
            if bodies[k].orientation < 0:
                at = bodies[k].q_at
                unit = q[at + 3 : at + 7]
                quaternion.normalise_into(unit, unit)


@kernel
def move(dim, bodies, q, dv, q_dot):
    """Change q by the small displacement dv, given like a velocity; changes q_dot too."""
    rates(dim, bodies, q, dv, q_dot)
    for k in range(q.size):
        q[k] += q_dot[k]
    normalise(dim, bodies, q)


@kernel
def remember_angles(terms, frames, angle, row):
    """Count turns in space: the angles of this state become the reference; bodies must be placed."""
    for k in range(terms.size):
        if spatial.counts_turns(terms[k].kind):
            spatial.coordinate(terms[k], frames, angle[k], row)
            angle[k] = row[0]


@kernel
def drop_dust(x):
    """Set the tiniest numbers of x to zero; changes x.

    Each proximal projection leaves eps of an error. What should be zero thus becomes smaller in every
    step until numbers lose their leading digits (1e-308), with which processors are very slow.
    """
    for k in range(x.size):
        if abs(x[k]) < DUST:
            x[k] = 0.0


@kernel
def largest(x):
    """The largest magnitude in x; NaN if there is one."""
    best = 0.0
    for k in range(x.size):
        size = abs(x[k])
        if size > best or size != size:  # comparisons with NaN are false: it stays
            best = size
    return best


@inlined
def velocity_residual(system: System, ws: Workspace, v):
    """Fill ws.b with D v - nu, zero where a row holds only for accelerations."""
    times_D(system, ws, v, ws.b)
    for k in range(ws.b.size):
        ws.b[k] -= ws.nu[k]
    if system.n_late > 0:
        for k in range(ws.b.size):
            if system.rows[k].level == ACCELERATION:
                ws.b[k] = 0.0
