"""Points are tied to the shapes they are drawn on, and every edit keeps them where they are."""

from dataclasses import fields, replace
from math import cos, sin

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.editing import edits
from engine.editing.builder import Mechanism
from engine.editing.edits.placing import marker_place
from engine.editing.edits.points import joint_relocated, marker_moved
from engine.editing.ties import tied_point, with_points_tied
from engine.formulas.resolve import resolved
from engine.formulas.sizes import is_tied
from engine.model.bodies import PlanarBody, PlanarMarker, SpatialBody, SpatialMarker
from engine.model.elements import planar, put, spatial
from engine.model.shapes import (
    SHAPES,
    Beam,
    Box,
    Capsule,
    Cylinder,
    Disc,
    Mesh,
    Part,
    Polygon,
    Polyline,
    Rod,
    Sphere,
)

PLATE = Polygon(points=((-0.3, -0.1), (0.4, -0.1), (0.1, 0.5)))
BARS = Polyline(points=((-0.3, -0.1), (0.4, -0.1), (0.1, 0.5)))
IN_SPACE = Polyline(points=((-0.3, -0.1, 0.2), (0.4, -0.1, 0.0), (0.1, 0.5, -0.1)))
ENDS = {  # points of each shape that follow it exactly: in the plane, in space
    2: {
        Rod(length=0.6): [(0.3, 0.0), (-0.3, 0.0)],
        Beam(length=0.6): [(0.3, 0.0), (-0.3, 0.0)],
        Box(width=0.4, height=0.2): [(0.2, 0.1), (-0.2, 0.1), (0.2, 0.0), (0.0, -0.1)],
        Disc(radius=0.3): [(0.3, 0.0), (0.0, -0.3), (0.3 * cos(2.0), 0.3 * sin(2.0))],
        PLATE: list(PLATE.points),
        BARS: list(BARS.points),
    },
    3: {
        Rod(length=0.6): [(0.3, 0.0, 0.0), (-0.3, 0.02, 0.005)],
        Beam(length=0.6): [(0.3, 0.0, 0.0), (-0.3, 0.02, 0.005)],
        Box(width=0.4, height=0.2, thickness=0.1): [(0.2, -0.1, 0.05), (0.0, 0.0, 0.05)],
        Cylinder(radius=0.1, length=0.5): [(0.0, 0.0, 0.25), (0.06, 0.08, -0.25), (0.0, 0.1, 0.0)],
        Sphere(radius=0.2): [(0.2, 0.0, 0.0), (0.0, 0.12, 0.16)],
        Capsule(radius=0.1, length=0.5): [(0.0, 0.0, 0.25), (0.0, 0.0, -0.25)],
        PLATE: [(*PLATE.points[0], 0.0)],
        IN_SPACE: list(IN_SPACE.points),
    },
}
CASES = [(dim, shape, at) for dim in ENDS for shape in ENDS[dim] for at in ENDS[dim][shape]]


def on(shape, at):
    """A body of a shape with one point."""
    if len(at) == 2:
        return put(
            planar(), PlanarBody(id="b", shape=shape), PlanarMarker(id="p", body="b", position=at)
        )
    body, marker = SpatialBody(id="b", shape=shape), SpatialMarker(id="p", body="b", position=at)
    return put(spatial(), body, marker)


def scaled(shape, factor):
    """A shape that is larger by a factor in every direction."""
    numbers = {}
    for f in fields(shape):
        if f.name != "points" and f.metadata.get("unit") != "m":
            continue
        old = getattr(shape, f.name)
        numbers[f.name] = (
            tuple(tuple(factor * x for x in p) for p in old) if f.name == "points" else factor * old
        )
    return replace(shape, **numbers)


def test_every_shape_with_sizes_has_points_that_follow_it():
    assert {type(s) for dim in ENDS for s in ENDS[dim]} == set(SHAPES) - {Mesh, Part}


@pytest.mark.parametrize(("dim", "shape", "at"), CASES, ids=lambda it: getattr(it, "kind", str(it)))
def test_ends_corners_and_rims_follow_the_sizes_exactly(dim, shape, at):
    model = with_points_tied(on(shape, at), ["p"])
    assert is_tied(model["p"])
    assert resolved(model)["p"].position == pytest.approx(at, abs=1e-12)  # 15 digits of a share
    larger = put(model, replace(model["b"], shape=scaled(shape, 1.7)))
    image = [1.7 * x for x in at]
    assert resolved(larger)["p"].position == pytest.approx(image, abs=1e-12)
    loose = edits.untied(larger, ["p"])
    assert loose["p"].position == pytest.approx(image) and not is_tied(loose["p"])
    words = edits.words_of_tie(model, model["p"])
    assert words.endswith(" of b") and edits.words_of_tie(loose, loose["p"]) == ""


