"""A form: sections of labelled editors, generated from the fields of what is selected."""

from collections.abc import Mapping
from dataclasses import MISSING, fields
from types import MappingProxyType
from typing import Any, NamedTuple

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from engine.editing.ties import tied_anew
from engine.model.elements import GROUND, Id, Model, Settings
from gui.forms.computed import computed_values, remark, stabilising
from gui.forms.fields import Field, FlagField, tr
from gui.forms.lines import VectorField
from gui.forms.making import Maker, converted_shape
from gui.forms.methods import OF_ORIENTATION, is_seldom, settings_that_matter, why_unused
from gui.forms.places import MODEL_FIELDS, Place
from gui.forms.words import field_words
from gui.look.theme import theme_of
from gui.look.translation import QT_TRANSLATE_NOOP
from gui.state.document import Document
from gui.state.preferences import Preferences

N = QT_TRANSLATE_NOOP

START = N("Forms", "Start")  # also of the start rates of joints
SECTIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (N("Forms", "Shape"), ("shape",)),
    (N("Forms", "Mass"), ("density", "mass", "center", "inertia")),
    (
        N("Forms", "Place"),
        (
            *("position", "position_typed", "angle", "angle_typed", "orientation"),
            *("orientation_typed", "orientation_input", "fixed"),
        ),
    ),
    (START, ("velocity", "spin", "angular_velocity")),
    (N("Forms", "Orientation"), ("parameters", "orientation_display")),
    (N("Forms", "Look"), ("color", "hue", "seconds")),
)
DETAILS = N("Forms", "Details")  # folded until they are wanted
LABEL_WIDTH = 104
OF_SHAPES = ("number", "points", "choice", "flag")  # roles of their fields that are edited
NOTHING_KNOWN: Mapping[Id, Mapping[str, Any]] = MappingProxyType({})
QWIDGETSIZE_MAX = 16_777_215  # Qt's value for "no limit"


class Row(NamedTuple):
    """One editor and what it edits."""

    place: Place
    field: Field
    label: QLabel | None
    metadata: Any


class Section(QWidget):
    """A heading that folds, and rows beneath it."""

    def __init__(self, title: str) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        self.body = QWidget()
        self.grid = QGridLayout(self.body)
        self.grid.setContentsMargins(12, 2, 12, 8)
        self.grid.setHorizontalSpacing(8)
        self.grid.setVerticalSpacing(6)
        self.grid.setColumnStretch(1, 1)
        self.head = QToolButton()
        self.head.setText(title)
        self.head.setCheckable(True)
        self.head.setChecked(True)
        self.head.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.head.setArrowType(Qt.ArrowType.DownArrow)
        self.head.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.head.setStyleSheet(
            "QToolButton { border: 0; background: transparent; font-weight: 600; padding: 2px 6px; }"
        )
        self.head.toggled.connect(self._fold)
        if title:
            column.addWidget(self.head)
        column.addWidget(self.body)

    def _fold(self, is_open: bool) -> None:
        self.body.setVisible(is_open)
        arrow = Qt.ArrowType.DownArrow if is_open else Qt.ArrowType.RightArrow
        self.head.setArrowType(arrow)

    def add(self, label: QLabel | None, field: QWidget, *, wide: bool) -> None:
        """Append a row; a wide one takes the whole width beneath its label."""
        row = self.grid.rowCount()
        if label is None:
            self.grid.addWidget(field, row, 0, 1, 2)
            return
        top = Qt.AlignmentFlag.AlignTop
        if wide:
            label.setMaximumWidth(QWIDGETSIZE_MAX)
            self.grid.addWidget(label, row, 0, 1, 2)
            self.grid.addWidget(field, row + 1, 0, 1, 2)
        else:
            self.grid.addWidget(label, row, 0, top)
            self.grid.addWidget(field, row, 1, top)


