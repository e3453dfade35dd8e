"""The half of a stage that holds tools: which one is active, and where its signals go."""

from typing import Any

from PySide6.QtCore import Qt, QTimer

from gui.tools.base import Tool


class ToolHolder:
    """Mixed into a stage, in the plane or in space, before its widget.

    The stage sets `select_tool`, shows what the active tool shows in `tool_showed`, and has the signals
    `tool_changed`, `hint_changed` and `complained`.
    """

    select_tool: Any
    keeps_tool = False  # the active tool stays after it was used
    _pressed_with: Tool | None = None  # the tool that had the last press
    _tool: Tool

    def take_up(self, select_tool: Any) -> None:
        """Start with the selection tool; changes the stage."""
        self.select_tool = self._tool = select_tool
        select_tool.stage = self

    def tool_showed(self) -> None:
        """Draw the preview of the tool, and show its hint; changes the stage."""
        raise NotImplementedError

    def set_tool_cursor(self, cursor: Qt.CursorShape) -> None:
        """Set the mouse cursor of the tool; changes the stage."""
        raise NotImplementedError

    @property
    def tool(self) -> Tool | None:
        """The active tool; None while things are selected."""
        return None if self._tool is self.select_tool else self._tool

    @property
    def active_tool(self) -> Tool:
        """The tool that receives the mouse: the active one, or the selection tool."""
        return self._tool

    def set_tool(self: Any, tool: Tool | None) -> None:
        """Make a tool the active one, None: select; changes the stage."""
        new = self.select_tool if tool is None else tool
        if new is self._tool:
            return
        if tool is not None:
            self.playback.leave()  # drawing changes the design pose, so that pose is shown
        self.keeps_tool, self._pressed_with = False, None
        old, self._tool = self._tool, new
        old.stop()
        for signal, slot in self._tool_slots(old):
            signal.disconnect(slot)
        self.join_tool(new)
        self.tool_changed.emit(self.tool)
        self._tool.pixel = self.scale_of_pixel()
        new.start()
        self.tool_showed()

    def keep_tool(self) -> None:
        """Let the active tool stay until Escape; changes the stage."""
        self.keeps_tool = self.tool is not None

    def let_go(self: Any) -> None:
        """Give up the gesture; if there is none the tool, then the selection. Changes the stage."""
        if self.labels.cancel() or self._tool.cancel():
            return
        if self.tool is not None:
            self.set_tool(None)
        else:
            self.selection.clear()

    def join_tool(self: Any, tool: Tool) -> None:
        """Connect a tool and show its hint; changes the stage."""
        for signal, slot in self._tool_slots(tool):
            signal.connect(slot)
        self.set_tool_cursor(tool.cursor)
        self.hint_changed.emit(tool.hint)

    def is_first_press(self) -> bool:
        """Whether a double click begins for this tool: an earlier press was for another one."""
        return self.tool is not None and self._pressed_with is not self._tool

    def tell_tool(self, pixel: float) -> None:
        """Tell the tool how large a pixel is now [m]; changes the tool."""
        self._tool.pixel = pixel

    def glows(self: Any) -> dict[str, str]:
        """The elements to highlight: part of a gesture, hovered or selected."""
        glows = dict.fromkeys(self._tool.preview.bodies, "partner")
        if self.selection.hovered:
            glows[self.selection.hovered] = "hover"
        return glows | dict.fromkeys(self.selection.ids, "selected")

    def _tool_slots(self: Any, tool: Tool) -> tuple:
        return (
            (tool.changed, self.tool_showed),
            (tool.complained, self.complained),
            (tool.finished, self._end_tool),
            (tool.used, self._on_used),
        )

    def _on_used(self: Any) -> None:
        """A tool is used once, when its gesture is over, unless it is kept."""
        tool = self.tool
        if tool is not None and not self.keeps_tool:
            QTimer.singleShot(0, self, lambda: self._end_used(tool))

    def _end_used(self, tool: Tool) -> None:
        if self.tool is tool and not self.keeps_tool and not tool.is_busy:
            self.set_tool(None)

    def _end_tool(self) -> None:
        self.set_tool(None)
