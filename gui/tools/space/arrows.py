"""Tools that draw an arrow from a body: force, torque, and the velocity and spin it starts with.

The arrow lies in the plane that faces the camera, or along an axis of the world or of the body if the mouse
is next to one. Its size can be typed.
"""

from typing import Any

from engine.editing import edits
from engine.errors import EngineError
from engine.model.elements import GROUND, Id
from gui.look.translation import QT_TRANSLATE_NOOP
from gui.placing.loads import arrow_length
from gui.placing.space.picks import SpacePick, Vec3
from gui.tools.base import SHIFT, Label, Modifiers
from gui.tools.plane.loads import size_of_arrow
from gui.tools.plane.span import DRAGGED
from gui.tools.space import geometry as g
from gui.tools.space.base import Line3, Ring3, SpacePreview
from gui.tools.space.solids import circle
from gui.tools.space.span import CTRL, SpanInSpace, caught_axis, is_free
from gui.tools.typed import TABS, Entry, Quantity

TURN = 26.0  # pixels, radius of the circle that stands for a turn
SPEED, SPIN = 0.02, 0.1  # m/s and rad/s for each pixel of an arrow
SHOWN = 70.0  # pixels of an arrow that was typed, not dragged


class ArrowTool(SpanInSpace):
    """Press on a moving body, drag the arrow, release; or click, move and click."""

    quantities = (Quantity("size", "N"),)
    turns = False  # whether the arrow is an axis to turn about
    step = ""  # of undo

    def body_at(self, pick: SpacePick) -> Id:
        """The moving body that it acts on, or the ground where there is none."""
        here = self.under(pick) or pick.bodies[:1]
        body = edits.end_body(self.model, here, pick.joint, at=pick.point)
        return GROUND if body != GROUND and self.model[body].fixed else body

    def may_begin(self, pick: SpacePick, modifiers: Modifiers) -> bool:
        """Only on a moving body."""
        if self.body_at(pick) != GROUND:
            return True
        self.complain(EngineError(self.tr("It acts on a body: press on one that can move.")))
        return False

    def target(self, pick: SpacePick, modifiers: Modifiers) -> SpacePick:
        """The mouse; direction and size follow from it."""
        return pick

    def scale(self, pixels: float) -> float:
        """The size that an arrow of this length stands for."""
        return size_of_arrow(pixels)

    def shown_length(self, size: float) -> float:
        """How long the arrow of a typed size is drawn [pixels]."""
        return arrow_length(abs(size))

    def resting_axis(self, start: SpacePick) -> Vec3:
        """Its direction before the mouse gives one: the axis that was asked for, or a natural one."""
        if (axis := self.locked_axis()) is not None:
            return axis
        if not self.turns:
            return g.unit(start.normal)
        return g.unit(edits.long_axis(self.model, self.body_at(start)))

    def arrow(
        self, start: SpacePick, end: SpacePick, modifiers: Modifiers
    ) -> tuple[Vec3, float, float]:
        """Direction, size and drawn length [m] of the arrow."""
        way, axis = self._way(start, end, modifiers), self.resting_axis(start)
        pixels = g.norm(way) / start.pixel
        typed = self.entry.number("size", self.model)
        if g.way_seen(start, end) > DRAGGED * start.pixel and g.norm(way) > 0.0:
            axis = g.unit(way)
        if typed is not None:
            return axis, typed, self.shown_length(typed) * start.pixel
        return axis, self.scale(pixels), max(pixels, DRAGGED) * start.pixel

    def _way(self, start: SpacePick, end: SpacePick, modifiers: Modifiers) -> Vec3:
        """From the beginning to the mouse: along an axis that it is next to, else facing the camera."""
        at = start.point
        axis = self.locked_axis()
        if axis is None and not modifiers & CTRL:
            axis = caught_axis(at, end, self._axes(start))
        if axis is not None and (found := g.on_line(end.ray, at, axis)) is not None:
            return g.scaled(axis, found[0])
        to_point = end.snapped and end.snap_kind != "grid" and not is_free(end)
        to_point = to_point and self.body_at(end) != self.body_at(start)
        return g.minus(end.point if to_point else g.facing(end, start), at)

    def _axes(self, start: SpacePick) -> tuple[Vec3, ...]:
        """The axes that the mouse snaps to: of the body, then of the world."""
        R = edits.space_frame(self.model, self.body_at(start)).R
        own = tuple((float(c[0]), float(c[1]), float(c[2])) for c in R.T)
        return (g.X, g.Y, g.Z, *own)

    def vector(self, start: SpacePick, end: SpacePick, modifiers: Modifiers) -> Vec3:
        """Size times direction, without rounding errors."""
        axis, size, _ = self.arrow(start, end, modifiers)
        x, y, z = (float(f"{size * c:.12g}") if abs(c) > 1e-12 else 0.0 for c in axis)
        return x, y, z

    def finish(self, start: SpacePick, end: SpacePick, modifiers: Modifiers) -> bool:
        """Make it."""
        if g.way_seen(start, end) <= DRAGGED * start.pixel and not self.entry.is_open:
            return False  # a second click at the same place
        vector = self.vector(start, end, modifiers)
        model, ids = self.made(self.body_at(start), start.point, vector)
        self.commit(self.tr(self.step), model, ids)
        return True

    def made(self, body: Id, at: Vec3, vector: Vec3) -> tuple[Any, tuple[Id, ...]]:
        """The new model and what to select afterwards."""
        raise NotImplementedError

    def hover_preview(self, pick: SpacePick, modifiers: Modifiers) -> SpacePreview:
        """Name the body."""
        body = self.body_at(pick)
        if body == GROUND:
            return SpacePreview()
        text = self.tr("on {0}").format(self.named(body))
        return SpacePreview(
            labels=(Label(pick.point, text),), rings=(Ring3(pick.point),), bodies=(body,)
        )

    def span_preview(self, start: SpacePick, end: SpacePick, modifiers: Modifiers) -> SpacePreview:
        """The arrow with its size and direction."""
        axis, size, length = self.arrow(start, end, modifiers)
        head = g.plus(start.point, axis, length if size >= 0.0 else -length)
        (label,) = self.entry_labels(head, {"size": size})
        label = label._replace(text=f"{label.text}   {g.axis_name(axis)}")
        lines: tuple[Line3, ...] = (Line3(start.point, head, "arrow"),)
        if self.turns:
            lines += circle(start.point, *g.plane_axes(axis), TURN * start.pixel, 24)
        return SpacePreview(
            lines=lines,
            labels=(label,),
            bodies=(self.body_at(start),),
            hint=self.arrow_hint(),
        )

    def arrow_hint(self) -> str:
        """What to do while the arrow is drawn."""
        return self.tr("Release to set it, or type its size. x, y, z: along an axis. Esc.")


