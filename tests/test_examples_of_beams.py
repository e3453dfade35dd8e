"""The beams of the gallery bend as closed forms, published values and independent computations say."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import brentq

from engine.model.elements import put
from engine.running.simulate import prepare, run
from tests.example_runs import model_of_file, ran

FLEXIBLE = (
    *("flexible_slider_crank", "spin_up_beam", "cantilever", "flexible_four_bar"),
    *("flexible_pendulum", "beam_flying_free", "tuning_fork", "crane_with_a_bending_jib"),
    *("flexible_robot_arm", "two_substructures"),
)


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


def test_the_flexible_pendulum_is_where_an_independent_computation_has_it():
    results = ran("flexible_pendulum")
    at_half = results["tip.x"][100], results["tip.y"][100]
    assert at_half == pytest.approx((-0.09311789, -0.99562468), abs=1e-4)
    assert results["rod.strain_energy"].max() > 5e-3  # of 2.5 J that it swings with


def test_the_four_bar_bends_as_its_inertia_asks_and_less_if_it_is_stiffer():
    stiff = model_of_file("flexible_four_bar")
    for id in ("coupler", "rocker"):
        one = stiff[id]
        stiff = put(stiff, replace(one, shape=replace(one.shape, youngs_modulus=2e13)))
    rigid, soft = run(stiff, t_end=0.1), ran("flexible_four_bar")
    for name in ("of_coupler", "of_rocker"):
        d = [np.abs(one[f"{name}.deflection"][: len(rigid)]) for one in (rigid, soft)]
        # it rings about what the inertia of rigid links asks for, which falls with 1/E
        assert 50.0 < d[1].mean() / d[0].mean() < 200.0
    finer = with_shape("flexible_four_bar", "coupler", modes=3, elements=12)
    more = run(finer, t_end=0.1)["of_coupler.deflection"]
    np.testing.assert_allclose(more, soft["of_coupler.deflection"][: len(more)], atol=1e-4)


def test_a_beam_flies_on_with_its_momentum_and_its_energy():
    results = ran("beam_flying_free")
    after = results.t > 0.0201
    for name in ("total_energy", "momentum_x", "momentum_y", "angular_momentum"):
        values = results[name][after]
        assert np.ptp(values) < 1e-7 * max(1.0, np.abs(values).max()), name
    # 120 sin^2 over 0.02 s is 1.2 N s
    assert results["momentum_y"][-1] == pytest.approx(1.2, rel=1e-6)
    d = results["middle.deflection"][after]
    crossings = results.t[after][1:][np.diff(np.sign(d - d.mean())) != 0]
    w = np.pi / np.diff(crossings).mean()
    assert w == pytest.approx(
        22.3733 * np.sqrt(40.0 / 4.68), rel=0.05
    )  # turning stiffens it a little


def ringing(t, y):
    """The frequency of a swing about its mean, by its first and last crossing [Hz]."""
    y = y - y.mean()
    k = np.flatnonzero(np.diff(np.sign(y)))
    crossings = t[k] - y[k] * (t[k + 1] - t[k]) / (y[k + 1] - y[k])
    return (len(crossings) - 1) / (2.0 * (crossings[-1] - crossings[0]))


def test_the_tuning_fork_rings_at_440_hz_and_leaves_the_hand_at_rest():
    results = ran("tuning_fork")
    after = results.t > 0.001
    for side in ("upper", "lower"):
        d = results[f"{side}_tip.deflection"]
        assert ringing(results.t[after], d[after]) == pytest.approx(440.0, rel=1e-3)
    np.testing.assert_allclose(
        results["upper_tip.deflection"], -results["lower_tip.deflection"], atol=1e-12
    )
    assert np.abs(results["handle.y"]).max() < 1e-6 * np.abs(d).max()
    # struck on one prong alone the handle moves, by three hundred times as much
    model = model_of_file("tuning_fork")
    alone = put(model, replace(model["blow_lower"], f_y=0.0))
    assert np.abs(run(alone, t_end=0.01)["handle.y"]).max() > 1e-3 * np.abs(d).max()


def test_the_jib_rests_with_the_moment_of_load_and_overhang():
    results = ran("crane_with_a_bending_jib")
    per_metre = 7870.0 * np.pi / 4 * (0.12**2 - 0.112**2)
    rest = -9.81 * (200.0 * 2.0 + per_metre * 2.0**2 / 2)
    m = results["at_stay.moment"]
    assert m[-400:].mean() == pytest.approx(rest, rel=1e-2)  # a small swing is left
    assert 1.4 < m.min() / rest < 2.0  # the load was let go, not put down
    inner = model_of_file("crane_with_a_bending_jib")["jib"].shape.cross_section()
    stress = np.abs(rest) * 0.06 / inner.I_z
    assert results["jib.stress"][-1] == pytest.approx(
        stress, rel=0.1
    )  # and the pressure of the stay


def test_the_load_of_the_robot_arm_swings_on_as_a_mass_on_a_cantilever():
    """A cantilever with a mass m at its end, with the arm's own mass M = rho A l.

    1 + cos x cosh x + (m/M) x (cos x sinh x - sin x cosh x) = 0,    w = (x/l)^2 sqrt(EI/rho A)
    """
    results = ran("flexible_robot_arm")
    shape = model_of_file("flexible_robot_arm")["arm"].shape
    one = shape.cross_section()
    EI, line = 7e10 * one.I_z, 2700.0 * one.A

    def characteristic(x):
        both = np.cos(x) * np.sinh(x) - np.sin(x) * np.cosh(x)
        return 1.0 + np.cos(x) * np.cosh(x) + x / line * both

    exact = brentq(characteristic, 0.1, 1.8) ** 2 * np.sqrt(EI / line) / (2 * np.pi)
    after = results.t > 0.55
    found = ringing(results.t[after], results["tip.deflection_y"][after])
    # the load has an inertia of its own, and the tube that of its sections
    assert found == pytest.approx(exact, rel=5e-3)
    # at rest it hangs by its weight and that of the arm
    sag = -9.81 * (1.0 / 3.0 + line / 8.0) / EI
    assert results["tip.deflection_z"][after].mean() == pytest.approx(sag, rel=0.05)


def test_a_beam_cut_in_two_swings_as_one_in_one_piece():
    results = ran("two_substructures")
    whole, halves = results["end_of_whole.y"] - 0.3, results["end_of_halves.y"]
    EI, line = 2e11 * 0.03 * 0.006**3 / 12, 7870.0 * 0.006 * 0.03
    static = -line * 9.81 / (8.0 * EI)
    assert whole.min() == pytest.approx(2.0 * static, rel=0.05)
    # shortening counts once or twice: of second order in the deflection
    np.testing.assert_allclose(halves, whole, atol=5e-3 * abs(whole.min()))
    both = results["inner.strain_energy"] + results["outer.strain_energy"]
    np.testing.assert_allclose(
        both, results["whole.strain_energy"], atol=0.01 * results["whole.strain_energy"].max()
    )
