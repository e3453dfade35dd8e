"""Reference problems of bodies that bounce, snap taut and lift off: C01 to C04, C09, C10, C13, C20, C21."""

from collections.abc import Iterator
from functools import partial
from math import atan2, cos, pi, radians, sin, sqrt
from typing import Any

import numpy as np
from scipy.interpolate import CubicHermiteSpline
from scipy.optimize import brentq

from engine.editing.builder import Mechanism
from engine.model.elements import Model
from engine.model.forces.pressing import damping_of
from engine.results.results import Results
from engine.running.simulate import prepare, run
from tests.validation import reached
from tests.validation.reached import Reached

DATA = reached.read("contact.json")
compared = partial(reached.compared, DATA)
G = 9.81
SHARP = {"tolerance": 1e-11}
BOTH: tuple[tuple[str, dict[str, float]], ...] = (
    ("dop853", {"tolerance": 1e-11}),
    ("radau", {"tolerance": 1e-11}),
)


def over_floor(at: float, radius: float, gravity: float, mass: float, **more: Any) -> Model:
    """A disc, or without radius a point, over the ground and in contact with it."""
    moving = {name: more.pop(name) for name in ("velocity", "spin") if name in more}
    m = Mechanism("ball", gravity=(0.0, -gravity))
    if radius:
        m.disc((0.0, at), radius, mass=mass, id="ball", **moving)
    else:
        m.particle((0.0, at), mass=mass, id="ball", **moving)
        more["shape_j"] = "point"
    m.contact(("ground", (0.0, 0.0)), ("ball", (0.0, at)), id="floor", **more)
    return m.model


def spline(results: Results) -> CubicHermiteSpline:
    """The depth of the ball over time, through its frames and their rates."""
    return CubicHermiteSpline(results.t, results["floor.depth"], -results["ball.vy"])


def greatest(results: Results) -> float:
    """The greatest depth, between frames."""
    depth = spline(results)
    n = int(np.argmax(results["floor.depth"]))
    t = brentq(depth.derivative(), results.t[n - 1], results.t[n + 1])
    return float(depth(t))


def times(results: Results, *kinds: str) -> list[float]:
    """When something of these kinds happened."""
    return [event.t for event in results.events if event.kind in kinds]


def springs(name: str) -> Iterator[Reached]:
    """C01: ten bounces on a linear spring."""
    soft = {"law": "impact", "stiffness": 1e5, "exponent": 1.0, "damping": 0.0, "friction": "none"}
    model = over_floor(0.3, 0.1, G, 1.0, **soft)
    period = DATA[name]["values"]["period"]["value"]
    ten = {"t_end": 10 * period, "output_step": period}
    for method, what, settings in (
        ("dop853", "y_at_10_periods", SHARP),
        ("dopri5", "y_by_dopri5", {"tolerance": 1e-9}),
        ("rk4", "y_by_rk4", {"step": period / 4000}),  # of whole steps: all bounces are alike
        ("radau", "y_at_10_periods", SHARP),
    ):
        results = run(model, method=method, **ten, **settings)
        yield compared(name, what, results["ball.y"][-1], method)
        if method == "dop853":
            yield compared(name, "v_at_10_periods", results["ball.vy"][-1], method)
            touches, parts = times(results, "touch"), times(results, "leave")
            lasted = np.subtract(parts, touches)
            yield compared(name, "contact_time", lasted.max(), method)
            yield compared(name, "contact_time", lasted.min(), method)
            yield compared(name, "period", touches[1] - touches[0], method)
    for method, settings in BOTH:
        once = run(model, method=method, t_end=0.22, output_step=2e-4, **settings)
        deepest = greatest(once)
        yield compared(name, "depth", deepest, method)
        n = int(np.argmax(once["floor.depth"]))
        pressed = once["floor.normal_force"][n] / once["floor.depth"][n]
        yield compared(name, "F_max", pressed * deepest, method)


