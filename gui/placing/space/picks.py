"""What lies under the mouse in space: the line of sight, the place that is meant, and what is there.

Plain data, known to the stage, which finds it, and to the tools, which use it. World axes, metres.
"""

from typing import NamedTuple

from engine.model.elements import Id

Vec3 = tuple[float, float, float]
UP: Vec3 = (0.0, 0.0, 1.0)


class Ray(NamedTuple):
    """The line of sight through the mouse."""

    origin: Vec3  # in front of everything that is seen
    direction: Vec3  # unit, away from the eye


class SpacePick(NamedTuple):
    """A place in space, with the geometry and the elements there.

    `bodies`, `element`, `marker` and `joint` mean what they mean in `gui.placing.plane.picks.Pick`.
    """

    point: Vec3  # snapped, else on the surface that is seen, else on the working plane
    normal: Vec3 = UP  # unit, towards the eye: of that surface or of the working plane
    ray: Ray = Ray((0.0, 0.0, 1.0), (0.0, 0.0, -1.0))
    pixel: float = 0.005  # metres per pixel at the point
    snapped: bool = False
    snap_kind: str = ""  # "joint", "point", "center", "face", "edge", "corner", "grid"; or nothing
    axis: Vec3 | None = None  # unit; natural here: of a round face, an edge, a normal
    bodies: tuple[Id, ...] = ()  # along the line of sight, nearest first
    element: Id = ""  # the nearest element of any kind
    marker: Id = ""  # the marker it snapped to
    joint: Id = ""  # the joint here
    handle: str = ""  # of the gizmo: "x", "xy", "turn_x", ... or nothing

    @property
    def place(self) -> Vec3:
        """The point, by the name that picks in the plane have for theirs."""
        return self.point
