"""Accelerations, multipliers and projections of one state, in the plane and in space.

    [ M  D^T ] [ a   ]   [ f     ]            S lam = D W f - gamma,      S = D W D^T,  W = M^-1
    [ D   0  ] [ lam ] = [ gamma ]            a     = W (f - D^T lam)

Every function changes the workspace (and q, v where it says so) and nothing else.
"""

import math

from engine.kernels import blocksolve, forces, functions, inlined, kernel, planar, spatial
from engine.kernels.layout import (
    ACCELERATION,
    ANGLE,
    POINT,
    POSITION,
    VELOCITY,
    System,
    Workspace,
)
from rotations import euler_angles, quaternion

MAX_CORRECTIONS = 12
MAX_PROXIMAL = 40
PROXIMAL = (
    1e-6  # eps of the proximal iteration: large enough for S to be regular, small to converge
)
STALLED = 0.9  # the error must shrink by this much in an iteration that is worth another
NEGLIGIBLE = (
    1e-9  # [m, rad] a change of pose that S does not feel: relative error of lam below 1e-9
)


@inlined
def place(system: System, ws: Workspace, q, v):
    """Place all bodies at the state (q, v)."""
    if system.dim == 2:
        planar.place_bodies(system.n_bodies, q, v, ws.planar)
    else:
        spatial.place_bodies(system.n_bodies, system.bodies, q, v, ws.spatial)


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
    if system.n_late > 0:
        for k in range(ws.Phi.size):
            if system.rows[k].level != POSITION:
                ws.Phi[k] = 0.0


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
    """Assemble S = D W D^T (+ eps diag S) and factorise it; D must be filled."""
    if system.dim == 2:
        planar.assemble_S(system.n_bodies, system.bodies, system.entries, ws.D, ws.S)
    else:
        spatial.assemble_S(system.n_bodies, system.bodies, system.entries, ws.D, ws.S)
    blocksolve.factorise(
        system.nodes,
        system.couplings,
        system.updates,
        eps,
        ws.S,
        ws.L,
        ws.inv,
        ws.scale,
        ws.dropped,
    )


@inlined
def right_side(system: System, ws: Workspace, f):
    """ws.b = D W f - gamma."""
    if system.dim == 2:
        planar.right_side(system.n_bodies, system.bodies, system.row_of, ws.D, f, ws.gamma, ws.b)
    else:
        spatial.right_side(system.n_bodies, system.bodies, system.row_of, ws.D, f, ws.gamma, ws.b)


@inlined
def times_D(system: System, ws: Workspace, v, out):
    """out = D v."""
    if system.dim == 2:
        planar.times_D(system.n_bodies, system.bodies, system.row_of, ws.D, v, out)
    else:
        spatial.times_D(system.n_bodies, system.bodies, system.row_of, ws.D, v, out)


@inlined
def times_W_without_D_transposed(system: System, ws: Workspace, f, lam, out):
    """out = W (f - D^T lam)."""
    if system.dim == 2:
        planar.times_W_without_D_transposed(
            system.n_bodies, system.bodies, system.row_of, ws.D, f, lam, out
        )
    else:
        spatial.times_W_without_D_transposed(
            system.n_bodies, system.bodies, system.row_of, ws.D, f, lam, out
        )


@inlined
def solve(system: System, ws: Workspace, x):
    """x = S^-1 ws.b; changes ws.b."""
    blocksolve.solve(system.nodes, system.couplings, ws.L, ws.inv, ws.b, x)


@inlined
def solve_accelerations(system: System, ws: Workspace):
    """Fill lam and a from f, D, gamma and the factors of S.

    lam = S^-1 (D W f - gamma),     a = W (f - D^T lam)
    """
    if ws.b.size > 0:
        right_side(system, ws, ws.f)
        solve(system, ws, ws.lam)
    times_W_without_D_transposed(system, ws, ws.f, ws.lam, ws.a)


@inlined
def accelerate(system: System, ws: Workspace, t, q, v):
    """Fill ws.a and ws.lam at the state (t, q, v)."""
    place(system, ws, q, v)
    forces.apply(system, ws, t, v)
    if ws.Phi.size > 0:
        constrain(system, ws, t)
        factorise(system, ws, 0.0)
    solve_accelerations(system, ws)


@kernel
def evaluate(system: System, ws: Workspace, t, q, v, values, speeds):
    """Fill the workspace with everything about one state, and write all coordinates and rates.

    The one way in from Python: each further one would link and optimise all kernels again.
    """
    accelerate(system, ws, t, q, v)
    for k in range(system.terms.size):
        if system.terms[k].kind != POINT:
            speeds[k] = forces.measure(
                system.dim,
                system.n_bodies,
                system.terms[k],
                ws.planar,
                ws.spatial,
                ws.angle[k],
                v,
                ws.row,
            )
            values[k] = ws.row[0]


