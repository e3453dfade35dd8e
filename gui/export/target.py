"""The field for the file an export goes to, with a button that browses."""

from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QPushButton, QWidget

from engine.errors import EngineError


class TargetField(QWidget):
    """A path with the right suffix; `problem` says why nothing can be written there."""

    changed = Signal()

    def __init__(self, suffix: str, kind: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.suffix, self.kind = suffix, kind
        self.edit = QLineEdit()
        self.edit.setAccessibleName(self.tr("File"))
        self.edit.textChanged.connect(lambda _: self.changed.emit())
        self.button = QPushButton(self.tr("Browse…"))
        self.button.setAutoDefault(False)
        self.button.clicked.connect(self.browse)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.edit, 1)
        row.addWidget(self.button)

    @property
    def path(self) -> Path:
        """The file, with the suffix added if the user left it out."""
        path = Path(self.edit.text().strip()).expanduser()
        return path if path.suffix.lower() == self.suffix or not path.name else self._suffixed(path)

    def set_path(self, path: Path) -> None:
        """Put a path into the field; changes the field."""
        self.edit.setText(str(path))

    def set_suffix(self, suffix: str, kind: str) -> None:
        """Another kind of file: an old suffix is replaced. Changes the field."""
        path, old = Path(self.edit.text()), self.suffix
        self.suffix, self.kind = suffix, kind
        if path.suffix.lower() == old and old != suffix:
            self.set_path(path.with_suffix(suffix))

    @property
    def problem(self) -> str:
        """Why nothing can be written there, or an empty text."""
        if not self.edit.text().strip():
            return self.tr("Choose a file to write to.")
        path = self.path
        if path.is_dir():
            return self.tr("'{0}' is a folder: add the name of a file.").format(path.name)
        if not path.absolute().parent.is_dir():
            folder = path.absolute().parent.name
            return self.tr("There is no folder '{0}': choose one that exists.").format(folder)
        return ""

    @property
    def replaces(self) -> str:
        """A remark if an old file will be replaced."""
        exists = not self.problem and self.path.exists()
        return self.tr("The old '{0}' will be replaced.").format(self.path.name) if exists else ""

    def browse(self, *_: Any) -> None:
        """Let the user choose a file; changes the field."""
        pattern = f"{self.kind} (*{self.suffix})"
        title = self.tr("Export to")
        options = QFileDialog.Option.DontConfirmOverwrite  # the dialog says so itself
        chosen, _kind = QFileDialog.getSaveFileName(
            self, title, self.edit.text(), pattern, options=options
        )
        if chosen:
            self.set_path(Path(chosen))
            self.set_path(self.path)

    def checked(self) -> Path:
        """The path, or EngineError with the reason why not."""
        if self.problem:
            raise EngineError(self.problem)
        return self.path

    def _suffixed(self, path: Path) -> Path:
        return path.with_name(path.name + self.suffix)
