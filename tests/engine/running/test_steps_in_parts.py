"""Implicit methods of fixed step on steep friction: damped corrections, and steps taken in parts."""

import numpy as np
import pytest

from engine.editing.builder import Mechanism
from engine.errors import EngineError
from engine.running.simulate import prepare, run
from engine.studies.comparison import compare
from engine.studies.orders import order

STEEP = 1e-5  # [m/s] of the speed at which friction is full


def sliding():
    """A mass of 1 kg at 1 m/s, pulled by 1 N, with friction of 3 N: it stands after 0.5 s and 0.25 m."""
    m = Mechanism("block", gravity=(0, 0))
    m.body((0, 0), mass=1.0, inertia=1.0, id="block")
    m.prismatic("ground", "block", (0, 0), id="rail", displacement_rate=1.0)
    m.actuator("rail", f"1 - 3*tanh(rate/{STEEP})")
    return m.model


@pytest.mark.parametrize(
    ("method", "step", "within"),
    [
        ("implicit_euler", 1e-2, 6e-3),  # first order: h v / 2
        ("trapezoid", 1e-3, 1e-5),
        ("bdf2", 1e-3, 1e-3),
    ],
)
def test_steep_friction_brings_a_mass_to_rest_by_implicit_methods(method, step, within):
    results = run(sliding(), method=method, step=step, t_end=1.0, output_step=0.01)
    assert results.ending.reason == "done"
    assert results["rail.displacement"][-1] == pytest.approx(0.25, abs=within)
    creeps = STEEP * np.arctanh(1 / 3)
    assert results["rail.displacement_rate"][-1] == pytest.approx(creeps, abs=STEEP)


def test_steps_in_parts_are_counted_and_told_and_studies_refuse_them():
    how = {"method": "implicit_euler", "step": 1e-2, "t_end": 1.0, "output_step": 0.01}
    results = run(sliding(), **how)
    assert results.statistics.halved > 0
    assert any("steps were taken in parts" in note for note in results.notes)
    with pytest.raises(EngineError, match="steps were taken in parts"):
        order(sliding(), ["rail.displacement"], **how)
    (row,) = compare(sliding(), ["implicit_euler"], steps=[1e-2], t_end=1.0, output_step=0.01).rows
    assert "steps were taken in parts" in row.remark and row.error is None


def test_a_smooth_run_takes_whole_steps():
    m = Mechanism("swing")
    m.rod((0, 0), (1, 0), mass=1.0, id="rod")
    m.revolute("ground", "rod", (0, 0), id="pin")
    for method in ("implicit_euler", "trapezoid", "generalised_alpha"):
        results = run(m.model, method=method, step=1e-2, t_end=0.2, output_step=0.1)
        assert results.statistics.halved == 0 and results.statistics.steps == 20


@pytest.mark.parametrize("method", ["implicit_euler", "bdf2", "rk4"])
def test_a_bounce_that_fixed_steps_cannot_follow_is_told_before_the_run(method):
    m = Mechanism("ball")
    m.disc((0.0, 1.0), 0.1, mass=1.0, id="ball")
    m.contact(("ground", (0.0, 0.0)), ("ball", (0.0, 1.0)), friction="none", id="floor")
    told = prepare(m.model, method=method, step=1e-2).advice
    assert any("A contact with 'floor' lasts about" in one.sentence for one in told)
    assert not prepare(m.model, method="dop853").advice
