"""Explicit Runge-Kutta pairs with step control and dense output on y' = f(t, y).

A step is accepted when the mean square of e, each part relative to tolerance (floor + |y|), is at most 1.
Where a force changes its law within a step (a stop is met, a rope goes slack, a table has a kink, or the
user asked for it), the moment is found on the dense output and the step ends there: see
engine.integrators.changes. While a contact presses, a step is never longer than a part of its own period.
The stages of such a step may lie beyond the change: quadratures, which no error control protects, are
summed again over the dense output.

After a step of error e the next one follows by Gustafsson's PI control,

    h <- 0.9 h e^(-0.7/8) e_before^(0.4/8)        and with I control        h <- 0.9 h e^(-1/k)

the former for Dormand-Prince 8 on joints: the latter rejects every fourth step there, but is better on
free bodies. Near a singular pose rounding is magnified at some stages, and shorter steps would lead into
the pose instead of over it. So a rejected step is taken again a little shorter, whatever the error says:
its stages then lie elsewhere. One that is short against the last good one is taken as it is.
"""

import math
from typing import NamedTuple

import numpy as np

from engine.integrators.changes import (
    LEAVING,
    LOOKS,
    STOPPED,
    Switches,
    change_modes,
    first_change,
    hold,
    locate,
    longest_in_contact,
)
from engine.integrators.explicit import combine
from engine.integrators.pairs import Pair, interpolate, sum_quadratures
from engine.integrators.problem import Frames, due, judge, write_frame
from engine.integrators.stepping import next_goal
from engine.kernels import kernel, merged
from engine.kernels.entries import AFTER_CORRECTION, DONE, EVERYTHING
from engine.kernels.layout import HASTE, SPIN
from engine.kernels.linking import CORRECT, DERIVE, PIVOTS, SHOW, call

SAFETY, SHRINK, GROW = 0.9, 0.2, 6.0  # of the step, from one to the next
TOO_SMALL = 4  # a further status value of a block of steps
TURN = 1.5  # [rad] of a body in one step: the relative rotation of two stays below pi
MOST_NOISE = 1e3  # times the tolerance: rounding magnified at a singular pose
# near a singular pose a rejected step is shortened by STRADDLE, down to ACROSS of the last good one; then
# it is accepted up to MOST_ACROSS tolerances, and its error counts as little for the next step
STRADDLE, ACROSS, MOST_ACROSS, NOT_COUNTED = 0.8, 0.1, 1e8, 1e-2
CALM = 1e-4  # the least error before that PI control counts
STIFF_FROM = 1.5  # h |lam| of a step that may be one of a stiff model


class Scratch(NamedTuple):
    """Memory of the method."""

    k: np.ndarray  # (n_all, n_y)
    Y: np.ndarray  # (n_y,)
    y_new: np.ndarray  # (n_y,)
    y_dot: np.ndarray  # (n_y,)
    node: np.ndarray  # (n_y,)   within a step, for quadratures
    last: np.ndarray  # (n_y,)   where the last stage is
    stiffness: np.ndarray  # (n,) h |lam| of the last steps


class Control(NamedTuple):
    """The tolerated error of a step, and how far it may go."""

    tolerance: float
    floor: np.ndarray  # (n,) sizes below which a number counts as zero; quadratures have none
    h_most: float
    kinks: np.ndarray  # (n,) times that no step passes, ascending
    now: float  # exponents of the error of a step ...
    past: float  # ... and of the step before, in the length of the next one
    most_stiff: float = math.inf  # of the steps remembered: more stiff ones end a block


# --- the state of a run between two blocks
T, H, NEXT_FRAME, REJECTED, STEPS, EVALUATIONS, WORST, STARTED = range(8)
BEFORE, SMALL, GOOD, CHANGED, NOTED, STIFF, N_STATE = range(8, 15)


@merged
def squared_error(weights, k, h, control: Control, y, y_new):
    """The mean square of an error estimate, in units of what is allowed."""
    total = 0.0
    for c in range(control.floor.size):
        error = 0.0
        for j in range(weights.size):
            error += weights[j] * k[j, c]
        allowed = control.tolerance * (control.floor[c] + max(abs(y[c]), abs(y_new[c])))
        total += (h * error / allowed) ** 2
    return total / control.floor.size


