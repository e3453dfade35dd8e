"""Turns one after the other, the same in another order, and what is told of them."""

import numpy as np
import pytest

from engine.cli.commands import main
from engine.errors import EngineError
from engine.studies.turns import ORDERS, lock_sentence, order_sentence, rows_of, turns_of
from rotations import SEQUENCES, euler_angles, matrix, quaternion

ROUNDING = 1e-14  # of products of three matrices


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_the_steps_lead_to_the_rotation_of_the_sequence(sequence):
    angles = np.array([0.4, -1.1, 2.3])
    for order in ORDERS:
        found = turns_of(sequence, angles, order)
        np.testing.assert_allclose(found.R, euler_angles.matrix(sequence, angles), atol=ROUNDING)
        np.testing.assert_array_equal(found.steps[0], np.eye(3))
        for steps, turns in ((found.steps, found.turns), (found.other_steps, found.others)):
            for n, turn in enumerate(turns):
                axis = steps[n][:, turn.axis - 1]  # a turn leaves its axis where it is
                np.testing.assert_allclose(steps[n + 1][:, turn.axis - 1], axis, atol=ROUNDING)
                between = matrix.angle_between_rotations(steps[n], steps[n + 1])
                assert between == pytest.approx(abs(turn.angle), abs=1e-7)
        assert sorted(found.others) == sorted(found.turns)
        # turns about axes that stand still are the same in the reverse order
        if order == (2, 1, 0):
            fixed = np.eye(3)
            for turn in found.others:
                fixed = matrix.elementary(turn.axis, turn.angle) @ fixed
            np.testing.assert_allclose(fixed, found.R, atol=ROUNDING)


def test_two_quarter_turns_in_either_order_end_120_degrees_apart():
    found = turns_of("1-2-3", np.radians([90.0, 90.0, 0.0]), (1, 0, 2))
    first = quaternion.from_matrix(found.R)
    second = quaternion.from_matrix(found.other_steps[-1])
    apart = 2 * np.arccos(abs(first @ second))
    assert np.degrees(found.apart) == pytest.approx(np.degrees(apart)) == pytest.approx(120.0)
    assert "end 120° apart" in order_sentence(found)
    assert "end 0° apart" in order_sentence(turns_of("1-2-3", [0.3, 0.0, 0.0]))


def test_the_lock_and_what_is_left_of_the_angles_are_told():
    fine = turns_of("3-1-3", np.radians([30, 40, 50]))
    assert "−0.6428" in lock_sentence(fine) and "2.747" in lock_sentence(fine)
    for sequence, theta, sign in (
        ("3-1-3", 0.0, "+"),
        ("3-1-3", 180.0, "−"),
        ("1-2-3", 90.0, "+"),
        ("1-2-3", -90.0, "−"),
    ):
        locked = turns_of(sequence, np.radians([20.0, theta, 50.0]))
        assert f"only φ {sign} ψ" in lock_sentence(locked)
        moved = 0.7 if sign == "−" else -0.7
        same = turns_of(sequence, locked.angles + np.array([0.7, 0.0, moved]))
        np.testing.assert_allclose(same.R, locked.R, atol=ROUNDING)


def test_what_is_no_turn_is_told():
    with pytest.raises(EngineError, match="no sequence '4-5-6'"):
        turns_of("4-5-6", (0, 0, 0))
    with pytest.raises(EngineError, match="three angles"):
        turns_of("3-1-3", (0.0, float("nan"), 0.0))
    with pytest.raises(EngineError, match=r"at most 1e\+09 rad"):
        turns_of("3-1-3", (1e308, 0.0, 0.0))
    with pytest.raises(EngineError, match="each of the three turns once"):
        turns_of("3-1-3", (0, 0, 0), (0, 0, 2))
    assert len(rows_of(turns_of("3-1-3", (0.1, 0.2, 0.3)))) == 24


def test_the_command_tells_sequences_and_bodies(capsys):
    assert main(["rotation", "3-1-3", "--angles", "30", "40", "50"]) == 0
    told = capsys.readouterr().out
    assert "det A = det B = -sin(theta)" in told and "R_3 ( phi ) R_1 ( theta )" in told
    assert "13.62° apart" in told and "0.263258355" in told
    assert main(["rotation", "1-2-3", "--latex"]) == 0
    assert r"\cos{\left(\theta \right)}" in capsys.readouterr().out
    assert main(["rotation", "gimbal_lock", "--time", "0.1", "--sequence", "3-2-1"]) == 0
    assert "3-2-1: φ =" in capsys.readouterr().out
    for given, words in (
        (["four_bar"], "drawn in the plane"),
        (["gimbal_lock", "--body", "x"], "no body 'x' that turns"),
        (["gimbal_lock", "--angles", "1", "2", "3"], "leave --angles away"),
        (["1-2-3", "--order", "1", "1", "2"], "each of the three turns once"),
    ):
        assert main(["rotation", *given]) == 2
        assert words in capsys.readouterr().err
