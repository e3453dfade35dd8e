"""Cable: two ends and a pulley, round which it runs."""

from dataclasses import dataclass
from math import acos, atan2, floor, hypot, pi, sqrt
from typing import ClassVar

import numpy as np

from engine.errors import say
from engine.model.connections import Interaction
from engine.model.elements import Id, Model
from engine.model.fields import Function, Number, choice, function, number, plain, ref
from engine.model.forces.base import Force
from engine.model.making import Gesture, Making
from engine.model.places import place_in_world

VARIABLES = ("t", "length", "rate", "angle", "spin")
WAYS = {"anticlockwise": 1.0, "clockwise": -1.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cable(Force):
    """A cable from one point over a pulley or cylinder to another point; it only pulls.

    It has no mass and slides on the pulley without friction. The pulley is a circle about its marker, in
    space a cylinder along its z axis. tension = preload + stiffness (length - free_length) + damping rate
    + muscle, where the muscle is an expression of t, length, rate, angle (of the x axis of marker j about
    the axle of the pulley) and spin, its rate. Where it does not touch the pulley it is straight.
    """

    kind: ClassVar[str] = "cable"
    making: ClassVar[tuple[Making, ...]] = (
        Making(
            Gesture.OVER,
            title="Cable",
            key="Shift+W",
            says="cable",
            help="Click one end, then the pulley (a round body), then the other end.",
            opening="Cable: click the point where it begins.",
            group="springs",
            line="dashed",
        ),
    )
    marker_i: Id = ref("marker", help="One end.")
    marker_j: Id = ref("marker", help="The other end.")
    pulley: Id = ref("marker", help="The middle of the pulley; z is its axle.")
    radius: Number = number(0.1, unit="m", above=0.0, help="Of the pulley.")
    way: str = choice(
        "anticlockwise", tuple(WAYS), help="Round the pulley, from the first end, about z."
    )
    turns: Number = number(0.0, low=0.0, high=100.0, help="Whole turns besides.")
    stiffness: Number = number(1e5, unit="N/m", low=0.0)
    damping: Number = number(100.0, unit="N s/m", low=0.0)
    free_length: Number | None = number(None, unit="m", low=0.0, help="Empty: as drawn.")
    preload: Number = number(0.0, unit="N", help="Tension at the free length.")
    muscle: Function | None = function(
        None,
        of=VARIABLES,
        unit="N",
        help="Further tension, of t, length, rate, angle (of the second end about the pulley) and spin.",
    )

    def problems(self, model):
        """A table cannot be read over several variables; ends that lie within the pulley."""
        found = []
        if isinstance(self.muscle, tuple):
            found.append(
                say("The muscle of '{name}' is a table; write an expression.", name=self.label)
            )
        if isinstance(self.turns, float | int) and float(self.turns) != round(float(self.turns)):
            found.append(
                say("The turns of '{name}' are no whole number. Round them.", name=self.label)
            )
        return found

    def interactions(self, model):
        """One law for each end, as seen from the pulley."""
        free = self.drawn_length(model) if self.free_length is None else self.free_length
        numbers = (self.radius, WAYS[self.way], self.turns, self.stiffness, self.damping, free)
        return tuple(
            Interaction(
                "cable",
                self.pulley,
                end,
                (*numbers, self.preload, other),
                given=() if self.muscle is None else (self.muscle,),
                variables=VARIABLES,
                stores=other > 0.0,
            )
            for end, other in ((self.marker_i, 1.0), (self.marker_j, -1.0))
        )

    def drawn_length(self, model: Model) -> float:
        """Its length in the drawing; see engine.kernels.acting.cables."""
        P, axes = place_in_world(model, self.pulley)
        d, o = (axes.T @ (place_in_world(model, m)[0] - P) for m in (self.marker_i, self.marker_j))
        return wound(d, o, plain(self.radius), WAYS[self.way], plain(self.turns))[0]


def wound(
    d: np.ndarray, o: np.ndarray, r: float, way: float, turns: float
) -> tuple[float, float, float]:
    """Length, angle of the point where end d leaves the pulley, and the wrapped angle from there.

    Both ends along the axes of the pulley. A negative angle: the cable does not touch it.
    """
    (l_d, a_d), (l_o, a_o) = _tangent(r, *d[:2]), _tangent(r, *o[:2])
    psi = atan2(d[1], d[0])
    th = way * (atan2(o[1], o[0]) - psi) - a_d - a_o
    th += 2.0 * pi * (turns - floor(th / (2.0 * pi) + 0.25))
    s = l_d + r * th + l_o if th >= 0.0 else hypot(o[0] - d[0], o[1] - d[1])
    return hypot(s, o[2] - d[2]), psi + way * a_d, th


def _tangent(r: float, x: float, y: float) -> tuple[float, float]:
    """Length and angle of the tangent from a point to a circle."""
    D = hypot(x, y)
    return (sqrt((D - r) * (D + r)), acos(r / D)) if r < D else (0.0, 0.0)
