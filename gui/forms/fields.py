"""What all editors of a form share, and those of a choice: each shows a value and emits what is meant."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from gui.look.still import StillComboBox

SEVERAL = "several"
Choice = tuple[str | None, str] | tuple[str | None, str, str]  # value, words and perhaps help
ROOM = 28  # px beside the text of an open list, for its scroll bar


def tr(text: str) -> str:
    """A text of the forms in the language of the user."""
    return QCoreApplication.translate("Forms", text)


class Field(QWidget):
    """An editor with room for a message beneath it."""

    meant = Signal(object)  # a value the user wants the field to have
    is_wide = False  # takes a row of its own beneath its label

    def __init__(self) -> None:
        super().__init__()
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(2)
        self._note: QLabel | None = None  # most fields never need one

    def put_editor(self, editor: QWidget) -> None:
        """Lay out the editor; once."""
        self.column.addWidget(editor)
        self.setFocusProxy(editor)

    @property
    def note(self) -> QLabel:
        """The sentence beneath the editor."""
        if self._note is None:
            self._note = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
            self._note.hide()
            policy = QSizePolicy.Policy
            self._note.setSizePolicy(policy.Ignored, policy.MinimumExpanding)
            self.column.addWidget(self._note)
        return self._note

    def show_value(self, value: Any, mixed: bool, computed: str = "") -> None:
        """Show a value, or that several differ; `computed` is the value found by the program."""
        raise NotImplementedError

    def context(self) -> Any:
        """What else the editor depends on; a change of it causes a refresh too."""
        return None

    def forget(self) -> None:
        """Give up what was typed, because another element is shown."""

    def say(self, sentence: str, role: str = "quiet") -> None:
        """Show a sentence beneath the editor, or none."""
        if not sentence and self._note is None:
            return
        self.note.setMinimumHeight(0)
        if not sentence and self._is_under_mouse():  # nothing below may move under the mouse
            self.note.setMinimumHeight(self.note.height())
        self.note.setText(sentence)
        self.note.setVisible(bool(sentence) or self.note.minimumHeight() > 0)
        if self.note.property("role") != role:
            self.note.setProperty("role", role)
            repolish(self.note)

    @property
    def is_wrong(self) -> bool:
        """Whether the text cannot be accepted."""
        note = self._note
        return note is not None and bool(note.text()) and note.property("role") == "wrong"

    def _is_under_mouse(self) -> bool:
        """Whether a sentence is shown that has fields below it which the mouse may be about to click."""
        if self._note is None or self._note.isHidden():
            return False
        seen = self.parentWidget()
        while seen is not None and not isinstance(seen, QScrollArea):
            seen = seen.parentWidget()
        return seen is not None and seen.underMouse()

    def close_room(self) -> None:
        """Give up the room of a sentence that is gone; changes the layout."""
        if self._note is not None and not self._note.text():
            self._note.setMinimumHeight(0)
            self._note.hide()


class ChoiceField(Field):
    """A choice of a few values."""

    def __init__(self, choices: Sequence[Choice]) -> None:
        super().__init__()
        self.box = StillComboBox()
        self.box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.put_editor(self.box)
        self.set_choices(choices)
        self.box.activated.connect(lambda _: self.meant.emit(self.box.currentData()))

    def set_choices(self, choices: Sequence[Choice]) -> None:
        """Offer these values with their words and help; None is a heading. Changes the list."""
        self.box.clear()
        fill_choices(self.box, choices)

    def show_value(self, value: Any, mixed: bool, computed: str = "") -> None:
        """Choose a value; one that is not listed is shown as it is."""
        at = -1 if mixed else self.box.findData(value)
        self.box.setCurrentIndex(at)
        self.box.setPlaceholderText(tr(SEVERAL) if mixed else str(value))
        if help_words := self.box.itemData(at, Qt.ItemDataRole.ToolTipRole):
            self.box.setToolTip(f"<b>{self.box.currentText()}</b><br/>{help_words}")


class FlagField(Field):
    """Yes or no."""

    def __init__(self, words: str) -> None:
        super().__init__()
        self.box = QCheckBox(words)
        self.put_editor(self.box)
        self.box.clicked.connect(lambda on: self.meant.emit(bool(on)))

    def show_value(self, value: Any, mixed: bool, computed: str = "") -> None:
        """Check the box, or half of it."""
        self.box.setTristate(mixed)
        half, on = Qt.CheckState.PartiallyChecked, Qt.CheckState.Checked
        self.box.setCheckState(half if mixed else on if value else Qt.CheckState.Unchecked)


def fill_choices(box: QComboBox, choices: Sequence[Choice]) -> None:
    """Append values with their words and help; a line whose value is None is a heading."""
    for at, (value, words, *help_words) in enumerate(choices, box.count()):
        box.addItem(words, value)
        if help_words:
            box.setItemData(at, help_words[0], Qt.ItemDataRole.ToolTipRole)
        items = box.model()
        if value is None and isinstance(items, QStandardItemModel):
            items.item(at).setFlags(Qt.ItemFlag.NoItemFlags)
            font = box.font()
            font.setBold(True)
            box.setItemData(at, font, Qt.ItemDataRole.FontRole)
    box.view().setMinimumWidth(box.view().sizeHintForColumn(0) + ROOM)  # no text is cut off


def repolish(widget: QWidget) -> None:
    """Let the style sheet see a changed property."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)
