"""Every description of a rotation leads to every other and back without loss."""

import numpy as np
import pytest

from rotations import SEQUENCES, axis_angle, convert, euler_angles, matrix, quaternion
from rotations.conversion import NAMES
from tests.rotations.sample_angles import locked_thetas

EXACT = 1e-12  # asked of every round trip; 3e-15 is what is measured
NEAR_LOCK = 1e-8  # asked within 1e-4 rad of a lock; 3e-13 is what is measured (LOCK_ANGLE)


@pytest.mark.parametrize("name", NAMES)
def test_random_rotations_survive_a_round_trip(name, random_quaternions):
    q = quaternion.canonical(random_quaternions)
    there = convert(q, "quaternion", name)
    assert np.abs(convert(there, name, "matrix") - quaternion.matrix(q)).max() < EXACT
    # the sign of a quaternion with q0 near 0 may change: compare up to sign
    back = quaternion.nearest_sign(convert(there, name, "quaternion"), q)
    assert np.abs(back - q).max() < EXACT


@pytest.mark.parametrize("name", NAMES)
def test_special_rotations_survive_a_round_trip(name, special_quaternions):
    R = quaternion.matrix(special_quaternions)
    there = convert(R, "matrix", name)
    assert np.isfinite(there).all()
    assert np.abs(convert(there, name, "matrix") - R).max() < EXACT


def test_each_pair_of_descriptions_agrees(random_quaternions):
    q = quaternion.canonical(random_quaternions[:50])
    R = quaternion.matrix(q)
    for source in NAMES:
        value = convert(q, "quaternion", source)
        for target in NAMES:
            result = convert(convert(value, source, target), target, "matrix")
            assert np.abs(result - R).max() < EXACT


def test_angles_come_back_with_theta_in_its_range(sequence, random_quaternions):
    angles = euler_angles.from_quaternion(sequence, random_quaternions)
    low, high = locked_thetas(sequence)
    assert (angles[:, 1] >= low).all() and (angles[:, 1] <= high).all()
    assert (np.abs(angles[:, [0, 2]]) <= np.pi).all()
    again = euler_angles.from_matrix(sequence, euler_angles.matrix(sequence, angles))
    difference = np.abs(np.angle(np.exp(1j * (again - angles))))
    # angles lose the factor 1/s near the lock; the nearest of 10 000 samples has s of about 1e-3
    assert difference.max() < EXACT


@pytest.mark.parametrize("away", [0.0, 1e-16, 1e-13, 1e-12, 1e-10, 1e-8, 1e-6, 1e-4])
def test_rotations_near_the_lock_survive_a_round_trip(sequence, away):
    rng = np.random.default_rng(8)
    for theta in locked_thetas(sequence):
        for side in (-1.0, 1.0):
            angles = rng.uniform(-np.pi, np.pi, size=(500, 3))
            angles[:, 1] = theta + side * away
            R = euler_angles.matrix(sequence, angles)
            for back in (
                euler_angles.from_matrix(sequence, R),
                euler_angles.from_quaternion(sequence, euler_angles.quaternion(sequence, angles)),
            ):
                assert np.isfinite(back).all()
                assert np.abs(euler_angles.matrix(sequence, back) - R).max() < NEAR_LOCK


def test_changing_the_sequence_keeps_the_orientation(random_quaternions):
    q = random_quaternions[:1000]
    for old in SEQUENCES:
        angles = euler_angles.from_quaternion(old, q)
        for new in SEQUENCES:
            changed = euler_angles.change_sequence(old, angles, new)
            assert np.abs(euler_angles.matrix(new, changed) - quaternion.matrix(q)).max() < EXACT


@pytest.mark.parametrize("short", [0.0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3])
def test_logarithm_and_exponential_are_accurate_near_a_half_turn(short, vectors):
    n = vectors[:2000] / np.linalg.norm(vectors[:2000], axis=1, keepdims=True)
    R = axis_angle.matrix(n, np.full(2000, np.pi - short))
    v = axis_angle.logarithm(R)
    assert np.abs(axis_angle.exponential(v) - R).max() < EXACT
    assert np.abs(np.linalg.norm(v, axis=1) - (np.pi - short)).max() < EXACT
    assert np.abs(matrix.angle_between_rotations(np.eye(3), R) - (np.pi - short)).max() < EXACT


def test_the_printed_arc_cosine_would_lose_half_the_digits():
    phi = 1e-9
    R = axis_angle.matrix([1.0, 2.0, 3.0], phi)
    assert np.isclose(axis_angle.from_matrix(R)[1], phi, rtol=1e-6)  # 1e-16 absolute in R
    naive = np.arccos(min(1.0, (np.trace(R) - 1.0) / 2.0))
    assert abs(naive - phi) > 0.5 * phi
