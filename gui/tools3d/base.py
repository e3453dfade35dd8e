"""What tools in space show while they are at work, and what they share.

A tool in space is a `Tool` that is told a `SpacePick` and shows a `SpacePreview`. It imports neither
VTK nor widgets: the stage draws what it shows.
"""

from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

from engine.model import Id
from gui.stage3d.picks import Vec3
from gui.tools.base import Tool

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


class Label3(NamedTuple):
    """A few words beside a place; `field` marks the number that is being typed."""

    at: Vec3
    text: str
    field: bool = False


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
    """What the stage draws over the model while a tool is at work; metres, world axes."""

    lines: tuple[Line3, ...] = ()
    solids: tuple[Solid3, ...] = ()
    labels: tuple[Label3, ...] = ()
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


class SpaceTool(Tool):
    """A gesture in space, ended by one edit of the document."""

    dim: ClassVar[int] = 3
    nothing: ClassVar[Any] = EMPTY
