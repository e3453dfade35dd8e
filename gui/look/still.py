"""Boxes and sliders that leave the mouse wheel to the form around them: it scrolls, their value stays."""

from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QSlider


class StillComboBox(QComboBox):
    """A choice that the wheel does not change."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Let the form scroll."""
        event.ignore()


class StillSlider(QSlider):
    """A slider that the wheel does not move."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Let the form scroll."""
        event.ignore()
