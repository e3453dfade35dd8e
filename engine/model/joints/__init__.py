"""Joints: each is declared once, as data and a short list of rows."""

from engine.model.elements import Element
from engine.model.joints.base import Joint
from engine.model.joints.circles import PointOnCircle
from engine.model.joints.guides import (
    Cylindrical,
    Planar,
    PointOnLine,
    PointOnPlane,
    Prismatic,
    Rod,
    Screw,
)
from engine.model.joints.motion import Motion
from engine.model.joints.pins import ConstantVelocity, Revolute, Spherical, Universal, Weld
from engine.model.joints.rolling import KnifeEdge, RollingDisc
from engine.model.joints.teeth import Gear, RackAndPinion
from engine.model.joints.typed import TypedConstraint

JOINTS: tuple[type[Element], ...] = (  # in the order of the tool strip
    Revolute,
    Prismatic,
    Cylindrical,
    Universal,
    ConstantVelocity,
    Spherical,
    Planar,
    Weld,
    PointOnLine,
    PointOnPlane,
    PointOnCircle,
    Screw,
    Rod,
    Gear,
    RackAndPinion,
    RollingDisc,
    KnifeEdge,
    TypedConstraint,
)

__all__ = ["JOINTS", "Joint", "Motion", *(joint.__name__ for joint in JOINTS)]
