"""A motion drives a coordinate of a joint along a function of time."""

from dataclasses import dataclass
from typing import ClassVar

from engine.kernels import layout
from engine.model.connections import Row, joint_coordinate
from engine.model.elements import Element, Id
from engine.model.fields import Function, choice, function, ref, text

_LEVEL = {
    "position": layout.POSITION,
    "speed": layout.VELOCITY,
    "acceleration": layout.ACCELERATION,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Motion(Element):
    """A driver: the coordinate, its speed or its acceleration is a given function of time.

        position:      g(q) = c(t)        speed:  g_dot = c(t)        acceleration:  g_ddot = c(t)

    The multiplier is the driving force or torque, with the sign of a reaction.
    """

    kind: ClassVar[str] = "motion"
    called: ClassVar[dict[int, str]] = {2: "Motor", 3: "Motor"}
    family: ClassVar[str] = "motion"
    joint: Id = ref("joint", help="The joint that is driven.")
    coordinate: str = text(help="Which of its coordinates; empty: the first.")
    quantity: str = choice("position", tuple(_LEVEL), help="What the law prescribes.")
    law: Function = function(0.0, help="A number, an expression of t, or a table.")

    def rows(self, model):
        """coordinate = law(t), at its level."""
        driven = joint_coordinate(model, self.joint, self.coordinate, self.id)
        return (Row(((1.0, driven),), self.law, _LEVEL[self.quantity]),)

    def coordinates(self, model):
        """None of its own."""
        return {}
