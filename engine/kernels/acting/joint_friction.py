"""Friction in joints, which follows from their reactions.

A joint rubs on two bearings, or two edges, at +-b along its axis e from its marker. From the reaction, a
force F and a torque T at the marker of body j, they carry

    N_1,2 = (F - (F.e) e) / 2 +- (T x e) / (2 b)            so that  b e x (N_1 - N_2) = T - (T.e) e

and a collar, a key or a thread of radius r carries what acts along the axis and about it. The load is

    L = mu (|N_1| + |N_2| + sqrt((F.e)^2 + (T.e / r)^2))    of a ball  L = mu |F|

The thread of a screw of lead p has T.e = -p F.e, so the root is its normal force |F.e| / cos(atan(p / r)).
With the sliding velocity sigma of the surfaces, along the axis and r times that about it, body j feels

    -L tanh(|sigma| / speed) sigma / |sigma|                sigma = (e.u, r e.w),    of a ball  r w

so that a joint creeps where it should stick. Along each sigma_k = p_k.(u, w) of the relative velocity

    (F, T) = -L phi sigma_k p_k       phi = tanh(|sigma| / speed) / |sigma|,   n = sigma / |sigma|
    d(F, T) = -L p_k (phi (1 - n n^T) + (1 - tanh^2) / speed n n^T)_kl p_l.(du, dw)

L depends on lam, so f does, as with the radial forces of teeth, and both are found together: see `press` in
engine.kernels.entries. With r_0 and r_1 the misfits of L before and after it was changed by r_0, the change
that follows from a change of L is r_1 r_0 / r_0^2 of it: from 1 on there is no unique solution.
"""

import math

from engine.kernels import inlined, kernel
from engine.kernels.acting import interactions
from engine.kernels.acting.interactions import (
    BY_U,
    FRICTION,
    PRESSURE,
    SLIDING,
    Z_DOT,
    U,
    arguments,
    column,
)
from engine.kernels.acting.line_laws import unit
from engine.kernels.layout import System, Workspace
from engine.kernels.linking import Entry, unpack
from engine.kernels.spatial import cross, dot, minus, plus, times, to_world, vec

# --- numbers of the law
AXIS, SLIDES, TURNS, MU, RADIUS, HALF_LENGTH, SPEED = range(7)  # an axis below zero: a ball
GATE_ROW = -2.0  # in the place of an axis: a row that slides, of engine.kernels.acting.gates
GATE_SIGN = 4  # mu with the sign of lam where it presses: with |lam| a row that pulls would rub too
SLIGHT = 1e-6  # of the multipliers: the step of differences
STILL = 1e-9  # of the speed at which friction acts: slower is at rest


@kernel
def size(a):
    """|a|."""
    return math.sqrt(dot(a, a))


@kernel
def load(dim, rub, one, frames, D, lam):
    """L of the multipliers; bodies must stand in space, and D must be filled."""
    if one.param[AXIS] == GATE_ROW:
        return one.param[GATE_SIGN] * lam[rub.row] if lam[rub.row + 1] == 0.0 else 0.0
    on_j = rub.D_j >= 0
    first = rub.D_j if on_j else rub.D_i
    sign = -1.0 if on_j else 1.0
    F = (0.0, 0.0, 0.0)
    T = (0.0, 0.0, 0.0)
    for k in range(rub.n_rows):
        push = sign * lam[rub.row + k]
        if dim == 2:
            F = plus(F, (push * D[first + k, 0], push * D[first + k, 1], 0.0))
            T = plus(T, (0.0, 0.0, push * D[first + k, 2]))
        else:
            F = plus(F, (push * D[first + k, 0], push * D[first + k, 1], push * D[first + k, 2]))
            T = plus(T, (push * D[first + k, 3], push * D[first + k, 4], push * D[first + k, 5]))
    if one.param[AXIS] < 0.0:
        return one.param[MU] * size(F)
    body = frames[one.j] if on_j else frames[one.i]
    if dim == 3:
        T = to_world(body.R, T)
    place = plus(vec(frames[one.j].r), to_world(frames[one.j].R, one.P_j))
    T = minus(T, cross(minus(place, vec(body.r)), F))
    e = to_world(frames[one.i].R, column(one.axes_i, int(one.param[AXIS])))
    along, about = dot(F, e), dot(T, e)
    side = times(0.5, minus(F, times(along, e)))
    lever = times(0.5 / one.param[HALF_LENGTH], cross(T, e))
    twist = about / one.param[RADIUS] if one.param[RADIUS] > 0.0 else 0.0
    both = size(plus(side, lever)) + size(minus(side, lever))
    return one.param[MU] * (both + math.sqrt(along * along + twist * twist))


