"""Meshes with faults: each is mended or told in a sentence, and large ones are simplified."""

import numpy as np
import pytest
from test_meshes import FACES, VERTICES, ball, binary_stl, obj

from engine.errors import EngineError
from engine.files import mesh_repair, mesh_simplify, meshes
from engine.files.mesh_repair import holes
from engine.files.meshes import (
    MeshData,
    given_mass,
    mesh_shape,
    read_mesh,
    simplified,
)
from engine.model.bodies import SpatialBody
from engine.model.shapes import body_mass_properties
from engine.model.solids import unpaired_edges
from tests.engine.mesh_masses import mesh_mass_properties

BALL = ball(12)


def read(tmp_path, content, ending=".obj", **options):
    path = tmp_path / f"part{ending}"
    path.write_bytes(content)
    return read_mesh(path, **options)


def without(faces, *left_out):
    return np.delete(faces, left_out, axis=0)


def volume(mesh):
    return mesh_mass_properties(mesh.vertices, mesh.faces, 1.0).mass


def test_small_flat_holes_are_closed_and_the_user_is_told(tmp_path):
    cap = [n for n, face in enumerate(BALL.faces) if 0 in face]  # the lid at the north pole
    faces = without(BALL.faces, *cap, 210)
    assert sorted(len(rim) for rim in holes(faces)) == [3, 24]
    mesh = read(tmp_path, obj(BALL.vertices, faces))
    assert len(unpaired_edges(mesh.faces)) == 0
    assert "2 flat holes of up to 0.732 m closed with 23 faces" in mesh.warnings[0]
    # the lid of height 1 - cos 15 degrees is gone, the triangle is back
    lost = volume(BALL) - volume(mesh)
    ring = 24 / 2 * np.sin(2 * np.pi / 24) * np.sin(np.pi / 12) ** 2
    assert lost == pytest.approx(ring * (1.0 - np.cos(np.pi / 12)) / 3.0, rel=1e-9)  # a pyramid
    corners = mesh.vertices[mesh.faces]
    assert np.linalg.det(corners).min() > 0  # all faces look outward, the new ones too


def test_a_hole_that_is_not_convex_is_closed_exactly(tmp_path):
    n = 6
    grid = np.array([(x / n, y / n, 0.0) for x in range(n + 1) for y in range(n + 1)])
    square = [
        (i * 7 + j, i * 7 + j + 7, i * 7 + j + 8, i * 7 + j + 1) for i in range(n) for j in range(n)
    ]
    top = grid + np.array([0.0, 0.0, 1.0])
    rim = [i * 7 for i in range(n)] + [n * 7 + j for j in range(n)]
    rim += [i * 7 + n for i in range(n, 0, -1)] + list(range(n, 0, -1))
    sides = [(a, b, b + 49, a + 49) for a, b in zip(rim, rim[1:] + rim[:1])]
    hole = {14, 15, 20}  # an L of three squares in the top
    lid = [tuple(np.array(f) + 49) for k, f in enumerate(square) if k not in hole]
    faces = [f[::-1] for f in square] + lid + sides
    mesh = read(tmp_path, obj(np.vstack([grid, top]), faces))
    assert "1 flat hole" in mesh.warnings[0] and len(mesh.warnings) == 1
    assert volume(mesh) == pytest.approx(1.0, rel=1e-12)
    corners = mesh.vertices[mesh.faces]
    areas = np.linalg.norm(
        np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1
    )
    assert areas.sum() / 2 == pytest.approx(6.0, rel=1e-12)  # no triangle of the cap lies twice


def test_a_large_hole_stays_open_and_is_measured(tmp_path):
    north = [n for n, f in enumerate(BALL.faces) if (BALL.vertices[f][:, 2] > -1e-9).all()]
    mesh = read(tmp_path, obj(BALL.vertices, without(BALL.faces, *north)))
    told = mesh.warnings[-1]
    assert "not closed: 24 edges have no partner" in told
    assert "1 hole, which measures 2.83 m" in told  # the diagonal of the square around the rim


def test_several_large_holes_are_counted(tmp_path):
    tube = FACES[4:]  # the box without its ends in x
    mesh = read(tmp_path, obj(VERTICES, tube))
    assert "8 edges have no partner. There are 2 holes, the largest of 3.61 m." in mesh.warnings[-1]
    assert len(mesh.faces) == 8


def test_a_heap_of_faces_is_not_searched_for_holes(tmp_path, monkeypatch):
    monkeypatch.setattr(mesh_repair, "MOST_OPEN", 2)
    mesh = read(tmp_path, obj(BALL.vertices, without(BALL.faces, 210)))
    assert mesh.warnings[-1].startswith("The mesh is not closed: 3 edges have no partner. It can")


def test_corners_that_nearly_coincide_are_joined(tmp_path):
    rng = np.random.default_rng(1)
    soup = VERTICES[FACES].reshape(-1, 3) + rng.uniform(-1e-7, 1e-7, (36, 3))
    mesh = read(tmp_path, obj(soup, np.arange(36).reshape(-1, 3)))
    assert "28 corners that nearly coincided were joined." in mesh.warnings
    assert volume(mesh) == pytest.approx(6.0, rel=1e-6)


def test_faces_that_are_there_twice_are_left_out(tmp_path):
    twice = np.vstack([FACES, np.roll(FACES[:3], 1, axis=1)])
    mesh = read(tmp_path, obj(VERTICES, twice))
    assert mesh.warnings == ("3 faces that were there twice were left out.",)
    assert volume(mesh) == pytest.approx(6.0)


