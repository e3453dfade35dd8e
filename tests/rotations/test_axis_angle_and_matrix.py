"""Laws of single turns, of rotation matrices, and of frames built on one axis."""

import numpy as np
import pytest
from scipy.linalg import expm, polar
from scipy.spatial.transform import Rotation

from rotations import axis_angle, matrix, quaternion, vector

ROUNDING = 1e-14  # some ten operations on numbers near 1


def test_a_skew_matrix_multiplies_like_a_cross_product(vectors):
    a, b = vectors[:100], vectors[100:200]
    assert np.allclose(np.einsum("nij,nj->ni", vector.skew(a), b), np.cross(a, b), atol=ROUNDING)
    assert np.array_equal(vector.unskew(vector.skew(a)), a)
    assert np.array_equal(vector.skew([1, 2, 3]), [[0, -3, 2], [3, 0, -1], [-2, 1, 0]])


def test_a_frame_has_its_z_axis_along_the_given_axis(vectors):
    tricky = np.array([[0, 0, -1], [0, 0, 1], [1e-9, 0, -1], [0, 1e-150, -1], [1e99, 0, 1e99]])
    axes = np.concatenate([vectors, tricky])
    R = vector.frame_from_axis(axes)
    assert np.all(matrix.is_rotation(R, tolerance=ROUNDING))
    n = axes / np.linalg.norm(axes, axis=1, keepdims=True)
    assert np.abs(R[:, :, 2] - n).max() < ROUNDING


def test_a_frame_is_the_shortest_turn_and_varies_continuously():
    assert np.array_equal(vector.frame_from_axis([0, 0, 5.0]), np.eye(3))
    tilt = np.linspace(0.0, np.pi - 0.01, 1000)
    n = np.stack([0.6 * np.sin(tilt), 0.8 * np.sin(tilt), np.cos(tilt)], axis=1)
    R = vector.frame_from_axis(n)
    assert np.abs(axis_angle.from_matrix(R)[1] - tilt).max() < 1e-12  # 1e-15 / 0.01 at the end
    assert np.abs(np.diff(R, axis=0)).max() < 1.1 * np.pi / 1000  # no faster than the axis


def test_rodrigues_agrees_with_the_matrix_exponential():
    for v in np.random.default_rng(4).normal(size=(50, 3)) * 2:
        phi = np.linalg.norm(v)
        expected = expm(vector.skew(v))
        assert np.abs(axis_angle.exponential(v) - expected).max() < 1e-13  # accuracy of expm
        assert np.abs(axis_angle.matrix(v, phi) - expected).max() < 1e-13


def test_the_rotation_vector_agrees_with_scipy(random_quaternions):
    theirs = Rotation.from_quat(random_quaternions, scalar_first=True).as_rotvec()
    mine = axis_angle.logarithm_quaternion(random_quaternions)
    assert np.abs(mine - theirs).max() < 1e-13


def test_the_rotation_by_zero_is_regular_and_gets_the_axis_z():
    assert np.array_equal(axis_angle.exponential([0, 0, 0]), np.eye(3))  # erratum E-75
    n, phi = axis_angle.from_matrix(np.eye(3))
    assert np.array_equal(n, [0, 0, 1]) and phi == 0.0


def test_a_half_turn_gets_the_axis_whose_first_number_is_positive():
    for axis in ([-1, 0, 0], [0, -1, 0], [0, 0, -1], [0, -3, 4]):
        q = np.concatenate([[0.0], np.array(axis) / np.linalg.norm(axis)])
        n, phi = axis_angle.from_quaternion(q)
        assert phi == np.pi
        assert np.array_equal(n, -q[1:])


@pytest.mark.parametrize("phi", [0.0, 1e-140, 1e-12, 1e-8, 1e-5])
def test_tiny_turns_keep_their_relative_accuracy(phi):
    v = phi * np.array([0.6, 0.0, -0.8])
    back = axis_angle.logarithm_quaternion(axis_angle.exponential_quaternion(v))
    assert np.allclose(back, v, rtol=1e-15, atol=0)  # a few roundings


@pytest.mark.parametrize("angle", [0.0, 1e-15, 1e-9, 1e-3, 2.0, 2.2, np.pi - 1e-9, np.pi])
def test_the_angle_between_rotations_is_accurate_at_both_ends(angle, random_quaternions):
    P = quaternion.matrix(random_quaternions[:500])
    R = P @ axis_angle.matrix([1.0, -2.0, 0.5], angle)
    found = matrix.angle_between_rotations(P, R)
    assert np.abs(found - angle).max() < 2e-15  # rounding of the product P E


def test_the_nearest_rotation_is_the_polar_factor(random_quaternions):
    rng = np.random.default_rng(11)
    for R in quaternion.matrix(random_quaternions[:50]):
        M = R + 0.1 * rng.normal(size=(3, 3))
        assert np.abs(matrix.nearest_rotation(M) - polar(M)[0]).max() < 1e-13


def test_a_worn_matrix_counts_as_the_nearest_rotation(random_quaternions):
    R = quaternion.matrix(random_quaternions)
    worn = np.round(R, 7)
    near = quaternion.matrix(quaternion.from_matrix(worn))
    assert np.abs(near - matrix.nearest_rotation(worn)).max() < ROUNDING
    assert np.abs(near - R).max() < 2e-7  # seven decimals


def test_only_proper_rotations_pass_the_check():
    assert matrix.is_rotation(np.eye(3)) is True
    stack = np.stack([np.eye(3), -np.eye(3), 2 * np.eye(3), np.zeros((3, 3))])
    assert np.array_equal(matrix.is_rotation(stack), [True, False, False, False])


def test_elementary_rotations_are_those_of_theory():
    c, s = np.cos(0.3), np.sin(0.3)
    expected = {
        1: [[1, 0, 0], [0, c, -s], [0, s, c]],
        2: [[c, 0, s], [0, 1, 0], [-s, 0, c]],
        3: [[c, -s, 0], [s, c, 0], [0, 0, 1]],
    }
    for axis, R in expected.items():
        assert np.allclose(matrix.elementary(axis, 0.3), R, atol=ROUNDING)
