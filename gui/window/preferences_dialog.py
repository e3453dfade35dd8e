"""The dialog of preferences: units, numbers, new models, theme."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from engine.errors import EngineError
from engine.model.elements import planar
from engine.model.methods import METHOD_NAMES
from gui.forms.fields import Choice, fill_choices
from gui.forms.lines import LineField
from gui.look.method_words import method_choices
from gui.state.preferences import (
    ANGLE_UNITS,
    DEFAULTS,
    FORCE_UNITS,
    LENGTH_UNITS,
    MASS_UNITS,
    SPIN_UNITS,
    THEMES,
    Preferences,
)

LABEL_WIDTH = 130


def tr(text: str) -> str:
    """A text of the dialog in the language of the user."""
    return QCoreApplication.translate("PreferencesDialog", text)


class PreferencesDialog(QDialog):
    """Every change takes effect at once; Cancel restores the old preferences."""

    def __init__(self, preferences: Preferences, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.preferences = preferences
        self._before = {name: preferences.get(name) for name in DEFAULTS}
        self.setWindowTitle(tr("Preferences"))
        self.setMinimumWidth(400)
        self.editors: dict[str, QComboBox | QCheckBox | LineField] = {}
        column = QVBoxLayout(self)
        column.setSpacing(6)
        self._group(column, tr("Units"))
        form = self._form(column)
        for name, words, choices in (
            ("length_unit", tr("Lengths"), LENGTH_UNITS),
            ("angle_unit", tr("Angles"), ANGLE_UNITS),
            ("spin_unit", tr("Angular velocities"), SPIN_UNITS),
            ("mass_unit", tr("Masses"), MASS_UNITS),
            ("force_unit", tr("Forces"), FORCE_UNITS),
        ):
            form.addRow(_label(words), self._choice(name, [(one, one) for one in choices]))
        form.addRow(
            _label(""), self._flag("decimal_comma", tr("Decimal comma: 0,5 instead of 0.5"))
        )
        self._group(column, tr("New models"))
        form = self._form(column)
        methods = method_choices(METHOD_NAMES)
        form.addRow(_label(tr("Method")), self._choice("default_method", methods))
        form.addRow(_label(tr("Step")), self._seconds("default_step"))
        form.addRow(_label(tr("End time")), self._seconds("default_end"))
        self._group(column, tr("Appearance"))
        form = self._form(column)
        themes = {"system": tr("As the system"), "light": tr("Light"), "dark": tr("Dark")}
        form.addRow(
            _label(tr("Theme")), self._choice("theme", [(one, themes[one]) for one in THEMES])
        )
        first = self._flag("show_first_steps", tr("Show the first steps on an empty stage"))
        form.addRow(_label(""), first)
        column.addStretch(1)
        button = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(button.Ok | button.Cancel | button.RestoreDefaults)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        restore = self.buttons.button(button.RestoreDefaults)
        restore.clicked.connect(lambda: self._take(DEFAULTS))
        column.addWidget(self.buttons)
        self._show()

    def _group(self, column: QVBoxLayout, title: str) -> None:
        label = QLabel(title)
        label.setProperty("role", "section")
        column.addSpacing(4)
        column.addWidget(label)

    def _form(self, column: QVBoxLayout) -> QFormLayout:
        form = QFormLayout()
        form.setContentsMargins(12, 0, 0, 4)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        form.setHorizontalSpacing(18)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        column.addLayout(form)
        return form

    def _choice(self, name: str, choices: Sequence[Choice]) -> QComboBox:
        box = QComboBox()
        box.setObjectName(name)
        fill_choices(box, choices)
        box.activated.connect(lambda _: self.preferences.set(name, box.currentData()))
        self.editors[name] = box
        return box

    def _flag(self, name: str, words: str) -> QCheckBox:
        box = QCheckBox(words)
        box.setObjectName(name)
        box.clicked.connect(lambda on: self.preferences.set(name, bool(on)))
        self.editors[name] = box
        return box

    def _seconds(self, name: str) -> LineField:
        """A positive time."""

        def check(value: Any) -> None:
            if isinstance(value, str) or not value > 0.0:
                raise EngineError(tr("Give a time greater than 0, such as 1 ms."))

        field = LineField(
            lambda value: self.preferences.shown(value, "s")[0],
            lambda text: self.preferences.parse(text, "s", planar()),
            check,
        )
        field.setObjectName(name)
        field.line.set_unit("s")
        field.meant.connect(lambda value: self.preferences.set(name, value))
        self.editors[name] = field
        return field

    def _show(self) -> None:
        """Show the present preferences."""
        for name, editor in self.editors.items():
            value = self.preferences.get(name)
            if isinstance(editor, QComboBox):
                editor.setCurrentIndex(editor.findData(value))
            elif isinstance(editor, QCheckBox):
                editor.setChecked(value)
            else:
                editor.show_value(value, False)

    def _take(self, values: dict[str, Any]) -> None:
        for name in DEFAULTS:
            self.preferences.set(name, values[name])
        self._show()

    def reject(self) -> None:
        """Restore the old preferences and close."""
        self._take(self._before)
        super().reject()


def _label(words: str) -> QLabel:
    """A label as wide as all others, so that the editors are in one column."""
    label = QLabel(words)
    label.setMinimumWidth(LABEL_WIDTH)
    return label
