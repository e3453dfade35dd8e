"""Methods of fixed step take the step that is asked for, and frames within steps are as good."""

from math import ceil

import numpy as np
import pytest

from assets import example_paths
from engine.compiling.system import compile_model, workspace
from engine.editing.builder import Mechanism
from engine.files.model_files import load
from engine.integrators.amplification import growth
from engine.kinematics.evaluate import fill
from engine.model.elements import put
from engine.model.methods import METHODS
from engine.model.triggers import Trigger
from engine.running.live import Live
from engine.running.simulate import prepare, run
from engine.studies import compare, converge, order
from tests.engine.sample_runs import spatial_chain
from tests.run_models import double_pendulum, lasting, pendulum

FIXED = [method.name for method in METHODS if method.is_fixed]


def example(name):
    return compile_model(load(example_paths()[name]))


def spring_of_frequency(w):
    """A particle that swings along x by 0.1 m, begun at its largest displacement."""
    m = Mechanism("oscillator", gravity=(0, 0))
    m.particle((0.1, 0), 2.0, id="a")
    m.spring(("ground", (-1, 0)), ("a", (0.1, 0)), stiffness=2.0 * w**2, free_length=1.0)
    return m.model


@pytest.mark.parametrize("method", FIXED)
def test_a_step_is_taken_as_it_is_asked_for(method):
    model = pendulum()
    for step, n_steps, common in ((0.1, 10, 0.1), (0.0075, 134, 0.03), (0.3, 4, 0.3)):
        results = run(model, method=method, t_end=1.0, step=step, output_step=0.01)
        assert results.statistics.steps == n_steps == ceil(1.0 / step - 1e-9)
        assert results.t == pytest.approx(np.linspace(0.0, 1.0, 101), abs=1e-12)
        # the same motion with frames at the ends of steps alone
        n = int(1.0 / common + 1e-9)
        alone = run(model, method=method, t_end=n * common, step=step, output_step=common)
        assert alone.statistics.steps == round(n * common / step)
        every = round(common / 0.01)
        for name in ("q", "v", "a", "lam"):
            found, expected = getattr(results, name)[::every][: n + 1], getattr(alone, name)
            # rounding: times such as 0.3 are sums of other numbers
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    "method", ["euler", "heun", "rk4", "euler_cromer", "implicit_euler", "trapezoid"]
)
def test_a_swing_grows_and_fades_as_the_theory_of_the_typed_step_says(method):
    w, h, n = 7.0, 0.1, 12
    results = run(spring_of_frequency(w), method=method, t_end=n * h, step=h, output_step=0.01)
    G = growth(method, h * np.array([[0.0, 1.0], [-(w**2), 0.0]]))
    found = np.stack([results.q[::10, 0], results.v[::10, 0]])
    expected = np.stack([np.linalg.matrix_power(G, k) @ (0.1, 0.0) for k in range(n + 1)], axis=1)
    size = np.abs(expected).max(axis=1, keepdims=True)
    np.testing.assert_allclose(found / size, expected / size, atol=1e-11)  # Newton's iteration
    swing = np.hypot(results.q[::10, 0], results.v[::10, 0] / w)
    factor = {"euler": 1.49**0.5, "implicit_euler": 1.49**-0.5, "trapezoid": 1.0}.get(method)
    if factor:  # 1 + (w h)^2 = 1.49
        np.testing.assert_allclose(swing[1:] / swing[:-1], factor, rtol=1e-9)


