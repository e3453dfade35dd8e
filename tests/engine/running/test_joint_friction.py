"""Friction in joints from their reactions, against closed forms."""

from math import atan, cos, hypot, pi, radians, sin, tan

import numpy as np
import pytest

from engine.compiling.checks import problems
from engine.editing.builder import Mechanism
from engine.model.elements import put
from engine.model.forces import JointFriction
from engine.running.simulate import run

METHODS = ["dop853", "rk4", "ida", "radau", "generalised_alpha", "implicit_euler", "trapezoid"]
AT_ONCE = {"t_end": 1e-3, "output_step": 1e-3, "step": 1e-4}


def pendulum(degrees, rate, mu=0.2, radius=0.02, dim=2):
    """A rod of 1 kg and 1 m in a bearing."""
    c, s = cos(radians(degrees)), sin(radians(degrees))
    m = Mechanism("pendulum", dim, gravity=(0.0, -9.81, 0.0)[:dim])
    inertia = 1 / 12 if dim == 2 else (1 / 12, 1 / 12, 1 / 12, 0.0, 0.0, 0.0)
    m.body((0.5 * c, 0.5 * s, 0.0)[:dim], mass=1.0, inertia=inertia, id="rod")
    m.revolute("ground", "rod", (0.0,) * dim, id="pin", angle_rate=rate)
    m.joint_friction("pin", mu=mu, radius=radius, speed=1e-5 * radius, id="rub")
    return m.model


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("dim", [2, 3])
def test_a_pendulum_with_bearing_friction_has_the_numbers_of_the_book(method, dim):
    results = run(pendulum(-60.0, 2.0, dim=dim), method=method, **AT_ONCE)
    about_z = "" if dim == 2 else "_z"
    torque = results[f"rub.torque{about_z}"][0]
    assert torque == pytest.approx(-0.042239739753841196, abs=1e-13)
    size = np.linalg.norm([results[f"pin.force_{c}"][0] for c in "xyz"[:dim]])
    assert size == pytest.approx(10.559934938460298, abs=1e-11)
    assert results["rub.normal_force"][0] == pytest.approx(size, abs=1e-11)
    assert results["rub.sliding_speed"][0] == pytest.approx(0.04, abs=1e-12)
    # J_A w_dot = -m g (l/2) cos(phi) + torque, within the step of the method
    J_A, later = 1 / 3, results[f"rod.angular_velocity{about_z}"][-1]
    w_dot = (-9.81 * 0.5 * cos(radians(-60.0)) + torque) / J_A
    assert w_dot == pytest.approx(-7.484219219261526, abs=1e-11)
    assert (later - 2.0) / 1e-3 == pytest.approx(w_dot, abs=0.02)
    assert results.ending.reason == "done"


@pytest.mark.parametrize(
    "method, settings", [("dop853", {"tolerance": 1e-10}), ("rk4", {"step": 2e-4})]
)
def test_it_turns_back_when_and_where_it_should(method, settings):
    results = run(pendulum(0.0, 0.0), method=method, t_end=2.0, output_step=2e-4, **settings)
    t, w, a = results.t, results["pin.angle_rate"], results["rod.angular_acceleration"]
    before = np.flatnonzero(w[1:-1] * w[2:] < 0.0) + 1
    when = t[before] - w[before] / a[before]  # where friction was still full
    np.testing.assert_allclose(when, [0.962364037769, 1.9164413708756], atol=2e-7)
    angle = results["pin.angle"][before] - w[before] ** 2 / (2 * a[before])
    np.testing.assert_allclose(angle, [-3.1017287415306, -0.0782646229002], atol=2e-7)
    np.testing.assert_allclose(results["energy_drift"], 0.0, atol=1e-7)
    assert results["rub.work"][-1] < -0.3


@pytest.mark.parametrize("method", ["dop853", "generalised_alpha", "implicit_euler"])
def test_strong_friction_is_solved_until_there_is_no_unique_solution(method):
    # mu r m l/2 = J_0 where friction loads the pin by as much as it follows from
    def ends(mu):
        return run(pendulum(0.0, -1.0, mu=mu, radius=1.0), method=method, **AT_ONCE).ending

    assert ends(0.6).reason == ends(0.66).reason == "done"
    assert ends(0.67).reason == "jammed"
    assert "friction 'rub' jams. It loads the joint 'pin'" in ends(0.67).sentence


@pytest.mark.parametrize("mu, a", [(0.2, 3.5), (0.4, 2.0), (0.6, 0.5), (0.7, -0.25)])
@pytest.mark.parametrize("dim", [2, 3])
def test_a_drawer_rubs_on_two_edges(mu, a, dim):
    m = Mechanism("drawer", dim, gravity=(0.0,) * dim)
    inertia = 0.01 if dim == 2 else (0.01, 0.01, 0.01, 0.0, 0.0, 0.0)
    m.body((0.0,) * dim, mass=2.0, inertia=inertia, id="box")
    along = {} if dim == 2 else {"axis": (1.0, 0.0, 0.0)}
    m.prismatic("ground", "box", (0.0,) * dim, id="guide", displacement_rate=0.1, **along)
    m.joint_friction("guide", mu=mu, half_length=0.1, radius=0.0, speed=1e-5, id="rub")
    m.force("box", (0.0, 0.15, 0.0)[:dim], (10.0, 0.0, 0.0)[:dim])
    for method in ("dop853", "ida", "implicit_euler"):
        results = run(m.model, method=method, **AT_ONCE)
        assert results["rub.force_x"][0] == pytest.approx(2.0 * a - 10.0, abs=1e-9)
        assert results["box.vx"][-1] == pytest.approx(0.1 + 1e-3 * a, abs=1e-9)


