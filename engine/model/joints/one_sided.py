"""Joints that may hold on one side only: a rope, a strut, a ring, a support."""

from dataclasses import dataclass, fields
from typing import ClassVar

from engine.errors import say
from engine.kernels.acting.joint_friction import GATE_ROW
from engine.model.connections import NONE, Gate, Interaction, X
from engine.model.fields import Number, choice, number, plain
from engine.model.joints.base import Joint

BOTH = "both"
OF_ONE_SIDE = ("restitution", "impact", "rest_speed", "mu_static", "mu_dynamic")


@dataclass(frozen=True, slots=True, kw_only=True)
class OneSided(Joint):
    """A joint whose first row may hold on one side only: rigid while it carries load, nothing beyond.

    Where it is met it bounces by its restitution: after Newton its speed behind over that before, after
    Poisson its impulse of expansion over that of compression. Both differ where several are met at once.
    """

    sides: ClassVar[dict[str, int]] = {}  # what `acts` may be: 1 where it stays below its target
    may_rub: ClassVar[bool] = False
    acts: str = choice(BOTH, (BOTH,))
    restitution: Number = number(
        0.0, low=0.0, high=1.0, help="Of one side: the speed after an impact over that before."
    )
    impact: str = choice(
        "newton", ("newton", "poisson"), help="What restitution compares: speeds, or impulses."
    )
    rest_speed: Number = number(
        1e-3, unit="m/s", above=0.0, help="Of one side: slower impacts do not bounce."
    )

    @property
    def is_one_sided(self) -> bool:
        """Whether it holds on one side only."""
        return self.acts in self.sides

    def idle_fields(self) -> tuple[str, ...]:
        """What only one side has."""
        own = {f.name for f in fields(self)}
        return () if self.is_one_sided else tuple(name for name in OF_ONE_SIDE if name in own)

    def gates(self, model) -> tuple[Gate, ...]:
        """Its first row on one side, and what rubs."""
        if not self.is_one_sided:
            return ()
        rubs = self.rubs(model)
        return (
            Gate(
                self.sides[self.acts],
                0,
                1 if rubs else NONE,
                self.friction[0],
                self.friction[1],
                self.restitution,
                self.rest_speed,
                self.impact == "poisson",
            ),
        )

    @property
    def friction(self) -> tuple[Number, Number]:
        """Its coefficients while it sticks and while it slides."""
        return 0.0, 0.0

    def rubs(self, model) -> bool:
        """Whether it has friction: then its second row holds while it sticks."""
        return self.may_rub and model.dim == 2 and self.is_one_sided and any(self.friction)

    def interactions(self, model) -> tuple[Interaction, ...]:
        """The friction of what slides, by the load that the row carries."""
        if not self.rubs(model):
            return ()
        mu = plain(self.friction[1])
        param = (GATE_ROW, X, 0.0, mu, self.sides[self.acts] * mu)
        return (Interaction("gate_friction", self.marker_i, self.marker_j, param, joint=self.id),)

    def problems(self, model):
        """Friction of what slides that is larger than of what sticks, and impulses with friction."""
        static, dynamic = self.friction
        if self.rubs(model) and self.impact == "poisson":
            return [
                say(
                    "'{name}' rubs, and restitution by impulses is known without friction only. Choose "
                    "newton for its impact, or set mu_static and mu_dynamic to 0.",
                    name=self.label,
                )
            ]
        if isinstance(static, str) or isinstance(dynamic, str) or dynamic <= static:
            return []
        return [
            say(
                "'{name}' rubs more while it slides than while it sticks. Make mu_dynamic at most "
                "mu_static.",
                name=self.label,
            )
        ]
