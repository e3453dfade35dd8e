"""The command script."""

from engine.cli.commands import main


def test_it_writes_the_program_that_builds_the_model(capsys):
    assert main(["script", "point_pendulum", "--set", "l=1.5"]) == 0
    told = capsys.readouterr().out
    assert "l = m.parameter('l', 1.5" in told and "formula='x^2 + y^2 - l^2'" in told
    compile(told, "script", "exec")
