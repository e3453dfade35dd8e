"""R, A and B in symbols are those of the rotations in numbers, for all twelve sequences."""

from dataclasses import replace

import numpy as np
import pytest
import sympy as sp

from engine.compiling.system import compile_model
from engine.errors import EngineError
from engine.kinematics.evaluate import equations
from engine.model.elements import put
from engine.symbols.turning import (
    ANGLES,
    QUATERNION,
    axes_of,
    rates_of_quaternion,
    sections,
    turning,
    where_singular,
)
from rotations import SEQUENCES, euler_angles, gimbal_lock, matrix
from tests.engine.catalogue import bodies_and_markers

ROUNDING = 1e-14  # of sines, cosines and a few products of them


def numbers(expression):
    """A function of three angles."""
    return sp.lambdify(ANGLES, expression, "numpy")


def some_angles(n=5):
    return np.random.default_rng(4).uniform(-3.0, 3.0, (n, 3))


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_the_matrices_in_symbols_are_those_in_numbers(sequence):
    known = turning(sequence)
    R, A, B, det = (numbers(x) for x in (known.R, known.A, known.B, known.determinant))
    turns = [numbers(one) for one in known.elementary]
    for angles in some_angles():
        np.testing.assert_allclose(R(*angles), euler_angles.matrix(sequence, angles), atol=ROUNDING)
        for found, axes in ((A, "fixed"), (B, "body")):
            wanted = euler_angles.rate_matrix(sequence, angles, axes)
            np.testing.assert_allclose(found(*angles), wanted, atol=ROUNDING)
            assert np.linalg.det(wanted) == pytest.approx(det(*angles), abs=ROUNDING)
        for axis, turn, angle in zip(axes_of(sequence), turns, angles):
            wanted = matrix.elementary(axis + 1, angle)
            np.testing.assert_allclose(turn(*angles), wanted, atol=ROUNDING)


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_rates_turn_the_body_as_the_derivative_of_the_rotation_does(sequence):
    known = turning(sequence)
    angles, rates = some_angles(1)[0], np.array([0.7, -1.1, 0.4])
    R, A, B = (np.array(numbers(x)(*angles), dtype=float) for x in (known.R, known.A, known.B))
    by_angle = [np.array(numbers(known.R.diff(a))(*angles), dtype=float) for a in ANGLES]
    R_dot = sum(rate * by for rate, by in zip(rates, by_angle))
    for w, spin in ((A @ rates, R_dot @ R.T), (B @ rates, R.T @ R_dot)):
        skew = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
        np.testing.assert_allclose(spin, skew, atol=ROUNDING)


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_both_are_singular_at_gimbal_lock_and_nowhere_else(sequence):
    known = turning(sequence)
    is_euler = sequence[0] == sequence[-1]
    measure = sp.sin(ANGLES[1]) if is_euler else sp.cos(ANGLES[1])
    assert known.determinant in (measure, -measure)
    locks = (sp.Integer(0), sp.pi) if is_euler else (sp.pi / 2, -sp.pi / 2)
    for theta in locks:
        at_lock = {ANGLES[1]: theta}
        assert known.determinant.subs(at_lock) == 0
        for M in (known.A, known.B):
            assert sp.simplify(M.subs(at_lock).det()) == 0
            assert sp.simplify(M.subs(at_lock)[:, 0].cross(M.subs(at_lock)[:, 2])) == sp.zeros(3, 1)
        angles = np.array([0.3, float(theta), 0.5])
        assert gimbal_lock.measure(sequence, angles) < ROUNDING
    for theta in np.linspace(-3.0, 3.0, 7) + 0.05:
        angles = np.array([0.3, theta, 0.5])
        A = euler_angles.rate_matrix(sequence, angles, "fixed")
        measure = gimbal_lock.measure(sequence, angles)
        assert abs(np.linalg.det(A)) == pytest.approx(measure, abs=ROUNDING) and measure > 0.01
    assert ("sin θ" if is_euler else "cos θ") in where_singular(sequence)


def test_the_euler_angles_of_the_lecture_have_their_printed_matrices():
    phi, theta, psi = ANGLES
    known = turning("3-1-3")
    assert known.determinant == -sp.sin(theta)
    assert known.R[2, 0] == sp.sin(theta) * sp.sin(psi) and known.R[2, 2] == sp.cos(theta)
    assert known.A[0, 2] == sp.sin(phi) * sp.sin(theta)
    assert list(known.B[:, 0]) == [
        sp.sin(theta) * sp.sin(psi),
        sp.sin(theta) * sp.cos(psi),
        sp.cos(theta),
    ]
    assert turning("1-2-3").determinant == sp.cos(theta)


def test_sections_have_everything_and_a_wrong_sequence_is_told():
    assert [len(section.statements) for section in sections("1-2-3")] == [3, 1, 2, 2, 1]
    with pytest.raises(EngineError, match="There is no sequence '1-1-2'"):
        turning("1-1-2")


@pytest.mark.parametrize("parameters", ("quaternion", *SEQUENCES))
def test_rates_of_the_parameters_are_those_of_the_engine(parameters):
    """references.json, group symbols.orientation: T(p) w against q_dot, 1.8e-15 there."""
    model = bodies_and_markers(np.random.default_rng(8), 3)
    model = put(model, replace(model["a"], parameters=parameters))
    compiled = compile_model(model)
    k, at = compiled.body_ids.index("a"), compiled.layout
    T = rates_of_quaternion() if parameters == "quaternion" else turning(parameters).T
    p = QUATERNION if parameters == "quaternion" else ANGLES
    rng = np.random.default_rng(2)
    q, v = compiled.q0.copy(), rng.normal(size=compiled.layout.n_v)
    for _ in range(3):
        here = rng.normal(size=len(p))
        here = here / np.linalg.norm(here) if parameters == "quaternion" else here
        q[at.orientation(k)][: len(p)] = here
        wanted = equations(compiled, 0.0, q, v).q_dot[at.orientation(k)][: len(p)]
        found = np.array(sp.lambdify(p, T)(*here), dtype=float) @ v[at.spin(k)]
        np.testing.assert_allclose(found, wanted, atol=1e-14 * max(1.0, np.abs(wanted).max()))
