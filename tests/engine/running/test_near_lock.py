"""Runs near gimbal lock: they warn, stop or switch as chosen, with every kind of method."""

from dataclasses import replace

import numpy as np
import pytest

from engine.editing.builder import Mechanism
from engine.editing.edits import continued_with, with_parameters
from engine.errors import EngineError
from engine.model.elements import NEAR_LOCK, put
from engine.running.gimbal import lock
from engine.running.live import Live
from engine.running.simulate import prepare, run
from engine.studies.twins import difference, twin
from rotations import SEQUENCES, gimbal_lock

EXACTLY = (0.0, 1.0, 0.0)  # angular velocity of a pitch through 90 degrees
NEARLY = (0.02, 1.0, 0.01)  # the body passes 1.2 degrees beside it
SWITCHES = NEAR_LOCK[2:]
# how far a run that switches may be from one by quaternions: both have the error of the method, with
# h = 1e-3 and rates up to ten times the angular velocity at s = 0.1
METHODS = {
    "rk4": 1e-11,
    "bdf3": 1e-7,
    "generalised_alpha": 1e-6,
    "dopri5": 1e-6,
    "ida": 1e-5,
}


def craft(w, near_lock="warn", sequence="3-2-1", **fields):
    """A free body in space that begins unturned."""
    m = Mechanism("craft", 3, gravity=(0, 0, 0))
    m.settings(orientation=sequence, near_lock=near_lock, t_end=3.0)
    inertia = (1.0, 2.0, 3.0, 0.0, 0.0, 0.0)
    place = {"center": (0, 0, 0), "mass": 1.0, "inertia": inertia, "name": "the craft"}
    m.body((0, 0, 0), id="craft", angular_velocity=w, **place, **fields)
    return m.model


def gyroscope(near_lock, sequence="3-2-1"):
    """A rotor in two rings on three hinges; the inner ring carries it through pitch 90 degrees."""
    m = Mechanism("gyroscope", 3, gravity=(0, 0, 0))
    m.settings(near_lock=near_lock, t_end=2.0)
    about = {"center": (0, 0, 0), "mass": 1.0}
    ring = {**about, "inertia": (0.2, 0.2, 0.3, 0, 0, 0)}
    outer = m.body((0, 0, 0), id="outer", angular_velocity=(0, 0, 0.1), **ring)
    inner = m.body((0, 0, 0), id="inner", angular_velocity=(0, 1.2, 0.1), **ring)
    turning = {"angular_velocity": (0.6, 1.2, 0.1), "inertia": (0.5, 0.3, 0.3, 0, 0, 0)}
    rotor = m.body((0, 0, 0), id="rotor", parameters=sequence, **about, **turning)
    m.revolute("ground", outer, at=(0, 0, 0), axis=(0, 0, 1))
    m.revolute(outer, inner, at=(0, 0, 0), axis=(0, 1, 0))
    m.revolute(inner, rotor, at=(0, 0, 0), axis=(1, 0, 0))
    return m.model


def kinds(results):
    return [event.kind for event in results.events]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("near_lock", SWITCHES)
@pytest.mark.parametrize("w", (EXACTLY, NEARLY))
def test_a_run_that_switches_is_that_of_quaternions(w, near_lock, method):
    model = craft(w, near_lock)
    switched = run(model, method=method, tolerance=1e-8)
    assert switched.ending.reason == "done"
    assert kinds(switched).count("gimbal switch") == 1
    assert "3-2-1" in switched.events[-1].sentence and "'the craft'" in switched.events[-1].sentence
    by_quaternion = run(twin(model), method=method, tolerance=1e-8)
    assert difference(switched, by_quaternion)["craft"].max() < METHODS[method]
    assert switched.v == pytest.approx(by_quaternion.v, abs=METHODS[method])
    assert len(switched) == len(by_quaternion) and switched.t == pytest.approx(by_quaternion.t)
    # results stay in the parameters of the model: 3-2-1 angles of the same orientation, beyond 90 degrees
    angles = np.diff(switched.q[:, 3:6], axis=0)
    assert np.abs(angles[:, 1]).max() < 0.02 and np.abs(angles).max() < 1.0
    if w is EXACTLY:
        assert switched["craft.theta"][-1] == pytest.approx(3.0, abs=1e-6)


