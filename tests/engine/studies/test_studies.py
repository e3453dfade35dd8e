"""Order, convergence and comparison: what they find is true, and what they cannot say they warn of."""

import csv
from xml.etree import ElementTree

import numpy as np
import pytest

from engine.cli.commands import main
from engine.editing.builder import Mechanism
from engine.errors import EngineError
from engine.files.model_files import save
from engine.model.methods import BY_NAME
from engine.running.simulate import run
from engine.studies import compare, converge, order
from engine.studies.convergence import left_over, seen_order
from engine.studies.orders import fitted_order, observed_orders
from engine.studies.pictures import (
    COLUMNS,
    Area,
    Chart,
    Curve,
    figure,
    nice,
    thinned,
    tick_label,
    time_plot,
    write_picture,
)
from tests.engine.sample_runs import pendulum
from tests.validation import models

SHORT = {"t_end": 0.4, "output_step": 0.1, "step": 0.01}
STATE = ("positions", "velocities", "multipliers")


def loop():
    """A falling four-bar: nonlinear and constrained."""
    return models.four_bar(1.0, 3.0, 2.5, 3.0, 1.0).model


def stiff():
    """A mass on a spring of 0.6 ms period."""
    m = Mechanism("stiff", gravity=(0, 0))
    body = m.particle((1.1, 0), 1.0, id="body")
    m.spring(("ground", (0, 0)), (body, (1.1, 0)), stiffness=1e8, free_length=1.0)
    return m.model


@pytest.mark.parametrize("method", ["euler", "heun", "rk4"])
def test_the_observed_order_is_the_stated_one(method):
    found = order(loop(), STATE, method=method, **SHORT)
    assert found.stated == BY_NAME[method].order
    for name in STATE:
        assert found[name].order == pytest.approx(found.stated, abs=0.25), name
        assert found[name].verdict == "as stated"
    assert f"Method {method}" in found.table()


def test_the_order_against_a_reference_is_the_same():
    reference = run(loop(), method="dop853", tolerance=1e-12, t_end=0.4, output_step=0.1)
    found = order(loop(), ["positions"], steps=3, reference=reference, method="heun", **SHORT)
    assert found["positions"].order == pytest.approx(2.0, abs=0.25)
    assert len(found["positions"].differences) == 3


def test_a_motion_that_a_method_integrates_exactly_has_no_order():
    m = Mechanism("falling")
    m.particle((0, 0), 1.0, id="stone")
    found = order(m.model, ["positions"], method="rk4", **SHORT)
    assert "rounding" in found["positions"].verdict


def test_an_order_is_fitted_through_what_is_not_rounding():
    differences = [8.0, 2.0, 0.5, 1e-14]
    assert observed_orders(differences, 1e-12)[:2] == [2.0, 2.0]
    assert np.isnan(observed_orders(differences, 1e-12)[2])
    assert fitted_order(differences, 1e-12) == pytest.approx(2.0)


def test_methods_that_choose_their_steps_are_refused_with_the_way_out():
    with pytest.raises(EngineError, match="compare"):
        order(loop(), method="dopri5", **SHORT)
    with pytest.raises(EngineError, match="chooses its own steps"):
        converge(loop(), ["crank.angle"], method="dopri5", **SHORT)


def test_too_few_runs_and_wrong_names_are_refused():
    with pytest.raises(EngineError, match="three runs"):
        order(loop(), steps=2, **SHORT)
    with pytest.raises(EngineError, match="no channel"):
        order(loop(), ["nothing.here"], **SHORT)
    with pytest.raises(EngineError, match="no method"):
        compare(loop(), ["rk5"], **SHORT)
    with pytest.raises(EngineError, match="no setting"):
        order(loop(), speed=3.0, **SHORT)
    with pytest.raises(EngineError, match="no stabilisation"):
        compare(loop(), ["rk4"], ["glue"], **SHORT)


def test_the_error_left_depends_on_the_order_and_on_the_ratio_of_steps():
    # the theory: 0.5 % of change between 0.5 and 0.4 ms with Euler leave 2 %; halving leaves the change
    assert 0.5 * left_over(5e-4, 4e-4, 1) == pytest.approx(2.0)
    assert left_over(2.0, 1.0, 1) == pytest.approx(1.0)
    assert left_over(2.0, 1.0, 4) == pytest.approx(1 / 15)


def test_an_order_is_seen_through_unequal_steps():
    h = (0.5, 0.4, 0.25)
    x = [3.0 + 0.7 * step**2.5 for step in h]
    assert seen_order(x, h, 2) == (pytest.approx(2.5), True)
    assert seen_order([1.0, 1.0, 1.0], h, 2) == (2.0, False)
    assert seen_order([1.0, 2.0, 1.5], h, 2) == (2.0, False)  # no power law goes up and down


