"""Read triangle meshes from STL and OBJ files, repair what can be repaired, and find their moments.

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

from engine.errors import EngineError, say
from engine.files import mesh_repair, mesh_simplify
from engine.model.shapes import Mesh
from engine.model.solids import (
    MAX_COORDINATE,
    MAX_TRIANGLES,
    Array,
    Moments,
    distinct_rows,
    mesh_moments,
)

MAX_FILE_SIZE = 256 * 2**20  # bytes; an ASCII file of MAX_TRIANGLES is about this big
MAX_LINE = 2**16  # bytes; longer lines are not plausible text
PIECE = 2**22  # bytes that are scanned at a time
FEWEST = 100  # triangles of a simplified mesh
HUGE_PART = 50.0  # m; a larger one is probably in millimetres

_HEADER = 84  # bytes of a binary STL file before the triangles: 80 of comment, 4 of count
_TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


@dataclass(frozen=True, slots=True)
class MeshData:
    """Corners (n, 3) in m, faces (m, 3) as rows of the corners, and warnings about the file.

    A simplified mesh keeps the moments of the one it was made from, where that was closed.
    """

    vertices: Array
    faces: Array
    warnings: tuple[str, ...]
    original: Moments | None = None


class TooManyTrianglesError(EngineError):
    """A file that may be read simplified: `read_mesh(path, scale, simplify_to=n)`."""


def read_mesh(path: str | Path, scale: float = 1.0, simplify_to: int | None = None) -> MeshData:
    """The mesh in an STL or OBJ file, times `scale`; if it is closed, its faces look outward.

    With `simplify_to` it has at most about that many triangles, and a binary STL file may be of any size.
    """
    path = Path(path)
    try:
        if not (isfinite(scale) and scale > 0.0):
            raise EngineError("The scale must be a positive number.")
        if simplify_to is not None and not simplify_to >= FEWEST:
            raise EngineError(
                "A mesh cannot be simplified to fewer than {fewest} triangles.", fewest=FEWEST
            )
        return _from_file(path, float(scale), simplify_to)
    except EngineError as error:
        raise type(error)(
            "Cannot read the mesh '{file}'. {reason}", file=path.name, reason=error.sentence
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or say("Its name or content is not valid")
        raise EngineError(
            "Cannot read the mesh '{file}'. {reason}.", file=path.name, reason=reason
        ) from None


def simplified(mesh: MeshData, n: int) -> MeshData:
    """The mesh with at most about n triangles and the same volume; it keeps the original moments."""
    if len(mesh.faces) <= n:
        return mesh
    vertices, faces = mesh_simplify.decimated(mesh.vertices, mesh.faces, max(n, FEWEST))
    before = mesh.original or _moments(mesh.vertices, mesh.faces)
    return _fewer(vertices, faces, mesh, before, len(mesh.faces))


def given_mass(mesh: MeshData, density: float) -> dict[str, Any]:
    """Mass, centre and inertia for the body of a simplified mesh: those of the mesh it was made from.

    Nothing for a mesh that was not simplified: its body gets them from its shape.
    """
    if mesh.original is None:
        return {}
    V, c, S = mesh.original.volume, mesh.original.center, np.array(mesh.original.spread)
    J = density * V * (np.trace(S) * np.eye(3) - S)
    inertia = (J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2])
    return {"mass": density * V, "center": c, "inertia": tuple(map(float, inertia))}


def mesh_shape(mesh: MeshData, source: str = "") -> Mesh:
    """The mesh as a shape: plain data that a model keeps."""
    vertices = tuple(map(tuple, np.asarray(mesh.vertices, dtype=float).tolist()))
    faces = tuple(map(tuple, np.asarray(mesh.faces).tolist()))
    return Mesh(vertices=vertices, faces=faces, source=source)


def _from_file(path: Path, scale: float, simplify_to: int | None) -> MeshData:
    """The mesh in a file, repaired, and simplified on request."""
    kind = path.suffix.lower()
    if kind not in (".stl", ".obj"):
        raise EngineError("Only STL and OBJ files can be read; export it as one of these.")
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise EngineError("It is not a file.")
    with path.open("rb") as file:
        n = _announced(file, status.st_size) if kind == ".stl" else None
        if n is not None and n > MAX_TRIANGLES and simplify_to is not None:
            return _in_pieces(file, n, scale, simplify_to)
        if n is not None:
            _check_count(n, is_all=True)
        elif status.st_size > MAX_FILE_SIZE:
            raise EngineError(
                "It is larger than {limit} MB; simplify the mesh, or export it as a "
                "binary STL file, which can be simplified here.",
                limit=MAX_FILE_SIZE // 2**20,
            )
        else:
            _count_faces(file, b"\nf " if kind == ".obj" else b"endfacet")
        soup, faces = _read_obj(file) if kind == ".obj" else _read_stl(file, status.st_size, n)
    mesh = _mended(soup, faces, scale)
    return mesh if simplify_to is None else simplified(mesh, simplify_to)


def _in_pieces(file: BinaryIO, n: int, scale: float, simplify_to: int) -> MeshData:
    """A binary STL file that is too large for a model, simplified while it is read."""
    found = mesh_simplify.clustered_in_pieces(file, _TRIANGLE, scale, simplify_to)
    vertices, faces, before = found
    if len(faces) == 0:
        raise EngineError(
            "Nothing is left of it when it is simplified: it is flat, or has no faces."
        )
    mesh = _mended(vertices, faces, 1.0)
    if len(mesh.faces) > simplify_to:
        vertices, faces = mesh_simplify.decimated(mesh.vertices, mesh.faces, simplify_to)
    else:
        vertices, faces = mesh.vertices, mesh.faces
    return _fewer(vertices, faces, mesh, before, n)


def _fewer(
    vertices: Array, faces: Array, mesh: MeshData, before: Moments | None, n: int
) -> MeshData:
    """A simplified mesh with its original volume, and a sentence about it."""
    if len(faces) == 0:
        raise EngineError("Nothing is left of the mesh when it is simplified so much; allow more.")
    now = _moments(vertices, faces)
    if now is None:
        before = None
    elif before is not None:
        vertices = mesh_simplify.stretched(vertices, now.volume, before)
    told = (
        say(
            "The mesh was simplified from {n} to {n_faces} triangles; mass, centre and inertia are "
            "those of the original.",
            n=n,
            n_faces=len(faces),
        )
        if before is not None
        else say(
            "The mesh was simplified from {n} to {n_faces} triangles; it is not closed, so give "
            "mass, centre and inertia.",
            n=n,
            n_faces=len(faces),
        )
    )
    others = (words for words in mesh.warnings if not words.startswith("The mesh was simplified"))
    return MeshData(vertices, faces, (*others, told), before)


def _moments(vertices: Array, faces: Array) -> Moments | None:
    """The moments of a closed mesh; None where there is no volume."""
    try:
        return mesh_moments(vertices, faces)
    except EngineError:
        return None


def _announced(file: BinaryIO, size: int) -> int | None:
    """How many triangles a binary STL file has, if its size agrees; moves behind its header.

    Other files have no reliable count; they are positioned at their beginning.
    """
    header = file.read(_HEADER)
    n = int.from_bytes(header[80:84], "little")
    if len(header) == _HEADER and size == _HEADER + n * _TRIANGLE.itemsize:
        return n
    file.seek(0)
    return None


def _count_faces(file: BinaryIO, word: bytes) -> None:
    """Refuse a text with more faces than a model holds at once, before its numbers are read.

    It is read to its end or to the first face too many; then the file is rewound.
    """
    n, tail = 0, b""
    while piece := file.read(PIECE):
        data = tail + piece
        n += data.count(word)
        _check_count(n)
        tail = data[-(len(word) - 1) :]
    file.seek(0)


def _read_stl(file: BinaryIO, size: int, n: int | None) -> tuple[Array, Array]:
    """Binary if its count of triangles explains its size, even if it starts with 'solid'."""
    if n is not None:
        data = file.read(n * _TRIANGLE.itemsize)
        if len(data) < n * _TRIANGLE.itemsize:
            raise EngineError("It changed while it was read; try again.")
        corners = np.frombuffer(data, _TRIANGLE)["corners"].astype(float).reshape(-1, 3)
        return corners, np.arange(len(corners)).reshape(-1, 3)
    header = file.read(_HEADER)
    if header.lstrip()[:5].lower() != b"solid" or b"\0" in header:
        announced = int.from_bytes(header[80:84], "little")
        raise EngineError(
            "It is {size} bytes long, but a binary STL file with the {announced} triangles it announces "
            "has {expected}: it is cut off or not an STL file.",
            size=size,
            announced=announced,
            expected=_HEADER + announced * _TRIANGLE.itemsize,
        )
    file.seek(0)
    corners = _ascii_corners(file)
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
                raise EngineError(
                    "The facet that ends in line {place} has not three vertices.", place=place
                )
        elif keyword in (b"solid", b"endsolid"):
            is_open = keyword == b"solid"
        elif keyword not in (b"facet", b"outer", b"endloop"):
            raise EngineError("Line {place} has no place in an STL file.", place=place)
    if is_open or len(numbers) != 9 * n:
        raise EngineError("It is cut off: the end of the solid is missing.")
    return np.frombuffer(numbers, dtype=float).reshape(-1, 3)


def _read_obj(file: BinaryIO) -> tuple[Array, Array]:
    """Points from 'v x y z', faces from 'f a b c ...' as fans; the rest is ignored."""
    numbers, corners = array("d"), array("q")
    for place, words in _lines(file):
        if words[0] == b"v":
            numbers.extend(_coordinates(words, place))
            if len(numbers) > 9 * MAX_TRIANGLES:
                raise EngineError(
                    "It has more than {max_triangles} points; simplify it.",
                    max_triangles=3 * MAX_TRIANGLES,
                )
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
            raise EngineError("Line {place} is too long to be one of a mesh file.", place=place)
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
        raise EngineError("Line {place} needs three numbers.", place=place) from None
    return [x, y, z]


def _face(words: list[bytes], n_points: int, place: int) -> list[int]:
    """Rows of the corners 'a', 'a/b' or 'a/b/c' of a face; a counts from 1, or back from -1."""
    try:
        given = [int(word.split(b"/", 1)[0]) for word in words]
    except ValueError:
        raise EngineError(
            "The face in line {place} is not a list of corners.", place=place
        ) from None
    rows = [g - 1 if g > 0 else n_points + g for g in given]
    if len(rows) < 3 or 0 in given or min(rows) < 0 or max(rows) >= n_points:
        raise EngineError(
            "The face in line {place} needs three or more corners that exist.", place=place
        )
    return rows


def _check_count(n: int, is_all: bool = False) -> None:
    """Raise TooManyTrianglesError; `is_all` where n is the count of the whole file."""
    if n > MAX_TRIANGLES:
        count = say(
            "{n} triangles, more than the {max_triangles} that a model can hold",
            n=n,
            max_triangles=MAX_TRIANGLES,
        )
        if not is_all:
            count = say(
                "more than {max_triangles} triangles, which a model cannot hold",
                max_triangles=MAX_TRIANGLES,
            )
        raise TooManyTrianglesError(
            "It has {count}. Simplify the mesh, or read a binary STL file of it simplified.",
            count=count,
        )


def _mended(points: Array, faces: Array, scale: float) -> MeshData:
    """Scale, merge equal points, drop empty faces, and turn faces outward where possible."""
    if len(faces) == 0:
        raise EngineError("It has no faces.")
    with np.errstate(over="ignore", invalid="ignore"):
        points = points * scale + 0.0  # + 0.0 makes -0.0 and 0.0 one point
    if not (np.abs(points) <= MAX_COORDINATE).all():
        raise EngineError(
            "A coordinate is not a number within {max_coordinate:g} m.",
            max_coordinate=MAX_COORDINATE,
        )
    used, faces = np.unique(faces, return_inverse=True)
    points = points[used]
    first, merged = distinct_rows(points)
    vertices, faces = points[first], merged[faces.reshape(-1, 3)]
    a, b, c = faces.T
    empty = (a == b) | (b == c) | (c == a)
    faces = faces[~empty]
    if len(faces) == 0:
        raise EngineError("All its faces are empty: their corners coincide.")
    warnings = (
        [say("{n_faces} empty faces were left out.", n_faces=empty.sum())] if empty.any() else []
    )
    vertices, faces, is_closed = mesh_repair.mended(vertices, faces, warnings)
    if is_closed:
        faces = _turned_outward(vertices, faces, warnings)
    _judge(vertices, np.ascontiguousarray(faces), is_closed, warnings)
    return MeshData(vertices, np.ascontiguousarray(faces), tuple(warnings))


def _turned_outward(vertices: Array, faces: Array, warnings: list[str]) -> Array:
    """The faces of a closed mesh, all seen anticlockwise from outside; adds to `warnings`."""
    corners = (vertices - vertices.mean(axis=0))[faces]
    if np.sum(corners[:, 0] * np.cross(corners[:, 1], corners[:, 2])) < 0.0:
        faces = faces[:, ::-1]
        warnings.append(say("The faces looked inward; all were turned outward."))
    return np.ascontiguousarray(faces)


def _judge(vertices: Array, faces: Array, is_closed: bool, warnings: list[str]) -> None:
    """Warn about an implausible volume or size of a mesh; adds to `warnings`."""
    if is_closed and _moments(vertices, faces) is None:
        warnings.append(
            say(
                "The mesh encloses no volume, because it is flat or its faces cancel. It can be shown; "
                "give mass, centre and inertia of its body."
            )
        )
    extent = np.ptp(vertices, axis=0)
    if extent.max() > HUGE_PART:
        measures = " x ".join(f"{length:.4g}" for length in extent)
        warnings.append(
            say(
                "The mesh measures {measures} m. Such files do not tell their unit: if it is in "
                "millimetres, read it with the scale 0.001.",
                measures=measures,
            )
        )
