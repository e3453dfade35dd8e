"""Mechanics that can be known without the engine: closed forms, conserved quantities, orders."""

from math import cos, pi, radians, sin, sqrt

import numpy as np
import pytest

from engine.editing.builder import Mechanism
from engine.model.elements import put
from engine.model.forces import GeneralForce
from engine.model.methods import METHODS
from engine.running.simulate import run
from tests.validation import models
from tests.validation.rolling import Coin, centre_by_its_own_equations, rolling_coin

FINE = {"step": 5e-4, "output_step": 0.02}  # errors of RK4 near 1e-10 for motions of a few rad/s


def sprung_slider_crank(dim=2):
    """A slider-crank with a spring that stores energy."""
    m = models.slider_crank(0.5, 1.5, 0.7, dim)
    slider = (*m.model["slider"].position, 0.0)[:dim]
    wall = ("ground", (3.0, 0.4, 0.0)[:dim])
    m.spring(wall, ("slider", slider), stiffness=80.0, free_length=0.8, spring_curve="200*x^3")
    m.torsion_spring("A", 4.0, free_angle=0.2)
    return m.model


def ball_jointed_pair(grounded=True):
    """Two lopsided bodies in space on a ball joint, with a spring across it."""
    m = Mechanism("pair", 3, gravity=(0, 0, -9.81 if grounded else 0.0))
    inertia = {"mass": 1.5, "inertia": (0.1, 0.14, 0.2, 0.01, 0.02, -0.01)}
    m.body((0, 0, 0), id="a", center=(0.1, 0.1, -0.5), angular_velocity=(1, 2, -1), **inertia)
    m.body((0.1, 0.2, -1), id="b", center=(0, 0.1, -0.4), velocity=(0.3, 0, 0.2), **inertia)
    m.spherical("a", "b", at=(0, 0.3, -0.8))
    if grounded:
        m.spherical("ground", "a", at=(0, 0.2, 0.1))
    m.spring(("a", (0.5, 0, 0)), ("b", (0.5, 0, -1.5)), stiffness=30.0, free_length=0.9)
    return m.model


def flying_linkage():
    """Three rods in a closed loop with springs, in the plane, far from any ground."""
    m = Mechanism("flying", gravity=(0, 0))
    corners = [(0, 0), (1, 0), (1.3, 0.9), (0.1, 1.1)]
    rods = [
        m.rod(corners[k], corners[(k + 1) % 4], mass=1.0 + k, velocity=(0.5, k), spin=k - 1.0)
        for k in range(4)
    ]
    for k in range(4):
        m.revolute(rods[k - 1], rods[k], at=corners[k])
    m.spring((rods[0], corners[0]), (rods[2], corners[2]), stiffness=50.0, free_length=1.0)
    return m.model


CONSERVATIVE = {
    "double pendulum": lambda: models.rod_chain((0.3, -0.9), (1.0, 2.0), (1.0, 0.7), (1.0, -2.0)),
    "four-bar": lambda: models.four_bar(1.0, 3.0, 2.5, 3.0, 1.0).model,
    "four-bar in space": lambda: models.four_bar(1.0, 3.0, 2.5, 3.0, 1.0, 3).model,
    "sprung slider-crank": sprung_slider_crank,
    "sprung slider-crank in space": lambda: sprung_slider_crank(3),
    "ball-jointed pair": ball_jointed_pair,
    "flying linkage": flying_linkage,
    "tumbling body": lambda: models.free_body(1.0, (1.0, 2.0, 3.0), (0.5, 2.0, 0.5)),
    "knife edge on an incline": lambda: models.knife_edge((4.9, 0.0), 1.5),
    "leaning coin": lambda: rolling_coin(Coin(lean=1.3, w=(0.2, 0.4, 6.0))),
}


@pytest.mark.parametrize("name", CONSERVATIVE)
def test_energy_is_kept(name):
    results = run(CONSERVATIVE[name](), t_end=2.0, **FINE)
    assert results.ending.reason == "done"
    energy, moving = results["total_energy"], results["kinetic_energy"].max()
    # RK4 at this step: (w h)^5 per step with w up to 10 rad/s is below 1e-9 over 4000 steps
    assert np.abs(energy - energy[0]).max() < 1e-8 * moving


