"""Golden cases on plain equations y' = f(t, y), solved by the integrators of mechanisms."""

from math import cos, degrees, radians, sin, sqrt
from typing import Any

import numpy as np
from scipy.interpolate import CubicHermiteSpline
from scipy.optimize import bisect, brentq

from engine.integrators.amplification import amplification, growth
from engine.integrators.ode import Solution, solve
from tests.validation.golden import GOLDEN, Case

TIGHT = {"method": "dop853", "tolerance": 1e-13}  # errors far below the golden tolerances


def slope_of_a_parabola(p):
    """y' = 2x by explicit Euler, and exactly: the error of the sum is that of the left rectangles."""
    ends = {}
    for name, h in (("h1", 1.0), ("h05", 0.5), ("h01", 0.1)):
        solution = solve(lambda x, y: [2 * x], [1.0], 10.0, h, method="euler")
        ends[name] = solution.y[-1, 0]
        if name == "h1":
            sequence = solution.y[1:, 0]
    exact = solve(lambda x, y: [2 * x], [1.0], 10.0, 10.0, **TIGHT).y[-1, 0]
    errors = {name: 100 * (exact - value) / exact for name, value in ends.items()}
    return {**ends, "exact": exact, "sequence_h1": sequence, "error_percent": errors}


def riccati(t, x):
    """x' = t x^2 + 2 x."""
    return t * x**2 + 2 * x


def riccati_at_three_steps(p):
    """x(0.3) by two methods, and exactly."""
    found: dict[str, Any] = {"euler": {}, "rk2": {}}
    for name, method in (("euler", "euler"), ("rk2", "heun")):
        for h in ("0.1", "0.05", "0.025"):
            found[name][h] = solve(riccati, [-5.0], 0.3, float(h), method=method).y[-1, 0]
    return {**found, "exact": solve(riccati, [-5.0], 0.3, 0.3, **TIGHT).y[-1, 0]}


def riccati_stage_by_stage(p):
    """k1, k2 and x of two steps of Heun; then the minimum, where x' changes its sign."""
    h = 0.1
    steps = solve(riccati, [-5.0], 0.2, h, method="heun")
    k1 = h * steps.y_dot[:2, 0]
    k2 = 2 * np.diff(steps.y[:, 0]) - k1  # x1 = x0 + (k1 + k2) / 2
    fine = solve(riccati, [-5.0], 0.4, 1e-3, **TIGHT)
    x, x_dot = fine.y[:, 0], fine.y_dot[:, 0]
    x_ddot = x**2 + 2 * fine.t * x * x_dot + 2 * x_dot
    slope = CubicHermiteSpline(fine.t, x_dot, x_ddot)
    t = brentq(slope, 0.2, 0.4, xtol=1e-14)
    return {
        "step1": [k1[0], k2[0], steps.y[1, 0]],
        "step2": [k1[1], k2[1], steps.y[2, 0]],
        "exact_minimum": {"t": t, "x": float(CubicHermiteSpline(fine.t, x, x_dot)(t))},
    }


def beam(p: dict, h: float, method: str, *, is_linear: bool) -> Solution:
    """The slope of a cantilever over its length; lengths in mm."""
    load, length = p["F_N"] / p["EI_Nmm2"], p["l_mm"]

    def bend(x, slope):
        linear = -load * (length - x)
        return [linear] if is_linear else linear * (1 + slope**2) ** 1.5

    settings = TIGHT if method == "exact" else {"method": method}
    return solve(bend, [0.0], length, h, **settings)


def beam_table(p: dict, *, is_linear: bool) -> dict[str, np.ndarray]:
    """The slope every 100 mm."""
    methods = {"euler": "euler", "rk2": "heun", "exact": "exact"}
    return {
        name: beam(p, p["h_mm"], method, is_linear=is_linear).y[:, 0]
        for name, method in methods.items()
    }


def beam_end(p):
    """The slope at the free end in degrees."""

    def end(h, method):
        return degrees(beam(p, h, method, is_linear=True).y[-1, 0])

    euler = {f"euler_h{h}": end(h, "euler") for h in (100, 50, 10)}
    return {"exact": end(100, "exact"), "rk2_h100": end(100, "heun"), **euler}


