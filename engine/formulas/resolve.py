"""Replace every expression of a model by its number, parameters first.

Numbers, vectors and points become floats. A function keeps its text, for it still has variables;
that its text can be read and that all its names are known is checked here. Elements in which
nothing changes are returned as they are.
"""

import functools
import math
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass, replace
from types import MappingProxyType
from typing import Any, cast

from engine.errors import EngineError, say
from engine.formulas.curves import with_points
from engine.formulas.expressions import Expression, names, parse, program, value, written_unit
from engine.formulas.grammar import RESERVED
from engine.formulas.sizes import check_sizes, is_tied, own_sizes
from engine.formulas.units import same_dimension
from engine.model.elements import Id, Model, Settings
from engine.model.fields import words_of
from engine.model.limits import check_size, limits

_DEEPEST = 10  # shapes within shapes

Values = Mapping[str, float]
Ids = tuple[Id, ...]  # the elements an error is about


def resolved(model: Model) -> Model:
    """The same model with numbers instead of expressions; raises for the first that has none."""
    values = parameter_values(model)
    changed = {}
    for id, element in model.elements.items():
        new = resolved_element(model, element, values)
        if new is not element:
            changed[id] = new
    settings, gravity = resolved_settings(model, values), resolved_gravity(model, values)
    if changed:
        elements = MappingProxyType({**model.elements, **changed})
        return replace(model, elements=elements, settings=settings, gravity=gravity)
    if settings is not model.settings or gravity is not model.gravity:
        return replace(model, settings=settings, gravity=gravity)
    return model


def resolved_element(model: Model, element: Any, values: Values) -> Any:
    """One element of the model with numbers, from the values of parameters."""
    known = values
    if element.family == "marker" and is_tied(element):
        known = ChainMap(_sizes_of_body(model, element, values), cast(dict[str, float], values))
    found = _resolved_fields(element, known, f"'{element.label}'", (element.id,))
    return with_points(found, known)


def resolved_settings(model: Model, values: Values) -> Settings:
    """The settings of the model with numbers."""
    return _resolved_fields(model.settings, values, "the settings", ())


def resolved_gravity(model: Model, values: Values) -> Any:
    """The gravity of the model with numbers."""
    meta = {"size": model.dim, "unit": "m/s^2"}
    return _resolved_vector(model.gravity, values, meta, say("gravity of the model"), ())


def supported(model: Model, elements: Iterable[Any]) -> Model:
    """These elements alone, with those whose numbers their formulas may use.

    These are all parameters and the bodies of markers.
    """
    chosen = {e.id: e for e in elements}
    bodies = [getattr(e, "body", "") for e in chosen.values()]
    kept = {p.id: p for p in model.of("parameter")}
    kept |= {id: model[id] for id in bodies if id in model}
    return replace(model, elements=MappingProxyType(kept | chosen))


def resolved_alone(model: Model, element: Any) -> Any:
    """One element in numbers that are all within their limits, even if others are wrong."""
    alone = replace(supported(model, (element,)), settings=Settings())
    return resolved(replace(alone, gravity=(0.0,) * model.dim))[element.id]


def known_values(model: Model, element: Any = None) -> dict[str, float]:
    """The names that formulas of an element may use, with their values: a marker knows its shape."""
    values = parameter_values(model)
    body = model.elements.get(getattr(element, "body", ""))
    shape = getattr(body, "shape", None)
    if body is None or shape is None:
        return values
    return values | own_sizes(resolved_shape(model, body))


def resolved_shape(model: Model, body: Any) -> Any:
    """The shape of a body in numbers."""
    return _resolved_fields(body.shape, parameter_values(model), f"'{body.label}'", (body.id,))


def _sizes_of_body(model: Model, marker: Any, values: Values) -> dict[str, float]:
    """The sizes that the formulas of a marker may use."""
    body = model.elements.get(marker.body)
    shape = getattr(body, "shape", None)
    if body is not None and shape is not None:
        shape = _resolved_fields(shape, values, f"the shape of '{body.label}'", (body.id,))
    sizes = own_sizes(shape)
    check_sizes(model, marker, sizes)
    return sizes


