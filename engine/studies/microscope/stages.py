"""The stages of explicit methods and of Euler-Cromer in the plane, replayed.

Y_i = y + h sum_j A_ij k_j         k_i = f(t + c_i h, Y_i)         y1 = y + h sum_i b_i k_i
"""

import numpy as np

from engine.integrators.explicit import TABLEAUS
from engine.kernels.entries import EVERYTHING, PLACE, RESIDUAL, ROWS, derive
from engine.kernels.layout import ACCELERATION, PROJECTED, TOLERANCE, VELOCITY
from engine.kinematics.evaluate import dense_D, inverse_mass, mass_matrix
from engine.studies.microscope.workbench import Replay, Stage, Workbench

MOST_ITERATIONS = 100  # as engine.integrators.cromer


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
    """v1 = v + h a, then q1 = q + h v1; with projection reactions close the joints at the end of the step.

    S x = Phi(q1)/h, v1 <- v1 - W D^T x with S = D W D^T of the start, as engine.integrators.cromer does.
    """
    compiled, ws, y, h = bench.compiled, bench.ws, bench.y, bench.h
    layout, t = compiled.layout, bench.t
    rates = bench.rates
    first = _stage(bench, "1", t, y, rates)
    q, v, _ = layout.parts(y)
    a = layout.parts(rates)[1]
    out = y + h * rates
    v1, stages = v + h * a, [first]
    if ws.options[PROJECTED] > 0.0 and compiled.n_rows:
        D, W = dense_D(compiled, ws), inverse_mass(compiled)
        nu, levels = ws.nu.copy(), compiled.system.rows["level"]
        before, best = np.inf, v1
        for n in range(MOST_ITERATIONS):
            there = y.copy()
            there[: layout.n_q], there[layout.n_q : layout.n_q + layout.n_v] = q + h * v1, v1
            derive(bench.table, t + h, there, there.copy(), there, PLACE | ROWS | RESIDUAL)
            open_by = ws.Phi / h
            late = levels == VELOCITY
            open_by[late] = 0.5 * (ws.b + D @ v1 - nu)[late]
            open_by[levels == ACCELERATION] = 0.0
            size = h * np.abs(open_by).max(initial=0.0)
            if not size < before:
                v1 = best
                break
            before, best = size, v1
            x = np.linalg.lstsq(D @ W @ D.T, open_by, rcond=None)[0]
            v1 = v1 - W @ D.T @ x
            residual = np.concatenate([np.zeros(layout.n_v), h * open_by])
            change = h * np.abs(W @ D.T @ x).max(initial=0.0)
            stages.append(
                Stage(f"{n + 1}", t + h, residual, np.concatenate([v1, x]), change, closing=True)
            )
            if size <= ws.options[TOLERANCE]:
                break
    out[: layout.n_q], out[layout.n_q : layout.n_q + layout.n_v] = q + h * v1, v1
    derive(
        bench.table, t, y, y.copy(), y, EVERYTHING
    )  # the matrix that is shown is that of the start
    return Replay(stages, out)
