"""Toothed wheels: gears, and rack and pinion.

Two wheels i and j turn by phi_i and phi_j about parallel axes, with centres C_i and C_j. Let psi be the
direction of the line of centres, u its unit vector, d = |C_j - C_i| and t = z x u. Pitch circles that roll
on each other turn equally fast as seen from that line:

    Phi = r_i (phi_i - psi) + r_j (phi_j - psi) - as drawn = 0

where r_j is negative in a ring. Written with two coordinates between both wheels,

    Phi = -(r_i + r_j) (psi - phi_i) + r_j (phi_j - phi_i) - as drawn

psi changes by t.dC_j / d, so the reaction -D^T lam on wheel j is the force lam (r_i + r_j)/d t at its
centre and the moment -r_j lam: a force through the pitch point P = C_j - r_j d u / (r_i + r_j). Wheel i
takes the opposite at the same point, and the bearings hold both. A turn of the line adds (r_i + r_j) 2 pi.

A rack lies along e on body j. Seen from it, a wheel that rolls moves its centre by what it turns:

    Phi = -e.(C_i - P_j) - r (phi_i - phi_j) - as drawn = 0

The reaction is the force lam e on the wheel at C_i with the moment r lam: through P = C_i - r z x e.

What presses along the line of centres is in engine.kernels.acting.teeth.
"""

from dataclasses import dataclass
from math import degrees, pi
from typing import ClassVar, NamedTuple

import numpy as np

from engine.errors import EngineError, say
from engine.kernels import layout
from engine.model.connections import (
    NONE,
    Coordinate,
    Meshing,
    Row,
    X,
    Y,
    along,
    angle,
    direction,
    joint_coordinate,
)
from engine.model.elements import GROUND, Id, Model
from engine.model.fields import Number, number, plain
from engine.model.joints.base import Transmission
from engine.model.joints.guides import Cylindrical, Prismatic, Screw
from engine.model.joints.tooth_contact import PRESSURE_ANGLE, ToothedPair
from engine.model.places import place_in_world

STEEP = (
    0.01  # [rad] axes this far from parallel, or from perpendicular to a rack, are no drawing error
)
APART = 1e-6  # of the radii: centres nearer than this coincide
MESHED = 1e-3  # of the radii: a distance that differs by more is no rounding
STRAIGHT_GUIDES = (Prismatic, Cylindrical, Screw)  # in which a rack keeps its direction


