"""Orientation in every description: choices in files, numbers of forms, and channels."""

import json
from dataclasses import replace

import numpy as np
import pytest

from engine.editing.builder import Mechanism
from engine.errors import EngineError
from engine.files.model_files import VERSION, dumps, loads
from engine.files.upgrades import DEFAULTS_OF_VERSION_4
from engine.model.bodies import SpatialBody
from engine.model.elements import ORIENTATIONS, put
from engine.model.orientation import (
    display_of,
    input_of,
    integration_of,
    shown_sequence,
    symbols,
    with_orientation,
)
from engine.results.channels import channels_of
from engine.results.results import Results
from engine.running.live import Live
from engine.running.simulate import prepare, run
from rotations import SEQUENCES, axis_angle, convert, euler_angles, gimbal_lock, quaternion
from tests.engine.older_settings import BEFORE_VERSION_5
from tests.engine.sample_joints import mechanism
from tests.engine.sample_runs import spatial_run


def body(**fields):
    return SpatialBody(id="b", **fields)


def model_of(*bodies, **settings):
    m = Mechanism("m", 3)
    m.settings(**settings)
    return put(m.model, *bodies)


OLD_FILE = """{
  "kardan": 1,
  "dim": 3,
  "name": "old",
  "gravity": [0.0, 0.0, -9.81],
  "settings": {"t_end": 2.0, "orientation": "3-1-3"},
  "elements": [
    {"kind": "body", "id": "top", "mass": 1.0, "inertia": [1.0, 1.0, 2.0, 0.0, 0.0, 0.0],
     "orientation": [0.8, 0.6, 0.0, 0.0], "parameters": "1-2-3"}
  ]
}"""


def test_a_file_from_before_the_choices_loads_and_is_written_as_it_was():
    model = loads(OLD_FILE)
    top = model["top"]
    assert (top.parameters, top.orientation_input, top.orientation_display) == (
        *("1-2-3", "as model", "as model"),
    )
    assert model.settings == replace(BEFORE_VERSION_5, t_end=2.0, orientation="3-1-3")
    assert model.settings.near_lock == "warn"
    written = {**json.loads(OLD_FILE), "kardan": VERSION}  # defaults are not written
    written["settings"] |= DEFAULTS_OF_VERSION_4
    written["elements"][0]["hue"] = 1.0
    assert json.loads(dumps(model)) == written


def test_the_choices_are_kept_in_files():
    chosen = {"orientation_input": "3-1-3", "orientation_display": "quaternion"}
    model = model_of(body(**chosen), near_lock="switch sequence", **chosen)
    assert loads(dumps(model)) == model


def test_a_body_may_choose_for_itself():
    model = model_of(
        orientation="3-1-3", orientation_input="3-2-1", orientation_display="quaternion"
    )
    of_model = body()
    assert (integration_of(model, of_model), input_of(model, of_model)) == ("3-1-3", "3-2-1")
    assert display_of(model, of_model) == "quaternion"
    assert shown_sequence(model, of_model) == "3-1-3"  # what is integrated
    own = body(parameters="quaternion", orientation_input="quaternion", orientation_display="1-3-1")
    assert (integration_of(model, own), input_of(model, own)) == ("quaternion", "quaternion")
    assert shown_sequence(model, own) == "1-3-1"
    typed = body(parameters="quaternion")
    assert shown_sequence(model, typed) == "3-2-1"
    neither = body(parameters="quaternion", orientation_input="quaternion")
    assert shown_sequence(model, neither) == "1-2-3"


@pytest.mark.parametrize("representation", ORIENTATIONS)
def test_what_a_form_shows_gives_the_same_orientation_when_it_is_typed(representation):
    unit = quaternion.normalise(np.array([0.3, -0.5, 0.2, 0.7]))
    turned = body(orientation=tuple(unit))
    numbers = convert(unit, "quaternion", representation)
    assert len(numbers) == len(symbols(representation))
    again = with_orientation(turned, representation, numbers)
    R, S = (quaternion.matrix(np.array(b.orientation)) for b in (turned, again))
    assert pytest.approx(R, abs=1e-14) == S
    assert again.id == turned.id


