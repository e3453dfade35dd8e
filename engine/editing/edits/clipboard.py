"""Copy and paste: a part of a model as the text of a small model file, and back with fresh ids."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from engine.editing.edits.numbers import moved, texts_changed, uses
from engine.editing.edits.placing import bodies_about
from engine.errors import EngineError
from engine.files.model_files import dumps, loads
from engine.model.elements import AS_USUAL, GROUND, Id, Model, Settings, put, references, remove
from engine.model.joints.typed import with_elements

CLIP = "Kardan clipboard"  # name of the small model, to distinguish it from other files


def clip(model: Model, ids: Sequence[Id]) -> str:
    """The chosen elements as text.

    Joints, forces and points that are attached to chosen bodies alone are copied with them. Those that also
    touch the ground are copied only if they are chosen themselves, those that touch other bodies never.
    """
    chosen = {id for id in ids if id in model}
    bodies = {id for id in chosen if model[id].family == "body"}
    kept: set[Id] = set(bodies)
    used = {r for e in model for r in references(e)}
    for e in model:
        rests_on = bodies_about(model, e)
        if e.family in ("parameter", "body") or not rests_on:
            continue
        if e.family == "marker" and e.id in used and e.id not in chosen:
            continue
        within = rests_on <= bodies
        if within or (e.id in chosen and rests_on - {GROUND} <= bodies and rests_on != {GROUND}):
            kept.add(e.id)
    kept |= {id for id in chosen if model[id].family == "parameter"}
    kept |= _needed(model, kept)
    if not kept:
        raise EngineError(
            "There is nothing to copy: select bodies, and with them the joints and forces between "
            "them.",
            *chosen,
        )
    kept |= _parameters_of(model, kept)
    elements = {id: e for id, e in model.elements.items() if id in kept}
    small = replace(
        model,
        name=CLIP,
        description="",
        gravity=(0.0,) * model.dim,
        settings=Settings(),
        elements=elements,
        view=AS_USUAL,
    )
    return dumps(small)


def pasted(
    model: Model, text: str, shift: tuple[float, ...] = (0.0, 0.0)
) -> tuple[Model, tuple[Id, ...]]:
    """The model with the elements of a copied text, moved by a shift, and their new ids.

    A parameter that the model has already is kept and used by the pasted elements too.
    """
    part = _without_served(_read(text), model)
    if part.dim != model.dim:
        here, there = ("the plane", "space") if model.dim == 2 else ("space", "the plane")
        raise EngineError(
            "What was copied belongs into {there}, but this model is in {here}.",
            there=there,
            here=here,
        )
    new_ids: dict[Id, Id] = {}
    taken = set(model.elements)
    for e in part:
        if e.family != "parameter":
            new_ids[e.id] = _fresh(taken, e.id)
            taken.add(new_ids[e.id])
    made: list[Any] = [p for p in part.of("parameter") if p.id not in model]
    if clash := [p for p in part.of("parameter") if _is_other(model, p.id)]:
        raise EngineError(
            "What was copied uses the parameter '{clash}', but here that is something else; "
            "rename one of them.",
            clash[0].id,
            clash=clash[0].id,
        )
    labels = {e.name for e in model if e.name}
    for e in part:
        if e.family != "parameter":
            copy = _with_ids(_shifted(e, part, shift), new_ids, labels)
            made.append(replace(copy, hue=None) if copy.family == "body" else copy)
    shown = tuple(e.id for e in made if e.family not in ("parameter", "marker"))
    loose = {m.id for m in made if m.family == "marker"} - {r for e in made for r in references(e)}
    return put(model, *made), (*shown, *sorted(loose))


def _without_served(part: Model, model: Model) -> Model:
    """What was copied, without elements whose copies the model does not need, and without their points."""
    served = [e for e in part if e.is_served_in(model, part)]
    left = remove(part, *(e.id for e in served))
    used = {r for e in left for r in references(e)}
    return remove(left, *({r for e in served for r in references(e)} - used))


def duplicated(
    model: Model, ids: Sequence[Id], shift: tuple[float, ...]
) -> tuple[Model, tuple[Id, ...]]:
    """The model with a second copy of the chosen elements, moved by a shift, and its ids."""
    return pasted(model, clip(model, ids), shift)


def _read(text: str) -> Model:
    """The small model in a copied text, whose references all exist."""
    try:
        part = loads(text)
    except EngineError as error:
        raise EngineError("This text cannot be pasted. {reason}", reason=error.sentence) from None
    for e in part:
        for f in fields(e):
            if f.metadata.get("role") != "ref":
                continue
            target, family = getattr(e, f.name), f.metadata["family"]
            if target == GROUND and family == "body":
                continue
            if target not in part or part[target].family != family:
                raise EngineError(
                    "This text cannot be pasted. '{element}' needs a {family}, which is not in it.",
                    element=e.label,
                    family=family,
                )
    return part


def _needed(model: Model, ids: set[Id]) -> set[Id]:
    """Everything that these elements refer to, directly or through others."""
    found: set[Id] = set()
    waiting = list(ids)
    while waiting:
        for r in references(model[waiting.pop()]):
            if r in model and r not in found:
                found.add(r)
                waiting.append(r)
    return found


def _parameters_of(model: Model, ids: set[Id]) -> set[Id]:
    """The parameters in the formulas of these elements, and in the formulas of those."""
    found: set[Id] = set()
    waiting = list(ids)
    while waiting:
        e = model[waiting.pop()]
        for p in model.of("parameter"):
            used = texts_changed(e, lambda text, p=p: text + " " if uses(text, p.id) else text)
            if p.id not in found and used is not e:
                found.add(p.id)
                waiting.append(p.id)
    return found


def _is_other(model: Model, id: Id) -> bool:
    return id in model and model[id].family != "parameter"


def _fresh(taken: set[Id], old: Id) -> Id:
    """A free id like the old one: rod_1 gives rod_2, crank gives crank_2."""
    if old not in taken:
        return old
    stem = re.sub(r"_\d+$", "", old)
    n = 1 if stem != old else 2
    while f"{stem}_{n}" in taken:
        n += 1
    return f"{stem}_{n}"


def _shifted(e: Any, part: Model, shift: tuple[float, ...]) -> Any:
    """A body, or a marker on the ground, at its new place; everything else moves with these."""
    if e.family == "body" or (e.family == "marker" and e.body == GROUND):
        return replace(e, position=moved(e.position, shift))
    return e


def _with_ids(e: Any, new_ids: Mapping[Id, Id], labels: set[str]) -> Any:
    """An element with its new id, new references and a name that is not taken."""
    refs = {
        f.name: new_ids.get(getattr(e, f.name), getattr(e, f.name))
        for f in fields(e)
        if f.metadata.get("role") == "ref"
    }
    if e.mentions():
        refs["formula"] = with_elements(e.formula, new_ids)
    name = e.name
    if name:
        stem, n = re.sub(r" \d+$", "", name), 2
        while name in labels:
            name, n = f"{stem} {n}", n + 1
        labels.add(name)
    return replace(e, id=new_ids[e.id], name=name, **refs)
