"""From a drawn beam to its elements, and which of its shapes are kept."""

from itertools import pairwise

import numpy as np

from engine.compiling.elastic.beams import BeamMesh, Material
from engine.compiling.elastic.frames import (
    SIDEWAYS,
    STRETCH,
    TWIST,
    UPWARDS,
    FrameMesh,
    Stiffness,
    straight,
)
from engine.compiling.elastic.reduction import BENDING, Mesh, Shapes, craig_bampton
from engine.compiling.elastic.reduction import STRETCH as STRETCH_IN_PLANE
from engine.errors import EngineError
from engine.model.elastic.bars import Bars, in_space
from engine.model.elastic.sections import CLAMPED, FREE, INTERFACE, PINNED
from engine.model.elements import Id
from engine.model.shapes import Beam, Polyline

TOGETHER = 1e-3  # of the length: markers nearer than this share a station, on arms
BEYOND = 1e-9  # of the length, rounding
MOST_NODES = 200  # of bars: their matrices are full
Places = tuple[tuple[Id, tuple[float, ...]], ...]  # markers, in the frame of their body
Held = dict[Id, set[int]]  # by marker: which of its displacements and turns
Needs = tuple[tuple[Id, frozenset[int]], ...]  # markers with the coordinates that are held there
U, V, W = range(3)
# a push along the first, at an arm along the second, turns the section by the third (plane, space)
LEVERS = {
    2: ((U, V, 2), (V, U, 2)),
    3: ((U, V, 5), (U, W, 4), (V, U, 5), (V, W, 3), (W, U, 4), (W, V, 3)),
}


def meshed(beam: Beam, dim: int, mass: float, places: Places) -> tuple[Mesh, dict[Id, int]]:
    """The elements of a beam, and the node of each marker."""
    length, one = float(beam.length), beam.cross_section()
    half = length / 2.0
    stops = [-half, half]
    for id, (x, *_) in places:
        if abs(x) > half + max(float(beam.width), BEYOND * length):
            raise EngineError(
                "a marker at x = {x:.4g} m lies beyond its ends at {half:.4g} m; "
                "move it onto the beam, or make the beam longer.",
                id,
                x=x,
                half=half,
            )
        x = min(max(x, -half), half)
        if min(abs(x - stop) for stop in stops) > TOGETHER * length:
            stops.append(x)
    stops.sort()
    stations = [stops[0]]
    for a, b in pairwise(stops):
        n = max(1, round(float(beam.elements) * (b - a) / length))
        stations += list(a + (b - a) * np.arange(1, n + 1) / n)
    xs = np.array(stations)
    nodes = {id: int(np.abs(xs - x).argmin()) for id, (x, *_) in places}
    E, rhoA = float(beam.youngs_modulus), mass / length
    EA = _given(beam.axial_stiffness, E * one.A)
    EI_z = _given(beam.bending_stiffness, E * one.I_z)
    if dim == 2:
        rotary = rhoA * one.I_z / one.A if beam.rotary else 0.0
        return BeamMesh(xs, Material(EA, EI_z, rhoA, rotary)), nodes
    EI_y = _given(beam.stiffness_upwards, E * one.I_y)
    GJ = _given(beam.torsional_stiffness, E / (2.0 + 2.0 * float(beam.poisson_ratio)) * one.J_t)
    rotary_z, rotary_y = rhoA * one.I_z / one.A, rhoA * one.I_y / one.A
    return straight(xs, Stiffness(EA, EI_z, EI_y, GJ, rhoA, rotary_z, rotary_y)), nodes


