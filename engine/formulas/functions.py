"""Functions of time and of other variables: from field values to packed arrays for the kernels.

A function is a number, the text of an expression, or a table of points (x, y) over the first
variable. A table over time is a motion or a load and is joined by a cubic spline with continuous
second derivative (not-a-knot ends; three points give a parabola, two a line). A table over anything
else is a characteristic, such as that of a spring, and is joined by monotone cubic pieces (PCHIP),
which never overshoot the points. A `Polyline` is joined by straight lines instead. Beyond its ends a
table is continued linearly with its end slope.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.errors import EngineError, say
from engine.formulas.expressions import parse, program, value
from engine.formulas.grammar import TIME
from engine.kernels.functions import (
    CODE,
    CODES,
    CONSTANT,
    STACK_DEPTH,
    STACK_SIZE,
    TABLE,
    Functions,
)
from engine.kernels.functions import value as kernel_value
from engine.model.fields import Function, Points, Polyline

MOST_POINTS = 1_000_000
STRAIGHT = 1e-9  # of the steepest slope: a smaller change of slope is rounding


def pack(
    functions: Sequence[tuple[Function, tuple[str, ...]]],
    constants: Mapping[str, float],
    owners: Sequence[Any] = (),
) -> Functions:
    """Pack functions, each with the names of its variables, for engine.kernels.functions.

    `constants` are the values of the model's parameters. `owners`, where given, are the elements
    the functions belong to: an error then names them.
    """
    kind, start, stop = [], [], []
    op: list[int] = []
    arg: list[float] = []
    knots = [np.empty(0)]
    coefficients = [np.empty((0, 4))]
    n_knots = 0
    for k, (function, variables) in enumerate(functions):
        try:
            if isinstance(function, (tuple, list)):
                knot, coefficient = table(function, of_time=variables[0] == TIME)
                knots.append(knot)
                coefficients.append(coefficient)
                kind.append(TABLE)
                start.append(n_knots)
                n_knots += len(knot)
                stop.append(n_knots)
            else:
                codes, args = _code(function, variables, constants)
                kind.append(CONSTANT if codes == [CODES["number"]] else CODE)
                start.append(len(op))
                op += codes
                arg += args
                stop.append(len(op))
        except EngineError as error:
            if k >= len(owners):
                raise
            owner = owners[k]
            sentence = say(
                "A function of '{owner}' is not usable. {reason}",
                owner=owner.label,
                reason=error.sentence,
            )
            raise EngineError(sentence, owner.id) from None
    return Functions(
        np.array(kind, dtype=np.int64),
        np.array(start, dtype=np.int64),
        np.array(stop, dtype=np.int64),
        np.array(op, dtype=np.int64),
        np.array(arg, dtype=np.float64),
        np.concatenate(knots),
        np.concatenate(coefficients),
    )


def value_at(functions: Functions, which: int, t: float) -> float:
    """A packed function of one variable at a moment."""
    return float(kernel_value(functions, which, np.array([t]), np.zeros(STACK_SIZE)))


class FunctionOfTime:
    """One function of time outside a run, evaluated by the kernel that evaluates it in a run."""

    def __init__(self, function: Function, constants: Mapping[str, float]) -> None:
        self._packed = pack([(function, (TIME,))], constants)
        self._x, self._stack = np.zeros(1), np.zeros(STACK_SIZE)

    def __call__(self, t: float) -> float:
        """Its value at a moment; not a finite number where it has no value."""
        self._x[0] = t
        return float(kernel_value(self._packed, 0, self._x, self._stack))


def is_constant(function: Function, constants: Mapping[str, float]) -> bool:
    """Whether a function of time is a number, or an expression without t."""
    return int(pack([(function, (TIME,))], constants).kind[0]) == CONSTANT


def joined_by(points: Points, *, of_time: bool = True) -> str:
    """What joins the points of a table, in words."""
    if isinstance(points, Polyline):
        return say("straight lines")
    return say("a cubic spline") if of_time else say("monotone cubic pieces")


def kinks(function: Function, *, of_time: bool = True) -> np.ndarray:
    """Where a table over time has a kink: its slope jumps, or at the ends of a spline its curvature."""
    if not isinstance(function, tuple):
        return np.zeros(0)
    x, c = table(function, of_time=of_time)
    if not isinstance(function, Polyline):
        return x[[0, -1]] if c[0, 2:].any() or c[-2, 2:].any() else x[:0]
    jumps = np.abs(np.diff(c[:-1, 1]))  # beyond its ends the line goes on
    return x[1:-1][jumps > STRAIGHT * np.abs(c[:-1, 1]).max()]


def table(points: Sequence[Any], *, of_time: bool) -> tuple[np.ndarray, np.ndarray]:
    """Knots (n,) and the coefficients (n, 4) of the cubic to the right of each; see Functions."""
    if isinstance(points, Polyline):
        return _straight(points)
    from scipy.interpolate import CubicSpline, PchipInterpolator  # slow to import, rarely needed

    x, y = _columns(points)
    try:
        with np.errstate(all="ignore"):
            curve = CubicSpline(x, y) if of_time else PchipInterpolator(x, y)
            end = curve(x[-1], 0), curve(x[-1], 1)
    except (ValueError, ArithmeticError):
        end = (math.nan, math.nan)
    else:
        pieces = curve.c[::-1].T  # (n - 1, order + 1), lowest power first
    if not np.isfinite(end).all() or not np.isfinite(pieces).all():
        raise _too_steep(x)
    coefficient = np.zeros((len(x), 4))
    coefficient[:-1, : pieces.shape[1]] = pieces
    coefficient[-1, :2] = end
    return x, coefficient


def _straight(points: Polyline) -> tuple[np.ndarray, np.ndarray]:
    """Knots and coefficients of straight lines; the last one goes on beyond the end."""
    x, y = _columns(points)
    with np.errstate(all="ignore"):
        slope = np.diff(y) / np.diff(x)
    if not np.isfinite(slope).all():
        raise _too_steep(x)
    coefficient = np.zeros((len(x), 4))
    coefficient[:, 0] = y
    coefficient[:, 1] = [*slope, slope[-1]]
    return x, coefficient


def _too_steep(x: np.ndarray) -> EngineError:
    """The error about a table that no curve with finite slopes can join."""
    return EngineError(
        "The table from {first:.6g} to {last:.6g} cannot be joined by a curve: its points are "
        "too close together or its numbers too large; take out some points.",
        first=x[0],
        last=x[-1],
    )


def _columns(points: Sequence[Any]) -> tuple[np.ndarray, np.ndarray]:
    """The abscissae and ordinates of a table, checked."""
    n = len(points)
    if n < 2:
        raise EngineError("A table needs at least two points (x, y), but has {n}: add some.", n=n)
    if n > MOST_POINTS:
        raise EngineError(
            "A table of {n} points is too long: at most {most_points} are read.",
            n=n,
            most_points=MOST_POINTS,
        )
    for i, point in enumerate(points):
        if not isinstance(point, (tuple, list)) or len(point) != 2:
            raise EngineError("Point {i} of the table must be two numbers (x, y).", i=i + 1)
        for number in point:
            if isinstance(number, (bool, str)) or not _is_finite(number):
                raise EngineError("Point {i} of the table must be two finite numbers.", i=i + 1)
    x, y = np.array(points, dtype=np.float64).T.copy()
    wrong = np.flatnonzero(x[1:] <= x[:-1])
    if len(wrong):
        i = wrong[0]
        raise EngineError(
            "The x of a table must increase, but point {i} has {x:.6g} after "
            "{before:.6g}: sort the points and take out repeated ones.",
            i=i + 2,
            x=x[i + 1],
            before=x[i],
        )
    return x, y


def _is_finite(number: Any) -> bool:
    """Whether this is a number that a float can hold."""
    try:
        return math.isfinite(number)
    except (TypeError, OverflowError):
        return False


def _code(
    function: float | str, variables: tuple[str, ...], constants: Mapping[str, float]
) -> tuple[list[int], list[float]]:
    """Operation codes and arguments of a number or an expression."""
    if not isinstance(function, str):
        return [CODES["number"]], [value(function, {})]
    flat = program(parse(function), variables, constants)
    if flat.depth > STACK_DEPTH:
        raise EngineError(
            "The expression '{function}...' keeps {depth} intermediate values waiting: "
            "at most {stack_depth} fit; use fewer parentheses within each other.",
            function=function[:40],
            depth=flat.depth,
            stack_depth=STACK_DEPTH,
        )
    return [CODES[op] for op in flat.ops], list(flat.args)
