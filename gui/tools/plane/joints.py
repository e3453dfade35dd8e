"""Tools that join bodies with one click: the preview names the bodies before the click."""

from math import atan2, cos, hypot, sin
from typing import Any, ClassVar

from PySide6.QtCore import Qt

from engine.editing import edits
from engine.editing.edits import Pair
from engine.errors import EngineError
from engine.model.attachments import reads_axes
from engine.model.elements import GROUND, Element, Id, Model
from engine.model.joints.freedom import freedom
from engine.model.making import Making
from gui.tools.base import (
    ALT,
    CTRL,
    NO_MODIFIER,
    SHIFT,
    Choice,
    Label,
    Line,
    Modifiers,
    P,
    Preview,
    Tool,
)
from gui.tools.plane.span import ANGLE, DRAGGED, snapped_angle
from gui.tools.typed import ENTER, TABS, Entry

AXIS = 60.0  # pixels of the dashed axis to either side
NEAR_AXIS = 10.0  # pixels beside the axis of a bar from which a slot goes to it


class JointTool(Tool[P]):
    """One click where bodies overlap. Tab chooses the next pair, Alt or many bodies open a list."""

    element: ClassVar[type[Element]]  # what it makes
    making: ClassVar[Making]  # and how

    def __init__(self, *arguments, **named) -> None:
        super().__init__(*arguments, **named)
        self.here: P | None = None
        self.modifiers = NO_MODIFIER
        self.pressed: P | None = None
        self.turn = 0  # how often Tab was pressed at this place
        self.entry = Entry((ANGLE,), self.preferences)
        self._asked: tuple = (None,)  # for which model and place `_pairs` was found
        self._pairs: list[Pair] = []
        self.waiting: list[Pair] = []  # the pairs that `choices` lists

    @property
    def kind(self) -> str:
        """The kind of the element that it makes."""
        return self.element.kind

    @property
    def has_direction(self) -> bool:
        """Whether dragging gives the direction of x: something slides along one axis only."""
        return 0 < len(freedom(self.element, self.dim).slides) < self.dim

    @property
    def has_sides(self) -> bool:
        """Whether the order of the bodies matters: the first guides a point of the second."""
        reads_j = reads_axes(self.element, self.dim)[1]
        return freedom(self.element, self.dim).guides and not reads_j

    @property
    def wants_body(self) -> bool:
        """Whether a place just beside a body is meant on it: two selected bodies are joined anywhere."""
        return self.selected_two() is None

    @property
    def is_busy(self) -> bool:
        """Whether the button is down or the list is open."""
        return self.pressed is not None or bool(self.choices)

    def reset(self) -> None:
        """Discard the press and the list; changes the tool."""
        self.pressed, self.waiting, self.turn = None, [], 0
        self.entry.clear()
        super().reset()

    def pairs(self, pick: P) -> list[Pair]:
        """Which bodies it could join here, the likeliest pair first."""
        asked = (self.model, self.place(pick), pick.bodies, self.selection.ids)
        if asked[0] is not self._asked[0] or asked[1:] != self._asked[1:]:
            self._asked, self._pairs = asked, self._find_pairs(pick)
        return self._pairs

    def _find_pairs(self, pick: P) -> list[Pair]:
        found = self.selected_pairs(pick)
        if found is None:
            found = edits.pairs_at(self.model, pick.bodies, self.place(pick), self.kind)
        if self.making.prefers_ground:
            found.sort(key=lambda pair: GROUND not in pair)
        if self.has_sides:
            sides = [side for pair in found for side in (pair, Pair(pair.body_j, pair.body_i))]
            found = [side for side in sides if edits.can_guide(self.model, side.body_i)]
        return found

    def selected_pairs(self, pick: P) -> list[Pair] | None:
        """The two bodies that are selected, if they can be joined here; None where not two are."""
        chosen = self.selected_two()
        if chosen is None:
            return None
        found = edits.pairs_at(self.model, chosen, self.place(pick), self.kind)
        return [pair for pair in found if set(pair) == set(chosen)]

    def selected_two(self) -> tuple[Id, Id] | None:
        """The two bodies that are selected: a click anywhere joins this pair."""
        model, ids = self.model, self.selection.ids
        if len(ids) != 2 or not all(id in model and model[id].family == "body" for id in ids):
            return None
        return ids[0], ids[1]

    def taken(self, pick: P) -> Pair | None:
        """The pair that the preview names and a click takes."""
        found = self.pairs(pick)
        return found[self.turn % len(found)] if found else None

    def needs_list(self, pick: P, modifiers: Modifiers) -> bool:
        """Whether it is unclear which two bodies are meant."""
        if self.turn:
            return False
        bodies = len(pick.bodies)
        found = self.pairs(pick)
        is_clear = len(found) == 1 or (bodies == 1 and not modifiers & ALT)
        joined = (
            bodies == 2 and bool(found) and GROUND in found[0] and not self.making.prefers_ground
        )
        return not is_clear and (bodies > 2 or joined or bool(modifiers & ALT))

    def said(self, pair: Pair) -> str:
        """What would be joined, in words; and which joint it would replace."""
        words = self.tr(self.making.says).format(self.named(pair.body_i), self.named(pair.body_j))
        at = self.pressed or self.here
        old = self._replaced(pair, at) if at is not None else ""
        return self.tr("{0}, instead of {1}").format(words, self.named(old)) if old else words

    def _replaced(self, pair: Pair, at: P) -> Id:
        """The joint of another kind that holds this pair here already: one alone is meant."""
        return edits.doubled(self.model, self.kind, pair, self.place(at))

    def angle(self, pair: Pair) -> Any:
        """The direction of x: typed, dragged, or along the body that guides."""
        if not self.has_direction:
            return 0.0
        typed = self.entry.number("angle", self.model)
        if typed is not None:
            return typed
        start, end = self.pressed, self.here
        if start is not None and end is not None:
            (x0, y0), (x1, y1) = self.place(start), self.place(end)
            dx, dy = x1 - x0, y1 - y0
            if hypot(dx, dy) > DRAGGED * self.pixel:
                angle = atan2(dy, dx)
                return snapped_angle(angle) if self.modifiers & SHIFT else angle
        return edits.natural_angle(self.model, pair)

    # --- mouse and keys

    def press(self, pick: P, modifiers: Modifiers) -> None:
        """Hold the place; dragging from here gives the direction."""
        self.here, self.modifiers = pick, modifiers
        if not self.pairs(pick):
            try:
                bodies = self.selected_two() or self.under(pick)
                edits.refuse_none(self.model, bodies, self.place(pick), self.kind)
            except EngineError as error:
                self.complain(error)
            return
        self.pressed = pick
        self._refresh()

    def move(self, pick: P, modifiers: Modifiers) -> None:
        """Name the bodies under the mouse, or follow the direction."""
        moved = self.here is None or self.place(pick) != self.place(self.here)
        if moved and self.pressed is None and self.here is not None:
            if pick.bodies != self.here.bodies:
                self.turn = 0
        self.here, self.modifiers = pick, modifiers
        self._refresh()

    def release(self, pick: P, modifiers: Modifiers) -> None:
        """Join, or ask which pair."""
        self.here, self.modifiers = pick, modifiers
        start = self.pressed
        if start is None:
            return
        if self.needs_list(start, modifiers):
            self.waiting = self.pairs(start)
            choices = tuple(Choice(self.said(pair), tuple(pair)) for pair in self.waiting)
            self.choices = choices
            self.changed.emit()
            return
        pair = self.taken(start)
        if pair is not None:
            self._make(pair, start)

    def choose(self, number: int) -> None:
        """Join the pair of this line of the list."""
        waiting, start = self.waiting, self.pressed
        self.choices = ()
        if start is not None and 0 <= number < len(waiting):
            self._make(waiting[number], start)
        else:
            self.reset()

    def wants_key(self, key: int, text: str, modifiers: Modifiers) -> bool:
        """Tab for the next pair; digits for the direction while the button is down."""
        if key in TABS:
            return self.here is not None and len(self.pairs(self.pressed or self.here)) > 1
        if self.pressed is None or not self.has_direction or self.choices:
            return False
        return self.entry.wants(key, text, modifiers)

    def key(self, key: int, text: str, modifiers: Modifiers) -> bool:
        """Take the next pair, or type the direction."""
        if not self.wants_key(key, text, modifiers):
            return False
        if key in TABS:
            self.turn += -1 if key == Qt.Key.Key_Backtab else 1
        elif key in ENTER:
            pair = self.taken(self.pressed) if self.pressed else None
            if pair is not None and self.pressed is not None:
                self._make(pair, self.pressed)
            return True
        else:
            self.entry.take(key, text)
        self._refresh()
        return True

    def _make(self, pair: Pair, at: P) -> None:
        try:
            self.entry.check(self.model)
            model, id = self.made(pair, at, self.angle(pair))
            if old := self._replaced(pair, at):
                model = edits.deleted(model, [old])
        except EngineError as error:
            self.complain(error)
            self.reset()
            return
        self.commit(self.tr("Add {0}").format(self.said(pair)), model, (id,))
        self.reset()
        self._refresh()

    def made(self, pair: Pair, at: P, direction: Any) -> tuple[Model, Id]:
        """The new model and the id of the joint."""
        place = self.place(at)
        if self._takes_axis(pair, at) and direction == edits.natural_angle(self.model, pair):
            found = edits.slot_on_axis(self.model, self.kind, pair, place)
            if found is not None:
                return found
        return edits.joint(self.model, self.kind, pair, place, direction)

    def _takes_axis(self, pair: Pair, at: P) -> bool:
        """Whether a slot here is meant to lie on the axis of its bar; Ctrl: it is not."""
        beside = self._beside(pair, at)
        return 0.0 < beside <= NEAR_AXIS * self.pixel and not self.modifiers & CTRL

    def _refresh(self) -> None:
        at = self.pressed or self.here
        if at is None or self.choices:
            return
        place, pair = self.place(at), self.taken(at)
        if pair is None:
            self.show(Preview(hollow=(place,) if at.snapped else ()))
            return
        labels = [Label(place, self._label(pair, at))]
        lines: tuple[Line, ...] = ()
        if self.has_direction:
            angle = self.angle(pair)
            dx, dy = AXIS * self.pixel * cos(angle), AXIS * self.pixel * sin(angle)
            ends = (place[0] - dx, place[1] - dy), (place[0] + dx, place[1] + dy)
            lines = (Line(*ends, "dashed"),)
            if self.pressed is not None:
                shown = f"{self.entry.texts[0]}|" if self.entry.is_open else ""
                text = shown or self.quantity(angle, "rad")
                labels.append(Label(ends[1], f"∠ {text}", self.entry.is_open))
        self.show(
            Preview(
                lines=lines,
                labels=tuple(labels),
                rings=(place,),
                filled=(place,),
                bodies=tuple(id for id in pair if id in self.model),
                hint=self._hint(pair, at),
            )
        )

    def _label(self, pair: Pair, at: P) -> str:
        if self.needs_list(at, self.modifiers):
            return self.tr("{0} … choose").format(self.said(pair))
        beside = self._beside(pair, at)
        if self._takes_axis(pair, at):
            return self.tr("{0}, on its axis").format(self.said(pair))
        if beside <= self.pixel / 2.0:
            return self.said(pair)
        words = self.tr("{0}, {1} beside its axis")
        return words.format(self.said(pair), self.quantity(beside, "m"))

    def _beside(self, pair: Pair, at: P) -> float:
        """How far a slot along a bar would lie beside its axis [m]; 0 for other joints and bodies."""
        if self.dim != 2 or not self.has_sides:
            return 0.0
        return abs(
            edits.beside_axis(self._plain.of(self.model), pair.body_i, self.place(at)) or 0.0
        )

    def _hint(self, pair: Pair, at: P) -> str:
        if self.has_direction and self.pressed is not None:
            return self.tr("Release to set the direction; Shift: steps of 15°. Or type the angle.")
        parts = [self.tr("Click: {0}.").format(self.said(pair))]
        if self.has_direction:
            parts.append(self.tr("Drag: another direction."))
        if len(self.pairs(at)) > 1:
            parts.append(self.tr("Tab: other bodies. Alt: a list."))
        return " ".join(parts)
