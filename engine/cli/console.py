"""How a command meets its terminal: closed streams, readers that leave, and Ctrl-C.

It imports next to nothing, so that it is in force before the heavy parts are loaded.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

INTERRUPTED = 130  # exit codes of shells: 128 and the number of the signal
TERMINATED = 143
_CODES = {signal.SIGINT: INTERRUPTED, signal.SIGTERM: TERMINATED}


def guarded(work: Callable[[], int]) -> int:
    """Do some work and return its exit code; a reader that has left is no mistake, Ctrl-C no fault."""
    _open_closed_streams()
    with _handlers(_leave):
        try:
            code = work()
            sys.stdout.flush()
            return code
        except BrokenPipeError:  # the reader of the output, such as head, has closed it
            sys.stdout = open(os.devnull, "w")  # noqa: SIM115, for what Python still flushes at its end
            return 0
        except KeyboardInterrupt:
            print("Interrupted.", file=sys.stderr)
            return INTERRUPTED
        except SystemExit:  # of the parser of arguments, whose words may not have been read either
            _flush_or_leave_it()
            raise


class Wish:
    """Whether the user wants a run to end; the signal is kept until somebody looks."""

    def __init__(self) -> None:
        self.code = 0  # the exit code of the signal that came; 0 for none

    def __bool__(self) -> bool:
        return self.code != 0


@contextmanager
def wishes_to_stop() -> Iterator[Wish]:
    """While this lasts, the first Ctrl-C or SIGTERM is only a wish; the second one ends at once."""
    wish = Wish()

    def note(number: int, frame: Any) -> None:
        if wish:
            _leave(number, frame)
        wish.code = _CODES[signal.Signals(number)]

    with _handlers(note):
        yield wish


@contextmanager
def _handlers(handler: Callable[[int, Any], None]) -> Iterator[None]:
    """Handle Ctrl-C and SIGTERM like this for a while; only the main thread may."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, handler) for number in _CODES}
    try:
        yield
    finally:
        for number, old in before.items():
            signal.signal(number, old)


def _leave(number: int, _: Any) -> None:
    """End the process at once and quietly, wherever it is: imports do not survive an exception."""
    atomic = sys.modules.get(_ATOMIC)
    if atomic is not None:
        atomic.discard_unfinished()
    try:
        os.write(2, b"Interrupted.\n")
    finally:
        os._exit(_CODES[signal.Signals(number)])


_ATOMIC = f"{__package__.rpartition('.')[0]}.files.atomic"


def _open_closed_streams() -> None:
    """Give closed streams to the null device, so that no file gets their numbers; changes sys."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115


def _flush_or_leave_it() -> None:
    """Write what is left, unless nobody reads it."""
    try:
        sys.stdout.flush()
    except OSError:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
