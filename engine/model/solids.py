"""Volume, centroid and spread of blocks, bars, plates and closed meshes.

V = integral dV      c = integral x dV / V      S = integral (x - c)(x - c)^T dV / V
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import isfinite, pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import EngineError, say
from engine.model.fields import declared
from engine.model.limits import check_size, limits

Matrix3 = tuple[tuple[float, ...], ...]
Array = NDArray[Any]

MAX_COORDINATE = limits("m").most
MAX_POINTS = 5_000  # the search for crossing edges grows with the square: half a second here
MAX_TRIANGLES = 1_000_000  # a closed mesh of this size still fits into a model file of 64 MB

# The sum over triangles loses about one rounding, 1e-16, of the sum of their absolute values.
_FLAT = 1e-12


# Inertias are often typed with three or four digits; a plate then misses Jz = Jx + Jy by that much.
_TRIANGLE_SLACK = 1e-3
# Smaller ratios of principal inertias cannot be distinguished from zero once the matrix has been rounded.
_SLENDER = 1e-12


@dataclass(frozen=True, slots=True)
class Moments:
    """Volume V, centroid c and spread S of a solid."""

    volume: float
    center: tuple[float, float, float]
    spread: Matrix3


def polygon_moments(points: Array, thickness: float) -> Moments:
    """Moments of a plate, summed over the triangles (o, a, b) from a point o to each edge a-b.

    A   = sum k/2                    k = a x b
    A c = sum k/6 (a + b)
    A S = sum k/24 (a a^T + b b^T + (a+b)(a+b)^T) - A c c^T
    """
    o = points.mean(axis=0)
    a = points - o
    b = np.roll(a, -1, axis=0)
    k = _cross(a, b)
    area = k.sum() / 2
    c = k @ (a + b) / 6 / area
    S = np.diag([0.0, 0.0, thickness * thickness / 12])
    S[:2, :2] = sum((x * k[:, None]).T @ x for x in (a, b, a + b)) / 24 / area - np.outer(c, c)
    x, y = map(float, c + o)
    return Moments(float(abs(area) * thickness), (x, y, 0.0), plain(S))


def mesh_moments(vertices: Array, faces: Array) -> Moments:
    """Moments of a closed mesh, summed over the tetrahedra from a point o to each face (a, b, c).

    V   = sum k/6                    k = a . (b x c),  s = a + b + c
    V c = sum k/24 s
    V S = sum k/120 (a a^T + b b^T + c c^T + s s^T) - V c c^T
    """
    if len(edges := unpaired_edges(faces)):
        raise EngineError(
            "The mesh is not closed ({n_edges} edges without a partner), so it has no volume; "
            "mend it, or give mass, centre and inertia.",
            n_edges=len(edges),
        )
    o = vertices.mean(axis=0)
    a, b, c = np.moveaxis((vertices - o)[faces], 1, 0)
    k = np.einsum("ni,ni->n", a, np.cross(b, c))
    V = k.sum() / 6
    if not abs(V) > _FLAT * np.abs(k).sum() / 6:
        raise EngineError("The mesh is flat or its faces cancel: it encloses no volume.")
    s = a + b + c
    center = k @ s / 24 / V
    S = sum((x * k[:, None]).T @ x for x in (a, b, c, s)) / 120 / V - np.outer(center, center)
    x, y, z = map(float, center + o)
    return Moments(float(abs(V)), (x, y, z), plain(S))


def unpaired_edges(faces: Array) -> Array:
    """Edges (k, 2) that are not used equally often in both directions; none if the mesh is closed."""
    ends = directed_edges(faces)
    order, count = edge_order(ends)
    ends = ends[order]
    first = np.cumsum(count) - count
    balance = np.add.reduceat(np.where(ends[:, 0] < ends[:, 1], 1, -1), first)
    return np.asarray(ends[first[balance != 0]])


def distinct_rows(rows: Array) -> tuple[Array, Array]:
    """Where each different row comes first, in the order of their values, and the number of each row.

    Columns are sorted one at a time, which is much faster than sorting whole rows.
    """
    code = np.zeros(len(rows), dtype=np.int64)
    for column in rows.T:
        place = np.unique(column, return_inverse=True)[1].ravel()
        code = np.unique(code * (len(rows) + 1) + place, return_inverse=True)[1].ravel()
    first = np.unique(code, return_index=True)[1]
    return first, code


def directed_edges(faces: Array) -> Array:
    """The edges (3 m, 2) of faces (m, 3): all first ones, all second ones, all third ones."""
    return np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]).astype(np.int64)


def edge_order(ends: Array) -> tuple[Array, Array]:
    """An order that groups equal edges, whatever their direction, and the size of each group."""
    key = ends.min(axis=1) * (ends.max() + 1) + ends.max(axis=1)
    order = np.argsort(key, kind="stable")
    return order, np.unique(key, return_counts=True)[1]


def block(x: Any, y: Any, z: Any) -> Moments:
    """S = diag(x^2, y^2, z^2)/12."""
    return centred(x * y * z, x * x / 12, y * y / 12, z * z / 12)


def round_bar(r: Any, z: Any) -> Moments:
    """S = diag(r^2/4, r^2/4, z^2/12)."""
    return centred(pi * r * r * z, r * r / 4, r * r / 4, z * z / 12)


def centred(volume: float, Sxx: float, Syy: float, Szz: float) -> Moments:
    """Moments of a solid that is symmetric about the body axes."""
    return Moments(volume, (0.0, 0.0, 0.0), ((Sxx, 0.0, 0.0), (0.0, Syy, 0.0), (0.0, 0.0, Szz)))


def table(rows: Any, size: int, shape: str, row: str) -> Array:
    """The rows as an array (n, size) of valid numbers."""
    for n, entries in enumerate(rows, 1):
        if len(entries) != size:
            raise EngineError(
                "{row} {n} of the {shape} needs {size} numbers.",
                row=row,
                n=n,
                shape=shape,
                size=size,
            )
    table = np.array(rows, dtype=float).reshape(-1, size)
    if len(bad := np.flatnonzero(~(np.abs(table) <= MAX_COORDINATE).all(axis=1))):
        raise EngineError(
            "{row} {n} of the {shape} is not a point within {max_coordinate:g} m.",
            row=row,
            n=bad[0] + 1,
            shape=shape,
            max_coordinate=MAX_COORDINATE,
        )
    return table


def check_outline(points: Array) -> None:
    """Raise EngineError unless the points are the corners of a simple polygon with an area.

    Edges p-q and r-s meet if r and s are not on the same side of p-q, nor p and q of r-s.
    """
    if len(points) > MAX_POINTS:
        raise EngineError(
            "The polygon has more than {max_points} points; simplify it.", max_points=MAX_POINTS
        )
    number_of = np.flatnonzero(np.any(points != np.roll(points, 1, axis=0), axis=1))
    p = points[number_of]  # repeated points, such as a last one equal to the first, are ignored
    if len(p) < 3:
        raise EngineError("The polygon needs at least three different points.")
    q = np.roll(p, -1, axis=0)
    doubled_areas, flat = _cross(p - p[0], q - p[0]), _FLAT * np.ptp(p, axis=0).max() ** 2
    if not np.abs(doubled_areas).sum() > flat:
        raise EngineError("The polygon has no area: its points lie on a line.")
    low, high = np.minimum(p, q), np.maximum(p, q)
    for i in range(len(p)):
        near = (low[i + 1 :] <= high[i]) & (high[i + 1 :] >= low[i])
        j = i + 1 + np.flatnonzero(near[:, 0] & near[:, 1])
        neighbours = (j == i + 1) | ((i == 0) & (j == len(p) - 1))
        if len(hit := j[np.where(neighbours, _folded(p, q, i, j), _meet(p, q, i, j))]):
            first, second = number_of[i] + 1, number_of[hit[0]] + 1
            raise EngineError(
                "The outline of the polygon meets itself: the edges that start at points {first} "
                "and {second} touch or cross; move the points apart.",
                first=first,
                second=second,
            )
    if not abs(doubled_areas.sum()) > flat:
        raise EngineError("The polygon is too thin to have an area; move its points apart.")


def plain(values: Array) -> Any:
    """An array as a float or as nested tuples, exactly."""
    return values.item() if values.ndim == 0 else tuple(tuple(map(float, row)) for row in values)


def _meet(p: Array, q: Array, i: int, j: Array) -> Array:
    """Whether edge i has a point in common with each edge j, if their bounds overlap."""
    e, f = q[i] - p[i], q[j] - p[j]
    r, s = _cross(e, p[j] - p[i]), _cross(e, q[j] - p[i])
    t, u = _cross(f, p[i] - p[j]), _cross(f, q[i] - p[j])
    return (np.sign(r) * np.sign(s) <= 0) & (np.sign(t) * np.sign(u) <= 0)


def _folded(p: Array, q: Array, i: int, j: Array) -> Array:
    """Whether edge i runs straight back along each neighbour j."""
    e, f = q[i] - p[i], q[j] - p[j]
    return (_cross(e, f) == 0.0) & (f @ e < 0.0)


def _cross(a: Array, b: Array) -> Array:
    """a x b in the plane, row by row."""
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])


def hull(points: Array) -> Array:
    """The convex hull of points (n, 2), anticlockwise: the lower chain, then the upper one."""
    ordered = sorted(set(map(tuple, points.tolist())))
    chains = []
    for run in (ordered, ordered[::-1]):
        chain: list[tuple[float, float]] = []
        for x, y in run:
            while len(chain) > 1:
                (x0, y0), (x1, y1) = chain[-2:]
                if (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0) > 0.0:
                    break
                chain.pop()
            chain.append((x, y))
        chains.append(chain[:-1])
    return np.array(chains[0] + chains[1] or ordered, dtype=float).reshape(-1, 2)


def corners_of_hull(points: Array) -> Array:
    """Those points (n, 3) that are corners of the smallest convex solid around all; each once."""
    from scipy.spatial import ConvexHull, QhullError

    unique = np.unique(points, axis=0)
    try:
        return np.asarray(unique[ConvexHull(unique).vertices])
    except (QhullError, ValueError):  # a flat mesh, or a handful of points
        return unique


def check_inertia(J: Array) -> None:
    """Raise EngineError unless J (3x3) can belong to a solid: Ji > 0 and Ji + Jj >= Jk."""
    low, middle, high = map(float, np.linalg.eigvalsh(J))
    if low <= _SLENDER * high:
        raise EngineError(
            "Its inertia is not positive about every axis (smallest {low:.3g} kg m^2); "
            "give the shape a width, or give an inertia.",
            low=low,
        )
    if low + middle < high * (1.0 - _TRIANGLE_SLACK):
        raise EngineError(
            "No solid has the principal inertias {low:.4g}, {middle:.4g} and {high:.4g} kg m^2: "
            "each is at most the sum of the other two; correct the inertia.",
            low=low,
            middle=middle,
            high=high,
        )


def check_number(what: str, value: Any, limits: Any) -> None:
    """Raise EngineError unless the value is finite and within its limits."""
    above, low, high = (limits.get(limit) for limit in ("above", "low", "high"))
    if not isfinite(value):
        raise EngineError("{what} is not a finite number; correct it.", what=what)
    if above is not None and not value > above:
        raise EngineError(
            "{what} is {value:g}, but it must be greater than {above:g}.",
            what=what,
            value=value,
            above=above,
        )
    if low is not None and not value >= low:
        raise EngineError(
            "{what} is {value:g}, but it must be at least {low:g}.", what=what, value=value, low=low
        )
    if high is not None and not value <= high:
        raise EngineError(
            "{what} is {value:g}, but it must be at most {high:g}.",
            what=what,
            value=value,
            high=high,
        )


def check_weight(mass: float, inertia: Any) -> None:
    """Raise EngineError for a mass or inertia that the program cannot compute with."""
    for what, value, unit in (
        ("mass", mass, "kg"),
        ("inertia", float(np.max(np.abs(inertia))), "kg m^2"),
    ):
        try:
            check_size(value, unit, positive=True)
        except EngineError as error:
            raise EngineError("Its {what} {reason}", what=what, reason=error.sentence) from None


def given_inertia(given: Any, dim: int) -> Any:
    """A float in the plane; in space the matrix of Jxx, Jyy, Jzz, Jxy, Jxz, Jyz."""
    if dim == 2:
        check_number("The inertia", given, {"above": 0.0})
        return float(given)
    if not all(map(isfinite, given)):
        raise EngineError("Its inertia is not a set of finite numbers; correct it.")
    xx, yy, zz, xy, xz, yz = map(float, given)
    return ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))


@cache
def _ranges(kind: Any) -> tuple[tuple[str, Mapping[str, Any]], ...]:
    """The names of the numbers of a shape, and above, low and high of each."""
    found = []
    for f in declared(kind):
        if f.metadata["role"] == "number":
            unit, high = f.metadata["unit"], f.metadata["high"]
            if unit == "m":
                high = MAX_COORDINATE
            elif high is None:
                high = limits(unit).most
            found.append((f.name, {**f.metadata, "high": high}))
    return tuple(found)


def check_fields(shape: Any) -> None:
    """Raise EngineError unless the numbers and choices of a shape are possible one by one."""
    kind: Any = type(shape)
    for name, allowed in _ranges(kind):
        value, above = getattr(shape, name), allowed["above"]
        is_usual = type(value) is float and (above or 0.0) < value <= allowed["high"]
        if value is not None and not (is_usual and allowed["low"] is None):
            what = say("The {field} of the {kind}", field=name, kind=shape.kind)
            check_number(what, value, allowed)
    for f in declared(shape):
        if f.metadata["role"] == "choice" and getattr(shape, f.name) not in f.metadata["choices"]:
            raise EngineError(
                "The {kind} has no {field} '{value}'; choose one of {listed}.",
                kind=shape.kind,
                field=f.name,
                value=getattr(shape, f.name)[:40],
                listed=", ".join(f.metadata["choices"]),
            )