def meshed_bars(
    line: Polyline, dim: int, mass: float, places: Places
) -> tuple[FrameMesh, np.ndarray, dict[Id, int]]:
    """The elements of bars about their mass centre, that centre, and the node of each marker.

    A marker sits on the section next to it; between corners and markers the elements are as long as the
    number that was asked for allows.
    """
    bars, one = line.bars(), line.cross_section()
    center = np.array(line.moments().center)
    tiny = TOGETHER * float(bars.lengths.max())
    nearest = {id: _place_on(bars, in_space((P,))[0]) for id, P in places}
    nodes, elements, at = list(bars.corners), [], {}
    for n, ((i, j), length) in enumerate(zip(bars.bars, bars.lengths)):
        stops = [(0.0, i), (float(length), j)]
        for id, (bar, along) in nearest.items():
            if bar != n:
                continue
            gap, node = min((abs(along - x), node) for x, node in stops)
            if gap > tiny:
                node = len(nodes)
                nodes.append(_between(bars, n, along))
                stops.append((along, node))
            at[id] = node
        stops.sort()
        for (x, a), (y, b) in pairwise(stops):
            pieces = max(1, round(float(line.elements) * (y - x) / length))
            inner = range(len(nodes), len(nodes) + pieces - 1)
            nodes += [_between(bars, n, x + (y - x) * k / pieces) for k in range(1, pieces)]
            elements += list(pairwise((a, *inner, b)))
    if len(nodes) > MOST_NODES:
        raise EngineError(
            "its bars have {n} nodes, and at most {most} are computed; take fewer elements along each bar.",
            n=len(nodes),
            most=MOST_NODES,
        )
    E, rhoA = float(line.youngs_modulus), mass / float(bars.lengths.sum())
    GJ = _given(line.torsional_stiffness, E / (2.0 + 2.0 * float(line.poisson_ratio)) * one.J_t)
    turning = 1.0 if line.rotary or dim == 3 else 0.0
    rotary = (turning * rhoA * I / one.A for I in (one.I_z, one.I_y))
    section = Stiffness(E * one.A, E * one.I_z, E * one.I_y, GJ, rhoA, *rotary)
    mesh = FrameMesh(dim, np.array(nodes) - center, elements, section)
    return mesh, center[:dim], at


def _between(bars: Bars, n: int, along: float) -> np.ndarray:
    """A place on a bar."""
    i, j = bars.bars[n]
    a, b = bars.corners[i], bars.corners[j]
    return np.asarray(a + (b - a) * (along / bars.lengths[n]))


def _place_on(bars: Bars, P: np.ndarray) -> tuple[int, float]:
    """The bar next to a point, and where on it."""
    best: tuple[float, int, float] = (np.inf, 0, 0.0)
    for n, ((i, _), length) in enumerate(zip(bars.bars, bars.lengths)):
        way = (_between(bars, n, float(length)) - bars.corners[i]) / length
        along = float(np.clip((P - bars.corners[i]) @ way, 0.0, length))
        gap = float(np.linalg.norm(P - bars.corners[i] - along * way))
        if gap < best[0] - BEYOND * length:
            best = gap, n, along
    return best[1], best[2]


def _given(value: object, otherwise: float) -> float:
    """A number that was given, or what follows from the section."""
    return otherwise if value is None else float(value)  # type: ignore[arg-type]


def interface_of(
    beam: Beam,
    mesh: Mesh,
    nodes: dict[Id, int],
    arms: dict[Id, np.ndarray],
    needs: dict[Id, frozenset[int]],
) -> set[int]:
    """The nodal coordinates that are held while shapes are found."""
    last = mesh.n - mesh.per_node
    if beam.shapes == FREE:
        return set()
    if beam.shapes == CLAMPED:
        return set(range(mesh.per_node))
    if beam.shapes == PINNED:
        across = range(1, mesh.dim)
        return set(range(mesh.dim)) | {last + c for c in across}
    assert beam.shapes == INTERFACE
    held: set[int] = set()
    tiny = TOGETHER * float(beam.length)
    for id, coordinates in needs.items():
        first = mesh.per_node * nodes[id]
        held |= {first + c for c in coordinates}
        # on an arm, a force along x turns the section; beyond an end one along y does
        for push, along, turn in LEVERS[mesh.dim]:
            if push in coordinates and abs(arms[id][along]) > tiny:
                held.add(first + turn)
    return held


def kept_shapes(beam: Beam, mesh: Mesh, interface: set[int]) -> Shapes:
    """The shapes that a beam keeps: of bending, and of stretch and torsion if asked for."""
    below = np.inf if beam.below is None else 2.0 * np.pi * float(beam.below)
    asked = int(beam.modes)
    if asked > 2 * (len(mesh.stations) - 1):
        raise EngineError(
            "{asked} shapes are asked for, but of {n} element(s) only {most} are right; "
            "take more elements or fewer shapes.",
            asked=asked,
            n=len(mesh.stations) - 1,
            most=2 * (len(mesh.stations) - 1),
        )
    families = [(BENDING, asked), (STRETCH_IN_PLANE, int(beam.stretch))]
    if mesh.dim == 3:
        families = [(SIDEWAYS, asked), (UPWARDS, asked)]
        families += [(STRETCH, int(beam.stretch)), (TWIST, int(beam.twist))]
    always = len(families) - (1 if mesh.dim == 2 else 2)  # bending, even by static shapes alone
    found = [
        craig_bampton(mesh, kind, interface, count, below)
        for n, (kind, count) in enumerate(families)
        if n < always or count > 0
    ]
    both = np.hstack([shapes.V for shapes in found])
    return Shapes(both, np.sort(np.concatenate([shapes.held for shapes in found])))
