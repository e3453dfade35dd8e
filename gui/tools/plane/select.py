"""The tool of selecting: click, Shift-click, box, and dragging with the joints kept closed."""

from math import hypot
from typing import Any, ClassVar

from PySide6.QtCore import QCoreApplication, Qt

from engine.errors import EngineError
from engine.model.elements import Id, Model
from gui.look.method_words import method_short, method_title
from gui.look.translation import QT_TRANSLATE_NOOP
from gui.placing.plane import picks
from gui.placing.plane.picks import Pick
from gui.placing.plane.snapping import anchors, grid_step, snap
from gui.tools.base import ALT, SHIFT, Label, Line, Modifiers, Point, Preview, Tool
from gui.tools.plane.drags import Drag, TurnDrag, drag_of, nudged

SLACK = 4.0  # pixels the mouse may move before a click becomes a drag
ARROWS = {
    Qt.Key.Key_Left: (-1.0, 0.0),
    Qt.Key.Key_Right: (1.0, 0.0),
    Qt.Key.Key_Up: (0.0, 1.0),
    Qt.Key.Key_Down: (0.0, -1.0),
}
FINER = 0.1  # of a nudge, with Shift


class SelectTool(Tool[Pick]):
    """What the mouse does while no other tool is chosen."""

    name: ClassVar[str] = "select"
    title: ClassVar[str] = QT_TRANSLATE_NOOP("Tool", "Select")
    letter: ClassVar[str] = "V"
    icon: ClassVar[str] = "select"
    help: ClassVar[str] = QT_TRANSLATE_NOOP("Tool", "Select and move things; joints stay closed.")
    cursor: ClassVar[Qt.CursorShape] = Qt.CursorShape.ArrowCursor
    stage: Any = None  # the StageView it works on: placement, live mode and signals

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._forget()

    def _forget(self) -> None:
        self.band: tuple[Point, Point] | None = None  # the box of a selection
        self.pull: tuple[Id, Point, Point] | None = None  # live mode: body, point in it, target
        self.drag: Drag | None = None
        self.dragged_ids: tuple[Id, ...] = ()  # what the mouse must not snap to
        self._pressed: Pick | None = None
        self._narrow: Id = ""  # what a click without a drag selects alone
        self._reshape = False
        self._is_refused = False

    # --- queries of the stage

    @property
    def snaps(self) -> bool:
        """Whether the stage snaps the mouse now: only if something is dragged by a point of its own."""
        return bool(self.dragged_ids)

    @property
    def is_busy(self) -> bool:
        """Whether Escape should cancel a gesture."""
        return self._pressed is not None or self.band is not None or super().is_busy

    def reset(self) -> None:
        """Discard the current gesture; changes the tool."""
        if getattr(self, "drag", None) is not None:
            self.document.preview(None)
        if getattr(self, "pull", None) is not None:
            self.stage.pull_ended.emit()
        self._forget()
        super().reset()

    def idle_hint(self) -> str:
        """The hint while there is no gesture."""
        if self.stage is not None and self.stage.is_live:
            words = self.tr("Live: drag a body to pull it on a spring.")
            return f"{words} {live_method(self.stage, self.model)}".strip()
        return self.tr(
            "Click selects, Shift adds. Drag moves. Alt+drag turns a body, or moves a joint on it."
        )

    # --- the mouse

    def press(self, pick: Pick, modifiers: Modifiers) -> None:
        """Select the element there, grab it, or begin a box."""
        if self.stage.is_live and pick.bodies and not modifiers & SHIFT:
            self._begin_pull(pick)
        elif not pick.element:
            if not modifiers & SHIFT:
                self.selection.clear()
            self.band = ((pick.x, pick.y), (pick.x, pick.y))
        elif modifiers & SHIFT:
            self.selection.toggle(pick.element)
        else:
            under = self._selected_under(pick)
            if under:
                self._narrow, pick = under, pick._replace(element=under)
            else:
                self.selection.set((pick.element,))
            self._pressed, self._reshape = pick, bool(modifiers & ALT)

    def move(self, pick: Pick, modifiers: Modifiers) -> None:
        """Stretch the box, pull, or drag."""
        if self.band is not None:
            self.band = (self.band[0], (pick.x, pick.y))
            self.changed.emit()
        elif self.pull is not None:
            self.pull = (*self.pull[:2], (pick.x, pick.y))
            self.stage.pull_moved.emit((pick.x, pick.y))
        elif self.drag is not None:
            self._follow(pick)
        elif self._pressed is not None and not self._is_refused:
            start = self._pressed
            if hypot(pick.x - start.x, pick.y - start.y) > SLACK * self.pixel:
                self._begin_drag(start)

    def release(self, pick: Pick, modifiers: Modifiers) -> None:
        """End the box, the pull or the drag; a click that did not drag selects one alone."""
        if self.band is not None:
            self._take_box(modifiers)
        elif self.drag is not None:
            self._end_drag(pick)
        elif self._narrow and not self._is_refused:
            self._take_one(pick)
        if self.pull is not None:
            self.stage.pull_ended.emit()
        self._forget()
        super().reset()

    def double_click(self, pick: Pick, modifiers: Modifiers) -> None:
        """Open the form of the element there."""
        if pick.element:
            self.selection.set((pick.element,))
            self.stage.edit_requested.emit(pick.element)

    # --- keys

    def wants_key(self, key: int, text: str, modifiers: Modifiers) -> bool:
        """Arrow keys, while something is selected and no run is shown."""
        plain = not modifiers & ~(SHIFT | Qt.KeyboardModifier.KeypadModifier)
        return key in ARROWS and plain and bool(self.selection.ids) and self._is_designing()

    def key(self, key: int, text: str, modifiers: Modifiers) -> bool:
        """Nudge the selection."""
        if not self.wants_key(key, text, modifiers):
            return False
        step = grid_step(self.pixel) * (FINER if modifiers & SHIFT else 1.0)
        way = ARROWS[Qt.Key(key)]
        placement = self.stage.stage_scene.placement
        try:
            chosen = tuple(id for id in self.selection.ids if id in self.model)
            shift = (step * way[0], step * way[1])
            self.commit(self.tr("Nudge"), nudged(self.model, placement, chosen, shift))
        except EngineError as error:
            self.complained.emit(error.sentence)
        return True

    def _selected_under(self, pick: Pick) -> Id:
        """The selected element at a place, which is not always the topmost there; or nothing."""
        if pick.element in self.selection.ids:
            return pick.element
        scene = self.stage.stage_scene
        here = picks.elements_at(scene.placement, pick.x, pick.y, self.pixel, scene.hidden)
        return next((id for id in here if id in self.selection.ids), "")

    # --- gestures

    def _is_designing(self) -> bool:
        """Whether the design pose is shown: no run, and not live."""
        flat = self.model.dim == 2
        return flat and self.stage.playback.current is None and not self.stage.is_live

    def _begin_pull(self, pick: Pick) -> None:
        """Live mode: attach a body to the mouse."""
        placement = self.stage.stage_scene.placement
        body = next((b for b in pick.bodies if not placement.is_fixed(b)), None)
        if body is None:
            return
        self.selection.set((body,))
        point = placement.to_body(body, pick.x, pick.y)
        self.pull = (body, point, (pick.x, pick.y))
        self.stage.pull_started.emit(body, point, (pick.x, pick.y))

    def _begin_drag(self, start: Pick) -> None:
        """Find the drag for this place, and say so if it is impossible."""
        if self.model.dim == 3:
            self._refuse(self.tr("A model in space is moved by its forms, not on this stage."))
            return
        playback = self.stage.playback
        if playback.current is not None and playback.time == 0.0 and not self.stage.is_live:
            playback.leave()  # the first frame is the design pose; the run stays as a ghost
        if self.stage.is_playing() or not self._is_designing():
            self._refuse(
                self.tr(
                    "This is a frame of a run. Go back to the start (Home) to move parts, or make "
                    "this frame the design pose."
                )
            )
            return
        placement = self.stage.stage_scene.placement
        chosen = tuple(id for id in self.selection.ids if id in self.model)
        start, is_exact = (start, False) if self._turns(start) else self._feature(start)
        try:
            drag = drag_of(self.model, placement, start, chosen, self.pixel, self._reshape)
        except EngineError as error:
            self._refuse(error.sentence)
            return
        if drag is None:
            self._is_refused = True
        elif drag.reason:
            self._refuse(drag.reason)
        else:
            self.drag = drag
            self.dragged_ids = drag.ids if is_exact else ()

    def _feature(self, start: Pick) -> tuple[Pick, bool]:
        """The grabbed point of a part: its nearest joint, corner or centre; and whether there is one."""
        near = anchors(self.stage.stage_scene.placement)
        found = snap(near, start.x, start.y, self.pixel)
        element = self.model[start.element]
        if found.kind in ("joint", "point", "center"):
            return start._replace(x=found.x, y=found.y), True
        return start, element.family != "body"

    def _turns(self, start: Pick) -> bool:
        """Whether Alt was held on a body: it will be turned, not moved."""
        return self._reshape and self.model[start.element].family == "body"

    def _refuse(self, sentence: str) -> None:
        self._is_refused = True
        self.complained.emit(sentence)

    def _follow(self, pick: Pick) -> None:
        """Show the model with the mouse here."""
        assert self.drag is not None
        try:
            model = self.drag.to(pick)
        except EngineError as error:
            self.show(Preview(labels=(Label((pick.x, pick.y), error.sentence),)))
            return
        self.document.preview(model)
        self.show(self._drag_preview(pick))

    def _drag_preview(self, pick: Pick) -> Preview:
        """How far the drag has gone."""
        assert self.drag is not None
        hint = self.tr("Joints stay closed. Ctrl: without snapping. Esc: as it was.")
        if isinstance(self.drag, TurnDrag):
            text = self.quantity(self.drag.angle, "rad")
            line = Line(self.drag.middle, (pick.x, pick.y), "dashed")
            return Preview(lines=(line,), labels=(Label((pick.x, pick.y), text),), hint=hint)
        dx, dy = pick.x - self.drag.start[0], pick.y - self.drag.start[1]
        text = f"{self.quantity(dx, 'm')}, {self.quantity(dy, 'm')}"
        return Preview(labels=(Label((pick.x, pick.y), text),), hint=hint)

    def _end_drag(self, pick: Pick) -> None:
        """Commit the drag as one undo step."""
        assert self.drag is not None
        drag, self.drag = self.drag, None
        try:
            model = drag.to(pick, last=True)
        except EngineError as error:
            self.document.preview(None)
            self.complained.emit(error.sentence)
            return
        self.commit(self.tr(drag.label), model)

    def _take_one(self, pick: Pick) -> None:
        """Select one element; if it was the only one already, the one below it."""
        chosen = self._narrow
        if self.selection.ids == (chosen,):
            scene = self.stage.stage_scene
            here = picks.elements_at(scene.placement, pick.x, pick.y, self.pixel, scene.hidden)
            if chosen in here:
                chosen = here[(here.index(chosen) + 1) % len(here)]
        self.selection.set((chosen,))

    def _take_box(self, modifiers: Modifiers) -> None:
        """Select what is in the box."""
        assert self.band is not None
        scene = self.stage.stage_scene
        found = picks.in_box(scene.placement, *self.band, scene.hidden)
        kept = self.selection.ids if modifiers & SHIFT else ()
        self.selection.set((*kept, *found))


def live_method(stage: Any, model: Model) -> str:
    """A note where live mode uses another method than runs."""
    record, wanted = stage.playback.current, model.settings.method
    if record is None or not record.is_live or record.results.settings.method == wanted:
        return ""
    used = method_short(record.results.settings.method)
    words = QCoreApplication.translate(
        "SelectTool", "Live mode uses {0} with fixed step; {1} is for runs."
    )
    return words.format(used, method_title(wanted))
