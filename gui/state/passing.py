"""Dialogs and menus that pass: when they are closed, their widgets are deleted.

A parent keeps its children for as long as it lives, so a dialog that is only hidden would stay until the
window is closed, and every change of the theme would paint it again.
"""

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QDialog, QMenu


def answer_of(dialog: QDialog) -> int:
    """Show a dialog until it is answered, and delete it; what Python has noted in it may still be read."""
    answer = dialog.exec()
    dialog.deleteLater()
    return answer


def open_menu(menu: QMenu, place: QPoint) -> None:
    """Show a menu, and delete it when it is closed; a command that was chosen in it is still done."""
    menu.aboutToHide.connect(menu.deleteLater)
    menu.popup(place)
