"""What differs between the models of two runs, told in few words."""

from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any

from engine.model.catalogue import ELEMENTS
from engine.model.elements import Element, Id, Model
from engine.model.shapes import SHAPES
from gui.forms.words import field_words, kind_words
from gui.running.values import Values

MOST = 3  # differences that are told; the others are counted
LOOKS = ("id", "name", "color", "hue", "position_typed", "angle_typed", "orientation_typed")
SLIDER = {("parameter", name) for name in ("low", "high", "unit")}  # for people
PLACES = ("position", "angle", "orientation")  # what follows a change of something else


def differences(
    before: Model, after: Model, values: Values, tr: Callable[[str], str], most: int = MOST
) -> list[str]:
    """What was changed from one model to the next: values first; places only if nothing else was."""
    found = [*_of_settings(before, after, values), *_of_elements(before, after, values, tr)]
    found = found or list(_of_places(before, after, values))
    if len(found) <= most:
        return found
    return [*found[:most], tr("and {0} more").format(len(found) - most)]


def _of_settings(before: Model, after: Model, values: Values) -> Iterator[str]:
    for one in fields(before.settings):
        was, now = getattr(before.settings, one.name), getattr(after.settings, one.name)
        if was != now:
            unit = one.metadata.get("unit", "")
            yield _changed(field_words(one.name, "settings"), was, now, unit, values)
    if before.gravity != after.gravity:
        title = field_words("gravity")
        yield _changed(title, tuple(before.gravity), tuple(after.gravity), "m/s^2", values)


def _of_elements(
    before: Model, after: Model, values: Values, tr: Callable[[str], str]
) -> Iterator[str]:
    """Values of elements, those of parameters first; then elements that came or went."""
    order = {kind.kind: n for n, kind in enumerate(ELEMENTS)}
    for id in sorted(_in_both(before, after), key=lambda id: order[after.elements[id].kind]):
        was, now = before.elements[id], after.elements[id]
        if was is not now and now.family != "marker":
            for title, one, other, unit in _values(was, now, after.dim):
                yield _changed(f"{now.label}, {title}", one, other, unit, values)
    for words, these, those in (
        (tr("{0} is new"), after, before),
        (tr("{0} is gone"), before, after),
    ):
        for element in these:
            if element.id not in those.elements and element.family not in ("marker", "tracer"):
                yield words.format(element.label)


def _of_places(before: Model, after: Model, values: Values) -> Iterator[str]:
    """Where bodies and points were drawn."""
    for id in _in_both(before, after):
        was, now = before.elements[id], after.elements[id]
        owner = after.elements.get(getattr(now, "body", ""), now)
        for one in fields(now) if was is not now else ():
            if one.name in PLACES and getattr(was, one.name) != getattr(now, one.name):
                title = field_words(one.name, now.kind, after.dim)
                pair = getattr(was, one.name), getattr(now, one.name)
                unit = one.metadata.get("unit", "")
                yield _changed(f"{owner.label}, {title}", *pair, unit, values)


def _in_both(before: Model, after: Model) -> list[Id]:
    """Elements that kept their kind."""
    old = before.elements
    return [one.id for one in after if one.id in old and type(old[one.id]) is type(one)]


def _values(was: Element, now: Element, dim: int) -> Iterator[tuple[str, Any, Any, str]]:
    """Title, old and new value and unit of each field of an element, and of its shape, that differs."""
    for one in fields(now):
        name, old, new = one.name, getattr(was, one.name), getattr(now, one.name)
        if old == new or name in LOOKS or name in PLACES or (now.family, name) in SLIDER:
            continue
        if isinstance(new, SHAPES) and type(old) is type(new):
            for part in fields(new):
                pair = getattr(old, part.name), getattr(new, part.name)
                if pair[0] != pair[1]:
                    unit = part.metadata.get("unit", "")
                    yield field_words(part.name, new.kind, dim), *pair, unit
        elif isinstance(new, SHAPES):
            was_kind, kind = (kind_words(getattr(shape, "kind", ""), dim) for shape in (old, new))
            yield field_words(name, now.kind, dim), was_kind, kind, ""
        else:
            unit = getattr(now, "unit", "") if now.kind == "parameter" else ""
            yield field_words(name, now.kind, dim), old, new, one.metadata.get("unit", unit)


def _changed(title: str, was: Any, now: Any, unit: str, values: Values) -> str:
    """One difference: what it was and what it is, the unit once if both have it."""
    return f"{title}: {_told(was, unit, values)} \u2192 {_told(now, unit, values)}"


def _told(value: Any, unit: str, values: Values) -> str:
    return "\u2013" if value is None or value == () else values.said(value, unit)
