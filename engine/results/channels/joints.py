"""Channels of joints and motions: coordinates, reactions and multipliers.

A reaction is what the joint does to the body of marker j, at the origin of marker j. From the
generalised force Q = -D^T lam of the joint's own rows on that body,

    F = Q_r        T = (moment about the mass centre) - s x F        s = P_j - r

where the moment is Q_phi in the plane and R Q_w in space. If marker j sits on the ground, the
opposite of what acts on body i is taken, moved to P_j.
"""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from engine.compiling.system import linked, workspace
from engine.errors import say
from engine.kernels import histories
from engine.kernels.layout import ANGLE, DOT, System
from engine.kernels.state import layout_of
from engine.model.attachments import markers_of
from engine.model.elements import Id
from engine.results.channels.channel import (
    WORLD,
    Channel,
    body_words,
    component,
    doubt,
    joint_axes,
    magnitude,
    vector,
)
from engine.results.channels.motion import (
    body_motion,
    marker_frame,
    marker_motion,
    turned,
    turned_back,
)
from engine.results.channels.parts import coordinates, frames_of, part_of_rows, part_of_terms

if TYPE_CHECKING:
    from engine.results.results import Results


class Wrench(NamedTuple):
    """A force and a torque over all frames, world axes."""

    force: np.ndarray  # (n, 3)
    torque: np.ndarray  # (n, 3)


def coordinates_of_joint(results: "Results", joint: Any) -> Iterator[Channel]:
    """What may be measured in a joint, and its rates; angles count full turns."""
    compiled = results.compiled
    for name, coordinate in compiled.resolved[joint.id].coordinates(compiled.resolved).items():
        unit = "rad" if coordinate.is_angle else "m"
        label = f"{joint.label}: {name.replace('_', ' ')}"
        frame = joint_axes(compiled.model, coordinate.marker_i)
        value, rate = (
            partial(joint_coordinate, results, joint.id, name, which) for which in range(2)
        )
        about = say(
            "Of {j} as seen from {i}.",
            i=body_words(compiled.model, coordinate.marker_i),
            j=body_words(compiled.model, coordinate.marker_j),
        )
        yield Channel(f"{joint.id}.{name}", label, unit, frame, value, about)
        yield Channel(f"{joint.id}.{name}_rate", f"{label} rate", f"{unit}/s", frame, rate, about)


def reactions(results: "Results", element: Any) -> Iterator[Channel]:
    """Force and torque of a joint or motion on the body of marker j, at that marker."""
    ends = _markers(results, element)
    if ends is None or element.id not in results.compiled.rows_of:
        return
    compiled, id = results.compiled, element.id
    dim, (marker_i, marker_j) = compiled.system.dim, ends
    where = f"on {body_words(compiled.model, marker_j)}{doubt(results, id)}"

    def label(what: str) -> str:
        return f"{element.label}: {what} {where}"

    whole, about = partial(reaction, results, id, ends), _about_reaction(results, ends)
    force, torque = (lambda: whole().force), (lambda: whole().torque)
    yield magnitude(f"{id}.force", label("size of the force"), "N", force, about)
    same = "" if _are_turned(results, marker_i) else f"{id}."
    for suffix, frame, axes_of, words, twin in (
        ("", WORLD, None, "", ""),
        ("_joint", joint_axes(compiled.model, marker_i), marker_i, " in joint axes", same),
    ):
        f, t = (partial(_in_axes, results, part, axes_of) for part in (force, torque))
        pushes, turns = label("force") + words, label("torque") + words
        of_force, of_torque = (f"{twin}{what}_*" if twin else "" for what in ("force", "torque"))
        yield from vector(f"{id}.force_*{suffix}", pushes, "N", frame, dim, f, about, of_force)
        if dim == 3:
            yield from vector(
                f"{id}.torque_*{suffix}", turns, "N m", frame, dim, t, about, of_torque
            )
    if dim == 2:
        turn = component(torque, 2)
        yield Channel(f"{id}.torque", label("torque"), "N m", WORLD, turn, about)
    else:
        yield magnitude(f"{id}.torque", label("size of the torque"), "N m", torque, about)


