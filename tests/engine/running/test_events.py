"""Events: stops, ropes, tables and triggers are found at the moments that closed forms give."""

from math import acos, asin, atan, atan2, pi, sin, sqrt

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.interpolate import PchipInterpolator
from scipy.optimize import brentq
from scipy.special import ellipk, ellipkinc

from engine.cli.commands import main
from engine.editing.builder import Mechanism
from engine.errors import EngineError
from engine.model.elements import put
from engine.model.triggers import Trigger
from engine.running.simulate import prepare, run
from kardan import save
from tests.validation.models import thin_rod

ADAPTIVE = ("dopri5", "dop853")
DIMS = (2, 3)
EXACT = {"tolerance": 1e-11}
FOUND = 1e-9  # [s] what is promised of the moment of an event
GRAVITY = 9.81
OMEGA = sqrt(1.5 * GRAVITY)  # of small swings of a slender rod of one metre


def at(dim, *place):
    """A point of the plane, or of space at z = 0."""
    return (*place, 0.0)[:dim]


def pendulum(dim, amplitude, **trigger):
    """A slender rod of one metre at rest at this angle from hanging; markers `base` and `rod`.

    The joint's angle, and that of the rod's marker from the base, is zero where the rod hangs.
    """
    m = Mechanism("pendulum", dim, gravity=at(dim, 0.0, -GRAVITY))
    tip = at(dim, sin(amplitude), -sqrt(1.0 - sin(amplitude) ** 2))
    thin_rod(m, at(dim, 0.0, 0.0), tip, id="rod")
    about = {"axis": (0, 0, 1)} if dim == 3 else {}
    m.revolute("ground", "rod", at=at(dim, 0.0, 0.0), id="pin", **about)
    if dim == 2:
        m.marker("ground", (0, 0), angle=-amplitude, id="base")
        m.marker("rod", (0, 0), id="hand")
    else:
        x = (sqrt(1.0 - sin(amplitude) ** 2), -sin(amplitude), 0)
        m.marker("ground", (0, 0, 0), axis=(0, 0, 1), x=x, id="base")
        m.marker("rod", (0, 0, 0), axis=(0, 0, 1), x=(1, 0, 0), id="hand")
    if trigger:
        given = {"quantity": "angle", **trigger}
        m.model = put(m.model, Trigger(id="watch", marker_i="base", marker_j="hand", **given))
    return m


def time_from_rest(amplitude, angle):
    """Of a pendulum from rest at its amplitude down to an angle, also beyond the lowest pose."""
    k = sin(amplitude / 2)
    return (ellipk(k * k) - ellipkinc(asin(sin(angle / 2) / k), k * k)) / OMEGA


def times(results, id):
    """The times of the events of one element."""
    return [event.t for event in results.events if event.ids == (id,)]


# --- forces that change their law


@pytest.mark.parametrize("dim", DIMS)
@pytest.mark.parametrize("method", ADAPTIVE)
def test_a_pendulum_meets_its_stop_and_comes_back(method, dim):
    m = pendulum(dim, 1.0)
    # the joint's angle is zero as drawn: the stop is 1.4 rad from there, 0.4 beyond the lowest pose
    m.joint_limits("pin", -1.4, 2.0, stiffness=1e3, damping=0.0, id="stop")
    results = run(m.model, method=method, t_end=2.0, **EXACT)
    hit, leave, again, *more = times(results, "stop")
    down = time_from_rest(1.0, -0.4)
    assert hit == pytest.approx(down, abs=FOUND)
    # without losses it comes back as it went: up to rest and down again
    assert again - leave == pytest.approx(2 * down, abs=FOUND)
    assert len(more) == 1  # and leaves once more before the end
    assert more[0] - again == pytest.approx(leave - hit, abs=2 * FOUND)  # two moments each
    assert results.ending.reason == "done"
    assert len(results) == 201
    assert "Joint 'pin' meets its lower stop at t = 0." in results.events[0].sentence
    assert "Joint 'pin' leaves its stop at t = " in results.events[1].sentence