@pytest.mark.parametrize(
    "make",
    [
        double_pendulum,
        lambda: spatial_chain().model,
        lambda: spatial_chain("3-2-1").model,
        lambda: example("spatial_four_bar"),
        lambda: example("pendulum_in_the_wind"),
        lambda: example("rheonomic_pendulum"),
    ],
    ids=["plane", "quaternions", "euler angles", "redundant", "interaction", "driven"],
)
def test_a_frame_within_a_step_is_closed_and_fulfils_the_equations_of_motion(make):
    results = run(make(), method="rk4", t_end=0.2, step=0.013, output_step=0.005)
    assert results.statistics.steps == 16 and len(results) == 41
    assert results["constraint_violation"].max() < 1e-12
    assert results["velocity_violation"].max() < 1e-11
    compiled, layout = results.compiled, results.compiled.layout
    for k in range(compiled.system.n_bodies if compiled.system.dim == 3 else 0):
        if compiled.system.bodies["orientation"][k] < 0:
            length = np.linalg.norm(results.q[:, layout.orientation(k)], axis=1)
            assert length == pytest.approx(1.0, abs=1e-14)
    for n in (1, 7, 22, 39):
        ws = workspace(compiled.system)
        fill(compiled, ws, results.t[n], results.q[n], results.v[n], results.z[n])
        size = 1.0 + np.abs(ws.a).max()
        np.testing.assert_allclose(
            results.a[n], ws.a, atol=1e-7 * size
        )  # redundant: proximal steps


def test_frames_within_steps_have_the_order_of_runge_kutta():
    model = double_pendulum()
    frames = {"t_end": 0.6, "output_step": 0.01}
    exact = run(model, method="dop853", tolerance=1e-12, **frames)
    errors = []
    for step in (0.024, 0.012, 0.006):
        results = run(model, method="rk4", step=step, **frames)
        assert results.statistics.steps == ceil(0.6 / step - 1e-9)
        names = ("q", "v", "a", "lam")
        errors.append([np.abs(getattr(results, n) - getattr(exact, n)).max() for n in names])
    order = np.log2(np.array(errors[0]) / errors[-1]) / 2
    assert (order > 3.6).all()


def test_a_step_with_more_frames_than_a_block_has_room_for_writes_them_all():
    m = Mechanism("free", gravity=(0, -1))
    m.particle((0, 0), 1.0, id="a", velocity=(1.0, 0.0))
    results = run(m.model, method="rk4", t_end=10.0, step=12.0, output_step=0.001)
    assert results.statistics.steps == 1 and len(results) == 10_001
    assert results.t == pytest.approx(np.linspace(0.0, 10.0, 10_001), abs=1e-12)
    # a parabola is a cubic
    assert results.q[:, 1] == pytest.approx(-0.5 * results.t**2, abs=1e-11)
    assert results.ending.reason == "done"


def test_a_step_beyond_all_measure_is_one_step():
    m = Mechanism("free", gravity=(0, 0))
    m.particle((0, 0), 1.0, id="a", velocity=(1.0, 0.0))
    results = run(m.model, method="rk4", t_end=1.0, step=1e9, output_step=0.1)
    assert results.statistics.steps == 1 and results.ending.reason == "done"
    # x is a small difference within a step of 1e9 m: ten digits are left of it
    assert results["a.x"] == pytest.approx(results.t, abs=1e-6)


def test_what_is_monitored_belongs_to_steps_and_is_told_once():
    long = {"t_end": 0.3, "step": 0.02, "stabilisation": "projection"}
    ends = run(double_pendulum(), method="heun", output_step=0.02, **long)
    within = run(double_pendulum(), method="heun", output_step=0.005, **long)
    # every frame of a step tells the gap that its end had before it was closed
    np.testing.assert_allclose(within.gap[4::4], ends.gap[1:], rtol=1e-6)
    np.testing.assert_allclose(within.gap[1::4], ends.gap[1:], rtol=1e-6)
    apart = run(double_pendulum(), method="heun", output_step=0.025, **long)
    assert apart.gap[3] == pytest.approx(max(ends.gap[3:5]), rel=1e-6)  # steps 3 and 4


def test_a_joint_counts_its_turns_in_steps_of_a_radian():
    m = Mechanism("wheel", 3, gravity=(0, 0, 0))
    wheel = m.body((0, 0, 0), center=(0, 0, 0), mass=1.0, inertia=(1, 1, 1, 0, 0, 0), id="wheel")
    hinge = m.revolute("ground", wheel, at=(0, 0, 0), axis=(0, 0, 1), id="hinge")
    m.motion(hinge, "20*t")
    results = run(m.model, method="rk4", t_end=2.0, step=0.07, output_step=0.01)
    angle = results[f"{hinge}.angle"]
    assert angle - angle[0] == pytest.approx(20.0 * results.t, abs=1e-9)


