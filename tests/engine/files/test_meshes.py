"""Meshes from STL and OBJ files, mended and weighed."""

import struct
from math import pi

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import EngineError
from engine.files import meshes
from engine.files.meshes import (
    MeshData,
    TooManyTrianglesError,
    mesh_shape,
    read_mesh,
)
from engine.model.shapes import Box, Sphere, body_mass_properties, mass_properties
from engine.model.solids import MAX_TRIANGLES
from tests.engine.mesh_masses import mesh_mass_properties

# A box 1 x 2 x 3 between the origin and (1, 2, 3), seen anticlockwise from outside.
VERTICES = np.array([(x, y, z) for x in (0.0, 1.0) for y in (0.0, 2.0) for z in (0.0, 3.0)])
SIDES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
FACES = np.array([t for a, b, c, d in SIDES for t in ((a, b, c), (a, c, d))])


def binary_stl(vertices, faces, header=b"solid by some program"):
    """The bytes of a binary STL file; its first word is that of an ASCII file, as many have it."""
    triangles = b"".join(
        struct.pack("<12fH", 0, 0, 0, *vertices[list(face)].ravel(), 0) for face in faces
    )
    return header.ljust(80) + struct.pack("<I", len(faces)) + triangles


def ascii_stl(vertices, faces):
    """The bytes of an ASCII STL file."""
    lines = ["solid box"]
    for face in faces:
        lines += ["  facet normal 0 0 0", "    outer loop"]
        lines += [f"      vertex {x!r} {y!r} {z!r}" for x, y, z in vertices[list(face)].tolist()]
        lines += ["    endloop", "  endfacet"]
    return "\n".join([*lines, "endsolid box", ""]).encode()


def obj(vertices, faces):
    """The bytes of an OBJ file; faces may have more than three corners."""
    points = [f"v {x!r} {y!r} {z!r}" for x, y, z in vertices.tolist()]
    return "\n".join([*points, *("f " + " ".join(str(n + 1) for n in f) for f in faces)]).encode()


@pytest.fixture
def read(tmp_path):
    """Write bytes to a file of the given ending and read the mesh."""

    def write_and_read(content, ending, **options):
        path = tmp_path / f"part{ending}"
        path.write_bytes(content)
        return read_mesh(path, **options)

    return write_and_read


def refused(function, *arguments):
    """The sentence for a file that cannot be read."""
    with pytest.raises(EngineError) as caught:
        function(*arguments)
    return caught.value.sentence


def turned(mesh, R, shift):
    """The mesh in another place."""
    return MeshData(mesh.vertices @ R.T + shift, mesh.faces, ())


def ball(n):
    """A closed mesh of a sphere of radius 1: latitude and longitude in n and 2n steps."""
    theta, phi = np.arange(1, n) * pi / n, np.arange(2 * n) * pi / n
    rings = np.array(
        [(np.sin(t) * np.cos(p), np.sin(t) * np.sin(p), np.cos(t)) for t in theta for p in phi]
    )
    m = 2 * n
    faces = []
    for k in range(m):
        nxt = (k + 1) % m
        faces.append((0, 2 + k, 2 + nxt))
        last = 2 + (n - 2) * m
        faces.append((1, last + nxt, last + k))
        for row in range(n - 2):
            a, b = 2 + row * m + k, 2 + row * m + nxt
            faces += [(a, a + m, b + m), (a, b + m, b)]
    return MeshData(np.vstack([[(0, 0, 1), (0, 0, -1)], rings]), np.array(faces), ())


def test_binary_stl_ascii_stl_and_obj_of_one_box_agree(read):
    found = [
        read(binary_stl(VERTICES, FACES), ".stl"),
        read(ascii_stl(VERTICES, FACES), ".STL"),
        read(obj(VERTICES, FACES), ".obj"),
        read(obj(VERTICES, SIDES), ".obj"),
    ]
    for mesh in found:
        assert mesh.warnings == ()
        assert np.array_equal(mesh.vertices, VERTICES)  # sorted, as VERTICES are
        corners = {frozenset(face) for face in mesh.faces.tolist()}
        assert corners == {frozenset(face) for face in FACES.tolist()}


def test_a_mesh_of_a_box_weighs_what_the_box_weighs():
    mesh = mesh_mass_properties(VERTICES, FACES, 7.0)
    box = mass_properties(Box(width=1.0, height=2.0, thickness=3.0), 7.0, 3)
    assert mesh.mass == pytest.approx(box.mass, rel=1e-14)  # twelve terms, rounded
    assert mesh.center == pytest.approx((0.5, 1.0, 1.5), rel=1e-14)
    assert np.array(mesh.inertia) == pytest.approx(np.array(box.inertia), rel=1e-14, abs=1e-13)


