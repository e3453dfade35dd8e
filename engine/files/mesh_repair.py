"""Repair the surface of a mesh: split corners, duplicate faces, inverted faces, and holes.

Every function returns the repaired surface and adds a sentence to `warnings` where it changed something.
"""

from typing import Any

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from engine.errors import say
from engine.model.solids import Array, directed_edges, distinct_rows, edge_order, unpaired_edges

WELD = 1e-6  # of the size of the mesh: corners nearer than this are one, where edges are open
SMALL = 0.5  # of the size of the mesh: how large a hole may be that is closed
FLAT = 0.02  # of the size of a hole: how far its corners may deviate from a plane
MOST_CORNERS = 300  # of a hole that is closed: the work grows with the square
MOST_WELDED = 300_000  # open edges: with more the search for neighbours takes too long
MOST_OPEN = 20_000  # open edges: a mesh with more is a set of loose faces, not a body with holes


def mended(vertices: Array, faces: Array, warnings: list[str]) -> tuple[Array, Array, bool]:
    """The surface, closed as far as possible, and whether it is closed; neighbouring faces agree."""
    faces = _once(faces, warnings)
    for repair in (_welded, _consistent, _capped):
        if not len(unpaired_edges(faces)):
            return vertices, faces, True
        vertices, faces = repair(vertices, faces, warnings)
    return vertices, faces, not len(unpaired_edges(faces))


def holes(faces: Array) -> list[Array]:
    """The rims of the holes, each as corners in the order in which the missing faces would run.

    Where several rims meet in one corner, or faces contradict each other, what is open there belongs to
    none of them.
    """
    ends = directed_edges(faces)
    order, count = edge_order(ends)
    single = order[np.cumsum(count) - count][count == 1]
    start, stop = ends[single, 1], ends[single, 0]  # a missing face runs in the opposite direction
    several = np.isin(start, _repeated(start)) | np.isin(start, _repeated(stop))
    after = dict(zip(start[~several].tolist(), stop[~several].tolist()))
    found = []
    while after:
        first = here = next(iter(after))
        rim = []
        while here in after:
            rim.append(here)
            here = after.pop(here)
        if here == first:
            found.append(np.array(rim))
    return found


def size_of(points: Array) -> float:
    """The diagonal of the box around some points."""
    return float(np.linalg.norm(np.ptp(points, axis=0)))


def _once(faces: Array, warnings: list[str]) -> Array:
    """Every face once: a duplicate with the same orientation is removed."""
    first = faces.argmin(axis=1)[:, None]
    turned = np.take_along_axis(faces, (first + np.arange(3)) % 3, axis=1)
    kept = np.sort(distinct_rows(turned)[0])
    if len(kept) < len(faces):
        warnings.append(
            say(
                "{n_faces} faces that were there twice were left out.",
                n_faces=len(faces) - len(kept),
            )
        )
    return faces[kept]


def _welded(vertices: Array, faces: Array, warnings: list[str]) -> tuple[Array, Array]:
    """Nearly coincident corners at open edges merged, if that closes edges."""
    from scipy.spatial import cKDTree  # its import takes a moment

    open_edges = unpaired_edges(faces)
    if len(open_edges) > MOST_WELDED:
        return vertices, faces
    rim = np.unique(open_edges)
    pairs = cKDTree(vertices[rim]).query_pairs(WELD * size_of(vertices), output_type="ndarray")
    if not len(pairs):
        return vertices, faces
    graph = coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(len(rim),) * 2)
    _, part = connected_components(graph, directed=False)
    of_part = np.full(part.max() + 1, len(vertices))
    np.minimum.at(of_part, part, rim)
    new = np.arange(len(vertices))
    new[rim] = of_part[part]
    joined = _without_empty(new[faces])
    if not len(joined) or len(unpaired_edges(joined)) >= len(open_edges):
        return vertices, faces
    used, joined = np.unique(joined, return_inverse=True)
    warnings.append(
        say(
            "{n} corners that nearly coincided were joined.",
            n=(new != np.arange(len(new))).sum(),
        )
    )
    return vertices[used], joined.reshape(-1, 3)


def _consistent(vertices: Array, faces: Array, warnings: list[str]) -> tuple[Array, Array]:
    """Faces that contradict their neighbours, inverted."""
    flipped = _inconsistent(faces)
    if flipped.any():
        faces = np.where(flipped[:, None], faces[:, ::-1], faces)
        warnings.append(
            say(
                "{n_faces} faces were turned to agree with their neighbours.", n_faces=flipped.sum()
            )
        )
    return vertices, faces


