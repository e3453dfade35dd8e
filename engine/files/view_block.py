"""The block `view` of a model file: what lies on the stage when the model is opened."""

from collections.abc import Container
from typing import Any

from engine.errors import EngineError
from engine.files.encoding import said
from engine.model.catalogue import suggestion
from engine.model.elements import Id, View

MOST_SLIDERS = 1000
FIELDS = ("sliders",)


def raw_view(view: View) -> dict[str, Any]:
    """The view as raw data, without what is empty."""
    return {"sliders": list(view.sliders)} if view.sliders else {}


def view_from(raw: Any, parameters: Container[Id]) -> View:
    """The view in raw data; EngineError for a slider without its parameter."""
    if not isinstance(raw, dict):
        raise EngineError("The view must be an object {{...}}, not {raw}.", raw=said(raw))
    for key in raw:
        if key not in FIELDS:
            raise EngineError(
                "The view has no {key}{suggestion}",
                key=said(key),
                suggestion=suggestion(key, FIELDS),
            )
    sliders = raw.get("sliders", [])
    if not isinstance(sliders, list) or len(sliders) > MOST_SLIDERS:
        raise EngineError(
            "The sliders of the view must be a list of parameters, not {raw}.", raw=said(sliders)
        )
    for id in sliders:
        if not isinstance(id, str) or id not in parameters:
            raise EngineError(
                "The view has a slider for {id}, but there is no parameter of this name; add it, or "
                "remove the slider.",
                id=said(id),
            )
    if len(set(sliders)) < len(sliders):
        raise EngineError("The view has two sliders for one parameter; delete one of them.")
    return View(sliders=tuple(sliders))
