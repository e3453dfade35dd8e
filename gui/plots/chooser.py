"""Choose channels: a list by element, with search, units and frames."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from engine.model.elements import Id
from gui.look.theme import theme_of
from gui.look.tooltips import as_text
from gui.look.tree_items import children
from gui.plots.catalogue import Catalogue, Entry, tip_of
from gui.state.passing import open_dialog

NAME = Qt.ItemDataRole.UserRole  # of a channel
OWNER = Qt.ItemDataRole.UserRole + 1  # of a group
FEW = 4  # elements that are all opened at once
MOST_OPENED = 40  # elements whose hits a search shows


class ChannelChooser(QDialog):
    """A dialog that lists all channels; `chosen` are those the user wants."""

    def __init__(
        self,
        parent: QWidget | None,
        catalogue: Catalogue,
        chosen: list[str],
        several: bool = True,
        unit: str = "",
    ) -> None:
        super().__init__(parent)
        self.several = several
        self.catalogue = catalogue
        self._order = list(chosen)
        self._entries: dict[Id, list[Entry]] = {}  # by element
        self._groups: dict[Id, QTreeWidgetItem] = {}
        self._folders: dict[tuple[Id, str], QTreeWidgetItem] = {}  # seldom needed groups, by family
        self._rows: dict[str, QTreeWidgetItem] = {}  # those that were seen, by name
        self._told: dict[str, str] = {}  # searchable text by the name of the channel
        self.setWindowTitle(
            self.tr("Choose variables") if several else self.tr("Choose a variable")
        )
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.search = QLineEdit(clearButtonEnabled=True)
        self.search.setPlaceholderText(self.tr("Search: angle, force, rod_1 ..."))
        self.tree = QTreeWidget()
        self.tree.setUniformRowHeights(True)
        self.tree.setHeaderLabels([self.tr("Variable"), self.tr("Unit"), self.tr("Measured in")])
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.tree.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.note = QLabel(wordWrap=True)
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        column = QVBoxLayout(self)
        for widget in (self.search, self.tree, self.note, self.buttons):
            column.addWidget(widget)
        self.search.textChanged.connect(self._filter)
        self.search.returnPressed.connect(self._take_first)
        self.tree.itemExpanded.connect(self._open)
        self.tree.itemDoubleClicked.connect(self._on_double_click)
        self.tree.itemChanged.connect(self._on_checked)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        for button in self.buttons.buttons():
            button.setIcon(QIcon())
        theme = theme_of(self.palette())
        self.tree.setStyleSheet(
            "QTreeView::indicator { width: 11px; height: 11px; border-radius: 3px;"
            f" border: 1px solid {theme.faint}; background: {theme.paper}; }}"
            f"QTreeView::indicator:checked {{ background: {theme.accent};"
            f" border-color: {theme.accent}; }}"
        )
        self._fill(catalogue, unit)
        self.search.setFocus()

    def sizeHint(self) -> QSize:
        """Wide enough for long labels."""
        return QSize(560, 460)

    @property
    def chosen(self) -> list[str]:
        """The names of the channels the user wants, in the order of choosing."""
        if self.several:
            return list(self._order)
        item = self.tree.currentItem()
        name = item.data(0, NAME) if item is not None else None
        return [name] if name else []

    def _fill(self, catalogue: Catalogue, unit: str) -> None:
        """List the elements, the whole model first; those with chosen channels are opened."""
        for entry in catalogue.entries().values():
            if entry.twin_of and entry.name not in self._order:
                continue  # the same curve under another name
            self._entries.setdefault(entry.owner, []).append(entry)
        owners = sorted(self._entries, key=lambda owner: owner != "")
        bold = self.tree.font()
        bold.setBold(True)
        for owner in owners:
            group = QTreeWidgetItem([self._entries[owner][0].owner_label])
            group.setToolTip(0, as_text(owner))
            group.setFont(0, bold)
            group.setData(0, OWNER, owner)
            group.setChildIndicatorPolicy(QTreeWidgetItem.ChildIndicatorPolicy.ShowIndicator)
            self._groups[owner] = group
        self.tree.addTopLevelItems([self._groups[owner] for owner in owners])
        for owner, group in self._groups.items():
            group.setFirstColumnSpanned(True)
            wanted = any(entry.name in self._order for entry in self._entries[owner])
            if wanted or len(owners) < FEW:
                group.setExpanded(True)
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for section in (1, 2):
            header.setSectionResizeMode(section, QHeaderView.ResizeMode.ResizeToContents)
        self.note.setText(catalogue.reason)
        self.note.setVisible(bool(catalogue.reason))
        if unit:
            self._mark_unit(catalogue.unit_text(unit))

    def _open(self, group: QTreeWidgetItem) -> None:
        """Make the rows of an element when they are first shown: large models have thousands."""
        if group.childCount() == 0 and group.data(0, OWNER) is not None:
            self.tree.blockSignals(True)
            owner = group.data(0, OWNER)
            unit_text = self.catalogue.unit_text
            for entry in sorted(self._entries[owner], key=self._place(owner)):
                row = self._rows[entry.name] = self._row(entry, unit_text(entry.unit))
                (group if entry.everyday else self._folder(group, entry)).addChild(row)
            for (_, family), folder in self._folders.items():
                if folder.parent() is group:
                    chosen = (
                        e.name in self._order for e in self._entries[owner] if e.family == family
                    )
                    folder.setExpanded(any(chosen))
            self.tree.blockSignals(False)

    def _place(self, owner: Id) -> Callable[[Entry], bool]:
        """The key that puts what moves before all else."""
        usual = set(self.catalogue.usual(owner)) if owner else set()
        return lambda entry: entry.name not in usual

    def _folder(self, group: QTreeWidgetItem, entry: Entry) -> QTreeWidgetItem:
        """The collapsed group for the channels of a family that is seldom needed."""
        key = (entry.owner, entry.family)
        if key not in self._folders:
            self._folders[key] = folder = QTreeWidgetItem(group, [entry.family])
            folder.setFirstColumnSpanned(True)
        return self._folders[key]

    def _row(self, entry: Entry, unit: str) -> QTreeWidgetItem:
        row = QTreeWidgetItem([entry.quantity, unit, entry.frame])
        row.setData(0, NAME, entry.name)
        row.setToolTip(0, as_text(tip_of(entry)))
        if self.several:
            is_chosen = entry.name in self._order
            row.setCheckState(0, Qt.CheckState.Checked if is_chosen else Qt.CheckState.Unchecked)
        return row

    def _mark_unit(self, unit: str) -> None:
        """Bring the first channel of this unit that is chosen into view."""
        for row in self.rows():
            if row.text(1) == unit and row.data(0, NAME) in self._order:
                self.tree.setCurrentItem(row)
                self.tree.scrollToItem(row)
                return

    def rows(self) -> list[QTreeWidgetItem]:
        """All channel rows created so far."""
        return list(self._rows.values())

    def _filter(self, text: str) -> None:
        """Show the rows in which every word occurs."""
        words = text.lower().split()
        opened = 0
        for owner, group in self._groups.items():
            hits = [self._matches(entry, words) for entry in self._entries[owner]]
            group.setHidden(not any(hits))
            if words and any(hits) and opened < MOST_OPENED:
                self._open(group)
                group.setExpanded(True)
                opened += 1
            for entry, hit in zip(self._entries[owner], hits):
                if entry.name in self._rows:
                    self._rows[entry.name].setHidden(not hit)
        for folder in self._folders.values():
            shown = [not item.isHidden() for item in children(folder)]
            folder.setHidden(not any(shown))
            folder.setExpanded(bool(words) and any(shown))

    def _matches(self, entry: Entry, words: list[str]) -> bool:
        """Whether every word occurs in the searchable text of a channel."""
        if entry.name not in self._told:
            unit = self.catalogue.unit_text(entry.unit)
            whole = (entry.label, entry.name, unit, entry.frame, entry.owner_label)
            self._told[entry.name] = " ".join(whole).lower()
        return all(word in self._told[entry.name] for word in words)

    def _take_first(self) -> None:
        """Return in the search takes the first row that is shown."""
        first = next((row for row in self.rows() if not row.isHidden()), None)
        if first is None:
            return
        self.tree.setCurrentItem(first)
        if self.several:
            first.setCheckState(0, Qt.CheckState.Checked)
        self.accept()

    def _on_checked(self, row: QTreeWidgetItem) -> None:
        name = row.data(0, NAME)
        self._order = [one for one in self._order if one != name]
        if row.checkState(0) == Qt.CheckState.Checked:
            self._order.append(name)

    def _on_double_click(self, row: QTreeWidgetItem) -> None:
        if row.data(0, NAME):
            if self.several:
                row.setCheckState(0, Qt.CheckState.Checked)
            self.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Down goes from the search into the list."""
        if event.key() == Qt.Key.Key_Down and self.search.hasFocus():
            self.tree.setFocus()
        super().keyPressEvent(event)


def choose(
    parent: QWidget,
    catalogue: Catalogue,
    take: Callable[[list[str]], None],
    *,
    chosen: list[str] | None = None,
    several: bool = True,
    unit: str = "",
) -> ChannelChooser:
    """Open the chooser; `take` gets the names when the user agrees."""
    dialog = ChannelChooser(parent, catalogue, chosen or [], several, unit)

    def agree() -> None:
        if dialog.chosen or several:
            take(dialog.chosen)

    dialog.accepted.connect(agree)
    open_dialog(dialog)
    return dialog
