"""Forces between two markers as laws of their relative state.

A law sees marker j from marker i. All components are along the axes of marker i, whose matrix in the
world is A:

    d = A^T (P_j - P_i)                                    where marker j is
    R = A^T A_j                                            its axes
    u = A^T (P_j_dot - r_i_dot - w_i x (P_j - r_i))        d_dot, the velocity of P_j seen from body i
    w = A^T (w_j - w_i)                                    R_dot = w~ R

besides A itself, three functions of time, a coordinate that it acts along, with turns counted, and its
own states z. It gives a force F and a torque T on
body j at P_j, along the same axes, and z_dot. Body i takes the opposite at the same point, so action
equals reaction, and the power of both is what the law sees:

    F.u + T.w

Part of it may be stored: a law tells V and V_dot besides, and F.u + T.w + V_dot is the power of its work.

The ground is a marker like any other: with the world as marker i, d and u are the place and the velocity
of P_j in the world. With f = J^T (F, T) and (u, w) = J v

    f_j = (  A F    R_j^T ( s_j x A F + A T) )          s_j = P_j - r_j
    f_i = ( -A F   -R_i^T (  e  x A F + A T) )           e  = P_j - r_i

where the second parts are moments about body axes. In the plane the bodies are placed in space, and only x,
y and the rotation about z are used.
"""

from engine.kernels import forces, inlined, kernel, planar, spatial
from engine.kernels.acting import nearness
from engine.kernels.layout import System, Workspace
from engine.kernels.linking import call_at, unpack, vector
from engine.kernels.spatial import cross, dot, minus, plus, times, to_body, to_world, vec

# --- what a law sees, one number after the other
D, AXES, U, W, GIVEN, WORLD, COORDINATE, Z = 0, 3, 12, 15, 18, 21, 30, 31
ROW = 3  # of the axes, row by row; WORLD: row r is axis r of marker i in the world
# --- what it gives, and the rows of its slopes
FORCE, TORQUE, Z_DOT = 0, 3, 6
# --- what it tells besides, behind its rates of states: the energy that it stores and its rate; of contacts
# depth, normal force, friction and sliding speed along it, its branch, the rate of the depth, its place,
# the normal part of its force, and what friction takes; of teeth how many pairs are in contact, and how
# far wheel j lags behind
STORED, STORING, DEPTH, PRESSURE, FRICTION, SLIDING, MODE, CLOSING, SPOT = range(9)
PAIRS, LAG, NORMAL, LOSS, N_TOLD = 11, 12, 13, 16, 17
# --- the columns of its slopes: by d, by a turn of R about the axes of i, by u and w, by a turn of A about
# its own axes, and by z
BY_D, BY_TURN, BY_U, BY_W, BY_TURN_I, BY_Z = 0, 3, 6, 9, 12, 15


@kernel
def stand_in_space(n_carriers, planar_frames, frames):
    """Fill the frames in space of planar bodies and followers."""
    for k in range(n_carriers):
        plane = planar_frames[k]
        frame = frames[k]
        frame.r[0] = plane.x
        frame.r[1] = plane.y
        frame.R[0, 0] = plane.c
        frame.R[0, 1] = -plane.s
        frame.R[1, 0] = plane.s
        frame.R[1, 1] = plane.c
        frame.R[2, 2] = 1.0
        frame.u[0] = plane.ux
        frame.u[1] = plane.uy
        frame.w[2] = plane.w


@kernel
def column(axes, c):
    """One column of a 3x3 matrix."""
    return (axes[0, c], axes[1, c], axes[2, c])


@kernel
def along(A, x):
    """A^T x: components along three axes, given as three vectors."""
    return (dot(A[0], x), dot(A[1], x), dot(A[2], x))


@kernel
def composed(A, x, at):
    """A x: the vector whose components along three axes are in x from `at` on."""
    return plus(plus(times(x[at], A[0]), times(x[at + 1], A[1])), times(x[at + 2], A[2]))


@kernel
def marker_axes(R, axes):
    """The axes of a marker in the world, as three vectors."""
    return (
        to_world(R, column(axes, 0)),
        to_world(R, column(axes, 1)),
        to_world(R, column(axes, 2)),
    )


@kernel
def put(x, at, a):
    """Write a vector into x from `at` on."""
    for c in range(3):
        x[at + c] = a[c]


@kernel
def arms(one, i, j):
    """s_j and e: where P_j is from both mass centres."""
    s_j = to_world(j.R, one.P_j)
    return s_j, minus(plus(vec(j.r), s_j), vec(i.r))


@kernel
def apart(one, i, j):
    """The velocity of P_j seen from body i and the angular velocity between both, world axes."""
    s_j, e = arms(one, i, j)
    w_i = vec(i.w)
    w_j = vec(j.w)
    seen_by_i = plus(vec(i.u), cross(w_i, e))
    return minus(plus(vec(j.u), cross(w_j, s_j)), seen_by_i), minus(w_j, w_i)


