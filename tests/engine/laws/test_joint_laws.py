"""Laws that hold for every joint and motion of the catalogue, at random poses, in plane and space."""

import numpy as np
import pytest
from scipy.linalg import null_space

from engine.compiling.system import compile_model
from engine.kernels import dynamics
from engine.kinematics.evaluate import equations
from tests.engine.catalogue import JOINT_CASES, MOTION_CASES, joint_model, motion_model

H = 1e-4  # of central differences of fourth order: truncation about 1e-14, rounding about 1e-12
DIFFERENCE = 1e-8  # their error for values of order one; a disc that nearly lies flat curves most

JOINTS_EVERYWHERE = [
    pytest.param(
        joint, dim, on_ground, id=f"{joint.kind}-{dim}d-{'ground' if on_ground else 'body'}"
    )
    for joint, dim in JOINT_CASES
    for on_ground in (False, True)
]
MOTIONS = [
    pytest.param(*case, quantity, id=f"{case[0]}-{case[1]}-{case[2]}d-{quantity}")
    for case in MOTION_CASES
    for quantity in ("position", "speed", "acceleration")
]


def moved(compiled, q, v, h):
    """The pose after a small displacement h v."""
    q = q.copy()
    system = compiled.system
    dynamics.move(system.dim, system.bodies, q, h * v, np.zeros_like(q))
    return q


def rate(compiled, t, q, v, of):
    """The time derivative of a quantity while v is constant, by central differences."""

    def at(h):
        return of(equations(compiled, t + h, moved(compiled, q, v, h), v))

    return (8 * (at(H) - at(-H)) - (at(2 * H) - at(-2 * H))) / (12 * H)


def assert_is_derivative_of_phi(compiled, t, q, v):
    """dPhi/dt = D v - nu on position level."""
    here = equations(compiled, t, q, v)
    held = compiled.system.rows["level"] == 0
    measured = rate(compiled, t, q, v, lambda e: e.Phi)
    np.testing.assert_allclose(measured[held], (here.D @ v - here.nu)[held], atol=DIFFERENCE)


def assert_gamma_is_minus_D_dot_v(compiled, t, q, v):
    """d(D v - nu)/dt = -gamma while v is constant, for rows that hold for velocities."""
    here = equations(compiled, t, q, v)
    held = compiled.system.rows["level"] < 2
    measured = rate(compiled, t, q, v, lambda e: e.D @ v - e.nu)
    scale = 1.0 + np.abs(here.gamma).max()
    np.testing.assert_allclose(measured[held], -here.gamma[held], atol=DIFFERENCE * scale)


@pytest.mark.parametrize(("joint", "dim", "on_ground"), JOINTS_EVERYWHERE)
def test_D_is_the_derivative_of_Phi(joint, dim, on_ground):
    for seed in range(3):
        compiled = compile_model(joint_model(joint, dim, seed, on_ground))
        assert_is_derivative_of_phi(compiled, 0.0, compiled.q0, compiled.v0)


@pytest.mark.parametrize(("joint", "dim", "on_ground"), JOINTS_EVERYWHERE)
def test_gamma_is_minus_D_dot_v(joint, dim, on_ground):
    for seed in range(3):
        compiled = compile_model(joint_model(joint, dim, seed, on_ground))
        assert_gamma_is_minus_D_dot_v(compiled, 0.0, compiled.q0, compiled.v0)


@pytest.mark.parametrize(("kind", "coordinate", "dim", "quantity"), MOTIONS)
def test_motions_have_complete_time_terms(kind, coordinate, dim, quantity):
    compiled = compile_model(motion_model(kind, coordinate, dim, quantity))
    assert_is_derivative_of_phi(compiled, 0.7, compiled.q0, compiled.v0)
    assert_gamma_is_minus_D_dot_v(compiled, 0.7, compiled.q0, compiled.v0)


@pytest.mark.parametrize(("kind", "coordinate", "dim", "quantity"), MOTIONS)
def test_an_acceleration_motion_prescribes_the_acceleration(kind, coordinate, dim, quantity):
    compiled = compile_model(motion_model(kind, coordinate, dim, quantity))
    here = equations(compiled, 0.7, compiled.q0, compiled.v0)
    row = compiled.rows_of["motion"][0]
    rest = equations(compiled, 0.7, compiled.q0, np.zeros_like(compiled.v0))
    t = 0.7  # law 0.3 sin 2t + 0.1 t^2 and its derivatives
    law = {
        "position": -1.2 * np.sin(2 * t) + 0.2,
        "speed": 0.6 * np.cos(2 * t) + 0.2 * t,
        "acceleration": 0.3 * np.sin(2 * t) + 0.1 * t**2,
    }[quantity]
    assert rest.gamma[row] == pytest.approx(law, abs=1e-12)  # at rest D_dot v = 0: exact
    assert here.D.shape == rest.D.shape


@pytest.mark.parametrize(("joint", "dim", "on_ground"), JOINTS_EVERYWHERE)
def test_accelerations_and_multipliers_solve_the_equations_of_motion(joint, dim, on_ground):
    compiled = compile_model(joint_model(joint, dim, 1, on_ground))
    e = equations(compiled, 0.0, compiled.q0, compiled.v0)
    scale = 1.0 + np.abs(e.f).max() + np.abs(e.lam).max()
    np.testing.assert_allclose(e.M @ e.a + e.D.T @ e.lam, e.f, atol=1e-11 * scale)  # rounding
    np.testing.assert_allclose(e.D @ e.a, e.gamma, atol=1e-10 * (1 + np.abs(e.gamma).max()))


@pytest.mark.parametrize(("joint", "dim", "on_ground"), JOINTS_EVERYWHERE)
def test_reactions_do_no_work(joint, dim, on_ground):
    compiled = compile_model(joint_model(joint, dim, 2, on_ground))
    e = equations(compiled, 0.0, compiled.q0, compiled.v0)
    allowed = null_space(e.D)
    v = allowed @ np.linspace(1.0, 2.0, allowed.shape[1])  # some velocity the joint allows
    power = -e.lam @ (e.D @ v)
    assert abs(power) < 1e-11 * (1 + np.abs(e.lam).max() * np.abs(v).max())  # rounding
