"""The strip of tools at the left: an icon with its letter for each, in two columns."""

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

from gui.look.icons import icon
from gui.look.theme import theme_of
from gui.stages.stages import Stages
from gui.tools.base import Tool

COLUMNS = 2
SIZE = 37  # size of a button in pixels
GAP = 2
STEP = SIZE + GAP - 1
LEAST_ROWS = 8


class ToolSet:
    """The tools of one stage with their commands and buttons; the first one selects."""

    def __init__(self, stage: Stages, tools: list[Tool]) -> None:
        self.stage = stage
        self.tools = {tool.name: tool for tool in tools}
        self.actions: dict[str, QAction] = {}
        self.buttons: dict[str, ToolButton] = {}
        self.tips: dict[str, str] = {}
        self.keys: dict[str, QKeySequence] = {}  # of the tools that have a letter
        self.reason = ""  # why its tools cannot draw now


class ToolStrip(QWidget):
    """One button for each tool of the stage that is in use; exactly one is down."""

    def __init__(self, stage: Stages, tools: list[Tool], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sets: dict[int, ToolSet] = {}  # by the dimension of the models they draw in
        self.dim = 2
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.join(2, stage, tools)

    # --- the tools in use

    @property
    def current(self) -> ToolSet:
        """The tools that are shown."""
        return self.sets[self.dim]

    @property
    def stage(self) -> Stages:
        """The stage that they draw on."""
        return self.current.stage

    @property
    def tools(self) -> dict[str, Tool]:
        """The tools by name."""
        return self.current.tools

    @property
    def actions_(self) -> dict[str, QAction]:
        """The commands that activate them, by name."""
        return self.current.actions

    @property
    def buttons(self) -> dict[str, "ToolButton"]:
        """Their buttons, by name."""
        return self.current.buttons

    def join(self, dim: int, stage: Stages, tools: list[Tool]) -> None:
        """Add the tools for models of a dimension; changes the strip."""
        own = self.sets[dim] = ToolSet(stage, tools)
        group = QActionGroup(self)
        for n, tool in enumerate(tools):
            letter = tool.letter if n else "Esc"  # the first one selects; Escape returns to it
            action = self._action(own, tool, letter)
            group.addAction(action)
            button = ToolButton(action, letter, self)
            own.actions[tool.name], own.buttons[tool.name] = action, button
            own.tips[tool.name] = action.toolTip()
        stage.tool_changed.connect(lambda tool, own=own: self._follow(own, tool))
        self._follow(own, stage.tool)
        self._show_set(dim, dim == self.dim)

    def all_actions(self) -> list[QAction]:
        """The commands that activate tools, of every dimension."""
        return [action for own in self.sets.values() for action in own.actions.values()]

    def show_dim(self, dim: int) -> None:
        """Show the tools for models of a dimension, if there are any; changes the strip."""
        if dim not in self.sets or dim == self.dim:
            return
        self.stage.set_tool(None)
        self._show_set(self.dim, False)
        self.dim = dim
        self._show_set(dim, True)
        self._arrange()

    def _show_set(self, dim: int, shown: bool) -> None:
        """Show the tools of a dimension, or take their letters away; changes the strip."""
        own = self.sets[dim]
        for n, (name, action) in enumerate(own.actions.items()):
            action.setVisible(shown)
            action.setShortcut(own.keys[name] if shown and name in own.keys else QKeySequence())
            action.setEnabled(shown and (n == 0 or not own.reason))
            own.buttons[name].setVisible(shown)

    # --- layout of the buttons

    def sizeHint(self) -> QSize:
        """As wide as the columns needed at this height."""
        return QSize(self._columns() * STEP - GAP, LEAST_ROWS * STEP)

    def minimumSizeHint(self) -> QSize:
        """The minimum size, which is also the preferred one."""
        return self.sizeHint()

    def _columns(self) -> int:
        """Two columns, or more where the window is low."""
        rows = max(self.height() // STEP, LEAST_ROWS)
        return max(COLUMNS, -(-len(self.buttons) // rows))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the buttons into as many columns as are needed."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        columns = self._columns()
        for n, button in enumerate(self.buttons.values()):
            button.move(n % columns * STEP, n // columns * STEP)
        if self.width() != columns * STEP - GAP:
            self.setFixedWidth(columns * STEP - GAP)

    # --- commands

    def _action(self, own: ToolSet, tool: Tool, letter: str) -> QAction:
        """The command that activates a tool."""
        title = QCoreApplication.translate("Tool", tool.title)
        words = QCoreApplication.translate("Tool", tool.help) if tool.help else ""
        action = QAction(icon(tool.icon or tool.name), title, self, checkable=True)
        key = QKeySequence(letter)
        if letter != "Esc":  # the stage handles Escape itself: it may end a gesture first
            own.keys[tool.name] = key
        shown = key.toString(QKeySequence.SequenceFormat.NativeText)
        head = f"<b>{title}</b>" + (f" &nbsp;{shown}" if shown else "")
        action.setToolTip(f"{head}<br/>{words}" if words else head)
        action.triggered.connect(lambda: self._take(own, tool.name))
        return action

    def allow(self, reason: str = "") -> None:
        """Enable the tools that draw, or disable them for this reason; changes the strip."""
        own = self.current
        if reason == own.reason:
            return
        own.reason = reason
        for name, action in list(own.actions.items())[1:]:
            action.setEnabled(not reason)
            tip = own.tips[name]
            action.setToolTip(f"{tip}<br/>{reason}" if reason else tip)
        if reason:
            own.stage.set_tool(None)

    def take(self, name: str) -> None:
        """Make this the active tool."""
        self._take(self.current, name)

    def _take(self, own: ToolSet, name: str) -> None:
        own.stage.set_tool(own.tools[name])
        own.stage.setFocus()
        self._follow(own, own.stage.tool)

    def _follow(self, own: ToolSet, tool: Tool | None) -> None:
        """Press the button of the active tool."""
        name = tool.name if tool is not None else next(iter(own.tools), "")
        if name in own.actions:
            own.actions[name].setChecked(True)


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
