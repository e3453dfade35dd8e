"""Threads end before the process does: Qt aborts it if one is destroyed while it runs."""

import atexit
from weakref import WeakSet

from PySide6.QtCore import QThread
from shiboken6 import isValid

PATIENCE = 5000  # ms for one thread to end
_started: "WeakSet[QThread]" = WeakSet()


def end_at_exit(thread: QThread) -> None:
    """See to it that the process waits for this thread, however it ends; changes the list of them."""
    _started.add(thread)


@atexit.register
def _end_all() -> None:
    """Ask all threads that still run to end, and wait."""
    for thread in list(_started):
        if isValid(thread) and thread.isRunning():
            thread.requestInterruption()
            thread.wait(PATIENCE)
