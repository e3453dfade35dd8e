"""Copies of unsaved work, so that a crash loses nothing.

Each running program keeps one copy in a folder of its own, beside a lock. A copy whose lock is not held was
left by a program that crashed: it is offered at the next start.
"""

import json
import os
import time
import uuid
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QLockFile, QObject, QStandardPaths, QTimer

from engine.errors import EngineError
from engine.files.model_files import load, save
from engine.model.elements import Model
from gui.state.document import Document

PAUSE = 2000  # ms between an edit and its copy


class Left(NamedTuple):
    """A copy that another program left behind."""

    folder: Path
    title: str
    original: str  # the path of its file, or an empty text
    when: float  # seconds since 1970

    def load(self) -> Model:
        """The model, or EngineError."""
        return load(self.folder / "model.json")


def default_folder() -> Path:
    """Where copies are kept."""
    where = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation)
    return Path(where or Path.home() / ".kardan") / "recovery"


class Recovery(QObject):
    """Keeps a copy of a document that has unsaved changes."""

    def __init__(self, document: Document, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document, self.base = document, folder
        self.folder = folder / uuid.uuid4().hex
        self._lock: QLockFile | None = None
        self._timer = QTimer(self, singleShot=True, interval=PAUSE)
        self._timer.timeout.connect(self.keep)
        document.committed.connect(self._timer.start)
        document.file_changed.connect(self._timer.start)

    def keep(self) -> None:
        """Write the copy, or delete it where everything is saved."""
        self._timer.stop()
        if self.document.is_saved:
            _delete(self.folder)
            return
        with suppress(OSError, EngineError):  # a full disk must not disturb the work
            self.folder.mkdir(parents=True, exist_ok=True)
            if self._lock is None:
                self._lock = _lock(self.folder)
                self._lock.tryLock(0)
            save(self.document.model, self.folder / "model.json")
            about = {
                "title": self.document.model.name,
                "path": str(self.document.path or ""),
                "when": time.time(),
            }
            (self.folder / "about.json").write_text(json.dumps(about), encoding="utf-8")

    def finish(self) -> None:
        """Delete the copy: the program ends normally."""
        self._timer.stop()
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None
        _delete(self.folder)

    def left(self) -> list[Left]:
        """Copies left by programs that no longer run, newest first."""
        found = []
        for folder in self.base.glob("*/") if self.base.is_dir() else ():
            if folder == self.folder or not (folder / "model.json").is_file():
                continue
            lock = _lock(folder)
            if not lock.tryLock(0):
                continue
            lock.unlock()
            found.append(_left(folder))
        return sorted(found, key=lambda one: -one.when)

    def discard(self, left: Left) -> None:
        """Delete a copy that is no longer needed."""
        _delete(left.folder)


def _lock(folder: Path) -> QLockFile:
    """The lock of a folder; stale as soon as its program has ended."""
    lock = QLockFile(str(folder / "lock"))
    lock.setStaleLockTime(0)
    return lock


def _left(folder: Path) -> Left:
    """The description of the copy in a folder."""
    try:
        about = json.loads((folder / "about.json").read_text(encoding="utf-8"))
        title, path, when = str(about["title"]), str(about["path"]), float(about["when"])
    except (OSError, ValueError, LookupError, TypeError):
        title, path, when = "", "", os.path.getmtime(folder / "model.json")
    return Left(folder, title, path, when)


def _delete(folder: Path) -> None:
    """Delete a folder of a copy."""
    for name in ("model.json", "about.json", "lock"):
        (folder / name).unlink(missing_ok=True)
    if folder.is_dir():
        with suppress(OSError):
            folder.rmdir()
