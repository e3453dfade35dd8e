"""Graphics of joints: pins, sliders, welds, slots, rods, wheels, gears, blades."""

from collections.abc import Callable
from math import cos, hypot, pi, sin, sqrt
from typing import Any

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QPainterPath, QTransform
from PySide6.QtWidgets import QGraphicsItem, QGraphicsPathItem

from engine.model.elements import GROUND, Element
from engine.model.fields import plain
from engine.model.joints import (
    Gear,
    KnifeEdge,
    PointOnCircle,
    PointOnLine,
    Prismatic,
    RackAndPinion,
    Revolute,
    Rod,
    RollingDisc,
    TypedConstraint,
    Weld,
)
from engine.model.shapes import Box, Disc
from gui.look.colors import mixed
from gui.placing.plane.gears import TEETH_OF_SMALLEST
from gui.placing.plane.placement import Pose
from gui.stages.plane.graphics import symbols, tracks
from gui.stages.plane.graphics.graphic import (
    BRACKETS,
    GUIDES,
    LINES,
    PINS,
    SLOTS,
    TEETH,
    Context,
    Graphic,
    View,
    at_marker,
    between_markers,
)
from gui.stages.plane.graphics.inks import NO_PEN

TAUT = 1.0 + 1e-6  # times the distance of its ends: a rope that is longer sags


def _is_ground(n: int, c: Context) -> bool:
    """Whether a marker sits on the bare ground."""
    return c.placement.markers[n].body == GROUND


def _never_moves(n: int, c: Context) -> bool:
    """Whether a marker sits on the ground or on a fixed body."""
    return c.placement.is_fixed(c.placement.markers[n].body)


def add_pin(g: Graphic, n: int, c: Context, radius: float = 4.6, *, main: bool = True) -> None:
    """A filled pin at a marker: joined."""
    ring = NO_PEN if g.is_crowded else c.inks.line(1.4, c.inks.paper)
    pin = g.add(symbols.circle(radius), ring, c.inks.ink, PINS, pixels=True, main=main)
    g.at_marker(pin, n)
    pin.setCacheMode(QGraphicsItem.CacheMode.NoCache)  # filling it is quicker


def add_bracket(g: Graphic, n: int, other: int, c: Context) -> None:
    """The support of a marker on the ground, on the side away from what it carries."""
    body = c.placement.markers[other].body
    k = c.placement.body_index.get(body, -1)
    x, y, _ = c.placement.pose.markers[n]
    up = 1.0
    if 0 <= k < len(c.placement.bodies):
        cx, cy = c.placement.pose.centers[k]
        up = 1.0 if cy - y > 0.1 * hypot(cx - x, cy - y) else -1.0
    fill = mixed(c.inks.ground, c.inks.paper, 0.30)
    pen = c.inks.line(1.3, c.inks.hatch)
    item = g.add(symbols.bracket(), pen, fill, BRACKETS, pixels=True)
    item.setRotation(0.0 if up > 0 else 180.0)
    g.at_marker(item, n)


def _add_gap(g: Graphic, i: int, j: int, c: Context) -> None:
    """A red dashed line between the markers while they are apart."""
    closed = 1e-6 * c.size
    signs: list[QGraphicsPathItem] = []

    def place(pose: Pose) -> None:
        (ax, ay, _), (bx, by, _) = pose.markers[i], pose.markers[j]
        apart = abs(bx - ax) + abs(by - ay) > closed
        if apart and not signs:
            red = c.inks.line(1.6, c.inks.problem)
            signs.append(g.add(QPainterPath(), c.inks.dashed(1.6, c.inks.problem), layer=LINES))
            signs.append(g.add(symbols.circle(4.2), red, c.inks.paper, PINS, pixels=True))
        for sign in signs:
            sign.setVisible(apart)
        if apart:
            signs[0].setPath(symbols.polyline([(ax, ay), (bx, by)]))
            signs[1].setPos(ax, ay)

    g.places.append(place)


def _revolute(g: Graphic, joint: Any, i: int, j: int, c: Context) -> None:
    for n, other in ((i, j), (j, i)):
        if _is_ground(n, c):
            add_bracket(g, n, other, c)
    if joint.is_loose:  # the hole around its pin
        hole = g.add(symbols.circle(9.0), c.inks.line(1.6), layer=PINS - 0.1, pixels=True)
        g.at_marker(hole, i)
    add_pin(g, j, c)


