"""What every integrator works on: y' = f(t, y) behind two or three entries, and where frames go.

derive(t, y) -> y_dot          correct(t, y): project y onto its constraints, and check it

The last numbers of y may be quadratures, such as works: y' does not depend on them. They take no part in
error control and iterations, so steps are the same with and without them.
"""

from typing import Any, NamedTuple

import numpy as np

from engine.kernels import merged
from engine.kernels.entries import DIVERGED, DONE, HUGE
from engine.kernels.layout import GAP, LOCK, LOCK_BODY
from engine.kernels.linking import NOTHING, SHOW, call

MAX_FRAMES = 4096  # in one block
IN_PYTHON = 2e-5  # [s] a call of a Python function, roughly


class Problem(NamedTuple):
    """What is integrated. The table holds the addresses of its entries, see kernels.linking."""

    table: np.ndarray  # (n,) int64
    n_q: int  # positions come first in y
    lam: np.ndarray  # (n_rows,)   multipliers of the last derive
    since: np.ndarray  # (N_SINCE,) what `correct` has monitored since the last frame
    floor: np.ndarray  # (n,)      sizes below which a number counts as zero; without quadratures
    stops: np.ndarray  # (n_modes,) 1: a change of this mode ends the run
    contacts: np.ndarray  # (n_modes,) the longest step while it presses [s]; infinite: no contact
    h_most: float  # the longest step that misses no short load [s]
    keep: Any = None  # objects that must stay alive as long as the table
    kinks: np.ndarray = (
        NOTHING  # (n,) times at which y' has a kink: no adaptive step passes them [s]
    )
    n_shown: int = (
        0  # numbers of a state in frames; 0: as many as y, else the entry SHOW writes them
    )
    cost: float = IN_PYTHON  # of one evaluation of y', as far as it is known [s]


class Schedule(NamedTuple):
    """When the n frames of a run are due: at k t_end/(n - 1). A long run has no room for a list of them."""

    t_end: float
    n: int


@merged
def due(times, k):
    """The time of frame k; that of the last one is the end of the run to the last digit.

    It ends with a division, which is never merged with what follows: all who ask get one number.
    """
    return times.t_end if k == times.n - 1 else k * times.t_end / (times.n - 1)


class Frames(NamedTuple):
    """Where a block of steps writes its output frames."""

    t: np.ndarray  # (n,)
    y: np.ndarray  # (n, n_y)
    y_dot: np.ndarray  # (n, n_y)
    lam: np.ndarray  # (n, n_rows)
    since: np.ndarray  # (n, N_SINCE)


def room_for_frames(n_y: int, n_rows: int, n_since: int, n_frames: int = MAX_FRAMES) -> Frames:
    """Room for the frames of one block, and not for more than a run has: n_frames."""
    n = min(n_frames, MAX_FRAMES, max(64, 4_000_000 // max(2 * n_y + n_rows, 1)))
    y = (n, n_y)
    return Frames(*map(np.empty, ((n,), y, y, (n, n_rows), (n, n_since))))


class Room:
    """Room for frames: `free` is where the next ones are written, `taken` hands them over.

    So nothing is copied, and a short run has all its frames in one piece of memory.
    """

    def __init__(self, problem: "Problem", n_y: int, n_frames: int) -> None:
        self._sizes = problem.n_shown or n_y, len(problem.lam), len(problem.since)
        self._left = (
            n_frames + 2
        )  # one more for the moment of a stop, and one that is never written
        self.free = room_for_frames(*self._sizes, self._left)
        self._whole = len(self.free.t)

    def taken(self, n: int) -> Frames:
        """The first n frames of the free part, which are the caller's from now on."""
        found = Frames(*(column[:n] for column in self.free))
        self._left -= n
        if len(self.free.t) - n < min(self._left, max(2, self._whole // 4)):
            self.free = room_for_frames(*self._sizes, self._left)
        elif n:
            self.free = behind(self.free, n)
        return found


def behind(frames: Frames, n: int) -> Frames:
    """The frames from number n on, in the same memory."""
    return Frames(*(column[n:] for column in frames))


@merged
def write_frame(table, frames: Frames, n, t, y, y_dot, lam, since):
    """Write frame number n and reset what is counted since a frame; changes `since`.

    What is shown may be other numbers than those that are integrated: then SHOW writes them and lam.
    """
    frames.t[n] = t
    if table[SHOW] != 0:
        call(SHOW, table, t, y, frames.y[n], frames.y_dot[n], 0)
    else:
        for k in range(y.size):
            frames.y[n, k] = y[k]
            frames.y_dot[n, k] = y_dot[k]
    for k in range(lam.size):
        frames.lam[n, k] = lam[k]
    for k in range(since.size):
        frames.since[n, k] = since[k]
    since[GAP] = 0.0
    since[LOCK] = 1.0
    since[LOCK_BODY] = -1.0


@merged
def judge(y_dot):
    """DIVERGED if a rate is no longer meaningful."""
    for k in range(y_dot.size):
        if not abs(y_dot[k]) < HUGE:
            return DIVERGED
    return DONE
