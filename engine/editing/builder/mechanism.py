"""The mechanism of the notebook: one method for every body, joint and force."""

from collections.abc import Callable
from dataclasses import fields as fields_of
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.editing.builder.connecting import Connections
from engine.editing.builder.drawing import Frame, Point, distance_text, from_middle, turn_of_x_to
from engine.editing.builder.naming import named_method
from engine.errors import EngineError
from engine.files.matrices import part_of, read_part
from engine.formulas.expressions import value
from engine.formulas.resolve import parameter_values
from engine.model.bodies import PlanarBody, PlanarParticle, SpatialBody, SpatialParticle
from engine.model.elements import Id
from engine.model.fields import Number
from engine.model.forces import FORCES
from engine.model.joints import JOINTS
from engine.model.shapes import (
    Beam,
    Box,
    Capsule,
    Cylinder,
    Disc,
    Part,
    Polygon,
    Polyline,
    Rod,
    Shape,
    Sphere,
)
from rotations import quaternion

SLENDER = 0.04  # width of a rod in space per length, where none is given
BEAM_FIELDS = {f.name for f in fields_of(Beam)}
POLYLINE_FIELDS = {f.name for f in fields_of(Polyline)} - {"points"}
PART_FIELDS = {f.name for f in fields_of(Part)} - {"nodes", "stiffness", "mass"}