def _capped(vertices: Array, faces: Array, warnings: list[str]) -> tuple[Array, Array]:
    """Small flat holes closed; warns about every hole, and about those that stay open."""
    whole, caps, sizes, open_sizes = size_of(vertices), [], [], []
    has_holes = len(unpaired_edges(faces)) <= MOST_OPEN
    for rim in holes(faces) if has_holes else []:
        size = size_of(vertices[rim])
        is_small = size <= SMALL * whole and 3 <= len(rim) <= MOST_CORNERS
        flat = _in_its_plane(vertices[rim], size) if is_small else None
        cap = _triangles(flat) if flat is not None else None
        if cap is None:
            open_sizes.append(size)
        else:
            caps.append(rim[cap])
            sizes.append(size)
    if caps:
        faces = np.concatenate([faces, *caps])
        warnings.append(
            say(
                "{counted} of up to {size:.3g} m closed with "
                "{n_faces} faces; its mass is that of the closed body.",
                counted=_counted(len(caps), "flat hole"),
                size=max(sizes),
                n_faces=sum(map(len, caps)),
            )
        )
    if n := len(unpaired_edges(faces)):
        about = ""
        if len(open_sizes) == 1:
            about = say(" There is 1 hole, which measures {size:.3g} m.", size=open_sizes[0])
        elif open_sizes:
            about = say(
                " There are {n_holes} holes, the largest of {size:.3g} m.",
                n_holes=len(open_sizes),
                size=max(open_sizes),
            )
        warnings.append(
            say(
                "The mesh is not closed: {n} edges have no partner.{about} It can be shown, but to weigh "
                "it mend the holes, or give mass, centre and inertia.",
                n=n,
                about=about,
            )
        )
    return vertices, faces


def _in_its_plane(points: Array, size: float) -> Array | None:
    """The corners of a rim in the plane nearest to them, (n, 2), anticlockwise; None if it is not flat."""
    away = points - points.mean(axis=0)
    around = np.cross(away, np.roll(away, -1, axis=0)).sum(axis=0)  # twice the area
    length = float(np.linalg.norm(around))
    if not length > 1e-6 * size * size:
        return None
    normal = around / length
    if np.abs(away @ normal).max() > FLAT * size:
        return None
    along = np.cross(normal, np.eye(3)[np.abs(normal).argmin()])
    along /= np.linalg.norm(along)
    return np.asarray(away @ np.stack([along, np.cross(normal, along)], axis=1))


def _triangles(corners: Array) -> Array | None:
    """The triangles (n - 2, 3) of a polygon that runs anticlockwise; None if it crosses itself.

    Ears are cut off, one after the other. An ear is a corner that turns left and whose triangle holds no
    other corner.
    """
    left = list(range(len(corners)))
    found = []
    while len(left) > 3:
        n = len(left)
        for place in range(n):
            a, b, c = left[place - 1], left[place], left[(place + 1) % n]
            if _is_ear(corners, a, b, c, left):
                found.append((a, b, c))
                left.pop(place)
                break
        else:
            return None
    return np.array([*found, left])


def _is_ear(corners: Array, a: int, b: int, c: int, left: list[int]) -> bool:
    """Whether the corner b between a and c may be cut off."""
    if not _side(corners[a], corners[b], corners[c]) > 0.0:
        return False
    others = corners[[k for k in left if k not in (a, b, c)]]
    inside = (
        (_side(corners[a], corners[b], others) >= 0.0)
        & (_side(corners[b], corners[c], others) >= 0.0)
        & (_side(corners[c], corners[a], others) >= 0.0)
    )
    return not inside.any()


def _side(a: Array, b: Array, p: Array) -> Any:
    """Twice the area of a, b, p: positive where p lies to the left of a-b."""
    return (b[0] - a[0]) * (p[..., 1] - a[1]) - (b[1] - a[1]) * (p[..., 0] - a[0])


def _without_empty(faces: Array) -> Array:
    """The faces with three different corners."""
    a, b, c = faces.T
    return faces[(a != b) & (b != c) & (c != a)]


def _repeated(values: Array) -> Array:
    """The entries that occur more than once."""
    once, count = np.unique(values, return_counts=True)
    return once[count > 1]


def _counted(n: int, what: str) -> str:
    return f"1 {what}" if n == 1 else f"{n} {what}s"


def _inconsistent(faces: Array) -> Array:
    """Which faces (m,) to invert so that neighbours agree; none where no choice can make them agree.

    Each face f has two nodes, f as it is and f turned. Over an edge that two faces share, the nodes
    that agree are joined. The parts of that graph are the consistent choices; the one that turns
    fewer faces is taken.
    """
    m = len(faces)
    ends = directed_edges(faces)
    owner = np.tile(np.arange(m), 3)
    order, count = edge_order(ends)
    starts = np.concatenate([[0], np.cumsum(count)[:-1]])[count == 2]
    first, second = order[starts], order[starts + 1]
    disagree = (ends[first, 0] == ends[second, 0]).astype(int)
    f, g = owner[first], owner[second]
    rows = np.concatenate([f, f + m])
    columns = np.concatenate([g + m * disagree, g + m * (1 - disagree)])
    graph = coo_array((np.ones(len(rows), dtype=np.int8), (rows, columns)), shape=(2 * m, 2 * m))
    _, part = connected_components(graph, directed=False)
    as_is, turned = part[:m], part[m:]
    n_as_is = np.bincount(as_is, minlength=part.max() + 1)  # faces each choice leaves unchanged
    two_sided = as_is != turned
    fewer = (n_as_is[turned] > n_as_is[as_is]) | (
        (n_as_is[turned] == n_as_is[as_is]) & (turned < as_is)
    )
    return np.asarray(two_sided & fewer)
