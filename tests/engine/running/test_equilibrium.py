"""Starts in which what bends is in equilibrium: closed forms, no ringing, and what has none."""

import numpy as np
import pytest

from engine.editing.builder import Mechanism
from engine.errors import EngineError
from engine.kinematics.evaluate import equations
from engine.running.simulate import prepare

UNIT = {"width": 0.01, "thickness": 0.01, "mass": 1.0, "damping_ratio": 0.0}
AT_REST = {"flexible_start": "in equilibrium"}


def cantilever(dim=2, load=-0.01, **fields):
    """A clamped beam of L = EI = 1 with a small load at its tip."""
    m = Mechanism(dim=dim, gravity=(0.0,) * dim)
    ends = ((0, 0, 0)[:dim], (1, 0, 0)[:dim])
    stiff = {"bending_stiffness": 1.0} | ({"stiffness_upwards": 1.0} if dim == 3 else {})
    beam = m.beam(*ends, **UNIT, **stiff, **fields)
    m.weld("ground", beam, ends[0])
    m.force(beam, ends[1], components=(0.0, load) if dim == 2 else (0.0, 0.0, load))
    return m, beam, m.marker(beam, ends[1])


@pytest.mark.parametrize("dim", (2, 3))
def test_a_cantilever_begins_bent_and_stays_so(dim):
    m, _, tip = cantilever(dim)
    run = m.run(t_end=2.0, output_step=0.1, method="radau", tolerance=1e-10, **AT_REST)
    down = run[f"{tip}.{'y' if dim == 2 else 'z'}"]
    assert down[0] == pytest.approx(-0.01 / 3.0, rel=1e-4)  # of second order: slopes of 0.005
    assert np.ptp(down) < 1e-8  # as drawn it would swing by twice that


def test_its_own_weight_bends_a_beam_and_kinetic_energy_stays_zero():
    m = Mechanism(gravity=(0.0, -0.05))
    beam = m.beam((0, 0), (1, 0), **UNIT, bending_stiffness=1.0, modes=6)
    m.weld("ground", beam, (0, 0))
    tip = m.marker(beam, (1, 0))
    run = m.run(t_end=1.0, output_step=0.1, method="radau", tolerance=1e-10, **AT_REST)
    assert run[f"{tip}.y"][0] == pytest.approx(-0.05 / 8.0, rel=2e-3)  # of the shapes kept
    assert run["kinetic_energy"].max() < 1e-14


def test_a_pendulum_that_is_let_go_is_bent_by_its_fall_and_does_not_ring():
    ringing = []
    for how in ("as drawn", "in equilibrium"):
        m = Mechanism(gravity=(0.0, -9.81))
        beam = m.beam((0, 0), (1, 0), **UNIT, bending_stiffness=200.0)
        m.revolute("ground", beam, (0, 0))
        run = m.run(
            t_end=0.2,
            output_step=0.002,
            method="radau",
            tolerance=1e-9,
            flexible_start=how,
        )
        ringing.append(np.abs(np.diff(run[f"{beam}.mode_1"], 2)).max())
    assert ringing[1] < 0.02 * ringing[0]


def test_a_spinning_beam_begins_stretched_by_its_spin():
    m = Mechanism(gravity=(0.0, 0.0))
    hub = m.disc((0, 0), 0.1, mass=1.0)
    fields = {**UNIT, "axial_stiffness": 100.0, "bending_stiffness": 1.0, "stretch": 3}
    beam = m.beam((0, 0), (1, 0), **fields)
    m.motion(m.revolute("ground", hub, (0, 0)), "0.5*t")
    m.weld(hub, beam, (0, 0))
    tip = m.marker(beam, (1, 0))
    run = m.run(t_end=1.0, output_step=0.1, method="radau", tolerance=1e-10, **AT_REST)
    far = np.hypot(run[f"{tip}.x"], run[f"{tip}.y"])
    w2, speed2 = 0.25, 100.0  # u'' c^2 = -w^2 x: u = w^2 L^3/3c^2
    assert far[0] - 1.0 == pytest.approx(w2 / (3.0 * speed2), rel=0.02)  # of the shapes kept
    assert np.ptp(far) < 1e-7


def test_springs_that_are_stiffer_than_the_beam_are_no_obstacle():
    m, beam, tip = cantilever(load=-0.03)
    m.spring(("ground", (1, -1)), (beam, (1, 0)), stiffness=1000.0, free_length=1.0)
    start = prepare(m.model, **AT_REST)
    run = m.run(t_end=0.5, output_step=0.1, method="radau", tolerance=1e-10, **AT_REST)
    expected = -0.03 / (3.0 + 1000.0)  # the stiffness of a cantilever is 3 EI/L^3
    assert run[f"{tip}.y"][0] == pytest.approx(expected, rel=1e-4)
    assert np.ptp(run[f"{tip}.y"]) < 1e-9 and start.start.gap < 1e-9


def test_bars_begin_in_equilibrium_too():
    m = Mechanism(gravity=(0.0, -9.81))
    fields = {"width": 0.02, "thickness": 0.02, "youngs_modulus": 1e9, "damping_ratio": 0.0}
    body = m.polyline([(0, 0), (0, 0.5), (0.7, 0.5)], flexible=True, **fields)
    m.weld("ground", body, (0, 0))
    compiled = prepare(m.model, **AT_REST)
    e = equations(compiled.compiled, 0.0, compiled.start.q, compiled.start.v)
    assert np.abs(e.a).max() < 1e-6 * 9.81


def test_a_column_beyond_its_buckling_load_has_no_equilibrium():
    def column(load):
        m = Mechanism(gravity=(0.0, 0.0))
        beam = m.beam((0, 0), (1, 0), **UNIT, bending_stiffness=1.0, modes=3)
        m.revolute("ground", beam, (0, 0))
        m.point_on_line("ground", beam, (1, 0), axis=(1, 0))
        m.force(beam, (1, 0), components=(-load * np.pi**2, 0.0))
        return prepare(m.model, **AT_REST)

    column(0.9)
    with pytest.raises(EngineError, match="Start as drawn"):
        column(1.1)


def test_loads_that_bend_a_beam_to_a_hook_are_refused():
    with pytest.raises(EngineError, match="No equilibrium was found"):
        prepare(cantilever(load=-500.0)[0].model, **AT_REST)


def test_rigid_models_do_not_notice_it_and_nonsense_is_refused():
    m = Mechanism()
    rod = m.rod((0, 0), (1, 0))
    m.revolute("ground", rod, (0, 0))
    told = prepare(m.model, **AT_REST)
    assert (told.start.q == prepare(m.model).start.q).all() and "Nothing bends" in told.notes[0]
    with pytest.raises(EngineError, match="as drawn, in equilibrium"):
        prepare(m.model, flexible_start="bent")
