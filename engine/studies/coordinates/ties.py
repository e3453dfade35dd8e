"""Where the constraints of a description are: at the joints, or on distances that stay."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import sympy as sp

from engine.model.elements import Id
from engine.symbols.equations import Equations

if TYPE_CHECKING:
    from engine.studies.coordinates.natural import Natural

Place = tuple[
    int, tuple[float, float]
]  # a body, -1 for the ground, and a point from its mass centre


class Tie(NamedTuple):
    """n constraints at one place, or along the line between places."""

    n: int
    places: tuple[Place, ...]
    part: Id


def ties_of_joints(equations: Equations, without: Iterable[Id] = ()) -> tuple[Tie, ...]:
    """The rows of all joints but those whose coordinates fulfil them."""
    compiled, found = equations.compiled, []
    for id, rows in compiled.rows_of.items():
        count = sum(equations.Phi[int(k)] != 0 for k in rows)
        if id in without or not count:
            continue
        marker = getattr(compiled.model[id], "marker_j", "")
        if marker:
            places: tuple[Place, ...] = (_place(equations, marker),)
        else:  # teeth: from one wheel to the other
            met = {s for k in rows for s in equations.Phi[int(k)].free_symbols}
            bodies = [k for k, body in enumerate(equations.bodies) if met & set(body.q)]
            places = tuple((k, (0.0, 0.0)) for k in bodies)
        if places:
            found.append(Tie(count, places, id))
    return tuple(found)


def _place(equations: Equations, marker: Id) -> Place:
    """Where a marker is."""
    where = equations.marker(marker)
    x, y = (float(sp.sympify(x).xreplace(equations.names.values)) for x in where.P[:2])
    return (where.place if where.place < len(equations.bodies) else -1), (x, y)


def natural_ties(one: "Natural") -> tuple[Tie, ...]:
    """Distances inside bodies, and points that stay on guides."""
    found = []
    for k, on in one.on.items():
        points = [one.points[n] for n, _ in on]
        if len(points) > 1 or k in one.guided:
            places = tuple(
                (p.body, p.P if p.moves else (float(p.at[0]), float(p.at[1]))) for p in points
            )
            found.append(Tie(1, places, one.equations.compiled.body_ids[k]))
    return tuple(found)
