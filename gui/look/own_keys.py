"""Let a widget keep keys that are shortcuts of the window, such as Space and the arrows."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

SPACE = (Qt.Key.Key_Space,)
ARROWS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End)


class OwnKeys(QObject):
    """Keeps these keys for a widget while it has the focus."""

    def __init__(self, widget: QWidget, keys: tuple[Qt.Key, ...]) -> None:
        super().__init__(widget)
        self.keys = keys
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Claim the keys before a shortcut takes them."""
        return claimed(event, self.keys)


def claimed(event: QEvent, keys: tuple[Qt.Key, ...]) -> bool:
    """Claim one of these keys before a shortcut takes it; changes the event, returns whether it is one."""
    if not isinstance(event, QKeyEvent) or event.type() != QEvent.Type.ShortcutOverride:
        return False
    is_claimed = event.key() in keys
    if is_claimed:
        event.accept()
    return is_claimed
