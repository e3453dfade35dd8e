"""Tooltips of commands, and tooltips that hold what users named."""

from html import escape

from PySide6.QtGui import QAction, QKeySequence, Qt


def as_text(words: str) -> str:
    """A tooltip that shows words as they are, even if they look like markup."""
    if not Qt.mightBeRichText(words):  # the Qt of QtGui; that of QtCore lacks it
        return words
    return "<qt>" + escape(words).replace("\n", "<br/>") + "</qt>"


def in_lines(*lines: str) -> str:
    """A tooltip of several lines, each shown as it is."""
    return as_text("\n".join(lines))


def allow(action: QAction, reason: str = "") -> None:
    """Enable a command, or disable it for a reason that its tooltip and the finder tell; changes it."""
    action.setEnabled(not reason)
    action.setProperty("reason", reason)
    action.setToolTip(tip(action, reason))


def tip(action: QAction, reason: str = "") -> str:
    """The tooltip of a command: what it does, its key, and why it is disabled."""
    words = action.text().replace("&", "").removesuffix(" ...")
    keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    head = f"<b>{words}</b>" + (f" &nbsp;<span>{keys}</span>" if keys else "")
    more = reason or action.property("help") or ""
    return f"{head}<br/>{more}" if more else head
