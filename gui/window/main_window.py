"""The window: tools and tree at the left, the stage, properties at the right, plots and time below.

It is shown as a frame first; the engine, the stage and the plots are loaded after the first paint,
in a thread, so that the window is there at once and never looks dead.
"""

import threading
from importlib import import_module
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent, QPaintEvent
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
from gui.state.threads import end_at_exit
from gui.window.actions import Commands
from gui.window.app import follow_palette
from gui.window.menus import Menus, everyday_bar

LAYOUT_VERSION = 1
HEAVY = (".workbench", ".session")  # what takes long to import
PANELS = {  # docks by name: where they are at first, and their usual size
    "tree": (Qt.DockWidgetArea.LeftDockWidgetArea, QSize(220, 400)),
    "parameters": (Qt.DockWidgetArea.LeftDockWidgetArea, QSize(220, 400)),
    "runs": (Qt.DockWidgetArea.LeftDockWidgetArea, QSize(220, 400)),
    "properties": (Qt.DockWidgetArea.RightDockWidgetArea, QSize(300, 500)),
    "plots": (Qt.DockWidgetArea.BottomDockWidgetArea, QSize(600, 190)),
    "gimbal": (Qt.DockWidgetArea.RightDockWidgetArea, QSize(380, 600)),
}
INSTRUMENTS = ("gimbal",)  # panels that are hidden until somebody asks for them
LEAST = QSize(150, 100)  # of any panel


