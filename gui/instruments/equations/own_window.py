"""The page of equations in a window of its own, made when it is opened for the first time."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QWidget

from gui.state.document import Document
from gui.state.playback import Playback
from gui.state.selection import Selection

if TYPE_CHECKING:
    from gui.instruments.equations.panel import EquationsPanel


class EquationsWindow:
    """Opens the page, and ends it with the program."""

    def __init__(
        self,
        owner: QWidget,
        document: Document,
        selection: Selection,
        playback: Playback,
        say: Callable[[str], None],
    ) -> None:
        self.owner, self.shared, self.say = owner, (document, selection, playback), say
        self.page: EquationsPanel | None = None

    def open(self) -> None:
        """Show the page; changes what is open."""
        if self.page is None:
            from gui.instruments.equations.panel import EquationsPanel

            self.page = EquationsPanel(*self.shared)
            self.page.setParent(self.owner, Qt.WindowType.Window)
            self.page.setWindowTitle(QCoreApplication.translate("EquationsPanel", "Equations"))
            self.page.resize(self.page.sizeHint())
            self.page.complained.connect(self.say)
        self.page.show()
        self.page.raise_()

    def end(self) -> None:
        """End what the page has under way; changes the page."""
        if self.page is not None:
            self.page.shutdown()
