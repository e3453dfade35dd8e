"""The window: one row on top, tools at the left, the stage, drawers around it, time below.

It is shown as a frame first. After the first paint the engine is loaded in a thread, so that the window
appears at once and responds; then its own parts, one after another between events. They are not loaded in
the thread: a class of Qt that is made there while the event loop runs may end the process.
"""

import threading
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QKeyEvent,
    QKeySequence,
    QPaintEvent,
)
from PySide6.QtWidgets import QMenu, QWidget

from gui.state.passing import answer_of
from gui.state.preferences import Preferences
from gui.state.threads import end_at_exit
from gui.window.frame import Frame

if TYPE_CHECKING:  # they are loaded when the window is completed
    from gui.window.session import Session
    from gui.window.workbench import Workbench

# files that may be dropped
MODELS, MESHES, MATRICES = (".json", ".urdf"), (".stl", ".obj"), (".npz",)
PARTS = ("..stages.stages", "..forms.form", ".workbench", ".session")  # imported one at a time


class MainWindow(Frame):
    """The one window of the program; `complete` fills the frame with its parts."""

    completed = Signal()
    parts: "Workbench"  # both exist once the window is complete
    session: "Session"

    def __init__(
        self, preferences: Preferences | None = None, recovery_folder: Path | None = None
    ) -> None:
        super().__init__(preferences if preferences is not None else Preferences())
        self.is_complete = False
        self.keys: QWidget | None = None  # the map of keys that was shown last
        self._loading = threading.Thread(target=_load, daemon=True)
        self._is_loading = False
        self._missing = list(PARTS)  # what is still to be imported
        self._look = QTimer(self, interval=15)
        self._look.timeout.connect(self._look_after_loading)
        self._wanted = ""  # the file to open once everything is loaded
        self._recovery_folder = recovery_folder
        self.setAcceptDrops(True)

    # --- from the frame to the whole

    def paintEvent(self, event: QPaintEvent) -> None:
        """After the first paint the rest is loaded."""
        super().paintEvent(event)
        if not self._is_loading and not self.is_complete:
            self._is_loading = True
            end_at_exit(self._loading)
            QTimer.singleShot(0, self, self._start_loading)

    def _start_loading(self) -> None:
        """Import the engine in a thread, and check when it is done."""
        self._loading.start()
        self._look.start()

    def _look_after_loading(self) -> None:
        """Once the engine is there: import the next part of the window, after the last one complete it."""
        if self._loading.is_alive():
            return
        if self._missing:
            import_module(self._missing.pop(0), __package__)
        else:
            self._look.stop()
            self.complete()

    def complete(self) -> None:
        """Build everything inside the frame; once."""
        if self.is_complete:
            return
        self.is_complete = True
        from gui.window.session import Session
        from gui.window.workbench import Workbench, place

        self.parts = Workbench(self, self._recovery_folder)
        place(self.parts, self)
        self.session = Session(self, self.parts, opens_file=bool(self._wanted))
        self.commands.connect(
            quit=self.close,
            preferences=self.show_preferences,
            key_map=self.show_key_map,
            about=self.show_about,
        )
        QTimer.singleShot(0, self, self.build_results)
        QTimer.singleShot(0, self, self.commands.catch_up)
        if self._wanted:
            self.parts.files.open_path(self._wanted)
        self.completed.emit()

    def build_results(self) -> None:
        """Build the plots and the list of runs, after everything else is shown."""
        self.session.result_panels()

    def open_when_ready(self, path: str | Path) -> None:
        """Open this file now, or as soon as everything is loaded."""
        self._wanted = str(path)
        if self.is_complete:
            self.parts.files.open_path(path)

    # --- requests to the window

    def show_preferences(self) -> None:
        """Let the user change the preferences."""
        from gui.window.preferences_dialog import PreferencesDialog

        answer_of(PreferencesDialog(self.preferences, self))

    def show_key_map(self) -> None:
        """Show all keys over the window."""
        from gui.guide.key_map import KeyMap, groups_of

        titled = [
            (action.text().replace("&", ""), menu.actions())
            for action in self.menuBar().actions()
            if isinstance(menu := action.menu(), QMenu)
        ]
        self.keys = KeyMap(self, groups_of(titled, in_space=self.parts.stages.is_spatial))

    def show_about(self) -> None:
        """Show the About dialog."""
        from gui.guide.about import About

        answer_of(About(self))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape returns to selecting, wherever the focus is."""
        if event.key() == Qt.Key.Key_Escape and self.is_complete:
            stages = self.parts.stages
            if not stages.active_tool.cancel():
                stages.set_tool(None)
            return
        if not (self.is_complete and self._tells_why_not(event)):
            super().keyPressEvent(event)

    def _tells_why_not(self, event: QKeyEvent) -> bool:
        """Say why the command of a key cannot be used now; whether there is such a command."""
        keys = QKeySequence(event.keyCombination())
        for action in (*self.actions(), *self.findChildren(QAction)):
            reason = str(action.property("reason") or "")
            if reason and not action.isEnabled() and keys in action.shortcuts():
                if self.parts.visibility.hidden and action is self.commands["delete"]:
                    reason = self.tr(
                        "Nothing is selected: what is hidden stays. Ctrl+Shift+H shows it again."
                    )
                self.parts.toaster.say(reason)
                return True
        return False

    # --- files dropped, and the end

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files may be dropped anywhere."""
        if self.is_complete and self.parts.files.dropped_path(
            event.mimeData(), MODELS + MESHES + MATRICES
        ):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the dropped model, or add the bodies of dropped meshes."""
        files, mime = self.parts.files, event.mimeData()
        if path := files.dropped_path(mime, MODELS):
            event.acceptProposedAction()
            files.open_asking(path)
        elif path := files.dropped_path(mime, MESHES):
            event.acceptProposedAction()
            self.session.import_mesh(path)
        elif path := files.dropped_path(mime, MATRICES):
            event.acceptProposedAction()
            self.parts.edits.parts.read([path])

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about unsaved changes, keep the layout, and end everything that runs."""
        if self.is_complete and not self.parts.files.may_leave():
            event.ignore()
            return
        self.keep_layout()
        if self.is_complete:
            self.session.end()
        self.preferences.settings.sync()  # a process that cannot wait for its threads writes nothing later
        super().closeEvent(event)


def _load() -> None:
    """Import what the parts of the window need of the engine; nothing here may know Qt."""
    from engine.editing import edits, loosening  # noqa: F401
    from engine.editing.builder import script  # noqa: F401
    from engine.formulas import lenient  # noqa: F401
    from engine.kinematics import checkup  # noqa: F401
    from engine.results import balance, results  # noqa: F401
    from engine.running.choosing import unread  # noqa: F401
