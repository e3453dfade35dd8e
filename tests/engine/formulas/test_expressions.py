"""Expressions: precedence, units, errors with their place, and the laws of reading and writing."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import EngineError
from engine.formulas.expressions import names, parse, program, to_text, value, written_unit
from engine.formulas.grammar import CONSTANTS, DEEPEST, FUNCTIONS, LONGEST

MODEST = settings(max_examples=150, derandomize=True, deadline=None)
VARIABLES = {"x": 2.0, "m": 7.0, "l_crank": 0.25, "ω": 3.0}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", 1.0),
        ("1.5e-3", 1.5e-3),
        (".5", 0.5),
        ("1.", 1.0),
        ("2E3", 2000.0),
        ("+3", 3.0),
        ("(+3)", 3.0),
        ("1 + 2*3", 7.0),
        ("(1 + 2)*3", 9.0),
        ("8 - 2 - 1", 5.0),
        ("8/4/2", 1.0),
        ("8/4*2", 4.0),
        ("-2^2", -4.0),
        ("(-2)^2", 4.0),
        ("2^3^2", 512.0),
        ("2**3", 8.0),
        ("2^-1", 0.5),
        ("2*-3", -6.0),
        ("--3", 3.0),
        ("x²", 4.0),
        ("2·x − 1", 3.0),
        ("1 < 2", 1.0),
        ("1 + 1 <= 1", 0.0),
        ("2 == 2", 1.0),
        ("2 != 2", 0.0),
        ("1 >= 2 or 3 > 2 and 1", 1.0),
        ("not 1 < 2", 0.0),
        ("not 0 and 5", 1.0),
        ("0 and 0 or 1", 1.0),
        ("0 and (0 or 1)", 0.0),
        ("2*l_crank", 0.5),
        ("2*ω", 6.0),
        ("2*m", 14.0),
        ("2*pi", 2 * math.pi),
        ("log(e)", 1.0),
        ("ln(e)", 1.0),
        ("pow(2, 3)", 8.0),
        ("max(1, 3, 2)", 3.0),
        ("min(4)", 4.0),
        ("mod(-1, 3)", 2.0),
        ("mod(1, -3)", -2.0),
        ("sign(-3) + sign(0)", -1.0),
        ("floor(-0.5)", -1.0),
        ("hypot(3, 4)", 5.0),
        ("atan2(1, -1)", 0.75 * math.pi),
        ("step(-1, 0, 2, 1, 5)", 2.0),
        ("step(0.5, 0, 2, 1, 5)", 3.5),
        ("step(7, 0, 2, 1, 0.3)", 0.3),
        ("if(x > 1, 10, 20)", 10.0),
    ],
)
def test_an_expression_has_the_value_that_mathematics_gives_it(text, expected):
    assert value(text, VARIABLES) == pytest.approx(expected, rel=1e-15)  # one rounding


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("30 mm", 0.03),
        ("30mm", 0.03),
        ("-30 mm", -0.03),
        ("2*pi rad/s", 2 * math.pi),
        ("5 N/mm", 5000.0),
        ("30°", math.pi / 6),
        ("90 °/s", math.pi / 2),
        ("3 m^2", 3.0),
        ("3 mm^2", 3e-6),
        ("3 m/s²", 3.0),
        ("(3/4) in", 0.01905),
        ("2^3 mm", 0.008),
        ("30 mm + 2 cm", 0.05),
        ("2 m", 2.0),
        ("2 N m", 2.0),
        ("5 N m^-1", 5.0),
        ("5 N mm^-1 * 2", 10000.0),
        ("(5 N)/m", 5 / 7),
        ("10 km/x", 5000.0),
        ("10 m/min(2, 3)", 5.0),
        ("2*pi/3 rad", 2 * math.pi / 3),
        ("x/(2 mm)", 1000.0),
        ("sin(30 deg)", 0.5),
        ("pi rad", math.pi),
    ],
)
def test_a_number_followed_by_a_unit_is_their_product(text, expected):
    assert value(text, VARIABLES) == pytest.approx(expected, rel=1e-15, abs=1e-16)  # roundings


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("2*+", "In '2*+': expected a number after '*' (character 3)."),
        ("", "The expression is empty: write a number such as 0.5 or 30 mm."),
        ("5/", "In '5/': expected a number after '/' (character 3)."),
        ("*5", "In '*5': expected a number (character 1)."),
        (
            "(1",
            "In '(1': expected ')' before the end to close the '(' of character 1 (character 3).",
        ),
        ("1)", "In '1)': expected an operator such as * before ')' (character 2)."),
        ("2(3)", "In '2(3)': expected an operator such as * before '(' (character 2)."),
        ("x mm", "In 'x mm': expected an operator such as * before 'mm' (character 3)."),
        ("1,5", "decimals are written with a point, as in 1.5 (character 2)."),
        ("2 $ 3", "'$' cannot be read (character 3)."),
        ("sin 3", "the function 'sin' needs its arguments in parentheses (character 1)."),
        ("sin()", "expected a number after '(' (character 5)."),
        ("sin(1, 2)", "'sin' takes 1 argument, not 2 (character 1)."),
        ("1 + coz(3)", "there is no function 'coz'; did you mean cos"),
        ("5 Nm", "for a product write 'N m'."),
        ("3 t", "'t' is the time"),
        ("3/4 in", "could belong to the quotient or to its divisor alone"),
        ("1/-2 mm", "could belong to the quotient or to its divisor alone"),
        ("5 N/mm s", "it is unclear whether 's' is divided by"),
        ("3 m^2.5", "whole number from -9 to 9, but not 0 (character 5)."),
        ("3 m^2^2", "parentheses before the second '^' (character 6)."),
        ("1 < 2 < 3", "a comparison cannot be chained"),
        ("2*not 1", "expected a number after '*' (character 3)."),
        ("1e999", "'1e999' is too large (character 1)."),
        ("1/0", "division by zero"),
        ("1/(m - 7)", "division by zero"),
        ("sqrt(-1)", "sqrt(-1) has no finite value"),
        ("(-8)^(1/3)", "-8 ^ 0.333333 has no finite value"),
        ("9^9^9", "has no finite value"),
        ("exp(1000)", "exp(1000) has no finite value"),
        ("1/(1/0)", "division by zero"),
        ("l_crnak", "'l_crnak' is unknown: did you mean l_crank?"),
        ("2*t", "the time t can only be used where a function of it is asked for."),
        ("5 N/m", "could be the unit or the variable 'm'"),
    ],
)
def test_an_error_says_what_is_wrong_and_where(text, words):
    with pytest.raises(EngineError) as raised:
        value(text, VARIABLES)
    assert words in raised.value.sentence


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("if(m > 0, 1/m, 0)", 0.0),
        ("if(1, 2, sqrt(-1))", 2.0),
        ("m != 0 and 1/m > 2", 0.0),
        ("m == 0 or 1/m > 2", 1.0),
    ],
)
def test_the_side_that_is_not_needed_may_have_no_value(text, expected):
    assert value(text, {"m": 0.0}) == expected


@pytest.mark.parametrize("wrong", [True, None, math.nan, math.inf, (1.0,), 10**400])
def test_only_finite_numbers_are_numbers(wrong):
    with pytest.raises(EngineError):
        value(wrong, {})


def test_a_plain_number_is_its_own_value():
    assert value(3, {}) == 3.0
    assert isinstance(value(3, {}), float)


@pytest.mark.parametrize(
    "open_, close", [("(", ")"), ("-", ""), ("2^", ""), ("sin(", ")"), ("1+(", ")")]
)
def test_deep_nesting_gives_a_sentence(open_, close):
    n = (LONGEST - 1) // len(open_ + close)
    for text in (open_ * n + "1" + close * n, open_ * n, "(" * 100_000):
        with pytest.raises(EngineError):
            parse(text)


def test_nesting_up_to_the_limit_is_read():
    n = DEEPEST - 1
    assert value("(" * n + "1" + ")" * n, {}) == 1.0


def test_a_long_sum_is_evaluated_written_and_compiled_without_recursion():
    n = LONGEST // 4  # "x + " for each
    sum_ = parse("+".join(["x"] * n))
    assert value(sum_, {"x": 1.0}) == n
    assert parse(to_text(sum_)) == sum_
    assert program(sum_, ("x",), {}).depth == 2


def test_names_are_the_variables_and_nothing_else():
    assert names(parse("2 mm + a*sin(b) + pi - max(c, a)*5 N/mm")) == {"a", "b", "c"}


def test_the_unit_that_ends_an_expression_is_known():
    assert written_unit(parse("-(30 N/mm)")) == "N/mm"
    assert written_unit(parse("30 mm + x")) is None


def test_constant_parts_are_worked_out_once():
    assert program(parse("2*k + sqrt(9)"), ("t",), {"k": 5.0}).ops == ("number",)
    assert program(parse("2*k + sqrt(9)"), ("t",), {"k": 5.0}).args == (13.0,)
    flat = program(parse("t*(2*k)"), ("t",), {"k": 5.0})
    assert flat.ops == ("name", "number", "*")
    assert flat.args == (0.0, 10.0, 0.0)


def test_a_constant_without_a_value_is_left_to_the_machine():
    assert program(parse("if(t > 0, 1/0, 2)"), ("t",), {}).ops.count("/") == 1


def test_a_variable_hides_a_parameter_of_its_name():
    assert program(parse("x"), ("x",), {"x": 3.0}).ops == ("name",)


def test_a_program_with_an_unknown_name_is_refused():
    with pytest.raises(EngineError, match="'speed' is unknown"):
        program(parse("2*speed"), ("t",), {"sped": 1.0})


LEAVES = st.sampled_from(["x", "y", "2", "0.5", "3e-3", "pi", "(3 mm)", "(2 N/mm)", "(x + y) deg"])


def _grow(inner):
    pairs = st.tuples(inner, inner)
    signs = st.sampled_from([*"+-*/^", "<", ">=", "==", "!=", " and ", " or "])
    return st.one_of(
        st.tuples(signs, pairs).map(lambda p: f"({p[1][0]}){p[0]}({p[1][1]})"),
        inner.map(lambda a: f"-({a})"),
        inner.map(lambda a: f"not ({a})"),
        st.tuples(st.sampled_from(["sin", "sqrt", "floor"]), inner).map(
            lambda p: f"{p[0]}({p[1]})"
        ),
        pairs.map(lambda p: f"max({p[0]}, {p[1]}, 2)"),
        st.tuples(inner, inner, inner).map(lambda p: f"if({p[0]}, {p[1]}, {p[2]})"),
        inner.map(lambda a: f"step({a}, 0, x, 1, y)"),
    )


@MODEST
@given(st.recursive(LEAVES, _grow, max_leaves=12))
def test_written_text_reads_back_as_the_same_expression(text):
    expression = parse(text)
    assert parse(to_text(expression)) == expression


ALPHABET = st.sampled_from(
    [
        *FUNCTIONS,
        *CONSTANTS,
        *"0123456789.+-*/^()<>=!,°² xtme",
        "and ",
        "not ",
        "mm",
        " N",
        "1e",
        "\n",
    ]
)


@MODEST
@given(st.one_of(st.text(max_size=60), st.lists(ALPHABET, max_size=30).map("".join)))
def test_any_text_is_read_or_refused_in_a_sentence(text):
    try:
        expression = parse(text)
        value(expression, {"x": 0.5})
    except EngineError as error:
        assert error.sentence[-1] in ".?"
