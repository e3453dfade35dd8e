"""Every model of the gallery runs, and shows the physics it is there for."""

import numpy as np
import pytest

from assets.make_examples import EXAMPLES, FOLDER, model_of
from engine.files import dumps, load, loads
from engine.mobility import mobility
from engine.simulate import run
from engine.system import compile_model

G = 9.81
CONSERVATIVE = (
    *("pendulum", "double_pendulum", "double_pendulum_small", "triple_pendulum"),
    *("rod_with_spring", "four_bar", "rolling_disc", "knife_edge_sled", "spherical_pendulum"),
    *("spinning_top", "dzhanibekov_nut", "spatial_four_bar"),
)
MOBILITY = {  # degrees of freedom and redundant rows
    **dict.fromkeys(("pendulum", "rod_with_spring", "rod_with_damper", "four_bar"), (1, 0)),
    **dict.fromkeys(("double_pendulum", "double_pendulum_small", "crane_trolley"), (2, 0)),
    **dict.fromkeys(("triple_pendulum", "spherical_pendulum", "spinning_top"), (3, 0)),
    **dict.fromkeys(("slider_crank", "quick_return", "scotch_yoke"), (0, 0)),
    **dict.fromkeys(("gear_train", "rolling_disc", "rheonomic_pendulum"), (1, 0)),
    "knife_edge_sled": (2, 0),
    "car_suspension": (2, 0),
    "gyroscope_in_gimbals": (3, 0),
    "dzhanibekov_nut": (6, 0),
    "spatial_four_bar": (1, 3),
    "universal_joint_shaft": (0, 0),
    "screw_press": (1, 4),
}


@pytest.fixture(scope="module")
def runs():
    """Each example run once, on demand."""
    done = {}

    def results(name):
        if name not in done:
            done[name] = run(load(FOLDER / f"{name}.json"))
            assert done[name].ending.reason == "done", done[name].ending.sentence
        return done[name]

    return results


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_file_is_what_the_script_writes(name):
    text = (FOLDER / f"{name}.json").read_text(encoding="utf-8")
    assert text == dumps(model_of(EXAMPLES[name]))
    assert dumps(loads(text)) == text


