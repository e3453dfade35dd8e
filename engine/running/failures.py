"""Why a run cannot go on, and when it must be ended because it does not get on.

A method fails at a dead point in its own way: joints that do not close, steps that become ever shorter,
equations that have no solution, speeds without bound, or frames in which the joints gape while it goes
on. Whatever happens, the same question is asked: from the last closed pose, up to which moment can the
joints be closed? If that moment is here, all methods tell it in the same words.
"""

from typing import NamedTuple

import numpy as np

from engine.compiling.system import Compiled
from engine.errors import say
from engine.integrators.adaptive import TOO_SMALL
from engine.integrators.problem import Frames, behind
from engine.integrators.stepping import Stepper
from engine.kernels.entries import DIVERGED, DONE, JAMMED, OPEN_JOINT
from engine.kernels.implicit.entries import NOT_CONVERGED
from engine.kernels.layout import GAP, JAMMED_AT, Workspace
from engine.kinematics.assemble import Start, gap_sentence, joint_words
from engine.kinematics.dead_points import (
    DeadPoint,
    Motions,
    Pose,
    dead_point,
    near_dead_point,
    posed,
)
from engine.kinematics.evaluate import fill
from engine.model.elements import Settings
from engine.model.methods import BY_NAME
from engine.results.endings import Ending
from engine.running.gimbal.lock_watch import joined

GAPES = 1e-5  # of the size of the model: joints that are this far open are examined
AHEAD = 10  # fixed steps: how long before a dead point one may fail
SOON = (
    0.01  # of the time between frames: how long before a dead point a step of step control may fail
)
MANY_STEPS = 500  # without a frame, after which the pose is examined, and again after twice as many
TOO_MANY_STEPS = 20_000  # without a frame, if at this pace ...
NEVER = 1e9  # ... this many more would be needed


class Seen(NamedTuple):
    """A state that a run has reached, with the full turns of its angles."""

    t: float
    q: np.ndarray
    v: np.ndarray
    angle: np.ndarray


