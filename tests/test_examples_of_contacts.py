"""Examples with contacts, friction, air and states of forces show the physics they are there for."""

import numpy as np
import pytest

from engine.studies.archard import archard
from tests.example_runs import ran

G = 9.81


def test_the_pendulum_in_the_wind_comes_to_rest_where_drag_and_weight_lean_it():
    results = ran("pendulum_in_the_wind")
    drag = 0.5 * 1.2 * 0.1 * 10.0**2
    # the swing decays with at least rho c_d A w / 2m = 0.6 per second: 1e-5 after 18 s
    assert results["hinge.angle"][-1] == pytest.approx(np.arctan(drag / (1.0 * G)), abs=1e-4)
    assert results["drag.force_x"][-1] == pytest.approx(drag, rel=1e-3)


def test_one_weight_creeps_by_its_damper_and_the_other_settles_on_its_spring():
    results = ran("maxwell_creep")
    weight = 2.0 * G
    assert -results["creeps.vy"][-1] == pytest.approx(weight / 100.0, rel=1e-3)
    # the oscillation decays, and the damper relaxes to the spring beside it within c (1/k + 1/k_2) = 0.75 s
    assert -results["settles.y"][-1] == pytest.approx(weight / 200.0, rel=1e-2)
    assert results["solid_settles.creep"][-1] == pytest.approx(weight / 200.0, rel=1e-2)


def test_the_current_of_the_motor_peaks_and_its_speed_is_what_the_voltage_allows():
    results = ran("motor_spin_up")
    current, speed = results["motor.current"], results["shaft.angle_rate"]
    assert current.max() == pytest.approx(9.759350638449, abs=1e-2)  # between frames of 1 ms
    assert results.t[current.argmax()] == pytest.approx(0.012466969888, abs=5e-4)
    assert speed[-1] == pytest.approx(239.043706044067, abs=1e-5)


def test_each_ball_bounces_with_its_own_restitution():
    results = ran("bouncing_balls")
    for n, r in enumerate((0.9, 0.7, 0.4)):
        y = results[f"ball_{n + 1}.y"] - 0.1
        met = [
            e.t for e in results.events if e.ids == (f"floor_{n + 1}",) and "touch" in e.sentence
        ]
        falls = np.sqrt(2 * 0.9 / G)
        assert met[0] == pytest.approx(falls, abs=1e-6)
        between = (results.t > met[0]) & (results.t < met[1])
        # the height is restitution squared, less what frames of 10 ms miss
        assert y[between].max() == pytest.approx(0.9 * r * r, rel=5e-3)


def test_the_disc_rolls_with_two_thirds_of_its_speed():
    results = ran("ball_begins_to_roll")
    assert results["disc.vx"][-1] == pytest.approx(4 / 3, abs=2e-3)
    assert abs(results["floor.sliding_speed"][-1]) < 2e-3
    slides = results.t[np.abs(results["floor.sliding_speed"]) > 2e-2].max()
    assert slides == pytest.approx(2.0 / (3 * 0.2 * G), abs=5e-3)


def test_a_drawer_that_is_pulled_beside_its_middle_jams_from_b_over_c_on():
    results = ran("drawer_that_jams")
    t, x = results.t, results["guide_comes.displacement"]
    # F (1 - mu c/b)/m with F = 10 N, c = 0.15 m, b = 0.1 m: 2 m/s^2, and -1 m/s^2 until it stands
    np.testing.assert_allclose(x, 0.5 * t + t * t, atol=1e-6)
    still = results["guide_jams.displacement_rate"][t > 0.51]
    creeps = 1e-4 * np.arctanh(1.0 / 1.2)  # where friction is as large as the pull
    np.testing.assert_allclose(still, creeps, atol=1e-6)
    assert results["guide_jams.displacement"][-1] == pytest.approx(0.125, abs=5e-5)


def test_one_block_hangs_still_on_the_slope_and_the_other_slides():
    results = ran("block_on_a_slope")
    assert results["sticks.speed"][-1] < 1e-9
    tilt = np.radians(15.0)
    path = 0.5 * G * (np.sin(tilt) - 0.2 * np.cos(tilt))
    moved = np.hypot(*(results[f"slides.{c}"][-1] - results[f"slides.{c}"][0] for c in "xy"))
    assert moved == pytest.approx(path, abs=3e-3)


def test_a_loose_pin_knocks_within_its_clearance():
    results = ran("loose_wrist_pin")
    assert results.ending.reason == "done"
    l, r, angle = 0.12, 0.05, results["main_bearing.angle"] + np.radians(60.0)
    ideal = r * np.cos(angle) + np.sqrt(l**2 - (r * np.sin(angle)) ** 2)
    off = np.abs(results["piston.x"] - ideal)
    assert 4e-4 < off.max() < 5.6e-4  # the clearance, and what the pin is pressed in
    assert results["wrist_pin.depth"].max() < 5e-5
    knocks = [e for e in results.events if "'wrist_pin' touch" in e.sentence]
    assert len(knocks) > 5
    np.testing.assert_allclose(results["energy_drift"], 0.0, atol=1e-6)


def test_a_point_in_a_ring_bounces_at_equal_times():
    hits = [event.t for event in ran("point_in_a_ring").events]
    # half the chord 2 sqrt(1 - L^2), with L = 0.9397 m^2/s: 1.7655 m at 2 m/s
    np.testing.assert_allclose(np.diff(hits), 1.7654964679774 / 2, atol=1e-7)
    assert hits[0] == pytest.approx(0.3558690811629, abs=1e-7)