@pytest.mark.parametrize("method", ("rk4", "bdf3", "dopri5", "ida"))
def test_a_run_that_stops_warns_before(method):
    results = run(craft(EXACTLY, "stop"), method=method)
    assert results.ending.reason == "gimbal lock" and results.ending.ids == ("craft",)
    assert kinds(results)[0] == "gimbal amber"
    assert "will stop before" in results.events[0].sentence
    assert results.events[0].t < np.pi / 2 - 0.08  # at 0.1 rad
    # within a frame of 0.6 degrees from the lock; an adaptive method sees it in its frames
    assert np.pi / 2 - 0.03 < results.t[-1] < np.pi / 2 + 0.01


@pytest.mark.parametrize("method", ("dopri5", "dop853"))
def test_an_adaptive_method_that_leaps_over_the_lock_tells_so(method):
    results = run(craft(EXACTLY), method=method)
    assert results.ending.reason == "done"  # where phi and psi do not move nothing is spoiled
    assert kinds(results)[-1] == "gimbal crossed"
    apart = difference(results, run(twin(craft(EXACTLY)), method=method))["craft"]
    assert apart.max() < 1e-6


@pytest.mark.parametrize("near_lock", SWITCHES)
@pytest.mark.parametrize("method", ("rk4", "bdf2", "generalised_alpha"))
def test_a_gyroscope_in_gimbals_switches_and_keeps_its_energy(near_lock, method):
    model = gyroscope(near_lock)
    switched = run(model, method=method, tolerance=1e-8)
    assert switched.ending.reason == "done"
    assert "gimbal switch" in kinds(switched)
    by_quaternion = run(twin(model), method=method)
    # the error of the method with h = 1e-3 and rates up to ten times w = 1.3 rad/s near the lock
    tolerance = {"rk4": 1e-9, "bdf2": 2e-4, "generalised_alpha": 1e-4}[method]
    apart = difference(switched, by_quaternion)
    assert max(angle.max() for angle in apart.values()) < tolerance
    assert switched["constraint_violation"].max() < 1e-9
    energy = switched["total_energy"]
    kept = by_quaternion["total_energy"]
    assert energy == pytest.approx(kept, rel=tolerance)


def test_momentum_and_energy_are_kept_through_every_switch_of_a_tumbling_body():
    results = run(craft((0.3, 2.0, 0.2), "switch sequence", "3-1-3"), t_end=5.0, method="rk4")
    assert results.ending.reason == "done" and kinds(results) == ["gimbal switch"] * 2
    for axis in "xyz":
        momentum = results[f"angular_momentum_{axis}"]
        assert np.ptp(momentum) < 1e-9  # RK4, h w = 2e-3, of 4 kg m^2/s
    assert np.abs(results["energy_drift"]).max() < 1e-9


def test_a_drawing_in_the_lock_switches_at_once():
    results = run(craft((1.0, 0.5, 0.2), "switch to quaternion", "3-1-3"), t_end=0.5)
    assert results.ending.reason == "done"
    assert [(event.kind, event.t) for event in results.events] == [("gimbal switch", 0.0)]
    assert difference(results, run(twin(results.model), t_end=0.5))["craft"].max() < 1e-12


def test_a_drawing_near_the_lock_is_told_before_the_run():
    told = prepare(craft(EXACTLY, sequence="3-1-3")).advice
    assert (
        "'the craft' begins less than 0.01 degrees from gimbal lock of the sequence 3-1-3"
        in told[0].sentence
    )
    assert told[0].ids == ("craft",)
    words, changes = told[0].remedies[0]
    assert (
        words
        and run(craft(EXACTLY, sequence="3-1-3"), t_end=0.1, **changes).ending.reason == "done"
    )
    assert prepare(craft(EXACTLY, sequence="3-1-3"), **changes).advice == []
    assert prepare(craft(EXACTLY)).advice == []


