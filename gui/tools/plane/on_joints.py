"""Tools that work on joints: motor, stops, gears, rack and pinion; and the disc that rolls."""

from math import atan2, cos, hypot, pi, sin

from engine.editing import edits
from engine.errors import EngineError
from engine.model.elements import GROUND, Id, Model
from engine.model.fields import Function
from engine.model.forces.base import Force
from engine.model.making import Making
from gui.look.translation import QT_TRANSLATE_NOOP
from gui.placing.plane.picks import Pick
from gui.tools.base import SHIFT, Choice, Label, Line, Modifiers, P, Preview, Tool
from gui.tools.plane.span import DRAGGED, SpanTool, snapped_angle

TURN_SPEED = "2*pi"  # of new motors [rad/s]: one turn per second
SLIDE_SPEED = 0.1  # m/s
LINE = 120.0  # pixels of the line under a rolling disc


class OnJointTool(Tool[P]):
    """A tool that takes a joint from a click."""

    group = "drives"
    kinds: tuple[str, ...] = ()  # that it accepts; empty: all with a coordinate

    def __init__(self, *arguments, **named) -> None:
        super().__init__(*arguments, **named)
        self.joint: Id = ""

    def reset(self) -> None:
        """Forget the joint; changes the tool."""
        self.joint = ""
        super().reset()

    def joint_at(self, pick: P) -> Id:
        """The joint here, or the only fitting joint of the body here."""
        if self.suits(pick.joint):
            return pick.joint
        for body in self.under(pick):
            on_it = [
                j.id for j in self.model.of("joint") if body in edits.bodies_of(self.model, j.id)
            ]
            fitting = [id for id in on_it if self.suits(id)]
            if len(fitting) == 1:
                return fitting[0]
        return ""

    def suits(self, id: Id) -> bool:
        """Whether it works on a joint."""
        if id not in self.model or self.model[id].family != "joint":
            return False
        known = bool(edits.coordinates(self.model, id))
        return self.model[id].kind in self.kinds if self.kinds else known

    def joint_label(self, id: Id) -> str:
        """The name of a joint with its bodies."""
        bodies = " – ".join(map(self.named, edits.bodies_of(self.model, id)))
        return f"{self.named(id)} ({bodies})"

    def joint_preview(self, pick: P) -> Preview:
        """The joint under the mouse, ringed and named."""
        id = self.joint_at(pick)
        if not id:
            return Preview()
        place = edits.joint_point(self.model, id)
        return Preview(
            rings=(place,),
            labels=(Label(place, self.joint_label(id)),),
            bodies=tuple(b for b in edits.bodies_of(self.model, id) if b != GROUND),
        )

    def move(self, pick: P, modifiers: Modifiers) -> None:
        """Ring the joint under the mouse."""
        if not self.choices:
            self.show(self.joint_preview(pick))


