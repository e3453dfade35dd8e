"""Simulated input at the real window, by real mouse and key events."""

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

NO_KEY = Qt.KeyboardModifier.NoModifier
NO_BUTTON, LEFT = Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton


class StageHand:
    """Draws on the stage of a window at places in metres."""

    def __init__(self, window):
        self.window, self.stage = window, window.stage
        self.board = window.stage.viewport()

    def look_at(self, x, y, width):
        """Show a square of this width in metres around a place."""
        pixels = min(self.board.width(), self.board.height())
        self.stage.camera.set_state(x, y, pixels / width)
        self.stage.zoom(1.0)

    def pixel(self, x, y):
        """Where a place in metres is on the screen; it must be in sight."""
        at = self.stage.to_pixels(x, y).toPoint()
        assert self.board.rect().contains(at), f"({x}, {y}) is out of sight"
        return at

    def _send(self, kind, at: QPoint, button, buttons, held):
        place = QPointF(at)
        event = QMouseEvent(kind, place, QPointF(self.board.mapToGlobal(at)), button, buttons, held)
        QApplication.sendEvent(self.board, event)
        QApplication.processEvents()

    def move(self, x, y, held=NO_KEY, buttons=NO_BUTTON):
        """Move the mouse."""
        self._send(QEvent.Type.MouseMove, self.pixel(x, y), NO_BUTTON, buttons, held)

    def press(self, x, y, held=NO_KEY):
        """Press the left button."""
        self.move(x, y, held)
        self._send(QEvent.Type.MouseButtonPress, self.pixel(x, y), LEFT, LEFT, held)

    def release(self, x, y, held=NO_KEY):
        """Release the left button."""
        self.move(x, y, held, LEFT)
        self._send(QEvent.Type.MouseButtonRelease, self.pixel(x, y), LEFT, NO_BUTTON, held)

    def click(self, x, y, held=NO_KEY):
        """Press and release."""
        self.press(x, y, held)
        self.release(x, y, held)

    def drag(self, a, b, held=NO_KEY):
        """Press, move in two steps, release."""
        self.press(*a, held)
        self.move((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, held, LEFT)
        self.release(*b, held)

    def hit(self, key, held=NO_KEY, times=1):
        """Press a key; shortcuts of the window receive it as in normal use."""
        for _ in range(times):
            QTest.keyClick(self.stage, key, held)
            QApplication.processEvents()

    def type(self, text):
        """Type characters."""
        for character in text:
            QTest.keyClick(self.stage, character)
        QApplication.processEvents()

    def choose(self, number):
        """Choose a line of the small list at the cursor, with the arrow keys and Enter."""
        menu = QApplication.activePopupWidget()
        assert menu is not None, "there is no list at the cursor"
        for _ in range(number + 1):
            QTest.keyClick(menu, Qt.Key.Key_Down)
        QTest.keyClick(menu, Qt.Key.Key_Return)
        QApplication.processEvents()
