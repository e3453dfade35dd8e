"""Opens one step: replays it, compares it with the engine's own, and tells what was found.

The step is taken as the first of a run that starts at the state of interest, so methods that remember
earlier steps have nothing to remember.
"""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from engine.compiling.system import Compiled, compile_model
from engine.errors import EngineError, say
from engine.integrators import stepper_for
from engine.integrators.direct import FAMILY
from engine.integrators.explicit import TABLEAUS
from engine.integrators.stepping import Grid
from engine.kernels.entries import AFTER_CORRECTION, DONE, correct, derive
from engine.kernels.layout import PROJECTED
from engine.kinematics.evaluate import mass_matrix
from engine.model.elements import Id, Model
from engine.model.fields import plain
from engine.model.methods import ABSOLUTE, BY_NAME, METHOD_NAMES, STABILISATION_NAMES
from engine.running.simulate import Run, prepare
from engine.studies.microscope.iterations import direct, on_the_ode
from engine.studies.microscope.matrices import Matrix, newton, schur
from engine.studies.microscope.names import (
    BODIES,
    JOINTS,
    PLACES,
    RATES,
    Equation,
    in_order,
    of_motion,
    of_states,
)
from engine.studies.microscope.stages import cromer, explicit
from engine.studies.microscope.workbench import Replay, Stage, Workbench
from engine.studies.runs import run_until
from engine.studies.tables import write_table

ON_THE_ODE = ("implicit_euler", "trapezoid")
SUPPORTED = (*TABLEAUS, "euler_cromer", *ON_THE_ODE, *FAMILY)
MOST = 400  # unknowns of a matrix that is shown and solved as a whole
State = tuple[np.ndarray, np.ndarray, np.ndarray | None]


