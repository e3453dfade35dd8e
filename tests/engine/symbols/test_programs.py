"""What is copied runs alone: the Python function, the sympy code, LaTeX; and the balance of powers."""

import json
import subprocess
import sys

import numpy as np
import pytest

from assets import example_paths
from engine.compiling.system import compile_model
from engine.errors import EngineError
from engine.files.model_files import load
from engine.kinematics.evaluate import equations
from engine.kinematics.poses import unit_quaternion
from engine.model.forces import AirDrag
from engine.running.simulate import run
from engine.symbols.equations import Equations
from engine.symbols.numbers import Numbers
from engine.symbols.powers import Powers
from engine.symbols.views import VIEWS, Views
from engine.symbols.written.latex import latex_document, symbol
from engine.symbols.written.python_code import python_function, sympy_code
from tests.engine.catalogue import force_model

# A plain and a driven one, teeth, a law with branches, redundant joints, bodies in space by angles and
# quaternions.
ALONE = ("crane_trolley", "rheonomic_pendulum", "gear_train", "cam_follower", "spatial_four_bar")
RUNNER = """
import json, sys
for text, states in json.load(sys.stdin):
    space = {}
    exec(text, space)
    print(json.dumps([space["derivative"](t, y).tolist() for t, y in states]))
"""


def compiled_example(name):
    return compile_model(load(example_paths()[name]))


def state_alone(compiled, q, v):
    """The state as the exported function has it: in space with quaternions."""
    if compiled.system.dim == 2:
        return [*q, *v]
    at = compiled.layout
    parts = [[*q[at.position(k)], *unit_quaternion(compiled, k, q)] for k in range(at.n_bodies)]
    return [*np.concatenate(parts), *v]


def test_the_python_function_runs_in_a_process_of_its_own_and_equals_the_engine():
    jobs, wanted = [], []
    for name in ALONE:
        results = run(load(example_paths()[name]), t_end=0.2, output_step=0.1)
        compiled, states = results.compiled, []
        for t, q, v in zip(results.t[1:], results.q[1:], results.v[1:]):
            states.append((float(t), [float(x) for x in state_alone(compiled, q, v)]))
            wanted.append(equations(compiled, t, q, v).a)
        jobs.append((python_function(Equations(compiled)), states))
    done = subprocess.run(
        [sys.executable, "-I", "-c", RUNNER], input=json.dumps(jobs), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    found = [rate for line in done.stdout.splitlines() for rate in json.loads(line)]
    assert len(found) == len(wanted)
    for rate, a in zip(found, wanted):
        scale = np.abs(a).max()
        # solutions of the same equations in another order; redundant ones are solved less exactly
        np.testing.assert_allclose(rate[-len(a) :], a, rtol=0, atol=1e-9 * scale)


def test_the_start_of_the_python_function_is_the_drawing_and_its_rates_are_those_of_quaternions():
    compiled = compiled_example("spinning_top")
    space = {}
    exec(python_function(Equations(compiled)), space)
    y = np.array(space["START"])
    here = equations(compiled, 0.0, compiled.q0, compiled.v0)
    np.testing.assert_allclose(y, state_alone(compiled, compiled.q0, compiled.v0), atol=1e-15)
    rate = space["derivative"](0.0, y)
    np.testing.assert_allclose(rate[7:], here.a, rtol=1e-10, atol=1e-10)
    p, w = y[3:7], y[10:13]
    assert abs(p @ rate[3:7]) < 1e-14  # a unit quaternion keeps its length
    assert np.linalg.norm(rate[3:7]) == pytest.approx(np.linalg.norm(w) / 2)
    assert len(space["STATE"]) == len(y)


def test_the_sympy_code_gives_the_same_matrices():
    symbols = Equations(compiled_example("crane_trolley"))
    space = {}
    exec(sympy_code(symbols), space)
    assert space["M"] == symbols.M
    assert space["D"] == symbols.D
    assert list(space["gamma"]) == symbols.gamma
    assert list(space["f"]) == symbols.f
    assert space["VALUES"] == symbols.names.values


def test_a_force_without_a_formula_makes_no_program(monkeypatch):
    monkeypatch.setattr("engine.symbols.equations.CLOSED_FORMS", {})
    symbols = Equations(compile_model(force_model(AirDrag, 2)))
    with pytest.raises(EngineError, match="'force' has no formula"):
        python_function(symbols)


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("phidot_1", r"\dot{\varphi}_{1}"),
        ("xddot_crank", r"\ddot{x}_{\mathrm{crank}}"),
        ("lambda_12", r"\lambda_{12}"),
        ("omegax_2", r"\omega_{2,x}"),
        ("R31_2", r"R_{2,31}"),
        ("l0_spring", r"l_{\mathrm{spring},0}"),
        ("grad|l_1|phi_2", r"\frac{\partial l_{1}}{\partial \varphi_{2}}"),
        ("deltaxdot_1", r"\delta \dot{x}_{1}"),
        ("l_crank_a", r"l_{\mathrm{crank\_a}}"),
    ],
)
def test_latex_writes_dots_indices_and_greek_letters(name, written):
    assert symbol(name) == written


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", ["four_bar", "car_suspension", "knife_edge_sled", "spinning_top"])
def test_every_view_is_latex_with_closed_braces(name, view):
    text = latex_document(Views(Equations(compiled_example(name))).view(view))
    assert text.count("{") == text.count("}")
    assert text.count(r"\[") == text.count(r"\]") > 0
    assert text.count(r"\left[") == text.count(r"\right]")


