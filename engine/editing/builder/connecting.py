"""The connections of a mechanism: joints, motions and forces at world points."""

from typing import Any

import numpy as np

from engine.editing.builder.drawing import Drawing, Frame, Point
from engine.errors import EngineError, say
from engine.formulas.resolve import resolved_shape
from engine.model import forces, joints
from engine.model.attachments import reads_axes
from engine.model.elements import Element, Id
from engine.model.fields import Function, Number
from engine.model.forces.cable import WAYS, wound

End = tuple[Id, Point]  # a body and a world point on it


def lying_way(pulley: Frame, start: np.ndarray, end: np.ndarray, radius: float) -> str:
    """The way round a pulley on which a cable between two points touches it, by the smaller angle."""
    axes = np.eye(3) if pulley.axes is None else pulley.axes
    arms = np.zeros((2, 3))
    arms[0, : len(start)], arms[1, : len(end)] = start - pulley.origin, end - pulley.origin
    d, o = arms @ axes
    angles = {way: wound(d, o, float(radius), sign, 0.0)[2] for way, sign in WAYS.items()}
    touching = [way for way in angles if angles[way] >= 0.0]
    return min(touching, key=angles.__getitem__) if touching else next(iter(WAYS))


class Connections(Drawing):
    """Joints, motions and forces at world points.

    This class has the general methods, and those of kinds whose arguments have a special order. The
    others, by the name of each kind, come from the catalogue: engine/editing/builder/naming.py.
    """

    def joint(
        self,
        kind: type[Element],
        body_i: Id,
        body_j: Id,
        at: Point,
        *,
        angle: float = 0.0,
        axis: Point | None = None,
        x: Point | None = None,
        **fields: Any,
    ) -> Id:
        """Any joint of engine.model.joints at a world point, with the same frame for both its markers.

        In the plane `angle` or `axis` is the direction of x, along which things slide. In space
        `axis` is the direction of z, the axis of the joint, and `x` that of x, where it matters.
        """
        frame = self._frame(at, angle, axis, x)
        return self._connect(kind, (body_i, frame), (body_j, frame), **fields)

    def on_shafts(
        self,
        kind: type[Element],
        body_i: Id,
        body_j: Id,
        at: Point,
        axis_i: Point,
        axis_j: Point,
        **fields: Any,
    ) -> Id:
        """A joint between a shaft of body i along axis_i and one of body j along axis_j, in space.

        Both markers have x across both shafts, x = axis_i x axis_j; any perpendicular direction where they
        are in line.
        """
        across = np.cross(self._point(axis_i), self._point(axis_j))
        if not np.linalg.norm(across) > 1e-9 * np.linalg.norm(axis_i) * np.linalg.norm(axis_j):
            across = self._axes(axis_i)[:, 0]  # in line to rounding
        ends = [self._frame(at, axis=axis, x=across) for axis in (axis_i, axis_j)]
        return self._connect(kind, (body_i, ends[0]), (body_j, ends[1]), **fields)

    def between(
        self,
        kind: type[Element],
        end_i: End,
        end_j: End,
        *,
        axis: Point | None = None,
        **fields: Any,
    ) -> Id:
        """Any element from a point of one body to a point of another, each given as (body, point).

        Where its axes matter, in space, z is normal to the line from i to j: as near to `axis` as possible,
        or upward. Of shapes that touch, `axis` is the direction of the surface in the plane, with what
        it carries on its left, and in space the normal of the surface.
        """
        (body_i, point_i), (body_j, point_j) = end_i, end_j
        axes: dict[str, Any] = {}
        if self.dim == 3 and any(reads_axes(kind, 3)):
            axes = self._across(self._point(point_j) - self._point(point_i), axis)
        elif axis is not None:
            self._expect(
                getattr(kind, "has_surfaces", False),
                say("'{kind}' has no axis here: leave it out.", kind=kind.kind),
            )
            axes = {"axis": axis}
        ends = (body_i, self._frame(point_i, **axes)), (body_j, self._frame(point_j, **axes))
        return self._connect(kind, *ends, **fields)

    def over(
        self,
        kind: type[Element],
        end_i: End,
        pulley: End,
        end_j: End,
        *,
        axis: Point | None = None,
        **fields: Any,
    ) -> Id:
        """A cable from a point of one body over a pulley to a point of another, each as (body, point).

        Without a radius that of the pulley's body; without a way the one on which it lies on the pulley. In
        space the axle is that of the body, if it is round, or `axis`.
        """
        body, at = pulley
        shape = getattr(self.model.elements.get(body), "shape", None)
        if "radius" not in fields:
            known = (
                resolved_shape(self._live, self.model[body]) if hasattr(shape, "radius") else None
            )
            fields["radius"] = 0.1 if known is None else known.radius
        if self.dim == 3 and axis is None and getattr(shape, "axle", None) is not None:
            axes: Any = self._pose(body).axes
            axis = tuple(axes[:, shape.axle].tolist())  # type: ignore[union-attr]
        frame = self._frame(at, axis=axis) if self.dim == 3 else self._frame(at)
        ends = [self._frame(point) for _, point in (end_i, end_j)]
        if "way" not in fields and not isinstance(fields["radius"], str):
            fields["way"] = lying_way(frame, ends[0].origin, ends[1].origin, fields["radius"])
        with self._all_or_nothing():
            i, j = (
                self._glue(body_of_end, end) for (body_of_end, _), end in zip((end_i, end_j), ends)
            )
            return self._add(kind, marker_i=i, marker_j=j, pulley=self._glue(body, frame), **fields)

    def at_marker(self, kind: type[Element], body: Id, at: Point, **fields: Any) -> Id:
        """Anything that acts at a point of one body."""
        return self._add(kind, marker_i=self._glue(body, self._frame(at)), **fields)

    def on_joint(self, kind: type[Element], joint: Id, **fields: Any) -> Id:
        """Anything that acts in a joint."""
        return self._add(kind, joint=joint, **fields)

    def screw(self, body_i: Id, body_j: Id, at: Point, pitch: Number = 0.01, **more: Any) -> Id:
        """A thread along `axis` that advances by `pitch` in one turn."""
        return self.joint(joints.Screw, body_i, body_j, at, pitch=pitch, **more)

    def massless_rod(self, end_i: End, end_j: End, **fields: Any) -> Id:
        """Keep the distance between a point of one body and a point of another."""
        return self.between(joints.Rod, end_i, end_j, **fields)

    def rolling_disc(
        self,
        body_i: Id,
        body_j: Id,
        on: Point,
        center: Point,
        *,
        radius: Number,
        angle: float = 0.0,
        axis: Point | None = None,
        axle: Point | None = None,
        **fields: Any,
    ) -> Id:
        """A disc of body j rolls on a line or plane of body i that goes through the point `on`.

        In the plane `angle` or `axis` is the direction of the line, with the disc on its left. In
        space `axis` is the normal of the plane and `axle` the axis of the disc.
        """
        floor = self._frame(on, angle, axis)
        if self.dim == 2:
            wheel = self._frame(center, floor.angle)
        elif axle is None:
            raise EngineError("A rolling disc in space needs the direction of its axle.")
        else:
            wheel = self._frame(center, axis=axle)
        return self._connect(
            joints.RollingDisc, (body_i, floor), (body_j, wheel), radius=radius, **fields
        )

    def gear(
        self,
        joint_1: Id,
        joint_2: Id,
        radius_1: Number | None = None,
        radius_2: Number | None = None,
        **more: Any,
    ) -> Id:
        """Two gears that turn in two joints; `inside=True` if one runs within the other.

        A radius that is not given is that of the disc.
        """
        ends = {"joint_1": joint_1, "joint_2": joint_2}
        return self._add(joints.Gear, **ends, radius_1=radius_1, radius_2=radius_2, **more)

    def rack_and_pinion(self, joint_1: Id, joint_2: Id, radius: Number, **more: Any) -> Id:
        """A pinion in joint 1 drives a rack in joint 2."""
        ends = {"joint_1": joint_1, "joint_2": joint_2}
        return self._add(joints.RackAndPinion, **ends, radius=radius, **more)

    def motion(self, joint: Id, law: Function, quantity: str = "position", **fields: Any) -> Id:
        """Drive a coordinate of a joint: its position, speed or acceleration follows the law."""
        return self._add(joints.Motion, joint=joint, law=law, quantity=quantity, **fields)

    def general_force(self, end_i: End, end_j: End, law: Function = 0.0, **fields: Any) -> Id:
        """A force or torque by an expression of t, distance, rate, angle and speed."""
        return self.between(forces.GeneralForce, end_i, end_j, law=law, **fields)

    def torsion_spring(self, joint: Id, stiffness: Number = 10.0, **fields: Any) -> Id:
        """A torsion spring on the angle of a joint."""
        return self._add(forces.TorsionSpring, joint=joint, stiffness=stiffness, **fields)

    def joint_damping(self, joint: Id, damping: Number = 0.1, **fields: Any) -> Id:
        """Viscous resistance in a joint."""
        return self._add(forces.JointDamping, joint=joint, damping=damping, **fields)

    def joint_limits(self, joint: Id, low: Number, high: Number, **fields: Any) -> Id:
        """Stops at both ends of a joint's travel."""
        return self._add(forces.JointLimits, joint=joint, low=low, high=high, **fields)

    def actuator(self, joint: Id, law: Function, **fields: Any) -> Id:
        """A motor in a joint: a force or torque by an expression."""
        return self._add(forces.Actuator, joint=joint, law=law, **fields)

    def force(self, body: Id, at: Point, components: Any, **fields: Any) -> Id:
        """A given force on a body at a point; components are numbers or expressions of t."""
        self._expect(
            len(components) == self.dim, say("A force needs {dim} components.", dim=self.dim)
        )
        named = dict(zip(("f_x", "f_y", "f_z"), components))
        return self.at_marker(forces.PointForce, body, at, **named, **fields)

    def torque(self, body: Id, components: Any, **fields: Any) -> Id:
        """A given torque on a body: one value in the plane, three components in space."""
        if self.dim == 2:
            named = {"t_z": components}
        else:
            self._expect(len(components) == 3, say("A torque in space needs three components."))
            named = dict(zip(("t_x", "t_y", "t_z"), components))
        frame = self._frame(self._pose(body).origin)
        return self._add(forces.Torque, marker_i=self._glue(body, frame), **named, **fields)

    def _across(self, way: np.ndarray, axis: Point | None) -> dict[str, Any]:
        """The directions of z and x of a marker: x along the line, z normal to it."""
        along = way / max(float(np.linalg.norm(way)), 1e-300)
        if axis is not None:
            wanted = self._point(axis)
        else:
            wanted = np.array([0.0, 0.0, 1.0]) if abs(along[2]) < 0.9 else np.array([1.0, 0.0, 0.0])
        z = wanted - along * (along @ wanted)
        self._expect(
            bool(np.linalg.norm(z) > 1e-9 * np.linalg.norm(wanted)),
            say("The axis must not lie along the line between the two points; choose another."),
        )
        return {"axis": z, "x": along}

    def _connect(
        self, kind: type[Element], end_i: tuple[Id, Frame], end_j: tuple[Id, Frame], **fields: Any
    ) -> Id:
        """An element between two new markers; the model is unchanged if it cannot be made."""
        with self._all_or_nothing():
            i, j = self._glue(*end_i), self._glue(*end_j)
            return self._add(kind, marker_i=i, marker_j=j, **fields)

    def _expect(self, holds: bool, sentence: str) -> None:
        """Raise an EngineError unless the condition holds."""
        if not holds:
            raise EngineError(sentence)
