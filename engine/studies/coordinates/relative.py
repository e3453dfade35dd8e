"""Relative coordinates: those of the joints of a spanning tree; the joints that are cut close the loops.

q = q(u)        R = dq/du        M_u = R^T M R        h = R^T (f(t, q, R u') - M R' u')
"""

from typing import NamedTuple

import numpy as np
import sympy as sp

from engine.compiling.system import Compiled
from engine.errors import EngineError, say
from engine.studies.coordinates.description import Description, Forces, Meaning
from engine.symbols.equations import Equations
from engine.symbols.reduced.reduction import Problem, Reduced, reduce
from engine.symbols.reduced.spanning import problem_of
from engine.symbols.reduced.trigonometry import fourier, shortest
from engine.symbols.traced import T

SMALL = 1e-12


class Mark(NamedTuple):
    """Where a joint coordinate is on its bodies, in numbers; -1 is the ground."""

    symbol: sp.Symbol
    here: int
    there: int
    P_here: tuple[float, float]  # of the joint, from the mass centre, body axes
    P_there: tuple[float, float]
    slides: bool
    guide: float  # the angle of the guide in its body
    guide_on_here: bool


class Relative(Description):
    """The coordinates of joints of a spanning tree."""

    def __init__(self, equations: Equations, f: Forces) -> None:
        problem = problem_of(equations)
        reduced = reduce(problem, relative=True)
        if any(T in x.free_symbols for x in reduced.loop):
            raise EngineError(
                "A constraint that closes a loop depends on time, which is not shown in these coordinates. "
                "Give it a constant value."
            )
        self.reduced, self.f, self.compiled_model = reduced, f, equations.compiled
        self.joints = {link.joint for link in problem.links}  # of the tree; the others are cut
        super().__init__(
            _meanings(equations.compiled, problem, reduced),
            reduced.rates,
            tuple(_short(x) for x in reduced.loop),
            reduced.M,
            problem.values,
        )
        self.marks = tuple(self._mark(problem, s) for s in reduced.u)
        n_q = len(reduced.q)
        flat = self.compiled([*reduced.q, *reduced.R, *reduced.bias])

        def places(u: np.ndarray, rates: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
            all = flat(u, rates)
            a, b = n_q, n_q + n_q * self.n
            return all[:a], all[a:b].reshape(n_q, self.n), all[b:]

        self.places = places
        self.mass = np.array([float(m.xreplace(self.values)) for m in problem.masses])

    def forces(self, t: float, u: np.ndarray, rates: np.ndarray) -> np.ndarray:
        """h."""
        q, R, bias = self.places(u, rates)
        return np.asarray(R.T @ (self.f(t, q, R @ rates) - self.mass * bias))

    def pose(self, u: np.ndarray) -> np.ndarray:
        """q of all bodies."""
        return self.places(u, np.zeros(self.n))[0]

    def _mark(self, problem: Problem, symbol: sp.Symbol) -> Mark:
        letter, _, name = str(symbol).partition("_")
        link = problem.links[[problem.names[link.there] for link in problem.links].index(name)]

        def number(x: sp.Expr) -> float:
            return float(sp.sympify(x).xreplace(self.values))

        here, there = ((number(P[0]), number(P[1])) for P in (link.P_here, link.P_there))
        slides, guide = letter == "s", number(link.guide_angle)
        return Mark(symbol, link.here, link.there, here, there, slides, guide, link.guide_on_here)

    def start(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """u and u' of a state whose joints are closed; angles first, then what slides along them."""
        turned = self.compiled_model.layout.orientations.ravel()
        u, angles = np.zeros(self.n), q[turned]
        for _ in range(3):  # linear in angles, then linear in displacements
            now, R, _ = self.places(u, np.zeros(self.n))
            by_angle = np.linalg.lstsq(R[turned], angles - now[turned], rcond=None)[0]
            u = u + by_angle
            now, R, _ = self.places(u, np.zeros(self.n))
            R[turned] *= 1e6  # angles stay
            u = u + np.linalg.lstsq(R, _weighted(q - now, turned), rcond=None)[0]
        _, R, _ = self.places(u, np.zeros(self.n))
        rates = np.linalg.lstsq(R, v, rcond=None)[0]
        rates[np.abs(rates) < SMALL] = 0.0
        return u, rates

    def shown(self) -> tuple[sp.Matrix, tuple[sp.Expr, ...]]:
        """M and h in their shortest form, to read."""
        M = self.reduced.M.applyfunc(_short)
        return M, tuple(_short(x, self.reduced.rates) for x in self.reduced.h)


def _weighted(gap: np.ndarray, turned: np.ndarray) -> np.ndarray:
    gap = gap.copy()
    gap[turned] *= 1e6
    return gap


def _short(x: sp.Expr, outer: tuple[sp.Symbol, ...] = ()) -> sp.Expr:
    form = fourier(x)
    return shortest(form, outer) if form else sp.S.Zero


def _meanings(compiled: Compiled, problem: Problem, reduced: Reduced) -> list[Meaning]:
    """Angles of bodies against the one before, and displacements along guides."""
    links = {f"theta_{problem.names[link.there]}": link for link in problem.links}
    links |= {f"s_{problem.names[link.there]}": link for link in problem.links}
    found = []
    for symbol, joint in zip(reduced.u, reduced.joints):
        link, label = links[str(symbol)], compiled.resolved[joint].label
        id = compiled.body_ids[link.there]
        there = compiled.resolved[id].label
        if str(symbol).startswith("s_"):
            words = say("displacement of '{there}' along '{joint}'", there=there, joint=label)
        elif link.here < 0:
            words = say(
                "angle of '{there}' from the x axis, at '{joint}'", there=there, joint=label
            )
        else:
            before = compiled.resolved[compiled.body_ids[link.here]].label
            words = say(
                "angle of '{there}' against '{before}', at '{joint}'",
                there=there,
                before=before,
                joint=label,
            )
        found.append(Meaning(symbol, words, id))
    return found
