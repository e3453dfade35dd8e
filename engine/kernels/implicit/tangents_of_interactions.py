"""Stiffness and damping of the laws of markers, and of their states.

Along a displacement, dr in world axes and turns th of both bodies in world axes, with v held in its own
axes and y, omega the velocities between the bodies in world axes

    A' = th_i x A     s_j' = th_j x s_j     e' = dr_j - dr_i + s_j'     w' = th x w
    d' = A^T (e' - th_i x e)                                turn' = A^T (th_j - th_i)
    u' = A^T (y' - th_i x y)        y' = (th_j x w_j) x s_j + w_j x s_j' - (th_i x w_i) x e - w_i x e'
    w' = A^T (omega' - th_i x omega)                        omega' = th_j x w_j - th_i x w_i

and A turns by A^T th_i about its own axes. With Q = (F, T) and the slopes of the law, Q' follows, and
from that the forces on both bodies:

    (A F)' = th_i x A F + A F'        (R^T m)' = R^T (m' - th x m)        K = -f'

Along a velocity only u and w change, (u', w') = J v' like (d', turn') above, and C = -J^T Q'.

States are condensed. In an implicit step the rate of z changes by s dz, and that given by the law is
z_dot' = g_d delta + g_v dv + g_z dz, so with a residual r of rates

    dz = Y (r + g_d delta + g_v dv)            Y = (s - g_z)^-1
    K -= f_z Y g_d       C -= f_z Y g_v       right-hand side += f_z Y r

where f_z is the change of the forces with z. K and C keep their pattern. y' = g + c f(t, y) has s = 1/c and
the residual r/c; see engine.kernels.implicit.entries.
"""

from engine.kernels import inlined, kernel
from engine.kernels.acting import nearness
from engine.kernels.acting.interactions import (
    BY_D,
    BY_TURN_I,
    BY_U,
    BY_W,
    BY_Z,
    FORCE,
    TORQUE,
    Z_DOT,
    along,
    apart,
    arms,
    composed,
    evaluate,
    marker_axes,
    put,
)
from engine.kernels.implicit.tangent_layout import BY_STATE, Elimination, Tangents
from engine.kernels.layout import System, Workspace
from engine.kernels.spatial import cross, minus, plus, to_body, vec


@kernel
def direction(n_d, R_i, R_j, n):
    """Unit displacement number n of both bodies: shifts and turns of i and j, world axes."""
    zero = (0.0, 0.0, 0.0)
    dim = 2 if n_d == 3 else 3
    k = n % n_d
    shift = zero
    turn = zero
    if k < dim:
        shift = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
    else:
        axis = 2 if dim == 2 else k - dim
        R = R_i if n < n_d else R_j
        turn = (R[0, axis], R[1, axis], R[2, axis])
    if n < n_d:
        return shift, turn, zero, zero
    return zero, zero, shift, turn


@kernel
def relative(one, i, j, A, dr_i, th_i, dr_j, th_j, change, at):
    """Write (d', turn') of a displacement, or (u', w') of a velocity, into change from `at` on."""
    s_j, e = arms(one, i, j)
    moved = minus(plus(dr_j, cross(th_j, s_j)), plus(dr_i, cross(th_i, e)))
    put(change, at, along(A, moved))
    put(change, at + 3, along(A, minus(th_j, th_i)))


@kernel
def bend(one, i, j, A, dr_i, th_i, dr_j, th_j, change):
    """Write (u', w') of a displacement, with v held in its own axes, into change."""
    s_j, e = arms(one, i, j)
    y, omega = apart(one, i, j)
    w_i = vec(i.w)
    w_j = vec(j.w)
    dw_i = cross(th_i, w_i)
    dw_j = cross(th_j, w_j)
    ds_j = cross(th_j, s_j)
    de = minus(plus(dr_j, ds_j), dr_i)
    of_j = plus(cross(dw_j, s_j), cross(w_j, ds_j))
    of_i = plus(cross(dw_i, e), cross(w_i, de))
    put(change, BY_U, along(A, minus(minus(of_j, of_i), cross(th_i, y))))
    put(change, BY_W, along(A, minus(minus(dw_j, dw_i), cross(th_i, omega))))


@kernel
def answer(n_out, width, slope, change, wrench_change):
    """Q' = slope change, all rows; the states stay."""
    for r in range(n_out):
        total = 0.0
        for c in range(BY_Z):
            total += slope[r * width + c] * change[c]
        wrench_change[r] = total


