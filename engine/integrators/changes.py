"""Where a force changes its law within a step of an adaptive method.

Within a step every law is held on the branch it has at the start (engine.kernels.forces), so the dense
output is smooth, and it is that of the true motion up to the first change. Changes are looked for at equal
parts of the step and, in between, where a watched value turns back: a contact that is met and left again
within one part is found by the extreme of its gap. The moment is then found by bisection, the step ends
there, and the next one starts on the new branches.
"""

from typing import NamedTuple

import numpy as np

from engine.integrators.pairs import Pair, interpolate, interpolate_rates
from engine.kernels import kernel
from engine.kernels.entries import DONE, HOLD, WITH_SLOPES
from engine.kernels.linking import MODES, call

STOPPED = 5  # a further status value of a block of steps
PAUSED = 10  # another: something that compiled code does not decide changes after this step
STOPS, PAUSES = 1.0, 2.0  # what a change of a mode does to a run, besides 0
LOCATED = 1e-11  # [s] accuracy of the time of a change of mode
LOOKS = 8  # least number of checks of the modes in a step, plus one for each frame in it
LEAVING = 1e-7  # of the run: a change this early was on its limit at the start, and is not an event
TURNED = 1e-7  # of a part of the step: accuracy of the moment at which a value turns back


class Switches(NamedTuple):
    """The modes of a run, and memory for looking at them."""

    mode: np.ndarray  # (n_modes,)          on which the laws are held within the step
    seen: np.ndarray  # (2 n_modes,)        modes and slopes of what they watch at some fraction ...
    before: np.ndarray  # (2 n_modes,)      ... and at the look before
    at_turn: np.ndarray  # (2 n_modes,)     ... and where a value turns back
    stops: (
        np.ndarray
    )  # (n_modes,)         1: a change of this mode ends the run; 2: a block of steps
    times: np.ndarray  # (n_modes,)         of the motion while it presses [s]; infinite: no contact
    pressed: np.ndarray  # (n_modes,)       when it began to press
    events: np.ndarray  # (room, 3)         time, which, new mode
    Y: np.ndarray  # (n_y,)                 a state within the step, and ...
    Y_dot: np.ndarray  # (n_y,)             ... its rates


def room_for_switches(stops: np.ndarray, times: np.ndarray, n_y: int) -> Switches:
    """The modes of a run before it begins."""
    n = len(stops)
    looks = np.zeros(2 * n), np.zeros(2 * n), np.zeros(2 * n)
    events = np.zeros((max(64, 2 * n), 3))
    one, other = np.zeros(n), np.zeros(n)
    return Switches(one, *looks, stops, times, other, events, np.zeros(n_y), np.zeros(n_y))


@kernel
def differ(mode, seen):
    """How many modes are different."""
    n = 0
    for k in range(mode.size):
        n += mode[k] != seen[k]
    return n


@kernel
def look(pair: Pair, table, t, h, theta, y, k, switches: Switches, seen):
    """Write the modes and slopes at a fraction of the step to `seen`; returns how many modes differ."""
    interpolate(pair.P, k, h, theta, y, switches.Y)
    interpolate_rates(pair.P, k, theta, switches.Y_dot)
    call(MODES, table, t + theta * h, switches.Y, seen, switches.Y_dot, WITH_SLOPES)
    return differ(switches.mode, seen)


@kernel
def turn(pair: Pair, table, t, h, low, high, y, k, switches: Switches, which):
    """The fraction between two at which the slope of a watched value vanishes, by bisection and secants.

    At its end `switches.at_turn` holds what is seen there.
    """
    n, at_turn = switches.mode.size, switches.at_turn
    s_low, s_high = switches.before[n + which], switches.seen[n + which]
    width, steep, theta = TURNED * (high - low), max(abs(s_low), abs(s_high)), high
    for trial in range(60):
        theta = 0.5 * (low + high)
        if trial % 2 == 0:
            theta = low + (high - low) * s_low / (s_low - s_high)
        look(pair, table, t, h, theta, y, k, switches, at_turn)
        slope = at_turn[n + which]
        if abs(slope) <= TURNED * steep or high - low < width:
            break
        if slope * s_low > 0.0:
            low, s_low = theta, slope
        else:
            high, s_high = theta, slope
    return theta


@kernel
def first_change(pair: Pair, table, t, h, y, k, switches: Switches, looks):
    """Two fractions of the step between which a mode changes first; both 0 if none does."""
    n, before, seen = switches.mode.size, switches.before, switches.seen
    look(pair, table, t, h, 0.0, y, k, switches, before)
    for part in range(1, looks + 1):
        low, high, changed = (part - 1) / looks, part / looks, 0.0
        if look(pair, table, t, h, high, y, k, switches, seen) > 0:
            changed = high
        for m in range(n):
            if before[n + m] * seen[n + m] < 0.0:
                theta = turn(pair, table, t, h, low, high, y, k, switches, m)
                if differ(switches.mode, switches.at_turn) > 0 and not 0.0 < changed <= theta:
                    changed = theta
        if changed > 0.0:
            return low, changed
        for m in range(2 * n):
            before[m] = seen[m]
    return 0.0, 0.0


@kernel
def locate(pair: Pair, table, t, h, low, high, y, k, switches: Switches, n_events):
    """Find where the modes change between two fractions of the step: returns the fraction just after it.

    Writes what changed to the events behind those that are there and returns their number; the modes from
    there on stand in `switches.seen`.
    """
    while (high - low) * h > LOCATED and high - low > 1e-15:
        middle = 0.5 * (low + high)
        if look(pair, table, t, h, middle, y, k, switches, switches.seen) > 0:
            high = middle
        else:
            low = middle
    look(pair, table, t, h, high, y, k, switches, switches.seen)
    n = n_events
    for m in range(switches.mode.size):
        if switches.mode[m] != switches.seen[m] and n < switches.events.shape[0]:
            switches.events[n, 0] = t + high * h
            switches.events[n, 1] = m
            switches.events[n, 2] = switches.seen[m]
            n += 1
    return high, n


@kernel
def hold(table, t, y, switches: Switches):
    """Hold all laws on the modes of a state; changes `switches.mode`."""
    call(MODES, table, t, y, switches.mode, y, 0)
    call(MODES, table, t, y, switches.mode, y, HOLD)
    for m in range(switches.mode.size):
        switches.pressed[m] = t


@kernel
def change_modes(table, t, y, switches: Switches, is_event):
    """Hold all laws on the modes just seen; STOPPED if a change is an event that ends the run."""
    status = DONE
    for m in range(switches.mode.size):
        if switches.mode[m] != switches.seen[m]:
            if switches.stops[m] == PAUSES and status == DONE:
                status = PAUSED
            if is_event and switches.stops[m] == STOPS:
                status = STOPPED
        if switches.mode[m] % 2.0 == 0.0:
            switches.pressed[m] = t
        switches.mode[m] = switches.seen[m]
    call(MODES, table, t, y, switches.mode, y, HOLD)
    return status


@kernel
def longest_in_contact(switches: Switches, t, growth):
    """The longest step that follows the motion of all contacts that press now, or may at once [s].

    A bounce is followed closely. What has pressed for much longer than a bounce lasts stays in contact:
    there steps may be as long as `growth` times the time for which it has done so. Explicit methods take
    none, as they would sit at their limit of stability, and tremble there.
    """
    h = np.inf
    for m in range(switches.mode.size):
        if switches.mode[m] % 2.0 != 0.0:
            h = min(h, max(switches.times[m], growth * (t - switches.pressed[m])))
    return h
