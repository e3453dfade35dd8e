"""Hostile meshes: STL and OBJ files that are cut, flipped, inflated or lie about their size."""

import random
import struct
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path

from engine.errors import EngineError
from engine.files.meshes import mesh_shape, read_mesh
from tests.abuse.copies import in_a_copy
from tests.abuse.files import PATIENCE, TookTooLong, within
from tests.abuse.report import Tally

WORDS = (
    b"nan",
    b"inf",
    b"1e400",
    b"-1e30",
    b"0",
    b"v",
    b"f",
    b"facet",
    b"endloop",
    b"1/2/3",
    b"-1",
    b"99999",
)


def abuse(tally: Tally, seed: int, count: int, folder: Path, step: Callable[[], object]) -> None:
    """Read `count` hostile meshes in a copy of this process; changes the tally."""
    in_a_copy(tally, lambda own: try_meshes(own, seed, count, folder))
    for _ in range(count):
        step()


def try_meshes(tally: Tally, seed: int, count: int, folder: Path, patience: int = PATIENCE) -> None:
    """Read `count` hostile meshes; changes the tally, keeps files with faults in the folder."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as scratch:
        for n in range(count):
            suffix, content = hostile_mesh(rng)
            path = Path(scratch) / f"mesh{suffix}"
            path.write_bytes(content)
            try:
                with within(patience):
                    simplify_to = rng.choice((None, None, 50))
                    mesh_shape(read_mesh(path, rng.choice((1.0, 1e-3, 1e6)), simplify_to), "mesh")
                tally.count("read")
            except EngineError:
                tally.count("refused")
            except TookTooLong:
                _keep(tally, "hang", f"seed {seed}, mesh {n}", path, folder)
            except Exception:
                _keep(tally, "foreign exception", traceback.format_exc(), path, folder)
            tally.tried += 1


def hostile_mesh(rng: random.Random) -> tuple[str, bytes]:
    """A suffix and the content of a mesh file with faults."""
    suffix, content = rng.choice((_binary_stl, _ascii_stl, _obj))(rng)
    for _ in range(rng.randint(0, 3)):
        content = rng.choice((_cut, _flipped, _repeated, _worded, _unchanged))(content, rng)
    return suffix, content


def _triangles(rng: random.Random) -> list[list[tuple[float, ...]]]:
    """Some triangles: a tetrahedron, a soup, flat ones, huge ones."""
    scale = rng.choice((1.0, 1e-12, 1e12, 1e38, 0.0))
    corners = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)]
    faces = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]
    if rng.random() < 0.5:
        corners = [
            tuple(rng.choice((rng.random(), 0.0, 1.0)) for _ in range(3))
            for _ in range(rng.randint(1, 40))
        ]
        faces = [
            tuple(rng.randrange(len(corners)) for _ in range(3)) for _ in range(rng.randint(0, 80))
        ]
    return [[tuple(scale * x for x in corners[k]) for k in face] for face in faces]


def _binary_stl(rng: random.Random) -> tuple[str, bytes]:
    triangles = _triangles(rng)
    n = rng.choice((len(triangles), len(triangles), 0, 2**31, 2**32 - 1, len(triangles) + 1))
    body = b"".join(
        struct.pack("<12fH", 0, 0, 0, *(min(x, 3e38) for p in t for x in p), 0) for t in triangles
    )
    return ".stl", rng.choice((b"solid", b"")).ljust(80, b"\0") + struct.pack("<I", n) + body


def _ascii_stl(rng: random.Random) -> tuple[str, bytes]:
    lines = ["solid"]
    for t in _triangles(rng):
        lines += [
            "facet normal 0 0 0",
            "outer loop",
            *(f"vertex {x} {y} {z}" for x, y, z in t),
            "endloop",
            "endfacet",
        ]
    return ".stl", "\n".join([*lines, "endsolid"]).encode()


def _obj(rng: random.Random) -> tuple[str, bytes]:
    lines, n = [], 0
    for t in _triangles(rng):
        lines += [f"v {x} {y} {z}" for x, y, z in t]
        n += 3
        lines.append(
            rng.choice(
                (
                    f"f {n - 2} {n - 1} {n}",
                    "f -3 -2 -1",
                    f"f {n}//1 {n - 1}//2 {n + 5}//3",
                    "f 1 2",
                )
            )
        )
    return ".obj", "\n".join(lines).encode()


def _cut(content: bytes, rng: random.Random) -> bytes:
    return content[: rng.randrange(len(content) + 1)]


def _flipped(content: bytes, rng: random.Random) -> bytes:
    data = bytearray(content)
    for _ in range(rng.randint(1, 20)):
        if data:
            data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data)


def _repeated(content: bytes, rng: random.Random) -> bytes:
    at = rng.randrange(len(content) + 1)
    return content[:at] + content[at : at + 200] * rng.randint(1, 30) + content[at:]


def _worded(content: bytes, rng: random.Random) -> bytes:
    words = content.split(b" ")
    words[rng.randrange(len(words))] = rng.choice(WORDS)
    return b" ".join(words)


def _unchanged(content: bytes, rng: random.Random) -> bytes:
    return content


def _keep(tally: Tally, kind: str, what: str, path: Path, folder: Path) -> None:
    """Note a fault and keep its file."""
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{kind.replace(' ', '-')}-{tally.tried:06d}{path.suffix}"
    (folder / name).write_bytes(path.read_bytes())
    tally.find(kind, f"{name}: {what}")
