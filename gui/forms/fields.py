"""Editors of one value each: they show it, check what is typed, and emit it when it is committed."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent, QStandardItemModel
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from engine.errors import EngineError
from gui.look.buttons import icon_button
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


class Line(QLineEdit):
    """One line of text: Enter or leaving it commits it, Escape restores the old text."""

    meant = Signal()
    given_up = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.unit: QLabel | None = None
        self.setMinimumWidth(40)
        self.returnPressed.connect(self.meant)

    def set_unit(self, unit: str) -> None:
        """Show the unit at the right end."""
        if self.unit is None:
            if not unit:
                return
            self.unit = QLabel(self)
            self.unit.setProperty("role", "quiet")
            self.unit.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            self.unit.show()
        self.unit.setText(unit)
        self.unit.adjustSize()
        self.setTextMargins(0, 0, self.unit.width() + 4 if unit else 0, 0)
        self._place()

    def mark(self, wrong: bool) -> None:
        """Draw the frame red, or as usual."""
        if bool(self.property("wrong")) != wrong:
            self.setProperty("wrong", wrong)
            repolish(self)

    def _place(self) -> None:
        if self.unit is None:
            return
        height = self.unit.sizeHint().height()
        self.unit.move(self.width() - self.unit.width() - 7, (self.height() - height) // 2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the unit at the right end."""
        super().resizeEvent(event)
        self._place()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape gives up what was typed."""
        if event.key() == Qt.Key.Key_Escape:
            self.given_up.emit()
            self.selectAll()
            return
        super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """A field entered by Tab is ready to be typed over."""
        super().focusInEvent(event)
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self.selectAll()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Leaving a field commits its text."""
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.setCursorPosition(0)
            self.meant.emit()


class LineField(Field):
    """A line whose text is read by `read` and checked by `check`; both raise EngineError."""

    def __init__(
        self,
        show: Callable[[Any], str],
        read: Callable[[str], Any],
        check: Callable[[Any], None],
        explain: Callable[[Any], str] = lambda value: "",
        *,
        optional: bool = False,
    ) -> None:
        super().__init__()
        self._show, self._read, self._check, self._explain = show, read, check, explain
        self.optional, self._text = optional, ""
        self._is_set = True
        self.line = Line()
        self.line.textEdited.connect(lambda _: self._try())
        self.line.meant.connect(self._finish)
        self.line.given_up.connect(self._restore)
        self.row = QHBoxLayout()
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.setSpacing(2)
        self.row.addWidget(self.line, 1)
        self.column.addLayout(self.row)
        self.setFocusProxy(self.line)
        self.back: QToolButton | None = None
        if optional:
            self.back = _back_button(self)
            self.row.addWidget(self.back)

    def show_value(self, value: Any, mixed: bool, computed: str = "") -> None:
        """Show a value; what is being typed stays as it is."""
        self._is_set = value is not None
        self._text = "" if mixed or value is None else self._show(value)
        if self.line.isModified() and (self.line.hasFocus() or self.is_wrong):
            return
        self.line.setText(self._text)
        if not self.line.hasFocus():
            self.line.setCursorPosition(0)
        self.line.setModified(False)
        self.line.setPlaceholderText(tr(SEVERAL) if mixed else computed)
        if self.back is not None:
            self.back.setVisible(not mixed and value is not None)
        self.line.mark(False)
        self.say("" if mixed or value is None else self._explain(value))

    def _try(self) -> tuple[bool, Any]:
        """Read the text and show what is wrong with it, or what it evaluates to."""
        text = self.line.text()
        if text == self._text or (not text.strip() and (self.optional or not self._text)):
            self.line.mark(False)
            self.say("")
            return True, None
        try:
            value = self._read(text)
            self._check(value)
        except EngineError as error:
            self.line.mark(True)
            self.say(error.sentence, "wrong")
            return False, None
        self.line.mark(False)
        self.say(self._explain(value))
        return True, value

    def _finish(self) -> None:
        """Commit the text, if it is valid and new."""
        if self.line.text() == self._text or not self.line.isModified():
            return
        good, value = self._try()
        if not good:
            return
        self.line.setModified(False)
        if value is not None or (self.optional and self._is_set):
            self.meant.emit(value)

    def forget(self) -> None:
        """Give up what was typed, because another element is shown."""
        self._restore()

    def _restore(self) -> None:
        self.line.setText(self._text)
        self.line.setModified(False)
        self.line.mark(False)
        self.say("")


