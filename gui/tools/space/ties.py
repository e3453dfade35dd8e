"""Tools from body to body in space: rod, springs, dampers, force by formula, trigger."""

from gui.tools.plane.springs import (
    DamperTool,
    GeneralForceTool,
    RodTool,
    SpringDamperTool,
    SpringTool,
    TiesTool,
)
from gui.tools.plane.triggers import TriggerTool
from gui.tools.space.base import Fastening
from gui.tools.space.span import SpanInSpace


class TiesInSpace(Fastening, SpanInSpace, TiesTool):
    """Press on body one, release on body two; empty space is the ground."""

    def span_hint(self) -> str:
        """What to do while the other end is sought."""
        return self.tr(
            "Release on the other body; empty space is the ground. Type a length; x, y, z: an axis."
        )


class DistanceTool(TiesInSpace, RodTool):
    """Keeps two points at their distance."""


class SpringTool3D(TiesInSpace, SpringTool):
    """A spring between two bodies, or a torsion spring in a joint."""


class DamperTool3D(TiesInSpace, DamperTool):
    """A damper between two bodies, or in a joint."""


class SpringDamperTool3D(TiesInSpace, SpringDamperTool):
    """A spring and a damper side by side, or both in a joint."""


class GeneralForceTool3D(TiesInSpace, GeneralForceTool):
    """A force between two bodies by a formula."""


class TriggerTool3D(TiesInSpace, TriggerTool):
    """An event between two bodies."""
