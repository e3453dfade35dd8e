"""Find everything that is wrong with a model before it is run, in sentences for the user.

The checks know roles and families of fields, not kinds of elements. A class may add its own: its
method `problems(model)` returns sentences, and receives a model of valid, resolved elements only. So does
`remarks(model)`, about what is unusual but runs.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import Field, dataclass, replace
from functools import cache, partial
from math import hypot
from types import MappingProxyType
from typing import Any

from engine.errors import EngineError, say
from engine.files.encoding import read, said
from engine.files.model_files import check_dim, check_id
from engine.formulas.functions import kinks
from engine.kernels.layout import POSITION
from engine.model.elements import (
    GROUND,
    Element,
    Id,
    Model,
    class_of,
    planar,
    put,
    references,
    remove,
    spatial,
)
from engine.model.fields import Polyline, declared
from engine.model.shapes import PLACES, body_mass_properties

# Six digits in a file give a norm to about 1e-6; a worse one is a typing error, not rounding.
_UNIT = 1e-6
_MOST_TOLD = 100  # parameters without a value: nobody reads more sentences


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong, where and how to fix it, with the ids of the elements concerned."""

    sentence: str
    ids: tuple[Id, ...] = ()


def checked(model: Model) -> Model:
    """The model in numbers; raises its first problem as an EngineError, if it has any."""
    found, numbers = _examined(model)
    if found:
        raise EngineError(found[0].sentence, *found[0].ids)
    return numbers


def problems(model: Model) -> list[Problem]:
    """Everything that is wrong with the model; empty if it can be run."""
    return _examined(model)[0]


def _examined(model: Model) -> tuple[list[Problem], Model]:
    """Everything that is wrong with the model, and what has numbers of it."""
    try:
        check_dim(model.dim)
    except EngineError as error:
        return [Problem(error.sentence)], model
    found: list[Problem] = []
    model = _with_usable_globals(model, found)
    malformed: set[Id] = set()
    for id, element in model.elements.items():
        if wrong := list(_malformed(id, element, model.dim)):
            malformed.add(id)
        wrong += _misused(element, _named(element), model.dim)
        found += [Problem(sentence, (id,)) for sentence in wrong]
    dangling = {id: list(_dangling(e, model)) for id, e in model.elements.items()}
    found += [Problem(s, (id,)) for id, sentences in dangling.items() for s in sentences]
    loop = _circular(model)
    if loop:
        names = ", ".join(f"'{model[id].label}'" for id in loop)
        found.append(
            Problem(say("These refer to each other in a circle: {names}.", names=names), loop)
        )
    settled = _settled(_without(model, malformed), found)
    lost = {id for id in model.elements if id not in settled or dangling[id] or id in loop}
    sound = remove(settled, *lost)
    for element in settled:
        found += _value_problems(element)
    for element in sound:
        found += _connection_problems(element, sound)
    return found, settled


def remarks(model: Model) -> list[Problem]:
    """What is unusual about a model without problems, in sentences; it runs all the same."""
    from engine.formulas.resolve import resolved

    return remarks_in_numbers(resolved(model))


def remarks_in_numbers(numbers: Model) -> list[Problem]:
    """The same for a model in which no expression is left."""
    unusual = [e for e in numbers if hasattr(e, "remarks")]
    told = [Problem(sentence, (e.id,)) for e in unusual for sentence in e.remarks(numbers)]
    return told + list(_loose_bodies(numbers))


def _loose_bodies(model: Model) -> Iterator[Problem]:
    """Bodies beside a mechanism that nothing holds, pushes or starts: probably a forgotten joint."""
    if not model.of("joint") or not any(model.gravity):
        return
    used = {id for e in model if e.family not in ("marker", "tracer") for id in references(e)}
    held = {model[id].body for id in used if id in model and model[id].family == "marker"} | used
    for body in model.of("body"):
        speeds = (getattr(body, name, None) for name in ("velocity", "spin", "angular_velocity"))
        if not body.fixed and body.id not in held and all(speed is None for speed in speeds):
            sentence = say(
                "Nothing holds '{body}': it falls freely. Join it, or make it part of the ground.",
                body=body.label,
            )
            yield Problem(sentence, (body.id,))


def _with_usable_globals(model: Model, found: list[Problem]) -> Model:
    """The model with default gravity or settings where those are malformed; adds to `found`."""
    empty = planar() if model.dim == 2 else spatial()
    try:
        vector = {"role": "vector", "size": model.dim}
        read(model.gravity, vector, say("The gravity of the model"))
    except EngineError as error:
        found.append(Problem(error.sentence))
        model = replace(model, gravity=empty.gravity)
    who = "The settings"
    found += map(Problem, _misused(model.settings, who, model.dim))
    if wrong := list(_mistyped(model.settings, who)):
        found += map(Problem, wrong)
        model = replace(model, settings=empty.settings)
    return model


