"""Every model of the gallery runs, and shows the physics it is there for."""

import json

import numpy as np
import pytest

from assets.make_examples import EXAMPLES, FOLDER, model_of
from engine.compiling.checks import problems
from engine.compiling.system import compile_model
from engine.files.model_files import dumps, loads
from engine.kinematics.assemble import assemble
from engine.kinematics.mobility import mobility
from engine.results.balance import balance_of
from engine.running.simulate import run
from engine.studies.archard import archard
from tests.example_runs import STOPPED, model_of_file, ran

G = 9.81
CONSERVATIVE = (
    "point_pendulum",
    *("pendulum", "double_pendulum", "double_pendulum_small", "triple_pendulum"),
    *("rod_with_spring", "four_bar", "rolling_disc", "knife_edge_sled", "spherical_pendulum"),
    *("spinning_top", "top_with_nutation", "bicycle_wheel", "dzhanibekov_nut"),
    *("spatial_four_bar", "screw_press", "bricard_loop", "six_body_tree", "flexible_pendulum"),
    "two_substructures",
)
CONTACTS = (  # shapes meet within steps
    *("bouncing_balls", "ball_begins_to_roll", "block_on_a_slope"),
    *("pla_gear_pair", "loose_wrist_pin", "geneva_wheel", "knee_in_a_squat"),
    *("cam_that_loses_its_follower", "swing_arm_suspension", "dominoes", "discs_in_a_box"),
    *("point_in_a_ring", "rope_that_goes_slack", "stick_slip_on_a_belt"),
)
# where friction takes hold or shapes meet within a step: the error there is not of the order of the method
ROUGH = ("drawer_that_jams", *CONTACTS)
# stiff dampers: the order of Heun shows at this part of the step that RK4 takes
SHORT = {"governor": 1 / 16, "car_suspension": 1 / 2}
MOBILITY = {  # degrees of freedom and redundant rows
    **dict.fromkeys(("pendulum", "rod_with_spring", "rod_with_damper", "four_bar"), (1, 0)),
    **dict.fromkeys(("double_pendulum", "double_pendulum_small", "crane_trolley"), (2, 0)),
    **dict.fromkeys(("triple_pendulum", "spherical_pendulum", "spinning_top"), (3, 0)),
    **dict.fromkeys(("top_with_nutation", "sleeping_top", "bicycle_wheel"), (3, 0)),
    **dict.fromkeys(("slider_crank", "quick_return", "scotch_yoke", "jansen_leg"), (0, 0)),
    **dict.fromkeys(("cam_follower", "constant_velocity_shaft", "walking_figure"), (0, 0)),
    **dict.fromkeys(("gear_train", "rolling_disc", "rheonomic_pendulum"), (1, 0)),
    **dict.fromkeys(
        ("pendulum_in_the_wind", "motor_spin_up", "geneva_wheel", "screw_press"), (1, 0)
    ),
    **dict.fromkeys(
        ("cam_that_loses_its_follower", "stick_slip_on_a_belt", "rope_that_goes_slack"), (1, 0)
    ),
    **dict.fromkeys(("knife_edge_sled", "maxwell_creep", "drawer_that_jams"), (2, 0)),
    **dict.fromkeys(("car_suspension", "pla_gear_pair", "loose_wrist_pin"), (2, 0)),
    **dict.fromkeys(("point_pendulum", "bead_on_a_rotating_wire", "flexible_pendulum"), (1, 0)),
    **dict.fromkeys(("point_on_a_moving_surface", "gimbal_lock", "point_in_a_ring"), (2, 0)),
    **dict.fromkeys(("car_driven_by_a_steering_law", "disc_that_rolls_by_a_law_of_speed"), (1, 0)),
    "bouncing_balls": (9, 0),
    **dict.fromkeys(("ball_begins_to_roll", "beam_flying_free", "tuning_fork"), (3, 0)),
    "block_on_a_slope": (6, 0),
    "dominoes": (27, 0),
    "discs_in_a_box": (36, 0),
    "knee_in_a_squat": (5, 0),
    "swing_arm_suspension": (3, 0),
    "gyroscope_in_gimbals": (3, 0),
    **dict.fromkeys(("dzhanibekov_nut", "looping_helicopter", "six_body_tree"), (6, 0)),
    "satellite": (8, 0),
    "spatial_four_bar": (1, 3),
    **dict.fromkeys(("spatial_slider_crank", "stewart_platform", "robot_arm_in_plane"), (0, 0)),
    **dict.fromkeys(("universal_joint_shaft", "double_universal_shaft"), (0, 0)),
    "bricard_loop": (1, 1),
    **dict.fromkeys(("governor", "crane_with_a_bending_jib"), (4, 0)),
    "robot_arm_in_space": (3, 0),
    "chain_of_100_links": (100, 0),
    **dict.fromkeys(("flexible_slider_crank", "spin_up_beam", "cantilever"), (0, 0)),
    **dict.fromkeys(("flexible_four_bar", "flexible_robot_arm", "two_substructures"), (0, 0)),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_file_is_what_the_script_writes(name):
    text = (FOLDER / f"{name}.json").read_text(encoding="utf-8")
    assert _agree(json.loads(text), json.loads(dumps(model_of(EXAMPLES[name]))))
    assert dumps(loads(text)) == text


def _agree(a, b, size=0.0):
    """Whether raw data is the same but for the twelfth digit, in a list of the largest number there.

    Files hold twelve digits; the processor decides which way a number half-way between two goes.
    """
    if isinstance(a, dict):
        return list(a) == list(b) and all(_agree(a[key], b[key]) for key in a)
    if isinstance(a, list):
        sizes = [abs(x) for x in a if isinstance(x, float)]
        largest = max(sizes, default=0.0)
        return len(a) == len(b) and all(_agree(x, y, largest) for x, y in zip(a, b))
    if isinstance(a, float):
        return isinstance(b, float) and abs(a - b) <= 1e-11 * max(abs(a), size)
    return type(a) is type(b) and a == b


def test_a_changed_number_is_noticed():
    for element in json.loads((FOLDER / "four_bar.json").read_text())["elements"]:
        for key, value in element.items():
            other = {**element, key: _changed(value)}
            assert _agree(element, dict(element)) and not _agree(element, other), (element, key)


def _changed(value):
    """Raw data with its first number another in the tenth digit, or another text."""
    if isinstance(value, list):
        return [_changed(value[0]), *value[1:]]
    if isinstance(value, dict):
        key = next(iter(value))
        return {**value, key: _changed(value[key])}
    return value + 1e-10 * (1 + abs(value)) if isinstance(value, float) else f"{value}!"


def test_no_other_files_lie_in_the_gallery():
    assert {path.stem for path in FOLDER.glob("*.json")} == set(EXAMPLES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_mobility_is_as_designed(name):
    found = mobility(compile_model(model_of_file(name)))
    assert (found.dof, found.redundant) == MOBILITY[name]


@pytest.mark.parametrize("name", EXAMPLES)
def test_nothing_is_wrong_with_it_and_its_drawing_is_closed(name):
    compiled = compile_model(model_of_file(name))
    assert not problems(compiled.model)
    # files hold twelve digits; a gap adds the errors of a few places and angles
    assert assemble(compiled).drawn_gap < 1e-11 * max(1.0, compiled.length)


@pytest.mark.parametrize("name", EXAMPLES)
def test_it_runs_to_its_end_with_closed_joints(name):
    results = ran(name)
    if name not in STOPPED:
        assert results.t[-1] == pytest.approx(results.settings.t_end)
    assert np.isfinite(results.q).all() and np.isfinite(results.lam).all()
    assert results["constraint_violation"].max() < 1e-12 * max(1.0, results.compiled.length)
    # the projection ends at 1e-12 of the size of the model, in m/s or rad/s
    assert results["velocity_violation"].max() < 1e-11 * max(1.0, np.abs(results.v).max())


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_work_balance_of_every_example_closes(name):
    results = ran(name)
    does_work = bool(results.compiled.work_ids)
    assert does_work == (name not in CONSERVATIVE)
    assert balance_of(results).share < 1e-6


@pytest.mark.parametrize("name", sorted({*EXAMPLES} - {*CONSERVATIVE, *ROUGH}))
def test_half_the_step_closes_the_work_balance_four_times_better_with_heun(name):
    model = model_of_file(name)
    t_end = min(model.settings.t_end, 600 * model.settings.step)
    h = SHORT.get(name, 1) * model.settings.step
    once, twice = (
        run(model, method="heun", step=step, t_end=t_end, output_step=t_end / 10)
        for step in (h, 2 * h)
    )
    assert once.ending.reason == "done"
    rounding = 1e-12  # of the energy exchanged, in some hundred steps
    assert balance_of(once).share < max(0.3 * balance_of(twice).share, rounding)


@pytest.mark.parametrize("name", CONSERVATIVE)
def test_conservative_examples_keep_their_energy(name):
    results = ran(name)
    drift = np.abs(results["energy_drift"]).max()
    scale = results["kinetic_energy"].max() + np.ptp(results["potential_energy"])
    assert drift < 1e-6 * scale  # RK4 at 1 ms; the double pendulum, which is chaotic, is worst


def test_the_pendulum_pulls_two_and_a_half_times_its_weight_at_the_bottom():
    results = ran("pendulum")
    # closed form: F = m g (1 + 3/2) when it swings through after a fall from the horizontal
    assert results["pin.force"].max() == pytest.approx(2.5 * G, rel=1e-4)  # frames are 10 ms apart


def test_the_crane_follows_the_reference(golden):
    results = ran("crane_trolley")
    x1, x1_dot, phi, phi_dot = golden["crane_reference"]["expected"]["5"]
    # the reference counts x1 to the left; RK4 at 1 ms has an error of about 1e-8
    assert results["trolley.x"][-1] == pytest.approx(-x1, abs=1e-7)
    assert results["trolley.vx"][-1] == pytest.approx(-x1_dot, abs=1e-6)
    assert results["load.angle"][-1] == pytest.approx(phi, abs=1e-7)
    assert results["load.angular_velocity"][-1] == pytest.approx(phi_dot, abs=1e-6)


@pytest.mark.parametrize(
    ("name", "case"),
    [("double_pendulum", "dpB_reference"), ("double_pendulum_small", "dpA_reference")],
)
def test_the_double_pendulums_follow_the_reference(name, case, golden):
    results = ran(name)
    for t, expected in golden[case]["expected"].items():
        frame = results.frame_at(float(t))
        angles = np.degrees([results["upper.angle"][frame], results["lower.angle"][frame]])
        # RK4 at 1 ms against a converged solution; chaos amplifies by 100 in 5 s
        np.testing.assert_allclose(angles, expected["phi_deg"], atol=1e-4)


def test_the_spring_pushes_the_rod_as_in_the_textbook(golden):
    expected = golden["spring_rod_accel"]["expected"]
    results = ran("rod_with_spring")
    assert results["rod_1.angular_acceleration"][0] == pytest.approx(expected["phidd"], rel=1e-9)


def test_the_damper_only_takes_energy():
    results = ran("rod_with_damper")
    energy = results["total_energy"]
    assert (np.diff(energy) <= 1e-9).all()  # rounding and the error of RK4
    assert results["damper.force"].min() < 0.0 < results["damper.force"].max()
    assert energy[-1] < energy[0] - 1.0


def test_the_piston_moves_as_its_closed_form():
    results = ran("slider_crank")
    theta = np.pi / 4 + 600 * 2 * np.pi / 60 * results.t
    x = 0.1 * np.cos(theta) + np.sqrt(0.3**2 - (0.1 * np.sin(theta)) ** 2)
    # a speed motion integrates its angle: the error of RK4 accumulates to about 1e-12
    np.testing.assert_allclose(results["piston.x"], x, atol=1e-10)


def test_the_quick_return_comes_back_quickly():
    results = ran("quick_return")
    theta = 2 * np.pi * results.t
    lever = np.arctan2(0.4 + 0.2 * np.sin(theta), 0.2 * np.cos(theta))
    np.testing.assert_allclose(results["lever.angle"], lever, atol=1e-12)  # kinematics is exact
    swing = np.arcsin(0.2 / 0.4)
    slow = np.mean(np.diff(results["lever.angle"][:101]) > 0)
    assert slow == pytest.approx(
        (np.pi + 2 * swing) / (2 * np.pi), abs=0.02
    )  # frames: 1 % of a turn


def test_the_follower_rises_as_the_rim_of_the_cam_does():
    results = ran("cam_follower")
    a = 2 * np.pi * results.t
    tip = 0.05 * np.sin(a) + np.sqrt(0.2**2 - (0.05 * np.cos(a)) ** 2)
    np.testing.assert_allclose(results["follower.y"] - 0.2, tip, atol=1e-12)  # kinematics is exact


def test_the_scotch_yoke_is_a_cosine():
    results = ran("scotch_yoke")
    np.testing.assert_allclose(results["yoke.x"], 0.2 * np.cos(5 * results.t), atol=1e-13)
    np.testing.assert_allclose(results["yoke.ax"], -5.0 * np.cos(5 * results.t), atol=1e-10)


def test_the_gears_turn_in_their_ratio_and_the_drive_balances():
    results = ran("gear_train")
    w1, w2, w3 = (results[f"gear_{n}.angular_velocity"] for n in (1, 2, 3))
    np.testing.assert_allclose(w2, -w1 / 2, atol=1e-12 * w1.max())
    np.testing.assert_allclose(w3, w1 / 1.5, atol=1e-12 * w1.max())
    J = [0.5 * 7850 * np.pi * r**4 * 0.02 for r in (0.1, 0.2, 0.15)]
    inertia, drag = J[0] + J[1] / 4 + J[2] / 2.25, 0.02 / 2.25
    closed = (1 - np.exp(-drag / inertia * results.t)) / drag
    np.testing.assert_allclose(w1, closed, rtol=1e-9, atol=1e-12)  # RK4 on a slow exponential


def test_the_disc_rolls_with_two_thirds_of_the_slope():
    results = ran("rolling_disc")
    slope = np.radians(20.0)
    along = results["disc.x"] * np.cos(slope) - results["disc.y"] * np.sin(slope)
    np.testing.assert_allclose(along, along[0] + G * np.sin(slope) * results.t**2 / 3, atol=1e-11)
    np.testing.assert_allclose(0.2 * results["disc.angle"], along[0] - along, atol=1e-12)


def test_the_sled_follows_its_cycloid():
    results = ran("knife_edge_sled")
    wt, a = 1.5 * results.t, G * 0.5 / (2 * 1.5**2)
    np.testing.assert_allclose(results["sled.x"], a * np.sin(wt) ** 2, atol=1e-9)
    np.testing.assert_allclose(results["sled.y"], a * (wt - np.sin(2 * wt) / 2), atol=1e-9)


def test_the_driven_pendulum_needs_the_time_terms(golden):
    results = ran("rheonomic_pendulum")
    frame = results.frame_at(2.0)
    theta = np.arctan2(results["bob.x"][frame], -results["bob.y"][frame])
    expected = golden["pendulum_rheonomic"]["expected"]["theta"]
    assert theta == pytest.approx(expected, rel=1e-6)  # the tolerance of the reference
    length = np.hypot(results["bob.x"], results["bob.y"])
    np.testing.assert_allclose(length, 1 + 0.2 * np.sin(3 * results.t), atol=1e-13)


def test_the_car_rests_before_the_bump_and_after_it():
    results = ran("car_suspension")
    y = results["body.y"]
    before = results.t < 0.5
    assert np.abs(y[before] - 0.8).max() < 1e-9  # springs carry the weight exactly
    assert np.ptp(y) > 0.02
    assert abs(y[-1] - 0.8) < 5e-3


def test_the_foot_of_the_jansen_leg_follows_its_circles():
    results = ran("jansen_leg")
    # joint by joint, each at the place where two circles meet, as complex numbers

    def meet(a, r_a, b, r_b):
        d = np.abs(b - a)
        along = (r_a**2 - r_b**2 + d**2) / (2 * d)
        return a + (along + 1j * np.sqrt(r_a**2 - along**2)) * (b - a) / d

    pivot, pin = -0.38 - 0.078j, 0.15 * np.exp(1j * np.pi * results.t)
    top = meet(pivot, 0.415, pin, 0.5)
    knee = meet(pin, 0.619, pivot, 0.393)
    back = meet(pivot, 0.401, top, 0.558)
    ankle = meet(knee, 0.367, back, 0.394)
    foot = meet(knee, 0.49, ankle, 0.657)
    np.testing.assert_allclose(results["foot.x"] + 1j * results["foot.y"], foot, atol=1e-12)
    level = results["foot.y"] < results["foot.y"].min() + 0.03
    assert 0.4 < level.mean() < 0.7  # it stays on the ground for about half of a turn


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