@kernel
def first_step(table, control: Control, t, y, k, scratch_y):
    """A first step after Hairer: the size of y over that of y', then over that of y''."""
    tolerance, floor, h_most = control.tolerance, control.floor, control.h_most
    size, rate = 0.0, 0.0
    for c in range(floor.size):
        allowed = tolerance * (floor[c] + abs(y[c]))
        size += (y[c] / allowed) ** 2
        rate += (k[0, c] / allowed) ** 2
    h = 1e-6 if size < 1e-10 or rate < 1e-10 else 0.01 * (size / rate) ** 0.5
    h = min(h, h_most)
    for c in range(y.size):
        scratch_y[c] = y[c] + h * k[0, c]
    call(DERIVE, table, t + h, scratch_y, k[1], scratch_y, EVERYTHING)
    bend = 0.0
    for c in range(floor.size):
        bend += ((k[1, c] - k[0, c]) / (tolerance * (floor[c] + abs(y[c])))) ** 2
    bend = bend**0.5 / h
    most = max(rate**0.5, bend)
    second = max(1e-6, h * 1e-3) if most <= 1e-15 else (0.01 / most) ** 0.2
    return min(100.0 * h, second, h_most)


@merged
def estimated_error(pair: Pair, k, h, control: Control, y, y_new):
    """The error of a step in units of what is allowed."""
    error = squared_error(pair.d, k, h, control, y, y_new)
    if pair.d_other[0] != 0.0:  # Hairer's combination of the estimates of order 5 and 3
        other = squared_error(pair.d_other, k, h, control, y, y_new)
        error = error * error / (error + 0.01 * other) if error > 0.0 else 0.0
    return math.sqrt(error)


@merged
def is_singular(table, state, t, y, scratch_y):
    """Whether more pivots are small than at the start, where a step ended just now or where it began."""
    if table[PIVOTS] == 0:
        return False
    if call(PIVOTS, table, t, y, y, y, 0) > state[SMALL]:
        return True
    call(DERIVE, table, t, y, scratch_y, scratch_y, EVERYTHING)
    state[EVALUATIONS] += 1
    return call(PIVOTS, table, t, y, y, y, 0) > state[SMALL]


@merged
def in_view(since, h):
    """The step, so short that no body turns by much in it, and none passes another unseen."""
    if h * since[SPIN] > TURN:
        h = TURN / since[SPIN]
    if h * since[HASTE] > 1.0:
        h = 1.0 / since[HASTE]
    return h


@merged
def attempt(
    table, since, pair: Pair, scratch: Scratch, control: Control, h_most, state, t, last, y
):
    """Take a step that is accurate enough, shortened as needed; y_new is its end.

    Returns its length, 0 if none was short enough, and the factor for the next one.
    """
    k, Y, y_new = scratch.k, scratch.Y, scratch.y_new
    n_stages, most, noise = pair.b.size, GROW, math.inf
    while True:
        h = in_view(since, min(state[H], h_most))
        if t + 1.0000001 * h >= last:
            h = last - t
        if not h > 1e-14 * max(abs(t), 1e-3):
            return 0.0, 1.0
        for i in range(1, n_stages):
            combine(i, h, pair.A[i], k, y, Y)
            call(DERIVE, table, t + pair.c[i] * h, Y, k[i], Y, EVERYTHING)
        for c in range(y.size):
            scratch.last[c] = Y[c]
        combine(n_stages, h, pair.b, k, y, y_new)
        call(DERIVE, table, t + h, y_new, k[n_stages], Y, EVERYTHING)
        state[EVALUATIONS] += n_stages
        error = estimated_error(pair, k, h, control, y, y_new)
        if error <= 1.0 and most == GROW:
            state[GOOD] = h
        singular = error > 1.0 and is_singular(table, state, t, y, scratch.y_dot)
        in_noise = error > 0.7 * noise and error < MOST_NOISE  # shorter steps do not help
        is_across = singular and h < ACROSS * state[GOOD] and error < MOST_ACROSS
        if error <= 1.0 or is_across or (in_noise and not singular):
            state[WORST] = max(state[WORST], error)
            error = NOT_COUNTED if error > 1.0 else max(error, 1e-10)
            factor = SAFETY * error**-control.now * state[BEFORE] ** control.past
            state[BEFORE] = max(error, CALM)
            return h, min(max(factor, SHRINK), most)
        factor = SHRINK
        if error == error:
            factor = max(SAFETY * error ** (-1.0 / (pair.order + 1)), SHRINK)
        noise = error if factor < 0.5 else math.inf
        state[H] = h * (max(factor, STRADDLE) if singular else factor)
        state[REJECTED] += 1
        most = 1.0


