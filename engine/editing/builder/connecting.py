"""The connections of a mechanism: a thin method for every joint and every force."""

from typing import Any

import numpy as np

from engine.editing.builder.drawing import Drawing, Frame, Point
from engine.errors import EngineError
from engine.model import forces, joints
from engine.model.elements import Element, Id
from engine.model.fields import Function, Number

End = tuple[Id, Point]  # a body and a world point on it


class Connections(Drawing):
    """Joints, motions and forces at world points."""

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

    def revolute(self, body_i: Id, body_j: Id, at: Point, **more: Any) -> Id:
        """A hinge; in space about `axis`."""
        return self.joint(joints.Revolute, body_i, body_j, at, **more)

    def prismatic(self, body_i: Id, body_j: Id, at: Point, **more: Any) -> Id:
        """A slider along `axis`."""
        return self.joint(joints.Prismatic, body_i, body_j, at, **more)

    def weld(self, body_i: Id, body_j: Id, at: Point, **more: Any) -> Id:
        """Make two bodies one."""
        return self.joint(joints.Weld, body_i, body_j, at, **more)

    def point_on_line(self, body_i: Id, body_j: Id, at: Point, **more: Any) -> Id:
        """A pin of body j in a slot of body i along `axis`."""
        return self.joint(joints.PointOnLine, body_i, body_j, at, **more)

    def knife_edge(self, body_i: Id, body_j: Id, at: Point, **more: Any) -> Id:
        """A blade of body j that slides along x only, seen from body i."""
        return self.joint(joints.KnifeEdge, body_i, body_j, at, **more)

    def spherical(self, body_i: Id, body_j: Id, at: Point, **more: Any) -> Id:
        """A ball joint."""
        return self.joint(joints.Spherical, body_i, body_j, at, **more)

    def cylindrical(self, body_i: Id, body_j: Id, at: Point, **more: Any) -> Id:
        """A shaft along `axis` that turns and slides."""
        return self.joint(joints.Cylindrical, body_i, body_j, at, **more)

    def planar(self, body_i: Id, body_j: Id, at: Point, **more: Any) -> Id:
        """Body j slides and turns on a plane of body i with the normal `axis`."""
        return self.joint(joints.Planar, body_i, body_j, at, **more)

    def point_on_plane(self, body_i: Id, body_j: Id, at: Point, **more: Any) -> Id:
        """A point of body j stays on a plane of body i with the normal `axis`."""
        return self.joint(joints.PointOnPlane, body_i, body_j, at, **more)

    def screw(self, body_i: Id, body_j: Id, at: Point, pitch: Number = 0.01, **more: Any) -> Id:
        """A thread along `axis` that advances by `pitch` in one turn."""
        return self.joint(joints.Screw, body_i, body_j, at, pitch=pitch, **more)

    def universal(
        self, body_i: Id, body_j: Id, at: Point, axis_i: Point, axis_j: Point, **fields: Any
    ) -> Id:
        """A cross between a shaft of body i along axis_i and one of body j along axis_j.

        One arm lies across both shafts, x = axis_i x axis_j; any will do where they are in line.
        """
        across = np.cross(self._point(axis_i), self._point(axis_j))
        if not np.linalg.norm(across) > 1e-9 * np.linalg.norm(axis_i) * np.linalg.norm(axis_j):
            across = self._axes(axis_i)[:, 0]  # in line to rounding
        ends = [self._frame(at, axis=axis, x=across) for axis in (axis_i, axis_j)]
        return self._connect(joints.Universal, (body_i, ends[0]), (body_j, ends[1]), **fields)

    def massless_rod(self, end_i: End, end_j: End, **fields: Any) -> Id:
        """Keep the distance between a point of one body and a point of another."""
        return self._between(joints.Rod, end_i, end_j, **fields)

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

    def gear(self, joint_1: Id, joint_2: Id, radius_1: Number, radius_2: Number, **more: Any) -> Id:
        """Two gears that turn in two joints; `inside=True` if one runs within the other."""
        ends = {"joint_1": joint_1, "joint_2": joint_2}
        return self._add(joints.Gear, **ends, radius_1=radius_1, radius_2=radius_2, **more)

    def rack_and_pinion(self, joint_1: Id, joint_2: Id, radius: Number, **more: Any) -> Id:
        """A pinion in joint 1 drives a rack in joint 2."""
        ends = {"joint_1": joint_1, "joint_2": joint_2}
        return self._add(joints.RackAndPinion, **ends, radius=radius, **more)

    def motion(self, joint: Id, law: Function, quantity: str = "position", **fields: Any) -> Id:
        """Drive a coordinate of a joint: its position, speed or acceleration follows the law."""
        return self._add(joints.Motion, joint=joint, law=law, quantity=quantity, **fields)

    def spring(self, end_i: End, end_j: End, **fields: Any) -> Id:
        """A spring between two points, each given as (body, point)."""
        return self._between(forces.Spring, end_i, end_j, **fields)

    def damper(self, end_i: End, end_j: End, **fields: Any) -> Id:
        """A damper between two points."""
        return self._between(forces.Damper, end_i, end_j, **fields)

    def spring_damper(self, end_i: End, end_j: End, **fields: Any) -> Id:
        """A spring and a damper between two points."""
        return self._between(forces.SpringDamper, end_i, end_j, **fields)

    def general_force(self, end_i: End, end_j: End, law: Function, **fields: Any) -> Id:
        """A force or torque by an expression of t, distance, rate, angle and speed."""
        return self._between(forces.GeneralForce, end_i, end_j, law=law, **fields)

    def bushing(self, body_i: Id, body_j: Id, at: Point, **more: Any) -> Id:
        """A rubber bearing at a point."""
        return self.joint(forces.Bushing, body_i, body_j, at, **more)

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
        self._expect(len(components) == self.dim, f"A force needs {self.dim} components.")
        named = dict(zip(("f_x", "f_y", "f_z"), components))
        return self._add(
            forces.PointForce, marker_i=self._glue(body, self._frame(at)), **named, **fields
        )

    def torque(self, body: Id, components: Any, **fields: Any) -> Id:
        """A given torque on a body: one value in the plane, three components in space."""
        if self.dim == 2:
            named = {"t_z": components}
        else:
            self._expect(len(components) == 3, "A torque in space needs three components.")
            named = dict(zip(("t_x", "t_y", "t_z"), components))
        frame = self._frame(self._pose(body).origin)
        return self._add(forces.Torque, marker_i=self._glue(body, frame), **named, **fields)

    def _between(self, kind: type[Element], end_i: End, end_j: End, **fields: Any) -> Id:
        """An element between two points, each on its body."""
        (body_i, point_i), (body_j, point_j) = end_i, end_j
        ends = (body_i, self._frame(point_i)), (body_j, self._frame(point_j))
        return self._connect(kind, *ends, **fields)

    def _connect(
        self, kind: type[Element], end_i: tuple[Id, Frame], end_j: tuple[Id, Frame], **fields: Any
    ) -> Id:
        """An element between two new markers; without a trace if it cannot be made."""
        before = self.model
        try:
            i, j = self._glue(*end_i), self._glue(*end_j)
            return self._add(kind, marker_i=i, marker_j=j, **fields)
        except EngineError:
            self.model = before
            raise

    def _expect(self, holds: bool, sentence: str) -> None:
        """Raise an EngineError unless the condition holds."""
        if not holds:
            raise EngineError(sentence)
