"""The equations in symbols are those the engine solves: for every example and every kind of element."""

from dataclasses import replace

import numpy as np
import pytest
import sympy as sp

from assets import example_paths
from engine.compiling.system import compile_model
from engine.errors import EngineError
from engine.files.model_files import load
from engine.kernels import dynamics
from engine.kinematics.evaluate import equations
from engine.model.elements import put
from engine.model.forces import AirDrag, SpringDamper
from engine.symbols.equations import Equations
from engine.symbols.motion import coefficients
from engine.symbols.numbers import Numbers
from tests.engine.catalogue import (
    FORCE_CASES,
    JOINT_CASES,
    MOTION_CASES,
    force_model,
    joint_model,
    motion_model,
)

# Of the largest entry: rounding, of sums of some dozen products. Teeth are solved by an iteration that
# ends there.
TOLERANCE = 1e-12
TERMS = ("M", "D", "Phi", "nu", "gamma", "f")


def somewhere(compiled, rng, size):
    """A random state near the drawing."""
    q, n_v = compiled.q0.copy(), compiled.layout.n_v
    away = size * compiled.length * rng.normal(size=n_v)
    dynamics.move(compiled.system.dim, compiled.system.bodies, q, away, np.zeros_like(q))
    return float(rng.uniform(0.1, 1.0)), q, compiled.v0 + 0.5 * rng.normal(size=n_v)


def assert_symbols_are_the_engine(compiled, count=2, size=0.1):
    symbols = Equations(compiled)
    terms = [list(getattr(symbols, name)) for name in TERMS]
    numbers = Numbers(symbols, [x for term in terms for x in term])
    rng = np.random.default_rng(3)
    for _ in range(count):
        t, q, v = somewhere(compiled, rng, size)
        here = equations(compiled, t, q, v)
        found = np.split(numbers.at(t, q, v, here.lam), np.cumsum([len(x) for x in terms])[:-1])
        for name, got in zip(TERMS, found):
            wanted = getattr(here, name).ravel()
            gap = got - wanted
            if name == "Phi":  # angles agree up to full turns
                turn = np.where(
                    compiled.system.rows["period"] > 0, compiled.system.rows["period"], 2 * np.pi
                )
                gap -= turn * np.round(gap / turn)
            largest = max(1.0, np.abs(wanted).max(initial=0.0))
            assert np.abs(gap).max(initial=0.0) <= TOLERANCE * largest, name


LONG = {"chain_of_100_links"}  # a minute of symbols that other examples have too


@pytest.mark.parametrize("name", sorted({*example_paths()} - LONG))
def test_the_symbols_of_every_example_are_the_equations_of_the_engine(name):
    compiled = compile_model(load(example_paths()[name]))
    if compiled.elastic:
        with pytest.raises(EngineError, match=r"written for rigid bodies, and '.*' bends"):
            Equations(compiled)
        return
    assert_symbols_are_the_engine(compiled)


@pytest.mark.parametrize("case", JOINT_CASES, ids=lambda case: f"{case[0].kind}-{case[1]}d")
def test_the_symbols_of_every_joint_are_the_equations_of_the_engine(case):
    joint, dim = case
    model = joint_model(joint, dim, seed=5)
    assert_symbols_are_the_engine(compile_model(model), count=1, size=0.0)


@pytest.mark.parametrize(
    "case", MOTION_CASES[:4], ids=lambda case: f"{case[0]}-{case[1]}-{case[2]}d"
)
@pytest.mark.parametrize("quantity", ["position", "speed", "acceleration"])
def test_the_symbols_of_every_motion_are_the_equations_of_the_engine(case, quantity):
    model = motion_model(*case, quantity, seed=5)
    assert_symbols_are_the_engine(compile_model(model), count=1, size=0.0)


# Laws along coordinates are the same in space; coordinates there are tested with the joints.
IN_SPACE = ("force", "torque", "spring_damper", "general_force", "air_drag")
FORCES = [(force, dim) for force, dim in FORCE_CASES if dim == 2 or force.kind in IN_SPACE]


@pytest.mark.parametrize("case", FORCES, ids=lambda case: f"{case[0].kind}-{case[1]}d")
def test_the_symbols_of_every_force_are_the_equations_of_the_engine(case):
    force, dim = case
    model = force_model(force, dim, seed=5)
    assert_symbols_are_the_engine(compile_model(model), count=1, size=0.0)


def test_a_coordinate_without_a_formula_is_told_in_a_sentence():
    symbols = Equations(compile_model(joint_model(JOINT_CASES[0][0], 2)))
    unknown = symbols.model["joint"].rows(symbols.model)[0].terms[0][1]._replace(kind=99)
    with pytest.raises(EngineError, match="'a1' and 'b1' has no formula"):
        symbols.coordinate(unknown)


def test_tables_of_points_enter_as_functions_with_their_derivatives():
    table = ((0.0, 0.0), (0.3, 0.2), (0.8, -0.1), (1.2, 0.4))
    model = motion_model("revolute", "angle", 2, "position")
    model = put(model, replace(model["motion"], law=table))
    model = put(model, replace(force_model(SpringDamper, 2)["force"], spring_curve=table))
    assert_symbols_are_the_engine(compile_model(model), size=0.0)


def test_a_force_without_a_formula_is_a_symbol_with_the_number_of_the_engine(monkeypatch):
    monkeypatch.setattr("engine.symbols.equations.CLOSED_FORMS", {})
    for dim in (2, 3):
        compiled = compile_model(force_model(AirDrag, dim))
        assert {str(s) for s in Equations(compiled).outside} >= {"Fx_force", "Fy_force", "Mz_force"}
        assert_symbols_are_the_engine(compiled, count=1, size=0.0)


def test_coefficients_of_rates_are_their_derivatives():
    u, w, x, y = sp.symbols("u w x y", real=True)
    rate = x * (u + y * (w - 3 * u)) - sp.sin(x) * w + sp.sqrt(x**2 + y**2) * (u - w) / y + u
    found = coefficients(rate, frozenset((u, w)))
    for symbol in (u, w):
        assert sp.expand(found[symbol] - sp.diff(rate, symbol)) == 0
    assert coefficients(x * y + 2, frozenset((u, w))) == {}
    assert coefficients(u * w + sp.exp(u), frozenset((u,))) == {u: w + sp.exp(u)}  # not linear
