"""IDA of SUNDIALS: backward differences of variable order and step for the constrained equations.

They are given to it undifferentiated, in the stabilised form of index 2 by Gear, Gupta and Leimkuhler:

    q_dot = T(q) (v - W D^T mu)         0 = Phi(q, t)             mu = 0 in the exact solution
    v_dot = W (f - D^T lam)             0 = D v - nu

A row that starts at velocity level has mu = 0 in place of Phi = 0, one that starts at acceleration
level D W (f - D^T lam) = gamma too. States of force laws have z_dot. Errors are controlled in q, v and z
alone: multipliers are as smooth
as accelerations, and IDA's estimate for them is meaningless in index 2. The lengths of quaternions do
not matter: they are normalised before anything is computed from them. A step is never longer than the
time between two frames: a short load is not missed.

Redundant rows make the equations for lam and mu singular. A compliance is then added to each row,

    0 = Phi - eps diag(S) mu            0 = D v - nu - eps diag(S) lam        eps = 1e-4 tolerance

small enough to be negligible, large enough for the equations to be regular. It is used from the start where
the start is redundant, and otherwise from the point where IDA gets stuck: that is how it passes singular
poses.
"""

import contextlib
import io
import warnings
from typing import Any

import numpy as np

from engine.errors import EngineError
from engine.integrators.adaptive import TOO_SMALL
from engine.integrators.differences import ROOT, WIDE, differences, full, pattern_of
from engine.integrators.libraries.external import NOT_YET, External, in_c
from engine.integrators.problem import Problem
from engine.integrators.stepping import Grid
from engine.kernels import dynamics, inlined
from engine.kernels.acting import teeth
from engine.kernels.entries import DONE, EVERYTHING, FORCES, PLACE, ROWS
from engine.kernels.layout import ACCELERATION, POSITION, PROXIMAL_STEPS, System, Workspace
from engine.kernels.linking import CORRECT, DERIVE, N_ENTRIES, Entry, call, unpack, vector

UNCONTROLLED = 1e30  # an absolute tolerance that no error reaches
SMALLEST_COMPLIANCE, LARGEST_COMPLIANCE = 1e-12, 1e-9  # [s] eps
HUGE = 1e100  # replaces a residual that is not a number
DENSE = 150  # unknowns up to which a dense matrix is faster


@Entry
def residual(table, t, y, out, more, flag):
    """The residuals of `flag` states one after another.

    A state in y is (q, v, z, lam, mu), then room for (q, v, z), then the compliance of each row; in `more`
    stand the rates of the first five, in `out` their residuals. Changes the workspace.
    """
    system, ws = unpack(table)
    n_y = ws.q_dot.size + ws.a.size + ws.z_dot.size
    m = ws.Phi.size
    n = n_y + 2 * m
    states, rates, left = (
        vector(y, flag * (n + n_y + m)),
        vector(more, flag * n),
        vector(out, flag * n),
    )
    for s in range(flag):
        at = s * (n + n_y + m)
        unit = states[at + n : at + n + n_y]
        for k in range(n_y):
            unit[k] = states[at + k]
        dynamics.normalise(system.dim, system.bodies, unit[: ws.q_dot.size])
        call(DERIVE, table, t, unit, unit, unit, PLACE | FORCES | ROWS)
        if ws.pressed.size > 0:
            teeth.press(table, system, ws, t, states[at + n_y : at + n_y + m])
        stabilised(
            system,
            ws,
            states[at : at + n],
            states[at + n + n_y : at + n + n_y + m],
            rates[s * n : s * n + n],
            left[s * n : s * n + n],
        )
    return DONE


