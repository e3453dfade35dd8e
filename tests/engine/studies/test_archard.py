"""Wear of contacts: published constants, closed forms, and the printed gears of the study."""

import numpy as np
import pytest

from engine.cli.commands import main
from engine.editing.builder import Mechanism
from engine.errors import EngineError
from engine.running.simulate import run
from engine.studies.archard import MM3, Film, archard, sides, wear
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
