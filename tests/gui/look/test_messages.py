"""Messages over the stage: long ones are short until they are opened, and two are seen at a time."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from gui.look.messages import Messages
from gui.look.toasts import Toast

LONG = "The step is too long for the spring, whose fastest oscillation takes less than it. " * 6
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def stage(qtbot):
    """A board with messages over it."""
    board = QWidget()
    qtbot.addWidget(board)
    board.resize(940, 660)
    board.messages = Messages()
    board.messages.lie_over(board)
    board.show()
    qtbot.waitExposed(board)
    return board


def seen(messages):
    """The topics that are seen, from top to bottom."""
    QApplication.processEvents()
    shown = [(bar.y(), topic) for topic, bar in messages.bars.items() if bar.isVisible()]
    return [topic for _, topic in sorted(shown)]


@pytest.mark.parametrize("buttons", [(), (("Run again", lambda: None),)])
def test_a_long_message_takes_two_lines_until_it_is_opened(stage, buttons):
    bar = stage.messages.show_message("run", "problem", LONG, buttons)
    assert seen(stage.messages) == ["run"]
    line, least = bar.text.fontMetrics().lineSpacing(), stage.messages.height()
    assert bar.text.height() <= 3 * line and bar.text.text().endswith("…")
    assert bar.sentence == LONG and LONG.strip() in bar.text.toolTip()
    QTest.mouseClick(bar.more, LEFT)
    assert seen(stage.messages) == ["run"]
    assert bar.text.text() == LONG and bar.text.height() >= 5 * line and not bar.more.isVisible()
    assert least + 3 * line < stage.messages.height() < stage.height()


def test_a_short_message_is_whole_in_one_line(stage):
    bar = stage.messages.show_message("run", "notice", "There are 4 closed poses.")
    assert seen(stage.messages) == ["run"] and not bar.more.isVisible()
    assert bar.text.text() == "There are 4 closed poses." and bar.height() <= 38


def test_two_messages_are_seen_the_gravest_and_newest_first(stage):
    messages = stage.messages
    for topic, kind in (("a", "notice"), ("b", "warning"), ("c", "problem"), ("d", "warning")):
        messages.show_message(topic, kind, f"This is {topic}.")
    assert seen(messages) == ["c", "d"] and messages.others.text() == "2 more"
    QTest.mouseClick(messages.others, LEFT)
    assert seen(messages) == ["c", "d", "b", "a"] and not messages.others.isVisible()
    messages.clear("c")
    messages.clear("d")
    assert seen(messages) == ["b", "a"]
    messages.show_message("e", "problem", "This is e.")
    assert seen(messages) == ["e", "b"] and messages.others.text() == "1 more"


def test_every_toast_has_the_same_colours(stage):
    toast = Toast(stage)
    toast.say("Back to the design pose.")
    stage.grab()
    first = toast.styleSheet()
    toast.say("Saved.")
    assert toast.styleSheet() == first


def test_a_sentence_of_two_topics_is_said_once_by_the_bar_that_offers_most(stage):
    messages = stage.messages
    messages.show_message("run", "problem", "It cannot be closed.")
    messages.show_message("gap", "problem", "It cannot be closed.", [("Undo", lambda: None)])
    assert seen(messages) == ["gap"] and not messages.others.isVisible()
    messages.show_message("file", "notice", "It is saved.")
    assert seen(messages) == ["gap", "file"] and not messages.others.isVisible()
    messages.clear("gap")  # the other topic still holds
    assert seen(messages) == ["run", "file"]
    assert messages.sentence("run") == "It cannot be closed."
