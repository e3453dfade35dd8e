"""Tooltips of commands."""

from PySide6.QtGui import QAction, QKeySequence


def tip(action: QAction, reason: str = "") -> str:
    """The tooltip of a command: what it does, its key, and why it is disabled."""
    words = action.text().replace("&", "").removesuffix(" ...")
    keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    head = f"<b>{words}</b>" + (f" &nbsp;<span>{keys}</span>" if keys else "")
    more = reason or action.property("help") or ""
    return f"{head}<br/>{more}" if more else head
