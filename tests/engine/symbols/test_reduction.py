"""The reduced equations are those of the lecture, exactly, and those of the engine in numbers."""

import subprocess
import sys

import numpy as np
import pytest
import sympy as sp

from assets import example_paths
from engine.compiling.system import compile_model
from engine.errors import EngineError
from engine.files.model_files import load
from engine.kinematics.evaluate import equations
from engine.symbols.equations import Equations
from engine.symbols.reduced.background import CANCELLED, DONE, LATE, WORKING, Reduction
from engine.symbols.reduced.exchange import decoded, encoded, problem_as_data, problem_of_data
from engine.symbols.reduced.ratios import velocity_ratios
from engine.symbols.reduced.reduction import matrix_form, reduce, solved
from engine.symbols.reduced.spanning import problem_of
from engine.symbols.reduced.trigonometry import equal, fourier
from engine.symbols.traced import real
from tests.engine.symbols.lecture_models import chain, crane, four_bar

g, l1, m1, m2, l2, l, s, k = map(real, ("g", "l1", "m1", "m2", "l2", "l", "s", "k"))
p1, p2, p3, w1, w2 = map(real, ("phi_1", "phi_2", "phi_3", "phidot_1", "phidot_2"))
x, x_dot = real("s_1"), real("sdot_1")
d = p1 - p2
DELTA = 8 * m1 + 15 * m2 - 9 * m2 * sp.cos(2 * d)
DOUBLE = (  # (3.64)
    (
        -9 * m2 * l1 * sp.sin(2 * d) * w1**2
        - 12 * m2 * l2 * sp.sin(d) * w2**2
        + 9 * m2 * g * sp.cos(p1 - 2 * p2)
        - g * (12 * m1 + 15 * m2) * sp.cos(p1)
    )
    / (l1 * DELTA),
    (
        12 * (m1 + 3 * m2) * l1 * sp.sin(d) * w1**2
        + 9 * m2 * l2 * sp.sin(2 * d) * w2**2
        + 9 * (m1 + 2 * m2) * g * sp.cos(2 * p1 - p2)
        - 3 * (m1 + 6 * m2) * g * sp.cos(p2)
    )
    / (l2 * DELTA),
)
F = -(s * x + k * x_dot)  # the lecture counts x_1 to the left
DEN = 4 * m1 + m2 + 3 * m2 * sp.cos(p2) ** 2
SWING = m2 * l * w2**2
CRANE = (  # (3.57)
    -(-2 * SWING * sp.cos(p2) - 4 * F + sp.Rational(3, 2) * m2 * g * sp.sin(2 * p2)) / DEN,
    (3 * SWING * sp.sin(p2) * sp.cos(p2) + 6 * F * sp.sin(p2) - 6 * (m1 + m2) * g * sp.cos(p2))
    / (l * DEN),
)
X2 = (
    (1 + 3 * sp.cos(p2) ** 2) * F
    + sp.Rational(3, 2) * m1 * g * sp.sin(2 * p2)
    - 2 * m1 * l * sp.cos(p2) * w2**2
) / DEN
Y2 = (
    -6 * (m1 + m2) * g * sp.cos(p2) ** 2
    + 3 * F * sp.sin(2 * p2)
    - (4 * m1 + m2) * l * sp.sin(p2) * w2**2
) / (2 * DEN)


def reduced_of(model):
    return reduce(problem_of(Equations(compile_model(model))))


def placed(expression):
    """With the wall of the crane where it is: 2 m from the rail's start, as long as the free spring."""
    values = {real("a_wall"): 2, real("l0_spring"): 2}
    return expression.subs(values)


def test_the_pendulum_and_the_double_pendulum_are_those_of_the_lecture():
    (single,) = solved(reduced_of(chain(1)))
    assert equal(single, -3 * g * sp.cos(p1) / (2 * l1))
    found = solved(reduced_of(chain(2)))
    assert [equal(a, b) for a, b in zip(found, DOUBLE)] == [True, True]
    assert not equal(found[0], DOUBLE[0] + g)


def test_all_six_rows_of_the_crane_are_those_of_the_lecture():
    reduced = reduced_of(crane())
    u = [placed(a) for a in solved(reduced)]
    a = [
        sp.Add(*(R * b for R, b in zip(reduced.R.row(n), u))) + placed(reduced.bias[n])
        for n in (3, 4)
    ]
    found = [*u, *a, m2 * a[0], m2 * (a[1] + g)]
    assert [equal(x, y) for x, y in zip(found, (*CRANE, X2, Y2, m2 * X2, m2 * (Y2 + g)))] == [
        True
    ] * 6