class Form(QWidget):
    """Editors for elements of one selection, or for the model and its settings."""

    def __init__(
        self,
        document: Document,
        preferences: Preferences,
        ids: tuple[Id, ...],
        speeds: Mapping[Id, Mapping[str, Any]] = NOTHING_KNOWN,
        *,
        has_details: bool = False,
    ) -> None:
        super().__init__()
        self.document, self.preferences, self.ids = document, preferences, ids
        self.speeds = speeds  # with which a run starts, by element and field
        self.has_details = has_details  # whether what is looked at seldom is unfolded
        self.remark: QLabel | None = None
        self.maker = Maker(document, preferences)
        self.rows: list[Row] = []
        self.sections: dict[str, Section] = {}
        self._shown: dict[Field, Any] = {}  # what each editor shows: only changes are refreshed
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 4, 0, 12)
        self.column.setSpacing(2)
        if ids:
            self._add_elements()
        else:
            self._add_settings()
        self.column.addStretch(1)
        self.refresh()

    # --- fields to edit

    def _add_settings(self) -> None:
        model = self.document.model
        for name in ("name", "description", "gravity"):
            self._add("", Place(name, part="model"), MODEL_FIELDS[name], "")
        known = {f.name: f for f in fields(Settings)}
        for name in settings_that_matter(list(known), model.settings, model):
            f = known[name]
            title = tr("Orientation") if name in OF_ORIENTATION else tr("Run")
            self._add(title, Place(name, part="settings"), f.metadata, f.default)
            if why := why_unused(name, model.settings):
                self._set_apart(self.rows[-1], why)

    def _set_apart(self, row: Row, why: str) -> None:
        """Grey a setting that no run reads now, or name what alone does; the tooltip has the reason."""
        words = field_words(row.place.name)
        if row.place.name == "step":  # of a live simulation in any case
            words = tr("Step, live mode")
        else:
            row.field.setEnabled(False)
        if row.label is not None:
            row.label.setText(words)
        for widget in (row.field, row.label):
            if widget is not None:
                widget.setToolTip(f"<b>{words}</b><br/>{why}")

    def _add_elements(self) -> None:
        model = self.document.model
        elements = [model[id] for id in self.ids]
        shared = _shared_fields(elements, model.dim)
        titles = {name: title for title, names in SECTIONS for name in names}
        titles |= {f.name: START for f in shared if f.name.endswith(("_rate", "_start"))}
        kinds = {e.kind for e in elements}
        titles |= {f.name: DETAILS for f in shared if all(is_seldom(k, f.name) for k in kinds)}
        order = ["", *(title for title, _ in SECTIONS), DETAILS]
        ranks = {name: n for _, names in SECTIONS for n, name in enumerate(names)}
        shared.sort(key=lambda f: (order.index(titles.get(f.name, "")), ranks.get(f.name, 0)))
        markers = []
        for f in shared:
            if f.metadata["role"] == "ref" and f.metadata["family"] == "marker":
                markers.append(f.name)
                continue
            place = Place(f.name, self.ids)
            title = titles.get(f.name, "")
            self._add(_section(title), place, f.metadata, f.default)
            if f.metadata["role"] == "shape":
                self._add_shape(_section(title), elements)
        if len(elements) == 1:
            self._add_remark()
            for name in markers:
                self._add_marker(name, getattr(elements[0], name))

    def _add_remark(self) -> None:
        """A line for what follows from the numbers of the first section."""
        if "" in self.sections:
            self.remark = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
            self.remark.setProperty("role", "quiet")
            self.sections[""].add(None, self.remark, wide=True)
        if tr(DETAILS) in self.sections:
            self.sections[tr(DETAILS)].head.setChecked(self.has_details)

    def _add_shape(self, title: str, elements: list[Any]) -> None:
        """The sizes of the shape, if all have one of the same kind."""
        shapes = {type(e.shape) for e in elements}
        if len(shapes) == 1 and None.__class__ not in shapes:
            for f in fields(elements[0].shape):
                is_here = self.document.model.dim in f.metadata.get("dims", (2, 3))
                if is_here and f.metadata.get("role") in OF_SHAPES and f.name != "vertices":
                    self._add(title, Place(f.name, self.ids, "shape"), f.metadata, f.default)

    def _add_marker(self, name: str, id: Id) -> None:
        """The point on a body that a joint or force attaches to."""
        model = self.document.model
        if id not in model:
            return
        marker = model[id]
        body = tr("ground") if marker.body == GROUND else _label(model, marker.body)
        title = tr("On {0}").format(body)
        while title in self.sections:
            title += " "
        for f in fields(marker):
            if f.metadata.get("role") and f.name != "name":
                self._add(title, Place(f.name, (id,)), f.metadata, f.default)

    def _add(self, title: str, place: Place, metadata: Any, default: Any) -> None:
        """Append an editor to the section of this title."""
        if title not in self.sections:
            self.sections[title] = Section(title.rstrip())
            self.column.addWidget(self.sections[title])
        place.dim = self.document.model.dim
        field = self.maker.field(place, metadata, default)
        field.setObjectName(".".join(filter(None, (place.part, place.name))))
        words = self._words(place)
        label = None
        if not isinstance(field, FlagField):
            label = QLabel(words)
            label.setProperty("role", "quiet")
            label.setMinimumHeight(26)
            label.setWordWrap(True)
            label.setFixedWidth(LABEL_WIDTH)
            label.setBuddy(field)
        help_words = tr(metadata.get("help", ""))
        unit = self.preferences.unit_text(metadata.get("unit", ""))
        if isinstance(field, VectorField) and unit and label is not None:
            label.setText(f"{words} [{unit}]")
        for widget in (label, field):
            if widget is not None:
                widget.setToolTip(f"<b>{words}</b><br/>{help_words}" if help_words else words)
        self.sections[title].add(label, field, wide=field.is_wide)
        row = Row(place, field, label, metadata)
        field.meant.connect(lambda value: self._edit(row, value))
        self.rows.append(row)

    def _words(self, place: Place) -> str:
        """The name of a field of what is edited."""
        model = self.document.model
        element = model.elements.get(place.ids[0]) if place.ids else None
        kind = place.part or getattr(element, "kind", "")
        if place.part == "shape":
            kind = type(getattr(element, "shape", None)).__name__.lower()
        return field_words(place.name, kind, model.dim)

    def turn_to(self, ids: tuple[Id, ...]) -> bool:
        """Edit other elements with the same fields instead, if they have them; changes the form."""
        model = self.document.model
        if len(self.ids) != 1 or len(ids) != 1 or any(i not in model for i in (*ids, *self.ids)):
            return False
        if any(row.place.dim != model.dim for row in self.rows):
            return False
        old, new = model[self.ids[0]], model[ids[0]]
        has_refs = any(f.metadata.get("role") == "ref" for f in fields(new))
        shapes = [type(getattr(e, "shape", None)) for e in (old, new)]
        if type(old) is not type(new) or has_refs or shapes[0] is not shapes[1]:
            return False
        self.ids = ids
        self._shown.clear()
        for row in self.rows:
            row.place.ids = ids
            row.field.forget()
        self.refresh()
        return True

    def focused_field(self) -> str:
        """The name of the editor that has the focus, or an empty text."""
        focus = self.focusWidget()
        for row in self.rows:
            if focus is not None and (row.field is focus or row.field.isAncestorOf(focus)):
                return row.field.objectName() if focus.hasFocus() else ""
        return ""

    def focus_field(self, name: str) -> None:
        """Give the focus to the editor of this name, if there is one."""
        for row in self.rows:
            if name and row.field.objectName() == name:
                row.field.setFocus()
                return

    # --- reading and writing values

    def refresh(self) -> None:
        """Show the values of the model as it is now."""
        model = self.document.shown
        computed = {}
        if len(self.ids) == 1:
            computed = {**self.speeds.get(self.ids[0], {}), **computed_values(model, self.ids[0])}
        if self.remark is not None:
            words = remark(model, self.ids[0], self.preferences)
            self.remark.setText(words)
            self.remark.setVisible(bool(words))
        parameters = [(p.id, p.value) for p in model.of("parameter")]  # formulas refer to these
        for row in self.rows:
            if not row.place.exists(model):
                continue
            value, mixed = row.place.value(model), row.place.is_mixed(model)
            if row.metadata["role"] == "shape":
                value = "" if value is None else value.kind
            known = computed.get(row.place.name) if not row.place.part else None
            if isinstance(row.field, VectorField):
                row.field.set_computed(known)
            shown = (value, mixed, self._grey(row, known, value))
            seen = (shown, parameters, row.field.context())
            if self._shown.get(row.field) != seen:
                self._shown[row.field] = seen
                row.field.show_value(*shown)

    def _automatic_colour(self) -> str:
        """The colour that the program chooses for the selected body."""
        from gui.look.colors import body_colors

        colours = body_colors(self.document.shown, theme_of(self.palette()))
        colour = colours.get(self.ids[0])
        return colour.name() if colour is not None else ""

    def _grey(self, row: Row, known: Any, value: Any) -> str:
        """The text of a computed value."""
        if row.place.name == "color":
            return self._automatic_colour()
        if value is not None:
            return ""
        unit = row.metadata.get("unit", "")
        if row.place.name in ("alpha", "beta") and row.place.part == "settings":
            known = stabilising(self.document.shown).get(row.place.name)
        if isinstance(known, tuple):
            return "; ".join(self.maker.shown(one, unit) for one in known)
        if known is not None:
            return self.maker.shown(float(known), unit)
        help = row.metadata.get("help", "")
        if "Empty: free" in help:
            return tr("free")
        if "as asked for" in help:
            return tr("as asked for")
        return tr("as drawn") if "as drawn" in help else tr("automatic")

    def _edit(self, row: Row, value: Any) -> None:
        """Commit a value as one undo step."""
        model, place = self.document.model, row.place
        if not place.exists(model):
            return
        if row.metadata["role"] == "shape":
            after = model
            for id in place.ids:
                one = Place("shape", (id,))
                after = one.put(after, converted_shape(after[id].shape, value))
                after = tied_anew(model, after, id)
        else:
            after = place.typed(model, value)
        what = self._words(place).lower()
        if not place.ids:
            label = tr("Change {0}").format(what)
        elif len(place.ids) == 1:
            label = tr("Change {0} of {1}").format(what, _label(model, self._owner(place.ids[0])))
        else:
            label = tr("Change {0} of {1} elements").format(what, len(place.ids))
        self._shown.pop(row.field, None)  # the text is shown as the model stores it
        self.document.edit(label, after)
        self.refresh()

    def _owner(self, id: Id) -> Id:
        """The element that a person edits: for a point of the joint or force in the form, that one."""
        is_point = self.document.model[id].family == "marker"
        return self.ids[0] if is_point and len(self.ids) == 1 else id


