"""The panel of properties: what is selected, or the model and its settings where nothing is."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from engine.editing.edits import renamed
from engine.errors import EngineError
from engine.model.elements import Id, Model, same_mechanism
from gui.forms.fields import Field, tr
from gui.forms.form import DETAILS, Form, structure
from gui.forms.lines import Line
from gui.forms.words import FAMILIES, counted, kind_words
from gui.look.icons import icon
from gui.state.document import Document
from gui.state.preferences import Preferences
from gui.state.selection import Selection

PAUSE = 40  # ms between two refreshes while something is dragged


class PropertiesPanel(QWidget):
    """Name and fields of the selection."""

    def __init__(self, document: Document, selection: Selection, preferences: Preferences) -> None:
        super().__init__()
        self.document, self.selection, self.preferences = document, selection, preferences
        self.form: Form | None = None
        self._structure: object = None
        self._details_open = False
        self._speeds: tuple[Model, Mapping[Id, Mapping[str, Any]]] = (document.model, {})
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head())
        self.complaint = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.complaint.hide()
        self.complaint.setProperty("role", "wrong")
        self.complaint.setContentsMargins(12, 0, 12, 6)
        column.addWidget(self.complaint)
        self.scroll_area = QScrollArea(widgetResizable=True)
        self.scroll_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        column.addWidget(self.scroll_area, 1)
        holder = QWidget()
        self._column = QVBoxLayout(holder)
        self._column.setContentsMargins(0, 0, 0, 0)
        self.scroll_area.setWidget(holder)
        self._later = QTimer(self, singleShot=True, interval=PAUSE)
        self._later.timeout.connect(self.refresh)
        self._now = QTimer(self, singleShot=True, interval=0)  # several changes cause one rebuild
        self._now.timeout.connect(self.refresh)
        self._recolour = QTimer(self, singleShot=True, interval=0)
        self._recolour.timeout.connect(self.rebuild)
        document.opened.connect(self.forget)
        document.changed.connect(self._refresh_soon)
        document.committed.connect(self._now.start)
        selection.changed.connect(self._now.start)
        preferences.changed.connect(self._on_preference)
        self.rebuild()

    def _head(self) -> QWidget:
        """Symbol, name and kind."""
        head = QFrame()
        row = QHBoxLayout(head)
        row.setContentsMargins(12, 10, 12, 6)
        row.setSpacing(8)
        self.symbol = QLabel()
        self.name = Line()
        self.name.setObjectName("name")
        self.name.meant.connect(self._rename)
        self.name.given_up.connect(self._show_head)
        self.title = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.title.setProperty("role", "title")
        self.kind = QLabel(textFormat=Qt.TextFormat.PlainText)
        self.kind.setProperty("role", "quiet")
        row.addWidget(self.symbol)
        row.addWidget(self.name, 1)
        row.addWidget(self.title, 1)
        row.addWidget(self.kind)
        return head

    @property
    def ids(self) -> tuple[str, ...]:
        """The selected elements that exist."""
        return tuple(id for id in self.selection.ids if id in self.document.model)

    def show_speeds(self, model: Model, speeds: Mapping[Id, Mapping[str, Any]]) -> None:
        """Show in grey the velocities with which a run of this model starts."""
        self._speeds = (model, speeds)
        if self.form is not None:
            self.refresh()

    def refresh(self) -> None:
        """Show the present values; build another form if the selection has other fields."""
        self._later.stop()
        now = structure(self.document.model, self.ids)
        if now != self._structure:
            if self.form is None or self.form.ids == self.ids or not self.form.turn_to(self.ids):
                self.rebuild()
                return
            self._structure = now
            self.scroll_area.verticalScrollBar().setValue(0)
        self._show_head()
        if self.form is not None:
            self.form.speeds = self._known_speeds()
            self.form.refresh()

    def _known_speeds(self) -> Mapping[Id, Mapping[str, Any]]:
        """The velocities with which a run of the present model starts, as far as they are known."""
        model, speeds = self._speeds
        return speeds if same_mechanism(model, self.document.model) else {}

    def bring_up_to_date(self) -> None:
        """Show pending changes at once."""
        if self._now.isActive() or self._later.isActive():
            self._now.stop()
            self._later.stop()
            self.refresh()

    def forget(self) -> None:
        """Give up what was typed, because another model is opened; changes the form."""
        for row in self.form.rows if self.form is not None else ():
            row.field.forget()
        self._show_head()

    def first_field(self) -> QWidget | None:
        """The field that Tab leads to from the stage: the first one of the form that is seen."""
        for row in self.form.rows if self.form is not None else ():
            if row.field.isVisible() and row.field.isEnabled():
                field: QWidget = row.field
                while (proxy := field.focusProxy()) is not None:
                    field = proxy
                return field
        return self.name if self.name.isVisible() else None

    def leaveEvent(self, event: QEvent) -> None:
        """Where the mouse has left, fields may move: give up the room of sentences that are gone."""
        super().leaveEvent(event)
        for field in self.findChildren(Field):
            field.close_room()

    def changeEvent(self, event: QEvent) -> None:
        """Draw the symbol again in the colours of another theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self.form is not None:
            self._show_head()

    def _on_preference(self, name: str) -> None:
        """Show other units at once; other colours when the whole window has them."""
        if name == "theme":
            self._recolour.start()
        else:
            self.rebuild()

    def _refresh_soon(self, *_: object) -> None:
        if not self._later.isActive():
            self._later.start()

    def rebuild(self, *_: object) -> None:
        """Rebuild the form of the selection; changes the panel."""
        self._structure = structure(self.document.model, self.ids)
        at = self.scroll_area.verticalScrollBar().value()
        old, focused = self.form, ""
        same = old is not None and old.ids == self.ids
        if old is not None:
            focused = old.focused_field() if same else ""
            self._column.removeWidget(old)
            old.hide()
            old.deleteLater()  # its editor may be in the middle of an event
        self.form = Form(
            self.document,
            self.preferences,
            self.ids,
            self._known_speeds(),
            has_details=old is not None and self._has_details(old),
        )
        self._column.addWidget(self.form)
        self.form.show()
        self.form.focus_field(focused)
        self.scroll_area.verticalScrollBar().setValue(at if same else 0)
        self._show_head()

    def _has_details(self, form: Form) -> bool:
        """Whether what is looked at seldom is unfolded; remembers it while other forms have none."""
        details = form.sections.get(tr(DETAILS))
        if details is not None:
            self._details_open = details.head.isChecked()
        return self._details_open

    def _show_head(self) -> None:
        model, ids = self.document.model, self.ids
        one = model[ids[0]] if len(ids) == 1 else None
        self.name.setVisible(one is not None)
        self.title.setVisible(one is None)
        self.complaint.hide()
        self.name.mark(False)
        if one is not None:
            self.symbol.setPixmap(icon(one.kind).pixmap(20, 20))
            self.name.setText(one.label)
            self.name.setCursorPosition(0)
            self.kind.setText(kind_words(one.kind, self.document.model.dim))
        elif ids:
            families = {model[id].family for id in ids}
            self.symbol.setPixmap(icon("several").pixmap(20, 20))
            family = families.pop() if len(families) == 1 else ""
            known = family in FAMILIES
            words = counted(len(ids), family) if known else tr("{0} elements").format(len(ids))
            self.title.setText(words)
            self.kind.setText("")
        else:
            self.symbol.setPixmap(icon("settings").pixmap(20, 20))
            self.title.setText(tr("Model and run"))
            plane = tr("in the plane") if model.dim == 2 else tr("in space")
            self.kind.setText(plane)

    def _rename(self) -> None:
        if len(self.ids) != 1:
            return
        element, words = self.document.model[self.ids[0]], self.name.text().strip()
        if words == element.label or not self.name.isModified():
            return
        try:
            model = renamed(self.document.model, element.id, words)
        except EngineError as error:
            self.complaint.setText(error.sentence)
            self.complaint.show()
            self.name.mark(True)
            return
        self.document.edit(tr("Rename {0}").format(element.label), model)
        if element.family == "parameter" and words in self.document.model:
            self.selection.set([words])

    def show_settings(self) -> None:
        """Show the settings of the run, as a click on the method in the health strip does."""
        self.selection.clear()
        self.scroll_area.ensureVisible(0, 400)
