"""The mechanisms of the validation tests, drawn exactly as their sources define them."""

from math import cos, pi, radians, sin
from typing import Any

import numpy as np

from engine.editing.builder import Mechanism
from engine.model.elements import Model, put
from engine.model.forces import GeneralForce

WALL = 10.0  # [m] so far left that the trolley never gets there


def polar(length: float, angle: float) -> np.ndarray:
    """A vector in the plane by its length and its angle from x."""
    return length * np.array([cos(angle), sin(angle)])


def thin_rod(m: Mechanism, start: Any, end: Any, mass: float = 1.0, **fields: Any) -> str:
    """A slender rod, J = m l^2 / 12 in the plane and in space, where it needs some about its axis."""
    if m.dim == 2:
        return m.rod(start, end, mass=mass, **fields)
    J = mass * float(np.sum((np.array(end) - np.array(start)) ** 2)) / 12
    return m.rod(start, end, mass=mass, inertia=(0.1 * J, J, J, 0, 0, 0), **fields)


def rod_chain(
    angles: tuple[float, ...],
    masses: tuple[float, ...],
    lengths: tuple[float, ...],
    spins: tuple[float, ...] | None = None,
    gravity: tuple[float, float] = (0.0, -9.81),
) -> Model:
    """Slender rods hinged end to end, the first at the origin; angles are absolute, from +x."""
    m = Mechanism("chain", gravity=gravity)
    start, speed = np.zeros(2), np.zeros(2)
    before = "ground"
    for angle, mass, length, spin in zip(angles, masses, lengths, spins or len(angles) * (0.0,)):
        along, across = polar(length, angle), polar(length * spin, angle + pi / 2)
        rod = m.rod(start, start + along, mass=mass, velocity=speed + across / 2, spin=spin)
        m.revolute(before, rod, at=start)
        start, speed, before = start + along, speed + across, rod
    return m.model


def horizontal_chain(n: int, mass: float = 1.0) -> Model:
    """Rods of one metre, all lying along +x, at rest."""
    return rod_chain(n * (0.0,), n * (mass,), n * (1.0,))


def particle_pendulum(angle: float, length: float = 1.0, mass: float = 1.0) -> Model:
    """A point mass on a massless rod at the origin; the angle counts from +x."""
    m = Mechanism("particle pendulum")
    bob = m.particle(polar(length, angle), mass, id="bob")
    m.massless_rod(("ground", (0, 0)), (bob, polar(length, angle)), id="string")
    return m.model


def parallel_cranks(n: int, dim: int = 2) -> Model:
    """n four-bars in a row (IFToMM A02): n + 1 upright cranks and n couplers of one metre."""
    m = Mechanism("parallel cranks", dim, gravity=(0.0, -9.81, 0.0)[:dim])

    def at(x: float, y: float) -> tuple[float, ...]:
        return (x, y, 0.0)[:dim]

    about_z = {"axis": (0, 0, 1)} if dim == 3 else {}
    turning = {"angular_velocity": (0, 0, -1.0)} if dim == 3 else {"spin": -1.0}
    cranks = []
    for k in range(n + 1):
        cranks.append(thin_rod(m, at(k, 0), at(k, 1), velocity=at(0.5, 0), **turning))
        m.revolute("ground", cranks[-1], at=at(k, 0), **about_z)
    for k in range(n):
        coupler = thin_rod(m, at(k, 1), at(k + 1, 1), velocity=at(1, 0))
        m.revolute(cranks[k], coupler, at=at(k, 1), **about_z)
        m.revolute(coupler, cranks[k + 1], at=at(k + 1, 1), **about_z)
    m.marker(cranks[0], at(0, 1), id="B0")
    return m.model


def andrews_squeezer(p: dict) -> Model:
    """Andrews' squeezer mechanism (IFToMM A03) with the numbers of its definition."""
    m = Mechanism("squeezer", gravity=(0, 0))
    q = p["q0"]
    origin_, A, B, C = (0, 0), (p["xa"], p["ya"]), (p["xb"], p["yb"]), (p["xc"], p["yc"])
    turn = {
        "K1": q["beta"],
        "K2": q["beta"] + q["theta"],
        "K3": q["gamma"],
        "K4": q["phi"] + q["delta"],
        "K5": q["delta"],
        "K6": q["omega"] + q["epsilon"],
        "K7": q["epsilon"],
    }
    F = polar(p["rr"], turn["K1"])
    E = F - polar(p["d"], turn["K2"])
    G = A + polar(p["zt"], turn["K5"])
    H = A + polar(p["u"], turn["K7"] - pi / 2)
    D = B + polar(p["sd"], turn["K3"]) + polar(p["sc"], turn["K3"] - pi / 2)
    origin = {"K1": origin_, "K2": F, "K3": B, "K4": G, "K5": A, "K6": H, "K7": A}
    center = {
        "K1": (p["ra"], 0),
        "K2": (-p["da"], 0),
        "K3": (p["sa"], p["sb"]),
        "K4": (0, p["ea"] - p["e"]),
        "K5": (p["ta"], p["tb"]),
        "K6": (p["zf"] - p["fa"], 0),
        "K7": (p["ua"], p["ub"]),
    }
    for k, id in enumerate(center):
        inertia = {"mass": p["m"][k], "inertia": p["I"][k], "center": center[id]}
        m.body(origin[id], angle=turn[id], id=id, **inertia)
    hinges = (
        *(("ground", "K1", origin_), ("K1", "K2", F), ("ground", "K3", B), ("K3", "K2", E)),
        *(("K3", "K4", E), ("K3", "K6", E), ("ground", "K5", A), ("K5", "K4", G)),
        *(("ground", "K7", A), ("K7", "K6", H)),
    )
    for i, j, place in hinges:
        m.revolute(i, j, at=place)
    m.torque("K1", p["mom"])
    m.spring(("K3", D), ("ground", C), stiffness=p["c0"], free_length=p["l0"])
    m.marker("K1", F, id="F")
    m.marker("K2", E, id="E")
    return m.model


