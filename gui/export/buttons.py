"""The buttons of export dialogs, and number fields that look as the others do."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QAbstractSpinBox, QDialog, QDialogButtonBox, QLineEdit, QPushButton

_NO_ARROWS = """
QAbstractSpinBox::up-button { width: 0px; border: none; }
QAbstractSpinBox::down-button { width: 0px; border: none; }
QAbstractSpinBox::up-arrow { image: none; width: 0px; height: 0px; }
QAbstractSpinBox::down-arrow { image: none; width: 0px; height: 0px; }
QAbstractSpinBox { padding: 0px; }
QLineEdit { border: none; padding: 0px; background: transparent; }
"""


class Buttons(QDialogButtonBox):
    """Export, which Enter presses, and Cancel."""

    def __init__(self, dialog: QDialog) -> None:
        super().__init__(dialog)
        cancel = self.addButton(QDialogButtonBox.StandardButton.Cancel)
        cancel.setAutoDefault(False)
        cancel.setIcon(QIcon())
        words = QCoreApplication.translate("Export", "Export")
        self.export_button: QPushButton = self.addButton(
            words, QDialogButtonBox.ButtonRole.AcceptRole
        )
        self.export_button.setDefault(True)
        self.rejected.connect(dialog.reject)


def hide_arrows(*fields: QAbstractSpinBox) -> None:
    """Let number fields look as lines of text do; the arrow keys still work. Changes the fields."""
    for field in fields:
        field.setStyleSheet(_NO_ARROWS)
        field.setMinimumHeight(field.fontMetrics().height() + 10)
        line = field.findChild(QLineEdit)
        if line is not None:
            line.setTextMargins(5, 0, 5, 0)
