"""Tools that draw bodies in space: box, cylinder, ball. First a base on a surface, then a height."""

import itertools
import math
from typing import Any

import numpy as np

from engine.editing import edits
from engine.editing.edits.bodies import rounded
from engine.errors import EngineError
from engine.model.shapes import Box, Capsule, Cylinder, Sphere
from gui.look.translation import QT_TRANSLATE_NOOP
from gui.placing.space.picks import SpacePick, Vec3
from gui.tools.base import SHIFT, Label, Modifiers
from gui.tools.plane.span import DRAGGED
from gui.tools.space import geometry as g
from gui.tools.space.base import Line3, Ring3, Solid3, SpacePreview
from gui.tools.space.span import SpanInSpace, grid_of
from gui.tools.typed import ENTER, TABS, Quantity

CORNERS = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


class SolidTool(SpanInSpace):
    """A base is drawn on the surface under the mouse; then the mouse gives the height over it."""

    group = "bodies"
    upward = ""  # the quantity that the second part of the gesture sets
    step = ""  # of undo

    def __init__(self, *arguments, **named) -> None:
        self.base: SpacePick | None = None  # where the base ended
        super().__init__(*arguments, **named)

    def reset(self) -> None:
        """Discard base and height; changes the tool."""
        self.base = None
        super().reset()

    def wants_key(self, key: int, text: str, modifiers: Modifiers) -> bool:
        """Numbers; the axes of a solid follow from the surface."""
        return self.begun is not None and self.entry.wants(key, text, modifiers)

    def key(self, key: int, text: str, modifiers: Modifiers) -> bool:
        """Type a size; over a base that is drawn, the height."""
        if self.base is not None and not self.entry.texts[self._upward] and key not in TABS:
            if key not in ENTER and self.wants_key(key, text, modifiers):
                self.entry.at = self._upward
        return super().key(key, text, modifiers)

    @property
    def _upward(self) -> int:
        """Which of the quantities is the height."""
        return next(k for k, q in enumerate(self.quantities) if q.name == self.upward)

    def entry_labels(self, at: tuple[float, ...], values: dict[str, float]) -> tuple[Label, ...]:
        """The sizes with a letter before each, those of the base alone while that is drawn."""
        (label,) = super().entry_labels(at, values)
        parts = list(zip(self.quantities, label.text.split("   ")))
        if self.base is None and not self.entry.texts[self._upward] and len(parts) > 1:
            parts.pop(self._upward)
        text = "   ".join(f"{q.name[0]} {size}" for q, size in parts)
        return (label._replace(text=text),)

    def axes(self) -> tuple[Vec3, Vec3, Vec3]:
        """The axes of the surface on which it stands: along the edges of the body there."""
        assert self.begun is not None
        edges: tuple[Vec3, ...] = ()
        for body in self.under(self.begun)[:1]:
            R = edits.space_frame(self.model, body).R
            edges = tuple((x, y, z) for x, y, z in R.T.tolist())
        n = g.unit(self.begun.normal)
        return (*g.plane_axes(n, edges), n)

    def on_base(self, pick: SpacePick, modifiers: Modifiers) -> tuple[float, float]:
        """How far the mouse is from the beginning along both axes of the base, on the grid."""
        assert self.begun is not None
        u, v, n = self.axes()
        start = self.begun.point
        seen = g.on_plane(pick.ray, start, n)
        exact = pick.snapped and pick.snap_kind != "grid"
        point = pick.point if exact or seen is None else seen
        step = 0.0 if exact else grid_of(pick, modifiers)
        along = [g.dot(point, axis) for axis in (u, v)]
        begun = [g.dot(start, axis) for axis in (u, v)]
        a, b = (g.rounded_to(p, step) - s for p, s in zip(along, begun))
        return a, b

    def height(self, pick: SpacePick, modifiers: Modifiers, foot: Vec3, usual: float) -> float:
        """The typed height, or that of the mouse over the base; the default in a view along it."""
        typed = self.entry.number(self.upward, self.model)
        found = g.on_line(pick.ray, foot, self.axes()[2])
        over = usual if found is None else g.rounded_to(found[0], grid_of(pick, modifiers))
        if typed is None:
            return over
        moved = self.base is not None and self.way(self.base, pick) > DRAGGED * self.pixel
        return -typed if moved and over < 0.0 else typed

    def target(self, pick: SpacePick, modifiers: Modifiers) -> SpacePick:
        """The mouse: sizes follow from it."""
        return pick

    def finish(self, start: SpacePick, end: SpacePick, modifiers: Modifiers) -> bool:
        """Keep the base, then make the solid."""
        if self.base is None:
            self._keep_base(start, end, modifiers)
            if self.base is None or self.entry.number(self.upward, self.model) is None:
                return False
        model, id = self.made(end, modifiers)
        self.commit(self.tr(self.step), model, (id,))
        return True

    def _keep_base(self, start: SpacePick, end: SpacePick, modifiers: Modifiers) -> None:
        near = self.way(start, end) < DRAGGED * self.pixel
        if near and not self.entry.is_open:
            return  # a second click at the same place: the base is still to come
        self.check_base(end, modifiers)
        self.base = end

    def check_base(self, end: SpacePick, modifiers: Modifiers) -> None:
        """Raise EngineError for a base without a size."""
        raise NotImplementedError

    def made(self, end: SpacePick, modifiers: Modifiers) -> tuple[Any, str]:
        """The new model and the id of the solid."""
        raise NotImplementedError

    def hover_preview(self, pick: SpacePick, modifiers: Modifiers) -> SpacePreview:
        """Where it would stand, and on which body."""
        on = self.under(pick)[:1]
        labels = (Label(pick.point, self.tr("on {0}").format(self.named(on[0]))),) if on else ()
        return SpacePreview(rings=(Ring3(pick.point, pick.normal),), labels=labels, bodies=on)

    def height_hint(self) -> str:
        """The hint while the height is still to be chosen."""
        return self.tr("Move for the height and click, or type it. Ctrl: off the grid. Esc.")


