"""The command line: what it prints, what it writes and how it ends."""

import io
import json
import sys
from dataclasses import replace

import numpy as np
import pytest

from engine.cli import commands as cli
from engine.cli.commands import main
from engine.files import finding
from engine.integrators import warm_up
from engine.model.elements import put
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
    for module in (cli, finding):
        monkeypatch.setattr(module, "example_paths", lambda: {"swing": folder / "swing.json"})
    return folder


@pytest.fixture(autouse=True)
def compiled_before(monkeypatch):
    """As if the kernels had been compiled earlier, so that nothing is said about it."""
    monkeypatch.setattr(warm_up, "are_compiled", lambda: True)


def test_the_first_run_ever_says_why_it_takes_a_while(file, monkeypatch, capsys):
    monkeypatch.setattr(warm_up, "are_compiled", lambda: False)
    warm_up.say_first_time.cache_clear()
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
    for words in ("pendulum", "1 degree", "dop853", " steps", "Energy:", "out.csv", "out.npz"):
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
        (
            ["--csv", "/nowhere/at/all.csv"],
            "Cannot write '/nowhere/at/all.csv': there is no folder",
        ),
        (
            ["--npz", "/nowhere/at/all.npz"],
            "Cannot write '/nowhere/at/all.npz': there is no folder",
        ),
        (["--csv", "."], "Cannot write '.': this is a folder"),
    ],
)
def test_a_mistake_ends_with_two_and_a_sentence(file, capsys, more, words):
    assert main(["simulate", file, *ARGUMENTS, *more]) == 2
    assert words in capsys.readouterr().err


def test_a_missing_or_broken_file_ends_with_two_and_a_sentence(tmp_path, capsys):
    none = str(tmp_path / "none.json")
    assert main(["simulate", none]) == 2
    assert f"neither a file nor an example '{none}'" in capsys.readouterr().err
    broken = tmp_path / "broken.json"
    for content, words in (("{", "cut off"), ("", "empty"), ("[]", "not a Kardan model")):
        broken.write_text(content)
        assert main(["check", str(broken)]) == 2
        said = capsys.readouterr().err
        assert said.startswith(f"Cannot open '{broken}'. ") and words in said
    assert main(["check", str(tmp_path)]) == 2
    assert "It is a folder" in capsys.readouterr().err


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


def test_a_mistyped_name_is_answered_with_the_nearest(file, capsys):
    assert main(["simulate", "double_pendulun"]) == 2
    said = capsys.readouterr().err
    assert "Did you mean 'double_pendulum'" in said and "kardan examples" in said
    assert main(["simulate", "zzz"]) == 2
    said = capsys.readouterr().err
    assert "Did you mean" not in said and "kardan examples" in said
    assert main(["check", file.replace("model.json", "modell.json")]) == 2
    assert f"Did you mean '{file}'" in capsys.readouterr().err


def test_an_example_may_be_written_as_people_write(capsys):
    assert main(["check", "Four-bar"]) == 0
    assert "nothing wrong" in capsys.readouterr().out


@pytest.mark.parametrize("option", ["--csv", "--npz"])
def test_a_place_that_cannot_be_written_is_told_before_the_run(file, monkeypatch, capsys, option):
    def too_late(*_, **__):
        raise AssertionError("the run has begun")

    monkeypatch.setattr("engine.running.simulate.prepare", too_late)
    assert main(["simulate", file, option, "/nowhere/out"]) == 2
    assert "Cannot write '/nowhere/out'" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["order", "converge", "compare"])
def test_studies_too_look_at_their_outputs_first(file, monkeypatch, capsys, command):
    def too_late(*_, **__):
        raise AssertionError("the study has begun")

    monkeypatch.setattr(f"engine.studies.{command}", too_late)
    channels = ["--channels", "rod_1.angle"]
    assert main([command, file, *channels, "--csv", "/nowhere/out.csv"]) == 2
    assert "Cannot write '/nowhere/out.csv'" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["simulate", "{file}", "--step", "abc"], "'abc' is not a number"),
        (["simulate", "{file}", "--method", "rk5"], "Did you mean 'rk4'?"),
        (["simulate", "{file}", "--near-lock", "x"], "Choose one of warn, stop"),
        (["order", "{file}", "--steps", "0"], "not a whole number above 0"),
        (["compare", "{file}", "--steps", "nan"], "'nan' is not a number above 0"),
        (["compare", "{file}", "--tolerances", "-1"], "not a number above 0"),
        (["simulate"], "required: file"),
        (["check", "{file}", "--nope"], "Unrecognized arguments: --nope"),
    ],
)
def test_a_wrong_argument_is_one_sentence_that_says_where_to_read_more(
    file, capsys, arguments, words
):
    with pytest.raises(SystemExit) as ended:
        main([argument.format(file=file) for argument in arguments])
    said = capsys.readouterr().err
    assert ended.value.code == 2 and words in said and "--help'" in said
    assert len(said.splitlines()) == 1


