"""Hypothesis searches for rotations that break the laws."""

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rotations import SEQUENCES, axis_angle, convert, euler_angles, gimbal_lock, matrix, quaternion
from rotations.conversion import NAMES

SEARCH = settings(max_examples=100, derandomize=True, deadline=None)
ANY_NUMBER = st.floats(-1e100, 1e100)
ANGLE = st.one_of(
    st.floats(-10.0, 10.0),
    st.integers(-8, 8).map(lambda n: n * np.pi / 4),  # locks and half turns
    st.tuples(st.integers(-8, 8), st.floats(-1e-6, 1e-6)).map(lambda x: x[0] * np.pi / 4 + x[1]),
)
ANGLES = st.tuples(ANGLE, ANGLE, ANGLE).map(np.array)
SEQUENCE = st.sampled_from(SEQUENCES)
EXACT = 1e-12  # measured: 3e-13, at the edge of the lock


@st.composite
def quaternions(draw):
    """Unit quaternions, with numbers of wildly different size."""
    q = np.array(draw(st.tuples(*[ANY_NUMBER] * 4)))
    assume(np.abs(q).max() > 1e-90)
    return quaternion.normalise(q)


@SEARCH
@given(quaternions(), st.sampled_from(NAMES), st.sampled_from(NAMES))
def test_no_rotation_is_lost_between_two_descriptions(q, first, second):
    there = convert(convert(q, "quaternion", first), first, second)
    assert np.isfinite(there).all()
    R = convert(there, second, "matrix")
    assert np.abs(R - quaternion.matrix(q)).max() < EXACT


@SEARCH
@given(ANGLES, SEQUENCE, SEQUENCE)
def test_no_angles_are_lost_in_another_sequence(angles, old, new):
    R = euler_angles.matrix(old, angles)
    assert matrix.is_rotation(R, tolerance=1e-14)  # rounding
    changed = euler_angles.change_sequence(old, angles, new)
    assert np.abs(euler_angles.matrix(new, changed) - R).max() < EXACT


@SEARCH
@given(ANGLES, ANGLES, SEQUENCE)
def test_the_nearest_branch_is_the_same_orientation_and_within_reach(angles, previous, sequence):
    found = euler_angles.continuous(sequence, [angles], start=previous)[0]
    R = euler_angles.matrix(sequence, angles)
    assert np.abs(euler_angles.matrix(sequence, found) - R).max() < EXACT
    assert (np.abs(found - previous) <= np.pi + 1e-12).all()  # at most half a turn, and rounding


@SEARCH
@given(ANGLES, st.tuples(*[st.floats(-100, 100)] * 3).map(np.array), SEQUENCE)
def test_rates_come_back_unless_locked(angles, rates, sequence):
    s = gimbal_lock.measure(sequence, angles)
    assume(s > 1e-9)
    for axes in ("body", "fixed"):
        w = euler_angles.angular_velocity(sequence, angles, rates, axes)
        back = euler_angles.rates(sequence, angles, w, axes)
        # rounding of numbers up to 200, magnified by 1/s
        assert np.abs(back - rates).max() < 1e-13 / s * (1 + np.abs(rates).max())


@SEARCH
@given(st.tuples(*[st.floats(-1e3, 1e3)] * 3).map(np.array))
def test_exponential_and_logarithm_are_inverse(v):
    R = axis_angle.exponential(v)
    again = axis_angle.logarithm(R)
    assert np.linalg.norm(again) <= np.pi
    # the sine of an angle of up to 900 rad is good to 1e-13
    assert np.abs(axis_angle.exponential(again) - R).max() < EXACT


@SEARCH
@given(quaternions(), quaternions(), st.floats(0.0, 1.0))
def test_slerp_stays_on_the_arc(p, q, u):
    between = quaternion.slerp(p, q, u)
    assert abs(quaternion.norm(between) - 1.0) < 1e-14  # rounding
    P, Q, B = (quaternion.matrix(x) for x in (p, q, between))
    whole = matrix.angle_between_rotations(P, Q)
    part = matrix.angle_between_rotations(P, B)
    assert abs(part - u * whole) < 1e-14  # rounding of angles up to pi


@SEARCH
@given(quaternions())
def test_some_sequence_is_always_far_from_its_lock(q):
    best = gimbal_lock.best_sequence(q)
    angles = euler_angles.from_quaternion(best, q)
    assert gimbal_lock.level(best, angles) == gimbal_lock.Level.FINE
