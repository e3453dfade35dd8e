"""The stage has the keyboard unless somebody types: real keys at the real window."""

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMessageBox

from engine.editing.builder import Mechanism
from gui.state.key_table import NO_COMMAND, TABLE, rows_in_words
from tests.gui.stage_hand import StageHand

CONTROL = Qt.KeyboardModifier.ControlModifier
KEY = Qt.Key


def pendulum():
    """A rod on a pin."""
    m = Mechanism("Pendulum")
    rod = m.rod((0, 0), (1, 0), mass=1)
    m.revolute("ground", rod, at=(0, 0))
    return m.model


class Fingers:
    """Types at a window: whoever has the focus gets the keys."""

    def __init__(self, window):
        self.window = window

    def hit(self, key, held=Qt.KeyboardModifier.NoModifier):
        """Press a key."""
        QTest.keyClick(self.window.windowHandle(), key, held)
        QApplication.processEvents()

    def type(self, text):
        """Type characters."""
        for character in text:
            self.hit(character)

    def click(self, widget, at=None):
        """Click into a widget."""
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=at or widget.rect().center())
        QApplication.processEvents()

    def field(self, name):
        """The field of a form by its name."""
        self.window.properties.bring_up_to_date()
        rows = self.window.properties.form.rows
        return next(row.field for row in rows if row.field.objectName() == name)

    @property
    def focus(self):
        """Who has the keyboard."""
        return QApplication.focusWidget()


@pytest.fixture
def fingers(window):
    """Fingers at a window that shows a pendulum."""
    window.document.new(pendulum())
    return Fingers(window)


def is_running(window):
    """Whether time is running now; a short run may have ended before anybody asks."""
    return window.transport.is_playing


def plays(window, action):
    """Whether an action makes time run, even if the run is over when the action returns."""
    changes = []
    window.transport.playing_changed.connect(changes.append)
    action()
    return changes[:1] == [True]


def test_enter_takes_the_value_and_space_then_plays(qtbot, window, fingers):
    line = fingers.field("settings.t_end").line
    fingers.click(line)
    line.selectAll()
    fingers.type("0.03")
    assert fingers.focus is line
    fingers.hit(KEY.Key_Return)
    assert window.document.model.settings.t_end == 0.03 and fingers.focus is window.stage
    assert plays(window, lambda: fingers.hit(KEY.Key_Space))
    qtbot.waitUntil(lambda: window.simulator.state == "idle")


def test_escape_restores_the_value_and_space_then_plays(qtbot, window, fingers):
    line = fingers.field("settings.t_end").line
    before = line.text()
    fingers.click(line)
    fingers.type("77")
    fingers.hit(KEY.Key_Escape)
    assert fingers.focus is window.stage and line.text() == before
    assert window.document.model.settings.t_end == float(before)
    assert plays(window, lambda: fingers.hit(KEY.Key_Space))
    window.simulator.cancel()
    qtbot.waitUntil(lambda: window.simulator.state == "idle")


def test_undo_in_an_untouched_field_undoes_the_model_and_in_a_changed_one_its_text(window, fingers):
    line = fingers.field("settings.t_end").line
    fingers.click(line)
    line.selectAll()
    fingers.type("3")
    fingers.hit(KEY.Key_Return)
    fingers.click(line)
    fingers.type("4")
    fingers.hit(KEY.Key_Z, CONTROL)
    assert line.text() == "3" and window.document.model.settings.t_end == 3.0
    fingers.hit(KEY.Key_Escape)
    fingers.click(line)
    fingers.hit(KEY.Key_Z, CONTROL)
    assert window.document.model.settings.t_end == 10.0


def test_a_refused_text_keeps_the_keyboard_and_is_red(window, fingers):
    line = fingers.field("settings.t_end").line
    fingers.click(line)
    line.selectAll()
    fingers.type("x y")
    fingers.hit(KEY.Key_Return)
    assert fingers.focus is line and line.property("wrong") and line.text() == "x y"
    fingers.hit(KEY.Key_Escape)
    assert fingers.focus is window.stage and not line.property("wrong")