@kernel
def solve_redundant(system: System, ws: Workspace):
    """Fill lam and a where joints are redundant: the smallest lam that gives the accelerations.

    Proximal iteration from lam = 0, with r = D a - gamma the error of the accelerations:
        (S + eps diag S) x = r,     lam <- lam + x
    until r stops to shrink. Away from Phi = 0, as in the stages of a step, rows that repeat each other
    contradict each other a little; eps keeps this out of lam, where dropping rows would let it in. The
    reactions that come out, weighed by the diagonal of S, are the least: evenly shared.
    """
    for k in range(ws.lam.size):
        ws.lam[k] = 0.0
    factorise(system, ws, PROXIMAL)
    before = math.inf
    for _ in range(MAX_PROXIMAL):
        times_W_without_D_transposed(system, ws, ws.f, ws.lam, ws.a)
        times_D(system, ws, ws.a, ws.b)
        error = 0.0
        for k in range(ws.b.size):
            ws.b[k] -= ws.gamma[k]
            error = max(error, abs(ws.b[k]) / (1.0 + abs(ws.gamma[k])))
        if error < 1e-14 or not error < STALLED * before:
            break
        before = error
        solve(system, ws, ws.x)
        for k in range(ws.lam.size):
            ws.lam[k] += ws.x[k]


@kernel
def rates(dim, n_bodies, bodies, q, v, q_dot):
    """q_dot from v: the identity in the plane, the rates of the orientation parameters in space."""
    if dim == 2:
        for k in range(v.size):
            q_dot[k] = v[k]
        return
    for k in range(n_bodies):
        for c in range(3):
            q_dot[7 * k + c] = v[6 * k + c]
        w = v[6 * k + 3 : 6 * k + 6]
        code = bodies[k].orientation
        if code < 0:
            quaternion.rate_body_into(q[7 * k + 3 : 7 * k + 7], w, q_dot[7 * k + 3 : 7 * k + 7])
        else:
            angles_dot = q_dot[7 * k + 3 : 7 * k + 6]
            euler_angles.rates_body_into(code, q[7 * k + 3 : 7 * k + 6], w, angles_dot)
            q_dot[7 * k + 6] = 0.0


@kernel
def normalise(dim, n_bodies, bodies, q):
    """Make every quaternion in q a unit one again."""
    if dim == 3:
        for k in range(n_bodies):
            if bodies[k].orientation < 0:
                unit = q[7 * k + 3 : 7 * k + 7]
                quaternion.normalise_into(unit, unit)


@kernel
def move(dim, n_bodies, bodies, q, dv, q_dot):
    """Change q by the small displacement dv, given like a velocity; changes q_dot too."""
    rates(dim, n_bodies, bodies, q, dv, q_dot)
    for k in range(q.size):
        q[k] += q_dot[k]
    normalise(dim, n_bodies, bodies, q)


@kernel
def remember_angles(terms, frames, angle, row):
    """Count turns in space: the angles of this state become the reference; bodies must be placed."""
    for k in range(terms.size):
        if terms[k].kind == ANGLE:
            spatial.coordinate(terms[k], frames, angle[k], row)
            angle[k] = row[0]


@kernel
def largest(x):
    """The largest magnitude in x; NaN if there is one."""
    best = 0.0
    for k in range(x.size):
        if not abs(x[k]) <= best:
            best = abs(x[k])
    return best


@inlined
def correct_position(system: System, ws: Workspace, q):
    """One Newton step towards Phi = 0, weighed by mass; changes q. Returns the largest change.

    dq = -W D^T S^-1 Phi
    """
    for k in range(ws.b.size):
        ws.b[k] = ws.Phi[k]
    solve(system, ws, ws.x)
    times_W_without_D_transposed(system, ws, ws.zero, ws.x, ws.dv)
    move(system.dim, system.n_bodies, system.bodies, q, ws.dv, ws.q_dot)
    return largest(ws.dv)


@inlined
def velocity_residual(system: System, ws: Workspace, v):
    """Fill ws.b with D v - nu, zero where a row holds only for accelerations; returns its largest."""
    times_D(system, ws, v, ws.b)
    for k in range(ws.b.size):
        ws.b[k] -= ws.nu[k]
    if system.n_late > 0:
        for k in range(ws.b.size):
            if system.rows[k].level == ACCELERATION:
                ws.b[k] = 0.0
    return largest(ws.b)


@inlined
def correct_velocity(system: System, ws: Workspace, v):
    """v -= W D^T S^-1 (D v - nu), with ws.b = D v - nu; changes v."""
    solve(system, ws, ws.x)
    times_W_without_D_transposed(system, ws, ws.zero, ws.x, ws.dv)
    for k in range(v.size):
        v[k] += ws.dv[k]


@kernel
def project(system: System, ws: Workspace, t, q, v, tolerance):
    """Bring (q, v) back to Phi = 0 and D v = nu, and leave D, gamma and the factors of S ready.

    Position and velocity are corrected together at least once, so that they are exact to rounding:
    near a singular pose even 1e-12 m would be felt. One factorisation serves as long as the
    corrections are so small that S does not feel them. Returns the largest |Phi| before and after.
    """
    opened = 0.0
    gap = 0.0
    moved = 1.0
    for n in range(MAX_CORRECTIONS):
        place(system, ws, q, v)
        constrain(system, ws, t)
        if not moved <= NEGLIGIBLE:
            factorise(system, ws, 0.0)
        gap = largest(ws.Phi)
        if n == 0:
            opened = gap
        slip = velocity_residual(system, ws, v)
        if gap <= tolerance and slip <= tolerance and (n > 0 or gap + slip == 0.0):
            break
        correct_velocity(system, ws, v)
        moved = correct_position(system, ws, q)
        if not math.isfinite(moved):
            break
    return opened, gap
