"""A start in which bodies that bend are at rest in themselves: bent by their loads at t = 0.

What bends keeps its form while the bodies move as they start. With the velocities v of the start, N a
basis of what joints leave free, N0 its motions that bend nothing, and N_e the rest of it, M-normal to N0,

    Phi(q) = 0,     N_e^T (f - M a_p) = 0         D a_p = gamma,  a_p with the least of its modes

f are all forces: of elements, weight, elasticity and those that follow from v. Rigid motions go on
accelerating, and their inertia bends too: a pendulum that is let go is bent by its own fall. Newton's
method goes along N_e, with differences of f - D^T lam as its matrix; where that has a negative eigenvalue
the body would buckle.
"""

from typing import NamedTuple

import numpy as np

from engine.compiling.elastic.remarks import steepest
from engine.compiling.system import Compiled, workspace
from engine.errors import EngineError, say
from engine.kernels.implicit.displacements import displace
from engine.kinematics.assemble import Start, assemble
from engine.kinematics.evaluate import Equations, equations
from engine.kinematics.speeds import start_speeds
from engine.model.elements import EQUILIBRIUM, Settings

MOST = 40  # iterations
SLIGHT = 1e-6  # of the size: steps of differences
EXACT = 1e-10  # of the size: how far the last correction may still go
NONE = 1e-10  # of the largest: smaller singular values are zero
FAR = 0.25  # of the size: the most that one correction may bend
HOOK = 1.0  # rad: what slopes so much is no beam any more


class _Ways(NamedTuple):
    """The motions that joints leave free."""

    bending: np.ndarray  # (n_v, e) N_e
    push: np.ndarray  # (e,) N_e^T (f - M a_p)
    lam: np.ndarray  # (n_rows,) the reactions
    back: np.ndarray  # (n_v,) the displacement that closes joints


def begun(compiled: Compiled, settings: Settings) -> tuple[Start, list[str]]:
    """The state a run begins with, and what is to be told of it."""
    start = assemble(compiled)
    if settings.flexible_start != EQUILIBRIUM:
        return start, []
    if not compiled.elastic:
        return start, [say("Nothing bends in this model, so it starts as drawn.")]
    return at_rest(compiled, start), []


def at_rest(compiled: Compiled, start: Start) -> Start:
    """The start with what bends in equilibrium; an EngineError says why there is none."""
    size, q, v = compiled.length, start.q, start.v
    scale = size * np.sqrt(float(compiled.mass.sum()))  # of displacements along M-normal motions
    ws = workspace(compiled.system)
    for _ in range(MOST):
        ways = _ways(compiled, equations(compiled, 0.0, q, v, ws))
        K = _stiffness(compiled, q, v, ways, SLIGHT * scale)
        # by least squares: what nothing resists stays
        y = np.linalg.lstsq(K, ways.push, rcond=NONE)[0] if K.size else np.zeros(0)
        far = float(np.abs(y).max(initial=0.0)) / scale
        if not np.isfinite(far):
            break
        y *= min(1.0, FAR / max(far, 1e-300))
        q = _displaced(compiled, q, ways.bending @ y + ways.back)
        v = start_speeds(compiled, 0.0, q).v
        if far <= EXACT:
            if _is_too_steep(compiled, q):
                break
            _refuse_buckled(compiled, K)
            gap = float(np.abs(equations(compiled, 0.0, q, v, ws).Phi).max(initial=0.0))
            return start._replace(q=q, v=v, gap=gap)
    raise _none(compiled)


def _none(compiled: Compiled) -> EngineError:
    labels = ", ".join(f"'{compiled.resolved[id].label}'" for id in compiled.elastic)
    return EngineError(
        "No equilibrium was found in which {labels} could start: the loads bend too far, or push so that "
        "something buckles. Start as drawn, take smaller loads, or make it stiffer.",
        *compiled.elastic,
        labels=labels,
    )


def _refuse_buckled(compiled: Compiled, K: np.ndarray) -> None:
    """Raise EngineError where the equilibrium would be left at the slightest push."""
    if K.size:
        values = np.linalg.eigvalsh(0.5 * (K + K.T))
        if values[0] < -1e-6 * values[-1]:
            raise _none(compiled)


def _ways(compiled: Compiled, e: Equations) -> _Ways:
    """The free motions in a state, what pushes along those that bend, and what closes the joints."""
    root = np.linalg.cholesky(_regular(e.M))
    # x = L^T v: motions are measured by their energy
    D = np.linalg.solve(root, e.D.T).T
    U, s, Vt = np.linalg.svd(D) if len(D) else (np.zeros((0, 0)), np.zeros(0), np.eye(len(e.f)))
    rank = int((s > NONE * s.max(initial=0.0)).sum())
    N = np.linalg.solve(root.T, Vt[rank:].T)
    back, a_p = (
        np.linalg.solve(root.T, Vt[:rank].T @ ((U[:, :rank].T @ right) / s[:rank]))
        for right in (-e.Phi, e.gamma)
    )
    modal = compiled.layout.is_modal
    _, t, Wt = np.linalg.svd(N[modal]) if N.shape[1] else (0, np.zeros(0), np.zeros((0, 0)))
    bends = int((t > NONE * max(float(t.max(initial=0.0)), NONE)).sum())
    # the rows of Wt are normal, and so are the columns of N in M: the rest of them bends nothing
    bending = N @ Wt[:bends].T
    a_p = a_p - N @ np.linalg.lstsq(N[modal], a_p[modal], rcond=NONE)[0] if N.shape[1] else a_p
    return _Ways(bending, bending.T @ (e.f - e.M @ a_p), e.lam, back)


def _regular(M: np.ndarray) -> np.ndarray:
    """M with a small inertia where a particle has none."""
    idle = np.diag(M) == 0.0
    return M + np.diag(np.where(idle, 1.0, 0.0))


def _stiffness(
    compiled: Compiled, q: np.ndarray, v: np.ndarray, ways: _Ways, step: float
) -> np.ndarray:
    """How the push along each of the motions that bend falls as the body follows it, (e, e)."""
    K = np.zeros((ways.bending.shape[1],) * 2)
    for n, way in enumerate(ways.bending.T):
        ahead, behind = (
            equations(compiled, 0.0, _displaced(compiled, q, sign * step * way), v)
            for sign in (1.0, -1.0)
        )
        change = (behind.f - ahead.f) - (behind.D - ahead.D).T @ ways.lam
        K[:, n] = ways.bending.T @ change / (2.0 * step)
    return K


def _displaced(compiled: Compiled, q: np.ndarray, x: np.ndarray) -> np.ndarray:
    """A pose that is displaced by x, which has the components of v."""
    out = q.copy()
    displace(compiled.system.dim, compiled.system.bodies, q, np.ascontiguousarray(x), out)
    return out


def _is_too_steep(compiled: Compiled, q: np.ndarray) -> bool:
    """Whether a beam is bent so far that its equations mean nothing."""
    modes = compiled.layout.modes
    return any(
        record.has_sections and steepest(record, q[modes(compiled.body_ids.index(id))][None]) > HOOK
        for id, record in compiled.elastic.items()
    )
