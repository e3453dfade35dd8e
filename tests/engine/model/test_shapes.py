"""Mass, centre and inertia of shapes and bodies."""

from dataclasses import fields, replace
from math import cos, inf, isfinite, nan, pi, sin

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import EngineError
from engine.model.bodies import PlanarBody, PlanarParticle, SpatialBody, SpatialParticle
from engine.model.shapes import (
    SHAPES,
    Box,
    Cylinder,
    Disc,
    Mesh,
    Part,
    Polygon,
    Rod,
    Sphere,
    body_mass_properties,
    check_shape,
    mass_properties,
    rigid,
    with_mass,
)

ROUNDING = 1e-12  # closed forms against a few dozen operations of 1e-16 each
CORNERS = [(x, y, z) for x in (0.0, 1.0) for y in (0.0, 2.0) for z in (0.0, 3.0)]
CUBE = Mesh(
    vertices=tuple(CORNERS),
    faces=(
        *((0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5)),
        *((0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6)),
        *((0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)),
    ),
)


def close(expected):
    """Equal up to rounding; 1e-15 stands for zero beside numbers of about 1."""
    return pytest.approx(expected, rel=ROUNDING, abs=1e-15)


def sentence(function, *arguments):
    """What the user is told."""
    with pytest.raises(EngineError) as caught:
        function(*arguments)
    return caught.value.sentence


def test_a_rod_in_the_plane_is_a_rectangle():
    found = mass_properties(Rod(length=2.0, width=0.1, thickness=0.05), 1000.0, 2)
    assert found.mass == close(10.0)
    assert found.center == (0.0, 0.0)
    assert found.inertia == close(10.0 * (2.0**2 + 0.1**2) / 12)


def test_a_disc_has_half_m_r_squared():
    found = mass_properties(Disc(radius=0.3, thickness=0.1), 7850.0, 2)
    assert found.mass == close(7850.0 * pi * 0.09 * 0.1)
    assert found.inertia == close(found.mass * 0.09 / 2)


def test_a_box_in_space_has_its_sides_in_its_inertia():
    found = mass_properties(Box(width=1.0, height=2.0, thickness=3.0), 2.0, 3)
    J = found.mass / 12 * np.diag([2**2 + 3**2, 1 + 3**2, 1 + 2**2])
    assert found.mass == close(12.0)
    assert np.array(found.inertia) == close(J)


def test_a_sphere_has_two_fifths_m_r_squared():
    found = mass_properties(Sphere(radius=0.5), 3.0, 3)
    assert found.mass == close(3.0 * pi / 6)
    assert np.array(found.inertia) == close(0.4 * found.mass * 0.25 * np.eye(3))


def test_a_cylinder_lies_along_z():
    r, length = 0.1, 0.7
    m = 2.0 * pi * r**2 * length
    found = mass_properties(Cylinder(radius=r, length=length), 2.0, 3)
    across = m * (3 * r**2 + length**2) / 12
    assert found.mass == close(m)
    assert np.array(found.inertia) == close(np.diag([across, across, m * r**2 / 2]))


@pytest.mark.parametrize("dim", [2, 3])
def test_a_rectangular_polygon_is_a_box(dim):
    corners = ((-0.5, -1.0), (0.5, -1.0), (0.5, 1.0), (-0.5, 1.0))
    polygon = mass_properties(Polygon(points=corners, thickness=0.3), 5.0, dim)
    box = mass_properties(Box(width=1.0, height=2.0, thickness=0.3), 5.0, dim)
    assert polygon.mass == close(box.mass)
    assert polygon.center == close(box.center)
    assert np.array(polygon.inertia) == close(np.array(box.inertia))


def test_a_right_triangle_has_the_inertia_of_the_books():
    found = mass_properties(Polygon(points=((0, 0), (3, 0), (0, 4)), thickness=1.0), 1.0, 2)
    assert found.mass == close(6.0)
    assert found.center == close((1.0, 4 / 3))
    assert found.inertia == close(6.0 * (3**2 + 4**2) / 18)


STAR = tuple((r * cos(a), r * sin(a)) for a, r in zip(np.arange(10) * pi / 5, [1.0, 0.4] * 5))
BEAN = ((0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 0.4), (0.0, 1.5))


@pytest.mark.parametrize("outline", [STAR, BEAN])
def test_the_way_round_a_polygon_does_not_matter(outline):
    there, back = (
        mass_properties(Polygon(points=p), 10.0, 3) for p in (outline, tuple(reversed(outline)))
    )
    assert there.mass == close(back.mass)
    assert there.center == close(back.center)
    assert np.array(there.inertia) == close(np.array(back.inertia))