@kernel
def look(one, i, j, functions_of, t, z, args, stack, seen):
    """Fill `seen` with what a law sees; bodies must be placed in space."""
    A = marker_axes(i.R, one.axes_i)
    B = marker_axes(j.R, one.axes_j)
    _, e = arms(one, i, j)
    u, w = apart(one, i, j)
    put(seen, D, along(A, minus(e, to_world(i.R, one.P_i))))
    put(seen, U, along(A, u))
    put(seen, W, along(A, w))
    for r in range(3):
        put(seen, AXES + ROW * r, along(B, A[r]))
        put(seen, WORLD + ROW * r, A[r])
        seen[GIVEN + r] = 0.0
    for n in range(one.n_given):
        seen[GIVEN + n] = forces.component(functions_of, one.function[n], t, args, stack)
    for k in range(one.n_z):
        seen[Z + k] = z[one.z_at + k]


@kernel
def add_to_body(dim, body, R, F, moment, sign, f):
    """f += sign (F, R^T moment) for one body; F and the moment in world axes."""
    at = body.v_at
    if dim == 2:
        f[at] += sign * F[0]
        f[at + 1] += sign * F[1]
        f[at + 2] += sign * moment[2]
        return
    turn = to_body(R, moment)
    for c in range(3):
        f[at + c] += sign * F[c]
        f[at + 3 + c] += sign * turn[c]


@kernel
def push(dim, bodies, one, i, j, wrench, f):
    """Add the force and the torque of a law to both bodies; changes f."""
    A = marker_axes(i.R, one.axes_i)
    s_j, e = arms(one, i, j)
    F = composed(A, wrench, FORCE)
    T = composed(A, wrench, TORQUE)
    if one.j < bodies.size:
        add_to_body(dim, bodies[one.j], j.R, F, plus(cross(s_j, F), T), 1.0, f)
    if one.i < bodies.size:
        add_to_body(dim, bodies[one.i], i.R, F, plus(cross(e, F), T), -1.0, f)


@kernel
def power(seen, wrench):
    """F.u + T.w: what a law gives to both bodies together."""
    total = 0.0
    for c in range(3):
        total += wrench[FORCE + c] * seen[U + c] + wrench[TORQUE + c] * seen[W + c]
    return total


@inlined
def evaluate(table, system: System, ws: Workspace, t, z, which, slopes, with_slopes):
    """Fill ws.seen and ws.wrench of one law, and its slopes if requested; bodies must be placed."""
    one = system.interactions[which]
    i = ws.spatial[one.i]
    j = ws.spatial[one.j]
    look(one, i, j, system.functions, t, z, ws.args, ws.stack, ws.seen)
    if one.term >= 0:
        if system.dim == 2:
            planar.coordinate(system.terms[one.term], ws.planar, ws.row)
        else:
            spatial.coordinate(system.terms[one.term], ws.spatial, ws.angle[one.term], ws.row)
        ws.seen[COORDINATE] = ws.row[0]
    call_at(one.law, table, t, ws.seen, ws.wrench, slopes, 2 * which + with_slopes)


@inlined
def add(table, system: System, ws: Workspace, t, z):
    """Add the forces of all laws of markers to ws.f; fill ws.z_dot and ws.given. Bodies must be placed."""
    if system.dim == 2:
        stand_in_space(system.carriers.size, ws.planar, ws.spatial)
    n_near = nearness.count(system, ws, z)
    for m in range(n_near):
        k = nearness.number(system, ws, m)
        one = system.interactions[k]
        if nearness.is_idle(system, ws, k, z, 0.0):
            ws.given[k] = 0.0
            for n in range(one.n_z):
                ws.z_dot[one.z_at + n] = 0.0
            continue
        evaluate(table, system, ws, t, z, k, ws.wrench, 0)
        ws.given[k] = power(ws.seen, ws.wrench) + ws.wrench[Z_DOT + one.n_z + STORING]
        i, j = ws.spatial[one.i], ws.spatial[one.j]
        push(system.dim, system.carriers, one, i, j, ws.wrench, ws.f)
        for n in range(one.n_z):
            ws.z_dot[one.z_at + n] = ws.wrench[Z_DOT + n]


@inlined
def arguments(table, seen, out, slopes, flag):
    """The record of a law, what it sees, where its results go, and the width of a row of slopes.

    `slope` is empty where slopes are not wanted; everything is zero to begin with.
    """
    system, _ = unpack(table)
    one = system.interactions[flag // 2]
    n_out = Z_DOT + one.n_z
    width = BY_Z + one.n_z
    Q = vector(out, n_out + N_TOLD)
    slope = vector(slopes, n_out * width * (flag % 2))
    for k in range(Q.size):
        Q[k] = 0.0
    for k in range(slope.size):
        slope[k] = 0.0
    return one, vector(seen, Z + one.n_z), Q, slope, width
