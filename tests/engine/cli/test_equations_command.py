"""The command equations."""

import pytest

from engine.cli.commands import main


def printed(capsys, *arguments):
    assert main(["equations", *arguments]) == 0
    return capsys.readouterr().out


def test_it_writes_the_equations_with_the_names_of_the_model(capsys):
    told = printed(capsys, "double_pendulum")
    assert "x_lower - x_upper" in told or "-x_upper" in told
    assert "differentiated again:  D a = γ" in told
    assert "'B'" in told


def test_it_writes_latex_programs_and_the_reduced_equation(capsys):
    assert r"\ddot{\varphi}_{1}" in printed(capsys, "pendulum", "--latex")
    assert "def derivative(t, y, p=PARAMETERS):" in printed(capsys, "pendulum", "--python")
    assert "VALUES = {" in printed(capsys, "pendulum", "--sympy")
    assert "phiddot_1 = -3*g*cos(phi_1)/(2*l_1)" in printed(capsys, "pendulum", "--reduced")


def test_numbers_are_those_of_the_run_at_the_time(capsys):
    told = printed(capsys, "rheonomic_pendulum", "--numbers", "--time", "0.5")
    powers = dict(line.split()[-2:] for line in told.splitlines()[-3:])
    assert powers["weight"] == "1.84556789"
    assert powers["rope"] == "-0.574462141"
    assert powers["a"] == "1.27110575"
    assert "t = 0 s" in printed(capsys, "pendulum", "--numbers")


def test_what_has_no_reduced_equation_says_why(capsys):
    assert main(["equations", "stewart_platform", "--reduced"]) == 2
    assert "7 bodies are too many for the reduced equation" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["equations", "pendulum", "--view", "index_4"])
    assert "index_4" in capsys.readouterr().err
