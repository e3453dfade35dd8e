"""Every command of the window, once: its words, its key and its icon.

`Commands` makes the QActions. Handlers connect to them by name; code that disables a command gives the
reason, which becomes its tooltip.
"""

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from gui.look.icons import icon
from gui.look.tooltips import allow
from gui.look.translation import QT_TRANSLATE_NOOP


class Command(NamedTuple):
    """A command as menus, tooltips and the key map show it."""

    name: str
    text: str  # with & before its access key
    keys: str = ""
    help: str = ""
    checkable: bool = False


def _of(name: str, text: str, keys: str = "", help: str = "", checkable: bool = False) -> Command:
    return Command(name, text, keys, help, checkable)


N = QT_TRANSLATE_NOOP

COMMANDS: tuple[Command, ...] = (
    _of("new", N("Command", "&New"), "Ctrl+N", N("Command", "Start an empty model.")),
    _of(
        "new_space",
        N("Command", "New &model in space"),
        "Ctrl+Shift+N",
        N("Command", "Start an empty model of bodies that move in space."),
    ),
    _of("open", N("Command", "&Open ..."), "Ctrl+O", N("Command", "Open a model file.")),
    _of("gallery", N("Command", "&Gallery ..."), "Ctrl+G", N("Command", "Open an example.")),
    _of("save", N("Command", "&Save"), "Ctrl+S"),
    _of("save_as", N("Command", "Save &as ..."), "Ctrl+Shift+S"),
    _of("preferences", N("Command", "&Preferences ..."), "Ctrl+,"),
    _of("quit", N("Command", "&Quit"), "Ctrl+Q"),
    _of("undo", N("Command", "&Undo"), "Ctrl+Z"),
    _of("redo", N("Command", "&Redo"), "Ctrl+Shift+Z"),
    _of("cut", N("Command", "Cu&t"), "Ctrl+X"),
    _of("copy", N("Command", "&Copy"), "Ctrl+C"),
    _of("paste", N("Command", "&Paste"), "Ctrl+V"),
    _of(
        "copy_script",
        N("Command", "Copy model as P&ython"),
        "",
        N("Command", "Copy the program that builds this model."),
    ),
    _of("duplicate", N("Command", "D&uplicate"), "Ctrl+D"),
    _of("delete", N("Command", "&Delete"), "Del"),
    _of("select_all", N("Command", "Select &all"), "Ctrl+A"),
    _of("select_none", N("Command", "Select &nothing"), "Ctrl+Shift+A"),
    _of("rename", N("Command", "&Rename"), "F2"),
    _of("mirror_x", N("Command", "Mirror &left to right"), "Ctrl+M"),
    _of("mirror_y", N("Command", "Mirror &top to bottom"), "Ctrl+Shift+M"),
    _of("align_left", N("Command", "&Left edges")),
    _of("align_center_x", N("Command", "&Centres, one above the other")),
    _of("align_right", N("Command", "&Right edges")),
    _of("align_top", N("Command", "&Top edges")),
    _of("align_center_y", N("Command", "Centres, &side by side")),
    _of("align_bottom", N("Command", "&Bottom edges")),
    _of("fit", N("Command", "&Fit the model"), "0", N("Command", "Show the whole model.")),
    _of("zoom_in", N("Command", "Zoom &in"), "Ctrl++"),
    _of("zoom_out", N("Command", "Zoom &out"), "Ctrl+-"),
    _of("grid", N("Command", "&Grid"), "Ctrl+'", "", True),
    _of(
        "show_in_space",
        N("Command", "Show in &3D"),
        "Ctrl+3",
        N("Command", "Show a planar model as solids that can be turned."),
        True,
    ),
    _of("view_front", N("Command", "From the &front"), "1"),
    _of("view_top", N("Command", "From the &top"), "2"),
    _of("view_right", N("Command", "From the &right"), "3"),
    _of("view_back", N("Command", "From be&hind")),
    _of("view_bottom", N("Command", "From b&elow")),
    _of("view_left", N("Command", "From the &left")),
    _of("view_home", N("Command", "&Slanting, as at first"), "4"),
    _of("parallel", N("Command", "&Parallel, without perspective"), "5", "", True),
    _of("frames", N("Command", "Axes of &bodies"), "", "", True),
    _of("trails", N("Command", "&Trails of tracers"), "", "", True),
    _of("hide", N("Command", "&Hide"), "Ctrl+H", N("Command", "Hide the selection.")),
    _of("isolate", N("Command", "&Isolate"), "", N("Command", "Show nothing but the selection.")),
    _of(
        "see_through",
        N("Command", "See &through"),
        "",
        N("Command", "Draw the selected bodies so that what is behind them is seen, or not."),
    ),
    _of("show_all", N("Command", "Show &everything"), "Ctrl+Shift+H"),
    _of("fit_selection", N("Command", "Zoom to the se&lection")),
    _of(
        "follow_body",
        N("Command", "Follow the &body"),
        "",
        N("Command", "Move the view with the selected body while a run is shown."),
        True,
    ),
    _of("reset_layout", N("Command", "&Reset the layout")),
    _of(
        "find",
        N("Command", "&Find anything ..."),
        "Ctrl+K",
        N("Command", "Commands, tools, elements, curves and pages by their names."),
    ),
    _of("theme_system", N("Command", "As the &system"), "", "", True),
    _of("theme_light", N("Command", "&Light"), "", "", True),
    _of("theme_dark", N("Command", "&Dark"), "", "", True),
    _of("problems", N("Command", "&Problems ..."), "Ctrl+Shift+P"),
    _of("assemble", N("Command", "&Assemble"), "Ctrl+Shift+J"),
    _of(
        "other_branch",
        N("Command", "Other &branch"),
        "Ctrl+Shift+B",
        N("Command", "Close the mechanism on its other side; again: the next way."),
    ),
    _of("pose_from_frame", N("Command", "&Make this frame the design pose"), "Ctrl+Shift+D"),
    _of("new_parameter", N("Command", "New &parameter")),
    _of(
        "import_mesh",
        N("Command", "Import &mesh ..."),
        "",
        N("Command", "Add a body in space from an STL or OBJ file."),
    ),
    _of(
        "import_part",
        N("Command", "Insert &flexible part ..."),
        "",
        N("Command", "Add a body that bends as its stiffness and mass matrices say."),
    ),
    _of("first_steps", N("Command", "Build a &pendulum in four moves")),
    _of("key_map", N("Command", "&Keys"), "F1", N("Command", "All keys of the window.")),
    _of("about", N("Command", "&About Kardan")),
)


