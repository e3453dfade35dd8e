"""What the dialogs of exports share: the file, the buttons, and one sentence about what is wrong."""

from typing import Any

from PySide6.QtWidgets import QDialog, QLabel, QWidget

from gui.export.buttons import Buttons
from gui.export.sources import Sources
from gui.export.target import TargetField
from gui.look.theme import theme_of


class ExportDialog(QDialog):
    """A dialog that writes one file; it stays open, with a message, until the file is written."""

    def __init__(
        self, sources: Sources, title: str, suffix: str, kind: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.sources = sources
        self.setWindowTitle(title)
        self.target = TargetField(suffix, kind)
        self.target.set_path(sources.suggestion(suffix))
        self.told = QLabel(wordWrap=True)
        self.buttons = Buttons(self)
        self.write_button = self.buttons.export_button

    def say(self, sentence: str, is_problem: bool) -> None:
        """Show a sentence above the buttons; changes the dialog."""
        theme = theme_of(self.palette())
        self.told.setStyleSheet(f"color: {theme.problem if is_problem else theme.quiet}")
        self.told.setText(sentence)

    def judge(self, problem: str) -> None:
        """Allow writing, or say what is wrong; changes the dialog."""
        self.write_button.setEnabled(not problem)
        self.say(problem or self.target.replaces, bool(problem))

    def end(self, job: Any) -> None:
        """Close after a job that wrote the file; else say how it ended. Changes the dialog."""
        self.setEnabled(True)
        if job.was_cancelled:
            self.say(self.tr("Cancelled: nothing was written."), False)
        elif job.sentence:
            self.say(job.sentence, True)
        else:
            self.sources.remember(self.target.path)
            self.accept()
