"""Read triangle meshes from STL and OBJ files, mend what can be mended, and weigh them.

The files are untrusted: whatever the bytes, the answer is a mesh or an EngineError.
"""

import stat
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import isfinite
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from engine.errors import EngineError
from engine.shapes import MassProperties, Mesh, mass_properties
from engine.solids import (
    MAX_COORDINATE,
    MAX_TRIANGLES,
    Array,
    directed_edges,
    edge_order,
    unpaired_edges,
)

MAX_FILE_SIZE = 256 * 2**20  # bytes; an ASCII file of MAX_TRIANGLES is about this big
MAX_LINE = 2**16  # bytes; longer lines are not text for people

_HEADER = 84  # bytes of a binary STL file before the triangles: 80 of comment, 4 of count
_TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


@dataclass(frozen=True, slots=True)
class MeshData:
    """Corners (n, 3) in m, faces (m, 3) as rows of the corners, and what was odd about the file."""

    vertices: Array
    faces: Array
    warnings: tuple[str, ...]


def read_mesh(path: str | Path, scale: float = 1.0) -> MeshData:
    """The mesh in an STL or OBJ file, times `scale`; if it is closed, its faces look outward."""
    path = Path(path)
    try:
        if not (isfinite(scale) and scale > 0.0):
            raise EngineError("The scale must be a positive number.")
        soup, faces = _read(path)
        return _mended(soup, faces, float(scale))
    except EngineError as error:
        raise EngineError(f"Cannot read the mesh '{path.name}'. {error.sentence}") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "Its name or content is not valid"
        raise EngineError(f"Cannot read the mesh '{path.name}'. {reason}.") from None


def mesh_mass_properties(vertices: Any, faces: Any, density: float) -> MassProperties:
    """Mass, centre and inertia of the solid inside a closed mesh, exact for flat faces."""
    return mass_properties(mesh_shape(MeshData(vertices, faces, ())), density, 3)


def mesh_shape(mesh: MeshData, source: str = "") -> Mesh:
    """The mesh as a shape: plain data that a model keeps."""
    vertices = tuple(map(tuple, np.asarray(mesh.vertices, dtype=float).tolist()))
    faces = tuple(map(tuple, np.asarray(mesh.faces).tolist()))
    return Mesh(vertices=vertices, faces=faces, source=source)


def _read(path: Path) -> tuple[Array, Array]:
    """Points (n, 3) and faces (m, 3) as the file has them."""
    kind = path.suffix.lower()
    if kind not in (".stl", ".obj"):
        raise EngineError("Only STL and OBJ files can be read; export it as one of these.")
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise EngineError("It is not a file.")
    if status.st_size > MAX_FILE_SIZE:
        raise EngineError(f"It is larger than {MAX_FILE_SIZE // 2**20} MB; simplify the mesh.")
    with path.open("rb") as file:
        return _read_obj(file) if kind == ".obj" else _read_stl(file, status.st_size)


def _read_stl(file: BinaryIO, size: int) -> tuple[Array, Array]:
    """Binary if its count of triangles explains its size, even if it starts with 'solid'."""
    header = file.read(_HEADER)
    n = int.from_bytes(header[80:84], "little")
    if len(header) == _HEADER and size == _HEADER + n * _TRIANGLE.itemsize:
        _check_count(n)
        data = file.read(n * _TRIANGLE.itemsize)
        if len(data) < n * _TRIANGLE.itemsize:
            raise EngineError("It changed while it was read; try again.")
        corners = np.frombuffer(data, _TRIANGLE)["corners"].astype(float).reshape(-1, 3)
    elif header.lstrip()[:5].lower() == b"solid" and b"\0" not in header:
        file.seek(0)
        corners = _ascii_corners(file)
    else:
        raise EngineError(
            f"It is {size} bytes long, but a binary STL file with the {n} triangles it announces "
            f"has {_HEADER + n * _TRIANGLE.itemsize}: it is cut off or not an STL file."
        )
    return corners, np.arange(len(corners)).reshape(-1, 3)


def _ascii_corners(file: BinaryIO) -> Array:
    """The corners (3 m, 3) of an ASCII STL file: lines 'vertex x y z', three to a facet."""
    numbers = array("d")
    is_open = True
    n = 0
    for place, words in _lines(file):
        keyword = words[0].lower()
        if keyword == b"vertex":
            numbers.extend(_coordinates(words, place))
        elif keyword == b"endfacet":
            n += 1
            _check_count(n)
            if len(numbers) != 9 * n:
                raise EngineError(f"The facet that ends in line {place} has not three vertices.")
        elif keyword in (b"solid", b"endsolid"):
            is_open = keyword == b"solid"
        elif keyword not in (b"facet", b"outer", b"endloop"):
            raise EngineError(f"Line {place} has no place in an STL file.")
    if is_open or len(numbers) != 9 * n:
        raise EngineError("It is cut off: the end of the solid is missing.")
    return np.frombuffer(numbers, dtype=float).reshape(-1, 3)


