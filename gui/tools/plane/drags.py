"""What dragging does to each kind of element: every drag turns a place of the mouse into a model."""

from dataclasses import replace
from math import atan2, cos, hypot, pi, radians, remainder, sin
from typing import Any

from engine.editing import edits
from engine.editing.edits.numbers import moved
from engine.editing.edits.points import ground_joint_moved, joint_relocated, marker_moved
from engine.errors import EngineError
from engine.kinematics.drag_parts import connected
from engine.kinematics.dragging import Grip
from engine.model.attachments import Attachment, attachment
from engine.model.elements import GROUND, Id, Model, diff, put
from engine.model.forces import PointForce
from engine.model.joints.freedom import freedom
from gui.look.translation import QT_TRANSLATE_NOOP
from gui.placing.plane.loads import force_vector, load_arrow
from gui.placing.plane.picks import Pick
from gui.placing.plane.placement import Placement

Point = tuple[float, float]

NEAR_END = 14.0  # pixels from the end of a spring within which the end is grabbed
ROUND, CAUGHT = radians(15.0), radians(2.5)  # angles to which a rotation snaps, and from how far
PROBE = (0.37, 0.61)  # metres: a test shift along no axis, to see what follows and what opens
QUICK = 10  # steps of a grip for one move of the mouse; the release has no limit


class Drag:
    """A drag in progress: the initial model, and the place where it was grabbed."""

    label = QT_TRANSLATE_NOOP("SelectTool", "Move")  # of the undo step
    reason = ""  # why it cannot be done

    def __init__(self, model: Model, start: Point) -> None:
        self.model, self.start = model, start
        self.ids: tuple[Id, ...] = ()  # what moves: it must not snap to itself

    def to(self, pick: Pick, *, last: bool = False) -> Model:
        """The model with the mouse at a place; `last` for the place where the button goes up."""
        raise NotImplementedError


class RigidDrag(Drag):
    """Several parts, or one without constraints, move rigidly."""

    def __init__(self, model: Model, start: Point, ids: tuple[Id, ...]) -> None:
        super().__init__(model, start)
        self.chosen = ids
        self.ids = tuple({*ids, *(b for id in ids for b in edits.bodies_of(model, id))} - {GROUND})
        far = edits.translated(model, ids, PROBE)
        self.moving = [model[id] for id in sorted(diff(model, far)[2])]

    def to(self, pick: Pick, *, last: bool = False) -> Model:
        """Shift all parts with the mouse; on release check all joints."""
        shift = (pick.x - self.start[0], pick.y - self.start[1])
        if not any(shift):
            return self.model
        if last:
            after = edits.translated(self.model, self.chosen, shift)
            return edits.unmarked(self.model, after)
        return put(
            self.model, *(replace(e, position=moved(e.position, shift)) for e in self.moving)
        )


class TurnDrag(Drag):
    """Parts are turned about their middle and snap to round angles."""

    label = QT_TRANSLATE_NOOP("SelectTool", "Turn")

    def __init__(self, model: Model, start: Point, ids: tuple[Id, ...], middle: Point) -> None:
        super().__init__(model, start)
        self.chosen, self.middle = ids, middle
        self.angle = 0.0
        bodies = [b for id in ids for b in edits.bodies_of(model, id) if b != GROUND]
        self.now = edits.body_frame(model, bodies[0]).angle if bodies else 0.0

    def to(self, pick: Pick, *, last: bool = False) -> Model:
        """Turn by the angle of the mouse about the middle."""
        (mx, my), (sx, sy) = self.middle, self.start
        angle = atan2(pick.y - my, pick.x - mx) - atan2(sy - my, sx - mx)
        angle = self.angle + remainder(angle - self.angle, 2.0 * pi)  # full turns count
        self.angle = angle
        round_angle = ROUND * round((self.now + angle) / ROUND) - self.now
        if abs(round_angle - angle) < CAUGHT:
            angle = round_angle
        if not angle:
            return self.model
        after = edits.rotated(self.model, self.chosen, angle, self.middle)
        return edits.unmarked(self.model, after)


