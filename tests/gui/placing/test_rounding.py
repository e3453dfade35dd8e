"""Coarse meshes drawn round: smooth where they mean a circle, straight where they are straight."""

import numpy as np
import pytest

from assets import example_paths
from assets.example_solids import ball, bar, block, turned
from engine.files.model_files import load
from engine.model.shapes import Mesh
from gui.placing.space.rounding import is_closed, rounded
from gui.placing.space.solids import cylinder, sphere
from gui.placing.space.spin import round_axis, sector_of

SIDES = [10, 12, 20, 24]


def volume(solid):
    """What a closed surface holds: sum of a . (b x c) / 6."""
    a, b, c = (solid.points[solid.triangles[:, k]] for k in range(3))
    return float(np.einsum("ni,ni->", a, np.cross(b, c))) / 6.0


def gaps(solid):
    """The sides of triangles that no other triangle shares."""
    keys = np.round(solid.points * 1e7).astype(np.int64)
    _, where = np.unique(keys, axis=0, return_inverse=True)
    t = where.ravel()[solid.triangles]
    sides = np.sort(np.concatenate([t[:, [0, 1]], t[:, [1, 2]], t[:, [2, 0]]]), axis=1)
    _, counts = np.unique(sides[sides[:, 0] != sides[:, 1]], axis=0, return_counts=True)
    return int((counts % 2).sum())


def leans(solid):
    """The largest angle between normals of neighbouring triangles that are drawn smooth [degrees]."""
    n = solid.normals[solid.triangles]
    pairs = np.einsum("mki,mki->mk", n, np.roll(n, -1, axis=1))
    return float(np.degrees(np.arccos(np.clip(pairs.min(), -1.0, 1.0))))


@pytest.mark.parametrize("sides", SIDES)
def test_a_coarse_bar_becomes_round_and_no_thicker(sides):
    solid = rounded(*bar(0.0, 2.0, 0.5, sides))
    radius = np.linalg.norm(solid.points[:, :2], axis=1)
    side = np.abs(solid.normals[:, 2]) < 0.5
    chord = 0.5 * (1.0 - np.cos(np.pi / sides))  # what the file's sides are off
    assert np.abs(radius[side] - 0.5).max() < 0.08 * chord
    out = solid.points[side] * (1.0, 1.0, 0.0)
    assert np.allclose(solid.normals[side], out / radius[side, None], atol=5e-3)
    assert gaps(solid) == 0
    assert abs(volume(solid) - np.pi * 0.5) < 5e-3 * np.pi * 0.5  # of the true cylinder


def test_a_coarse_ball_becomes_round():
    solid = rounded(*ball((0.0, 0.0, 0.0), 1.0, 6))
    radius = np.linalg.norm(solid.points, axis=1)
    assert np.abs(radius - 1.0).max() < 0.02 and gaps(solid) == 0  # its facets are off by 0.067
    assert not solid.edges


@pytest.mark.parametrize("sides", [6, 8])
def test_hexagons_and_octagons_keep_their_edges(sides):
    solid = rounded(*bar(0.0, 1.0, 0.5, sides))
    assert len(solid.points) == 3 * len(bar(0.0, 1.0, 0.5, sides).faces)  # nothing is refined
    assert len(solid.edges) == 3 * sides and leans(solid) < 1e-3


def test_a_block_stays_as_it_is():
    solid = rounded(*block((0, 0, 0), (1, 2, 3)))
    assert len(solid.triangles) == 12 and len(solid.edges) == 12
    assert volume(solid) == pytest.approx(6.0)


def test_straight_profiles_stay_straight():
    # a pillar of two cones that meet at an angle of 11 degrees
    profile = ((0.0, 0.0), (0.1, 0.0), (0.06, 1.0), (0.12, 1.6), (0.0, 1.6))
    solid = rounded(*turned(profile, 20))
    radius, z = np.linalg.norm(solid.points[:, :2], axis=1), solid.points[:, 2]
    side = np.abs(solid.normals[:, 2]) < 0.5
    wanted = np.interp(z, [0.0, 1.0, 1.6], [0.1, 0.06, 0.12])
    chord = 0.12 * (1.0 - np.cos(np.pi / 20))
    assert np.abs(radius - wanted)[side].max() < 0.1 * chord
    assert gaps(solid) == 0


def test_a_cone_keeps_its_tip_and_its_straight_sides():
    solid = rounded(*turned(((0.0, 0.0), (0.5, 1.0), (0.0, 1.0)), 16))
    radius, z = np.linalg.norm(solid.points[:, :2], axis=1), solid.points[:, 2]
    side = solid.normals[:, 2] < 0.5
    assert np.abs(radius - 0.5 * z)[side].max() < 3e-3  # sides of the file are off by 0.01


@pytest.mark.parametrize("name", ["spinning_top", "gyroscope_in_gimbals", "stewart_platform"])
def test_meshes_of_examples_are_left_by_no_more_than_the_error_of_their_circles(name):
    for body in load(example_paths()[name]).of("body"):
        if not isinstance(body.shape, Mesh):
            continue
        vertices = np.array(body.shape.vertices, dtype=float)
        solid = rounded(vertices, np.array(body.shape.faces))
        low, high = vertices.min(axis=0), vertices.max(axis=0)
        most = 0.5 * float((high - low).max()) * (1.0 - np.cos(np.pi / 12))  # twelve sides or more
        assert (solid.points >= low - most).all() and (solid.points <= high + most).all()
        assert gaps(solid) == 0 and np.isfinite(solid.normals).all()
        assert leans(solid) < 40.0


def test_coarser_levels_make_fewer_triangles():
    coarse = bar(0.0, 2.0, 0.5, 12)
    counts = [len(rounded(*coarse, level).triangles) for level in (0, 1, 2)]
    assert counts[0] == len(coarse.faces) < counts[1] < counts[2]


def test_only_meshes_without_holes_that_face_outwards_have_no_inside():
    vertices, faces = bar(0.0, 1.0, 0.5, 12)
    assert is_closed(vertices, faces)
    assert not is_closed(vertices, faces[1:])
    assert not is_closed(vertices, faces[:, ::-1])


# --- marks of spin


def test_round_bodies_have_an_axis_and_others_have_none():
    middle, axis = round_axis(cylinder(0.4, 0.1, 40))
    assert abs(axis[2]) == pytest.approx(1.0) and np.allclose(middle, 0.0)
    assert round_axis(rounded(*block((0, 0, 0), (1, 1, 3)))) is None  # as symmetric, but not round
    assert round_axis(rounded(*block((0, 0, 0), (1, 2, 3)))) is None


def test_a_sector_is_a_quarter_of_the_surface_on_all_its_sides():
    solid = cylinder(0.4, 0.3, 40)
    middle, first, second, twice = sector_of(solid)
    for z in (-1.0, 0.0, 1.0):  # below, on the side, above
        face = solid.points[np.isclose(solid.normals[:, 2], z)] - middle
        inside = (face @ first > 0.0) & (face @ second > 0.0)
        assert inside.mean() == pytest.approx(0.25, abs=0.03)
    assert not twice and sector_of(sphere(1.0), is_ball=True).is_twice
