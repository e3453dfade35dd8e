"""The planar chain against a recursion written for it alone, and against the same chain in space."""

from collections.abc import Callable
from functools import partial

import numpy as np

from bench.chains import angles, chain, finish, n_steps, sizes, steps
from bench.recursion import NO_COMPILER, Recursion, recursion
from bench.tables import Table
from bench.timing import Effort, best_times, progress

CHECKED_STEPS = 100
AGREEMENT = 1e-9  # [rad] the same method on the same equations: only rounding and drift differ
STABILISATIONS = {"none": "none", "projected": "projection"}


def bench_plane(effort: Effort) -> list[Table]:
    """Microseconds per RK4 step of the planar chain, and how they compare with the recursion."""
    table = Table(
        "Planar chain of N rods, microseconds per RK4 step",
        (
            *("N", "C", "joint", "none", "projected"),
            *("joint/C", "none/C", "projected/C", "difference [rad]", "agrees"),
        ),
        notes=[
            "C: a recursion for this chain only. joint: joint coordinates. none, projected: absolute ones, "
            "with Kardan's stabilisation."
        ],
    )
    with recursion() as by_hand:
        if by_hand is None:
            table.notes.append(NO_COMPILER)
        for n in progress(sizes(effort), "planar chain"):
            table.rows.append(_row(n, n_steps(effort, n), effort.repeats, by_hand))
    table.notes.append(
        f"Difference of the angles after {CHECKED_STEPS} steps, largest of both ways."
    )
    return [table]


def _row(n: int, count: int, repeats: int, by_hand: Recursion | None) -> tuple:
    """One size: times, ratios and the agreement."""
    compiled = chain(n)
    runs = {name: steps(compiled, count, way) for name, way in STABILISATIONS.items()}
    runs["joint"] = steps(compiled, count, "projection", "joint")
    actions: dict[str, Callable[[], object]] = {
        name: partial(finish, run) for name, run in runs.items()
    }
    if by_hand is not None:
        actions["C"] = partial(by_hand.angles, n, count)
    best = {name: 1e6 * t / count for name, t in best_times(actions, repeats).items()}
    ours, C = [best[name] for name in ("joint", *STABILISATIONS)], best.get("C")
    if by_hand is None or C is None:
        return n, None, *ours, None, None, None, None, None
    expected = by_hand.angles(n, CHECKED_STEPS)
    ends = [finish(steps(compiled, CHECKED_STEPS, way)) for way in STABILISATIONS.values()]
    ends.append(finish(steps(compiled, CHECKED_STEPS, "projection", "joint")))
    gap = max(float(np.abs(angles(compiled, q) - expected).max()) for q in ends)
    return n, C, *ours, *(one / C for one in ours), gap, gap <= AGREEMENT


def bench_space(effort: Effort) -> list[Table]:
    """The same chain in space, and the growth of the time with N for both."""
    table = Table(
        "Chain of N rods in space over the same in the plane, microseconds per RK4 step",
        ("N", "plane", "space", "space/plane", "projected: plane", "space ", "space/plane "),
        notes=["Left without stabilisation, right with projection."],
    )
    columns: dict[tuple[str, int], list[float]] = {}
    for n in progress(sizes(effort), "chain in space"):
        count = n_steps(effort, n)
        runs = {
            (name, dim): steps(chain(n, dim), count, way)
            for name, way in STABILISATIONS.items()
            for dim in (2, 3)
        }
        actions: dict[str, Callable[[], object]] = {
            f"{name} {dim}": partial(finish, run) for (name, dim), run in runs.items()
        }
        best = best_times(actions, effort.repeats)
        row: list[float] = []
        for name in STABILISATIONS:
            plane, space = (1e6 * best[f"{name} {dim}"] / count for dim in (2, 3))
            row += [plane, space, space / plane]
            columns.setdefault((name, 2), []).append(plane)
            columns.setdefault((name, 3), []).append(space)
        table.rows.append((n, *row))
    return [table, _growth(sizes(effort), columns)]


def _growth(n: list[int], columns: dict[tuple[str, int], list[float]]) -> Table:
    """The exponent p of time ~ N^p, fitted to the longer half of the chains."""
    table = Table("Growth: time ~ N^p", ("where", "stabilisation", "N", "p"))
    half = len(n) // 2 if len(n) > 3 else 0
    for (name, dim), times in columns.items():
        p = float(np.polyfit(np.log(n[half:]), np.log(times[half:]), 1)[0])
        table.rows.append(("plane" if dim == 2 else "space", name, f"{n[half]}..{n[-1]}", p))
    table.notes.append("A method for chains and trees must have p near 1.")
    return table
