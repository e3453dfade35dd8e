"""Resolving a model: parameters in any order, expressions in any field, limits, refusals."""

from dataclasses import dataclass, fields, is_dataclass
from typing import Any, ClassVar

import pytest

from engine.errors import EngineError
from engine.formulas.resolve import parameter_values, resolved
from engine.model.bodies import PlanarBody, PlanarMarker
from engine.model.elements import Element, Parameter, Settings, planar, put, spatial
from engine.model.fields import Function, Number, function, number, points, shape, vector


@dataclass(frozen=True, slots=True, kw_only=True)
class Plate:
    """A shape with numbers of every role."""

    width: Number = number(1.0, unit="m", above=0.0)
    corner: tuple = vector((0.0, 0.0), unit="m")
    outline: tuple = points(unit="m")
    inner: Any = shape()


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample(Element):
    """An element with numbers of every role."""

    kind: ClassVar[str] = "sample"
    family: ClassVar[str] = "sample"
    ratio: Number | None = number(None, low=0.0, high=1.0)
    torque: Number = number(0.0, unit="N or N m")
    law: Function = function(0.0, of=("x", "v"))
    shape: Any = shape()


def parameters(**values):
    return put(planar(), *(Parameter(id=id, value=value) for id, value in values.items()))


def refused(model, *words, ids=None):
    with pytest.raises(EngineError) as raised:
        resolved(model)
    for word in words:
        assert word in raised.value.sentence
    if ids is not None:
        assert raised.value.ids == ids


def test_parameters_may_depend_on_each_other_in_any_order():
    model = parameters(c="a + b", b="2*a", a="30 mm")
    assert parameter_values(model) == pytest.approx({"c": 0.09, "b": 0.06, "a": 0.03}, rel=1e-15)
    assert list(parameter_values(model)) == ["c", "b", "a"]
    assert resolved(model)["c"].value == parameter_values(model)["c"]


def test_a_long_chain_of_parameters_needs_no_recursion():
    n = 5000
    model = parameters(p0=1.0, **{f"p{i}": f"p{i - 1} + 1" for i in range(n, 0, -1)})
    assert parameter_values(model)[f"p{n}"] == n + 1


@pytest.mark.parametrize(
    ("values", "circle", "ids"),
    [
        ({"a": "b", "b": "a"}, "a -> b -> a", ("a", "b")),
        ({"a": "a + 1"}, "a -> a", ("a",)),
        ({"x": "y", "y": "z", "z": "2*y", "w": 1.0}, "y -> z -> y", ("y", "z")),
    ],
)
def test_parameters_in_a_circle_are_named(values, circle, ids):
    refused(parameters(**values), f"in a circle: {circle}.", ids=ids)


@pytest.mark.parametrize("name", ["t", "pi", "sin", "if", "and", "crank-1", "1a", ""])
def test_a_parameter_needs_a_name_that_can_be_written(name):
    refused(put(planar(), Parameter(id=name, value=1.0)), "rename it", ids=(name,))


def test_every_field_that_holds_numbers_is_resolved():
    plate = Plate(
        width="2*l",
        corner=("l", 1),
        outline=((0.0, "l"), ("-l", 0.0), (1, 1.0)),
        inner=Plate(width="l/2"),
    )
    model = put(
        parameters(l="0.5"),
        Sample(id="s", ratio="l", torque="3 N m", law="l*x", shape=plate),
        PlanarBody(id="b", position=("l", "30 mm"), angle="90°", mass="2 kg"),
    )
    model = resolved(model)
    sample, body = model["s"], model["b"]
    assert sample.ratio == 0.5 and sample.torque == 3.0 and sample.law == "l*x"
    assert sample.shape == Plate(
        width=1.0,
        corner=(0.5, 1.0),
        outline=((0.0, 0.5), (-0.5, 0.0), (1.0, 1.0)),
        inner=Plate(width=0.25),
    )
    assert body.position == (0.5, 0.03) and body.mass == 2.0
    assert body.angle == pytest.approx(1.5707963267948966, rel=1e-15)
    assert_only_floats(sample.shape)


def assert_only_floats(item):
    for f in fields(item):
        entry = getattr(item, f.name)
        if is_dataclass(entry):
            assert_only_floats(entry)
        elif f.metadata["role"] == "number":
            assert type(entry) is float
        elif f.metadata["role"] == "vector":
            assert all(type(part) is float for part in entry)
        elif f.metadata["role"] == "points":
            assert all(type(part) is float for point in entry for part in point)


