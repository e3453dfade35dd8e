"""Golden cases over time: runs by explicit methods, drift, periods, energy."""

from math import pi, radians, sqrt
from typing import Any

import numpy as np
from scipy.interpolate import BPoly
from scipy.optimize import brentq

from engine.editing.builder import Mechanism
from engine.results.results import Results
from engine.running.simulate import run
from tests.validation import models
from tests.validation.golden import (
    FINE,
    GOLDEN,
    Case,
    at_start,
    both_multipliers,
    crane,
    crane_state,
    double_pendulum,
)


def winch_pendulum(p):
    """A point mass in the slot of an arm without weight, driven along it."""
    m = Mechanism("winch")
    theta = p["theta0"] - pi / 2
    light = {"mass": 1e-9, "inertia": 1e-9, "center": (0, 0)}  # moves theta by 1e-9 of itself
    m.body((0, 0), angle=theta, id="arm", **light)
    m.particle(models.polar(1.0, theta), 1.0, id="bob")
    m.revolute("ground", "arm", at=(0, 0))
    slot = m.point_on_line("arm", "bob", at=models.polar(1.0, theta), angle=theta)
    m.motion(slot, f"{p['l']} - 1", coordinate="displacement")
    results = run(m.model, t_end=p["t_end"], output_step=p["t_end"], **FINE)
    x, y = results["bob.x"][-1], results["bob.y"][-1]
    return {"theta": np.arctan2(x, -y)}


def knife_edge_slides(p):
    """Downhill is +x; the blade starts along it."""
    downhill = p["g"] * np.sin(radians(p["incline_deg"]))
    model = models.knife_edge((downhill, 0.0), p["spin"])
    q = run(model, t_end=p["t"], output_step=p["t"], **FINE).q[-1]
    return {"x": q[0], "y": q[1], "phi": q[2]}


def crane_over_time(p):
    """The states at five times."""
    results = run(crane(p), t_end=5.0, output_step=0.1, **FINE)
    return {t: crane_state(results, round(float(t) / 0.1)) for t in ("0.1", "0.5", "1", "2", "5")}


def crane_by_rk4(p):
    """Errors of RK4 at this step are below the tolerance, in whichever coordinates it steps."""
    return {
        "state": crane_state(run(crane(p), t_end=5.0, output_step=5.0, method="rk4", step=p["h"]))
    }


def double_pendulum_over_time(p):
    """Angles and rates at six times."""
    results = run(double_pendulum(p), t_end=5.0, output_step=0.5, **FINE)
    return {
        t: {
            "phi_deg": np.degrees(results.q[round(2 * float(t)), 2::3]),
            "phidot": results.v[round(2 * float(t)), 2::3],
        }
        for t in ("0.5", "1", "2", "3", "4", "5")
    }


def double_pendulum_multipliers_later(p):
    """At t = 3 s."""
    results = run(double_pendulum(p), t_end=3.0, output_step=3.0, **FINE)
    return {"lam": both_multipliers(results.compiled, results.lam[-1])}


def double_pendulum_energy(p):
    """Cases A and B, zero at the height of the origin; at the start and kept."""
    found = {}
    for name in ("A", "B"):
        model = double_pendulum(GOLDEN[f"dp{name}_reference"]["inputs"])
        energy = run(model, t_end=1.0, output_step=0.5, **FINE)["total_energy"]
        np.testing.assert_allclose(energy, energy[0], rtol=0, atol=1e-8)  # RK4 over one second
        found[name] = energy[0]
    return found


def drift(p):
    """The largest |Phi| within 5 s, without stabilisation and with three kinds of it."""
    model = double_pendulum(p)
    alpha_p, omega, mu = p["penalty"]
    penalty = {"penalty": alpha_p, "penalty_frequency": omega, "penalty_ratio": mu}
    by = {
        "rk4_none_maxPhi": ("rk4", "none", {}),
        "rk4_alpha5_beta5_maxPhi": ("rk4", "baumgarte", {"alpha": 5.0, "beta": 5.0}),
        "rk2_none_maxPhi": ("heun", "none", {}),
        "rk2_hdep_maxPhi": ("heun", "baumgarte", {}),
        "rk4_penalty_maxPhi": ("rk4", "penalty", penalty),
    }
    fixed = {"t_end": 5.0, "step": p["h"], "output_step": 0.01}
    return {
        name: run(model, method=method, stabilisation=kind, **more, **fixed).gap.max()
        for name, (method, kind, more) in by.items()
    }


