"""The phase plane of a mechanism with one degree of freedom: every state by a coordinate and its rate.

Where a coordinate x is monotonic, each x belongs to one pose q(x) and each (x, y = x_dot) to one
state: with n the motion that the joints allow and r = y(q, n) its rate,

    v = n y / r        a from the equations of motion        y_dot = d/dt y(q, v) along (q_dot, a)

A pose is followed from one already known in small steps that keep the joints closed. Anything that makes a
state ambiguous or the picture depend on time is refused with the reason.
"""

import numpy as np
from scipy.linalg import null_space

from engine.compiling.system import Compiled, workspace
from engine.errors import EngineError
from engine.kernels import dynamics
from engine.kinematics.assemble import Start
from engine.kinematics.evaluate import dense_D, fill, inverse_mass, movable
from engine.kinematics.mobility import RANK, mobility
from engine.results.blocks import Block
from engine.results.results import Results

MAX_VELOCITIES = 150  # of a model whose phase plane is drawn: poses are followed by dense algebra
STEP = 0.2  # of a coordinate in rad, or in sizes of the model: how far a pose is followed at once
WEAK = 1e-3  # of its largest rate: where a coordinate is about to reverse
TINY = 1e-5  # [s] for differences in time
MOMENTS = (0.0, 0.013, 0.17, 0.39, 0.61, 0.83, 1.0)  # of the run, at which forces are compared
MAX_CORRECTIONS = 12
CLOSED = 1e-11  # of the size of the model


