"""Running a model: blocks, cancelling, failures with sentences, gimbal lock."""

import tracemalloc
from dataclasses import replace
from math import pi

import numpy as np
import pytest

from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from engine.errors import EngineError
from engine.model.elements import planar, put, spatial
from engine.running.simulate import prepare, run, simulate
from rotations import SEQUENCES
from tests.validation import models

COLUMNS = ("t", "q", "v", "a", "lam", "gap", "lock", "lock_body")


def four_bar():
    """A falling four-bar."""
    return models.four_bar(1.0, 3.0, 2.5, 3.0, 1.0).model


def joined_and_whole(names):
    """Columns of a run in many blocks, and of the same run a second time."""
    settings = {"method": "rk4", "t_end": 3.0, "step": 1e-4, "output_step": 1e-3}
    blocks = list(simulate(four_bar(), **settings))
    assert len(blocks) > 3
    whole = run(four_bar(), **settings)
    for name in names:
        yield np.concatenate([getattr(block, name) for block in blocks]), getattr(whole, name)


def test_blocks_in_a_row_are_one_run():
    for joined, whole in joined_and_whole(("t", "q", "v", "a", "lam")):
        np.testing.assert_array_equal(joined, whole)


def test_the_largest_gap_since_the_frame_before_does_not_depend_on_blocks():
    for joined, whole in joined_and_whole(("gap", "lock", "lock_body")):
        np.testing.assert_array_equal(joined, whole)


def test_a_run_repeats_itself_to_the_last_bit():
    first, second = (run(four_bar(), t_end=1.0) for _ in range(2))
    for name in COLUMNS:
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name))


@pytest.mark.parametrize(
    ("t_end", "step", "output_step", "n_frames", "n_steps"),
    [
        (1.0, 1e-3, 0.01, 101, 1000),
        (1.0, 3e-3, 0.01, 101, 334),  # the last step passes the end
        (1.0, 0.5, 0.1, 11, 2),
        (1.0, 0.3, 0.3, 4, 4),  # frames divide the run evenly, steps are as long as asked
        (0.01, 1e-3, 5.0, 2, 10),
    ],
)
def test_frames_divide_the_run_evenly_and_steps_are_those_asked_for(
    t_end, step, output_step, n_frames, n_steps
):
    results = run(four_bar(), method="rk4", t_end=t_end, step=step, output_step=output_step)
    assert len(results) == n_frames
    assert results.statistics.steps == n_steps
    of_frames = results.statistics.evaluations - 4 * n_steps  # within steps, and back at their ends
    between = t_end / (n_frames - 1)
    is_whole = between / step == pytest.approx(round(between / step), abs=1e-9)
    assert of_frames == 0 if is_whole else 0 < of_frames <= 2 * n_frames
    np.testing.assert_allclose(results.t, np.linspace(0, t_end, n_frames), rtol=0, atol=1e-13)


def test_a_cancelled_run_keeps_its_frames():
    settings = {"t_end": 20.0, "step": 1e-4, "output_step": 1e-2}
    seen = []

    def progress(fraction):
        seen.append(fraction)
        return fraction < 0.05

    results = run(four_bar(), progress=progress, **settings)
    assert results.ending.reason == "cancelled"
    assert 0 < len(results) < 2001
    assert seen == sorted(seen)
    assert seen[-1] >= 0.05
    whole = run(four_bar(), **{**settings, "t_end": float(results.t[-1])})
    # the same steps up to rounding of h = t_end / n
    np.testing.assert_allclose(results.q[-1], whole.q[-1], rtol=0, atol=1e-9)


def test_progress_ends_at_one():
    seen = []
    results = run(four_bar(), progress=lambda fraction: seen.append(fraction), t_end=0.5)
    assert seen[-1] == 1.0
    assert results.ending.reason == "done"
    assert results.ending.sentence == ""


def test_results_know_the_very_model_they_came_from():
    model = four_bar()
    results = run(model, t_end=0.1, step=2e-3)
    assert results.model is model
    assert results.settings.step == 2e-3
    assert model.settings.step == 1e-3
    compiled = compile_model(model)
    assert run(compiled, t_end=0.1).compiled is compiled


def test_a_stiff_spring_with_a_long_step_diverges_with_a_sentence():
    m = Mechanism("stiff", gravity=(0, 0))
    bob = m.particle((1.1, 0), 1e-3, id="bob", name="the light bob")
    m.particle((0, 1), 1.0, id="other")
    m.spring(("ground", (0, 0)), (bob, (1.1, 0)), stiffness=1e6, free_length=1.0)
    results = run(m.model, t_end=5.0, step=1e-3, output_step=1e-3, method="rk4")
    assert results.ending.reason == "diverged"
    assert results.ending.ids == ("bob",)
    assert "'the light bob'" in results.ending.sentence
    assert "0.001 s" in results.ending.sentence
    assert f"t = {results.t[-1] + 1e-3:.6g} s" in results.ending.sentence
    assert 1 < len(results) < 5000
    assert np.isfinite(results.q).all()


