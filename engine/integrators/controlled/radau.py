"""Radau IIA of order five: collocation at three points of a step, for stiff equations y' = f(t, y).

    Z_i = h sum_j A_ij f(t + c_j h, y + Z_j)     y <- y + Z_3     c = (4 - sqrt 6)/10, (4 + sqrt 6)/10, 1

A^-1 = T Lam T^-1 has a real eigenvalue mu and a pair alpha +- i beta. With W = T^-1 Z a step of Newton's
iteration is one real and one complex system of the size of y, with r = T^-1 F - Lam W/h:

    (mu/h - J) dW_1 = r_1                        ((alpha - i beta)/h - J) (dW_2 + i dW_3) = r_2 + i r_3

J = df/dy is found by differences and kept as long as the iteration converges well. The error of a step is
that of an embedded formula of order three, filtered by the first of these matrices, so that stiff parts do
not count (Hairer and Wanner, IV.8). The polynomial through the stages is the dense output, and guesses
the next ones. Quadratures are no unknowns: they are summed over the stages, and over the polynomial up
to a frame.

Where stiff parts rest on slow ones, the error at the end of a step says little about the polynomial within:
steps that are not short against the time between frames end at frames.
"""

import math
from functools import cache
from typing import NamedTuple

import numpy as np

from engine.integrators.adaptive import (
    CHANGED,
    EVALUATIONS,
    NEXT_FRAME,
    REJECTED,
    SAFETY,
    SHRINK,
    STARTED,
    TOO_SMALL,
    WORST,
    Control,
    H,
    Scratch,
    T,
    end_step,
    in_view,
)
from engine.integrators.changes import Switches, hold, longest_in_contact
from engine.integrators.controlled.lu import factorise, substitute
from engine.integrators.pairs import Pair
from engine.integrators.problem import Frames, due, judge, write_frame
from engine.integrators.stepping import next_goal
from engine.kernels import kernel
from engine.kernels.entries import AFTER_CORRECTION, DONE, EVERYTHING
from engine.kernels.linking import CORRECT, DERIVE, call

N_STAGES = 3
C = np.array([(4.0 - 6.0**0.5) / 10.0, (4.0 + 6.0**0.5) / 10.0, 1.0])
_POWERS = C[:, None] ** np.arange(N_STAGES)  # c_i^m
_RISE = C[:, None] ** np.arange(1, N_STAGES + 1)  # c_i^(m + 1)
A = _RISE / np.arange(1, N_STAGES + 1) @ np.linalg.inv(_POWERS)
B = A[2].copy()
_INV_A = np.linalg.inv(A)
_values, _vectors = np.linalg.eig(_INV_A)
_real, _pair = int(np.abs(_values.imag).argmin()), int(_values.imag.argmax())
MU, LAM = float(_values[_real].real), complex(np.conj(_values[_pair]))  # LAM = alpha - i beta
TO_Z = np.stack([_vectors[:, _real].real, _vectors[:, _pair].real, _vectors[:, _pair].imag], axis=1)
TO_W = np.linalg.inv(TO_Z)
# of Z in the error: the embedded formula, of weight 1/mu at the start, is exact for y' of degree two
ERROR = -np.linalg.solve(_POWERS.T, np.eye(N_STAGES)[0]) @ _INV_A
TO_POLYNOMIAL = np.linalg.inv(_RISE)  # Z(theta) = sum_m theta^(m + 1) (TO_POLYNOMIAL Z)_m

MOST_ITERATIONS = 8
GROW = 8.0  # of a step, at most
WELL = 1e-3  # the rate of convergence below which J serves another step
KEPT = 1.2  # a step that would grow by less keeps its length and its factors
SPARSE = 0.3  # of the time between frames: longer steps end at frames
NEAR = 1e-3  # of what is allowed: what the iteration may leave
NOISE = 1e-2  # of what is allowed: changes this small that do not shrink are rounding
FOLLOWED = 0.25  # of the time for which a contact has pressed: the longest step then
SLIGHT = 1.5e-8  # of a number and its size: steps of differences
ROUNDING = 2.2e-16

# --- what is kept from step to step
H_OF_FACTORS, H_BEFORE, H_ACCEPTED, ERROR_BEFORE, HAS_J, IS_CURRENT = range(6)
WAS_REJECTED, RATE, ITERATIONS, SOLVES, N_PAST = range(6, 11)


class Memory(NamedTuple):
    """Memory of the method; n numbers take part in the iteration, n_y with quadratures."""

    past: np.ndarray  # (N_PAST,)
    J: np.ndarray  # (n, n)
    real: np.ndarray  # (n, n)     factors of mu/h - J ...
    real_pivots: np.ndarray  # (n,)
    paired: np.ndarray  # (n, n)   ... and of (alpha - i beta)/h - J
    paired_pivots: np.ndarray  # (n,)
    Z: np.ndarray  # (3, n)
    W: np.ndarray  # (3, n)
    F: np.ndarray  # (3, n_y)
    f: np.ndarray  # (n_y,)        at the start of the step
    y_before: np.ndarray  # (n_y,) where the polynomial starts
    change: np.ndarray  # (n,)
    paired_change: np.ndarray  # (n,)


