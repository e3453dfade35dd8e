"""The knee of the gallery, built in an empty room by mouse, keys and forms, and run."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from engine.compiling.checks import problems
from engine.studies.archard import sides_of, wear
from tests.example_runs import model_of_file, ran
from tests.gui.knee_drawing import KneeHand, draw_knee


@pytest.fixture
def hand(window, qtbot):
    """A hand at an empty room."""
    window.resize(1400, 900)
    window.commands["new_space"].trigger()
    QApplication.processEvents()
    hand = KneeHand(window, qtbot)
    hand.stage.setFocus()
    return hand


def test_a_knee_drawn_by_mouse_bends_as_that_of_the_gallery(hand, qtbot):
    draw_knee(hand, model_of_file("knee_in_a_squat"))
    model, playback = hand.window.document.model, hand.window.playback
    assert problems(model) == []
    hand.hit(Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: playback.results is not None and playback.results.ending is not None)
    hand.hit(Qt.Key.Key_Space)
    found, known = playback.results, ran("knee_in_a_squat")
    assert found.ending.reason == "done" and len(found) == len(known)
    for drawn, name in (("contact_1", "medial"), ("contact_2", "lateral")):
        assert model[drawn].label == name
        for part, most in (("normal_force", 3500.0), ("sliding_speed", 0.08)):
            # two runs of the method at its tolerance; places are typed with twelve digits
            ours, theirs = found[f"{drawn}.{part}"], known[f"{name}.{part}"]
            np.testing.assert_allclose(ours, theirs, atol=1e-4 * most)
    bends = np.degrees(found["cable_1.wrapped"])
    assert bends.max() - bends.min() > 95.0  # 100 degrees of flexion, less what the ends turn
    assert sides_of(model, ("contact_1", "contact_2")) == ("medial", "lateral")
    worn, same = wear(found, by_friction=True), wear(known, coefficient=1.3e-15, by_friction=True)
    np.testing.assert_allclose(worn.worn, same.worn, rtol=1e-4, atol=1e-20)
