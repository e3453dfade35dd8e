"""Walk over the frames of a run: coordinates, tensions, reactions and violations in each of them.

Angles in space count full turns from frame to frame: the turn is taken that lies nearest to
angle + dt (rate before + rate now) / 2,  so a wheel may turn several times in between.
"""

import math

from engine.kernels import dynamics, forces, inlined, kernel, spatial
from engine.kernels.acting import interactions, joint_friction, nearness
from engine.kernels.entries import PLACE, REACTIONS, RESIDUAL, ROWS
from engine.kernels.flexible.followers import speeds_of
from engine.kernels.layout import FREE, POINT, System, Workspace
from engine.kernels.linking import DERIVE, call, unpack

# --- what many contacts tell together: sums, the greatest depth, and how many press
TOTAL_NORMAL, TOTAL_FRICTION, DEEPEST, HOW_MANY, TOTAL_STORED, TOTAL_POWER, N_TOTALS = range(7)


@inlined
def follow_angles(system: System, ws: Workspace, dt, v, rates):
    """Bring ws.angle and `rates` to the placed frame, dt after the last; changes ws.row too."""
    if system.dim == 3:
        speeds = speeds_of(system, ws, v)
        for k in range(system.terms.size):
            if spatial.counts_turns(system.terms[k].kind):
                term = system.terms[k]
                rate = forces.measure(
                    3, system.carriers, term, ws.planar, ws.spatial, ws.angle[k], speeds, ws.row
                )
                expected = ws.angle[k] + 0.5 * dt * (rates[k] + rate)
                spatial.coordinate(term, ws.spatial, expected, ws.row)
                ws.angle[k] = ws.row[0]
                rates[k] = rate


@kernel
def coordinates(table, t, y, rates, values, speeds):
    """Write every scalar coordinate and its rate in every frame, each (n_frames, n_terms)."""
    system, ws = unpack(table)
    for n in range(t.size):
        v = y[n, ws.q_dot.size :]
        call(DERIVE, table, t[n], y[n], rates, rates, PLACE)
        dt = t[n] - t[n - 1] if n > 0 else 0.0
        follow_angles(system, ws, dt, v, rates)
        for k in range(system.terms.size):
            if system.terms[k].kind != POINT:
                speeds[n, k] = forces.measure(
                    system.dim,
                    system.carriers,
                    system.terms[k],
                    ws.planar,
                    ws.spatial,
                    ws.angle[k],
                    v,
                    ws.row,
                )
                values[n, k] = ws.row[0]


@kernel
def tensions(laws, functions_of, t, values, speeds, args, stack, N):
    """Write the tension of every law in every frame, (n_frames, n_laws)."""
    for n in range(t.size):
        for k in range(laws.size):
            law = laws[k]
            N[n, k] = forces.tension(
                law,
                FREE,
                functions_of,
                t[n],
                values[n, law.term],
                speeds[n, law.term],
                values[n, law.other],
                speeds[n, law.other],
                args,
                stack,
            )


@kernel
def stored_tensions(law, functions_of, x, args, stack, N):
    """Write the part of the tension of one law, the first of an array, that stores energy at every x."""
    for n in range(x.size):
        N[n] = forces.stored_tension(law[0], functions_of, x[n], args, stack)


@kernel
def wrenches(table, t, y, lam, which, rates, out):
    """Write force and torque (world axes), power and what one interaction tells: (n, 7 + N_TOLD).

    What follows from the reaction of a joint is that of the multipliers lam (n, n_rows).
    """
    system, ws = unpack(table)
    one = system.interactions[which]
    n_v = ws.q_dot.size + ws.a.size
    for n in range(t.size):
        call(DERIVE, table, t[n], y[n], out[n], out[n], PLACE)
        dt = t[n] - t[n - 1] if n > 0 else 0.0
        follow_angles(system, ws, dt, y[n, ws.q_dot.size : n_v], rates)
        if system.dim == 2:
            interactions.stand_in_space(system.carriers.size, ws.planar, ws.spatial)
        if one.rubbing >= 0:
            call(DERIVE, table, t[n], y[n], out[n], out[n], ROWS)
            joint_friction.carry(system, ws, lam[n])
        interactions.evaluate(table, system, ws, t[n], y[n, n_v:], which, ws.wrench, 0)
        A = interactions.marker_axes(ws.spatial[one.i].R, one.axes_i)
        interactions.put(out[n], 0, interactions.composed(A, ws.wrench, interactions.FORCE))
        interactions.put(out[n], 3, interactions.composed(A, ws.wrench, interactions.TORQUE))
        out[n, 6] = interactions.power(ws.seen, ws.wrench)
        told = interactions.Z_DOT + one.n_z
        for k in range(interactions.N_TOLD):
            out[n, 7 + k] = ws.wrench[told + k]
        i = ws.spatial[one.i]
        P_i = spatial.plus(spatial.vec(i.r), spatial.to_world(i.R, one.P_i))
        spot = spatial.plus(P_i, interactions.composed(A, ws.wrench, told + interactions.SPOT))
        interactions.put(out[n], 7 + interactions.SPOT, spot)
        pressed = interactions.composed(A, ws.wrench, told + interactions.NORMAL)
        interactions.put(out[n], 7 + interactions.NORMAL, pressed)


