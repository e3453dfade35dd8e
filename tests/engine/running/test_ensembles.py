"""Many runs of one model: each is the run that it would be alone."""

from dataclasses import replace

import numpy as np
import pytest

from engine.editing.builder import Mechanism
from engine.errors import EngineError
from engine.model.elements import put
from engine.running.ensembles import many
from engine.running.simulate import prepare, run

ASKED = {"method": "dop853", "tolerance": 1e-10, "t_end": 0.5, "output_step": 0.1}


def double_pendulum():
    """Two rods whose angles at the start are parameters."""
    m = Mechanism("two rods")
    for name, value in {"first": 0.3, "second": -0.2, "mass": 1.5}.items():
        m.parameter(name, value)
    upper = m.rod((0, 0), (1, 0), mass="mass", id="upper")
    lower = m.rod((1, 0), (2, 0), mass=1.0, id="lower")
    m.revolute("ground", upper, at=(0, 0))
    m.revolute(upper, lower, at=(1, 0))
    places = {
        "upper": ("first", ("cos(first)/2", "sin(first)/2")),
        "lower": ("second", ("cos(first) + cos(second)/2", "sin(first) + sin(second)/2")),
    }
    model = m.model
    for id, (angle, position) in places.items():
        model = put(model, replace(model[id], angle=angle, position=position))
    return model


MODEL = double_pendulum()


@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
@pytest.mark.parametrize("name", ["first", "mass"])
def test_each_run_is_the_one_it_would_be_alone(name, coordinates):
    values = np.array([0.4, 0.5, 1.2])
    ensemble = many(MODEL, {name: values}, coordinates=coordinates, **ASKED)
    assert ensemble.is_done.all() and (ensemble.evaluations > 10).all()
    for k, value in enumerate(values):
        alone = run(
            prepare(MODEL).again(**{name: value}).compiled, coordinates=coordinates, **ASKED
        )
        for column in ("q", "v", "a", "lam"):
            found, wanted = getattr(ensemble, column)[k], getattr(alone, column)
            np.testing.assert_allclose(found, wanted, rtol=0.0, atol=1e-9)  # rounding, magnified
        np.testing.assert_allclose(
            ensemble.results(k)["lower.x"], alone["lower.x"], rtol=0.0, atol=1e-9
        )
    assert np.ptp(ensemble.q[:, -1, 0]) > 1e-3  # they differ


def test_last_frames_alone_are_those_of_whole_runs():
    values = {"first": [0.4, 0.5], "second": [0.1, 0.2]}
    whole, last = many(MODEL, values, **ASKED), many(MODEL, values, last_only=True, **ASKED)
    assert last.q.shape[1] == 1 and last.t == pytest.approx([0.5])
    np.testing.assert_allclose(last.q[:, 0], whole.q[:, -1], rtol=0.0, atol=1e-8)


def test_a_run_again_has_other_numbers_and_the_same_settings():
    first = prepare(MODEL, **ASKED)
    other = first.again(mass=3.0)
    assert other.compiled.mass[0] == 3.0 and first.compiled.mass[0] == 1.5
    assert other.settings == first.settings


def test_progress_may_cancel():
    ensemble = many(MODEL, {"mass": [1.0, 2.0, 3.0]}, progress=lambda done: False, **ASKED)
    assert ensemble.is_done.tolist() == [True, False, False]
    assert np.isnan(ensemble.q[1:]).all()


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"nobody": [1.0]}, "no parameter 'nobody'; it has first, second, mass"),
        ({"upper": [1.0]}, "no parameter 'upper'"),
        ({"first": [1.0], "second": [1.0, 2.0]}, "as many values as there are runs"),
        ({}, "as many values"),
        ({"first": []}, "at least one run"),
    ],
)
def test_what_is_no_ensemble_is_told(values, words):
    with pytest.raises(EngineError, match=words):
        many(MODEL, values, **ASKED)
