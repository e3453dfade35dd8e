"""The tool of selecting in space: click, Shift-click, handles, and dragging with the joints kept closed."""

from typing import Any, ClassVar

from PySide6.QtCore import Qt

from engine.errors import EngineError
from engine.model.elements import Id
from gui.look.translation import QT_TRANSLATE_NOOP
from gui.placing.plane.snapping import grid_step
from gui.placing.space.picks import Ray, SpacePick, Vec3
from gui.tools.base import SHIFT, Label, Modifiers
from gui.tools.plane.select import ARROWS, FINER, SLACK, live_method
from gui.tools.space import geometry as g
from gui.tools.space.base import EMPTY, Gizmo, Line3, SpacePreview, SpaceTool
from gui.tools.space.drags import HandleMove, HandleTurn, SpaceDrag, drag_of, gizmo_of, mover_of
from gui.tools.typed import ENTER, Entry

ASLANT = Ray((5.0, -5.0, 5.0), g.unit((-1.0, 1.0, -1.0)))  # before the mouse was seen


class SelectTool3D(SpaceTool):
    """What the mouse does while no other tool is chosen."""

    name: ClassVar[str] = "select"
    title: ClassVar[str] = QT_TRANSLATE_NOOP("Tool", "Select")
    letter: ClassVar[str] = "Esc"
    icon: ClassVar[str] = "select"
    help: ClassVar[str] = QT_TRANSLATE_NOOP(
        "Tool", "Select, move and turn things; joints stay closed."
    )
    cursor: ClassVar[Qt.CursorShape] = Qt.CursorShape.ArrowCursor

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._stage: Any = None
        self.entry = Entry((), self.preferences)
        self._ray = ASLANT
        self._forget()
        self.selection.changed.connect(self._rest)
        self.document.changed.connect(self._rest)

    def _forget(self) -> None:
        self.pull: tuple[Id, Vec3, Vec3] | None = None  # live mode: body, point in it, target
        self.drag: SpaceDrag | None = None
        self.dragged_ids: tuple[Id, ...] = ()  # what the mouse must not snap to
        self._pressed: SpacePick | None = None
        self._pulled_from: SpacePick | None = None
        self._on_nothing: SpacePick | None = None
        self._last: tuple[SpacePick, Modifiers] | None = None
        self._narrow: Id = ""  # what a click without a drag selects alone
        self._is_refused = False
        self.entry.clear()

    @property
    def stage(self) -> Any:
        """The stage it works on: playback, live mode and signals; None at first."""
        return self._stage

    @stage.setter
    def stage(self, stage: Any) -> None:
        """Attach to a stage and follow its clock, because a run hides the handles; changes the tool."""
        self._stage = stage
        stage.playback.time_changed.connect(self._rest)
        stage.playback.run_changed.connect(self._rest)

    # --- queries of the stage

    @property
    def snaps(self) -> bool:
        """Whether the stage snaps the mouse now."""
        return self.drag is not None and not self.drag.start.handle

    @property
    def is_busy(self) -> bool:
        """Whether Escape should cancel a gesture."""
        return self._pressed is not None or self.pull is not None or super().is_busy

    @property
    def gizmo(self) -> Gizmo | None:
        """The handles on the selection, where it can be moved now."""
        if self.stage is None or self.model.dim != 3 or not self._can_design():
            return None
        return gizmo_of(self.model, self.selection.ids)

    def start(self) -> None:
        """Become the active tool."""
        super().start()
        self._rest()

    def reset(self) -> None:
        """Discard the current gesture; changes the tool."""
        if getattr(self, "drag", None) is not None:
            self.drag = None
            self.document.preview(None)
        if getattr(self, "pull", None) is not None:
            self.stage.pull_ended.emit()
        self._forget()
        self.choices = ()
        self._rest()

    def cancel(self) -> bool:
        """Discard first the typed text, then the drag."""
        if self.drag is not None and self.entry.is_open:
            self.entry.clear()
            self._follow()
            return True
        return super().cancel()

    def idle_hint(self) -> str:
        """The hint while there is no gesture."""
        if self.stage is not None and self.stage.is_live:
            words = self.tr("Live: drag a body to pull it on a spring.")
            return f"{words} {live_method(self.stage, self.model)}".strip()
        if self.preview.gizmo is not None:
            return self.tr(
                "Drag an arrow, a plane or a ring, and type a number if you like. Shift+click adds."
            )
        return self.tr(
            "Click selects, Shift adds, Ctrl+drag: a box. Drag moves a body, beside it the view turns."
        )

    def _rest(self, *_: object) -> None:
        """Show the handles of the selection; changes what is shown."""
        if self.drag is None:
            gizmo = self.gizmo
            self.show(EMPTY if gizmo is None else SpacePreview(gizmo=gizmo))

    # --- the mouse

    def wants_press(self, pick: SpacePick) -> bool:
        """Whether a press is for this tool; beside the model it turns the view."""
        return bool(pick.element or pick.handle)

    def press(self, pick: SpacePick, modifiers: Modifiers) -> None:
        """Grab a handle, select the element there, or pull."""
        self._ray = pick.ray
        if pick.handle:
            self._pressed, self._last = pick, (pick, modifiers)  # typing may precede moving
            self._begin_drag(pick)
        elif self.stage.is_live and pick.bodies and not modifiers & SHIFT:
            self._begin_pull(pick)
        elif not pick.element:
            self._on_nothing = pick
        elif modifiers & SHIFT:
            self.selection.toggle(pick.element)
        else:
            under = self._selected_under(pick)
            if under:
                self._narrow, pick = under, pick._replace(element=under)
            else:
                self.selection.set((pick.element,))
            self._pressed = pick

    def move(self, pick: SpacePick, modifiers: Modifiers) -> None:
        """Pull, or drag."""
        self._ray = pick.ray
        if self.pull is not None:
            assert self._pulled_from is not None
            target = self.stage.across(pick.ray, self._pulled_from.point)
            self.pull = (*self.pull[:2], target)
            self.stage.pull_moved.emit(target[: self.model.dim])
        elif self.drag is not None:
            self._last = (pick, modifiers)
            self._follow()
        elif self._pressed is not None and not self._is_refused:
            if g.way_seen(self._pressed, pick) > SLACK * self._pressed.pixel:
                self._begin_drag(self._pressed)

    def release(self, pick: SpacePick, modifiers: Modifiers) -> None:
        """End the pull or the drag; a click that did not drag selects one alone, or nothing."""
        if self.drag is not None and self._is_click_through(pick, modifiers):
            self.reset()
            self.selection.toggle(pick.element)
        elif self.drag is not None:
            self._last = (pick, modifiers)
            self._end_drag()
        elif self._narrow and not self._is_refused:
            self._take_one(pick)
        elif self._on_nothing is not None and not modifiers & SHIFT:
            if g.way_seen(self._on_nothing, pick) <= SLACK * pick.pixel:
                self.selection.clear()
        if self.pull is not None:
            self.stage.pull_ended.emit()
        self._forget()
        self._rest()

    def _is_click_through(self, pick: SpacePick, modifiers: Modifiers) -> bool:
        """Whether Shift+click met a handle that lies over an element: the element is meant."""
        pressed = self._pressed
        if pressed is None or not (pressed.handle and pick.element and modifiers & SHIFT):
            return False
        return not self.entry.is_open and g.way_seen(pressed, pick) <= SLACK * pick.pixel

    def double_click(self, pick: SpacePick, modifiers: Modifiers) -> None:
        """Open the form of the element there."""
        if pick.element and not pick.handle:
            self.selection.set((pick.element,))
            self.stage.edit_requested.emit(pick.element)

    def _selected_under(self, pick: SpacePick) -> Id:
        """The selected element that the line of sight meets; or nothing."""
        here = (pick.element, *pick.bodies)
        return next((id for id in here if id in self.selection.ids), "")

    def _take_one(self, pick: SpacePick) -> None:
        """Select one element; if it was the only one already, the one behind it."""
        chosen = self._narrow
        here = list(dict.fromkeys(id for id in (pick.element, *pick.bodies) if id))
        if self.selection.ids == (chosen,) and chosen in here:
            chosen = here[(here.index(chosen) + 1) % len(here)]
        self.selection.set((chosen,))

    # --- keys

    def wants_key(self, key: int, text: str, modifiers: Modifiers) -> bool:
        """Numbers during a drag; arrow keys, while something is selected and no run is shown."""
        if self.drag is not None:
            return self.entry.wants(key, text, modifiers)
        plain = not modifiers & ~(SHIFT | Qt.KeyboardModifier.KeypadModifier)
        return key in ARROWS and plain and bool(self.selection.ids) and self._is_designing()

    def key(self, key: int, text: str, modifiers: Modifiers) -> bool:
        """Type how far, or nudge the selection."""
        if not self.wants_key(key, text, modifiers):
            return False
        if self.drag is None:
            self._nudge(key, modifiers)
        elif key in ENTER:
            self._end_drag()
        else:
            self.entry.take(key, text)
            self._follow()
        return True

    def _nudge(self, key: int, modifiers: Modifiers) -> None:
        """Shift the selection by a step of the grid along the view; changes the document."""
        gizmo = self.gizmo
        if gizmo is None:
            return
        step = grid_step(self.pixel) * (FINER if modifiers & SHIFT else 1.0)
        right, up = ARROWS[Qt.Key(key)]
        across, upward = g.view_axes(self._ray)
        shift = g.plus(g.scaled(across, step * right), upward, step * up)
        try:
            mover = mover_of(self.model, self.selection.ids, gizmo.at)
            if mover.reason:
                raise EngineError(mover.reason)
            self.commit(self.tr("Nudge"), mover.shifted(shift))
        except EngineError as error:
            self.complained.emit(error.sentence)

    # --- gestures

    def _is_designing(self) -> bool:
        """Whether the design pose is shown: no run, and not live."""
        space = self.model.dim == 3 and self.stage is not None
        return space and self.stage.playback.current is None and not self.stage.is_live

    def _can_design(self) -> bool:
        """Whether the design pose is shown, if only as the first frame of a run."""
        playback = self.stage.playback
        return not self.stage.is_live and (playback.current is None or playback.time == 0.0)

    def _begin_pull(self, pick: SpacePick) -> None:
        """Live mode: attach a body to the mouse."""
        body = next((b for b in pick.bodies if not self.model[b].fixed), None)
        if body is None:
            return
        self.selection.set((body,))
        point = self.stage.scene.placement.to_body(body, pick.point)
        self._pulled_from = pick
        self.pull = (body, point, pick.point)
        dim = self.model.dim  # a planar model may be shown in space too
        self.stage.pull_started.emit(body, point[:dim], pick.point[:dim])

    def _begin_drag(self, start: SpacePick) -> None:
        """Find the drag for this place, and say so if it is impossible."""
        if self.model.dim == 2:
            self._refuse(
                self.tr("This model lies in the plane; look at it flat to move its parts.")
            )
            return
        if not self._can_design():
            self._refuse(
                self.tr(
                    "This is a frame of a run. Go back to the start (Home) to move parts, or make "
                    "this frame the design pose."
                )
            )
            return
        if self.stage.playback.current is not None:
            self.stage.playback.leave()  # the first frame is the design pose; the run is a ghost
        try:
            drag = drag_of(self.model, self.gizmo, start, self.selection.ids)
        except EngineError as error:
            self._refuse(error.sentence)
            return
        if drag is None:
            self._is_refused = True
        elif drag.mover.reason:
            self._refuse(drag.mover.reason)
        else:
            self.drag, self.dragged_ids = drag, drag.mover.ids
            self.entry = Entry(drag.quantities, self.preferences)

    def _refuse(self, sentence: str) -> None:
        self._is_refused = True
        self.complained.emit(sentence)

    def _typed(self) -> float | None:
        """What was typed for this drag."""
        assert self.drag is not None
        names = [quantity.name for quantity in self.drag.quantities]
        return self.entry.number(names[0], self.model) if names else None

    def _follow(self) -> None:
        """Show the model with the mouse here."""
        if self.drag is None or self._last is None:
            return
        pick, modifiers = self._last
        try:
            model = self.drag.to(pick, modifiers, self._typed(), last=False)
        except EngineError as error:
            self.show(SpacePreview(labels=(Label(pick.point, error.sentence),)))
            return
        self.document.preview(model)
        self.show(self._drag_preview())

    def _drag_preview(self) -> SpacePreview:
        """How far the drag has gone, and the handle that is held."""
        drag = self.drag
        assert drag is not None
        start = drag.start.point
        if not isinstance(drag, HandleMove | HandleTurn):
            way = drag.way
            text = ", ".join(self.quantity(c, "m") for c in way)
            hint = self.tr("Joints stay closed. Ctrl: without snapping. Esc: as it was.")
            return SpacePreview(labels=(Label(g.plus(start, way), text),), hint=hint)
        gizmo = gizmo_of(self.document.shown, self.selection.ids) or drag.gizmo
        gizmo = gizmo._replace(active=drag.start.handle)
        if isinstance(drag, HandleTurn):
            text, unit = self.quantity(drag.value, "rad"), "°"
            hint = self.tr("Steps of 5°, Shift: 15°, Ctrl: none. Type an angle, Enter. Esc.")
        else:
            moved = [c for c in drag.way if c] if len(drag.start.handle) > 1 else [drag.value]
            text = ", ".join(self.quantity(c, "m") for c in moved) or self.quantity(0.0, "m")
            unit = self.quantity(0.0, "m").lstrip("0.,").strip()
            hint = self.tr("On the grid, Ctrl: off it. Type a distance, Enter. Esc: as it was.")
        if drag.mover.is_held:
            hint = self.tr("The joints allow no more than this. Esc: as it was.")
            text = self.tr("{0}: held by joints").format(text)
        if self.entry.is_open:
            typed = self.entry.texts[0]
            text = f"{typed}|" + ("" if any(c.isalpha() for c in typed) else f" {unit}")
        at = drag.gizmo.at
        lines = (Line3(at, g.plus(at, drag.way), "dashed"),) if any(drag.way) else ()
        label = Label(gizmo.at, text, self.entry.is_open)
        return SpacePreview(lines=lines, labels=(label,), gizmo=gizmo, hint=hint)

    def _end_drag(self) -> None:
        """Commit the drag as one undo step."""
        drag, last = self.drag, self._last
        assert drag is not None
        try:
            self.entry.check(self.model)
            pick, modifiers = last if last is not None else (drag.start, SHIFT & ~SHIFT)
            model = drag.to(pick, modifiers, self._typed(), last=True)
        except EngineError as error:
            self.drag = None
            self.document.preview(None)
            self.complained.emit(error.sentence)
        else:
            self.drag = None
            self.commit(self.tr(drag.label), model)
        self._forget()
        self._rest()