@pytest.mark.parametrize(
    ("shape", "at", "words"),
    [
        (Rod(length=0.6), (0.3, 0.0), "end B of b"),
        (Rod(length=0.6), (-0.3, 0.0), "end A of b"),
        (Rod(length=0.6), (0.2, 0.0), "fixed distance from end B of b"),
        (Rod(length=0.6), (-0.2, 0.0), "fixed distance from end A of b"),
        (Rod(length=0.6), (-0.4, 0.0), "fixed distance from end A of b"),
        (Box(width=0.4, height=0.2), (0.2, 0.1), "corner of b"),
        (Box(width=0.4, height=0.2), (0.2, 0.03), "edge of b"),
        (Disc(radius=0.3), (0.0, 0.3), "rim of b"),
        (PLATE, PLATE.points[1], "corner 2 of b"),
    ],
)
def test_words_of_a_tie(shape, at, words):
    model = with_points_tied(on(shape, at), ["p"])
    assert edits.words_of_tie(model, model["p"]) == words


@given(
    st.sampled_from(list(ENDS[3])),
    st.tuples(*[st.sampled_from([0.0, 0.5, -0.5, 0.37, 1.1]) | st.floats(-1, 1)] * 3),
    st.floats(0.01, 10.0),
)
@settings(max_examples=150, deadline=None)
def test_a_tie_never_moves_a_point(shape, at, size):
    shape = scaled(shape, size)
    place = tuple(size * x for x in at)
    model = on(shape, place)
    marker = tied_point(model, model["p"])
    now = resolved(put(model, marker))["p"].position
    assert now == pytest.approx(place, abs=1e-9 * size)  # how near counts as the end
    assert tied_point(put(model, marker), marker) is marker


def linkage():
    """A link, a plate, a disc and a slider, joined at ends, corners, rims and along an axis."""
    m = Mechanism("linkage")
    m.parameter("l", 0.5)
    m.rod((0, 0), (0.3, 0.4), length="l", id="link")
    m.polygon([(0.3, 0.4), (0.9, 0.4), (0.6, 0.8)], id="plate")
    m.disc((1.2, 0.4), 0.3, id="disc")
    m.box((0.6, 1.0), 0.2, 0.4, id="box")
    m.revolute("ground", "link", (0, 0), id="A")
    m.revolute("link", "plate", (0.3, 0.4), id="B")
    m.revolute("plate", "disc", (0.9, 0.4), id="C")
    m.revolute("plate", "box", (0.6, 0.8), id="D")
    m.marker("link", (0.15, 0.2), id="middle")
    m.marker("link", (0.24, 0.32), id="inside")
    m.marker("disc", (1.2 + 0.3 * cos(1.0), 0.4 + 0.3 * sin(1.0)), id="rim")
    m.marker("plate", (0.6, 0.5), id="free")
    return m.model


def linkage_in_space():
    """A rod, a block and a plate in space, joined at ends and corners."""
    m = Mechanism("linkage", dim=3)
    m.rod((0, 0, 0), (0.3, 0.4, 0.0), id="rod")
    m.box((0.4, 0.45, 0.05), 0.2, 0.1, 0.1, id="block")
    m.cylinder((0.5, 0.5, 0.1), (0.5, 0.5, 0.6), 0.05, id="bar")
    m.body((1, 0, 0), shape=PLATE, id="plate")
    m.spherical("rod", "block", (0.3, 0.4, 0.0), id="A")
    m.spherical("block", "bar", (0.5, 0.5, 0.1), id="B")
    m.marker("plate", (1 + PLATE.points[2][0], PLATE.points[2][1], 0.0), id="corner")
    m.marker("bar", (0.5, 0.5, 0.4), id="along")
    return m.model


def everything(model):
    """The ids of all bodies."""
    return [body.id for body in model.of("body")]


