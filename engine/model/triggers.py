"""Triggers: something is recorded, or the run ends, when a measured value is crossed."""

from dataclasses import dataclass
from typing import ClassVar

from engine.errors import EngineError
from engine.model.connections import Coordinate, X, Y, Z, along, angle, distance
from engine.model.elements import Element, Id, Model
from engine.model.fields import Number, choice, number, ref
from engine.model.making import Gesture, Making


@dataclass(frozen=True, slots=True, kw_only=True)
class Trigger(Element):
    """An event when a value between two markers, or its rate, crosses a limit, up or down.

    Methods of adaptive step find the moment to 1e-9 s, also when the value comes back within a step,
    and a run that stops ends with a frame at that moment. Methods of fixed step look at their frames:
    in between the value follows the cubic with the values and rates of both frames, whose error falls
    with the fourth power of the output step, and a run that stops ends with the frame after it. A value
    that starts on its limit does not trigger by leaving it.
    """

    kind: ClassVar[str] = "trigger"
    family: ClassVar[str] = "trigger"
    making: ClassVar[tuple[Making, ...]] = (
        Making(
            Gesture.BETWEEN,
            title="Trigger (event)",
            key="Shift+E",
            says="trigger",
            help="Press on one body, release on another: crossing a distance, angle or speed is "
            "marked, or ends the run.",
            opening="Trigger: press on one body, release on another; then give its limit in the "
            "properties.",
            group="drives",
            line="dashed",
        ),
    )
    marker_i: Id = ref("marker", help="Seen from here; x, y, z are its axes.")
    marker_j: Id = ref("marker", help="The point that moves.")
    quantity: str = choice("distance", ("distance", "angle", "x", "y", "z"), help="Of j from i.")
    of: str = choice("value", ("value", "rate"), help="The quantity itself, or its rate.")
    value: Number = number(0.0, help="The limit, in m, rad, m/s or rad/s.")
    action: str = choice("record", ("record", "stop"), help="'stop' ends the run there.")

    def watched(self, model: Model) -> Coordinate:
        """The coordinate that is measured."""
        i, j = self.marker_i, self.marker_j
        if self.quantity == "distance":
            return distance(i, j)
        if self.quantity == "angle":
            return angle(i, j)
        if self.quantity == "z" and model.dim == 2:
            raise EngineError(
                "Trigger '{name}' watches z, which is not there in the plane. Choose x or y.",
                self.id,
                name=self.label,
            )
        return along({"x": X, "y": Y, "z": Z}[self.quantity], i, j)
