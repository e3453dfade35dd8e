"""Many runs of one problem from different states, one after the other in compiled code.

Between two runs nothing is allocated and nothing returns to Python: the memory of the mechanism is put back
to what it was at the start, and the next state is taken.
"""

from typing import NamedTuple

import numpy as np

from engine.integrators.adaptive import EVALUATIONS, NEXT_FRAME, STEPS, Control, Scratch, advance
from engine.integrators.changes import Switches
from engine.integrators.pairs import Pair
from engine.integrators.problem import Frames
from engine.kernels import kernel
from engine.kernels.entries import DONE

NO_PROGRESS = 7  # a further status value: more steps than a run may take


class Members(NamedTuple):
    """The states from which runs begin, and what they end with; only the last frames are kept."""

    y: np.ndarray  # (n_runs, n_y)           at the start
    angle: np.ndarray  # (n_runs, n_terms)   turns of angles there
    status: np.ndarray  # (n_runs,)          how each ended
    steps: np.ndarray  # (n_runs,)
    evaluations: np.ndarray  # (n_runs,)
    n_frames: np.ndarray  # (n_runs,)        that were written
    t: np.ndarray  # (n_runs, n_kept)
    shown: np.ndarray  # (n_runs, n_kept, n_shown)
    rates: np.ndarray  # (n_runs, n_kept, n_shown)
    lam: np.ndarray  # (n_runs, n_kept, n_rows)


class Origin(NamedTuple):
    """The memory of a mechanism, what stands in it at the start, and where turns of angles are."""

    memory: np.ndarray
    first: np.ndarray
    angle: np.ndarray


@kernel
def advance_all(
    table,
    lam,
    since,
    origin: Origin,
    pair: Pair,
    scratch: Scratch,
    switches: Switches,
    frames: Frames,
    times,
    control: Control,
    state,
    most_steps,
    y,
    members: Members,
    first,
    last,
):
    """Run from the states first ... last - 1; changes what the members end with."""
    for m in range(first, last):
        for k in range(origin.memory.size):
            origin.memory[k] = origin.first[k]
        for k in range(members.angle.shape[1]):
            origin.angle[k] = members.angle[m, k]
        for k in range(state.size):
            state[k] = 0.0
        for k in range(switches.mode.size):
            switches.mode[k] = 0.0
        for k in range(y.size):
            y[k] = members.y[m, k]
        status, n = DONE, 0
        while status == DONE and state[NEXT_FRAME] < times.n:
            status, written, _ = advance(
                table,
                lam,
                since,
                pair,
                scratch,
                switches,
                Frames(
                    frames.t[n:], frames.y[n:], frames.y_dot[n:], frames.lam[n:], frames.since[n:]
                ),
                times,
                control,
                state,
                most_steps,
                y,
            )
            n += written
            if status == DONE and state[NEXT_FRAME] < times.n and state[STEPS] >= most_steps:
                status = NO_PROGRESS
        members.status[m], members.n_frames[m] = status, n
        members.steps[m], members.evaluations[m] = int(state[STEPS]), int(state[EVALUATIONS])
        keep_last(frames, n, members, m)


@kernel
def keep_last(frames: Frames, n, members: Members, m):
    """Copy the last frames of a run to those of its member, as many as there is room for."""
    n_kept = members.t.shape[1]
    for k in range(min(n, n_kept)):
        at = n - min(n, n_kept) + k
        members.t[m, k] = frames.t[at]
        for c in range(frames.y.shape[1]):
            members.shown[m, k, c] = frames.y[at, c]
            members.rates[m, k, c] = frames.y_dot[at, c]
        for c in range(frames.lam.shape[1]):
            members.lam[m, k, c] = frames.lam[at, c]
