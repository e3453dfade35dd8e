"""Sizes by formulas: ends of bodies are tied to them, and joints close again when a size changes."""

from dataclasses import replace

import pytest

from engine.compiling.system import compile_model
from engine.editing import edits
from engine.kinematics.assemble import assemble
from engine.model.bodies import PlanarBody
from engine.model.elements import Parameter, planar, put
from engine.model.shapes import Box, Disc, Rod


def crank(pinned=True):
    """A link from the origin to (1, 0) whose length is the parameter l, pinned to the ground."""
    model = put(planar(), Parameter(id="l", value=1.0))
    model, id, _ = edits.link(model, [(0, 0), (1, 0)], ["ground", ""] if pinned else ["", ""])
    return edits.tied(model, id, {"length": "l"}), id


def with_length(model, value):
    """The model with another value of the parameter."""
    return put(model, replace(model["l"], value=value))


def test_markers_at_the_ends_are_tied_and_others_are_not():
    model, id = crank()
    model, end = edits.marker(model, id, (1, 0))
    model, inside = edits.marker(model, id, (0.8, 0))
    model, beside = edits.marker(model, id, (1, 0.01))
    assert model[end].position == ("(l)/2", 0.0)
    assert model[inside].position == pytest.approx((0.3, 0.0))
    assert model[beside].position == ("(l)/2", 0.01)
    assert edits.marker_frame(with_length(model, 2.0), end).x == pytest.approx(1.5)


def test_a_size_that_is_drawn_otherwise_stays_a_number():
    model, id, _ = edits.link(planar(), [(0, 0), (1, 0)])
    assert edits.tied(model, id, {"length": "2", "radius": "1"}) is model
    plate, id, _ = edits.link(planar(), [(0, 0), (1, 0), (0.5, 1)])
    assert edits.tied(plate, id, {"length": "1"}) is plate


def test_a_longer_link_stays_on_its_pin():
    model, id = crank()
    after = edits.closed_again(model, with_length(model, 3.0))
    assert assemble(compile_model(after)).drawn_gap < 1e-12
    assert after[id].position == pytest.approx((1.5, 0.0)) and after[id].velocity is None


def test_what_was_open_or_needs_nothing_stays_as_it_is():
    model, id = crank()
    rough = put(model, replace(model[id], position=(0.7, 0.3)))
    for before in (rough, crank(pinned=False)[0]):
        after = with_length(before, 3.0)
        assert edits.closed_again(before, after) is after
    written = put(model, replace(model[id], position=("0.5*1", 0.0)))
    after = with_length(written, 3.0)
    assert edits.closed_again(written, after) is after


def test_what_no_pose_closes_stays_as_it_is():
    model, id = crank()
    model, _ = edits.joint(model, "revolute", edits.Pair("ground", id), (1, 0))
    after = with_length(model, 3.0)
    assert edits.closed_again(model, after) is after


@pytest.mark.parametrize(
    ("shape", "ends"),
    [
        (Rod(length="l"), [(0.5, 0.0)]),
        (Box(width="l", height="l"), [(0.5, 0.0), (0.0, 0.5), (0.5, 0.5)]),
        (Disc(radius="l"), [(1.0, 0.0), (0.0, 1.0)]),
    ],
    ids=lambda it: getattr(it, "kind", ""),
)
def test_a_point_at_the_end_of_a_shape_follows_its_size(shape, ends):
    body = PlanarBody(id="body", mass=1.0, inertia=1.0, shape=shape)
    model = put(planar(), Parameter(id="l", value=1.0), body)
    for x, y in [*ends, *((-x, -y) for x, y in ends)]:
        after, point = edits.marker(model, "body", (x, y))
        grown = edits.marker_frame(with_length(after, 3.0), point)
        assert (grown.x, grown.y) == pytest.approx((3.0 * x, 3.0 * y), abs=1e-12)  # rounding
