"""How selected elements are moved and turned in space, and the drags that request it.

A mover applies a shift or a rotation to a model; a drag derives them from the mouse.
"""

from collections.abc import Sequence
from math import pi, radians, remainder
from typing import Any

import numpy as np

from engine.editing import edits
from engine.errors import EngineError
from engine.kinematics.dragging import MOST_STEPS, Dragged, Grip
from engine.model.attachments import reads_axes
from engine.model.elements import GROUND, Id, Model
from engine.model.joints.freedom import freedom
from gui.look.translation import QT_TRANSLATE_NOOP
from gui.placing.space.picks import SpacePick, Vec3
from gui.tools.base import SHIFT, Modifiers
from gui.tools.plane.drags import NEAR_END
from gui.tools.space import geometry as g
from gui.tools.space.base import MOVE, Gizmo
from gui.tools.space.span import CTRL, grid_of
from gui.tools.typed import Quantity
from rotations import axis_angle, quaternion

QUICK = 10  # steps of a grip for one move of the mouse; the release has no limit
TURN, COARSE = radians(5.0), radians(15.0)  # steps of a turn; with Shift
HELD = 1e-3  # of the size, or rad: the rest of a motion that joints do not allow
LEVER = 80.0  # pixels along a ring seen edge-on, for a rotation of one radian


class Mover:
    """Moves and turns elements of the model from which the drag began."""

    def __init__(self, model: Model, ids: Sequence[Id], at: Vec3) -> None:
        self.model, self.ids, self.at = model, tuple(ids), at
        self.reason = ""  # why it cannot be moved
        self.is_held = False  # whether joints stopped it short

    def shifted(self, shift: Vec3, *, last: bool = True, sight: Vec3 | None = None) -> Model:
        """All moved by a shift."""
        return edits.unmarked(self.model, edits.translated(self.model, self.ids, shift))

    def turned(self, axis: Vec3, angle: float, *, last: bool = True) -> Model:
        """All turned about an axis through the place of the gizmo."""
        after = edits.turned(self.model, self.ids, axis, angle, self.at)
        return edits.unmarked(self.model, after)


class GripMover(Mover):
    """A body of a mechanism: the joints stay closed, the rest follows with the least motion."""

    def __init__(self, model: Model, ids: Sequence[Id], at: Vec3) -> None:
        super().__init__(model, ids, at)
        frame = edits.space_frame(model, ids[0])
        self.axes = frame.R
        self.grip = Grip(model, ids[0], frame.to_local(at))
        self.reason = self.grip.reason
        joints = [
            j.id for j in model.of("joint") if set(edits.bodies_of(model, j.id)) & self.grip.ids
        ]
        self.ids = (*self.grip.ids, *joints)

    def shifted(self, shift: Vec3, *, last: bool = True, sight: Vec3 | None = None) -> Model:
        """The model with the held point pulled along."""
        steps = MOST_STEPS if last else QUICK
        return self._taken(self.grip.to(g.plus(self.at, shift), steps, sight), self.grip.size)

    def turned(self, axis: Vec3, angle: float, *, last: bool = True) -> Model:
        """The body turned as far as its joints allow."""
        R = axis_angle.matrix(np.array(axis), angle) @ self.axes
        return self._taken(self.grip.turn_to(R, MOST_STEPS if last else QUICK), 1.0)

    @property
    def held_at(self) -> Vec3:
        """Where the point that is held is now."""
        x, y, z = map(float, self.grip.point(self.grip.q))
        return x, y, z

    def _taken(self, dragged: Dragged, size: float) -> Model:
        """The model of a drag; remembers whether it reached its target."""
        self.is_held = dragged.distance > HELD * size
        return dragged.model


class JointMover(Mover):
    """A joint, moved on its bodies, which stay where they are."""

    def shifted(self, shift: Vec3, *, last: bool = True, sight: Vec3 | None = None) -> Model:
        """The joint moved."""
        return edits.joint_shifted(self.model, self.ids[0], shift)

    def turned(self, axis: Vec3, angle: float, *, last: bool = True) -> Model:
        """The axis of the joint turned."""
        turn = axis_angle.matrix(np.array(axis), angle)
        return edits.joint_turned(self.model, self.ids[0], turn)


class MarkerMover(Mover):
    """A point on a body."""

    def shifted(self, shift: Vec3, *, last: bool = True, sight: Vec3 | None = None) -> Model:
        """The point moved."""
        return edits.marker_shifted(self.model, self.ids[0], shift)


