"""Forces inside a joint: torsion spring, stops, viscous damping."""

from dataclasses import dataclass
from typing import ClassVar

from engine.errors import say
from engine.kernels import layout
from engine.model.connections import Law, joint_coordinate
from engine.model.elements import Id
from engine.model.fields import Function, Number, choice, function, number, ref, text
from engine.model.forces.base import SIDES, Force


@dataclass(frozen=True, slots=True, kw_only=True)
class TorsionSpring(Force):
    """A torsion spring and damper on the angle of a joint.

        N = preload + stiffness (angle - free_angle) + spring_curve(angle - free_angle)
                    + damping angle_dot + damper_curve(angle_dot)

    N > 0 turns the angle back. The angle counts full turns.
    """

    kind: ClassVar[str] = "torsion_spring"
    joint: Id = ref("joint", help="A joint with an angle.")
    coordinate: str = text(help="Which angle; empty: the one called 'angle'.")
    stiffness: Number = number(10.0, unit="N m/rad", low=0.0)
    damping: Number = number(0.0, unit="N m s/rad", low=0.0)
    free_angle: Number | None = number(None, unit="rad", help="Empty: as drawn.")
    preload: Number = number(0.0, unit="N m", help="Moment at the free angle.")
    acts: str = choice("both", tuple(SIDES), help="Only above, or only below the free angle.")
    spring_curve: Function | None = function(
        None, of=("x",), unit="N m", help="Further moment as a function of the twist x."
    )
    damper_curve: Function | None = function(
        None, of=("v",), unit="N m", help="Further moment as a function of its rate v."
    )

    def laws(self, model):
        """One law along the angle."""
        twist = joint_coordinate(model, self.joint, self.coordinate or "angle", self.id)
        curved = self.spring_curve is not None or self.damper_curve is not None
        return (
            Law(
                layout.CURVE if curved else layout.LINEAR,
                twist,
                (self.stiffness, self.damping, self.free_angle, self.preload, SIDES[self.acts]),
                (self.spring_curve, self.damper_curve),
                ("x", "v"),
            ),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class JointDamping(Force):
    """Viscous resistance in a joint:  N = damping x_dot  along one of its coordinates."""

    kind: ClassVar[str] = "joint_damping"
    joint: Id = ref("joint")
    coordinate: str = text(help="Which coordinate; empty: the first.")
    damping: Number = number(0.1, unit="N s/m or N m s/rad", low=0.0)

    def laws(self, model):
        """One law along the coordinate."""
        coordinate = joint_coordinate(model, self.joint, self.coordinate, self.id)
        return (Law(layout.LINEAR, coordinate, (0.0, self.damping, 0.0, 0.0, SIDES["both"])),)


@dataclass(frozen=True, slots=True, kw_only=True)
class JointLimits(Force):
    """Stops at both ends of a joint's travel: stiff springs whose damping fades in with depth."""

    kind: ClassVar[str] = "joint_limits"
    joint: Id = ref("joint")
    coordinate: str = text(help="Which coordinate; empty: the first.")
    low: Number = number(-1.0, unit="m or rad", help="The lower stop.")
    high: Number = number(1.0, unit="m or rad", help="The upper stop.")
    stiffness: Number = number(1e5, unit="N/m or N m/rad", above=0.0)
    damping: Number = number(100.0, unit="N s/m or N m s/rad", low=0.0)
    depth: Number = number(1e-3, unit="m or rad", above=0.0, help="Where damping is full.")

    def laws(self, model):
        """One stop law along the coordinate."""
        coordinate = joint_coordinate(model, self.joint, self.coordinate, self.id)
        param = (self.low, self.high, self.stiffness, self.damping, self.depth)
        return (Law(layout.STOP, coordinate, param),)

    def problems(self, model):
        """The lower stop must lie below the upper one."""
        if isinstance(self.low, str) or isinstance(self.high, str) or self.low < self.high:
            return []
        return [
            say(
                "The lower stop of '{name}' is not below the upper one. Exchange them.",
                name=self.label,
            )
        ]


def meeting(joint: str, side: float) -> str:
    """What happens at a stop, in words: -1 is beyond the lower, 1 beyond the upper, 0 between them."""
    if side == 0.0:
        return say("Joint '{joint}' leaves its stop", joint=joint)
    return say(
        "Joint '{joint}' meets its {side} stop",
        joint=joint,
        side="lower" if side < 0.0 else "upper",
    )
