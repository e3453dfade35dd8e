"""Run one model several times, with frames at the same times, and extract the quantities to compare."""

from collections.abc import Callable, Sequence
from math import floor
from typing import Any, NamedTuple

import numpy as np

from engine.compiling.system import Compiled, compile_model
from engine.errors import EngineError, say
from engine.integrators.fixed_steps import COINCIDE
from engine.integrators.stepping import grid_of
from engine.model.elements import Model
from engine.model.fields import plain
from engine.model.methods import AUTO, BY_NAME, Method
from engine.results.channels import matching
from engine.results.results import Results
from engine.running.choosing.choice import OF_FIXED_STEP
from engine.running.simulate import prepare, run

Progress = Callable[[float], bool | None]

GROUPS = {
    "positions": ("q", "m, rad"),
    "velocities": ("v", "m/s, rad/s"),
    "accelerations": ("a", "m/s^2, rad/s^2"),
    "multipliers": ("lam", "N, N m"),
}
AT_TIME = 1e-9  # of a time: a frame this near is there
ROUNDING = 2e-12  # of the largest value: differences below are rounding, gathered over many steps


class Cancelled(Exception):  # noqa: N818, no error
    """The run was cancelled."""


class Quantity(NamedTuple):
    """What is compared between runs."""

    name: str
    unit: str


def run_until(model: Model | Compiled, time: float) -> tuple[Results, int]:
    """A run with the settings of the model, and the frame of it at a time."""
    if not 0.0 <= time < np.inf:
        raise EngineError(
            "There is no time {t:g} s: a run begins at 0 s. Ask for one like 0.5.", t=time
        )
    compiled = model if isinstance(model, Compiled) else compile_model(model)
    between = plain(compiled.resolved.settings.output_step)
    end = time or between
    results = run(compiled, t_end=end, output_step=end / max(1, round(end / between)))
    if time == 0.0:
        return results, 0
    if results.ending is not None and abs(float(results.t[-1]) - time) > AT_TIME * time:
        raise EngineError(
            "The run ends at {end:.4g} s, before {t:g} s: {why} Choose an earlier time.",
            end=float(results.t[-1]),
            t=time,
            why=results.ending.sentence,
        )
    return results, len(results) - 1


class Series:
    """Runs of one model, one after the other, with a common progress."""

    def __init__(self, model: Model | Compiled, progress: Progress | None, **changes: Any) -> None:
        self.compiled = model if isinstance(model, Compiled) else compile_model(model)
        self.settings = prepare(self.compiled, **changes).settings
        self._changes = {**changes, "method": self.settings.method}  # never auto
        self._progress = progress
        self._done, self._all = 0.0, 1.0

    def expect(self, work: float) -> None:
        """Set the total work of all runs, in any unit; changes the scale of progress."""
        self._all = max(work, 1e-300)

    def run(self, work: float = 1.0, **changes: Any) -> Results:
        """One run; raises Cancelled when it is cancelled, be it at its very end.

        A failure is in `results.ending`.
        """
        answer: bool | None = None

        def told(fraction: float) -> bool | None:
            nonlocal answer
            if self._progress is not None:
                answer = self._progress(min((self._done + fraction * work) / self._all, 1.0))
            return answer

        results = run(self.compiled, progress=told, **{**self._changes, **changes})
        self._done += work
        if answer is False:
            raise Cancelled
        return results

    def chosen_by(self, method: str) -> str:
        """The method behind a name: the choice of `auto` for this model, else the name itself."""
        if method == "auto":
            return str(
                prepare(self.compiled, **{**self._changes, "method": method}).settings.method
            )
        return method_of(method).name

    @property
    def method(self) -> Method:
        """The method in the settings."""
        return method_of(self.settings.method)

    @property
    def first_step(self) -> float:
        """The step in the settings: the longest of a study."""
        return float(self.settings.step)

    def at_ends_of_steps(self, step: float) -> dict[str, Any]:
        """Settings with all frames at the ends of such steps: none to change, or near ones."""
        t_end, output = float(self.settings.t_end), float(self.settings.output_step)
        if grid_of(t_end, max(1, round(t_end / output)), step).every:
            return {}
        output = step * max(1, round(output / step))
        return {"output_step": output, "t_end": output * max(1, floor(t_end / output + COINCIDE))}


def method_of(name: str) -> Method:
    """The catalogue entry of a method."""
    if name not in BY_NAME:
        raise EngineError(
            "There is no method '{name}'. Choose one of {listed}.",
            name=name,
            listed=", ".join(BY_NAME),
        )
    return BY_NAME[name]


def in_steps(model: Model | Compiled, changes: dict[str, Any]) -> dict[str, Any]:
    """Changes of settings for a study of steps: a method that takes them, where nobody has chosen one."""
    settings = (model.model if isinstance(model, Compiled) else model).settings
    return {"method": OF_FIXED_STEP, **changes} if settings.method == AUTO else changes


def refuse_adaptive(method: Method, what: str) -> None:
    """Raise for a method that chooses its own steps."""
    if not method.is_fixed:
        fixed = ", ".join(name for name, known in BY_NAME.items() if known.is_fixed)
        raise EngineError(
            "The method '{method}' chooses its own steps, so {what}. Choose one of fixed step "
            "({fixed}), or compare methods: there the tolerance is changed.",
            method=method.name,
            what=what,
            fixed=fixed,
        )


def quantities(compiled: Compiled, chosen: Sequence[str] | None) -> list[Quantity]:
    """Groups of the state by name, and channels by name or pattern; by default all groups."""
    groups = {name: Quantity(name, unit) for name, (_, unit) in GROUPS.items()}
    if not compiled.n_rows:
        del groups["multipliers"]
    if chosen is None:
        return list(groups.values())
    found: dict[str, Quantity] = {}
    for name in [chosen] if isinstance(chosen, str) else chosen:
        if name in groups:
            found[name] = groups[name]
        else:
            for channel in matching(Results(compiled), [name]):
                found[channel.name] = Quantity(channel.name, channel.unit)
    return list(found.values())


def history(results: Results, name: str) -> np.ndarray:
    """The values of a group or a channel in every frame, (n_frames, n)."""
    if name in GROUPS:
        return np.asarray(getattr(results, GROUPS[name][0]))
    return results[name][:, None]


def largest_difference(one: np.ndarray, other: np.ndarray) -> float:
    """The largest |difference| over the frames that both have."""
    n = min(len(one), len(other))
    return float(np.abs(one[:n] - other[:n]).max(initial=0.0))


def in_parts(results: Results) -> str:
    """A sentence about a run some of whose fixed steps were taken in parts; empty if none was."""
    halved = results.statistics.halved if results.statistics is not None else 0
    if not halved:
        return ""
    return say(
        "{n} of its steps were taken in parts, so they do not have the length that the study asks for. Use "
        "shorter steps.",
        n=halved,
    )


def must_succeed(results: Results, what: str) -> None:
    """Raise with the sentence of a run that failed, or whose steps have not the length asked for."""
    if told := in_parts(results):
        raise EngineError("{what}: {reason}", what=what, reason=told)
    ending = results.ending
    if ending is not None and ending.sentence:
        raise EngineError("{what}: {reason}", *ending.ids, what=what, reason=ending.sentence)
