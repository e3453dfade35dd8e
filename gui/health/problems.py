"""The list of problems: sentences; a click selects what each is about."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from engine.kinematics.checkup import Checkup
from gui.look.icons import coloured
from gui.look.sentences import said
from gui.look.theme import theme_of

WIDTH = 460
BESIDE = 60  # pixels for the sign, the scroll bar and margins


class ProblemList(QFrame):
    """A card that opens above the health strip and closes by a click elsewhere."""

    chosen = Signal(object)  # the ids of a problem

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.preferences = getattr(parent, "preferences", None)  # the units of the user
        self.setObjectName("card")
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 10, 12, 12)
        self.title = QLabel()
        self.title.setProperty("role", "section")
        self.list = QListWidget()
        self.list.setWordWrap(True)
        self.list.setFixedWidth(WIDTH)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.list.itemClicked.connect(self._choose)
        self.list.itemActivated.connect(self._choose)
        column.addWidget(self.title)
        column.addWidget(self.list)

    def pop_up(self, checkup: Checkup, above: QWidget) -> None:
        """Show what a checkup found above a widget, upwards from its upper edge."""
        theme = theme_of(self.palette())
        self.list.clear()
        problems, warnings = checkup.problems, checkup.warnings
        for kind, found in (("problem", problems), ("warning", warnings)):
            for one in found:
                sign = coloured(kind, getattr(theme, kind))
                item = QListWidgetItem(sign, said(one.sentence, self.preferences))
                item.setData(Qt.ItemDataRole.UserRole, one.ids)
                item.setSizeHint(self._size(item.text()))
                self.list.addItem(item)
        if not problems and not warnings:
            self.list.addItem(
                QListWidgetItem(
                    coloured("good", theme.good),
                    self.tr("No problem was found: the model can run."),
                )
            )
        title = self.tr("What runs otherwise than drawn or typed") if warnings else self.tr("Sound")
        title = self.tr("Remarks") if warnings and warnings == checkup.remarks else title
        self.title.setText(self.tr("Problems") if problems else title)
        height = sum(self.list.sizeHintForRow(n) for n in range(self.list.count())) + 10
        self.list.setFixedHeight(min(max(height, 40), 320))
        self.adjustSize()
        corner = above.mapToGlobal(QPoint(0, 0))
        self.move(corner.x(), corner.y() - self.height() - 6)
        self.show()

    def _size(self, text: str) -> QSize:
        """Room for a sentence beside its sign, in as many lines as it takes."""
        room = QRect(0, 0, WIDTH - BESIDE, 10_000)
        metrics = self.list.fontMetrics()
        lines = metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, text).height()
        return QSize(WIDTH - BESIDE, lines + 10)

    def _choose(self, item: QListWidgetItem) -> None:
        self.hide()
        if ids := item.data(Qt.ItemDataRole.UserRole):
            self.chosen.emit(tuple(ids))