def test_a_rope_goes_slack_at_120_degrees_and_is_taut_at_the_bottom():
    results = ran("rope_that_goes_slack")
    slack, taut, *_ = [event.t for event in results.events]
    assert slack == pytest.approx(0.4819942834614, abs=1e-6)
    n = int(np.searchsorted(results.t, taut))
    assert results["weight.y"][n] == pytest.approx(-1.0, abs=1e-3)  # a frame later
    flies = (results.t > slack) & (results.t < taut)
    assert (results["rope.force"][flies] == 0.0).all()


def test_a_mass_on_a_belt_sticks_and_slips_with_the_period_of_the_closed_form():
    slips = [event.t for event in ran("stick_slip_on_a_belt").events if event.kind == "slip"]
    np.testing.assert_allclose(np.diff(slips), 0.7278369627704, atol=1e-6)


def test_a_cam_that_is_too_fast_is_left_by_its_follower_in_every_turn():
    results = ran("cam_that_loses_its_follower")
    w, e, stiffness, mass, preload = 125.0, 0.01, 2000.0, 0.5, 20.0
    load = mass * G + preload + stiffness * (e - e * np.cos(w * results.t))
    load += mass * e * w**2 * np.cos(w * results.t)  # of a follower that stays on the cam
    parts = [event.t for event in results.events if event.kind == "leave"]
    first = results.t[np.argmax(load < 0.0)]
    assert parts[0] == pytest.approx(first, abs=2e-3)  # it is pressed in by its damping
    turns = np.array(parts)[:, None] * w // (2 * np.pi)
    assert set(turns.ravel().tolist()) == {0.0, 1.0, 2.0}
    assert (results["touch.normal_force"] >= 0.0).all()


def test_a_wheel_leaves_the_road_behind_a_bump_and_lands_again():
    results = ran("swing_arm_suspension")
    assert [event.kind for event in results.events] == ["leave", "touch"]
    load = results["tyre.normal_force"]
    before = (results.t > 0.2) & (results.t < 0.25)  # it is set down, and rests on the tyre then
    np.testing.assert_allclose(load[before].mean(), 340.0 * G, rtol=0.08)
    leaves, lands = (event.t for event in results.events)
    in_air = (results.t > leaves) & (results.t < lands)
    assert (load[in_air] == 0.0).all() and in_air.sum() > 20
    gap = results["wheel.y"] - 0.3 - 0.08 * np.exp(-(((10 * results.t - 3.4) / 0.2) ** 2))
    assert gap[in_air].max() > 0.02


def test_printed_gears_turn_and_wear_as_in_the_study():
    results = ran("pla_gear_pair")
    # rigid wheels without friction would reach 36.859 rad/s
    assert results["gear_1.angular_velocity"][-1] == pytest.approx(36.786, abs=0.01)
    assert results["gear_2.angular_velocity"][-1] == pytest.approx(-73.572, abs=0.02)
    assert results["mesh.work"][-1] == pytest.approx(-0.00033559, abs=5e-6)  # and what teeth damp
    np.testing.assert_allclose(results["energy_drift"], 0.0, atol=1e-5)


def test_a_knee_carries_and_slides_as_in_the_study_of_it():
    results = ran("knee_in_a_squat")
    t = results.t - 0.5
    sides = {name: results[f"{name}.normal_force"] for name in ("medial", "lateral")}
    # two models, of which one has a pelvis of 0.5 kg: they agree to a few percent
    for N in sides.values():
        assert N[t == 0.0] == pytest.approx(1.07e3, rel=0.03)
        assert N[1250] == pytest.approx(3.5e3, rel=0.03)  # bent by 120 degrees
        assert N[-1] == pytest.approx(1.06e3, rel=0.03)
    np.testing.assert_allclose(sides["medial"], sides["lateral"], rtol=1e-3)
    v = np.abs(results["medial.sliding_speed"][t >= 0.0])
    assert v.mean() == pytest.approx(47.8e-3, rel=0.03)
    assert v.max() == pytest.approx(80e-3, rel=0.03)
    # the published law with the sliding speed of this model: 20.0e-6 mm^3 in the study
    t = t[t >= 0.0]
    force = 0.0575 * 800.0 * np.polyval((0.7702, 0.554, 1.6244, 1.0311), t)
    rolls = np.polyval((-0.111667, 0.3631732, 0.02378365, 1.137558), t)
    worn = archard(t, force, v, 1.3e-15, sliding=rolls)[-1] * 1e9
    assert worn == pytest.approx(20.0e-6, rel=0.03)


def test_a_geneva_wheel_turns_by_a_quarter_and_is_fastest_halfway():
    results = ran("geneva_wheel")
    ratio = results["wheel.angular_velocity"] / (2.0 * np.pi)
    angle = np.degrees(results["crank.angle"])
    # seen from the wheel the pin is in the direction b: tan b = sin a/(sqrt 2 - cos a), and it has a play
    # of 0.1 mm in its slot, at least 20.7 mm from the axle: 0.3 degrees
    inside = np.abs(angle) < 44.0
    a = np.radians(angle[inside])
    b = np.degrees(np.arctan2(np.sin(a), np.sqrt(2.0) - np.cos(a)))
    turned = np.degrees(results["wheel.angle"])
    np.testing.assert_allclose(turned[inside], 45.0 - b, atol=0.4)
    assert ratio.max() == pytest.approx(2.414213562, rel=0.01)
    assert turned[-1] == pytest.approx(90.0, rel=0.02)
    assert np.abs(ratio[angle > 46.0]).max() < 1e-12
