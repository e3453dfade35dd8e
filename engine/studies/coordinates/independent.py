"""Independent coordinates: as many joint coordinates as degrees of freedom; the loops give the others.

    u = (u_free, u_dep)     loop(u) = 0 by Newton's method     u' = K u_free'     K = [1 ; -B_dep^-1 B_free]
    K^T M K u_free'' = K^T (h - M c)                            c = [0 ; B_dep^-1 gamma]

They fail where B_dep is singular, at a dead centre. Near one the free coordinates are chosen anew, those
that leave B_dep best conditioned, and the integration goes on. Where none is good
the loop is singular.
"""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy.integrate import solve_ivp

from engine.errors import EngineError
from engine.studies.coordinates.description import TIGHT, Allowance, check, solved
from engine.studies.coordinates.relative import Relative

POOR = 0.3  # of the best choice: below this share of its smallest singular value another choice is made
SINGULAR = 1e-6  # of the largest entry of B: below this no choice is good
MOST_SWITCHES = 100
CLOSED = 1e-9  # of a step of Newton's: what it leaves is the square of it
MOST_CORRECTIONS = 30
RECENT = 40  # evaluations that are looked through


class Switch(NamedTuple):
    """When other coordinates were chosen, and which."""

    t: float
    before: tuple[int, ...]
    after: tuple[int, ...]


