"""Small buttons with a symbol."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QToolButton

from gui.look.icons import icon


def icon_button(symbol: str, tip: str) -> QToolButton:
    """A button with a symbol, and a tooltip that says what it does."""
    button = QToolButton()
    button.setIcon(icon(symbol))
    button.setToolTip(tip)
    return button


def small_button(symbol: str, tip: str, size: int) -> QToolButton:
    """A flat button with a symbol of the given width in pixels; it never takes the focus."""
    button = icon_button(symbol, tip)
    button.setObjectName(symbol)
    button.setAutoRaise(True)
    button.setIconSize(QSize(size, size))
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return button
