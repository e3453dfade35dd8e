"""The stage: a view of a planar model that is drawn, picked, played and rendered here."""

from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtWidgets import QWidget

from engine.model.elements import Id, Model
from gui.look.theme import theme_of
from gui.placing.plane.picks import Pick, pick_at
from gui.placing.plane.placement import between_frames
from gui.placing.plane.snapping import Snap, anchors, grid_step, snap
from gui.stages.plane import rendering
from gui.stages.plane.arrows import Arrows
from gui.stages.plane.canvas import StageCanvas
from gui.stages.plane.choice_list import ChoiceList
from gui.stages.plane.foreground import Foreground
from gui.stages.plane.ghosts import Ghosts
from gui.stages.plane.trails import Trails
from gui.state.document import Document
from gui.state.playback import Playback
from gui.state.selection import Selection
from gui.tools.plane.select import SelectTool
from gui.tools.tool_holder import ToolHolder

FAR = Qt.KeyboardModifier.ControlModifier
HELD = {  # what these keys mean while they are down; an event may tell of them too late
    Qt.Key.Key_Shift: Qt.KeyboardModifier.ShiftModifier,
    Qt.Key.Key_Control: Qt.KeyboardModifier.ControlModifier,
    Qt.Key.Key_Alt: Qt.KeyboardModifier.AltModifier,
}
render_model = rendering.render_model


