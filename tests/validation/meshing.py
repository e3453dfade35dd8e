"""Reference problems of gears, force laws with states, a Geneva wheel and wear: C14 to C17, C24, C25."""

from collections.abc import Iterator
from functools import partial
from math import cos, pi, radians, sin, sqrt

import numpy as np
from scipy.interpolate import CubicHermiteSpline

from assets.examples_of_shapes import geneva_wheel
from engine.editing.builder import Mechanism
from engine.model.joints.involute import mesh_of
from engine.results.results import Results
from engine.running.simulate import run
from engine.studies.archard import MM3, Film, archard, wear
from tests.validation import reached
from tests.validation.reached import Reached

DATA = reached.read("contact.json")
compared = partial(reached.compared, DATA)
R_1, R_2, MODULE = 0.054, 0.027, 1.35e-3
PITCH = 2 * pi / 80 / 10.0  # [s] of a tooth at 10 rad/s
WEAR = 65e-5 / MM3  # PLA on PLA


def gears(**fields: object) -> Mechanism:
    """The wheels of the study on two axles, with a brake or a drive to be added."""
    m = Mechanism("pair", gravity=(0.0, 0.0))
    for n, (x, r, J) in enumerate(((0.0, R_1, 2.170442e-4), (R_1 + R_2, R_2, 1.356527e-5)), 1):
        m.disc((x, 0.0), r, mass=1.0, inertia=J, thickness=0.013, id=f"wheel_{n}")
        m.revolute("ground", f"wheel_{n}", (x, 0.0), id=f"axle_{n}")
    firm = {"stiffness": 3.1e6, "damping": 60.0, "full_depth": 1e-8}
    m.gear("axle_1", "axle_2", teeth="contact", teeth_1=80, id="mesh", **firm, **fields)
    return m


def mean(results: Results, name: str, keep: np.ndarray) -> float:
    """The mean of a channel over some frames."""
    t = results.t[keep]
    return float(np.trapezoid(results[name][keep], t) / (t[-1] - t[0]))


def steady_gears(name: str) -> Iterator[Reached]:
    """C14: gears that turn steadily against a brake."""
    m = gears()
    one, other = m.model["mesh"].wheels(m.model)
    mesh = mesh_of(one, other, R_1 + R_2)
    yield compared(name, "contact_ratio", mesh.ratio)
    yield compared(name, "base_pitch", one.base_pitch)
    m.motion("axle_1", "10*t", id="drive")
    m.torque("wheel_2", 0.05, id="brake")
    for method, settings in (("dop853", {"tolerance": 1e-8}), ("rk4", {"step": 2e-6})):
        steps = {"t_end": 4 * PITCH, "output_step": PITCH / 500}
        results = run(m.model, method=method, **steps, **settings)
        keep = results.t > 2 * PITCH - 1e-9
        yield compared(name, "mean_force", mean(results, "mesh.normal_force", keep), method)
        yield compared(name, "mean_drive_torque", mean(results, "drive.torque", keep), method)
        pairs, error = results["mesh.pairs"][keep], results["mesh.transmission_error"][keep]
        yield compared(name, "mean_pairs", pairs[:-1].mean(), method)
        yield compared(name, "te_two_pairs", np.median(error[pairs == 2.0]), method)
        yield compared(name, "te_one_pair", np.median(error[pairs == 1.0]), method)


def printed_gears(name: str) -> Iterator[Reached]:
    """C15: gears of PLA are driven from rest, and wear."""
    rubs = {"friction": "velocity", "mu_static": 0.3, "mu_dynamic": 0.1}
    for friction in (rubs, {}):
        for method, settings in (("dop853", {"tolerance": 1e-8}), ("rk4", {"step": 2e-6})):
            m = gears(**friction)
            m.torque("wheel_1", 0.1, id="drive")
            results = run(m.model, method=method, t_end=0.1, output_step=2e-5, **settings)
            w_1, w_2 = (abs(results[f"wheel_{n}.angular_velocity"][-1]) for n in (1, 2))
            found = wear(results, coefficient=WEAR, temperatures=(None, 293.0, 298.0, 303.0))
            impulse = found.impulse[0]
            if not friction:
                yield compared(name, "w1_end_no_friction", w_1, method)
                yield compared(name, "impulse_no_friction", impulse, method)
                continue
            yield compared(name, "w1_end", w_1, method)
            yield compared(name, "w2_end", w_2, method)
            yield compared(name, "impulse_F", impulse, method)
            lost = 0.1 * results["axle_1.angle"][-1] - results["kinetic_energy"][-1]
            yield compared(name, "friction_work", lost, method)
            yield compared(name, "energy_balance", np.abs(results["energy_drift"]).max(), method)
            dry, cold, warm, hot = found.worn[0, :, -1] * MM3
            yield compared(name, "W_293", cold, method)
            yield compared(name, "ratio_298", warm / cold, method)
            yield compared(name, "ratio_303", hot / cold, method)
            yield compared(name, "W_dry_exact", dry, method)
            speeds = ("wheel_1.angular_velocity", "wheel_2.angular_velocity")
            lever = wear(results, coefficient=WEAR, speeds=speeds, lever=0.759375e-3)
            yield compared(name, "W_dry_lever", lever.worn[0, 0, -1] * MM3, method)


