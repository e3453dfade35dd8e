"""The phase plane of one degree of freedom: its directions are those of runs, or it is refused."""

import numpy as np
import pytest

from engine.editing.builder import Mechanism
from engine.errors import EngineError
from engine.running.simulate import prepare, run
from engine.studies.portrait import PhasePlane
from tests.run_models import double_pendulum, four_bar, pendulum


def plane_of(model, x, y):
    """The phase plane of a model from its drawing."""
    running = prepare(model)
    return PhasePlane(running.compiled, x, y, running.start.q)


def test_the_direction_field_of_a_pendulum_is_that_of_its_equation():
    plane = plane_of(pendulum(), "rod_1.angle", "rod_1.angular_velocity")
    xs, ys = np.linspace(-7.0, 7.0, 9), np.linspace(-5.0, 5.0, 5)
    # J = m l^2 / 3, moment -m g l/2 cos(angle):  angle_dd = -3 g / (2 l) cos(angle)
    expected = np.repeat(-1.5 * 9.81 * np.cos(xs)[:, None], 5, axis=1)
    assert plane.slopes(xs, ys) == pytest.approx(expected, abs=1e-7)


def test_the_direction_field_of_a_linkage_is_that_of_its_runs():
    model = four_bar()
    plane = plane_of(model, "rod_1.angle", "rod_1.angular_velocity")
    results = run(model)
    for n in (10, 40, 80):
        x, y = results["rod_1.angle"][n], results["rod_1.angular_velocity"][n]
        slope = plane.slopes(np.array([x]), np.array([y]))[0, 0]
        # differences over 1e-5 s: ten digits of accelerations of order 10
        assert slope == pytest.approx(results["rod_1.angular_acceleration"][n], abs=1e-6)
        q, v = plane.state(x, y)
        assert q == pytest.approx(results.q[n], abs=1e-8)
        assert v == pytest.approx(results.v[n], abs=1e-8)


def test_a_joint_coordinate_in_space_has_a_direction_field():
    m = Mechanism("Hinge", dim=3)
    rod = m.rod((0, 0, 0), (1, 0, 0), mass=1, width=1e-4)
    hinge = m.revolute("ground", rod, at=(0, 0, 0), axis=(0, -1, 0))
    plane = plane_of(m.model, f"{hinge}.angle", f"{hinge}.angle_rate")
    xs = np.array([-1.0, 0.0, 2.0])
    slopes = plane.slopes(xs, np.array([0.0, 3.0]))
    expected = -1.5 * 9.81 * np.cos(xs)
    assert slopes[:, 0] == pytest.approx(expected, rel=1e-6)  # the rod is 0.1 mm thick
    assert slopes[:, 1] == pytest.approx(expected, rel=1e-6)


def driven():
    """A pendulum whose pivot is moved."""
    m = Mechanism("Driven")
    rod = m.rod((0, 0), (1, 0), mass=1)
    slide = m.rod((-0.1, 0), (0.1, 0), mass=1)
    guide = m.prismatic("ground", slide, at=(0, 0), axis=(1, 0))
    m.revolute(slide, rod, at=(0, 0))
    m.motion(guide, "0.1*sin(t)")
    return m.model


def shaken():
    """A pendulum with a force that changes with time."""
    m = Mechanism("Shaken")
    rod = m.rod((0, 0), (1, 0), mass=1)
    m.revolute("ground", rod, at=(0, 0))
    m.force(rod, (1, 0), ("sin(t)", 0.0))
    return m.model


@pytest.mark.parametrize(
    ("model", "x", "y", "words"),
    [
        (double_pendulum, "rod_1.angle", "rod_1.angular_velocity", "2 degrees of freedom"),
        (four_bar, "rod_3.angle", "rod_3.angular_velocity", "turns back"),
        (four_bar, "rod_1.angle", "rod_3.angular_velocity", "not the rate"),
        (pendulum, "rod_1.angle", "rod_1.kinetic_energy", "not the rate"),
        (driven, "rod_1.angle", "rod_1.angular_velocity", "change with time"),
        (shaken, "rod_1.angle", "rod_1.angular_velocity", "depend on time"),
    ],
)
def test_where_there_is_no_direction_field_the_reason_is_told(model, x, y, words):
    with pytest.raises(EngineError, match=words):
        plane_of(model(), x, y).slopes(np.linspace(-3.5, 3.5, 8), np.array([0.0, 1.0]))
