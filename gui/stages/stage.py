"""What the stage in the plane and the stage in space have in common."""

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, Qt

from engine.model.elements import Id, Model
from engine.model.views import Camera
from gui.look.theme import theme_of
from gui.stages.arrows import Arrows
from gui.stages.ghosts import Ghosts
from gui.stages.labels import Labels
from gui.stages.looks import Looks
from gui.stages.trails import Trails
from gui.state.document import Document
from gui.state.playback import Playback
from gui.state.selection import Selection
from gui.tools.tool_holder import ToolHolder


class LaidOver(Protocol):
    """What a stage paints over its drawing, as far as both stages share it."""

    all_names: bool
    gap: tuple[Id, Id] | None


class Stage(ToolHolder):
    """Follows the document, the selection and the clock; mixed in before the canvas of a stage.

    A stage makes `trails`, `ghosts`, `arrows` and `laid_over` and draws in the methods that raise here.
    """

    dim: int  # of the models that are drawn here; one in space also shows planar ones
    document: Document
    selection: Selection
    playback: Playback
    preferences: Any
    trails: Trails
    ghosts: Ghosts
    arrows: Arrows
    laid_over: LaidOver
    labels: Labels
    is_live = False  # the mouse pulls bodies
    is_asleep = False  # another stage is shown
    is_fitted: bool
    fit: Callable[..., None]  # of the canvas: show the whole model
    snaps = True
    page_marks: Callable[..., None] | None = None  # what a page paints over the drawing
    _opened: Model | None = None
    _followed: Id | None = None  # the body that the view moves with
    _seen_at: tuple[float, ...] | None = None  # where it was

    def hold(
        self, document: Document, selection: Selection, playback: Playback, preferences: Any
    ) -> None:
        """Keep the shared objects of the window; changes the stage."""
        self.document, self.selection, self.playback = document, selection, playback
        self.preferences = preferences

    def follow(self) -> None:
        """Follow document, selection and playback; changes the stage."""
        self.document.changed.connect(self.show_model)
        self.document.file_changed.connect(self.fit_if_opened)
        self.selection.changed.connect(self.show_selection)
        self.selection.hover_changed.connect(self.show_selection)
        self.playback.time_changed.connect(self.show_time)
        self.playback.run_changed.connect(self.show_run)
        self.playback.frames_grew.connect(self.show_growth)
        self.playback.playing_changed.connect(self.redraw)

    # --- different in each stage

    @property
    def drawing(self) -> Any:
        """The scene: its `inks`, its `placement`, and the looks of its graphics."""
        raise NotImplementedError

    def redraw(self) -> None:
        """Draw again soon; changes the picture."""
        raise NotImplementedError

    def show_model(self, before: Model, after: Model) -> None:
        """Draw a model that has changed; changes the scene."""
        raise NotImplementedError

    def show_pose(self) -> None:
        """Put the drawing into the pose of the clock: of the run, or as designed; changes it."""
        raise NotImplementedError

    def show_selection(self) -> None:
        """Highlight hovered, selected and participating elements; changes the scene."""
        raise NotImplementedError

    def run_leaves_view(self) -> bool:
        """Whether a part of the drawing or of the run is not seen."""
        raise NotImplementedError

    def pick(self, at: QPointF, *, snapping: bool = True, without: Iterable[Id] = ()) -> Any:
        """What is at a place of the widget, snapped unless told otherwise."""
        raise NotImplementedError

    def body_pixel(self, body: Id, point: tuple[float, float, float]) -> QPointF | None:
        """A point of a body in pixels of the widget; None where it is not seen."""
        raise NotImplementedError

    def place_at(self, at: QPointF, body: Id, side: int) -> tuple[float, ...]:
        """Where the mouse pulls an end (1 or -1 along x) of a link to, snapped."""
        raise NotImplementedError

    # --- the look

    def show_names(self, shown: bool) -> None:
        """Write all names beside their elements, or only those of what is selected."""
        self.laid_over.all_names = shown
        self.redraw()

    def show_trails(self, shown: bool) -> None:
        """Draw the trails of tracers, or not."""
        self.trails.set_shown(shown)
        self.show_trails_now()

    def show_center_trails(self, shown: bool) -> None:
        """Draw the trails of all mass centres too, or not."""
        self.trails.of_centers = shown
        self.show_run()

    def show_arrows(self, kind: str, on: bool) -> None:
        """Draw a kind of arrows, one of `arrows.kinds_known`, or not."""
        self.arrows.show(kind, on)
        self.show_arrows_now()

    @property
    def arrow_scale(self) -> float:
        """The factor on the arrow scale found by the program."""
        return self.arrows.scale

    @arrow_scale.setter
    def arrow_scale(self, factor: float) -> None:
        """Make all arrows longer or shorter; changes the scale."""
        self.arrows.scale = float(factor)
        self.show_arrows_now()

    @property
    def undrawn(self) -> tuple[Id, ...]:
        """The elements of the scene whose class it has no view for."""
        scene = self.drawing
        drawn = (e for e in scene.model if e.family != "parameter")
        return tuple(e.id for e in drawn if type(e) not in scene.view_table)

    @property
    def hidden(self) -> frozenset[Id]:
        """The elements that are hidden."""
        looks: Looks = self.drawing
        return looks.hidden

    def set_hidden(self, ids: Iterable[Id]) -> None:
        """Hide exactly these elements."""
        self.drawing.set_hidden(ids)
        self.ghosts.put(self.playback.time, self.hidden)
        self.redraw()

    def set_clear(self, ids: Iterable[Id]) -> None:
        """See through exactly these elements."""
        self.drawing.set_clear(ids)
        self.redraw()

    # --- the view moves

    def follow_body(self, id: Id | None) -> None:
        """Move the view with a body while a run is shown, or with none; changes the stage."""
        self._followed, self._seen_at = id, None
        self.keep_followed()

    def keep_followed(self) -> None:
        """Move the view as far as the followed body has moved; changes the view."""
        index = self.drawing.placement.body_index
        if self._followed is None or self._followed not in index:
            self._seen_at = None
            return
        now = tuple(self.drawing.placement.center_of(index[self._followed]))
        before, self._seen_at = self._seen_at, now
        if before is not None and before != now:
            self.carry(tuple(b - a for a, b in zip(before, now)))

    def carry(self, way: tuple[float, ...]) -> None:
        """Move the view by a way in the model; changes the view."""
        raise NotImplementedError

    def highlight(self, ids: Iterable[Id], kind: str = "problem") -> None:
        """Paint elements red and the rest faint; () clears."""
        self.drawing.set_problems(ids if kind == "problem" else ())
        self.redraw()

    def show_gap(self, marker_i: Id | None, marker_j: Id | None = None) -> None:
        """Draw the gap between two markers as a red dashed line with its length; None clears."""
        gap = None if marker_i is None or marker_j is None else (marker_i, marker_j)
        self.laid_over.gap = gap
        self.redraw()

    # --- the run

    def show_time(self, _time: float) -> None:
        """Follow the clock; a method, because a lambda would keep the stage alive. Changes the stage."""
        self.show_pose()

    def show_run(self) -> None:
        """Show the trails, arrows and ghosts of another run; changes the picture."""
        if self.is_asleep:
            return
        self.trails.follow(self.playback, self.document.shown)
        self.ghosts.show(self.playback, self.document.shown.dim)
        self.arrows.forget()
        self.show_pose()
        self.stay_fitted()

    def show_growth(self) -> None:
        """Show more of a growing run; changes the picture."""
        if self.is_asleep:
            return
        self.trails.grow()
        self.show_trails_now()
        self.stay_fitted()

    def stay_fitted(self) -> None:
        """Widen the view where a run leaves it, unless the user chose the view; changes the view."""
        if self.is_fitted and self.playback.current is not None and not self.is_live:
            if self.run_leaves_view():
                self.fit()

    def show_trails_now(self) -> None:
        """Draw the trails up to the time of the clock; changes the picture."""
        self.trails.show(self.playback.time)
        self.redraw()

    def show_arrows_now(self) -> None:
        """Draw the arrows of the pose that is shown; changes the picture."""
        self.arrows.update(self.playback, self.document, self.drawing.placement)
        self.redraw()

    def fit_if_opened(self) -> None:
        """Fit a model that was just opened or made; changes what is seen."""
        fresh = self.document.undo_stack.count() == 0 and self.document.model is not self._opened
        if fresh and not self.is_asleep:
            self._opened = self.document.model
            self.fit_opened()
            self._tell_undrawn()

    def fit_opened(self) -> None:
        """Show a model that was just opened as it was saved, or the whole of it; changes what is seen."""
        camera = self.document.model.view.camera
        self.fit()
        if camera is not None:
            self.look_by(camera)

    def camera_now(self) -> Camera | None:
        """From where the drawing is seen; None: the whole of it, as it was opened."""
        raise NotImplementedError

    def look_by(self, camera: Camera) -> None:
        """See the drawing from where it was saved; changes what is seen."""
        raise NotImplementedError

    def _tell_undrawn(self: Any) -> None:
        """Say which elements of a model that was opened cannot be seen."""
        if self.undrawn:
            names = ", ".join(f"'{self.drawing.model[id].label}'" for id in self.undrawn)
            self.complained.emit(
                QCoreApplication.translate(
                    "Stage", "No picture is known of {0}: it is not drawn, but takes part in runs."
                ).format(names)
            )

    # --- events

    def follow_theme(self: Any, event: QEvent) -> None:
        """Take the colours of another palette; changes the drawing."""
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "laid_over"):
            theme = theme_of(self.palette())
            if theme is not self.drawing.inks.theme:
                self.drawing.set_theme(theme)
                self.show_run()

    def tool_wants_tab(self, forward: bool) -> bool:
        """Pass Tab to the tool if it uses it, else move the focus to the next panel."""
        key = Qt.Key.Key_Tab if forward else Qt.Key.Key_Backtab
        return self._tool.wants_key(key, "\t", Qt.KeyboardModifier.NoModifier)

    def ask_for_menu(self: Any, at: QPointF, place: QPoint) -> None:
        """Select the element under the mouse, and open its menu at a place of the screen."""
        pick = self.pick(at, snapping=False)
        if pick.element and pick.element not in self.selection.ids:
            self.selection.set((pick.element,))
        elif not pick.element:
            self.selection.clear()
        self.context_menu_requested.emit(self.selection.ids, place)

    def pick_held(self, at: QPointF, held: Qt.KeyboardModifier) -> Any:
        """The pick at a place for the tool; Ctrl turns snapping off."""
        far = bool(held & Qt.KeyboardModifier.ControlModifier)
        free = far or not getattr(self._tool, "snaps", True)
        return self.pick(at, snapping=not free, without=getattr(self._tool, "dragged_ids", ()))
