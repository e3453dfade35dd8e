"""Points and solids from which the examples are built: solids of revolution, rings, wheels, blocks.

A solid is a closed surface of triangles; several that do not overlap may be one body.
"""

from collections.abc import Sequence
from math import cos, pi, radians, sin, sqrt
from typing import NamedTuple

import numpy as np

from engine.editing.builder import Mechanism
from engine.model.elements import put
from engine.model.shapes import Mesh
from engine.model.tracers import Tracer

BLUE, ORANGE, GREEN, RED = "#406db8", "#e3a050", "#329383", "#a8443f"
VIOLET, TEAL, GOLD, GREY = "#a47bc7", "#3a9db0", "#b9892f", "#7d8793"
DIGITS = 9  # of a corner in a file: a nanometre

Vector = Sequence[float] | np.ndarray


class Solid(NamedTuple):
    """Corners (n, 3) [m] and faces (m, 3) as rows of them, anticlockwise from outside."""

    vertices: np.ndarray
    faces: np.ndarray


def end_of(start: tuple[float, float], length: float, degrees: float) -> tuple[float, float]:
    """The point at a distance and direction from another."""
    angle = radians(degrees)
    return (start[0] + length * cos(angle), start[1] + length * sin(angle))


def meeting_point(
    a: tuple[float, float], r_a: float, b: tuple[float, float], r_b: float
) -> tuple[float, float]:
    """Where two circles meet, to the left of the way from a to b."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    d = sqrt(dx * dx + dy * dy)
    along = (r_a**2 - r_b**2 + d**2) / (2 * d)
    across = sqrt(r_a**2 - along**2)
    return (a[0] + (along * dx - across * dy) / d, a[1] + (along * dy + across * dx) / d)


def trace(m: Mechanism, body: str, at: Vector, id: str, **fields: object) -> str:
    """Let a point of a body leave a trail; changes the mechanism."""
    marker = m.marker(body, at, id=id)
    m.model = put(m.model, Tracer(id=f"{id}_trail", marker=marker, **fields))
    return marker


def turn(axis: int, angle: float) -> np.ndarray:
    """The rotation about the coordinate axis 0, 1 or 2."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    R = np.eye(3)
    R[i, i] = R[j, j] = cos(angle)
    R[j, i] = sin(angle)
    R[i, j] = -R[j, i]
    return R


def turned(profile: Sequence[tuple[float, float]], sides: int = 20) -> Solid:
    """A solid of revolution about z: (radius, height) from the bottom to the top of its outside.

    A radius of zero is a single corner; a profile that ends as it begins is a ring.
    """
    is_ring = tuple(profile[0]) == tuple(profile[-1])
    rows, corners, faces = [], [], []
    for radius, height in profile[:-1] if is_ring else profile:
        angles = [2 * pi * k / sides for k in range(sides if radius > 0.0 else 1)]
        rows.append([len(corners) + k for k in range(len(angles))])
        corners += [(radius * cos(a), radius * sin(a), height) for a in angles]
    for low, high in zip(rows, rows[1:] + rows[:1] if is_ring else rows[1:]):
        for k in range(sides):
            a, b = low[k % len(low)], low[(k + 1) % len(low)]
            c, d = high[(k + 1) % len(high)], high[k % len(high)]
            faces += [(a, b, c)] if a != b else []
            faces += [(a, c, d)] if c != d else []
    return Solid(np.array(corners), np.array(faces))


def bar(start: float, end: float, radius: float, sides: int = 12) -> Solid:
    """A round bar along z."""
    return turned(((0.0, start), (radius, start), (radius, end), (0.0, end)), sides)


def ring(inner: float, outer: float, width: float, sides: int = 24) -> Solid:
    """A ring about z of square section, centred."""
    h = width / 2
    return turned(((inner, h), (inner, -h), (outer, -h), (outer, h), (inner, h)), sides)


def block(center: Vector, size: Vector) -> Solid:
    """A block by its middle and its sizes along x, y and z."""
    signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    quads = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    faces = [face for a, b, c, d in quads for face in ((a, b, c), (a, c, d))]
    return Solid(np.array(center) + signs * np.array(size) / 2, np.array(faces))


def plate(outline: Sequence[tuple[float, float]], thickness: float) -> Solid:
    """A plate with a convex outline in x and z, anticlockwise seen from -y, centred along y."""
    n, h = len(outline), thickness / 2
    corners = [(x, y, z) for y in (-h, h) for x, z in outline]
    faces = [face for k in range(1, n - 1) for face in ((0, k, k + 1), (n, n + k + 1, n + k))]
    for k in range(n):
        after = (k + 1) % n
        faces += [(k, n + k, n + after), (k, n + after, after)]
    return Solid(np.array(corners), np.array(faces))


def ball(center: Vector, radius: float, rows: int = 6) -> Solid:
    """A sphere with facets."""
    angles = [pi * k / rows for k in range(rows + 1)]
    profile = [
        (radius * sin(a) if 0 < k < rows else 0.0, -radius * cos(a)) for k, a in enumerate(angles)
    ]
    return placed(turned(profile, 2 * rows), at=center)


def spoked_wheel(
    radius: float, width: float, spokes: int = 6, rim: float = 0.12, hub: float = 0.14
) -> Solid:
    """A wheel about z, centred, whose rotation is visible; rim and hub are fractions of the radius."""
    inside, core = radius * (1 - rim), radius * hub
    # flat sides of the rim and of the hub lie nearer to the axis than their corners
    near, far = core * cos(pi / 12), inside * cos(pi / 20)
    parts = [ring(inside, radius, width, 20), bar(-width / 2, width / 2, core, 12)]
    for k in range(spokes):
        spoke = block(((near + far) / 2, 0, 0), (far - near, 0.07 * radius, 0.3 * width))
        parts.append(placed(spoke, turn(2, 2 * pi * k / spokes)))
    return together(*parts)


def placed(solid: Solid, R: np.ndarray | None = None, at: Vector = (0.0, 0.0, 0.0)) -> Solid:
    """The solid rotated, then moved."""
    axes = np.eye(3) if R is None else R
    return Solid(solid.vertices @ axes.T + np.array(at, dtype=float), solid.faces)


def together(*solids: Solid) -> Solid:
    """Several solids as one."""
    starts = np.cumsum([0, *(len(solid.vertices) for solid in solids)])
    faces = [solid.faces + start for solid, start in zip(solids, starts)]
    return Solid(np.concatenate([solid.vertices for solid in solids]), np.concatenate(faces))


def mesh(*solids: Solid) -> Mesh:
    """The solids as the shape of one body."""
    whole = together(*solids)
    corners = np.round(whole.vertices, DIGITS) + 0.0  # no -0.0 in the files
    return Mesh(
        vertices=tuple(map(tuple, corners.tolist())), faces=tuple(map(tuple, whole.faces.tolist()))
    )


ALONG_X = turn(1, pi / 2)  # carries z to x
ALONG_Y = turn(0, -pi / 2)  # carries z to y
