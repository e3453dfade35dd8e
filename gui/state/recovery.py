"""Copies of unsaved work, so that a crash loses nothing.

Each running program keeps one copy in a folder of its own, beside a lock. A copy whose lock is not held was
left by a program that crashed: it is offered at the next start.

A copy is begun at most PAUSE after the first edit that is not in it, and at once after EDITS of them,
however steadily the user goes on. It is written in a thread, because a large model takes seconds.
"""

import json
import os
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread
from typing import NamedTuple

from PySide6.QtCore import QLockFile, QObject, QStandardPaths, QTimer

from engine.errors import EngineError
from engine.files.atomic import clear_unfinished, replace_file
from engine.files.model_files import load, save
from engine.model.elements import Model
from gui.state.document import Document
from gui.state.threads import end_at_exit

PAUSE = 2000  # ms between an edit and its copy
BLINK = 0.25  # s that the window may wait for a copy
EDITS = 5  # that are not yet in a copy: then it does not wait
YEAR_2200 = 7.26e9  # s; a later copy has a wrong date


class Left(NamedTuple):
    """A copy that another program left behind."""

    folder: Path
    title: str
    original: str  # the path of its file, or an empty text
    when: float  # seconds since 1970
    content: str = ""  # digest of its file when it was opened

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
        self._edits = 0  # since the last copy was begun
        self._writer = _Writer()
        self._timer = QTimer(self, singleShot=True, interval=PAUSE)
        self._timer.timeout.connect(self.keep)
        document.committed.connect(self._count)
        document.file_changed.connect(self._wait)

    def keep(self) -> None:
        """Begin to write the copy, or delete it where everything is saved."""
        self._timer.stop()
        self._edits = 0
        if self.document.is_saved:
            self._forget()
            return
        about = {
            "title": self.document.model.name,
            "path": str(self.document.path or ""),
            "content": self.document.content,
            "when": time.time(),
        }
        with suppress(OSError):  # a full disk must not disturb the work
            self.folder.mkdir(parents=True, exist_ok=True)
            if self._lock is None:
                self._lock = _lock(self.folder)
                self._lock.tryLock(0)
            model, folder = self.document.model, self.folder
            self._writer.write(lambda: _write(model, about, folder))

    def finish(self) -> None:
        """Delete the copy: the program ends normally."""
        self._timer.stop()
        self._forget()

    def _forget(self) -> None:
        """Delete the copy and its lock."""
        self._writer.finish()
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None
        _delete(self.folder)

    def wait(self) -> None:
        """Wait until the copy that was begun is on the disk."""
        self._writer.wait()

    def _count(self) -> None:
        """Note an edit."""
        self._edits += 1
        if self._edits >= EDITS:
            self.keep()
        else:
            self._wait()

    def _wait(self) -> None:
        """Begin to wait for the next copy; an edit while it waits does not make it wait longer."""
        if not self._timer.isActive():
            self._timer.start()

    def left(self) -> list[Left]:
        """Copies left by programs that no longer run, newest first."""
        found = []
        for folder in self.base.glob("*/") if self.base.is_dir() else ():
            with suppress(OSError):  # deleted meanwhile, or of another user
                if folder != self.folder and (folder / "model.json").is_file():
                    lock = _lock(folder)
                    if lock.tryLock(0):
                        lock.unlock()
                        found.append(_left(folder))
        return sorted(found, key=lambda one: -one.when)

    def discard(self, left: Left) -> None:
        """Delete a copy that is no longer needed."""
        _delete(left.folder)


class _Writer:
    """Does the newest of the jobs it is given, one at a time, in a thread."""

    def __init__(self) -> None:
        self._next: Callable[[], None] | None = None
        self._guard = Lock()
        self._thread: Thread | None = None

    def write(self, job: Callable[[], None]) -> None:
        """Do a job soon; one that still waits is forgotten.

        Whoever edits faster than the disk writes waits for the copy before, but no longer than a blink:
        else edits would run ahead of all copies.
        """
        if (thread := self._thread) is not None:
            thread.join(BLINK)
        with self._guard:
            self._next = job
            if self._thread is None:
                self._thread = Thread(target=self._work, daemon=True)
                end_at_exit(self._thread)
                self._thread.start()

    def wait(self) -> None:
        """Wait until all is done."""
        if (thread := self._thread) is not None:
            thread.join()

    def finish(self) -> None:
        """Forget what waits, and wait for what is being done."""
        with self._guard:
            self._next = None
        self.wait()

    def _work(self) -> None:
        while True:
            with self._guard:
                job, self._next = self._next, None
                if job is None:
                    self._thread = None
                    return
            job()


def _write(model: Model, about: dict[str, object], folder: Path) -> None:
    """Write a copy and what is known about it; a full disk must not disturb the work."""
    with suppress(OSError, EngineError):
        save(model, folder / "model.json")
        note = json.dumps(about).encode()
        replace_file(folder / "about.json", lambda file: file.write(note), "write")


def _lock(folder: Path) -> QLockFile:
    """The lock of a folder; stale as soon as its program has ended."""
    lock = QLockFile(str(folder / "lock"))
    lock.setStaleLockTime(0)
    return lock


def _left(folder: Path) -> Left:
    """The description of the copy in a folder; what its note does not tell, the file does."""
    about: dict[str, object] = {}
    with suppress(OSError, ValueError, RecursionError):
        raw = json.loads((folder / "about.json").read_text(encoding="utf-8"))
        about = raw if isinstance(raw, dict) else {}
    when = about.get("when")
    if not isinstance(when, int | float) or not 0.0 <= when <= YEAR_2200:
        when = os.path.getmtime(folder / "model.json")
    title, path, content = (str(about.get(key, "")) for key in ("title", "path", "content"))
    return Left(folder, title, path, float(when), content)


def _delete(folder: Path) -> None:
    """Delete a folder of a copy."""
    if not folder.is_dir():
        return
    with suppress(OSError):
        for name in ("model.json", "about.json", "lock"):
            (folder / name).unlink(missing_ok=True)
        clear_unfinished(folder)
        folder.rmdir()
