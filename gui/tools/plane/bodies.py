"""Tools that draw bodies: link, box, disc, polygon, point mass; and the one that fixes them."""

from math import atan2, hypot

from PySide6.QtCore import Qt, QTimer

from engine.editing import edits
from engine.errors import EngineError
from engine.model.elements import Id
from gui.look.translation import QT_TRANSLATE_NOOP
from gui.placing.plane.picks import Pick
from gui.tools.base import (
    ALT,
    SHIFT,
    Circle,
    Label,
    Line,
    Modifiers,
    Outline,
    P,
    Preview,
    Tool,
)
from gui.tools.plane.span import ANGLE, DRAGGED, LENGTH, SpanTool
from gui.tools.typed import ENTER, Quantity


class LinkTool(SpanTool[Pick]):
    """Draws a link from click to click; where it lands on something it is pinned."""

    name = "link"
    title = QT_TRANSLATE_NOOP("Tool", "Link")
    letter = "L"
    icon = "link"
    group = "bodies"
    help = QT_TRANSLATE_NOOP(
        "Tool",
        "Click, move, click. On a body or joint it is pinned; Alt: not. Type a length, Tab: the "
        "angle. Shift+click adds a point.",
    )
    quantities = (LENGTH, ANGLE)

    def __init__(self, *arguments, **named) -> None:
        super().__init__(*arguments, **named)
        self.corners: list[tuple[Pick, Id]] = []  # with the body each is pinned to, or empty
        self.last: Id = ""  # the link made last, which Shift+click extends
        self.document.opened.connect(self._forget_last)

    def idle_hint(self) -> str:
        """Where to begin."""
        if self.last in self.model:
            return self.tr(
                "Link: click where it begins. Shift+click adds a point to '{0}'. Esc ends."
            ).format(self.named(self.last))
        return self.tr("Link: click where it begins; on a body or joint it will be pinned there.")

    def start(self) -> None:
        """Start over: no link was made yet."""
        self.last = ""
        super().start()

    def reset(self) -> None:
        """Forget all points; changes the tool."""
        self.corners = []
        super().reset()

    def join(self, pick: Pick, modifiers: Modifiers) -> Id:
        """The body, or the ground, that a link is pinned to at a point; empty for none."""
        if modifiers & ALT:
            return ""
        return edits.landing_body(self.model, pick.bodies, pick.joint, at=(pick.x, pick.y))

    def may_begin(self, pick: Pick, modifiers: Modifiers) -> bool:
        """Shift+click extends the last link instead of beginning one."""
        if modifiers & SHIFT and self.last in self.model:
            try:
                self._extend(pick, modifiers)
            except EngineError as error:
                self.complain(error)
            return False
        self.corners = [(pick, self.join(pick, modifiers))]
        return True

    def finish(self, start: Pick, end: Pick, modifiers: Modifiers) -> bool:
        """Make the link, or with Shift continue to another point of it."""
        corners = [*self.corners, (end, self.join(end, modifiers))]
        if modifiers & SHIFT:
            if (end.x, end.y) != (start.x, start.y):
                self.corners, self.begun = corners, end
                self.entry.clear()
            return False
        near = hypot(end.x - start.x, end.y - start.y) < DRAGGED * self.pixel
        if near and len(corners) == 2 and not self.entry.is_open:
            return False  # a second click at the same place: the other end is still to come
        points = [(pick.x, pick.y) for pick, _ in corners]
        joins = [join for _, join in corners]
        model, id, _ = edits.link(self.model, points, joins)
        self.commit(self.tr("Draw link"), self.tied(model, id), (id,))
        self.last = id
        return True

    def hover_preview(self, pick: Pick, modifiers: Modifiers) -> Preview:
        """Whether it will be pinned here, and to which body."""
        place = (pick.x, pick.y)
        rings = (place,) if pick.snapped or pick.bodies else ()
        if modifiers & SHIFT and self.last in self.model:
            text = self.tr("add a point to {0}").format(self.named(self.last))
            return Preview(rings=(place,), labels=(Label(place, text),), bodies=(self.last,))
        return Preview(rings=rings, **self._end_marks(pick, modifiers))

    def span_preview(self, start: Pick, end: Pick, modifiers: Modifiers) -> Preview:
        """The rubber band with length and angle, and filled or hollow ends."""
        points = tuple((pick.x, pick.y) for pick, _ in self.corners)
        place = (end.x, end.y)
        joined = tuple(p for p, (_, join) in zip(points, self.corners) if join)
        free = tuple(p for p, (_, join) in zip(points, self.corners) if not join)
        shown = Preview(
            lines=(Line(points[-1], place),),
            outlines=(Outline((*points, place)),) if len(points) > 1 else (),
            labels=self.measure_labels(points[-1], place),
            rings=(place,) if end.snapped else (),
            filled=joined,
            hollow=free,
            hint=self.tr(
                "Click the other end. Type a length, Tab: the angle. Shift+click: one more point. "
                "Alt: do not pin. Esc gives up."
            ),
        )
        return shown.plus(**self._end_marks(end, modifiers))

    def _end_marks(self, pick: Pick, modifiers: Modifiers) -> dict:
        """The point at the mouse, filled with the name of its partner, or hollow."""
        place = (pick.x, pick.y)
        join = self.join(pick, modifiers)
        if not join:
            on_top = bool(modifiers & ALT) and bool(pick.bodies)
            labels = (Label(place, self.tr("on top, not joined")),) if on_top else ()
            return {"hollow": (place,), "labels": labels}
        text = self.tr("pin {0}").format(self.named(join))
        bodies = (join,) if join in self.model else ()
        return {"filled": (place,), "labels": (Label(place, text),), "bodies": bodies}

    def _forget_last(self) -> None:
        """Another model is open: there is no last link."""
        self.last = ""

    def _extend(self, pick: Pick, modifiers: Modifiers) -> None:
        """Add a point to the link that was made last."""
        join = ""
        if not modifiers & ALT:
            but, at = (self.last,), (pick.x, pick.y)
            join = edits.landing_body(self.model, pick.bodies, pick.joint, but, at)
        model, _ = edits.with_corner(self.model, self.last, (pick.x, pick.y), join)
        self.commit(self.tr("Add a point to the link"), model, (self.last,))


