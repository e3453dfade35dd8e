"""Tops, gyroscopes and bodies in free flight against their closed forms."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import ellipk

from engine.model.elements import put
from engine.running.simulate import run
from rotations import quaternion
from tests.example_runs import changed, letters, model_of_file, place, ran, weighed

G = 9.81
REST = 0.16  # height of the tip of a top [m]


def turn_z(angle):
    """Vectors (n, 2) of the unit circle."""
    return np.column_stack([np.cos(angle), np.sin(angle)])


# --- tops


@pytest.mark.parametrize("name", ["spherical_pendulum", "spinning_top", "top_with_nutation"])
def test_the_momentum_about_the_vertical_stays(name):
    L = ran(name)["angular_momentum_z"]
    assert np.ptp(L) < 1e-6 * np.abs(L).max()  # RK4; a top turns by 4 degrees in a step


def test_the_steady_top_draws_a_circle_with_the_slow_root():
    results = ran("spinning_top")
    m, l, J1, J3, spin, lean = letters(results, "m", "l", "J1", "J3", "spin", "lean")
    # J1 cos(lean) W^2 - J3 spin W + m g l = 0
    slow = np.roots([J1 * np.cos(lean), -J3 * spin, m * G * l]).min()
    assert slow == pytest.approx(m * G * l / (J3 * spin), rel=0.05)  # what holds for fast tops
    head = 0.152 * np.column_stack(
        [np.sin(lean) * turn_z(slow * results.t), np.full(len(results.t), np.cos(lean))]
    )
    np.testing.assert_allclose(
        place(results, "head.") - (0, 0, REST), head, atol=1e-6
    )  # RK4, 4 degrees a step
    assert np.ptp(results["top.angular_velocity_z_body"]) < 1e-9 * spin  # no moment about its axis


def test_the_fast_root_is_steady_too():
    m, l, J1, J3, spin, lean = letters(ran("spinning_top"), "m", "l", "J1", "J3", "spin", "lean")
    W = np.roots([J1 * np.cos(lean), -J3 * spin, m * G * l]).max()
    results = run(changed("spinning_top", precession=float(W)), t_end=0.5, step=2e-4)
    np.testing.assert_allclose(results["head.z"] - REST, 0.152 * np.cos(lean), atol=1e-6)
    found = np.unwrap(np.arctan2(results["head.y"], results["head.x"]))
    np.testing.assert_allclose(found, W * results.t, atol=1e-4)  # RK4


def nodding(J1, a, mgl, u0):
    """The cubic u_dot^2 = f(u), u = cos(lean), of a top let go at u0, and its roots in order."""
    # u_dot^2 = (u0 - u) ((2 m g l / J1) (1 - u^2) - a^2 (u0 - u)),    a = J3 spin / J1
    b = 2 * mgl / J1
    fall = np.poly1d([-b, a**2, b - a**2 * u0])
    return fall * np.poly1d([-1.0, u0]), np.sort(np.append(fall.roots.real, u0))


def test_the_top_nods_between_two_levels_in_a_period_of_elliptic_integrals():
    results = ran("top_with_nutation")
    m, l, J1, J3, spin, lean = letters(results, "m", "l", "J1", "J3", "spin", "lean")
    f, (low, high, beyond) = nodding(J1, J3 * spin / J1, m * G * l, np.cos(lean))
    u, u_dot = (results["head.z"] - REST) / 0.152, results["head.vz"] / 0.152
    np.testing.assert_allclose(u_dot**2, f(u), atol=1e-5)  # RK4; u_dot goes up to 1
    assert u.max() <= high + 1e-7 and u.min() == pytest.approx(low, abs=1e-4)  # frames are apart
    # u_dot^2 = b (u - low) (high - u) (beyond - u):  T = 4 K / sqrt(b (beyond - low))
    b = 2 * m * G * l / J1
    period = 4 * ellipk((high - low) / (beyond - low)) / np.sqrt(b * (beyond - low))
    rising = np.flatnonzero((u_dot[:-1] < 0) & (u_dot[1:] >= 0))
    assert len(rising) > 10
    part = u_dot[rising] / (u_dot[rising] - u_dot[rising + 1])
    lowest = results.t[rising] + part * np.diff(results.t)[rising]
    np.testing.assert_allclose(np.diff(lowest), period, rtol=2e-3)  # straight lines between frames


def test_the_nodding_top_stops_in_its_cusps():
    results = ran("top_with_nutation")
    J1, J3, spin, lean = letters(results, "J1", "J3", "spin", "lean")
    x, y, u = (place(results, "head.") - (0, 0, REST)).T / 0.152
    vx, vy = results["head.vx"] / 0.152, results["head.vy"] / 0.152
    across = 1 - u**2
    precession = (x * vy - y * vx) / across
    # W = J3 spin (cos(lean) - u) / (J1 sin^2):  none at the upper level, never backwards
    expected = J3 * spin * (np.cos(lean) - u) / (J1 * across)
    np.testing.assert_allclose(precession, expected, atol=1e-5 * expected.max())
    assert precession.min() > -1e-4 * precession.max()


def tilt(results):
    """The angle between the axis of the top and the vertical."""
    return np.arctan2(np.hypot(results["head.x"], results["head.y"]), results["head.z"] - REST)


def test_the_sleeping_top_wakes_when_its_spin_falls_below_the_limit():
    results = ran("sleeping_top")
    m, l, J1, J3, spin, drag = letters(results, "m", "l", "J1", "J3", "spin", "drag")
    w = results["top.angular_velocity_z_body"]
    np.testing.assert_allclose(w, spin - drag / J3 * results.t, atol=1e-9 * spin)
    limit = 2 * np.sqrt(m * G * l * J1) / J3
    waking = (spin - limit) * J3 / drag
    assert 3.0 < waking < results.t[-1] - 1.0
    lean = np.degrees(tilt(results))
    assert lean[results.t < waking].max() < 2.5 and lean[results.t > waking].max() > 45.0


@pytest.mark.parametrize("share", [1.1, 0.9])
def test_near_the_limit_the_sleeping_top_follows_its_linear_equation(share):
    m, l, J1, J3 = letters(ran("sleeping_top"), "m", "l", "J1", "J3")
    spin = share * 2 * np.sqrt(m * G * l * J1) / J3
    results = run(changed("sleeping_top", spin=float(spin), drag=0.0), t_end=0.5)
    # z = x + i y of the axis:  J1 z'' - i J3 spin z' - m g l z = 0,  z' = 0 at the start
    r1, r2 = np.roots([J1, -1j * J3 * spin, -m * G * l])
    assert (np.abs(np.real([r1, r2])).max() < 1e-6) == (share > 1.0)  # stable above the limit
    z0, t = np.sin(np.radians(0.5)), results.t
    z = z0 * (r2 * np.exp(r1 * t) - r1 * np.exp(r2 * t)) / (r2 - r1)
    found = (results["head.x"] + 1j * results["head.y"]) / 0.152
    # terms of third order are left out: they are smaller by the square of the tilt
    np.testing.assert_allclose(found, z, atol=4 * np.abs(z).max() ** 3)


def test_the_bicycle_wheel_walks_around_level():
    results = ran("bicycle_wheel")
    m, l, J3, spin = letters(results, "m", "l", "J3", "spin")
    circle = 0.32 * turn_z(m * G * l / (J3 * spin) * results.t)
    expected = np.column_stack([circle, np.full(len(results.t), 0.6)])
    np.testing.assert_allclose(place(results, "axle_end."), expected, atol=1e-6)  # RK4


def test_the_thrown_pendulum_swings_between_the_roots_of_its_cubic():
    results = ran("spherical_pendulum")
    bob = weighed(results, "bob")
    arm, J3, u0 = -bob.center[2], bob.inertia[2][2], -np.cos(np.radians(50.0))
    J1 = bob.inertia[0][0] + bob.mass * arm**2
    (push,) = letters(results, "push")
    w3 = push * np.cos(np.radians(50.0))
    L = J1 * push * (1 - u0**2) + J3 * w3 * -u0
    E = 0.5 * J1 * push**2 * (1 - u0**2) + bob.mass * G * arm * u0
    u, u_dot = results["middle.z"] - 1.2, results["middle.vz"]
    # J1 u_dot^2 / 2 = (E - m g l u) (1 - u^2) - (L - J3 w3 c)^2 / (2 J1),    c = -u
    f = 2 / J1 * (E - bob.mass * G * arm * u) * (1 - u**2) - ((L + J3 * w3 * u) / J1) ** 2
    np.testing.assert_allclose(u_dot**2, f, atol=1e-8 * np.abs(f).max())  # RK4
    assert np.ptp(u) > 0.1


# --- gyroscopes


def test_the_gyroscope_precesses_under_its_weight():
    results = ran("gyroscope_in_gimbals")
    (spin,) = letters(results, "spin")
    expected = 1.0 * 0.1 / (weighed(results, "rotor").inertia[0][0] * spin)
    mean = abs(results["yaw.angle"][-1] - results["yaw.angle"][0]) / results.t[-1]
    assert mean == pytest.approx(expected, rel=0.02)  # nutation is left after averaging
    assert np.abs(results["pitch.angle"]).max() < 0.02


def test_the_angles_of_the_rotor_are_those_of_the_rings_and_stop_in_the_lock():
    results = ran("gimbal_lock")
    for n, joint in enumerate(("yaw", "pitch", "spin_bearing"), 1):
        angle = results[f"rotor.euler_3-2-1_{n}"]
        np.testing.assert_allclose(
            angle, results[f"{joint}.angle"], atol=1e-6
        )  # RK4, near the lock
    assert [event.kind for event in results.events] == ["gimbal amber", "gimbal red"]
    assert results.ending.ids == ("rotor",) and "quaternions" in results.ending.sentence
    assert 4.0 < results.t[-1] < 4.5


def test_with_quaternions_the_rotor_goes_through_the_lock_and_whirls_the_rings():
    model = model_of_file("gimbal_lock")
    results = run(put(model, replace(model["rotor"], parameters="quaternion")))
    assert results.ending.reason == "done" and not results.events
    outer, inner, rotor = (
        np.array(weighed(results, body).inertia) for body in ("outer_ring", "inner_ring", "rotor")
    )
    # the moment about z is zero at the start and stays so; J3 spin stays along the rotor
    c, s = np.cos(results["pitch.angle"]), np.sin(results["pitch.angle"])
    J = outer[2, 2] + (inner[2, 2] + rotor[2, 2]) * c**2 + inner[0, 0] * s**2
    (spin,) = letters(results, "spin")
    expected = rotor[0, 0] * spin * s / J
    np.testing.assert_allclose(results["yaw.angle_rate"], expected, atol=1e-5 * expected.max())
    assert results["pitch.angle"][-1] == pytest.approx(np.pi / 2, abs=1e-12)


# --- free flight


def test_the_nut_flips_in_a_period_of_elliptic_integrals():
    results = ran("dzhanibekov_nut")
    w = results["nut.angular_velocity_z_body"]
    assert w.min() < -5.9 and w.max() > 5.9
    for axis in "xyz":
        assert np.ptp(results[f"angular_momentum_{axis}"]) < 1e-9
    J = np.diag(weighed(results, "nut").inertia)
    w0 = np.array([0.01, 0.01, 6.0])
    (J1, J2, J3), order = np.sort(J), np.argsort(J)
    assert order[1] == 2  # it turns about its middle axis
    E, L = J @ w0**2, (J * w0) @ (J * w0)  # twice the energy, the square of the momentum
    if L < E * J2:
        J1, J3 = J3, J1
    rate = np.sqrt((J3 - J2) * (L - E * J1) / (J1 * J2 * J3))
    m = (J2 - J1) * (E * J3 - L) / ((J3 - J2) * (L - E * J1))
    over = np.flatnonzero(np.sign(w[:-1]) != np.sign(w[1:]))
    flips = results.t[over] + w[over] / (w[over] - w[over + 1]) * np.diff(results.t)[over]
    assert len(flips) >= 3
    # frames are 10 ms apart, and w is bent: a flip takes about 1 s
    np.testing.assert_allclose(np.diff(flips), 2 * ellipk(m) / rate, rtol=1e-5)


def test_the_nut_turns_alike_in_quaternions_and_euler_angles():
    model = model_of_file("dzhanibekov_nut")
    reference = run(model, t_end=0.2)
    for sequence in ("1-2-3", "3-2-1", "2-3-1"):
        results = run(model, t_end=0.2, orientation=sequence)
        np.testing.assert_allclose(
            results["nut.angular_velocity_z_body"],
            reference["nut.angular_velocity_z_body"],
            atol=1e-9,
        )


def test_the_helicopter_flies_a_circle_and_is_warned_at_every_vertical():
    results = ran("looping_helicopter")
    v, w = letters(results, "speed", "turning")
    a, bank = w * results.t, np.radians(0.5)
    x, up = v / w * np.sin(a), v / w * (1 - np.cos(a))
    path = np.column_stack([x, -np.sin(bank) * up, np.cos(bank) * up])
    np.testing.assert_allclose(place(results, "path."), path, atol=1e-5)  # RK4 near the lock
    # R = R1(bank) R2(-a):  the nose is (cos a, -sin bank sin a, cos bank sin a)
    pitch = -np.arcsin(np.cos(bank) * np.sin(a))
    yaw = np.unwrap(np.arctan2(-np.sin(bank) * np.sin(a), np.cos(a)))
    np.testing.assert_allclose(results["helicopter.euler_3-2-1_2"], pitch, atol=1e-6)
    np.testing.assert_allclose(results["helicopter.euler_3-2-1_1"], yaw, atol=1e-5)
    assert [event.kind for event in results.events] == ["gimbal amber", "gimbal red"] * 4
    assert results["gimbal_measure"].min() == pytest.approx(np.sin(bank), rel=0.02)


def test_the_satellite_points_where_its_wheels_send_it():
    results = ran("satellite")
    yaw, roll, T, J = letters(results, "yaw", "roll", "T", "J_yaw")
    t = results.t[results.t <= T]
    angle = yaw * (t / T - np.sin(2 * np.pi * t / T) / (2 * np.pi))
    found = 2 * np.arctan2(results["hub.q3"], results["hub.q0"])[: len(t)]
    np.testing.assert_allclose(found, angle, atol=1e-9)  # RK4
    rate = yaw / T * (1 - np.cos(2 * np.pi * t / T))
    wheel = weighed(results, "yaw_wheel").inertia[2][2]
    motor = results["yaw_bearing.angle_rate"][: len(t)]
    np.testing.assert_allclose(motor, -rate * (J / wheel + 1), atol=1e-6)
    end = np.array([results[f"hub.q{n}"][-1] for n in range(4)])
    first, second = (
        (np.cos(yaw / 2), 0, 0, np.sin(yaw / 2)),
        (np.cos(roll / 2), np.sin(roll / 2), 0, 0),
    )
    np.testing.assert_allclose(end, quaternion.product(first, second), atol=1e-8)
    for axis in "xyz":
        assert np.abs(results[f"angular_momentum_{axis}"]).max() < 1e-8 * J * rate.max()  # RK4
    assert results["kinetic_energy"][-1] < 1e-12 * results["kinetic_energy"].max()