def parameter_values(model: Model) -> dict[str, float]:
    """The value of every parameter by its name, in creation order."""
    written = {p.id: _written(p) for p in model.of("parameter")}
    needs = _needs(written)
    order = _in_order_of_use(needs)
    if len(order) < len(written):
        raise next(_circles(needs, order))
    found: dict[str, float] = {}
    for id in order:
        found[id] = _value(model, id, written[id], found)
    return {id: found[id] for id in written}


def usable_parameters(model: Model) -> tuple[dict[str, float], set[Id], list[EngineError]]:
    """The parameters that have a value, the ids of the others, and what is wrong, each cause once."""
    written: dict[Id, float | Expression] = {}
    bad: set[Id] = set()
    errors: list[EngineError] = []

    def note(id: Id, error: EngineError) -> None:
        bad.add(id)
        errors.append(error)

    for parameter in model.of("parameter"):
        try:
            written[parameter.id] = _written(parameter)
        except EngineError as error:
            note(parameter.id, error)
    needs = _needs(written)
    order = _in_order_of_use(needs)
    errors += _circles(needs, order)
    bad |= written.keys() - set(order)
    found: dict[str, float] = {}
    for id in order:
        what = written[id]
        if isinstance(what, Expression) and not bad.isdisjoint(names(what)):
            bad.add(id)  # the cause is told where it is
            continue
        try:
            found[id] = _value(model, id, what, found)
        except EngineError as error:
            note(id, error)
    for id in order:
        if id in bad:
            continue
        if not bad.isdisjoint(needs[id]):
            bad.add(id)
            continue
        try:
            resolved_element(model, model[id], found)
        except EngineError as error:
            note(id, error)
    return {id: found[id] for id in written if id not in bad}, bad, errors


def _written(parameter: Any) -> float | Expression:
    """What a parameter is given, as a number or an expression that can be read."""
    _check_name(parameter.id)
    given = parameter.value
    place = say("value of '{parameter}'", parameter=parameter.label)
    return _located(parse, place, (parameter.id,), given) if isinstance(given, str) else given


def _value(model: Model, id: Id, what: float | Expression, found: Values) -> float:
    """The value of one parameter from those found before."""
    place = say("value of '{id}'", id=model[id].label)
    return float(_located(value, place, (id,), what, found))


def _check_name(id: Id) -> None:
    """Refuse a parameter whose name cannot be written in an expression."""
    if not id.isidentifier():
        raise EngineError(
            "The parameter '{id}' cannot be used in expressions: rename it with letters, digits "
            "and _ only, beginning with a letter.",
            id,
            id=id,
        )
    if id in RESERVED:
        raise EngineError(
            "The parameter '{id}' has the name of a word of the expressions: rename it.", id, id=id
        )


def _needs(written: Mapping[Id, float | Expression]) -> dict[Id, set[Id]]:
    """The parameters that each of them uses."""
    return {
        id: ({n for n in names(what) if n in written} if isinstance(what, Expression) else set())
        for id, what in written.items()
    }


def _in_order_of_use(needs: Mapping[Id, set[Id]]) -> list[Id]:
    """The parameters, each after those it depends on; without those in circles, and what needs them."""
    users: dict[Id, list[Id]] = {id: [] for id in needs}
    for id, needed in needs.items():
        for other in needed:
            users[other].append(id)
    missing = {id: len(needed) for id, needed in needs.items()}
    order = [id for id in needs if missing[id] == 0]
    for id in order:  # grows while it is iterated
        for user in users[id]:
            missing[user] -= 1
            if missing[user] == 0:
                order.append(user)
    return order


