"""How geometric quantities change while v is constant: the arithmetic from which D and gamma follow.

A quantity x(t) along a motion of constant v has

    x,      x_dot = D v,      x_ww: the part of x_ddot that holds no acceleration

Sums, products, roots and angles of such quantities have them by the rules of differentiation; so
every coordinate between two markers is written once, as g, and nothing is derived by hand.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import sympy as sp


class Moving(NamedTuple):
    """A quantity with its rate and the rate of this while v is constant."""

    x: sp.Expr
    dot: sp.Expr = sp.S.Zero
    ww: sp.Expr = sp.S.Zero

    def plus(self, other: "Moving", factor: Any = 1) -> "Moving":
        """x + factor y."""
        return Moving(*(a + factor * b for a, b in zip(self, other)))

    def times(self, other: "Moving") -> "Moving":
        """x y:  (x y)_dot = x_dot y + x y_dot,  (x y)_ww = x_ww y + 2 x_dot y_dot + x y_ww."""
        a, b = self, other
        return Moving(
            a.x * b.x, a.dot * b.x + a.x * b.dot, a.ww * b.x + 2 * a.dot * b.dot + a.x * b.ww
        )

    def scaled(self, factor: Any) -> "Moving":
        """factor x."""
        return Moving(*(factor * a for a in self))

    def over(self, other: "Moving") -> "Moving":
        """x / y =: z with x = z y."""
        z = self.x / other.x
        dot = (self.dot - z * other.dot) / other.x
        return Moving(z, dot, (self.ww - 2 * dot * other.dot - z * other.ww) / other.x)

    def root(self) -> "Moving":
        """sqrt(x) =: y with y y = x:  2 y y_dot = x_dot,  2 y y_ww = x_ww - 2 y_dot^2."""
        y = sp.sqrt(self.x)
        dot = self.dot / (2 * y)
        return Moving(y, dot, (self.ww - 2 * dot**2) / (2 * y))


class Vector(NamedTuple):
    """Three quantities."""

    x: Moving
    y: Moving
    z: Moving


NOTHING = Moving(sp.S.Zero)
NOWHERE = Vector(NOTHING, NOTHING, NOTHING)


def fixed(components: Iterable[Any]) -> Vector:
    """A vector that does not change."""
    x, y, z = (Moving(sp.sympify(c)) for c in components)
    return Vector(x, y, z)


def plus(a: Vector, b: Vector, factor: Any = 1) -> Vector:
    """a + factor b."""
    return Vector(*(p.plus(q, factor) for p, q in zip(a, b)))


def scaled(a: Vector, factor: Any) -> Vector:
    """factor a, of a constant factor."""
    return Vector(*(p.scaled(factor) for p in a))


def stretched(a: Vector, factor: Moving) -> Vector:
    """factor a, of a factor that changes too."""
    return Vector(*(p.times(factor) for p in a))


def dot(a: Vector, b: Vector) -> Moving:
    """a . b."""
    total = NOTHING
    for p, q in zip(a, b):
        total = total.plus(p.times(q))
    return total


def cross(a: Vector, b: Vector) -> Vector:
    """a x b."""
    return Vector(
        a.y.times(b.z).plus(a.z.times(b.y), -1),
        a.z.times(b.x).plus(a.x.times(b.z), -1),
        a.x.times(b.y).plus(a.y.times(b.x), -1),
    )


def length(d: Vector) -> Moving:
    """|d| =: g:  g g_dot = d . d_dot,  g g_ww = d . d_ww + d_dot . d_dot - g_dot^2."""
    g = sp.sqrt(sum(c.x**2 for c in d))
    rate = sum(c.x * c.dot for c in d) / g
    return Moving(g, rate, (sum(c.x * c.ww + c.dot**2 for c in d) - rate**2) / g)


def direction(s: Moving, p: Moving) -> Moving:
    """atan2(s, p) =: g, with n = p^2 + s^2.

    n g_dot = p s_dot - s p_dot,      n g_ww = p s_ww - s p_ww - 2 g_dot (p p_dot + s s_dot)
    """
    n = p.x**2 + s.x**2
    rate = (p.x * s.dot - s.x * p.dot) / n
    ww = (p.x * s.ww - s.x * p.ww - 2 * rate * (p.x * p.dot + s.x * s.dot)) / n
    return Moving(sp.atan2(s.x, p.x), rate, ww)


def skew(a: Sequence[Any], b: Sequence[Any]) -> tuple[Any, Any, Any]:
    """a x b of plain components."""
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


def coefficients(expression: sp.Expr, of: frozenset[sp.Symbol]) -> dict[sp.Symbol, sp.Expr]:
    """The coefficients of symbols that an expression is linear in, in one walk through it."""
    if expression.is_Symbol and expression in of:
        return {expression: sp.S.One}
    if expression.is_Atom:
        return {}
    found: dict[sp.Symbol, list[sp.Expr]] = {}
    if expression.is_Add:
        for term in expression.args:
            for symbol, x in coefficients(term, of).items():
                found.setdefault(symbol, []).append(x)
        return {symbol: sp.Add(*terms) for symbol, terms in found.items()}
    if expression.is_Mul:
        inside = [coefficients(factor, of) for factor in expression.args]
        places = [n for n, one in enumerate(inside) if one]
        if len(places) < 2:
            return {
                symbol: sp.Mul(x, *expression.args[:n], *expression.args[n + 1 :])
                for n in places
                for symbol, x in inside[n].items()
            }
    return {s: sp.diff(expression, s) for s in expression.free_symbols & of}
