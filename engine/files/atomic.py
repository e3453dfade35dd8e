"""Write a file completely or not at all, and notice when somebody else has written it."""

import hashlib
import os
import stat
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from engine.errors import EngineError, say

_UNFINISHED = ".kardan-{name}.tmp"
READ_ONLY = "read-only"
_UNFINISHED_NOW: set[Path] = set()  # the new files that this process is writing
_FORGOTTEN = 3600.0  # s after which an unfinished file belongs to no save that still runs


def replace_file(path: str | Path, write: Callable[[IO[bytes]], object], verb: str) -> None:
    """Let `write` fill a file; on any failure the old one stays as it was.

    `verb` is what the sentence says could not be done.
    """
    new = Replacement(path, verb)
    try:
        with in_words(path, verb):
            write(new.file)
    except BaseException:
        new.discard()
        raise
    new.commit()


class Replacement:
    """A new file that takes the place of an old one when it is whole.

    The content goes to a new file in the same folder, which is flushed to the disk before it replaces the
    old one. A link stays a link, owner and permissions stay, and a file that is read-only is
    not replaced. A device or a pipe is no file to be replaced: what is written goes into it.
    """

    def __init__(self, path: str | Path, verb: str = "write") -> None:
        self._path, self._verb = path, verb
        with in_words(path, verb):
            if is_device(path):
                self._new, self.file = None, open(path, "wb")  # noqa: SIM115, open until commit
                return
            self._target = _target(path)
            _check_writable(self._target)
            self._new = _beside(self._target)
            self.file = self._new.open("xb")
            _UNFINISHED_NOW.add(self._new)

    def write(self, content: bytes) -> None:
        """Write some more."""
        with in_words(self._path, self._verb):
            self.file.write(content)

    def commit(self) -> None:
        """Put the new file into the place of the old one, whole and on the disk."""
        try:
            with in_words(self._path, self._verb):
                self.file.flush()
                if self._new is not None:
                    os.fsync(self.file.fileno())
                    self.file.close()
                    if self._target.exists():
                        _take_over(self._target.stat(), self._new)
                    os.replace(self._new, self._target)
                self.file.close()
        except BaseException:
            self.discard()
            raise
        if self._new is not None:
            _UNFINISHED_NOW.discard(self._new)
            clear_unfinished(self._target.parent, older_than=_FORGOTTEN)

    def discard(self) -> None:
        """Leave the old file as it was, and no rest of the new one."""
        with suppress(OSError):  # what could not be written cannot be flushed either
            self.file.close()
        if self._new is not None:
            self._new.unlink(missing_ok=True)
            _UNFINISHED_NOW.discard(self._new)


def discard_unfinished() -> None:
    """Delete the new files of this process that are not whole; for a process that ends at once."""
    for new in tuple(_UNFINISHED_NOW):
        with suppress(OSError):
            new.unlink()


def is_device(path: str | Path) -> bool:
    """Whether a path is something that takes what is written, such as /dev/null or a pipe."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def check_place(path: str | Path, verb: str = "write") -> None:
    """Raise EngineError unless a file of this name could be written now; leaves nothing behind."""
    with in_words(path, verb):
        if is_device(path):
            if not os.access(path, os.W_OK):
                raise PermissionError
            return
        target = _target(path)
        if target.is_dir():
            raise IsADirectoryError
        _check_writable(target)
        new = _beside(target)
        new.open("xb").close()
        new.unlink()


def _target(path: str | Path) -> Path:
    """The file itself: a link stays a link, its target changes."""
    return Path(os.path.realpath(path))


def _beside(target: Path) -> Path:
    """A name for a new file in the same folder."""
    return target.parent / _UNFINISHED.format(name=uuid.uuid4().hex)


@contextmanager
def in_words(path: str | Path, verb: str) -> Iterator[None]:
    """Turn what the system says about a path into a sentence with the whole path and a remedy."""
    try:
        yield
    except (OSError, ValueError) as error:
        kept = say(" What was there before is unchanged.") if _is_file(path) else ""
        raise EngineError(
            "Cannot {verb} '{path}': {reason}{kept}",
            verb=verb,
            path=path,
            reason=_reason(Path(path), error),
            kept=kept,
        ) from None


def clear_unfinished(folder: Path, older_than: float = 0.0) -> None:
    """Delete what saves that were killed left in a folder, if it is this old in seconds."""
    now = time.time()
    for old in folder.glob(_UNFINISHED.format(name="*")):
        with suppress(OSError):
            if now - old.stat().st_mtime >= older_than:
                old.unlink()


def digest(path: str | Path) -> str:
    """What a file holds, as a short text that tells contents apart; empty if it cannot be read."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError):
        return ""


def _check_writable(target: Path) -> None:
    """Raise PermissionError for a file that is read-only, which a replacement would not notice."""
    if not target.exists():
        return
    for_nobody = not target.stat().st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH)
    if for_nobody or not os.access(target, os.W_OK):
        raise PermissionError(READ_ONLY)


def _take_over(old: os.stat_result, new: Path) -> None:
    """Give a new file the owner and the permissions of the old one."""
    if hasattr(os, "chown"):
        with suppress(OSError):  # only the administrator may give files away
            os.chown(new, old.st_uid, old.st_gid)
    os.chmod(new, stat.S_IMODE(old.st_mode))


def _is_file(path: str | Path) -> bool:
    """Whether there is a file of this name; none has a name that is not valid."""
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False


def _reason(path: Path, error: Exception) -> str:
    """Why a file cannot be written, and what to do."""
    if isinstance(error, IsADirectoryError):
        return say("this is a folder. Give the name of a file in it.")
    if isinstance(error, FileNotFoundError):
        return say("there is no folder '{folder}'. Make it first.", folder=path.parent)
    if isinstance(error, NotADirectoryError):
        return say("'{folder}' is a file, not a folder. Choose a folder.", folder=path.parent)
    if isinstance(error, PermissionError) and error.args == (READ_ONLY,):
        return say("the file is read-only. Choose another name.")
    if isinstance(error, PermissionError):
        return say(
            "Permission denied. Choose a folder that you may write to, not '{folder}'.",
            folder=path.parent,
        )
    if isinstance(error, ValueError):
        return say("the name is not valid. Choose another one.")
    strerror = getattr(error, "strerror", None) or str(error)
    return say("{reason}. Make room, or choose another folder.", reason=strerror)
