"""Write a file completely or not at all."""

import os
import stat
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import IO

from engine.errors import EngineError, say


def replace_file(path: str | Path, write: Callable[[IO[bytes]], object], verb: str) -> None:
    """Let `write` fill a file; on any failure the old one stays as it was.

    The content goes to a new file in the same folder, which is flushed to the disk before it replaces the
    old one. `verb` is what the sentence says could not be done.
    """
    name = Path(path).name
    try:
        target = Path(os.path.realpath(path))  # a link stays a link, its target changes
        new = target.parent / f".kardan-{uuid.uuid4().hex}.tmp"
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
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or say("the name is not valid")
        raise EngineError(
            "Cannot {verb} '{name}': {reason}. What was there before is unchanged.",
            verb=verb,
            name=name,
            reason=reason,
        ) from None
