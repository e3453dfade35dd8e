"""Simulated input on the stage in space of the real window, by real mouse and key events."""

from dataclasses import replace

from PySide6.QtCore import QEvent, QPoint

from tests.gui.stage_hand import LEFT, NO_BUTTON, NO_KEY, StageHand

MOVE, PRESS = QEvent.Type.MouseMove, QEvent.Type.MouseButtonPress
RELEASE = QEvent.Type.MouseButtonRelease


class SpaceStageHand(StageHand):
    """Draws on the stage in space of a window, at places in metres."""

    def __init__(self, window):
        self.window = window
        self.stage = self.board = window.stages.spatial

    def look_at(self, focus, height):
        """Look at a place in the present direction, with this much in view [m]."""
        self.stage.go_to(replace(self.stage.eye, focus=tuple(focus), height=height))

    def pixel(self, *place):
        """Where a place in metres is on the screen; it must be in sight."""
        at = QPoint(*(round(x) for x in self.stage.to_pixels(place)))
        assert self.board.rect().contains(at), f"{place} is out of sight"
        return at

    def move(self, *place, held=NO_KEY, buttons=NO_BUTTON):
        """Move the mouse."""
        self._send(MOVE, self.pixel(*place), NO_BUTTON, buttons, held)

    def press(self, *place, held=NO_KEY):
        """Press the left button."""
        self.move(*place, held=held)
        self._send(PRESS, self.pixel(*place), LEFT, LEFT, held)

    def release(self, *place, held=NO_KEY):
        """Release the left button."""
        self.move(*place, held=held, buttons=LEFT)
        self._send(RELEASE, self.pixel(*place), LEFT, NO_BUTTON, held)

    def click(self, *place, held=NO_KEY):
        """Press and release."""
        self.press(*place, held=held)
        self.release(*place, held=held)

    def drag(self, a, b, held=NO_KEY):
        """Press, move half the way, release."""
        self.press(*a, held=held)
        middle = [(x + y) / 2 for x, y in zip(a, b)]
        self.move(*middle, held=held, buttons=LEFT)
        self.release(*b, held=held)

    def pressed_at(self, at):
        """Press the left button at a pixel."""
        self._send(MOVE, at, NO_BUTTON, NO_BUTTON, NO_KEY)
        self._send(PRESS, at, LEFT, LEFT, NO_KEY)

    def released_at(self, at):
        """Release the left button at a pixel."""
        self._send(RELEASE, at, LEFT, NO_BUTTON, NO_KEY)