def test_richardson_bands_hold_the_truth():
    exact = run(loop(), method="dop853", tolerance=1e-12, t_end=0.4, output_step=0.1)
    found = converge(loop(), ["crank.angle", "rocker.angle"], method="heun", at=0.4, **SHORT)
    for row in found.rows:
        error = np.abs(row.band.value - exact[row.name])
        # the estimate is right to the next power of h
        np.testing.assert_allclose(row.band.error[1:], error[1:], rtol=0.2)
        assert row.order == pytest.approx(2.0, abs=0.25)
        assert row.is_accepted
    assert found.is_accepted and found.steps == (0.01, 0.005, 0.0025)


def test_the_three_traps_of_the_rule_are_told():
    model = pendulum().model
    found = converge(model, ["rod_1.angle"], method="euler", steps=[0.02, 0.015], **SHORT)
    told = " ".join([*found.warnings, *found.rows[0].warnings])
    assert "no error bound" in told  # steps of nearly the same length
    assert "no whole multiple of h = 0.015 s" in told
    m = Mechanism("near zero", gravity=(0, 0))
    m.particle((0, 0), 1.0, id="a", velocity=(1.0, 0))
    m.spring(("ground", (-1, 0)), ("a", (0, 0)), stiffness=np.pi**2 * 100, free_length=1.0)
    often = {**SHORT, "output_step": 0.025}  # a quarter of the time that half a period takes
    row = converge(m.model, ["a.x"], method="heun", at=0.1, **often).rows[0]
    assert abs(row.values[-1]) < 0.05 * np.abs(row.band.value).max()
    assert "zero crossing" in " ".join(row.warnings)
    assert row.is_accepted == (row.shares[-1] < 5.0 < abs(row.deltas[-1]))


def test_a_channel_that_stays_zero_is_accepted_without_a_word():
    m = Mechanism("falling")
    m.particle((0, 0), 1.0, id="stone")
    row = converge(m.model, ["stone.x"], method="heun", steps=2, **SHORT).rows[0]
    assert row.is_accepted and not row.warnings and row.error == 0.0


def test_a_time_without_a_frame_is_told():
    found = converge(loop(), ["crank.angle"], at=0.33, **SHORT)
    assert "There is no frame at t = 0.33 s" in " ".join(found.warnings)
    assert found.rows[0].t == pytest.approx(0.3)


def test_methods_are_compared_with_a_reference(tmp_path):
    found = compare(
        *(loop(), ["rk4", "euler", "dopri5"], ["projection", "none"]),
        steps=[0.01, 0.005],
        tolerances=[1e-6],
        repeats=1,
        **SHORT,
    )
    assert found.is_complete and len(found.rows) == 2 * (2 + 2 + 1)
    by = {(r.method, r.stabilisation, r.step): r for r in found.rows}
    rk4, finer = by["rk4", "projection", 0.01], by["rk4", "projection", 0.005]
    assert rk4.error / finer.error == pytest.approx(16, rel=0.3)  # order four
    assert by["euler", "projection", 0.01].error > 1000 * rk4.error
    assert rk4.gap < 1e-12 < by["rk4", "none", 0.01].gap  # rounding, and drift
    assert (rk4.steps, rk4.evaluations) == (40, 160)
    assert found.known_to < finer.error
    lines = found.table().splitlines()
    assert all(len(line) <= len(lines[2]) for line in lines[1:]) and "dop853" in lines[0]
    found.write_csv(tmp_path / "out.csv")
    rows = list(csv.DictReader((tmp_path / "out.csv").read_text("utf-8").splitlines()))
    assert float(rows[0]["error"]) == rk4.error and rows[0]["tolerance"] == ""


def test_methods_that_close_joints_by_themselves_say_so():
    found = compare(
        *(loop(), ["rk4", "generalised_alpha", "hht"], ["projection", "none"]), repeats=1, **SHORT
    )
    ways = [(row.method, row.stabilisation) for row in found.rows]
    assert ways == [
        *(("rk4", "projection"), ("rk4", "none")),
        *(("generalised_alpha", "itself"), ("hht", "itself")),
    ]
    assert all(row.error is not None and not row.remark for row in found.rows)
    assert "itself" in found.table()


def test_a_run_that_fails_is_a_row_with_its_sentence():
    found = compare(stiff(), ["rk4", "dopri5"], repeats=1, t_end=0.15, output_step=0.05, step=0.005)
    failed, fine = found.rows
    assert failed.error is None and failed.remark.endswith(".")
    assert fine.error < 1e-3 and not fine.remark  # one part in a thousand of the free length
    assert failed.remark in found.table()


def test_auto_is_compared_as_the_method_it_takes():
    found = compare(loop(), ["auto"], repeats=1, **SHORT)
    assert [row.method in BY_NAME for row in found.rows] == [True]


def test_a_cancelled_study_keeps_what_it_has():
    seen = []

    def until(fraction):
        seen.append(fraction)
        return fraction < 0.6

    found = order(loop(), ["positions"], progress=until, **SHORT)
    assert not found.is_complete and "Cancelled" in found.table()
    assert seen == sorted(seen) and seen[-1] <= 1.0
    nothing = compare(loop(), ["rk4"], progress=lambda _: False, **SHORT)
    assert not nothing.is_complete and nothing.rows == ()


