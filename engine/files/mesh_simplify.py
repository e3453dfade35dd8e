"""Make a mesh of fewer triangles: by collapsing edges, or, while a large file is read, by a grid.

On a grid the corners in one cell become one, their mean. A face whose corners fall into three
different cells stays, others vanish, and two that come to lie back to back vanish too. Both ways keep
closed what was closed: each edge is still run through equally often both ways. A surface may shrink
a little, so it is stretched about its middle until its volume is that of before.
"""

from collections.abc import Iterator
from math import sqrt
from typing import Any, BinaryIO

import numpy as np

from engine.errors import EngineError
from engine.model.solids import MAX_COORDINATE, Array, Moments, distinct_rows, plain

PIECE = 400_000  # triangles that are worked on at a time
PACES = (3.0, 7.0, 12.0)  # how fast costs may rise: gently, and faster where too many faces stay
MOST_STRETCH = 1.5  # beyond this the shape is lost: nothing is scaled


def decimated(vertices: Array, faces: Array, n: int) -> tuple[Array, Array]:
    """The surface with at most n faces: edges are collapsed where that moves the surface least.

    What an edge costs is a quadric, the sum of squared distances from the planes of the faces around
    it, so flat faces lose their triangles first and sharp edges stay. The thresholds of the library
    are lengths: the surface is brought to unit size.
    """
    from fast_simplification import simplify  # seldom needed

    low, size = vertices.min(axis=0), float(np.ptp(vertices, axis=0).max()) or 1.0
    unit, sides = (vertices - low) / size, faces.astype(np.int32)
    fewer = faces
    for pace in PACES:
        places, fewer = simplify(unit, sides, target_count=n, agg=pace)
        if len(fewer) <= n:
            break
    used, fewer = np.unique(without_pairs(fewer.astype(np.int64)), return_inverse=True)
    return low + size * places[used].astype(float), fewer.reshape(-1, 3)


def stretched(vertices: Array, volume: float, before: Moments) -> Array:
    """The corners scaled about the centroid, so that the volume is restored."""
    factor = (before.volume / volume) ** (1.0 / 3.0) if volume > 0.0 else 1.0
    if not 1.0 / MOST_STRETCH < factor < MOST_STRETCH:
        return vertices
    center = np.array(before.center)
    return np.asarray(center + factor * (vertices - center))


def keys(place: Array, cells: int) -> Array:
    """One number for each cell of a grid."""
    x, y, z = np.moveaxis(place, -1, 0)
    return np.asarray((x * (cells + 1) + y) * (cells + 1) + z)


def without_pairs(faces: Array) -> Array:
    """The faces with three different corners; of coincident ones those that do not cancel."""
    a, b, c = faces.T
    faces = faces[(a != b) & (b != c) & (c != a)]
    if not len(faces):
        return faces
    first = faces.argmin(axis=1)[:, None]
    turned = np.take_along_axis(faces, (first + np.arange(3)) % 3, axis=1)
    is_up = turned[:, 1] < turned[:, 2]
    ordered = np.where(is_up[:, None], turned, turned[:, [0, 2, 1]])
    first, which = distinct_rows(ordered)
    once = ordered[first]
    balance = np.bincount(which, np.where(is_up, 1.0, -1.0)).astype(np.int64)
    up = np.repeat(once, np.maximum(balance, 0), axis=0)
    down = np.repeat(once[:, [0, 2, 1]], np.maximum(-balance, 0), axis=0)
    return np.concatenate([up, down])


class Weighing:
    """Sums over the triangles of a surface, piece after piece, seen from a point o.

    V = sum k/6     V c = sum k/24 s     V (S + c c^T) = sum k/120 (a a^T + b b^T + c c^T + s s^T)
    """

    def __init__(self, o: Array) -> None:
        self.o, self.V, self.first, self.second = o, 0.0, np.zeros(3), np.zeros((3, 3))

    def add(self, corners: Array) -> None:
        """Add triangles (n, 3, 3); changes the sums."""
        a, b, c = np.moveaxis(corners - self.o, 1, 0)
        k, s = np.einsum("ni,ni->n", a, np.cross(b, c)), a + b + c
        self.V += float(k.sum()) / 6
        self.first += k @ s / 24
        self.second += sum((x * k[:, None]).T @ x for x in (a, b, c, s)) / 120

    def moments(self) -> Moments | None:
        """The moments of the enclosed body; None where there is no volume."""
        if self.V == 0.0:
            return None
        center = self.first / self.V
        S = self.second / self.V - np.outer(center, center)
        x, y, z = map(float, center + self.o)
        return Moments(abs(self.V), (x, y, z), plain(S))


def clustered_in_pieces(
    file: BinaryIO, kind: Any, scale: float, n: int
) -> tuple[Array, Array, Moments | None]:
    """The rest of a binary STL file of any length, with about n faces; and its moments.

    Only a piece of it is in memory at a time.
    """
    start, cells = file.tell(), max(2, int(sqrt(n / 4)))
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for corners in _pieces(file, kind, scale):
        low, high = (
            np.minimum(low, corners.min(axis=(0, 1))),
            np.maximum(high, corners.max(axis=(0, 1))),
        )
    size, weighing = float((high - low).max()) or 1.0, Weighing((low + high) / 2)
    found, sums = [], []
    file.seek(start)
    for corners in _pieces(file, kind, scale):
        weighing.add(corners)
        place = np.floor((corners - low) / size * cells * (1.0 - 1e-12)).astype(np.int64)
        cell = keys(place, cells)
        once, which = np.unique(cell, return_inverse=True)
        parts = [np.bincount(which.ravel(), corners[..., c].ravel()) for c in range(3)]
        sums.append((once, np.stack([*parts, np.bincount(which.ravel())], axis=1)))
        found.append(without_pairs(cell))
    once, which = np.unique(np.concatenate([cell for cell, _ in sums]), return_inverse=True)
    totals = np.zeros((len(once), 4))
    np.add.at(totals, which.ravel(), np.concatenate([total for _, total in sums]))
    faces = without_pairs(np.searchsorted(once, np.concatenate(found)))
    return totals[:, :3] / totals[:, 3:], faces, weighing.moments()


def _pieces(file: BinaryIO, kind: Any, scale: float) -> Iterator[Array]:
    """The corners (n, 3, 3) of the triangles to come, piece by piece."""
    while data := file.read(PIECE * kind.itemsize):
        whole = len(data) // kind.itemsize * kind.itemsize
        with np.errstate(over="ignore", invalid="ignore"):
            corners = np.frombuffer(data[:whole], kind)["corners"].astype(float) * scale
        if not (np.abs(corners) <= MAX_COORDINATE).all():
            raise EngineError(
                "A coordinate is not a number within {max_coordinate:g} m.",
                max_coordinate=MAX_COORDINATE,
            )
        yield corners
