"""Time to reach a given error on benchmark problems with known solutions."""

from functools import partial
from typing import NamedTuple

import numpy as np

from bench.tables import Table
from bench.timing import Effort, best_times, progress
from engine.compiling.system import Compiled, compile_model
from engine.results.results import Results
from engine.running.simulate import Run, prepare
from tests.validation.test_problems import PROBLEMS, data

TARGETS = (1e-6, 1e-8)
DIVISORS = tuple(m * 2**k for k in range(12) for m in (2, 3))  # steps per output step

# Fastest other program for each error [ms], measured on another 2-core machine.
REPORTED = {
    "a_pendulum": ("Exudyn 1.9", "Exudyn 4.1"),
    "b_chain8": ("Pinocchio C++ 2.4", "Pinocchio C++ 6.4"),
    "i_crane": ("Exudyn 4.8", "Exudyn 15"),
    "c_fourbar1": ("Pinocchio 64", "Pinocchio 163"),
}


class Solved(NamedTuple):
    """The longest step that reaches an error, and the run that takes it."""

    run: Run
    step: float
    error: float


def bench(effort: Effort) -> list[Table]:
    """Milliseconds of RK4 with projection at the longest step that reaches the error."""
    table = Table(
        "Time to reach an error with RK4 and projection [ms], model building excluded",
        ("problem", "error <=", "step [s]", "reached", "ms", "reported elsewhere [ms]"),
        notes=[
            "Error: largest difference from the reference solution, over all times and observables.",
            "Reported elsewhere: measured by others, on another machine; no ratio follows from it.",
        ],
    )
    targets = TARGETS if effort.share >= 0.1 else (1e-2,)
    for id in progress(REPORTED, "accuracy"):
        reference = data(id)
        compiled = compile_model(PROBLEMS[id].model(reference["given"]))
        for target, reported in zip(targets, REPORTED[id]):
            solved = longest_step(id, compiled, reference, target)
            if solved is None:
                table.rows.append((id, target, None, None, None, reported))
                continue
            best = best_times({"run": partial(list, solved.run)}, effort.repeats)
            row = (id, target, solved.step, solved.error, 1e3 * best["run"], reported)
            table.rows.append(row)
    return [table]


def longest_step(id: str, compiled: Compiled, reference: dict, target: float) -> Solved | None:
    """The longest of ever shorter steps whose error is small enough; None if none is."""
    t_end, times = reference["given"]["t_end"], reference["times"]
    output = t_end / (len(times) - 1)
    for divisor in DIVISORS:
        steps = {"t_end": t_end, "step": output / divisor, "output_step": output}
        run = prepare(compiled, method="rk4", coordinates="absolute", **steps)
        results = Results(compiled, run.settings)
        for block in run:
            results.append(block)
        if len(results) != len(times):
            continue  # too long a step: the run failed
        error = float(np.abs(PROBLEMS[id].observe(results) - reference["values"]).max())
        if error <= target:
            return Solved(run, output / divisor, error)
    return None
