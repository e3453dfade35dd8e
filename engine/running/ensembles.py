"""Many runs of one model with other values of its parameters.

    ensemble = many(model, {"angle": np.linspace(0.0, 0.1, 1000)}, t_end=10)
    ensemble.q[:, -1]                     the last poses of all runs
    ensemble.results(7)["rod_1.angle"]    the channels of one of them

Where parameters only say where bodies of a planar model stand at rest, all runs are one call of compiled
code; else the model is compiled for each of them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from math import cos, sin
from typing import Any

import numpy as np

from engine.compiling.system import Compiled, linked, workspace
from engine.errors import EngineError
from engine.formulas.expressions import names, parse, value
from engine.formulas.resolve import parameter_values
from engine.integrators.adaptive import N_STATE
from engine.integrators.controlled.ensemble import Members, Origin, advance_all
from engine.integrators.controlled.steppers import AdaptiveStepper
from engine.integrators.pairs import dormand_prince, dormand_prince_8
from engine.integrators.problem import room_for_frames
from engine.kernels import histories
from engine.kernels.entries import DONE
from engine.model.elements import Id, Model
from engine.model.fields import plain
from engine.model.methods import JOINT
from engine.results.blocks import Block
from engine.results.results import Results
from engine.running.formulation import TOLERANCE
from engine.running.readiness import Ready
from engine.running.simulate import Run, prepare
from engine.trees.packing import states_at_rest

AT_ONCE = 64  # runs of compiled code between two looks at `progress`
MOST_STEPS = 10**7  # of one run
PAIRS = {"dop853": dormand_prince_8, "dopri5": dormand_prince}
PLACES = ("position", "angle")  # of a body: where it stands at the start


@dataclass(frozen=True, slots=True)
class Ensemble:
    """The frames of many runs; a run that failed has numbers only up to where it came."""

    compiled: Compiled  # of the first run
    run: Run
    parameters: dict[str, np.ndarray]  # each (n_runs,)
    is_done: np.ndarray  # (n_runs,) whether it reached its end
    evaluations: np.ndarray  # (n_runs,) of accelerations
    t: np.ndarray  # (n_frames,)
    q: np.ndarray  # (n_runs, n_frames, n_q)
    v: np.ndarray
    a: np.ndarray
    lam: np.ndarray

    def __len__(self) -> int:
        return len(self.is_done)

    def results(self, k: int) -> Results:
        """The frames of run number k, for channels of its motion and its forces."""
        run = self.run.again(**{name: float(x[k]) for name, x in self.parameters.items()})
        n, results = len(self.t), Results(run.compiled, run.settings)
        n_bodies, layout = run.compiled.system.n_bodies, run.compiled.layout
        results.append(
            Block(
                *(self.t, self.q[k], self.v[k], self.a[k], self.lam[k]),
                *(np.zeros(n), np.ones(n), np.full(n, -1)),
                norm=np.ones((n, n_bodies if layout.dim == 3 else 0)),
                z=np.full((n, layout.n_z), np.nan),
                work=np.full((n, layout.n_work), np.nan),
                hand=np.zeros(n),
            )
        )
        return results


def many(
    model: Model,
    parameters: Mapping[str, Sequence[float] | np.ndarray],
    *,
    progress: Callable[[float], bool | None] | None = None,
    last_only: bool = False,
    **changes: Any,
) -> Ensemble:
    """Run a model for each set of values of its parameters; `last_only`: keep the last frames alone.

    `changes` replace settings of the model. `progress` gets the fraction done and may return False: the
    runs that are left count as not done then.
    """
    values = {name: np.asarray(given, dtype=float).ravel() for name, given in parameters.items()}
    if not values or len({len(given) for given in values.values()}) != 1:
        raise EngineError("Give each parameter of an ensemble as many values as there are runs.")
    if not len(next(iter(values.values()))):
        raise EngineError("An ensemble needs at least one run: give its parameters values.")
    first = prepare(model, **changes).again(**{name: float(x[0]) for name, x in values.items()})
    if last_only:
        t_end = float(first.settings.t_end)
        first = prepare(first.compiled, **{**first.changes, "output_step": t_end})
    q = _starts(first, values) if _only_places(first, set(values)) else None
    ensemble = _room(first, values, last_only)
    pieces = _one_by_one(first, ensemble, last_only) if q is None else _at_once(first, q, ensemble)
    for done in pieces:
        if progress is not None and progress(done / len(ensemble)) is False:
            break
    return ensemble


def _room(run: Run, values: dict[str, np.ndarray], last_only: bool) -> Ensemble:
    """An ensemble of which nothing has run."""
    n_runs, grid, at = len(next(iter(values.values()))), run.grid(), run.compiled.layout
    times = np.linspace(0.0, grid.t_end, grid.n_frames + 1)[-1 if last_only else 0 :]
    shape = n_runs, len(times)
    return Ensemble(
        compiled=run.compiled,
        run=run,
        parameters=values,
        is_done=np.zeros(n_runs, dtype=bool),
        evaluations=np.zeros(n_runs, dtype=np.int64),
        t=times,
        q=np.full((*shape, at.n_q), np.nan),
        v=np.full((*shape, at.n_v), np.nan),
        a=np.full((*shape, at.n_v), np.nan),
        lam=np.full((*shape, run.compiled.n_rows), np.nan),
    )


def _one_by_one(run: Run, ensemble: Ensemble, last_only: bool) -> Iterator[int]:
    """Run each member for itself; fills the ensemble."""
    for k in range(len(ensemble)):
        own = run.again(**{name: float(x[k]) for name, x in ensemble.parameters.items()})
        blocks = list(own)
        ensemble.is_done[k] = own.ending.reason == "done"
        ensemble.evaluations[k] = own.statistics.evaluations
        columns = [np.concatenate([getattr(b, c) for b in blocks]) for c in ("q", "v", "a", "lam")]
        if last_only:
            columns = [column[-1:] for column in columns]
        for kept, column in zip((ensemble.q, ensemble.v, ensemble.a, ensemble.lam), columns):
            if not last_only or ensemble.is_done[k]:
                kept[k, : len(column)] = column
        yield k + 1


def _at_once(run: Run, q: np.ndarray, ensemble: Ensemble) -> Iterator[int]:
    """Run all members in compiled code, a few at a time; fills the ensemble."""
    ready = Ready(run)
    problem, ws, y = ready.start()
    stepper = AdaptiveStepper(
        problem, y, ready.grid, PAIRS[run.settings.method](), plain(run.settings.tolerance)
    )
    n, n_kept, shown = len(q), len(ensemble.t), problem.n_shown or len(y)
    starts = np.tile(y, (n, 1))
    if run.settings.coordinates == JOINT:
        states_at_rest(problem, q, starts)
    else:
        starts[:, : q.shape[1]] = q
    kept = n, n_kept
    members = Members(
        y=starts,
        angle=np.tile(ws.angle, (n, 1)),
        status=np.zeros(n, dtype=np.int64),
        steps=np.zeros(n, dtype=np.int64),
        evaluations=np.zeros(n, dtype=np.int64),
        n_frames=np.zeros(n, dtype=np.int64),
        t=np.full(kept, np.nan),
        shown=np.full((*kept, shown), np.nan),
        rates=np.full((*kept, shown), np.nan),
        lam=np.full((*kept, len(problem.lam)), np.nan),
    )
    origin = Origin(ready.memory, ready.memory.copy(), ws.angle)
    frames = room_for_frames(shown, len(problem.lam), len(problem.since), ready.grid.n_frames + 2)
    state, layout = np.zeros(N_STATE), run.compiled.layout
    for begin in range(0, n, AT_ONCE):
        end = min(begin + AT_ONCE, n)
        advance_all(
            problem.table,
            problem.lam,
            problem.since,
            origin,
            stepper.pair,
            stepper.scratch,
            stepper.switches,
            frames,
            stepper.times,
            stepper.control,
            state,
            MOST_STEPS,
            y,
            members,
            begin,
            end,
        )
        ensemble.is_done[begin:end] = members.status[begin:end] == DONE
        part = slice(begin, end)
        ensemble.q[part], ensemble.v[part], _ = layout.parts(members.shown[part])
        ensemble.a[part], ensemble.lam[part] = (
            layout.parts(members.rates[part])[1],
            members.lam[part],
        )
        ensemble.evaluations[part] = members.evaluations[part]
        yield end


def _only_places(run: Run, varied: set[str]) -> bool:
    """Whether parameters only say where bodies of a plane stand, at rest, and nothing acts but loads.

    What laws and contacts keep as drawn would follow the pose.
    """
    compiled, model = run.compiled, run.compiled.model
    system = compiled.system
    acting = system.laws, system.interactions, system.driven, system.switches
    if system.dim == 3 or run.settings.method not in PAIRS or any(map(len, acting)):
        return False
    if run.start.v.any():
        return False
    affected = set(varied)
    for _ in range(len(model.elements)):
        more = {p.id for p in model.of("parameter") if affected & _names_in(p.value)}
        if more <= affected:
            break
        affected |= more
    for element in model:
        if element.family == "parameter":
            continue
        free = PLACES if element.family == "body" else ()
        for f in fields(element):
            if f.name not in free and affected & _names_in(getattr(element, f.name)):
                return False
    return not affected & (_names_in(model.settings) | _names_in(model.gravity))


def _names_in(held: Any) -> set[str]:
    """The names in all formulas of what a field holds; words that are no formulas have none that matter."""
    if isinstance(held, str):
        try:
            return set(names(parse(held)))
        except EngineError:
            return set()
    if isinstance(held, tuple | list):
        return set().union(*map(_names_in, held))
    if is_dataclass(held) and not isinstance(held, type):
        return set().union(*(_names_in(getattr(held, f.name)) for f in fields(held)))
    return set()


def _starts(run: Run, values: dict[str, np.ndarray]) -> np.ndarray | None:
    """The poses from which all runs begin, (n_runs, n_q); None where one of them is not closed as drawn.

    Those that were moved when the first run was assembled are not closed either.
    """
    compiled, model, at = run.compiled, run.compiled.model, run.compiled.layout
    moved = [(k, model[id]) for k, id in enumerate(compiled.body_ids) if _is_varied(model, id)]
    q = np.tile(run.start.q, (len(next(iter(values.values()))), 1))
    for n in range(len(q)):
        chosen = {name: float(x[n]) for name, x in values.items()}
        known = parameter_values(run.with_parameters(**chosen))
        for k, body in moved:
            angle = value(getattr(body, "angle", 0.0), known)
            x, y = compiled.center[k, :2]
            c, s = cos(angle), sin(angle)
            origin = value(body.position[0], known), value(body.position[1], known)
            q[n, at.position(k)] = origin[0] + c * x - s * y, origin[1] + s * x + c * y
            if not compiled.is_particle[k]:
                q[n, at.orientation(k)] = angle
    ws = workspace(compiled.system)
    gap, slip = np.zeros(len(q)), np.zeros(len(q))
    y = np.array([at.y(one, run.start.v, compiled.z0) for one in q])
    rates = np.zeros(max(at.n_y, len(compiled.system.terms)))
    histories.violations(linked(compiled.system, ws), np.zeros(len(q)), y, rates, gap, slip)
    return q if gap.max(initial=0.0) <= TOLERANCE * max(compiled.length, 1.0) else None


def _is_varied(model: Model, id: Id) -> bool:
    """Whether formulas say where a body stands."""
    return any(_names_in(getattr(model[id], name, None)) for name in PLACES)