def test_the_crane_at_its_start_accelerates_as_known():
    start = {x: -0.5, p2: sp.rad(-30), x_dot: 0, w2: 0}
    values = {m1: 10, m2: 1, l: 1, k: 50, s: 3000, g: sp.Float("9.81")}
    found = [float(placed(a).subs(start).subs(values)) for a in solved(reduced_of(crane()))]
    assert found == pytest.approx([139.022973, -117.010793], abs=1e-6)


@pytest.mark.parametrize("make", [lambda: chain(1), lambda: chain(2), crane, lambda: chain(3)])
def test_reduced_equations_are_those_of_the_engine(make):
    symbols = Equations(compile_model(make()))
    reduced = reduce(problem_of(symbols))
    M, h = matrix_form(reduced)
    known, rng = symbols.names.values, np.random.default_rng(7)
    for _ in range(2):
        at = dict(zip((*reduced.u, *reduced.rates), rng.uniform(-1, 1, 2 * len(reduced.u))))

        def number(e, at=at):
            return np.array(sp.Matrix([e]).subs({**at, **known}).tolist(), dtype=float).ravel()

        R = number(reduced.R).reshape(reduced.R.shape)
        rates = np.array([at[r] for r in reduced.rates])
        u_ddot = np.linalg.solve(number(M).reshape(M.shape), number(list(h)))
        here = equations(symbols.compiled, 0.0, number(list(reduced.q)), R @ rates)
        a = R @ u_ddot + number(list(reduced.bias))
        np.testing.assert_allclose(a, here.a, rtol=0, atol=1e-11 * np.abs(here.a).max())


def test_the_four_bar_shows_its_closure_and_its_ratios():
    reduced = reduced_of(four_bar())
    assert len(reduced.u) == 3 and len(reduced.loop) == 2
    a, b, c = map(real, "abc")
    by_name = {str(one.rate): ratio for one in velocity_ratios(reduced) for _, ratio in one.parts}
    turn = sp.sin(p2 - p3)
    order = [str(u) for u in reduced.u]
    assert order[0] == "phi_1"
    assert equal(by_name["phidot_2"], -a * sp.sin(p1 - p3) / (b * turn))
    assert equal(by_name["phidot_3"], -a * sp.sin(p1 - p2) / (c * turn))


def test_the_normal_form_tells_identities_from_near_misses():
    assert not fourier(sp.sin(p1) ** 2 + sp.cos(p1) ** 2 - 1)
    assert not fourier(sp.sin(p1 - p2) - sp.sin(p1) * sp.cos(p2) + sp.cos(p1) * sp.sin(p2))
    assert fourier(sp.sin(p1) ** 2 + sp.cos(p2) ** 2 - 1)


def test_a_process_of_its_own_gives_the_same_in_parts():
    problem = problem_of(Equations(compile_model(chain(2))))
    job = Reduction(problem)
    assert job.wait() == DONE and not job.sentence()
    assert list(job.found) == ["coordinates", "matrix", "solved", "done"]
    assert [equal(a, b) for a, b in zip(job.found["solved"], DOUBLE)] == [True, True]
    assert job.process.returncode is not None


def test_a_reduction_is_cancelled_at_once_and_ends_at_its_limit():
    problem = problem_of(Equations(compile_model(chain(12))))
    job = Reduction(problem)
    assert job.poll() == WORKING
    job.cancel()
    assert job.state == CANCELLED and job.process.returncode is not None
    assert "cancelled" in job.sentence()
    late = Reduction(problem, limit=0.0)
    assert late.wait() == LATE and late.process.returncode is not None
    assert "did not end within 0 s" in late.sentence()


def test_the_child_imports_no_kernels():
    code = (
        "import sys, engine.symbols.reduced.reducing; "
        "print([m for m in sys.modules if 'numba' in m or 'kernels' in m])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr


def test_expressions_survive_the_way_to_another_process():
    problem = problem_of(Equations(compile_model(crane())))
    assert problem_of_data(problem_as_data(problem)) == problem
    law = sp.Piecewise((0, sp.Or(x <= 1, w1 < 0)), (sp.Max(x, 2) * sp.Abs(w1), True))
    assert decoded(encoded(law)) == law


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("knife_edge_sled", "constrains velocities"),
        ("gear_train", "depends on reactions"),
    ],
)
def test_what_cannot_be_reduced_says_why(name, says):
    with pytest.raises(EngineError, match=says):
        problem_of(Equations(compile_model(load(example_paths()[name]))))
