"""The stages of explicit methods and of Euler-Cromer, replayed.

Y_i = y + h sum_j A_ij k_j         k_i = f(t + c_i h, Y_i)         y1 = y + h sum_i b_i k_i
"""

import numpy as np

from engine.integrators.cromer import MOST_ITERATIONS, carry_momentum, leave, move_by
from engine.integrators.explicit import TABLEAUS
from engine.kernels import dynamics
from engine.kernels.entries import EVERYTHING, PLACE, RESIDUAL, ROWS, derive
from engine.kernels.layout import ACCELERATION, PROJECTED, TOLERANCE, VELOCITY
from engine.kinematics.evaluate import dense_D, inverse_mass, mass_matrix
from engine.studies.microscope.workbench import Replay, Stage, Workbench


def explicit(bench: Workbench) -> Replay:
    """The stages of a Runge-Kutta method."""
    tableau, y, h = TABLEAUS[bench.method], bench.y, bench.h
    k: list[np.ndarray] = []
    stages = []
    for i in range(len(tableau.b)):
        t = bench.t + tableau.c[i] * h
        Y = _combined(y, h, tableau.A[i], k)
        rates = bench.rates if i == 0 else np.zeros_like(y)
        if i > 0:
            derive(bench.table, t, Y, rates, Y, EVERYTHING)
        k.append(rates)
        stages.append(_stage(bench, f"{i + 1}", t, Y, rates))
    return Replay(stages, _combined(y, h, tableau.b, k))


def _combined(y: np.ndarray, h: float, weights: np.ndarray, k: list[np.ndarray]) -> np.ndarray:
    """y + h sum w_j k_j."""
    out = y.copy()
    for w, rates in zip(weights, k):
        if w != 0.0:
            out += h * w * rates
    return out


def _stage(bench: Workbench, title: str, t: float, Y: np.ndarray, rates: np.ndarray) -> Stage:
    """What a stage leaves of the equations of motion, and by how much its joints are open."""
    compiled, ws = bench.compiled, bench.ws
    q, _, _ = compiled.layout.parts(Y)
    a = compiled.layout.parts(rates)[1]
    M, D = mass_matrix(compiled, q), dense_D(compiled, ws)
    left = M @ a + D.T @ ws.lam - bench.forces()
    residual = np.concatenate([left, ws.Phi])
    return Stage(title, t, residual, np.concatenate([a, ws.lam]))


def cromer(bench: Workbench) -> Replay:
    """v1 = v + h a, then q moved by h v1; with projection reactions close the joints at its end.

    S x = Phi(q1)/h, v1 <- v1 - W D^T x with S = D W D^T of the start, as engine.integrators.cromer does. In
    space the step turns bodies by a velocity between those of its ends, which each iteration finds anew.
    """
    compiled, ws, y, h, t = bench.compiled, bench.ws, bench.y, bench.h, bench.t
    layout, system = compiled.layout, compiled.system
    dim, bodies, n_q = system.dim, system.bodies, layout.n_q
    first = _stage(bench, "1", t, y, bench.rates)
    q, v0, _ = (part.copy() for part in layout.parts(y))
    a, out = layout.parts(bench.rates)[1], y + h * bench.rates
    v1, stages = v0 + h * a, [first]
    if ws.options[PROJECTED] > 0.0:
        landing = _Landing(bench, v1)
        v1 = landing.velocity(q, v0)
        stages += landing.stages
        out[:n_q] = landing.moved(q, v1)
        if dim == 3:
            carry_momentum(bodies, h, 1.0, v1, v1)
    else:
        q_dot = np.zeros(n_q)
        dynamics.rates(dim, bodies, q, v1, q_dot)
        out[:n_q] = q + h * q_dot
    out[n_q : n_q + layout.n_v] = v1
    derive(
        bench.table, t, y, y.copy(), y, EVERYTHING
    )  # the matrix that is shown is that of the start
    return Replay(stages, out)


class _Landing:
    """The velocity of a step that ends on the constraints, and the iterations that find it."""

    def __init__(self, bench: Workbench, free: np.ndarray) -> None:
        ws, compiled = bench.ws, bench.compiled
        self.bench, self.free = bench, free.copy()  # v + h W (tau - D^T lam)
        self.stages: list[Stage] = []
        self.D, self.nu = dense_D(compiled, ws), ws.nu.copy()  # of the start
        self.W = inverse_mass(compiled)

    def moved(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """q after the step with this velocity."""
        system, out, q_dot = self.bench.compiled.system, np.zeros_like(q), np.zeros_like(q)
        move_by(system.dim, system.bodies, self.bench.h, q, v, q_dot, out)
        return out

    def left(self, v: np.ndarray) -> np.ndarray:
        """The velocity that free bodies leave with whose turns are those in v."""
        system, out = self.bench.compiled.system, np.zeros_like(v)
        leave(system.dim, system.bodies, self.bench.h, self.free, v, out)
        return out

    def open_by(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """What v must change by along each row: Phi/h, or the mean of D v - nu at both ends."""
        bench = self.bench
        ws, layout, levels = bench.ws, bench.compiled.layout, bench.compiled.system.rows["level"]
        there = bench.y.copy()
        there[: layout.n_q], there[layout.n_q : layout.n_q + layout.n_v] = q, v
        flag = PLACE | ROWS | RESIDUAL
        derive(bench.table, bench.t + bench.h, there, there.copy(), there, flag)
        found, late = ws.Phi / bench.h, levels == VELOCITY
        found[late] = 0.5 * (ws.b + self.D @ v - self.nu)[late]
        found[levels == ACCELERATION] = 0.0
        return found

    def velocity(self, q: np.ndarray, v0: np.ndarray) -> np.ndarray:
        """Iterate from v0 on; where corrections do not shrink any more the best one is kept."""
        bench, system, n_rows = self.bench, self.bench.compiled.system, self.bench.compiled.n_rows
        if system.dim == 3:
            carry_momentum(system.bodies, -2.0 * bench.h, 0.0, v0, self.free)
        v = self.left(v0)
        before, best = np.inf, v
        for n in range(MOST_ITERATIONS):
            there = self.moved(q, v)
            dynamics.normalise(system.dim, system.bodies, there)
            open_by = self.open_by(there, v) if n_rows else np.zeros(0)
            turned = np.abs(self.left(v) - v).max(initial=0.0) if system.dim == 3 else 0.0
            size = bench.h * max(turned, np.abs(open_by).max(initial=0.0))
            if not size < before:
                return best
            before, best = size, v
            x = np.linalg.lstsq(self.D @ self.W @ self.D.T, open_by, rcond=None)[0]
            change = self.W @ self.D.T @ x
            self.free -= change
            v = self.left(v) if system.dim == 3 else v - change
            residual = np.concatenate([np.zeros(len(v)), bench.h * open_by])
            correction, values = bench.h * np.abs(v - best).max(), np.concatenate([v, x])
            self.stages.append(
                Stage(f"{n + 1}", bench.t + bench.h, residual, values, correction, closing=True)
            )
            if size <= bench.ws.options[TOLERANCE]:
                return v
        return v
