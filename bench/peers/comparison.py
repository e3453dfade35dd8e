"""Time to reach a given error on the problems of the collection, by Kardan and by other programs.

Every program is prepared once. A time is that of one run from its start: the steps, and the compared
values at all samples. All that reach an error take turns, and the best of several runs counts.
"""

from collections.abc import Iterator
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from time import perf_counter
from typing import NamedTuple

import numpy as np

from bench.peers import in_exudyn, in_mujoco, in_opensim, in_pinocchio, in_pinocchio_cpp
from bench.peers.drawings import DRAWINGS
from bench.peers.mechanisms import MECHANISMS
from bench.peers.samples import STEPS, Program, Sampler, Span
from bench.tables import Table
from bench.timing import Effort, best_times, progress
from engine.compiling.system import Compiled, compile_model
from engine.results.results import Results
from engine.running.simulate import Run, prepare
from tests.validation.test_problems import ANGLES, PROBLEMS, data

REACHED = "Time to an error on the problems of the collection"
TRIED = "Every setting that was tried on the problems of the collection"
TARGETS = (1e-6, 1e-8)
ENOUGH, MOST = 1.5, 200  # [s] and rounds of short runs: many, as others use the machine too
FEW = 3  # runs of a setting while it is searched for
IN_A_ROW = 3  # runs of each in its turn, for what another has driven from the caches
LONGEST = 3.0  # [s] one run of another program; smaller steps are not tried
TOLERANCES = tuple(10.0 ** (-k / 4) for k in range(16, 53))
STIFF = ("f_flyball",)
TUMBLER = "g_dzhanibekov"
IDS = (
    *("a_pendulum", "b_chain2", "b_chain8", "i_crane", "j_double1285"),
    *("g_dzhanibekov", "c_fourbar1", "c_fourbar2", "d_andrews", "f_flyball"),
)


def _no_way(given: dict, span: Span) -> None:
    """No sampler: the program has no way for a problem here."""


PROGRAMS = (
    Program("exudyn", "Exudyn RK67", in_exudyn.tree("RK67"), in_exudyn.tumbler("RK67")),
    Program("exudyn", "Exudyn RK44", in_exudyn.tree("RK44"), in_exudyn.tumbler("RK44")),
    Program("mujoco", "MuJoCo RK4", in_mujoco.tree, in_mujoco.tumbler),
    Program("pinocchio", "Pinocchio ABA, RK4 in Python", in_pinocchio.tree, _no_way),
    Program("pinocchio", "Pinocchio C++ RK4", in_pinocchio_cpp.tree, _no_way),
    Program(
        "opensim", "OpenSim CPodes", in_opensim.tree, _no_way, in_opensim.TRIED, in_opensim.told
    ),
)
DISTRIBUTIONS = {"exudyn": "exudyn", "mujoco": "mujoco", "pinocchio": "pin", "opensim": "opensim"}


class Reached(NamedTuple):
    """The cheapest setting that reaches an error."""

    name: str
    setting: str
    error: float
    run: partial


class Wanted:
    """A problem: its samples, and the compared columns of its reference."""

    def __init__(self, id: str, share: float, is_plain: bool = False) -> None:
        self.id = id
        self.name = f"{id} of particles" if is_plain else id
        reference = data(id)
        self.given = reference["given"]
        values, names = np.array(reference["values"]), reference.get("observables", [])
        full = values.reshape(len(values), -1)
        self.columns = [
            k for k in range(full.shape[1]) if k >= len(names) or names[k] not in ANGLES
        ]
        n = max(1, round(share * (len(values) - 1)))
        self.draw, self.observe = (
            PROBLEMS[id][:2] if is_plain else DRAWINGS.get(id, PROBLEMS[id][:2])
        )
        self.values = full[: n + 1, self.columns]
        self.tried: dict[tuple[str, str], tuple[float, float]] = {}  # error and time of settings
        interval = self.given["t_end"] / (len(values) - 1)
        self.span = Span(n * interval, n)

    def error(self, found: np.ndarray) -> float:
        """The largest difference from the reference; without end where samples are missing."""
        if found.shape != self.values.shape or not np.isfinite(found).all():
            return np.inf
        return float(np.abs(found - self.values).max())

    def of_kardan(self, run: Run) -> np.ndarray:
        """One run of Kardan: all blocks, and the compared channels."""
        results = Results(run.compiled, run.settings)
        for block in run:
            results.append(block)
        return self.observe(results)[:, self.columns]

    def runs(self, compiled: Compiled) -> Iterator[tuple[float, Run]]:
        """Prepared runs of Kardan by ever smaller tolerances."""
        method = "radau" if self.id in STIFF else "dop853"
        for tolerance in TOLERANCES:
            chosen = {"method": method, "coordinates": "auto", "tolerance": tolerance}
            asked = {"t_end": self.span.t_end, "output_step": self.span.interval}
            yield tolerance, prepare(compiled, **chosen, **asked)

    def by_kardan(self, compiled: Compiled, target: float) -> Reached | None:
        """The largest tolerance that reaches the error."""
        for tolerance, run in self.runs(compiled):
            take, told = partial(self.of_kardan, run), f"tolerance {tolerance:.1e}"
            error = self.error(take())
            self.note("Kardan", told, error, best_times({"": take}, FEW)[""])
            if error <= target:
                name = f"{run.settings.method}, {run.settings.coordinates}"
                return Reached(name, told, error, take)
        return None

    def by(self, program: Program, sampler: Sampler, target: float) -> Reached | None:
        """The largest step of another program that reaches the error."""
        for setting in program.tried:
            began = perf_counter()
            error = self.error(sampler(setting))
            told = program.told(self.span, setting)
            self.note(program.name, told, error, perf_counter() - began)
            if error <= target:
                return Reached(program.name, told, error, partial(sampler, setting))
            if perf_counter() - began > LONGEST / 2:
                return None
        return None

    def note(self, name: str, told: str, error: float, time: float) -> None:
        """Keep what a setting gives and costs, the best of several times; changes `tried`."""
        if np.isfinite(error):
            known = self.tried.get((name, told), (error, np.inf))[1]
            self.tried[name, told] = error, min(time, known)

    def sampler(self, program: Program) -> Sampler | None:
        """The problem in another program, if it has a way."""
        if self.id == TUMBLER:
            return program.tumbler(self.given, self.span)
        return program.tree(MECHANISMS[self.id](self.given), self.span)


