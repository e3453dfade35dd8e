"""The spanning tree of a planar model, as the reduction needs it; in this process, where the model is."""

from collections import deque

import sympy as sp

from engine.errors import EngineError
from engine.model.joints import PointOnLine, Prismatic, Revolute, Weld
from engine.symbols.equations import Equations
from engine.symbols.frames import Marker
from engine.symbols.reduced.reduction import Link, Problem
from engine.symbols.traced import real

TREE = (
    Revolute,
    Prismatic,
    Weld,
    PointOnLine,
)  # joints whose bodies are placed by their coordinates
MOST_BODIES = 12


def problem_of(equations: Equations) -> Problem:
    """What a reduction of this planar model starts from; EngineError says why there is none."""
    check_rows(equations, MOST_BODIES)
    links, used = _tree(equations)
    compiled = equations.compiled
    closing = [
        equations.Phi[int(k)]
        for id in compiled.rows_of
        if id not in used
        for k in compiled.rows_of[id]
    ]
    drawn = dict(
        zip((*equations.q, *equations.v), (*map(float, compiled.q0), *map(float, compiled.v0)))
    )
    names = tuple(equations.names.index[id] for id in compiled.body_ids)
    for link in links:
        if link.slides:
            term = compiled.coordinates[link.joint, "displacement"]
            drawn[real(f"s_{names[link.there]}")] = float(compiled.system.terms["drawn"][term])
    return Problem(
        tuple(equations.q),
        tuple(equations.v),
        tuple(equations.M[k, k] for k in range(len(equations.v))),
        tuple(equations.f),
        tuple(links),
        tuple(x for x in closing if x != 0),
        names,
        {**equations.names.values, **drawn},
    )


def check_rows(equations: Equations, most: int) -> None:
    """Raise EngineError for what no coordinates of joints can express, with what to do instead."""
    compiled = equations.compiled
    if len(compiled.body_ids) > most:
        raise EngineError(
            "{count} bodies are too many for the reduced equation, which is made for up to {most}. Look at "
            "the other views, or at the numbers.",
            count=len(compiled.body_ids),
            most=most,
        )
    late = [
        id
        for id, rows in compiled.rows_of.items()
        if (compiled.system.rows["level"][rows] > 0).any()
    ]
    if late:
        raise EngineError(
            "'{name}' constrains velocities, which coordinates of joints cannot express. Look at the other "
            "views instead.",
            late[0],
            name=compiled.model[late[0]].label,
        )
    teeth = [s for x in equations.f for s in x.free_symbols if s in set(equations.lam)]
    if teeth or equations.outside:
        symbol = teeth[0] if teeth else next(iter(equations.outside))
        id = equations.names.owners[symbol]
        raise EngineError(
            "The force of '{name}' depends on reactions or has no formula, so that it cannot be "
            "eliminated. Look at the other views instead.",
            id,
            name=compiled.model[id].label,
        )


def _tree(equations: Equations) -> tuple[list[Link], set[str]]:
    """Links from the ground outwards, breadth first, and the joints that became links."""
    ground = len(equations.bodies)
    edges: dict[int, list] = {k: [] for k in range(ground + 1)}
    for joint in equations.model.of("joint"):
        if isinstance(joint, TREE):
            i, j = equations.marker(joint.marker_i), equations.marker(joint.marker_j)
            edges[i.place].append((joint, i, j, True))
            edges[j.place].append((joint, j, i, False))
    links: list[Link] = []
    placed, used, queue = {ground}, set(), deque([ground])
    while queue:
        for joint, near, far, forwards in edges[queue.popleft()]:
            if far.place not in placed:
                is_point = bool(equations.compiled.is_particle[far.place])
                links.append(_link(joint, near, far, forwards, ground, is_point))
                placed.add(far.place)
                used.add(joint.id)
                queue.append(far.place)
    free = [k for k in range(ground) if k not in placed]
    if free:
        raise EngineError(
            "'{name}' is not tied to the ground by pins, guides or welds, so that no joint gives it "
            "coordinates. Look at the other views instead.",
            equations.compiled.body_ids[free[0]],
            name=equations.compiled.model[equations.compiled.body_ids[free[0]]].label,
        )
    return links, used


def _link(
    joint: object, near: Marker, far: Marker, forwards: bool, ground: int, is_point: bool
) -> Link:
    """A joint as a step from a placed body to the next."""
    guide = near if forwards else far
    return Link(
        joint=joint.id,  # type: ignore[attr-defined]
        here=-1 if near.place == ground else near.place,
        there=far.place,
        P_here=(near.P[0], near.P[1]),
        P_there=(far.P[0], far.P[1]),
        turns=isinstance(joint, Revolute | PointOnLine) and not is_point,
        slides=isinstance(joint, Prismatic | PointOnLine),
        guide_on_here=forwards,
        guide_angle=guide.angle,
        offset=sp.sympify(near.angle - far.angle),
    )