class BoxTool(SpanTool[Pick]):
    """Draws a box from corner to corner."""

    name = "box"
    title = QT_TRANSLATE_NOOP("Tool", "Box")
    letter = "B"
    icon = "box"
    group = "bodies"
    help = QT_TRANSLATE_NOOP("Tool", "Drag from corner to corner. Shift: a square.")
    opening = QT_TRANSLATE_NOOP("BoxTool", "Box: drag from one corner to the opposite one.")
    quantities = (Quantity("width", "m", True), Quantity("height", "m", True))

    def target(self, pick: Pick, modifiers: Modifiers) -> Pick:
        """The opposite corner, by the mouse or by typed width and height."""
        start = self.begun
        assert start is not None
        dx, dy = pick.x - start.x, pick.y - start.y
        if modifiers & SHIFT:
            side = max(abs(dx), abs(dy))
            dx, dy = side if dx >= 0.0 else -side, side if dy >= 0.0 else -side
        width, height = (self.entry.number(name, self.model) for name in ("width", "height"))
        if width is not None:
            dx = width if dx >= 0.0 else -width
        if height is not None:
            dy = height if dy >= 0.0 else -height
        return pick._replace(x=start.x + dx, y=start.y + dy)

    def finish(self, start: Pick, end: Pick, modifiers: Modifiers) -> bool:
        """Make the box."""
        model, id = edits.box(self.model, (start.x, start.y), (end.x, end.y))
        self.commit(self.tr("Draw box"), self.tied(model, id), (id,))
        return True

    def span_preview(self, start: Pick, end: Pick, modifiers: Modifiers) -> Preview:
        """The outline with its measures."""
        corners = ((start.x, start.y), (end.x, start.y), (end.x, end.y), (start.x, end.y))
        values = {"width": abs(end.x - start.x), "height": abs(end.y - start.y)}
        middle = ((start.x + end.x) / 2, (start.y + end.y) / 2)
        return Preview(
            outlines=(Outline(corners),),
            labels=self.entry_labels(middle, values),
            hint=self.tr("Release at the opposite corner. Type the width, Tab: the height. Esc."),
        )