def drift_order(p):
    """How much the drift within 3 s falls when the step is halved."""
    plain = {"method": "rk4", "t_end": 3.0, "output_step": 0.01, "stabilisation": "none"}
    coarse, fine = (run(double_pendulum(p), step=h, **plain).gap.max() for h in (2e-3, 1e-3))
    return {"ratio": coarse / fine}


def oscillator_by_euler(p):
    """Three steps of explicit Euler."""
    results = run(
        models.oscillator(10.0, 0.5, p["y0"], p["ydot0"]),
        method="euler",
        t_end=0.3,
        step=0.1,
        output_step=0.1,
    )
    return {"states": np.column_stack([results.q[1:, 1], results.v[1:, 1]])}


def oscillator_by_finer_euler(p):
    """y after the number of steps nearest to 10 s."""
    model = models.oscillator(10.0, 0.5, p["y0"], p["ydot0"])
    found = {}
    for text in GOLDEN["osc_y10_explicit"]["expected"]:
        h = float(text)
        t_end = h * np.ceil(10.0 / h - 1e-9)
        found[text] = run(model, method="euler", t_end=t_end, step=h, output_step=t_end).q[-1, 1]
    return found


def oscillator_exactly(p):
    """By RK4 with small steps; at its stability limit Euler keeps the norm of the oscillation."""
    model = models.oscillator(10.0, 0.5, p["y0"], p["ydot0"])
    y = run(model, t_end=20.0, output_step=2.0, method="rk4", step=1e-3).q[:, 1]
    # |1 + h lambda|^2 = 1 - 0.5 h + 10 h^2 = 1 at the limit: y^2 10 + 0.5 y y' + y'^2 is kept there
    h = 0.05
    limit = run(model, t_end=1.0, output_step=h, method="euler", step=h)
    y_, v_ = limit.q[:, 1], limit.v[:, 1]
    norm = 10 * y_**2 + 0.5 * y_ * v_ + v_**2
    np.testing.assert_allclose(norm, norm[0], rtol=1e-12)  # rounding in 20 steps
    return {"y2": y[1], "y10": y[5], "y20": y[10], "explicit_euler_limit_h": h}


def oscillator_by_runge_kutta(p):
    """(y, y') after 10 s."""
    model = models.oscillator(10.0, 0.5, p["y0"], p["ydot0"])
    found = {}
    for name, method in (("rk2", "heun"), ("rk4", "rk4"), ("euler_cromer", "euler_cromer")):
        results = run(model, method=method, t_end=10.0, step=p["h"], output_step=10.0)
        found[name] = [results.q[-1, 1], results.v[-1, 1]]
    return found


def torque_pendulum(p: dict, method: str, h: float, t_end: float) -> Results:
    """The pendulum as one free angle, so that the methods step it as the source does."""
    model = models.torque_pendulum(14.715, radians(p["phi0_deg"]))
    return run(model, method=method, t_end=t_end, step=h, output_step=h)


def pendulum_by_heun(p):
    """Three steps."""
    results = torque_pendulum(p, "heun", p["h"], 3 * p["h"])
    return {"states": np.column_stack([results.q[1:, 2], results.v[1:, 2]])}


def pendulum_by_cromer(p):
    """Three steps, and the accelerations they start with."""
    results = torque_pendulum(p, "euler_cromer", p["h"], 3 * p["h"])
    states = np.column_stack([results.q[1:, 2], results.v[1:, 2]])
    return {"states": states, "phidd": results.a[:3, 2]}


def pendulum_by_three_methods(p):
    """The largest differences within 5 s in degrees."""
    names = {"ec": "euler_cromer", "rk2": "heun", "rk4": "rk4"}
    angle = {n: torque_pendulum(p, method, p["h"], 5.0).q[:, 2] for n, method in names.items()}
    return {
        f"{a}_minus_{b}": np.degrees(np.abs(angle[a] - angle[b])).max()
        for a, b in (("ec", "rk4"), ("ec", "rk2"), ("rk2", "rk4"))
    }


