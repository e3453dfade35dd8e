"""Numbers that remember the expression they stand for, and formulas of the engine as expressions.

A declaration such as `rows()` computes with the fields of its element. Where these are traced numbers,
comparisons see the number, while sums and products carry the expression along: the same declaration, which
knows nothing of symbols, then answers in both.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import sympy as sp

from engine.formulas.grammar import parse
from engine.formulas.units import unit

SHORT = 1000  # largest denominator of a number that is shown as a fraction
ROUNDING = 1e-15  # of a number: what its last digit may be off and still be that fraction
T = sp.Symbol("t", real=True)


def real(name: str) -> sp.Symbol:
    """The symbol of this name; all symbols of the equations are real."""
    return sp.Symbol(name, real=True)


class Traced(float):
    """A float with the expression of which it is the value."""

    expression: sp.Expr

    def __new__(cls, value: float, expression: sp.Expr) -> "Traced":
        made = super().__new__(cls, value)
        made.expression = expression
        return made

    def _with(self, other: Any, of: Callable[[Any, Any], Any], turned: bool = False) -> Any:
        """The result of an operation with another number, traced."""
        if not isinstance(other, int | float):
            return NotImplemented
        pair = (float(self), float(other))
        expressions = (self.expression, expression_of(other))
        if turned:
            pair, expressions = pair[::-1], expressions[::-1]
        return Traced(of(*pair), of(*expressions))

    def __add__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a + b)

    __radd__ = __add__

    def __mul__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a * b)

    __rmul__ = __mul__

    def __sub__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a - b)

    def __rsub__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a - b, turned=True)

    def __truediv__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a / b)

    def __rtruediv__(self, other: Any) -> Any:
        return self._with(other, lambda a, b: a / b, turned=True)

    def __neg__(self) -> "Traced":
        return Traced(-float(self), -self.expression)

    def __abs__(self) -> "Traced":
        return self if self >= 0.0 else -self

    def __reduce__(self) -> Any:
        return Traced, (float(self), self.expression)


def expression_of(number: Any) -> sp.Expr:
    """What a number stands for: its expression, or itself."""
    return number.expression if isinstance(number, Traced) else exact(number)


def exact(number: float) -> sp.Expr:
    """A number as a short fraction if it is one, else with all its digits."""
    near = Fraction(float(number)).limit_denominator(SHORT)
    if abs(float(near) - number) <= ROUNDING * abs(number):
        return sp.Rational(near.numerator, near.denominator)
    return sp.Float(repr(float(number)), 17)


def share_of_pi(angle: float, most: int = 12) -> sp.Expr | None:
    """An angle as a simple share of pi, or None where it is none."""
    turns = Fraction(angle / float(sp.pi)).limit_denominator(most)
    if abs(float(turns) * float(sp.pi) - angle) > 1e-12:
        return None
    return sp.Rational(turns.numerator, turns.denominator) * sp.pi


def _step(x: Any, x0: Any, y0: Any, x1: Any, y1: Any) -> sp.Expr:
    u = (x - x0) / (x1 - x0)
    return sp.Piecewise((y0, u <= 0), (y1, u >= 1), (y0 + (y1 - y0) * u**2 * (3 - 2 * u), True))


def _truth(of: Callable[..., Any]) -> Callable[..., sp.Expr]:
    """1 where a comparison holds, else 0."""
    return lambda *operands: sp.Piecewise((1, of(*operands)), (0, True))


_OPERATIONS: dict[str, Callable[..., Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "^": lambda a, b: a**b,
    "neg": lambda a: -a,
    "<": _truth(sp.Lt),
    "<=": _truth(sp.Le),
    ">": _truth(sp.Gt),
    ">=": _truth(sp.Ge),
    "==": _truth(sp.Eq),
    "!=": _truth(sp.Ne),
    "not": _truth(lambda a: sp.Eq(a, 0)),
    "and": _truth(lambda a, b: sp.And(sp.Ne(a, 0), sp.Ne(b, 0))),
    "or": _truth(lambda a, b: sp.Or(sp.Ne(a, 0), sp.Ne(b, 0))),
    "if": lambda c, a, b: sp.Piecewise((a, sp.Ne(c, 0)), (b, True)),
    **{f: getattr(sp, f) for f in ("sin", "cos", "tan", "asin", "acos", "atan", "atan2")},
    **{f: getattr(sp, f) for f in ("sinh", "cosh", "tanh", "exp", "log", "sqrt", "sign", "floor")},
    "log10": lambda a: sp.log(a) / sp.log(10),
    "abs": sp.Abs,
    "min": sp.Min,
    "max": sp.Max,
    "mod": sp.Mod,
    "hypot": lambda a, b: sp.sqrt(a * a + b * b),
    "step": _step,
}


def slope(expression: sp.Expr, symbol: sp.Symbol) -> sp.Expr:
    """The derivative beside kinks: |x|' = sign x, max has that of the larger one, and steps have none."""
    found = sp.diff(expression, symbol).replace(sp.DiracDelta, lambda *_: sp.S.Zero)
    return found.replace(sp.Heaviside, lambda x, *_: sp.Piecewise((1, x > 0), (0, True)))


def formula(text: str, variables: Mapping[str, sp.Expr]) -> sp.Expr:
    """A text of the engine's grammar as an expression of its variables."""
    stack: list[Any] = []
    for op, arg in parse(text).code:
        if op == "number":
            stack.append(exact(float(arg)))
        elif op == "name":
            stack.append(variables[str(arg)])
        elif op == "constant":
            stack.append({"pi": sp.pi, "e": sp.E}[str(arg)])
        elif op == "unit":
            stack.append(stack.pop() * _factor(str(arg)))
        else:
            count = int(arg)
            stack[-count:] = [_OPERATIONS[op](*stack[-count:])]
    return sp.sympify(stack[0])


def _factor(name: str) -> sp.Expr:
    """The factor of a unit to SI; a degree is a share of pi."""
    factor = unit(name).factor
    return share_of_pi(factor, 180) or exact(factor)