def _malformed(id: Id, element: Element, dim: int) -> Iterator[str]:
    """Sentences about an element that is not what its class declares, or not for this model."""
    who = _named(element)
    try:
        check_id(element.id, who)
        if id != element.id:
            yield say(
                "{who} is filed under the id '{id}', but its own id is '{element}'.",
                who=who,
                id=id,
                element=element.id,
            )
    except EngineError as error:
        yield error.sentence
    if dim not in element.dims:
        there, here = PLACES[element.dims[0]], PLACES[dim]
        yield say(
            "{who} exists {there} only, but this model is {here}; delete it.",
            who=who,
            there=there,
            here=here,
        )
    yield from _mistyped(element, who)


def _mistyped(item: Any, who: str) -> Iterator[str]:
    """Sentences about fields of the wrong type or size."""
    for f in declared(item):
        value = getattr(item, f.name)
        if value is not f.default and "role" in f.metadata:
            where = f"{who}: '{f.name}'"
            try:
                read(value, f.metadata, where)
            except EngineError as error:
                yield error.sentence


def _misused(item: Any, who: str, dim: int) -> Iterator[str]:
    """Sentences about fields for another dimension, and values that are not among the choices."""
    for f in _with_choices(class_of(item)):
        value = getattr(item, f.name)
        where = f"{who}: '{f.name}'"
        if dim not in f.metadata.get("dims", (2, 3)) and value != f.default:
            yield say(
                "{where} exists {there} only; leave it at its default.",
                where=where,
                there=PLACES[f.metadata["dims"][0]],
            )
        choices = f.metadata.get("choices", ())
        if choices and isinstance(value, str) and value not in choices:
            yield say(
                "{where} is {value}; choose one of: {listed}.",
                where=where,
                value=said(value),
                listed=", ".join(choices),
            )


@cache
def _with_choices(kind: Any) -> tuple[Field[Any], ...]:
    """The fields that have choices, or that only one dimension knows."""
    return tuple(f for f in declared(kind) if f.metadata.get("choices") or "dims" in f.metadata)


@cache
def _references(kind: Any) -> tuple[Field[Any], ...]:
    """The fields that refer to other elements."""
    return tuple(f for f in declared(kind) if f.metadata.get("role") == "ref")


@cache
def _orientations(kind: Any) -> tuple[str, ...]:
    """The fields that hold a quaternion."""
    of_four = (f.name for f in declared(kind) if f.metadata.get("size") == 4)
    return tuple(name for name in of_four if name == "orientation")


def _dangling(element: Element, model: Model) -> Iterator[str]:
    """Sentences about references to nothing or to the wrong family."""
    for f in _references(class_of(element)):
        target, family = getattr(element, f.name), f.metadata["family"]
        if family == "body" and target == GROUND:
            continue
        if target in model and model[target].family == family:
            continue
        where = f"{_named(element)}: '{f.name}'"
        if target == "":
            yield say("{where} is empty; choose a {family}.", where=where, family=family)
        elif target not in model:
            yield say(
                "{where} is {target}, which does not exist; choose a {family}.",
                where=where,
                target=said(target),
                family=family,
            )
        else:
            kind = model[target].kind
            yield say(
                "{where} is '{target}', a {kind}; choose a {family} instead.",
                where=where,
                target=model[target].label,
                kind=kind,
                family=family,
            )


def _circular(model: Model) -> tuple[Id, ...]:
    """The elements that refer to themselves through others, in creation order."""
    ahead = {id: {r for r in references(e) if r in model} for id, e in model.elements.items()}
    left = _with_successors(ahead)
    back: dict[Id, set[Id]] = {id: set() for id in left}
    for id in left:
        for other in ahead[id] & left:
            back[other].add(id)
    left = _with_successors(back)
    return tuple(id for id in model.elements if id in left)


def _with_successors(ahead: dict[Id, set[Id]]) -> set[Id]:
    """What is left when all that leads to nothing is taken away, again and again."""
    back: dict[Id, list[Id]] = {id: [] for id in ahead}
    for id, others in ahead.items():
        for other in others:
            back[other].append(id)
    count = {id: len(others) for id, others in ahead.items()}
    done = [id for id in ahead if count[id] == 0]
    for id in done:  # grows while it is iterated
        for other in back[id]:
            count[other] -= 1
            if count[other] == 0:
                done.append(other)
    return ahead.keys() - set(done)


