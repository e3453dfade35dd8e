"""Where in a model a field of a form is stored: how its value is read, checked and written."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from engine.errors import EngineError
from engine.files.encoding import read
from engine.formulas.resolve import resolved, supported
from engine.model.elements import Id, Model, put

MODEL_FIELDS: dict[str, Mapping[str, Any]] = {
    "name": {"role": "text", "help": "Shown in the title and in the gallery."},
    "description": {"role": "text", "help": "What the model shows."},
    "gravity": {
        "role": "vector",
        "unit": "m/s^2",
        "help": "Acceleration of free fall, world axes.",
    },
}
GONE = "What this field belongs to is no longer in the model."


@dataclass(slots=True, eq=False)
class Place:
    """A field of some elements (ids), of their shape, of the settings, or of the model itself.

    A form that switches to other elements with the same fields changes `ids`.
    """

    name: str
    ids: tuple[Id, ...] = ()
    part: str = ""  # "shape", "settings" or "model"; empty: the elements themselves
    dim: int = 0  # of the model that the form is made for; 0: of any

    def values(self, model: Model) -> list[Any]:
        """The value in each element."""
        return [getattr(owner, self.name) for owner in self._owners(model)]

    def value(self, model: Model) -> Any:
        """The value in the first element."""
        return self.values(model)[0]

    def is_mixed(self, model: Model) -> bool:
        """Whether the elements have different values."""
        values = self.values(model)
        return any(value != values[0] for value in values)

    def exists(self, model: Model) -> bool:
        """Whether the model is still of this dimension, and all elements are there and have the field."""
        try:
            return self.dim in (0, model.dim) and all(
                hasattr(owner, self.name) for owner in self._owners(model)
            )
        except EngineError:
            return False

    def put(self, model: Model, value: Any) -> Model:
        """The model with this value in every element."""
        if self.part == "model":
            return replace(model, **{self.name: value})
        if self.part == "settings":
            return replace(model, settings=replace(model.settings, **{self.name: value}))
        return put(model, *(self._with(model[id], value) for id in self.ids))

    def typed(self, model: Model, value: Any) -> Model:
        """The model with this value, and the mechanism closed again where the field drives it."""
        from engine.editing.edits import drives, value_typed  # they load the solver
        from engine.integrators.warm_up import are_compiled

        field = f"{self.part}.{self.name}" if self.part == "shape" else self.name
        drive = self.ids and self.part in ("", "shape") and are_compiled()
        if value is None or not drive or not all(drives(model, id, field) for id in self.ids):
            return self.put(model, value)
        after = model
        try:
            for id in self.ids:
                after = value_typed(after, id, field, value).model
        except EngineError:
            return self.put(model, value)  # other fields are wrong; the examination tells
        return after

    def check(self, model: Model, value: Any) -> None:
        """Raise EngineError unless the field may have this value; other fields do not matter."""
        if not self.exists(model):
            raise EngineError(GONE)
        after = self.put(model, value)
        for owner in self._owners(after):
            if self.part != "model":
                metadata = next(f.metadata for f in fields(owner) if f.name == self.name)
                if value is not None:
                    read(value, metadata, self.name)
        resolved(supported(after, (after[id] for id in self.ids)))

    def _owners(self, model: Model) -> list[Any]:
        if self.part == "model":
            return [model]
        if self.part == "settings":
            return [model.settings]
        if any(id not in model for id in self.ids):
            raise EngineError(GONE)
        elements = [model[id] for id in self.ids]
        return [e.shape for e in elements] if self.part == "shape" else elements

    def _with(self, element: Any, value: Any) -> Any:
        if self.part == "shape":
            return replace(element, shape=replace(element.shape, **{self.name: value}))
        return replace(element, **{self.name: value})
