"""Radau IIA: its coefficients, its order, stiff equations, and what it does where there is no solution."""

import numpy as np
import pytest

from engine.integrators.controlled import lu, radau
from engine.integrators.ode import solve
from engine.running.simulate import run
from tests.validation.test_problems import data, solved


def test_stages_integrate_polynomials_and_the_last_one_is_the_step():
    for m in range(3):  # collocation: y' = c^m is integrated exactly up to each stage
        np.testing.assert_allclose(radau.A @ radau.C**m, radau.C ** (m + 1) / (m + 1), atol=1e-14)
    for m in range(5):  # order five: the weights have degree four
        assert radau.B @ radau.C**m == pytest.approx(1 / (m + 1), abs=1e-14)


def test_the_transformation_separates_one_real_and_one_pair_of_equations():
    alpha, beta = radau.LAM.real, -radau.LAM.imag
    blocks = np.array([[radau.MU, 0, 0], [0, alpha, beta], [0, -beta, alpha]])
    np.testing.assert_allclose(radau.TO_W @ np.linalg.inv(radau.A) @ radau.TO_Z, blocks, atol=1e-12)
    s = 6.0**0.5  # as in the book of Hairer and Wanner
    np.testing.assert_allclose(radau.ERROR, [(-13 - 7 * s) / 3, (-13 + 7 * s) / 3, -1 / 3])


@pytest.mark.parametrize("kind", [float, complex])
def test_rows_are_exchanged_where_a_pivot_would_vanish(kind):
    rng = np.random.default_rng(3)
    A = rng.normal(size=(6, 6)).astype(kind)
    A[0, 0] = A[3, 3] = 0.0
    b = rng.normal(size=6).astype(kind)
    factors, x, pivots = A.copy(), b.copy(), np.zeros(6, dtype=np.int64)
    assert lu.factorise(factors, pivots)
    lu.substitute(factors, pivots, x)
    np.testing.assert_allclose(A @ x, b, atol=1e-12)
    assert not lu.factorise(np.zeros((2, 2), dtype=kind), pivots[:2])


def test_a_stiff_equation_takes_few_steps_and_newton_converges_fast():
    lam = -1e6

    def f(t, y):
        return [lam * (y[0] - np.cos(t)) - np.sin(t)]

    found = solve(f, [1.0], 2.0, 0.1, method="radau", tolerance=1e-8)
    np.testing.assert_allclose(found.y[:, 0], np.cos(found.t), rtol=0, atol=1e-8)
    assert found.counts.steps < 60  # an explicit method needs h < 3e-6: 600 000 steps
    assert found.counts.evaluations < 20 * found.counts.steps


def test_the_error_falls_with_the_tolerance_and_steps_grow_with_its_root():
    errors, steps = [], []
    for tolerance in (1e-4, 1e-8):
        found = solve(
            lambda t, y: [y[1], -y[0]], [0.0, 1.0], 10.0, 0.5, method="radau", tolerance=tolerance
        )
        errors.append(np.abs(found.y[:, 0] - np.sin(found.t)).max())
        steps.append(found.counts.steps)
    assert errors[1] < 1e-3 * errors[0]
    # the error estimate has order four: 1e4 times finer takes ten times the steps
    assert 5 < steps[1] / steps[0] < 20


def test_a_rate_that_is_no_number_ends_without_an_exception():
    found = solve(
        lambda t, y: [np.nan if t > 0.5 else 1.0], [0.0], 1.0, 0.1, method="radau", tolerance=1e-6
    )
    assert not found.is_complete
    assert found.t[-1] == pytest.approx(0.5, abs=0.11)


def test_the_governor_meets_its_reference_in_joint_coordinates():
    results, observed = solved("f_flyball", method="radau", coordinates="joint", tolerance=1e-6)
    assert results.ending.reason == "done"
    np.testing.assert_allclose(observed, data("f_flyball")["values"], rtol=0, atol=1e-6)
    assert results.statistics.rejected < 0.05 * results.statistics.steps
    assert results.statistics.evaluations < 12_000


def test_works_are_as_accurate_as_the_motion():
    results, _ = solved("f_flyball", method="radau", coordinates="joint", tolerance=1e-7)
    drift = np.abs(results["energy_drift"]).max()
    assert drift < 1e-4 * results["kinetic_energy"].max()  # 68 J turn; the springs exchange more


def test_events_are_found_on_the_polynomial_of_a_step():
    from assets.make_examples import FOLDER
    from engine.files.model_files import load

    model = load(FOLDER / "bouncing_balls.json")
    asked = {"t_end": 0.8, "output_step": 0.05, "coordinates": "joint"}
    exact = run(model, method="dop853", tolerance=1e-10, **asked)
    found = run(model, method="radau", tolerance=1e-9, **asked)
    assert [event.kind for event in found.events] == [event.kind for event in exact.events]
    for one, other in zip(found.events, exact.events):
        assert one.t == pytest.approx(other.t, abs=1e-6)  # the tolerance, times steps