def damped(name: str) -> Iterator[Reached]:
    """C02: the impact function, whose force is cut and returns on the way out."""
    firm = {"law": "impact", "stiffness": 1e6, "exponent": 1.5, "damping": 50.0, "full_depth": 1e-3}
    met, early = sqrt(0.4 / G), 1e-3  # it begins a little before they meet
    speed = G * (met - early)
    falls = {"velocity": (0.0, -speed), "friction": "none"}
    model = over_floor(0.2 - 0.5 * G * (met - early) ** 2, 0.0, G, 1.0, **firm, **falls)
    for method, settings in BOTH:
        results = run(model, method=method, t_end=0.014, output_step=1e-5, **settings)
        touch, part = times(results, "touch")[0], times(results, "leave")[-1]
        out = results["ball.vy"][-1] + G * (results.t[-1] - part)
        yield compared(name, "v_out", out, method)
        yield compared(name, "restitution", out / sqrt(0.4 * G), method)
        yield compared(name, "contact_time", part - touch, method)
        yield compared(name, "depth", greatest(results), method)
        free = (results["floor.depth"] > 0.0) & (results["floor.normal_force"] == 0.0)
        falls_free = np.flatnonzero(free & (results.t > 0.005))
        for what, n in (("force_zero", falls_free[0]), ("force_again", falls_free[-1] + 1)):
            yield compared(name, f"{what}_at_depth", _without_force(results, n, firm), method)


def _without_force(results: Results, n: int, law: dict[str, Any]) -> float:
    """The depth between the frames n - 1 and n where spring and damper cancel."""
    depth = spline(results)
    rate = depth.derivative()

    def force(t: float) -> float:
        x = min(depth(t) / law["full_depth"], 1.0)
        return law["stiffness"] * depth(t) ** 1.5 + law["damping"] * rate(t) * x * x * (3 - 2 * x)

    return float(depth(brentq(force, results.t[n - 1], results.t[n], xtol=1e-16)))


def steel(name: str) -> Iterator[Reached]:
    """C03: a steel ball on steel, by its material."""
    radius, mass = 0.01, 0.03288200310757
    by = {"law": "hertz", "young_modulus": 206e9, "poisson_ratio": 0.3, "restitution": 1.0}
    model = over_floor(radius + 1e-6, radius, 0.0, mass, velocity=(0, -1.0), friction="none", **by)
    k = float(prepare(model).compiled.system.interactions["param"][0][7])
    yield compared(name, "k", k)
    for method, settings in BOTH:
        results = run(model, method=method, t_end=1e-4, output_step=1e-6, **settings)
        deepest = greatest(results)
        yield compared(name, "depth", deepest, method)
        n = int(np.argmax(results["floor.depth"]))
        hardest = results["floor.normal_force"][n] * (deepest / results["floor.depth"][n]) ** 1.5
        yield compared(name, "F_max", hardest, method)
        (touch, part) = times(results, "touch")[0], times(results, "leave")[0]
        yield compared(name, "contact_time", part - touch, method)


def restitutions(name: str) -> Iterator[Reached]:
    """C04: the damping that restitutions ask for, and the restitutions that dampings give."""
    yield compared(name, "exact_s", [damping_of(r) for r in (0.3, 0.5, 0.7, 0.8, 0.9)])
    # chi v_in of each formula, for v_in = 0.5 m/s
    known = {
        "hunt_crossley_chi_0_6": 0.3,
        "lankarani_nikravesh_asked_0_7": 0.75 * (1.0 - 0.7**2),
        "lankarani_nikravesh_asked_0_3": 0.75 * (1.0 - 0.3**2),
        "flores_asked_0_7": 1.6 * (1.0 - 0.7) / 0.7,
        "flores_asked_0_3": 1.6 * (1.0 - 0.3) / 0.3,
    }
    falls = {"velocity": (0.0, -0.5), "friction": "none", "stiffness": 1e8}
    for what, damping in known.items():
        r = brentq(lambda r, of=damping: damping_of(r) - of, 0.06, 0.99, xtol=1e-14)
        for method, settings in BOTH:
            model = over_floor(0.1001, 0.1, 0.0, 0.5, restitution=r, **falls)
            out = run(model, method=method, t_end=0.005, **settings)["ball.vy"][-1]
            yield compared(name, what, out / 0.5, method)


