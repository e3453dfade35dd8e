"""The entries of a mechanism that integrators and other code call, see engine.kernels.linking.

The state is y = (q, v, z, work), one number after the other.
"""

import math

from engine.kernels import dynamics, forces, inlined, kernel
from engine.kernels.acting import gates, interactions, joint_friction, nearness, powers, teeth
from engine.kernels.flexible.followers import accelerations_of, speeds_of
from engine.kernels.flexible.inertia import let_modes_stay
from engine.kernels.layout import (
    COMPLIANCE,
    FREE,
    GAP,
    HASTE,
    JAMMED_AT,
    LENGTHS,
    LOCK,
    LOCK_BODY,
    LOCK_LIMIT,
    MODES_STAY,
    OPEN_GAP,
    POINT,
    PROJECTED,
    PROXIMAL_STEPS,
    SPIN,
    STEP,
    TOLERANCE,
    System,
    Workspace,
)
from engine.kernels.linking import DERIVE, FORCE, MEET, POWER, PRESS, Entry, call, unpack, vector
from rotations import gimbal_lock

# --- tasks of `derive`
PLACE = 1  # the bodies
FORCES = 2
ROWS = 4  # Phi, D, nu, gamma
FACTORS = 8  # of S
ACCELERATIONS = 16  # and multipliers
RATES = 32  # y_dot
RESIDUAL = 64  # b = D v - nu, as far as rows hold for velocities
CORRECTION = 128  # x = S^-1 b
REACTIONS = 256  # dv = -W D^T x
MISSING = 512  # the factors too, unless a projection has just left them
MODES_LITTLE = 1024  # with the W of a projection that moves fast modes little, until PLACE
EVERYTHING = PLACE | FORCES | ROWS | FACTORS | ACCELERATIONS | RATES
AFTER_CORRECTION = FORCES | MISSING | ACCELERATIONS | RATES  # the rest is ready then

# --- tasks of `modes`, besides 0
WITH_SLOPES, HOLD, RELEASE = 1, 2, 3
NOTE = 4  # of `meet`: note how fast shapes close that are apart and held on no branch

# --- how a step may end
DONE, DIVERGED, OPEN_JOINT, LOCKED = range(4)
JAMMED = 9  # after those of adaptive and implicit methods

HUGE = 1e150  # a speed or acceleration beyond this is meaningless
MAX_CORRECTIONS = 12
# eps for redundant rows. Open joints make dependent rows look independent: S then has an eigenvalue of
# about the residual squared, and eps must be far above it. It should be far below all others, for speed.
PROXIMAL = 1e-6  # in the stages of a step, whose joints are open by about h^2
PROXIMAL_CLOSED = 1e-9  # in a projection, whose joints are nearly closed
MAX_PRESSINGS = 40  # of radial tooth forces, each with a solution
EXACT_PRESSURE = 1e-14  # a misfit of them, relative to their size
SLIGHT_PRESSURE = 1e-3  # of the largest of all forces: teeth that carry less may do so less exactly
ROUNDED_PRESSURE = 1e-9  # a misfit this small that no longer shrinks is rounding
SMALL_PIVOT = 1e-3  # of the diagonal of S
NEGLIGIBLE = 1e-9  # [m, rad] a change of pose that S tolerates: relative error of lam below 1e-9


@inlined
def place(system: System, ws: Workspace, q, v, tasks):
    """Place the bodies and choose W, as far as it is asked for; changes the workspace."""
    if tasks & PLACE:
        dynamics.place(system, ws, q, v)
    if tasks & MODES_LITTLE:
        let_modes_stay(system.dim, system.flexibles, system.shapes, ws.elastic)