class MainWindow(QMainWindow):
    """The one window of the program; `complete` fills the frame with everything that works."""

    completed = Signal()

    def __init__(
        self, preferences: Preferences | None = None, recovery_folder: Path | None = None
    ) -> None:
        super().__init__()
        self.preferences = preferences if preferences is not None else Preferences()
        self.is_complete = False
        self._loading: threading.Thread | None = None
        self._wanted = ""  # the file to open once everything is there
        self.recovery_folder = recovery_folder
        self.setObjectName("main")
        self.setWindowTitle(self.tr("Kardan"))
        self.setAcceptDrops(True)
        self.setDockNestingEnabled(True)
        self.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.South)
        self.commands = Commands(self)
        self.menus = Menus(self, self.commands)
        self.addToolBar(Qt.ToolBarArea.TopToolBarArea, everyday_bar(self, self.commands))
        self.strip_bar = self._bar("tools", self.tr("Tools"), Qt.ToolBarArea.LeftToolBarArea)
        self.transport_bar = self._bar("time", self.tr("Time"), Qt.ToolBarArea.BottomToolBarArea)
        self.docks: dict[str, QDockWidget] = self._docks()
        self.center = QWidget()
        column = QVBoxLayout(self.center)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.waiting = QLabel(self.tr("Starting ..."), alignment=Qt.AlignmentFlag.AlignCenter)
        column.addWidget(self.waiting, 1)
        self.setCentralWidget(self.center)
        self.statusBar().setSizeGripEnabled(False)
        follow_palette()
        self._restore()

    # --- the frame

    def _bar(self, name: str, title: str, area: Qt.ToolBarArea) -> QToolBar:
        """An empty bar that stays where it is."""
        bar = QToolBar(title, self)
        bar.setObjectName(name)
        bar.setMovable(False)
        self.addToolBar(area, bar)
        return bar

    def _docks(self) -> dict[str, QDockWidget]:
        """The docks, empty, where they are at first."""
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
        """Put the docks where they are at first."""
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
        """Size and layout as they were left."""
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

    # --- from the frame to the whole

    def paintEvent(self, event: QPaintEvent) -> None:
        """After the first paint the rest is loaded."""
        super().paintEvent(event)
        if self._loading is None and not self.is_complete:
            self._loading = threading.Thread(target=_load, daemon=True)
            end_at_exit(self._loading)
            QTimer.singleShot(0, self, self._start_loading)

    def _start_loading(self) -> None:
        """Import what is heavy in a thread, and look after it."""
        self._loading.start()
        self._look = QTimer(self, interval=15)
        self._look.timeout.connect(self._look_after_loading)
        self._look.start()

    def _look_after_loading(self) -> None:
        if not self._loading.is_alive():
            self._look.stop()
            self.complete()

    def complete(self) -> None:
        """Build everything that the frame has room for; once."""
        if self.is_complete:
            return
        self.is_complete = True
        from gui.window.session import Session
        from gui.window.workbench import build

        build(self)
        self.waiting.hide()
        self.session = Session(self)
        QTimer.singleShot(0, self, self.build_results)
        if self._wanted:
            self.files.open_path(self._wanted)
        self.completed.emit()

    def build_results(self) -> None:
        """Build the plots and the list of runs, after everything else is seen."""
        from gui.window.workbench import build_results

        build_results(self)
        if self.plots is not None:
            self.session.restore_plots()

    def open_when_ready(self, path: str | Path) -> None:
        """Open this file now, or as soon as everything is loaded."""
        self._wanted = str(path)
        if self.is_complete:
            self.files.open_path(path)

    # --- what the window is asked for

    @property
    def stage3d(self) -> Any:
        """The stage in space, once it was needed; None before."""
        return self.stages.spatial

    def toast(self, words: str, button: str = "", work: Any = None) -> None:
        """Say something in passing, over the stage."""
        self.toaster.say(words, button, work)

    def reset_layout(self) -> None:
        """Put every panel back where it was at first."""
        self._arrange(self.docks)

    def fill_panel(self, name: str, content: QWidget) -> None:
        """Show this in a panel; changes the window."""
        self.docks[name].setWidget(PanelBody(content, PANELS[name][1], LEAST))

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

    def show_rings(self, body: str = "") -> None:
        """Open the gimbal panel, on this body if one is named; changes the layout."""
        self.show_instrument("gimbal")
        if self.gimbal is None:
            self.build_results()
        if body:
            self.gimbal.choose(body)

    def rename(self) -> None:
        """Edit the name of the selected element in the tree."""
        self.docks["tree"].show()
        self.docks["tree"].raise_()
        self.tree.rename_selected()

    def show_gallery(self) -> None:
        """Let the user choose an example, and open a copy of it."""
        from gui.guide.gallery import Gallery

        gallery = Gallery(self)
        if gallery.exec() and gallery.path is not None:
            self.files.open_asking(gallery.path)

    def show_preferences(self) -> None:
        """Let the user change the preferences."""
        from gui.window.preferences_dialog import PreferencesDialog

        PreferencesDialog(self.preferences, self).exec()

    def show_key_map(self) -> None:
        """Show all keys over the window."""
        from gui.guide.key_map import KeyMap, groups_of

        bar = [(a.text().replace("&", ""), a.menu()) for a in self.menuBar().actions()]
        titled = [(title, menu.actions()) for title, menu in bar]
        self.keys = KeyMap(self, groups_of(titled, in_space=self.stages.is_spatial))

    def show_about(self) -> None:
        """Say what this program is."""
        from gui.guide.about import About

        About(self).exec()

    def show_first_steps(self) -> None:
        """Show the card that leads to a pendulum."""
        self.first_steps.appear()

    def on_health(self, name: str) -> None:
        """An item of the health strip was clicked."""
        self.session.on_health(name)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape returns to selecting, wherever the focus is."""
        if event.key() == Qt.Key.Key_Escape and self.is_complete:
            if not self.stages.active_tool.cancel():
                self.stages.set_tool(None)
            self.stages.shown.setFocus()
            return
        super().keyPressEvent(event)

    # --- files dropped, and the end

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Files may be dropped anywhere."""
        if self.is_complete and self.files.dropped_path(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the dropped file."""
        if path := self.files.dropped_path(event.mimeData()):
            event.acceptProposedAction()
            self.files.open_asking(path)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask about unsaved changes, keep the layout, and end what runs."""
        if self.is_complete and not self.files.may_leave():
            event.ignore()
            return
        settings = self.preferences.settings
        settings.setValue("window/geometry", self.saveGeometry())
        settings.setValue("window/state", self.saveState(LAYOUT_VERSION))
        if self.is_complete:
            self.session.end()
        settings.sync()  # a process that cannot wait for its threads writes nothing later
        super().closeEvent(event)


def _load() -> None:
    """Import what is heavy; whoever needs it then finds it loaded."""
    for name in HEAVY:
        import_module(name, __package__)