def test_a_mesh_of_a_sphere_converges_with_the_square_of_its_steps():
    exact = mass_properties(Sphere(radius=1.0), 1.0, 3)
    errors = []
    for n in (20, 40):
        mesh = ball(n)
        found = mesh_mass_properties(mesh.vertices, mesh.faces, 1.0)
        J, J_exact = np.diag(found.inertia), np.diag(exact.inertia)
        errors.append([exact.mass - found.mass, *(J_exact - J)])
    ratios = np.array(errors[:-1]) / np.array(errors[1:])
    assert np.all(np.array(errors) > 0)  # the mesh lies inside
    assert ratios == pytest.approx(4.0, rel=0.01)  # the next term of the series is 3 / n^2 of it


@given(
    st.lists(st.floats(-3, 3), min_size=3, max_size=3),
    st.lists(st.floats(-10, 10), min_size=3, max_size=3),
)
@settings(max_examples=40, deadline=None, derandomize=True)
def test_turning_and_moving_a_mesh_turns_and_moves_its_mass(turn, shift):
    x, y, z = turn
    angle = np.linalg.norm(turn) or 1.0
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]]) / angle
    R = np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K
    moved = turned(MeshData(VERTICES, FACES, ()), R, shift)
    before = mesh_mass_properties(VERTICES, FACES, 1.0)
    after = mesh_mass_properties(moved.vertices, moved.faces, 1.0)
    # coordinates of about 10 are rounded to 2e-15, the box measures about 1
    assert after.mass == pytest.approx(before.mass, rel=1e-12)
    assert after.center == pytest.approx(tuple(R @ before.center + shift), abs=1e-12)
    assert np.array(after.inertia) == pytest.approx(
        R @ np.array(before.inertia) @ R.T, rel=1e-12, abs=1e-11
    )


def test_two_boxes_in_one_mesh_obey_the_parallel_axis_theorem():
    shift = np.array([10.0, 0.0, 0.0])
    both = mesh_mass_properties(
        np.vstack([VERTICES, VERTICES + shift]), np.vstack([FACES, FACES + 8]), 1.0
    )
    one = mesh_mass_properties(VERTICES, FACES, 1.0)
    steiner = 2 * one.mass * 5.0**2 * np.diag([0.0, 1.0, 1.0])
    assert both.mass == pytest.approx(2 * one.mass, rel=1e-13)
    assert np.array(both.inertia) == pytest.approx(
        2 * np.array(one.inertia) + steiner, rel=1e-12, abs=1e-11
    )


def test_a_cavity_is_taken_out(read):
    inner = VERTICES / 2 + (0.25, 0.5, 0.75)
    vertices, faces = np.vstack([VERTICES, inner]), np.vstack([FACES, FACES[:, ::-1] + 8])
    mesh = read(obj(vertices, faces), ".obj")
    assert mesh.warnings == ()
    found = mesh_mass_properties(mesh.vertices, mesh.faces, 1.0)
    assert found.mass == pytest.approx(6.0 * (1 - 1 / 8), rel=1e-13)


def test_a_mesh_inside_out_is_turned_and_the_user_is_told(read):
    mesh = read(binary_stl(VERTICES, FACES[:, ::-1]), ".stl")
    assert mesh.warnings == ("The faces looked inward; all were turned outward.",)
    assert mesh_mass_properties(mesh.vertices, mesh.faces, 1.0).mass == pytest.approx(6.0)
    corners = mesh.vertices[mesh.faces]
    assert np.linalg.det(corners - (0.5, 1.0, 1.5)).min() > 0  # every face looks away


@pytest.mark.parametrize("wrong", [[3], [0, 5, 7], list(range(7))])
def test_faces_that_disagree_with_their_neighbours_are_turned(read, wrong):
    faces = FACES.copy()
    faces[wrong] = faces[wrong][:, ::-1]
    mesh = read(obj(VERTICES, faces), ".obj")
    assert "turned to agree" in mesh.warnings[0]
    assert np.linalg.det(mesh.vertices[mesh.faces] - (0.5, 1.0, 1.5)).min() > 0


def test_a_mesh_with_a_hole_can_be_shown_but_not_weighed(read):
    mesh = read(ascii_stl(VERTICES, FACES[1:]), ".stl")
    assert len(mesh.faces) == 11
    assert "3 edges have no partner" in mesh.warnings[0]
    assert "not closed" in refused(mesh_mass_properties, mesh.vertices, mesh.faces, 1.0)


