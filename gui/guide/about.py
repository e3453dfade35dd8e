"""What this program is, in a small dialog."""

import platform

import PySide6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from engine import __version__
from gui.look.icons import icon


class About(QDialog):
    """Name, version and licence."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("About Kardan"))
        column = QVBoxLayout(self)
        column.setContentsMargins(22, 20, 22, 16)
        column.setSpacing(14)
        row = QHBoxLayout()
        row.setSpacing(18)
        symbol = QLabel()
        symbol.setPixmap(icon("kardan").pixmap(72, 72))
        words = QLabel(
            f"<p style='font-size:17pt'><b>Kardan</b> {__version__}</p>"
            + self.tr("<p>Draw a mechanism, press play, and see it move, correctly.</p>")
            + self.tr("<p>Free software under the BSD 3-Clause licence.</p>")
            + f"<p>Python {platform.python_version()}, Qt and PySide6 {PySide6.__version__}</p>"
        )
        words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        row.addWidget(symbol, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(words, 1)
        column.addLayout(row)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)
