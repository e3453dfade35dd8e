"""IDA and Radau: as accurate as they are asked to be, on every kind of constraint."""

import sys

import numpy as np
import pytest

from bench.loops import orthogonal_bricard
from engine.compiling.system import compile_model, linked, workspace
from engine.editing.builder import Mechanism
from engine.errors import EngineError
from engine.integrators.differences import differences, pattern_of
from engine.integrators.libraries.sundials import residual
from engine.integrators.ode import solve
from engine.model.elements import put
from engine.model.triggers import Trigger
from engine.running.simulate import run
from tests.engine.sample_runs import pendulum, spatial_chain
from tests.validation import models
from tests.validation.test_problems import data, solved

BOTH = ("ida", "radau")
SHORT = {"t_end": 0.3, "output_step": 0.1}


def accurate(model, **settings):
    """A run whose errors do not count beside those of the tests."""
    return run(model, method="dop853", tolerance=1e-12, **settings)


def driven(quantity):
    """A double pendulum whose first pin follows a law at some level."""
    m = Mechanism("driven")
    first = m.rod((0, 0), (1, 0), mass=1)
    second = m.rod((1, 0), (2, 0), mass=1)
    pin = m.revolute("ground", first, at=(0, 0))
    m.revolute(first, second, at=(1, 0))
    m.motion(pin, "sin(3*t)" if quantity != "speed" else "2*cos(t)", quantity=quantity)
    return m.model


def sled():
    """A knife edge that slides and turns: a row that starts at velocity level."""
    m = Mechanism("sled", gravity=(0, -1.0))
    body = m.box((0, 0), mass=1, velocity=(1, 0), spin=1.0)
    m.knife_edge("ground", body, at=(0, 0))
    return m.model


def test_ida_meets_the_reference_of_the_squeezer():
    # 1e-8 is what is required. The error of a run is some hundred times that of a step here.
    results, observed = solved("d_andrews", method="ida", tolerance=1e-11)
    assert results.ending.reason == "done"
    np.testing.assert_allclose(observed, data("d_andrews")["values"], rtol=0, atol=1e-8)
    assert results.statistics.rejected > 0 and results.statistics.evaluations > 1000


@pytest.mark.parametrize("method", BOTH)
def test_a_tighter_tolerance_gives_a_smaller_error_on_a_closed_loop(method):
    model = models.four_bar(1.0, 3.0, 2.5, 3.0, 1.0).model
    exact = accurate(model, **SHORT)
    errors = []
    for tolerance in (1e-4, 1e-7):
        results = run(model, method=method, tolerance=tolerance, **SHORT)
        assert results.ending.reason == "done"
        np.testing.assert_allclose(results.t, exact.t, rtol=0, atol=1e-15)  # rounding
        errors.append(np.abs(results.q - exact.q).max())
    assert errors[1] < 1e-5  # a hundred times the tolerance of a step
    assert errors[1] < 0.05 * errors[0]  # the tolerance fell by a thousand


@pytest.mark.parametrize("method", BOTH)
@pytest.mark.parametrize(
    "model",
    [
        *(driven(quantity) for quantity in ("position", "speed", "acceleration")),
        sled(),
        spatial_chain().model,
        spatial_chain("3-2-1").model,
        models.four_bar(1.0, 3.0, 2.5, 3.0, 1.0, dim=3).model,  # three redundant rows
    ],
    ids=["position", "speed", "acceleration", "knife edge", "quaternion", "euler", "redundant"],
)
def test_every_level_of_constraint_and_every_orientation_is_integrated(method, model):
    exact = accurate(model, **SHORT)
    results = run(model, method=method, tolerance=1e-8, **SHORT)
    assert results.ending.reason == "done"
    # some thousand steps of 1e-8 each at most
    np.testing.assert_allclose(results.q, exact.q, rtol=0, atol=1e-5)
    np.testing.assert_allclose(results.v, exact.v, rtol=0, atol=1e-4)
    size = max(np.abs(exact.lam).max(initial=0.0), 1.0)
    np.testing.assert_allclose(results.lam, exact.lam, rtol=0, atol=1e-4 * size)


def test_ida_keeps_joints_closed_by_itself():
    results = run(pendulum().model, method="ida", tolerance=1e-7, stabilisation="none", **SHORT)
    # Phi = 0 is one of its equations; Newton's iteration stops a little below the tolerance
    assert results["constraint_violation"].max() < 1e-7
    assert results["velocity_violation"].max() < 1e-6


