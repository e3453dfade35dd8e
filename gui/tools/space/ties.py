"""Tools from body to body in space: rod, springs, dampers, force by formula, trigger."""

from gui.tools.plane.springs import TiesTool
from gui.tools.plane.triggers import TriggerTool
from gui.tools.space.base import Fastening
from gui.tools.space.span import SpanInSpace


class TiesInSpace(Fastening, SpanInSpace, TiesTool):
    """Press on body one, release on body two; empty space is the ground."""

    def span_hint(self) -> str:
        """The hint while the other end is still to be chosen."""
        return self.tr(
            "Release on the other body; empty space is the ground. Type a length; x, y, z: an axis."
        )


class TriggerTool3D(TiesInSpace, TriggerTool):
    """An event between two bodies."""
