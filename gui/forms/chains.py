"""Editors of numbers that follow something else: a chain shows it, and a click on it unties them."""

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from gui.forms.fields import LineField, VectorField, tr
from gui.look.buttons import small_button

SIZE = 16  # pixels of a chain


class NumberField(LineField):
    """A number with its unit; a chain beside a formula replaces it by the number that it has now."""

    def __init__(self, *arguments: Any, worked_out: Callable[[Any], float], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._worked_out, self._formula = worked_out, ""
        self.chain = small_button("chain", tr("Follows a formula. Click to keep the number."), SIZE)
        self.chain.clicked.connect(lambda: self.meant.emit(self._worked_out(self._formula)))
        self.chain.hide()
        self.row.addWidget(self.chain)

    def show_value(self, value: Any, mixed: bool, computed: str = "") -> None:
        """Show the number, or the formula with its chain."""
        super().show_value(value, mixed, computed)
        is_formula = isinstance(value, str) and not mixed
        self._formula = value if is_formula else ""
        self.chain.setVisible(is_formula)


class PlaceField(VectorField):
    """The place of a point on its body: numbers, or the words of what it is tied to with a chain."""

    def __init__(
        self,
        parts: list[LineField],
        captions: tuple[str, ...],
        *,
        tie: Callable[[], str],
        untied: Callable[[], Any],
    ) -> None:
        super().__init__(parts, captions, len(parts))
        self._tie = tie
        self.tied = QWidget()
        row = QHBoxLayout(self.tied)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        self.words = QLabel(wordWrap=True)
        self.words.setMinimumHeight(26)
        self.words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.MinimumExpanding)
        self.chain = small_button(
            "chain", tr("Follows the shape. Click to keep the numbers."), SIZE
        )
        self.chain.clicked.connect(lambda: self.meant.emit(untied()))
        row.addWidget(self.words, 1)
        row.addWidget(self.chain)
        self.tied.hide()
        self.column.addWidget(self.tied)

    def show_value(self, value: Any, mixed: bool, computed: str = "") -> None:
        """Show numbers, or what the point is tied to."""
        super().show_value(value, mixed, computed)
        words = "" if mixed else self._tie()
        self.words.setText(words)
        self.tied.setVisible(bool(words))
        for part in self.parts:
            part.setVisible(not words)
