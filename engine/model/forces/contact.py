"""Contact: two bodies that push each other apart where their shapes meet, and rub."""

from dataclasses import dataclass
from math import log1p, sqrt
from typing import Any, ClassVar, NamedTuple

import numpy as np

from engine.errors import EngineError, say
from engine.kernels.acting import contact_laws, touching
from engine.model.bodies import Particle
from engine.model.connections import Interaction, State
from engine.model.elements import Id, Model
from engine.model.fields import Number, choice, number, plain, ref
from engine.model.forces.base import Force
from engine.model.making import Gesture, Making
from engine.model.places import place
from engine.model.shapes import Box, Disc, Polygon, Rod, Sphere, body_mass_properties

SHAPES = ("body", "plane", "point", "circle", "hole")
GRAVITY = 9.81  # m/s^2, by which stiffness is chosen
FALL = 10.0  # body sizes: the fall that presses a body ...
PRESSED = 0.01  # ... by this part of its size
CREEP = 1e-4  # of its size: what sticking friction yields to the weight of a body
DAMPED = 0.5  # of critical damping: of the spring of sticking friction
LEAST_RESTITUTION = 0.05  # smaller ones are served by this one


class Side(NamedTuple):
    """What one body touches with: a plane, a ball, a hole or an outline, along the axes of its marker."""

    kind: float  # of engine.kernels.acting.touching
    marker: Id
    radius: float = 0.0
    offset: tuple[float, ...] = (0.0, 0.0, 0.0)  # of a ball from the marker
    corners: tuple[tuple[float, ...], ...] = ()  # of an outline or a block


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact(Force):
    """Two bodies push each other apart where their shapes meet, and rub.

    By restitution a body bounces back with just that part of its speed. An impact law has stiffness,
    exponent and damping: N = stiffness d^exponent + damping d_dot, with d the depth. By Hertz the stiffness
    follows from the material. The ground is a plane, solid below the x axis of its marker; in space below
    its xy plane.
    """

    kind: ClassVar[str] = "contact"
    making: ClassVar[tuple[Making, ...]] = (
        Making(
            Gesture.BETWEEN,
            title="Contact",
            key="Shift+T",
            says="contact",
            help="Press on a body, release on another, or on the ground where its surface is.",
            opening="Contact: press on a body, release on another, or on the ground at its surface.",
            group="contact",
            line="dashed",
        ),
    )
    marker_i: Id = ref("marker")
    marker_j: Id = ref("marker")
    law: str = choice("restitution", ("restitution", "impact", "hertz"), help="How it presses.")
    restitution: Number = number(
        0.5, low=0.0, high=1.0, help="Speed after a bounce over that before; below 0.05 as 0.05."
    )
    friction: str = choice(
        "sticking",
        ("sticking", "velocity", "none"),
        help="'velocity': it creeps where it should hold.",
    )
    mu_static: Number = number(0.3, low=0.0, help="Of friction at rest.")
    mu_dynamic: Number = number(0.3, low=0.0, help="Of sliding friction.")
    stiffness: Number | None = number(
        None, above=0.0, help="N/m^exponent; by restitution N/m^1.5. Empty: by mass and size."
    )
    exponent: Number = number(1.5, low=1.0, high=3.0, help="Of the depth, of an impact.")
    damping: Number = number(100.0, unit="N s/m", low=0.0, help="Of an impact.")
    full_depth: Number = number(1e-4, unit="m", above=0.0, help="Where damping is full.")
    young_modulus: Number = number(2.1e11, unit="Pa", above=0.0, help="Of both bodies, by Hertz.")
    poisson_ratio: Number = number(0.3, low=0.0, high=0.5, help="Of both bodies, by Hertz.")
    static_speed: Number = number(1e-3, unit="m/s", above=0.0, help="Up to which mu_static holds.")
    dynamic_speed: Number = number(1e-2, unit="m/s", above=0.0, help="From which mu_dynamic holds.")
    stick_stiffness: Number | None = number(
        None, unit="N/m", above=0.0, help="Of sticking friction. Empty: by mass and size."
    )
    stick_damping: Number | None = number(
        None, unit="N s/m", low=0.0, help="Of sticking friction. Empty: half of critical."
    )
    least_speed: Number = number(
        1e-2, unit="m/s", above=0.0, help="Slower bodies do not bounce: restitution ends here."
    )
    shape_i: str = choice("body", SHAPES, help="What touches; of the ground a plane.")
    radius_i: Number | None = number(None, unit="m", low=0.0, help="Of a circle or hole.")
    shape_j: str = choice("body", SHAPES, help="What touches; of the ground a plane.")
    radius_j: Number | None = number(None, unit="m", low=0.0, help="Of a circle or hole.")

    def idle_fields(self):
        """The numbers of other laws, and radii where there are none."""
        idle = []
        if self.law != "impact":
            idle += ["exponent", "damping", "full_depth"]
        if self.law == "impact":
            idle += ["restitution", "least_speed"]
        if self.law == "hertz":
            idle.append("stiffness")
        else:
            idle += ["young_modulus", "poisson_ratio"]
        if self.friction == "none":
            idle += ["mu_static", "mu_dynamic", "static_speed", "dynamic_speed"]
        if self.friction != "sticking":
            idle += ["stick_stiffness", "stick_damping"]
        for side in "ij":
            if getattr(self, f"shape_{side}") not in ("circle", "hole"):
                idle.append(f"radius_{side}")
        return tuple(idle)

    def problems(self, model):
        """Numbers that contradict each other, and a body that would touch itself."""
        found = []
        typed = (self.mu_static, self.mu_dynamic, self.static_speed, self.dynamic_speed)
        if not any(isinstance(x, str) for x in typed):
            mu_s, mu_d, v_s, v_d = map(plain, typed)
            if mu_d > mu_s:
                found.append(
                    say(
                        "In '{name}' mu_dynamic is larger than mu_static. Make it smaller or equal.",
                        name=self.label,
                    )
                )
            if v_s >= v_d:
                found.append(
                    say(
                        "In '{name}' static_speed is not below dynamic_speed. Make it smaller.",
                        name=self.label,
                    )
                )
        bodies = [model[m].body for m in (self.marker_i, self.marker_j) if m in model]
        if len(set(bodies)) < len(bodies):
            found.append(
                say(
                    "'{name}' is a contact of a body with itself. Choose another body.",
                    name=self.label,
                )
            )
        for side in "ij":
            shape, radius = getattr(self, f"shape_{side}"), getattr(self, f"radius_{side}")
            if shape in ("circle", "hole") and not radius:
                found.append(
                    say(
                        "'{name}' has a {shape} without a radius. Give it one.",
                        name=self.label,
                        shape=shape,
                    )
                )
        return found

    def surfaces(self, model: Model) -> list[Id]:
        """The markers that carry a plane, which has an upper side."""
        sides = ((self.marker_i, self.shape_i), (self.marker_j, self.shape_j))
        return [
            marker
            for marker, shape in sides
            if shape == "plane" or (shape == "body" and model[marker].body not in model)
        ]

    def interactions(self, model):
        """One law for a pair of shapes, or for each corner that may touch."""
        i = self._side(model, self.marker_i, self.shape_i, self.radius_i)
        j = self._side(model, self.marker_j, self.shape_j, self.radius_j)
        return tuple(self._law(model, *pair) for pair in self._pairs(i, j))

    def _side(self, model: Model, marker: Id, shape: str, radius: Number | None) -> Side:
        """What the body of a marker touches with."""
        body = model.elements.get(model[marker].body)
        if shape == "plane" or (shape == "body" and body is None):
            return Side(touching.HALF_SPACE, marker)
        if shape in ("circle", "hole", "point"):
            kind = touching.HOLE if shape == "hole" else touching.BALL
            return Side(kind, marker, 0.0 if shape == "point" else float(radius or 0.0))
        P, axes = place(model[marker])
        form: Any = None if isinstance(body, Particle) else getattr(body, "shape", None)

        def seen(point: Any) -> tuple[float, ...]:
            """A point of the body along the axes of the marker."""
            p = np.zeros(3)
            p[: len(point)] = point
            return tuple((axes.T @ (p - P)).tolist())

        if isinstance(body, Particle):
            return Side(touching.BALL, marker, 0.0, seen(()))
        if isinstance(form, Disc | Sphere):
            return Side(touching.BALL, marker, plain(form.radius), seen(()))
        if isinstance(form, Box | Rod):
            along = form.width if isinstance(form, Box) else form.length
            across = form.height if isinstance(form, Box) else form.width
            a, b = plain(along) / 2, plain(across) / 2
            c = plain(form.thickness) / 2
            levels = (0.0,) if model.dim == 2 else (-c, c)
            flat = ((-a, -b), (a, -b), (a, b), (-a, b))
            corners = tuple(seen((x, y, z)) for z in levels for x, y in flat)
            return Side(touching.OUTLINE, marker, corners=corners)
        if isinstance(form, Polygon) and model.dim == 2:
            points = [(plain(x), plain(y)) for x, y in form.points]
            area = sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(points, [*points[1:], points[0]]))
            return Side(
                touching.OUTLINE,
                marker,
                corners=tuple(seen(point) for point in (points if area > 0.0 else points[::-1])),
            )
        raise EngineError(
            "'{name}' cannot use the shape of '{body}' for a contact. Choose a circle, a point or a plane "
            "for it.",
            self.id,
            name=self.label,
            body=body.label if body is not None else marker,
        )

    def _pairs(self, i: Side, j: Side) -> list[tuple[Side, Side]]:
        """What is touched, and the ball or corner that touches it."""
        ball, outline = touching.BALL, touching.OUTLINE
        is_flat = all(corner[2] == 0.0 for side in (i, j) for corner in side.corners)
        if j.kind == ball and (i.kind != outline or is_flat):
            return [(i, j)]
        if i.kind == ball and (j.kind != outline or is_flat):
            return [(j, i)]
        found = []
        for host, other in ((i, j), (j, i)):
            if other.kind == outline and (host.kind != outline or is_flat):
                found += [(host, Side(ball, other.marker, 0.0, corner)) for corner in other.corners]
        if not found:
            raise EngineError(
                "'{name}' is between two shapes that the program does not bring in contact. Let one of "
                "them be a circle, a point or a plane.",
                self.id,
                name=self.label,
            )
        return found

    def _law(self, model: Model, host: Side, ball: Side) -> Interaction:
        """The law of a ball or corner against what it touches."""
        mass, size = self.lighter(model)
        load = mass * GRAVITY
        is_impact = self.law == "impact"
        exponent = plain(self.exponent) if is_impact else 1.5
        stiffness = self.stiffness
        if self.law == "hertz":
            stiffness = self._hertz(host, ball)
        elif stiffness is None:
            depth = PRESSED * size
            stiffness = (exponent + 1.0) * load * FALL * size / depth ** (exponent + 1.0)
        k_t, c_t = self.stick_stiffness, self.stick_damping
        if k_t is None:
            k_t = load / (CREEP * size)
        if c_t is None:
            c_t = 2.0 * DAMPED * sqrt(plain(k_t) * mass)
        rubs = ("none", "velocity", "sticking").index(self.friction)
        number_of = plain(self.damping) if is_impact else damping_of(plain(self.restitution))
        axis = 1.0 if model.dim == 2 else 2.0
        param = (
            *(host.kind, axis if host.kind == touching.HALF_SPACE else host.radius, ball.radius),
            *ball.offset,
            *(contact_laws.IMPACT if is_impact else contact_laws.RESTITUTION, stiffness, exponent),
            *(number_of, self.full_depth, float(rubs), self.mu_static, self.mu_dynamic),
            *(self.static_speed, self.dynamic_speed, k_t, c_t, self.least_speed),
            float(model.dim == 2),
        )
        states = [] if is_impact else [State(self.least_speed, 1.0)]
        if self.friction == "sticking":
            states += [State(0.0, CREEP * size)] * (1 if model.dim == 2 else 3)
        corners = tuple((x, y) for x, y, _ in host.corners)
        return Interaction(
            "contact",
            host.marker,
            ball.marker,
            param,
            states=tuple(states),
            stores=True,
            touches=True,
            outline=corners,
        )

    def lighter(self, model: Model) -> tuple[float, float]:
        """Mass and size of the lighter of the two bodies that can move."""
        found = []
        for marker in (self.marker_i, self.marker_j):
            body: Any = model.elements.get(model[marker].body)
            if body is not None and not body.fixed:
                form = getattr(body, "shape", None)
                size = 0.1
                if form is not None:
                    low, high = form.box()
                    size = float((high - low)[: model.dim].max())
                found.append((float(body_mass_properties(body).mass), size))
        return min(found) if found else (1.0, 0.1)

    def _hertz(self, host: Side, ball: Side) -> float:
        """k = 4/3 E* sqrt(R) of two bodies of the same material, with 1/R = 1/R_i + 1/R_j."""
        bent = 1.0 / ball.radius if ball.radius else 0.0
        if host.kind == touching.BALL and host.radius:
            bent += 1.0 / host.radius
        elif host.kind == touching.HOLE:
            bent -= 1.0 / host.radius
        if not bent > 0.0:
            raise EngineError(
                "'{name}' has no curved shape that Hertz could press. Choose another law.",
                self.id,
                name=self.label,
            )
        E = plain(self.young_modulus) / (2.0 * (1.0 - plain(self.poisson_ratio) ** 2))
        return 4.0 / 3.0 * E / sqrt(bent)


def damping_of(r: float) -> float:
    """s with ln((1 + s)/(1 - s r)) = s (1 + r): the damping that gives just the restitution r."""
    r = max(r, LEAST_RESTITUTION)
    if r >= 1.0:
        return 0.0
    low, high = 0.0, 1.0 / r
    for _ in range(200):
        s = 0.5 * (low + high)
        if s in (low, high):
            break
        # by parts of equal size near s = 0, where ln(1 + s) - s and the rest cancel
        left = log1p(s) - log1p(-s * r) - s * (1.0 + r) if s * r < 1.0 else 1.0
        low, high = (low, s) if left > 0.0 else (s, high)
    return 0.5 * (low + high)


def meeting_of_shapes(contact: str, kind: str) -> str:
    """What happens in a contact, in words: 'touch', 'leave', 'stick' or 'slip'."""
    if kind == "leave":
        return say("The shapes of '{contact}' part", contact=contact)
    if kind == "stick":
        return say("The shapes of '{contact}' stick to each other", contact=contact)
    if kind == "slip":
        return say("The shapes of '{contact}' begin to slip", contact=contact)
    return say("The shapes of '{contact}' touch", contact=contact)