def test_no_other_files_lie_in_the_gallery():
    assert {path.stem for path in FOLDER.glob("*.json")} == set(EXAMPLES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_mobility_is_as_designed(name):
    found = mobility(compile_model(load(FOLDER / f"{name}.json")))
    assert (found.dof, found.redundant) == MOBILITY[name]


@pytest.mark.parametrize("name", EXAMPLES)
def test_it_runs_to_its_end_with_closed_joints(name, runs):
    results = runs(name)
    assert results.t[-1] == pytest.approx(results.settings.t_end)
    assert np.isfinite(results.q).all() and np.isfinite(results.lam).all()
    assert results["constraint_violation"].max() < 1e-12 * max(1.0, results.compiled.length)
    assert results["velocity_violation"].max() < 1e-10 * max(1.0, np.abs(results.v).max())


@pytest.mark.parametrize("name", CONSERVATIVE)
def test_conservative_examples_keep_their_energy(name, runs):
    results = runs(name)
    drift = np.abs(results["energy_drift"]).max()
    scale = results["kinetic_energy"].max() + np.ptp(results["potential_energy"])
    assert drift < 1e-6 * scale  # RK4 at 1 ms; the double pendulum, which is chaotic, is worst


def test_the_pendulum_pulls_two_and_a_half_times_its_weight_at_the_bottom(runs):
    results = runs("pendulum")
    # closed form: F = m g (1 + 3/2) when it swings through after a fall from the horizontal
    assert results["pin.force"].max() == pytest.approx(2.5 * G, rel=1e-4)  # frames are 10 ms apart


def test_the_crane_follows_the_reference(runs, golden):
    results = runs("crane_trolley")
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
def test_the_double_pendulums_follow_the_reference(name, case, runs, golden):
    results = runs(name)
    for t, expected in golden[case]["expected"].items():
        frame = results.frame_at(float(t))
        angles = np.degrees([results["upper.angle"][frame], results["lower.angle"][frame]])
        # RK4 at 1 ms against a converged solution; chaos amplifies by 100 in 5 s
        np.testing.assert_allclose(angles, expected["phi_deg"], atol=1e-4)


def test_the_spring_pushes_the_rod_as_in_the_textbook(runs, golden):
    expected = golden["spring_rod_accel"]["expected"]
    results = runs("rod_with_spring")
    assert results["rod_1.angular_acceleration"][0] == pytest.approx(expected["phidd"], rel=1e-9)


def test_the_damper_only_takes_energy(runs):
    results = runs("rod_with_damper")
    energy = results["total_energy"]
    assert (np.diff(energy) <= 1e-9).all()  # rounding and the error of RK4
    assert results["damper.force"].min() < 0.0 < results["damper.force"].max()
    assert energy[-1] < energy[0] - 1.0


def test_the_piston_moves_as_its_closed_form(runs):
    results = runs("slider_crank")
    theta = np.pi / 4 + 600 * 2 * np.pi / 60 * results.t
    x = 0.1 * np.cos(theta) + np.sqrt(0.3**2 - (0.1 * np.sin(theta)) ** 2)
    # a speed motion integrates its angle: the error of RK4 accumulates to about 1e-12
    np.testing.assert_allclose(results["piston.x"], x, atol=1e-10)


def test_the_quick_return_comes_back_quickly(runs):
    results = runs("quick_return")
    theta = 2 * np.pi * results.t
    lever = np.arctan2(0.4 + 0.2 * np.sin(theta), 0.2 * np.cos(theta))
    np.testing.assert_allclose(results["lever.angle"], lever, atol=1e-12)  # kinematics is exact
    swing = np.arcsin(0.2 / 0.4)
    slow = np.mean(np.diff(results["lever.angle"][:101]) > 0)
    assert slow == pytest.approx(
        (np.pi + 2 * swing) / (2 * np.pi), abs=0.02
    )  # frames: 1 % of a turn


def test_the_scotch_yoke_is_a_cosine(runs):
    results = runs("scotch_yoke")
    np.testing.assert_allclose(results["yoke.x"], 0.2 * np.cos(5 * results.t), atol=1e-13)
    np.testing.assert_allclose(results["yoke.ax"], -5.0 * np.cos(5 * results.t), atol=1e-10)


def test_the_gears_turn_in_their_ratio_and_the_drive_balances(runs):
    results = runs("gear_train")
    w1, w2, w3 = (results[f"gear_{n}.angular_velocity"] for n in (1, 2, 3))
    np.testing.assert_allclose(w2, -w1 / 2, atol=1e-12 * w1.max())
    np.testing.assert_allclose(w3, w1 / 1.5, atol=1e-12 * w1.max())
    J = [0.5 * 7850 * np.pi * r**4 * 0.02 for r in (0.1, 0.2, 0.15)]
    inertia, drag = J[0] + J[1] / 4 + J[2] / 2.25, 0.02 / 2.25
    closed = (1 - np.exp(-drag / inertia * results.t)) / drag
    np.testing.assert_allclose(w1, closed, rtol=1e-9, atol=1e-12)  # RK4 on a slow exponential


def test_the_disc_rolls_with_two_thirds_of_the_slope(runs):
    results = runs("rolling_disc")
    slope = np.radians(20.0)
    along = results["disc.x"] * np.cos(slope) - results["disc.y"] * np.sin(slope)
    np.testing.assert_allclose(along, along[0] + G * np.sin(slope) * results.t**2 / 3, atol=1e-11)
    np.testing.assert_allclose(0.2 * results["disc.angle"], along[0] - along, atol=1e-12)


def test_the_sled_follows_its_cycloid(runs):
    results = runs("knife_edge_sled")
    wt, a = 1.5 * results.t, G * 0.5 / (2 * 1.5**2)
    np.testing.assert_allclose(results["sled.x"], a * np.sin(wt) ** 2, atol=1e-9)
    np.testing.assert_allclose(results["sled.y"], a * (wt - np.sin(2 * wt) / 2), atol=1e-9)


def test_the_driven_pendulum_needs_the_time_terms(runs, golden):
    results = runs("rheonomic_pendulum")
    frame = results.frame_at(2.0)
    theta = np.arctan2(results["bob.x"][frame], -results["bob.y"][frame])
    expected = golden["pendulum_rheonomic"]["expected"]["theta"]
    assert theta == pytest.approx(expected, rel=1e-6)  # the tolerance of the reference
    length = np.hypot(results["bob.x"], results["bob.y"])
    np.testing.assert_allclose(length, 1 + 0.2 * np.sin(3 * results.t), atol=1e-13)


def test_the_car_rests_before_the_bump_and_after_it(runs):
    results = runs("car_suspension")
    y = results["body.y"]
    before = results.t < 0.5
    assert np.abs(y[before] - 0.8).max() < 1e-9  # springs carry the weight exactly
    assert np.ptp(y) > 0.02
    assert abs(y[-1] - 0.8) < 5e-3


def test_spherical_pendulum_and_top_keep_their_momentum_about_the_vertical(runs):
    for name in ("spherical_pendulum", "spinning_top"):
        L = runs(name)["angular_momentum_z"]
        assert np.ptp(L) < 1e-6 * np.abs(L).max()  # RK4; the top turns by 4 degrees in a step


def test_the_top_precesses_and_keeps_its_spin(runs):
    results = runs("spinning_top")
    spin = results["top.angular_velocity_z_body"]
    assert np.ptp(spin) < 1e-9 * 150  # no moment about its axis
    # steady precession, per unit mass:  J1 cos(lean) W^2 - J3 w W + g h = 0,  J1 about the tip
    J3, J1, lean = 0.5 * 0.06**2, 0.09**2 + 0.06**2 / 4 + 0.02**2 / 12, np.radians(20.0)
    slow = np.roots([J1 * np.cos(lean), -J3 * 150.0, G * 0.09]).min()
    axis_angle = np.unwrap(np.arctan2(results["top.center_y"], results["top.center_x"]))
    mean = (axis_angle[-1] - axis_angle[0]) / results.t[-1]
    assert mean == pytest.approx(slow, rel=0.01)  # it nods about the steady precession


def test_the_gyroscope_precesses_under_its_weight(runs):
    results = runs("gyroscope_in_gimbals")
    J = 0.5 * 7850 * np.pi * 0.07**4 * 0.03
    expected = 0.5 * 0.1 / (J * 300.0)
    mean = abs(results["yaw.angle"][-1] - results["yaw.angle"][0]) / results.t[-1]
    assert mean == pytest.approx(expected, rel=0.02)  # nutation is left after averaging
    assert np.abs(results["pitch.angle"]).max() < 0.01


def test_the_nut_flips_and_keeps_energy_and_momentum(runs):
    results = runs("dzhanibekov_nut")
    w = results["nut.angular_velocity_z_body"]
    assert w.min() < -5.9 and w.max() > 5.9
    for axis in "xyz":
        L = results[f"angular_momentum_{axis}"]
        assert np.ptp(L) < 1e-9


def test_the_output_shaft_ripples_by_the_cosine_of_the_bend(runs):
    results = runs("universal_joint_shaft")
    speed = results["driven.angular_velocity_z_body"]
    # Hooke: the ratio runs between cos(bend) and 1 / cos(bend); frames are 0.1 rad apart
    assert np.abs(speed).max() == pytest.approx(10 / np.cos(np.pi / 6), rel=5e-3)
    assert np.abs(speed).min() == pytest.approx(10 * np.cos(np.pi / 6), rel=5e-3)


def test_the_screw_ties_the_ram_to_the_flywheel(runs):
    results = runs("screw_press")
    drop = results["ram.z"] - results["ram.z"][0]
    np.testing.assert_allclose(drop, 0.04 / (2 * np.pi) * results["thread.angle"], atol=1e-12)
    assert np.abs(results["thread.angle"]).max() > 2 * np.pi  # more than a turn: turns are counted
    assert np.abs(results["energy_drift"]).max() < 1e-3 * results["kinetic_energy"].max()


def test_the_nut_turns_alike_in_quaternions_and_euler_angles():
    model = load(FOLDER / "dzhanibekov_nut.json")
    reference = run(model, t_end=0.2)
    for sequence in ("1-2-3", "3-2-1", "2-3-1"):
        results = run(model, t_end=0.2, orientation=sequence)
        np.testing.assert_allclose(
            results["nut.angular_velocity_z_body"],
            reference["nut.angular_velocity_z_body"],
            atol=1e-9,
        )
