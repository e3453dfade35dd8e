"""Ends threads before the process exits: Qt aborts if one is destroyed while it runs.

A thread that compiles or runs machine code cannot be interrupted; it may need minutes on a slow
machine. A thread that is no longer needed is released and kept alive here until it has ended. The
program waits for such threads for a short time only and then ends without destroying them.
"""

import atexit
import os
import sys
import time
from threading import Thread
from weakref import WeakSet

from PySide6.QtCore import QThread
from shiboken6 import isValid

PATIENCE = 5.0  # s for all threads together, at the end of the program
MOMENT = 1.0  # s for one thread whose work is no longer needed
_started: "WeakSet[QThread | Thread]" = WeakSet()
_let_go: set[QThread] = set()  # perhaps the only references: they must not be destroyed yet


def end_at_exit(thread: QThread | Thread) -> None:
    """Make the process wait for this thread, however it exits; changes the list of threads."""
    _started.add(thread)


def let_go(thread: QThread) -> bool:
    """Ask a thread to end because its work is no longer needed; returns whether it ended at once.

    One that did not is kept until it has ended. Changes the list of released threads.
    """
    thread.requestInterruption()
    if thread.wait(round(1000 * MOMENT)):
        return True
    thread.setParent(None)
    end_at_exit(thread)
    _let_go.difference_update([other for other in _let_go if not other.isRunning()])
    _let_go.add(thread)
    return False


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
    running = [thread for thread in list(_started) if _is_running(thread)]
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
