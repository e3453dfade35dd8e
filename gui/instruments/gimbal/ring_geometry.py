"""Three gimbal rings and the body in them as flat faces in space.

The outer ring turns by phi about a fixed axis, the middle one by theta about an axis mounted in the
outer ring, the inner one, which carries the body, by psi about an axis mounted in the middle ring:

    T_1 = R_i(phi)      T_2 = R_j(theta)      T_3 = R_k(psi)      R = T_1 T_2 T_3

Each ring holds the pins of its own axis and of the next one, so its plane is spanned by the two. In
gimbal lock the pins of the outer and of the inner ring lie on one line.
"""

import functools
import itertools
from typing import NamedTuple

import numpy as np

from rotations import euler_angles, matrix

RADII = (1.0, 0.83, 0.66)  # of the rings, from the outer one
WIDTH, DEPTH = 0.075, 0.1  # of their section: across and along the normal of their plane
SIDES = 44  # of a ring
REACH = 1.17  # from the centre to the fixed supports
BODY = 0.55  # from the centre to the nose of the body
SUPPORT, PIN, PLANE, COCKPIT, FIN = "support", "pin", "plane", "cockpit", "fin"
RINGS = ("outer", "middle", "inner")


class Faces(NamedTuple):
    """Flat faces with four corners each, counter-clockwise from outside."""

    corners: np.ndarray  # (n, 4, 3)
    normals: np.ndarray  # (n, 3)
    tags: tuple[str, ...]  # one of RINGS, or another part


def turns(sequence: str, angles: np.ndarray) -> np.ndarray:
    """The rotation (3, 3, 3) of each ring about its own axis; their product is R."""
    axes = axes_of(sequence)
    return np.array([matrix.elementary(axis + 1, a) for axis, a in zip(axes, angles)])


def frames(sequence: str, angles: np.ndarray) -> np.ndarray:
    """The axes (3, 3, 3) of the three rings in the world; those of the inner one are R."""
    T = turns(sequence, angles)
    return np.array([T[0], T[0] @ T[1], T[0] @ T[1] @ T[2]])


def directions(sequence: str, angles: np.ndarray) -> np.ndarray:
    """The three axes of rotation, one in each row, in the world."""
    return euler_angles.rate_matrix(sequence, angles, "fixed").T


def lost_direction(sequence: str, angles: np.ndarray) -> np.ndarray:
    """The direction in the world about which no ring can turn at the lock.

    It is perpendicular to the axis that the outer and the inner ring share and to the middle one.
    """
    first, middle, _ = directions(sequence, angles)
    lost = np.cross(first, middle)
    largest = lost[np.argmax(np.abs(lost))]
    return lost if largest > 0.0 else -lost


def axes_of(sequence: str) -> tuple[int, int, int]:
    """The axes of a sequence as 0, 1, 2."""
    i, j, k = (int(digit) - 1 for digit in sequence.split("-"))
    return i, j, k


def scene(sequence: str, angles: np.ndarray) -> Faces:
    """Rings, pins, supports and the body, turned, in the world."""
    placed = [_still(axes_of(sequence)[0])]
    for n, R in enumerate(frames(sequence, angles)):
        placed.append(_turned(_ring(sequence, n), R))
    placed.append(_turned(aeroplane(), euler_angles.matrix(sequence, angles)))
    return joined(placed)


def body_alone(R: np.ndarray, size: float = 1.0) -> Faces:
    """The body without its rings, larger by `size`."""
    faces = _turned(aeroplane(), R)
    return faces._replace(corners=faces.corners * size)


def joined(parts: list[Faces]) -> Faces:
    """Several sets of faces as one."""
    return Faces(
        np.concatenate([part.corners for part in parts]),
        np.concatenate([part.normals for part in parts]),
        tuple(tag for part in parts for tag in part.tags),
    )


def _turned(faces: Faces, R: np.ndarray) -> Faces:
    return faces._replace(corners=faces.corners @ R.T, normals=faces.normals @ R.T)


def _faces(corners: np.ndarray, tag: str) -> Faces:
    """Faces with the normals that follow from the order of their corners."""
    across = np.cross(corners[:, 2] - corners[:, 0], corners[:, 3] - corners[:, 1])
    length = np.linalg.norm(across, axis=1, keepdims=True)
    return Faces(corners, across / np.maximum(length, 1e-12), (tag,) * len(corners))


@functools.cache
def _ring(sequence: str, n: int) -> Faces:
    """One ring in its own axes, with the pins of the axis it turns about."""
    axes = axes_of(sequence)
    own = axes[n]
    if n < 2:
        other = axes[n + 1]
    else:  # across the middle ring where psi is zero, so that both are seen
        other = 3 - own - axes[1]
    normal = 3 - own - other
    outside = RADII[n - 1] - WIDTH / 2.0 if n else REACH
    pins = [_pin(own, sign, RADII[n] + WIDTH / 2.0, outside) for sign in (1.0, -1.0)]
    return joined([_hoop(normal, RADII[n], RINGS[n]), *pins])