class BoxTool3D(SolidTool):
    """Draws a box: its base from corner to corner, then its height."""

    name = "box"
    title = QT_TRANSLATE_NOOP("Tool", "Box")
    letter = "B"
    icon = "cuboid"
    help = QT_TRANSLATE_NOOP(
        "Tool", "Drag the base on a surface, move for the height, click. Shift: a square base."
    )
    quantities = (
        Quantity("width", "m", True),
        Quantity("depth", "m", True),
        Quantity("height", "m", True),
    )
    upward = "height"
    step = QT_TRANSLATE_NOOP("BoxTool3D", "Draw box")

    def idle_hint(self) -> str:
        """Where to begin."""
        return self.tr("Box: drag its base on the ground or on a face, then move for the height.")

    def sides(self, pick: SpacePick, modifiers: Modifiers) -> tuple[float, float]:
        """Width and depth with their signs."""
        a, b = self.on_base(self.base or pick, modifiers)
        if modifiers & SHIFT and self.base is None:
            side = max(abs(a), abs(b))
            a, b = side if a >= 0.0 else -side, side if b >= 0.0 else -side
        width, depth = (self.entry.number(name, self.model) for name in ("width", "depth"))
        if width is not None:
            a = width if a >= 0.0 else -width
        if depth is not None:
            b = depth if b >= 0.0 else -depth
        return a, b

    def sized(self, pick: SpacePick, modifiers: Modifiers) -> tuple[edits.SpaceFrame, Vec3]:
        """The frame in the middle of the box, and its sizes."""
        assert self.begun is not None
        u, v, n = self.axes()
        a, b = self.sides(pick, modifiers)
        foot = g.plus(g.plus(self.begun.point, u, a / 2), v, b / 2)
        usual = rounded(min(abs(a), abs(b)) / 3.0) or 0.1
        h = self.height(pick, modifiers, foot, usual)
        R = np.array([u, v, n]).T
        return edits.SpaceFrame(np.array(g.plus(foot, n, h / 2)), R), (abs(a), abs(b), abs(h))

    def check_base(self, end: SpacePick, modifiers: Modifiers) -> None:
        """Raise EngineError for a base without a size."""
        if not all(self.sides(end, modifiers)):
            raise EngineError(
                self.tr("A box needs a width and a depth; drag to the opposite corner.")
            )

    def made(self, end: SpacePick, modifiers: Modifiers) -> tuple[Any, str]:
        """The box."""
        return edits.block(self.model, *self.sized(end, modifiers))

    def span_preview(self, start: SpacePick, end: SpacePick, modifiers: Modifiers) -> SpacePreview:
        """The base with its measures, then the box."""
        u, v, _ = self.axes()
        a, b = self.sides(end, modifiers)
        corners = [
            g.plus(g.plus(start.point, u, x * a), v, y * b) for x, y in (*CORNERS, CORNERS[0])
        ]
        if self.base is None:
            values = {"width": abs(a), "depth": abs(b), "height": 0.0}
            label = self.entry_labels(g.middle(corners[0], corners[2]), values)[0]
            lines = tuple(Line3(*ends) for ends in itertools.pairwise(corners))
            hint = self.tr("Release at the opposite corner. Type width, Tab: depth, Tab: height.")
            return SpacePreview(lines=lines, labels=(label,), hint=hint)
        frame, (w, d, h) = self.sized(end, modifiers)
        values = {"width": w, "depth": d, "height": h}
        labels = tuple(label for label in self.entry_labels(frame.place, values))
        if not (w and d and h):
            return SpacePreview(labels=labels, hint=self.height_hint())
        solid = Solid3(Box(width=w, height=d, thickness=h), frame.place, frame.orientation)
        return SpacePreview(solids=(solid,), labels=labels, hint=self.height_hint())


