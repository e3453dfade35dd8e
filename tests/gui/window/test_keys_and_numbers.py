"""Every command is done by its key, and numbers are the same wherever they are read."""

import re

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from assets import example_paths
from tests.gui.stage_hand import StageHand
from tests.gui.stages.test_labels import LabelHand, four_bar
from tests.gui.window.test_finder import all_commands

KEY = Qt.Key


class Catcher(QObject):
    """Notes which actions are called by their keys, and keeps them from being done."""

    def __init__(self):
        super().__init__()
        self.caught = []

    def eventFilter(self, watched, event):
        """Take every call by a key."""
        if event.type() != QEvent.Type.Shortcut:
            return False
        self.caught.append((watched, event.isAmbiguous()))
        return True


def test_every_command_is_done_by_its_key_from_the_stage(window):
    window.files.open_path(example_paths()["four_bar"])
    actions = dict.fromkeys(action for action, _ in all_commands(window))
    catcher, done, enabled = Catcher(), set(), set()
    for action in actions:
        action.installEventFilter(catcher)
    for selected in ([], ["coupler"]):  # with a selection arrows nudge it, and more can be done
        window.selection.set(selected)
        QApplication.processEvents()
        for action in [action for action in actions if action.isEnabled()]:
            for keys in action.shortcuts():
                window.stage.setFocus()
                catcher.caught.clear()
                pressed = QKeySequence(keys)[0]
                QTest.keyClick(window.windowHandle(), pressed.key(), pressed.keyboardModifiers())
                assert catcher.caught in ([], [(action, False)]), keys.toString()
                enabled.add(keys.toString())
                done |= {keys.toString()} if catcher.caught else set()
    assert done == enabled and len(done) > 60


@pytest.mark.parametrize("unit", ["m", "cm"])
def test_an_impossible_length_has_one_gap_in_banner_and_strip(qtbot, window, unit):
    window.preferences.set("length_unit", unit)
    window.document.new(four_bar())
    hand = LabelHand(window)
    hand.show("coupler")
    hand.click("length")
    hand.type("5 m")
    hand.hit(KEY.Key_Return)
    qtbot.waitUntil(lambda: "gap" in window.messages.bars)
    bars = window.messages
    told = re.search(r"is (\S+ \S+) apart", bars.sentence("gap"))
    assert told is not None and window.health.text("gap") == f"gap {told[1]}"
    assert told[1].endswith(f" {unit}")
    assert window.health.state("gap") == "problem"
    hand.hit(KEY.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert not bars.sentence("gap")
    qtbot.waitUntil(lambda: window.health.text("gap") == "gap 0")


def test_a_box_drawn_about_the_origin_reads_zero(window):
    window.files.new()
    hand = StageHand(window)
    hand.hit("b")
    hand.drag((-0.2, -0.05), (0.2, 0.05))
    (body,) = window.document.model.of("body")
    assert max(map(abs, body.position)) < 1e-9
    window.selection.set([body.id])
    window.properties.bring_up_to_date()
    fields = {row.field.objectName(): row.field for row in window.properties.form.rows}
    assert [part.line.text() for part in fields["position"].parts] == ["0", "0"]
    assert fields["angle"].line.text() == "0"
