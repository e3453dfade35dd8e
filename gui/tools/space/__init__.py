"""The tools of the stage in space, in the order of the rail."""

from engine.model.elements import Element
from engine.model.forces import JointLimits, PointForce, Torque
from engine.model.joints import Gear, Motion, RackAndPinion, RollingDisc
from engine.model.making import Gesture
from engine.model.tracers import Tracer
from engine.model.triggers import Trigger
from gui.tools.base import Tool
from gui.tools.rows import tools_of
from gui.tools.space.arrows import ForceTool3D, TorqueTool3D, VelocityTool
from gui.tools.space.bodies import GroundTool3D, PointMassTool3D, RodTool3D
from gui.tools.space.joints import BladeTool3D, JointTool3D, ShaftTool
from gui.tools.space.on_joints import (
    CableTool3D,
    GearTool3D,
    InJointTool3D,
    LimitsTool3D,
    LoadTool3D,
    MotorTool3D,
    PointTool3D,
    RackTool3D,
    TracerTool3D,
)
from gui.tools.space.polyline import PolylineTool3D
from gui.tools.space.rolling import RollingTool
from gui.tools.space.solids import BallTool3D, BoxTool3D, CapsuleTool3D, CylinderTool3D
from gui.tools.space.ties import TiesInSpace, TriggerTool3D

GESTURES: dict[Gesture, type[Tool]] = {
    Gesture.AT_POINT: JointTool3D,
    Gesture.ON_SHAFTS: ShaftTool,
    Gesture.BLADE: BladeTool3D,
    Gesture.BETWEEN: TiesInSpace,
    Gesture.ON_BODY: LoadTool3D,
    Gesture.ON_JOINT: InJointTool3D,
    Gesture.OVER: CableTool3D,
}
OWN: dict[type[Element], type[Tool]] = {  # gestures that no other kind has
    Gear: GearTool3D,
    RackAndPinion: RackTool3D,
    RollingDisc: RollingTool,
    PointForce: ForceTool3D,
    Torque: TorqueTool3D,
    Motion: MotorTool3D,
    JointLimits: LimitsTool3D,
    Tracer: TracerTool3D,
    Trigger: TriggerTool3D,
}
TOOLS3D: tuple[type[Tool], ...] = (
    RodTool3D,
    BoxTool3D,
    CylinderTool3D,
    CapsuleTool3D,
    BallTool3D,
    PolylineTool3D,
    PointMassTool3D,
    GroundTool3D,
    *tools_of(3, "joints", GESTURES, OWN),
    *tools_of(3, "contact", GESTURES, OWN),
    *tools_of(3, "springs", GESTURES, OWN),
    *tools_of(3, "loads", GESTURES, OWN),
    VelocityTool,
    *tools_of(3, "drives", GESTURES, OWN),
    *tools_of(3, "marks", GESTURES, OWN),
    PointTool3D,
)
