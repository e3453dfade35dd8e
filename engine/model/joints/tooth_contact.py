"""Teeth in contact: involute wheels that press and rub on each other instead of an ideal ratio.

Each pair of teeth is a spring. Steel teeth carry 14 N for each micrometre and millimetre of width; other
materials follow by Young's modulus. Wheels of inertia J swing on them as the mass
1 / (r_b1^2/J_1 + r_b2^2/J_2).
The law is in engine.kernels.acting.involute.
"""

from dataclasses import dataclass, fields
from math import atan2, pi, sqrt
from typing import Any

import numpy as np

from engine.errors import EngineError, say
from engine.kernels.acting import contact_laws
from engine.model.connections import Interaction, Meshing
from engine.model.elements import Id, Model
from engine.model.fields import Number, choice, flag, number, plain
from engine.model.joints.base import Transmission
from engine.model.joints.involute import Mesh, ToothedWheel, free_distance, mesh_of
from engine.model.places import place, place_in_world
from engine.model.shapes import body_mass_properties

TWENTY_DEGREES = 0.349065850399  # [rad] in as many digits as files have
PRESSURE_ANGLE = number(
    TWENTY_DEGREES,
    unit="rad",
    low=0.0,
    help="How far flanks lean: teeth press wheels apart by its tangent.",
)
TEETH_OF_SMALLEST = 18  # where neither teeth nor a module are given
STEEL_TEETH, STEEL = (
    14e9,
    206e9,
)  # [N/m^2] stiffness of a pair of teeth by its width, Young's modulus
DAMPED = 0.1  # of critical: what teeth damp by themselves
FADING = 0.05  # of the base pitch: over which a pair of teeth takes up its load
WHOLE = 1e-6  # a number of teeth nearer to a whole one is rounded
OF_AN_IDEAL_PAIR = (
    *("id", "name", "joint_1", "joint_2"),
    *("radius_1", "radius_2", "inside", "pressure_angle", "teeth"),
)
FITS = 1e-6  # of the module: a backlash less than minus this is no rounding


