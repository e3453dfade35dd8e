"""What is no rotation is refused with a sentence that says what, where and how to mend it."""

import numpy as np
import pytest

from rotations import (
    RotationError,
    axis_angle,
    convert,
    euler_angles,
    gimbal_lock,
    matrix,
    quaternion,
    vector,
)

GOOD = np.array([1.0, 0.0, 0.0, 0.0])
MIRROR = np.diag([1.0, 1.0, -1.0])

REFUSED = {
    "zero quaternion": (lambda: quaternion.normalise([0, 0, 0, 0]), "is zero.*direction"),
    "zero inverse": (lambda: quaternion.inverse(np.zeros(4)), "is zero"),
    "length 2": (lambda: quaternion.matrix([2, 0, 0, 0]), "length 1.*quaternion.normalise"),
    "row named": (lambda: quaternion.matrix([GOOD, GOOD, 0.9 * GOOD]), "in row 2"),
    "just too long": (lambda: quaternion.matrix(GOOD * (1 + 2e-6)), "length 1"),
    "zero axis": (lambda: axis_angle.matrix([0, 0, 0], 1.0), "axis is zero"),
    "zero frame": (lambda: vector.frame_from_axis([[0, 0, 1], [0, 0, 0]]), "in row 1 is zero"),
    "sheared matrix": (
        lambda: quaternion.from_matrix([[1, 0.1, 0], [0, 1, 0], [0, 0, 1]]),
        "not orthogonal.*nearest_rotation",
    ),
    "reflection": (lambda: quaternion.from_matrix(MIRROR), "reflection.*[Rr]everse one"),
    "reflected row": (lambda: axis_angle.logarithm([np.eye(3), MIRROR]), "in row 1.*reflection"),
    "flat matrix": (lambda: matrix.nearest_rotation(np.diag([1.0, 1.0, 0.0])), "singular"),
    "zero matrix": (lambda: matrix.nearest_rotation(np.zeros((3, 3))), "singular"),
    "mirrored": (lambda: matrix.nearest_rotation(3 * MIRROR), "mirrored"),
    "not skew": (lambda: vector.unskew(np.eye(3)), "not skew"),
    "nan": (lambda: euler_angles.matrix("313", [0, np.nan, 0]), "not finite"),
    "inf": (lambda: quaternion.rate(GOOD, [[0, 0, 0], [np.inf, 0, 0]]), "in row 1 is not finite"),
    "too large": (lambda: quaternion.normalise([1e200, 0, 0, 0]), "too large"),
    "three numbers": (lambda: quaternion.matrix([1, 0, 0]), r"shape \(3,\); give \(4,\)"),
    "a number": (lambda: vector.skew(3.0), r"shape \(\)"),
    "three levels": (lambda: quaternion.norm(np.zeros((2, 2, 4))), r"stack \(n, 4\)"),
    "ragged": (lambda: vector.skew([[1, 2, 3], [1, 2]]), "real numbers"),
    "words": (lambda: vector.skew(["a", "b", "c"]), "real numbers"),
    "complex": (lambda: quaternion.norm(np.zeros(4, dtype=complex)), "real numbers"),
    "two lengths": (lambda: quaternion.product([GOOD] * 2, [GOOD] * 3), "differ in length"),
    "3-3-1": (lambda: euler_angles.matrix("3-3-1", [0, 0, 0]), "3-3-1.*neighbours differ.*3-1-3"),
    "3-1": (lambda: euler_angles.matrix("3-1", [0, 0, 0]), "Unknown sequence '3-1'"),
    "number": (lambda: euler_angles.matrix(313, [0, 0, 0]), "Unknown sequence 313"),
    "xyw": (lambda: euler_angles.matrix("xyw", [0, 0, 0]), "Unknown sequence"),
    "description": (lambda: convert(GOOD, "quaternion", "spinor"), "spinor.*rotation vector"),
    "axes": (lambda: quaternion.rate(GOOD, [0, 0, 0], "world"), "'world'.*'body' or 'fixed'"),
    "axis 4": (lambda: matrix.elementary(4, 0.1), "axis 4"),
    "lock": (
        lambda: euler_angles.rates("3-1-3", [0.1, 0.0, 0.2], [1, 0, 0]),
        "3-1-3 are in gimbal lock.*best_sequence",
    ),
    "lock of row": (
        lambda: euler_angles.inverse_rate_matrix("321", [[0, 0, 0], [0, np.pi / 2, 0]]),
        "in row 1",
    ),
    "single history": (lambda: quaternion.continuous(GOOD), "history"),
    "single angles": (lambda: euler_angles.continuous("313", [0, 1, 0]), "history"),
    "two starts": (
        lambda: euler_angles.continuous("313", np.ones((2, 3)), np.ones((1, 3))),
        "start",
    ),
    "orientation": (lambda: gimbal_lock.measures([1, 2, 3]), r"shape \(3,\)"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_input_is_refused_with_a_sentence(name):
    call, sentence = REFUSED[name]
    with pytest.raises(RotationError, match=sentence) as refusal:
        call()
    text = str(refusal.value)
    assert text[0].isupper() and text.endswith(".") and "\n" not in text


def test_a_rotation_error_is_a_value_error():
    assert issubclass(RotationError, ValueError)


def test_empty_stacks_give_empty_stacks():
    none = np.empty((0, 4))
    assert quaternion.matrix(none).shape == (0, 3, 3)
    assert quaternion.from_matrix(np.empty((0, 3, 3))).shape == (0, 4)
    assert convert(none, "quaternion", "3-1-3").shape == (0, 3)
    assert euler_angles.continuous("3-1-3", np.empty((0, 3))).shape == (0, 3)
    assert quaternion.continuous(none).shape == (0, 4)
    assert quaternion.product(none, GOOD).shape == (0, 4)


def test_input_is_never_changed():
    q = np.array([GOOD * (1 + 1e-7)])
    R = np.array([np.eye(3) + 1e-8])
    before = q.copy(), R.copy()
    q.setflags(write=False)
    R.setflags(write=False)
    quaternion.matrix(q)
    quaternion.from_matrix(R)
    quaternion.continuous(q)
    assert np.array_equal(q, before[0]) and np.array_equal(R, before[1])


def test_integers_lists_and_strided_arrays_are_welcome():
    wide = np.zeros((4, 8))
    wide[:, 0] = 1.0
    assert np.array_equal(quaternion.matrix(wide[:, ::2]), np.stack([np.eye(3)] * 4))
    assert np.array_equal(quaternion.matrix([1, 0, 0, 0]), np.eye(3))
    assert np.array_equal(quaternion.matrix(np.asfortranarray(wide[:, :4])), [np.eye(3)] * 4)