class Progress:
    """Watches the frames and the pace of a run; says why it ended."""

    def __init__(
        self, compiled: Compiled, settings: Settings, start: Start, redundant: int, ws: Workspace
    ) -> None:
        self._compiled, self._settings, self._redundant = compiled, settings, redundant
        self._t_end, self._ws = float(settings.t_end), ws
        method = BY_NAME[settings.method]
        self._is_fixed = method.is_fixed
        is_closed = settings.stabilisation == "projection" or method.is_direct
        self._has_motions = len(compiled.system.driven) > 0
        self._may_pass = self._has_motions and method.is_direct
        self._may_gape = self._has_motions and not is_closed and settings.method != "ida"
        self._n_terms = len(compiled.system.terms)
        self._last = Seen(0.0, start.q, start.v, ws.angle[: self._n_terms].copy())
        self._sound = self._last  # the last frame whose joints do not gape
        self._before = self._last  # the last frame of an earlier block
        self._found: DeadPoint | None = None
        self._waiting: Frames | None = None  # the newest, which may be beyond a dead point
        self._paced = (0, 0.0)  # steps, rejected ones too, and time at the last frame
        self._next_look = MANY_STEPS

    def follow(self, stepper: Stepper, status: int, frames: Frames) -> tuple[int, Frames]:
        """Examine new frames and the pace; returns how the run stands and the frames that are kept."""
        steps = stepper.counts.steps + stepper.counts.rejected
        frames = _with_numbers(frames)
        if len(frames.t):
            self._next_look, self._paced = MANY_STEPS, (steps, float(stepper.t))
            if self._may_gape:
                status, frames = self._without_gaping(status, frames)
        if self._may_pass:
            frames = self._surely_reached(stepper, status, frames)
        if len(frames.t) and self._has_motions:
            self._remember(frames, is_end=status == DONE)
        steps -= self._paced[0]
        if status == DONE and not self._is_fixed and steps >= self._next_look:
            self._next_look = 2 * steps
            self._found = self._dead_point(0.0, self._last)
            pace = (float(stepper.t) - self._paced[1]) / steps
            is_hopeless = steps > TOO_MANY_STEPS and self._t_end - stepper.t > NEVER * pace
            status = OPEN_JOINT if self._found else TOO_SMALL if is_hopeless else status
        return status, frames

    def _remember(self, frames: Frames, *, is_end: bool) -> None:
        """Keep the last frame and the turns of its angles, which the workspace has if it ends there."""
        q, v, _ = self._compiled.layout.parts(frames.y[-1])
        if np.isfinite(frames.y[-1]).all():
            angle = self._ws.angle[: self._n_terms].copy() if is_end else self._followed(frames)
            self._before = self._last
            self._last = Seen(float(frames.t[-1]), q.copy(), v.copy(), angle)
            if frames.since[-1, GAP] <= GAPES * self._compiled.length:
                self._sound = self._last

    def _followed(self, frames: Frames) -> np.ndarray:
        """The angles in the last of some frames, with their turns counted from the frame that is kept."""
        angle = self._last.angle
        for t, y in zip(frames.t, frames.y):
            if t > self._last.t:
                angle = posed(self._compiled, t, self._compiled.layout.parts(y)[0], angle).angle
        return angle

    def _pose(self, seen: Seen) -> Pose:
        """The pose of a state, with the rates that motions start from."""
        return posed(self._compiled, seen.t, seen.q, seen.angle, seen.v)

    def _surely_reached(self, stepper: Stepper, status: int, frames: Frames) -> Frames:
        """Frames before a dead point that some steps may have passed; the newest wait for more steps.

        Changes what waits, and the dead point where the run has failed.
        """
        if self._waiting is not None:
            frames = joined(self._waiting, frames)
        sure = float(stepper.t) - AHEAD * float(self._settings.step)
        if status != DONE:
            if len((before := _up_to(frames, sure)).t):
                self._remember(before, is_end=False)
            self._found = self._first_dead_point(float(stepper.t))
            sure = np.inf if self._found is None else self._found.t
        elif stepper.is_finished:
            sure = np.inf
        reached = _up_to(frames, sure)
        self._waiting = behind(frames, len(reached.t))
        return reached

    def _without_gaping(self, status: int, frames: Frames) -> tuple[int, Frames]:
        """Frames up to the first that cannot be closed, where joints gape; changes the dead point."""
        gaps = np.nan_to_num(frames.since[:, GAP], nan=np.inf)
        suspects = np.flatnonzero(gaps > GAPES * self._compiled.length)
        examined = {int(gaps.argmax()), len(gaps) - 1} if len(suspects) else set()
        torn = [n for n in examined if not self._closes(frames, n)]
        if not torn:
            return status, frames
        low, high = int(suspects[0]) - 1, min(torn)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._closes(frames, middle) else (low, middle)
        kept = Frames(*(column[:high] for column in frames))
        if high:
            self._remember(kept, is_end=False)
        self._found = self._dead_point(float(frames.t[high]), self._last)
        return (OPEN_JOINT, kept) if self._found else (status, frames)

    def _closes(self, frames: Frames, n: int) -> bool:
        """Whether the joints of a frame can be closed."""
        q = self._compiled.layout.parts(frames.y[n])[0]
        if not np.isfinite(q).all():
            return False
        last = self._pose(self._last)
        near = last._replace(t=float(frames.t[n]), q=q)
        return Motions(self._compiled, last).closed_at(near.t, near) is not None

    def _dead_point(self, t: float, start: Seen) -> DeadPoint | None:
        """The dead point of a motion between a frame and a little after the time t.

        With step control also up to the next frame, however long before it the steps collapse: none
        would be written any more.
        """
        if not self._has_motions:
            return None
        output = float(self._settings.output_step)
        if self._is_fixed:
            end = t + AHEAD * float(self._settings.step)
        else:
            end = max(t + SOON * output, start.t + output)
        return dead_point(self._compiled, self._pose(start), end)

    def _first_dead_point(self, t: float) -> DeadPoint | None:
        """The dead point from one of the last frames on: the very last may be beyond it already."""
        starts = (self._last, self._sound, self._before)
        return next((found for one in starts if (found := self._dead_point(t, one))), None)

    def ending(self, status: int, t: float, ws: Workspace, y: np.ndarray) -> Ending:
        """Why the run stopped, in words: the joint, the time, the pose and the remedy."""
        if status == JAMMED or (len(ws.pressed) and self._jams(t, y, ws)):
            return _jammed(self._compiled, t, ws)
        found = self._found or self._first_dead_point(t)
        if found is not None:
            return Ending(
                "dead point",
                say(
                    "The run stopped at t = {t:.6g} s: {joint} cannot be closed beyond t = {limit:.6g} s, "
                    "the mechanism locks up. {pose} Change the motor or the lengths.",
                    t=min(t, found.t),
                    joint=found.joint,
                    limit=found.t,
                    pose=found.pose,
                ),
                found.ids,
            )
        return _own_words(self._compiled, self._settings, status, t, ws, y, self._singular(t, y))

    def _jams(self, t: float, y: np.ndarray, ws: Workspace) -> bool:
        """Whether tooth forces or friction have no solution at a state; changes the workspace."""
        q, v, z = self._compiled.layout.parts(y)
        if np.isfinite(y).all():
            fill(self._compiled, ws, t, q, v, z)
        return bool(ws.since[JAMMED_AT] > 0.0)

    def _singular(self, t: float, y: np.ndarray) -> DeadPoint | None:
        """The dead point that the last state is near, if it is."""
        if not self._compiled.row_ids:
            return None
        q = self._compiled.layout.parts(y)[0]
        last, here = self._pose(self._last), None
        motions = Motions(self._compiled, last)
        if np.isfinite(q).all():
            here = motions.closed_at(t, last._replace(t=t, q=q))
        here = here or motions.closed_at(last.t, last)
        return None if here is None else near_dead_point(self._compiled, here, self._redundant)