@kernel
def branches(table, t, y, rates, out):
    """Write the branch of every switch that is a contact, 0 for the others: out (n_frames, n_switches)."""
    system, ws = unpack(table)
    n_v = ws.q_dot.size + ws.a.size
    for n in range(t.size):
        call(DERIVE, table, t[n], y[n], rates, rates, PLACE)
        dt = t[n] - t[n - 1] if n > 0 else 0.0
        follow_angles(system, ws, dt, y[n, ws.q_dot.size : n_v], rates)
        if system.dim == 2:
            interactions.stand_in_space(system.carriers.size, ws.planar, ws.spatial)
        z = y[n, n_v:]
        nearness.count(system, ws, z)
        for k in range(system.switches.size):
            which = system.switches[k].contact
            if which < 0 or not nearness.is_listed(system, ws, which):
                continue
            interactions.evaluate(table, system, ws, t[n], z, which, ws.wrench, 0)
            told = interactions.Z_DOT + system.interactions[which].n_z
            out[n, k] = ws.wrench[told + interactions.MODE]


@kernel
def totals(table, t, y, first, stop, rates, out):
    """Write what many contacts tell together, those from `first` to `stop`: (n, N_TOTALS)."""
    system, ws = unpack(table)
    n_v = ws.q_dot.size + ws.a.size
    for n in range(t.size):
        call(DERIVE, table, t[n], y[n], rates, rates, PLACE)
        if system.dim == 2:
            interactions.stand_in_space(system.carriers.size, ws.planar, ws.spatial)
        z = y[n, n_v:]
        n_near = nearness.count(system, ws, z)
        for m in range(n_near):
            k = nearness.number(system, ws, m)
            if k < first or k >= stop or nearness.is_idle(system, ws, k, z, 0.0):
                continue
            interactions.evaluate(table, system, ws, t[n], z, k, ws.wrench, 0)
            told = interactions.Z_DOT + system.interactions[k].n_z
            N = ws.wrench[told + interactions.PRESSURE]
            out[n, TOTAL_NORMAL] += N
            out[n, TOTAL_FRICTION] += abs(ws.wrench[told + interactions.FRICTION])
            out[n, DEEPEST] = max(out[n, DEEPEST], ws.wrench[told + interactions.DEPTH])
            out[n, HOW_MANY] += N > 0.0
            out[n, TOTAL_STORED] += ws.wrench[told + interactions.STORED]
            out[n, TOTAL_POWER] += interactions.power(ws.seen, ws.wrench)


@kernel
def over_time(functions_of, which, t, args, stack, out):
    """Write a function of time at every frame; zeros if there is none."""
    for n in range(t.size):
        out[n] = forces.component(functions_of, which, t[n], args, stack)


@kernel
def reactions(table, t, y, lam, out):
    """Write -D^T lam in every frame: out (n_frames, n_v); all W must be 1."""
    _, ws = unpack(table)
    for n in range(t.size):
        for k in range(lam.shape[1]):
            ws.x[k] = lam[n, k]
        call(DERIVE, table, t[n], y[n], ws.dv, ws.dv, PLACE | ROWS | REACTIONS)
        for k in range(ws.dv.size):
            out[n, k] = ws.dv[k]


@kernel
def violations(table, t, y, rates, gap, slip):
    """Write the largest |Phi| and the largest |D v - nu| of every frame."""
    system, ws = unpack(table)
    for n in range(t.size):
        v = y[n, ws.q_dot.size :]
        call(DERIVE, table, t[n], y[n], rates, rates, PLACE)
        dt = t[n] - t[n - 1] if n > 0 else 0.0
        follow_angles(system, ws, dt, v, rates)
        call(DERIVE, table, t[n], y[n], rates, rates, ROWS | RESIDUAL)
        gap[n] = dynamics.largest(ws.Phi)
        slip[n] = dynamics.largest(ws.b)


@kernel
def points(bodies, frames, q, v, a, of, s_loc, out):
    """Write place, velocity and acceleration of points of bodies in every frame: out (n, 3, 3, n_frames).

    P = r + s,  P_dot = u + w x s,  P_ddot = a + alpha x s + w x (w x s),  s = R s_loc;  the second index of
    `out` is the derivative and the third the axis. In the plane the third axis stays as it is.
    """
    is_planar = bodies.size > 0 and bodies[0].n_v == 3
    for n in range(q.shape[0]):
        if not is_planar:
            spatial.place_bodies(bodies, q[n], v[n], frames)
        for m in range(of.size):
            body = bodies[of[m]]
            if is_planar:
                point_in_plane(q[n], v[n], a[n], body.q_at, body.v_at, s_loc[m], out[m], n)
            else:
                point_in_space(frames[of[m]], a[n], body.v_at, s_loc[m], out[m], n)


@kernel
def point_in_plane(q, v, a, q_at, v_at, s_loc, out, n):
    """Frame n of a point of a body in the plane."""
    c, s, w, alpha = math.cos(q[q_at + 2]), math.sin(q[q_at + 2]), v[v_at + 2], a[v_at + 2]
    sx, sy = c * s_loc[0] - s * s_loc[1], s * s_loc[0] + c * s_loc[1]
    out[0, 0, n], out[0, 1, n] = q[q_at] + sx, q[q_at + 1] + sy
    out[1, 0, n], out[1, 1, n] = v[v_at] - w * sy, v[v_at + 1] + w * sx
    out[2, 0, n] = a[v_at] - alpha * sy - w * w * sx
    out[2, 1, n] = a[v_at + 1] + alpha * sx - w * w * sy


@kernel
def point_in_space(frame, a, v_at, s_loc, out, n):
    """Frame n of a point of a body in space."""
    s, w = spatial.to_world(frame.R, s_loc), spatial.vec(frame.w)
    alpha = spatial.to_world(frame.R, a[v_at + 3 : v_at + 6])
    turning = spatial.cross(w, s)
    bend = spatial.plus(spatial.cross(alpha, s), spatial.cross(w, turning))
    for c in range(3):
        out[0, c, n] = frame.r[c] + s[c]
        out[1, c, n] = frame.u[c] + turning[c]
        out[2, c, n] = a[v_at + c] + bend[c]
