"""A wheel that leaves the ground, and friction that breaks away: published numbers, by several methods."""

import numpy as np
import pytest

from engine.editing.builder import Mechanism
from engine.running.simulate import run

G = 9.81


def quarter_car():
    """A car and its wheel over a base that lifts them by a bump of 0.1 m, which is met at 15 m/s."""
    m = Mechanism("quarter car", 2, gravity=(0.0, -G))
    bump = "if(t < 0.04, 0.05*(1 - cos(2*pi*15*t/0.6)), 0)"
    m.particle((0.0, 0.0), 1.0, id="base")
    m.motion(m.prismatic("ground", "base", (0.0, 0.0), axis=(0, 1), id="lift"), bump)
    for id, y, mass in (("wheel", 0.5, 40.0), ("car", 1.0, 300.0)):
        m.particle((0.0, y), mass, id=id)
    tyre = ("base", (0.0, 0.0)), ("wheel", (0.0, 0.5))
    free = 0.5 + 340.0 * G / 2e5
    m.spring_damper(
        *tyre, stiffness=2e5, damping=0.0, free_length=free, acts="compression", id="tyre"
    )
    strut = ("wheel", (0.0, 0.5)), ("car", (0.0, 1.0))
    m.spring_damper(
        *strut, stiffness=2e4, damping=1500.0, free_length=0.5 + 300.0 * G / 2e4, id="strut"
    )
    return m.model


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_a_wheel_leaves_the_ground_and_lands_when_it_should(method):
    results = run(quarter_car(), method=method, tolerance=1e-11, t_end=1.5, output_step=1e-3)
    off = np.flatnonzero(results["tyre.force"] == 0.0)
    assert results["car.y"][-1] - 1.0 == pytest.approx(-0.0021199688416, abs=1e-7)
    assert results["wheel.y"][-1] - 0.5 == pytest.approx(-0.0001033127052, abs=1e-7)
    assert results["car.vy"][-1] == pytest.approx(0.0149340819275, abs=1e-7)
    assert results["wheel.vy"][-1] == pytest.approx(0.0018582003466, abs=1e-7)
    leaves, lands = (event.t for event in results.events[:2])
    assert leaves == pytest.approx(0.0302059557048, abs=1e-7)
    assert lands == pytest.approx(0.1120070979808, abs=1e-7)
    assert results.t[off[0]] >= leaves and results.t[off].size > 50
    assert np.abs(results["car.ay"]).max() == pytest.approx(23.3, abs=0.1)


@pytest.mark.parametrize("method", ["dop853", "radau"])
def test_bristles_of_lugre_break_away_when_they_should(method):
    """A mass on LuGre's bristles, pulled by 4 t: where it reaches 1e-2 m/s."""
    rate = "rate - 1e4*abs(rate)*z1/(0.2 + 0.1*exp(-(rate/1e-3)^2))"
    m = Mechanism("lugre", 2, gravity=(0.0, 0.0))
    m.particle((1.0, 0.0), 1.0, id="p")
    law = f"4*t - 9.81*(1e4*z1 + 100*({rate})) - 0.4*rate"
    ends = ("ground", (0.0, 0.0)), ("p", (1.0, 0.0))
    m.state_force(*ends, law=law, z1_rate=rate, size=1e-6, id="friction")
    end = 0.6718400488
    results = run(m.model, method=method, tolerance=1e-10, t_end=end, output_step=end / 100)
    # its speed grows by 9 m/s^2 there: 1e-7 s are 1e-6 m/s
    assert results["p.vx"][-1] == pytest.approx(1e-2, abs=1e-6)
    assert results["p.x"][-1] - 1.0 == pytest.approx(0.0001186049762, abs=1e-9)
    assert results["friction.z1"][-1] == pytest.approx(2.0590785e-05, abs=1e-10)
