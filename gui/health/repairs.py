"""Repairs of redundancy: a joint with fewer constraints, and the freedom that it leaves."""

from typing import TYPE_CHECKING, NamedTuple

from engine.editing.loosening import candidates
from engine.kinematics.checkup import examine
from engine.model.elements import Id, Model, references

if TYPE_CHECKING:  # it loads the kernels
    from engine.kinematics.mobility import Mobility

MOST_BODIES = 60  # largest model for which repairs are tried while the user waits


class Repair(NamedTuple):
    """A repaired model, and how its freedom and redundancy change."""

    kind: str  # of the joint that takes the place of the redundant one; empty: it is deleted
    id: Id
    model: Model
    redundant: int
    dof: int


def repair_of(model: Model, mobility: "Mobility") -> Repair | None:
    """The smallest change of a redundant joint that reduces redundancy and keeps the freedom."""
    if not mobility.redundancies or len(model.of("body")) > MOST_BODIES:
        return None
    first = mobility.redundancies[0]
    for id in (first.id, *first.others):
        if id not in model or any(id in references(e) for e in model):
            continue  # something drives or measures this joint
        for kind, after in candidates(model, id):
            found = examine(after).mobility
            if found is None or found.dof != mobility.dof:
                continue
            if found.redundant < mobility.redundant:
                return Repair(kind, id, after, found.redundant, found.dof)
    return None
