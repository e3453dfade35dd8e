"""The list of runs: what it says, and what can be done with a run."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from engine.model.elements import put
from gui.running.differences import differences
from gui.running.runs import RunsPanel
from gui.running.simulator import Simulator
from gui.running.values import Values
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


def test_the_card_of_a_run_tells_what_was_changed_since_the_one_before(qtbot, panel):
    solve(qtbot, panel)
    assert "Since" not in panel.cards[0].details.text()
    model = panel.document.model
    body = model.of("body")[0]
    shape = replace(body.shape, length=0.75)
    longer = put(model, replace(body, shape=shape, position=(0.3, 0.0)))
    panel.document.edit("Longer", longer)
    solve(qtbot, panel)
    words = panel.cards[0].details.text().splitlines()
    was = Values().said(body.shape.length, "m")
    assert words[:2] == ["Since Run 1:", f"{body.label}, Length: {was} \u2192 0.75 m"]
    slower = replace(longer, gravity=(0.0, -1.62))
    panel.document.edit("Moon", replace(slower, settings=replace(slower.settings, step=2e-3)))
    solve(qtbot, panel)
    words = panel.cards[0].details.text().splitlines()
    assert words[0] == "Since Run 2:"
    assert words[1].endswith("0.001 s \u2192 0.002 s") and words[2].startswith("Gravity")
    solve(qtbot, panel)
    assert panel.cards[0].details.text().startswith("As Run 3")


def test_differences_name_what_came_and_went_and_places_only_where_nothing_else_changed():
    one, two = pendulum(), double_pendulum()
    body = one.of("body")[0]
    turned = put(one, replace(body, position=(0.1, 0.2)))
    told = differences(one, turned, Values(), str)
    assert len(told) == 1 and told[0].startswith(body.label) and told[0].endswith("(0.1, 0.2) m")
    assert differences(one, one, Values(), str) == []
    new = [element for element in two if element.id not in one.elements]
    told = differences(one, two, Values(), str, most=99)
    for element in new:
        if element.family in ("body", "joint"):
            assert f"{element.label} is new" in told
    backwards = differences(two, one, Values(), str, most=99)
    assert [line for line in backwards if line.endswith("is gone")]
    assert differences(one, two, Values(), str, most=1)[-1] == f"and {len(told) - 1} more"


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
