"""Forces with states: closed forms of each, by methods of every family, and what they exchange."""

import numpy as np
import pytest
from scipy.linalg import expm

from engine.compiling.checks import problems
from engine.editing.builder import Mechanism
from engine.errors import EngineError
from engine.running.simulate import run

# explicit, implicit and stiff methods, and the error of each that its order and step lead to
METHODS = {
    "dop853": ({"tolerance": 1e-11}, 1e-9),
    "dopri5": ({"tolerance": 1e-11}, 1e-9),
    "rk4": ({"step": 1e-4}, 1e-9),
    "radau": ({"tolerance": 1e-10}, 1e-7),
    "ida": ({"tolerance": 1e-10}, 1e-6),
    "bdf4": ({"step": 1e-4}, 1e-6),
    "generalised_alpha": ({"step": 1e-4}, 2e-4),
}
by_methods = pytest.mark.parametrize("method", METHODS)


def ran(model, method, **settings):
    """A run by one of these methods."""
    return run(model, method=method, **{**METHODS[method][0], **settings})


def slider(dim=2, **force):
    """A mass of 1 kg on a rail, 1.1 m from the wall."""
    m = Mechanism("slider", dim, gravity=(0.0,) * dim)
    inertia = 1.0 if dim == 2 else (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)
    m.body((1.1, 0.0, 0.0)[:dim], mass=1.0, inertia=inertia, id="mass")
    m.prismatic("ground", "mass", (0.0,) * dim, axis=(1.0, 0.0, 0.0)[:dim], id="rail")
    return m


def ends(dim=2):
    """From the wall to the mass."""
    return ("ground", (0.0,) * dim), ("mass", (1.1, 0.0, 0.0)[:dim])


def wheel(dim=2):
    """A wheel in a bearing."""
    m = Mechanism("wheel", dim, gravity=(0.0,) * dim)
    inertia = 1e-4 if dim == 2 else (1e-4, 1e-4, 1e-4, 0.0, 0.0, 0.0)
    m.body((0.0,) * dim, mass=1.0, inertia=inertia, id="wheel")
    m.revolute("ground", "wheel", (0.0,) * dim, id="pin")
    return m


def linear(A, b, y0, t):
    """The solution of y' = A y + b at some times."""
    still = np.linalg.solve(A, -np.asarray(b))
    return np.array([still + expm(A * s) @ (y0 - still) for s in t])


@by_methods
@pytest.mark.parametrize("dim", [2, 3])
def test_a_mass_on_a_maxwell_element_moves_as_published(method, dim):
    m = slider(dim)
    m.maxwell(*ends(dim), stiffness=1000.0, damping=50.0, free_length=1.0, id="solid")
    results = ran(m.model, method, t_end=1.0, output_step=0.05)
    at = [1, 4, 10, 20]
    x = [0.02445747123554, 0.011733999250272, -0.000365820189231, -7.949183787878e-07]
    v = [-2.016704307616672, 0.126049251964837, -0.014605350003762, 0.00014952188779]
    z = [0.040334086152333, -0.002520985039297, 0.000292107000075, -2.99043775575e-06]
    within = METHODS[method][1]
    np.testing.assert_allclose(results["mass.x"][at] - 1.0, x, rtol=0, atol=within)
    np.testing.assert_allclose(results["mass.vx"][at], v, rtol=0, atol=30 * within)
    np.testing.assert_allclose(results["solid.creep"][at], z, rtol=0, atol=within)
    # 5 J in the spring at the start
    assert results["solid.energy"][0] == pytest.approx(5.0, rel=1e-12)
    np.testing.assert_allclose(results["energy_drift"], 0.0, atol=50 * within)


@pytest.mark.parametrize("method", ["dop853", "radau", "generalised_alpha"])
def test_a_standard_solid_and_its_formula_are_the_same_linear_system(method):
    k, c, k_2, c_2 = 900.0, 60.0, 150.0, 4.0
    t = np.linspace(0.0, 0.5, 11)
    # y = (x, v, z) with x the stretch
    A = np.array([[0, 1, 0], [-k - k_2, -c_2, k], [k / c, 0, -k / c]], dtype=float)
    expected = linear(A, np.zeros(3), np.array([0.1, 0.0, 0.02]), t)
    m, n = slider(), slider()
    m.maxwell(
        *ends(), stiffness=k, damping=c, free_length=1.0, parallel_stiffness=k_2, parallel_damping=c_2,
        start_stretch=0.02, id="solid",
    )  # fmt: skip
    law = f"-{k}*(distance - 1 - z1) - {k_2}*(distance - 1) - {c_2}*rate"
    n.state_force(
        *ends(), law=law, z1_rate=f"{k / c}*(distance - 1 - z1)", z1_start=0.02, id="solid"
    )
    within = 10 * METHODS[method][1]
    for mechanism in (m, n):
        results = ran(mechanism.model, method, t_end=0.5, output_step=0.05)
        np.testing.assert_allclose(results["mass.x"] - 1.0, expected[:, 0], rtol=0, atol=within)
        np.testing.assert_allclose(results.z[:, 0], expected[:, 2], rtol=0, atol=within)
        np.testing.assert_allclose(results["energy_drift"], 0.0, atol=1e3 * within)


