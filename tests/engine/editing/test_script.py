"""A model written as a program is the same model again when the program runs."""

from dataclasses import replace

import pytest

from assets import example_paths
from assets.make_examples import EXAMPLES
from engine.editing.builder import Mechanism
from engine.editing.builder.script import script
from engine.files.model_files import dumps, load
from engine.model.elements import Parameter, put
from engine.model.fields import Polyline


def rebuilt(model):
    """The model that its program builds."""
    names = {"__name__": "a program"}
    exec(compile(script(model), "script", "exec"), names)
    return names["m"].model


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_program_of_an_example_builds_the_example(name):
    model = load(example_paths()[name])
    assert dumps(rebuilt(model)) == dumps(model)


def test_parameters_are_variables():
    m = Mechanism("of parameters")
    m.parameter("l", 2.0, unit="m")
    m.parameter("twice", "2*l")
    m.rod((0, 0), (2, 0), length="l")
    text = script(m.model)
    assert "l = m.parameter('l', 2.0, unit='m')" in text and "length=l" in text
    assert dumps(rebuilt(m.model)) == dumps(m.model)


@pytest.mark.parametrize("id", ["lambda", "print", "m", "Parameter", "kardan"])
def test_a_parameter_hides_no_word_of_the_program(id):
    model = put(
        Mechanism("x").model, Parameter(id=id, value=1.0), Parameter(id="b", value=f"2*{id}")
    )
    assert dumps(rebuilt(model)) == dumps(model)


def test_names_cannot_leave_their_quotes():
    hostile = "\"\"\"\nraise SystemExit\n'''\\"
    model = replace(Mechanism(hostile).model, description=hostile)
    assert dumps(rebuilt(model)) == dumps(model)


def test_a_table_of_straight_lines_stays_one():
    m = Mechanism("table")
    rod = m.rod((0, 0), (1, 0))
    hinge = m.revolute("ground", rod, at=(0, 0))
    m.motion(hinge, Polyline(((0.0, 0.0), (1.0, 2.0))), quantity="speed")
    assert dumps(rebuilt(m.model)) == dumps(m.model)
