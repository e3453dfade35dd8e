"""The tools of the stage, in the order of the strip."""

from gui.tools.base import Tool
from gui.tools.plane.bodies import (
    BoxTool,
    DiscTool,
    GroundTool,
    LinkTool,
    PointMassTool,
    PolygonTool,
)
from gui.tools.plane.joints import (
    BushingTool,
    KnifeEdgeTool,
    RevoluteTool,
    SliderTool,
    SlotTool,
    WeldTool,
)
from gui.tools.plane.loads import ForceTool, PointTool, TorqueTool, TracerTool
from gui.tools.plane.on_joints import GearTool, LimitsTool, MotorTool, RackTool, RollingDiscTool
from gui.tools.plane.springs import (
    DamperTool,
    GeneralForceTool,
    RodTool,
    SpringDamperTool,
    SpringTool,
)
from gui.tools.plane.triggers import TriggerTool

TOOLS: tuple[type[Tool], ...] = (
    LinkTool,
    BoxTool,
    DiscTool,
    PolygonTool,
    PointMassTool,
    GroundTool,
    RevoluteTool,
    SliderTool,
    WeldTool,
    SlotTool,
    RodTool,
    GearTool,
    RackTool,
    RollingDiscTool,
    KnifeEdgeTool,
    SpringTool,
    DamperTool,
    SpringDamperTool,
    BushingTool,
    ForceTool,
    TorqueTool,
    GeneralForceTool,
    MotorTool,
    LimitsTool,
    TracerTool,
    TriggerTool,
    PointTool,
)