@by_methods
@pytest.mark.parametrize("dim", [2, 3])
def test_a_motor_spins_up_as_published(method, dim):
    m = wheel(dim)
    m.dc_motor("pin", voltage=12.0, resistance=1.0, inductance=0.005, constant=0.05, id="motor")
    m.joint_damping("pin", 1e-5)
    results = ran(m.model, method, t_end=0.5, output_step=0.005)
    at = [1, 4, 20, 100]
    current = [7.430972298842, 8.890520038562, 0.941914927948, 0.047815720633]
    speed = [10.928045577811, 80.300866055659, 223.791262891753, 239.043706044067]
    within = METHODS[method][1]
    np.testing.assert_allclose(results["motor.current"][at], current, rtol=0, atol=20 * within)
    np.testing.assert_allclose(results["pin.angle_rate"][at], speed, rtol=0, atol=300 * within)
    np.testing.assert_allclose(results["motor.torque" if dim == 2 else "motor.torque_z"],
                               0.05 * results["motor.current"], rtol=1e-12)  # fmt: skip
    # the work of the motor turns the wheel and warms the bearing
    np.testing.assert_allclose(results["energy_drift"], 0.0, atol=20 * within)


@pytest.mark.parametrize("method", ["dop853", "radau", "generalised_alpha"])
@pytest.mark.parametrize("dim", [2, 3])
def test_a_controller_is_the_linear_system_of_its_gains(method, dim):
    m = wheel(dim)
    k_p, k_i, k_d, T, target = 0.02, 0.05, 1e-3, 0.02, 9.0  # more than a turn
    gains = {"proportional": k_p, "integral": k_i, "derivative": k_d, "filter_time": T}
    m.controller("pin", target=target, id="loop", **gains)
    t = np.linspace(0.0, 1.0, 21)
    J = 1e-4
    # y = (angle, speed, sum of the error, filtered speed)
    A = np.array(
        [[0, 1, 0, 0], [-k_p / J, 0, k_i / J, -k_d / J], [-1, 0, 0, 0], [0, 1 / T, 0, -1 / T]]
    )
    expected = linear(A, [0, k_p * target / J, target, 0], np.zeros(4), t)
    results = ran(m.model, method, t_end=1.0, output_step=0.05)
    within = 200 * METHODS[method][1]
    np.testing.assert_allclose(results["pin.angle"], expected[:, 0], rtol=0, atol=within)
    np.testing.assert_allclose(
        results["loop.filtered_speed"], expected[:, 3], rtol=0, atol=30 * within
    )


def test_a_controller_at_its_limit_pushes_with_it_and_does_not_wind_up():
    m = slider()
    m.controller(
        "rail", target=1e3, proportional=10.0, integral=10.0, derivative=0.0, limit=2.0, id="loop"
    )
    results = run(m.model, method="dop853", t_end=1.0)
    np.testing.assert_allclose(results["mass.x"] - 1.1, results.t**2, rtol=0, atol=1e-9)
    assert not results["loop.error_sum"].any()


def cylinder(opening, **fields):
    """A mass of 50 kg on a rail, moved by a cylinder with equal areas; half way out."""
    m = Mechanism("cylinder", gravity=(0, 0))
    m.body((1.0, 0.0), mass=50.0, inertia=1.0, id="mass", velocity=fields.pop("velocity", None))
    m.prismatic("ground", "mass", (0, 0), id="rail")
    usual = {"piston_area": 1e-3, "ring_area": 1e-3, "stroke": 0.4, "dead_volume": 1e-5}
    pressures = {"start_pressure_a": 5e6, "start_pressure_b": 5e6}
    ends = ("ground", (0, 0)), ("mass", (1.0, 0.0))
    m.hydraulic_cylinder(*ends, opening=opening, id="ram", **{**usual, **pressures, **fields})
    return m


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_oil_between_closed_valves_is_a_spring(method):
    m = cylinder(0.0, velocity=(1e-3, 0.0))
    V = 1e-5 + 1e-3 * 0.2
    w = np.sqrt(2 * 1e9 * 1e-3**2 / V / 50.0)  # k = beta A^2 / V of each side
    results = run(m.model, method=method, tolerance=1e-10, t_end=0.1, output_step=0.002)
    x = 1e-3 / w * np.sin(w * results.t)
    # the volumes change by x / 0.21 m of themselves, so the spring bends by 4e-5
    np.testing.assert_allclose(results["mass.x"] - 1.0, x, rtol=0, atol=1e-4 * 1e-3 / w)
    np.testing.assert_allclose(results["energy_drift"], 0.0, atol=1e-9)


def test_an_open_valve_moves_the_piston_at_the_speed_of_its_flow():
    m = cylinder(0.5, rated_flow=2e-4, rated_drop=1e6, leakage=2e-12)
    results = run(m.model, method="radau", tolerance=1e-9, t_end=0.6)
    # no load: both pressures are half the supply, and half the flow at 5 MPa moves the piston
    speed = 0.5 * 2e-4 * np.sqrt(5e6 / 1e6) / 1e-3
    assert results["mass.vx"][-1] == pytest.approx(speed, rel=1e-3)
    assert results["ram.pressure_a"][-1] == pytest.approx(5e6, rel=1e-3)


def test_what_cannot_be_is_told():
    m = slider()
    m.state_force(*ends(), law=((0.0, 0.0), (1.0, 2.0)), id="push")
    (problem,) = problems(m.model)
    assert "The law of 'push' is a table; write an expression." in problem.sentence
    m = slider()
    m.weld("ground", "mass", (0, 0), id="glue")
    m.dc_motor("glue", id="motor")
    with pytest.raises(EngineError, match="needs a coordinate of joint 'glue'"):
        run(m.model)
