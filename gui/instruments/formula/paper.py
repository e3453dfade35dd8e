"""The paper around a sheet: it scrolls, and tells the sheet how wide it may be."""

from typing import Protocol, runtime_checkable

from PySide6.QtGui import QColor, QPalette, QResizeEvent
from PySide6.QtWidgets import QScrollArea, QStyle, QWidget


@runtime_checkable
class Fitting(Protocol):
    """A sheet that is laid out for the room it has."""

    paper: QColor

    def set_room(self, width: int) -> None:
        """Fit into this width as well as may be; changes the size."""


class Paper(QScrollArea):
    """A sheet with room to scroll, on its own paper."""

    def __init__(self, content: QWidget) -> None:
        super().__init__()
        self.content = content
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self.setWidget(content)
        for bar in (self.horizontalScrollBar(), self.verticalScrollBar()):
            bar.valueChanged.connect(content.update)  # names may stay where they are seen

    def colour(self, paper: QColor) -> None:
        """Have this colour on the sheet and around it; changes how both look."""
        if isinstance(self.content, Fitting):
            self.content.paper = paper
        around = self.viewport().palette()
        for role in (QPalette.ColorRole.Base, QPalette.ColorRole.Window):
            around.setColor(role, paper)
        self.viewport().setPalette(around)
        self.viewport().setAutoFillBackground(True)
        self.content.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Tell the sheet; the bar has its room even where it is hidden, so that nothing goes to and fro."""
        super().resizeEvent(event)
        if isinstance(self.content, Fitting):
            bar = self.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
            self.content.set_room(self.width() - 2 * self.frameWidth() - bar)
