"""Whether a long run with few frames needs more and more memory."""

import os
from pathlib import Path

from assets import example_paths
from bench.tables import Table
from bench.timing import Effort
from engine.compiling.system import compile_model
from engine.running.simulate import prepare
from kardan import load

N_STEPS = 10**6
ALLOWED = 1.0  # [MB] what the allocator of Python may keep; a leak of one byte per step would show


def bench(effort: Effort) -> list[Table]:
    """Resident memory before and after a million steps of the double pendulum."""
    table = Table(
        "Memory of a long run of the double pendulum [MB]",
        ("steps", "before", "after", "growth", "constant"),
    )
    compiled = compile_model(load(example_paths()["double_pendulum"]))
    n_steps = int(N_STEPS * effort.share)
    run = prepare(
        compiled, method="rk4", t_end=1e-3 * n_steps, step=1e-3, output_step=1e-4 * n_steps
    )
    for _ in run:  # the first run allocates all it needs
        pass
    before = resident()
    for _ in run:
        pass
    after = resident()
    if before is None or after is None:
        table.notes.append("This system does not tell how much memory a process has.")
    else:
        growth = after - before
        table.rows.append((run.statistics.steps, before, after, growth, growth <= ALLOWED))
    return [table]


def resident() -> float | None:
    """Resident memory of this process [MB], or None where /proc does not exist."""
    told = Path("/proc/self/statm")
    if not told.exists():
        return None
    return int(told.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
