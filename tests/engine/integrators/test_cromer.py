"""Euler-Cromer with projection closes the joints within its step, and keeps what makes it good."""

import numpy as np
import pytest

from assets import example_paths
from engine.compiling.system import compile_model
from engine.editing.builder import Mechanism
from engine.files.model_files import load
from engine.kinematics.evaluate import inverse_mass
from engine.running.simulate import prepare, run
from engine.studies.orders import order
from tests.run_models import double_pendulum

CROMER = {"method": "euler_cromer", "stabilisation": "projection"}


def example(name):
    return compile_model(load(example_paths()[name]))


def swinging_rod(degrees):
    """A rod of one metre on a pin, at rest at this angle from hanging."""
    angle = np.radians(degrees)
    m = Mechanism("pendulum")
    m.rod((0, 0), (float(np.sin(angle)), float(-np.cos(angle))), mass=1.0, id="rod")
    m.revolute("ground", "rod", at=(0, 0))
    return compile_model(m.model)


def from_state(compiled, q, v, **settings):
    """A run that begins in another state."""
    running = prepare(compiled, **{**CROMER, **settings})
    running.start = running.start._replace(q=np.array(q), v=np.array(v))
    blocks = list(running)
    assert running.ending.reason == "done"
    return [np.concatenate([getattr(block, name) for block in blocks]) for name in ("q", "v", "a")]


def test_a_pendulum_keeps_its_amplitude_for_a_minute():
    results = run(swinging_rod(30.0), t_end=60.0, step=0.005, output_step=0.005, **CROMER)
    swing = np.degrees(results["rod.angle"]) + 90.0
    last = np.abs(swing[-1000:])  # three periods
    assert last.max() == pytest.approx(30.0, abs=0.1)
    assert swing[-1000:].min() == pytest.approx(-30.0, abs=0.1)
    assert results["constraint_violation"].max() < 1e-12
    assert results.gap.max() < 1e-12  # even before it is closed to rounding
    assert results.statistics.evaluations == results.statistics.steps == 12_000
    assert results.statistics.solves > 12_000  # the iterations for lam are counted


LONG = {  # model, orientation, step, end: twenty swings and more
    "double pendulum": (double_pendulum, "quaternion", 0.005, 60.0),
    "four-bar": (lambda: example("four_bar"), "quaternion", 0.005, 60.0),
    "spatial four-bar": (lambda: example("spatial_four_bar"), "quaternion", 0.005, 30.0),
    "spherical pendulum": (lambda: example("spherical_pendulum"), "quaternion", 0.005, 60.0),
    "by euler angles": (lambda: example("spherical_pendulum"), "3-1-3", 0.005, 60.0),
    "top": (lambda: example("spinning_top"), "quaternion", 0.002, 20.0),
    "knife edge": (lambda: example("knife_edge_sled"), "quaternion", 0.005, 60.0),
}


@pytest.mark.parametrize("name", LONG)
def test_energy_swings_and_does_not_drift(name):
    make, orientation, step, t_end = LONG[name]
    given = {"near_lock": "switch sequence", "orientation": orientation, "output_step": 0.02}
    results = run(make(), t_end=t_end, step=step, **given, **CROMER)
    assert results.ending.reason == "done"
    energy, size = results["total_energy"], results["kinetic_energy"].max()
    thirds = [part.mean() for part in np.array_split(energy, 3)]
    # the swing is of order h; means of many swings of a chaotic motion differ by a part of it
    assert np.abs(energy - energy[0]).max() < 0.025 * size
    assert abs(thirds[2] - thirds[0]) < 0.001 * size
    assert results["constraint_violation"].max() < 1e-12


@pytest.mark.parametrize(
    "name", ["bricard_loop", "knife_edge_sled", "rheonomic_pendulum", "spherical_pendulum"]
)
def test_positions_velocities_and_reactions_are_of_first_order(name):
    found = order(example(name), step=0.005, t_end=0.5, output_step=0.05, **CROMER)
    for row in found.rows:
        assert row.order == pytest.approx(1.0, abs=0.1), row.name


