"""Plain equations y' = f(t, y) through the integrators of mechanisms."""

from math import exp, sqrt

import numpy as np
import pytest

from engine.errors import EngineError
from engine.integrators.ode import solve
from engine.model.methods import METHODS

EXPLICIT = {"euler": 1, "euler_cromer": 1, "heun": 2, "rk4": 4}
ADAPTIVE = ("dopri5", "dop853")


def swing(t, y):
    """A pendulum that is pushed: nonlinear, and dependent on time."""
    return [y[1], -np.sin(y[0]) + 0.3 * np.cos(2 * t)]


def circle(t, y):
    """y = (cos t, -sin t)."""
    return [y[1], -y[0]]


@pytest.mark.parametrize("method", EXPLICIT)
def test_halving_the_step_divides_the_error_by_two_to_the_order(method):
    exact = solve(swing, [1.0, 0.5], 2.0, 2.0, method="dop853", tolerance=1e-13).y[-1]
    h = 0.02 if method != "rk4" else 0.1
    errors = [
        np.abs(solve(swing, [1.0, 0.5], 2.0, step, method=method, n_q=1).y[-1] - exact).max()
        for step in (h, h / 2)
    ]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(EXPLICIT[method], abs=0.15)


@pytest.mark.parametrize("method", [m.name for m in METHODS if not getattr(m, "is_direct", False)])
def test_every_method_has_the_stated_order_or_its_tolerance(method):
    known = next(m for m in METHODS if m.name == method)
    if not known.is_fixed:
        y = solve(circle, [1.0, 0.0], 2.0, 0.5, method=method, tolerance=1e-9).y[-1]
        np.testing.assert_allclose(y, [np.cos(2.0), -np.sin(2.0)], rtol=0, atol=1e-7)
        return
    h = 0.1 if known.order > 2 else 0.02
    errors = [
        np.abs(
            solve(circle, [1.0, 0.0], 2.0, step, method=method, n_q=1).y[-1]
            - [np.cos(2.0), -np.sin(2.0)]
        ).max()
        for step in (h, h / 2)
    ]
    # a first or second step size further from the limit h -> 0 for the long formulas of Gear
    assert np.log2(errors[0] / errors[1]) == pytest.approx(known.order, abs=0.4)


def test_euler_cromer_needs_to_know_positions_from_speeds():
    as_pairs = solve(circle, [1.0, 0.0], 1.0, 0.1, method="euler_cromer", n_q=1)
    q, v = 1.0, 0.0
    for step in as_pairs.y[1:]:
        v -= 0.1 * q
        q += 0.1 * v
        np.testing.assert_allclose(step, [q, v], rtol=0, atol=1e-15)
    plain = solve(circle, [1.0, 0.0], 1.0, 0.1, method="euler_cromer")
    euler = solve(circle, [1.0, 0.0], 1.0, 0.1, method="euler")
    np.testing.assert_array_equal(plain.y, euler.y)  # nothing is a position: explicit Euler


def test_a_step_of_euler_is_the_formula():
    solution = solve(lambda t, y: t - y, [2.0], 0.3, 0.1, method="euler")
    np.testing.assert_allclose(solution.t, [0.0, 0.1, 0.2, 0.3], rtol=0, atol=1e-15)
    np.testing.assert_allclose(solution.y[:, 0], [2.0, 1.8, 1.63, 1.487], rtol=0, atol=1e-15)
    np.testing.assert_allclose(solution.y_dot[:, 0], solution.t - solution.y[:, 0], atol=1e-15)


@pytest.mark.parametrize("method", ("rk4", "dop853"))
def test_frames_come_after_every_so_many_steps(method):
    solution = solve(circle, [1.0, 0.0], 3.0, 0.1, method=method, every=10)
    np.testing.assert_allclose(solution.t, [0.0, 1.0, 2.0, 3.0], rtol=0, atol=1e-14)
    assert solution.y.shape == solution.y_dot.shape == (4, 2)
    assert solution.is_complete
    if method == "rk4":
        assert (solution.counts.steps, solution.counts.evaluations) == (30, 120)


@pytest.mark.parametrize("method", ("rk4", *ADAPTIVE))
def test_what_f_raises_comes_out_as_it_is(method):
    def f(t, y):
        if t > 0.5:
            raise RuntimeError("the well is dry")
        return -y

    with pytest.raises(RuntimeError, match="the well is dry"):
        solve(f, [1.0], 1.0, 0.1, method=method)
    with pytest.raises(ValueError, match="broadcast"):
        solve(lambda t, y: [1.0, 2.0, 3.0], [1.0, 0.0], 1.0, 0.1, method=method)


def test_f_may_keep_and_change_what_it_is_given():
    seen = []

    def f(t, y):
        seen.append(y)
        rate = -y
        y[:] = 7.0  # a copy: the state of the run is not touched
        return rate

    solution = solve(f, [1.0], 0.2, 0.1, method="rk4")
    assert solution.y[-1, 0] == pytest.approx(exp(-0.2), abs=1e-6)
    assert all(y[0] == 7.0 for y in seen)


@pytest.mark.parametrize(("t_end", "step", "every"), [(1.0, 0.3, 1), (1.0, 0.1, 3), (0.05, 0.1, 1)])
def test_an_end_that_is_no_multiple_of_the_step_is_refused(t_end, step, every):
    with pytest.raises(EngineError, match="not a multiple"):
        solve(circle, [1.0, 0.0], t_end, step, every=every)


