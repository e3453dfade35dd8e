"""Write a file completely or not at all."""

import os
import stat
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from engine.errors import EngineError, say


def replace_file(path: str | Path, write: Callable[[IO[bytes]], object], verb: str) -> None:
    """Let `write` fill a file; on any failure the old one stays as it was.

    The content goes to a new file in the same folder, which is flushed to the disk before it replaces the
    old one. `verb` is what the sentence says could not be done.
    """
    with _sentence(path, verb):
        target = _target(path)
        new = _beside(target)
        try:
            with new.open("xb") as file:
                write(file)
                file.flush()
                os.fsync(file.fileno())
            if target.exists():
                os.chmod(new, stat.S_IMODE(target.stat().st_mode))
            os.replace(new, target)
        except BaseException:
            new.unlink(missing_ok=True)
            raise


def check_place(path: str | Path, verb: str = "write") -> None:
    """Raise EngineError unless a file of this name could be written now; leaves nothing behind."""
    with _sentence(path, verb):
        target = _target(path)
        if target.is_dir():
            raise IsADirectoryError
        new = _beside(target)
        new.open("xb").close()
        new.unlink()


def _target(path: str | Path) -> Path:
    """The file itself: a link stays a link, its target changes."""
    return Path(os.path.realpath(path))


def _beside(target: Path) -> Path:
    """A name for a new file in the same folder."""
    return target.parent / f".kardan-{uuid.uuid4().hex}.tmp"


@contextmanager
def _sentence(path: str | Path, verb: str) -> Iterator[None]:
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
    if isinstance(error, PermissionError):
        return say(
            "Permission denied. Choose a folder that you may write to, not '{folder}'.",
            folder=path.parent,
        )
    if isinstance(error, ValueError):
        return say("the name is not valid. Choose another one.")
    strerror = getattr(error, "strerror", None) or str(error)
    return say("{reason}. Make room, or choose another folder.", reason=strerror)
