"""The tool for events: something is marked, or the run ends, when a measured value is crossed."""

from PySide6.QtCore import QT_TRANSLATE_NOOP

from engine.editing import edits
from gui.placing.plane.picks import Pick
from gui.tools.base import Modifiers
from gui.tools.plane.springs import TiesTool


class TriggerTool(TiesTool):
    """An event between two bodies."""

    name = kind = icon = "trigger"
    title = QT_TRANSLATE_NOOP("Tool", "Trigger (event)")
    letter = "Shift+E"
    group = "marks"
    drawn = "dashed"
    help = QT_TRANSLATE_NOOP(
        "Tool",
        "Press on one body, release on another: crossing a distance, angle or speed is marked, or "
        "ends the run.",
    )
    opening = QT_TRANSLATE_NOOP(
        "TriggerTool",
        "Trigger: press on one body, release on another; then give its limit in the properties.",
    )

    def finish(self, start: Pick, end: Pick, modifiers: Modifiers) -> bool:
        """Make it between the two points."""
        first, second = self.ends(start, end)
        ends = (first, self.place(start)), (second, self.place(end))
        model, id = edits.trigger(self.model, *ends)
        self.commit(self.tr("Add trigger"), model, (id,))
        return True
