"""The stored reference cases of rotations, computed independently of this package."""

import json
from pathlib import Path

import numpy as np
import pytest

from rotations import SEQUENCES, euler_angles, gimbal_lock, quaternion

_FILE = Path(__file__).parents[1] / "data" / "golden.json"
CASES = {case["id"]: case for case in json.loads(_FILE.read_text(encoding="utf-8"))}
ANGLES = np.radians([30.0, 40.0, 50.0])  # of all cases below
RATES = np.array([1.0, 2.0, 3.0])


def agrees(case, key, value):
    """Whether a value equals the expected one within the tolerance stored with the case."""
    tolerance = CASES[case]["tolerance"]
    expected = np.array(CASES[case]["expected"][key])
    allowed = tolerance.get("abs", 0.0) + tolerance.get("rel", 0.0) * np.abs(expected)
    return bool((np.abs(value - expected) <= allowed).all())


def test_the_file_of_reference_cases_is_complete():
    assert len(CASES) == 75
    assert all(set(case) == {"id", "inputs", "expected", "tolerance"} for case in CASES.values())


@pytest.mark.parametrize("sequence", ["313", "123", "321"])
def test_matrix_and_quaternion_agree_with_the_reference(sequence):
    case = f"rot_{sequence}"
    assert np.allclose(np.radians(CASES[case]["inputs"]["angles_deg"]), ANGLES)
    assert agrees(case, "R", euler_angles.matrix(sequence, ANGLES))
    assert agrees(case, "q", euler_angles.quaternion(sequence, ANGLES))
    assert agrees(case, "q", quaternion.from_matrix(CASES[case]["expected"]["R"]))


@pytest.mark.parametrize("sequence", ["313", "123"])
def test_angular_velocity_agrees_with_the_reference(sequence):
    case = f"rates_{sequence}"
    for axes in ("body", "fixed"):
        assert agrees(
            case, f"omega_{axes}", euler_angles.angular_velocity(sequence, ANGLES, RATES, axes)
        )
        det = np.linalg.det(euler_angles.rate_matrix(sequence, ANGLES, axes))
        assert agrees(case, "det", det)


def test_inverse_rate_matrix_of_313_has_the_corrected_third_row():
    inverse = euler_angles.inverse_rate_matrix("3-1-3", ANGLES)
    assert agrees("binv_313", "Binv", inverse)
    misprint = inverse.copy()
    misprint[2, 1] = -np.cos(ANGLES[2])  # -cos(psi) sin(theta) / sin(theta), erratum E-72
    w = euler_angles.angular_velocity("3-1-3", ANGLES, RATES)
    assert np.allclose(inverse @ w, RATES, atol=1e-14)  # rounding of numbers near 1
    assert abs((misprint @ w)[2] - 3.0) > 0.1  # the printed row gives another psi_dot


def test_the_singular_angles_are_those_of_the_reference():
    for sequence in SEQUENCES:
        kind = "euler" if euler_angles.is_euler_type(sequence) else "cardan"
        locked = CASES["singularities"]["expected"][f"{kind}_type_deg"]
        for theta in range(-90, 181, 10):
            angles = np.radians([20.0, theta, 30.0])
            # cos(90 degrees) is 6e-17 in floats; 10 degrees away the measure is 0.17
            assert (gimbal_lock.measure(sequence, angles) < 1e-15) == (theta in locked)


def test_a_torque_free_body_keeps_energy_and_momentum_in_the_reference():
    expected = CASES["torque_free_body"]["expected"]
    J = np.array([1.0, 2.0, 3.0])
    states = np.array([expected[t] for t in ("1", "5", "10", "20")])
    q, w = quaternion.normalise(states[:, :4]), states[:, 4:]
    # 1e-6: the accuracy stored with the case
    assert np.allclose((J * w * w).sum(axis=1) / 2, expected["kinetic_energy"], rtol=1e-6)
    H = quaternion.to_fixed(q, J * w)
    assert np.allclose(H, [0.01, 2.0, 0.03], rtol=0, atol=1e-6 * expected["H_norm"])
