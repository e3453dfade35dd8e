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