def _weld(g: Graphic, joint: Any, i: int, j: int, c: Context) -> None:
    for n in (i, j):
        if _is_ground(n, c):
            wall = g.add(
                symbols.wall().translated(0, 6),
                c.inks.line(1.5, c.inks.hatch),
                layer=BRACKETS,
                pixels=True,
            )
            g.at_marker(wall, n)
    ring = c.inks.line(1.4, c.inks.paper)
    plate = g.add(symbols.square(5.0), ring, c.inks.ink, PINS, pixels=True, main=True)
    g.on_marker(plate, j, -1.0)


def _prismatic(g: Graphic, joint: Any, i: int, j: int, c: Context) -> None:
    inks, held = c.inks, _never_moves(i, c)
    rail = inks.line(1.6, inks.hatch if held else inks.ink)
    sides = _sides_of_box(i, j, c)
    if sides is not None:
        across, along, offset = sides
        margin = max(1.7 * along, 0.12 * c.size)
        parts = [(g.add(QPainterPath(), rail, layer=GUIDES, main=True), tracks.rails(*across))]
        if held:
            step = min(0.018 * c.size, 0.45 * (across[1] - across[0]))
            strokes = g.add(QPainterPath(), inks.line(1.1, inks.hatch), layer=GUIDES)
            parts.append((strokes, tracks.hatched_rails(*across, step)))
        tracks.Track(g, i, j, margin, parts, offset)
        return
    axis = g.add(QPainterPath(), inks.centre_line(), layer=GUIDES)
    tracks.Track(g, i, j, 0.16 * c.size, [(axis, tracks.straight)])
    guide = g.add(symbols.slider_rails(), rail, layer=PINS - 0.2, pixels=True)
    fill = inks.body_fill(c.color_of(c.placement.markers[j].body))
    block = g.add(symbols.slider_block(), inks.line(1.6), fill, PINS - 0.1, pixels=True, main=True)
    items = [guide, block]
    if held:
        hatch = symbols.hatching(-22, 26, 10.5, 6.0, 6.0)
        hatch.addPath(symbols.hatching(-22, 26, -10.5, 6.0, -6.0))
        items.append(g.add(hatch, inks.line(1.2, inks.hatch), layer=PINS - 0.2, pixels=True))

    def place(pose: Pose) -> None:
        x, y, _ = pose.markers[j]
        turn = -57.29577951308232 * pose.markers[i][2]
        for item in items:
            item.setPos(x, y)
            item.setRotation(turn)

    g.places.append(place)


def _sides_of_box(i: int, j: int, c: Context) -> tuple[tuple[float, float], float, float] | None:
    """If a box slides on its axis: its sides seen from marker j, half of it along, and its middle along.

    The middle of the box lies at -Rᵀ (x, y) in the axes of marker j.
    """
    k = int(c.placement.marker_body[j])
    if k >= len(c.placement.bodies):
        return None
    shape = getattr(c.placement.bodies[k], "shape", None)
    x, y, angle = c.placement.marker_local[j].tolist()
    if not isinstance(shape, Box):
        return None
    offset, middle = -(x * cos(angle) + y * sin(angle)), x * sin(angle) - y * cos(angle)
    width, height = plain(shape.width) / 2.0, plain(shape.height) / 2.0
    if abs(sin(angle)) < 1e-3 and abs(middle) < 0.9 * height:
        return (middle - height, middle + height), width, offset
    if abs(cos(angle)) < 1e-3 and abs(middle) < 0.9 * width:
        return (middle - width, middle + width), height, offset
    return None


def _rod(g: Graphic, joint: Any, i: int, j: int, c: Context) -> None:
    """A bar; a rope is thin, and sags where it is slack."""
    is_rope = joint.acts == "tension"
    line = g.add(
        QPainterPath(), c.inks.line(1.8 if is_rope else 3.4, c.inks.ink), layer=LINES, main=True
    )
    (x, y, _), (px, py, _) = (c.placement.pose.markers[n] for n in (i, j))
    length = hypot(px - x, py - y)
    if isinstance(joint.length, int | float):
        length = float(joint.length)

    def place(pose: Pose) -> None:
        (ax, ay, _), (bx, by, _) = pose.markers[i], pose.markers[j]
        path = QPainterPath(QPointF(ax, ay))
        apart = hypot(bx - ax, by - ay)
        if is_rope and length > TAUT * apart:
            sag = sqrt(0.375 * apart * (length - apart)) + 0.5 * max(length - 2.0 * apart, 0.0)
            path.quadTo(0.5 * (ax + bx), 0.5 * (ay + by) - 2.0 * sag, bx, by)
        else:
            path.lineTo(bx, by)
        g.set_path(line, path)

    g.places.append(place)
    for n, other in ((i, j), (j, i)):
        if _is_ground(n, c):
            add_bracket(g, n, other, c)
        add_pin(g, n, c, 4.4, main=False)