@given(st.floats(-50, 50), st.floats(-50, 50), st.floats(-pi, pi), st.integers(0, len(BEAN) - 1))
@settings(max_examples=50, deadline=None, derandomize=True)
def test_moving_a_polygon_moves_its_centre_and_keeps_its_inertia(x, y, angle, first):
    R = np.array([[cos(angle), -sin(angle)], [sin(angle), cos(angle)]])
    moved = np.roll(np.array(BEAN), first, axis=0) @ R.T + (x, y)
    before = mass_properties(Polygon(points=BEAN), 10.0, 2)
    after = mass_properties(Polygon(points=tuple(map(tuple, moved.tolist()))), 10.0, 2)
    # coordinates of 50 are rounded to 7e-15, seen against sizes of about 1
    assert after.mass == pytest.approx(before.mass, rel=1e-12)
    assert after.inertia == pytest.approx(before.inertia, rel=1e-12)
    assert after.center == pytest.approx(tuple(R @ before.center + (x, y)), abs=1e-12)


def test_a_repeated_last_point_says_nothing():
    assert mass_properties(Polygon(points=(*BEAN, BEAN[0])), 1.0, 2).inertia == close(
        mass_properties(Polygon(points=BEAN), 1.0, 2).inertia
    )


@pytest.mark.parametrize(
    ("points", "words"),
    [
        (((0, 0), (1, 1)), "at least three"),
        (((0, 0), (1, 1), (0, 0), (1, 1)), "no area"),
        (((0, 0), (1, 1), (2, 2)), "no area"),
        (((0, 0), (2, 0), (0, 1), (2, 2)), "start at points 2 and 4"),
        (((0, 0), (1, 0), (1, 1), (1 - 1e-14, 1e-14), (0, 1e-14)), "too thin"),
        (((0, 0), (2, 0), (2, 2), (1, 0), (0, 2)), "touch or cross"),
        (((2, 2), (1, 0), (0, 2), (0, 0), (2, 0)), "touch or cross"),
        (((0, 0), (2, 0), (2, 1), (2, -1), (0, -1)), "meets itself"),
        (((0, 0), (1, 0), (nan, 1)), "Point 3"),
        (((0, 0), (1, 0), (0, inf)), "Point 3"),
        (((0, 0), (1, 0), (0, 1, 2)), "Point 3 of the polygon needs 2"),
        ((), "at least three"),
        ([(n, n * n) for n in range(6000)], "5000"),
    ],
)
def test_a_polygon_that_bounds_nothing_is_refused(points, words):
    shape = Polygon(points=tuple(map(tuple, points)))
    assert words in sentence(mass_properties, shape, 1.0, 2)


def test_an_outline_of_a_thousand_points_is_fine():
    angles = np.linspace(0, 2 * pi, 1000, endpoint=False)
    circle = tuple((cos(a), sin(a)) for a in angles)
    found = mass_properties(Polygon(points=circle, thickness=1.0), 1.0, 2)
    # the area of a regular n-gon falls short of the circle by 2 pi^2 / (3 n^2) = 6.6e-6
    assert found.mass == pytest.approx(pi, rel=7e-6)
    assert found.mass != pytest.approx(pi, rel=6e-6)


def test_a_mesh_of_a_box_is_that_box():
    mesh = mass_properties(CUBE, 2.0, 3)
    box = mass_properties(Box(width=1.0, height=2.0, thickness=3.0), 2.0, 3)
    assert mesh.mass == close(box.mass)
    assert mesh.center == close((0.5, 1.0, 1.5))
    assert np.array(mesh.inertia) == close(np.array(box.inertia))


@pytest.mark.parametrize(
    ("mesh", "words"),
    [
        (Mesh(), "no faces"),
        (replace(CUBE, faces=CUBE.faces[1:]), "not closed (3 edges"),
        (replace(CUBE, faces=((0, 1, 99),)), "does not exist"),
        (replace(CUBE, faces=((0, 1, -1),)), "does not exist"),
        (replace(CUBE, faces=((0, 1, 2), (2, 1, 0))), "no volume"),
        (replace(CUBE, vertices=(*CORNERS[:7], (nan, 0.0, 0.0))), "Vertex 8"),
        (replace(CUBE, faces=((0, 1),)), "Face 1"),
    ],
)
def test_a_mesh_that_bounds_nothing_is_refused(mesh, words):
    assert words in sentence(mass_properties, mesh, 1.0, 3)


def test_a_mesh_of_too_many_triangles_is_refused(monkeypatch):
    monkeypatch.setattr(rigid, "MAX_TRIANGLES", 11)
    assert "more than 11 triangles" in sentence(check_shape, CUBE, 3)


