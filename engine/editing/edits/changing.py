"""Deleting, renaming, changing fields, and making a frame of a run the design pose."""

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

import numpy as np

from engine.compiling.gates import all_open
from engine.compiling.geometry import Geometry
from engine.compiling.system import Compiled, compile_model
from engine.editing.edits.numbers import checked, texts_changed, uses, with_name
from engine.editing.ties import tied_anew
from engine.errors import EngineError, say
from engine.files.encoding import fields_from
from engine.files.model_files import ID
from engine.formulas.grammar import RESERVED, TIME
from engine.kinematics.speeds import start_speeds, start_values
from engine.model.bodies import Particle, placed_by_hand
from engine.model.connections import interactions_of
from engine.model.elements import Id, Model, Parameter, put, references, remove, with_sliders
from engine.model.fields import joined_like, plain
from engine.model.forces import HydraulicCylinder, Maxwell, SpringDamper, TorsionSpring
from engine.model.joints import Rod
from engine.model.joints.tooth_contact import ToothedPair, tooth_phases
from rotations import SEQUENCES, convert, quaternion

NOT_BENT = 1e-12  # sqrt(kg) m, of a modal coordinate: less is rounding
SAME_SPEED = 1e-9  # of the size of velocities: a run is as exact as that
PLACES = ("position", "angle", "orientation")  # fields that say where a body is


def deleted(model: Model, ids: Sequence[Id]) -> Model:
    """The model without these elements, everything attached to them, and markers without use."""
    doomed = [id for id in ids if id in model]
    if not doomed:
        raise EngineError("Select what shall be deleted.")
    after = remove(model, *doomed)
    while orphans := _orphans(model, after):
        after = remove(after, *orphans)
    for id in doomed:
        if isinstance(model[id], Parameter):
            _refuse_used(after, model[id])
    return after


def renamed(model: Model, id: Id, name: str) -> Model:
    """An element with another name; a parameter with another id, in all formulas too."""
    if id not in model:
        raise EngineError("There is no '{id}' in the model any more.", id=id)
    name = name.strip()
    if isinstance(model[id], Parameter):
        return _with_parameter_renamed(model, id, name)
    return put(model, replace(model[id], name="" if name == id else name))


def with_fields(model: Model, ids: Sequence[Id], changes: Mapping[str, Any]) -> Model:
    """Elements with other values in some fields; "shape.length" is a field of the shape.

    EngineError says which value is invalid: unreadable, a wrong unit, an unknown name, out of limits.
    """
    after = model
    for id in ids:
        if id not in model:
            raise EngineError("There is no '{id}' in the model any more.", id=id)
        element = model[id]
        place = f"'{element.label}'"
        own = {name: value for name, value in changes.items() if not name.startswith("shape.")}
        inner = {n.removeprefix("shape."): v for n, v in changes.items() if n.startswith("shape.")}
        if inner:
            shape = getattr(own.get("shape", element), "shape", own.get("shape"))
            if shape is None:
                raise EngineError("{place} has no shape; choose one first.", id, place=place)
            own["shape"] = replace(shape, **fields_from(type(shape), inner, place))
        new = replace(element, **fields_from(type(element), own, place))
        if new != element:
            _refuse_bad_choice(new)
            checked(model if element.family != "parameter" else put(model, new), new)
            after = put(after, new)
            if _has_other_sizes(element, new):
                after = tied_anew(model, after, id)
    return after


def _has_other_sizes(old: Any, new: Any) -> bool:
    """Whether the shape of an element has sizes of other names: points must be tied anew."""
    shapes = [getattr(e, "shape", None) for e in (old, new)]
    kinds = {(type(shape), len(getattr(shape, "points", ()))) for shape in shapes}
    return len(kinds) > 1


def at_state(model: Model, q: Any, v: Any, t: float = 0.0, z: Any = ()) -> Model:
    """The model with a frame of its run as the design pose: a new run continues from there.

    q and v are those of the mass centres and z the states of forces, as in Results. What was "as drawn"
    keeps its old value in numbers, and functions of time continue from the time t.
    """
    compiled = compile_model(model)
    _refuse_bent(compiled, q)
    kept = _without_other_starts(compiled, _drawn_lengths_kept(compiled), q, v)
    after = _moved_to(kept, compiled, q, None)
    if not _starts_with(after, q, v):
        after = _moved_to(kept, compiled, q, v)
    after = _with_states(after, compiled, z)
    if t == 0.0:
        return after
    return put(after, *(_later(e, t) for e in after))