class DiscTool(SpanTool[Pick]):
    """Draws a disc from its middle to its rim."""

    name = "disc"
    title = QT_TRANSLATE_NOOP("Tool", "Disc")
    letter = "O"
    icon = "disc"
    group = "bodies"
    help = QT_TRANSLATE_NOOP("Tool", "Drag from the middle to the rim.")
    opening = QT_TRANSLATE_NOOP("DiscTool", "Disc: drag from its middle to its rim.")
    quantities = (Quantity("radius", "m", True),)

    def radius(self, start: Pick, end: Pick) -> float:
        """The typed radius, or the distance of the mouse."""
        typed = self.entry.number("radius", self.model)
        return hypot(end.x - start.x, end.y - start.y) if typed is None else typed

    def target(self, pick: Pick, modifiers: Modifiers) -> Pick:
        """The mouse."""
        return pick

    def finish(self, start: Pick, end: Pick, modifiers: Modifiers) -> bool:
        """Make the disc."""
        model, id = edits.disc(self.model, (start.x, start.y), self.radius(start, end))
        self.commit(self.tr("Draw disc"), self.tied(model, id), (id,))
        return True

    def span_preview(self, start: Pick, end: Pick, modifiers: Modifiers) -> Preview:
        """The circle with its radius."""
        radius, middle = self.radius(start, end), (start.x, start.y)
        angle = atan2(end.y - start.y, end.x - start.x)
        rim = edits.Frame(start.x, start.y, angle).to_world((radius, 0.0))
        return Preview(
            circles=(Circle(middle, radius),),
            lines=(Line(middle, rim, "dashed"),),
            labels=self.entry_labels(rim, {"radius": radius}),
            hint=self.tr("Release at the rim, or type the radius. Esc gives up."),
        )


class PolygonTool(Tool[Pick]):
    """Draws a plate corner by corner."""

    name = "polygon"
    title = QT_TRANSLATE_NOOP("Tool", "Polygon")
    letter = "Y"
    icon = "polygon"
    group = "bodies"
    help = QT_TRANSLATE_NOOP(
        "Tool", "Click the corners; the first corner, a double click or Enter closes it."
    )
    opening = QT_TRANSLATE_NOOP("PolygonTool", "Polygon: click its corners one after another.")

    def __init__(self, *arguments, **named) -> None:
        super().__init__(*arguments, **named)
        self.corners: list[tuple[float, float]] = []

    @property
    def is_busy(self) -> bool:
        """Whether there are corners."""
        return bool(self.corners)

    def reset(self) -> None:
        """Forget the corners; changes the tool."""
        self.corners = []
        super().reset()

    def press(self, pick: Pick, modifiers: Modifiers) -> None:
        """Add a corner, or close the outline at the first one."""
        if len(self.corners) > 2 and self._is_first(pick):
            self._close()
        elif (pick.x, pick.y) not in self.corners:
            self.corners.append((pick.x, pick.y))
            self.move(pick, modifiers)

    def double_click(self, pick: Pick, modifiers: Modifiers) -> None:
        """Close the outline."""
        self._close()

    def move(self, pick: Pick, modifiers: Modifiers) -> None:
        """Follow the mouse with the next edge."""
        here = (pick.x, pick.y)
        if not self.corners:
            self.show(Preview(rings=(here,) if pick.snapped else ()))
            return
        closing = len(self.corners) > 2 and self._is_first(pick)
        last = self.corners[-1]
        length = self.quantity(hypot(here[0] - last[0], here[1] - last[1]), "m")
        middle = ((here[0] + last[0]) / 2, (here[1] + last[1]) / 2)
        text = self.tr("close") if closing else length
        self.show(
            Preview(
                outlines=(Outline((*self.corners, here), len(self.corners) > 1),),
                labels=(Label(here if closing else middle, text),),
                rings=(here,) if pick.snapped or closing else (),
                filled=tuple(self.corners),
                hint=self.tr(
                    "Click the next corner; close at the first one, by double click or Enter. "
                    "Backspace: one back."
                ),
            )
        )

    def wants_key(self, key: int, text: str, modifiers: Modifiers) -> bool:
        """Enter and Backspace, once there are corners."""
        return self.is_busy and key in (*ENTER, Qt.Key.Key_Backspace)

    def key(self, key: int, text: str, modifiers: Modifiers) -> bool:
        """Close the outline, or remove the last corner."""
        if not self.wants_key(key, text, modifiers):
            return False
        if key in ENTER:
            self._close()
        else:
            self.corners.pop()
            left = tuple(self.corners)
            self.show(Preview(outlines=(Outline(left, False),) if left else (), filled=left))
        return True

    def _is_first(self, pick: Pick) -> bool:
        x, y = self.corners[0]
        return hypot(pick.x - x, pick.y - y) <= DRAGGED * self.pixel

    def _close(self) -> None:
        try:
            model, id = edits.polygon(self.model, self.corners)
        except EngineError as error:
            self.complain(error)
            return
        self.commit(self.tr("Draw polygon"), model, (id,))
        self.reset()


