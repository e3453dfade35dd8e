"""Compiled kernels are kept between processes and never outlive their sources."""

import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import numba
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
        command,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
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


def test_two_threads_never_mix_up_their_folders(tmp_path):
    before, asked, found = numba.config.CACHE_DIR, threading.Event(), []

    def enter():
        asked.set()
        with rotations.jit.cached_in(tmp_path / "theirs"):
            found.append(numba.config.CACHE_DIR)

    other = threading.Thread(target=enter)
    with rotations.jit.cached_in(tmp_path / "mine"):
        other.start()
        asked.wait()
        other.join(0.05)  # s; without a lock the other thread enters within this time
        assert not found and str(tmp_path / "mine") == numba.config.CACHE_DIR
    other.join()
    assert found == [str(tmp_path / "theirs")]
    assert before == numba.config.CACHE_DIR