def _read_obj(file: BinaryIO) -> tuple[Array, Array]:
    """Points from 'v x y z', faces from 'f a b c ...' as fans; the rest is passed over."""
    numbers, corners = array("d"), array("q")
    for place, words in _lines(file):
        if words[0] == b"v":
            numbers.extend(_coordinates(words, place))
            if len(numbers) > 9 * MAX_TRIANGLES:
                raise EngineError(f"It has more than {3 * MAX_TRIANGLES} points; simplify it.")
        elif words[0] == b"f":
            a, *rest = _face(words[1:], len(numbers) // 3, place)
            for b, c in pairwise(rest):
                corners.extend((a, b, c))
            _check_count(len(corners) // 3)
    points = np.frombuffer(numbers, dtype=float).reshape(-1, 3)
    return points, np.frombuffer(corners, dtype=np.int64).reshape(-1, 3)


def _lines(file: BinaryIO) -> Iterator[tuple[int, list[bytes]]]:
    """The number and the words of each line that is not empty; a backslash joins it to the next."""
    joined = b""
    for place, line in enumerate(iter(lambda: file.readline(MAX_LINE), b""), 1):
        joined += line.rstrip()
        if len(line) == MAX_LINE or len(joined) >= MAX_LINE:
            raise EngineError(f"Line {place} is too long to be one of a mesh file.")
        if joined.endswith(b"\\"):
            joined = joined[:-1] + b" "
            continue
        if words := joined.split():
            yield place, words
        joined = b""
    if words := joined.split():
        yield place, words


def _coordinates(words: list[bytes], place: int) -> list[float]:
    """The three numbers after the keyword of a line."""
    try:
        x, y, z = map(float, words[1:4])
    except ValueError:
        raise EngineError(f"Line {place} needs three numbers.") from None
    return [x, y, z]


def _face(words: list[bytes], n_points: int, place: int) -> list[int]:
    """Rows of the corners 'a', 'a/b' or 'a/b/c' of a face; a counts from 1, or back from -1."""
    try:
        given = [int(word.split(b"/", 1)[0]) for word in words]
    except ValueError:
        raise EngineError(f"The face in line {place} is not a list of corners.") from None
    rows = [g - 1 if g > 0 else n_points + g for g in given]
    if len(rows) < 3 or 0 in given or min(rows) < 0 or max(rows) >= n_points:
        raise EngineError(f"The face in line {place} needs three or more corners that exist.")
    return rows


def _check_count(n: int) -> None:
    """Raise EngineError for too many triangles."""
    if n > MAX_TRIANGLES:
        raise EngineError(f"It has more than {MAX_TRIANGLES} triangles; simplify the mesh.")


def _mended(points: Array, faces: Array, scale: float) -> MeshData:
    """Scale, merge equal points, drop empty faces, and turn faces outward where possible."""
    if len(faces) == 0:
        raise EngineError("It has no faces.")
    with np.errstate(over="ignore", invalid="ignore"):
        points = points * scale + 0.0  # + 0.0 makes -0.0 and 0.0 one point
    if not (np.abs(points) <= MAX_COORDINATE).all():
        raise EngineError(f"A coordinate is not a number within {MAX_COORDINATE:g} m.")
    used, faces = np.unique(faces, return_inverse=True)
    vertices, merged = np.unique(points[used], axis=0, return_inverse=True)
    faces = merged.ravel()[faces.reshape(-1, 3)]
    a, b, c = faces.T
    empty = (a == b) | (b == c) | (c == a)
    faces = faces[~empty]
    if len(faces) == 0:
        raise EngineError("All its faces are empty: their corners coincide.")
    warnings = [f"{empty.sum()} empty faces were left out."] if empty.any() else []
    faces = _turned_outward(vertices, faces, warnings)
    return MeshData(vertices, faces, tuple(warnings))


def _turned_outward(vertices: Array, faces: Array, warnings: list[str]) -> Array:
    """The faces, all seen anticlockwise from outside if the mesh is closed; adds to `warnings`."""
    if len(unpaired_edges(faces)):
        flipped = _inconsistent(faces)
        if flipped.any():
            faces = np.where(flipped[:, None], faces[:, ::-1], faces)
            warnings.append(f"{flipped.sum()} faces were turned to agree with their neighbours.")
    if n := len(unpaired_edges(faces)):
        warnings.append(
            f"The mesh is not closed: {n} edges have no partner. It can be shown, but to weigh it "
            "mend the holes, or give mass, centre and inertia."
        )
        return faces
    corners = (vertices - vertices.mean(axis=0))[faces]
    if np.sum(corners[:, 0] * np.cross(corners[:, 1], corners[:, 2])) < 0.0:
        faces = faces[:, ::-1]
        warnings.append("The faces looked inward; all were turned outward.")
    return np.ascontiguousarray(faces)


def _inconsistent(faces: Array) -> Array:
    """Which faces (m,) to turn so that neighbours agree; none where no choice can make them agree.

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
    n_as_is = np.bincount(as_is, minlength=part.max() + 1)  # faces each choice leaves as they are
    two_sided = as_is != turned
    fewer = (n_as_is[turned] > n_as_is[as_is]) | (
        (n_as_is[turned] == n_as_is[as_is]) & (turned < as_is)
    )
    return np.asarray(two_sided & fewer)