class PhasePlane:
    """The states of a model by the channels x and y = x_dot, starting from a known pose."""

    def __init__(self, compiled: Compiled, x: str, y: str, q: np.ndarray) -> None:
        self.compiled, self.x, self.y = compiled, x, y
        self._ws = workspace(compiled.system)
        self._zero = np.zeros(len(compiled.v0))
        self._free = movable(compiled)
        self._refuse_unfit(q)
        x0, n, r = self._look(q)
        self._refuse_time(q, n)
        self._refuse_other_rate(q, n, r)
        channel = self._results(q[None], n[None]).channel(x)
        self._turns = channel.unit == "rad" and compiled.system.dim == 3
        self._step = STEP * (1.0 if channel.unit == "rad" else compiled.length)
        self._largest = abs(r)
        self._known: dict[float, np.ndarray] = {x0: q.copy()}  # poses by x

    def pose(self, x: float) -> np.ndarray:
        """The pose at which the coordinate has this value; EngineError if it reverses before."""
        start = min(self._known, key=lambda known: abs(known - x))
        q, at = self._known[start].copy(), start
        while at != x:
            target = x if abs(x - at) <= self._step else at + np.copysign(self._step, x - at)
            q = self._follow(q, target)
            self._known[target] = q.copy()
            at = target
        return q

    def state(self, x: float, y: float) -> tuple[np.ndarray, np.ndarray]:
        """q and v at a point of the plane."""
        q = self.pose(x)
        _, n, r = self._look(q)
        return q, n * (y / r)

    def start(self, x: float, y: float) -> Start:
        """A point of the plane as the start of a run."""
        return Start(*self.state(x, y), 0.0, 0.0, 0.0)

    def slopes(self, xs: np.ndarray, ys: np.ndarray) -> np.ndarray:
        """y_dot at every point of a grid, (len(xs), len(ys)); x_dot is y itself."""
        system = self.compiled.system
        before, after = [], []
        for x in xs:
            q = self.pose(float(x))
            _, n, r = self._look(q)
            self._refuse_time(q, n * (ys[-1] / r))
            for y in ys:
                v = n * (y / r)
                fill(self.compiled, self._ws, 0.0, q, v)
                a, q_dot = self._ws.a.copy(), np.zeros_like(q)
                dynamics.rates(system.dim, system.bodies, q, v, q_dot)
                before.append((q - TINY * q_dot, v - TINY * a))
                after.append((q + TINY * q_dot, v + TINY * a))
        ends = [self._results(*map(np.array, zip(*states)))[self.y] for states in (before, after)]
        return ((ends[1] - ends[0]) / (2.0 * TINY)).reshape(len(xs), len(ys))

    def _follow(self, q: np.ndarray, target: float) -> np.ndarray:
        """The pose at a value of x near that of q."""
        compiled = self.compiled
        W = inverse_mass(compiled)
        for _ in range(MAX_CORRECTIONS):
            x, n, r = self._look(q)
            self._largest = max(self._largest, abs(r))
            if not abs(r) > WEAK * self._largest:
                break
            missing = self._missing(target, x)
            fill(compiled, self._ws, 0.0, q, self._zero)
            D, Phi = dense_D(compiled, self._ws), self._ws.Phi.copy()
            if max(abs(missing), np.abs(Phi).max(initial=0.0)) <= CLOSED * compiled.length:
                return q
            dq = n * (missing / r)
            if len(Phi):
                DW = D @ W
                dq = dq - DW.T @ np.linalg.lstsq(DW @ D.T, Phi, rcond=1e-12)[0]
            q = self._moved(q, dq)
        raise EngineError(
            "'{x}' turns back, so that one value belongs to several poses: choose a coordinate "
            "that does not, such as the angle of a crank.",
            x=self.x,
        )

    def _look(self, q: np.ndarray) -> tuple[float, np.ndarray, float]:
        """The value of x at a pose, the motion that the joints allow there, and its rate y."""
        fill(self.compiled, self._ws, 0.0, q, self._zero)
        D = dense_D(self.compiled, self._ws)[:, self._free]
        lengths = np.linalg.norm(D, axis=1, keepdims=True)
        motions = null_space(D / np.where(lengths > 0.0, lengths, 1.0), rcond=RANK)
        if motions.shape[1] != 1:
            raise EngineError(
                "The model has {n_columns} degrees of freedom in some pose: a direction field "
                "needs one in all.",
                n_columns=motions.shape[1],
            )
        n = np.zeros(len(self._free))
        n[self._free] = motions[:, 0]
        seen = self._results(q[None], n[None])
        return float(seen[self.x][0]), n, float(seen[self.y][0])

    def _missing(self, target: float, x: float) -> float:
        """How far x is from a target; in space angles of one frame are known up to full turns."""
        missing = target - x
        return float(np.remainder(missing + np.pi, 2.0 * np.pi) - np.pi) if self._turns else missing

    def _moved(self, q: np.ndarray, dq: np.ndarray) -> np.ndarray:
        """A pose after a small displacement, given like a velocity."""
        system, moved = self.compiled.system, q.copy()
        dynamics.move(system.dim, system.bodies, moved, dq, np.zeros_like(q))
        return moved

    def _results(self, q: np.ndarray, v: np.ndarray) -> Results:
        """States as if they were frames of a run, to read channels from."""
        n, results = len(q), Results(self.compiled)
        lam = np.zeros((n, self.compiled.n_rows))
        none = np.zeros(n)
        results.append(Block(none, q, v, np.zeros_like(v), lam, none, none, none.astype(np.int64)))
        return results

    def _refuse_unfit(self, q: np.ndarray) -> None:
        """Raise for models whose phase plane is not constant in time."""
        if len(self.compiled.v0) > MAX_VELOCITIES:
            raise EngineError("The model is too large for a direction field.")
        found = mobility(self.compiled, q, self._zero)
        if found.dof != 1:
            raise EngineError(
                "The model has {dof} degrees of freedom: a direction field needs one.",
                dof=found.dof,
            )
        if not (found.is_holonomic and found.is_scleronomic):
            raise EngineError(
                "A motion or a rolling contact drives the model: its direction field would change "
                "with time."
            )

    def _refuse_time(self, q: np.ndarray, v: np.ndarray) -> None:
        """Raise if the forces at a state depend on time."""
        t_end, forces = float(self.compiled.resolved.settings.t_end), []
        for moment in MOMENTS:
            fill(self.compiled, self._ws, moment * t_end, q, v)
            forces.append(self._ws.f.copy())
        if np.ptp(forces, axis=0).max() > 1e-9 * (1.0 + np.abs(forces).max()):
            raise EngineError("Forces depend on time: the direction field would change with it.")

    def _refuse_other_rate(self, q: np.ndarray, n: np.ndarray, r: float) -> None:
        """Raise unless y is the rate of x."""
        ends = [
            self._results(self._moved(q, s * n)[None], n[None])[self.x][0] for s in (-TINY, TINY)
        ]
        rate = (ends[1] - ends[0]) / (2.0 * TINY)
        size = max(abs(r), abs(rate))
        if not size > 1e-9 or abs(rate - r) > 1e-4 * size:
            raise EngineError(
                "'{y}' is not the rate of '{x}': a direction field needs a coordinate that "
                "moves, and its rate.",
                y=self.y,
                x=self.x,
            )
