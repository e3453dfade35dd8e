"""Integrate any y' = f(t, y) by the same methods as mechanisms.

    solution = solve(lambda t, y: -y, [1.0], t_end=1.0, step=0.1, method="rk4")
    solution.t, solution.y

f is called through its address, as the entries of a mechanism are; see engine.kernels.linking.
"""

import ctypes
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from engine.errors import EngineError
from engine.integrators import stepper_for
from engine.integrators.problem import Problem
from engine.integrators.stepping import Counts, grid_of
from engine.kernels.entries import DIVERGED, DONE, HUGE
from engine.kernels.layout import LOCK, N_SINCE
from engine.kernels.linking import CORRECT, DERIVE, N_ENTRIES, NEWTON, from_python
from engine.model.elements import Settings
from engine.model.methods import BY_NAME

RightSide = Callable[[float, np.ndarray], Any]


class Solution(NamedTuple):
    """The values of y at the output times."""

    t: np.ndarray  # (n,)
    y: np.ndarray  # (n, n_y)
    y_dot: np.ndarray  # (n, n_y)
    counts: Counts
    is_complete: bool  # False: y grew without bound after the last of these times


def solve(
    f: RightSide,
    y0: Sequence[float] | np.ndarray,
    t_end: float,
    step: float,
    *,
    method: str = "rk4",
    every: int = 1,
    jacobian: RightSide | None = None,
    n_q: int = 0,
    **settings: Any,
) -> Solution:
    """Integrate from t = 0 to t_end in steps of `step`, with a frame after a fixed number of steps.

    y may be (q, v) with n_q positions first: partitioned methods need to know. `settings`
    are those of engine.model.elements.Settings that concern a method, such as `tolerance`.
    """
    y = np.array(y0, dtype=float).ravel()
    n_frames = round(t_end / (step * every))
    if n_frames < 1 or abs(n_frames * every * step / t_end - 1.0) > 1e-9:
        raise EngineError(
            "The end time {t_end:g} is not a multiple of {every} steps of {step:g}. Choose another step.",
            t_end=t_end,
            every=every,
            step=step,
        )
    if method not in BY_NAME:
        raise EngineError(
            "There is no method '{method}'. Choose one of {listed}.",
            method=method,
            listed=", ".join(BY_NAME),
        )
    problem = _problem(f, jacobian, len(y), n_q)
    grid = grid_of(float(t_end), n_frames, float(step))
    stepper = stepper_for(Settings(method=method, step=step, **settings), problem, y, grid)
    parts, status = [], DONE
    faults: list[BaseException] = problem.keep[0]
    while status == DONE and not stepper.is_finished and not faults:
        status, found = stepper.advance(0.1)
        parts.append(found)
    if faults:
        raise faults[0]
    t, y, y_dot = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("t", "y", "y_dot")
    )
    return Solution(t, y, y_dot, stepper.counts, status == DONE)


def _problem(f: RightSide, jacobian: RightSide | None, n: int, n_q: int) -> Problem:
    """Entries that call f. What f raises is stored and raised again in `solve`."""
    faults: list[BaseException] = []

    def at(address: int, size: int = n) -> np.ndarray:
        return np.ctypeslib.as_array((ctypes.c_double * size).from_address(address))

    def guarded(work: Callable[..., None]) -> Any:
        def entry(table: int, t: float, y: int, out: int, more: int, flag: int) -> int:
            try:
                work(t, at(y), out, more)
            except Exception as fault:  # raised again in `solve`
                faults.append(fault)
                return DIVERGED
            return DONE if np.abs(at(y)).max(initial=0.0) < HUGE else DIVERGED

        return from_python(entry)

    def derive(t: float, y: np.ndarray, out: int, more: int) -> None:
        at(out)[:] = np.nan  # what stays where f raises: a step that is not accepted
        at(out)[:] = f(t, y.copy())

    def newton(t: float, y: np.ndarray, out: int, more: int) -> None:
        c, r = at(more, 1)[0], at(out)
        J = _differences(f, t, y) if jacobian is None else np.reshape(jacobian(t, y), (n, n))
        r[:] = np.linalg.solve(np.eye(n) - c * J, r)

    entries = {
        DERIVE: guarded(derive),
        CORRECT: guarded(lambda *_: None),
        NEWTON: guarded(newton),
    }
    table = np.zeros(N_ENTRIES, dtype=np.int64)
    for which, entry in entries.items():
        table[which] = ctypes.cast(entry, ctypes.c_void_p).value or 0
    since = np.zeros(N_SINCE)
    since[LOCK] = 1.0
    return Problem(
        table=table,
        n_q=n_q,
        lam=np.zeros(0),
        since=since,
        floor=np.ones(n),
        stops=np.zeros(0),
        contacts=np.zeros(0),
        h_most=np.inf,
        keep=(faults, entries),
    )


def _differences(f: RightSide, t: float, y: np.ndarray) -> np.ndarray:
    """df/dy by central differences."""
    J = np.zeros((len(y), len(y)))
    for k in range(len(y)):
        d = 6e-6 * max(abs(y[k]), 1.0)  # eps^(1/3): balances rounding and curvature
        step = np.zeros(len(y))
        step[k] = d
        J[:, k] = (np.asarray(f(t, y + step)) - np.asarray(f(t, y - step))) / (2 * d)
    return J
