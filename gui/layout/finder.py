"""The finder: one field that finds commands, tools, elements, curves and pages, by keys alone."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPoint,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from gui.layout.findings import Finding
from gui.layout.fuzzy import match
from gui.look.theme import theme_of

MOST = 60  # findings that are listed
FEW = 4  # findings: with fewer, slips of the fingers are forgiven
ROW = 30  # pixels
BESIDE = 8  # pixels around the field and the list
SIZE = QSize(560, 400)
FINDING = Qt.ItemDataRole.UserRole


class Findings(QAbstractListModel):
    """What was found, best first."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.found: list[Finding] = []

    def show(self, found: Sequence[Finding]) -> None:
        """Have these; changes the list."""
        self.beginResetModel()
        self.found = list(found)
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | None = None) -> int:  # type: ignore[override]
        """How many there are."""
        return len(self.found)

    def data(self, index: QModelIndex, role: int = 0) -> object:  # type: ignore[override]
        """The finding, or its words."""
        one = self.found[index.row()]
        if role == FINDING:
            return one
        return one.title if role == Qt.ItemDataRole.DisplayRole else None


class Row(QStyledItemDelegate):
    """Symbol, title, path or reason, and key."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:  # type: ignore[override]
        """One line."""
        return QSize(100, ROW)

    def paint(  # type: ignore[override]
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex
    ) -> None:
        """Draw a finding; one that cannot be done is grey, with its reason."""
        one: Finding = index.data(FINDING)
        theme = theme_of(option.palette)
        rect = QRect(option.rect)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, QColor(theme.accent_soft))
        rect.adjust(8, 0, -8, 0)
        one.symbol.paint(painter, QRect(rect.x(), rect.center().y() - 8, 17, 17))
        middle = Qt.AlignmentFlag.AlignVCenter
        metrics = painter.fontMetrics()
        painter.setPen(QColor(theme.quiet))
        if one.keys:
            painter.drawText(rect, middle | Qt.AlignmentFlag.AlignRight, one.keys)
            rect.setRight(rect.right() - metrics.horizontalAdvance(one.keys) - 16)
        rect.setLeft(rect.left() + 28)
        painter.setPen(QColor(theme.faint if one.reason else theme.ink))
        title = f"{one.title}  ✓" if one.is_on else one.title
        painter.drawText(
            rect, middle, metrics.elidedText(title, Qt.TextElideMode.ElideRight, rect.width())
        )
        rect.setLeft(rect.left() + metrics.horizontalAdvance(title) + 18)
        painter.setPen(QColor(theme.warning if one.reason else theme.quiet))
        words = metrics.elidedText(
            one.reason or one.path, Qt.TextElideMode.ElideRight, rect.width()
        )
        painter.drawText(rect, middle | Qt.AlignmentFlag.AlignRight, words)


class Finder(QFrame):
    """A field and what it finds, over the window; Enter does the chosen one, Escape closes."""

    def __init__(
        self, window: QWidget, collect: Callable[[], Sequence[Finding]], leave: Callable[[], object]
    ) -> None:
        super().__init__(window, Qt.WindowType.Popup)
        self.collect, self.leave = collect, leave
        self.setObjectName("card")
        self.findings: list[tuple[str, str, Finding]] = []  # with title and path in lower case
        self._room = SIZE.height()  # that it may take
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(BESIDE, BESIDE, BESIDE, BESIDE)
        self.column.setSpacing(BESIDE)
        self.line = QLineEdit(
            placeholderText=self.tr("A command, tool, element, curve or page ...")
        )
        self.view = QListView()
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.view.setUniformItemSizes(True)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list = Findings(self)
        self.view.setModel(self.list)
        self.view.setItemDelegate(Row(self))
        self.nothing = QLabel(self.tr("Nothing has such a name."))
        self.nothing.setProperty("role", "quiet")
        self.nothing.hide()
        self.column.addWidget(self.line)
        self.column.addWidget(self.nothing)
        self.column.addWidget(self.view, 1)
        self.line.textChanged.connect(self.search)
        self.view.clicked.connect(self.choose)
        self.line.installEventFilter(self)

    def open_below(self, field: QWidget) -> None:
        """Show everything below a field; changes the window."""
        self.findings = [(one.title.lower(), one.path.lower(), one) for one in self.collect()]
        window = field.window().size()
        most = SIZE.boundedTo(QSize(window.width() - 16, window.height() - 60))
        self._room = most.height()
        self.resize(most)
        self.line.clear()
        self.search("")
        corner = field.mapToGlobal(QPoint(field.width() - self.width(), field.height() + 4))
        least = field.window().mapToGlobal(QPoint(8, 0)).x()
        self.move(max(corner.x(), least), corner.y())
        self.show()
        self.line.setFocus()

    def search(self, text: str) -> None:
        """List what the words find, best first; changes the list."""
        typed = text.lower().split()
        ranked = self._ranked(typed)
        if len(ranked) < FEW:
            ranked = self._ranked(typed, forgives=True)
        if typed:
            ranked.sort(key=lambda pair: -pair[0] + 0.05 * bool(pair[1].reason))
        self.list.show([one for _, one in ranked[:MOST]])
        self.nothing.setVisible(not ranked)
        self.view.setVisible(bool(ranked))
        self.view.setCurrentIndex(self.list.index(0))
        self._fit()

    def _ranked(self, typed: list[str], *, forgives: bool = False) -> list[tuple[float, Finding]]:
        """What the words find, with how well."""
        ranked = [
            (match(typed, title, path, forgives=forgives), one)
            for title, path, one in self.findings
        ]
        return [pair for pair in ranked if pair[0] > 0.0]

    def _fit(self) -> None:
        """Be as high as what was found; changes the size."""
        rows = self.list.rowCount()
        if not rows:
            height = self.line.sizeHint().height() + self.nothing.sizeHint().height() + 3 * BESIDE
        else:
            height = self.line.sizeHint().height() + rows * ROW + 3 * BESIDE + 4
        self.column.activate()  # it would keep the room of what is hidden now
        self.resize(self.width(), min(height, self._room))

    @property
    def chosen(self) -> Finding | None:
        """The finding that Enter does."""
        index = self.view.currentIndex()
        return index.data(FINDING) if index.isValid() else None

    def choose(self, *_: object) -> None:
        """Do what is chosen; one that cannot be done stays, with its reason. Changes the window."""
        one = self.chosen
        if one is None or one.reason:
            return
        self.hide()
        self.leave()
        one.work()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrows choose, Enter does."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            steps = {
                Qt.Key.Key_Down: 1,
                Qt.Key.Key_Up: -1,
                Qt.Key.Key_PageDown: 8,
                Qt.Key.Key_PageUp: -8,
            }
            if (step := steps.get(Qt.Key(event.key()))) is not None:
                row = min(max(self.view.currentIndex().row() + step, 0), self.list.rowCount() - 1)
                self.view.setCurrentIndex(self.list.index(row))
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.choose()
                return True
            if (
                event.key() == Qt.Key.Key_K
                and event.modifiers() & Qt.KeyboardModifier.ControlModifier
            ):
                self.line.selectAll()  # its own key: another search
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.hide()
                self.leave()
                return True
        return super().eventFilter(watched, event)
