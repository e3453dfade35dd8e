"""The entries of a mechanism that implicit methods call, see engine.kernels.linking.

`tangent` fills K and C, factorises [ A  D^T ; D  -e ] and solves with it. `newton` uses that for one
iteration of a method on y' = f(t, y), `step` for a step of a method that treats the constraints directly.

newton
------
An implicit method asks for y = g + c f(t, y). Newton's correction of a residual r is (1 - c J) delta = r
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

A quaternion is added to like any other number, and q_dot = q o w / 2. With p = 1 - c w/2, s = c w/2

    dq o p = r_q + c/2 q o dw      2 conj(q) o dq = delta = E (eta + c dw)      E x = (x - s x x)/(1 + s^2)

where c^2 K becomes c^2 K E. For Euler angles E = 1 is used, which costs a factor of order c w.
"""

import math

from engine.kernels import dynamics, inlined, kernel, spatial
from engine.kernels.entries import DONE, FORCES, PLACE, PROXIMAL, RESIDUAL, ROWS
from engine.kernels.implicit import linearised
from engine.kernels.implicit.tangent_layout import (
    BY,
    BY_POSE,
    C1,
    C2,
    ROW,
    TANGENT_PROTOTYPES,
    E,
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
from rotations import euler_angles, quaternion

unpack_all = unpacker(*PROTOTYPES, *TANGENT_PROTOTYPES)

# --- what `tangent` and `newton` are asked to do
LINEARISE = 1  # K and C, where the last derive was
FACTORISE = 2
SOLVE = 4

NOT_CONVERGED = (
    8  # how a step may end, besides those of engine.kernels.entries and adaptive methods
)

# --- parameters of `step`
H, ALPHA_M, ALPHA_F, BETA, GAMMA, LEVEL, ITERATIONS = range(7)
N_PARAMETERS = 7
MAX_ITERATIONS = 25
CONVERGED = 1e-13  # relative to 1 + the displacement in a step
ROUNDING = 1e-12  # a correction this small that does not shrink any more is rounding
SLOW = 0.25  # corrections that shrink by less than this ask for a new matrix


@Entry
def tangent(table, t, y, out, more, tasks):
    """Linearise, factorise and solve by the weights in tan.factors; right-hand sides: tan.b and tan.c."""
    system, ws, order, tan = unpack_all(table)
    n_q, n_v = ws.q_dot.size, ws.a.size
    if tasks & LINEARISE:
        v = vector(y, n_q + n_v)[n_q:]
        linearised.linearise(system, ws, order, tan, t, v, ws.lam)
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


@kernel
def to_displacement(dim, bodies, q, q_dot, c, v, delta):
    """The displacement eta, given like a velocity, of a small change q_dot of the coordinates."""
    if dim == 2:
        for k in range(delta.size):
            delta[k] = q_dot[k]
        return
    for k in range(bodies.size):
        at = bodies[k].q_at
        v_at = bodies[k].v_at
        for n in range(3):
            delta[v_at + n] = q_dot[at + n]
        turn = delta[v_at + 3 : v_at + 6]
        code = bodies[k].orientation
        if code < 0:
            # E eta = 2 (x o conj(p)) / (1 + s^2) without its first number, x = conj(q) o q_dot = (x0, x):
            # eta = 2 x + 2 x0 s
            p = q[at + 3 : at + 7]
            r = q_dot[at + 3 : at + 7]
            w = v[v_at + 3 : v_at + 6]
            longer = p[0] * r[0] + p[1] * r[1] + p[2] * r[2] + p[3] * r[3]
            turn[0] = 2.0 * (p[0] * r[1] - p[1] * r[0] - p[2] * r[3] + p[3] * r[2])
            turn[1] = 2.0 * (p[0] * r[2] - p[2] * r[0] - p[3] * r[1] + p[1] * r[3])
            turn[2] = 2.0 * (p[0] * r[3] - p[3] * r[0] - p[1] * r[2] + p[2] * r[1])
            for n in range(3):
                turn[n] += longer * c * w[n]
        else:
            angles = q[at + 3 : at + 6]
            euler_angles.velocity_body_into(code, angles, q_dot[at + 3 : at + 6], turn)


@kernel
def turn_along(dim, bodies, c, v, x):
    """x <- E x for the turns in space."""
    if dim == 3:
        for k in range(bodies.size):
            if bodies[k].orientation < 0:
                at = bodies[k].v_at + 3
                s = (0.5 * c * v[at], 0.5 * c * v[at + 1], 0.5 * c * v[at + 2])
                across = spatial.cross(s, (x[at], x[at + 1], x[at + 2]))
                inv = 1.0 / (1.0 + spatial.dot(s, s))
                for n in range(3):
                    x[at + n] = inv * (x[at + n] - across[n])


@kernel
def turn_columns(dim, bodies, blocks, c, v, K):
    """K <- K E: a row k of it becomes (k + s x k) / (1 + s^2)."""
    if dim == 3:
        for k in range(blocks.size - 1):
            block = blocks[k]
            if bodies[block.j].orientation < 0:
                at = bodies[block.j].v_at + 3
                s = (0.5 * c * v[at], 0.5 * c * v[at + 1], 0.5 * c * v[at + 2])
                inv = 1.0 / (1.0 + spatial.dot(s, s))
                for r in range(block.n_i):
                    to = block.at + r * block.n_j + 3
                    across = spatial.cross(s, (K[to], K[to + 1], K[to + 2]))
                    for n in range(3):
                        K[to + n] = inv * (K[to + n] + across[n])


@kernel
def add_to_quaternions(dim, bodies, c, v, q, r, dw, out):
    """Write dq = (r + c/2 q o dw) o conj(p) / (1 + s^2) of all quaternions into out."""
    if dim == 3:
        for k in range(bodies.size):
            q_at = bodies[k].q_at
            if bodies[k].orientation < 0:
                at = bodies[k].v_at + 3
                to = out[q_at + 3 : q_at + 7]
                quaternion.rate_body_into(q[q_at + 3 : q_at + 7], dw[at : at + 3], to)
                for n in range(4):
                    to[n] = c * to[n] + r[q_at + 3 + n]
                s = (0.5 * c * v[at], 0.5 * c * v[at + 1], 0.5 * c * v[at + 2])
                a, x, y, z = to[0], to[1], to[2], to[3]
                inv = 1.0 / (1.0 + spatial.dot(s, s))
                turned = spatial.cross((x, y, z), s)
                to[0] = inv * (a - x * s[0] - y * s[1] - z * s[2])
                to[1] = inv * (x + a * s[0] + turned[0])
                to[2] = inv * (y + a * s[1] + turned[1])
                to[3] = inv * (z + a * s[2] + turned[2])
            else:  # the fourth place is not used
                out[q_at + 6] = r[q_at + 6]


@Entry
def newton(table, t, y, r, more, tasks):
    """Replace r by delta with (1 - c J) delta = r; c comes in `more`, and derive was called at y.

    Linearises and factorises before, if that is asked for.
    """
    system, ws, order, tan = unpack_all(table)
    dim, n_q, n_v = system.dim, ws.q_dot.size, ws.a.size
    n_d = 3 if dim == 2 else 6
    state, rest = vector(y, n_q + n_v), vector(r, n_q + n_v)
    q, v, r_q, r_v = state[:n_q], state[n_q:], rest[:n_q], rest[n_q:]
    c = vector(more, 1)[0]
    two_alpha, beta_squared = ws.options[TWO_ALPHA], ws.options[BETA_SQUARED]
    if tasks & FACTORISE:
        by_v = c + c * c * two_alpha
        set_weights(tan.factors, c, c * c, ws.options[COMPLIANCE], by_v, c, c * c)
        tan.factors[ROW] = 1.0 + c * (two_alpha + c * beta_squared)
        tan.factors[BY_POSE] = two_alpha
        tan.factors[BY_POSE + 2] = 1.0
        if tasks & LINEARISE:
            call(TANGENT, table, t, y, r, r, LINEARISE)
            turn_columns(dim, system.bodies, order.blocks, c, v, tan.K)
        call(TANGENT, table, t, y, r, r, FACTORISE)
    to_displacement(dim, system.bodies, q, r_q, c, v, tan.delta)
    for k in range(n_v):
        tan.b[k] = 0.0
    linearised.add_mass_times(n_d, system.bodies, 1.0, r_v, tan.b)
    linearised.add_product(-c, system.bodies, order.blocks, tan.K, tan.delta, tan.b)
    linearised.hold_particles(n_d, system.bodies, tan.b)
    dynamics.times_D(system, ws, r_v, tan.c)
    for k in range(n_v):
        tan.x[k] = tan.delta[k]
    turn_along(dim, system.bodies, c, v, tan.x)
    dynamics.times_D(system, ws, tan.x, tan.c_left)
    linearised.subtract_bend(n_d, system.bodies, system.row_of, c, tan.G_pose, tan.x, tan.c)
    for k in range(tan.c.size):  # rows of higher level have a smaller s
        if system.rows[k].level == POSITION:
            tan.c[k] -= c * beta_squared * tan.c_left[k]
        elif system.rows[k].level == VELOCITY:
            tan.c[k] *= tan.factors[ROW] / (1.0 + c * two_alpha)
        else:
            tan.c[k] *= tan.factors[ROW]
    call(TANGENT, table, t, y, r, r, SOLVE)
    for k in range(n_v):
        r_v[k] = tan.x[k]
        tan.delta[k] += c * tan.x[k]
    dynamics.rates(dim, system.bodies, q, tan.delta, ws.q_dot)
    add_to_quaternions(dim, system.bodies, c, v, q, r_q, r_v, ws.q_dot)
    for k in range(n_q):
        r_q[k] = ws.q_dot[k]
    return DONE


@kernel
def displace(dim, bodies, q, x, out):
    """Write q after the displacement x, which may be large, into out.

    A quaternion turns by the exponential of x. Euler angles follow w = x for one second in a step of RK4:
    their error is of fifth order in x.
    """
    for k in range(bodies.size):
        q_at = bodies[k].q_at
        v_at = bodies[k].v_at
        for c in range(3):
            out[q_at + c] = q[q_at + c] + x[v_at + c]
        if dim == 2:
            continue
        turn = x[v_at + 3 : v_at + 6]
        code = bodies[k].orientation
        if code < 0:
            quaternion.step_into(q[q_at + 3 : q_at + 7], turn, 1.0, out[q_at + 3 : q_at + 7])
            continue
        now = q[q_at + 3 : q_at + 6]
        at = out[q_at + 3 : q_at + 6]
        sum0, sum1, sum2 = 0.0, 0.0, 0.0
        for stage in range(4):
            part = 0.0 if stage == 0 else 1.0 if stage == 3 else 0.5
            for c in range(3):
                at[c] = now[c] + part * (at[c] if stage > 0 else 0.0)
            euler_angles.rates_body_into(code, at, turn, at)
            weight = 1.0 / 6.0 if stage == 0 or stage == 3 else 1.0 / 3.0
            sum0 += weight * at[0]
            sum1 += weight * at[1]
            sum2 += weight * at[2]
        at[0] = now[0] + sum0
        at[1] = now[1] + sum1
        at[2] = now[2] + sum2


@kernel
def add_correction(dim, bodies, delta, x):
    """Add a displacement of the displaced bodies to x:  x += delta + x x delta / 2 for turns."""
    if dim == 2:
        for k in range(x.size):
            x[k] += delta[k]
        return
    for k in range(bodies.size):
        at = bodies[k].v_at + 3
        turn = (x[at], x[at + 1], x[at + 2])
        more = spatial.cross(turn, (delta[at], delta[at + 1], delta[at + 2]))
        for c in range(3):
            x[at - 3 + c] += delta[at - 3 + c]
            x[at + c] += delta[at + c] + 0.5 * more[c]


@inlined
def part(x, which, n):
    """One of the parts of n numbers that stand in x one after the other."""
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
    """Fill c with what every row lacks, for a displacement; c holds -D v_dot."""
    for k in range(c.size):
        if rows[k].level == ACCELERATION:
            c[k] = (c[k] + gamma[k]) / by_a
        elif level == POSITION and rows[k].level == POSITION:
            c[k] = -Phi[k]
        else:
            c[k] = -slip[k] / by_v


@inlined
def fill_right_sides(system: System, ws: Workspace, tan: Tangents, level, by_v, by_a):
    """Fill tan.b = (f - M a1 - D^T lam)/a' and tan.c; a1 is in tan.delta."""
    n_d = 3 if system.dim == 2 else 6
    for k in range(tan.b.size):
        tan.b[k] = ws.f[k]
    linearised.clear(tan.c)
    linearised.add_mass_times(n_d, system.bodies, -1.0, tan.delta, tan.b)
    linearised.subtract_rows(
        n_d,
        system.bodies,
        system.row_of,
        1.0,
        ws.D,
        tan.G,
        0.0,
        tan.delta,
        ws.lam,
        tan.b,
        tan.c,
    )
    linearised.hold_particles(n_d, system.bodies, tan.b)
    for k in range(tan.b.size):
        tan.b[k] /= by_a
    scale_rows(level, system.rows, ws.Phi, ws.b, ws.gamma, by_v, by_a, tan.c)


@Entry
def step(table, t, y, memory, more, flag):
    """One step of the generalised-alpha family on the constrained equations; derive was called at y.

    With the algorithmic acceleration A, kept in `memory`, and a = v_dot

        (1 - alpha_m) A1 + alpha_m A0 = (1 - alpha_f) a1 + alpha_f a0
        x  = h v0 + h^2 ((1/2 - beta) A0 + beta A1)          q1 = q0 displaced by x
        v1 = v0 + h ((1 - gamma) A0 + gamma A1)
        M a1 + D^T lam1 = f1          Phi(q1) = 0   (index 3)   or   D v1 = nu   (index 2)

    Newton for x and lam; a1 changes with x by a' = (1 - alpha_m)/(h^2 beta (1 - alpha_f)), v1 by
    v' = gamma/(h beta):

        [ M + v'/a' C + K/a'   D^T ] [ dx      ]   [ (f - M a1 - D^T lam)/a'             ]
        [ D                     0  ] [ dlam/a' ] = [ -Phi,  or (nu - D v1)/v' at velocities ]

    alpha_m = alpha_f = 0, beta = 1/4, gamma = 1/2 is the trapezoid. Changes y and memory.
    """
    system, ws, _, tan = unpack_all(table)
    dim, n_q, n_v = system.dim, ws.q_dot.size, ws.a.size
    p, kept, state = vector(more, N_PARAMETERS), vector(memory, 4 * n_v), vector(y, n_q + n_v)
    q, v = state[:n_q], state[n_q:]
    a, v0, x, a_next = (
        part(kept, 0, n_v),
        part(kept, 1, n_v),
        part(kept, 2, n_v),
        part(kept, 3, n_v),
    )
    h = p[H]
    by_v = p[GAMMA] / (h * p[BETA])
    by_a = (1.0 - p[ALPHA_M]) / (h * h * p[BETA] * (1.0 - p[ALPHA_F]))
    for k in range(n_q):
        tan.q[k] = q[k]
    for k in range(n_v):
        v0[k] = v[k]
        x[k] = h * (v[k] + 0.5 * h * a[k])
    set_weights(tan.factors, by_v / by_a, 1.0 / by_a, 0.0, 0.0, 0.0, 0.0)
    before = math.inf
    tasks = LINEARISE | FACTORISE | SOLVE
    for _ in range(MAX_ITERATIONS):
        p[ITERATIONS] += 1.0
        follow(p, x, v0, a, ws.a, v, a_next, tan.delta)
        displace(dim, system.bodies, tan.q, x, q)
        call(DERIVE, table, t + h, y, y, y, PLACE | FORCES | ROWS | RESIDUAL)
        fill_right_sides(system, ws, tan, p[LEVEL], by_v, by_a)
        call(TANGENT, table, t + h, y, y, y, tasks)
        add_correction(dim, system.bodies, tan.x, x)
        for k in range(ws.lam.size):
            ws.lam[k] += by_a * tan.y[k]
        size = dynamics.largest(tan.x) / (1.0 + dynamics.largest(x))
        if not math.isfinite(size):
            return NOT_CONVERGED
        tasks = SOLVE
        if size <= CONVERGED or (size <= ROUNDING and size > 0.5 * before):
            follow(p, x, v0, a, ws.a, v, a_next, tan.delta)
            displace(dim, system.bodies, tan.q, x, q)
            for k in range(n_v):
                a[k] = a_next[k]
            return DONE
        if size > SLOW * before:
            tasks = LINEARISE | FACTORISE | SOLVE
        before = size
    return NOT_CONVERGED