def test_what_is_no_orientation_is_refused_in_a_sentence():
    with pytest.raises(EngineError, match="is zero"):
        with_orientation(body(), "quaternion", (0, 0, 0, 0))
    with pytest.raises(EngineError, match="needs 3 numbers"):
        with_orientation(body(), "3-1-3", (0, 0))
    with pytest.raises(EngineError, match="needs 4 numbers"):
        with_orientation(body(), "quaternion", (1, 0, 0, float("nan")))
    assert with_orientation(body(), "quaternion", (0, 1e-200, 0, 0)).orientation == (0, 1, 0, 0)


def test_an_unknown_choice_near_lock_is_refused():
    with pytest.raises(EngineError, match="There is no near_lock 'jump'"):
        prepare(mechanism("revolute", 3).model, near_lock="jump")


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_channels_of_a_sequence_are_those_of_its_angles(sequence):
    results = spatial_run()
    angles = np.stack([results[f"body_2.euler_{sequence}_{n}"] for n in (1, 2, 3)], axis=1)
    rates = np.stack([results[f"body_2.euler_{sequence}_{n}_rate"] for n in (1, 2, 3)], axis=1)
    s = gimbal_lock.measure(sequence, angles)
    assert results[f"body_2.lock_measure_{sequence}"] == pytest.approx(s, abs=1e-15)
    far = gimbal_lock.degrees_to_lock(sequence, angles)
    assert np.degrees(results[f"body_2.lock_distance_{sequence}"]) == pytest.approx(far, abs=1e-6)
    free = s > 0.05
    cond = [np.linalg.cond(B) for B in euler_angles.rate_matrix(sequence, angles[free][::100])]
    shown = results[f"body_2.rate_condition_{sequence}"][free][::100]
    assert shown == pytest.approx(cond, rel=1e-9)
    largest = results[f"body_2.largest_angle_rate_{sequence}"]
    assert largest == pytest.approx(np.abs(rates).max(axis=1), nan_ok=True)
    # rates against differences: h^2/6 times a third derivative, which grows as 1/s^3
    inside = free[1:-1] & (np.minimum(s[2:], s[:-2]) > 0.2)
    slope = (angles[2:] - angles[:-2]) / (results.t[2:] - results.t[:-2])[:, None]
    assert slope[inside] == pytest.approx(rates[1:-1][inside], abs=5e-2)


def test_plain_names_are_those_of_the_sequence_that_is_shown():
    results = spatial_run()
    assert shown_sequence(results.model, results.model["body_2"]) == "1-2-3"
    for n, name in enumerate(("phi", "theta", "psi"), 1):
        assert np.array_equal(results[f"body_2.{name}"], results[f"body_2.euler_1-2-3_{n}"])
        rate = results[f"body_2.euler_1-2-3_{n}_rate"]
        assert np.array_equal(results[f"body_2.{name}_rate"], rate)
    assert "1-2-3" in results.channel("body_2.theta").label


def test_turn_and_matrix_are_that_of_the_quaternion():
    results = spatial_run()
    q = np.stack([results[f"body_2.q{n}"] for n in range(4)], axis=1)
    turn, axis = (
        np.stack([results[f"body_2.{stem}_{a}"] for a in "xyz"], axis=1)
        for stem in ("turn", "turn_axis")
    )
    assert turn == pytest.approx(convert(q, "quaternion", "rotation vector"), abs=1e-14)
    angle = results["body_2.turn_angle"]
    assert axis * angle[:, None] == pytest.approx(turn, abs=1e-14)
    R = np.stack([results[f"body_2.R_{i}{j}"] for i in "xyz" for j in "xyz"], axis=1)
    assert R.reshape(-1, 3, 3) == pytest.approx(axis_angle.exponential(turn), abs=1e-13)


