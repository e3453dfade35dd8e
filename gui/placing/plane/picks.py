"""What lies under the mouse: a place, and the elements there, topmost first.

Pure functions of a placement, a place and the size of a pixel: they know neither Qt nor the drawing, only
its dimensions.
"""

from collections.abc import Iterable, Iterator
from math import cos, hypot, sin
from typing import Any, NamedTuple

import numpy as np

from engine.model.attachments import Attachment, attachment, markers_of
from engine.model.elements import Id
from engine.model.joints import Gear
from engine.model.shapes import Rod
from gui.placing.grips import Grip, grip, ring_marker
from gui.placing.plane import silhouettes
from gui.placing.plane.gears import pitch_radii
from gui.placing.plane.loads import load_arrow
from gui.placing.plane.placement import Placement, Point
from gui.placing.plane.silhouettes import distance_to_line
from gui.placing.plane.snapping import Snap

HAND = 4.0  # pixels beside a body, spring or arrow that still count as on it
PIN = 9.0  # pixels around a joint
DOT = 7.0  # pixels around a bare marker or a tracer
RING = (10.0, 23.0)  # pixels from a joint where motors and torsion springs are drawn around it
FLAG = 10.0  # pixels around the middle of an event
COIL = 11.0  # pixels beside the line of a spring


class Pick(NamedTuple):
    """A place on the stage, snapped or not, with what is drawn there."""

    x: float
    y: float
    snapped: bool = False
    snap_kind: str = ""  # "joint", "point", "center", "middle", "grid", "guide"; empty: none
    bodies: tuple[Id, ...] = ()  # topmost first
    element: Id = ""  # the topmost element of any kind
    marker: Id = ""  # the marker it snapped to
    joint: Id = ""  # the joint here

    @property
    def place(self) -> Point:
        """Both coordinates."""
        return self.x, self.y


def pick_at(
    placement: Placement,
    x: float,
    y: float,
    pixel: float,
    snapped: Snap | None = None,
    hidden: Iterable[Id] = (),
) -> Pick:
    """What is at a place; bodies are those under the point it snapped to, if it did."""
    out = set(hidden)
    at = snapped if snapped is not None and snapped.kind else Snap(x, y)
    bodies = bodies_at(placement, at.x, at.y, HAND * pixel, out)
    joint = at.joint or joint_at(placement, x, y, pixel, out)
    element = element_at(placement, x, y, pixel, out)
    return Pick(at.x, at.y, bool(at.kind), at.kind, bodies, element, at.marker, joint)


def bodies_at(
    placement: Placement, x: float, y: float, tolerance: float, hidden: Iterable[Id] = ()
) -> tuple[Id, ...]:
    """The bodies at a point, topmost first; what was made later lies above."""
    out = set(hidden)
    away = np.hypot(placement.frames[:, 0] - x, placement.frames[:, 1] - y)
    near = np.flatnonzero(away[:-1] <= placement.radii[:-1] + 2.0 * tolerance)
    above = [placement.bodies[k] for k in reversed(near)]
    found = [b.id for b in above if b.id not in out and on_body(placement, b, x, y, tolerance)]
    return tuple(sorted(found, key=placement.is_fixed))


def on_body(placement: Placement, body: Any, x: float, y: float, tolerance: float) -> bool:
    """Whether a world point lies on what is drawn of a body: its shape and the arms to its markers."""
    k = placement.body_index[body.id]
    shape = getattr(body, "shape", None)
    if shape is not None:
        near = tolerance
        if isinstance(shape, Rod):  # drawn as wide as a link at least
            near = max(near, silhouettes.LINK / HAND * tolerance - silhouettes.half_width(shape))
        if silhouettes.contains(shape, *placement.to_body(body.id, x, y), near):
            return True
    cx, cy = placement.pose.centers[k]
    if hypot(x - cx, y - cy) <= 2.0 * tolerance:
        return True
    return any(
        distance_to_line((x, y), (cx, cy), end) <= tolerance for end in arm_ends(placement, body)
    )


def arm_ends(placement: Placement, body: Any) -> list[Point]:
    """The markers of a body that lie off its shape: an arm leads there."""
    markers = placement.pose.markers
    return [
        (x, y) for x, y, _ in (markers[n] for n in placement.arms[placement.body_index[body.id]])
    ]


def joint_at(
    placement: Placement, x: float, y: float, pixel: float, hidden: Iterable[Id] = ()
) -> Id:
    """The joint whose point is nearest to a place and within reach, or nothing."""
    out, reach = set(hidden), PIN * pixel
    ends, ids = placement.joint_ends
    found: list[tuple[float, int, Id]] = []
    if len(ends):
        markers = np.array(placement.pose.markers)[ends]
        away = np.hypot(markers[:, 0] - x, markers[:, 1] - y)
        near = np.flatnonzero(away <= reach).tolist()
        found = [(float(away[k]), -k, ids[k]) for k in near if ids[k] not in out]
    for joint in placement.meshing:
        for px, py in joint_points(placement, joint):
            if joint.id not in out and hypot(px - x, py - y) <= reach:
                found.append((hypot(px - x, py - y), -len(ids), joint.id))
    return min(found)[2] if found else ""


def joint_points(placement: Placement, joint: Any) -> list[Point]:
    """Where a joint can be grabbed: its markers, or where gears mesh."""
    if attachment(joint) is not Attachment.BETWEEN_JOINTS:
        ends = [m for m in markers_of(joint) if m in placement.marker_index]
        return [(p[0], p[1]) for p in map(placement.marker_at, ends)]
    mesh = mesh_point(placement, joint)
    return [] if mesh is None else [mesh]


