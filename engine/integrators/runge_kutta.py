"""Explicit Runge-Kutta methods of fixed step on y = (q, v).

Y_i = y + h sum_j A_ij k_j,     k_i = (q_dot(Y_i), a(t + c_i h, Y_i)),     y <- y + h sum_i b_i k_i
"""

import math
from typing import NamedTuple

import numpy as np

from engine.kernels import dynamics, forces, kernel
from engine.kernels.layout import System, Workspace
from rotations import gimbal_lock

HUGE = 1e150  # a speed or acceleration beyond this has lost its meaning

# --- how a block of steps ended
DONE, DIVERGED, OPEN_JOINT, LOCKED = 0, 1, 2, 3

# --- what is watched between two frames
GAP, LOCK, LOCK_BODY = 0, 1, 2


class Tableau(NamedTuple):
    """The coefficients that are the method."""

    A: np.ndarray  # (n_stages, n_stages) strictly lower triangular
    b: np.ndarray  # (n_stages,)
    c: np.ndarray  # (n_stages,)


def tableau(A: list[list[float]], b: list[float]) -> Tableau:
    """A tableau from its rows; c is the sum of each row."""
    n = len(b)
    full = np.array([row + [0.0] * (n - len(row)) for row in A])
    return Tableau(full, np.array(b), full.sum(axis=1))


TABLEAUS = {
    "euler": tableau([[]], [1.0]),
    "heun": tableau([[], [1.0]], [0.5, 0.5]),
    "rk4": tableau([[], [0.5], [0.0, 0.5], [0.0, 0.0, 1.0]], [1 / 6, 1 / 3, 1 / 3, 1 / 6]),
}
ORDER = {"euler": 1, "heun": 2, "rk4": 4}


class Frames(NamedTuple):
    """Where a block of steps writes its output frames."""

    t: np.ndarray  # (n,)
    q: np.ndarray  # (n, n_q)
    v: np.ndarray  # (n, n_v)
    a: np.ndarray  # (n, n_v)
    lam: np.ndarray  # (n, n_rows)
    gap: np.ndarray  # (n,)       largest |Phi| since the last frame, before it was closed
    lock: np.ndarray  # (n,)      smallest singularity measure of Euler angles since the last frame
    lock_body: np.ndarray  # (n,) and the body that had it


class Plan(NamedTuple):
    """What stays the same during a run."""

    t0: float
    h: float
    every: int  # steps between two frames
    projected: bool  # close the joints before every step
    tolerance: float  # [m, rad] how well
    open_gap: float  # [m, rad] a gap that cannot be closed: stop
    redundant: bool  # some rows repeat others
    lock_limit: float  # stop when Euler angles would come nearer to gimbal lock within a step


class Stages(NamedTuple):
    """Scratch memory of the method."""

    q_dot: np.ndarray  # (n_stages, n_q)
    a: np.ndarray  # (n_stages, n_v)
    q: np.ndarray  # (n_q,)
    v: np.ndarray  # (n_v,)
    since: np.ndarray  # (3,) GAP, LOCK and LOCK_BODY since the last frame, kept between blocks


@kernel
def nearest_lock(dim, n_bodies, bodies, q):
    """The smallest singularity measure of all bodies on Euler angles, and its body; 1 if none."""
    smallest = 1.0
    body = -1
    if dim == 3:
        for k in range(n_bodies):
            code = bodies[k].orientation
            if code >= 0:
                measure = gimbal_lock.measure_of(code, q[7 * k + 3 : 7 * k + 6])
                if not measure >= smallest:
                    smallest = measure
                    body = k
    return smallest, body


@kernel
def spin(v, body):
    """The size of a body's angular velocity in space."""
    at = 6 * body + 3
    return math.sqrt(v[at] ** 2 + v[at + 1] ** 2 + v[at + 2] ** 2)


@kernel
def watch(dim, n_bodies, bodies, plan: Plan, since, opened, left, a, q, v):
    """Whether the run may go on from here; changes `since`.

    `opened` is the gap that the last step made, `left` what remains of it.
    """
    since[GAP] = max(since[GAP], opened)
    measure, body = nearest_lock(dim, n_bodies, bodies, q)
    if not measure >= since[LOCK]:
        since[LOCK] = measure
        since[LOCK_BODY] = body
    if not (dynamics.largest(a) < HUGE and dynamics.largest(v) < HUGE):
        return DIVERGED
    if plan.projected and not left <= plan.open_gap:
        return OPEN_JOINT
    if body >= 0 and measure < plan.lock_limit + plan.h * spin(v, body):
        return LOCKED
    return DONE