def test_pictures_are_well_formed_and_name_everything(tmp_path):
    found = compare(loop(), ["rk4", "heun"], steps=[0.01, 0.005], repeats=1, **SHORT)
    bands = converge(loop(), ["crank.angle"], **SHORT)
    for svg, words in ((found.picture(), ("rk4", "heun")), (bands.picture(), ("estimated error",))):
        texts = [e.text for e in ElementTree.fromstring(svg).iter() if e.tag.endswith("text")]
        assert all(word in texts for word in words)
    write_picture(tmp_path / "a.svg", found.picture())
    assert (tmp_path / "a.svg").read_text(encoding="utf-8") == found.picture()
    with pytest.raises(EngineError, match=r"\.svg"):
        write_picture(tmp_path / "a.png", found.picture())


def test_a_point_is_drawn_where_its_numbers_are():
    curve = Curve("one & two", np.array([1.0, 100.0, -1.0]), np.array([1e-6, 1.0, 1.0]))
    area = Area("a", [np.array([[1.0, 1e-6], [100.0, 1e-6], [100.0, 1.0]])])
    chart = Chart("x", "y", [curve], [area], log_x=True, log_y=True, limits=(1, 100, 1e-6, 1))
    root = ElementTree.fromstring(figure([chart]))
    line = next(e for e in root.iter() if e.tag.endswith("polyline"))
    (x1, y1), (x2, y2) = (map(float, p.split(",")) for p in line.get("points").split())
    assert x1 < x2 and y1 > y2  # up on paper is down in numbers; the negative one has no place
    box = next(e for e in root.iter() if e.tag.endswith("rect") and e.get("x"))
    assert x1 == pytest.approx(float(box.get("x")), abs=0.1)  # a digit after the point is written
    assert y2 == pytest.approx(float(box.get("y")), abs=0.1)


def test_numbers_at_axes_are_round():
    assert [nice(size) for size in (0.013, 1.0, 3.1, 70.0)] == [0.02, 1.0, 5.0, 100.0]
    assert tick_label(1e-6, True) == "10⁻⁶" and tick_label(-0.5, False) == "−0.5"


@pytest.mark.parametrize("is_log", [False, True])
def test_a_plot_over_time_is_well_formed_whatever_the_values(is_log):
    t = np.linspace(0.0, 1.0, 50)
    for values in (np.zeros(50), np.full(50, 3.0), np.sin(t), np.full(50, np.nan), 1e-300 * t):
        text = time_plot("<title>", t, {"a & b": values, "c": values}, "m", is_log=is_log)
        assert ElementTree.fromstring(text).tag.endswith("svg")
        assert "nan" not in text and "inf" not in text
    assert ElementTree.fromstring(time_plot("nothing", np.zeros(0), {})) is not None


def test_a_curve_is_interrupted_where_there_is_no_value():
    t = np.linspace(0.0, 1.0, 50)
    values = np.where((t > 0.4) & (t < 0.6), np.nan, 1.0 + t)
    assert time_plot("whole", t, {"a": 1.0 + t}).count("<polyline") == 1
    assert time_plot("broken", t, {"a": values}).count("<polyline") == 2
    assert time_plot("log", t, {"a": np.sin(20.0 * t)}, is_log=True).count("<polyline") == 4


def test_thinning_keeps_every_peak():
    t = np.arange(1_000_000) * 1e-3
    values = np.sin(t)
    values[123_456] = 50.0
    few_t, few = thinned(t, values)
    assert len(few) <= 3 * COLUMNS and few.max() == 50.0 and few.min() == values.min()
    assert np.all(np.diff(few_t) > 0.0) and few_t[0] == t[0] and few_t[-1] == t[-1]


def test_the_commands_print_tables_and_write_files(tmp_path, capsys):
    path = tmp_path / "model.json"
    save(pendulum().model, path)
    short = ["--t-end", "0.2", "--output-step", "0.1"]
    assert main(["order", str(path), *short, "--method", "heun", "--step", "0.01"]) == 0
    assert "as stated" in capsys.readouterr().out
    picture, table = str(tmp_path / "o.svg"), str(tmp_path / "o.csv")
    asked = ["--channels", "rod_1.angle", "--step", "0.01", "--picture", picture]
    assert main(["converge", str(path), *short, *asked]) == 0
    assert "rod_1.angle" in capsys.readouterr().out
    asked = ["--methods", "rk4", "heun", "--repeats", "1", "--csv", table, "--picture", picture]
    assert main(["compare", str(path), *short, *asked]) == 0
    assert "heun" in capsys.readouterr().out
    assert (tmp_path / "o.csv").exists() and (tmp_path / "o.svg").exists()
    assert main(["compare", str(path), *short, "--methods", "rk4", "--picture", "a.png"]) == 2
    assert ".svg" in capsys.readouterr().err
