"""How a step of fixed length begins, and the frames that lie within such steps.

Usually the time between frames is a whole number of steps: a frame is the state at the start of a step.
Else frames lie within steps, and the state there is that of the cubic which has y and y' of both ends,

    y(t0 + theta h) = y0 + theta d + theta (1 - theta) ((1 - theta) (h y0' - d) + theta (d - h y1'))
    d = y1 - y0,      error  theta^2 (1 - theta)^2 h^4 y''''/24:  at most h^4 y''''/384

corrected as every state is: quaternions get length 1, and joints are closed where the settings say so.
Accelerations and multipliers are computed from that state, so that a frame fulfils the equations of motion.
The steps themselves are not touched: frames never change the motion.
"""

from typing import NamedTuple

import numpy as np

from engine.integrators.problem import Frames, judge, write_frame
from engine.kernels import inlined, kernel
from engine.kernels.entries import AFTER_CORRECTION, DIVERGED, DONE, EVERYTHING, LOCKED, OPEN_JOINT
from engine.kernels.layout import GAP, LOCK, LOCK_BODY
from engine.kernels.linking import CORRECT, DERIVE, call

FULL = -2  # a status: there is no room for another frame, and the step goes on in the next block
COINCIDE = 1e-9  # of a step: a frame this near to the start of a step is the state there

# --- where a run with frames within its steps is
NEXT_FRAME = 0  # the number of the next frame
BEGUN = 1  # the number of the last step that has begun
STATUS = 2  # how it began
AWAY = 3  # 1: the problem was evaluated within the step before, not at the start of this one
CHANGED = 4  # 1: the state before was changed from outside, its rates must be computed anew
EVALUATIONS = 5  # of y_dot for frames within steps
N_PLACES = 6


class Plan(NamedTuple):
    """The constants of a run of fixed step, and what frames within steps need of the step before."""

    t0: float
    h: float
    every: int  # steps between two frames; 0: frames lie within steps
    between: float  # time between two frames [s]
    n_frames: int  # number of the last frame
    place: np.ndarray  # (N_PLACES,)
    y: np.ndarray  # (n_y,)         at the start of the step before, and its rates
    y_dot: np.ndarray  # (n_y,)
    Y: np.ndarray  # (n_y,)         in a frame, and its rates
    Y_dot: np.ndarray  # (n_y,)
    lam: np.ndarray  # (n_rows,)    at the start of this step
    since: np.ndarray  # (n_since,) what was monitored at the start of this step ...
    told: np.ndarray  # (n_since,)  ... and what the next frame tells


@inlined
def begin_step(table, step, plan: Plan, y, y_dot, scratch, lam, since, frames: Frames, n_frames):
    """Correct y, find y_dot, and write the frames that are due; changes y, y_dot, frames and scratch.

    Returns the status, its time and the frames written so far.
    """
    t = plan.t0 + step * plan.h
    if plan.every == 0:
        status, n_frames = begin_between(
            table, step, t, plan, y, y_dot, lam, since, frames, n_frames
        )
    else:
        status = call(CORRECT, table, t, y, scratch, scratch, 0)
        if status == DONE:
            call(DERIVE, table, t, y, y_dot, scratch, AFTER_CORRECTION)
            status = judge(y_dot)
        if status == DONE and step % plan.every == 0:
            write_frame(table, frames, n_frames, t, y, y_dot, lam, since)
            n_frames += 1
    return status, t, n_frames


@kernel
def copy(x, out):
    """Write x into out."""
    for k in range(x.size):
        out[k] = x[k]


@kernel
def hermite(theta, h, y0, y0_dot, y1, y1_dot, out):
    """out = the cubic with these values and rates at the ends of a step, a share theta into it."""
    for k in range(out.size):
        d = y1[k] - y0[k]
        bend = (1.0 - theta) * (h * y0_dot[k] - d) + theta * (d - h * y1_dot[k])
        out[k] = y0[k] + theta * (d + (1.0 - theta) * bend)


