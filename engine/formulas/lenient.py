"""A model in plain numbers, whatever state its expressions are in.

A drawing must not disappear because a formula is wrong: where an expression has no value, or a number is
too large to compute with, the default of its field is drawn instead. Elements that have not changed are
not resolved again.
"""

from collections.abc import Mapping
from dataclasses import MISSING, fields, replace
from types import MappingProxyType
from typing import Any

from engine.errors import EngineError
from engine.formulas.resolve import (
    resolved,
    resolved_element,
    supported,
    usable_parameters,
)
from engine.formulas.sizes import is_tied
from engine.model.elements import Id, Model, diff, planar, put, spatial
from engine.model.limits import limits


class PlainNumbers:
    """The last model and its counterpart without expressions."""

    def __init__(self) -> None:
        self.model = Model()
        self.plain = Model()

    def of(self, model: Model) -> Model:
        """The counterpart of a model; cached for the next call."""
        if model is not self.model:
            self.plain = self._resolved(model)
            self.model = model
        return self.plain

    def _resolved(self, model: Model) -> Model:
        added, removed, changed = diff(self.model, model)
        same_world = self.model.dim == model.dim and self.model.settings is model.settings
        parameters = {e.id for m in (self.model, model) for e in m.of("parameter")}
        if not same_world or parameters & (added | removed | changed):
            return lenient(model)
        few = {id: model[id] for id in model.elements if id in added or id in changed}
        few |= {m.id: m for m in model.of("marker") if self._follows(m, few)}
        part = lenient(supported(model, few.values()))
        old = self.plain.elements
        merged = {id: part[id] if id in few else old[id] for id in model.elements}
        return replace(model, elements=MappingProxyType(merged))

    def _follows(self, marker: Any, changed: Mapping[Id, Any]) -> bool:
        """Whether a point is tied to a shape that is another one now."""
        if marker.body not in changed or not is_tied(marker):
            return False
        old = self.model.elements.get(marker.body)
        return getattr(old, "shape", None) is not getattr(changed[marker.body], "shape", None)


def lenient(model: Model) -> Model:
    """The model with numbers for expressions, and defaults for expressions without a value."""
    try:
        return resolved(model)
    except EngineError:
        pass
    empty = planar() if model.dim == 2 else spatial()
    model = replace(model, settings=empty.settings, gravity=empty.gravity)
    values, bad, _ = usable_parameters(model)
    model = put(model, *(replace(e, value=1.0) for e in model.of("parameter") if e.id in bad))
    values |= dict.fromkeys(bad, 1.0)
    good: dict[Id, Any] = {}
    for id, element in model.elements.items():
        try:
            good[id] = resolved_element(model, element, values)
        except EngineError:
            good[id] = _drawable(element)
    return replace(model, elements=MappingProxyType(good))


def _drawable(item: Any) -> Any:
    """An element or a shape with defaults where a number is a text, or too large to be drawn."""
    changes = {}
    for f in fields(item):
        role, value, unit = (
            f.metadata.get("role"),
            getattr(item, f.name),
            f.metadata.get("unit", ""),
        )
        if role == "shape" and value is not None:
            changes[f.name] = _drawable(value)
        elif role == "number" and value is not None and not _is_usable(value, unit):
            changes[f.name] = None if f.default is MISSING else f.default
        elif role == "vector" and value and not all(_is_usable(x, unit) for x in value):
            changes[f.name] = f.default
        elif role == "points" and not all(_is_usable(x, unit) for point in value for x in point):
            changes[f.name] = tuple(
                tuple(x if _is_usable(x, unit) else 0.0 for x in point) for point in value
            )
    return replace(item, **changes) if changes else item


def _is_usable(number: Any, unit: str) -> bool:
    """Whether this is a number, of a size that the program computes with."""
    return not isinstance(number, str) and abs(number) <= limits(unit).most