@inlined
def stabilised(system: System, ws: Workspace, y, compliance, rates, left):
    """The residual of one state, at which bodies are placed, forces known and rows filled."""
    n_q, n_v, n_z, m = ws.q_dot.size, ws.a.size, ws.z_dot.size, ws.Phi.size
    n_y = n_q + n_v + n_z
    v = y[n_q : n_q + n_v]
    lam = y[n_y : n_y + m]
    mu = y[n_y + m :]
    dynamics.times_W_without_D_transposed(system, ws, ws.f, lam, ws.a)
    dynamics.times_W_without_D_transposed(system, ws, ws.zero, mu, ws.dv)
    for k in range(n_v):
        ws.dv[k] += v[k]
        left[n_q + k] = rates[n_q + k] - ws.a[k]
    dynamics.rates(system.dim, system.bodies, y[:n_q], ws.dv, ws.q_dot)
    for k in range(n_q):
        left[k] = rates[k] - ws.q_dot[k]
    for k in range(n_z):
        left[n_q + n_v + k] = rates[n_q + n_v + k] - ws.z_dot[k]
    if m > 0:
        dynamics.times_D(system, ws, v, ws.b)
        dynamics.times_D(system, ws, ws.a, ws.x)
    for k in range(m):
        if system.rows[k].level == ACCELERATION:
            left[n_y + k] = ws.x[k] - ws.gamma[k]
        else:
            left[n_y + k] = ws.b[k] - ws.nu[k] - compliance[k] * lam[k]
        if system.rows[k].level == POSITION:
            left[n_y + m + k] = ws.Phi[k] - compliance[k] * mu[k]
        else:
            left[n_y + m + k] = mu[k]


