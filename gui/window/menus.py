"""The menu bar and its submenus."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QMenu, QMenuBar

from gui.look.icons import icon
from gui.look.translation import QT_TRANSLATE_NOOP
from gui.window.actions import Commands

N = QT_TRANSLATE_NOOP

# Each menu: its title, then commands; "-" is a line, "name:" the place of a submenu filled elsewhere.
MENUS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        N("Menu", "&File"),
        (
            *(
                "new",
                "new_space",
                "open",
                "recent:",
                "gallery",
                "-",
                "save",
                "save_as",
                "export:",
                "-",
            ),
            *("preferences", "-", "quit"),
        ),
    ),
    (
        N("Menu", "&Edit"),
        (
            *("undo", "redo", "-", "cut", "copy", "paste", "duplicate", "delete", "-"),
            *("copy_script", "-"),
            *("select_all", "select_none", "rename", "-", "mirror_x", "mirror_y", "align:", "-"),
            *("new_parameter", "import_mesh", "import_part", "-", "find"),
        ),
    ),
    (
        N("Menu", "&View"),
        (
            *("fit", "fit_selection", "zoom_in", "zoom_out", "views:", "show_in_space", "-"),
            *("follow_body", "grid", "trails", "arrows:", "stage:", "-"),
            *("hide", "isolate", "see_through", "show_all", "-"),
            *("workspaces:", "pages:", "panels:", "theme:", "reset_layout"),
        ),
    ),
    (N("Menu", "&Insert"), ("draw:",)),
    (
        N("Menu", "&Simulate"),
        ("run:", "-", "assemble", "other_branch", "pose_from_frame", "problems"),
    ),
    (N("Menu", "&Help"), ("first_steps", "gallery", "key_map", "-", "about")),
)
SUBMENUS = {
    "recent": N("Menu", "Open &recent"),
    "export": N("Menu", "&Export"),
    "align": N("Menu", "&Align"),
    "arrows": N("Menu", "&Arrows"),
    "views": N("Menu", "&Look from"),
    "stage": N("Menu", "On the &stage"),
    "workspaces": N("Menu", "&Workspaces"),
    "pages": N("Menu", "Pa&ges"),
    "panels": N("Menu", "&Panels"),
    "theme": N("Menu", "&Theme"),
}
ALIGN = (
    *("align_left", "align_center_x", "align_right", "-"),
    *("align_top", "align_center_y", "align_bottom"),
)
VIEWS = (
    *("view_front", "view_top", "view_right", "view_home", "-"),
    *("view_back", "view_bottom", "view_left", "-", "parallel", "frames"),
)
THEME = ("theme_system", "theme_light", "theme_dark")
EVERYDAY = ("undo", "redo")  # in the top row
SPARE = ("open", "save", "fit", "grid")  # there too, where the window is wide enough


class Menus(dict[str, QMenu]):
    """The submenus by name; building them fills the menu bar."""

    def __init__(self, bar: QMenuBar, commands: Commands) -> None:
        super().__init__()
        self.commands = commands
        for title, names in MENUS:
            menu = bar.addMenu(_tr(title))
            menu.setToolTipsVisible(True)
            self.fill(menu, names)
        self.fill(self["align"], ALIGN)
        self.fill(self["theme"], THEME)
        self.fill(self["views"], VIEWS)

    def fill(self, menu: QMenu, names: Sequence[str]) -> None:
        """Append commands by name; changes the menu."""
        for name in names:
            key = name.removesuffix(":")
            if name == "-":
                menu.addSeparator()
            elif key in SUBMENUS and name.endswith(":"):
                if key not in self:
                    self[key] = QMenu(_tr(SUBMENUS[key]), menu)
                    self[key].setToolTipsVisible(True)
                    self[key].setIcon(icon(key))
                menu.addMenu(self[key])
            elif name.endswith(":"):
                self[key] = menu
            else:
                menu.addAction(self.commands[name])


def _tr(text: str) -> str:
    return QCoreApplication.translate("Menu", text)
