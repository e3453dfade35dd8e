"""The small list at the cursor: a tool asks which of several things is meant."""

from functools import partial

from PySide6.QtCore import QTimer
from PySide6.QtGui import QCursor, QKeyEvent
from PySide6.QtWidgets import QMenu, QWidget

from gui.tools.base import Tool
from gui.tools.typed import ENTER


class ChoiceList(QMenu):
    """Shows the choices of a tool in a modal list and reports the chosen one."""

    def __init__(self, view: QWidget) -> None:
        super().__init__(view)
        self.tool: Tool | None = None
        self.chosen = -1
        self.aboutToHide.connect(self._answer)

    def show_choices(self, tool: Tool) -> None:
        """Open at the cursor if the tool has choices, close if it has none; changes the menu."""
        if not tool.choices:
            if self.tool is tool and self.isVisible():
                self.tool = None
                self.hide()
            return
        if self.isVisible():
            return
        self.clear()
        self.tool, self.chosen = tool, -1
        for number, choice in enumerate(tool.choices):
            action = self.addAction(choice.label)
            action.triggered.connect(partial(self._choose, tool, number))
            action.hovered.connect(partial(self._point_at, tool, choice.ids))
        self.popup(QCursor.pos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter takes the first line where none is pointed at."""
        if event.key() in ENTER and self.activeAction() is None:
            self.setActiveAction(self.actions()[0])
        super().keyPressEvent(event)

    def _choose(self, tool: Tool, number: int) -> None:
        self.tool, self.chosen = None, number
        tool.choose(number)

    def _answer(self) -> None:
        """Closed without a choice: tell the tool, unless a choice follows at once."""
        QTimer.singleShot(0, self, self._give_up)

    def _give_up(self) -> None:
        tool, self.tool = self.tool, None
        if tool is not None and tool.choices:
            tool.choose(-1)

    @staticmethod
    def _point_at(tool: Tool, ids: tuple) -> None:
        """Highlight the elements of a line on the stage."""
        tool.selection.hover(ids[0] if ids else "")
