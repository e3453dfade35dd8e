"""Interaction on the stage in space: tools, mouse and keys."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent
from PySide6.QtWidgets import QToolTip, QWidget
from vtkmodules.vtkRenderingCore import vtkActor

from engine.model.elements import Id
from gui.placing.space.picking import Screen, in_box
from gui.placing.space.picks import Ray, SpacePick, Vec3
from gui.placing.space.snapping import pick as pick_in_space
from gui.placing.space.snapping import vec
from gui.stages.choice_list import ChoiceList
from gui.stages.space import cube
from gui.stages.space.arrows import SpaceArrows
from gui.stages.space.ghosts import SpaceGhosts
from gui.stages.space.gizmo import handle_at
from gui.stages.space.graphics.preview import PreviewSolids
from gui.stages.space.navigation import SpaceCanvas
from gui.stages.space.trails import SpaceTrails
from gui.stages.stage import Stage
from gui.state.document import Document
from gui.state.playback import Playback
from gui.state.selection import Selection
from gui.tools.space.select import SelectTool3D

FAR = Qt.KeyboardModifier.ControlModifier
SLACK = 4.0  # pixels the mouse may move before a right click becomes a rotation
KEYS: dict[int, str] = {
    Qt.Key.Key_1: "front",
    Qt.Key.Key_2: "top",
    Qt.Key.Key_3: "right",
    Qt.Key.Key_4: "home",
}
NEAR = 4.0  # pixels beside a body at which a joint is still meant on it
BESIDE = [QPointF(NEAR * x, NEAR * y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]


class HandledCanvas(Stage, SpaceCanvas):
    """Passes the mouse and the keys to the tool, or to the camera.

    The left button belongs to the tool, unless the tool declines the place: then it turns the view. The
    right button always turns it, the middle one moves it, the wheel zooms; a right click asks for the menu.
    While things are selected, Ctrl and the left button draw a box around more of them.
    """

    tool_changed = Signal(object)
    hint_changed = Signal(str)
    context_menu_requested = Signal(object, QPoint)  # ids, global place
    edit_requested = Signal(str)  # an element was double-clicked
    complained = Signal(str)  # a sentence: a gesture could not be done
    pull_started = Signal(str, object, object)  # live mode: body, point in it, target
    pull_moved = Signal(object)
    pull_ended = Signal()
    rings_wanted = Signal(str)  # the badge of a body near gimbal lock was clicked
    trails: SpaceTrails
    ghosts: SpaceGhosts
    arrows: SpaceArrows

    def __init__(
        self,
        document: Document,
        selection: Selection,
        playback: Playback,
        parent: QWidget | None = None,
        preferences: Any = None,
        *,
        is_software: bool = True,
    ) -> None:
        super().__init__(parent, is_software=is_software)
        self.hold(document, selection, playback, preferences)
        self.preview_solids = PreviewSolids(self.renderer)
        self.choice_list = ChoiceList(self)
        self.last_pick: SpacePick | None = None
        self.hovered_handle = ""
        self.hovered_face = ""
        self._turned_from: QPointF | None = None  # where the right button went down
        self._has_press = False  # the tool had the left button
        self._beside: QPointF | None = None  # where it went down beside the model
        self.band: tuple[QPointF, QPointF] | None = None  # corners of a box of selection
        self.take_up(SelectTool3D(document, selection, preferences, self))
        self.zoomed.connect(self.tell_tool)

    def show_selection(self) -> None:
        """Highlight hovered, selected and participating elements; changes the scene."""
        glows = self.glows()
        if glows != self.scene.glows:
            self.scene.set_glows(glows)
            self.refresh()

    # --- tools

    def set_tool_cursor(self, cursor: Qt.CursorShape) -> None:
        """Set the mouse cursor of the tool; changes the stage."""
        self.setCursor(cursor)

    def tool_showed(self) -> None:
        """Draw the preview of the tool, and show its hint."""
        self.hint_changed.emit(self._tool.hint)
        self.show_selection()
        if self.preview_solids.show(getattr(self._tool.preview, "solids", ()), self.scene.inks):
            self.refresh()
        self.choice_list.show_choices(self._tool)
        self.update()

    def drawn_beside(self) -> list[vtkActor]:
        """What is seen beside the model: ghosts, trails, and what the tool would make."""
        return [*super().drawn_beside(), *self.preview_solids.actors]

    def pick(self, at: QPointF, *, snapping: bool = True, without: Iterable[Id] = ()) -> SpacePick:
        """What is at a place of the widget, snapped unless told otherwise."""
        gizmo = getattr(self._tool.preview, "gizmo", None)
        handle = ""
        if gizmo is not None:
            handle = gizmo.active or handle_at(gizmo, self, at.x(), at.y())
        snapping = snapping and self.snaps
        found = self._picked(at, snapping, without)
        if snapping and not found.bodies and getattr(self._tool, "wants_body", False):
            around = (self._picked(at + step, snapping, without) for step in BESIDE)
            found = next((one for one in around if one.bodies), found)
        return found._replace(handle=handle)

    def _picked(self, at: QPointF, snapping: bool, without: Iterable[Id]) -> SpacePick:
        screen = Screen(self.scene, self, at.x(), at.y())
        return pick_in_space(screen, snapping=snapping, without=without)

    def across(self, ray: Ray, through: Vec3) -> Vec3:
        """Where a line of sight meets the plane through a place that faces the camera."""
        normal = self.eye.axes[2]
        o, d = np.array(ray.origin), np.array(ray.direction)
        slope = float(d @ normal)
        return vec(o + float((np.array(through) - o) @ normal) / slope * d) if slope else through

    def shows_snap(self) -> bool:
        """Whether the ring at the snapped place is of use now."""
        return bool(getattr(self._tool, "snaps", True)) and self._drag is None

    # --- events

    def mousePressEvent(self, event: Any) -> None:
        """Left is for the tool, or turns the view beside the model; right turns, middle moves it."""
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        button, at = event.button(), event.position()
        if button == Qt.MouseButton.MiddleButton:
            self.begin_drag("pan", at)
        elif button == Qt.MouseButton.RightButton:
            self._turned_from = at
        elif button == Qt.MouseButton.LeftButton:
            if face := cube.face_at(self.eye, QRectF(self.rect()), at):
                self.look_from(face)
            elif (badge := self.badge_at(at)) is not None:
                self.rings_wanted.emit(badge.id)
            else:
                self._press(event)
        event.accept()

    def _press(self, event: Any) -> None:
        self._pressed_with = self._tool
        pick = self._pick_for_tool(event)
        wants = getattr(self._tool, "wants_press", None)
        is_select = self._tool is self.select_tool
        if is_select and event.modifiers() & FAR and not pick.handle and not self.is_live:
            self.band = (event.position(), event.position())
            return
        wanted = wants(pick) if callable(wants) else not is_select or pick.element or pick.handle
        if wanted:
            self._has_press = True
            self._tool.press(pick, event.modifiers())
        else:
            if is_select and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self._beside = event.position()
            self.begin_drag("orbit", event.position())

    def mouseDoubleClickEvent(self, event: Any) -> None:
        """Give a double click of the left button to the tool, unless a press came to another one before."""
        if self.is_first_press():
            self.mousePressEvent(event)
            return
        if event.button() == Qt.MouseButton.LeftButton:
            self._tool.double_click(self._pick_for_tool(event), event.modifiers())
        event.accept()

    def mouseMoveEvent(self, event: Any) -> None:
        """Turn or move the view, or pass the mouse to the tool."""
        at = event.position()
        if self._drag is None and self._turned_from is not None:
            if (at - self._turned_from).manhattanLength() > SLACK:
                self.begin_drag("orbit", self._turned_from)
        if self.band is not None:
            self.band = (self.band[0], at)
            self.update()
        elif self._drag is not None:
            self.drag_on(at)
        else:
            self._hover(event)
        event.accept()

    def _hover(self, event: Any) -> None:
        """The mouse moves over the stage, with the left button up or down."""
        self.hovered_face = cube.face_at(self.eye, QRectF(self.rect()), event.position())
        pick = self._pick_for_tool(event)
        if not event.buttons():
            over = "" if pick.handle or self.hovered_face else pick.element
            self.selection.hover(over)
        self.hovered_handle = pick.handle
        self._tool.move(pick, event.modifiers())
        on_badge = not event.buttons() and self.badge_at(event.position()) is not None
        hand = Qt.CursorShape.PointingHandCursor
        self.setCursor(hand if on_badge else self._tool.cursor)
        self.update()

    def mouseReleaseEvent(self, event: Any) -> None:
        """End of a gesture; the right button without a rotation opens the menu."""
        right = event.button() == Qt.MouseButton.RightButton
        if right and self._drag is None and self._turned_from is not None:
            self.ask_for_menu(event.position(), event.globalPosition().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and self._has_press:
            self._has_press = False
            self._tool.release(self._pick_for_tool(event), event.modifiers())
        if event.button() == Qt.MouseButton.LeftButton:
            self._end_click(event)
        self._drag = None
        if right:
            self._turned_from = None
        self.setCursor(self._tool.cursor)
        self.update()
        event.accept()

    def _end_click(self, event: Any) -> None:
        """End a box, or a press beside the model: a rotation keeps the selection, a click clears it."""
        beside, self._beside = self._beside, None
        if beside is not None and (event.position() - beside).manhattanLength() <= SLACK:
            self.selection.clear()
        band, self.band = self.band, None
        if band is None:
            return
        if (band[1] - band[0]).manhattanLength() <= SLACK:
            if element := self.pick(event.position(), snapping=False).element:
                self.selection.toggle(element)
            return
        found = in_box(self.scene, self, QRectF(*band).normalized())
        adds = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        kept = self.selection.ids if adds else ()
        self.selection.set(tuple(dict.fromkeys((*kept, *found))))

    def badge_at(self, at: QPointF) -> Any:
        """The badge of a body near gimbal lock at a place of the widget; None beside them."""
        return self.overlay.locks.at(at) if self.overlay is not None else None

    def contextMenuEvent(self, event: Any) -> None:
        """The menu key; the mouse opens the menu when its right button goes up."""
        if event.reason() != event.Reason.Mouse:
            self.ask_for_menu(QPointF(event.pos()), event.globalPos())
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is hovered outside."""
        self.selection.hover("")
        self.last_pick, self.hovered_handle, self.hovered_face = None, "", ""
        self.update()
        super().leaveEvent(event)

    def event(self, event: QEvent) -> bool:
        """Let the tool have keys that it wants before shortcuts of the window take them."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            badge = self.badge_at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), "" if badge is None else badge.words, self)
            return True
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            if self._tool.wants_key(event.key(), event.text(), event.modifiers()):
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

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys for the tool; Escape cancels; 0 fits, 1 to 4 look from a side, 5 is parallel."""
        self._tool.pixel = self.scale_of_pixel()
        key, plain = event.key(), not event.modifiers() & FAR
        if key == Qt.Key.Key_Escape:
            if self.band is not None:
                self.band = None
            else:
                self.let_go()
        elif self._tool.key(key, event.text(), event.modifiers()):
            pass
        elif key == Qt.Key.Key_0 and plain:
            self.fit(smoothly=True)
        elif key in KEYS and plain:
            self.look_from(KEYS[key])
        elif key == Qt.Key.Key_5 and plain:
            self.set_parallel(not self.eye.is_parallel)
        else:
            event.ignore()
            return
        event.accept()
        self.update()

    def _pick_for_tool(self, event: Any) -> SpacePick:
        """The pick at a mouse event."""
        pick: SpacePick = self.pick_held(event.position(), event.modifiers())
        self._tool.pixel = pick.pixel
        self.last_pick = pick
        return pick
