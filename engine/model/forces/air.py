"""Forces of the air."""

from dataclasses import dataclass
from typing import ClassVar

from engine.model.connections import Interaction
from engine.model.elements import Id
from engine.model.fields import Function, Number, function, number, ref
from engine.model.forces.base import Force
from engine.model.making import Gesture, Making

WORLD = ""  # who sees the marker move


@dataclass(frozen=True, slots=True, kw_only=True)
class AirDrag(Force):
    """The drag of the air on a body, against its velocity and with the square of it.

    F = -1/2 air_density drag_area |u| u, with u the velocity of the marker against the wind.
    """

    kind: ClassVar[str] = "air_drag"
    vector: ClassVar[tuple[str, ...]] = ("wind_x", "wind_y", "wind_z")
    making: ClassVar[tuple[Making, ...]] = (
        Making(
            Gesture.ON_BODY,
            title="Air drag",
            key="Shift+D",
            says="air drag",
            help="Click the centre of pressure of a body; then give its drag area and the wind.",
            opening="Air drag: click a body where the air pushes it; then give its drag area.",
            group="loads",
        ),
    )
    marker_i: Id = ref("marker", help="Where it attacks: the centre of pressure.")
    drag_area: Number = number(
        0.5, unit="m^2", low=0.0, help="Drag coefficient times the area that meets the wind."
    )
    air_density: Number = number(
        1.2, unit="kg/m^3", low=0.0, help="Of the air, or of what else surrounds the body."
    )
    wind_x: Function = function(0.0, unit="m/s", help="Velocity of the air, world axes.")
    wind_y: Function = function(0.0, unit="m/s")
    wind_z: Function = function(0.0, unit="m/s", dims=(3,))

    def interactions(self, model):
        """One law of the velocity of the marker in the world."""
        param = (self.air_density, self.drag_area)
        wind = (self.wind_x, self.wind_y, self.wind_z)
        return (Interaction("air_drag", WORLD, self.marker_i, param, wind),)
