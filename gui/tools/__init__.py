"""The tools of the stage, in the order of the rail."""

from engine.model.elements import Element
from engine.model.forces import JointLimits, PointForce, Torque
from engine.model.joints import Gear, Motion, RackAndPinion, RollingDisc
from engine.model.making import Gesture
from engine.model.tracers import Tracer
from engine.model.triggers import Trigger
from gui.tools.base import Tool
from gui.tools.plane.bodies import (
    BoxTool,
    DiscTool,
    GroundTool,
    LinkTool,
    PointMassTool,
    PolygonTool,
)
from gui.tools.plane.cables import CableTool
from gui.tools.plane.joints import JointTool
from gui.tools.plane.loads import ForceTool, LoadTool, PointTool, TorqueTool, TracerTool
from gui.tools.plane.on_joints import (
    GearTool,
    InJointTool,
    LimitsTool,
    MotorTool,
    RackTool,
    RollingDiscTool,
)
from gui.tools.plane.polyline import PolylineTool
from gui.tools.plane.springs import TiesTool
from gui.tools.plane.triggers import TriggerTool
from gui.tools.rows import tools_of

GESTURES: dict[Gesture, type[Tool]] = {
    Gesture.AT_POINT: JointTool,
    Gesture.ON_SHAFTS: JointTool,
    Gesture.BLADE: JointTool,
    Gesture.BETWEEN: TiesTool,
    Gesture.ON_BODY: LoadTool,
    Gesture.ON_JOINT: InJointTool,
    Gesture.OVER: CableTool,
}
OWN: dict[type[Element], type[Tool]] = {  # gestures that no other kind has
    Gear: GearTool,
    RackAndPinion: RackTool,
    RollingDisc: RollingDiscTool,
    PointForce: ForceTool,
    Torque: TorqueTool,
    Motion: MotorTool,
    JointLimits: LimitsTool,
    Tracer: TracerTool,
    Trigger: TriggerTool,
}
TOOLS: tuple[type[Tool], ...] = (
    LinkTool,
    BoxTool,
    DiscTool,
    PolygonTool,
    PolylineTool,
    PointMassTool,
    GroundTool,
    *tools_of(2, "joints", GESTURES, OWN),
    *tools_of(2, "contact", GESTURES, OWN),
    *tools_of(2, "springs", GESTURES, OWN),
    *tools_of(2, "loads", GESTURES, OWN),
    *tools_of(2, "drives", GESTURES, OWN),
    *tools_of(2, "marks", GESTURES, OWN),
    PointTool,
)
