"""A run that is set up: what its iterations share, put back to the start before each of them.

Packing the addresses of a mechanism and measuring its start take longer than a short run itself. So the
problem, its memory and the cost of an evaluation are kept: a run that is iterated again starts at once.
"""

from typing import TYPE_CHECKING

import numpy as np

from engine.compiling.system import memory_of
from engine.integrators.problem import Problem
from engine.kernels.layout import Workspace
from engine.kernels.linking import SHOW
from engine.kernels.trees.entries import show
from engine.kinematics.limits import contact_modes
from engine.model.methods import BY_NAME, JOINT
from engine.results.blocks import Statistics
from engine.running.gates.keeper import Keeper
from engine.trees.packing import in_joint_coordinates
from engine.trees.translation import Translation

if TYPE_CHECKING:
    from engine.running.simulate import Run


class Ready:
    """The problem of a run with its memory as it was at the start."""

    def __init__(self, run: "Run") -> None:
        self._of = run.compiled, run.settings, run.start, run.mobility
        self.grid = run.grid()
        self._problem, self.ws = run.problem(self.grid.h)
        self._y = run.compiled.layout.y(run.start.q, run.start.v, run.compiled.z0)
        modes = contact_modes(run.compiled, np.zeros(1), self._y[None])
        self.touching = {which: float(mode[0]) for which, mode in modes.items()}
        if run.settings.coordinates == JOINT:
            self._problem, self._y = in_joint_coordinates(
                run.compiled, self._problem, self.ws, run.start.q, run.start.v
            )
        self.memory = memory_of(self.ws)
        self._first = self.memory.copy()
        is_tree = run.settings.coordinates == JOINT
        self._shown = (
            self._problem.keep[-1].Y if is_tree else self._y[:0]
        )  # gives quaternions their sign
        self._first_shown = self._shown.copy()
        system = run.compiled.system
        self._bodies = self._problem.keep[0].bodies  # a switch of parameters changes them
        self.may_lock = run.may_lock
        self.has_triggers = bool((system.switches["term"] >= 0).any())
        self.keeper = None
        if len(system.gates):
            changed, table = self._problem.keep[0], self._problem.table
            seen = None
            if is_tree:
                table, seen = (
                    self._problem.keep[-1].absolute,
                    Translation(run.compiled, self._problem),
                )
            self.keeper = Keeper(run.compiled, changed, self.ws, table, self.grid.t_end, seen)

    def fits(self, run: "Run") -> bool:
        """Whether it is still that of the run; tangents of implicit methods have a memory of their own."""
        now = run.compiled, run.settings, run.start, run.mobility
        is_same = all(one is other for one, other in zip(self._of, now))
        return is_same and not BY_NAME[run.settings.method].has_tangents

    def start(self) -> tuple[Problem, Workspace, np.ndarray]:
        """The problem, its workspace and the state, all as at the start; changes the workspace."""
        np.copyto(self.memory, self._first)
        np.copyto(self._shown, self._first_shown)
        if self.may_lock:
            self._bodies[:] = self._of[0].system.bodies
        return self._problem, self.ws, self._y.copy()

    def begins(self, y: np.ndarray) -> bool:
        """Settle one-sided rows at the start, which may change the velocities; False: it cannot begin."""
        return self.keeper is None or self.keeper.begin(y)

    def shown(self, t: float, y: np.ndarray) -> np.ndarray:
        """A state of the run as frames have it; changes the workspace."""
        table = self._problem.table
        if table[SHOW] == 0:
            return y
        shown = np.zeros(self._problem.n_shown)
        show(table, t, y, shown, np.zeros_like(shown))
        return shown

    def learn(self, statistics: Statistics) -> None:
        """Remember what an evaluation has cost, for the length of the next first block.

        On a busy machine a time can only be too long, so the least counts.
        """
        if statistics.evaluations and not self.may_lock:
            cost = max(statistics.wall_time / statistics.evaluations, 1e-9)
            self._problem = self._problem._replace(cost=min(cost, self._problem.cost))
