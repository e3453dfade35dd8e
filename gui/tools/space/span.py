"""From one place in space to another: by dragging, or by click, move and click.

Where the mouse is over empty space, the second place is on an axis of the world through the first if the
mouse is near one; the keys x, y, z constrain it to one: of the world, then of the body where it begins,
then to none. Shift reverses it. Digits set the length; "1 x" and "x 1" mean the same.
"""

from typing import Any

from PySide6.QtCore import Qt

from engine.editing import edits
from gui.placing.plane.snapping import grid_step, nice_step
from gui.placing.space.picks import SpacePick, Vec3
from gui.tools.base import SHIFT, Label, Modifiers
from gui.tools.plane.span import LENGTH, SpanTool
from gui.tools.space import geometry as g
from gui.tools.space.axis_choice import AxisChoice, ends_number
from gui.tools.space.base import InSpace
from gui.tools.typed import Quantity

PARTS = (10, 5, 4, 2)  # into which the step of the grid is divided, if that is a plain number
FINEST = 5.0  # pixels, at least, between two lengths
CAUGHT = 8.0  # pixels within which the mouse snaps to an axis through the first place
CTRL = Qt.KeyboardModifier.ControlModifier


def grid_of(pick: SpacePick, modifiers: Modifiers) -> float:
    """The step that lengths are rounded to: the finest part of the grid a hand can hit; none with Ctrl."""
    if modifiers & CTRL:
        return 0.0
    grid, least = grid_step(pick.pixel), FINEST * pick.pixel
    parts = (grid / n for n in PARTS)
    return next((part for part in parts if part >= least and _is_nice(part)), grid)


def _is_nice(step: float) -> bool:
    """Whether a step is 1, 2 or 5 times a power of ten."""
    return nice_step(step * (1.0 - 1e-9)) < step * (1.0 + 1e-9)


def is_free(pick: SpacePick) -> bool:
    """Whether the mouse is over empty space."""
    return not pick.bodies and pick.snap_kind in ("", "grid")


def along_axis(
    start: Vec3, pick: SpacePick, axis: Vec3, modifiers: Modifiers, within: float | None = None
) -> Vec3 | None:
    """The place on a line through a place that the mouse is next to, on the grid.

    None where the view is along the line, or where the mouse is further from it than `within`.
    """
    found = g.on_line(pick.ray, start, axis)
    if found is None or (within is not None and found[1] > within):
        return None
    return g.plus(start, axis, g.rounded_to(found[0], grid_of(pick, modifiers)))


def caught_axis(start: Vec3, pick: SpacePick, axes: tuple[Vec3, ...] = (g.X, g.Y, g.Z)) -> Any:
    """The axis through a place that the mouse is next to, or None."""
    near = []
    for axis in axes:
        found = g.on_line(pick.ray, start, axis)
        if found is not None and found[1] <= CAUGHT * pick.pixel:
            near.append((found[1], axis))
    return min(near)[1] if near else None


class SpanInSpace(InSpace, SpanTool[SpacePick]):
    """A tool that makes something between two places in space."""

    quantities: tuple[Quantity, ...] = (LENGTH,)

    def __init__(self, *arguments, **named) -> None:
        self.lock = AxisChoice()  # that it is constrained to
        super().__init__(*arguments, **named)

    def reset(self) -> None:
        """Discard the gesture and the axis; changes the tool."""
        self.lock.clear()
        super().reset()

    def way(self, start: SpacePick, end: SpacePick) -> float:
        """The displacement of the mouse on the screen, in pixels of this tool."""
        return g.way_seen(start, end) / start.pixel * self.pixel

    def wants_key(self, key: int, text: str, modifiers: Modifiers) -> bool:
        """Digits, and x, y, z once the gesture has begun."""
        return self._is_axis(text, modifiers) or super().wants_key(key, text, modifiers)

    def _is_axis(self, text: str, modifiers: Modifiers) -> bool:
        """Whether a key chooses an axis: before a number, or after it."""
        if self.begun is None or text.lower() not in g.AXES or modifiers & CTRL:
            return False
        return ends_number(self.entry.texts[self.entry.at] if self.entry.texts else "")

    def key(self, key: int, text: str, modifiers: Modifiers) -> bool:
        """Toggle the constraint to an axis, or type a number."""
        if self._is_axis(text, modifiers):
            has_own = self.begun is not None and bool(self.begun.bodies)
            self.lock.press(text.lower(), reverses=bool(modifiers & SHIFT), has_own=has_own)
            self._refresh()
            return True
        return super().key(key, text, modifiers)

    def locked_axis(self) -> Vec3 | None:
        """The axis that was chosen by its letter."""
        bodies = self.begun.bodies if self.begun is not None else ()
        R = edits.space_frame(self.model, bodies[0]).R if bodies else None
        return self.lock.direction(R)

    def target(self, pick: SpacePick, modifiers: Modifiers) -> SpacePick:
        """Where the second place is: at the mouse, along an axis, or as far as was typed."""
        assert self.begun is not None
        start = self.begun.point
        length = self.entry.number("length", self.model)
        axis = self.locked_axis()
        if axis is None and is_free(pick) and not modifiers & CTRL:
            axis = caught_axis(start, pick)
        point = along_axis(start, pick, axis, modifiers) if axis is not None else None
        if length is not None:
            point = pick.point if point is None else point
            way = g.minus(point, start)
            if not g.norm(way) > 0.0 or self.lock.sign < 0.0:
                way = axis or self.begun.normal
            point = g.plus(start, g.unit(way), length)
        if point is None or point == pick.point:
            return pick
        return self.at(point, pick)

    def measure_labels(self, start: Vec3, end: Vec3) -> tuple[Label, ...]:
        """The length beside the middle of a line, with the axis it lies along."""
        way = g.minus(end, start)
        (label,) = self.entry_labels(g.middle(start, end), {"length": g.norm(way)})
        if g.norm(way) > 0.0 and (name := g.axis_name(g.unit(way)))[0] in "+−":
            label = label._replace(text=f"{label.text}   {name}")
        return (label,)
