"""The frame of the window: menus, bars and docks, empty, with the layout of the last session.

It needs neither the engine nor the stage, so that it can be shown at once.
"""

from PySide6.QtCore import QByteArray, QEvent, QSize, Qt
from PySide6.QtWidgets import (
    QDockWidget,
    QLabel,
    QMainWindow,
    QTabWidget,
    QToolBar,
    QVBoxLayout,
    QWidget,
)

from gui.look.panel_title import PanelBody, PanelTitle
from gui.state.preferences import Preferences
from gui.window.actions import Commands
from gui.window.app import follow_palette
from gui.window.menus import Menus, everyday_bar

LAYOUT_VERSION = 1
PANELS = {  # docks by name: initial area and usual size
    "tree": (Qt.DockWidgetArea.LeftDockWidgetArea, QSize(220, 400)),
    "parameters": (Qt.DockWidgetArea.LeftDockWidgetArea, QSize(220, 400)),
    "runs": (Qt.DockWidgetArea.LeftDockWidgetArea, QSize(220, 400)),
    "properties": (Qt.DockWidgetArea.RightDockWidgetArea, QSize(300, 500)),
    "plots": (Qt.DockWidgetArea.BottomDockWidgetArea, QSize(600, 190)),
    "gimbal": (Qt.DockWidgetArea.RightDockWidgetArea, QSize(380, 600)),
}
INSTRUMENTS = ("gimbal",)  # panels that are hidden until they are opened
LEAST = QSize(150, 100)  # of any panel


class Frame(QMainWindow):
    """Menus, bars and docks; the parts of the window are put into it."""

    def __init__(self, preferences: Preferences) -> None:
        super().__init__()
        self.preferences = preferences
        self.setObjectName("main")
        self.setWindowTitle(self.tr("Kardan"))
        self.setDockNestingEnabled(True)
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.South)
        self.commands = Commands(self)
        self.menus = Menus(self, self.commands)
        self.addToolBar(Qt.ToolBarArea.TopToolBarArea, everyday_bar(self, self.commands))
        self.strip_bar = self._bar("tools", self.tr("Tools"), Qt.ToolBarArea.LeftToolBarArea)
        self.transport_bar = self._bar("time", self.tr("Time"), Qt.ToolBarArea.BottomToolBarArea)
        self.docks: dict[str, QDockWidget] = self._docks()
        center = QWidget()
        self.column = QVBoxLayout(center)  # in the middle: the stage, and what is above and below
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(0)
        self.waiting = QLabel(self.tr("Starting ..."), alignment=Qt.AlignmentFlag.AlignCenter)
        self.column.addWidget(self.waiting, 1)
        self.setCentralWidget(center)
        self.statusBar().setSizeGripEnabled(False)
        follow_palette()
        self._restore()

    def _bar(self, name: str, title: str, area: Qt.ToolBarArea) -> QToolBar:
        """An empty bar that stays where it is."""
        bar = QToolBar(title, self)
        bar.setObjectName(name)
        bar.setMovable(False)
        self.addToolBar(area, bar)
        return bar

    def _docks(self) -> dict[str, QDockWidget]:
        """The docks, empty, in their initial places."""
        titles = {
            "tree": self.tr("Model"),
            "parameters": self.tr("Parameters"),
            "runs": self.tr("Runs"),
            "properties": self.tr("Properties"),
            "plots": self.tr("Plots"),
            "gimbal": self.tr("Gimbal rings"),
        }
        docks = {}
        for name, (area, usual) in PANELS.items():
            dock = QDockWidget(titles[name], self)
            dock.setObjectName(name)
            dock.setTitleBarWidget(PanelTitle(dock))
            dock.setWidget(PanelBody(None, usual, LEAST))
            self.addDockWidget(area, dock)
            docks[name] = dock
        self._arrange(docks)
        return docks

    def _arrange(self, docks: dict[str, QDockWidget]) -> None:
        """Put the docks into their initial places."""
        for name, (area, _) in PANELS.items():
            docks[name].setFloating(False)
            docks[name].show()
            self.addDockWidget(area, docks[name])
        for corner in (Qt.Corner.BottomLeftCorner, Qt.Corner.TopLeftCorner):
            self.setCorner(corner, Qt.DockWidgetArea.LeftDockWidgetArea)
        self.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.RightDockWidgetArea)
        self.tabifyDockWidget(docks["tree"], docks["parameters"])
        self.tabifyDockWidget(docks["parameters"], docks["runs"])
        docks["tree"].raise_()
        for name in INSTRUMENTS:
            docks[name].hide()
        across, down = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        self.resizeDocks([docks["tree"], docks["properties"]], [220, 300], across)
        self.resizeDocks([docks["plots"]], [190], down)

    def _restore(self) -> None:
        """Restore the size and layout of the last session."""
        settings = self.preferences.settings
        self.resize(1280, 720)
        geometry, state = settings.value("window/geometry"), settings.value("window/state")
        if isinstance(geometry, QByteArray):
            self.restoreGeometry(geometry)
        if isinstance(state, QByteArray):
            self.restoreState(state, LAYOUT_VERSION)

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change between light and dark."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            follow_palette()

    def keep_layout(self) -> None:
        """Remember size and layout for the next start; changes the settings."""
        settings = self.preferences.settings
        settings.setValue("window/geometry", self.saveGeometry())
        settings.setValue("window/state", self.saveState(LAYOUT_VERSION))

    # --- panels

    def reset_layout(self) -> None:
        """Put every panel back into its initial place."""
        self._arrange(self.docks)

    def fill_panel(self, name: str, content: QWidget) -> None:
        """Show this in a panel; changes the window."""
        self.docks[name].setWidget(PanelBody(content, PANELS[name][1], LEAST))

    def show_panel(self, name: str) -> None:
        """Bring a panel to the front; changes the layout."""
        self.docks[name].show()
        self.docks[name].raise_()

    def show_instrument(self, name: str) -> None:
        """Bring an instrument to the front, at its usual width at least; changes the layout."""
        dock, beside = self.docks[name], self.docks["properties"]
        if dock.isHidden() and not dock.isFloating() and not self.tabifiedDockWidgets(dock):
            if self.dockWidgetArea(dock) == self.dockWidgetArea(beside):
                self.tabifyDockWidget(beside, dock)
        dock.show()
        dock.raise_()
        usual = PANELS[name][1].width()
        if not dock.isFloating() and dock.width() < usual:
            self.resizeDocks([dock], [usual], Qt.Orientation.Horizontal)
