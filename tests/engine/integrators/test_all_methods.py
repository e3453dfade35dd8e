"""Every method with every stabilisation on every example: it runs, or it says why it does not."""

import numpy as np
import pytest

from assets import example_paths
from engine.compiling.system import compile_model
from engine.errors import EngineError
from engine.files.model_files import load
from engine.model.methods import METHOD_NAMES, STABILISATION_NAMES
from engine.model.methods import METHODS as DESCRIBED
from engine.running.simulate import run

EXAMPLES = sorted(example_paths())
# the shortest span in which every method takes several steps of the examples' own length
SPAN = {"t_end": 0.02, "output_step": 0.005, "tolerance": 1e-6}


@pytest.fixture(scope="module")
def compiled():
    return {name: compile_model(load(path)) for name, path in example_paths().items()}


@pytest.mark.parametrize("stabilisation", STABILISATION_NAMES)
@pytest.mark.parametrize("method", METHOD_NAMES)
def test_every_example_runs_or_is_refused_in_words(compiled, method, stabilisation):
    for name in EXAMPLES:
        try:
            results = run(compiled[name], method=method, stabilisation=stabilisation, **SPAN)
        except EngineError as error:
            assert error.sentence.endswith("."), name
            continue
        assert results.ending.reason == "done" or results.ending.sentence, name
        for column in (results.q, results.v, results.a, results.lam):
            assert np.isfinite(column).all(), name
        if results.ending.reason == "done":
            assert results.t[-1] == pytest.approx(SPAN["t_end"], abs=1e-12), name  # rounding


def test_the_settings_offer_exactly_the_methods_there_are():
    assert set(METHOD_NAMES) == {"auto", *(method.name for method in DESCRIBED)}
    assert len({method.name for method in DESCRIBED}) == len(DESCRIBED)