def crane_equations(p: dict) -> Any:
    """The crane in (x1, phi): Lagrange's equations, with x1 counted to the left.

    (m1 + m2) x1'' + m2 l/2 (phi'' sin + phi'^2 cos) = -s x1 - k x1'
    m2 l^2/3 phi'' + m2 l/2 sin x1''                 = -m2 g l/2 cos
    """
    m1, m2, l, g, s, k = (p[name] for name in ("m1", "m2", "l", "g", "s", "k"))

    def f(t, y):
        x1, phi, x1_dot, w = y.tolist()
        coupling = m2 * l / 2 * sin(phi)
        push = -s * x1 - k * x1_dot - m2 * l / 2 * w * w * cos(phi)
        turn = -m2 * g * l / 2 * cos(phi)
        A, C = m1 + m2, m2 * l * l / 3
        det = A * C - coupling * coupling
        return x1_dot, w, (C * push - coupling * turn) / det, (A * turn - coupling * push) / det

    return f


def crane_in_two_coordinates(p: dict, method: str, t_end: float, every: int = 1) -> Solution:
    """(x1, phi, x1', phi') of the crane."""
    y0 = [p["x1_0"], radians(p["phi0_deg"]), p["x1dot_0"], p["phidot_0"]]
    return solve(crane_equations(p), y0, t_end, p["h"], method=method, every=every, n_q=2)


def crane_first_step(p):
    """One step of Euler-Cromer."""
    x1, phi, x1_dot, w = crane_in_two_coordinates(p, "euler_cromer", p["h"]).y[-1]
    return {"x1dot": x1_dot, "x1": x1, "phidot": w, "phi": phi}


def crane_later(p):
    """(x1, x1', phi, phi') after 5 s."""
    method = {"ec": "euler_cromer", "rk2": "heun"}[p["method"]]
    every = round(5.0 / p["h"])
    return {"state": crane_in_two_coordinates(p, method, 5.0, every).y[-1][[0, 2, 1, 3]]}


def double_pendulum_by_cromer(p: dict, t_end: float) -> np.ndarray:
    """Both angles in degrees every second, from Lagrange's equations of two slender rods.

    (m1/3 + m2) l1^2 a1 + B cos(d) a2 = -B w2^2 sin(d) - (m1/2 + m2) g l1 cos(phi1)
    B cos(d) a1 + m2/3 l2^2 a2        =  B w1^2 sin(d) - m2/2 g l2 cos(phi2)
    with B = m2 l1 l2 / 2 and d = phi1 - phi2
    """
    m1, m2, l1, l2, g = (p[name] for name in ("m1", "m2", "l1", "l2", "g"))
    A, B, C = (m1 / 3 + m2) * l1**2, m2 * l1 * l2 / 2, m2 / 3 * l2**2

    def f(t, y):
        phi1, phi2, w1, w2 = y.tolist()
        c, s = B * cos(phi1 - phi2), B * sin(phi1 - phi2)
        first = -s * w2 * w2 - (m1 / 2 + m2) * g * l1 * cos(phi1)
        second = s * w1 * w1 - m2 / 2 * g * l2 * cos(phi2)
        det = A * C - c * c
        return w1, w2, (C * first - c * second) / det, (A * second - c * first) / det

    y0 = [radians(p["phi1_deg"]), radians(p["phi2_deg"]), p["phi1dot"], p["phi2dot"]]
    every = round(1.0 / p["h"])
    solution = solve(f, y0, t_end, p["h"], method="euler_cromer", every=every, n_q=2)
    return np.degrees(solution.y[:, :2])


def double_pendulum_a_by_cromer(p):
    """After 5 s."""
    return {"phi_deg": double_pendulum_by_cromer(p, 5.0)[-1]}


def double_pendulum_b_by_cromer(p):
    """Every second."""
    return {str(t): angles for t, angles in enumerate(double_pendulum_by_cromer(p, 5.0)) if t}