class MotorTool(OnJointTool[P]):
    """Drives a joint: position, speed or torque, by a number, an expression or a table."""

    name = "motor"
    icon = "motion"
    makes = ("motion", "actuator")
    title = QT_TRANSLATE_NOOP("Tool", "Motor")
    letter = "M"
    help = QT_TRANSLATE_NOOP("Tool", "Click a joint and choose what is prescribed.")

    def __init__(self, *arguments, **named) -> None:
        super().__init__(*arguments, **named)
        self.offers: list[tuple[str, str, Function]] = []  # coordinate, quantity or "load", law

    def idle_hint(self) -> str:
        """What a click does."""
        return self.tr("Motor: click a joint and choose what drives it: speed, position or torque.")

    @property
    def is_busy(self) -> bool:
        """Whether the list is open."""
        return bool(self.choices)

    def press(self, pick: P, modifiers: Modifiers) -> None:
        """Offer the laws."""
        self.joint = self.joint_at(pick)
        if not self.joint:
            sentence = self.tr(
                "There is no joint here that could be driven; click on a pin or slider."
            )
            self.complain(EngineError(sentence))
            return
        self.offers, labels = [], []
        names = list(edits.coordinates(self.model, self.joint))
        for name in names:
            angle = edits.is_angle(self.model, self.joint, name)
            for label, quantity, law in self._laws(name, angle):
                self.offers.append((name if name != names[0] else "", quantity, law))
                labels.append(label if len(names) == 1 else f"{self.tr(name)}: {label}")
        self.choices = tuple(Choice(label, (self.joint,)) for label in labels)
        self.changed.emit()

    def _laws(self, name: str, angle: bool) -> list[tuple[str, str, Function]]:
        """What can be chosen for one coordinate: words, quantity and a law to begin with."""
        x = float(f"{edits.coordinate_value(self.model, self.joint, name):.9g}") + 0.0
        written = TURN_SPEED if angle else f"{SLIDE_SPEED:g}"
        begin = f"{x!r} + " if x else ""
        load = self.tr("torque") if angle else self.tr("force")
        loads: list[tuple[str, str, Function]] = [
            (self.tr("{0}: constant").format(load), "load", 1.0),
            (self.tr("{0}: expression of t").format(load), "load", "sin(2*pi*t)"),
        ]
        if edits.is_driven(self.model, self.joint, name):
            return loads
        swing = 0.5 if angle else SLIDE_SPEED
        return [
            (self.tr("speed: constant"), "speed", written if angle else SLIDE_SPEED),
            (self.tr("speed: expression of t"), "speed", f"{written}*sin(t)"),
            (self.tr("position: expression of t, steady"), "position", f"{begin}{written}*t"),
            (
                self.tr("position: expression of t, to and fro"),
                "position",
                f"{begin}{swing:g}*sin(2*pi*t)",
            ),
            (
                self.tr("position: table"),
                "position",
                ((0.0, x), (1.0, x + swing), (2.0, x + swing), (3.0, x)),
            ),
            *loads,
        ]

    def choose(self, number: int) -> None:
        """Make the motion or the motor of this line."""
        offers, joint = self.offers, self.joint
        self.reset()
        if not 0 <= number < len(offers):
            return
        coordinate, quantity, law = offers[number]
        try:
            if quantity == "load":
                model, id = edits.actuator(self.model, joint, law, coordinate)
            else:
                model, id = edits.motion(self.model, joint, law, quantity, coordinate)
        except EngineError as error:
            self.complain(error)
            return
        self.commit(self.tr("Add motor"), model, (id,))


class CoordinateTool(OnJointTool[P]):
    """Makes something that acts along one coordinate of a joint."""

    def press(self, pick: P, modifiers: Modifiers) -> None:
        """Make it, or ask for which coordinate."""
        self.joint = self.joint_at(pick)
        if not self.joint:
            self.complain(EngineError(self.tr("There is no joint here that turns or slides.")))
            return
        names = self.names(self.joint)
        if len(names) == 1:
            self.choose(0)
        else:
            self.choices = tuple(Choice(self.tr(name), (self.joint,)) for name in names)
            self.changed.emit()

    def choose(self, number: int) -> None:
        """Make it for this coordinate."""
        joint = self.joint
        names = self.names(joint) if joint in self.model else []
        self.reset()
        if not 0 <= number < len(names):
            return
        try:
            model, id = self.made(joint, names[number] if number else "")
        except EngineError as error:
            self.complain(error)
            return
        self.commit(self.step_of_undo(), model, (id,))

    def names(self, joint: Id) -> list[str]:
        """The coordinates of a joint to choose from."""
        return list(edits.coordinates(self.model, joint))

    def made(self, joint: Id, coordinate: str) -> tuple[Model, Id]:
        """The new model and the id of what acts along a coordinate; an empty name is the first."""
        raise NotImplementedError

    def step_of_undo(self) -> str:
        """What the step of undo is called."""
        raise NotImplementedError


class LimitsTool(CoordinateTool[P]):
    """Puts stops to both sides of a joint."""

    name = icon = "joint_limits"
    makes = ("joint_limits",)
    title = QT_TRANSLATE_NOOP("Tool", "Joint limits")
    letter = "Shift+L"
    help = QT_TRANSLATE_NOOP(
        "Tool", "Click a joint: stops to both sides, to be set in the properties."
    )

    def idle_hint(self) -> str:
        """What a click does."""
        return self.tr("Joint limits: click a joint; set both stops in the properties then.")

    def made(self, joint: Id, coordinate: str) -> tuple[Model, Id]:
        """Stops to both sides of where the joint is drawn."""
        return edits.limits(self.model, joint, coordinate)

    def step_of_undo(self) -> str:
        """What the step of undo is called."""
        return self.tr("Add joint limits")


