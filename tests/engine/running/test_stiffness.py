"""Whether a model is stiff is noticed while it runs."""

import numpy as np

from engine.editing.builder import Mechanism
from engine.running.simulate import prepare, run
from engine.running.stiffness import tolerance_of_radau
from tests.validation.test_problems import data, solved


def damped(stiffness, damping):
    """A box that hangs on a spring with a damper."""
    m = Mechanism("hangs")
    m.box((0.0, 0.0), mass=1.0, id="box")
    m.spring(("ground", (0.0, 1.0)), ("box", (0.0, 0.0)), stiffness=stiffness, damping=damping)
    return m.model


def test_a_damper_that_is_fast_against_the_steps_is_left_to_radau_on_the_way():
    # frames are so close that no force looks stiff before the run
    asked = {"method": "auto", "tolerance": 1e-8, "t_end": 1.0, "output_step": 1e-3}
    model = damped(1e3, 2e4)
    running = prepare(model, **asked)
    assert running.settings.method == "dop853"
    results = run(model, **asked)
    assert 0.0 < results.statistics.stiff_since < 0.5
    assert any("stability, not accuracy" in note for note in results.notes)
    explicit = run(model, **{**asked, "method": "dop853"})
    assert np.isnan(explicit.statistics.stiff_since)
    assert results.statistics.evaluations < 0.3 * explicit.statistics.evaluations
    np.testing.assert_allclose(results["box.y"], explicit["box.y"], rtol=0, atol=1e-6)
    assert np.abs(np.diff(results.t) - 1e-3).max() < 1e-12  # no frame is lost at the exchange


def test_what_is_not_stiff_stays_with_dormand_prince():
    results, observed = solved("b_chain2", method="auto", tolerance=1e-10)
    assert np.isnan(results.statistics.stiff_since)
    np.testing.assert_allclose(observed, data("b_chain2")["values"], rtol=0, atol=1e-6)


def test_iterating_again_begins_with_dormand_prince_again():
    running = prepare(damped(1e3, 2e4), method="auto", tolerance=1e-8, t_end=0.5, output_step=1e-3)
    first = np.concatenate([block.q for block in running])
    assert np.array_equal(np.concatenate([block.q for block in running]), first)


def test_the_tolerance_of_radau_is_never_finer_and_has_a_limit():
    assert tolerance_of_radau(1e-10) == 1e-6
    assert tolerance_of_radau(1e-5) == 1e-3
    assert tolerance_of_radau(0.1) == 0.1
