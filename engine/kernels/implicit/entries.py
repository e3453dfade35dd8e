"""The entries of a mechanism that implicit methods call, see engine.kernels.linking.

`tangent` fills K and C, factorises [ A  D^T ; D  -e ] and solves with it. `newton` uses that for one
iteration of a method on y' = f(t, y), `step` for a step of a method that treats the constraints directly.

newton
------
An implicit method needs y = g + c f(t, y). Newton's correction of a residual r is (1 - c J) delta = r
with J = df/dy. For y = (q, v), with q varied by a displacement delta like a velocity and a from

    M a + D^T lam = f                     M da + D^T dlam = -K delta - C dv
    D a - e lam   = -g_ww + c_ddot - 2 alpha (D v - nu) - beta^2 Phi
                                          D da - e dlam = -(G_v + 2 alpha D) dv - (G_q + beta^2 D) delta
    G_v = v^T (H + H^T),     G_q = a^T H + 2 alpha v^T H

the unknown is dv, and delta = r_q + c dv, da = (dv - r_v) / c:

    [ M + c C + c^2 K             D^T ] [ dv     ]   [ M r_v - c K r_q                  ]
    [ s D + c G_v + c^2 G_q       -e  ] [ c dlam ] = [ D r_v - c (beta^2 D + G_q) r_q   ]
                                                     s = 1 + 2 alpha c + beta^2 c^2

H is that of engine.kernels.implicit.tangents. What is left out, one more derivative of the
constraints, is not stiff: the iteration converges with a factor of order (c w)^2, w the angular velocities.

Turns of quaternions need a factor E at K, see engine.kernels.implicit.displacements. States z of force laws
are condensed into K and C, see engine.kernels.implicit.tangents_of_interactions.
"""

import math

from engine.kernels import dynamics, inlined, kernel
from engine.kernels.acting import teeth
from engine.kernels.entries import DONE, FORCES, PLACE, PROXIMAL, RESIDUAL, ROWS
from engine.kernels.flexible.followers import gather_into, speeds_of, spread_into
from engine.kernels.implicit import linearised, tangents_of_flexible
from engine.kernels.implicit import tangents_of_interactions as states
from engine.kernels.implicit.displacements import (
    add_correction,
    add_to_quaternions,
    displace,
    to_displacement,
    turn_along,
    turn_columns,
)
from engine.kernels.implicit.tangent_layout import (
    BY,
    BY_POSE,
    BY_STATE,
    C1,
    C2,
    ROW,
    TANGENT_PROTOTYPES,
    E,
    Elimination,
    Tangents,
)
from engine.kernels.layout import (
    ACCELERATION,
    BETA_SQUARED,
    COMPLIANCE,
    POSITION,
    PROTOTYPES,
    PROXIMAL_STEPS,
    TWO_ALPHA,
    VELOCITY,
    System,
    Workspace,
)
from engine.kernels.linking import DERIVE, TANGENT, Entry, call, unpacker, vector

unpack_all = unpacker(*PROTOTYPES, *TANGENT_PROTOTYPES)

# --- tasks of `tangent` and `newton`
LINEARISE = 1  # K and C, where the last derive was
FACTORISE = 2
SOLVE = 4

NOT_CONVERGED = (
    8  # further status values, besides those of engine.kernels.entries and adaptive methods
)

# --- parameters of `step`
H, ALPHA_M, ALPHA_F, BETA, GAMMA, LEVEL, ITERATIONS = range(7)
N_PARAMETERS = 7
MAX_ITERATIONS = 25
CONVERGED = 1e-13  # relative to 1 + the displacement in a step
ROUNDING = 1e-12  # a correction this small that no longer shrinks is rounding
SLOW = 0.25  # corrections that shrink by less than this require a new matrix


@Entry
def tangent(table, t, y, out, more, tasks):
    """Linearise, factorise and solve by the weights in tan.factors; right-hand sides: tan.b and tan.c.

    The inertia of flexible bodies changes with their pose: `more` has the accelerations, where there are
    some.
    """
    system, ws, order, tan = unpack_all(table)
    n_q, n_v = ws.q_dot.size, ws.a.size
    if tasks & LINEARISE:
        state = vector(y, n_q + n_v + ws.z_dot.size)
        q, v, z = state[:n_q], state[n_q:], state[n_q + n_v :]
        linearised.linearise(table, system, ws, order, tan, t, q, v, z, vector(more, n_v))
    if tasks & FACTORISE:
        soft = ws.options[PROXIMAL_STEPS] > 0.0
        linearised.factorise(system, ws, order, tan, PROXIMAL if soft else 0.0)
    if tasks & SOLVE:
        linearised.solve(system, ws, order, tan)
    return DONE


