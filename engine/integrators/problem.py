"""What every integrator works on: y' = f(t, y) behind two or three entries, and where frames go.

derive(t, y) -> y_dot          correct(t, y): project y onto its constraints, and check it

The last numbers of y may be quadratures, such as works: y' does not depend on them. They take no part in
error control and iterations, so steps are the same with and without them.
"""

from typing import Any, NamedTuple

import numpy as np

from engine.kernels import kernel
from engine.kernels.entries import DIVERGED, DONE, HUGE
from engine.kernels.layout import GAP, LOCK, LOCK_BODY
from engine.kernels.linking import NOTHING

MAX_FRAMES = 4096  # in one block


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


class Frames(NamedTuple):
    """Where a block of steps writes its output frames."""

    t: np.ndarray  # (n,)
    y: np.ndarray  # (n, n_y)
    y_dot: np.ndarray  # (n, n_y)
    lam: np.ndarray  # (n, n_rows)
    since: np.ndarray  # (n, N_SINCE)


def room_for_frames(n_y: int, n_rows: int, n_since: int) -> Frames:
    """Room for the frames of one block."""
    n = min(MAX_FRAMES, max(64, 4_000_000 // max(2 * n_y + n_rows, 1)))
    y = (n, n_y)
    return Frames(*map(np.zeros, ((n,), y, y, (n, n_rows), (n, n_since))))


@kernel
def write_frame(frames: Frames, n, t, y, y_dot, lam, since):
    """Write frame number n and reset what is counted since a frame; changes `since`."""
    frames.t[n] = t
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


@kernel
def judge(y_dot):
    """DIVERGED if a rate is no longer meaningful."""
    for k in range(y_dot.size):
        if not abs(y_dot[k]) < HUGE:
            return DIVERGED
    return DONE
