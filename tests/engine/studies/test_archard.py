"""Wear of contacts: published constants, closed forms, and the printed gears of the study."""

from dataclasses import replace

import numpy as np
import pytest

from engine.cli.commands import main
from engine.editing.builder import Mechanism
from engine.editing.edits.sizing import variants
from engine.errors import EngineError
from engine.model.elements import put
from engine.running.simulate import run
from engine.studies.archard import MM3, Film, archard, sides, sides_of, wear
from tests.example_runs import ran

K = 65e-5 / MM3
SPEEDS = ("gear_1.angular_velocity", "gear_2.angular_velocity")
LEVER = 0.759375e-3


def test_the_speed_of_a_film_is_the_published_one():
    found = [Film(T).speed for T in (293.0, 298.0, 303.0)]
    expected = [1.8196743346e-07, 2.5505748394e-07, 3.5354339129e-07]
    np.testing.assert_allclose(found, expected, atol=1e-13)
    np.testing.assert_allclose(
        np.array(found[1:]) / found[0], [1.4016655567, 1.9428937616], rtol=1e-9
    )


def test_a_film_wears_as_in_closed_form():
    t = np.linspace(0.0, 0.1, 1501)
    F = 10.0 + 5.0 * np.sin(2.0 * np.pi * t / 0.1)
    worn = archard(t, F, np.full_like(t, 0.08), K, Film(298.0))
    assert worn[-1] * MM3 == pytest.approx(1.6578710027669417e-10, abs=1e-17)
    assert Film(298.0).gaps(np.array([0.0, 1e-12]))[0] == 1.0


def test_the_knee_of_the_book_wears_as_its_polynomials_say():
    t = np.linspace(0.0, 1.5, 1501)
    F = ((0.7702 * t + 0.554) * t + 1.6244) * t + 1.0311
    S_R = ((-0.111667 * t + 0.3631732) * t + 0.02378365) * t + 1.137558
    k = 1.3e-6 / MM3
    worn = archard(t, 0.0575 * 800.0 * F, np.full_like(t, 1e-3), k, None, S_R)
    assert worn[-1] * MM3 == pytest.approx(4.202484497746e-07, rel=2e-7)  # by 1501 trapezoids
    found = sides(np.array([0.0, 51.15]), np.array([0.0, 48.85]))
    assert found.imbalance[-1] == pytest.approx(2.3) and found.is_balanced
    assert not sides(np.array([57.8]), np.array([42.2])).is_balanced
    assert np.isnan(found.medial[0])


def test_printed_gears_wear_as_in_the_study():
    results = ran("pla_gear_pair")
    temperatures = (None, 293.0, 298.0, 303.0)
    found = wear(results, ["mesh"], coefficient=K, temperatures=temperatures)
    dry, cold, warm, hot = found.worn[0, :, -1] * MM3
    assert found.impulse[0] == pytest.approx(0.039836, abs=2e-4)
    assert dry == pytest.approx(2.1795e-06, abs=2e-8)
    assert cold == pytest.approx(4.712e-12, abs=3e-14)
    assert warm / cold == pytest.approx(1.40167, abs=1e-4)
    assert hot / cold == pytest.approx(1.94289, abs=1e-4)
    by_lever = wear(results, ["mesh"], coefficient=K, speeds=SPEEDS, lever=LEVER)
    assert by_lever.worn[0, 0, -1] * MM3 == pytest.approx(1.0836e-06, abs=1e-8)
    twice = wear(results, coefficient=K, speeds=SPEEDS, lever=LEVER, with_2_pi=True)
    np.testing.assert_allclose(twice.worn, 2.0 * np.pi * by_lever.worn)
    assert (np.diff(found.worn) >= 0.0).all()


def test_wear_that_cannot_be_told_is_refused():
    results = ran("pla_gear_pair")
    with pytest.raises(EngineError, match="'axle_1' is no contact of this model"):
        wear(results, ["axle_1"])
    with pytest.raises(EngineError, match="must not be negative"):
        wear(results, coefficient=-1.0)
    with pytest.raises(EngineError, match="in kelvin"):
        wear(results, temperatures=(-3.0,))
    with pytest.raises(EngineError, match="several corners"):
        wear(ran("block_on_a_slope"))
    m = Mechanism("free")
    m.disc((0, 0), 0.1)
    with pytest.raises(EngineError, match="Nothing in this model is in contact"):
        wear(run(m.model, t_end=0.01))


