"""Several methods and stabilisations on one model: what each gets right and what it costs.

The error is the largest difference from a reference run, which uses the best method available and is
repeated ten times coarser: the difference of the two says how accurate the reference itself is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from engine.compiling.system import Compiled
from engine.errors import EngineError
from engine.model.elements import Model
from engine.model.methods import BY_NAME, METHOD_NAMES, STABILISATION_NAMES
from engine.results.results import Results
from engine.studies.pictures import COLOURS, Chart, Curve, figure
from engine.studies.runs import (
    Cancelled,
    Progress,
    Quantity,
    Series,
    history,
    in_parts,
    largest_difference,
    quantities,
)
from engine.studies.tables import text_table, write_table

REFERENCES = ("dop853", "dopri5", "rk4", "radau", "ida")  # tried in this order
TIGHT = 1e-12  # tolerance of an adaptive reference
FINER = 8  # how much shorter the step of a reference of fixed step is
ITSELF = "itself"  # the stabilisation of a direct method, which closes the joints by itself
COARSER = 10.0  # how much coarser it is repeated to estimate its accuracy

DASHES = ("", "7 4", "2 3", "9 3 2 3", "4 2", "1 4", "12 4")  # of the stabilisations

HEAD = (
    *("method", "stabilisation", "step [s]", "tolerance", "error", "energy error [J]"),
    *("largest |Phi|", "steps", "rejected", "evaluations", "time [ms]", "remark"),
)


@dataclass(frozen=True, slots=True)
class ComparisonRow:
    """One run of the comparison; numbers are None where it failed."""

    method: str
    stabilisation: str
    step: float | None  # [s] of a method of fixed step
    tolerance: float | None  # of an adaptive one
    error: float | None = None  # largest difference from the reference
    energy_error: float | None = None  # [J] largest error of the work balance
    gap: float | None = None  # largest |Phi| in a frame
    steps: int | None = None
    rejected: int | None = None
    evaluations: int | None = None
    wall_time: float | None = None  # [s] the best of several
    remark: str = ""

    @property
    def cells(self) -> list[Any]:
        """The row of the table."""
        wall = None if self.wall_time is None else 1e3 * self.wall_time
        return [
            *(self.method, self.stabilisation, self.step, self.tolerance, self.error),
            *(self.energy_error, self.gap, self.steps, self.rejected, self.evaluations),
            *(wall, self.remark),
        ]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Methods and stabilisations side by side on one model."""

    model: str
    compared: tuple[str, ...]  # the quantities behind the error
    reference: str  # how it was made
    known_to: float  # estimated error of the reference
    rows: tuple[ComparisonRow, ...]
    is_complete: bool  # False: cancelled

    def table(self) -> str:
        """The table as text, with what the reference is."""
        about = (
            f"Model {self.model or 'unnamed'}: largest difference of {', '.join(self.compared)} from "
            f"{self.reference}, which is known to {self.known_to:.1g}."
        )
        cells = [row.cells for row in self.rows]
        keep = [
            c for c, title in enumerate(HEAD) if title == "method" or any(row[c] for row in cells)
        ]
        head = [HEAD[c] for c in keep]
        lines = [[row[c] for c in keep] for row in cells]
        end = [] if self.is_complete else ["Cancelled before the end."]
        return "\n".join([about, text_table(head, lines), *end])

    def write_csv(self, path: str | Path) -> None:
        """Write the table with all digits."""
        write_table(path, HEAD, [row.cells for row in self.rows])

    def picture(self) -> str:
        """Error against evaluations and against wall time, as SVG.

        Colour and marker stand for the method, dashes for the stabilisation.
        """
        charts = [self.chart("evaluations"), self.chart("wall_time")]
        return figure(charts, f"Work and precision: {self.model or 'unnamed'}")

    def chart(self, what: str) -> Chart:
        """Error against evaluations, or against wall_time."""
        methods = list(dict.fromkeys(row.method for row in self.rows))
        ways = list(dict.fromkeys(row.stabilisation for row in self.rows))
        curves = []
        for name, rows in self._curves().items():
            k, way = methods.index(rows[0].method), ways.index(rows[0].stabilisation)
            x = np.array([getattr(row, what) for row in rows])
            colour, dash = COLOURS[k % len(COLOURS)], DASHES[way % len(DASHES)]
            curves.append(Curve(name, x, _errors(rows), colour=colour, dash=dash, shape=k))
        title = {"wall_time": "wall time [s]"}.get(what, what)
        return Chart(title, f"error of {', '.join(self.compared)}", curves, log_x=True, log_y=True)

    def _curves(self) -> dict[str, list[ComparisonRow]]:
        """The rows that have an error, by method and stabilisation."""
        several = len({row.stabilisation for row in self.rows}) > 1
        curves: dict[str, list[ComparisonRow]] = {}
        for row in self.rows:
            if row.error is not None and row.wall_time:
                name = f"{row.method}, {row.stabilisation}" if several else row.method
                curves.setdefault(name, []).append(row)
        return curves


def _errors(rows: list[ComparisonRow]) -> np.ndarray:
    """The errors of a curve, kept above zero because the axis is logarithmic."""
    return np.array([max(row.error or 0.0, 1e-16) for row in rows])


