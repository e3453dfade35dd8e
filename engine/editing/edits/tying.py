"""Sizes given by formulas: sizes drawn with a typed formula stay linked to its parameters.

A link of length 2*l, a disc of radius r: the field of the shape holds the formula, and points at its ends
are tied to the shape (engine/editing/ties.py), so that a joint at the end of a link stays there when the
parameter changes. Places of bodies stay numbers; closing the joints moves them.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.editing.ties import SAME, with_points_tied
from engine.formulas.expressions import value
from engine.formulas.resolve import parameter_values
from engine.model.elements import Id, Model, put


def tied(model: Model, id: Id, formulas: Mapping[str, str]) -> Model:
    """The model with formulas for sizes of a body that have their values, and its points tied to them.

    A size that is drawn differently, or that its shape does not have, stays a number.
    """
    body = model[id]
    known = parameter_values(model)
    changes: dict[str, Any] = {}
    for name, formula in formulas.items():
        drawn = getattr(body.shape, name, None)
        if isinstance(drawn, float) and abs(drawn - value(formula, known)) <= SAME * abs(drawn):
            changes[name] = formula
    if not changes:
        return model
    after = put(model, replace(body, shape=replace(body.shape, **changes)))
    return with_points_tied(after, [m.id for m in after.of("marker") if m.body == id])
