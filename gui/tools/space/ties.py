"""Tools from body to body in space: rod, springs, dampers, force by formula, trigger."""

from engine.model.attachments import reads_axes
from gui.placing.space.picks import SpacePick, Vec3
from gui.tools.plane.springs import TiesTool
from gui.tools.plane.triggers import TriggerTool
from gui.tools.space import geometry as g
from gui.tools.space.base import Fastening
from gui.tools.space.joints import STRAIGHT
from gui.tools.space.span import SpanInSpace


class TiesInSpace(Fastening, SpanInSpace, TiesTool[SpacePick]):
    """Press on body one, release on body two; empty space is the ground."""

    def directions(self, start: SpacePick, end: SpacePick) -> dict[str, Vec3]:
        """Its axis is that of the geometry where it begins, unless the line itself goes along it."""
        way = g.minus(end.point, start.point)
        axis = start.axis or start.normal
        along = abs(g.dot(way, axis)) > STRAIGHT * g.norm(way) * g.norm(axis)
        return {"axis": axis} if any(reads_axes(self.element, 3)) and not along else {}

    def span_hint(self) -> str:
        """The hint while the other end is still to be chosen."""
        return self.tr(
            "Release on the other body; empty space is the ground. Type a length; x, y, z: an axis."
        )


class TriggerTool3D(TiesInSpace, TriggerTool[SpacePick]):
    """An event between two bodies."""