def driven_rocker():
    """The rocker of a crank-rocker driven by a motion beyond its last reachable angle."""
    m = models.four_bar(1.0, 3.0, 2.5, 3.0, 1.0)
    m.motion("D", "0.8*t", id="drive", name="rocker motor")
    return m.model


def pushed_past_the_toggle():
    """A double rocker (no link goes round) whose crank is driven past its toggle."""
    m = models.four_bar(2.0, 1.0, 2.0, 3.5, 0.5)
    m.motion("A", "1.0*t", id="drive", name="crank motor")
    return m.model


@pytest.mark.parametrize("draw", (driven_rocker, pushed_past_the_toggle))
def test_an_impossible_motion_stops_with_the_joint_named(draw):
    model = draw()
    results = run(model, t_end=3.0)
    assert results.ending.reason == "dead point"
    id, motion = results.ending.ids
    assert id in ("A", "B", "C", "D") and motion == "drive"
    assert f"joint '{model[id].label}'" in results.ending.sentence
    assert " cannot be closed beyond t = " in results.ending.sentence
    assert "t = " in results.ending.sentence
    assert 10 < len(results) < 301
    assert np.isfinite(results.q).all()
    # frames that are kept are closed to what counts as open, 1e-6 of the size
    assert results["constraint_violation"].max() < 1e-6 * results.compiled.length


def gimbal(sequence, about):
    """A body on Euler angles that starts far from lock and turns steadily into it."""
    m = Mechanism("gimbal", 3, gravity=(0, 0, 0))
    m.settings(orientation=sequence)
    m.body(
        (0, 0, 0),
        id="gyro",
        name="the gyro",
        mass=1.0,
        inertia=(1.0, 1.0, 1.0, 0, 0, 0),
        center=(0, 0, 0),
        orientation=(np.cos(pi / 8), *(np.sin(pi / 8) * np.array(about))),
        angular_velocity=np.array(about),
    )
    return m.model


@pytest.mark.parametrize("sequence", ("1-2-3", "3-2-1", "3-1-3"))
def test_euler_angles_warn_before_gimbal_lock_and_stop_in_it(sequence):
    middle = np.eye(3)[int(sequence[2]) - 1]
    euler = run(gimbal(sequence, middle), t_end=4.0, output_step=1e-3, method="rk4")
    assert euler.ending.reason == "gimbal lock"
    assert euler.ending.ids == ("gyro",)
    assert "'the gyro'" in euler.ending.sentence
    assert sequence in euler.ending.sentence
    assert [event.kind for event in euler.events] == ["gimbal amber", "gimbal red"]
    assert euler.events[0].t < euler.events[1].t <= euler.t[-1]
    lock = (pi / 2 if sequence != "3-1-3" else pi) - pi / 4  # theta starts at 45 degrees, rate 1
    assert euler.t[-1] == pytest.approx(lock, abs=0.01)  # stops within a few steps of the lock
    amber, red = (lock - np.arcsin(s) for s in (0.1, 0.01))
    assert [event.t for event in euler.events] == pytest.approx([amber, red], abs=2e-3)  # a frame
    assert np.isfinite(euler.q).all()


@pytest.mark.parametrize("about", np.eye(3).tolist())
def test_quaternions_pass_every_lock_unharmed(about):
    results = run(gimbal("quaternion", about), t_end=4.0, method="rk4")
    assert results.ending.reason == "done"
    assert results.events == []
    angle = 4.0 + pi / 4
    expected = (np.cos(angle / 2), *(np.sin(angle / 2) * np.array(about)))
    np.testing.assert_allclose(results.q[-1, 3:7], expected, rtol=0, atol=1e-12)  # RK4, h = 1 ms


def test_a_single_body_may_have_its_own_parameters():
    model = gimbal("1-2-3", (0, 1, 0))
    gyro = replace(model["gyro"], parameters="quaternion")
    assert run(put(model, gyro), t_end=4.0).ending.reason == "done"


@pytest.mark.parametrize("sequence", SEQUENCES)
def test_a_drawing_in_gimbal_lock_stops_at_once_with_its_sentence(sequence):
    theta = 0.0 if sequence[0] == sequence[-1] else pi / 2
    middle = np.eye(3)[int(sequence[2]) - 1]
    model = gimbal(sequence, middle)
    turned = (np.cos(theta / 2), *(np.sin(theta / 2) * middle))
    results = run(put(model, replace(model["gyro"], orientation=turned)), t_end=0.1)
    assert results.ending.reason == "gimbal lock"
    assert "Use quaternions" in results.ending.sentence