def test_a_run_that_switches_parameters_has_all_its_frames():
    m = Mechanism("craft", 3, gravity=(0, 0, 0))
    m.settings(orientation="3-2-1", near_lock="switch to quaternion", t_end=3.0)
    inertia = (1.0, 2.0, 3.0, 0.0, 0.0, 0.0)
    given = {"center": (0, 0, 0), "mass": 1.0, "inertia": inertia}
    m.body((0, 0, 0), id="craft", angular_velocity=(0.02, 1.0, 0.01), **given)
    for method in ("rk4", "bdf3"):
        within = run(m.model, method=method, step=0.024, output_step=0.01)
        alone = run(m.model, method=method, step=0.024, output_step=0.024)
        assert [e.kind for e in within.events if e.kind == "gimbal switch"]
        assert len(within) == 301 and within.statistics.steps == alone.statistics.steps == 125
        np.testing.assert_allclose(within.q[::12], alone.q[::5], atol=1e-9)
        np.testing.assert_allclose(within.v[::12], alone.v[::5], atol=1e-9)
        # beside the lock angles turn ten times as fast as the body: (10 w h)^4/384 is 1e-5
        usual = run(m.model, method="rk4", step=0.01, output_step=0.01)
        near = {"rk4": 3e-5, "bdf3": 1e-2}[method]
        np.testing.assert_allclose(within.q, usual.q, atol=near)


def test_live_mode_takes_the_typed_step_and_shows_frames_within_it():
    model = lasting(double_pendulum(), 1.0, step=0.02, output_step=0.005)
    live = Live(prepare(model))
    assert live.h == 0.02 and live.frame_step == pytest.approx(0.005)
    blocks = [live.advance(0.1) for _ in range(5)]
    t = np.concatenate([block.t for block in blocks])
    expected = run(model, method="rk4")
    assert t == pytest.approx(expected.t[: len(t)], abs=1e-12) and len(t) > 90
    q = np.concatenate([block.q for block in blocks])
    np.testing.assert_allclose(q, expected.q[: len(t)], atol=1e-9)


def test_a_stop_within_a_long_step_ends_the_run_there():
    m = Mechanism("thrown", gravity=(0, -10))
    m.particle((0, 0), 1.0, id="a", velocity=(2.0, 0.0))
    m.marker("ground", (0, 0), id="base")
    m.marker("a", (0, 0), id="hand")
    given = {"marker_i": "base", "marker_j": "hand", "quantity": "y", "value": -1.25}
    model = put(m.model, Trigger(id="watch", action="stop", **given))
    results = run(model, method="rk4", t_end=2.0, step=0.8, output_step=0.03)
    assert results.ending.reason == "stopped"
    assert results.events[-1].t == pytest.approx(0.5, abs=1e-9)  # y = -5 t^2 is a cubic
    assert results.t[-1] == pytest.approx(0.51, abs=0.01) and results.t[-2] < 0.5


def test_studies_run_the_steps_that_are_asked_for():
    short = {"t_end": 0.5, "output_step": 0.02}
    # 7.5 ms do not divide the time between frames: the order is that of the method all the same
    for method, stated in (("rk4", 4), ("bdf5", 5), ("euler", 1)):
        found = order(double_pendulum(), method=method, step=0.0075, steps=4, **short)
        assert found.steps == (0.0075, 0.00375, 0.001875, 0.0009375)
        assert found["positions"].order == pytest.approx(stated, abs=0.35), method
    rows = compare(
        double_pendulum(), ["rk4", "heun"], steps=[0.03, 0.0075], repeats=1, **short
    ).rows
    assert [(row.step, row.steps) for row in rows] == [(0.03, 17), (0.0075, 67)] * 2
    judged = converge(pendulum(), ["rod_1.angle"], method="heun", steps=[0.03, 0.0075], **short)
    assert judged.steps == (0.03, 0.0075)
    assert "no whole multiple of h = 0.0075 s" in " ".join(judged.warnings)


def test_the_summary_names_the_step_that_was_taken():
    results = run(pendulum(), method="euler", t_end=1.0, step=0.1, output_step=0.01)
    assert "step 0.1 s" in results.summary() and " 10 steps" in results.summary()
