"""Channels of forces: length, rate, force, stored energy and power of laws; given loads.

The energy stored in a law is the quasi-static work done against it from its rest position,

    V(x) = integral from x0 to x of N_0(x) dx             N_0: see engine.kernels.forces.stored_tension

with x0 the free length or angle, or the inside of the stops. It is found by Gauss quadrature
between the sorted coordinates of all frames, in shorter pieces where N_0 bends. Damping stores nothing,
and neither does a force given by an expression: its work comes from outside.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from engine.errors import say
from engine.kernels import histories, layout
from engine.kernels.functions import STACK_SIZE, Functions
from engine.model.connections import Coordinate, Law, Load
from engine.model.elements import Id, Model
from engine.results.channels.channel import AXES, WORLD, Channel, component, joint_axes, vector
from engine.results.channels.motion import body_motion, marker_frame, marker_motion, turned
from engine.results.channels.parts import coordinates, part_of_laws

if TYPE_CHECKING:
    from engine.results.results import Results

_PANELS = 256  # least number of intervals of a spring's travel, also for runs of few frames
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(5)
_ROUNDING = 1e-15  # of the energy: shorter pieces would not change it
_HALVINGS = 40  # of the piece in which a law bends or jumps


_SENSES = {
    "driving": say(
        "Positive drives the coordinate up: it pushes the ends apart, or turns forwards."
    ),
    "restoring": say("Positive turns the angle back."),
    "tension": say("Positive pulls the ends together."),
}


class LawHistory(NamedTuple):
    """Coordinate, rate, tension, its stored part and energy of laws over all frames, (n, n_laws)."""

    x: np.ndarray
    rate: np.ndarray
    N: np.ndarray
    N_stored: np.ndarray
    energy: np.ndarray


def channels_of_laws(results: "Results", force: Any) -> Iterator[Channel]:
    """Each coordinate of a force, its rate and the force along it; energy and power of all."""
    compiled, id, who = results.compiled, force.id, force.label
    laws = compiled.resolved[id].laws(compiled.resolved)
    if not laws:
        return
    indices = np.array([k for k, owner in enumerate(compiled.law_ids) if owner == id])
    history = partial(law_history, results, indices)
    for n, law in enumerate(laws):
        yield from _channels_of_law(compiled.model, force, n, law, len(laws) > 1, history)
    energy, power = partial(_energy, history), partial(_power, history)
    yield Channel(f"{id}.energy", f"{who}: stored energy", "J", "", energy)
    yield Channel(f"{id}.power", f"{who}: power given to the bodies", "W", "", power)


def channels_of_loads(results: "Results", force: Any) -> Iterator[Channel]:
    """A given force or torque in world axes, and its power."""
    compiled, id = results.compiled, force.id
    first = 0
    for other in compiled.resolved.of("force"):
        loads = other.loads(compiled.resolved)
        if other.id == id:
            break
        first += len(loads)
    dim = compiled.system.dim
    for n, load in enumerate(loads):
        what, unit = ("torque", "N m") if load.kind == layout.TORQUE else ("force", "N")
        given = partial(load_history, results, load, first + n)
        label = f"{force.label}: {what}"
        about = say(
            "It acts on '{body}' at '{marker}'; the ground takes the opposite.",
            body=_body_label(compiled.model, load.marker),
            marker=compiled.model[load.marker].label,
        )
        if load.kind == layout.TORQUE and dim == 2:
            yield Channel(f"{id}.torque", label, unit, WORLD, component(given, 2), about)
        else:
            yield from vector(f"{id}.{what}_*", label, unit, WORLD, dim, given, about)
        power = partial(_load_power, results, load, first + n)
        yield Channel(f"{id}.power", f"{force.label}: power given to the bodies", "W", "", power)


def law_history(results: "Results", laws: np.ndarray) -> LawHistory:
    """Everything about some laws, given by their indices in the system."""
    part = part_of_laws(results.compiled.system, laws)
    seen = coordinates(results, part)
    N = _tensions(part.system.laws, part.system.functions, results.t, *seen)
    x, rate = (columns[:, part.system.laws["term"]] for columns in seen)
    N_stored, energy = np.zeros((2, *x.shape))
    for k, law in enumerate(part.system.laws):
        N_stored[:, k] = stored_tension(law, part.system.functions, x[:, k])
        energy[:, k] = stored_energy(law, part.system.functions, x[:, k])
    return LawHistory(x, rate, N, N_stored, energy)


def stored_energy(law: Any, functions: Functions, x: np.ndarray) -> np.ndarray:
    """V(x) of one law record of the kernels."""
    if law["kind"] == layout.EXPRESSION or len(x) == 0:
        return np.zeros(len(x))
    stops = law["param"][:2] if law["kind"] == layout.STOP else law["param"][2:3]
    everywhere = np.concatenate([x, stops])
    spread = np.linspace(everywhere.min(), everywhere.max(), _PANELS + 1)
    knots = np.unique(np.concatenate([everywhere, spread]))
    pieces = _integrals(partial(stored_tension, law, functions), knots)
    V = np.concatenate([[0.0], np.cumsum(pieces)])
    return V[np.searchsorted(knots, x)] - V[np.searchsorted(knots, stops[0])]


def stored_tension(law: Any, functions: Functions, x: np.ndarray) -> np.ndarray:
    """N_0(x) of one law record of the kernels."""
    N, args, stack = np.zeros(len(x)), np.zeros(5), np.zeros(STACK_SIZE)
    histories.stored_tensions(np.array([law]), functions, np.ascontiguousarray(x), args, stack, N)
    return N


def _integrals(f: Callable[[np.ndarray], np.ndarray], knots: np.ndarray) -> np.ndarray:
    """The integral of f between neighbouring knots; a piece is halved until its halves agree with it."""

    def gauss(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        points = 0.5 * ((a + b)[:, None] + (b - a)[:, None] * _NODES)
        return 0.5 * (b - a) * (f(points.ravel()).reshape(-1, len(_NODES)) @ _WEIGHTS)

    a, b, owner = knots[:-1], knots[1:], np.arange(len(knots) - 1)
    whole, found = gauss(a, b), np.zeros(len(knots) - 1)
    enough = _ROUNDING * np.abs(whole).sum()
    for _ in range(_HALVINGS):
        middle = 0.5 * (a + b)
        left, right = gauss(a, middle), gauss(middle, b)
        open_ = np.abs(left + right - whole) > enough
        np.add.at(found, owner[~open_], (left + right)[~open_])
        a, b = np.concatenate([a[open_], middle[open_]]), np.concatenate([middle[open_], b[open_]])
        whole, owner = np.concatenate([left[open_], right[open_]]), np.tile(owner[open_], 2)
        if not len(a):
            break
    np.add.at(found, owner, whole)
    return found


def _body_label(model: Model, marker: Id) -> str:
    """The name of the body that a marker is on."""
    body = model[marker].body
    return model[body].label if body in model else body


def load_history(results: "Results", load: Load, which: int) -> np.ndarray:
    """The components (n, 3) of a load in world axes."""
    system, n = results.compiled.system, len(results)
    given = np.zeros((3, n))
    for c, function in enumerate(system.loads[which]["function"]):
        args, stack = np.zeros(5), np.zeros(STACK_SIZE)
        histories.over_time(system.functions, function, results.t, args, stack, given[c])
    if not load.in_body_axes:
        return given.T
    return turned(body_motion(results, marker_frame(results.compiled, load.marker).body).R, given.T)


def _channels_of_law(
    model: Model, force: Any, n: int, law: Law, several: bool, history: Callable[[], LawHistory]
) -> Iterator[Channel]:
    """Coordinate, rate and force of the n-th law of a force."""
    id, who, coordinate = force.id, force.label, law.coordinate
    name, axis = _named(coordinate, several)
    words = name.replace("_", " ")
    unit = "rad" if coordinate.is_angle else "m"
    frame = joint_axes(model, coordinate.marker_i)
    what = "torque" if coordinate.is_angle else "force"
    given = law.kind == layout.EXPRESSION
    sense = "driving" if given else ("restoring" if coordinate.is_angle else "tension")
    sign = -1.0 if given else 1.0
    value, rate = (lambda: history().x[:, n]), (lambda: history().rate[:, n])
    yield Channel(f"{id}.{name}", f"{who}: {words}", unit, frame, value)
    yield Channel(f"{id}.{name}_rate", f"{who}: {words} rate", f"{unit}/s", frame, rate)
    yield Channel(
        f"{id}.{what}{axis}",
        f"{who}: {what}{axis.replace('_', ' ')} ({sense})",
        "N m" if coordinate.is_angle else "N",
        frame,
        lambda: sign * history().N[:, n],
        _SENSES[sense],
    )


def _named(coordinate: Coordinate, several: bool) -> tuple[str, str]:
    """The name of a law's coordinate and the suffix of its force; by axis if there are several."""
    if coordinate.kind == layout.ANGLE:
        about = AXES[3 - coordinate.axes[0] - coordinate.axes[1]]
        return (f"angle_{about}", f"_{about}") if several else ("angle", "")
    if coordinate.kind == layout.DISTANCE:
        return "length", ""
    along = AXES[coordinate.axes[0]]
    return (f"displacement_{along}", f"_{along}") if several else ("displacement", "")


def _energy(history: Callable[[], LawHistory]) -> np.ndarray:
    """The energy stored by all the laws of a force."""
    return history().energy.sum(axis=1)


def _power(history: Callable[[], LawHistory]) -> np.ndarray:
    """-sum N x_dot, the power that all the laws of a force give to the bodies."""
    found = history()
    return -(found.N * found.rate).sum(axis=1)


def _tensions(
    laws: np.ndarray, functions: Functions, t: np.ndarray, x: np.ndarray, rate: np.ndarray
) -> np.ndarray:
    """N of every law in every frame, (n, n_laws)."""
    N = np.zeros((len(t), len(laws)))
    args, stack = np.zeros(5), np.zeros(STACK_SIZE)
    histories.tensions(laws, functions, t, x, rate, args, stack, N)
    return N


def _load_power(results: "Results", load: Load, which: int) -> np.ndarray:
    """F . P_dot of a force, T . w of a torque."""
    given = load_history(results, load, which)
    if load.kind == layout.TORQUE:
        body = marker_frame(results.compiled, load.marker).body
        return (given * body_motion(results, body).w).sum(axis=1)
    return (given * marker_motion(results, load.marker).velocity).sum(axis=1)