def memory(n: int, n_y: int) -> Memory:
    """Memory for n unknowns of n_y numbers."""
    whole, stages, pivots = np.zeros((n, n)), np.zeros((N_STAGES, n)), np.zeros(n, dtype=np.int64)
    return Memory(
        past=np.zeros(N_PAST),
        J=whole,
        real=whole.copy(),
        real_pivots=pivots,
        paired=whole.astype(complex),
        paired_pivots=pivots.copy(),
        Z=stages,
        W=stages.copy(),
        F=np.zeros((N_STAGES, n_y)),
        f=np.zeros(n_y),
        y_before=np.zeros(n_y),
        change=np.zeros(n),
        paired_change=np.zeros(n, dtype=complex),
    )


@cache
def collocation() -> Pair:
    """The dense output as that of a pair whose stages are the coefficients of the polynomial, over h."""
    none = np.zeros(0)
    return Pair(A, C, B, none, none, np.eye(N_STAGES), 3)


@kernel
def differentiate(table, control: Control, state, own: Memory, t, y, scratch: Scratch):
    """J by differences at (t, y), where own.f is the rate; changes y and puts it back."""
    n, g = control.floor.size, scratch.y_dot
    for j in range(n):
        kept = y[j]
        y[j] = kept + SLIGHT * (control.floor[j] + abs(kept))
        step = y[j] - kept
        call(DERIVE, table, t, y, g, scratch.Y, EVERYTHING)
        y[j] = kept
        for i in range(n):
            own.J[i, j] = (g[i] - own.f[i]) / step
    state[EVALUATIONS] += n
    own.past[HAS_J], own.past[IS_CURRENT], own.past[H_OF_FACTORS] = 1.0, 1.0, 0.0


@kernel
def factorise_both(own: Memory, h):
    """The factors of both matrices for steps of h; False where one is singular."""
    n = own.J.shape[0]
    for i in range(n):
        for j in range(n):
            own.real[i, j] = -own.J[i, j]
            own.paired[i, j] = -own.J[i, j]
        own.real[i, i] += MU / h
        own.paired[i, i] += LAM / h
    is_regular = factorise(own.real, own.real_pivots)
    is_regular = factorise(own.paired, own.paired_pivots) and is_regular
    own.past[H_OF_FACTORS] = h
    own.past[SOLVES] += 1
    return is_regular


@kernel
def guess(own: Memory, k, h, y):
    """Z from the polynomial of the last step, which has the coefficients k; zero before there is one."""
    before, n = own.past[H_BEFORE], own.J.shape[0]
    for m in range(N_STAGES):
        theta = 1.0 + C[m] * h / before if before > 0.0 else 0.0
        for i in range(n):
            own.Z[m, i] = 0.0
            if before > 0.0:
                rise = theta * (k[0, i] + theta * (k[1, i] + theta * k[2, i]))
                own.Z[m, i] = own.y_before[i] + before * rise - y[i]
    for m in range(N_STAGES):
        for i in range(n):
            own.W[m, i] = 0.0
            for j in range(N_STAGES):
                own.W[m, i] += TO_W[m, j] * own.Z[j, i]


@kernel
def improve(own: Memory, control: Control, h, y):
    """One step of Newton's iteration from the rates F; its size in units of the tolerance."""
    n, F, W = own.J.shape[0], own.F, own.W
    for i in range(n):
        r0 = TO_W[0, 0] * F[0, i] + TO_W[0, 1] * F[1, i] + TO_W[0, 2] * F[2, i]
        r1 = TO_W[1, 0] * F[0, i] + TO_W[1, 1] * F[1, i] + TO_W[1, 2] * F[2, i]
        r2 = TO_W[2, 0] * F[0, i] + TO_W[2, 1] * F[1, i] + TO_W[2, 2] * F[2, i]
        own.change[i] = r0 - MU / h * W[0, i]
        own.paired_change[i] = complex(r1, r2) - LAM / h * complex(W[1, i], W[2, i])
    substitute(own.real, own.real_pivots, own.change)
    substitute(own.paired, own.paired_pivots, own.paired_change)
    size = 0.0
    for i in range(n):
        allowed = control.tolerance * (control.floor[i] + abs(y[i]))
        change, paired = own.change[i] / allowed, own.paired_change[i] / allowed
        size += change * change + paired.real * paired.real + paired.imag * paired.imag
        W[0, i] += own.change[i]
        W[1, i] += own.paired_change[i].real
        W[2, i] += own.paired_change[i].imag
        for m in range(N_STAGES):
            own.Z[m, i] = TO_Z[m, 0] * W[0, i] + TO_Z[m, 1] * W[1, i] + TO_Z[m, 2] * W[2, i]
    return math.sqrt(size / (N_STAGES * n))