class ForceTool3D(ArrowTool):
    """Draws the arrow of a force."""

    name = icon = "force"
    makes = ("force",)
    title = QT_TRANSLATE_NOOP("Tool", "Force")
    letter = "F"
    group = "loads"
    help = QT_TRANSLATE_NOOP(
        "Tool", "Press on a body, drag the arrow, release. Type its size; x, y, z: its direction."
    )
    step = QT_TRANSLATE_NOOP("ForceTool3D", "Add force")

    def idle_hint(self) -> str:
        """Where to begin."""
        return self.tr("Force: press on a body, drag the arrow and release.")

    def made(self, body: Id, at: Vec3, vector: Vec3) -> tuple[Any, tuple[Id, ...]]:
        """The force."""
        model, id = edits.force(self.model, body, at, vector)
        return model, (id,)


class TorqueTool3D(ArrowTool):
    """Draws the axis of a torque."""

    name = icon = "torque"
    makes = ("torque",)
    title = QT_TRANSLATE_NOOP("Tool", "Torque")
    letter = "Shift+F"
    group = "loads"
    help = QT_TRANSLATE_NOOP(
        "Tool", "Press on a body, drag along the axis, release. Type its size."
    )
    quantities = (Quantity("size", "N m"),)
    turns = True
    step = QT_TRANSLATE_NOOP("TorqueTool3D", "Add torque")

    def idle_hint(self) -> str:
        """Where to begin."""
        return self.tr("Torque: press on a body and drag along the axis about which it turns.")

    def made(self, body: Id, at: Vec3, vector: Vec3) -> tuple[Any, tuple[Id, ...]]:
        """The torque."""
        model, id = edits.torque(self.model, body, vector, at)
        return model, (id,)


