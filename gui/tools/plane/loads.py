"""Tools for given loads and for marks on bodies: force, torque, tracer, point."""

from math import atan2, cos, hypot, log10, pi, sin
from typing import ClassVar

from engine.editing import edits
from engine.errors import EngineError
from engine.model.elements import GROUND, Element, Id
from engine.model.limits import limits
from engine.model.making import Making
from gui.look.translation import QT_TRANSLATE_NOOP
from gui.placing.loads import PER_DECADE, SHORTEST, arrow_length
from gui.placing.plane.picks import Pick
from gui.tools.base import SHIFT, Label, Line, Modifiers, Outline, P, Preview, Tool
from gui.tools.plane.span import ANGLE, SpanTool, snapped_angle
from gui.tools.typed import Quantity

LEAST = 1.0  # N or N m: what the shortest arrow stands for
ARC = 22.0  # pixels, radius of the arc of a torque


def size_of_arrow(pixels: float) -> float:
    """The load whose arrow has this length, with two digits: the inverse of `arrow_length`.

    An axis that is seen almost end-on gives arrows of any length; the load stays one that a model can hold.
    """
    decades = min((pixels - SHORTEST) / PER_DECADE, log10(limits("N").most))
    return max(float(f"{10.0**decades - 1.0:.2g}"), LEAST)


class OnBodyTool(SpanTool[Pick]):
    """A tool that begins on a moving body."""

    def body_at(self, pick: Pick) -> Id:
        """The moving body that it acts on, or the ground where there is none."""
        body = edits.end_body(self.model, pick.bodies, pick.joint, at=(pick.x, pick.y))
        return GROUND if body != GROUND and self.model[body].fixed else body

    def may_begin(self, pick: Pick, modifiers: Modifiers) -> bool:
        """Only on a moving body."""
        if self.body_at(pick) != GROUND:
            return True
        self.complain(EngineError(self.tr("It acts on a body: press on one that can move.")))
        return False

    def hover_preview(self, pick: Pick, modifiers: Modifiers) -> Preview:
        """Name the body."""
        place, body = (pick.x, pick.y), self.body_at(pick)
        if body == GROUND:
            return Preview(rings=(place,) if pick.snapped else ())
        text = self.tr("on {0}").format(self.named(body))
        return Preview(labels=(Label(place, text),), rings=(place,), bodies=(body,))


class ForceTool(OnBodyTool):
    """Draws the arrow of a force; its length is drawn to the scale of the stage."""

    name = icon = "force"
    makes = ("force",)
    title = QT_TRANSLATE_NOOP("Tool", "Force")
    letter = "F"
    group = "loads"
    help = QT_TRANSLATE_NOOP(
        "Tool", "Press on a body, drag the arrow, release. Type its size, Tab: its direction."
    )
    opening = QT_TRANSLATE_NOOP("ForceTool", "Force: press on a body, drag the arrow and release.")
    quantities = (Quantity("size", "N"), ANGLE)

    def target(self, pick: Pick, modifiers: Modifiers) -> Pick:
        """The mouse; size and direction follow from it."""
        return pick

    def vector(self, start: Pick, end: Pick, modifiers: Modifiers) -> tuple[float, float]:
        """Size [N] and direction of the arrow."""
        dx, dy = end.x - start.x, end.y - start.y
        size = self.entry.number("size", self.model)
        angle = self.entry.number("angle", self.model)
        if size is None:
            size = size_of_arrow(hypot(dx, dy) / self.pixel)
        if angle is None:
            angle = atan2(dy, dx) if dx or dy else 0.0
            angle = snapped_angle(angle) if modifiers & SHIFT else angle
        return size, angle

    def finish(self, start: Pick, end: Pick, modifiers: Modifiers) -> bool:
        """Make the force."""
        size, angle = self.vector(start, end, modifiers)
        components = (_rounded(size * cos(angle)), _rounded(size * sin(angle)))
        body = self.body_at(start)
        model, id = edits.force(self.model, body, (start.x, start.y), components)
        self.commit(self.tr("Add force"), model, (id,))
        return True

    def span_preview(self, start: Pick, end: Pick, modifiers: Modifiers) -> Preview:
        """The arrow as it will be drawn, with size and direction."""
        size, angle = self.vector(start, end, modifiers)
        length = arrow_length(abs(size)) * self.pixel * (1.0 if size >= 0.0 else -1.0)
        tail = (start.x, start.y)
        head = (tail[0] + length * cos(angle), tail[1] + length * sin(angle))
        return Preview(
            lines=(Line(tail, head, "arrow"),),
            labels=self.entry_labels(head, {"size": size, "angle": angle}),
            filled=(tail,),
            bodies=(self.body_at(start),),
            hint=self.tr("Release to set it; Shift: steps of 15°. Type the size, Tab: the angle."),
        )


