"""The chain of N rods that all programs run: hinged at the origin, along +x, released at rest.

Rods have l = 1 m, m = 1 kg, J = 1/12 kg m^2 about y and z, and turn about z; gravity acts along -y.
"""

import numpy as np

from bench.timing import Effort
from engine.compiling.system import Compiled, compile_model
from engine.running.simulate import Run, prepare
from kardan import Mechanism

L, M, G, STEP = 1.0, 1.0, 9.81, 1e-3
J = M * L * L / 12
J_ALONG = 1e-6  # about the rod itself; there is no rotation about it


def chain(n: int, dim: int = 2) -> Compiled:
    """The chain in the plane, or in space with hinges along z."""
    m = Mechanism("chain", dim, gravity=(0.0, -G, 0.0)[:dim])
    inertia = J if dim == 2 else (J_ALONG, J, J, 0.0, 0.0, 0.0)
    about_z = {} if dim == 2 else {"axis": (0, 0, 1)}
    before = "ground"
    for k in range(n):
        middle, hinge = (k + 0.5, 0.0, 0.0)[:dim], (float(k), 0.0, 0.0)[:dim]
        rod = m.body(middle, mass=M, inertia=inertia, center=(0.0, 0.0, 0.0)[:dim])
        m.revolute(before, rod, at=hinge, **about_z)
        before = rod
    return compile_model(m.model)


def steps(
    compiled: Compiled, n_steps: int, stabilisation: str, coordinates: str = "absolute"
) -> Run:
    """A run of RK4 steps with a frame at its start and its end only; iterate it to take them."""
    t_end = n_steps * STEP
    settings = {"t_end": t_end, "step": STEP, "output_step": t_end}
    ways = {"stabilisation": stabilisation, "coordinates": coordinates}
    return prepare(compiled, method="rk4", **ways, **settings)


def finish(run: Run) -> np.ndarray:
    """Take all steps; the coordinates at the end."""
    *_, last = run
    if run.ending.reason != "done":
        raise RuntimeError(run.ending.sentence)
    return last.q[-1]


def angles(compiled: Compiled, q: np.ndarray) -> np.ndarray:
    """The angle of each rod from the x axis, between -pi and pi in space."""
    turn = q[compiled.layout.orientations]
    return turn[:, 0] if compiled.system.dim == 2 else 2 * np.arctan2(turn[:, 3], turn[:, 0])


def sizes(effort: Effort, smallest: int = 2) -> list[int]:
    """Powers of two up to the longest chain."""
    return [n for k in range(20) if smallest <= (n := 2**k) <= effort.largest]


def n_steps(effort: Effort, n: int) -> int:
    """Steps of one timing: about the same work for all sizes, with a lower limit."""
    return max(min(200, effort.work), effort.work // n)