@kernel
def forces_of(n_d, one, i, j, A, F, T, out):
    """Write the generalised forces (f_i, f_j) of a force and a torque at P_j, world axes."""
    s_j, e = arms(one, i, j)
    write(n_d, i.R, F, plus(cross(e, F), T), -1.0, out, 0)
    write(n_d, j.R, F, plus(cross(s_j, F), T), 1.0, out, n_d)


@kernel
def write(n_d, R, F, moment, sign, out, at):
    """Write sign (F, R^T moment) of one body; in the plane x, y and the turn about z."""
    turn = to_body(R, moment)
    dim = 2 if n_d == 3 else 3
    for c in range(dim):
        out[at + c] = sign * F[c]
    for c in range(n_d - dim):
        out[at + dim + c] = sign * turn[3 - n_d + dim + c]


@kernel
def forces_bent(n_d, one, i, j, F, T, dF, dT, dr_i, th_i, dr_j, th_j, out):
    """Write the change of (f_i, f_j) where the force changes by dF, the torque by dT and the arms too."""
    s_j, e = arms(one, i, j)
    ds_j = cross(th_j, s_j)
    de = minus(plus(dr_j, ds_j), dr_i)
    m_i = plus(cross(e, F), T)
    m_j = plus(cross(s_j, F), T)
    dm_i = plus(plus(cross(de, F), cross(e, dF)), dT)
    dm_j = plus(plus(cross(ds_j, F), cross(s_j, dF)), dT)
    write(n_d, i.R, dF, minus(dm_i, cross(th_i, m_i)), -1.0, out, 0)
    write(n_d, j.R, dF, minus(dm_j, cross(th_j, m_j)), 1.0, out, n_d)


@kernel
def subtract_column(n_d, column, n, four, blocks, X):
    """X -= column, the change of (f_i, f_j) with displacement n of the pair, in the blocks of K or C."""
    of_j = 0 if n < n_d else 1
    for side in range(2):
        block = blocks[four[side + side + of_j]]
        row = 0 if side == 0 else n_d
        for r in range(n_d):
            X[block.at + r * block.n_j + n % n_d] -= column[row + r]


@kernel
def linearise_one(n_d, one, i, j, wrench, slope, four, blocks, work, by_z, K, C):
    """Add one law to K and C, and fill the rows of its states in by_z: f_z, g_d and g_v."""
    A = marker_axes(i.R, one.axes_i)
    F = composed(A, wrench, FORCE)
    T = composed(A, wrench, TORQUE)
    width = BY_Z + one.n_z
    n_out = Z_DOT + one.n_z
    change = work[0]
    given = work[1]
    out = work[2]
    for n in range(2 * n_d):
        dr_i, th_i, dr_j, th_j = direction(n_d, i.R, j.R, n)
        relative(one, i, j, A, dr_i, th_i, dr_j, th_j, change, BY_D)
        bend(one, i, j, A, dr_i, th_i, dr_j, th_j, change)
        put(change, BY_TURN_I, along(A, th_i))
        answer(n_out, width, slope, change, given)
        dF = plus(composed(A, given, FORCE), cross(th_i, F))
        dT = plus(composed(A, given, TORQUE), cross(th_i, T))
        forces_bent(n_d, one, i, j, F, T, dF, dT, dr_i, th_i, dr_j, th_j, out)
        subtract_column(n_d, out, n, four, blocks, K)
        for k in range(one.n_z):
            by_z[1, one.z_at + k, n] = given[Z_DOT + k]
        for c in range(BY_Z):
            change[c] = 0.0
        relative(one, i, j, A, dr_i, th_i, dr_j, th_j, change, BY_U)
        answer(n_out, width, slope, change, given)
        forces_of(n_d, one, i, j, A, composed(A, given, FORCE), composed(A, given, TORQUE), out)
        subtract_column(n_d, out, n, four, blocks, C)
        for k in range(one.n_z):
            by_z[2, one.z_at + k, n] = given[Z_DOT + k]
    for k in range(one.n_z):
        for r in range(Z_DOT):
            given[r] = slope[r * width + BY_Z + k]
        forces_of(n_d, one, i, j, A, composed(A, given, FORCE), composed(A, given, TORQUE), out)
        for n in range(2 * n_d):
            by_z[0, one.z_at + k, n] = out[n]