def _refuse_bent(compiled: Compiled, q: Any) -> None:
    """Raise EngineError if a beam is bent in a state: a drawing has straight ones."""
    for k, id in enumerate(compiled.body_ids):
        if np.abs(q[compiled.layout.modes(k)]).max(initial=0.0) > NOT_BENT:
            raise EngineError(
                "Beam '{label}' is bent at this moment, and a drawing begins with straight beams. Take "
                "the first moment, or make it a rod.",
                id,
                label=compiled.resolved[id].label,
            )


def _with_states(model: Model, compiled: Compiled, z: Any) -> Model:
    """The model whose forces start with the states z; what is not given stays."""
    changes: dict[Id, dict[str, float]] = {}
    numbers, first = compiled.resolved, 0
    for force, one in interactions_of(numbers) if len(z) else ():
        for state in one.states:
            if state.field and state.initial != z[first]:
                changes.setdefault(force.id, {})[state.field] = float(z[first])
            first += 1
    changed: list[Any] = [replace(model[id], **new) for id, new in changes.items()]
    return put(model, *changed) if changed else model


def _without_other_starts(compiled: Compiled, model: Model, q: Any, v: Any) -> Model:
    """The model without typed start values and rates of joints that differ from a state."""
    now = start_values(compiled, np.asarray(q, dtype=float), np.asarray(v, dtype=float))
    changed: list[Any] = []
    for joint in model.of("joint"):
        typed = compiled.resolved[joint.id]
        others = {
            name: None
            for name, value in now.get(joint.id, {}).items()
            if (given := getattr(typed, name, None)) is not None
            and abs(given - value) > SAME_SPEED * (1.0 + abs(value))
        }
        if others:
            changed.append(replace(joint, **others))
    return put(model, *changed) if changed else model


def _starts_with(model: Model, q: Any, v: Any) -> bool:
    """Whether a run of the model starts with these velocities, though some are left empty."""
    try:
        found = start_speeds(all_open(compile_model(model)), 0.0, np.asarray(q, dtype=float)).v
    except EngineError:
        return False
    return bool(
        np.abs(found - v).max(initial=0.0) <= SAME_SPEED * (1.0 + np.abs(v).max(initial=0.0))
    )


def _moved_to(model: Model, compiled: Compiled, q: Any, v: Any) -> Model:
    """The model with its bodies at q, and with the velocities v if they are given."""
    numbers = compiled.resolved
    geometry = Geometry(numbers, compiled.elastic)
    q = np.asarray(q, dtype=float)
    speeds = np.asarray(compiled.v0 if v is None else v, dtype=float)
    bodies = []
    for k, body in enumerate(geometry.moving):
        place = _placed(geometry, k, q, speeds)
        if v is None:
            place = {name: place[name] for name in PLACES if name in place}
        now = {name: getattr(numbers[body.id], name) for name in place}
        changes = {name: x for name, x in place.items() if now[name] != x}
        bodies.append(placed_by_hand(model[body.id], **changes))
    return put(model, *bodies)


def _placed(geometry: Geometry, k: int, q: np.ndarray, v: np.ndarray) -> dict[str, Any]:
    """Position, angle or orientation, and velocities of a body frame from those of its centre."""
    body, center, at = geometry.moving[k], geometry.centers()[k], geometry.layout
    P, turn, u, w = q[at.position(k)], q[at.orientation(k)], v[at.velocity(k)], v[at.spin(k)]
    if isinstance(body, Particle):
        return {"position": _floats(P), "velocity": _floats(u)}
    if geometry.dim == 2:
        c, s = np.cos(turn[0]), np.sin(turn[0])
        arm = np.array([c * center[0] - s * center[1], s * center[0] + c * center[1]])
        return {
            "position": _floats(P - arm),
            "angle": float(turn[0]),
            "velocity": _floats(u - w[0] * np.array([-arm[1], arm[0]])),
            "spin": float(w[0]),
        }
    code = geometry.orientation_code(body)
    unit = turn if code < 0 else convert(q[at.angles(k)], SEQUENCES[code], "quaternion")
    unit = quaternion.normalise(np.array(unit, dtype=float))
    R = quaternion.matrix(unit)
    return {
        "position": _floats(P - R @ center),
        "orientation": _floats(unit),
        "velocity": _floats(u - R @ np.cross(w, center)),
        "angular_velocity": _floats(w),
    }