@pytest.mark.parametrize("draw", [lambda: ball_jointed_pair(grounded=False), flying_linkage])
def test_free_systems_keep_momentum_and_angular_momentum(draw):
    results = run(draw(), t_end=2.0, **FINE)
    letters = "xy" if results.model.dim == 2 else "xyz"
    turning = [""] if results.model.dim == 2 else ["_x", "_y", "_z"]
    names = [f"momentum_{c}" for c in letters] + [f"angular_momentum{c}" for c in turning]
    for name in names:
        # momentum is linear in v and kept to rounding; angular momentum to the error of RK4
        np.testing.assert_allclose(results[name], results[name][0], rtol=0, atol=1e-8)
    assert np.abs([results[name][0] for name in names]).max() > 0.1


@pytest.mark.parametrize("dim", (2, 3))
def test_a_four_bar_stays_closed_and_keeps_its_energy_for_a_minute(dim):
    model = models.four_bar(1.0, 3.0, 2.5, 3.0, 1.0, dim).model
    results = run(model, t_end=60.0, step=1e-3, output_step=0.05, method="rk4")
    assert results.ending.reason == "done"
    assert results["constraint_violation"].max() < 1e-10  # required
    energy, moving = results["total_energy"], results["kinetic_energy"].max()
    assert np.abs(energy - energy[0]).max() < 1e-6 * moving  # required
    assert moving > 1.0  # it does move


ORDER_MODELS = {
    "double pendulum": lambda: models.rod_chain((0.3, -0.9), (1.0, 2.0), (1.0, 0.7), (1.0, -2.0)),
    "ball-jointed pair": ball_jointed_pair,
}
ORDER = {method.name: method.order for method in METHODS}
STEPS = {
    "euler": (1e-4, 5e-5),
    "euler_cromer": (1e-4, 5e-5),
    "heun": (1e-3, 5e-4),
    "rk4": (2.5e-3, 1.25e-3),
}


@pytest.mark.parametrize("name", ORDER_MODELS)
@pytest.mark.parametrize("method", STEPS)
def test_the_observed_order_is_the_stated_one(method, name):
    model = ORDER_MODELS[name]()
    frames = {"t_end": 0.8, "output_step": 0.05}
    exact = run(model, method="rk4", step=1e-4, **frames)
    coarse, fine = (run(model, method=method, step=h, **frames) for h in STEPS[method])
    for column in ("q", "v"):
        true = getattr(exact, column)
        errors = [np.abs(getattr(r, column) - true).max() for r in (coarse, fine)]
        order = np.log2(errors[0] / errors[1])
        # the next power of h adds a few per cent at these steps
        assert order == pytest.approx(ORDER[method], abs=0.3)


def test_the_orders_of_all_methods_are_observed():
    assert set(STEPS) == {m.name for m in METHODS if m.is_fixed and not m.is_stiff}


def test_a_disc_rolls_down_a_slope_at_two_thirds_of_g_sin_alpha():
    alpha = radians(20)
    m = Mechanism("slope")
    along = np.array([cos(alpha), -sin(alpha)])
    centre = 0.2 * np.array([sin(alpha), cos(alpha)])
    disc = m.body(centre, mass=3.0, inertia=0.5 * 3.0 * 0.2**2, center=(0, 0))
    m.rolling_disc("ground", disc, on=(0, 0), center=centre, radius=0.2, axis=along)
    results = run(m.model, t_end=1.0)
    s = 0.5 * (2 / 3) * 9.81 * sin(alpha)
    np.testing.assert_allclose(results.q[-1, :2], centre + s * along, rtol=0, atol=1e-10)
    assert results.q[-1, 2] == pytest.approx(-s / 0.2, abs=1e-9)  # rolls without slipping


def test_an_upright_disc_rolls_straight_on():
    coin = Coin(lean=pi / 2, w=(0.0, 0.0, -5.0))
    results = run(rolling_coin(coin), t_end=2.0, **FINE)
    x = np.array([results[f"coin.{c}"] for c in "xyz"])
    np.testing.assert_allclose(x[0], 5.0 * coin.radius * results.t, rtol=0, atol=1e-10)
    np.testing.assert_allclose(x[1], 0.0, rtol=0, atol=1e-10)
    np.testing.assert_allclose(x[2], coin.radius, rtol=0, atol=1e-10)
    energy = results["total_energy"]
    np.testing.assert_allclose(energy, energy[0], rtol=1e-12)


