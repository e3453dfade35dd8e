"""Every copy of the equations says what the engine solves, for every example: LaTeX, sympy code, Python."""

import json
import math
import subprocess
import sys
from functools import lru_cache

import numpy as np
import pytest
import sympy as sp

from assets import example_paths
from engine.compiling.system import compile_model
from engine.errors import EngineError
from engine.files.model_files import load
from engine.kernels import dynamics
from engine.kinematics.assemble import assemble
from engine.kinematics.evaluate import equations
from engine.symbols.equations import Equations
from engine.symbols.numbers import MODULES, Numbers
from engine.symbols.views import Views
from engine.symbols.written.latex import latex_document, latex_of, symbol
from engine.symbols.written.python_code import python_function, sympy_code
from tests.engine.symbols.latex_reader import LatexError, value_of
from tests.engine.symbols.test_programs import RUNNER, state_alone

TOLERANCE = 1e-12  # of the largest entry: rounding of sums of some dozen products
TERMS = ("M", "D", "gamma", "f", "Phi", "nu")
DIGITS = 1e-12  # LaTeX has fifteen digits of a number; sums of a dozen lose some
NEAR = 0.01  # of the size of the model
LONG = 300  # operations of a line that nobody copies onto paper
MOST = 40  # lines of an example that are read
SAME_AGAIN = "chain_of_100_links"  # says a hundred times what others say
READ = ("index_1", "newton_euler", "power")  # the other views say parts of these


@lru_cache(maxsize=1)
def compiled_of(name):
    """An example, compiled."""
    return compile_model(load(example_paths()[name]))


@lru_cache(maxsize=1)
def symbols_of(name):
    """Its equations in symbols."""
    return Equations(compiled_of(name))


def bends(body):
    """Whether a body is a beam or a part."""
    return getattr(getattr(body, "shape", None), "kind", "") in ("beam", "part")


SKIPPED = {"chain_of_100_links"}  # half a minute of symbols that other examples have too
RIGID = [
    name
    for name, path in example_paths().items()
    if name not in SKIPPED and not any(map(bends, load(path).of("body")))
]


def consistent_states(compiled, count=2):
    """Random poses near the drawing with closed joints, and speeds that keep them closed."""
    rng, drawn = np.random.default_rng(6), assemble(compiled)

    def freely(q, v):
        """A random velocity that no row notices."""
        D, free = equations(compiled, 0.0, q, v).D, rng.normal(size=len(v))
        return free - np.linalg.pinv(D, rcond=1e-9) @ (D @ free)

    for _ in range(count):
        q, way = drawn.q.copy(), freely(drawn.q, drawn.v)
        way *= NEAR * compiled.length / max(1.0, np.abs(way).max(initial=0.0))
        dynamics.move(compiled.system.dim, compiled.system.bodies, q, way, np.zeros_like(q))
        start = assemble(compiled, 0.0, q)
        yield 0.0, start.q, start.v + freely(start.q, start.v)


@pytest.mark.parametrize("name", RIGID)
def test_the_sympy_code_of_every_example_is_what_the_engine_solves(name):
    compiled, space = compiled_of(name), {}
    exec(sympy_code(symbols_of(name)), space)
    assert space["VALUES"] == symbols_of(name).names.values
    terms = [list(space[term]) for term in TERMS]
    numbers = Numbers(symbols_of(name), [x for term in terms for x in term])
    for t, q, v in consistent_states(compiled):
        here = equations(compiled, t, q, v)
        found = np.split(numbers.at(t, q, v, here.lam), np.cumsum([len(x) for x in terms])[:-1])
        for term, got in zip(TERMS, found):
            wanted, largest = (
                getattr(here, term).ravel(),
                np.abs(getattr(here, term)).max(initial=1.0),
            )
            gap = got - wanted
            if term == "Phi":  # angles agree up to full turns
                period = compiled.system.rows["period"]
                gap -= np.where(period > 0, period, 2 * np.pi) * np.round(
                    gap / np.where(period > 0, period, 2 * np.pi)
                )
            assert np.abs(gap).max(initial=0.0) <= TOLERANCE * largest, term


