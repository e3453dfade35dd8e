"""The problems of the collection as trees of links, as every other program is given them.

A link slides along an axis or turns about it, from its place on the link before; axes of links are those of
the world where all coordinates are zero.
"""

from collections.abc import Callable
from math import pi, radians
from typing import Any, NamedTuple

import numpy as np

Vector = tuple[float, float, float]
ORIGIN: Vector = (0.0, 0.0, 0.0)
GRAVITY = 9.81
SLIDE, TURN = "slide", "turn"


class Link(NamedTuple):
    """One body and the joint that carries it."""

    parent: int  # -1: the ground
    joint: str
    axis: str  # x, y or z
    place: Vector  # of the joint on the parent
    center: Vector  # from the joint
    mass: float
    inertia: Vector  # about the centre
    start: float = 0.0
    speed: float = 0.0
    stiffness: float = 0.0  # of a spring in the joint, free at zero
    damping: float = 0.0


class Between(NamedTuple):
    """A point of one link and one of another; -1 is the ground."""

    i: int
    at_i: Vector
    j: int
    at_j: Vector


class Spring(NamedTuple):
    """A spring with a damper between two points."""

    ends: Between
    stiffness: float
    damping: float
    free_length: float


class Mechanism(NamedTuple):
    """A tree of links, points that stay together, springs, and a torque on each coordinate."""

    links: tuple[Link, ...]
    gravity: Vector
    observe: Callable[[np.ndarray], np.ndarray]  # coordinates of all samples -> observables
    pins: tuple[Between, ...] = ()
    springs: tuple[Spring, ...] = ()
    torques: tuple[float, ...] = ()


def pendulum(p: dict[str, Any]) -> Mechanism:
    """The point mass on a massless rod."""
    bob = Link(-1, TURN, "z", ORIGIN, (p["L"], 0.0, 0.0), p["m"], ORIGIN, start=pi)
    return Mechanism((bob,), (0.0, -GRAVITY, 0.0), lambda q: np.hstack([np.cos(q), np.sin(q)]))


def chain(n: int, p: dict[str, Any]) -> Mechanism:
    """Rods of one metre in a row."""
    J = p["m"] / 12.0
    links = tuple(
        Link(k - 1, TURN, "z", (float(k > 0), 0.0, 0.0), (0.5, 0.0, 0.0), p["m"], (J, J, J))
        for k in range(n)
    )
    return Mechanism(links, (0.0, -GRAVITY, 0.0), tips)


def tips(q: np.ndarray) -> np.ndarray:
    """The free ends of rods of one metre."""
    phi = np.cumsum(q, axis=1)
    ends = np.stack([np.cumsum(np.cos(phi), axis=1), np.cumsum(np.sin(phi), axis=1)], axis=2)
    return ends.reshape(len(q), -1)


def crane(p: dict[str, Any]) -> Mechanism:
    """The trolley with spring and damper, and its rod."""
    l, J = p["l"], p["m2"] * p["l"] ** 2 / 12.0
    buffer = {"stiffness": p["spring"], "damping": p["damper"]}
    trolley = Link(-1, SLIDE, "x", ORIGIN, ORIGIN, p["m1"], (1.0, 1.0, 1.0), -p["x1_0"], **buffer)
    turned = radians(p["phi0_deg"])
    rod = Link(0, TURN, "z", ORIGIN, (l / 2, 0.0, 0.0), p["m2"], (J, J, J), turned)

    def observe(q: np.ndarray) -> np.ndarray:
        X, phi = q.T
        return np.column_stack([X, X + l * np.cos(phi), l * np.sin(phi)])

    return Mechanism((trolley, rod), (0.0, -GRAVITY, 0.0), observe)


