"""The list of runs: what it says, and what can be done with a run."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from gui.running.runs import RunsPanel
from gui.running.simulator import Simulator
from gui.state.document import Document
from gui.state.playback import Playback
from tests.run_models import double_pendulum, lasting, pendulum

PATIENCE = 240_000  # ms: the first test of a fresh machine waits for the kernels to compile


@pytest.fixture
def panel(qtbot):
    """A list of runs beside a pendulum."""
    document, playback = Document(), Playback()
    document.new(pendulum())
    simulator = Simulator(document, playback)
    runs = RunsPanel(playback, document, simulator)
    qtbot.addWidget(runs)
    runs.resize(260, 400)
    runs.show()
    qtbot.waitExposed(runs)
    qtbot.waitUntil(lambda: simulator.state == "idle", timeout=PATIENCE)
    yield runs
    simulator.shutdown()


def solve(qtbot, panel, times=1):
    """Run the open model to its end."""
    for _ in range(times):
        panel.simulator.run()
        qtbot.waitUntil(lambda: panel.simulator.state == "idle", timeout=PATIENCE)
        record = panel.playback.current
        qtbot.waitUntil(lambda record=record: record.quality is not None, timeout=PATIENCE)


def test_an_empty_list_says_what_to_do(panel):
    assert panel.empty.isVisible() and "Space" in panel.empty.text() and not panel.cards


def test_a_run_tells_settings_statistics_and_quality(qtbot, panel):
    solve(qtbot, panel)
    words = panel.cards[0].details.text()
    assert panel.cards[0].title.text() == "Run 1: RK4, h = 1 ms"
    assert "2 s, 201 frames, projection" in words
    assert "2000 steps, 8000 evaluations" in words
    assert "energy error" in words and "gap at most" in words
    assert not panel.empty.isVisible() and not panel.cards[0].ending.isVisible()


def test_a_cancelled_run_says_how_far_it_came(qtbot, panel):
    panel.document.new(lasting(pendulum(), 9000.0))
    panel.simulator.run()
    qtbot.waitUntil(lambda: panel.playback.t_last > 1.0, timeout=PATIENCE)
    panel.simulator.cancel()
    assert "of 9000 s" in panel.cards[0].details.text()
    assert "stopped before its end" in panel.cards[0].ending.text()


def test_ghosts_are_hidden_renamed_and_removed(qtbot, panel):
    solve(qtbot, panel, 2)
    current, ghost = panel.cards
    assert current.is_current and not current.eye.isVisible() and ghost.eye.isVisible()
    qtbot.mouseClick(ghost.eye, Qt.MouseButton.LeftButton)
    assert not ghost.record.is_shown
    ghost.edit_name()
    ghost.field.clear()
    QTest.keyClicks(ghost.field, "Before the change")
    QTest.keyClick(ghost.field, Qt.Key.Key_Return)
    assert ghost.record.title == "Before the change" == ghost.title.text()
    qtbot.mouseClick(ghost.bin, Qt.MouseButton.LeftButton)
    assert [card.record for card in panel.cards] == [current.record]


def test_a_double_click_makes_an_earlier_run_current(qtbot, panel):
    solve(qtbot, panel, 2)
    first = panel.cards[1].record
    qtbot.mouseDClick(panel.cards[1], Qt.MouseButton.LeftButton)
    assert panel.playback.current is first
    assert [card.record.number for card in panel.cards] == [1, 2]


def test_a_run_of_another_model_brings_its_model_back_as_one_edit(qtbot, panel):
    solve(qtbot, panel)
    first = panel.playback.current
    panel.document.edit("Another", double_pendulum())
    assert panel.playback.current is None
    panel.make_current(first)
    assert panel.document.model is first.results.model and panel.playback.current is first
    panel.document.undo_stack.undo()
    assert panel.document.model is not first.results.model and panel.playback.current is None


def test_removing_a_run_that_goes_on_stops_it(qtbot, panel):
    panel.document.new(lasting(pendulum(), 9000.0))
    panel.simulator.run()
    qtbot.waitUntil(lambda: panel.playback.t_last > 1.0, timeout=PATIENCE)
    qtbot.mouseClick(panel.cards[0].bin, Qt.MouseButton.LeftButton)
    assert panel.simulator.state == "idle" and panel.playback.current is None
    assert panel.empty.isVisible()


def test_the_list_of_the_window_stops_a_run_that_is_removed(qtbot, window):
    window.document.new(lasting(pendulum(), 9000.0))
    window.simulator.run()
    qtbot.waitUntil(lambda: window.simulator.record is not None, timeout=PATIENCE)
    window.runs.remove(window.simulator.record)
    assert window.simulator.state == "idle" and window.playback.current is None