@pytest.mark.parametrize("dim", DIMS)
@pytest.mark.parametrize("method", ADAPTIVE)
def test_a_slider_flies_from_stop_to_stop(method, dim):
    m = Mechanism("slider", dim, gravity=at(dim, 0.0, 0.0))
    inertia = 1.0 if dim == 2 else (1.0, 1.0, 1.0, 0, 0, 0)
    still = {"center": at(dim, 0.0, 0.0), "velocity": at(dim, 2.0, 0.0)}
    m.body(at(dim, 0.0, 0.0), mass=0.5, inertia=inertia, id="slider", **still)
    m.prismatic("ground", "slider", at=at(dim, 0.0, 0.0), axis=at(dim, 1.0, 0.0), id="rail")
    m.joint_limits("rail", -0.3, 0.5, stiffness=800.0, damping=0.0, id="ends")
    results = run(m.model, method=method, t_end=1.5, **EXACT)
    touch = pi / sqrt(800.0 / 0.5)  # half a period of the mass on the stop
    expected, t = [0.25], 0.25
    while t < 1.5:
        expected += [t + touch, t + touch + 0.4]
        t = expected[-1]
    expected = [t for t in expected if t < 1.5]
    found = times(results, "ends")
    assert len(found) == len(expected)
    # the errors of the steps between them, 1e-11 of all numbers together in each, add up
    assert np.all(np.abs(np.subtract(found, expected)) < FOUND * (1 + np.arange(len(found)) / 4))


def grazing_slider(dim, amplitude, depth, k, k_stop, mass):
    """A mass on a spring, at rest at its amplitude; a stop is so far inside its other turning point."""
    m = Mechanism("grazing", dim, gravity=at(dim, 0.0, 0.0))
    inertia = 1.0 if dim == 2 else (1.0, 1.0, 1.0, 0, 0, 0)
    start = at(dim, amplitude, 0.0)
    m.body(start, mass=mass, inertia=inertia, center=at(dim, 0.0, 0.0), id="slider")
    m.prismatic("ground", "slider", at=start, axis=at(dim, 1.0, 0.0), id="rail")
    m.spring(("ground", at(dim, -5.0, 0.0)), ("slider", start), stiffness=k, free_length=5.0)
    m.joint_limits("rail", depth - 2 * amplitude, 1.0, stiffness=k_stop, damping=0.0, id="ends")
    return m.model


@pytest.mark.parametrize("dim", DIMS)
@pytest.mark.parametrize("method", ADAPTIVE)
def test_a_stop_that_is_touched_briefly_within_a_step_is_met_every_time(method, dim):
    amplitude, depth, k, k_stop, mass = 0.5, 1e-3, 50.0, 5e4, 2.0
    w, W, x_stop = sqrt(k / mass), sqrt((k + k_stop) / mass), depth - amplitude
    fall = acos(x_stop / amplitude) / w
    # on the stop x = x_e + a cos Wt + b sin Wt, which is x_stop again at  tan(Wt/2) = b/a
    a, b = x_stop - k_stop * x_stop / (k + k_stop), -amplitude * w * sin(w * fall) / W
    touch = (2 * atan2(b, a)) % (2 * pi) / W
    expected = np.cumsum([fall, touch] + 4 * [2 * fall, touch])
    model = grazing_slider(dim, amplitude, depth, k, k_stop, mass)
    loose = times(run(model, method=method, t_end=6.0, tolerance=1e-4), "ends")
    assert len(loose) == 10  # though a touch takes 0.016 s and steps 0.2 s
    exact = times(run(model, method=method, t_end=6.0, **EXACT), "ends")
    assert exact[0] == pytest.approx(expected[0], abs=FOUND)
    # it meets the stop with a twentieth of its speed, so that errors of place become twenty times as
    # large, and those of a thousand steps add up
    assert exact == pytest.approx(expected.tolist(), abs=40 * FOUND)


@pytest.mark.parametrize("dim", DIMS)
@pytest.mark.parametrize("method", ADAPTIVE)
def test_a_rope_goes_taut_and_slack(method, dim):
    m = Mechanism("rope", dim, gravity=at(dim, 0.0, -GRAVITY))
    bob = m.particle(at(dim, 0.0, -0.5), 2.0, id="bob")
    ends = ("ground", at(dim, 0.0, 0.0)), (bob, at(dim, 0.0, -0.5))
    m.spring(*ends, stiffness=500.0, free_length=1.0, acts="tension", id="rope")
    results = run(m.model, method=method, t_end=2.0, **EXACT)
    w, speed = sqrt(500.0 / 2.0), sqrt(2 * GRAVITY * 0.5)
    fall = speed / GRAVITY
    # x = (g/w^2) (1 - cos wt) + (v/w) sin wt is zero again at  tan(wt/2) = -v w/g
    taut = 2 * (pi - atan(speed * w / GRAVITY)) / w
    expected = np.cumsum([fall] + 4 * [taut, 2 * fall])
    assert times(results, "rope") == pytest.approx(expected[expected < 2.0].tolist(), abs=FOUND)


