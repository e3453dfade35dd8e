"""Channels of contacts, each found once more in another way."""

from dataclasses import replace

import numpy as np
import pytest

from engine.model.elements import put
from engine.running.simulate import run
from tests.example_runs import model_of_file, ran

RADIUS = 0.1  # m, of the disc that begins to roll


def rolled():
    """The disc that begins to roll; its speed and how fast its rim turns back."""
    results = ran("ball_begins_to_roll")
    return results, results["disc.vx"], -RADIUS * results["disc.angular_velocity"]


def vector(results, name, axes="xyz"):
    return np.column_stack([results[name.replace("*", a)] for a in axes])


def test_the_slide_roll_ratio_is_the_slip_over_the_faster_surface():
    results, v, rim = rolled()
    # between frames of 2 ms the point moves evenly, but where the disc sinks in and slipping ends
    slips = (np.abs(v - rim) > 2e-2) & (results.t > 0.02)
    found, expected = results["floor.slide_roll"], np.abs(v - rim) / np.maximum(v, rim)
    assert slips.sum() > 100
    np.testing.assert_allclose(found[slips], expected[slips], rtol=1e-5)
    assert np.abs(found[results.t > 0.45]).max() < 1e-9  # it rolls


def test_a_wheel_that_spins_on_the_spot_only_slides():
    model = model_of_file("ball_begins_to_roll")
    still = model.elements["disc"]
    turning = replace(still, velocity=(0.0, 0.0), spin=30.0)
    results = run(put(model, turning), t_end=0.01, output_step=1e-4)
    np.testing.assert_allclose(results["floor.slide_roll"][5:20], 1.0, atol=2e-2)


def test_the_power_of_friction_is_force_times_slip_and_its_work_what_the_disc_loses():
    results, v, rim = rolled()
    power, T = results["floor.friction_power"], vector(results, "floor.force_*", "xy")[:, 0]
    slips = np.abs(v - rim) > 1e-3
    np.testing.assert_allclose(power[slips], (T * (v - rim))[slips], rtol=1e-9, atol=1e-12)
    # trapezoids over 400 frames, of a power that falls along a line and ends with a kink
    assert results["floor.friction_work"][-1] == pytest.approx(results["floor.work"][-1], rel=5e-3)
    assert results["floor.work"][-1] == pytest.approx(-2.0 / 3.0, rel=1e-3)  # m v^2/6


@pytest.mark.parametrize(
    "name, contact", [("pla_gear_pair", "mesh"), ("knee_in_a_squat", "medial")]
)
def test_normal_force_and_friction_are_the_parts_of_the_force(name, contact):
    results = ran(name)
    axes = "xy" if results.model.dim == 2 else "xyz"
    F, N = (vector(results, f"{contact}.{part}", axes) for part in ("force_*", "normal_*"))
    T, biggest = F - N, np.abs(F).max()
    normal, rubs = results[f"{contact}.normal_force"], results[f"{contact}.friction"]
    np.testing.assert_allclose(np.linalg.norm(N, axis=1), normal, atol=1e-9 * biggest)
    np.testing.assert_allclose(np.abs(np.sum(T * N, axis=1)), 0.0, atol=1e-9 * biggest**2)
    if (
        name == "pla_gear_pair"
    ):  # pairs of teeth before and behind the pitch point rub against each other
        alone = results["mesh.pairs"] == 1.0
        assert (np.linalg.norm(T, axis=1) < rubs + 1e-9).all() and alone.sum() > 50
        T, rubs = T[alone], rubs[alone]
    np.testing.assert_allclose(np.linalg.norm(T, axis=1), np.abs(rubs), atol=1e-9 * biggest)


def test_the_normal_of_a_ball_in_a_cup_points_to_the_middle_of_the_cup():
    results, dim = ran("knee_in_a_squat"), "xyz"
    medial = results.model["medial"]
    cup, ball = (vector(results, f"{m}.*", dim) for m in (medial.marker_i, medial.marker_j))
    N = vector(results, "medial.normal_*")
    n = (cup - ball) / np.linalg.norm(cup - ball, axis=1)[:, None]
    np.testing.assert_allclose(N, results["medial.normal_force"][:, None] * n, atol=1e-6)
    # the point of contact is on the ball, 22 mm from its middle, away from the middle of the cup
    spot = vector(results, "medial.*")
    np.testing.assert_allclose(spot, ball - 0.022 * n, atol=1e-12)


def test_the_point_of_contact_is_known_on_both_bodies():
    results, *_ = rolled()
    on_disc = vector(results, "floor.*_on_disc", "xy")
    np.testing.assert_allclose(np.linalg.norm(on_disc, axis=1), RADIUS, rtol=1e-12)
    turned = np.unwrap(np.arctan2(on_disc[:, 1], on_disc[:, 0]))
    np.testing.assert_allclose(turned + results["disc.angle"], -0.5 * np.pi, atol=1e-12)
    assert "floor.x_on_ground" not in results
    knee = ran("knee_in_a_squat")
    spot, seen = vector(knee, "medial.*"), vector(knee, "medial.*_on_femur")
    for n in (0, 700, -1):
        k = knee.compiled.body_ids.index("femur")
        R, r = knee.frames(n).R[k], vector(knee, "femur.*")[n]
        np.testing.assert_allclose(r + R @ seen[n], spot[n], atol=1e-12)