def test_with_mass_scales_the_inertia():
    found = with_mass(mass_properties(Box(), 1000.0, 3), 42.0)
    a, b, c = 0.2, 0.1, 0.05
    assert found.mass == 42.0
    assert np.diag(found.inertia) == close(
        42 / 12 * np.array([b * b + c * c, a * a + c * c, a * a + b * b])
    )


@pytest.mark.parametrize("shape", SHAPES)
def test_a_shape_is_refused_where_it_does_not_exist(shape):
    for dim in {2, 3} - set(shape.dims):
        assert "only" in sentence(check_shape, shape(), dim)


@pytest.mark.parametrize("shape", [s for s in SHAPES if s is not Mesh])
@pytest.mark.parametrize("value", [nan, inf, -inf, -1.0, 1e300])
def test_no_size_of_a_shape_may_be_negative_or_not_finite(shape, value):
    for f in fields(shape):
        if f.metadata["role"] == "number":
            words = sentence(check_shape, shape(**{f.name: value}), shape.dims[0])
            assert f.name in words and shape.kind in words


@given(st.floats(1e-300, 1e300), st.floats(1e-300, 1e300), st.sampled_from([2, 3]))
@settings(max_examples=100)
def test_any_positive_size_gives_numbers_or_a_sentence(size, density, dim):
    cls = PlanarBody if dim == 2 else SpatialBody
    for shape in (Rod(length=size), Box(height=size), Polygon(points=((0, 0), (size, 0), (0, 1)))):
        try:
            found = body_mass_properties(cls(id="b", shape=shape, density=density))
        except EngineError as error:
            assert error.sentence.endswith(".")
            assert not (1e-3 < size < 1e3 and 1e-6 < density < 1e6), "a body like any other"
            continue
        assert isfinite(found.mass) and found.mass > 0
        assert np.all(np.isfinite(found.inertia))


# ---- bodies


def test_a_body_weighs_what_its_shape_weighs():
    body = PlanarBody(id="b", shape=Rod(), density=100.0)
    assert body_mass_properties(body) == mass_properties(Rod(), 100.0, 2)


def test_a_given_mass_scales_the_inertia_of_the_shape():
    free = body_mass_properties(SpatialBody(id="b", shape=Box()))
    given_mass = body_mass_properties(SpatialBody(id="b", shape=Box(), mass=2 * free.mass))
    assert given_mass.mass == 2 * free.mass
    assert np.array(given_mass.inertia) == close(2 * np.array(free.inertia))


def test_what_is_given_wins_over_the_shape():
    body = PlanarBody(id="b", shape=Disc(), mass=2.0, inertia=0.7, center=(1.0, 2.0))
    found = body_mass_properties(body)
    assert (found.mass, found.inertia, found.center) == (2.0, 0.7, (1.0, 2.0))


def test_six_given_inertias_make_a_symmetric_matrix():
    body = SpatialBody(id="b", mass=1.0, inertia=(2.0, 3.0, 4.0, 0.1, 0.2, 0.3))
    expected = ((2.0, 0.1, 0.2), (0.1, 3.0, 0.3), (0.2, 0.3, 4.0))
    assert body_mass_properties(body).inertia == expected


def test_a_slender_rod_needs_a_mass_and_then_has_m_l_squared_over_12():
    rod = Rod(length=3.0, width=0.0)
    words = sentence(body_mass_properties, PlanarBody(id="b", name="bar", shape=rod))
    assert words == "Body 'bar': the rod has no volume, so its mass must be given."
    found = body_mass_properties(PlanarBody(id="b", shape=rod, mass=2.0))
    assert found.inertia == close(2.0 * 9.0 / 12)


def test_a_slender_rod_in_space_cannot_turn_about_itself():
    rod = Rod(length=3.0, width=0.0, thickness=0.0)
    words = sentence(body_mass_properties, SpatialBody(id="b", shape=rod, mass=2.0))
    assert "not positive about every axis" in words and "width" in words


@pytest.mark.parametrize("cls", [PlanarParticle, SpatialParticle])
def test_a_particle_has_no_inertia(cls):
    found = body_mass_properties(cls(id="p", mass=3.0))
    assert found.mass == 3.0
    assert not np.any(found.inertia) and not np.any(found.center)
    assert np.shape(found.inertia) == (() if cls is PlanarParticle else (3, 3))


def test_a_fixed_body_needs_no_mass():
    assert body_mass_properties(PlanarBody(id="b", fixed=True)).mass == 0.0
    open_mesh = replace(CUBE, faces=CUBE.faces[1:])
    housing = SpatialBody(id="b", fixed=True, shape=open_mesh)
    assert not np.any(body_mass_properties(housing).inertia)