class Commands(dict[str, QAction]):
    """The actions by name; those with a key work in the whole window."""

    def __init__(self, window: QWidget) -> None:
        super().__init__()
        self._said: dict[str, tuple[str, str]] = {}
        self._window = window
        self._connected: set[str] = set()
        self._asked: dict[str, None] | None = {}  # before the window was whole; None: it is
        for command in COMMANDS:
            self.add(command, tr(command.text), tr(command.help))
        self["redo"].setShortcuts([QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")])
        self["delete"].setShortcuts([QKeySequence("Del"), QKeySequence("Backspace")])
        self["quit"].setMenuRole(QAction.MenuRole.QuitRole)
        self["about"].setMenuRole(QAction.MenuRole.AboutRole)
        self["preferences"].setMenuRole(QAction.MenuRole.PreferencesRole)

    def add(self, command: Command, text: str, help: str) -> QAction:
        """Make a command with words in the language of the user; changes the window."""
        action = QAction(icon(command.name), text, self._window)
        action.setObjectName(command.name)
        action.setCheckable(command.checkable)
        if command.keys:
            action.setShortcut(QKeySequence(command.keys))
            action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        action.setProperty("help", help)
        self[command.name] = action
        action.triggered.connect(lambda _=False, name=command.name: self._keep(name))
        self.allow(command.name)
        self._window.addAction(action)
        return action

    def connect(self, **work: Callable[[], object]) -> None:
        """Connect each named command to its handler."""
        self._connected.update(work)
        for name, do in work.items():
            self[name].triggered.connect(lambda _=False, do=do: do())

    def _keep(self, name: str) -> None:
        """Remember a command that nobody obeys yet."""
        if self._asked is None or name in self._connected or self[name].isCheckable():
            return
        self._asked[name] = None

    def catch_up(self) -> None:
        """Do what was asked for while the window was still being made."""
        asked, self._asked = self._asked or {}, None
        for name in asked:
            if name in self._connected:
                self[name].trigger()

    def allow(self, name: str, reason: str = "") -> None:
        """Enable a command, or disable it for this reason; changes its tooltip."""
        action = self[name]
        said = (reason, action.text())
        if self._said.get(name) != said:
            self._said[name] = said
            allow(action, reason)


def tr(text: str) -> str:
    """The words of a command in the language of the user."""
    return QCoreApplication.translate("Command", text) if text else ""