def test_a_mesh_without_volume_is_told_when_it_is_read(tmp_path):
    mesh = read(tmp_path, obj(VERTICES * (1, 1, 0), FACES))
    assert any("no volume" in words and "give mass" in words for words in mesh.warnings)


@pytest.mark.parametrize("scale, is_told", [(1.0, True), (1e-3, False)])
def test_a_part_as_large_as_a_house_may_be_in_millimetres(tmp_path, scale, is_told):
    mesh = read(tmp_path, binary_stl(VERTICES * 40, FACES), ".stl", scale=scale)
    assert any("millimetres" in words and "0.001" in words for words in mesh.warnings) == is_told


@pytest.mark.parametrize("n", [150, 600])
def test_a_simplified_mesh_keeps_volume_and_mass(n):
    fine = ball(40)
    few = simplified(fine, n)
    assert n / 4 < len(few.faces) <= n and len(unpaired_edges(few.faces)) == 0
    assert volume(few) == pytest.approx(volume(fine), rel=1e-12)
    assert f"from {len(fine.faces)} to {len(few.faces)} triangles" in few.warnings[-1]
    given = given_mass(few, 2.0)
    exact = mesh_mass_properties(fine.vertices, fine.faces, 2.0)
    body = SpatialBody(id="b", shape=mesh_shape(few), **given)
    found = body_mass_properties(body)
    assert found.mass == pytest.approx(exact.mass, rel=1e-12)
    assert np.array(found.inertia) == pytest.approx(np.array(exact.inertia), rel=1e-9, abs=1e-12)
    assert simplified(few, 10**6) is few and given_mass(fine, 1.0) == {}


def fine_block(n, size):
    """A block of 1 x 0.6 x 0.3 sizes whose six faces are grids of n x n squares."""
    ticks = np.linspace(0.0, 1.0, n + 1)
    u, v = (grid.ravel() for grid in np.meshgrid(ticks, ticks, indexing="ij"))
    at = np.arange((n + 1) ** 2).reshape(n + 1, n + 1)
    a, b, c, d = (at[i : i + n, j : j + n].ravel() for i, j in ((0, 0), (1, 0), (1, 1), (0, 1)))
    squares = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    places, faces = [], []
    for axis in range(3):
        for side in (0, 1):
            place = np.full((len(u), 3), float(side))
            place[:, (axis + 1) % 3], place[:, (axis + 2) % 3] = u, v
            faces.append((squares if side else squares[:, ::-1]) + len(u) * len(places))
            places.append(place)
    corners = np.round(np.concatenate(places) * n).astype(int)
    once, which = np.unique(corners, axis=0, return_inverse=True)
    where = once / n * (1.0, 0.6, 0.3) * size
    return MeshData(where, which.ravel()[np.concatenate(faces)], ())


def sharp_length(mesh):
    """The length of all edges at which two faces meet at more than 60 degrees."""
    p, f = np.asarray(mesh.vertices, dtype=float), np.asarray(mesh.faces)
    normal = np.cross(p[f[:, 1]] - p[f[:, 0]], p[f[:, 2]] - p[f[:, 0]])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    owners = {}
    for n, (a, b, c) in enumerate(f.tolist()):
        for side in ((a, b), (b, c), (c, a)):
            owners.setdefault(tuple(sorted(side)), []).append(n)
    sharp = [s for s, (m, n) in owners.items() if normal[m] @ normal[n] < 0.5]
    return sum(float(np.linalg.norm(p[a] - p[b])) for a, b in sharp)


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e3])
def test_a_simplified_block_keeps_its_edges_at_every_size(size):
    block = fine_block(20, size)
    few = simplified(block, 200)
    assert len(few.faces) <= 200 and len(unpaired_edges(few.faces)) == 0
    assert np.ptp(few.vertices, axis=0) == pytest.approx(np.ptp(block.vertices, axis=0), rel=1e-9)
    assert sharp_length(few) == pytest.approx(sharp_length(block), rel=1e-9)  # all flat faces


def test_a_mesh_that_is_open_is_simplified_but_not_weighed():
    fine = ball(20)
    few = simplified(MeshData(fine.vertices, fine.faces[50:], ()), 200)
    assert few.original is None and "not closed" in few.warnings[-1]


def test_a_file_that_is_too_large_is_simplified_in_pieces(tmp_path, monkeypatch):
    fine = ball(30)
    monkeypatch.setattr(meshes, "MAX_TRIANGLES", 1000)
    monkeypatch.setattr(mesh_simplify, "PIECE", 700)
    content = binary_stl(fine.vertices, fine.faces)
    mesh = read(tmp_path, content, ".stl", simplify_to=500)
    assert 100 < len(mesh.faces) <= 500 and len(unpaired_edges(mesh.faces)) == 0
    exact = mesh_mass_properties(fine.vertices, fine.faces, 1.0)
    assert given_mass(mesh, 1.0)["mass"] == pytest.approx(exact.mass, rel=1e-6)  # single precision
    broken = content[:200] + np.float32(np.nan).tobytes() + content[204:]
    with pytest.raises(EngineError, match="coordinate is not a number"):
        read(tmp_path, broken, ".stl", simplify_to=500)
    with pytest.raises(EngineError, match="fewer than 100"):
        read(tmp_path, content, ".stl", simplify_to=3)


def test_a_small_file_may_be_simplified_too(tmp_path):
    fine = ball(20)
    mesh = read(tmp_path, obj(fine.vertices, fine.faces), simplify_to=300)
    assert len(mesh.faces) <= 300 and mesh.original is not None
