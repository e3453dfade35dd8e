"""What people do at the window one after another, where a slip cost them their work or the view."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from assets import example_paths
from gui.layout.hint import LOW
from tests.gui.stage_hand import StageHand


def settle():
    """Let the window follow."""
    for _ in range(5):
        QApplication.processEvents()


@pytest.mark.parametrize("what", ["tree", "properties", "plots", "banner", "page"])
def test_what_opens_and_closes_moves_no_point_of_the_drawing(window, what):
    window.files.open_path(example_paths()["four_bar"])
    stage = window.stage
    stage.zoom(0.1)  # so that nothing is hidden
    settle()
    stage.grab()

    def seen():
        settle()
        places = [stage.to_pixels(*p).toPoint() for p in ((0.0, 0.0), (3.0, 1.0))]
        return [stage.viewport().mapTo(window, at) for at in places]

    before = seen()
    if what == "banner":
        window.messages.show_message("file", "problem", "Something is wrong.")
    elif what == "plots":
        window.plots.add_energy_bars()
        window.show_panel("plots")
    elif what == "page":
        window.commands["energy_bars"].trigger()
    else:
        window.panels[what].hide()
        settle()
        window.show_panel(what)
    after = seen()
    moved = max((a - b).manhattanLength() for a, b in zip(after, before))
    assert moved <= 2  # two roundings to pixels
    if what == "banner":
        window.messages.clear("file")
    else:
        window.panels["energy_bars" if what == "page" else what].put_away()
    moved = max((a - b).manhattanLength() for a, b in zip(seen(), before))
    assert moved <= 3


def test_a_drawer_and_its_button_say_the_same(window):
    for name, button in window.rail.drawers.items():
        window.show_panel(name)
        assert button.isChecked()
        window.panels[name].title.close_button.click()
        assert not button.isChecked()


def test_the_hint_lets_the_mouse_through_and_is_whole(window):
    window.resize(960, 508)
    settle()
    hint = window.hint
    middle = hint.mapTo(window.stages, QPoint(hint.width() // 2, hint.height() // 2))
    child = window.stages.childAt(middle)
    assert child is not hint and window.stages.rect().contains(hint.geometry())
    assert hint.heightForWidth(hint.width()) <= hint.height() or not hint.wordWrap()
    line = hint.fontMetrics().lineSpacing()
    for width in (960, 880, 820):  # wide drawers leave little of a small screen to the stage
        window.resize(width, 508)
        settle()
        hint.say(
            "Click selects, Shift adds. Drag moves. Alt+drag turns a body, or moves a joint on it."
        )
        assert hint.height() < 3 * line and window.stages.rect().contains(hint.geometry())


def test_the_hint_of_selecting_leaves_a_low_stage_to_the_drawing(window):
    window.files.open_path(example_paths()["four_bar"])
    window.resize(960, 508)
    settle()
    assert window.hint.isVisible()
    window.show_panel("plots")
    settle()
    assert window.stages.height() < LOW and not window.hint.isVisible()
    window.strip.take("link")
    settle()
    assert window.hint.isVisible() and window.hint.text()  # here it tells what to do
    window.strip.take("select")
    window.panels["plots"].put_away()
    settle()
    assert window.hint.isVisible()


def test_a_tool_is_used_once_and_its_letter_pressed_twice_keeps_it(qtbot, window):
    window.files.new()
    hand = StageHand(window)
    for times, name in ((1, None), (2, "box")):
        hand.hit("b", times=times)
        assert window.stage.tool.name == "box"
        for k in range(times):
            hand.drag((-0.4 + 0.5 * k, -0.1), (-0.2 + 0.5 * k, 0.1))
        settle()
        assert (window.stage.tool.name if window.stage.tool else None) == name
    assert len(window.document.model.of("body")) == 3
    hand.hit(Qt.Key.Key_Escape)
    assert window.stage.tool is None and window.strip.actions_["select"].isChecked()
    hand.hit("b")
    hand.drag((-0.4, 0.3), (-0.2, 0.5))  # once again after it was kept
    settle()
    assert window.stage.tool is None


def test_a_double_click_on_its_group_keeps_a_tool(window):
    window.files.new()
    hand, button = StageHand(window), window.rail.button_of("box")
    window.strip.take("box")
    window.strip.take("select")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    QTest.mouseDClick(button, Qt.MouseButton.LeftButton)
    QTest.mouseRelease(button, Qt.MouseButton.LeftButton)
    assert window.stage.tool.name == "box"
    hand.drag((-0.4, -0.1), (-0.2, 0.1))
    settle()
    assert window.stage.tool.name == "box"


def test_a_gesture_that_is_given_up_keeps_its_tool(window):
    window.files.new()
    hand = StageHand(window)
    hand.hit("l")
    hand.click(0, 0)
    hand.hit(Qt.Key.Key_Escape)
    settle()
    assert window.stage.tool.name == "link"


def test_a_click_with_the_next_tool_at_the_same_place_is_not_lost_as_a_double_click(window):
    window.files.new()
    hand = StageHand(window)
    hand.hit("l")
    hand.click(0, 0)
    hand.click(0.4, 0)
    settle()
    stage, board = window.stage, window.stage.viewport()
    at = hand.pixel(0, 0)
    hand.hit("r")
    QTest.mouseClick(board, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    settle()
    hand.hit("m")
    assert stage.tool.name == "motor"
    QTest.mouseDClick(board, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    settle()
    hand.choose(0)
    assert [e.kind for e in window.document.model.of("motion")] == ["motion"]


def test_a_drawer_that_would_hide_the_mount_of_a_pin_widens_the_view(window, qtbot):
    window.files.new()
    hand = StageHand(window)
    hand.hit("l")
    hand.click(0, 0)
    hand.click(0.4, 0.3)
    hand.hit("r")
    hand.click(0, 0)
    window.plots.add_energy_bars()
    window.show_panel("plots")
    settle()
    low = window.stage.viewport().height()
    window.panels["plots"].hide()
    settle()
    stage = window.stage
    _, _, scale = stage.camera.state
    away = low - 12.0 - stage.viewport().height() / 2.0  # 12 pixels above the edge to come
    stage.camera.set_state(0.0, away / scale, scale)
    stage.zoom(1.0)
    settle()
    window.show_panel("plots")
    qtbot.waitUntil(lambda: stage.to_pixels(0.0, 0.0).y() <= stage.viewport().height() - 24.0)