class InJointTool(CoordinateTool[P]):
    """Makes a declared kind that acts in a joint, along one of its coordinates or in all it does."""

    element: type[Force]
    making: Making
    opening = ""

    def suits(self, id: Id) -> bool:
        """Whether the kind can act in a joint."""
        if id not in self.model or self.model[id].family != "joint":
            return False
        return self.element.acts_in(self.model, self.model[id])

    def names(self, joint: Id) -> list[str]:
        """The coordinates of a joint to choose from; a kind that acts in all it does has no choice."""
        return super().names(joint) if edits.has_coordinate(self.element.kind) else [""]

    def idle_hint(self) -> str:
        """What a click does."""
        return self.tr(self.opening)

    def made(self, joint: Id, coordinate: str) -> tuple[Model, Id]:
        """One of the kind, with its usual numbers."""
        return edits.in_joint(self.model, self.element.kind, joint, coordinate)

    def step_of_undo(self) -> str:
        """What the step of undo is called."""
        return self.tr("Add {0}").format(self.tr(self.making.says))


class TwoJointsTool(OnJointTool[P]):
    """A tool that takes two joints, one after the other."""

    step = ""  # of undo

    @property
    def is_busy(self) -> bool:
        """Whether the second joint is still to be chosen."""
        return bool(self.joint)

    def made(self, first: Id, second: Id) -> tuple[Model, Id]:
        """The new model and the id of the element that couples the two joints."""
        raise NotImplementedError

    def press(self, pick: P, modifiers: Modifiers) -> None:
        """Take the first joint, or couple the second to it."""
        id = self.joint_at(pick)
        if not id:
            self.complain(
                EngineError(self.tr("There is no joint here that fits; click on its pin."))
            )
            return
        if not self.joint:
            self.joint = id
            self.move(pick, modifiers)
            return
        try:
            model, made = self.made(self.joint, id)
        except EngineError as error:
            self.complain(error)
            self.reset()
            return
        self.commit(self.tr(self.step), model, (made,))
        self.reset()

    def move(self, pick: P, modifiers: Modifiers) -> None:
        """Ring the joint under the mouse, with a line from the first one."""
        shown = self.joint_preview(pick)
        if self.joint in self.model:
            start = edits.joint_point(self.model, self.joint)
            there = self.joint_at(pick)
            end = edits.joint_point(self.model, there) if there else self.place(pick)
            line = Line(start, end, "dashed")
            shown = shown.plus(lines=(line,), rings=(start,), hint=self.second_hint())
        self.show(shown)

    def second_hint(self) -> str:
        """What to click second."""
        return self.tr("Now click the other joint. Esc gives up.")


class GearTool(TwoJointsTool[P]):
    """Lets two wheels mesh."""

    name = icon = "gear"
    makes = ("gear",)
    title = QT_TRANSLATE_NOOP("Tool", "Gear")
    letter = "Shift+G"
    group = "contact"
    kinds = ("revolute",)
    step = QT_TRANSLATE_NOOP("GearTool", "Add gear")
    help = QT_TRANSLATE_NOOP("Tool", "Click the pins of two wheels; discs give the radii.")

    def idle_hint(self) -> str:
        """What to click first."""
        return self.tr("Gear: click the pin of the first wheel, then that of the second.")

    def made(self, first: Id, second: Id) -> tuple[Model, Id]:
        """A gear between two pins."""
        return edits.gear(self.model, first, second)


