"""The one row on top: menus, everyday commands, workspaces and the finder."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QCoreApplication, QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QMenuBar, QPushButton, QSizePolicy, QToolButton, QWidget

from gui.look.icons import icon

HEIGHT = 34  # pixels
NARROW = 1180  # a narrower window leaves the spare commands out
FIELD = 220  # pixels of the finder
GAP = 12


class TopRow(QWidget):
    """The menus keep their place; what is spare goes where the window is narrow."""

    finder_wanted = Signal()

    def __init__(self, menus: QMenuBar) -> None:
        super().__init__()
        self.setObjectName("top_row")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(HEIGHT)
        self.menus = menus
        self.spare: list[QWidget] = []  # left out first
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(4, 0, 8, 0)
        self.row.setSpacing(2)
        menus.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.row.addWidget(menus, 0, Qt.AlignmentFlag.AlignVCenter)
        self.row.addStretch(1)
        self.finder = QPushButton(icon("search"), "")
        self.finder.setObjectName("finder")
        self.finder.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.finder.clicked.connect(self.finder_wanted)
        self.spaces: dict[str, QToolButton] = {}

    def complete(
        self,
        commands: Mapping[str, QAction],
        kept: Sequence[str],
        spare: Sequence[str],
        spaces: Sequence[str],
        last: str,
    ) -> None:
        """Put in the commands by name, the workspaces and the finder; once, when the menus are filled."""
        for name in spare:
            self.spare.append(self._button(commands[name]))
        for name in kept:
            self._button(commands[name])
        self.row.addSpacing(GAP)
        for name in spaces:
            button = self.spaces[name] = QToolButton()
            button.setObjectName("workspace")
            button.setDefaultAction(commands[name])
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            self.row.addWidget(button)
        self.row.addSpacing(GAP)
        self.row.addWidget(self.finder)
        self._button(commands[last])
        keys = commands["find"].shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        self._words = _tr("Find anything    {0}").format(keys)
        self.finder.setToolTip(commands["find"].toolTip())
        self._fit()

    def _button(self, action: QAction) -> QToolButton:
        button = QToolButton()
        button.setDefaultAction(action)
        button.setIconSize(QSize(18, 18))
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.row.addWidget(button)
        return button

    def _fit(self) -> None:
        """Leave the spare commands out where the window is narrow; changes the row."""
        is_narrow = self.width() < NARROW
        for button in self.spare:
            button.setVisible(not is_narrow)
        self.finder.setText("" if is_narrow else self._words)
        self.finder.setFixedWidth(HEIGHT if is_narrow else FIELD)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Follow the width of the window."""
        super().resizeEvent(event)
        self._fit()


def _tr(text: str) -> str:
    return QCoreApplication.translate("TopRow", text)