class TorqueTool(OnBodyTool):
    """Puts a torque on a body; dragging up makes it anticlockwise, down clockwise."""

    name = icon = "torque"
    makes = ("torque",)
    title = QT_TRANSLATE_NOOP("Tool", "Torque")
    letter = "Shift+F"
    group = "loads"
    help = QT_TRANSLATE_NOOP(
        "Tool", "Click on a body, or drag: up turns to the left, down to the right."
    )
    opening = QT_TRANSLATE_NOOP(
        "TorqueTool",
        "Torque: press on a body; drag up to turn it left, down to turn it right.",
    )
    quantities = (Quantity("size", "N m"),)

    def target(self, pick: Pick, modifiers: Modifiers) -> Pick:
        """The mouse."""
        return pick

    def value(self, start: Pick, end: Pick) -> float:
        """The torque [N m]; positive is anticlockwise."""
        typed = self.entry.number("size", self.model)
        if typed is not None:
            return typed
        size = size_of_arrow(hypot(end.x - start.x, end.y - start.y) / self.pixel)
        return size if end.y >= start.y else -size

    def clicked(self, pick: Pick, modifiers: Modifiers) -> bool:
        """A click is enough."""
        return self.finish(pick, pick, modifiers)

    def finish(self, start: Pick, end: Pick, modifiers: Modifiers) -> bool:
        """Make the torque."""
        body, value = self.body_at(start), self.value(start, end)
        model, id = edits.torque(self.model, body, value, (start.x, start.y))
        self.commit(self.tr("Add torque"), model, (id,))
        return True

    def span_preview(self, start: Pick, end: Pick, modifiers: Modifiers) -> Preview:
        """An arc with an arrow and its value."""
        value, radius = self.value(start, end), ARC * self.pixel
        way = 1.0 if value >= 0.0 else -1.0
        angles = [pi / 2 + way * (-2.0 + 0.25 * k) for k in range(17)]
        arc = tuple((start.x + radius * cos(a), start.y + radius * sin(a)) for a in angles)
        return Preview(
            outlines=(Outline(arc[:-1], False),),
            lines=(Line(arc[-2], arc[-1], "arrow"),),
            labels=self.entry_labels((end.x, end.y), {"size": value}),
            filled=((start.x, start.y),),
            bodies=(self.body_at(start),),
            hint=self.tr("Release to set it. Up turns to the left, down to the right. Or type it."),
        )


class OnPointTool(Tool[P]):
    """A tool that puts a mark on a body with one click."""

    group = "marks"

    def body_at(self, pick: P) -> Id:
        """The body that the mark is attached to."""
        return edits.end_body(self.model, self.under(pick), pick.joint, at=self.place(pick))

    def move(self, pick: P, modifiers: Modifiers) -> None:
        """Name the body."""
        place, body = self.place(pick), self.body_at(pick)
        label = Label(place, self.tr("on {0}").format(self.named(body)))
        bodies = (body,) if body in self.model else ()
        self.show(Preview(labels=(label,), rings=(place,), bodies=bodies))

    def press(self, pick: P, modifiers: Modifiers) -> None:
        """Make it."""
        try:
            self.make(self.body_at(pick), self.place(pick))
        except EngineError as error:
            self.complain(error)

    def make(self, body: Id, at: tuple[float, ...]) -> None:
        """Put the mark on a body; changes the document."""
        raise NotImplementedError


class LoadTool(OnPointTool[P]):
    """Puts a force that acts at one point on a body."""

    group = "loads"
    element: ClassVar[type[Element]]
    making: ClassVar[Making]

    def make(self, body: Id, at: tuple[float, ...]) -> None:
        """Put the force on a body; changes the document."""
        begins = dict(self.making.begins)
        if hasattr(self.element, "begun_at"):
            begins |= self.element.begun_at(at)
        model, id = edits.load(self.model, self.element, body, at, **begins)
        self.commit(self.tr("Add {0}").format(self.tr(self.making.says)), model, (id,))


class TracerTool(OnPointTool[P]):
    """Lets a point of a body leave a trail."""

    name = icon = "tracer"
    makes = ("tracer",)
    title = QT_TRANSLATE_NOOP("Tool", "Tracer")
    letter = "T"
    help = QT_TRANSLATE_NOOP("Tool", "Click a point of a body: its path is drawn during a run.")
    opening = QT_TRANSLATE_NOOP(
        "TracerTool",
        "Tracer: click a point of a moving body; its path is drawn during a run.",
    )

    def make(self, body: Id, at: tuple[float, ...]) -> None:
        """Put a tracer on a body; changes the document."""
        model, id = edits.tracer(self.model, body, at)
        self.commit(self.tr("Add tracer"), model, (id,))


class PointTool(OnPointTool[P]):
    """Attaches a named point to a body, to measure there."""

    name = "point"
    icon = "marker"
    makes = ("marker",)
    title = QT_TRANSLATE_NOOP("Tool", "Point")
    letter = "Shift+N"
    help = QT_TRANSLATE_NOOP("Tool", "Click a place on a body: a point to measure or to attach to.")
    opening = QT_TRANSLATE_NOOP(
        "PointTool",
        "Point: click a place on a body to measure there or to attach to it.",
    )

    def make(self, body: Id, at: tuple[float, ...]) -> None:
        """Attach a point to a body; changes the document."""
        model, id = edits.marker(self.model, body, at)
        self.commit(self.tr("Add point"), model, (id,))


def _rounded(component: float) -> float:
    """The component without the rounding of sines and cosines."""
    return float(f"{component:.12g}") if abs(component) > 1e-12 else 0.0
