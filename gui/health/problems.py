"""The list of problems: sentences; a click selects what each is about."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from engine.compiling.checks import Problem
from gui.look.icons import coloured
from gui.look.sentences import said
from gui.look.theme import theme_of

WIDTH = 460


class ProblemList(QFrame):
    """A card that opens above the health strip and closes by a click elsewhere."""

    chosen = Signal(object)  # the ids of a problem

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
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

    def pop_up(
        self, problems: Sequence[Problem], above: QWidget, remarks: Sequence[Problem] = ()
    ) -> None:
        """Show problems, then remarks, above a widget, upwards from its upper edge."""
        theme = theme_of(self.palette())
        self.list.clear()
        kinds = [(problems, "problem", theme.problem), (remarks, "warning", theme.warning)]
        for found, icon, color in kinds:
            for one in found:
                item = QListWidgetItem(coloured(icon, color), said(one.sentence))
                item.setData(Qt.ItemDataRole.UserRole, one.ids)
                self.list.addItem(item)
        if not problems and not remarks:
            self.list.addItem(
                QListWidgetItem(
                    coloured("good", theme.good),
                    self.tr("No problem was found: the model can run."),
                )
            )
        titles = self.tr("Problems"), self.tr("Remarks"), self.tr("Sound")
        self.title.setText(titles[0 if problems else 1 if remarks else 2])
        height = sum(self.list.sizeHintForRow(n) for n in range(self.list.count())) + 10
        self.list.setFixedHeight(min(max(height, 40), 320))
        self.adjustSize()
        corner = above.mapToGlobal(QPoint(0, 0))
        self.move(corner.x(), corner.y() - self.height() - 6)
        self.show()

    def _choose(self, item: QListWidgetItem) -> None:
        self.hide()
        if ids := item.data(Qt.ItemDataRole.UserRole):
            self.chosen.emit(tuple(ids))