def flyball_governor(p: dict) -> Model:
    """The stiff flyball governor (IFToMM A05); each ball is part of its rod."""
    m = Mechanism("governor", 3)
    w = np.array([0.0, 0.0, p["omega0"]])
    m.body((0, 0, 0.5), id="shaft", angular_velocity=w, **_brick(p["density"], p["shaft"]))
    slider = _brick(p["density"], p["slider"])
    m.body((0, 0, p["s0"]), id="slider", angular_velocity=w, **slider)
    m.revolute("ground", "shaft", at=(0, 0, 0), axis=(0, 0, 1))
    m.prismatic("shaft", "slider", at=(0, 0, p["s0"]), axis=(0, 0, 1))
    alpha, b, length = radians(p["alpha0_deg"]), p["hinge_offset"], p["rod_length"]
    for side in (1.0, -1.0):
        hinge = np.array([side * b, 0.0, 1.0])
        along = np.array([side * cos(alpha), 0.0, -sin(alpha)])
        axes = np.column_stack([along, (0.0, 1.0, 0.0), np.cross(along, (0.0, 1.0, 0.0))])
        rod = m.body(
            hinge,
            orientation=_quaternion(axes),
            velocity=np.cross(w, hinge),
            angular_velocity=axes.T @ w,
            **_rod_with_ball(p["density"], length, p["rod_w"], p["point_mass"]),
        )
        m.revolute("shaft", rod, at=hinge, axis=(0, 1, 0))
        ends = (rod, hinge + length / 2 * along), ("slider", (side * b, 0, p["s0"]))
        m.spring_damper(*ends, stiffness=p["k"], damping=p["c"], free_length=p["l0"])
    return m.model


def _brick(density: float, size: tuple[float, float, float]) -> dict:
    """Mass and inertia of a brick."""
    a, b, c = size
    mass = density * a * b * c
    J = mass / 12 * np.array([b * b + c * c, c * c + a * a, a * a + b * b])
    return {"mass": mass, "inertia": (*J, 0, 0, 0), "center": (0, 0, 0)}


def _rod_with_ball(density: float, length: float, width: float, ball: float) -> dict:
    """A brick along x from the origin with a point mass at its far end, as one body."""
    rod = _brick(density, (length, width, width))
    mass = rod["mass"] + ball
    center = (rod["mass"] * length / 2 + ball * length) / mass
    across = rod["mass"] * (center - length / 2) ** 2 + ball * (length - center) ** 2
    J = np.array(rod["inertia"]) + np.array([0, across, across, 0, 0, 0])
    return {"mass": mass, "inertia": J, "center": (center, 0, 0)}


def _quaternion(axes: np.ndarray) -> np.ndarray:
    """The unit quaternion of a rotation matrix."""
    from rotations import quaternion

    return quaternion.from_matrix(axes)


def free_body(mass: float, inertia: tuple, w: tuple) -> Model:
    """A body alone in space without gravity, its frame along the world's, turning with w."""
    m = Mechanism("free body", 3, gravity=(0, 0, 0))
    diagonal = (*inertia, 0.0, 0.0, 0.0)
    m.body((0, 0, 0), mass=mass, inertia=diagonal, center=(0, 0, 0), angular_velocity=w)
    return m.model


def crane(
    *,
    m1: float,
    m2: float,
    length: float,
    s: float,
    k: float,
    x1: float,
    phi: float,
    g: float = 9.81,
) -> Model:
    """A trolley on a rail with spring s and damper k to a wall, and a slender rod hinged to it.

    The trolley stands at X = -x1: the source counts x1 to the left. The spring is free at X = 0.
    """
    m = Mechanism("crane", gravity=(0, -g))
    hinge = np.array([-x1, 0.0])
    tip = hinge + polar(length, phi)
    trolley = m.particle(hinge, m1, id="trolley")
    rod = m.rod(hinge, tip, mass=m2, id="rod")
    m.point_on_line("ground", trolley, at=hinge, id="rail")
    m.revolute(trolley, rod, at=hinge, id="pin")
    wall = "ground", (-WALL, 0)
    m.spring_damper(wall, (trolley, hinge), stiffness=s, damping=k, free_length=WALL, id="buffer")
    m.marker(rod, tip, id="tip")
    return m.model


