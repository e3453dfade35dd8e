"""Repairs of redundancy: a joint with fewer constraints, and the freedom that it leaves."""

from collections.abc import Iterator
from dataclasses import replace
from math import pi
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.editing.edits import deleted
from engine.errors import EngineError
from engine.formulas.resolve import resolved
from engine.kinematics.checkup import examine
from engine.model.elements import GROUND, Id, Model, put, references
from engine.model.joints.freedom import freedom, looser

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
        for kind, after in _candidates(model, id):
            found = examine(after).mobility
            if found is None or found.dof != mobility.dof:
                continue
            if found.redundant < mobility.redundant:
                return Repair(kind, id, after, found.redundant, found.dof)
    return None


def _candidates(model: Model, id: Id) -> Iterator[tuple[str, Model]]:
    """Models in which one joint constrains less, the smallest change first."""
    joint = model[id]
    for kind in looser(joint, model.dim):
        if model.dim == 2 and freedom(kind, 2).slides != freedom(joint, 2).slides:
            for direction in (0.0, pi / 2):  # it slides where nothing did: along x or y
                marker = _turned(model, joint.marker_i, direction)
                if marker is not None:
                    yield kind.kind, put(model, marker, _as(kind, joint))
        else:
            yield kind.kind, put(model, _as(kind, joint))
    try:
        yield "", deleted(model, [id])
    except EngineError:
        return


def _as(cls: Any, joint: Any) -> Any:
    """A joint of another kind between the same markers."""
    return cls(id=joint.id, name=joint.name, marker_i=joint.marker_i, marker_j=joint.marker_j)


def _turned(model: Model, id: Id, direction: float) -> Any:
    """The marker with its x axis along a direction of the world; None where that is a formula."""
    marker = model[id]
    if isinstance(marker.angle, str):
        return None
    try:
        body = None if marker.body == GROUND else resolved(model)[marker.body]
    except EngineError:
        return None
    return replace(marker, angle=direction - float(getattr(body, "angle", 0.0) or 0.0))
