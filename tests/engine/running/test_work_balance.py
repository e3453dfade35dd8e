"""The work balance of runs: T + V - W stays, but for the error of the method."""

import functools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.integrate import simpson

from assets.examples_of_linkages import spatial_four_bar
from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from engine.kernels.state import layout_of
from engine.model.elements import Model
from engine.model.methods import METHODS
from engine.results.balance import Balance, balance_of
from engine.results.results import Results
from engine.running.live import Live
from engine.running.simulate import prepare, run
from tests.example_runs import model_of_file

FIXED = {method.name: method.order for method in METHODS if method.is_fixed}
CONTROLLED = [method.name for method in METHODS if not method.is_fixed]


def machine() -> Model:
    """A driven crank with a damped arm in the wind, a spring, a general force and a torque over time."""
    m = Mechanism("Machine")
    crank = m.rod((0, 0), (0.4, 0), mass=1.0, id="crank")
    arm = m.rod((0.4, 0), (0.4, -0.8), mass=1.5, id="arm")
    main = m.revolute("ground", crank, (0, 0), id="main")
    elbow = m.revolute(crank, arm, (0.4, 0), id="elbow")
    m.motion(main, "0.6*sin(3*t)", id="motor")
    m.joint_damping(elbow, 0.3, id="bearing")
    m.spring_damper(("ground", (1, 0)), (arm, (0.4, -0.5)), stiffness=20, damping=1.5, id="strut")
    m.air_drag(arm, (0.4, -0.8), drag_area=0.8, wind_x="4*sin(2*t)", id="air")
    m.torque(arm, "0.5*cos(4*t)", id="given")
    m.settings(output_step=0.05)
    return m.model


def share(model: Model, **changes: Any) -> float:
    """The error of the balance, relative to the energy exchanged."""
    results = run(model, **changes)
    assert results.ending.reason == "done", results.ending.sentence
    return balance_of(results).share


@functools.cache
def machine_run() -> Results:
    return run(machine(), t_end=1.0, method="dop853", tolerance=1e-11, output_step=0.005)


@pytest.mark.parametrize("method", FIXED)
def test_it_closes_with_the_order_of_the_method(method):
    found = [share(machine(), method=method, t_end=0.4, step=h) for h in (0.01, 0.005)]
    assert 0.0 < found[1] < found[0] < 0.2
    assert np.log2(found[0] / found[1]) > FIXED[method] - 0.4, found


@pytest.mark.parametrize("method", CONTROLLED)
def test_it_closes_to_the_tolerance(method):
    rough, fine = (run(machine(), method=method, t_end=1.0, tolerance=t) for t in (1e-5, 1e-9))
    for results in (rough, fine):
        balance = balance_of(results)
        assert balance.share < balance.promised < 1e-2
    assert balance_of(fine).error < max(1e-2 * balance_of(rough).error, 1e-9)


@pytest.mark.parametrize("method", ["dopri5", "bdf4", "trapezoid", "hht", "radau", "ida"])
def test_works_are_integrated_beside_the_motion_and_change_no_step(method):
    compiled = compile_model(machine())
    system = compiled.system._replace(works=compiled.system.works[:0])
    silent = replace(compiled, system=system, layout=layout_of(system), work_ids=())
    working, other = (
        run(one, method=method, t_end=0.3, tolerance=1e-6) for one in (compiled, silent)
    )
    assert working.work.shape[1] == 5 and other.work.shape[1] == 0
    assert working.statistics.steps == other.statistics.steps
    np.testing.assert_array_equal(working.q, other.q)


@pytest.mark.parametrize("id", ["motor", "air", "given"])
def test_work_is_the_integral_of_power(id):
    results = machine_run()
    done = simpson(results[f"{id}.power"], x=results.t)
    assert abs(done) > 1e-3
    assert results[f"{id}.work"][-1] == pytest.approx(done, rel=1e-6)


@pytest.mark.parametrize("id", ["bearing", "strut"])
def test_the_work_of_a_law_is_what_it_takes_beyond_what_it_stores(id):
    results = machine_run()
    done = simpson(results[f"{id}.net_power"], x=results.t)
    given = simpson(results[f"{id}.power"], x=results.t)
    assert done < -1e-3
    assert results[f"{id}.work"][-1] == pytest.approx(done, rel=1e-6)
    stored = results[f"{id}.energy"]
    assert results[f"{id}.work"][-1] == pytest.approx(given + stored[-1] - stored[0], abs=1e-6)


def test_a_damped_oscillator_loses_what_the_closed_form_says():
    m, k, c = 2.0, 50.0, 3.0
    model = Mechanism("Oscillator", gravity=(0, 0))
    body = model.body((0.3, 0), mass=m, inertia=0.1, id="body")
    model.prismatic("ground", body, (0, 0), angle=0)
    model.spring_damper(
        ("ground", (-1, 0)), (body, (0.3, 0)), stiffness=k, damping=c, free_length=1.0, id="strut"
    )
    results = run(model.model, t_end=2.0, step=1e-3, method="rk4")
    delta, t = c / (2 * m), results.t
    w = np.sqrt(k / m - delta**2)
    x = 0.3 * np.exp(-delta * t) * (np.cos(w * t) + delta / w * np.sin(w * t))
    v = -0.3 * np.exp(-delta * t) * (w + delta**2 / w) * np.sin(w * t)
    lost = 0.5 * m * v**2 + 0.5 * k * x**2 - 0.5 * k * 0.3**2
    np.testing.assert_allclose(results["strut.work"], lost, rtol=0, atol=1e-9)
    assert lost[-1] < -2.0


