"""Spatial linkages, shafts, platforms and machines against their closed forms."""

import json
from pathlib import Path

import numpy as np
import pytest

from assets.examples_of_linkages import BRICARD_ANGLE
from engine.running.simulate import run
from tests.example_runs import changed, letters, place, ran, weighed

G = 9.81
DATA = Path(__file__).parent / "data" / "problems"


def test_the_spatial_slider_follows_its_closed_form_over_turns():
    results = ran("spatial_slider_crank")
    (speed,) = letters(results, "speed")
    r, c, length = 0.2, 0.35, 0.65
    s = np.sqrt(length**2 - r**2 - c**2 + 2 * r * c * np.cos(speed * results.t))
    np.testing.assert_allclose(results["slider.z"], s, atol=1e-12)  # kinematics is exact
    rate = -r * c * speed * np.sin(speed * results.t) / s
    np.testing.assert_allclose(results["slider.vz"], rate, atol=1e-11)
    assert speed * results.t[-1] > 4 * np.pi


def hooke(a, bend):
    """The ratio of the speeds of two shafts at the angle a of the driving one."""
    return np.cos(bend) / (1 - np.sin(bend) ** 2 * np.sin(a) ** 2)


def test_the_output_shaft_ripples_as_hooke_says():
    results = ran("universal_joint_shaft")
    (speed,) = letters(results, "speed")
    ratio = -results["driven.angular_velocity_z_body"] / speed
    np.testing.assert_allclose(ratio, hooke(speed * results.t, np.pi / 6), atol=1e-9)
    assert ratio.max() == pytest.approx(1 / np.cos(np.pi / 6), rel=5e-3)  # frames are 0.1 rad apart


def test_a_constant_velocity_joint_passes_the_speed_on_where_a_universal_joint_ripples():
    results, universal = ran("constant_velocity_shaft"), ran("universal_joint_shaft")
    (speed,) = letters(results, "speed")
    ratio = results["driven.angular_velocity_z_body"] / speed
    np.testing.assert_allclose(ratio, 1.0, atol=1e-12)  # kinematics is exact
    rippling = -universal["driven.angular_velocity_z_body"] / speed
    # from cos(b) to 1 / cos(b); frames are 0.1 rad apart
    assert np.ptp(rippling) == pytest.approx(1 / np.cos(np.pi / 6) - np.cos(np.pi / 6), rel=2e-2)


def test_two_universal_joints_cancel_the_ripple():
    results = ran("double_universal_shaft")
    (speed,) = letters(results, "speed")
    middle = results["middle.angular_velocity_z_body"] / speed
    np.testing.assert_allclose(middle, hooke(speed * results.t, np.pi / 6), atol=1e-9)
    np.testing.assert_allclose(results["outlet.angle"], speed * results.t, atol=1e-9)
    np.testing.assert_allclose(results["outlet.displacement"], 0.0, atol=1e-12)


def test_the_screw_ties_the_ram_to_the_flywheel_and_slows_its_fall():
    results = ran("screw_press")
    drop = results["ram.z"] - results["ram.z"][0]
    np.testing.assert_allclose(drop, 0.04 / (2 * np.pi) * results["thread.angle"], atol=1e-12)
    assert np.abs(results["thread.angle"]).max() > 2 * np.pi  # more than a turn: turns are counted
    wheel = weighed(results, "flywheel")
    mass = wheel.mass + 20.0
    a = mass * G / (mass + wheel.inertia[2][2] * (2 * np.pi / 0.04) ** 2)
    free = drop > -0.19  # the spring begins after 0.2 m
    first = slice(0, np.argmin(free))
    (spin,) = letters(results, "spin")
    t = results.t[first]
    fall = -spin * 0.04 / (2 * np.pi) * t - a / 2 * t**2
    np.testing.assert_allclose(drop[first], fall, atol=1e-11)
    assert drop.min() < -0.22 and drop[-1] > -0.1  # it meets the workpiece and comes back


@pytest.mark.parametrize("values", [{}, {"radius": 0.05, "heave": 0.08, "yaw": 0.3}])
def test_the_platform_goes_where_its_legs_are_told(values):
    name = "stewart_platform"
    results = run(changed(name, **values), t_end=1.0) if values else ran(name)
    radius, heave, yaw = letters(results, "radius", "heave", "yaw")
    t = results.t
    path = np.column_stack(
        [
            radius * np.sin(np.pi * t),
            radius * (1 - np.cos(np.pi * t)),
            0.6 + heave * np.sin(2 * np.pi * t),
        ]
    )
    np.testing.assert_allclose(place(results, "middle."), path, atol=1e-11)
    half = yaw * np.sin(np.pi * t) / 2
    np.testing.assert_allclose(results["platform.q0"], np.cos(half), atol=1e-11)
    np.testing.assert_allclose(results["platform.q3"], np.sin(half), atol=1e-11)


def test_neighbouring_hinges_of_the_bricard_loop_keep_their_relation():
    results = ran("bricard_loop")
    theta = BRICARD_ANGLE + results["hinge_0.angle"]
    phi = np.arccos(-np.cos(BRICARD_ANGLE) / (1 + np.cos(BRICARD_ANGLE)))
    phi = phi + results["hinge_1.angle"]
    gap = np.cos(theta) + np.cos(phi) + np.cos(theta) * np.cos(phi)
    assert np.abs(gap).max() < 1e-9  # joints are closed to 1e-12, magnified near singular poses
    for n in (2, 4):
        np.testing.assert_allclose(results[f"hinge_{n}.angle"], results["hinge_0.angle"], atol=1e-7)
    assert np.ptp(theta) > 0.5


def test_the_governor_follows_the_reference():
    results = ran("governor")
    reference = json.loads((DATA / "f_flyball.json").read_text(encoding="utf-8"))
    times, heights = np.array(reference["times"]), np.ravel(reference["values"])
    seen = times <= results.t[-1] + 1e-9
    frames = [results.frame_at(t) for t in times[seen]]
    np.testing.assert_allclose(results["slider.z"][frames], heights[seen], atol=1e-8)
    assert len(frames) > 40
    # nothing turns the shaft: the momentum about it stays
    assert np.ptp(results["angular_momentum_z"]) < 1e-9 * results["angular_momentum_z"][0]
