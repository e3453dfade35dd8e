"""The buttons of export dialogs."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPushButton


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
