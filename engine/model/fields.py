"""Describe a field of an element once: default, unit, limits, help. Forms, files, checks and docs read it.

A *number* is a float or the text of an expression in the model's parameters ("2*l_crank", "30 mm").
A *function* is a number, the text of an expression of its variables ("sin(3*t)"), or a table of points. A
table is a tuple of pairs, joined by a smooth curve, or a `Polyline`, joined by straight lines.
"""

from collections.abc import Iterable
from dataclasses import Field, field, fields
from functools import cache
from typing import Any

Number = float | str
Function = float | str | tuple[tuple[float, float], ...]
Vector = tuple[Number, ...]
Points = tuple[tuple[float, float], ...]


class Polyline(Points):
    """A table of points that is joined by straight lines: not equal to a smooth one of the same points."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Polyline) and tuple.__eq__(self, other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((Polyline, tuple(self)))

    def __repr__(self) -> str:
        return f"Polyline({tuple(self)!r})"


def joined_like(table: Points, points: Iterable[tuple[float, float]]) -> Points:
    """A table of other points, joined in the same way."""
    return Polyline(points) if isinstance(table, Polyline) else tuple(points)


def plain(value: Number) -> float:
    """The number in a field of a resolved model, where expressions are already replaced."""
    assert not isinstance(value, str), "the model is not resolved"
    return value


def number(
    default: Number | None,
    *,
    unit: str = "",
    help: str = "",
    low: float | None = None,
    above: float | None = None,
    high: float | None = None,
    dims: tuple[int, ...] = (2, 3),
) -> Any:
    """A number; None, where it is the default, means 'computed by the program'.

    `low <= value <= high`, and `value > above`.
    """
    return field(
        default=default,
        metadata={
            "role": "number",
            "unit": unit,
            "help": help,
            "low": low,
            "above": above,
            "high": high,
            "dims": dims,
        },
    )


def rate_of(what: str, unit: str, dims: tuple[int, ...] = (2, 3)) -> Any:
    """The rate of a coordinate of a joint at t = 0; the field is named `<coordinate>_rate`."""
    return number(
        None, unit=f"{unit}/s", dims=dims, help=f"Rate of the {what} at t = 0. Empty: free."
    )


def start_of(what: str, unit: str, dims: tuple[int, ...] = (2, 3)) -> Any:
    """The value of a coordinate of a joint at t = 0; the field is named `<coordinate>_start`."""
    return number(
        None, unit=unit, dims=dims, help=f"Value of the {what} at t = 0. Empty: as drawn."
    )


def typed_mark(what: str) -> Any:
    """Whether the field `what` was typed, not drawn; the field is named `<what>_typed`."""
    return flag(False, help=f"The {what} was typed: an assembly keeps it and moves the rest.")


def vector(default: Vector | None, *, unit: str = "", help: str = "", size: int = 0) -> Any:
    """A fixed count of numbers; `size` is needed where the default is None."""
    size = size or len(default or ())
    return field(
        default=default, metadata={"role": "vector", "unit": unit, "help": help, "size": size}
    )


def function(
    default: Function | None,
    *,
    of: tuple[str, ...] = ("t",),
    unit: str = "",
    help: str = "",
    dims: tuple[int, ...] = (2, 3),
) -> Any:
    """A number, an expression of the variables `of`, or a table over the first of them."""
    return field(
        default=default,
        metadata={"role": "function", "of": of, "unit": unit, "help": help, "dims": dims},
    )


def formula(default: str, *, own: tuple[str, ...], help: str = "") -> Any:
    """The text of a formula of `own` and of dotted names, to which the element itself gives a meaning."""
    return field(default=default, metadata={"role": "formula", "own": own, "help": help})


def ref(family: str, *, help: str = "") -> Any:
    """The id of another element of the given family."""
    return field(default="", metadata={"role": "ref", "family": family, "help": help})


def declared(item: Any) -> tuple[Field[Any], ...]:
    """The fields of an element or shape, or of a class: as `fields`, for large models that ask often."""
    return _declared(item if isinstance(item, type) else type(item))


@cache
def _declared(kind: Any) -> tuple[Field[Any], ...]:
    return fields(kind)


@cache
def words_of(name: str) -> str:
    """What people call a field: as forms write it, not as files do."""
    return {"t_end": "end time", "output_step": "time between frames"}.get(
        name, name.replace("_", " ")
    )


def text(default: str = "", *, help: str = "") -> Any:
    """Any text."""
    return field(default=default, metadata={"role": "text", "help": help})


def choice(
    default: str, choices: tuple[str, ...], *, help: str = "", dims: tuple[int, ...] = (2, 3)
) -> Any:
    """One of a few values."""
    described = {"role": "choice", "choices": choices, "help": help, "dims": dims}
    return field(default=default, metadata=described)


def flag(default: bool, *, help: str = "") -> Any:
    """Yes or no."""
    return field(default=default, metadata={"role": "flag", "help": help})


def points(default: tuple = (), *, unit: str = "", help: str = "") -> Any:
    """A list of points, each a tuple of numbers."""
    return field(default=default, metadata={"role": "points", "unit": unit, "help": help})


def matrix(*, help: str = "") -> Any:
    """Rows of numbers from outside, without formulas; no form shows them."""
    return field(default=(), metadata={"role": "matrix", "help": help})


def shape(default: Any = None, *, help: str = "") -> Any:
    """A shape of engine.model.shapes, or None."""
    return field(default=default, metadata={"role": "shape", "help": help})