@pytest.mark.parametrize(
    "coin",
    [
        Coin(lean=1.3, w=(0.2, 0.4, 6.0)),
        Coin(lean=1.1, w=(0.0, -1.5, 3.0)),
        Coin(lean=2.0, w=(-0.3, 0.8, -8.0), along=0.07, across=0.05),
    ],
)
def test_a_leaning_coin_follows_its_own_equations(coin):
    results = run(rolling_coin(coin), t_end=2.0, **FINE)
    found = np.column_stack([results[f"coin.{c}"] for c in "xyz"])
    expected = centre_by_its_own_equations(coin, results.t)
    # RK4 at this step near 1e-10; a coin that nearly falls magnifies it
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-8)
    assert results["velocity_violation"].max() < 1e-11  # the contact point stands still


def test_a_heavy_top_precesses_steadily():
    m, g, arm, J, A, theta, turn = 1.5, 9.81, 0.4, 0.1, 0.05, 0.7, 2.0
    J_pivot = J + m * arm**2
    # steady:  J_pivot turn^2 cos(theta) - A w_axial turn + m g arm = 0
    w_axial = (m * g * arm + J_pivot * turn**2 * cos(theta)) / (A * turn)
    d = Mechanism("top", 3)
    half = theta / 2
    d.body(
        (0, 0, 0),
        id="top",
        mass=m,
        inertia=(J, J, A, 0, 0, 0),
        center=(0, 0, arm),
        orientation=(cos(half), sin(half), 0, 0),  # leans about x
        angular_velocity=(0, turn * sin(theta), w_axial),
    )
    d.spherical("ground", "top", at=(0, 0, 0))
    d.marker("top", (0, 0, 0), id="foot")
    d.marker("top", arm * np.array([0, -sin(theta), cos(theta)]), id="head")
    results = run(d.model, t_end=3.0, step=2e-4, output_step=0.05)
    phi = turn * results.t
    expected = arm * np.column_stack(
        [sin(theta) * np.sin(phi), -sin(theta) * np.cos(phi), cos(theta) + 0 * phi]
    )
    found = np.column_stack([results[f"head.{c}"] for c in "xyz"])
    # axial spin of 100 rad/s: RK4 errs by (w h)^5 / 120 per step, 4e-8 over 15000 of them
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-6)


def test_a_planet_closes_its_ellipse_after_keplers_period():
    m = Mechanism("orbit", gravity=(0, 0))
    planet = m.particle((1.0, 0), 1.0, velocity=(0, 1.2))
    m.marker("ground", (0, 0), id="sun")
    m.marker(planet, (1.0, 0), id="earth")
    pull = GeneralForce(id="pull", marker_i="sun", marker_j="earth", law="-1/distance^2")
    axis = 1 / (2 - 1.2**2)
    results = run(put(m.model, pull), t_end=2 * pi * axis**1.5, step=2e-4, output_step=0.1)
    np.testing.assert_allclose(results.q[-1, :2], [1.0, 0.0], rtol=0, atol=1e-9)  # RK4
    np.testing.assert_allclose(results.v[-1, :2], [0.0, 1.2], rtol=0, atol=1e-9)


def test_a_nut_falls_on_its_screw_as_its_inertia_allows():
    pitch, mass, J = 0.2, 2.0, 0.03
    m = Mechanism("screw", 3)
    inertia = {"mass": mass, "inertia": (0.02, 0.02, J, 0, 0, 0), "center": (0, 0, 0)}
    m.body((0, 0, 0), id="nut", **inertia)
    m.screw("ground", "nut", at=(0, 0, 0), axis=(0, 0, 1), pitch=pitch)
    results = run(m.model, t_end=2.0)
    a = 9.81 / (1 + J * (2 * pi / pitch) ** 2 / mass)
    # falls by 1.2 m and turns six times; exact for RK4 but for the rounding of the turns
    assert results["nut.z"][-1] == pytest.approx(-a * 2.0, abs=1e-9)
    assert results["screw_1.angle"][-1] == pytest.approx(-a * 2.0 * 2 * pi / pitch, abs=1e-7)