def limits_of_stability(p):
    """Where the growth per step on y' = -y and on y'' = -y becomes 1; and runs on either side of it."""

    def decay(method, h):
        return float(np.abs(np.linalg.eigvals(growth(method, np.array([[-h]])))).max()) - 1.0

    def swing(method, h):  # rounding at |eigenvalue| = 1 is not growth
        return amplification(method, 0.0, h) - 1.0 - 1e-9

    limits = {
        "explicit_euler_real": bisect(lambda h: decay("euler", h), 1.5, 2.5),
        "rk2_real": bisect(lambda h: decay("heun", h), 1.5, 2.5),
        "rk4_real": bisect(lambda h: decay("rk4", h), 1.5, 3.5),
        "rk4_imag": bisect(lambda h: swing("rk4", h), 2.0, 3.5),
        "euler_cromer_omega_h": bisect(lambda h: swing("euler_cromer", h), 1.5, 2.5),
    }
    methods = {"explicit": "euler", "rk2": "heun", "rk4": "rk4", "euler": "euler_cromer"}
    for name, limit in limits.items():
        is_real = name.endswith("real")
        for factor in (0.99, 1.01):
            last = _late(methods[name.split("_")[0]], factor * limit, is_real)
            # bounded by the shear of the oscillation below, 1.02^200 = 50 or more above the limit
            assert (last < 15.0) == (factor < 1.0), name
    return limits


def _late(method: str, h: float, is_real: bool) -> float:
    """How large y is after 200 steps, from 1, on y' = -y or y'' = -y."""
    if is_real:
        return float(abs(solve(lambda t, y: -y, [1.0], 200 * h, h, method=method).y[-1, 0]))
    swing = solve(lambda t, y: [y[1], -y[0]], [1.0, 0.0], 200 * h, h, method=method, n_q=1)
    return float(np.abs(swing.y[-20:]).max())


def errors_of_constraints(p):
    """Growth of a residual per step under alpha = 1/h and beta = sqrt(2)/h, by the eigenvalues of one step.

    For the explicit methods the integrator itself takes that step, from (1, 0) and from (0, 1).
    """
    names = {"explicit_euler": "euler", "rk2": "heun"}
    found = {}
    for golden in GOLDEN["baumgarte_hdep_amplification"]["expected"]:
        method = names.get(golden, golden)
        found[golden] = amplification(method, 1.0, sqrt(2.0))
        if golden in ("explicit_euler", "rk2", "rk4", "euler_cromer"):
            G = one_step_matrix(method, 1.0, sqrt(2.0))
            taken = np.abs(np.linalg.eigvals(G)).max()
            np.testing.assert_allclose(taken, found[golden], rtol=0, atol=1e-7)  # see below
    return found


def one_step_matrix(method: str, alpha: float, beta: float) -> np.ndarray:
    """G of one step with h = 1 on Phi'' + 2 alpha Phi' + beta^2 Phi = 0, taken by the integrator.

    Two equal eigenvalues, as those of Heun here, come from rounding of 1e-16 in G with errors of 1e-8.
    """

    def f(t, u):
        return [u[1], -2 * alpha * u[1] - beta**2 * u[0]]

    ends = [solve(f, start, 1.0, 1.0, method=method, n_q=1).y[-1] for start in np.eye(2)]
    return np.array(ends).T


AS_EQUATIONS: dict[str, Case] = {
    "euler_yprime_2x": slope_of_a_parabola,
    "riccati_x03": riccati_at_three_steps,
    "riccati_rk2_steps": riccati_stage_by_stage,
    "beam_linear_table": lambda p: beam_table(p, is_linear=True),
    "beam_nonlinear_table": lambda p: beam_table(p, is_linear=False),
    "beam_end_slope_deg": beam_end,
    "crane_ec_step1": crane_first_step,
    "crane_ec_h0.0005_t5": crane_later,
    "crane_ec_h0.001_t5": crane_later,
    "crane_rk2_h0.001_t5": crane_later,
    "dpA_ec": double_pendulum_a_by_cromer,
    "dpB_ec": double_pendulum_b_by_cromer,
    "stability_limits": limits_of_stability,
    "baumgarte_hdep_amplification": errors_of_constraints,
}
