"""Which bodies are round about an axis, and the quarter of them that shows how far they have turned."""

from typing import NamedTuple

import numpy as np

from gui.placing.space.picks import Vec3
from gui.placing.space.solids import Solid

ALIKE = 0.02  # of the largest: two second moments that differ by less are equal
ROUGH = 0.15  # share of a surface that may face along the turn: spokes and pins


class Sector(NamedTuple):
    """A quarter of space about an axis: where the products of r - middle with both vectors are positive."""

    middle: Vec3
    first: Vec3
    second: Vec3
    is_twice: bool = False  # the opposite quarter too: of a ball, which has no ends to see it on


def sector_of(solid: Solid, *, is_ball: bool = False) -> Sector | None:
    """The quarter of a round solid that is marked; none of one that is not round."""
    if is_ball:
        return Sector((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), True)
    found = round_axis(solid)
    if found is None:
        return None
    middle, axis = found
    aside = np.eye(3)[int(np.argmin(np.abs(axis)))]
    first = np.cross(axis, aside)
    first /= np.linalg.norm(first)
    return Sector(_vec(middle), _vec(first), _vec(np.cross(axis, first)))


def round_axis(solid: Solid) -> tuple[np.ndarray, np.ndarray] | None:
    """Middle and axis of a solid of revolution, which may have spokes or pins; none of others.

    Two of its second moments of area are equal, and its surface faces nowhere along the turn:

        integral (n . t)^2 dA  <  ROUGH A          t = axis x r / |axis x r|
    """
    a, e1, e2 = solid.sides
    normal = np.cross(e1, e2)
    area = 0.5 * np.linalg.norm(normal, axis=1)
    total = float(area.sum())
    if total <= 0.0:
        return None
    at = a + (e1 + e2) / 3.0
    middle = area @ at / total
    off = at - middle
    corners = [corner - middle for corner in (a, a + e1, a + e2)]
    spread = np.einsum("n,ni,nj->ij", 9.0 * area, off, off)  # integral of x x^T over triangles
    spread += sum(np.einsum("n,ni,nj->ij", area, c, c) for c in corners)
    moments, axes = np.linalg.eigh(spread / 12.0)
    low, mid, high = moments.tolist()
    if high - mid <= ALIKE * high < mid - low:
        axis = axes[:, 0]
    elif mid - low <= ALIKE * high:
        axis = axes[:, 2]
    else:
        return None
    along = np.cross(axis, np.stack(corners))
    along /= np.maximum(np.linalg.norm(along, axis=2, keepdims=True), 1e-300)
    facing = np.einsum("ni,kni->kn", normal, along) / np.maximum(2.0 * area, 1e-300)
    return (middle, axis) if float((facing**2).mean(axis=0) @ area) < ROUGH * total else None


def _vec(v: np.ndarray) -> Vec3:
    x, y, z = v.tolist()
    return x, y, z
