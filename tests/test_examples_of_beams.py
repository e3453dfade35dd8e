"""The beams of the gallery bend as closed forms, published values and independent computations say."""

from dataclasses import replace

import numpy as np
import pytest

from engine.model.elements import put
from engine.running.simulate import prepare, run
from tests.example_runs import model_of_file, ran

FLEXIBLE = ("flexible_slider_crank", "spin_up_beam", "cantilever")


def with_shape(name, body, **fields):
    """The example with other fields of the shape of a body."""
    model = model_of_file(name)
    one = model[body]
    return put(model, replace(one, shape=replace(one.shape, **fields)))


@pytest.mark.parametrize("name", FLEXIBLE)
def test_a_beam_runs_by_auto_in_absolute_coordinates_and_its_step_is_advised(name):
    model = model_of_file(name)
    results = ran(name)
    assert results.settings.coordinates == "absolute" and model.settings.method == "auto"
    assert not [note for note in results.notes if "bent" in note]  # slopes are small enough
    steps = prepare(model, method="rk4").advice
    assert steps == []  # its own step is short enough
    fastest = max(np.sqrt(record.modes.w2[-1]) for record in results.compiled.elastic.values())
    (advice,) = prepare(model, method="rk4", step=10.0 / fastest).advice
    assert "swings by itself" in advice.sentence and advice.step < 3.0 / fastest


def test_the_rod_of_the_slider_crank_bends_as_a_geometrically_exact_beam_does():
    results = ran("flexible_slider_crank")
    d = results["middle.deflection"]
    for t, value in ((0.005, 4.5301e-3), (0.04, -2.3710e-3), (0.08, -3.0021e-3)):
        assert d[round(t / 5e-4)] == pytest.approx(value, abs=5e-5), t
    assert np.abs(d).max() == pytest.approx(4.65255e-3, rel=0.01)


def test_without_stiffening_the_rod_of_the_slider_crank_is_wrong_by_a_quarter():
    model = with_shape("flexible_slider_crank", "rod", stiffening=False)
    d = run(model, method="rk4", step=1e-4)["middle.deflection"]
    change = np.abs(d - ran("flexible_slider_crank")["middle.deflection"]).max()
    assert 0.2 < change / 4.65e-3 < 0.5


def test_the_spin_up_beam_lags_as_published_and_comes_back():
    results = ran("spin_up_beam")
    v = results["tip.deflection"]
    for t, value in ((3, -0.21725411), (5, -0.46844198), (7, -0.57126171), (10, -0.36276537)):
        assert v[round(t / 0.02)] == pytest.approx(value, abs=5e-4)
    assert np.abs(v[results.t > 15.5]).max() < 5e-3  # a small swing is left


def test_without_stiffening_the_spin_up_beam_is_wrong_by_37_percent():
    v = ran("spin_up_beam")["tip.deflection"]
    loose = run(with_shape("spin_up_beam", "beam", stiffening=False))["tip.deflection"]
    assert np.abs(loose).max() == pytest.approx(0.6825, abs=1e-3)
    assert np.abs(loose - v).max() / np.abs(v).max() == pytest.approx(0.372, abs=5e-3)


def test_the_cantilever_swings_about_what_statics_says_and_rests_there():
    results = ran("cantilever")
    EI, line = 2e11 * 0.03 * 0.01**3 / 12, 7870.0 * 0.01 * 0.03
    static = -line * 9.81 / (8.0 * EI)
    d, t = results["tip.deflection"], results.t
    assert d[-1] == pytest.approx(static, rel=2e-3)  # exp(-2.56 * 3) = 5e-4 is left of the swing
    assert results["root.moment"][-1] == pytest.approx(-line * 9.81 / 2.0, rel=2e-3)
    assert results["strip.stress"][-1] == pytest.approx(
        6.0 * line * 9.81 / 2.0 / (0.03 * 0.01**2), rel=2e-2
    )
    assert 1.7 < d.min() / static < 2.0
    crossings = t[1:][np.diff(np.sign(d - static)) != 0]
    period = 2.0 * np.diff(crossings)[:12].mean()
    assert 2 * np.pi / period == pytest.approx(3.51602 * np.sqrt(EI / line), rel=5e-3)