@merged
def write_between(
    table, lam, since, pair: Pair, scratch: Scratch, frames, n, times, at, t, h, behind, n_sure, y
):
    """Write the frames from number `at` on that lie before `behind`; returns their total number."""
    while at < times.n and due(times, at) < behind and n < frames.t.size - 1:
        theta = (due(times, at) - t) / h
        interpolate(pair.P, scratch.k, h, theta, y, scratch.Y)
        sum_quadratures(
            pair, table, t, h, theta, y, scratch.k, scratch.node, scratch.y_dot, n_sure, scratch.Y
        )
        call(CORRECT, table, due(times, at), scratch.Y, scratch.Y, scratch.Y, 0)
        if table[SHOW] == 0:  # which finds the rates itself
            call(
                DERIVE, table, due(times, at), scratch.Y, scratch.y_dot, scratch.Y, AFTER_CORRECTION
            )
        write_frame(table, frames, n, due(times, at), scratch.Y, scratch.y_dot, lam, since)
        n += 1
        at += 1
    return n, at


@kernel
def cut_at_change(
    table,
    pair: Pair,
    scratch: Scratch,
    switches: Switches,
    control: Control,
    t,
    h,
    behind,
    looks,
    n_events,
    y,
):
    """End a step where a law changes first, if one does; changes y_new and the events.

    Returns whether one does, where the step ends, the number from which on quadratures
    must be summed, and the events written.
    """
    k = scratch.k
    low, high = first_change(pair, table, t, h, y, k, switches, looks)
    if high == 0.0:
        return False, behind, y.size, n_events
    high, n_events = locate(pair, table, t, h, low, high, y, k, switches, n_events)
    if high < 1.0:
        behind = t + high * h
        interpolate(pair.P, k, h, high, y, scratch.y_new)
    n_sure = control.floor.size
    sum_quadratures(
        pair, table, t, h, high, y, k, scratch.node, scratch.y_dot, n_sure, scratch.y_new
    )
    return True, behind, n_sure, n_events


@merged
def end_step(
    table,
    lam,
    since,
    pair: Pair,
    scratch: Scratch,
    switches: Switches,
    frames: Frames,
    times,
    control: Control,
    state,
    step,
    n_sure,
    n_frames,
    n_events,
    y,
):
    """End an accepted step where a law changes in it, write its frames and go on; changes y and state.

    `step` is its start, its length and its end, the goal of that and where time goes on behind it; the
    dense output gives the first n_sure numbers. Returns how it ended, whether it must be repeated
    for want of room, the time, and the frames and events written.
    """
    t, h, behind, goal, beyond = step
    at, known = int(state[NEXT_FRAME]), n_events
    changed = False
    if switches.mode.size > 0:
        looks = max(LOOKS, int(h / times.t_end * times.n) + 1)
        changed, behind, sure, n_events = cut_at_change(
            table, pair, scratch, switches, control, t, h, behind, looks, n_events, y
        )
        n_sure = min(n_sure, sure)
    n_frames, at = write_between(
        table, lam, since, pair, scratch, frames, n_frames, times, at, t, h, behind, n_sure, y
    )
    state[EVALUATIONS] += at - state[NEXT_FRAME]
    state[NEXT_FRAME] = at
    if at < times.n and due(times, at) < behind:
        return DONE, True, t, n_frames, known
    state[STEPS] += 1
    t = beyond if behind == goal else behind
    for c in range(y.size):
        y[c] = scratch.y_new[c]
    status, k, Y = DONE, scratch.k, scratch.Y
    if changed:
        state[CHANGED] = 1.0
        status = change_modes(table, t, y, switches, t > LEAVING * times.t_end)
        if status == STOPPED:
            call(CORRECT, table, t, y, Y, Y, 0)
            call(DERIVE, table, t, y, k[0], Y, AFTER_CORRECTION)
            write_frame(table, frames, n_frames, t, y, k[0], lam, since)
            n_frames += 1
    return status, False, t, n_frames, n_events


