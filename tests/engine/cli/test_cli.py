"""The command line: what it prints, what it writes and how it ends."""

import io
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from engine.cli import commands as cli
from engine.cli.commands import main
from engine.integrators import warm_up
from kardan import save
from tests.engine.sample_runs import pendulum

ARGUMENTS = ["--t-end", "0.2"]
ARE_COMPILED = warm_up.are_compiled


@pytest.fixture
def file(tmp_path):
    """A model file."""
    save(pendulum().model, tmp_path / "model.json")
    return str(tmp_path / "model.json")


@pytest.fixture
def examples(tmp_path, monkeypatch):
    """A folder with one example, in the place of those that come with the program."""
    folder = tmp_path / "assets"
    folder.mkdir()
    model = pendulum().model
    save(replace(model, description="A rod on a pin.\nMore words."), folder / "swing.json")
    monkeypatch.setattr(cli, "example_paths", lambda: {"swing": folder / "swing.json"})
    return folder


@pytest.fixture(autouse=True)
def compiled_before(monkeypatch):
    """As if the kernels had been compiled earlier, so that nothing is said about it."""
    monkeypatch.setattr(warm_up, "are_compiled", lambda: True)


def test_the_first_run_ever_says_why_it_takes_a_while(file, monkeypatch, capsys):
    monkeypatch.setattr(warm_up, "are_compiled", lambda: False)
    assert main(["simulate", file, *ARGUMENTS]) == 0
    assert capsys.readouterr().err == f"{warm_up.FIRST_TIME}\n"


def test_a_run_leaves_the_kernels_compiled(file):
    assert main(["simulate", file, *ARGUMENTS]) == 0
    assert ARE_COMPILED()


def test_simulate_prints_one_screen_and_writes_what_was_asked_for(file, tmp_path, capsys):
    out = tmp_path / "out"
    wanted = ["--csv", f"{out}.csv", "--npz", f"{out}.npz", "--channels", "rod_1.a*", "gap"]
    assert main(["simulate", file, *ARGUMENTS, *wanted]) == 0
    printed, errors = capsys.readouterr()
    assert errors == "" and len(printed.splitlines()) < 24
    for words in ("pendulum", "1 degree", "rk4", "200 steps", "Energy:", "out.csv", "out.npz"):
        assert words in printed
    header = (tmp_path / "out.csv").read_text().splitlines()[0].split(",")
    assert header[0] == "time [s]" and "rod_1.angle [rad]" in header and header[-1] == "gap"
    with np.load(f"{out}.npz") as arrays:
        assert len(arrays["time"]) == 21


class Terminal(io.StringIO):
    """What is written to it is kept; it says that a person is reading."""

    def isatty(self):
        return True


def test_a_long_run_shows_its_progress_on_a_terminal_only(file, monkeypatch, capsys):
    monkeypatch.setattr(cli, "_SHOW_PROGRESS_AFTER", 0.0)
    assert main(["simulate", file, *ARGUMENTS]) == 0
    assert capsys.readouterr().err == ""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    assert main(["simulate", file, "--t-end", "20"]) == 0
    assert " %|" in terminal.getvalue() and " left" in terminal.getvalue()


def test_an_interrupted_run_ends_with_two_and_a_word(file, monkeypatch, capsys):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("engine.running.simulate.run", interrupted)
    assert main(["simulate", file]) == 2
    assert capsys.readouterr().err == "Interrupted.\n"


def test_settings_of_the_run_may_be_given(file, tmp_path, capsys):
    given = ["--step", "0.002", "--output-step", "0.1", "--method", "heun"]
    csv = ["--csv", str(tmp_path / "o.csv"), "--decimal-comma", "--channels", "rod_1.x"]
    assert main(["simulate", file, *ARGUMENTS, *given, "--stabilisation", "none", *csv]) == 0
    printed = capsys.readouterr().out
    assert "heun, step 0.002 s, joints closed by none" in printed and "100 steps" in printed
    assert (tmp_path / "o.csv").read_text().splitlines()[1] == "0,0;0,5"


