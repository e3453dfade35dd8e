"""Methods of step control in progress; see engine.integrators.stepping.Stepper."""

import time

import numpy as np

from engine.integrators import adaptive
from engine.integrators.adaptive import (
    CHANGED,
    EVALUATIONS,
    N_STATE,
    NEXT_FRAME,
    NOTED,
    REJECTED,
    STEPS,
    STIFF,
    WORST,
    Control,
    Scratch,
    T,
)
from engine.integrators.changes import room_for_switches
from engine.integrators.controlled import radau
from engine.integrators.pairs import Pair
from engine.integrators.problem import Frames, Problem, Room, Schedule
from engine.integrators.stepping import Change, Counts, Grid, first_steps
from engine.kernels.entries import DONE

PI, I = (0.7, 0.4), (1.0, 0.0)  # exponents of the error and of the one before, times 1/k
REMEMBERED, HALF = (
    30,
    15,
)  # steps whose h |lam| is kept: their median tells whether a model is stiff
PER_STEP = 15  # evaluations in a step of Radau, as a rule


class ControlledStepper:
    """A run of a method that chooses its steps."""

    evaluations: int  # in a step, as a rule

    def __init__(
        self,
        problem: Problem,
        y: np.ndarray,
        grid: Grid,
        pair: Pair,
        control: Control,
        reached: "ControlledStepper | None" = None,
    ) -> None:
        self.problem, self.y, self.pair, self.control = problem, y, pair, control
        self.counts, self.is_finished = Counts(), False
        self._changes: list[Change] = []
        self.times, n = Schedule(grid.t_end, grid.n_frames + 1), len(y)
        self.state = np.zeros(N_STATE)
        self.scratch = Scratch(
            k=np.zeros((len(pair.P), n)),
            Y=np.zeros(n),
            y_new=np.zeros(n),
            y_dot=np.zeros(n),
            node=np.zeros(n),
            last=np.zeros(n),
            stiffness=np.zeros(REMEMBERED),
        )
        self.switches = room_for_switches(problem.stops, problem.contacts, n)
        self._steps = 0  # of the next block; 0: not known yet
        if reached is None:
            self.room = Room(problem, n, grid.n_frames)
            return
        self.room, self.counts, self._changes = reached.room, reached.counts, reached._changes
        for which in (T, NEXT_FRAME, REJECTED, STEPS, EVALUATIONS, WORST):
            self.state[which] = reached.state[which]

    @property
    def t(self) -> float:
        """The time that was reached."""
        return float(self.state[T])

    @property
    def fraction(self) -> float:
        """How much of the run is done."""
        return self.t / self.times.t_end

    @property
    def stiffness(self) -> float:
        """The median of h |lam| over the last steps; 0 before there are enough."""
        is_known = self.state[NOTED] >= REMEMBERED
        return float(np.median(self.scratch.stiffness)) if is_known else 0.0

    @property
    def has_become_stiff(self) -> bool:
        """Whether most of the last steps are short for the sake of stability."""
        return bool(self.state[STIFF] > HALF)

    @property
    def has_changed(self) -> bool:
        """Whether a law has changed its branch at the end of the last step."""
        return bool(self.state[CHANGED] == 1.0)

    def watch_stiffness(self) -> None:
        """End blocks where the model becomes stiff, or may cease to be; changes the control."""
        self.control = self.control._replace(most_stiff=float(HALF))

    def changes_seen(self) -> list[Change]:
        """The changes of mode at which steps were cut, since this was last asked; forgets them."""
        found, self._changes = self._changes, []
        return found

    def rest_of_step(self) -> Frames:
        """No frames: all of a step are written before the next one."""
        return self.room.taken(0)

    def states(self) -> list[np.ndarray]:
        """The state alone."""
        return [self.y]

    def restarted(self) -> "ControlledStepper":
        """Itself: every step begins with the rates at y."""
        return self

    def advance(self, work: float) -> tuple[int, Frames]:
        """Take the steps that fit into the given wall time; the last call writes the last frame."""
        before = time.perf_counter()
        steps = self._steps or first_steps(work, self.evaluations * self.problem.cost)
        first = self.state[STEPS]
        status, n, n_events = self._take(steps)
        took = max(time.perf_counter() - before, 1e-6)
        taken = int(self.state[STEPS] - first)
        self._steps = max(1, int(min(2 * steps, taken / took * work)))
        self._changes += [
            (float(t), int(m), float(to)) for t, m, to in self.switches.events[:n_events]
        ]
        state, counts = self.state, self.counts
        counts.steps, counts.evaluations = int(state[STEPS]), int(state[EVALUATIONS])
        counts.rejected, counts.error = int(state[REJECTED]), float(state[WORST])
        self.is_finished = status == DONE and int(state[NEXT_FRAME]) >= self.times.n
        return status, self.room.taken(n)

    def _take(self, steps: int) -> tuple[int, int, int]:
        """Take at most so many steps; returns how they ended, the frames and the events written."""
        raise NotImplementedError


class AdaptiveStepper(ControlledStepper):
    """A run of an explicit pair in progress."""

    def __init__(
        self,
        problem: Problem,
        y: np.ndarray,
        grid: Grid,
        pair: Pair,
        tolerance: float,
        reached: ControlledStepper | None = None,
    ) -> None:
        now, past = PI if pair.order == 7 and len(problem.lam) else I
        exponents = now / (pair.order + 1), past / (pair.order + 1)
        limits = problem.floor, problem.h_most, problem.kinks
        super().__init__(problem, y, grid, pair, Control(tolerance, *limits, *exponents), reached)
        self.evaluations = len(pair.c)

    def _take(self, steps: int) -> tuple[int, int, int]:
        """Steps of the pair."""
        problem = self.problem
        return adaptive.advance(
            problem.table,
            problem.lam,
            problem.since,
            self.pair,
            self.scratch,
            self.switches,
            self.room.free,
            self.times,
            self.control,
            self.state,
            steps,
            self.y,
        )


class RadauStepper(ControlledStepper):
    """A run of Radau IIA in progress, from the start or from where another method has come to."""

    evaluations = PER_STEP

    def __init__(
        self,
        problem: Problem,
        y: np.ndarray,
        grid: Grid,
        tolerance: float,
        reached: ControlledStepper | None = None,
    ) -> None:
        limits = problem.floor, problem.h_most, problem.kinks
        control = Control(tolerance, *limits, 0.0, 0.0)
        super().__init__(problem, y, grid, radau.collocation(), control, reached)
        self._memory = radau.memory(len(problem.floor), len(y))

    def restarted(self) -> "RadauStepper":
        """Itself, without the matrices and the polynomial of the last step."""
        self._memory.past[:] = 0.0
        return self

    def _take(self, steps: int) -> tuple[int, int, int]:
        """Steps of Radau."""
        problem, before = self.problem, self._memory.past[radau.SOLVES]
        found = radau.advance(
            problem.table,
            problem.lam,
            problem.since,
            self.pair,
            self.scratch,
            self.switches,
            self.room.free,
            self.times,
            self.control,
            self.state,
            self._memory,
            steps,
            self.y,
        )
        self.counts.solves += int(self._memory.past[radau.SOLVES] - before)
        return found