class _Wheel(NamedTuple):
    """The marker of a joint that is on the wheel or rack, and the sign of its coordinate there."""

    marker: Id
    sign: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Gear(ToothedPair):
    """Two toothed wheels turn in two joints, on one carrier or on several.

        outside:  radius_1 (angle_1 - psi) + radius_2 (angle_2 - psi) = as drawn
        inside:   radius_1 (angle_1 - psi) - radius_2 (angle_2 - psi) = as drawn

    psi is the direction of the line of centres. The teeth push at the pitch point, along the pitch circles
    and, by the pressure angle, along the line of centres: the bearings carry both. Where the axes
    are not parallel, or both wheels have one centre, psi is left out: the angles are coupled alone,
    and no force of the teeth reaches the bearings.  Removes 1 degree of freedom.

    Teeth in contact are involute flanks that press on each other instead: they have stiffness, backlash and
    friction, and lose contact.  They remove no degree of freedom.
    """

    kind: ClassVar[str] = "gear"

    def rows(self, model):
        """Equal speeds of the pitch circles; none where teeth are in contact."""
        if self.is_in_contact:
            return ()
        mesh = self.meshing(model)
        if mesh is None:
            first, second = self._angles(model)
            r_1, r_2 = self.radii(model)
            return (Row(((r_1, first), (-r_2 if self.inside else r_2, second)), None),)
        i, j, both = mesh.marker_i, mesh.marker_j, mesh.radius_i + mesh.radius_j
        terms = ((-both, direction(i, j)), (mesh.radius_j, angle(i, j)))
        return (Row(terms, None, period=2 * pi * abs(both)),)

    def meshing(self, model):
        """Parallel axes some way apart."""
        wheels = _wheels(model, *self._angles(model))
        if wheels is None:
            return None
        radii = self.radii(model)
        (i, sign_i), (j, sign_j) = wheels
        (C_i, A_i), (C_j, A_j) = (place_in_world(model, marker) for marker in (i, j))
        cosine = float(A_i[:, 2] @ A_j[:, 2])
        r_i, r_j = sign_i * radii[0], float(np.copysign(sign_j, sign_j * cosine)) * radii[1]
        r_j = -r_j if self.inside else r_j
        apart = float(np.linalg.norm(np.cross(A_i[:, 2], C_j - C_i)))
        if min(apart, abs(r_i + r_j)) <= APART * sum(radii) or abs(cosine) < np.cos(STEEP):
            return None
        return Meshing(i, j, r_i, r_j, NONE, plain(self.pressure_angle))

    def radii(self, model: Model) -> tuple[float, float]:
        """The pitch radii: as given, else those of the discs; EngineError where there is no disc."""
        given = (self.radius_1, self.radius_2)
        wheels = (None, None) if None not in given else _wheels(model, *self._angles(model))
        found = []
        for n, (radius, wheel) in enumerate(zip(given, wheels or (None, None)), 1):
            known = _radius_of_disc(model, wheel) if radius is None else plain(radius)
            if known is None:
                raise EngineError(
                    "'{name}': radius {n} is empty, but what turns in '{joint}' is no disc. Give the "
                    "pitch radius.",
                    self.id,
                    name=self.label,
                    n=n,
                    joint=model[self.joint_1 if n == 1 else self.joint_2].label,
                )
            found.append(known)
        return found[0], found[1]

    def problems(self, model):
        """A radius that is empty needs a disc, and flanks must carry."""
        self.radii(model)
        found = _problems_of_flanks(self)
        return self.problems_of_contact(model) if self.is_in_contact and not found else found

    def remarks(self, model: Model):
        """What is unusual about it, in sentences."""
        if self.is_in_contact:
            yield from self.remarks_of_contact(model)
            return
        mesh = self.meshing(model)
        if mesh is None:
            yield say(
                "'{name}' couples angles alone: its axes are not parallel, or its wheels have one centre. "
                "No force of the teeth reaches the bearings.",
                name=self.label,
            )
            return
        (C_i, A_i), (C_j, _) = (place_in_world(model, m) for m in (mesh.marker_i, mesh.marker_j))
        apart = float(np.linalg.norm(np.cross(A_i[:, 2], C_j - C_i)))
        wanted = abs(mesh.radius_i + mesh.radius_j)
        if abs(apart - wanted) > MESHED * (abs(mesh.radius_i) + abs(mesh.radius_j)):
            yield say(
                "The wheels of '{name}' do not mesh: their radii ask for a distance of {wanted:.6g} m "
                "between the centres, and it is {apart:.6g} m. Change a radius, or move a wheel. The ratio "
                "holds; the teeth are taken to meet where it divides the distance.",
                name=self.label,
                wanted=wanted,
                apart=apart,
            )

    def _angles(self, model: Model) -> tuple[Coordinate, Coordinate]:
        """The angles of both joints."""
        first = joint_coordinate(model, self.joint_1, "angle", self.id)
        return first, joint_coordinate(model, self.joint_2, "angle", self.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class RackAndPinion(Transmission):
    """A pinion in a revolute joint (first) drives a rack in a prismatic joint (second).

        displacement - radius angle = as drawn

    both as seen from the rack, so that the carrier may move. A negative radius turns the sense round: the
    rack lies on the other side. The teeth push at the pitch point, along the rack and, by the
    pressure angle, away from the pinion: bearings and guides carry both. Where the rack is not
    perpendicular to the axis, or may turn, the coordinates are coupled alone and no force of the teeth
    reaches the bearings.  Removes 1.
    """

    kind: ClassVar[str] = "rack_and_pinion"
    handed: ClassVar[str] = "radius"
    radius: Number = number(0.1, unit="m", help="Pitch radius of the pinion.")
    pressure_angle: Number = PRESSURE_ANGLE

    def rows(self, model):
        """The rack moves as the pitch circle turns."""
        turn, slide = self._coordinates(model)
        wheels = self._meeting(model)
        if wheels is None:
            return (Row(((1.0, slide), (-plain(self.radius), turn)), None),)
        wheel, rack = wheels
        seen = Coordinate(layout.ANGLE, wheel.marker, rack.marker, (X, Y, slide.axes[0]))
        moved = along(slide.axes[0], rack.marker, wheel.marker)
        return (Row(((-rack.sign, moved), (wheel.sign * plain(self.radius), seen)), None),)

    def meshing(self, model):
        """A rack across the axis."""
        wheels = self._meeting(model)
        if wheels is None:
            return None
        (i, sign_i), (j, sign_j) = wheels
        signed = sign_i * sign_j * plain(self.radius)
        way = self._coordinates(model)[1].axes[0]
        return Meshing(i, j, signed, 0.0, way, plain(self.pressure_angle))

    def problems(self, model):
        """Flanks must carry."""
        return _problems_of_flanks(self)

    def remarks(self, model: Model):
        """What is unusual about it, in sentences."""
        if self._meeting(model) is None:
            yield say(
                "'{name}' couples two joints alone: its rack is not perpendicular to the axis, or may "
                "turn. No force of the teeth reaches the bearings.",
                name=self.label,
            )

    def _meeting(self, model: Model) -> tuple[_Wheel, _Wheel] | None:
        """Wheel and rack, where the teeth meet."""
        turn, slide = self._coordinates(model)
        wheels = _wheels(model, turn, slide)
        if wheels is None or not isinstance(model[self.joint_2], STRAIGHT_GUIDES):
            return None
        if model.dim == 3:
            A_i, A_j = (place_in_world(model, wheel.marker)[1] for wheel in wheels)
            if abs(float(A_i[:, 2] @ A_j[:, slide.axes[0]])) > np.sin(STEEP):
                return None
        return wheels

    def _coordinates(self, model: Model) -> tuple[Coordinate, Coordinate]:
        """The angle of the pinion and the displacement of the rack."""
        turn = joint_coordinate(model, self.joint_1, "angle", self.id)
        return turn, joint_coordinate(model, self.joint_2, "displacement", self.id)


def _wheels(model: Model, first: Coordinate, second: Coordinate) -> tuple[_Wheel, _Wheel] | None:
    """What turns or slides in two joints: not the body that both share; else the one of marker j.

    None if that is one and the same body, so that there is nothing to mesh.
    """
    bodies = [{model[m].body for m in (c.marker_i, c.marker_j)} for c in (first, second)]
    shared = bodies[0] & bodies[1]
    carrier = shared if len(shared) == 1 else {GROUND}
    found = [
        _Wheel(c.marker_i, -1.0) if model[c.marker_j].body in carrier else _Wheel(c.marker_j, 1.0)
        for c in (first, second)
    ]
    if model[found[0].marker].body == model[found[1].marker].body:
        return None
    return found[0], found[1]


def _problems_of_flanks(teeth: "Gear | RackAndPinion") -> list[str]:
    """Flanks cannot lean by a right angle."""
    lean = plain(teeth.pressure_angle)
    if lean < pi / 2:
        return []
    return [
        say(
            "'{name}' has a pressure angle of {lean:.4g} degrees, but flanks that carry lean by less than "
            "90. Give another one; 20 degrees is usual.",
            name=teeth.label,
            lean=degrees(lean),
        )
    ]


def _radius_of_disc(model: Model, wheel: _Wheel | None) -> float | None:
    """The radius of the body of a wheel, if it is round."""
    body = None if wheel is None else model.elements.get(model[wheel.marker].body)
    shape = getattr(body, "shape", None)
    return plain(shape.radius) if shape is not None and shape.axle is not None else None
