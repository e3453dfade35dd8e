"""Air drag: a fall by the closed form, the wind that carries a body, and the energy that it takes."""

import numpy as np
import pytest
from scipy.integrate import simpson

from engine.editing import edits
from engine.editing.builder import Mechanism
from engine.formulas.functions import FunctionOfTime
from engine.running.simulate import prepare, run

G = 9.81
MASS, AREA, DENSITY = 80.0, 0.7, 1.2
FASTEST = np.sqrt(2 * MASS * G / (DENSITY * AREA))  # v_inf


def jumper(dim, **fields):
    """A body that falls from rest, its centre of pressure in the mass centre."""
    m = Mechanism("Jumper", dim=dim)
    body = m.box((0.0,) * dim, 0.5, 1.8, mass=MASS, id="jumper")
    m.air_drag(body, (0.0,) * dim, drag_area=AREA, air_density=DENSITY, id="drag", **fields)
    return m.model


def height(model):
    """The name of the upward axis."""
    return "y" if model.dim == 2 else "z"


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize(
    "settings", [{"method": "rk4", "step": 5e-3}, {"method": "dop853", "tolerance": 1e-12}]
)
def test_a_fall_follows_the_closed_form(dim, settings):
    model = jumper(dim)
    results = run(model, t_end=12.0, output_step=0.5, **settings)
    t, up = results.t, height(model)
    fallen = FASTEST**2 / G * np.log(np.cosh(G * t / FASTEST))
    # required of the integrators: 1e-9 of some hundred metres and some ten metres per second
    np.testing.assert_allclose(-results[f"jumper.{up}"], fallen, rtol=1e-9, atol=1e-9)
    speed = FASTEST * np.tanh(G * t / FASTEST)
    np.testing.assert_allclose(-results[f"jumper.v{up}"], speed, rtol=1e-9, atol=1e-9)
    drag = MASS * G * np.tanh(G * t / FASTEST) ** 2
    np.testing.assert_allclose(results[f"drag.force_{up}"], drag, rtol=1e-8, atol=1e-8)


@pytest.mark.parametrize("dim", [2, 3])
@pytest.mark.parametrize("method", ["bdf2", "generalised_alpha", "ida", "radau"])
def test_stiff_methods_reach_the_terminal_speed(dim, method):
    model = jumper(dim)
    results = run(model, t_end=60.0, output_step=10.0, step=0.02, method=method, tolerance=1e-9)
    # e^(-2 g t / v_inf) is 1e-12 there
    assert -results[f"jumper.v{height(model)}"][-1] == pytest.approx(FASTEST, rel=1e-6)


@pytest.mark.parametrize("dim", [2, 3])
def test_the_wind_carries_a_body_along(dim):
    wind = {"wind_x": "12*step(t, 0, 0, 5, 1)", **({"wind_y": -3.0} if dim == 3 else {})}
    results = run(jumper(dim, **wind), t_end=200.0, output_step=5.0, step=0.02, method="rk4")
    # at the terminal speed what differs from the wind decays with g / v_inf = 0.2 per second
    assert results["jumper.vx"][-1] == pytest.approx(12.0, rel=1e-9)
    if dim == 3:
        assert results["jumper.vy"][-1] == pytest.approx(-3.0, rel=1e-9)


@pytest.mark.parametrize("dim", [2, 3])
def test_its_power_is_what_the_energy_loses(dim):
    results = run(jumper(dim), t_end=8.0, output_step=0.01, step=0.01, method="rk4")
    power, total = results["drag.power"], results["total_energy"]
    lost = total[-1] - total[0]
    assert (power <= 0.0).all() and power[-1] < -1000.0
    # Simpson's rule over 800 pieces: 1e-10 of some kilojoules
    assert simpson(power, x=results.t) == pytest.approx(lost, rel=1e-9)
    assert results["drag.work"][-1] == pytest.approx(lost, rel=1e-9)


def test_a_force_off_the_mass_centre_turns_the_body_into_the_wind():
    m = Mechanism("Vane", gravity=(0.0, 0.0))
    vane = m.rod((0, 0), (1, 0), mass=1.0, id="vane")
    pin = m.revolute("ground", vane, (0, 0), id="pin")
    m.joint_damping(pin, 0.5)
    m.air_drag(vane, (1, 0), wind_y=5.0)
    angle = run(m.model, t_end=30.0, output_step=1.0, method="dopri5")["pin.angle"]
    assert angle[-1] == pytest.approx(np.pi / 2, abs=1e-4)  # what is left of a slow approach


def test_advice_knows_how_fast_drag_brakes():
    m = Mechanism("Feather")
    feather = m.particle((0, 0), 1e-4, velocity=(30.0, 0.0), id="feather")
    m.air_drag(feather, (0, 0), drag_area=0.1, id="drag")
    # dF/du / m = rho A |u| / m = 36000 /s: RK4 is stable up to 2.78 of that
    advice = prepare(m.model, method="rk4", step=1e-3).advice
    assert [one.ids for one in advice] == [("drag",)]
    assert advice[0].step == pytest.approx(2.785 / 36000.0, rel=0.02)
    assert not prepare(m.model, method="rk4", step=1e-5).advice


def test_a_mirror_turns_the_wind_round():
    model = jumper(2, wind_x="3*t", wind_y=2.0)
    image = edits.mirrored(model, ["jumper"], "left-right")["drag"]
    assert image.wind_y == 2.0 and image.wind_x != "3*t"
    back = edits.mirrored(edits.mirrored(model, ["jumper"]), ["jumper"])["drag"]
    assert at_two(back.wind_x) == pytest.approx(6.0)
    assert at_two(image.wind_x) == pytest.approx(-6.0)


def at_two(function):
    """The value of an expression of time at t = 2."""
    return FunctionOfTime(function, {})(2.0)


def test_turning_a_body_turns_its_wind_as_it_turns_its_forces():
    model = edits.rotated(jumper(2, wind_x=4.0), ["jumper"], np.pi / 2)
    assert (model["drag"].wind_x, model["drag"].wind_y) == pytest.approx((0.0, 4.0), abs=1e-12)


def test_without_air_a_body_falls_freely():
    m = Mechanism("Feather on the moon")
    body = m.particle((0, 0), 1.0, id="feather")
    m.air_drag(body, (0, 0), air_density=0.0)
    assert run(m.model, t_end=1.0)["feather.vy"][-1] == pytest.approx(-G, rel=1e-12)