@kernel
def set_weights(factors, c1, c2, e, left, right, by_a):
    """Write what is to be factorised; changes factors."""
    factors[C1] = c1
    factors[C2] = c2
    factors[E] = e
    factors[ROW] = 1.0
    factors[BY] = left
    factors[BY + 1] = right
    factors[BY + 2] = by_a


@inlined
def add_states(system: System, ws: Workspace, tan: Tangents, factor):
    """tan.b += factor f_z Y r_z: what states add to the forces on bodies; changes ws.push."""
    n_d = 3 if system.dim == 2 else 6
    acting, parts = system.interactions, (tan.by_z, tan.Y, tan.r_z)
    if system.followers.size == 0:
        states.add_states(n_d, system.carriers, acting, factor, *parts, tan.b)
        return
    linearised.clear(ws.push)
    states.add_states(n_d, system.carriers, acting, factor, *parts, ws.push)
    gather_into(
        system.dim, system.carriers, system.flexibles, system.followers, ws.elastic, ws.push, tan.b
    )


@inlined
def solve_states(system: System, ws: Workspace, tan: Tangents, delta, factor, dv, dz):
    """Fill dz by the displacement delta and the change dv of velocities; changes tan.r_z."""
    n_d = 3 if system.dim == 2 else 6
    acting = system.interactions
    if system.followers.size == 0:
        states.solve_states(
            n_d, system.carriers, acting, tan.by_z, tan.Y, delta, factor, dv, tan.r_z, dz
        )
        return
    spread_into(
        system.dim, system.carriers, system.flexibles, system.followers, ws.elastic, delta, ws.push
    )
    speeds = speeds_of(system, ws, dv)
    states.solve_states(
        n_d, system.carriers, acting, tan.by_z, tan.Y, ws.push, factor, speeds, tan.r_z, dz
    )


@inlined
def fill_newton_sides(
    system: System, ws: Workspace, order: Elimination, tan: Tangents, c, v, r_v, r_z
):
    """Fill tan.b and tan.c for the residuals (r_q, r_v, r_z) of `newton`; eta of r_q is in tan.delta."""
    dim = system.dim
    n_d = 3 if dim == 2 else 6
    two_alpha, beta_squared = ws.options[TWO_ALPHA], ws.options[BETA_SQUARED]
    for k in range(tan.b.size):
        tan.b[k] = 0.0
    linearised.add_M_times(system, ws, 1.0, r_v, tan.b)
    linearised.add_product(-c, system.bodies, order.blocks, tan.K, tan.delta, tan.b)
    if r_z.size > 0:
        for k in range(r_z.size):
            tan.r_z[k] = r_z[k] / c
        add_states(system, ws, tan, c)
    linearised.hold_particles(n_d, system.bodies, tan.b)
    dynamics.times_D(system, ws, r_v, tan.c)
    for k in range(tan.b.size):
        tan.x[k] = tan.delta[k]
    turn_along(dim, system.bodies, c, v, tan.x)
    dynamics.times_D(system, ws, tan.x, tan.c_left)
    linearised.subtract_bend(n_d, system.bodies, system.row_of, c, tan.G_pose, tan.x, tan.c)
    if system.followers.size > 0:
        tangents_of_flexible.subtract_bend(
            system.bodies,
            system.flexibles,
            system.followers,
            system.row_of,
            c,
            tan.GE_pose,
            tan.x,
            tan.c,
        )
    for k in range(tan.c.size):  # rows of higher level have a smaller s
        if system.rows[k].level == POSITION:
            tan.c[k] -= c * beta_squared * tan.c_left[k]
        elif system.rows[k].level == VELOCITY:
            tan.c[k] *= tan.factors[ROW] / (1.0 + c * two_alpha)
        else:
            tan.c[k] *= tan.factors[ROW]