def pendulum_by_euler(p):
    """The amplitude that explicit Euler reaches within 5 s, in degrees."""
    steps = GOLDEN["pendulum_explicit_euler_growth"]["expected"]
    return {
        h: np.degrees(np.abs(torque_pendulum(p, "euler", float(h), 5.0).q[:, 2]).max())
        for h in steps
    }


def passage(results: Results) -> tuple[float, float]:
    """When the rod first hangs, and its rate there; from frames by pieces of fifth order."""
    phi, w, a = results.q[:, 2], results.v[:, 2], results.a[:, 2]
    curve = BPoly.from_derivatives(results.t, np.column_stack([phi, w, a]))
    after = int(np.flatnonzero(phi < -pi / 2)[0])
    t = brentq(lambda t: curve(t) + pi / 2, results.t[after - 1], results.t[after], xtol=1e-15)
    return t, float(curve.derivative()(t))


def pendulum_swings(p):
    """Four times the time from release to the lowest pose."""
    linear = 2 * pi / sqrt(p["omega0_sq"])
    found = {}
    for amplitude in ("5", "15", "30", "90"):
        model = models.rod_chain((radians(float(amplitude) - 90),), (1.0,), (1.0,))
        quarter, _ = passage(run(model, t_end=0.6, step=5e-4, output_step=5e-3))
        found[amplitude] = 4 * quarter / linear
    return {"T_lin": linear, "ratio": found}


def pendulum_reactions(p):
    """Gravity along +x; at release, and in the lowest pose where the rod gets by itself."""
    gravity = (p["g"], 0.0)
    unit = (1.0,), (p["l"],)
    _, release = at_start(models.rod_chain((radians(30),), *unit, gravity=gravity))
    falling = run(models.rod_chain((radians(-60),), *unit), t_end=0.6, step=5e-4, output_step=5e-3)
    _, w = passage(falling)
    _, bottom = at_start(models.rod_chain((0.0,), *unit, (-w,), gravity=gravity))
    return {
        "release": -(release.D.T @ release.lam)[:2],
        "bottom": -(bottom.D.T @ bottom.lam)[:2],
        "bottom_phidot_sq": w * w,
    }


def tumbling_body(p):
    """Quaternion and angular velocity in body axes; J = (1, 2, 3) and w = (0.01, 1, 0.01)."""
    model = models.free_body(1.0, (1.0, 2.0, 3.0), (0.01, 1.0, 0.01))
    results = run(model, method="rk4", t_end=20.0, step=1e-3, output_step=1.0)
    L = np.column_stack([results[f"angular_momentum_{c}"] for c in "xyz"])
    found: dict[str, Any] = {
        t: [*results.q[int(t), 3:7], *results.v[int(t), 3:6]] for t in ("1", "5", "10", "20")
    }
    energy, size = results["kinetic_energy"], np.linalg.norm(L, axis=1)
    np.testing.assert_allclose(energy, energy[0], rtol=1e-10)  # RK4 over twenty seconds
    np.testing.assert_allclose(L, np.broadcast_to(L[0], L.shape), rtol=0, atol=1e-10)
    return {**found, "kinetic_energy": energy[0], "H_norm": size[0]}


OVER_TIME: dict[str, Case] = {
    "pendulum_rheonomic": winch_pendulum,
    "knife_edge_incline": knife_edge_slides,
    "crane_reference": crane_over_time,
    "crane_rk4_h0.001_t5": crane_by_rk4,
    "dpA_reference": double_pendulum_over_time,
    "dpB_reference": double_pendulum_over_time,
    "dpB_lambda_t3": double_pendulum_multipliers_later,
    "dp_energy": double_pendulum_energy,
    "dae_drift_levels": drift,
    "dae_drift_order": drift_order,
    "osc_explicit_steps": oscillator_by_euler,
    "osc_y10_explicit": oscillator_by_finer_euler,
    "osc_exact": oscillator_exactly,
    "osc_other_methods": oscillator_by_runge_kutta,
    "pendulum_rk2_steps": pendulum_by_heun,
    "pendulum_ec_steps": pendulum_by_cromer,
    "pendulum_method_diff": pendulum_by_three_methods,
    "pendulum_explicit_euler_growth": pendulum_by_euler,
    "pendulum_periods": pendulum_swings,
    "pendulum_forces_30": pendulum_reactions,
    "torque_free_body": tumbling_body,
}