def _point_on_line(g: Graphic, joint: Any, i: int, j: int, c: Context) -> None:
    inks = c.inks
    if joint.is_one_sided:
        _support(g, joint, i, j, c)
        return
    rim = g.add(QPainterPath(), inks.line(16.0), layer=SLOTS, main=True)
    inside = g.add(QPainterPath(), inks.line(12.8, inks.paper), layer=SLOTS + 0.1)
    axis = g.add(QPainterPath(), inks.centre_line(), layer=SLOTS + 0.2)
    parts: list[tracks.Part] = [(item, tracks.straight) for item in (rim, inside, axis)]
    tracks.Track(g, i, j, 0.12 * c.size, parts)
    if _is_ground(i, c):
        wall = symbols.wall().translated(0, 8)
        g.on_marker(g.add(wall, inks.line(1.5, inks.hatch), layer=GUIDES, pixels=True), i, -1.0)
    add_pin(g, j, c, 5.6)


def _support(g: Graphic, joint: Any, i: int, j: int, c: Context) -> None:
    """A line that is hatched on the side to which it lets nothing through."""
    edge = g.add(QPainterPath(), c.inks.line(2.6), layer=SLOTS, main=True)
    tracks.Track(g, i, j, 0.12 * c.size, [(edge, tracks.straight)])
    wall = symbols.wall()
    if joint.acts == "below":
        wall = QTransform.fromScale(1.0, -1.0).map(wall)
    g.on_marker(g.add(wall, c.inks.line(1.5, c.inks.hatch), layer=GUIDES, pixels=True), i, -1.0)
    add_pin(g, j, c)


def _point_on_circle(g: Graphic, joint: Any, i: int, j: int, c: Context) -> None:
    (x, y, _), (px, py, _) = (c.placement.pose.markers[n] for n in (i, j))
    radius = hypot(px - x, py - y) if joint.radius is None else float(joint.radius)
    path = symbols.circle(radius)
    ring = c.inks.line(2.6 if joint.is_one_sided else 5.0)
    g.at_marker(g.add(path, ring, layer=SLOTS, main=True), i)
    if not joint.is_one_sided:  # a groove
        g.at_marker(g.add(path, c.inks.line(2.4, c.inks.paper), layer=SLOTS + 0.1), i)
    middle = g.add(symbols.circle(2.2), NO_PEN, c.inks.ink, SLOTS, pixels=True)
    g.at_marker(middle, i)
    add_pin(g, j, c)


def _rolling_disc(g: Graphic, joint: Any, i: int, j: int, c: Context) -> None:
    inks, radius = c.inks, float(joint.radius)
    held = _never_moves(i, c)
    step = min(max(0.018 * c.size, 0.04 * radius), 0.5 * radius)
    floor = tracks.hatched_ground(step) if held else tracks.straight
    line = g.add(QPainterPath(), inks.line(1.6, inks.hatch), layer=GUIDES, main=True)
    tracks.Track(g, i, j, max(2.2 * radius, 0.2 * c.size), [(line, floor)])
    k = int(c.placement.marker_body[j])
    shape = getattr(c.placement.bodies[k], "shape", None) if k < len(c.placement.bodies) else None
    if not isinstance(shape, Disc) or abs(plain(shape.radius) - radius) > 1e-6 * radius:
        rim = g.add(symbols.circle(radius), inks.line(2.0), layer=LINES)
        g.at_marker(rim, j)
    touch = g.add(
        symbols.circle(3.6), inks.line(1.2, inks.paper), inks.ink, PINS, pixels=True, main=True
    )

    def place(pose: Pose) -> None:
        (x, y, angle), (px, py, _) = pose.markers[i], pose.markers[j]
        along = cos(angle) * (px - x) + sin(angle) * (py - y)
        touch.setPos(x + along * cos(angle), y + along * sin(angle))

    g.places.append(place)


def _knife_edge(g: Graphic, joint: Any, i: int, j: int, c: Context) -> None:
    blade = g.add(symbols.blade(), c.inks.line(1.5), c.inks.ink, PINS, pixels=True, main=True)
    g.on_marker(blade, j, -1.0)