def test_the_python_function_of_every_example_runs_alone_and_accelerates_as_the_engine():
    jobs, wanted = [], []
    for name in RIGID:
        compiled = compiled_of(name)
        try:
            text = python_function(symbols_of(name))
        except EngineError as error:
            assert "has no formula" in error.sentence
            continue
        states = list(consistent_states(compiled))
        sent = [(t, [float(x) for x in state_alone(compiled, q, v)]) for t, q, v in states]
        jobs.append((text, sent))
        wanted += [(name, equations(compiled, *state).a) for state in states]
    done = subprocess.run(
        [sys.executable, "-I", "-c", RUNNER], input=json.dumps(jobs), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    found = [rate for line in done.stdout.splitlines() for rate in json.loads(line)]
    assert len(found) == len(wanted) > 90
    for rate, (name, a) in zip(found, wanted):
        scale = max(1.0, np.abs(a).max())
        # the same equations solved in another order; redundant ones are solved less exactly
        np.testing.assert_allclose(rate[-len(a) :], a, rtol=0, atol=1e-8 * scale, err_msg=name)


def pieces_of(name):
    """What stands in the views of an example, once each, and the symbols in it."""
    views = Views(symbols_of(name))
    statements = [s for view in READ for section in views.view(view) for s in section.statements]
    found = [p for s in statements for p in s.pieces if not isinstance(p, str)]
    entries = {x for p in found for x in (p if isinstance(p, sp.MatrixBase) else (p,))}
    inside = {s for x in entries for s in x.free_symbols}
    return entries, sorted(inside, key=str)


def is_short(x):
    """Whether somebody may copy it onto paper; tables of points have no formula."""
    return x.count_ops() < LONG and not x.atoms(sp.core.function.AppliedUndef)


@pytest.mark.parametrize("name", [name for name in RIGID if name != SAME_AGAIN])
def test_what_is_said_in_latex_is_read_back_as_the_same(name):
    entries, inside = pieces_of(name)
    written = {symbol(str(s)): s for s in inside}
    assert len(written) == len(inside)  # no two symbols look the same
    rng = np.random.default_rng(9)
    numbers = {s: float(rng.uniform(0.4, 0.9)) for s in inside}
    known = {text: numbers[s] for text, s in written.items()}
    order = sorted(entries, key=str)
    short = [x for x in (order[n] for n in rng.permutation(len(order))) if is_short(x)][:MOST]
    assert short
    of = sp.lambdify([inside], short, modules=MODULES)
    with np.errstate(all="ignore"):
        values = of([numbers[s] for s in inside])
    for x, value in zip(short, values):
        text = latex_of(x)
        if np.isnan(value):  # a root or an arc that these numbers do not have
            with pytest.raises(ValueError, match="math domain"):
                value_of(text, known)
        else:
            assert math.isclose(value_of(text, known), value, rel_tol=DIGITS, abs_tol=DIGITS), text


def test_a_document_consists_of_displayed_equations_that_are_read():
    _, inside = pieces_of("four_bar")
    known = {symbol(str(s)): 0.5 for s in inside}
    text = latex_document(Views(symbols_of("four_bar")).view("newton_euler"))
    bodies = [part.split(r"\]")[0] for part in text.split(r"\[")[1:]]
    sides = [side for body in bodies for side in body.split("\\quad")[0].split("=")]
    assert len(sides) > 9
    for side in sides:
        value_of(side, known)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (r"- \frac{x}{3} + 2 \cdot 10^{-2} x^{2}", -0.5 / 3 + 0.005),
        (r"\sin^{2}{\left(x \right)} \left|{- x}\right|", 0.5 * math.sin(0.5) ** 2),
        (r"\begin{cases} 1 & \text{for}\: x > 1 \\x & \text{otherwise} \end{cases}", 0.5),
        (r"\left[\begin{matrix}x & 1\\0 & - x\end{matrix}\right]", [[0.5, 1.0], [0.0, -0.5]]),
        (
            r"\operatorname{atan}_{2}{\left(1,x \right)} e^{- x}",
            math.atan2(1, 0.5) * math.exp(-0.5),
        ),
        (r"3 \pi - \left(x - 1\right)^{3}", 3 * math.pi + 0.125),
    ],
)
def test_the_reader_reads_as_people_do(text, value):
    assert np.allclose(value_of(text, {"x": 0.5}), value, rtol=1e-15)


@pytest.mark.parametrize("text", [r"\frac{x}{", "x + y", r"\left(x", "x x)", r"\spin{x}", ""])
def test_the_reader_refuses_what_is_no_mathematics(text):
    with pytest.raises(LatexError):
        value_of(text, {"x": 0.5})
