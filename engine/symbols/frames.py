"""Bodies and markers in symbols: where they are and how they move.

In the plane a body has x, y and phi. In space the nine entries of R are symbols, whatever quaternion or
Euler angles stand behind R. What turns with a body there has symbols of its own, arms s = R P, axes e =
R a and the angular velocity W = R w in world axes, and changes by W x s; so equations stay as short as
they are in vectors.
"""

from typing import NamedTuple

import sympy as sp

from engine.symbols.motion import NOWHERE, Moving, Vector, fixed, skew
from engine.symbols.traced import real

AXES = "xyz"


class Short:
    """Symbols that stand for what turns with bodies in space, and their meaning in the entries of R."""

    def __init__(self) -> None:
        self.meaning: dict[sp.Symbol, sp.Expr] = {}
        self.spins: dict[str, tuple[sp.Symbol, ...]] = {}  # W of the bodies in space
        self._known: dict[tuple, tuple[sp.Symbol, ...]] = {}
        self._count: dict[str, int] = {}

    def symbols(self, letter: str, index: str, components: tuple) -> tuple[sp.Symbol, ...]:
        """Three symbols for a vector of a body; the same for the same components."""
        key = (letter, index, components)
        if key not in self._known:
            n = self._count[letter + index] = self._count.get(letter + index, 0) + 1
            number = "" if letter == "W" else str(n)
            made = tuple(real(f"{letter}{number}{axis}_{index}") for axis in AXES)
            self._known[key] = made
            self.meaning |= dict(zip(made, components))
        return self._known[key]

    def expanded(self, expression: sp.Expr) -> sp.Expr:
        """An expression in the entries of R alone."""
        return expression.xreplace(self.meaning)


class Body(NamedTuple):
    """A body in symbols; the ground has no symbols."""

    q: tuple[sp.Expr, ...] = ()  # plane: x, y, phi; space: r, then R row by row
    v: tuple[sp.Expr, ...] = ()  # as in the engine
    dim: int = 3
    name: str = ""  # its index in symbols
    short: Short = Short()

    @property
    def r(self) -> Vector:
        """The mass centre."""
        if not self.q:
            return NOWHERE
        places = [Moving(x, u) for x, u in zip(self.q[: self.dim], self.v)]
        return Vector(*places, *([Moving(sp.S.Zero)] * (3 - self.dim)))

    @property
    def velocity(self) -> Vector:
        """Of the mass centre, whose acceleration is not part of it."""
        return fixed((*self.v[: self.dim], 0, 0)[:3]) if self.q else NOWHERE

    @property
    def rows(self) -> tuple[tuple[sp.Expr, ...], ...]:
        """R, row by row, in space."""
        return self.q[3:6], self.q[6:9], self.q[9:12]

    @property
    def W(self) -> tuple[sp.Expr, ...]:
        """The angular velocity in world axes; constant while w is, because R (w x w) = 0."""
        if not self.q:
            return (sp.S.Zero,) * 3
        if self.dim == 2:
            return (sp.S.Zero, sp.S.Zero, self.v[2])
        spins = self.short.spins
        if self.name not in spins:
            spins[self.name] = self.short.symbols("W", self.name, self.turned(self.v[3:]))
        return spins[self.name]

    @property
    def spin(self) -> Vector:
        """The angular velocity in world axes as a vector."""
        return fixed(self.W)

    def turned(self, a) -> tuple[sp.Expr, ...]:
        """R a: components along the world's axes."""
        if not self.q:
            return tuple(a)
        if self.dim == 2:
            c, s = sp.cos(self.q[2]), sp.sin(self.q[2])
            return (c * a[0] - s * a[1], s * a[0] + c * a[1], a[2])
        return tuple(sum((R * x for R, x in zip(row, a)), sp.S.Zero) for row in self.rows)

    def carried(self, a, letter: str) -> Vector:
        """A vector that turns with the body, by its components along body axes: (R a)_dot = W x R a."""
        if not self.q:
            return fixed(a)
        there = self.turned(a)
        if self.dim == 3 and not all(x.is_Symbol or x == 0 for x in there):
            there = self.short.symbols(letter, self.name, there)
        rate = skew(self.W, there)
        return Vector(*(Moving(*one) for one in zip(there, rate, skew(self.W, rate))))

    def leaning(self, angle: sp.Expr) -> Vector:
        """The direction at an angle from the body x axis, in the plane."""
        phi = (self.q[2] if self.q else sp.S.Zero) + angle
        w = self.v[2] if self.q else sp.S.Zero
        c, s = sp.cos(phi), sp.sin(phi)
        return Vector(Moving(c, -s * w, -c * w**2), Moving(s, c * w, -s * w**2), Moving(sp.S.Zero))


class Marker(NamedTuple):
    """A marker in symbols: its body, its place from the mass centre, and its axes there."""

    body: Body
    place: int  # of its body among the bodies
    P: tuple[sp.Expr, ...]  # body axes
    axes: tuple[tuple[sp.Expr, ...], ...]  # columns; in space
    angle: sp.Expr  # in the plane

    @property
    def arm(self) -> Vector:
        """s = R P."""
        return self.body.carried(self.P, "s")

    def axis(self, n: int) -> Vector:
        """An axis in the world."""
        if self.body.dim == 2 and n < 2:
            return self.body.leaning(self.angle + n * sp.pi / 2)
        return self.body.carried(self.axes[n], "e")
