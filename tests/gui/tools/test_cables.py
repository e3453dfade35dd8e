"""Cables and capsules, drawn by hand."""

import pytest
from PySide6.QtCore import Qt

from engine.compiling.checks import problems
from engine.editing.builder import Mechanism
from gui.tools.space.solids import CapsuleTool3D
from tests.gui.hands import Hand, tool_named
from tests.gui.sight_hand import SpaceHand


def lift():
    """A pulley on a pin and two weights below it."""
    m = Mechanism("Lift")
    m.disc((0.0, 0.0), 0.2, id="pulley")
    m.revolute("ground", "pulley", (0.0, 0.0), id="axle")
    m.box((-0.2, -1.0), 0.1, 0.1, id="load")
    m.box((0.2, -1.0), 0.1, 0.1, id="weight")
    return m.model


def hand_on(model):
    """A hand over a model."""
    hand = Hand()
    hand.document.new(model)
    return hand


def test_three_clicks_make_a_cable_over_the_pulley(qapp):
    hand = hand_on(lift())
    hand.take(tool_named("cable"))
    hand.click(-0.2, -1.0)
    assert hand.tool.is_busy and "pulley" in hand.tool.hint
    hand.click(0.05, 0.1)
    hand.click(0.2, -1.0)
    made = hand.model["cable_1"]
    ends = [hand.model[m].body for m in (made.marker_i, made.pulley, made.marker_j)]
    assert ends == ["load", "pulley", "weight"]
    assert made.radius == pytest.approx(0.2) and made.way == "clockwise"
    assert hand.model[made.pulley].position == pytest.approx((0.0, 0.0))
    assert hand.document.undo_stack.undo_text() == "Add cable"
    assert not problems(hand.model)


def test_a_cable_of_which_nothing_moves_is_refused_in_words(qapp):
    hand = hand_on(lift())
    hand.take(tool_named("cable"))
    for at in ((2.0, 0.0), (3.0, 0.0), (4.0, 0.0)):
        hand.click(*at)
    assert "cable" in hand.complaints[-1]
    assert "cable_1" not in hand.model


def test_a_capsule_stands_on_its_tip(qapp):
    hand = SpaceHand()
    hand.take(CapsuleTool3D)
    hand.drag((0, 0, 0), (0.1, 0, 0))
    hand.type("0.4")
    hand.hit(Qt.Key.Key_Return)
    made = hand.model["capsule_1"]
    assert made.shape.radius == pytest.approx(0.1) and made.shape.length == pytest.approx(0.4)
    assert made.position == pytest.approx((0.0, 0.0, 0.3))
