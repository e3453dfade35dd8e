"""Contacts with surfaces that lean: a ball on a slope in space, a ladder between a floor and a wall."""

from math import asin, cos, radians, sin

import numpy as np
import pytest
from scipy.integrate import quad

from engine.errors import EngineError
from kardan import Mechanism

G = 9.81


@pytest.mark.parametrize("heading", (0.0, 0.7, 2.5))
def test_a_ball_rolls_down_a_leaning_plane(heading):
    # a = 5/7 g sin(slope), down the slope
    slope, t = radians(20), 0.5
    down = np.array([cos(heading) * cos(slope), sin(heading) * cos(slope), -sin(slope)])
    normal = np.array([cos(heading) * sin(slope), sin(heading) * sin(slope), cos(slope)])
    m = Mechanism("ball on a slope", dim=3, gravity=(0.0, 0.0, -G))
    m.sphere(0.1 * normal, 0.1, mass=1.0, id="ball")
    m.contact(("ground", (0, 0, 0)), ("ball", 0.1 * normal), axis=normal, mu_static=0.6, id="c")
    results = m.run(t_end=t)
    v = np.array([results[f"ball.v{axis}"][-1] for axis in "xyz"])
    assert v == pytest.approx(5 / 7 * G * sin(slope) * t * down, abs=1e-5)


def test_a_ladder_leaves_the_wall_at_two_thirds_of_its_height():
    # without friction, by energy: phi_dot^2 = 3 g / l (sin phi0 - sin phi); the wall pushes until
    # sin phi = 2/3 sin phi0, and after that moment the ladder slides away at constant speed
    length, start, small = 2.0, radians(75), 1e-3
    foot, head = (length * cos(start), 0.0), (0.0, length * sin(start))
    m = Mechanism("ladder", gravity=(0.0, -G))
    m.rod(head, foot, mass=1.0, id="ladder")
    smooth = {"friction": "none", "restitution": 0.0, "shape_j": "circle", "radius_j": small}
    m.contact(("ground", (0, -small)), ("ladder", foot), **smooth, id="floor")
    m.contact(("ground", (-small, 0)), ("ladder", head), axis=(0, -1), **smooth, id="wall")
    results = m.run(t_end=0.8, output_step=1e-3)

    def speed(phi):
        return (3 * G / length * (sin(start) - sin(phi))) ** 0.5

    leaves = asin(2 / 3 * sin(start))
    moment = quad(lambda phi: 1.0 / speed(phi), leaves, start)[0]
    pushed = results.t[np.flatnonzero(results["wall.normal_force"])[-1]]
    assert pushed == pytest.approx(moment, abs=5e-3)
    free = 0.5 * length * sin(leaves) * speed(leaves)
    assert results["ladder.center_vx"][-1] == pytest.approx(free, rel=1e-3)


def test_an_axis_without_a_meaning_is_refused():
    m = Mechanism("spring", dim=3)
    m.sphere((0, 0, 1), 0.1, id="ball")
    before = m.model
    with pytest.raises(EngineError, match="'spring' has no axis here"):
        m.spring(("ground", (0, 0, 0)), ("ball", (0, 0, 1)), axis=(0, 0, 1), stiffness=1.0)
    assert m.model is before
