"""Joints that hold two points together: revolute, spherical, universal, constant velocity, weld."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from engine.kernels import layout
from engine.kernels.trees.layout import BALL, CROSS, HINGE
from engine.model.connections import Coordinate as _Coordinate
from engine.model.connections import (
    Interaction,
    Row,
    X,
    Y,
    Z,
    angle,
    cosine,
    parallel,
    point,
    row,
)
from engine.model.elements import Model
from engine.model.fields import Number, number, plain, rate_of, start_of
from engine.model.forces.contact import Contact
from engine.model.forces.pressing import FALL, GRAVITY
from engine.model.joints.base import Carry, Joint
from engine.model.making import Gesture, Making

LEAST = 1e-9  # of the size of a body: the least depth to which a loose pin is pressed
PRESSED = 0.2  # of the clearance: how far the hardest impact presses a pin into its hole


@dataclass(frozen=True, slots=True, kw_only=True)
class Revolute(Joint):
    """Two bodies share a point and an axis; one may turn about it.

        Phi = [ P_j - P_i ]    the origins coincide
              [ z_i . x_j ]    the z axes
              [ z_i . y_j ]    stay parallel            (space only)

    Free: rotation about z.  Removes 2 degrees of freedom in the plane, 5 in space.

    With clearance, in the plane, the pin is loose in a larger hole: it removes nothing, and the pin bounces
    off the hole as in a contact without friction.
    """

    kind: ClassVar[str] = "revolute"
    carries: ClassVar[Mapping[int, Carry]] = {2: Carry(turn=HINGE), 3: Carry(turn=HINGE)}
    called: ClassVar[dict[int, str]] = {2: "Pin", 3: "Hinge"}
    making: ClassVar[tuple[Making, ...]] = (
        Making(
            Gesture.AT_POINT,
            title="Pin",
            key="R",
            says="pin {0} – {1}",
            help="Click where two bodies overlap, or on one to pin it to the ground.",
            opening="Pin: click where two bodies overlap; on one body it is pinned to the ground.",
            dims=(2,),
        ),
        Making(
            Gesture.AT_POINT,
            title="Hinge",
            key="R",
            says="hinge {0} – {1}",
            help="Click on a face, edge or centre; the axis comes from it.",
            opening="Hinge: click on a face, an edge or a centre; a lone body hangs on the ground.",
            dims=(3,),
        ),
    )
    angle_start: Number | None = start_of("angle", "rad")
    angle_rate: Number | None = rate_of("angle", "rad")
    clearance: Number = number(
        0.0,
        unit="m",
        low=0.0,
        dims=(2,),
        help="By which the radius of the hole exceeds that of the pin.",
    )
    restitution: Number = number(
        0.5, low=0.0, high=1.0, dims=(2,), help="Of a pin with clearance: speed after a bounce."
    )

    @property
    def is_loose(self) -> bool:
        """Whether the pin has clearance in its hole."""
        return self.clearance != 0.0

    def idle_fields(self):
        """What only a loose pin has."""
        return () if self.is_loose else ("restitution",)

    def rows(self, model):
        """P_j = P_i, and in space z_j parallel to z_i; none of a loose pin."""
        i, j = self.marker_i, self.marker_j
        if self.is_loose and model.dim == 2:
            return ()
        return (row(point(i, j)), *(parallel(i, j) if model.dim == 3 else ()))

    def interactions(self, model: Model) -> tuple[Interaction, ...]:
        """A loose pin in its hole: P_j is a point in a circle about P_i."""
        if not self.is_loose or model.dim == 3:
            return ()
        loose = Contact(
            id=self.id,
            name=self.name,
            marker_i=self.marker_i,
            marker_j=self.marker_j,
            shape_i="hole",
            radius_i=self.clearance,
            shape_j="point",
            restitution=self.restitution,
            friction="none",
        )
        mass, size = loose.lighter(model)
        energy = mass * GRAVITY * FALL * size
        depth = max(PRESSED * plain(self.clearance), LEAST * size)
        return replace(loose, stiffness=2.5 * energy / depth**2.5).interactions(model)

    def coordinates(self, model):
        """The angle from x_i to x_j."""
        return {"angle": angle(self.marker_i, self.marker_j)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Spherical(Joint):
    """Two bodies share a point.    Phi = P_j - P_i.    Free: every rotation. Removes 3."""

    kind: ClassVar[str] = "spherical"
    called: ClassVar[dict[int, str]] = {3: "Ball joint"}
    carries: ClassVar[Mapping[int, Carry]] = {3: Carry(turn=BALL)}
    making: ClassVar[tuple[Making, ...]] = (
        Making(
            Gesture.AT_POINT,
            title="Ball joint",
            key="S",
            says="ball joint {0} – {1}",
            help="Click a point of a body: it turns freely about it.",
            opening="Ball joint: click a point where two bodies meet, or the tip of one.",
        ),
    )
    dims: ClassVar[tuple[int, ...]] = (3,)

    def rows(self, model):
        """P_j = P_i."""
        return (row(point(self.marker_i, self.marker_j)),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Universal(Joint):
    """A cross joins two shafts that lie along z_i and z_j.

        Phi = [ P_j - P_i ]    the centres of the cross coincide
              [ x_i . y_j ]    its arms, x_i and y_j, stay perpendicular

    Free: the tilts about the two arms.  Removes 4 degrees of freedom.
    """

    kind: ClassVar[str] = "universal"
    called: ClassVar[dict[int, str]] = {3: "Universal joint"}
    carries: ClassVar[Mapping[int, Carry]] = {3: Carry(turn=CROSS)}
    making: ClassVar[tuple[Making, ...]] = (
        Making(
            Gesture.ON_SHAFTS,
            title="Universal joint",
            key="U",
            says="universal joint {0} – {1}",
            help="Click where two shafts meet: a Cardan cross joins them.",
            opening="Universal joint: click where two shafts meet, or on the end of one.",
        ),
    )
    dims: ClassVar[tuple[int, ...]] = (3,)
    tilt_i_start: Number | None = start_of("tilt about the arm on i", "rad")
    tilt_i_rate: Number | None = rate_of("tilt about the arm on i", "rad")
    tilt_j_start: Number | None = start_of("tilt about the arm on j", "rad")
    tilt_j_rate: Number | None = rate_of("tilt about the arm on j", "rad")

    def rows(self, model):
        """P_j = P_i and x_i perpendicular to y_j."""
        i, j = self.marker_i, self.marker_j
        return (row(point(i, j)), row(cosine(X, Y, i, j)))

    def coordinates(self, model):
        """Tilt of the cross about the arm on i, and of shaft j about the other arm."""
        i, j = self.marker_i, self.marker_j
        return {
            "tilt_i": _Coordinate(layout.ANGLE, i, j, (Y, Z, Y)),
            "tilt_j": _Coordinate(layout.ANGLE, j, i, (X, Z, X)),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstantVelocity(Joint):
    """Two shafts along z_i and z_j turn equally fast at any bend, as in a car's front axle.

        Phi = [ P_j - P_i             ]    the middles of the joint coincide
              [ x_i . y_j - y_i . x_j ]    no twist between the shafts

    With the bend b between the shafts, R_i^T R_j = R(n, b) R_z(t) for some n across z, and the last row
    is -(1 + cos b) sin t: the twist t is zero, so that each shaft turns about its own axis as the other.
    Free: the bend, in every direction.  Removes 4 degrees of freedom.
    """

    kind: ClassVar[str] = "constant_velocity"
    dims: ClassVar[tuple[int, ...]] = (3,)
    making: ClassVar[tuple[Making, ...]] = (
        Making(
            Gesture.ON_SHAFTS,
            title="Constant velocity",
            key="Shift+U",
            says="constant-velocity joint {0} – {1}",
            help="Click where two shafts meet: they turn equally fast at any bend.",
            opening="Constant velocity: click where two shafts meet, or on the end of one.",
        ),
    )

    def rows(self, model):
        """P_j = P_i and no twist."""
        i, j = self.marker_i, self.marker_j
        twist = Row(((1.0, cosine(X, Y, i, j)), (-1.0, cosine(Y, X, i, j))))
        return (row(point(i, j)), twist)


@dataclass(frozen=True, slots=True, kw_only=True)
class Weld(Joint):
    """Two bodies become one: the marker frames coincide.

        Phi = [ P_j - P_i ]     plane: [ angle ]     space: [ x_i.y_j  y_i.z_j  z_i.x_j ]

    Free: nothing.  Removes 3 degrees of freedom in the plane, 6 in space.
    """

    kind: ClassVar[str] = "weld"
    carries: ClassVar[Mapping[int, Carry]] = {2: Carry(), 3: Carry()}
    making: ClassVar[tuple[Making, ...]] = (
        Making(
            Gesture.AT_POINT,
            title="Weld",
            key="W",
            says="weld {0} – {1}",
            help="Click where two bodies overlap: they become one.",
            opening="Weld: click where two bodies overlap; they become one.",
            dims=(2,),
        ),
        Making(
            Gesture.AT_POINT,
            title="Weld",
            key="W",
            says="weld {0} – {1}",
            help="Click where two bodies touch: they become one.",
            opening="Weld: click where two bodies touch; they become one.",
            dims=(3,),
        ),
    )

    def rows(self, model):
        """Same origin, same axes."""
        i, j = self.marker_i, self.marker_j
        if model.dim == 2:
            return (row(point(i, j)), row(angle(i, j)))
        return (row(point(i, j)), *(row(cosine(a, b, i, j)) for a, b in ((X, Y), (Y, Z), (Z, X))))
