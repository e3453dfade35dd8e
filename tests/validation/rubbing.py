"""Reference problems of friction: C05 to C08, C22 and C23."""

from collections.abc import Iterator
from functools import partial
from math import cos, hypot, radians, sin

import numpy as np
from scipy.interpolate import CubicHermiteSpline
from scipy.optimize import brentq

from engine.editing.builder import Mechanism
from engine.model.elements import Model
from engine.running.simulate import run
from tests.validation import reached
from tests.validation.bouncing import G, times
from tests.validation.reached import Reached

DATA = reached.read("contact.json")
compared = partial(reached.compared, DATA)
STIFF_METHODS = ("dop853", "dopri5", "radau")


def on_slope(mu_static: float, mu_dynamic: float, friction: str) -> Model:
    """A block of 2 kg on a slope of 15 degrees; gravity is turned instead of the slope."""
    slope = radians(15.0)
    m = Mechanism("block", gravity=(G * sin(slope), -G * cos(slope)))
    m.box((0.0, 0.05), 0.2, 0.1, mass=2.0, id="block")
    firm = {"law": "impact", "stiffness": 1e5, "exponent": 1.0, "damping": 200.0}
    rubs = {"mu_static": mu_static, "mu_dynamic": mu_dynamic, "friction": friction}
    held = {"stick_stiffness": 1e5, "stick_damping": 200.0, "full_depth": 1e-6}
    m.contact(("ground", (0, 0)), ("block", (0, 0)), id="slope", **firm, **rubs, **held)
    return m.model


def on_supports(mu: float) -> Model:
    """The same block on two rigid supports."""
    slope = radians(15.0)
    m = Mechanism("block", gravity=(G * sin(slope), -G * cos(slope)))
    m.box((0.0, 0.05), 0.2, 0.1, mass=2.0, id="block")
    for k, x in enumerate((-0.1, 0.1), 1):
        rubs = {"acts": "above", "mu_static": mu, "mu_dynamic": mu}
        m.point_on_line("ground", "block", (x, 0.0), axis=(1, 0), id=f"foot_{k}", **rubs)
    return m.model


def blocks(name: str) -> Iterator[Reached]:
    """C05: a block creeps by velocity, hangs by bristles, and slides."""
    for method in STIFF_METHODS:
        sharp = {"method": method, "tolerance": 1e-9, "t_end": 1.0, "output_step": 0.1}
        creeps = run(on_slope(0.4, 0.3, "velocity"), **sharp)
        yield compared(name, "creep_speed_regularised", creeps["block.vx"][-1], method)
        holds = run(on_slope(0.4, 0.3, "sticking"), **sharp)
        yield compared(name, "creep_speed_bristle", abs(holds["block.vx"][-1]), method)
        yield compared(name, "hang_bristle", holds["block.x"][-1], method)
        slides = run(on_slope(0.2, 0.2, "velocity"), **sharp)
        yield compared(name, "x_sliding_1s", slides["block.x"][-1], method)
        slides = run(on_slope(0.2, 0.2, "sticking"), **sharp)
        yield compared(name, "x_sliding_sticking", slides["block.x"][-1], method)
        holds = run(on_supports(0.4), **sharp)
        yield compared(name, "hang_rigid", np.abs(holds["block.x"]).max(), method)
        slides = run(on_supports(0.2), **sharp)
        yield compared(name, "x_sliding_rigid", slides["block.x"][-1], method)


def on_belt(rigid: bool) -> Model:
    """A mass on a moving belt, held by a spring, where it is about to slip."""
    m = Mechanism("belt", 2, gravity=(0.0, -G))
    m.box((0.0, -0.05), 2.0, 0.1, mass=1.0, id="belt")
    m.motion(m.prismatic("ground", "belt", (0.0, -0.05), axis=(1.0, 0.0)), "0.1*t")
    at = (0.4 * G / 100.0, 0.0 if rigid else -1e-6 * G)
    m.particle(at, mass=1.0, id="p", velocity=(0.1, 0.0))
    rubs = {"mu_static": 0.4, "mu_dynamic": 0.25, "id": "rub"}
    if rigid:
        m.point_on_line("belt", "p", at, acts="above", **rubs)
    else:
        firm = {"law": "impact", "stiffness": 1e6, "exponent": 1.0, "damping": 500.0}
        held = {"stick_stiffness": 1e5, "stick_damping": 200.0, "full_depth": 1e-6}
        held |= {"static_speed": 1e-4, "dynamic_speed": 1e-3}
        ends = ("belt", (0.0, 0.0)), ("p", at)
        m.contact(*ends, shape_i="plane", shape_j="point", **firm, **held, **rubs)
    m.spring(("ground", (-0.5, 0.0)), ("p", at), stiffness=100.0, free_length=0.5)
    return m.model