@pytest.mark.parametrize("closing", [KEY.Key_Return, KEY.Key_Escape])
def test_a_closed_list_returns_the_keyboard_to_the_stage(window, fingers, closing):
    box = fingers.field("settings.method").box
    box.setFocus()
    fingers.hit(KEY.Key_Space)
    assert QApplication.activePopupWidget() is not None and not is_running(window)
    for key in (KEY.Key_Down, closing):
        QTest.keyClick(box.view(), key)
    QApplication.processEvents()
    assert fingers.focus is window.stage
    fingers.hit("l")
    assert window.stage.tool is window.strip.tools["link"]


def test_after_new_a_letter_takes_a_tool_and_is_no_text(window, fingers, monkeypatch):
    monkeypatch.setattr(QMessageBox, "exec", lambda box: QMessageBox.StandardButton.Discard)
    fingers.click(fingers.field("model.name").line)
    fingers.type("swing")
    fingers.hit(KEY.Key_N, CONTROL)
    assert fingers.focus is window.stage
    fingers.hit("o")
    assert window.stage.tool is window.strip.tools["disc"] and window.document.model.name == ""
    assert fingers.field("model.name").line.text() == ""


def test_a_command_works_on_what_was_typed(window, fingers, monkeypatch):
    asked = []
    monkeypatch.setattr(window.files, "may_leave", lambda: asked.append(window.document.model))
    fingers.click(fingers.field("model.name").line)
    fingers.type("swing")
    fingers.hit(KEY.Key_N, CONTROL)
    assert [model.name for model in asked] == ["Pendulumswing"]


def test_a_click_on_play_runs_what_was_typed(qtbot, window, fingers):
    line = fingers.field("settings.t_end").line
    fingers.click(line)
    line.selectAll()
    fingers.type("0.02")
    button = next(
        b
        for b in window.transport.findChildren(type(window.transport.cancel_button))
        if b.defaultAction() is window.transport.play_action
    )
    fingers.click(button)
    qtbot.waitUntil(lambda: window.playback.current is not None)
    qtbot.waitUntil(lambda: window.simulator.state == "idle")
    assert window.playback.results.model.settings.t_end == 0.02
    assert fingers.focus is window.stage


def test_refused_text_does_not_outlive_its_document(window, fingers):
    line = fingers.field("settings.t_end").line
    fingers.click(line)
    line.selectAll()
    fingers.type("nonsense")
    fingers.hit(KEY.Key_Return)
    window.document.new(pendulum())
    window.properties.bring_up_to_date()
    line = fingers.field("settings.t_end").line
    assert line.text() == "10" and not line.property("wrong")
    assert window.document.undo_stack.count() == 0


def test_tab_goes_round_in_the_properties_and_no_letter_fires(window, fingers):
    window.stage.setFocus()
    fingers.hit(KEY.Key_Tab)
    first = fingers.focus
    assert first is fingers.field("model.name").line
    seen, model = [], window.document.model
    while fingers.focus not in seen:
        seen.append(fingers.focus)
        if isinstance(fingers.focus, QLineEdit):
            fingers.type("l")
            assert window.stage.tool is None and "l" in fingers.focus.text()
            fingers.focus.undo()
        fingers.hit(KEY.Key_Tab)
        assert window.properties.isAncestorOf(fingers.focus)
    assert fingers.focus is first and len(seen) > 6
    fingers.hit(KEY.Key_Backtab)
    assert fingers.focus is seen[-1]
    assert window.document.model is model


def test_several_lines_are_taken_by_control_and_enter(window, fingers):
    page = fingers.field("model.description").line
    fingers.click(page.viewport())
    fingers.type("a")
    fingers.hit(KEY.Key_Return)
    fingers.type("l")
    assert page.toPlainText() == "a\nl" and fingers.focus is page
    fingers.hit(KEY.Key_Return, CONTROL)
    assert window.document.model.description == "a\nl" and fingers.focus is window.stage


def test_escape_lets_go_of_gesture_tool_and_selection_in_turn(window, fingers):
    window.selection.set(["rod_1"])
    window.stage.setFocus()
    fingers.hit("l")
    window.selection.set(["rod_1"])
    fingers.hit(KEY.Key_Escape)
    assert window.stage.tool is None and window.selection.ids == ("rod_1",)
    fingers.hit(KEY.Key_Escape)
    assert window.selection.ids == ()


def test_what_is_hidden_with_the_keyboard_leaves_it_to_the_stage(window, fingers):
    fingers.click(fingers.field("settings.t_end").line)
    window.docks["properties"].hide()
    QApplication.processEvents()
    assert fingers.focus is window.stage


