"""Shapes as triangles, edges and faces, in body axes; plain arrays that drawing and picking share."""

from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np

from gui.placing.space.picks import Vec3

SIDES = 40  # of a round face
RINGS = 20  # of a ball, from pole to pole
THINNEST = 0.012  # of the length: drawn thickness of slender rods


class Face(NamedTuple):
    """One face of a solid: flat, with a centre and a normal, or round, with an axis."""

    center: Vec3
    axis: Vec3 | None  # of a flat face its normal, of a round one its axis; none of a ball
    is_flat: bool = True


class Spot(NamedTuple):
    """A place of a solid to snap to."""

    at: Vec3
    kind: str  # "face", "edge", "corner"
    axis: Vec3 | None = None


@dataclass(eq=False)
class Solid:
    """Triangles with normals, the edges that are drawn, and what the mouse may mean."""

    points: np.ndarray  # (n, 3)
    normals: np.ndarray  # (n, 3)
    triangles: np.ndarray  # (m, 3)
    edges: list[np.ndarray] = field(default_factory=list)  # chains of places (k, 3)
    face_of: np.ndarray | None = None  # (m,) which face a triangle belongs to; -1: none
    faces: list[Face] = field(default_factory=list)
    spots: list[Spot] = field(default_factory=list)

    @cached_property
    def reach(self) -> float:
        """How far it reaches from the origin of its frame."""
        return float(np.linalg.norm(self.points, axis=1).max()) if len(self.points) else 0.0

    @cached_property
    def sides(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The first corner of each triangle and the two sides that begin there."""
        a, b, c = (self.points[self.triangles[:, k]] for k in range(3))
        return a, b - a, c - a

    @cached_property
    def balls(self) -> tuple[np.ndarray, np.ndarray]:
        """Middle and squared radius of a ball around each triangle."""
        a, e1, e2 = self.sides
        middle = a + (e1 + e2) / 3.0
        far = [((corner - middle) ** 2).sum(axis=1) for corner in (a, a + e1, a + e2)]
        return middle, np.max(far, axis=0)

    def near(self, o: np.ndarray, d: np.ndarray) -> np.ndarray:
        """The triangles that a ray may meet."""
        middle, square = self.balls
        away = middle - o
        foot = away @ d / float(d @ d)
        return np.flatnonzero((away**2).sum(axis=1) - foot**2 * float(d @ d) <= 1.01 * square)

    @cached_property
    def box(self) -> np.ndarray:
        """The eight corners of the box around it."""
        if not len(self.points):
            return np.zeros((1, 3))
        low, high = self.points.min(axis=0), self.points.max(axis=0)
        pick = np.array([[i >> k & 1 for k in range(3)] for i in range(8)])
        return np.where(pick, high, low)

    def moved(self, R: np.ndarray, r: Any = (0.0, 0.0, 0.0), scale: Any = 1.0) -> "Solid":
        """The same, scaled, turned and moved; without faces and spots."""
        factor = np.broadcast_to(np.asarray(scale, dtype=float), 3)
        normals = self.normals / factor
        normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
        turned = (self.points * factor) @ R.T + np.asarray(r)
        edges = [(e * factor) @ R.T + np.asarray(r) for e in self.edges]
        return Solid(turned, normals @ R.T, self.triangles, edges)


def merged(parts: list[Solid]) -> Solid:
    """Several solids as one."""
    starts = np.cumsum([0] + [len(p.points) for p in parts])
    return Solid(
        np.concatenate([p.points for p in parts]),
        np.concatenate([p.normals for p in parts]),
        np.concatenate([p.triangles + s for p, s in zip(parts, starts)]),
        [edge for part in parts for edge in part.edges],
    )


def prism(outline: np.ndarray, thickness: float, *, round_side: bool = False) -> Solid:
    """A flat outline (n, 2), anticlockwise, extruded along z to both sides of z = 0."""
    n, h = len(outline), 0.5 * thickness
    after = np.roll(outline, -1, axis=0)
    ends = [np.column_stack([outline, np.full(n, z)]) for z in (-h, h)]
    caps = triangulated(outline)
    points = [ends[0], ends[1]]
    normals = [np.tile((0.0, 0.0, -1.0), (n, 1)), np.tile((0.0, 0.0, 1.0), (n, 1))]
    triangles = [caps[:, ::-1], caps + n]
    k = np.arange(n)
    if round_side:
        out = outline / np.maximum(np.linalg.norm(outline, axis=1, keepdims=True), 1e-300)
        out = np.column_stack([out, np.zeros(n)])
        points += ends
        normals += [out, out]
        a, b = 2 * n + k, 2 * n + (k + 1) % n
        triangles += [np.column_stack([a, b, b + n]), np.column_stack([a, b + n, a + n])]
    else:
        side = after - outline
        out = np.column_stack([side[:, 1], -side[:, 0], np.zeros(n)])
        out /= np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-300)
        corners = [np.column_stack([p, np.full(n, z)]) for z in (-h, h) for p in (outline, after)]
        points += corners
        normals += [out] * 4
        a = 2 * n + k
        triangles += [
            np.column_stack([a, a + n, a + 3 * n]),
            np.column_stack([a, a + 3 * n, a + 2 * n]),
        ]
    closed = [np.concatenate([e, e[:1]]) for e in ends]
    if not round_side:
        closed += [np.array([a, b]) for a, b in zip(ends[0], ends[1])]
    side_of = np.full(2 * n, 2) if round_side else np.concatenate([2 + k, 2 + k])
    face_of = np.concatenate([np.repeat([0, 1], len(caps)), side_of])
    shell = np.concatenate(points), np.concatenate(normals), np.concatenate(triangles)
    return Solid(*shell, closed, face_of)


def bar(outline: np.ndarray, length: float, slices: int, *, round_side: bool = False) -> Solid:
    """A flat outline in y and z, anticlockwise, extruded along x; its sides are sliced, to bend."""
    upright = prism(outline, length, round_side=round_side)
    n, cap = len(outline), upright.face_of < 2  # type: ignore[operator]
    along = np.linspace(-0.5 * length, 0.5 * length, slices + 1)
    own, next_one = 2 * n + np.arange(n), 2 * n + (np.arange(n) + 1) % n
    if not round_side:
        next_one = own  # all four corners of a side have its normal
    columns = np.stack([outline, np.roll(outline, -1, axis=0)], axis=1)  # (n, 2, 2)
    sides = np.zeros((n, slices + 1, 2, 3))
    sides[:, :, :, :2], sides[:, :, :, 2] = columns[:, None], along[:, None]
    normals = np.zeros_like(sides)
    normals[:, :, 0], normals[:, :, 1] = (upright.normals[k][:, None] for k in (own, next_one))
    grid = patch(slices + 1, 2)
    after = 2 * n + 2 * (slices + 1) * np.arange(n)
    triangles = (grid[None] + after[:, None, None]).reshape(-1, 3)
    edges = [*upright.edges[:2]]
    if not round_side:
        edges += list(sides[:, :, 0])
    face_of = np.repeat(2 + (0 if round_side else np.arange(n)) + np.zeros(n, int), len(grid))
    turned = [2, 0, 1]  # z of the prism along x, its outline in y and z
    return Solid(
        np.concatenate([upright.points[: 2 * n], sides.reshape(-1, 3)])[:, turned],
        np.concatenate([upright.normals[: 2 * n], normals.reshape(-1, 3)])[:, turned],
        np.concatenate([upright.triangles[cap], triangles]),
        [edge[:, turned] for edge in edges],
        np.concatenate([upright.face_of[cap], face_of]),  # type: ignore[index]
    )


def triangulated(outline: np.ndarray) -> np.ndarray:
    """A simple polygon (n, 2), anticlockwise, as triangles: ears are cut off one by one."""
    left, found = list(range(len(outline))), []
    while len(left) > 3:
        for k in range(len(left)):
            i, j, m = left[k - 1], left[k], left[(k + 1) % len(left)]
            if _is_ear(outline, i, j, m, left):
                found.append((i, j, m))
                left.pop(k)
                break
        else:  # crossed or flat: fall back to a fan
            break
    found += [(left[0], left[k], left[k + 1]) for k in range(1, len(left) - 1)]
    return np.array(found, dtype=np.int64).reshape(-1, 3)


def _is_ear(p: np.ndarray, i: int, j: int, m: int, others: list[int]) -> bool:
    """Whether the triangle i, j, m is convex and holds no other corner."""
    a, b, c = p[i], p[j], p[m]
    if _cross(b - a, c - a) <= 0.0:
        return False
    rest = p[[n for n in others if n not in (i, j, m)]]
    inside = np.ones(len(rest), dtype=bool)
    for u, v in ((a, b), (b, c), (c, a)):
        inside &= (v[0] - u[0]) * (rest[:, 1] - u[1]) - (v[1] - u[1]) * (rest[:, 0] - u[0]) >= 0.0
    return not inside.any()


def _cross(a: np.ndarray, b: np.ndarray) -> float:
    return float(a[0] * b[1] - a[1] * b[0])


def ring(sides: int = SIDES) -> np.ndarray:
    """Places on the unit circle (n, 2), anticlockwise."""
    turn = np.linspace(0.0, 2 * np.pi, sides, endpoint=False)
    return np.column_stack([np.cos(turn), np.sin(turn)])


def cylinder(radius: float, length: float, sides: int = SIDES) -> Solid:
    """A cylinder along z about the origin."""
    return prism(radius * ring(sides), length, round_side=True)


def box(x: float, y: float, z: float) -> Solid:
    """A box about the origin."""
    flat = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]) * (x, y)
    return prism(flat, z)


@lru_cache(maxsize=8)
def _unit_ball(rings: int) -> tuple[np.ndarray, np.ndarray]:
    sides = 2 * rings
    v, u = np.meshgrid(np.linspace(0, np.pi, rings + 1), np.linspace(0, 2 * np.pi, sides + 1))
    points = np.stack([np.cos(u) * np.sin(v), np.sin(u) * np.sin(v), np.cos(v)], -1)
    return points.reshape(-1, 3), patch(sides + 1, rings + 1)


def patch(rows: int, columns: int) -> np.ndarray:
    """The triangles of a grid of places, row by row."""
    i, j = np.meshgrid(np.arange(rows - 1), np.arange(columns - 1), indexing="ij")
    a = (i * columns + j).ravel()
    b, c, d = a + 1, a + columns, a + columns + 1
    return np.concatenate([np.column_stack([a, b, d]), np.column_stack([a, d, c])])


def sphere(radius: float, rings: int = RINGS) -> Solid:
    """A ball about the origin."""
    points, triangles = _unit_ball(rings)
    return Solid(radius * points, points, triangles)


def capsule(radius: float, length: float, rings: int = RINGS) -> Solid:
    """A bar along z with half a ball at each end, of this length between their middles."""
    sides, half = 2 * rings, (rings + 1) // 2
    down = np.concatenate(
        [np.linspace(0, np.pi / 2, half + 1), np.linspace(np.pi / 2, np.pi, half + 1)]
    )
    shift = np.repeat((0.5 * length, -0.5 * length), half + 1)
    v, u = np.meshgrid(down, np.linspace(0, 2 * np.pi, sides + 1))
    normals = np.stack([np.cos(u) * np.sin(v), np.sin(u) * np.sin(v), np.cos(v)], -1)
    points = radius * normals
    points[..., 2] += shift
    return Solid(points.reshape(-1, 3), normals.reshape(-1, 3), patch(sides + 1, len(down)))


def bowl(radius: float, opening: float, wall: float, rings: int = RINGS) -> Solid:
    """The part of a hollow ball within an angle of the z axis; radius: of its inside."""
    down, out = np.linspace(0.0, opening, rings + 1), np.ones(rings + 1)
    v, side = np.concatenate([down, down[::-1]]), np.concatenate([out, -out])
    r = np.where(side > 0.0, radius + wall, radius)
    u = np.linspace(0.0, 2 * np.pi, 4 * rings + 1)[:, None]
    n = np.stack(
        [
            np.cos(u) * np.sin(v),
            np.sin(u) * np.sin(v),
            np.broadcast_to(np.cos(v), (len(u), len(v))),
        ],
        -1,
    )
    points, normals = n * r[:, None], n * side[:, None]
    return Solid(points.reshape(-1, 3), normals.reshape(-1, 3), patch(len(u), len(v)))


def torus(radius: float, tube: float, sides: int = SIDES, around: int = 10) -> Solid:
    """A ring about z."""
    turn = np.linspace(0.0, 2 * np.pi, sides + 1)
    path = np.column_stack([radius * np.cos(turn), radius * np.sin(turn), np.zeros(sides + 1)])
    return tubed(path, tube, around)


def cone(radius: float, length: float, top: float = 0.0, sides: int = 24) -> Solid:
    """A cone or a part of one, from z = 0 to z = length."""
    flat = ring(sides)
    slope = (radius - top) / max(length, 1e-300)
    out = np.column_stack([flat, np.full(sides, slope)]) / np.hypot(1.0, slope)
    low = np.column_stack([radius * flat, np.zeros(sides)])
    high = np.column_stack([top * flat, np.full(sides, length)])
    k = np.arange(sides)
    a, b = k, (k + 1) % sides
    side = [np.column_stack([a, b, b + sides]), np.column_stack([a, b + sides, a + sides])]
    caps = triangulated(flat)
    down, up = np.tile((0.0, 0.0, -1.0), (sides, 1)), np.tile((0.0, 0.0, 1.0), (sides, 1))
    return Solid(
        np.concatenate([low, high, low, high]),
        np.concatenate([out, out, down, up]),
        np.concatenate([*side, caps[:, ::-1] + 2 * sides, caps + 3 * sides]),
    )


def tubed(path: np.ndarray, radius: float, around: int = 8) -> Solid:
    """A tube along a chain of places (n, 3)."""
    along = np.gradient(path, axis=0)
    along /= np.maximum(np.linalg.norm(along, axis=1, keepdims=True), 1e-300)
    aside = np.cross(along, (0.0, 0.0, 1.0))
    flat = np.linalg.norm(aside, axis=1) < 1e-6
    aside[flat] = np.cross(along[flat], (1.0, 0.0, 0.0))
    aside /= np.maximum(np.linalg.norm(aside, axis=1, keepdims=True), 1e-300)
    third = np.cross(along, aside)
    turn = np.linspace(0.0, 2 * np.pi, around + 1)
    out = (
        np.cos(turn)[None, :, None] * aside[:, None] + np.sin(turn)[None, :, None] * third[:, None]
    )
    points = path[:, None] + radius * out
    grid = patch(len(path), around + 1)
    return Solid(points.reshape(-1, 3), out.reshape(-1, 3), grid[:, ::-1])