def belts(name: str) -> Iterator[Reached]:
    """C06: a mass sticks to its belt and slips, over and over."""
    for method in STIFF_METHODS:
        sharp = {"method": method, "t_end": 1.5, "output_step": 1e-3, "tolerance": 1e-11}
        results = run(on_belt(rigid=True), **sharp)
        slips, sticks = times(results, "slip"), times(results, "stick")
        yield compared(name, "t_slip", sticks[0] - slips[0], method)
        yield compared(name, "t_stick", slips[1] - sticks[0], method)
        yield compared(name, "period", slips[1] - slips[0], method)
        x = CubicHermiteSpline(results.t, results["p.x"], results["p.vx"])
        turns = [t for t in x.derivative().roots() if slips[0] < t < sticks[0]]
        yield compared(name, "x_max", max(float(x(t)) for t in turns), method)
        yield compared(name, "x_min", min(float(x(t)) for t in turns), method)
        soft = {"method": method, "t_end": 2.5, "output_step": 0.1, "tolerance": 1e-8}
        slips = times(run(on_belt(rigid=False), **soft), "slip")
        yield compared(name, "period_sticking", slips[-1] - slips[-2], method)


def in_bearing(degrees: float, rate: float, mu: float, radius: float) -> Model:
    """A rod of 1 kg and 1 m in a bearing that rubs."""
    c, s = cos(radians(degrees)), sin(radians(degrees))
    m = Mechanism("pendulum", gravity=(0.0, -G))
    m.body((0.5 * c, 0.5 * s), mass=1.0, inertia=1 / 12, id="rod")
    m.revolute("ground", "rod", (0.0, 0.0), id="pin", angle_rate=rate)
    m.joint_friction("pin", mu=mu, radius=radius, speed=1e-5 * radius, id="rub")
    return m.model


def bearings(name: str) -> Iterator[Reached]:
    """C07: a pendulum that rubs in its bearing, until it jams."""
    at_once = {"t_end": 1e-3, "output_step": 1e-3, "step": 1e-4}
    for method in ("dop853", "radau", "ida", "generalised_alpha"):
        results = run(in_bearing(-60.0, 2.0, 0.2, 0.02), method=method, **at_once)
        yield compared(name, "torque", results["rub.torque"][0], method)
        yield compared(name, "F", hypot(*(results[f"pin.force_{c}"][0] for c in "xy")), method)
        yield compared(name, "phidd", results["rod.angular_acceleration"][0], method)
    for method, settings in (("dop853", {"tolerance": 1e-11}), ("radau", {"tolerance": 1e-11})):
        swings = run(
            in_bearing(0.0, 0.0, 0.2, 0.02), method=method, t_end=5.8, output_step=2e-3, **settings
        )
        t, w, a = swings.t, swings["pin.angle_rate"], swings["rod.angular_acceleration"]
        turns = np.flatnonzero(w[1:-1] * w[2:] < 0.0) + 1
        when, angles = [], []
        for n in turns:  # friction turns round with the motion: up to there by what was before
            rate = CubicHermiteSpline(t[n - 3 : n + 1], w[n - 3 : n + 1], a[n - 3 : n + 1])
            when.append(brentq(rate, t[n], t[n + 1]))
            angle = swings["pin.angle"][n] + rate.integrate(t[n], when[-1])
            angles.append(float(angle))
        yield compared(name, "turning_times", when, method)
        yield compared(name, "turning_angles", angles, method)
    for method in ("dop853", "generalised_alpha"):
        low, high = 0.666666665, 0.666666669

        def is_jammed(mu: float, method: str = method) -> bool:
            ends = {"t_end": 1e-9, "output_step": 1e-9, "step": 1e-9}
            return (
                run(in_bearing(0.0, -1.0, mu, 1.0), method=method, **ends).ending.reason == "jammed"
            )

        while high - low > 6e-10:
            middle = 0.5 * (low + high)
            low, high = (low, middle) if is_jammed(middle) else (middle, high)
        yield compared(name, "no_solution_from", high, method)


