"""The panel of parameters: a name, a slider and a value for each."""

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from engine.editing.edits import deleted, parameter_set, renamed
from engine.errors import EngineError
from engine.formulas.expressions import value
from engine.formulas.resolve import parameter_values
from engine.integrators.warm_up import are_compiled
from engine.kinematics.reassembly import Reassembly
from engine.model.elements import Id, Model, Parameter, put
from gui.forms.lines import Line, LineField
from gui.forms.places import Place
from gui.forms.sliders import MOST_BODIES, ParameterSlider, is_pinned, pin
from gui.look.buttons import icon_button, small_button
from gui.look.icons import icon
from gui.state.document import Document
from gui.state.preferences import Preferences
from gui.state.selection import Selection


class ParameterPanel(QWidget):
    """All parameters of the model; a slider shows its effect while it is dragged."""

    complained = Signal(str)
    add_wanted = Signal()
    begun = Signal()  # a slider is taken
    ended = Signal(bool, bool)  # it is released; whether the model was changed, and is assembled

    def __init__(self, document: Document, selection: Selection, preferences: Preferences) -> None:
        super().__init__()
        self.document, self.selection, self.preferences = document, selection, preferences
        self.rows: dict[Id, ParameterRow] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        self.empty = QLabel(
            self.tr(
                "A parameter is a named number: use its name in any field, as in 2*l, and change "
                "many fields by one slider."
            ),
            wordWrap=True,
        )
        self.empty.setProperty("role", "quiet")
        self.empty.setContentsMargins(12, 12, 12, 4)
        self.holder = QWidget()
        self.list = QVBoxLayout(self.holder)
        self.list.setContentsMargins(10, 8, 6, 8)
        self.list.setSpacing(10)
        self.list.addStretch(1)
        scroll = QScrollArea(widgetResizable=True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(self.holder)
        add = QPushButton(icon("add"), self.tr("New parameter"))
        add.clicked.connect(self.add_wanted)
        foot = QHBoxLayout()
        foot.setContentsMargins(10, 4, 10, 8)
        foot.addWidget(add, 1)
        column.addWidget(self.empty)
        column.addWidget(scroll, 1)
        column.addLayout(foot)
        self._later = QTimer(self, singleShot=True, interval=40)
        self._later.timeout.connect(self._follow)
        document.opened.connect(self._forget)
        document.committed.connect(self._follow)
        document.changed.connect(self._follow_soon)
        preferences.changed.connect(self._follow)
        self._follow()

    def _forget(self) -> None:
        """Give up what was typed, because another model is opened."""
        for row in self.rows.values():
            row.forget()

    def _follow_soon(self, *_: object) -> None:
        if not self._later.isActive():
            self._later.start()

    def _follow(self, *_: object) -> None:
        """Show the parameters of the model."""
        known = [p.id for p in self.document.model.of("parameter")]
        if known != list(self.rows):
            for row in self.rows.values():
                self.list.removeWidget(row)
                row.deleteLater()
            self.rows = {}
            for n, id in enumerate(known):
                row = ParameterRow(id, self)
                self.list.insertWidget(n, row)
                self.rows[id] = row
        self.empty.setVisible(not known)
        for row in self.rows.values():
            row.refresh()

    def edit(self, label: str, work: Any) -> bool:
        """Make one edit, or say why not; True if it was made."""
        try:
            model = work(self.document.model)
        except EngineError as error:
            self.document.preview(None)
            self.complained.emit(error.sentence)
            return False
        self.document.edit(label, model)
        return True


class ParameterRow(QWidget):
    """One parameter: name, value and slider."""

    def __init__(self, id: Id, panel: ParameterPanel) -> None:
        super().__init__()
        self.id, self.panel = id, panel
        self.name = Line()
        self.name.setText(id)
        self.name.setToolTip(self.tr("The name of the parameter in formulas"))
        self.name.meant.connect(self._rename)
        self.name.given_up.connect(self._show_name)
        place = Place("value", (id,))
        shown = panel.preferences
        self.field = LineField(
            lambda number: number if isinstance(number, str) else shown.digits(number, 8),
            lambda text: shown.parse(text, "", panel.document.model),
            lambda number: place.check(panel.document.model, number),
            self._explain,
        )
        self.field.meant.connect(self._set)
        self.slider = ParameterSlider(id, panel.document)
        self.slider.begun.connect(panel.begun)
        self.slider.ended.connect(panel.ended)
        self.slider.told.connect(lambda words: self.field.say(words, "wrong"))
        more = icon_button("options", self.tr("Limits and unit of this parameter"))
        more.clicked.connect(lambda: panel.selection.set([self.id]))
        remove = icon_button("delete", self.tr("Delete this parameter"))
        remove.clicked.connect(self._delete)
        self.pin = small_button("pin", "", 16)
        self.pin.setCheckable(True)
        self.pin.clicked.connect(lambda on: pin(panel.document, self.id, on))
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(4)
        grid.setVerticalSpacing(2)
        grid.addWidget(self.name, 0, 0)
        grid.addWidget(self.field, 0, 1)
        grid.addWidget(more, 0, 2, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(remove, 0, 3, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(self.slider, 1, 0, 1, 3)
        grid.addWidget(self.pin, 1, 3)
        grid.setColumnStretch(0, 2)
        grid.setColumnStretch(1, 3)

    def forget(self) -> None:
        """Give up what was typed; changes the row."""
        self.field.forget()
        self._show_name()

    def _show_name(self) -> None:
        self.name.setText(self.id)
        self.name.mark(False)

    @property
    def parameter(self) -> Parameter:
        """The parameter as it is in the model."""
        return self.panel.document.model[self.id]

    def _explain(self, number: Any) -> str:
        if not isinstance(number, str):
            return ""
        try:
            worked_out = value(number, parameter_values(self.panel.document.shown))
        except EngineError as error:
            return error.sentence
        return f"= {self.panel.preferences.digits(worked_out)}"

    def refresh(self) -> None:
        """Show the value that is shown on the stage."""
        model = self.panel.document.shown
        if self.id not in model or self.id not in self.panel.document.model:
            return
        given = model[self.id].value
        self.field.show_value(given, False)
        self.field.line.set_unit(model[self.id].unit)
        self.slider.show_model()
        on = is_pinned(model, self.id)
        self.pin.setChecked(on)
        words = self.tr("Take its slider off the stage") if on else self.tr("Slider on the stage")
        self.pin.setToolTip(words)

    def _with(self, model: Model, number: Any) -> Reassembly:
        if are_compiled() and len(model.of("body")) <= MOST_BODIES:
            return parameter_set(model, {self.id: number})
        return Reassembly(put(model, replace(model[self.id], value=number)))

    def _set(self, number: Any) -> None:
        if number == self.parameter.value:
            self.panel.document.preview(None)
            return
        label = self.tr("Change {0}").format(self.id)
        self.panel.edit(label, lambda m: self._with(m, number).model)

    def _rename(self) -> None:
        new = self.name.text().strip()
        if new != self.id and self.name.isModified():
            label = self.tr("Rename {0}").format(self.id)
            self.name.mark(not self.panel.edit(label, lambda m: renamed(m, self.id, new)))
        elif new == self.id:
            self._show_name()

    def _delete(self) -> None:
        label = self.tr("Delete {0}").format(self.id)
        self.panel.edit(label, lambda m: deleted(m, [self.id]))
