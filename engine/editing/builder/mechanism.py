"""The mechanism of the notebook: one method for every body, joint and force."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.editing.builder.connecting import Connections
from engine.editing.builder.drawing import Frame, Point, turn_of_x_to
from engine.editing.builder.naming import named_method
from engine.errors import EngineError
from engine.model.bodies import PlanarBody, PlanarParticle, SpatialBody, SpatialParticle
from engine.model.elements import Id
from engine.model.fields import Number
from engine.model.forces import FORCES
from engine.model.joints import JOINTS
from engine.model.shapes import Box, Cylinder, Disc, Polygon, Rod, Shape, Sphere
from rotations import quaternion

SLENDER = 0.04  # width of a rod in space per length, where none is given


class Mechanism(Connections):
    """A mechanism that grows: `model` holds it, each method adds to it and returns an id.

    Points and directions are those of the world at t = 0. `fields` are further fields of the
    element, such as `name`, `velocity` or `color`; numbers that are not places may be expressions
    ("2*m_rod").
    """

    if TYPE_CHECKING:

        def __getattr__(self, kind: str) -> Callable[..., Id]:
            """The methods that come from the catalogue, below."""

    def rod(
        self,
        start: Point,
        end: Point,
        *,
        mass: Number | None = None,
        width: Number | None = None,
        thickness: Number | None = None,
        **fields: Any,
    ) -> Id:
        """A bar between two points; its frame is in the middle with x along it.

        In the plane a rod with a mass and no width is slender: J = m l^2 / 12.
        """
        a, b = self._point(start), self._point(end)
        length = float(np.linalg.norm(b - a))
        if not length > 0.0:
            raise EngineError("A rod needs two different points.")
        if width is None and (mass is not None or self.dim == 3):
            width = 0.0 if self.dim == 2 else SLENDER * length
        if thickness is None and self.dim == 3:
            thickness = width
        given = {"width": width, "thickness": thickness}
        shape = Rod(length=length, **{k: v for k, v in given.items() if v is not None})
        if self.dim == 2:
            frame = Frame((a + b) / 2, float(np.arctan2(*(b - a)[::-1])))
        else:
            frame = Frame((a + b) / 2, 0.0, turn_of_x_to((b - a) / length))
        return self._body("rod", frame, shape, mass=mass, **fields)

    def box(
        self,
        at: Point,
        width: Number = 0.2,
        height: Number = 0.1,
        thickness: Number = 0.05,
        *,
        angle: float = 0.0,
        **fields: Any,
    ) -> Id:
        """A block with its middle at a point: width, height and thickness along its x, y and z."""
        shape = Box(width=width, height=height, thickness=thickness)
        return self._body("box", self._frame(at, angle), shape, **fields)

    def disc(self, at: Point, radius: Number = 0.1, *, angle: float = 0.0, **fields: Any) -> Id:
        """A round plate with its middle at a point, in the plane; in space see `cylinder`."""
        thickness = fields.pop("thickness", Disc().thickness)
        shape = Disc(radius=radius, thickness=thickness)
        return self._body("disc", self._frame(at, angle), shape, **fields)

    def polygon(self, points: Any, *, thickness: Number = 0.01, **fields: Any) -> Id:
        """A plate with these corners, in the plane; its frame is in the mean of the corners."""
        corners = np.array([self._point(point) for point in points])
        middle = corners.mean(axis=0)
        outline = tuple(tuple(map(float, corner)) for corner in corners - middle)
        shape = Polygon(points=outline, thickness=thickness)
        return self._body("polygon", self._frame(middle), shape, **fields)

    def cylinder(self, start: Point, end: Point, radius: Number = 0.05, **fields: Any) -> Id:
        """A round bar or wheel between the middles of its faces, in space; its z lies along it."""
        a, b = self._point(start), self._point(end)
        length = float(np.linalg.norm(b - a))
        if self.dim == 2 or not length > 0.0:
            raise EngineError("A cylinder needs two different points in space.")
        shape = Cylinder(radius=radius, length=length)
        frame = self._frame((a + b) / 2, axis=b - a)
        return self._body("cylinder", frame, shape, **fields)

    def sphere(self, at: Point, radius: Number = 0.1, **fields: Any) -> Id:
        """A ball with its middle at a point, in space."""
        return self._body("sphere", self._frame(at), Sphere(radius=radius), **fields)

    def body(
        self, at: Point, *, angle: float = 0.0, shape: Shape | None = None, **fields: Any
    ) -> Id:
        """A body with its frame at a point, given by mass, inertia and center, or by a shape."""
        return self._body("body", self._frame(at, angle), shape, **fields)

    def particle(self, at: Point, mass: Number = 1.0, **fields: Any) -> Id:
        """A point mass."""
        kind = PlanarParticle if self.dim == 2 else SpatialParticle
        return self._add(kind, position=self._point(at), mass=mass, **fields)

    def _body(self, stem: str, frame: Frame, shape: Shape | None, **fields: Any) -> Id:
        """A body drawn at a frame of the world; an `orientation` in the fields takes precedence."""
        if self.dim == 2:
            place: dict[str, Any] = {"position": frame.origin, "angle": frame.angle}
            return self._add(PlanarBody, stem, shape=shape, **{**place, **fields})
        assert frame.axes is not None
        turn = quaternion.from_matrix(frame.axes)
        place = {"position": frame.origin, "orientation": turn}
        return self._add(SpatialBody, stem, shape=shape, **{**place, **fields})


for _kind in (*JOINTS, *FORCES):
    if not hasattr(Mechanism, _kind.kind):  # those with arguments of their own are written out
        setattr(Mechanism, _kind.kind, named_method(_kind))
