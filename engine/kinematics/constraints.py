"""The constraints of a model one by one: their equations, their level, and whether time enters them.

    holonomic at level       position        velocity             acceleration
                             g(q) = c(t)     g_dot = c(t)         g_ddot = c(t)

A constraint is scleronomic if time does not appear in it, and rheonomic if it does. A constant speed counts
as rheonomic: integrated, it reads g = g_0 + c t.
"""

from collections.abc import Iterator
from dataclasses import fields
from typing import Any, NamedTuple

import numpy as np

from engine.compiling.packing import count_rows
from engine.compiling.system import Compiled
from engine.compiling.typed_rows import rows_of_time
from engine.errors import say
from engine.formulas.functions import FunctionOfTime, is_constant, joined_by
from engine.formulas.resolve import parameter_values
from engine.kernels import layout
from engine.model.connections import Coordinate, Row
from engine.model.elements import Id
from engine.model.fields import Function

LEVELS = {
    layout.POSITION: "position",
    layout.VELOCITY: "velocity",
    layout.ACCELERATION: "acceleration",
}
_AXES = "xyz"
_RATES = {layout.POSITION: "{}", layout.VELOCITY: "d/dt {}", layout.ACCELERATION: "d2/dt2 {}"}
_VELOCITIES = (layout.KNIFE, layout.DISC_SLIP)  # coordinates that are velocities already
_LONGEST = 60  # characters of a formula that is quoted


class Constraint(NamedTuple):
    """One row of a joint or motion; the rows of a point difference count as one constraint."""

    id: Id  # of the joint or motion
    label: str
    equation: str  # in the letters of NOTATION.md, d = P_j - P_i
    multipliers: tuple[str, ...]  # the channel of each scalar row
    level: str  # at which it holds: position, velocity or acceleration
    driven_by: str  # which function of time enters it, in words; empty: none
    is_one_sided: bool = False  # it holds on one side only, or while something sticks there

    @property
    def is_scleronomic(self) -> bool:
        """Whether time does not appear in it."""
        return not self.driven_by

    @property
    def time(self) -> str:
        """Scleronomic or rheonomic, in the word of textbooks."""
        return "scleronomic" if self.is_scleronomic else "rheonomic"


def constraints(compiled: Compiled) -> tuple[Constraint, ...]:
    """Every constraint of a model, joint by joint in the order of the file."""
    numbers = compiled.resolved
    return tuple(
        constraint
        for element in numbers
        if element.id in compiled.rows_of
        for constraint in _of(compiled, element)
    )


def _of(compiled: Compiled, element: Any) -> Iterator[Constraint]:
    """The constraints of one joint or motion."""
    numbers, n = compiled.resolved, 1
    gates = element.gates(numbers) if hasattr(element, "gates") else ()
    for k, row in enumerate(element.rows(numbers)):
        count = count_rows(row, numbers.dim)
        equation = _equation(element, row)
        is_one_sided = any(k in (gate.row, gate.stick) for gate in gates)
        for gate in gates:
            if k == gate.row:
                equation = equation.replace(" = ", " <= " if gate.side > 0 else " >= ")
            elif k == gate.stick:
                equation = say("{equation} while it sticks", equation=equation)
        yield Constraint(
            element.id,
            element.label,
            equation,
            tuple(f"{element.id}.lam_{k}" for k in range(n, n + count)),
            LEVELS[row.level],
            _driven_by(compiled, element, row),
            is_one_sided,
        )
        n += count


def _equation(element: Any, row: Row) -> str:
    """The constraint as an equation."""
    if row.typed is not None:
        return f"{shortened(row.typed.text)} = 0"
    parts = []
    for n, (weight, coordinate) in enumerate(row.terms):
        sign = ("-" if weight < 0.0 else "") if n == 0 else (" - " if weight < 0.0 else " + ")
        factor = "" if abs(weight) == 1.0 else f"{abs(weight):.6g} "
        parts.append(f"{sign}{factor}{coordinate_words(coordinate)}")
    left = "".join(parts)
    if len(row.terms) > 1 and row.level != layout.POSITION:
        left = f"({left})"
    if row.terms[0][1].kind not in _VELOCITIES:
        left = _RATES[row.level].format(left)
    return f"{left} = {_target(element, row)}"


def shortened(text: str) -> str:
    """A formula of a length that is quoted."""
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} ..."


def coordinate_words(coordinate: Coordinate) -> str:
    """A coordinate between two markers in the letters of NOTATION.md."""
    a, a2, b = (_AXES[axis] if axis >= 0 else "" for axis in coordinate.axes)
    return {
        layout.POINT: "P_j - P_i",
        layout.ALONG: f"{a}_i . d",
        layout.ANGLE: "angle" if (a, a2) in (("x", "y"), ("", "")) else f"angle({a}_i, {b}_j)",
        layout.DISTANCE: "|d|",
        layout.DIRECTION: "direction of d",
        layout.DOT: f"{a}_i . {b}_j",
        layout.KNIFE: f"{b}_j . (velocity of P_j)",
        layout.DISC_HEIGHT: "height of the disc",
        layout.DISC_SLIP: f"{a}_i . (velocity of the contact point)",
    }[coordinate.kind]


def _target(element: Any, row: Row) -> str:
    """The right side of a constraint."""
    if row.target is None:
        return "as drawn"
    if isinstance(row.target, int | float):
        return f"{row.target:.6g}"
    return f"{_field(element, row.target)}(t)"


def _field(element: Any, function: Function) -> str:
    """The name of the field that a function of time stands in."""
    functions = [f.name for f in fields(element) if f.metadata.get("role") == "function"]
    return next(name for name in functions if getattr(element, name) == function)


def _driven_by(compiled: Compiled, element: Any, row: Row) -> str:
    """Which function of time enters a row; empty if none does."""
    if row.typed is not None:
        if not np.isin(compiled.rows_of[element.id], rows_of_time(compiled.system)).any():
            return ""
        return say("the time t enters the formula")
    target = row.target
    if target is None or isinstance(target, int | float):
        if not target or row.level == layout.POSITION:
            return ""
        unit = "rad" if row.terms[0][1].is_angle else "m"
        per = "/s" if row.level == layout.VELOCITY else "/s^2"
        return say(
            "the {level} is {value:.6g} {unit}, so that the coordinate changes with time",
            level=LEVELS[row.level],
            value=target,
            unit=unit + per,
        )
    values = parameter_values(compiled.model)
    if is_constant(target, values):
        constant = FunctionOfTime(target, values)(0.0)
        return _driven_by(compiled, element, row._replace(target=constant))
    name = _field(element, target)
    if isinstance(target, str):
        return say("{name}(t) = {formula}", name=name, formula=shortened(target))
    return say(
        "{name}(t) is a table of {n} points, joined by {curve}",
        name=name,
        n=len(target),
        curve=joined_by(target),
    )