def test_folded_laws_put_back_give_the_forces():
    symbols = Equations(compiled_example("car_suspension"))
    views = Views(symbols)
    assert any(law.folded for law in views.laws)
    meaning = {law.N_symbol: law.N for law in views.laws}
    for law in views.laws:
        meaning |= {law.slopes[k]: slope for k, slope in law.gradient.items()}
    numbers = Numbers(symbols, [x.xreplace(meaning) - y for x, y in zip(views.f, symbols.f)])
    q, v = symbols.compiled.q0, symbols.compiled.v0 + 0.3
    np.testing.assert_allclose(numbers.at(0.1, q, v), 0.0, atol=1e-9)
    unfolded = Views(symbols, frozenset(law.id for law in views.laws))
    assert not any(str(s).startswith("N_") for x in unfolded.f for s in x.free_symbols)


def test_index_views_differentiate_step_by_step():
    views = Views(Equations(compiled_example("four_bar")))
    titles = {i: [s.title for s in views.view(f"index_{i}")] for i in (3, 2, 1)}
    assert titles[2][: len(titles[3])] == titles[3]
    assert titles[1][: len(titles[2])] == titles[2]
    assert len(titles[1]) == len(titles[2]) + 1 == len(titles[3]) + 2


def test_rows_stand_in_the_order_of_the_model():
    views = Views(Equations(compiled_example("jansen_leg")))
    order = list(views.equations.model.elements)
    places = [order.index(id) for id in views.parts()]
    assert places == sorted(places)
    assert sorted(views.order) == list(range(views.equations.compiled.n_rows))


@pytest.mark.parametrize(
    "name", ["rheonomic_pendulum", "car_suspension", "gear_train", "spinning_top"]
)
def test_powers_of_all_forces_are_the_rate_of_the_kinetic_energy(name):
    results = run(load(example_paths()[name]), t_end=0.5, output_step=0.5)
    t, q, v, z = results.t[-1], results.q[-1], results.v[-1], results.z[-1]
    balance = Powers(Equations(results.compiled)).at(t, q, v, z)
    size = max(1.0, *(abs(one.power) for one in balance.powers))
    assert abs(balance.rest) <= 1e-9 * size  # joints are closed to 1e-10 or better
    if name == "rheonomic_pendulum":  # known to nine digits
        powers = {one.label: one.power for one in balance.powers}
        assert balance.kinetic == pytest.approx(1.27110575, abs=1e-8)
        assert powers == pytest.approx({"weight": 1.84556789, "rope": -0.57446214}, abs=1e-8)
