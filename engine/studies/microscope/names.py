"""The names of the equations of a model: those of bodies, and the rows of joints and motions."""

from typing import NamedTuple

import numpy as np

from engine.compiling.packing import count_rows
from engine.compiling.system import Compiled
from engine.errors import say
from engine.kernels import layout
from engine.kinematics.constraints import constraints
from engine.model.connections import Row
from engine.model.elements import Id

AXES = "xyz"
PER = {layout.POSITION: "", layout.VELOCITY: "/s", layout.ACCELERATION: "/s²"}
BODIES, JOINTS, PLACES, RATES = "bodies", "joints", "places", "rates"
PLAIN = (layout.DOT,)  # coordinates without a unit
SPEEDS = (layout.KNIFE, layout.DISC_SLIP)  # coordinates that are velocities already


class Equation(NamedTuple):
    """An equation with the part it belongs to, the unit of its residual, and the name of its unknown."""

    label: str
    part: Id
    unit: str
    unknown: str
    group: str  # bodies, joints; or places, rates


def of_motion(compiled: Compiled) -> list[Equation]:
    """M a + D^T lam = f of every velocity, then Phi = 0 of every row, in the order of the engine."""
    return [*_of_bodies(compiled), *_of_rows(compiled)]


def of_states(compiled: Compiled) -> list[Equation]:
    """Y = g + c f(t, Y) of every number of (q, v)."""
    places, speeds = [], []
    for k, id in enumerate(compiled.body_ids):
        label = compiled.resolved[id].label
        for n in range(len(range(*compiled.layout.q(k).indices(compiled.layout.n_q)))):
            name, unit = _coordinate(compiled, n)
            said = say("{name} of '{body}'", name=name, body=label)
            places.append(Equation(said, id, unit, said, PLACES))
        for name, unit in _velocities(compiled, k):
            rate = say("rate of {name} of '{body}'", name=name, body=label)
            per = {"N": "m/s", "N m": "rad/s"}.get(unit, "1/s")
            speeds.append(Equation(rate, id, per, rate, RATES))
    return [*places, *speeds]


def _coordinate(compiled: Compiled, n: int) -> tuple[str, str]:
    """The name and unit of coordinate n of a body."""
    dim = compiled.system.dim
    if n < dim:
        return AXES[n], "m"
    if dim == 2:
        return (say("angle"), "rad") if n == 2 else (say("mode {n}", n=n - 2), "1")
    return say("orientation {n}", n=n - 2), "1"


def _velocities(compiled: Compiled, k: int) -> list[tuple[str, str]]:
    """The name of every velocity of body k, and the unit of its equation of motion."""
    dim = compiled.system.dim
    found = [(AXES[n], "N") for n in range(dim)]
    turns = [say("angle")] if dim == 2 else [say("turn about {axis}", axis=a) for a in AXES]
    found += [(turn, "N m") for turn in turns]
    n_modes = compiled.layout.n_modes(k)
    return [*found, *((say("mode {n}", n=n + 1), "1") for n in range(n_modes))]


def _of_bodies(compiled: Compiled) -> list[Equation]:
    found = []
    for k, id in enumerate(compiled.body_ids):
        label = compiled.resolved[id].label
        for name, unit in _velocities(compiled, k):
            said = say("{name} of '{body}'", name=name, body=label)
            found.append(Equation(said, id, unit, say("acceleration"), BODIES))
    return found


def _of_rows(compiled: Compiled) -> list[Equation]:
    """Every row with its equation; those of a difference of points have an axis each."""
    found: list[Equation | None] = [None] * compiled.n_rows
    told = iter(constraints(compiled))
    for element in compiled.resolved:
        if element.id not in compiled.rows_of:
            continue
        places = iter(map(int, compiled.rows_of[element.id]))
        for row in element.rows(compiled.resolved):
            one, count = next(told), count_rows(row, compiled.system.dim)
            for n in range(count):
                along = f" ({AXES[n]})" if count > 1 else ""
                said = say("'{joint}': {equation}", joint=one.label, equation=one.equation + along)
                unit = _unit(row)
                found[next(places)] = Equation(said, one.id, unit, say("multiplier"), JOINTS)
    return [one for one in found if one is not None]


def _unit(row: Row) -> str:
    """The unit of the residual of a row at the level where it starts."""
    if row.typed is not None:
        return "1"
    first = row.terms[0][1]
    base = "rad" if first.is_angle else "1" if first.kind in PLAIN else "m"
    if first.kind in SPEEDS:
        return base + PER[min(row.level, layout.VELOCITY)]
    return base + PER[row.level]


def in_order(compiled: Compiled) -> np.ndarray:
    """The places of the equations of motion as a person reads them: bodies, then rows joint by joint."""
    rows = [int(k) for id in compiled.model.elements for k in compiled.rows_of.get(id, ())]
    return np.array(
        [*range(compiled.layout.n_v), *(compiled.layout.n_v + k for k in rows)], dtype=int
    )