def test_only_the_body_near_its_lock_switches():
    model = craft(EXACTLY, "switch to quaternion")
    other = replace(model["craft"], id="other", name="", angular_velocity=(0.0, 0.0, 1.0))
    results = run(put(model, other), method="rk4")
    assert {event.ids for event in results.events} == {("craft",)}
    still = run(put(craft((0.0, 0.0, 0.0)), replace(other, parameters="3-2-1")), method="rk4")
    assert results["other.q3"] == pytest.approx(still["other.q3"], abs=1e-14)


def test_a_body_that_no_sequence_can_follow_ends_the_run_with_a_sentence():
    results = run(craft((1000.0, 1.0, 0.0), "switch sequence", "3-1-3"), t_end=0.1, step=1e-3)
    assert results.ending.reason == "gimbal lock"
    assert "turns so fast" in results.ending.sentence and "quaternions" in results.ending.sentence


@pytest.mark.parametrize("near_lock", SWITCHES)
def test_live_mode_switches_too(near_lock):
    live = Live(prepare(craft(NEARLY, near_lock)))
    blocks = [live.advance(0.05) for _ in range(60)]
    assert live.ending is None
    assert [event.kind for event in live.events] == ["gimbal switch"]
    expected = run(craft(NEARLY, near_lock))
    q = np.concatenate([block.q for block in blocks])
    assert q == pytest.approx(expected.q[: len(q)], abs=1e-9)  # a plan of another length rounds
    assert live.q == pytest.approx(expected.q[len(q)], abs=1e-6)


def test_live_mode_stops_with_the_sentence():
    live = Live(prepare(craft(EXACTLY, "stop")))
    while live.ending is None and live.t < 3.0:
        live.advance(0.1)
    assert live.ending.reason == "gimbal lock" and live.events[0].kind == "gimbal amber"


def test_a_run_goes_on_by_hand_with_other_parameters():
    first = run(craft(NEARLY), t_end=1.4, method="rk4")
    best = gimbal_lock.best_sequence(first.frames(-1).R[0])
    assert gimbal_lock.measures(first.frames(-1).R[0])[SEQUENCES.index(best)] > 0.8
    whole = run(twin(craft(NEARLY)), t_end=2.4, method="rk4")
    for choice in ("quaternion", best):
        model = continued_with(first, -1, ["craft"], choice)
        assert model["craft"].parameters == choice
        second = run(model, t_end=1.0, method="rk4")
        assert second.ending.reason == "done"
        assert second["craft.q2"] == pytest.approx(whole["craft.q2"][140:], abs=1e-10)


def test_what_has_no_orientation_is_refused():
    model = craft(NEARLY)
    with pytest.raises(EngineError, match="no parameters '3-3-3'"):
        with_parameters(model, ["craft"], "3-3-3")
    with pytest.raises(EngineError, match="no body in space"):
        with_parameters(model, ["nobody"], "quaternion")
    flat = Mechanism("flat")
    flat.rod((0, 0), (1, 0))
    with pytest.raises(EngineError, match="nothing to integrate in two ways"):
        twin(flat.model)


def test_the_twin_of_quaternions_has_the_angles_that_are_shown():
    model = craft(NEARLY, sequence="quaternion", orientation_display="3-1-3")
    assert twin(model)["craft"].parameters == "3-1-3"
    assert twin(craft(NEARLY))["craft"].parameters == "quaternion"
    with pytest.raises(EngineError, match="different times"):
        difference(run(model, t_end=0.1), run(model, t_end=0.1, output_step=0.02))


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_the_words_about_lock_name_the_axes_of_the_rings(sequence):
    outer, middle, inner = lock.axes_of(sequence)
    assert (outer, middle[:-1], inner[:-2]) == tuple("xyz"[int(c) - 1] for c in sequence[::2])
