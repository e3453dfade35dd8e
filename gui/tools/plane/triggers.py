"""The tool for events: something is marked, or the run ends, when a measured value is crossed."""

from engine.editing import edits
from gui.tools.base import Modifiers, P
from gui.tools.plane.springs import TiesTool


class TriggerTool(TiesTool[P]):
    """An event between two bodies."""

    def finish(self, start: P, end: P, modifiers: Modifiers) -> bool:
        """Make it between the two points; its limit is their distance."""
        first, second = self.ends(start, end)
        ends = (first, self.place(start)), (second, self.place(end))
        model, id = edits.trigger(self.model, *ends)
        self.commit(self.step(), model, (id,))
        return True