@merged
def note_stiffness(pair: Pair, scratch: Scratch, control: Control, state, h):
    """Remember h |lam| of the last step, with lam the fastest rate that its last two stages tell of.

    Where it is large in most steps, stability keeps them short and not accuracy: the model is stiff. They
    belong to the same time: f(y_new) - f(Y) is J (y_new - Y), and what dies out at once is left in
    their difference longest.
    """
    n, k = pair.b.size, scratch.k
    apart, changed = 0.0, 0.0
    for c in range(control.floor.size):
        y = scratch.y_new[c]
        size = control.floor[c] + abs(y)
        apart += ((y - scratch.last[c]) / size) ** 2
        changed += ((k[n, c] - k[n - 1, c]) / size) ** 2
    if apart > 0.0:
        place = int(state[NOTED]) % scratch.stiffness.size
        state[STIFF] -= scratch.stiffness[place] > STIFF_FROM
        scratch.stiffness[place] = h * math.sqrt(changed / apart)
        state[STIFF] += scratch.stiffness[place] > STIFF_FROM
        state[NOTED] += 1


@merged
def start_step(table, scratch: Scratch, switches: Switches, control: Control, state, t, y):
    """Correct and judge the state, fill k[0], and choose the first step of all."""
    k, Y = scratch.k, scratch.Y
    if state[STARTED] == 0.0 and switches.mode.size > 0:
        hold(table, t, y, switches)
    status = call(CORRECT, table, t, y, Y, Y, 0)
    if status != DONE:
        return status
    call(DERIVE, table, t, y, k[0], Y, AFTER_CORRECTION)
    state[EVALUATIONS] += 1
    if state[STARTED] == 0.0:
        state[H] = first_step(table, control, t, y, k, Y)
        state[STARTED], state[BEFORE] = 1.0, CALM
        call(CORRECT, table, t, y, Y, Y, 0)
        call(DERIVE, table, t, y, k[0], Y, AFTER_CORRECTION)
        if table[PIVOTS] != 0:
            state[SMALL] = call(PIVOTS, table, t, y, Y, Y, 0)
    return judge(k[0])


@kernel
def advance(
    table,
    lam,
    since,
    pair: Pair,
    scratch: Scratch,
    switches: Switches,
    frames: Frames,
    times,
    control: Control,
    state,
    n_steps,
    y,
):
    """Take at most n_steps and write the frames at `times` on the way; changes y, state and frames.

    The last frame is reserved for the time at which an event ends the run. Returns how
    it ended, the frames and the events written.
    """
    n_frames, n_events, status = 0, 0, DONE
    n_stages, n_all = pair.b.size, pair.c.size
    k, Y, last, t = scratch.k, scratch.Y, times.t_end, state[T]
    for _ in range(n_steps):
        at = int(state[NEXT_FRAME])
        if at >= times.n or n_frames >= frames.t.size - 1:
            break
        status = start_step(table, scratch, switches, control, state, t, y)
        if status != DONE:
            break
        if t >= due(times, at):
            write_frame(table, frames, n_frames, t, y, k[0], lam, since)
            n_frames += 1
            at += 1
            state[NEXT_FRAME] = at
            if at >= times.n:
                break
        goal, beyond = next_goal(control.kinks, t, last)
        h_most = min(control.h_most, longest_in_contact(switches, t, 0.0))
        h, factor = attempt(table, since, pair, scratch, control, h_most, state, t, goal, y)
        if h == 0.0:
            status = TOO_SMALL
            break
        note_stiffness(pair, scratch, control, state, h)
        behind = goal if t + 1.0000001 * h >= goal else t + h
        if switches.mode.size > 0 or due(times, at) < behind:
            for i in range(n_stages + 1, n_all):
                combine(i, h, pair.A[i], k, y, Y)
                call(DERIVE, table, t + pair.c[i] * h, Y, k[i], Y, EVERYTHING)
            state[EVALUATIONS] += n_all - n_stages - 1
        status, is_full, t, n_frames, n_events = end_step(
            table,
            lam,
            since,
            pair,
            scratch,
            switches,
            frames,
            times,
            control,
            state,
            (t, h, behind, goal, beyond),
            y.size,
            n_frames,
            n_events,
            y,
        )
        state[H] = h if is_full else h * factor
        if is_full or status != DONE or n_events + switches.mode.size > switches.events.shape[0]:
            break
        if state[STIFF] > control.most_stiff:
            break
    state[T] = t
    return status, n_frames, n_events
