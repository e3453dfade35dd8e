"""A simulation without an end: it is that of a run, and a hand pulls at it."""

import numpy as np
import pytest

from engine.editing.builder import Mechanism
from engine.errors import EngineError
from engine.running.live import Live, point_rows
from engine.running.simulate import prepare, run
from tests.run_models import double_pendulum, lasting, pendulum


def frames(live, duration, piece):
    """All frames of some time, advanced piece by piece."""
    blocks = []
    while live.t < duration - 1e-9:
        blocks.append(live.advance(min(piece, duration - live.t)))
    return np.concatenate([block.t for block in blocks]), np.concatenate([b.q for b in blocks])


@pytest.mark.parametrize("piece", [0.001, 0.0137, 0.5])
def test_live_frames_are_those_of_a_run_however_they_are_asked_for(piece):
    expected = run(double_pendulum(), t_end=1.0)
    t, q = frames(Live(prepare(double_pendulum())), 1.0, piece)
    assert t == pytest.approx(expected.t[: len(t)], abs=1e-12) and len(t) == 100
    assert q == pytest.approx(expected.q[: len(t)], abs=1e-9)  # a plan of another length rounds


def test_a_hand_that_holds_nothing_is_not_felt():
    live = Live(prepare(pendulum()))
    live.pull("rod_1", (0.5, 0.0), (0.0, 0.0))
    live.release()
    assert live.held == ""
    t, q = frames(live, 0.5, 0.1)
    assert q == pytest.approx(run(pendulum()).q[: len(t)], abs=1e-9)


def test_a_simulation_goes_on_from_any_state():
    first = run(pendulum())
    running = prepare(pendulum())
    running.start = running.start._replace(q=first.q[70], v=first.v[70])
    live = Live(running, t=0.7)
    block = live.advance(0.2)
    assert block.t[0] == 0.7
    assert block.q == pytest.approx(first.q[70:90], abs=1e-9)


def test_live_mode_with_a_hand_is_critically_damped():
    m = Mechanism("Free", gravity=(0, 0))
    ball = m.particle((0, 0), mass=3)
    live = Live(prepare(m.model))
    live.pull(ball, (0, 0), (1, 0))
    k, c = live.system.laws["param"][0][:2]
    assert c == pytest.approx(2.0 * np.sqrt(3.0 * k))
    block = live.advance(1.0)
    w = np.sqrt(k / 3.0)
    expected = 1.0 - (1.0 + w * block.t) * np.exp(-w * block.t)
    assert block.q[:, 0] == pytest.approx(expected, abs=1e-7)  # h w = 0.015, RK4: error (h w)^4


def test_a_hand_feels_the_mass_with_the_joints_in_place():
    live = Live(prepare(pendulum()))
    # J = m l^2 / 3 about the pivot: the tip at l feels m / 3
    assert live.felt_mass(0, np.array([0.5, 0.0, 0.0])) == pytest.approx(1.0 / 3.0)


def test_a_hand_in_space_feels_the_mass_and_pulls_to_its_place():
    m = Mechanism("Ball joint", dim=3)
    rod = m.rod((0, 0, 0), (1, 0, 0), mass=1, width=1e-4)
    m.spherical("ground", rod, at=(0, 0, 0))
    live = Live(prepare(m.model))
    assert live.felt_mass(0, np.array([0.5, 0.0, 0.0])) == pytest.approx(1.0 / 3.0, rel=1e-6)
    live.pull(rod, (0.5, 0.0, 0.0), (0.0, 0.6, 0.8))
    live.advance(3.0)
    # the weight of half a metre of rod pulls the tip below its target, by less than SAG allows twice
    assert 2.0 * live.q[:3] == pytest.approx([0.0, 0.6, 0.8], abs=0.04)


def test_the_rows_of_a_point_give_its_velocity():
    m = Mechanism("Free", dim=3)
    m.rod((0, 0, 0), (1, 0, 0), mass=1)
    compiled = prepare(m.model).compiled
    rng = np.random.default_rng(3)
    q = np.concatenate([rng.normal(size=3), [0.5, 0.5, -0.5, 0.5]])
    s_loc, v = rng.normal(size=3), rng.normal(size=6)
    from rotations import quaternion

    R = quaternion.matrix(q[3:])
    expected = v[:3] + R @ np.cross(v[3:], s_loc)
    assert point_rows(compiled, q, 0, s_loc) @ v == pytest.approx(expected)


def test_what_cannot_move_cannot_be_pulled():
    with pytest.raises(EngineError, match="does not move"):
        Live(prepare(pendulum())).pull("ground", (0, 0), (1, 1))


def test_a_simulation_that_diverges_ends_and_says_why():
    m = Mechanism("Stiff")
    ball = m.particle((0, 0), mass=1e-3)
    m.spring(("ground", (0, 1)), (ball, (0, 0)), stiffness=1e6, free_length=0.5)
    live = Live(prepare(m.model))
    live.advance(5.0)
    assert live.ending is not None and live.ending.reason == "diverged"
    t = live.t
    assert len(live.advance(1.0).t) == 0 and live.t == t


def test_frames_are_no_closer_than_a_screen_can_show():
    live = Live(prepare(lasting(pendulum(), 2.0, output_step=1e-3)))
    assert np.diff(live.advance(0.1).t) == pytest.approx(5e-3)


@pytest.mark.parametrize("method", ["dop853", "ida", "auto"])
def test_a_method_without_fixed_step_follows_the_clock_as_runge_kutta(method):
    run_of = prepare(lasting(pendulum(), 1.0, method=method))
    live = Live(run_of)
    assert live.settings.method == "rk4" and run_of.settings.method != "rk4"
    _, q = frames(live, 0.5, 0.1)
    expected = run(lasting(pendulum(), 1.0))
    assert q == pytest.approx(expected.q[: len(q)], abs=1e-9)  # the same steps but for rounding