@Entry
def derive(table, t, y, y_dot, more, tasks):
    """y_dot = (q_dot, a, z_dot, power) at (t, y), or the chosen parts of that; changes the workspace."""
    system, ws = unpack(table)
    n_q, n_v = ws.q_dot.size, ws.a.size
    state = vector(y, n_q + n_v)
    q, v = state[:n_q], state[n_q:]
    n_proximal = int(ws.options[PROXIMAL_STEPS])
    if tasks & MISSING and ws.options[PROJECTED] == 0.0:
        tasks |= FACTORS
    place(system, ws, q, v, tasks)
    if tasks & FORCES:
        forces.start(system, ws, q, v)
        teeth.release(ws.pressed)
        if system.loads.size + system.laws.size + system.interactions.size > 0:
            call(FORCE, table, t, y, y_dot, more, 0)
    if ws.Phi.size > 0:
        if tasks & ROWS:
            dynamics.constrain(system, ws, t)
            dynamics.stabilise(system, ws, v)
        if tasks & FACTORS and (n_proximal > 0 or not tasks & ACCELERATIONS):
            eps = PROXIMAL if tasks & ACCELERATIONS else PROXIMAL_CLOSED
            regular = n_proximal == 0 or ws.options[COMPLIANCE] > 0.0
            dynamics.factorise(system, ws, 0.0 if regular else eps)
    if tasks & ACCELERATIONS:
        if n_proximal > 0:
            dynamics.iterate_accelerations(system, ws, n_proximal)
        else:
            dynamics.solve_accelerations(system, ws, tasks & FACTORS)
        if ws.pressed.size > 0 and tasks & FORCES:
            call(PRESS, table, t, y, y_dot, more, 0)
    if tasks & RATES:
        rates = vector(y_dot, n_q + n_v + ws.z_dot.size)
        dynamics.rates(system.dim, system.bodies, q, v, rates[:n_q])
        for k in range(n_v):
            rates[n_q + k] = ws.a[k]
        for k in range(ws.z_dot.size):
            rates[n_q + n_v + k] = ws.z_dot[k]
        if ws.power.size > 0:
            call(POWER, table, t, y, y_dot, more, 0)
    if tasks & RESIDUAL:
        dynamics.velocity_residual(system, ws, v)
    if tasks & CORRECTION:
        dynamics.solve(system, ws, ws.x)
    if tasks & REACTIONS:
        dynamics.times_W_without_D_transposed(system, ws, ws.zero, ws.x, ws.dv)
    return DONE


@Entry
def force(table, t, y, out, more, flag):
    """Add loads and laws to ws.f and fill ws.z_dot; bodies must be placed."""
    system, ws = unpack(table)
    n_q, n_v, n_z = ws.q_dot.size, ws.a.size, ws.z_dot.size
    state = vector(y, n_q + n_v + n_z)
    forces.add(system, ws, t, speeds_of(system, ws, state[n_q:]))
    if system.interactions.size > 0:
        interactions.add(table, system, ws, t, state[n_q + n_v :])
    forces.gather(system, ws)
    return DONE


@Entry
def power(table, t, y, out, more, flag):
    """Fill ws.power and the end of out, a rate of y; forces and multipliers must be known."""
    system, ws = unpack(table)
    n_q, n_v = ws.q_dot.size, ws.a.size
    n_motion = n_q + n_v + ws.z_dot.size
    v = vector(y, n_q + n_v)[n_q:]
    powers.fill(system, ws, t, v, speeds_of(system, ws, v))
    rates = vector(out, n_motion + ws.power.size)
    for k in range(ws.power.size):
        rates[n_motion + k] = ws.power[k]
    return DONE


@Entry
def press(table, t, y, out, more, flag):
    """Solve again with the tooth forces and the friction that belong to the multipliers, until all agree.

    Where joints hold the distance of the wheels, a radial force moves nothing and changes the multipliers
    of these joints alone: the second solution is final. Where nothing holds it, a radial force may load the
    teeth more than it follows from: they jam, and there is no solution.
    """
    system, ws = unpack(table)
    n, n_teeth = ws.pressed.size // 3, system.meshings.size
    pressed, misfit, before = ws.pressed[:n], ws.pressed[n : 2 * n], ws.pressed[2 * n :]
    share = 1.0
    last = math.inf
    ws.since[JAMMED_AT] = 0.0
    teeth.stand(system, ws)
    for k in range(MAX_PRESSINGS):
        least = SLIGHT_PRESSURE * max(dynamics.largest(ws.lam), dynamics.largest(ws.f))
        left = max(
            teeth.measure(system.meshings, ws.spatial, ws.lam, least, pressed, misfit),
            joint_friction.measure(system, ws, ws.lam, least, pressed[n_teeth:], misfit[n_teeth:]),
        )
        if k == 1 and joint_friction.grows(before[n_teeth:], misfit[n_teeth:]):
            break
        if left <= EXACT_PRESSURE or (left <= ROUNDED_PRESSURE and left > 0.5 * last):
            return DONE
        if k > 0:
            share = teeth.relaxation(before, misfit, share)
        last = left
        joint_friction.add(
            table, system, ws, t, share, misfit[n_teeth:], before[n_teeth:], pressed[n_teeth:]
        )
        teeth.add(
            system.carriers, system.meshings, ws.spatial, share, misfit, before, pressed, ws.f
        )
        forces.gather(system, ws)
        call(DERIVE, table, t, y, out, more, ACCELERATIONS)
    ws.since[JAMMED_AT] = 1.0 + teeth.largest_of(misfit)
    return DONE


