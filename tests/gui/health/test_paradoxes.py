"""Friction without a solution, or with two, as the window tells it: a banner or a mark."""

from dataclasses import replace

from PySide6.QtCore import Qt

from tests.engine.running.test_one_sided import foot
from tests.gui.conftest import PATIENCE


def ran_in(qtbot, window, model):
    """The model run in the window to its end."""
    window.document.new(replace(model, settings=replace(model.settings, t_end=0.05)))
    window.simulator.run()

    def is_over():
        results = window.playback.results
        return results is not None and results.ending is not None

    qtbot.waitUntil(is_over, timeout=PATIENCE)
    return window.playback.results


def test_a_friction_without_a_solution_is_a_banner_that_selects_it(qtbot, window):
    results = ran_in(qtbot, window, foot(2.0, 60.0, -1.0))
    assert results.ending.reason == "no solution"
    qtbot.waitUntil(lambda: bool(window.messages.sentence("run")), timeout=PATIENCE)
    sentence = window.messages.sentence("run")
    assert "no solution exists for 'foot'" in sentence and "Lower mu_dynamic" in sentence
    assert [kind for _, kind, _ in window.transport.time_line.marks()] == ["failed"]
    bar = window.messages.bars["run"]
    (button,) = (one for one in bar.buttons if "foot" in one.text())
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert tuple(window.selection.ids) == ("foot",)


def test_two_solutions_are_a_mark_whose_words_say_how_the_run_goes_on(qtbot, window):
    results = ran_in(qtbot, window, foot(2.0, 60.0, -1.0, spin=8.0))
    assert results.ending.reason == "done" and not window.messages.sentence("run")
    line = window.transport.time_line
    words = line.words_at(line.x_of(0.0))
    assert "Two solutions at t = 0 s" in words and "goes on with what lets go" in words