@pytest.mark.parametrize("inside", (False, True))
def test_a_gear_pair_shares_the_torque_by_its_radii(inside):
    m = Mechanism("gears", gravity=(0, 0))
    r1, r2, J1, J2 = 0.1, 0.3, 0.02, 0.5
    for k, (J, x) in enumerate(((J1, 0.0), (J2, 0.4))):
        m.body((x, 0), id=f"g{k}", mass=1.0, inertia=J, center=(0, 0))
        m.revolute("ground", f"g{k}", at=(x, 0), id=f"pin{k}")
    m.gear("pin0", "pin1", r1, r2, inside=inside, id="teeth")
    m.torque("g0", 1.5)
    results = run(m.model, t_end=1.0)
    sign = 1.0 if inside else -1.0
    a = 1.5 / (J1 + J2 * (r1 / r2) ** 2)
    assert results.a[-1, 2] == pytest.approx(a, rel=1e-12)  # one division apart
    assert results.a[-1, 5] == pytest.approx(sign * a * r1 / r2, rel=1e-12)
    assert results.q[-1, 5] == pytest.approx(sign * a / 2 * r1 / r2, rel=1e-9)


def test_a_rack_is_driven_by_its_pinion():
    m = Mechanism("rack", gravity=(0, 0))
    m.body((0, 0), id="pinion", mass=1.0, inertia=0.02, center=(0, 0))
    m.body((0, -0.1), id="rack", mass=2.0, inertia=0.1, center=(0, 0))
    pin = m.revolute("ground", "pinion", at=(0, 0))
    guide = m.prismatic("ground", "rack", at=(0, -0.1))
    m.rack_and_pinion(pin, guide, 0.1)
    m.motion(pin, "3*t")
    results = run(m.model, t_end=1.0)
    assert results.q[-1, 3] == pytest.approx(0.3, abs=1e-12)  # rounding


def test_a_cross_joint_turns_unevenly():
    beta, w = radians(30), 2.0
    m = Mechanism("cardan shaft", 3, gravity=(0, 0, 0))
    light = {"mass": 1.0, "inertia": (0.1, 0.1, 0.1, 0, 0, 0), "center": (0, 0, 0)}
    out = np.array([sin(beta), 0, cos(beta)])
    for id in ("in", "out"):
        m.body((0, 0, 0), id=id, **light)
    drive = m.revolute("ground", "in", at=(0, 0, 0), axis=(0, 0, 1))
    m.revolute("ground", "out", at=(0, 0, 0), axis=out, id="output")
    m.universal("in", "out", at=(0, 0, 0), axis_i=(0, 0, 1), axis_j=out)
    m.motion(drive, f"{w}*t")
    results = run(m.model, t_end=4.0)
    # the arm on the input lies across both shafts at t = 0, so x_i . y_j = 0 says
    #   tan(output) = cos(beta) tan(w t)
    rate = w * cos(beta) / (1 - sin(beta) ** 2 * np.sin(w * results.t) ** 2)
    np.testing.assert_allclose(results["output.angle_rate"], rate, rtol=0, atol=1e-9)  # RK4


def test_a_beam_balance_swings_with_its_closed_frequency():
    k, m_, length = 400.0, 1.2, 0.8
    m = Mechanism("arm", gravity=(0, 0))
    arm = m.rod((0, 0), (length, 0), mass=m_, spin=1e-4, velocity=(0, 1e-4 * length / 2))
    pin = m.revolute("ground", arm, at=(0, 0))
    m.torsion_spring(pin, k)
    w = sqrt(k / (m_ * length**2 / 3))
    results = run(m.model, t_end=1.0, step=1e-4, method="rk4")
    expected = 1e-4 / w * np.sin(w * results.t)
    np.testing.assert_allclose(results.q[:, 2], expected, rtol=0, atol=1e-12)  # linear: RK4 alone


@pytest.mark.parametrize("method", ["dopri5", "dop853"])
def test_a_torsion_spring_in_space_counts_full_turns_with_long_steps_too(method):
    m = Mechanism("wheel on a torsion spring", 3, gravity=(0.0, 0.0, 0.0))
    inertia = (1.0, 1.0, 2.0, 0.0, 0.0, 0.0)
    wheel = m.body((0.0, 0.0, 0.0), mass=1.0, inertia=inertia, angular_velocity=(0.0, 0.0, 30.0))
    hinge = m.revolute("ground", wheel, at=(0.0, 0.0, 0.0), axis=(0, 0, 1))
    m.torsion_spring(hinge, stiffness=2.0)  # k/J = 1: phi = 30 sin t, nearly five turns
    results = run(m.model, method=method, tolerance=1e-5, t_end=6.0, output_step=0.1)
    # the tolerance of a step, some hundred times over: 30 turns of 1e-5 each
    np.testing.assert_allclose(results[f"{hinge}.angle"], 30.0 * np.sin(results.t), atol=0.05)
