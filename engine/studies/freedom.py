"""How a model can move and why not: free motions by name, classes, and what each joint takes away."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from engine.compiling.system import Compiled, compile_model
from engine.errors import say
from engine.kinematics.assemble import assemble
from engine.kinematics.constraints import Constraint, constraints
from engine.kinematics.freedom.motions import (
    FreeMotion,
    free_motions,
    smallest_circuit,
    without_each,
)
from engine.kinematics.mobility import Mobility, mobility
from engine.model.elements import Id, Model, remove
from engine.studies.classification import Verdict, classify_anywhere

ONE_SIDED = ("contact", "contact_all", "joint_limits")  # kinds that hold in one direction only


class Named(NamedTuple):
    """A free motion with the words of a table."""

    label: str
    mover: str  # the body that moves most
    motion: FreeMotion


class Classed(NamedTuple):
    """A constraint with its class and the reason."""

    id: Id
    label: str
    equation: str
    kind: str  # holonomic or not, scleronomic or rheonomic, bilateral or unilateral
    why: str


class Without(NamedTuple):
    """What is left without one joint or motion."""

    id: Id
    label: str
    dof: int
    redundant: int


@dataclass(frozen=True)
class Freedom:
    """All of it, at the pose that a run starts from."""

    compiled: Compiled
    q: np.ndarray
    mobility: Mobility
    motions: tuple[Named, ...]
    constraints: tuple[Classed, ...]
    left: tuple[Without, ...]
    circuit: tuple[Id, ...]  # the fewest joints that constrain something twice; empty: none do

    @property
    def sentence(self) -> str:
        """How many degrees of freedom there are, by rank and by counting."""
        found = self.mobility
        return say(
            "{dof} by rank, {redundant}; counting gives {n} velocities - {rows} constraints = {gruebler}.",
            dof=counted(found.dof, "degree of freedom", "degrees of freedom"),
            redundant=counted(found.redundant, "redundant constraint", "redundant constraints"),
            n=found.n_velocities,
            rows=found.n_rows,
            gruebler=found.gruebler,
        )

    @property
    def why(self) -> str:
        """Which joints constrain something twice, and what it is."""
        if not self.circuit:
            if self.mobility.dof:
                return say("Nothing is constrained twice.")
            return say("It cannot move: its joints and drives take all freedom, each exactly once.")
        names = ", ".join(f"'{self.compiled.resolved[id].label}'" for id in self.circuit)
        told = say("The fewest joints that constrain something twice are {names}.", names=names)
        return f"{told} {' '.join(self.mobility.sentences)}"


def freedom_of(model: Model, *, without_drives: bool = False) -> Freedom:
    """The freedom of a model, perhaps as if its motors were taken out."""
    if without_drives:
        model = remove(model, *(e.id for e in model.of("motion")))
    compiled = compile_model(model)
    start = assemble(compiled)
    found = mobility(compiled, start.q, start.v)
    involved = dict.fromkeys(id for r in found.redundancies for id in (r.id, *r.others))
    label = {id: compiled.resolved[id].label for id in compiled.rows_of}
    return Freedom(
        compiled,
        start.q,
        found,
        tuple(_named(compiled, m) for m in free_motions(compiled, start.q)),
        classed(compiled, start.q, found),
        tuple(
            Without(m.id, label[m.id], m.dof, m.redundant) for m in without_each(compiled, start.q)
        ),
        smallest_circuit(compiled, start.q, involved),
    )


def _named(compiled: Compiled, motion: FreeMotion) -> Named:
    """A motion with the body that moves most, turns counted at the size of the model."""
    layout = compiled.layout
    weight = np.ones(layout.n_v)
    weight[layout.spins] = 0.5 * compiled.length
    sizes = [np.linalg.norm((weight * motion.v)[layout.v(k)]) for k in range(layout.n_bodies)]
    mover = compiled.resolved[compiled.body_ids[int(np.argmax(sizes))]].label
    return Named(motion.label, mover, motion)


def classed(compiled: Compiled, q: np.ndarray, found: Mobility) -> tuple[Classed, ...]:
    """Every constraint with its class; forces that push in one direction only come last."""
    listed = constraints(compiled)
    late = any(c.level != "position" for c in listed)
    verdict = classify_anywhere(compiled, q, found.motions) if late else None
    rows = [_class_of(c, verdict) for c in listed]
    for element in compiled.resolved:
        tension = getattr(element, "acts", "both") in ("tension", "compression")
        if element.id not in compiled.rows_of and (element.kind in ONE_SIDED or tension):
            why = say("it holds in one direction only, by a force that ends when it is left")
            rows.append(Classed(element.id, element.label, say("gap >= 0"), "unilateral", why))
    return tuple(rows)


def _class_of(constraint: Constraint, verdict: Verdict | None) -> Classed:
    """The class of one constraint, and why."""
    if constraint.level == "position" or verdict is None:
        first, why = "holonomic", say("it is an equation of positions")
    elif verdict.is_holonomic:
        first, why = "holonomic", say("it integrates: a position constraint in disguise")
    else:
        first = "non-holonomic"
        why = say("it is given for velocities and does not integrate together with the others")
    if constraint.driven_by:
        why = f"{why}; {constraint.driven_by}"
    if constraint.is_one_sided:
        why = say("{why}; it holds on one side only", why=why)
    side = "unilateral" if constraint.is_one_sided else "bilateral"
    kind = f"{first}, {constraint.time}, {side}"
    return Classed(constraint.id, constraint.label, constraint.equation, kind, why)


def counted(n: int, one: str, several: str) -> str:
    """A number with its noun."""
    return f"{n} {one if n == 1 else several}"
