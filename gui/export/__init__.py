"""Everything that leaves the window as a file: tables, pictures, films and reports."""

from typing import Any

from PySide6.QtGui import QAction


def actions(window: Any) -> list[QAction]:
    """The commands of File > Export, which act on a window; they grey out with a reason."""
    from gui.export.commands import (
        Commands,
    )  # dialogs are loaded with the menu, not with the window

    return Commands(window).actions