@kernel
def enter(table, step, t, plan: Plan, y, y_dot, lam, since):
    """Correct y and find y_dot, and keep what is monitored apart for this step and for the next frame."""
    place = plan.place
    if place[CHANGED] == 1.0:
        call(DERIVE, table, t - plan.h, plan.y, plan.y_dot, plan.Y, EVERYTHING)
        place[CHANGED] = 0.0
    gap, lock, body = since[GAP], since[LOCK], since[LOCK_BODY]
    since[GAP], since[LOCK], since[LOCK_BODY] = 0.0, 1.0, -1.0
    status = call(CORRECT, table, t, y, plan.Y, plan.Y, 0)
    copy(since, plan.since)
    copy(since, plan.told)
    plan.told[GAP] = max(gap, since[GAP])
    if not lock >= since[LOCK]:
        plan.told[LOCK] = lock
        plan.told[LOCK_BODY] = body
    copy(plan.told, since)
    if status == DONE or status == LOCKED:
        call(DERIVE, table, t, y, y_dot, plan.Y, AFTER_CORRECTION)
        copy(lam, plan.lam)
        place[BEGUN], place[STATUS] = step, status
        if judge(y_dot) != DONE:
            status = DIVERGED
    return status


@kernel
def write_within(table, t, plan: Plan, y, y_dot, lam, since, frames: Frames, n_frames):
    """Write the frames before the time t of a step that has begun; returns the status and their number."""
    place = plan.place
    while place[NEXT_FRAME] <= plan.n_frames:
        at = plan.t0 + place[NEXT_FRAME] * plan.between
        if at > t - COINCIDE * plan.h:
            break
        if n_frames == frames.t.size:
            return FULL, n_frames
        hermite(1.0 - (t - at) / plan.h, plan.h, plan.y, plan.y_dot, y, y_dot, plan.Y)
        status = call(CORRECT, table, at, plan.Y, plan.Y_dot, plan.Y_dot, 0)
        call(DERIVE, table, at, plan.Y, plan.Y_dot, plan.Y_dot, AFTER_CORRECTION)
        if status == OPEN_JOINT:  # the steps are closed, only this frame could not be
            plan.told[GAP] = max(plan.told[GAP], since[GAP])
        copy(plan.told, since)
        write_frame(table, frames, n_frames, at, plan.Y, plan.Y_dot, lam, since)
        copy(plan.since, plan.told)
        n_frames += 1
        place[NEXT_FRAME] += 1.0
        place[EVALUATIONS] += 1.0
        place[AWAY] = 1.0
    return DONE, n_frames


@kernel
def begin_between(table, step, t, plan: Plan, y, y_dot, lam, since, frames: Frames, n_frames):
    """Begin a step where frames lie within steps: write those of the step before and one at its start.

    A step that has begun is not begun again: where the frames were full, the rest is written.
    """
    place = plan.place
    if place[BEGUN] != step:
        status = enter(table, step, t, plan, y, y_dot, lam, since)
        if status != DONE and status != LOCKED:
            return status, n_frames
    status, n_frames = write_within(table, t, plan, y, y_dot, lam, since, frames, n_frames)
    if status != DONE:
        return status, n_frames
    if place[AWAY] == 1.0:
        copy(y, plan.Y)
        call(CORRECT, table, t, plan.Y, plan.Y_dot, plan.Y_dot, 0)
        call(DERIVE, table, t, y, plan.Y_dot, plan.Y, EVERYTHING)
        copy(plan.lam, lam)
        copy(plan.told, since)
        place[EVALUATIONS] += 1.0
        place[AWAY] = 0.0
    at = plan.t0 + place[NEXT_FRAME] * plan.between
    is_due = place[NEXT_FRAME] <= plan.n_frames and at <= t + COINCIDE * plan.h
    if is_due and place[STATUS] == DONE:
        if n_frames == frames.t.size:
            return FULL, n_frames
        write_frame(table, frames, n_frames, at, y, y_dot, lam, since)
        n_frames += 1
        place[NEXT_FRAME] += 1.0
    copy(y, plan.y)
    copy(y_dot, plan.y_dot)
    return int(place[STATUS]), n_frames
