"""The menu of what the stage shows besides the model: centres, names, trails, a picture to trace over."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import hypot
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QFileDialog, QInputDialog, QMenu

from engine.errors import EngineError
from engine.model.elements import Backdrop, planar
from gui.look.tooltips import allow
from gui.look.translation import QT_TRANSLATE_NOOP
from gui.placing.plane.bends import COLOURINGS
from gui.placing.plane.picks import Pick
from gui.stages.plane.background import backdrop_of, calibrated
from gui.stages.plane.bending import MAGNIFICATIONS
from gui.stages.plane.view import StageView
from gui.state.numbers import written
from gui.tools.base import Label, Line, Modifiers, Point, Preview, Tool

N = QT_TRANSLATE_NOOP
PICTURES = "*.png *.jpg *.jpeg *.bmp *.gif *.webp *.svg"
OPACITIES = (0.25, 0.5, 0.75, 1.0)
SWITCHES = (  # name, text, method of the stage, initial state
    ("centers", N("Stage", "Mass &centres"), "show_centers", True),
    ("names", N("Stage", "&Names of everything"), "show_names", False),
)


COLOURED = {
    "nothing": N("Stage", "In their own colour"),
    "deflection": N("Stage", "Coloured by deflection"),
    "stress": N("Stage", "Coloured by stress"),
}


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


CHOOSER = "background_picture"


class StageOptions(QObject):
    """The commands of the menu; switches are kept in the preferences."""

    def __init__(
        self,
        stage: StageView,
        preferences: Any,
        menu: QMenu,
        looks: Any = None,
        shown: Any = None,
    ) -> None:
        super().__init__(menu)
        self.stage, self.preferences, self.menu = stage, preferences, menu
        self.measure = MeasureTool(stage.document, stage.selection, preferences, self)
        self.measure.measured = self.scale_by
        for name, words, method, on in SWITCHES:
            self._add_switch(menu, name, words, getattr(looks or stage, method), on)
        if shown is not None:
            self._add_trails(menu, shown)
        self._add_bending(menu, shown or looks or stage)
        if shown is not None:
            shown.changed.connect(self._show_bending)
            self._show_bending()
        menu.addSeparator()
        chooser = self._add(menu, N("Stage", "&Background picture ..."), self.choose)
        of_picture = [
            self._add_opacities(menu),
            self._add(menu, N("Stage", "&Scale of the picture by two points"), self.begin_scaling),
            self._add(menu, N("Stage", "Picture to the &middle of the view"), self.center),
            self._add(menu, N("Stage", "&Remove the picture"), self.remove),
        ]
        chooser.setObjectName(CHOOSER)
        self._names = [f"{CHOOSER}_{n}" for n in range(len(of_picture))]
        for action, name in zip(of_picture, self._names):
            action.setObjectName(name)
        stage.document.committed.connect(self._allow)
        self._allow()

    @property
    def chooser(self) -> QAction:
        """The command that asks for a picture."""
        return self._named(CHOOSER)

    @property
    def of_picture(self) -> list[QAction]:
        """The commands that need a picture."""
        return [self._named(name) for name in self._names]

    def _named(self, name: str) -> QAction:
        """An action of the menu, looked for when it is needed: PySide may drop its side of one."""
        action = self.menu.findChild(QAction, name)
        assert isinstance(action, QAction)
        return action

    def _show_bending(self) -> None:
        """Check what the view of the model says."""
        view = self.shown.view
        for factor, action in zip(MAGNIFICATIONS, self.bending.actions(), strict=True):
            action.setChecked(factor == view.beams_bent)
        for colouring, action in zip(COLOURINGS, self.colours.actions(), strict=True):
            action.setChecked(colouring == view.beam_colours)

    def _add_bending(self, menu: QMenu, looks: Any) -> None:
        """How beams are shown: how much more they are bent, and what they are coloured by."""
        sub = menu.addMenu(_tr(N("Stage", "Bent &beams")))
        self.bending = QActionGroup(sub)
        for factor in MAGNIFICATIONS:
            words = _tr(N("Stage", "Bent {0} times as much")).format(written(factor))
            if factor == 1.0:
                words = _tr(N("Stage", "Bent as they are"))
            action = self._in_group(sub, self.bending, words, factor == 1.0)
            action.triggered.connect(partial(looks.magnify_beams, factor))
        sub.addSeparator()
        self.colours = QActionGroup(sub)
        for colouring in COLOURINGS:
            action = self._in_group(
                sub, self.colours, _tr(COLOURED[colouring]), colouring == "nothing"
            )
            action.triggered.connect(partial(looks.colour_beams, colouring))

    def _in_group(self, menu: QMenu, group: QActionGroup, words: str, on: bool) -> QAction:
        action = menu.addAction(words)
        action.setCheckable(True)
        action.setChecked(on)
        group.addAction(action)
        return action

    # --- the picture

    def choose(self) -> None:
        """Ask for a picture and lay it behind the drawing."""
        kinds = _tr(N("Stage", "Pictures ({0})")).format(PICTURES)
        title = _tr(N("Stage", "Background picture"))
        path, _ = QFileDialog.getOpenFileName(self.stage, title, "", kinds)
        if path:
            self.show_picture(path)

    def show_picture(self, path: str) -> None:
        """Lay a picture behind the drawing, as one edit, or say why not."""
        try:
            backdrop = backdrop_of(path, *self.stage.camera.state)
        except EngineError as error:
            self.stage.complained.emit(error.sentence)
            return
        self._edit(_tr(N("Stage", "Lay a picture behind")), backdrop)

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
        self._change(
            _tr(N("Stage", "Scale the picture")), lambda now: calibrated(now, a, b, float(distance))
        )

    def center(self) -> None:
        """Put the picture into the middle of what is seen."""
        place = tuple(self.stage.camera.state[:2])
        words = _tr(N("Stage", "Move the picture"))
        self._change(words, lambda now: replace(now, position=place))

    def remove(self) -> None:
        """Remove the picture."""
        self._edit(_tr(N("Stage", "Remove the picture")), None)

    def set_opacity(self, opacity: float) -> None:
        """Make the picture fainter or stronger."""
        words = _tr(N("Stage", "Change the strength of the picture"))
        self._change(words, lambda now: replace(now, opacity=opacity))

    def _change(self, words: str, change: Callable[[Backdrop], Backdrop]) -> None:
        """Change the present picture, as one edit."""
        now = self.stage.document.model.background
        if now is not None and (new := change(now)) != now:
            self._edit(words, new)

    def _edit(self, words: str, backdrop: Backdrop | None) -> None:
        document = self.stage.document
        document.edit(words, replace(document.model, background=backdrop))

    # --- the menu

    def _add(self, menu: QMenu, words: str, work: Any) -> QAction:
        action = menu.addAction(_tr(words))
        action.triggered.connect(lambda _=False: work())
        return action

    def _add_switch(self, menu: QMenu, name: str, words: str, work: Any, on: bool) -> None:
        """A switch whose state is kept."""
        action = QAction(_tr(words), menu, checkable=True)
        action.setObjectName(f"stage_{name}")
        key = f"stage/{name}"
        settings = self.preferences.settings
        action.toggled.connect(work)
        action.setChecked(bool(settings.value(key, on, bool)))
        action.toggled.connect(lambda on: settings.setValue(key, on))
        menu.addAction(action)

    def _add_trails(self, menu: QMenu, shown: Any) -> None:
        """A switch that belongs to the model."""
        words = _tr(N("Stage", "Trails of &mass centres"))
        self.shown, self.trails = shown, QAction(words, menu, checkable=True)
        self.trails.setObjectName("stage_center_trails")
        self.trails.toggled.connect(shown.show_center_trails)
        shown.changed.connect(self._show_trails)
        menu.addAction(self.trails)

    def _show_trails(self) -> None:
        self.trails.setChecked(self.shown.view.center_trails)

    def _add_opacities(self, menu: QMenu) -> QAction:
        """How faint the picture is."""
        shades = menu.addMenu(_tr(N("Stage", "&Strength of the picture")))
        group = QActionGroup(shades)
        for opacity in OPACITIES:
            action = QAction(f"{100 * opacity:.0f} %", shades, checkable=True)
            action.setData(opacity)
            action.triggered.connect(lambda _=False, opacity=opacity: self.set_opacity(opacity))
            group.addAction(action)
            shades.addAction(action)
        self.opacities = group
        return shades.menuAction()

    def _allow(self) -> None:
        """Disable what needs a picture, with the reason."""
        model = self.stage.document.model
        flat = _tr(N("Stage", "Only a model in the plane has a background picture."))
        allow(self.chooser, "" if model.dim == 2 else flat)
        picture = model.background
        missing = picture is None
        reason = _tr(N("Stage", "There is no background picture yet."))
        for action in self.opacities.actions():
            action.setChecked(picture is not None and action.data() == picture.opacity)
        for action in self.of_picture:
            allow(action, reason if missing else "")


def _tr(text: str) -> str:
    return QCoreApplication.translate("Stage", text)
