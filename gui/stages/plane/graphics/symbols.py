"""The symbols of textbooks as painter paths.

Names that begin with a body are in metres, y up. Symbols of joints and loads are in pixels, y down.
"""

from collections.abc import Callable
from math import atan2, cos, degrees, pi, radians, sin
from typing import Any

import numpy as np
from PySide6.QtCore import QByteArray, QDataStream, QPointF, QRectF, Qt
from PySide6.QtGui import QPainterPath, QPainterPathStroker, QPolygonF

from engine.errors import EngineError
from engine.model.fields import plain
from engine.model.shapes import Beam, Box, Disc, Part, Polygon, Polyline, Rod, Shape
from engine.model.solids import hull
from gui.placing.plane import silhouettes

MOST_STROKES = 400  # of one hatched line: more are not told apart, and take seconds to paint
LEAD = 0.12  # of a spring's length: the straight wire at each end
FEWEST_TURNS, MOST_TURNS = 5, 12
_ELEMENT = np.dtype([("kind", ">i4"), ("x", ">f8"), ("y", ">f8")])  # as Qt writes paths to streams


def polyline(points: Any, closed: bool = False) -> QPainterPath:
    """The path through points (n, 2); quick for many points."""
    array = np.asarray(points, dtype=float).reshape(-1, 2)
    n = len(array)
    path = QPainterPath()
    if n < 2:
        return path
    if n < 8:
        path.addPolygon(QPolygonF([QPointF(x, y) for x, y in array.tolist()]))
    else:
        elements = np.empty(n, dtype=_ELEMENT)
        elements["kind"] = 1
        elements["kind"][0] = 0
        elements["x"], elements["y"] = array.T
        path = _streamed(elements)
    if closed:
        path.closeSubpath()
    return path


def smooth_curve(
    t: np.ndarray, p: np.ndarray, starts: np.ndarray, ends: np.ndarray
) -> QPainterPath:
    """The curve through places (n, 2) at given times; velocities (n - 1, 2) at both ends of pieces."""
    n = len(p)
    if n < 2:
        return QPainterPath()
    h = np.diff(t)[:, None] / 3.0
    xy = np.empty((3 * n - 2, 2))
    xy[0::3] = p
    xy[1::3], xy[2::3] = p[:-1] + h * starts, p[1:] - h * ends
    elements = np.empty(3 * n - 2, dtype=_ELEMENT)
    elements["kind"] = 3  # further places of a curve
    elements["kind"][0], elements["kind"][1::3] = 0, 2
    elements["x"], elements["y"] = xy.T
    return _streamed(elements)


def _streamed(elements: np.ndarray) -> QPainterPath:
    """The path of elements as Qt writes them."""
    head, tail = np.array([len(elements)], ">i4").tobytes(), np.array([0, 0], ">i4").tobytes()
    path = QPainterPath()
    stream = QDataStream(QByteArray(head + elements.tobytes() + tail))
    stream >> path
    return path


def body_outline(shape: Any, pixel: float = 0.0) -> QPainterPath:
    """A planar shape in its body frame; empty for one that has no outline here."""
    draw = OUTLINES.get(type(shape))
    return QPainterPath() if draw is None else draw(shape, pixel)


def _rod_outline(shape: Any, pixel: float) -> QPainterPath:
    """A bar with round ends; a link is its middle line."""
    if silhouettes.is_link(shape, pixel):
        return polyline([(-shape.length / 2, 0.0), (shape.length / 2, 0.0)])
    path, end = QPainterPath(), silhouettes.half_width(shape)
    whole = QRectF(-shape.length / 2 - end, -end, shape.length + 2 * end, 2 * end)
    path.addRoundedRect(whole, end, end)
    return path


def _box_outline(shape: Any, pixel: float) -> QPainterPath:
    path = QPainterPath()
    path.addRect(-shape.width / 2, -shape.height / 2, shape.width, shape.height)
    return path


def _disc_outline(shape: Any, pixel: float) -> QPainterPath:
    return circle(shape.radius)


def _polygon_outline(shape: Any, pixel: float) -> QPainterPath:
    return polyline(np.array(shape.points, dtype=float), closed=True)


