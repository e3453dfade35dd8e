"""Every instrument of the command line answers bad input with a sentence and the code 2."""

import pytest

from engine.cli.commands import main

NOT_THERE = "There is neither a file nor an example 'nothing'"
CASES = (
    ("rotation 3-3-1", "There is no sequence '3-3-1'. Choose one of: 1-2-1, 1-3-1"),
    ("rotation zxz", "Choose one of: 1-2-1, 1-3-1"),
    ("rotation nothing", NOT_THERE),
    ("rotation 3-1-3 --order 1 1 2", "names each of the three turns once, as 3 2 1"),
    ("rotation 3-1-3 --angles 30 nan 20", "each a finite number"),
    ("rotation 3-1-3 --angles 30 20", "expected 3 arguments"),
    ("rotation 3-1-3 --body rotor", "is a sequence and not a model"),
    ("rotation 3-1-3 --set a=1", "is a sequence and not a model"),
    ("rotation gimbal_lock --body nobody", "Choose one of: outer_ring, inner_ring, rotor"),
    ("rotation gimbal_lock --time -1", "There is no time -1 s: a run begins at 0 s"),
    ("rotation four_bar", "in the plane, where bodies have one angle"),
    ("equations nothing", NOT_THERE),
    ("equations four_bar --view no", "Choose one of newton_euler"),
    ("equations four_bar --numbers --time -1", "a run begins at 0 s"),
    ("equations four_bar --numbers --time inf", "a run begins at 0 s"),
    ("freebody nothing", NOT_THERE),
    ("freebody four_bar --body xx", "Choose one of: crank, coupler, rocker, ground"),
    ("freebody four_bar --time nan", "There is no time nan s"),
    ("freebody four_bar --svg /nowhere/x.svg", "there is no folder '/nowhere'"),
    ("freedom nothing", NOT_THERE),
    ("microscope nothing", NOT_THERE),
    ("microscope four_bar --step 0", "type one like 0.01"),
    ("microscope four_bar --time -1", "a run begins at 0 s"),
    ("microscope four_bar --method bdf2", "'bdf2' is none of them"),
    ("microscope four_bar --csv /nowhere/x.csv", "there is no folder '/nowhere'"),
    ("coordinates nothing", NOT_THERE),
    ("coordinates four_bar --t-end 0", "between 0 s and 60 s"),
    ("coordinates four_bar --free nobody", "There is no joint 'nobody'. Choose one of: A, B"),
    ("coordinates four_bar --csv /nowhere/x.csv", "there is no folder '/nowhere'"),
    ("tree nothing", NOT_THERE),
    ("tree four_bar --time -1", "a run begins at 0 s"),
    ("script nothing", NOT_THERE),
    ("script", "required: file"),
)


@pytest.mark.parametrize(("command", "says"), CASES)
def test_bad_input_is_told(command, says, capsys):
    try:
        code = main(command.split())
    except SystemExit as end:  # of the parser of arguments
        code = end.code
    told = capsys.readouterr()
    assert code == 2 and says in told.err
    assert "Written" not in told.out
