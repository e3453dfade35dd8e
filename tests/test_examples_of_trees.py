"""Open chains and trees of the gallery against closed forms and laws."""

import numpy as np
import pytest

from engine.running.simulate import run
from engine.studies.tree_equations import tree_equations
from tests.example_runs import changed, letters, ran

G = 9.81


def test_the_tip_of_the_arm_follows_its_circle_by_inverse_kinematics():
    for results in (ran("robot_arm_in_plane"), run(changed("robot_arm_in_plane", height=0.1))):
        middle, height, radius, speed = letters(results, "middle", "height", "radius", "speed")
        x, y = (
            middle + radius * np.cos(speed * results.t),
            height + radius * np.sin(speed * results.t),
        )
        np.testing.assert_allclose(
            results["tip.x"], x, rtol=0, atol=1e-10
        )  # files have twelve digits
        np.testing.assert_allclose(results["tip.y"], y, rtol=0, atol=1e-10)


def test_the_motors_of_the_arm_give_the_torques_of_lagrange():
    results = ran("robot_arm_in_plane")
    a, b = letters(results, "a", "b")
    m1, m2 = 2.0, 1.0
    q1, turned = results["upper.angle"], results["fore.angle"]
    q2, w1, w = turned - q1, results["upper.angular_velocity"], results["fore.angular_velocity"]
    e1, e = results["upper.angular_acceleration"], results["fore.angular_acceleration"]
    c, mixed = np.cos(q2), m2 * a * b / 2
    elbow = m2 * b**2 / 3 * e + mixed * (c * e1 + np.sin(q2) * w1**2)
    elbow += m2 * G * b / 2 * np.cos(turned)
    shoulder = elbow + (m1 / 3 + m2) * a**2 * e1 + mixed * (c * e - np.sin(q2) * w**2)
    shoulder += (m1 / 2 + m2) * G * a * np.cos(q1)
    np.testing.assert_allclose(results["elbow_motor.drive"], elbow, rtol=0, atol=1e-9)
    np.testing.assert_allclose(results["shoulder_motor.drive"], shoulder, rtol=0, atol=1e-9)


def test_the_arm_in_space_comes_to_rest_where_its_springs_carry_it():
    results = ran("robot_arm_in_space")
    k, load = letters(results, "k", "load")
    s, e = results["shoulder.angle"][-1], results["elbow.angle"][-1]
    of_fore = G * (1.5 * 0.2 + load * 0.45) * np.cos(s + e)
    of_upper = G * (3.0 * 0.25 + (1.5 + load) * 0.5) * np.cos(s)
    # what swings on has died out to 1e-5 of the torques after eight seconds
    assert k * (np.radians(-60) - e) == pytest.approx(of_fore, abs=1e-3)
    assert k * (np.radians(40) - s) == pytest.approx(of_fore + of_upper, abs=1e-3)
    assert results["turn.angle"][-1] == pytest.approx(np.radians(60), abs=1e-4)
    assert results["kinetic_energy"][-1] < 1e-8


def test_the_tree_of_the_lecture_is_p_0_1_2_1_2_5_and_keeps_its_energy():
    results = ran("six_body_tree")
    assert np.ptp(results["total_energy"]) < 1e-7 and results.gap.max() == 0.0
    state = (results.t[-1], results.q[-1], results.v[-1], results.z[-1])
    tree = tree_equations(results.compiled, *state)
    order = [results.compiled.body_ids[one.branch.body] for one in tree.hung]
    carried = {body: order[p - 1] if p else "ground" for body, p in zip(order, tree.predecessors)}
    before = ("ground", "body_1", "body_2", "body_1", "body_2", "body_5")
    assert carried == {f"body_{n}": one for n, one in enumerate(before, 1)}
    _, f_P, eta_dot = tree.sparse()
    np.testing.assert_allclose(tree.minimal(), eta_dot, rtol=0, atol=1e-9 * abs(eta_dot).max())
    # f_k of body 2 is its own wrench without those that carry bodies 3 and 5
    blocks = dict(zip(order, f_P.reshape(6, 6)))
    sums = dict(zip(order, tree.resultants().reshape(6, 6)))
    np.testing.assert_allclose(sums["body_6"], blocks["body_6"], rtol=0, atol=1e-9)
    force = blocks["body_2"][3:] - blocks["body_3"][3:] - blocks["body_5"][3:]
    np.testing.assert_allclose(sums["body_2"][3:], force, rtol=0, atol=1e-8)


def test_the_feet_of_the_figure_walk_on_ellipses_half_a_step_apart():
    results = ran("walking_figure")
    stride, lift, pace = letters(results, "stride", "lift", "pace")
    for side, phase in (("left", 0.0), ("right", np.pi)):
        angle = pace * results.t + phase
        x, y = stride * (pace * results.t + np.cos(angle)), lift * np.sin(angle)
        np.testing.assert_allclose(results[f"{side}_foot.x"], x, rtol=0, atol=1e-10)
        np.testing.assert_allclose(results[f"{side}_foot.y"], y, rtol=0, atol=1e-10)


def test_over_a_step_the_path_of_the_figure_carries_its_weight():
    results = ran("walking_figure")
    (pace,) = letters(results, "pace")
    whole = (results.t >= 1.0 - 1e-9) & (results.t < 1.0 + 2 * np.pi / pace - 1e-9)
    weight = G * (40.0 + 2 * (8.0 + 4.0))
    # the mean over a period of what is periodic: the sum over evenly spaced frames
    assert results["path.force_y"][whole].mean() == pytest.approx(weight, rel=1e-9)


def test_a_wave_runs_down_the_chain_as_the_square_root_of_g_times_what_hangs_below():
    """At s from the free end c = sqrt(g s), and what it carries keeps its power: x grows as s^(-1/4)."""
    results = ran("chain_of_100_links")
    (way,) = letters(results, "way")
    L, s, sideways = 2.0, 1.0, results["middle.x"]
    top = int(np.argmax(sideways))
    # the wave is a quarter of the chain long: both hold to a hundredth
    assert results.t[top] - 0.6 == pytest.approx(2 * (np.sqrt(L / G) - np.sqrt(s / G)), abs=0.01)
    assert sideways[top] == pytest.approx(way * (L / s) ** 0.25, rel=0.01)
    rest = results["pin_1.force"][0]
    assert rest == pytest.approx(G * 100 * 0.01, rel=1e-9)
