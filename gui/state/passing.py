"""Dialogs and menus that pass: when they are closed, their widgets are deleted.

A parent keeps its children for as long as it lives, so a dialog that is only hidden would stay until the
window is closed, and every change of the theme would paint it again.
"""

from PySide6.QtCore import QPoint, QSize
from PySide6.QtWidgets import QDialog, QMenu, QWidget

TITLE = 36  # pixels that a system needs for the title of a window


def answer_of(dialog: QDialog) -> int:
    """Show a dialog until it is answered, and delete it; what Python has noted in it may still be read."""
    stay_on_screen(dialog)
    answer = dialog.exec()
    dialog.deleteLater()
    return answer


def open_dialog(dialog: QDialog) -> None:
    """Show a dialog over its window, which waits for it."""
    stay_on_screen(dialog)
    dialog.open()


def stay_on_screen(window: QWidget, title: int = TITLE) -> None:
    """Make a window no larger than its screen, with its title; changes its size."""
    room = window.screen().availableGeometry().size() - QSize(0, title)
    window.resize(window.size().boundedTo(room))


def open_menu(menu: QMenu, place: QPoint) -> None:
    """Show a menu, and delete it when it is closed; a command that was chosen in it is still done."""
    menu.aboutToHide.connect(menu.deleteLater)
    menu.popup(place)