@dataclass(frozen=True, slots=True, kw_only=True)
class ToothedPair(Transmission):
    """Two toothed wheels: an ideal ratio, or teeth in contact."""

    radius_1: Number | None = number(
        None, unit="m", above=0.0, help="Pitch radius of the first gear. Empty: that of its disc."
    )
    radius_2: Number | None = number(
        None, unit="m", above=0.0, help="Pitch radius of the second gear. Empty: that of its disc."
    )
    inside: bool = flag(False, help="One gear runs inside the other: both turn the same way.")
    pressure_angle: Number = PRESSURE_ANGLE
    teeth: str = choice(
        "ideal", ("ideal", "contact"), help="'contact': involute flanks press, rub and rattle."
    )
    teeth_1: Number | None = number(
        None, low=4.0, high=2000.0, help="Of the first gear. Empty: by the module."
    )
    teeth_2: Number | None = number(
        None, low=4.0, high=2000.0, help="Of the second gear. Empty: by the module."
    )
    module: Number | None = number(
        None, unit="m", above=0.0, help="Pitch diameter over teeth. Empty: by the teeth."
    )
    shift_1: Number = number(0.0, low=-1.0, high=2.0, help="Profile shift, in modules.")
    shift_2: Number = number(0.0, low=-1.0, high=2.0, help="Profile shift, in modules.")
    backlash: Number = number(
        0.0,
        unit="m",
        low=0.0,
        help="By which teeth are thinner, both together, on the pitch circle.",
    )
    addendum: Number = number(
        1.0, low=0.3, high=1.6, help="Height above the pitch circle, in modules."
    )
    stiffness: Number | None = number(
        None, unit="N/m", above=0.0, help="Of a pair of teeth. Empty: by width and Young's modulus."
    )
    young_modulus: Number = number(STEEL, unit="Pa", above=0.0, help="Of both gears.")
    damping: Number | None = number(
        None, unit="N s/m", low=0.0, help="Of a pair of teeth. Empty: 10 % of critical."
    )
    full_depth: Number = number(1e-8, unit="m", above=0.0, help="Where damping is full.")
    friction: str = choice("none", ("velocity", "none"), help="Between flanks, by sliding speed.")
    mu_static: Number = number(0.1, low=0.0, help="Of slow sliding.")
    mu_dynamic: Number = number(0.1, low=0.0, help="Of sliding friction.")
    static_speed: Number = number(1e-3, unit="m/s", above=0.0, help="Up to which mu_static holds.")
    dynamic_speed: Number = number(1e-2, unit="m/s", above=0.0, help="From which mu_dynamic holds.")
    wear_coefficient: Number | None = number(
        None, unit="m^2/N", low=0.0, help="65e-5 mm^3/N/m of PLA. Empty: as asked for."
    )
    phase_1: Number | None = number(
        None, unit="rad", help="From the joint's x axis to a tooth. Empty: as drawn they mesh."
    )
    phase_2: Number | None = number(
        None, unit="rad", help="From the joint's x axis to a tooth. Empty: as drawn they mesh."
    )

    @property
    def is_in_contact(self) -> bool:
        """Whether its teeth are flanks that press, and not an ideal ratio."""
        return self.teeth == "contact"

    def idle_fields(self) -> tuple[str, ...]:
        """What only teeth in contact have, and what they have not."""
        if not self.is_in_contact:
            return tuple(f.name for f in fields(self) if f.name not in OF_AN_IDEAL_PAIR)
        idle = [] if self.stiffness is None else ["young_modulus"]
        if self.friction == "none":
            idle += ["mu_static", "mu_dynamic", "static_speed", "dynamic_speed"]
        return ("inside", *idle)

    def radii(self, model: Model) -> tuple[float, float]:
        """The pitch radii."""
        raise NotImplementedError

    def wheels(self, model: Model) -> tuple[ToothedWheel, ToothedWheel]:
        """The wheels with their teeth; EngineError where their number is not whole."""
        radii = self.radii(model)
        given = (self.teeth_1, self.teeth_2)
        module = None if self.module is None else plain(self.module)
        for z, radius in zip(given, radii):
            if module is None and z is not None:
                module = 2.0 * radius / plain(z)
        if module is None:
            module = 2.0 * min(radii) / TEETH_OF_SMALLEST
        found = []
        for n, (z, r, x) in enumerate(zip(given, radii, (self.shift_1, self.shift_2)), 1):
            count = 2.0 * r / module
            if abs(count - round(count)) > WHOLE * count or (z or round(count)) != round(count):
                raise EngineError(
                    "'{name}': gear {n} of pitch radius {radius:.6g} m and module {module:.6g} m would "
                    "have {count:.4f} teeth. Give it {asked} teeth by the radius {wanted:.9g} m, or "
                    "another module.",
                    self.id,
                    name=self.label,
                    n=n,
                    radius=r,
                    module=module,
                    count=count,
                    asked=round(plain(z)) if z is not None else max(round(count), 1),
                    wanted=0.5 * module * (plain(z) if z is not None else max(round(count), 1)),
                )
            found.append(
                ToothedWheel(
                    *(round(count), module, plain(self.pressure_angle), plain(x)),
                    *(0.5 * plain(self.backlash), plain(self.addendum)),
                )
            )
        return found[0], found[1]

    def mesh(self, model: Model) -> Mesh | None:
        """How the teeth mesh as drawn."""
        return mesh_of(*self.wheels(model), _distance(model, self.meeting(model)))

    def meeting(self, model: Model) -> Meshing:
        """The markers of both wheels; EngineError where teeth cannot meet."""
        meshing = self.meshing(model)
        if meshing is None or self.inside:
            raise EngineError(
                "'{name}': teeth in contact are those of two wheels beside each other on parallel axes. "
                "Choose ideal teeth for it.",
                self.id,
                name=self.label,
            )
        return meshing

    def interactions(self, model: Model) -> tuple[Interaction, ...]:
        """One law for all pairs of teeth; none where the ratio is ideal."""
        if not self.is_in_contact:
            return ()
        meshing, wheels = self.meeting(model), self.wheels(model)
        phases = tooth_phases(model)
        i, j = meshing.marker_i, meshing.marker_j
        rubs = contact_laws.BY_VELOCITY if self.friction == "velocity" else contact_laws.SMOOTH
        law = (
            *(0.0,) * 6,
            *(contact_laws.IMPACT, self.stiffness_of(model), 1.0, self.damping_of(model)),
            *(plain(self.full_depth), rubs, plain(self.mu_static), plain(self.mu_dynamic)),
            *(plain(self.static_speed), plain(self.dynamic_speed)),
            *(0.0,) * 4,
        )
        shapes = tuple(
            number
            for wheel, marker in zip(wheels, (i, j))
            for number in (wheel.base, wheel.tip, wheel.half_tooth, phases[marker])
        )
        pitch = wheels[0].base_pitch
        same_way = float(_axis(model, i) @ _axis(model, j)) > 0.0
        param = (*law, *shapes, pitch, FADING * pitch, 1.0 if same_way else -1.0)
        return (Interaction("gear_teeth", i, j, param, stores=True, touches=True),)

    def stiffness_of(self, model: Model) -> float:
        """Of a pair of teeth: as given, or by the width of the narrower wheel and Young's modulus."""
        if self.stiffness is not None:
            return plain(self.stiffness)
        meshing, widths = self.meeting(model), []
        for marker in (meshing.marker_i, meshing.marker_j):
            shape = getattr(model.elements.get(model[marker].body), "shape", None)
            width = getattr(shape, "thickness", getattr(shape, "length", None))
            if width is not None:
                widths.append(plain(width))
        if not widths:
            raise EngineError(
                "'{name}': how wide its teeth are is not known, because no gear has a shape. Give the "
                "stiffness of a pair of teeth.",
                self.id,
                name=self.label,
            )
        return STEEL_TEETH * min(widths) * plain(self.young_modulus) / STEEL

    def damping_of(self, model: Model) -> float:
        """Of a pair of teeth: as given, or a part of critical damping of both wheels on it."""
        if self.damping is not None:
            return plain(self.damping)
        meshing, lightness = self.meeting(model), 0.0
        for wheel, marker in zip(self.wheels(model), (meshing.marker_i, meshing.marker_j)):
            body: Any = model.elements.get(model[marker].body)
            if body is None or body.fixed:
                continue
            z = place(model[marker])[1][:, 2]
            J = np.asarray(body_mass_properties(body).inertia, dtype=float)
            about = float(J) if J.ndim == 0 else float(z @ J @ z)
            lightness += wheel.base**2 / about if about > 0.0 else 0.0
        return 2.0 * DAMPED * sqrt(self.stiffness_of(model) / lightness) if lightness else 0.0

    def problems_of_contact(self, model: Model) -> list[str]:
        """What is wrong with teeth in contact, in sentences."""
        wheels, found = self.wheels(model), []
        self.meeting(model)
        self.stiffness_of(model)
        for n, wheel in enumerate(wheels, 1):
            if wheel.half_angle(wheel.tip) <= 0.0 or wheel.tip <= wheel.base:
                found.append(
                    say(
                        "'{name}': the teeth of gear {n} are pointed below their tips. Use a smaller "
                        "addendum, profile shift or backlash.",
                        name=self.label,
                        n=n,
                    )
                )
        if plain(self.mu_dynamic) > plain(self.mu_static):
            found.append(
                say(
                    "In '{name}' mu_dynamic is larger than mu_static. Make it smaller or equal.",
                    name=self.label,
                )
            )
        if plain(self.static_speed) >= plain(self.dynamic_speed):
            found.append(
                say(
                    "In '{name}' static_speed is not below dynamic_speed. Make it smaller.",
                    name=self.label,
                )
            )
        return found

    def remarks_of_contact(self, model: Model):
        """What is unusual about teeth in contact, in sentences."""
        wheels, mesh = self.wheels(model), self.mesh(model)
        apart, fits = _distance(model, self.meeting(model)), free_distance(*wheels)
        if mesh is None or mesh.backlash < -FITS * wheels[0].module:
            yield say(
                "The teeth of '{name}' do not fit: at a distance of {apart:.6g} m between the centres they "
                "press on both sides. Move a wheel to {fits:.6g} m or more, give backlash, or shift "
                "profiles.",
                name=self.label,
                apart=apart,
                fits=fits,
            )
        elif mesh.ratio < 1.0:
            yield say(
                "The teeth of '{name}' lose each other: {ratio:.2f} pairs are in contact on average, and "
                "it should be more than 1. Move the wheels nearer to {fits:.6g} m, or use more teeth.",
                name=self.label,
                ratio=mesh.ratio,
                fits=fits,
            )
        elif mesh.is_undercut:
            yield say(
                "Tips of the teeth of '{name}' would reach below a base circle, where there is no flank: "
                "contact ends there. Use more teeth, profile shift or a smaller addendum.",
                name=self.label,
            )