def four_bar(a: float, b: float, c: float, d: float, crank: float, dim: int = 2) -> Mechanism:
    """Crank a, coupler b and rocker c on a ground of length d along x, elbow up; in space about z.

    Bodies `crank`, `coupler`, `rocker`; joints `A`, `B`, `C`, `D` in the order of the loop.
    """
    m = Mechanism("four-bar", dim, gravity=(0.0, -9.81, 0.0)[:dim])
    B, D = polar(a, crank), np.array([d, 0.0])
    span = D - B
    r = float(np.linalg.norm(span))
    inner = np.arccos((b * b + r * r - c * c) / (2 * b * r))
    C = B + polar(b, float(np.arctan2(span[1], span[0]) + inner))
    joints = {"A": np.zeros(2), "B": B, "C": C, "D": D}
    place = {id: (*p, 0.0)[:dim] for id, p in joints.items()}
    for id, start, end in (("crank", "A", "B"), ("coupler", "B", "C"), ("rocker", "D", "C")):
        thin_rod(m, place[start], place[end], id=id)
    about_z = {"axis": (0, 0, 1)} if dim == 3 else {}
    m.revolute("ground", "crank", at=place["A"], id="A", **about_z)
    m.revolute("crank", "coupler", at=place["B"], id="B", **about_z)
    m.revolute("coupler", "rocker", at=place["C"], id="C", **about_z)
    m.revolute("ground", "rocker", at=place["D"], id="D", **about_z)
    return m


def slider_crank(
    crank: float, rod: float, angle: float, dim: int = 2, gravity: float = 9.81
) -> Mechanism:
    """A crank at the origin, a connecting rod and a slider on the x axis, to the right."""
    m = Mechanism("slider-crank", dim, gravity=(0.0, -gravity, 0.0)[:dim])

    def at(p: np.ndarray) -> tuple[float, ...]:
        return (*p, 0.0)[:dim]

    pin = polar(crank, angle)
    slider = np.array([pin[0] + np.sqrt(rod**2 - pin[1] ** 2), 0.0])
    about_z = {"axis": (0, 0, 1)} if dim == 3 else {}
    thin_rod(m, at(np.zeros(2)), at(pin), id="crank")
    thin_rod(m, at(pin), at(slider), 2.0, id="rod")
    inertia = (0.1, 0.1, 0.1, 0, 0, 0) if dim == 3 else 0.1
    m.body(at(slider), mass=0.5, inertia=inertia, center=(0.0, 0.0, 0.0)[:dim], id="slider")
    m.revolute("ground", "crank", at=at(np.zeros(2)), id="A", **about_z)
    m.revolute("crank", "rod", at=at(pin), id="B", **about_z)
    m.revolute("rod", "slider", at=at(slider), id="C", **about_z)
    along_x = {"axis": (1, 0, 0)} if dim == 3 else {}
    m.prismatic("ground", "slider", at=at(slider), id="guide", **along_x)
    return m


def knife_edge(gravity: tuple[float, float], spin: float) -> Model:
    """A body on a knife edge under its mass centre, on an inclined plane, at rest but spinning."""
    m = Mechanism("knife edge", gravity=gravity)
    body = m.body((0, 0), mass=1.0, inertia=0.3, center=(0, 0), spin=spin, id="body")
    m.knife_edge("ground", body, at=(0, 0), id="edge")
    return m.model


def oscillator(k: float, c: float, y: float, y_dot: float) -> Model:
    """A unit mass on a spring and damper:  y'' + c y' + k y = 0."""
    m = Mechanism("oscillator", gravity=(0, 0))
    mass = m.particle((0, y), 1.0, velocity=(0, y_dot))
    m.spring_damper(
        ("ground", (0, -WALL)), (mass, (0, y)), stiffness=k, damping=c, free_length=WALL
    )
    return m.model


def torque_pendulum(omega_squared: float, angle: float) -> Model:
    """A unit inertia under the torque -omega^2 sin(angle): a pendulum without constraints."""
    m = Mechanism("torque pendulum", gravity=(0, 0))
    wheel = m.body((0, 0), angle=angle, mass=1.0, inertia=1.0, center=(0, 0))
    m.marker("ground", (0, 0), id="base")
    m.marker(wheel, (0, 0), angle=angle, id="hand")
    law = f"-{omega_squared}*sin(angle)"
    pull = GeneralForce(id="pull", marker_i="base", marker_j="hand", acts="torque", law=law)
    return put(m.model, pull)
