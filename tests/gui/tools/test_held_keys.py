"""Shift, Ctrl and Alt change what a tool shows at once, without a move of the mouse."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from engine.editing.builder import Mechanism
from tests.gui.stage_hand import StageHand

ALT, SHIFT, CTRL = Qt.Key.Key_Alt, Qt.Key.Key_Shift, Qt.Key.Key_Control


@pytest.fixture
def hand(window):
    """A hand before two links with a pin between them."""
    m = Mechanism("Two links")
    first, second = m.rod((0, 0), (1, 0), name="first"), m.rod((1, 0), (2, 0), name="second")
    m.revolute(first, second, at=(1, 0))
    window.document.new(m.model)
    hand = StageHand(window)
    hand.look_at(1, 0, 4)
    hand.stage.setFocus()
    return hand


def hold(hand, key, down=True):
    """Press or release a key, while the mouse stays where it is."""
    (QTest.keyPress if down else QTest.keyRelease)(hand.stage, key)
    QApplication.processEvents()


def words(hand):
    """The labels of the preview."""
    return " ".join(label.text for label in hand.stage.active_tool.preview.labels)


def test_alt_tells_at_once_that_a_link_will_not_be_pinned(hand):
    hand.hit(Qt.Key.Key_L)
    hand.move(0.5, 0)
    assert words(hand) == "pin first" and hand.stage.active_tool.preview.filled
    hold(hand, ALT)
    assert words(hand) == "on top, not joined" and hand.stage.active_tool.preview.hollow
    hold(hand, ALT, False)
    assert words(hand) == "pin first"
    assert hand.stage.hasFocus()  # the menu bar has not taken Alt for itself


def test_shift_turns_a_slider_to_round_angles_at_once(hand):
    hand.hit(Qt.Key.Key_P)
    hand.press(0.5, 0)
    hand.move(1.0, 0.3, buttons=Qt.MouseButton.LeftButton)
    assert "∠ 30" in words(hand) and "∠ 30°" not in words(hand)
    hold(hand, SHIFT)
    assert "∠ 30°" in words(hand)
    hold(hand, SHIFT, False)
    assert "∠ 30" in words(hand) and "∠ 30°" not in words(hand)


def test_ctrl_lets_go_of_what_the_mouse_snapped_to(hand):
    hand.hit(Qt.Key.Key_B)
    hand.move(0.99, 0.02)
    assert hand.stage.active_tool.preview.rings == ((1.0, 0.0),)
    hold(hand, CTRL)
    assert hand.stage.active_tool.preview.rings == ()
    hold(hand, CTRL, False)
    assert hand.stage.active_tool.preview.rings == ((1.0, 0.0),)


def test_a_key_changes_nothing_while_the_mouse_is_elsewhere(hand):
    hand.hit(Qt.Key.Key_L)
    hold(hand, ALT)
    assert not words(hand)
