"""Forces that are given: at a point, as a torque, in a joint, or by an expression."""

from dataclasses import dataclass
from typing import ClassVar

from engine.errors import say
from engine.kernels import layout
from engine.model.connections import (
    Coordinate,
    Interaction,
    Law,
    Load,
    X,
    Y,
    Z,
    distance,
    joint_coordinate,
)
from engine.model.elements import Id
from engine.model.fields import Function, choice, function, ref, text
from engine.model.forces.base import Force
from engine.model.making import Gesture, Making

CHANNELS = ("t", "distance", "rate", "angle", "speed")
_AXES = ("world", "body")
_ABOUT = {"z": (X, Y, X), "x": (Y, Z, Y), "y": (Z, X, Z)}  # axes of an angle about one of marker i
_AXES_OF = {"marker_i": layout.OF_I, "marker_j": layout.OF_J, "world": layout.OF_WORLD}


@dataclass(frozen=True, slots=True, kw_only=True)
class PointForce(Force):
    """A given force at a marker; the ground takes the opposite."""

    kind: ClassVar[str] = "force"
    vector: ClassVar[tuple[str, ...]] = ("f_x", "f_y", "f_z")
    marker_i: Id = ref("marker", help="Where it attacks.")
    axes: str = choice("world", _AXES, help="'body': the force turns with the body.")
    f_x: Function = function(0.0, unit="N")
    f_y: Function = function(0.0, unit="N")
    f_z: Function = function(0.0, unit="N", dims=(3,))

    def loads(self, model):
        """One force."""
        in_body = self.axes == "body"
        return (Load(layout.FORCE, self.marker_i, in_body, (self.f_x, self.f_y, self.f_z)),)


@dataclass(frozen=True, slots=True, kw_only=True)
class Torque(Force):
    """A given torque on the body of a marker; the ground takes the opposite."""

    kind: ClassVar[str] = "torque"
    axial: ClassVar[tuple[str, ...]] = ("t_x", "t_y", "t_z")
    marker_i: Id = ref("marker", help="On the body it acts on.")
    axes: str = choice("world", _AXES, help="'body': the torque turns with the body.")
    t_x: Function = function(0.0, unit="N m", dims=(3,))
    t_y: Function = function(0.0, unit="N m", dims=(3,))
    t_z: Function = function(0.0, unit="N m")

    def loads(self, model):
        """One torque."""
        in_body = self.axes == "body"
        return (Load(layout.TORQUE, self.marker_i, in_body, (self.t_x, self.t_y, self.t_z)),)


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneralForce(Force):
    """A force and a torque between two markers; the other body takes the opposite, at the same point.

    Along the line of the markers, or about an axis of marker i, it is an expression of t and of their
    relative motion: distance, rate (of the distance), angle (about that axis) and speed (of the angle).
    A positive force pushes the markers apart; a positive torque turns marker j forwards. By components,
    a force at the origin of marker j and a torque on its body are given over time along chosen axes.
    """

    kind: ClassVar[str] = "general_force"
    vector: ClassVar[tuple[str, ...]] = ("f_x", "f_y", "f_z")
    axial: ClassVar[tuple[str, ...]] = ("t_x", "t_y", "t_z")
    making: ClassVar[tuple[Making, ...]] = (
        Making(
            Gesture.BETWEEN,
            title="Force by formula",
            key="Shift+X",
            says="force by formula",
            help="Press on one body, release on another; then write its law in the properties.",
            opening="Force by formula: press on one body, release on another, then give its law.",
            group="loads",
            line="dashed",
            begins=(("law", 10.0),),
        ),
    )
    marker_i: Id = ref("marker")
    marker_j: Id = ref("marker")
    acts: str = choice(
        "line",
        ("line", "torque", "components"),
        help="Along the line of the points, about an axis of point i, or by components over time.",
    )
    law: Function = function(
        0.0, of=CHANNELS, unit="N or N m", help="Along the line, or about the axis."
    )
    about: str = choice(
        "z", tuple(_ABOUT), dims=(3,), help="Axis of point i that a torque turns about."
    )
    axes: str = choice("marker_i", tuple(_AXES_OF), help="Along which components are given.")
    f_x: Function = function(0.0, unit="N", help="By components: on body j at point j.")
    f_y: Function = function(0.0, unit="N")
    f_z: Function = function(0.0, unit="N", dims=(3,))
    t_x: Function = function(0.0, unit="N m", dims=(3,), help="By components: on body j.")
    t_y: Function = function(0.0, unit="N m", dims=(3,))
    t_z: Function = function(0.0, unit="N m")

    def idle_fields(self):
        """Components where there is a law, and the other way round."""
        if self.acts == "components":
            return ("law", "about")
        given = ("axes", *self.vector, *self.axial)
        return given if self.acts == "torque" else ("about", *given)

    def problems(self, model):
        """Components that are typed but not used."""
        typed = [n for n in (*self.vector, *self.axial) if getattr(self, n) != 0.0]
        if self.acts == "components" or not typed:
            return []
        return [
            say(
                "'{name}' has components, but does not act by them. Let it act by components, or make "
                "them zero.",
                name=self.label,
            )
        ]

    def laws(self, model):
        """One law along the distance or the angle, reading both; none by components."""
        if self.acts == "components":
            return ()
        i, j = self.marker_i, self.marker_j
        turn = Coordinate(layout.ANGLE, i, j, _ABOUT[self.about])
        return (_expression_law(distance(i, j), turn, self.acts == "torque", self.law),)

    def interactions(self, model):
        """By components a force and a torque, each where it is not zero."""
        if self.acts != "components":
            return ()
        i, j, axes = self.marker_i, self.marker_j, _AXES_OF[self.axes]
        force, torque = (self.f_x, self.f_y, self.f_z), (self.t_x, self.t_y, self.t_z)
        return tuple(
            Interaction(
                *("given", i, j, (turns, axes), components), pushes=not turns, turns=bool(turns)
            )
            for turns, components in ((0.0, force), (1.0, torque))
            if any(component != 0.0 for component in components)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Actuator(Force):
    """A motor: a given force or torque along a coordinate of a joint.

    The law may use t and the coordinate itself: distance and rate, or angle and speed. A positive
    value drives the coordinate up.
    """

    kind: ClassVar[str] = "actuator"
    called: ClassVar[dict[int, str]] = {2: "Motor", 3: "Motor"}
    joint: Id = ref("joint")
    coordinate: str = text(help="Which coordinate; empty: the first.")
    law: Function = function(0.0, of=CHANNELS, unit="N or N m")

    def laws(self, model):
        """One law along the coordinate."""
        coordinate = joint_coordinate(model, self.joint, self.coordinate, self.id)
        return (_expression_law(coordinate, coordinate, coordinate.is_angle, self.law),)


def _expression_law(first, second, on_angle, law):
    """An EXPRESSION law; its first parameter says which channels the driven coordinate fills."""
    driven, other = (second, first) if on_angle else (first, second)
    return Law(
        layout.EXPRESSION,
        driven,
        (1.0 if on_angle else 0.0, 0.0, 0.0, 0.0, 0.0),
        (law, None),
        CHANNELS,
        other,
    )
