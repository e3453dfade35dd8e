"""Contacts under every method: no re-contact is missed, and errors fall with the tolerance."""

from functools import cache
from math import atan, pi, sqrt

import numpy as np
import pytest

from engine.cli.commands import main
from engine.compiling.system import compile_model
from engine.kernels import forces
from engine.kernels.layout import FREE
from engine.kinematics.assemble import assemble
from engine.kinematics.limits import beyond_limits
from engine.model.elements import put
from engine.model.triggers import Trigger
from engine.running.simulate import prepare, run
from kardan import save
from tests.engine.contact_models import (
    GRAVITY,
    box_on_rail,
    double_pendulum,
    double_pendulum_reference,
)

ADAPTIVE = ("dopri5", "dop853")
DIMS = (2, 3)
TIMES = np.linspace(0.0, 2.0, 201)
# angles of the rods, and joint, low, high, stiffness, damping, depth of each pair of stops
PENDULUMS = {
    "stiff": ((1.0, 1.3), [(1, -0.6, 0.5, 1e4, 0.0, 1e-3)]),
    "damped": ((1.0, 1.3), [(1, -0.6, 0.5, 1e4, 20.0, 1e-2)]),
    "soft": ((1.0, 1.0), [(0, -1.5, 0.3, 300.0, 0.0, 1e-3), (1, -0.4, 0.4, 100.0, 0.0, 1e-3)]),
}


@cache
def known(name):
    """The angles of a double pendulum by scipy, and its number of events."""
    return double_pendulum_reference(*PENDULUMS[name], TIMES)


@pytest.mark.parametrize("name", PENDULUMS)
@pytest.mark.parametrize("method", ADAPTIVE)
@pytest.mark.parametrize("dim", DIMS)
def test_errors_after_contacts_fall_with_the_tolerance(name, method, dim):
    model = double_pendulum(dim, *PENDULUMS[name]).model
    expected, n_events = known(name)
    for tolerance in (1e-5, 1e-7, 1e-9):
        results = run(model, method=method, tolerance=tolerance, t_end=2.0)
        x = np.stack([results["pin0.angle"], results["pin1.angle"]], axis=1)
        # some hundred steps, each with the tolerance, and contacts that magnify what came before
        assert np.abs(x - expected).max() < 100 * tolerance, tolerance
        assert len(results.events) == n_events


@pytest.mark.parametrize("dim", DIMS)
@pytest.mark.parametrize("method", ADAPTIVE)
@pytest.mark.parametrize("tolerance", (1e-6, 1e-11))
def test_a_contact_that_is_left_again_within_a_step_is_found(method, dim, tolerance):
    # thrown up to 1.25 m against 10 m/s^2, with a stop 10 um below: met for 2.4 ms, between two frames
    stop, k = 1.25 - 1e-5, 1e5
    thrown = {"gravity": (0.0, -10.0), "velocity": (0.0, 5.0)}
    m = box_on_rail(dim, low=-9.0, high=stop, stiffness=k, damping=0.0, **thrown)
    results = run(m.model, method=method, tolerance=tolerance, t_end=0.8)
    v = sqrt(2 * 10.0 * 1e-5)  # with which it meets the stop
    meets, w = 0.5 - v / 10.0, sqrt(k)
    # d = -(g/w^2) (1 - cos wt) + (v/w) sin wt  is zero again at  tan(wt/2) = v w/g
    lasts = 2 * atan(v * w / 10.0) / w
    found = [event.t for event in results.events]
    within = 1e-9 if tolerance == 1e-11 else 1e-4  # the error of v, over the 10 m/s^2 that act
    assert found == pytest.approx([meets, meets + lasts], abs=within)
    falls = results.t[-1] - (meets + lasts)
    end = stop - v * falls - 5.0 * falls**2
    assert results["box.y"][-1] == pytest.approx(end, abs=1e2 * tolerance + 1e-9)


@cache
def bounced(dim):
    """Where a damped box is after two bounces, by very short steps.

    Damping fades with the depth: shortly before it leaves, the stop lets go and presses again for 20 us.
    """
    m = box_on_rail(dim, low=-1.0, high=9.0, stiffness=1e5, damping=100.0, depth=1e-3)
    results = run(m.model, method="rk4", step=5e-6, t_end=1.1)
    return m.model, float(results["box.y"][-1])


