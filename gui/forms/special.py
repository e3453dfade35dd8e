"""Editors of functions, formulas, points, outlines and colours."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtWidgets import QColorDialog, QHBoxLayout, QLabel, QMenu, QPushButton, QWidget

from engine.formulas.grammar import RESERVED
from engine.model.elements import Id, Parameter, put, with_sliders
from gui.forms.fields import Field, tr
from gui.forms.lines import LineField, VectorField
from gui.forms.places import Place
from gui.forms.tables import TableDialog
from gui.look.buttons import icon_button, small_button
from gui.look.icons import icon
from gui.look.theme import theme_of
from gui.state.document import Document
from gui.state.passing import answer_of

NAME = re.compile(r"[A-Za-z_]\w*")


class FunctionField(LineField):
    """A number, an expression, or a table behind a button."""

    is_wide = True  # laws are longer than numbers

    def __init__(self, *arguments: Any, open_table: Callable[[Any], Any], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._open_table, self._value = open_table, None
        self.button = icon_button("table", tr("Edit as a table of points"))
        self.button.clicked.connect(self._edit_table)
        self.row.insertWidget(1, self.button)

    def show_value(self, value: Any, mixed: bool, computed: str = "") -> None:
        """Show an expression, or how long the table is."""
        self._value = value
        super().show_value(value, mixed, computed)
        is_table = isinstance(value, tuple) and not mixed
        self.line.setReadOnly(is_table)
        self.button.setChecked(is_table)

    def _edit_table(self) -> None:
        rows = self._open_table(self._value)
        if rows is not None:
            self.meant.emit(rows)


class NumberField(LineField):
    """A number with its unit; a chain beside a formula replaces it by the number that it has now."""

    def __init__(self, *arguments: Any, worked_out: Callable[[Any], float], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._worked_out, self._formula = worked_out, ""
        self.chain = small_button("tied", tr("Untie: keep this number whatever the formula"), 16)
        self.chain.clicked.connect(lambda: self.meant.emit(self._worked_out(self._formula)))
        self.chain.hide()
        self.row.addWidget(self.chain)

    def show_value(self, value: Any, mixed: bool, computed: str = "") -> None:
        """Show the number, or the formula with its chain."""
        super().show_value(value, mixed, computed)
        is_formula = isinstance(value, str) and not mixed
        self._formula = value if is_formula else ""
        self.chain.setVisible(is_formula)


class Tie(NamedTuple):
    """Where a point is in numbers, and what it is tied to, in words; no words if it is not tied."""

    numbers: tuple[float, ...] = ()
    words: str = ""


class PointField(VectorField):
    """The place of a point on a body; where it is tied, to what, with a chain that unties it."""

    def __init__(
        self, parts: list[LineField], captions: tuple[str, ...], tie: Callable[[], Tie]
    ) -> None:
        super().__init__(parts, captions, len(parts))
        self._tie = tie
        self.chain = small_button("tied", tr("Untie: keep this place whatever the sizes"), 16)
        self.chain.clicked.connect(lambda: self.meant.emit(self._tie().numbers))
        self.words = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.words.setProperty("role", "quiet")
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.chain)
        row.addWidget(self.words, 1)
        self.column.addLayout(row)

    def show_value(self, value: Any, mixed: bool, computed: str = "") -> None:
        """Show the numbers of a tied point, with its formulas as tooltips."""
        tie = self._tie() if value is not None and not mixed else Tie()
        super().show_value(value, mixed, computed)
        for part, number, written in zip(self.parts, tie.numbers, value or ()):
            if tie.words and isinstance(written, str):
                part.show_value(number, mixed)
                part.line.setToolTip(written)
        self.words.setText(tie.words)
        for widget in (self.chain, self.words):
            widget.setVisible(bool(tie.words))

    def context(self) -> Any:
        """The numbers and the words, which follow the shape."""
        return self._tie()


class PointsField(Field):
    """The corners of an outline, behind a button."""

    def __init__(self, open_table: Callable[[Any], Any]) -> None:
        super().__init__()
        self._open_table, self._value = open_table, ()
        self.button = QPushButton(icon("table"), "")
        self.button.clicked.connect(self._edit)
        self.put_editor(self.button)

    def show_value(self, value: Any, mixed: bool, computed: str = "") -> None:
        """Say how many points there are."""
        self._value = value
        words = tr("several") if mixed else tr("{0} points ...").format(len(value))
        self.button.setText(words)

    def _edit(self) -> None:
        rows = self._open_table(self._value)
        if rows is not None and rows != self._value:
            self.meant.emit(rows)


class ColourField(Field):
    """A colour of the palette, any other one, or the one the program chooses."""

    def __init__(self) -> None:
        super().__init__()
        self._value = ""
        row = QWidget()
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        self.button = QPushButton()
        self.button.setIconSize(QSize(28, 14))
        self.menu = QMenu(self)
        self.menu.aboutToShow.connect(self._fill)
        self.button.clicked.connect(self._pop_up)
        line.addWidget(self.button, 1)
        self.put_editor(row)

    def show_value(self, value: Any, mixed: bool, computed: str = "") -> None:
        """Show a sample of the colour."""
        self._value = "" if mixed else str(value)
        is_colour = QColor(self._value).isValid() and self._value != ""
        self.button.setIcon(swatch(self._value if is_colour else computed))
        words = tr("several") if mixed else self._value if is_colour else tr("automatic")
        self.button.setText(f" {words}")

    def _pop_up(self) -> None:
        self.menu.popup(self.button.mapToGlobal(QPoint(0, self.button.height())))

    def _fill(self) -> None:
        self.menu.clear()
        names = (
            *(tr("Blue"), tr("Orange"), tr("Green"), tr("Red")),
            *(tr("Violet"), tr("Teal"), tr("Ochre"), tr("Grey")),
        )
        for colour, name in zip(theme_of(self.palette()).bodies, names):
            action = self.menu.addAction(swatch(colour), name)
            action.triggered.connect(lambda _=False, colour=colour: self.meant.emit(colour))
        self.menu.addSeparator()
        self.menu.addAction(tr("Another ...")).triggered.connect(self._ask)
        self.menu.addAction(tr("Automatic")).triggered.connect(lambda: self.meant.emit(""))

    def _ask(self) -> None:
        chosen = QColorDialog.getColor(QColor(self._value or "#4c8fd6"), self, tr("Colour"))
        if chosen.isValid():
            self.meant.emit(chosen.name())


def swatch(colour: str) -> QIcon:
    """A sample of a colour; an empty frame for none."""
    picture = QPixmap(56, 28)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QColor(128, 128, 128, 150))
    painter.setBrush(QColor(colour) if colour else Qt.BrushStyle.NoBrush)
    painter.drawRoundedRect(1, 1, 54, 26, 5, 5)
    painter.end()
    return QIcon(picture)


def ask_table(parent: QWidget, title: str, *arguments: Any, **options: Any) -> Any:
    """Let the user edit a table; its rows, or None if it was cancelled."""
    dialog = TableDialog(parent, title, *arguments, **options)
    return dialog.rows if answer_of(dialog) else None


def with_parameters_offered(field: LineField, place: Place, unit: str, document: Document) -> None:
    """Let a field offer to make a parameter of a name that is typed into it; changes the field."""

    def offer(text: str) -> None:
        value_now = place.value(document.model) if place.exists(document.model) else None
        is_new = NAME.fullmatch(text) and text not in RESERVED and text not in document.model
        if not is_new or not isinstance(value_now, int | float) or place.is_mixed(document.model):
            return
        words = tr("Make the parameter {0}").format(text)
        field.offer(words, lambda: make(text, float(value_now)))

    def make(id: Id, number: float) -> None:
        model = document.model
        after = place.put(put(model, parameter_of(id, number, unit)), id)
        field.forget()
        words = tr("Make {0} a parameter").format(id)
        document.edit(words, with_sliders(after, (*model.view.sliders, id)))

    field.refused.connect(offer)


def parameter_of(id: Id, value: float, unit: str) -> Parameter:
    """A parameter with a value of the drawing, without its rounding; its slider reaches twice as far."""
    number = float(f"{value:.12g}")
    low, high = (min(0.0, 2.0 * number), max(0.0, 2.0 * number)) if number else (None, None)
    return Parameter(id=id, value=number, unit=unit, low=low, high=high)
