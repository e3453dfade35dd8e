"""Units: factors, products, dimensions and what is refused."""

import math

import pytest

from engine.errors import EngineError
from engine.formulas.units import UNITS, from_si, same_dimension, unit

ROUNDING = 1e-15  # a product of a few factors, each rounded once


@pytest.mark.parametrize(
    ("text", "factor"),
    [
        ("", 1.0),
        ("m", 1.0),
        ("mm", 1e-3),
        ("N s/m", 1.0),
        ("kg m^2", 1.0),
        ("rad/s", 1.0),
        ("N/mm", 1e3),
        ("1/s", 1.0),
        ("1/ms", 1e3),
        ("mm^2", 1e-6),
        ("mm^-1", 1e3),
        ("kg/m^3", 1.0),
        ("g/cm^3", 1e3),
        ("km/h", 1 / 3.6),
        ("deg/s", math.pi / 180),
        ("°/s", math.pi / 180),
        ("rpm", math.pi / 30),
        ("rev/min", math.pi / 30),
        ("N*mm", 1e-3),
        ("N·mm", 1e-3),
        ("m/s²", 1.0),
        ("  N   m / rad ", 1.0),
        ("kW h", 3.6e6),
        ("lbf/in", 4.4482216152605 / 0.0254),
        ("N/mm/s", 1e3),
    ],
)
def test_a_compound_unit_is_the_product_of_its_factors(text, factor):
    assert unit(text).factor == pytest.approx(factor, rel=10 * ROUNDING)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("N", "kg m/s^2"),
        ("J", "N m"),
        ("W", "J/s"),
        ("Pa", "N/m^2"),
        ("Hz", "1/s"),
        ("rpm", "rad/s"),
        ("deg", ""),
        ("bar", "MPa"),
        ("lbf", "lb ft/s^2"),
        ("t", "g"),
    ],
)
def test_units_of_one_dimension_are_compatible(a, b):
    assert same_dimension(a, b)


@pytest.mark.parametrize(("a", "b"), [("m", "s"), ("N", "N m"), ("kg", "lbf"), ("rad", "m")])
def test_units_of_different_dimensions_are_not_compatible(a, b):
    assert not same_dimension(a, b)


@pytest.mark.parametrize("text", [*UNITS, "N s/m", "kg mm^2", "deg/s"])
def test_converting_to_si_and_back_changes_nothing(text):
    assert from_si(1.7 * unit(text).factor, text) == pytest.approx(1.7, rel=ROUNDING)


def test_a_quarter_turn_is_ninety_degrees():
    assert 90 * unit("deg").factor == pytest.approx(math.pi / 2, rel=ROUNDING)
    assert from_si(math.pi / 2, "deg") == pytest.approx(90, rel=ROUNDING)


@pytest.mark.parametrize(
    ("text", "hint"),
    [("Nm", "'N m'"), ("Mm", "mm"), ("kgs", "'kg s'"), ("degs", "deg"), ("furlong", "it knows")],
)
def test_an_unknown_unit_comes_with_a_suggestion(text, hint):
    with pytest.raises(EngineError) as raised:
        unit(text)
    assert f"'{text}' is not a unit" in raised.value.sentence
    assert hint in raised.value.sentence


@pytest.mark.parametrize(
    "text",
    [
        "/s",
        "m/",
        "m^",
        "m^0",
        "m^10",
        "m^x",
        "2 m",
        "m//s",
        "(m)",
        "m^2.5",
        "N/m s",
        "m" * 101,
        "@",
    ],
)
def test_a_text_that_is_no_unit_is_refused_in_a_sentence(text):
    with pytest.raises(EngineError):
        unit(text)
