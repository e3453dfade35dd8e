"""Run one method of fixed step on a model, directly on the integrators."""

from typing import Any, NamedTuple

import numpy as np

from engine.compiling.elimination import with_tangents
from engine.compiling.system import Compiled, compile_model, linked, workspace
from engine.integrators.direct import FAMILY, Direct
from engine.integrators.explicit import Explicit
from engine.integrators.implicit import STAGES, Implicit
from engine.integrators.multistep import Multistep
from engine.integrators.problem import Problem
from engine.integrators.stepping import Counts, FixedStepper, grid_of
from engine.kernels import layout
from engine.kernels.entries import DONE
from engine.kinematics.assemble import assemble
from engine.kinematics.evaluate import fill

ORDER = {
    "implicit_euler": 1,
    "trapezoid": 2,
    **{f"bdf{n}": n for n in range(1, 6)},
    **dict.fromkeys(FAMILY, 2),
}


class Found(NamedTuple):
    """The frames of a run, and what it cost."""

    status: int
    t: np.ndarray
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    lam: np.ndarray
    gap: np.ndarray
    counts: Counts


def method_of(name: str, n_y: int, n_q: int, damping: float) -> Any:
    """The running method."""
    if name in STAGES:
        return Implicit(name, n_y)
    if name.startswith("bdf"):
        return Multistep(int(name[3:]), n_y)
    if name in FAMILY:
        return Direct(name, n_y, n_q, damping)
    return Explicit(name, n_y)


def problem_of(compiled: Compiled, q, v, h, options, redundant=False) -> Problem:
    """The mechanism as integrators see it."""
    ws = workspace(compiled.system)
    ws.angle[:] = fill(compiled, ws, 0.0, q, v)[0]
    size = compiled.length
    defaults = {
        layout.PROXIMAL_STEPS: 40 if redundant else 0,
        layout.PROJECTED: 1.0,
        layout.TOLERANCE: 1e-12 * size,
        layout.OPEN_GAP: 1e-6 * size,
        layout.LOCK_LIMIT: 1e-3,
        layout.STEP: h,
    }
    for which, value in {**defaults, **options}.items():
        ws.options[which] = value
    ws.since[layout.LOCK], ws.since[layout.LOCK_BODY] = 1.0, -1.0
    table, more = with_tangents(linked(compiled.system, ws), compiled.system)
    keep = (compiled.system, ws, more)
    floor = np.ones(compiled.layout.n_motion)
    return Problem(table, len(q), ws.lam, ws.since, floor, np.zeros(0), np.inf, keep)


def integrate(
    model: Any,
    method: str,
    h: float,
    t_end: float,
    *,
    n_frames: int = 1,
    damping: float = 0.2,
    options: dict[int, float] | None = None,
    redundant: bool = False,
) -> Found:
    """Frames at equal times from 0 to t_end."""
    compiled = model if isinstance(model, Compiled) else compile_model(model)
    start = assemble(compiled)
    problem = problem_of(compiled, start.q, start.v, h, options or {}, redundant)
    y = compiled.layout.y(start.q, start.v)
    grid = grid_of(t_end, n_frames, h)
    stepper = FixedStepper(problem, y, grid, method_of(method, len(y), problem.n_q, damping))
    parts, status = [], DONE
    while status == DONE and not stepper.is_finished:
        status, frames = stepper.advance(0.05)
        parts.append(frames)
    columns = [np.concatenate([getattr(p, name) for p in parts]) for name in parts[0]._fields]
    t, frames_y, y_dot, lam, since = columns
    parts_of = compiled.layout.parts
    return Found(
        status,
        t,
        *parts_of(frames_y)[:2],
        parts_of(y_dot)[1],
        lam,
        since[:, layout.GAP],
        stepper.counts,
    )
