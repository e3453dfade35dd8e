"""The stage: a view of a planar model that is drawn, picked, played and rendered here."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from engine.compiling.elastic.records import Elastic
from engine.model.elements import Id, Model, same_mechanism
from engine.model.views import Camera as Seen
from gui.placing.plane.bends import shaped
from gui.placing.plane.picks import Pick, extent, pick_at
from gui.placing.plane.snapping import Snap, anchors, grid_step, snap
from gui.stages.choice_list import ChoiceList
from gui.stages.labels import Labels
from gui.stages.plane import rendering
from gui.stages.plane.arrows import PlaneArrows
from gui.stages.plane.bending import Bending
from gui.stages.plane.canvas import EDGE, StageCanvas
from gui.stages.plane.foreground import Foreground
from gui.stages.plane.ghosts import PlaneGhosts
from gui.stages.plane.scene import StageScene
from gui.stages.plane.trails import PlaneTrails
from gui.stages.pressing import Pressing
from gui.stages.stage import Stage
from gui.state.document import Document
from gui.state.playback import Playback
from gui.state.selection import Selection
from gui.tools.plane.select import SelectTool

FAR = Qt.KeyboardModifier.ControlModifier
# The modifiers of these keys; an event may report them too late.
HELD: dict[int, Qt.KeyboardModifier] = {
    Qt.Key.Key_Shift: Qt.KeyboardModifier.ShiftModifier,
    Qt.Key.Key_Control: Qt.KeyboardModifier.ControlModifier,
    Qt.Key.Key_Alt: Qt.KeyboardModifier.AltModifier,
}
render_model = rendering.render_model


class StageView(Stage, StageCanvas):
    """The stage of planar models: navigation, picking, tools, playback and overlays."""

    dim = 2
    foreground: Foreground
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
        self.hold(document, selection, playback, preferences)
        self.trails = PlaneTrails(self.stage_scene)
        self.ghosts = PlaneGhosts(self.stage_scene)
        self.arrows = PlaneArrows()
        self.pressing = Pressing()
        self.bending = Bending(self)
        self.foreground = self.laid_over = Foreground(self)
        self.choice_list = ChoiceList(self)
        self.labels = Labels(self, self.viewport())
        self._pan_from: QPointF | None = None
        self._mouse = QPointF(-1.0, -1.0)
        self._snapped = Snap(0.0, 0.0)
        self._anchors: list | None = None
        self._opened = document.model
        self.take_up(SelectTool(document, selection, preferences, self))
        self.follow()
        self.join_tool(self._tool)
        self.zoomed.connect(self.tell_tool)
        self.stage_scene.show_model(document.shown)
        self._show_background()
        self.fit()

    @property
    def drawing(self) -> StageScene:
        """The scene of the plane."""
        return self.stage_scene

    def redraw(self) -> None:
        """Draw again soon; changes the picture."""
        self.viewport().update()

    # --- tools

    def set_tool_cursor(self, cursor: Qt.CursorShape) -> None:
        """Set the mouse cursor of the tool; changes the stage."""
        self.viewport().setCursor(cursor)

    def tool_showed(self) -> None:
        """Draw the preview of the tool, and show its hint."""
        self.hint_changed.emit(self._tool.hint)
        self.show_selection()
        self.choice_list.show_choices(self._tool)
        self.redraw()

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

    def body_pixel(self, body: Id, point: tuple[float, float, float]) -> QPointF | None:
        """A point of a body in pixels of the viewport."""
        placement = self.stage_scene.placement
        if body not in placement.body_index:
            return None
        return self.to_pixels(*placement.to_world(body, *point[:2]))

    def grips_of_tool(self) -> list[QRectF]:
        """Nothing: in the plane a tool is held by the drawing itself."""
        return []

    def angle_of(self, body: Id) -> float:
        """The angle of a body in the pose that is shown [rad]."""
        placement = self.stage_scene.placement
        return float(placement.pose.bodies[placement.body_index[body]][2])

    def place_at(self, at: QPointF, body: Id, side: int) -> tuple[float, ...]:
        """Where the mouse pulls an end of a link to, snapped."""
        return self.pick(at, without=(body,)).place

    # --- what is shown

    def set_hidden(self, ids: Iterable[Id]) -> None:
        """Hide exactly these elements."""
        super().set_hidden(ids)
        self._anchors = None

    def twin(self, document: Document, selection: Selection, playback: Playback) -> "StageView":
        """Another stage of the same kind for other data."""
        return type(self)(document, selection, playback, preferences=self.preferences)

    def magnify_beams(self, factor: float) -> None:
        """Draw beams bent by so much more; changes the stage."""
        self.bending.set_magnification(factor)

    def colour_beams(self, colouring: str) -> None:
        """Colour beams by something, or by nothing; changes the stage."""
        self.bending.set_colouring(colouring)

    def show_shape(
        self, id: Id | None, record: Elastic | None = None, nodal: np.ndarray | None = None
    ) -> None:
        """Bend a beam of the design by nodal coordinates, or straighten it again; changes the stage."""
        scene = self.stage_scene
        if self.is_asleep or self.document.shown.dim != 2:
            return
        bends = {} if id is None or record is None or nodal is None else {id: shaped(record, nodal)}
        scene.put(scene.placement.drawn, 0.0, bends)
        if not bends:
            self.show_pose()
        self.viewport().update()

    def look_as(self, other: "StageView") -> None:
        """See the same part of the plane as another stage; changes the camera."""
        self.camera.set_state(*other.camera.state)
        self.zoom(1.0)  # so that it is not fitted again
        self.show_names(other.foreground.all_names)
        self.bending.take(other.bending)

    def show_model(self, before: Model, after: Model) -> None:
        """Draw a model that has changed; changes the scene."""
        if self.is_asleep:
            return
        self.stage_scene.show_model(after)
        self._show_background()
        self._anchors = None
        self.show_pose()
        self.show_selection()

    def _show_background(self) -> None:
        """Show the background picture of the model; a broken one is reported."""
        if sentence := self.background.show(self.document.shown.background):
            self.complained.emit(sentence)

    def set_asleep(self, asleep: bool) -> None:
        """Stop following the clock, or resume; changes the stage."""
        if asleep != self.is_asleep:
            self.is_asleep = asleep
            if not asleep:
                self.show_model(self.document.shown, self.document.shown)
                self.show_run()
                self.fit_if_opened()

    def render_svg(self, path: str) -> None:
        """Write what is seen now as SVG."""
        rendering.write_svg(self, path, self.document.shown.name or "Kardan")

    def show_pose(self) -> None:
        """Put the drawing into the pose of the clock: of the run, or as designed; changes it."""
        if self.is_asleep:
            return
        scene, results = self.stage_scene, self.playback.results
        if results is not None and not (
            len(results) and same_mechanism(results.model, self.document.shown)
        ):
            results = None  # the drawing is shown, not a frame
        if results is not None and results.model.dim == 3:
            scene.show_shadow(results.compiled, results.q[self.playback.frame()])
        elif self.document.shown.dim == 3:
            scene.show_model(self.document.shown)
        elif results is not None:
            time = self.playback.time
            frames = scene.placement.frames_of(results, time)
            scene.put(frames, time, self.bending.at(scene.placement, results, time))
        elif scene.placement.frames is not scene.placement.drawn:
            scene.put(scene.placement.drawn)
        scene.set_pressed(self.pressing.bodies(results, self.playback.time))
        self._anchors = None
        self.keep_followed()
        self.ghosts.put(self.playback.time, self.hidden)
        self.show_trails_now()
        self.show_arrows_now()

    def carry(self, way: tuple[float, ...]) -> None:
        """Move the view by a way in the model; changes the camera."""
        self.camera.pan(*way)
        self.is_fitted = False
        self._apply_camera()

    def camera_now(self) -> Seen | None:
        """The middle of the view and its height; None while the whole drawing is shown."""
        if self.is_fitted:
            return None
        x, y, scale = self.camera.state
        return Seen(focus=(x, y), height=max(self.viewport().height(), 1) / scale)

    def look_by(self, camera: Seen) -> None:
        """See the part of the plane that was saved; changes the camera."""
        if camera.height is not None:
            scale = max(self.viewport().height(), 1) / float(camera.height)
            self.camera.set_state(float(camera.focus[0]), float(camera.focus[1]), scale)
            self.zoom(1.0)  # so that it is not fitted again

    def fit_to(self, ids: Iterable[Id]) -> None:
        """Show some elements as large as they fit; changes the zoom."""
        model, placement = self.stage_scene.model, self.stage_scene.placement
        points = [p for id in ids if id in model for p in extent(placement, model[id])]
        if points:
            low, high = np.min(points, axis=0), np.max(points, axis=0)
            self.glide_to_rect(QRectF(*low, *(high - low)))

    def is_playing(self) -> bool:
        """Whether a pose of a run is shown, not the design pose; of a spatial model always."""
        if self.document.shown.dim == 3:
            return True
        return self.stage_scene.placement.frames is not self.stage_scene.placement.drawn

    def is_spatial(self) -> bool:
        """Whether the projection of a spatial model is shown."""
        return self.document.shown.dim == 3

    def run_leaves_view(self) -> bool:
        """Whether a part of the drawing or of the run is not seen, or lies at the very edge."""
        return not self.sees(self.drawn_rect(), EDGE)

    def set_page_marks(self, marks: Callable[..., None] | None) -> None:
        """Let a page paint over the drawing, instead of names and values; changes the stage."""
        self.page_marks = marks
        self.redraw()

    def show_selection(self) -> None:
        """Highlight hovered, selected and participating elements; changes the scene."""
        self.stage_scene.set_glows(self.glows())
        self.redraw()

    def drawn_rect(self) -> QRectF:
        """The rectangle around the drawing, its background picture and the run that is shown."""
        rect = super().drawn_rect()
        corners = rect.topLeft(), rect.bottomRight()
        low, high = (np.array([*corner.toTuple(), 0.0]) for corner in corners)
        places = self.trails.reach(low, high, self.stage_scene.outline)
        if not len(places):
            return rect
        first, last = places[:, :2].min(axis=0), places[:, :2].max(axis=0)
        return rect.united(QRectF(*first, *(last - first)))

    # --- events

    def mousePressEvent(self, event: Any) -> None:
        """Give the left button to the tool, pan with the middle one, ask for a menu with the right."""
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        if event.button() == Qt.MouseButton.MiddleButton:
            self._pan_from = event.position()
            self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
        elif event.button() == Qt.MouseButton.LeftButton:
            self._pressed_with = self._tool
            self._tool.press(self._pick_for_tool(event), event.modifiers())
        event.accept()

    def mouseDoubleClickEvent(self, event: Any) -> None:
        """Give a double click of the left button to the tool, unless a press came to another one before."""
        if self.is_first_press():
            self.mousePressEvent(event)
            return
        if event.button() == Qt.MouseButton.LeftButton:
            self._tool.double_click(self._pick_for_tool(event), event.modifiers())
        event.accept()

    def mouseMoveEvent(self, event: Any) -> None:
        """Pan, or pass the mouse to the tool."""
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
            self.redraw()
        self.pointer_moved.emit(*self.to_world(event.position()))
        event.accept()

    def mouseReleaseEvent(self, event: Any) -> None:
        """End of a gesture."""
        if event.button() == Qt.MouseButton.MiddleButton:
            self._pan_from = None
            self.viewport().setCursor(self._tool.cursor)
        elif event.button() == Qt.MouseButton.LeftButton:
            self._tool.release(self._pick_for_tool(event), event.modifiers())
            self.redraw()
        event.accept()

    def contextMenuEvent(self, event: Any) -> None:
        """Select what is under the mouse, and ask for its menu."""
        self.ask_for_menu(QPointF(event.pos()), event.globalPos())
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is hovered outside."""
        self.selection.hover("")
        self._mouse = QPointF(-1.0, -1.0)
        self._snapped = Snap(0.0, 0.0)
        self.redraw()
        super().leaveEvent(event)

    def event(self, event: QEvent) -> bool:
        """Let the tool have keys that it wants before shortcuts of the window take them."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            if self._is_for_tool(event):
                event.accept()
                return True
        return super().event(event)

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        self.follow_theme(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Pass Tab to the tool if it uses it, else move the focus to the next panel."""
        return not self.tool_wants_tab(forward) and super().focusNextPrevChild(forward)

    def _is_for_tool(self, event: QKeyEvent) -> bool:
        """Whether a key belongs to the tool; Alt too while drawing, or the menu bar would take it."""
        if event.key() == Qt.Key.Key_Alt and self.tool is not None:
            return True
        return self._tool.wants_key(event.key(), event.text(), event.modifiers())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys for the tool; Escape cancels; 0 fits; Shift, Ctrl and Alt change the preview."""
        self._tool.pixel = self.scale_of_pixel()
        if event.key() in HELD:
            self._show_held(event.modifiers() | HELD[event.key()])
            event.ignore()
            return
        if event.key() == Qt.Key.Key_Escape:
            self.let_go()
        elif self._tool.key(event.key(), event.text(), event.modifiers()):
            pass
        elif event.key() == Qt.Key.Key_0 and not event.modifiers() & FAR:
            self.fit(smoothly=True)
        else:
            event.ignore()
            return
        event.accept()
        self.redraw()

    def keyReleaseEvent(self, event: Any) -> None:
        """Releasing Shift, Ctrl or Alt changes what the tool would do."""
        if event.key() in HELD and not event.isAutoRepeat():
            self._show_held(event.modifiers() & ~HELD[event.key()])
        event.ignore()

    def _show_held(self, held: Qt.KeyboardModifier) -> None:
        """Let the tool show what it would do where the mouse is while these keys are held."""
        if self._mouse.x() >= 0.0 and self._pan_from is None:
            self._tool.move(self.pick_held(self._mouse, held), held)
            self.redraw()

    def _pick_for_tool(self, event: Any) -> Pick:
        """The pick at a mouse event."""
        return self.pick_held(event.position(), event.modifiers())

    def pick_held(self, at: QPointF, held: Qt.KeyboardModifier) -> Pick:
        """The pick at a place for the tool, which also receives the pixel size."""
        self._tool.pixel = self.scale_of_pixel()
        return super().pick_held(at, held)

    @property
    def snapped(self) -> Snap:
        """Where the mouse last snapped to."""
        return self._snapped

    def shows_snap(self) -> bool:
        """Whether the ring at the snapped place is of use now."""
        return self._mouse.x() >= 0.0 and getattr(self._tool, "snaps", True)
