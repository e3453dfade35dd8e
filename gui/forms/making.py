"""From the declaration of a field to its editor: one maker for each role."""

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from engine.editing.ties import words_of_tie
from engine.errors import EngineError
from engine.formulas.expressions import names, parse, program, value, written_unit
from engine.formulas.functions import joined_by
from engine.formulas.grammar import TIME
from engine.formulas.resolve import known_values, parameter_values, resolved_alone
from engine.formulas.sizes import is_tied
from engine.formulas.units import same_dimension
from engine.model.elements import GROUND, Model
from engine.model.orientation import input_of
from engine.model.shapes import SHAPES
from gui.forms.computed import unit_of
from gui.forms.fields import ChoiceField, Field, FlagField, tr
from gui.forms.lines import LineField, TextField, VectorField
from gui.forms.materials import MaterialButton
from gui.forms.orientation.converter import ask_orientation
from gui.forms.orientation.fields import OrientationField, SpinField, orientation_matrix
from gui.forms.places import Place
from gui.forms.special import (
    ColourField,
    FunctionField,
    NumberField,
    PointField,
    PointsField,
    Tie,
    ask_table,
    with_parameters_offered,
)
from gui.forms.words import choice_words, field_words, kind_words
from gui.look.method_words import coordinate_choices, method_choices, stabilisation_choices
from gui.look.sentences import said
from gui.state.document import Document
from gui.state.numbers import size_of
from gui.state.preferences import Preferences, pretty

_LISTED = {  # settings whose choices have words and help of their own
    "method": method_choices,
    "stabilisation": stabilisation_choices,
    "coordinates": coordinate_choices,
}
CAPTIONS = {
    2: ("x", "y"),
    3: ("x", "y", "z"),
    4: ("w", "x", "y", "z"),
    6: ("xx", "yy", "zz", "xy", "xz", "yz"),
}

FROM_FILES = ("mesh", "part")  # shapes that no form makes