def test_buttons_of_messages_and_boxes_do_not_take_the_keyboard(window, fingers):
    bar = window.messages.show_message("gap", "problem", "Open.", [("Undo", lambda: None)])
    window.stage.setFocus()
    fingers.click(bar.buttons[0])
    assert fingers.focus is window.stage
    fingers.click(bar.cross)
    assert fingers.focus is window.stage
    window.selection.set(["rod_1"])
    fingers.click(fingers.field("fixed").box, QPoint(8, 8))
    assert window.document.model["rod_1"].fixed and fingers.focus is window.stage


def test_a_closed_dialog_returns_the_keyboard_to_the_stage(window, fingers):
    fingers.click(fingers.field("settings.t_end").line)
    QTimer.singleShot(100, lambda: QApplication.activeModalWidget().reject())
    window.commands["about"].trigger()
    assert window.focusWidget() is window.stage


def test_a_message_moves_nothing_on_the_stage(window, fingers):
    window.files.new()
    hand = StageHand(window)
    camera, size = window.stage.camera.state, window.stage.size()
    fingers.hit(KEY.Key_Space)
    window.messages.show_message("run", "problem", "There is nothing that moves.")
    QApplication.processEvents()
    assert window.stage.size() == size and window.messages.isVisible()
    fingers.hit("b")
    hand.drag((-0.2, -0.05), (0.2, 0.05))
    window.messages.clear("run")
    QApplication.processEvents()
    assert len(window.document.model.of("body")) == 1
    assert (window.stage.camera.state, window.stage.size()) == (camera, size)


def test_a_resize_keeps_every_point_at_its_place_on_the_screen(window, fingers):
    stage = window.stage
    stage.zoom(0.3)  # so that nothing is hidden afterwards
    stage.grab()
    before = stage.viewport().mapTo(window, stage.to_pixels(0.5, 0.1).toPoint())
    width = stage.width()
    window.docks["properties"].hide()
    window.docks["plots"].hide()
    QApplication.processEvents()
    assert stage.width() > width
    after = stage.viewport().mapTo(window, stage.to_pixels(0.5, 0.1).toPoint())
    assert (after - before).manhattanLength() <= 2  # two roundings to pixels


def test_a_sentence_that_goes_moves_no_field_under_the_mouse(qtbot, window, fingers):
    field = fingers.field("settings.t_end")
    fields = [row.field for row in window.properties.form.rows]
    below, area = fields[fields.index(field) + 1], window.properties.scroll_area

    def height():
        QApplication.processEvents()
        return below.mapTo(area, QPoint(0, 0)).y()

    first = height()
    area.setAttribute(Qt.WidgetAttribute.WA_UnderMouse)
    fingers.click(field.line)
    fingers.type("x")
    qtbot.waitUntil(lambda: height() > first)
    low = height()
    fingers.hit(KEY.Key_Escape)
    for _ in range(5):
        assert height() == low
    area.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, False)
    QApplication.sendEvent(window.properties, QEvent(QEvent.Type.Leave))
    qtbot.waitUntil(lambda: height() == first)


def test_enter_in_the_tree_edits_a_name_and_returns_to_the_stage(window, fingers):
    window.selection.set(["rod_1"])
    window.show_panel("tree")
    window.tree.setFocus()
    fingers.hit(KEY.Key_Return)
    assert isinstance(fingers.focus, QLineEdit) and window.tree.isAncestorOf(fingers.focus)
    fingers.focus.selectAll()
    fingers.type("bob")
    fingers.hit(KEY.Key_Return)
    assert window.document.model["rod_1"].name == "bob" and fingers.focus is window.stage


def test_the_map_of_keys_shows_the_table(window, fingers):
    fingers.hit(KEY.Key_F1)
    shown = {rows for _, found in window.keys.groups for rows in found}
    assert set(rows_in_words("stage", NO_COMMAND)) | set(rows_in_words("field")) <= shown
    assert len(rows_in_words("field")) == len(TABLE)
    fingers.hit("l")
    assert fingers.focus is window.stage and window.stage.tool is None


def test_the_key_of_an_export_tells_why_it_cannot_be_used_yet(window):
    window.document.new(pendulum())
    Fingers(window).hit(KEY.Key_E, CONTROL)
    assert QApplication.activeModalWidget() is None
    assert window.toaster.isVisible() and "no run yet" in window.toaster.text.text()
