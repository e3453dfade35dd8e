"""The spanning tree of a model: which joints carry the bodies, and which are cut.

Every joint removes rows, and those of the tree need no multipliers: so the tree takes joints with most rows
first, then those nearest to the ground, which keeps loops short (Prim's algorithm). A body that no joint
reaches hangs on the ground by a free joint. What is left is cut: joints that close loops, those that carry
nothing because their motion has no coordinates (rods, gears, knife edges ...) or hold on one side only, and
motions.

A run in the plane takes the rod of a particle into the tree as well: it turns about its other end, with the
particle as its tip. What hangs on such a particle turns about it and nothing else: a rod has no axes to
slide on.
"""

import heapq
from typing import Any, NamedTuple

from engine.compiling.geometry import Geometry
from engine.compiling.system import Compiled
from engine.compiling.typed_rows import rows_of_time
from engine.kernels.trees.layout import BALL, HINGE
from engine.model.elements import Id
from engine.model.joints import Rod
from engine.model.joints.base import Carry, Joint

BY_ROD = Carry(turn=HINGE)  # how a particle hangs on a rod, in the plane


class Branch(NamedTuple):
    """How one body hangs in the tree."""

    body: int
    parent: int  # the body that carries it; n_bodies: the ground
    joint: Any  # the joint; None: it is free
    carry: Carry | None
    is_reversed: bool  # the predecessor has marker j

    @property
    def is_rod(self) -> bool:
        """Whether a particle hangs on a rod."""
        return isinstance(self.joint, Rod)


class Spanning(NamedTuple):
    """A tree and what is cut."""

    branches: tuple[Branch, ...]  # predecessors first, depth first
    cuts: tuple[Id, ...]  # elements whose rows need multipliers, in the order of the model


class _Way(NamedTuple):
    """A joint by which one body may carry another."""

    rows: int
    carry: Carry
    joint: Joint
    is_reversed: bool
    to: int


def spanning_tree(compiled: Compiled, *, rods: bool = False) -> Spanning:
    """The tree of a model; with `rods` those of particles in the plane are part of it."""
    n = compiled.system.n_bodies
    ways = _ways(compiled)
    if rods and compiled.system.dim == 2:
        _add_rods(compiled, ways)
    found: dict[int, Branch] = {}
    depth = {n: 0}
    heap: list[tuple[int, int, int, int]] = []  # rows, depth, body, number of the way

    def offer(body: int) -> None:
        on_rod = body in found and found[body].is_rod
        for k, way in enumerate(ways[body]):
            if way.to not in depth and not (on_rod and way.carry[:2] != BY_ROD[:2]):
                heapq.heappush(heap, (-way.rows, depth[body] + 1, body, k))

    offer(n)
    while len(found) < n:
        if heap:
            _, deep, body, k = heapq.heappop(heap)
            way = ways[body][k]
            if way.to in depth:
                continue
            branch = Branch(way.to, body, way.joint, way.carry, way.is_reversed)
        else:  # the best connected body of those that nothing reaches
            left = [k for k in range(n) if k not in depth]
            branch = Branch(max(left, key=lambda k: len(ways[k])), n, None, None, False)
            deep = 1
        found[branch.body], depth[branch.body] = branch, deep
        offer(branch.body)
    used = {branch.joint.id for branch in found.values() if branch.joint is not None}
    return Spanning(_depth_first(found, n), tuple(id for id in compiled.rows_of if id not in used))


def _ways(compiled: Compiled) -> list[list[_Way]]:
    """All ways to hang one body on another, by the body that carries."""
    model, n, dim = compiled.resolved, compiled.system.n_bodies, compiled.system.dim
    geometry = Geometry(model)
    driven = set(compiled.system.driven["row"].tolist())
    ways: list[list[_Way]] = [[] for _ in range(n + 1)]
    for id, rows in compiled.rows_of.items():
        joint = model[id]
        is_held = isinstance(joint, Joint) and id not in compiled.gate_ids  # both ways, always
        carry = joint.carries.get(dim) if is_held else None
        if carry is None or driven & set(rows.tolist()):
            continue
        i, j = geometry.marker(joint.marker_i)[0], geometry.marker(joint.marker_j)[0]
        for one, other, is_reversed in ((i, j, False), (j, i, True)):
            allowed = carry.both_ways or not is_reversed
            if one != other and other < n and allowed and _holds(compiled, carry, other):
                ways[one].append(_Way(len(rows), carry, joint, is_reversed, other))
    return ways


def _add_rods(compiled: Compiled, ways: list[list[_Way]]) -> None:
    """Let the rods of constant length carry particles; changes the ways."""
    n, geometry = compiled.system.n_bodies, Geometry(compiled.resolved)
    moved = {*compiled.system.driven["row"].tolist(), *rows_of_time(compiled.system).tolist()}
    for id, rows in compiled.rows_of.items():
        joint = compiled.resolved[id]
        if not isinstance(joint, Rod) or joint.is_one_sided or moved & set(rows.tolist()):
            continue
        (i, P_i, _), (j, P_j, _) = map(geometry.marker, (joint.marker_i, joint.marker_j))
        for one, other, P, is_reversed in ((i, j, P_j, False), (j, i, P_i, True)):
            if one != other and other < n and compiled.is_particle[other] and not P.any():
                ways[one].append(_Way(len(rows), BY_ROD, joint, is_reversed, other))


def _holds(compiled: Compiled, carry: Carry, body: int) -> bool:
    """Whether a body can hang on a joint: a particle, which never turns, only if the joint lets it."""
    free = HINGE if compiled.system.dim == 2 else BALL
    return not compiled.is_particle[body] or carry.turn == free


def _depth_first(found: dict[int, Branch], ground: int) -> tuple[Branch, ...]:
    """The branches in an order in which most bodies follow their predecessor."""
    after: dict[int, list[int]] = {}
    for body in sorted(found, reverse=True):
        after.setdefault(found[body].parent, []).append(body)
    ordered, waiting = [], [ground]
    while waiting:
        body = waiting.pop()
        if body != ground:
            ordered.append(found[body])
        waiting += after.get(body, [])
    return tuple(ordered)
