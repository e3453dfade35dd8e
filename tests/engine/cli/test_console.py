"""Ctrl-C, readers that leave and closed streams, in processes of their own."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from kardan import save
from tests.engine.sample_runs import pendulum

ROOT = Path(__file__).parents[3]
KARDAN = [sys.executable, str(ROOT / "main.py")]

# Sends itself Ctrl-C when the run has come so far: a test that waits for a time would depend on it.
AT_HALF = """
import os, signal, sys
from engine.cli.commands import _Bar, main
def show(self, fraction):
    if fraction > 0.3:
        os.kill(os.getpid(), signal.{name})
_Bar.show = show
sys.exit(main(sys.argv[1:]))
"""


def run_at_half(name, *arguments):
    """The exit code and the errors of a command that gets a signal in the middle of its run."""
    done = subprocess.run(
        [sys.executable, "-c", AT_HALF.format(name=name), *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("name, code", [("SIGINT", 130), ("SIGTERM", 143)])
def test_an_interrupted_run_writes_the_frames_so_far(tmp_path, name, code):
    save(pendulum().model, tmp_path / "model.json")
    csv, npz = tmp_path / "out.csv", tmp_path / "out.npz"
    asked = ["--t-end", "400", "--csv", str(csv), "--npz", str(npz), "--channels", "rod_1.angle"]
    ended, said, errors = run_at_half(name, "simulate", str(tmp_path / "model.json"), *asked)
    assert ended == code and errors == "Interrupted. What was computed until then is kept.\n"
    assert "stopped before its end" in said and "Written:" in said
    table = np.loadtxt(csv, delimiter=",", skiprows=1)
    assert 0.3 * 40_000 < len(table) < 40_001
    with np.load(npz) as arrays:
        assert np.array_equal(arrays["time"], table[:, 0])
        assert np.array_equal(arrays["rod_1.angle"], table[:, 1])
    assert not list(tmp_path.glob("*.tmp"))


def test_a_second_interrupt_ends_at_once_and_leaves_no_rest(tmp_path):
    save(pendulum().model, tmp_path / "model.json")
    twice = AT_HALF.replace("os.kill(", "os.kill(os.getpid(), signal.SIGINT); os.kill(")
    asked = ["simulate", str(tmp_path / "model.json"), "--csv", str(tmp_path / "out.csv")]
    command = [sys.executable, "-c", twice.format(name="SIGINT"), *asked, "--t-end", "400"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, done.stderr) == (130, "Interrupted.\n")
    assert [path.name for path in tmp_path.iterdir()] == ["model.json"]


# Sends itself Ctrl-C while a module is imported, in the middle of the machinery of imports.
IN_IMPORT = """
import os, signal, sys
sys.argv = ["kardan", "simulate", "double_pendulum"]
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
from kardan.__main__ import main
sys.exit(main())
"""


@pytest.mark.parametrize("module", ["engine.cli.commands", "numpy", "numba.core.typing"])
def test_an_interrupt_while_the_program_loads_is_one_word(module):
    code = IN_IMPORT.format(module=module)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, done.stderr) == (130, "Interrupted.\n")


COMMANDS = (["--help"], ["examples", "--help"])


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_a_reader_that_has_seen_enough_is_no_mistake(arguments):
    process = subprocess.Popen(
        [*KARDAN, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert (process.wait(), errors) == (0, b"")


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_closed_streams_are_no_mistake(arguments, tmp_path):
    def close():
        for number in (0, 1, 2):
            os.close(number)

    done = subprocess.run([*KARDAN, *arguments], preexec_fn=close, cwd=tmp_path)
    assert done.returncode == 0


def test_signals_are_handled_as_before_when_a_command_has_ended(capsys):
    from kardan.__main__ import main

    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    assert main(["--version"]) == 0
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before