@pytest.mark.parametrize(
    ("name", "h"), [("double pendulum", 5e-3), ("spherical pendulum", 5e-3), ("top", 1e-3)]
)
def test_steps_can_be_taken_back(name, h):
    make, _, _, _ = LONG[name]
    compiled = compile_model(make()) if name == "double pendulum" else make()
    times = {"t_end": 100 * h, "step": h, "output_step": h}
    q, v, a = from_state(compiled, *_start(compiled), **times)
    # v1 = v + h W (f - D^T lam) without gyroscopic moments, backwards
    W, layout, bodies = inverse_mass(compiled), compiled.layout, compiled.system.bodies
    moments = np.zeros_like(v[-1])
    for k in range(compiled.system.n_bodies if compiled.system.dim == 3 else 0):
        w = v[-1][layout.spin(k)]
        moments[layout.spin(k)] = np.cross(bodies["J"][k] @ w, w)
    back = -(v[-1] + h * (a[-1] - W @ moments))
    returned, _, _ = from_state(compiled, q[-1], back, **times)
    for now, then in zip(returned[::-1], q):
        assert _turned_alike(compiled, now, then)  # rounding, and the tolerance of closed joints


def _start(compiled):
    start = prepare(compiled, **CROMER).start
    return start.q, start.v


def _turned_alike(compiled, now, then):
    """Whether two poses agree, whatever the signs of quaternions."""
    if compiled.system.dim == 3:
        for k in range(compiled.system.n_bodies):
            slots = compiled.layout.orientation(k)
            now[slots] *= np.sign(now[slots] @ then[slots])
    return np.allclose(now, then, rtol=0, atol=1e-9)


def test_the_map_of_a_pendulum_preserves_area():
    compiled, d = swinging_rod(60.0), 1e-4
    times = {"t_end": 1.0, "step": 0.02, "output_step": 0.02}
    phi0 = _start(compiled)[0][2]

    def after(angle, speed):
        """Angle and speed after fifty steps from an angle and a speed of the rod."""
        q = np.array([np.cos(angle), np.sin(angle), 2.0 * angle]) * 0.5
        v = speed * np.array([-q[1], q[0], 1.0])
        q, v, _ = from_state(compiled, q, v, **times)
        return np.array([q[-1][2], v[-1][2]])

    by_angle = (after(phi0 + d, 1.0) - after(phi0 - d, 1.0)) / (2 * d)
    by_speed = (after(phi0, 1.0 + d) - after(phi0, 1.0 - d)) / (2 * d)
    # central differences: d^2 times a third derivative
    assert np.linalg.det([by_angle, by_speed]) == pytest.approx(1.0, abs=1e-5)


def test_a_free_body_keeps_its_angular_momentum_and_its_energy():
    results = run(example("dzhanibekov_nut"), t_end=10.0, step=0.002, output_step=0.02, **CROMER)
    momentum = np.stack([results[f"angular_momentum_{axis}"] for axis in "xyz"])
    size = np.linalg.norm(momentum[:, 0])
    assert np.abs(momentum - momentum[:, :1]).max() < 1e-10 * size
    energy = results["total_energy"]
    assert np.abs(energy / energy[0] - 1.0).max() < 3e-5  # h^2 w^2 of its swing


def test_other_stabilisations_take_the_plain_step():
    compiled, h = example("spherical_pendulum"), 0.01
    q, v, a = from_state(
        compiled, *_start(compiled), stabilisation="none", t_end=h, step=h, output_step=h
    )
    np.testing.assert_allclose(v[1], v[0] + h * a[0], atol=1e-14)
    np.testing.assert_allclose(q[1][:3], q[0][:3] + h * v[1][:3], atol=1e-14)


def test_a_step_that_is_far_too_long_ends_with_closed_joints_or_a_sentence():
    for step in (0.2, 0.5, 1.0):
        results = run(double_pendulum(), t_end=5.0, step=step, output_step=0.05, **CROMER)
        assert results.ending.reason == "done" or results.ending.sentence
        assert results["constraint_violation"].max() < 1e-9