class Mechanism(Connections):
    """A mechanism that grows: `model` holds it, each method adds to it and returns an id.

    Points and directions are those of the world at t = 0. `fields` are further fields of the
    element, such as `name`, `velocity` or `color`. Numbers may be expressions ("2*m_rod"), also in
    points: a rod from (0, 0) to ("l_crank", 0) has the length l_crank, a point on the ground or the
    place of a body keeps the formula. Points on bodies follow their shapes, and `set` moves everything.
    """

    if TYPE_CHECKING:

        def __getattr__(self, kind: str) -> Callable[..., Id]:
            """The methods that come from the catalogue, below."""

    def __repr__(self) -> str:
        """Its name and how much it has, for notebooks."""
        model = self.model
        counts = f"{len(model.of('body'))} bodies, {len(model.of('joint'))} joints"
        return f"<Mechanism '{model.name}', {model.dim}D: {counts}>"

    def rod(
        self,
        start: Point,
        end: Point,
        *,
        mass: Number | None = None,
        width: Number | None = None,
        thickness: Number | None = None,
        length: Number | None = None,
        **fields: Any,
    ) -> Id:
        """A bar between two points; its frame is in the middle with x along it.

        In the plane a rod with a mass and no width is slender: J = m l^2 / 12. Its `length` may be a
        formula with the distance of the points as its value; points given by formulas imply one.
        """
        a, b = self._point(start), self._point(end)
        drawn, given = float(np.linalg.norm(b - a)), self._length(start, end, length)
        if not drawn > 0.0:
            raise EngineError("A rod needs two different points.")
        if width is None and (mass is not None or self.dim == 3):
            width = 0.0 if self.dim == 2 else SLENDER * drawn
        if thickness is None and self.dim == 3:
            thickness = width
        across = {"width": width, "thickness": thickness}
        shape = Rod(length=given, **{k: v for k, v in across.items() if v is not None})
        if self.dim == 2:
            frame = Frame((a + b) / 2, float(np.arctan2(*(b - a)[::-1])))
        else:
            frame = Frame((a + b) / 2, 0.0, turn_of_x_to((b - a) / drawn))
        return self._body("rod", frame, shape, mass=mass, **fields)

    def beam(self, start: Point, end: Point, **fields: Any) -> Id:
        """A rod between two points that bends; `fields` are those of a beam and of a body.

        m.beam((0, 0), (1, 0), width=0.02, thickness=0.01, youngs_modulus=7e10, modes=3, density=2700)
        """
        own = {name: fields.pop(name) for name in BEAM_FIELDS & fields.keys()}
        length = self._length(start, end, own.pop("length", None))
        a, b = self._point(start), self._point(end)
        if not np.linalg.norm(b - a) > 0.0:
            raise EngineError("A beam needs two different points.")
        if self.dim == 2:
            frame = Frame((a + b) / 2, float(np.arctan2(*(b - a)[::-1])))
        else:
            frame = Frame((a + b) / 2, 0.0, turn_of_x_to((b - a) / np.linalg.norm(b - a)))
        return self._body("beam", frame, Beam(length=length, **own), **fields)

    def part(
        self,
        at: Point,
        source: Any = None,
        *,
        K: Any = None,
        M: Any = None,
        nodes: Any = None,
        angle: float = 0.0,
        **fields: Any,
    ) -> Id:
        """A part that bends by matrices from outside; the origin of its node coordinates lies at a point.

        m.part((0, 0), "arm.npz", modes=4) with arrays K, M and nodes in the file, or
        m.part((0, 0), K="k.mtx", M="m.mtx", nodes=[(0, 0), (0.5, 0)]) by files or arrays.
        """
        own = {name: fields.pop(name) for name in PART_FIELDS & fields.keys()}
        given = [one is not None for one in (K, M, nodes)]
        if (source is None) != all(given) or (source is not None and any(given)):
            raise EngineError("A part needs either a file or all of K, M and nodes.")
        shape = part_of(K, M, nodes, **own) if source is None else read_part(source, **own)
        return self._body("part", self._frame(at, angle), shape, **fields)

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
        outline = tuple(
            tuple(from_middle(x, float(c)) for x, c in zip(point, middle)) for point in points
        )
        shape = Polygon(points=outline, thickness=thickness)
        return self._body("polygon", self._frame(middle), shape, **fields)

    def polyline(self, points: Any, **fields: Any) -> Id:
        """Bars from corner to corner, rigidly joined; its frame is in the mean of the corners.

        m.polyline([(0, 0), (1, 0), (1, 0.5)], width=0.02, flexible=True, modes=4)

        A corner that comes again closes the line, or branches it. `fields` are those of a polyline and of a
        body.
        """
        own = {name: fields.pop(name) for name in POLYLINE_FIELDS & fields.keys()}
        middle = np.array([self._point(point) for point in points]).mean(axis=0)
        line = tuple(
            tuple(from_middle(x, float(c)) for x, c in zip(point, middle)) for point in points
        )
        return self._body("polyline", self._frame(middle), Polyline(points=line, **own), **fields)

    def cylinder(self, start: Point, end: Point, radius: Number = 0.05, **fields: Any) -> Id:
        """A round bar or wheel between the middles of its faces, in space; its z lies along it."""
        a, b = self._point(start), self._point(end)
        if self.dim == 2 or not np.linalg.norm(b - a) > 0.0:
            raise EngineError("A cylinder needs two different points in space.")
        shape = Cylinder(radius=radius, length=self._length(start, end, fields.pop("length", None)))
        frame = self._frame((a + b) / 2, axis=b - a)
        return self._body("cylinder", frame, shape, **fields)

    def capsule(self, start: Point, end: Point, radius: Number = 0.05, **fields: Any) -> Id:
        """A bar with half a ball at each end, between their middles, in space; its z lies along it."""
        a, b = self._point(start), self._point(end)
        if self.dim == 2 or not np.linalg.norm(b - a) > 0.0:
            raise EngineError("A capsule needs two different points in space.")
        shape = Capsule(radius=radius, length=self._length(start, end, fields.pop("length", None)))
        return self._body("capsule", self._frame((a + b) / 2, axis=b - a), shape, **fields)

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
        place = self._frame(at).place
        return self._add(kind, position=place, mass=mass, **fields)

    def _length(self, start: Point, end: Point, length: Number | None) -> Number:
        """The length between two points: a formula if one is given, or if it follows from the points."""
        drawn = float(np.linalg.norm(self._point(end) - self._point(start)))
        if length is None:
            return distance_text(start, end) or drawn
        now = value(length, parameter_values(self.model))
        if abs(now - drawn) > 1e-9 * drawn:
            raise EngineError(
                "The length '{length}' is {now:.6g} m, but the two points are {drawn:.6g} m apart; "
                "move one of them.",
                length=str(length)[:40],
                now=now,
                drawn=drawn,
            )
        return length

    def _body(self, stem: str, frame: Frame, shape: Shape | None, **fields: Any) -> Id:
        """A body drawn at a frame of the world; an `orientation` in the fields takes precedence."""
        if self.dim == 2:
            place: dict[str, Any] = {"position": frame.place, "angle": frame.angle}
            return self._add(PlanarBody, stem, shape=shape, **{**place, **fields})
        assert frame.axes is not None
        turn = quaternion.from_matrix(frame.axes)
        place = {"position": frame.place, "orientation": turn}
        return self._add(SpatialBody, stem, shape=shape, **{**place, **fields})


for _kind in (*JOINTS, *FORCES):
    if not hasattr(Mechanism, _kind.kind):  # those with arguments of their own are written out
        setattr(Mechanism, _kind.kind, named_method(_kind))