@Entry
def newton(table, t, y, r, more, tasks):
    """Replace r by delta with (1 - c J) delta = r; c comes in `more`, and derive was called at y.

    Linearises and factorises first, if requested.
    """
    system, ws, order, tan = unpack_all(table)
    dim, n_q, n_v = system.dim, ws.q_dot.size, ws.a.size
    state, rest = vector(y, n_q + n_v), vector(r, n_q + n_v + ws.z_dot.size)
    q, v, r_q, r_v, r_z = state[:n_q], state[n_q:], rest[:n_q], rest[n_q:], rest[n_q + n_v :]
    c = vector(more, 1)[0]
    two_alpha, beta_squared = ws.options[TWO_ALPHA], ws.options[BETA_SQUARED]
    if tasks & FACTORISE:
        by_v = c + c * c * two_alpha
        set_weights(tan.factors, c, c * c, ws.options[COMPLIANCE], by_v, c, c * c)
        tan.factors[ROW] = 1.0 + c * (two_alpha + c * beta_squared)
        tan.factors[BY_POSE] = two_alpha
        tan.factors[BY_POSE + 2] = 1.0
        tan.factors[BY_STATE] = 1.0 / c
        if tasks & LINEARISE:
            call(TANGENT, table, t, y, r, ws.a, LINEARISE)
            turn_columns(dim, system.bodies, order.blocks, c, v, tan.K)
        call(TANGENT, table, t, y, r, r, FACTORISE)
    to_displacement(dim, system.bodies, q, r_q, c, v, tan.delta)
    fill_newton_sides(system, ws, order, tan, c, v, r_v, r_z)
    call(TANGENT, table, t, y, r, r, SOLVE)
    for k in range(n_v):
        r_v[k] = tan.x[k]
        tan.delta[k] += c * tan.x[k]
    dynamics.rates(dim, system.bodies, q, tan.delta, ws.q_dot)
    add_to_quaternions(dim, system.bodies, c, v, q, r_q, r_v, ws.q_dot)
    if r_z.size > 0:
        turn_along(dim, system.bodies, c, v, tan.delta)
        solve_states(system, ws, tan, tan.delta, 1.0, r_v, r_z)
    for k in range(n_q):
        r_q[k] = ws.q_dot[k]
    return DONE


@inlined
def part(x, which, n):
    """One of the consecutive parts of n numbers in x."""
    return x[which * n : (which + 1) * n]


@kernel
def follow(p, x, v0, a, a0, v, a_next, v_dot):
    """The new velocity, algorithmic and true acceleration that belong to the displacement x."""
    h = p[H]
    for k in range(x.size):
        new = (x[k] / h - v0[k] - h * (0.5 - p[BETA]) * a[k]) / (h * p[BETA])
        v[k] = v0[k] + h * ((1.0 - p[GAMMA]) * a[k] + p[GAMMA] * new)
        a_next[k] = new
        v_dot[k] = ((1.0 - p[ALPHA_M]) * new + p[ALPHA_M] * a[k] - p[ALPHA_F] * a0[k]) / (
            1.0 - p[ALPHA_F]
        )


@kernel
def scale_rows(level, rows, Phi, slip, gamma, by_v, by_a, c):
    """Fill c with the residual of every row, for a displacement; c holds -D v_dot."""
    for k in range(c.size):
        if rows[k].level == ACCELERATION:
            c[k] = (c[k] + gamma[k]) / by_a
        elif level == POSITION and rows[k].level == POSITION:
            c[k] = -Phi[k]
        else:
            c[k] = -slip[k] / by_v


@inlined
def fill_right_sides(system: System, ws: Workspace, tan: Tangents, level, by_v, by_a):
    """Fill tan.b = (f - M a1 - D^T lam)/a', with what states add, and tan.c; a1 is in tan.delta."""
    n_d = 3 if system.dim == 2 else 6
    for k in range(tan.b.size):
        tan.b[k] = ws.f[k]
    linearised.clear(tan.c)
    linearised.add_M_times(system, ws, -1.0, tan.delta, tan.b)
    linearised.take_rows(system, ws, tan, 1.0, 0.0, tan.delta, ws.lam, tan.b, tan.c)
    if tan.r_z.size > 0:
        add_states(system, ws, tan, 1.0)
    linearised.hold_particles(n_d, system.bodies, tan.b)
    for k in range(tan.b.size):
        tan.b[k] /= by_a
    scale_rows(level, system.rows, ws.Phi, ws.b, ws.gamma, by_v, by_a, tan.c)


@kernel
def copy(x, out):
    """Write x into out."""
    for k in range(x.size):
        out[k] = x[k]


@kernel
def follow_states(p, z, z0, Z, Z_next, z_dot, z_rate, r):
    """Fill the new algorithmic rates of states and the residuals of their rates; returns their s."""
    h = p[H]
    for k in range(z.size):
        new = ((z[k] - z0[k]) / h - (1.0 - p[GAMMA]) * Z[k]) / p[GAMMA]
        Z_next[k] = new
        asked = (1.0 - p[ALPHA_M]) * new + p[ALPHA_M] * Z[k] - p[ALPHA_F] * z_rate[k]
        r[k] = z_dot[k] - asked / (1.0 - p[ALPHA_F])
    return (1.0 - p[ALPHA_M]) / (h * p[GAMMA] * (1.0 - p[ALPHA_F]))


@inlined
def correct_states(system: System, ws: Workspace, tan: Tangents, by_v, z):
    """Correct the states for the displacement tan.x; changes z. Returns the largest change in its size."""
    solve_states(system, ws, tan, tan.x, by_v, tan.x, tan.dz)
    size = 0.0
    for k in range(z.size):
        z[k] += tan.dz[k]
        share = abs(tan.dz[k]) / (system.states[k].size + abs(z[k]))
        if not share <= size:
            size = share
    return size


