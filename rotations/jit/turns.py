"""One process compiles at a time: others wait for it and then find its machine code.

The system lets go of the lock when the process that holds it ends, in whatever way.
"""

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

if os.name == "nt":
    import msvcrt
else:
    import fcntl

_PAUSE = 0.2  # s between two attempts where the system cannot wait for us


@contextmanager
def alone(folder: Path, task: str) -> Iterator[None]:
    """Wait until no other process is in such a block for this task in this folder; makes a file there.

    Where the system of files knows no locks nobody waits: some kernels are then compiled twice.
    """
    with ExitStack() as turn:  # closing the file ends it
        with suppress(OSError):
            file = turn.enter_context(open(folder / f"{task}.lock", "ab"))
            _lock(file.fileno())
        yield


def _lock(file: int) -> None:
    """Wait for the lock of an open file."""
    if os.name == "nt":
        while True:
            try:
                msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined, unused-ignore]
                return
            except PermissionError:  # it is held
                time.sleep(_PAUSE)
    else:
        fcntl.flock(file, fcntl.LOCK_EX)