def oblique(name: str) -> Iterator[Reached]:
    """C09: a disc hits the ground at an angle and with spin."""
    rubs = {"friction": "velocity", "static_speed": 1e-4, "dynamic_speed": 1e-3}
    hard = {"stiffness": 1e8, "restitution": 0.8, "mu_static": 0.2, "mu_dynamic": 0.2, **rubs}
    before = {"slides": (3.0, 0.0), "sticks": (0.8, 0.0), "backspin": (1.0, 40.0)}
    for what, (vx, spin) in before.items():
        model = over_floor(0.1001, 0.1, 0.0, 1.0, velocity=(vx, -2.0), spin=spin, **hard)
        for method in ("dop853", "radau"):
            results = run(model, method=method, tolerance=1e-10, t_end=2e-3, output_step=1e-3)
            out = [results[f"ball.{v}"][-1] for v in ("vx", "vy", "angular_velocity")]
            yield compared(name, what, out, method)


def ropes(name: str) -> Iterator[Reached]:
    """C10: a rope that goes slack and snaps taut."""
    m = Mechanism("rope", 2, gravity=(0.0, -G))
    m.particle((0.0, -1.0), mass=1.0, id="p", velocity=(sqrt(3.5 * G), 0.0))
    m.massless_rod(("ground", (0.0, 0.0)), ("p", (0.0, -1.0)), id="rope", acts="tension")
    for method in ("dop853", "dopri5", "radau"):
        results = run(m.model, method=method, t_end=1.4, output_step=1e-3, **SHARP)
        (slack,), (taut,) = times(results, "leave"), times(results, "touch")
        yield compared(name, "t_slack", slack, method)
        yield compared(name, "t_flight", taut - slack, method)
        n = int(np.searchsorted(results.t, slack))  # the first frame of its fall
        back = slack - results.t[n]
        x, vx = results["p.x"][n] + back * results["p.vx"][n], results["p.vx"][n]
        vy = results["p.vy"][n] - G * back
        y = results["p.y"][n] + back * results["p.vy"][n] - 0.5 * G * back**2
        yield compared(name, "theta_slack_deg", np.degrees(atan2(x, -y)), method)
        yield compared(name, "v_slack", np.hypot(vx, vy), method)
        n = int(np.searchsorted(results.t, taut)) - 1  # the last one
        on = taut - results.t[n]
        x, vx = results["p.x"][n] + on * results["p.vx"][n], results["p.vx"][n]
        y = results["p.y"][n] + on * results["p.vy"][n] - 0.5 * G * on**2
        yield compared(name, "taut_at", (x, y), method)
        yield compared(name, "tangential_speed", vx, method)
        yield compared(name, "radial_speed", -(results["p.vy"][n] - G * on), method)


def rings(name: str) -> Iterator[Reached]:
    """C20: a point in a ring, rigid or on a stiff spring."""
    m = Mechanism("ring", 2, gravity=(0.0, 0.0))
    way = radians(70.0)
    m.particle((0.5, 0.0), mass=1.0, id="p", velocity=(2.0 * cos(way), 2.0 * sin(way)))
    ends = ("ground", (0.0, 0.0)), ("p", (0.5, 0.0))
    soft = Mechanism()
    soft.model = m.model
    m.point_on_circle(*ends, id="ring", acts="inside", radius=1.0, restitution=1.0)
    stiff = {"law": "impact", "stiffness": 1e8, "exponent": 1.0, "damping": 0.0, "friction": "none"}
    soft.contact(*ends, id="ring", shape_i="hole", radius_i=1.0, **stiff)
    for model, methods in ((m.model, ("dop853", "radau")), (soft.model, ("dop853", "dopri5"))):
        for method in methods:
            results = run(model, method=method, t_end=9.5, output_step=0.1, **SHARP)
            hits = times(results, "touch", "hit")
            x, y, vx, vy = (results[f"p.{c}"] for c in ("x", "y", "vx", "vy"))
            yield compared(name, "t_first", hits[0], method)
            L = x * vy - y * vx
            worst = np.argmax(np.abs(L - L[0]))
            yield compared(name, "angular_momentum", L[worst], method)
            yield compared(name, "energy", results["total_energy"][-1], method)
            n = int(np.searchsorted(results.t, hits[10])) - 1
            on = hits[10] - results.t[n]
            angle = atan2(y[n] + on * vy[n], x[n] + on * vx[n]) % (2 * pi)
            if model is m.model:
                yield compared(name, "chord", 2.0 * (hits[1] - hits[0]), method)
                yield compared(name, "angle_of_hit_11", angle, method)
            else:
                yield compared(name, "angle_by_contact", angle, method)


