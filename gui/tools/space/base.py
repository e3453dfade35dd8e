"""The previews of tools in space, and what these tools share.

A tool in space is a `Tool` that receives a `SpacePick` and shows a `SpacePreview`. It imports neither
VTK nor widgets: the stage draws what it shows.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import dist
from typing import Any, ClassVar, NamedTuple

from engine.editing import edits
from engine.errors import EngineError
from engine.model.elements import Id
from gui.placing.space.picks import SpacePick, Vec3
from gui.tools.base import Label, Modifiers, Tool

Quat = tuple[float, float, float, float]
UPRIGHT: Quat = (1.0, 0.0, 0.0, 0.0)
MOVE = ("x", "y", "z", "xy", "yz", "zx")  # handles of a gizmo: along an axis, in a plane
TURN = ("turn_x", "turn_y", "turn_z")  # about an axis


class Line3(NamedTuple):
    """A line between two places."""

    a: Vec3
    b: Vec3
    style: str = "solid"  # "solid", "dashed", "arrow" (head at b), "spring", "damper", "axis"


class Solid3(NamedTuple):
    """A shape of the engine that would be made here, drawn translucent."""

    shape: Any
    position: Vec3
    orientation: Quat = UPRIGHT


class Ring3(NamedTuple):
    """A target of a fixed size in pixels; with a normal it lies in that plane."""

    at: Vec3
    normal: Vec3 | None = None


class Gizmo(NamedTuple):
    """Handles that move and turn something; the stage draws them and names the one that is hit."""

    at: Vec3
    axes: Quat = UPRIGHT  # the handles lie along these
    handles: tuple[str, ...] = (*MOVE, *TURN)
    active: str = ""  # the handle that is held


@dataclass(frozen=True, slots=True)
class SpacePreview:
    """What the stage draws over the model while a tool is active; metres, world axes."""

    lines: tuple[Line3, ...] = ()
    solids: tuple[Solid3, ...] = ()
    labels: tuple[Label, ...] = ()
    rings: tuple[Ring3, ...] = ()
    bodies: tuple[Id, ...] = ()  # elements that take part, to be outlined
    gizmo: Gizmo | None = None
    hint: str = ""  # for the status bar

    def plus(self, **more: Any) -> "SpacePreview":
        """The same with more of each kind; a gizmo or a hint replaces the old one."""
        single = ("hint", "gizmo")
        merged = {k: v if k in single else getattr(self, k) + tuple(v) for k, v in more.items()}
        return replace(self, **merged)


EMPTY = SpacePreview()


NEAR = 3.0  # pixels from a body that still count as on it
END = 12.0  # pixels from the end of a rod that mean the end


class InSpace(Tool[SpacePick]):
    """Makes a tool work in space: the mouse arrives as a `SpacePick`, places have three numbers.

    Mixed into a tool of the plane, it converts its preview to a `SpacePreview`.
    """

    dim: ClassVar[int] = 3
    nothing: ClassVar[Any] = EMPTY

    def under(self, pick: SpacePick) -> tuple[Id, ...]:
        """The bodies at the place of the mouse; not those that merely lie in the line of sight."""
        return self.bodies_near(pick, pick.bodies)

    def meant(self, pick: SpacePick) -> SpacePick:
        """The pick where something is attached: on a slender rod in its centre line, or at its end."""
        if not pick.bodies or pick.joint or pick.snap_kind in ("joint", "point", "center"):
            return pick
        near = END * pick.pixel
        try:
            return pick._replace(
                point=edits.line_point(self.model, pick.bodies[0], pick.point, near)
            )
        except EngineError:  # a formula cannot be read: the form says so
            return pick

    def bodies_near(self, pick: SpacePick, ids: Iterable[Id]) -> tuple[Id, ...]:
        """Those of these bodies that are at the place of the mouse."""
        try:
            return tuple(edits.bodies_at(self.model, ids, pick.point, NEAR * pick.pixel))
        except EngineError:  # a formula cannot be read: the form says so
            return pick.bodies[:1]

    def at(self, point: Vec3, pick: SpacePick) -> SpacePick:
        """The pick as if the mouse were at another place, with what is there."""
        moved = pick._replace(point=point, snapped=False, snap_kind="", axis=None, joint="")
        here = self.bodies_near(moved, (b.id for b in self.model.of("body")))
        near = NEAR * pick.pixel
        for joint in self.model.of("joint"):
            if dist(edits.joint_point(self.model, joint.id), point) <= near:
                moved = moved._replace(joint=joint.id)
        return moved._replace(bodies=here)

    def show(self, preview: Any) -> None:
        """Let the stage draw this; changes the tool."""
        super().show(in_space(preview))


class Fastening(InSpace):
    """A tool in space that attaches something at the mouse: it receives the intended place."""

    def press(self, pick: SpacePick, modifiers: Modifiers) -> None:
        """The left button goes down."""
        super().press(self.meant(pick), modifiers)

    def move(self, pick: SpacePick, modifiers: Modifiers) -> None:
        """The mouse moves."""
        super().move(self.meant(pick), modifiers)

    def release(self, pick: SpacePick, modifiers: Modifiers) -> None:
        """The left button goes up."""
        super().release(self.meant(pick), modifiers)


def in_space(preview: Any) -> SpacePreview:
    """The preview of a tool of the plane, converted to places with three numbers."""
    if isinstance(preview, SpacePreview):
        return preview
    rings = dict.fromkeys((*preview.rings, *preview.filled, *preview.hollow))
    return SpacePreview(
        lines=tuple(Line3(*line) for line in preview.lines),
        labels=preview.labels,
        rings=tuple(Ring3(at) for at in rings),
        bodies=preview.bodies,
        hint=preview.hint,
    )


class SpaceTool(InSpace):
    """A gesture in space, ended by one edit of the document."""
