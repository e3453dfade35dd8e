"""Choose channels: a tree by element with boxes to tick, a search field, and all or none."""

from collections.abc import Iterable, Iterator, Mapping
from textwrap import fill

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from engine.results.channels import Channel
from engine.results.channels.channel import owner_words
from engine.results.results import Results
from gui.forms.words import kind_words
from gui.look.sentences import said
from gui.look.tooltips import as_text
from gui.look.tree_items import children
from gui.plots.catalogue import TIP_WIDTH
from gui.plots.units import written

_NAME = Qt.ItemDataRole.UserRole
_SI = Qt.ItemDataRole.UserRole + 1
_ROOM = 12  # channels that a search may leave in a group it opens


class ChannelTree(QWidget):
    """The channels of a run with a box for each."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search: rod angle, force, energy…"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self.filter)
        self.search.installEventFilter(self)
        self.tree = QTreeWidget()
        self.tree.setHeaderLabels([self.tr("Channel"), self.tr("Unit")])
        self.tree.setUniformRowHeights(True)
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.tree.header().setStretchLastSection(False)
        self.tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self._quiet = False  # while many boxes change
        self._later = QTimer(self, singleShot=True, interval=0)  # a group changes many boxes
        self._later.timeout.connect(self._tell)
        self.tree.itemChanged.connect(lambda *_: None if self._quiet else self._later.start())
        self.count = QLabel()
        everything = QPushButton(self.tr("Tick all shown"))
        nothing = QPushButton(self.tr("Untick all shown"))
        for button, on in ((everything, True), (nothing, False)):
            button.setAutoDefault(False)
            button.clicked.connect(lambda _=False, on=on: self.tick_shown(on))
        below = QHBoxLayout()
        below.addWidget(self.count, 1)
        below.addWidget(everything)
        below.addWidget(nothing)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.search)
        column.addWidget(self.tree, 1)
        column.addLayout(below)

    def set_results(self, results: Results, ticked: Iterable[str]) -> None:
        """Show the channels of a run with some of them ticked; changes the tree."""
        self._quiet = True
        self.tree.clear()
        wanted = set(ticked)
        groups: dict[str, QTreeWidgetItem] = {}
        for channel in results.channels():
            if channel.twin_of and channel.name not in wanted:
                continue  # the same column under another name
            owner, dot, _ = channel.name.partition(".")
            group = groups.get(owner if dot else "")
            if group is None:
                group = self._group(results, owner if dot else "")
                groups[owner if dot else ""] = group
            item = self._item(channel, group.data(0, _NAME))
            group.addChild(item)
            if channel.name in wanted:
                item.setCheckState(0, Qt.CheckState.Checked)
        whole = [groups.pop("")] if "" in groups else []
        self.tree.addTopLevelItems([*whole, *groups.values()])
        for group in (*whole, *groups.values()):
            chosen = any(self._is_ticked(item) for item in children(group))
            group.setExpanded(chosen)
        self._quiet = False
        self.filter(self.search.text())
        self._tell()

    def show_units(self, units: Mapping[str, str]) -> None:
        """Show the units in which values are written, given by their SI units; changes the tree."""
        self._quiet = True
        for item in self._items():
            si = item.data(1, _SI)
            item.setText(1, written(units.get(si, si)))
        self._quiet = False

    def showEvent(self, event: QShowEvent) -> None:
        """Begin at the first channel that is ticked."""
        super().showEvent(event)
        first = next((item for item in self._items() if self._is_ticked(item)), None)
        if first is not None:
            self.tree.doItemsLayout()
            self.tree.scrollToItem(first, QAbstractItemView.ScrollHint.PositionAtCenter)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter in the search ticks the first hit, and never writes the table."""
        is_enter = isinstance(event, QKeyEvent) and event.key() in (
            Qt.Key.Key_Return,
            Qt.Key.Key_Enter,
        )
        if watched is self.search and event.type() == QEvent.Type.KeyPress and is_enter:
            self.tick_first()
            return True
        return super().eventFilter(watched, event)

    def tick_first(self) -> None:
        """Tick the first channel that the search leaves and go to it; changes the tree."""
        shown = (item for item in self._items() if not item.isHidden())
        first = next(shown, None) if self.search.text().strip() else None
        if first is not None:
            first.setCheckState(0, Qt.CheckState.Checked)
            self.tree.setCurrentItem(first)
            self.tree.scrollToItem(first)
            self.search.selectAll()

    @property
    def chosen(self) -> list[str]:
        """The names of all ticked channels, hidden ones too, in the order of the tree."""
        return [item.data(0, _NAME) for item in self._items() if self._is_ticked(item)]

    def choose(self, names: Iterable[str]) -> None:
        """Tick exactly these; changes the tree."""
        wanted = set(names)
        self._quiet = True
        for item in self._items():
            item.setCheckState(0, _state(item.data(0, _NAME) in wanted))
        self._quiet = False
        self._tell()

    def tick_shown(self, on: bool) -> None:
        """Tick or untick every channel that the search leaves; changes the tree."""
        self._quiet = True
        for item in self._items():
            if not item.isHidden():
                item.setCheckState(0, _state(on))
        self._quiet = False
        self._tell()

    def filter(self, text: str) -> None:
        """Show only channels in which every word occurs; changes the tree."""
        words = text.casefold().split()
        for group in children(self.tree.invisibleRootItem()):
            shown = 0
            for child in children(group):
                told = f"{child.data(0, _NAME)} {child.text(0)} {group.text(0)}".casefold()
                hit = all(word in told for word in words)
                child.setHidden(not hit)
                shown += hit
            group.setHidden(not shown)
            if words and shown <= _ROOM:
                group.setExpanded(bool(shown))

    def _group(self, results: Results, owner: str) -> QTreeWidgetItem:
        words, title = "", self.tr("Whole model")
        if owner:
            element = results.model[owner]
            words = title = owner_words(results.model, owner)
            kind = kind_words(element.kind, results.model.dim).lower()
            if element.family != "marker" and kind not in words:
                title = f"{words} ({kind})"
        group = QTreeWidgetItem([title])
        group.setData(0, _NAME, words)
        group.setFlags(group.flags() | Qt.ItemFlag.ItemIsAutoTristate)
        group.setCheckState(0, Qt.CheckState.Unchecked)
        return group

    def _item(self, channel: Channel, owner: str) -> QTreeWidgetItem:
        label = channel.label.removeprefix(f"{owner}: ")
        item = QTreeWidgetItem([label[:1].upper() + label[1:], written(channel.unit)])
        item.setData(0, _NAME, channel.name)
        item.setData(1, _SI, channel.unit)
        item.setCheckState(0, Qt.CheckState.Unchecked)
        frame = f", {channel.frame}" if channel.frame else ""
        about = f"\n{fill(said(channel.about), TIP_WIDTH)}" if channel.about else ""
        item.setToolTip(0, as_text(f"{channel.name}{frame}{about}"))
        return item

    def _items(self) -> Iterator[QTreeWidgetItem]:
        for group in children(self.tree.invisibleRootItem()):
            yield from children(group)

    def _is_ticked(self, item: QTreeWidgetItem) -> bool:
        return item.checkState(0) == Qt.CheckState.Checked

    def _tell(self) -> None:
        if not self._quiet:
            n = len(self.chosen)
            one, several = self.tr("1 channel chosen"), self.tr("{0} channels chosen")
            self.count.setText(one if n == 1 else several.format(n))
            self.changed.emit()


def _state(on: bool) -> Qt.CheckState:
    return Qt.CheckState.Checked if on else Qt.CheckState.Unchecked
