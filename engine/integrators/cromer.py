"""The method of Euler and Cromer on y' = f(t, y), with the constraints taken into its step.

    v1 = v + h a(t, q, v)                   q1 = q + h q_dot(q, v1)

Where joints are closed by projection, the step itself ends on the constraints (the form of SHAKE):

    v1 = v + h W (f - D(q)^T lam)           q1 = q moved by h v1           lam such that Phi(q1, t1) = 0

so that the method stays symplectic: the energy of a conservative mechanism swings and does not drift. What
lam adds to v acts along W D(q)^T, and so does the projection of v onto D v = nu before the step: it changes
lam, but neither v1 nor q1, as long as forces do not depend on velocities. So the velocity may be projected
before each step as with every other method: frames, forces and reactions see one that the joints allow.

Rows that start at velocity level hold on the average over the step, (D(q) v1 - nu + D(q1) v1 - nu1)/2 = 0:
as for the others, the work that lam does at one end of the step is taken back at the other.

In space a step turns a body by the rotation cay(h w). The gyroscopic moment J w x w is not a force but the
turning of the axes in which J w is written; half of that happens before the middle of the step. With the
angular velocity u of the step, between w before and w1 after it,

    J u - h/2 (J u x u) + h^2/4 (u . J u) u = J w + h (tau - D^T lam)              R1 = R cay(h u)
    J w1 = J u + h/2 (J u x u) + h^2/4 (u . J u) u

which keeps the angular momentum of a free body exactly, and its energy for all times nearly.
"""

import math

import numpy as np

from engine.integrators.fixed_steps import Plan, begin_step, copy
from engine.integrators.problem import Frames, Problem
from engine.integrators.stepping import FixedStepper, OneStep
from engine.kernels import dynamics, inlined, kernel
from engine.kernels.entries import DONE, PLACE, RATES, RESIDUAL, ROWS
from engine.kernels.implicit.entries import part
from engine.kernels.layout import ACCELERATION, PROJECTED, TOLERANCE, VELOCITY, System, Workspace
from engine.kernels.linking import DERIVE, N_ENTRIES, Entry, call, call_at, unpack, vector
from rotations import euler_angles

MOST_ITERATIONS = 100
N_MIDDLES = 3  # how often the middle of a turn by Euler angles is found anew

# --- numbers handed to `land`; behind them (q, v), three velocities, and D at the start of the step
H, ITERATIONS = 0, 1
N_NUMBERS = 2


def n_numbers(n_q: int, n_v: int, n_D: int) -> int:
    """How much memory `land` needs."""
    return N_NUMBERS + n_q + 4 * n_v + n_D


@kernel
def carry_momentum(bodies, h, sign, w_of, v):
    """Add J^-1 (h/2 (J w x w) + sign h^2/4 (w . J w) w) to the turns of all bodies in v; changes v.

    w is taken from w_of, which may be v itself.
    """
    for k in range(bodies.size):
        at = bodies[k].v_at + 3
        w = (w_of[at], w_of[at + 1], w_of[at + 2])
        J, inv_J = bodies[k].J, bodies[k].inv_J
        L0 = J[0, 0] * w[0] + J[0, 1] * w[1] + J[0, 2] * w[2]
        L1 = J[1, 0] * w[0] + J[1, 1] * w[1] + J[1, 2] * w[2]
        L2 = J[2, 0] * w[0] + J[2, 1] * w[1] + J[2, 2] * w[2]
        along = sign * 0.25 * h * h * (w[0] * L0 + w[1] * L1 + w[2] * L2)
        T0 = 0.5 * h * (L1 * w[2] - L2 * w[1]) + along * w[0]
        T1 = 0.5 * h * (L2 * w[0] - L0 * w[2]) + along * w[1]
        T2 = 0.5 * h * (L0 * w[1] - L1 * w[0]) + along * w[2]
        for c in range(3):
            v[at + c] += inv_J[c, 0] * T0 + inv_J[c, 1] * T1 + inv_J[c, 2] * T2


