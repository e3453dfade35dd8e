"""New, open, save: the document and its file, with the dialogs that belong to them."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QMimeData, QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QMenu, QMessageBox, QWidget

import assets
from engine.errors import EngineError
from engine.model.elements import Model, Settings, planar, spatial
from gui.look.messages import Messages
from gui.state.document import Document
from gui.state.passing import answer_of
from gui.state.preferences import Preferences

MOST_RECENT = 10
SUFFIX = ".json"


class FileCommands(QObject):
    """What the File menu does; `opened` is emitted when another model is open."""

    opened = Signal()

    def __init__(
        self, window: QWidget, document: Document, preferences: Preferences, messages: Messages
    ) -> None:
        super().__init__(window)
        self.window, self.document = window, document
        self.preferences, self.messages = preferences, messages

    # --- new and open

    def new(self) -> None:
        """Start an empty model in the plane, with the preferred settings."""
        if self.may_leave():
            self._start(lambda: self.document.new(self.empty_model()))

    def new_in_space(self) -> None:
        """Start an empty model in space, with the preferred settings."""
        if self.may_leave():
            self._start(lambda: self.document.new(self.empty_model(dim=3)))

    def empty_model(self, dim: int = 2) -> Model:
        """An empty model with the preferred method, step and end time."""
        from engine.model.methods import METHOD_NAMES

        method = self.preferences.default_method
        return (planar if dim == 2 else spatial)(
            settings=Settings(
                step=self.preferences.default_step,
                method=method if method in METHOD_NAMES else Settings().method,
                t_end=self.preferences.get("default_end"),
            )
        )

    def open(self) -> None:
        """Ask for a file and open it."""
        path, _ = QFileDialog.getOpenFileName(
            self.window, self.tr("Open a model"), self._folder(), self._open_filter()
        )
        if path:
            self.open_asking(path)

    def open_asking(self, path: str | Path) -> None:
        """Open a file, after asking about unsaved changes."""
        if self.may_leave():
            self.open_path(path)

    def open_path(self, path: str | Path) -> bool:
        """Open a file; if that fails a message says why and the open model stays."""
        from engine.editing.robots.opening import is_description, load

        try:
            if is_example(path) or is_description(path):  # a copy: the file must not be overwritten
                model = load(path)
                self._start(lambda: self.document.new(model))
                return True
            self._start(lambda: self.document.open(path))
        except EngineError as error:
            self.messages.show_message("file", "problem", error.sentence)
            return False
        self._remember(path)
        return True

    def show_gallery(self) -> None:
        """Let the user choose an example, and open a copy of it."""
        from gui.guide.gallery import Gallery

        gallery = Gallery(self.window)
        if answer_of(gallery) and gallery.path is not None:
            self.open_asking(gallery.path)

    def recover(self, model: Model, original: str, content: str) -> None:
        """Open what was recovered, as unsaved work on a file that had this content."""
        self._start(lambda: self.document.new(model))
        self.document.path = Path(original) if original else None
        self.document.content = content
        self.document.undo_stack.mark_unclean()
        self.document.file_changed.emit()

    def _start(self, work: Callable[[], object]) -> None:
        work()
        self.messages.clear("file")
        self.opened.emit()

    # --- save

    def save(self) -> bool:
        """Save to the file of the document, or ask for one; True if it was saved."""
        if self.document.path is None or is_example(self.document.path):
            return self.save_as()
        if self.document.is_changed_elsewhere and not self._may_overwrite(self.document.path):
            return False
        return self._save(self.document.path)

    def save_as(self) -> bool:
        """Ask for a file and save there; True if it was saved."""
        name = self.document.path
        if name is None or is_example(name):
            name = Path(self._folder()) / f"{self._file_name()}{SUFFIX}"
        path, _ = QFileDialog.getSaveFileName(
            self.window, self.tr("Save the model"), str(name), self._filter()
        )
        if not path:
            return False
        return self._save(Path(path) if Path(path).suffix else Path(path).with_suffix(SUFFIX))

    def _save(self, path: Path) -> bool:
        try:
            if is_example(path):
                raise EngineError(
                    self.tr("'{0}' is an example of the program: choose another folder.").format(
                        path.name
                    )
                )
            self.document.save(path)
        except EngineError as error:
            self.messages.show_message("file", "problem", error.sentence)
            return False
        self.messages.clear("file")
        self._remember(path)
        return True

    def _may_overwrite(self, path: Path) -> bool:
        """Whether the user wants to replace a file that another program or window has changed."""
        box = QMessageBox(self.window)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setWindowTitle(self.tr("The file has changed"))
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(self.tr("'{0}' was changed by another program or window.").format(path.name))
        box.setInformativeText(
            self.tr("Replacing it loses those changes. Or save under another name.")
        )
        replace = box.addButton(self.tr("&Replace"), QMessageBox.ButtonRole.DestructiveRole)
        other = box.addButton(self.tr("Save &as..."), QMessageBox.ButtonRole.AcceptRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(other)
        answer_of(box)
        if box.clickedButton() is other:
            self.save_as()
        return box.clickedButton() is replace

    def may_leave(self) -> bool:
        """Whether the open model may be discarded: it is saved, or the user agrees."""
        if self.document.is_saved:
            return True
        box = QMessageBox(self.window)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setWindowTitle(self.tr("Unsaved changes"))
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(self.tr("Save the changes to '{0}'?").format(self.title()))
        box.setInformativeText(self.tr("What is not saved is lost."))
        button = QMessageBox.StandardButton
        box.setStandardButtons(button.Save | button.Discard | button.Cancel)
        box.setDefaultButton(button.Save)
        words = (self.tr("&Save"), self.tr("&Discard"), self.tr("&Cancel"))
        for one, text in zip((button.Save, button.Discard, button.Cancel), words):
            box.button(one).setText(text)
        answer = answer_of(box)
        if answer == button.Save:
            return self.save()
        return answer == button.Discard

    # --- names

    def title(self) -> str:
        """The title of the document."""
        if self.document.path is not None:
            return self.document.path.name
        return self.document.model.name or self.tr("New model")

    def _file_name(self) -> str:
        name = self.document.model.name or self.tr("mechanism")
        return "".join(c if c.isalnum() else "_" for c in name).strip("_").lower()

    def _folder(self) -> str:
        path = self.document.path
        if path is not None and not is_example(path):
            return str(path.parent)
        recent = self.recent()
        return str(Path(recent[0]).parent) if recent else str(Path.home())

    def _open_filter(self) -> str:
        """What can be opened: models, and robot descriptions."""
        return self.tr("Models and robots (*.json *.urdf);;{0}").format(self._filter())

    def _filter(self) -> str:
        return self.tr("Kardan models (*.json);;All files (*)")

    def dropped_path(self, mime: QMimeData, suffixes: tuple[str, ...]) -> str:
        """The first file of these kinds among what is dragged, or an empty text."""
        paths = [url.toLocalFile() for url in mime.urls() if url.isLocalFile()]
        return next((path for path in paths if path.lower().endswith(suffixes)), "")

    # --- recent files

    def recent(self) -> list[str]:
        """The files used last, newest first."""
        value = self.preferences.settings.value("recent/files", [])
        if isinstance(value, str):
            return [value]  # QSettings returns a single file as a text
        return [str(path) for path in value] if isinstance(value, list) else []

    def _remember(self, path: str | Path) -> None:
        full = str(Path(path).resolve())
        files = [full, *(one for one in self.recent() if one != full)][:MOST_RECENT]
        self.preferences.settings.setValue("recent/files", files)

    def fill_recent(self, menu: QMenu) -> None:
        """Rebuild the menu of recent files; changes the menu."""
        menu.clear()
        for path in self.recent():
            action = menu.addAction(Path(path).name)
            action.setToolTip(path)
            action.triggered.connect(lambda _=False, path=path: self.open_asking(path))
            if not Path(path).is_file():
                action.setEnabled(False)
                action.setToolTip(self.tr("{0} is no longer there.").format(path))
        if not self.recent():
            none = menu.addAction(self.tr("No file has been opened yet"))
            none.setEnabled(False)
            none.setProperty("reason", self.tr("Files that you open are listed here."))
            return
        menu.addSeparator()
        clear = menu.addAction(self.tr("Forget these"))
        clear.triggered.connect(lambda: self.preferences.settings.setValue("recent/files", []))


def is_example(path: str | Path) -> bool:
    """Whether a file belongs to the program and must stay as it is."""
    return Path(path).resolve().parent == assets.EXAMPLES.resolve()