@kernel
def write_frame(frames: Frames, n, t, q, v, a, lam, since):
    """Write frame number n and start anew what is counted since a frame; changes `since`."""
    frames.t[n] = t
    frames.gap[n] = since[GAP]
    frames.lock[n] = since[LOCK]
    frames.lock_body[n] = int(since[LOCK_BODY])
    for k in range(q.size):
        frames.q[n, k] = q[k]
    for k in range(v.size):
        frames.v[n, k] = v[k]
        frames.a[n, k] = a[k]
    for k in range(lam.size):
        frames.lam[n, k] = lam[k]
    since[GAP] = 0.0
    since[LOCK] = 1.0
    since[LOCK_BODY] = -1.0


@kernel
def combine(n, h, weights, q_dots, accelerations, q, v, q_out, v_out):
    """q_out = q + h sum w_j q_dot_j,  v_out = v + h sum w_j a_j  over the first n stages."""
    for k in range(q.size):
        q_out[k] = q[k]
    for k in range(v.size):
        v_out[k] = v[k]
    for j in range(n):
        w = h * weights[j]
        if w != 0.0:
            for k in range(q.size):
                q_out[k] += w * q_dots[j, k]
            for k in range(v.size):
                v_out[k] += w * accelerations[j, k]


@kernel
def advance(
    system: System,
    ws: Workspace,
    method: Tableau,
    stages: Stages,
    frames: Frames,
    plan: Plan,
    first_step,
    n_steps,
    q,
    v,
):
    """Take n_steps from step number first_step on; changes q, v, the workspace and the frames.

    A frame is written at the start of every step whose number is a multiple of plan.every; with
    n_steps = 0 only that is done. Returns how it ended, the steps taken and the frames written.
    """
    n_frames = 0
    n_stages = method.b.size
    h = plan.h
    for n in range(max(n_steps, 1)):
        step = first_step + n
        t = plan.t0 + step * h
        for i in range(n_stages):
            opened, left = 0.0, 0.0
            if i > 0:
                Q, V = stages.q, stages.v
                combine(i, h, method.A[i], stages.q_dot, stages.a, q, v, Q, V)
                dynamics.place(system, ws, Q, V)
            else:
                Q, V = q, v
                if plan.projected:
                    opened, left = dynamics.project(system, ws, t, q, v, plan.tolerance)
                else:
                    dynamics.place(system, ws, q, v)
            forces.apply(system, ws, t + method.c[i] * h, V)
            ready = i == 0 and plan.projected
            if ws.Phi.size > 0 and not ready:
                dynamics.constrain(system, ws, t + method.c[i] * h)
            if plan.redundant:
                dynamics.solve_redundant(system, ws)
            else:
                if ws.Phi.size > 0 and not ready:
                    dynamics.factorise(system, ws, 0.0)
                dynamics.solve_accelerations(system, ws)
            if i == 0:
                if not plan.projected:
                    opened = dynamics.largest(ws.Phi)
                bodies, since = system.bodies, stages.since
                status = watch(
                    system.dim, system.n_bodies, bodies, plan, since, opened, left, ws.a, q, v
                )
                if status != DONE:
                    return status, n, n_frames
                if system.dim == 3:
                    dynamics.remember_angles(system.terms, ws.spatial, ws.angle, ws.row)
                if step % plan.every == 0:
                    write_frame(frames, n_frames, t, q, v, ws.a, ws.lam, stages.since)
                    n_frames += 1
                if n_steps == 0:
                    return DONE, n, n_frames
            rates = stages.q_dot[i]
            dynamics.rates(system.dim, system.n_bodies, system.bodies, Q, V, rates)
            for k in range(v.size):
                stages.a[i, k] = ws.a[k]
        combine(n_stages, h, method.b, stages.q_dot, stages.a, q, v, stages.q, stages.v)
        for k in range(q.size):
            q[k] = stages.q[k]
        for k in range(v.size):
            v[k] = stages.v[k]
        dynamics.normalise(system.dim, system.n_bodies, system.bodies, q)
    return DONE, n_steps, n_frames
