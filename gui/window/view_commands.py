"""What the View menu does: zoom, views, grid, trails, arrows, hiding, panels and theme."""

from PySide6.QtCore import QCoreApplication, QObject
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from gui.look.translation import QT_TRANSLATE_NOOP
from gui.stages.model_view import ModelView
from gui.stages.stages import Stages
from gui.state.preferences import THEMES, Preferences
from gui.state.selection import Selection
from gui.state.visibility import Visibility
from gui.window.actions import Commands
from gui.window.app import apply_theme

ZOOM = 1.25
LOOKS = ("front", "back", "right", "left", "top", "bottom", "home")
N = QT_TRANSLATE_NOOP

ARROWS: tuple[tuple[str, str], ...] = (
    ("reactions", N("View", "&Reactions of joints")),
    ("velocities", N("View", "&Velocities")),
    ("accelerations", N("View", "&Accelerations")),
    ("forces", N("View", "Applied &forces")),
    ("spins", N("View", "A&ngular velocities (in space)")),
)


class ViewCommands(QObject):
    """Commands that change how things look, never the mechanism."""

    def __init__(
        self,
        stage: Stages,
        shown: ModelView,
        selection: Selection,
        visibility: Visibility,
        preferences: Preferences,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self.stage, self.selection = stage, selection
        self.shown = shown
        self._arrows: dict[str, QAction] = {}  # by kind
        self.visibility, self.preferences = visibility, preferences

    def connect_to(self, commands: Commands, arrows: QMenu) -> None:
        """Connect the commands of the menu."""
        self.commands = commands
        commands.connect(
            fit=lambda: self.stage.fit(smoothly=True),
            zoom_in=lambda: self.stage.zoom(ZOOM),
            zoom_out=lambda: self.stage.zoom(1.0 / ZOOM),
            fit_selection=lambda: self.stage.fit_to(self.selection.ids),
            hide=self.hide,
            isolate=self.isolate,
            see_through=self.see_through,
            show_all=self.visibility.show_all,
            **{f"theme_{one}": lambda one=one: self.set_theme(one) for one in THEMES},
        )
        on = bool(self.preferences.settings.value("view/grid", True, bool))
        commands["grid"].setChecked(on)
        self.stage.show_grid(on)
        commands["grid"].toggled.connect(self.stage.show_grid)
        commands["grid"].toggled.connect(lambda on: self._keep("grid", on))
        commands["trails"].toggled.connect(self.shown.show_trails)
        commands["follow_body"].toggled.connect(self._follow)
        self._connect_space()
        group = QActionGroup(self)
        for one in THEMES:
            group.addAction(commands[f"theme_{one}"])
        commands[f"theme_{self.preferences.theme}"].setChecked(True)
        self.preferences.changed.connect(self._on_preference)
        self.visibility.changed.connect(self._on_visibility)
        self._fill_arrows(arrows)
        self._on_visibility()

    def _connect_space(self) -> None:
        """The commands of the stage in space."""
        commands = self.commands
        commands.connect(
            **{f"view_{one}": lambda one=one: self.stage.look_from(one) for one in LOOKS}
        )
        commands["parallel"].toggled.connect(self.stage.set_parallel)
        commands["frames"].toggled.connect(self.stage.show_frames)
        commands["show_in_space"].toggled.connect(self.stage.show_in_space)
        self.stage.shown_changed.connect(self._allow_space)
        self.stage.document.committed.connect(self._allow_space)
        self._allow_space()

    def _allow_space(self) -> None:
        """Disable what only the stage in space can do, and what a spatial model does by itself."""
        spatial = self.stage.document.model.dim == 3
        switch = self.commands["show_in_space"]
        if switch.isChecked() != self.stage.wants_space:
            switch.setChecked(self.stage.wants_space)
        there = _tr("This model is in space already.")
        self.commands.allow("show_in_space", there if spatial else "")
        reason = "" if self.stage.is_spatial else _tr("Show the model in 3D first.")
        for name in (*(f"view_{one}" for one in LOOKS), "parallel", "frames"):
            self.commands.allow(name, reason)

    def _fill_arrows(self, menu: QMenu) -> None:
        """One switch for each kind of arrows, and their size."""
        for kind, words in ARROWS:
            action = QAction(_tr(words), menu, checkable=True)
            action.setObjectName(f"arrows_{kind}")
            action.toggled.connect(lambda on, kind=kind: self.shown.show_arrows(kind, on))
            menu.addAction(action)
            self._arrows[kind] = action
        menu.addSeparator()
        for words, factor in (
            (N("View", "&Longer arrows"), 1.5),
            (N("View", "&Shorter arrows"), 1 / 1.5),
        ):
            action = menu.addAction(_tr(words))
            action.triggered.connect(lambda _=False, factor=factor: self.shown.scale_arrows(factor))
        self.shown.changed.connect(self._show_view)
        self._show_view()

    def _show_view(self) -> None:
        """Check what the view of the model shows; changes the menus."""
        view = self.shown.view
        self.commands["trails"].setChecked(view.trails)
        for kind, action in self._arrows.items():
            action.setChecked(kind in view.arrows)

    def hide(self) -> None:
        """Hide the selection and select nothing."""
        ids = self.selection.ids
        self.selection.clear()
        self.visibility.hide(ids)

    def isolate(self) -> None:
        """Show nothing but the selection."""
        model = self.stage.document.model
        self.visibility.isolate(model, [id for id in self.selection.ids if id in model])

    def see_through(self) -> None:
        """Make the selected bodies clear, or not."""
        self.visibility.see_through(self._bodies())

    def _bodies(self) -> list[str]:
        model = self.stage.document.model
        return [id for id in self.selection.ids if id in model and model[id].family == "body"]

    def _follow(self, on: bool) -> None:
        bodies = self._bodies()
        self.stage.follow_body(bodies[0] if on and bodies else None)

    def set_theme(self, theme: str) -> None:
        """Choose light, dark or that of the system; changes the preferences."""
        self.preferences.set("theme", theme)

    def _keep(self, name: str, on: bool) -> None:
        self.preferences.settings.setValue(f"view/{name}", on)

    def _on_preference(self, name: str) -> None:
        if name == "theme":
            self.commands[f"theme_{self.preferences.theme}"].setChecked(True)
            apply_theme(self.preferences.theme)

    def _on_visibility(self) -> None:
        hidden = self.visibility.hidden
        self.stage.set_hidden(hidden)
        self.stage.set_clear(self.visibility.clear)
        is_changed = hidden or self.visibility.clear
        self.commands.allow("show_all", "" if is_changed else _tr("Nothing is hidden."))


def _tr(text: str) -> str:
    return QCoreApplication.translate("View", text)