@pytest.mark.parametrize("output", (0.01, 0.55))
@pytest.mark.parametrize("method", (*ADAPTIVE, "ida", "radau"))
def test_a_brief_second_contact_is_felt_by_all_methods_with_step_control(method, output):
    model, y = bounced(2)
    results = run(model, method=method, tolerance=1e-9, t_end=1.1, output_step=output)
    assert results.ending.reason == "done"
    assert results["box.y"][-1] == pytest.approx(y, abs=1e-6)  # 1e-5 where it is missed
    assert len(results.events) == 4
    # the first fall is a parabola
    within = 1e-9 if method in ADAPTIVE else 1e-7
    assert results.events[0].t == pytest.approx(sqrt(2 / GRAVITY), abs=within)


def test_a_law_held_on_a_branch_is_that_of_the_branch_beyond_its_ends():
    param = np.array([-1.0, 1.0, 1e3, 10.0, 0.1])
    x = np.linspace(-1.5, 1.5, 61)
    for rate in (-2.0, 0.0, 2.0):
        free = [
            forces.stop_tension(param, forces.stop_branch(param, at, rate), at, rate) for at in x
        ]
        for at, N in zip(x, free):
            part = forces.stop_branch(param, at, rate)
            assert forces.stop_tension(param, part, at, rate) == N
            assert N * at >= 0.0 and (N == 0.0 or abs(at) > 1.0)  # a stop only pushes inwards
    # held on the side where it presses it is a straight line through the stop, also before it
    assert forces.stop_tension(param, 1.0, 0.9, 0.0) == pytest.approx(-100.0)
    assert forces.stop_tension(param, 0.0, 1.5, 0.0) == 0.0
    assert (
        forces.stop_branch(param, 1.05, 0.0) == 1.0 and forces.stop_branch(param, 1.2, 0.0) == 3.0
    )
    assert forces.stop_branch(param, 1.05, -20.0) == 0.5  # it leaves faster than the stop follows
    assert abs(FREE) > 1e6  # no branch has this number


# --- methods of fixed step


def test_a_method_of_fixed_step_says_that_contacts_are_not_located():
    model, _ = bounced(2)
    (note,) = prepare(model, method="rk4").notes
    assert "'floor'" in note and "uncertain by a step of 1 ms" in note
    assert prepare(model, method="dop853", coordinates="absolute").notes == []


@pytest.mark.parametrize("method", ("rk4", "implicit_euler", "generalised_alpha"))
def test_a_step_too_long_for_a_contact_is_advised_against(method):
    model, _ = bounced(2)
    # half a period of 1 kg on 1e5 N/m: 10 ms
    assert [
        one for one in prepare(model, method=method, step=5e-4).advice if "lasts" in one.sentence
    ] == []
    (advice,) = prepare(model, method=method, step=2e-3).advice
    assert "A contact with 'floor' lasts about 9.9 ms" in advice.sentence
    (_, shorter), (_, other) = advice.remedies
    assert prepare(model, method=method, **shorter).advice == []
    assert prepare(model, **other).advice == []
    assert pi / sqrt(1e5) / 10 == pytest.approx(advice.step)


# --- limits that are violated at the start


def violated(model):
    """What is told of limits at the start."""
    compiled = compile_model(model)
    return beyond_limits(compiled, assemble(compiled))


@pytest.mark.parametrize("dim", DIMS)
def test_a_joint_that_starts_beyond_its_stop_is_told_everywhere(dim, tmp_path, capsys):
    m = box_on_rail(dim, low=0.2, high=9.0, stiffness=1e3, damping=0.0)
    expected = (
        "Joint 'rail' starts 0.2 m beyond the lower stop of 'floor', which pushes it back with 200 N from "
        "the start. Move its bodies, or the stop."
    )
    results = run(m.model, method="dop853", t_end=0.05)
    assert expected in results.summary()
    (problem,) = violated(m.model)
    assert problem.sentence == expected and problem.ids == ("floor", "rail")
    save(m.model, tmp_path / "model.json")
    main(["check", str(tmp_path / "model.json")])
    assert expected in capsys.readouterr().out
    # what is typed runs: a mass on a spring, x = x0 (1 - cos wt)
    w, x0 = sqrt(1e3), 0.2 - GRAVITY / 1e3
    np.testing.assert_allclose(results["box.y"], x0 * (1 - np.cos(w * results.t)), atol=1e-7)


def test_a_trigger_that_starts_on_its_limit_is_told():
    m = box_on_rail(2, low=-1.0, high=1.0)
    m.marker("ground", (0, 0), id="base")
    m.marker("box", (0, 0), id="mark")
    watch = Trigger(id="watch", marker_i="base", marker_j="mark", quantity="y", value=0.0)
    (problem,) = violated(put(m.model, watch))
    assert "Trigger 'watch' starts on its limit" in problem.sentence and problem.ids == ("watch",)
    other = Trigger(id="watch", marker_i="base", marker_j="mark", quantity="y", value=-0.5)
    assert violated(put(m.model, other)) == []
