"""Coulomb friction in a joint, from its reaction."""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from engine.errors import say
from engine.model.connections import Interaction, X, Z
from engine.model.elements import Id
from engine.model.fields import Number, number, ref
from engine.model.forces.base import Force
from engine.model.making import Gesture, Making

BALL = -1  # in the place of an axis


class Rubs(NamedTuple):
    """How the surfaces of a joint slide."""

    slides: bool
    turns: bool


JOINTS_THAT_RUB = {
    "revolute": Rubs(False, True),
    "prismatic": Rubs(True, False),
    "cylindrical": Rubs(True, True),
    "screw": Rubs(True, True),
    "spherical": Rubs(False, True),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class JointFriction(Force):
    """Coulomb friction in a joint: it grows with the force that the joint carries.

    A joint rests on two bearings or edges, half_length on both sides of its marker: they carry N_1 and N_2.
    A collar, a key or a thread at the radius carries N_3, and holds it along and about its axis.
    Friction is mu (|N_1| + |N_2| + |N_3|) at the radius, against the sliding of the surfaces. So a pin of
    the plane has the torque mu radius |F|, a ball too, and a slider mu (|N_1| + |N_2|).
    """

    kind: ClassVar[str] = "joint_friction"
    making: ClassVar[tuple[Making, ...]] = (
        Making(
            Gesture.ON_JOINT,
            title="Friction in a joint",
            key="Shift+J",
            says="friction",
            help="Click a pin or a slider: friction that grows with the force it carries.",
            opening="Friction: click a pin or a slider; set mu and its radius in the properties then.",
            group="drives",
        ),
    )
    joint: Id = ref(
        "joint", help="A pin or a slider; in space also a shaft that slides, a screw or a ball."
    )
    mu: Number = number(0.1, low=0.0, help="Coefficient of friction.")
    radius: Number = number(
        0.01,
        unit="m",
        low=0.0,
        help="Of a pin, a thread or a ball; of a slider in space, where it is kept from turning.",
    )
    half_length: Number = number(
        0.1, unit="m", above=0.0, help="From the point of the joint to each bearing or edge."
    )
    speed: Number = number(
        1e-4,
        unit="m/s",
        above=0.0,
        help="Of sliding, at which three quarters of the friction act: below, the joint creeps.",
    )

    @classmethod
    def acts_in(cls, model, joint):
        """In joints whose reaction tells how they rub."""
        return joint.kind in JOINTS_THAT_RUB

    def problems(self, model):
        """A joint whose reaction does not tell how it rubs, and a screw without a radius."""
        joint: Any = model.elements.get(self.joint)
        if joint is None:
            return []
        if not self.acts_in(model, joint):
            return [
                say(
                    "'{name}' needs a pin, a slider, a cylindrical joint, a screw or a ball joint, and "
                    "'{joint}' is a {kind}. Choose another joint.",
                    name=self.label,
                    joint=joint.label,
                    kind=joint.kind.replace("_", " "),
                )
            ]
        if joint.kind == "screw" and self.radius == 0.0:
            return [
                say(
                    "The thread of '{joint}' needs a radius, so that '{name}' knows its slope. "
                    "Give '{name}' the radius of the thread.",
                    joint=joint.label,
                    name=self.label,
                )
            ]
        return []

    def interactions(self, model):
        """One law of how the joint slides and turns, and of what it carries."""
        joint: Any = model[self.joint]
        slides, turns = JOINTS_THAT_RUB[joint.kind]
        axis = Z if model.dim == 3 or turns else X
        param = (
            BALL if joint.kind == "spherical" else axis,
            *(float(slides), float(turns)),
            *(self.mu, self.radius, self.half_length, self.speed),
        )
        return (
            Interaction(
                *("joint_friction", joint.marker_i, joint.marker_j, param),
                pushes=slides,
                turns=turns,
                joint=self.joint,
            ),
        )
