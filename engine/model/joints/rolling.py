"""Joints of rolling and cutting: disc on a line or plane, knife edge."""

from dataclasses import dataclass
from typing import ClassVar

from engine.kernels import layout
from engine.model.connections import (
    NONE,
    Coordinate,
    Row,
    X,
    Y,
    Z,
    along,
    angle,
    row,
)
from engine.model.fields import Number, number, plain, rate_of, start_of
from engine.model.joints.base import Joint
from engine.model.making import Gesture, Making


@dataclass(frozen=True, slots=True, kw_only=True)
class RollingDisc(Joint):
    """A disc rolls without slipping on a line (plane) or, upright or leaning, on a plane (space).

        plane:  y_i . d = radius,    x_i . d + radius angle = as drawn        (holonomic)
        space:  z_i . d = radius sin(lean),   and the material point of the disc that touches
                the plane has no velocity in it: two rows that start at velocity level

    Marker i lies on the line or plane; marker j is the centre, in space with z along the axle.
    Free: rolling (and in space steering and leaning).  Removes 2 in the plane, 1 + 2 in space.
    """

    kind: ClassVar[str] = "rolling_disc"
    radius: Number = number(0.1, unit="m", above=0.0)
    displacement_start: Number | None = start_of("displacement", "m", dims=(2,))
    displacement_rate: Number | None = rate_of("displacement", "m", dims=(2,))
    angle_start: Number | None = start_of("angle", "rad", dims=(2,))
    angle_rate: Number | None = rate_of("angle", "rad", dims=(2,))
    x_start: Number | None = start_of("x coordinate", "m", dims=(3,))
    x_rate: Number | None = rate_of("x coordinate", "m", dims=(3,))
    y_start: Number | None = start_of("y coordinate", "m", dims=(3,))
    y_rate: Number | None = rate_of("y coordinate", "m", dims=(3,))

    def rows(self, model):
        """Contact, and no slip."""
        i, j, radius = self.marker_i, self.marker_j, plain(self.radius)
        if model.dim == 2:
            no_slip = Row(((1.0, along(X, i, j)), (radius, angle(i, j))), None)
            return (row(along(Y, i, j), radius), no_slip)
        contact = Coordinate(layout.DISC_HEIGHT, i, j, (Z, NONE, Z), radius)
        slips = (Coordinate(layout.DISC_SLIP, i, j, (axis, Z, Z), radius) for axis in (X, Y))
        return (row(contact), *(Row(((1.0, slip),), 0.0, layout.VELOCITY) for slip in slips))

    def coordinates(self, model):
        """The place of the centre; in the plane also the angle."""
        i, j = self.marker_i, self.marker_j
        if model.dim == 2:
            return {"displacement": along(X, i, j), "angle": angle(i, j)}
        return {"x": along(X, i, j), "y": along(Y, i, j)}


@dataclass(frozen=True, slots=True, kw_only=True)
class KnifeEdge(Joint):
    """A blade along x of marker j slides forwards, never sideways:  y_j . (velocity of P_j) = 0.

    Seen from the body of marker i. Non-holonomic: it removes a velocity, not a position.
    """

    kind: ClassVar[str] = "knife_edge"
    making: ClassVar[tuple[Making, ...]] = (
        Making(
            Gesture.BLADE,
            title="Knife edge",
            key="Shift+K",
            says="blade of {1} on {0}",
            help="Press on a body and drag along its blade.",
            opening="Knife edge: press on a body and drag along the blade; it cannot go sideways.",
            prefers_ground=True,
        ),
    )

    def rows(self, model):
        """No sideways velocity."""
        edge = Coordinate(layout.KNIFE, self.marker_i, self.marker_j, (NONE, NONE, Y))
        return (Row(((1.0, edge),), 0.0, layout.VELOCITY),)
