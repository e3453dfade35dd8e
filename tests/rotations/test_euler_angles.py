"""Laws of Euler angles, held by all twelve sequences."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from rotations import SEQUENCES, euler_angles, matrix, quaternion
from tests.rotations.sample_angles import locked_thetas, regular_angles

ROUNDING = 1e-14  # some ten operations on numbers near 1


def scipy_name(sequence):
    """Upper case: intrinsic axes, in scipy."""
    return sequence.replace("-", "").translate(str.maketrans("123", "XYZ"))


def test_there_are_six_sequences_of_each_type_and_no_other():
    assert len(set(SEQUENCES)) == 12
    assert [euler_angles.is_euler_type(s) for s in SEQUENCES] == [True] * 6 + [False] * 6
    assert all(s[0] != s[2] != s[4] for s in SEQUENCES)


@pytest.mark.parametrize("spelling", ["3-1-3", "313", "zxz", "ZXZ", "z-x-z", " 3-1-3 "])
def test_a_sequence_may_be_spelt_in_several_ways(spelling):
    assert euler_angles.name_of(spelling) == "3-1-3"
    assert SEQUENCES[euler_angles.code_of(spelling)] == "3-1-3"


def test_the_matrix_is_the_product_of_three_elementary_rotations(sequence):
    angles = regular_angles(sequence)
    i, j, k = (int(axis) for axis in sequence.split("-"))
    R = (
        matrix.elementary(i, angles[:, 0])
        @ matrix.elementary(j, angles[:, 1])
        @ matrix.elementary(k, angles[:, 2])
    )
    assert np.abs(euler_angles.matrix(sequence, angles) - R).max() < ROUNDING


def test_scipy_agrees_on_matrix_and_quaternion(sequence):
    angles = regular_angles(sequence)
    theirs = Rotation.from_euler(scipy_name(sequence), angles)
    assert np.abs(euler_angles.matrix(sequence, angles) - theirs.as_matrix()).max() < ROUNDING
    mine = quaternion.canonical(euler_angles.quaternion(sequence, angles))
    assert np.abs(mine - theirs.as_quat(canonical=True, scalar_first=True)).max() < ROUNDING


def test_scipy_agrees_on_the_angles_of_a_rotation(sequence, random_quaternions):
    theirs = Rotation.from_quat(random_quaternions, scalar_first=True)
    expected = theirs.as_euler(scipy_name(sequence))
    mine = euler_angles.from_quaternion(sequence, random_quaternions)
    difference = np.angle(np.exp(1j * (mine - expected)))
    # both are right to 1e-15 / s, and the smallest s of the samples is about 1e-3
    assert np.abs(difference).max() < 1e-11


@pytest.mark.parametrize("axes", ["body", "fixed"])
def test_angular_velocity_agrees_with_central_differences(sequence, axes):
    angles, h = regular_angles(sequence, 200), 1e-5
    rates = np.random.default_rng(9).normal(size=angles.shape)
    ahead, behind = (euler_angles.matrix(sequence, angles + s * rates) for s in (h, -h))
    R, R_dot = euler_angles.matrix(sequence, angles), (ahead - behind) / (2 * h)
    Rt = np.swapaxes(R, 1, 2)
    W = Rt @ R_dot if axes == "body" else R_dot @ Rt
    expected = np.stack([W[:, 2, 1], W[:, 0, 2], W[:, 1, 0]], axis=1)
    found = euler_angles.angular_velocity(sequence, angles, rates, axes)
    assert np.abs(found - expected).max() < 1e-7  # h^2 times third derivatives of up to 10^3


def test_the_fixed_rate_matrix_is_R_times_the_body_one(sequence):
    angles = regular_angles(sequence)
    A = euler_angles.rate_matrix(sequence, angles, "fixed")
    B = euler_angles.rate_matrix(sequence, angles, "body")
    assert np.abs(A - euler_angles.matrix(sequence, angles) @ B).max() < ROUNDING


@pytest.mark.parametrize("axes", ["body", "fixed"])
def test_the_closed_inverse_is_the_inverse(sequence, axes):
    angles = regular_angles(sequence)
    rate_matrix = euler_angles.rate_matrix(sequence, angles, axes)
    inverse = euler_angles.inverse_rate_matrix(sequence, angles, axes)
    assert np.abs(inverse @ rate_matrix - np.eye(3)).max() < 1e-13  # rounding times 1/s < 10
    w = np.random.default_rng(10).normal(size=angles.shape)
    rates = euler_angles.rates(sequence, angles, w, axes)
    assert np.abs(rates - np.einsum("nij,nj->ni", inverse, w)).max() < 1e-13


def test_the_closed_forms_of_theory_hold():
    angles = np.array([0.4, 0.9, -1.3])
    s1, s2, s3 = np.sin(angles)
    c1, c2, c3 = np.cos(angles)
    euler, cardan, yaw = "3-1-3", "1-2-3", "3-2-1"
    B = [[s2 * s3, c3, 0], [s2 * c3, -s3, 0], [c2, 0, 1]]
    A = [[0, c1, s1 * s2], [0, s1, -c1 * s2], [1, 0, c2]]
    assert np.allclose(euler_angles.rate_matrix(euler, angles), B, atol=ROUNDING)
    assert np.allclose(euler_angles.rate_matrix(euler, angles, "fixed"), A, atol=ROUNDING)
    B = [[c2 * c3, s3, 0], [-c2 * s3, c3, 0], [s2, 0, 1]]
    A = [[1, 0, s2], [0, c1, -s1 * c2], [0, s1, c1 * c2]]
    assert np.allclose(euler_angles.rate_matrix(cardan, angles), B, atol=ROUNDING)
    assert np.allclose(euler_angles.rate_matrix(cardan, angles, "fixed"), A, atol=ROUNDING)
    B = [[-s2, 0, 1], [c2 * s3, c3, 0], [c2 * c3, -s3, 0]]
    assert np.allclose(euler_angles.rate_matrix(yaw, angles), B, atol=ROUNDING)


def test_euler_type_is_regular_at_90_degrees_and_cardan_type_at_0():
    for sequence in SEQUENCES:  # erratum E-73: 3-1-3 is not singular at 90 degrees
        theta = np.pi / 2 if euler_angles.is_euler_type(sequence) else 0.0
        B = euler_angles.rate_matrix(sequence, [0.3, theta, -0.8])
        assert np.isclose(abs(np.linalg.det(B)), 1.0, atol=ROUNDING)


def test_in_the_lock_psi_is_the_value_asked_for(sequence):
    for theta in locked_thetas(sequence):
        R = euler_angles.matrix(sequence, [0.5, theta, 0.8])
        for psi in (0.0, -2.0):
            angles = euler_angles.from_matrix(sequence, R, psi_at_lock=psi)
            assert angles[2] == psi
            assert np.abs(euler_angles.matrix(sequence, angles) - R).max() < ROUNDING


def test_a_history_of_angles_becomes_continuous(sequence):
    """Angles that run through both branches, turns and locks come back as they were."""
    t = np.linspace(0.0, 3.0, 3001)
    smooth = np.stack([2.0 + 5.0 * t, 0.3 + 4.0 * t, -1.0 - 3.0 * t], axis=1)
    R = euler_angles.matrix(sequence, smooth)
    jumping = euler_angles.from_matrix(sequence, R)
    assert np.abs(np.diff(jumping, axis=0)).max() > 3.0
    mended = euler_angles.continuous(sequence, jumping, start=smooth[0])
    # 1e-11: angles lose 1e-15 / s, and no sample is nearer to the lock than 1e-4
    assert np.abs(mended - smooth).max() < 1e-11


def test_a_history_through_the_exact_lock_stays_continuous(sequence):
    for lock in locked_thetas(sequence):
        theta = lock + 0.001 * np.arange(-500, 501)  # theta[500] is the lock itself
        smooth = np.stack([np.full(1001, 0.7), theta, np.full(1001, -2.5)], axis=1)
        jumping = euler_angles.from_matrix(sequence, euler_angles.matrix(sequence, smooth))
        mended = euler_angles.continuous(sequence, jumping, start=smooth[0])
        # 1e-12: 1e-15 / 0.001 next to the lock
        assert np.abs(mended - smooth).max() < 1e-12


def test_continuity_changes_no_orientation(sequence, random_quaternions):
    angles = euler_angles.from_quaternion(sequence, random_quaternions)
    mended = euler_angles.continuous(sequence, angles)
    R = quaternion.matrix(random_quaternions)
    # the angles of unrelated samples may wander over many turns: 1e-16 of some 100 rad
    assert np.abs(euler_angles.matrix(sequence, mended) - R).max() < 1e-12


def test_rates_grow_like_one_over_s_towards_the_lock(sequence):
    """Errata E-73, E-74: the parametrisation runs away there, whatever the body does."""
    theta = locked_thetas(sequence)[0]
    w = [0.3, -0.5, 0.8]
    fast = [
        np.abs(euler_angles.rates(sequence, [0.4, theta + s, 1.1], w)).max() for s in (1e-3, 1e-6)
    ]
    assert np.isclose(fast[1] / fast[0], 1e3, rtol=0.01)  # 1/s and a part that stays finite