class RackTool(TwoJointsTool[P]):
    """Lets a pinion drive a rack."""

    name = icon = "rack_and_pinion"
    makes = ("rack_and_pinion",)
    title = QT_TRANSLATE_NOOP("Tool", "Rack and pinion")
    letter = "Shift+R"
    group = "contact"
    kinds = ("revolute", "prismatic")
    step = QT_TRANSLATE_NOOP("RackTool", "Add rack and pinion")
    help = QT_TRANSLATE_NOOP("Tool", "Click the pin of the pinion and the slider of the rack.")

    def idle_hint(self) -> str:
        """What to click first."""
        return self.tr("Rack and pinion: click the pin of the pinion, then the slider of the rack.")

    def made(self, first: Id, second: Id) -> tuple[Model, Id]:
        """A rack and pinion, whichever was clicked first."""
        return edits.rack_and_pinion(self.model, first, second)


class RollingDiscTool(SpanTool[Pick]):
    """Lets a disc roll on a line: drag from the disc to the side where the line is."""

    name = icon = "rolling_disc"
    makes = ("rolling_disc",)
    title = QT_TRANSLATE_NOOP("Tool", "Rolling disc")
    letter = "Shift+O"
    group = "contact"
    quantities = ()
    help = QT_TRANSLATE_NOOP(
        "Tool", "Click a disc: it rolls on the ground below; drag to the side where the line is."
    )

    def idle_hint(self) -> str:
        """Where to begin."""
        return self.tr(
            "Rolling disc: click a disc, or press on it and drag to the line it rolls on."
        )

    def disc_at(self, pick: Pick) -> Id:
        """The topmost disc here."""
        discs = [b for b in pick.bodies if edits.radius_of(self.model, b) is not None]
        return discs[0] if discs else ""

    def may_begin(self, pick: Pick, modifiers: Modifiers) -> bool:
        """Only on a disc."""
        if self.disc_at(pick):
            return True
        self.complain(EngineError(self.tr("There is no disc here; press on one.")))
        return False

    def clicked(self, pick: Pick, modifiers: Modifiers) -> bool:
        """A click is enough: the line is below."""
        return self.finish(pick, pick, modifiers)

    def contact(self, start: Pick, end: Pick, modifiers: Modifiers) -> tuple[Id, Id, float]:
        """The body with the line, the disc, and the direction from its middle to the line."""
        disc = self.disc_at(start)
        middle = edits.body_frame(self.model, disc)
        toward = -pi / 2
        if hypot(end.x - start.x, end.y - start.y) > DRAGGED * self.pixel:
            toward = atan2(end.y - middle.y, end.x - middle.x)
            toward = snapped_angle(toward) if modifiers & SHIFT else toward
        radius = edits.radius_of(self.model, disc) or 0.0
        touched = self.look(middle.x + radius * cos(toward), middle.y + radius * sin(toward))
        others = [b for b in touched.bodies if b != disc]
        return (others[0] if others else GROUND), disc, toward

    def finish(self, start: Pick, end: Pick, modifiers: Modifiers) -> bool:
        """Make it."""
        model, id = edits.rolling_disc(self.model, *self.contact(start, end, modifiers))
        self.commit(self.tr("Add rolling disc"), model, (id,))
        return True

    def hover_preview(self, pick: Pick, modifiers: Modifiers) -> Preview:
        """The line below the disc under the mouse."""
        return self.span_preview(pick, pick, modifiers) if self.disc_at(pick) else Preview()

    def span_preview(self, start: Pick, end: Pick, modifiers: Modifiers) -> Preview:
        """The line on which it will roll."""
        body, disc, toward = self.contact(start, end, modifiers)
        middle = edits.body_frame(self.model, disc)
        radius = edits.radius_of(self.model, disc) or 0.0
        on = (middle.x + radius * cos(toward), middle.y + radius * sin(toward))
        dx, dy = -LINE * self.pixel * sin(toward), LINE * self.pixel * cos(toward)
        text = self.tr("{0} rolls on {1}").format(self.named(disc), self.named(body))
        return Preview(
            lines=(Line((on[0] - dx, on[1] - dy), (on[0] + dx, on[1] + dy), "dashed"),),
            labels=(Label(on, text),),
            filled=(on,),
            bodies=tuple(id for id in (body, disc) if id != GROUND),
            hint=self.tr("Click: the line is below. Drag to another side; Shift: steps of 15°."),
        )
