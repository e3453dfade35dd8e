"""Every method, every stabilisation and every example meet in pairs, and every run completes."""

from itertools import product

import numpy as np
import pytest

from assets import example_paths
from engine.compiling.system import compile_model
from engine.errors import EngineError
from engine.files.model_files import load
from engine.model.methods import METHOD_NAMES, STABILISATION_NAMES
from engine.model.methods import METHODS as DESCRIBED
from engine.running.gates.suited import FINDING
from engine.running.simulate import run

EXAMPLES = sorted(example_paths())
# the shortest span in which every method takes several steps of the examples' own length
SPAN = {"t_end": 0.02, "output_step": 0.005, "tolerance": 1e-6}
SHARE = 5  # with another stabilisation than the default, a method runs every fifth example


@pytest.fixture(scope="module")
def compiled():
    return {name: compile_model(load(path)) for name, path in example_paths().items()}


def chosen(method, stabilisation):
    """All examples with the default stabilisation; else a share that differs between methods."""
    n = STABILISATION_NAMES.index(stabilisation)
    if n == 0:
        return EXAMPLES
    return EXAMPLES[(METHOD_NAMES.index(method) + n) % SHARE :: SHARE]


def test_every_pair_of_method_stabilisation_and_example_is_met():
    met = [(m, s, e) for m, s in product(METHOD_NAMES, STABILISATION_NAMES) for e in chosen(m, s)]
    assert len(EXAMPLES) >= 35
    assert {(m, e) for m, _, e in met} == {*product(METHOD_NAMES, EXAMPLES)}
    assert {(s, e) for _, s, e in met} == {*product(STABILISATION_NAMES, EXAMPLES)}
    assert {(m, s) for m, s, _ in met} == {*product(METHOD_NAMES, STABILISATION_NAMES)}


@pytest.mark.parametrize("stabilisation", STABILISATION_NAMES)
@pytest.mark.parametrize("method", METHOD_NAMES)
def test_every_example_runs_to_its_end(compiled, method, stabilisation):
    for name in chosen(method, stabilisation):
        finds = method in (*FINDING, "auto") and stabilisation == "projection"
        if len(compiled[name].system.gates) and not finds:  # what lets go asks for both
            with pytest.raises(EngineError, match="holds on one side only"):
                run(compiled[name], method=method, stabilisation=stabilisation, **SPAN)
            continue
        if compiled[name].elastic and method == "euler_cromer":
            with pytest.raises(EngineError, match="does not know beams"):
                run(compiled[name], method=method, **SPAN)
            continue
        results = run(compiled[name], method=method, stabilisation=stabilisation, **SPAN)
        assert results.ending.reason == "done", (name, results.ending.sentence)
        assert results.t == pytest.approx(np.arange(5) * SPAN["output_step"], abs=1e-12)  # rounding
        for column in (results.q, results.v, results.a, results.lam):
            assert len(column) == 5 and np.isfinite(column).all(), name


def test_the_settings_offer_exactly_the_methods_there_are():
    assert set(METHOD_NAMES) == {"auto", *(method.name for method in DESCRIBED)}
    assert len({method.name for method in DESCRIBED}) == len(DESCRIBED)
