"""Starting the program: fast, with a window, a command, or without a display."""

import gc
import os
import subprocess
import sys
from pathlib import Path

import pytest

from assets import example_paths
from kardan import __main__ as main
from kardan import __version__

ROOT = Path(__file__).parent.parent


def python(code, **environment):
    """What a fresh Python in the checkout prints."""
    kept = {name: value for name, value in os.environ.items() if name not in main.THREAD_COUNTS}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**kept, **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_help_names_every_command(capsys):
    assert main.main(["--help"]) == 0
    text = capsys.readouterr().out
    for word in (*main.COMMANDS, "--version", "--help", "--csv", "model.json", "make run"):
        assert word in text


def test_every_command_of_the_command_line_is_known():
    from engine.cli.commands import parser

    (commands,) = (a.choices for a in parser()._actions if a.dest == "==SUPPRESS==" and a.choices)
    assert set(main.COMMANDS) == set(commands)


def test_version_is_the_installed_one(capsys):
    assert main.main(["--version"]) == 0
    assert capsys.readouterr().out == f"Kardan {__version__}\n"


def test_starting_loads_neither_numpy_nor_qt():
    code = "import sys; from kardan import __main__ as main; main.main(['--version']); print(*sys.modules)"
    loaded = python(code).split()
    assert not {"numpy", "numba", "PySide6", "argparse"} & set(loaded)


def test_linear_algebra_gets_one_thread_unless_told_otherwise():
    names = "print(*(os.environ[name] for name in main.THREAD_COUNTS))"
    code = f"import os; from kardan import __main__ as main; main.main(['--version']); {names}"
    assert python(code).endswith("\n1 1 1 1")
    assert python(code, OMP_NUM_THREADS="3").endswith("\n3 1 1 1")


def test_garbage_is_looked_for_seldom_while_a_command_lasts(monkeypatch):
    usual, seen = gc.get_threshold(), []
    monkeypatch.setattr("engine.cli.commands.main", lambda _: seen.append(gc.get_threshold()) or 0)
    assert main.main(["examples"]) == 0
    assert seen[0][0] > 100 * usual[0] and gc.get_threshold() == usual


def test_listing_examples_loads_no_builder():
    loaded = "import sys; from engine.cli.commands import main; main(['examples'])"
    check = f"{loaded}; assert not any(name.startswith('engine.editing.builder') for name in sys.modules)"
    subprocess.run([sys.executable, "-c", check], check=True, stdout=subprocess.DEVNULL)


def test_a_command_goes_to_the_command_line(monkeypatch):
    import engine.cli.commands

    seen = []
    monkeypatch.setattr(engine.cli.commands, "main", lambda argv: seen.append(argv) or 7)
    for command in main.COMMANDS:
        assert main.main([command, "x.json"]) == 7
    assert seen == [[command, "x.json"] for command in main.COMMANDS]


@pytest.mark.parametrize("arguments", [["simulat"], ["fly", "me"], ["--csv"]])
def test_nonsense_is_answered_with_the_commands(arguments, capsys):
    assert main.main(arguments) == 2
    said = capsys.readouterr().err
    assert arguments[0] in said and "simulate, check, channels, examples" in said


def test_a_mistyped_command_or_example_is_answered_with_the_nearest(capsys):
    assert main.main(["simulat"]) == 2
    assert "Did you mean 'simulate'?" in capsys.readouterr().err
    assert main.main(["pendulm"]) == 2
    assert "Did you mean 'pendulum'" in capsys.readouterr().err


def test_the_window_takes_one_file(capsys):
    assert main.main(["a.json", "b.json"]) == 2
    assert "one model at a time" in capsys.readouterr().err


def test_the_name_of_an_example_opens_it(tmp_path, monkeypatch):
    import gui.window.app

    opened = []
    monkeypatch.setenv("DISPLAY", ":7")
    monkeypatch.setattr(gui.window.app, "run", lambda path: opened.append(path) or 0)
    assert main.main(["pendulum"]) == 0 and main.main(["Four-bar"]) == 0
    assert opened == [str(example_paths()[name]) for name in ("pendulum", "four_bar")]
    (tmp_path / "mine").write_text("{}")  # a file is a file, whatever its name
    assert main.main([str(tmp_path / "mine")]) == 0
    assert opened[-1] == str(tmp_path / "mine")


def test_without_a_display_an_example_is_written_to_files(
    example_folder, tmp_path, monkeypatch, capsys, qapp
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "platform", "linux")
    for name in main.DISPLAYS:
        monkeypatch.setenv(name, "")
    assert main.main([]) == 0
    said = capsys.readouterr().out
    table, picture = (tmp_path / "out" / f"double_pendulum.{end}" for end in ("csv", "png"))
    assert table.read_text().startswith("time [s],")
    assert picture.read_bytes()[:4] == b"\x89PNG"
    assert "no display" in said and "DISPLAY" in said
    for path in (table, picture):
        assert str(path.relative_to(tmp_path)) in said


def test_without_a_display_a_missing_file_is_told_in_a_sentence(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "platform", "linux")
    for name in main.DISPLAYS:
        monkeypatch.setenv(name, "")
    assert main.main([str(tmp_path / "nowhere.json")]) == 1
    assert "nowhere.json" in capsys.readouterr().err


def test_with_a_display_the_window_is_opened(monkeypatch):
    import gui.window.app

    opened = []
    monkeypatch.setenv("DISPLAY", ":7")
    monkeypatch.setattr(gui.window.app, "run", lambda path: opened.append(path) or 0)
    assert main.main([]) == 0 and main.main(["m.json"]) == 0
    assert opened == ["", "m.json"]
