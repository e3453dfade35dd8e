"""The equations in symbols, evaluated: every symbol has a number at a state of the model."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import sympy as sp

from engine.compiling.system import linked, workspace
from engine.kernels import histories
from engine.kernels.acting.interactions import N_TOLD
from engine.kinematics.poses import body_frames
from engine.symbols.equations import Equations
from engine.symbols.traced import T

MODULES = ["numpy", {"atan2": np.arctan2}]


class Numbers:
    """Expressions of the equations of a model as one compiled function of the state."""

    def __init__(self, equations: Equations, expressions: Sequence[sp.Expr]) -> None:
        self.equations = equations
        known = equations.names.values
        self.arguments = [
            *(T, *equations.q, *equations.v, *equations.lam, *equations.outside, *known)
        ]
        short = equations.short.meaning
        modules = [equations.tables, *MODULES]
        self._short = sp.lambdify([self.arguments], list(short.values()), modules=modules)
        self._call: Callable[..., Any] = sp.lambdify(
            [[*short, *self.arguments]], list(expressions), modules=modules
        )
        self.constants = list(known.values())

    def at(
        self,
        t: float,
        q: np.ndarray,
        v: np.ndarray,
        lam: np.ndarray | None = None,
        z: np.ndarray | None = None,
    ) -> np.ndarray:
        """The expressions at a state of the engine."""
        forces = lam if lam is not None else np.zeros(len(self.equations.lam))
        seen = [*symbols_of_pose(self.equations, q), *v, *forces]
        outside = numbers_outside(self.equations, t, q, v, forces, z)
        with np.errstate(all="ignore"):
            known = [t, *seen, *outside, *self.constants]
            return np.array(self._call([*self._short(known), *known]), dtype=float)


def symbols_of_pose(equations: Equations, q: np.ndarray) -> list[float]:
    """The numbers of the symbols of the pose: in space the entries of R instead of parameters."""
    compiled = equations.compiled
    if equations.dim == 2:
        return [float(x) for x in q]
    found: list[float] = []
    for k, R in enumerate(body_frames(compiled, q).R):
        found += [*map(float, q[compiled.layout.position(k)]), *map(float, R.ravel())]
    return found


def numbers_outside(
    equations: Equations,
    t: float,
    q: np.ndarray,
    v: np.ndarray,
    lam: np.ndarray,
    z: np.ndarray | None,
) -> list[float]:
    """Forces and torques of laws that have no closed form, from the engine."""
    if not equations.outside:
        return []
    compiled = equations.compiled
    ws, out = workspace(compiled.system), np.zeros((1, 7 + N_TOLD))
    rates = np.zeros(len(ws.angle))
    y = compiled.layout.y(q, v, compiled.z0 if z is None else z)[None, :]
    found = []
    table, forces = linked(compiled.system, ws), np.asarray(lam, dtype=float)[None]
    for which, n in equations.outside.values():
        histories.wrenches(table, np.array([t]), y, forces, which, rates, out)
        found.append(float(out[0, n]))
    return found
