"""How large and how small a quantity of a model may be, by its unit.

Beyond these limits squares and products of a few numbers leave the range of doubles, and a picture leaves
the range of its painter. Mechanisms from a micrometre to a million metres, and satellites, lie well within.
They are checked wherever a number enters: in files, forms, expressions, parameters and the builder.
"""

import functools
from typing import Any, NamedTuple

from engine.errors import EngineError
from engine.model.fields import declared


class Limits(NamedTuple):
    """The smallest size of a number that must not be zero, and the largest size of any."""

    least: float
    most: float


_BY_UNIT: dict[str, Limits] = {
    "": Limits(1e-60, 1e60),  # parameters: the field that uses one has its own limits
    "m": Limits(1e-12, 1e9),
    "m^2": Limits(1e-24, 1e18),
    "m^3": Limits(1e-36, 1e27),
    "m^3/s": Limits(1e-36, 1e27),
    "m^3/s/Pa": Limits(1e-60, 1e27),
    "Pa": Limits(1e-12, 1e18),
    "A": Limits(1e-15, 1e12),
    "V": Limits(1e-15, 1e12),
    "ohm": Limits(1e-15, 1e15),
    "H": Limits(1e-18, 1e12),
    "N/A": Limits(1e-18, 1e15),
    "N m/A": Limits(1e-18, 1e15),
    "m^2/N": Limits(1e-30, 1.0),
    "m s": Limits(1e-12, 1e18),
    "rad s": Limits(1e-12, 1e18),
    "N/m/s": Limits(1e-30, 1e24),
    "N m/rad/s": Limits(1e-30, 1e33),
    "m/s": Limits(1e-12, 1e9),
    "m/s^2": Limits(1e-12, 1e12),
    "rad": Limits(1e-12, 1e9),
    "rad/s": Limits(1e-12, 1e9),
    "s": Limits(1e-12, 1e9),
    "1/s": Limits(1e-12, 1e12),
    "kg": Limits(1e-30, 1e24),
    "kg/m^3": Limits(1e-9, 1e12),
    "kg m^2": Limits(1e-50, 1e42),
    "N": Limits(1e-30, 1e24),
    "N m": Limits(1e-30, 1e33),
    "N m^2": Limits(1e-30, 1e42),
    "Hz": Limits(1e-12, 1e12),
    "N/m": Limits(1e-30, 1e24),
    "N s/m": Limits(1e-30, 1e24),
    "N m/rad": Limits(1e-30, 1e33),
    "N m s/rad": Limits(1e-30, 1e33),
}


@functools.cache
def limits(unit: str) -> Limits:
    """The limits of a quantity; of "m or rad", which may be either, the narrower ones."""
    either = [_BY_UNIT[one] for one in unit.split(" or ")]
    return Limits(max(one.least for one in either), min(one.most for one in either))


def check_size(value: float, unit: str, *, positive: bool = False) -> None:
    """Raise EngineError for a number too large, or one too small for a quantity that is positive."""
    least, most = limits(unit)
    if not -most <= value <= most:
        raise EngineError(
            "is {value:g}{unit}, but the program computes with at most {most:g}{unit}; check its unit.",
            value=value,
            most=most,
            unit=f" {unit}" if unit else "",
        )
    if positive and 0.0 < value < least:
        raise EngineError(
            "is {value:g}{unit}, but the program computes with at least {least:g}{unit}; check its unit.",
            value=value,
            least=least,
            unit=f" {unit}" if unit else "",
        )


def check_numbers(item: Any) -> None:
    """Raise EngineError for a number in an element or a shape that is beyond its limits.

    Formulas are judged by their value, elsewhere; points of outlines and meshes where they are read.
    """
    for f in declared(item):
        role, value = f.metadata.get("role"), getattr(item, f.name)
        if role == "shape" and value is not None:
            check_numbers(value)
        elif role in ("number", "vector", "function"):
            for number in value if isinstance(value, (tuple, list)) else (value,):
                if isinstance(number, (int, float)):
                    check_size(number, f.metadata.get("unit", ""))
