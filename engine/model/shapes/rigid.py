"""Shapes that stay as they are: bars, blocks, round ones, plates and meshes."""

from dataclasses import dataclass, field
from math import pi
from typing import Any, ClassVar

import numpy as np

from engine.errors import EngineError
from engine.model.fields import Number, number, points, text
from engine.model.shapes.shape import TRIANGLES, Shape
from engine.model.solids import (
    MAX_TRIANGLES,
    Array,
    Moments,
    block,
    centred,
    check_outline,
    mesh_moments,
    polygon_moments,
    round_bar,
    table,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rod(Shape):
    """A bar along the body x axis, centred: length x width x thickness along x, y, z."""

    kind: ClassVar[str] = "rod"
    shaft: ClassVar[int | None] = 0
    length: Number = number(1.0, unit="m", above=0.0, help="Along the body x axis.")
    width: Number = number(0.04, unit="m", low=0.0, help="Along y; 0: slender, then give a mass.")
    thickness: Number = number(0.01, unit="m", low=0.0, help="Along z, out of the plane.")

    def reach(self, n: Array) -> Any:
        """That of a block."""
        return np.abs(n) @ (self.length, self.width, self.thickness) / 2

    def moments(self) -> Moments:
        """That of a block."""
        return block(self.length, self.width, self.thickness)


@dataclass(frozen=True, slots=True, kw_only=True)
class Box(Shape):
    """A block, centred: width x height x thickness along x, y, z."""

    kind: ClassVar[str] = "box"
    width: Number = number(0.2, unit="m", above=0.0, help="Along the body x axis.")
    height: Number = number(0.1, unit="m", above=0.0, help="Along the body y axis.")
    thickness: Number = number(0.05, unit="m", above=0.0, help="Along z, out of the plane.")

    def reach(self, n: Array) -> Any:
        """That of a block."""
        return np.abs(n) @ (self.width, self.height, self.thickness) / 2

    def moments(self) -> Moments:
        """That of a block."""
        return block(self.width, self.height, self.thickness)


@dataclass(frozen=True, slots=True, kw_only=True)
class Disc(Shape):
    """A round plate in the plane, centred."""

    kind: ClassVar[str] = "disc"
    dims: ClassVar[tuple[int, ...]] = (2,)
    axle: ClassVar[int | None] = 2
    radius: Number = number(0.1, unit="m", above=0.0)
    thickness: Number = number(0.01, unit="m", above=0.0, help="Out of the plane.")

    def reach(self, n: Array) -> Any:
        """That of a round bar along z."""
        return _round_reach(n, self.radius, self.thickness)

    def moments(self) -> Moments:
        """That of a round bar along z."""
        return round_bar(self.radius, self.thickness)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cylinder(Shape):
    """A round bar or wheel along the body z axis, centred."""

    kind: ClassVar[str] = "cylinder"
    dims: ClassVar[tuple[int, ...]] = (3,)
    shaft: ClassVar[int | None] = 2
    axle: ClassVar[int | None] = 2
    radius: Number = number(0.05, unit="m", above=0.0)
    length: Number = number(0.2, unit="m", above=0.0, help="Along the body z axis.")

    def reach(self, n: Array) -> Any:
        """That of a round bar along z."""
        return _round_reach(n, self.radius, self.length)

    def distance(self, p: Array) -> Any:
        """From the mantle, an end face or a rim."""
        r, l = self.radius, self.length
        aside, beyond = np.hypot(p[0], p[1]) - r, np.abs(p[2]) - l / 2  # type: ignore[operator]
        return np.hypot(np.maximum(aside, 0.0), np.maximum(beyond, 0.0))

    def moments(self) -> Moments:
        """That of a round bar along z."""
        return round_bar(self.radius, self.length)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sphere(Shape):
    """A ball, centred."""

    kind: ClassVar[str] = "sphere"
    dims: ClassVar[tuple[int, ...]] = (3,)
    radius: Number = number(0.1, unit="m", above=0.0)

    def reach(self, n: Array) -> Any:
        """The radius."""
        return self.radius

    def distance(self, p: Array) -> Any:
        """From its surface."""
        return np.maximum(np.linalg.norm(p) - self.radius, 0.0)  # type: ignore[operator]

    def long_axis(self) -> int | None:
        """None: all directions are equivalent."""
        return None

    def moments(self) -> Moments:
        """S = r^2/5 1."""
        r: Any = self.radius
        return centred(4 / 3 * pi * r * r * r, r * r / 5, r * r / 5, r * r / 5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Capsule(Shape):
    """A round bar along the body z axis with half a ball at each end, centred."""

    kind: ClassVar[str] = "capsule"
    dims: ClassVar[tuple[int, ...]] = (3,)
    shaft: ClassVar[int | None] = 2
    axle: ClassVar[int | None] = 2
    radius: Number = number(0.05, unit="m", above=0.0)
    length: Number = number(
        0.2, unit="m", above=0.0, help="Along z, between the middles of its half balls."
    )

    def reach(self, n: Array) -> Any:
        """That of its axis, and the radius."""
        return np.abs(n[2]) * self.length / 2 + self.radius

    def distance(self, p: Array) -> Any:
        """From its axis, less the radius."""
        beyond = np.maximum(np.abs(p[2]) - self.length / 2, 0.0)  # type: ignore[operator]
        return np.maximum(np.linalg.norm((p[0], p[1], beyond)) - self.radius, 0.0)  # type: ignore[operator]

    def moments(self) -> Moments:
        """Those of the bar and of both halves of a ball, whose centroids are 3 r/8 from their faces.

        Along z a half ball has  integral z^2 dV = V_h (r^2/5 + (3/4) r h + h^2)  with h = l/2.
        """
        r, h = float(self.radius), float(self.length) / 2
        bar, ball = 2.0 * pi * r * r * h, 4.0 / 3.0 * pi * r**3
        across = (bar * r * r / 4 + ball * r * r / 5) / (bar + ball)
        along = bar * h * h / 3 + ball * (r * r / 5 + 0.75 * r * h + h * h)
        return centred(bar + ball, across, across, along / (bar + ball))


@dataclass(frozen=True, slots=True, kw_only=True)
class Polygon(Shape):
    """A plate with any simple outline in x and y; along z it is centred."""

    kind: ClassVar[str] = "polygon"
    points: tuple[tuple[Number, ...], ...] = points(
        ((0.0, 0.0), (0.2, 0.0), (0.0, 0.1)), unit="m", help="Corners in order, either way round."
    )
    thickness: Number = number(0.01, unit="m", above=0.0, help="Along z, out of the plane.")

    def reach(self, n: Array) -> Any:
        """To the farthest corner."""
        flat = np.array(self.points, dtype=float) @ n[:2]
        return flat.max() + np.abs(n[2]) * self.thickness / 2

    def moments(self) -> Moments:
        """That of the outline, drawn out along z."""
        return polygon_moments(np.array(self.points, dtype=float), float(self.thickness))

    def check(self) -> None:
        """The outline has an area and does not cross itself."""
        check_outline(table(self.points, 2, "polygon", "Point"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Mesh(Shape):
    """A solid bounded by triangles, read from a file and kept in the model."""

    kind: ClassVar[str] = "mesh"
    dims: ClassVar[tuple[int, ...]] = (3,)
    vertices: tuple[tuple[float, ...], ...] = points(unit="m", help="Corners, body axes.")
    faces: tuple[tuple[int, int, int], ...] = field(default=(), metadata=TRIANGLES)
    source: str = text(help="The file it came from.")

    def reach(self, n: Array) -> Any:
        """To the farthest corner."""
        return (np.array(self.vertices, dtype=float).reshape(-1, 3) @ n).max(initial=0.0)

    def moments(self) -> Moments:
        """That of the closed surface."""
        return mesh_moments(np.array(self.vertices, dtype=float), np.array(self.faces, dtype=int))

    def check(self) -> None:
        """Every face names three corners that exist."""
        if len(self.faces) > MAX_TRIANGLES:
            raise EngineError(
                "The mesh has more than {max_triangles} triangles; simplify it.",
                max_triangles=MAX_TRIANGLES,
            )
        vertices = table(self.vertices, 3, "mesh", "Vertex")
        faces = table(self.faces, 3, "mesh", "Face")
        if len(faces) == 0:
            raise EngineError("The mesh has no faces; read it from an STL or OBJ file.")
        if np.any(faces != np.round(faces)) or faces.min() < 0 or faces.max() >= len(vertices):
            raise EngineError("A face of the mesh names a vertex that does not exist.")


def _round_reach(n: Array, radius: Any, length: Any) -> Any:
    """The extent of a round bar along z in a unit direction."""
    return np.abs(n[2]) * length / 2 + radius * np.sqrt(np.maximum(1.0 - n[2] * n[2], 0.0))
