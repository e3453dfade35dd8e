"""Numbers beyond the reach of the program are refused wherever they enter, with a sentence."""

import json
from dataclasses import fields, replace
from math import nextafter

import pytest

from engine.compiling.checks import problems
from engine.editing.builder import Mechanism
from engine.errors import EngineError
from engine.files.model_files import dumps, loads
from engine.formulas.lenient import lenient
from engine.formulas.resolve import resolved
from engine.model.catalogue import ELEMENTS
from engine.model.elements import Settings
from engine.model.limits import check_size, limits
from engine.model.shapes import SHAPES
from engine.running.simulate import run


def pendulum(scale: float = 1.0):
    """A rod on a pin, of any size."""
    m = Mechanism("Pendulum")
    rod = m.rod((0.0, 0.0), (scale, 0.0), width=0.04 * scale, thickness=0.01 * scale)
    m.revolute("ground", rod, at=(0.0, 0.0))
    return m.model


def test_every_declared_unit_has_limits():
    for cls in (*ELEMENTS, *SHAPES, Settings):
        for f in fields(cls):
            if f.metadata.get("role") in ("number", "vector", "points", "function"):
                least, most = limits(f.metadata["unit"])
                assert 0.0 < least < most


@pytest.mark.parametrize("unit", ["m", "rad", "kg", "N or N m", "m or rad"])
def test_the_largest_number_is_accepted_and_the_next_refused(unit):
    least, most = limits(unit)
    for sign in (1.0, -1.0):
        check_size(sign * most, unit)
        with pytest.raises(EngineError, match="at most"):
            check_size(sign * nextafter(most, 2 * most), unit)
    check_size(least, unit, positive=True)
    check_size(nextafter(least, 0.0), unit)
    with pytest.raises(EngineError, match="at least"):
        check_size(nextafter(least, 0.0), unit, positive=True)


@pytest.mark.parametrize("value", [1e308, -1e308, 1e10])
def test_a_file_with_a_number_beyond_them_is_refused(value):
    raw = json.loads(dumps(pendulum()))
    raw["elements"][0]["position"] = [value, 0.0]
    with pytest.raises(
        EngineError, match=r"'position' is .* but the program computes with at most"
    ):
        loads(json.dumps(raw))


@pytest.mark.parametrize("text", ["1e308", "1e150^2", "huge*10", "2e6 km"])
def test_a_formula_with_a_value_beyond_them_is_a_problem_and_drawn_with_its_default(text):
    m = Mechanism("Formula")
    m.parameter("huge", 1e9)
    m.rod((0.0, 0.0), (1.0, 0.0), id="bar")
    model = m.model
    bar = replace(model["bar"], position=(text, 0.0))
    wrong = replace(model, elements={**model.elements, "bar": bar})
    with pytest.raises(EngineError, match="position of 'bar'"):
        resolved(wrong)
    assert len(problems(wrong)) == 1
    assert lenient(wrong)["bar"].position == (0.0, 0.0)


def test_a_number_made_by_a_program_is_checked_and_not_drawn():
    model = pendulum()
    (bar,) = model.of("body")
    huge = replace(bar, position=(1e308, 0.0), shape=replace(bar.shape, length=1e300))
    wrong = replace(model, elements={**model.elements, bar.id: huge})
    assert len(problems(wrong)) >= 1
    drawn = lenient(wrong)[bar.id]
    assert drawn.position == (0.0, 0.0) and drawn.shape.length == 1.0


def test_a_mass_too_small_to_divide_by_is_refused():
    model = pendulum()
    (bar,) = model.of("body")
    light = replace(model, elements={**model.elements, bar.id: replace(bar, mass=1e-320)})
    with pytest.raises(EngineError, match=r"mass of .* at least 1e-30 kg"):
        run(light)


@pytest.mark.parametrize("scale", [1e-6, 1e-3, 1e3, 1e6])
def test_mechanisms_from_a_micrometre_to_a_thousand_kilometres_run(scale):
    """A pendulum of another size swings as often in a time that grows with the root of its length."""
    t_end = 2.0 * scale**0.5
    ours = run(pendulum(scale), t_end=t_end, step=t_end / 400, output_step=t_end / 40)
    one = run(pendulum(), t_end=2.0, step=2.0 / 400, output_step=2.0 / 40)
    assert ours.ending.reason == "done"
    assert ours.q[:, 2] == pytest.approx(one.q[:, 2], abs=1e-8)  # of the tolerance