class Ida(External):
    """A run by IDA. A problem that is not a mechanism is treated as y' = f(t, y)."""

    def __init__(self, problem: Problem, y: np.ndarray, grid: Grid, tolerance: float) -> None:
        super().__init__(problem, y, grid, tolerance)
        # its System and its Workspace; nothing where the problem is not a mechanism
        self._mechanism: Any = problem.keep if len(problem.table) > N_ENTRIES else ()
        self._m = len(problem.lam) if self._mechanism else 0
        self._n = self.n_motion + 2 * self._m
        known = pattern_of(self._mechanism[0]) if self._mechanism else full(self._n)
        self._differences = differences(known)
        n_states = max(self._differences.n_groups, 1)
        self._states = np.zeros((n_states, self._n + self.n_motion + self._m))
        self._rates, self._left = np.zeros((n_states, self._n)), np.zeros((n_states, self._n))
        arrays = (problem.table, self._states, self._left, self._rates)
        self._places = [array.ctypes.data for array in arrays]
        self._in_c: Any = in_c(residual.address) if self._mechanism else None
        self._softened = -np.inf  # the time of the last start with compliance
        redundant = bool(self._mechanism and self._mechanism[1].options[PROXIMAL_STEPS] > 0)
        self._is_compliant = redundant and self._m > 0
        self._start(self.t, with_compliance=self._is_compliant)

    def start(self) -> None:
        """Start IDA at (t, y)."""
        self._start(self.t, with_compliance=self._is_compliant)

    def take_step(self) -> int:
        """Take one step; where IDA is stuck, restart with compliance, or give up."""
        last = self.t_last
        found = self._ask(last, "onestep")
        if found is not None and not found.t > self.t and found.t < last:
            # after interpolated states it has only come back to its own
            found = self._ask(last, "onestep")
        if found is None:
            return self._soften_or_give_up()
        if not found.t > self.t:
            return NOT_YET if found.t < last else DONE
        self.counts.steps += 1
        self.t = self._reached_at = float(found.t)
        self._reached = found.y
        watched = self._reached[: self.n_motion].copy()  # the internal state of IDA is unchanged
        return self.call(CORRECT, self.t, watched)

    def state_at(self, t: float) -> np.ndarray:
        """The state at a time within the last step, from IDA's own polynomial."""
        there = self._reached if t == self._reached_at else self._ask(t, "normal").y
        return np.asarray(there[: self.n_motion])

    def _ask(self, t: float, how: str) -> Any:
        """The result of IDA; None if it is stuck. Its printed messages are suppressed."""
        with contextlib.redirect_stdout(io.StringIO()):
            found = self._solver.step(t, how, max(t, self.bound))
        return found if found.status >= 0 else None

    def _soften_or_give_up(self) -> int:
        """Restart with compliance where IDA is stuck; give up where that was tried already."""
        self.y[: self.n_motion] = self._reached[: self.n_motion]
        status = self.call(CORRECT, self.t, self.y)
        if status == DONE and self._softened < self.t:
            self._start(self.t, with_compliance=self._m > 0)
            return NOT_YET
        return TOO_SMALL if status == DONE else status

    def _start(self, t: float, with_compliance: bool) -> None:
        """Start IDA at y, which is consistent: a, lam and the rates are computed there."""
        n_y, n, m = self.n_motion, self._n, self._m
        y, rates = np.zeros(n), np.zeros(n)
        self.call(DERIVE, t, self.y, self._y_dot, EVERYTHING)
        y[:n_y], rates[:n_y] = self.y[:n_y], self._y_dot[:n_y]
        y[n_y : n_y + m] = self.problem.lam[:m]
        self._softened = t if with_compliance or not m else self._softened
        if with_compliance:
            eps = min(max(1e-4 * self.tolerance, SMALLEST_COMPLIANCE), LARGEST_COMPLIANCE)
            self._states[:, n + n_y :] = eps * self._mechanism[1].scale
        part = np.sqrt(n_y / n)  # IDA's norm is a mean over all unknowns, and most are uncontrolled
        allowed = np.full(n, UNCONTROLLED)
        allowed[:n_y] = self.tolerance * part * self.problem.floor
        is_sparse = n > DENSE
        self._reached, self._reached_at = y, t
        self._asked = t  # the time of the last residual
        with warnings.catch_warnings():  # it warns that with a pattern it could find J by itself
            warnings.simplefilter("ignore", UserWarning)
            self._solver = _ida_class()(
                self._residual,
                jacfn=self._jacobian,
                algebraic_idx=list(range(n_y, n)),
                rtol=self.tolerance * part,
                atol=allowed,
                linsolver="sparse" if is_sparse else "dense",
                sparsity=self._differences.pattern if is_sparse else None,
                max_num_steps=10**9,
                max_step=self.longest_step,
            )
        self._solver.init_step(t, y, rates)

    def _residual(self, t: float, y: np.ndarray, rates: np.ndarray, left: np.ndarray) -> None:
        """Fill `left`; a time before that of the last call means that a step was rejected."""
        if t < self._asked:
            self.counts.rejected += 1
        self._asked = t
        self.counts.solves += 1
        self._states[0, : self._n], self._rates[0] = y, rates
        self._evaluate(t, 1)
        left[:] = self._left[0]

    def _jacobian(self, t: float, y: Any, rates: Any, left: Any, cj: float, J: np.ndarray) -> None:
        """Fill J = d left / dy + cj d left / d rates, all groups of columns in one call."""
        n, of = self._n, self._differences
        shift = ROOT * np.maximum(np.abs(y), 1.0)
        shift[self.n_motion :] *= WIDE / ROOT
        self._states[:, :n], self._rates[:] = y, rates
        self._states[of.group, np.arange(n)] += shift
        self._rates[of.group, np.arange(n)] += cj * shift
        self._evaluate(t, of.n_groups)
        entries = of.entries(self._left, left, shift)
        if J.ndim == 1:
            J[:] = entries
        else:
            J[:] = 0.0
            J[of.pattern.indices, of.column] = entries

    def _evaluate(self, t: float, n_states: int) -> None:
        """The residuals of the first states; changes `_left`. Invalid values become huge: IDA retries."""
        self.counts.evaluations += n_states
        if self._mechanism:
            self._in_c(self._places[0], t, *self._places[1:], n_states)
        else:
            for state, rates, left in zip(self._states[:n_states], self._rates, self._left):
                self.call(DERIVE, t, np.ascontiguousarray(state), self._y_dot, EVERYTHING)
                left[:] = rates - self._y_dot
        found = self._left[:n_states]
        if not np.isfinite(found).all():
            found[:] = np.nan_to_num(found, nan=HUGE, posinf=HUGE, neginf=-HUGE)


def _ida_class() -> Any:
    """The solver, where it is installed."""
    try:
        from sksundae.ida import IDA
    except ImportError:
        raise EngineError(
            "The method 'ida' needs the package scikit-sundae, which is not installed here. Install it, "
            "or choose another method."
        ) from None
    return IDA