@kernel
def leave(dim, bodies, h, free, v, out):
    """out = the velocity of the step from what free bodies would have, turns by those in v; changes out.

    Returns the largest h |out - v|. In the plane out is `free` itself.
    """
    copy(free, out)
    if dim == 3:
        carry_momentum(bodies, h, -1.0, v, out)
    change = 0.0
    for k in range(out.size):
        size = h * abs(out[k] - v[k])
        if not size <= change:
            change = size
    return change


@kernel
def move_by(dim, bodies, h, q, v, q_dot, out):
    """out = q moved by the velocity v for the time h; changes q_dot.

    Made a unit again, a quaternion is then turned by cay(h w). Euler angles take their rates from the
    middle of the way, which is the same turn but for h^3.
    """
    dynamics.rates(dim, bodies, q, v, q_dot)
    for k in range(q.size):
        out[k] = q[k] + h * q_dot[k]
    if dim == 3:
        for k in range(bodies.size):
            code = bodies[k].orientation
            if code >= 0:
                at = bodies[k].q_at + 3
                w = v[bodies[k].v_at + 3 : bodies[k].v_at + 6]
                angles, rates = out[at : at + 3], q_dot[at : at + 3]
                for _ in range(N_MIDDLES):
                    for c in range(3):
                        angles[c] = 0.5 * (q[at + c] + angles[c])
                    euler_angles.rates_body_into(code, angles, w, rates)
                    for c in range(3):
                        angles[c] = q[at + c] + h * rates[c]


@inlined
def fill_residual(system: System, ws: Workspace, h, v):
    """Fill ws.b with what v must change by along each row; returns the largest, as a displacement.

    Phi/h at position level, the mean of D v - nu at both ends at velocity level: that of the end is in
    ws.b, and ws.D is that of the start.
    """
    if system.n_late > 0:
        dynamics.times_D(system, ws, v, ws.x)
    largest = 0.0
    for k in range(ws.b.size):
        level = system.rows[k].level
        if level == VELOCITY:
            ws.b[k] = 0.5 * (ws.b[k] + ws.x[k] - ws.nu[k])
        elif level == ACCELERATION:
            ws.b[k] = 0.0
        else:
            ws.b[k] = ws.Phi[k] / h
        size = h * abs(ws.b[k])
        if not size <= largest:
            largest = size
    return largest


@kernel
def keep_rows(D, kept):
    """Write D into kept, row after row."""
    for k in range(D.shape[0]):
        copy(D[k], kept[k * D.shape[1] : (k + 1) * D.shape[1]])


@kernel
def restore_rows(kept, D):
    """Write what was kept back into D."""
    for k in range(D.shape[0]):
        copy(kept[k * D.shape[1] : (k + 1) * D.shape[1]], D[k])


@inlined
def correct(system: System, ws: Workspace, free):
    """free -= W D^T S^-1 b; changes free, ws.b, ws.x and ws.dv."""
    dynamics.solve(system, ws, ws.x)
    dynamics.times_W_without_D_transposed(system, ws, ws.zero, ws.x, ws.dv)
    for k in range(free.size):
        free[k] += ws.dv[k]


