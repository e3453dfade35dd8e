"""Arithmetic of edits with expressions: values follow, forms come back."""

import pytest

from engine.editing.edits.numbers import combined, minus, moved, negated, odd_image, plus, with_name
from engine.errors import EngineError
from engine.formulas.expressions import value

KNOWN = {"a": 0.7, "b": -2.0, "x": 0.4, "t": 1.3}
TEXTS = [
    "a",
    "-a",
    "2*a + 30 mm",
    "-(a + b)",
    "a - b",
    "(a + b)^2",
    "-x^2",
    "(-x)^3 + x",
    "if(x < 0, -x, 2*x)",
    "3 - a",
    "sin(x) - -x",
    "step(x, 0, 0, 1, a)",
]


def at(number, **other):
    """The value of a number or expression."""
    return value(number, {**KNOWN, **other})


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("shift", [0.0, 0.25, -3.0])
def test_a_shifted_expression_has_the_shifted_value(text, shift):
    assert at(plus(text, shift)) == pytest.approx(at(text) + shift)
    assert plus(text, 0.0) == text
    assert moved((text, 1.0), (shift, shift)) == (plus(text, shift), 1.0 + shift)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("mirror", [0.0, 1.5])
def test_a_mirrored_expression_has_the_mirrored_value_and_comes_back(text, mirror):
    once = minus(text, mirror)
    assert at(once) == pytest.approx(2 * mirror - at(text))
    twice = minus(once, mirror)
    assert at(twice) == pytest.approx(at(text)) and minus(minus(twice, mirror), mirror) == twice


@pytest.mark.parametrize("text", TEXTS)
def test_an_odd_image_is_the_function_seen_in_a_mirror(text):
    image = odd_image(text, ("x",))
    assert at(image, x=-0.4) == pytest.approx(-at(text, x=0.4))
    assert odd_image(odd_image(image, ("x",)), ("x",)) == image


def test_numbers_and_tables_are_mirrored_too():
    assert (minus(0.0), minus(2.0), minus(2.0, 1.5)) == (0.0, -2.0, 1.0)
    assert str(minus(0.0)) == "0.0"  # no minus before zero
    assert negated(((0.0, 1.0), (1.0, 0.0))) == ((0.0, -1.0), (1.0, 0.0))
    assert odd_image(((-1.0, 2.0), (0.0, 0.0), (3.0, 1.0)), ("x",)) == (
        (-3.0, -1.0),
        (0.0, 0.0),
        (1.0, -2.0),
    )
    assert odd_image(2.0, ("x",)) == -2.0


@pytest.mark.parametrize("y", [0.0, 3.0, "b", "b + 1"])
@pytest.mark.parametrize("x", [0.0, 3.0, "a", "a - b"])
@pytest.mark.parametrize(("c", "s"), [(1.0, 0.0), (0.6, -0.8)])
def test_a_combination_of_expressions_has_the_combined_value(c, s, x, y):
    assert at(combined(c, x, s, y)) == pytest.approx(c * at(x) + s * at(y))


@pytest.mark.parametrize("text", TEXTS)
def test_a_variable_gives_way_to_an_expression(text):
    assert at(with_name(text, "x", "t + 1")) == pytest.approx(at(text, x=2.3))
    assert with_name(text, "never", "t") == text


def test_a_text_that_is_no_expression_is_refused():
    with pytest.raises(EngineError):
        plus("2*/3", 1.0)