class CylinderTool3D(SolidTool):
    """Draws a cylinder or disc: from the middle of its base to the rim, then its length."""

    name = "disc"
    title = QT_TRANSLATE_NOOP("Tool", "Cylinder, disc")
    letter = "O"
    icon = "body_cylinder"
    help = QT_TRANSLATE_NOOP(
        "Tool", "Drag from the middle of the base to the rim, move for the length, click."
    )
    quantities: tuple[Quantity, ...] = (
        Quantity("radius", "m", True),
        Quantity("length", "m", True),
    )
    upward = "length"
    step = QT_TRANSLATE_NOOP("CylinderTool3D", "Draw cylinder")

    def idle_hint(self) -> str:
        """Where to begin."""
        return self.tr(
            "Cylinder: drag from the middle of its base to the rim, then for its length."
        )

    def radius(self, pick: SpacePick, modifiers: Modifiers) -> float:
        """The typed radius, or the distance of the mouse."""
        typed = self.entry.number("radius", self.model)
        return self.dragged_radius(pick, modifiers) if typed is None else typed

    def dragged_radius(self, pick: SpacePick, modifiers: Modifiers) -> float:
        """The distance of the mouse from the middle, on the grid."""
        assert self.begun is not None
        at = self.base or pick
        seen = g.on_plane(at.ray, self.begun.point, g.unit(self.begun.normal))
        exact = at.snapped and at.snap_kind != "grid"
        point = at.point if exact or seen is None else seen
        way = g.norm(g.minus(point, self.begun.point))
        return way if exact else g.rounded_to(way, grid_of(at, modifiers))

    def check_base(self, end: SpacePick, modifiers: Modifiers) -> None:
        """Raise EngineError for a base without a size."""
        if not self.radius(end, modifiers):
            raise EngineError(
                self.tr("A cylinder needs a radius; drag from its middle to its rim.")
            )

    def length(self, pick: SpacePick, modifiers: Modifiers) -> float:
        """The length with its sign."""
        assert self.begun is not None
        usual = rounded(self.radius(pick, modifiers) / 5.0) or 0.1
        return self.height(pick, modifiers, self.begun.point, usual)

    def made(self, end: SpacePick, modifiers: Modifiers) -> tuple[Any, str]:
        """The cylinder."""
        assert self.begun is not None
        sizes = self.radius(end, modifiers), self.length(end, modifiers)
        return edits.cylinder(self.model, self.begun.point, self.begun.normal, *sizes)

    def span_preview(self, start: SpacePick, end: SpacePick, modifiers: Modifiers) -> SpacePreview:
        """The rim with its radius, then the cylinder."""
        n, radius = g.unit(start.normal), self.radius(end, modifiers)
        length = self.length(end, modifiers) if self.base is not None else 0.0
        values = {"radius": radius, "length": abs(length)}
        u, v = g.plane_axes(n)
        rim = g.plus(start.point, u, radius)
        at = rim if self.base is None else g.plus(start.point, n, length)
        label = self.entry_labels(at, values)[0]
        if self.base is None:
            hint = self.tr("Release at the rim. Type the radius, Tab: the length. Esc gives up.")
            lines = (*circle(start.point, u, v, radius), Line3(start.point, rim, "dashed"))
            return SpacePreview(lines=lines, labels=(label,), hint=hint)
        solids: tuple[Solid3, ...] = ()
        if radius and length:
            solids = (self.solid(start, radius, length),)
        return SpacePreview(solids=solids, labels=(label,), hint=self.height_hint())

    def solid(self, start: SpacePick, radius: float, length: float) -> Solid3:
        """What is shown before the click."""
        n = g.unit(start.normal)
        u, v = g.plane_axes(n)
        turn = edits.frame_of_axes(u, v, n).orientation
        middle = g.plus(start.point, n, length / 2)
        return Solid3(Cylinder(radius=radius, length=abs(length)), middle, turn)


