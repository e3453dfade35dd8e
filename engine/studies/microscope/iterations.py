"""Newton's iterations of implicit steps, replayed.

Methods on the constrained equations (the trapezoid of index 3, the generalised-alpha family) in numpy: for
the displacement x and lam, with a' and v' as engine.kernels.implicit.entries.step derives them,

    [ M + v'/a' C + K/a'   D^T ] [ dx      ]   [ (f - M a1 - D^T lam)/a'             ]
    [ D                     0  ] [ dlam/a' ] = [ -Phi,  or (nu - D v1)/v' at velocities ]

Methods on y' = f(t, y): (1 - c J) delta = g + c f(t, Y) - Y, one elimination of the engine gives delta.
"""

import math
from typing import NamedTuple

import numpy as np

from engine.errors import EngineError
from engine.integrators.direct import Direct
from engine.integrators.implicit import CONVERGED, MAX_WHOLE, ROUNDING, SHARE, SLOW, STAGES
from engine.kernels.entries import DONE, EVERYTHING, FORCES, PLACE, RESIDUAL, ROWS, derive
from engine.kernels.implicit import entries as implicit
from engine.kernels.implicit.entries import FACTORISE, LINEARISE, SOLVE
from engine.kernels.layout import ACCELERATION, POSITION
from engine.kinematics.evaluate import dense_D, mass_matrix
from engine.model.fields import plain
from engine.model.methods import BY_NAME
from engine.studies.microscope.matrices import tangents
from engine.studies.microscope.workbench import Replay, Stage, Workbench
from rotations import quaternion


