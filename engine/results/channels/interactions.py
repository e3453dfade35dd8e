"""Channels of laws of markers: force and torque on the marker that is seen, and their power."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.compiling.system import linked, workspace
from engine.errors import say
from engine.kernels import histories
from engine.kernels.acting.interactions import (
    DEPTH,
    FRICTION,
    LAG,
    N_TOLD,
    PRESSURE,
    SLIDING,
    STORED,
)
from engine.model.connections import Interaction, body_of
from engine.model.elements import Model
from engine.model.forces import ContactAll
from engine.results.channels.channel import (
    WORLD,
    Channel,
    component,
    doubt,
    magnitude,
    vector,
)
from engine.results.channels.contacts import channels_of_contact, folded

WIDTH = 7 + N_TOLD  # force, torque, power and the rest

if TYPE_CHECKING:
    from engine.results.results import Results


def channels_of_interactions(results: "Results", force: Any) -> Iterator[Channel]:
    """Force and torque of an element on marker j in world axes, their sizes, and the power of both.

    What happens at several points at once, as between teeth, is told of the mean point, by the force there.
    """
    compiled, id, who = results.compiled, force.id, force.label
    which = [k for k, owner in enumerate(compiled.interaction_ids) if owner == id]
    if not which:
        return
    if isinstance(force, ContactAll):
        yield from _of_many(results, force, which)
        return
    found = compiled.resolved[id].interactions(compiled.resolved)
    if found[0].law == "cable":
        yield from _of_cable(results, force, which)
        return
    about = _about(compiled.model, found[0])
    dim, whole = compiled.system.dim, partial(_wrench, results, which)
    push, turn = partial(_columns, whole, slice(0, 3)), partial(_columns, whole, slice(3, 6))
    if any(one.pushes for one in found):
        yield from vector(f"{id}.force_*", f"{who}: force", "N", WORLD, dim, push, about)
        yield magnitude(f"{id}.force", f"{who}: size of the force", "N", push, about)
    if any(one.turns for one in found) and dim == 2:
        turned = component(turn, 2)
        yield Channel(f"{id}.torque", f"{who}: torque", "N m", WORLD, turned, about)
    elif any(one.turns for one in found):
        yield from vector(f"{id}.torque_*", f"{who}: torque", "N m", WORLD, dim, turn, about)
        yield magnitude(f"{id}.torque", f"{who}: size of the torque", "N m", turn, about)
    label = f"{who}: power given to the bodies"
    yield Channel(f"{id}.power", label, "W", "", component(whole, 6))
    if any(one.stores for one in found):
        label = f"{who}: stored energy"
        yield Channel(f"{id}.energy", label, "J", "", component(whole, 7 + STORED))
    if found[0].touches:
        yield from channels_of_contact(results, force, which, partial(_stacked, results, which))
    if found[0].joint:
        yield from _of_joint_friction(results, force, which, doubt(results, found[0].joint))
    for k, one in zip(which, found):
        yield from _states(results, force, k, one)


def _of_many(results: "Results", force: Any, which: list[int]) -> Iterator[Channel]:
    """What all contacts of many bodies tell together."""
    id, who = force.id, force.label
    told = partial(_totals, results, which)
    for name, label, unit, column in (
        ("normal_force", "normal forces together", "N", histories.TOTAL_NORMAL),
        ("friction", "friction together", "N", histories.TOTAL_FRICTION),
        ("depth", "greatest depth", "m", histories.DEEPEST),
        ("touching", "shapes and corners that press", "", histories.HOW_MANY),
        ("energy", "stored energy", "J", histories.TOTAL_STORED),
        ("power", "power given to the bodies", "W", histories.TOTAL_POWER),
    ):
        yield Channel(f"{id}.{name}", f"{who}: {label}", unit, "", component(told, column))


def _totals(results: "Results", which: list[int]) -> np.ndarray:
    """What the contacts of one element, which are packed in a row, tell together in every frame."""
    compiled = results.compiled
    out, ws = np.zeros((len(results), histories.N_TOTALS)), workspace(compiled.system)
    y, rates = compiled.layout.y(results.q, results.v, results.z), np.zeros(len(ws.angle))
    table = linked(compiled.system, ws)
    histories.totals(table, results.t, y, which[0], which[-1] + 1, rates, out)
    return out


def _of_cable(results: "Results", cable: Any, which: list[int]) -> Iterator[Channel]:
    """How hard a cable pulls, how long it is, and how far it lies on its pulley."""
    id, who = cable.id, cable.label
    told = partial(wrench_history, results, which[0])
    about = say("It pulls both ends towards the pulley, or towards each other where it hangs free.")
    for name, label, unit, column, words in (
        ("tension", "tension", "N", 7 + PRESSURE, about),
        ("length", "length", "m", 7 + DEPTH, ""),
        ("rate", "rate of the length", "m/s", 7 + SLIDING, ""),
        ("wrapped", "angle over which it lies on the pulley", "rad", 7 + LAG, ""),
        ("energy", "stored energy", "J", 7 + STORED, ""),
    ):
        yield Channel(f"{id}.{name}", f"{who}: {label}", unit, "", component(told, column), words)
    power = component(partial(_wrench, results, which), 6)
    yield Channel(f"{id}.power", f"{who}: power given to the bodies", "W", "", power)


def _of_joint_friction(
    results: "Results", force: Any, which: list[int], unsure: str
) -> Iterator[Channel]:
    """What rubs in a joint, and how fast; never negative."""
    each = partial(_stacked, results, which)
    about = say("The sum of what its bearings, edges, collar or thread carry.")
    for name, label, unit, column, words in (
        ("normal_force", f"normal force{unsure}", "N", PRESSURE, about),
        ("friction", f"friction{unsure}", "N", FRICTION, say("At the surfaces that slide.")),
        ("sliding_speed", "sliding speed", "m/s", SLIDING, say("Of the surfaces.")),
    ):
        compute = partial(folded, each, column, np.sum)
        yield Channel(f"{force.id}.{name}", f"{force.label}: {label}", unit, "", compute, words)


def _stacked(results: "Results", which: list[int]) -> np.ndarray:
    """What each of some interactions tells, (n_interactions, n, WIDTH)."""
    return np.array([wrench_history(results, k) for k in which])


def _states(results: "Results", force: Any, which: int, one: Interaction) -> Iterator[Channel]:
    """The states of an interaction that have a name."""
    first = int(results.compiled.system.interactions[which]["z_at"])
    for n, state in enumerate(one.states):
        if state.name:
            name, label = (
                f"{force.id}.{state.name}",
                f"{force.label}: {state.name.replace('_', ' ')}",
            )
            yield Channel(name, label, state.unit, "", component(lambda: results.z, first + n))


def wrench_history(results: "Results", which: int) -> np.ndarray:
    """Force, torque, power and what else one interaction tells in every frame, (n, 7 + N_TOLD)."""
    compiled = results.compiled
    out, ws = np.zeros((len(results), WIDTH)), workspace(compiled.system)
    if results.beginning is not None:
        ws.angle[:] = results.beginning.angle
    y, rates = compiled.layout.y(results.q, results.v, results.z), np.zeros(len(ws.angle))
    table, lam = linked(compiled.system, ws), np.ascontiguousarray(results.lam)
    histories.wrenches(table, results.t, y, lam, which, rates, out)
    return out


def stored_energy(results: "Results") -> np.ndarray:
    """What all interactions store together."""
    compiled, stored = results.compiled, np.zeros(len(results))
    alone = []
    for id in dict.fromkeys(compiled.interaction_ids):
        which = [k for k, owner in enumerate(compiled.interaction_ids) if owner == id]
        if isinstance(compiled.resolved.elements.get(id), ContactAll):
            stored += _totals(results, which)[:, histories.TOTAL_STORED]
        else:
            alone += which
    return stored + _wrench(results, alone)[:, 7 + STORED]


def _wrench(results: "Results", which: list[int]) -> np.ndarray:
    """The sum of some interactions on the same marker."""
    return sum((wrench_history(results, k) for k in which), np.zeros((len(results), WIDTH)))


def _columns(whole: Callable[[], np.ndarray], columns: slice) -> np.ndarray:
    return whole()[:, columns]


def _about(model: Model, one: Interaction) -> str:
    """On whom it acts, and who takes the opposite."""
    body, other = body_of(model, one.marker_j), body_of(model, one.marker_i)
    return say(
        "It acts on {body}; {other} takes the opposite, at the same point.",
        body=model[body].label if body in model else say("the ground"),
        other=model[other].label if other in model else say("the ground"),
    )