def _hoop(normal: int, radius: float, tag: str) -> Faces:
    """A ring with a rectangular section about a coordinate axis."""
    turn = np.linspace(0.0, 2.0 * np.pi, SIDES + 1)
    section = [  # r and z of the corners, counter-clockwise seen along the turn
        (radius + WIDTH / 2.0, -DEPTH / 2.0),
        (radius + WIDTH / 2.0, DEPTH / 2.0),
        (radius - WIDTH / 2.0, DEPTH / 2.0),
        (radius - WIDTH / 2.0, -DEPTH / 2.0),
    ]
    edges = [_circle(normal, r, z, turn) for r, z in section]
    return _faces(np.concatenate([_strip(edges[n], edges[(n + 1) % 4]) for n in range(4)]), tag)


def _circle(normal: int, r: float, z: float, turn: np.ndarray) -> np.ndarray:
    """Points on a circle about a coordinate axis."""
    points = np.empty((len(turn), 3))
    points[:, normal] = z
    points[:, (normal + 1) % 3] = r * np.cos(turn)
    points[:, (normal + 2) % 3] = r * np.sin(turn)
    return points


def _strip(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Faces between two rows of points."""
    return np.stack([first[:-1], first[1:], second[1:], second[:-1]], axis=1)


def _pin(axis: int, sign: float, inside: float, outside: float) -> Faces:
    """A short round pin along a coordinate axis."""
    turn = np.linspace(0.0, 2.0 * np.pi, 9)
    ends = [_circle(axis, 0.028, sign * far, turn) for far in (inside, outside)]
    return _faces(_strip(*(ends if sign > 0.0 else ends[::-1])), PIN)


@functools.cache
def _still(axis: int) -> Faces:
    """The two blocks of the ground in which the outer ring turns."""
    blocks = []
    for sign in (1.0, -1.0):
        middle = np.zeros(3)
        middle[axis] = sign * (REACH + 0.05)
        half = np.full(3, 0.085)
        half[axis] = 0.05
        blocks.append(_block(middle - half, middle + half, SUPPORT))
    return joined(blocks)


def _block(low: np.ndarray, high: np.ndarray, tag: str) -> Faces:
    """A box along the coordinate axes."""
    x, y, z = zip(low, high)
    c = np.array([[[(a, b, d) for d in z] for b in y] for a in x])  # c[i, j, k]
    corners = [
        (c[0, 0, 0], c[0, 0, 1], c[0, 1, 1], c[0, 1, 0]),
        (c[1, 0, 0], c[1, 1, 0], c[1, 1, 1], c[1, 0, 1]),
        (c[0, 0, 0], c[1, 0, 0], c[1, 0, 1], c[0, 0, 1]),
        (c[0, 1, 0], c[0, 1, 1], c[1, 1, 1], c[1, 1, 0]),
        (c[0, 0, 0], c[0, 1, 0], c[1, 1, 0], c[1, 0, 0]),
        (c[0, 0, 1], c[1, 0, 1], c[1, 1, 1], c[0, 1, 1]),
    ]
    return _faces(np.array(corners), tag)


@functools.cache
def aeroplane() -> Faces:
    """A small aeroplane: nose along x, left wing along y, fin along z."""
    hull = [(-0.46, 0.02), (-0.3, 0.05), (-0.1, 0.075), (0.2, 0.075), (0.36, 0.05), (BODY, 0.005)]
    turn = np.linspace(0.0, 2.0 * np.pi, 11)
    rows = [_circle(0, r, x, turn) for x, r in hull]
    skin = [_strip(first, second) for first, second in itertools.pairwise(rows)]
    parts = [_faces(np.concatenate(skin), PLANE), *_cockpit()]
    for sign in (1.0, -1.0):
        parts.append(_wing(sign, (0.05, 0.5), (0.14, -0.13), (-0.02, -0.13), 5))
        parts.append(_wing(sign, (0.03, 0.2), (-0.32, -0.42), (-0.4, -0.46), 2))
    fin = _wing(1.0, (0.03, 0.2), (-0.3, -0.42), (-0.38, -0.46), 2)
    upright = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
    parts.append(_turned(fin, upright)._replace(tags=(FIN,) * len(fin.tags)))
    return joined(parts)


def _cockpit() -> list[Faces]:
    """The canopy on top of the nose, which shows the direction up."""
    low, high = np.array([0.1, -0.035, 0.05]), np.array([0.27, 0.035, 0.1])
    return [_block(low, high, COCKPIT)]


def _wing(
    sign: float,
    span: tuple[float, float],
    root: tuple[float, float],
    tip: tuple[float, float],
    n: int,
) -> Faces:
    """A thin wing from root to tip, cut into n pieces so that it sorts well by depth."""
    along = np.linspace(0.0, 1.0, n + 1)
    y = sign * (span[0] + (span[1] - span[0]) * along)
    front = root[0] + (tip[0] - root[0]) * along
    back = root[1] + (tip[1] - root[1]) * along
    half = 0.012 * np.ones_like(y)
    edges = [np.stack(xyz, axis=1) for xyz in ((front, y, half), (back, y, half))]
    below = [edge * np.array([1.0, 1.0, -1.0]) for edge in edges]
    loop = [edges[0], edges[1], below[1], below[0]]
    strips = [_strip(loop[m], loop[(m + 1) % 4]) for m in range(4)]
    corners = np.concatenate(strips)
    return _faces(corners if sign > 0.0 else corners[:, ::-1], PLANE)
