"""The strip of tools at the left: an icon with its letter for each, in two columns."""

from typing import Any

from PySide6.QtCore import QCoreApplication, QRect, QSize, Qt
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QColor,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from gui.icons import icon
from gui.theme import theme_of

COLUMNS = 2
SIZE = 37  # pixels of a button
GAP = 2
STEP = SIZE + GAP - 1
LEAST_ROWS = 8


class ToolStrip(QWidget):
    """One button for each tool; exactly one is down."""

    def __init__(self, stage: Any, tools: list[Any], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.stage = stage
        self.actions_: dict[str, QAction] = {}
        self.buttons: dict[str, ToolButton] = {}
        self.tips: dict[str, str] = {}
        self._reason = ""
        self.tools = {tool.name: tool for tool in tools}
        self.group = QActionGroup(self)
        for n, tool in enumerate(tools):
            letter = tool.letter if n else "Esc"  # the first one selects; Escape returns to it
            action = self._action(tool, letter)
            button = ToolButton(action, letter, self)
            self.actions_[tool.name], self.buttons[tool.name] = action, button
            self.tips[tool.name] = action.toolTip()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        stage.tool_changed.connect(self._follow)
        self._follow(stage.tool)

    def sizeHint(self) -> QSize:
        """As wide as the columns that the height asks for."""
        return QSize(self._columns() * STEP - GAP, LEAST_ROWS * STEP)

    minimumSizeHint = sizeHint

    def _columns(self) -> int:
        """Two columns, or more where the window is low."""
        rows = max(self.height() // STEP, LEAST_ROWS)
        return max(COLUMNS, -(-len(self.buttons) // rows))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the buttons into as many columns as are needed."""
        super().resizeEvent(event)
        columns = self._columns()
        for n, button in enumerate(self.buttons.values()):
            button.move(n % columns * STEP, n // columns * STEP)
        if self.width() != columns * STEP - GAP:
            self.setFixedWidth(columns * STEP - GAP)

    def _action(self, tool: Any, letter: str) -> QAction:
        """The command that takes up a tool."""
        title = QCoreApplication.translate("Tool", tool.title)
        words = QCoreApplication.translate("Tool", tool.help) if tool.help else ""
        action = QAction(icon(tool.icon or tool.name), title, self, checkable=True)
        key = QKeySequence(letter)
        if letter != "Esc":  # the stage hears Escape itself: it may end a gesture first
            action.setShortcut(key)
        shown = key.toString(QKeySequence.SequenceFormat.NativeText)
        head = f"<b>{title}</b>" + (f" &nbsp;{shown}" if shown else "")
        action.setToolTip(f"{head}<br/>{words}" if words else head)
        action.triggered.connect(lambda: self.take(tool.name))
        self.group.addAction(action)
        return action

    def allow(self, reason: str = "") -> None:
        """Enable the tools that draw, or disable them for this reason; changes the strip."""
        if reason == self._reason:
            return
        self._reason = reason
        for name, action in list(self.actions_.items())[1:]:
            action.setEnabled(not reason)
            tip = self.tips[name]
            action.setToolTip(f"{tip}<br/>{reason}" if reason else tip)
        if reason:
            self.stage.set_tool(None)

    def take(self, name: str) -> None:
        """Make this the active tool."""
        self.stage.set_tool(self.tools[name])
        self.stage.setFocus()
        self._follow(self.stage.tool)

    def _follow(self, tool: Any) -> None:
        """Press the button of the active tool."""
        name = tool.name if tool is not None else next(iter(self.tools), "")
        if name in self.actions_:
            self.actions_[name].setChecked(True)


class ToolButton(QToolButton):
    """A button with a small letter in its corner."""

    def __init__(self, action: QAction, letter: str, strip: QWidget) -> None:
        super().__init__(strip)
        self.setDefaultAction(action)
        self.setIconSize(QSize(22, 22))
        self.setFixedSize(SIZE, SIZE - 1)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.letter = letter.rpartition("+")[2] if letter.startswith("Shift") else letter
        self.has_shift = letter.startswith("Shift")

    def paintEvent(self, event: QPaintEvent) -> None:
        """The icon, then its letter."""
        super().paintEvent(event)
        painter = QPainter(self)
        theme = theme_of(self.palette())
        painter.setPen(QColor(theme.accent if self.isChecked() else theme.quiet))
        font = painter.font()
        font.setPixelSize(9)
        painter.setFont(font)
        place = QRect(0, 0, self.width() - 4, self.height() - 2)
        shown = ("⇧" if self.has_shift else "") + self.letter
        painter.drawText(place, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignBottom, shown)
        painter.end()