@pytest.mark.parametrize("dim", DIMS)
@pytest.mark.parametrize("method", ADAPTIVE)
def test_a_spring_by_a_table_is_cut_at_its_points(method, dim):
    points = ((-1.0, -10.0), (0.0, 0.0), (1.0, 40.0))
    m = Mechanism("table", dim, gravity=at(dim, 0.0, 0.0))
    bob = m.particle(at(dim, 0.5, 0.0), 1.0, id="bob")
    ends = ("ground", at(dim, -5.0, 0.0)), (bob, at(dim, 0.5, 0.0))
    m.spring(*ends, stiffness=0.0, free_length=5.0, spring_curve=points, id="spring")
    results = run(m.model, method=method, t_end=3.0, **EXACT)
    V = PchipInterpolator(*np.transpose(points)).antiderivative()
    far = brentq(lambda x: V(x) - V(0.5), -1.0, -0.1, xtol=1e-15)

    def quarter(end):
        """From rest at one end to the middle; x = end (1 - u^2) takes the root out."""

        def integrand(u):
            x = end * (1 - u * u)
            return 2 * u * abs(end) / sqrt(2 * float(V(end) - V(x))) if u > 0.0 else 0.0

        return quad(integrand, 1e-7, 1.0, epsabs=1e-13, epsrel=1e-12, limit=200)[0]

    right, left = quarter(0.5), quarter(far)
    # the first 1e-7 of u are left out; the integrand is even and near 2 sqrt(end / 2 F) there
    lost = [
        1e-7 * 2 * abs(e) / sqrt(2 * abs(e) * abs(float(V.derivative()(e)))) for e in (0.5, far)
    ]
    right, left = right + lost[0], left + lost[1]
    expected = np.cumsum([right] + 3 * [2 * left, 2 * right])
    assert times(results, "spring") == pytest.approx(expected[expected < 3.0].tolist(), abs=FOUND)


# --- triggers


@pytest.mark.parametrize("dim", DIMS)
@pytest.mark.parametrize("method", ADAPTIVE)
def test_a_trigger_records_every_crossing(method, dim):
    results = run(pendulum(dim, 1.0, value=0.3).model, method=method, t_end=3.0, **EXACT)
    period = 4 * ellipk(sin(0.5) ** 2) / OMEGA
    first = time_from_rest(1.0, 0.3)
    expected = [first, period - first, period + first]
    assert times(results, "watch") == pytest.approx(expected, abs=FOUND)
    ways = [("above" in e.sentence, "below" in e.sentence) for e in results.events]
    assert ways == [(False, True), (True, False), (False, True)]
    assert {e.kind for e in results.events} == {"trigger"}
    assert results.ending.reason == "done"
    assert len(results) == 301


@pytest.mark.parametrize("dim", DIMS)
@pytest.mark.parametrize("method", ADAPTIVE)
def test_a_trigger_that_stops_ends_the_run_with_a_frame_at_that_moment(method, dim):
    model = pendulum(dim, 1.0, value=-0.4, action="stop", name="far enough").model
    results = run(model, method=method, t_end=3.0, **EXACT)
    (event,) = results.events
    assert event.t == pytest.approx(time_from_rest(1.0, -0.4), abs=FOUND)
    assert results.ending.reason == "stopped"
    assert results.ending.ids == ("watch",)
    assert "'far enough': the angle goes below its limit" in results.ending.sentence
    assert results.t[-1] == event.t
    assert results["pin.angle"][-1] == pytest.approx(-1.4, abs=1e-8)  # 1e-9 s at 4 rad/s
    np.testing.assert_allclose(results.t[:-1], 0.01 * np.arange(len(results) - 1), atol=1e-12)
    assert results.t[-2] < event.t < results.t[-2] + 0.01
    energy = results["total_energy"]
    np.testing.assert_allclose(
        energy, energy[0], rtol=0, atol=1e-9
    )  # the last frame is a true state
    assert np.linalg.norm(results.lam[-1]) > GRAVITY / 2  # with its reactions


@pytest.mark.parametrize("method", ADAPTIVE)
@pytest.mark.parametrize(
    ("trigger", "expected"),
    [
        ({"quantity": "distance", "value": 0.5}, []),
        ({"quantity": "x", "value": 0.5}, [0.1, 0.7]),
        ({"quantity": "x", "of": "rate", "value": 0.0}, [0.4]),
        ({"quantity": "y", "value": 0.1}, [0.2]),
    ],
)
def test_triggers_watch_distances_places_and_rates(trigger, expected, method):
    # x = 0.2375 + 3 t - 3.75 t^2 is 0.5 at 0.1 s and 0.7 s, and turns back at 0.4 s; y = 0.5 t
    if trigger["quantity"] == "distance":
        expected = [
            brentq(lambda t: np.hypot(0.2375 + 3 * t - 3.75 * t * t, t / 2) - 0.5, 0.0, 0.2)
        ]
    results = run(thrown(**trigger), method=method, t_end=0.72, **EXACT)
    assert times(results, "watch") == pytest.approx(expected, abs=FOUND)