def _with_numbers(frames: Frames) -> Frames:
    """The frames before the first one without numbers: a run may lose them within its last step."""
    good = np.isfinite(frames.y).all(axis=1)
    return frames if good.all() else Frames(*(column[: good.argmin()] for column in frames))


def _up_to(frames: Frames, t: float) -> Frames:
    """The frames that are not later than a time."""
    n = int(np.searchsorted(frames.t, t, side="right"))
    return Frames(*(column[:n] for column in frames))


def _jammed(compiled: Compiled, t: float, ws: Workspace) -> Ending:
    """The joint whose friction misses its load by most, or the gear whose teeth carry the most."""
    which = int(ws.since[JAMMED_AT]) - 1 - len(compiled.system.meshings)
    if which >= 0:
        rub = compiled.system.rubbings[which]
        id, joint = compiled.interaction_ids[rub["interaction"]], compiled.row_ids[rub["row"]]
        return Ending(
            "jammed",
            say(
                "The run stopped at t = {t:.6g} s: the friction '{name}' jams. It loads the joint "
                "'{joint}' by more than it follows from, so there is no unique solution for rigid bodies. "
                "Use a smaller mu or radius, or load the joint nearer to its middle.",
                t=t,
                name=compiled.resolved[id].label,
                joint=compiled.resolved[joint].label,
            ),
            (id, joint),
        )
    rows = compiled.system.meshings["row"]
    hardest = compiled.row_ids[rows[int(np.abs(ws.lam[rows]).argmax())]]
    return Ending(
        "jammed",
        say(
            "The run stopped at t = {t:.6g} s: the teeth of '{name}' jam. They press the wheels "
            "apart, which loads the teeth more than it relieves them. Hold the centres by joints, "
            "or use a smaller pressure angle.",
            t=t,
            name=compiled.resolved[hardest].label,
        ),
        (hardest,),
    )


def _own_words(
    compiled: Compiled,
    settings: Settings,
    status: int,
    t: float,
    ws: Workspace,
    y: np.ndarray,
    near: DeadPoint | None,
) -> Ending:
    """What a method can say of its failure where the joints could be closed."""
    h, (_, v, _) = float(settings.step), compiled.layout.parts(y)
    if status == OPEN_JOINT:
        where, id = gap_sentence(compiled, ws.Phi)
        return Ending(
            "open joint",
            say(
                "The run stopped at t = {t:.6g} s: {where} and cannot be closed. The step of {h:g} s is "
                "too long, or forces tear the joint open. Use a shorter step, or check the forces.",
                t=t,
                where=where,
                h=h,
            ),
            (id,),
        )
    if near is not None:
        return Ending(
            "stuck" if status != DIVERGED else "diverged",
            say(
                "The run stopped at t = {t:.6g} s: the reaction of {joint} grows without bound, the "
                "mechanism locks up. {pose} Change the motor, the lengths or the start.",
                t=t,
                joint=near.joint,
                pose=near.pose,
            ),
            near.ids,
        )
    if status == TOO_SMALL:
        loaded, ids = _most_loaded(compiled, ws)
        return Ending(
            "stuck",
            say(
                "The run stopped at t = {t:.6g} s: no step was short enough for the tolerance of "
                "{tolerance:g}.{loaded} A force jumps or grows without bound there, or the model is "
                "too stiff for this method: use a stiff method, or a larger tolerance.",
                t=t,
                tolerance=settings.tolerance,
                loaded=loaded,
            ),
            ids,
        )
    if status == NOT_CONVERGED:
        loaded, ids = _most_loaded(compiled, ws)
        return Ending(
            "stuck",
            say(
                "The run stopped at t = {t:.6g} s: the equations of a step of {h:g} s could not be "
                "solved.{loaded} A force jumps there, or the step is too long for the motion. Use a "
                "shorter step or a smoother force.",
                t=t,
                h=h,
                loaded=loaded,
            ),
            ids,
        )
    assert status == DIVERGED
    fastest = int(np.nan_to_num(np.abs(v), nan=np.inf).argmax())
    id = compiled.body_ids[compiled.layout.body_of_v[fastest]]
    label = compiled.resolved[id].label
    return Ending(
        "diverged",
        say(
            "The run diverged at t = {t:.6g} s: the speed of body '{label}' grew without bound. Use a "
            "shorter step than {h:g} s, softer springs, or check the forces on it.",
            t=t,
            label=label,
            h=h,
        ),
        (id,),
    )


def _most_loaded(compiled: Compiled, ws: Workspace) -> tuple[str, tuple[str, ...]]:
    """The joint with the largest multipliers, as a sentence after a space; nothing without joints."""
    lam = np.nan_to_num(np.abs(ws.lam[: len(compiled.row_ids)]), nan=np.inf)
    if not len(lam) or not lam.max() > 0.0:
        return "", ()
    id = compiled.row_ids[int(lam.argmax())]
    return say(" The largest reaction is that of {joint}.", joint=joint_words(compiled, id)), (id,)