def test_the_norm_is_that_of_what_was_integrated():
    """RK4 makes |p| smaller by (h w)^6 / 9216 in a step; then it is made 1 again."""
    m = Mechanism("spin", 3, gravity=(0, 0, 0))
    about = {"mass": 1.0, "inertia": (1, 1, 1, 0, 0, 0), "center": (0, 0, 0)}
    m.body((0, 0, 0), id="fast", angular_velocity=(0, 0, 20.0), **about)
    m.body((1, 0, 0), id="euler", angular_velocity=(0, 0, 20.0), parameters="1-2-3", **about)
    results = run(m.model, method="rk4", t_end=0.5, step=0.01)
    norm = results["fast.quaternion_norm"]
    assert norm[0] == 1.0
    assert 1.0 - norm[1:] == pytest.approx(0.2**6 / 9216.0, rel=0.02)
    assert np.linalg.norm([results[f"fast.q{n}"] for n in range(4)], axis=0) == pytest.approx(1.0)
    assert (results["euler.quaternion_norm"] == 1.0).all()


def test_everyday_channels_of_orientation_are_few():
    results = spatial_run()
    usual = [c.name for c in channels_of(results, everyday=True) if c.name.startswith("body_2.")]
    assert not any("euler_" in name or "R_" in name for name in usual)
    assert "body_2.theta" in usual and "body_2.lock_distance" in usual
    assert len(usual) < 60


def wheel():
    """Two wheels on hinges in space, one upon the other, both of which turn many times."""
    m = Mechanism("wheels", 3, gravity=(0, 0, 0))
    about = {"mass": 1.0, "inertia": (1, 1, 2, 0, 0, 0), "center": (0, 0, 0)}
    first = m.body((0, 0, 0), id="first", angular_velocity=(0, 0, 9.0), **about)
    second = m.body((0, 0, 0), id="second", angular_velocity=(0, 0, 25.0), **about)
    m.revolute("ground", first, at=(0, 0, 0), axis=(0, 0, 1), id="slow")
    m.revolute(first, second, at=(0, 0, 0), axis=(0, 0, 1), id="fast")
    return m.model


NAMES = ("slow.angle", "fast.angle", "second.q0", "second.psi", "second.euler_3-2-1_1")


def test_turns_go_on_where_earlier_frames_are_forgotten():
    live = Live(prepare(wheel()))
    kept = Results(live.run.compiled, live.settings)
    whole = Results(live.run.compiled, live.settings)
    asked = [kept[name] for name in NAMES]
    assert not any(map(len, asked))
    for _ in range(40):
        block = live.advance(0.06)
        whole.append(block)
        kept.append(block)
        kept.keep_last(25)
        for name in NAMES:
            assert kept[name] == pytest.approx(whole[name][-len(kept) :], abs=1e-9), name
    assert len(kept) == 25 and kept["fast.angle"][-1] > 10.0 * np.pi
    assert kept["constraint_violation"].max() < 1e-9


def test_some_frames_have_the_values_of_all():
    results = run(wheel(), t_end=1.0)
    some = results.since(60)
    for name in (*NAMES, "second.lock_measure", "constraint_violation"):
        values = results[name]
        expected = np.concatenate([values[:1], values[60:]])
        assert some[name] == pytest.approx(expected, abs=1e-12), name


def test_a_planar_model_has_no_orientation_in_space():
    results = Results(prepare(mechanism("revolute", 2).model).compiled)
    assert not any("theta" in c.name or "norm" in c.name for c in results.channels())
    assert results.norm.shape == (0, 0)


def test_other_parameters_for_one_body_leave_its_motion_as_it_is():
    model = wheel()
    other = put(model, replace(model["second"], parameters="1-2-3"))
    assert run(other, t_end=0.5)["fast.angle"] == pytest.approx(
        run(model, t_end=0.5)["fast.angle"],
        abs=1e-7,  # RK4, h w = 0.025
    )
