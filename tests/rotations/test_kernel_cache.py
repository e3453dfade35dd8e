"""Compiled kernels are kept between processes and never outlive their sources."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rotations.jit

CALLEE = """
from tiny.jit import kernel


@kernel
def factor():
    return {factor}
"""
CALLER = """
from tiny.callee import factor
from tiny.jit import kernel


@kernel
def scaled(x):
    return factor() * x


if __name__ == "__main__":
    print(scaled(2.0), sum(scaled.stats.cache_hits.values()))
"""


def run(folder, cache="cache"):
    """The answer of the tiny package in a new process, and how often its cache was hit."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder / cache)}
    command = [sys.executable, "-m", "tiny.caller"]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=True
    )
    answer, hits = done.stdout.split()
    return float(answer), int(hits)


@pytest.fixture
def package(tmp_path):
    """A package of two kernels, one of which calls the other."""
    package = tmp_path / "tiny"
    package.mkdir()
    (package / "__init__.py").touch()
    shutil.copy(Path(rotations.jit.__file__), package / "jit.py")
    (package / "caller.py").write_text(CALLER)
    (package / "callee.py").write_text(CALLEE.format(factor=3.0))
    return package


def test_an_edited_callee_is_never_answered_from_the_cache(tmp_path, package):
    assert run(tmp_path) == (6.0, 0)  # compiled
    assert run(tmp_path) == (6.0, 1)  # from the cache
    (package / "callee.py").write_text(CALLEE.format(factor=5.0))
    assert run(tmp_path) == (10.0, 0)  # compiled anew, although caller.py is as it was


def test_kernels_work_where_nothing_can_be_written(tmp_path, package):
    (tmp_path / "no_folder").touch()  # a file where the cache should be
    assert run(tmp_path, "no_folder") == (6.0, 0)
    assert run(tmp_path, "no_folder") == (6.0, 0)
    assert not list(package.rglob("*.nbi"))  # and nowhere else either, where it would grow stale
