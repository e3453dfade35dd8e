"""Coarse meshes made as round as they are meant: smooth normals, and curved triangles between them.

Two triangles are parts of one smooth surface where they lean by less than the crease angle, unless that
would bend long straight faces: facets of width w that turn by delta stand for a circle of radius
w / delta, from which they are off by w delta / 8. Where the radius is larger than the body it is no circle,
and smooth only if it is off by no more than the circles that meet it, so that straight profiles stay
straight. A corner has the mean normal of the triangles around it that are smooth with its own, weighted by
their angles there.

Every triangle is then a cubic patch through its corners (a PN triangle: Vlachos et al., Curved PN
triangles, 2001). On a smooth edge both patches use the mean of both normals, on a crease both follow the
cross product of both normals; so they meet without gaps, and the rim of a cap is as round as its side.
"""

from typing import NamedTuple

import numpy as np

from gui.placing.space.solids import Solid

CREASE = np.cos(np.radians(40.0))  # ten sides are still a circle, eight keep their edges
CHORD = 2e-4  # of the size: what no eye sees
RADIUS = 0.75  # of the size: of the largest circle that facets may stand for
FINEST = {1: 9.0, 2: 5.0}  # degrees between two sides after refining, by level; 0: as they are
COARSEST = 12.0  # degrees, of what is thin
UNSEEN = 2e-4  # of the size: sides that are off by less need not be finer
MOST_STEPS = 8  # parts of an edge
MOST = 24_000  # triangles that refining may make
BOW = 2e-3  # of the length of an edge: less is straight


class Edges(NamedTuple):
    """The edges k -> k + 1 of triangles (m, 3)."""

    mate: np.ndarray  # the same edge of the neighbour as 3 f + k; itself where there is none
    smooth: np.ndarray  # whether the surface goes on smoothly
    is_rim: np.ndarray  # whether there is no neighbour, or more than one
    turn: np.ndarray  # angle between both triangles [rad]
    off: np.ndarray  # how far they are off the circle they stand for


def rounded(vertices: np.ndarray, faces: np.ndarray, level: int = 2) -> Solid:
    """A mesh with smooth normals, its curved parts refined, and its creases as edges."""
    points, faces = _welded(vertices, faces)
    corners = points[faces]
    flat = _unit(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]))
    edges = _edges(corners, faces, flat)
    normals = _corner_normals(corners, faces, flat, edges)
    thirds = _control_points(corners, normals, edges)
    curved = _is_curved(corners, thirds)
    some = curved.any(axis=1)
    size = float(np.ptp(points, axis=0).max()) or 1.0
    steps = _steps(edges, size, int(some.sum()), level)
    parts = [_whole(corners[~some], normals[~some])]
    if some.any():
        parts.append(_patches(corners[some], normals[some], thirds[some], steps))
    starts = np.cumsum([0] + [len(p) for p, _, _ in parts])
    return Solid(
        np.concatenate([p for p, _, _ in parts]),
        np.concatenate([n for _, n, _ in parts]),
        np.concatenate([t + s for (_, _, t), s in zip(parts, starts)]),
        _creases(corners, thirds, curved, edges, steps),
    )


def is_closed(vertices: np.ndarray, faces: np.ndarray) -> bool:
    """Whether only the outside of a mesh can be seen: it has no holes and faces outwards."""
    n = len(vertices)
    after = np.roll(faces, -1, axis=1)
    if not np.array_equal(
        np.sort((faces * n + after).ravel()), np.sort((after * n + faces).ravel())
    ):
        return False
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    return float(_dot(a, np.cross(b, c)).sum()) > 0.0


def _unit(v: np.ndarray) -> np.ndarray:
    """Vectors (..., 3) of length one; zeros stay."""
    return v / np.maximum(np.linalg.norm(v, axis=-1, keepdims=True), 1e-300)


def _dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.einsum("...i,...i->...", a, b)


