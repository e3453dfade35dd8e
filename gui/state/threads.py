"""Ends threads before the process exits: Qt aborts if one is destroyed while it runs.

A thread that compiles or runs machine code cannot be interrupted; it may need minutes on a slow
machine. So a running thread is kept alive here until it has ended, even if its owner is closed or
collected as garbage. The program waits for threads for a short time only when it exits, and then ends
without destroying them.
"""

import atexit
import os
import sys
import time
from threading import Thread
from typing import Any
from weakref import WeakSet

from PySide6.QtCore import QThread
from shiboken6 import isValid

PATIENCE = 5.0  # s for all threads together, at the end of the program
MOMENT = 0.2  # s for one thread whose work is no longer needed: the window waits for it
_plain: "WeakSet[Thread]" = WeakSet()  # threads of Python, which keep themselves alive
_kept: "set[BackgroundThread]" = set()  # begun, and not known to have ended


class BackgroundThread(QThread):
    """A thread that lives until its work has ended, and that the process waits for."""

    def start(self, priority: QThread.Priority = QThread.Priority.InheritPriority) -> None:
        """Begin; changes the list of threads."""
        _kept.difference_update([other for other in _kept if not _is_running(other)])
        _kept.add(self)
        super().start(priority)

    def wait(self, *patience: Any) -> bool:
        """Wait until the thread has ended, or as long as QThread is told; changes the list of threads."""
        has_ended = super().wait(*patience)
        if has_ended:
            _kept.discard(self)
        return has_ended

    def let_go(self) -> bool:
        """Ask to end because the work is no longer needed; whether it ended within a moment."""
        self.requestInterruption()
        if self.wait(round(1000 * MOMENT)):
            return True
        self.setParent(None)  # the owner may go
        return False


def end_at_exit(thread: Thread) -> None:
    """Make the process wait for a thread of Python, however it exits; changes the list of them."""
    _plain.add(thread)


def leave(code: int) -> int:
    """Return the exit code once all threads have ended; if one does not, exit the process here."""
    if _ended_within(PATIENCE):
        return code
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    os._exit(code)  # a normal exit would destroy what the thread is using


@atexit.register
def _end_all() -> None:
    """Wait without a limit in a script that does not exit by `leave`; it keeps its exit code."""
    _ended_within(float("inf"))


def _ended_within(seconds: float) -> bool:
    """Ask all threads to end and wait; returns whether all have ended in time."""
    known: list[QThread | Thread] = [*_kept, *_plain]
    running = [thread for thread in known if _is_running(thread)]
    for thread in running:
        if isinstance(thread, QThread):
            thread.requestInterruption()
    deadline = time.monotonic() + seconds
    return all(_wait(thread, deadline) for thread in running)


def _is_running(thread: QThread | Thread) -> bool:
    if isinstance(thread, Thread):
        return thread.is_alive()
    return isValid(thread) and thread.isRunning()


def _wait(thread: QThread | Thread, deadline: float) -> bool:
    """Wait for a thread until a deadline; returns whether it has ended."""
    while _is_running(thread):
        left = deadline - time.monotonic()
        if left <= 0.0:
            return False
        if isinstance(thread, Thread):
            thread.join(min(left, 1.0))
        else:
            thread.wait(round(1000 * min(left, 1.0)))
    return True
