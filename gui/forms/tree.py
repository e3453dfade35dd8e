"""The tree of the model: its elements by family; select, rename, hide, drag onto a plot."""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QMimeData, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from engine.compiling.checks import Problem
from engine.editing.edits import renamed
from engine.errors import EngineError
from engine.model.elements import Id, Model, diff
from gui.forms.words import family_words, kind_words
from gui.look.icons import icon
from gui.look.tooltips import as_text, in_lines
from gui.look.tree_items import children
from gui.state.document import Document
from gui.state.selection import Selection
from gui.state.visibility import Visibility

IDS_MIME = "application/x-kardan-ids"
FAMILIES = ("body", "joint", "motion", "force", "trigger", "tracer", "parameter")
ALWAYS = ("body", "joint", "force")  # headings that stay when they are empty
NAME, MARK, EYE = 0, 1, 2
ID_ROLE = Qt.ItemDataRole.UserRole


class ModelTree(QTreeWidget):
    """Elements under the headings of their families; it follows the document and the selection."""

    menu_requested = Signal(object, QPoint)  # ids and the place on the screen
    opened = Signal(str)  # double click
    complained = Signal(str)  # why a name is refused
    plot_wanted = Signal(int)  # a click on the n-th plot

    def __init__(
        self,
        document: Document,
        selection: Selection,
        visibility: Visibility,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.document, self.selection, self.visibility = document, selection, visibility
        self.items: dict[Id, QTreeWidgetItem] = {}
        self.heads: dict[str, QTreeWidgetItem] = {}
        self._busy = False
        self._shown = document.model  # what the items show
        self._order: dict[Id, int] = {}  # of the elements of the model below
        self._order_of: Model | None = None
        self._set_up()
        for family in FAMILIES:
            self.heads[family] = self._heading(family_words(family))
        self.plots = self._heading(self.tr("Plots"))
        self.plots.setHidden(True)
        self._fill(document.model)
        document.committed.connect(self._follow)
        selection.changed.connect(self._show_selection)
        visibility.changed.connect(self._show_eyes)
        self.itemSelectionChanged.connect(self._take_selection)
        self.itemChanged.connect(self._rename)
        self.itemEntered.connect(lambda item, _: selection.hover(_id(item)))
        self.customContextMenuRequested.connect(self._ask_menu)
        self.itemClicked.connect(self._on_click)

    def _set_up(self) -> None:
        """Set up the appearance and the allowed interactions."""
        self.setColumnCount(3)
        self.setHeaderHidden(True)
        self.setRootIsDecorated(True)
        self.setIndentation(14)
        self.setUniformRowHeights(True)
        header = self.header()
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(22)
        header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        for column in (MARK, EYE):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            header.resizeSection(column, 26)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        trigger = QAbstractItemView.EditTrigger
        self.setEditTriggers(trigger.EditKeyPressed | trigger.SelectedClicked)
        self.setMouseTracking(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)

    def _heading(self, words: str) -> QTreeWidgetItem:
        item = QTreeWidgetItem(self, [words])
        item.setFlags(Qt.ItemFlag.ItemIsEnabled)
        item.setExpanded(True)
        font = item.font(NAME)
        font.setBold(True)
        item.setFont(NAME, font)
        return item

    # --- from the model to the tree

    def _follow(self) -> None:
        """Take over what has changed in the model."""
        model = self.document.model
        before = self._shown
        if not _is_kin(before, model):
            self._clear()
            self._fill(model)
            return
        added, removed, changed = diff(before, model)
        self._busy = True
        for id in removed & self.items.keys():
            _take_out(self.items.pop(id))
        for id in changed & self.items.keys():
            self._show_element(self.items[id], model[id])
        self._add(model, added)
        self._finish(model)

    def _clear(self) -> None:
        for item in self.items.values():
            _take_out(item)
        self.items.clear()

    def _fill(self, model: Model) -> None:
        self._busy = True
        self._add(model, set(model.elements))
        self._finish(model)

    def _add(self, model: Model, ids: set[Id]) -> None:
        for n, element in enumerate(model):
            if element.id in ids and element.family in self.heads:
                item = QTreeWidgetItem()
                item.setData(NAME, ID_ROLE, element.id)
                flag = Qt.ItemFlag
                flags = flag.ItemIsEnabled | flag.ItemIsSelectable | flag.ItemIsDragEnabled
                item.setFlags(flags | flag.ItemIsEditable)
                head = self.heads[element.family]
                head.insertChild(self._rank(model, head, n), item)
                self.items[element.id] = item
                self._show_element(item, element)

    def _rank(self, model: Model, head: QTreeWidgetItem, n: int) -> int:
        """Where the n-th element of the model goes under its heading: in creation order."""
        if self._order_of is not model:
            self._order, self._order_of = {id: k for k, id in enumerate(model.elements)}, model
        at = head.childCount()
        while at > 0 and self._order.get(_id(head.child(at - 1)), -1) > n:
            at -= 1
        return at

    def _finish(self, model: Model) -> None:
        self._shown = model
        for family, head in self.heads.items():
            head.setHidden(family not in ALWAYS and head.childCount() == 0)
            count = head.childCount()
            words = family_words(family)
            head.setText(NAME, f"{words}  {count}" if count else words)
        self._busy = False
        self._show_selection()

    def _show_element(self, item: QTreeWidgetItem, element: Any) -> None:
        item.setText(NAME, element.label)
        item.setIcon(NAME, icon(_symbol(element)))
        item.setToolTip(
            NAME, as_text(f"{kind_words(element.kind, self.document.model.dim)} '{element.label}'")
        )
        self._show_eye(item, element)

    def show_plots(self, titles: Sequence[str]) -> None:
        """List the plots; changes the tree."""
        self._busy = True
        for item in children(self.plots):  # takeChildren() would keep them alive
            _take_out(item)
        for title in titles:
            item = QTreeWidgetItem(self.plots, [title])
            item.setFlags(Qt.ItemFlag.ItemIsEnabled)
            item.setIcon(NAME, icon("time_plot"))
        self.plots.setHidden(not titles)
        self._busy = False

    def show_problems(self, problems: Sequence[Problem]) -> None:
        """Mark the elements that something is wrong with."""
        sentences: dict[Id, list[str]] = {}
        for problem in problems:
            for id in problem.ids:
                sentences.setdefault(id, []).append(problem.sentence)
        self._busy = True
        for id, item in self.items.items():
            wrong = in_lines(*sentences.get(id, []))
            if wrong != item.toolTip(MARK):
                item.setIcon(MARK, icon("problem") if wrong else icon("nothing"))
                item.setToolTip(MARK, wrong)
        self._busy = False

    # --- selection

    def _show_selection(self) -> None:
        if self._busy:
            return
        self._busy = True
        chosen = set(self.selection.ids)
        shown = {_id(item): item for item in self.selectedItems()}
        for id in shown.keys() - chosen:
            shown[id].setSelected(False)
        for id in (chosen - shown.keys()) & self.items.keys():
            self.items[id].setSelected(True)
        last = self.items.get(self.selection.ids[-1]) if self.selection.ids else None
        if last is not None and not self.hasFocus():
            self.scrollToItem(last)
        self._busy = False

    def _take_selection(self) -> None:
        if not self._busy:
            self._busy = True
            chosen = [_id(item) for item in self.selectedItems()]
            kept = [id for id in self.selection.ids if id in chosen]
            self.selection.set([*kept, *(id for id in chosen if id not in kept)])
            self._busy = False

    def _on_click(self, item: QTreeWidgetItem) -> None:
        if item.parent() is self.plots:
            self.plot_wanted.emit(self.plots.indexOfChild(item))

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the mouse any more."""
        self.selection.hover("")
        super().leaveEvent(event)

    # --- rename, hide, drag, menu

    def rename_selected(self) -> None:
        """Edit the name of the selected element in place."""
        item = self.items.get(self.selection.ids[0]) if len(self.selection.ids) == 1 else None
        if item is not None and item.flags() & Qt.ItemFlag.ItemIsEditable:
            self.scrollToItem(item)
            self.setCurrentItem(item)
            self.editItem(item, NAME)

    def _rename(self, item: QTreeWidgetItem, column: int) -> None:
        id = _id(item)
        if self._busy or column != NAME or id not in self.document.model:
            return
        element, words = self.document.model[id], item.text(NAME).strip()
        if words == element.label:
            return
        try:
            model = renamed(self.document.model, id, words)
        except EngineError as error:
            self.complained.emit(error.sentence)
        else:
            self.document.edit(self.tr("Rename {0}").format(element.label), model)
        if id in self.items and id in self.document.model:
            self._busy = True
            self._show_element(self.items[id], self.document.model[id])
            self._busy = False

    def _show_eyes(self) -> None:
        self._busy = True
        for id, item in self.items.items():
            self._show_eye(item, self.document.model[id])
        self._busy = False

    def _show_eye(self, item: QTreeWidgetItem, element: Any) -> None:
        if element.family != "parameter":
            hidden = element.id in self.visibility.hidden
            item.setIcon(EYE, icon("eye_off" if hidden else "eye"))
            item.setToolTip(EYE, self.tr("Show") if hidden else self.tr("Hide"))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A press on the eye hides or shows, whatever is selected."""
        item = self.itemAt(event.position().toPoint())
        at = self.columnAt(round(event.position().x()))
        is_left = event.button() == Qt.MouseButton.LeftButton
        if item is not None and at == EYE and is_left and _id(item) in self.items:
            if self.document.model[_id(item)].family != "parameter":
                self.visibility.toggle(_id(item))
                return
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """A double click on a name renames it."""
        item = self.itemAt(event.position().toPoint())
        if item is not None and _id(item) and self.columnAt(round(event.position().x())) == NAME:
            self.opened.emit(_id(item))
            self.rename_selected()
            return
        super().mouseDoubleClickEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter edits the name."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not self.is_editing():
            self.rename_selected()
            return
        super().keyPressEvent(event)

    def commitData(self, editor: QWidget) -> None:
        """Take what was typed, once: Enter also moves the keyboard away, which has taken it already."""
        if self.is_editing():
            super().commitData(editor)

    def is_editing(self) -> bool:
        """Whether a name is being typed."""
        return self.state() == QAbstractItemView.State.EditingState

    def mimeData(self, items: Iterable[QTreeWidgetItem]) -> QMimeData:
        """The dragged ids as data."""
        mime = QMimeData()
        ids = [_id(item) for item in items if _id(item)]
        mime.setData(IDS_MIME, json.dumps(ids).encode())
        mime.setText(", ".join(ids))
        return mime

    def mimeTypes(self) -> list[str]:
        """The only type of dragged data."""
        return [IDS_MIME]

    def _ask_menu(self, place: QPoint) -> None:
        item = self.itemAt(place)
        if item is not None and _id(item) and not item.isSelected():
            self.selection.set([_id(item)])
        self.menu_requested.emit(self.selection.ids, self.viewport().mapToGlobal(place))


def _id(item: QTreeWidgetItem | None) -> Id:
    """The id of the element of an item; empty for a heading."""
    return str(item.data(NAME, ID_ROLE) or "") if item is not None else ""


def _symbol(element: Any) -> str:
    """The name of the icon of an element: that of a body is its shape."""
    shape = getattr(element, "shape", None)
    if element.kind == "body":
        return f"body_{shape.kind}" if shape is not None else "body"
    return element.kind


def _is_kin(before: Model, after: Model) -> bool:
    """Whether the common elements of both models have the same families and order."""
    kept = [(id, e.family) for id, e in before.elements.items() if id in after]
    return kept == [(id, e.family) for id, e in after.elements.items() if id in before]


def _take_out(item: QTreeWidgetItem) -> None:
    """Take an item away from its heading; changes the tree."""
    if (head := item.parent()) is not None:
        head.removeChild(item)
