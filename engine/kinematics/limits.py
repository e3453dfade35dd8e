"""Stops and triggers on the wrong side of their limits at the start, in sentences.

A run goes on all the same, because what is typed is a spring: a stop that starts beyond its limit pushes
from the start with k d, as a clamped buffer does. But nobody should see a body fly away without being told.
"""

from typing import Any

import numpy as np

from engine.compiling.checks import Problem
from engine.compiling.system import Compiled, linked, workspace
from engine.errors import say
from engine.kernels import histories
from engine.kernels.acting.interactions import DEPTH, N_TOLD, SPOT
from engine.kernels.layout import ANGLE
from engine.kinematics.assemble import Start
from engine.kinematics.evaluate import fill
from engine.model.attachments import markers_of
from engine.model.connections import body_of, interactions_of
from engine.model.elements import Id
from engine.model.forces.contact import Contact
from engine.model.forces.joint_forces import JointLimits
from engine.model.places import place_in_world
from engine.model.triggers import Trigger

DEEP = 5e-3  # of the size of the model: shapes that overlap less are pressed
AROUND = 0.3  # of the size of the lighter body: so far from an overlap is the joint that causes it
ON = 1e-9  # of the size of the model, or rad: a value this near to a limit is on it


def beyond_limits(compiled: Compiled, start: Start) -> list[Problem]:
    """The stops that press, shapes that overlap, and triggers that are on their limit at the start."""
    system, model = compiled.system, compiled.resolved
    if not len(system.switches):
        return []
    x, rate = fill(compiled, workspace(system), 0.0, start.q, start.v)
    found = []
    overlapping: dict[Id, float] = {}
    for which, depth in depths(compiled, start.q, start.v).items():
        id = compiled.interaction_ids[which]
        overlapping[id] = max(overlapping.get(id, 0.0), depth)
    for switch, id in zip(system.switches, compiled.switch_ids):
        if switch["term"] < 0 and switch["law"] < 0:
            continue
        element, term = model[id], int(switch["term"])
        near = ON * (1.0 if system.terms["kind"][term] == ANGLE else compiled.length)
        if isinstance(element, JointLimits):
            found += _of_stop(compiled, element, int(switch["law"]), float(x[term]), near)
        elif isinstance(element, Trigger):
            watched = float(rate[term] if switch["of_rate"] else x[term])
            if abs(watched - float(switch["value"])) <= near:
                found.append(
                    Problem(
                        say(
                            "Trigger '{trigger}' starts on its limit: leaving it does not count, it is "
                            "met when the value comes back. Change its limit if it should be met before.",
                            trigger=element.label,
                        ),
                        (id,),
                    )
                )
    return found + [
        _of_contact(compiled, start, id, depth)
        for id, depth in overlapping.items()
        if depth > DEEP * compiled.length
    ]


def contact_modes(compiled: Compiled, t: np.ndarray, y: np.ndarray) -> dict[int, np.ndarray]:
    """The branches of all contacts in some frames, by the number of their switch."""
    contacts = np.flatnonzero(compiled.system.switches["contact"] >= 0)
    if not len(contacts):
        return {}
    ws = workspace(compiled.system)
    out = np.zeros((len(t), len(compiled.switch_ids)))
    histories.branches(linked(compiled.system, ws), t, y, np.zeros(len(ws.angle)), out)
    return {int(which): out[:, which] for which in contacts}


def depths(compiled: Compiled, q: np.ndarray, v: np.ndarray) -> dict[int, float]:
    """How deep shapes overlap in a pose, by the number of the interaction; those alone that do."""
    y, t = np.ascontiguousarray(compiled.layout.y(q, v, compiled.z0)[None]), np.zeros(1)
    modes = contact_modes(compiled, t, y)
    pressed = [which for which, mode in modes.items() if mode[0] != 0.0]
    if not pressed:
        return {}
    ws, found = workspace(compiled.system), {}
    table, rates = linked(compiled.system, ws), np.zeros(len(compiled.system.terms))
    for k in compiled.system.switches["contact"][pressed].tolist():
        out = np.zeros((1, 7 + N_TOLD))
        histories.wrenches(table, t, y, np.zeros((1, compiled.n_rows)), k, rates, out)
        found[k] = float(out[0, 7 + DEPTH])
    return found