def test_an_unknown_method_is_refused_with_the_known_ones():
    with pytest.raises(EngineError, match=r"no method 'rk5'.*rk4.*dop853"):
        solve(circle, [1.0, 0.0], 1.0, 0.1, method="rk5")


@pytest.mark.parametrize("method", EXPLICIT)
def test_a_solution_that_grows_without_bound_says_so_and_keeps_its_frames(method):
    solution = solve(lambda t, y: y**2, [1.0, 1.0], 3.0, 0.01, method=method, n_q=1)
    assert not solution.is_complete
    assert 1.0 <= solution.t[-1] < 1.5  # y = 1/(1 - t) has its pole at 1
    assert len(solution.t) == len(solution.y)
    assert np.isfinite(solution.y).all()


@pytest.mark.parametrize("method", ADAPTIVE)
def test_an_adaptive_method_does_not_step_over_a_pole(method):
    solution = solve(lambda t, y: y**2, [1.0], 3.0, 0.01, method=method)
    assert not solution.is_complete
    assert 0.99 <= solution.t[-1] <= 1.0  # the last frame before, or at it: 1/(1 - t) to 1e-9


@pytest.mark.parametrize(("method", "order"), [("dopri5", 4), ("dop853", 7)])
def test_the_solution_between_steps_is_as_good_as_at_their_ends(method, order):
    tolerance = 1e-9
    solution = solve(circle, [1.0, 0.0], 10.0, 0.01, method=method, tolerance=tolerance)
    assert solution.counts.steps < 300  # frames lie within the steps, several in each
    exact = np.column_stack([np.cos(solution.t), -np.sin(solution.t)])
    errors = np.abs(solution.y - exact).max(axis=1)
    # a step errs by up to 2e-9 (1 + |y| at most 2) in mean square: all steps, one after the other
    assert errors.max() < 4 * tolerance * solution.counts.steps
    # in one step, where the dense output has an error of its own: its order is one less than the step's
    assert errors[solution.t < 0.3].max() < 20 * tolerance
    # y_dot in the frames is f there, not a derivative of the interpolant
    np.testing.assert_array_equal(
        solution.y_dot, np.column_stack([solution.y[:, 1], -solution.y[:, 0]])
    )


@pytest.mark.parametrize("method", ADAPTIVE)
def test_more_frames_change_neither_the_steps_nor_what_is_reached(method):
    few, many = (
        solve(swing, [1.0, 0.5], 5.0, step, method=method, tolerance=1e-8) for step in (5.0, 0.01)
    )
    assert few.counts.steps == many.counts.steps
    np.testing.assert_allclose(few.y[-1], many.y[-1], rtol=0, atol=1e-13)  # the same steps


def kepler(t, y):
    """A body on an ellipse: slow far away, fast near the sun."""
    r3 = (y[0] ** 2 + y[1] ** 2) ** 1.5
    return [y[2], y[3], -y[0] / r3, -y[1] / r3]


FAR = [1.9, 0.0, 0.0, sqrt(0.1 / 1.9)]  # eccentricity 0.9, period 2 pi


@pytest.mark.parametrize("method", ADAPTIVE)
def test_near_the_sun_it_takes_short_steps(method):
    hard, easy = (
        solve(f, start, 2 * np.pi, 2 * np.pi, method=method, tolerance=1e-10)
        for f, start in ((kepler, FAR), (circle, [1.0, 0.0]))
    )
    assert easy.counts.steps < 0.6 * hard.counts.steps
    assert easy.counts.rejected == 0
    np.testing.assert_allclose(hard.y[-1], FAR, rtol=0, atol=1e-8)  # round once


@pytest.mark.parametrize("method", ADAPTIVE)
def test_a_sudden_blow_makes_it_reject_steps(method):
    def struck(t, y):
        """A swing that gets a blow at t = 1, over within a tenth of a second."""
        return [y[1], -y[0] + 50 * np.exp(-(((t - 1.0) / 0.04) ** 2))]

    solution = solve(struck, [0.5, 0.0], 2.0, 2.0, method=method, tolerance=1e-8)
    counts = solution.counts
    assert counts.rejected > 0
    assert 0.0 < counts.error <= 1.0
    stages = {"dopri5": 6, "dop853": 12}[method]
    # each attempt costs its stages, each accepted step one more; and the first step two
    assert counts.evaluations >= stages * (counts.steps + counts.rejected) + counts.steps
    blow = 50 * 0.04 * np.sqrt(np.pi) * exp(-(0.04**2) / 4)  # Fourier's integral of the bell
    expected = 0.5 * np.cos(2.0) + blow * np.sin(1.0)
    assert solution.y[-1, 0] == pytest.approx(expected, abs=1e-6)  # 1e-8 in each of 50 steps


@pytest.mark.parametrize("method", ADAPTIVE)
def test_the_error_goes_with_the_tolerance(method):
    tolerances = np.array([1e-4, 1e-6, 1e-8, 1e-10])
    errors = []
    for tolerance in tolerances:
        y = solve(kepler, FAR, 2 * np.pi, 2 * np.pi, method=method, tolerance=tolerance).y[-1]
        errors.append(np.abs(y - FAR).max())
    slope = np.polyfit(np.log10(tolerances), np.log10(errors), 1)[0]
    assert slope == pytest.approx(1.0, abs=0.2)  # proportional, over six powers of ten