def test_the_command_tells_and_writes_the_wear(tmp_path, capsys):
    out = tmp_path / "worn.csv"
    assert main(["wear", "ball_begins_to_roll", "--temperatures", "293", "--csv", str(out)]) == 0
    told = capsys.readouterr().out
    assert "floor" in told and "W [mm^3]" in told
    head, *rows = out.read_text().splitlines()
    assert head == "t [s],floor 293 K [mm^3]"
    assert float(rows[-1].split(",")[1]) > float(rows[0].split(",")[1]) == 0.0
    assert main(["wear", "pendulum"]) == 2
    assert main(["wear", "ball_begins_to_roll", "--vary", "mu"]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_both_condyles_of_a_knee_wear_alike_by_their_friction():
    worn = wear(ran("knee_in_a_squat"), coefficient=1.3e-15, by_friction=True)
    assert worn.contacts == ("medial", "lateral")
    # in the study, by another program: 26.1e-6 mm^3 of both
    assert worn.worn[:, 0, -1].sum() * 1e9 == pytest.approx(26.1e-6, rel=0.03)
    assert "balanced: 5 %" in worn.balances[0] and "not balanced" not in worn.balances[0]


def test_the_published_share_of_sliding_multiplies_the_rate():
    results = ran("knee_in_a_squat")
    plain, run = (
        wear(results, coefficient=1.3e-15, by_friction=True, sliding=share) for share in ("", "run")
    )
    half = wear(results, coefficient=1.3e-15, by_friction=True, sliding="0.5")
    np.testing.assert_allclose(half.worn, 0.5 * plain.worn, rtol=1e-12)
    # the ratio of the run weighs what slides fast: 0.8 to 0.98, near 1 where most is worn
    assert 0.9 * plain.worn[0, 0, -1] < run.worn[0, 0, -1] < plain.worn[0, 0, -1]
    t = results.t
    linear = wear(results, ["medial"], coefficient=1e-15, sliding="1 + 2*t")
    N, T = (results[f"medial.{part}"] for part in ("normal_force", "friction"))
    rate = 1e-15 * np.hypot(N, T) * np.abs(results["medial.sliding_speed"]) * (1.0 + 2.0 * t)
    assert linear.worn[0, 0, -1] == pytest.approx(np.trapezoid(rate, t), rel=1e-12)
    with pytest.raises(EngineError, match="S/R is a share"):
        wear(results, sliding="t - 1")
    with pytest.raises(EngineError, match="slde"):
        wear(results, sliding="slde*t")


def test_coefficient_and_side_belong_to_the_contact():
    model = ran("knee_in_a_squat").model
    for id, side, k in (("medial", "lateral", None), ("lateral", "medial", 2.6e-15)):
        model = put(model, replace(model[id], wear_side=side, wear_coefficient=k))
    assert sides_of(model, ("medial", "lateral")) == ("lateral", "medial")
    results = run(model, t_end=0.8)
    found = wear(results, coefficient=1.3e-15)
    other = found.worn[:, 0, -1]
    assert other[1] == pytest.approx(2.0 * other[0], rel=1e-6)  # a knee is symmetrical
    assert found.sides(0).imbalance[-1] == pytest.approx(100.0 / 3.0, rel=1e-6)
    assert "WIB 33.33 % (not balanced: 5 %)" in found.balances[0]


def test_without_two_sides_there_is_no_balance():
    found = wear(ran("pla_gear_pair"))
    assert found.sides(0) is None and found.balances == []


def test_the_columns_of_two_sides_are_those_of_the_contacts(tmp_path):
    found = wear(ran("knee_in_a_squat"), temperatures=(None, 293.0))
    columns = dict(found.columns())
    both = columns["medial 293 K [mm^3]"] + columns["lateral 293 K [mm^3]"]
    np.testing.assert_allclose(columns["WVL 293 K [mm^3]"], both, rtol=1e-12)
    assert columns["RW_med dry [%]"][-1] + columns["RW_lat dry [%]"][-1] == pytest.approx(100.0)
    found.write_csv(tmp_path / "worn.csv")
    head, first, *_, last = (tmp_path / "worn.csv").read_text().splitlines()
    assert head.count(",") == first.count(",") == last.count(",") == 12
    assert first.endswith(",,") and "nan" not in first  # nothing is worn yet: there are no shares


def test_a_parameter_is_varied_by_a_text():
    model = ran("geneva_wheel").model
    told = variants(model, " speed = 3, 6 ")
    assert [title for title, _ in told] == ["speed = 3", "speed = 6"]
    assert [float(one["speed"].value) for _, one in told] == [3.0, 6.0]
    for text in ("speed", "= 3", "speed ="):
        with pytest.raises(EngineError, match="cannot be read"):
            variants(model, text)