def thrown(**trigger):
    """A particle that is thrown along x against a steady force."""
    m = Mechanism("thrown", gravity=(-7.5, 0.0))
    m.particle((0.2375, 0.0), velocity=(3.0, 0.5), id="bob")
    m.marker("ground", (0, 0), id="base")
    m.marker("bob", (0.2375, 0.0), id="ball")
    return put(m.model, Trigger(id="watch", marker_i="base", marker_j="ball", **trigger))


@pytest.mark.parametrize("method", (*ADAPTIVE, "rk4"))
def test_a_value_that_starts_on_its_limit_is_not_met_by_leaving_it(method):
    for quantity, value in (("x", 0.2375), ("y", 0.0)):
        results = run(
            thrown(quantity=quantity, value=value, action="stop"), method=method, t_end=0.5
        )
        assert results.ending.reason == "done"
    # at rest: it leaves with the square of the time only
    results = run(pendulum(2, 1.0, value=1.0).model, method=method, t_end=2.0)
    assert all(t > 1.0 for t in times(results, "watch"))


@pytest.mark.parametrize(("value", "tolerance"), [(0.97, 1e-5), (0.9999, 1e-6)])
@pytest.mark.parametrize("method", ADAPTIVE)
def test_a_value_that_passes_and_comes_back_within_a_step_is_seen(method, value, tolerance):
    # above it for 0.13 s or 8 ms of each 1.7 s, in which loose steps are 0.1 to 0.3 s long
    model = pendulum(2, 1.0, value=value).model
    settings = {"method": method, "coordinates": "absolute", "tolerance": tolerance}
    results = run(model, t_end=5.0, **settings)
    period, first = 4 * ellipk(sin(0.5) ** 2) / OMEGA, time_from_rest(1.0, value)
    rounds = period * np.arange(3)
    expected = sorted([*(rounds + first), *(rounds[1:] - first)])
    # errors of the tolerance in each of some steps, seen where the angle moves with 0.9 or 0.05 rad/s
    expected = [t for t in expected if t < 5.0]
    assert times(results, "watch") == pytest.approx(expected, abs=100 * tolerance)


@pytest.mark.parametrize("method", ADAPTIVE)
def test_two_events_at_one_moment_are_both_recorded_and_the_stop_is_named(method):
    model = pendulum(2, 1.0, value=0.3, action="stop").model
    other = Trigger(id="other", marker_i="base", marker_j="hand", quantity="angle", value=0.3)
    results = run(put(model, other), method=method, t_end=3.0, **EXACT)
    assert {event.ids for event in results.events} == {("watch",), ("other",)}
    assert results.ending.ids == ("watch",)


def test_a_run_may_have_more_events_than_fit_into_one_block():
    m = Mechanism("wheel", gravity=(0, 0))
    m.body((0, 0), mass=1.0, inertia=1.0, center=(0, 0), spin=100.0, id="wheel")
    m.marker("ground", (0, 0), id="base")
    m.marker("wheel", (1.0, 0), id="rim")
    watch = Trigger(id="watch", marker_i="base", marker_j="rim", quantity="y", value=0.0)
    results = run(put(m.model, watch), method="dop853", t_end=10.0, tolerance=1e-10)
    # y = sin(100 t) starts on its limit and crosses it at every multiple of pi/100
    expected = pi / 100 * np.arange(1, 319)
    np.testing.assert_allclose(times(results, "watch"), expected, rtol=0, atol=1e-8)  # 1e-10 a step


# --- methods of fixed step


@pytest.mark.parametrize("dim", DIMS)
@pytest.mark.parametrize("method", ("rk4", "heun", "euler_cromer"))
def test_methods_of_fixed_step_find_triggers_between_their_frames(method, dim):
    model = pendulum(dim, 1.0, value=0.3).model
    order = {"rk4": 4, "heun": 2, "euler_cromer": 1}[method]
    results = run(model, method=method, t_end=1.5, step=1e-3, output_step=1e-2)
    period, first = 4 * ellipk(sin(0.5) ** 2) / OMEGA, time_from_rest(1.0, 0.3)
    # RK4: the cubic errs by h^4/384 |x''''|, 6e-9 rad at 3 rad/s; others by their own order
    within = {4: 1e-8, 2: 2e-5, 1: 5e-3}[order]
    assert times(results, "watch") == pytest.approx([first, period - first], abs=within)
    assert results.ending.reason == "done"


