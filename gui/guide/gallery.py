"""The gallery: examples with their pictures, found by typing."""

import json
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import (
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    QTimer,
)
from PySide6.QtGui import QColor, QIcon, QPainter, QPainterPath, QPen, QPixmap, QShowEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListView,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from assets import example_paths
from gui.guide.thumbnails import SIZE, thumbnail
from gui.look.icons import icon
from gui.look.theme import theme_of
from gui.stages.opening import Opening

PATH_ROLE = Qt.ItemDataRole.UserRole
ABOUT_ROLE = Qt.ItemDataRole.UserRole + 1
DIM_ROLE = Qt.ItemDataRole.UserRole + 2
MARGIN = 8


class Example(NamedTuple):
    """What the gallery shows of an example without reading the whole file."""

    path: Path
    title: str
    about: str
    dim: int


def examples() -> list[Example]:
    """The examples that come with the program; a file that cannot be read is left out."""
    found = []
    for name, path in example_paths().items():
        try:
            raw = json.loads(path.read_text(encoding="utf-8"))
            title = raw.get("name") or name.replace("_", " ").capitalize()
            found.append(Example(path, title, raw.get("description", ""), raw["dim"]))
        except (OSError, ValueError, LookupError):
            continue
    return found


class Gallery(QDialog):
    """Choose an example; `path` is the chosen file."""

    def __init__(self, parent: QWidget | None = None, folder: Path | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Gallery"))
        self.resize(1000, 640)
        self.path: Path | None = None
        self._folder = folder
        self.search = QLineEdit(placeholderText=self.tr("Search, for example: four-bar, spring"))
        self.search.addAction(icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._filter)
        self.list = QListWidget()
        self.list.setViewMode(QListView.ViewMode.IconMode)
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.list.setMovement(QListView.Movement.Static)
        self.list.setUniformItemSizes(True)
        self.list.setSpacing(6)
        self.list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.list.setItemDelegate(_Card(self.list))
        self.list.itemActivated.connect(lambda _: self.accept())
        self.list.currentItemChanged.connect(lambda *_: self._describe())
        self.about = QLabel(wordWrap=True)
        self.about.setProperty("role", "quiet")
        self.about.setMinimumHeight(40)
        self.empty = QLabel(self.tr("No example has these words."))
        self.empty.hide()
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        button = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(button.Open | button.Cancel)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self._lay_out()
        for example in examples():
            self._add(example)
        self.list.setCurrentRow(0)
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._draw_next)
        self.opening = Opening()
        self.opening.opened.connect(self._timer.start)
        self._filter()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 14)
        column.setSpacing(10)
        top = QHBoxLayout()
        top.addWidget(self.search, 1)
        self.places = QButtonGroup(self)
        for n, words in enumerate((self.tr("All"), self.tr("In the plane"), self.tr("In space"))):
            one = QToolButton()
            one.setText(words)
            one.setCheckable(True)
            one.setChecked(n == 0)
            self.places.addButton(one, (0, 2, 3)[n])
            top.addWidget(one)
        self.places.idClicked.connect(lambda _: self._filter())
        column.addLayout(top)
        column.addWidget(self.list, 1)
        column.addWidget(self.empty, 1)
        foot = QHBoxLayout()
        foot.addWidget(self.about, 1)
        foot.addWidget(self.buttons)
        column.addLayout(foot)

    def _add(self, example: Example) -> None:
        item = QListWidgetItem(example.title)
        item.setData(PATH_ROLE, str(example.path))
        item.setData(ABOUT_ROLE, example.about)
        item.setData(DIM_ROLE, example.dim)
        item.setToolTip(example.about)
        item.setSizeHint(QSize(SIZE.width() + 2 * MARGIN, SIZE.height() + 2 * MARGIN + 26))
        self.list.addItem(item)

    def showEvent(self, event: QShowEvent) -> None:
        """Start to draw the pictures once the dialog is shown."""
        super().showEvent(event)
        self._undrawn = [self.list.item(n) for n in range(self.list.count())]
        self._timer.start()
        if not self.opening.is_open:
            self.opening.begin()
        self.search.setFocus()

    def _draw_next(self) -> None:
        """Draw one picture at a time, so that typing stays smooth; those in space once that is open."""
        may = (n for n, one in enumerate(self._undrawn) if self._may_draw(one))
        n = next(may, None)
        if n is None:
            self._timer.stop()
            return
        item = self._undrawn.pop(n)
        path = Path(item.data(PATH_ROLE))
        theme, ratio = theme_of(self.palette()), self.devicePixelRatioF()
        picture = thumbnail(path, theme, ratio, self._folder)
        item.setIcon(QIcon(QPixmap.fromImage(picture)) if not picture.isNull() else icon("body"))

    def _may_draw(self, item: QListWidgetItem) -> bool:
        """Whether the picture of an example can be drawn without a wait for the graphics driver."""
        return item.data(DIM_ROLE) == 2 or self.opening.is_open

    def _filter(self) -> None:
        """Show the examples that have all the words and the right place."""
        words, place = self.search.text().lower().split(), self.places.checkedId()
        first = None
        for n in range(self.list.count()):
            item = self.list.item(n)
            path = Path(item.data(PATH_ROLE)).stem.replace("_", " ")
            text = f"{item.text()} {item.data(ABOUT_ROLE)} {path}".lower()
            shown = all(word in text for word in words) and place in (0, item.data(DIM_ROLE))
            item.setHidden(not shown)
            first = first or (item if shown else None)
        current = self.list.currentItem()
        if current is None or current.isHidden():
            self.list.setCurrentRow(-1 if first is None else self.list.row(first))
        self.list.setVisible(first is not None)
        self.empty.setVisible(first is None)
        open_button = self.buttons.button(QDialogButtonBox.StandardButton.Open)
        open_button.setEnabled(first is not None)
        open_button.setToolTip("" if first is not None else self.tr("Choose an example first."))
        self._describe()

    def _describe(self) -> None:
        item = self.list.currentItem()
        self.about.setText(item.data(ABOUT_ROLE) if item is not None else "")

    def accept(self) -> None:
        """Accept the chosen example."""
        item = self.list.currentItem()
        if item is not None and not item.isHidden():
            self.path = Path(item.data(PATH_ROLE))
            super().accept()


