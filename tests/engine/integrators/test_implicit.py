"""Implicit methods: their iteration, their observed order, and every formulation of the constraints."""

from itertools import pairwise

import numpy as np
import pytest

from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from engine.integrators.direct import FAMILY
from engine.integrators.ode import solve
from engine.kernels import layout
from engine.kernels.entries import DONE, EVERYTHING, derive
from engine.kernels.implicit.entries import (
    FACTORISE,
    LINEARISE,
    NOT_CONVERGED,
    SOLVE,
    displace,
    newton,
)
from engine.kinematics.assemble import assemble
from tests.engine.implicit_runs import ORDER, integrate, problem_of
from tests.engine.poses import body_pose
from tests.validation import models

METHODS = [method for method in ORDER if method not in FAMILY]
BAUMGARTE = {layout.PROJECTED: 0.0, layout.TWO_ALPHA: 40.0, layout.BETA_SQUARED: 400.0}
FORMULATIONS = {
    "projection": {},
    "none": {layout.PROJECTED: 0.0},
    "baumgarte": BAUMGARTE,
    "penalty": {**BAUMGARTE, layout.COMPLIANCE: 1e-7},
}


def double_pendulum():
    """Two rods in motion, with nothing special about them."""
    return models.rod_chain((0.3, -0.4), (1.0, 2.0), (1.0, 0.7), (1.0, -2.0))


def spatial_pendulum(parameters="quaternion"):
    """A box in an oblique hinge, and another on it in a universal joint, with a spring and a damper."""
    m = Mechanism("pendulum", 3)
    a = m.box((0.5, 0, 0), 1.0, 0.2, 0.1, mass=2.0, parameters=parameters)
    b = m.box((1.0, 0, -0.4), 0.1, 0.2, 0.8, mass=1.0, parameters=parameters)
    m.revolute("ground", a, at=(0, 0, 0), axis=(0, 1, 0.3))
    m.universal(a, b, at=(1, 0, 0), axis_i=(0, 1, 0), axis_j=(1, 0, 0))
    m.spring_damper(("ground", (1, 1, -1)), (b, (1, 0, -0.8)), stiffness=20.0, damping=0.5)
    return m.model


def contraction(model, c, options):
    """The largest eigenvalue of one correction: the error after it, per error before."""
    compiled = compile_model(model)
    found = integrate(compiled, "rk4", 1e-3, 0.4)
    q, v = found.q[-1], found.v[-1]
    problem = problem_of(compiled, q, v, 1e-3, options)
    y, n = np.concatenate([q, v]), len(q) + len(v)

    def f(y):
        out = np.zeros(n)
        derive(problem.table, 0.4, y, out, flag=EVERYTHING)
        return out

    def slope(e):
        d = 1e-4  # fourth order: truncation 1e-16 of the fifth derivative, rounding 1e-12
        return (8 * (f(y + d * e) - f(y - d * e)) - f(y + 2 * d * e) + f(y - 2 * d * e)) / (12 * d)

    exact = np.eye(n) - c * np.array([slope(e) for e in np.eye(n)]).T
    f(y)
    inverse = np.eye(n)
    for k in range(n):
        tasks = LINEARISE | FACTORISE | SOLVE if k == 0 else SOLVE
        newton(problem.table, 0.4, y, inverse[k], np.array([c]), tasks)
    return np.abs(np.linalg.eigvals(np.eye(n) - inverse.T @ exact)).max()


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("make", [double_pendulum, spatial_pendulum])
def test_corrections_converge_with_the_square_of_the_step(make, formulation):
    rates = [contraction(make(), c, FORMULATIONS[formulation]) for c in (4e-3, 2e-3, 1e-3)]
    # angular velocities near 5 rad/s: the terms left out are some (c w)^2
    assert rates[0] < 0.01
    for before, after in pairwise(rates):
        assert 3.5 < before / after < 4.5  # second order would be 4


def test_corrections_for_euler_angles_converge_with_the_step():
    rates = [contraction(spatial_pendulum("1-2-3"), c, {}) for c in (4e-3, 2e-3, 1e-3)]
    assert rates[0] < 0.2
    assert 1.7 < rates[1] / rates[2] < 2.5  # first order would be 2


def observed_orders(errors):
    """log2 of the ratios of errors when the step is halved."""
    errors = np.array(errors)
    return np.log2(errors[:-1] / errors[1:])


@pytest.mark.parametrize("method", METHODS)
def test_the_order_on_any_equation_is_the_stated_one(method):
    def f(t, y):
        return np.array([y[1], -np.sin(y[0]) - 0.1 * y[1] ** 3 + np.cos(t)])

    exact = solve(f, [1.0, 0.5], 2.0, 1 / 1024, method="rk4", every=2048).y[-1]
    errors = []
    for n in (64, 128):
        found = solve(f, [1.0, 0.5], 2.0, 2 / n, method=method, every=n)
        errors.append(np.abs(found.y[-1] - exact).max())
    assert observed_orders(errors)[0] == pytest.approx(ORDER[method], abs=0.15)


@pytest.mark.parametrize("make", [double_pendulum, spatial_pendulum])
@pytest.mark.parametrize("method", ORDER)
def test_the_order_on_a_mechanism_is_the_stated_one(method, make):
    compiled = compile_model(make())
    t_end = 0.5
    exact = integrate(
        compiled, "rk4", 1e-4, t_end, n_frames=10
    )  # errs by 1e-11, less than all others
    errors = []
    for n in (400, 800):
        found = integrate(compiled, method, t_end / n, t_end, n_frames=10)
        assert found.status == DONE
        pairs = zip((found.q, found.v, found.lam), (exact.q, exact.v, exact.lam))
        # over ten times: at a single one an error may just pass through zero
        errors.append([np.sqrt(np.mean((a - b) ** 2)) for a, b in pairs])
    orders = observed_orders(errors)[0]  # of q, v and lam
    # Errors of order five are small sums of large parts: the next power of h still shows, up or down.
    assert (np.abs(orders - ORDER[method]) < (0.8 if ORDER[method] == 5 else 0.3)).all(), orders