def _gear(joint: Any, c: Context) -> Graphic:
    """The toothed wheels of this gear that no other gear has drawn."""
    g = c.graphic(joint.id)
    for wheel in c.wheels.get(joint.id, ()):
        if wheel.flanks is not None:
            teeth = symbols.polyline(wheel.flanks.outline(wheel.phase), closed=True)
        else:
            teeth = symbols.body_teeth(wheel.radius, wheel.teeth, wheel.phase, wheel.is_ring)
        if not wheel.is_ring:
            teeth.addPath(symbols.circle(0.16 * wheel.radius))
        color = c.color_of(c.placement.markers[wheel.marker].body)
        _add_wheel(g, teeth, wheel.marker, wheel.radius, color, c)
    return g


def _add_wheel(
    g: Graphic, teeth: QPainterPath, n: int, radius: float, color: QColor, c: Context
) -> None:
    """A toothed wheel at a marker, with its pitch circle and a line that shows its turns."""
    wheel = g.add(teeth, c.inks.body_edge(color, 1.3), c.inks.body_fill(color), TEETH, main=True)
    g.on_marker(wheel, n)
    pitch = QGraphicsPathItem(symbols.circle(radius), wheel)
    pitch.setPen(c.inks.centre_line(mixed(color, c.inks.ink, 0.6)))
    spoke = QGraphicsPathItem(symbols.polyline([(0.2 * radius, 0.0), (0.8 * radius, 0.0)]), wheel)
    spoke.setPen(c.inks.body_edge(color, 2.0))


def _rack_and_pinion(joint: Any, c: Context) -> Graphic:
    """A toothed wheel on the body of joint 1, and a toothed bar on that of joint 2."""
    g = c.graphic(joint.id)
    first, second = (c.model.elements.get(id) for id in (joint.joint_1, joint.joint_2))
    pinion, rack = (c.marker(getattr(e, "marker_j", "")) for e in (first, second))
    if min(pinion, rack) < 0:
        return g
    radius = abs(float(joint.radius)) or 1e-6
    module = 2.0 * radius / TEETH_OF_SMALLEST
    px, py, turn = c.placement.pose.markers[pinion]
    rx, ry, axis = c.placement.pose.markers[rack]
    side = 1.0 if joint.radius > 0.0 else -1.0  # a rack below the pinion moves forwards with it
    down = axis - side * pi / 2
    color = c.color_of(c.placement.markers[pinion].body)
    teeth = symbols.body_teeth(radius, TEETH_OF_SMALLEST, down - turn)
    teeth.addPath(symbols.circle(0.16 * radius))
    _add_wheel(g, teeth, pinion, radius, color, c)
    tx, ty = px + radius * cos(down) - rx, py + radius * sin(down) - ry
    along, across = cos(axis) * tx + sin(axis) * ty, cos(axis) * ty - sin(axis) * tx
    bar = symbols.body_rack(module, -4.0 * radius, 4.0 * radius, pi * module / 2, side)
    bar.translate(along, across)
    color = c.color_of(c.placement.markers[rack].body)
    item = g.add(bar, c.inks.body_edge(color, 1.3), c.inks.body_fill(color), TEETH - 0.1, main=True)
    g.on_marker(item, rack)
    return g


def _typed_constraint(g: Graphic, joint: Any, n: int, c: Context) -> None:
    """A ring with the sign of equality around a point."""
    ring = g.add(
        symbols.circle(9.0), c.inks.line(1.6), c.inks.paper, PINS - 0.1, pixels=True, main=True
    )
    g.at_marker(ring, n)
    bars = symbols.polyline([(-4.5, -2.2), (4.5, -2.2)])
    bars.addPath(symbols.polyline([(-4.5, 2.2), (4.5, 2.2)]))
    g.at_marker(g.add(bars, c.inks.line(1.8), layer=PINS, pixels=True), n)


def _holding(draw: Callable[[Graphic, Any, int, int, Context], None]) -> View:
    """The view of a joint that holds two points together: it shows where they are apart."""

    def with_gap(g: Graphic, joint: Any, i: int, j: int, c: Context) -> None:
        draw(g, joint, i, j, c)
        _add_gap(g, i, j, c)

    return between_markers(with_gap)


JOINT_VIEWS: dict[type[Element], View] = {
    Revolute: _holding(_revolute),
    Weld: _holding(_weld),
    Prismatic: between_markers(_prismatic),
    Rod: between_markers(_rod),
    PointOnLine: between_markers(_point_on_line),
    PointOnCircle: between_markers(_point_on_circle),
    RollingDisc: between_markers(_rolling_disc),
    KnifeEdge: between_markers(_knife_edge),
    Gear: _gear,
    RackAndPinion: _rack_and_pinion,
    TypedConstraint: at_marker(_typed_constraint),
}