def overlaps(compiled: Compiled, start: Start) -> tuple[Id, ...]:
    """The contacts whose shapes overlap at the start by more than what presses."""
    found = depths(compiled, start.q, start.v)
    deep = (k for k, depth in found.items() if depth > DEEP * compiled.length)
    return tuple(dict.fromkeys(compiled.interaction_ids[k] for k in deep))


def _joint_between(compiled: Compiled, start: Start, id: Id, depth: float) -> Id:
    """The joint about which the shapes of a contact overlap; empty where there is none."""
    model: Any = compiled.resolved
    if not isinstance(model[id], Contact):
        return ""
    near = AROUND * model[id].lighter(model)[1]
    ws, y = workspace(compiled.system), compiled.layout.y(start.q, start.v, compiled.z0)
    table, rates = linked(compiled.system, ws), np.zeros(len(compiled.system.terms))
    y, no_lam = np.ascontiguousarray(y[None]), np.zeros((1, compiled.n_rows))
    every = interactions_of(model)
    for which in (k for k, owner in enumerate(compiled.interaction_ids) if owner == id):
        out, one = np.zeros((1, 7 + N_TOLD)), every[which][1]
        histories.wrenches(table, np.zeros(1), y, no_lam, which, rates, out)
        if out[0, 7 + DEPTH] < depth:
            continue
        touching = {body_of(model, one.marker_i), body_of(model, one.marker_j)}
        spot = out[0, 7 + SPOT : 7 + SPOT + model.dim]
        for joint in model.of("joint"):
            ends = [m for m in markers_of(joint) if m in model]
            if {model[m].body for m in ends} == touching:
                place = place_in_world(model, ends[0])[0]
                if float(np.linalg.norm(place[: model.dim] - spot)) < near:
                    return str(joint.id)
    return ""


def _of_contact(compiled: Compiled, start: Start, id: Id, depth: float) -> Problem:
    """Shapes that overlap at the start."""
    joint = _joint_between(compiled, start, id, depth)
    if joint:
        return Problem(
            say(
                "The shapes of contact '{contact}' overlap by {depth:.4g} m where '{joint}' joins them. "
                "Leave out the region of the joint: let a circle or a point touch where they may meet.",
                contact=compiled.resolved[id].label,
                depth=depth,
                joint=compiled.resolved[joint].label,
            ),
            (id, joint),
        )
    return Problem(
        say(
            "The shapes of contact '{contact}' overlap by {depth:.4g} m at the start, so they fly apart. "
            "Move them apart.",
            contact=compiled.resolved[id].label,
            depth=depth,
        ),
        (id,),
    )


def _of_stop(
    compiled: Compiled, limits: JointLimits, law: int, x: float, near: float
) -> list[Problem]:
    """A stop that is beyond its limit at the start."""
    param = compiled.system.laws[law]["param"]
    depth = max(float(param[0]) - x, x - float(param[1]))
    if depth <= near:
        return []
    turns = compiled.system.terms["kind"][compiled.system.laws[law]["term"]] == ANGLE
    return [
        Problem(
            say(
                "Joint '{joint}' starts {depth} beyond the {side} stop of '{limits}', which pushes it back "
                "with {push:.3g} {unit} from the start. Move its bodies, or the stop.",
                joint=compiled.resolved[limits.joint].label,
                depth=say("{angle:.4g} degrees", angle=np.degrees(depth))
                if turns
                else say("{length:.4g} m", length=depth),
                side=say("lower") if x < param[0] else say("upper"),
                limits=limits.label,
                push=float(param[2]) * depth,
                unit="N m" if turns else "N",
            ),
            (limits.id, limits.joint),
        )
    ]