class GripDrag(Drag):
    """A point of a mechanism is pulled; the joints stay closed."""

    def __init__(self, model: Model, start: Point, body: Id, point: Point) -> None:
        super().__init__(model, start)
        self.grip = Grip(model, body, point)
        self.reason = self.grip.reason
        joints = [
            j.id for j in model.of("joint") if set(edits.bodies_of(model, j.id)) & self.grip.ids
        ]
        self.ids = (*self.grip.ids, *joints)

    def to(self, pick: Pick, *, last: bool = False) -> Model:
        """Pull from where it is now."""
        target = (pick.x, pick.y)
        return (self.grip.to(target) if last else self.grip.to(target, QUICK)).model


class GroundDrag(Drag):
    """A pin on the ground is moved, and what it carries follows."""

    label = QT_TRANSLATE_NOOP("SelectTool", "Move joint")

    def __init__(self, model: Model, start: Point, joint: Id) -> None:
        super().__init__(model, start)
        self.joint, self.now = joint, model
        group: set[Id] = set()
        for body in edits.bodies_of(model, joint):
            if body != GROUND:
                group |= connected(model, body)
        joints = [j.id for j in model.of("joint") if set(edits.bodies_of(model, j.id)) & group]
        self.ids = (joint, *group, *joints)

    def to(self, pick: Pick, *, last: bool = False) -> Model:
        """As far as the other joints allow."""
        self.now = ground_joint_moved(self.now, self.joint, (pick.x, pick.y)).model
        return self.now


class RelocationDrag(Drag):
    """A pin is moved on its bodies, which change their shape."""

    label = QT_TRANSLATE_NOOP("SelectTool", "Move joint on its bodies")

    def __init__(self, model: Model, start: Point, joint: Id) -> None:
        super().__init__(model, start)
        self.joint = joint
        self.ids = (joint, *edits.bodies_of(model, joint))

    def to(self, pick: Pick, *, last: bool = False) -> Model:
        """The pin where the mouse is."""
        try:
            return joint_relocated(self.model, self.joint, (pick.x, pick.y))
        except EngineError:
            return self.model


class MarkerDrag(Drag):
    """A point on a body, or the end of a spring, which may be attached to another body."""

    label = QT_TRANSLATE_NOOP("SelectTool", "Move point")

    def __init__(self, model: Model, start: Point, marker: Id, owner: Any = None) -> None:
        super().__init__(model, start)
        self.marker, self.owner = marker, owner
        self.ids = (marker,) if owner is None else (marker, owner.id)

    def to(self, pick: Pick, *, last: bool = False) -> Model:
        """The point where the mouse is, on what lies there."""
        return marker_moved(self.model, self.marker, (pick.x, pick.y), self._body(pick))

    def _body(self, pick: Pick) -> Id | None:
        """The body that the end of a spring attaches to at a place; None: it keeps its own."""
        if self.owner is None:
            return None
        ends = (self.owner.marker_i, self.owner.marker_j)
        other = self.model[next(m for m in ends if m != self.marker)].body
        return edits.end_body(self.model, pick.bodies, pick.joint, other) or None


class ArrowDrag(Drag):
    """The head of a force follows the mouse; its magnitude stays."""

    label = QT_TRANSLATE_NOOP("SelectTool", "Turn force")

    def __init__(self, model: Model, start: Point, force: Any, placement: Placement) -> None:
        super().__init__(model, start)
        self.force, self.placement = force, placement
        self.ids = (force.id,)
        if any(isinstance(f, str | tuple) for f in (force.f_x, force.f_y)):
            self.reason = f"'{force.label}' follows an expression; change it in its form."

    def to(self, pick: Pick, *, last: bool = False) -> Model:
        """The same force in another direction."""
        x, y, _ = self.placement.marker_at(self.force.marker_i)
        dx, dy = pick.x - x, pick.y - y
        away, size = hypot(dx, dy), hypot(*force_vector(self.placement, self.force))
        if not away > 0.0:
            return self.model
        fx, fy = size * dx / away, size * dy / away
        if self.force.axes == "body":
            body = self.placement.body_index[self.placement.body_of(self.force.marker_i)]
            phi = self.placement.pose.bodies[body][2]
            fx, fy = cos(phi) * fx + sin(phi) * fy, cos(phi) * fy - sin(phi) * fx
        return edits.with_fields(self.model, (self.force.id,), {"f_x": fx, "f_y": fy})


