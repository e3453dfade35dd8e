"""How near to the lock a set of angles is, and where to flee."""

import numpy as np
import pytest

from rotations import SEQUENCES, euler_angles, gimbal_lock, quaternion
from rotations.gimbal_lock import Level
from tests.rotations.sample_angles import locked_thetas, regular_angles


def test_the_measure_is_the_determinant_of_the_rate_matrix(sequence):
    angles = regular_angles(sequence)
    for axes in ("body", "fixed"):
        det = np.linalg.det(euler_angles.rate_matrix(sequence, angles, axes))
        assert np.allclose(gimbal_lock.measure(sequence, angles), np.abs(det), atol=1e-14)


def test_the_condition_number_is_exact(sequence):
    angles = regular_angles(sequence)
    for axes in ("body", "fixed"):
        expected = np.linalg.cond(euler_angles.rate_matrix(sequence, angles, axes))
        # 1e-12: the SVD itself is good to 1e-16 times cond^2 < 400
        assert np.allclose(gimbal_lock.condition(sequence, angles), expected, rtol=1e-12)


def test_near_the_lock_the_condition_number_is_two_over_s(sequence):
    angles = [0.2, locked_thetas(sequence)[1] + 1e-6, 0.4]
    assert np.isclose(gimbal_lock.condition(sequence, angles), 2e6, rtol=1e-5)


def test_in_the_lock_the_condition_number_is_infinite_and_raises_no_warning():
    assert gimbal_lock.condition("3-1-3", [0.1, 0.0, 0.2]) == np.inf


@pytest.mark.parametrize("degrees", [0.0, 0.001, 5.0, 45.0, 90.0])
def test_the_distance_to_the_lock_is_given_in_degrees(sequence, degrees):
    for lock in locked_thetas(sequence):
        for side in (-1, 1):
            angles = [1.0, lock + side * np.radians(degrees), 2.0]
            # 1e-13 degrees: rounding of angles near 180
            assert abs(gimbal_lock.degrees_to_lock(sequence, angles) - degrees) < 1e-13


def test_levels_change_at_a_tenth_and_a_hundredth():
    s = np.array([1.0, 0.1001, 0.0999, 0.01001, 0.00999, 0.0])
    expected = [Level.FINE, Level.FINE, Level.AMBER, Level.AMBER, Level.RED, Level.RED]
    for sequence, theta in (("3-1-3", np.arcsin(s)), ("3-2-1", np.arccos(s))):
        angles = np.stack([theta * 0, theta, theta * 0], axis=1)
        assert np.array_equal(gimbal_lock.level(sequence, angles), expected)
        assert [gimbal_lock.level(sequence, a) for a in angles] == expected


def test_measures_of_an_orientation_are_those_of_its_angles(random_quaternions):
    for q in random_quaternions[:200]:
        expected = [
            gimbal_lock.measure(sequence, euler_angles.from_quaternion(sequence, q))
            for sequence in SEQUENCES
        ]
        assert np.allclose(gimbal_lock.measures(q), expected, atol=1e-14)
        assert np.allclose(gimbal_lock.measures(quaternion.matrix(q)), expected, atol=1e-14)


def test_the_best_sequence_is_never_near_its_lock(random_quaternions, special_quaternions):
    for q in np.concatenate([random_quaternions[:300], special_quaternions]):
        best = gimbal_lock.best_sequence(q)
        s = gimbal_lock.measures(q)
        assert s[SEQUENCES.index(best)] >= s.max() - 1e-9  # ties
        # each row of R has an entry of at most 1/sqrt(3): s is at least sqrt(2/3)
        assert s.max() > 0.816


def test_ties_keep_the_current_sequence_and_else_go_to_the_first_in_the_list():
    assert gimbal_lock.best_sequence(np.eye(3)) == "1-2-3"  # all six of Cardan type have s = 1
    assert gimbal_lock.best_sequence(np.eye(3), current="zyx") == "3-2-1"
    assert gimbal_lock.best_sequence(np.eye(3), current="3-1-3") == "1-2-3"
    quarter = quaternion.step([1, 0, 0, 0], [np.pi / 2, 0, 0], 1.0)
    assert gimbal_lock.best_sequence(quarter) == "2-1-2"  # R_22 = 0: s = 1, first of its ties


def test_switching_to_the_best_sequence_mends_a_lock(sequence):
    locked = [0.4, locked_thetas(sequence)[0], 0.9]
    assert gimbal_lock.level(sequence, locked) == Level.RED
    best = gimbal_lock.best_sequence(euler_angles.matrix(sequence, locked), current=sequence)
    mended = euler_angles.change_sequence(sequence, locked, best)
    assert gimbal_lock.level(best, mended) == Level.FINE
