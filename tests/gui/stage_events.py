"""A stage in a window of its own, and a simulated mouse on it."""

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gui.stages.plane.view import StageView
from gui.state.document import Document
from gui.state.playback import Playback
from gui.state.selection import Selection

NONE = Qt.KeyboardModifier.NoModifier


class Hand:
    """A stage with its document, and gestures in metres."""

    def __init__(self, qtbot, model=None, size=(900, 600)):
        self.document, self.selection, self.playback = Document(), Selection(), Playback()
        if model is not None:
            self.document.new(model)
        self.view = StageView(self.document, self.selection, self.playback)
        qtbot.addWidget(self.view)
        self.view.resize(*size)
        self.view.show()
        qtbot.waitExposed(self.view)
        self.view.fit()
        self.held = Qt.MouseButton.NoButton
        self.said = []
        self.view.complained.connect(self.said.append)

    @property
    def model(self):
        """The model of the document."""
        return self.document.model

    def pixels(self, at):
        """A place in metres as a point of the viewport."""
        return at if isinstance(at, QPoint) else self.view.to_pixels(*at).toPoint()

    def send(self, kind, at, button, modifiers):
        """Send a mouse event; waiting for the pointer of the display would make tests uncertain."""
        viewport, place = self.view.viewport(), self.pixels(at)
        where = QPointF(place), QPointF(viewport.mapToGlobal(place))
        QApplication.sendEvent(
            viewport, QMouseEvent(kind, *where, button, self.held, modifiers or NONE)
        )

    def move(self, at, modifiers=NONE):
        """Move the mouse."""
        self.send(QEvent.Type.MouseMove, at, Qt.MouseButton.NoButton, modifiers)

    def press(self, at, modifiers=NONE, button=Qt.MouseButton.LeftButton):
        """Move there and hold the button."""
        self.move(at, modifiers)
        self.held = button
        self.send(QEvent.Type.MouseButtonPress, at, button, modifiers)

    def release(self, at, modifiers=NONE, button=Qt.MouseButton.LeftButton):
        """Release the button."""
        self.held = Qt.MouseButton.NoButton
        self.send(QEvent.Type.MouseButtonRelease, at, button, modifiers)

    def click(self, at, modifiers=NONE, button=Qt.MouseButton.LeftButton):
        """Move there and click."""
        self.press(at, modifiers, button)
        self.release(at, modifiers, button)

    def double_click(self, at):
        """Click, and click again at once."""
        self.click(at)
        self.held = Qt.MouseButton.LeftButton
        self.send(QEvent.Type.MouseButtonDblClick, at, self.held, NONE)
        self.release(at)

    def drag(self, start, end, modifiers=NONE, steps=8, button=Qt.MouseButton.LeftButton):
        """Press, move in some steps and release."""
        a, b = QPointF(self.pixels(start)), QPointF(self.pixels(end))
        self.press(start, modifiers, button)
        for n in range(1, steps + 1):
            self.move((a + (b - a) * n / steps).toPoint(), modifiers)
        self.release(b.toPoint(), modifiers, button)

    def key(self, key, modifiers=NONE):
        """Press a key on the stage."""
        QTest.keyClick(self.view, key, modifiers)

    def colors(self):
        """How often each colour is on the screen."""
        image = self.view.grab().toImage()
        seen: dict[str, int] = {}
        for x in range(0, image.width(), 2):
            for y in range(0, image.height(), 2):
                name = image.pixelColor(x, y).name()
                seen[name] = seen.get(name, 0) + 1
        return seen