class Independent:
    """The motion of a mechanism by the free ones of its relative coordinates."""

    def __init__(self, relative: Relative, n_free: int) -> None:
        self.relative, self.n_free = relative, n_free
        self.switches: list[Switch] = []
        self.first: tuple[int, ...] = ()
        self.closing = np.zeros(0, dtype=int)  # rows of the loop that are independent

    def choose(self, u: np.ndarray) -> tuple[int, ...]:
        """The coordinates that determine the others best here; changes the rows that count."""
        r, B = self.relative, self._B(u)
        if not r.m:
            return tuple(range(r.n))
        self.closing = _independent_rows(B)
        best = max(combinations(range(r.n), self.n_free), key=lambda free: self.quality(u, free))
        if self.quality(u, best) < SINGULAR * np.abs(B).max():
            raise EngineError(
                "The loop is singular here: no choice of independent coordinates tells the others. "
                "Start from another pose."
            )
        return best

    def quality(self, u: np.ndarray, free: Sequence[int]) -> float:
        """The smallest singular value of B_dep: zero at a dead centre."""
        rest = self._rest(free)
        if not rest:
            return np.inf
        B = self._B(u)[self.closing][:, rest]
        return float(np.linalg.svd(B, compute_uv=False)[-1])

    def signed(self, u: np.ndarray, free: Sequence[int]) -> float:
        """The same with the sign of the determinant, so that a passage through zero shows."""
        rest = self._rest(free)
        sign = np.linalg.slogdet(self._B(u)[self.closing][:, rest])[0] if rest else 1.0
        return float(sign) * self.quality(u, free)

    def begin(self, u0: np.ndarray, t: float, free: Sequence[int] = ()) -> None:
        """Choose the first independent coordinates: those that are given, if they serve; changes them."""
        best = self.choose(u0)
        self.first = tuple(free) or best
        if self.quality(u0, self.first) < POOR * self.quality(u0, best):
            self.switches.append(Switch(float(t), self.first, best))
            self.first = best

    def run(
        self, u0: np.ndarray, rates0: np.ndarray, times: np.ndarray, go_on: Allowance
    ) -> np.ndarray:
        """u at these times, from a state with closed loops, after `begin`."""
        chosen = self.first
        if not chosen:  # nothing can move
            return np.tile(np.array(u0, dtype=float), (len(times), 1))
        u, rates, t = np.array(u0, dtype=float), np.array(rates0, dtype=float), float(times[0])
        found = np.zeros((len(times), self.relative.n))
        found[0] = u
        for _ in range(MOST_SWITCHES):
            way: list[tuple[float, np.ndarray]] = [(t, u.copy())]
            last, limit = [u.copy()], POOR * self.quality(u, self.choose(u))
            rows = self.closing
            side = np.sign(self.signed(u, chosen)) if len(rows) else 1.0

            def slope(t, y, free=chosen, last=last, way=way) -> np.ndarray:
                go_on.spend(t)
                whole, speeds, K, c = self._whole(y, free, last)
                way.append((t, whole))
                r = self.relative
                M = r.terms(whole, speeds)[0]
                h = r.forces(t, whole, speeds)
                a = solved(K.T @ M @ K, K.T @ (h - M @ c))
                return np.concatenate([y[len(free) :], a])

            def near(t, y, free=chosen, way=way, limit=limit, side=side) -> float:
                whole = self._whole(y, free, [_nearest(way, t)])[0]
                return float(side * self.signed(whole, free) - limit)

            near.terminal, near.direction = True, -1.0  # type: ignore[attr-defined]
            wanted = times[times >= t]
            start = np.concatenate([u[list(chosen)], rates[list(chosen)]])
            events = [near] if len(rows) else None
            went = solve_ivp(slope, (t, times[-1]), start, t_eval=wanted, events=events, **TIGHT)
            check(went, times)
            way.sort(key=lambda one: one[0])
            for at, y in zip(went.t, went.y.T):
                place = np.searchsorted(times, at)
                found[place] = self._whole(y, chosen, [_nearest(way, at)])[0]
            if went.status == 0:
                return found
            t = float(went.t_events[0][0])
            u, rates, _, _ = self._whole(went.y_events[0][0], chosen, [_nearest(way, t)])
            after = self.choose(u)
            self.switches.append(Switch(t, chosen, after))
            chosen = after
        raise EngineError(
            "The independent coordinates were chosen anew {most} times: the mechanism stays near a dead "
            "centre. Take a shorter time.",
            most=MOST_SWITCHES,
        )

    def _B(self, u: np.ndarray) -> np.ndarray:
        return self.relative.closure(u)[1]

    def _rest(self, free: Sequence[int]) -> list[int]:
        return [k for k in range(self.relative.n) if k not in free]

    def _whole(
        self, y: np.ndarray, free: Sequence[int], last: list[np.ndarray]
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """u, u', K and c of free coordinates and rates; `last` is where Newton begins, and is moved on."""
        r, chosen, rest = self.relative, list(free), self._rest(free)
        u, n = last[0].copy(), len(chosen)
        u[chosen] = y[:n]
        for _ in range(MOST_CORRECTIONS if rest else 0):
            loop, B = r.closure(u)
            change = solved(B[self.closing][:, rest], loop[self.closing])
            u[rest] -= change
            if np.abs(change).max() < CLOSED * (1.0 + np.abs(u).max()):
                break
        K, c, rates = np.zeros((r.n, n)), np.zeros(r.n), np.zeros(r.n)
        K[chosen], rates[chosen] = np.eye(n), y[n:]
        if rest:
            B = self._B(u)[self.closing]
            K[rest] = solved(B[:, rest], -B[:, chosen])
            rates = K @ y[n:]
            c[rest] = solved(B[:, rest], r.terms(u, rates)[3][self.closing])
        last[0] = u
        return u, rates, K, c


def _nearest(way: list[tuple[float, np.ndarray]], t: float) -> np.ndarray:
    """A copy of the coordinates that are nearest in time: where Newton's method begins."""
    few = way[-RECENT:]
    if way[-1][0] > t:
        k = bisect_left(way, t, key=lambda one: one[0])
        few = way[max(k - RECENT, 0) : k + RECENT]
    return min(few, key=lambda one: abs(one[0] - t))[1].copy()


def _independent_rows(B: np.ndarray) -> np.ndarray:
    """The first rows that do not depend on the ones before."""
    kept: list[int] = []
    for k in range(len(B)):
        if np.linalg.matrix_rank(B[[*kept, k]], tol=1e-9 * np.abs(B).max()) > len(kept):
            kept.append(k)
    return np.array(kept, dtype=int)