def test_the_moments_of_fixed_step_improve_with_the_fourth_power_of_the_output_step():
    errors = []
    for output in (4e-2, 2e-2):
        model = pendulum(2, 1.0, value=0.3).model
        results = run(model, method="rk4", t_end=0.4, step=1e-3, output_step=output)
        errors.append(abs(times(results, "watch")[0] - time_from_rest(1.0, 0.3)))
    # where in its interval the moment lies matters too: a factor between 4 and 64
    assert 4.0 < errors[0] / errors[1] < 64.0


@pytest.mark.parametrize("dim", DIMS)
def test_a_run_of_fixed_step_that_stops_ends_with_the_frame_after_it(dim):
    model = pendulum(dim, 1.0, value=-0.4, action="stop").model
    results = run(model, method="rk4", t_end=3.0, output_step=1e-2)
    (event,) = results.events
    assert event.t == pytest.approx(time_from_rest(1.0, -0.4), abs=1e-8)
    assert results.ending.reason == "stopped"
    assert results.ending.ids == ("watch",)
    assert results.t[-2] < event.t <= results.t[-1]
    assert results.t[-1] == pytest.approx(0.01 * (len(results) - 1), abs=1e-12)
    assert results["pin.angle"][-2] > -1.4 > results["pin.angle"][-1]


@pytest.mark.parametrize("of", ("value", "rate"))
def test_two_crossings_between_two_frames_are_both_found(of):
    # x is a parabola and its rate a line: the cubic is exact, whatever the frames
    if of == "value":
        trigger, expected = (
            {"quantity": "x", "value": 0.8135},
            [0.32, 0.48],
        )
    else:
        trigger, expected = {"quantity": "x", "of": "rate", "value": 1.5}, [0.2]
    results = run(thrown(**trigger), method="rk4", t_end=0.6, output_step=0.3)
    # x_ddot comes from differences: 1e-10
    assert times(results, "watch") == pytest.approx(expected, abs=FOUND)


def test_turns_are_counted_in_space_between_frames():
    m = Mechanism("rotor", 3, gravity=(0, 0, 0))
    inertia = (1.0, 1.0, 1.0, 0, 0, 0)
    m.body(
        (0, 0, 0),
        mass=1.0,
        inertia=inertia,
        center=(0, 0, 0),
        angular_velocity=(0, 0, 10.0),
        id="r",
    )
    m.revolute("ground", "r", at=(0, 0, 0), axis=(0, 0, 1))
    m.marker("ground", (0, 0, 0), id="base")
    m.marker("r", (0, 0, 0), id="hand")
    third = {"quantity": "angle", "value": 7 * pi, "action": "stop"}
    model = put(m.model, Trigger(id="watch", marker_i="base", marker_j="hand", **third))
    for method in (*ADAPTIVE, "rk4"):
        results = run(model, method=method, t_end=4.0, output_step=0.05, **EXACT)
        assert results.events[0].t == pytest.approx(0.7 * pi, abs=FOUND)  # steady: exact for all
        assert results.ending.reason == "stopped"


def test_blocks_do_not_lose_what_happens_between_them():
    model = pendulum(2, 1.0, value=0.3).model
    running = prepare(model, t_end=20.0, step=1e-4, output_step=1e-2, method="rk4")
    n_blocks = sum(1 for _ in running)
    assert n_blocks > 3
    period, first = 4 * ellipk(sin(0.5) ** 2) / OMEGA, time_from_rest(1.0, 0.3)
    rounds = period * np.arange(13)
    expected = np.sort(np.concatenate([rounds + first, rounds[1:] - first]))
    found = [event.t for event in running.events]
    np.testing.assert_allclose(found, expected[expected < 20.0], rtol=0, atol=1e-8)


def test_a_run_that_a_trigger_stops_is_no_failure_on_the_command_line(tmp_path, capsys):
    save(pendulum(2, 1.0, value=-0.4, action="stop").model, tmp_path / "model.json")
    assert main(["simulate", str(tmp_path / "model.json"), "--t-end", "3"]) == 0
    assert "Trigger 'watch': the angle goes below its limit" in capsys.readouterr().out


def test_a_trigger_in_the_plane_cannot_watch_z():
    with pytest.raises(EngineError, match="watches z, which is not there in the plane"):
        run(thrown(quantity="z"), t_end=0.1)
