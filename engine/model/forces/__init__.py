"""Forces: each is declared once, as data and the laws, loads or interactions it stands for."""

from engine.model.elements import Element
from engine.model.forces.air import AirDrag
from engine.model.forces.applied import Actuator, GeneralForce, PointForce, Torque
from engine.model.forces.cable import Cable
from engine.model.forces.contact import Contact
from engine.model.forces.contact_all import ContactAll
from engine.model.forces.joint_forces import JointDamping, JointLimits, TorsionSpring
from engine.model.forces.joint_friction import JointFriction
from engine.model.forces.springs import Bushing, Damper, Spring, SpringDamper
from engine.model.forces.with_states import (
    Controller,
    DcMotor,
    HydraulicCylinder,
    Maxwell,
    StateForce,
)

FORCES: tuple[type[Element], ...] = (
    Spring,
    Damper,
    SpringDamper,
    TorsionSpring,
    Bushing,
    JointLimits,
    JointDamping,
    JointFriction,
    PointForce,
    Torque,
    Actuator,
    GeneralForce,
    AirDrag,
    Contact,
    ContactAll,
    Cable,
    Maxwell,
    StateForce,
    DcMotor,
    Controller,
    HydraulicCylinder,
)

__all__ = ["FORCES", *(force.__name__ for force in FORCES)]
