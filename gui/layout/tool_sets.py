"""The tools of the window with their commands: those of the plane, those of space; one is active."""

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeySequence

from gui.look.icons import icon
from gui.stages.stages import Stages
from gui.tools.base import Tool


class ToolSet:
    """The tools for models of one dimension with their commands; the first one selects."""

    def __init__(self, stage: Stages, tools: list[Tool]) -> None:
        self.stage = stage
        self.tools = {tool.name: tool for tool in tools}
        self.actions: dict[str, QAction] = {}
        self.tips: dict[str, str] = {}
        self.keys: dict[str, QKeySequence] = {}  # of the tools that have a letter
        self.reason = ""  # why its tools cannot draw now


class ToolSets(QObject):
    """The commands that take tools; exactly one of those in use is checked."""

    changed = Signal()  # other tools are in use

    def __init__(self, stage: Stages, tools: list[Tool], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.sets: dict[int, ToolSet] = {}  # by the dimension of the models they draw in
        self.dim = 2
        self.join(2, stage, tools)

    # --- the tools in use

    @property
    def current(self) -> ToolSet:
        """The tools in use."""
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

    def join(self, dim: int, stage: Stages, tools: list[Tool]) -> None:
        """Add the tools for models of a dimension; changes the sets."""
        own = self.sets[dim] = ToolSet(stage, tools)
        group = QActionGroup(self)
        for n, tool in enumerate(tools):
            letter = tool.letter if n else "Esc"  # the first one selects; Escape returns to it
            action = self._action(own, tool, letter)
            group.addAction(action)
            own.actions[tool.name] = action
            own.tips[tool.name] = action.toolTip()
        stage.tool_changed.connect(lambda tool, own=own: self._follow(own, tool))
        self._follow(own, stage.tool)
        self._use(dim, dim == self.dim)

    def all_actions(self) -> list[QAction]:
        """The commands that activate tools, of every dimension."""
        return [action for own in self.sets.values() for action in own.actions.values()]

    def show_dim(self, dim: int) -> None:
        """Use the tools for models of a dimension, if there are any; changes the sets."""
        if dim not in self.sets or dim == self.dim:
            return
        self.stage.set_tool(None)
        self._use(self.dim, False)
        self.dim = dim
        self._use(dim, True)
        self.changed.emit()

    def _use(self, dim: int, used: bool) -> None:
        """Show the commands of a dimension, or take their letters away; changes the actions."""
        own = self.sets[dim]
        for n, (name, action) in enumerate(own.actions.items()):
            action.setVisible(used)
            action.setShortcut(own.keys[name] if used and name in own.keys else QKeySequence())
            action.setEnabled(used and (n == 0 or not own.reason))

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
        """Enable the tools that draw, or disable them for this reason; changes the commands."""
        own = self.current
        if reason == own.reason:
            return
        own.reason = reason
        for name, action in list(own.actions.items())[1:]:
            action.setEnabled(not reason)
            action.setProperty("reason", reason)
            tip = own.tips[name]
            action.setToolTip(f"{tip}<br/>{reason}" if reason else tip)
        if reason:
            own.stage.set_tool(None)

    def take(self, name: str) -> None:
        """Make this the active tool."""
        self._take(self.current, name)

    def _take(self, own: ToolSet, name: str) -> None:
        """Make a tool the active one; asked for again, it stays after it was used."""
        if own.stage.tool is own.tools[name]:
            own.stage.keep_tool()
        own.stage.set_tool(own.tools[name])
        own.stage.setFocus()
        self._follow(own, own.stage.tool)

    def _follow(self, own: ToolSet, tool: Tool | None) -> None:
        """Check the command of the active tool."""
        name = tool.name if tool is not None else next(iter(own.tools), "")
        if name in own.actions:
            own.actions[name].setChecked(True)