class VelocityTool(ArrowTool):
    """Draws the velocity of a body at the start; with Shift, or after Tab, its spin."""

    name = icon = "velocity"
    title = QT_TRANSLATE_NOOP("Tool", "Velocity, spin")
    letter = "V"
    group = "loads"
    help = QT_TRANSLATE_NOOP(
        "Tool",
        "Press on a body and drag its velocity at the start. Shift: its spin, about the dragged axis. "
        "Type the number; Tab: the other one.",
    )
    quantities = (Quantity("size", "m/s"),)
    spins = (Quantity("size", "rad/s"),)
    step = QT_TRANSLATE_NOOP("VelocityTool", "Set velocity")

    def __init__(self, *arguments, **named) -> None:
        self.turns = False
        super().__init__(*arguments, **named)

    def idle_hint(self) -> str:
        """Where to begin."""
        return self.tr(
            "Velocity: press on a body and drag. Shift: its spin about the dragged axis."
        )

    def reset(self) -> None:
        """Forget the gesture; changes the tool."""
        super().reset()
        self._set_mode(False)

    def _set_mode(self, turns: bool) -> None:
        """Draw a spin or a velocity; changes the tool."""
        self.turns = turns
        given = self.spins if turns else type(self).quantities
        self.quantities = given
        texts = self.entry.texts if hasattr(self, "entry") else [""]
        self.entry = Entry(given, self.preferences)
        self.entry.texts = list(texts)

    def may_begin(self, pick: SpacePick, modifiers: Modifiers) -> bool:
        """On a moving body; Shift means spin."""
        if not super().may_begin(pick, modifiers):
            return False
        self._set_mode(bool(modifiers & SHIFT))
        return True

    def wants_key(self, key: int, text: str, modifiers: Modifiers) -> bool:
        """Tab too."""
        if key in TABS:
            return self.begun is not None
        return super().wants_key(key, text, modifiers)

    def key(self, key: int, text: str, modifiers: Modifiers) -> bool:
        """Toggle between velocity and spin, or type."""
        if key in TABS and self.begun is not None:
            self._set_mode(not self.turns)
            self._refresh()
            return True
        return super().key(key, text, modifiers)

    def scale(self, pixels: float) -> float:
        """Metres or radians per second, with two digits."""
        return float(f"{pixels * (SPIN if self.turns else SPEED):.2g}")

    def shown_length(self, size: float) -> float:
        """A typed speed has an arrow of standard length."""
        return SHOWN

    def made(self, body: Id, at: Vec3, vector: Vec3) -> tuple[Any, tuple[Id, ...]]:
        """The body with its velocity or spin."""
        change = edits.with_spin if self.turns else edits.with_velocity
        return change(self.model, body, vector), (body,)

    def hover_preview(self, pick: SpacePick, modifiers: Modifiers) -> SpacePreview:
        """Name what would be set."""
        body = self.body_at(pick)
        if body == GROUND:
            return SpacePreview()
        text = self.tr("spin of {0}") if modifiers & SHIFT else self.tr("velocity of {0}")
        label = Label(pick.point, text.format(self.named(body)))
        return SpacePreview(labels=(label,), rings=(Ring3(pick.point),), bodies=(body,))

    def arrow_hint(self) -> str:
        """What to do while the arrow is drawn."""
        if self.turns:
            return self.tr("Release, or type the spin and Enter. x, y, z: axis. Tab: velocity.")
        return self.tr("Release, or type the speed and Enter. x, y, z: axis. Tab: spin.")
