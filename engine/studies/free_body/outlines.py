"""The outlines of bodies as points: rings in the plane, clouds in space whose hull is the silhouette."""

from functools import lru_cache
from math import pi
from typing import Any

import numpy as np

from engine.model.elastic.bars import in_space
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
    Sphere,
)
from engine.model.solids import hull

SIDES = 40  # of a round outline
SLENDER = 0.03  # width of a rod per length, at least
MOST_CORNERS = 400  # of a mesh


def outline(shape: Any, dim: int) -> np.ndarray:
    """The ring of a planar shape, or points of one in space, (n, 3) in the body frame; or none."""
    if shape is None:
        return np.zeros((0, 3))
    return _ring(shape) if dim == 2 else _cloud(shape)


def _ring(shape: Any) -> np.ndarray:
    """The outline in the plane, anticlockwise."""
    if isinstance(shape, Beam):
        half, w = float(shape.length) / 2, _half_width(shape)
        along = np.linspace(-half, half, SIDES)
        ring = np.column_stack([[*along, *along[::-1]], np.repeat([-w, w], SIDES)])
    elif isinstance(shape, Rod):
        half, w = float(shape.length) / 2, _half_width(shape)
        turn = np.linspace(-pi / 2, pi / 2, SIDES // 2 + 1)
        x, y = half + w * np.cos(turn), w * np.sin(turn)
        ring = np.column_stack([np.concatenate([x, -x]), np.concatenate([y, -y])])
    elif isinstance(shape, Disc):
        turn = np.linspace(0.0, 2 * pi, SIDES, endpoint=False)
        ring = float(shape.radius) * np.column_stack([np.cos(turn), np.sin(turn)])
    elif isinstance(shape, Polygon):
        ring = np.array(shape.points, dtype=float).reshape(-1, 2)
    elif isinstance(shape, Polyline):
        ring = _strip(np.array(shape.points, dtype=float), float(shape.width) / 2)
    elif isinstance(shape, Part):
        ring = hull(np.array(shape.nodes, dtype=float).reshape(-1, 2))
    else:
        low, high = shape.box()
        ring = np.array(
            [[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]]
        )
    return np.pad(ring.astype(float), ((0, 0), (0, 1)))


def _strip(points: np.ndarray, w: float) -> np.ndarray:
    """The outline of a line of a width 2 w: along its left side and back along the other."""
    way = np.diff(points, axis=0)
    long = np.linalg.norm(way, axis=1)
    way, points = way[long > 0.0] / long[long > 0.0, None], points[np.append(True, long > 0.0)]
    ways = np.concatenate([way[:1], way, way[-1:]])
    sides = []
    for p, before, after in zip(points, ways, ways[1:]):
        share = 1.0 + before @ after
        lean = (before + after) / share if share > 0.2 else before  # a sharp corner is cut
        sides.append((p, w * np.array([-lean[1], lean[0]])))
    left, right = ([p + sign * n for p, n in sides] for sign in (1.0, -1.0))
    return np.array([*right, *left[::-1]])


def bent(points: np.ndarray, record: Any, q: np.ndarray) -> np.ndarray:
    """The outline of a beam with modal coordinates q: each section is moved as its axis is there."""
    mesh = record.mesh
    nodal = (record.modes.Phi @ q).reshape(-1, mesh.per_node)
    moved = points.copy()
    for axis in range(mesh.dim):
        moved[:, axis] += np.interp(points[:, 0], mesh.stations, nodal[:, axis])
    return moved


def _half_width(rod: Any) -> float:
    """Half the width of a rod, never thinner than can be seen."""
    return max(float(rod.width), SLENDER * float(rod.length)) / 2


def _cloud(shape: Any) -> np.ndarray:
    """Points whose convex hull is the shape."""
    if isinstance(shape, Sphere):
        return float(shape.radius) * _ball()
    if isinstance(shape, Capsule):
        ends = np.array([[0.0, 0.0, z] for z in (-0.5, 0.5)]) * float(shape.length)
        return np.concatenate([end + float(shape.radius) * _ball() for end in ends])
    if isinstance(shape, Cylinder | Disc):
        thick = shape.length if isinstance(shape, Cylinder) else shape.thickness
        turn = np.linspace(0.0, 2 * pi, SIDES, endpoint=False)
        rim = float(shape.radius) * np.column_stack([np.cos(turn), np.sin(turn)])
        return _thick(rim, float(thick))
    if isinstance(shape, Polygon):
        return _thick(np.array(shape.points, dtype=float).reshape(-1, 2), float(shape.thickness))
    if isinstance(shape, Polyline):
        half = 0.5 * max(float(shape.width), float(shape.thickness))
        around = half * (np.array([[i >> k & 1 for k in range(3)] for i in range(8)]) * 2.0 - 1.0)
        return np.concatenate([corner + around for corner in in_space(shape.points)])
    if isinstance(shape, Part):
        nodes = np.array(shape.nodes, dtype=float)
        return np.pad(nodes, ((0, 0), (0, 3 - nodes.shape[1])))
    if isinstance(shape, Mesh):
        points = np.array(shape.vertices, dtype=float).reshape(-1, 3)
        if len(points) <= MOST_CORNERS:
            return points
        return points[np.unique([np.argmax(points @ n) for n in _ball()])]
    low, high = shape.box()
    if isinstance(shape, Rod):
        least = SLENDER * float(shape.length) / 2
        low, high = np.minimum(low, -least), np.maximum(high, least)
    assert isinstance(shape, Rod | Box)
    pick = np.array([[i >> k & 1 for k in range(3)] for i in range(8)])
    return np.where(pick, high, low).astype(float)


def _thick(ring: np.ndarray, thickness: float) -> np.ndarray:
    """A plate by its two faces."""
    faces = [np.pad(ring, ((0, 0), (0, 1)), constant_values=z * thickness) for z in (-0.5, 0.5)]
    return np.concatenate(faces)


@lru_cache(maxsize=1)
def _ball() -> np.ndarray:
    """Points all over a ball of radius 1."""
    up, round_ = np.meshgrid(np.linspace(0.0, pi, 13), np.linspace(0.0, 2 * pi, 24, endpoint=False))
    x, y = np.sin(up) * np.cos(round_), np.sin(up) * np.sin(round_)
    return np.stack([x, y, np.cos(up)], axis=-1).reshape(-1, 3)