def _settled(model: Model, found: list[Problem]) -> Model:
    """The model with numbers for expressions, without what cannot be resolved; adds to `found`."""
    from engine.formulas import resolve

    with suppress(EngineError):
        return resolve.resolved(model)
    values, bad, errors = resolve.usable_parameters(model)
    found += [Problem(error.sentence, error.ids) for error in errors[:_MOST_TOLD]]
    if len(errors) > _MOST_TOLD:
        n = len(errors) - _MOST_TOLD
        found.append(Problem(say("So it is with {n} more parameters.", n=n)))
    settled: list[Element] = []

    def resolve_part(part: Any, work: Callable[[], Any]) -> None:
        try:
            done = work()
            if isinstance(done, Element):
                settled.append(done)
        except EngineError as error:
            elsewhere = error.ids and getattr(part, "id", "") not in ("", *error.ids)
            if not elsewhere and not _uses(part, bad):  # else the cause is already reported
                found.append(Problem(error.sentence, error.ids))

    resolve_part(model.gravity, lambda: resolve.resolved_gravity(model, values))
    resolve_part(model.settings, lambda: resolve.resolved_settings(model, values))
    for element in model:
        if element.id not in bad:
            resolve_part(element, partial(resolve.resolved_element, model, element, values))
    return put(planar() if model.dim == 2 else spatial(), *settled)


def _uses(part: Any, names: set[Id]) -> bool:
    """Whether any of the names is a word in the texts of this part of a model."""
    return not names.isdisjoint(re.findall(r"\w+", repr(part)))


def _without(model: Model, ids: set[Id]) -> Model:
    """The model without these elements, whatever refers to them."""
    kept = {id: e for id, e in model.elements.items() if id not in ids}
    return replace(model, elements=MappingProxyType(kept))


def _value_problems(element: Any) -> Iterator[Problem]:
    """What is wrong with the numbers of one resolved element."""
    for name in _orientations(class_of(element)):
        norm = hypot(*getattr(element, name))
        if not abs(norm - 1.0) <= _UNIT:
            sentence = say(
                "{who}: the orientation has the norm {norm:.9g}, but a unit "
                "quaternion has the norm 1; no turn at all is 1, 0, 0, 0.",
                who=_named(element),
                norm=norm,
            )
            yield Problem(sentence, (element.id,))
    if element.family == "body":
        try:
            body_mass_properties(element)
        except EngineError as error:
            yield Problem(error.sentence, error.ids)


def _connection_problems(element: Any, model: Model) -> Iterator[Problem]:
    """What is wrong between one valid element and those it refers to."""
    if element.family == "joint":
        yield from _self_connection(element, model)
    if any(isinstance(getattr(element, f.name), Polyline) for f in declared(element)):
        yield from _jumping_velocities(element, model)
    if hasattr(element, "problems"):
        try:
            yield from [Problem(sentence, (element.id,)) for sentence in element.problems(model)]
        except EngineError as error:
            yield Problem(error.sentence, error.ids or (element.id,))


def _jumping_velocities(element: Any, model: Model) -> Iterator[Problem]:
    """A place that follows straight lines over time would change its velocity within no time."""
    if element.family not in ("joint", "motion"):
        return
    try:
        targets = [row.target for row in element.rows(model) if row.level == POSITION]
        found = [kinks(target) for target in targets if isinstance(target, Polyline)]
    except EngineError:  # the rows say what is wrong when they are asked again
        return
    for times in found:
        if len(times):
            sentence = say(
                "{who} follows a table that is joined by straight lines: its velocity would jump at "
                "t = {t:.6g} s, which takes an infinite force. Join the points by a curve, or prescribe "
                "the speed.",
                who=_named(element),
                t=times[0],
            )
            yield Problem(sentence, (element.id,))


def _self_connection(joint: Any, model: Model) -> Iterator[Problem]:
    """A joint needs two bodies, and one of them must be able to move."""
    markers = [f for f in declared(joint) if f.metadata.get("family") == "marker"]
    bodies = [model[getattr(joint, f.name)].body for f in markers]
    who = _named(joint)
    if len(bodies) < 2:
        return
    if all(body == GROUND or model[body].fixed for body in bodies):
        sentence = say(
            "{who} connects nothing that moves; put one of its markers on a moving body.", who=who
        )
        yield Problem(sentence, (joint.id,))
    elif len(set(bodies)) == 1:
        body = model[bodies[0]]
        sentence = say(
            "{who} connects '{body}' with itself; put one marker on another body.",
            who=who,
            body=body.label,
        )
        yield Problem(sentence, (joint.id, body.id))


def _named(element: Element) -> str:
    """The kind and the name of an element, to begin a sentence with."""
    return f"{element.kind.replace('_', ' ').capitalize()} '{element.label}'"