def test_a_drive_of_constant_speed_lifts_a_weight():
    m = Mechanism("Winch")
    box = m.body((0, 0), mass=3.0, inertia=0.1, id="box")
    lift = m.prismatic("ground", box, (0, 0), angle=np.pi / 2)
    m.motion(lift, "0.4*t", id="winch")
    results = run(m.model, t_end=1.0)
    np.testing.assert_allclose(results["winch.work"], 3.0 * 9.81 * 0.4 * results.t, atol=1e-9)
    assert np.abs(results["energy_drift"]).max() < 1e-9
    assert results["work"] == pytest.approx(results["winch.work"])


@pytest.mark.parametrize("quantity, law", [("speed", "0.4"), ("acceleration", "0")])
def test_drives_at_other_levels_do_work_too(quantity, law):
    m = Mechanism("Winch")
    box = m.body((0, 0), mass=3.0, inertia=0.1, velocity=(0.0, 0.4), id="box")
    lift = m.prismatic("ground", box, (0, 0), angle=np.pi / 2)
    m.motion(lift, law, quantity=quantity, id="winch")
    results = run(m.model, t_end=1.0)
    np.testing.assert_allclose(results["winch.work"], 3.0 * 9.81 * 0.4 * results.t, atol=1e-9)


@pytest.mark.parametrize("method", ["dopri5", "radau"])
def test_it_closes_over_stops_and_slack_ropes(method):
    m = Mechanism("Stops")
    rod = m.rod((0, 0), (1, 0), mass=1.0, id="rod")
    pin = m.revolute("ground", rod, (0, 0), id="pin")
    m.joint_limits(pin, -1.0, 1.0, stiffness=400, damping=8, id="limits")
    m.spring_damper(
        ("ground", (0, 0.5)), (rod, (1, 0)), stiffness=30, damping=2, acts="tension", id="rope"
    )
    results = run(m.model, t_end=1.5, method=method, tolerance=1e-9)
    assert len(results.events) > 2 and (results.work[-1] < -0.1).all()
    assert balance_of(results).share < 1e-6


@pytest.mark.parametrize("near_lock", ["switch to quaternion", "switch sequence"])
def test_it_closes_where_parameters_are_switched(near_lock):
    results = run(model_of_file("gimbal_lock"), near_lock=near_lock, t_end=4.5)
    assert any(event.kind == "gimbal switch" for event in results.events)
    assert abs(results["motor.work"][-1]) > 0.1 and balance_of(results).share < 1e-8


def test_it_closes_where_redundant_joints_are_driven():
    m = spatial_four_bar()
    m.motion("A", "2*pi + sin(3*t)", quantity="speed", id="motor")
    m.joint_damping("C", 2.0, id="bearing")
    results = run(m.model, t_end=1.0, step=2e-3)
    assert results.not_unique and results["bearing.work"][-1] < -1.0
    assert balance_of(results).share < 1e-6


def test_the_hand_of_live_mode_is_part_of_the_balance():
    m = Mechanism("Pulled")
    rod = m.rod((0, 0), (1, 0), mass=1.0, id="rod")
    pin = m.revolute("ground", rod, (0, 0))
    m.joint_damping(pin, 0.2, id="bearing")
    live = Live(prepare(m.model))
    results = Results(live.run.compiled, live.settings)
    for n in range(60):
        if n == 10:
            live.pull("rod", (1.0, 0.0), (0.5, 1.0))
        if n == 40:
            live.release()
        results.append(live.advance(0.02))
    assert abs(results.hand[-1]) > 1.0
    assert balance_of(results).share < 1e-6
    assert np.array_equal(results["hand_work"], results.hand)
    assert results["work"] == pytest.approx(results["bearing.work"] + results.hand)


def test_the_energy_exchanged_is_the_scale_of_the_error_also_from_rest():
    results = machine_run()
    balance = balance_of(results)
    assert balance.exchanged == max(
        results["kinetic_energy"].max(),
        np.ptp(results["potential_energy"]),
        np.abs(results.work).max(),
    )
    assert Balance(0.5, 10.0, 1e-3).share == 0.05
    assert "of 10 J exchanged" in Balance(0.5, 10.0, 1e-3).sentence


def test_rounding_at_rest_is_no_error():
    m = Mechanism("At rest")
    rod = m.rod((0, 0), (0, -1), mass=1.0, id="rod")
    pin = m.revolute("ground", rod, (0, 0))
    m.joint_damping(pin, 0.2)
    balance = balance_of(run(m.model, t_end=0.2))
    assert balance.exchanged == 0.0 and balance.share == 0.0
    assert balance.sentence == "nothing moves"
