"""The tools of the stage in space, in the order of the strip."""

from gui.tools.base import Tool
from gui.tools.space.arrows import ForceTool3D, TorqueTool3D, VelocityTool
from gui.tools.space.bodies import GroundTool3D, PointMassTool3D, RodTool3D
from gui.tools.space.joints import (
    BallJointTool,
    BushingTool3D,
    CylindricalTool,
    HingeTool,
    KnifeEdgeTool3D,
    PlanarTool,
    PointOnLineTool,
    PointOnPlaneTool,
    ScrewTool,
    SliderTool3D,
    UniversalTool,
    WeldTool3D,
)
from gui.tools.space.on_joints import (
    GearTool3D,
    LimitsTool3D,
    MotorTool3D,
    PointTool3D,
    RackTool3D,
    TracerTool3D,
)
from gui.tools.space.rolling import RollingTool
from gui.tools.space.solids import BallTool3D, BoxTool3D, CylinderTool3D
from gui.tools.space.ties import (
    DamperTool3D,
    DistanceTool,
    GeneralForceTool3D,
    SpringDamperTool3D,
    SpringTool3D,
    TriggerTool3D,
)

TOOLS3D: tuple[type[Tool], ...] = (
    RodTool3D,
    BoxTool3D,
    CylinderTool3D,
    BallTool3D,
    PointMassTool3D,
    GroundTool3D,
    HingeTool,
    SliderTool3D,
    CylindricalTool,
    UniversalTool,
    BallJointTool,
    PlanarTool,
    WeldTool3D,
    PointOnLineTool,
    PointOnPlaneTool,
    ScrewTool,
    DistanceTool,
    GearTool3D,
    RackTool3D,
    RollingTool,
    KnifeEdgeTool3D,
    SpringTool3D,
    DamperTool3D,
    SpringDamperTool3D,
    BushingTool3D,
    ForceTool3D,
    TorqueTool3D,
    GeneralForceTool3D,
    MotorTool3D,
    LimitsTool3D,
    VelocityTool,
    TracerTool3D,
    TriggerTool3D,
    PointTool3D,
)
