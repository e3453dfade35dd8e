"""Find when triggers are met between the frames of a run, for methods that find no events within steps.

Between two frames a watched value x follows the cubic that has x and x_dot of both frames; a watched rate
likewise, with x_dot and x_ddot. All crossings of the limit on that cubic are found, even two between the
same frames.
"""

from itertools import pairwise

import numpy as np

from engine.compiling.system import Compiled, linked, workspace
from engine.integrators.changes import LEAVING
from engine.integrators.problem import Frames
from engine.integrators.stepping import Change
from engine.kernels import histories
from engine.kinematics.evaluate import fill

SHIFT = 1e-3  # of the time between frames: differences for x_ddot


class Watch:
    """The triggers of a run, and the last frame in which they were checked."""

    def __init__(self, compiled: Compiled, q: np.ndarray, v: np.ndarray, t_end: float) -> None:
        self._compiled, self._soon = compiled, LEAVING * t_end
        self._switches = compiled.system.switches
        self._which = np.flatnonzero(self._switches["term"] >= 0)
        if len(self._which):
            self._ws = workspace(compiled.system)
            self._ws.angle[:], self._rates = fill(compiled, self._ws, 0.0, q, v)
        self._last: Frames | None = None
        self._above: dict[int, bool] = {}  # the side of each trigger

    def look(self, frames: Frames) -> list[Change]:
        """The crossings since the last call, up to the last of these frames; remembers that frame."""
        if not len(self._which) or not len(frames.t):
            return []
        if self._last is not None:
            frames = Frames(*(np.concatenate(pair) for pair in zip(self._last, frames)))
        self._last = Frames(*(column[-1:] for column in frames))
        x, x_dot = self._measured(frames.t, frames.y)
        x_ddot = self._second_rates(frames) if self._switches["of_rate"].any() else x_dot
        found: list[Change] = []
        for which in self._which:
            switch, term = self._switches[which], self._switches[which]["term"]
            value, rate = (x_dot, x_ddot) if switch["of_rate"] else (x, x_dot)
            over = value[:, term] - switch["value"]
            found += self._crossings(int(which), frames.t, over, rate[:, term])
        return sorted(found)

    def _measured(self, t: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """All coordinates and their rates in these frames; angles in space continue to count turns."""
        system = self._compiled.system
        values, speeds = np.zeros((2, len(t), len(system.terms)))
        table = linked(system, self._ws)
        histories.coordinates(table, t, np.ascontiguousarray(y), self._rates, values, speeds)
        return values, speeds

    def _second_rates(self, frames: Frames) -> np.ndarray:
        """x_ddot of all coordinates: differences of x_dot along the motion."""
        kept = self._ws.angle.copy(), self._rates.copy()
        dt = SHIFT * (np.diff(frames.t).mean() if len(frames.t) > 1 else 1.0)
        after, before = (
            self._measured(frames.t, frames.y + shift * frames.y_dot)[1] for shift in (dt, -dt)
        )
        self._ws.angle[:], self._rates[:] = kept
        return (after - before) / (2.0 * dt)

    def _crossings(
        self, which: int, t: np.ndarray, x: np.ndarray, x_dot: np.ndarray
    ) -> list[Change]:
        """Where x changes its sign; remembers its side at the end."""
        h, found = np.diff(t), list[Change]()
        above = self._above.get(which, bool(x[0] >= 0.0))
        # the cubic lies between the least and the largest of these four numbers (its Bezier points)
        P = np.stack([x[:-1], x[:-1] + h * x_dot[:-1] / 3, x[1:] - h * x_dot[1:] / 3, x[1:]])
        for n in np.flatnonzero((P.min(axis=0) <= 0.0) & (P.max(axis=0) >= 0.0)):
            a, b, c, d = P[:, n]
            cubic = np.poly1d([d - 3 * c + 3 * b - a, 3 * (c - 2 * b + a), 3 * (b - a), a])
            inside = sorted(root for root in cubic.roots.real if 0.0 < root < 1.0)
            ends = [0.0, *inside, 1.0]
            for start, stop in pairwise(ends):
                is_above = bool(cubic((start + stop) / 2) >= 0.0)
                time = float(t[n] + start * h[n])
                if is_above != above and time > self._soon:
                    found.append((time, which, float(is_above)))
                above = is_above
        self._above[which] = above
        return found
