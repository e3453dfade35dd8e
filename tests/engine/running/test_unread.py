"""What is typed for a run is what runs, or it is said that it is not used."""

from dataclasses import fields

import numpy as np
import pytest

from engine.model.elements import Settings
from engine.model.methods import AUTO, BY_NAME, METHOD_NAMES, STABILISATION_NAMES
from engine.running.choosing.unread import unread
from engine.running.simulate import prepare, run
from tests.engine.running.test_advice import hanging
from tests.run_models import lasting, pendulum

OTHER = {  # another value of each setting that a run may leave unread
    "step": 3e-3,
    "tolerance": 1e-4,
    "damping": 0.9,
    "alpha": 300.0,
    "beta": 250.0,
    "penalty": 123.0,
    "penalty_frequency": 3.0,
    "penalty_ratio": 0.5,
    "penalty_iterations": 3.0,
    "stabilisation": "none",
}
LEFT_TO_AUTO = lasting(pendulum(), 1.0, method=AUTO)
SHORT = {"t_end": 0.05, "output_step": 0.01}


def frames(**changes):
    """The states of a short run of a pendulum."""
    results = run(pendulum(), **SHORT, **changes)
    return np.hstack([results.q, results.v, results.lam])


@pytest.mark.parametrize("method", BY_NAME)
def test_a_setting_that_is_called_unread_changes_no_bit(method):
    reasons = unread(Settings(method=method), 2)
    usual = frames(method=method)
    for name in reasons.keys() & OTHER.keys():
        assert np.array_equal(frames(method=method, **{name: OTHER[name]}), usual), name


@pytest.mark.parametrize("method", BY_NAME)
def test_a_setting_that_is_read_changes_the_numbers(method):
    """All that a run of a stabilisation reads; a single pendulum is closed by projection in any case."""
    for stabilisation in ("baumgarte", "penalty"):
        chosen = {"method": method, "stabilisation": stabilisation, "coordinates": "absolute"}
        chosen |= {"alpha": 200.0, "beta": 200.0}  # with which no method lets gaps grow
        reasons = unread(Settings(**chosen), 2)
        usual = frames(**chosen)
        for name, other in OTHER.items():
            if name not in reasons and name not in ("tolerance", "stabilisation"):
                assert not np.array_equal(frames(**{**chosen, name: other}), usual), name


@pytest.mark.parametrize("method", METHOD_NAMES)
@pytest.mark.parametrize("stabilisation", STABILISATION_NAMES)
def test_whatever_is_typed_and_not_read_is_said(method, stabilisation):
    if method == "euler_cromer" and stabilisation in ("baumgarte", "penalty"):
        return
    typed = {"method": method, "stabilisation": stabilisation}
    typed |= {name: value for name, value in OTHER.items() if name not in typed}
    running = prepare(pendulum(), **SHORT, **typed)
    said = [note.split(" is not used")[0] for note in running.notes if "is not used" in note]
    expected = unread(running.settings, 2).keys() & typed.keys()
    assert len(said) == len(expected)
    for name in expected:
        words = name.replace("_", " ").capitalize()
        assert any(one.startswith(f"{words} ") for one in said), name


def test_nothing_is_said_where_nothing_was_typed():
    for method in METHOD_NAMES:
        notes = prepare(pendulum(), method=method).notes
        assert not [note for note in notes if "is not used" in note], method


def test_a_typed_step_runs_where_nobody_has_chosen_a_method():
    assert Settings().method == AUTO
    results = run(LEFT_TO_AUTO, step=0.1)
    assert results.settings.method == "rk4" and results.settings.step == 0.1
    assert results.statistics.steps == 10
    assert results.notes[0] == ("auto chose Runge-Kutta 4, because a step of 0.1 s was asked for.")
    assert results.notes[1:] == []


def test_a_typed_step_beside_a_method_of_its_own_steps_is_told():
    (note,) = (one for one in prepare(pendulum(), method="dop853", step=0.1).notes if "used" in one)
    assert note.startswith("Step 0.1 s is not used: Dormand-Prince 8 chooses its steps itself")


def test_the_step_of_a_model_is_not_asked_for_by_a_run():
    """It is that of live mode, and of fixed steps if they are chosen."""
    assert prepare(lasting(pendulum(), 1.0, method=AUTO, step=0.1)).settings.method == "dop853"


def test_auto_says_which_tolerance_a_stiff_method_takes_instead():
    running = prepare(hanging(1e10, damping=1e9), tolerance=1e-9)
    assert running.settings.tolerance == pytest.approx(1e-5)
    assert "(tolerance 1e-05, for the errors that 1e-09 gives Dormand-Prince 8)" in running.notes[0]


def test_auto_keeps_joint_coordinates_that_were_typed():
    running = prepare(hanging(1e10, damping=1e9), coordinates="joint")
    assert (running.settings.method, running.settings.coordinates) == ("radau", "joint")


def test_every_setting_is_either_read_or_has_a_reason():
    for method in METHOD_NAMES:
        for stabilisation in STABILISATION_NAMES:
            reasons = unread(Settings(method=method, stabilisation=stabilisation), 3)
            assert reasons.keys() <= {one.name for one in fields(Settings)}
            assert all(reason.endswith(".") for reason in reasons.values())
            assert ("step" in reasons) != ("tolerance" in reasons), method