def _polyline_outline(shape: Any, pixel: float) -> QPainterPath:
    """Bars with round corners and ends, never thinner than a link."""
    pen = QPainterPathStroker()
    pen.setWidth(max(float(shape.width), 2.0 * silhouettes.LINK * pixel))
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    pen.setCurveThreshold(0.02 * pen.width())
    return pen.createStroke(polyline([(p[0], p[1]) for p in shape.points])).simplified()


def _part_outline(shape: Any, pixel: float) -> QPainterPath:
    return polyline(hull(np.array(shape.nodes, dtype=float).reshape(-1, 2)), closed=True)


OUTLINES: dict[type[Shape], Callable[[Any, float], QPainterPath]] = {
    Rod: _rod_outline,
    Beam: _rod_outline,
    Box: _box_outline,
    Disc: _disc_outline,
    Polygon: _polygon_outline,
    Polyline: _polyline_outline,
    Part: _part_outline,
}


def body_detail(shape: Any) -> QPainterPath:
    """Thin lines on a body that show how far it has turned: the cross of a disc."""
    path = QPainterPath()
    if isinstance(shape, Disc):
        r = plain(shape.radius)
        for angle in (0.0, pi / 2):
            path.moveTo(-r * cos(angle), -r * sin(angle))
            path.lineTo(r * cos(angle), r * sin(angle))
    return path


def part_details(shape: Any, tiny: float) -> tuple[QPainterPath, QPainterPath]:
    """Lines between the nodes of a part that push each other, and its nodes as dots."""
    lines = QPainterPath()
    try:
        one = shape.matrices()
    except EngineError:  # told where the model is checked
        return lines, QPainterPath()
    for i, j in one.joined():
        lines.moveTo(*one.nodes[i])
        lines.lineTo(*one.nodes[j])
    return lines, dots(one.nodes.tolist(), tiny)


def body_arms(center: tuple[float, float], ends: Any) -> QPainterPath:
    """Lines from the mass centre to each end."""
    path = QPainterPath()
    for x, y in ends:
        path.moveTo(*center)
        path.lineTo(x, y)
    return path


def body_teeth(radius: float, count: int, phase: float, inward: bool = False) -> QPainterPath:
    """The outline of a gear with trapezoid teeth around its pitch circle."""
    module = 2.0 * radius / count
    tip, root = radius + 0.85 * module, radius - 1.0 * module
    if inward:
        tip, root = radius + 1.0 * module, radius - 0.85 * module
    pitch = 2.0 * pi / count
    points = []
    for n in range(count):
        middle = phase + n * pitch
        for part, r in ((-0.30, root), (-0.14, tip), (0.14, tip), (0.30, root)):
            angle = middle + part * pitch
            points.append((r * cos(angle), r * sin(angle)))
    path = polyline(points, closed=True)
    if inward:
        path.addEllipse(QPointF(0.0, 0.0), tip + 1.5 * module, tip + 1.5 * module)
    return path


def body_rack(module: float, low: float, high: float, phase: float, side: float) -> QPainterPath:
    """A toothed bar along x from `low` to `high`, its teeth on the given side of y = 0."""
    pitch = pi * module
    first, last = int(np.ceil(low / pitch)), int(np.floor(high / pitch))
    points = [(low, -1.0 * module * side)]
    for n in range(first, last + 1):
        middle = n * pitch + phase
        for part, h in ((-0.30, -1.0), (-0.14, 0.85), (0.14, 0.85), (0.30, -1.0)):
            points.append((middle + part * pitch, side * h * module))
    points += [(high, -1.0 * module * side), (high, -3.0 * module * side)]
    points += [(low, -3.0 * module * side)]
    return polyline(points, closed=True)


def dots(places: Any, size: float) -> QPainterPath:
    """Points as strokes of almost no length: a pen with round ends makes them discs of its width."""
    path = QPainterPath()
    for x, y in places:
        path.moveTo(x, y)
        path.lineTo(x + size, y)
    return path


