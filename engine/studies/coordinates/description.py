"""A mechanism in coordinates u of any kind, in symbols and in numbers, and its motion.

    M(u) u'' + B^T mu = h(t, u, u')        loop(u) = 0        B = d loop/du        B u'' = gamma

Everything but h is compiled from symbols; h is a function, because force laws act in the pose q(u).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import sympy as sp
from scipy.integrate import solve_ivp
from scipy.linalg.lapack import dgesv

from engine.errors import EngineError
from engine.model.elements import Id

TIGHT = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-12}
MOST_EVALUATIONS = 40_000  # of one integration: some seconds
OFTEN = 200  # evaluations between two looks at how far it is
Forces = Callable[[float, np.ndarray, np.ndarray], np.ndarray]


class Meaning(NamedTuple):
    """A coordinate with what it means, and the part it belongs to."""

    symbol: sp.Symbol
    words: str
    part: Id


class Allowance:
    """How many evaluations an integration may take, and whether somebody still wants it."""

    def __init__(
        self,
        wanted: Callable[[], bool],
        reached: Callable[[float], object] = lambda t: None,
        most: int = MOST_EVALUATIONS,
    ) -> None:
        self.wanted, self.reached, self.left = wanted, reached, most

    def spend(self, t: float) -> None:
        """Take one of them; an EngineError says that there is none left."""
        self.left -= 1
        if self.left % OFTEN == 0:
            self.reached(t)
        if self.left < 0 or not self.wanted():
            raise EngineError(
                "The motion is too fast or too stiff to be integrated here further than {t:.3g} s. Take a "
                "shorter time.",
                t=t,
            )


class Description:
    """The equations of a mechanism in some coordinates."""

    def __init__(
        self,
        coordinates: Sequence[Meaning],
        rates: Sequence[sp.Symbol],
        loop: Sequence[sp.Expr],
        M: sp.Matrix,
        values: Mapping[sp.Symbol, float],
    ) -> None:
        self.coordinates, self.rates = tuple(coordinates), tuple(rates)
        self.u = tuple(one.symbol for one in coordinates)
        self.loop, self.M_symbols = tuple(loop), M
        self.values = {s: x for s, x in values.items() if s not in self.u}
        self.n, self.m = len(self.u), len(self.loop)
        self.B_symbols = sp.Matrix(self.m, self.n, lambda i, j: sp.diff(self.loop[i], self.u[j]))
        speeds = [
            sp.Add(*(self.B_symbols[i, j] * b for j, b in enumerate(self.rates)))
            for i in range(self.m)
        ]
        self.gamma_symbols = tuple(
            -sp.Add(*(sp.diff(x, a) * b for a, b in zip(self.u, self.rates))) for x in speeds
        )
        self._terms = self.compiled([*M, *self.loop, *self.B_symbols, *self.gamma_symbols])
        self._closure = self.compiled([*self.loop, *self.B_symbols])

    def compiled(
        self, expressions: Sequence[Any]
    ) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
        """Expressions of u and u' as one function."""
        known = [sp.sympify(x).xreplace(self.values) for x in expressions]
        call = scalar_function([*self.u, *self.rates], known)
        return lambda u, rates: call([*u.tolist(), *rates.tolist()])

    def terms(
        self, u: np.ndarray, rates: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """M, loop, B and gamma in numbers."""
        n, m = self.n, self.m
        flat = self._terms(u, rates)
        a, b, c = n * n, n * n + m, n * n + m + m * n
        return flat[:a].reshape(n, n), flat[a:b], flat[b:c].reshape(m, n), flat[c:]

    def closure(self, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """loop and B in numbers."""
        flat = self._closure(u, np.zeros(self.n))
        return flat[: self.m], flat[self.m :].reshape(self.m, self.n)

    def forces(self, t: float, u: np.ndarray, rates: np.ndarray) -> np.ndarray:
        """h."""
        raise NotImplementedError

    def pose(self, u: np.ndarray) -> np.ndarray:
        """q of all bodies."""
        raise NotImplementedError

    def acceleration(self, t: float, u: np.ndarray, rates: np.ndarray) -> np.ndarray:
        """u'' with the multipliers; loops that depend on each other share theirs."""
        M, _, B, gamma = self.terms(u, rates)
        A = np.zeros((self.n + self.m, self.n + self.m))
        A[: self.n, : self.n], A[: self.n, self.n :], A[self.n :, : self.n] = M, B.T, B
        b = np.concatenate([self.forces(t, u, rates), gamma])
        try:
            found = solved(A, b)
        except np.linalg.LinAlgError:
            found = np.linalg.lstsq(A, b, rcond=1e-12)[0]
        return np.asarray(found[: self.n])

    def run(
        self, u0: np.ndarray, rates0: np.ndarray, times: np.ndarray, go_on: "Allowance"
    ) -> np.ndarray:
        """u at these times."""
        n = self.n
        if n == 0:  # everything is fixed to the ground
            return np.zeros((len(times), 0))

        def slope(t: float, y: np.ndarray) -> np.ndarray:
            go_on.spend(t)
            return np.concatenate([y[n:], self.acceleration(t, y[:n], y[n:])])

        found = solve_ivp(
            slope,
            (times[0], times[-1]),
            [*u0, *rates0],
            t_eval=times,
            **TIGHT,
        )
        check(found, times)
        return np.asarray(found.y[:n].T)


def solved(A: np.ndarray, b: np.ndarray) -> np.ndarray:
    """A^-1 b of few equations, by LAPACK itself: numpy takes ten times as long to call it."""
    _, _, x, info = dgesv(A, b)
    if info:
        raise np.linalg.LinAlgError
    return np.asarray(x)


def scalar_function(
    arguments: Sequence[sp.Symbol], expressions: Sequence[Any], *known: Mapping[str, Any]
) -> Callable[[list[float]], np.ndarray]:
    """Expressions as one function of single numbers, which Python computes faster than arrays of one.

    Where they have no value it is not a number.
    """
    call = sp.lambdify([arguments], expressions, modules=[*known, "math"], cse=True)

    def value(numbers: list[float]) -> np.ndarray:
        try:
            return np.array(call(numbers), dtype=float)
        except (ValueError, ZeroDivisionError, OverflowError):
            return np.full(len(expressions), np.nan)

    return value


def check(found: Any, times: np.ndarray) -> None:
    """Raise EngineError for an integration that has not come to its end."""
    if found.status < 0:
        raise EngineError(
            "The integration stops at {t:.4g} s, because its steps become too short there. Take a shorter "
            "time.",
            t=float(found.t[-1]) if len(found.t) else float(times[0]),
        )