def compare(
    model: Model | Compiled,
    methods: Sequence[str] | None = None,
    stabilisations: Sequence[str] | None = None,
    *,
    steps: Sequence[float] | None = None,
    tolerances: Sequence[float] | None = None,
    channels: Sequence[str] | None = None,
    reference: Results | None = None,
    repeats: int = 3,
    progress: Progress | None = None,
    **changes: Any,
) -> Comparison:
    """Run every method with every stabilisation, and with every step or tolerance if several are given.

    Direct methods close the joints by themselves, so they have one row each, whatever is asked for.

    By default all methods, with the stabilisation, step and tolerance of the model. The error
    is that of `channels`, the positions by default. Wall times are the best of `repeats` runs. A
    run that fails becomes a row with its sentence. `changes` replace settings of the model.
    """
    series = Series(model, progress, **changes)
    wanted = list(BY_NAME) if methods is None else methods
    names = list(dict.fromkeys(series.chosen_by(name) for name in wanted))
    ways = tuple(stabilisations or (series.settings.stabilisation,))
    if strange := [way for way in ways if way not in STABILISATION_NAMES]:
        raise EngineError(
            "There is no stabilisation '{strange}'. Choose one of {listed}.",
            strange=strange[0],
            listed=", ".join(STABILISATION_NAMES),
        )
    chosen = quantities(series.compiled, channels or ("positions",))
    cases = _cases(series, names, ways, steps, tolerances)
    series.expect(len(cases) * max(repeats, 1) + 3.0)
    how, known_to, rows = "a reference that was not finished", np.nan, []
    try:
        exact, how, known_to = _reference(series, reference, chosen, cases)
        for case in cases:
            rows.append(_measured(series, case, exact, chosen, max(repeats, 1)))
    except Cancelled:
        pass
    return Comparison(
        *(series.compiled.model.name, tuple(one.name for one in chosen), how, known_to),
        *(tuple(rows), len(rows) == len(cases)),
    )


def _cases(
    series: Series,
    names: Sequence[str],
    ways: Sequence[str],
    steps: Sequence[float] | None,
    tolerances: Sequence[float] | None,
) -> list[dict[str, Any]]:
    """The settings of every run."""
    settings = series.settings
    grids = {
        True: [{"step": float(h)} for h in steps or (settings.step,)],
        False: [{"tolerance": float(one)} for one in tolerances or (settings.tolerance,)],
    }
    return [
        {"method": name, "stabilisation": way, **case}
        for name in names
        for way in ((ITSELF,) if BY_NAME[name].is_direct else ways)
        for case in grids[BY_NAME[name].is_fixed]
    ]


def _reference(
    series: Series, given: Results | None, chosen: list[Quantity], cases: list[dict[str, Any]]
) -> tuple[Results, str, float]:
    """The reference, how it was made, and its estimated error."""
    if given is not None:
        return given, "the given reference", np.nan
    shortest = min([case["step"] for case in cases if "step" in case], default=series.first_step)
    for name in REFERENCES:
        if name not in METHOD_NAMES:
            continue
        made, finer = f"a run by {name} with", {"tolerance": TIGHT}
        coarser = {"tolerance": TIGHT * COARSER}
        if BY_NAME[name].is_fixed:
            finer, coarser = {"step": shortest / FINER}, {"step": 2 * shortest / FINER}
        settings = {"method": name, "stabilisation": "projection"}
        exact = series.run(2.0, **settings, **finer)
        if exact.ending is not None and exact.ending.reason == "done":
            rough = series.run(1.0, **settings, **coarser)
            known_to = max(_error(rough, exact, one) for one in chosen)
            what, value = next(iter(finer.items()))
            return exact, f"{made} {what} {value:.2g}", known_to
    raise EngineError(
        "No method reaches the end of this run with a tight tolerance, so there is no reference to compare "
        "with. Use a shorter end time, or give a reference."
    )


def _measured(
    series: Series,
    case: dict[str, Any],
    exact: Results,
    chosen: list[Quantity],
    repeats: int,
) -> ComparisonRow:
    """One row: run several times, compare once."""
    about: dict[str, Any] = {"step": None, "tolerance": None, **case}
    case = {name: value for name, value in case.items() if value != ITSELF}
    try:
        results = series.run(**case)
    except EngineError as error:
        return ComparisonRow(**about, remark=error.sentence)
    assert results.ending is not None and results.statistics is not None
    if results.ending.reason != "done":
        return ComparisonRow(**about, remark=results.ending.sentence)
    if told := in_parts(results):
        return ComparisonRow(**about, remark=told)
    runs = [results, *(series.run(**case) for _ in range(repeats - 1))]
    best = min(one.statistics.wall_time for one in runs if one.statistics is not None)
    return ComparisonRow(
        **about,
        error=max(_error(results, exact, one) for one in chosen),
        energy_error=float(np.abs(results["energy_drift"]).max()),
        gap=float(results["constraint_violation"].max()),
        steps=results.statistics.steps,
        rejected=results.statistics.rejected,
        evaluations=results.statistics.evaluations,
        wall_time=best,
    )


def _error(results: Results, exact: Results, one: Quantity) -> float:
    """The largest difference of one quantity from the reference."""
    if len(results) != len(exact):
        raise EngineError("The reference has other frames. Run it with the same output step.")
    return largest_difference(history(results, one.name), history(exact, one.name))