def installed() -> list[Program]:
    """The programs that can be imported here."""
    return [program for program in PROGRAMS if find_spec(program.module)]


def versions() -> dict[str, str]:
    """Versions of the other programs that are installed."""
    found = {}
    for name in DISTRIBUTIONS.values():
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def bench(effort: Effort) -> list[Table]:
    """One table of ratios, and one of all programs."""
    here, is_tiny = installed(), effort.share < 0.1
    if not effort.cold:  # a minute of compiling
        here = [program for program in here if program.tree is not in_pinocchio_cpp.tree]
    table = Table(
        REACHED,
        (
            *("problem", "error <=", "Kardan", "set to", "reached", "ms"),
            *("best other", "its step", "its error", "its ms", "other / Kardan"),
        ),
        notes=[
            "Prepared once; a run counts with its steps and the compared values at all samples.",
            "Of particles: Kardan's model has them on a massless rod and on a rail, as the tests draw it;"
            " else a pin and a slider, which the other programs get.",
            "Error: largest difference from the reference, over all samples and components.",
            f"Other programs: the steps of an interval are {', '.join(map(str, STEPS[:6]))}"
            f" and so on; none is tried after a run of {LONGEST / 2:g} s. OpenSim is given accuracies.",
        ],
    )
    names = [program.name for program in here]
    every = Table("Each program on its own [ms]", ("problem", "error <=", "Kardan", *names))
    tried = Table(TRIED, ("problem", "program", "setting", "error", "ms"))
    share = 0.02 if is_tiny else effort.share
    chosen = [(id, False) for id in IDS] + [(id, True) for id in DRAWINGS]
    for id, is_plain in progress(chosen[:1] if is_tiny else chosen, "problems"):
        wanted = Wanted(id, share, is_plain)
        compiled = compile_model(wanted.draw(wanted.given))
        samplers = {p.name: (p, s) for p in here if (s := wanted.sampler(p))}
        for target in TARGETS:
            ours = wanted.by_kardan(compiled, target)
            theirs = [wanted.by(p, sampler, target) for p, sampler in samplers.values()]
            reached = [one for one in theirs if one is not None]
            _add(table, every, (wanted.name, target), ours, reached, names, effort.repeats)
        for (name, told), (error, time) in wanted.tried.items():
            tried.rows.append((wanted.name, name, told, error, 1e3 * time))
    every.notes.append(
        "A dash: it does not reach the error in time, or has no way for the problem."
    )
    tried.notes.append("The best of few runs: those of the other programs are their first ones.")
    return [table, every, tried]


def _add(
    table: Table,
    every: Table,
    head: tuple[str, float],
    ours: Reached | None,
    reached: list[Reached],
    names: list[str],
    repeats: int,
) -> None:
    """Time all that reach the error in turns, and add a row to each table."""
    racing = [*([ours] if ours else []), *reached]
    actions = {one.name: one.run for one in racing}
    round_ = sum(best_times(actions, 1).values())
    more = min(MOST, int(ENOUGH / round_)) if repeats > 1 else 1
    times = best_times(actions, max(repeats, more), IN_A_ROW)
    ms = {name: 1e3 * time for name, time in times.items()}
    best = min(reached, key=lambda one: ms[one.name], default=None)
    row: tuple = (None,) * 4
    if ours:
        row = ours.name, ours.setting, ours.error, ms[ours.name]
    other: tuple = (None,) * 5
    if best:
        ratio = ms[best.name] / ms[ours.name] if ours else None
        other = best.name, best.setting, best.error, ms[best.name], ratio
    table.rows.append((*head, *row, *other))
    every.rows.append((*head, row[3], *(ms.get(name) for name in names)))
