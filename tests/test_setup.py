"""`.ci/setup`: the solver is compiled while packages are installed, and what fails is not hidden."""

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PATIENCE = 60.0  # s

# A Python that writes down what it is asked for. Packages are there only once compiling has begun.
PYTHON = """#!/bin/sh
echo "$*" >>calls.txt
case "$*" in
*kernel_requirements*) echo numpy ;;
*--requirement*) exit ${FIRST_FAILS:-0} ;;
*gui.running.exercise*)
    trap 'touch killed; exit 0' TERM
    touch compiling
    while [ ! -e enough ]; do sleep 0.02; done
    ;;
*--editable*)
    while [ ! -e compiling ]; do sleep 0.02; done
    exit ${REST_FAILS:-0}
    ;;
esac
"""


@pytest.fixture
def clone(tmp_path):
    """A clone with an environment whose Python only pretends; what it started is ended afterwards."""
    shutil.copytree(ROOT / ".ci", tmp_path / ".ci")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(PYTHON)
    python.chmod(0o755)
    yield tmp_path
    (tmp_path / "enough").touch()


def set_up(clone, purpose="run", **variables):
    """The exit code of the set-up, and what it asked Python for."""
    done = subprocess.run(
        ["sh", ".ci/setup", purpose],
        cwd=clone,
        env={**os.environ, **variables},
        stdout=subprocess.DEVNULL,
        timeout=PATIENCE,
    )
    calls = clone / "calls.txt"
    return done.returncode, calls.read_text().splitlines() if calls.exists() else []


def wait_for(path):
    """Wait until a file is there."""
    end = time.monotonic() + PATIENCE
    while not path.exists():
        assert time.monotonic() < end, f"{path.name} never came"
        time.sleep(0.01)


@pytest.mark.parametrize(("purpose", "extra"), [("run", "."), ("test", ".[test]")])
def test_the_solver_is_compiled_while_large_packages_are_on_their_way(clone, purpose, extra):
    code, calls = set_up(clone, purpose)
    assert code == 0
    assert calls[0] == ".ci/kernel_requirements.py"
    assert "--requirement .venv/kernel-requirements.txt" in calls[1]
    assert any("gui.running.exercise methods" in call for call in calls)
    assert any(call.endswith(f"--editable {extra}") for call in calls)
    assert not (clone / "killed").exists()  # it goes on when the set-up is over


def test_a_second_set_up_does_nothing_and_another_project_file_does_it_again(clone):
    _, first = set_up(clone)
    assert set_up(clone) == (0, first)
    with (clone / "pyproject.toml").open("a") as project:
        project.write("# changed\n")
    code, again = set_up(clone)
    assert code == 0 and len(again) == 2 * len(first)


@pytest.mark.parametrize("what", ["FIRST_FAILS", "REST_FAILS"])
def test_packages_that_cannot_be_installed_end_the_set_up(clone, what):
    code, calls = set_up(clone, **{what: "7"})
    assert code == 7
    assert not (clone / ".venv" / ".ready-run").exists()
    if what == "FIRST_FAILS":
        assert not any("exercise" in call for call in calls)
    else:
        wait_for(clone / "killed")
    assert set_up(clone)[0] == 0  # the next attempt begins where this one ended
