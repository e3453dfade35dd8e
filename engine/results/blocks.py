"""What a run yields: blocks of frames, and their cost."""

import math
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from engine.integrators.stepping import Counts


class Block(NamedTuple):
    """Some frames in a row; none where the steps of one frame take longer than a block."""

    t: np.ndarray  # (n,)             [s]
    q: np.ndarray  # (n, n_q)
    v: np.ndarray  # (n, n_v)
    a: np.ndarray  # (n, n_v)
    lam: np.ndarray  # (n, n_rows)
    gap: np.ndarray  # (n,)           largest |Phi| since the frame before   [m, rad]
    lock: np.ndarray  # (n,)          smallest singularity measure since the frame before
    lock_body: np.ndarray  # (n,)     the body that had it, or -1
    norm: np.ndarray = np.ones((1, 1))  # (n, n_bodies) |p| of each body before it was normalised
    z: np.ndarray = np.zeros((1, 0))  # (n, n_z) states of force laws
    work: np.ndarray = np.zeros((1, 1))  # (n, n_work) done by elements since the start    [J]
    hand: np.ndarray = np.zeros(1)  # (n,) work done by the hand that pulls in live mode   [J]


@dataclass(slots=True)
class Statistics:
    """What a run cost."""

    steps: int = 0
    evaluations: int = 0  # of accelerations
    rejected: int = 0  # rejected steps
    solves: int = 0  # of linear systems by implicit methods
    halved: int = 0  # fixed steps that were taken in parts
    error: float = 0.0  # the largest estimate of the error of a step, in units of the tolerance
    preparation: float = 0.0  # [s] before the first steps: machine code is loaded
    wall_time: float = 0.0  # [s] of computing, after that
    stiff_since: float = math.nan  # [s] when `auto` first went on with a stiff method
    drawn_gap: float = 0.0  # largest |Phi| of the drawing, before it was assembled   [m, rad]
    slopes: dict[str, float] = field(default_factory=dict)  # the steepest of each beam   [rad]

    def record(self, counts: Counts, wall_time: float) -> None:
        """Take over what an integrator has counted; changes the statistics."""
        for name in ("steps", "evaluations", "rejected", "solves", "halved", "error"):
            setattr(self, name, getattr(counts, name))
        self.wall_time = wall_time
