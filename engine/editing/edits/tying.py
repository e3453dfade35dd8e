"""Sizes given by formulas: sizes drawn with a typed formula stay linked to its parameters.

A link of length 2*l, a disc of radius r: the field of the shape holds the formula. A marker at an end of
it is at half the formula from the middle, so that a joint at the end of a link stays there when the
parameter changes. Places of bodies stay numbers; closing the joints moves them.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.editing.edits.numbers import in_numbers, plus_product
from engine.errors import EngineError
from engine.formulas.expressions import value
from engine.formulas.resolve import parameter_values
from engine.model.elements import GROUND, Id, Model, put
from engine.model.fields import Number

AT_END = 1e-9  # of the size: a marker this near to an end is at the end
SIZES = {  # of a shape: (field, axis, share of it at the end)
    "rod": (("length", 0, 0.5),),
    "box": (("width", 0, 0.5), ("height", 1, 0.5)),
    "disc": (("radius", 0, 1.0), ("radius", 1, 1.0)),
}


def tied(model: Model, id: Id, formulas: Mapping[str, str]) -> Model:
    """The model with formulas for sizes of a body that have their values, and for its ends.

    A size that is drawn differently, or that its shape does not have, stays a number.
    """
    body = model[id]
    known = parameter_values(model)
    changes: dict[str, Any] = {}
    for name, formula in formulas.items():
        drawn = getattr(body.shape, name, None)
        if isinstance(drawn, float) and _is_same(drawn, value(formula, known), drawn):
            changes[name] = formula
    if not changes:
        return model
    after = put(model, replace(body, shape=replace(body.shape, **changes)))
    return _with_ends(after, [m for m in after.of("marker") if m.body == id])


def with_new_ends_tied(before: Model, after: Model) -> Model:
    """The model with new markers at ends of bodies whose sizes are formulas tied to these."""
    fresh = [m for m in after.of("marker") if m.id not in before and m.body != GROUND]
    return _with_ends(after, fresh) if fresh else after


def _with_ends(model: Model, markers: list[Any]) -> Model:
    """The model with these markers at half the formula where they are at an end."""
    changed = [new for m in markers if (new := _at_end(model, m)) is not m]
    return put(model, *changed) if changed else model


def _at_end(model: Model, marker: Any) -> Any:
    """The marker with formulas for coordinates that are an end of its body; the same if none is."""
    body = model.elements.get(marker.body)
    shape = getattr(body, "shape", None)
    sizes = SIZES.get(getattr(shape, "kind", ""), ())
    if not any(isinstance(getattr(shape, field), str) for field, _, _ in sizes):
        return marker
    try:
        plain = in_numbers(model, body).shape
    except EngineError:
        return marker  # problems of the body are reported elsewhere
    position = list(marker.position)
    for field, axis, share in sizes:
        formula, end = getattr(shape, field), share * getattr(plain, field)
        here = position[axis]
        if not isinstance(formula, str) or isinstance(here, str):
            continue
        if _is_same(abs(here), end, end):
            position[axis] = _times(share if here > 0.0 else -share, formula)
    changed = tuple(position)
    return marker if changed == marker.position else replace(marker, position=changed)


def _times(factor: float, formula: str) -> Number:
    """A multiple of a formula in its usual notation."""
    if abs(factor) == 0.5:
        return f"({formula})/2" if factor > 0.0 else f"-({formula})/2"
    return plus_product(0.0, factor, formula)


def _is_same(a: float, b: float, size: float) -> bool:
    return abs(a - b) <= AT_END * abs(size)
