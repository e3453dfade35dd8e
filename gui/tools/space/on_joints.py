"""Tools that work on joints in space, and marks on bodies: the same as in the plane."""

from gui.placing.space.picks import SpacePick
from gui.tools.plane.cables import CableTool
from gui.tools.plane.loads import LoadTool, PointTool, TracerTool
from gui.tools.plane.on_joints import GearTool, InJointTool, LimitsTool, MotorTool, RackTool
from gui.tools.space.base import Fastening, InSpace


class MotorTool3D(InSpace, MotorTool[SpacePick]):
    """Drives a coordinate of a joint."""


class LimitsTool3D(InSpace, LimitsTool[SpacePick]):
    """Puts stops to both sides of a joint."""


class InJointTool3D(InSpace, InJointTool[SpacePick]):
    """Makes a declared kind that acts along a coordinate of a joint."""


class CableTool3D(Fastening, CableTool[SpacePick]):
    """Three clicks: one end, the pulley, the other end."""


class GearTool3D(InSpace, GearTool[SpacePick]):
    """Lets two wheels mesh."""


class RackTool3D(InSpace, RackTool[SpacePick]):
    """Lets a pinion drive a rack."""


class LoadTool3D(Fastening, LoadTool[SpacePick]):
    """Puts a force that acts at one point on a body."""


class TracerTool3D(Fastening, TracerTool[SpacePick]):
    """Lets a point of a body leave a trail."""


class PointTool3D(Fastening, PointTool[SpacePick]):
    """Attaches a named point to a body, to measure there."""
