"""Time to reach a given error on two published problems with beams, by Kardan and by Exudyn.

The spin-up beam of Kane, Simo and Vu-Quoc is compared by its tip, with its stretch, and the slider-crank of
Koppens by the middle of its rod, at the samples of an independent, geometrically exact computation. The
quickest settings of both programs that reach the error take turns; the best processor time of several runs
counts, with its steps and the compared values at all samples.
"""

import json
from collections.abc import Callable, Iterable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

import numpy as np

from bench.peers import flexible_in_exudyn
from bench.tables import Table
from bench.timing import Effort, best_times, progress
from engine.compiling.system import compile_model
from engine.results.results import Results
from engine.running.simulate import Run, prepare
from tests.validation.test_beams import slider_crank, spin_up

REFERENCES = Path(__file__).parents[2] / "tests" / "data" / "flexible.json"
HEADS = (
    *("problem", "error <=", "Kardan", "reached", "ms"),
    *("Exudyn, cable elements", "its error", "its ms", "Exudyn / Kardan"),
)
SLACK = 3.0  # a setting that took this many times the best of its program is not timed again


class Setting(NamedTuple):
    """One way to compute a problem."""

    name: str
    run: Callable[[], np.ndarray]  # the values at all samples


class Problem(NamedTuple):
    """A published problem: samples, the errors that are wanted, and settings of both programs."""

    name: str
    t: np.ndarray
    values: np.ndarray  # (samples, quantities)
    targets: tuple[float, ...]
    ours: list[Setting]
    theirs: list[Setting]

    def error(self, found: np.ndarray) -> float:
        """The largest difference from the reference; without end where a run failed."""
        if found.shape != self.values.shape or not np.isfinite(found).all():
            return np.inf
        return float(np.abs(found - self.values).max())


def bench(effort: Effort) -> list[Table]:
    """One table of ratios at equal error."""
    table = Table(
        "Flexible bodies: time to an error, beside cable elements",
        HEADS,
        notes=[
            "Prepared once; a run counts with its steps and the compared values at all samples, by"
            " processor time.",
            "Error: largest difference from a geometrically exact beam, over all samples, in metres.",
            "Exudyn: ANCF cable elements, generalised-alpha, the better of full and modified Newton, its"
            f" residual below {flexible_in_exudyn.ABSOLUTE:g} N: its own 1e-10 N takes ten times as long.",
        ],
    )
    for problem in progress([_spin_up(effort), _slider_crank(effort)], "problems"):
        ours, theirs = (
            [(one, *_tried(problem, one)) for one in settings]
            for settings in (problem.ours, problem.theirs)
        )
        for target in problem.targets:
            _add(table, problem, target, ours, theirs, effort.repeats)
    return [table]


def _tried(problem: Problem, one: Setting) -> tuple[float, float]:
    """The error of a setting, and about how much processor time it takes [s]."""
    one.run()  # compiled, and its tables filled
    before = process_time()
    found = one.run()
    return problem.error(found), process_time() - before


def _add(
    table: Table,
    problem: Problem,
    target: float,
    ours: list[tuple[Setting, float, float]],
    theirs: list[tuple[Setting, float, float]],
    repeats: int,
) -> None:
    """Time what reaches an error in turns, and add a row."""
    good = [[one for one in found if one[1] <= target] for found in (ours, theirs)]
    near = [[x for x in some if x[2] <= SLACK * min(y[2] for y in some)] for some in good]
    racing = {one.name: one.run for some in near for one, _, _ in some}
    times = best_times(racing, repeats, clock=process_time)
    row: list[Any] = [problem.name, target]
    best = []
    for some in near:
        if not some:
            row += [None, None, None]
            continue
        one, error, _ = min(some, key=lambda x: times[x[0].name])
        best.append(times[one.name])
        row += [one.name, error, 1e3 * times[one.name]]
    table.rows.append((*row, best[1] / best[0] if len(best) == 2 else None))


# --- the problems


