"""How long a first start takes, when all kernels are compiled, and a later one, when they are loaded."""

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.chains import chain
from bench.tables import Table
from bench.timing import Effort, best_times
from engine.compiling.elimination import elimination

ROOT = Path(__file__).parent.parent
PHASES = ("import", "plane", "space", "channels")


def bench(effort: Effort) -> list[Table]:
    """Seconds of a small run in the plane and in space, in fresh processes."""
    table = Table(
        "Start of a fresh process [s]",
        ("kernels", *PHASES, "whole process"),
        notes=["Runs with a motion, a spring, a redundant loop; then every channel is read."],
    )
    if effort.cold:
        with TemporaryDirectory(prefix="kardan-bench-") as folder:
            table.rows.append(("compiled", *measure(folder)))
            table.rows.append(("loaded", *measure(folder)))
    else:
        measure(None)
        table.rows.append(("loaded", *measure(None)))
        table.notes.append("The compiling start was left out: run without --quick to have it.")
    return [table, preparing(effort)]


def preparing(effort: Effort) -> Table:
    """Milliseconds from a model to packed arrays, and to the order of elimination of implicit methods."""
    table = Table("Preparing a chain [ms]", ("rods", "building and compiling", "ordering"))
    for n in (n for n in (4, 64, 256) if n <= effort.largest):
        compiled = chain(n)
        times = best_times(
            {"compile": lambda n=n: chain(n), "order": lambda c=compiled: elimination(c.system)},
            effort.repeats,
        )
        table.rows.append((n, 1e3 * times["compile"], 1e3 * times["order"]))
    return table


def measure(cache: str | None) -> tuple[float, ...]:
    """The seconds of each phase and of the whole, with compiled kernels kept in the given folder."""
    environment = {**os.environ, **({"NUMBA_CACHE_DIR": cache} if cache else {})}
    done = subprocess.run(
        [sys.executable, "-m", "bench.first_run"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=1200,
    )
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    times = json.loads(done.stdout)
    return tuple(times[phase] for phase in (*PHASES, "whole"))
