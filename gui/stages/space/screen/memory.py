"""Gives memory of closed drawings back to the system.

A drawing in software takes and frees tens of megabytes in many pieces. The C library keeps the pages for
later: after twenty stages a process held 1 GB, of which 0.4 were in use.
"""

import ctypes
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QTimer

PAUSE = 1000  # ms after a drawing was closed: others follow, as those of a gallery


class _Due:
    """Whether memory is going to be given back."""

    is_due = False


def _found() -> Callable[[int], Any] | None:
    """What gives back memory in the C library of this system, if anything does."""
    try:
        found: Callable[[int], Any] = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return None
    return found


_trim = _found()


def give_back_soon() -> None:
    """Give back, once for all drawings that are closed within a moment, what is no longer used."""
    if _trim is not None and not _Due.is_due:
        _Due.is_due = True
        QTimer.singleShot(PAUSE, _give_back)


def _give_back() -> None:
    """Give back what is not used; takes some ms."""
    _Due.is_due = False
    if _trim is not None:
        _trim(0)