class CapsuleTool3D(CylinderTool3D):
    """Draws a capsule, standing on its tip: from the middle to the rim, then its length."""

    name = "capsule"
    title = QT_TRANSLATE_NOOP("Tool", "Capsule")
    letter = "Shift+A"
    icon = "body_capsule"
    help = QT_TRANSLATE_NOOP(
        "Tool", "Drag its radius, move for the length between its round ends, click."
    )
    step = QT_TRANSLATE_NOOP("CapsuleTool3D", "Draw capsule")

    def idle_hint(self) -> str:
        """Where to begin."""
        return self.tr("Capsule: drag its radius where it stands, then move for its length.")

    def length(self, pick: SpacePick, modifiers: Modifiers) -> float:
        """The length between the middles of its round ends, with its sign."""
        assert self.begun is not None
        usual = 2.0 * self.radius(pick, modifiers) or 0.1
        return self.height(pick, modifiers, self.begun.point, usual)

    def made(self, end: SpacePick, modifiers: Modifiers) -> tuple[Any, str]:
        """The capsule."""
        assert self.begun is not None
        sizes = self.radius(end, modifiers), self.length(end, modifiers)
        return edits.capsule(self.model, self.begun.point, self.begun.normal, *sizes)

    def solid(self, start: SpacePick, radius: float, length: float) -> Solid3:
        """What is shown before the click."""
        n = g.unit(start.normal)
        u, v = g.plane_axes(n)
        middle = g.plus(start.point, n, length / 2 + math.copysign(radius, length))
        turn = edits.frame_of_axes(u, v, n).orientation
        return Solid3(Capsule(radius=radius, length=abs(length)), middle, turn)


class BallTool3D(CylinderTool3D):
    """Draws a ball: it rests on a surface, or is centred on a point."""

    name = "ball"
    title = QT_TRANSLATE_NOOP("Tool", "Ball")
    letter = "Shift+S"
    icon = "body_sphere"
    help = QT_TRANSLATE_NOOP(
        "Tool", "Drag its radius. It lies on the surface; on a point it has its middle there."
    )
    quantities: tuple[Quantity, ...] = (Quantity("radius", "m", True),)
    upward = "radius"
    step = QT_TRANSLATE_NOOP("BallTool3D", "Draw ball")

    def idle_hint(self) -> str:
        """Where to begin."""
        return self.tr("Ball: drag its radius. On a surface it lies, on a point it has its middle.")

    def middle(self, radius: float) -> Vec3:
        """Where its middle is."""
        assert self.begun is not None
        on_point = self.begun.snapped and self.begun.snap_kind in ("joint", "point", "center")
        lift = 0.0 if on_point else radius
        return g.plus(self.begun.point, g.unit(self.begun.normal), lift)

    def finish(self, start: SpacePick, end: SpacePick, modifiers: Modifiers) -> bool:
        """Make the ball."""
        if self.way(start, end) < DRAGGED * self.pixel and not self.entry.is_open:
            return False
        radius = self.radius(end, modifiers)
        model, id = edits.ball(self.model, self.middle(radius), radius)
        self.commit(self.tr(self.step), model, (id,))
        return True

    def span_preview(self, start: SpacePick, end: SpacePick, modifiers: Modifiers) -> SpacePreview:
        """The ball with its radius."""
        radius = self.radius(end, modifiers)
        at = self.middle(radius)
        label = Label(*self.entry_labels(at, {"radius": radius})[0])
        solids = (Solid3(Sphere(radius=radius), at),) if radius else ()
        hint = self.tr("Release to set the radius, or type it. Esc gives up.")
        return SpacePreview(solids=solids, labels=(label,), hint=hint)


def circle(at: Vec3, u: Vec3, v: Vec3, radius: float, pieces: int = 48) -> tuple[Line3, ...]:
    """A circle as short lines."""
    angles = np.linspace(0.0, 2.0 * np.pi, pieces + 1)
    points = [
        g.plus(g.plus(at, u, radius * float(np.cos(a))), v, radius * float(np.sin(a)))
        for a in angles
    ]
    return tuple(Line3(*ends) for ends in itertools.pairwise(points))
