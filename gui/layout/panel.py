"""A panel: a titled part of the window, in its place, folded to its title, or in a window of its own."""

from PySide6.QtCore import QCoreApplication, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QCloseEvent, QMouseEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolTip, QVBoxLayout, QWidget

from gui.look.buttons import small_button
from gui.look.icons import icon

TITLE = 28  # pixels of a title
APART = QSize(480, 560)  # of a window of its own


class PanelTitle(QWidget):
    """Its name, and buttons to go back, to fold it, to put it into a window of its own and to close it."""

    clicked = Signal()
    double_clicked = Signal()

    def __init__(self, title: str) -> None:
        super().__init__()
        self.setObjectName("panel_title")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(TITLE)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 5, 0)
        row.setSpacing(1)
        self.back = small_button("back", _tr("Back to the list of pages"), 14)
        self.label = QLabel(title)
        self.label.setProperty("role", "section")
        self.help = small_button("help", "", 14)
        self.help.clicked.connect(self._tell_help)
        self.export = small_button("export", _tr("Export this page"), 14)
        self.fold = small_button("fold", _tr("Fold, or unfold"), 14)
        self.float = small_button("float", _tr("A window of its own, or back into its place"), 14)
        self.close_button = small_button("close", _tr("Close; View > Panels brings it back"), 14)
        row.addWidget(self.back)
        row.addWidget(self.label, 1)
        for button in (self.export, self.help, self.fold, self.float, self.close_button):
            row.addWidget(button)
        for button in (self.back, self.export, self.help, self.fold):
            button.hide()

    def _tell_help(self) -> None:
        """Show what the page is about below its button, for those who click instead of waiting."""
        below = self.help.mapToGlobal(QPoint(0, self.help.height()))
        QToolTip.showText(below, self.help.toolTip(), self.help)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click unfolds what is folded."""
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self.clicked.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """A double click gives it all the room, or takes it back."""
        self.double_clicked.emit()


class Panel(QFrame):
    """A title and the content below it; hidden until it is wanted."""

    folded = Signal()  # or unfolded
    moved_apart = Signal()  # into a window of its own, or back
    whole_wanted = Signal()  # a double click on the title
    back_wanted = Signal()
    export_wanted = Signal(QPoint)  # where its menu opens on the screen
    closed = Signal()  # by the cross
    content_wanted = Signal()  # it is shown for the first time

    def __init__(self, name: str, title: str, frame: QWidget, symbol: str = "") -> None:
        super().__init__(frame)
        self.name, self.frame = name, frame
        self.setObjectName(name)
        self.setProperty("is_panel", True)  # Tab goes round in it
        self.setWindowTitle(title)
        self.is_folded = self.is_apart = False
        self.title = PanelTitle(title)
        self.content: QWidget | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.setSizeConstraint(QVBoxLayout.SizeConstraint.SetNoConstraint)
        self._column.addWidget(self.title)
        self._column.addStretch(1)  # below the title, until there is a content
        self.title.float.clicked.connect(lambda: self.set_apart(not self.is_apart))
        self.title.close_button.clicked.connect(self.put_away)
        self.title.back.clicked.connect(self.back_wanted)
        self.title.export.clicked.connect(self._want_export)
        self.title.fold.clicked.connect(lambda: self.set_folded(not self.is_folded))
        self.title.clicked.connect(lambda: self.set_folded(False))
        self.title.double_clicked.connect(self.whole_wanted)
        self.toggle = QAction(icon(symbol or name), title, frame, checkable=True)
        self.toggle.triggered.connect(self.show_or_hide)
        self.hide()

    def _want_export(self) -> None:
        button = self.title.export
        self.export_wanted.emit(button.mapToGlobal(QPoint(0, button.height())))

    def fill(self, content: QWidget) -> None:
        """Show this below the title; changes the panel."""
        while self._column.count() > 1:
            item = self._column.takeAt(1)
            if item is not None and (widget := item.widget()) is not None:
                widget.setParent(None)
        self.content = content
        self._column.addWidget(content, 1)
        content.setVisible(not self.is_folded)

    def show_or_hide(self, shown: bool) -> None:
        """Be seen whole, or not at all; changes the layout."""
        if shown:
            self.set_folded(False)
            self.show()
            self.raise_()
        else:
            self.put_away()

    def put_away(self) -> None:
        """Close it, as its cross does; changes the layout."""
        self.set_apart(False)
        self.hide()
        self.closed.emit()

    def set_folded(self, is_folded: bool) -> None:
        """Leave nothing but the title, or show all; changes the layout."""
        if is_folded == self.is_folded:
            return
        self.is_folded = is_folded
        if self.content is not None:
            self.content.setVisible(not is_folded)
        self.title.fold.setIcon(icon("unfold" if is_folded else "fold"))
        self.folded.emit()

    def set_apart(self, is_apart: bool) -> None:
        """Move into a window of its own, or back into its place; changes the layout."""
        if is_apart == self.is_apart:
            return
        was_hidden = self.isHidden()
        self.is_apart = is_apart
        self.set_folded(False)
        for button in (self.title.fold, self.title.back):
            button.setEnabled(not is_apart)
        if is_apart:
            self.setParent(self.frame, Qt.WindowType.Window)
            room = self.screen().availableSize() * 0.9
            self.resize(APART.expandedTo(self.size()).boundedTo(room))
        else:
            self.setParent(self.frame, Qt.WindowType.Widget)
        self.moved_apart.emit()
        self.setVisible(not was_hidden)

    def closeEvent(self, event: QCloseEvent) -> None:
        """A window of its own that is closed goes back into its place, hidden."""
        super().closeEvent(event)
        if self.is_apart:
            self.set_apart(False)
            self.hide()

    def showEvent(self, event: QShowEvent) -> None:
        """Ask for the content that it does not have yet."""
        super().showEvent(event)
        if self.content is None:
            self.content_wanted.emit()


def _tr(text: str) -> str:
    return QCoreApplication.translate("Panel", text)