def turns_of_coil(aspect: float) -> int:
    """How many turns a spring has, by its width over its length."""
    return min(max(round((1.0 - 2.0 * LEAD) / (0.62 * aspect)), FEWEST_TURNS), MOST_TURNS)


def coil_parts(aspect: float) -> tuple[QPainterPath, QPainterPath]:
    """A coil spring of unit length along x and unit width: the wire behind, and that in front."""
    turns = turns_of_coil(aspect)
    pitch = (1.0 - 2.0 * LEAD) / (2 * turns + 1)  # of half a turn
    half = np.linspace(-0.5 * pi, 0.5 * pi, 13)
    behind, before = QPainterPath(), QPainterPath()
    for n in range(2 * turns + 1):
        x = LEAD + pitch * (n + 0.5 + half / pi)
        y = 0.5 * np.sin(half) * (1.0 if n % 2 == 0 else -1.0)
        cut = slice(6, None) if n == 0 else slice(7) if n == 2 * turns else slice(None)
        (behind if n % 2 else before).addPath(polyline(np.column_stack([x, y])[cut]))
    before.addPath(polyline([(0.0, 0.0), (LEAD + 0.5 * pitch, 0.0)]))
    before.addPath(polyline([(1.0 - LEAD - 0.5 * pitch, 0.0), (1.0, 0.0)]))
    return behind, before


def coil(aspect: float) -> QPainterPath:
    """A coil spring of unit length along x and unit width; `aspect` is width over length."""
    lead = LEAD
    turns = turns_of_coil(aspect)
    theta = np.linspace(0.0, 2.0 * pi * turns, 22 * turns + 1)
    loop = 0.34 * aspect  # amplitude of the wire along the spring
    x = lead + loop + (1.0 - 2.0 * lead - 2.0 * loop) * theta / theta[-1] - loop * np.cos(theta)
    y = 0.5 * np.sin(theta)
    points = np.column_stack([x, y])
    return polyline(np.concatenate([[(0.0, 0.0)], points, [(1.0 - lead, 0.0), (1.0, 0.0)]]))


def dashpot(length: float, drawn: float, width: float, side: float = 0.0) -> QPainterPath:
    """A damper from the origin along x: a cup, and a piston on a rod that moves in it."""
    scale = min(1.0, length / drawn) if drawn > 0.0 else 1.0
    lead, cup, half = 0.24 * drawn * scale, 0.46 * drawn * scale, width / 2
    plate = lead + min(max(0.5 * cup + 0.9 * (length - drawn * scale), 0.12 * cup), 0.88 * cup)
    path = QPainterPath(QPointF(0.0, side))
    path.lineTo(lead, side)
    path.moveTo(lead + cup, side + half)
    for x, y in ((lead, half), (lead, -half), (lead + cup, -half)):
        path.lineTo(x, side + y)
    path.moveTo(plate, side + 0.78 * half)
    path.lineTo(plate, side - 0.78 * half)
    path.moveTo(plate, side)
    path.lineTo(length, side)
    return path


def circle(radius: float) -> QPainterPath:
    """A circle about the origin."""
    path = QPainterPath()
    path.addEllipse(QPointF(0.0, 0.0), radius, radius)
    return path


def square(half: float) -> QPainterPath:
    """A square about the origin."""
    path = QPainterPath()
    path.addRect(-half, -half, 2 * half, 2 * half)
    return path


def hatching(left: float, right: float, y: float, step: float, leg: float) -> QPainterPath:
    """Slanting strokes below (leg > 0) or above a line at height y; fewer on a very long line."""
    path = QPainterPath()
    count = int(min(max((right - left) / step, 1), MOST_STROKES))
    for n in range(count + 1):
        x = left + n * (right - left) / count
        path.moveTo(x, y)
        path.lineTo(x - abs(leg) * 0.8, y + leg)
    return path