PLANAR_EDITS = {
    "left-right": lambda m: edits.mirrored(m, everything(m), "left-right"),
    "top-bottom": lambda m: edits.mirrored(m, everything(m), "top-bottom"),
    "moved": lambda m: edits.translated(m, everything(m), (0.3, -0.2)),
    "turned": lambda m: edits.rotated(m, everything(m), 0.7),
    "copied": lambda m: edits.duplicated(m, everything(m), (0.1, 0.2))[0],
    "fixed": lambda m: edits.with_ground_toggled(m, ["plate"]),
    "pin moved": lambda m: joint_relocated(m, "B", (0.35, 0.45)),
    "corner moved": lambda m: joint_relocated(m, "D", (0.65, 0.85)),
    "point moved": lambda m: marker_moved(m, "inside", (0.3, 0.4)),
    "other body": lambda m: edits.glued_to(m, "inside", "plate"),
    "further corner": lambda m: edits.with_corner(m, "plate", (0.5, 0.2))[0],
    "renamed": lambda m: edits.renamed(m, "l", "length_of_link"),
    "deleted": lambda m: edits.deleted(m, ["disc"]),
}
SPATIAL_EDITS = {
    "left-right": PLANAR_EDITS["left-right"],
    "top-bottom": PLANAR_EDITS["top-bottom"],
    "moved": lambda m: edits.translated(m, everything(m), (0.3, -0.2, 0.1)),
    "turned": lambda m: edits.turned(m, everything(m), (1.0, 2.0, 0.5), 0.8),
    "copied": lambda m: edits.duplicated(m, everything(m), (0.1, 0.2, 0.3))[0],
    "joint moved": lambda m: edits.joint_shifted(m, "A", (0.0, 0.0, 0.02)),
    "joint turned": lambda m: edits.axis_along(m, "A", (1.0, 0.0, 0.0)),
    "other body": lambda m: edits.glued_to(m, "along", "plate"),
}
ALL_EDITS = [
    *((linkage, name, edit) for name, edit in PLANAR_EDITS.items()),
    *((linkage_in_space, name, edit) for name, edit in SPATIAL_EDITS.items()),
]


@pytest.mark.parametrize(
    ("make", "name", "edit"), ALL_EDITS, ids=lambda it: it if isinstance(it, str) else ""
)
def test_an_edit_gives_the_same_geometry_with_ties_as_with_numbers(make, name, edit):
    tied = make()
    if name == "pin moved":  # a length by a formula is not changed by moving its pin
        tied = edits.with_fields(tied, ["link"], {"shape.length": 0.5})
    assert sum(map(is_tied, tied.of("marker"))) >= 5
    loose = edits.untied(tied, [m.id for m in tied.of("marker")])
    after, expected = edit(tied), edit(loose)
    assert set(after.elements) == set(expected.elements)
    for marker in expected.of("marker"):
        place = marker_place(expected, marker.id)
        assert marker_place(after, marker.id) == pytest.approx(place, abs=1e-12), marker.id
    plain, wanted = resolved(after), resolved(expected)
    for body in wanted.of("body"):
        assert plain[body.id].position == pytest.approx(body.position, abs=1e-12)


def test_an_image_in_a_mirror_follows_its_plate():
    model = edits.mirrored(linkage(), everything(linkage()))
    plate = model["plate"].shape
    corners = tuple((2.0 * x, 2.0 * y) for x, y in plate.points)
    before = edits.marker_frame(model, model["D"].marker_i)
    middle = edits.body_frame(model, "plate")
    after = put(model, replace(model["plate"], shape=replace(plate, points=corners)))
    grown = edits.marker_frame(after, model["D"].marker_i)
    way = np.subtract(before[:2], middle[:2])
    assert np.subtract(grown[:2], middle[:2]) == pytest.approx(2.0 * way, abs=1e-12)


def test_a_rod_that_becomes_a_plate_ties_its_points_anew():
    model = linkage()
    longer, _ = edits.with_corner(model, "plate", (0.5, 0.2))
    assert is_tied(longer[model["D"].marker_i])
    m = Mechanism()
    m.rod((0, 0), (1, 0), id="rod")
    ends = [m.marker("rod", at) for at in ((0, 0), (1, 0), (0.7, 0))]
    plate, _ = edits.with_corner(m.model, "rod", (0.5, 1.0))
    positions = [plate[end].position for end in ends]
    assert [p[0] for p in positions[:2]] != [p[1] for p in positions[:2]]
    assert all(is_tied(plate[end]) for end in ends[:2]) and not is_tied(plate[ends[2]])
    assert plate[ends[2]].position == pytest.approx((0.2, 0.0))
    for end in ends:
        assert marker_place(plate, end) == pytest.approx(marker_place(m.model, end), abs=1e-12)
    ball = edits.with_fields(m.model, ["rod"], {"shape": {"kind": "disc", "radius": 0.5}})
    assert ball[ends[0]].position == ("-shape.radius", 0.0)
    assert ball[ends[2]].position == pytest.approx((0.2, 0.0))
    bare = edits.with_fields(m.model, ["rod"], {"shape": None, "mass": 1.0, "inertia": 1.0})
    assert bare[ends[1]].position == (0.5, 0.0)


def test_fewer_corners_leave_points_where_they_are():
    m = Mechanism()
    m.polygon([(0, 0), (1, 0), (1, 1), (0, 1)], id="plate")
    marker = m.marker("plate", (0, 1))
    assert m.model[marker].position == ("shape.x4", "shape.y4")
    corners = [list(p) for p in m.model["plate"].shape.points[:3]]
    after = edits.with_fields(m.model, ["plate"], {"shape.points": corners})
    assert marker_place(after, marker) == pytest.approx((0.0, 1.0)) and not is_tied(after[marker])
