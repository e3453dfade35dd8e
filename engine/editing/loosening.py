"""Joints in place of others that constrain less."""

from collections.abc import Iterator
from dataclasses import replace
from math import pi
from typing import Any

from engine.editing.edits import deleted
from engine.errors import EngineError
from engine.formulas.resolve import resolved
from engine.model.elements import GROUND, Id, Model, put
from engine.model.joints.freedom import freedom, looser


def candidates(model: Model, id: Id) -> Iterator[tuple[str, Model]]:
    """Models in which one joint constrains less, the smallest change first; last it is deleted.

    Each comes with the kind that the joint is then; empty: it is deleted.
    """
    joint = model[id]
    for kind in looser(joint, model.dim) if hasattr(joint, "marker_j") else ():
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
