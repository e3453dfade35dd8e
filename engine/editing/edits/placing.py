"""Where elements are drawn, in the plane and in space, and what is attached to what."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from math import atan2, cos, dist, hypot, sin, sqrt
from typing import Any, NamedTuple, TypeVar

import numpy as np

from engine.editing.builder import Mechanism
from engine.editing.edits.numbers import in_numbers
from engine.errors import EngineError
from engine.formulas.resolve import resolved
from engine.kernels import layout
from engine.model.attachments import markers_of
from engine.model.connections import Coordinate, X
from engine.model.elements import GROUND, Element, Id, Model, put, references
from rotations import quaternion

Point = tuple[float, float]
Point3 = tuple[float, float, float]
Place = tuple[float, ...]  # of the plane or of space
T = TypeVar("T")

NOISE = 1e-15  # of the larger coordinate of a point: rounding errors of a turned body
UNTURNED = (1.0, 0.0, 0.0, 0.0)
CLOSED = 1e-6  # of the size of the drawing: a smaller gap is rounding, closed by assembly


class Frame(NamedTuple):
    """A place and a direction in the plane, world axes."""

    x: float
    y: float
    angle: float

    def to_world(self, point: Iterable[float]) -> Point:
        """A point of this frame in the world."""
        x, y = point
        c, s = cos(self.angle), sin(self.angle)
        return self.x + c * x - s * y, self.y + s * x + c * y

    def to_local(self, point: Point) -> Point:
        """A world point in this frame."""
        dx, dy = point[0] - self.x, point[1] - self.y
        c, s = cos(self.angle), sin(self.angle)
        return c * dx + s * dy, c * dy - s * dx


class SpaceFrame(NamedTuple):
    """A place and axes in space:  r_world = r + R r_local."""

    r: np.ndarray  # (3,)
    R: np.ndarray  # (3, 3), the axes as columns

    def to_world(self, point: Iterable[float]) -> Point3:
        """A point of this frame in the world."""
        return floats(self.r + self.R @ np.array(tuple(point), dtype=float))

    def to_local(self, point: Iterable[float]) -> Point3:
        """A world point in this frame."""
        return floats(self.R.T @ (np.array(tuple(point), dtype=float) - self.r))

    @property
    def place(self) -> Point3:
        """The origin."""
        return floats(self.r)

    @property
    def orientation(self) -> tuple[float, float, float, float]:
        """The axes as a unit quaternion."""
        return floats(quaternion.from_matrix(self.R))


def frame_of_axes(x: Iterable[float], y: Iterable[float], z: Iterable[float]) -> SpaceFrame:
    """The frame at the origin with these axes."""
    return SpaceFrame(np.zeros(3), np.array([tuple(x), tuple(y), tuple(z)], dtype=float).T)


def floats(numbers: Iterable[Any]) -> Any:
    """Numbers as a model keeps them."""
    return tuple(map(float, numbers))


def built(model: Model, build: Callable[[Mechanism], T]) -> tuple[Model, T]:
    """The result of the builder on a model; bodies that are placed by expressions stay so.

    What is attached at an end, a corner or a rim of a body is tied to its shape. New elements are
    named as forms and menus call them: pin_1, slider_1, motor_1.
    """
    drawing = Mechanism(dim=model.dim)
    drawing.names_for_people = True
    written = [body for body in model.of("body") if _is_written(body)]
    drawing.model = put(model, *(_numeric_or_same(model, body) for body in written))
    made = build(drawing)
    return _without_noise(model, put(drawing.model, *written)), made


def _without_noise(before: Model, after: Model) -> Model:
    """The model with zero for coordinates of new markers that are rounding errors."""
    cleaned = []
    for marker in after.of("marker"):
        if marker.id not in before and not _is_written(marker):
            least = NOISE * max(abs(x) for x in marker.position)
            place = tuple(0.0 if abs(x) <= least else x for x in marker.position)
            if place != marker.position:
                cleaned.append(replace(marker, position=place))
    return put(after, *cleaned) if cleaned else after


def body_frame(model: Model, id: Id) -> Frame:
    """Where a body is drawn; the ground is at the origin."""
    if id == GROUND:
        return Frame(0.0, 0.0, 0.0)
    body = element(model, id, "body")
    if _is_written(body):
        body = in_numbers(model, body)
    x, y = map(float, body.position)
    return Frame(x, y, float(getattr(body, "angle", 0.0)))


def marker_frame(model: Model, id: Id) -> Frame:
    """Where a marker is drawn."""
    marker = element(model, id, "marker")
    if _is_written(marker):
        marker = in_numbers(model, marker)
    frame = body_frame(model, marker.body)
    return Frame(*frame.to_world(marker.position), frame.angle + marker.angle)


def space_frame(model: Model, id: Id) -> SpaceFrame:
    """Where a body is drawn in space; the ground is at the origin, a point mass has world axes."""
    if id == GROUND:
        return SpaceFrame(np.zeros(3), np.eye(3))
    return _frame_in_space(model, element(model, id, "body"))


def space_marker(model: Model, id: Id) -> SpaceFrame:
    """Where a marker is drawn in space."""
    marker = element(model, id, "marker")
    body, own = space_frame(model, marker.body), _frame_in_space(model, marker)
    return SpaceFrame(body.r + body.R @ own.r, body.R @ own.R)


def _frame_in_space(model: Model, item: Any) -> SpaceFrame:
    """The frame given by position and orientation of an element."""
    if _is_written(item):
        item = in_numbers(model, item)
    unit = quaternion.normalise(np.array(getattr(item, "orientation", UNTURNED), dtype=float))
    return SpaceFrame(np.array(item.position, dtype=float), quaternion.matrix(unit))


def marker_place(model: Model, id: Id) -> Place:
    """The point of a marker as drawn, in the plane or in space."""
    if model.dim == 3:
        return space_marker(model, id).place
    return marker_frame(model, id)[:2]


def body_place(model: Model, id: Id) -> Place:
    """The origin of a body as drawn, in the plane or in space."""
    return space_frame(model, id).place if model.dim == 3 else body_frame(model, id)[:2]


def on_body(model: Model, id: Id, at: Any) -> Place:
    """A world point in the frame of a body, in the plane or in space."""
    frame = space_frame(model, id) if model.dim == 3 else body_frame(model, id)
    return frame.to_local(at)


def element(model: Model, id: Id, family: str) -> Any:
    """The element of a family with this id, or an EngineError."""
    if id not in model or model[id].family != family:
        raise EngineError(
            "There is no {family} '{id}' in the model; choose one that is there.",
            family=family,
            id=id,
        )
    return model[id]


def label(model: Model, id: Id) -> str:
    """The name of an element or of the ground."""
    return model[id].label if id in model else GROUND


def is_still(model: Model, body: Id) -> bool:
    """Whether this is the ground or a body that never moves."""
    return body == GROUND or bool(model[body].fixed)


def bodies_of(model: Model, id: Id) -> tuple[Id, ...]:
    """All bodies, and perhaps the ground, that an element is attached to, in order, each once."""
    found: dict[Id, None] = {}
    waiting = [id]
    while waiting:
        at = waiting.pop(0)
        if at == GROUND or (at in model and model[at].family == "body"):
            found[at] = None
        elif at in model:
            waiting += references(model[at])
    return tuple(found)


def bodies_about(model: Model, element: Any) -> set[Id]:
    """All bodies, and perhaps the ground, that an element is attached to, and those it is about."""
    return {*bodies_of(model, element.id), *element.involved(model)}


def joint_point(model: Model, id: Id) -> Any:
    """Where a joint is drawn; a gear in its first joint."""
    joint = model[id]
    while not markers_of(joint):
        joint = model[references(joint)[0]]
    return marker_place(model, markers_of(joint)[-1])


def size(model: Model) -> float:
    """A typical length of the drawing."""
    places = [body_place(model, body.id) for body in model.of("body")]
    places += [marker_place(model, marker.id) for marker in model.of("marker")]
    if not places:
        return 1.0
    return max(max(along) - min(along) for along in zip(*places)) or 1.0


def drawn_value(model: Model, coordinate: Coordinate) -> float:
    """The value of a coordinate as drawn."""
    if model.dim == 3:
        return _drawn_in_space(model, coordinate)
    i, j = marker_frame(model, coordinate.marker_i), marker_frame(model, coordinate.marker_j)
    if coordinate.kind == layout.ANGLE:
        return j.angle - i.angle
    if coordinate.kind == layout.ALONG:
        return i.to_local((j.x, j.y))[0 if coordinate.axes[0] == X else 1]
    return hypot(j.x - i.x, j.y - i.y)  # a distance, or the gap between two points


def _drawn_in_space(model: Model, coordinate: Coordinate) -> float:
    """The value of a coordinate of a spatial model as drawn; see engine.kernels.spatial."""
    i, j = space_marker(model, coordinate.marker_i), space_marker(model, coordinate.marker_j)
    a, a2, b = (frame.R[:, axis] for frame, axis in zip((i, i, j), coordinate.axes))
    if coordinate.kind == layout.ANGLE:
        return atan2(a2 @ b, a @ b)
    if coordinate.kind == layout.DOT:
        return float(a @ b)
    height = float(a @ (j.r - i.r))
    if coordinate.kind == layout.ALONG:
        return height
    if coordinate.kind == layout.DISC_HEIGHT:
        return height - coordinate.radius * sqrt(max(1.0 - float(a @ b) ** 2, 0.0))
    return dist(i.place, j.place)  # a distance, or the gap between two points


def gap(model: Model, joint: Element) -> float:
    """How far a joint is from being closed, as drawn; rows whose target is as drawn do not count."""
    alone = resolved_alone(model, joint.id)
    worst = 0.0
    for row in alone[joint.id].rows(alone):
        if row.level == layout.POSITION and isinstance(row.target, float | int):
            value = sum(weight * drawn_value(alone, one) for weight, one in row.terms)
            worst = max(worst, abs(value - row.target))
    return worst


def resolved_alone(model: Model, id: Id) -> Model:
    """An element with everything it depends on, in numbers."""
    return resolved(replace(model, elements=_support(model, id)))


def _support(model: Model, id: Id) -> dict[Id, Element]:
    """An element, everything it depends on, and the parameters."""
    found = {p.id: p for p in model.of("parameter")}
    waiting = [id]
    while waiting:
        at = waiting.pop()
        if at in model and at not in found:
            found[at] = model[at]
            waiting += references(model[at])
    return found


def _is_written(item: Any) -> bool:
    """Whether a body or marker is placed by expressions."""
    numbers = (*item.position, *getattr(item, "orientation", ()), getattr(item, "angle", 0.0))
    return any(isinstance(n, str) for n in numbers)


def _numeric_or_same(model: Model, body: Any) -> Any:
    """The body in numbers; unchanged if that is impossible: then the builder says why not."""
    try:
        return in_numbers(model, body)
    except EngineError:
        return body