def structure(model: Model, ids: tuple[Id, ...]) -> Any:
    """What a form is built from: while it does not change, only values need refreshing."""
    parts: list[Any] = [model.dim]
    if not ids:
        names = [f.name for f in fields(Settings)]
        here = settings_that_matter(names, model.settings, model)
        parts += [(name, why_unused(name, model.settings)) for name in here]
    for id in ids:
        element = model[id]
        shape = getattr(element, "shape", None)
        refs = [
            getattr(element, f.name) for f in fields(element) if f.metadata.get("role") == "ref"
        ]
        bodies = [model[r].body for r in refs if r in model and model[r].family == "marker"]
        extra = [getattr(element, name, None) for name in ("quantity", "coordinate", "acts", "of")]
        known = [(e.id, e.name) for e in model if refs and e.family in ("body", "joint")]
        idle = element.idle_fields()  # a choice may need other fields
        parts.append((id, type(element), type(shape), refs, bodies, extra, idle, known))
    return parts


def _shared_fields(elements: list[Any], dim: int) -> list[Any]:
    """Fields that all the elements share, without the name and those of other dimensions."""
    shared = []
    left_out = {"id", "name", *(name for e in elements for name in e.idle_fields())}
    for f in fields(elements[0]):
        meta = f.metadata
        if f.name in left_out or "role" not in meta or dim not in meta.get("dims", (2, 3)):
            continue
        if meta["role"] in ("faces", "matrix") or (meta["role"] == "ref" and len(elements) > 1):
            continue
        others = [{g.name: g for g in fields(e)}.get(f.name) for e in elements[1:]]
        alike = [
            g is not None
            and g.metadata.get("role") == meta["role"]
            and g.metadata.get("unit") == meta.get("unit")
            for g in others
        ]
        if all(alike) and f.default is not MISSING:
            shared.append(f)
    return shared


def _section(title: str) -> str:
    return QCoreApplication.translate("Forms", title) if title else ""


def _label(model: Model, id: Id) -> str:
    return model[id].label if id in model else id
