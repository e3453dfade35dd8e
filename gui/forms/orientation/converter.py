"""The converter: type an orientation in any description and read it in all others."""

import numpy as np
from PySide6.QtWidgets import QComboBox, QDialog, QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from engine.errors import EngineError
from engine.model.elements import ORIENTATIONS, Model
from gui.forms.fields import fill_choices, tr
from gui.forms.lines import LineField
from gui.forms.orientation.fields import read_numbers, unit_quaternion, worked_out
from gui.forms.orientation.representations import (
    QUATERNION,
    Representations,
    name_words,
    near_lock_words,
)
from gui.state.passing import answer_of
from gui.state.preferences import Preferences
from rotations import convert

UNITS = {
    QUATERNION: ("",) * 4,
    "axis-angle": ("", "", "", "rad"),
    "rotation vector": ("rad",) * 3,
}
ANGLES = ("rad",) * 3


class Converter(QDialog):
    """One orientation, given in one description and shown in all; `q` is the accepted one."""

    def __init__(
        self, parent: QWidget | None, preferences: Preferences, model: Model, q: tuple[float, ...]
    ) -> None:
        super().__init__(parent)
        self.preferences, self.model = preferences, model
        self.q = tuple(float(x) for x in q)
        self.setWindowTitle(tr("Orientation in every description"))
        self.setMinimumWidth(430)
        self.given_as = QComboBox()
        sequences = [name for name in ORIENTATIONS if name != QUATERNION]
        known = (QUATERNION, "axis-angle", "rotation vector", *sequences)
        fill_choices(self.given_as, [(name, name_words(name)) for name in known])
        self.given_as.currentIndexChanged.connect(self.refresh)
        self.line = LineField(self._written, self._read, lambda _: None)
        self.line.meant.connect(self._take)
        self.table = Representations(preferences)
        self.note = QLabel(wordWrap=True)
        self.note.setProperty("role", "warning")
        buttons = QDialogButtonBox()
        self.accept_button = buttons.addButton(
            tr("Take over"), QDialogButtonBox.ButtonRole.AcceptRole
        )
        buttons.addButton(tr("Close"), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 12)
        column.setSpacing(8)
        hint = QLabel(tr("Type the numbers with semicolons between them; angles may carry units."))
        hint.setProperty("role", "quiet")
        for widget in (self.given_as, self.line, hint, self.note, self.table, buttons):
            column.addWidget(widget)
        self.refresh()

    @property
    def source(self) -> str:
        """The description in which the numbers are typed."""
        return str(self.given_as.currentData())

    def refresh(self) -> None:
        """Show the orientation in all descriptions."""
        self.line.show_value(self.q, False)
        q = np.array(self.q)
        self.table.show_orientation(q, with_matrix=True)
        words = ""
        if self.source not in UNITS:
            words = near_lock_words(self.preferences, q, self.source)
        self.note.setText(f"⚠ {words}" if words else "")
        self.note.setVisible(bool(words))

    def _written(self, q: tuple[float, ...]) -> str:
        """The numbers of the chosen description, angles in the unit of the user."""
        units = UNITS.get(self.source, ANGLES)
        numbers = q if self.source == QUATERNION else convert(q, QUATERNION, self.source)
        return "; ".join(self.preferences.shown(float(x), u)[0] for x, u in zip(numbers, units))

    def _read(self, text: str) -> tuple[float, ...]:
        units = UNITS.get(self.source, ANGLES)
        numbers = worked_out(self.model, read_numbers(self.preferences, self.model, text, units))
        if self.source == "axis-angle":
            length = float(np.linalg.norm(numbers[:3]))
            if not length > 0.0:
                raise EngineError(tr("The axis has no length: give it a direction."))
            numbers = np.array([*(numbers[:3] / length), numbers[3]])
        return unit_quaternion(numbers, self.source)

    def _take(self, q: tuple[float, ...]) -> None:
        self.q = q
        self.refresh()


def ask_orientation(
    parent: QWidget, preferences: Preferences, model: Model, q: tuple[float, ...]
) -> tuple[float, ...] | None:
    """Let the user convert an orientation; the one to use, or None if it was cancelled."""
    dialog = Converter(parent, preferences, model, q)
    return dialog.q if answer_of(dialog) else None
