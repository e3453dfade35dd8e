"""Pages of Learn and Analyse: how one declares itself, and the list that leads to them.

The registry is a tuple in `gui/window/pages.py`; a new page is one entry there.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import QCoreApplication, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gui.look.icons import icon

SLIM, WIDE = 300, 0  # pixels; a wide page has half of the room


class Page(NamedTuple):
    """A page: one at a time in the right column, or in a window of its own."""

    name: str  # of its icon too
    workspace: str  # learn or analyse
    title: str
    help: str
    make: Callable[[Any], QWidget]  # from the workbench; called when the page is opened first
    keys: str = ""
    width: int = SLIM


class PageList(QScrollArea):
    """The pages of a workspace, each with its symbol and what it shows."""

    chosen = Signal(str)

    def __init__(self, pages: Sequence[Page], if_empty: str) -> None:
        super().__init__(widgetResizable=True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.buttons: dict[str, QToolButton] = {}
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(4)
        for page in pages:
            column.addWidget(self._row(page))
        self.empty = QLabel(if_empty, wordWrap=True)
        self.empty.setProperty("role", "quiet")
        self.empty.setContentsMargins(8, 4, 8, 4)
        self.empty.setVisible(not pages)
        column.addWidget(self.empty)
        column.addStretch(1)
        self.setWidget(holder)

    def _row(self, page: Page) -> "PageButton":
        """A button over the whole row, with title and help in it."""
        button = PageButton(page)
        button.clicked.connect(lambda: self.chosen.emit(page.name))
        self.buttons[page.name] = button
        return button


class PageButton(QToolButton):
    """The symbol, the title and the help of a page."""

    def __init__(self, page: Page) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setAccessibleName(page_words(page.title))
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 8, 8, 8)
        row.setSpacing(10)
        symbol, title = QLabel(), QLabel(f"<b>{page_words(page.title)}</b>")
        symbol.setPixmap(icon(page.name).pixmap(22, 22))
        self._words = QLabel(page_words(page.help), wordWrap=True)
        self._words.setProperty("role", "quiet")
        column = QVBoxLayout()
        column.setSpacing(2)
        column.addWidget(title)
        column.addWidget(self._words)
        row.addWidget(symbol, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(column, 1)
        for label in (symbol, title, self._words):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def sizeHint(self) -> QSize:
        """As high as its words need at this width."""
        layout = self.layout()
        assert layout is not None
        width = max(self.width(), 200)
        return QSize(width, layout.totalHeightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        """The same height."""
        return QSize(120, self.sizeHint().height())

    def resizeEvent(self, event: Any) -> None:
        """Another width gives another height."""
        super().resizeEvent(event)
        self.updateGeometry()


def page_words(text: str) -> str:
    """Words of a page in the language of the user."""
    return QCoreApplication.translate("Page", text)
