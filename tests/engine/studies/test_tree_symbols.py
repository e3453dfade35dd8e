"""The matrices of small trees in symbols are those in numbers, in any state."""

import numpy as np
import pytest
import sympy as sp

from assets import example_paths
from engine.errors import EngineError
from engine.files.model_files import load
from engine.running.simulate import run
from engine.studies.tree_equations import TreeEquations, tree_equations
from engine.studies.tree_symbols import symbol_grids, tree_symbols

SMALL = ("double_pendulum", "crane_trolley", "screw_press", "gyroscope_in_gimbals")


def turned(name: str) -> TreeEquations:
    """The tree of an example some time after its start, where nothing is special."""
    results = run(load(example_paths()[name]), t_end=0.4, output_step=0.2)
    state = (column[-1] for column in (results.q, results.v, results.z))
    return tree_equations(results.compiled, float(results.t[-1]), *state)


@pytest.mark.parametrize("name", SMALL)
def test_symbols_of_a_tree_are_its_numbers(name):
    tree = turned(name)
    found = tree_symbols(tree)
    masses = [tree.compiled.mass[one.branch.body] for one in tree.hung]
    numbers = {**dict(zip(found.beta, tree.beta)), **dict(zip(found.eta, tree.eta))}
    numbers |= dict(zip(found.masses, masses))
    names = ["B", "C", "J", "H", "M_hat", "k_c", *([] if found.wrenches else ["k_t"])]
    for matrix in names:
        symbols = getattr(found, matrix).xreplace({k: sp.Float(v, 30) for k, v in numbers.items()})
        wanted = np.asarray(getattr(tree, matrix)).reshape(symbols.shape)
        got = np.array(symbols.evalf(20).tolist(), dtype=float)
        np.testing.assert_allclose(got, wanted, rtol=0, atol=1e-11 * (1 + np.abs(wanted).max()))
    assert np.abs(tree.k_c).max() > 1e-3 or name == "screw_press"  # its axes are one


def test_the_mass_matrix_of_the_double_pendulum_is_that_of_the_textbook():
    found = tree_symbols(turned("double_pendulum"))
    m2, beta2 = found.masses[1], found.beta[1]
    assert sp.simplify(found.M_hat[0, 1] - found.M_hat[1, 1] - m2 * sp.cos(beta2) / 2) == 0
    assert symbol_grids(turned("double_pendulum"))["B"].values[0][0] == "1"


@pytest.mark.parametrize(
    ("name", "words"),
    [("six_body_tree", "too long in symbols"), ("spherical_pendulum", "quaternion")],
)
def test_what_is_too_long_in_symbols_is_told(name, words):
    with pytest.raises(EngineError, match=words):
        tree_symbols(turned(name))