class _Weights(NamedTuple):
    """The parameters of the generalised-alpha family for one step."""

    alpha_m: float
    alpha_f: float
    beta: float
    gamma: float
    level: float
    h: float

    @property
    def by_v(self) -> float:
        """v': how v1 changes with the displacement."""
        return self.gamma / (self.h * self.beta)

    @property
    def by_a(self) -> float:
        """a': how a1 changes with it."""
        return (1.0 - self.alpha_m) / (self.h**2 * self.beta * (1.0 - self.alpha_f))

    def follow(
        self, x: np.ndarray, v0: np.ndarray, a0: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """v1 and a1 of a displacement; the step is the first one, so A0 = a0."""
        A1 = (x / self.h - v0 - self.h * (0.5 - self.beta) * a0) / (self.h * self.beta)
        v1 = v0 + self.h * ((1.0 - self.gamma) * a0 + self.gamma * A1)
        a1 = (1.0 - self.alpha_m) * A1 + self.alpha_m * a0 - self.alpha_f * a0
        return v1, a1 / (1.0 - self.alpha_f)


def direct(bench: Workbench) -> Replay:
    """Newton's iterations of a method on the constrained equations."""
    compiled, ws, h = bench.compiled, bench.ws, bench.h
    layout, n_v = compiled.layout, compiled.layout.n_v
    made = Direct(bench.method, len(bench.y), layout.n_q, plain(bench.settings.damping)).parameters
    places = [implicit.ALPHA_M, implicit.ALPHA_F, implicit.BETA, implicit.GAMMA, implicit.LEVEL]
    alpha_m, alpha_f, beta, gamma, level = map(float, made[places])
    w = _Weights(alpha_m, alpha_f, beta, gamma, level, h)
    q0, v0, _ = layout.parts(bench.y)
    a0, lam = layout.parts(bench.rates)[1], ws.lam.copy()
    M, still = mass_matrix(compiled), _still(bench)
    x, before, tasks = h * (v0 + 0.5 * h * a0), math.inf, LINEARISE
    K = C = A = np.zeros((0, 0))
    stages: list[Stage] = []
    for n in range(implicit.MAX_ITERATIONS):
        v1, a1 = w.follow(x, v0, a0)
        y = layout.y(displaced(bench, q0, x), v1)
        derive(bench.table, bench.t + h, y, y.copy(), y, PLACE | FORCES | ROWS | RESIDUAL)
        ws.lam[:] = lam
        if tasks:
            implicit.tangent(bench.table, bench.t + h, y, y, np.ascontiguousarray(a1), LINEARISE)
            K, C = tangents(compiled, bench.keep)
        D = dense_D(compiled, ws)
        left = M @ a1 + D.T @ lam - bench.forces()
        left[still] = 0.0
        rows, by_rows = _rows(bench, w, D @ a1)
        A = np.block([[M + w.by_v / w.by_a * C + K / w.by_a, D.T], [D, np.zeros((len(D),) * 2)]])
        A[still], A[:, still], A[still, still] = 0.0, 0.0, 1.0
        found = _solved(A, -np.concatenate([left / w.by_a, rows / by_rows]), bench.is_redundant)
        dx, dlam = found[:n_v], w.by_a * found[n_v:]
        residual, values = np.concatenate([left, rows]), np.concatenate([a1, lam])
        correction = float(np.abs(dx).max(initial=0.0))
        stages.append(
            Stage(f"{n + 1}", bench.t + h, residual, values, correction, float(np.linalg.cond(A)))
        )
        x, lam = added(bench, x, dx), lam + dlam
        size = correction / (1.0 + float(np.abs(x).max(initial=0.0)))
        if not math.isfinite(size):
            break
        if size <= implicit.CONVERGED or (size <= implicit.ROUNDING and size > 0.5 * before):
            v1, _ = w.follow(x, v0, a0)
            return Replay(stages, layout.y(displaced(bench, q0, x), v1), A)
        tasks = LINEARISE if size > implicit.SLOW * before else 0
        before = size
    raise _not_solved(bench)


def _rows(bench: Workbench, w: _Weights, Da: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The residual of every row at its level, and what divides it in the matrix."""
    ws, levels = bench.ws, bench.compiled.system.rows["level"]
    rows, by = ws.b.copy(), np.full(len(ws.b), w.by_v)  # D v - nu
    if w.level == POSITION:
        at = levels == POSITION
        rows[at], by[at] = ws.Phi[at], 1.0
    at = levels == ACCELERATION
    rows[at], by[at] = (Da - ws.gamma)[at], w.by_a
    return rows, by


def _solved(A: np.ndarray, b: np.ndarray, is_redundant: bool) -> np.ndarray:
    """A x = b; where joints are redundant the shortest x, as their reactions are not unique."""
    if is_redundant:
        found: np.ndarray = np.linalg.lstsq(A, b, rcond=1e-12)[0]
        return found
    return np.linalg.solve(A, b)


def _still(bench: Workbench) -> np.ndarray:
    """The places in v of turns that particles do not have."""
    compiled = bench.compiled
    return np.ravel(compiled.layout.spins[compiled.is_particle]).astype(int)


def displaced(bench: Workbench, q: np.ndarray, x: np.ndarray) -> np.ndarray:
    """q after a displacement given like a velocity."""
    layout, out = bench.compiled.layout, q.copy()
    for k in range(layout.n_bodies):
        out[layout.position(k)] += x[layout.velocity(k)]
        turn, at = x[layout.spin(k)], layout.orientation(k)
        if layout.dim == 2:
            out[at] += turn
        else:
            out[at] = quaternion.step(q[at], turn, 1.0)
    return out


def added(bench: Workbench, x: np.ndarray, dx: np.ndarray) -> np.ndarray:
    """A displacement and a small one behind it:  x + dx + x x dx / 2 for turns in space."""
    layout, out = bench.compiled.layout, x + dx
    for k in range(layout.n_bodies if layout.dim == 3 else 0):
        turn = layout.spin(k)
        out[turn] += 0.5 * np.cross(x[turn], dx[turn])
    return out


def on_the_ode(bench: Workbench) -> Replay:
    """Newton's iterations of implicit Euler and of the trapezoid."""
    stages_of = STAGES[bench.method]
    h, t1, n = bench.h, bench.t + bench.h, bench.compiled.layout.n_q + bench.compiled.layout.n_v
    c = h * stages_of[1, 1]
    g = bench.y + h * stages_of[1, 0] * bench.rates
    Y = bench.y + h * stages_of.sum(axis=1)[1] * bench.rates
    k, weight = np.zeros_like(Y), np.array([c])
    share = SHARE if bench.method == "implicit_euler" else 0.0
    before, enough, tasks = math.inf, CONVERGED, LINEARISE | FACTORISE | SOLVE
    found: list[Stage] = []
    A = np.zeros((0, 0))
    for number in range(MAX_WHOLE):
        if derive(bench.table, t1, Y, k, Y, EVERYTHING) != DONE:
            break
        r = g + c * k - Y
        left = r[:n].copy()
        if implicit.newton(bench.table, t1, Y, r, weight, tasks) != DONE:
            break
        if tasks & LINEARISE:
            A = _matrix(bench, c)
        floor = bench.floor
        size = float((np.abs(r) / np.maximum(1e-300, 0.0 + _scale(floor, Y + r))).max())
        correction = float(np.abs(r[: bench.compiled.layout.n_q]).max())
        found.append(
            Stage(f"{number + 1}", t1, left, Y[:n].copy(), correction, float(np.linalg.cond(A)))
        )
        if not math.isfinite(size):
            break
        Y = Y + r
        if number == 0:
            enough, rest = max(CONVERGED, share * size), size
        else:
            rest = size * size / max(before - size, 1e-300)
        is_near = size <= CONVERGED or (size < before and rest <= enough)
        if is_near or (size <= ROUNDING and size > 0.5 * before):
            return Replay(found, Y, A)
        tasks = SOLVE if size <= SLOW * before else LINEARISE | FACTORISE | SOLVE
        before = size
    raise _not_solved(bench)


def _scale(floor: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """What each number of a correction is compared with; quadratures are not compared."""
    scale = np.full(len(Y), np.inf)
    scale[: len(floor)] = floor + np.abs(Y[: len(floor)])
    return scale


def _matrix(bench: Workbench, c: float) -> np.ndarray:
    """[ M + c C + c^2 K   D^T ; D   0 ] of the last iteration."""
    compiled, D = bench.compiled, dense_D(bench.compiled, bench.ws)
    K, C = tangents(compiled, bench.keep)
    still = _still(bench)
    A = np.block([[mass_matrix(compiled) + c * C + c * c * K, D.T], [D, np.zeros((len(D),) * 2)]])
    A[still], A[:, still], A[still, still] = 0.0, 0.0, 1.0
    return A


def _not_solved(bench: Workbench) -> EngineError:
    return EngineError(
        "{full} does not solve its equations in one step of {h:g} s from here, so that there is no step to "
        "open. Take a shorter step.",
        full=BY_NAME[bench.method].full,
        h=bench.h,
    )