def test_ida_moves_a_loop_that_is_redundant_in_every_pose():
    results = run(orthogonal_bricard(), method="ida", tolerance=1e-6, t_end=0.5, output_step=0.1)
    assert results.ending.reason == "done"
    # some hundred steps of 1e-6 each; dropping one fixed row would lose 4 % of the energy
    assert np.abs(results["energy_drift"]).max() < 1e-4 * results["kinetic_energy"].max()


@pytest.mark.parametrize("method", BOTH)
def test_a_short_load_in_a_long_rest_is_not_overlooked(method):
    m = Mechanism("pushed", gravity=(0, 0))
    body = m.particle((0, 0), 1.0, id="body")
    m.force(body, (0, 0), ("if(t < 0.6, 0, if(t < 0.8, 1, 0))", 0.0))
    results = run(m.model, method=method, tolerance=1e-6, t_end=1.0, output_step=0.1)
    # 1 N for 0.2 s; no step is longer than 0.1 s, and the jumps cost some steps of 1e-6 each
    assert results["body.vx"][-1] == pytest.approx(0.2, abs=1e-4)


@pytest.mark.parametrize("method", BOTH)
def test_a_trigger_stops_the_run_at_the_very_moment(method):
    m = pendulum()
    m.marker("ground", (0, 0), id="base")
    m.marker("rod_1", (0, 0), id="hand")
    stop = Trigger(
        id="stop", marker_i="base", marker_j="hand", quantity="angle", value=-0.5, action="stop"
    )
    model = put(m.model, stop)
    exact = accurate(model, t_end=1.0, output_step=0.01)
    results = run(model, method=method, tolerance=1e-9, t_end=1.0, output_step=0.01)
    assert results.ending.reason == exact.ending.reason == "stopped"
    # the error of the angle, divided by its rate of about 4 rad/s
    assert results.events[-1].t == pytest.approx(exact.events[-1].t, abs=1e-6)
    assert results.t[-1] <= results.events[-1].t < results.t[-1] + 0.01


@pytest.mark.parametrize("method", BOTH)
def test_any_equation_is_integrated(method):
    found = solve(lambda t, y: [y[1], -y[0]], [0.0, 1.0], 1.0, 0.1, method=method, tolerance=1e-9)
    np.testing.assert_allclose(found.y[:, 0], np.sin(found.t), rtol=0, atol=1e-6)  # many steps


@pytest.mark.parametrize("model", [models.horizontal_chain(6), spatial_chain().model])
def test_an_equation_knows_only_the_unknowns_of_the_pattern(model):
    compiled = compile_model(model)
    system, ws = compiled.system, workspace(compiled.system)
    pattern = pattern_of(system)
    n, n_y = pattern.shape[0], len(compiled.q0) + len(compiled.v0)
    # a state and its rates at random, then each unknown and its rate moved in turn
    states = np.zeros((n + 1, n + n_y + compiled.n_rows))
    states[:, :n], rates = np.random.default_rng(1).normal(size=(2, 1, n)).repeat(n + 1, axis=1)
    states[:, :n][1:] += 0.1 * np.eye(n)
    rates[1:] += 0.1 * np.eye(n)
    left = np.zeros((n + 1, n))
    residual(linked(system, ws), 0.0, states, left, np.ascontiguousarray(rates), n + 1)
    changed = left[1:] != left[0]
    assert changed.any() and not (changed.T & ~(pattern.toarray() > 0)).any()


def test_columns_that_share_a_difference_never_meet():
    system = compile_model(models.horizontal_chain(6)).system
    found = differences(pattern_of(system))
    assert found.n_groups < 30 < len(found.group)  # as many however long the chain is
    for group in range(found.n_groups):
        columns = found.pattern[:, np.flatnonzero(found.group == group)]
        assert columns.sum(axis=1).max() <= 1


def test_large_models_use_sparse_matrices():
    results = run(
        models.horizontal_chain(20), method="ida", tolerance=1e-5, t_end=0.1, output_step=0.05
    )
    exact = accurate(models.horizontal_chain(20), t_end=0.1, output_step=0.05)
    np.testing.assert_allclose(results.q, exact.q, rtol=0, atol=1e-3)  # a hundred steps


def test_a_motion_that_cannot_be_followed_ends_with_a_sentence():
    m = models.four_bar(1.0, 3.0, 2.5, 3.0, 1.0)
    m.motion("D", "-3*t")  # the rocker cannot turn so far
    results = run(m.model, method="ida", tolerance=1e-4, t_end=2.0)
    assert results.ending.reason == "dead point"
    assert results.ending.sentence.endswith(".") and results.ending.ids


def test_where_ida_is_not_installed_a_sentence_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "sksundae.ida", None)
    with pytest.raises(EngineError, match="scikit-sundae"):
        run(pendulum().model, method="ida", **SHORT)