def cam(w: float) -> Model:
    """An eccentric disc under a flat follower in a guide, pressed by a spring."""
    R, e, stiffness, preload, mass = 0.03, 0.01, 2000.0, 20.0, 0.5
    m = Mechanism("cam")
    m.disc((0.0, -e), R, mass=1.0, id="cam")
    m.revolute("ground", "cam", (0, 0), id="axle")
    m.motion("axle", f"{w}*t")
    m.box((0.0, R - e + 0.01), 0.1, 0.02, mass=mass, id="follower")
    m.prismatic("ground", "follower", (0.0, R - e), axis=(0, 1), id="guide")
    top = ("ground", (0, 0.3)), ("follower", (0, R - e))
    m.spring(*top, stiffness=stiffness, preload=-preload)
    firm = {"law": "impact", "stiffness": 2e7, "exponent": 1.0, "damping": 3000.0}
    ends = ("follower", (0.0, R - e)), ("cam", (0, -e))
    m.contact(*ends, **firm, full_depth=1e-7, friction="none", id="touch")
    return m.model


def cams(name: str) -> Iterator[Reached]:
    """C13: a follower stays on its cam, up to a speed."""
    critical = DATA[name]["values"]["w_crit"]["value"]
    for method in ("dop853", "radau"):
        least = []
        for part in (0.9, 0.98):
            w = part * critical
            turn = 2 * pi / w
            results = run(
                cam(w), method=method, tolerance=1e-8, t_end=3 * turn, output_step=turn / 500
            )
            N = results["touch.normal_force"][results.t > turn]
            least.append((w * w, N.min()))
            yield compared(name, f"N_min_at_{str(part).replace('.', '_')}", N.min(), method)
            if part == 0.9:
                yield compared(name, "N_max_at_0_9", N.max(), method)
        # N_min falls in proportion to w^2
        (x, N_x), (y, N_y) = least
        yield compared(name, "w_crit", sqrt(x + (y - x) * N_x / (N_x - N_y)), method)
        w = 1.05 * critical
        turn = 2 * pi / w
        results = run(
            cam(w), method=method, tolerance=1e-8, t_end=3 * turn, output_step=turn / 2000
        )
        third = results["touch.pressed"][results.t > 2 * turn]
        yield compared(name, "lost_share_at_1_05", 1.0 - third.mean(), method)


def quarter_cars(name: str) -> Iterator[Reached]:
    """C21: a wheel leaves the ground behind a bump, and lands."""
    m = Mechanism("quarter car", 2, gravity=(0.0, -G))
    bump = "if(t < 0.04, 0.05*(1 - cos(2*pi*15*t/0.6)), 0)"
    m.particle((0.0, 0.0), 1.0, id="base")
    m.motion(m.prismatic("ground", "base", (0.0, 0.0), axis=(0, 1), id="lift"), bump)
    for id, y, mass in (("wheel", 0.5, 40.0), ("car", 1.0, 300.0)):
        m.particle((0.0, y), mass, id=id)
    tyre = {"stiffness": 2e5, "damping": 0.0, "free_length": 0.5 + 340.0 * G / 2e5}
    m.spring_damper(("base", (0, 0)), ("wheel", (0, 0.5)), **tyre, acts="compression", id="tyre")
    strut = {"stiffness": 2e4, "damping": 1500.0, "free_length": 0.5 + 300.0 * G / 2e4}
    m.spring_damper(("wheel", (0, 0.5)), ("car", (0, 1.0)), **strut, id="strut")
    for method in ("dop853", "radau"):
        results = run(m.model, method=method, t_end=1.5, output_step=1e-3, **SHARP)
        leaves, lands = (event.t for event in results.events[:2])
        yield compared(name, "leaves", leaves, method)
        yield compared(name, "lands", lands, method)
        names = ("car.y", "wheel.y", "car.vy", "wheel.vy")
        still = np.array([1.0, 0.5, 0.0, 0.0])
        yield compared(name, "at_1_5_s", [results[n][-1] for n in names] - still, method)
        yield compared(name, "a_body_max", np.abs(results["car.ay"]).max(), method)


PROBLEMS = {
    "C01": springs,
    "C02": damped,
    "C03": steel,
    "C04": restitutions,
    "C09": oblique,
    "C10": ropes,
    "C13": cams,
    "C20": rings,
    "C21": quarter_cars,
}