def _drawn_lengths_kept(compiled: Compiled) -> Model:
    """The model with numbers for lengths and angles that are 'as drawn'."""
    changed: list[Any] = []
    rest = dict(zip(compiled.law_ids, compiled.system.laws["param"][:, 2]))
    drawn = {
        id: float(compiled.system.terms["drawn"][one["term"]])
        for id, one in zip(compiled.interaction_ids, compiled.system.interactions)
        if one["term"] >= 0
    }
    phases = tooth_phases(compiled.resolved)
    for e in compiled.model:
        if isinstance(e, ToothedPair) and e.is_in_contact:
            mesh = compiled.resolved[e.id].meeting(compiled.resolved)
            phase_1, phase_2 = phases[mesh.marker_i], phases[mesh.marker_j]
            changed.append(replace(e, phase_1=phase_1, phase_2=phase_2))
        elif isinstance(e, SpringDamper) and e.free_length is None:
            changed.append(replace(e, free_length=float(rest[e.id])))
        elif isinstance(e, Maxwell) and e.free_length is None:
            changed.append(replace(e, free_length=drawn[e.id]))
        elif isinstance(e, HydraulicCylinder) and e.closed_length is None:
            stroke = plain(compiled.resolved[e.id].stroke)
            changed.append(replace(e, closed_length=drawn[e.id] - 0.5 * stroke))
        elif isinstance(e, TorsionSpring) and e.free_angle is None:
            changed.append(replace(e, free_angle=float(rest[e.id])))
        elif isinstance(e, Rod) and e.length is None and e.id in compiled.rows_of:
            length = compiled.system.rows["constant"][compiled.rows_of[e.id][0]]
            changed.append(replace(e, length=float(length)))
    return put(compiled.model, *changed) if changed else compiled.model


def _later(element: Any, t: float) -> Any:
    """The element with functions of time that start at the time t."""
    changes: dict[str, Any] = {}
    for f in fields(element):
        old = getattr(element, f.name)
        if f.metadata.get("role") != "function" or TIME not in f.metadata["of"]:
            continue
        if isinstance(old, tuple):
            changes[f.name] = joined_like(old, ((x - t, y) for x, y in old))
        elif uses(old, TIME):
            changes[f.name] = with_name(old, TIME, f"t + {float(f'{t:.12g}')!r}")
    return replace(element, **changes) if changes else element


def _orphans(before: Model, after: Model) -> list[Id]:
    """Markers that were used before and are not used now."""
    used_before = {r for e in before for r in references(e)}
    used_now = {r for e in after for r in references(e)}
    return [m.id for m in after.of("marker") if m.id in used_before and m.id not in used_now]


def _refuse_used(model: Model, parameter: Parameter) -> None:
    """Raise EngineError where a formula still needs a parameter."""
    marked = _marked(parameter.id)
    users = [e.id for e in model if texts_changed(e, marked) is not e]
    whole = texts_changed(model.settings, marked) is not model.settings
    if users or whole or any(uses(g, parameter.id) for g in model.gravity):
        where = f"'{model[users[0]].label}'" if users else say("the settings of the model")
        raise EngineError(
            "The parameter '{parameter}' is used by {where}; put a number there before you "
            "delete it.",
            parameter.id,
            *users,
            parameter=parameter.label,
            where=where,
        )


def _with_parameter_renamed(model: Model, id: Id, new: Id) -> Model:
    """The model in which a parameter and all formulas have another name for it."""
    if new == id:
        return model
    if not ID.fullmatch(new) or new in RESERVED:
        raise EngineError(
            "'{new}' cannot be the name of a parameter: letters, digits and _ only, beginning "
            "with a letter, and no word of the expressions.",
            id,
            new=new[:40],
        )
    if new in model:
        raise EngineError("There is a '{new}' already; choose another name.", id, new, new=new)
    change = _renaming(id, new)
    elements = {}
    for key, e in model.elements.items():
        e = texts_changed(e, change)
        elements[new if key == id else key] = replace(e, id=new) if key == id else e
    gravity = tuple(change(g) if isinstance(g, str) else g for g in model.gravity)
    settings = texts_changed(model.settings, change)
    fresh = put(replace(model, elements={}), *elements.values())
    fresh = with_sliders(fresh, (new if one == id else one for one in model.view.sliders))
    return replace(fresh, gravity=gravity, settings=settings)


def _renaming(old: Id, new: Id) -> Any:
    """A function that changes the name in a text; an unreadable text is unchanged."""

    def change(text: str) -> str:
        return with_name(text, old, new) if uses(text, old) else text

    return change


def _marked(name: Id) -> Any:
    """A function that changes every text that uses a name, to find it."""
    return lambda text: text + " " if uses(text, name) else text


def _refuse_bad_choice(item: Any) -> None:
    """Raise EngineError for a value that is not among the choices of its field."""
    for f in fields(item):
        choices = f.metadata.get("choices", ())
        if choices and getattr(item, f.name) not in choices:
            raise EngineError(
                "'{field}' must be one of: {listed}.", field=f.name, listed=", ".join(choices)
            )


def _floats(numbers: Any) -> tuple[float, ...]:
    return tuple(map(float, numbers))