def mesh_point(placement: Placement, joint: Any) -> Point | None:
    """Where the pitch circles of two gears touch, or a pinion and its rack."""
    ends = [placement.model.elements.get(j) for j in (joint.joint_1, joint.joint_2)]
    markers = [getattr(e, "marker_j", "") for e in ends]
    if any(m not in placement.marker_index for m in markers):
        return None
    (ax, ay, _), (bx, by, _) = map(placement.marker_at, markers)
    if isinstance(joint, Gear):
        away = hypot(bx - ax, by - ay) or 1.0
        r, other = pitch_radii(placement.model, joint) or (away / 2, away / 2)
        if joint.inside and r < other:
            r = -r
        return ax + r * (bx - ax) / away, ay + r * (by - ay) / away
    x_axis = placement.marker_at(placement.model[joint.joint_2].marker_i)[2]
    # a rack that moves along +x with a pinion of positive rotation lies below it
    return ax + joint.radius * sin(x_axis), ay - joint.radius * cos(x_axis)


def element_at(
    placement: Placement, x: float, y: float, pixel: float, hidden: Iterable[Id] = ()
) -> Id:
    """The element that a click at a place means: points before rings, lines and bodies."""
    return next(_elements_at(placement, x, y, pixel, set(hidden)), "")


def elements_at(
    placement: Placement, x: float, y: float, pixel: float, hidden: Iterable[Id] = ()
) -> tuple[Id, ...]:
    """All elements at a place, the one that a click means first."""
    return tuple(dict.fromkeys(_elements_at(placement, x, y, pixel, set(hidden))))


def _elements_at(
    placement: Placement, x: float, y: float, pixel: float, out: set[Id]
) -> Iterator[Id]:
    """The elements at a place one by one, as they are found."""
    seen = set(out)
    while joint := joint_at(placement, x, y, pixel, seen):
        seen.add(joint)
        yield joint
    for test in (_on_dot, _on_ring, _on_line):
        for element in placement.small:
            if element.id not in out and test(placement, element, (x, y), pixel):
                yield element.id
    yield from bodies_at(placement, x, y, HAND * pixel, out)


def _on_dot(placement: Placement, element: Any, p: Point, pixel: float) -> bool:
    """Whether a place is on a tracer or on a marker that nothing uses."""
    if element.family == "tracer" and element.marker in placement.marker_index:
        at = placement.marker_at(element.marker)
    elif element.family == "marker" and element.id in placement.marker_index:
        at = placement.marker_at(element.id)
        if element.id in placement.used_markers:
            return False
    else:
        return False
    return hypot(at[0] - p[0], at[1] - p[1]) <= DOT * pixel


def _on_ring(placement: Placement, element: Any, p: Point, pixel: float) -> bool:
    """Whether a place is on what is drawn around a point: around a joint, or the arc of a torque."""
    if grip(element) is not Grip.RING:
        return False
    marker = ring_marker(placement.model, element)
    if marker not in placement.marker_index:
        return False
    at = placement.marker_at(marker)
    low, high = RING
    return low * pixel <= hypot(at[0] - p[0], at[1] - p[1]) <= high * pixel


def _on_line(placement: Placement, element: Any, p: Point, pixel: float) -> bool:
    """Whether a place is on a spring, a damper, a rod, an event or the arrow of a force."""
    held = grip(element)
    if held is Grip.ARROW:
        arrow = load_arrow(placement, element, pixel)
        return arrow is not None and distance_to_line(p, *arrow) <= HAND * pixel
    if held not in (Grip.LINE, Grip.COIL):
        return False
    ends = (element.marker_i, element.marker_j)
    if any(m not in placement.marker_index for m in ends):
        return False
    (ax, ay, _), (bx, by, _) = map(placement.marker_at, ends)
    if element.family == "trigger":  # the flag in the middle is wider than the line
        if hypot((ax + bx) / 2 - p[0], (ay + by) / 2 - p[1]) <= FLAG * pixel:
            return True
    wide = COIL if held is Grip.COIL else HAND
    return distance_to_line(p, (ax, ay), (bx, by)) <= wide * pixel


def in_box(placement: Placement, a: Point, b: Point, hidden: Iterable[Id] = ()) -> tuple[Id, ...]:
    """The elements that lie wholly in the rectangle between two corners, in creation order."""
    x0, x1 = sorted((a[0], b[0]))
    y0, y1 = sorted((a[1], b[1]))
    out = set(hidden)

    def inside(points: Iterable[Point]) -> bool:
        """Whether there are points, and all lie in the rectangle."""
        listed = list(points)
        return bool(listed) and all(x0 <= x <= x1 and y0 <= y <= y1 for x, y in listed)

    return tuple(e.id for e in placement.model if e.id not in out and inside(extent(placement, e)))


def extent(placement: Placement, element: Any) -> list[Point]:
    """Points around what is drawn of an element, in the world; empty if it is not drawn there."""
    if element.family == "body":
        shape = getattr(element, "shape", None)
        k = placement.body_index[element.id]
        x, y = placement.pose.centers[k]
        around = [(x, y), *arm_ends(placement, element)]
        if shape is not None:
            left, bottom, right, top = silhouettes.reach(shape)
            for corner in ((left, bottom), (right, bottom), (right, top), (left, top)):
                around.append(placement.to_world(element.id, *corner))
        return around
    if element.family == "joint":
        return joint_points(placement, element)
    if attachment(element) is Attachment.ON_JOINT:
        joint = placement.model.elements.get(element.joint)
        return [] if joint is None else joint_points(placement, joint)
    if element.family == "marker" and element.id in placement.used_markers:
        return []
    if element.family == "marker":
        ends = [element.id]
    else:
        ends = [getattr(element, name, "") for name in ("marker", "marker_i", "marker_j")]
    known = [placement.marker_at(m) for m in ends if m in placement.marker_index]
    return [(p[0], p[1]) for p in known]
