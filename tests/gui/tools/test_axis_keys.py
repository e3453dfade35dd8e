"""x, y, z in tools of space, typed numbers before or after them, and joints of the two bodies selected."""

import numpy as np
import pytest

from engine.editing import edits
from engine.editing.builder import Mechanism
from gui.tools.base import SHIFT
from gui.tools.space.axis_choice import AxisChoice, ends_number
from gui.tools.space.bodies import RodTool3D
from tests.gui.hands import Hand, tool_named
from tests.gui.sight_hand import SpaceHand

ENTER = 0x01000004


def test_a_letter_goes_from_the_world_to_the_body_and_back():
    R = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])  # its x is y of the world
    axis = AxisChoice()
    assert not axis and axis.direction(R) is None
    seen = []
    for _ in range(3):
        axis.press("x", reverses=False, has_own=True)
        seen.append(axis.direction(R))
    assert seen == [(1, 0, 0), (0, 1, 0), None]
    axis.press("x", reverses=True, has_own=True)
    assert axis.direction(R) == pytest.approx((-1, 0, 0))
    axis.press("x", reverses=True, has_own=True)
    assert axis.direction(R) == pytest.approx((1, 0, 0))
    axis.press("z", reverses=False, has_own=False)
    axis.press("z", reverses=False, has_own=False)
    assert not axis  # nothing there has axes of its own


@pytest.mark.parametrize(
    ("text", "ends"),
    [("", 1), ("1", 1), ("1 ", 1), ("0.25", 1), ("1 m ", 1), ("1 m", 0), ("2*l", 0)],
)
def test_a_letter_after_a_number_is_an_axis_and_after_a_name_is_text(text, ends):
    assert ends_number(text) == bool(ends)


@pytest.mark.parametrize("typed", ["x0.5", "0.5x", "0.5 x"])
def test_one_x_and_x_one_mean_the_same(typed):
    hand = SpaceHand()
    hand.take(RodTool3D)
    hand.click(0, 0, 0)
    hand.move(0.3, 0.2, 0)
    hand.type(typed)
    hand.hit(ENTER)
    (rod,) = hand.model.of("body")
    assert rod.shape.length == pytest.approx(0.5)
    assert rod.position == pytest.approx((0.25, 0.0, 0.0), abs=1e-12)


def test_shift_turns_a_typed_rod_the_other_way():
    hand = SpaceHand()
    hand.take(RodTool3D)
    hand.click(0, 0, 0)
    hand.move(0.3, 0.2, 0)
    assert hand.tool.key(ord("X"), "X", SHIFT)
    hand.type("0.5")
    hand.hit(ENTER)
    (rod,) = hand.model.of("body")
    assert rod.position == pytest.approx((-0.25, 0.0, 0.0), abs=1e-12)


def three_bars():
    """Three rods that cross at the origin."""
    m = Mechanism("Bars")
    for k in range(3):
        m.rod((-0.5, 0.0), (0.5, 0.0), id=f"rod_{k}")
    return m.model


def test_with_two_bodies_selected_a_joint_tool_offers_this_pair_only():
    hand = Hand()
    hand.document.new(three_bars())
    hand.take(tool_named("revolute"))
    hand.move(0.0, 0.0)
    assert len(hand.tool.pairs(hand.tool.here)) > 1
    hand.selection.set(["rod_2", "rod_0"])
    hand.move(0.001, 0.0)
    (pair,) = hand.tool.pairs(hand.tool.here)
    assert set(pair) == {"rod_0", "rod_2"}
    hand.click(0.0, 0.0)
    (joint,) = hand.model.of("joint")
    assert (
        set(edits.bodies_of(hand.model, joint.id)) == {"rod_0", "rod_2"} and not hand.tool.choices
    )


def test_two_selected_bodies_are_joined_where_nothing_is_drawn():
    hand = Hand()
    m = Mechanism("Apart")
    m.rod((0, 0), (1, 0), id="a")
    m.rod((0, 1), (1, 1), id="b")
    hand.document.new(m.model)
    hand.selection.set(["a", "b"])
    hand.take(tool_named("revolute"))
    hand.click(0.5, 0.5)
    (joint,) = hand.model.of("joint")
    assert set(edits.bodies_of(hand.model, joint.id)) == {"a", "b"}
    hand.selection.set(["a", "b"])
    hand.click(0.5, 0.5)
    assert "already" in hand.complaints[-1] and len(hand.model.of("joint")) == 1