class _Card(QStyledItemDelegate):
    """An example as a card: its picture and its name."""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Draw the card."""
        theme = theme_of(option.widget.palette())
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        card = QRectF(option.rect).adjusted(2, 2, -2, -2)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        edge = theme.accent if chosen else theme.faint if hovered else theme.line
        painter.setPen(QPen(QColor(edge), 2.0 if chosen else 1.0))
        painter.setBrush(QColor(theme.card))
        painter.drawRoundedRect(card, 7, 7)
        room = card.adjusted(1, 1, -1, -30)
        outline = QPainterPath()
        outline.addRoundedRect(card.adjusted(1, 1, -1, -1), 6, 6)
        painter.setClipPath(outline)
        painter.fillRect(room, QColor(theme.paper))
        picture = index.data(Qt.ItemDataRole.DecorationRole)
        if picture is not None:
            pixmap = picture.pixmap(SIZE, option.widget.devicePixelRatioF())
            size = pixmap.deviceIndependentSize()
            corner = room.center() - QPointF(size.width() / 2, size.height() / 2)
            painter.drawPixmap(corner, pixmap)
        painter.setClipping(False)
        painter.setPen(QColor(theme.ink))
        words = QRect(
            round(card.left()) + 10, round(card.bottom()) - 29, round(card.width()) - 20, 28
        )
        text = option.fontMetrics.elidedText(
            index.data(Qt.ItemDataRole.DisplayRole), Qt.TextElideMode.ElideRight, words.width()
        )
        painter.drawText(words, Qt.AlignmentFlag.AlignVCenter, text)
        painter.restore()
