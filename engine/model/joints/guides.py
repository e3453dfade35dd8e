"""Joints that let something slide: prismatic, cylindrical, screw, planar, point on line, on plane."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import pi
from typing import ClassVar

from engine.errors import say
from engine.kernels.trees.layout import BALL, HINGE, SCREW
from engine.model.connections import Row, X, Y, Z, along, angle, cosine, distance, parallel, row
from engine.model.fields import (
    Function,
    Number,
    choice,
    function,
    number,
    plain,
    rate_of,
    start_of,
)
from engine.model.joints.base import Carry, Joint
from engine.model.joints.one_sided import BOTH, OneSided
from engine.model.making import Gesture, Making


@dataclass(frozen=True, slots=True, kw_only=True)
class Prismatic(Joint):
    """One body slides along an axis of the other without turning.

        plane:  Phi = [ y_i . d ]    d = P_j - P_i stays on the x axis of i
                      [ angle   ]
        space:  Phi = [ x_i . d,  y_i . d ]    d stays on the z axis of i
                      [ z_i . x_j,  z_i . y_j,  x_i . y_j ]

    Free: the displacement.  Removes 2 degrees of freedom in the plane, 5 in space.
    """

    kind: ClassVar[str] = "prismatic"
    carries: ClassVar[Mapping[int, Carry]] = {2: Carry((X,)), 3: Carry((Z,))}
    called: ClassVar[dict[int, str]] = {2: "Slider", 3: "Slider"}
    making: ClassVar[tuple[Making, ...]] = (
        Making(
            Gesture.AT_POINT,
            title="Slider",
            key="P",
            says="slider {0} – {1}",
            help="Click where two bodies overlap, or on one; drag to give the direction.",
            opening="Slider: press on a body and drag along the direction in which it slides.",
            dims=(2,),
        ),
        Making(
            Gesture.AT_POINT,
            title="Slider",
            key="P",
            says="slider {0} – {1}",
            help="Click on a body, or press and drag along its direction.",
            opening="Slider: press on a body and drag along the direction in which it slides.",
            dims=(3,),
        ),
    )
    displacement_start: Number | None = start_of("displacement", "m")
    displacement_rate: Number | None = rate_of("displacement", "m")

    def rows(self, model):
        """On the axis, and no rotation."""
        i, j = self.marker_i, self.marker_j
        if model.dim == 2:
            return (row(along(Y, i, j)), row(angle(i, j)))
        no_turn = (*parallel(i, j), row(cosine(X, Y, i, j)))
        return (row(along(X, i, j)), row(along(Y, i, j)), *no_turn)

    def coordinates(self, model):
        """The displacement along the axis of i."""
        axis = X if model.dim == 2 else Z
        return {"displacement": along(axis, self.marker_i, self.marker_j)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Cylindrical(Joint):
    """One body slides along and turns about the z axis of the other. Removes 4."""

    kind: ClassVar[str] = "cylindrical"
    carries: ClassVar[Mapping[int, Carry]] = {3: Carry((Z,), HINGE)}
    making: ClassVar[tuple[Making, ...]] = (
        Making(
            Gesture.AT_POINT,
            title="Cylindrical",
            key="Y",
            says="shaft {0} – {1}, turns and slides",
            help="Click on a shaft or face: it turns about the axis and slides.",
            opening="Cylindrical: click on a shaft or a face; it turns and slides.",
        ),
    )
    dims: ClassVar[tuple[int, ...]] = (3,)
    displacement_start: Number | None = start_of("displacement", "m")
    displacement_rate: Number | None = rate_of("displacement", "m")
    angle_start: Number | None = start_of("angle", "rad")
    angle_rate: Number | None = rate_of("angle", "rad")

    def rows(self, model):
        """On the axis, and z parallel."""
        i, j = self.marker_i, self.marker_j
        return (row(along(X, i, j)), row(along(Y, i, j)), *parallel(i, j))

    def coordinates(self, model):
        """Displacement along and angle about the axis."""
        i, j = self.marker_i, self.marker_j
        return {"displacement": along(Z, i, j), "angle": angle(i, j)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Screw(Joint):
    """A cylindrical joint whose displacement follows its angle.

        z_i . d - (pitch / 2 pi) angle = as drawn

    Free: the angle.  Removes 5 degrees of freedom.
    """

    kind: ClassVar[str] = "screw"
    carries: ClassVar[Mapping[int, Carry]] = {3: Carry(turn=SCREW)}
    making: ClassVar[tuple[Making, ...]] = (
        Making(
            Gesture.AT_POINT,
            title="Screw",
            key="Shift+Y",
            says="screw {0} – {1}",
            help="Click on a shaft: turning it moves it along its axis.",
            opening="Screw: click on a shaft or a face; set its pitch in the properties then.",
        ),
    )
    dims: ClassVar[tuple[int, ...]] = (3,)
    handed: ClassVar[str] = "pitch"
    pitch: Number = number(0.01, unit="m", help="Advance in one turn; negative: left-handed.")
    angle_start: Number | None = start_of("angle", "rad")
    angle_rate: Number | None = rate_of("angle", "rad")

    def rows(self, model):
        """On the axis, z parallel, and the thread."""
        i, j = self.marker_i, self.marker_j
        thread = Row(((1.0, along(Z, i, j)), (-plain(self.pitch) / (2 * pi), angle(i, j))), None)
        return (row(along(X, i, j)), row(along(Y, i, j)), *parallel(i, j), thread)

    def coordinates(self, model):
        """Angle and displacement; one follows from the other."""
        i, j = self.marker_i, self.marker_j
        return {"angle": angle(i, j), "displacement": along(Z, i, j)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Planar(Joint):
    """One body slides and turns on the xy plane of the other. Removes 3."""

    kind: ClassVar[str] = "planar"
    carries: ClassVar[Mapping[int, Carry]] = {3: Carry((X, Y), HINGE)}
    making: ClassVar[tuple[Making, ...]] = (
        Making(
            Gesture.AT_POINT,
            title="Planar",
            key="Shift+P",
            says="{1} on a plane of {0}",
            help="Click on a face: the body slides and turns on its plane.",
            opening="Planar: click on a face; the body slides and turns on its plane.",
        ),
    )
    dims: ClassVar[tuple[int, ...]] = (3,)
    x_start: Number | None = start_of("x coordinate", "m")
    x_rate: Number | None = rate_of("x coordinate", "m")
    y_start: Number | None = start_of("y coordinate", "m")
    y_rate: Number | None = rate_of("y coordinate", "m")
    angle_start: Number | None = start_of("angle", "rad")
    angle_rate: Number | None = rate_of("angle", "rad")

    def rows(self, model):
        """In the plane, and z parallel."""
        i, j = self.marker_i, self.marker_j
        return (row(along(Z, i, j)), *parallel(i, j))

    def coordinates(self, model):
        """The place in the plane and the angle."""
        i, j = self.marker_i, self.marker_j
        return {"x": along(X, i, j), "y": along(Y, i, j), "angle": angle(i, j)}


@dataclass(frozen=True, slots=True, kw_only=True)
class PointOnLine(OneSided):
    """A pin in a slot: the origin of marker j stays on the x axis (plane) or z axis (space) of i.

    Removes 1 degree of freedom in the plane, 2 in space. In the plane it may hold from one side only: a
    support above which the point may lift off, with friction if it rubs.
    """

    kind: ClassVar[str] = "point_on_line"
    carries: ClassVar[Mapping[int, Carry]] = {
        2: Carry((X,), HINGE, both_ways=False),
        3: Carry((Z,), BALL, both_ways=False),
    }
    called: ClassVar[dict[int, str]] = {2: "Pin in slot", 3: "Point on line"}
    making: ClassVar[tuple[Making, ...]] = (
        Making(
            Gesture.AT_POINT,
            title="Pin in slot",
            key="I",
            says="pin of {1} in a slot of {0}",
            help="Click where two bodies overlap; drag along the slot. Tab: exchange pin and slot.",
            opening="Pin in slot: press where two bodies overlap and drag along the slot.",
            dims=(2,),
        ),
        Making(
            Gesture.AT_POINT,
            title="Point on line",
            key="I",
            says="point of {1} on a line of {0}",
            help="Press where two bodies meet, drag along the line. Tab: exchange the bodies.",
            opening="Point on line: press where two bodies meet and drag along the line.",
            dims=(3,),
        ),
    )
    displacement_start: Number | None = start_of("displacement", "m")
    displacement_rate: Number | None = rate_of("displacement", "m")
    angle_start: Number | None = start_of("angle", "rad", dims=(2,))
    angle_rate: Number | None = rate_of("angle", "rad", dims=(2,))
    sides: ClassVar[dict[str, int]] = {"above": -1, "below": 1}
    may_rub: ClassVar[bool] = True
    acts: str = choice(
        BOTH, (BOTH, "above", "below"), dims=(2,), help="'above': a support, that only pushes up."
    )
    mu_static: Number = number(0.0, low=0.0, dims=(2,), help="Of a support, while it sticks.")
    mu_dynamic: Number = number(0.0, low=0.0, dims=(2,), help="Of a support, while it slides.")

    @property
    def friction(self):
        """Coefficients while it sticks and while it slides."""
        return self.mu_static, self.mu_dynamic

    def rows(self, model):
        """No distance from the line; where it rubs also its place on it, while it sticks."""
        i, j = self.marker_i, self.marker_j
        if self.rubs(model):
            return (row(along(Y, i, j)), row(along(X, i, j), None))
        if model.dim == 2:
            return (row(along(Y, i, j)),)
        return (row(along(X, i, j)), row(along(Y, i, j)))

    def coordinates(self, model):
        """Where on the line, and in the plane also the angle."""
        i, j = self.marker_i, self.marker_j
        if model.dim == 2:
            return {"displacement": along(X, i, j), "angle": angle(i, j)}
        return {"displacement": along(Z, i, j)}


@dataclass(frozen=True, slots=True, kw_only=True)
class PointOnPlane(OneSided):
    """The origin of marker j stays on the xy plane of marker i, or on one side of it. Removes 1."""

    kind: ClassVar[str] = "point_on_plane"
    carries: ClassVar[Mapping[int, Carry]] = {3: Carry((X, Y), BALL, both_ways=False)}
    making: ClassVar[tuple[Making, ...]] = (
        Making(
            Gesture.AT_POINT,
            title="Point on plane",
            key="Shift+I",
            says="point of {1} on a plane of {0}",
            help="Click on a face or a tip: it stays on the plane across the axis.",
            opening="Point on plane: click a point of a body; it stays on the plane there.",
        ),
    )
    dims: ClassVar[tuple[int, ...]] = (3,)
    x_start: Number | None = start_of("x coordinate", "m")
    x_rate: Number | None = rate_of("x coordinate", "m")
    y_start: Number | None = start_of("y coordinate", "m")
    y_rate: Number | None = rate_of("y coordinate", "m")

    sides: ClassVar[dict[str, int]] = {"above": -1, "below": 1}
    acts: str = choice(BOTH, (BOTH, "above", "below"), help="'above': a support without friction.")

    def rows(self, model):
        """No height over the plane."""
        return (row(along(Z, self.marker_i, self.marker_j)),)

    def coordinates(self, model):
        """Where on the plane."""
        i, j = self.marker_i, self.marker_j
        return {"x": along(X, i, j), "y": along(Y, i, j)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rod(OneSided):
    """A massless rod keeps the distance of two points.    Phi = |P_j - P_i| - length.   Removes 1.

    The length may be a function of time: a rod that is hauled in, a hydraulic cylinder. Under tension only
    it is a rope: it goes slack, and snaps taut with its restitution.
    """

    kind: ClassVar[str] = "rod"
    making: ClassVar[tuple[Making, ...]] = (
        Making(
            Gesture.BETWEEN,
            title="Rod (fixed distance)",
            key="X",
            says="rod",
            help="Press on one body, release on another: their distance stays. No mass.",
            opening="Rod: press on one body and release on another; their distance stays.",
            length="length",
        ),
    )
    length: Function | None = function(None, unit="m", help="Empty: as drawn.")
    sides: ClassVar[dict[str, int]] = {"tension": 1, "compression": -1}
    acts: str = choice(
        BOTH,
        (BOTH, "tension", "compression"),
        help="'tension': a rope; 'compression': a strut that only pushes.",
    )

    def rows(self, model):
        """The distance is the length, unless a motion prescribes it."""
        if any(motion.joint == self.id for motion in model.of("motion")):
            return ()
        return (row(distance(self.marker_i, self.marker_j), self.length),)

    def coordinates(self, model):
        """The length."""
        return {"length": distance(self.marker_i, self.marker_j)}

    def problems(self, model):
        """A constant length must be positive, and nothing moves that of a rope."""
        if self.is_one_sided and any(motion.joint == self.id for motion in model.of("motion")):
            return [
                say(
                    "A motion prescribes the length of '{name}', which holds on one side only. Remove the "
                    "motion, or let '{name}' act both ways.",
                    name=self.label,
                )
            ]
        if isinstance(self.length, int | float) and not self.length > 0.0:
            return [
                say("The length of '{name}' must be positive. Make it longer.", name=self.label)
            ]
        return []
