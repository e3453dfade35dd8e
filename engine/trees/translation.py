"""A state of a run in joint coordinates as one of bodies, and back, for what changes it between steps."""

import numpy as np

from engine.compiling.system import Compiled
from engine.integrators.problem import Problem
from engine.kernels.trees.entries import show
from engine.trees.poses import follow


class Translation:
    """Between the states of a run in joint coordinates and those of its model."""

    def __init__(self, compiled: Compiled, problem: Problem) -> None:
        self._compiled, self._table, self._n = compiled, problem.table, problem.n_shown
        self._hung, self._tree = problem.keep[-2:]

    def shown(self, t: float, y: np.ndarray) -> np.ndarray:
        """The state of the bodies; changes the workspace of the run."""
        found = np.zeros(self._n)
        show(self._table, t, y, found, np.zeros_like(found))
        return found

    def take(self, Y: np.ndarray, y: np.ndarray) -> None:
        """Bring y to what the bodies have become, which are near to where y had them; changes y."""
        n_q, n_v = self._tree.n_q, self._tree.n_v
        q, v, _ = self._compiled.layout.parts(Y)
        links = self._tree.links
        known = [
            one._replace(beta=y[int(at) : int(at) + len(one.beta)])
            for one, at in zip(self._hung, links["q_at"])
        ]
        hung = follow(self._compiled, known, q, v)
        y[:n_q] = np.concatenate([one.beta for one in hung])
        y[n_q : n_q + n_v] = np.concatenate([one.eta for one in hung])
        y[n_q + n_v :] = Y[len(q) + len(v) :]
