"""Examine a model without running it: problems, open joints, mobility, and what cannot be kept.

The kernels are loaded only when they are needed, so that a window can show what is known before they are
compiled.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from engine.compiling.checks import Problem, problems, remarks
from engine.errors import EngineError
from engine.model.elements import Id, Model

if TYPE_CHECKING:  # they load the kernels
    from engine.kinematics.assemble import Gap, Start
    from engine.kinematics.constraints import Constraint
    from engine.kinematics.mobility import Mobility
    from engine.kinematics.speeds import Unkept

OPEN = 1e-7  # of the size of the model: a smaller gap counts as closed


@dataclass(frozen=True, slots=True)
class Checkup:
    """Everything known about a model without running it; None where it is unknown."""

    model: Model
    problems: tuple[Problem, ...] = ()
    mobility: "Mobility | None" = None
    constraints: "tuple[Constraint, ...]" = ()
    gap: float | None = None  # the largest of the drawing                     [m, rad]
    gaps: "tuple[Gap, ...]" = ()  # joints that are open in the drawing, the widest first
    start: "Start | None" = None  # the assembled pose
    speeds: Mapping[Id, Mapping[str, Any]] = field(default_factory=dict)  # that a run starts with
    overlaps: tuple[Id, ...] = ()  # contacts whose shapes overlap at the start
    remarks: tuple[Problem, ...] = ()  # what is unusual, though it runs
    trouble: str = ""  # why it cannot be assembled
    trouble_ids: tuple[Id, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether the drawing is open by more than rounding."""
        return bool(self.gaps)

    @property
    def gap_sentence(self) -> str:
        """Where the drawing is open widest, in words."""
        return self.gaps[0].where if self.gaps else ""

    @property
    def gap_id(self) -> Id:
        """The joint that is open widest."""
        return self.gaps[0].id if self.gaps else ""

    @property
    def unkept(self) -> "tuple[Unkept, ...]":
        """The values that were typed and cannot be kept."""
        return self.start.unkept if self.start is not None else ()

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """What differs between what was drawn or typed and what runs, and what is unusual."""
        found = [Problem(gap.sentence, (gap.id,)) for gap in self.gaps]
        found += [Problem(one.sentence, (one.id,)) for one in self.unkept]
        if self.trouble:
            found.append(Problem(self.trouble, self.trouble_ids))
        return (*found, *self.remarks)

    @property
    def can_run(self) -> bool:
        """Whether nothing was found that keeps the model from running."""
        return not self.trouble and (not self.problems or self.start is not None)


def examine(model: Model, with_kernels: bool = True) -> Checkup:
    """The checkup of a model; without kernels only what needs no compiled code."""
    found = tuple(problems(model))
    moving = [b for b in model.of("body") if not b.fixed]
    unusual = () if found else tuple(remarks(model))
    if found or not with_kernels or not moving:
        return Checkup(model, found, remarks=unusual)
    from engine.compiling.system import compile_model, workspace
    from engine.kinematics.assemble import assemble, open_joints
    from engine.kinematics.constraints import constraints
    from engine.kinematics.evaluate import fill
    from engine.kinematics.limits import beyond_limits, overlaps
    from engine.kinematics.mobility import mobility
    from engine.kinematics.speeds import start_values

    try:
        compiled = compile_model(model)
    except EngineError as error:
        return Checkup(model, (Problem(error.sentence, tuple(error.ids)),))
    ws = workspace(compiled.system)
    fill(compiled, ws, 0.0, compiled.q0, compiled.v0)
    gaps = open_joints(compiled, ws.Phi, OPEN * compiled.length)
    as_drawn = Checkup(
        model,
        constraints=constraints(compiled),
        gap=gaps[0].size if gaps else float(abs(ws.Phi).max(initial=0.0)),
        gaps=gaps,
        remarks=unusual,
    )
    try:
        start = assemble(compiled)
    except EngineError as error:
        ids = tuple(error.ids)
        return replace(
            as_drawn, mobility=mobility(compiled), trouble=error.sentence, trouble_ids=ids
        )
    return replace(
        as_drawn,
        problems=tuple(beyond_limits(compiled, start)),
        overlaps=overlaps(compiled, start),
        mobility=mobility(compiled, start.q, start.v),
        start=start,
        speeds=start_values(compiled, start.q, start.v),
    )