class PointMassTool(Tool[P]):
    """Puts a point mass somewhere; on a body it is pinned."""

    name = "point_mass"
    title = QT_TRANSLATE_NOOP("Tool", "Point mass")
    letter = "N"
    icon = "particle"
    group = "bodies"
    help = QT_TRANSLATE_NOOP("Tool", "Click. On a body it is pinned; Alt: not.")
    opening = QT_TRANSLATE_NOOP(
        "PointMassTool",
        "Point mass: click a place; on a body it is pinned there (Alt: not).",
    )
    held_by = "revolute"  # the joint that pins it

    def join(self, pick: P, modifiers: Modifiers) -> Id:
        """The body it is pinned to, or empty."""
        if modifiers & ALT:
            return ""
        return edits.landing_body(self.model, self.under(pick), pick.joint, at=self.place(pick))

    def move(self, pick: P, modifiers: Modifiers) -> None:
        """Show where, and whether it is joined."""
        place, join = self.place(pick), self.join(pick, modifiers)
        text = self.tr("pin {0}").format(self.named(join)) if join else self.tr("1 kg")
        self.show(
            Preview(
                labels=(Label(place, text),),
                rings=(place,) if pick.snapped else (),
                filled=(place,) if join else (),
                hollow=() if join else (place,),
                bodies=(join,) if join in self.model else (),
            )
        )

    def press(self, pick: P, modifiers: Modifiers) -> None:
        """Make it."""
        place, join = self.place(pick), self.join(pick, modifiers)
        try:
            model, id = edits.point_mass(self.model, place)
            if join:
                model, _ = edits.joint(model, self.held_by, edits.Pair(join, id), place)
        except EngineError as error:
            self.complain(error)
            return
        self.commit(self.tr("Add point mass"), model, (id,))


class GroundTool(Tool[P]):
    """Makes the selected bodies part of the ground, or sets them free."""

    name = "ground"
    title = QT_TRANSLATE_NOOP("Tool", "Ground")
    letter = "G"
    icon = "ground"
    group = "bodies"
    help = QT_TRANSLATE_NOOP(
        "Tool", "Fix the selected bodies, or set them free; without a selection click a body."
    )
    opening = QT_TRANSLATE_NOOP("GroundTool", "Ground: click a body to fix it, or to set it free.")

    def start(self) -> None:
        """Apply to the selection, if there is one, and finish."""
        super().start()
        chosen = [id for id in self.selection.ids if self._is_body(id)]
        if chosen:
            self.toggle(chosen)
            QTimer.singleShot(0, self, self.finished.emit)

    def move(self, pick: P, modifiers: Modifiers) -> None:
        """Name the body."""
        body = pick.bodies[0] if pick.bodies else ""
        if not self._is_body(body):
            self.show(self.nothing)
            return
        text = self.tr("set {0} free") if self.model[body].fixed else self.tr("fix {0}")
        label = Label(self.place(pick), text.format(self.named(body)))
        self.show(Preview(labels=(label,), bodies=(body,)))

    def press(self, pick: P, modifiers: Modifiers) -> None:
        """Fix the body or set it free."""
        if pick.bodies:
            self.toggle([pick.bodies[0]])
        else:
            self.complain(EngineError(self.tr("There is no body here; click on one.")))

    def toggle(self, ids: list[Id]) -> None:
        """Fix these bodies, or set them free if all were fixed."""
        try:
            model = edits.with_ground_toggled(self.model, ids)
        except EngineError as error:
            self.complain(error)
            return
        fixed = model[ids[0]].fixed
        self.commit(self.tr("Fix to the ground") if fixed else self.tr("Set free"), model)

    def _is_body(self, id: Id) -> bool:
        return id in self.model and self.model[id].family == "body"
