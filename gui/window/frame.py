"""The frame of the window: top row, panels and their places, empty, as the last session left them.

It needs neither the engine nor the stage, so that it can be shown at once.
"""

import json

from PySide6.QtCore import QByteArray, QEvent, QRect, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMainWindow, QMenuBar, QToolBar, QWidget

from gui.layout.pages import PageList, page_words
from gui.layout.panel import Panel
from gui.layout.places import Place, Places
from gui.layout.top_row import TopRow
from gui.layout.workspaces import WORKSPACES, Workspaces, workspace_words
from gui.look.translation import QT_TRANSLATE_NOOP
from gui.state.passing import stay_on_screen
from gui.state.preferences import Preferences
from gui.window.actions import Command, Commands
from gui.window.app import follow_palette
from gui.window.menus import EVERYDAY, SPARE, Menus
from gui.window.pages import NO_PAGES, PAGES, expect_pages

N = QT_TRANSLATE_NOOP
LEFT, RIGHT, BELOW = Place.LEFT, Place.RIGHT, Place.BELOW
PANELS: tuple[tuple[str, str, Place, int], ...] = (  # name, title, place, usual width in pixels
    ("tree", N("Frame", "Model"), LEFT, 212),
    ("parameters", N("Frame", "Parameters"), LEFT, 248),
    ("runs", N("Frame", "Runs"), LEFT, 248),
    ("properties", N("Frame", "Properties"), RIGHT, 272),
    ("learn", N("Frame", "Learn"), RIGHT, 300),
    ("analyse", N("Frame", "Analyse"), RIGHT, 300),
    ("plots", N("Frame", "Plots"), BELOW, 0),
)
LISTS = ("learn", "analyse")  # panels that lead to pages
SHARE = 0.85  # of the screen, for the first window
ENOUGH = (1280, 720)  # pixels; where the share is less, the first window has all


