"""What each key does, by who has the keyboard: the stage has it unless somebody types.

One table, read by the owner of the keyboard and shown by the map of keys.
"""

from collections.abc import Container
from enum import Enum
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from gui.look.translation import QT_TRANSLATE_NOOP

N = QT_TRANSLATE_NOOP


class Holder(Enum):
    """A kind of widget that can have the keyboard."""

    STAGE = "stage"
    FIELD = "field"  # one line of text
    PAGE = "page"  # several lines of text
    CHOICE = "choice"  # a combo box
    BUTTON = "button"  # a check box too
    SLIDER = "slider"
    LIST = "list"  # a tree or a table
    PLOT = "plot"
    OTHER = "other"


TYPED = (Holder.FIELD, Holder.PAGE)  # where text is typed
FORM = (*TYPED, Holder.CHOICE)


class Keys(Enum):
    """A group of keys that are treated alike."""

    TEXT = "text"
    SPACE = "space"
    ENTER = "enter"
    ESCAPE = "escape"
    TAB = "tab"
    ARROWS = "arrows"
    UNDO = "undo"
    DELETE = "delete"


class Row(NamedTuple):
    """What a group of keys does for each holder, and who keeps them from the commands of the window."""

    group: Keys
    keys: str  # as the map of keys writes them
    stage: str
    field: str
    lists: str
    plot: str
    kept_by: tuple[Holder, ...] = ()


PLAY = N("Keys", "Play and pause")
BACK = N("Keys", "Back to the stage")
TABLE: tuple[Row, ...] = (
    Row(
        Keys.TEXT,
        N("Keys", "Letters"),
        stage=N("Keys", "Tools; digits while drawing"),
        field=N("Keys", "Text, never a command"),
        lists=N("Keys", "Tools"),
        plot=N("Keys", "Tools"),
        kept_by=FORM,
    ),
    Row(
        Keys.SPACE,
        N("Keys", "Space"),
        stage=PLAY,
        field=N("Keys", "Text; presses a button"),
        lists=PLAY,
        plot=PLAY,
        kept_by=(*FORM, Holder.BUTTON),
    ),
    Row(
        Keys.ENTER,
        N("Keys", "Enter"),
        stage=N("Keys", "Ends a gesture"),
        field=N("Keys", "Takes it; Ctrl: a long text"),
        lists=N("Keys", "Edits the name"),
        plot="",
        kept_by=FORM,
    ),
    Row(
        Keys.ESCAPE,
        N("Keys", "Esc"),
        stage=N("Keys", "Gesture, tool, selection"),
        field=N("Keys", "Back to the old value"),
        lists=BACK,
        plot=BACK,
        kept_by=FORM,
    ),
    Row(
        Keys.TAB,
        N("Keys", "Tab"),
        stage=N("Keys", "Next number, first field"),
        field=N("Keys", "Next field, and round"),
        lists=N("Keys", "Next"),
        plot=N("Keys", "Next plot"),
    ),
    Row(
        Keys.ARROWS,
        N("Keys", "Arrows"),
        stage=N("Keys", "Nudge, else step in time"),
        field=N("Keys", "Cursor; move a slider"),
        lists=N("Keys", "Rows"),
        plot=N("Keys", "Step in time"),
        kept_by=(*FORM, Holder.SLIDER, Holder.LIST),
    ),
    Row(
        Keys.UNDO,
        N("Keys", "Ctrl+Z"),
        stage=N("Keys", "Undo in the model"),
        field=N("Keys", "Undo its text, else model"),
        lists=N("Keys", "Undo in the model"),
        plot=N("Keys", "Undo in the model"),
        kept_by=TYPED,  # while their text is changed
    ),
    Row(
        Keys.DELETE,
        N("Keys", "Del"),
        stage=N("Keys", "Delete the selection"),
        field=N("Keys", "Delete a character"),
        lists=N("Keys", "Delete the selection"),
        plot=N("Keys", "Remove the curve"),
        kept_by=(*FORM, Holder.PLOT),
    ),
)
NO_COMMAND = (Keys.ESCAPE, Keys.TAB, Keys.ARROWS)  # of the stage: the rest is listed as commands
KEPT = {row.group: frozenset(row.kept_by) for row in TABLE}

KEY_GROUPS: dict[int, Keys] = {
    **dict.fromkeys((Qt.Key.Key_Return, Qt.Key.Key_Enter), Keys.ENTER),
    **dict.fromkeys((Qt.Key.Key_Tab, Qt.Key.Key_Backtab), Keys.TAB),
    **dict.fromkeys((Qt.Key.Key_Delete, Qt.Key.Key_Backspace), Keys.DELETE),
    **dict.fromkeys((Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up), Keys.ARROWS),
    **dict.fromkeys((Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End), Keys.ARROWS),
    Qt.Key.Key_Space: Keys.SPACE,
    Qt.Key.Key_Escape: Keys.ESCAPE,
}
UNDOING = (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo)
COMMANDING = (
    Qt.KeyboardModifier.ControlModifier
    | Qt.KeyboardModifier.AltModifier
    | Qt.KeyboardModifier.MetaModifier
)


def group_of(event: QKeyEvent) -> Keys | None:
    """The group of the table that a key belongs to; None: it is a command or of no interest."""
    if any(event.matches(one) for one in UNDOING):
        return Keys.UNDO
    if event.modifiers() & COMMANDING:
        return None
    if found := KEY_GROUPS.get(event.key()):
        return found
    return Keys.TEXT if event.text() and event.text().isprintable() else None


def rows_in_words(column: str, groups: Container[Keys] = tuple(Keys)) -> list[tuple[str, str]]:
    """Keys and what they do for one column of the table, in the language of the user."""
    cells = [(row.keys, getattr(row, column)) for row in TABLE if row.group in groups]
    return [(_tr(keys), _tr(words)) for keys, words in cells if words]


def _tr(text: str) -> str:
    return QCoreApplication.translate("Keys", text)