def rollers(name: str) -> Iterator[Reached]:
    """C08: a disc and a ball slide until they roll."""
    firm = {
        "law": "impact",
        "stiffness": 1e6,
        "exponent": 1.0,
        "damping": 500.0,
        "full_depth": 1e-6,
    }
    for friction, methods in (("velocity", ("dop853", "radau")), ("sticking", ("dop853",))):
        rubs = {"mu_static": 0.2, "mu_dynamic": 0.2, "friction": friction}
        slow = {"static_speed": 1e-4, "dynamic_speed": 1e-3}
        for what, dim in (("disc", 2), ("ball", 3)):
            m = Mechanism(what, dim, gravity=(0.0, -G) if dim == 2 else (0.0, 0.0, -G))
            at, still = ((0.0, 0.1), (0.0, 0.0)) if dim == 2 else ((0.0, 0.0, 0.1), (0.0,) * 3)
            make = m.disc if dim == 2 else m.sphere
            make(at, 0.1, mass=1.0, id="body", velocity=(2.0, 0.0, 0.0)[:dim])
            m.contact(("ground", still), ("body", at), id="floor", **firm, **rubs, **slow)
            for method in methods:
                results = run(m.model, method=method, tolerance=1e-8, t_end=0.5, output_step=2e-4)
                by = f"{method}, {friction}"
                yield compared(name, f"v_{what}", results["body.vx"][-1], by)
                slides = np.abs(results["floor.sliding_speed"])
                yield compared(name, f"t_{what}", results.t[slides < 1e-3][0], by)


def drawers(name: str) -> Iterator[Reached]:
    """C22: a drawer on two edges."""
    for method in ("dop853", "ida", "implicit_euler"):
        found = []
        mus = (0.2, 0.4, 0.6, 0.7)
        for mu in mus:
            m = Mechanism("drawer", gravity=(0.0, 0.0))
            m.body((0.0, 0.0), mass=2.0, inertia=0.01, id="box")
            m.prismatic("ground", "box", (0.0, 0.0), id="guide", displacement_rate=0.1)
            m.joint_friction("guide", mu=mu, half_length=0.1, radius=0.0, speed=1e-5, id="rub")
            m.force("box", (0.0, 0.15), (10.0, 0.0))
            results = run(m.model, method=method, t_end=1e-3, output_step=1e-3, step=1e-4)
            found.append(float(results["box.ax"][0]))
        yield compared(name, "acceleration", found, method)
        jams = mus[2] + (mus[3] - mus[2]) * found[2] / (found[2] - found[3])
        yield compared(name, "jams_from_mu", jams, method)


def bristles(name: str) -> Iterator[Reached]:
    """C23: LuGre's bristles break away under 4 t; where the mass reaches 1e-2 m/s."""
    rate = "rate - 1e4*abs(rate)*z1/(0.2 + 0.1*exp(-(rate/1e-3)^2))"
    m = Mechanism("lugre", 2, gravity=(0.0, 0.0))
    m.particle((1.0, 0.0), 1.0, id="p")
    law = f"4*t - 9.81*(1e4*z1 + 100*({rate})) - 0.4*rate"
    ends = ("ground", (0.0, 0.0)), ("p", (1.0, 0.0))
    m.state_force(*ends, law=law, z1_rate=rate, size=1e-6, id="friction")
    end = DATA[name]["values"]["t"]["value"]
    for method in ("dop853", "radau", "ida"):
        results = run(m.model, method=method, tolerance=1e-10, t_end=end, output_step=end / 20)
        late = (results["p.vx"][-1] - 1e-2) / results["p.ax"][-1]
        yield compared(name, "t", end - late, method)
        yield compared(name, "x", results["p.x"][-1] - 1.0 - 1e-2 * late, method)
        yield compared(name, "z", results["friction.z1"][-1], method)


PROBLEMS = {
    "C05": blocks,
    "C06": belts,
    "C07": bearings,
    "C08": rollers,
    "C22": drawers,
    "C23": bristles,
}