@dataclass(frozen=True)
class Opened:
    """A step opened up; residuals and unknowns are in the order of `equations`."""

    compiled: Compiled
    method: str
    t: float
    h: float
    stabilisation: str
    equations: tuple[Equation, ...]
    stages: tuple[Stage, ...]
    matrix: Matrix
    start: np.ndarray  # q and v where the step begins ...
    end: np.ndarray  # ... and where the replay ends
    differs: float  # the largest difference from where the engine ends
    projected: float  # by how much the joints are moved afterwards; 0: they are not

    @property
    def is_newton(self) -> bool:
        """Whether its stages are iterations of Newton's method."""
        return self.method in (*ON_THE_ODE, *FAMILY)

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups of equations: bodies and joints, or places and rates."""
        return tuple(dict.fromkeys(one.group for one in self.equations))

    def worst(self, stage: Stage, group: str) -> tuple[float, Equation]:
        """The largest residual of a stage among the equations of a group, and whose it is."""
        of = [k for k, one in enumerate(self.equations) if one.group == group]
        k = max(of, key=lambda k: abs(float(stage.residual[k])))
        return abs(float(stage.residual[k])), self.equations[k]

    def kind(self, stage: Stage) -> str:
        """What a stage is, in words."""
        if stage.closing:
            return say("closing {n}", n=stage.title)
        if self.is_newton:
            return say("iteration {n}", n=stage.title)
        return say("stage {n}", n=stage.title)

    @property
    def sentence(self) -> str:
        """What was opened, and how near the replay comes."""
        told = say(
            "From t = {t:.6g} s over h = {h:.4g} s by {full}: {n} {stages}; the replay ends within "
            "{differs:.1e} of the step of the engine.",
            full=BY_NAME[self.method].full,
            t=self.t,
            h=self.h,
            n=len(self.stages),
            stages=say("iterations") if self.is_newton else say("stages"),
            differs=self.differs,
        )
        if self.projected:
            moved = say(
                "Projection then moves it by at most {by:.2e} to close the joints.",
                by=self.projected,
            )
            return f"{told} {moved}"
        return told

    @property
    def elimination(self) -> str:
        """The order of elimination, and its fill, in words."""
        nodes, fill = self.matrix.nodes, self.matrix.fill
        order = ", ".join(f"'{node.label}'" for node in nodes)
        made = ", ".join(
            f"'{nodes[i].label}' – '{nodes[j].label}'" for i, j in sorted(fill)
        ) or say("none")
        return say("Eliminated in the order {order}. Fill: {made}.", order=order, made=made)

    @property
    def fill(self) -> str:
        """How much of the matrix is filled, in words."""
        return say(
            "Eliminated from the top; {fill} of {all} blocks beside the diagonal are fill.",
            fill=2 * len(self.matrix.fill),
            all=2 * len(self.matrix.fill | self.matrix.coupled),
        )

    @property
    def heads(self) -> tuple[str, ...]:
        """The heads of the table of stages."""
        titles = {
            BODIES: say("left of bodies"),
            JOINTS: say("left of joints"),
            PLACES: say("left of places"),
            RATES: say("left of rates"),
        }
        groups = [x for group in self.groups for x in (titles[group], say("most in"))]
        more = (say("correction"), say("condition")) if self.is_newton else ()
        return (say("Step"), *groups, *more)

    def row(self, stage: Stage) -> tuple[str, ...]:
        """A stage as a row of that table."""
        found = [self.kind(stage)]
        for group in self.groups:
            size, one = self.worst(stage, group)
            found += [f"{size:.3g} {one.unit}", one.label]
        if self.is_newton:
            found += [f"{stage.correction:.3g}", f"{stage.condition:.3g}"]
        return tuple(found)

    def write_csv(self, path: Path) -> None:
        """Write residual and unknown of every equation in every stage."""
        rows = [
            (self.kind(stage), one.label, one.unit, float(r), one.unknown, float(x))
            for stage in self.stages
            for one, r, x in zip(self.equations, stage.residual, stage.values, strict=True)
        ]
        write_table(path, ("stage", "equation", "unit", "residual", "unknown", "value"), rows)


def open_step(
    model: Model | Compiled,
    *,
    time: float = 0.0,
    method: str = "",
    step: float | None = None,
    stabilisation: str = "",
    state: State | None = None,
) -> Opened:
    """Open the step that a method takes at a time; empty arguments are those of the model.

    The state is that of a run with the settings of the model, unless (q, v, z) is given.
    """
    compiled = model if isinstance(model, Compiled) else compile_model(model)
    method = method or _method_of(compiled)
    _check(compiled, method, stabilisation, step)
    q, v, z = _state_at(compiled, time) if state is None else state
    changes = {"stabilisation": stabilisation} if stabilisation else {}
    h = step
    if h is None:
        h = plain(prepare(compiled, method=method, coordinates=ABSOLUTE).settings.step)
    made = prepare(
        compiled, method=method, step=h, output_step=h, t_end=h, coordinates=ABSOLUTE, **changes
    )
    made = replace(made, start=made.start._replace(q=np.array(q), v=np.array(v)))
    return _opened(made, float(time), h, z)


def _opened(made: Run, t: float, h: float, z: np.ndarray | None) -> Opened:
    """Replay the step and compare it with that of the engine."""
    compiled, method = made.compiled, str(made.settings.method)
    layout = compiled.layout
    y = layout.y(made.start.q, made.start.v, compiled.z0 if z is None else z)
    engine = _step_of_engine(made, t, h, y)
    problem, ws = made.problem(h)
    bench = Workbench(
        *(compiled, made.settings, problem.table, problem.keep, t, h, y.copy()),
        *(np.zeros_like(y), problem.floor, made.mobility.redundant > 0),
    )
    correct(bench.table, t, bench.y, bench.rates, bench.rates)
    derive(bench.table, t, bench.y, bench.rates, bench.rates, AFTER_CORRECTION)
    replay = _replayed(bench)
    n = layout.n_q + layout.n_v
    if replay.matrix is not None:
        matrix = newton(compiled, problem.keep, replay.matrix, _title(method))
    else:
        matrix = schur(compiled, ws, mass_matrix(compiled, bench.y[: layout.n_q]))
    projected = 0.0
    if ws.options[PROJECTED] > 0.0:
        closed = replay.y.copy()
        correct(bench.table, t + h, closed, closed.copy(), closed.copy())
        projected = float(np.abs(closed - replay.y)[:n].max())
    if method in ON_THE_ODE:
        equations, order = of_states(compiled), np.arange(n)
    else:
        equations, order = of_motion(compiled), in_order(compiled)
    return Opened(
        compiled,
        method,
        t,
        h,
        str(made.settings.stabilisation),
        tuple(equations[k] for k in order),
        tuple(
            s._replace(residual=s.residual[order], values=s.values[order]) for s in replay.stages
        ),
        matrix,
        bench.y[:n].copy(),
        replay.y[:n].copy(),
        float(np.abs(replay.y - engine)[: layout.n_motion].max()),
        projected,
    )


def _replayed(bench: Workbench) -> Replay:
    if bench.method in FAMILY:
        return direct(bench)
    if bench.method in ON_THE_ODE:
        return on_the_ode(bench)
    return cromer(bench) if bench.method == "euler_cromer" else explicit(bench)


def _title(method: str) -> str:
    return (
        "[M + v'/a' C + K/a'   Dᵀ; D   0]" if method in FAMILY else "[M + c C + c² K   Dᵀ; D   0]"
    )


def _step_of_engine(made: Run, t: float, h: float, y: np.ndarray) -> np.ndarray:
    """Where the engine ends, before the joints are closed again."""
    problem, _ = made.problem(h)
    stepper = stepper_for(made.settings, problem, y.copy(), Grid(h, 1, h, t))
    status, _ = stepper.take(1)  # type: ignore[attr-defined]
    if status != DONE:
        raise EngineError(
            "{full} does not get through a step of {h:g} s from here. Take a shorter step, or another "
            "time.",
            full=BY_NAME[str(made.settings.method)].full,
            h=h,
        )
    return np.array(stepper.y)


def _method_of(compiled: Compiled) -> str:
    """The method of the model, or RK4 where that is left to the program or cannot be opened."""
    method = compiled.model.settings.method
    return method if method in SUPPORTED else "rk4"


def _state_at(compiled: Compiled, t: float) -> State:
    """The state of a run with the settings of the model at a time."""
    if t == 0.0:
        start = prepare(compiled).start
        return start.q, start.v, None
    results, k = run_until(compiled, t)
    return results.q[k], results.v[k], results.z[k]


def _check(compiled: Compiled, method: str, stabilisation: str, step: float | None) -> None:
    """Raise EngineError for what cannot be opened, with what to choose instead."""
    if len(compiled.system.gates):
        raise EngineError(
            "'{name}' holds on one side only, and steps of equal length do not find where it is met. Let "
            "it act both ways to open a step.",
            compiled.gate_ids[0],
            name=compiled.resolved[compiled.gate_ids[0]].label,
        )
    if method not in METHOD_NAMES:
        raise EngineError(
            "There is no method '{method}'. Choose one of {listed}.",
            method=method,
            listed=", ".join(SUPPORTED),
        )
    if method not in SUPPORTED:
        raise EngineError(
            "The microscope opens steps of equal length of methods that remember no earlier step, and "
            "'{method}' is none of them. Choose one of {listed}.",
            method=method,
            listed=", ".join(SUPPORTED),
        )
    if stabilisation and stabilisation not in STABILISATION_NAMES:
        raise EngineError(
            "There is no stabilisation '{name}'. Choose one of {listed}.",
            name=stabilisation,
            listed=", ".join(STABILISATION_NAMES),
        )
    if step is not None and not 0.0 < step < np.inf:
        raise EngineError("A step is longer than 0 s: type one like 0.01.")
    n = compiled.layout.n_v + compiled.n_rows
    if n > MOST:
        raise EngineError(
            "The model has {n} unknowns, and the microscope shows up to {most}. Open a part of it, or a "
            "smaller model.",
            n=n,
            most=MOST,
        )
    _check_parts(compiled, method)


def _check_parts(compiled: Compiled, method: str) -> None:
    """Raise EngineError where a model has what the replay of a method does not know."""
    system, full = compiled.system, BY_NAME[method].full
    if method not in (*ON_THE_ODE, *FAMILY):
        return

    def refuse(id: Id, why: str) -> None:
        raise EngineError(
            "{full} cannot be opened here: {why}, of '{name}'. Choose rk4, heun or euler.",
            id,
            full=full,
            why=why,
            name=compiled.resolved[id].label,
        )

    if compiled.elastic:
        refuse(next(iter(compiled.elastic)), say("the microscope does not know the bending"))
    if len(system.states):
        which = int(np.flatnonzero(system.interactions["n_z"])[0])
        refuse(compiled.interaction_ids[which], say("the microscope does not know the states"))
    for table in (system.rubbings, system.meshings):
        if len(table):
            refuse(
                compiled.row_ids[int(table[0]["row"])],
                say("the microscope does not know the friction by reactions"),
            )
    if system.dim == 3 and (system.bodies["orientation"] >= 0).any():
        k = int(np.argmax(system.bodies["orientation"] >= 0))
        refuse(compiled.body_ids[k], say("the microscope does not know the Euler angles"))
