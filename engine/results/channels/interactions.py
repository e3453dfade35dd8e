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
    N_TOLD,
    PRESSURE,
    SLIDING,
    SPOT,
    STORED,
)
from engine.model.connections import Interaction
from engine.model.elements import GROUND, Model
from engine.results.channels.channel import WORLD, Channel, component, magnitude, vector

WIDTH = 7 + N_TOLD  # force, torque, power and the rest

if TYPE_CHECKING:
    from engine.results.results import Results


def channels_of_interactions(results: "Results", force: Any) -> Iterator[Channel]:
    """Force and torque of an element on marker j in world axes, their sizes, and the power of both."""
    compiled, id, who = results.compiled, force.id, force.label
    which = [k for k, owner in enumerate(compiled.interaction_ids) if owner == id]
    if not which:
        return
    found = compiled.resolved[id].interactions(compiled.resolved)
    about = _about(compiled.model, found[0])
    dim, whole = compiled.system.dim, partial(_wrench, results, which)
    push, turn = partial(_columns, whole, slice(0, 3)), partial(_columns, whole, slice(3, 6))
    if not all(one.turns for one in found):
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
        yield from _of_contact(results, force, which)
    for k, one in zip(which, found):
        yield from _states(results, force, k, one)


def _of_contact(results: "Results", force: Any, which: list[int]) -> Iterator[Channel]:
    """How deep shapes press, how hard, and how they slide; of several corners the sum, or the deepest."""
    id, who = force.id, force.label
    each = partial(_stacked, results, which)
    for name, label, unit, column, fold in (
        ("normal_force", "normal force", "N", PRESSURE, np.sum),
        ("friction", "friction", "N", FRICTION, np.sum),
        ("depth", "depth; negative: distance", "m", DEPTH, np.max),
    ):
        yield Channel(
            f"{id}.{name}", f"{who}: {label}", unit, "", partial(_folded, each, column, fold)
        )
    yield Channel(f"{id}.pressed", f"{who}: 1 where it presses", "", "", partial(_pressed, each))
    if len(which) == 1:
        sliding = partial(_folded, each, SLIDING, np.sum)
        about = say("Of the second shape against the first, along the tangent of the contact.")
        yield Channel(f"{id}.sliding_speed", f"{who}: sliding speed", "m/s", "", sliding, about)
        dim = results.compiled.system.dim
        spot = partial(_columns, partial(_wrench, results, which), slice(7 + SPOT, 10 + SPOT))
        yield from vector(f"{id}.*", f"{who}: point of contact", "m", WORLD, dim, spot)


def _stacked(results: "Results", which: list[int]) -> np.ndarray:
    """What each of some interactions tells, (n_interactions, n, WIDTH)."""
    return np.array([wrench_history(results, k) for k in which])


def _folded(each: Callable[[], np.ndarray], column: int, fold: Any) -> np.ndarray:
    """One number that is told, of all interactions together."""
    return np.asarray(fold(each()[:, :, 7 + column], axis=0))


def _pressed(each: Callable[[], np.ndarray]) -> np.ndarray:
    """1 in frames in which a normal force acts."""
    return (_folded(each, PRESSURE, np.sum) > 0.0).astype(float)


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
    histories.wrenches(linked(compiled.system, ws), results.t, y, which, rates, out)
    return out


def stored_energy(results: "Results") -> np.ndarray:
    """What all interactions store together."""
    every = range(len(results.compiled.interaction_ids))
    return _wrench(results, list(every))[:, 7 + STORED]


def _wrench(results: "Results", which: list[int]) -> np.ndarray:
    """The sum of some interactions on the same marker."""
    return sum((wrench_history(results, k) for k in which), np.zeros((len(results), WIDTH)))


def _columns(whole: Callable[[], np.ndarray], columns: slice) -> np.ndarray:
    return whole()[:, columns]


def _about(model: Model, one: Interaction) -> str:
    """On whom it acts, and who takes the opposite."""
    body = model[one.marker_j].body
    other = model[one.marker_i].body if one.marker_i in model else GROUND
    return say(
        "It acts on {body}; {other} takes the opposite, at the same point.",
        body=model[body].label if body in model else say("the ground"),
        other=model[other].label if other in model else say("the ground"),
    )