@Entry
def land(table, t, y, y_new, more, flag):
    """Take the step from y to y_new that ends on the constraints; derive was called at y.

    y_new begins with the velocity v + h a. With S = D W D^T of the start,

        S x = Phi(q1)/h,     v1 <- v1 - W D^T x

    repeatedly: corrections shrink by about h times the angular velocities. Where they do not, near a
    singular pose or with a very long step, the best ones are kept, and the projection before the next
    step closes what is left.
    """
    system, ws = unpack(table)
    dim, n_q, n_v = system.dim, ws.q_dot.size, ws.a.size
    start, new = vector(y, n_q + n_v), vector(y_new, n_q + n_v)
    numbers = vector(more, N_NUMBERS + n_q + 4 * n_v + ws.D.size)
    at = N_NUMBERS + n_q + n_v
    there = numbers[N_NUMBERS:at]  # (q, v) at the end, with unit quaternions
    rest, D = numbers[at:], numbers[numbers.size - ws.D.size :]
    free = part(rest, 0, n_v)  # v + h W (tau - D^T lam): without gyroscopic moments
    best, next_v = part(rest, 1, n_v), part(rest, 2, n_v)
    h, q, v0, v = numbers[H], start[:n_q], start[n_q:], new[n_q:]
    keep_rows(ws.D, D)
    copy(v, free)
    if dim == 3:
        carry_momentum(system.bodies, -2.0 * h, 0.0, v0, free)
    leave(dim, system.bodies, h, free, v0, v)
    copy(v, best)
    before = math.inf
    for _ in range(MOST_ITERATIONS):
        move_by(dim, system.bodies, h, q, v, ws.q_dot, there[:n_q])
        dynamics.normalise(dim, system.bodies, there[:n_q])
        copy(v, there[n_q:])
        size = leave(dim, system.bodies, h, free, v, next_v)
        if ws.Phi.size > 0:
            call(DERIVE, table, t + h, there, there, there, PLACE | ROWS | RESIDUAL)
            restore_rows(D, ws.D)
            size = max(size, fill_residual(system, ws, h, v))
        if not size < before:
            copy(best, v)
            break
        before = size
        numbers[ITERATIONS] += 1.0
        copy(v, best)
        if ws.Phi.size > 0:
            correct(system, ws, free)
        leave(dim, system.bodies, h, free, v, next_v)
        copy(next_v, v)
        if size <= ws.options[TOLERANCE]:
            break
    move_by(dim, system.bodies, h, q, v, ws.q_dot, new[:n_q])
    if dim == 3:
        carry_momentum(system.bodies, h, 1.0, v, v)
    return DONE


@kernel
def advance(
    table,
    lam,
    since,
    n_q,
    land_at,
    numbers,
    y_dot,
    Y,
    frames: Frames,
    plan: Plan,
    first_step,
    n_steps,
    y,
):
    """Take n_steps from step number first_step on; changes y and the frames. y_dot and Y are scratch.

    land_at is the address of `land`, or 0 where nothing is projected. Returns how it ended, the
    steps taken and the frames written; frames as in explicit.advance.
    """
    n_frames = 0
    h = plan.h
    for n in range(max(n_steps, 1)):
        status, t, n_frames = begin_step(
            table, first_step + n, plan, y, y_dot, Y, lam, since, frames, n_frames
        )
        if status != DONE or n_steps == 0:
            return status, n, n_frames
        copy(y, Y)
        for c in range(n_q, y.size):
            Y[c] += h * y_dot[c]
        if land_at != 0:
            call_at(land_at, table, t, y, Y, numbers, 0)
        else:
            call(DERIVE, table, t, Y, y_dot, Y, RATES)
            for c in range(n_q):
                Y[c] = y[c] + h * y_dot[c]
        copy(Y, y)
    return DONE, n_steps, n_frames


class Cromer(OneStep):
    """The running method of Euler and Cromer: its scratch memory."""

    evaluations = 1

    def __init__(self, problem: Problem, n_y: int) -> None:
        self.y_dot, self.Y = np.zeros(n_y), np.zeros(n_y)
        self.land_at, self.numbers = 0, np.zeros(N_NUMBERS)
        if len(problem.table) > N_ENTRIES:  # a mechanism: its System and its Workspace are kept
            ws = problem.keep[1]
            self.numbers = np.zeros(n_numbers(len(ws.q_dot), len(ws.a), ws.D.size))
            if ws.options[PROJECTED] > 0.0:
                self.land_at = land.address

    def take(self, stepper: FixedStepper, first: int, n: int) -> tuple[int, int, int]:
        """Take n steps; changes the state, the frames and the counts of the stepper."""
        problem, numbers = stepper.problem, self.numbers
        numbers[H] = stepper.plan.h
        ended = advance(
            problem.table,
            problem.lam,
            problem.since,
            problem.n_q,
            self.land_at,
            numbers,
            self.y_dot,
            self.Y,
            stepper.frames,
            stepper.plan,
            first,
            n,
            stepper.y,
        )
        stepper.counts.solves += int(numbers[ITERATIONS])
        numbers[ITERATIONS] = 0.0
        return ended
