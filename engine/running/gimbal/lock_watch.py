"""What a run does near gimbal lock: it warns, it stops, or it switches to other parameters.

s is the singularity measure of a body on Euler angles. Before every step the kernels compare it with the
limit of the setting plus what the body can turn in a step, h |w|: a step of fixed length can never jump
over the lock. An adaptive method may, where its error estimate allows it, that is where phi and psi do not
change; such a crossing is detected between frames by the sign of sin theta or cos theta.
"""

import numpy as np

from engine.compiling.system import Compiled
from engine.errors import say
from engine.integrators.problem import Frames, Problem
from engine.integrators.stepping import Stepper
from engine.kernels import layout
from engine.kernels.entries import DONE, LOCKED, nearest_lock
from engine.model.elements import Settings
from engine.results.endings import Ending, Event
from engine.running.gimbal import lock
from engine.running.gimbal.switching import Parameters
from rotations import SEQUENCES, gimbal_lock
from rotations.sequences import is_euler_type


class LockWatch:
    """Watches the frames of a run, and switches or ends it as the settings say."""

    def __init__(self, compiled: Compiled, settings: Settings, problem: Problem) -> None:
        self._compiled, self._settings, self._layout = compiled, settings, compiled.layout
        self._system, self._ws = problem.keep[:2]
        self._switches = settings.near_lock.startswith("switch")
        self._levels: dict[int, int] = {}  # of warning, by body
        self._sides: dict[int, tuple[float, float]] = {}  # time and sign of the last frame, by body
        self._too_fast = ""  # the body for which no sequence is suitable
        self.parameters = Parameters(compiled, self._system)
        self._events: list[Event] = []
        self._stop: Event | None = None  # the crossing in a frame that ends a run set to stop

    def follow(self, stepper: Stepper, status: int, frames: Frames) -> tuple[Stepper, int, Frames]:
        """Check new frames and act near lock; changes the events and perhaps the parameters.

        Returns the integrator to continue with, how the steps ended, and the frames in the parameters of
        the model.
        """
        if self._compiled.system.dim == 2:
            return stepper, status, frames
        frames, crossed = self._noted(frames)
        due = status == LOCKED or (status == DONE and len(crossed) > 0 and self._switches)
        if due and self._stop is None:
            rest, more = self._noted(stepper.rest_of_step())
            frames, crossed = joined(frames, rest), [*crossed, *more]
            status = DONE if stepper.is_finished else status
        shown = self.parameters.frames_of_model(frames)
        if due and self._switches and not stepper.is_finished:
            stepper = self._switch(stepper, status, crossed)
            return stepper, LOCKED if self._too_fast else DONE, shown
        if self._stop is not None and status == DONE:
            status = LOCKED
        elif status == LOCKED:  # perhaps between two frames
            self._note_level(float(stepper.t), *self._nearest(stepper.y))
        return stepper, status, shown

    def told(self, end: float = np.inf) -> list[Event]:
        """The events up to a time since the last call; removes them."""
        found, self._events = self._events, []
        return [event for event in found if event.t <= end]

    def ending(self, t: float, y: np.ndarray) -> Ending:
        """Why a run stopped near lock, in words."""
        measure, k = self._nearest(y)
        if self._too_fast:
            words = lock.too_fast(self._label(k), t, float(self._settings.step))
            return Ending("gimbal lock", words, (self._compiled.body_ids[k],))
        if self._stop is not None:
            return Ending(
                "gimbal lock",
                say("The run stopped. {reason}", reason=self._stop.sentence),
                self._stop.ids,
            )
        words = lock.stopping(self._label(k), self.parameters.name(k), t, measure)
        return Ending("gimbal lock", words, (self._compiled.body_ids[k],), (float(t), measure))

    def _noted(self, frames: Frames) -> tuple[Frames, list[int]]:
        """Note the events in new frames; returns the frames, up to a stop, and the bodies that crossed."""
        crossed: list[int] = []
        if not (self.parameters.codes >= 0).any():
            return frames, crossed
        stops = self._settings.near_lock == "stop"
        for n, (t, y) in enumerate(zip(frames.t, frames.y)):
            measure, body = frames.since[n, layout.LOCK], int(frames.since[n, layout.LOCK_BODY])
            if body >= 0:
                self._note_level(float(t), float(measure), body)
            crossed += self._note_crossings(float(t), y)
            worst = self._events[-1] if self._events else None
            if stops and worst is not None and worst.kind in ("gimbal red", "gimbal crossed"):
                self._stop = worst
                return Frames(*(column[: n + 1] for column in frames)), crossed
        return frames, crossed

    def _note_level(self, t: float, measure: float, body: int) -> None:
        """Note when a body enters a warning level."""
        level = int(gimbal_lock.level_at(measure))
        if level > self._levels.get(body, 0) and self.parameters.codes[body] >= 0:
            words = lock.warning(
                self._label(body), self.parameters.name(body), t, measure, self._settings.near_lock
            )
            kind = f"gimbal {gimbal_lock.Level(level).name.lower()}"
            self._events.append(Event(t, kind, words, (self._compiled.body_ids[body],)))
        self._levels[body] = level

    def _note_crossings(self, t: float, y: np.ndarray) -> list[int]:
        """The bodies that were on the other side of their lock in the frame before; notes them."""
        crossed = []
        for k in map(int, np.flatnonzero(self.parameters.codes >= 0)):
            sequence, theta = SEQUENCES[self.parameters.codes[k]], y[self._layout.angles(k)][1]
            side = float(np.sign(np.sin(theta) if is_euler_type(sequence) else np.cos(theta)))
            before = self._sides.get(k)
            if before is not None and before[1] * side < 0.0:
                words = lock.crossing(self._label(k), sequence, before[0], t)
                self._events.append(
                    Event(t, "gimbal crossed", words, (self._compiled.body_ids[k],))
                )
                crossed.append(k)
            self._sides[k] = t, side
        return crossed

    def _switch(self, stepper: Stepper, status: int, crossed: list[int]) -> Stepper:
        """Give other parameters to all bodies that are near lock or crossed it; changes the state."""
        t, y = float(stepper.t), stepper.y
        near = {*crossed, *([self._nearest(y)[1]] if status == LOCKED else [])}
        for k in map(int, np.flatnonzero(self.parameters.codes >= 0)):
            measure = self._measure(k, y)
            if k not in near and measure >= self._limit(k, y):
                continue
            old, unit = self.parameters.name(k), self.parameters.unit(k, y)
            new = "quaternion"
            if self._settings.near_lock == "switch sequence":
                new = gimbal_lock.best_sequence(unit, old)
                if gimbal_lock.measures(unit)[SEQUENCES.index(new)] < self._limit(k, y):
                    self._too_fast = self._compiled.body_ids[k]
                    return stepper
                if new == old:
                    continue
            code = -1 if new == "quaternion" else SEQUENCES.index(new)
            stepper = self.parameters.switch(k, code, stepper)
            words = lock.switching(self._label(k), old, new, t, measure)
            event = Event(t, "gimbal switch", words, (self._compiled.body_ids[k],))
            self._events.append(event)
            self._sides.pop(k, None)
            self._levels.pop(k, None)
        if status == LOCKED and not self._has_switched(t):
            self._too_fast = self._compiled.body_ids[self._nearest(y)[1]]
        since = self._ws.since
        since[layout.LOCK], since[layout.LOCK_BODY] = 1.0, -1.0
        return stepper

    def _has_switched(self, t: float) -> bool:
        """Whether something was switched at this time: if not, the run would make no progress."""
        return any(event.kind == "gimbal switch" and event.t == t for event in self._events)

    def _limit(self, k: int, y: np.ndarray) -> float:
        """The measure of body k below which a step is not trusted, as in the kernels."""
        options = self._ws.options
        spin = float(np.linalg.norm(self._layout.parts(y)[1][self._layout.spin(k)]))
        return float(options[layout.LOCK_LIMIT] + options[layout.STEP] * spin)

    def _measure(self, k: int, y: np.ndarray) -> float:
        angles = y[self._layout.angles(k)]
        return float(gimbal_lock.measure(SEQUENCES[self.parameters.codes[k]], angles))

    def _nearest(self, y: np.ndarray) -> tuple[float, int]:
        """The smallest measure of a state, and its body."""
        system = self._system
        measure, body = nearest_lock(system.dim, system.bodies, y)
        return float(measure), int(body)

    def _label(self, k: int) -> str:
        return str(self._compiled.resolved[self._compiled.body_ids[k]].label)


def joined(*pieces: Frames) -> Frames:
    """Frames one after the other."""
    return pieces[0] if len(pieces) == 1 else Frames(*map(np.concatenate, zip(*pieces)))