def drag_of(
    model: Model,
    placement: Placement,
    pick: Pick,
    chosen: tuple[Id, ...],
    pixel: float,
    reshape: bool,
) -> Drag | None:
    """The drag for the element under the mouse; None: nothing can be dragged there."""
    start, element = (pick.x, pick.y), model[pick.element]
    if reshape and element.family == "body":
        return _turn(model, placement, element.id, chosen, start)
    if len(chosen) > 1 and pick.element in chosen and _moves_as_one(model, chosen):
        return RigidDrag(model, start, chosen)
    if element.family == "body":
        return _drag_of_body(model, placement, element.id, start)
    if element.family == "joint":
        return _drag_of_joint(model, placement, element, start, pixel, reshape)
    if element.family == "tracer":
        return MarkerDrag(model, start, element.marker)
    if element.family == "marker":
        return MarkerDrag(model, start, element.id)
    if isinstance(element, PointForce):
        return _drag_of_force(model, placement, element, start, pixel)
    if attachment(element) is Attachment.BETWEEN_MARKERS:
        return _drag_of_end(model, placement, element, start, pixel)
    return None


def _moves_as_one(model: Model, chosen: tuple[Id, ...]) -> bool:
    """Whether selected parts can be shifted without opening a joint."""
    try:
        edits.translated(model, chosen, PROBE)
    except EngineError:
        return False
    return True


def _turn(
    model: Model, placement: Placement, body: Id, chosen: tuple[Id, ...], start: Point
) -> Drag:
    """Turn everything selected, or the body alone, about the mass centre of the body."""
    ids = chosen if body in chosen and _moves_as_one(model, chosen) else (body,)
    x, y = placement.pose.centers[placement.body_index[body]]
    return TurnDrag(model, start, ids, (x, y))


def _drag_of_body(model: Model, placement: Placement, body: Id, start: Point) -> Drag:
    tied = any(body in edits.bodies_of(model, j.id) for j in model.of("joint"))
    if not tied:
        return RigidDrag(model, start, (body,))
    return GripDrag(model, start, body, placement.to_body(body, *start))


def _drag_of_joint(
    model: Model, placement: Placement, joint: Any, start: Point, pixel: float, reshape: bool
) -> Drag | None:
    if attachment(joint) is not Attachment.BETWEEN_MARKERS:
        return None
    ends, free = (joint.marker_j, joint.marker_i), freedom(joint, 2)
    if free.spans:
        return _drag_of_end(model, placement, joint, start, pixel)
    if reshape and free.holds_point:
        return RelocationDrag(model, start, joint.id)
    if any(model[m].body == GROUND for m in ends):
        return GroundDrag(model, start, joint.id)
    for marker in ends:
        body = model[marker].body
        if not placement.is_fixed(body):
            x, y, _ = placement.marker_at(marker)
            return GripDrag(model, start, body, placement.to_body(body, x, y))
    return None


def _drag_of_end(
    model: Model, placement: Placement, element: Any, start: Point, pixel: float
) -> Drag | None:
    """The nearer end of a spring, if the mouse grabbed it there; the middle is not dragged."""
    ends = [m for m in (element.marker_i, element.marker_j) if m in placement.marker_index]
    away = {m: hypot(*(p - q for p, q in zip(placement.marker_at(m), start))) for m in ends}
    nearest = min(away, key=lambda m: away[m], default=None)
    if nearest is None or away[nearest] > NEAR_END * pixel:
        return None
    return MarkerDrag(model, start, nearest, element)


def _drag_of_force(
    model: Model, placement: Placement, force: Any, start: Point, pixel: float
) -> Drag | None:
    """The head of the arrow turns it, its tail moves the point."""
    arrow = load_arrow(placement, force, pixel)
    if arrow is None:
        return None
    (tx, ty), (hx, hy) = arrow
    if hypot(hx - start[0], hy - start[1]) < hypot(tx - start[0], ty - start[1]):
        return ArrowDrag(model, start, force, placement)
    return MarkerDrag(model, start, force.marker_i)


def nudged(model: Model, placement: Placement, chosen: tuple[Id, ...], shift: Point) -> Model:
    """The selected parts shifted a little; a part of a mechanism as far as its joints allow."""
    try:
        return edits.translated(model, chosen, shift)
    except EngineError:
        body = next((id for id in chosen if model[id].family == "body"), None)
        if body is None or placement.is_fixed(body):
            raise
    x, y = placement.pose.centers[placement.body_index[body]]
    grip = Grip(model, body, placement.to_body(body, x, y))
    if grip.reason:
        raise EngineError(grip.reason, body)
    return grip.to((x + shift[0], y + shift[1])).model
