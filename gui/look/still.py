"""Boxes and sliders that leave the mouse wheel to the form around them: it scrolls, their value stays."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent, QPalette, QWheelEvent
from PySide6.QtWidgets import QComboBox, QSlider, QStyle, QStyleOptionComboBox, QStylePainter

MARGIN = 4  # pixels beside the text of a choice


class StillComboBox(QComboBox):
    """A choice that the wheel does not change."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Let the form scroll."""
        event.ignore()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A choice that is too long for its box ends with an ellipsis, not in the middle of a letter."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        if self.currentIndex() < 0 and self.placeholderText():
            faint = option.palette.color(QPalette.ColorRole.PlaceholderText)
            option.palette.setColor(QPalette.ColorRole.ButtonText, faint)
            option.currentText = self.placeholderText()
        field = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox,
            option,
            QStyle.SubControl.SC_ComboBoxEditField,
            self,
        )
        room, right = field.width() - MARGIN, Qt.TextElideMode.ElideRight
        option.currentText = option.fontMetrics.elidedText(option.currentText, right, room)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)


class StillSlider(QSlider):
    """A slider that the wheel does not move."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Let the form scroll."""
        event.ignore()