def _circles(needs: Mapping[Id, set[Id]], order: Iterable[Id]) -> Iterator[EngineError]:
    """A sentence for each circle of parameters; each of those not in `order` needs another one of them."""
    ordered, walked = set(order), set[Id]()
    for first in needs:
        if first in ordered:
            continue
        path: dict[Id, None] = {}
        id = first
        while id not in path and id not in walked:
            path[id] = None
            id = min(needs[id] - ordered)
        walked.update(path)
        if id in path:
            ids = list(path)
            yield _circle_error(ids[ids.index(id) :])


def _circle_error(circle: list[Id]) -> EngineError:
    """The sentence about parameters each of which needs the next, and the last one the first."""
    ring = [*circle, circle[0]]
    shown = ring if len(ring) < 10 else [*ring[:4], "...", *ring[-4:]]
    return EngineError(
        "Parameters depend on each other in a circle: {listed}. Give one of them a number.",
        *circle,
        listed=" -> ".join(shown),
    )


@functools.cache
def _plan(cls: type) -> tuple[Field, ...]:
    """The fields of a class that may hold numbers."""
    known = {"number", "vector", "points", "function", "formula", "shape", None}
    return tuple(f for f in fields(cls) if f.metadata.get("role") in known and f.name != "id")


def _resolved_fields(item: Any, values: Values, owner: str, ids: Ids, depth: int = 0) -> Any:
    """The same element, shape or settings with numbers in its fields."""
    changes = {}
    kind: type = type(item)
    for f in _plan(kind):
        old = getattr(item, f.name)
        place = words_of(f.name) + " of " + owner
        role = f.metadata.get("role")
        if old is None and (f.default is None or f.default is MISSING):
            continue
        if role in _RESOLVERS:
            new = _RESOLVERS[role](old, values, f.metadata, place, ids)
        elif is_dataclass(old) and not isinstance(old, type):
            if depth == _DEEPEST:
                raise EngineError(
                    "The {place} holds more than {deepest} shapes in shapes.",
                    *ids,
                    place=place,
                    deepest=_DEEPEST,
                )
            new = _resolved_fields(old, values, "the " + place, ids, depth + 1)
        else:
            continue
        if new is not old:
            changes[f.name] = new
    return replace(item, **changes) if changes else item


def _resolved_number(
    old: Any, values: Values, meta: Mapping[str, Any], place: str, ids: Ids
) -> float:
    """A float within the limits of its field."""
    new = _to_float(old, values, meta, place, ids)
    low, above, high = meta.get("low"), meta.get("above"), meta.get("high")
    if low is not None and new < low:
        limit = say("at least {low:.6g}", low=low)
    elif above is not None and new <= above:
        limit = say("above {above:.6g}", above=above)
    elif high is not None and new > high:
        limit = say("at most {high:.6g}", high=high)
    else:
        return new
    unit = f" {meta['unit']}" if meta.get("unit") else ""
    origin = f" (from '{old:.40}')" if isinstance(old, str) else ""
    raise EngineError(
        "The {place} is {new:.6g}{unit}{origin}, but it must be {limit}{unit}.",
        *ids,
        place=place,
        new=new,
        unit=unit,
        origin=origin,
        limit=limit,
    )


def _resolved_vector(
    old: Any, values: Values, meta: Mapping[str, Any], place: str, ids: Ids
) -> Any:
    """A tuple of as many floats as its field has."""
    size = meta.get("size") or 0
    if not isinstance(old, (tuple, list)) or (size and len(old) != size):
        count = len(old) if isinstance(old, (tuple, list)) else 1
        needed = say("{size} numbers", size=size) if size else say("a list of numbers")
        raise EngineError(
            "The {place} must be {needed}, but there {are}.",
            *ids,
            place=place,
            needed=needed,
            are=_are(count),
        )
    new = tuple([_to_float(entry, values, meta, place, ids) for entry in old])
    return old if _same(old, new) else new