class Maker:
    """Makes editors for the fields of a document, in the units of the user."""

    def __init__(self, document: Document, preferences: Preferences) -> None:
        self.document, self.preferences = document, preferences

    @property
    def model(self) -> Model:
        """The model as it is now."""
        return self.document.model

    def field(self, place: Place, metadata: Mapping[str, Any], default: Any) -> Field:
        """The editor for one field."""
        if place.name == "color":
            return ColourField()
        if place.name == "coordinate":
            return ChoiceField(self._coordinates(place))
        if place.name == "orientation" and not place.part:
            return self._orientation(place)
        make: dict[str, Callable[..., Field]] = {
            "number": self._number,
            "vector": self._vector,
            "function": self._function,
            "text": lambda place, *_: TextField(long=place.name == "description"),
            "formula": lambda *_: TextField(),
            "choice": self._choice,
            "flag": lambda place, *_: FlagField(field_words(place.name)),
            "ref": self._reference,
            "points": self._points,
            "shape": self._shape,
        }
        return make[metadata["role"]](place, metadata, default)

    def unit(self, place: Place, metadata: Mapping[str, Any]) -> str:
        """The SI unit of a field."""
        element = self.model[place.ids[0]] if place.ids else None
        return unit_of(metadata, element, self.model)

    # --- numbers

    def shown(self, number: Any, unit: str) -> str:
        """A number or expression as the user sees it."""
        if isinstance(number, str):
            return number
        scale = size_of(self.model) if unit in ("m", "m/s") else 0.0
        scale = 1.0 if unit in ("rad", "rad/s") else scale
        return self.preferences.shown(number, unit, scale_si=scale)[0]

    def _explained(self, number: Any, unit: str, place: Place | None) -> str:
        """The value of an expression, as text."""
        if not isinstance(number, str):
            return ""
        model = self.document.shown  # hints follow a slider while it is dragged
        element = model.elements.get(place.ids[0]) if place is not None and place.ids else None
        try:
            worked_out = value(number, known_values(model, element))
        except EngineError as error:
            return error.sentence
        return "= " + " ".join(self.preferences.shown(worked_out, unit)).strip()

    def _tie(self, place: Place) -> Tie:
        """Where the point of a place is, and what it is tied to."""
        model = self.document.shown
        marker = model.elements.get(place.ids[0])
        if marker is None or not is_tied(marker):
            return Tie()
        try:
            return Tie(resolved_alone(model, marker).position, said(words_of_tie(model, marker)))
        except EngineError:
            return Tie()  # its formula is shown, with what is wrong

    def _element(self, place: Place | None) -> Any:
        """The first element of a place, if it still exists."""
        return self.model.elements.get(place.ids[0]) if place is not None and place.ids else None

    def _line(
        self,
        unit: str,
        check: Callable[[Any], None],
        *,
        optional: bool = False,
        place: Place | None = None,
        make: Callable[..., LineField] = LineField,
        **options: Any,
    ) -> LineField:
        def read(text: str) -> Any:
            element = self._element(place)
            return self.preferences.parse(text, unit, self.model, element)

        return make(
            lambda number: self.shown(number, unit),
            read,
            check,
            lambda number: self._explained(number, unit, place),
            optional=optional,
            **options,
        )

    def _number(self, place: Place, metadata: Mapping[str, Any], default: Any) -> Field:
        unit = self.unit(place, metadata)
        line = self._line(
            unit,
            lambda number: place.check(self.model, number),
            optional=default is None,
            make=NumberField,
            worked_out=lambda formula: value(formula, parameter_values(self.model)),
        )
        line.line.set_unit(self.preferences.unit_text(unit))
        if place.ids:
            with_parameters_offered(line, place, unit, self.document)
        if unit == "kg/m^3":
            line.row.addWidget(MaterialButton(line, self.preferences))
        return line

    def _vector(self, place: Place, metadata: Mapping[str, Any], default: Any) -> Field:
        unit, size = metadata.get("unit", ""), metadata.get("size") or self.model.dim

        def check(n: int) -> Callable[[Any], None]:
            """The check of a number in the n-th component."""

            def tried(number: Any) -> None:
                old = place.value(self.model) or (0.0,) * size
                place.check(self.model, (*old[:n], number, *old[n + 1 :]))

            return tried

        optional = default is None
        parts = [self._line(unit, check(n), optional=optional, place=place) for n in range(size)]
        if place.name == "angular_velocity":
            return SpinField(parts, lambda: self._axes(place), lambda: self.model)
        if place.name == "position" and getattr(self._element(place), "family", "") == "marker":
            return PointField(parts, CAPTIONS.get(size, ()), lambda: self._tie(place))
        return VectorField(parts, CAPTIONS.get(size, ()), 3 if size == 6 else size)

    def _orientation(self, place: Place) -> Field:
        """Angles or a quaternion, as the body or the model says."""

        def typed_as() -> str:
            model = self.document.shown
            return input_of(model, model.elements.get(place.ids[0]))

        def ask(q: tuple[float, ...]) -> tuple[float, ...] | None:
            return ask_orientation(editor.window(), self.preferences, self.model, q)

        def may_lock() -> bool:
            element = self.document.shown.elements.get(place.ids[0])
            return element is not None and element.family == "body"

        editor = OrientationField(
            self.preferences,
            lambda: self.model,
            typed_as,
            lambda unit: place.check(self.model, unit),
            ask,
            may_lock,
        )
        return editor

    def _axes(self, place: Place) -> Any:
        """The orientation that all bodies of a place share, as a matrix; None if there is none."""
        model = self.document.shown
        found = {getattr(model.elements.get(id), "orientation", None) for id in place.ids}
        shared = found.pop() if len(found) == 1 else None
        return None if shared is None else orientation_matrix(model, shared)

    # --- functions and tables

    def _function(self, place: Place, metadata: Mapping[str, Any], default: Any) -> Field:
        unit, of = self.unit(place, metadata), metadata["of"]

        def show(function: Any) -> str:
            if isinstance(function, tuple):
                words = tr("table of {0} points, {1}")
                return words.format(len(function), said(joined_by(function, of_time=of[0] == TIME)))
            return function if isinstance(function, str) else self.preferences.digits(function, 10)

        def read(text: str) -> Any:
            plain = self.preferences.without_comma(text).strip()
            expression = parse(plain)
            written = written_unit(expression)
            if written and unit and not any(same_dimension(written, u) for u in unit.split(" or ")):
                sentence = tr("This is measured in {0}, but '{1}' is in {2}.")
                raise EngineError(sentence.format(unit, plain[:40], written))
            program(expression, of, parameter_values(self.model))
            return value(expression, {}) if not names(expression) else plain

        def explain(function: Any) -> str:
            words = tr("of {0}").format(", ".join(of))
            return f"{words}; {tr('SI units')}" if isinstance(function, str) else ""

        def open_table(function: Any) -> Any:
            variable = of[0]
            x_unit = {"t": "s", "x": "", "v": ""}.get(variable, "")
            rows = function if isinstance(function, tuple) else ((0.0, 0.0), (1.0, 1.0))
            return ask_table(
                editor.window(),
                field_words(place.name),
                [(variable, x_unit), (field_words(place.name), "")],
                rows,
                self.preferences,
                self.model,
                is_curve=True,
                of_time=variable == "t",
            )

        editor = FunctionField(
            show,
            read,
            lambda function: place.check(self.model, function),
            explain,
            optional=default is None,
            open_table=open_table,
        )
        editor.line.set_unit(pretty(unit))
        return editor

    def _points(self, place: Place, metadata: Mapping[str, Any], default: Any) -> Field:
        unit = metadata.get("unit", "")

        def open_table(rows: Any) -> Any:
            captions = CAPTIONS[len(rows[0]) if rows else 2]
            return ask_table(
                editor.window(),
                field_words(place.name),
                [(caption, unit) for caption in captions],
                rows,
                self.preferences,
                self.model,
                is_curve=False,
            )

        editor = PointsField(open_table)
        return editor

    # --- choices

    def _choice(self, place: Place, metadata: Mapping[str, Any], default: Any) -> Field:
        if place.part == "settings" and place.name in _LISTED:
            return ChoiceField(_LISTED[place.name](metadata["choices"]))
        here = [c for c in metadata["choices"] if c != "z" or self.model.dim == 3]
        return ChoiceField([(choice, choice_words(choice, place.name)) for choice in here])

    def _reference(self, place: Place, metadata: Mapping[str, Any], default: Any) -> Field:
        family = metadata["family"]
        known = [(e.id, e.label) for e in self.model.of(family)]
        return ChoiceField([*([(GROUND, tr("ground"))] if family == "body" else []), *known])

    def _shape(self, place: Place, metadata: Mapping[str, Any], default: Any) -> Field:
        here = [s.kind for s in SHAPES if self.model.dim in s.dims and s.kind not in FROM_FILES]
        return ChoiceField([("", tr("none")), *((kind, kind_words(kind)) for kind in here)])

    def _coordinates(self, place: Place) -> list[tuple[str, str]]:
        """The coordinates of the joint that an element acts on."""
        try:
            joint = self.model[self.model[place.ids[0]].joint]
            names = list(joint.coordinates(self.model))
            first = [("", choice_words(names[0]))]
        except (KeyError, AttributeError, EngineError, IndexError):
            return [("", tr("the first"))]
        return first + [(name, choice_words(name)) for name in names[1:]]


def converted_shape(old: Any, kind: str) -> Any:
    """A shape of another kind of about the same size; None for no shape."""
    if not kind:
        return None
    cls = next(s for s in SHAPES if s.kind == kind)
    have = {f.name: getattr(old, f.name) for f in fields(old)} if old is not None else {}
    size = have.get("length") or have.get("width")
    if size is None and isinstance(have.get("radius"), float):
        size = 2.0 * have["radius"]
    wanted = {}
    for f in fields(cls):
        if f.name in have and f.metadata["role"] == "number":
            wanted[f.name] = have[f.name]
        elif f.name in ("length", "width") and size is not None and "length" not in wanted:
            wanted[f.name] = size
        elif f.name == "radius" and isinstance(size, float):
            wanted[f.name] = size / 2.0
    if kind == "polygon" and isinstance(size, float):
        wanted["points"] = ((-size / 2, -size / 4), (size / 2, -size / 4), (0.0, size / 2))
    if kind == "polyline" and isinstance(size, float):
        wanted["points"] = ((-size / 2, 0.0), (size / 2, 0.0))
    return cls(**wanted)