def gizmo_of(model: Model, ids: Sequence[Id]) -> Gizmo | None:
    """The handles for the selection; None where nothing of it can be moved."""
    chosen = [id for id in ids if id in model]
    try:
        if bodies := [id for id in chosen if model[id].family == "body"]:
            lone = len(bodies) == 1
            at = edits.mass_center(model, bodies[0]) if lone else edits.middle_of(model, bodies)
            if lone and not hasattr(model[bodies[0]], "inertia"):
                return Gizmo(at, handles=MOVE)
            return Gizmo(at)
        if len(chosen) == 1 and _has_place(model, chosen[0]):
            frame = edits.joint_frame(model, chosen[0])
            turns = any(reads_axes(model[chosen[0]], 3))
            whole = Gizmo(frame.place, frame.orientation)
            return whole if turns else Gizmo(frame.place, handles=MOVE)
        if len(chosen) == 1 and (marker := _marker(model, chosen[0])):
            return Gizmo(edits.space_marker(model, marker).place, handles=MOVE)
    except EngineError:  # a formula cannot be read: the form says so
        return None
    return None


def mover_of(model: Model, ids: Sequence[Id], at: Vec3) -> Mover:
    """The mover for the selection, held at a place."""
    chosen = [id for id in ids if id in model]
    bodies = [id for id in chosen if model[id].family == "body"]
    if not bodies and len(chosen) == 1:
        if _has_place(model, chosen[0]):
            return JointMover(model, chosen, at)
        if marker := _marker(model, chosen[0]):
            return MarkerMover(model, (marker,), at)
    tied = len(bodies) == 1 and not model[bodies[0]].fixed and _is_tied(model, bodies[0])
    return GripMover(model, bodies, at) if tied else Mover(model, chosen, at)


def _is_tied(model: Model, body: Id) -> bool:
    return any(body in edits.bodies_of(model, joint.id) for joint in model.of("joint"))


def _has_place(model: Model, id: Id) -> bool:
    """Whether an element is a joint with a place of its own, both ends at one point."""
    joint = model[id]
    single = joint.family == "joint" and len(edits.markers_of(joint)) == 2
    return single and not freedom(joint, 3).is_apart


def _marker(model: Model, id: Id) -> Id:
    """The marker that is, or carries, an element; or nothing."""
    if model[id].family == "marker":
        return id
    ends = edits.markers_of(model[id])
    return ends[0] if len(ends) == 1 else ""


class SpaceDrag:
    """A drag in progress."""

    quantities: tuple[Quantity, ...] = ()  # what may be typed
    label = ""  # of the step of undo

    def __init__(self, mover: Mover, start: SpacePick) -> None:
        self.mover, self.start = mover, start
        self.value = 0.0  # how far it went [m or rad]

    def to(self, pick: SpacePick, modifiers: Modifiers, typed: float | None, last: bool) -> Model:
        """The model with the mouse at a place; a typed number takes precedence."""
        raise NotImplementedError

    @property
    def way(self) -> Vec3:
        """How far it was moved, for the label."""
        return 0.0, 0.0, 0.0


class FreeDrag(SpaceDrag):
    """Something is pulled by the place where it was grabbed, in the plane that faces the camera."""

    label = QT_TRANSLATE_NOOP("SelectTool3D", "Move")

    def __init__(self, mover: Mover, start: SpacePick) -> None:
        super().__init__(mover, start)
        self._way: Vec3 = (0.0, 0.0, 0.0)

    def to(self, pick: SpacePick, modifiers: Modifiers, typed: float | None, last: bool) -> Model:
        """To the mouse, or to the point it snapped to."""
        exact = pick.snapped and pick.snap_kind != "grid"
        target = pick.point if exact else g.facing(pick, self.start)
        self._way = g.minus(target, self.start.point)
        sight = None if exact else pick.ray.direction
        model = self.mover.shifted(self._way, last=last, sight=sight)
        if isinstance(self.mover, GripMover):
            self._way = g.minus(self.mover.held_at, self.start.point)
        return model

    @property
    def way(self) -> Vec3:
        """The displacement of the held place."""
        return self._way


class HandleMove(SpaceDrag):
    """A handle that moves along an axis or in a plane of the gizmo, on the grid."""

    label = QT_TRANSLATE_NOOP("SelectTool3D", "Move")

    def __init__(self, mover: Mover, start: SpacePick, gizmo: Gizmo) -> None:
        super().__init__(mover, start)
        self.gizmo = gizmo
        axes = dict(zip("xyz", axes_of(gizmo)))
        self.along = [axes[letter] for letter in start.handle]
        if len(self.along) == 1:
            self.quantities = (Quantity("distance", "m"),)
        self.begun = self._at(start)
        self._way: Vec3 = (0.0, 0.0, 0.0)

    def _at(self, pick: SpacePick) -> list[float]:
        """How far the mouse is along the axes of the handle."""
        at = self.gizmo.at
        if len(self.along) == 1:
            found = g.on_line(pick.ray, at, self.along[0])
            return [0.0 if found is None else found[0]]
        a, b = self.along
        point = g.on_plane(pick.ray, at, g.cross(a, b))
        if point is None:
            return getattr(self, "begun", [0.0, 0.0])
        return [g.dot(g.minus(point, at), axis) for axis in (a, b)]

    def to(self, pick: SpacePick, modifiers: Modifiers, typed: float | None, last: bool) -> Model:
        """Along the axes, by the mouse or as far as was typed."""
        steps = [now - then for now, then in zip(self._at(pick), self.begun)]
        step = grid_of(self.start, modifiers)
        steps = [g.rounded_to(value, step) for value in steps]
        if typed is not None:
            steps = [typed]
        self.value = steps[0]
        way: Vec3 = (0.0, 0.0, 0.0)
        for axis, value in zip(self.along, steps):
            way = g.plus(way, axis, value)
        self._way = way
        return self.mover.shifted(way, last=last) if any(way) else self.mover.model

    @property
    def way(self) -> Vec3:
        """The requested displacement of the handle."""
        return self._way


