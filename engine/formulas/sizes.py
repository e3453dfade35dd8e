"""The sizes of a shape under the names by which the points of its body may use them.

    shape.length        shape.radius        shape.x2, shape.y2: the second corner of a plate

A marker at ("shape.length/2", 0) stays at the end of its rod whatever its length. Only markers may use
these names, and only those of the body that they are on; sizes themselves use parameters alone, so
formulas of points can never go round in a circle.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from engine.errors import EngineError, say
from engine.formulas.expressions import names, parse
from engine.model.elements import GROUND, Id, Model
from engine.model.fields import declared
from engine.model.shapes import Mesh

OWNER = "shape"
AXES = "xyz"  # of the corners of a plate or of bars


def own_sizes(shape: Any) -> dict[str, float]:
    """The sizes of a shape in numbers, by name; a mesh has none."""
    found: dict[str, float] = {}
    for f in declared(shape) if shape is not None and not isinstance(shape, Mesh) else ():
        if f.metadata["role"] == "number" and f.metadata["unit"] == "m":
            found[f"{OWNER}.{f.name}"] = getattr(shape, f.name)
        elif f.metadata["role"] == "points":
            for n, corner in enumerate(getattr(shape, f.name), 1):
                found |= {f"{OWNER}.{axis}{n}": x for axis, x in zip(AXES, corner)}
    return found


def sizes_used(texts: Any) -> set[str]:
    """The names of sizes in a number, an expression, or a tuple of such."""
    if isinstance(texts, tuple):
        return set().union(*(sizes_used(one) for one in texts if not isinstance(one, float)))
    return set(_in_text(texts)) if isinstance(texts, str) and f"{OWNER}." in texts else set()


@lru_cache(maxsize=4096)
def _in_text(text: str) -> frozenset[str]:
    """The names of sizes in an expression."""
    try:
        return frozenset(name for name in names(parse(text)) if name.startswith(f"{OWNER}."))
    except EngineError:
        return frozenset()  # whoever evaluates it says what is wrong


def is_tied(marker: Any) -> bool:
    """Whether the place of a marker follows the sizes of its body."""
    return bool(sizes_used(marker.position))


def check_sizes(model: Model, marker: Any, known: Mapping[str, float]) -> None:
    """Raise EngineError where a marker uses a size that the shape of its body does not have."""
    missing = sorted(sizes_used(marker.position) - known.keys())
    if not missing:
        return
    body = model.elements.get(marker.body)
    if marker.body == GROUND or body is None:
        whose, reason = "the ground", say("which has no shape")
    elif getattr(body, "shape", None) is None:
        whose, reason = f"'{body.label}'", say("which has no shape")
    else:
        whose, reason = f"'{body.label}'", _has(body.shape.kind, known)
    ids: tuple[Id, ...] = (marker.id, marker.body) if body is not None else (marker.id,)
    raise EngineError(
        "The position of '{marker}' uses '{name}', but it is on {whose}, {reason}. Give its place in "
        "numbers, or choose a shape that has this size.",
        *ids,
        marker=marker.label,
        name=missing[0],
        whose=whose,
        reason=reason,
    )


def _has(kind: str, known: Mapping[str, float]) -> str:
    """What a shape of a kind offers, as the end of a sentence."""
    if not known:
        return say("a {kind} without such sizes", kind=kind)
    few = list(known)[:6]
    listed = ", ".join(few) + (", ..." if len(known) > len(few) else "")
    return say("a {kind}, which has {listed}", kind=kind, listed=listed)