class VectorField(Field):
    """Some numbers side by side; each is a LineField of its own."""

    def __init__(self, parts: list[LineField], captions: tuple[str, ...], per_row: int) -> None:
        super().__init__()
        self.parts = parts
        self._values: Sequence[Any] = ()  # what is shown
        self._worked_out: tuple[float, ...] | None = None  # what is computed
        self._is_computed = False
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(4)
        grid.setVerticalSpacing(4)
        for n, part in enumerate(parts):
            part.line.set_unit(captions[n] if n < len(captions) else "")
            part.meant.connect(lambda value, n=n: self._mean(n, value))
            grid.addWidget(part, n // per_row, n % per_row, Qt.AlignmentFlag.AlignTop)
        self.back: QToolButton | None = None
        if parts[0].optional:
            self.back = _back_button(self)
            grid.addWidget(self.back, 0, per_row, Qt.AlignmentFlag.AlignTop)
        self.column.addLayout(grid)
        self.setFocusProxy(parts[0])

    def show_value(self, value: Any, mixed: bool, computed: str = "") -> None:
        """Show the parts, or what is computed of each."""
        worked_out = computed.split("; ") if computed else [""] * len(self.parts)
        self._values = value if value is not None else worked_out
        self._is_computed = value is None
        for n, part in enumerate(self.parts):
            shown = None if value is None else value[n]
            grey = worked_out[n] if n < len(worked_out) else ""
            part.show_value(shown, mixed, grey)
            if part.back is not None:
                part.back.hide()
        if self.back is not None:
            self.back.setVisible(value is not None and not mixed)

    def set_computed(self, values: tuple[float, ...] | None) -> None:
        """The values of the other parts when one of a computed vector is typed over."""
        self._worked_out = values

    def forget(self) -> None:
        """Give up what was typed, because another element is shown."""
        for part in self.parts:
            part.forget()

    def _mean(self, n: int, value: Any) -> None:
        base = self._worked_out if self._is_computed else self._values
        base = tuple(base) if base is not None else (0.0,) * len(self.parts)
        if value is not None:
            self.meant.emit((*base[:n], value, *base[n + 1 :]))


class TextField(Field):
    """Free text, on one line or several."""

    def __init__(self, *, long: bool = False) -> None:
        super().__init__()
        self._text = ""
        self.line = _LongText() if long else Line()
        self.line.meant.connect(self._finish)
        self.line.given_up.connect(self._restore)
        self.put_editor(self.line)

    def show_value(self, value: Any, mixed: bool, computed: str = "") -> None:
        """Show the text."""
        self._text = "" if mixed else str(value)
        if self.text() != self._text:
            self._restore()
            if isinstance(self.line, Line) and not self.line.hasFocus():
                self.line.setCursorPosition(0)  # a long text is shown from its beginning
        self.line.setPlaceholderText(tr(SEVERAL) if mixed else computed)

    def text(self) -> str:
        """The text as it is typed."""
        return self.line.text() if isinstance(self.line, Line) else self.line.toPlainText()

    def _restore(self) -> None:
        if isinstance(self.line, Line):
            self.line.setText(self._text)
        else:
            self.line.setPlainText(self._text)

    def forget(self) -> None:
        """Give up what was typed, because another element is shown."""
        self._restore()

    def _finish(self) -> None:
        if isinstance(self.line, Line):
            self.line.setModified(False)
        else:
            self.line.document().setModified(False)
        if self.text() != self._text:
            self.meant.emit(self.text())


class _LongText(QPlainTextEdit):
    """A few lines of text; leaving them commits them, Escape restores the old text."""

    meant = Signal()
    given_up = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setTabChangesFocus(True)
        self.setFixedHeight(4 * self.fontMetrics().lineSpacing() + 14)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape gives up what was typed."""
        if event.key() == Qt.Key.Key_Escape:
            self.given_up.emit()
            return
        super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Leaving commits the text."""
        super().focusOutEvent(event)
        self.meant.emit()


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


def _back_button(field: Field) -> QToolButton:
    """The button that leaves a value to the program again."""
    button = icon_button("computed", tr("Back to the computed value"))
    button.hide()
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    button.clicked.connect(lambda: field.meant.emit(None))
    return button


def repolish(widget: QWidget) -> None:
    """Let the style sheet see a changed property."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)