@pytest.mark.parametrize("empty", (planar, spatial))
def test_a_model_without_bodies_has_nothing_to_simulate(empty):
    with pytest.raises(EngineError, match="no moving body"):
        run(empty())


def test_a_run_of_too_many_steps_is_refused():
    with pytest.raises(EngineError, match="longer step"):
        run(four_bar(), t_end=1e6, step=1e-9, output_step=1e4)


@pytest.mark.parametrize(
    "settings", [{"t_end": 0.0}, {"step": -1.0}, {"step": float("nan")}, {"method": "rk99"}]
)
def test_settings_without_sense_are_refused(settings):
    with pytest.raises(EngineError):
        run(four_bar(), **settings)


@pytest.mark.parametrize("method", ["dopri5", "dop853", "radau", "ida"])
def test_frames_of_a_long_run_are_not_listed_before_they_are_due(method):
    running = prepare(four_bar(), method=method, t_end=1e3, output_step=2e-6)
    t: list[float] = []
    tracemalloc.start()
    for block in running:
        t += block.t.tolist()
        if len(t) >= 3:
            break
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert t[:3] == pytest.approx([0.0, 2e-6, 4e-6], rel=1e-12)
    assert most < 1e9  # a list of all of them takes 4 GB


def test_a_free_body_needs_no_joints():
    m = Mechanism("thrown")
    m.particle((0, 0), velocity=(1.0, 2.0))
    results = run(m.model, t_end=1.0)
    # RK4 is exact for a parabola; rounding of a thousand steps
    np.testing.assert_allclose(results.q[-1, :2], [1.0, 2.0 - 9.81 / 2], rtol=0, atol=1e-12)
    assert results.gap.max() == 0.0


def test_a_run_can_be_prepared_and_looked_at_before_it_starts():
    running = prepare(four_bar(), t_end=0.1)
    assert running.ending.reason == "cancelled"  # as long as nobody iterates
    assert running.mobility.dof == 1
    assert running.statistics.steps == 0
    assert len(list(running)) >= 1
    assert running.ending.reason == "done"
    assert running.fraction == 1.0


def test_iterating_a_prepared_run_twice_gives_the_same_frames():
    running = prepare(four_bar(), t_end=0.2, method="rk4")
    first, second = (np.concatenate([b.q for b in running]) for _ in range(2))
    np.testing.assert_array_equal(first, second)
    assert running.statistics.steps == 200


def test_the_gap_is_what_the_step_opened_before_it_was_closed():
    results = run(four_bar(), method="euler", t_end=0.5, step=1e-2, output_step=1e-2)
    # a step of Euler leaves the circle of a pin by about (w h)^2 / 2 = 1e-5 for w near 0.5 rad/s
    assert results.gap.max() > 1e-6
    assert results["constraint_violation"].max() < 1e-11


@pytest.mark.parametrize("by", ("motion", "length"))
def test_the_length_of_a_rod_may_be_driven(by):
    m = Mechanism("winch")
    start = models.polar(1.0, 0.5 - pi / 2)
    bob = m.particle(start, 1.0, id="bob")
    law = "1 + 0.2*sin(3*t)"
    length = {"length": law} if by == "length" else {}
    rod = m.massless_rod(("ground", (0, 0)), (bob, start), **length)
    if by == "motion":
        m.motion(rod, law)
    results = run(m.model, t_end=2.0, step=2e-4, output_step=2.0)
    reached = np.hypot(results["bob.x"], results["bob.y"])[-1]
    assert reached == pytest.approx(1 + 0.2 * np.sin(6.0), abs=1e-12)  # closed to rounding
    theta = np.arctan2(results["bob.x"], -results["bob.y"])[-1]
    assert theta == pytest.approx(0.5129227859571206, rel=1e-6)  # golden case pendulum_rheonomic


@pytest.mark.parametrize("dim", [2, 3])
def test_no_frame_of_a_run_that_loses_its_numbers_is_without_them(dim):
    m = Mechanism("square root", dim)
    box = m.box((0, 0, 0)[:dim], mass=1.0)
    m.force(box, (0.1, 0, 0)[:dim], ("0", "sqrt(0.05 - t)", "0")[:dim])
    results = run(m.model, method="dop853", t_end=0.2, output_step=0.01)
    assert results.ending.reason == "diverged" and results.t[-1] >= 0.04
    assert np.isfinite(results.q).all() and np.isfinite(results.v).all()