def test_gravity_and_settings_are_resolved():
    model = planar(gravity=("0", "-g0"), settings=Settings(t_end="2 min", step="h0/2"))
    model = resolved(put(model, Parameter(id="g0", value=9.81), Parameter(id="h0", value=0.01)))
    assert model.gravity == (0.0, -9.81)
    assert (model.settings.t_end, model.settings.step) == (120.0, 0.005)


def test_a_model_without_expressions_comes_back_itself():
    model = put(spatial(), Sample(id="s", shape=Plate()), Parameter(id="a", value=1.0))
    assert resolved(model) is model


def test_elements_without_expressions_stay_the_same_objects():
    model = put(parameters(l="1"), PlanarBody(id="b", mass=2.0), PlanarMarker(id="m", angle="l"))
    after = resolved(model)
    assert after["b"] is model["b"]
    assert after["m"].angle == 1.0


def test_resolving_twice_changes_nothing_more():
    once = resolved(put(parameters(l="2"), PlanarBody(id="b", mass="l", position=(1, 2))))
    assert resolved(once) is once


@pytest.mark.parametrize(
    ("element", "words"),
    [
        (
            PlanarBody(id="b", name="crank", mass=-1.0),
            "The mass of 'crank' is -1 kg, but it must be above 0 kg.",
        ),
        (
            PlanarBody(id="b", mass="a - 1"),
            "The mass of 'b' is 0 kg (from 'a - 1'), but it must be above 0 kg.",
        ),
        (Sample(id="s", ratio=-0.1), "The ratio of 's' is -0.1, but it must be at least 0."),
        (Sample(id="s", ratio=1.5), "The ratio of 's' is 1.5, but it must be at most 1."),
        (Sample(id="s", shape=Plate(width=0.0)), "The width of the shape of 's' is 0 m"),
    ],
)
def test_a_number_beyond_its_limits_is_refused_with_its_place(element, words):
    refused(put(parameters(a=1.0), element), words, ids=(element.id,))


@pytest.mark.parametrize(
    ("element", "words"),
    [
        (PlanarBody(id="b", mass="lenght"), "'lenght' is unknown: did you mean length?"),
        (
            PlanarBody(id="b", mass="2*+"),
            "The mass of 'b' is not usable. In '2*+': expected a number",
        ),
        (PlanarBody(id="b", mass="1/0"), "division by zero"),
        (PlanarBody(id="b", mass=True), "not a number"),
        (PlanarBody(id="b", mass=float("nan")), "not a finite number"),
        (PlanarBody(id="b", density=None), "not a number"),
        (PlanarBody(id="b", mass="30 mm"), "is measured in kg, but '30 mm' is in mm"),
        (PlanarBody(id="b", position=(0.0, 0.0, 0.0)), "must be 2 numbers, but there are 3"),
        (PlanarBody(id="b", position=1.0), "must be 2 numbers, but there is 1"),
        (PlanarBody(id="b", position=("t", 0.0)), "the time t can only be used"),
        (Sample(id="s", law="x*"), "The law of 's' is not usable. In 'x*'"),
        (Sample(id="s", law="x*t"), "The law of 's' is not usable."),
        (Sample(id="s", law=float("inf")), "The law of 's' is not usable."),
        (Sample(id="s", torque="3 m"), "is measured in N or N m"),
        (Sample(id="s", shape=Plate(outline=((0.0, "q"),))), "point 1 in the outline of the shape"),
    ],
)
def test_a_field_without_a_number_is_refused_with_its_place(element, words):
    refused(put(parameters(length=1.0), element), words, ids=(element.id,))


def test_errors_of_the_settings_and_gravity_say_so():
    refused(planar(settings=Settings(t_end=0)), "The end time of the settings is 0 s", ids=())
    refused(planar(gravity=(0.0, 0.0, 1.0)), "The gravity of the model must be 2 numbers", ids=())


def test_shapes_within_shapes_end_in_a_sentence():
    nested = None
    for _ in range(3000):
        nested = Plate(inner=nested)
    refused(put(planar(), Sample(id="s", shape=nested)), "shapes in shapes", ids=("s",))


def test_a_table_is_left_as_it_is():
    table = ((0.0, 1.0), (1.0, 2.0))
    model = put(planar(), Sample(id="s", law=table))
    assert resolved(model)["s"].law is table