class HandleTurn(SpaceDrag):
    """A ring that turns about an axis of the gizmo, by steps."""

    label = QT_TRANSLATE_NOOP("SelectTool3D", "Turn")
    quantities = (Quantity("angle", "rad"),)

    def __init__(self, mover: Mover, start: SpacePick, gizmo: Gizmo) -> None:
        super().__init__(mover, start)
        self.gizmo = gizmo
        self.axis = dict(zip("xyz", axes_of(gizmo)))[start.handle.removeprefix("turn_")]
        self._raw = 0.0

    def _angle(self, pick: SpacePick) -> float:
        """The angle from where the ring was grabbed; about full turns see `to`."""
        at = self.gizmo.at
        ends = [g.on_plane(ray, at, self.axis) for ray in (self.start.ray, pick.ray)]
        if ends[0] is not None and ends[1] is not None:
            a, b = (g.minus(end, at) for end in ends if end is not None)
            if g.norm(a) > 0.0 and g.norm(b) > 0.0:
                return g.angle_about(self.axis, a, b)
        across = g.unit(g.cross(self.axis, g.scaled(pick.ray.direction, -1.0)))
        found = [g.on_line(ray, at, across) for ray in (self.start.ray, pick.ray)]
        if found[0] is None or found[1] is None:
            return self._raw
        return (found[1][0] - found[0][0]) / (LEVER * self.start.pixel)

    def to(self, pick: SpacePick, modifiers: Modifiers, typed: float | None, last: bool) -> Model:
        """By the angle of the mouse, or as far as was typed."""
        self._raw += remainder(self._angle(pick) - self._raw, 2.0 * pi)  # full turns count
        step = COARSE if modifiers & SHIFT else 0.0 if modifiers & CTRL else TURN
        angle = round(self._raw / step) * step if step else self._raw
        self.value = angle if typed is None else typed
        if not self.value:
            return self.mover.model
        return self.mover.turned(self.axis, self.value, last=last)


def axes_of(gizmo: Gizmo) -> tuple[Vec3, Vec3, Vec3]:
    """The axes along which the handles lie."""
    R = quaternion.matrix(np.array(gizmo.axes))
    x, y, z = (g.unit((float(c[0]), float(c[1]), float(c[2]))) for c in R.T)
    return x, y, z


def drag_of(model: Model, gizmo: Gizmo | None, start: SpacePick, ids: Sequence[Id]) -> Any:
    """The drag that starts here; None: nothing can be dragged."""
    if start.handle and gizmo is not None:
        mover = mover_of(model, ids, gizmo.at)
        kind = HandleTurn if start.handle.startswith("turn") else HandleMove
        return kind(mover, start, gizmo)
    element = model[start.element]
    if element.family == "body":
        together = len(ids) > 1 and element.id in ids
        return FreeDrag(mover_of(model, ids if together else (element.id,), start.point), start)
    if element.family == "joint" and len(ends := edits.markers_of(element)) == 2:
        moving = [model[m].body for m in reversed(ends) if not edits.is_still(model, model[m].body)]
        if moving and GROUND not in edits.bodies_of(model, element.id):
            at = edits.joint_point(model, element.id)
            held = start._replace(point=at)
            return FreeDrag(GripMover(model, moving[:1], at), held)
    ends = [_marker(model, element.id)] if _marker(model, element.id) else edits.markers_of(element)
    places = {marker: edits.space_marker(model, marker).place for marker in ends}
    if not places or (element.family == "joint" and not freedom(element, 3).spans):
        return None
    away = {marker: g.off_sight(start.ray, place) for marker, place in places.items()}
    nearest = min(away, key=lambda marker: away[marker])
    if len(places) > 1 and away[nearest] > NEAR_END * start.pixel:
        return None  # the middle of a spring is not dragged
    held = start._replace(point=places[nearest])
    return FreeDrag(MarkerMover(model, (nearest,), places[nearest]), held)
