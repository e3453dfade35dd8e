"""Implicit methods meet the numbers of the theory, and pay on a stiff mechanism."""

import json
from pathlib import Path

import numpy as np
import pytest

from engine.compiling.system import compile_model
from engine.integrators.ode import solve
from engine.kernels.entries import DONE
from tests.engine.implicit_runs import integrate
from tests.validation import models

DATA = Path(__file__).parents[2] / "data"
GOLDEN = {case["id"]: case for case in json.loads((DATA / "golden.json").read_text())}
OSCILLATOR = np.array([[0.0, 1.0], [-10.0, -0.5]])  # y'' + 0.5 y' + 10 y = 0
START = [5.0, 1.0]


def oscillate(method, t_end, h):
    """The end state of the damped oscillator of the theory."""
    steps = round(t_end / h)
    return solve(lambda t, y: OSCILLATOR @ y, START, t_end, h, method=method, every=steps).y[-1]


def test_the_first_steps_of_implicit_euler_are_those_of_the_theory():
    golden = GOLDEN["osc_implicit_steps"]
    found = solve(lambda t, y: OSCILLATOR @ y, START, 0.3, 0.1, method="implicit_euler")
    np.testing.assert_allclose(found.y[1:], golden["expected"]["states"], rtol=1e-9)
    inverse = np.linalg.inv(np.eye(2) - 0.1 * OSCILLATOR)
    np.testing.assert_allclose(inverse, golden["expected"]["Jinv"], rtol=1e-9)


def test_implicit_euler_damps_as_the_theory_says():
    for h, expected in GOLDEN["osc_y10_implicit"]["expected"].items():
        h = float(h)
        steps = int(np.ceil(10.0 / h - 1e-9))  # where h does not divide 10 s the source goes beyond
        end = oscillate("implicit_euler", steps * h, h)
        assert end[0] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(("method", "key"), [("trapezoid", "trapezoid"), ("bdf4", "bdf4_rk4start")])
def test_trapezoid_and_gear_meet_the_numbers_of_the_theory(method, key):
    expected = GOLDEN["osc_other_methods"]["expected"][key]
    np.testing.assert_allclose(oscillate(method, 10.0, 0.01), expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("method", ["implicit_euler", "trapezoid"])
def test_gaps_shrink_by_the_factor_of_the_theory(method):
    # With alpha = 1/h and beta = sqrt 2/h a gap obeys g'' + 2/h g' + 2/h^2 g = 0.
    expected = GOLDEN["baumgarte_hdep_amplification"]["expected"][method]
    h, n = 0.1, 20
    A = np.array([[0.0, 1.0], [-2.0 / h**2, -2.0 / h]])
    found = solve(lambda t, y: A @ y, [1.0, -0.3 / h], n * h, h, method=method)
    energies = [
        y @ np.diag([2.0 / h**2, 1.0]) @ y for y in found.y
    ]  # a norm in which A turns and shrinks
    factor = (energies[-1] / energies[0]) ** (0.5 / n)
    assert factor == pytest.approx(expected, rel=0.02)  # the turn makes the norm swing a little
    R = np.linalg.inv(np.eye(2) - h * A)
    if method == "trapezoid":
        R = np.linalg.inv(np.eye(2) - h / 2 * A) @ (np.eye(2) + h / 2 * A)
    assert np.abs(np.linalg.eigvals(R)).max() == pytest.approx(expected, rel=1e-9)


def test_stiff_decay_needs_no_short_steps():
    # y' = -1e6 (y - cos t): RK4 would need 4e5 steps per second
    def f(t, y):
        return -1e6 * (y - np.cos(t))

    for method in ("implicit_euler", "bdf2", "bdf4", "bdf5"):
        end = solve(f, [2.0], 1.0, 0.05, method=method, every=20).y[-1]
        assert end[0] == pytest.approx(np.cos(1.0), abs=2e-6)  # y lags behind by 1e-6 s


def flyball():
    """The stiff governor and the height of its slider over time."""
    problem = json.loads((DATA / "problems" / "f_flyball.json").read_text())
    compiled = compile_model(models.flyball_governor(problem["given"]))
    at = compiled.layout.position(compiled.body_ids.index("slider")).stop - 1
    return compiled, at, np.array(problem["values"])[:, 0]


RK4_LIMIT = (
    3e-4  # [s] RK4 is stable on the governor below, and takes four evaluations for each step
)


@pytest.mark.parametrize(
    ("method", "h", "error"),  # the errors are about twice what was seen
    [
        ("bdf3", 0.01, 7e-3),
        ("bdf4", 0.01, 1e-4),
        ("bdf5", 0.01, 2e-5),
        ("generalised_alpha", 0.01, 9e-3),
    ],
)
def test_the_stiff_governor_takes_a_twentieth_of_the_evaluations(method, h, error):
    compiled, at, reference = flyball()
    found = integrate(compiled, method, h, 10.0, n_frames=100)
    assert found.status == DONE
    assert np.abs(found.q[:, at] - reference).max() < error
    assert 20 * found.counts.evaluations < 4 * 10.0 / RK4_LIMIT


def test_gear_keeps_its_order_on_the_stiff_governor():
    # No order is lost to the fast motion of the start, which dies away in a tenth of a millisecond.
    compiled, at, reference = flyball()
    errors = []
    for h in (0.01, 0.005, 0.0025):
        found = integrate(compiled, "bdf4", h, 2.0, n_frames=20)
        errors.append(np.abs(found.q[:, at] - reference[:21]).max())
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert (orders > 3.5).all(), orders


def test_runge_kutta_cannot_take_longer_steps_on_the_stiff_governor():
    compiled, _, _ = flyball()
    assert integrate(compiled, "rk4", 4e-4, 0.1).status != DONE  # it fails within 0.1 s