def test_a_moebius_band_has_no_outside(read):
    n = 8
    edge = [(i, (i + 1) % (2 * n)) for i in range(n)]  # the one edge runs round twice
    faces = [
        t for a, b in edge for t in ((a, b, (a + n) % (2 * n)), (b, (b + n) % 16, (a + n) % 16))
    ]
    angle = np.arange(2 * n) * 2 * pi / n
    side = np.cos(angle / 2) * 0.2
    points = np.c_[np.cos(angle) * (1 + side), np.sin(angle) * (1 + side), np.sin(angle / 2) * 0.2]
    mesh = read(obj(points, np.array(faces)), ".obj")
    assert "not closed" in mesh.warnings[-1]


def test_a_flat_mesh_has_no_volume(read):
    mesh = read(obj(VERTICES * (1, 1, 0), FACES), ".obj")
    assert "no volume" in refused(mesh_mass_properties, mesh.vertices, mesh.faces, 1.0)


def test_empty_faces_are_left_out_and_the_user_is_told(read):
    mesh = read(binary_stl(VERTICES, [*FACES, (0, 0, 1)]), ".stl")
    assert mesh.warnings == ("1 empty faces were left out.",)
    assert len(mesh.faces) == 12


def test_the_scale_applies_to_every_coordinate(read):
    mesh = read(binary_stl(VERTICES, FACES), ".stl", scale=1e-3)
    assert mesh.vertices.max(axis=0) == pytest.approx((1e-3, 2e-3, 3e-3), rel=1e-15)
    for scale in (0.0, -1.0, float("nan"), float("inf"), 1e300):
        with pytest.raises(EngineError):
            read(binary_stl(VERTICES, FACES), ".stl", scale=scale)


def test_obj_corners_may_count_backwards_and_carry_texture_and_normals(read):
    text = b"# a tetrahedron\r\no t\r\nvt 0 0\r\nvn 0 0 1\r\nv 0 0 0 1.0\r\nv 1 0 0\r\nv 0 1 0\r\n"
    text += b"v 0 0 1\r\ns off\r\nf -4/1/1 -2/1/1 -3/1/1\r\nf 1//1 2//1 \\\r\n 4//1\r\n"
    text += b"f 1/1 4/1 3/1\r\nf 2 3 4\\"
    mesh = read(text, ".obj")
    assert mesh.warnings == ()
    assert mesh_mass_properties(mesh.vertices, mesh.faces, 6.0).mass == pytest.approx(1.0)


def test_a_mesh_becomes_a_shape_that_weighs_the_same(read):
    from engine.model.bodies import SpatialBody

    mesh = read(binary_stl(VERTICES, FACES), ".stl")
    shape = mesh_shape(mesh, "part.stl")
    assert shape.source == "part.stl"
    assert all(type(n) is int for face in shape.faces for n in face)
    body = body_mass_properties(SpatialBody(id="b", shape=shape, density=2.0))
    assert body == mesh_mass_properties(mesh.vertices, mesh.faces, 2.0)


GOOD_BINARY, GOOD_ASCII, GOOD_OBJ = (make(VERTICES, FACES) for make in (binary_stl, ascii_stl, obj))
NAN = struct.pack("<f", float("nan"))


