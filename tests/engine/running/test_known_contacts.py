"""What everybody knows of contact: a cradle, a tipping box, rolling, gears, the plane in space."""

from math import cos, radians, sin

import numpy as np
import pytest

from engine.editing.builder import Mechanism
from engine.running.simulate import run
from tests.engine.running.test_teeth_in_contact import pair

G = 9.81


@pytest.mark.parametrize("order", [(0, 1, 2, 3, 4), (3, 0, 4, 2, 1)])
def test_the_last_ball_of_a_cradle_leaves_with_the_speed_of_the_first(order):
    m = Mechanism("cradle", gravity=(0.0, 0.0))
    places = {n: (0.201 * n, 0.0) for n in range(5)}
    for n in order:  # as they are numbered is no matter
        m.disc(places[n], 0.1, mass=1.0, id=f"ball_{n}", velocity=(1.0 if n == 0 else 0.0, 0.0))
    for n in (order[0], *order[1:]):
        if n < 4:
            ends = (f"ball_{n}", places[n]), (f"ball_{n + 1}", places[n + 1])
            m.contact(*ends, restitution=1.0, stiffness=1e9, friction="none", id=f"pair_{n}")
    results = run(m.model, method="dop853", tolerance=1e-10, t_end=0.02, output_step=0.02)
    speeds = [results[f"ball_{n}.vx"][-1] for n in range(5)]
    np.testing.assert_allclose(speeds, [0.0, 0.0, 0.0, 0.0, 1.0], atol=1e-7)


@pytest.mark.parametrize("slope, tips", [(25.0, False), (28.0, True)])
def test_a_box_tips_over_beyond_the_slope_of_its_diagonal(slope, tips):
    way = radians(slope)  # twice as high as wide: tan 26.57 degrees
    m = Mechanism("box", gravity=(G * sin(way), -G * cos(way)))
    m.box((0.0, 0.1), 0.1, 0.2, mass=2.0, id="box")
    rubs = {"mu_static": 0.9, "mu_dynamic": 0.9, "restitution": 0.0}
    m.contact(("ground", (0.0, 0.0)), ("box", (0.0, 0.1)), id="floor", **rubs)
    results = run(m.model, method="auto", tolerance=1e-7, t_end=1.0, output_step=0.05)
    leans = -results["box.angle"]
    if tips:
        assert leans[-1] > 0.3
    else:
        assert leans.max() < 1e-3 and abs(results["box.vx"][-1]) < 1e-9


def test_a_ball_rolls_down_a_slope_with_five_sevenths_of_sliding():
    way = radians(20.0)
    m = Mechanism("slope", 3, gravity=(G * sin(way), 0.0, -G * cos(way)))
    m.sphere((0.0, 0.0, 0.1), 0.1, mass=1.0, id="ball")
    m.contact(("ground", (0.0,) * 3), ("ball", (0.0, 0.0, 0.1)), id="floor", restitution=0.0,
              mu_static=0.5, mu_dynamic=0.5)  # fmt: skip
    results = run(m.model, method="dop853", tolerance=1e-8, t_end=1.0, output_step=0.1)
    # the spring of friction is stretched at first: some 10 um
    assert results["ball.vx"][-1] == pytest.approx(5.0 / 7.0 * G * sin(way), rel=2e-4)
    assert results["ball.angular_velocity_y"][-1] * 0.1 == pytest.approx(
        results["ball.vx"][-1], rel=2e-4
    )


@pytest.mark.parametrize("friction", ["sticking", "velocity"])
def test_contact_in_space_is_that_of_the_plane_for_plane_motions(friction):
    found = []
    J = 0.004
    for dim in (2, 3):
        m = Mechanism("ball", dim, gravity=(0.0, -G) if dim == 2 else (0.0, 0.0, -G))
        if dim == 2:
            at, still = (0.0, 0.3), (0.0, 0.0)
            m.disc(at, 0.1, mass=1.0, inertia=J, id="ball", velocity=(1.0, 0.0), spin=5.0)
        else:
            at, still = (0.0, 0.0, 0.3), (0.0,) * 3
            moves = {"velocity": (1.0, 0.0, 0.0), "angular_velocity": (0.0, -5.0, 0.0)}
            m.sphere(at, 0.1, mass=1.0, inertia=(J, J, J, 0, 0, 0), id="ball", **moves)
        hard = {"stiffness": 1e7, "stick_stiffness": 1e5, "stick_damping": 100.0}
        m.contact(("ground", still), ("ball", at), id="floor", restitution=0.7, **hard,
                  mu_static=0.3, mu_dynamic=0.2, friction=friction)  # fmt: skip
        results = run(m.model, method="dop853", tolerance=1e-11, t_end=0.8, output_step=0.1)
        up, spin = ("y", "angular_velocity") if dim == 2 else ("z", "angular_velocity_y")
        sign = 1.0 if dim == 2 else -1.0
        names = ("ball.x", f"ball.{up}", "ball.vx", f"ball.v{up}")
        found.append([*(results[name] for name in names), sign * results[f"ball.{spin}"]])
        assert len(results.events) >= 4
    np.testing.assert_allclose(found[1], found[0], atol=1e-6)


def test_gears_keep_their_ratio_over_many_turns():
    m = pair(speeds=(10.0, -20.0), stiffness=1e5, damping=20.0)
    m.motion("axle_1", "10*t", id="drive")
    m.torque("wheel_2", 0.05, id="brake")
    turns = 3 * 2 * np.pi / 10.0
    results = run(m.model, method="rk4", step=2e-5, t_end=turns, output_step=turns / 300)
    apart = results["axle_2.angle"] + 2.0 * results["axle_1.angle"]
    # a pair of teeth bends by the force over its stiffness, along the line of action
    bent = 0.05 / (0.027 * cos(radians(20.0))) ** 2 / 1e5
    assert np.abs(apart).max() < 4.0 * bent


@pytest.mark.parametrize("method", ("radau", "dop853"))
def test_bristles_of_lugre_hold_break_away_and_slide(method):
    """A block of 20 N is pulled by 10 t up to 12 N: mu N holds up to 8 N, and rubs by 6 N."""
    m = Mechanism("block", 2, gravity=(0.0, -10.0))
    m.box((0.0, 0.05), 0.2, 0.1, mass=2.0, id="block")
    rubbing = {"mu_static": 0.4, "mu_dynamic": 0.3, "static_speed": 1e-3, "dynamic_speed": 1e-2}
    ends = ("ground", (0.0, 0.0)), ("block", (0.0, 0.05))
    m.contact(*ends, friction="lugre", stick_stiffness=1e5, **rubbing, id="floor")
    m.force("block", (0.0, 0.0), ("min(10*t, 12)", 0.0), id="pull")
    results = run(m.model, method=method, t_end=1.4)
    friction, v, t = -results["floor.friction"], results["block.vx"], results.t
    held = (t > 0.05) & (t < 0.6)
    np.testing.assert_allclose(friction[held], 10.0 * t[held], atol=0.05)  # it creeps: 2 kg m/s^2
    assert np.abs(v[held]).max() < 5e-4
    assert friction.max() < 8.0 + 0.05 and friction[(t > 0.75) & (t < 0.85)].max() > 7.5
    slides = t > 1.25
    np.testing.assert_allclose(friction[slides], 6.0, rtol=1e-5)
    np.testing.assert_allclose(np.diff(v[slides]) / np.diff(t[slides]), 3.0, rtol=1e-4)
