"""A simulation without an end that follows the caller's clock and lets the mouse pull at bodies.

    live = Live(prepare(model))
    block = live.advance(0.016)            # about 16 ms further
    live.pull("rod_1", (0.5, 0.0), (1.0, 2.0))

The mouse pulls a point P of a body by a critically damped spring whose other end is at a target:

    F = k (target - P) - c P_dot        k = w^2 m        c = 2 w m

with m the effective mass at P with all joints in place, in the direction in which it is smallest. It is
packed as one law along each axis of the world; the model itself knows nothing of it, so energies and
reactions read from the frames are those of the mechanism, and its work is kept apart from that of elements.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engine.compiling.system import Compiled, workspace
from engine.errors import EngineError
from engine.integrators import stepper_for
from engine.integrators.problem import Frames
from engine.integrators.stepping import FixedStepper, Grid
from engine.kernels.entries import DONE, LOCKED
from engine.kernels.layout import ALONG, LINEAR, WHOLE_LAW_WORK, System
from engine.kernels.state import layout_of
from engine.kinematics.evaluate import dense_D, fill, inverse_mass
from engine.kinematics.poses import point_rows
from engine.model.elements import Id
from engine.model.methods import BY_NAME
from engine.results.blocks import Block, Statistics
from engine.results.endings import CANCELLED, Account, Ending, Event
from engine.running.gimbal.lock_watch import LockWatch, joined
from engine.running.simulate import Run, block_of

SHORTEST_OUTPUT = 0.005  # [s] between two frames: a screen shows no more
SAG = 0.02  # of the size of the model: how far a body may sag below the target by its weight
SLOWEST, FASTEST = 15.0, 0.25  # w at least [rad/s]; w h at most, so that the step stays stable
MANY_FRAMES = 10**9  # effectively unlimited
HEAVIEST = 1e6  # times the mass of the body: an effective mass beyond this is that of a fixed point


class Live:
    """The state of a simulation that continues as long as it is advanced."""

    def __init__(self, run: Run, t: float = 0.0) -> None:
        if gates := run.compiled.gate_ids:
            raise EngineError(
                "'{name}' holds on one side only, and a live simulation does not find where it is met. Run "
                "the model instead.",
                gates[0],
                name=run.compiled.resolved[gates[0]].label,
            )
        known = BY_NAME[run.settings.method]
        is_suited = known.is_fixed and not known.is_stiff  # cheap, and all steps equally long
        self.settings = run.settings if is_suited else replace(run.settings, method="rk4")
        self.run = run = replace(run, settings=self.settings)
        self.ending: Ending | None = None  # set when it cannot continue
        self.statistics = Statistics(drawn_gap=run.start.drawn_gap)
        compiled = run.compiled
        self._first_law = len(compiled.system.laws)
        self._first_term = len(compiled.system.terms)
        self.system = with_hand(compiled)
        self.h = run.grid().h
        output = max(float(run.settings.output_step), SHORTEST_OUTPUT)
        every = round(output / self.h)  # 0: there are several frames in a step
        self.frame_step = self.h * every if every else self.h / round(self.h / output)  # [s]
        problem, self._ws = run.problem(self.h, self.system)
        self._locks = LockWatch(compiled, self.settings, problem)
        self._progress = run.progress(self._ws)
        self.events: list[Event] = []  # what happened near gimbal lock
        y = layout_of(self.system).y(run.start.q, run.start.v, compiled.z0)
        grid = Grid(self.frame_step * MANY_FRAMES, MANY_FRAMES, self.h, t)
        stepper = stepper_for(self.settings, problem, y, grid)
        assert isinstance(stepper, FixedStepper), "a live simulation takes fixed steps"
        self._stepper = stepper
        self.held: Id = ""  # the body that is pulled

    @property
    def t(self) -> float:
        """The time that is reached."""
        return float(self._stepper.t)

    @property
    def q(self) -> np.ndarray:
        """The coordinates now."""
        y = self._locks.parameters.state_of_model(self._stepper.y)
        return self.run.compiled.layout.parts(y)[0]

    @property
    def v(self) -> np.ndarray:
        """The velocities now."""
        return self.run.compiled.layout.parts(self._stepper.y)[1]

    def advance(self, duration: float) -> Block:
        """Advance by about this time, by a whole number of steps; changes the state.

        If the simulation cannot continue, `ending` says why and further calls do nothing.
        """
        steps = 0 if self.ending else int(np.ceil(duration / self.h - 1e-9))
        status, frames = self._take(steps)
        status, frames = self._progress.follow(self._stepper, status, frames)
        self.events += self._locks.told()
        self.statistics.record(self._stepper.counts, 0.0)
        if status == LOCKED:
            self.ending = self._locks.ending(self.t, self._stepper.y)
        elif status != DONE:
            y = self._locks.parameters.state_of_model(self._stepper.y)
            self.ending = self._progress.ending(status, self.t, self._ws, y)
        return block_of(frames, self.run.compiled.layout)

    def account(self, is_over: bool = False) -> Account:
        """What is known about the simulation now; one that could go on counts as cancelled when over."""
        return Account(
            ending=self.ending or CANCELLED if is_over else None,
            events=list(self.events),
            notes=[],
            not_unique=self.run.mobility.not_unique,
            statistics=self.statistics,
        )

    def _take(self, steps: int) -> tuple[int, Frames]:
        """Take n steps, switching parameters on the way; changes the state."""
        stepper, pieces = self._stepper, []
        last = stepper.step + steps
        while True:
            ended, frames = stepper.take(last - stepper.step)
            _, status, shown = self._locks.follow(stepper, ended, frames)
            pieces.append(shown)
            if not (ended == LOCKED and status == DONE):  # else it was switched and continues
                return status, joined(*pieces)

    def pull(self, body: Id, point: Sequence[float], target: Sequence[float]) -> None:
        """Hold a point of a body, given in its frame, and pull it to a place in the world."""
        compiled, dim = self.run.compiled, self.system.dim
        if body not in compiled.body_ids:
            raise EngineError("'{body}' does not move, so it cannot be pulled.", body, body=body)
        k = compiled.body_ids.index(body)
        s_loc, at = np.zeros(3), np.zeros(3)
        s_loc[:dim], at[:dim] = point, target
        s_loc -= compiled.center[k]
        terms, laws = self.system.terms[self._first_term :], self.system.laws[self._first_law :]
        is_new = self.held != body or not np.array_equal(terms["P_j"][0], s_loc)
        terms["j"], terms["P_j"], terms["P_i"] = k, s_loc, at
        if is_new:
            m, w = self.felt_mass(k, s_loc), self._frequency()
            laws["param"][:, 0], laws["param"][:, 1] = w * w * m, 2.0 * w * m
        self.held = body

    def release(self) -> None:
        """Release the body that is pulled; changes the state."""
        self.system.laws["param"][self._first_law :] = 0.0
        self.held = ""

    def felt_mass(self, k: int, s_loc: np.ndarray) -> float:
        """The smallest effective mass at a point of body k, with all joints in place.

        1/m is the largest eigenvalue of  J (W - W D^T S^-1 D W) J^T,  with J v the point's velocity.
        """
        compiled = self.run.compiled
        ws = workspace(compiled.system)
        fill(compiled, ws, self.t, self.q, self.v)
        D, W = dense_D(compiled, ws), inverse_mass(compiled)
        J = point_rows(compiled, self.q, k, s_loc)
        DW = D @ W
        inner = np.linalg.lstsq(DW @ D.T, DW @ J.T, rcond=1e-12)[0] if len(D) else DW @ J.T
        light = float(np.linalg.eigvalsh(J @ (W @ J.T - DW.T @ inner))[-1])
        heaviest = HEAVIEST * float(compiled.mass[k])
        return 1.0 / max(light, 1.0 / heaviest) if heaviest > 0.0 else 0.0

    def _frequency(self) -> float:
        """w of the spring: stiff enough to lift a body, soft enough for the step."""
        compiled = self.run.compiled
        g = float(np.linalg.norm(np.asarray(compiled.resolved.gravity, dtype=float)))
        stiff = max(np.sqrt(g / (SAG * compiled.length)), SLOWEST)
        return float(min(stiff, FASTEST / self.h))


def with_hand(compiled: Compiled) -> System:
    """The system of a model with one more law along each axis, for pulling; inactive at first."""
    system, dim = compiled.system, compiled.system.dim
    terms = np.zeros(dim, dtype=system.terms.dtype)
    terms["kind"], terms["i"], terms["j"] = ALONG, compiled.ground, compiled.ground
    terms["a"], terms["b"] = np.eye(3)[:dim], np.eye(3)[:dim]
    laws = np.zeros(dim, dtype=system.laws.dtype)
    laws["kind"], laws["f1"], laws["f2"] = LINEAR, -1, -1
    laws["term"] = laws["other"] = len(system.terms) + np.arange(dim)
    works = np.zeros(dim, dtype=system.works.dtype)
    works["kind"], works["to"] = WHOLE_LAW_WORK, compiled.layout.n_work
    works["which"] = len(system.laws) + np.arange(dim)
    return system._replace(
        terms=np.concatenate([system.terms, terms]),
        laws=np.concatenate([system.laws, laws]),
        works=np.concatenate([system.works, works]),
    )
