"""What all forces share."""

from dataclasses import dataclass
from typing import Any, ClassVar

from engine.model.connections import Interaction, Law, Load
from engine.model.elements import Element, Model

# How one-sided a spring is: the sign that engine.kernels.forces reads.
SIDES = {"both": 0.0, "tension": 1.0, "compression": -1.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Force(Element):
    """Something that acts without tying: laws along coordinates, given loads, or laws of markers."""

    family: ClassVar[str] = "force"
    vector: ClassVar[tuple[str, ...]] = ()  # fields that are x, y, z of something with a direction
    axial: ClassVar[
        tuple[str, ...]
    ] = ()  # of something that turns about its direction, as a torque does
    signed: ClassVar[tuple[str, ...]] = ()  # fields with the sign of a joint's coordinate
    in_joint: ClassVar[str] = ""  # the kind that does the same in a joint

    @classmethod
    def acts_in(cls, model: Model, joint: Any) -> bool:
        """Whether it can act in a joint: on one of its coordinates."""
        return bool(joint.coordinates(model))

    def laws(self, model: Model) -> tuple[Law, ...]:
        """Forces that depend on the motion of the bodies."""
        return ()

    def loads(self, model: Model) -> tuple[Load, ...]:
        """Forces that are given."""
        return ()

    def interactions(self, model: Model) -> tuple[Interaction, ...]:
        """Forces and torques that depend on how one marker moves as seen from another."""
        return ()
