"""Aligning, moving and turning: joined bodies stay together, formulas stay formulas."""

from dataclasses import replace
from itertools import pairwise
from math import hypot

import pytest

from engine.compiling.checks import problems
from engine.editing import edits
from engine.editing.builder import Mechanism
from engine.editing.edits import Pair
from engine.errors import EngineError
from engine.model.elements import GROUND, planar


def sound(model):
    """The model, which must have no problem."""
    assert problems(model) == []
    return model


def two_links():
    """Two links pinned to each other, and the first one to the ground."""
    model, a, _ = edits.link(planar(), [(0, 0), (1, 0)])
    model, b, pins = edits.link(model, [(1, 0), (2, 1)], [a, ""])
    model, base = edits.joint(model, "revolute", Pair(GROUND, a), (0, 0))
    return sound(model), a, b, pins[0], base


def test_bodies_line_up_and_spread_evenly():
    model = planar()
    ids = []
    for x, y, w in ((0, 0, 1), (2.5, 3, 2), (9, 1, 0.5), (4, -2, 1)):
        model, id = edits.box(model, (x, y), (x + w, y + w))
        ids.append(id)
    for how, k in (("left", 0), ("bottom", 1), ("right", 2), ("top", 3)):
        lined = edits.aligned(model, ids, how)
        assert len({round(edits.extent(lined, id)[k], 12) for id in ids}) == 1
    for how, k in (("center_x", 0), ("center_y", 1)):
        lined = edits.aligned(model, ids, how)
        middles = {round(sum(edits.extent(lined, id)[k::2]), 12) for id in ids}
        assert len(middles) == 1
    spread = edits.aligned(model, ids, "distribute_x")
    places = sorted(spread[id].position[0] for id in ids)
    steps = [b - a for a, b in pairwise(places)]
    assert steps == pytest.approx([steps[0]] * 3)
    assert edits.aligned(model, ids, "left") == edits.aligned(
        edits.aligned(model, ids, "left"), ids, "left"
    )


def test_joined_bodies_align_as_one_and_never_tear():
    model, a, b, pin, base = two_links()
    model, box = edits.box(model, (5, 5), (6, 6))
    lined = sound(edits.aligned(model, [a, b, box], "left"))
    assert edits.extent(lined, box)[0] == pytest.approx(edits.extent(lined, a)[0])
    for joint in (pin, base):
        i, j = (
            edits.marker_frame(lined, m) for m in (lined[joint].marker_i, lined[joint].marker_j)
        )
        assert hypot(i.x - j.x, i.y - j.y) < 1e-12
    with pytest.raises(EngineError, match=f"select '{b}' too"):
        edits.translated(model, [a], (0.5, 0.0))
    with pytest.raises(EngineError, match="at least 2"):
        edits.aligned(model, [a, b], "left")


def test_a_body_may_slide_along_its_rail_though_the_rail_stays():
    model, rail = edits.box(planar(), (-2, -0.1), (2, 0.1))
    model, cart = edits.box(model, (-0.2, -0.2), (0.2, 0.2))
    model, _ = edits.joint(model, "prismatic", Pair(rail, cart), (0, 0))
    assert edits.translated(model, [cart], (0.5, 0.0))[cart].position == (0.5, 0.0)
    with pytest.raises(EngineError, match="tear"):
        edits.translated(model, [cart], (0.0, 0.5))


def test_expressions_stay_where_they_can_and_refuse_to_turn_where_not():
    m = Mechanism()
    m.parameter("x_0", 0.5)
    body = m.box((0, 0))
    model = edits.with_fields(m.model, [body], {"position": ("2*x_0", 0.0)})
    moved = edits.translated(model, [body], (1.0, 0.0))
    assert moved[body].position == ("2*x_0 + 1", 0.0)
    twice = edits.mirrored(
        edits.mirrored(model, [body], about=(3.0, 0.0)), [body], about=(3.0, 0.0)
    )
    assert twice == model
    with pytest.raises(EngineError, match="expression '2"):
        edits.rotated(model, [body], 0.5)
    joined, pin = edits.joint(model, "revolute", Pair(GROUND, body), (1.0, 0.0))
    assert joined[body] is model[body]
    assert edits.joint_point(joined, pin) == pytest.approx((1.0, 0.0))
    assert replace(sound(joined), elements={}) == replace(model, elements={})