def maxwell(name: str) -> Iterator[Reached]:
    """C16: a mass on a spring and a damper in series."""
    m = Mechanism("slider", gravity=(0.0, 0.0))
    m.particle((1.1, 0.0), mass=1.0, id="mass")
    m.prismatic("ground", "mass", (0.0, 0.0), id="rail")
    ends = ("ground", (0.0, 0.0)), ("mass", (1.1, 0.0))
    m.maxwell(*ends, stiffness=1000.0, damping=50.0, free_length=1.0, id="solid")
    for method in ("dop853", "radau"):
        results = run(m.model, method=method, tolerance=1e-11, t_end=1.0, output_step=0.05)
        at = [1, 4, 10, 20]
        yield compared(name, "x", results["mass.x"][at] - 1.0, method)
        yield compared(name, "v", results["mass.vx"][at], method)
        yield compared(name, "z", results["solid.creep"][at], method)


def motors(name: str) -> Iterator[Reached]:
    """C17: a motor spins up."""
    m = Mechanism("wheel", gravity=(0.0, 0.0))
    m.body((0.0, 0.0), mass=1.0, inertia=1e-4, id="wheel")
    m.revolute("ground", "wheel", (0.0, 0.0), id="pin")
    m.dc_motor("pin", voltage=12.0, resistance=1.0, inductance=0.005, constant=0.05, id="motor")
    m.joint_damping("pin", 1e-5)
    for method in ("dop853", "radau"):
        results = run(m.model, method=method, tolerance=1e-12, t_end=0.5, output_step=1e-4)
        at = [50, 200, 1000, 5000]
        current, speed = results["motor.current"], results["pin.angle_rate"]
        yield compared(name, "current", current[at], method)
        yield compared(name, "speed", speed[at], method)
        rate = (12.0 - current - 0.05 * speed) / 0.005
        curve = CubicHermiteSpline(results.t, current, rate)
        peak = next(t for t in curve.derivative().roots() if t > 1e-3)
        yield compared(name, "peak", (peak, float(curve(peak))), method)


def slot(crank: float = 1.0) -> Mechanism:
    """One slot of a Geneva wheel that is driven, with a pin that never leaves it."""
    m = Mechanism("slot", gravity=(0, 0))
    far, pin = sqrt(2.0) * crank, (crank * cos(radians(45.0)), crank * sin(radians(45.0)))
    m.rod((0, 0), pin, id="crank")
    m.revolute("ground", "crank", (0, 0), id="shaft")
    m.motion("shaft", "-t", id="motor")
    m.rod((far, 0), pin, id="wheel")
    m.revolute("ground", "wheel", (far, 0), id="axle")
    m.point_on_line("wheel", "crank", pin, axis=(pin[0] - far, pin[1]), id="slot")
    return m


def geneva(name: str) -> Iterator[Reached]:
    """C24: a Geneva wheel as a slot that never ends, and by contact of its pin."""
    # the pin enters at 45 degrees before and leaves 45 degrees behind the line of both shafts
    most = pi / 4 - radians(11.4637)
    for method in ("dop853", "radau"):
        steps = {"t_end": pi / 2, "output_step": pi / 2000, "tolerance": 1e-11}
        results = run(slot().model, method=method, **steps)
        speed, t = results["wheel.angular_velocity"], results.t
        acceleration = results["wheel.angular_acceleration"]
        yield compared(name, "speed_ratio", np.abs(speed).max(), method)
        yield compared(name, "entry_acceleration", abs(acceleration[0]), method)
        curve = CubicHermiteSpline(t, speed, acceleration)
        yield compared(name, "acceleration_ratio", abs(float(curve(most, 1))), method)
        turned = np.degrees(results["wheel.angle"][-1] - results["wheel.angle"][0])
        yield compared(name, "engaged_deg", abs(turned), method)
        contact = run(geneva_wheel().model, method=method, t_end=0.3, output_step=1e-3)
        fastest = np.abs(contact["wheel.angular_velocity"]).max() / (2 * pi)
        yield compared(name, "speed_ratio_by_contact", fastest, method)


def post_processed(name: str) -> Iterator[Reached]:
    """C25: wear of given forces and speeds."""
    films = [Film(T) for T in (293.0, 298.0, 303.0)]
    X = np.array([film.speed for film in films])
    yield compared(name, "X", X)
    yield compared(name, "ratios", X[1:] / X[0])
    t = np.linspace(0.0, 1.5, 60001)
    F = ((0.7702 * t + 0.554) * t + 1.6244) * t + 1.0311
    S_R = ((-0.111667 * t + 0.3631732) * t + 0.02378365) * t + 1.137558
    ones = np.ones_like(t)
    yield compared(name, "knee_integral", archard(t, F, ones, 1.0, None, S_R)[-1])
    load, slow = 0.0575 * 800.0 * F, 1e-3 * ones
    per = archard(t, load, slow, 1.3e-6 / MM3, None, S_R)[-1] * MM3
    yield compared(name, "knee_per_mm_s", per)
    t = np.linspace(0.0, 0.1, 1501)
    F = 10.0 + 5.0 * np.sin(2.0 * np.pi * t / 0.1)
    worn = archard(t, F, np.full_like(t, 0.08), WEAR, films[1])
    yield compared(name, "synthetic", worn[-1] * MM3)


PROBLEMS = {
    "C14": steady_gears,
    "C15": printed_gears,
    "C16": maxwell,
    "C17": motors,
    "C24": geneva,
    "C25": post_processed,
}
