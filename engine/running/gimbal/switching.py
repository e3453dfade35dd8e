"""Change the orientation parameters of bodies during a run without changing their motion.

The integrator has codes of its own for the orientation of each body. A switch converts its state, and for a
multistep method the past values too, so that R, w and all smooth quantities are unchanged; then the code
changes. Frames are converted back: they are always in the parameters of the model.
"""

from typing import Any

import numpy as np

from engine.compiling.system import Compiled
from engine.integrators.problem import Frames
from engine.integrators.stepping import Stepper
from engine.kernels.layout import System
from engine.model.orientation import rates_of_angles
from rotations import SEQUENCES, euler_angles, quaternion


class Parameters:
    """The orientation parameters of each body: those integrated now and those of the model."""

    def __init__(self, compiled: Compiled, system: System) -> None:
        self._of_model = compiled.system.bodies["orientation"]
        self.codes = system.bodies["orientation"]  # the integrator's own array: a switch changes it
        self._layout = compiled.layout
        self._last: dict[int, np.ndarray] = {}  # the angles of a body in the last frame

    def name(self, k: int) -> str:
        """The parameters by which body k is integrated."""
        return "quaternion" if self.codes[k] < 0 else SEQUENCES[self.codes[k]]

    def unit(self, k: int, y: np.ndarray) -> np.ndarray:
        """The orientation of body k in a state of the integrator, as a unit quaternion."""
        return _units(y[None, self._layout.orientation(k)], int(self.codes[k]))[0]

    def switch(self, k: int, code: int, stepper: Stepper) -> Stepper:
        """Continue with other parameters for body k; changes the state. Returns the integrator to use."""
        old, slots = int(self.codes[k]), self._layout.orientation(k)
        states = stepper.states()
        together = converted(np.array([y[slots] for y in states]), old, code)
        for y, new in zip(states, together):
            y[slots] = new
        self.codes[k] = code
        return stepper.restarted()

    def state_of_model(self, y: np.ndarray) -> np.ndarray:
        """A state of the integrator in the parameters of the model."""
        if np.array_equal(self.codes, self._of_model):
            return y
        row = y[None].copy()
        for k in map(int, np.flatnonzero(self.codes != self._of_model)):
            row[:, self._layout.orientation(k)] = self._slots_of_model(k, row)
        return row[0]

    def frames_of_model(self, frames: Frames) -> Frames:
        """Frames of the integrator in the parameters of the model; remembers their last angles."""
        if not len(frames.t) or not len(self.codes) or not (self._of_model >= 0).any():
            return frames
        y, y_dot, layout = frames.y, frames.y_dot, self._layout
        _, v, _ = layout.parts(frames.y)
        changed = np.flatnonzero(self.codes != self._of_model)
        if len(changed):
            y, y_dot = y.copy(), y_dot.copy()
        for k in map(int, changed):
            slots, angles = layout.orientation(k), layout.angles(k)
            y[:, slots] = self._slots_of_model(k, frames.y)
            w = v[:, layout.spin(k)]
            rates = rates_of_angles(SEQUENCES[self._of_model[k]], y[:, angles], w)
            y_dot[:, slots] = 0.0
            y_dot[:, angles] = np.nan_to_num(rates)
        for k in map(int, np.flatnonzero(self._of_model >= 0)):
            self._last[k] = y[-1, layout.angles(k)].copy()
        return frames._replace(y=y, y_dot=y_dot)

    def _slots_of_model(self, k: int, y: np.ndarray) -> np.ndarray:
        """The orientation of body k in rows of y in the parameters of the model, without jumps."""
        slots = y[:, self._layout.orientation(k)]
        return converted(slots, int(self.codes[k]), int(self._of_model[k]), self._last.get(k))


def converted(slots: np.ndarray, old: int, new: int, start: np.ndarray | None = None) -> np.ndarray:
    """A sequence of orientations (n, 4) in other parameters, continuous from row to row.

    Codes are -1 for a quaternion, else that of a sequence. Angles begin near `start`, where it is given.
    """
    units = _units(slots, old)
    if new < 0:
        return quaternion.continuous(units)
    out: Any = np.zeros_like(slots)
    angles = euler_angles.from_quaternion(SEQUENCES[new], units)
    out[:, :3] = euler_angles.continuous(SEQUENCES[new], angles, start)
    return out


def _units(slots: np.ndarray, code: int) -> np.ndarray:
    """Unit quaternions of a sequence of orientations in any parameters."""
    if code < 0:
        return quaternion.normalise(slots)
    return euler_angles.quaternion(SEQUENCES[code], slots[:, :3])
