"""Change the parameters by which bodies are integrated, before a run or during one."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.editing.edits.changing import at_state
from engine.errors import EngineError
from engine.model.bodies import SpatialBody
from engine.model.elements import ORIENTATIONS, Id, Model, put
from engine.model.orientation import AS_MODEL

if TYPE_CHECKING:
    from engine.results.results import Results


def with_parameters(model: Model, ids: Iterable[Id], choice: str) -> Model:
    """These bodies integrated by a quaternion, by angles of a sequence, or as the model says."""
    if choice not in (AS_MODEL, *ORIENTATIONS):
        raise EngineError(
            "There are no parameters '{choice}'. Choose one of {listed}.",
            choice=choice,
            listed=", ".join((AS_MODEL, *ORIENTATIONS)),
        )
    changed = []
    for id in ids:
        body = model.elements.get(id)
        if not isinstance(body, SpatialBody):
            label = getattr(body, "label", id)
            raise EngineError(
                "'{label}' is no body in space, so it has no orientation to choose.",
                id,
                label=label,
            )
        changed.append(replace(body, parameters=choice))
    return put(model, *changed)


def continued_with(results: "Results", frame: int, ids: Iterable[Id], choice: str) -> Model:
    """The model as it was in a frame of its run, with other parameters: its run continues from there."""
    state = results.q[frame], results.v[frame], float(results.t[frame]), results.z[frame]
    at = at_state(results.model, *state)
    return with_parameters(at, ids, choice)