def _resolved_points(
    old: Any, values: Values, meta: Mapping[str, Any], place: str, ids: Ids
) -> Any:
    """A tuple of points, each a tuple of floats."""
    if not isinstance(old, (tuple, list)):
        raise EngineError("The {place} must be a list of points.", *ids, place=place)
    if all(isinstance(p, tuple) and all(map(_is_plain, p)) for p in old):
        return old  # a mesh has many points, and nearly always plain ones
    new = tuple(
        [
            _resolved_vector(
                p, values, meta, say("point {n} in the {place}", n=n, place=place), ids
            )
            for n, p in enumerate(old, 1)
        ]
    )
    return old if _same(old, new) else new


def _checked_function(
    old: Any, values: Values, meta: Mapping[str, Any], place: str, ids: Ids
) -> Any:
    """The function itself, if its text can be read and its names are known; numbers as floats."""
    if isinstance(old, (tuple, list)):
        return old  # engine.formulas.functions checks tables
    if isinstance(old, str):
        _located(lambda: program(parse(old), meta["of"], values), place, ids)
        return old
    return _to_float(old, values, {"unit": meta.get("unit", "")}, place, ids)


def _checked_formula(
    old: Any, values: Values, meta: Mapping[str, Any], place: str, ids: Ids
) -> Any:
    """The formula itself, if it can be read and its plain names are known; the element knows the others."""
    expression = _located(parse, place, ids, old)
    dotted = tuple(name for name in names(expression) if "." in name)
    _located(program, place, ids, expression, (*meta["own"], *dotted), values)
    return old


_RESOLVERS: dict[str, Callable[[Any, Values, Mapping[str, Any], str, Ids], Any]] = {
    "number": _resolved_number,
    "vector": _resolved_vector,
    "points": _resolved_points,
    "function": _checked_function,
    "formula": _checked_formula,
}


def _to_float(old: Any, values: Values, meta: Mapping[str, Any], place: str, ids: Ids) -> float:
    """The value of a number or an expression as a float of a size that can be computed with."""
    least, most = limits(meta.get("unit", ""))
    if type(old) is float and -most <= old <= most and (old >= least or meta.get("above") != 0.0):
        return old
    new = _evaluated(old, values, meta, place, ids)
    try:
        check_size(new, meta.get("unit", ""), positive=meta.get("above") == 0.0)
    except EngineError as error:
        raise EngineError(
            "The {place} {reason}", *ids, place=place, reason=error.sentence
        ) from None
    return new


def _evaluated(old: Any, values: Values, meta: Mapping[str, Any], place: str, ids: Ids) -> float:
    """The value of a number or an expression as a finite float."""
    if _is_plain(old):
        return old
    if not isinstance(old, str):
        return _located(value, place, ids, old, values)
    expression = _located(parse, place, ids, old)
    written, expected = written_unit(expression), meta.get("unit", "")
    if written and expected:
        if not any(same_dimension(written, unit) for unit in expected.split(" or ")):
            raise EngineError(
                "The {place} is measured in {expected}, but '{old:.40}' is in {written}: "
                "give it in a unit of the same kind.",
                *ids,
                place=place,
                expected=expected,
                old=old,
                written=written,
            )
    return _located(value, place, ids, expression, values)


def _is_plain(number: Any) -> bool:
    """Whether this is a finite float already."""
    return type(number) is float and math.isfinite(number)


def _located(work: Callable[..., Any], place: str, ids: Ids, *arguments: Any) -> Any:
    """The result of work(*arguments); an error says in which field it happened."""
    try:
        return work(*arguments)
    except EngineError as error:
        sentence = say("The {place} is not usable. {reason}", place=place, reason=error.sentence)
        raise EngineError(sentence, *ids) from None


def _same(old: Any, new: tuple[Any, ...]) -> bool:
    """Whether a new tuple holds the same objects as the old one."""
    return isinstance(old, tuple) and all(a is b for a, b in zip(old, new))


def _are(count: int) -> str:
    return "is 1" if count == 1 else f"are {count}"
