"""The three angles of the rings as fields to type in, with their rates, and all descriptions."""

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from gui.forms.lines import LineField
from gui.forms.orientation.representations import Representations
from gui.instruments.gimbal.rings import GREEK, axis_names
from gui.look.tooltips import as_text
from gui.state.attitude import Attitude
from gui.state.document import Document
from gui.state.preferences import Preferences
from rotations import quaternion


class AnglesView(QScrollArea):
    """Angles of an attitude; `meant` carries the index of an angle and its new value [rad]."""

    meant = Signal(int, float)

    def __init__(
        self, document: Document, preferences: Preferences, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, widgetResizable=True)
        self.document, self.preferences = document, preferences
        self.lines = [self._line(n) for n in range(3)]
        self.names = [QLabel(textFormat=Qt.TextFormat.PlainText) for _ in range(3)]
        self.rates = [QLabel() for _ in range(3)]
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(10, 8, 10, 8)
        grid = QGridLayout()
        grid.setColumnStretch(1, 1)
        for n in range(3):
            self.rates[n].setProperty("role", "quiet")
            grid.addWidget(self.names[n], n, 0)
            grid.addWidget(self.lines[n], n, 1)
            grid.addWidget(self.rates[n], n, 2)
        column.addLayout(grid)
        self.note = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.note.setProperty("role", "quiet")
        column.addWidget(self.note)
        self.table = Representations(preferences)
        column.addWidget(self.table)
        column.addStretch(1)
        self.setWidget(inside)

    def _line(self, n: int) -> LineField:
        def read(text: str) -> Any:
            from engine.formulas.expressions import value
            from engine.formulas.resolve import parameter_values

            number = self.preferences.parse(text, "rad", self.document.model)
            if isinstance(number, str):  # an orientation stores numbers: the formula is evaluated
                return value(number, parameter_values(self.document.model))
            return number

        line = LineField(lambda angle: self._shown(angle, "rad"), read, lambda _: None)
        line.meant.connect(lambda angle: self.meant.emit(n, float(angle)))
        return line

    def _shown(self, value: float, unit: str) -> str:
        """An angle or its rate in the unit of the user; rounding beside 1 rad is 0."""
        return self.preferences.shown(value, unit, scale_si=1.0)[0]

    def show_attitude(self, attitude: Attitude | None, reason: str) -> None:
        """Show the angles of a body; `reason` says why they cannot be typed. Changes the fields."""
        if attitude is None:
            return
        unit = self.preferences.unit_text("rad")
        rates = attitude.rates
        for n, name in enumerate(axis_names(attitude.sequence)):
            self.names[n].setText(self.tr("{0} about {1}").format(GREEK[n], name))
            self.lines[n].line.set_unit(unit)
            self.lines[n].show_value(float(attitude.angles[n]), False)
            self.lines[n].setEnabled(not reason)
            self.lines[n].setToolTip(
                as_text(reason) or self.tr("The angle of a ring; Enter turns the body.")
            )
            rate = "–" if rates is None else self._shown(float(rates[n]), "rad/s")
            words = f"{rate} {self.preferences.unit_text('rad/s')}"
            self.rates[n].setText(words)
            self.rates[n].setToolTip(
                self.tr("How fast this angle changes.")
                if rates is not None
                else self.tr("In the lock the angles have no rates.")
            )
        self.note.setText(reason)
        self.note.setVisible(bool(reason))
        unit_q = quaternion.from_matrix(attitude.R)
        self.table.show_orientation(unit_q, attitude.sequence, with_matrix=True)
