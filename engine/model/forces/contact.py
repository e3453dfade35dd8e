"""Contact: two bodies that push each other apart where their shapes meet, and rub."""

from dataclasses import dataclass
from math import log1p, sqrt
from typing import Any, ClassVar

from engine.errors import EngineError, say
from engine.kernels.acting import contact_laws, touching
from engine.model.connections import Interaction, State, body_of
from engine.model.elements import Id, Model
from engine.model.fields import Function, Number, choice, flag, function, number, plain, points, ref
from engine.model.forces.base import Force
from engine.model.forces.curves import check_points
from engine.model.forces.surfaces import ROUND, Side, pairs, side_of_marker
from engine.model.making import Gesture, Making
from engine.model.shapes import body_mass_properties

SHAPES = ("body", "plane", "point", "circle", "hole", "smooth", "chain", "curve")
CURVES = ("chain", "curve")
OUTLINED = (touching.OUTLINE, touching.CHAIN, touching.CURVE, touching.AREA)
GRAVITY = 9.81  # m/s^2, by which stiffness is chosen
FALL = 10.0  # body sizes: the fall that presses a body ...
PRESSED = 0.01  # ... by this part of its size
CREEP = 1e-4  # of its size: what sticking friction yields to the weight of a body
DAMPED = 0.5  # of critical damping: of the spring of sticking friction
LEAST_RESTITUTION = 0.05  # smaller ones are served by this one


@dataclass(frozen=True, slots=True, kw_only=True)
class Contact(Force):
    """Two bodies push each other apart where their shapes meet, and rub.

    By restitution a body bounces back with just that part of its speed. An impact law has stiffness,
    exponent and damping: N = stiffness d^exponent + damping d_dot, with d the depth. By Hertz the stiffness
    follows from the material. The ground is a plane, solid below the x axis of its marker; in space below
    its xy plane. In the plane a marker can carry a chain of lines or a smooth curve, as a road or a cam,
    through points or by formulas x(s), y(s); an open one is solid to the right of its way.
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
    has_surfaces: ClassVar[bool] = True  # along the axes of its markers
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
    wear_coefficient: Number | None = number(
        None, unit="m^2/N", low=0.0, help="65e-5 mm^3/N/m of PLA. Empty: as asked for."
    )
    wear_side: str = choice(
        "none", ("none", "medial", "lateral"), help="Of two sides whose wear is compared."
    )
    shape_i: str = choice("body", SHAPES, help="What touches; of the ground a plane.")
    radius_i: Number | None = number(None, unit="m", low=0.0, help="Of a circle or hole.")
    shape_j: str = choice("body", SHAPES, help="What touches; of the ground a plane.")
    radius_j: Number | None = number(None, unit="m", low=0.0, help="Of a circle or hole.")
    faces: str = choice(
        "corners",
        ("corners", "area"),
        help="How two polygons press: by corners, or convex ones by the area they share.",
    )
    points: tuple[tuple[Number, ...], ...] = points(
        (), unit="m", help="Of a chain or curve, along the axes of its point."
    )
    closed: bool = flag(False, help="The chain or curve goes round its material.")
    curve_x: Function | None = function(
        None, of=("s",), unit="m", help="Of the curve, instead of points. Empty: s itself."
    )
    curve_y: Function | None = function(
        None, of=("s",), unit="m", help="Of the curve, instead of points."
    )
    curve_from: Number = number(0.0, help="s where the curve begins.")
    curve_to: Number = number(1.0, help="s where the curve ends.")

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
        if not self.has_curve:
            idle += ["points", "closed", "curve_x", "curve_y", "curve_from", "curve_to"]
        elif self.curve_y is None:
            idle += ["curve_x", "curve_from", "curve_to"]
        else:
            idle.append("points")
        if (self.shape_i, self.shape_j) != ("body", "body"):
            idle.append("faces")
        return tuple(idle)

    @property
    def has_curve(self) -> bool:
        """Whether one side is a chain or curve of its own."""
        return self.shape_i in CURVES or self.shape_j in CURVES

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
        return found + self._problems_of_curves(model)

    def _problems_of_curves(self, model: Model) -> list[str]:
        """Curves that lie nowhere, and where there can be none."""
        found: list[str] = []
        if not self.has_curve:
            return found
        if model.dim == 3:
            found.append(
                say(
                    "'{name}' has a curve, which exists in the plane only. Choose another shape.",
                    name=self.label,
                )
            )
        if self.shape_i in CURVES and self.shape_j in CURVES:
            found.append(
                say(
                    "Both sides of '{name}' are curves. Let one of them be a circle or a point.",
                    name=self.label,
                )
            )
        numbers = [x for point in self.points for x in point]
        if self.curve_y is None and not any(isinstance(x, str) for x in numbers):
            try:
                check_points([tuple(map(plain, point)) for point in self.points], self.closed)
            except EngineError as error:
                found.append(say("'{name}': {reason}", name=self.label, reason=error.sentence))
        return found

    def surfaces(self, model: Model) -> list[Id]:
        """The markers that carry a plane, which has an upper side."""
        sides = ((self.marker_i, self.shape_i), (self.marker_j, self.shape_j))
        return [
            marker
            for marker, shape in sides
            if shape in ("plane", *CURVES) or (shape == "body" and model[marker].body not in model)
        ]

    def interactions(self, model):
        """One law for a pair of shapes, or for each corner that may touch."""
        i = side_of_marker(self, model, self.marker_i, self.shape_i, self.radius_i)
        j = side_of_marker(self, model, self.marker_j, self.shape_j, self.radius_j)
        weights = self.lighter(model, *(body_of(model, m) for m in (self.marker_i, self.marker_j)))
        return tuple(self.law_of(model, weights, *pair) for pair in pairs(self, model, i, j))

    def law_of(
        self, model: Model, weights: tuple[float, float], host: Side, ball: Side
    ) -> Interaction:
        """The law of a ball, corner or rim against what it touches; weights: mass and size."""
        mass, size = weights
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
        number_of_host = host.radius
        if host.kind == touching.HALF_SPACE:
            number_of_host = 1.0 if model.dim == 2 else 2.0
        elif host.kind == touching.AREA:
            number_of_host = float(len(host.corners))
        param = (
            *(host.kind, number_of_host, ball.radius),
            *ball.offset,
            *(contact_laws.IMPACT if is_impact else contact_laws.RESTITUTION, stiffness, exponent),
            *(number_of, self.full_depth, float(rubs), self.mu_static, self.mu_dynamic),
            *(self.static_speed, self.dynamic_speed, k_t, c_t, self.least_speed),
            float(model.dim == 2),
        )
        states = [] if is_impact else [State(self.least_speed, 1.0)]
        if self.friction == "sticking":
            states += [State(0.0, CREEP * size)] * (1 if model.dim == 2 else 3)
        param += (0.0,) * (touching.SIZE - len(param))
        is_rim = any(ball.axis)
        param += (*(ball.size if is_rim else host.size), *ball.axis)
        corners = tuple((x, y) for x, y, _ in host.corners) if host.kind in OUTLINED else ()
        if host.kind == touching.AREA:
            corners += tuple((x, y) for x, y, _ in ball.corners)
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

    def lighter(self, model: Model, *bodies: Id) -> tuple[float, float]:
        """Mass and size of the lighter of two bodies that can move; by default of its markers."""
        found = []
        for id in bodies or (body_of(model, m) for m in (self.marker_i, self.marker_j)):
            body: Any = model.elements.get(id)
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
        if host.kind in ROUND and host.radius:
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
