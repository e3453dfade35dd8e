"""How two shapes press and rub: the numbers of a law of contact, and the law of one pair of shapes."""

from dataclasses import dataclass
from functools import cache
from math import log1p, sqrt
from typing import Any

from engine.errors import EngineError, say
from engine.kernels.acting import contact_laws, touching
from engine.model.connections import Interaction, Nearness, State
from engine.model.elements import Id, Model
from engine.model.fields import Number, choice, number, plain
from engine.model.forces.base import Force
from engine.model.forces.surfaces import ROUND, Side
from engine.model.shapes import body_mass_properties

OUTLINED = (touching.OUTLINE, touching.CHAIN, touching.CURVE, touching.AREA)
GRAVITY = 9.81  # m/s^2, by which stiffness is chosen
FALL = 10.0  # body sizes: the fall that presses a body ...
PRESSED = 0.01  # ... by this part of its size
CREEP = 1e-4  # of its size: what sticking friction yields to the weight of a body
DAMPED = 0.5  # of critical damping: of the spring of sticking friction
LEAST_RESTITUTION = 0.05  # smaller ones are served by this one


@dataclass(frozen=True, slots=True, kw_only=True)
class Pressing(Force):
    """What presses shapes apart and lets them rub, whichever they are."""

    law: str = choice("restitution", ("restitution", "impact", "hertz"), help="How it presses.")
    restitution: Number = number(
        0.5, low=0.0, high=1.0, help="Speed after a bounce over that before; below 0.05 as 0.05."
    )
    friction: str = choice(
        "sticking",
        ("sticking", "velocity", "lugre", "none"),
        help="'velocity': it creeps where it should hold. 'lugre': bristles, for experts.",
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
        None,
        unit="N/m",
        above=0.0,
        help="Of bristles, sticking or LuGre's. Empty: by mass and size.",
    )
    stick_damping: Number | None = number(
        None,
        unit="N s/m",
        low=0.0,
        help="Of bristles, sticking or LuGre's. Empty: half of critical.",
    )
    least_speed: Number = number(
        1e-2, unit="m/s", above=0.0, help="Slower bodies do not bounce: restitution ends here."
    )

    def idle_numbers(self) -> list[str]:
        """The numbers of other laws than the chosen ones."""
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
        if self.friction not in ("sticking", "lugre"):
            idle += ["stick_stiffness", "stick_damping"]
        return idle

    def problems_of_numbers(self) -> list[str]:
        """Coefficients and speeds of friction that contradict each other."""
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
        return found

    def law_of(
        self,
        model: Model,
        weights: tuple[float, float],
        host: Side,
        ball: Side,
        near: Nearness | None = None,
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
        if self.friction == "lugre":  # of a normal force of 1 N
            k_t, c_t = plain(k_t) / load, plain(c_t) / load
        rubs = ("none", "velocity", "sticking", "lugre").index(self.friction)
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
        n_speeds = len(states)  # they stay as they are where shapes are apart
        if self.friction in ("sticking", "lugre"):
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
            near=near,
            rests=n_speeds,
        )

    def lighter_of(self, model: Model, *bodies: Id) -> tuple[float, float]:
        """Mass and size of the lighter of two bodies that can move."""
        found = []
        for id in bodies:
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


@cache
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
