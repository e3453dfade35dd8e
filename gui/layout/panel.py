"""A panel: a titled part of the window, in its place, folded to its title, or in a window of its own."""

from typing import Protocol, runtime_checkable

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QCloseEvent, QKeySequence, QMouseEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QLabel,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from gui.look.buttons import small_button
from gui.look.icons import icon

TITLE = 28  # pixels of a title
APART = QSize(480, 560)  # of a window of its own
USUAL = QSize(1000, 720)  # of a window whose letters have their usual size
STEPS, MOST = 4, 2.0  # letters grow by a quarter, to twice their size


@runtime_checkable
class Enlarging(Protocol):
    """A content that draws letters of its own, besides those of its font."""

    def enlarge(self, factor: float) -> None:
        """Have letters of this many times their usual size; changes what is shown."""


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
        self.full = small_button("full_screen", _tr("Fill the screen, or not (F11)"), 14)
        self.float = small_button("float", _tr("A window of its own, or back into its place"), 14)
        self.close_button = small_button("close", _tr("Close; View > Panels brings it back"), 14)
        row.addWidget(self.back)
        row.addWidget(self.label, 1)
        for button in (
            *(self.export, self.help, self.fold),
            *(self.full, self.float, self.close_button),
        ):
            row.addWidget(button)
        for button in (self.back, self.export, self.help, self.fold, self.full):
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
    keys_wanted = Signal()  # its own window has the keyboard: what the frame understands, it does

    def __init__(self, name: str, title: str, frame: QWidget, symbol: str = "") -> None:
        super().__init__(frame)
        self.name, self.frame = name, frame
        self.setObjectName(name)
        self.setProperty("is_panel", True)  # Tab goes round in it
        self.setWindowTitle(title)
        self.is_folded = self.is_apart = False
        self.enlarged = 1.0  # how much larger letters are than usual
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
        self.title.full.clicked.connect(self.fill_screen)
        self.full = QAction(_tr("Fill the screen"), self, shortcut=QKeySequence("F11"))
        self.full.triggered.connect(self.fill_screen)
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
        self._fit_letters(is_new=True)

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
        self.title.full.setVisible(is_apart)
        if is_apart:
            self.setParent(self.frame, Qt.WindowType.Window)
            room = self.screen().availableSize() * 0.9
            wanted = APART if self.content is None else APART.expandedTo(self.content.sizeHint())
            self.resize(wanted.expandedTo(self.size()).boundedTo(room))
            self.addAction(self.full)
        else:
            self.setWindowState(Qt.WindowState.WindowNoState)
            self.setParent(self.frame, Qt.WindowType.Widget)
            self.removeAction(self.full)
        self.moved_apart.emit()
        self.setVisible(not was_hidden)
        self._fit_letters()

    def fill_screen(self) -> None:
        """Take the whole screen for its own window, as on a projector, or no longer; changes the window."""
        if self.is_apart:
            self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a large window of its own letters are large, for those who sit far from it."""
        super().resizeEvent(event)
        self._fit_letters()

    def _fit_letters(self, *, is_new: bool = False) -> None:
        """Give the content letters as large as its window asks for; changes the content."""
        share = min(self.width() / USUAL.width(), self.height() / USUAL.height())
        steps = int(STEPS * min(max(share, 1.0), MOST)) if self.is_apart else STEPS
        factor = steps / STEPS
        if self.content is None or (factor == self.enlarged and not is_new):
            return
        was_usual, self.enlarged = self.enlarged == 1.0, factor
        if factor == 1.0 and was_usual:
            return
        letters = QApplication.font().pointSizeF() * factor
        self.content.setStyleSheet(f"* {{ font-size: {letters:.1f}pt; }}" if factor > 1.0 else "")
        if isinstance(self.content, Enlarging):
            self.content.enlarge(factor)

    def event(self, event: QEvent) -> bool:
        """A window of its own that gets the keyboard wants the keys of the frame."""
        if event.type() == QEvent.Type.WindowActivate and self.is_apart:
            self.keys_wanted.emit()
        return super().event(event)

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