@kernel
def predict(h, q, w, a, z_dot, q0, w0, x, z_rate):
    """Keep the state (q, w) with w = (v, z) and the rates of z, and go on with the rates a of w.

    x becomes the displacement, z in w its new value.
    """
    n_v = w.size - z_dot.size
    for k in range(q.size):
        q0[k] = q[k]
    for k in range(w.size):
        w0[k] = w[k]
        x[k] = h * (w[k] + 0.5 * h * a[k])
    for k in range(z_dot.size):
        z_rate[k] = z_dot[k]
        w[n_v + k] += h * a[n_v + k]


@Entry
def step(table, t, y, memory, more, flag):
    """One step of the generalised-alpha family on the constrained equations; derive was called at y.

    With the algorithmic acceleration A, kept in `memory`, and a = v_dot

        (1 - alpha_m) A1 + alpha_m A0 = (1 - alpha_f) a1 + alpha_f a0
        x  = h v0 + h^2 ((1/2 - beta) A0 + beta A1)          q1 = q0 displaced by x
        v1 = v0 + h ((1 - gamma) A0 + gamma A1)
        M a1 + D^T lam1 = f1          Phi(q1) = 0   (index 3)   or   D v1 = nu   (index 2)

    States follow the equations of v with rates Z in place of A:  z1 = z0 + h ((1 - gamma) Z0 + gamma Z1).

    Newton for x and lam; a1 changes with x by a' = (1 - alpha_m)/(h^2 beta (1 - alpha_f)), v1 by
    v' = gamma/(h beta), and the rate of a state with it by s = a'/v':

        [ M + v'/a' C + K/a'   D^T ] [ dx      ]   [ (f - M a1 - D^T lam)/a'             ]
        [ D                     0  ] [ dlam/a' ] = [ -Phi,  or (nu - D v1)/v' at velocities ]

    alpha_m = alpha_f = 0, beta = 1/4, gamma = 1/2 is the trapezoid. Changes y and memory.
    """
    system, ws, _, tan = unpack_all(table)
    dim, n_q, n_v = system.dim, ws.q_dot.size, ws.a.size
    n = n_v + ws.z_dot.size
    p, kept, state = vector(more, N_PARAMETERS), vector(memory, 4 * n), vector(y, n_q + n)
    q, w = state[:n_q], state[n_q:]
    a, w0, x, a_next = part(kept, 0, n), part(kept, 1, n), part(kept, 2, n), part(kept, 3, n)
    v, z, shift = w[:n_v], w[n_v:], x[:n_v]
    h = p[H]
    by_v = p[GAMMA] / (h * p[BETA])
    by_a = (1.0 - p[ALPHA_M]) / (h * h * p[BETA] * (1.0 - p[ALPHA_F]))
    predict(h, q, w, a, ws.z_dot, tan.q, w0, x, tan.z_rate)
    set_weights(tan.factors, by_v / by_a, 1.0 / by_a, 0.0, 0.0, 0.0, 0.0)
    before = math.inf
    tasks = LINEARISE | FACTORISE
    for _ in range(MAX_ITERATIONS):
        p[ITERATIONS] += 1.0
        follow(p, shift, w0, a, ws.a, v, a_next, tan.delta)
        displace(dim, system.bodies, tan.q, shift, q)
        call(DERIVE, table, t + h, y, y, y, PLACE | FORCES | ROWS | RESIDUAL)
        tan.factors[BY_STATE] = follow_states(
            p, z, w0[n_v:], a[n_v:], a_next[n_v:], ws.z_dot, tan.z_rate, tan.r_z
        )
        if ws.pressed.size > 0:
            teeth.press(table, system, ws, t + h, ws.lam)
        if tasks != 0:
            call(TANGENT, table, t + h, y, y, tan.delta, tasks)
        fill_right_sides(system, ws, tan, p[LEVEL], by_v, by_a)
        call(TANGENT, table, t + h, y, y, y, SOLVE)
        add_correction(dim, system.bodies, tan.x, shift)
        size = dynamics.largest(tan.x) / (1.0 + dynamics.largest(shift))
        size += correct_states(system, ws, tan, by_v, z)
        for k in range(ws.lam.size):
            ws.lam[k] += by_a * tan.y[k]
        if not math.isfinite(size):
            return NOT_CONVERGED
        tasks = 0
        if size <= CONVERGED or (size <= ROUNDING and size > 0.5 * before):
            follow(p, shift, w0, a, ws.a, v, a_next, tan.delta)
            displace(dim, system.bodies, tan.q, shift, q)
            follow_states(p, z, w0[n_v:], a[n_v:], a_next[n_v:], ws.z_dot, tan.z_rate, tan.r_z)
            copy(a_next, a)
            return DONE
        if size > SLOW * before:
            tasks = LINEARISE | FACTORISE
        before = size
    return NOT_CONVERGED
