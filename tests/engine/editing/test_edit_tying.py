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


def test_points_on_a_link_are_tied_to_its_ends():
    model, id = crank()
    model, end = edits.marker(model, id, (1, 0))
    model, inside = edits.marker(model, id, (0.8, 0))
    model, beyond = edits.marker(model, id, (-0.1, 0))
    model, beside = edits.marker(model, id, (1, 0.01))
    model, aside = edits.marker(model, id, (0.8, 0.01))
    model, middle = edits.marker(model, id, (0.5, 0))
    assert model[end].position == ("shape.length/2", 0.0)
    assert model[inside].position == ("shape.length/2 - 0.2", 0.0)
    assert model[beyond].position == ("-shape.length/2 - 0.1", 0.0)
    assert model[beside].position == ("shape.length/2", 0.01)
    assert model[aside].position == pytest.approx((0.3, 0.01)) and model[middle].position == (0, 0)
    longer = with_length(model, 2.0)
    places = [edits.marker_frame(longer, one).x for one in (end, inside, beyond, middle)]
    assert places == pytest.approx([1.5, 1.3, -0.6, 0.5])


def test_a_size_that_is_drawn_otherwise_stays_a_number():
    model, id, _ = edits.link(planar(), [(0, 0), (1, 0)])
    assert edits.tied(model, id, {"length": "2", "radius": "1"}) is model
    plate, id, _ = edits.link(planar(), [(0, 0), (1, 0), (0.5, 1)])
    assert edits.tied(plate, id, {"length": "1"}) is plate


def test_a_longer_link_stays_on_its_pin():
    model, id = crank()
    found = edits.parameter_set(model, {"l": 3.0})
    assert found.is_closed and assemble(compile_model(found.model)).drawn_gap < 1e-12
    assert found.model[id].position == pytest.approx((1.5, 0.0)) and found.model[id].angle == 0.0


def test_a_body_that_a_formula_places_stays_there():
    model, id = crank()
    written = put(model, replace(model[id], position=("0.5*1", 0.0), angle="0*l"))
    found = edits.parameter_set(written, {"l": 3.0})
    assert found.model[id] == written[id] and "is 1 m apart" in found.sentence


def test_what_no_pose_closes_keeps_its_value_and_its_gap_is_named():
    model, id = crank()
    model, pin = edits.joint(model, "revolute", edits.Pair("ground", id), (1, 0))
    found = edits.parameter_set(model, {"l": 3.0})
    assert not found.is_closed and found.ids == (pin,)
    assert found.sentence == f"joint '{pin}' (ground - {id}) is 2 m apart"
    assert found.model["l"].value == 3.0 and found.model[id].angle == model[id].angle
    assert edits.marker_frame(found.model, "marker_2") == edits.marker_frame(model, "marker_2")


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