@Entry
def correct(table, t, y, out, more, flag):
    """Close the joints if requested, monitor the state, and leave D ready for AFTER_CORRECTION.

    Changes y, the workspace and the monitored values. Returns the status.
    """
    system, ws = unpack(table)
    n_q, n_v = ws.q_dot.size, ws.a.size
    state = vector(y, n_q + n_v)
    q, v = state[:n_q], state[n_q:]
    dynamics.note_lengths(system.dim, system.bodies, q, ws.since[LENGTHS:])
    dynamics.normalise(system.dim, system.bodies, q)
    opened = 0.0
    left = 0.0
    if ws.Phi.size > 0 and ws.options[PROJECTED] > 0.0:
        opened, left = project(table, t, system, ws, q, v)
    else:
        call(DERIVE, table, t, y, out, more, PLACE | ROWS)
        opened = dynamics.largest(ws.Phi)
    if system.n_contacts > 0:
        call(MEET, table, t, y, out, more, NOTE)
        ws.since[HASTE] = nearness.haste(system, ws)
    ws.since[GAP] = max(ws.since[GAP], opened)
    measure, body = nearest_lock(system.dim, system.bodies, q)
    if not measure >= ws.since[LOCK]:
        ws.since[LOCK] = measure
        ws.since[LOCK_BODY] = body
    if not (dynamics.largest(q) < HUGE and dynamics.largest(v) < HUGE):
        return DIVERGED
    if not left <= ws.options[OPEN_GAP]:
        return OPEN_JOINT
    if ws.since[JAMMED_AT] > 0.0:
        return JAMMED
    if body >= 0 and measure < ws.options[LOCK_LIMIT] + ws.options[STEP] * spin(
        system.bodies[body], v
    ):
        return LOCKED
    if system.dim == 3:
        dynamics.remember_angles(system.terms, ws.spatial, ws.angle, ws.row)
        ws.since[SPIN] = 0.0
        for k in range(system.n_bodies):
            ws.since[SPIN] = max(ws.since[SPIN], spin(system.bodies[k], v))
    return DONE


@inlined
def project(table, t, system: System, ws: Workspace, q, v):
    """Bring (q, v), one behind the other, back to Phi = 0 and D v = nu, and leave D and S ready.

    dq = -W D^T S^-1 Phi          dv = -W D^T S^-1 (D v - nu)

    Position and velocity are corrected together at least once, so that they are exact to rounding:
    near a singular pose even 1e-12 m would matter. One factorisation is reused as long as the corrections
    are too small to affect S. Returns the largest |Phi| before and after.

    Redundant rows are not dropped: S + eps diag S replaces S, and each round is a proximal
    step. A pivot vanishes where the redundancy moves from one row to another; just beside such a pose
    it is small and the last pivot, which should be zero, is rounding divided by it.
    """
    opened = 0.0
    stays = system.flexibles.size > 0 and ws.options[MODES_STAY] > 0.0
    gap = 0.0
    moved = 1.0
    tolerance = ws.options[TOLERANCE]
    for n in range(MAX_CORRECTIONS):
        tasks = PLACE | ROWS | RESIDUAL
        if stays:
            tasks |= MODES_LITTLE
        if not moved <= NEGLIGIBLE:
            tasks |= FACTORS
        call(DERIVE, table, t, q, q, q, tasks)
        gap = dynamics.largest(ws.Phi)
        if n == 0:
            opened = gap
        slip = dynamics.largest(ws.b)
        if gap <= tolerance and slip <= tolerance and (n > 0 or gap + slip == 0.0):
            break
        call(DERIVE, table, t, q, q, q, CORRECTION | REACTIONS)
        for k in range(v.size):
            v[k] += ws.dv[k]
        for k in range(ws.b.size):
            ws.b[k] = ws.Phi[k]
        call(DERIVE, table, t, q, q, q, CORRECTION | REACTIONS)
        dynamics.move(system.dim, system.bodies, q, ws.dv, ws.q_dot)
        moved = dynamics.largest(ws.dv)
        if not math.isfinite(moved):
            break
    if ws.options[PROXIMAL_STEPS] > 0.0:
        dynamics.drop_dust(q)
        dynamics.drop_dust(v)
    if stays:  # for accelerations S is that of W
        call(DERIVE, table, t, q, q, q, PLACE | ROWS | FACTORS)
    return opened, gap