@kernel
def rates_at_stages(table, state, own: Memory, t, h, y, Y):
    """F = f at all stages, quadratures included."""
    for m in range(N_STAGES):
        for i in range(y.size):
            Y[i] = y[i]
        for i in range(own.J.shape[0]):
            Y[i] += own.Z[m, i]
        call(DERIVE, table, t + C[m] * h, Y, own.F[m], Y, EVERYTHING)
    state[EVALUATIONS] += N_STAGES


@kernel
def iterate(table, control: Control, state, own: Memory, t, h, y, Y):
    """Newton's iteration from the guess; True if it has converged. Its rate is kept."""
    near = max(10.0 * ROUNDING / control.tolerance, NEAR)
    size_before, rate = 0.0, -1.0
    for n in range(MOST_ITERATIONS):
        rates_at_stages(table, state, own, t, h, y, Y)
        size = improve(own, control, h, y)
        own.past[ITERATIONS] = n + 1
        if size_before > 0.0:
            rate = size / size_before
            own.past[RATE] = rate
        if not size < 1e30:
            return False
        if size == 0.0 or (0.0 < rate < 1.0 and rate / (1.0 - rate) * size < near):
            return True
        left = MOST_ITERATIONS - 1 - n
        if rate >= 1.0 and size < NOISE:
            return True
        if rate >= 1.0 or (rate > 0.0 and rate**left / (1.0 - rate) * size > near):
            return False
        size_before = size
    return False


@kernel
def estimate(own: Memory, control: Control, h, y, f):
    """The error of a step in units of what is allowed, left in own.change; f is the rate at its start."""
    n = own.J.shape[0]
    for i in range(n):
        of_Z = ERROR[0] * own.Z[0, i] + ERROR[1] * own.Z[1, i] + ERROR[2] * own.Z[2, i]
        own.change[i] = f[i] + of_Z / h
    substitute(own.real, own.real_pivots, own.change)
    total = 0.0
    for i in range(n):
        size = max(abs(y[i]), abs(y[i] + own.Z[2, i]))
        total += (own.change[i] / (control.tolerance * (control.floor[i] + size))) ** 2
    return math.sqrt(total / n)


@kernel
def attempt(
    table, since, scratch: Scratch, control: Control, h_most, state, own: Memory, t, goal, frame, y
):
    """Take a step that is accurate enough, shortened as needed: its length, 0 if none was short enough.

    Z holds its stages; the length of the next one is left in state[H]. `frame` is the time of the next
    frame, and the length of steps that end there.
    """
    past, Y = own.past, scratch.Y
    while True:
        h = in_view(since, min(state[H], h_most))
        if t + 1.0000001 * h >= frame[0] and h > frame[1]:
            h = frame[0] - t
        if t + 1.0000001 * h >= goal:
            h = goal - t
        if not h > 1e-14 * max(abs(t), 1e-3):
            return 0.0
        if past[HAS_J] == 0.0:
            differentiate(table, control, state, own, t, y, scratch)
        is_solved = past[H_OF_FACTORS] == h or factorise_both(own, h)
        if is_solved:
            guess(own, scratch.k, h, y)
            past[RATE] = 0.0
            is_solved = iterate(table, control, state, own, t, h, y, Y)
        if not is_solved:
            if past[IS_CURRENT] == 0.0:
                past[HAS_J] = 0.0
            else:
                state[H] = 0.5 * h
                state[REJECTED] += 1
            past[H_BEFORE] = past[H_OF_FACTORS] = 0.0
            continue
        error = estimate(own, control, h, y, own.f)
        if error > 1.0 and (past[H_ACCEPTED] == 0.0 or past[WAS_REJECTED] == 1.0):
            for i in range(y.size):
                Y[i] = y[i]
            for i in range(control.floor.size):
                Y[i] += own.change[i]
            call(DERIVE, table, t, Y, scratch.y_dot, Y, EVERYTHING)
            state[EVALUATIONS] += 1
            error = estimate(own, control, h, y, scratch.y_dot)
        safety = SAFETY * (2 * MOST_ITERATIONS + 1) / (2 * MOST_ITERATIONS + past[ITERATIONS])
        if not error <= 1.0:
            factor = max(safety * error**-0.25, SHRINK) if error == error else SHRINK
            state[H], past[WAS_REJECTED] = h * factor, 1.0
            state[REJECTED] += 1
            continue
        state[WORST] = max(state[WORST], error)
        plan_next(state, past, h, max(error, 1e-10), safety)
        return h