def test_an_open_mesh_will_do_when_mass_centre_and_inertia_are_given():
    shell = SpatialBody(
        id="b",
        shape=replace(CUBE, faces=CUBE.faces[1:]),
        mass=1.0,
        center=(0.0, 0.0, 0.0),
        inertia=(1.0, 1.0, 1.0, 0.0, 0.0, 0.0),
    )
    assert body_mass_properties(shell).mass == 1.0
    assert "not closed" in sentence(body_mass_properties, replace(shell, center=None))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, "neither a shape nor a mass"),
        ({"mass": 1.0}, "give it a shape or an inertia, or make it a particle"),
        ({"mass": 0.0, "inertia": 1.0}, "the mass is 0"),
        ({"mass": -2.0, "inertia": 1.0}, "the mass is -2"),
        ({"mass": nan, "inertia": 1.0}, "the mass is not a finite number"),
        ({"mass": 1.0, "inertia": 0.0}, "the inertia is 0"),
        ({"mass": 1.0, "inertia": nan}, "the inertia is not a finite number"),
        ({"mass": 1.0, "inertia": 1.0, "center": (nan, 0.0)}, "centre of mass"),
        ({"shape": Rod(length=1e-200, width=0.0), "mass": 1.0}, "its inertia is zero"),
        ({"shape": Rod(), "density": 0.0}, "the density is 0"),
        ({"shape": Rod(), "density": nan}, "the density is not"),
        ({"shape": Rod(length=-1.0)}, "the length of the rod is -1"),
        ({"shape": Sphere()}, "in the plane there are rod, beam, box, disc, polygon"),
    ],
)
def test_a_planar_body_without_proper_mass_is_refused_by_name(changes, words):
    body = PlanarBody(id="b", name="crank", **changes)
    told = sentence(body_mass_properties, body)
    assert told.startswith("Body 'crank': ") and words in told


@pytest.mark.parametrize(
    ("inertia", "words"),
    [
        ((1.0, 1.0, 2.1, 0.0, 0.0, 0.0), "at most the sum"),
        ((1.0, 1.0, 0.0, 0.0, 0.0, 0.0), "not positive"),
        ((1.0, -1.0, 1.0, 0.0, 0.0, 0.0), "not positive"),
        ((1.0, 1.0, 1.0, 2.0, 0.0, 0.0), "not positive"),
        ((1.0, 1.0, nan, 0.0, 0.0, 0.0), "finite"),
    ],
)
def test_an_impossible_inertia_in_space_is_refused(inertia, words):
    body = SpatialBody(id="b", mass=1.0, inertia=inertia)
    assert words in sentence(body_mass_properties, body)


def test_a_flat_plate_may_reach_the_limit_of_the_triangle_inequality():
    flat = SpatialBody(id="b", mass=1.0, inertia=(0.333, 0.0833, 0.4166, 0.0, 0.0, 0.0))
    assert body_mass_properties(flat).inertia[2][2] == 0.4166


@pytest.mark.parametrize(
    "kind", [s for s in SHAPES if s not in (Mesh, Part)], ids=lambda kind: kind.kind
)
def test_a_shape_reaches_as_far_as_its_moments_allow(kind):
    shape = kind()
    moments = shape.moments()
    c, S = np.array(moments.center), np.array(moments.spread)
    rng = np.random.default_rng(5)
    for n in rng.normal(size=(20, 3)):
        n /= np.linalg.norm(n)
        # no mass lies beyond its reach, so the spread along n is at most the product of both ways
        ahead, behind = shape.reach(n) - c @ n, shape.reach(-n) + c @ n
        assert ahead > 0.0 and behind > 0.0
        assert n @ S @ n <= ahead * behind * (1 + 1e-12)  # rounding


@pytest.mark.parametrize("kind", (Rod, Box, Disc, Cylinder, Sphere), ids=lambda kind: kind.kind)
def test_a_point_beyond_the_reach_of_a_shape_is_at_least_so_far_away(kind):
    shape = kind()
    rng = np.random.default_rng(6)
    inside = kind in (
        Rod,
        Box,
        Cylinder,
        Sphere,
    )  # of others the box around counts: less than its reach
    for n in rng.normal(size=(50, 3)) if inside else np.eye(3):
        n = n / np.linalg.norm(n)
        for p in rng.uniform(-0.8, 0.8, size=(20, 3)):
            assert shape.distance(p) >= n @ p - shape.reach(n) - 1e-15  # rounding
    assert shape.distance(np.array(shape.moments().center)) == 0.0