def drive(results: "Results", motion: Any) -> Iterator[Channel]:
    """The force or torque of the driver along its coordinate, and its power."""
    compiled, id = results.compiled, motion.id
    joint = compiled.resolved[motion.joint]
    names = joint.coordinates(compiled.resolved)
    name = motion.coordinate or next(iter(names))
    unit = "N m" if names[name].is_angle else "N"
    frame = joint_axes(compiled.model, names[name].marker_i)
    force = partial(along_row, results, id)
    speed = partial(joint_coordinate, results, joint.id, name, 1)
    unsure = doubt(results, id)
    what = "driving torque" if names[name].is_angle else "driving force"
    about = say(
        "Positive drives the {name} of '{joint}' up.",
        name=name.replace("_", " "),
        joint=joint.label,
    )
    yield Channel(f"{id}.drive", f"{motion.label}: {what}{unsure}", unit, frame, force, about)
    label = f"{motion.label}: power{unsure}"
    yield Channel(f"{id}.power", label, "W", "", lambda: force() * speed())


def multipliers(results: "Results", element: Any) -> Iterator[Channel]:
    """The raw Lagrange multipliers of a joint or motion, row by row."""
    system = results.compiled.system
    for n, row in enumerate(results.compiled.rows_of.get(element.id, ()), 1):
        turns = _is_turn(system, row)
        label = f"{element.label}: multiplier {n}{doubt(results, element.id)}"
        column = component(lambda: results.lam, row)
        about = say("The generalised force of this row on the bodies is -D^T lam.")
        yield Channel(f"{element.id}.lam_{n}", label, "N m" if turns else "N", "", column, about)


def _is_turn(system: System, row: int) -> bool:
    """Whether the multiplier of a row is a torque: it holds an angle or a direction alone."""
    before = system.uses["row"][system.uses["row"] <= row]
    if row in system.formulas["row"] or not len(before):
        return False
    uses = system.uses[system.uses["row"] == before.max()]
    return len(uses) == 1 and system.terms["kind"][uses["term"][0]] in (ANGLE, DOT)


def joint_coordinate(results: "Results", joint: Id, name: str, which: int) -> np.ndarray:
    """The named coordinate of a joint (which = 0) or its rate (1) over all frames."""
    term = results.compiled.coordinates[joint, name]
    part = part_of_terms(results.compiled.system, np.array([term]))
    return coordinates(results, part)[which][:, 0]


def along_row(results: "Results", id: Id) -> np.ndarray:
    """-lam of the only row of an element: the force or torque that pushes its coordinate up."""
    return -results.lam[:, results.compiled.rows_of[id][0]]


def reaction(results: "Results", id: Id, ends: tuple[Id, Id]) -> Wrench:
    """The reaction of the rows of an element on the body of marker j, at its origin, world axes."""
    compiled = results.compiled
    rows = compiled.rows_of[id]
    part = part_of_rows(compiled.system, rows)
    layout = layout_of(part.system)
    Q = np.zeros((len(results), layout.n_v))
    lam = np.ascontiguousarray(results.lam[:, rows])
    ws = workspace(part.system)
    histories.reactions(linked(part.system, ws), *frames_of(results, part), lam, Q)
    i, j = (marker_frame(compiled, marker).body for marker in ends)
    on_ground = j == compiled.ground
    body, sign = (i, -1.0) if on_ground else (j, 1.0)
    k = int(np.searchsorted(part.bodies, body))
    push, turn = sign * Q[:, layout.velocity(k)], sign * Q[:, layout.spin(k)]
    moving = body_motion(results, body)
    F, moment = np.zeros((2, len(results), 3))
    if layout.dim == 2:
        F[:, :2], moment[:, 2:] = push, turn
    else:
        F, moment = push, turned(moving.R, turn)
    s = marker_motion(results, ends[1]).place - moving.r
    return Wrench(F, moment - np.cross(s, F))


def _in_axes(results: "Results", vectors: Any, marker: Id | None) -> np.ndarray:
    """Vectors on demand, turned from world axes to those of a marker."""
    if marker is None:
        return vectors()
    frame = marker_frame(results.compiled, marker)
    R = body_motion(results, frame.body).R @ frame.axes
    return turned_back(R, vectors())


def _markers(results: "Results", element: Any) -> tuple[Id, Id] | None:
    """Markers i and j of a joint, or of the joint of a motion; None for gears."""
    joint = results.compiled.resolved[element.joint] if element.family == "motion" else element
    markers = markers_of(joint)
    return (markers[0], markers[1]) if len(markers) == 2 else None


def _about_reaction(results: "Results", ends: tuple[Id, Id]) -> str:
    """Who acts on whom."""
    return say(
        "It acts on that body, at the joint; {other} takes the opposite.",
        other=body_words(results.compiled.model, ends[0]),
    )


def _are_turned(results: "Results", marker: Id) -> bool:
    """Whether the axes of a marker are ever other than those of the world."""
    frame = marker_frame(results.compiled, marker)
    return frame.body != results.compiled.ground or not (frame.axes == np.eye(3)).all()