@pytest.mark.parametrize(
    ("content", "ending", "words"),
    [
        (b"", ".stl", "cut off or not an STL"),
        (b"", ".obj", "no faces"),
        (b"solid", ".stl", "cut off"),
        (b"solid x\nendsolid x\n", ".stl", "no faces"),
        (GOOD_BINARY[:-1], ".stl", "cut off"),
        (b"x" + GOOD_BINARY[1:-1], ".stl", "cut off"),
        (b"x" + GOOD_BINARY[1:] + b"more", ".stl", "not an STL"),
        (binary_stl(VERTICES, []), ".stl", "no faces"),
        (GOOD_BINARY[:100] + NAN + GOOD_BINARY[104:], ".stl", "coordinate is not a number"),
        (GOOD_ASCII[:-13], ".stl", "cut off"),
        (
            GOOD_ASCII.replace(b"vertex 0.0", b"vertex oops", 1),
            ".stl",
            "Line 4 needs three numbers",
        ),
        (GOOD_ASCII.replace(b"vertex 0.0 0.0", b"vertex 0.0", 1), ".stl", "three numbers"),
        (GOOD_ASCII.replace(b"vertex 0.0", b"vertex nan", 1), ".stl", "not a number"),
        (GOOD_ASCII.replace(b"vertex 0.0", b"vertex 1e99", 1), ".stl", "not a number"),
        (GOOD_ASCII.replace(b"endloop\n", b"vertex 0 0 0\nendloop\n", 1), ".stl", "three vertices"),
        (GOOD_ASCII.replace(b"outer", b"inner", 1), ".stl", "Line 3 has no place"),
        (b"solid " + b"x" * 100_000, ".stl", "too long"),
        (b"v 0 0 0\n" * 3 + b"f 1 2 3\n", ".obj", "empty"),
        (b"v 0 0 0\nf 1 2 3\n", ".obj", "line 2"),
        (GOOD_OBJ + b"\nf 0 1 2", ".obj", "line 21"),
        (GOOD_OBJ + b"\nf 1 2", ".obj", "three or more"),
        (GOOD_OBJ + b"\nf -9 1 2", ".obj", "exist"),
        (GOOD_OBJ + b"\nf 1 2 " + b"9" * 5000, ".obj", "line 21"),
        (GOOD_OBJ + b"\nf a b c", ".obj", "not a list"),
        (GOOD_OBJ + b"\nv 1 2", ".obj", "three numbers"),
        (b"\\\n" * 70_000, ".obj", "too long"),
        (bytes(range(256)) * 10, ".stl", "not an STL"),
        (b"\x89PNG", ".png", "Only STL and OBJ"),
    ],
)
def test_a_file_that_is_no_mesh_is_refused_in_a_sentence(read, content, ending, words):
    told = refused(read, content, ending)
    assert told.startswith(f"Cannot read the mesh 'part{ending}'. ") and words in told


def test_more_triangles_than_a_model_can_hold_are_refused(read, monkeypatch):
    monkeypatch.setattr(meshes, "MAX_TRIANGLES", 11)
    assert "12 triangles, more than the 11" in refused(read, GOOD_BINARY, ".stl")
    for content, ending in ((GOOD_ASCII, ".stl"), (GOOD_OBJ, ".obj")):
        assert "more than 11 triangles" in refused(read, content, ending)
    with pytest.raises(TooManyTrianglesError):
        read(GOOD_BINARY, ".stl")
    monkeypatch.setattr(meshes, "MAX_TRIANGLES", 2)
    assert "more than 6 points" in refused(read, GOOD_OBJ.partition(b"\nf ")[0], ".obj")
    monkeypatch.setattr(meshes, "PIECE", 5)  # a word may lie on the border of two pieces
    assert "more than 2 triangles" in refused(read, GOOD_ASCII, ".stl")


def test_a_huge_file_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "huge.stl"
    with path.open("wb") as file:
        file.truncate(meshes.MAX_FILE_SIZE + 1)  # a hole: it takes no room
    assert "256 MB" in refused(read_mesh, path)
    n = 10**7
    with path.open("wb") as file:
        file.write(b" " * 80 + n.to_bytes(4, "little"))
        file.truncate(84 + 50 * n)
    assert "10000000 triangles" in refused(read_mesh, path)


def test_what_is_no_file_is_refused(tmp_path):
    folder = tmp_path / "folder.stl"
    folder.mkdir()
    assert "not a file" in refused(read_mesh, folder)
    assert "No such file" in refused(read_mesh, tmp_path / "missing.obj")
    assert "not valid" in refused(read_mesh, "nul\0byte.stl")


def test_the_largest_mesh_fits_into_a_model_file():
    from engine.files.model_files import MAX_LISTS, MAX_SIZE

    vertex, face = len("[-0.12345678901234567, " * 3), len("[500000, 500000, 500000], ")
    assert MAX_TRIANGLES // 2 * vertex + MAX_TRIANGLES * face < MAX_SIZE
    assert 1.5 * MAX_TRIANGLES < MAX_LISTS


@given(data=st.data(), good=st.sampled_from([GOOD_BINARY, GOOD_ASCII, GOOD_OBJ]))
@settings(max_examples=300, deadline=None, derandomize=True, database=None)
def test_whatever_the_bytes_the_answer_is_a_mesh_or_a_sentence(tmp_path_factory, data, good):
    content = bytearray(good)
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(content)))
        stop = data.draw(st.integers(start, min(len(content), start + 60)))
        content[start:stop] = data.draw(st.binary(max_size=60))
    path = tmp_path_factory.getbasetemp() / ("fuzz.obj" if good is GOOD_OBJ else "fuzz.stl")
    path.write_bytes(content)
    try:
        mesh = read_mesh(path)
        mesh_mass_properties(mesh.vertices, mesh.faces, 1.0)
    except EngineError as error:
        assert error.sentence.endswith(".")
    else:
        assert np.isfinite(mesh.vertices).all()
