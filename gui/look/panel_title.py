"""The title of a panel, with buttons to float and to close it."""

from PySide6.QtCore import QCoreApplication, QSize, Qt
from PySide6.QtWidgets import (
    QDockWidget,
    QHBoxLayout,
    QLabel,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gui.look.buttons import icon_button


class PanelTitle(QWidget):
    """Drag it to move the panel; a double click floats it."""

    def __init__(self, dock: QDockWidget) -> None:
        super().__init__(dock)
        self.setObjectName("panel_title")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 3, 5, 3)
        row.setSpacing(1)
        label = QLabel(dock.windowTitle())
        label.setProperty("role", "section")
        row.addWidget(label, 1)
        self.float = self._button("float", _tr("Float, or put back"))
        self.close_button = self._button("close", _tr("Close; View > Panels brings it back"))
        self.float.clicked.connect(lambda: dock.setFloating(not dock.isFloating()))
        self.close_button.clicked.connect(dock.close)
        row.addWidget(self.float)
        row.addWidget(self.close_button)

    def _button(self, name: str, tip: str) -> QToolButton:
        button = icon_button(name, tip)
        button.setIconSize(QSize(14, 14))
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return button


class PanelBody(QWidget):
    """The content of a panel, with a fixed size hint so that the stage keeps its size."""

    def __init__(self, content: QWidget | None, usual: QSize, least: QSize) -> None:
        super().__init__()
        self.usual, self.least = usual, least
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSizeConstraint(QVBoxLayout.SizeConstraint.SetNoConstraint)
        if content is not None:
            self._column.addWidget(content)

    def sizeHint(self) -> QSize:
        """The initial size."""
        return self.usual

    def minimumSizeHint(self) -> QSize:
        """How small it may become."""
        return self.least


def _tr(text: str) -> str:
    return QCoreApplication.translate("PanelTitle", text)