@kernel
def plan_next(state, past, h, error, safety):
    """The length of the next step by the last two errors, and whether J and the factors serve it."""
    factor = error**-0.25
    if past[H_ACCEPTED] > 0.0 and past[WAS_REJECTED] == 0.0:
        factor *= min(1.0, h / past[H_ACCEPTED] * (past[ERROR_BEFORE] / error) ** 0.25)
    factor = min(max(safety * factor, SHRINK), GROW)
    serves = past[ITERATIONS] <= 2 or past[RATE] <= WELL
    past[HAS_J] = 1.0 if serves else 0.0
    past[H_ACCEPTED], past[ERROR_BEFORE], past[WAS_REJECTED] = h, max(error, 1e-2), 0.0
    state[H] = h if serves and 1.0 <= factor < KEPT else h * factor


@kernel
def land(scratch: Scratch, own: Memory, h, y):
    """Write the end of a step and its polynomial to the scratch memory, quadratures included.

    The rates of those are the ones that the last iteration has found.
    """
    n, k, y_new = own.J.shape[0], scratch.k, scratch.y_new
    for i in range(y.size):
        y_new[i] = y[i]
        for m in range(N_STAGES):
            k[m, i] = 0.0
    for i in range(n):
        y_new[i] += own.Z[2, i]
        for m in range(N_STAGES):
            for j in range(N_STAGES):
                k[m, i] += TO_POLYNOMIAL[m, j] * own.Z[j, i] / h
    for i in range(n, y.size):
        for m in range(N_STAGES):
            y_new[i] += h * B[m] * own.F[m, i]


@kernel
def first_length(control: Control, y, f, h_most):
    """A first step that changes nothing by more than a small part of its size."""
    fastest = 1e-3 / min(h_most, 1e3)
    for i in range(control.floor.size):
        fastest = max(fastest, abs(f[i]) / (control.floor[i] + abs(y[i])))
    return min(1e-3 * control.tolerance**0.25 / fastest, h_most)


@kernel
def start_step(table, switches: Switches, control: Control, state, own: Memory, t, y, Y):
    """Correct and judge the state, fill f, and choose the first step of all."""
    if state[STARTED] == 0.0 and switches.mode.size > 0:
        hold(table, t, y, switches)
    status = call(CORRECT, table, t, y, Y, Y, 0)
    if status != DONE:
        return status
    call(DERIVE, table, t, y, own.f, Y, AFTER_CORRECTION)
    state[EVALUATIONS] += 1
    if state[STARTED] == 0.0:
        state[H], state[STARTED] = first_length(control, y, own.f, control.h_most), 1.0
    if state[CHANGED] == 1.0:
        for k in (HAS_J, H_OF_FACTORS, H_BEFORE, H_ACCEPTED):
            own.past[k] = 0.0
        state[CHANGED] = 0.0
    return judge(own.f)


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
    own: Memory,
    n_steps,
    y,
):
    """Take at most n_steps and write the frames at `times` on the way, as explicit pairs do."""
    n_frames, n_events, status = 0, 0, DONE
    last, t = times.t_end, state[T]
    for _ in range(n_steps):
        at = int(state[NEXT_FRAME])
        if at >= times.n or n_frames >= frames.t.size - 1:
            break
        status = start_step(table, switches, control, state, own, t, y, scratch.Y)
        if status != DONE:
            break
        if t >= due(times, at):
            write_frame(table, frames, n_frames, t, y, own.f, lam, since)
            n_frames += 1
            state[NEXT_FRAME] = at + 1
            if at + 1 >= times.n:
                break
        goal, beyond = next_goal(control.kinks, t, last)
        h_most = min(control.h_most, longest_in_contact(switches, t, FOLLOWED))
        frame = due(times, int(state[NEXT_FRAME])), SPARSE * (due(times, 1) - due(times, 0))
        h = attempt(table, since, scratch, control, h_most, state, own, t, goal, frame, y)
        if h == 0.0:
            status = TOO_SMALL
            break
        land(scratch, own, h, y)
        own.past[H_BEFORE], own.past[IS_CURRENT] = h, 0.0
        for i in range(y.size):
            own.y_before[i] = y[i]
        behind = frame[0] if h == frame[0] - t else t + h
        if t + 1.0000001 * h >= goal:
            behind = goal
        following = state[H]
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
            control.floor.size,
            n_frames,
            n_events,
            y,
        )
        state[H] = h if is_full else following
        if is_full:
            own.past[H_BEFORE] = 0.0
        if is_full or status != DONE or n_events + switches.mode.size > switches.events.shape[0]:
            break
        if state[CHANGED] == 1.0 and control.most_stiff < math.inf:
            break
    state[T] = t
    return status, n_frames, n_events