def squeezer(p: dict[str, Any]) -> Mechanism:
    """Andrews' squeezer: four arms on the ground, three more links, pinned together in E."""
    q, m, I = p["q0"], p["m"], p["I"]
    A, B, C = ((p[f"x{k}"], p[f"y{k}"], 0.0) for k in "abc")
    beta, delta, epsilon = q["beta"], q["delta"], q["epsilon"]

    def link(k: int, parent: int, place: Vector, center: tuple[float, float], start: float) -> Link:
        J = I[k - 1]
        return Link(parent, TURN, "z", place, (*center, 0.0), m[k - 1], (J, J, J), start)

    links = (
        link(1, -1, ORIGIN, (p["ra"], 0.0), beta),
        link(2, 0, (p["rr"], 0.0, 0.0), (-p["da"], 0.0), q["theta"]),
        link(3, -1, B, (p["sa"], p["sb"]), q["gamma"]),
        link(5, -1, A, (p["ta"], p["tb"]), delta),
        link(4, 3, (p["zt"], 0.0, 0.0), (0.0, p["ea"] - p["e"]), q["phi"]),
        link(7, -1, A, (p["ua"], p["ub"]), epsilon),
        link(6, 5, (0.0, -p["u"], 0.0), (p["zf"] - p["fa"], 0.0), q["omega"]),
    )
    of_2, of_3 = (-p["d"], 0.0, 0.0), (0.0, -p["ss"], 0.0)
    pins = (
        Between(1, of_2, 2, of_3),
        Between(1, of_2, 4, (0.0, -p["e"], 0.0)),
        Between(1, of_2, 6, (p["zf"], 0.0, 0.0)),
    )
    pull = Spring(Between(2, (p["sd"], -p["sc"], 0.0), -1, C), p["c0"], 0.0, p["l0"])

    def observe(q: np.ndarray) -> np.ndarray:
        one, two = q[:, 0], q[:, 0] + q[:, 1]
        F = p["rr"] * np.column_stack([np.cos(one), np.sin(one)])
        return np.hstack([F, F - p["d"] * np.column_stack([np.cos(two), np.sin(two)])])

    torques = (p["mom"], *6 * (0.0,))
    return Mechanism(links, ORIGIN, observe, pins, (pull,), torques)


def governor(p: dict[str, Any]) -> Mechanism:
    """The flyball governor; each ball is part of its rod."""
    rho, b, length = p["density"], p["hinge_offset"], p["rod_length"]
    shaft, slider = (_brick(rho, p[name]) for name in ("shaft", "slider"))
    rod_mass, rod_J = _brick(rho, (length, p["rod_w"], p["rod_w"]))
    mass, ball = rod_mass + p["point_mass"], p["point_mass"]
    c = (rod_mass * length / 2 + ball * length) / mass
    across = rod_mass * (c - length / 2) ** 2 + ball * (length - c) ** 2
    J = (rod_J[0], rod_J[1] + across, rod_J[2] + across)
    alpha = radians(p["alpha0_deg"])
    links = (
        Link(-1, TURN, "z", ORIGIN, (0.0, 0.0, 0.5), *shaft, speed=p["omega0"]),
        Link(0, SLIDE, "z", ORIGIN, ORIGIN, *slider, start=p["s0"]),
        Link(0, TURN, "y", (b, 0.0, 1.0), (c, 0.0, 0.0), mass, J, start=alpha),
        Link(0, TURN, "y", (-b, 0.0, 1.0), (-c, 0.0, 0.0), mass, J, start=-alpha),
    )
    springs = tuple(
        Spring(
            Between(n, (side * length / 2, 0.0, 0.0), 1, (side * b, 0.0, 0.0)),
            *(p["k"], p["c"], p["l0"]),
        )
        for n, side in ((2, 1.0), (3, -1.0))
    )
    return Mechanism(links, (0.0, 0.0, -GRAVITY), lambda q: q[:, 1:2], springs=springs)


def _brick(density: float, size: tuple[float, float, float]) -> tuple[float, Vector]:
    """Mass and inertia of a brick."""
    a, b, c = size
    m = density * a * b * c
    return m, (m / 12 * (b * b + c * c), m / 12 * (c * c + a * a), m / 12 * (a * a + b * b))


def four_bars(p: dict[str, Any]) -> Mechanism:
    """Upright cranks side by side, each tied to the next by a coupler at their tips."""
    n, L, m = p["N"], p["L"], p["m"]
    J, speed, middle, tip = m * L**2 / 12.0, p["v_B0"] / L, (L / 2, 0.0, 0.0), (L, 0.0, 0.0)

    def link(parent: int, place: Vector, start: float, rate: float) -> Link:
        return Link(parent, TURN, "z", place, middle, m, (J, J, J), start, rate)

    links: list[Link] = []  # Pinocchio wants what hangs on a link right behind it
    for k in range(n + 1):
        links.append(link(-1, (k * L, 0.0, 0.0), pi / 2, -speed))
        if k < n:
            links.append(link(2 * k, tip, -pi / 2, speed))
    pins = tuple(Between(2 * k + 1, tip, 2 * k + 2, tip) for k in range(n))

    def observe(q: np.ndarray) -> np.ndarray:
        return L * np.column_stack([np.cos(q[:, 0]), np.sin(q[:, 0])])

    return Mechanism(tuple(links), (0.0, -GRAVITY, 0.0), observe, pins)


MECHANISMS: dict[str, Callable[[dict[str, Any]], Mechanism]] = {
    "a_pendulum": pendulum,
    "b_chain2": lambda p: chain(2, p),
    "b_chain8": lambda p: chain(8, p),
    "c_fourbar1": four_bars,
    "c_fourbar2": four_bars,
    "d_andrews": squeezer,
    "f_flyball": governor,
    "i_crane": crane,
    "j_double1285": lambda p: chain(2, p),
}
