"""The gesture from one point to another: by dragging, or by click, move and click.

Instead of choosing the second point, numbers can be typed: digits set the first quantity, Tab goes to the
next, Enter ends the gesture.
"""

from math import atan2, cos, dist, hypot, pi, sin
from typing import Any

from engine.editing import edits
from engine.errors import EngineError
from engine.model.elements import Id, Model
from gui.tools.base import NO_MODIFIER, SHIFT, Label, Modifiers, P, Preview, Tool
from gui.tools.typed import ENTER, Entry, Quantity

DRAGGED = 8.0  # pixels from which a click counts as a drag
SNAP_ANGLE = pi / 12
LENGTH, ANGLE = Quantity("length", "m", True), Quantity("angle", "rad")


class SpanTool(Tool[P]):
    """A tool that makes something between two points."""

    quantities: tuple[Quantity, ...] = (LENGTH, ANGLE)  # that can be typed
    snaps_angle = False  # whether Shift keeps to multiples of 15 degrees

    def __init__(self, *arguments, **named) -> None:
        super().__init__(*arguments, **named)
        self.begun: P | None = None  # where the gesture began
        self.here: P | None = None  # where the mouse is
        self.modifiers = NO_MODIFIER
        self.entry = Entry(self.quantities, self.preferences)
        self._ignores_release = False
        self._was_enough = False  # the last click made something

    @property
    def is_busy(self) -> bool:
        """Whether the second point is still to be chosen."""
        return self.begun is not None or bool(self.choices)

    def reset(self) -> None:
        """Discard the gesture; changes the tool."""
        self.begun = None
        self.entry.clear()
        self._ignores_release = False
        super().reset()

    def cancel(self) -> bool:
        """Discard first the typed text, then the gesture."""
        if self.begun is not None and self.entry.is_open:
            self.entry.clear()
            self._refresh()
            return True
        return super().cancel()

    # --- for subclasses

    def may_begin(self, pick: P, modifiers: Modifiers) -> bool:
        """Whether the gesture can begin here; a subclass complains if not."""
        return True

    def clicked(self, pick: P, modifiers: Modifiers) -> bool:
        """The first press was a click; True if the tool needs no more."""
        return False

    def finish(self, start: P, end: P, modifiers: Modifiers) -> bool:
        """Make it; False if the gesture continues."""
        raise NotImplementedError

    def hover_preview(self, pick: P, modifiers: Modifiers) -> Any:
        """What is shown before the gesture begins: a ring where it snaps."""
        return Preview(rings=(self.place(pick),) if pick.snapped else ())

    def span_preview(self, start: P, end: P, modifiers: Modifiers) -> Any:
        """What is shown during the gesture."""
        return self.nothing

    def way(self, start: P, end: P) -> float:
        """The distance between two picks as seen on the screen [m]."""
        return dist(self.place(start), self.place(end))

    # --- mouse and keys

    def press(self, pick: P, modifiers: Modifiers) -> None:
        """Begin, or end a gesture that began with a click."""
        self._was_enough = False
        self.here, self.modifiers = pick, modifiers
        if self.begun is None:
            if self.may_begin(pick, modifiers):
                self.begun = pick
                self._refresh()
            else:
                self._ignores_release = True
        else:
            self._ignores_release = True
            self._end(pick, modifiers)

    def move(self, pick: P, modifiers: Modifiers) -> None:
        """Follow the mouse with the preview."""
        self.here, self.modifiers = pick, modifiers
        self._refresh()

    def release(self, pick: P, modifiers: Modifiers) -> None:
        """End the gesture if the mouse was dragged."""
        self.here, self.modifiers = pick, modifiers
        if self._ignores_release or self.begun is None:
            self._ignores_release = False
        elif self.way(self.begun, pick) > DRAGGED * self.pixel:
            self._end(pick, modifiers)
        elif self._guarded(lambda: self.clicked(self.begun, modifiers)):
            self.reset()
            self._was_enough = True
            self._refresh()

    def double_click(self, pick: P, modifiers: Modifiers) -> None:
        """An ordinary press, unless the tool needed only the first click."""
        if self._was_enough:
            self._was_enough, self._ignores_release = False, True
        else:
            self.press(pick, modifiers)

    def wants_key(self, key: int, text: str, modifiers: Modifiers) -> bool:
        """Digits and what follows them, once the gesture has begun."""
        return self.begun is not None and self.entry.wants(key, text, modifiers)

    def key(self, key: int, text: str, modifiers: Modifiers) -> bool:
        """Type a number, or end the gesture with Enter."""
        end = self.here or self.begun
        if end is None or not self.wants_key(key, text, modifiers):
            return False
        if key in ENTER:
            self._end(end, modifiers)
        else:
            self.entry.take(key, text)
            self._refresh()
        return True

    def target(self, pick: P, modifiers: Modifiers) -> P:
        """Where the second point is: at the mouse, unless numbers were typed or Shift snaps."""
        start = self.begun
        assert start is not None
        (x0, y0), (x1, y1) = self.place(start), self.place(pick)
        dx, dy = x1 - x0, y1 - y0
        names = [quantity.name for quantity in self.quantities]
        length = self.entry.number("length", self.model) if "length" in names else None
        angle = self.entry.number("angle", self.model) if "angle" in names else None
        if self.snaps_angle and angle is None and modifiers & SHIFT and (dx or dy):
            angle = snapped_angle(atan2(dy, dx))
        if length is None and angle is None:
            return pick
        if angle is None:
            angle = atan2(dy, dx) if dx or dy else 0.0
        if length is None:  # the mouse gives the distance along the given direction
            length = max(dx * cos(angle) + dy * sin(angle), 0.0)
        found: P = self.look(x0 + length * _exact(cos(angle)), y0 + length * _exact(sin(angle)))
        return found

    def tied(self, model: Model, id: Id) -> Model:
        """The model with a new body whose sizes are the formulas that were typed."""
        formulas = self.entry.formulas(self.model)
        return edits.tied(model, id, formulas) if formulas else model

    def _end(self, pick: P, modifiers: Modifiers) -> None:
        start = self.begun
        assert start is not None
        try:
            self.entry.check(self.model)
        except EngineError as error:  # the gesture continues: the number can be corrected
            self.complain(error)
            return
        if self._guarded(lambda: self.finish(start, self.target(pick, modifiers), modifiers)):
            self.reset()
        self._refresh()

    def _guarded(self, work) -> bool:
        """What `work` returns; an EngineError becomes a complaint and ends the gesture."""
        try:
            return work()
        except EngineError as error:
            self.complain(error)
            self.reset()
            return False

    def _refresh(self) -> None:
        if self.here is None or self.choices:
            return
        if self.begun is None:
            self.show(self.hover_preview(self.here, self.modifiers))
        else:
            end = self.target(self.here, self.modifiers)
            self.show(self.span_preview(self.begun, end, self.modifiers))

    # --- labels

    def measure_labels(self, start: Any, end: Any) -> tuple[Label, ...]:
        """Length and angle beside the middle of a line; what is being typed is marked."""
        dx, dy = end[0] - start[0], end[1] - start[1]
        middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
        values = {"length": hypot(dx, dy), "angle": atan2(dy, dx) if dx or dy else 0.0}
        return self.entry_labels(middle, values)

    def entry_labels(self, at: tuple[float, ...], values: dict[str, float]) -> tuple[Label, ...]:
        """A label for all quantities; the one being typed is shown as typed."""
        shown = []
        for k, quantity in enumerate(self.quantities):
            text = self.quantity(values[quantity.name], quantity.unit)
            if self.entry.is_open and (k == self.entry.at or self.entry.texts[k]):
                cursor = "|" if k == self.entry.at else ""
                text = f"{self.entry.texts[k]}{cursor}"
                unit = (self.quantity(0.0, quantity.unit)).lstrip("0.,").strip()
                text += "" if any(c.isalpha() for c in self.entry.texts[k]) else f" {unit}"
            shown.append(f"∠ {text}" if quantity.name == "angle" else text)
        return (Label(at, "   ".join(shown), self.entry.is_open),)


def snapped_angle(angle: float) -> float:
    """The nearest multiple of 15 degrees."""
    return round(angle / SNAP_ANGLE) * SNAP_ANGLE


def _exact(x: float) -> float:
    """A cosine without the rounding of pi: 0 and 1 are hit exactly."""
    return float(round(x)) if abs(x - round(x)) < 1e-15 else x