def _welded(vertices: np.ndarray, faces: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same mesh with one vertex in each place, and without triangles that have no area."""
    size = float(np.ptp(vertices, axis=0).max()) or 1.0
    keys = np.round(vertices / (1e-6 * size)).astype(np.int64)
    _, first, where = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    faces = where.ravel()[faces]
    return vertices[first], faces[(faces != np.roll(faces, -1, axis=1)).all(axis=1)]


def _edges(corners: np.ndarray, faces: np.ndarray, flat: np.ndarray) -> Edges:
    """Which triangles are neighbours, and across which edges the surface is smooth."""
    ends = np.sort(np.stack([faces, np.roll(faces, -1, axis=1)], axis=2).reshape(-1, 2), axis=1)
    _, which, counts = np.unique(ends, axis=0, return_inverse=True, return_counts=True)
    which = which.ravel()
    order = np.argsort(which, kind="stable")
    mate = np.arange(len(ends))
    first = np.flatnonzero(counts[which[order]] == 2)[::2]
    a, b = order[first], order[first + 1]
    mate[a], mate[b] = b, a
    alone = counts[which] != 2
    sides = np.roll(corners, -1, axis=1) - corners
    area = np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1)
    across = area[:, None] / np.maximum(np.linalg.norm(sides, axis=2), 1e-300)  # its width there
    width = np.maximum(across.ravel(), across.ravel()[mate])
    own = np.repeat(flat, 3, axis=0)
    cosine = _dot(own, own[mate])
    delta = np.arccos(np.clip(cosine, -1.0, 1.0))
    size = float(np.ptp(corners.reshape(-1, 3), axis=0).max()) or 1.0
    leans_little = ~alone & (cosine > CREASE)
    is_circle = leans_little & (width <= RADIUS * size * delta)
    off = width * delta / 8.0
    at = faces.ravel(), np.roll(faces, -1, axis=1).ravel()  # both ends
    allowed = np.full(int(faces.max(initial=0)) + 1, CHORD * size)
    for end in at:
        np.maximum.at(allowed, end[is_circle], off[is_circle])
    smooth = leans_little & (is_circle | (off <= np.maximum(allowed[at[0]], allowed[at[1]])))
    return Edges(mate, smooth & smooth[mate], alone, delta, off)


def _corner_normals(
    corners: np.ndarray, faces: np.ndarray, flat: np.ndarray, edges: Edges
) -> np.ndarray:
    """Normals (m, 3, 3) at the corners of all triangles."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n = faces.size
    # corners k of triangle f and its neighbours over smooth edges are one place of one surface
    here = np.flatnonzero(edges.smooth)
    after = here // 3 * 3 + (here % 3 + 1) % 3
    there = edges.mate[here]
    there_after = there // 3 * 3 + (there % 3 + 1) % 3
    links = np.concatenate([here, after]), np.concatenate([there_after, there])
    graph = coo_array((np.ones(len(links[0])), links), shape=(n, n))
    _, group = connected_components(graph, directed=False)
    own = np.repeat(flat, 3, axis=0)
    weighted = _angles(corners).ravel()[:, None] * own
    order = np.argsort(group, kind="stable")
    starts = np.searchsorted(group[order], np.arange(n + 1))
    many = np.diff(starts)[group]
    first = np.repeat(np.arange(n), many)
    second = order[np.repeat(starts[group], many) + _counting(many)]
    near = _dot(own[first], own[second]) > CREASE
    total = np.zeros((n, 3))
    np.add.at(total, first[near], weighted[second[near]])
    tips = _tips(faces, edges)[faces.ravel()]
    return np.where(tips[:, None], own, _unit(total)).reshape(-1, 3, 3)


def _counting(many: np.ndarray) -> np.ndarray:
    """0, 1, ... many[0] - 1, 0, 1, ... many[1] - 1, and so on."""
    return np.arange(int(many.sum())) - np.repeat(np.cumsum(many) - many, many)


def _tips(faces: np.ndarray, edges: Edges) -> np.ndarray:
    """Which vertices are tips of cones: smooth all round, and all sides end in a crease."""
    n = int(faces.max()) + 1 if faces.size else 0
    sharp, goes_on = np.zeros(n, dtype=bool), np.zeros(n, dtype=bool)
    smooth = edges.smooth.reshape(-1, 3)
    for k in range(3):
        for end in (k, (k + 1) % 3):
            np.logical_or.at(sharp, faces[:, end], ~smooth[:, k])
        np.logical_or.at(goes_on, faces[:, (k + 2) % 3], smooth[:, k])
    return ~sharp & ~goes_on


def _angles(corners: np.ndarray) -> np.ndarray:
    """The angle at each corner (m, 3): two thin triangles there count as much as a wide one."""
    to, back = np.roll(corners, -1, axis=1) - corners, np.roll(corners, 1, axis=1) - corners
    return np.arccos(np.clip(_dot(_unit(to), _unit(back)), -1.0, 1.0))


def _control_points(corners: np.ndarray, normals: np.ndarray, edges: Edges) -> np.ndarray:
    """The two control points (m, 3, 2, 3) on each edge."""
    p, q = corners.reshape(-1, 3), np.roll(corners, -1, axis=1).reshape(-1, 3)
    n, o = normals.reshape(-1, 3), np.roll(normals, -1, axis=1).reshape(-1, 3)
    # the neighbour runs along the edge the other way
    n_mate, o_mate = o[edges.mate], n[edges.mate]
    n_mate, o_mate = (np.where(edges.is_rim[:, None], a, b) for a, b in ((n, n_mate), (o, o_mate)))
    near = _control(p, q, n, n_mate, edges.smooth)
    far = _control(q, p, o, o_mate, edges.smooth)
    return np.stack([near, far], axis=1).reshape(-1, 3, 2, 3)


def _control(
    p: np.ndarray, q: np.ndarray, n: np.ndarray, other: np.ndarray, smooth: np.ndarray
) -> np.ndarray:
    """The control point next to p on the edge to q, where both triangles have these normals."""
    third = (q - p) / 3.0
    long = np.linalg.norm(third, axis=1)
    mean = _unit(n + other)
    on_surface = third - _dot(third, mean)[:, None] * mean
    crease = np.cross(n, other)
    sine = np.linalg.norm(crease, axis=1)
    share = _dot(third, _unit(crease))
    # a rim that hardly bends, or is no rim of this edge, stays straight
    is_rim = (sine > 0.05) & (np.abs(share) > 0.7 * long)
    along = np.where(is_rim[:, None], share[:, None] * _unit(crease), third)
    leads = np.where(smooth[:, None], on_surface, along)
    # of the length that makes a circle of it: 2 / (1 + cos alpha) thirds, alpha from edge to tangent
    cosine = np.clip(np.linalg.norm(leads, axis=1) / np.maximum(long, 1e-300), 0.5, 1.0)
    return p + leads * (2.0 / ((1.0 + cosine) * cosine))[:, None]


def _is_curved(corners: np.ndarray, thirds: np.ndarray) -> np.ndarray:
    """Which edges (m, 3) are not straight."""
    p, q = corners, np.roll(corners, -1, axis=1)
    bow = np.linalg.norm(thirds[:, :, 0] - (2 * p + q) / 3, axis=2)
    bow += np.linalg.norm(thirds[:, :, 1] - (p + 2 * q) / 3, axis=2)
    return bow > BOW * np.linalg.norm(q - p, axis=2)


def _steps(edges: Edges, size: float, curved: int, level: int) -> int:
    """Into how many parts edges are cut: sides turn little, or are nowhere off by what is seen."""
    smooth = edges.smooth
    if not smooth.any() or not curved or level == 0:
        return 1
    turn, off = float(np.degrees(edges.turn[smooth].max())), float(edges.off[smooth].max())
    by_turn = max(np.ceil(turn / FINEST[level]), 1.0)
    by_chord = max(np.ceil(np.sqrt(off / (UNSEEN * size))), np.ceil(turn / COARSEST))
    wanted = int(min(by_turn, by_chord, MOST_STEPS))
    return max(min(wanted, int(np.sqrt(MOST / curved))), 1)


def _whole(corners: np.ndarray, normals: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Flat triangles as they are."""
    n = 3 * len(corners)
    return corners.reshape(-1, 3), normals.reshape(-1, 3), np.arange(n).reshape(-1, 3)


def _patches(
    corners: np.ndarray, normals: np.ndarray, thirds: np.ndarray, steps: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Cubic patches with quadratic normals, cut into steps * steps triangles each.

    sum of b_ijk 3! / (i! j! k!) u^i v^j w^k       u + v + w = 1
    """
    grid = [(i, j) for i in range(steps + 1) for j in range(steps + 1 - i)]
    v, w = (np.array([g[k] for g in grid]) / steps for k in range(2))
    u = 1.0 - v - w
    edge = thirds.reshape(len(corners), 6, 3)
    middle = 1.5 * edge.mean(axis=1) - 0.5 * corners.mean(axis=1)
    cubic = (
        *(u**3, v**3, w**3, 3 * u * u * v, 3 * u * v * v, 3 * v * v * w),
        *(3 * v * w * w, 3 * w * w * u, 3 * w * u * u, 6 * u * v * w),
    )
    control = np.concatenate([corners, edge, middle[:, None]], axis=1)
    points = np.einsum("cg,mcx->mgx", np.stack(cubic), control)
    after, side = np.roll(normals, -1, axis=1), np.roll(corners, -1, axis=1) - corners
    tilt = 2.0 * _dot(side, normals + after) / np.maximum(_dot(side, side), 1e-300)
    halves = _unit(normals + after - tilt[..., None] * side)
    quadratic = np.stack([u * u, v * v, w * w, 2 * u * v, 2 * v * w, 2 * w * u])
    bent = np.einsum("cg,mcx->mgx", quadratic, np.concatenate([normals, halves], axis=1))
    shift = len(grid) * np.arange(len(corners))[:, None, None]
    triangles = (np.array(_cells(grid, steps)) + shift).reshape(-1, 3)
    return points.reshape(-1, 3), _unit(bent).reshape(-1, 3), triangles


def _cells(grid: list[tuple[int, int]], steps: int) -> list[tuple[int, int, int]]:
    """The small triangles of a patch."""
    number = {place: k for k, place in enumerate(grid)}
    found = []
    for i, j in grid:
        if i + j < steps:
            found.append((number[i, j], number[i + 1, j], number[i, j + 1]))
        if i + j < steps - 1:
            found.append((number[i + 1, j], number[i + 1, j + 1], number[i, j + 1]))
    return found


def _creases(
    corners: np.ndarray, thirds: np.ndarray, curved: np.ndarray, edges: Edges, steps: int
) -> list[np.ndarray]:
    """The edges across which the surface is not smooth as chains of places, each once."""
    drawn = np.flatnonzero(
        ~edges.smooth & (edges.is_rim | (edges.mate > np.arange(edges.mate.size)))
    )
    f, k = drawn // 3, drawn % 3
    p, q = corners[f, k], corners[f, (k + 1) % 3]
    a, b = thirds[f, k, 0], thirds[f, k, 1]
    t = np.linspace(0.0, 1.0, steps + 1)[:, None, None]
    bent = (1 - t) ** 3 * p + 3 * (1 - t) ** 2 * t * a + 3 * (1 - t) * t * t * b + t**3 * q
    is_bent = curved[f, k].tolist()
    return [bent[:, n] if is_bent[n] else np.stack([p[n], q[n]]) for n in range(len(drawn))]
