"""What joints hold and forces push at the markers of a model: the interface of a flexible body."""

from collections.abc import Iterable

import numpy as np

from engine.compiling.geometry import Geometry
from engine.kernels import layout
from engine.model.connections import Coordinate, Interaction, Load
from engine.model.elements import Id

ALONG_AXIS = 1e-6  # of a unit vector: what is less counts as nothing
HOLDS_TURNS_OF_I = (layout.ALONG, layout.DIRECTION)
HOLDS_TURNS_OF_J = (layout.KNIFE,)
ALL_OF_BOTH = (layout.DISC_HEIGHT, layout.DISC_SLIP)


def holdings(
    geometry: Geometry,
    joined: Iterable[Coordinate],  # of joints and motions
    acting: Iterable[Coordinate],  # of forces as well
    loads: Iterable[Load],
    interactions: Iterable[Interaction],
) -> tuple[dict[Id, set[int]], dict[Id, set[int]]]:
    """What joints hold and forces push at each marker, and what joints hold."""
    both = held_coordinates(geometry, acting, loads, interactions)
    return both, held_coordinates(geometry, joined, (), ())


def held_coordinates(
    geometry: Geometry,
    coordinates: Iterable[Coordinate],
    loads: Iterable[Load],
    interactions: Iterable[Interaction],
) -> dict[Id, set[int]]:
    """Which of u, v, turn (or u, v, w and three turns) are held at each marker, in axes of its body."""
    dim = geometry.dim
    moved = set(range(dim))
    turned = {2} if dim == 2 else {3, 4, 5}
    held: dict[Id, set[int]] = {}
    for c in coordinates:
        ends = (c.marker_i, c.marker_j)
        if c.kind in (layout.ANGLE, layout.DOT):
            for marker in ends:
                held.setdefault(marker, set()).update(_turns(geometry, c, marker))
            continue
        for marker in ends:
            held.setdefault(marker, set()).update(moved)
            if c.kind in ALL_OF_BOTH:
                held[marker].update(turned)
        if c.kind in HOLDS_TURNS_OF_I:
            held[c.marker_i].update(turned)
        if c.kind in HOLDS_TURNS_OF_J:
            held[c.marker_j].update(turned)
    for load in loads:
        held.setdefault(load.marker, set()).update(moved if load.kind == layout.FORCE else turned)
    for one in interactions:
        for marker in (one.marker_i, one.marker_j):
            held.setdefault(marker, set()).update(moved if one.touches else moved | turned)
    return held


def _turns(geometry: Geometry, c: Coordinate, marker: Id) -> set[int]:
    """The turns of a marker that an angle or the product of two directions holds."""
    if geometry.dim == 2:
        return {2}
    R_i, R_j = _axes(geometry, c.marker_i), _axes(geometry, c.marker_j)
    about = R_i[:, 2]
    if c.kind == layout.DOT:
        about = np.cross(R_i[:, c.axes[0]], R_j[:, c.axes[2]])
    k = geometry.carrier(marker)[0]
    if k >= geometry.n_bodies:
        return set()
    own = geometry.pose(geometry.moving[k])[1].T @ about
    return {3 + n for n in range(3) if abs(own[n]) > ALONG_AXIS}


def _axes(geometry: Geometry, marker: Id) -> np.ndarray:
    """The axes of a marker in the world, as drawn."""
    k, _, axes = geometry.carrier(marker)
    return axes if k >= geometry.n_bodies else geometry.pose(geometry.moving[k])[1] @ axes