class Frame(QMainWindow):
    """Top row and places; the parts of the window are put into it."""

    def __init__(self, preferences: Preferences) -> None:
        super().__init__()
        self.preferences = preferences
        self.setObjectName("main")
        self.setWindowTitle(self.tr("Kardan"))
        self.commands = Commands(self)
        self.bar = QMenuBar()
        self.menus = Menus(self.bar, self.commands)
        self.top_row = TopRow(self.bar)
        self.setMenuWidget(self.top_row)
        self.transport_bar = self._bar("time", self.tr("Time"), Qt.ToolBarArea.BottomToolBarArea)
        center = QWidget()
        self.middle = QHBoxLayout(center)  # the rail, then the places
        self.middle.setContentsMargins(0, 0, 0, 0)
        self.middle.setSpacing(0)
        self.places = Places()
        self.middle.addWidget(self.places, 1)
        self.setCentralWidget(center)
        self.panels = self._panels()
        self.spaces = Workspaces(self.places, self)
        self._add_workspaces()
        waiting = QLabel(self.tr("Starting ..."), alignment=Qt.AlignmentFlag.AlignCenter)
        self.places.set_stage(waiting)
        self.statusBar().setSizeGripEnabled(False)
        follow_palette()
        self._restore()

    def menuBar(self) -> QMenuBar:
        """The menus, which stand in the top row."""
        return self.bar

    def _bar(self, name: str, title: str, area: Qt.ToolBarArea) -> QToolBar:
        """An empty bar that stays where it is."""
        bar = QToolBar(title, self)
        bar.setObjectName(name)
        bar.setMovable(False)
        bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.addToolBar(area, bar)
        return bar

    # --- panels

    def _panels(self) -> dict[str, Panel]:
        """The panels, empty, each with its place and its command."""
        panels = {}
        for name, title, place, width in PANELS:
            panel = panels[name] = Panel(name, self.tr(title), self)
            self.places.add(panel, place, width)
            if name in LISTS:
                own = [page for page in PAGES if page.workspace == name]
                pages = PageList(own, page_words(NO_PAGES[name]))
                pages.chosen.connect(self.show_panel)
                panel.fill(pages)
                panel.title.float.hide()
            else:
                self.addAction(panel.toggle)
                self.menus["panels"].addAction(panel.toggle)
        panels["plots"].title.fold.show()
        panels["properties"].toggle.setShortcut("Ctrl+I")
        for page in PAGES:
            panel = panels[page.name] = Panel(page.name, page_words(page.title), self)
            self.places.add(panel, RIGHT, page.width)
            panel.title.back.show()
            panel.title.help.show()
            panel.title.export.show()
            panel.title.help.setToolTip(page_words(page.help))
            panel.back_wanted.connect(lambda name=page.workspace: self.show_panel(name))
            panel.closed.connect(lambda panel=panel: self.places.return_to(panel))
            command = Command(page.name, page.title, page.keys, page.help)
            action = self.commands.add(command, page_words(page.title), page_words(page.help))
            action.triggered.connect(lambda _=False, name=page.name: self.show_panel(name))
            self.menus["pages"].addAction(action)
        for panel in panels.values():
            panel.keys_wanted.connect(lambda panel=panel: self._share_keys(panel))
        return panels

    def _share_keys(self, panel: Panel) -> None:
        """Let a panel in a window of its own understand all keys of this one; changes the panel."""
        panel.addActions([*self.bar.actions(), *self.actions()])

    def fill_panel(self, name: str, content: QWidget) -> None:
        """Show this in a panel; changes the window."""
        self.panels[name].fill(content)

    def show_panel(self, name: str) -> None:
        """Open a panel in its place, whole; changes the layout."""
        self.panels[name].show_or_hide(True)

    # --- workspaces

    def _add_workspaces(self) -> None:
        """The commands of the workspaces, in the menu and in the top row."""
        names = []
        for n, space in enumerate(WORKSPACES, 1):
            command = Command(f"work_{space.name}", space.title, f"Alt+{n}", space.help, True)
            words = workspace_words(space.title), workspace_words(space.help)
            action = self.commands.add(command, *words)
            action.triggered.connect(lambda _=False, name=space.name: self.spaces.show(name))
            self.menus["workspaces"].addAction(action)
            names.append(command.name)
        self.spaces.changed.connect(self._mark_workspace)
        self.spaces.changed.connect(expect_pages)
        commands = {**self.commands, "properties": self.panels["properties"].toggle}
        self.top_row.complete(commands, EVERYDAY, SPARE, names, "properties")

    def _mark_workspace(self, current: str) -> None:
        for space in WORKSPACES:
            self.commands[f"work_{space.name}"].setChecked(space.name == current)

    def reset_layout(self) -> None:
        """Put every panel back into its initial place."""
        self.spaces.reset()

    # --- between two sessions

    def _restore(self) -> None:
        """Restore the size and layout of the last session; a first window uses the screen it has."""
        settings = self.preferences.settings
        geometry = settings.value("window/geometry")
        if not isinstance(geometry, QByteArray) or not self.restoreGeometry(geometry):
            self._use_screen()
        self._stay_on_screen()
        try:
            state = json.loads(str(settings.value("window/layout", "{}")))
            self.spaces.restore(state if isinstance(state, dict) else {})
        except (ValueError, TypeError, LookupError, AttributeError):
            settings.remove("window/layout")  # written by another version
            self.spaces.reset()
        self._mark_workspace(self.spaces.current)

    def _use_screen(self) -> None:
        """Take most of the screen, all of it where it is small; changes the size."""
        room = self.screen().availableGeometry()
        size = room.size() * SHARE
        if size.width() < ENOUGH[0] or size.height() < ENOUGH[1]:
            self.setGeometry(room)
            self.setWindowState(Qt.WindowState.WindowMaximized)
            return
        rect = QRect(room.topLeft(), size)
        rect.moveCenter(room.center())
        self.setGeometry(rect)

    def _stay_on_screen(self) -> None:
        """A window is never larger than its screen; changes the size."""
        stay_on_screen(self, title=0)

    def keep_layout(self) -> None:
        """Remember size and layout for the next start; changes the settings."""
        settings = self.preferences.settings
        settings.setValue("window/geometry", self.saveGeometry())
        settings.setValue("window/layout", json.dumps(self.spaces.state()))

    def changeEvent(self, event: QEvent) -> None:
        """Follow a change between light and dark."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            follow_palette()
