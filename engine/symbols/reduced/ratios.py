"""Velocities of closed loops: what closes them differentiated, and the rates that follow from free ones.

    g(u, t) = 0        B u' + g_t = 0        B_d u_d' = -B_f u_f'  without drives

B_d are as many columns as B has independent rows, of the last coordinates for which that is possible; the
rates of the others are free. Needs sympy alone.
"""

from collections.abc import Sequence
from typing import NamedTuple

import sympy as sp

from engine.symbols.reduced.reduction import MOST_SOLVED, Reduced, determinant, normal, quotient
from engine.symbols.reduced.trigonometry import fourier

T = sp.Symbol("t", real=True)
GOLDEN = 0.6180339887498949  # its multiples modulo one lie nowhere in particular
LOST = 1e-9  # of the largest number of a row: what is left of one that depends on others


class Ratio(NamedTuple):
    """A dependent rate: the sum of free rates, each by its ratio."""

    rate: sp.Symbol
    parts: tuple[tuple[sp.Symbol, sp.Expr], ...]

    @property
    def value(self) -> sp.Expr:
        """The dependent rate as an expression of the free ones."""
        return sp.Add(*(ratio * rate for rate, ratio in self.parts))


def closing_rates(reduced: Reduced) -> tuple[sp.Expr, ...]:
    """B u' + g_t, row by row: what is to vanish."""
    closing = _closing(reduced)
    return tuple(
        sp.Add(sp.diff(g, T), *(b * rate for b, rate in zip(row, reduced.rates)))
        for g, row in zip(closing, _slopes(reduced, closing))
    )


def velocity_ratios(reduced: Reduced) -> tuple[Ratio, ...]:
    """The dependent rates of closed loops of few independent rows; of more rows nobody reads them."""
    closing = [g for g in _closing(reduced) if T not in g.free_symbols]  # a drive has no ratio
    B, n = _slopes(reduced, closing), len(reduced.u)
    numbers = _numbers(B)
    rows = independent(numbers)
    backwards = [[numbers[i][j] for i in rows] for j in reversed(range(n))]
    bound = sorted(n - 1 - k for k in independent(backwards))
    free = [k for k in range(n) if k not in bound]
    if not rows or not free or len(rows) > MOST_SOLVED:
        return ()
    A = [[B[i][j] for j in bound] for i in rows]
    under = fourier(determinant(A))
    found = []
    for c, j in enumerate(bound):
        parts = []
        for k in free:
            swapped = [
                [-B[i][k] if n == c else x for n, x in enumerate(row)] for i, row in zip(rows, A)
            ]
            top = fourier(determinant(swapped))
            if top:
                parts.append((reduced.rates[k], quotient(top, under)))
        found.append(Ratio(reduced.rates[j], tuple(parts)))
    return tuple(found)


def _closing(reduced: Reduced) -> list[sp.Expr]:
    """What closes the loops, without what is closed in every pose."""
    return [g for g in reduced.loop if fourier(g)]


def _slopes(reduced: Reduced, closing: list[sp.Expr]) -> list[list[sp.Expr]]:
    """B."""
    return [[normal(sp.diff(g, a)) for a in reduced.u] for g in closing]


def _numbers(B: list[list[sp.Expr]]) -> list[list[float]]:
    """B where all symbols have some value."""
    inside = {s for row in B for x in row for s in x.free_symbols}
    symbols = sorted(inside, key=str)
    values = {s: sp.Float(0.5 + (k + 1) * GOLDEN % 1.0) for k, s in enumerate(symbols)}
    return [[float(x.xreplace(values)) for x in row] for row in B]


def independent(rows: Sequence[Sequence[float]]) -> list[int]:
    """The first rows that depend on none before them, by elimination."""
    kept: list[int] = []
    basis: list[tuple[int, list[float]]] = []  # with the column of the largest number, which is one
    for k, row in enumerate(rows):
        rest, size = list(row), max(map(abs, row), default=0.0)
        for column, other in basis:
            factor = rest[column]
            rest = [x - factor * y for x, y in zip(rest, other)]
        largest = max(range(len(rest)), key=lambda j: abs(rest[j]), default=0)
        if size > 0.0 and abs(rest[largest]) > LOST * size:
            kept.append(k)
            basis.append((largest, [x / rest[largest] for x in rest]))
    return kept
