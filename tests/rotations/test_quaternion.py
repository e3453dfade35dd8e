"""Laws of quaternions: algebra, turning vectors, rates, steps, interpolation, histories."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation, Slerp

from rotations import axis_angle, matrix, quaternion

ROUNDING = 1e-14  # some ten operations on numbers near 1


def test_the_units_multiply_by_hamiltons_rule():
    one, i, j, k = np.eye(4)
    for a, b, ab in ((i, j, k), (j, k, i), (k, i, j), (i, i, -one), (j, j, -one), (k, k, -one)):
        assert np.array_equal(quaternion.product(a, b), ab)
        assert np.array_equal(quaternion.product(b, a), quaternion.conjugate(ab))


def test_a_product_of_quaternions_is_the_product_of_their_matrices(random_quaternions):
    p, q = random_quaternions[:5000], random_quaternions[5000:]
    R = quaternion.matrix(p) @ quaternion.matrix(q)
    assert np.abs(quaternion.matrix(quaternion.product(p, q)) - R).max() < ROUNDING


def test_the_conjugate_of_a_product_reverses_the_order(random_quaternions):
    p, q = random_quaternions[:5000], random_quaternions[5000:]
    reversed_product = quaternion.product(quaternion.conjugate(q), quaternion.conjugate(p))
    assert (
        np.abs(quaternion.conjugate(quaternion.product(p, q)) - reversed_product).max() < ROUNDING
    )


def test_the_conjugate_is_the_inverse_only_at_unit_length():
    q = np.array([1.0, -2.0, 3.0, 0.5])
    one = [1.0, 0.0, 0.0, 0.0]
    assert np.allclose(quaternion.product(q, quaternion.inverse(q)), one, atol=ROUNDING)
    assert not np.allclose(quaternion.product(q, quaternion.conjugate(q)), one)
    unit = quaternion.normalise(q)
    assert np.allclose(quaternion.inverse(unit), quaternion.conjugate(unit), atol=ROUNDING)
    assert np.isclose(quaternion.norm(q), np.sqrt(14.25), rtol=ROUNDING)


def test_matrices_agree_with_scipy(random_quaternions):
    theirs = Rotation.from_quat(random_quaternions, scalar_first=True)
    assert np.abs(quaternion.matrix(random_quaternions) - theirs.as_matrix()).max() < ROUNDING
    mine = quaternion.from_matrix(theirs.as_matrix())
    assert np.abs(mine - theirs.as_quat(canonical=True, scalar_first=True)).max() < ROUNDING


def test_the_two_sandwiches_are_the_matrix_and_its_transpose(random_quaternions, vectors):
    R = quaternion.matrix(random_quaternions)
    fixed = np.einsum("nij,nj->ni", R, vectors)
    # 1e-13: vectors up to length 5
    assert np.abs(quaternion.to_fixed(random_quaternions, vectors) - fixed).max() < 1e-13
    assert np.abs(quaternion.to_body(random_quaternions, fixed) - vectors).max() < 1e-13


def test_a_quaternion_and_its_negative_are_the_same_rotation(random_quaternions):
    q = random_quaternions
    assert np.array_equal(quaternion.matrix(q), quaternion.matrix(-q))
    assert np.array_equal(quaternion.canonical(q), quaternion.canonical(-q))
    assert (quaternion.canonical(q)[:, 0] >= 0).all()
    assert np.array_equal(quaternion.canonical([0, -0.6, 0.8, 0]), [0, 0.6, -0.8, 0])


@pytest.mark.parametrize("axes", ["body", "fixed"])
def test_rates_agree_with_central_differences(axes, random_quaternions, vectors):
    h = 1e-5
    after = quaternion.step(random_quaternions, vectors, h, axes)
    before = quaternion.step(random_quaternions, vectors, -h, axes)
    q_dot = quaternion.rate(random_quaternions, vectors, axes)
    # h^2 |w/2|^3 / 6 is below 4e-10 for |w| < 5; rounding adds 1e-16 / h = 1e-11
    assert np.abs((after - before) / (2 * h) - q_dot).max() < 1e-9


def test_angular_velocity_is_the_skew_matrix_R_dot_R_transposed(random_quaternions, vectors):
    q, w = random_quaternions[:100], vectors[:100]
    h = 1e-5
    R = quaternion.matrix(q)
    ahead, behind = (quaternion.matrix(quaternion.step(q, w, s, "fixed")) for s in (h, -h))
    R_dot = (ahead - behind) / (2 * h)
    W = R_dot @ np.swapaxes(R, 1, 2)
    w_found = np.stack([W[:, 2, 1], W[:, 0, 2], W[:, 1, 0]], axis=1)
    assert np.abs(w_found - w).max() < 1e-8  # h^2 |w|^3 / 6 for |w| < 5
    printed = R_dot @ np.swapaxes(R_dot, 1, 2)  # erratum E-68: not even skew
    assert np.abs(printed + np.swapaxes(printed, 1, 2)).max() > 0.1


@pytest.mark.parametrize("axes", ["body", "fixed"])
def test_angular_velocity_comes_back_from_the_rate(axes, random_quaternions, vectors):
    q_dot = quaternion.rate(random_quaternions, vectors, axes)
    w = quaternion.angular_velocity(random_quaternions, q_dot, axes)
    assert np.abs(w - vectors).max() < 1e-13  # rounding, |w| < 5
    drift = q_dot + 0.3 * random_quaternions
    w = quaternion.angular_velocity(random_quaternions, drift, axes)
    assert np.abs(w - vectors).max() < 1e-13


def test_body_and_fixed_angular_velocity_describe_the_same_turn(random_quaternions, vectors):
    w_fixed = quaternion.to_fixed(random_quaternions, vectors)
    in_body = quaternion.rate(random_quaternions, vectors, "body")
    in_fixed = quaternion.rate(random_quaternions, w_fixed, "fixed")
    assert np.abs(in_body - in_fixed).max() < 1e-13


def test_a_step_is_the_exact_rotation_about_w(random_quaternions, vectors):
    turn = quaternion.matrix(random_quaternions) @ axis_angle.exponential(0.7 * vectors)
    stepped = quaternion.step(random_quaternions, vectors, 0.7)
    assert np.abs(quaternion.matrix(stepped) - turn).max() < ROUNDING


def test_many_small_steps_are_one_large_step():
    q, w = np.array([1.0, 0.0, 0.0, 0.0]), [0.3, -2.0, 1.0]
    for _ in range(1000):
        q = quaternion.step(q, w, 0.01)
    # 1000 roundings of 1e-16
    assert np.abs(q - quaternion.step([1, 0, 0, 0], w, 10.0)).max() < 1e-12
    assert abs(quaternion.norm(q) - 1.0) < 1e-15  # normalised in every step


@pytest.mark.parametrize("angle", [1e-300, 1e-100, 1e-20, 1e-12, 1e-8])
def test_a_tiny_step_keeps_its_relative_accuracy(angle):
    q = quaternion.step([1, 0, 0, 0], [0.0, 0.0, angle], 1.0)
    assert q[0] == 1.0
    assert np.isclose(q[3], angle / 2, rtol=1e-15, atol=0)  # sin x = x - x^3/6


def test_slerp_agrees_with_scipy_and_takes_the_shorter_arc(random_quaternions):
    for p, q in random_quaternions[:200].reshape(-1, 2, 4):
        theirs = Slerp([0, 1], Rotation.from_quat([p, q], scalar_first=True))
        for u in (0.0, 0.25, 1.0):
            mine = quaternion.matrix(quaternion.slerp(p, q, u))
            assert np.abs(mine - theirs(u).as_matrix()).max() < 1e-13


def test_slerp_turns_at_constant_rate_even_between_equal_and_opposite_ends():
    p = quaternion.normalise([1.0, 2.0, -1.0, 0.5])
    for turn in (0.0, 1e-12, 1e-9, 1e-6, 1.0, np.pi):
        q = quaternion.step(p, [0.0, turn, 0.0], 1.0)
        for end in (q, -q):
            half = quaternion.slerp(p, end, 0.5)
            angles = [
                matrix.angle_between_rotations(quaternion.matrix(a), quaternion.matrix(half))
                for a in (p, end)
            ]
            assert np.allclose(angles, turn / 2, atol=1e-15, rtol=1e-14)


def test_a_history_becomes_continuous_without_changing_the_rotations():
    t = np.linspace(0.0, 20.0, 2001)
    smooth = axis_angle.quaternion([1.0, 2.0, 2.0], t)
    signs = np.random.default_rng(3).choice([-1.0, 1.0], size=(len(t), 1))
    mended = quaternion.continuous(signs * smooth)
    assert np.abs(np.diff(mended, axis=0)).max() < 0.01  # half a step of 0.01 rad, not 2
    assert np.array_equal(mended, smooth * signs[0])


def test_a_worn_quaternion_is_normalised_before_use():
    q = np.array([0.6, 0.8, 0.0, 0.0])
    worn = q * (1 + 5e-7)
    # 1e-15: after normalising only rounding is left of the 5e-7
    assert np.abs(quaternion.matrix(worn) - quaternion.matrix(q)).max() < 1e-15