@pytest.mark.parametrize("formulation", FORMULATIONS)
@pytest.mark.parametrize("method", METHODS)
def test_every_formulation_runs_with_every_method(method, formulation):
    compiled = compile_model(spatial_pendulum())
    options = FORMULATIONS[formulation]
    found = integrate(compiled, method, 2e-3, 0.4, options=options)
    exact = integrate(compiled, "rk4", 1e-4, 0.4)
    assert found.status == DONE
    bound = {1: 0.05, 2: 1e-3}.get(ORDER[method], 1e-4)  # about ten times what was seen
    assert np.abs(found.q[-1] - exact.q[-1]).max() < bound


@pytest.mark.parametrize("method", ["bdf4", "generalised_alpha", "generalised_alpha_index2"])
def test_euler_angles_and_quaternions_move_alike(method):
    ends = []
    for parameters in ("quaternion", "1-2-3"):
        compiled = compile_model(spatial_pendulum(parameters))
        found = integrate(compiled, method, 1e-3, 0.3)
        assert found.status == DONE
        poses = [body_pose(compiled, found.q[-1], id) for id in compiled.body_ids]
        ends.append(np.array([pose.axes for pose in poses]))
    # both err by some 1e-6 in their own way
    np.testing.assert_allclose(ends[0], ends[1], atol=2e-5)


def test_a_displacement_turns_by_its_exponential():
    compiled = compile_model(spatial_pendulum("1-2-3"))
    same = compile_model(spatial_pendulum())
    x = np.random.default_rng(0).uniform(-0.1, 0.1, size=len(compiled.v0))
    moved = []
    for c in (compiled, same):
        q = c.q0.copy()
        displace(3, c.system.bodies, c.q0, x, q)
        moved.append([body_pose(c, q, id).axes for id in c.body_ids])
    # RK4 over a turn of 0.2 rad errs by 0.2^5 / 120 = 3e-6 at most
    np.testing.assert_allclose(moved[0], moved[1], atol=3e-6)


@pytest.mark.parametrize("method", ["bdf2", "trapezoid", "generalised_alpha", "trapezoid_index3"])
def test_redundant_joints_are_no_obstacle(method):
    model = models.four_bar(1.0, 2.0, 2.0, 2.0, 0.7, dim=3).model
    planar = models.four_bar(1.0, 2.0, 2.0, 2.0, 0.7).model
    in_space = integrate(model, method, 1e-3, 0.5, redundant=True)
    in_plane = integrate(planar, method, 1e-3, 0.5)
    assert in_space.status == in_plane.status == DONE
    for k in range(3):  # the same four-bar; the methods see other coordinates of the same rotation
        P = [
            found.q[-1][compile_model(drawn).layout.position(k)]
            for found, drawn in ((in_space, model), (in_plane, planar))
        ]
        np.testing.assert_allclose(P[0][:2], P[1], atol=2e-6)


@pytest.mark.parametrize("method", ["bdf3", "trapezoid", "generalised_alpha", "hht"])
def test_rows_that_start_at_velocity_level_are_kept(method):
    model = models.knife_edge((1.0, 0.0), 2.0)
    found = integrate(model, method, 1e-3, 1.0, n_frames=10)
    exact = integrate(model, "rk4", 1e-4, 1.0, n_frames=10)
    assert found.status == DONE
    np.testing.assert_allclose(found.q, exact.q, atol=2e-6)  # second order at 1 ms


def test_damping_is_a_choice():
    # A stiff and a soft spring in a row: the stiff one rings at 1 kHz, steps are 5 ms.
    m = Mechanism("two springs", gravity=(0.0, 0.0))
    light, heavy = m.particle((1, 0), 0.01), m.particle((2, 0), 1.0)
    m.spring(("ground", (0, 0)), (light, (1, 0)), stiffness=4e5, free_length=0.999)
    m.spring((light, (1, 0)), (heavy, (2, 0)), stiffness=10.0)
    speeds = {}
    for damping in (0.0, 0.5, 1.0):
        found = integrate(m.model, "generalised_alpha", 5e-3, 0.5, n_frames=100, damping=damping)
        assert found.status == DONE
        speeds[damping] = np.abs(found.v[-10:, 0]).max()
    assert speeds[0.0] > 0.1  # it rings on
    assert speeds[1.0] < speeds[0.5] < 0.02 * speeds[0.0]


@pytest.mark.parametrize("method", ["implicit_euler", "generalised_alpha"])
def test_a_run_that_cannot_converge_says_so(method):
    # A force that jumps to the other side whenever the point does: no state at the end of a step fits.
    m = Mechanism("jump", gravity=(0.0, 0.0))
    bob = m.particle((1, 0), 1.0, velocity=(1.0, 0.0))
    m.spring(("ground", (0, 0)), (bob, (1, 0)), stiffness=0.0, spring_curve="1e6*sign(x)")
    found = integrate(m.model, method, 1e-2, 0.5)
    assert found.status == NOT_CONVERGED


def test_assembled_states_need_no_correction():
    compiled = compile_model(spatial_pendulum())
    start = assemble(compiled)
    found = integrate(compiled, "generalised_alpha", 1e-3, 0.1, n_frames=10)
    assert (
        found.gap.max() < 1e-11
    )  # index 3 closes the joints itself, to the tolerance of its iteration
    np.testing.assert_allclose(found.q[0], start.q, atol=1e-12)
