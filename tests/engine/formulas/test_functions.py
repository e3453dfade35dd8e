"""Functions on the compiled machine: values, exact derivatives, kinks and tables."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.interpolate import CubicSpline, PchipInterpolator

from engine.errors import EngineError
from engine.formulas import expressions
from engine.formulas.functions import MOST_POINTS, pack
from engine.formulas.grammar import BINDING, FUNCTIONS
from engine.kernels.functions import CODES, CONSTANT, STACK_SIZE, jet, value

MODEST = settings(max_examples=60, derandomize=True, deadline=None)
NAMES = ("x", "y")

# The machine and Python use the same formulas, but perhaps another library of functions.
SAME = 1e-13

# Extrapolated central differences with h = 1e-3: truncation h^4 f^(5)/480 and rounding eps/h are
# both near 1e-13; the rest is room for the fifth derivatives of composed functions.
H, DIFFERENCE = 1e-3, 1e-7

SMOOTH = (
    *("x + 2*y", "x - y", "x*y", "x/y", "-x", "x^3", "x^2.5", "2^x", "x^y", "x^-2", "pow(x, 1)"),
    *("sin(x)", "cos(x)", "tan(x)", "asin(x/3)", "acos(x/3)", "atan(x)", "atan2(x, y)"),
    *("sinh(x)", "cosh(x)", "tanh(x)", "exp(x)", "log(x)", "ln(x)", "log10(x)", "sqrt(x)"),
    *("abs(x*y)", "sign(x)*x", "min(x, y^2)", "max(x, y^2)", "floor(x)*x", "mod(x^2, y)"),
    *("hypot(x, y)", "step(x, 0, y, 3, x*y)", "step(x, 5, y, 6, 1)", "step(x, y, y, x^2 + 1, 1)"),
    *("if(x < y, x^2, y^2)", "if(x >= y, x^2, y^2)", "(x < y)*x + (x <= y)*y + (x > y)*3"),
    *("x^2*y^3", "x^2/y^3", "(x^2)^(y^2)", "atan2(x^2, y^3)", "hypot(x^2, y^3)", "mod(x^3, y^2)"),
    *("(x == y) + x*(x != y)", "(x and y)*x", "(0 or x)*x", "not x", "pi + e", "30 deg*x"),
)


def packed(text, constants=None):
    return pack([(text, NAMES)], constants or {})


def value_at(F, *x):
    return value(F, 0, np.array(x, dtype=float), np.empty(STACK_SIZE))


def jet_at(F, x, dx):
    out = np.empty(3)
    jet(F, 0, np.array(x, dtype=float), np.array(dx, dtype=float), np.empty(STACK_SIZE), out)
    return out


def slope(f):
    """d/ds at s = 0 by extrapolated central differences."""
    wide, narrow = (f(H) - f(-H)) / (2 * H), (f(H / 2) - f(-H / 2)) / H
    return (4 * narrow - wide) / 3


def assert_jet_is_the_derivative(F, x, dx):
    x, dx = np.array(x), np.array(dx)
    f, f1, f2 = jet_at(F, x, dx)
    scale = 1 + abs(f) + abs(f1) + abs(f2)
    assert f == pytest.approx(value_at(F, *x), rel=SAME, abs=SAME)
    assert f1 == pytest.approx(slope(lambda s: value_at(F, *(x + s * dx))), abs=DIFFERENCE * scale)
    assert f2 == pytest.approx(
        slope(lambda s: jet_at(F, x + s * dx, dx)[1]), abs=DIFFERENCE * scale
    )


def test_every_operation_of_the_language_is_listed_here_and_known_to_the_machine():
    used = {
        op for text in SMOOTH for op in expressions.program(expressions.parse(text), NAMES, {}).ops
    }
    assert used == set(CODES)
    assert set(FUNCTIONS) - {"ln", "pow"} | set(BINDING) < set(CODES)


@pytest.mark.parametrize("text", SMOOTH)
@pytest.mark.parametrize("point", [(1.3, 0.7), (0.45, 1.9), (2.2, 1.55)])
def test_the_machine_agrees_with_the_expression(text, point):
    expected = expressions.value(text, dict(zip(NAMES, point)))
    assert value_at(packed(text), *point) == pytest.approx(expected, rel=SAME, abs=SAME)


@pytest.mark.parametrize("text", SMOOTH)
@pytest.mark.parametrize("point", [(1.3, 0.7), (0.45, 1.9), (2.2, 1.55)])
@pytest.mark.parametrize("direction", [(1.0, 0.0), (0.6, -1.1)])
def test_a_jet_is_the_derivative_along_its_direction(text, point, direction):
    assert_jet_is_the_derivative(packed(text), point, direction)


def _grow(inner):
    pairs = st.tuples(inner, inner)
    of_one = st.sampled_from(
        [
            "sin({})",
            "tanh({})",
            "atan({})",
            "exp(-({})^2)",
            "sqrt(1 + ({})^2)",
            "log(2 + ({})^2)",
            "-({})",
        ]
    )
    of_two = st.sampled_from(
        (
            *("({}) + ({})", "({}) - ({})", "({})*({})", "({})/(2 + ({})^2)", "({})*cos({})"),
            *("atan2({}, 2 + sin({}))", "hypot({}, 1 + exp({}))", "(2 + sin({}))^tanh({})"),
        )
    )
    return st.one_of(
        st.tuples(of_one, inner).map(lambda p: p[0].format(p[1])),
        st.tuples(of_two, pairs).map(lambda p: p[0].format(*p[1])),
    )


SMOOTH_TEXTS = st.recursive(st.sampled_from(["x", "y", "0.7", "k"]), _grow, max_leaves=5)
UNIT_RANGE = st.floats(-1, 1)


@MODEST
@given(SMOOTH_TEXTS, UNIT_RANGE, UNIT_RANGE)
def test_composed_functions_agree_with_the_expression_and_its_derivatives(text, x, y):
    F = packed(text, {"k": 1.25})
    expected = expressions.value(text, {"x": x, "y": y, "k": 1.25})
    assert value_at(F, x, y) == pytest.approx(expected, rel=SAME, abs=SAME)
    assert_jet_is_the_derivative(F, (x, y), (0.5, 1.0))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("abs(x)", (0.0, 1.0, 0.0)),
        ("x^1", (0.0, 1.0, 0.0)),
        ("x^2", (0.0, 0.0, 2.0)),
        ("x^1.5", (0.0, 0.0, math.inf)),
        ("max(x, 0)", (0.0, 1.0, 0.0)),
        ("min(2*x, 0)", (0.0, 2.0, 0.0)),
        ("if(x < 0, -x, 3*x)", (0.0, 3.0, 0.0)),
        ("floor(x)", (0.0, 0.0, 0.0)),
        ("sqrt(0*x)", (0.0, 0.0, 0.0)),
        ("sqrt(y)", (0.0, 0.0, 0.0)),
        ("hypot(x, y)", (0.0, 0.0, 0.0)),
        ("x*sqrt(x)", (0.0, 0.0, math.inf)),
        ("step(x, 0, 5, 1, 6)", (5.0, 0.0, 0.0)),
        ("if(x == 0, 1, sin(x)/x)", (1.0, 0.0, 0.0)),
    ],
)
def test_at_a_kink_the_derivative_is_that_of_the_branch_in_use(text, expected):
    np.testing.assert_array_equal(jet_at(packed(text), (0, 0), (1, 0)), expected)


def test_values_without_meaning_are_not_finite_and_raise_nothing():
    for text in ("1/x", "log(x)", "sqrt(x - 1)", "asin(x + 2)", "mod(1, x)", "(x - 1)^0.5"):
        assert not math.isfinite(value_at(packed(text), 0, 0))
        assert not math.isfinite(jet_at(packed(text), (0, 0), (1, 0))[0])


def test_a_function_of_time_gives_c_c_dot_and_c_ddot():
    F = pack([("a*sin(w*t)", ("t",))], {"a": 2.0, "w": 3.0})
    c = jet_at(F, (0.4,), (1.0,))
    expected = [2 * math.sin(1.2), 6 * math.cos(1.2), -18 * math.sin(1.2)]
    np.testing.assert_allclose(c, expected, rtol=SAME)


def test_numbers_and_constant_expressions_need_no_machine():
    F = pack([(4, ("t",)), ("2*k", ("t",))], {"k": 1.5})
    assert list(F.kind) == [CONSTANT, CONSTANT]
    assert [value(F, k, np.zeros(1), np.empty(0)) for k in (0, 1)] == [4.0, 3.0]


def test_packed_functions_do_not_disturb_each_other():
    table = ((0.0, 1.0), (1.0, 3.0))
    many = [("x + y", NAMES), (table, NAMES), (2.0, NAMES), ("x*y", NAMES), (table, ("t",))]
    F = pack(many, {})
    stack = np.empty(STACK_SIZE)
    found = [value(F, k, np.array([0.5, 4.0]), stack) for k in range(len(many))]
    assert found == [4.5, 2.0, 2.0, 2.0, 2.0]


POINTS = ((-1.0, 2.0), (0.0, 0.0), (0.3, 0.1), (1.5, 4.0), (2.0, 3.5), (4.0, 3.5))


@pytest.mark.parametrize("n", [2, 3, 4, 6])
@pytest.mark.parametrize(
    ("variables", "curve"), [(("t",), CubicSpline), (NAMES, PchipInterpolator)]
)
def test_a_table_is_the_curve_of_scipy_between_its_ends(n, variables, curve):
    F = pack([(POINTS[:n], variables)], {})
    x, y = np.array(POINTS[:n]).T
    reference = curve(x, y)
    for s in np.linspace(x[0], x[-1], 41)[:-1]:
        np.testing.assert_allclose(
            jet_at(F, (s, 0), (2, 0)),
            [reference(s), 2 * reference(s, 1), 4 * reference(s, 2)],
            rtol=SAME,
            atol=100 * SAME,  # second derivatives near 40 cancel to zero
        )
        assert value_at(F, s, 0) == pytest.approx(float(reference(s)), rel=SAME, abs=SAME)


@pytest.mark.parametrize("variables", [("t",), NAMES])
def test_a_table_goes_through_its_points_and_on_with_the_slope_of_its_ends(variables):
    F = pack([(POINTS, variables)], {})
    for x, y in POINTS:
        assert value_at(F, x, 0) == pytest.approx(y, rel=SAME, abs=SAME)
    for end, outside in ((-1.0, -3.0), (4.0, 9.0)):
        f, f1, _ = jet_at(F, (end, 0), (1, 0))
        expected = (f + f1 * (outside - end), f1, 0.0)
        np.testing.assert_allclose(jet_at(F, (outside, 0), (1, 0)), expected, rtol=SAME)
        assert value_at(F, outside, 0) == pytest.approx(expected[0], rel=SAME)


def test_a_spring_curve_never_overshoots_its_points():
    F = pack([(((0.0, 0.0), (1.0, 0.0), (1.01, 5.0), (2.0, 5.0)), ("x",))], {})
    found = [value_at(F, s) for s in np.linspace(0, 2, 200)]
    assert min(found) >= 0.0 and max(found) <= 5.0 + SAME


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ((), "at least two points"),
        (((0.0, 1.0),), "at least two points"),
        (((0.0, 1.0), (0.0, 2.0)), "point 2 has 0 after 0"),
        (((0.0, 1.0), (1.0, 2.0), (0.5, 2.0)), "point 3 has 0.5 after 1"),
        (((0.0, 1.0), (1.0, math.nan)), "Point 2 of the table must be two finite numbers"),
        (((0.0, True), (1.0, 1.0)), "Point 1 of the table must be two finite numbers"),
        (((0.0, 1.0), (1.0, "2")), "Point 2 of the table must be two finite numbers"),
        (((0.0, 1.0), (1.0, 10**400)), "Point 2 of the table must be two finite numbers"),
        (((0.0, 1.0), (1.0,)), "Point 2 of the table must be two numbers"),
        (((0.0, -1e308), (1e-300, 1e308)), "cannot be joined by a curve"),
        (((0.0, 0.0),) * (MOST_POINTS + 1), "at most 1000000"),
    ],
)
@pytest.mark.parametrize("variables", [("t",), ("x",)])
def test_a_table_that_is_no_function_is_refused_in_a_sentence(table, words, variables):
    with pytest.raises(EngineError, match=words):
        pack([(table, variables)], {})


def test_an_expression_that_keeps_too_much_waiting_is_refused():
    n = 90
    text = "step(1,2,3,4," * n + "x" + ")" * n
    with pytest.raises(EngineError, match="intermediate values waiting"):
        packed(text)


def test_an_error_names_the_owner_where_it_is_known():
    owner = SimpleNamespace(label="drive", id="motion_1")
    with pytest.raises(EngineError, match="A function of 'drive' is not usable") as raised:
        pack([("2*t", ("t",)), ("2*q", ("t",))], {}, owners=[owner, owner])
    assert raised.value.ids == ("motion_1",)