def bracket() -> QPainterPath:
    """A support under a pin: an eye on a foot, on the hatched line of the ground."""
    r, foot, low = 9.0, 15.0, 22.0  # of the eye, half the foot, down to the ground
    path = QPainterPath(QPointF(-foot, low))
    path.lineTo(-r, 1.5)
    path.arcTo(QRectF(-r, -r, 2 * r, 2 * r), 190.0, -200.0)
    path.lineTo(foot, low)
    path.closeSubpath()
    path.moveTo(-21, low)
    path.lineTo(21, low)
    path.addPath(hatching(-15, 21, low, 6.0, 6.0))
    return path


def wall() -> QPainterPath:
    """A short hatched line through the origin, hatched below."""
    path = QPainterPath(QPointF(-15, 0))
    path.lineTo(15, 0)
    path.addPath(hatching(-10, 15, 0, 5.0, 6.0))
    return path


def slider_block() -> QPainterPath:
    """The block of a slider, along x."""
    path = QPainterPath()
    path.addRect(-15, -8, 30, 16)
    return path


def slider_rails() -> QPainterPath:
    """Short guides on both sides of a slider's block."""
    path = QPainterPath()
    for y in (-10.5, 10.5):
        path.moveTo(-26, y)
        path.lineTo(26, y)
    return path


def mass_center_mark(radius: float = 4.6) -> QPainterPath:
    """The symbol of a mass centre: a circle of which two quarters are black."""
    path = circle(radius)
    box = QRectF(-radius, -radius, 2 * radius, 2 * radius)
    for start in (0, 180):  # overlapping areas cancel
        path.moveTo(0, 0)
        path.arcTo(box, start, 90)
        path.closeSubpath()
    return path


# the head of an arrow along +x of length 1, its tip in the origin
ARROW_HEAD = ((0.0, 0.0), (-1.0, -0.36), (-0.82, 0.0), (-1.0, 0.36), (0.0, 0.0))


def arrow_head(size: float = 10.0) -> QPainterPath:
    """The head of an arrow along +x, its tip in the origin."""
    return polyline([(size * x, size * y) for x, y in ARROW_HEAD[:-1]], True)


def turning_arrow(radius: float, start: float, sweep: float, head: float = 8.0) -> QPainterPath:
    """An arc from `start` over `sweep` degrees (anticlockwise on screen) with a filled head."""
    box = QRectF(-radius, -radius, 2 * radius, 2 * radius)
    arc = QPainterPath()
    short = sweep - (degrees(0.7 * head / radius) if sweep > 0 else -degrees(0.7 * head / radius))
    arc.arcMoveTo(box, start)
    arc.arcTo(box, start, short)
    end = radians(start + sweep)
    tip = (radius * cos(end), -radius * sin(end))
    back = radians(start + short)
    base = (radius * cos(back), -radius * sin(back))
    along = atan2(tip[1] - base[1], tip[0] - base[0])
    wing = 0.42 * head
    arc.addPolygon(
        QPolygonF(
            [
                QPointF(*tip),
                QPointF(
                    tip[0] - head * cos(along) - wing * sin(along),
                    tip[1] - head * sin(along) + wing * cos(along),
                ),
                QPointF(
                    tip[0] - head * cos(along) + wing * sin(along),
                    tip[1] - head * sin(along) - wing * cos(along),
                ),
                QPointF(*tip),
            ]
        )
    )
    return arc


def arc(radius: float, start: float, sweep: float) -> QPainterPath:
    """A piece of a circle; degrees, anticlockwise on screen."""
    path = QPainterPath()
    box = QRectF(-radius, -radius, 2 * radius, 2 * radius)
    path.arcMoveTo(box, start)
    path.arcTo(box, start, sweep)
    return path


def spiral(inner: float = 8.0, outer: float = 19.0, turns: float = 2.25) -> QPainterPath:
    """A torsion spring around a pin."""
    theta = np.linspace(0.0, 2.0 * pi * turns, 90)
    r = inner + (outer - inner) * theta / theta[-1]
    return polyline(np.column_stack([r * np.cos(theta), -r * np.sin(theta)]))


def blade() -> QPainterPath:
    """A knife edge along x: a slender lens with a line through it."""
    path = QPainterPath(QPointF(-20, 0))
    path.quadTo(0, -8, 20, 0)
    path.quadTo(0, 8, -20, 0)
    return path
