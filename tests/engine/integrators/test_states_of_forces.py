"""States of force laws are integrated with the motion by every method, at the order of the method."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import expm

from engine.model.bodies import PlanarBody, PlanarMarker, SpatialBody, SpatialMarker
from engine.model.connections import Interaction, State
from engine.model.elements import GROUND, planar, put, spatial
from engine.model.joints import JOINTS
from engine.model.methods import METHODS
from engine.running.live import Live
from engine.running.simulate import prepare, run
from tests.engine.marker_laws import SERIES, acting

STIFFNESS, DAMPING, MASS = 40.0, 10.0, 2.0
T_END = 0.8
JOINT_OF = {joint.kind: joint for joint in JOINTS}
FIXED = [method for method in METHODS if method.is_fixed]
CONTROLLED = [method for method in METHODS if not method.is_fixed]


def slider():
    """A mass on a rail, held by a spring and a damper in series that start at rest."""
    model = replace(planar(), gravity=(0.0, 0.0))
    model = put(
        model,
        PlanarBody(id="mass", mass=MASS, inertia=1.0, position=(1.0, 0.0), velocity=(2.0, 0.0)),
        PlanarMarker(id="wall", body=GROUND),
        PlanarMarker(id="hook", body="mass"),
        JOINT_OF["prismatic"](id="rail", marker_i="wall", marker_j="hook"),
    )
    return acting(model, series("wall", "hook", 1.0))


def pendulum():
    """A body on a ball joint in space, with spin, pulled by a spring and a damper in series."""
    model = put(
        spatial(),
        SpatialBody(
            id="bob",
            mass=MASS,
            inertia=(0.3, 0.4, 0.5, 0.0, 0.0, 0.0),
            position=(0.6, 0.0, 0.0),
            angular_velocity=(1.0, -2.0, 3.0),
        ),
        SpatialMarker(id="pivot", body=GROUND),
        SpatialMarker(id="neck", body="bob", position=(-0.6, 0.0, 0.0)),
        SpatialMarker(id="wall", body=GROUND, position=(1.0, 1.0, 0.5)),
        SpatialMarker(id="hook", body="bob", position=(0.1, 0.2, 0.0)),
        JOINT_OF["spherical"](id="ball", marker_i="pivot", marker_j="neck"),
    )
    u = np.cross((1.0, -2.0, 3.0), (0.6, 0.0, 0.0))
    model = put(model, replace(model["bob"], velocity=tuple(u)))
    return acting(model, series("wall", "hook", 0.9))


def series(i, j, free):
    """A spring and a damper in series between two markers, slack at this distance."""
    return Interaction(SERIES, i, j, (STIFFNESS, DAMPING), states=(State(free, 0.1),))


def exact_slider(t):
    """x, v and z:  m v' = -k (x - z),  c z' = k (x - z)."""
    k, c = STIFFNESS, DAMPING
    A = np.array([[0.0, 1.0, 0.0], [-k / MASS, 0.0, k / MASS], [k / c, 0.0, -k / c]])
    return expm(A * t) @ np.array([1.0, 2.0, 1.0])


def found_slider(results):
    """x, v and z at the end."""
    at = results.compiled.layout
    return np.array([results.q[-1, at.position(0)][0], results.v[-1, 0], results.z[-1, 0]])


def end(results):
    """All of the state at the end."""
    return np.concatenate([results.q[-1], results.v[-1], results.z[-1]])


def observed(errors):
    """The order by which the error falls when the step is halved."""
    return np.log2(errors[0] / errors[1])


@pytest.mark.parametrize("method", FIXED, ids=lambda m: m.name)
def test_a_state_has_the_order_of_the_method(method):
    compiled = slider()
    first = {1: 2e-4, 2: 2e-3, 3: 4e-3, 4: 1e-2, 5: 1e-2}[method.order]
    errors = []
    for h in (first, first / 2):
        results = run(compiled, method=method.name, t_end=T_END, step=h, output_step=T_END)
        assert results.ending.reason == "done"
        errors.append(np.abs(found_slider(results) - exact_slider(T_END)).max())
    # the next term of the error is some per cent of the first at these steps
    assert observed(errors) == pytest.approx(method.order, abs=0.15)


@pytest.mark.parametrize("method", CONTROLLED, ids=lambda m: m.name)
def test_a_state_is_as_exact_as_the_tolerance_says(method):
    settings = {"t_end": T_END, "output_step": T_END / 8, "tolerance": 1e-11}
    results = run(slider(), method=method.name, **settings)
    # multistep codes add up the errors of some hundred steps
    bound = 1e-9 if method.name != "ida" else 1e-8
    np.testing.assert_allclose(found_slider(results), exact_slider(T_END), rtol=0, atol=bound)


def test_the_closed_form_is_met_by_rk4():
    results = run(slider(), method="rk4", t_end=T_END, step=1e-3, output_step=T_END)
    np.testing.assert_allclose(found_slider(results), exact_slider(T_END), rtol=0, atol=1e-9)


@pytest.fixture(scope="module")
def swung():
    """The end of the pendulum in space, by a method of order 8."""
    return end(run(pendulum(), method="dop853", t_end=T_END, output_step=T_END, tolerance=1e-13))


@pytest.mark.parametrize(
    "method", [m for m in FIXED if m.is_stiff and m.order > 1], ids=lambda m: m.name
)
def test_states_are_right_where_bodies_turn_in_space(method, swung):
    errors = []
    for h in (4e-3, 2e-3):
        found = end(run(pendulum(), method=method.name, t_end=T_END, step=h, output_step=T_END))
        errors.append(np.abs(found - swung).max())
    # the pendulum turns by a tenth of a radian in a step: the orders are not quite reached
    assert observed(errors) > method.order - 0.3


def test_results_keep_states_in_every_part_of_a_run():
    results = run(slider(), method="rk4", t_end=T_END, step=1e-3, output_step=0.01)
    assert results.z.shape == (len(results), 1)
    assert (results.so_far().z == results.z).all()
    assert (results.first(5).z == results.z[:5]).all()
    assert (results.since(40).z == results.z[[0, *range(40, len(results))]]).all()
    kept = results.z[-7:].copy()
    results.keep_last(7)
    assert (results.z == kept).all()


def test_a_live_simulation_carries_states():
    live = Live(prepare(slider(), method="rk4", step=1e-3))
    for _ in range(8):
        block = live.advance(0.1)
    at = int(np.argmin(np.abs(block.t - T_END)))
    x = exact_slider(float(block.t[at]))
    assert block.z[at, 0] == pytest.approx(x[2], abs=1e-9)
    assert block.q[at, 0] == pytest.approx(x[0], abs=1e-9)
    assert len(live.v) == live.run.compiled.layout.n_v
