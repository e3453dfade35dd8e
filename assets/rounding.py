"""Round the numbers of a model to twelve digits, so that files do not depend on the machine.

The last digits of a computed number depend on the processor: a linear algebra library sums in another
order where registers are wider. Twelve digits do not.
"""

from dataclasses import fields, is_dataclass, replace
from typing import Any

from engine.editing.edits.placing import size
from engine.model.elements import Model, put

DIGITS = 12
DUST = 1e-14  # relative to the size a number this small is rounding: it becomes 0


def rounded(model: Model) -> Model:
    """The model with all numbers rounded; texts and structure stay as they are."""
    sizes = {"m": size(model), "rad": 1.0}
    return put(model, *(_rounded(element, sizes) for element in model))


def _rounded(item: Any, sizes: dict[str, float]) -> Any:
    """An element or a shape with rounded fields."""
    changed = {}
    for f in fields(item):
        value = getattr(item, f.name)
        if is_dataclass(value):
            changed[f.name] = _rounded(value, sizes)
        elif "unit" in f.metadata:
            changed[f.name] = _number(value, sizes.get(f.metadata["unit"], 0.0))
    return replace(item, **changed)


def _number(value: Any, size: float) -> Any:
    """A number, or numbers in tuples, without rounding errors relative to `size` or the largest."""
    if isinstance(value, tuple):
        sizes = [abs(one) for one in value if isinstance(one, float)]
        return tuple(_number(one, max([size, *sizes])) for one in value)
    if not isinstance(value, float):
        return value
    return float(f"{value:.{DIGITS}g}") + 0.0 if abs(value) > DUST * size else 0.0