@kernel
def way(param, k):
    """p_k: what the sliding speed number k is of the relative velocity, as six numbers."""
    r = param[RADIUS]
    if param[AXIS] < 0.0:
        w = unit(float(k))
        return (0.0, 0.0, 0.0, r * w[0], r * w[1], r * w[2])
    e = unit(param[AXIS])
    u = times(param[SLIDES] if k == 0 else 0.0, e)
    w = times(param[TURNS] * r if k == 1 else 0.0, e)
    return (u[0], u[1], u[2], w[0], w[1], w[2])


@kernel
def sliding(param, x, k):
    """sigma_k of the relative velocity that a law sees."""
    p = way(param, k)
    total = 0.0
    for c in range(6):
        total += p[c] * x[U + c]
    return total


@Entry
def joint_friction(table, t, seen, out, slopes, flag):
    """(F, T) = -L phi sigma_k p_k with the load L that is noted in ws.pressed."""
    one, x, Q, slope, width = arguments(table, seen, out, slopes, flag)
    system, ws = unpack(table)
    L = 0.0
    if system.rubbings.size > 0:
        L = ws.pressed[system.meshings.size + one.rubbing]
    sigma = (sliding(one.param, x, 0), sliding(one.param, x, 1), sliding(one.param, x, 2))
    speed = size(sigma)
    full = math.tanh(speed / one.param[SPEED])
    moves = speed > STILL * one.param[SPEED]
    phi = full / speed if moves else 1.0 / one.param[SPEED]
    n = times(1.0 / speed if moves else 0.0, sigma)
    for k in range(3):
        p = way(one.param, k)
        for r in range(6):
            Q[r] -= L * phi * sigma[k] * p[r]
    Q[Z_DOT + PRESSURE] = L / one.param[MU] if one.param[MU] > 0.0 else 0.0
    Q[Z_DOT + FRICTION] = L * full
    Q[Z_DOT + SLIDING] = speed
    if slope.size > 0:
        steep = (1.0 - full * full) / one.param[SPEED]
        for k in range(3):
            p = way(one.param, k)
            for m in range(3):
                by = (steep - phi) * n[k] * n[m] + (phi if k == m else 0.0)
                q = way(one.param, m)
                for r in range(6):
                    for c in range(6):
                        slope[r * width + BY_U + c] -= L * by * p[r] * q[c]
    return 0


@inlined
def carry(system: System, ws: Workspace, lam):
    """Note in ws.pressed the load of all frictions for lam, without changing f; D must be filled."""
    for k in range(system.rubbings.size):
        rub = system.rubbings[k]
        one = system.interactions[rub.interaction]
        ws.pressed[system.meshings.size + k] = load(system.dim, rub, one, ws.spatial, ws.D, lam)


@inlined
def measure(system: System, ws: Workspace, lam, least, pressed, misfit):
    """Fill misfit with what the loads of lam differ from those in f; bodies must stand in space.

    Returns the largest one relative to the largest load, which counts as at least `least`.
    """
    worst = 0.0
    most = least
    for k in range(system.rubbings.size):
        rub = system.rubbings[k]
        one = system.interactions[rub.interaction]
        L = load(system.dim, rub, one, ws.spatial, ws.D, lam)
        misfit[k] = L - pressed[k]
        worst = max(worst, abs(misfit[k]))
        most = max(most, L)
    return worst / max(most, 1e-300)


@kernel
def grows(before, misfit):
    """Whether a change of loads is followed by a change that is as large or larger, the same way."""
    old = 0.0
    new = 0.0
    for k in range(misfit.size):
        old += before[k] * before[k]
        new += misfit[k] * before[k]
    return new >= old and old > 0.0


@inlined
def add(table, system: System, ws: Workspace, t, share, misfit, before, pressed):
    """Bring a share of the missing friction into f and ws.given; changes pressed and before too."""
    for k in range(system.rubbings.size):
        which = system.rubbings[k].interaction
        one = system.interactions[which]
        noted = pressed[k]
        pressed[k] = share * misfit[k]  # friction is in proportion to what is noted
        interactions.evaluate(table, system, ws, t, ws.zero, which, ws.wrench, 0)
        ws.given[which] += interactions.power(ws.seen, ws.wrench)
        i, j = ws.spatial[one.i], ws.spatial[one.j]
        interactions.push(system.dim, system.carriers, one, i, j, ws.wrench, ws.f)
        pressed[k] += noted
        before[k] = misfit[k]


@kernel
def slope_of_load(dim, rub, one, frames, D, lam, k):
    """dL/dlam of row k of the joint, by a difference; lam is as before afterwards."""
    scale = 0.0
    for n in range(rub.n_rows):
        scale = max(scale, abs(lam[rub.row + n]))
    step = SLIGHT * max(scale, SLIGHT)
    here = lam[rub.row + k]
    lam[rub.row + k] = here + step
    more = load(dim, rub, one, frames, D, lam)
    lam[rub.row + k] = here - step
    less = load(dim, rub, one, frames, D, lam)
    lam[rub.row + k] = here
    return (more - less) / (2.0 * step)
