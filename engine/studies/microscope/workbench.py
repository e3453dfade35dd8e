"""What the replay of a step works on, and what it finds."""

from typing import Any, NamedTuple

import numpy as np

from engine.compiling.system import Compiled
from engine.kernels.layout import Workspace
from engine.model.elements import Settings


class Workbench(NamedTuple):
    """A step that is to be replayed, on memory of its own."""

    compiled: Compiled
    settings: Settings
    table: np.ndarray  # of the entries
    keep: Any  # system, workspace, and what tangents need
    t: float
    h: float
    y: np.ndarray  # where the step starts, joints closed where the settings say so
    rates: np.ndarray  # y' there
    floor: np.ndarray  # the size below which each number of y counts as zero
    is_redundant: bool

    @property
    def method(self) -> str:
        """The name of the method."""
        return str(self.settings.method)

    @property
    def ws(self) -> Workspace:
        """The memory of the last evaluation."""
        found: Workspace = self.keep[1]
        return found

    def forces(self) -> np.ndarray:
        """f of the last evaluation."""
        return self.ws.f[: self.compiled.layout.n_v].copy()


class Stage(NamedTuple):
    """A stage or an iteration: what is left of every equation there, and the unknowns."""

    title: str
    t: float
    residual: np.ndarray  # by equation
    values: np.ndarray  # of the unknown of each equation
    correction: float = 0.0  # the largest change of a coordinate that it makes; 0: it makes none
    condition: float = 0.0  # of its matrix; 0: there is none
    closing: bool = False  # it closes joints at the end of the step; else it is one of the method


class Replay(NamedTuple):
    """All stages, the end of the step, and the matrix of the last iteration in the order of the engine."""

    stages: list[Stage]
    y: np.ndarray
    matrix: np.ndarray | None = None
