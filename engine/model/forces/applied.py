"""Forces that are given: at a point, as a torque, in a joint, or by an expression."""

from dataclasses import dataclass
from typing import ClassVar

from engine.kernels import layout
from engine.model.connections import Law, Load, angle, distance, joint_coordinate
from engine.model.elements import Id
from engine.model.fields import Function, choice, function, ref, text
from engine.model.forces.base import Force
from engine.model.making import Gesture, Making

CHANNELS = ("t", "distance", "rate", "angle", "speed")
_AXES = ("world", "body")


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
    vector: ClassVar[tuple[str, ...]] = ("t_x", "t_y", "t_z")
    is_axial: ClassVar[bool] = True
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
    """A force or torque between two markers by an expression of t and of their relative motion.

    Its channels are distance, rate (of the distance), angle (about z_i) and speed (of the angle). A
    positive force pushes the markers apart; a positive torque turns marker j forwards.
    """

    kind: ClassVar[str] = "general_force"
    making: ClassVar[tuple[Making, ...]] = (
        Making(
            Gesture.BETWEEN,
            title="Force by formula",
            key="Shift+X",
            says="force by formula",
            help="Press on one body, release on another; then write its law in the properties.",
            opening="Force by formula: press on one body, release on another, then give its law.",
            group="forces",
            line="dashed",
            begins=(("law", 10.0),),
        ),
    )
    marker_i: Id = ref("marker")
    marker_j: Id = ref("marker")
    acts: str = choice(
        "line", ("line", "torque"), help="Along the line of the markers, or about z."
    )
    law: Function = function(0.0, of=CHANNELS, unit="N or N m")

    def laws(self, model):
        """One law along the distance or the angle, reading both."""
        ends = distance(self.marker_i, self.marker_j), angle(self.marker_i, self.marker_j)
        return (_expression_law(ends[0], ends[1], self.acts == "torque", self.law),)


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