@pytest.mark.parametrize("way", [1.0, -1.0])
@pytest.mark.parametrize("pitch", [0.01, -0.01])
def test_a_screw_needs_the_torque_of_its_thread(way, pitch):
    # W r tan(rho + alpha) holds a load that is raised, W r tan(alpha - rho) one that is lowered
    W, r, mu = 20.0, 0.01, 0.15
    m = Mechanism("jack", 3, gravity=(0.0, 0.0, -10.0))
    m.body((0, 0, 0), mass=2.0, inertia=(1, 1, 1, 0, 0, 0), id="nut")
    m.screw("ground", "nut", (0, 0, 0), pitch=pitch, angle_rate=way, id="thread")
    m.joint_friction("thread", mu=mu, radius=r, speed=1e-6, id="rub")
    slope, rises = atan(abs(pitch) / (2 * pi * r)), way * pitch > 0
    holds = W * r * tan(slope + (atan(mu) if rises else -atan(mu))) * (1.0 if pitch > 0 else -1.0)
    m.torque("nut", (0.0, 0.0, holds))
    for method in ("dop853", "generalised_alpha"):
        results = run(m.model, method=method, **AT_ONCE)
        np.testing.assert_allclose(results["thread.angle_rate"], way, atol=1e-9)
        assert results["rub.normal_force"][0] == pytest.approx(
            W / (cos(slope) - (mu if rises else -mu) * sin(slope)), abs=1e-9
        )


def test_a_ball_rubs_against_its_turn_whichever_way_it_is():
    m = Mechanism("ball", 3, gravity=(0.0, 0.0, -10.0))
    w = np.array([1.0, -2.0, 2.0])
    m.body((0, 0, 0), mass=3.0, inertia=(2, 2, 2, 0, 0, 0), angular_velocity=tuple(w), id="head")
    m.spherical("ground", "head", (0, 0, 0), id="socket")
    m.joint_friction("socket", mu=0.3, radius=0.05, speed=1e-6, id="rub")
    for method in ("dop853", "generalised_alpha", "ida"):
        results = run(m.model, method=method, t_end=0.1, output_step=0.1, step=1e-3)
        torque = [results[f"rub.torque_{c}"][0] for c in "xyz"]
        np.testing.assert_allclose(torque, -0.3 * 0.05 * 30.0 * w / 3.0, atol=1e-9)
        later = [results[f"head.angular_velocity_{c}_body"][-1] for c in "xyz"]
        np.testing.assert_allclose(later, w * (1 - 0.1 * 0.45 / 2.0 / 3.0), atol=1e-6)


def test_a_shaft_that_slides_and_turns_rubs_along_its_helix():
    m = Mechanism("shaft", 3, gravity=(0.0, -10.0, 0.0))
    m.body((0, 0, 0), mass=1.0, inertia=(0.1, 0.1, 0.1, 0, 0, 0), id="rod")
    m.cylindrical("ground", "rod", (0, 0, 0), displacement_rate=0.3, angle_rate=20.0, id="bush")
    m.joint_friction("bush", mu=0.2, radius=0.02, half_length=0.05, speed=1e-6, id="rub")
    m.force("rod", (0, 0, 0.15), (0.0, -4.0, 0.0))
    results = run(m.model, method="dop853", **AT_ONCE)
    load = 0.2 * (abs(7.0 + 6.0) + abs(7.0 - 6.0))  # 14/2 +- 4 0.15/(2 0.05)
    s = hypot(0.3, 0.4)
    assert results["rub.normal_force"][0] == pytest.approx(load / 0.2, abs=1e-9)
    assert results["rub.force_z"][0] == pytest.approx(-load * 0.3 / s, abs=1e-9)
    assert results["rub.torque_z"][0] == pytest.approx(-load * 0.02 * 0.4 / s, abs=1e-9)
    assert results["rub.power"][0] == pytest.approx(-load * s, abs=1e-9)


def test_a_joint_that_cannot_rub_and_a_thread_without_radius_are_told():
    m = Mechanism("cross", 3)
    m.body((0, 0, 0), mass=1.0, inertia=(1, 1, 1, 0, 0, 0), id="b")
    m.weld("ground", "b", (0, 0, 0), id="cross")
    m.screw("ground", "b", (0, 0, 0), id="thread")
    for joint, words in (
        ("cross", "'rub' needs a pin, a slider"),
        ("thread", "The thread of 'thread' needs a radius"),
    ):
        rub = JointFriction(id="rub", joint=joint, radius=0.0)
        assert words in problems(put(m.model, rub))[0].sentence