def _spin_up(effort: Effort) -> Problem:
    """F12, with its stretch."""
    t, values, t_end = _reference("F12", ("u", "v"), effort)

    def observe(results: Results, tip: str, hub: str) -> np.ndarray:
        x, y, turn = results[[f"{tip}.x", f"{tip}.y", f"{hub}.angle"]].T
        c, s = np.cos(turn), np.sin(turn)
        return np.column_stack([c * x + s * y - 10.0, c * y - s * x])

    m, hub, tip = spin_up(stretch=1, elements=16)
    seen = partial(observe, tip=tip, hub=hub)
    ways: list[dict[str, Any]] = [
        {"method": "rk4", "step": 1.5e-3},
        {"method": "generalised_alpha", "step": 1e-2},
        {"method": "generalised_alpha", "step": 5e-3},
        {"method": "radau", "tolerance": 1e-3},
        {"method": "radau", "tolerance": 3e-4},
        {"method": "radau", "tolerance": 1e-4},
    ]
    ours = _of_kardan(m, ways, seen, t_end, len(t) - 1)
    grid = [(4, 1e-2), (4, 5e-3), (5, 1e-2), (5, 0.25 / 33), (5, 5e-3), (6, 0.25 / 33), (6, 5e-3)]
    theirs = _of_exudyn(flexible_in_exudyn.spin_up, grid, t_end, len(t) - 1)
    return Problem("spin-up beam", t, values, (5e-4, 2e-4), ours, theirs)


def _slider_crank(effort: Effort) -> Problem:
    """F13; Exudyn with the stretch that its elements have, so that only the deflection is compared."""
    t, values, t_end = _reference("F13", ("d",), effort)

    def observe(results: Results, middle: str) -> np.ndarray:
        return np.asarray(results[f"{middle}.deflection"])[:, None]

    ours = []
    for modes, ways in (
        (1, [{"method": "rk4", "step": 5e-4}, {"method": "dop853", "tolerance": 1e-5}]),
        (
            3,
            [
                {"method": "rk4", "step": 1.6e-4},
                {"method": "rk4", "step": 1.25e-4},
                {"method": "dop853", "tolerance": 1e-4},
                {"method": "dop853", "tolerance": 1e-5},
            ],
        ),
    ):
        m, _, middle, _ = slider_crank(modes=modes)
        seen = partial(observe, middle=middle)
        some = _of_kardan(m, ways, seen, t_end, len(t) - 1)
        ours += [one._replace(name=f"{one.name}, {modes} shapes") for one in some]
    grid = [(2, 1e-4), (4, 2e-4), (4, 1e-4), (4, 5e-5), (6, 1e-4), (8, 5e-5)]

    def deflection(n: int) -> flexible_in_exudyn.Solve:
        solve = flexible_in_exudyn.slider_crank(n)
        return lambda *how: solve(*how)[:, 1:]

    theirs = _of_exudyn(deflection, grid, t_end, len(t) - 1)
    return Problem("slider-crank", t, values, (5e-5, 2e-5), ours, theirs)


def _reference(id: str, names: Iterable[str], effort: Effort) -> tuple[np.ndarray, Any, float]:
    """Times, values and end of the samples that are compared."""
    given = json.loads(REFERENCES.read_text("utf-8"))
    found = given[id]["samples"]
    t = np.array(found["t"])
    t = t[: 1 + max(1, round(effort.share * (len(t) - 1)))]
    values = np.column_stack([found[name][: len(t)] for name in names])
    return t, values, float(t[-1])


def _of_kardan(
    m: Any, ways: list[dict[str, Any]], observe: Any, t_end: float, samples: int
) -> list[Setting]:
    """Prepared runs of Kardan."""
    compiled = compile_model(m.model)
    asked = {"t_end": t_end, "output_step": t_end / samples}
    found = []
    for way in ways:
        name = ", ".join(f"{key} {value:g}" for key, value in way.items() if key != "method")
        run = prepare(compiled, **asked, **way)
        found.append(Setting(f"{way['method']}, {name}", partial(_results, run, observe)))
    return found


def _results(run: Run, observe: Any) -> np.ndarray:
    """One run: all blocks, and the compared values."""
    results = Results(run.compiled, run.settings)
    for block in run:
        results.append(block)
    return np.asarray(observe(results))


def _of_exudyn(
    build: Callable[[int], flexible_in_exudyn.Solve],
    grid: list[tuple[int, float]],
    t_end: float,
    samples: int,
) -> list[Setting]:
    """Assembled systems of Exudyn, if it is installed; the fewest elements and longest steps first."""
    if not find_spec("exudyn"):
        return []
    found = []
    for n, step in grid:
        solve = build(n)
        for newton in flexible_in_exudyn.NEWTON:
            name = f"{n} elements, step {step:g}, {newton}"
            steps = max(1, round(t_end / samples / step)) * samples
            found.append(Setting(name, partial(solve, t_end / steps, t_end, samples, newton)))
    return found