@Entry
def measure(table, t, y, values, speeds, flag):
    """Fill the workspace with everything about one state, and write all coordinates and rates."""
    call(DERIVE, table, t, y, values, values, EVERYTHING & ~RATES)
    system, ws = unpack(table)
    n_q, n_v, n = ws.q_dot.size, ws.a.size, system.terms.size
    v = speeds_of(system, ws, vector(y, n_q + n_v)[n_q:])
    x, rate = vector(values, n), vector(speeds, n)
    for k in range(n):
        if system.terms[k].kind != POINT:
            rate[k] = forces.measure(
                system.dim,
                system.carriers,
                system.terms[k],
                ws.planar,
                ws.spatial,
                ws.angle[k],
                v,
                ws.row,
            )
            x[k] = ws.row[0]
    return DONE


@Entry
def pivots(table, t, y, out, more, flag):
    """How many pivots of the last factors of S are small: of redundant rows, and near singular poses."""
    system, ws = unpack(table)
    n_small = 0
    for n in range(system.nodes.size):
        node = system.nodes[n]
        for p in range(node.size):
            inv_pivot = ws.F[node.diagonal + p * node.size + p]  # 0: dropped
            n_small += not 0.0 < SMALL_PIVOT * inv_pivot * ws.scale[node.first + p] < 1.0
    return n_small


@Entry
def modes(table, t, y, out, more, task):
    """Write on which branch each switch is at (t, y); changes the workspace.

    WITH_SLOPES: behind them stand the rates of what they watch, x_dot or x_ddot; y_dot is in `more`.
    HOLD: nothing is written; laws are held on the branches in `out` from now on. RELEASE: on none.
    """
    system, ws = unpack(table)
    n_q, n_v, n = ws.q_dot.size, ws.a.size, system.switches.size
    mode = vector(out, 2 * n if task == WITH_SLOPES else n)
    if system.n_contacts > 0 and (task == HOLD or task == RELEASE):
        call(MEET, table, t, y, out, more, task)
    if task == HOLD or task == RELEASE:
        for k in range(n):
            if system.switches[k].law >= 0:
                ws.held[system.switches[k].law] = mode[k] if task == HOLD else FREE
        return DONE
    is_loaded = gates.any_closed(system.gates)
    call(DERIVE, table, t, y, out, more, EVERYTHING & ~RATES if is_loaded else PLACE)
    v = speeds_of(system, ws, vector(y, n_q + n_v)[n_q:])
    for k in range(n):
        switch = system.switches[k]
        if switch.contact >= 0:
            continue
        if switch.gate >= 0:
            reported, rate = gates.look(system, ws, switch.gate, v)
            mode[k] = float(reported)
            if task == WITH_SLOPES:
                mode[n + k] = rate
            continue
        of = switch.term if switch.law < 0 else system.laws[switch.law].term
        term, turns = system.terms[of], ws.angle[of]
        rate = forces.measure(
            system.dim, system.carriers, term, ws.planar, ws.spatial, turns, v, ws.row
        )
        x = ws.row[0]
        if switch.law >= 0:
            law = system.laws[switch.law]
            mode[k] = forces.branch(law, system.functions, t, x, rate, ws.args, ws.stack)
        else:
            mode[k] = 1.0 if (rate if switch.of_rate == 1 else x) >= switch.value else 0.0
        if task == WITH_SLOPES:
            mode[n + k] = rate
            if switch.of_rate == 1:  # x_ddot = D a + g_ww
                a = accelerations_of(system, ws, vector(more, n_q + n_v)[n_q:])
                mode[n + k] = ws.row[1] + forces.measure(
                    system.dim, system.carriers, term, ws.planar, ws.spatial, turns, a, ws.row
                )
    if system.n_contacts > 0:
        call(MEET, table, t, y, out, more, task)
    return DONE


@kernel
def nearest_lock(dim, bodies, q):
    """The smallest singularity measure of all bodies on Euler angles, and its body; 1 if none."""
    smallest = 1.0
    body = -1
    if dim == 3:
        for k in range(bodies.size):
            code = bodies[k].orientation
            if code >= 0:
                at = bodies[k].q_at
                measure = gimbal_lock.measure_of(code, q[at + 3 : at + 6])
                if not measure >= smallest:
                    smallest = measure
                    body = k
    return smallest, body


@kernel
def spin(body, v):
    """The size of a body's angular velocity in space."""
    at = body.v_at + 3
    return math.sqrt(v[at] ** 2 + v[at + 1] ** 2 + v[at + 2] ** 2)
