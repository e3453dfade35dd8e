"""The stage of the window: the plane, space, or a page that says why there is no space.

The window talks to this object. It shows the stage that fits the model, forwards its signals, and applies
display settings to both. The stage in space is made when it is first needed; a page tells of the wait.
"""

from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import QPoint, QPointF, QSizeF, Qt, QTimer, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QStackedWidget, QVBoxLayout, QWidget

from engine.model.elements import Id
from engine.model.views import Camera
from gui.stages.opening import Opening
from gui.stages.plane.view import StageView
from gui.stages.space.screen.opengl import OpenGL, opengl
from gui.state.document import Document
from gui.state.playback import Playback
from gui.state.selection import Selection

FORWARDED = (
    *("tool_changed", "hint_changed", "context_menu_requested", "edit_requested", "complained"),
    *("pull_started", "pull_moved", "pull_ended", "zoomed"),
)
LATER = 4000  # ms after the start, before the drawing capability is probed


class Stages(QStackedWidget):
    """Shows the stage in the plane or the stage in space; switches between them automatically."""

    tool_changed = Signal(object)
    hint_changed = Signal(str)
    context_menu_requested = Signal(object, QPoint)
    edit_requested = Signal(str)
    complained = Signal(str)
    pull_started = Signal(str, object, object)
    pull_moved = Signal(object)
    pull_ended = Signal()
    zoomed = Signal(float)
    rings_wanted = Signal(str)  # the badge of a body near gimbal lock was clicked
    parameter_wanted = Signal(str, str)  # make a parameter of this size of a body
    shown_changed = Signal()  # another stage is shown, or space was requested

    def __init__(
        self,
        document: Document,
        selection: Selection,
        playback: Playback,
        preferences: Any = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.shared = (document, selection, playback)
        self.document, self.preferences = document, preferences
        self.planar = StageView(document, selection, playback, None, preferences)
        self.spatial: Any = None  # a Stage3D, once it was needed
        self.failure: FailurePage | None = None  # shown instead, where space cannot be drawn
        self.waiting: QLabel | None = None  # shown until that is known
        self.opening = Opening()
        self.opening.opened.connect(self._choose)
        self.wants_space = False  # a planar model is to be shown in space
        self._is_live = False
        self._looks: dict[tuple[Any, ...], tuple[str, tuple[Any, ...]]] = {}  # applied so far
        self.addWidget(self.planar)
        self._forward(self.planar)
        self.setFocusProxy(self.planar)
        document.changed.connect(self._choose)
        self._choose()

    def ask_later(self) -> None:
        """Probe in the background what the machine can draw, so that space opens at once."""
        QTimer.singleShot(LATER, self, self.opening.begin)

    # --- which stage

    @property
    def shown(self) -> Any:
        """The active stage: in space, or in the plane."""
        return self.spatial if self.spatial is not None and self.is_spatial else self.planar

    @property
    def is_spatial(self) -> bool:
        """Whether the model is shown in space, because it is spatial or on request."""
        return self.document.shown.dim == 3 or self.wants_space

    @property
    def why_blind(self) -> str:
        """Why a model in space cannot be drawn now, in a sentence; empty if it can."""
        if self.spatial is not None:
            return ""
        if self.failure is None:
            return self.tr("Space is still being opened.")
        return self.tr("Models in space cannot be drawn on this computer.")

    @property
    def draws_badges(self) -> bool:
        """Whether bodies near gimbal lock have badges on the stage that is shown."""
        return self.spatial is not None and self.currentWidget() is self.spatial

    def show_in_space(self, wanted: bool) -> None:
        """Show planar models in space too, or in their plane; changes the stage."""
        self.wants_space = wanted
        self._choose()
        self.shown_changed.emit()

    def _choose(self, *_: object) -> None:
        """Show the stage that fits the model; changes what is seen."""
        page: QWidget = self._space() if self.is_spatial else self.planar
        if page is self.currentWidget():
            return
        before = self.currentWidget()
        had_focus = before is not None and before.hasFocus()
        for stage in (self.planar, self.spatial):
            if stage is not None:
                stage.set_tool(None)
                stage.set_asleep(stage is not page)
        self.setCurrentWidget(page)
        self.setFocusProxy(page)
        if had_focus:
            page.setFocus()
        self.tool_changed.emit(self.tool)
        self.hint_changed.emit(self.active_tool.hint)
        self.shown_changed.emit()

    def _space(self) -> Any:
        """The stage in space, or the page that says why there is none, or none yet; made when needed."""
        if self.spatial is None and self.failure is None:
            if not self.opening.is_open:
                self.opening.begin()
            if not self.opening.is_open:
                return self._wait()
            self._make_spatial()
        return self.failure or self.planar if self.spatial is None else self.spatial

    def _wait(self) -> QWidget:
        """The page that is shown until space is open; made when needed."""
        if self.waiting is None:
            self.waiting = QLabel(self.tr("Space is being opened ..."))
            self.waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
            self.waiting.setProperty("role", "quiet")
            self.addWidget(self.waiting)
        return self.waiting

    def _make_spatial(self) -> None:
        """Make the stage in space, or the page that says why there is none; changes the stages."""
        found = opengl()
        if not found.works:
            self.failure = FailurePage(found, self)
            self.failure.outline_wanted.connect(self._show_outline)
            self.addWidget(self.failure)
            return
        self.spatial = make_space_stage(*self.shared, self.preferences)
        self.addWidget(self.spatial)
        self._forward(self.spatial)
        self.spatial.rings_wanted.connect(self.rings_wanted)
        self.spatial.is_live = self._is_live
        for name, arguments in self._looks.values():
            _tell(self.spatial, name, arguments)

    def _show_outline(self) -> None:
        """Where space cannot be drawn, the stage in the plane shows the model from the front."""
        self.planar.set_asleep(False)
        self.setCurrentWidget(self.planar)

    def _forward(self, stage: Any) -> None:
        """Forward the signals of a stage while it is shown."""
        stage.labels.parameter_wanted.connect(self.parameter_wanted)
        for name in FORWARDED:
            own = getattr(self, name)

            def pass_on(*values: Any, own: Any = own) -> None:
                if stage is self.shown:
                    own.emit(*values)

            getattr(stage, name).connect(pass_on)

    def close_drawing(self) -> None:
        """Release graphics memory before the window is destroyed; changes the stage in space."""
        if self.spatial is not None:
            self.spatial.close_drawing()

    # --- requests to the stage that is shown

    @property
    def tool(self) -> Any:
        """The active tool; None while things are selected."""
        return self.shown.tool

    @property
    def active_tool(self) -> Any:
        """The tool that receives the mouse."""
        return self.shown.active_tool

    @property
    def select_tool(self) -> Any:
        """The selection tool of the stage that is shown."""
        return self.shown.select_tool

    def set_tool(self, tool: Any) -> None:
        """Make a tool the active one, on the stage of its dimension; changes the stage."""
        if tool is not None and tool.name == self.select_tool.name:
            tool = None  # every stage has one of its own
        dim = getattr(tool, "dim", None)
        if dim == 2 and self.wants_space and self.document.shown.dim == 2:
            self.show_in_space(False)  # a planar model is drawn in its plane
        self.shown.set_tool(tool)

    def keep_tool(self) -> None:
        """Let the active tool stay after it was used."""
        self.shown.keep_tool()

    def fit(self, *, smoothly: bool = False) -> None:
        """Show the whole model."""
        self.shown.fit(smoothly=smoothly)

    def fit_to(self, ids: Iterable[Id]) -> None:
        """Show some elements as large as they fit."""
        self.shown.fit_to(ids)

    def follow_body(self, id: Id | None) -> None:
        """Move the view with a body, or with none."""
        self._tell_all("follow_body", id)

    def camera_now(self) -> Camera | None:
        """From where the model is seen on the stage of its dimension; None: whole, as it was opened."""
        stage = self.spatial if self.document.model.dim == 3 else self.planar
        kept = self.document.model.view.camera
        camera: Camera | None = stage.camera_now() if stage is not None else kept
        return camera

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom by a factor."""
        self.shown.zoom(factor, at)

    def scale_of_pixel(self) -> float:
        """Metres per pixel."""
        return float(self.shown.scale_of_pixel())

    def look_from(self, name: str) -> None:
        """Look from the front, the top ...; changes the camera of the stage in space."""
        if self.shown is self.spatial:
            self.spatial.look_from(name)

    def set_parallel(self, is_parallel: bool) -> None:
        """Turn perspective in space off or on."""
        self._tell_all("set_parallel", is_parallel)

    # --- settings of both stages

    @property
    def is_live(self) -> bool:
        """Whether the mouse pulls bodies."""
        return self._is_live

    @is_live.setter
    def is_live(self, live: bool) -> None:
        """Let the mouse pull bodies, or not; changes both stages."""
        self._is_live = live
        for stage in (self.planar, self.spatial):
            if stage is not None:
                stage.is_live = live

    def keep_clear(self, corner: QSizeF) -> None:
        """Fit drawings beside a card in the upper left corner."""
        self._tell_all("keep_clear", corner)

    def show_grid(self, shown: bool) -> None:
        """Draw the grid and snap to it, or not."""
        self._tell_all("show_grid", shown)

    def show_centers(self, shown: bool) -> None:
        """Mark mass centres, or not."""
        self._tell_all("show_centers", shown)

    def show_names(self, shown: bool) -> None:
        """Write all names, or only those of what is selected."""
        self._tell_all("show_names", shown)

    def show_trails(self, shown: bool) -> None:
        """Draw the trails of tracers, or not."""
        self._tell_all("show_trails", shown)

    def show_center_trails(self, shown: bool) -> None:
        """Draw the trails of all mass centres too, or not."""
        self._tell_all("show_center_trails", shown)

    def show_frames(self, shown: bool) -> None:
        """Draw the axes of body frames in space, or not."""
        self._tell_all("show_frames", shown)

    def show_arrows(self, kind: str, on: bool) -> None:
        """Draw a kind of arrows, or not."""
        self._tell_all("show_arrows", kind, on, key=("show_arrows", kind))

    @property
    def arrow_scale(self) -> float:
        """The factor on the arrow scale found by the program."""
        return self.planar.arrow_scale

    @arrow_scale.setter
    def arrow_scale(self, factor: float) -> None:
        """Make all arrows longer or shorter; changes both stages."""
        self._tell_all("arrow_scale", factor)

    def set_hidden(self, ids: Iterable[Id]) -> None:
        """Hide exactly these elements."""
        self._tell_all("set_hidden", frozenset(ids))

    def set_clear(self, ids: Iterable[Id]) -> None:
        """See through exactly these elements."""
        self._tell_all("set_clear", frozenset(ids))

    def magnify_beams(self, factor: float) -> None:
        """Draw beams bent by so much more."""
        self._tell_all("magnify_beams", factor)

    def colour_beams(self, colouring: str) -> None:
        """Colour beams by something, or by nothing."""
        self._tell_all("colour_beams", colouring)

    def show_shape(self, id: Id | None, *shape: Any) -> None:
        """Bend a beam of the design as a shape says (its record, its nodal coordinates), or no more."""
        for stage in (self.planar, self.spatial):
            if stage is not None:
                stage.show_shape(id, *shape)

    def highlight(self, ids: Iterable[Id], kind: str = "problem") -> None:
        """Paint elements red and the rest faint; () clears."""
        self._tell_all("highlight", tuple(ids), kind)

    def show_gap(self, marker_i: Id | None, marker_j: Id | None = None) -> None:
        """Draw the gap between two markers, None clears."""
        self._tell_all("show_gap", marker_i, marker_j)

    def _tell_all(self, name: str, *arguments: Any, key: tuple[Any, ...] | None = None) -> None:
        """Apply a display setting to both stages, and remember it for one that is made later."""
        self._looks[key or (name,)] = (name, arguments)
        for stage in (self.planar, self.spatial):
            if stage is not None:
                _tell(stage, name, arguments)


def _tell(stage: Any, name: str, arguments: tuple[Any, ...]) -> None:
    """Call a method of a stage or set a property, if it has it."""
    if name == "arrow_scale":
        stage.arrow_scale = arguments[0]
    elif name == "show_arrows" and arguments[0] not in stage.arrows.kinds_known:
        return
    elif hasattr(stage, name):
        getattr(stage, name)(*arguments)


def make_space_stage(
    document: Document, selection: Selection, playback: Playback, preferences: Any = None
) -> Any:
    """A stage in space; loads what draws it. Only where `opengl().works`."""
    from gui.stages.space.view import Stage3D  # VTK takes long to load

    software = opengl().is_software
    return Stage3D(document, selection, playback, None, preferences, is_software=software)


def make_stage(
    document: Document, selection: Selection, playback: Playback, preferences: Any = None
) -> Any:
    """A stage of its own for the model of a document; in space only where that can be drawn."""
    if document.shown.dim == 3 and opengl().works:
        return make_space_stage(document, selection, playback, preferences)
    return StageView(document, selection, playback, None, preferences)


class FailurePage(QWidget):
    """Says why space cannot be drawn, and what can be done."""

    outline_wanted = Signal()

    def __init__(self, found: OpenGL, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        title = QLabel(self.tr("Space cannot be drawn on this computer."))
        title.setProperty("role", "title")
        self.reason = QLabel(
            self.tr(
                "{0} The stage in space needs OpenGL 3.2: install or repair the graphics driver "
                "(on Linux the packages libgl1 and libegl1), then start Kardan again. Everything "
                "else works: the tree, the forms, runs, plots and tables."
            ).format(found.reason)
        )
        self.reason.setWordWrap(True)
        self.reason.setMaximumWidth(520)
        button = QPushButton(self.tr("Show the outline from the front"))
        button.clicked.connect(self.outline_wanted)
        column = QVBoxLayout(self)
        column.addStretch(1)
        for widget in (title, self.reason, button):
            column.addWidget(widget, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)
        column.setSpacing(14)
