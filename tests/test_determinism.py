"""The same model gives the same bits, in two processes and whatever processor linear algebra sees."""

import json
import os
import subprocess
import sys
from pathlib import Path

from kardan import __main__ as start

ROOT = Path(__file__).parents[1]
# joints that are closed by linear algebra, redundant ones, step control, contact, Euler angles
NAMES = ("four_bar", "bricard_loop", "rod_with_damper", "cam_follower", "gimbal_lock")

# As the program starts, on a machine whose own choice would be another.
COMMAND = """
import os, sys
from kardan.__main__ import set_up_linear_algebra
set_up_linear_algebra()
from tests.digests import digests
import json
print(os.environ.get("OPENBLAS_CORETYPE"), json.dumps(digests(sys.argv[1:])))
"""


def digests_in_a_process(**environment):
    """What a process of its own computes, and the kernels of linear algebra it used."""
    clean = {k: v for k, v in os.environ.items() if k != "OPENBLAS_CORETYPE"}
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, *NAMES],
        env={**clean, **environment},
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    kind, _, told = done.stdout.partition(" ")
    return kind, json.loads(told)


def test_two_processes_compute_the_same_bits():
    first, second = digests_in_a_process(), digests_in_a_process(PYTHONHASHSEED="7")
    assert first == second and len(first[1]) == len(NAMES)


def test_linear_algebra_rounds_as_on_the_level_of_the_kernels(tmp_path, monkeypatch):
    for flags, expected in (("fma avx2 bmi2 avx512f", "Haswell"), ("sse2 avx", None)):
        (tmp_path / "cpuinfo").write_text(f"processor : 0\nflags : {flags}\n")
        monkeypatch.setattr(start, "PROCESSOR", str(tmp_path / "cpuinfo"))
        monkeypatch.setenv("OPENBLAS_CORETYPE", "")
        monkeypatch.delenv("OPENBLAS_CORETYPE")
        start.set_up_linear_algebra()
        assert os.environ.get("OPENBLAS_CORETYPE") == expected
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Sandybridge")
    start.set_up_linear_algebra()
    assert os.environ["OPENBLAS_CORETYPE"] == "Sandybridge"


def test_a_system_that_does_not_tell_its_processor_is_left_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(start, "PROCESSOR", str(tmp_path / "none"))
    monkeypatch.setenv("OPENBLAS_CORETYPE", "")
    monkeypatch.delenv("OPENBLAS_CORETYPE")
    start.set_up_linear_algebra()
    assert "OPENBLAS_CORETYPE" not in os.environ
