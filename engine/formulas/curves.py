"""Curves that are given by formulas x(s) and y(s), as the points through which they go."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.errors import EngineError
from engine.formulas.expressions import value
from engine.formulas.grammar import parse

SAMPLES = 240  # points of a curve


def with_points(element: Any, values: Mapping[str, float]) -> Any:
    """An element with numbers whose curve, if it has formulas of s, has points instead of them."""
    if getattr(element, "curve_y", None) is None:
        return element
    start, end = float(element.curve_from), float(element.curve_to)
    if not start != end:
        raise EngineError(
            "The curve of '{name}' begins and ends at s = {s:g}. Let curve_to be another number.",
            element.id,
            name=element.label,
            s=start,
        )
    n = SAMPLES if element.closed else SAMPLES - 1
    s = [start + (end - start) * k / n for k in range(SAMPLES)]
    x = s if element.curve_x is None else _sampled(element, "curve_x", s, values)
    y = _sampled(element, "curve_y", s, values)
    return replace(element, points=tuple(zip(x, y)))


def _sampled(element: Any, field: str, s: list[float], values: Mapping[str, float]) -> list[float]:
    """A function of s at many places."""
    function = getattr(element, field)
    if isinstance(function, tuple | list):
        raise EngineError(
            "The {field} of '{name}' is a table; write a formula of s, or give points.",
            element.id,
            field=field,
            name=element.label,
        )
    if not isinstance(function, str):
        return [float(function)] * len(s)
    written = parse(function)
    try:
        return [value(written, {**values, "s": at}) for at in s]
    except EngineError as error:
        raise EngineError(
            "The {field} of '{name}': {reason}",
            element.id,
            field=field,
            name=element.label,
            reason=error.sentence,
        ) from None
