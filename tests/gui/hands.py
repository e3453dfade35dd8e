"""A simulated mouse that operates a tool without a window: it picks and snaps as the stage does."""

from PySide6.QtCore import Qt

from engine.formulas.lenient import lenient
from gui.placing.plane.picks import pick_at
from gui.placing.plane.placement import Placement
from gui.placing.plane.snapping import anchors, snap
from gui.state.document import Document
from gui.state.selection import Selection
from gui.tools import TOOLS
from gui.tools.base import NO_MODIFIER, Tool
from gui.tools.plane.bodies import LinkTool
from gui.tools.space import TOOLS3D

PIXEL = 0.005


def tool_named(name: str, dim: int = 2) -> type[Tool]:
    """The tool of a strip by its name."""
    return next(tool for tool in (TOOLS if dim == 2 else TOOLS3D) if tool.name == name)


class Hand:
    """A document, a selection, a tool, and the messages of the tool."""

    def __init__(self):
        self.document, self.selection = Document(), Selection()
        self.tool = None
        self.tools = {}
        self.complaints = []
        self._seen = (None, None, [])  # the last model, where it is, what it snaps to
        self.finished = 0

    @property
    def model(self):
        """The model as it is now."""
        return self.document.model

    def take(self, tool_class):
        """Activate a tool."""
        if self.tool is not None:
            self.tool.stop()
        if tool_class not in self.tools:
            tool = self.tools[tool_class] = tool_class(self.document, self.selection)
            tool.complained.connect(self.complaints.append)
            tool.finished.connect(self._count)
        self.tool = self.tools[tool_class]
        self.tool.pixel = PIXEL
        self.tool.start()
        return self

    def _count(self):
        self.finished += 1

    def pick(self, x, y, snapping=True):
        """The pick that the stage would pass to the tool at a place."""
        if self._seen[0] is not self.model:
            placement = Placement(lenient(self.model))
            self._seen = (self.model, placement, anchors(placement))
        _, placement, around = self._seen
        snapped = snap(around, x, y, PIXEL) if snapping else None
        return pick_at(placement, x, y, PIXEL, snapped)

    def move(self, x, y, held=NO_MODIFIER):
        """Move the mouse."""
        self.tool.move(self.pick(x, y), held)
        return self.tool.preview

    def press(self, x, y, held=NO_MODIFIER):
        """Press the button."""
        self.move(x, y, held)
        self.tool.press(self.pick(x, y), held)

    def release(self, x, y, held=NO_MODIFIER):
        """Release the button."""
        self.move(x, y, held)
        self.tool.release(self.pick(x, y), held)

    def click(self, x, y, held=NO_MODIFIER):
        """Press and release at one place."""
        self.press(x, y, held)
        self.release(x, y, held)

    def drag(self, a, b, held=NO_MODIFIER):
        """Press at one place and release at another."""
        self.press(*a, held)
        self.release(*b, held)

    def type(self, text):
        """Type characters; each must be accepted by the tool."""
        for character in text:
            key = ord(character.upper())
            assert self.tool.wants_key(key, character, NO_MODIFIER), character
            assert self.tool.key(key, character, NO_MODIFIER)

    def hit(self, key):
        """Press a key that is not a character; returns whether the tool used it."""
        text = {Qt.Key.Key_Tab: "\t", Qt.Key.Key_Return: "\r"}.get(key, "")
        return self.tool.key(key, text, NO_MODIFIER)

    def draw_two_links(self):
        """Draw two links that are pinned to each other at (1, 0)."""
        self.take(LinkTool)
        for x, y in ((0, 0), (1, 0), (1, 0), (1, 1)):
            self.click(x, y)
        assert self.kinds() == ["body", "body", "revolute"]
        return self

    def words(self):
        """All labels of the preview."""
        return [label.text for label in self.tool.preview.labels]

    def kinds(self):
        """The kinds of all elements but markers, in creation order."""
        return [e.kind for e in self.model if e.family != "marker"]
