"""Kernels for inner loops give what the public functions give, in place and at the lock."""

import numpy as np
import pytest

from rotations import SEQUENCES, axis_angle, euler_angles, gimbal_lock, quaternion, vector
from tests.rotations.sample_angles import locked_thetas, regular_angles


def filled(kernel, *arguments, shape):
    """What a kernel writes into its last argument."""
    out = np.full(shape, np.nan)
    kernel(*arguments, out)
    return out


def test_quaternion_kernels_agree_with_their_twins(random_quaternions, vectors):
    for n in range(20):
        p, q, w = random_quaternions[n], random_quaternions[n + 20], vectors[n]
        R = quaternion.matrix(q)
        pairs = [
            (filled(quaternion.product_into, p, q, shape=4), quaternion.product(p, q)),
            (filled(quaternion.normalise_into, 3 * q, shape=4), quaternion.normalise(3 * q)),
            (filled(quaternion.canonical_into, q, shape=4), quaternion.canonical(q)),
            (filled(quaternion.matrix_into, q, shape=(3, 3)), R),
            (filled(quaternion.from_matrix_into, R, shape=4), quaternion.from_matrix(R)),
            (filled(quaternion.to_fixed_into, q, w, shape=3), quaternion.to_fixed(q, w)),
            (filled(quaternion.to_body_into, q, w, shape=3), quaternion.to_body(q, w)),
            (filled(quaternion.rate_body_into, q, w, shape=4), quaternion.rate(q, w)),
            (filled(quaternion.rate_fixed_into, q, w, shape=4), quaternion.rate(q, w, "fixed")),
            (filled(quaternion.step_into, q, w, 0.1, shape=4), quaternion.step(q, w, 0.1)),
            (
                filled(quaternion.step_fixed_into, q, w, 0.1, shape=4),
                quaternion.step(q, w, 0.1, "fixed"),
            ),
            (filled(quaternion.slerp_into, p, q, 0.3, shape=4), quaternion.slerp(p, q, 0.3)),
            (filled(axis_angle.exponential_into, w, shape=4), axis_angle.exponential_quaternion(w)),
        ]
        for kernel, twin in pairs:
            # 2e-15: one formula, but the compiler may fuse a*b + c differently
            assert np.abs(kernel - twin).max() < 2e-15


def test_euler_kernels_agree_with_their_twins(sequence):
    code = SEQUENCES.index(sequence)
    w = np.array([0.3, -0.7, 1.1])
    for angles in regular_angles(sequence, 5):
        q = euler_angles.quaternion(sequence, angles)
        pairs = [
            (
                filled(euler_angles.matrix_into, code, angles, shape=(3, 3)),
                euler_angles.matrix(sequence, angles),
            ),
            (filled(euler_angles.quaternion_into, code, angles, shape=4), q),
            (
                filled(euler_angles.from_quaternion_into, code, q, 0.0, shape=3),
                euler_angles.from_quaternion(sequence, q),
            ),
            (
                filled(euler_angles.rates_body_into, code, angles, w, shape=3),
                euler_angles.rates(sequence, angles, w),
            ),
            (
                filled(euler_angles.rates_fixed_into, code, angles, w, shape=3),
                euler_angles.rates(sequence, angles, w, "fixed"),
            ),
            (
                filled(euler_angles.velocity_body_into, code, angles, w, shape=3),
                euler_angles.angular_velocity(sequence, angles, w),
            ),
            (
                filled(euler_angles.velocity_fixed_into, code, angles, w, shape=3),
                euler_angles.angular_velocity(sequence, angles, w, "fixed"),
            ),
        ]
        for kernel, twin in pairs:
            assert np.abs(kernel - twin).max() < 1e-13  # fused operations, times 1/s < 10
        assert gimbal_lock.measure_of(code, angles) == pytest.approx(
            gimbal_lock.measure(sequence, angles), abs=1e-15
        )


def test_kernels_may_write_over_their_input(random_quaternions, vectors):
    q, w = random_quaternions[0], vectors[0]
    for kernel, arguments in (
        (quaternion.step_into, (w, 0.1)),
        (quaternion.step_fixed_into, (w, 0.1)),
        (quaternion.rate_body_into, (w,)),
        (quaternion.rate_fixed_into, (w,)),
        (quaternion.product_into, (random_quaternions[1],)),
        (quaternion.normalise_into, ()),
    ):
        expected = filled(kernel, q, *arguments, shape=4)
        own = q.copy()
        kernel(own, *arguments, own)
        assert np.array_equal(own, expected)
    a, b = vectors[1].copy(), vectors[2]
    vector.cross_into(a, b, a)
    assert np.allclose(a, np.cross(vectors[1], b), atol=1e-14)  # rounding


def test_kernels_give_finite_rates_in_the_lock(sequence):
    code = SEQUENCES.index(sequence)
    for theta in locked_thetas(sequence):
        for w in np.eye(3):
            angles = np.array([0.3, theta, 0.4])
            rates = filled(euler_angles.rates_body_into, code, angles, w, shape=3)
            assert np.isfinite(rates).all()


def test_a_single_item_and_a_stack_give_the_same(random_quaternions):
    stack = quaternion.matrix(random_quaternions[:10])
    assert np.array_equal(stack[3], quaternion.matrix(random_quaternions[3]))
    one_for_all = quaternion.to_fixed(random_quaternions[0], np.eye(3))
    assert np.array_equal(one_for_all[1], quaternion.to_fixed(random_quaternions[0], [0, 1, 0]))
    assert quaternion.step(random_quaternions[0], [0, 0, 1], [0.1, 0.2]).shape == (2, 4)