def tooth_phases(model: Model) -> dict[Id, float]:
    """Where a tooth of each wheel in contact is, from the x axis of its marker: teeth mesh as drawn.

    A wheel that several gears share has one phase: typed, or by the first of them. The first wheel has a
    tooth on the line of centres, and what meets a tooth is a gap.
    """
    pairs = [e for e in model.of("joint") if isinstance(e, ToothedPair) and e.is_in_contact]
    known: dict[Id, float] = {}
    meshings = []
    for pair in pairs:
        meshing = pair.meeting(model)
        meshings.append((pair, meshing))
        for marker, typed in zip(
            (meshing.marker_i, meshing.marker_j), (pair.phase_1, pair.phase_2)
        ):
            if typed is not None:
                known.setdefault(marker, plain(typed))
    for pair, meshing in meshings:
        wheels = pair.wheels(model)
        markers = (meshing.marker_i, meshing.marker_j)
        ways = (_direction(model, *markers), _direction(model, *reversed(markers)))
        facing = 1.0 if float(_axis(model, markers[0]) @ _axis(model, markers[1])) > 0.0 else -1.0
        first = 1 if markers[0] not in known and markers[1] in known else 0
        second = 1 - first
        known.setdefault(markers[first], ways[first])
        share = (ways[first] - known[markers[first]]) * wheels[first].z / (2.0 * pi)
        past = facing * (
            0.5 - share % 1.0
        )  # how far the line is past a tooth of the other, in teeth
        phase = ways[second] - past * 2.0 * pi / wheels[second].z
        known.setdefault(markers[second], phase)
    return known


def _axis(model: Model, marker: Id) -> np.ndarray:
    """The axis of a wheel, world axes."""
    return np.asarray(place_in_world(model, marker)[1][:, 2])


def _direction(model: Model, marker: Id, other: Id) -> float:
    """The direction from one wheel to another as an angle from the x axis of its marker."""
    C, A = place_in_world(model, marker)
    d = A.T @ (place_in_world(model, other)[0] - C)
    return atan2(float(d[1]), float(d[0]))


def _distance(model: Model, meshing: Meshing) -> float:
    """The distance of the centres, across the axis."""
    (C, A), (P, _) = (place_in_world(model, m) for m in (meshing.marker_i, meshing.marker_j))
    return float(np.linalg.norm(np.cross(A[:, 2], P - C)))
