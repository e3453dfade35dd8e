"""The menu of what the stage shows besides the model: centres, names, trails, a picture to trace over."""

from math import hypot
from typing import Any

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, QObject
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QFileDialog, QInputDialog, QMenu

from engine.errors import EngineError
from engine.model import planar
from gui.stage2d.picks import Pick
from gui.stage2d.view import StageView
from gui.tools.base import Label, Line, Modifiers, Point, Preview, Tool

N = QT_TRANSLATE_NOOP
PICTURES = "*.png *.jpg *.jpeg *.bmp *.gif *.webp *.svg"
OPACITIES = (0.25, 0.5, 0.75, 1.0)
SWITCHES = (  # name, words, method of the stage, on at first
    ("centers", N("Stage", "Mass &centres"), "show_centers", True),
    ("names", N("Stage", "&Names of everything"), "show_names", False),
    ("center_trails", N("Stage", "Trails of &mass centres"), "show_center_trails", False),
)


class MeasureTool(Tool):
    """Two clicks on the background picture; `measured` then asks how far apart they really are."""

    name = "measure"
    snaps = False

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self.first: Point | None = None
        self.measured: Any = None

    @property
    def is_busy(self) -> bool:
        """Whether the first point is taken."""
        return self.first is not None

    def reset(self) -> None:
        """Forget the first point; changes the tool."""
        self.first = None
        super().reset()

    def idle_hint(self) -> str:
        """What to click."""
        return self.tr("Click two points of the picture whose distance you know.")

    def press(self, pick: Pick, modifiers: Modifiers) -> None:
        """Take the first point, or the second and ask."""
        if self.first is None:
            self.first = (pick.x, pick.y)
            self.show(Preview(rings=(self.first,), hint=self.tr("Click the second point.")))
        elif (pick.x, pick.y) != self.first:
            a, b = self.first, (pick.x, pick.y)
            self.reset()
            self.finished.emit()
            self.measured(a, b)

    def move(self, pick: Pick, modifiers: Modifiers) -> None:
        """A line from the first point to the mouse."""
        if self.first is not None:
            here = (pick.x, pick.y)
            far = hypot(here[0] - self.first[0], here[1] - self.first[1])
            label = Label(here, self.quantity(far, "m"))
            hint = self.tr("Click the second point.")
            self.show(Preview(lines=(Line(self.first, here),), labels=(label,), hint=hint))


class StageOptions(QObject):
    """The commands of the menu; switches are kept in the preferences."""

    def __init__(self, stage: StageView, preferences: Any, menu: QMenu) -> None:
        super().__init__(menu)
        self.stage, self.preferences = stage, preferences
        self.measure = MeasureTool(stage.document, stage.selection, preferences, self)
        self.measure.measured = self.scale_by
        for name, words, method, on in SWITCHES:
            self._add_switch(menu, name, words, getattr(stage, method), on)
        menu.addSeparator()
        menu.addAction(_tr(N("Stage", "&Background picture ..."))).triggered.connect(self.choose)
        self.of_picture = [
            self._add_opacities(menu),
            self._add(menu, N("Stage", "&Scale of the picture by two points"), self.begin_scaling),
            self._add(menu, N("Stage", "Picture to the &middle of the view"), self.center),
            self._add(menu, N("Stage", "&Remove the picture"), self.remove),
        ]
        self._allow()

    # --- the picture

    def choose(self) -> None:
        """Ask for a picture and lay it behind the drawing."""
        kinds = _tr(N("Stage", "Pictures ({0})")).format(PICTURES)
        title = _tr(N("Stage", "Background picture"))
        path, _ = QFileDialog.getOpenFileName(self.stage, title, "", kinds)
        if path:
            self.show_picture(path)

    def show_picture(self, path: str) -> None:
        """Lay a picture behind the drawing, or say why not."""
        if not self.stage.set_background(path):
            sentence = _tr(N("Stage", "'{0}' is not a picture that can be read. Choose another."))
            self.stage.complained.emit(sentence.format(path))
        self._allow()

    def begin_scaling(self) -> None:
        """Let the user click two points of the picture."""
        self.stage.set_tool(self.measure)

    def scale_by(self, a: Point, b: Point) -> None:
        """Ask how far two points of the picture are apart, and scale it so."""
        far = hypot(b[0] - a[0], b[1] - a[1])
        shown = self.measure.quantity(far, "m")
        title = _tr(N("Stage", "Scale of the picture"))
        question = _tr(N("Stage", "The distance of the two points, with its unit:"))
        text, done = QInputDialog.getText(self.stage, title, question, text=shown)
        if done:
            self.set_distance(a, b, text)

    def set_distance(self, a: Point, b: Point, text: str) -> None:
        """Scale the picture so that two of its points are as far apart as the text says."""
        try:
            distance = self.preferences.parse(text, "m", planar())
            if isinstance(distance, str) or not distance > 0.0:
                raise EngineError(_tr(N("Stage", "The distance must be a positive number.")))
        except EngineError as error:
            self.stage.complained.emit(error.sentence)
            return
        self.stage.background.calibrate(a, b, float(distance))
        self.stage.viewport().update()

    def center(self) -> None:
        """Put the picture into the middle of what is seen."""
        self.stage.background.x, self.stage.background.y = self.stage.camera.state[:2]
        self.stage.viewport().update()

    def remove(self) -> None:
        """Take the picture away."""
        self.stage.set_background(None)
        self._allow()

    def set_opacity(self, opacity: float) -> None:
        """Make the picture fainter or stronger."""
        self.stage.background.opacity = opacity
        self.stage.viewport().update()

    # --- the menu

    def _add(self, menu: QMenu, words: str, work: Any) -> QAction:
        action = menu.addAction(_tr(words))
        action.triggered.connect(lambda _=False: work())
        return action

    def _add_switch(self, menu: QMenu, name: str, words: str, work: Any, on: bool) -> None:
        """A switch that remembers how it stood."""
        action = QAction(_tr(words), menu, checkable=True, objectName=f"stage_{name}")
        key = f"stage/{name}"
        settings = self.preferences.settings
        action.toggled.connect(work)
        action.setChecked(bool(settings.value(key, on, bool)))
        action.toggled.connect(lambda on: settings.setValue(key, on))
        menu.addAction(action)

    def _add_opacities(self, menu: QMenu) -> QAction:
        """How faint the picture is."""
        shades = menu.addMenu(_tr(N("Stage", "&Strength of the picture")))
        group = QActionGroup(shades)
        for opacity in OPACITIES:
            action = QAction(f"{100 * opacity:.0f} %", shades, checkable=True)
            action.setChecked(opacity == self.stage.background.opacity)
            action.triggered.connect(lambda _=False, opacity=opacity: self.set_opacity(opacity))
            group.addAction(action)
            shades.addAction(action)
        return shades.menuAction()

    def _allow(self) -> None:
        """Grey what needs a picture, and say so."""
        missing = self.stage.background.picture.isNull()
        reason = _tr(N("Stage", "There is no background picture yet."))
        for action in self.of_picture:
            action.setEnabled(not missing)
            action.setToolTip(reason if missing else "")


def _tr(text: str) -> str:
    return QCoreApplication.translate("Stage", text)