def test_a_study_refuses_times_outside_the_run_and_limits_that_are_none(file, capsys):
    channels = ["--channels", "rod_1.angle", "--t-end", "0.1"]
    assert main(["converge", file, *channels, "--at", "99"]) == 2
    assert "cannot be compared at t = 99 s" in capsys.readouterr().err
    assert main(["converge", file, *channels, "--limit", "nan"]) == 2
    assert "can never be met" in capsys.readouterr().err


def test_channels_are_listed_with_unit_frame_and_meaning(file, capsys):
    assert main(["channels", file]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["Channel", "Unit", "Frame", "Meaning"]
    (gap,) = (line for line in lines if line.startswith("gap "))
    assert "never negative" in gap and "m or an angle in rad" in gap
    assert main(["channels", file, "rod_1.a*"]) == 0
    assert all(line.startswith("rod_1.a") for line in capsys.readouterr().out.splitlines()[1:])
    assert main(["channels", file, "rod_1.angel"]) == 2
    assert "rod_1.angle" in capsys.readouterr().err


def test_check_tells_of_every_constraint_its_class_and_what_depends_on_time(tmp_path, capsys):
    m = pendulum()
    m.motion("revolute_1", "0.3*sin(2*t)")
    save(m.model, tmp_path / "driven.json")
    assert main(["check", str(tmp_path / "driven.json")]) == 0
    lines = capsys.readouterr().out.splitlines()
    words = {line.split()[0]: line for line in lines if line}
    assert "P_j - P_i = 0" in words["revolute_1"] and "scleronomic" in words["revolute_1"]
    assert "holonomic, rheonomic, bilateral" in words["motion_1"]
    assert "it is an equation of positions; law(t) = 0.3*sin(2*t)" in words["motion_1"]
    assert "holonomic-rheonomic" in words["System:"]


def test_check_as_data_holds_what_the_text_says(tmp_path, capsys):
    m = pendulum()
    m.revolute("ground", "rod_1", at=(0.6, 0.0))
    body = m.model["rod_1"]
    model = put(m.model, replace(body, spin=3.0))
    marker = next(x for x in model.of("marker") if x.body == "ground")
    model = put(model, replace(marker, position=(-0.054, 0.0)))
    save(model, tmp_path / "open.json")
    assert main(["check", str(tmp_path / "open.json")]) in (0, 2)
    text = capsys.readouterr().out
    code = main(["check", str(tmp_path / "open.json"), "--json"])
    data = json.loads(capsys.readouterr().out)
    assert code == (0 if data["can_run"] else 2)
    assert data["gaps"][0]["size"] == pytest.approx(0.054) and "54 mm apart" in text
    for one in (*data["warnings"], *data["problems"]):
        assert one["sentence"] in text and set(one["ids"]) <= set(model.elements)
    assert {c["id"] for c in data["constraints"]} == {"revolute_1", "revolute_2"}


def test_check_names_velocities_that_no_joint_allows(tmp_path, capsys):
    m = pendulum()
    save(put(m.model, replace(m.model["rod_1"], velocity=(1.0, 0.0))), tmp_path / "fast.json")
    assert main(["check", str(tmp_path / "fast.json")]) == 0
    said = capsys.readouterr().out
    assert "velocity of 'rod_1' cannot be kept" in said and "leave it or another" in said
    assert main(["check", str(tmp_path / "fast.json"), "--json"]) == 0
    (unkept,) = json.loads(capsys.readouterr().out)["unkept"]
    assert unkept["id"] == "rod_1" and unkept["field"] == "velocity"
    assert unkept["typed"] == [1.0, 0.0] and unkept["runs"] == pytest.approx([0.0, 0.0], abs=1e-9)


def test_a_run_that_fails_ends_with_two_and_keeps_its_frames(tmp_path, capsys):
    m = pendulum()
    m.actuator("revolute_1", "100*speed^3")
    save(m.model, tmp_path / "wild.json")
    csv = tmp_path / "wild.csv"
    assert main(["simulate", str(tmp_path / "wild.json"), "--csv", str(csv)]) == 2
    printed = capsys.readouterr()
    assert "run stopped at t =" in printed.err and "Ended early" in printed.out
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


def test_an_unknown_command_ends_with_two(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["fly"])
    assert ended.value.code == 2 and "fly" in capsys.readouterr().err
