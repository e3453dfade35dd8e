"""The basic selection tool in space: click, Shift-click, double click."""

from typing import Any, ClassVar

from PySide6.QtCore import Qt

from gui.look.translation import QT_TRANSLATE_NOOP
from gui.placing.space.picks import SpacePick, Vec3
from gui.tools.base import SHIFT, Modifiers
from gui.tools.space.base import SpaceTool


class PlainSelect(SpaceTool):
    """What the mouse does while no other tool is chosen: it selects, and pulls in live mode."""

    name: ClassVar[str] = "select"
    title: ClassVar[str] = QT_TRANSLATE_NOOP("Tool", "Select")
    letter: ClassVar[str] = "V"
    icon: ClassVar[str] = "select"
    cursor: ClassVar[Qt.CursorShape] = Qt.CursorShape.ArrowCursor
    stage: Any = None
    snaps = False

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.pull: tuple[str, Vec3, Vec3] | None = None  # live mode: body, point in it, target
        self._plane: Vec3 = (0.0, 0.0, 1.0)

    def idle_hint(self) -> str:
        """What can be done."""
        if self.stage is not None and self.stage.is_live:
            return self.tr("Live: drag a body to pull it on a spring.")
        return self.tr(
            "Click selects, Shift adds. Drag beside the model turns the view, the middle button moves it."
        )

    def wants_press(self, pick: SpacePick) -> bool:
        """Whether a press is for this tool; beside the model it turns the view."""
        return bool(pick.element or pick.handle)

    def press(self, pick: SpacePick, modifiers: Modifiers) -> None:
        """Select the element there, or grab it in live mode."""
        if self.stage is not None and self.stage.is_live and pick.bodies:
            self._begin_pull(pick)
        elif modifiers & SHIFT:
            self.selection.toggle(pick.element)
        else:
            self.selection.set((pick.element,) if pick.element else ())

    def _begin_pull(self, pick: SpacePick) -> None:
        placement = self.stage.scene.placement
        body = next((b for b in pick.bodies if not placement.is_fixed(b)), None)
        if body is not None:
            self.selection.set((body,))
            self.pull = (body, placement.to_body(body, pick.point), pick.point)
            self.stage.pull_started.emit(*self._in_dim(*self.pull))

    def _in_dim(self, body: str, point: Vec3, target: Vec3) -> tuple[str, Any, Any]:
        """Of a planar model only the two numbers of the plane."""
        dim = self.model.dim
        return body, point[:dim], target[:dim]

    def move(self, pick: SpacePick, modifiers: Modifiers) -> None:
        """Pull the body in the plane through the grip that faces the camera."""
        if self.pull is not None:
            target = self.stage.across(pick.ray, self.pull[2])
            self.pull = (*self.pull[:2], target)
            self.stage.pull_moved.emit(target[: self.model.dim])
            self.changed.emit()

    def release(self, pick: SpacePick, modifiers: Modifiers) -> None:
        """Let go."""
        if self.pull is not None:
            self.pull = None
            self.stage.pull_ended.emit()
            self.changed.emit()

    def double_click(self, pick: SpacePick, modifiers: Modifiers) -> None:
        """Open the form of the element there."""
        if pick.element:
            self.stage.edit_requested.emit(pick.element)


def select_tool_class() -> Any:
    """The selection tool of the stage: the full one, where it is available."""
    try:
        from gui.tools.space.select import SelectTool3D
    except ImportError:
        return PlainSelect
    return SelectTool3D
