"""The gear pair of the gallery, built from an empty window by mouse, keys and forms, and run."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from engine.compiling.checks import problems
from tests.example_runs import ran
from tests.gui.form_hand import FormHand
from tests.gui.stage_hand import StageHand

ENTER, ESCAPE = Qt.Key.Key_Return, Qt.Key.Key_Escape
SHIFT = Qt.KeyboardModifier.ShiftModifier


class Builder(FormHand, StageHand):
    """A hand that also fills in the properties of what is selected."""

    def __init__(self, window, qtbot):
        super().__init__(window)
        self.qtbot = qtbot


def draw_gears(hand):
    """Two discs of PLA on pins, a gear between the pins with its teeth in contact, and a torque."""
    hand.look_at(0.04, 0.0, 0.25)
    hand.hit(Qt.Key.Key_O)
    hand.press(0.0, 0.0)
    hand.move(0.02, 0.02, buttons=Qt.MouseButton.LeftButton)
    hand.type("0.054")
    hand.hit(ENTER)
    hand.fill(density="1250", shape__thickness="0.013")
    hand.hit(Qt.Key.Key_O)
    hand.press(0.081, 0.0)
    hand.move(0.09, 0.01, buttons=Qt.MouseButton.LeftButton)
    hand.type("0.027")
    hand.hit(ENTER)
    hand.fill(position=("0.081", "0"), density="1250", shape__thickness="0.013")
    hand.hit(Qt.Key.Key_R)
    hand.click(0.0, 0.0)
    hand.hit(Qt.Key.Key_R)
    hand.click(0.081, 0.0)
    hand.hit(Qt.Key.Key_G, SHIFT)
    hand.click(0.0, 0.0)
    hand.click(0.081, 0.0)


@pytest.fixture
def hand(window, qtbot):
    """A hand at an empty window."""
    window.resize(1400, 900)
    QApplication.processEvents()
    return Builder(window, qtbot)


def give_teeth(hand):
    """Teeth in contact that rub, a torque on the first wheel, and how long to run."""
    hand.fill(teeth="contact")
    hand.fill(teeth_1="80", module="1.35e-3", stiffness="3.1e6", damping="60")
    hand.fill(friction="velocity", mu_static="0.3", mu_dynamic="0.1")
    hand.hit(Qt.Key.Key_F, SHIFT)
    hand.press(-0.03, 0.02)
    hand.move(-0.03, 0.03, buttons=Qt.MouseButton.LeftButton)
    hand.type("0.1")
    hand.hit(ENTER)
    hand.hit(ESCAPE, times=3)
    hand.fill(model__gravity=("0", "0"), settings__t_end="0.1", settings__output_step="2e-4")
    hand.fill(settings__method="dop853")


def test_gears_drawn_by_mouse_run_as_those_of_the_gallery(hand, qtbot):
    draw_gears(hand)
    give_teeth(hand)
    window = hand.window
    assert problems(window.document.model) == []
    hand.hit(Qt.Key.Key_Space)
    playback = window.playback
    qtbot.waitUntil(lambda: playback.results is not None and playback.results.ending is not None)
    hand.hit(Qt.Key.Key_Space)
    found, known = playback.results, ran("pla_gear_pair")
    assert found.ending.reason == "done"
    for n, speed in ((1, 36.786), (2, -73.572)):  # of the study
        w = found[f"disc_{n}.angular_velocity"]
        assert w[-1] == pytest.approx(speed, abs=0.02)
        np.testing.assert_allclose(w, known[f"gear_{n}.angular_velocity"], atol=1e-6)
    mean = np.trapezoid(found["gear_1.normal_force"], found.t) / 0.1
    expected = np.trapezoid(known["mesh.normal_force"], known.t) / 0.1
    assert mean == pytest.approx(expected, rel=1e-6)
