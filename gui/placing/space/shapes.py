"""The solids of the engine's shapes, with the faces and places that the mouse may mean."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from engine.errors import EngineError
from engine.files.meshes import MeshData, simplified
from engine.model.elastic.bars import axes_along
from engine.model.elastic.sections import CIRCLE, I_BEAM, TUBE
from engine.model.shapes import (
    Beam,
    Box,
    Capsule,
    Cylinder,
    Disc,
    Mesh,
    Part,
    Polygon,
    Polyline,
    Rod,
    Shape,
    Sphere,
)
from gui.placing.space import solids
from gui.placing.space.rounding import rounded
from gui.placing.space.solids import Face, Solid, Spot

MOST_EDGES = 20000  # of a mesh; more would be a grey blur
NODE_SIZE = 0.015  # of a part, per size of the part
MOST_SHOWN = 24_000  # triangles of a mesh that are drawn; larger ones are simplified
MANY = 4000  # triangles of a mesh: beyond, a brute-force search is slow


SIDES = (20, 32, 72)  # of a round face: coarse, usual, fine
SLICES = 24  # of a beam, along it
SLICES_OF_BAR = 8  # of one bar among others
RINGS = (9, 12, 30)  # of a ball, from pole to pole


def _anticlockwise(outline: np.ndarray) -> np.ndarray:
    after = np.roll(outline, -1, axis=0)
    twice = float((outline[:, 0] * after[:, 1] - outline[:, 1] * after[:, 0]).sum())
    return outline if twice >= 0.0 else outline[::-1]


def _flat_sided(solid: Solid) -> Solid:
    """Faces, corners and edge middles of a prism; changes and returns it."""
    assert solid.face_of is not None
    for n in range(int(solid.face_of.max()) + 1):
        used = np.unique(solid.triangles[solid.face_of == n])
        center = solid.points[used].mean(axis=0)
        if n < 2:  # the two ends: the middle of the outline's area
            center = _centroid(solid, n)
        normal = _vec(solid.normals[used[0]])
        solid.faces.append(Face(_vec(center), normal))
        solid.spots.append(Spot(_vec(center), "face", normal))
    for edge in solid.edges:
        for a, b in pairwise(edge):
            along = (b - a) / max(float(np.linalg.norm(b - a)), 1e-300)
            solid.spots.append(Spot(_vec(0.5 * (a + b)), "edge", _vec(along)))
    for corner in {_vec(p) for edge in solid.edges[:2] for p in edge}:
        solid.spots.append(Spot(corner, "corner"))
    return solid


def _centroid(solid: Solid, face: int) -> np.ndarray:
    """The middle of the area of a face."""
    assert solid.face_of is not None
    a, b, c = (solid.points[solid.triangles[solid.face_of == face][:, k]] for k in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    return ((a + b + c) / 3.0 * area[:, None]).sum(axis=0) / max(float(area.sum()), 1e-300)


def _round(solid: Solid, length: float) -> Solid:
    """The ends and the side of a cylinder along z; changes and returns it."""
    up, h = (0.0, 0.0, 1.0), 0.5 * length
    solid.faces = [Face((0.0, 0.0, -h), (0.0, 0.0, -1.0)), Face((0.0, 0.0, h), up)]
    solid.faces.append(Face((0.0, 0.0, 0.0), up, False))
    solid.spots = [Spot((0.0, 0.0, -h), "face", (0.0, 0.0, -1.0)), Spot((0.0, 0.0, h), "face", up)]
    for rim in solid.edges[:2]:
        quarter = max((len(rim) - 1) // 4, 1)
        solid.spots += [Spot(_vec(p), "edge", up) for p in rim[:-1:quarter]]
    return solid


def _mesh(shape: Any, level: int) -> Solid:
    """Triangles as round as they are meant, and the edges where they meet at an angle."""
    vertices = np.array(shape.vertices, dtype=float).reshape(-1, 3)
    faces = np.array(shape.faces, dtype=np.int64).reshape(-1, 3)
    if len(faces) > MOST_SHOWN:  # only for drawing and picking: the original gives the mass
        fewer = simplified(MeshData(vertices, faces, ()), MOST_SHOWN)
        vertices, faces = np.asarray(fewer.vertices), np.asarray(fewer.faces)
    solid = rounded(vertices, faces, level)
    if len(solid.edges) > MOST_EDGES:
        solid.edges = []
    return solid


def _rod(shape: Any, level: int) -> Solid:
    """A bar, drawn thicker than it is where it is slender."""
    thin = solids.THINNEST * shape.length
    section = (max(float(s), thin) for s in (shape.width, shape.thickness))
    return _flat_sided(solids.box(shape.length, *section))


def _beam(shape: Any, level: int) -> Solid:
    """A bar with its section, sliced along it; drawn thicker than it is where it is slender."""
    outline, is_round = _outline_of_section(shape, solids.THINNEST * shape.length, level)
    if is_round:
        made = solids.bar(outline, float(shape.length), SLICES, round_side=True)
        half = 0.5 * float(shape.length)
        ends = [((side * half, 0.0, 0.0), (side, 0.0, 0.0)) for side in (-1.0, 1.0)]
        made.faces = [*(Face(*end) for end in ends), Face((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), False)]
        made.spots = [Spot(at, "face", way) for at, way in ends]
        return made
    made = solids.bar(outline, float(shape.length), SLICES)
    plain = _flat_sided(_straight_edges(made))
    made.faces, made.spots = plain.faces, plain.spots
    return made


def _outline_of_section(shape: Any, thin: float, level: int) -> tuple[np.ndarray, bool]:
    """The outline of the section of a beam or of bars, never thinner than this, and whether it is round."""
    y, z = (0.5 * max(float(s), thin) for s in (shape.width, shape.thickness))
    if shape.section in (CIRCLE, TUBE):
        return solids.ring(SIDES[level]) * y, True
    corners = [(-y, -z), (y, -z), (y, z), (-y, z)]
    if shape.section == I_BEAM and 0.0 < shape.wall < min(y, z):
        f, w = y - float(shape.wall), 0.5 * float(shape.wall)
        right = [(y, -z), (y, z), (f, z), (f, w), (-f, w), (-f, z), (-y, z)]
        corners = [*right, (-y, -z), (-f, -z), (-f, -w), (f, -w), (f, -z)]
    return np.array(corners), False


def _polyline(shape: Any, level: int) -> Solid:
    """Bars with their section; where bars meet they reach half a width beyond the corner."""
    try:
        bars = shape.bars()
    except EngineError:  # told where the model is checked
        return Solid(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64))
    thin = solids.THINNEST * float(bars.lengths.sum())
    outline, is_round = _outline_of_section(shape, thin, level)
    beyond = 0.5 * max(float(shape.width), thin)
    meeting = [sum(k in bar for bar in bars.bars) for k in range(len(bars.corners))]
    parts = []
    for (i, j), length in zip(bars.bars, bars.lengths):
        more = [beyond if meeting[k] > 1 else 0.0 for k in (i, j)]
        R = axes_along(bars.corners[j] - bars.corners[i])
        made = solids.bar(outline, float(length) + sum(more), SLICES_OF_BAR, round_side=is_round)
        middle = 0.5 * (bars.corners[i] + bars.corners[j]) + R[:, 0] * 0.5 * (more[1] - more[0])
        parts.append(made.moved(R, tuple(middle.tolist())))
    solid = solids.merged(parts)
    solid.face_of, solid.faces = None, []
    solid.spots = [Spot(_vec(corner), "corner") for corner in bars.corners]
    ends = bars.corners[np.array(bars.bars)]
    ways = (ends[:, 1] - ends[:, 0]) / bars.lengths[:, None]
    solid.spots += [Spot(_vec(at), "edge", _vec(way)) for at, way in zip(ends.mean(axis=1), ways)]
    return solid


def _straight_edges(solid: Solid) -> Solid:
    """The same solid, whose edges have no places between their ends."""
    edges = [*solid.edges[:2], *(edge[[0, -1]] for edge in solid.edges[2:])]
    return Solid(solid.points, solid.normals, solid.triangles, edges, solid.face_of)


def _box(shape: Any, level: int) -> Solid:
    return _flat_sided(solids.box(shape.width, shape.height, shape.thickness))


def _disc(shape: Any, level: int) -> Solid:
    flat = solids.cylinder(shape.radius, shape.thickness, SIDES[level])
    return _round(flat, shape.thickness)


def _cylinder(shape: Any, level: int) -> Solid:
    return _round(solids.cylinder(shape.radius, shape.length, SIDES[level]), shape.length)


def _sphere(shape: Any, level: int) -> Solid:
    """A ball, which is one round face."""
    ball = solids.sphere(shape.radius, RINGS[level])
    ball.face_of = np.zeros(len(ball.triangles), dtype=np.int64)
    ball.faces = [Face((0.0, 0.0, 0.0), None, False)]
    return ball


def _capsule(shape: Any, level: int) -> Solid:
    """A ball drawn out along z, which is one round face."""
    solid = solids.capsule(shape.radius, shape.length, RINGS[level])
    solid.face_of = np.zeros(len(solid.triangles), dtype=np.int64)
    solid.faces = [Face((0.0, 0.0, 0.0), None, False)]
    up, h = (0.0, 0.0, 1.0), 0.5 * shape.length
    tips = ((0.0, 0.0, -h - shape.radius), (0.0, 0.0, h + shape.radius))
    solid.spots = [Spot(tip, "face", up) for tip in tips]
    return solid


def _polygon(shape: Any, level: int) -> Solid:
    outline = _anticlockwise(np.array(shape.points, dtype=float))
    return _flat_sided(solids.prism(outline, shape.thickness))


def _part(shape: Any, level: int) -> Solid:
    """Its surface; without one a small cube at every node, and lines between nodes that push each other."""
    try:
        one = shape.matrices()
    except EngineError:  # told where the model is checked
        return Solid(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64))
    nodes = np.pad(one.nodes, ((0, 0), (0, 3 - one.dim)))
    if shape.faces:
        solid = rounded(np.array(shape.skin, float), np.array(shape.faces, np.int64), level)
        solid.spots += [Spot(_vec(node), "corner") for node in nodes]
        return solid
    side = NODE_SIZE * float(np.ptp(nodes, axis=0).max())
    cubes = []
    for node in nodes:
        cube = solids.box(side, side, side)
        cubes.append(replace(cube, points=cube.points + node, edges=[]))
    solid = solids.merged(cubes)
    solid.edges = [nodes[[i, j]] for i, j in one.joined()][:MOST_EDGES]
    solid.face_of, solid.faces = None, []
    solid.spots = [Spot(_vec(node), "corner") for node in nodes]
    return solid


SOLIDS: dict[type[Shape], Callable[[Any, int], Solid]] = {
    Rod: _rod,
    Beam: _beam,
    Box: _box,
    Disc: _disc,
    Cylinder: _cylinder,
    Sphere: _sphere,
    Capsule: _capsule,
    Polygon: _polygon,
    Polyline: _polyline,
    Mesh: _mesh,
    Part: _part,
}


def solid_of(shape: Any, level: int = 1) -> Solid:
    """A shape in body axes; round ones have few (0), the usual (1) or many (2) sides.

    A shape that is not drawn in space is a solid without triangles.
    """
    make = SOLIDS.get(type(shape))
    if make is None:
        return Solid(np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64))
    return make(shape, level)


def _vec(p: Any) -> tuple[float, float, float]:
    x, y, z = np.asarray(p, dtype=float).tolist()
    return x, y, z
