"""Lines of text and numbers: they show a value, check what is typed, and emit it when it is committed."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
)

from engine.errors import EngineError
from gui.forms.fields import SEVERAL, Field, repolish, tr
from gui.look.buttons import icon_button
from gui.state.numbers import shortened

FRAME = 6  # px, both sides of a line: its border, and what Qt leaves free beside a text
PADDING = {
    False: 6,
    True: 3,
}  # px beside the text of a usual and of a tight line, as in the style sheet
UNFINISHED = re.compile(r"\s*[-+]?0*[.,]?0*")  # what begins 0.9 and -3


class Line(QLineEdit):
    """One line of text: Enter or leaving it commits it, Escape restores the old text."""

    meant = Signal()
    given_up = Signal()
    entered = Signal()
    left = Signal()
    resized = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.unit: QLabel | None = None
        self.is_tight = False
        self.setMinimumWidth(40)
        self.returnPressed.connect(self.meant)

    def tighten(self) -> None:
        """Leave less room beside the text, for lines that share a row."""
        self.is_tight = True
        self.setProperty("tight", True)
        repolish(self)

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
        gap = 1 if self.is_tight else 4
        self.setTextMargins(0, 0, self.unit.width() + gap if unit else 0, 0)
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
        right = PADDING[self.is_tight] + 1
        self.unit.move(self.width() - self.unit.width() - right, (self.height() - height) // 2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the unit at the right end."""
        super().resizeEvent(event)
        self._place()
        self.resized.emit()

    def fits(self, text: str) -> bool:
        """Whether a text is seen whole."""
        margins, beside = self.textMargins(), FRAME + 2 * PADDING[self.is_tight]
        room = self.width() - margins.left() - margins.right() - beside
        return self.fontMetrics().horizontalAdvance(text) <= room

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
        self.entered.emit()
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self.selectAll()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Leaving a field commits its text."""
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.setCursorPosition(0)
            self.meant.emit()
            self.left.emit()


class LineField(Field):
    """A line whose text is read by `read` and checked by `check`; both raise EngineError."""

    refused = Signal(str)  # a text that cannot be taken

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
        self._grey = ""  # what is shown while nothing is typed
        self._is_cut = False  # fewer digits are shown than there are
        self.line = Line()
        self.line.textEdited.connect(lambda _: self._follow_typing())
        self.line.meant.connect(self._finish)
        self.line.given_up.connect(self._restore)
        self.line.entered.connect(self._show_whole)
        self.line.left.connect(self._show_fitting)
        self.line.resized.connect(self._show_fitting)
        self.row = QHBoxLayout()
        self.row.setContentsMargins(0, 0, 0, 0)
        self.row.setSpacing(2)
        self.row.addWidget(self.line, 1)
        self.column.addLayout(self.row)
        self.setFocusProxy(self.line)
        self.back: QToolButton | None = None
        if optional:
            self.back = back_button(self)
            self.row.addWidget(self.back)
        self.way_out: QPushButton | None = None  # below a text that cannot be taken
        self._work_of_way_out: Callable[[], object] = _nothing

    def offer(self, words: str, work: Callable[[], object] | None = None) -> None:
        """Offer a way out below a text that cannot be taken; no words: none."""
        self._work_of_way_out = work or _nothing
        if self.way_out is None:
            if not words:
                return
            self.way_out = QPushButton()
            self.way_out.setFocusPolicy(
                Qt.FocusPolicy.NoFocus
            )  # the text stays until it is clicked
            self.way_out.clicked.connect(lambda: self._work_of_way_out())
            self.column.addWidget(self.way_out)
        self.way_out.setText(words)
        self.way_out.setVisible(bool(words))

    def show_value(self, value: Any, mixed: bool, computed: str = "") -> None:
        """Show a value; what is being typed stays as it is."""
        self._is_set = value is not None
        self._text = "" if mixed or value is None else self._show(value)
        self._grey = tr(SEVERAL) if mixed else computed
        if self.line.isModified() and (self.line.hasFocus() or self.is_wrong):
            return
        self._show_text()
        if self.back is not None:
            self.back.setVisible(not mixed and value is not None)
        self.line.mark(False)
        self.say("" if mixed or value is None else self._explain(value))

    def _show_text(self) -> None:
        """Show the text: whole while it can be edited, else with as many digits as there is room for."""
        grey = shortened(self._grey, self.line.fits)
        self.line.setPlaceholderText(grey)
        shown = self._text if self.line.hasFocus() else shortened(self._text, self.line.fits)
        self.line.setText(shown)
        if not self.line.hasFocus():
            whole, seen = (self._text, shown) if self._text else (self._grey, grey)
            if whole != seen or self._is_cut:
                self._is_cut = whole != seen
                self.line.setToolTip(whole if self._is_cut else "")
            self.line.setCursorPosition(0)
        self.line.setModified(False)

    def _show_whole(self) -> None:
        """Show all digits when the field is entered: what is not changed stays as it is."""
        if not self.line.isModified() and self.line.text() != self._text:
            self.line.setText(self._text)
            self.line.setModified(False)

    def _show_fitting(self) -> None:
        """Choose the digits for another width."""
        if not self.line.isModified() and not self.line.hasFocus() and not self.is_wrong:
            self._show_text()

    def _follow_typing(self) -> None:
        """Say what is wrong with the text so far; a number that has only begun is not wrong yet."""
        self.offer("")
        if UNFINISHED.fullmatch(self.line.text()):
            self.line.mark(False)
            self.say("")
        else:
            self._try()

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
            self.refused.emit(text.strip())
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
        self._show_text()
        self.line.mark(False)
        self.say("")
        self.offer("")


class VectorField(Field):
    """Some numbers side by side; each is a LineField of its own."""

    def __init__(self, parts: list[LineField], captions: tuple[str, ...], per_row: int) -> None:
        super().__init__()
        self.parts = parts
        self.is_wide = len(parts) > 2
        self._values: Sequence[Any] = ()  # what is shown
        self._worked_out: tuple[float, ...] | None = None  # what is computed
        self._is_computed = False
        grid = QGridLayout()
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(4)
        grid.setVerticalSpacing(4)
        for n, part in enumerate(parts):
            part.line.tighten()
            part.line.set_unit(captions[n] if n < len(captions) else "")
            part.meant.connect(lambda value, n=n: self._mean(n, value))
            grid.addWidget(part, n // per_row, n % per_row, Qt.AlignmentFlag.AlignTop)
        self.back: QToolButton | None = None
        if parts[0].optional:
            self.back = back_button(self)
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
        self.is_wide = long
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


def back_button(field: Field) -> QToolButton:
    """The button that leaves a value to the program again."""
    button = icon_button("computed", tr("Back to the computed value"))
    button.hide()
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    button.clicked.connect(lambda: field.meant.emit(None))
    return button


def _nothing() -> None:
    """No way out."""
