"""Workspaces: arrangements of the three places beside the stage, each with its own memory.

They change which panels are open, never a tool, a key or a menu; nothing switches by itself.
"""

from typing import Any, NamedTuple

from PySide6.QtCore import QCoreApplication, QObject, QRect, Signal

from gui.layout.places import Place, Places
from gui.look.translation import QT_TRANSLATE_NOOP

N = QT_TRANSLATE_NOOP


class Arrangement(NamedTuple):
    """Which panels are open beside the stage, and how that below shows plots, if there are any."""

    left: str = ""
    right: str = ""
    is_folded: bool = True  # the plots have nothing but their title
    is_closed: bool = False  # the plots are not there, though there are some


class Workspace(NamedTuple):
    """A workspace: its name, its words and what it looks like at first."""

    name: str
    title: str
    help: str
    at_first: Arrangement


WORKSPACES: tuple[Workspace, ...] = (
    Workspace(
        "draw",
        N("Workspace", "Draw"),
        N("Workspace", "The stage and the properties of what is selected."),
        Arrangement(right="properties"),
    ),
    Workspace(
        "run",
        N("Workspace", "Run"),
        N("Workspace", "The stage alone, with plots below it."),
        Arrangement(is_folded=False),
    ),
    Workspace(
        "learn",
        N("Workspace", "Learn"),
        N("Workspace", "Pages that explain the model that is open."),
        Arrangement(right="learn"),
    ),
    Workspace(
        "analyse",
        N("Workspace", "Analyse"),
        N("Workspace", "Pages that examine the model that is open."),
        Arrangement(right="analyse"),
    ),
)


class Workspaces(QObject):
    """Which one is in use, and how each was left; changes the places."""

    changed = Signal(str)

    def __init__(self, places: Places, parent: QObject) -> None:
        super().__init__(parent)
        self.places = places
        self.current = WORKSPACES[0].name
        self.has_plots = False
        self.kept = {space.name: space.at_first for space in WORKSPACES}
        self._is_switching = False
        places.changed.connect(self._remember)

    def reset(self) -> None:
        """Let all be as at first; changes the layout."""
        for panel in self.places.panels.values():
            panel.set_apart(False)
        self.kept = {space.name: space.at_first for space in WORKSPACES}
        self.places.wanted.clear()
        self._apply()

    def show(self, name: str) -> None:
        """Use a workspace, as it was left; changes the layout."""
        self.current = name
        self._apply()
        self.changed.emit(name)

    def open_drawer(self, name: str) -> None:
        """Open a panel in the left drawer; empty: close it. Changes the layout."""
        if name:
            self.places.panels[name].show()
        else:
            self.places.close_place(Place.LEFT)

    def show_plots(self, has_plots: bool) -> None:
        """Have the drawer below if there are plots; changes the layout."""
        if has_plots != self.has_plots:
            self.has_plots = has_plots
            self._apply()

    def _apply(self) -> None:
        """Open what this workspace has open."""
        kept, places = self.kept[self.current], self.places
        self._is_switching = True
        for place, name in ((Place.LEFT, kept.left), (Place.RIGHT, kept.right)):
            if name in places.panels and not places.panels[name].is_apart:
                places.panels[name].show()
            else:
                places.close_place(place)
        plots = places.panels["plots"]
        if not plots.is_apart:
            plots.set_folded(kept.is_folded)
            plots.setVisible(self.has_plots and not kept.is_closed)
        self._is_switching = False
        self.places.arrange()

    def _remember(self) -> None:
        """Keep what the user has opened and closed."""
        if self._is_switching:
            return
        names = [
            panel.name if (panel := self.places.open_in(place)) is not None else ""
            for place in (Place.LEFT, Place.RIGHT)
        ]
        plots, before = self.places.panels["plots"], self.kept[self.current]
        is_closed = plots.isHidden() and self.has_plots
        folded = before.is_folded if plots.isHidden() or plots.is_apart else plots.is_folded
        self.kept[self.current] = Arrangement(names[0], names[1], folded, is_closed)

    # --- between two sessions

    def state(self) -> dict[str, Any]:
        """The workspaces as they were left, for the next start."""
        apart = {
            name: panel.geometry().getRect()
            for name, panel in self.places.panels.items()
            if panel.is_apart and not panel.isHidden()
        }
        return {
            "current": self.current,
            "kept": {name: list(one) for name, one in self.kept.items()},
            "sizes": dict(self.places.wanted),
            "apart": apart,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Be as an earlier session left it; what cannot be read is left out. Changes the layout."""
        panels = self.places.panels
        for name, one in dict(state.get("kept", {})).items():
            if name in self.kept and isinstance(one, list) and len(one) == 4:
                left, right = (part if part in panels else "" for part in one[:2])
                self.kept[name] = Arrangement(left, right, bool(one[2]), bool(one[3]))
        sizes = dict(state.get("sizes", {}))
        self.places.wanted.update({n: int(s) for n, s in sizes.items() if n in panels})
        if state.get("current") in self.kept:
            self.current = state["current"]
        self._apply()
        for name, rect in dict(state.get("apart", {})).items():
            if name in panels and len(rect) == 4:
                panels[name].set_apart(True)
                screen = panels[name].screen().availableGeometry()
                wanted = QRect(*map(int, rect))
                panels[name].setGeometry(wanted if screen.intersects(wanted) else screen)
                panels[name].show()


def workspace_words(text: str) -> str:
    """Words of a workspace in the language of the user."""
    return QCoreApplication.translate("Workspace", text)