@pytest.mark.parametrize(
    "more, words",
    [
        (["--channels", "rod_1.angel"], "did you mean rod_1.angle"),
        (["--t-end", "-1"], "must be above 0"),
        (["--t-end", "nan"], "finite"),
        (["--csv", "/nowhere/at/all.csv"], "Cannot write 'all.csv'"),
    ],
)
def test_a_mistake_ends_with_two_and_a_sentence(file, capsys, more, words):
    assert main(["simulate", file, *ARGUMENTS, *more]) == 2
    assert words in capsys.readouterr().err


def test_a_missing_or_broken_file_ends_with_two_and_a_sentence(tmp_path, capsys):
    assert main(["simulate", str(tmp_path / "none.json")]) == 2
    assert "Cannot open 'none.json'" in capsys.readouterr().err
    (tmp_path / "broken.json").write_text("{")
    assert main(["check", str(tmp_path / "broken.json")]) == 2
    assert "Cannot open 'broken.json'" in capsys.readouterr().err


def test_check_lists_every_problem(tmp_path, capsys):
    m = pendulum()
    m.body((1, 1), id="empty")
    m.motion("revolute_1", "sin(")
    save(m.model, tmp_path / "bad.json")
    assert main(["check", str(tmp_path / "bad.json")]) == 2
    printed = capsys.readouterr()
    assert printed.out == "" and len(printed.err.splitlines()) == 2
    assert "'empty'" in printed.err and "motion_1" in printed.err


def test_check_tells_how_a_sound_model_can_move(file, capsys):
    assert main(["check", file]) == 0
    printed = capsys.readouterr().out
    assert "nothing wrong" in printed and "1 degree, 0 redundant constraints" in printed


def test_a_run_that_fails_ends_with_two_and_keeps_its_frames(tmp_path, capsys):
    m = pendulum()
    m.actuator("revolute_1", "100*speed^3")
    save(m.model, tmp_path / "wild.json")
    csv = tmp_path / "wild.csv"
    assert main(["simulate", str(tmp_path / "wild.json"), "--csv", str(csv)]) == 2
    printed = capsys.readouterr()
    assert "diverged" in printed.err and "Ended early" in printed.out
    assert len(csv.read_text().splitlines()) > 2


def test_examples_are_listed_run_by_name_and_copied(examples, tmp_path, capsys):
    assert main(["examples"]) == 0
    assert capsys.readouterr().out == "swing  A rod on a pin.\n"
    assert main(["simulate", "swing", *ARGUMENTS]) == 0
    assert main(["check", "swing.json"]) == 0
    copies = tmp_path / "mine" / "copies"
    assert main(["examples", "--copy", str(copies)]) == 0
    assert (copies / "swing.json").read_bytes() == (examples / "swing.json").read_bytes()
    (copies / "swing.json").write_text("mine")
    assert main(["examples", "--copy", str(copies)]) == 0
    assert (copies / "swing.json").read_text() == "mine"
    assert "stays as it is" in capsys.readouterr().out


def test_copying_into_a_file_ends_with_two_and_a_sentence(examples, tmp_path, capsys):
    (tmp_path / "taken").write_text("")
    assert main(["examples", "--copy", str(tmp_path / "taken")]) == 2
    assert "taken" in capsys.readouterr().err


def test_the_examples_that_come_with_the_program_can_be_listed(capsys):
    assert main(["examples"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(cli.example_paths())


def test_a_reader_that_has_seen_enough_is_no_mistake():
    command = "from engine.cli.commands import main; import sys; sys.exit(main(['examples']))"
    process = subprocess.Popen(
        [sys.executable, "-c", command], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert (process.wait(), errors) == (0, b"")


def test_an_unknown_command_ends_with_two(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["fly"])
    assert ended.value.code == 2 and "fly" in capsys.readouterr().err
