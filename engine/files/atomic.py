"""Write a file completely or not at all, and notice when somebody else has written it."""

import hashlib
import os
import stat
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO

from engine.errors import EngineError, say

_UNFINISHED = ".kardan-{name}.tmp"
_FORGOTTEN = 3600.0  # s after which an unfinished file belongs to no save that still runs


def replace_file(path: str | Path, write: Callable[[IO[bytes]], object], verb: str) -> None:
    """Let `write` fill a file; on any failure the old one stays as it was.

    The content goes to a new file in the same folder, which is flushed to the disk before it replaces the
    old one. A link stays a link, owner and permissions stay, and a file that is read-only is
    not replaced. `verb` is what the sentence says could not be done.
    """
    name = Path(path).name
    try:
        target = Path(os.path.realpath(path))  # a link stays a link, its target changes
        _check_writable(target)
        new = target.parent / _UNFINISHED.format(name=uuid.uuid4().hex)
        try:
            with new.open("xb") as file:
                write(file)
                file.flush()
                os.fsync(file.fileno())
            if target.exists():
                _take_over(target.stat(), new)
            os.replace(new, target)
        except BaseException:
            new.unlink(missing_ok=True)
            raise
        clear_unfinished(target.parent, older_than=_FORGOTTEN)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or say("the name is not valid")
        raise EngineError(
            "Cannot {verb} '{name}': {reason}. What was there before is unchanged.",
            verb=verb,
            name=name,
            reason=reason,
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
        raise PermissionError(0, say("the file is read-only; choose another name"))


def _take_over(old: os.stat_result, new: Path) -> None:
    """Give a new file the owner and the permissions of the old one."""
    if hasattr(os, "chown"):
        with suppress(OSError):  # only the administrator may give files away
            os.chown(new, old.st_uid, old.st_gid)
    os.chmod(new, stat.S_IMODE(old.st_mode))