@kernel
def condense(n_d, one, slope, s, four, blocks, work, by_z, Y, K, C):
    """Fill Y = (s - g_z)^-1 of one law and eliminate its states from K and C."""
    n_z = one.n_z
    width = BY_Z + n_z
    for r in range(n_z):
        for c in range(n_z):
            Y[one.z_at + r, c] = -slope[(Z_DOT + r) * width + BY_Z + c]
        Y[one.z_at + r, r] += s
    invert(n_z, one.z_at, Y)
    out = work[2]
    for which in range(1, 3):
        for n in range(2 * n_d):
            for r in range(2 * n_d):
                out[r] = 0.0
            for a in range(n_z):
                total = 0.0
                for b in range(n_z):
                    total += Y[one.z_at + a, b] * by_z[which, one.z_at + b, n]
                for r in range(2 * n_d):
                    out[r] += by_z[0, one.z_at + a, r] * total
            if which == 1:
                subtract_column(n_d, out, n, four, blocks, K)
            else:
                subtract_column(n_d, out, n, four, blocks, C)


@kernel
def leave_alone(n_d, one, s, by_z, Y):
    """The states of a law that does nothing now: they keep their values, and nothing depends on them."""
    for r in range(one.n_z):
        for c in range(one.n_z):
            Y[one.z_at + r, c] = 0.0
        Y[one.z_at + r, r] = 1.0 / s
        for which in range(3):
            for n in range(2 * n_d):
                by_z[which, one.z_at + r, n] = 0.0


@kernel
def invert(n, at, Y):
    """Invert the n x n matrix in the rows of Y from `at` on; s makes its diagonal large."""
    for p in range(n):
        inv = 1.0 / Y[at + p, p]
        Y[at + p, p] = 1.0
        for c in range(n):
            Y[at + p, c] *= inv
        for r in range(n):
            if r != p:
                factor = Y[at + r, p]
                Y[at + r, p] = 0.0
                for c in range(n):
                    Y[at + r, c] -= factor * Y[at + p, c]


@inlined
def add(table, system: System, ws: Workspace, order: Elimination, tan: Tangents, t, z):
    """Add all laws of markers to K and C, and keep what their states need; bodies must be placed."""
    n_d = 3 if system.dim == 2 else 6
    nearness.count(system, ws, z)
    for k in range(system.interactions.size):
        one = system.interactions[k]
        idle = not nearness.is_listed(system, ws, k) or nearness.is_idle(system, ws, k, z, 0.0)
        if idle:
            leave_alone(n_d, one, tan.factors[BY_STATE], tan.by_z, tan.Y)
            continue
        evaluate(table, system, ws, t, z, k, tan.slope, 1)
        i = ws.spatial[one.i]
        j = ws.spatial[one.j]
        four = order.of_interaction[k]
        linearise_one(
            n_d,
            one,
            i,
            j,
            ws.wrench,
            tan.slope,
            four,
            order.blocks,
            tan.work,
            tan.by_z,
            tan.K,
            tan.C,
        )
        if one.n_z > 0:
            condense(
                n_d,
                one,
                tan.slope,
                tan.factors[BY_STATE],
                four,
                order.blocks,
                tan.work,
                tan.by_z,
                tan.Y,
                tan.K,
                tan.C,
            )


@kernel
def add_states(n_d, bodies, interactions, factor, by_z, Y, r, b):
    """b += factor f_z Y r for residuals r of the rates of all states."""
    for k in range(interactions.size):
        one = interactions[k]
        for a in range(one.n_z):
            total = 0.0
            for c in range(one.n_z):
                total += Y[one.z_at + a, c] * r[one.z_at + c]
            for n in range(2 * n_d):
                body = one.i if n < n_d else one.j
                if body < bodies.size:
                    b[bodies[body].v_at + n % n_d] += factor * by_z[0, one.z_at + a, n] * total


@kernel
def solve_states(n_d, bodies, interactions, by_z, Y, delta, factor, dv, r, dz):
    """dz = Y (r + g_d delta + factor g_v dv) for all states; changes r."""
    for k in range(interactions.size):
        one = interactions[k]
        for a in range(one.n_z):
            for n in range(2 * n_d):
                body = one.i if n < n_d else one.j
                if body < bodies.size:
                    at = bodies[body].v_at + n % n_d
                    r[one.z_at + a] += by_z[1, one.z_at + a, n] * delta[at]
                    r[one.z_at + a] += factor * by_z[2, one.z_at + a, n] * dv[at]
        for a in range(one.n_z):
            total = 0.0
            for c in range(one.n_z):
                total += Y[one.z_at + a, c] * r[one.z_at + c]
            dz[one.z_at + a] = total