class StageView(ToolHolder, StageCanvas):
    """The stage of planar models: navigation, picking, tools, playback and what is laid over it."""

    tool_changed = Signal(object)
    hint_changed = Signal(str)
    context_menu_requested = Signal(object, QPoint)  # ids, global place
    edit_requested = Signal(str)  # an element was double-clicked
    complained = Signal(str)  # a sentence: a gesture could not be done
    pull_started = Signal(str, object, object)  # live mode: body, point in it, target
    pull_moved = Signal(object)
    pull_ended = Signal()
    pointer_moved = Signal(float, float)  # where the mouse is [m]

    def __init__(
        self,
        document: Document,
        selection: Selection,
        playback: Playback,
        parent: QWidget | None = None,
        preferences: Any = None,
    ) -> None:
        super().__init__(parent)
        self.document, self.selection, self.playback = document, selection, playback
        self.preferences = preferences
        self.is_live = False
        self.is_asleep = False  # another stage is shown
        self.snaps = True
        self.trails = Trails(self.stage_scene)
        self.ghosts = Ghosts(self.stage_scene)
        self.arrows = Arrows()
        self.foreground = Foreground(self)
        self.choice_list = ChoiceList(self)
        self._pan_from: QPointF | None = None
        self._mouse = QPointF(-1.0, -1.0)
        self._snapped = Snap(0.0, 0.0)
        self._anchors: list | None = None
        self._opened: Model | None = None
        self.take_up(SelectTool(document, selection, preferences, self))
        self._connect()
        self.join_tool(self._tool)
        self.zoomed.connect(self.tell_tool)
        self.stage_scene.show_model(document.shown)
        self._show_background()
        self.fit()

    def _connect(self) -> None:
        """Follow document, selection and playback."""
        self.document.changed.connect(self._show_model)
        self.document.file_changed.connect(self._fit_if_opened)
        self.selection.changed.connect(self._show_selection)
        self.selection.hover_changed.connect(self._show_selection)
        self.playback.time_changed.connect(lambda _: self.show_pose())
        self.playback.run_changed.connect(self._show_run)
        self.playback.frames_grew.connect(self._frames_grew)

    # --- tools

    def set_tool_cursor(self, cursor: Qt.CursorShape) -> None:
        """Let the mouse look as the tool wants; changes the stage."""
        self.viewport().setCursor(cursor)

    def tool_showed(self) -> None:
        """Draw what the tool shows, and say its hint."""
        self.hint_changed.emit(self._tool.hint)
        self._show_selection()
        self.choice_list.show_choices(self._tool)
        self.viewport().update()

    def pick(self, at: QPointF, *, snapping: bool = True, without: Iterable[Id] = ()) -> Pick:
        """What is at a place of the viewport, snapped unless told otherwise."""
        x, y = self.to_world(at)
        pixel, scene = self.scale_of_pixel(), self.stage_scene
        self._snapped = Snap(x, y)
        if snapping and self.snaps:
            if self._anchors is None or without:
                self._anchors = anchors(scene.placement, {*without, *scene.hidden})
            grid = grid_step(pixel) if self.has_grid else None
            self._snapped = snap(self._anchors, x, y, pixel, grid)
            if without:
                self._anchors = None
        return pick_at(scene.placement, x, y, pixel, self._snapped, scene.hidden)

    # --- what is shown

    def show_trails(self, shown: bool) -> None:
        """Draw the trails of tracers, or not."""
        self.trails.set_shown(shown)
        self._show_trails()

    def show_center_trails(self, shown: bool) -> None:
        """Draw the trails of all mass centres too, or not."""
        self.trails.of_centers = shown
        self._show_run()

    def show_arrows(self, kind: str, on: bool) -> None:
        """Draw arrows of 'reactions', 'velocities', 'accelerations' or 'forces', or not."""
        self.arrows.show(kind, on)
        self._show_arrows()

    @property
    def arrow_scale(self) -> float:
        """By how much arrows are longer than the scale the program finds."""
        return self.arrows.scale

    @arrow_scale.setter
    def arrow_scale(self, factor: float) -> None:
        """Make all arrows longer or shorter; changes the scale."""
        self.arrows.scale = float(factor)
        self._show_arrows()

    def set_hidden(self, ids: Iterable[Id]) -> None:
        """Hide exactly these elements."""
        self.stage_scene.set_hidden(ids)
        self._anchors = None

    def highlight(self, ids: Iterable[Id], kind: str = "problem") -> None:
        """Paint elements red and the rest faint; () clears."""
        self.stage_scene.set_problems(ids if kind == "problem" else ())
        self.viewport().update()

    def show_gap(self, marker_i: Id | None, marker_j: Id | None = None) -> None:
        """Draw the gap between two markers as a red dashed line with its length; None clears."""
        self.foreground.gap = None if marker_i is None or marker_j is None else (marker_i, marker_j)
        self.viewport().update()

    @property
    def hidden(self) -> frozenset[Id]:
        """The elements that are hidden."""
        return self.stage_scene.hidden

    def twin(self, document: Document, selection: Selection, playback: Playback) -> "StageView":
        """Another stage of the same kind for other data."""
        return type(self)(document, selection, playback, preferences=self.preferences)

    def look_as(self, other: "StageView") -> None:
        """See the same part of the plane as another stage; changes the camera."""
        self.camera.set_state(*other.camera.state)
        self.zoom(1.0)  # so that it is not fitted again
        self.show_names(other.foreground.all_names)

    def _show_model(self, _before: Model, after: Model) -> None:
        if self.is_asleep:
            return
        self.stage_scene.show_model(after)
        self._show_background()
        self._anchors = None
        self.show_pose()
        self._show_selection()

    def _show_background(self) -> None:
        """The picture of the model behind it; what is broken is told."""
        if sentence := self.background.show(self.document.shown.background):
            self.complained.emit(sentence)

    def set_asleep(self, asleep: bool) -> None:
        """Follow the clock no more, or take it up again; changes the stage."""
        if asleep != self.is_asleep:
            self.is_asleep = asleep
            if not asleep:
                self._show_model(self.document.shown, self.document.shown)
                self._show_run()

    def show_pose(self) -> None:
        """Put the drawing into the pose of the clock: of the run, or as designed."""
        if self.is_asleep:
            return
        scene, results = self.stage_scene, self.playback.results
        playing = results is not None and len(results) > 0 and results.model is self.document.shown
        if playing and results.model.dim == 3:
            scene.show_shadow(results.compiled, results.q[self.playback.frame()])
        elif self.document.shown.dim == 3:
            scene.show_model(self.document.shown)
        elif playing:
            row = between_frames(self.playback.time, results.t, results.q, results.v)
            frames = scene.placement.frames_of_row(results.compiled, row)
            scene.put(frames, self.playback.time)
        elif scene.placement.frames is not scene.placement.drawn:
            scene.put(scene.placement.drawn)
        self._anchors = None
        self.ghosts.put(self.playback.time)
        self._show_trails()
        self._show_arrows()

    def is_playing(self) -> bool:
        """Whether a pose of a run is shown, not the design pose; of a spatial model always."""
        if self.document.shown.dim == 3:
            return True
        return self.stage_scene.placement.frames is not self.stage_scene.placement.drawn

    def is_spatial(self) -> bool:
        """Whether the shadow of a spatial model is shown."""
        return self.document.shown.dim == 3

    def _show_run(self) -> None:
        """Another run is current: its trails, arrows and ghosts."""
        if self.is_asleep:
            return
        self.trails.follow(self.playback, self.document.shown)
        self.ghosts.show(self.playback, self.stage_scene.inks)
        self.arrows.forget()
        self.show_pose()
        self._stay_fitted()

    def _frames_grew(self) -> None:
        if self.is_asleep:
            return
        self.trails.grow()
        self._show_trails()
        self._stay_fitted()
        self.viewport().update()

    def _stay_fitted(self) -> None:
        """Widen the view where a run leaves it, unless the user chose what is seen."""
        if self.is_fitted and self.playback.current is not None and not self.is_live:
            seen = QRectF(
                QPointF(*self.to_world(self.rect().bottomLeft())),
                QPointF(*self.to_world(self.rect().topRight())),
            )
            if not seen.contains(self.drawn_rect()):
                self.fit()

    def _show_trails(self) -> None:
        self.trails.show(self.playback.time)
        self.viewport().update()

    def _show_arrows(self) -> None:
        self.arrows.update(self.playback, self.document, self.stage_scene.placement)
        self.viewport().update()

    def _show_selection(self) -> None:
        self.stage_scene.set_glows(self.glows())
        self.viewport().update()

    def drawn_rect(self) -> QRectF:
        """The rectangle around the drawing, its background picture and the run that is shown."""
        rect = super().drawn_rect()
        return rect if self.is_spatial() else rect.united(self.trails.reach(rect))

    def _fit_if_opened(self) -> None:
        """Fit a model that was just opened or made anew."""
        fresh = self.document.undo_stack.count() == 0 and self.document.model is not self._opened
        if fresh:
            self._opened = self.document.model
            self.fit()

    # --- events

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "stage_scene"):
            theme = theme_of(self.palette())
            if theme is not self.stage_scene.inks.theme:
                self.stage_scene.set_theme(theme)
                self._show_run()

    def mousePressEvent(self, event: Any) -> None:
        """Give the left button to the tool, pan with the middle one, ask for a menu with the right."""
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        if event.button() == Qt.MouseButton.MiddleButton:
            self._pan_from = event.position()
            self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
        elif event.button() == Qt.MouseButton.LeftButton:
            self._tool.press(self._pick_for_tool(event), event.modifiers())
        event.accept()

    def mouseDoubleClickEvent(self, event: Any) -> None:
        """Give a double click of the left button to the tool."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._tool.double_click(self._pick_for_tool(event), event.modifiers())
        event.accept()

    def mouseMoveEvent(self, event: Any) -> None:
        """Pan, or tell the tool where the mouse is."""
        self._mouse = event.position()
        if self._pan_from is not None:
            moved = event.position() - self._pan_from
            self._pan_from = event.position()
            pixel = self.scale_of_pixel()
            self.camera.pan(-moved.x() * pixel, moved.y() * pixel)
            self.is_fitted = False
            self._apply_camera()
        else:
            pick = self._pick_for_tool(event)
            if not event.buttons():
                self.selection.hover(pick.element)
            self._tool.move(pick, event.modifiers())
            self.viewport().update()
        self.pointer_moved.emit(*self.to_world(event.position()))
        event.accept()

    def mouseReleaseEvent(self, event: Any) -> None:
        """End of a gesture."""
        if event.button() == Qt.MouseButton.MiddleButton:
            self._pan_from = None
            self.viewport().setCursor(self._tool.cursor)
        elif event.button() == Qt.MouseButton.LeftButton:
            self._tool.release(self._pick_for_tool(event), event.modifiers())
            self.viewport().update()
        event.accept()

    def contextMenuEvent(self, event: Any) -> None:
        """Select what is under the mouse, and ask for its menu."""
        pick = self.pick(QPointF(event.pos()), snapping=False)
        if pick.element and pick.element not in self.selection.ids:
            self.selection.set((pick.element,))
        elif not pick.element:
            self.selection.clear()
        self.context_menu_requested.emit(self.selection.ids, event.globalPos())
        event.accept()

    def leaveEvent(self, event: Any) -> None:
        """Nothing is hovered outside."""
        self.selection.hover("")
        self._mouse = QPointF(-1.0, -1.0)
        self._snapped = Snap(0.0, 0.0)
        self.viewport().update()
        super().leaveEvent(event)

    def event(self, event: QEvent) -> bool:
        """Let the tool have keys that it wants before shortcuts of the window take them."""
        if event.type() == QEvent.Type.ShortcutOverride and self._is_for_tool(event):
            event.accept()
            return True
        return super().event(event)

    def _is_for_tool(self, event: Any) -> bool:
        """Whether a key belongs to the tool; Alt while one draws, or the menu bar would take it."""
        if event.key() == Qt.Key.Key_Alt and self.tool is not None:
            return True
        return self._tool.wants_key(event.key(), event.text(), event.modifiers())

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes to the tool where it wants it, else to the next panel."""
        key = Qt.Key.Key_Tab if forward else Qt.Key.Key_Backtab
        if self._tool.wants_key(key, "\t", Qt.KeyboardModifier.NoModifier):
            return False
        return super().focusNextPrevChild(forward)

    def keyPressEvent(self, event: Any) -> None:
        """Keys for the tool; Escape gives up; 0 fits; Shift, Ctrl and Alt change the preview."""
        self._tool.pixel = self.scale_of_pixel()
        if event.key() in HELD:
            self._show_held(event.modifiers() | HELD[event.key()])
            event.ignore()
            return
        if event.key() == Qt.Key.Key_Escape:
            if not self._tool.cancel():
                self.set_tool(None)
        elif self._tool.key(event.key(), event.text(), event.modifiers()):
            pass
        elif event.key() == Qt.Key.Key_0 and not event.modifiers() & FAR:
            self.fit(smoothly=True)
        else:
            event.ignore()
            return
        event.accept()
        self.viewport().update()

    def keyReleaseEvent(self, event: Any) -> None:
        """Without Shift, Ctrl or Alt the tool would do something else again."""
        if event.key() in HELD and not event.isAutoRepeat():
            self._show_held(event.modifiers() & ~HELD[event.key()])
        event.ignore()

    def _show_held(self, held: Qt.KeyboardModifier) -> None:
        """Let the tool show what it would do where the mouse is while these keys are held."""
        if self._mouse.x() >= 0.0 and self._pan_from is None:
            self._tool.move(self._pick_held(self._mouse, held), held)
            self.viewport().update()

    def _pick_for_tool(self, event: Any) -> Pick:
        """The pick at a mouse event."""
        return self._pick_held(event.position(), event.modifiers())

    def _pick_held(self, at: QPointF, held: Qt.KeyboardModifier) -> Pick:
        """The pick at a place; Ctrl switches snapping off."""
        self._tool.pixel = self.scale_of_pixel()
        free = bool(held & FAR) or not getattr(self._tool, "snaps", True)
        without = getattr(self._tool, "dragged_ids", ())
        return self.pick(at, snapping=not free, without=without)

    @property
    def snapped(self) -> Snap:
        """Where the mouse snapped to last."""
        return self._snapped

    def shows_snap(self) -> bool:
        """Whether the ring at the snapped place is of use now."""
        return self._mouse.x() >= 0.0 and getattr(self._tool, "snaps", True)
