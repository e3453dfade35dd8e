"""Expressions as plain data, to be sent between processes: nothing that is read can run."""

from collections.abc import Callable, Mapping
from typing import Any

import sympy as sp

from engine.symbols.reduced.reduction import Link, Problem
from engine.symbols.reduced.space import SpatialProblem, Step

KINDS: dict[str, Callable[..., Any]] = {
    kind.__name__: kind for kind in (Problem, Link, SpatialProblem, Step)
}

FUNCTIONS = {
    f.__name__: f
    for f in (
        *(sp.Add, sp.Mul, sp.Pow, sp.sin, sp.cos, sp.tan, sp.asin, sp.acos, sp.atan, sp.atan2),
        *(sp.sinh, sp.cosh, sp.tanh, sp.exp, sp.log, sp.sign, sp.floor, sp.Abs, sp.Min, sp.Max),
        *(sp.Mod, sp.Piecewise, sp.And, sp.Or, sp.Not, sp.Eq, sp.Ne, sp.Lt, sp.Le, sp.Gt, sp.Ge),
    )
}
_SAME = {"StrictLessThan": "Lt", "LessThan": "Le", "StrictGreaterThan": "Gt", "GreaterThan": "Ge"}
_SAME |= {"Equality": "Eq", "Unequality": "Ne"}
NAMES = {"Lt": sp.Lt, "Le": sp.Le, "Gt": sp.Gt, "Ge": sp.Ge, "Eq": sp.Eq, "Ne": sp.Ne}


def encoded(x: Any) -> Any:
    """An expression, a matrix or a boolean as nested lists of texts."""
    if isinstance(x, sp.MatrixBase):
        return ["matrix", x.rows, x.cols, *map(encoded, x)]
    if x.is_Symbol:
        return ["symbol", str(x)]
    if x.is_Rational:
        return ["rational", str(x.p), str(x.q)]
    if x.is_Float:
        return ["float", repr(float(x))]
    if x in (sp.pi, sp.E, sp.true, sp.false):
        return ["constant", str(x)]
    if x.func.__name__ == "ExprCondPair":
        return ["pair", encoded(x.args[0]), encoded(x.args[1])]
    name = _SAME.get(x.func.__name__, x.func.__name__)
    if name in FUNCTIONS or name in NAMES:
        return [name, *map(encoded, x.args)]
    return ["function", name, *map(encoded, x.args)]


def decoded(data: Any) -> Any:
    """The expression behind such lists."""
    kind, *rest = data
    if kind == "matrix":
        return sp.Matrix(rest[0], rest[1], [decoded(x) for x in rest[2:]])
    if kind == "symbol":
        return sp.Symbol(rest[0], real=True)
    if kind == "rational":
        return sp.Rational(int(rest[0]), int(rest[1]))
    if kind == "float":
        return sp.Float(rest[0], 17)
    if kind == "constant":
        return {"pi": sp.pi, "E": sp.E, "True": sp.true, "False": sp.false}[rest[0]]
    if kind == "pair":
        return decoded(rest[0]), decoded(rest[1])
    if kind == "function":
        return sp.Function(rest[0], real=True)(*map(decoded, rest[1:]))
    return {**FUNCTIONS, **NAMES}[kind](*map(decoded, rest))


def problem_as_data(problem: Problem | SpatialProblem) -> list[Any]:
    """A problem for another process."""
    return [type(problem).__name__, [packed(x) for x in problem]]


def problem_of_data(data: list[Any]) -> Problem | SpatialProblem:
    """The problem that another process has sent."""
    name, values = data
    made: Problem | SpatialProblem = KINDS[name](*map(unpacked, values))
    return made


def packed(x: Any) -> Any:
    """A field: an expression, plain data, or tuples, steps and tables of them."""
    if isinstance(x, sp.Basic | sp.MatrixBase):
        return ["expression", encoded(x)]
    if isinstance(x, Mapping):
        return ["table", [[encoded(s), value] for s, value in x.items()]]
    if isinstance(x, tuple):
        return [type(x).__name__, [packed(one) for one in x]]
    return ["plain", x]


def unpacked(data: Any) -> Any:
    """The field behind it."""
    kind, value = data
    if kind == "expression":
        return decoded(value)
    if kind == "table":
        return {decoded(s): number for s, number in value}
    if kind == "plain":
        return value
    parts = map(unpacked, value)
    return tuple(parts) if kind == "tuple" else KINDS[kind](*parts)
