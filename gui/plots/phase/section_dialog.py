"""Choose when the points of a Poincaré section are taken."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QWidget,
)

from engine.errors import EngineError
from engine.model.views.plots import BOTH, FALLING, RISING, Section
from gui.plots.base import Context
from gui.plots.chooser import choose
from gui.plots.units import written


class SectionDialog(QDialog):
    """Stroboscopic with a period, or whenever a channel passes a value."""

    def __init__(
        self, parent: QWidget, context: Context, section: Section | None, channel: str
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.context = context
        before = section or Section(channel=channel)
        self.channel = before.channel or channel
        self.setWindowTitle(self.tr("Poincaré section"))
        self.none = QRadioButton(self.tr("No section"))
        self.none.setChecked(section is None)
        self.strobe = QRadioButton(self.tr("Once in each period"))
        self.strobe.setChecked(before.period > 0.0)
        self.crossing = QRadioButton(self.tr("Whenever a variable passes a value"))
        self.crossing.setChecked(section is not None and not before.period > 0.0)
        self.period = QLineEdit(context.preferences.digits(before.period or 1.0))
        self.variable = QPushButton()
        self.value = QLineEdit()
        self.direction = QComboBox()
        for words, direction in (
            (self.tr("upwards"), RISING),
            (self.tr("downwards"), FALLING),
            (self.tr("both ways"), BOTH),
        ):
            self.direction.addItem(words, direction)
        self.direction.setCurrentIndex(max(self.direction.findData(before.direction), 0))
        self.complaint = QLabel(wordWrap=True)
        self.complaint.hide()
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        for button in self.buttons.buttons():
            button.setIcon(QIcon())
        self._lay_out()
        self._name_variable()
        text, _ = context.preferences.shown(before.value, self._unit())
        self.value.setText(text)

    def _lay_out(self) -> None:
        form = QFormLayout(self)
        form.addRow(self.none)
        form.addRow(self.strobe)
        form.addRow(self.tr("Period [s]"), self.period)
        form.addRow(self.crossing)
        form.addRow(self.tr("Variable"), self.variable)
        form.addRow(self.tr("Value"), self.value)
        form.addRow(self.tr("Passing"), self.direction)
        form.addRow(self.complaint)
        form.addRow(self.buttons)
        self.period.textEdited.connect(lambda _: self.strobe.setChecked(True))
        self.value.textEdited.connect(lambda _: self.crossing.setChecked(True))
        self.variable.clicked.connect(self._choose_variable)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    def _unit(self) -> str:
        entry = self.context.catalogue.entries().get(self.channel)
        return entry.unit if entry else ""

    def _name_variable(self) -> None:
        entry = self.context.catalogue.entries().get(self.channel)
        unit = written(self.context.preferences.unit(entry.unit)) if entry else ""
        words = entry.label if entry else self.tr("Choose ...")
        self.variable.setText(f"{words} [{unit}]" if unit else words)

    def _choose_variable(self) -> None:
        def take(chosen: list[str]) -> None:
            self.channel = chosen[0]
            self.crossing.setChecked(True)
            self._name_variable()

        choose(self, self.context.catalogue, take, chosen=[self.channel], several=False)

    def section(self) -> Section | None:
        """What was chosen; EngineError if a number cannot be read."""
        preferences, model = self.context.preferences, self.context.document.model
        if self.none.isChecked():
            return None
        if self.strobe.isChecked():
            period = preferences.parse(self.period.text(), "s", model)
            if not isinstance(period, float | int) or not period > 0.0:
                raise EngineError(self.tr("The period must be a number above zero."))
            return Section(period=float(period))
        value = preferences.parse(self.value.text(), self._unit(), model)
        if not isinstance(value, float | int):
            raise EngineError(self.tr("The value must be a number."))
        return Section(
            channel=self.channel, value=float(value), direction=str(self.direction.currentData())
        )

    def accept(self) -> None:
        """Close, unless a number cannot be read: then say so."""
        try:
            self.section()
        except EngineError as error:
            self.complaint.setText(error.sentence)
            self.complaint.show()
        else:
            super().accept()
